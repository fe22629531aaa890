//! Files that directories and patterns don't include, and shares of the files, for several machines.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Component, Path, PathBuf};

use glob::Pattern;
use sha2::{Digest, Sha256};

use crate::file::FileSet;

/// What to leave out of directories and patterns, besides dotenv files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusions {
    /// Files of the run itself: the configuration, which may have a token, and the journal, which grows.
    pub(crate) own: FileSet,
    /// Files with secrets.
    pub(crate) secret: FileSet,
    /// The share of the files that is not left out, by their paths relative to a directory, which may have several
    /// names.
    pub(crate) shard: Option<(Shard, Vec<PathBuf>)>,
    /// What these patterns match.
    pub(crate) exclude: Vec<Exclude>,
}

impl Exclusions {
    /// Returns `true` if a file is in another share.
    pub(super) fn is_elsewhere(&self, path: &Path) -> bool {
        self.shard.as_ref().is_some_and(|(shard, directory)| !shard.takes(path, directory))
    }

    /// Returns the numbers of the patterns that exclude a path, which was found below a directory.
    pub(super) fn excluding(&self, path: &Path, root: &Path) -> Vec<usize> {
        let matching = self.exclude.iter().enumerate().filter(|(_, exclude)| exclude.matches(path, root));
        matching.map(|(number, _)| number).collect()
    }
}

/// An exclude pattern.
#[derive(Clone)]
pub struct Exclude(Vec<Alternative>);

/// One of the alternatives in braces.
#[derive(Clone)]
struct Alternative {
    pattern: Pattern,
    /// It begins with `/` or `./`: it does not match by name.
    anchored: bool,
}

impl std::fmt::Debug for Exclude {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A word of the command line could be a secret.
        f.write_str("Exclude(..)")
    }
}

impl Exclude {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub fn new(pattern: &str) -> Result<Self, &'static str> {
        alternatives(pattern)?.iter().map(|pattern| Alternative::new(pattern)).collect::<Result<_, _>>().map(Self)
    }

    fn matches(&self, path: &Path, root: &Path) -> bool {
        self.0.iter().any(|alternative| alternative.matches(path, root))
    }
}

impl Alternative {
    fn new(pattern: &str) -> Result<Self, &'static str> {
        if pattern.starts_with('!') {
            return Err("a leading `!` is not supported");
        }
        if !cfg!(windows) && pattern.contains('\\') {
            return Err("a backslash is not supported; put a special character in brackets, as in `[*]`");
        }
        if pattern.split('/').any(|part| part == "..") {
            return Err("`..` is not supported");
        }
        let anchored = pattern.starts_with(['/', '.']) && pattern.trim_start_matches('.').starts_with('/');
        // A trailing slash is optional for a directory.
        let path = pattern.strip_suffix('/').unwrap_or(pattern).trim_start_matches("./");
        if path.is_empty() || path == "." {
            return Err("it names no file");
        }
        Pattern::new(path).map(|pattern| Self { pattern, anchored }).map_err(|error| error.msg)
    }

    fn matches(&self, path: &Path, root: &Path) -> bool {
        let matches = |text: &OsStr| self.pattern.matches(&text.to_string_lossy());
        let below = path.strip_prefix(root).unwrap_or(path);
        let typed: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
        matches(below.as_os_str())
            || matches(typed.as_os_str())
            || self.anchored && matches(Path::new("/").join(below).as_os_str())
            || self.anchored && std::path::absolute(path).is_ok_and(|path| matches(path.as_os_str()))
            || !self.anchored && path.file_name().is_some_and(matches)
    }
}

/// Returns the patterns that a pattern with braces stands for: `{a,b}.csv` is `a.csv` and `b.csv`.
fn alternatives(pattern: &str) -> Result<Vec<String>, &'static str> {
    let (mut depth, mut brackets) = (0_usize, false);
    let (mut open, mut cuts) = (None, Vec::new());
    for (at, byte) in pattern.bytes().enumerate() {
        match byte {
            b'[' => brackets = true,
            b']' => brackets = false,
            _ if brackets => {}
            b'{' => {
                depth += 1;
                open = open.or(Some(at));
            }
            b',' if depth == 1 => cuts.push(at),
            b'}' if depth == 0 => return Err("`}` without `{`"),
            b'}' => depth -= 1,
            _ => {}
        }
        let Some(open) = open.filter(|_| depth == 0) else { continue };
        if cuts.is_empty() {
            return Err("braces need alternatives, as in `{a,b}`");
        }
        cuts.push(at);
        let (before, after) = (&pattern[..open], &pattern[at + 1..]);
        let starts = std::iter::once(open).chain(cuts.iter().copied());
        let each = starts.zip(&cuts).map(|(start, &end)| format!("{before}{}{after}", &pattern[start + 1..end]));
        return each.map(|pattern| alternatives(&pattern)).collect::<Result<Vec<_>, _>>().map(|all| all.concat());
    }
    if depth > 0 { Err("`{` without `}`") } else { Ok(vec![pattern.to_owned()]) }
}

/// Returns `true` for a dotenv file by its name: `.env`, `.env.local`, `prod.env`.
pub(super) fn holds_variables(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.as_encoded_bytes();
        name.starts_with(b".env") || name.ends_with(b".env")
    })
}

/// One of several shares of the files. The share of a file depends only on its path, so machines agree without
/// communicating, and it doesn't change when other files are added or removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// Creates share `number` of `of`, from 1. `None` if the numbers are invalid.
    #[must_use]
    pub const fn new(number: u32, of: u32) -> Option<Self> {
        if 1 <= number && number <= of { Some(Self { number, of }) } else { None }
    }

    /// Parses `K/N`. `None` if it is invalid.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (number, of) = text.split_once('/')?;
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(number) || !digits(of) {
            return None;
        }
        Self::new(number.parse().ok()?, of.parse().ok()?)
    }

    /// Returns `true` if a file is in this share, by its path relative to a directory, which may have several names.
    pub(super) fn takes(self, path: &Path, directory: &[PathBuf]) -> bool {
        let digest = Sha256::digest(name(path, directory).as_bytes());
        let number = digest[..8].iter().fold(0, |number: u64, &byte| number << 8 | u64::from(byte));
        number % u64::from(self.of) == u64::from(self.number - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Returns a path that is the same on every machine: relative to the directory if it is inside, and without `.` and
/// `..`. Links are not resolved, because the target of a mounted volume differs between machines.
fn name(path: &Path, directory: &[PathBuf]) -> String {
    let within = |path: &Path| directory.iter().find_map(|name| path.strip_prefix(name).ok().map(Path::to_owned));
    let path = within(path).unwrap_or_else(|| path.to_owned());
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some_and(|name| name != "..") => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    let plain = within(&plain).unwrap_or(plain);
    // Use the same separator on every system.
    plain.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_numbers() {
        assert_eq!(Shard::parse("2/3").map(|shard| shard.to_string()).as_deref(), Some("2/3"));
        assert_eq!((Shard::parse("1/1"), Shard::parse("03/4")), (Shard::new(1, 1), Shard::new(3, 4)));
        for wrong in ["0/3", "4/3", "1", "1/", "/1", "1/0", "a/b", "1/2/3", "-1/2", "+1/2", "1/99999999999", " 1/2"] {
            assert_eq!(Shard::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_relative_path_decides() {
        let here = &[PathBuf::from("/srv/here"), PathBuf::from("/link/to")];
        for (path, same) in [
            ("a/b.csv", "a/b.csv"),
            ("./a/./b.csv", "a/b.csv"),
            ("x/../a/b.csv", "a/b.csv"),
            ("/srv/here/a/b.csv", "a/b.csv"),
            ("/link/to/a/b.csv", "a/b.csv"),
            ("/link/x/../to/a/b.csv", "a/b.csv"),
            ("/srv/here/x/../a//b.csv", "a/b.csv"),
            ("/srv/x/../here/a/b.csv", "a/b.csv"),
            ("../a/../b.csv", "../b.csv"),
            ("../../b.csv", "../../b.csv"),
        ] {
            assert_eq!(name(Path::new(path), here), same, "{path}");
        }
        assert_ne!(name(Path::new("/other/b.csv"), here), name(Path::new("b.csv"), here));
    }

    /// Machines with different versions must agree, so these values never change.
    #[test]
    fn a_file_stays_in_its_share() {
        let share =
            |path: &str| (1..=5).find(|&k| Shard::new(k, 5).unwrap().takes(path.as_ref(), &["/".into()])).unwrap();
        assert_eq!(["a.csv", "b.csv", "many/000.csv", "2026/11/20.log"].map(share), [5, 1, 1, 4]);
    }

    #[test]
    fn every_file_is_in_one_of_equal_shares() {
        let shares: Vec<Shard> = (1..=8).filter_map(|number| Shard::new(number, 8)).collect();
        let mut sizes = [0; 8];
        for number in 0..4000 {
            let path = PathBuf::from(format!("reports/{number}.csv"));
            let taken: Vec<usize> = (0..8).filter(|&index| shares[index].takes(&path, &["/work".into()])).collect();
            assert_eq!(taken.len(), 1, "{number}");
            sizes[taken[0]] += 1;
        }
        assert!(sizes.iter().all(|size| (400..600).contains(size)), "{sizes:?}");
    }
}
