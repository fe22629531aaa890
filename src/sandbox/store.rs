//! Stores received files: under names of our own, only complete ones, and never outside the directory; and records what
//! was posted, for tests that check whether anything was posted twice.

use std::collections::VecDeque;
use std::fs::{DirBuilder, File};
use std::io;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::file;
use crate::shorthand::lock;
use crate::text;

/// The prefix of every line of a ledger.
const LINE: &[u8] = br#"{"ts":""#;

/// Returns the error of a directory or file that can't be used, with a remedy.
fn unusable_path(what: &str, path: &Path, why: &dyn std::fmt::Display, remedy: &str) -> io::Error {
    io::Error::other(format!("the {what} {} {why}: {remedy}", text::path(path)))
}

pub(super) fn prepare(directory: &Path) -> io::Result<()> {
    let remedy = "choose a writable directory with --store";
    if file::is_linked(directory) {
        return Err(unusable_path("store", directory, &"is behind a symbolic link in the repository", remedy));
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(directory).map_err(|error| match directory.symlink_metadata() {
        Ok(_) if !directory.is_dir() => unusable_path("store", directory, &"is not a directory", remedy),
        _ => unusable_path("store", directory, &format_args!("can't be created ({})", error.kind()), remedy),
    })
}

/// Opens the file of a ledger to append lines: a new or empty file, or one that contains a ledger. Any other file is
/// left as it is.
fn open_ledger(path: &Path) -> io::Result<File> {
    let remedy = "choose a new file with --ledger, or one that the sandbox wrote";
    let mut file = file::open_own(path).map_err(|error| unusable_path("ledger", path, &error, remedy))?;
    let mut begin = Vec::new();
    (&file)
        .take(LINE.len() as u64)
        .read_to_end(&mut begin)
        .map_err(|error| unusable_path("ledger", path, &format_args!("can't be read ({})", error.kind()), remedy))?;
    if !begin.is_empty() && begin != LINE {
        return Err(unusable_path("ledger", path, &"holds something else", remedy));
    }
    file::make_private(&file);
    file::seek_to_end(&mut file).map_err(|error| unusable_path("ledger", path, &error.kind(), remedy))?;
    Ok(file)
}

/// A file that is being received. If it is dropped before [`Received::store`], it is removed.
pub(super) struct Incoming {
    /// `None` if the bytes are counted and discarded.
    file: Option<(File, StoredFile)>,
    hash: Sha256,
    pub(super) size: u64,
}

/// A file that was received completely.
#[derive(Debug)]
pub(super) struct Received {
    part: Option<StoredFile>,
    pub(super) size: u64,
    pub(super) sha256: String,
}

#[derive(Debug)]
struct StoredFile {
    path: PathBuf,
    kept: bool,
}

impl Drop for StoredFile {
    fn drop(&mut self) {
        if !self.kept {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Incoming {
    /// Creates a temporary file. No two files may have the same `name`.
    pub(super) fn new(store: Option<&Path>, name: &str) -> io::Result<Self> {
        let file = match store {
            None => None,
            Some(store) => {
                let path = store.join(format!(".{name}.part"));
                let file = file::create_private(&path)?;
                Some((file, StoredFile { path, kept: false }))
            }
        };
        Ok(Self { file, hash: Sha256::new(), size: 0 })
    }

    /// Writes synchronously: a rehearsal does not have to wait for the disk of a developer's machine.
    pub(super) fn write(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.size += chunk.len() as u64;
        self.hash.update(chunk);
        self.file.as_mut().map_or(Ok(()), |(file, _)| file.write_all(chunk))
    }

    /// Closes the file, because thousands may wait for their completion.
    pub(super) fn finish(self) -> Received {
        let sha256 = text::hex(&self.hash.finalize());
        Received { part: self.file.map(|(_, part)| part), size: self.size, sha256 }
    }
}

impl Received {
    /// Gives the file its final name. It begins with the ID, which is unique and never begins with a dot.
    pub(super) fn store(&mut self, id: &str, name: &str) -> io::Result<()> {
        let Some(part) = &mut self.part else { return Ok(()) };
        std::fs::rename(&part.path, part.path.with_file_name(format!("{id}-{}", sanitize(name))))?;
        part.kept = true;
        Ok(())
    }
}

/// Returns the last component of a name, without characters that are special to a shell or a file system.
fn sanitize(name: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    base.chars().take(100).map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

/// The number of files and messages that are kept.
pub(super) const CAPACITY: usize = 100_000;

/// A message with its files.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Message {
    /// When it was posted, as `seconds.microseconds`. Unique among the messages.
    pub ts: String,
    /// The channels that it was posted in; empty if the files stay private.
    pub channels: Vec<String>,
    /// The message that it replies to.
    pub thread_ts: Option<String>,
    /// The number of characters in the comment; the text itself is not kept.
    pub comment_length: usize,
    /// The number of blocks in place of a comment; they are not kept either.
    pub blocks: usize,
    /// The files.
    pub files: Vec<Posted>,
}

/// A file of a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Posted {
    /// The ID that the service assigned.
    pub id: String,
    /// The name that the client sent.
    pub name: String,
    /// The title, if it has one.
    pub title: Option<String>,
    /// The type of the snippet, if the client sent one.
    pub snippet_type: Option<String>,
    /// The number of characters in its description; the text itself is not kept.
    pub alt_text_length: usize,
    /// Its length in bytes.
    pub size: u64,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// The latest 100,000 messages. Clones of this handle share them, including those that are posted later.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Mutex<LedgerState>>);

#[derive(Debug, Default)]
struct LedgerState {
    messages: VecDeque<Message>,
    file: Option<File>,
}

impl Ledger {
    /// Creates a ledger. With a file, each message is appended to it as well, as one JSON object on one line.
    pub(super) fn open(file: Option<&Path>) -> io::Result<Self> {
        let file = file.map(open_ledger).transpose()?;
        Ok(Self(Arc::new(Mutex::new(LedgerState { messages: VecDeque::new(), file }))))
    }

    /// Returns the messages in the order in which they were posted.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        lock(&self.0).messages.iter().cloned().collect()
    }

    pub(super) fn post(&self, message: Message) -> io::Result<()> {
        let mut state = lock(&self.0);
        let written = match &mut state.file {
            None => Ok(()),
            // One write for each line, so that a concurrent reader sees only complete lines.
            Some(file) => file.write_all(format!("{}\n", serde_json::to_string(&message)?).as_bytes()),
        };
        if state.messages.len() == CAPACITY {
            state.messages.pop_front();
        }
        state.messages.push_back(message);
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_directory() {
        for (name, expected) in [
            ("report.csv", "report.csv"),
            ("../../etc/passwd", "passwd"),
            ("..\\..\\evil", "evil"),
            ("..", ".."),
            ("a b\n\u{1b}é", "a_b___"),
            ("/", ""),
        ] {
            assert_eq!(sanitize(name), expected, "{name:?}");
        }
        assert_eq!(sanitize(&"x".repeat(300)).len(), 100);
    }

    #[test]
    fn removes_files_that_are_not_kept() {
        let dir = tempfile::tempdir().unwrap();
        let names = || {
            let entries = std::fs::read_dir(dir.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
        };
        let mut incoming = Incoming::new(Some(dir.path()), "F1").unwrap();
        incoming.write(b"abc").unwrap();
        assert_eq!(names(), [".F1.part"]);
        drop(incoming);
        assert!(names().is_empty());
        let mut incoming = Incoming::new(Some(dir.path()), "F2").unwrap();
        incoming.write(b"abc").unwrap();
        let mut received = incoming.finish();
        received.store("F2", "..").unwrap();
        drop(received);
        assert_eq!(names(), ["F2-.."]);
    }
}
