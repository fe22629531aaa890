//! Parses sections of `key = value` or `key: value`, as in the files of rclone, the AWS tools and many others.

use std::borrow::Cow;

use super::fault::MAX_VALUES;
use super::parsed::{self, Parsed};
use super::tree::{Entry, Node, SourceId, Spot, Value};
use crate::secret::Vault;
use crate::text::Span;

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Parsed {
    let mut reader = Ini { text, source, root: Vec::new(), section: None, comments: Vec::new(), values: 0 };
    let (mut keys_indent, mut cut) = (None, false);
    for line in parsed::lines(text) {
        cut = reader.values >= MAX_VALUES;
        if cut {
            break;
        }
        let span = parsed::trimmed(text, line);
        let body = &text[span.start..span.end];
        if body.is_empty() {
            keys_indent = None;
        } else if body.starts_with(';') {
            reader.comments.push((span, true));
        } else if let Some(name) = body.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            keys_indent = None;
            reader.open_section(Span { start: span.start + 1, end: span.start + 1 + name.len() }, line.end);
        } else if !body.starts_with('#') {
            let indent = span.start - line.start;
            // A line that is indented more than the previous key continues its value.
            if keys_indent.is_some_and(|before| indent > before) {
                continue;
            }
            keys_indent = Some(indent);
            reader.parse_pair(span, vault);
        }
    }
    let (end, comments) = (text.len(), std::mem::take(&mut reader.comments));
    Parsed { comments, cut, ..Parsed::table(reader.finish(), source, end) }
}

struct Ini<'a> {
    text: &'a str,
    source: SourceId,
    root: Vec<Entry>,
    /// The current section.
    section: Option<Entry>,
    comments: Vec<(Span, bool)>,
    values: usize,
}

impl Ini<'_> {
    fn open_section(&mut self, name: Span, end: usize) {
        self.root.extend(self.section.take());
        let (key, at) = parsed::key(self.text, parsed::trimmed(self.text, name), self.source);
        let value = parsed::table(Vec::new(), self.source, Span { start: name.start, end });
        self.section = Some(Entry { key, at, value });
        self.values += 1;
    }

    fn parse_pair(&mut self, line: Span, vault: &mut Vault) {
        let body = &self.text[line.start..line.end];
        let Some(mark) = body.find(['=', ':']).filter(|&mark| mark > 0) else { return };
        let name = parsed::trimmed(self.text, Span { start: line.start, end: line.start + mark });
        let rest = Span { start: line.start + mark + 1, end: line.end };
        let raw = &self.text[rest.start..rest.end];
        let length = parsed::length_before_comment(raw, &['#', ';']);
        if raw[length..].trim_start().starts_with(';') {
            self.comments.push((parsed::trimmed(self.text, Span { start: rest.start + length, end: rest.end }), false));
        }
        let span = parsed::trimmed(self.text, Span { start: rest.start, end: rest.start + length });
        let value = Cow::Borrowed(parsed::unquoted(&self.text[span.start..span.end]));
        let (key, at) = parsed::key(self.text, name, self.source);
        let entry = Entry { key, at, value: parsed::string(value, span, self.source, vault) };
        self.values += 1;
        match &mut self.section {
            Some(Entry { value: Value { node: Node::Table(entries), at: Spot { span: whole, .. }, .. }, .. }) => {
                whole.end = line.end;
                entries.push(entry);
            }
            _ => self.root.push(entry),
        }
    }

    fn finish(mut self) -> Vec<Entry> {
        self.root.extend(self.section);
        self.root
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree_text::documents_text;
    use super::parse;

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
            assert_eq!(documents_text(text, parse), expected, "{text:?}");
        }
    }
}
