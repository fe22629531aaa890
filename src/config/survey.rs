//! Surveys the trees: the profiles, the fields that each layer sets, and unknown keys.

use std::collections::HashMap;

use super::flaws::Flaws;
use super::layer::Origin;
use super::layers::Tree;
use super::setting::{Unknown, UnknownKind};
use super::{merge, types};
use crate::code::Code;
use crate::schema::{self, Kind, ProfileId, fold};
use crate::secret::Vault;
use crate::source::{self, Entry, Node, Problem, Spot, Value};
use crate::text;

/// A field as set by one layer.
pub(super) struct Leaf<'a> {
    pub(super) layer: usize,
    pub(super) at: Spot,
    pub(super) via: Option<Spot>,
    pub(super) value: &'a Value,
}

/// A profile that some layer mentions.
pub(super) struct Header {
    pub(super) id: ProfileId,
    pub(super) at: Spot,
    pub(super) broken: bool,
    /// True if a file mentions it, not only variables.
    file: bool,
    /// For each field of the kind, the leaves that set it, low to high.
    pub(super) leaves: Vec<Vec<usize>>,
    pub(super) flaws: Flaws,
}

/// The layer being surveyed.
struct Context<'v> {
    layer: usize,
    /// True for a file, false for variables.
    file: bool,
    vault: &'v Vault,
}

/// The content of all layers, by profile and field.
#[derive(Default)]
pub(super) struct Survey<'a> {
    pub(super) leaves: Vec<Leaf<'a>>,
    /// The profiles, with their indexes by kind and folded name.
    pub(super) headers: Vec<Header>,
    pub(super) numbers: HashMap<(&'static Kind, String), usize>,
    /// The leaves of each layer, by number.
    pub(super) layers: Vec<merge::Tree>,
    /// Errors outside profiles.
    pub(super) outside: Flaws,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Survey<'a> {
    /// Surveys all layers, low to high.
    pub(super) fn new(trees: &'a [Tree], vault: &Vault) -> Self {
        let mut survey = Self::default();
        for (layer, tree) in trees.iter().enumerate() {
            survey.layers.push(merge::Tree::new());
            survey.add_layer(&Context { layer, file: tree.layer.origin.is_file(), vault }, tree);
        }
        survey.report_misspelt_profiles();
        // All profiles must be known first.
        for tree in trees {
            survey.report_unmatched_variables(tree);
        }
        survey
    }

    fn add_layer(&mut self, context: &Context<'_>, tree: &'a Tree) {
        let mut unnamed = false;
        for entry in &tree.entries {
            let shown = || source::shown_path(&[&entry.key]);
            match Kind::find(&entry.key) {
                Some(kind) => match &entry.value.node {
                    Node::Table(profiles) => self.add_profiles(context, kind, profiles),
                    Node::Null => {}
                    node => self.outside.add_mistyped(shown(), entry.at, node.describe(), "a table of profiles"),
                },
                None if entry.key == "lint" => {
                    let is_user = tree.layer.origin == Origin::User;
                    let known = if is_user { schema::USER_LINT_KEYS } else { schema::LINT_KEYS };
                    types::check_lint(entry, known, &mut self.outside);
                }
                // `own_names` reads this table. The user's file can't have one.
                None if entry.key == "names" && tree.layer.origin != Origin::User => {}
                // `limits` reads this table. Project files can't have one.
                None if entry.key == "trust" && tree.layer.origin == Origin::User => {}
                None if schema::is_ignored_key(&entry.key) => {}
                None => match profile_in_unknown_table(&entry.value) {
                    Some(meant) => self.outside.add_misplaced(UnknownKind::Table, shown(), entry.at, meant),
                    None => {
                        let exact = Kind::all().iter().filter(|kind| kind.field(&entry.key).is_some());
                        let mut kinds = exact.chain(Kind::all());
                        match kinds.find_map(|&kind| Some((kind, field_without_profile(kind, entry)?))) {
                            Some((kind, field)) => self.report_profileless(kind, field, shown(), entry, &mut unnamed),
                            None => {
                                let known = schema::top_keys().collect();
                                let at = (shown(), entry.at);
                                self.outside.add_alias(UnknownKind::Table, at, &entry.key, known, Vec::new());
                            }
                        }
                    }
                },
            }
        }
    }

    /// Reports profiles that only variables mention, that lack a required field, and whose names are similar to a
    /// profile in a file: the variables probably misspell that name.
    fn report_misspelt_profiles(&mut self) {
        let of_file = |header: &&Header| header.file;
        let near = |header: &Header| {
            let same = self.headers.iter().filter(of_file).filter(|other| other.id.kind == header.id.kind);
            let name = fold(&header.id.name);
            same.map(|other| &other.id).find(|other| is_misspelt(&name, &fold(&other.name))).cloned()
        };
        let misspelt: Vec<(usize, ProfileId)> = (0..self.headers.len())
            .filter(|&number| !self.headers[number].file && self.headers[number].lacks_required_field())
            .filter_map(|number| Some((number, near(&self.headers[number])?)))
            .collect();
        let mut found = Vec::new();
        for (number, meant) in misspelt.into_iter().rev() {
            let Header { id, leaves, .. } = self.headers.remove(number);
            for layer in &mut self.layers {
                layer.get_mut(id.kind.name).map(|profiles| profiles.remove(&fold(&id.name)));
            }
            let set = id.kind.fields.iter().zip(leaves).filter_map(|(field, of)| Some((field.name, *of.last()?)));
            found.extend(set.map(|(field, leaf)| (id.variable(field), self.leaves[leaf].at, meant.clone(), field)));
        }
        let place = |(number, header): (usize, &Header)| ((header.id.kind, fold(&header.id.name)), number);
        self.numbers = self.headers.iter().enumerate().map(place).collect();
        for (key, at, profile, field) in found {
            let (suggestion, meant) = (Some(profile.variable(field)), Some(field));
            let unknown = Unknown { suggestion, meant, ..Unknown::new(UnknownKind::Variable, key, at) };
            let number = self.numbers[&(profile.kind, fold(&profile.name))];
            self.headers[number].flaws.unknown.push(unknown);
        }
    }

    /// Reports variables that match no field.
    fn report_unmatched_variables(&mut self, tree: &Tree) {
        for stray in &tree.strays {
            let suggestion = stray.suggestion();
            let unknown = Unknown {
                meant: suggestion.as_ref().map(|(_, field)| *field),
                suggestion: suggestion.map(|(name, _)| name),
                aliases: stray.fields_by_alias(),
                ..Unknown::new(UnknownKind::Variable, stray.shown_name(), stray.at)
            };
            let number = stray.profile().and_then(|(kind, name)| self.numbers.get(&(kind, schema::fold(&name))));
            let flaws = number.map_or(&mut self.outside, |&number| &mut self.headers[number].flaws);
            flaws.unknown.push(unknown);
        }
    }

    fn add_profiles(&mut self, context: &Context<'_>, kind: &'static Kind, profiles: &'a [Entry]) {
        let mut seen: HashMap<String, Spot> = HashMap::new();
        let mut unnamed = false;
        for entry in profiles {
            if let Some(field) = field_without_profile(kind, entry) {
                self.report_profileless(kind, field, source::shown_path(&[kind.name, &entry.key]), entry, &mut unnamed);
                continue;
            }
            if !schema::is_profile_name(&entry.key) {
                self.problems.push(bad_name(kind, entry));
                continue;
            }
            let folded = schema::fold(&entry.key);
            if let Some(&first) = seen.get(&folded) {
                self.problems.push(duplicate_profile(kind, entry, first));
                continue;
            }
            seen.insert(folded.clone(), entry.at);
            let number = self.profile_index(context, kind, &folded, entry);
            match &entry.value.node {
                Node::Table(fields) => {
                    self.add_fields(context, number, &folded, fields, entry.value.via.as_deref().copied());
                }
                Node::Null => {}
                node => {
                    let header = &mut self.headers[number];
                    header.broken = true;
                    let key = source::shown_path(&[kind.name, &entry.key]);
                    header.flaws.add_mistyped(key, entry.at, node.describe(), "a table of fields");
                }
            }
        }
    }

    /// Reports the first field of a table that lacks the name of a profile.
    fn report_profileless(&mut self, kind: &Kind, field: &str, shown: String, entry: &Entry, unnamed: &mut bool) {
        if !std::mem::replace(unnamed, true) {
            let meant = format!("{kind}.{}.{field}", kind.first);
            self.outside.add_misplaced(UnknownKind::Profileless, shown, entry.at, meant);
        }
    }

    /// Returns the index of a profile. Its spelling and location are those of the highest file, or of a variable if no
    /// file has it.
    fn profile_index(&mut self, context: &Context<'_>, kind: &'static Kind, folded: &str, entry: &Entry) -> usize {
        let id = ProfileId::new(kind, &entry.key);
        let number = *self.numbers.entry((kind, folded.to_owned())).or_insert_with(|| {
            self.headers.push(Header {
                id: id.clone(),
                at: entry.at,
                broken: false,
                file: false,
                leaves: vec![Vec::new(); kind.fields.len()],
                flaws: Flaws::default(),
            });
            self.headers.len() - 1
        });
        if context.file {
            let header = &mut self.headers[number];
            (header.id, header.at, header.file) = (id, entry.at, true);
        }
        number
    }

    fn add_fields(
        &mut self,
        context: &Context<'_>,
        number: usize,
        folded: &str,
        fields: &'a [Entry],
        via: Option<Spot>,
    ) {
        let header = &mut self.headers[number];
        let (kind, name) = (header.id.kind, header.id.name.clone());
        for entry in fields {
            let shown = || source::shown_path(&[kind.name, &name, &entry.key]);
            let Some(position) = kind.fields.iter().position(|field| field.name == entry.key) else {
                // A profile nested in a profile.
                let meant = format!("{name}-{}", entry.key);
                if is_table_of_fields(kind, &entry.value) && schema::is_profile_name(&meant) {
                    let meant = ProfileId::new(kind, &meant).to_string();
                    header.flaws.add_misplaced(UnknownKind::Table, shown(), entry.at, meant);
                    // Fields that seem missing are in the nested table.
                    header.broken |= fields.iter().all(|entry| kind.field(&entry.key).is_none());
                    continue;
                }
                header.flaws.add_foreign(shown(), entry.at, &entry.key, kind);
                continue;
            };
            if matches!(entry.value.node, Node::Null) {
                continue;
            }
            let field = &kind.fields[position];
            types::check_field(field, &shown, entry, context.file, context.vault, &mut header.flaws);
            let leaf = self.leaves.len();
            let via = entry.value.via.as_deref().copied().or(via);
            self.leaves.push(Leaf { layer: context.layer, at: entry.at, via, value: &entry.value });
            header.leaves[position].push(leaf);
            let profiles = self.layers[context.layer].entry(kind.name.to_owned()).or_default();
            profiles.entry(folded.to_owned()).or_default().insert(field.name.to_owned(), leaf);
        }
    }
}

/// Returns the profile in an unknown table of tables: `[prod.messaging.reports]`.
fn profile_in_unknown_table(value: &Value) -> Option<String> {
    value.entries().iter().find_map(|table| {
        let kind = Kind::find(&table.key)?;
        let profile = table.value.entries().iter().find(|profile| schema::is_profile_name(&profile.key))?;
        Some(ProfileId::new(kind, &profile.key).to_string())
    })
}

/// Returns `true` if a name differs from another by one added or missing letter, or by two swapped ones. Names with a
/// different letter, such as `team_a` and `team_b`, are distinct; so are short names.
fn is_misspelt(name: &str, other: &str) -> bool {
    let letters = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    name.len().min(other.len()) >= 4
        && text::is_typo(name, [other])
        && (name.len() != other.len() || letters(name) == letters(other))
}

impl Header {
    /// Returns `true` if a required field is missing.
    fn lacks_required_field(&self) -> bool {
        let kind = self.id.kind;
        let set =
            |name: &str| kind.fields.iter().zip(&self.leaves).any(|(field, of)| field.name == name && !of.is_empty());
        let required = kind.fields.iter().filter(|field| field.required).any(|field| !set(field.name));
        let pairless =
            !kind.pairs.is_empty() && !kind.pairs.iter().any(|pair| set(pair.id.field) && set(pair.key.field));
        required || pairless
    }
}

/// Returns `true` if a value is a profile whose name is that of a field: a table with a field.
fn is_table_of_fields(kind: &Kind, value: &Value) -> bool {
    matches!(&value.node, Node::Table(keys) if keys.is_empty() || keys.iter().any(|key| kind.field(&key.key).is_some()))
}

/// Returns the field that an entry outside a profile means, by its own name, a mistyped name or another program's name.
fn field_without_profile(kind: &Kind, entry: &Entry) -> Option<&'static str> {
    if is_table_of_fields(kind, &entry.value) {
        return None;
    }
    let field = kind.field(&entry.key).map(|field| field.name);
    if matches!(entry.value.node, Node::Table(_) | Node::Null) {
        return field;
    }
    field
        .or_else(|| Some(kind.fields_by_alias(&entry.key).next()?.name))
        .or_else(|| text::nearest(&entry.key, kind.field_names()))
}

fn bad_name(kind: &Kind, entry: &Entry) -> Problem {
    let message = format!("invalid {kind} profile name: {}", schema::name_flaw(&entry.key));
    Problem::new(Code::BadName, message)
        .help("use lower-case letters and digits, joined by single `-` or `_`, such as `nightly-reports`")
        .at(entry.at, "invalid name")
}

fn duplicate_profile(kind: &Kind, entry: &Entry, first: Spot) -> Problem {
    Problem::new(Code::DuplicateKey, format!("the profile {kind}.{} is defined twice in one file", entry.key))
        .help("keep one of the two; `-` and `_` are the same in profile names")
        .at(entry.at, "defined again here")
        .at(first, "first defined here")
}
