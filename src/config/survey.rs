//! Looking through the trees: which profiles there are, which fields each layer sets, what means nothing, what is of
//! the wrong type; and then the merge.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::layers::Tree;
use super::reference::Resolver;
use super::{Merged, Mistyped, Origin, Setting, Shadow, Shape, Unknown, provider};
use crate::code::Code;
use crate::schema::{self, Field, Kind, ProfileId, Type};
use crate::secret::{Digest, Facts, MASK, Vault};
use crate::source::{self, Entry, Node, Problem, Reader, Scalar, Spot, Value};
use crate::text;

/// One field that one layer sets.
struct Leaf<'a> {
    layer: usize,
    /// The number of the profile, and that of the field in the schema.
    place: (usize, usize),
    /// The leaf that sets the same in the next lower layer that does.
    below: Option<usize>,
    at: Spot,
    via: Option<Spot>,
    value: &'a Value,
}

/// A key that something is wrong with.
struct Key<'p> {
    /// Its path as it may be printed.
    shown: String,
    at: Spot,
    profile: Option<&'p ProfileId>,
}

impl<'p> Key<'p> {
    fn new(path: &[&str], at: Spot, profile: Option<&'p ProfileId>) -> Self {
        Self { shown: source::shown_path(path), at, profile }
    }
}

/// What the layers say, sorted by field.
#[derive(Default)]
pub(super) struct Survey<'a> {
    leaves: Vec<Leaf<'a>>,
    /// Every profile, and its number by kind and folded name.
    headers: Vec<Header>,
    profiles: HashMap<(Kind, String), usize>,
    pub(super) unknown: Vec<Unknown>,
    pub(super) mistyped: Vec<Mistyped>,
    pub(super) problems: Vec<Problem>,
}

/// The layer that is looked through.
struct Context<'v> {
    layer: usize,
    /// A file, and no variables.
    file: bool,
    vault: &'v Vault,
}

struct Header {
    id: ProfileId,
    at: Spot,
    file: bool,
    mistyped: bool,
    /// For each field of the kind, the leaf of the highest layer so far.
    top: Vec<Option<usize>>,
}

/// `one` or `two`, as a message says it.
pub fn choice(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ")
}

/// Whether two layers say one field differently, as far as can be told without looking anything up: values are compared
/// as such, references by where they lead. What is empty, a stand-in or no string is compared with nothing: it is a
/// mistake of its own, or was written to be replaced.
fn differs(one: (&Value, Option<&Path>), other: (&Value, Option<&Path>), reader: &Reader<'_>) -> bool {
    #[derive(PartialEq)]
    enum Said {
        Value(Digest),
        Env(Digest),
        File(PathBuf),
    }
    let says = |(value, base): (&Value, Option<&Path>)| {
        let string = |value: &Value| match value.node {
            Node::Scalar(Scalar::Text, handle) => Some((handle, reader.vault.facts(handle))),
            _ => None,
        };
        let Node::Table(keys) = &value.node else {
            let real = |facts: &Facts| !facts.empty && facts.placeholder.is_none();
            return string(value).filter(|(_, facts)| real(facts)).map(|(_, facts)| Said::Value(facts.digest));
        };
        let [entry] = &keys[..] else { return None };
        let (handle, facts) = string(&entry.value)?;
        match entry.key.as_str() {
            "env" => Some(Said::Env(facts.digest)),
            #[expect(clippy::disallowed_methods, reason = "the path of a file, to compare it with another")]
            "file" => Some(Said::File(reader.resolve(base, reader.vault.open(handle)))),
            _ => None,
        }
    };
    says(one).zip(says(other)).is_some_and(|(one, other)| one != other)
}

impl<'a> Survey<'a> {
    pub(super) fn layer(&mut self, index: usize, tree: &'a Tree, vault: &Vault) {
        let file = !matches!(tree.origin, Origin::Dotenv | Origin::Environment);
        for entry in &tree.entries {
            match Kind::find(&entry.key) {
                Some(kind) => match &entry.value.node {
                    Node::Table(profiles) => {
                        let context = Context { layer: index, file, vault };
                        self.profiles(&context, kind, profiles);
                    }
                    Node::Null => {}
                    node => {
                        self.mistype(Key::new(&[&entry.key], entry.at, None), node.describe(), "a table of profiles");
                    }
                },
                None if entry.key == "lint" => self.lint(entry),
                None => self.unknown(Key::new(&[&entry.key], entry.at, None), &entry.key, schema::top_keys().collect()),
            }
        }
    }

    fn header(&self, kind: Kind, name: &str) -> Option<&Header> {
        self.profiles.get(&(kind, schema::fold(name))).map(|&number| &self.headers[number])
    }

    /// Variables that fit no field. Which profiles there are is known only after all layers.
    pub(super) fn strays(&mut self, tree: &Tree) {
        for stray in &tree.strays {
            let profile =
                stray.profile().and_then(|(kind, name)| self.header(kind, &name)).map(|header| header.id.clone());
            self.unknown.push(Unknown {
                key: stray.shown_name(),
                at: stray.at,
                suggestion: stray.suggestion().map(|(name, _)| name),
                meant: stray.suggestion().map(|(_, field)| field),
                expected: Vec::new(),
                profile,
                variable: true,
            });
        }
    }

    fn profiles(&mut self, context: &Context<'_>, kind: Kind, profiles: &'a [Entry]) {
        let file = context.file;
        let mut seen: HashMap<String, Spot> = HashMap::new();
        for entry in profiles {
            if !schema::is_profile_name(&entry.key) {
                self.problems.push(
                    Problem::new(Code::BadName, format!("a {kind} profile can't be called so: {}", schema::name_flaw(&entry.key)))
                        .help("a name is made of small letters and digits, in groups joined by one `-` or `_`, such as `nightly-reports`")
                        .at(entry.at, "this name"),
                );
                continue;
            }
            let folded = schema::fold(&entry.key);
            if let Some(&first) = seen.get(&folded) {
                self.problems.push(
                    Problem::new(
                        Code::DuplicateKey,
                        format!("the profile {kind}.{} stands twice in one file", entry.key),
                    )
                    .help("`-` and `_` are one letter in names; keep one of the two")
                    .at(entry.at, "again here")
                    .at(first, "first here"),
                );
                continue;
            }
            seen.insert(folded.clone(), entry.at);
            let id = ProfileId::new(kind, &entry.key);
            // The spelling and the place of the highest file; of a variable only if there is no file.
            let number = *self.profiles.entry((kind, folded)).or_insert_with(|| {
                let top = vec![None; kind.fields().len()];
                self.headers.push(Header { id: id.clone(), at: entry.at, file, mistyped: false, top });
                self.headers.len() - 1
            });
            let header = &mut self.headers[number];
            if file {
                (header.id, header.at, header.file) = (id, entry.at, true);
            }
            let id = header.id.clone();
            match &entry.value.node {
                Node::Table(fields) => {
                    self.fields(context, number, &id, fields, entry.value.via);
                }
                Node::Null => {}
                node => {
                    header.mistyped = true;
                    let key = Key::new(&[kind.name(), &entry.key], entry.at, Some(&id));
                    self.mistype(key, node.describe(), "a table of fields");
                }
            }
        }
    }

    fn fields(&mut self, context: &Context<'_>, number: usize, id: &ProfileId, fields: &'a [Entry], via: Option<Spot>) {
        for entry in fields {
            let key = || Key::new(&[id.kind.name(), &id.name, &entry.key], entry.at, Some(id));
            match id.kind.fields().iter().position(|field| field.name == entry.key) {
                None => self.unknown(key(), &entry.key, id.kind.fields().iter().map(|field| field.name).collect()),
                Some(_) if matches!(entry.value.node, Node::Null) => {}
                Some(field) => {
                    self.types(context, &id.kind.fields()[field], &key, &entry.value);
                    let via = entry.value.via.or(via);
                    let below = self.headers[number].top[field].replace(self.leaves.len());
                    let place = (number, field);
                    self.leaves.push(Leaf {
                        layer: context.layer,
                        place,
                        below,
                        at: entry.at,
                        via,
                        value: &entry.value,
                    });
                }
            }
        }
    }

    /// Looks for wrong types and for unknown keys of references. The key is spelled out only if something is wrong.
    fn types<'p>(&mut self, context: &Context<'_>, field: &Field, key: &dyn Fn() -> Key<'p>, value: &'a Value) {
        const TEXT: &str = "a string, `{ env = \"NAME\" }` or `{ file = \"PATH\" }`";
        match (&value.node, field.ty) {
            (Node::Conflict(_), _) => {}
            (Node::Scalar(Scalar::Text, handle), Type::Choice(words)) => {
                let known = context.vault.shown(*handle, field.show).is_some();
                if !known && !context.vault.facts(*handle).empty {
                    self.mistype(key(), "another string", &choice(words));
                }
            }
            (Node::Scalar(Scalar::Text, _), Type::Text | Type::Path) => {}
            // A list is one string only where there is no other way to say it: in a variable.
            (Node::Scalar(Scalar::Text, _), Type::List) if !context.file => {}
            (Node::Table(keys), Type::List) => self.reference(key, keys, "a list of strings"),
            (Node::Table(keys), _) => self.reference(key, keys, TEXT),
            (Node::List(items), Type::List) => {
                for (index, item) in items.iter().enumerate() {
                    let key = || {
                        let whole = key();
                        Key { shown: format!("{}[{index}]", whole.shown), at: item.at, profile: whole.profile }
                    };
                    match &item.node {
                        Node::Scalar(Scalar::Text, _) => {}
                        Node::Table(keys) => self.reference(&key, keys, "a string"),
                        node => self.mistype(key(), node.describe(), "a string"),
                    }
                }
            }
            (node, Type::List) => self.mistype(key(), node.describe(), "a list of strings"),
            (node, _) => self.mistype(key(), node.describe(), TEXT),
        }
    }

    fn reference<'p>(&mut self, whole: &dyn Fn() -> Key<'p>, keys: &'a [Entry], expected: &str) {
        for entry in keys {
            let known = schema::REFERENCE_KEYS;
            let key = || {
                let shown = if text::is_slip(&entry.key, known.iter().copied()) { &entry.key } else { MASK };
                let whole = whole();
                Key { shown: format!("{}.{shown}", whole.shown), at: entry.at, profile: whole.profile }
            };
            if !known.contains(&entry.key.as_str()) {
                self.unknown(key(), &entry.key, known.to_vec());
            } else if !matches!(entry.value.node, Node::Scalar(Scalar::Text, _)) {
                self.mistype(key(), entry.value.node.describe(), "a string");
            }
        }
        if keys.is_empty() {
            self.mistype(whole(), "an empty table", expected);
        }
    }

    /// Looks for keys of `[lint]` that mean nothing; the rest is read by `tuning`.
    fn lint(&mut self, entry: &'a Entry) {
        let keys = match &entry.value.node {
            Node::Table(keys) => keys,
            Node::Null => return,
            node => return self.mistype(Key::new(&["lint"], entry.at, None), node.describe(), "a table"),
        };
        for entry in keys {
            match (entry.key.as_str(), &entry.value.node) {
                ("allow", Node::List(allows)) => {
                    for (index, allow) in allows.iter().enumerate() {
                        let Node::Table(entries) = &allow.node else { continue };
                        for entry in entries.iter().filter(|entry| !schema::ALLOW_KEYS.contains(&entry.key.as_str())) {
                            let shown = source::shown_key(&["lint", "allow", &entry.key]);
                            let key =
                                Key { shown: format!("lint.allow[{index}].{shown}"), at: entry.at, profile: None };
                            self.unknown(key, &entry.key, schema::ALLOW_KEYS.to_vec());
                        }
                    }
                }
                (known, _) if schema::LINT_KEYS.contains(&known) => {}
                (other, _) => {
                    self.unknown(Key::new(&["lint", other], entry.at, None), other, schema::LINT_KEYS.to_vec());
                }
            }
        }
    }

    fn unknown(&mut self, key: Key<'_>, word: &str, expected: Vec<&'static str>) {
        let near = text::nearest(word, expected.iter().copied());
        self.unknown.push(Unknown {
            key: key.shown,
            at: key.at,
            suggestion: near.map(str::to_owned),
            meant: near,
            expected,
            profile: key.profile.cloned(),
            variable: false,
        });
    }

    fn mistype(&mut self, key: Key<'_>, found: &'static str, expected: &str) {
        let (at, expected, profile) = (key.at, expected.to_owned(), key.profile.cloned());
        self.mistyped.push(Mistyped { key: key.shown, at, found, expected, profile });
    }

    /// Lets figment decide which leaves win, for each field of each profile. What one layer alone sets is not asked: a
    /// merge takes as long as all that was merged before it.
    fn winners(&self, trees: &[Tree]) -> Vec<Vec<Option<usize>>> {
        let mut winners: Vec<_> = self.headers.iter().map(|header| header.top.clone()).collect();
        let mut tables = vec![provider::Table::new(); trees.len()];
        for (number, leaf) in self.leaves.iter().enumerate() {
            let (profile, field) = leaf.place;
            let alone = leaf.below.is_none() && self.headers[profile].top[field] == Some(number);
            if !alone {
                tables[leaf.layer].push((profile * MOST_FIELDS + field, number));
                winners[profile][field] = None;
            }
        }
        for winner in provider::merge(&tables, trees) {
            let (profile, field) = self.leaves[winner].place;
            winners[profile][field] = Some(winner);
        }
        winners
    }

    /// Resolves the winners only.
    pub(super) fn merge(
        &mut self,
        trees: &[Tree],
        reader: &mut Reader<'_>,
        resolver: &mut Resolver<'_>,
        problems: &mut Vec<Problem>,
    ) -> Vec<Merged> {
        let winners = self.winners(trees);
        // By kind and name, whatever the order of the files.
        let mut order: Vec<(&(Kind, String), &usize)> = self.profiles.iter().collect();
        order.sort_unstable();
        let mut merged = Vec::with_capacity(order.len());
        for (&(kind, _), &number) in order {
            let header = &self.headers[number];
            // In the order of the schema, so that a report reads the same whatever the order of the file.
            let fields = kind.fields().iter().zip(&winners[number]);
            let set = fields.filter_map(|(field, winner)| Some((field, (*winner)?)));
            let settings = set.map(|(field, winner)| {
                let leaf = &self.leaves[winner];
                let base = trees[leaf.layer].base.as_deref();
                let variable = matches!(trees[leaf.layer].origin, Origin::Dotenv | Origin::Environment);
                let shape = resolver.shape(field, leaf.value, base, variable, reader).unwrap_or_else(|problem| {
                    problems.push(problem);
                    Shape::List(Vec::new())
                });
                let below = |leaf: &usize| self.leaves[*leaf].below;
                let all = std::iter::successors(header.top[leaf.place.1], below);
                let shadows =
                    all.filter(|&other| other != winner).map(|other| &self.leaves[other]).map(|other| Shadow {
                        layer: other.layer,
                        at: other.at,
                        differs: differs((leaf.value, base), (other.value, trees[other.layer].base.as_deref()), reader),
                    });
                Setting { field, layer: leaf.layer, at: leaf.at, via: leaf.via, shape, shadows: shadows.collect() }
            });
            let settings = settings.collect();
            merged.push(Merged { id: header.id.clone(), at: header.at, mistyped: header.mistyped, settings });
        }
        // Profiles are spelled as the highest file spells them, also in what was noted before that file was read.
        let spell = |profile: &mut ProfileId| {
            if let Some(&number) = self.profiles.get(&(profile.kind, schema::fold(&profile.name))) {
                *profile = self.headers[number].id.clone();
            }
        };
        self.unknown.iter_mut().filter_map(|unknown| unknown.profile.as_mut()).for_each(spell);
        self.mistyped.iter_mut().filter_map(|mistyped| mistyped.profile.as_mut()).for_each(spell);
        merged
    }
}

/// More fields than any kind has: a number for each field of each profile.
const MOST_FIELDS: usize = 64;
