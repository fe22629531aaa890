//! Builds the form of a completion.

use bytes::Bytes;
use serde_json::{Value, json};
use url::form_urlencoded;
use zeroize::Zeroizing;

use crate::upload::post::{Post, Thread};

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
