//! The names of profiles.

use std::fmt;

use super::kind::Kind;
use crate::secret::MASK;
use crate::services;
use crate::text;

/// The maximum length of a name, in characters.
const LONGEST: usize = 64;

/// The id of a profile: `messaging.reports`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct ProfileId {
    /// The kind, which is the name of its table.
    pub kind: &'static Kind,
    /// The name as the highest file spells it.
    pub name: String,
    /// The file for display, if files are checked independently. It is then part of the id.
    pub file: Option<Box<str>>,
}

impl ProfileId {
    pub(crate) fn new(kind: &'static Kind, name: &str) -> Self {
        Self { kind, name: name.to_owned(), file: None }
    }

    /// Adds the file, for a file that is checked independently.
    pub(crate) fn in_file(self, file: &str) -> Self {
        Self { file: Some(file.into()), ..self }
    }

    /// Returns the names that mean this profile, folded: the name alone, and `kind.name`.
    pub(crate) fn names(&self) -> [String; 2] {
        let bare = fold(&self.name);
        [format!("{}.{bare}", self.kind.name), bare]
    }

    /// Returns `true` if `kind.name`, or the name alone, means this profile. `-` and `_` are equivalent.
    pub fn is_named(&self, name: &str) -> bool {
        self.names().contains(&fold(name))
    }

    /// Returns the variable that sets a field.
    pub fn variable(&self, field: &str) -> String {
        format!("CREDLINT_{}__{}__{field}", self.kind.name, fold(&self.name)).to_uppercase()
    }
}

impl fmt::Display for ProfileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.kind, self.name)
    }
}

/// Normalises a profile's name for comparison.
pub fn fold(name: &str) -> String {
    name.replace('-', "_")
}

/// Returns `true` for a valid name: `[a-z0-9]+([-_][a-z0-9]+)*`, at most 64 characters, and not obviously a credential,
/// because names are printed.
pub fn is_profile_name(name: &str) -> bool {
    name.len() <= LONGEST && is_spelled_as_name(name) && !text::profile_may_be_credential(name)
}

/// Returns why a profile's name is invalid.
pub fn name_flaw(name: &str) -> &'static str {
    if name.contains(char::is_uppercase) {
        "it has an upper-case letter"
    } else if name.contains(char::is_whitespace) {
        "it has whitespace"
    } else if !is_spelled_as_name(name) {
        "invalid characters"
    } else if name.len() > LONGEST {
        "a name has at most 64 characters"
    } else {
        "names are printed, and this looks like a credential"
    }
}

/// Returns a profile's id for display.
pub fn shown_profile(value: &str) -> String {
    shown_id(value).unwrap_or_else(|| MASK.to_owned())
}

/// Returns a valid id: of a profile, or of a service's values in another program's file. A single word could be a password.
pub(super) fn shown_id(value: &str) -> Option<String> {
    let (kind, name) = value.split_once('.')?;
    let known = Kind::find(kind).is_some() || services::built_in().iter().any(|service| service.id == kind);
    (known && is_profile_name(name)).then(|| value.to_owned())
}

fn is_spelled_as_name(name: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    name.split(['-', '_']).all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_includes_file_of_found_profile() {
        let id = ProfileId::new(Kind::find("storage").unwrap(), "a-b");
        assert_eq!((id.file.as_deref(), id.clone().in_file("x.env").file.as_deref()), (None, Some("x.env")));
        assert!(id != id.clone().in_file("x.env") && id.is_named("storage.a_b") && !id.is_named("a"));
        assert_eq!(id.variable("bucket"), "CREDLINT_STORAGE__A_B__BUCKET");
        assert_eq!(["storage.a-b", "a-b", "storage.xoxb-1"].map(shown_profile), ["storage.a-b", MASK, MASK]);
    }

    #[test]
    fn validates_profile_names() {
        for name in ["a", "reports", "nightly-2", "a_b-c", "ubuntu2204lts", "app-9f8e7d6c", "team1a2b3c"] {
            assert!(is_profile_name(name), "{name}");
        }
        for name in
            ["", "-a", "a-", "a--b", "A", "a.b", "ü", "xoxb-123-abc", "k0014pbwo1zxcivmnqsntfwhreu", &"a".repeat(65)]
        {
            assert!(!is_profile_name(name), "{name}");
        }
        let longest = "a".repeat(64);
        assert!(name_flaw(&longest).ends_with("looks like a credential") && name_flaw(&(longest + "a")).contains("64"));
    }
}
