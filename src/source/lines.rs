//! Parses templates and other texts with `key: value` or `key = value` lines. Lines with the same indentation form a
//! group.

use std::borrow::Cow;

use super::fault::{MAX_DEPTH, MAX_VALUES};
use super::parsed::{self, Parsed};
use super::tree::{Entry, Node, SourceId, Spot, Value};
use super::words::unescape;
use super::yaml;
use crate::secret::Vault;
use crate::text::Span;

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Parsed {
    let mut reader = Lines {
        text,
        source,
        vault,
        levels: vec![Level::new(0, false, Span::default())],
        parsed: Parsed::default(),
        values: 0,
        below: None,
        opened: None,
    };
    for line in parsed::lines(text) {
        reader.parsed.cut = reader.values >= MAX_VALUES;
        if reader.parsed.cut {
            break;
        }
        reader.parse_line(line);
    }
    reader.end_document();
    reader.parsed
}

struct Lines<'a> {
    text: &'a str,
    source: SourceId,
    vault: &'a mut Vault,
    /// The open levels, the outermost first.
    levels: Vec<Level>,
    parsed: Parsed,
    values: usize,
    /// A value that begins below its key, and whether its lines are folded into one.
    below: Option<(Span, bool)>,
    /// Where a block begins, with the indentation of its key; or an unclosed quote, which may end anywhere.
    opened: Option<(usize, Option<usize>)>,
}

/// Lines with the same indentation.
struct Level {
    indent: usize,
    /// True if a dash starts it.
    item: bool,
    span: Span,
    entries: Vec<Entry>,
    /// True if the last entry is a key without a value so far.
    lacks_value: bool,
}

impl Level {
    fn new(indent: usize, item: bool, span: Span) -> Self {
        Self { indent, item, span, entries: Vec::new(), lacks_value: false }
    }
}

impl Lines<'_> {
    fn parse_line(&mut self, line: Span) {
        let raw = &self.text[line.start..line.end];
        let span = parsed::trimmed(self.text, line);
        let body = raw.trim();
        if body.is_empty() || body.starts_with('#') || is_template(body) {
            return;
        }
        self.hide_until(line.start, span.start - line.start);
        if self.continues_value(span, span.start - line.start) {
            return;
        }
        if body == "---" || body.starts_with("--- ") {
            return self.end_document();
        }
        let (mut start, mut dash) = (span.start, None);
        while let Some(rest) = self.text[start..span.end].strip_prefix('-').filter(|rest| rest.starts_with([' ', '\t']))
        {
            dash = dash.or(Some(start - line.start));
            start = span.end - rest.trim_start().len();
        }
        let indent = start - line.start;
        self.close_deeper_levels(dash.unwrap_or(indent));
        let rest = Span { start, end: span.end };
        if let Some((key, value)) = self.split_pair(rest) {
            self.open_level(indent, dash.is_some(), span);
            self.add_entry(key, value);
        } else if dash.is_some() && is_flow(&self.text[start..span.end]) {
            self.open_level(indent, true, span);
            if let Value { node: Node::Table(entries), .. } = self.flow(rest)
                && let Some(level) = self.levels.last_mut()
            {
                level.entries.extend(entries);
            }
        }
    }

    /// Hides the names in a block that ends before a line with this indentation.
    fn hide_until(&mut self, end: usize, indent: usize) {
        if let Some((start, _)) =
            self.opened.take_if(|(_, key)| key.map_or(end == self.text.len(), |key| indent <= key))
        {
            self.parsed.hidden.push(Span { start, end });
        }
    }

    /// Takes a line that can't be a pair as part of the value of the key above it. Returns `true` if it is.
    fn continues_value(&mut self, line: Span, indent: usize) -> bool {
        let opens = self.levels.last().is_some_and(|level| {
            let empty = level.entries.last().is_some_and(|last| matches!(last.value.node, Node::Null));
            level.lacks_value && empty && indent > level.indent
        });
        let body = &self.text[line.start..line.end];
        if !opens || body.starts_with(['-', '{', '[']) || self.split_pair(line).is_some() {
            self.end_value();
            return false;
        }
        let header = self.levels.last().and_then(|level| level.entries.last()).map(|last| last.value.at.span);
        let literal = header.is_some_and(|header| self.text[header.start..header.end].starts_with('|'));
        let start = self.below.map_or(line.start, |(value, _)| value.start);
        self.below = Some((Span { start, end: line.end }, !literal));
        true
    }

    /// Sets the value below a key.
    fn end_value(&mut self) {
        let Some((span, folded)) = self.below.take() else { return };
        let Some(last) = self.levels.last_mut().and_then(|level| level.entries.last_mut()) else { return };
        let raw = &self.text[span.start..span.end];
        let value = if raw.contains('\n') {
            let mut joined = String::with_capacity(raw.len());
            for line in raw.lines().map(str::trim).filter(|line| !line.is_empty()) {
                if !joined.is_empty() {
                    joined.push(if folded { ' ' } else { '\n' });
                }
                joined.push_str(line);
            }
            Cow::Owned(joined)
        } else {
            Cow::Borrowed(parsed::unquoted(raw))
        };
        last.value = parsed::string(value, span, self.source, self.vault);
        if let Some(level) = self.levels.last_mut() {
            level.lacks_value = false;
        }
    }

    /// Parses a table or a list on one line as YAML. What is neither is null.
    fn flow(&mut self, span: Span) -> Value {
        self.values += self.text[span.start..span.end].matches(',').count();
        let parsed = yaml::parse_documents(self.text, &[span], self.source, self.vault);
        let value = parsed.ok().and_then(|mut roots| roots.pop());
        value.unwrap_or_else(|| Value::new(Node::Null, Spot { source: self.source, span }))
    }

    /// Returns the value in a range. A list, a tag or an alias is null.
    fn scalar(&mut self, span: Span) -> Value {
        let raw = &self.text[span.start..span.end];
        if is_header(raw) || raw.starts_with(['!', '*', '[', '{']) && !raw.starts_with("{{") {
            return Value::new(Node::Null, Spot { source: self.source, span });
        }
        let inner = parsed::unquoted(raw);
        let escaped = raw.starts_with('"') && inner.len() < raw.len();
        let value = if escaped { unescape(inner) } else { Cow::Borrowed(inner) };
        parsed::string(value, span, self.source, self.vault)
    }

    /// Splits a line into a key and a value, which may be empty.
    fn split_pair(&self, line: Span) -> Option<(Span, Span)> {
        let body = &self.text[line.start..line.end];
        let quote = body.chars().next().filter(|c| "\"'".contains(*c));
        let inner = body[usize::from(quote.is_some())..].find(|c: char| match quote {
            Some(quote) => c == quote,
            None => !(c.is_ascii_alphanumeric() || "_./$-".contains(c)),
        });
        let length = inner? + 2 * usize::from(quote.is_some());
        let after = body[length..].trim_start();
        let mark = line.end - after.len();
        let value = after.strip_prefix(['=', ':'])?;
        // It may be part of an address, or a comparison.
        let apart =
            value.is_empty() || value.starts_with(char::is_whitespace) || quote.is_some() || after.starts_with('=');
        let named = length > 2 * usize::from(quote.is_some());
        (apart && named && !value.starts_with(['=', '~', '>']))
            .then(|| (Span { start: line.start, end: line.start + length }, Span { start: mark + 1, end: line.end }))
    }

    /// Closes levels that are indented more.
    fn close_deeper_levels(&mut self, indent: usize) {
        while self.levels.last().is_some_and(|level| level.indent > indent) {
            self.close_level();
        }
    }

    fn open_level(&mut self, indent: usize, item: bool, span: Span) {
        let there = self.levels.last().is_some_and(|level| !item && level.indent >= indent);
        if !there && self.levels.len() < MAX_DEPTH {
            self.levels.push(Level::new(indent, item, span));
        }
        if let Some(level) = self.levels.last_mut() {
            level.span.end = span.end;
        }
    }

    fn add_entry(&mut self, key: Span, rest: Span) {
        let raw = &self.text[rest.start..rest.end];
        let trimmed = parsed::trimmed(self.text, rest);
        let span = match end_of_quoted(&self.text[trimmed.start..trimmed.end]) {
            Some(length) => Span { start: trimmed.start, end: trimmed.start + length },
            None => {
                let length = parsed::length_before_comment(raw, &['#']);
                parsed::trimmed(self.text, Span { start: rest.start, end: rest.start + length })
            }
        };
        let raw = &self.text[span.start..span.end];
        let header = is_header(raw);
        // A quote that its line does not close, closes later.
        if (raw.starts_with(['|', '>']) || is_unclosed(raw)) && self.opened.is_none() {
            let indent = self.levels.last().map_or(0, |level| level.indent);
            self.opened = Some((rest.end, Some(indent).filter(|_| !is_unclosed(raw))));
        }
        let value = if is_flow(raw) { self.flow(span) } else { self.scalar(span) };
        let (key, at) = parsed::key(self.text, key, self.source);
        self.values += 1;
        let Some(level) = self.levels.last_mut() else { return };
        level.lacks_value = header;
        level.entries.push(Entry { key, at, value });
    }

    /// Moves the innermost level to its parent: below the key without a value, or beside the parent's entries.
    fn close_level(&mut self) {
        self.end_value();
        let Some(Level { item, span, entries, .. }) = self.levels.pop() else { return };
        let there = |node| Value::new(node, Spot { source: self.source, span });
        let table = there(Node::Table(entries));
        let Some(outer) = self.levels.last_mut() else { return };
        outer.span.end = outer.span.end.max(span.end);
        let header = outer.entries.last_mut().filter(|_| outer.lacks_value);
        match header.map(|header| &mut header.value) {
            Some(value @ Value { node: Node::Null, .. }) if item => *value = there(Node::List(vec![table])),
            Some(value @ Value { node: Node::Null, .. }) => *value = table,
            Some(Value { node: Node::List(items), at, .. }) if item => {
                items.push(table);
                at.span.end = span.end;
            }
            _ => {
                outer.lacks_value = false;
                let at = Spot { source: self.source, span: Span { start: span.start, end: span.start } };
                let value = if item { there(Node::List(vec![table])) } else { table };
                outer.entries.push(Entry { key: String::new(), at, value });
            }
        }
    }

    fn end_document(&mut self) {
        self.end_value();
        self.hide_until(self.text.len(), 0);
        while self.levels.len() > 1 {
            self.close_level();
        }
        let entries = self.levels.iter_mut().flat_map(|level| std::mem::take(&mut level.entries)).collect::<Vec<_>>();
        if let (Some(first), Some(last)) = (entries.first(), entries.last()) {
            let span = Span { start: first.at.span.start, end: last.value.at.span.end };
            self.parsed.roots.push(parsed::table(entries, self.source, span));
        }
        self.levels = vec![Level::new(0, false, Span::default())];
    }
}

/// Returns `true` for the start of a block or an anchor, whose content is indented.
fn is_header(raw: &str) -> bool {
    raw.is_empty() || raw.starts_with(['|', '>', '&']) || raw == "{" || raw == "["
}

/// Returns `true` for a value that starts with a quote and does not end with it.
fn is_unclosed(raw: &str) -> bool {
    let quote = raw.chars().next().filter(|c| "\"'".contains(*c));
    quote.is_some_and(|quote| parsed::closing_quote(&raw[1..], quote).is_none())
}

/// Returns `true` for a table or a list on one line.
fn is_flow(raw: &str) -> bool {
    let closes = |open: char, close: char| raw.starts_with(open) && raw.ends_with(close);
    raw.len() > 2 && (closes('{', '}') || closes('[', ']')) && !raw.starts_with("{{")
}

/// Returns `true` if a line has only template code.
fn is_template(line: &str) -> bool {
    [("{{", "}}"), ("{%", "%}"), ("{#", "#}"), ("<%", "%>")]
        .iter()
        .any(|(open, close)| line.starts_with(open) && line.ends_with(close))
}

/// Returns the length of the quoted string at the start of a text, if only a comma or a comment follows it.
fn end_of_quoted(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| "\"'".contains(*c))?;
    let close = parsed::closing_quote(&text[1..], quote)?;
    let after = text[close + 2..].trim_start();
    let after = after.strip_prefix(',').unwrap_or(after).trim_start();
    (after.is_empty() || after.starts_with('#')).then_some(close + 2)
}

#[cfg(test)]
mod tests {
    use super::super::tree_text::documents_text;
    use super::parse;

    #[test]
    fn groups_lines_by_indentation() {
        for (text, expected) in [
            ("", ""),
            (
                "a: x # c\nb = 'y'\n\"c\":\"z\",\n",
                "{a<a>: Text(\"x\" from \"x\"), b<b>: Text(\"y\" from \"'y'\"), c<\"c\">: Text(\"z\" from \"\\\"z\\\"\")}",
            ),
            (
                "data:\n  {{- if .Values.x }}\n  a: {{ .Values.a | quote }}\n# c\n\n  b: \"{{ .b }}\"\n  {{- end }}\nc: d\n",
                "{data<data>: {a<a>: Text(\"{{ .Values.a | quote }}\" from \"{{ .Values.a | quote }}\"), b<b>: Text(\"{{ .b }}\" from \"\\\"{{ .b }}\\\"\")}, c<c>: Text(\"d\" from \"d\")}",
            ),
            (
                "env:\n- name: A\n  value: x\n- name: B\n  valueFrom:\n    k: v\n- name: C\n  value: \"y\"\nz: 1\n",
                "{env<env>: [{name<name>: Text(\"A\" from \"A\"), value<value>: Text(\"x\" from \"x\")}, {name<name>: Text(\"B\" from \"B\"), valueFrom<valueFrom>: {k<k>: Text(\"v\" from \"v\")}}, {name<name>: Text(\"C\" from \"C\"), value<value>: Text(\"y\" from \"\\\"y\\\"\")}], z<z>: Text(\"1\" from \"1\")}",
            ),
            ("a: 1\n---\nb: 2\n---\n", "{a<a>: Text(\"1\" from \"1\")} --- {b<b>: Text(\"2\" from \"2\")}"),
            ("  a: 1\nx\n  b: 2\n", "{<>: {a<a>: Text(\"1\" from \"1\")}, <>: {b<b>: Text(\"2\" from \"2\")}}"),
            ("h:\n    a: 1\n  b: 2\n", "{h<h>: {a<a>: Text(\"1\" from \"1\")}, <>: {b<b>: Text(\"2\" from \"2\")}}"),
            (
                "data:\n{{- if .x }}\n  a: b\n{{- end }}\n  c: d\n",
                "{data<data>: {a<a>: Text(\"b\" from \"b\"), c<c>: Text(\"d\" from \"d\")}}",
            ),
            (
                "- name:\n  value: x\n- name: A\n  value: [x]\n",
                "{<>: [{name<name>: null, value<value>: Text(\"x\" from \"x\")}], <>: [{name<name>: Text(\"A\" from \"A\"), value<value>: [Text(\"x\" from \"x\")]}]}",
            ),
            (
                "a: 'x\\ty'\nb: \"x\\ty\n",
                "{a<a>: Text(\"x\\\\ty\" from \"'x\\\\ty'\"), b<b>: Text(\"\\\"x\\\\ty\" from \"\\\"x\\\\ty\")}",
            ),
            ("\"\": x\n: y\n= z\n", ""),
            ("a:\nb: !x y\nc: [x]\nd: *e\n", "{a<a>: null, b<b>: null, c<c>: [Text(\"x\" from \"x\")], d<d>: null}"),
            ("a: |\n  token: x\n  odd\n", "{a<a>: {token<token>: Text(\"x\" from \"x\")}}"),
            ("https://x.example/a\nif a == b\n{{ $k }}: x\n- a\né: b\n", ""),
            (
                "a: 'x' y\nb: \"x\\\"\n",
                "{a<a>: Text(\"'x' y\" from \"'x' y\"), b<b>: Text(\"x\\\\\" from \"\\\"x\\\\\\\"\")}",
            ),
        ] {
            assert_eq!(documents_text(text, parse), expected, "{text:?}");
        }
        let deep: String = (0..10_000).map(|depth| format!("{}a:\n", " ".repeat(depth % 900))).collect();
        assert!(documents_text(&deep, parse).starts_with("{a<a>: {a<a>: "));
        let deep: String = (0..100).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        assert_eq!(documents_text(&deep, parse).matches('{').count(), super::MAX_DEPTH);
    }
}
