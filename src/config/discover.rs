//! Finding the user's and the project's file.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use super::{LoadOptions, Origin};
use crate::code::Code;
use crate::source::{Format, Problem, Reader};

/// The files to read, low to high.
pub(super) fn files(
    options: &LoadOptions,
    reader: &Reader<'_>,
    notices: &mut Vec<String>,
) -> Result<Vec<(Origin, PathBuf)>, Problem> {
    if !options.files.is_empty() || options.isolated {
        return Ok(options.files.iter().map(|path| (Origin::Given, options.directory.join(path))).collect());
    }
    let mut files = Vec::new();
    if let Some(directory) = user_directory(options)
        && let Some(path) = one_of(&directory.join("credlint"), "config", reader)?
    {
        files.push((Origin::User, path));
    }
    if let Some(path) = project(options, reader)? {
        // Whoever may write to a directory above could redirect somebody's token.
        // A link is somebody's choice, too.
        let foreign = [path.symlink_metadata(), path.metadata()].into_iter().flatten().any(|meta| !is_trusted(&meta));
        if foreign {
            notices.push(untrusted(&reader.name(&path)));
        } else {
            files.push((Origin::Project, path));
        }
    }
    Ok(files)
}

fn home(options: &LoadOptions) -> Option<PathBuf> {
    options.environment.get("HOME").map(PathBuf::from).filter(|home| home.is_absolute())
}

fn user_directory(options: &LoadOptions) -> Option<PathBuf> {
    let stated = options.environment.get("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    stated.or_else(|| home(options).map(|home| home.join(".config")))
}

/// From the working directory upwards, not beyond the first directory with `.git`, not beyond the home directory.
fn project(options: &LoadOptions, reader: &Reader<'_>) -> Result<Option<PathBuf>, Problem> {
    // Compared by where they lead, since either may be said through a link.
    let real = |path: &Path| path.canonicalize().ok();
    let home = home(options).and_then(|home| real(&home));
    for directory in options.directory.ancestors() {
        if let Some(path) = one_of(directory, "credlint", reader)? {
            return Ok(Some(path));
        }
        if directory.join(".git").exists() || (home.is_some() && home == real(directory)) {
            break;
        }
    }
    Ok(None)
}

/// The one file of that stem. Two side by side would leave open which one counts.
fn one_of(directory: &Path, stem: &str, reader: &Reader<'_>) -> Result<Option<PathBuf>, Problem> {
    let candidates = Format::EXTENSIONS.map(|extension| directory.join(format!("{stem}.{extension}")));
    let mut found = candidates.into_iter().filter(|path| path.symlink_metadata().is_ok());
    match (found.next(), found.next()) {
        (Some(first), Some(second)) => {
            let message = format!("{} and {} stand side by side", reader.name(&first), reader.name(&second));
            Err(Problem::new(Code::TwoConfigurations, message)
                .help("keep one of them, or name the one to read with --config"))
        }
        (first, _) => Ok(first),
    }
}

/// Whether a file belongs to this user or to root.
#[cfg(unix)]
pub(super) fn is_trusted(meta: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    meta.uid() == 0 || meta.uid() == rustix::process::geteuid().as_raw()
}

/// Whether a file belongs to this user: not known here.
#[cfg(not(unix))]
pub(super) fn is_trusted(_: &Metadata) -> bool {
    true
}

pub(super) fn untrusted(name: &str) -> String {
    format!("{name} was not read: it belongs to another user; name it with --config to read it all the same")
}
