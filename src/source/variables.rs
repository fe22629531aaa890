//! Variables of the environment and of dotenv files: `CREDLINT_MESSAGING__REPORTS__TOKEN` as a path.

use std::collections::{HashMap, HashSet};

use super::tree::{Entry, Node, Scalar, SourceId, Spot, Value};
use crate::schema::value::{key_name, shown};
use crate::schema::{self, Field, Kind};
use crate::secret::{Handle, MASK, Vault};
use crate::text::{self, Masked, Span, nearest};

pub(super) const PREFIX: &str = "CREDLINT_";

/// A variable with its location.
#[derive(Clone)]
pub struct Variable {
    /// The name. Print it with [`Variable::shown_name`] only.
    pub name: String,
    /// The location of the name.
    pub at: Spot,
    /// The value.
    pub value: Handle,
    /// The location of the value.
    pub value_at: Spot,
}

/// The variables of one layer.
#[derive(Clone, Default)]
pub struct Variables {
    all: Vec<Variable>,
    by_name: HashMap<String, usize>,
    /// True if other users can read the file.
    pub exposed: bool,
}

/// Returns `true` if a variable sets a field: `CREDLINT_X__Y`. Names without `__` are command-line options, unless they
/// name a kind and a field and lack only an underscore. Lower-case letters count as typos.
pub fn is_setting(name: &str) -> bool {
    let rest = name.get(..PREFIX.len()).filter(|start| start.eq_ignore_ascii_case(PREFIX));
    rest.is_some_and(|_| name[PREFIX.len()..].contains("__")) || split_single_underscores(name).is_some()
}

/// Splits a name with single underscores into kind, profile and field.
fn split_single_underscores(name: &str) -> Option<(&'static Kind, String, &'static Field)> {
    let upper = name.to_ascii_uppercase();
    let rest = upper.strip_prefix(PREFIX).filter(|rest| !rest.contains("__"))?;
    let of_kind = |kind: &&'static Kind| {
        let rest = rest.strip_prefix(&kind.name.to_uppercase())?.strip_prefix('_')?;
        let field = |field: &&'static Field| rest.strip_suffix(&field.name.to_uppercase())?.strip_suffix('_');
        // `…_APPLICATION_KEY_ID` also ends in the name of a shorter field.
        let found = kind.fields.iter().filter(|known| field(known).is_some()).max_by_key(|known| known.name.len())?;
        let profile = field(&found)?.to_lowercase();
        schema::is_profile_name(&profile).then_some((*kind, profile, found))
    };
    Kind::all().iter().find_map(of_kind)
}

/// The field of a profile that a setting's name means, or a file with its value.
struct Meaning {
    kind: &'static Kind,
    profile: String,
    field: &'static Field,
    file: bool,
}

impl Variable {
    /// `shown` is the name for display: the text of this source is its masked copy, so labels refer to that.
    pub(super) fn from_environment(
        (name, shown): (&str, &str),
        value: &str,
        source: SourceId,
        vault: &mut Vault,
    ) -> Self {
        let at = Spot { source, span: Span { start: 0, end: shown.len() } };
        Self { name: name.to_owned(), at, value: vault.store(value), value_at: at }
    }

    fn segments(&self) -> Vec<&str> {
        segments(&self.name)
    }

    fn meaning(&self) -> Option<Meaning> {
        let segments = self.segments();
        let [kind, name, field] = segments[..] else { return None };
        let kind = *Kind::all().iter().find(|known| known.name.to_uppercase() == kind)?;
        let profile = name.to_lowercase();
        let exact = |name: &str| kind.fields.iter().find(|field| field.name.to_uppercase() == name);
        // An exact field name takes precedence over the suffix.
        let suffixed = || Some((exact(field.strip_suffix(FILE)?)?, true));
        let (field, file) = exact(field).map(|field| (field, false)).or_else(suffixed)?;
        let is_profile = schema::is_profile_name(&profile) && name == profile.to_uppercase();
        is_profile.then_some(Meaning { kind, profile, field, file })
    }

    /// Returns the name for display.
    pub fn shown_name(&self) -> String {
        shown_name(&self.name)
    }

    /// Returns the name that was probably meant, and its field.
    pub fn suggestion(&self) -> Option<(String, &'static str)> {
        let full = |kind: &Kind, profile: &str, field: &str| {
            format!("{PREFIX}{}__{profile}__{field}", kind.name).to_uppercase()
        };
        if let Some((kind, profile, field)) = split_single_underscores(&self.name) {
            return Some((full(kind, &profile, field.name), field.name));
        }
        if !self.name.starts_with(PREFIX) {
            let upper = Self { name: self.name.to_ascii_uppercase(), ..self.clone() };
            return match upper.meaning() {
                Some(Meaning { field, .. }) => Some((upper.name, field.name)),
                None => upper.suggestion(),
            };
        }
        let segments = self.segments();
        let [kind, profile, field] = segments[..] else { return None };
        let kind = Kind::find(nearest(kind, Kind::names())?)?;
        let profile = profile.to_lowercase();
        let (called, suffix) = fields_by_alias(kind, field);
        let field = called.first().copied().or_else(|| nearest(field, kind.field_names()))?;
        let name = full(kind, &profile, field) + suffix;
        schema::is_profile_name(&profile).then_some((name, field)).filter(|(name, _)| *name != self.name)
    }

    /// Returns the fields for which other programs use the last part of the name.
    pub fn fields_by_alias(&self) -> Vec<&'static str> {
        let segments = self.segments();
        let [kind, _, field] = segments[..] else { return Vec::new() };
        Kind::find(&kind.to_lowercase()).map_or_else(Vec::new, |kind| fields_by_alias(kind, field).0)
    }

    /// Returns the profile in the name, whether the field is known or not.
    pub fn profile(&self) -> Option<(&'static Kind, String)> {
        if let Some((kind, profile, _)) = split_single_underscores(&self.name) {
            return Some((kind, profile));
        }
        let upper = Self { name: self.name.to_ascii_uppercase(), ..self.clone() };
        let segments = upper.segments();
        let kind = Kind::find(&segments.first()?.to_lowercase())?;
        Some((kind, segments.get(1)?.to_lowercase()))
    }
}

fn segments(name: &str) -> Vec<&str> {
    name.strip_prefix(PREFIX).unwrap_or_default().split("__").collect()
}

/// Returns a variable's name for display.
pub(super) fn shown_name(name: &str) -> String {
    if !is_setting(name) || !name.starts_with(PREFIX) || split_single_underscores(name).is_some() {
        return key_name(name).unwrap_or_else(|| MASK.to_owned());
    }
    let segments = segments(name);
    let lower: Vec<String> = segments.iter().map(|segment| segment.to_lowercase()).collect();
    let shown = segments.iter().enumerate().map(|(index, segment)| {
        let path: Vec<&str> = lower[..=index].iter().map(String::as_str).collect();
        let field = |field: &str| schema::is_known_key(&[path[0], path.get(1).copied().unwrap_or_default(), field]);
        let known = schema::is_known_key(&path) || (index == 2 && lower[2].strip_suffix("_file").is_some_and(field));
        // Check the original case: lower-casing would hide a random mixture of letters.
        if (known && !text::may_be_credential(segment)) || text::is_plain_name(segment) { segment } else { MASK }
    });
    PREFIX.to_owned() + &shown.collect::<Vec<_>>().join("__")
}

/// The suffix of variables with the path of a file that has the value.
const FILE: &str = "_FILE";

/// Returns the fields for which other programs use this name, and the suffix that is not part of the name.
fn fields_by_alias(kind: &Kind, word: &str) -> (Vec<&'static str>, &'static str) {
    let called = |word| kind.fields_by_alias(word).map(|field| field.name).collect::<Vec<_>>();
    let (whole, of_file) = (called(word), called(word.strip_suffix(FILE).unwrap_or(word)));
    if whole.is_empty() && !of_file.is_empty() { (of_file, FILE) } else { (whole, "") }
}

impl Variables {
    pub(crate) fn new(all: Vec<Variable>) -> Self {
        let by_name = all.iter().enumerate().map(|(index, variable)| (variable.name.clone(), index)).collect();
        Self { all, by_name, exposed: false }
    }

    /// Returns the variable with a name.
    pub fn get(&self, name: &str) -> Option<&Variable> {
        self.by_name.get(name).map(|&index| &self.all[index])
    }

    /// Returns all variables in the order of the file. If a name occurs twice, only the last one is included.
    pub fn iter(&self) -> impl Iterator<Item = &Variable> {
        self.all.iter().filter(|variable| self.get(&variable.name).is_some_and(|last| last.at == variable.at))
    }

    /// Returns the settings as a tree, and the variables that match no field.
    pub fn settings(&self) -> (Vec<Entry>, Vec<Variable>) {
        let mut top: Vec<Entry> = Vec::new();
        let mut places: HashMap<(&str, String), usize> = HashMap::new();
        let mut strays = Vec::new();
        for variable in self.all.iter().filter(|variable| is_setting(&variable.name)) {
            let Some(Meaning { kind, profile, field, file }) = variable.meaning() else {
                strays.push(variable.clone());
                continue;
            };
            let at = top.iter().position(|entry| entry.key == kind.name).unwrap_or(top.len());
            let profiles = table(&mut top, kind.name, at, variable);
            let at = *places.entry((kind.name, profile.clone())).or_insert(profiles.len());
            set_field(table(profiles, &profile, at, variable), field.name, variable, file);
        }
        (top, strays)
    }
}

/// Returns the table at an index, which is created after the others if necessary.
fn table<'a>(entries: &'a mut Vec<Entry>, name: &str, index: usize, variable: &Variable) -> &'a mut Vec<Entry> {
    if index == entries.len() {
        let value = Value::new(Node::Table(Vec::new()), variable.at);
        entries.push(Entry { key: name.to_owned(), at: variable.at, value });
    }
    match &mut entries[index].value.node {
        Node::Table(entries) => entries,
        _ => unreachable!("the path to a field has only tables"),
    }
}

fn set_field(profile: &mut Vec<Entry>, field: &str, variable: &Variable, file: bool) {
    let scalar = Value::new(Node::Scalar(Scalar::Text, variable.value), variable.value_at);
    let value = if file {
        let entry = Entry { key: "file".to_owned(), at: variable.at, value: scalar };
        Value::new(Node::Table(vec![entry]), variable.at)
    } else {
        scalar
    };
    match profile.iter_mut().find(|entry| entry.key == field) {
        None => profile.push(Entry { key: field.to_owned(), at: variable.at, value }),
        Some(entry) => {
            let first = Value::new(entry.value.node.clone(), entry.at);
            let second = Value::new(value.node, variable.at);
            entry.value.node = Node::Conflict(vec![first, second]);
        }
    }
}

/// Builds the masked copy of a dotenv file.
pub(super) fn mask(text: &str, variables: &[Variable], vault: &Vault) -> Masked {
    let (mut shown, mut values) = (Vec::new(), Vec::new());
    let mut put = |span, public| if public { &mut shown } else { &mut values }.push(span);
    for variable in variables {
        put(variable.at.span, variable.shown_name() == variable.name);
        let span = variable.value_at.span;
        let raw = text.get(span.start..span.end);
        put(span, shown_value(variable, vault).is_some_and(|value| raw == Some(value.as_str())));
    }
    Masked::new(text, &shown, &values, &HashSet::from(["export"]))
}

/// Builds the text that represents an environment variable.
pub(super) fn mask_one(variable: &Variable, shown: &str, vault: &Vault) -> Masked {
    // Reports say that a variable is empty, so there is no need to mask it.
    let empty = vault.is_empty(variable.value);
    let value = if empty { String::new() } else { shown_value(variable, vault).unwrap_or_else(|| MASK.to_owned()) };
    let text = format!("{shown}={value}");
    Masked::new(&text, &[Span { start: 0, end: text.len() }], &[], &HashSet::new())
}

/// Returns the printable value of a variable with a public field. Lists are not split.
fn shown_value(variable: &Variable, vault: &Vault) -> Option<String> {
    let Meaning { field, file, .. } = variable.meaning()?;
    vault.shown(variable.value, |value| if file { shown::path(value) } else { field.ty.show(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, value: &str, vault: &mut Vault) -> Variable {
        Variable::from_environment((name, &shown_name(name)), value, SourceId(0), vault)
    }

    #[test]
    fn maps_variable_names_to_paths() {
        let mut vault = Vault::default();
        let mut all = Vec::new();
        for (name, value) in [
            ("CREDLINT_MESSAGING__REPORTS_DAILY__TOKEN", "a"),
            ("CREDLINT_MESSAGING__REPORTS_DAILY__WEBHOOK_URL_FILE", "hook.txt"),
            ("CREDLINT_STORAGE__B__ACCOUNT_ID", "c"),
            ("CREDLINT_STORAGE__B__ACCOUNT_ID_FILE", "d.txt"),
            ("CREDLINT_MESSAGING__REPORTS__TOKN", "e"),
            ("CREDLINT_MESSAGING__TOKEN", "f"),
            ("CREDLINT_LINT__FAIL_ON", "g"),
            ("CREDLINT_MESSAGING__REPORTS__token", "h"),
            ("CREDLINT_PROFILE", "i"),
            ("OTHER", "j"),
            ("CREDLINT_MESSAGING__Reports__CA_FILE", "k"),
            ("CREDLINT_MESSAGING_REPORTS_DAILY_TOKEN", "l"),
            ("CREDLINT_MESSAGING__R__BOT_TOKEN", "m"),
            ("CREDLINT_MESSAGING__R__BOT_TOKEN_FILE", "n"),
        ] {
            all.push(variable(name, value, &mut vault));
        }
        let (entries, strays) = Variables::new(all).settings();
        let keys = |entries: &[Entry]| entries.iter().map(|entry| entry.key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(&entries), ["messaging", "storage"]);
        let Node::Table(messaging) = &entries[0].value.node else { panic!() };
        assert_eq!(keys(messaging), ["reports_daily"]);
        let Node::Table(fields) = &messaging[0].value.node else { panic!() };
        assert_eq!(keys(fields), ["token", "webhook_url"]);
        assert!(matches!(&fields[1].value.node, Node::Table(reference) if reference[0].key == "file"));
        let Node::Table(storage) = &entries[1].value.node else { panic!() };
        let Node::Table(fields) = &storage[0].value.node else { panic!() };
        assert!(matches!(&fields[0].value.node, Node::Conflict(ways) if ways.len() == 2));
        let suggested: Vec<_> = strays.iter().map(|stray| stray.suggestion().map(|(name, _)| name)).collect();
        assert_eq!(
            suggested,
            [
                Some("CREDLINT_MESSAGING__REPORTS__TOKEN"),
                None,
                None,
                Some("CREDLINT_MESSAGING__REPORTS__TOKEN"),
                Some("CREDLINT_MESSAGING__REPORTS__CA_FILE"),
                Some("CREDLINT_MESSAGING__REPORTS_DAILY__TOKEN"),
                Some("CREDLINT_MESSAGING__R__TOKEN"),
                Some("CREDLINT_MESSAGING__R__TOKEN_FILE"),
            ]
            .map(|name| name.map(str::to_owned))
        );
        assert_eq!(strays[0].suggestion().map(|(_, field)| field), Some("token"));
    }

    #[test]
    fn names_and_values_are_masked_unless_public() {
        let mut vault = Vault::default();
        for (name, value, shown) in [
            ("CREDLINT_MESSAGING__REPORTS__TOKEN", "xoxb-1", "CREDLINT_MESSAGING__REPORTS__TOKEN=********"),
            (
                "CREDLINT_MESSAGING__REPORTS__TOKEN_FILE", "/run/secrets/t",
                "CREDLINT_MESSAGING__REPORTS__TOKEN_FILE=/run/secrets/t",
            ),
            (
                "CREDLINT_MESSAGING__R__BASE_URL", "https://h.example",
                "CREDLINT_MESSAGING__R__BASE_URL=https://h.example",
            ),
            ("CREDLINT_MESSAGING__R__HUNTER2", "x", "CREDLINT_MESSAGING__R__********=********"),
            ("CREDLINT_MESSAGING__R__MY_SETTING", "x", "CREDLINT_MESSAGING__R__MY_SETTING=********"),
            ("CREDLINT_MAIL__R__TOKEN", "x", "CREDLINT_MAIL__R__TOKEN=********"),
            ("CREDLINT_MAIL__R", "x", "CREDLINT_MAIL__R=********"),
            ("CREDLINT_MESSAGING__BACKUP2024__TOKEN", "x", "CREDLINT_MESSAGING__BACKUP2024__TOKEN=********"),
            ("CREDLINT_MESSAGING__R__TOKEN2_FILE", "x", "CREDLINT_MESSAGING__R__TOKEN2_FILE=********"),
            ("CREDLINT_MESSAGING_R_TOKEN", "x", "CREDLINT_MESSAGING_R_TOKEN=********"),
            ("credlint_messaging__r__token", "x", "credlint_messaging__r__token=********"),
            ("CREDLINT_MESSAGING__R__QzWvXkPj", "x", "CREDLINT_MESSAGING__R__********=********"),
            ("CREDLINT_MESSAGING__R__QZWVXKPJHYBDTMRF", "x", "CREDLINT_MESSAGING__R__********=********"),
            ("CREDLINT_MESSAGING__R__QZWV-XKPJ-HYBD-TMRF", "x", "CREDLINT_MESSAGING__R__********=********"),
            ("REPORTS_TOKEN", "x", "REPORTS_TOKEN=********"),
            ("xoxb_secret_1", "x", "********=********"),
        ] {
            let variable = variable(name, value, &mut vault);
            assert_eq!(mask_one(&variable, &variable.shown_name(), &vault).as_str(), shown);
        }
    }
}
