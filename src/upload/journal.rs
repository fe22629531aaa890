//! The journal: what was begun and what became of it, so that a run that was broken off can be gone on with.
//!
//! One JSON object a line, only ever appended, and on the disk before the step that it announces is taken. The last
//! line of a file decides: up to `ticket` nobody has seen anything of it, `posting` may have been posted, and the rest
//! are the words of a receipt.

mod entry;
mod line;
mod lock;
mod replay;
mod writer;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

pub use entry::Entry;
pub(super) use entry::Stage;

use super::error::UploadError;
use super::payload::{FileName, Payload};
use super::post::Post;
use super::shard::Shard;
use crate::code::Code;
use crate::file;
use crate::schema::value::BaseUrl;
use crate::text;
use line::{Line, LineState, SCHEMA};
use lock::unreadable;
use replay::{LinePosition, Replayed};
use writer::Writer;

/// A journal that this run holds alone.
#[derive(Debug)]
pub struct Journal {
    replayed: Replayed,
    file: Arc<File>,
    shard: Option<String>,
    writer: Writer,
}

/// What an earlier run left of a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PriorState {
    /// Nothing that anybody can have seen: send it.
    None,
    /// It was delivered.
    Delivered {
        /// The id that the service gave it.
        file_id: Option<String>,
    },
    /// It was about to be posted, and then it failed: look it up by its id, and send it if it is not there.
    Posting {
        /// The id that the service gave it.
        file_id: String,
        /// What was about to be posted is another content than there is now.
        changed: bool,
    },
    /// It may have been posted.
    Uncertain {
        /// The id that the service gave it, by which it can be looked up.
        file_id: Option<String>,
        /// What may have been posted is another content than there is now.
        changed: bool,
    },
}

impl Journal {
    /// Opens a journal, or begins one, and keeps every other run out of it until it is dropped.
    ///
    /// # Errors
    /// Codes `journal-locked`, if another run has it; `journal-unreadable`, if it is no journal, a link or another
    /// user's, or can't be opened. It is then left as it is.
    pub fn open(path: &Path) -> Result<Self, UploadError> {
        Self::open_shard(path, None)
    }

    /// The same for one share of the files. A journal is that of one share, or of a run that has none.
    ///
    /// # Errors
    /// As [`Journal::open`]; code `journal-shard`, if it is the journal of another share.
    pub fn open_shard(path: &Path, shard: Option<Shard>) -> Result<Self, UploadError> {
        let mut file = lock::open_locked(path)?;
        let (replayed, len) = replay::replay(&mut file, path, shard)?;
        // Only now it is known to be a journal, or empty.
        file::make_private(&file);
        let file = Arc::new(file);
        let writer = Writer::start(Arc::clone(&file), len)
            .map_err(|error| unreadable(path, &format!("can't be written: {}", error.kind())))?;
        Ok(Self { replayed, file, shard: shard.map(|shard| shard.to_string()), writer })
    }

    /// The place of a file in it: which file, to which service and channels.
    ///
    /// # Errors
    /// Code `journal-input` for a stream, which has nothing to be known again by.
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

    /// Whether an earlier run left it open what became of any file.
    pub(super) fn has_open(&self) -> bool {
        self.replayed.has_open()
    }

    /// The same of one, so that the service has to be asked.
    pub(super) fn is_open(&self, service: &BaseUrl, post: &Post, path: &Path, name: &FileName) -> bool {
        self.replayed.is_open(&key(service, post, path, name))
    }

    /// What an earlier run left of a file. One that was delivered and has other content now was not.
    ///
    /// # Errors
    /// If the file has to be read to know, and can't be.
    pub async fn past(&self, entry: &Entry, payload: &Payload) -> Result<PriorState, UploadError> {
        let key = &entry.line.key;
        if let Some(last) = self.line(key, self.replayed.uncertain(key))? {
            let changed = !is_same(&last, entry, payload).await?;
            return Ok(PriorState::Uncertain { file_id: last.file_id, changed });
        }
        match self.line(key, self.replayed.delivered(key))? {
            Some(line) if is_same(&line, entry, payload).await? => {
                return Ok(PriorState::Delivered { file_id: line.file_id });
            }
            _ => {}
        }
        let Some(line) = self.line(key, self.replayed.posting(key))? else { return Ok(PriorState::None) };
        let changed = !is_same(&line, entry, payload).await?;
        Ok(line.file_id.map_or(PriorState::None, |file_id| PriorState::Posting { file_id, changed }))
    }

    /// The place of what an earlier run may have posted, to write down that it was.
    ///
    /// # Errors
    /// Code `journal-unreadable`.
    pub(super) fn before(&self, entry: &Entry) -> Result<Entry, UploadError> {
        let key = &entry.line.key;
        let line = match self.line(key, self.replayed.uncertain(key))? {
            None => self.line(key, self.replayed.posting(key))?,
            line => line,
        };
        Ok(entry.with_line(line.unwrap_or_else(|| entry.line.clone())))
    }

    /// A line about a file that an earlier run wrote.
    fn line(&self, key: &str, place: LinePosition) -> Result<Option<Line>, UploadError> {
        let Some(offset) = place.offset() else { return Ok(None) };
        let line = replay::read(&self.file, offset).ok().filter(|line| line.key == key);
        let changed = || UploadError::new(Code::JournalUnreadable, "the journal was changed while it was used");
        line.map(Some).ok_or_else(changed)
    }
}

/// Which file to which place: a digest of both.
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

/// Whether a line is about the content that a file has now.
async fn is_same(line: &Line, entry: &Entry, payload: &Payload) -> Result<bool, UploadError> {
    let now = &entry.line;
    if line.size != now.size {
        return Ok(false);
    }
    if line.modified == now.modified {
        return Ok(true);
    }
    match &line.sha256 {
        Some(sha256) => Ok(payload.checksum().await?.as_ref() == Some(sha256)),
        None => Ok(false),
    }
}
