//! Looking through the trees: which profiles there are, which fields each layer sets, what means nothing, what is of
//! the wrong type; and then the merge.

use std::collections::HashMap;

use super::layers::Tree;
use super::reference::Resolver;
use super::{Merged, Mistyped, Origin, Setting, Shape, Unknown, provider};
use crate::schema::{self, Field, Kind, ProfileId, Type};
use crate::source::{self, Entry, Node, Problem, Reader, Scalar, Spot, Value};
use crate::text;

/// One field that one layer sets.
struct Leaf<'a> {
    layer: usize,
    at: Spot,
    value: &'a Value,
}

/// What the layers say, sorted by field.
#[derive(Default)]
pub(super) struct Survey<'a> {
    leaves: Vec<Leaf<'a>>,
    /// For each layer, the profiles and fields it sets, for figment.
    dicts: Vec<provider::Tables>,
    /// Every profile, by kind and folded name.
    profiles: HashMap<(Kind, String), Header>,
    pub(super) unknown: Vec<Unknown>,
    pub(super) mistyped: Vec<Mistyped>,
    pub(super) problems: Vec<Problem>,
}

struct Header {
    id: ProfileId,
    at: Spot,
    file: bool,
    mistyped: bool,
}

impl<'a> Survey<'a> {
    pub(super) fn layer(&mut self, index: usize, tree: &'a Tree) {
        let mut tables = provider::Tables::default();
        let file = !matches!(tree.origin, Origin::Dotenv | Origin::Environment);
        for entry in &tree.entries {
            match Kind::find(&entry.key) {
                Some(kind) => match &entry.value.node {
                    Node::Table(profiles) => self.profiles(index, kind, profiles, file, &mut tables),
                    Node::Null => {}
                    node => self.mistype(&[&entry.key], entry.at, node.describe(), "a table of profiles", None),
                },
                None if entry.key == "lint" => self.lint(entry),
                None => self.unknown(&[&entry.key], entry.at, schema::top_keys().collect(), None),
            }
        }
        for stray in &tree.strays {
            let profile = stray.profile().and_then(|(kind, name)| {
                self.profiles.get(&(kind, schema::fold(&name))).map(|header| header.id.clone())
            });
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
        self.dicts.push(tables);
    }

    fn profiles(&mut self, layer: usize, kind: Kind, profiles: &'a [Entry], file: bool, tables: &mut provider::Tables) {
        let mut seen: HashMap<String, Spot> = HashMap::new();
        for entry in profiles {
            if !schema::is_profile_name(&entry.key) {
                self.problems.push(
                    Problem::new("bad-name", format!("a {kind} profile can't be called so"))
                        .help("a name has lower case letters and digits, in groups joined by one `-` or `_`, such as `nightly-reports`; names are printed, so nothing that looks like a credential passes")
                        .at(entry.at, "this name"),
                );
                continue;
            }
            let folded = schema::fold(&entry.key);
            if let Some(&first) = seen.get(&folded) {
                self.problems.push(
                    Problem::new("duplicate-key", format!("the profile {kind}.{} stands twice in one file", entry.key))
                        .help("`-` and `_` are one letter in names; keep one of the two")
                        .at(entry.at, "again here")
                        .at(first, "first here"),
                );
                continue;
            }
            seen.insert(folded.clone(), entry.at);
            let id = ProfileId::new(kind, &entry.key);
            // The spelling and the place of the highest file; of a variable only if there is no file.
            let header = self.profiles.entry((kind, folded.clone())).or_insert_with(|| Header {
                id: id.clone(),
                at: entry.at,
                file,
                mistyped: false,
            });
            if file {
                (header.id, header.at, header.file) = (id, entry.at, true);
            }
            let id = header.id.clone();
            match &entry.value.node {
                Node::Table(fields) => {
                    let leaves = self.fields(layer, &id, fields, file);
                    tables.profile(kind, folded, leaves);
                }
                Node::Null => tables.profile(kind, folded, Vec::new()),
                node => {
                    header.mistyped = true;
                    self.mistype(&[kind.name(), &entry.key], entry.at, node.describe(), "a table of fields", Some(id));
                }
            }
        }
    }

    fn fields(&mut self, layer: usize, id: &ProfileId, fields: &'a [Entry], file: bool) -> Vec<(&'static str, usize)> {
        let mut leaves = Vec::new();
        for entry in fields {
            let path = [id.kind.name(), &id.name, &entry.key];
            match id.kind.field(&entry.key) {
                None => {
                    self.unknown(&path, entry.at, id.kind.fields().iter().map(|field| field.name).collect(), Some(id));
                }
                Some(_) if matches!(entry.value.node, Node::Null) => {}
                Some(field) => {
                    self.types(field, &path, entry, id, file);
                    self.leaves.push(Leaf { layer, at: entry.at, value: &entry.value });
                    leaves.push((field.name, self.leaves.len() - 1));
                }
            }
        }
        leaves
    }

    /// Looks for wrong types and for unknown keys of references.
    fn types(&mut self, field: &Field, path: &[&str], entry: &'a Entry, id: &ProfileId, file: bool) {
        let expected = match field.ty {
            Type::List => "a list of strings".to_owned(),
            Type::Text | Type::Choice(_) => "a string, `{ env = \"NAME\" }` or `{ file = \"PATH\" }`".to_owned(),
        };
        match &entry.value.node {
            Node::Conflict(_) => {}
            Node::Table(keys) => self.reference(path, entry.at, keys, id, &expected),
            // A list is one string only where there is no other way to say it: in a variable.
            Node::Scalar(Scalar::Text, _) if field.ty != Type::List || !file => {}
            Node::List(items) if field.ty == Type::List => {
                for (index, item) in items.iter().enumerate() {
                    match &item.node {
                        Node::Scalar(Scalar::Text, _) => {}
                        Node::Table(keys) => self.reference(path, item.at, keys, id, "a string"),
                        node => {
                            let key = format!("{}[{index}]", source::shown_path(path));
                            let (found, expected) = (node.describe(), "a string".to_owned());
                            self.mistyped.push(Mistyped {
                                key,
                                at: item.at,
                                found,
                                expected,
                                profile: Some(id.clone()),
                            });
                        }
                    }
                }
            }
            node => self.mistype(path, entry.at, node.describe(), &expected, Some(id.clone())),
        }
    }

    fn reference(&mut self, path: &[&str], at: Spot, keys: &'a [Entry], id: &ProfileId, expected: &str) {
        let mut known = 0;
        for entry in keys {
            let path = [path, &[&entry.key]].concat();
            if !schema::REFERENCE_KEYS.contains(&entry.key.as_str()) {
                self.unknown(&path, entry.at, schema::REFERENCE_KEYS.to_vec(), Some(id));
                continue;
            }
            known += 1;
            if !matches!(entry.value.node, Node::Scalar(Scalar::Text, _)) {
                self.mistype(&path, entry.at, entry.value.node.describe(), "a string", Some(id.clone()));
            }
        }
        if known == 0 && keys.is_empty() {
            self.mistype(path, at, "an empty table", expected, Some(id.clone()));
        }
    }

    fn lint(&mut self, entry: &'a Entry) {
        match &entry.value.node {
            Node::Table(keys) => {
                for key in keys {
                    if !schema::LINT_KEYS.contains(&key.key.as_str()) {
                        self.unknown(&["lint", &key.key], key.at, schema::LINT_KEYS.to_vec(), None);
                    } else if key.key == "fail_on"
                        && !matches!(key.value.node, Node::Scalar(Scalar::Text, _) | Node::Null)
                    {
                        self.mistype(&["lint", "fail_on"], key.at, key.value.node.describe(), "a string", None);
                    }
                }
            }
            Node::Null => {}
            node => self.mistype(&["lint"], entry.at, node.describe(), "a table", None),
        }
    }

    fn unknown(&mut self, path: &[&str], at: Spot, expected: Vec<&'static str>, profile: Option<&ProfileId>) {
        let word = path.last().copied().unwrap_or_default();
        let near = text::nearest(word, expected.iter().copied());
        let meant = near.filter(|_| path.len() == 3);
        let (key, suggestion) = (source::shown_path(path), near.map(str::to_owned));
        self.unknown.push(Unknown { key, at, suggestion, meant, expected, profile: profile.cloned(), variable: false });
    }

    fn mistype(&mut self, path: &[&str], at: Spot, found: &'static str, expected: &str, profile: Option<ProfileId>) {
        let key = source::shown_path(path);
        self.mistyped.push(Mistyped { key, at, found, expected: expected.to_owned(), profile });
    }

    /// Lets figment decide which leaf wins, and resolves the winners only.
    pub(super) fn merge(
        &mut self,
        trees: &[Tree],
        reader: &mut Reader<'_>,
        resolver: &mut Resolver<'_>,
        problems: &mut Vec<Problem>,
    ) -> Vec<Merged> {
        let dicts = std::mem::take(&mut self.dicts);
        let mut history: HashMap<(Kind, &str, &str), Vec<usize>> = HashMap::new();
        for tables in &dicts {
            for (kind, name, field, leaf) in tables.leaves() {
                history.entry((kind, name, field)).or_default().push(leaf);
            }
        }
        let mut merged = Vec::new();
        for (kind, name, fields) in provider::merge(&dicts, trees) {
            let Some(header) = self.profiles.get(&(kind, name.clone())) else { continue };
            let mut settings = Vec::new();
            // In the order of the schema, so that a report reads the same whatever the order of the file.
            for field in kind.fields() {
                let Some(&winner) = fields.get(field.name) else { continue };
                let leaf = &self.leaves[winner];
                let base = trees[leaf.layer].base.as_deref();
                let variable = matches!(trees[leaf.layer].origin, Origin::Dotenv | Origin::Environment);
                let shape = resolver.shape(field, leaf.value, base, variable, reader).unwrap_or_else(|problem| {
                    problems.push(problem);
                    Shape::Mistyped
                });
                let shadows = history.get(&(kind, name.as_str(), field.name)).into_iter().flatten().rev();
                let shadows = shadows
                    .filter(|&&other| other != winner)
                    .map(|&other| (self.leaves[other].layer, self.leaves[other].at));
                settings.push(Setting { field, layer: leaf.layer, at: leaf.at, shape, shadows: shadows.collect() });
            }
            merged.push(Merged { id: header.id.clone(), at: header.at, mistyped: header.mistyped, settings });
        }
        for header in self.profiles.values() {
            if header.mistyped && !merged.iter().any(|profile| profile.id == header.id) {
                merged.push(Merged { id: header.id.clone(), at: header.at, mistyped: true, settings: Vec::new() });
            }
        }
        merged.sort_by_key(|profile| (profile.id.kind, schema::fold(&profile.id.name)));
        // Profiles are spelled as the highest file spells them, also in what was noted before that file was read.
        for profile in self
            .unknown
            .iter_mut()
            .filter_map(|unknown| unknown.profile.as_mut())
            .chain(self.mistyped.iter_mut().filter_map(|mistyped| mistyped.profile.as_mut()))
        {
            if let Some(header) = self.profiles.get(&(profile.kind, schema::fold(&profile.name))) {
                *profile = header.id.clone();
            }
        }
        merged
    }
}
