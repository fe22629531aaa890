//! The options of the service, and the state that all connections share: its files, announced, received, shared and
//! posted.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::body::Arguments;
use super::faults::{Fault, Faults};
use super::operation::Answered;
use super::reply::{MethodError, MethodResult};
use super::store::{CAPACITY, Incoming, Ledger, Message, Posted, Received};
use crate::shorthand::{lock, setters};

/// The characters that are percent-encoded in the path of a link. Source: RFC 3986, section 2.3.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The records of all files.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    pub(super) files: HashMap<String, StoredFile>,
    /// The IDs from the oldest to the latest; the oldest file is removed first.
    order: VecDeque<String>,
    /// The latest time stamp, in microseconds. It identifies a message, so no two are equal.
    latest: u64,
}

/// A file that was announced, and perhaps received and shared.
#[derive(Debug)]
pub(super) struct StoredFile {
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) snippet_type: Option<String>,
    /// The number of characters in the description.
    pub(super) alt_text_length: usize,
    /// The announced length.
    pub(super) length: u64,
    /// The secret part of the upload address.
    pub(super) ticket: String,
    pub(super) received: Option<Received>,
    pub(super) shared: Option<Share>,
}

/// When and where a file was shared.
#[derive(Clone, Debug)]
pub(super) struct Share {
    ts: String,
    channels: Vec<String>,
}

impl Service {
    pub(super) fn has_channel(&self, id: &str) -> bool {
        self.options.channels.is_empty() || self.channels().any(|(channel, _)| channel == id)
    }

    /// Returns the channels that exist, with their names.
    pub(super) fn channels(&self) -> impl Iterator<Item = (&str, String)> {
        self.options.channels.iter().map(|channel| match channel.split_once('=') {
            Some((id, name)) => (id, name.to_owned()),
            None => (channel.as_str(), channel.to_ascii_lowercase()),
        })
    }

    pub(super) fn catalogue(&self) -> MutexGuard<'_, Catalogue> {
        lock(&self.catalogue)
    }

    pub(super) fn incoming(&self) -> io::Result<Incoming> {
        Incoming::new(self.options.store.as_deref(), &random(22))
    }

    /// Posts files in one message.
    pub(super) fn post(&self, catalogue: &mut Catalogue, ids: &[String], message: Message) -> Result<(), MethodError> {
        let posted = catalogue.post(ids, message).and_then(|message| self.ledger.post(message));
        // "It's possible some aspect of the operation succeeded before the error was raised."
        posted.map_err(|_| "internal_error".into())
    }

    /// `files.info`: the record of a file. <https://docs.slack.dev/reference/methods/files.info>
    pub(super) fn info(&self, arguments: &Arguments) -> MethodResult {
        let file = arguments.get("file").and_then(|id| self.record(&self.catalogue(), id)).ok_or("file_not_found")?;
        Ok(json!({"file": file}))
    }

    /// Returns the record of a shared file, as the methods show it. The first letter of a conversation's ID tells its
    /// kind.
    pub(super) fn record(&self, catalogue: &Catalogue, id: &str) -> Option<Value> {
        let file = catalogue.files.get(id)?;
        let Share { ts, channels } = file.shared.as_ref()?;
        let select = |kind: fn(&str) -> bool| channels.iter().filter(|id| kind(id)).collect::<Vec<_>>();
        let (groups, ims) = (select(|id| id.starts_with('G')), select(|id| id.starts_with(['D', 'U', 'W'])));
        let public = select(|id| !id.starts_with(['G', 'D', 'U', 'W']));
        let shares = |ids: &[&String]| ids.iter().map(|id| (id.as_str(), json!([{"ts": ts}]))).collect::<Value>();
        Some(json!({
            "id": id,
            "name": file.name,
            "title": file.title.as_ref().unwrap_or(&file.name),
            "size": file.length,
            "permalink": format!("{}/files/{id}/{}", self.base, utf8_percent_encode(&file.name, ENCODED)),
            "channels": public,
            "groups": groups,
            "ims": ims,
            "shares": {"public": shares(&public), "private": shares(&[groups, ims].concat())},
        }))
    }
}

impl Catalogue {
    pub(super) fn insert(&mut self, id: String, file: StoredFile) {
        if self.order.len() == CAPACITY
            && let Some(oldest) = self.order.pop_front()
        {
            self.files.remove(&oldest);
        }
        self.order.push_back(id.clone());
        self.files.insert(id, file);
    }

    /// Stores the files, and records them as the files of one message.
    fn post(&mut self, ids: &[String], message: Message) -> io::Result<Message> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros());
        self.latest = u64::try_from(now).unwrap_or_default().max(self.latest + 1);
        let ts = format!("{:010}.{:06}", self.latest / 1_000_000, self.latest % 1_000_000);
        let mut files = Vec::new();
        for id in ids {
            let Some(file) = self.files.get_mut(id) else { continue };
            let Some(received) = &mut file.received else { continue };
            received.store(id, &file.name)?;
            file.shared = Some(Share { ts: ts.clone(), channels: message.channels.clone() });
            files.push(Posted {
                id: id.clone(),
                name: file.name.clone(),
                title: file.title.clone(),
                snippet_type: file.snippet_type.clone(),
                alt_text_length: file.alt_text_length,
                size: received.size,
                sha256: received.sha256.clone(),
            });
        }
        Ok(Message { ts, files, ..message })
    }
}

/// Returns the message that the arguments ask for, still without files. A thread is in one channel, so a reply needs
/// exactly one.
pub(super) fn message(arguments: &Arguments, channels: Vec<String>) -> Result<Message, MethodError> {
    let thread_ts = arguments.get("thread_ts").map(str::to_owned);
    let digits = |text: &str, len| text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_stamp = |ts: &String| ts.split_once('.').is_some_and(|(one, other)| digits(one, 10) && digits(other, 6));
    if !thread_ts.as_ref().is_none_or(|ts| channels.len() == 1 && is_stamp(ts)) {
        return Err("invalid_thread_ts".into());
    }
    let comment_length = characters(arguments, "initial_comment");
    Ok(Message { channels, thread_ts, comment_length, ..Message::default() })
}

/// Returns the number of characters of an argument.
pub(super) fn characters(arguments: &Arguments, name: &str) -> usize {
    arguments.get(name).map_or(0, |text| text.chars().count())
}

/// Returns capital letters and digits that can't be guessed.
pub(super) fn random(len: usize) -> String {
    let mut text = String::with_capacity(len);
    while text.len() < len {
        let mut random = RandomState::new().hash_one("file");
        // Ten digits of base 36 take 52 of the 64 bits.
        for _ in 0..10.min(len - text.len()) {
            text.extend(char::from_digit((random % 36) as u32, 36).map(|c| c.to_ascii_uppercase()));
            random /= 36;
        }
    }
    text
}

/// The default limit of a file's size. A larger file is hardly intended for a developer's disk.
const MAX_FILE: u64 = 16 * 1024 * 1024 * 1024;

/// The options of the service.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The directory for received files. Without it they are counted and discarded.
    pub store: Option<PathBuf>,
    pub(super) hosted: bool,
    pub(super) max_file: u64,
    pub(super) ledger: Option<PathBuf>,
    pub(super) scopes: Vec<String>,
    pub(super) team: String,
    pub(super) channels: Vec<String>,
    pub(super) bucket: Option<String>,
    pub(super) faults: Vec<Fault>,
    pub(super) delay: Duration,
    pub(super) requests: Option<SyncSender<Answered>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            store: None,
            hosted: false,
            max_file: MAX_FILE,
            ledger: None,
            scopes: ["files:write", "files:read", "chat:write"].map(str::to_owned).to_vec(),
            team: "T00000000".to_owned(),
            channels: Vec::new(),
            bucket: None,
            faults: Vec::new(),
            delay: Duration::ZERO,
            requests: None,
        }
    }
}

impl Options {
    setters! {
        /// Stores received files in this directory, which is created if it is missing.
        with_store(store: Option<PathBuf>);

        /// Makes the service as strict as the hosted one: it accepts only tokens and IDs of the forms that the hosted
        /// service issues, and `files.upload` is retired.
        with_hosted(hosted: bool);

        /// Sets the size limit of a file, in bytes. The default is 16 GiB.
        with_max_file(max_file: u64);

        /// Appends a line of JSON to this file for each message. The file is created if it is missing.
        with_ledger(ledger: Option<PathBuf>);

        /// Sets the scopes of every token. The default is `files:write`, `files:read` and `chat:write`.
        with_scopes(scopes: Vec<String>);

        /// Sets the workspace of every token. The default is `T00000000`.
        with_team(team: impl Into<String>) = team.into();

        /// Sets the channels that exist, each as `ID` or `ID=NAME`. If there are none, every channel exists.
        with_channels(channels: Vec<String>);

        /// Restricts application keys to one bucket. By default they are for all buckets.
        with_bucket(bucket: Option<String>);

        /// Sets the faults to inject. If several apply to a request, the first one that is not used up is injected.
        with_faults(faults: Vec<Fault>);

        /// Waits this long before each answer.
        with_delay(delay: Duration);

        /// Reports each request and its answer to this channel. If the channel is full, the report is dropped.
        with_requests(requests: Option<SyncSender<Answered>>);
    }
}

/// The configuration and the files of the service.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) base: String,
    pub(super) options: Options,
    /// The scopes, joined by commas.
    pub(super) scopes: String,
    pub(super) faults: Faults,
    pub(super) ledger: Ledger,
    pub(super) catalogue: Mutex<Catalogue>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creates_ids_and_links() {
        let id = random(22);
        assert!(id.len() == 22 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) && id != random(22), "{id}");
        assert_eq!(utf8_percent_encode("é b%/.csv", ENCODED).to_string(), "%C3%A9%20b%25%2F.csv");
    }

    #[test]
    fn removes_oldest_file_first() {
        let mut catalogue = Catalogue::default();
        for number in 0..=CAPACITY {
            let file = StoredFile {
                name: String::new(),
                title: None,
                snippet_type: None,
                alt_text_length: 0,
                length: 1,
                ticket: String::new(),
                received: None,
                shared: None,
            };
            catalogue.insert(number.to_string(), file);
        }
        assert!(
            catalogue.files.len() == CAPACITY
                && !catalogue.files.contains_key("0")
                && catalogue.files.contains_key("1")
        );
    }
}
