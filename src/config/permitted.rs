//! The hosts that may receive a credential, and the references that may be resolved.

use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::environment::Environment;
use crate::code::Code;
use crate::file::is_behind_link;
use crate::schema::value::{BaseUrl, shown::host_pattern};
use crate::shorthand::debug;
use crate::source::Problem;

/// The variable with a comma-separated list of hosts.
const VARIABLE: &str = "CREDLINT_HOSTS";

/// Lists of hosts. A host must be on each list. Without a list, any host is permitted.
#[derive(Clone, Default)]
pub struct PermittedHosts(Arc<Vec<Vec<String>>>);

// The lists could contain a secret that was pasted there.
debug!(PermittedHosts, |own| "PermittedHosts({} lists)", own.0.len());

impl PermittedHosts {
    /// Adds the list of the variable. A list without hosts is an error: usually a variable of a pipeline is not set, so it
    /// is unclear which hosts were meant. So is what is no host, such as an address, which would match nothing.
    pub(super) fn new(mut lists: Vec<Vec<String>>, environment: &Environment) -> Result<Self, Problem> {
        if let Some(value) = environment.get(VARIABLE) {
            let value = value.to_string_lossy().to_lowercase();
            let hosts: Vec<_> = value.split(',').map(|host| host.trim().to_owned()).collect();
            if hosts.iter().all(String::is_empty) {
                return Err(empty_list_problem(VARIABLE));
            }
            if hosts.iter().any(|host| !host.is_empty() && host_pattern(host).is_none()) {
                return Err(Problem::new(Code::NoHosts, format!("`{VARIABLE}` lists something that is no host"))
                    .help("list hosts with commas between them, without `https://`, port and path: `slack.com,api.backblazeb2.com`"));
            }
            lists.push(hosts);
        }
        Ok(Self(Arc::new(lists)))
    }

    /// Returns `true` if a credential may be sent to this address.
    pub fn permits(&self, address: &BaseUrl) -> bool {
        let host = address.host();
        let is = |pattern: &String| match pattern.strip_prefix("*.") {
            Some(domain) => host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')),
            None => host == pattern,
        };
        self.0.iter().all(|list| list.iter().any(is))
    }
}

/// Returns the problem of a list without hosts.
pub(super) fn empty_list_problem(name: &str) -> Problem {
    Problem::new(Code::NoHosts, format!("`{name}` lists no hosts"))
        .help(format!("list the hosts that may receive a credential, such as `chat.example.com`, or remove `{name}`"))
}

/// Why a reference may not be resolved, and what to do about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReferenceRefusal {
    pub why: &'static str,
    pub help: &'static str,
}

/// Returns the real path of a file if it is below a directory, so that a link can't lead out of it. A file that can't
/// be opened is reported when it is read; any other file without a real path, such as one whose real path is too long,
/// is refused.
pub(super) fn real_path_below(directory: &Path, file: &Path) -> Option<PathBuf> {
    match (file.canonicalize(), directory.canonicalize()) {
        (Ok(real), Ok(directory)) => real.starts_with(&directory).then_some(real),
        (Err(error), _) if is_unopenable(&error) => Some(file.to_path_buf()),
        _ => None,
    }
}

fn is_unopenable(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied)
}

/// Lists of references, as `env:NAME` and `file:PATH`. A reference must be on each list. Without a list, any reference
/// is permitted.
#[derive(Default)]
pub(super) struct PermittedReferences(Vec<Vec<String>>);

const REFUSED: ReferenceRefusal = ReferenceRefusal {
    why: "this reference is not permitted",
    help: "if you trust it, add it to `references` under `[trust]` in your user configuration or the policy, as `env:NAME` or `file:PATH`",
};

impl PermittedReferences {
    pub(super) const fn new(lists: Vec<Vec<String>>) -> Self {
        Self(lists)
    }

    /// Returns `true` if any reference is permitted.
    pub(super) const fn permits_all(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns an error if a variable may not be read.
    pub(super) fn check_variable(&self, name: &str) -> Result<(), ReferenceRefusal> {
        self.is_on_each_list("env:", |pattern| matches(pattern, name)).then_some(()).ok_or(REFUSED)
    }

    /// Returns the file to read for a path, relative to `base`. A link may not leave the directory before the first `*`
    /// of the pattern, nor take its place.
    pub(super) fn permitted_file(&self, base: &Path, path: &str) -> Result<PathBuf, ReferenceRefusal> {
        let resolved = base.join(path);
        let climbs = Path::new(path).components().any(|part| part == Component::ParentDir);
        let fits = |pattern: &str| {
            let before = &pattern[..pattern.find('*').unwrap_or(pattern.len())];
            let directory = base.join(before.rfind('/').map_or("", |end| &before[..=end]));
            !climbs
                && matches(pattern, without_current_directory(path))
                && !is_behind_link(&directory, base)
                && real_path_below(&directory, &resolved).is_some()
        };
        self.is_on_each_list("file:", |pattern| fits(without_current_directory(pattern)))
            .then_some(resolved)
            .ok_or(REFUSED)
    }

    fn is_on_each_list(&self, kind: &str, fits: impl Fn(&str) -> bool) -> bool {
        self.0.iter().all(|list| list.iter().filter_map(|pattern| pattern.strip_prefix(kind)).any(&fits))
    }
}

fn without_current_directory(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// Returns `true` if a name matches a pattern, in which `*` stands for any characters except `/`.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            let ends = rest.find('/').unwrap_or(rest.len());
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .any(|at| at <= ends && matches(after, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn star_matches_part_of_a_name() {
        for (pattern, name, fits) in [
            ("CI_*", "CI_TOKEN", true),
            ("CI_*", "CI_", true),
            ("CI_*", "XCI_TOKEN", false),
            ("*_TOKEN", "CI_TOKEN", true),
            ("*_TOKEN", "CI_TOKEN_2", false),
            ("A*B*C", "A-B-B-C", true),
            ("CI", "CI_TOKEN", false),
            ("/run/secrets/*", "/run/secrets/key", true),
            ("/run/secrets/*", "/run/secrets/a/key", false),
            ("/run/secrets/*/*", "/run/secrets/a/key", true),
            ("/run/secrets/*", "/run/secretskey", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn pattern_limits_location_of_file() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().join("project");
        for name in ["project/secrets/key", "project/outside", "elsewhere/key"] {
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, base.join(name)).unwrap();
        link(&directory.path().join("elsewhere/key"), "secrets/out");
        link(&base.join("secrets/key"), "secrets/in");
        let whole = directory.path().join("elsewhere/*").to_str().unwrap().to_owned();
        let permitted = PermittedReferences::new(vec![vec!["file:secrets/*".to_owned(), format!("file:{whole}")]]);
        let absolute = directory.path().join("elsewhere/key").to_str().unwrap().to_owned();
        for (path, fits) in [
            ("secrets/key", true),
            ("./secrets/key", true),
            ("secrets/in", true),
            ("secrets/none", true),
            ("secrets/out", false),
            ("secrets/../outside", false),
            ("../elsewhere/key", false),
            ("outside", false),
            (&absolute, true),
        ] {
            assert_eq!(permitted.permitted_file(&base, path).is_ok(), fits, "{path}");
        }
        assert!(permitted.check_variable("A").is_err() && PermittedReferences::default().check_variable("A").is_ok());
    }
}
