//! Parses Java properties. Source: <https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Properties.html#load(java.io.Reader)>.

use std::borrow::Cow;

use zeroize::Zeroizing;

use super::fault::MAX_VALUES;
use super::parsed::{self, Parsed};
use super::tree::{Entry, SourceId, Spot};
use crate::secret::Vault;
use crate::text::Span;

/// Parses lines of `key=value`, `key: value` or `key value`. Quotes and trailing whitespace belong to the value.
pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Parsed {
    let (mut entries, mut cut) = (Vec::new(), false);
    let mut lines = parsed::lines(text);
    while let Some(mut line) = lines.next() {
        line.start += leading_whitespace(&text[line.start..line.end]);
        if text[line.start..].starts_with(['#', '!', '\r', '\n']) || line.start == line.end {
            continue;
        }
        while continues_on_next_line(&text[line.start..line.end])
            && let Some(more) = lines.next()
        {
            line.end = more.end;
        }
        cut = entries.len() >= MAX_VALUES;
        if cut {
            break;
        }
        let body = &text[line.start..line.end];
        let mut escaped = false;
        let ends = |c: char| {
            let ends = !escaped && (c.is_whitespace() || c == '=' || c == ':');
            escaped = c == '\\' && !escaped;
            ends
        };
        let end = body.find(ends).unwrap_or(body.len());
        let (name, rest) = body.split_at(end);
        let spaced = &rest[leading_whitespace(rest)..];
        let bare = spaced.strip_prefix(['=', ':']).unwrap_or(spaced);
        let value = Span { start: line.end - bare.len() + leading_whitespace(bare), end: line.end };
        let at = Spot { source, span: Span { start: line.start, end: line.start + end } };
        let plain = unescaped(&text[value.start..value.end]);
        let value = parsed::string(Cow::Borrowed(&plain), value, source, vault);
        entries.push(Entry { key: unescaped(name).to_string(), at, value });
    }
    Parsed { cut, ..Parsed::table(entries, source, text.len()) }
}

/// Returns the length of the leading whitespace.
fn leading_whitespace(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\u{c}']).len()
}

/// Returns `true` if a line continues on the next one.
fn continues_on_next_line(line: &str) -> bool {
    line.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Resolves escapes, and joins the lines of a value.
fn unescaped(raw: &str) -> Zeroizing<String> {
    // A string that grows would leave copies in memory.
    let mut plain = Zeroizing::new(String::with_capacity(raw.len()));
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let Some(c) = after.chars().next() else { return plain };
        rest = &after[c.len_utf8()..];
        match c {
            'u' => {
                let code = rest.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                plain.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
                rest = rest.get(4..).unwrap_or_default();
            }
            '\r' | '\n' => rest = rest.trim_start(),
            't' => plain.push('\t'),
            'n' => plain.push('\n'),
            'r' => plain.push('\r'),
            'f' => plain.push('\u{c}'),
            c => plain.push(c),
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::super::tree_text::documents_text;
    use super::parse;

    #[test]
    fn reads_values_like_java() {
        for (text, expected) in [
            ("", "{}"),
            ("# c\n! c\n\n  a = \"b\" \r\n", "{a<a>: Text(\"\\\"b\\\" \" from \"\\\"b\\\" \")}"),
            (
                "a:{\"b\": 1}\nc [d] # e\nf",
                "{a<a>: Text(\"{\\\"b\\\": 1}\" from \"{\\\"b\\\": 1}\"), c<c>: Text(\"[d] # e\" from \"[d] # e\"), f<f>: Text(\"\" from \"\")}",
            ),
            (
                "a\\ b=\\u0063\\:\\\\d\\te\n",
                "{a b<a\\ b>: Text(\"c:\\\\d\\te\" from \"\\\\u0063\\\\:\\\\\\\\d\\\\te\")}",
            ),
            (
                "a = b\\\n    c\\\r\n d\ne=f\\\\\ng=\\u00\nh=i\\",
                "{a<a>: Text(\"bcd\" from \"b\\\\\\n    c\\\\\\r\\n d\"), e<e>: Text(\"f\\\\\" from \"f\\\\\\\\\"), g<g>: Text(\"\u{fffd}\" from \"\\\\u00\"), h<h>: Text(\"i\" from \"i\\\\\")}",
            ),
        ] {
            assert_eq!(documents_text(text, parse), expected, "{text:?}");
        }
    }
}
