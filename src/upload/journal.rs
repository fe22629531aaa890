//! The journal: what was begun and what became of it, so that a run that was broken off can be gone on with.
//!
//! One JSON object a line, only ever appended, and on the disk before the step that it announces is taken. The last
//! line of a file decides: up to `ticket` nobody has seen anything of it, `posting` may have been posted, and the rest
//! are the words of a receipt.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;

use super::payload::Payload;
use super::receipt::{Receipt, Status, UploadError};
use super::wire::call::Setback;
use super::{Client, Post};
use crate::text;

/// The name of the format.
const SCHEMA: &str = "credlint/journal/v1";

/// More is no journal of ours: a line has a few hundred bytes.
const LIMIT: u64 = 1024 * 1024 * 1024;

/// How far a file is, between two steps.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage<'a> {
    /// The first request is about to be made. Nobody sees anything of it.
    Begun,
    /// There is a ticket, with the id of the file, and the bytes are about to go. Nobody sees anything of them.
    Ticket(Option<&'a str>),
    /// From now on it may be posted. With the id of the file, if it has one already, and the digest of what was sent.
    Posting(Option<&'a str>, Option<&'a str>),
}

/// A line.
#[derive(Serialize, Deserialize, Clone, Debug)]
struct Line {
    schema: String,
    /// Seconds since 1970.
    time: u64,
    /// Which file to which place: a digest of both.
    key: String,
    /// The name of the file, for people.
    file: String,
    state: String,
    size: Option<u64>,
    /// When it was last written to, in nanoseconds since 1970.
    modified: Option<u64>,
    sha256: Option<String>,
    file_id: Option<String>,
    /// Why it was not (certainly) delivered.
    error: Option<String>,
}

/// A journal that this run holds alone.
#[derive(Debug)]
pub struct Journal {
    last: HashMap<String, Line>,
    /// The last that was delivered of each, whatever came after it.
    delivered: HashMap<String, Line>,
    writer: Option<mpsc::Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

/// A line to write, and whom to tell when it is on the disk; or the end. That has to be said: a request that was given up
/// may hold on to its entry until the runtime ends.
type Order = Option<(Vec<u8>, oneshot::Sender<bool>)>;

/// What an earlier run left of a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Past {
    /// Nothing that anybody can have seen: send it.
    Nothing,
    /// It was delivered.
    Delivered {
        /// The id that the service gave it.
        file_id: Option<String>,
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
    /// Codes `journal-locked`, if another run has it; `journal-unreadable`, if it is no journal or can't be opened.
    pub fn open(path: &Path) -> Result<Self, UploadError> {
        let shown = text::file_or_path(path);
        let failed = |why: String| UploadError::new("journal-unreadable", format!("the journal {shown} {why}"));
        if path.symlink_metadata().is_ok_and(|meta| !meta.is_file()) {
            return Err(failed("is not a regular file".to_owned()).help("name another file with --journal"));
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(|error| {
            failed(format!("can't be opened: {}", error.kind()))
                .help("its directory has to be there, and be yours to write to")
        })?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(UploadError::new("journal-locked", format!("another run is using the journal {shown}"))
                    .help("wait for it to end"));
            }
            Err(TryLockError::Error(error)) => return Err(failed(format!("can't be locked: {}", error.kind()))),
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // One that is somebody else's to set is as private as they want it.
            let _ = file.set_permissions(std::fs::Permissions::from_mode(0o600));
        }
        let broken = |error: std::io::Error| failed(format!("can't be read: {}", error.kind()));
        if file.metadata().map_err(broken)?.len() > LIMIT {
            return Err(failed("is larger than 1 GiB".to_owned()).help("name another file with --journal"));
        }
        let mut text = Vec::new();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut text)).map_err(broken)?;
        // What has no end was being written when the run was broken off: the step that it announces was not taken.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (mut last, mut delivered) = (HashMap::new(), HashMap::new());
        for (index, line) in text[..whole].split_inclusive(|&byte| byte == b'\n').enumerate() {
            let line: Line = serde_json::from_slice(line)
                .ok()
                .filter(|line: &Line| line.schema == SCHEMA)
                .ok_or_else(|| failed(format!("is none: line {} can't be read", index + 1)))
                .map_err(|error| match index {
                    0 => error.help("name another file with --journal"),
                    // Another journal would send again what this one knows to be delivered.
                    _ => error.help("take that line out of it"),
                })?;
            if is_delivered(&line) {
                delivered.insert(line.key.clone(), line.clone());
            }
            last.insert(line.key.clone(), line);
        }
        if !text.is_empty()
            && whole == 0
            && !b"{\"schema\":\"credlint/journal/".starts_with(&text[..text.len().min(28)])
        {
            return Err(failed("is none: line 1 can't be read".to_owned()).help("name another file with --journal"));
        }
        if whole < text.len() {
            file.set_len(whole as u64).map_err(broken)?;
        }
        file.sync_all().map_err(broken)?;
        #[cfg(unix)]
        if let Some(directory) = path.parent() {
            // The name of a new file has to last, too.
            let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
            File::open(directory).and_then(|directory| directory.sync_all()).map_err(broken)?;
        }
        let (writer, orders) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || write(file, whole as u64, &orders))
            .map_err(|error| failed(format!("can't be written: {}", error.kind())))?;
        Ok(Self { last, delivered, writer: Some(writer), thread: Some(thread) })
    }

    /// The place of a file in it: which file, to which service and channels.
    ///
    /// # Errors
    /// Code `journal-input` for a stream, which has nothing to be known again by.
    pub fn entry(&self, client: &Client, post: &Post, path: &Path, payload: &Payload) -> Result<Entry, UploadError> {
        let (Some(size), Some(writer)) = (payload.size(), self.writer.clone()) else {
            return Err(UploadError::new("journal-input", "standard input can't be known again, so it has no journal")
                .help("write it to a file first, or leave out --journal"));
        };
        let absolute = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut key = Sha256::new();
        let mut part = |bytes: &[u8]| {
            key.update((bytes.len() as u64).to_be_bytes());
            key.update(bytes);
        };
        part(absolute.as_os_str().as_encoded_bytes());
        part(payload.name.as_str().as_bytes());
        part(client.base.join("").as_str().as_bytes());
        part(post.thread.as_ref().map_or("", |thread| thread.as_str()).as_bytes());
        let mut channels: Vec<&str> = post.channels.iter().map(|channel| channel.as_str()).collect();
        channels.sort_unstable();
        for channel in channels {
            part(channel.as_bytes());
        }
        let line = Line {
            schema: SCHEMA.to_owned(),
            time: 0,
            key: text::hex(&key.finalize()),
            file: text::file(path),
            state: String::new(),
            size: Some(size),
            modified: payload.modified().and_then(|modified| u64::try_from(modified).ok()),
            sha256: None,
            file_id: None,
            error: None,
        };
        Ok(Entry { line, id: Arc::default(), writer })
    }

    /// What an earlier run left of a file. One that was delivered and has other content now was not.
    ///
    /// # Errors
    /// If the file has to be read to know, and can't be.
    pub async fn past(&self, entry: &Entry, payload: &Payload) -> Result<Past, UploadError> {
        let key = &entry.line.key;
        if let Some(last) = self.last.get(key).filter(|last| matches!(last.state.as_str(), "posting" | "uncertain")) {
            let changed = !is_same(last, entry, payload).await?;
            return Ok(Past::Uncertain { file_id: last.file_id.clone(), changed });
        }
        match self.delivered.get(key) {
            Some(line) if is_same(line, entry, payload).await? => Ok(Past::Delivered { file_id: line.file_id.clone() }),
            _ => Ok(Past::Nothing),
        }
    }

    /// The place of what an earlier run may have posted, to write down that it was.
    pub(super) fn before(&self, entry: &Entry) -> Entry {
        let line = self.last.get(&entry.line.key).cloned().unwrap_or_else(|| entry.line.clone());
        Entry { line, ..entry.clone() }
    }
}

fn is_delivered(line: &Line) -> bool {
    matches!(line.state.as_str(), "delivered" | "accepted")
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

impl Drop for Journal {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // It has ended already if it can't be told.
            let _ = writer.send(None);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Writes what is asked for, as much at once as there is: one flush to the disk is for all of it. `len` is how much of
/// the file is whole lines: what was begun after that and failed is cut off, so that the next line begins a line.
fn write(mut file: File, mut len: u64, orders: &mpsc::Receiver<Order>) {
    let mut ended = false;
    while let (false, Ok(Some(first))) = (ended, orders.recv()) {
        let mut batch = vec![first];
        for order in orders.try_iter() {
            match order {
                Some(order) => batch.push(order),
                None => ended = true,
            }
        }
        let text: Vec<u8> = batch.iter().flat_map(|(line, _)| line.iter().copied()).collect();
        let written = file.write_all(&text).and_then(|()| file.sync_data()).is_ok();
        if written {
            len += text.len() as u64;
        } else if file.set_len(len).is_err() {
            // Whoever is waiting is told by being dropped.
            return;
        }
        for (_, told) in batch {
            // Nobody listens any more once the upload was given up.
            let _ = told.send(written);
        }
    }
}

/// The place of one file in a journal.
#[derive(Clone, Debug)]
pub struct Entry {
    line: Line,
    /// The id of the file, once there is one: what is printed of it may be less.
    id: Arc<Mutex<Option<String>>>,
    writer: mpsc::Sender<Order>,
}

impl Entry {
    async fn write(&self, line: Line) -> Result<(), UploadError> {
        let failed = || {
            UploadError::new("journal-unwritable", "the journal can't be written, so nothing more was sent")
                .help("make room on its disk")
        };
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let mut text = serde_json::to_vec(&Line { time, ..line }).map_err(|_| failed())?;
        text.push(b'\n');
        let (told, written) = oneshot::channel();
        self.writer.send(Some((text, told))).map_err(|_| failed())?;
        if written.await == Ok(true) { Ok(()) } else { Err(failed()) }
    }

    /// Writes down a step, before it is taken.
    pub(super) async fn note(&self, stage: Stage<'_>) -> Result<(), Setback> {
        let (state, file_id, sha256) = match stage {
            Stage::Begun => ("begun", None, None),
            Stage::Ticket(id) => ("ticket", id, None),
            Stage::Posting(id, sha256) => ("posting", id, sha256),
        };
        let file_id = file_id.map(str::to_owned);
        self.id().clone_from(&file_id);
        let line = Line { state: state.to_owned(), file_id, sha256: sha256.map(str::to_owned), ..self.line.clone() };
        self.write(line).await.map_err(Setback::local)
    }

    fn id(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.id.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes down what became of it.
    ///
    /// # Errors
    /// Code `journal-unwritable`.
    pub async fn end(&self, receipt: &Receipt) -> Result<(), UploadError> {
        if matches!(receipt.status, Status::Skipped | Status::Refused | Status::Rehearsed) {
            return Ok(());
        }
        let id = self.id().clone().or_else(|| self.line.file_id.clone());
        let line = Line {
            state: receipt.status.as_str().to_owned(),
            sha256: receipt.sha256.clone().or_else(|| self.line.sha256.clone()),
            file_id: id.or_else(|| receipt.file_id.clone()),
            error: receipt.error.as_ref().map(|error| error.code.to_owned()),
            ..self.line.clone()
        };
        self.write(line).await
    }
}
