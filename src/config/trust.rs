//! Limits what a configuration may refer to. Anybody may have written a discovered project file, and what it refers to
//! is posted or sent. It may take text only from files next to it, and other public fields only if the value has their
//! form. A credential may come from anywhere, because it is only sent to its service. Files given with `--config` are
//! the user's choice. Lists of permitted references limit all layers.

use std::path::{Component, Path, PathBuf};

use super::permitted::{PermittedReferences, ReferenceRefusal, real_path_below};
use crate::schema::value::shown;
use crate::schema::{Field, Role, Type};
use crate::text;

/// The author of a setting, and the setting.
#[derive(Clone, Copy)]
pub(super) struct Author<'a> {
    /// The field that it is for.
    pub(super) field: &'static Field,
    /// The directory for relative paths.
    pub(super) base: &'a Path,
    /// True for a variable, false for a file.
    pub(super) variable: bool,
    /// True for a discovered project file.
    pub(super) project: bool,
}

const UNTRUSTED: &str = "write the value into the file, pass it with `--comment` or `--channel`, or, if you trust this project, pass its file with `--config`";

/// Returns why a variable may not be read for this field.
pub(super) fn refuse_variable(author: Author<'_>) -> Option<ReferenceRefusal> {
    let posted = author.project && matches!(author.field.ty, Type::Text);
    let why = "a project file may not post the value of a variable";
    posted.then_some(ReferenceRefusal { why, help: UNTRUSTED })
}

/// Returns the file to read for this field, or why it may not be read.
pub(super) fn allowed_file(
    author: Author<'_>,
    path: &str,
    permitted: &PermittedReferences,
) -> Result<PathBuf, ReferenceRefusal> {
    let resolved = permitted.permitted_file(author.base, path)?;
    if !author.project || !matches!(author.field.ty, Type::Text) {
        return Ok(resolved);
    }
    let refusal =
        ReferenceRefusal { why: "a project file may only post files from its own directory", help: UNTRUSTED };
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if plain { real_path_below(author.base, &resolved).ok_or(refusal) } else { Err(refusal) }
}

/// Returns why a referenced value is refused: it would be sent, but does not have the form of its field. Invalid
/// addresses, channels and words have rules of their own, which stop a run as well. Credentials may come from anywhere;
/// an ID is checked before it is sent ([`super::Setting::is_unverified_id`]).
pub(super) fn refuse_value(author: Author<'_>, value: &str) -> Option<ReferenceRefusal> {
    let field = author.field;
    let (fits, why) = match field.ty {
        Type::Channels => (
            field.ty.parse(value).is_err() || shown::channel(value).is_some() || is_self_hosted_id(value),
            "a project file may only refer to channel IDs, and this value does not look like one",
        ),
        Type::Id(show) if field.role == Role::Plain => (
            show(value).is_some() || is_bucket_name(value),
            "a project file may only refer to a plain name or an ID, and this value does not look like one",
        ),
        _ => return None,
    };
    (author.project && !fits).then_some(ReferenceRefusal { why, help: UNTRUSTED })
}

/// Returns `true` for 26 lower-case letters and digits, the form of IDs on compatible servers.
fn is_self_hosted_id(value: &str) -> bool {
    value.len() == 26 && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// Returns `true` for the name of a bucket as compatible servers allow it, including capitals, dots and underscores.
fn is_bucket_name(value: &str) -> bool {
    value.len() <= 63 && text::is_word_of(value, "-._") && !text::may_be_credential(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_names_and_ids_of_compatible_servers() {
        for (value, name, id) in [
            ("backups", true, false),
            ("Backups_2.nightly-b", true, false),
            ("a b", false, false),
            ("a/b", false, false),
            ("K005abcdefghijklmnopqrstuvwxyz1", false, false),
            ("4yxm4fbfmin3zqbsgprtqbmpfa", false, true),
            ("4YXM4FBFMIN3ZQBSGPRTQBMPFA", false, false),
            ("4yxm4fbfmin3zqbsgprtqbmpf", false, false),
        ] {
            assert_eq!((is_bucket_name(value), is_self_hosted_id(value)), (name, id), "{value}");
        }
        assert!(is_bucket_name(&"ab-".repeat(21)) && !is_bucket_name(&"ab-".repeat(22)));
    }
}
