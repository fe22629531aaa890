//! The streamed body of a request, which records in the ledger how much was sent.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use super::ledger::{Account, Phase, SentBytes};
use crate::source::Problem;
use crate::upload::payload::reader::Feed;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

/// Must complete before the last bytes of a request are sent, so that the journal is on disk before anything is posted.
pub type CommitGate = Pin<Box<dyn Future<Output = Result<(), Problem>> + Send + Sync>>;

/// The size of one piece. hyper buffers far more than that before it asks for the next piece, but drops each piece as
/// soon as it is written. So this is the resolution at which a slow upload reports progress.
const PIECE: usize = 32 * 1024;

/// A piece of the body that reports when it was written.
struct Piece {
    bytes: Bytes,
    ledger: SentBytes,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        self.ledger.account().last_activity = Some(Instant::now());
    }
}

/// The part of a body that is sent next.
enum BodyPart {
    /// The bytes before the file.
    Head(Bytes),
    /// The bytes of the file, from the feed.
    File,
    /// Nothing is sent until the commit gate opens.
    Gate,
    /// The bytes after the file, if any.
    Tail,
    /// The end of the body.
    End,
}

/// The body of a request: a file, and the form around it if the method needs one.
pub struct Body {
    part: BodyPart,
    feed: Feed,
    /// The unsent rest of the last chunk from the feed.
    chunk: Bytes,
    gate: Option<CommitGate>,
    tail: Option<Bytes>,
    /// The number of bytes still to send; `None` if it is not known.
    left: Option<u64>,
    pub ledger: SentBytes,
}

impl Body {
    /// Creates a form around a file. `tail` is its end, without which a service does not treat the form as complete.
    pub fn form(head: Bytes, feed: Feed, tail: Bytes, len: Option<u64>, ledger: SentBytes) -> Self {
        let left = len.map(|len| len + (head.len() + tail.len()) as u64);
        Self { part: BodyPart::Head(head), tail: Some(tail), ..Self::raw(feed, left, ledger) }
    }

    /// Creates a body of the bytes of a file alone.
    pub fn raw(feed: Feed, len: Option<u64>, ledger: SentBytes) -> Self {
        Self { part: BodyPart::File, feed, chunk: Bytes::new(), gate: None, tail: None, left: len, ledger }
    }

    /// Creates a body of bytes in memory.
    pub fn from_bytes(bytes: Bytes, ledger: SentBytes) -> Self {
        let left = Some(bytes.len() as u64);
        if bytes.is_empty() {
            // hyper does not poll a body of length 0.
            ledger.account().finish();
        }
        Self { tail: Some(bytes), ..Self::raw(Feed::Whole(None), left, ledger) }
    }

    /// Sets the gate that must open before the last bytes are sent.
    pub fn with_gate(mut self, gate: Option<CommitGate>) -> Self {
        self.gate = gate;
        self
    }

    /// Polls the gate.
    fn poll_gate(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Problem>> {
        let Some(gate) = &mut self.gate else { return Poll::Ready(Ok(())) };
        let opened = gate.as_mut().poll(context);
        if opened.is_ready() {
            self.gate = None;
        }
        opened
    }

    /// Polls the next piece. The phase is read and the piece is recorded under one lock, so a request is aborted either
    /// before the piece or after it.
    fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            let mut account = self.ledger.account();
            match account.phase {
                Phase::Sending => {}
                Phase::Halted => {
                    account.wake_on_change(context.waker());
                    return Poll::Pending;
                }
                Phase::Aborted => return Poll::Ready(Some(Err(io::ErrorKind::Other.into()))),
                Phase::Finished => return Poll::Ready(None),
            }
            match &mut self.part {
                BodyPart::Head(head) => {
                    let head = std::mem::take(head);
                    self.part = BodyPart::File;
                    account.handed_over(0);
                    return Poll::Ready(Some(Ok(head)));
                }
                BodyPart::File if self.chunk.is_empty() => {
                    // Release the lock: reading may lock the account.
                    drop(account);
                    match self.feed.poll(context) {
                        Poll::Pending => {
                            let mut account = self.ledger.account();
                            account.starve();
                            account.wake_on_change(context.waker());
                            if account.phase == Phase::Sending {
                                return Poll::Pending;
                            }
                            // The request was aborted in the meantime.
                        }
                        Poll::Ready(Ok(Some(chunk))) => self.chunk = chunk,
                        Poll::Ready(Ok(None)) => self.part = BodyPart::Gate,
                        Poll::Ready(Err(error)) => return fail(&mut self.ledger.account(), error),
                    }
                }
                BodyPart::File => {
                    let len = self.chunk.len().min(PIECE);
                    // hyper does not poll a body of known length after its last byte.
                    let last = self.left == Some(len as u64);
                    if last && self.gate.is_some() {
                        self.part = BodyPart::Gate;
                        continue;
                    }
                    let bytes = self.chunk.split_to(len);
                    account.handed_over(bytes.len());
                    if last {
                        account.finish();
                    }
                    return Poll::Ready(Some(Ok(piece(bytes, &self.ledger))));
                }
                BodyPart::Gate => {
                    account.wake_on_change(context.waker());
                    // Release the lock: the gate may lock the account.
                    drop(account);
                    match self.poll_gate(context) {
                        Poll::Pending => return Poll::Pending,
                        Poll::Ready(Err(error)) => return fail(&mut self.ledger.account(), error),
                        Poll::Ready(Ok(())) if self.chunk.is_empty() => self.part = BodyPart::Tail,
                        Poll::Ready(Ok(())) => self.part = BodyPart::File,
                    }
                }
                BodyPart::Tail => {
                    self.part = BodyPart::End;
                    account.finish();
                    return Poll::Ready(self.tail.take().map(|tail| Ok(piece(tail, &self.ledger))));
                }
                BodyPart::End => return Poll::Ready(None),
            }
        }
    }
}

fn piece(bytes: Bytes, ledger: &SentBytes) -> Bytes {
    Bytes::from_owner(Piece { bytes, ledger: ledger.clone() })
}

/// Ends the body early. The ledger holds the reason.
fn fail(account: &mut Account, error: Problem) -> Poll<Option<io::Result<Bytes>>> {
    account.phase = Phase::Aborted;
    account.failure = Some(error);
    Poll::Ready(Some(Err(io::ErrorKind::Other.into())))
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let next = self.poll_piece(context);
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
