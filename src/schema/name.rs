//! The names of profiles.

use std::fmt;

use super::kind::Kind;
use crate::secret::MASK;
use crate::text;

/// The longest name, in characters.
const LONGEST: usize = 64;

/// The full name of a profile: `messaging.reports`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct ProfileId {
    /// The table it stands in.
    pub kind: &'static Kind,
    /// Its name as the highest file spells it.
    pub name: String,
    /// The file that it was found in, as it is printed, where each file is checked for itself. There it is known by both.
    pub file: Option<Box<str>>,
}

impl ProfileId {
    pub(crate) fn new(kind: &'static Kind, name: &str) -> Self {
        Self { kind, name: name.to_owned(), file: None }
    }

    /// The same, of a file that is checked for itself.
    pub(crate) fn in_file(self, file: &str) -> Self {
        Self { file: Some(file.into()), ..self }
    }

    /// Whether `kind.name`, or the name alone, means this profile: `-` and `_` are one letter.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        let (kind, bare) = name.split_once('.').unwrap_or((self.kind.name, name));
        kind == self.kind.name && fold(&self.name) == fold(bare)
    }
}

impl ProfileId {
    /// The variable that sets a field of it.
    #[must_use]
    pub fn variable(&self, field: &str) -> String {
        format!("CREDLINT_{}__{}__{field}", self.kind.name, fold(&self.name)).to_uppercase()
    }
}

impl fmt::Display for ProfileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.kind, self.name)
    }
}

/// The form in which profile names are compared.
#[must_use]
pub fn fold(name: &str) -> String {
    name.replace('-', "_")
}

/// Whether a profile may be called so: `[a-z0-9]+([-_][a-z0-9]+)*`, at most 64 characters, and nothing that could only
/// be a credential, since names are printed.
#[must_use]
pub fn is_profile_name(name: &str) -> bool {
    name.len() <= LONGEST && is_spelled_as_name(name) && !text::opaque_profile(name)
}

/// Why a profile can't be called so.
#[must_use]
pub fn name_flaw(name: &str) -> &'static str {
    if !is_spelled_as_name(name) {
        "invalid characters"
    } else if name.len() > LONGEST {
        "a name has at most 64 characters"
    } else {
        "names are printed, and this looks like a credential"
    }
}

/// What is called the full name of a profile, as it may be printed.
#[must_use]
pub fn shown_profile(value: &str) -> String {
    shown(value).unwrap_or_else(|| MASK.to_owned())
}

/// A full name as it may be printed. A lone word could be a password.
pub(super) fn shown(value: &str) -> Option<String> {
    let (kind, name) = value.split_once('.')?;
    (Kind::find(kind).is_some() && is_profile_name(name)).then(|| value.to_owned())
}

fn is_spelled_as_name(name: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    name.split(['-', '_']).all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_names() {
        for name in ["a", "reports", "nightly-2", "a_b-c", "ubuntu2204lts", "app-9f8e7d6c", "team1a2b3c"] {
            assert!(is_profile_name(name), "{name}");
        }
        for name in
            ["", "-a", "a-", "a--b", "A", "a.b", "ü", "xoxb-123-abc", "k0014pbwo1zxcivmnqsntfwhreu", &"a".repeat(65)]
        {
            assert!(!is_profile_name(name), "{name}");
        }
    }
}
