//! Identifies files, whatever path leads to them.

use std::collections::HashSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

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

    /// Returns `true` if a path leads to one of the files.
    pub fn has(&self, path: &Path) -> bool {
        !self.paths.is_empty() && self.has_opened(path, std::fs::metadata(path).ok().as_ref().and_then(identity))
    }

    /// Returns `true` for a file with a known canonical path and identity.
    #[cfg(feature = "upload")]
    pub fn has_known(&self, canonical: &Path, identity: Option<(u64, u64)>) -> bool {
        identity.is_some_and(|identity| self.identities.contains(&identity)) || self.paths.contains(canonical)
    }

    /// Returns `true` if the file opened at a path is one of the files.
    pub fn has_opened(&self, path: &Path, identity: Option<(u64, u64)>) -> bool {
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_recognised_by_every_path() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["a", "b"] {
            std::fs::write(at(name), name).unwrap();
        }
        let set = FileSet::new([at("a"), at("none"), at("sub/../later")]);
        assert!(!set.has(&at("later")), "its directory is not there");
        std::fs::create_dir(at("sub")).unwrap();
        let set = FileSet::new([at("a"), at("none"), at("sub/../later")]);
        assert!(set.has(&at("later")) && set.has(&at("./later")) && !set.has(&at("sub/later")));
        assert!(FileSet::new(["later".into()]).has(Path::new("src/../later")));
        std::os::unix::fs::symlink(at("a"), at("symbolic")).unwrap();
        std::fs::hard_link(at("a"), at("hard")).unwrap();
        let has = || ["a", "./a", "symbolic", "hard", "b", "none"].map(|name| set.has(&at(name)));
        assert_eq!(has(), [true, true, true, true, false, true]);
        // The set contains the replacement, and the old file under its other name.
        std::fs::rename(at("b"), at("a")).unwrap();
        std::fs::write(at("none"), "").unwrap();
        assert_eq!(has(), [true, true, true, true, false, true]);
        assert!(!FileSet::default().has(&at("a")));
        assert_eq!(format!("{set:?}"), "FileSet(3 files)");
    }
}
