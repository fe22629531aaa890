//! What goes along with every file: channels, comment, thread, title.

use secrecy::SecretString;

use super::error::UploadError;
use crate::code::Code;
use crate::schema::method::Method;
use crate::schema::value::ChannelId;

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

    /// Refuses what the service would refuse, before anything is sent. `size` is that of the file, where it is known.
    pub(super) fn check(&self, method: Method, size: Option<u64>) -> Result<(), UploadError> {
        self.check_channels(method)?;
        if method == Method::External && size == Some(0) {
            return Err(UploadError::new(Code::EmptyFile, "the service rejects empty files").help("leave the file out"));
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
            let help = "set `channels` in the profile, or pass --channel";
            return error(Code::NoChannels, "no channel to share the file in", help);
        }
        if self.thread.is_some() && self.channels.len() > 1 {
            let help = "pass the channel of the thread with --channel";
            return error(Code::ThreadChannels, "`--thread` needs exactly one channel", help);
        }
        if method == Method::External && self.channels.len() > CHANNELS {
            let help = "list fewer IDs in `channels`, or send the file twice";
            return error(Code::TooManyChannels, "the service shares a file in 100 channels at most", help);
        }
        if method == Method::External && self.channels.iter().any(|id| id.as_str().starts_with(['#', '@'])) {
            let help = "use the channel ID, which Slack shows in the channel's details";
            return error(Code::ChannelName, "a channel is given by name; `external` accepts IDs only", help);
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
            _ => Err(UploadError::new(
                Code::Thread,
                "a thread is given by the `ts` of its first message: 1700000000.000100",
            )),
        }
    }

    /// The time stamp, to be sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
