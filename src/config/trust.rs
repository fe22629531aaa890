//! What a discovered project file may refer to. It may come from anybody, and what it takes from elsewhere is posted or
//! sent: text only from files beside it, and other public fields only what is of their form. A credential may come from
//! anywhere, since it goes to its service only. Files that are named with `--config` are the user's own choice.

use std::path::{Component, Path, PathBuf};

use crate::schema::value::shown;
use crate::schema::{Field, Type};

/// Who says a setting.
#[derive(Clone, Copy)]
pub(super) struct Author<'a> {
    /// The directory of the file that says it.
    pub(super) base: Option<&'a Path>,
    /// It is a variable, and no file.
    pub(super) variable: bool,
    /// It is a discovered project file.
    pub(super) project: bool,
}

/// Why a variable is not read for this field.
pub(super) fn refuse_variable(field: &Field, author: Author<'_>) -> Option<&'static str> {
    let posted = author.project && matches!(field.ty, Type::Text);
    posted.then_some("a project file may not post the value of a variable")
}

/// The file to read for this field, or why none is.
pub(super) fn allowed_file(
    field: &Field,
    author: Author<'_>,
    path: &str,
    resolved: PathBuf,
) -> Result<PathBuf, &'static str> {
    const BESIDE: &str = "a project file may only post files from its own directory";
    if !author.project || !matches!(field.ty, Type::Text) {
        return Ok(resolved);
    }
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let Some(base) = author.base.filter(|_| plain) else { return Err(BESIDE) };
    // A link may lead anywhere, and so what it leads to is looked at, and opened. One that is not there is told as such.
    match (resolved.canonicalize(), base.canonicalize()) {
        (Ok(real), Ok(base)) if real.starts_with(&base) => Ok(real),
        (Err(_), _) => Ok(resolved),
        _ => Err(BESIDE),
    }
}

/// Why a value that a reference led to is not taken. Channels are sent as they are; credentials may come from anywhere,
/// and nothing else leaves this machine.
pub(super) fn refuse_value(ty: Type, author: Author<'_>, value: &str) -> Option<&'static str> {
    // What is no channel at all is told by its own rule, and sent to nobody.
    let sent = author.project && matches!(ty, Type::Channels) && ty.parse(value).is_ok();
    let known = shown::channel(value).is_some() || is_self_hosted_id(value);
    (sent && !known)
        .then_some("a project file may only take channel IDs from elsewhere, and this value does not look like one")
}

/// 26 small letters and digits, as compatible servers form ids.
fn is_self_hosted_id(value: &str) -> bool {
    value.len() == 26 && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}
