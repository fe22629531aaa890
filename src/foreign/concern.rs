//! Finds out which files, and which of their tables, may concern a service. Most files don't contain the name of one,
//! and parsing them takes far longer than searching for names.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind};

use super::file_type::FileType;
use super::{configuration, names};
use crate::programs::{Mark, PROGRAMS};
use crate::schema::Kind;
use crate::services::{SERVICES, Service};
use crate::source::{Dialect, Node, Spot, Value};
use crate::text::Span;

/// Where a text may concern a service.
pub(super) enum Concern {
    /// Anywhere.
    Everywhere,
    /// At these offsets, sorted. Nowhere if there are none.
    At(Vec<usize>),
}

/// A word surrounded by more characters of base64 than this is part of a hash or a key.
const LONGEST_WORD: usize = 40;

impl Concern {
    /// Finds where a file may concern a service. A file whose name shows that it has credentials is read completely:
    /// quotes around a value are wrong whoever reads it, and a section may belong to a service without naming it.
    ///
    /// Also returns `true` if it may have a table of profiles, as a credlint configuration has.
    pub(super) fn from_file(text: &[u8], file_type: FileType) -> (Self, bool) {
        let whole = matches!(
            file_type.dialect,
            Dialect::Assignments | Dialect::Dotenv | Dialect::Shell | Dialect::Logins | Dialect::Ini
        );
        if file_type.known && whole { (Self::Everywhere, true) } else { Self::from_text(text, file_type.dialect) }
    }

    /// Finds where a text has a service's word, or a name that reaches browsers. Words are delimited as by
    /// [`crate::text::words`]. In JSON and YAML, most words are in prose and in addresses, so a word counts only where
    /// it can be part of a known name, or name a table.
    fn from_text(text: &[u8], dialect: Dialect) -> (Self, bool) {
        static WORDS: LazyLock<(AhoCorasick, Vec<Sign>)> = LazyLock::new(|| {
            let (words, signs): (Vec<String>, Vec<Sign>) = signs().into_iter().unzip();
            let mut builder = AhoCorasickBuilder::new();
            builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
            (builder.build(words).expect("the words are few"), signs)
        });
        let (words, signs) = &*WORDS;
        let is_tree = matches!(dialect, Dialect::Json | Dialect::Yaml);
        let (mut at, mut may_be_own, mut schema, mut line) = (Vec::new(), false, None, 0);
        for found in words.find_overlapping_iter(text) {
            let (start, end) = (found.start(), found.end());
            let counts = match &signs[found.pattern()] {
                // Frameworks compare the prefix case-sensitively.
                Sign::Browser => {
                    text.get(end) == Some(&b'_')
                        && text[start..end].iter().all(|byte| !byte.is_ascii_lowercase())
                        && is_word_boundary(text, start)
                }
                Sign::Escape => text.get(end).is_some_and(u8::is_ascii_hexdigit),
                Sign::Entity => dialect == Dialect::Xml,
                // The filter does not read such a text.
                Sign::Key if dialect == Dialect::Yaml && is_indirect_key(text, start) => {
                    return (Self::Everywhere, true);
                }
                Sign::Key => false,
                Sign::Secret => is_manifest_kind(text, start, end),
                Sign::Kind => {
                    may_be_own |= configuration::may_begin_table(text, start);
                    false
                }
                Sign::Own => is_word(text, start, end) && !(is_tree && is_mentioned(text, start)),
                // One letter gives the kind of the token; no other letter or digit follows it.
                Sign::Token => {
                    let kind = text.get(end).is_some_and(u8::is_ascii_alphabetic);
                    kind && is_word_boundary(text, start) && !text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)
                }
                // A protocol's word is also an ordinary word: it counts only in a name, and as the name of a table.
                Sign::Word(word) => {
                    let plain = || !word.shared || continues_name(text, end) || is_table_name(text, start, end);
                    is_word(text, start, end) && plain() && (!is_tree || word.counts(text, start, end))
                }
            };
            let mut means_nothing = || match dialect {
                Dialect::Yaml => {
                    let schema = schema.get_or_insert_with(|| schema_descriptions(text));
                    let next = schema.partition_point(|span| span.end < end);
                    is_comment(text, start, &mut line) || schema.get(next).is_some_and(|span| span.start <= start)
                }
                Dialect::Json => describes_property(text, end),
                _ => false,
            };
            let counts = counts && !means_nothing();
            // Files in other syntaxes are read completely.
            if counts && !is_tree {
                return (Self::Everywhere, true);
            }
            at.extend(counts.then_some(start));
        }
        // Overlapping matches are ordered by their ends.
        at.sort_unstable();
        at.dedup();
        (Self::At(at), may_be_own)
    }

    /// Returns `true` if the text may concern a service.
    pub(super) fn is_any(&self) -> bool {
        !matches!(self, Self::At(at) if at.is_empty())
    }

    /// Returns `true` if a location in the text may concern a service.
    pub(super) fn is_in(&self, place: Spot) -> bool {
        self.overlaps(place.span)
    }

    fn overlaps(&self, Span { start, end }: Span) -> bool {
        match self {
            Self::Everywhere => true,
            Self::At(at) => at.get(at.partition_point(|at| *at < start)).is_some_and(|at| *at < end),
        }
    }

    /// Returns the documents of a YAML text that may concern a service: Kubernetes resource definitions have megabytes.
    /// `None` for all.
    pub(super) fn documents(&self, text: &str) -> Option<Vec<Span>> {
        // A directive belongs to the document after the next marker, and a comment may allow a finding.
        let all = matches!(self, Self::Everywhere);
        if all || text.contains("\n%") || text.starts_with('%') || text.contains("credlint:") {
            return None;
        }
        let is_mark = |at: &usize| text.as_bytes().get(at + 4).is_none_or(u8::is_ascii_whitespace);
        let marks = text.match_indices("\n---").map(|(at, _)| at).filter(is_mark).map(|at| at + 1);
        let mut start = 0;
        let documents = marks.chain([text.len()]).map(|end| Span { start: std::mem::replace(&mut start, end), end });
        Some(documents.filter(|document| self.overlaps(*document)).collect())
    }

    /// Returns the tables and lists of a document that may concern a service, by their addresses: those that have a
    /// service's word, and those below them. `None` means all.
    pub(super) fn concerned_tables(&self, root: &Value) -> Option<HashSet<*const Value>> {
        if matches!(self, Self::Everywhere) {
            return None;
        }
        let mut concerned = HashSet::new();
        self.mark(root, false, &mut concerned);
        Some(concerned)
    }

    /// Marks the tables and lists in a value that may concern a service. `below` is true if a parent does. Returns
    /// `true` if anything in the value does.
    fn mark(&self, value: &Value, below: bool, concerned: &mut HashSet<*const Value>) -> bool {
        let has = |value: &Value| matches!(value.node, Node::Null | Node::Scalar(..)) && self.is_in(value.at);
        let inside = match &value.node {
            Node::Null | Node::Scalar(..) => return self.is_in(value.at),
            Node::List(values) | Node::Conflict(values) => {
                let below = below || values.iter().any(has);
                values.iter().fold(below, |any, value| self.mark(value, below, concerned) || any)
            }
            Node::Table(entries) => {
                // A value such as `type: b2` tells what the tables next to it are for.
                let below = below || entries.iter().any(|entry| has(&entry.value));
                entries.iter().fold(below, |any, entry| {
                    let named = self.is_in(entry.at);
                    self.mark(&entry.value, below || named, concerned) || named || any
                })
            }
        };
        if inside || below {
            concerned.insert(std::ptr::from_ref(value));
        }
        inside
    }
}

/// A sign that a text may concern a service.
enum Sign {
    /// The word of a service.
    Word(Word),
    /// A program's own name or value.
    Own,
    /// The prefix of a token.
    Token,
    /// The prefix of a variable that reaches browsers.
    Browser,
    /// The start of a letter that is escaped, as in JSON and YAML.
    Escape,
    /// A character of XML by its number.
    Entity,
    /// A mark of a key in YAML that need not be where its name is: `*alias :`, or `? "…"`, which may have line breaks.
    Key,
    /// The kind of a Kubernetes manifest with files in base64.
    Secret,
    /// A top-level table of a credlint configuration.
    Kind,
}

/// A service's word, and where it counts.
#[derive(Default)]
struct Word {
    /// True if only protocols use the word.
    shared: bool,
    /// The possible second words: `RELIC` of `NEW_RELIC`. Empty if none is needed.
    rest: Vec<&'static str>,
    /// The last words of the names that may follow.
    ends: Vec<&'static str>,
    /// True if programs use it as a value.
    value: bool,
    /// True if it counts anywhere, because it occurs in addresses and commands.
    anywhere: bool,
}

impl Word {
    /// Returns `true` where the word can be part of a known name, the name of a table, or a known value.
    fn counts(&self, text: &[u8], start: usize, end: usize) -> bool {
        // `b2` after a colon is part of a network address.
        let anywhere = self.anywhere && !text[..start].ends_with(b":");
        if anywhere || self.value && is_value(text, start, end) {
            return true;
        }
        if self.rest.is_empty() {
            return is_table_name(text, start, end) || self.is_in_name(text, end);
        }
        let next = end + text[end..].iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
        self.rest.iter().any(|rest| starts_with(&text[next..], rest) && self.is_in_name(text, next + rest.len()))
    }

    /// Returns `true` if the last word of a known name follows: in the same word (`slack_bot_token`), or anywhere in
    /// the same key (`"Slack Webhook URL":`).
    fn is_in_name(&self, text: &[u8], from: usize) -> bool {
        let (mut at, mut inside, mut seen, mut broken) = (from, true, false, false);
        while let Some(&byte) = text.get(at) {
            // A line may have many words.
            if at - from > names::LONGEST {
                return false;
            }
            match byte {
                // The key of `? key` ends with its line.
                b'\n' => return seen && text[at..].trim_ascii_start().starts_with(b":"),
                b'"' => {
                    let next = text[at + 1..].trim_ascii_start().first();
                    return seen && next.is_some_and(|next| b":=/".contains(next));
                }
                b':' | b'=' if seen && !broken => return true,
                b'\\' => {
                    // In a text with several lines, a key ends with its line, but the whole text may be a JSON key.
                    broken |= matches!(text.get(at + 1), Some(b'n' | b'r'));
                    at += 1;
                }
                _ if !seen
                    && is_word_boundary(text, at)
                    && self.ends.iter().any(|word| has_word_at(text, at, word)) =>
                {
                    if inside {
                        return !is_mentioned(text, from);
                    }
                    seen = true;
                }
                _ => {}
            }
            inside &= byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
            at += 1;
        }
        false
    }
}

/// Returns the patterns to search for.
fn signs() -> Vec<(String, Sign)> {
    /// Letters of a name may be escaped like this in JSON and YAML.
    const ESCAPES: [&str; 12] = [
        "\\u004", "\\u005", "\\u006", "\\u007", "\\x4", "\\x5", "\\x6", "\\x7", "\\U0000004", "\\U0000005",
        "\\U0000006", "\\U0000007",
    ];
    let commands = || PROGRAMS.iter().flat_map(|program| program.commands).flat_map(|command| command.words);
    let is_command = |word: &str| commands().any(|own| own.eq_ignore_ascii_case(word));
    let mut words: BTreeMap<&'static str, Word> = BTreeMap::new();
    for service in SERVICES.iter().filter(|service| !service.fields.is_empty()) {
        let names = || service.fields.iter().flat_map(|field| field.names).flat_map(|names| names.words);
        for (begin, rest) in service.words.iter().map(|word| split_word(service, word)) {
            let word = words.entry(begin).or_insert_with(|| Word { shared: true, ..Word::default() });
            word.shared &= service.shared;
            word.rest.push(rest);
            word.ends.extend(names().map(|name| name.rsplit('_').next().unwrap_or(name)));
            // Words of commands also occur in addresses.
            word.anywhere |= service.words.iter().any(|word| is_command(word));
        }
    }
    for word in words.values_mut() {
        // The word counts alone as well, so no second word is needed.
        if word.rest.contains(&"") {
            word.rest.clear();
        }
        word.ends.sort_unstable();
        word.ends.dedup();
    }
    let named = |name: &str| {
        let upper = name.to_uppercase();
        SERVICES.iter().any(|service| service.words.iter().any(|word| upper.contains(word)))
    };
    // Keys of Kubernetes Secrets, and names that have a meaning only in programs' own files.
    let mut own = vec!["stringdata"];
    for group in PROGRAMS.iter().flat_map(|program| program.groups) {
        let keys = || group.keys.iter().map(|(key, ..)| *key);
        if let Mark::Section(_, value) | Mark::Holds(_, value) | Mark::Beside(_, value) = group.mark
            && let Some(word) = words.get_mut(value.to_uppercase().as_str())
        {
            word.value = true;
        }
        match group.mark {
            Mark::Begins(_, value) => own.push(value),
            // Many programs have a list of this name.
            Mark::In(_) if keys().all(named) => own.extend(keys()),
            // The `runners` of GitLab Runner.
            Mark::In(list) => own.push(list),
            // Only the type of the section identifies it.
            Mark::Section(..) => own.extend(keys().filter(|key| key.contains('_'))),
            _ => {}
        }
    }
    let mut signs: Vec<(String, Sign)> =
        words.into_iter().map(|(word, sign)| (word.to_owned(), Sign::Word(sign))).collect();
    let mut add = |words: &[&str], sign: fn() -> Sign| {
        signs.extend(words.iter().map(|word| ((*word).to_owned(), sign())));
    };
    add(&own, || Sign::Own);
    add(&["XOX"], || Sign::Token);
    add(names::BROWSER, || Sign::Browser);
    add(&ESCAPES, || Sign::Escape);
    add(&["&#"], || Sign::Entity);
    add(&["*", "? "], || Sign::Key);
    add(&["secret"], || Sign::Secret);
    add(&Kind::names().collect::<Vec<_>>(), || Sign::Kind);
    signs
}

/// Splits a service's word into the part to search for and the part that must follow: the words of `AZURE_AD` may be
/// joined by several characters.
fn split_word(service: &'static Service, word: &'static str) -> (&'static str, &'static str) {
    let known = word.split('_').find(|part| service.words.contains(part));
    known.map(|known| (known, "")).or(word.split_once('_')).unwrap_or((word, ""))
}

/// Returns `true` if a text starts with a word, in any case.
fn starts_with(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// Returns `true` if a complete word is at a location. The suffix of a reference, as in `accountIDSecretRef`, may
/// follow it.
fn has_word_at(text: &[u8], at: usize, word: &str) -> bool {
    let end = at + word.len();
    let refers = || ["SecretKeyRef", "SecretRef", "KeyRef"].iter().any(|more| text[end..].starts_with(more.as_bytes()));
    starts_with(&text[at..], word) && (is_word_boundary(text, end) || refers())
}

/// Skips whitespace, literal or escaped.
fn after_space(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        match text {
            [b'\\', b'n' | b'r' | b't', rest @ ..] => text = rest,
            _ => return text,
        }
    }
}

/// Skips a quote, literal or escaped, if there is one.
fn after_quote(text: &[u8]) -> &[u8] {
    let bare = text.strip_prefix(b"\\").unwrap_or(text);
    match bare {
        [b'"' | b'\'', rest @ ..] => rest,
        _ => text,
    }
}

/// Returns the text before trailing whitespace and a quote, literal or escaped.
fn before_quote(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let bare = text.strip_suffix(b"\"").or(text.strip_suffix(b"'")).unwrap_or(text);
    bare.strip_suffix(b"\\").unwrap_or(bare).trim_ascii_end()
}

/// Returns `true` if a word may end the name of a table in JSON, YAML, or a file embedded in them: `slack:` followed
/// only by an anchor, a tag or a comment, `"slack": {`, `[slack]`, `slack = {`, `slack {`.
fn is_table_name(text: &[u8], start: usize, end: usize) -> bool {
    let bare = after_quote(&text[end..]);
    let rest = after_space(bare);
    match rest {
        // A header is alone on its line: not `[a, slack]`, `["slack"]`, `a[slack]`.
        [b']', ..] => {
            let before = text[..start].iter().rev().take(LONGEST_WORD).take_while(|byte| !b"[,\n".contains(byte));
            let named = bare.len() == text.len() - end || before.clone().any(u8::is_ascii_alphanumeric);
            let Some(above) = text[..start - before.count()].strip_suffix(b"[") else { return false };
            let blanks = above.iter().rev().take_while(|byte| b" \t".contains(byte)).count();
            let above = &above[..above.len() - blanks];
            named && matches!(above, [] | [.., b'\n' | b'[' | b'"' | b'\''] | [.., b'\\', b'n'])
        }
        [b'{', ..] => true,
        [b':' | b'=', inside @ ..] => {
            let line = inside.trim_ascii_start();
            let ends = inside[..inside.len() - line.len()].contains(&b'\n') || line.is_empty();
            ends || b"{[&!*|>#/\\".contains(&line[0])
        }
        _ => false,
    }
}

/// Returns `true` if the name at a location is only mentioned or referenced, so that no value can follow: `$NAME`,
/// `${NAME}`, `{{ NAME }}`, `<NAME>`, and `NAME` in backticks or parentheses.
fn is_mentioned(text: &[u8], at: usize) -> bool {
    let in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let start = at - text[..at].iter().rev().take(names::LONGEST).take_while(in_name).count();
    let end = at + text[at..].iter().take(names::LONGEST).take_while(in_name).count();
    let before = text[..start].trim_ascii_end();
    let refers = before.ends_with(b"${") || before.ends_with(b"{{");
    let next = text.get(end + 1);
    match text.get(end) {
        Some(b'`' | b')') => true,
        Some(b'>') => {
            text[..start].ends_with(b"<")
                && next.is_none_or(|byte| byte.is_ascii_whitespace() || b"\"'\\".contains(byte))
        }
        Some(b' ' | b'}') if refers => text[end..].trim_ascii_start().starts_with(b"}"),
        Some(byte) => text[..start].ends_with(b"$") && !b"=:".contains(byte),
        None => false,
    }
}

/// The keywords with which a schema describes a property. None of them means anything in a service's table.
const KEYWORDS: &[&str] = &[
    "$ref", "additionalProperties", "allOf", "anyOf", "default", "deprecated", "description", "enum", "example",
    "examples", "format", "items", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "nullable",
    "oneOf", "pattern", "properties", "readOnly", "required", "title", "type", "writeOnly",
    "x-kubernetes-int-or-string", "x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations",
];

fn is_keyword(key: &[u8]) -> bool {
    KEYWORDS.iter().any(|word| word.as_bytes() == key)
}

/// A key of YAML with a table below it.
struct Table {
    column: usize,
    /// The column of its entries.
    inner: Option<usize>,
    /// True if the last entry has no value on its line, so that a list may follow in the same column.
    empty: bool,
    /// True if all of its entries are keywords of a schema.
    schema: bool,
    /// The locations of its name and its descriptions.
    spans: Vec<Span>,
}

impl Table {
    /// Returns the locations of its name and its descriptions, if it describes a property.
    fn description_spans(self) -> Vec<Span> {
        if self.schema && self.inner.is_some() { self.spans } else { Vec::new() }
    }
}

/// Returns the locations of the property names and descriptions of a schema in YAML. Kubernetes resource definitions
/// name many services, and have megabytes but no values.
fn schema_descriptions(text: &[u8]) -> Vec<Span> {
    let (mut found, mut open): (Vec<Span>, Vec<Table>) = (Vec::new(), Vec::new());
    // The column of the open description.
    let mut description = None;
    let mut next = 0;
    for line in text.split(|byte| *byte == b'\n') {
        let start = next;
        next += line.len() + 1;
        let bare = line.trim_ascii_start();
        if bare.is_empty() {
            continue;
        }
        let indent = line.len() - bare.len();
        if description.is_some_and(|column| indent > column) {
            if let Some(said) = open.last_mut().and_then(|table| table.spans.last_mut()) {
                said.end = start + line.len();
            }
            continue;
        }
        description = None;
        if bare.starts_with(b"#") {
            continue;
        }
        while let Some(table) = open.pop_if(|last| last.column >= indent) {
            found.extend(table.description_spans());
        }
        let length = bare.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"_-. $".contains(byte)));
        let length = length.filter(|at| bare[*at] == b':').unwrap_or(0);
        let (key, behind) = bare.split_at(length);
        let ends = behind.get(1).is_none_or(u8::is_ascii_whitespace);
        if let Some(above) = open.last_mut() {
            let inner = *above.inner.get_or_insert(indent);
            if indent <= inner {
                let element = indent == inner && above.empty && bare.starts_with(b"- ");
                above.schema &= element || indent == inner && ends && is_keyword(key);
                above.empty = element || behind.get(1..).is_some_and(|rest| rest.trim_ascii().is_empty());
                if key == b"description" && ends {
                    description = Some(indent);
                    above.spans.push(Span { start, end: start + line.len() });
                }
            }
        }
        // A list element starts with its first key.
        let name = key.iter().position(|byte| !b"- ".contains(byte)).unwrap_or(length);
        if description.is_none() && behind[1..].trim_ascii().is_empty() {
            let (column, start) = (indent + name, start + indent);
            let name = Span { start: start + name, end: start + length };
            open.push(Table { column, inner: None, empty: false, schema: true, spans: vec![name] });
        }
    }
    found.extend(open.into_iter().flat_map(Table::description_spans));
    found.sort_unstable_by_key(|span| span.start);
    found
}

/// Returns `true` if a word ends the name of an object of JSON in which a schema describes a property.
fn describes_property(text: &[u8], end: usize) -> bool {
    /// A larger object is not examined.
    const MOST: usize = 16 * 1024;
    let text = &text[end..text.len().min(end + MOST)];
    let Some(rest) = text.strip_prefix(b"\"").map(<[u8]>::trim_ascii_start) else { return false };
    let Some(rest) = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start) else { return false };
    let Some(rest) = rest.strip_prefix(b"{") else { return false };
    let (mut depth, mut at, mut any) = (0_usize, 0, false);
    while let Some(byte) = rest.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' if depth == 0 => return any,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let start = at + 1;
                at = start;
                while rest.get(at).is_some_and(|byte| *byte != b'"') {
                    at += if rest[at] == b'\\' { 2 } else { 1 };
                }
                let behind = rest.get(at + 1..).unwrap_or_default().trim_ascii_start();
                if depth == 0 && behind.starts_with(b":") {
                    if !is_keyword(&rest[start..at]) {
                        return false;
                    }
                    any = true;
                }
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// Returns `true` if a word is a complete value: `type: b2`, `"type": "b2"`.
fn is_value(text: &[u8], start: usize, end: usize) -> bool {
    let rest = after_quote(&text[end..]);
    let ends = matches!(rest, [] | [b'\n' | b'\r' | b' ' | b'\t' | b',' | b'}' | b']' | b'\\', ..]);
    let bare = before_quote(&text[..start]);
    // A colon must be followed by a space: `a3:b2` is part of a network address.
    let quoted = || matches!(bare, [.., b'"' | b'\'', b':']);
    let apart = bare.len() < start || bare.ends_with(b"=") || quoted();
    ends && apart && bare.last().is_some_and(|byte| b":=".contains(byte))
}

/// Returns `true` if a location is in a comment line of YAML, or of a file embedded in it. `line` is the start of an
/// earlier line, and becomes that of this one, so that a long line is not searched for each word.
fn is_comment(text: &[u8], at: usize, line: &mut usize) -> bool {
    let from = (*line).min(at);
    *line = text[from..at].iter().rposition(|byte| *byte == b'\n').map_or(from, |before| from + before);
    text[*line..at].trim_ascii_start().starts_with(b"#")
}

/// Returns `true` for an alias or a quoted text that may be a key.
fn is_indirect_key(text: &[u8], at: usize) -> bool {
    let before = text[..at].iter().rev().find(|byte| !b" \t-".contains(byte));
    if !before.is_none_or(|byte| b"\n{,".contains(byte)) {
        return false;
    }
    if text[at] == b'?' {
        return text[at..].iter().skip(1).find(|byte| **byte != b' ').is_some_and(|byte| b"\"'*".contains(byte));
    }
    let rest = &text[at + 1..];
    let name = rest.iter().position(|byte| byte.is_ascii_whitespace() || b",:{}[]".contains(byte)).unwrap_or(0);
    name > 0 && rest[name..].trim_ascii_start().starts_with(b":")
}

/// Returns `true` if a word is the kind of a manifest.
fn is_manifest_kind(text: &[u8], start: usize, end: usize) -> bool {
    let key = before_quote(&text[..start]).strip_suffix(b":").map(before_quote);
    let key = key.and_then(|key| key.last_chunk::<4>());
    key.is_some_and(|key| key.eq_ignore_ascii_case(b"kind")) && is_value(text, start, end)
}

/// Returns `true` if a name continues after a word: `smtp_host`, `smtp-host`, `smtp.host`, `smtpHost`.
fn continues_name(text: &[u8], end: usize) -> bool {
    let next = text.get(end);
    let camel = next.is_some_and(u8::is_ascii_uppercase) && !text[..end].last().is_some_and(u8::is_ascii_uppercase);
    camel || next.is_some_and(|byte| b"_-.".contains(byte)) && text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns `true` if a word of a name may begin or end at a location.
fn is_word_boundary(text: &[u8], at: usize) -> bool {
    let (before, here) = (text.get(at.wrapping_sub(1)), text.get(at));
    let inside = before.is_some_and(u8::is_ascii_alphanumeric) && here.is_some_and(u8::is_ascii_alphanumeric);
    let camel = here.is_some_and(u8::is_ascii_uppercase) && !before.is_some_and(u8::is_ascii_uppercase);
    // `\n` before a name, in a script inside a JSON string.
    let escaped = || at > 1 && text[at - 2] == b'\\' && matches!(text[at - 1], b'n' | b'r' | b't');
    !inside || camel || escaped()
}

/// Returns `true` if a service's word is a complete word of a name.
fn is_word(text: &[u8], start: usize, end: usize) -> bool {
    if !is_word_boundary(text, start) || !is_word_boundary(text, end) {
        return false;
    }
    // Two or three characters occur in every hash and key by chance.
    let encoded = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let around = || {
        let before = text[..start].iter().rev().take(LONGEST_WORD).take_while(encoded).count();
        before + text[end..].iter().take(LONGEST_WORD).take_while(encoded).count()
    };
    end - start > 3 || around() < LONGEST_WORD
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::file_type::inside;
    use super::super::read::profiles;
    use super::*;
    use crate::config::Profile;
    use crate::secret::Vault;
    use crate::source::{ParsedText, PipeTexts, Reader, Sources};

    fn concerns(text: &str, dialect: Dialect) -> bool {
        Concern::from_text(text.as_bytes(), dialect).0.is_any()
    }

    fn may_concern(text: &str) -> bool {
        concerns(text, Dialect::Json)
    }

    /// Every file in which something is found without the filter passes the filter.
    #[test]
    fn filter_passes_every_file_with_findings() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (mut found, mut skipped) = (0, 0);
        for folder in ["tests/corpus/foreign", "src/services"] {
            for file in std::fs::read_dir(root.join(folder)).unwrap() {
                let corpus = std::fs::read_to_string(file.unwrap().path()).unwrap();
                for case in corpus.split("\n=== ").skip(1) {
                    let (path, text) = case.split_once('\n').unwrap();
                    let text = text.split("\n=> ").next().unwrap().split("\n--- ").next().unwrap();
                    let text = text.split("\n'''\n").next().unwrap();
                    let Some(file_type) = FileType::from_path(Path::new(path)) else { continue };
                    let (mut vault, mut sources) = (Vault::default(), Sources::default());
                    let (directory, pipes) = (Path::new(""), PipeTexts::default());
                    let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory, pipes: &pipes };
                    let (concern, _) = Concern::from_file(text.as_bytes(), file_type);
                    let read = reader.read(&mut text.to_owned(), file_type.dialect, inside, None);
                    let documents = concern.documents(text);
                    let some = reader.read(&mut text.to_owned(), file_type.dialect, inside, documents.as_deref());
                    let mut found_by = |read: &ParsedText, concern: &Concern| {
                        let (found, _) = profiles(read.roots(), concern, &mut vault, file_type, Some(path));
                        let settings =
                            |profile: &Profile| profile.settings.iter().map(|one| one.at).collect::<Vec<_>>();
                        found.iter().map(|profile| (profile.at, settings(profile))).collect::<Vec<_>>()
                    };
                    let (all, concerned) = (found_by(&read, &Concern::Everywhere), found_by(&some, &concern));
                    let (any, passes) = (!all.is_empty(), concern.is_any());
                    assert!(passes || !any, "{path}: {text}");
                    assert!(!passes || all == concerned, "{path}: {all:?} {concerned:?}\n{text}");
                    found += usize::from(any);
                    skipped += usize::from(!passes);
                }
            }
        }
        assert!(found > 150 && skipped > 0, "{found} {skipped}");
        // A schema's keywords mean nothing in any table.
        let words = || SERVICES.iter().flat_map(|service| service.words);
        for (word, keyword) in words().flat_map(|word| KEYWORDS.iter().map(move |keyword| (word, keyword))) {
            assert!(names::meaning_in_table(word, keyword).is_none(), "{word} {keyword}");
        }
        // Every name in every spelling.
        for service in SERVICES.iter().filter(|service| !service.fields.is_empty()) {
            let words = service.fields.iter().flat_map(|field| field.names).flat_map(|names| names.words);
            for (word, name) in words.flat_map(|name| service.words.iter().map(move |word| (word, name))) {
                let parts: Vec<String> = format!("{word}_{name}").split('_').map(str::to_lowercase).collect();
                let capital = |part: &String| part[..1].to_uppercase() + &part[1..];
                let camel: String = parts.iter().map(capital).collect();
                let spelled = [parts.join("_"), parts.join("-"), parts.join("."), camel.clone(), format!("my{camel}")];
                for name in spelled.iter().chain([&parts.join("_").to_uppercase(), &format!("VITE_{camel}")]) {
                    let text = format!("a: 1\n{name}: x\n");
                    // A protocol's words count only in names of variables.
                    let joined = name.to_uppercase().contains(&format!("{word}_"));
                    let counts = names::meaning(name).is_some() && (joined || !service.shared);
                    assert!(!counts || may_concern(&text), "{name}");
                }
            }
        }
    }

    #[test]
    fn ignores_descriptions_in_schemas() {
        let yaml = |text: &str| concerns(text, Dialect::Yaml);
        let schema = "properties:\n  slack:\n    description: a\n      token\n    properties:\n      token:\n        type: string\n    type: object\n";
        let wide = "a".repeat(40);
        let said = "slack:\n  description: the slackToken: of a\n  type: object\n";
        for text in [
            schema,
            "- slackToken:\n    type: string\n\n    # a\n    description: |-\n      a\n  type: object\n",
            "slack:\r\n  type: object\r\n",
            // A description may repeat the name, on its line and below.
            said,
            &format!("slack:\n  description: |\n    slackToken: {wide}\n  type: object\n"),
            // A list may be in the column of its key.
            "slack:\n  required:\n  - a\n  - b\n  type: object\n",
            "# slackToken: x\n",
            "a: 1\n  # slackToken: x\n",
        ] {
            assert!(!yaml(text), "{text}");
        }
        for text in [
            format!("{schema}    token: x\n"),
            "slack:\n  type: object\n  token: x\n".to_owned(),
            "- slack:\n    type: object\n    env: [x]\n".to_owned(),
            "slack:\n    type: object\n  token: x\n".to_owned(),
            "slack: # a\n  type: object\n".to_owned(),
            "slack:\ntype: object\n".to_owned(),
            "slackToken:\n  value: x\n  description: a\n".to_owned(),
            "slack:\n  type:x\n".to_owned(),
            "slack:\n".to_owned(),
            format!("a: 1\n{schema}slackToken: x\n"),
            format!("a: 1\n{said}slackToken: x\n"),
            "slackToken: |\n  type: object\n".to_owned(),
            "a: 1 #\nslackToken: x\n".to_owned(),
        ] {
            assert!(yaml(&text), "{text}");
        }
        // Any number of nested tables.
        let deep: String = (0..3000).map(|depth| " ".repeat(depth) + "slack:\n").collect();
        assert!(yaml(&deep));
        for inside in [
            r#""title": "the token", "type": "object", "properties": {"token": {"type": "string"}}"#,
            r#""items": {}, "required": ["token"], "type": "object""#,
            r#""description": "the \"token\": a", "type": "object""#,
        ] {
            assert!(!may_concern(&format!("\"slack\": {{{inside}}}")), "{inside}");
        }
        let long = format!(r#""description": "{}""#, "a".repeat(16 * 1024));
        for inside in [r#""items": {}, "token": "x""#, r#""type": "object", "token": "x""#, "", &long] {
            assert!(may_concern(&format!("\"slack\": {{{inside}}}")), "{inside}");
        }
    }

    #[test]
    fn reads_only_documents_that_name_a_service() {
        let read = |text: &str| {
            let documents = Concern::from_text(text.as_bytes(), Dialect::Yaml).0.documents(text)?;
            Some(documents.iter().map(|span| text[span.start..span.end].to_owned()).collect::<Vec<_>>())
        };
        let named = "---\nslackToken: x\n----: a\n";
        assert_eq!(read(&format!("a: 1\n{named}---\nb: 1\n---\n")).as_deref(), Some(&[named.to_owned()][..]));
        assert_eq!(read("a: 1\n---\n").as_deref(), Some(&[][..]));
        let named = [(0, 5), (5, 6)].map(|(start, end)| Concern::At(vec![5]).overlaps(Span { start, end }));
        assert_eq!(named, [false, true]);
        // A document's directive is above its marker.
        for text in ["a: 1\n...\n%YAML 1.2\n---\nslackToken: x\n", "%YAML 1.2\n---\nslackToken: x\n"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn detects_configurations_with_tables_of_several_kinds() {
        let text = "[storage.a]\nkey_id = \"\"\n[messaging.b]\ntoken = \"\"\n";
        assert!(Concern::from_text(text.as_bytes(), Dialect::Toml).1);
    }

    #[test]
    fn skips_unrelated_files() {
        let names =
            ["SLACK_TOKEN=", "a: Slack", "x B2_", "backblaze", "xoxb-", "twilio:", "VITE_X=", "hosts.twilio: {"];
        let spelled = [
            "b2KeyId", "myB2Key", "slackBotToken", "prod.slack.token", "my-b2", "\\u0053LACK", "\u{e9}slack:",
            "\"Slack Webhook URL\" : 1", "? slack webhook url\n: x", "{\"Slack\\nWebhook\\nURL\" : 1}",
            "new relic license key: x", "a\\nslack_token=", "slackTokenSecretRef: 1", "{\"slack\": {", "\"slack\": &a",
            "[slack]", "[[a.slack]]", "[remote \\\"slack\\\"]", "{\"type\":\"b2\"}", "a: -r b2:bucket",
            "{\"type\":b2}", "kind: 'Secret'", "slack {", "slack\\n{", "[slack]\na", "r:backblaze_key_id: a",
            "ab: c\\nslack_token=", "{\"Slack \\\"Webhook\\\" URL\": 1}",
            "productionEnvironmentsMonitoringTeamsSlackToken: x",
            // These look like references, but have a value.
            "${SLACK_TOKEN:-x}", "<slackToken>x</slackToken>", "<a slackToken> x", "{{ slackToken: x }}",
        ];
        for text in names.into_iter().chain(spelled) {
            assert!(may_concern(text), "{text}");
        }
        let unrelated = [
            "a: https://github.com/a/b",
            "a: [x, github]",
            "\"a\": \"GitHub\\nthe token: x\"",
            "\"a\": [\"github\"]",
            "2001:b2:1",
            "\"ab:cd:b2\"",
            "\"github\": \"GitHub\"",
            "a: the token of Twilio",
            "new: x",
            "input_tokens: 1",
            "kind: SecretStore",
            "vite_x",
            "axoxb-1",
            "mystringData: x",
            "aslack_token: x",
            "inslack_token: x",
            "slack_tokenizer: 1",
            "[\"github\"]",
            "a[github]",
            "global: 1",
            "\"a\": \"GitHub\\nthe\\ntoken: x\"",
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxx/b2/xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            // References.
            "${SLACK_TOKEN}",
            "{{ SLACK_TOKEN }}",
            "{{  SLACK_TOKEN  }}",
            "$SLACK_TOKEN x",
            "<SLACK_TOKEN>",
            "\"<SLACK_TOKEN>\"",
            "<SLACK_TOKEN> x",
            "`SLACK_TOKEN`",
            "(SLACK_TOKEN)",
        ];
        for text in unrelated {
            assert!(!may_concern(text), "{text}");
        }
        // A protocol's word counts in a name, and as the name of a table.
        for (text, counts) in [
            ("smtp_host = 1", true),
            ("smtpHost = 1", true),
            ("[smtp]", true),
            ("a = 'smtp'", false),
            ("a = 'smtp. b'", false),
        ] {
            assert_eq!(concerns(text, Dialect::Toml), counts, "{text}");
        }
        for text in ["", "b", "sla ck", "xo", "password=1", "a=2", "a1b2c3", "invite", "slackline", "x\\u003c"] {
            assert!(!may_concern(text), "{text}");
        }
    }
}
