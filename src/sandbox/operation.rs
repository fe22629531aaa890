//! The operations: their names, addresses and scopes.

/// What a request asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    FilesUpload,
    UploadUrl,
    Upload,
    Complete,
    FilesInfo,
    AuthTest,
    ConversationsInfo,
    AuthorizeAccount,
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

    /// The name of the method, and that of a switch. The bytes of a file go to an address that has no name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::FilesUpload => "files.upload",
            Self::UploadUrl => "files.getUploadURLExternal",
            Self::Upload => "upload",
            Self::Complete => "files.completeUploadExternal",
            Self::FilesInfo => "files.info",
            Self::AuthTest => "auth.test",
            Self::ConversationsInfo => "conversations.info",
            Self::AuthorizeAccount => "b2_authorize_account",
        }
    }

    /// The operation at this path.
    pub(super) fn at(path: &str) -> Option<Self> {
        let (area, rest) = path.strip_prefix('/')?.split_once('/')?;
        let (found, name) = match area {
            "api" => (!matches!(rest, "upload" | "b2_authorize_account"), rest),
            "upload" => (rest.starts_with("v1/"), "upload"),
            "b2api" => (true, rest.split_once('/')?.1),
            _ => return None,
        };
        let operation = Self::ALL.into_iter().find(|operation| found && operation.name() == name)?;
        // Each service has its own operations.
        ((area == "b2api") == (operation == Self::AuthorizeAccount)).then_some(operation)
    }

    /// The scopes any of which will do; none, if none is needed.
    /// <https://docs.slack.dev/reference/methods/conversations.info> lists one for each kind of conversation. Which of
    /// them the hosted service asks for depends on the conversation, and is not told apart here.
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
        for (path, operation) in [
            ("/api/files.upload", Some(Operation::FilesUpload)),
            ("/api/files.getUploadURLExternal", Some(Operation::UploadUrl)),
            ("/api/conversations.info", Some(Operation::ConversationsInfo)),
            ("/upload/v1/F1", Some(Operation::Upload)),
            ("/b2api/v4/b2_authorize_account", Some(Operation::AuthorizeAccount)),
            ("/b2api/v4/auth.test", None),
            ("/b2api/b2_authorize_account", None),
            ("/api/upload", None),
            ("/api/b2_authorize_account", None),
            ("/upload/v2/F1", None),
            ("/elsewhere/api/files.upload", None),
            ("/", None),
            ("*", None),
        ] {
            assert_eq!(Operation::at(path), operation, "{path}");
        }
    }
}
