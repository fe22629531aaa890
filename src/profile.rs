//! Profiles: the merged settings with types. A rule reads facts and places here; the values stay in the vault.

pub mod messaging;
pub mod storage;

pub use messaging::Messaging;
pub use storage::Storage;

use crate::config::{Config, Content, Form, Merged, Mistyped, Origin, Shadow, Shape, Text, Unknown};
use crate::schema::{Field, Kind, ProfileId, Role};
use crate::secret::{Facts, Handle, KeyShape};
use crate::source::Spot;

/// Everything that was loaded, with types.
#[derive(Clone, Debug, Default)]
pub struct Profiles {
    /// The profiles, by kind and name.
    pub list: Vec<Profile>,
    /// Keys that mean nothing, outside any profile.
    pub unknown: Vec<Unknown>,
    /// Values of the wrong type, outside any profile.
    pub mistyped: Vec<Mistyped>,
}

/// A named profile.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its name.
    pub id: ProfileId,
    /// Where it begins.
    pub at: Spot,
    /// Some layer has something else than a table in its place; no rule but the one on types looks at it.
    pub broken: bool,
    /// Keys in it that mean nothing.
    pub unknown: Vec<Unknown>,
    /// Values in it of the wrong type.
    pub mistyped: Vec<Mistyped>,
    /// Its fields, by kind.
    pub fields: Fields,
}

/// The fields of a profile.
#[derive(Clone, Debug)]
pub enum Fields {
    /// A workspace of the messaging service.
    Messaging(Box<Messaging>),
    /// An account of the storage service.
    Storage(Box<Storage>),
}

/// A field that some layer sets.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Which field.
    pub field: &'static Field,
    /// Its path: `messaging.reports.token`.
    pub key: String,
    /// Where its key stands.
    pub at: Spot,
    /// Where an alias or a merge key brought it in.
    pub via: Option<Spot>,
    /// What kind of layer set it.
    pub origin: Origin,
    /// The layer that set it, counted from the lowest.
    pub layer: usize,
    /// How its value is said.
    pub form: Form,
    /// Where the value was found, if it is a reference to another place that can be shown.
    pub found: Option<Spot>,
    /// What is there.
    pub state: State,
    /// What may be printed of the value.
    pub shown: Option<String>,
    /// The layers it shadows, high to low.
    pub shadows: Vec<Shadow>,
    /// Its value stands in a file that other users can read.
    pub exposed: bool,
}

/// What a setting holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// A value of which this is known.
    Known(Facts),
    /// Nothing: set, but empty.
    Empty,
    /// A value that was not looked up.
    Opaque,
    /// A reference that leads nowhere, and why.
    Missing(String),
    /// Something of the wrong type.
    Mistyped,
    /// Two values in one place.
    Conflict(Vec<Spot>),
}

impl State {
    fn of(content: &Content, config: &Config) -> Self {
        match content {
            Content::Known(handle) => match config.vault.facts(*handle) {
                facts if facts.empty => Self::Empty,
                facts => Self::Known(facts),
            },
            Content::Opaque => Self::Opaque,
            Content::Missing(why) => Self::Missing(why.clone()),
            Content::Mistyped => Self::Mistyped,
            Content::Conflict(spots) => Self::Conflict(spots.clone()),
        }
    }
}

impl Setting {
    /// Whether it counts as set: unresolved, mistyped and conflicting values do, so that one mistake gives one finding.
    #[must_use]
    pub fn is_present(&self) -> bool {
        self.state != State::Empty
    }

    /// What the value looks like to the storage service, if that is known.
    #[must_use]
    pub fn shape(&self) -> Option<KeyShape> {
        self.facts().and_then(|facts| facts.shape)
    }

    /// What is known of the value.
    #[must_use]
    pub const fn facts(&self) -> Option<&Facts> {
        match &self.state {
            State::Known(facts) => Some(facts),
            _ => None,
        }
    }
}

/// The setting, unless it is absent or set empty.
pub(crate) fn present(setting: Option<&Setting>) -> Option<&Setting> {
    setting.filter(|setting| setting.is_present())
}

impl Profiles {
    /// Gives types to a configuration.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        let mut list: Vec<Profile> = config.profiles.iter().map(|merged| Profile::of(merged, config)).collect();
        let index: std::collections::HashMap<&ProfileId, usize> =
            config.profiles.iter().enumerate().map(|(index, merged)| (&merged.id, index)).collect();
        let (mut unknown, mut mistyped) = (Vec::new(), Vec::new());
        for stray in &config.unknown {
            match stray.profile.as_ref().and_then(|id| index.get(id)) {
                Some(&index) => list[index].unknown.push(stray.clone()),
                None => unknown.push(Unknown { profile: None, ..stray.clone() }),
            }
        }
        for wrong in &config.mistyped {
            match wrong.profile.as_ref().and_then(|id| index.get(id)) {
                Some(&index) => list[index].mistyped.push(wrong.clone()),
                None => mistyped.push(Mistyped { profile: None, ..wrong.clone() }),
            }
        }
        Self { list, unknown, mistyped }
    }

    /// The profiles of that name: `kind.name`, or the name alone.
    #[must_use]
    pub fn find(&self, name: &str) -> Vec<&Profile> {
        self.list.iter().filter(|profile| profile.id.is_called(name)).collect()
    }
}

impl Profile {
    fn of(merged: &Merged, config: &Config) -> Self {
        let mut draft = Draft { merged, config, mistyped: Vec::new() };
        let fields = match merged.id.kind {
            Kind::Messaging => Fields::Messaging(Box::new(Messaging::of(&mut draft))),
            Kind::Storage => Fields::Storage(Box::new(Storage::of(&draft))),
        };
        let mistyped = draft.mistyped;
        Self { id: merged.id.clone(), at: merged.at, broken: merged.mistyped, unknown: Vec::new(), mistyped, fields }
    }

    /// Whether a field is not there, not even misspelt: one mistake gives one finding, and that is `unknown-field`.
    #[must_use]
    pub fn lacks(&self, field: &str) -> bool {
        !self.settings().iter().any(|setting| setting.field.name == field)
            && !self.unknown.iter().any(|unknown| unknown.meant == Some(field))
    }

    /// The fields that are set, in the order of the schema.
    #[must_use]
    pub fn settings(&self) -> Vec<&Setting> {
        match &self.fields {
            Fields::Messaging(messaging) => messaging.settings(),
            Fields::Storage(storage) => storage.settings(),
        }
    }

    /// The elements of the list of channels.
    #[must_use]
    pub fn channels(&self) -> &[messaging::Channel] {
        match &self.fields {
            Fields::Messaging(messaging) => &messaging.channel_list,
            Fields::Storage(_) => &[],
        }
    }

    /// The halves of credentials that are set.
    pub fn credentials(&self) -> impl Iterator<Item = &Setting> {
        self.settings().into_iter().filter(|setting| setting.field.is_credential())
    }

    /// The destinations that are set.
    pub fn destinations(&self) -> impl Iterator<Item = &Setting> {
        self.settings().into_iter().filter(|setting| setting.field.role == Role::Destination)
    }
}

/// The merged settings of one profile on their way to types.
struct Draft<'a> {
    merged: &'a Merged,
    config: &'a Config,
    mistyped: Vec<Mistyped>,
}

impl Draft<'_> {
    /// A field that holds one string, with the string if there is one.
    fn text(&self, name: &str) -> (Option<Setting>, Option<&Text>) {
        let Some(found) = self.merged.settings.iter().find(|setting| setting.field.name == name) else {
            return (None, None);
        };
        let text = match &found.shape {
            Shape::Text(text) | Shape::Split(_, text) => text,
            // Only the field that takes a list has one.
            Shape::List(_) => return (None, None),
        };
        (Some(self.setting(found, State::of(&text.content, self.config), Some(text))), Some(text))
    }

    fn setting(&self, found: &crate::config::Setting, state: State, text: Option<&Text>) -> Setting {
        Setting {
            field: found.field,
            key: format!("{}.{}", self.merged.id, found.field.name),
            at: found.at,
            via: found.via,
            origin: self.config.layers[found.layer].origin,
            layer: found.layer,
            form: text.map_or(Form::Literal, |text| text.form.clone()),
            found: text.and_then(|text| text.found),
            state,
            shown: text.and_then(|text| match text.content {
                Content::Known(handle) => self.config.vault.shown(handle, found.field.show),
                _ => None,
            }),
            shadows: found.shadows.clone(),
            exposed: match text {
                Some(text) if text.form != Form::Literal => text.exposed,
                _ => self.config.layers[found.layer].exposed,
            },
        }
    }

    /// The value in the vault, unless it is empty.
    fn handle(&self, text: Option<&Text>) -> Option<Handle> {
        match text?.content {
            Content::Known(handle) if !self.config.vault.facts(handle).empty => Some(handle),
            _ => None,
        }
    }

    /// The value of a public field in the clear.
    fn open(&self, text: Option<&Text>) -> Option<&str> {
        match text?.content {
            #[expect(clippy::disallowed_methods, reason = "public fields are parsed into validated types here")]
            Content::Known(handle) => Some(self.config.vault.open(handle)).filter(|value| !value.is_empty()),
            _ => None,
        }
    }
}
