//! What a configuration may say: the kinds of profiles, their fields, and which values may be printed.
//!
//! This is the one table of fields. The readers mask by it, the environment is split by it, profiles are built by
//! it, and near misses are sought in it.

pub mod method;
pub mod value;

use std::fmt;

use crate::text;

/// The kinds of profiles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// A workspace of the messaging service.
    Messaging,
    /// An account of the storage service.
    Storage,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Messaging, Self::Storage];

    /// The name of the table that holds the profiles of this kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Messaging => "messaging",
            Self::Storage => "storage",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The fields of a profile of this kind.
    #[must_use]
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::Messaging => MESSAGING,
            Self::Storage => STORAGE,
        }
    }

    /// The field of that name.
    #[must_use]
    pub fn field(self, name: &str) -> Option<&'static Field> {
        self.fields().iter().find(|field| field.name == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The full name of a profile: `messaging.reports`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct ProfileId {
    /// The table it stands in.
    pub kind: Kind,
    /// Its name as the highest file spells it.
    pub name: String,
}

impl ProfileId {
    pub(crate) fn new(kind: Kind, name: &str) -> Self {
        Self { kind, name: name.to_owned() }
    }

    /// Whether `kind.name`, or the name alone, means this profile.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        let (kind, bare) = name.split_once('.').unwrap_or((self.kind.name(), name));
        kind == self.kind.name() && self.is(self.kind, bare)
    }

    /// Whether two names are the same profile: `-` and `_` are one letter.
    #[must_use]
    pub fn is(&self, kind: Kind, name: &str) -> bool {
        self.kind == kind && fold(&self.name) == fold(name)
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
    name.len() <= 64 && is_spelled_as_name(name) && !text::opaque(name)
}

/// Why a profile can't be called so.
#[must_use]
pub fn name_flaw(name: &str) -> &'static str {
    if !is_spelled_as_name(name) {
        "that is not spelled as a name is"
    } else if name.len() > 64 {
        "a name has at most 64 characters"
    } else {
        "names are printed, and this could be a credential"
    }
}

fn is_spelled_as_name(name: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    name.split(['-', '_']).all(part)
}

/// What a value must look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Type {
    /// A string, or a reference to one.
    Text,
    /// A list of strings; from the environment, a string split at commas.
    List,
    /// A path, relative to the file that says it.
    Path,
    /// One of these strings.
    Choice(&'static [&'static str]),
}

/// What a field is for, which decides how it is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Role {
    /// A secret half of a credential. Never printed.
    Secret,
    /// A public half of a credential.
    Identifier,
    /// Where a secret is sent to, or who may pass for that place.
    Destination,
    /// Anything else.
    Plain,
}

/// A field of a profile.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// What a value must look like.
    pub ty: Type,
    /// What it is for.
    pub role: Role,
    /// One line on its meaning.
    pub about: &'static str,
    /// What a value may look like; of a list, one element. A secret has none: it is not written out.
    pub example: &'static str,
    /// Whether a profile that somebody begins with sets it.
    pub first: bool,
    /// What may be printed of a value: nothing, unless the field is public and the value passes its validator.
    pub(crate) show: fn(&str) -> Option<String>,
}

impl Field {
    /// Whether it is one half of a credential.
    #[must_use]
    pub const fn is_credential(&self) -> bool {
        matches!(self.role, Role::Secret | Role::Identifier)
    }
}

/// The values of `upload_method`.
pub const UPLOAD_METHODS: &[&str] = &["files.upload", "external"];

const MESSAGING: &[Field] = &[
    Field {
        name: "base_url",
        ty: Type::Text,
        role: Role::Destination,
        show: value::show_url,
        about: "address of the service; the operation is {base_url}/api/files.upload",
        example: "https://chat.example.com",
        first: true,
    },
    Field {
        name: "token",
        ty: Type::Text,
        role: Role::Secret,
        show: value::show_nothing,
        about: "access token, sent as `Authorization: Bearer …`",
        example: "",
        first: true,
    },
    Field {
        name: "channels",
        ty: Type::List,
        role: Role::Plain,
        show: value::show_channel,
        about: "ids of the channels or direct conversations to share a file in",
        example: "C0123456789",
        first: true,
    },
    Field {
        name: "initial_comment",
        ty: Type::Text,
        role: Role::Plain,
        show: value::show_nothing,
        about: "text posted together with the file",
        example: "Nightly report",
        first: false,
    },
    Field {
        name: "upload_method",
        ty: Type::Choice(UPLOAD_METHODS),
        role: Role::Plain,
        show: value::show_method,
        about: "`files.upload` or `external`; left out, it follows from the host",
        example: "files.upload",
        first: false,
    },
    Field {
        name: "webhook_url",
        ty: Type::Text,
        role: Role::Secret,
        show: value::show_nothing,
        about: "an incoming webhook; it cannot upload files",
        example: "",
        first: false,
    },
    Field {
        name: "ca_file",
        ty: Type::Path,
        role: Role::Destination,
        show: value::show_path,
        about: "file with certificates (PEM) of authorities to trust beside those of the system",
        example: "certificates/authority.pem",
        first: false,
    },
    Field {
        name: "workspace",
        ty: Type::Text,
        role: Role::Plain,
        show: value::show_workspace,
        about: "id of the workspace that the token belongs to; `verify` compares it",
        example: "T0123456789",
        first: false,
    },
];

const STORAGE: &[Field] = &[
    Field {
        name: "application_key_id",
        ty: Type::Text,
        role: Role::Identifier,
        show: value::show_key_id,
        about: "id of an application key; goes with application_key",
        example: "0051a2b3c4d5e6f0000000001",
        first: true,
    },
    Field {
        name: "application_key",
        ty: Type::Text,
        role: Role::Secret,
        show: value::show_nothing,
        about: "an application key; goes with application_key_id",
        example: "",
        first: true,
    },
    Field {
        name: "account_id",
        ty: Type::Text,
        role: Role::Identifier,
        show: value::show_account_id,
        about: "id of the account; goes with master_application_key",
        example: "1a2b3c4d5e6f",
        first: false,
    },
    Field {
        name: "master_application_key",
        ty: Type::Text,
        role: Role::Secret,
        show: value::show_nothing,
        about: "the master application key; goes with account_id",
        example: "",
        first: false,
    },
    Field {
        name: "bucket",
        ty: Type::Text,
        role: Role::Plain,
        show: value::show_bucket,
        about: "bucket the profile is for",
        example: "nightly",
        first: false,
    },
    Field {
        name: "endpoint",
        ty: Type::Text,
        role: Role::Destination,
        show: value::show_url,
        about: "address of the service",
        example: "https://s3.eu-central-005.example.com",
        first: false,
    },
    Field {
        name: "api_url",
        ty: Type::Text,
        role: Role::Destination,
        show: value::show_url,
        about: "where `verify` asks for the pair: {api_url}/b2api/v4/b2_authorize_account",
        example: "https://api.backblazeb2.com",
        first: false,
    },
];

/// The keys of the `lint` table.
pub const LINT_KEYS: &[&str] = &["fail_on", "levels", "allow"];

/// The keys of an element of `lint.allow`.
pub const ALLOW_KEYS: &[&str] = &["rule", "profile", "reason"];

/// The keys that make a table a reference to a value that is kept elsewhere.
pub const REFERENCE_KEYS: &[&str] = &["env", "file"];

/// The tables at the top of a configuration.
pub fn top_keys() -> impl Iterator<Item = &'static str> + Clone {
    Kind::ALL.into_iter().map(Kind::name).chain(["lint"])
}

/// Whether the last key of a path may be printed: it is a name that credlint knows, or so near to one that it can
/// only be a slip. Any other key could be a secret that was pasted in the wrong place.
#[must_use]
pub fn is_public_key(path: &[&str]) -> bool {
    match path {
        [top] => text::is_slip(top, top_keys()),
        ["lint", key] => text::is_slip(key, LINT_KEYS.iter().copied()),
        // Ids of rules have only small letters and dashes, and at least one dash.
        ["lint", "levels", rule] => value::show_rule(rule).is_some(),
        ["lint", "allow", key] => text::is_slip(key, ALLOW_KEYS.iter().copied()),
        [kind, name] => Kind::find(kind).is_some() && is_profile_name(name),
        [kind, _, field] => {
            Kind::find(kind).is_some_and(|kind| text::is_slip(field, kind.fields().iter().map(|field| field.name)))
        }
        [kind, _, _, key] => Kind::find(kind).is_some() && text::is_slip(key, REFERENCE_KEYS.iter().copied()),
        _ => false,
    }
}

/// What may be printed of the value at a path. `path` ends with the field, or with the key of a reference.
#[must_use]
pub fn show_at(path: &[&str]) -> fn(&str) -> Option<String> {
    match path {
        ["lint", "levels", _] => value::show_level,
        ["lint", "allow", "rule"] => value::show_rule,
        ["lint", "allow", "profile"] => value::show_profile,
        [kind, _, field] => {
            Kind::find(kind).and_then(|kind| kind.field(field)).map_or(value::show_nothing, |field| field.show)
        }
        [kind, _, _, "env"] if Kind::find(kind).is_some() => value::show_env_name,
        [kind, _, _, "file"] if Kind::find(kind).is_some() => value::show_path,
        ["lint", "fail_on"] => value::show_severity,
        _ => value::show_nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_names() {
        for name in ["a", "reports", "nightly-2", "a_b-c"] {
            assert!(is_profile_name(name), "{name}");
        }
        for name in
            ["", "-a", "a-", "a--b", "A", "a.b", "ü", "xoxb-123-abc", "k0014pbwo1zxcivmnqsntfwhreu", &"a".repeat(65)]
        {
            assert!(!is_profile_name(name), "{name}");
        }
    }

    #[test]
    fn only_names_that_are_known_or_nearly_so_are_public() {
        for path in [
            &["messaging"][..],
            &["mesaging"],
            &["lint", "fail_on"],
            &["storage", "x", "aplication_key"],
            &["messaging", "x", "token", "env"],
        ] {
            assert!(is_public_key(path), "{path:?}");
        }
        for path in [
            &["hunter2"][..],
            &["messaging", "x", "hunter2"],
            &["messaging", "Xoxb"],
            &["other", "x"],
            &["storage", "b", "master_appl\u{1b}[2Jication_key"],
            &["storage", "b", "application_key_idS3cr"],
            &["messaging", "x", "token", "hunter2"],
            &[],
        ] {
            assert!(!is_public_key(path), "{path:?}");
        }
    }
}
