//! Finds symbolic links that a change to a repository can add.

use std::path::{Component, Path, PathBuf};

/// No more links are followed than by the system.
const MAX_LINKS: usize = 40;

/// Normalises `.` and `..` without accessing the file system: names stay as they were given.
pub fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// Returns `true` if a path leads through a symbolic link in the repository of `directory`, or below `directory` if it is
/// in none. Whoever can change the repository chooses where such a link leads; other links belong to the user or the
/// system.
pub fn is_behind_link(path: &Path, directory: &Path) -> bool {
    let root = directory.ancestors().find(|directory| directory.join(".git").exists()).unwrap_or(directory);
    // The links of the system are below `/`, where programs in containers start.
    let root = root.canonicalize().ok().filter(|root| root.parent().is_some());
    root.is_some_and(|root| leads_through(&directory.join(path), &root, MAX_LINKS))
}

/// Does the same for a path that is relative to the current directory.
#[cfg(feature = "upload")]
pub fn is_linked(path: &Path) -> bool {
    std::env::current_dir().is_ok_and(|directory| is_behind_link(path, &directory))
}

fn leads_through(path: &Path, root: &Path, links: usize) -> bool {
    // Without a trailing `/` or `/.`, which would hide a link.
    let path: PathBuf = path.components().collect();
    path.ancestors().any(|part| {
        let (Ok(target), Some(parent)) = (part.read_link(), part.parent()) else { return false };
        links == 0
            || parent.canonicalize().is_ok_and(|parent| parent.starts_with(root))
            || leads_through(&parent.join(target), root, links - 1)
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_in_the_repository_are_found() {
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
}
