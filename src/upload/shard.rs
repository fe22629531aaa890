//! Shares of the files, for several machines.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};

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
