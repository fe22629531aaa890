//! Builds YAML trees from the events of `granit-parser`. Plain scalars are strings, byte for byte, whatever they look
//! like; only an empty one, `~` and `null` are null.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use granit_parser::{Event, Parser, ScalarStyle};

use super::fault::{Fault, MAX_DEPTH, MAX_VALUES};
use super::tree::{Entry, Node, Scalar, SourceId, Spot, Value, store};
use crate::secret::Vault;
use crate::text::{Span, is_word_of};

/// The maximum number of bytes that aliases may repeat.
const MAX_REPEATED: usize = 16 * 1024 * 1024;
/// The maximum number of bytes of texts of several lines that aliases may repeat: each may be read as a file.
const MAX_REPEATED_TEXT: usize = 1024 * 1024;
/// The maximum length of a name that an alias may repeat.
const MAX_NAME: usize = 256;
const TAGS: &str = "tags other than !!str are not supported";

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Result<Value, Fault> {
    let root = compose(text, &[Span { start: 0, end: text.len() }], source, vault, false)?.pop();
    Ok(root.unwrap_or_else(|| Value::new(Node::Null, Spot { source, span: Span::default() })))
}

/// Parses the documents of another program's file. It accepts YAML that a configuration may not use: any tag (a tagged
/// scalar becomes null, because its meaning is unknown), duplicate keys, and keys that are not strings, which are
/// dropped, except for aliases of names. `{{ … }}` is a string, because a template engine replaces it.
///
/// The documents are parts of the text, each of one document or more.
pub(super) fn parse_documents(
    text: &str,
    documents: &[Span],
    source: SourceId,
    vault: &mut Vault,
) -> Result<Vec<Value>, Fault> {
    compose(text, documents, source, vault, true)
}

fn compose(
    text: &str,
    documents: &[Span],
    source: SourceId,
    vault: &mut Vault,
    lenient: bool,
) -> Result<Vec<Value>, Fault> {
    let options = granit_parser::options! { emit_comments: false, block_nesting_limit: 1024, flow_nesting_limit: 1024 };
    let mut composer = Composer {
        text,
        source,
        vault,
        lenient,
        open: Vec::new(),
        roots: Vec::new(),
        anchors: HashMap::new(),
        key_names: HashMap::new(),
        values: 0,
        repeated: 0,
        repeated_text: 0,
    };
    for document in documents {
        // An anchor is valid only in its document.
        composer.anchors.clear();
        composer.key_names.clear();
        let part = &text[document.start..document.end];
        for event in Parser::new_from_str_with_options(part, options.clone()) {
            let (event, span) = event.map_err(|error| {
                let at = document.start + error.marker().byte_offset().unwrap_or(0).min(part.len());
                let span = Span { start: at, end: at };
                let message = error.info();
                if message.contains("recursion limit") || message.contains("nesting") {
                    Fault::too_deep(span)
                } else {
                    Fault::syntax(&message, span)
                }
            })?;
            let range = span.byte_range().unwrap_or_default();
            composer.event(event, Span { start: document.start + range.start, end: document.start + range.end })?;
        }
    }
    Ok(composer.roots)
}

struct Composer<'a> {
    text: &'a str,
    source: SourceId,
    vault: &'a mut Vault,
    /// True for another program's file.
    lenient: bool,
    /// Open collections, the outermost first.
    open: Vec<Open>,
    roots: Vec<Value>,
    /// The value of each anchor.
    anchors: HashMap<usize, Value>,
    /// The text of each anchor that may be a key: in another program's file, on one line, and no longer than a name.
    key_names: HashMap<usize, String>,
    /// The number of values so far.
    values: usize,
    /// The bytes of keys copied for anchors and aliases. Values are in the vault, so a copy of one is a handle.
    repeated: usize,
    /// The bytes of texts of several lines that aliases repeat.
    repeated_text: usize,
}

struct Open {
    anchor: usize,
    at: Spot,
    kind: Collection,
}

enum Collection {
    List(Vec<Value>),
    /// `seen` has its keys, if duplicate keys are errors.
    Table {
        entries: Vec<Entry>,
        seen: HashMap<String, Span>,
        merges: Vec<Value>,
        key: Option<Key>,
    },
}

struct Key {
    name: String,
    at: Spot,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Name,
    Merge,
    /// Not a string; its value is dropped.
    Odd,
}

impl Composer<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        let at = Spot { source: self.source, span };
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                let style = match tag {
                    None => style,
                    // A string, whatever it looks like.
                    Some(tag) if tag.is_yaml_core_schema_tag("str") => ScalarStyle::DoubleQuoted,
                    Some(_) if self.lenient && !self.expects_key() => {
                        self.count(1, span)?;
                        return self.value(Value::new(Node::Null, self.trim_block(at)), anchor);
                    }
                    Some(_) if self.lenient => style,
                    Some(_) => return Err(Fault::syntax(TAGS, span)),
                };
                self.scalar(value, style, anchor, self.trim_block(at))
            }
            Event::Alias(anchor) if self.expects_key() && self.key_names.contains_key(&anchor) => {
                self.count(1, span)?;
                let name = self.key_names.get(&anchor).cloned().unwrap_or_default();
                self.key(name, false, at)
            }
            Event::Alias(anchor) => {
                let Some(size) = self.anchors.get(&anchor).map(Value::size) else {
                    return if self.lenient {
                        self.value(Value::new(Node::Null, at), 0)
                    } else {
                        Err(Fault::syntax("an alias that contains itself", span))
                    };
                };
                self.count_copy(size, span)?;
                let Some(mut value) = self.anchors.get(&anchor).cloned() else { return Ok(()) };
                self.repeated_text += self.text_length(&value);
                if self.repeated_text > MAX_REPEATED_TEXT {
                    return Err(Fault::too_many(span));
                }
                // A scalar's location is that of the alias. A table's keys keep their own locations.
                if matches!(value.node, Node::Table(_)) {
                    value.via = Some(Box::new(at));
                }
                self.value(value, 0)
            }
            Event::SequenceStart(_, _, Some(_)) | Event::MappingStart(_, _, Some(_)) if !self.lenient => {
                Err(Fault::syntax(TAGS, span))
            }
            Event::SequenceStart(_, anchor, _) => self.start(anchor, at, Collection::List(Vec::new())),
            Event::MappingStart(_, anchor, _) => {
                let kind =
                    Collection::Table { entries: Vec::new(), seen: HashMap::new(), merges: Vec::new(), key: None };
                self.start(anchor, at, kind)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::DocumentStart(..) if !self.lenient && !self.roots.is_empty() => {
                Err(Fault::syntax("a second document begins here; a configuration is one document", span))
            }
            _ => Ok(()),
        }
    }

    /// Trims the span of a block scalar, which includes the indentation of the next line.
    fn trim_block(&self, Spot { source, span }: Spot) -> Spot {
        let raw = &self.text[span.start..span.end];
        Spot { source, span: Span { start: span.start, end: span.start + raw.trim_end().len() } }
    }

    /// Returns `true` if the next event is a key.
    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { kind: Collection::Table { key: None, .. }, .. }))
    }

    fn scalar(&mut self, value: Cow<'_, str>, style: ScalarStyle, anchor: usize, at: Spot) -> Result<(), Fault> {
        self.count(1, at.span)?;
        let plain = style == ScalarStyle::Plain;
        if anchor > 0 && self.lenient && value.len() <= MAX_NAME && is_name(&value) {
            self.key_names.insert(anchor, value.clone().into_owned());
        }
        if self.expects_key() {
            let merge = plain && value == "<<";
            return self.key(value.into_owned(), merge, at);
        }
        let node = if plain && matches!(&*value, "" | "~" | "null" | "Null" | "NULL") {
            Node::Null
        } else {
            Node::Scalar(Scalar::Text, store(value, self.vault))
        };
        self.value(Value::new(node, at), anchor)
    }

    fn key(&mut self, name: String, merge: bool, at: Spot) -> Result<(), Fault> {
        if let Some(Open { kind: Collection::Table { key, seen, .. }, .. }) = self.open.last_mut() {
            if !self.lenient
                && !merge
                && let Some(first) = seen.insert(name.clone(), at.span)
            {
                return Err(Fault::duplicate(first, at.span));
            }
            *key = Some(Key { name, at, role: if merge { Role::Merge } else { Role::Name } });
        }
        Ok(())
    }

    fn start(&mut self, anchor: usize, at: Spot, kind: Collection) -> Result<(), Fault> {
        if !self.lenient && self.expects_key() {
            return Err(Fault::syntax("a key must be a string, not a list or a table", at.span));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(Fault::too_deep(at.span));
        }
        self.count(1, at.span)?;
        self.open.push(Open { anchor, at, kind });
        Ok(())
    }

    fn end(&mut self, span: Span) -> Result<(), Fault> {
        let Some(Open { anchor, mut at, kind }) = self.open.pop() else { return Ok(()) };
        at.span.end = span.end.max(at.span.end);
        let node = match kind {
            Collection::List(mut items) => {
                items.shrink_to_fit();
                Node::List(items)
            }
            Collection::Table { .. } if self.lenient && is_template(&self.text[at.span.start..at.span.end]) => {
                Node::Scalar(Scalar::Text, self.vault.store(&self.text[at.span.start..at.span.end]))
            }
            Collection::Table { mut entries, merges, .. } => {
                merge(&mut entries, merges, self.lenient)?;
                entries.shrink_to_fit();
                Node::Table(entries)
            }
        };
        self.value(Value::new(node, at), anchor)
    }

    fn value(&mut self, value: Value, anchor: usize) -> Result<(), Fault> {
        if anchor > 0 {
            self.count_copy(value.size(), value.at.span)?;
            self.anchors.insert(anchor, value.clone());
        }
        match self.open.last_mut().map(|open| &mut open.kind) {
            None => self.roots.push(value),
            Some(Collection::List(items)) => items.push(value),
            Some(Collection::Table { entries, merges, key, .. }) => match key.take() {
                None if self.lenient => *key = Some(Key { name: String::new(), at: value.at, role: Role::Odd }),
                None => return Err(Fault::syntax("a key must be a string, not an alias", value.at.span)),
                Some(Key { role: Role::Odd, .. }) => {}
                Some(Key { role: Role::Merge, .. }) => merges.push(value),
                Some(Key { name, at, .. }) => entries.push(Entry { key: name, at, value }),
            },
        }
        Ok(())
    }

    /// Returns the length of a text of several lines, or 0.
    fn text_length(&self, value: &Value) -> usize {
        let raw = &self.text[value.at.span.start..value.at.span.end];
        match &value.node {
            Node::Scalar(..) if raw.contains('\n') => raw.len(),
            Node::Table(entries) => entries.iter().map(|entry| self.text_length(&entry.value)).sum(),
            Node::List(values) => values.iter().map(|value| self.text_length(value)).sum(),
            _ => 0,
        }
    }

    fn count(&mut self, more: usize, span: Span) -> Result<(), Fault> {
        self.values += more;
        if self.values > MAX_VALUES { Err(Fault::too_many(span)) } else { Ok(()) }
    }

    /// Counts a copy.
    fn count_copy(&mut self, (values, keys): (usize, usize), span: Span) -> Result<(), Fault> {
        self.repeated += keys;
        if self.repeated > MAX_REPEATED {
            return Err(Fault::too_many(span));
        }
        self.count(values, span)
    }
}

/// Returns `true` for a text that can be a variable's name.
fn is_name(text: &str) -> bool {
    !text.is_empty() && is_word_of(text, "_.-")
}

/// Returns `true` for text that a template engine replaces. YAML reads it as a table whose key is a table.
fn is_template(raw: &str) -> bool {
    raw.starts_with("{{") && raw.ends_with("}}")
}

/// Applies merge keys: the table's own entries win, then those merged first.
fn merge(entries: &mut Vec<Entry>, merges: Vec<Value>, lenient: bool) -> Result<(), Fault> {
    // Most tables have no merge keys.
    let own = entries.iter().filter(|_| !merges.is_empty());
    let mut seen: HashSet<String> = own.map(|entry| entry.key.clone()).collect();
    for value in merges {
        let tables = match value.node {
            Node::List(items) => items,
            _ => vec![value],
        };
        for table in tables {
            let Node::Table(merged) = table.node else {
                if lenient {
                    continue;
                }
                return Err(Fault::syntax(
                    "the value of a merge key must be a table or a list of tables",
                    table.at.span,
                ));
            };
            for mut entry in merged {
                entry.value.via = entry.value.via.or_else(|| table.via.clone());
                if seen.insert(entry.key.clone()) {
                    entries.push(entry);
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tree_text::parsed;
    use super::Span;

    #[test]
    fn scalars_keep_their_exact_bytes() {
        for scalar in ["0123", "004532e1", "1_000", "no", "+1555", "1.10", "on", "true", "1.e5", "x#y", "2026-11-20"] {
            assert_eq!(
                parsed(super::parse, &format!("a: {scalar} # c\n")),
                format!("{{a<a>: Text({scalar:?} from {scalar:?})}}")
            );
        }
        assert_eq!(
            parsed(super::parse, "a:\nb: ~\nc: null\nd: ''\ne: \"~\"\n"),
            "{a<a>: null, b<b>: null, c<c>: null, d<d>: Text(\"\" from \"''\"), e<e>: Text(\"~\" from \"\\\"~\\\"\")}"
        );
        assert_eq!(
            parsed(super::parse, "a: |\n  x\n  y\nb: >-\n  z\n"),
            "{a<a>: Text(\"x\\ny\\n\" from \"x\\n  y\"), b<b>: Text(\"z\" from \"z\")}"
        );
        assert_eq!(
            parsed(super::parse, "\u{feff}a: x\r\nb: y\r\n"),
            "{a<a>: Text(\"x\" from \"x\"), b<b>: Text(\"y\" from \"y\")}"
        );
        assert_eq!(parsed(super::parse, ""), "null");
        assert_eq!(parsed(super::parse, "# nothing\n---\n"), "null");
    }

    #[test]
    fn resolves_anchors_and_merge_keys() {
        let text = "base: &base\n  a: 1\n  b: 2\nx:\n  <<: *base\n  b: 3\ny: *base\nz:\n  <<: [*base, {c: 4}]\n";
        assert_eq!(
            parsed(super::parse, text),
            "{base<base>: {a<a>: Text(\"1\" from \"1\"), b<b>: Text(\"2\" from \"2\")}, \
             x<x>: {b<b>: Text(\"3\" from \"3\"), a<a>: Text(\"1\" from \"1\")}, \
             y<y>: {a<a>: Text(\"1\" from \"1\"), b<b>: Text(\"2\" from \"2\")}, \
             z<z>: {a<a>: Text(\"1\" from \"1\"), b<b>: Text(\"2\" from \"2\"), c<c>: Text(\"4\" from \"4\")}}"
        );
    }

    #[test]
    fn errors_have_a_location_and_quote_nothing() {
        assert!(parsed(super::parse, "a: 1\na: 2\n").starts_with("duplicate-key at [\"a\", \"a\"]"));
        for text in [
            "a: *xoxb-secret\n", "a: [xoxb-secret\n", "a: !xoxb-secret b\n", "a: b\n---\nc: d\n", "? [a]\n: b\n",
            "a: \"xoxb-secret\n", "a: &a [*a]\n", "<<: xoxb\n", "a: %xoxb\n b: [}\n",
        ] {
            let fault = parsed(super::parse, text);
            let (_, message) = fault.split_once("]: ").unwrap_or_else(|| panic!("{text:?}: {fault}"));
            assert!(fault.starts_with("syntax at") && !message.contains("xoxb"), "{fault}");
        }
    }

    #[test]
    fn rejects_alias_bombs_and_deep_nesting() {
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..9 {
            bomb += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 10].join(", "));
        }
        assert!(parsed(super::parse, &bomb).starts_with("too-many-values"));
        assert!(parsed(super::parse, &"[".repeat(100_000)).starts_with("too-deep"));
        assert!(parsed(super::parse, &format!("a: {}{}", "[".repeat(70), "]".repeat(70))).starts_with("too-deep"));
    }

    #[test]
    fn reads_other_programs_yaml_leniently() {
        let loose = |text: &str| {
            let parse = |text: &str, source, vault: &mut _| {
                let roots = super::parse_documents(text, &[Span { start: 0, end: text.len() }], source, vault)
                    .unwrap_or_else(|fault| panic!("{}", fault.message));
                super::super::parsed::Parsed { roots, ..Default::default() }
            };
            super::super::tree_text::documents_text(text, parse)
        };
        for (text, expected) in [
            ("", ""),
            (
                "---\na: x\n---\n# c\n---\nb: y\n...\n",
                "{a<a>: Text(\"x\" from \"x\")} --- null --- {b<b>: Text(\"y\" from \"y\")}",
            ),
            (
                "a: !vault |\n  x\nb: !Sub [c]\nd: !x {e: f}\n!g h: !!str 1\n",
                "{a<a>: null, b<b>: [Text(\"c\" from \"c\")], d<d>: {e<e>: Text(\"f\" from \"f\")}, h<h>: Text(\"1\" from \"1\")}",
            ),
            ("a: x\na: y\n", "{a<a>: Text(\"x\" from \"x\"), a<a>: Text(\"y\" from \"y\")}"),
            (
                "? [a, {b: c}]\n: {d: e}\nf: &f g\n*f : h\ni: j\n",
                "{f<f>: Text(\"g\" from \"g\"), g<*f>: Text(\"h\" from \"h\"), i<i>: Text(\"j\" from \"j\")}",
            ),
            (
                "a: {{ .Values.a }}\n<<: x\nb: &b [*b]\n",
                "{a<a>: Text(\"{{ .Values.a }}\" from \"{{ .Values.a }}\"), b<b>: [null]}",
            ),
        ] {
            assert_eq!(loose(text), expected, "{text:?}");
        }
    }
}
