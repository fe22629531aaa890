//! Secrets: the vault that holds every value of a configuration, and the facts that may be known about one.
//!
//! A reader puts each value here the moment it is parsed and keeps only a [`Handle`]. Rules decide on
//! [`Facts`], which hold no byte of the value, so a rule has nothing it could print.

mod facts;

use std::collections::HashSet;
use std::fmt;
use std::hash::RandomState;

use secrecy::{ExposeSecret, SecretString};

pub use crate::text::MASK;
pub(crate) use crate::text::is_url;
pub use facts::{Digest, Facts};

/// A ticket for one value in a [`Vault`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Handle(usize);

/// Holds the values of a configuration. Memory is zeroized when the vault is dropped.
#[derive(Default)]
pub struct Vault {
    /// `None` if it was forgotten.
    values: Vec<Option<SecretString>>,
    /// Keyed anew in every run, so that a [`Digest`] compares values within a run and means nothing outside it.
    key: RandomState,
}

impl Vault {
    /// Takes in one value.
    pub(crate) fn store(&mut self, value: &str) -> Handle {
        self.values.push(Some(SecretString::from(value)));
        Handle(self.values.len() - 1)
    }

    /// The value in the clear. Every caller is a door that clippy counts: see `clippy.toml`.
    pub(crate) fn open(&self, handle: Handle) -> &str {
        #[expect(
            clippy::disallowed_methods,
            reason = "the one place that opens the vault; its callers are counted in turn"
        )]
        self.value(handle).expose_secret()
    }

    /// The value, still wrapped.
    #[cfg_attr(not(feature = "upload"), expect(dead_code, reason = "only an upload takes a secret along"))]
    pub(crate) fn sealed(&self, handle: Handle) -> SecretString {
        self.value(handle).clone()
    }

    /// A door must not go on with nothing in place of a secret, and so it ends here.
    fn value(&self, handle: Handle) -> &SecretString {
        self.values[handle.0].as_ref().expect("a value that was forgotten is asked for by nobody")
    }

    /// Forgets every value but these; its memory is zeroized.
    #[cfg_attr(not(feature = "upload"), expect(dead_code, reason = "only who sends has anything to forget before"))]
    pub(crate) fn keep_only(&mut self, kept: &HashSet<Handle>) {
        for (index, value) in self.values.iter_mut().enumerate() {
            if !kept.contains(&Handle(index)) {
                *value = None;
            }
        }
    }

    /// How many values are held.
    #[cfg(all(test, feature = "upload"))]
    pub(crate) fn held(&self) -> usize {
        self.values.iter().flatten().count()
    }

    /// What may be known about the value.
    pub(crate) fn facts(&self, handle: Handle) -> Facts {
        #[expect(clippy::disallowed_methods, reason = "facts are computed here and hold no byte of the value")]
        Facts::from_value(self.open(handle), &self.key)
    }

    /// The number of a cluster that is known from elsewhere, to be compared with the one in an id or a key.
    pub(crate) fn cluster(&self, number: &str) -> Digest {
        Digest::new("cluster", number, &self.key)
    }

    /// What `show` lets out of the value: the door for values that are public.
    pub(crate) fn shown(&self, handle: Handle, show: impl FnOnce(&str) -> Option<String>) -> Option<String> {
        #[expect(clippy::disallowed_methods, reason = "only what the field's own validator passes leaves")]
        show(self.open(handle))
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { values, key: _ } = self;
        write!(f, "Vault({} values)", values.len())
    }
}
