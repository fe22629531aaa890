//! The body of a request, within bounds: so many bytes of a file, and little beside them.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::{BodyDataStream, BodyExt};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};

/// What a request may have beside the bytes of a file: its arguments, and in a form the headers of its parts and whatever
/// stands between them. Some of a file is counted, too, until the parser has told what it is.
pub(super) const BESIDE: u64 = 2 * 1024 * 1024;

/// The request is larger than it may be.
#[derive(Debug)]
pub(super) struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the request is larger than it may be")
    }
}

impl std::error::Error for TooLarge {}

/// What of a request is still to come, and what was found out about it.
#[derive(Debug)]
pub(super) struct Bounds {
    /// How many more bytes of a file.
    file: AtomicU64,
    /// Some bound was passed: whatever is made of the rest, it is refused.
    over: AtomicBool,
}

impl Bounds {
    /// Counts bytes of a file.
    pub(super) fn file(&self, bytes: usize) -> Result<(), TooLarge> {
        match self.file.load(Relaxed).checked_sub(bytes as u64) {
            Some(left) => {
                self.file.store(left, Relaxed);
                Ok(())
            }
            None => Err(self.pass()),
        }
    }

    fn pass(&self) -> TooLarge {
        self.over.store(true, Relaxed);
        TooLarge
    }
}

/// The body of a request. It ends in an error where it is larger than a file with all that may stand beside it.
pub(super) struct Body {
    incoming: Incoming,
    left: u64,
    read: u64,
    bounds: Arc<Bounds>,
}

impl Body {
    /// One whose length is said to be too large is refused before a byte of it is read.
    pub(super) fn new(incoming: Incoming, max_file: u64) -> Self {
        let left = max_file.saturating_add(BESIDE);
        let over = incoming.size_hint().lower() > left;
        let bounds = Bounds { file: AtomicU64::new(max_file), over: AtomicBool::new(over) };
        Self { incoming, left, read: 0, bounds: Arc::new(bounds) }
    }

    pub(super) fn bounds(&self) -> Arc<Bounds> {
        Arc::clone(&self.bounds)
    }

    /// Whether it is larger than it may be, as far as is known.
    pub(super) fn is_over(&self) -> bool {
        self.bounds.over.load(Relaxed)
    }

    /// How many bytes of it were read.
    pub(super) const fn read(&self) -> u64 {
        self.read
    }

    /// Reads to the end: a client that is still sending would see a broken connection in place of an early answer. Of one
    /// that is too large only a little more is read.
    pub(super) async fn drain(&mut self) {
        if self.is_over() {
            self.left = BESIDE;
        }
        while let Some(Ok(_)) = self.frame().await {}
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = std::task::ready!(Pin::new(&mut self.incoming).poll_frame(cx));
        let bytes = match &frame {
            Some(Ok(frame)) => frame.data_ref().map_or(0, Bytes::len),
            _ => 0,
        };
        self.read += bytes as u64;
        match self.left.checked_sub(bytes as u64) {
            Some(left) => self.left = left,
            None => return Poll::Ready(Some(Err(self.bounds.pass().into()))),
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

/// A form that is being read.
pub(super) struct Form<'a> {
    multipart: multer::Multipart<'a>,
    beside: Arc<AtomicU64>,
    bounds: Arc<Bounds>,
}

impl<'a> Form<'a> {
    pub(super) fn new(body: &'a mut Body, boundary: String) -> Self {
        let (beside, bounds) = (Arc::new(AtomicU64::new(0)), body.bounds());
        let counted = Counted { body, beside: Arc::clone(&beside) };
        Self { multipart: multer::Multipart::new(BodyDataStream::new(counted), boundary), beside, bounds }
    }

    pub(super) async fn next(&mut self) -> multer::Result<Option<multer::Field<'a>>> {
        self.multipart.next_field().await
    }

    /// The next bytes of a field that is a file.
    pub(super) async fn of_file(&self, field: &mut multer::Field<'_>) -> multer::Result<Option<Bytes>> {
        let Some(chunk) = field.chunk().await? else { return Ok(None) };
        self.bounds.file(chunk.len()).map_err(|error| multer::Error::StreamReadFailed(error.into()))?;
        self.beside.fetch_sub(chunk.len() as u64, Relaxed);
        Ok(Some(chunk))
    }
}

/// The body of a form, with an account of what was not yet known to be of a file. A parser keeps what it can't place.
struct Counted<'a> {
    body: &'a mut Body,
    beside: Arc<AtomicU64>,
}

impl HttpBody for Counted<'_> {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = std::task::ready!(Pin::new(&mut *self.body).poll_frame(cx));
        let bytes = match &frame {
            Some(Ok(frame)) => frame.data_ref().map_or(0, Bytes::len) as u64,
            _ => 0,
        };
        if self.beside.fetch_add(bytes, Relaxed) + bytes > BESIDE {
            return Poll::Ready(Some(Err(self.body.bounds.pass().into())));
        }
        Poll::Ready(frame)
    }
}
