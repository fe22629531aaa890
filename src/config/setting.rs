//! What was merged: profiles and their settings. A setting is one thing from the merge to the rule: where it was set, how
//! it was said, what it shadows, and what is known of it. The value itself stays in the vault.

use super::layer::Origin;
use super::missing::Missing;
use super::permitted::PermittedHosts;
use super::refusal::Refusal;
use crate::schema::value::{BaseUrl, ChannelFlaw, ChannelId, Flaw, Parsed, UrlFlaw};
use crate::schema::{Field, Kind, ProfileId, Role};
use crate::secret::{Facts, Handle, MASK};
use crate::source::Spot;

/// A named profile.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its name.
    pub id: ProfileId,
    /// Where its table, or else its first variable, stands.
    pub at: Spot,
    /// Some layer has something else than a table in its place; no rule but the one on types looks at it.
    pub broken: bool,
    /// The hosts that may get its credential.
    pub permitted: PermittedHosts,
    /// Its fields that some layer sets, in the order of the schema, so that a report reads the same whatever the order of
    /// a file.
    pub settings: Vec<Setting>,
    /// Keys in it that mean nothing, of every layer.
    pub unknown: Vec<Unknown>,
    /// Values in it of the wrong type, of every layer.
    pub mistyped: Vec<Mistyped>,
    /// Where it was found, if another program's file or variables hold it.
    pub found: Option<ForeignProfile>,
}

/// What is known of a profile that was found in a file of another program, or among the variables of a process. It is a
/// fragment of somebody's setup: what is not there may stand elsewhere.
#[derive(Clone, Debug)]
pub struct ForeignProfile {
    /// What it was found in.
    pub place: Place,
    /// The program that it is for, if that is known.
    pub program: Option<&'static str>,
    /// That program needs both halves of a pair in this one place.
    pub whole: bool,
    /// Names in it that the program does not read.
    pub unread: Vec<Unread>,
}

/// What a profile was found in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A file that a program reads, or from which one is made.
    File,
    /// An example, a template, a test or a document: what stands there is not used.
    Example,
    /// The variables of a process, where nothing expands any more.
    Environment,
}

/// A name that a program does not read.
#[derive(Clone, Debug)]
pub struct Unread {
    /// The name, as it may be printed.
    pub name: String,
    /// Where it stands.
    pub at: Spot,
    /// The name that the program reads instead.
    pub instead: &'static str,
}

/// A variable of a process that is named like one that holds a secret, whoever's it is.
#[derive(Clone, Debug)]
pub struct NamedSecret {
    /// Its name, as it may be printed.
    pub name: String,
    /// Where it stands.
    pub at: Spot,
    /// What may be known of its value.
    pub facts: Facts,
}

/// A key that means nothing.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Its path as it may be printed.
    pub key: String,
    /// Where it stands.
    pub at: Spot,
    /// What was probably meant.
    pub suggestion: Option<String>,
    /// The field of a profile that was probably meant.
    pub meant: Option<&'static str>,
    /// The fields that other programs call so, the likeliest first. None of a word that is only near to one.
    pub called: Vec<&'static str>,
    /// What would have been right.
    pub expected: Vec<&'static str>,
    /// Whether it is the name of a variable.
    pub variable: bool,
}

/// A value of the wrong type.
#[derive(Clone, Debug)]
pub struct Mistyped {
    /// Its path as it may be printed.
    pub key: String,
    /// Where the key stands.
    pub at: Spot,
    /// What was found, with its article.
    pub found: &'static str,
    /// What is expected, with its article.
    pub expected: String,
}

/// A field of a profile, as the layer that wins says.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Which field.
    pub field: &'static Field,
    /// Its path: `messaging.reports.token`.
    pub key: String,
    /// What it is called in the file of another program, as it may be printed.
    pub called: Option<String>,
    /// The layer that wins, counted from the lowest.
    pub layer: usize,
    /// What kind of layer that is.
    pub origin: Origin,
    /// Where the key stands in it.
    pub at: Spot,
    /// Where an alias or a merge key brought it in.
    pub via: Option<Spot>,
    /// How its value is said.
    pub form: Form,
    /// Where the value was found, if it is a reference to another place that can be shown.
    pub found: Option<Spot>,
    /// Its value stands in a file that other users can read.
    pub exposed: bool,
    /// What is there.
    pub state: State,
    /// The elements, if it is a list.
    pub elements: Vec<Element>,
    /// The layers that it shadows, high to low.
    pub shadows: Vec<Shadow>,
}

/// An element of a list.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its path: `messaging.reports.channels[0]`.
    pub key: String,
    /// Where it stands.
    pub at: Spot,
    /// Where its value was found, if that is another place.
    pub found: Option<Spot>,
    /// What is there.
    pub state: State,
}

/// A layer whose setting is hidden by that of a higher one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shadow {
    /// Where the key stands in it.
    pub at: Spot,
    /// It says something else than the layer that wins.
    pub differs: bool,
    /// What is written out there, if that is known.
    pub what: Option<crate::form::Form>,
}

/// How a string is said. Names are as they may be printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// Written out.
    Literal,
    /// `{ env = "NAME" }`.
    Env(String),
    /// `{ file = "PATH" }`.
    File(String),
}

/// What a setting holds.
#[derive(Clone, Debug)]
pub enum State {
    /// A value.
    Known(Box<Known>),
    /// A list: it is judged by its elements.
    List,
    /// Set, but empty.
    Empty,
    /// A reference that was not looked up.
    Opaque,
    /// A reference that leads nowhere, and why.
    Missing(Box<Missing>),
    /// A reference that is not followed for who says it, and why.
    Refused(Refusal),
    /// Something of the wrong type; reported as such.
    Mistyped,
    /// Two references, or a value and a reference, and where they stand.
    Conflict(Vec<Spot>),
}

/// What is known of a value.
#[derive(Clone, Debug)]
pub struct Known {
    /// The value in the vault.
    pub handle: Handle,
    /// What may be known of its bytes.
    pub facts: Facts,
    /// The value as its field's type reads it, or why there is none.
    pub parsed: Result<Parsed, Flaw>,
    /// What may be printed of it.
    pub shown: Option<String>,
}

/// `one` or `two`, as a message says it.
pub(super) fn choice(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ")
}

impl Profile {
    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> &'static Kind {
        self.id.kind
    }

    /// The setting of a field, if some layer sets it.
    #[must_use]
    pub fn setting(&self, field: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.field.name == field)
    }

    /// The same, unless it is set empty, which counts as absent.
    #[must_use]
    pub fn present(&self, field: &str) -> Option<&Setting> {
        self.setting(field).filter(|setting| setting.is_present())
    }

    /// Whether a field is not there, not even misspelt: one mistake gives one finding, and that is `unknown-field`.
    #[must_use]
    pub fn lacks(&self, field: &str) -> bool {
        self.setting(field).is_none() && !self.unknown.iter().any(|unknown| unknown.meant == Some(field))
    }

    /// The halves of credentials that are set.
    pub fn credentials(&self) -> impl Iterator<Item = &Setting> {
        self.settings.iter().filter(|setting| setting.field.is_credential())
    }

    /// The destinations that are set.
    pub fn destinations(&self) -> impl Iterator<Item = &Setting> {
        self.settings.iter().filter(|setting| setting.field.role == Role::Destination)
    }

    /// The settings that hold addresses, each checked. None of a profile that is no table.
    pub fn addresses(&self) -> impl Iterator<Item = (&Setting, Result<&BaseUrl, UrlFlaw>)> {
        let settings = self.settings.iter().filter(|_| !self.broken);
        settings.filter_map(|setting| Some((setting, setting.address()?)))
    }

    /// Every setting and every element of a list: its key, where it stands and what is there.
    pub fn places(&self) -> impl Iterator<Item = (&str, Spot, &State)> {
        let whole = self.settings.iter().map(|setting| (setting.key.as_str(), setting.at, &setting.state));
        let elements = self.settings.iter().flat_map(|setting| &setting.elements);
        whole.chain(elements.map(|element| (element.key.as_str(), element.at, &element.state)))
    }
}

impl Setting {
    /// Whether it counts as set: unresolved, mistyped and conflicting values do, so that one mistake gives one finding.
    #[must_use]
    pub const fn is_present(&self) -> bool {
        !matches!(self.state, State::Empty)
    }

    /// What the one who wrote it calls it: the name in the file of another program, or that of the field.
    #[must_use]
    pub fn name(&self) -> &str {
        self.called.as_deref().unwrap_or(self.field.name)
    }

    /// What is known of the value, if there is one.
    #[must_use]
    pub fn known(&self) -> Option<&Known> {
        self.state.known()
    }

    /// What may be known of the bytes of the value.
    #[must_use]
    pub fn facts(&self) -> Option<&Facts> {
        self.known().map(|known| &known.facts)
    }

    /// What the value is, if that is known and nothing stands around it.
    #[must_use]
    pub fn what(&self) -> Option<crate::form::Form> {
        self.facts().and_then(Facts::form)
    }

    /// The value as its type reads it, or why there is none; `None` without a value.
    #[must_use]
    pub fn parsed(&self) -> Option<Result<&Parsed, Flaw>> {
        self.known().map(|known| known.parsed.as_ref().map_err(|flaw| *flaw))
    }

    /// The address that it holds, or why it is none; `None` without a value or for another type.
    #[must_use]
    pub fn address(&self) -> Option<Result<&BaseUrl, UrlFlaw>> {
        match self.parsed()? {
            Ok(Parsed::Url(address)) => Some(Ok(address)),
            Err(Flaw::Url(flaw)) => Some(Err(flaw)),
            _ => None,
        }
    }

    /// Whether it is an id that a discovered project file takes from elsewhere, and has the form of none. It could be
    /// anything that lies about, so it is not sent; to a check it is an id of a form that is not known.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        let id =
            self.what().is_some_and(crate::form::Form::is_id) || self.parsed().is_some_and(|parsed| parsed.is_ok());
        self.origin == Origin::Project && self.form != Form::Literal && self.field.role == Role::Identifier && !id
    }

    /// What may be printed of it: of a list, its elements.
    #[must_use]
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
    /// The channel, or why it is none; `None` without a value.
    #[must_use]
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

    /// Where its value stands.
    #[must_use]
    pub fn value_at(&self) -> Spot {
        self.found.unwrap_or(self.at)
    }
}

impl State {
    /// What is known of the value, if there is one.
    #[must_use]
    pub fn known(&self) -> Option<&Known> {
        match self {
            Self::Known(known) => Some(known),
            _ => None,
        }
    }
}
