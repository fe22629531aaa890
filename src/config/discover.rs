//! Finds the user's and the project's configuration.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::layer::Origin;
use super::options::LoadOptions;
use crate::code::Code;
use crate::file;
use crate::secret::Vault;
use crate::source::{Format, Problem, Reader, Sources};
#[cfg(unix)]
use crate::text;

include!(concat!(env!("OUT_DIR"), "/words_discover.rs"));

/// Returns the files to read, lowest layer first.
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
        && let Some(path) = only_file(&directory.join("credlint"), "config", reader)?
    {
        files.push((Origin::User, path));
    }
    if options.trust_only {
        return Ok(files);
    }
    let project = search_upwards(options, reader)?;
    if project.is_none() {
        notices.extend(misnamed(&options.directory));
    }
    if let Some(path) = project {
        if is_trusted(&path) {
            #[cfg(unix)]
            notices.extend(writable(&path, reader));
            files.push((Origin::Project, path));
        } else {
            notices.push(untrusted(&reader.shown_name(&path)));
        }
    }
    Ok(files)
}

/// Returns a directory named by a variable. Libraries for this would read the process environment, but ours is a
/// snapshot that tests and callers can replace.
fn directory_from_variable(environment: &Environment, variable: &str) -> Option<PathBuf> {
    environment.get(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

fn home_directory(environment: &Environment, windows: bool) -> Option<PathBuf> {
    let profile = windows.then(|| directory_from_variable(environment, "USERPROFILE")).flatten();
    profile.or_else(|| directory_from_variable(environment, "HOME"))
}

/// Returns the directory of user configurations.
fn user_directory(environment: &Environment, windows: bool) -> Option<PathBuf> {
    let own = || {
        let profile = || Some(directory_from_variable(environment, "USERPROFILE")?.join("AppData").join("Roaming"));
        windows.then(|| directory_from_variable(environment, "APPDATA").or_else(profile)).flatten()
    };
    let dotted = || directory_from_variable(environment, "HOME").map(|home| home.join(".config"));
    directory_from_variable(environment, "XDG_CONFIG_HOME").or_else(own).or_else(dotted)
}

/// Returns `true` if the project has a configuration of this user, or several to choose from.
pub(crate) fn has_project_file(options: &LoadOptions) -> bool {
    find_project_file(options).map_or(true, |found| found.is_some_and(|path| is_trusted(&path)))
}

/// Searches for the project's configuration. Several are an error.
fn find_project_file(options: &LoadOptions) -> Result<Option<PathBuf>, Problem> {
    let (mut vault, mut sources) = (Vault::default(), Sources::default());
    let pipes = &options.pipes;
    let reader = Reader { vault: &mut vault, sources: &mut sources, directory: &options.directory, pipes };
    search_upwards(options, &reader)
}

/// Returns the project's configuration, if it exists, and whether it belongs to another user.
pub(crate) fn project_file(options: &LoadOptions) -> Option<(PathBuf, bool)> {
    let path = find_project_file(options).ok().flatten()?;
    let foreign = !is_trusted(&path);
    Some((path, foreign))
}

/// Returns `true` if a configuration belongs to another user.
pub(crate) fn is_foreign(path: &Path) -> bool {
    !is_trusted(path)
}

/// Searches from the working directory upwards, up to the first directory with `.git` or the home directory.
fn search_upwards(options: &LoadOptions, reader: &Reader<'_>) -> Result<Option<PathBuf>, Problem> {
    // Compare real paths, because either may contain a link.
    let real = |path: &Path| path.canonicalize().ok();
    let home = home_directory(&options.environment, cfg!(windows)).and_then(|home| real(&home));
    for directory in options.directory.ancestors() {
        if let Some(path) = only_file(directory, "credlint", reader)? {
            return Ok(Some(path));
        }
        if directory.join(".git").exists() || (home.is_some() && home == real(directory)) {
            break;
        }
    }
    Ok(None)
}

/// Returns the project's configuration if another file is read instead.
fn ignored_file(options: &LoadOptions, reader: &Reader<'_>) -> Option<String> {
    let path = search_upwards(options, reader).ok().flatten().filter(|_| !options.isolated)?;
    let named = options.files.iter().any(|file| options.directory.join(file) == path);
    (!named).then(|| format!("{} is ignored because of --config", reader.shown_name(&path)))
}

/// Returns a file in the working directory that was probably meant as the configuration.
fn misnamed(directory: &Path) -> Option<String> {
    let name = MISNAMED.iter().find(|name| directory.join(name).is_file())?;
    Some(format!("{name} is not read: rename it to credlint.toml, or pass it with --config"))
}

/// Returns the only file with a stem. Several would be ambiguous.
fn only_file(directory: &Path, stem: &str, reader: &Reader<'_>) -> Result<Option<PathBuf>, Problem> {
    let candidates = Format::EXTENSIONS.map(|extension| directory.join(format!("{stem}.{extension}")));
    let mut found = candidates.into_iter().filter(|path| path.symlink_metadata().is_ok());
    match (found.next(), found.next()) {
        (Some(first), Some(second)) => {
            let message = format!("found both {} and {}", reader.shown_name(&first), reader.shown_name(&second));
            Err(Problem::new(Code::TwoConfigurations, message)
                .help("keep one of them, or pass the one to read with --config"))
        }
        (first, _) => Ok(first),
    }
}

/// Returns `true` if neither a path nor the file that it leads to belongs to another user. Anybody who can write to a
/// parent directory could redirect a token, also with a link.
fn is_trusted(path: &Path) -> bool {
    [path.symlink_metadata(), path.metadata()].into_iter().flatten().all(|meta| file::is_own(&meta))
}

/// Returns a warning about a project file that others can change. It is still read, because containers often check out
/// this way; the limits on project files apply to all of them.
#[cfg(unix)]
fn writable(path: &Path, reader: &Reader<'_>) -> Option<String> {
    const KEPT: &str = "credlint never sends a secret from your user configuration to an address it sets";
    let name = reader.shown_name(path);
    if path.metadata().is_ok_and(|meta| is_shared(&meta)) {
        return Some(format!("{name} can be written by other users: {KEPT}"));
    }
    // Anybody who can write to a directory can replace its files, unless it is sticky like /tmp.
    let shared = |directory: &Path| directory.metadata().is_ok_and(|meta| is_shared(&meta) && !is_sticky(&meta));
    let real = path.canonicalize().ok()?;
    let directory = real.ancestors().skip(1).find(|directory| shared(directory))?;
    Some(format!("{name} is in {}, which other users can write to: {KEPT}", text::file(directory)))
}

/// Returns `true` if users other than the owner can write. A group with the owner's number is assumed to be private, as
/// most systems set users up that way.
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
    fn user_directory_follows_system() {
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
            assert_eq!(home_directory(&environment, windows), own.map(PathBuf::from), "{variables:?} {windows}");
        }
    }
}
