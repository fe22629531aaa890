//! The multipart form, framed byte by byte: what is in a name or a comment stays in its part.

use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use secrecy::ExposeSecret;
use zeroize::Zeroizing;

use super::Post;
use super::ledger::{Ledger, Phase};
use super::payload::{Feed, FileName, Message};
use super::receipt::UploadError;

/// 128 random bits: nobody who wrote a comment or a file could know them.
pub(super) fn boundary() -> String {
    // The standard library seeds each of these from the operating system or from one that was.
    let random = || RandomState::new().hash_one(std::time::Instant::now());
    format!("credlint-{:016x}{:016x}", random(), random())
}

/// A name in quotes as browsers send it: what could end the quotes or the line is percent-encoded, nothing else.
/// Source: WHATWG HTML, multipart/form-data encoding algorithm.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

/// Everything up to the first byte of the file.
fn head(boundary: &str, post: &Post, name: &FileName) -> Zeroizing<Vec<u8>> {
    let channels = post.channels.iter().map(|channel| channel.as_str()).collect::<Vec<_>>().join(",");
    #[expect(
        clippy::disallowed_methods,
        reason = "the comment goes into the form, which is zeroized after it was sent"
    )]
    let comment = post.comment.as_ref().map(|comment| comment.expose_secret()).filter(|comment| !comment.is_empty());
    let name = quoted(name.as_str());
    let pieces = |comment: Option<&str>, out: &mut dyn FnMut(&str)| {
        let mut field = |field: &str, value: &str| {
            for piece in
                ["--", boundary, "\r\nContent-Disposition: form-data; name=\"", field, "\"\r\n\r\n", value, "\r\n"]
            {
                out(piece);
            }
        };
        field("channels", &channels);
        if let Some(comment) = comment {
            field("initial_comment", comment);
        }
        for piece in ["--", boundary, "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"", &name, "\"\r\n"]
        {
            out(piece);
        }
        out("Content-Type: application/octet-stream\r\n\r\n");
    };
    // Sized first: a buffer that grows leaves copies of the comment behind.
    let mut len = 0;
    pieces(comment, &mut |piece| len += piece.len());
    let mut head = Zeroizing::new(Vec::with_capacity(len));
    pieces(comment, &mut |piece| head.extend_from_slice(piece.as_bytes()));
    head
}

/// What is handed over in one piece. The stack below takes far more than that before it asks for the next piece; but
/// it drops every one as soon as it is written, so this is how finely a slow upload is seen to move.
const PIECE: usize = 32 * 1024;

/// A piece that says when it has gone.
struct Piece {
    bytes: Bytes,
    ledger: Ledger,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        self.ledger.account().went();
    }
}

/// The body of the request.
pub(super) struct Form {
    head: Option<Bytes>,
    feed: Feed,
    /// The rest of what was last taken from the feed.
    chunk: Bytes,
    tail: Option<Bytes>,
    /// Bytes still to come, if that is known.
    left: Option<u64>,
    ledger: Ledger,
}

impl Form {
    pub(super) fn new(
        boundary: &str,
        post: &Post,
        name: &FileName,
        feed: Feed,
        len: Option<u64>,
        ledger: Ledger,
    ) -> Self {
        let head = Bytes::from_owner(head(boundary, post, name));
        let tail = Bytes::from(format!("\r\n--{boundary}--\r\n"));
        let left = len.map(|len| len + (head.len() + tail.len()) as u64);
        Self { head: Some(head), feed, chunk: Bytes::new(), tail: Some(tail), left, ledger }
    }

    fn next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, BrokenOff>>> {
        let mut account = self.ledger.account();
        match account.phase {
            Phase::Sending => {}
            Phase::Halted => {
                account.wait(context.waker());
                return Poll::Pending;
            }
            Phase::Aborted => return Poll::Ready(Some(Err(BrokenOff))),
            Phase::Finished => return Poll::Ready(None),
        }
        if let Some(head) = self.head.take() {
            account.took(0);
            return Poll::Ready(Some(Ok(head)));
        }
        if self.chunk.is_empty() {
            let message = match &mut self.feed {
                Feed::Whole(bytes) => {
                    bytes.take().filter(|bytes| !bytes.is_empty()).map_or(Message::End, Message::Chunk)
                }
                Feed::Thread(receiver) => match receiver.poll_recv(context) {
                    Poll::Ready(Some(message)) => message,
                    Poll::Ready(None) => {
                        Message::Failed(UploadError::new("file-unreadable", "reading the file broke off"))
                    }
                    Poll::Pending => {
                        account.starved = true;
                        account.wait(context.waker());
                        return Poll::Pending;
                    }
                },
            };
            match message {
                Message::Chunk(chunk) => self.chunk = chunk,
                Message::End => {
                    account.finish();
                    return Poll::Ready(self.tail.take().map(|tail| Ok(self.piece(tail))));
                }
                Message::Failed(error) => {
                    account.phase = Phase::Aborted;
                    account.failure = Some(error);
                    return Poll::Ready(Some(Err(BrokenOff)));
                }
            }
        }
        let piece = self.chunk.split_to(self.chunk.len().min(PIECE));
        account.took(piece.len());
        Poll::Ready(Some(Ok(self.piece(piece))))
    }

    fn piece(&self, bytes: Bytes) -> Bytes {
        Bytes::from_owner(Piece { bytes, ledger: self.ledger.clone() })
    }
}

impl Body for Form {
    type Data = Bytes;
    type Error = BrokenOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenOff>>> {
        let next = self.next(context);
        if let (Poll::Ready(Some(Ok(chunk))), Some(left)) = (&next, &mut self.left) {
            *left = left.saturating_sub(chunk.len() as u64);
        }
        next.map(|next| next.map(|chunk| chunk.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.tail.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map(SizeHint::with_exact).unwrap_or_default()
    }
}

/// The body ends before the form does. Why, says the ledger.
#[derive(Debug)]
pub(super) struct BrokenOff;

impl std::fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the body was broken off")
    }
}

impl std::error::Error for BrokenOff {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::value::ChannelId;

    #[test]
    fn names_are_quoted_as_browsers_do() {
        assert_eq!(quoted("a\"b\r\nX-Evil: 1\\%22é;.csv"), "a%22b%0D%0AX-Evil: 1\\%22é;.csv");
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
