//! Builds the forms: that of an upload, in which no name or comment can break out of its part, and that of a completion.

use bytes::Bytes;
use serde_json::{Value, json};
use url::form_urlencoded;
use zeroize::Zeroizing;

use super::payload::FileName;
use super::post::{Post, Thread};
use super::retry::random;

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
pub(super) fn frame(boundary: &str, post: &Post, name: &FileName) -> (Bytes, Bytes) {
    (Bytes::from_owner(head(boundary, post, name)), Bytes::from(format!("\r\n--{boundary}--\r\n")))
}

fn head(boundary: &str, post: &Post, name: &FileName) -> Zeroizing<Vec<u8>> {
    let channels = post.channel_list();
    let (exact, name) = (Some(name.as_str()).filter(|name| arrives_changed(name)), quoted(name.as_str()));
    let pieces = |out: &mut dyn FnMut(&str)| {
        let mut field = |field: &str, value: &str| {
            for piece in
                ["--", boundary, "\r\nContent-Disposition: form-data; name=\"", field, "\"\r\n\r\n", value, "\r\n"]
            {
                out(piece);
            }
        };
        field("channels", &channels);
        for (name, value) in [
            ("initial_comment", post.comment_to_send()),
            ("title", post.title.as_deref()),
            ("thread_ts", post.thread.as_ref().map(Thread::as_str)),
            // The service uses this name if it is present.
            ("filename", exact),
        ] {
            if let Some(value) = value {
                field(name, value);
            }
        }
        for piece in ["--", boundary, "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"", &name, "\"\r\n"]
        {
            out(piece);
        }
        out("Content-Type: application/octet-stream\r\n\r\n");
    };
    // Allocate once: a growing buffer would leave copies of the comment in memory.
    let mut len = 0;
    pieces(&mut |piece| len += piece.len());
    let mut head = Zeroizing::new(Vec::with_capacity(len));
    pieces(&mut |piece| head.extend_from_slice(piece.as_bytes()));
    head
}

/// Builds the form that completes files, each with its ID and title. It may contain the comment, and is zeroized after
/// it was sent.
pub fn completion_form<'a>(post: &Post, placed: impl Iterator<Item = (&'a str, &'a str)>) -> Bytes {
    let files: Vec<Value> = placed.map(|(id, title)| json!({"id": id, "title": title})).collect();
    let files = Value::from(files).to_string();
    let channels = post.channel_list();
    let pairs = [
        ("files", Some(files.as_str())),
        ("channels", Some(channels.as_str())),
        ("initial_comment", post.comment_to_send()),
        ("thread_ts", post.thread.as_ref().map(Thread::as_str)),
    ];
    // Allocated at its largest size, three characters for each byte: a buffer that grows leaves copies of the comment
    // behind.
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
    fn characters_that_end_the_quotes_are_encoded() {
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
    fn the_head_is_sized_exactly() {
        let post = Post::new(["C1", "C2"].map(|id| ChannelId::parse(id).unwrap()).into())
            .with_comment(Some("two\r\nlines".into()));
        let head = head("B", &post, &FileName::new("f").unwrap());
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
