//! Reads lines of `name = value`, as in INI files and Java properties. A row says how a program reads them;
//! `tests/corpus/readers` has the answers of these programs.

use std::borrow::Cow;

use zeroize::Zeroizing;

use super::fault::MAX_VALUES;
use super::parsed::{self, Parsed};
use super::tree::{Entry, Node, SourceId, Spot, Value};
use crate::secret::Vault;
use crate::text::Span;

/// How a program reads lines.
pub(super) struct Rules {
    /// True if `[name]` begins a section.
    sections: bool,
    /// What ends a name.
    separators: &'static [char],
    /// What begins a comment at the start of a line.
    comments: &'static [char],
    /// What begins a comment behind a value.
    behind: &'static [char],
    /// True if a comment needs whitespace before it, and quotes may end there.
    apart: bool,
    /// True if quotes around a whole value are not part of it.
    unquotes: bool,
    continues: Continues,
}

/// Which lines continue a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Continues {
    None,
    /// Lines that are indented more than the name, which are left out.
    Indented,
    /// The same, also after empty lines, and they are part of the value.
    IndentedPart,
    /// Lines after a backslash, which also escapes characters.
    Backslash,
}

const ONE_LINE: Rules = Rules {
    sections: true,
    separators: &['=', ':'],
    comments: &['#', ';'],
    behind: &[],
    apart: true,
    unquotes: false,
    continues: Continues::None,
};
/// An unknown program's: what most of them leave out is left out.
pub(super) const ANY: Rules = Rules { behind: &['#', ';'], unquotes: true, continues: Continues::Indented, ..ONE_LINE };
/// npm's. Source: <https://github.com/npm/ini/blob/main/lib/ini.js>.
pub(super) const NPM: Rules =
    Rules { separators: &['='], behind: &['#', ';'], apart: false, unquotes: true, ..ONE_LINE };
/// rclone's. Source: <https://github.com/unknwon/goconfig/blob/master/read.go>.
pub(super) const GOCONFIG: Rules = ONE_LINE;
/// Of the AWS tools and Python's. Source: <https://docs.python.org/3/library/configparser.html#supported-ini-file-structure>.
pub(super) const CONFIGPARSER: Rules = Rules { continues: Continues::IndentedPart, ..ONE_LINE };
/// Java's. Source: <https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Properties.html#load(java.io.Reader)>.
pub(super) const PROPERTIES: Rules = Rules {
    sections: false,
    separators: &['=', ':', ' ', '\t', '\u{c}'],
    comments: &['#', '!'],
    continues: Continues::Backslash,
    ..ONE_LINE
};

pub(super) fn parse(text: &str, rules: &'static Rules, source: SourceId, vault: &mut Vault) -> Parsed {
    let mut reader = Keyed {
        text,
        rules,
        source,
        vault,
        root: Vec::new(),
        section: None,
        open: None,
        comments: Vec::new(),
        values: 0,
    };
    let (mut indent, mut cut) = (None, false);
    let mut lines = parsed::lines(text);
    while let Some(mut line) = lines.next() {
        cut = reader.values + usize::from(reader.open.is_some()) >= MAX_VALUES;
        if cut {
            break;
        }
        let mut span = parsed::trimmed(text, line);
        let body = &text[span.start..span.end];
        if body.is_empty() {
            indent = indent.filter(|_| rules.continues == Continues::IndentedPart);
            continue;
        }
        if body.starts_with(rules.comments) {
            reader.comments.extend(Some((span, true)).filter(|_| !body.starts_with('#')));
            continue;
        }
        if let Some(name) = body.strip_prefix('[').and_then(|rest| rest.split(']').next()).filter(|_| rules.sections) {
            indent = None;
            reader.open_section(Span { start: span.start + 1, end: span.start + 1 + name.len() }, line.end);
            continue;
        }
        let here = span.start - line.start;
        match rules.continues {
            Continues::Backslash => {
                while ends_with_backslash(&text[line.start..line.end])
                    && let Some(more) = lines.next()
                {
                    line.end = more.end;
                }
                // Whitespace at the end of a line is part of the value.
                span.end = line.end;
            }
            Continues::Indented | Continues::IndentedPart if indent.is_some_and(|before| here > before) => {
                let part = rules.continues == Continues::IndentedPart;
                if let Some((_, value)) = reader.open.as_mut().filter(|_| part) {
                    value.end = span.end;
                }
                continue;
            }
            _ => indent = Some(here),
        }
        reader.end_value();
        reader.begin_value(span);
    }
    reader.end_value();
    let Keyed { mut root, section, comments, .. } = reader;
    root.extend(section);
    Parsed { comments, cut, ..Parsed::table(root, source, text.len()) }
}

struct Keyed<'a> {
    text: &'a str,
    rules: &'static Rules,
    source: SourceId,
    vault: &'a mut Vault,
    root: Vec<Entry>,
    /// The current section.
    section: Option<Entry>,
    /// The name and the value that the next lines may continue.
    open: Option<(Span, Span)>,
    comments: Vec<(Span, bool)>,
    values: usize,
}

impl Keyed<'_> {
    fn open_section(&mut self, name: Span, end: usize) {
        self.end_value();
        self.root.extend(self.section.take());
        let (key, at) = parsed::key(self.text, parsed::trimmed(self.text, name), self.source);
        let value = parsed::table(Vec::new(), self.source, Span { start: name.start, end });
        self.section = Some(Entry { key, at, value });
        self.values += 1;
    }

    fn begin_value(&mut self, line: Span) {
        let body = &self.text[line.start..line.end];
        let escapes = self.rules.continues == Continues::Backslash;
        let mut escaped = false;
        let mark = body.find(|c: char| {
            let ends = !escaped && self.rules.separators.contains(&c);
            escaped = escapes && c == '\\' && !escaped;
            ends
        });
        if escapes {
            let name = Span { start: line.start, end: line.start + mark.unwrap_or(body.len()) };
            let blank = [' ', '\t', '\u{c}'];
            let rest = self.text[name.end..line.end].trim_start_matches(blank);
            let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start_matches(blank);
            self.open = Some((name, Span { start: line.end - rest.len(), end: line.end }));
        } else if let Some(mark) = mark.filter(|&mark| mark > 0) {
            let name = parsed::trimmed(self.text, Span { start: line.start, end: line.start + mark });
            let rest = Span { start: line.start + mark + 1, end: line.end };
            let raw = &self.text[rest.start..rest.end];
            let length = match raw.trim() {
                _ if self.rules.apart => parsed::length_before_comment(raw, self.rules.behind),
                body if parsed::unquoted(body).len() < body.len() => raw.len(),
                _ => raw.find(self.rules.behind).unwrap_or(raw.len()),
            };
            if raw[length..].trim_start().starts_with(';') {
                let comment = Span { start: rest.start + length, end: rest.end };
                self.comments.push((parsed::trimmed(self.text, comment), false));
            }
            let value = Span { start: rest.start, end: rest.start + length };
            self.open = Some((name, parsed::trimmed(self.text, value)));
        }
    }

    fn end_value(&mut self) {
        let Some((name, span)) = self.open.take() else { return };
        let raw = &self.text[span.start..span.end];
        let at = Spot { source: self.source, span: name };
        let commented = self.text[span.end..].trim_start_matches([' ', '\t']).starts_with(self.rules.behind);
        let (key, value) = if self.rules.continues == Continues::Backslash {
            (unescaped(&self.text[name.start..name.end]).to_string(), unescaped(raw))
        } else {
            (parsed::key(self.text, name, self.source).0, Zeroizing::default())
        };
        let value = match self.rules.continues {
            Continues::Backslash => Cow::Borrowed(value.as_str()),
            _ if raw.contains('\n') => Cow::Owned(self.joined(raw)),
            _ if self.rules.unquotes && (self.rules.apart || !commented) => Cow::Borrowed(parsed::unquoted(raw)),
            _ => Cow::Borrowed(raw),
        };
        let entry = Entry { key, at, value: parsed::string(value, span, self.source, self.vault) };
        self.values += 1;
        match &mut self.section {
            Some(Entry { value: Value { node: Node::Table(entries), at: Spot { span: whole, .. }, .. }, .. }) => {
                whole.end = span.end.max(name.end);
                entries.push(entry);
            }
            _ => self.root.push(entry),
        }
    }

    /// Joins the lines of a value, without comments.
    fn joined(&self, raw: &str) -> String {
        let mut joined = String::with_capacity(raw.len());
        for (number, line) in raw.lines().map(str::trim).enumerate() {
            if number > 0 && line.starts_with(self.rules.comments) {
                continue;
            }
            if number > 0 {
                joined.push('\n');
            }
            joined.push_str(line);
        }
        joined
    }
}

/// Returns `true` if a line of properties continues on the next one.
fn ends_with_backslash(line: &str) -> bool {
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
    use super::{ANY, CONFIGPARSER, GOCONFIG, PROPERTIES, Rules};

    fn tree_text(text: &str, rules: &'static Rules) -> String {
        documents_text(text, |text, source, vault| super::parse(text, rules, source, vault))
    }

    #[test]
    fn locates_sections_and_keys() {
        for (text, expected) in [
            ("", "{}"),
            (
                "a = 1\n[ my remote ]\r\ntype=b2 ; c\n# c\n; c\nkey: x#y;z # c\n[d]\n[d]\ne = \"f\"\n",
                "{a<a>: Text(\"1\" from \"1\"), my remote<my remote>: {type<type>: Text(\"b2\" from \"b2\"), key<key>: Text(\"x#y;z\" from \"x#y;z\")}, d<d>: {}, d<d>: {e<e>: Text(\"f\" from \"\\\"f\\\"\")}}",
            ),
            // Continued lines, and lines that are only indented.
            ("a = 1\n  b = 2\n\n  c = 3\n", "{a<a>: Text(\"1\" from \"1\"), c<c>: Text(\"3\" from \"3\")}"),
            ("[s]\n\ta = 1\n\tb = 2\n", "{s<s>: {a<a>: Text(\"1\" from \"1\"), b<b>: Text(\"2\" from \"2\")}}"),
            (
                "bare\n= x\na =\nb = # c\nc=#x\n[open\nd=1",
                "{a<a>: Text(\"\" from \"\"), b<b>: Text(\"\" from \"\"), c<c>: Text(\"#x\" from \"#x\"), open<open>: {d<d>: Text(\"1\" from \"1\")}}",
            ),
        ] {
            assert_eq!(tree_text(text, &ANY), expected, "{text:?}");
        }
    }

    #[test]
    fn each_program_has_its_own_values() {
        let text = "[s]\na = \"b\" # c\n  d = e\n\n  ; f\n  g = h\n";
        for (rules, expected) in [
            (&ANY, "a<a>: Text(\"b\" from \"\\\"b\\\"\"), g<g>: Text(\"h\" from \"h\")"),
            (
                &GOCONFIG,
                "a<a>: Text(\"\\\"b\\\" # c\" from \"\\\"b\\\" # c\"), d<d>: Text(\"e\" from \"e\"), g<g>: Text(\"h\" from \"h\")",
            ),
            (
                &CONFIGPARSER,
                "a<a>: Text(\"\\\"b\\\" # c\\nd = e\\n\\ng = h\" from \"\\\"b\\\" # c\\n  d = e\\n\\n  ; f\\n  g = h\")",
            ),
        ] {
            assert_eq!(tree_text(text, rules), format!("{{s<s>: {{{expected}}}}}"));
        }
    }

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
            assert_eq!(tree_text(text, &PROPERTIES), expected, "{text:?}");
        }
    }
}
