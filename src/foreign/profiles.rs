//! Builds profiles from groups: names tell the kind of each value, and which values belong together.

use std::collections::{BTreeMap, HashSet};

use super::expansion;
use super::group::{Encoding, Group, Item, value_matches};
use super::names::{self, Family, Meaning, ValueKind};
use super::program::{FileType, Mark, PROGRAMS, Program};
use super::storage::{self, NamedItem, PartialPair};
use crate::config::{self, ForeignProfile, Form, Origin, Place, Profile, Setting, State, Unread};
use crate::form::Placeholder;
use crate::schema::{self, APP, Kind, MESSAGING, ProfileId, STORAGE, value};
use crate::secret::{Handle, MASK, Vault};
use crate::source::Dialect;
use crate::text;

/// Builds the profiles of one file.
pub(super) struct ProfileBuilder<'v> {
    pub(super) vault: &'v mut Vault,
    /// The file's name for display. `None` for variables of a process.
    pub(super) file: Option<&'v str>,
    pub(super) file_type: FileType,
    /// True if some tool expands `<…>`.
    pub(super) brackets: bool,
    pub(super) profiles: Vec<Profile>,
    /// The names in use, by kind, and the next free number for each.
    used: HashSet<(&'static str, String)>,
    numbers: BTreeMap<(&'static str, String), usize>,
}

/// What the settings of a profile share.
#[derive(Clone, Copy)]
struct SettingContext<'a> {
    group: &'a Group,
    stem: &'a str,
    program: Option<&'static Program>,
    /// The address of an emulator beside the tokens; placeholders work there.
    local: Option<&'a Item>,
    /// True if restic uses the native API.
    native: bool,
}

impl<'v> ProfileBuilder<'v> {
    pub(super) fn new(vault: &'v mut Vault, file: Option<&'v str>, file_type: FileType, brackets: bool) -> Self {
        let (used, numbers) = (HashSet::new(), BTreeMap::new());
        Self { vault, file, file_type, brackets, profiles: Vec::new(), used, numbers }
    }

    /// Adds the credentials of a group.
    pub(super) fn group(&mut self, group: &Group) {
        let program = PROGRAMS.iter().find(|program| self.belongs_to(program, group));
        let mut stems: BTreeMap<String, Vec<NamedItem>> = BTreeMap::new();
        for item in &group.items {
            let own = program.and_then(|program| {
                let instead = program.instead_of(&item.name).filter(|name| group.get(name).is_none());
                let name = instead.unwrap_or(&item.name);
                program.keys.iter().find(|(key, _)| name.eq_ignore_ascii_case(key))
            });
            let meaning = match own {
                Some((_, means)) => Some(Meaning { means: *means, stem: String::new() }),
                // A program's own name for a value may mean something else to other programs.
                None if program.is_some_and(|program| program.name == "Alertmanager") => None,
                // It is not read, and what is read is set.
                None if program.is_some_and(|program| program.instead_of(&item.name).is_some()) => None,
                None => meaning(group, item),
            };
            if let Some(Meaning { means, stem }) = meaning {
                stems.entry(stem).or_default().push(NamedItem { item: item.clone(), means });
            }
        }
        let local = group.items.iter().find(|item| self.is_local_api(item));
        let native = self.is_native(group);
        let base = SettingContext { group, stem: "", program: None, local, native };
        // A table that is named after the service has the address of its pair.
        let table = !group.path.is_empty() && program.is_none() && stems.len() == 1;
        let endpoint = if table { storage::endpoint_of(group, self.vault) } else { None };
        for (stem, named) in &stems {
            let context = SettingContext { stem, program, ..base };
            self.messaging(&context, named);
            self.storage(&context, named, endpoint.as_ref());
        }
        for (stem, remote) in storage::remotes(group, self.vault) {
            self.pair(&SettingContext { stem: &stem, program: Some(&PROGRAMS[0]), ..base }, &remote, None);
        }
        let known: HashSet<&str> = stems.values().flatten().map(|named| named.item.name.as_str()).collect();
        let known = |item: &Item| known.contains(item.name.as_str());
        if let Some((stem, pair, endpoint)) = storage::s3(group, known, self.vault) {
            self.pair(&SettingContext { stem: &stem, ..base }, &pair, Some(&endpoint));
        }
        for pair in storage::addresses(group, self.vault) {
            self.pair(&base, &pair, None);
        }
    }

    fn belongs_to(&self, program: &Program, group: &Group) -> bool {
        match program.mark {
            Mark::Section(name, word) => {
                // `type = b2` with only a key could be anything, unless the file's name tells.
                let named = self.file.is_some_and(|file| file.to_lowercase().contains(program.name));
                let all = program.keys.iter().all(|(key, _)| group.get(key).is_some());
                self.file_type.dialect == Dialect::Ini && group.is(name, word, self.vault) && (named || all)
            }
            Mark::Holds(name, word) => group.is(name, word, self.vault),
            Mark::Beside(name, word) => group.has_sibling(name, word, self.vault),
            Mark::Begins(name, start) => group
                .siblings
                .iter()
                .any(|item| item.name == name && value_matches(self.vault, item.value, |text| text.starts_with(start))),
            Mark::In(list) => group.path.last().and_then(|part| part.split('[').next()) == Some(list),
        }
    }

    /// Adds the tokens and webhooks with the same stem.
    fn messaging(&mut self, context: &SettingContext<'_>, named: &[NamedItem]) {
        let field = |means: ValueKind| match means {
            ValueKind::Token => Some((&MESSAGING, "token")),
            ValueKind::Webhook => Some((&MESSAGING, "webhook_url")),
            ValueKind::BotToken => Some((&APP, "bot_token")),
            ValueKind::AppToken => Some((&APP, "app_token")),
            ValueKind::SigningSecret => Some((&APP, "signing_secret")),
            ValueKind::Id(_) | ValueKind::Key(_) | ValueKind::AccessKey | ValueKind::Endpoint => None,
        };
        for kind in [&MESSAGING, &APP] {
            let own = named.iter().filter_map(|named| {
                let (of, name) = field(named.means)?;
                (*of == *kind).then_some((named, name))
            });
            // A value that is set under two names, or twice, becomes two profiles, so that each is checked.
            let mut all: Vec<Vec<(&'static str, &Item)>> = Vec::new();
            let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
            for (named, name) in own {
                let count = counts.entry(name).or_default();
                all.resize_with(all.len().max(*count + 1), Vec::new);
                all[*count].push((name, &named.item));
                *count += 1;
            }
            for mut taken in all {
                taken.extend(
                    context.local.map(|address| (if *kind == MESSAGING { "base_url" } else { "api_url" }, address)),
                );
                self.push(context, kind, &taken, &[]);
            }
        }
    }

    fn is_local_api(&self, item: &Item) -> bool {
        let upper = item.name.to_uppercase();
        upper.contains("SLACK") && upper.ends_with("URL") && value_matches(self.vault, item.value, storage::is_local)
    }

    /// Adds the pairs with the same stem.
    fn storage(&mut self, context: &SettingContext<'_>, named: &[NamedItem], endpoint: Option<&Item>) {
        let stated = named.iter().find(|named| named.means == ValueKind::Endpoint).map(|named| &named.item);
        let all = storage::pairs(named);
        let one = all.len() == 1;
        for pair in all {
            self.pair(context, &pair, stated.or(endpoint).filter(|_| one));
        }
    }

    fn pair(&mut self, context: &SettingContext<'_>, pair: &PartialPair, endpoint: Option<&Item>) {
        let mut taken: Vec<(&'static str, &Item)> = Vec::new();
        taken.extend(pair.id.as_ref().map(|id| ("application_key_id", id)));
        taken.extend(pair.key.as_ref().map(|key| ("application_key", key)));
        taken.extend(endpoint.map(|endpoint| ("endpoint", endpoint)));
        let unread = if context.native { restic_unread(context.group, pair) } else { unread(context.program, pair) };
        self.push(context, &STORAGE, &taken, &unread);
    }

    fn is_native(&self, group: &Group) -> bool {
        let native = |text: &str| text.starts_with("b2:") && !text.starts_with("b2://");
        let is = |item: &Item, name: &str| item.name == name && value_matches(self.vault, item.value, native);
        // resticprofile and autorestic have restic's variables in a table beside its repository.
        let beside =
            || group.siblings.iter().any(|item| is(item, "repository")) || group.has_sibling("type", "b2", self.vault);
        group.items.iter().any(|item| is(item, "RESTIC_REPOSITORY"))
            || group.path.last().is_some_and(|table| table == "env") && beside()
    }

    fn push(
        &mut self,
        context: &SettingContext<'_>,
        kind: &'static Kind,
        taken: &[(&'static str, &Item)],
        unread: &[Unread],
    ) {
        let credential =
            |(name, _): &&(&'static str, &Item)| kind.field(name).is_some_and(|field| field.is_credential());
        let Some(&(_, first)) = taken.iter().find(credential) else { return };
        let settings = kind.fields.iter().filter_map(|field| {
            let (_, item) = taken.iter().find(|(name, _)| *name == field.name)?;
            Some(self.setting(context.group, item, field))
        });
        let settings: Vec<Setting> = settings.collect();
        let found = ForeignProfile {
            place: self.file_type.place,
            program: context.program.map(|program| program.name),
            whole: context.program.is_some_and(|program| program.whole),
            unread: unread.to_vec(),
        };
        let name = self.name(kind, context, taken);
        let id = ProfileId::new(kind, &name);
        self.profiles.push(Profile {
            id: self.file.map_or_else(|| id.clone(), |file| id.clone().in_file(file)),
            at: first.at,
            broken: false,
            permitted: config::PermittedHosts::default(),
            settings,
            unknown: Vec::new(),
            mistyped: Vec::new(),
            found: Some(found),
        });
    }

    /// Returns a name for the profile that is unique in the file: the rest of its variables' names, or the table's
    /// name.
    fn name(&mut self, kind: &'static Kind, context: &SettingContext<'_>, taken: &[(&'static str, &Item)]) -> String {
        let table = context.group.path.iter().rev().map(String::as_str).filter(|part| shown(part) == **part);
        // Don't use a stem whose full name may not be printed.
        let stem = Some(context.stem).filter(|_| taken.iter().all(|(_, item)| shown(&item.name) == item.name));
        let default = if *kind == STORAGE { "b2" } else { "slack" };
        let words = |name: &str| text::words(name).join("-");
        let mut names = stem.into_iter().chain(table).map(words).filter(|name| schema::is_profile_name(name));
        let plain = |name: &String| !matches!(name.as_str(), "env" | "environment" | "data" | "string-data" | "with");
        let base = names.find(plain).unwrap_or_else(|| default.to_owned());
        // Continue from the last number, because a file may have many profiles of the same name.
        let from = self.numbers.get(&(kind.name, base.clone())).copied().unwrap_or(1);
        let numbered = |number: usize| if number == 1 { base.clone() } else { format!("{base}-{number}") };
        let free = (from..=from + self.used.len())
            .find(|number| !self.used.contains(&(kind.name, numbered(*number))))
            .unwrap_or(from);
        let name = numbered(free);
        self.used.insert((kind.name, name.clone()));
        self.numbers.insert((kind.name, base), free + 1);
        name
    }

    fn setting(&mut self, group: &Group, item: &Item, field: &'static schema::Field) -> Setting {
        let (form, state) = self.state(item, field);
        let name = shown(&item.name);
        let path = group.path.iter().map(|part| shown(part)).chain([name.clone()]).collect::<Vec<_>>();
        Setting {
            field,
            key: path.join("."),
            called: Some(name),
            layer: 0,
            origin: if self.file_type.place == Place::Environment { Origin::Environment } else { Origin::Given },
            at: item.at,
            via: None,
            form,
            found: None,
            exposed: false,
            state,
            elements: Vec::new(),
            shadows: Vec::new(),
        }
    }

    /// Returns the state of a value. Another tool may still expand a reference in a file, but not in the environment of
    /// a process.
    fn state(&mut self, item: &Item, field: &'static schema::Field) -> (Form, State) {
        let value = match item.how {
            Encoding::Plain => Some(item.value),
            Encoding::Base64 => self.decoded(item.value),
            Encoding::Reference => {
                let name = self.vault.shown(item.value, expansion::shown_name).unwrap_or_else(|| MASK.to_owned());
                return (Form::Env(name), State::Opaque);
            }
        };
        let Some(value) = value else { return (Form::Literal, State::Opaque) };
        if self.file_type.place != Place::Environment {
            if let Some(name) = self.vault.shown(value, expansion::refers_to) {
                return (Form::Env(name), State::Opaque);
            }
            let reading = self.vault.facts(value).reading;
            // A script sets such a word as its default.
            let fallback = reading.placeholder == Some(Placeholder::Null) && !self.file_type.known;
            let bracket = self.brackets && reading.placeholder == Some(Placeholder::Brackets);
            if value_matches(self.vault, value, expansion::is_expanded)
                || reading.unexpanded.is_some()
                || fallback
                || bracket
            {
                return (Form::Literal, State::Opaque);
            }
        }
        (Form::Literal, config::value_state(field, value, self.vault))
    }

    /// Decodes base64. The program itself rejects invalid base64.
    fn decoded(&mut self, value: Handle) -> Option<Handle> {
        #[expect(clippy::disallowed_methods, reason = "decodes; the result goes straight back into the vault")]
        let text = crate::form::decode_base64(self.vault.open(value))?;
        Some(self.vault.store(&text))
    }
}

/// Returns names that restic does not read when it uses the native API, which has only two. Source:
/// <https://restic.readthedocs.io/en/stable/030_preparing_a_new_repo.html#backblaze-b2>.
fn restic_unread(group: &Group, pair: &PartialPair) -> Vec<Unread> {
    if pair.family == Some(Family::Account) {
        return Vec::new();
    }
    let both = [(&pair.id, "B2_ACCOUNT_ID"), (&pair.key, "B2_ACCOUNT_KEY")];
    let missing = both.into_iter().filter(|(_, reads)| group.get(reads).is_none());
    let unread = missing.filter_map(|(half, instead)| {
        let item = half.as_ref().filter(|item| item.name.to_uppercase().contains("B2"))?;
        Some(Unread { name: shown(&item.name), at: item.at, program: "restic", instead })
    });
    unread.collect()
}

/// Returns names that a program does not read. A variable of rclone's ends in the name of the option.
fn unread(program: Option<&'static Program>, pair: &PartialPair) -> Vec<Unread> {
    let Some(program) = program else { return Vec::new() };
    let unread = [&pair.id, &pair.key].into_iter().flatten().filter_map(|item| {
        let option = |(other, _): &&(&str, &str)| {
            let name = item.name.to_lowercase();
            name == *other || name.starts_with("rclone_config_") && name.ends_with(&format!("_{other}"))
        };
        // `…_APPLICATION_KEY_ID` also ends in `_KEY_ID`.
        let found = program.instead.iter().filter(option).max_by_key(|(other, _)| other.len());
        let (_, instead) = found?;
        Some(Unread { name: shown(&item.name), at: item.at, program: program.name, instead })
    });
    unread.collect()
}

/// Returns a name for display, with its index if it is in a list.
pub(super) fn shown(name: &str) -> String {
    let (bare, place) = name.find('[').map_or((name, ""), |at| name.split_at(at));
    let is_place = place.trim_matches(['[', ']']).bytes().all(|byte| byte.is_ascii_digit());
    let (bare, place) = if is_place { (bare, place) } else { (name, "") };
    let known = value::key_name(bare).or_else(|| bare.is_empty().then(String::new));
    known.map_or_else(|| MASK.to_owned(), |bare| bare + place)
}

/// Returns the meaning of an item's name in its group.
fn meaning(group: &Group, item: &Item) -> Option<Meaning> {
    // `accountIDSecretRef` refers to the value of `accountID`.
    let refers = ["SecretKeyRef", "SecretRef", "KeyRef"].iter().find_map(|end| item.name.strip_suffix(end));
    let name = refers.filter(|_| item.how == Encoding::Reference).unwrap_or(&item.name);
    let table = group.path.last().map_or("", |table| table.split('[').next().unwrap_or_default());
    names::meaning(name).or_else(|| names::within(table, name))
}
