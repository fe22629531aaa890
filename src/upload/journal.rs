//! The journal records which files were started and what happened to them, so that an interrupted run can be resumed.
//!
//! It has one JSON object per line, is only appended to, and is synced before the recorded step is taken. The last line
//! of a file decides: up to `ticket`, nobody can have seen the file; after `posting`, it may have been posted; the rest
//! are the statuses of a receipt.
//!
//! Of the lines of earlier runs, only the positions are kept, which takes a hundred megabytes for a million files; a line is
//! read again when it is needed.

mod entry;

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use entry::{FAMILY, JournalLine, SCHEMA, Writer};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::inputs::{Shard, names_of_current_directory};
use super::payload::Payload;
use super::post::{FileName, Post};
use crate::code::Code;
use crate::file::{self, OffsetReader, OwnError};
use crate::schema::value::BaseUrl;
use crate::source::Problem;
use crate::text;
pub use entry::Entry;
pub(super) use entry::LineState;

/// A journal, locked by this run.
#[derive(Debug)]
pub struct Journal {
    replayed: Replayed,
    /// The names of the directory that paths are recorded from.
    directory: Vec<PathBuf>,
    file: Arc<File>,
    shard: Option<String>,
    writer: Writer,
}

/// The state of a file after earlier runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PriorState {
    /// Nobody can have seen it: send it.
    None,
    /// It was delivered.
    Delivered {
        /// The ID that the service assigned.
        file_id: Option<String>,
    },
    /// Posting was about to start, and failed: look it up by its ID, and send it if it isn't there.
    Posting {
        /// The ID that the service assigned.
        file_id: String,
        /// True if the file's content has changed since.
        changed: bool,
    },
    /// It may have been posted.
    Uncertain {
        /// The ID that the service assigned, to look it up.
        file_id: Option<String>,
        /// True if the file's content has changed since.
        changed: bool,
        /// True if it was sent as another snippet, or with another alternative text.
        differs: bool,
    },
}

impl Journal {
    /// Opens or creates a journal, and locks it until it is dropped.
    ///
    /// # Errors
    ///
    /// Returns code `journal-locked` if another run uses it, or `journal-unreadable` if it is not a journal, a link,
    /// another user's file, or can't be opened. It is not changed in that case.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        Self::open_shard(path, None)
    }

    /// Opens the journal of one share of the files. A journal belongs to a single share, or to a run without shares.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Journal::open`], and code `journal-shard` if the journal belongs to another share.
    pub fn open_shard(path: &Path, shard: Option<Shard>) -> Result<Self, Problem> {
        let mut file = open_locked(path)?;
        let (replayed, len) = replay(&mut file, path, shard)?;
        // The file is now known to be a journal, or empty.
        file::make_private(&file);
        let file = Arc::new(file);
        let writer = Writer::start(Arc::clone(&file), len).map_err(|error| {
            Problem::new(Code::NoResources, format!("no thread could be started: {}", error.kind()))
        })?;
        Ok(Self { replayed, directory: directory(), file, shard: shard.map(|shard| shard.to_string()), writer })
    }

    /// Returns the entry of a file, for a service and channels.
    ///
    /// # Errors
    ///
    /// Returns code `journal-input` for a stream, which can't be recognised later.
    pub fn entry(&self, service: &BaseUrl, post: &Post, path: &Path, payload: &Payload) -> Result<Entry, Problem> {
        let Some(size) = payload.size() else {
            let message = "a journal can't recognise standard input again";
            return Err(
                Problem::new(Code::JournalInput, message).help("write it to a file first, or leave out --journal")
            );
        };
        let line = JournalLine {
            schema: SCHEMA.to_owned(),
            time: 0,
            key: self.key(service, post, path, &payload.name),
            file: text::file(path),
            state: LineState::Begun,
            size: Some(size),
            modified: payload.modified().and_then(|modified| u64::try_from(modified).ok()),
            sha256: None,
            file_id: None,
            error: None,
            shard: self.shard.clone(),
            sent_as: post.ticket_digest(),
        };
        Ok(Entry::new(line, &self.writer))
    }

    /// Returns `true` if an earlier run left the result of any file open.
    pub(super) fn has_open(&self) -> bool {
        self.replayed.has_open()
    }

    /// Returns `true` if an earlier run left the result of this file open, so that the service must be asked.
    pub(super) fn is_open(&self, service: &BaseUrl, post: &Post, path: &Path, name: &FileName) -> bool {
        self.replayed.positions(&self.key(service, post, path, name)).is_open()
    }

    /// Returns the key of a file and its destination. Earlier versions recorded the absolute path: a file that has such a
    /// key keeps it.
    fn key(&self, service: &BaseUrl, post: &Post, path: &Path, name: &FileName) -> String {
        let absolute = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let key = |place: &[u8]| key(service, post, place, name);
        let portable = key(&place(path, &absolute, &self.directory));
        let earlier = key(absolute.as_os_str().as_encoded_bytes());
        if !self.replayed.has(&portable) && self.replayed.has(&earlier) { earlier } else { portable }
    }

    /// Returns the state of a file after earlier runs. A file that was delivered with other content counts as not
    /// delivered.
    ///
    /// # Errors
    ///
    /// Returns an error if the file must be read to decide, and can't be.
    pub async fn prior_state(&self, entry: &Entry, payload: &Payload) -> Result<PriorState, Problem> {
        let key = &entry.line.key;
        let positions = self.replayed.positions(key);
        if let Some(last) = self.line(key, positions.uncertain)? {
            let changed = !is_same(&last, entry, payload).await?;
            let differs = last.sent_as != entry.line.sent_as;
            return Ok(PriorState::Uncertain { file_id: last.file_id, changed, differs });
        }
        match self.line(key, positions.delivered)? {
            Some(line) if is_same(&line, entry, payload).await? => {
                return Ok(PriorState::Delivered { file_id: line.file_id });
            }
            _ => {}
        }
        let Some(line) = self.line(key, positions.posting)? else { return Ok(PriorState::None) };
        let changed = !is_same(&line, entry, payload).await?;
        Ok(line.file_id.map_or(PriorState::None, |file_id| PriorState::Posting { file_id, changed }))
    }

    /// Returns the entry that an earlier run may have posted, to record its delivery.
    ///
    /// # Errors
    ///
    /// Returns code `journal-unreadable`.
    pub(super) fn earlier_entry(&self, entry: &Entry) -> Result<Entry, Problem> {
        let key = &entry.line.key;
        let positions = self.replayed.positions(key);
        let line = match self.line(key, positions.uncertain)? {
            None => self.line(key, positions.posting)?,
            line => line,
        };
        Ok(entry.with_line(line.unwrap_or_else(|| entry.line.clone())))
    }

    /// Returns the line of an earlier run.
    fn line(&self, key: &str, place: LinePosition) -> Result<Option<JournalLine>, Problem> {
        let Some(place) = place else { return Ok(None) };
        let line = read(&self.file, place).ok().filter(|line| line.key == key);
        let changed = || Problem::new(Code::JournalUnreadable, "the journal was changed while it was used");
        line.map(Some).ok_or_else(changed)
    }
}

/// Returns the names of the repository of the working directory, or of the working directory if it is in none. Wherever
/// it is checked out, the paths below it are the same.
fn directory() -> Vec<PathBuf> {
    let is_root = |directory: &&Path| directory.join(".git").exists();
    let mut names = names_of_current_directory();
    for name in &mut names {
        if let Some(root) = name.ancestors().find(is_root) {
            *name = root.to_owned();
        }
    }
    let real: Vec<PathBuf> = names.iter().filter_map(|name| name.canonicalize().ok()).collect();
    names.extend(real);
    names
}

/// Returns what stands for a path in a key: its names below a directory, also if it leads through a link there; elsewhere,
/// the absolute path.
fn place(path: &Path, absolute: &Path, directory: &[PathBuf]) -> Vec<u8> {
    let typed = std::env::current_dir().map_or_else(|_| path.to_owned(), |here| file::normalize(&here.join(path)));
    let below = |path: &Path| directory.iter().find_map(|name| path.strip_prefix(name).ok().map(Path::to_owned));
    match below(absolute).or_else(|| below(&typed)) {
        // The separator is the same on every system.
        Some(below) => {
            below.components().map(|part| part.as_os_str().as_encoded_bytes()).collect::<Vec<_>>().join(&b'/')
        }
        None => absolute.as_os_str().as_encoded_bytes().to_vec(),
    }
}

/// Returns a digest of the file and its destination.
fn key(service: &BaseUrl, post: &Post, place: &[u8], name: &FileName) -> String {
    let mut key = Sha256::new();
    let mut part = |bytes: &[u8]| {
        key.update((bytes.len() as u64).to_be_bytes());
        key.update(bytes);
    };
    part(place);
    part(name.as_str().as_bytes());
    part(service.join("").as_str().as_bytes());
    part(post.thread.as_ref().map_or("", |thread| thread.as_str()).as_bytes());
    let mut channels: Vec<&str> = post.channels.iter().map(|channel| channel.as_str()).collect();
    channels.sort_unstable();
    for channel in channels {
        part(channel.as_bytes());
    }
    text::hex(&key.finalize())
}

/// Returns `true` if a line is about the file's current content.
async fn is_same(line: &JournalLine, entry: &Entry, payload: &Payload) -> Result<bool, Problem> {
    let now = &entry.line;
    if line.size != now.size {
        return Ok(false);
    }
    match &line.sha256 {
        // Build systems give every file the same time, so an equal one proves nothing.
        Some(sha256) => Ok(payload.checksum().await?.as_ref() == Some(sha256)),
        None => Ok(line.modified == now.modified),
    }
}

/// The maximum length of a line. The longest path of any system, with every byte escaped, is far shorter.
const LONGEST: u64 = 1024 * 1024;
/// The size of the read buffer.
const BUFFER: usize = 256 * 1024;

/// The positions of a journal's relevant lines, by file.
#[derive(Debug, Default)]
struct Replayed(HashMap<FileKey, LinePositions>);

/// The first half of the digest of a line's key, which is long enough to be unique.
type FileKey = [u8; 16];

/// The positions of the lines that decide about a file.
#[derive(Clone, Copy, Default, Debug)]
struct LinePositions {
    /// The last line, if the file may have been posted.
    uncertain: LinePosition,
    /// The last line that says that it was delivered, whatever follows.
    delivered: LinePosition,
    /// The last step that may have posted it, with an ID to look it up, unless it was delivered afterwards.
    posting: LinePosition,
}

/// The offset of a line plus one, so that `None` needs no extra space.
type LinePosition = Option<NonZeroU64>;

impl LinePositions {
    fn is_open(self) -> bool {
        self.uncertain.is_some() || self.posting.is_some()
    }
}

impl Replayed {
    /// Returns `true` if there is a line with this key.
    fn has(&self, key: &str) -> bool {
        self.0.contains_key(&hash_key(key))
    }

    /// Returns the positions of the lines that decide about a file.
    fn positions(&self, key: &str) -> LinePositions {
        self.0.get(&hash_key(key)).copied().unwrap_or_default()
    }

    fn has_open(&self) -> bool {
        self.0.values().any(|positions| positions.is_open())
    }

    fn add(&mut self, line: &JournalLine, offset: u64) {
        let marks = self.0.entry(hash_key(&line.key)).or_default();
        let place = NonZeroU64::new(offset + 1);
        marks.uncertain = if line.state.is_uncertain() { place } else { None };
        if line.state.is_delivered() {
            (marks.delivered, marks.posting) = (place, None);
        } else if line.state.is_uncertain() && line.file_id.is_some() {
            marks.posting = place;
        }
    }
}

/// Shortens a line's key, which may be any text in a journal that was edited.
fn hash_key(key: &str) -> FileKey {
    let mut short = FileKey::default();
    short.copy_from_slice(&Sha256::digest(key)[..16]);
    short
}

/// Reads a journal, and truncates an incomplete last line. Also returns the remaining length.
fn replay(file: &mut File, path: &Path, shard: Option<Shard>) -> Result<(Replayed, u64), Problem> {
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
        match serde_json::from_slice(&text).ok().filter(|line: &JournalLine| line.schema == SCHEMA) {
            Some(line) if line.shard == shard => replayed.add(&line, whole),
            Some(line) => return Err(other_shard_error(path, line.shard.as_deref(), shard.as_deref())),
            None => return Err(invalid_line(number, &text, path)),
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
        // Make the name of a new file durable, where the file system can do that and the directory can be read.
        let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        let _ = File::open(directory).and_then(|directory| directory.sync_all());
    }
    Ok((replayed, whole))
}

/// Reads a line again.
fn read(file: &File, place: NonZeroU64) -> io::Result<JournalLine> {
    let mut reader = BufReader::with_capacity(1024, OffsetReader::new(file, place.get() - 1)).take(LONGEST);
    let mut text = Vec::new();
    reader.read_until(b'\n', &mut text)?;
    serde_json::from_slice(&text).map_err(io::Error::from)
}

/// Returns the error for a journal of another share, which has no lines about this share's files.
fn other_shard_error(path: &Path, theirs: Option<&str>, ours: Option<&str>) -> Problem {
    let of = |shard: Option<&str>| shard.map_or("no --shard".to_owned(), |shard| format!("--shard {shard}"));
    let path = text::file_or_path(path);
    let message = format!("the journal {path} belongs to a run with {}, but this run has {}", of(theirs), of(ours));
    Problem::new(Code::JournalShard, message)
        .help("use a separate journal for each share, and the same one in every run")
}

/// Returns the error for an invalid line. Skipping it, or using another journal, could send delivered files again.
fn invalid_line(index: usize, line: &[u8], path: &Path) -> Problem {
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
fn unreadable(path: &Path, why: &str) -> Problem {
    Problem::new(Code::JournalUnreadable, format!("the journal {} {why}", text::file_or_path(path)))
}

/// Returns an error that suggests another file.
fn not_a_journal(path: &Path, why: &str) -> Problem {
    unreadable(path, why).help("choose another file with --journal")
}

/// Opens or creates a journal, and locks it until it is closed. Its content is not changed.
fn open_locked(path: &Path) -> Result<File, Problem> {
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
            return Err(Problem::new(Code::JournalLocked, message).help("wait for it to finish"));
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

    fn replayed(text: &str) -> (tempfile::TempDir, File, Result<(Replayed, u64), Problem>) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        std::fs::write(&path, text).unwrap();
        let mut file = File::options().read(true).write(true).open(&path).unwrap();
        let replayed = replay(&mut file, &path, None);
        (dir, file, replayed)
    }

    #[test]
    fn finds_relevant_lines_again() {
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
        assert_eq!([&a, &b, &c].map(|key| replayed.positions(key).is_open()), [false, true, true]);
        assert!(replayed.has_open() && of("none") == [None, None, None]);
        assert!(!self::replayed(&line(&a, "delivered", "F")).2.unwrap().0.has_open());
    }

    #[test]
    fn stops_reading_endless_line() {
        let long = line(&"a".repeat(64), "delivered", &"F".repeat(2 * 1024 * 1024));
        for text in [long.clone(), line("b", "failed", "") + &long, line("b", "failed", "") + long.trim_end()] {
            let (_dir, file, result) = replayed(&text);
            assert_eq!(result.unwrap_err().code, Code::JournalUnreadable);
            assert_eq!(file.metadata().unwrap().len(), text.len() as u64);
        }
    }

    #[test]
    fn keys_have_separate_positions() {
        let keys = ["", "a", "ab", &"a".repeat(64), &"b".repeat(64), &"A".repeat(63), &"+1".repeat(32)];
        let short: std::collections::HashSet<FileKey> = keys.map(hash_key).into_iter().collect();
        assert_eq!(short.len(), keys.len());
    }
}
