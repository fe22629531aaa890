//! Opens and locks a journal, and reads the lines of earlier runs. Only their positions are kept, which takes a hundred megabytes for a million files;
//! a line is read again when it is needed.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::num::NonZeroU64;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::entry::{FAMILY, Line, SCHEMA};
use crate::code::Code;
use crate::file::{self, OffsetReader, OwnError};
use crate::text;
use crate::upload::error::UploadError;
use crate::upload::inputs::Shard;

/// The maximum length of a line. The longest path of any system, with every byte escaped, is far shorter.
const LONGEST: u64 = 1024 * 1024;
/// The size of the read buffer.
const BUFFER: usize = 256 * 1024;

/// The positions of a journal's relevant lines.
#[derive(Debug, Default)]
pub struct Replayed {
    files: HashMap<Key, LinePositions>,
    /// The number of files that may have been posted.
    open: usize,
}

/// Half of a digest of a line's key, which is long enough to be unique.
type Key = [u8; 16];

/// The positions of the lines that decide about a file.
#[derive(Clone, Copy, Default, Debug)]
pub struct LinePositions {
    /// The last line, if the file may have been posted.
    pub uncertain: LinePosition,
    /// The last line that says that it was delivered, whatever follows.
    pub delivered: LinePosition,
    /// The last step that may have posted it, with an ID to look it up, unless it was delivered afterwards.
    pub posting: LinePosition,
}

/// The offset of a line plus one, so that none takes no more room.
pub type LinePosition = Option<NonZeroU64>;

impl LinePositions {
    fn is_open(self) -> bool {
        self.uncertain.is_some() || self.posting.is_some()
    }
}

impl Replayed {
    /// Returns `true` if any file may have been posted.
    pub const fn has_open(&self) -> bool {
        self.open > 0
    }

    /// Returns `true` if this file may have been posted.
    pub fn is_open(&self, key: &str) -> bool {
        self.positions(key).is_open()
    }

    /// Returns the positions of the lines that decide about a file.
    pub fn positions(&self, key: &str) -> LinePositions {
        self.files.get(&short(key)).copied().unwrap_or_default()
    }

    fn add(&mut self, line: &Line, offset: u64) {
        let marks = self.files.entry(short(&line.key)).or_default();
        let (was_open, place) = (marks.is_open(), NonZeroU64::new(offset + 1));
        marks.uncertain = if line.state.is_uncertain() { place } else { None };
        if line.state.is_delivered() {
            (marks.delivered, marks.posting) = (place, None);
        } else if line.state.is_uncertain() && line.file_id.is_some() {
            marks.posting = place;
        }
        match (was_open, marks.is_open()) {
            (false, true) => self.open += 1,
            (true, false) => self.open -= 1,
            _ => {}
        }
    }
}

/// Shortens a line's key, which may be any text in a journal that was edited.
fn short(key: &str) -> Key {
    let mut short = Key::default();
    short.copy_from_slice(&Sha256::digest(key)[..16]);
    short
}

/// Reads a journal, and truncates an incomplete last line. Also returns the remaining length.
pub fn replay(file: &mut File, path: &Path, shard: Option<Shard>) -> Result<(Replayed, u64), UploadError> {
    let broken = |error: io::Error| unreadable(path, &format!("can't be read: {}", error.kind()));
    file.seek(SeekFrom::Start(0)).map_err(broken)?;
    let shard = shard.map(|shard| shard.to_string());
    let mut reader = BufReader::with_capacity(BUFFER, &*file);
    let (mut replayed, mut whole, mut number, mut text) = (Replayed::default(), 0, 0, Vec::new());
    loop {
        text.clear();
        reader.by_ref().take(LONGEST).read_until(b'\n', &mut text).map_err(broken)?;
        if text.last() != Some(&b'\n') && (text.len() as u64) < LONGEST {
            break;
        }
        match serde_json::from_slice(&text).ok().filter(|line: &Line| line.schema == SCHEMA) {
            Some(line) if line.shard == shard => replayed.add(&line, whole),
            Some(line) => return Err(other_shard_error(path, line.shard.as_deref(), shard.as_deref())),
            None => return Err(invalid(number, &text, path)),
        }
        (number, whole) = (number + 1, whole + text.len() as u64);
    }
    // An incomplete line was being written when the run was interrupted, so its step was not taken.
    if whole == 0 && !b"{\"schema\":\"credlint/journal/".starts_with(&text[..text.len().min(28)]) {
        return Err(not_a_journal(path, "is not a credlint journal: line 1 is invalid"));
    }
    if !text.is_empty() {
        file.set_len(whole).map_err(broken)?;
    }
    file.sync_all().map_err(broken)?;
    #[cfg(unix)]
    if let Some(directory) = path.parent() {
        // Make the name of a new file durable.
        let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        File::open(directory).and_then(|directory| directory.sync_all()).map_err(broken)?;
    }
    Ok((replayed, whole))
}

/// Reads a line again.
pub fn read(file: &File, place: NonZeroU64) -> io::Result<Line> {
    let mut reader = BufReader::with_capacity(1024, OffsetReader::new(file, place.get() - 1)).take(LONGEST);
    let mut text = Vec::new();
    reader.read_until(b'\n', &mut text)?;
    serde_json::from_slice(&text).map_err(io::Error::from)
}

/// Returns the error for a journal of another share, which knows nothing about this share's files.
fn other_shard_error(path: &Path, theirs: Option<&str>, ours: Option<&str>) -> UploadError {
    let of = |shard: Option<&str>| shard.map_or("no --shard".to_owned(), |shard| format!("--shard {shard}"));
    let path = text::file_or_path(path);
    let message = format!("the journal {path} belongs to a run with {}, but this run has {}", of(theirs), of(ours));
    UploadError::new(Code::JournalShard, message)
        .help("use a separate journal for each share, and the same one in every run")
}

/// Returns the error for an invalid line. Skipping it, or using another journal, could send delivered files again.
fn invalid(index: usize, line: &[u8], path: &Path) -> UploadError {
    let number = index + 1;
    let schema =
        serde_json::from_slice::<Value>(line).ok().and_then(|line| Some(line.get("schema")?.as_str()?.to_owned()));
    let newer = "use the version of credlint that wrote it";
    match schema.as_deref() {
        Some(SCHEMA) => {
            let why = format!("can't be used: line {number} has an unknown field or word");
            unreadable(path, &why).help(newer)
        }
        Some(schema) if schema.starts_with(FAMILY) => {
            unreadable(path, &format!("can't be used: line {number} was written by another version")).help(newer)
        }
        _ if index == 0 => not_a_journal(path, "is not a credlint journal: line 1 is invalid"),
        _ => unreadable(path, &format!("can't be used: line {number} is invalid"))
            .help("restore that line; without it, a delivered file may be sent again"),
    }
}

/// Returns an error about the journal.
pub fn unreadable(path: &Path, why: &str) -> UploadError {
    UploadError::new(Code::JournalUnreadable, format!("the journal {} {why}", text::file_or_path(path)))
}

/// Returns an error that suggests another file.
pub fn not_a_journal(path: &Path, why: &str) -> UploadError {
    unreadable(path, why).help("choose another file with --journal")
}

/// Opens or creates a journal, and locks it until it is closed. Its content is not changed.
pub fn open_locked(path: &Path) -> Result<File, UploadError> {
    let file = file::open_own(path).map_err(|error| {
        let refused = not_a_journal(path, &error.to_string());
        match error {
            OwnError::NotRegular("a symbolic link") => refused.help("pass the file itself with --journal"),
            OwnError::NoDirectory | OwnError::Io(_) => {
                refused.help("choose a writable file in an existing directory with --journal")
            }
            _ => refused,
        }
    })?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let message = format!("another run is using the journal {}", text::file_or_path(path));
            return Err(UploadError::new(Code::JournalLocked, message).help("wait for it to finish"));
        }
        Err(TryLockError::Error(error)) => {
            return Err(not_a_journal(path, &format!("can't be locked: {}", error.kind())));
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(key: &str, state: &str, id: &str) -> String {
        let id = if id.is_empty() { "null".to_owned() } else { format!("\"{id}\"") };
        format!(
            "{{\"schema\":\"{SCHEMA}\",\"time\":1,\"key\":\"{key}\",\"file\":\"f\",\"state\":\"{state}\",\"size\":1,\
             \"modified\":1,\"sha256\":null,\"file_id\":{id},\"error\":null}}\n"
        )
    }

    fn replayed(text: &str) -> (tempfile::TempDir, File, Result<(Replayed, u64), UploadError>) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        std::fs::write(&path, text).unwrap();
        let mut file = File::options().read(true).write(true).open(&path).unwrap();
        let replayed = replay(&mut file, &path, None);
        (dir, file, replayed)
    }

    #[test]
    fn the_relevant_lines_are_found_again() {
        let [a, b, c] = ["a", "b", "c"].map(|digit| digit.repeat(64));
        let text: String = [
            (&a, "posting", "F1"),
            (&b, "posting", ""),
            (&a, "delivered", "F2"),
            (&c, "delivered", "F3"),
            (&c, "posting", "F4"),
            (&c, "failed", "F4"),
            (&b, "uncertain", ""),
        ]
        .iter()
        .map(|(key, state, id)| line(key, state, id))
        .collect();
        let (_dir, file, result) = replayed(&format!("{text}{{\"schema"));
        let (replayed, len) = result.unwrap();
        assert_eq!((len, file.metadata().unwrap().len()), (text.len() as u64, len), "what has no end is cut off");
        let id = |place: LinePosition| place.map(|place| read(&file, place).unwrap().file_id.unwrap_or_default());
        let of = |key: &str| {
            let LinePositions { uncertain, delivered, posting } = replayed.positions(key);
            [uncertain, delivered, posting].map(id)
        };
        let some = |id: &str| Some(id.to_owned());
        assert_eq!(of(&a), [None, some("F2"), None]);
        assert_eq!(of(&b), [some(""), None, None]);
        assert_eq!(of(&c), [None, some("F3"), some("F4")]);
        assert_eq!([&a, &b, &c].map(|key| replayed.is_open(key)), [false, true, true]);
        assert!(replayed.has_open() && of("none") == [None, None, None]);
        assert!(!self::replayed(&line(&a, "delivered", "F")).2.unwrap().0.has_open());
    }

    #[test]
    fn an_endless_line_is_not_read_completely() {
        let long = line(&"a".repeat(64), "delivered", &"F".repeat(2 * 1024 * 1024));
        for text in [long.clone(), line("b", "failed", "") + &long, line("b", "failed", "") + long.trim_end()] {
            let (_dir, file, result) = replayed(&text);
            assert_eq!(result.unwrap_err().code, Code::JournalUnreadable);
            assert_eq!(file.metadata().unwrap().len(), text.len() as u64);
        }
    }

    #[test]
    fn every_key_has_its_own_positions() {
        let keys = ["", "a", "ab", &"a".repeat(64), &"b".repeat(64), &"A".repeat(63), &"+1".repeat(32)];
        let short: std::collections::HashSet<Key> = keys.map(short).into_iter().collect();
        assert_eq!(short.len(), keys.len());
    }
}
