//! The message that a file is posted with: channels, a comment or blocks, thread, title; and what the file is posted as.
//! Builds its forms: that of an upload, in which no name or comment can break out of its part, and those of a ticket and of a
//! completion.

mod blocks;

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::time::Instant;

use bytes::Bytes;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::form_urlencoded;
use zeroize::Zeroizing;

use super::secrets::OwnSecrets;
use crate::code::Code;
use crate::schema::Method;
use crate::schema::value::{ChannelId, IN_PLACE_OF_NAME};
use crate::shorthand::setters;
use crate::source::Problem;
use crate::text;
pub use blocks::Blocks;

/// The message that a file is posted with.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct Post {
    /// The channels to share the file in; at least one.
    pub channels: Vec<ChannelId>,
    /// The text of the message. An empty text is omitted. Never printed.
    pub comment: Option<SecretString>,
    /// Blocks in place of the text. Only with [`Method::External`].
    pub blocks: Option<Blocks>,
    /// The message to reply to. It requires a single channel.
    pub thread: Option<Thread>,
    /// The title of the file. Defaults to its name.
    pub title: Option<String>,
    /// The type of a snippet, such as `python`, which the service knows. An empty one is omitted. Never printed.
    pub snippet_type: Option<SecretString>,
    /// The description of an image, for screen readers. An empty one is omitted. Never printed. Only with
    /// [`Method::External`].
    pub alt_text: Option<SecretString>,
}

/// The maximum number of channels of a completion. Source:
/// <https://docs.slack.dev/reference/methods/files.completeUploadExternal>, `channels_limit_exceeded`.
const CHANNELS: usize = 100;

/// The maximum number of characters of a description. Source:
/// <https://docs.slack.dev/reference/methods/files.getUploadURLExternal>, `alt_txt_too_large`.
const ALT_TEXT: usize = 1000;

/// The maximum size of a snippet. The same source says `1MB`, for `snippet_too_large`: this is the larger reading.
const SNIPPET: u64 = 1024 * 1024;

impl Post {
    /// Creates a message without text for these channels.
    #[must_use]
    pub fn new(channels: Vec<ChannelId>) -> Self {
        Self { channels, ..Self::default() }
    }

    setters! {
        /// Sets the text.
        with_comment(comment: Option<SecretString>);

        /// Sets the message to reply to.
        with_thread(thread: Option<Thread>);

        /// Sets the title.
        with_title(title: Option<String>);

        /// Sets the blocks.
        with_blocks(blocks: Option<Blocks>);

        /// Sets the type of a snippet.
        with_snippet_type(snippet_type: Option<SecretString>);

        /// Sets the description of an image.
        with_alt_text(alt_text: Option<SecretString>);
    }

    /// Returns the channels for display.
    pub(crate) fn shown_channels(&self) -> Vec<String> {
        self.channels.iter().map(ChannelId::shown).collect()
    }

    /// Returns the channels as the service wants them.
    pub(super) fn channel_list(&self) -> String {
        self.channels.iter().map(ChannelId::as_str).collect::<Vec<_>>().join(",")
    }

    /// Returns the texts that an answer must not make appear in output.
    pub(super) fn texts(&self) -> impl Iterator<Item = &SecretString> {
        self.fields().into_iter().filter_map(|(_, text)| text)
    }

    /// Returns the texts with their names: the comment, the blocks, the type of a snippet, the description.
    fn fields(&self) -> [(&'static str, Option<&SecretString>); 4] {
        [
            ("comment", self.comment.as_ref()),
            ("file of --blocks", self.blocks.as_ref().map(Blocks::json)),
            ("snippet type", self.snippet_type.as_ref()),
            ("alternative text", self.alt_text.as_ref()),
        ]
    }

    /// Returns a digest of what the service gets with the request for a ticket. `None` if it gets only a name and a length.
    pub(super) fn ticket_digest(&self) -> Option<String> {
        let [snippet_type, alt_text] = [&self.snippet_type, &self.alt_text].map(|text| to_send(text.as_ref()));
        snippet_type.or(alt_text)?;
        let mut digest = Sha256::new();
        for part in [snippet_type, alt_text].map(Option::unwrap_or_default) {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        Some(text::hex(&digest.finalize()))
    }

    /// Returns the title of a file with this name.
    pub(super) fn title_of(&self, name: &FileName) -> String {
        self.title.clone().unwrap_or_else(|| name.as_str().to_owned())
    }

    /// Rejects what the service would reject, before anything is sent. `size` is the file's size, if it is known.
    pub(super) fn check(&self, method: Method, size: Option<u64>) -> Result<(), Problem> {
        self.check_message(method)?;
        let snippet = to_send(self.snippet_type.as_ref()).is_some();
        if method == Method::External && snippet && size.is_some_and(|size| size > SNIPPET) {
            let message = "the service takes a snippet of at most 1 MB";
            return Err(Problem::new(Code::SnippetSize, message).help("send the file without a snippet type"));
        }
        if method == Method::External && size == Some(0) {
            return Err(Problem::new(Code::EmptyFile, "the service rejects empty files")
                .help("leave the file out, or add --skip-empty"));
        }
        Ok(())
    }

    /// Checks that the parts of the message fit the method and each other.
    ///
    /// # Errors
    ///
    /// Returns code `no-channels`, `too-many-channels`, `channel-name`, `thread-channels`, `blocks`, `needs-external` or
    /// `alt-text`.
    pub fn check_message(&self, method: Method) -> Result<(), Problem> {
        self.check_channels(method)?;
        let error = |code, message: &str, help: &str| Err(Problem::new(code, message).help(help));
        if self.blocks.is_some() && to_send(self.comment.as_ref()).is_some() {
            return error(
                Code::Blocks,
                "the service ignores blocks beside a comment",
                "remove --blocks or --comment, or write the comment as a block",
            );
        }
        let alt_text = to_send(self.alt_text.as_ref());
        for (option, given) in [("--blocks", self.blocks.is_some()), ("--alt-text", alt_text.is_some())] {
            if given && method != Method::External {
                let message = format!("`{}` has no field for {option}", method.name());
                let help = format!("remove {option}, or set `upload_method = \"external\"`");
                return error(Code::NeedsExternal, &message, &help);
            }
        }
        if alt_text.is_some_and(|text| text.chars().count() > ALT_TEXT) {
            let help = "shorten --alt-text, or describe the image in the comment";
            return error(Code::AltText, "the service takes an alternative text of at most 1,000 characters", help);
        }
        Ok(())
    }

    /// Checks that the channels fit the method and each other.
    fn check_channels(&self, method: Method) -> Result<(), Problem> {
        let error = |code, message: &str, help: &str| Err(Problem::new(code, message).help(help));
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

    /// Checks that no text of the message contains a secret of the profile. The title and the files are checked file by
    /// file.
    ///
    /// # Errors
    ///
    /// Returns code `own-secret`.
    pub fn check_texts(&self, own: &OwnSecrets) -> Result<(), Problem> {
        for (name, text) in self.fields() {
            #[expect(clippy::disallowed_methods, reason = "searches the text for secrets; copies no byte")]
            if let Some(field) = text.and_then(|text| own.field_in(text.expose_secret())) {
                let message = format!("the {name} contains the `{field}` of the profile that it is sent with");
                let help = format!("remove it from the {name}; nothing was sent");
                return Err(Problem::new(Code::OwnSecret, message).help(help));
            }
        }
        Ok(())
    }
}

/// Returns a text to send, unless it is empty.
#[expect(clippy::disallowed_methods, reason = "the text goes into the form, which is zeroized after it was sent")]
fn to_send(text: Option<&SecretString>) -> Option<&str> {
    text.map(|text| text.expose_secret()).filter(|text| !text.is_empty())
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
    pub fn new(stamp: &str) -> Result<Self, Problem> {
        let digits = |text: &str, len| text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
        match stamp.split_once('.') {
            Some((seconds, rest)) if digits(seconds, 10) && digits(rest, 6) => Ok(Self(stamp.to_owned())),
            _ => Err(Problem::new(
                Code::Thread,
                "a thread is named by the timestamp (`ts`) of its first message, such as 1700000000.000100; in a link to the message, it \
                 is the number after `p`, with a dot before the last six digits",
            )),
        }
    }

    /// Returns the timestamp to send.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name under which a file is posted: not empty, no `/`, no control characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileName(String);

impl FileName {
    /// Validates a name.
    ///
    /// # Errors
    /// Code `file-name`, if the name is not valid.
    pub fn new(name: impl Into<String>) -> Result<Self, Problem> {
        let name = name.into();
        let flaw = if name.is_empty() {
            "it is empty"
        } else if name.contains('/') {
            "it contains a `/`"
        } else if name.chars().any(char::is_control) {
            "it contains a control character"
        } else if name == "." || name == ".." {
            "it names a directory"
        } else {
            return Ok(Self(name));
        };
        Err(bad_name(flaw))
    }

    /// Takes the last component of a path.
    ///
    /// # Errors
    /// Code `file-name`, if the path has no last component, or one that is not UTF-8.
    pub fn from_path(path: &Path) -> Result<Self, Problem> {
        let name = path.file_name().ok_or_else(|| bad_name("the path has no file name"))?;
        Self::new(name.to_str().ok_or_else(|| bad_name("it is not UTF-8"))?)
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn bad_name(flaw: &str) -> Problem {
    Problem::new(Code::FileName, format!("the file can't be posted under its name: {flaw}"))
        .help("choose another name with --filename")
}

/// Returns random bits. The standard library seeds its hashers from the operating system.
pub(super) fn random() -> u64 {
    RandomState::new().hash_one(Instant::now())
}

/// Returns 128 random bits, which no author of a comment or file can predict.
pub(super) fn boundary() -> String {
    format!("credlint-{:016x}{:016x}", random(), random())
}

/// Quotes a name as browsers do: characters that could end the quotes or the line are percent-encoded. Unlike in
/// browsers, `\` is encoded too: some parsers read it as an escape before the closing quote and lose the part; others
/// drop it, or treat the text before it as a directory. Source: WHATWG HTML, multipart/form-data encoding algorithm.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A").replace('\\', "%5C")
}

/// Returns `true` if the service may read another name: this one was encoded, or looks as if it had been.
fn arrives_changed(name: &str) -> bool {
    name.contains(['"', '\\']) || name.contains("%22")
}

/// Returns the parts of the form before and after the file's bytes.
pub(super) fn form_parts(boundary: &str, post: &Post, name: &FileName) -> (Bytes, Bytes) {
    (Bytes::from_owner(form_head(boundary, post, name)), Bytes::from(format!("\r\n--{boundary}--\r\n")))
}

fn form_head(boundary: &str, post: &Post, name: &FileName) -> Zeroizing<Vec<u8>> {
    let channels = post.channel_list();
    let (exact, name) = (Some(name.as_str()).filter(|name| arrives_changed(name)), quoted(name.as_str()));
    let mut pieces = Vec::new();
    for (field, value) in [
        ("channels", Some(channels.as_str())),
        ("initial_comment", to_send(post.comment.as_ref())),
        ("filetype", to_send(post.snippet_type.as_ref())),
        ("title", post.title.as_deref()),
        ("thread_ts", post.thread.as_ref().map(Thread::as_str)),
        // The service uses this name if it is present.
        ("filename", exact),
    ] {
        let disposition = "\r\nContent-Disposition: form-data; name=\"";
        let part = |value| ["--", boundary, disposition, field, "\"\r\n\r\n", value, "\r\n"];
        pieces.extend(value.map(part).into_iter().flatten());
    }
    pieces.extend(["--", boundary, "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"", &name, "\"\r\n"]);
    pieces.push("Content-Type: application/octet-stream\r\n\r\n");
    // Allocated once: a growing buffer would leave copies of the comment in memory.
    Zeroizing::new(pieces.concat().into_bytes())
}

/// Builds the form that requests a ticket for a file.
pub(super) fn ticket_form(post: &Post, name: &FileName, len: u64) -> Bytes {
    form(&[
        ("filename", Some(name.as_str())),
        ("length", Some(&len.to_string())),
        ("snippet_type", to_send(post.snippet_type.as_ref())),
        ("alt_txt", to_send(post.alt_text.as_ref())),
    ])
}

/// Builds the form that completes files, each with its ID and title.
pub(super) fn completion_form<'a>(post: &Post, placed: impl Iterator<Item = (&'a str, &'a str)>) -> Bytes {
    let files: Vec<Value> = placed.map(|(id, title)| json!({"id": id, "title": title})).collect();
    form(&[
        ("files", Some(&Value::from(files).to_string())),
        ("channels", Some(&post.channel_list())),
        ("initial_comment", to_send(post.comment.as_ref())),
        ("blocks", to_send(post.blocks.as_ref().map(Blocks::json))),
        ("thread_ts", post.thread.as_ref().map(Thread::as_str)),
    ])
}

/// Builds a form of the fields that have a value. It may contain the texts of the message, and is zeroized after it was
/// sent.
fn form(pairs: &[(&str, Option<&str>)]) -> Bytes {
    // Allocated at its largest size, three characters for each byte: a buffer that grows leaves copies of the comment
    // in memory.
    let len: usize = pairs.iter().map(|(key, value)| key.len() + 2 + 3 * value.map_or(0, str::len)).sum();
    let mut words = Zeroizing::new(String::with_capacity(len));
    let mut form = form_urlencoded::Serializer::new(&mut *words);
    for (key, value) in pairs {
        if let Some(value) = value {
            form.append_pair(key, value);
        }
    }
    Bytes::from_owner(ZeroizedForm(words))
}

struct ZeroizedForm(Zeroizing<String>);

impl AsRef<[u8]> for ZeroizedForm {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::value::ChannelId;

    #[test]
    fn encodes_characters_that_end_quotes() {
        assert_eq!(quoted("a\"b\r\nX-Evil: 1\\%22é;.csv"), "a%22b%0D%0AX-Evil: 1%5C%22é;.csv");
        assert_eq!(quoted("a\\"), "a%5C");
        for (name, changed) in [("a b%5C'é;.csv", false), ("a\"", true), ("\\a", true), ("%22", true)] {
            assert_eq!(arrives_changed(name), changed, "{name}");
        }
    }

    #[test]
    fn boundaries_differ() {
        let (a, b) = (boundary(), boundary());
        assert!(a != b && a.len() == 41 && a.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'));
    }

    #[test]
    fn allocates_form_head_exactly() {
        let post = Post::new(["C1", "C2"].map(|id| ChannelId::parse(id).unwrap()).into())
            .with_comment(Some("two\r\nlines".into()));
        let head = form_head("B", &post, &FileName::new("f").unwrap());
        assert_eq!(head.len(), head.capacity());
        assert_eq!(
            std::str::from_utf8(&head).unwrap(),
            "--B\r\nContent-Disposition: form-data; name=\"channels\"\r\n\r\nC1,C2\r\n\
             --B\r\nContent-Disposition: form-data; name=\"initial_comment\"\r\n\r\ntwo\r\nlines\r\n\
             --B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
    }
}
