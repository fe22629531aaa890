//! The vault, which holds every value of a configuration, and the facts about them.
//!
//! A reader stores each value here as soon as it is parsed, and keeps only a [`Handle`]. Rules work on [`Facts`], which
//! have no byte of the value, so a rule can't print one.

mod derivation;
mod facts;

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use secrecy::{ExposeSecret, SecretString};

use crate::services::{Derivation, Form};
use crate::shorthand::debug;
pub use crate::text::MASK;
pub(crate) use crate::text::is_url;
pub use facts::{Digest, Facts, Piece, Surroundings};

/// A handle to a value in a [`Vault`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Handle(usize);

/// The values of a configuration. Memory is zeroized on drop.
#[derive(Default)]
pub struct Vault {
    /// `None` if the value was forgotten.
    values: Vec<Option<Stored>>,
}

/// A value, and the facts about it once they were asked for: they take a search for each known form.
struct Stored {
    value: SecretString,
    facts: OnceLock<Arc<Facts>>,
}

impl Vault {
    /// Stores a value.
    pub(crate) fn store(&mut self, value: &str) -> Handle {
        #[cfg(test)]
        crate::text::work::add(1 + value.len());
        self.insert(SecretString::from(value))
    }

    /// Stores a value that another vault had.
    pub(crate) fn insert(&mut self, value: SecretString) -> Handle {
        self.values.push(Some(Stored { value, facts: OnceLock::new() }));
        Handle(self.values.len() - 1)
    }

    /// Returns the plain value. Clippy forbids callers without an explicit reason: see `clippy.toml`.
    pub(crate) fn open(&self, handle: Handle) -> &str {
        #[expect(
            clippy::disallowed_methods,
            reason = "the only place that opens the vault; clippy forbids its callers in turn"
        )]
        self.stored(handle).value.expose_secret()
    }

    /// Returns the value in its wrapper.
    pub(crate) fn sealed(&self, handle: Handle) -> SecretString {
        self.stored(handle).value.clone()
    }

    /// Panics if the value was forgotten: continuing without a secret would be worse.
    fn stored(&self, handle: Handle) -> &Stored {
        self.values[handle.0].as_ref().expect("a forgotten value must not be used")
    }

    /// Forgets and zeroizes every value except these.
    pub(crate) fn retain(&mut self, kept: &HashSet<Handle>) {
        for (index, value) in self.values.iter_mut().enumerate() {
            if !kept.contains(&Handle(index)) {
                *value = None;
            }
        }
    }

    /// Returns the number of values.
    #[cfg(all(test, feature = "upload"))]
    pub(crate) fn count(&self) -> usize {
        self.values.iter().flatten().count()
    }

    /// Returns the facts about a value.
    pub(crate) fn facts(&self, handle: Handle) -> Arc<Facts> {
        #[expect(clippy::disallowed_methods, reason = "facts are computed here and hold no byte of the value")]
        let found = || Arc::new(Facts::from_value(self.open(handle)));
        Arc::clone(self.stored(handle).facts.get_or_init(found))
    }

    /// Returns whether a value was made with another one. `None` if that is unknown.
    pub(crate) fn is_made_with(&self, value: Handle, secret: Handle, how: Derivation) -> Option<bool> {
        #[expect(clippy::disallowed_methods, reason = "whether one value was made with another is no byte of them")]
        derivation::is_made_with(self.open(value), self.open(secret), how)
    }

    /// Returns the facts about a value in a field of a project's service, which has these forms of its own.
    pub(crate) fn facts_among(&self, handle: Handle, forms: &[&'static Form]) -> Arc<Facts> {
        let facts = self.facts(handle);
        if forms.is_empty() {
            return facts;
        }
        #[expect(clippy::disallowed_methods, reason = "facts are computed here and hold no byte of the value")]
        let own = facts.with_own_forms(self.open(handle), forms);
        own.map_or(facts, Arc::new)
    }

    /// Returns which of these pieces a value has.
    pub(crate) fn pieces(&self, handle: Handle, wanted: &[Digest], is_password: bool) -> Vec<(usize, Piece)> {
        #[expect(clippy::disallowed_methods, reason = "which known text a value contains is no byte of it")]
        facts::pieces(self.open(handle), wanted, is_password)
    }

    /// Returns `true` for an empty value, without the work of all facts.
    pub(crate) fn is_empty(&self, handle: Handle) -> bool {
        #[expect(clippy::disallowed_methods, reason = "whether it is empty is no byte of the value")]
        self.open(handle).is_empty()
    }

    /// Returns what `show` extracts from a value. This is the way to print public values.
    pub(crate) fn shown<T>(&self, handle: Handle, show: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        #[expect(clippy::disallowed_methods, reason = "returns only what the field's validator passes")]
        show(self.open(handle))
    }
}

debug!(Vault, |own| "Vault({} values)", own.values.len());
