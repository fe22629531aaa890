//! What a configuration may refer to. A discovered project file may come from anybody, and what it takes from elsewhere is
//! posted or sent: text only from files beside it, and other public fields only what is of their form. A credential may
//! come from anywhere, since it goes to its service only. Files that are named with `--config` are the user's own choice.
//! And whoever says which references are allowed limits them all.

use std::path::{Component, Path, PathBuf};

use super::permitted::PermittedReferences;
use super::refusal::{Refusal, below};
use crate::schema::value::shown;
use crate::schema::{Field, Role, Type};
use crate::text;

/// Who says a setting.
#[derive(Clone, Copy)]
pub(super) struct Author<'a> {
    /// The directory that relative paths in it are relative to.
    pub(super) base: &'a Path,
    /// It is a variable, and no file.
    pub(super) variable: bool,
    /// It is a discovered project file.
    pub(super) project: bool,
}

const UNTRUSTED: &str = "write the value into the file, pass it with `--comment` or `--channel`, or, if you trust this project, pass its file with `--config`";

/// Why a variable is not read for this field.
pub(super) fn refuse_variable(field: &Field, author: Author<'_>) -> Option<Refusal> {
    let posted = author.project && matches!(field.ty, Type::Text);
    let why = "a project file may not post the value of a variable";
    posted.then_some(Refusal { why, help: UNTRUSTED })
}

/// The file to read for this field, or why none is.
pub(super) fn allowed_file(
    field: &Field,
    author: Author<'_>,
    path: &str,
    permitted: &PermittedReferences,
) -> Result<PathBuf, Refusal> {
    let resolved = permitted.file(author.base, path)?;
    if !author.project || !matches!(field.ty, Type::Text) {
        return Ok(resolved);
    }
    let refusal = Refusal { why: "a project file may only post files from its own directory", help: UNTRUSTED };
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if plain { below(author.base, &resolved).ok_or(refusal) } else { Err(refusal) }
}

/// Why a value that a reference led to is not taken: it would be sent, and is not of the form that its field asks for. What
/// is no address, no channel and no word of the field is told by its own rule, and stops a run as well. Credentials may come
/// from anywhere; that the public half of one has its form is asked before it is sent ([`super::Setting::is_doubtful`]).
pub(super) fn refuse_value(field: &Field, author: Author<'_>, value: &str) -> Option<Refusal> {
    let (fits, why) = match field.ty {
        Type::Channels => (
            field.ty.parse(value).is_err() || shown::channel(value).is_some() || is_self_hosted_id(value),
            "a project file may only refer to channel IDs, and this value does not look like one",
        ),
        Type::Id(show) if field.role == Role::Plain => (
            show(value).is_some() || is_name(value),
            "a project file may only refer to a plain name or an ID, and this value does not look like one",
        ),
        _ => return None,
    };
    (author.project && !fits).then_some(Refusal { why, help: UNTRUSTED })
}

/// 26 small letters and digits, as compatible servers form ids.
fn is_self_hosted_id(value: &str) -> bool {
    value.len() == 26 && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// The name of a bucket as compatible servers allow it: with capitals, dots and low lines as well.
fn is_name(value: &str) -> bool {
    value.len() <= 63
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
        && !text::opaque(value)
}
