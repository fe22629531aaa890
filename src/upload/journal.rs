//! The journal records which files were started and what happened to them, so that an interrupted run can be resumed.
//!
//! It has one JSON object per line, is only appended to, and is synced before the recorded step is taken. The last line
//! of a file decides: up to `ticket`, nobody can have seen the file; after `posting`, it may have been posted; the rest
//! are the statuses of a receipt.

mod entry;
mod replay;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

pub use entry::Entry;
pub(super) use entry::Stage;

use super::error::UploadError;
use super::inputs::Shard;
use super::payload::{FileName, Payload};
use super::post::Post;
use crate::code::Code;
use crate::file;
use crate::schema::value::BaseUrl;
use crate::text;
use entry::Writer;
use entry::{Line, LineState, SCHEMA};
use replay::unreadable;
use replay::{LinePosition, Replayed};

/// A journal, locked by this run.
#[derive(Debug)]
pub struct Journal {
    replayed: Replayed,
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
    },
}

impl Journal {
    /// Opens or creates a journal, and locks it until it is dropped.
    ///
    /// # Errors
    ///
    /// Returns code `journal-locked` if another run uses it, or `journal-unreadable` if it is not a journal, a link,
    /// another user's file, or can't be opened. It is not changed in that case.
    pub fn open(path: &Path) -> Result<Self, UploadError> {
        Self::open_shard(path, None)
    }

    /// Opens the journal of one share of the files. A journal belongs to a single share, or to a run without shares.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Journal::open`], and code `journal-shard` if the journal belongs to another share.
    pub fn open_shard(path: &Path, shard: Option<Shard>) -> Result<Self, UploadError> {
        let mut file = replay::open_locked(path)?;
        let (replayed, len) = replay::replay(&mut file, path, shard)?;
        // The file is now known to be a journal, or empty.
        file::make_private(&file);
        let file = Arc::new(file);
        let writer = Writer::start(Arc::clone(&file), len)
            .map_err(|error| unreadable(path, &format!("can't be written: {}", error.kind())))?;
        Ok(Self { replayed, file, shard: shard.map(|shard| shard.to_string()), writer })
    }

    /// Returns the entry of a file, for a service and channels.
    ///
    /// # Errors
    ///
    /// Returns code `journal-input` for a stream, which can't be recognised later.
    pub fn entry(&self, service: &BaseUrl, post: &Post, path: &Path, payload: &Payload) -> Result<Entry, UploadError> {
        let Some(size) = payload.size() else {
            let message = "a journal can't recognise standard input again";
            return Err(
                UploadError::new(Code::JournalInput, message).help("write it to a file first, or leave out --journal")
            );
        };
        let line = Line {
            schema: SCHEMA.to_owned(),
            time: 0,
            key: key(service, post, path, &payload.name),
            file: text::file(path),
            state: LineState::Begun,
            size: Some(size),
            modified: payload.modified().and_then(|modified| u64::try_from(modified).ok()),
            sha256: None,
            file_id: None,
            error: None,
            shard: self.shard.clone(),
        };
        Ok(Entry::new(line, self.writer.sender()))
    }

    /// Returns `true` if an earlier run left the result of any file open.
    pub(super) fn has_open(&self) -> bool {
        self.replayed.has_open()
    }

    /// Returns `true` if an earlier run left the result of this file open, so that the service must be asked.
    pub(super) fn is_open(&self, service: &BaseUrl, post: &Post, path: &Path, name: &FileName) -> bool {
        self.replayed.is_open(&key(service, post, path, name))
    }

    /// Returns the state of a file after earlier runs. A file that was delivered with other content counts as not
    /// delivered.
    ///
    /// # Errors
    ///
    /// Returns an error if the file must be read to decide, and can't be.
    pub async fn prior_state(&self, entry: &Entry, payload: &Payload) -> Result<PriorState, UploadError> {
        let key = &entry.line.key;
        let positions = self.replayed.positions(key);
        if let Some(last) = self.line(key, positions.uncertain)? {
            let changed = !is_same(&last, entry, payload).await?;
            return Ok(PriorState::Uncertain { file_id: last.file_id, changed });
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
    pub(super) fn before(&self, entry: &Entry) -> Result<Entry, UploadError> {
        let key = &entry.line.key;
        let positions = self.replayed.positions(key);
        let line = match self.line(key, positions.uncertain)? {
            None => self.line(key, positions.posting)?,
            line => line,
        };
        Ok(entry.with_line(line.unwrap_or_else(|| entry.line.clone())))
    }

    /// Returns the line of an earlier run.
    fn line(&self, key: &str, place: LinePosition) -> Result<Option<Line>, UploadError> {
        let Some(place) = place else { return Ok(None) };
        let line = replay::read(&self.file, place).ok().filter(|line| line.key == key);
        let changed = || UploadError::new(Code::JournalUnreadable, "the journal was changed while it was used");
        line.map(Some).ok_or_else(changed)
    }
}

/// Returns a digest of the file and its destination.
fn key(service: &BaseUrl, post: &Post, path: &Path, name: &FileName) -> String {
    let absolute = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut key = Sha256::new();
    let mut part = |bytes: &[u8]| {
        key.update((bytes.len() as u64).to_be_bytes());
        key.update(bytes);
    };
    part(absolute.as_os_str().as_encoded_bytes());
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
async fn is_same(line: &Line, entry: &Entry, payload: &Payload) -> Result<bool, UploadError> {
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
