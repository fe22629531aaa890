//! What git knows about a file: whose repository it is in, whether it is tracked, and whether it is ignored.

use std::collections::HashSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// The maximum size of the ignore files that apply to a directory, about 10,000 patterns. They are compiled, and a
/// pattern may take 20 KiB.
pub const MAX_IGNORE: u64 = 256 * 1024;

/// The maximum size of an index that is read, about two million files.
const MAX_INDEX: u64 = 256 * 1024 * 1024;

/// Returns `true` if a file belongs to this user, to root, or to the user who became root with `sudo`. Git requires the
/// same of a repository (`safe.directory`). Owners are checked on Unix only.
pub fn is_own(meta: &Metadata) -> bool {
    #[cfg(unix)]
    {
        let (owner, user) = (std::os::unix::fs::MetadataExt::uid(meta), rustix::process::geteuid().as_raw());
        #[expect(clippy::disallowed_methods, reason = "the owner is compared with the real user, as git does")]
        let before = || std::env::var("SUDO_UID").ok().and_then(|id| id.parse().ok());
        owner == 0 || owner == user || user == 0 && before() == Some(owner)
    }
    #[cfg(not(unix))]
    {
        let _ = meta;
        true
    }
}

/// Returns `true` if a directory has `.git`, and whether both belong to this user. `None` without it.
pub fn is_own_repository(directory: &Path) -> Option<bool> {
    let inside = directory.join(".git").metadata().ok()?;
    Some(is_own(&inside) && directory.metadata().is_ok_and(|meta| is_own(&meta)))
}

/// Returns the root of the repository that a directory is in. One of another user does not count.
pub fn repository_root(directory: &Path) -> Option<&Path> {
    let mut found = directory.ancestors().filter_map(|above| Some((above, is_own_repository(above)?)));
    found.next().filter(|(_, own)| *own).map(|(root, _)| root)
}

/// Returns the size of the ignore files that apply to a directory: its own, and those up to the root of the repository.
/// More than the maximum if one of them must not be used.
pub fn ignore_size(directory: &Path) -> u64 {
    let mut size = 0;
    for above in directory.ancestors() {
        size += own_ignore_size(above);
        match is_own_repository(above) {
            Some(true) => break,
            Some(false) => return MAX_IGNORE + 1,
            None => {}
        }
    }
    size
}

pub fn own_ignore_size(directory: &Path) -> u64 {
    match directory.join(".gitignore").metadata() {
        Ok(meta) if meta.is_file() && is_own(&meta) => meta.len(),
        // A pipe or a device may have no end, and another user could hide any file.
        Ok(meta) if !meta.is_dir() => MAX_IGNORE + 1,
        _ => 0,
    }
}

/// Returns the paths in a repository's index, from its root. Empty if it can't be read. Source:
/// <https://git-scm.com/docs/index-format>.
pub fn tracked_files(root: &Path) -> HashSet<String> {
    index_path(root).and_then(|path| read_index(&path)).unwrap_or_default()
}

/// Returns the path of the index. In a worktree, `.git` is a file with the path of the real directory.
fn index_path(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git.join("index"));
    }
    let (text, _) = super::read_text(&git, 4096).ok()?;
    Some(root.join(text.strip_prefix("gitdir:")?.trim()).join("index"))
}

fn read_index(path: &Path) -> Option<HashSet<String>> {
    let (file, meta) = super::open_regular(path).ok()?;
    let bytes = super::read_wiped(file, meta.len(), MAX_INDEX).ok().filter(|_| is_own(&meta))?;
    let number = |at: usize| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
    let (version, count) = (number(4)?, number(8)?);
    if !bytes.starts_with(b"DIRC") || !(2..=4).contains(&version) {
        return None;
    }
    // After the fields of fixed size come flags: an ID of 20 bytes, or of 32.
    [62, 74].into_iter().find_map(|fixed| parse_index(&bytes, version, count, fixed))
}

/// Parses the entries. `None` if they don't have this size.
fn parse_index(bytes: &[u8], version: u32, count: u32, fixed: usize) -> Option<HashSet<String>> {
    let (mut found, mut at, mut last) = (HashSet::new(), 12, Vec::new());
    for _ in 0..count {
        let flags = u16::from_be_bytes(*bytes.get(at + fixed - 2..)?.first_chunk()?);
        let extended = if version > 2 && flags & 0x4000 != 0 { 2 } else { 0 };
        let mut start = at + fixed + extended;
        if version == 4 {
            let (cut, length) = read_offset(bytes.get(start..)?)?;
            last.truncate(last.len().checked_sub(cut)?);
            start += length;
        } else {
            last.clear();
        }
        let length = bytes.get(start..)?.iter().position(|byte| *byte == 0)?;
        last.extend_from_slice(&bytes[start..start + length]);
        let end = start + length;
        at = if version == 4 { end + 1 } else { at + (end - at + 8) / 8 * 8 };
        if last.is_empty() {
            return None;
        }
        found.extend(String::from_utf8(last.clone()));
    }
    Some(found)
}

/// Returns the number at the beginning, in the encoding of offsets in packs, and its length.
fn read_offset(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = usize::from(bytes.first()? & 0x7f);
    let mut length = 1;
    while bytes[length - 1] & 0x80 != 0 {
        value = ((value + 1) << 7) | usize::from(bytes.get(length)? & 0x7f);
        length += 1;
        if length > 5 {
            return None;
        }
    }
    Some((value, length))
}

#[cfg(all(test, unix, any(feature = "cli", feature = "upload")))]
mod tests {
    use super::*;
    use crate::file::Repositories;

    #[test]
    fn knows_what_git_would_commit() {
        let git = |directory: &Path, arguments: &[&str]| {
            let run = std::process::Command::new("git").args(arguments).current_dir(directory).output().unwrap();
            assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
        };
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("repo");
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        git(&root, &["init", "-q"]);
        for (name, text) in [
            (".gitignore", "*.env\n/a/b/\n!kept.env\n"),
            ("a/.gitignore", "!own.env\n"),
            (".git/info/exclude", "x.yaml\n"),
        ] {
            std::fs::write(root.join(name), text).unwrap();
        }
        for name in ["x.env", "kept.env", "a/own.env", "a/b/c.yaml", "x.yaml", "y.yaml", "forced.env"] {
            std::fs::write(root.join(name), "A=1\n").unwrap();
        }
        for version in ["2", "4"] {
            git(&root, &["add", "-f", "forced.env", "y.yaml", "a/own.env"]);
            git(&root, &["update-index", "--index-version", version]);
            let repositories = Repositories::default();
            for (name, committed) in [
                ("x.env", false),
                ("kept.env", true),
                ("a/own.env", true),
                ("a/b/c.yaml", false),
                ("x.yaml", false),
                ("y.yaml", true),
                ("forced.env", true),
            ] {
                assert_eq!(repositories.would_commit(&root.join(name)), Some(committed), "{name} {version}");
            }
            assert_eq!(repositories.would_commit(&root.join("none/x")), None);
            assert_eq!(tracked_files(&root).len(), 3);
        }
        assert_eq!(Repositories::default().would_commit(&directory.path().join("a.env")), None);
        // Another worktree has an index of its own.
        git(&root, &["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a"]);
        git(&root, &["worktree", "add", "-q", "../other"]);
        assert_eq!(tracked_files(&directory.path().join("other")).len(), 3);
        std::fs::write(root.join(".git/index"), "DIRC").unwrap();
        assert!(tracked_files(&root).is_empty());
    }

    #[test]
    fn counts_only_own_repositories() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::create_dir_all(at("a/.git")).unwrap();
        std::fs::create_dir_all(at("a/b")).unwrap();
        std::fs::write(at("a/.gitignore"), "x\n").unwrap();
        assert!(repository_root(&at("a/b")).is_some_and(|root| root == at("a")) && ignore_size(&at("a/b")) == 2);
        // Only root can give a file away.
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(at("a/.gitignore"), Some(12345), None).unwrap();
            assert_eq!(ignore_size(&at("a/b")), MAX_IGNORE + 1);
            std::os::unix::fs::chown(at("a/.gitignore"), Some(0), None).unwrap();
            std::os::unix::fs::chown(at("a/.git"), Some(12345), None).unwrap();
            assert!(repository_root(&at("a/b")).is_none() && ignore_size(&at("a/b")) == MAX_IGNORE + 1);
            std::fs::write(at("a/b/c.yaml"), "").unwrap();
            assert_eq!(Repositories::default().would_commit(&at("a/b/c.yaml")), None);
        }
    }
}
