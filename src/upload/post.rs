//! The message that a file is posted with: channels, comment, thread, title.

use secrecy::{ExposeSecret, SecretString};

use super::error::UploadError;
use super::payload::FileName;
use super::secrets::OwnSecrets;
use crate::code::Code;
use crate::schema::Method;
use crate::schema::value::{ChannelId, IN_PLACE_OF_NAME};
use crate::shorthand::setters;

/// The message that a file is posted with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Post {
    /// The channels to share the file in; at least one.
    pub channels: Vec<ChannelId>,
    /// The text of the message. An empty text is omitted. Never printed.
    pub comment: Option<SecretString>,
    /// The message to reply to. It requires a single channel.
    pub thread: Option<Thread>,
    /// The title of the file. Defaults to its name.
    pub title: Option<String>,
}

/// The maximum number of channels of a completion. Source:
/// <https://docs.slack.dev/reference/methods/files.completeUploadExternal>, `channels_limit_exceeded`.
const CHANNELS: usize = 100;

impl Post {
    /// Creates a message without text for these channels.
    #[must_use]
    pub const fn new(channels: Vec<ChannelId>) -> Self {
        Self { channels, comment: None, thread: None, title: None }
    }

    setters! {
        /// Sets the text.
        with_comment(comment: Option<SecretString>);

        /// Sets the message to reply to.
        with_thread(thread: Option<Thread>);

        /// Sets the title.
        with_title(title: Option<String>);
    }

    /// Returns the channels for display.
    pub(crate) fn shown_channels(&self) -> Vec<String> {
        self.channels.iter().map(ChannelId::shown).collect()
    }

    /// Returns the channels as the service wants them.
    pub(super) fn channel_list(&self) -> String {
        self.channels.iter().map(ChannelId::as_str).collect::<Vec<_>>().join(",")
    }

    /// Returns the text to send, unless it is empty.
    #[expect(
        clippy::disallowed_methods,
        reason = "the comment goes into the form, which is zeroized after it was sent"
    )]
    pub(super) fn comment_to_send(&self) -> Option<&str> {
        self.comment.as_ref().map(|comment| comment.expose_secret()).filter(|comment| !comment.is_empty())
    }

    /// Returns the title of a file with this name.
    pub(super) fn title_of(&self, name: &FileName) -> String {
        self.title.clone().unwrap_or_else(|| name.as_str().to_owned())
    }

    /// Rejects what the service would reject, before anything is sent. `size` is the file's size, if it is known.
    pub(super) fn check(&self, method: Method, size: Option<u64>) -> Result<(), UploadError> {
        self.check_channels(method)?;
        if method == Method::External && size == Some(0) {
            return Err(UploadError::new(Code::EmptyFile, "the service rejects empty files").help("leave the file out"));
        }
        Ok(())
    }

    /// Checks that the channels fit the method and each other.
    ///
    /// # Errors
    ///
    /// Returns code `no-channels`, `too-many-channels`, `channel-name` or `thread-channels`.
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
            return error(
                Code::ChannelName,
                "a channel is given by name; `external` accepts IDs only",
                IN_PLACE_OF_NAME,
            );
        }
        Ok(())
    }

    /// Checks that the comment contains no secret of the profile. The title and the files are checked file by file.
    ///
    /// # Errors
    ///
    /// Returns code `own-secret`.
    pub fn check_comment(&self, own: &OwnSecrets) -> Result<(), UploadError> {
        let Some(comment) = &self.comment else { return Ok(()) };
        #[expect(clippy::disallowed_methods, reason = "searches the comment for secrets; copies no byte")]
        let field = own.field_in(comment.expose_secret());
        field.map_or(Ok(()), |field| {
            let message = format!("the comment contains the `{field}` of the profile that it is sent with");
            Err(UploadError::new(Code::OwnSecret, message).help("remove it from the comment; nothing was sent"))
        })
    }
}

/// The timestamp of a message to reply to: `1700000000.000100`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread(String);

impl Thread {
    /// Parses a timestamp: ten digits, a dot and six digits.
    ///
    /// Source of the form: <https://docs.slack.dev/messaging/retrieving-messages>.
    ///
    /// # Errors
    ///
    /// Returns code `thread` if it is invalid.
    pub fn new(stamp: &str) -> Result<Self, UploadError> {
        let digits = |text: &str, len| text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
        match stamp.split_once('.') {
            Some((seconds, rest)) if digits(seconds, 10) && digits(rest, 6) => Ok(Self(stamp.to_owned())),
            _ => Err(UploadError::new(
                Code::Thread,
                "a thread is named by the timestamp (`ts`) of its first message, such as 1700000000.000100",
            )),
        }
    }

    /// Returns the timestamp to send.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
