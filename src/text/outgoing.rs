//! The final check of output: no text can control a terminal, hide characters, or issue commands to a CI service.

use std::borrow::Cow;

use super::shown::is_hidden;

/// The markup of a text, which decides how a forbidden character is escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Markup {
    /// Plain text.
    Plain,
    /// Text with colours.
    Colored,
    /// One or more JSON documents.
    Json,
    /// Lines that include intended workflow commands.
    Commands,
}

/// Escapes a text for output. Text that was escaped before does not change.
///
/// CI services read commands from the log of a job: `::error …` at the start of a line, `##[…]`, `##vso[…]` and
/// `##teamcity[…]` anywhere. The service is unknown here, so all of them are escaped.
pub fn outgoing(text: &str, markup: Markup) -> Cow<'_, str> {
    let plain = |byte: u8| matches!(byte, b' '..=b'"' | b'$'..=b'9' | b';'..=b'~' | b'\n' | b'\t');
    if text.bytes().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let (mut rest, mut begins) = (text, true);
    while let Some(c) = rest.chars().next() {
        if let (Markup::Colored, Some(len)) = (markup, color(rest)) {
            out.push_str(&rest[..len]);
            rest = &rest[len..];
            continue;
        }
        if is_hidden(c) && !matches!(c, '\n' | '\t') {
            write_escaped(c, markup, &mut out);
        } else if c == '#' && is_mark(rest) {
            out.push('#');
            write_second('#', markup, &mut out);
            rest = &rest[1..];
        } else if c == ':' && begins && rest.starts_with("::") && !matches!(markup, Markup::Commands | Markup::Json) {
            out.push(':');
            write_second(':', markup, &mut out);
            rest = &rest[1..];
        } else {
            out.push(c);
        }
        begins = c == '\n' || begins && c.is_whitespace();
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(out)
}

/// Returns the length of the colour escape at the start of a text.
fn color(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let len = numbers.find(|c: char| !(c.is_ascii_digit() || c == ';'))?;
    numbers[len..].starts_with('m').then_some(2 + len + 1)
}

/// Returns `true` if a text starts with two `#`, a word and a bracket.
fn is_mark(text: &str) -> bool {
    text.strip_prefix("##").is_some_and(|rest| rest.trim_start_matches(|c: char| c.is_alphanumeric()).starts_with('['))
}

/// Writes the second of two characters that have a special meaning together.
fn write_second(c: char, markup: Markup, out: &mut String) {
    match markup {
        Markup::Json => write_escaped(c, markup, out),
        Markup::Plain | Markup::Colored | Markup::Commands => out.extend([' ', c]),
    }
}

/// Writes a character as its number.
fn write_escaped(c: char, markup: Markup, out: &mut String) {
    match markup {
        // A JSON parser restores the character.
        Markup::Json => {
            out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
        _ => out.extend(c.escape_unicode()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_control_characters_and_commands() {
        for (text, shown) in [
            ("a b\tc\n", "a b\tc\n"),
            ("é 日本 ✓ ├─", "é 日本 ✓ ├─"),
            ("a\u{1b}[31mb", "a\\u{1b}[31mb"),
            ("a\rb\u{7}\u{9b}2J", "a\\u{d}b\\u{7}\\u{9b}2J"),
            ("\u{1b}]0;x\u{7}", "\\u{1b}]0;x\\u{7}"),
            ("section_start:1:x\r\u{1b}[0K", "section_start:1:x\\u{d}\\u{1b}[0K"),
            ("a\u{202e}\u{61c}\u{ad}\u{e0041}", "a\\u{202e}\\u{61c}\\u{ad}\\u{e0041}"),
            ("::error::x", ": :error::x"),
            ("a\n \t::set-output name=x::y", "a\n \t: :set-output name=x::y"),
            ("a ::b", "a ::b"),
            (":::", ": ::"),
            ("x ##[error]", "x # #[error]"),
            ("###[error]", "## #[error]"),
            ("##vso[task.x]", "# #vso[task.x]"),
            ("##teamcity[x]", "# #teamcity[x]"),
            ("## Title [x]", "## Title [x]"),
        ] {
            assert_eq!(outgoing(text, Markup::Plain), shown, "{text:?}");
            assert_eq!(outgoing(shown, Markup::Plain), shown, "a second time");
        }
    }

    #[test]
    fn keeps_colours_where_allowed() {
        let text = "\u{1b}[1;31mred\u{1b}[0m \u{1b}[2J\u{1b}]8;;x\u{1b}\\\u{1b}[31";
        let shown = "\u{1b}[1;31mred\u{1b}[0m \\u{1b}[2J\\u{1b}]8;;x\\u{1b}\\\\u{1b}[31";
        assert_eq!(outgoing(text, Markup::Colored), shown);
        assert_eq!(outgoing("\u{1b}[31m::error::", Markup::Colored), "\u{1b}[31m: :error::");
        assert!(!outgoing(text, Markup::Plain).contains('\u{1b}'));
    }

    #[test]
    fn escaping_preserves_documents() {
        let value = serde_json::json!({"a##[b]": ["##vso[x]\u{202e}\u{e0041}\u{7f}", "::error::\n::x", "#1"]});
        let text = serde_json::to_string(&value).unwrap();
        let shown = outgoing(&text, Markup::Json);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        assert!(shown.contains("#\\u0023[b]") && shown.contains("\\u202e\\udb40\\udc41\\u007f"), "{shown}");
        assert_eq!(outgoing("::error::a ##[b]", Markup::Commands), "::error::a # #[b]");
    }
}
