//! Injects faults, to rehearse failures.

use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;

use http_body_util::BodyExt;
use hyper::StatusCode;
use hyper::header::{HeaderValue, RETRY_AFTER};

use super::body::ReceivedBody;
use super::operation::Operation;
use super::reply::{self, HttpReply, MethodError, Reset};

use crate::shorthand::lock;

/// A fault to inject into an operation: `METHOD=FAULT` or `METHOD=FAULT,TIMES`, for example
/// `files.completeUploadExternal=lost,1`. `docs/sandbox.md` lists the methods and the faults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// `None` for every operation.
    operation: Option<Operation>,
    effect: Effect,
    /// `None` for an unlimited number.
    times: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// 429, perhaps with `Retry-After`.
    TooMany(Option<HeaderValue>),
    /// A status with a web page.
    Page(StatusCode),
    /// JSON that is cut off.
    Truncated,
    /// The body is not read, and there is no answer.
    Stall,
    /// The connection is reset after this many bytes of the body.
    Reset(u64),
    /// `ok: false` with this code.
    Error(String),
    /// The operation is performed, but there is no answer.
    Silence,
    /// The operation is performed, then the connection is reset.
    Lost,
}

/// Why a fault can't be parsed. It does not quote the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FaultError(&'static str);

impl fmt::Display for FaultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for FaultError {}

const BAD_SHAPE: FaultError = FaultError("expected METHOD=FAULT or METHOD=FAULT,TIMES, such as files.info=503,1");
const METHODS: FaultError = FaultError(
    "unknown method; expected one of files.upload, files.getUploadURLExternal, upload, files.completeUploadExternal, files.info, \
     auth.test, conversations.info, conversations.list, b2_authorize_account or *",
);
const FAULTS: FaultError = FaultError(
    "unknown fault; expected one of 429, 429:RETRY_AFTER, 500, 502, 503, 504, html, truncated, stall, reset:BYTES, silence, lost \
     or error:CODE",
);
const TIMES: FaultError = FaultError("TIMES must be a whole number, at least 1");

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(word: &str) -> Result<Self, FaultError> {
        let (method, fault) = word.split_once('=').ok_or(BAD_SHAPE)?;
        let operation = match method {
            "*" => None,
            name => Some(Operation::from_name(name).ok_or(METHODS)?),
        };
        // A date contains a comma as well, but not followed by a number alone.
        let (fault, times) = match fault.rsplit_once(',') {
            Some((fault, times)) if times.bytes().all(|byte| byte.is_ascii_digit()) => {
                (fault, Some(times.parse().ok().filter(|times| *times > 0).ok_or(TIMES)?))
            }
            _ => (fault, None),
        };
        Ok(Self { operation, effect: Effect::parse(fault).ok_or(FAULTS)?, times })
    }
}

impl Effect {
    fn parse(word: &str) -> Option<Self> {
        Some(match word.split_once(':') {
            Some(("429", text)) => Self::TooMany(Some(HeaderValue::from_str(text).ok()?)),
            Some(("reset", bytes)) => Self::Reset(bytes.parse().ok()?),
            Some(("error", code)) => {
                let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
                Self::Error((!code.is_empty() && code.bytes().all(plain)).then(|| code.to_owned())?)
            }
            Some(_) => return None,
            None => match word {
                "429" => Self::TooMany(None),
                "500" | "502" | "503" | "504" => Self::Page(word.parse().ok()?),
                "html" => Self::Page(StatusCode::OK),
                "truncated" => Self::Truncated,
                "stall" => Self::Stall,
                "silence" => Self::Silence,
                "lost" => Self::Lost,
                _ => return None,
            },
        })
    }

    /// Answers in place of the operation.
    pub(super) async fn answer(
        self,
        operation: Option<Operation>,
        body: &mut ReceivedBody,
    ) -> Result<HttpReply, Reset> {
        Ok(match self {
            Self::TooMany(text) => {
                let mut reply = reply::too_many(operation == Some(Operation::AuthorizeAccount));
                reply.headers_mut().extend(text.map(|text| (RETRY_AFTER, text)));
                reply
            }
            Self::Page(status) => reply::page(status),
            Self::Truncated => reply::truncated(),
            Self::Error(code) => match operation {
                Some(Operation::Upload) => reply::text(StatusCode::BAD_REQUEST, code),
                Some(Operation::AuthorizeAccount) => reply::storage_error(StatusCode::UNAUTHORIZED, &code, ""),
                _ => reply::messaging(Err(MethodError::from(code))),
            },
            Self::Reset(bytes) => {
                let mut read = 0;
                while read < bytes
                    && let Some(Ok(frame)) = body.frame().await
                {
                    read += frame.data_ref().map_or(0, |data| data.len() as u64);
                }
                return Err(Reset);
            }
            Self::Stall | Self::Silence | Self::Lost => std::future::pending().await,
        })
    }
}

/// The faults, with the number of times that each is still to be injected.
#[derive(Debug)]
pub(super) struct Faults(Mutex<Vec<Fault>>);

impl Faults {
    pub(super) fn new(faults: Vec<Fault>) -> Self {
        Self(Mutex::new(faults))
    }

    /// Takes the effect of the first fault that applies to the operation and is not used up.
    pub(super) fn take_effect(&self, operation: Operation) -> Option<Effect> {
        let mut faults = lock(&self.0);
        let applies = |fault: &&mut Fault| {
            fault.operation.is_none_or(|expected| expected == operation) && fault.times.is_none_or(|times| times > 0)
        };
        let fault = faults.iter_mut().find(applies)?;
        fault.times = fault.times.map(|times| times - 1);
        Some(fault.effect.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_faults() {
        let fault = |operation, effect, times| Ok(Fault { operation, effect, times });
        let after = |text: &'static str| Effect::TooMany(Some(HeaderValue::from_static(text)));
        for (word, expected) in [
            ("auth.test=429", fault(Some(Operation::AuthTest), Effect::TooMany(None), None)),
            ("*=429:30,2", fault(None, after("30"), Some(2))),
            ("*=429:-1.5e9 soon", fault(None, after("-1.5e9 soon"), None)),
            (
                "upload=429:Wed, 21 Oct 2026 07:28:00 GMT,1",
                fault(Some(Operation::Upload), after("Wed, 21 Oct 2026 07:28:00 GMT"), Some(1)),
            ),
            ("upload=reset:0", fault(Some(Operation::Upload), Effect::Reset(0), None)),
            ("*=error:internal_error", fault(None, Effect::Error("internal_error".into()), None)),
            ("files.info", Err(BAD_SHAPE)),
            ("files.inf=503", Err(METHODS)),
            ("=503", Err(METHODS)),
            ("*=", Err(FAULTS)),
            ("*=501", Err(FAULTS)),
            ("*=503:1", Err(FAULTS)),
            ("*=reset:-1", Err(FAULTS)),
            ("*=error:", Err(FAULTS)),
            ("*=error:a b", Err(FAULTS)),
            ("*=429:a\r\nb: c", Err(FAULTS)),
            ("*=lost,0", Err(TIMES)),
            ("*=lost,", Err(TIMES)),
            ("*=lost,99999999999", Err(TIMES)),
            ("*=lost,-1", Err(FAULTS)),
        ] {
            assert_eq!(word.parse::<Fault>(), expected, "{word}");
        }
        for operation in Operation::ALL {
            assert!(METHODS.0.contains(operation.name()), "{}", operation.name());
        }
    }

    #[test]
    fn uses_up_faults_in_order() {
        let faults = Faults::new(["auth.test=lost,2", "*=html,1"].map(|word| word.parse().unwrap()).to_vec());
        let trigger = |operation| faults.take_effect(operation);
        assert_eq!(trigger(Operation::AuthTest), Some(Effect::Lost));
        assert_eq!(trigger(Operation::FilesInfo), Some(Effect::Page(StatusCode::OK)));
        assert_eq!(trigger(Operation::AuthTest), Some(Effect::Lost));
        assert_eq!((trigger(Operation::AuthTest), trigger(Operation::FilesInfo)), (None, None));
    }
}
