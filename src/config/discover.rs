//! Finding the user's and the project's file.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::layer::Origin;
use super::options::LoadOptions;
use crate::code::Code;
use crate::secret::Vault;
use crate::source::{Format, Problem, Reader, Sources};
#[cfg(unix)]
use crate::text;

/// The files to read, low to high.
pub(super) fn files(
    options: &LoadOptions,
    reader: &Reader<'_>,
    notices: &mut Vec<String>,
) -> Result<Vec<(Origin, PathBuf)>, Problem> {
    if !options.files.is_empty() || options.isolated {
        notices.extend(ignored_file(options, reader));
        return Ok(options.files.iter().map(|path| (Origin::Given, options.directory.join(path))).collect());
    }
    let mut files = Vec::new();
    if let Some(directory) = user_directory(&options.environment, cfg!(windows))
        && let Some(path) = one_of(&directory.join("credlint"), "config", reader)?
    {
        files.push((Origin::User, path));
    }
    let project = project(options, reader)?;
    if project.is_none() {
        notices.extend(misnamed(&options.directory));
    }
    if let Some(path) = project {
        // Whoever may write to a directory above could redirect somebody's token.
        // A link is somebody's choice, too.
        let foreign = [path.symlink_metadata(), path.metadata()].into_iter().flatten().any(|meta| !is_trusted(&meta));
        if foreign {
            notices.push(untrusted(&reader.name(&path)));
        } else {
            notices.extend(writable(&path, reader));
            files.push((Origin::Project, path));
        }
    }
    Ok(files)
}

/// A directory that a variable names. Nobody else is asked for one: the environment is a snapshot, which tests and other
/// programs replace, and libraries for this read that of the process.
fn named(environment: &Environment, variable: &str) -> Option<PathBuf> {
    environment.get(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

fn home(environment: &Environment, windows: bool) -> Option<PathBuf> {
    let profile = windows.then(|| named(environment, "USERPROFILE")).flatten();
    profile.or_else(|| named(environment, "HOME"))
}

/// Where programs keep what a user sets.
fn user_directory(environment: &Environment, windows: bool) -> Option<PathBuf> {
    let own = || {
        let profile = || Some(named(environment, "USERPROFILE")?.join("AppData").join("Roaming"));
        windows.then(|| named(environment, "APPDATA").or_else(profile)).flatten()
    };
    let dotted = || named(environment, "HOME").map(|home| home.join(".config"));
    named(environment, "XDG_CONFIG_HOME").or_else(own).or_else(dotted)
}

/// The project's file, if there is one that may be read.
pub(super) fn project_file(options: &LoadOptions) -> Option<PathBuf> {
    let (mut vault, mut sources) = (Vault::default(), Sources::default());
    let replaced = &options.replaced;
    let reader = Reader { vault: &mut vault, sources: &mut sources, directory: &options.directory, replaced };
    let path = project(options, &reader).ok().flatten()?;
    path.metadata().is_ok_and(|meta| is_trusted(&meta)).then_some(path)
}

/// From the working directory upwards, not beyond the first directory with `.git`, not beyond the home directory.
fn project(options: &LoadOptions, reader: &Reader<'_>) -> Result<Option<PathBuf>, Problem> {
    // Compared by where they lead, since either may be said through a link.
    let real = |path: &Path| path.canonicalize().ok();
    let home = home(&options.environment, cfg!(windows)).and_then(|home| real(&home));
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

/// The project's file, if another one is read in its place.
fn ignored_file(options: &LoadOptions, reader: &Reader<'_>) -> Option<String> {
    let path = project(options, reader).ok().flatten().filter(|_| !options.isolated)?;
    let named = options.files.iter().any(|file| options.directory.join(file) == path);
    (!named).then(|| format!("{} is ignored because of --config", reader.name(&path)))
}

/// What people call the project's file, and what it is not called.
const MISNAMED: &[&str] = &[
    ".credlint.toml",
    ".credlint.yaml",
    ".credlint.yml",
    ".credlint.json",
    ".credlintrc",
    "Credlint.toml",
    "CREDLINT.toml",
    "credlint.config.toml",
    "credlint.conf",
    "credlint.env",
    ".config/credlint.toml",
    "config/credlint.toml",
];

/// A file in the working directory that is probably meant to be the project's.
fn misnamed(directory: &Path) -> Option<String> {
    let name = MISNAMED.iter().find(|name| directory.join(name).is_file())?;
    Some(format!("{name} is not read: rename it to credlint.toml, or pass it with --config"))
}

/// The one file of that stem. Two side by side would leave open which one counts.
fn one_of(directory: &Path, stem: &str, reader: &Reader<'_>) -> Result<Option<PathBuf>, Problem> {
    let candidates = Format::EXTENSIONS.map(|extension| directory.join(format!("{stem}.{extension}")));
    let mut found = candidates.into_iter().filter(|path| path.symlink_metadata().is_ok());
    match (found.next(), found.next()) {
        (Some(first), Some(second)) => {
            let message = format!("found both {} and {}", reader.name(&first), reader.name(&second));
            Err(Problem::new(Code::TwoConfigurations, message)
                .help("keep one of them, or pass the one to read with --config"))
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

/// What is to be said of a project file that others can change. It is read: containers check out so. What it may not do holds
/// for every project file.
#[cfg(unix)]
fn writable(path: &Path, reader: &Reader<'_>) -> Option<String> {
    const KEPT: &str = "credlint never sends a secret from your user configuration to an address it sets";
    let name = reader.name(path);
    if path.metadata().is_ok_and(|meta| is_shared(&meta)) {
        return Some(format!("{name} can be written by other users: {KEPT}"));
    }
    // Whoever may write to a directory may replace what is in it, unless it is one like /tmp.
    let shared = |directory: &Path| directory.metadata().is_ok_and(|meta| is_shared(&meta) && !is_sticky(&meta));
    let real = path.canonicalize().ok()?;
    let directory = real.ancestors().skip(1).find(|directory| shared(directory))?;
    Some(format!("{name} is in {}, which other users can write to: {KEPT}", text::file(directory)))
}

#[cfg(not(unix))]
fn writable(_: &Path, _: &Reader<'_>) -> Option<String> {
    None
}

/// Whether others than the owner can write. A group of the number of its owner is that user's alone, as most systems set
/// users up.
#[cfg(unix)]
fn is_shared(meta: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own_group = meta.gid() == meta.uid() && meta.uid() != 0;
    meta.mode() & 0o002 != 0 || (meta.mode() & 0o020 != 0 && !own_group)
}

#[cfg(unix)]
fn is_sticky(meta: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    meta.mode() & 0o1000 != 0
}

pub(super) fn untrusted(name: &str) -> String {
    format!("{name} was not read because it belongs to another user; pass it with --config to read it anyway")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_users_directory_is_the_one_that_the_system_has_for_it() {
        let (xdg, own_home) = (("XDG_CONFIG_HOME", "/xdg"), ("HOME", "/home/me"));
        let (roaming, profile) = (("APPDATA", "/roaming"), ("USERPROFILE", "/users/me"));
        for (variables, windows, directory, own) in [
            (&[xdg, own_home, roaming, profile][..], false, Some("/xdg"), Some("/home/me")),
            (&[own_home, roaming, profile], false, Some("/home/me/.config"), Some("/home/me")),
            (&[("XDG_CONFIG_HOME", "xdg"), ("HOME", "home")], false, None, None),
            (&[roaming, profile], false, None, None),
            (&[xdg, own_home, roaming, profile], true, Some("/xdg"), Some("/users/me")),
            (&[own_home, roaming, profile], true, Some("/roaming"), Some("/users/me")),
            (&[own_home, profile], true, Some("/users/me/AppData/Roaming"), Some("/users/me")),
            (&[own_home], true, Some("/home/me/.config"), Some("/home/me")),
            (&[], true, None, None),
        ] {
            let environment: Environment = variables.iter().copied().collect();
            assert_eq!(user_directory(&environment, windows), directory.map(PathBuf::from), "{variables:?} {windows}");
            assert_eq!(home(&environment, windows), own.map(PathBuf::from), "{variables:?} {windows}");
        }
    }
}
