//! The operations: their names, addresses and scopes.

use crate::shorthand::words;

/// The target that the path of a request names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Operation(Operation),
    /// A method of the messaging service that the sandbox does not have.
    OtherMethod,
    /// An operation of the storage service that the sandbox does not have.
    OtherStorage,
    Nowhere,
}

impl Target {
    pub(super) fn at(path: &str) -> Self {
        let Some((area, rest)) = path.strip_prefix('/').and_then(|path| path.split_once('/')) else {
            return Self::Nowhere;
        };
        let storage = |rest: &str| rest.split_once('/').is_some_and(|(_, name)| name == "b2_authorize_account");
        match area {
            "api" => Operation::named(rest)
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
        AuthorizeAccount = "b2_authorize_account",
    }

    /// Returns the name of the method, which also selects it in a fault. The upload address of a file has no such name.
    pub(super) fn name;
}

impl Operation {
    pub(super) const ALL: [Self; 8] = [
        Self::FilesUpload,
        Self::UploadUrl,
        Self::Upload,
        Self::Complete,
        Self::FilesInfo,
        Self::AuthTest,
        Self::ConversationsInfo,
        Self::AuthorizeAccount,
    ];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// Returns `true` for a method of the messaging service, `false` for the upload address and the storage service.
    const fn is_method(self) -> bool {
        !matches!(self, Self::Upload | Self::AuthorizeAccount)
    }

    /// Returns `true` if GET is accepted, as by methods that only query or hand out an address. A method that shares a
    /// file needs POST.
    pub(super) const fn takes_get(self) -> bool {
        matches!(self, Self::UploadUrl | Self::FilesInfo | Self::AuthTest | Self::ConversationsInfo)
    }

    /// Returns the scopes, of which any one is enough; empty if none is needed.
    /// <https://docs.slack.dev/reference/methods/conversations.info> lists one for each kind of conversation. Which of
    /// them the hosted service requires depends on the conversation; here any of them is enough.
    pub(super) const fn scopes(self) -> &'static [&'static str] {
        match self {
            Self::FilesUpload | Self::UploadUrl | Self::Complete => &["files:write"],
            Self::FilesInfo => &["files:read"],
            Self::ConversationsInfo => &["channels:read", "groups:read", "im:read", "mpim:read"],
            Self::Upload | Self::AuthTest | Self::AuthorizeAccount => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (path, target) in [
            ("/api/files.upload", Target::Operation(Operation::FilesUpload)),
            ("/api/files.getUploadURLExternal", Target::Operation(Operation::UploadUrl)),
            ("/api/conversations.info", Target::Operation(Operation::ConversationsInfo)),
            ("/upload/v1/F1", Target::Operation(Operation::Upload)),
            ("/b2api/v4/b2_authorize_account", Target::Operation(Operation::AuthorizeAccount)),
            ("/b2api/v4/auth.test", Target::OtherStorage),
            ("/b2api/b2_authorize_account", Target::OtherStorage),
            ("/b2api/", Target::OtherStorage),
            ("/api/upload", Target::OtherMethod),
            ("/api/b2_authorize_account", Target::OtherMethod),
            ("/api/api/files.upload", Target::OtherMethod),
            ("/api/", Target::OtherMethod),
            ("/api", Target::Nowhere),
            ("/b2api", Target::Nowhere),
            ("/upload/v2/F1", Target::Nowhere),
            ("/elsewhere/api/files.upload", Target::Nowhere),
            ("/", Target::Nowhere),
            ("*", Target::Nowhere),
        ] {
            assert_eq!(Target::at(path), target, "{path}");
        }
    }
}
