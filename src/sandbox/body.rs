//! The body of a request, with limits for the bytes of a file and for everything else.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::{BodyDataStream, BodyExt};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};

/// The limit for everything in a request except the bytes of a file: its arguments, and in a form the headers and the
/// delimiters of its parts. Bytes of a file are included until the parser has identified them.
pub(super) const OVERHEAD: u64 = 2 * 1024 * 1024;

/// The error of a request that exceeds a limit.
#[derive(Debug)]
pub(super) struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the request is too large")
    }
}

impl std::error::Error for TooLarge {}

/// The limits of a request, as they are used up.
#[derive(Debug)]
pub(super) struct Limits {
    /// The number of further bytes that a file may have.
    file: AtomicU64,
    /// A limit was exceeded, so the request is refused, whatever the rest of it is.
    exceeded: AtomicBool,
}

impl Limits {
    /// Counts bytes of a file against its limit.
    pub(super) fn count_file(&self, bytes: usize) -> Result<(), TooLarge> {
        match self.file.load(Relaxed).checked_sub(bytes as u64) {
            Some(left) => {
                self.file.store(left, Relaxed);
                Ok(())
            }
            None => Err(self.exceed()),
        }
    }

    fn exceed(&self) -> TooLarge {
        self.exceeded.store(true, Relaxed);
        TooLarge
    }
}

/// The body of a request. Reading fails if it is larger than the limit of a file plus [`OVERHEAD`].
pub(super) struct Body {
    incoming: Incoming,
    left: u64,
    read: u64,
    limits: Arc<Limits>,
}

impl Body {
    /// Creates a body. If its announced length exceeds the limit, it is refused before a byte of it is read.
    pub(super) fn new(incoming: Incoming, max_file: u64) -> Self {
        let left = max_file.saturating_add(OVERHEAD);
        let exceeded = incoming.size_hint().lower() > left;
        let limits = Limits { file: AtomicU64::new(max_file), exceeded: AtomicBool::new(exceeded) };
        Self { incoming, left, read: 0, limits: Arc::new(limits) }
    }

    pub(super) fn limits(&self) -> Arc<Limits> {
        Arc::clone(&self.limits)
    }

    /// Returns `true` if a limit was exceeded so far.
    pub(super) fn is_too_large(&self) -> bool {
        self.limits.exceeded.load(Relaxed)
    }

    /// Returns the number of bytes that were read.
    pub(super) const fn read(&self) -> u64 {
        self.read
    }

    /// Reads to the end, because a client that is still sending would see a broken connection instead of an early
    /// answer. If the request is too large, reads only a little more.
    pub(super) async fn drain(&mut self) {
        if self.is_too_large() {
            self.left = OVERHEAD;
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
            None => return Poll::Ready(Some(Err(self.limits.exceed().into()))),
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
    overhead: Arc<AtomicU64>,
    limits: Arc<Limits>,
}

impl<'a> Form<'a> {
    pub(super) fn new(body: &'a mut Body, boundary: String) -> Self {
        let (overhead, limits) = (Arc::new(AtomicU64::new(0)), body.limits());
        let counted = Counted { body, overhead: Arc::clone(&overhead) };
        Self { multipart: multer::Multipart::new(BodyDataStream::new(counted), boundary), overhead, limits }
    }

    pub(super) async fn next(&mut self) -> multer::Result<Option<multer::Field<'a>>> {
        self.multipart.next_field().await
    }

    /// Reads the next bytes of a field that is a file.
    pub(super) async fn file_chunk(&self, field: &mut multer::Field<'_>) -> multer::Result<Option<Bytes>> {
        let Some(chunk) = field.chunk().await? else { return Ok(None) };
        self.limits.count_file(chunk.len()).map_err(|error| multer::Error::StreamReadFailed(error.into()))?;
        self.overhead.fetch_sub(chunk.len() as u64, Relaxed);
        Ok(Some(chunk))
    }
}

/// The body of a form, which counts the bytes that are not yet known to belong to a file. The parser buffers those.
struct Counted<'a> {
    body: &'a mut Body,
    overhead: Arc<AtomicU64>,
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
        if self.overhead.fetch_add(bytes, Relaxed) + bytes > OVERHEAD {
            return Poll::Ready(Some(Err(self.body.limits.exceed().into())));
        }
        Poll::Ready(frame)
    }
}
