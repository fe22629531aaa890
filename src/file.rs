//! Files: opens regular files, reads them up to a limit, writes them atomically, and identifies them, whatever
//! path or link leads to them.

#[cfg(any(feature = "cli", feature = "upload"))]
mod ignored;
mod open;
mod pattern;
mod repository;
#[cfg(any(feature = "cli", feature = "upload"))]
mod walk;
mod write;

use std::collections::HashSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

#[cfg(any(feature = "cli", feature = "upload"))]
pub use ignored::Repositories;
pub use open::{
    AnyText, FileError, OffsetReader, Opened, OwnError, decoded, make_private, open_own, open_regular, open_stream,
    read_any, read_stream_text, read_text, read_wiped, seek_to_end, write_after,
};
pub use pattern::{FilePattern, MOST_PATTERNS, PathPattern, PathPatterns, normalize};
pub use repository::{MAX_IGNORE, ignore_size, is_own, own_ignore_size, repository_root, tracked_files};
#[cfg(feature = "upload")]
pub use walk::unread;
#[cfg(any(feature = "cli", feature = "upload"))]
pub use walk::{DirEntry, is_directory, walk};
#[cfg(feature = "cli")]
pub use write::write_atomically;
pub use write::{append, create, create_private};

/// Without the ignore rules, nothing is known.
#[cfg(not(any(feature = "cli", feature = "upload")))]
#[derive(Debug, Default)]
pub struct Repositories {}

#[cfg(not(any(feature = "cli", feature = "upload")))]
impl Repositories {
    #[expect(clippy::unused_self, reason = "the same call with every feature")]
    pub fn would_commit(&self, _: &Path) -> Option<bool> {
        None
    }
}

/// The maximum number of links to follow, as on Linux.
const MAX_LINKS: usize = 40;

/// Returns `true` if a path leads through a symbolic link in the repository of `directory`, or below `directory` if it is
/// in none. Whoever can change the repository chooses where such a link leads; other links belong to the user or the
/// system.
pub fn is_behind_link(path: &Path, directory: &Path) -> bool {
    let root = directory.ancestors().find(|directory| directory.join(".git").exists()).unwrap_or(directory);
    // The links of the system are below `/`, where programs in containers start.
    let root = root.canonicalize().ok().filter(|root| root.parent().is_some());
    root.is_some_and(|root| passes_link(&directory.join(path), &root, MAX_LINKS))
}

/// Does the same for a path that is relative to the current directory.
pub fn is_linked(path: &Path) -> bool {
    std::env::current_dir().is_ok_and(|directory| is_behind_link(path, &directory))
}

fn passes_link(path: &Path, root: &Path, links: usize) -> bool {
    // Without a trailing `/` or `/.`, which would hide a link.
    let path: PathBuf = path.components().collect();
    path.ancestors().any(|part| {
        let (Ok(target), Some(parent)) = (part.read_link(), part.parent()) else { return false };
        links == 0
            || parent.canonicalize().is_ok_and(|parent| parent.starts_with(root))
            || passes_link(&parent.join(target), root, links - 1)
    })
}

/// Returns the device and inode of a file.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems don't say")]
pub fn identity(meta: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((meta.dev(), meta.ino()))
}

/// Returns `None`: files have no portable identity on this platform.
#[cfg(not(unix))]
pub fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// A set of files. It contains a file under every link and name, and also a file that replaces one of them.
#[derive(Clone, Default)]
pub struct FileSet {
    identities: HashSet<(u64, u64)>,
    paths: HashSet<PathBuf>,
}

impl std::fmt::Debug for FileSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A path may be a secret that was pasted there.
        write!(f, "FileSet({} files)", self.paths.len())
    }
}

impl FileSet {
    /// Creates a set of the files at these paths. A missing file is known by its path alone.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut set = Self::default();
        for path in paths {
            set.identities.extend(std::fs::metadata(&path).ok().as_ref().and_then(identity));
            set.paths.insert(canonical(&path).unwrap_or(path));
        }
        set
    }

    /// Returns the number of paths.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Returns `true` if a path leads to one of the files.
    pub fn contains(&self, path: &Path) -> bool {
        !self.paths.is_empty() && self.contains_opened(path, std::fs::metadata(path).ok().as_ref().and_then(identity))
    }

    /// Returns `true` for a file with a known canonical path and identity.
    pub fn contains_known(&self, canonical: &Path, identity: Option<(u64, u64)>) -> bool {
        identity.is_some_and(|identity| self.identities.contains(&identity)) || self.paths.contains(canonical)
    }

    /// Returns `true` if the file opened at a path is one of the files.
    pub fn contains_opened(&self, path: &Path, identity: Option<(u64, u64)>) -> bool {
        !self.paths.is_empty()
            && (identity.is_some_and(|identity| self.identities.contains(&identity))
                || canonical(path).is_some_and(|path| self.paths.contains(&path)))
    }
}

/// Returns the canonical path of a file, even if it doesn't exist.
fn canonical(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok().or_else(|| {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(std::fs::canonicalize(parent).ok()?.join(path.file_name()?))
    })
}

/// Returns how many more files can be opened now, up to `most`. It tries, because the system may have a limit of its
/// own.
#[cfg(unix)]
pub fn available(most: usize) -> usize {
    use std::os::fd::AsFd;
    // Any descriptor will do; this one is never written to.
    let stdin = std::io::stdin();
    let opened: Vec<_> = (0..most).map_while(|_| stdin.as_fd().try_clone_to_owned().ok()).collect();
    opened.len()
}

#[cfg(not(unix))]
pub fn available(most: usize) -> usize {
    most
}

/// Returns this process's limit on open files. `None` if there is none.
pub fn open_file_limit() -> Option<u64> {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn finds_links_in_repository() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["repo/.git", "repo/sub/real", "outside/real"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        symlink(at("outside"), at("repo/link")).unwrap();
        symlink("sub", at("repo/inner")).unwrap();
        symlink("repo", at("current")).unwrap();
        symlink(at("repo/link/real"), at("latest")).unwrap();
        symlink("outside", at("elsewhere")).unwrap();
        symlink("loop", at("loop")).unwrap();
        let found = |path: &str, directory: &str| is_behind_link(&at(path), &at(directory));
        for path in [
            "repo/link", "repo/link/", "repo/link/.", "repo/link/real", "repo/link/../outside", "repo/sub/../link",
            "repo/inner/real", "current/link/real", "latest", "loop",
        ] {
            assert!(found(path, "repo") && found(path, "repo/sub"), "{path}");
            assert!(is_behind_link(&Path::new("../..").join(path), &at("repo/sub")), "{path}");
        }
        for path in ["repo/sub/real", "outside/real", "elsewhere/real", "current/sub", "repo/none", "current"] {
            assert!(!found(path, "repo"), "{path}");
        }
        // Without a repository, the links below the directory count.
        assert!(found("elsewhere/real", "") && !found("elsewhere/real", "outside"));
        assert!(!is_behind_link(&at("elsewhere"), Path::new("/")));
    }

    #[test]
    fn recognises_file_by_every_path() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["a", "b"] {
            std::fs::write(at(name), name).unwrap();
        }
        let set = FileSet::new([at("a"), at("none"), at("sub/../later")]);
        assert!(!set.contains(&at("later")), "its directory is not there");
        std::fs::create_dir(at("sub")).unwrap();
        let set = FileSet::new([at("a"), at("none"), at("sub/../later")]);
        assert!(set.contains(&at("later")) && set.contains(&at("./later")) && !set.contains(&at("sub/later")));
        assert!(FileSet::new(["later".into()]).contains(Path::new("src/../later")));
        std::os::unix::fs::symlink(at("a"), at("symbolic")).unwrap();
        std::fs::hard_link(at("a"), at("hard")).unwrap();
        let has = || ["a", "./a", "symbolic", "hard", "b", "none"].map(|name| set.contains(&at(name)));
        assert_eq!(has(), [true, true, true, true, false, true]);
        // The set contains the replacement, and the old file under its other name.
        std::fs::rename(at("b"), at("a")).unwrap();
        std::fs::write(at("none"), "").unwrap();
        assert_eq!(has(), [true, true, true, true, false, true]);
        assert!(!FileSet::default().contains(&at("a")));
        assert_eq!(format!("{set:?}"), "FileSet(3 files)");
    }
}
