//! The secrets of the profile, which no uploaded file may contain.

use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};

/// Shorter values may occur in a file by chance.
const SHORTEST: usize = 16;

/// The start of a longer secret is sufficient.
const LONGEST: usize = 4096;

/// The secrets of a profile, with the names of their fields.
#[derive(Clone, Default)]
pub struct OwnSecrets(Arc<[(&'static str, SecretString)]>);

impl std::fmt::Debug for OwnSecrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OwnSecrets({})", self.0.len())
    }
}

impl OwnSecrets {
    /// Collects secrets of at least 16 bytes, without duplicates.
    #[must_use]
    pub fn new(secrets: impl IntoIterator<Item = (&'static str, SecretString)>) -> Self {
        let mut own: Vec<(&'static str, SecretString)> = Vec::new();
        for (field, secret) in secrets {
            #[expect(clippy::disallowed_methods, reason = "compares secrets with each other; keeps only the verdict")]
            let (bytes, known) = (
                secret.expose_secret().len(),
                own.iter().any(|(_, known)| known.expose_secret() == secret.expose_secret()),
            );
            if bytes >= SHORTEST && !known {
                own.push((field, secret));
            }
        }
        Self(own.into())
    }

    /// Adds a secret.
    #[must_use]
    pub(super) fn with(&self, field: &'static str, secret: &SecretString) -> Self {
        Self::new(self.0.iter().cloned().chain([(field, secret.clone())]))
    }

    /// Returns the field of a secret that a text contains.
    pub(super) fn field_in(&self, text: &str) -> Option<&'static str> {
        let has = |needle: &[u8]| text.as_bytes().windows(needle.len()).any(|window| window == needle);
        let found = self.needles().find(|(_, needle)| has(needle));
        found.map(|(field, _)| field)
    }

    /// Returns the secrets.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &SecretString> {
        self.0.iter().map(|(_, secret)| secret)
    }

    /// Returns the bytes to search for, with the names of their fields.
    pub(super) fn needles(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        self.0.iter().map(|(field, secret)| {
            #[expect(clippy::disallowed_methods, reason = "searches the upload for the secret; copies no byte")]
            let bytes = secret.expose_secret().as_bytes();
            (*field, &bytes[..bytes.len().min(LONGEST)])
        })
    }
}
