//! Parses the output of `env -0`: `NAME=value`, each followed by a NUL byte, with verbatim values.

use std::borrow::Cow;

use super::fault::MAX_VALUES;
use super::parsed::{self, Parsed};
use super::spot::{SourceId, Spot};
use super::tree::Entry;
use crate::secret::Vault;
use crate::text::Span;

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Parsed {
    let (mut entries, mut at, mut cut) = (Vec::new(), 0, false);
    for variable in text.split('\0') {
        let (start, end) = (at, at + variable.len());
        at = end + 1;
        let Some(equals) = variable.find('=').filter(|&equals| equals > 0) else { continue };
        cut = entries.len() >= MAX_VALUES;
        if cut {
            break;
        }
        let (name, span) = (Span { start, end: start + equals }, Span { start: start + equals + 1, end });
        let value = parsed::string(Cow::Borrowed(&text[span.start..span.end]), span, source, vault);
        let at = Spot { source, span: name };
        entries.push(Entry { key: variable[..equals].to_owned(), at, value });
    }
    Parsed { cut, ..Parsed::table(entries, source, text.len()) }
}

#[cfg(test)]
mod tests {
    use super::super::tree_text::documents;
    use super::parse;

    #[test]
    fn values_are_verbatim() {
        assert_eq!(
            documents("A=x\ny='z'\0B=\0=c\0D\0A= 2 \0", parse),
            "{A<A>: Text(\"x\\ny='z'\" from \"x\\ny='z'\"), B<B>: Text(\"\" from \"\"), A<A>: Text(\" 2 \" from \" 2 \")}"
        );
    }
}
