//! The operations: their names, addresses and scopes; and reports of requests and their answers, to watch a client.

use std::fmt;

use hyper::{Method, StatusCode};

use crate::shorthand::words;

/// The target that the path of a request names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RequestTarget {
    Operation(Operation),
    /// A method of the messaging service that the sandbox does not have.
    OtherMethod,
    /// An operation of the storage service that the sandbox does not have.
    OtherStorage,
    Nowhere,
}

impl RequestTarget {
    pub(super) fn from_path(path: &str) -> Self {
        let Some((area, rest)) = path.strip_prefix('/').and_then(|path| path.split_once('/')) else {
            return Self::Nowhere;
        };
        let storage = |rest: &str| rest.split_once('/').is_some_and(|(_, name)| name == "b2_authorize_account");
        match area {
            "api" => Operation::from_name(rest)
                .filter(|operation| operation.is_method())
                .map_or(Self::OtherMethod, Self::Operation),
            "b2api" if storage(rest) => Self::Operation(Operation::AuthorizeAccount),
            "b2api" => Self::OtherStorage,
            "upload" if rest.starts_with("v1/") => Self::Operation(Operation::Upload),
            _ => Self::Nowhere,
        }
    }

    pub(super) const fn operation(self) -> Option<Operation> {
        if let Self::Operation(operation) = self { Some(operation) } else { None }
    }
}

/// Returns `true` for a name such as `b2_list_buckets`.
pub(super) fn is_storage_name(name: &str) -> bool {
    name.len() <= 48
        && name
            .strip_prefix("b2_")
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'))
}

words! {
    /// An operation of one of the services.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) enum Operation {
        FilesUpload = "files.upload",
        UploadUrl = "files.getUploadURLExternal",
        Upload = "upload",
        Complete = "files.completeUploadExternal",
        FilesInfo = "files.info",
        AuthTest = "auth.test",
        ConversationsInfo = "conversations.info",
        ConversationsList = "conversations.list",
        AuthorizeAccount = "b2_authorize_account",
    }

    /// Returns the name of the method, which also selects it in a fault. The upload address of a file has no such name.
    pub(super) fn name;
}

impl Operation {
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|operation| operation.name() == name)
    }

    /// Returns `true` for a method of the messaging service, `false` for the upload address and the storage service.
    const fn is_method(self) -> bool {
        !matches!(self, Self::Upload | Self::AuthorizeAccount)
    }

    /// Returns `true` if GET is accepted, as by methods that only query or hand out an address. A method that shares a
    /// file needs POST.
    pub(super) const fn accepts_get(self) -> bool {
        matches!(
            self,
            Self::UploadUrl | Self::FilesInfo | Self::AuthTest | Self::ConversationsInfo | Self::ConversationsList
        )
    }

    /// Returns the scopes, of which any one is enough; empty if none is needed.
    /// <https://docs.slack.dev/reference/methods/conversations.info> lists one for each kind of conversation. Which of
    /// them the hosted service requires depends on the conversation; here any of them is enough.
    pub(super) const fn scopes(self) -> &'static [&'static str] {
        match self {
            Self::FilesUpload | Self::UploadUrl | Self::Complete => &["files:write"],
            Self::FilesInfo => &["files:read"],
            Self::ConversationsInfo | Self::ConversationsList => {
                &["channels:read", "groups:read", "im:read", "mpim:read"]
            }
            Self::Upload | Self::AuthTest | Self::AuthorizeAccount => &[],
        }
    }
}

/// A request and its answer, without anything that could be secret: no arguments, no headers, and of the path only the
/// name of a method. Its `Display` is a line such as `POST /api/files.upload 200 ok, 1234 bytes`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Answered {
    /// The HTTP method; `?` for an unusual one.
    pub method: &'static str,
    /// The path; `*` replaces what is not the name of a method.
    pub path: String,
    /// The HTTP status; `None` if there was no answer.
    pub status: Option<u16>,
    /// `ok`, or the code of the error; `None` if the answer has none.
    pub code: Option<String>,
    /// The number of bytes of the body that were read.
    pub bytes: u64,
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, path, status, code, bytes } = self;
        write!(f, "{method} {path} ")?;
        match status {
            Some(status) => write!(f, "{status}")?,
            None => f.write_str("no answer")?,
        }
        if let Some(code) = code {
            write!(f, " {code}")?;
        }
        write!(f, ", {bytes} {}", if *bytes == 1 { "byte" } else { "bytes" })
    }
}

impl Answered {
    /// Creates the report of a request to a path, of which this many bytes were read.
    pub(super) fn new(method: &Method, path: &str, answer: Option<(StatusCode, Option<&str>)>, bytes: u64) -> Self {
        let (status, code) = answer.unzip();
        Self {
            method: usual_name(method),
            path: redacted(path),
            status: status.map(|status| status.as_u16()),
            code: code.flatten().map(str::to_owned),
            bytes,
        }
    }
}

/// Returns the name of a usual method. Anything else is replaced, because a client can send any word.
fn usual_name(method: &Method) -> &'static str {
    let usual = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"];
    usual.into_iter().find(|usual| method.as_str() == *usual).unwrap_or("?")
}

/// Returns the path, reduced to known names. A path can contain a secret: that of a webhook, that of an upload address,
/// or a token that was taken for a method.
fn redacted(path: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or_default();
    match RequestTarget::from_path(path) {
        RequestTarget::Operation(Operation::Upload) => "/upload/v1/*".to_owned(),
        RequestTarget::Operation(Operation::AuthorizeAccount) | RequestTarget::OtherStorage => {
            let version = path.split('/').nth(2).filter(|version| is_version(version)).unwrap_or("*");
            let name = if is_storage_name(last) { last } else { "*" };
            format!("/b2api/{version}/{name}")
        }
        RequestTarget::Operation(operation) => format!("/api/{}", operation.name()),
        RequestTarget::OtherMethod if path.matches('/').count() == 2 && is_method_name(last) => path.to_owned(),
        RequestTarget::OtherMethod if is_method_name(last) => format!("/api/*/{last}"),
        RequestTarget::OtherMethod => "/api/*".to_owned(),
        RequestTarget::Nowhere if path == "/" => path.to_owned(),
        RequestTarget::Nowhere if is_method_name(last) => format!("/*/{last}"),
        RequestTarget::Nowhere => "/*".to_owned(),
    }
}

/// Returns `true` for words of letters with dots between, such as `chat.postMessage` or `oauth.v2.access`.
fn is_method_name(name: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.len() <= 32
            && (is_version(word) || word.bytes().all(|byte| byte.is_ascii_alphabetic()))
    };
    (2..=5).contains(&name.split('.').count()) && name.split('.').all(word)
}

fn is_version(word: &str) -> bool {
    let digits = word.strip_prefix('v').unwrap_or_default();
    (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_target_of_path() {
        for (path, target) in [
            ("/api/files.upload", RequestTarget::Operation(Operation::FilesUpload)),
            ("/api/files.getUploadURLExternal", RequestTarget::Operation(Operation::UploadUrl)),
            ("/api/conversations.info", RequestTarget::Operation(Operation::ConversationsInfo)),
            ("/upload/v1/F1", RequestTarget::Operation(Operation::Upload)),
            ("/b2api/v4/b2_authorize_account", RequestTarget::Operation(Operation::AuthorizeAccount)),
            ("/b2api/v4/auth.test", RequestTarget::OtherStorage),
            ("/b2api/b2_authorize_account", RequestTarget::OtherStorage),
            ("/b2api/", RequestTarget::OtherStorage),
            ("/api/upload", RequestTarget::OtherMethod),
            ("/api/b2_authorize_account", RequestTarget::OtherMethod),
            ("/api/api/files.upload", RequestTarget::OtherMethod),
            ("/api/", RequestTarget::OtherMethod),
            ("/api", RequestTarget::Nowhere),
            ("/b2api", RequestTarget::Nowhere),
            ("/upload/v2/F1", RequestTarget::Nowhere),
            ("/elsewhere/api/files.upload", RequestTarget::Nowhere),
            ("/", RequestTarget::Nowhere),
            ("*", RequestTarget::Nowhere),
        ] {
            assert_eq!(RequestTarget::from_path(path), target, "{path}");
        }
    }

    #[test]
    fn shows_only_known_names_of_paths() {
        for (path, expected) in [
            ("/api/files.upload", "/api/files.upload"),
            ("/api/chat.postMessage", "/api/chat.postMessage"),
            ("/api/oauth.v2.access", "/api/oauth.v2.access"),
            ("/api/api/files.upload", "/api/*/files.upload"),
            ("/files.upload", "/*/files.upload"),
            ("/api/", "/api/*"),
            ("/api/xoxb-4815162342-QwErTyUiOpAs", "/api/*"),
            ("/api/QwErTyUiOpAsDfGhJkLzXcVb", "/api/*"),
            ("/api/files.QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi", "/api/*"),
            ("/api/files.4815162342", "/api/*"),
            ("/services/T0123456789/B0123456789/QwErTyUiOpAsDfGh", "/*"),
            ("/upload/v1/F0123456789QWERTYUIOPASDFGHJKLZX", "/upload/v1/*"),
            ("/b2api/v4/b2_authorize_account", "/b2api/v4/b2_authorize_account"),
            ("/b2api/v2/b2_list_buckets", "/b2api/v2/b2_list_buckets"),
            ("/b2api/K005QwErTyUi/b2_authorize_account", "/b2api/*/b2_authorize_account"),
            ("/b2api/K005QwErTyUi", "/b2api/*/*"),
            ("/", "/"),
            ("*", "/*"),
        ] {
            assert_eq!(redacted(path), expected, "{path}");
        }
    }

    #[test]
    fn formats_requests() {
        for (method, answer, bytes, line) in [
            ("POST", Some((StatusCode::OK, Some("ok"))), 7, "POST /api/files.upload 200 ok, 7 bytes"),
            ("GET", Some((StatusCode::NOT_FOUND, None)), 1, "GET /api/files.upload 404, 1 byte"),
            ("xoxb-1", None, 0, "? /api/files.upload no answer, 0 bytes"),
        ] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let answered = Answered::new(&method, "/api/files.upload", answer, bytes);
            assert_eq!(answered.to_string(), line);
        }
    }
}
