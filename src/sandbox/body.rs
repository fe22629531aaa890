//! The body of a request, with limits for the bytes of a file and for everything else, and the arguments of a method in
//! each form that the hosted service accepts: in the query, as a form, as JSON, and in a mixture of those.
//! <https://docs.slack.dev/apis/web-api>

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::{BodyDataStream, BodyExt, LengthLimitError, Limited};
use hyper::Request;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::header::CONTENT_TYPE;
use serde_json::Value;

use super::reply::MethodError;

/// The limit for everything in a request except the bytes of a file: its arguments, and in a form the headers and the
/// delimiters of its parts. Bytes of a file are included until the parser has identified them.
pub(super) const OVERHEAD: u64 = 2 * 1024 * 1024;

/// The error of a request that exceeds a limit.
const TOO_LARGE: &str = "the request is too large";

/// The limits of a request, as they are used up.
#[derive(Debug)]
pub(super) struct BodyLimits {
    /// The number of further bytes that a file may have.
    file: AtomicU64,
    /// The number of bytes of a form that are not known to belong to a file. The parser buffers those.
    overhead: AtomicU64,
    /// A limit was exceeded, so the request is refused, whatever the rest of it is.
    exceeded: AtomicBool,
}

impl BodyLimits {
    /// Counts bytes of a file against its limit.
    pub(super) fn count_file(&self, bytes: usize) -> Result<(), &'static str> {
        match self.file.load(Relaxed).checked_sub(bytes as u64) {
            Some(left) => {
                self.file.store(left, Relaxed);
                Ok(())
            }
            None => Err(self.exceed()),
        }
    }

    fn exceed(&self) -> &'static str {
        self.exceeded.store(true, Relaxed);
        TOO_LARGE
    }
}

/// The body of a request. Reading fails if it is larger than the limit of a file plus [`OVERHEAD`].
pub(super) struct ReceivedBody {
    incoming: Incoming,
    left: u64,
    /// The number of bytes that were read.
    pub(super) read: u64,
    /// A form is being read, of which not only the bytes of files are limited.
    in_form: bool,
    limits: Arc<BodyLimits>,
}

impl ReceivedBody {
    /// Creates a body. If its announced length exceeds the limit, it is refused before a byte of it is read.
    pub(super) fn new(incoming: Incoming, max_file: u64) -> Self {
        let left = max_file.saturating_add(OVERHEAD);
        let exceeded = incoming.size_hint().lower() > left;
        let (file, overhead) = (AtomicU64::new(max_file), AtomicU64::new(0));
        let limits = Arc::new(BodyLimits { file, overhead, exceeded: AtomicBool::new(exceeded) });
        Self { incoming, left, read: 0, in_form: false, limits }
    }

    pub(super) fn limits(&self) -> Arc<BodyLimits> {
        Arc::clone(&self.limits)
    }

    /// Returns `true` if a limit was exceeded so far.
    pub(super) fn is_too_large(&self) -> bool {
        self.limits.exceeded.load(Relaxed)
    }

    /// Reads to the end, because a client that is still sending would see a broken connection instead of an early
    /// answer. If the request is too large, reads only a little more.
    pub(super) async fn drain(&mut self) {
        self.in_form = false;
        if self.is_too_large() {
            self.left = OVERHEAD;
        }
        while let Some(Ok(_)) = self.frame().await {}
    }
}

impl HttpBody for ReceivedBody {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = std::task::ready!(Pin::new(&mut self.incoming).poll_frame(cx));
        let bytes = match &frame {
            Some(Ok(frame)) => frame.data_ref().map_or(0, Bytes::len) as u64,
            _ => 0,
        };
        self.read += bytes;
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(self.left);
        if left.is_none() || self.in_form && self.limits.overhead.fetch_add(bytes, Relaxed) + bytes > OVERHEAD {
            return Poll::Ready(Some(Err(self.limits.exceed().into())));
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
pub(super) struct FormParts<'a> {
    multipart: multer::Multipart<'a>,
    limits: Arc<BodyLimits>,
}

impl<'a> FormParts<'a> {
    pub(super) fn new(body: &'a mut ReceivedBody, boundary: String) -> Self {
        body.in_form = true;
        let limits = body.limits();
        Self { multipart: multer::Multipart::new(BodyDataStream::new(body), boundary), limits }
    }

    pub(super) async fn next(&mut self) -> multer::Result<Option<multer::Field<'a>>> {
        self.multipart.next_field().await
    }

    /// Reads the next bytes of a field that is a file.
    pub(super) async fn file_chunk(&self, field: &mut multer::Field<'_>) -> multer::Result<Option<Bytes>> {
        let Some(chunk) = field.chunk().await? else { return Ok(None) };
        self.limits.count_file(chunk.len()).map_err(|error| multer::Error::StreamReadFailed(error.into()))?;
        self.limits.overhead.fetch_sub(chunk.len() as u64, Relaxed);
        Ok(Some(chunk))
    }
}

/// The size limit of a request's text. A comment has a few thousand characters.
pub(super) const LIMIT: usize = 1024 * 1024;

/// The argument that can replace the header `Authorization`.
const TOKEN: &str = "token";

pub(super) struct Arguments(HashMap<String, String>);

impl Arguments {
    /// Reads the arguments in the query. Apps that were created since 2021 can't send a token there:
    /// <https://docs.slack.dev/changelog/2020-11-no-more-tokens-in-querystrings-for-newly-created-apps>
    pub(super) fn from_query<B>(request: &Request<B>, hosted: bool) -> Self {
        let query = request.uri().query().unwrap_or_default();
        let mut fields: HashMap<_, _> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        if hosted {
            fields.remove(TOKEN);
        }
        Self(fields)
    }

    /// Adds the arguments in a body that is not a multipart form. Which of two arguments with the same name counts is
    /// not documented; here it is the one in the body.
    pub(super) async fn with_body(mut self, request: &mut Request<ReceivedBody>) -> Result<Self, MethodError> {
        let essence = content_type(request).split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "application/x-www-form-urlencoded" => {
                let text = read_limited(request.body_mut(), LIMIT).await?.ok_or("invalid_arguments")?;
                self.0.extend(url::form_urlencoded::parse(&text).into_owned());
            }
            "application/json" => {
                let text = read_limited(request.body_mut(), LIMIT).await?.ok_or("invalid_arguments")?;
                self.0.extend(json_arguments(&text)?);
            }
            // Clients that put everything into the query send an empty body of any type.
            other if read_limited(request.body_mut(), 0).await?.is_none() => {
                return Err(if other.is_empty() { "missing_post_type" } else { "invalid_post_type" }.into());
            }
            _ => {}
        }
        Ok(self)
    }

    /// Adds an argument.
    pub(super) fn add(&mut self, name: String, value: String) {
        self.0.insert(name, value);
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    pub(super) fn token(&self) -> Option<&str> {
        self.get(TOKEN)
    }
}

/// Parses the arguments in a JSON object. With JSON, the token must be in the header, so one in the object is ignored:
/// <https://docs.slack.dev/changelog/2017-10-keeping-up-with-the-jsons>
fn json_arguments(text: &[u8]) -> Result<impl Iterator<Item = (String, String)> + use<>, MethodError> {
    let value = if text.is_empty() { Ok(Value::Object(serde_json::Map::new())) } else { serde_json::from_slice(text) };
    let Value::Object(object) = value.map_err(|_| "invalid_json")? else { return Err("json_not_object".into()) };
    let words = object.into_iter().filter(|(name, value)| !value.is_null() && name != TOKEN);
    Ok(words.map(|(name, value)| (name, value.as_str().map_or(value.to_string(), str::to_owned))))
}

pub(super) fn content_type(request: &Request<ReceivedBody>) -> &str {
    request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Reads a body of at most `limit` bytes. `None` if it is longer.
async fn read_limited(body: &mut ReceivedBody, limit: usize) -> Result<Option<Bytes>, MethodError> {
    match Limited::new(body, limit).collect().await {
        Ok(whole) => Ok(Some(whole.to_bytes())),
        Err(error) if error.is::<LengthLimitError>() => Ok(None),
        Err(_) => Err("request_timeout".into()),
    }
}

/// Converts an error of the parser: a form that ends too early, or is not valid.
pub(super) fn form_error(error: multer::Error) -> MethodError {
    match error {
        multer::Error::IncompleteFieldData { .. }
        | multer::Error::IncompleteHeaders
        | multer::Error::IncompleteStream
        | multer::Error::StreamReadFailed(_) => "request_timeout".into(),
        _ => "invalid_form_data".into(),
    }
}
