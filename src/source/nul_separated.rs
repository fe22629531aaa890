//! Parses the output of `env -0`, in which a NUL byte follows each `NAME=value`, and of `env`, in which a line break
//! does. Values are verbatim.

use std::borrow::Cow;

use super::fault::MAX_VALUES;
use super::parsed::{self, Parsed};
use super::tree::{Entry, SourceId, Spot};
use super::words;
use crate::secret::Vault;
use crate::text::Span;

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Parsed {
    let (mut entries, mut at, mut cut) = (Vec::new(), 0, false);
    let mark = if text.contains('\0') { '\0' } else { '\n' };
    while !text[at..].is_empty() {
        let start = at;
        let mut end = next_mark(text, start, mark);
        // A line that does not start a variable belongs to the previous value, and so does each line of a PEM key.
        let mut is_key = text[start..end].contains("-----BEGIN ");
        while mark == '\n' && end < text.len() && (is_key || !words::starts_with_assignment(&text[end + 1..])) {
            let line = end + 1;
            end = next_mark(text, line, mark);
            is_key = (is_key || text[line..end].contains("-----BEGIN ")) && !text[line..end].contains("-----END ");
        }
        at = (end + 1).min(text.len());
        let variable = &text[start..end];
        // The last line break was added by `env`.
        let variable = variable.strip_suffix('\n').filter(|_| mark == '\n' && end == text.len()).unwrap_or(variable);
        let Some(equals) = variable.find('=').filter(|&equals| equals > 0) else { continue };
        cut = entries.len() >= MAX_VALUES;
        if cut {
            break;
        }
        let name = Span { start, end: start + equals };
        let span = Span { start: name.end + 1, end: start + variable.len() };
        let value = parsed::string(Cow::Borrowed(&text[span.start..span.end]), span, source, vault);
        let at = Spot { source, span: name };
        entries.push(Entry { key: variable[..equals].to_owned(), at, value });
    }
    Parsed { cut, ..Parsed::table(entries, source, text.len()) }
}

/// Returns the offset of the next mark, or the end of the text.
fn next_mark(text: &str, from: usize, mark: char) -> usize {
    text[from..].find(mark).map_or(text.len(), |at| from + at)
}

#[cfg(test)]
mod tests {
    use super::super::tree_text::documents_text;
    use super::parse;

    #[test]
    fn keeps_values_verbatim() {
        assert_eq!(
            documents_text("A=x\ny='z'\0B=\0=c\0D\0A= 2 \0", parse),
            "{A<A>: Text(\"x\\ny='z'\" from \"x\\ny='z'\"), B<B>: Text(\"\" from \"\"), A<A>: Text(\" 2 \" from \" 2 \")}"
        );
        assert_eq!(
            documents_text("A='x' \nB=\nC=-----BEGIN K-----\ncd\nab=\n-----END K-----\nD=e\n\nf=g\n h\n", parse),
            "{A<A>: Text(\"'x' \" from \"'x' \"), B<B>: Text(\"\" from \"\"), \
             C<C>: Text(\"-----BEGIN K-----\\ncd\\nab=\\n-----END K-----\" from \"-----BEGIN K-----\\ncd\\nab=\\n-----END K-----\"), \
             D<D>: Text(\"e\\n\" from \"e\\n\"), f<f>: Text(\"g\\n h\" from \"g\\n h\")}"
        );
    }
}
