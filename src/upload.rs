//! Sending a file to channels of the messaging service: one request, one receipt.
//!
//! [`Client::upload`] never fails: whatever happens becomes a [`Receipt`], because the one question that matters
//! after a failed deploy is *may I run it again?* [`Status::Failed`] says yes, [`Status::Uncertain`] says look first.
//!
//! ```no_run
//! use credlint::{BaseUrl, BearerToken, ChannelId};
//! use credlint::upload::{Client, Payload, Post, Settings, Watch};
//! use secrecy::SecretString;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let base = BaseUrl::parse("https://chat.example.com").map_err(|flaw| flaw.describe())?;
//! let token = BearerToken::new(SecretString::from("…")).map_err(|_| "not a token")?;
//! let client = Client::new(&base, &token, Settings::default())?;
//! let post = Post::new(vec![ChannelId::parse("C0123456789").map_err(|flaw| flaw.describe())?]);
//! let payload = Payload::open("report.csv".as_ref(), None)?;
//! let receipt = client.upload(&post, payload, Watch::default()).await;
//! println!("{}: {}", receipt.file, receipt.status.as_str());
//! # Ok(()) }
//! ```

mod ask;
mod batch;
mod client;
mod external;
mod files_upload;
mod form;
mod inputs;
mod journal;
mod payload;
mod receipt;
mod retry;
mod wire;

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use secrecy::SecretString;
use tokio::sync::watch;

pub(crate) use ask::{Allowed, Asker, Doubt, Identity};
pub use batch::Batch;
pub use client::Client;
pub use inputs::{Inputs, is_stdin};
pub use journal::{Entry, Journal, Past};
pub use payload::{FileName, Payload};
pub use receipt::{Receipt, Skip, Status, UploadError};

use journal::Stage;
use wire::body::Leave;
use wire::call::Setback;
use wire::ledger::Ledger;

pub use crate::schema::method::Method;
use crate::schema::value::{CaFile, ChannelId};

/// How long to wait, and what to take for a success.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// For a connection, name lookup and TLS included. 10 seconds.
    pub connect_timeout: Duration,
    /// For the service to take any further byte of the file. 60 seconds. A slow upload that moves is never cut off.
    pub stall_timeout: Duration,
    /// From the last byte of the request to the last byte of the answer. 120 seconds.
    pub answer_timeout: Duration,
    /// Take a success that the service does not spell out (no `ok` in the answer) for uncertain. Off.
    pub require_confirmation: bool,
    /// How to upload. Left out, it follows from the host.
    pub method: Option<Method>,
    /// How often a file, or a message, is tried again after something that passes. 4.
    pub retries: u32,
    /// How long it waits for that in all, also if the service asks for it. 120 seconds.
    pub max_wait: Duration,
    /// The wait before the second try, if the service does not ask for another; it doubles from try to try, up to 30
    /// seconds. 1 second.
    pub backoff: Duration,
    /// Compute the SHA-256 of each file while it is sent. Off.
    pub checksum: bool,
    /// Use a connection again, for the next file. On is faster for many small files; off rules out that a service
    /// closes a connection in the moment it is used again, which makes a delivery uncertain. Off.
    pub keep_connections: bool,
    /// Certificates (PEM) of authorities to trust beside those of the system; read for an https address only. None.
    pub ca_file: Option<CaFile>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            stall_timeout: Duration::from_secs(60),
            answer_timeout: Duration::from_secs(120),
            require_confirmation: false,
            method: None,
            retries: 4,
            max_wait: Duration::from_secs(120),
            backoff: Duration::from_secs(1),
            checksum: false,
            keep_connections: false,
            ca_file: None,
        }
    }
}

/// What goes along with every file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Post {
    /// Where to share the file; at least one.
    pub channels: Vec<ChannelId>,
    /// The text posted with it; an empty one is left out. Never printed.
    pub comment: Option<SecretString>,
    /// The message to answer with it, in the one channel.
    pub thread: Option<Thread>,
    /// What stands above the file; its name, if nothing is given.
    pub title: Option<String>,
}

/// The most channels that a completion takes.
/// Source: <https://docs.slack.dev/reference/methods/files.completeUploadExternal>, `channels_limit_exceeded`.
const CHANNELS: usize = 100;

impl Post {
    /// A post to these channels, with nothing else.
    #[must_use]
    pub const fn new(channels: Vec<ChannelId>) -> Self {
        Self { channels, comment: None, thread: None, title: None }
    }

    /// The same with a comment.
    #[must_use]
    pub fn with_comment(mut self, comment: Option<SecretString>) -> Self {
        self.comment = comment;
        self
    }

    /// The same as an answer to a message.
    #[must_use]
    pub fn with_thread(mut self, thread: Option<Thread>) -> Self {
        self.thread = thread;
        self
    }

    /// The same with a title.
    #[must_use]
    pub fn with_title(mut self, title: Option<String>) -> Self {
        self.title = title;
        self
    }

    /// Refuses what the service would refuse, before anything is sent.
    fn check(&self, method: Method, payload: &Payload) -> Result<(), UploadError> {
        self.check_channels(method)?;
        if method == Method::External && payload.size() == Some(0) {
            return Err(UploadError::new("empty-file", "the file is empty, and the service takes none that is")
                .help("leave it out, or write something into it"));
        }
        Ok(())
    }

    /// Whether the channels fit the method, and each other.
    ///
    /// # Errors
    /// Codes `no-channels`, `too-many-channels`, `channel-name`, `thread-channels`.
    pub fn check_channels(&self, method: Method) -> Result<(), UploadError> {
        let error = |code, message: &str, help: &str| Err(UploadError::new(code, message).help(help));
        if self.channels.is_empty() {
            let help = "set `channels` in the profile, or give --channel";
            return error("no-channels", "there is no channel to send the file to", help);
        }
        if self.thread.is_some() && self.channels.len() > 1 {
            let help = "give the one channel of the thread with --channel";
            return error("thread-channels", "a thread is in one channel, and there are several", help);
        }
        if method == Method::External && self.channels.len() > CHANNELS {
            let help = "put fewer ids in `channels`, or send it twice";
            return error("too-many-channels", "the service shares a file in 100 channels at most", help);
        }
        if method == Method::External && self.channels.iter().any(|id| id.as_str().starts_with(['#', '@'])) {
            let help = "put the id in its place: it stands at the end of a link to the conversation";
            return error("channel-name", "a channel is given by its name, and the method takes ids only", help);
        }
        Ok(())
    }
}

/// The time stamp of a message, by which it is answered: `1700000000.000100`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread(String);

impl Thread {
    /// Checks a time stamp.
    ///
    /// Source of the form: <https://docs.slack.dev/messaging/retrieving-messages>; ten digits, a dot and six.
    ///
    /// # Errors
    /// Code `thread`, if it is none.
    pub fn new(stamp: &str) -> Result<Self, UploadError> {
        let digits = |text: &str, len| text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
        match stamp.split_once('.') {
            Some((seconds, rest)) if digits(seconds, 10) && digits(rest, 6) => Ok(Self(stamp.to_owned())),
            _ => {
                Err(UploadError::new("thread", "a thread is given by the `ts` of its first message: 1700000000.000100"))
            }
        }
    }

    /// The time stamp, to be sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How far an upload is. Bytes of the file, not of the form around it; handed to the network, not acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes taken so far.
    pub taken: u64,
    /// Bytes in all, where that is known: standard input has no length.
    pub total: Option<u64>,
    /// While it waits to try again: the code of what went wrong.
    pub waiting: Option<&'static str>,
}

/// The channels of a running upload: progress out, cancellation in, and the journal. The default does none of it.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    progress: Option<watch::Sender<Progress>>,
    cancel: Option<watch::Receiver<bool>>,
    journal: Option<Entry>,
}

impl Watch {
    /// Reports progress here. Only the latest value is kept, so a slow reader slows nothing down.
    #[must_use]
    pub fn with_progress(mut self, progress: watch::Sender<Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Gives up as soon as this turns `true`. A sender that is dropped cancels nothing.
    #[must_use]
    pub fn with_cancel(mut self, cancel: watch::Receiver<bool>) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Writes every step down here before it is taken.
    #[must_use]
    pub fn with_journal(mut self, entry: Option<Entry>) -> Self {
        self.journal = entry;
        self
    }

    async fn note(&self, stage: Stage<'_>) -> Result<(), Setback> {
        match &self.journal {
            Some(entry) => entry.note(stage).await,
            None => Ok(()),
        }
    }

    /// What has to be written down before the last bytes of a request that posts may go.
    fn leave(&self, ledger: &Ledger) -> Option<Leave> {
        let (entry, ledger) = (self.journal.clone()?, ledger.clone());
        Some(Box::pin(async move {
            let sha256 = ledger.account().sha256.clone();
            entry.note(Stage::Posting(None, sha256.as_deref())).await.map_err(|setback| setback.error)
        }))
    }
}

/// Random bits that nobody outside can know: the standard library seeds its hashers from the operating system.
fn random() -> u64 {
    RandomState::new().hash_one(std::time::Instant::now())
}
