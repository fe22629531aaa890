//! Merged profiles and their settings. A setting carries everything from the merge to the rules: where it was set, how,
//! what it shadows and what is known of its value. The value itself stays in the vault.

use std::sync::Arc;

use super::layer::Origin;
use super::missing::Missing;
use super::oddity::Oddity;
use super::permitted::{PermittedHosts, ReferenceRefusal};
use crate::schema::value::{BaseUrl, ChannelFlaw, ChannelId, Flaw, Parsed, UrlFlaw};
use crate::schema::{Address, Field, Kind, ProfileId, Role, Type};
use crate::secret::{Facts, Handle, MASK, Piece};
use crate::services::HostRule;
use crate::source::Spot;

/// A named profile.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its id.
    pub id: ProfileId,
    /// The location of its table, or else of its first variable.
    pub at: Spot,
    /// True if some layer sets it to something other than a table; only the rule on types checks it.
    pub broken: bool,
    /// The hosts that may receive its credential.
    pub permitted: PermittedHosts,
    /// The fields that are set, in schema order, so that reports don't depend on the order of a file.
    pub settings: Vec<Setting>,
    /// Unknown keys in all layers.
    pub unknown: Vec<Unknown>,
    /// Values of the wrong type in all layers.
    pub mistyped: Vec<Mistyped>,
    /// Present if the profile was found in another program's file or variables.
    pub found: Option<ForeignProfile>,
}

/// Details of a profile that was found in another program's file, or among the variables of a process. It may be
/// incomplete: other settings may come from elsewhere.
#[derive(Clone, Default, Debug)]
pub struct ForeignProfile {
    /// Where it was found.
    pub place: Place,
    /// The program, if it is known.
    pub program: Option<&'static str>,
    /// True if that program needs a complete pair in this place.
    pub needs_pair: bool,
    /// True for the `env` and the inputs of a workflow, which expand `${{ … }}` and nothing else.
    pub literal: bool,
    /// Names that the program does not read.
    pub unread: Vec<Unread>,
    /// Names that a framework passes on to browsers.
    pub public: Vec<&'static str>,
    /// Names in the `data` of a Kubernetes Secret whose values are not base64.
    pub not_base64: Vec<&'static str>,
    /// The address of the service's API, if one is next to the credential.
    pub api: Option<ApiBeside>,
    /// True if whoever reads a value gets all of it, also quotes and blanks around it.
    pub kept: bool,
    /// Fields whose values were not made with the value of another field, although a row says that they are.
    pub not_made_with: Vec<(&'static str, &'static str)>,
    /// The host next to its values, for services whose values are used with many hosts.
    pub host: Option<HostBeside>,
    /// What to write in place of a secret, as git would commit the file.
    pub instead: Option<&'static str>,
}

/// Values that no rule judges, for a command that asks for all of them.
#[derive(Clone, Default, Debug)]
pub struct Listed {
    /// Those whose names say that they are credentials, or in which a piece of a log is.
    pub profiles: Vec<Profile>,
    /// Which values have a piece of a log, the number of the piece, and what it is there.
    pub pieces: Vec<(Spot, usize, Piece)>,
}

/// What is known about the host next to found values.
#[derive(Clone, Default, Debug)]
pub struct HostBeside {
    /// It is the service's own.
    pub own: bool,
    /// It is this machine or its network.
    pub local: bool,
    /// What fields take there.
    pub at: Vec<&'static HostRule>,
}

/// The address of an API next to a found credential: its reader uses this address instead of the service's own.
#[derive(Clone, Debug)]
pub struct ApiBeside {
    /// Its name for display.
    pub name: String,
    /// Its location.
    pub at: Spot,
    /// `None` if it is unknown or can't be used.
    pub address: Option<BaseUrl>,
}

/// Where a profile was found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Place {
    /// A file that a program reads, or the source of such a file.
    #[default]
    File,
    /// A file that git would commit. It may be meant to be filled in later.
    Committed,
    /// An example, a template or a test, by its name: its values are not used.
    Example,
    /// The variables of a process. Nothing expands references there.
    Environment,
}

impl Place {
    /// Returns `true` if the values are not used, as far as is known.
    pub const fn is_example(self) -> bool {
        matches!(self, Self::Example)
    }
}

/// A name that a program does not read.
#[derive(Clone, Debug)]
pub struct Unread {
    /// The name for display.
    pub name: String,
    /// Its location.
    pub at: Spot,
    /// The program. `None` if only the names around it tell.
    pub program: Option<&'static str>,
    /// The name that it reads instead, or that is meant.
    pub instead: String,
    /// The name next to it that goes with the right one.
    pub partner: Option<String>,
}

/// Who reads a profile's values, as far as is known. This decides which rules apply, and how severe a finding may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReadBy {
    /// credlint itself: a profile of its configuration.
    Declared,
    /// A known program, by its section or file.
    Program,
    /// Any program that reads variables named for a service.
    Named,
    /// Unknown: a variable of a process whose name only says that it is a secret.
    Unknown,
}

impl ReadBy {
    /// Settings outside of profiles.
    pub const NONE: &[Self] = &[];
    /// The configuration.
    pub const DECLARED: &[Self] = &[Self::Declared];
    /// Other programs' files and variables that are named for a service.
    pub const FOUND: &[Self] = &[Self::Program, Self::Named];
    /// Everything whose reader is known.
    pub const ALL: &[Self] = &[Self::Declared, Self::Program, Self::Named];
    /// Everything.
    pub const EVERY: &[Self] = &[Self::Declared, Self::Program, Self::Named, Self::Unknown];
}

/// A variable that must have a value, and has none.
#[derive(Clone, Debug)]
pub struct Required {
    /// Its name for display.
    pub name: String,
    /// Its location.
    pub at: Spot,
    /// What it has instead of a value.
    pub absence: NoValue,
    /// True if its value was read from standard input, and is stored by the command.
    pub piped: bool,
}

/// What is found in place of a required value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoValue {
    /// It is not set.
    Unset,
    /// It is set, but empty.
    Empty,
    /// It has text that stands for a value, described so.
    StandIn(&'static str),
}

/// A file that was not read, or not in its own syntax.
#[derive(Clone, Debug)]
pub struct UnreadFile {
    /// Its name for display.
    pub name: String,
    /// Where the reading stopped.
    pub at: Spot,
    /// What happened; follows the name in a sentence.
    pub why: String,
    /// The label at that location.
    pub label: &'static str,
    /// What to do.
    pub help: &'static str,
    /// True if its name says that it has credentials, or if it is standard input.
    pub expects_credentials: bool,
}

/// An unknown key.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// The path for display.
    pub key: String,
    /// Its location.
    pub at: Spot,
    /// The key that was probably meant.
    pub suggestion: Option<String>,
    /// The field that was probably meant.
    pub meant: Option<&'static str>,
    /// The fields for which other programs use this name, most likely first. Empty if the key is only a similar word.
    pub aliases: Vec<&'static str>,
    /// The valid keys.
    pub expected: Vec<&'static str>,
    /// What it is.
    pub kind: UnknownKind,
}

impl Unknown {
    /// Creates an unknown key without further details.
    pub(crate) const fn new(what: UnknownKind, key: String, at: Spot) -> Self {
        Self { key, at, suggestion: None, meant: None, aliases: Vec::new(), expected: Vec::new(), kind: what }
    }
}

/// What an unknown key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownKind {
    /// A field, or another key of a table.
    Field,
    /// A table, or a profile in the wrong place.
    Table,
    /// A field outside a profile.
    Profileless,
    /// The id of a rule.
    Rule,
    /// The name of a variable.
    Variable,
}

/// A value of the wrong type.
#[derive(Clone, Debug)]
pub struct Mistyped {
    /// The path for display.
    pub key: String,
    /// The location of the key.
    pub at: Spot,
    /// The type that was found, with its article.
    pub found: &'static str,
    /// The expected type, with its article.
    pub expected: String,
}

/// A field of a profile, as set by the winning layer.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The field.
    pub field: &'static Field,
    /// Its path: `messaging.reports.token`.
    pub key: String,
    /// The name in another program's file, for display.
    pub foreign_name: Option<String>,
    /// The index of the winning layer, from the lowest.
    pub layer: usize,
    /// The origin of that layer.
    pub origin: Origin,
    /// The location of the key.
    pub at: Spot,
    /// The location of the alias or merge key that inserts it.
    pub via: Option<Spot>,
    /// How the value is given.
    pub form: WrittenAs,
    /// The location of the value, if it was referenced and can be shown.
    pub found: Option<Spot>,
    /// True if the value is in a file that other users can read.
    pub exposed: bool,
    /// What only the file around the value tells about it.
    pub oddity: Option<Oddity>,
    /// The state of the value.
    pub state: State,
    /// The elements of a list.
    pub elements: Vec<Element>,
    /// The layers that it shadows, high to low.
    pub shadows: Vec<Shadow>,
}

/// An element of a list.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its path: `messaging.reports.channels[0]`.
    pub key: String,
    /// Its location.
    pub at: Spot,
    /// The location of the value, if it was referenced.
    pub found: Option<Spot>,
    /// The state of the value.
    pub state: State,
}

/// A layer whose setting is hidden by a higher one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shadow {
    /// The location of the key.
    pub at: Spot,
    /// True if it differs from the winning layer.
    pub differs: bool,
}

/// How a string is given, with names for display.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WrittenAs {
    /// Literally.
    Literal,
    /// `{ env = "NAME" }`.
    Env(String),
    /// `{ file = "PATH" }`.
    File(String),
}

/// The state of a setting.
#[derive(Clone, Debug)]
pub enum State {
    /// A value.
    Known(Box<Known>),
    /// A list; its elements are checked.
    List,
    /// An empty string.
    Empty,
    /// A reference that was not looked up.
    Opaque,
    /// A reference that can't be resolved.
    Missing(Box<Missing>),
    /// A reference that may not be resolved from this layer.
    Refused(ReferenceRefusal),
    /// A value of the wrong type, which is reported separately.
    Mistyped,
    /// Several references, or a value and a reference, at these locations.
    Conflict(Vec<Spot>),
}

/// A value.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its handle in the vault.
    pub handle: Handle,
    /// Facts about its bytes.
    pub facts: Arc<Facts>,
    /// The value parsed by its field's type.
    pub parsed: Result<Parsed, Flaw>,
    /// The part that may be printed.
    pub shown: Option<String>,
}

/// Formats words as `one` or `two`.
pub(super) fn join_with_or(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ")
}

impl Profile {
    /// Returns the kind.
    pub const fn kind(&self) -> &'static Kind {
        self.id.kind
    }

    /// Returns the setting of a field.
    pub fn setting(&self, field: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.field.name == field)
    }

    /// Returns the setting of a field unless it is empty.
    pub fn present(&self, field: &str) -> Option<&Setting> {
        self.setting(field).filter(|setting| setting.is_present())
    }

    /// Returns `true` if a field is absent and not misspelt: `unknown-field` reports misspelt ones.
    pub fn lacks(&self, field: &str) -> bool {
        self.setting(field).is_none() && !self.unknown.iter().any(|unknown| unknown.meant == Some(field))
    }

    /// Returns the settings that are credentials.
    pub fn credentials(&self) -> impl Iterator<Item = &Setting> {
        self.settings.iter().filter(|setting| setting.field.is_credential())
    }

    /// Creates a profile from values in other programs' files or in variables.
    pub(crate) fn from_foreign(id: ProfileId, at: Spot, settings: Vec<Setting>, found: ForeignProfile) -> Self {
        Self {
            id,
            at,
            broken: false,
            permitted: PermittedHosts::default(),
            settings,
            unknown: Vec::new(),
            mistyped: Vec::new(),
            found: Some(found),
        }
    }

    /// Returns `true` if a configuration of credlint has it, and not another program's file or a variable.
    pub const fn is_declared(&self) -> bool {
        self.found.is_none()
    }

    /// Returns who reads its values, as far as is known.
    pub fn reader(&self) -> ReadBy {
        match &self.found {
            None => ReadBy::Declared,
            Some(found) if found.program.is_some() => ReadBy::Program,
            Some(_) if *self.kind() == crate::schema::VARIABLE => ReadBy::Unknown,
            Some(_) => ReadBy::Named,
        }
    }

    /// Returns the path of a setting in a profile, or the name under which it was found.
    pub(crate) fn display_path<'a>(&self, setting: &'a Setting) -> &'a str {
        if self.is_declared() { &setting.key } else { setting.name() }
    }

    /// Names a setting in a message: with the profile, unless its name stands for itself.
    pub(crate) fn describe_setting(&self, setting: &Setting) -> String {
        match &self.found {
            None => format!("`{}` of `{}`", setting.field.name, self.id),
            Some(_) => format!("`{}`", setting.name()),
        }
    }

    /// Names the ID and the key of a pair in a message.
    pub(crate) fn describe_pair(&self, id: &Setting, key: &Setting) -> String {
        match &self.found {
            None => format!("the ID and the key of `{}`", self.id),
            Some(_) => format!("`{}` and `{}`", id.name(), key.name()),
        }
    }

    /// Returns the credentials that the profile's job does not use: those next to a required one.
    pub fn unused_credentials(&self) -> impl Iterator<Item = &Setting> {
        let required = |setting: &&Setting| setting.field.required && setting.is_present();
        let served = self.credentials().any(|setting| required(&setting));
        self.credentials().filter(move |setting| served && !setting.field.required)
    }

    /// Returns the settings that are destinations.
    pub fn destinations(&self) -> impl Iterator<Item = &Setting> {
        self.settings.iter().filter(|setting| setting.field.role == Role::Destination)
    }

    /// Returns the settings with addresses, each parsed. Empty if the profile is not a table.
    pub fn addresses(&self) -> impl Iterator<Item = (&Setting, Result<&BaseUrl, UrlFlaw>)> {
        let settings = self.settings.iter().filter(|_| !self.broken);
        settings.filter_map(|setting| Some((setting, setting.address()?)))
    }

    /// Returns the addresses that requests are sent to.
    pub(crate) fn api_addresses(&self) -> impl Iterator<Item = (&Setting, Result<&BaseUrl, UrlFlaw>)> {
        self.addresses().filter(|(setting, _)| matches!(setting.field.ty, Type::Url(Address::Api)))
    }

    /// Returns every setting and list element: key, location and state.
    pub fn places(&self) -> impl Iterator<Item = (&str, Spot, &State)> {
        let whole = self.settings.iter().map(|setting| (setting.key.as_str(), setting.at, &setting.state));
        let elements = self.settings.iter().flat_map(|setting| &setting.elements);
        whole.chain(elements.map(|element| (element.key.as_str(), element.at, &element.state)))
    }
}

impl Setting {
    /// Returns `true` if the setting counts as set. Unresolved, mistyped and conflicting values do, so that one mistake
    /// gives one finding.
    pub const fn is_present(&self) -> bool {
        !matches!(self.state, State::Empty)
    }

    /// Returns the name used in the file: another program's name, or the field's.
    pub fn name(&self) -> &str {
        self.foreign_name.as_deref().unwrap_or(self.field.name)
    }

    /// Returns `true` if a single value, such as an address, contains both.
    pub(crate) fn shares_value_with(&self, other: &Self) -> bool {
        self.name() == other.name()
    }

    /// Returns the value, if it is known.
    pub fn known(&self) -> Option<&Known> {
        self.state.known()
    }

    /// Returns the facts about the value.
    pub fn facts(&self) -> Option<&Facts> {
        self.known().map(|known| &*known.facts)
    }

    /// Returns `true` if two values have the same part, such as an account. `None` if one of them has none.
    pub fn agrees_with(&self, other: &Self, part: &str) -> Option<bool> {
        self.facts()?.agrees_with(other.facts()?, part)
    }

    /// Returns the form of the value, if nothing wraps it.
    pub fn credential_form(&self) -> Option<&'static crate::services::Form> {
        self.facts().and_then(Facts::form)
    }

    /// Returns the parsed value. `None` without a value.
    pub fn parsed(&self) -> Option<Result<&Parsed, Flaw>> {
        self.known().map(|known| known.parsed.as_ref().map_err(|flaw| *flaw))
    }

    /// Returns the parsed address. `None` without a value or for another type.
    pub fn address(&self) -> Option<Result<&BaseUrl, UrlFlaw>> {
        match self.parsed()? {
            Ok(Parsed::Url(address)) => Some(Ok(address)),
            Err(Flaw::Url(flaw)) => Some(Err(flaw)),
            _ => None,
        }
    }

    /// Returns `true` for an ID of no known form that a discovered project file takes from elsewhere. It could be any
    /// secret of this machine, so it is not sent. The check treats it as an ID of unknown form.
    pub fn is_unverified_id(&self) -> bool {
        let id = self.credential_form().is_some_and(crate::services::Form::is_id)
            || self.parsed().is_some_and(|parsed| parsed.is_ok());
        self.origin == Origin::Project && self.form != WrittenAs::Literal && self.field.role == Role::Identifier && !id
    }

    /// Returns the printable part of the value; for a list, its elements.
    pub fn shown(&self) -> Option<String> {
        let shown = |state: &State| state.known()?.shown.clone();
        if self.elements.is_empty() {
            return shown(&self.state);
        }
        let elements = self.elements.iter().map(|element| shown(&element.state).unwrap_or_else(|| MASK.to_owned()));
        Some(elements.collect::<Vec<_>>().join(", "))
    }
}

impl Element {
    /// Returns the parsed channel. `None` without a value.
    pub fn channel(&self) -> Option<Result<&ChannelId, ChannelFlaw>> {
        match &self.state {
            State::Empty => Some(Err(ChannelFlaw::Empty)),
            State::Known(known) => match &known.parsed {
                Ok(Parsed::Channel(id)) => Some(Ok(id)),
                Err(Flaw::Channel(flaw)) => Some(Err(*flaw)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the location of the value.
    pub fn value_at(&self) -> Spot {
        self.found.unwrap_or(self.at)
    }
}

impl State {
    /// Returns the value, if it is known.
    pub fn known(&self) -> Option<&Known> {
        match self {
            Self::Known(known) => Some(known),
            _ => None,
        }
    }
}
