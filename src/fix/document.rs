//! One file that is fixed: its raw text, the tree with the places in it, and the proof that a new text says what it should.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use zeroize::Zeroizing;

use super::{Fixed, overlap};
use crate::finding::Finding;
use crate::schema::value::BaseUrl;
use crate::schema::{Field, Kind};
use crate::secret::Vault;
use crate::source::{Entry, Node, ReadFile, Scalar, SourceId, Value};
use crate::text::{Span, is_slip};

/// A finding, and what to do about it.
pub(super) struct Wish<'a> {
    pub(super) finding: &'a Finding,
    pub(super) what: What,
}

/// What to do. A place is that of the key.
pub(super) enum What {
    /// Two values change places.
    Swap { key: Span, id: Span },
    /// The word `Bearer` goes.
    Strip { key: Span },
    /// An address ends before `/api`.
    Cut { key: Span },
    /// An element of a list goes.
    Remove { key: Span, index: usize },
    /// A key gets another name.
    Rename { key: Span, to: String, kind: &'static Kind, field: &'static Field },
}

/// What became of the wishes.
pub(super) struct Outcome<'a> {
    pub(super) text: Zeroizing<String>,
    pub(super) fixed: Vec<Fixed>,
    pub(super) refused: Vec<(&'a Finding, String)>,
}

/// The bytes that a fix moves, and what the file says then.
struct Fix {
    edits: Vec<(Span, Zeroizing<String>)>,
    changes: Vec<(Span, Change)>,
    text: String,
}

/// What is to become of a key or a value.
enum Change {
    Value(Zeroizing<String>),
    Key(String),
    Gone,
}

type Refusal = &'static str;

const ESCAPED: Refusal = "it is written with escapes or in several pieces";
const ALIASED: Refusal = "it comes through an alias or a merge key";
const UNPROVEN: Refusal = "the file would not say the same afterwards";

/// A file in memory.
pub(super) struct Document<'a> {
    text: &'a str,
    file: &'a ReadFile,
    source: SourceId,
    vault: Vault,
    root: Value,
}

/// Where the keys and values of a document are.
#[derive(Default)]
struct Index<'d> {
    keys: HashMap<Span, Slot<'d>>,
    /// How often each value is there: an alias repeats it.
    values: HashMap<Span, usize>,
}

/// A key in its table.
struct Slot<'d> {
    entry: &'d Entry,
    table: &'d [Entry],
    depth: usize,
    times: usize,
}

/// What the wishes have in common.
#[derive(Default)]
struct Shared {
    /// The elements to remove from each list.
    removed: HashMap<Span, BTreeSet<usize>>,
    /// How many keys of one table are to have one name.
    names: HashMap<(Span, String), usize>,
}

impl<'a> Document<'a> {
    pub(super) fn new(text: &'a str, file: &'a ReadFile, source: SourceId) -> Option<Self> {
        let mut vault = Vault::default();
        let root = file.parse(text, source, &mut vault)?;
        Some(Self { text, file, source, vault, root })
    }

    /// Grants what can be granted.
    pub(super) fn fix<'f>(&self, wishes: Vec<Wish<'f>>) -> Outcome<'f> {
        let mut index = Index::default();
        index.value(&self.root, 0);
        let mut shared = Shared::default();
        for wish in &wishes {
            match &wish.what {
                What::Remove { key, index } => {
                    shared.removed.entry(*key).or_default().insert(*index);
                }
                What::Rename { key, to, .. } => {
                    if let Some(first) = index.keys.get(key).and_then(|slot| slot.table.first()) {
                        *shared.names.entry((first.at.span, to.clone())).or_insert(0) += 1;
                    }
                }
                _ => {}
            }
        }
        let mut refused = Vec::new();
        let mut fixes: Vec<(&'f Finding, Fix)> = Vec::new();
        for Wish { finding, what } in wishes {
            match self.grant(&what, finding, &index, &shared) {
                Ok(fix) => fixes.push((finding, fix)),
                Err(why) => refused.push((finding, why.to_owned())),
            }
        }
        // What touches one place with another fix waits for the next round.
        let mut granted: Vec<(&Finding, Fix)> = Vec::new();
        let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
        for (finding, fix) in fixes {
            let free = fix.edits.iter().all(|&(span, _)| {
                let before = taken.range(..span.end).next_back();
                before.is_none_or(|(&start, &end)| !overlap(Span { start, end }, span))
            });
            if free {
                taken.extend(fix.edits.iter().map(|(span, _)| (span.start, span.end)));
                granted.push((finding, fix));
            }
        }
        let text = match self.proven(granted.iter().map(|(_, fix)| fix)) {
            Some(text) => text,
            None => {
                // One of them is to blame: each is tried on top of those before it.
                let mut good: Vec<(&Finding, Fix)> = Vec::new();
                let mut text = Zeroizing::new(self.text.to_owned());
                for (finding, fix) in granted {
                    match self.proven(good.iter().map(|(_, fix)| fix).chain([&fix])) {
                        Some(better) => {
                            text = better;
                            good.push((finding, fix));
                        }
                        None => refused.push((finding, UNPROVEN.to_owned())),
                    }
                }
                granted = good;
                text
            }
        };
        let fixed = granted.into_iter().map(|(finding, fix)| Fixed {
            rule: finding.rule,
            key: finding.primary().map(|label| label.key.clone()).unwrap_or_default(),
            text: fix.text,
        });
        Outcome { text, fixed: fixed.collect(), refused }
    }

    fn grant(&self, what: &What, finding: &Finding, index: &Index<'_>, shared: &Shared) -> Result<Fix, Refusal> {
        let label = finding.primary().map(|label| label.key.as_str()).unwrap_or_default();
        match what {
            What::Swap { key, id } => {
                let [key, id] = [self.leaf(*key, index)?, self.leaf(*id, index)?];
                let [one, other] = [key, id].map(|value| Zeroizing::new(self.raw(value.at.span).to_owned()));
                let [secret, public] = [key, id].map(|value| Zeroizing::new(self.decoded(value).to_owned()));
                let half = finding.labels.iter().map(|label| label.key.as_str()).find(|key| *key != label);
                let text = format!("the values of `{label}` and `{}` change places", half.unwrap_or("its other half"));
                Ok(Fix {
                    edits: vec![(key.at.span, other), (id.at.span, one)],
                    changes: vec![(key.at.span, Change::Value(public)), (id.at.span, Change::Value(secret))],
                    text,
                })
            }
            What::Strip { key } => {
                let value = self.leaf(*key, index)?;
                let (inner, decoded) = (self.inner(value.at.span), self.decoded(value));
                let raw = self.raw(inner);
                let word = raw.get(..6).filter(|word| word.eq_ignore_ascii_case("bearer")).ok_or(ESCAPED)?.len();
                let cut = word + raw[word..].bytes().take_while(|&byte| byte == b' ').count();
                let rest = decoded.strip_prefix(&raw[..cut]).filter(|_| cut > word).ok_or(ESCAPED)?;
                if rest.is_empty() || !rest.bytes().all(|byte| byte.is_ascii_graphic()) {
                    return Err("more is wrong with it than the word `Bearer`");
                }
                Ok(Fix {
                    edits: vec![removal(Span { start: inner.start, end: inner.start + cut })],
                    changes: vec![(value.at.span, Change::Value(Zeroizing::new(rest.to_owned())))],
                    text: format!("`Bearer ` goes from `{label}`"),
                })
            }
            What::Cut { key } => {
                let value = self.leaf(*key, index)?;
                let (inner, decoded) = (self.inner(value.at.span), self.decoded(value));
                let mut kept = decoded;
                while BaseUrl::parse(kept).is_ok_and(|address| address.repeats_api()) {
                    let end = kept.trim_end_matches('/');
                    let end = end.strip_suffix("/files.upload").unwrap_or(end);
                    kept = end.strip_suffix("/api").ok_or(ESCAPED)?;
                }
                let cut = &decoded[kept.len()..];
                let [before, after] =
                    [decoded, kept].map(|value| BaseUrl::parse(value).map(|address| address.origin()));
                if cut.is_empty() || before.is_err() || before != after || !self.raw(inner).ends_with(cut) {
                    return Err(ESCAPED);
                }
                Ok(Fix {
                    edits: vec![removal(Span { start: inner.end - cut.len(), end: inner.end })],
                    changes: vec![(value.at.span, Change::Value(Zeroizing::new(kept.to_owned())))],
                    text: format!("`{label}` ends before `/api`"),
                })
            }
            What::Remove { key, index: element } => {
                let removed = shared.removed.get(key).ok_or(UNPROVEN)?;
                let mut fix = self.remove(*key, *element, removed, index)?;
                fix.text = format!("`{label}` goes, it is listed before");
                Ok(fix)
            }
            What::Rename { key, to, kind, field } => {
                let mut fix = self.rename(*key, to, kind, field, index, shared)?;
                fix.text = format!("`{label}` becomes `{to}`");
                Ok(fix)
            }
        }
    }

    /// The string that a key has, if it is written out there and nowhere else used.
    fn leaf<'d>(&self, key: Span, index: &Index<'d>) -> Result<&'d Value, Refusal> {
        let value = &index.slot(key)?.entry.value;
        if !matches!(value.node, Node::Scalar(Scalar::Text, _)) {
            return Err("it is not written out as one string");
        }
        self.own(key, value, index)
    }

    /// A value that stands after its key, and nowhere else.
    fn own<'d>(&self, key: Span, value: &'d Value, index: &Index<'d>) -> Result<&'d Value, Refusal> {
        let once = index.values.get(&value.at.span) == Some(&1);
        let there = value.at.span.start >= key.end && value.via.is_none() && value.at.span.end <= self.text.len();
        if once && there { Ok(value) } else { Err(ALIASED) }
    }

    fn remove(&self, key: Span, at: usize, removed: &BTreeSet<usize>, index: &Index<'_>) -> Result<Fix, Refusal> {
        let value = &index.slot(key)?.entry.value;
        self.own(key, value, index)?;
        let fix = |edits, changes| Fix { edits, changes, text: String::new() };
        let Node::List(items) = &value.node else {
            // A variable: its list is written in one piece.
            let value = self.leaf(key, index)?;
            let (inner, decoded) = (self.inner(value.at.span), self.decoded(value));
            if self.raw(inner) != decoded || !self.file.is_dotenv() {
                return Err(ESCAPED);
            }
            let pieces: Vec<&str> = decoded.split(',').collect();
            if at == 0 || at >= pieces.len() {
                return Err(UNPROVEN);
            }
            let start = inner.start + pieces[..at].iter().map(|piece| piece.len() + 1).sum::<usize>() - 1;
            let end = start + 1 + pieces[at].len();
            let kept = pieces.iter().enumerate().filter(|(index, _)| !removed.contains(index)).map(|(_, piece)| *piece);
            let kept = Zeroizing::new(kept.collect::<Vec<_>>().join(","));
            return Ok(fix(vec![removal(Span { start, end })], vec![(value.at.span, Change::Value(kept))]));
        };
        let item = items.get(at).filter(|_| at > 0).ok_or(UNPROVEN)?;
        let literal = |item: &Value| matches!(item.node, Node::Scalar(Scalar::Text, _));
        let twin = |other: &Value| literal(other) && self.decoded(other) == self.decoded(item);
        if !literal(item) || !items[..at].iter().any(twin) {
            return Err("one of the two is a reference, and what that leads to may change");
        }
        self.own(key, item, index)?;
        let span = item.at.span;
        let edits = if self.raw(value.at.span).starts_with('[') {
            let gap = |index: usize| {
                let end = items.get(index + 1).map_or(value.at.span.end.saturating_sub(1), |next| next.at.span.start);
                Span { start: items[index].at.span.end, end: end.max(items[index].at.span.end) }
            };
            let last = items.len() - 1;
            let kept = (0..items.len()).rev().find(|index| !removed.contains(index)).unwrap_or(0);
            let before = self.comma(gap(at - 1)).ok_or(UNPROVEN)?;
            if at > kept && self.comma(gap(last)).is_none() {
                // Nothing stays after it: the comma before it goes.
                let alone = !self.raw(Span { start: before + 1, end: span.start }).contains('#')
                    && !self.rest_of_line(span.end).contains('#');
                if alone {
                    vec![removal(Span { start: before, end: span.end })]
                } else {
                    let comma = Span { start: before, end: before + 1 };
                    vec![removal(comma), removal(self.line(span).unwrap_or_else(|| self.with_spaces(span)))]
                }
            } else {
                let after = self.comma(gap(at)).ok_or(UNPROVEN)?;
                let whole = Span { start: span.start, end: after + 1 };
                if self.raw(Span { start: span.end, end: after }).trim().is_empty() {
                    vec![removal(self.line(whole).unwrap_or_else(|| self.with_spaces(whole)))]
                } else {
                    vec![removal(span), removal(Span { start: after, end: after + 1 })]
                }
            }
        } else {
            let before = self.text[..span.start].trim_end_matches([' ', '\t']);
            let dash = before.len().checked_sub(1).filter(|_| before.ends_with('-')).ok_or(ESCAPED)?;
            let own_line = self.text[..dash].rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
            let whole = Span { start: dash, end: span.end };
            if !own_line {
                return Err(ESCAPED);
            }
            vec![removal(self.line(whole).unwrap_or_else(|| self.with_spaces(whole)))]
        };
        Ok(fix(edits, vec![(span, Change::Gone)]))
    }

    fn rename(
        &self,
        key: Span,
        to: &str,
        kind: &'static Kind,
        field: &Field,
        index: &Index<'_>,
        shared: &Shared,
    ) -> Result<Fix, Refusal> {
        let slot = index.slot(key)?;
        let dotenv = self.file.is_dotenv();
        let (prefix, word) = match slot.entry.key.rsplit_once("__").filter(|_| dotenv) {
            Some((prefix, word)) => (Some(prefix), word.to_lowercase()),
            None => (None, slot.entry.key.clone()),
        };
        // The kind and the name of the profile must be right, or a variable would move to another profile.
        if slot.depth != if dotenv { 0 } else { 2 } || prefix != to.rsplit_once("__").map(|(prefix, _)| prefix) {
            return Err("it is not a field of a profile");
        }
        let near: Vec<&str> = kind.field_names().filter(|name| is_slip(&word, [*name])).collect();
        if near != [field.name] {
            return Err("it is not near enough to one field only");
        }
        let is = |entry: &Entry, name: &str| entry.key == name;
        let file = format!("{to}_FILE");
        if slot.table.iter().any(|entry| is(entry, to) || (dotenv && is(entry, &file))) {
            return Err("the right name is there already");
        }
        let twins = slot.table.first().and_then(|first| shared.names.get(&(first.at.span, to.to_owned())));
        if twins.is_some_and(|&count| count > 1) {
            return Err("two keys would have one name");
        }
        let fits = match (&slot.entry.value.node, field.ty) {
            (Node::Table(_), _) => true,
            (Node::List(_), ty) => ty.is_list(),
            (Node::Scalar(Scalar::Text, _), ty) => dotenv || !ty.is_list(),
            _ => false,
        };
        if !fits {
            return Err("what it holds is of another type");
        }
        let inner = self.inner(key);
        if self.raw(inner) != slot.entry.key {
            return Err(ESCAPED);
        }
        let edits = vec![(inner, Zeroizing::new(to.to_owned()))];
        Ok(Fix { edits, changes: vec![(key, Change::Key(to.to_owned()))], text: String::new() })
    }

    fn raw(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// A range without its quotes.
    fn inner(&self, span: Span) -> Span {
        let raw = self.raw(span);
        for quote in ["\"\"\"", "'''", "\"", "'"] {
            if raw.len() >= 2 * quote.len() && raw.starts_with(quote) && raw.ends_with(quote) {
                return Span { start: span.start + quote.len(), end: span.end - quote.len() };
            }
        }
        span
    }

    fn decoded(&self, value: &Value) -> &str {
        decoded(value, &self.vault)
    }

    /// The comma between two elements, comments aside.
    fn comma(&self, gap: Span) -> Option<usize> {
        let mut comment = false;
        self.raw(gap).char_indices().find_map(|(offset, c)| {
            comment = (comment || c == '#') && c != '\n';
            (c == ',' && !comment).then_some(gap.start + offset)
        })
    }

    fn rest_of_line(&self, at: usize) -> &str {
        self.text[at..].split('\n').next().unwrap_or_default()
    }

    /// The whole lines of a range, if nothing else stands on them.
    fn line(&self, span: Span) -> Option<Span> {
        let start = self.text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let rest = self.rest_of_line(span.end);
        if !self.raw(Span { start, end: span.start }).trim().is_empty() || !rest.trim().is_empty() {
            return None;
        }
        let end = span.end + rest.len();
        if end < self.text.len() {
            return Some(Span { start, end: end + 1 });
        }
        // The last line, which has no end: then the end of the line before goes.
        Some(Span { start: self.text[..start].trim_end_matches(['\n', '\r']).len(), end })
    }

    /// A range with the spaces after it.
    fn with_spaces(&self, span: Span) -> Span {
        let rest = &self.text[span.end..];
        Span { start: span.start, end: span.end + (rest.len() - rest.trim_start_matches([' ', '\t']).len()) }
    }

    /// The new text, if it says what it should.
    fn proven<'f>(&self, fixes: impl Iterator<Item = &'f Fix>) -> Option<Zeroizing<String>> {
        let (mut edits, mut changes) = (Vec::new(), HashMap::new());
        for fix in fixes {
            edits.extend(fix.edits.iter().map(|(span, with)| (*span, with.as_str())));
            changes.extend(fix.changes.iter().map(|(span, change)| (*span, change)));
        }
        edits.sort_by_key(|(span, _)| *span);
        let room = self.text.len() + edits.iter().map(|(_, with)| with.len()).sum::<usize>();
        // One allocation of the right size: a growing one would leave copies behind.
        let mut text = Zeroizing::new(String::with_capacity(room));
        let mut at = 0;
        for (span, with) in edits {
            text.push_str(self.text.get(at..span.start)?);
            text.push_str(with);
            at = span.end;
        }
        text.push_str(self.text.get(at..)?);
        let mut vault = Vault::default();
        let root = self.file.parse(&text, self.source, &mut vault)?;
        let proof = Proof { old: &self.vault, new: &vault, changes };
        proof.same(&self.root, &root).then_some(text)
    }
}

fn removal(span: Span) -> (Span, Zeroizing<String>) {
    (span, Zeroizing::default())
}

fn decoded<'v>(value: &Value, vault: &'v Vault) -> &'v str {
    match value.node {
        #[expect(
            clippy::disallowed_methods,
            reason = "compares what a file said with what it will say; prints nothing"
        )]
        Node::Scalar(_, handle) => vault.open(handle),
        _ => "",
    }
}

impl<'d> Index<'d> {
    /// The key at a place, unless the table that holds it is there twice.
    fn slot(&self, key: Span) -> Result<&Slot<'d>, Refusal> {
        let slot = self.keys.get(&key).ok_or(UNPROVEN)?;
        if slot.times > 1 { Err(ALIASED) } else { Ok(slot) }
    }

    fn value(&mut self, value: &'d Value, depth: usize) {
        *self.values.entry(value.at.span).or_insert(0) += 1;
        match &value.node {
            Node::Table(table) => {
                for entry in table {
                    let slot = Slot { entry, table, depth, times: 0 };
                    self.keys.entry(entry.at.span).or_insert(slot).times += 1;
                    self.value(&entry.value, depth + 1);
                }
            }
            Node::List(items) => items.iter().for_each(|item| self.value(item, depth + 1)),
            _ => {}
        }
    }
}

/// Compares two trees: the new one must be the old one with the changes, and nothing else.
struct Proof<'p> {
    old: &'p Vault,
    new: &'p Vault,
    changes: HashMap<Span, &'p Change>,
}

impl Proof<'_> {
    fn same(&self, old: &Value, new: &Value) -> bool {
        let stays = |value: &&Value| !matches!(self.changes.get(&value.at.span), Some(Change::Gone));
        match (&old.node, &new.node) {
            (Node::Null, Node::Null) => true,
            (Node::Scalar(one, _), Node::Scalar(other, _)) => {
                let expected = match self.changes.get(&old.at.span) {
                    Some(Change::Value(value)) => value.as_str(),
                    _ => decoded(old, self.old),
                };
                one == other && expected == decoded(new, self.new)
            }
            (Node::List(one), Node::List(other)) => {
                let one: Vec<&Value> = one.iter().filter(stays).collect();
                one.len() == other.len() && one.into_iter().zip(other).all(|(old, new)| self.same(old, new))
            }
            (Node::Table(one), Node::Table(other)) => {
                let entry = |old: &Entry, new: &Entry| {
                    let expected = match self.changes.get(&old.at.span) {
                        Some(Change::Key(name)) => name,
                        _ => &old.key,
                    };
                    *expected == new.key && self.same(&old.value, &new.value)
                };
                one.len() == other.len() && one.iter().zip(other).all(|(old, new)| entry(old, new))
            }
            _ => false,
        }
    }
}
