//! Files that are known again whatever path leads to them.

use std::collections::HashSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// Which file it is: device and number.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems don't say")]
pub fn identity(meta: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((meta.dev(), meta.ino()))
}

/// Not known here.
#[cfg(not(unix))]
pub fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// A set of files. A link leads to the same file, and so does another name of it; and what takes the place of one is
/// meant, too.
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
    /// The files at these paths. One that is not there is known by its path alone.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut set = Self::default();
        for path in paths {
            set.identities.extend(std::fs::metadata(&path).ok().as_ref().and_then(identity));
            set.paths.insert(canonical(&path).unwrap_or(path));
        }
        set
    }

    /// Whether a path leads to one of them.
    pub fn has(&self, path: &Path) -> bool {
        !self.paths.is_empty() && self.has_opened(path, std::fs::metadata(path).ok().as_ref().and_then(identity))
    }

    /// The same of a file that is known: by its one path, and which it is.
    #[cfg(feature = "upload")]
    pub fn has_known(&self, canonical: &Path, identity: Option<(u64, u64)>) -> bool {
        identity.is_some_and(|identity| self.identities.contains(&identity)) || self.paths.contains(canonical)
    }

    /// Whether what was opened at a path is one of them.
    pub fn has_opened(&self, path: &Path, identity: Option<(u64, u64)>) -> bool {
        !self.paths.is_empty()
            && (identity.is_some_and(|identity| self.identities.contains(&identity))
                || canonical(path).is_some_and(|path| self.paths.contains(&path)))
    }
}

/// The one path of a file, also of one that is not there.
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
    fn a_file_is_known_by_every_path_that_leads_to_it() {
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
        // What takes its place is meant, and so is the old one under its other name.
        std::fs::rename(at("b"), at("a")).unwrap();
        std::fs::write(at("none"), "").unwrap();
        assert_eq!(has(), [true, true, true, true, false, true]);
        assert!(!FileSet::default().has(&at("a")));
        assert_eq!(format!("{set:?}"), "FileSet(3 files)");
    }
}
