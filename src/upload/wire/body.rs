//! The body of a request, piece by piece, with an account of how far it is.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};

use super::ledger::{Account, Ledger, Phase};
use crate::upload::payload::{Feed, Message};
use crate::upload::receipt::UploadError;

/// Has to be over before the last bytes of a request may go: what is written down before something is posted.
pub type Leave = Pin<Box<dyn Future<Output = Result<(), UploadError>> + Send + Sync>>;

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

/// The body of the request: a file, with what its method puts around it.
pub struct Body {
    head: Option<Bytes>,
    feed: Feed,
    /// The rest of what was last taken from the feed.
    chunk: Bytes,
    tail: Option<Bytes>,
    /// Bytes still to come, if that is known.
    left: Option<u64>,
    leave: Option<Leave>,
    ledger: Ledger,
}

impl Body {
    /// A form around a file: the last bytes of it, after which a service takes it for complete, are `tail`.
    pub fn form(head: Bytes, feed: Feed, tail: Bytes, len: Option<u64>, ledger: Ledger) -> Self {
        let left = len.map(|len| len + (head.len() + tail.len()) as u64);
        Self { head: Some(head), feed, chunk: Bytes::new(), tail: Some(tail), left, leave: None, ledger }
    }

    /// The bytes of a file and nothing else.
    pub fn raw(feed: Feed, len: u64, ledger: Ledger) -> Self {
        Self { head: None, feed, chunk: Bytes::new(), tail: None, left: Some(len), leave: None, ledger }
    }

    /// A few words.
    pub fn words(words: Bytes, ledger: Ledger) -> Self {
        let left = Some(words.len() as u64);
        Self { head: None, feed: Feed::Whole(None), chunk: Bytes::new(), tail: Some(words), left, leave: None, ledger }
    }

    /// Waits for this before the last bytes go.
    pub fn with_leave(mut self, leave: Option<Leave>) -> Self {
        self.leave = leave;
        self
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
                    // Asked once more after the leave, the feed has nothing but its end.
                    self.feed = Feed::Whole(None);
                    if let Some(leave) = &mut self.leave {
                        account.wait(context.waker());
                        // Whoever gives the leave may look at the account.
                        drop(account);
                        let given = leave.as_mut().poll(context);
                        account = self.ledger.account();
                        match given {
                            Poll::Pending => return Poll::Pending,
                            Poll::Ready(Err(error)) => return fail(&mut account, error),
                            Poll::Ready(Ok(())) => self.leave = None,
                        }
                        if account.phase != Phase::Sending {
                            // Called off in the meantime.
                            drop(account);
                            return self.next(context);
                        }
                    }
                    account.finish();
                    return Poll::Ready(self.tail.take().map(|tail| Ok(self.piece(tail))));
                }
                Message::Failed(error) => return fail(&mut account, error),
            }
        }
        let piece = self.chunk.split_to(self.chunk.len().min(PIECE));
        account.took(piece.len());
        // Of a body of known length nobody asks for more than that.
        if self.left == Some(piece.len() as u64) {
            account.finish();
        }
        Poll::Ready(Some(Ok(self.piece(piece))))
    }

    fn piece(&self, bytes: Bytes) -> Bytes {
        Bytes::from_owner(Piece { bytes, ledger: self.ledger.clone() })
    }
}

fn fail(account: &mut Account, error: UploadError) -> Poll<Option<Result<Bytes, BrokenOff>>> {
    account.phase = Phase::Aborted;
    account.failure = Some(error);
    Poll::Ready(Some(Err(BrokenOff)))
}

impl http_body::Body for Body {
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
        self.left.map_or(self.tail.is_none(), |left| left == 0)
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map(SizeHint::with_exact).unwrap_or_default()
    }
}

/// The body ends before the form does. Why, says the ledger.
#[derive(Debug)]
pub struct BrokenOff;

impl std::fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the body was broken off")
    }
}

impl std::error::Error for BrokenOff {}
