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

mod answer;
mod client;
mod explain;
mod fault;
mod form;
mod guard;
mod ledger;
mod payload;
mod receipt;

use std::time::Duration;

use secrecy::SecretString;
use tokio::sync::watch;

pub use client::Client;
pub use payload::{FileName, Payload};
pub use receipt::{Receipt, Status, UploadError};

use crate::schema::value::ChannelId;

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
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            stall_timeout: Duration::from_secs(60),
            answer_timeout: Duration::from_secs(120),
            require_confirmation: false,
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
}

impl Post {
    /// A post to these channels, without a comment.
    #[must_use]
    pub const fn new(channels: Vec<ChannelId>) -> Self {
        Self { channels, comment: None }
    }

    /// The same with a comment.
    #[must_use]
    pub fn with_comment(mut self, comment: Option<SecretString>) -> Self {
        self.comment = comment;
        self
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
}

/// The two channels of a running upload: progress out, cancellation in. The default does neither.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    progress: Option<watch::Sender<Progress>>,
    cancel: Option<watch::Receiver<bool>>,
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
}
