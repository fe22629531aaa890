//! Builds profiles from groups: names tell the kind of each value, and which values belong together.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::path::Path;
use std::rc::Rc;

use super::expansion;
use super::file_type::FileType;
use super::group::{Encoding, Group, Item, Siblings, is_script_key, value_matches};
use super::misspelt;
use super::names::{self, Meaning};
use super::oddity::{Variables, is_path};
use super::read::FileText;
use super::repeated::Repeated;
use super::runner::Compose;
use super::secrets;
use super::storage::{self, NamedItem};
use crate::config::{
    self, ApiBeside, ForeignProfile, HostBeside, Oddity, Origin, OwnNames, Place, Profile, Setting, State, Unread,
    WrittenAs,
};
use crate::form::{Expander, Placeholder, Unexpanded, Wrapping};
use crate::programs::{self, Mark, PROGRAMS, Program, npm, rclone, restic};
use crate::schema::{self, Address, Kind, ProfileId, Type, VARIABLE, value};
use crate::secret::{MASK, Vault};
use crate::services::{self, Field, Purpose, Relation, Service};
use crate::source::{Dialect, Value, heredoc_bodies};
use crate::text::{self, Span};

include!(concat!(env!("OUT_DIR"), "/words_profiles.rs"));

/// Builds the profiles of one file.
pub(super) struct ProfileBuilder<'v> {
    pub(super) vault: &'v mut Vault,
    /// The file's name for display. `None` for variables of a process.
    pub(super) file: Option<&'v str>,
    pub(super) file_type: FileType,
    /// The documents of the file.
    pub(super) roots: &'v [Value],
    pub(super) profiles: Vec<Profile>,
    /// The maximum number of profiles.
    pub(super) most: usize,
    /// What is wrong only for some readers.
    pub(super) pending: Vec<Profile>,
    /// Inputs that an action does not have.
    pub(super) unread_inputs: Vec<Profile>,
    /// The text of the file.
    pub(super) text: Option<&'v str>,
    /// The path of the file.
    pub(super) path: Option<&'v Path>,
    /// Names of the project's own.
    names: Option<&'v OwnNames>,
    /// The program that gets the variables, if it is known.
    reader: Option<&'static Program>,
    /// True if that is restic, and its arguments choose the native API.
    native: bool,
    /// What follows from lines with the same name.
    pub(super) repeated: Repeated,
    /// What was looked up, and is not looked up again.
    pub(super) known: LookedUp,
}

/// What a builder looks up once for a file.
#[derive(Default)]
pub(super) struct LookedUp {
    /// True if some tool expands `<…>`; determined when it is first needed.
    brackets: Option<bool>,
    /// The variables of the `.env` next to it; read when they are first needed.
    pub(super) beside_file: Option<Variables>,
    /// The names in use, by kind, each with the number that the next profile of that name may have.
    used: HashMap<(&'static str, String), usize>,
    addresses: Addresses,
    /// If the groups at these addresses are turned off: a group may have many profiles.
    off: HashMap<*const Group, bool>,
    /// Where the heredocs of a script are; found when they are first needed.
    heredocs: Option<Vec<Span>>,
    /// The names that a script sets, of those that may be part of a password; read when they are first needed.
    pub(super) assigned: Option<HashSet<String>>,
    /// If a file of Docker Compose is next to it, once that was asked.
    pub(super) beside_compose: Option<bool>,
    /// What a file of Docker Compose says of its services, once that was asked.
    pub(super) compose: Option<Compose>,
    /// The values of the chart that a template belongs to, once they were asked for.
    pub(super) chart_values: Option<Vec<Value>>,
    /// The values of the Secrets in the file.
    pub(super) secret_values: Variables,
    /// How many files and variables that values name were looked at.
    pub(super) looked_at: usize,
    /// The API addresses among the siblings of groups, by the siblings, the kind and the table's name.
    beside: HashMap<(*const Siblings, &'static str, String), HashMap<String, Item>>,
}

/// The addresses in a group.
#[derive(Default)]
struct Addresses {
    /// Those of APIs, by kind and stem.
    own: HashMap<&'static str, HashMap<String, Item>>,
    endpoints: Option<HashMap<String, Item>>,
}

/// The items of a group whose names mean a field.
#[derive(Default)]
struct NamedItems<'g> {
    /// Those with the same stem belong together.
    by_stem: BTreeMap<String, Vec<NamedItem<'g>>>,
    /// Those that another item of the same name replaces, with their stems.
    replaced: Vec<(String, NamedItem<'g>)>,
}

impl<'g> NamedItems<'g> {
    fn names(&self) -> impl Iterator<Item = &'g str> {
        let all = self.by_stem.values().flatten().chain(self.replaced.iter().map(|(_, named)| named));
        all.map(|named| named.item.name.as_str())
    }
}

/// The context that the settings of a profile share.
#[derive(Clone, Copy)]
struct SettingContext<'a> {
    kind: &'static Kind,
    group: &'a Group,
    stem: &'a str,
    program: Option<&'static Program>,
    /// The address of an emulator next to the tokens; placeholders work there.
    local: Option<&'a Item>,
    /// True if restic uses the native API.
    native: bool,
    /// True if an address may be for another set of the same stem.
    unclear: bool,
}

impl<'a> SettingContext<'a> {
    fn new(kind: &'static Kind, group: &'a Group) -> Self {
        Self { kind, group, stem: "", program: None, local: None, native: false, unclear: false }
    }
}

impl<'v> ProfileBuilder<'v> {
    pub(super) fn new(vault: &'v mut Vault, file: Option<&'v str>, file_type: FileType, roots: &'v [Value]) -> Self {
        Self {
            vault,
            file,
            file_type,
            roots,
            most: usize::MAX,
            profiles: Vec::new(),
            unread_inputs: Vec::new(),
            pending: Vec::new(),
            text: None,
            path: None,
            names: None,
            reader: None,
            native: false,
            repeated: Repeated::default(),
            known: LookedUp::default(),
        }
    }

    /// Also knows the text of the file, and what is next to it.
    pub(super) fn with_text(mut self, origin: FileText<'v>) -> Self {
        (self.text, self.path) = (Some(origin.text), origin.path);
        self
    }

    /// Also understands names of the project's own.
    pub(super) fn with_names(mut self, names: &'v OwnNames) -> Self {
        self.names = Some(names);
        self
    }

    /// Interprets variables as this command does. The first word is the program, the others are its arguments.
    pub(super) fn for_command(mut self, command: &[OsString]) -> Self {
        let Some((program, arguments)) = command.split_first() else { return self };
        let stem = Path::new(program).file_stem();
        let is_it = |program: &&&Program| {
            let by_names = program.groups.is_empty() && program.commands.is_empty();
            by_names && stem.is_some_and(|stem| stem == program.name)
        };
        self.reader = PROGRAMS.iter().find(is_it).copied();
        // `-r b2:bucket`, `-rb2:bucket` and `--repo=b2:bucket`.
        let repository = |word: &OsString| {
            let word = word.to_string_lossy();
            let word = word.strip_prefix("--repo=").or_else(|| word.strip_prefix("-r")).unwrap_or(&word).to_owned();
            is_native_address(&word)
        };
        let is_restic = self.reader.is_some_and(|reader| reader.name == restic::PROGRAM.name);
        self.native = is_restic && arguments.iter().any(repository);
        self
    }

    /// Adds the credentials of a group.
    pub(super) fn add_group(&mut self, group: &Group) {
        self.known.addresses = Addresses::default();
        self.add_unread_inputs(group);
        // Only its pairs are distinguished by names.
        let Some(of_pairs) = Kind::all().iter().copied().find(|kind| kind.has_named_pairs()) else { return };
        let own = self.own_groups(group).next().map(|(program, own)| (program, own.keys));
        let reader = own.or(self.reader.map(|reader| (reader, &[][..])));
        let program = reader.map(|(program, _)| program);
        let replaced = self.replaced_items(group);
        let named = self.named_items(group, reader, &replaced);
        let local = group.items.iter().find(|item| self.is_local_api(item));
        let native = self.native || self.is_native(group);
        let base = SettingContext { local, native, ..SettingContext::new(of_pairs, group) };
        // A table that is named after the service contains the address for its pair.
        let table = !group.path.is_empty() && program.is_none() && named.by_stem.len() == 1;
        let stem = named.by_stem.keys().next().filter(|_| table);
        let words = of_pairs.service.map_or(&[][..], |service| service.words);
        let endpoint = stem.and_then(|stem| storage::endpoint_of(group, (stem, words, true), self.vault));
        // Skip names of a protocol, and pairs at an endpoint of the storage service, which have a profile already.
        let is_own = |named: &&NamedItem<'_>| !Kind::find_derived(named.place.0).is_some_and(Kind::is_shared);
        let own: HashSet<&str> =
            named.by_stem.values().flatten().filter(is_own).map(|named| named.item.name.as_str()).collect();
        let others = group.items.iter().enumerate();
        let others = others.filter(|(index, item)| !replaced.contains(index) && !own.contains(item.name.as_str()));
        let others: Vec<&Item> = others.map(|(_, item)| item).collect();
        let s3 = storage::s3_pairs(of_pairs, group, &others, self.vault);
        let taken: HashSet<&str> =
            s3.iter().flat_map(|(_, pair, _)| pair).map(|named| named.item.name.as_str()).collect();
        for (stem, items) in &named.by_stem {
            let context = SettingContext { stem, program, ..base };
            self.add_sets(&context, items, Kind::all().iter().copied(), endpoint.as_ref());
            let mut rest = items.clone();
            rest.retain(|named| !taken.contains(named.item.name.as_str()));
            self.add_sets(&context, &rest, Kind::derived(), None);
        }
        // What belongs to a value that another one replaces is unknown.
        for (stem, item) in &named.replaced {
            let context = SettingContext { stem, unclear: true, ..base };
            let kinds = Kind::all().iter().copied().chain(Kind::derived());
            self.add_sets(&context, std::slice::from_ref(item), kinds, None);
        }
        let known: HashSet<&str> = named.names().collect();
        self.add_browser_credentials(&base, group, &known);
        self.add_misspelt_names(group, &named, &known);
        for (stem, remote) in storage::rclone_remotes(of_pairs, group, self.vault) {
            let context = SettingContext { stem: &stem, program: Some(&rclone::PROGRAM), ..base };
            self.add_pair(&context, &remote, None);
        }
        for (stem, pair, endpoint) in s3 {
            self.add_pair(&SettingContext { stem: &stem, ..base }, &pair, Some(&endpoint));
        }
        for halves in storage::pairs_in_addresses(group, self.vault) {
            self.add_pair(&base, &storage::as_pair(of_pairs, &halves), None);
        }
    }

    /// Returns the items of a group whose names mean a field.
    fn named_items<'g>(
        &mut self,
        group: &'g Group,
        reader: Option<(&'static Program, &'static [programs::Key])>,
        replaced: &HashSet<usize>,
    ) -> NamedItems<'g> {
        let mut found = NamedItems::default();
        let table = group.path.last().and_then(|table| table.split('[').next());
        let table = table.filter(|table| names::may_name_service(table));
        for (index, item) in group.items.iter().enumerate() {
            let instead = reader.and_then(|(program, _)| name_read_instead(program, &item.name));
            let name = instead.filter(|name| group.get(name).is_none()).unwrap_or(&item.name);
            let own = reader.and_then(|(_, keys)| keys.iter().find(|key| name.eq_ignore_ascii_case(key.name)));
            let meaning = match (own, reader) {
                (Some(key), _) => Some(Meaning::of_field(key.field, key.tuple)),
                // The program does not read it, or reads another variable, which is set.
                (None, Some((program, _))) if program.own_names || instead.is_some() => None,
                (None, _) => meaning(table, item).or_else(|| {
                    let field = self.names?.field(&item.name)?;
                    Some(Meaning::of_field(field, ""))
                }),
            };
            let Some(Meaning { field, tuple, unless, stem, .. }) = meaning else { continue };
            let form = self.form(item, services::own_forms_in(field));
            if form.is_some_and(|form| unless.contains(&form)) {
                continue;
            }
            let field = form.and_then(|form| field_of_public_value(field, &item.name, form)).unwrap_or(field);
            let named = NamedItem::new(item, field, tuple);
            if replaced.contains(&index) {
                found.replaced.push((stem, named));
            } else {
                found.by_stem.entry(stem).or_default().push(named);
            }
        }
        found
    }

    /// Adds names that are a letter off a listed one to the profiles of their partners.
    fn add_misspelt_names(&mut self, group: &Group, named: &NamedItems<'_>, known: &HashSet<&str>) {
        let all: Vec<NamedItem<'_>> = named.by_stem.values().flatten().copied().collect();
        let off = misspelt::off_listed_name(group, &all, |item| known.contains(item.name.as_str()));
        for (item, instead, partner) in off {
            let (name, partner_name) = (shown_name(&item.name), Some(shown_name(&partner.name)));
            let unread = Unread { name, at: item.at, program: None, instead, partner: partner_name };
            let has = |profile: &&mut Profile| profile.settings.iter().any(|setting| setting.at == partner.at);
            let profile = self.profiles.iter_mut().rev().find(has);
            if let Some(found) = profile.and_then(|profile| profile.found.as_mut()) {
                found.unread.push(unread);
            }
        }
    }

    /// Adds the inputs of an action that it does not have, if they are named like a credential or a user, and the path of a
    /// file in an input that takes its content.
    fn add_unread_inputs(&mut self, group: &Group) {
        if group.path.last().is_none_or(|last| last != "with") {
            return;
        }
        let own = self.own_groups(group).find(|(_, own)| !own.inputs.is_empty());
        let Some((program, own)) = own else { return };
        let is_input = |name: &str| own.inputs.iter().any(|input| input.eq_ignore_ascii_case(name));
        for item in &group.items {
            let words = text::words(&item.name);
            let content = words.iter().any(|word| ["key", "credentials"].contains(&word.as_str()));
            if content && words.last().is_some_and(|last| last != "path") && self.matches(item, is_path) {
                let profile = self.variable_profile(group, item, Some(Oddity::Path));
                self.unread_inputs.push(profile);
            }
            let named = words.iter().any(|word| OF_CREDENTIALS.contains(&word.as_str()));
            if !named || is_input(&item.name) {
                continue;
            }
            let near = |input: &&&str| std::cmp::Reverse(strsim::damerau_levenshtein(input, &item.name));
            let instead = own.inputs.iter().max_by_key(near).map_or_else(String::new, |input| (*input).to_owned());
            let profile = self.unread_profile(group, item, Some(program.name), instead);
            self.unread_inputs.push(profile);
        }
    }

    /// Returns the name and the syntax of the file that a group is in.
    fn file_of<'g>(&'g self, group: &'g Group) -> (Option<&'g str>, Dialect) {
        match &group.embedded_in {
            Some((file, dialect)) => (Some(file), *dialect),
            None => (self.file, self.file_type.dialect),
        }
    }

    /// Returns the items whose names are set again, so that something else may be in use: the last value wins. In a
    /// script with several values, each may be in a branch of its own.
    fn replaced_items(&self, group: &Group) -> HashSet<usize> {
        let mut by_name: Vec<usize> = (0..group.items.len()).collect();
        by_name.sort_by_key(|&index| group.items[index].name.as_str());
        let (file, dialect) = self.file_of(group);
        let is_script = LazyCell::new(|| runs_commands(file.unwrap_or_default(), dialect));
        let digest = |index: usize| self.vault.facts(group.items[index].value).digest;
        let mut replaced = HashSet::new();
        let of_name = by_name.chunk_by(|&one, &other| group.items[one].name == group.items[other].name);
        for mut places in of_name.filter(|places| places.len() > 1) {
            let last = digest(places[places.len() - 1]);
            if !*is_script || places.iter().all(|&index| digest(index) == last) {
                places = &places[..places.len() - 1];
            }
            replaced.extend(places);
        }
        replaced
    }

    /// Returns the programs that a group belongs to, each with what it has in such a group.
    fn own_groups(&self, group: &Group) -> impl Iterator<Item = (&'static Program, &'static programs::Group)> {
        let groups = PROGRAMS.iter().flat_map(|program| program.groups.iter().map(move |own| (*program, own)));
        groups.filter(|(program, own)| self.belongs_to(program, own, group))
    }

    fn belongs_to(&self, program: &Program, own: &programs::Group, group: &Group) -> bool {
        match own.mark {
            Mark::Section(name, word) => {
                let (file, dialect) = self.file_of(group);
                // `type = b2` with only a key could be anything, unless the file's name identifies the program.
                let named = || file.is_some_and(|file| file.to_lowercase().contains(program.name));
                let all = || own.keys.iter().all(|key| group.get(key.name).is_some());
                dialect.is_ini() && group.has_value(name, word, self.vault) && (named() || all())
            }
            Mark::Holds(name, word) => group.has_value(name, word, self.vault),
            Mark::Beside(name, word) => group.has_sibling(name, word, self.vault),
            Mark::Begins(name, start) => group
                .siblings
                .named(name)
                .any(|item| item.name == name && value_matches(self.vault, item.value, |text| text.starts_with(start))),
            Mark::File(name) => {
                let of_name = |path: &str| path.rsplit(['/', '\\']).next() == Some(name);
                // The user only says that it has logins.
                let stated = || {
                    let has = own.keys.iter().any(|key| key.name != "host" && group.get(key.name).is_some());
                    let is_netrc = own.keys.iter().any(|key| key.name == "password");
                    let logins = self.file_type.stated && self.file_type.dialect == Dialect::Logins;
                    logins && has && (!is_netrc || group.get("login").is_some())
                };
                match &group.embedded_in {
                    Some((file, _)) => of_name(file),
                    None => self.file.is_some_and(of_name) || stated(),
                }
            }
            Mark::Sets(names) => names.iter().all(|name| group.get(name).is_some()),
            Mark::In(list) => group.path.last().and_then(|part| part.split('[').next()) == Some(list),
            Mark::Command => {
                let last = group.path.last();
                let is_last = |words: &[&str]| last.is_some_and(|last| last.split('.').eq(words.iter().copied()));
                program.commands.iter().any(|command| is_last(command.words))
            }
        }
    }

    /// Adds credentials with the same stem, of these kinds.
    fn add_sets(
        &mut self,
        context: &SettingContext<'_>,
        named: &[NamedItem<'_>],
        kinds: impl Iterator<Item = &'static Kind>,
        endpoint: Option<&Item>,
    ) {
        for kind in kinds {
            let context = SettingContext { kind, ..*context };
            if kind.has_named_pairs() {
                self.add_pairs(&context, named, endpoint);
            } else {
                self.add_single_credentials(&context, named);
            }
        }
    }

    /// Adds single credentials with the same stem.
    fn add_single_credentials(&mut self, context: &SettingContext<'_>, named: &[NamedItem<'_>]) {
        let kind = context.kind;
        // A value that is set under two names, or twice, becomes two profiles, so that each is checked.
        let mut all: Vec<Vec<NamedItem<'_>>> = Vec::new();
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        for named in named.iter().filter(|named| named.place.0 == kind.name) {
            let count = counts.entry(named.place.1).or_default();
            all.resize_with(all.len().max(*count + 1), Vec::new);
            all[*count].push(*named);
            *count += 1;
        }
        // If the values could be for many servers, it is unknown which of several sets an address belongs to.
        let digest = |named: &NamedItem<'_>| self.vault.facts(named.item.value).digest;
        let differ = |named: &NamedItem<'_>| {
            all[0].iter().find(|first| first.place == named.place).is_some_and(|first| digest(first) != digest(named))
        };
        let by_host = kind.is_shared() || kind.service.is_some_and(|service| !service.at.is_empty());
        let unclear = by_host && (context.unclear || all.iter().skip(1).flatten().any(differ));
        let address = kind.fields.iter().find(|field| matches!(field.ty, Type::Url(Address::Api)));
        for mut taken in all {
            taken.retain(|named| !unclear || named.purpose != Purpose::Endpoint);
            taken.extend(context.local.zip(address).map(|(item, field)| NamedItem::of_kind(kind, field.name, item)));
            self.push_profile(&SettingContext { unclear, ..*context }, &taken, &[]);
        }
    }

    /// Returns a variable whose name only says that it is a secret, as a profile of its own.
    pub(super) fn variable_profile(&mut self, group: &Group, item: &Item, oddity: Option<Oddity>) -> Profile {
        let kept = secrets::is_kept(self.file_type.place, group, item);
        let setting = self.setting(&SettingContext::new(&VARIABLE, group), item, &VARIABLE.fields[0]);
        let setting = Setting { oddity, ..setting };
        let field = Some(VARIABLE.fields[0].name);
        let not_base64 = field.filter(|_| item.encoding == Encoding::Broken).into_iter().collect();
        let found = ForeignProfile { place: self.place_of(group), not_base64, kept, ..ForeignProfile::default() };
        Profile::from_foreign(ProfileId::new(&VARIABLE, ""), item.at, vec![setting], found)
    }

    /// Returns a variable that nothing reads under its name, as a profile of its own.
    pub(super) fn unread_profile(
        &mut self,
        group: &Group,
        item: &Item,
        program: Option<&'static str>,
        instead: String,
    ) -> Profile {
        let mut profile = self.variable_profile(group, item, None);
        let unread = Unread { name: shown_name(&item.name), at: item.at, program, instead, partner: None };
        profile.found.get_or_insert_default().unread.push(unread);
        profile
    }

    /// Returns where a group is. What is turned off next to its values is not deployed.
    fn place_of(&mut self, group: &Group) -> Place {
        if self.file_type.place != Place::File || group.path.is_empty() {
            return self.file_type.place;
        }
        let vault = &*self.vault;
        let is_off = |item: &Item| {
            item.name.eq_ignore_ascii_case("enabled") && value_matches(vault, item.value, |text| text == "false")
        };
        let ask = || {
            #[cfg(test)]
            crate::text::work::add(group.items.len());
            group.items.iter().any(is_off) || group.siblings.named("enabled").any(is_off)
        };
        let off = *self.known.off.entry(std::ptr::from_ref(group)).or_insert_with(ask);
        if off { Place::Example } else { Place::File }
    }

    /// Adds credentials with unknown names that a framework passes to browsers.
    fn add_browser_credentials(&mut self, base: &SettingContext<'_>, group: &Group, known: &HashSet<&str>) {
        for item in &group.items {
            if known.contains(item.name.as_str()) || !names::reaches_browsers(&item.name) {
                continue;
            }
            let Some(form) = self.form(item, &[]).filter(|form| form.must_not_reach_browsers()) else { continue };
            // If no field accepts the form, only rows of mistakes mention it.
            let (kind, field) = Kind::accepting(form).unwrap_or((&VARIABLE, &VARIABLE.fields[0]));
            self.push_profile(&SettingContext { kind, ..*base }, &[NamedItem::of_kind(kind, field.name, item)], &[]);
        }
    }

    fn is_local_api(&self, item: &Item) -> bool {
        names::is_slack_api(&item.name) && value_matches(self.vault, item.value, storage::is_local)
    }

    /// Adds the pairs with the same stem.
    fn add_pairs(&mut self, context: &SettingContext<'_>, named: &[NamedItem<'_>], endpoint: Option<&Item>) {
        let kind = context.kind;
        let own = |named: &&NamedItem<'_>| ["", kind.name].contains(&named.place.0);
        let named: Vec<NamedItem<'_>> = named.iter().filter(own).copied().collect();
        let stated = named.iter().find(|named| named.purpose == Purpose::Endpoint).map(|named| named.item);
        let all = storage::pairs(kind, &named);
        let one = all.len() == 1;
        for pair in all {
            self.add_pair(context, &pair, stated.or(endpoint).filter(|_| one));
        }
    }

    fn add_pair(&mut self, context: &SettingContext<'_>, pair: &[NamedItem<'_>], endpoint: Option<&Item>) {
        let kind = context.kind;
        let address = kind.fields.iter().find(|field| matches!(field.ty, Type::Url(Address::Endpoint)));
        let endpoint = endpoint.zip(address).map(|(item, field)| NamedItem::of_kind(kind, field.name, item));
        let taken: Vec<NamedItem<'_>> = pair.iter().copied().chain(endpoint).collect();
        self.push_profile(context, &taken, &Self::unread_names(context, pair));
    }

    /// Returns the names of a pair that the program does not read.
    fn unread_names(context: &SettingContext<'_>, pair: &[NamedItem<'_>]) -> Vec<Unread> {
        let program = if context.native { Some(&restic::PROGRAM) } else { context.program };
        let Some(program) = program else { return Vec::new() };
        let of_account = pair.iter().all(|half| half.tuple == storage::ACCOUNT);
        let unread = pair.iter().filter_map(|half| {
            let name = half.item.name.to_lowercase();
            let instead = if context.native {
                // With the native API, restic has only these two names.
                let (_, reads) = restic::PROGRAM.instead[usize::from(half.purpose == Purpose::Key)];
                let own = of_account || context.group.get(reads).is_some();
                Some(reads).filter(|_| !own && name.contains("b2"))?
            } else {
                // rclone's variables end in the name of the option.
                let option = |(other, _): &&(&str, &str)| {
                    name == *other || name.starts_with("rclone_config_") && name.ends_with(&format!("_{other}"))
                };
                // `…_APPLICATION_KEY_ID` also ends in `_KEY_ID`.
                program.instead.iter().filter(option).max_by_key(|(other, _)| other.len())?.1
            };
            let (name, instead) = (shown_name(&half.item.name), instead.to_owned());
            Some(Unread { name, at: half.item.at, program: Some(program.name), instead, partner: None })
        });
        unread.collect()
    }

    /// Returns `true` for the `env` of a workflow and the inputs of an action, which expand only `${{ … }}`. Source:
    /// <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#env>.
    pub(super) fn is_literal(&self, group: &Group) -> bool {
        let workflow = self.file.is_some_and(|file| file.replace('\\', "/").contains(".github/workflows/"));
        workflow && group.embedded_in.is_none() && group.path.last().is_some_and(|part| part == "env" || part == "with")
    }

    fn is_native(&self, group: &Group) -> bool {
        let is =
            |item: &Item, name: &str| item.name == name && value_matches(self.vault, item.value, is_native_address);
        // resticprofile and autorestic put restic's variables in a table next to the repository.
        let beside = || {
            group.siblings.named("repository").any(|item| is(item, "repository"))
                || group.has_sibling("type", "b2", self.vault)
        };
        group.items.iter().any(|item| is(item, "RESTIC_REPOSITORY"))
            || group.path.last().is_some_and(|table| table == "env") && beside()
    }

    fn push_profile(&mut self, context: &SettingContext<'_>, taken: &[NamedItem<'_>], unread: &[Unread]) {
        let kind = context.kind;
        let credential = |named: &&NamedItem<'_>| kind.field(named.place.1).is_some_and(|field| field.is_credential());
        let own = kind.service.map_or(&[][..], services::own_forms);
        // A credential under the name of something else, or a known mistake.
        let mut misplaced = |NamedItem { item, place, .. }: &&NamedItem<'_>| {
            let told = |form| kind.field(place.1).is_some_and(|field| field.mistake(form).is_some());
            let wrapped = item.literal_value().is_some_and(|value| self.vault.facts(value).url_inside);
            wrapped || self.form(item, own).is_some_and(|form| form.certain && form.is_secret() || told(form))
        };
        let found = taken.iter().find(credential).or_else(|| taken.iter().find(&mut misplaced));
        let Some(first) = found.filter(|_| !self.is_full()).map(|named| named.item) else { return };
        let settings = kind.fields.iter().filter_map(|field| {
            let named = taken.iter().find(|named| named.place.1 == field.name)?;
            Some(self.setting(context, named.item, field))
        });
        let settings: Vec<Setting> = settings.collect();
        // Not by location: the values of an embedded file have the same one.
        let fields = |are: &dyn Fn(&Item) -> bool| -> Vec<&'static str> {
            taken.iter().filter(|named| are(named.item)).map(|named| named.place.1).collect()
        };
        let found = ForeignProfile {
            place: self.place_of(context.group),
            program: context.program.map(|program| program.name),
            needs_pair: context.program.is_some_and(|program| program.whole),
            literal: self.is_literal(context.group),
            unread: unread.to_vec(),
            public: fields(&|item| names::reaches_browsers(&item.name)),
            not_base64: fields(&|item| item.encoding == Encoding::Broken),
            kept: taken.iter().any(|named| secrets::is_kept(self.file_type.place, context.group, named.item)),
            // A value of another set of the same stem is made with another value.
            not_made_with: if context.unclear { Vec::new() } else { self.not_made_with(kind, taken) },
            api: self.api_address(context),
            host: self.known_host(context, taken),
            instead: None,
        };
        let name = self.unique_name(context, taken);
        let id = ProfileId::new(kind, &name);
        let id = self.file.map_or_else(|| id.clone(), |file| id.clone().in_file(file));
        self.profiles.push(Profile::from_foreign(id, first.at, settings, found));
    }

    /// Returns the fields whose values were not made with that of another field, with that field.
    fn not_made_with(&self, kind: &'static Kind, taken: &[NamedItem<'_>]) -> Vec<(&'static str, &'static str)> {
        // A value that does not belong there is another mistake.
        let literal = |field: &Field| {
            let value = taken.iter().find(|named| named.place == field.place)?.item.literal_value()?;
            let facts = self.vault.facts(value);
            let belongs = facts.form().is_none_or(|form| !form.certain || field.takes.contains(&form));
            (belongs && facts.is_real()).then_some(value)
        };
        let relations = kind.service.into_iter().flat_map(|service| service.relations);
        let all = relations.flat_map(|relation| {
            let Relation::Made { how, fields, with, .. } = relation else { return Vec::new() };
            let Some(secret) = literal(with) else { return Vec::new() };
            let differs = |field: &&&Field| {
                literal(field).is_some_and(|value| self.vault.is_made_with(value, secret, *how) == Some(false))
            };
            fields.iter().filter(differs).map(|field| (field.place.1, with.place.1)).collect()
        });
        all.collect()
    }

    /// Returns `true` if no more profiles are added.
    pub(super) fn is_full(&self) -> bool {
        self.profiles.len() >= self.most
    }

    /// Returns what is known about the host in a profile's host field.
    fn known_host(&mut self, context: &SettingContext<'_>, taken: &[NamedItem<'_>]) -> Option<HostBeside> {
        let kind = context.kind;
        let service = kind.service.filter(|_| !kind.judged_together)?;
        if context.unclear {
            return Some(HostBeside::default());
        }
        let Some(NamedItem { item, .. }) = taken.iter().find(|named| named.purpose == Purpose::Endpoint) else {
            return self.host_implied_by_values(service, taken);
        };
        if item.encoding == Encoding::Reference {
            return Some(HostBeside::default());
        }
        let value = item.literal_value()?;
        if self.vault.is_empty(value) {
            return self.host_implied_by_values(service, taken);
        }
        let Some(host) = self.vault.shown(value, storage::host_of) else { return Some(HostBeside::default()) };
        let is_at = |known: &&str| services::wildcard_part(known, &host).is_some();
        let at: Vec<_> = service.at.iter().filter(|at| at.hosts.iter().any(&is_at)).collect();
        let own = service.has_api_at(&host) || at.iter().any(|at| at.whose == service.name);
        let local = !host.contains('.') || host.ends_with(".localhost") || host.starts_with("127.");
        Some(HostBeside { own, local, at })
    }

    /// Returns the host that a value of the set implies, if no host is given.
    fn host_implied_by_values(&mut self, service: &'static Service, taken: &[NamedItem<'_>]) -> Option<HostBeside> {
        let forms: Vec<&services::Form> = taken.iter().filter_map(|named| self.form(named.item, &[])).collect();
        let at = service.at.iter().filter(|at| at.beside.iter().any(|form| forms.contains(form)));
        let at: Vec<&'static services::HostRule> = at.collect();
        (!at.is_empty()).then_some(HostBeside { own: true, local: false, at })
    }

    /// Returns the API address next to a credential, which is used instead of the service's own.
    fn api_address(&mut self, context: &SettingContext<'_>) -> Option<ApiBeside> {
        let SettingContext { kind, group, stem, program, .. } = *context;
        let service = kind.service.filter(|_| kind.probe.is_some())?;
        let table = group.path.last().map_or("", |table| table.split('[').next().unwrap_or_default());
        // Tables with other names share what is next to them.
        let table = if names::may_name_service(table) { table } else { "" };
        let by_stem = |items: &[Item]| -> HashMap<String, Item> {
            let stem_of = |item: &Item| {
                let within =
                    || names::api_stem(service, &format!("{table}_{}", item.name)).filter(|_| !table.is_empty());
                names::api_stem(service, &item.name).or_else(within)
            };
            // If there are several, the last one counts, as for most programs.
            items.iter().filter_map(|item| Some((stem_of(item)?, item.clone()))).collect()
        };
        // Looked up once for all credentials of a group, and the siblings once for all groups next to them.
        let own = self.known.addresses.own.entry(kind.name).or_insert_with(|| by_stem(&group.items));
        let named = |all: &HashMap<String, Item>| all.get(stem).or_else(|| all.get("")).cloned();
        if let Some(found) = named(own).and_then(|item| self.parse_api_address(&item, kind)) {
            return Some(found);
        }
        let beside = (Rc::as_ptr(&group.siblings), kind.name, table.to_owned());
        let beside = self.known.beside.entry(beside).or_insert_with(|| by_stem(&group.siblings.items));
        let beside = named(beside);
        // An address in the surrounding table, or rclone's `endpoint`: it is unknown whether it is for this credential,
        // and for which API.
        let mut stated = || {
            let endpoints = self.known.addresses.endpoints.get_or_insert_with(|| endpoints(group));
            let remote = program.and_then(|_| endpoints.get(&format!("rclone_config_{stem}_endpoint").to_lowercase()));
            let of_table = endpoints.get("").filter(|_| !group.path.is_empty());
            remote.or(of_table).cloned().or_else(|| group.siblings.endpoints().next_back().cloned())
        };
        let found = beside.or_else(|| if kind.pairs.is_empty() { None } else { stated() });
        let found = found.and_then(|item| self.parse_api_address(&item, kind))?;
        let own = found.address.as_ref().is_some_and(|address| kind.is_hosted_at(address));
        (!own).then_some(ApiBeside { address: None, ..found })
    }

    /// Parses an address next to a credential. `None` if it is not an address, or the service's own.
    fn parse_api_address(&mut self, item: &Item, kind: &Kind) -> Option<ApiBeside> {
        let mut address = None;
        if let Some(value) = item.literal_value() {
            let facts = self.vault.facts(value);
            // A single word is a name, and a webhook is not an API.
            let is_address = |text: &str| text.contains(['.', ':', '/', '$', '{']);
            let parse = |text: &str| is_address(text).then(|| storage::parse_api(text, kind));
            address = self.vault.shown(value, parse)?;
            if facts.empty || facts.form().is_some_and(services::Form::is_webhook) {
                return None;
            }
        }
        Some(ApiBeside { name: shown_name(&item.name), at: item.at, address })
    }

    /// Returns a name for the profile that is unique in the file: the rest of its variables' names, or the table's
    /// name.
    fn unique_name(&mut self, context: &SettingContext<'_>, taken: &[NamedItem<'_>]) -> String {
        let kind = context.kind;
        let table = context.group.path.iter().rev().map(String::as_str).filter(|part| shown_name(part) == **part);
        // Don't use a stem whose full name may not be printed.
        let stem = Some(context.stem)
            .filter(|_| taken.iter().all(|NamedItem { item, .. }| shown_name(&item.name) == item.name));
        let default = kind.word();
        let words = |name: &str| text::words(name).join("-");
        let mut names = stem.into_iter().chain(table).map(words).filter(|name| schema::is_profile_name(name));
        let plain = |name: &String| !matches!(name.as_str(), "env" | "environment" | "data" | "string-data" | "with");
        let base = names.find(plain).unwrap_or_else(|| default.to_lowercase());
        // Continue from the last number, because a file may have many profiles of the same name.
        let mut number = self.known.used.get(&(kind.name, base.clone())).copied().unwrap_or(1);
        let numbered = |number: usize| if number == 1 { base.clone() } else { format!("{base}-{number}") };
        while self.known.used.contains_key(&(kind.name, numbered(number))) {
            number += 1;
        }
        let name = numbered(number);
        self.known.used.insert((kind.name, name.clone()), 2);
        self.known.used.insert((kind.name, base), number + 1);
        name
    }

    fn setting(&mut self, context: &SettingContext<'_>, item: &Item, field: &'static schema::Field) -> Setting {
        let (form, state) = self.state(context, item, field);
        let oddity = if field.is_credential() {
            self.oddity(context.group, item, true)
        } else {
            self.keeps_line_break(context.group, item).then_some(Oddity::LineBreak)
        };
        let name = shown_name(&item.name);
        let path = context.group.path.iter().map(|part| shown_name(part)).chain([name.clone()]).collect::<Vec<_>>();
        Setting {
            field,
            key: path.join("."),
            foreign_name: Some(name),
            layer: 0,
            // Only rules for configurations ask where a value was set.
            origin: Origin::Given,
            at: item.at,
            via: None,
            form,
            found: None,
            exposed: false,
            oddity,
            state,
            elements: Vec::new(),
            shadows: self.repeated.shadow(item).into_iter().collect(),
        }
    }

    /// Returns the state of a value. Another tool may still expand a reference in a file, but not in a process
    /// environment.
    fn state(
        &mut self,
        context: &SettingContext<'_>,
        item: &Item,
        field: &'static schema::Field,
    ) -> (WrittenAs, State) {
        if item.encoding == Encoding::Reference {
            let name = self.vault.shown(item.value, expansion::shown_name).unwrap_or_else(|| MASK.to_owned());
            return (WrittenAs::Env(name), State::Opaque);
        }
        // The program itself rejects invalid base64.
        let Some(value) = item.literal_value() else { return (WrittenAs::Literal, State::Opaque) };
        // Programs continue reading on the next line.
        let one_line =
            matches!(self.file_type.dialect, Dialect::Lines | Dialect::Properties) || self.file_type.dialect.is_ini();
        if one_line && self.vault.facts(value).pem.is_some() {
            return (WrittenAs::Literal, State::Opaque);
        }
        let reading = self.vault.facts(value).reading;
        if reading.placeholder.is_some()
            && (self.repeated.is_replaced(item) || self.is_for_template(context.group, item))
        {
            return (WrittenAs::Literal, State::Opaque);
        }
        // npm expands `${NAME}` only. Source: <https://docs.npmjs.com/cli/configuring-npm/npmrc#environment-variables>.
        let of_npm = context.program.is_some_and(|program| program.name == npm::PROGRAM.name)
            && value_matches(self.vault, value, |text| !text.contains("${"));
        let is_left = (self.is_literal(context.group) || of_npm)
            && reading.unexpanded.is_some_and(|found| matches!(found.by, Expander::Shell | Expander::Workflow))
            && !value_matches(self.vault, value, |text| text.contains("${{"));
        // A credential is not the name of a variable.
        let is_credential = reading.wrapping == Some(Wrapping::Dollar) && reading.form.is_some();
        if self.file_type.place != Place::Environment && !is_left && !is_credential {
            if let Some(name) = self.vault.shown(value, expansion::refers_to) {
                return (WrittenAs::Env(name), State::Opaque);
            }
            // Scripts use such a word as a default.
            let is_script = matches!(self.file_type.dialect, Dialect::Shell | Dialect::Assignments);
            let fallback = reading.placeholder == Some(Placeholder::Null) && is_script && !self.file_type.known;
            // Programs use a bare name literally; if the reader is unknown, it may be a key in another document. No
            // tool replaces a path by the file's content.
            let taken = |found: Unexpanded| match found.by {
                Expander::Variable => context.program.is_some() && item.encoding == Encoding::Plain,
                // Tools replace an address of the kind `file:///run/secrets/…`.
                by => by == Expander::Path && !value_matches(self.vault, value, |text| text.starts_with("file://")),
            };
            let roots = self.roots;
            let mut expands =
                || *self.known.brackets.get_or_insert_with(|| roots.iter().any(expansion::has_vault_plugin));
            let bracket = reading.placeholder == Some(Placeholder::Brackets) && expands();
            if value_matches(self.vault, value, expansion::is_expanded)
                || reading.unexpanded.is_some_and(|found| !taken(found))
                || fallback
                || bracket
            {
                return (WrittenAs::Literal, State::Opaque);
            }
        }
        (WrittenAs::Literal, config::value_state(field, value, self.vault))
    }

    /// Returns `true` for a value in a text that a script writes to a file or shows, which somebody may complete.
    fn is_for_template(&mut self, group: &Group, item: &Item) -> bool {
        let is_script = matches!(self.file_type.dialect, Dialect::Shell | Dialect::Assignments);
        if group.embedded_in.as_ref().is_some_and(|(name, _)| !name.is_empty()) {
            return is_script || group.path.iter().any(|part| is_script_key(part));
        }
        let text = self.text.filter(|_| is_script).unwrap_or_default();
        let bodies = self.known.heredocs.get_or_insert_with(|| heredoc_bodies(text));
        let body = bodies[..bodies.partition_point(|body| body.start <= item.at.span.start)].last();
        body.is_some_and(|body| item.at.span.start < body.end)
    }

    /// Returns the form of an item's value, where a project's service has these forms of its own.
    fn form(&mut self, item: &Item, own: &[&'static services::Form]) -> Option<&'static services::Form> {
        let value = item.literal_value()?;
        self.vault.facts_among(value, own).form()
    }
}

/// Returns the items of a group that name an endpoint: the last one in a table (`""`), and those of rclone's remotes.
fn endpoints(group: &Group) -> HashMap<String, Item> {
    let mut found = HashMap::new();
    for item in &group.items {
        let lower = item.name.to_lowercase();
        if lower.starts_with("endpoint") {
            found.insert(String::new(), item.clone());
        }
        if lower.ends_with("_endpoint") {
            found.insert(lower, item.clone());
        }
    }
    found
}

/// Returns `true` for a file of commands, where a name may be set in several branches.
pub(super) fn runs_commands(file: &str, dialect: Dialect) -> bool {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
    let by_name = || {
        let image = |name: &str| ["dockerfile", "containerfile"].contains(&name);
        let commands = [".fish", ".bat", ".cmd", ".ps1"].iter().any(|end| name.ends_with(end));
        commands || name.split(['.', '-', '_']).any(image) || name == "crontab"
    };
    dialect == Dialect::Shell || dialect == Dialect::Assignments && by_name()
}

/// Returns the field of a public value under a name that browsers get: `REACT_APP_STRIPE_API_KEY` can only be the
/// publishable key.
fn field_of_public_value(field: &'static Field, name: &str, form: &'static services::Form) -> Option<&'static Field> {
    let says_secret = ["SECRET", "PRIVATE"].iter().any(|word| name.to_uppercase().contains(word));
    if !field.is_secret() || !form.public || says_secret || !names::reaches_browsers(name) {
        return None;
    }
    let fields = services::all().iter().flat_map(|service| service.fields).copied();
    fields.into_iter().find(|other| other.place.0 == field.place.0 && other.takes.contains(&form))
}

/// Returns the name that a program reads instead of another one.
fn name_read_instead(program: &Program, name: &str) -> Option<&'static str> {
    let found = program.instead.iter().find(|(other, _)| name.eq_ignore_ascii_case(other));
    found.map(|(_, instead)| *instead)
}

/// Returns `true` for a restic repository that is accessed through the native API.
fn is_native_address(text: &str) -> bool {
    text.starts_with("b2:") && !text.starts_with("b2://")
}

/// Returns a name for display, with its index if it is in a list.
pub(super) fn shown_name(name: &str) -> String {
    let (bare, place) = name.find('[').map_or((name, ""), |at| name.split_at(at));
    let is_place = place.trim_matches(['[', ']']).bytes().all(|byte| byte.is_ascii_digit());
    let (bare, place) = if is_place { (bare, place) } else { (name, "") };
    let known = value::key_name(bare).or_else(|| bare.is_empty().then(String::new));
    known.map_or_else(|| MASK.to_owned(), |bare| bare + place)
}

/// Returns the meaning of an item's name, in a table if its name may be a service's.
fn meaning(table: Option<&str>, item: &Item) -> Option<Meaning> {
    // `accountIDSecretRef` refers to the value of `accountID`.
    let refers = ["SecretKeyRef", "SecretRef", "KeyRef"].iter().find_map(|end| item.name.strip_suffix(end));
    let name = refers.filter(|_| item.encoding == Encoding::Reference).unwrap_or(&item.name);
    names::meaning(name).or_else(|| names::meaning_in_table(table?, name))
}

#[cfg(test)]
mod tests {
    use super::super::{file_type, read::credentials};
    use super::*;
    use crate::source::{PipeTexts, Reader, Sources};

    /// Returns the names of the profiles in a file.
    fn names(path: &str, text: &str) -> Vec<String> {
        let (mut vault, mut sources, pipes) = (Vault::default(), Sources::default(), PipeTexts::default());
        let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory: Path::new(""), pipes: &pipes };
        let file_type = FileType::from_path(Path::new(path)).unwrap();
        let read = reader.read(&mut text.to_owned(), file_type.dialect, file_type::inside, None);
        let found = credentials(
            read.roots(),
            &mut vault,
            FileText { file_type, name: Some(path), text, path: None },
            (&OwnNames::default(), None),
        )
        .profiles;
        found.iter().map(|profile| profile.id.name.clone()).collect()
    }

    #[test]
    fn names_profile_after_variables_or_table() {
        let endpoint = "S3_ENDPOINT=s3.us-west-004.backblazeb2.com\n";
        for (path, text, expected) in [
            (".env", "SLACK_BOT_TOKEN_DEV=a\nSLACK_BOT_TOKEN_PROD=b\n", &["dev", "prod"][..]),
            (".env", "SLACK_BOT_TOKEN=a\nSLACK_BOT_TOKEN=b\nSLACK_BOT_TOKEN=c\n", &["slack", "slack-2", "slack-3"]),
            (
                ".env",
                "RCLONE_CONFIG_NIGHTLY_TYPE=b2\nRCLONE_CONFIG_NIGHTLY_ACCOUNT=a\nRCLONE_CONFIG_NIGHTLY_KEY=b\n",
                &["nightly"],
            ),
            (".env", &format!("BACKUP_ACCESS_KEY_ID=a\nBACKUP_SECRET_ACCESS_KEY=b\n{endpoint}"), &["backup"]),
            ("a.yaml", "web: {environment: {SLACK_BOT_TOKEN: a}}\napi: {env: {SLACK_BOT_TOKEN: b}}\n", &["web", "api"]),
            // A number that is in use is skipped.
            (
                "a.yaml",
                "x: {a: {SLACK_BOT_TOKEN: a}, a-2: {SLACK_BOT_TOKEN: b}}\ny: {a: {SLACK_BOT_TOKEN: c}}\n",
                &["a", "a-2", "a-3"],
            ),
            // A possible secret never becomes part of a name, and a public ID is not a credential.
            (".env", "SUPABASE_URL=0057391842650ab0000000001\n", &[]),
            (".env", "K005ABCDEFGHIJKLMNOPQRSTUVWXYZ1_SLACK_BOT_TOKEN=a\n", &["slack"]),
            ("a.yaml", "jobs: {k005abcdefghijklmnopqrstuvwxyz1: {SLACK_BOT_TOKEN: a}}\n", &["jobs"]),
        ] {
            assert_eq!(names(path, text), expected, "{text}");
        }
    }
}
