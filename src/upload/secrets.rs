//! The secrets of the profile that sends: what no file that is sent with it may contain.

use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};

/// Shorter ones are no secret: a file may well contain them by chance.
const SHORTEST: usize = 16;

/// Of a longer one, its beginning is as telling.
const LONGEST: usize = 4096;

/// The secrets of a profile, each with the name of its field.
#[derive(Clone, Default)]
pub struct OwnSecrets(Arc<[(&'static str, SecretString)]>);

impl std::fmt::Debug for OwnSecrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OwnSecrets({})", self.0.len())
    }
}

impl OwnSecrets {
    /// These; each once, and only those of 16 bytes or more.
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

    /// The same and one more.
    #[must_use]
    pub(super) fn with(&self, field: &'static str, secret: &SecretString) -> Self {
        Self::new(self.0.iter().cloned().chain([(field, secret.clone())]))
    }

    /// Each of them.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &SecretString> {
        self.0.iter().map(|(_, secret)| secret)
    }

    /// What to look for, and the name of its field.
    pub(super) fn needles(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        self.0.iter().map(|(field, secret)| {
            #[expect(clippy::disallowed_methods, reason = "looks for the secret in what is to be sent; copies no byte")]
            let bytes = secret.expose_secret().as_bytes();
            (*field, &bytes[..bytes.len().min(LONGEST)])
        })
    }
}
