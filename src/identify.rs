//! Identifies one or two values by their bytes alone, before they are put in a file.

use std::sync::Arc;

use crate::form::{Expander, Placeholder, Reading};
use crate::schema::Kind;
use crate::secret::{Facts, Handle, Vault};
use crate::services::{self, Field, Form, Issuer, PairField, Service};
use crate::shorthand::words;

/// The result of identifying one or two values.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Identified {
    /// The values.
    pub values: Vec<Identity>,
    /// How two values relate. `None` for a single value.
    pub relation: Option<Relation>,
}

/// The identity of a value. It has no byte of the value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Identity {
    facts: Arc<Facts>,
}

words! {
    /// How much is known about a value.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum State {
        /// It is empty.
        Empty = "empty",
        /// It has a known form.
        Known = "known",
        /// It has a known form, but something around it breaks it, or it has characters that no credential has.
        Wrapped = "wrapped",
        /// A reference that no tool has expanded.
        Unexpanded = "unexpanded",
        /// A placeholder.
        Placeholder = "placeholder",
        /// Its form is unknown.
        Unknown = "unknown",
    }

    /// Returns the word used in every format.
    pub fn name;
}

/// How two values relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Relation {
    /// They go together by their forms.
    Fit,
    /// One was made with the other: it is signed with it, or its hash.
    Made,
    /// They have different parts where they must be the same: modes.
    Parts(&'static str),
    /// They are an ID and a key of the same type, but from different clusters.
    Clusters,
    /// They belong to different pairs.
    Mixed,
    /// They are two IDs or two keys.
    SameRole,
    /// They are the same value.
    Equal,
    /// They are not used together.
    Apart,
    /// At least one of them is not recognised.
    Unknown,
}

impl Relation {
    /// Returns the word used in every format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fit | Self::Made => "fit",
            Self::Parts(_) => "different-parts",
            Self::Clusters => "different-clusters",
            Self::Mixed => "different-pairs",
            Self::SameRole => "same-half",
            Self::Equal => "equal",
            Self::Apart => "apart",
            Self::Unknown => "unknown",
        }
    }

    /// Returns `true` if they can't be used together.
    pub const fn is_wrong(self) -> bool {
        matches!(self, Self::Mixed | Self::SameRole | Self::Equal | Self::Clusters | Self::Parts(_))
    }
}

/// Identifies values. All copies are wiped before this returns.
pub fn identify<V: AsRef<str>>(values: &[V]) -> Identified {
    identify_in(values, &[])
}

/// Identifies values in their fields, each `None` if it is unknown. All copies are wiped before this returns.
pub(crate) fn identify_in<V: AsRef<str>>(values: &[V], fields: &[Option<&'static Field>]) -> Identified {
    let mut vault = Vault::default();
    let handles: Vec<_> = values.iter().map(|value| vault.store(value.as_ref())).collect();
    let own = fields.iter().map(|field| field.map_or(&[][..], services::own_forms_in));
    let own = own.chain(std::iter::repeat(&[][..]));
    let facts: Vec<Arc<Facts>> = handles.iter().zip(own).map(|(handle, own)| vault.facts_among(*handle, own)).collect();
    let relation = match (&facts[..], &handles[..]) {
        ([one, other], [first, second]) => {
            let made = is_made_with(&vault, *first, *second) || is_made_with(&vault, *second, *first);
            Some(if made { Relation::Made } else { relation(one, other) })
        }
        _ => None,
    };
    Identified { values: facts.into_iter().map(|facts| Identity { facts }).collect(), relation }
}

/// Returns `true` if a value was made with another one in a way that some row says.
fn is_made_with(vault: &Vault, value: Handle, secret: Handle) -> bool {
    let relations = services::built_in().iter().flat_map(|service| service.relations);
    let mut ways = relations.filter_map(|relation| match relation {
        services::Relation::Made { how, .. } => Some(*how),
        _ => None,
    });
    ways.any(|how| vault.is_made_with(value, secret, how) == Some(true))
}

fn relation(one: &Facts, other: &Facts) -> Relation {
    if one.digest == other.digest {
        return Relation::Equal;
    }
    let (Some(first), Some(second)) = (one.form(), other.form()) else { return Relation::Unknown };
    let service = first.service();
    if !std::ptr::eq(service, second.service()) {
        return Relation::Apart;
    }
    if let Some(relation) = documented_relation(service, (first, one), (second, other)) {
        return relation;
    }
    let half = |form, half: fn(&services::Pair) -> &PairField| {
        let takes = |field: &str| service.fields.iter().any(|row| row.place.1 == field && row.takes.contains(&form));
        service.pairs.iter().any(|pair| takes(half(pair).field))
    };
    let (is_id, is_key) = (|form| half(form, |pair| &pair.id), |form| half(form, |pair| &pair.key));
    let (of_id, of_key) = match (is_id(first), is_key(first), is_id(second), is_key(second)) {
        (true, _, _, true) => (one, other),
        (_, true, true, _) => (other, one),
        (true, _, true, _) | (_, true, _, true) => return Relation::SameRole,
        _ => return Relation::Apart,
    };
    match (of_id.agrees_with(of_key, "pair"), of_id.agrees_with(of_key, "cluster")) {
        (Some(false), _) => Relation::Mixed,
        (Some(true), Some(false)) => Relation::Clusters,
        (Some(true), _) => Relation::Fit,
        // A form without that part does not tell which pair it belongs to.
        (None, _) => Relation::Unknown,
    }
}

/// Returns what the rows of the service say about two forms used together.
fn documented_relation(service: &Service, one: (&Form, &Facts), other: (&Form, &Facts)) -> Option<Relation> {
    service.relations.iter().find_map(|relation| match relation {
        services::Relation::Agree { part, noun, fields, .. } => {
            let place = |form: &Form| fields.iter().position(|field| field.takes.contains(&form));
            if place(one.0)? == place(other.0)? {
                return None;
            }
            let disagree = one.1.agrees_with(other.1, part) == Some(false);
            Some(if disagree { Relation::Parts(noun) } else { Relation::Fit })
        }
        // The other value alone is not a credential.
        services::Relation::Differ { .. } => None,
        services::Relation::Needs { form, field, .. } => {
            let needs = |one: &Form, other: &Form| one == *form && field.takes.contains(&other);
            (needs(one.0, other.0) || needs(other.0, one.0)).then_some(Relation::Fit)
        }
        // Compared by the vault, before the forms are.
        services::Relation::Made { .. } => None,
        // Two values without names don't tell which is which.
        services::Relation::Beside { .. } => None,
    })
}

impl Identity {
    /// Returns how much is known.
    pub fn state(&self) -> State {
        let Reading { unexpanded, placeholder, wrapping, form, .. } = self.facts.reading;
        if self.facts.empty {
            State::Empty
        } else if unexpanded.is_some() {
            State::Unexpanded
        } else if placeholder.is_some() {
            State::Placeholder
        } else if wrapping.is_some() || self.has_odd_character() || self.is_short() {
            State::Wrapped
        } else if form.is_some() {
            State::Known
        } else {
            State::Unknown
        }
    }

    /// Returns `true` for a reference that a shell, a pipeline or a template would have expanded.
    pub(crate) fn is_reference(&self) -> bool {
        use Expander::{Command, Shell, Template, Windows, Workflow};
        let unexpanded = self.facts.reading.unexpanded;
        unexpanded.is_some_and(|found| matches!(found.by, Shell | Command | Windows | Workflow | Template))
    }

    /// Returns `true` for a token that is shorter than any that its service issues.
    fn is_short(&self) -> bool {
        self.facts.short && self.form().is_some_and(|form| form.is_access_token())
    }

    /// Returns the form of the value inside its wrapping.
    pub(crate) fn form(&self) -> Option<&'static Form> {
        self.facts.reading.form
    }

    /// Returns the noun with its article.
    pub fn noun(&self) -> &'static str {
        if let Some(form) = self.form() {
            return form.noun;
        }
        match (self.state(), self.facts.reading.unexpanded.map(|found| found.by)) {
            (State::Empty, _) => "empty",
            (_, Some(Expander::Path)) => "a file path",
            (_, Some(Expander::Variable)) => "a variable name",
            (_, Some(Expander::Manager(_))) => "a secret manager reference",
            (_, Some(Expander::Encrypted(_))) => "an encrypted value",
            (State::Unexpanded, _) => "a reference that was not expanded",
            (State::Placeholder, _) => self.facts.reading.placeholder.map_or("a placeholder", Placeholder::describe),
            _ => "of unknown form",
        }
    }

    /// Returns who issues it: a service, or several with "or" between them.
    pub fn service(&self) -> Option<String> {
        self.form()?.issuers()
    }

    /// Returns `true` if nobody else issues this form.
    pub fn is_certain(&self) -> bool {
        self.form().is_some_and(Form::identifies_issuer)
    }

    /// Returns `true` if it must be kept secret. `None` if that is unknown.
    pub fn is_secret(&self) -> Option<bool> {
        self.form().map(Form::is_secret)
    }

    /// Returns how a value of unknown form looks.
    pub fn looks(&self) -> Option<String> {
        (self.state() == State::Unknown).then(|| self.facts.looks(""))
    }

    /// Returns why it does not work as it is, to follow "it".
    pub fn flaw(&self) -> Option<&'static str> {
        Some(match self.facts.reading.wrapping {
            Some(wrapping) => wrapping.describe(),
            None if self.is_short() => "begins like one, but is shorter than any",
            None if !self.has_odd_character() => return None,
            None if self.facts.whitespace => "contains whitespace",
            None => "contains a character that no credential has",
        })
    }

    /// Returns `true` for characters that no credential of one line has.
    fn has_odd_character(&self) -> bool {
        self.facts.has_odd_characters() && !self.facts.reading.form.is_some_and(|form| form.spaced)
    }

    /// Returns the credlint fields that take it, as `kind.field`.
    pub fn fields(&self) -> Vec<String> {
        let Some(form) = self.form() else { return Vec::new() };
        // Several pairs may accept it; the first is the intended one.
        let first = |kind: &&'static Kind| {
            let field = kind.fields.iter().find(|field| field.forms().contains(&form))?;
            let better = kind.fields.iter().find(|field| field.forms().first() == Some(&form));
            Some(format!("{kind}.{}", better.unwrap_or(field).name))
        };
        Kind::all().iter().filter_map(first).collect()
    }

    /// Returns its parts that are documented words, each with its noun: the mode `live`.
    pub fn documented_parts(&self) -> Vec<(&'static str, &'static str)> {
        self.facts.documented_parts()
    }

    /// Returns the variables that programs read it from, each with the host if it belongs to only one. Empty for an
    /// unspecific form.
    pub fn variables(&self) -> Vec<String> {
        let Some(form) = self.form().filter(|form| form.issued_by != Issuer::Many) else { return Vec::new() };
        let first = |service: &'static Service, field: &Field| service.variable_names(field.names.first()?).next();
        let own = services::built_in().iter().flat_map(|service| {
            let takers =
                || service.fields.iter().filter(|field| !field.place.0.is_empty() && field.takes.contains(&form));
            // Other fields may also accept it: a master key's field accepts every value of unknown kind.
            let is_own = move |field: &&&'static Field| field.takes.first() == Some(&form);
            let has_own = takers().any(|field| is_own(&field));
            takers().filter(move |field| !has_own || is_own(field)).filter_map(move |field| first(service, field))
        });
        let there = services::built_in().iter().flat_map(|service| {
            let takers = service.at.iter().filter(|at| at.takes.contains(&form) && !at.field.takes.contains(&form));
            takers.filter_map(move |at| Some(format!("{} ({})", first(service, at.field)?, at.whose)))
        });
        let called = |name: &String| form.called.iter().any(|(known, _)| known == name);
        let mut all: Vec<String> = own.chain(there).filter(|name| !called(name)).collect();
        all.dedup();
        all
    }

    /// Returns the names that other programs use for it, with the program.
    pub fn names(&self) -> &'static [(&'static str, &'static str)] {
        self.form().map_or(&[], |form| form.called)
    }

    /// Returns a note on what belongs with it or how to use it.
    pub fn advice(&self) -> Option<&'static str> {
        self.form().map(|form| form.advice).filter(|advice| !advice.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(value: &str) -> Identity {
        identify(&[value]).values.remove(0)
    }

    #[test]
    fn identifies_empty_value() {
        assert_eq!((identity("").noun(), identity("").state()), ("empty", State::Empty));
        assert_eq!(identity("lorem ipsum").noun(), "of unknown form");
    }

    /// The field for a project's key also accepts a personal one, but is not the right place for it.
    #[test]
    fn suggests_names_of_its_own_field() {
        let names = |begins: &str| identity(&format!("{begins}_abcdefghijklmnopqrstuvwxyz")).variables();
        assert_eq!(names("phx"), ["POSTHOG_PERSONAL_API_KEY"]);
        // No field is specific to this form.
        assert_eq!(names("phs"), ["POSTHOG_PERSONAL_API_KEY", "POSTHOG_API_KEY"]);
    }
}
