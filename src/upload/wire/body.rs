//! The body of a request, piece by piece, with an account of how far it is.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};

use super::feed::{Feed, FeedMessage};
use super::ledger::{Account, Ledger, Phase};
use super::turn::Turn;
use crate::code::Code;
use crate::upload::error::UploadError;

/// Has to be over before the last bytes of a request may go: what is written down before something is posted.
pub type CommitGate = Pin<Box<dyn Future<Output = Result<(), UploadError>> + Send + Sync>>;

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
        self.ledger.account().written();
    }
}

/// A turn for everybody else, after a chunk that was read where it is sent: a network that takes all at once would keep the
/// answer, a signal and every other file waiting until the file has gone.
type Yield = Pin<Box<dyn Future<Output = ()> + Send + Sync>>;

/// What of a body goes next.
enum BodyPart {
    /// What stands before the file.
    Head(Bytes),
    /// The bytes of the file, from the feed.
    File,
    /// Nothing, until the commit gate opens.
    Gate,
    /// What stands after the file; there may be none.
    Tail,
    /// Nothing more.
    End,
}

/// The body of the request: a file, with what its method puts around it.
pub struct Body {
    part: BodyPart,
    feed: Feed,
    /// The rest of what was last taken from the feed.
    chunk: Bytes,
    gate: Option<CommitGate>,
    others: Option<Yield>,
    tail: Option<Bytes>,
    /// Bytes still to come, if that is known.
    left: Option<u64>,
    ledger: Ledger,
}

impl Body {
    /// A form around a file: the last bytes of it, after which a service takes it for complete, are `tail`.
    pub fn form(head: Bytes, feed: Feed, tail: Bytes, len: Option<u64>, ledger: Ledger) -> Self {
        let left = len.map(|len| len + (head.len() + tail.len()) as u64);
        Self { part: BodyPart::Head(head), tail: Some(tail), ..Self::raw(feed, left, ledger) }
    }

    /// The bytes of a file and nothing else.
    pub fn raw(feed: Feed, len: Option<u64>, ledger: Ledger) -> Self {
        Self {
            part: BodyPart::File,
            feed,
            chunk: Bytes::new(),
            gate: None,
            others: None,
            tail: None,
            left: len,
            ledger,
        }
    }

    /// A few words.
    pub fn words(words: Bytes, ledger: Ledger) -> Self {
        let left = Some(words.len() as u64);
        if words.is_empty() {
            // Nobody asks a body of no length for its end.
            ledger.account().finish();
        }
        Self { tail: Some(words), ..Self::raw(Feed::Whole(None), left, ledger) }
    }

    /// Waits for this before the last bytes go.
    pub fn with_gate(mut self, gate: Option<CommitGate>) -> Self {
        self.gate = gate;
        self
    }

    /// Waits until the client has had its turn to read, after everything else and before the last bytes go.
    pub fn with_turn(mut self, turn: Turn) -> Self {
        let gate = self.gate.take();
        self.gate = Some(Box::pin(async move {
            if let Some(gate) = gate {
                gate.await?;
            }
            turn.wait().await;
            Ok(())
        }));
        self
    }

    /// Whether all of it is in memory and goes in one write, together with the head of the request.
    pub fn goes_at_once(&self) -> bool {
        let here = matches!(self.feed, Feed::Whole(_)) && self.gate.is_none();
        here && self.left.is_some_and(|left| left <= PIECE as u64)
    }

    /// Whether the gate is open.
    fn poll_gate(&mut self, context: &mut Context<'_>) -> Poll<Result<(), UploadError>> {
        let Some(gate) = &mut self.gate else { return Poll::Ready(Ok(())) };
        let opened = gate.as_mut().poll(context);
        if opened.is_ready() {
            self.gate = None;
        }
        opened
    }

    /// The next piece. What the account says, and what it is told of that piece, is one step: whoever calls the request
    /// off comes before it or after it.
    fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, BrokenOff>>> {
        loop {
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
            match &mut self.part {
                BodyPart::Head(head) => {
                    let head = std::mem::take(head);
                    self.part = BodyPart::File;
                    account.handed_over(0);
                    return Poll::Ready(Some(Ok(head)));
                }
                BodyPart::File if self.chunk.is_empty() => {
                    // Whoever reads may look at the account, or take a moment.
                    drop(account);
                    if let Some(others) = &mut self.others {
                        std::task::ready!(others.as_mut().poll(context));
                        self.others = None;
                        // Anything may have happened.
                        continue;
                    }
                    match poll_feed(&mut self.feed, context) {
                        Poll::Pending => {
                            let mut account = self.ledger.account();
                            account.starved = true;
                            account.wait(context.waker());
                            if account.phase == Phase::Sending {
                                return Poll::Pending;
                            }
                            // It was called off in the meantime.
                        }
                        Poll::Ready(FeedMessage::Chunk(chunk)) => {
                            self.chunk = chunk;
                            if matches!(self.feed, Feed::Here(_)) {
                                self.others = Some(Box::pin(tokio::task::yield_now()));
                            }
                        }
                        Poll::Ready(FeedMessage::End) => self.part = BodyPart::Gate,
                        Poll::Ready(FeedMessage::Failed(error)) => return fail(&mut self.ledger.account(), error),
                    }
                }
                BodyPart::File => {
                    let len = self.chunk.len().min(PIECE);
                    // Of a body of known length nobody asks for more than that.
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
                    account.wait(context.waker());
                    // Whoever opens the gate may look at the account.
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

fn poll_feed(feed: &mut Feed, context: &mut Context<'_>) -> Poll<FeedMessage> {
    if let Feed::Here(source) = feed {
        if let Some(message) = source.next() {
            return Poll::Ready(message);
        }
        let Feed::Here(source) = std::mem::replace(feed, Feed::Whole(None)) else { unreachable!("it was just that") };
        match source.elsewhere() {
            Ok(elsewhere) => *feed = elsewhere,
            Err(error) => return Poll::Ready(FeedMessage::Failed(error)),
        }
    }
    match feed {
        Feed::Here(_) => unreachable!("that is elsewhere now"),
        Feed::Whole(bytes) => {
            let bytes = bytes.take().filter(|bytes| !bytes.is_empty());
            Poll::Ready(bytes.map_or(FeedMessage::End, FeedMessage::Chunk))
        }
        Feed::Thread(receiver) => receiver.poll_recv(context).map(|message| {
            let broken_off = || UploadError::new(Code::FileUnreadable, "the file could not be read to its end");
            message.unwrap_or_else(|| FeedMessage::Failed(broken_off()))
        }),
    }
}

fn piece(bytes: Bytes, ledger: &Ledger) -> Bytes {
    Bytes::from_owner(Piece { bytes, ledger: ledger.clone() })
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

/// The body ends before the form does. Why, says the ledger.
#[derive(Debug)]
pub struct BrokenOff;

impl std::fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the body was cut off")
    }
}

impl std::error::Error for BrokenOff {}
