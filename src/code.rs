//! Codes in documents: a stable word for each error.
//!
//! Decisions depend on these codes, never on messages. `docs/output.md`, `docs/uploading/codes.md` and
//! `docs/services/slack.md` explain each one; a test compares them.

use std::fmt;

macro_rules! codes {
    (ours { $($own:ident = $own_word:literal,)+ } service { $($service:ident = $service_word:literal,)+ }) => {
        /// An error code that scripts may rely on.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $own_word, "`")] $own,)+
            $(#[doc = concat!("`", $service_word, "`, a word of the service")] $service,)+
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$own,)+ $(Self::$service,)+];

            /// All known error codes of the messaging service.
            const SERVICE: &[Self] = &[$(Self::$service,)+];

            /// Returns the word used in documents.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$own => $own_word,)+
                    $(Self::$service => $service_word,)+
                }
            }
        }
    };
}

codes! {
    ours {
        // Why nothing was checked or sent.
        NotFound = "not-found",
        Unreadable = "unreadable",
        NotARegularFile = "not-a-regular-file",
        TooLarge = "too-large",
        NotUtf8 = "not-utf8",
        UnknownFormat = "unknown-format",
        Syntax = "syntax",
        DuplicateKey = "duplicate-key",
        NotATable = "not-a-table",
        TooDeep = "too-deep",
        TooManyValues = "too-many-values",
        TwoConfigurations = "two-configurations",
        BadName = "bad-name",
        Policy = "policy",
        ServiceFile = "service-file",
        NoHosts = "no-hosts",
        UnknownProfile = "unknown-profile",
        AmbiguousProfile = "ambiguous-profile",
        WrongKind = "wrong-kind",
        NoChannels = "no-channels",
        NoConfiguration = "no-configuration",
        NothingToCheck = "nothing-to-check",
        NothingToList = "nothing-to-list",
        UnknownRule = "unknown-rule",
        UnknownService = "unknown-service",
        UnknownName = "unknown-name",
        OneMessage = "one-message",
        ListUnreadable = "list-unreadable",
        // Why a file was not delivered, or may not have been.
        ProfileHasErrors = "profile-has-errors",
        VerifyFailed = "verify-failed",
        Unverified = "unverified",
        NoSuchFile = "file-not-found",
        FileUnreadable = "file-unreadable",
        NoMatch = "no-match",
        EmptyFile = "empty-file",
        NoInput = "no-input",
        EmptyInput = "empty-input",
        SecretFile = "secret-file",
        OwnSecret = "own-secret",
        FileName = "file-name",
        SpoolFailed = "spool-failed",
        JournalLocked = "journal-locked",
        JournalUnreadable = "journal-unreadable",
        JournalUnwritable = "journal-unwritable",
        JournalInput = "journal-input",
        JournalShard = "journal-shard",
        UncertainBefore = "uncertain-before",
        BadTicket = "bad-ticket",
        TooManyChannels = "too-many-channels",
        ChannelName = "channel-name",
        ThreadChannels = "thread-channels",
        Thread = "thread",
        FileChanged = "file-changed",
        DnsFailed = "dns-failed",
        ConnectionRefused = "connection-refused",
        ConnectFailed = "connect-failed",
        ConnectTimeout = "connect-timeout",
        TlsFailed = "tls-failed",
        NoResources = "no-resources",
        NoCaCertificates = "no-ca-certificates",
        ClientSetup = "client-setup",
        CaFile = "ca-file",
        ProxyAuth = "proxy-auth",
        ProxyFailed = "proxy-failed",
        InsecureBaseUrl = "insecure-base-url",
        ConnectionLost = "connection-lost",
        Stalled = "stalled",
        NotHttp = "not-http",
        Redirected = "redirected",
        HtmlAnswer = "html-answer",
        AnsweredEarly = "answered-early",
        HttpStatus = "http-status",
        Unconfirmed = "unconfirmed",
        NoAnswer = "no-answer",
        AnswerTruncated = "answer-truncated",
        SizeDiffers = "size-differs",
        AnswerTooLarge = "answer-too-large",
        AnswerEncoded = "answer-encoded",
        ShareNotSeen = "share-not-seen",
        Interrupted = "interrupted",
        ServiceError = "service-error",
    }
    // Source: https://docs.slack.dev/reference/methods/files.upload, and the pages of the other operations.
    service {
        AccessDenied = "access_denied", Accesslimited = "accesslimited", AccountInactive = "account_inactive",
        BlockedFileType = "blocked_file_type", CannotDmBot = "cannot_dm_bot", ChannelIsArchived = "channel_is_archived",
        ChannelNotFound = "channel_not_found", ChannelsLimitExceeded = "channels_limit_exceeded",
        DeprecatedEndpoint = "deprecated_endpoint", EkmAccessDenied = "ekm_access_denied",
        EnterpriseIsRestricted = "enterprise_is_restricted", FatalError = "fatal_error",
        FileNotFound = "file_not_found", FileTypeNotAllowed = "file_type_not_allowed",
        FileUpdateFailed = "file_update_failed", FileUploadsDisabled = "file_uploads_disabled",
        FileUploadsExceptImagesDisabled = "file_uploads_except_images_disabled",
        FileUploadSizeRestricted = "file_upload_size_restricted", InternalError = "internal_error",
        InvalidArgName = "invalid_arg_name", InvalidArguments = "invalid_arguments",
        InvalidArrayArg = "invalid_array_arg", InvalidAuth = "invalid_auth", InvalidChannel = "invalid_channel",
        InvalidCharset = "invalid_charset", InvalidFormData = "invalid_form_data",
        InvalidPostType = "invalid_post_type", InvalidThreadTs = "invalid_thread_ts", IsArchived = "is_archived", IsBot = "is_bot",
        MalwareDetected = "malware_detected", MethodDeprecated = "method_deprecated",
        MethodNotAllowed = "method_not_allowed",
        MethodNotSupportedForChannelType = "method_not_supported_for_channel_type", MissingArgument = "missing_argument",
        MissingPostType = "missing_post_type", MissingScope = "missing_scope", NoFile = "no_file",
        NoFileData = "no_file_data", NoPermission = "no_permission", NotAllowedTokenType = "not_allowed_token_type",
        NotAuthed = "not_authed", NotInChannel = "not_in_channel", OrgLoginRequired = "org_login_required",
        PostContentsTooLarge = "post_contents_too_large", PostingToChannelDenied = "posting_to_channel_denied",
        PostingToGeneralChannelDenied = "posting_to_general_channel_denied", Ratelimited = "ratelimited",
        RequestTimeout = "request_timeout", RestrictedAction = "restricted_action",
        RestrictedActionNonThreadableChannel = "restricted_action_non_threadable_channel",
        RestrictedActionReadOnlyChannel = "restricted_action_read_only_channel",
        RestrictedActionThreadLocked = "restricted_action_thread_locked",
        RestrictedActionThreadOnlyChannel = "restricted_action_thread_only_channel",
        ServiceUnavailable = "service_unavailable", SlackConnectBlockedFileType = "slack_connect_blocked_file_type",
        SlackConnectClipSharingBlocked = "slack_connect_clip_sharing_blocked",
        SlackConnectFileUploadSharingBlocked = "slack_connect_file_upload_sharing_blocked",
        StorageLimitReached = "storage_limit_reached", TeamAccessNotGranted = "team_access_not_granted",
        TeamAddedToOrg = "team_added_to_org", ThreadNotFound = "thread_not_found", TokenExpired = "token_expired", TokenRevoked = "token_revoked",
        TwoFactorSetupRequired = "two_factor_setup_required", UnknownMethod = "unknown_method",
        UpgradeRequired = "upgrade_required",
    }
}

impl Code {
    /// Returns the code for the messaging service's own error code. `None` if it is unknown.
    pub fn from_service(word: &str) -> Option<Self> {
        Self::SERVICE.iter().copied().find(|code| code.as_str() == word)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns the first column of every table whose first column is titled `code`.
    fn documented(page: &str) -> Vec<&str> {
        let (mut words, mut inside) = (Vec::new(), false);
        for line in page.lines() {
            inside = line.starts_with("| code |") || inside && line.starts_with('|');
            if inside {
                let first = line.trim_matches('|').split('|').next().unwrap();
                words.extend(first.split('`').skip(1).step_by(2));
            }
        }
        words
    }

    #[test]
    fn documents_exactly_the_codes_that_exist() {
        let words: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(words.len(), Code::ALL.len(), "a word stands for two codes");
        let pages = [
            include_str!("../docs/output.md"),
            include_str!("../docs/uploading/codes.md"),
            include_str!("../docs/services/slack.md"),
        ];
        let documented: BTreeSet<&str> = pages.into_iter().flat_map(documented).collect();
        assert_eq!(words.difference(&documented).collect::<Vec<_>>(), [&""; 0], "not documented");
        assert_eq!(documented.difference(&words).collect::<Vec<_>>(), [&""; 0], "no such code");
    }

    #[test]
    fn distinguishes_own_codes_from_the_services() {
        assert_eq!(Code::from_service("invalid_auth"), Some(Code::InvalidAuth));
        assert_eq!(Code::from_service("file-changed"), None);
        assert!(Code::SERVICE.iter().all(|code| !code.as_str().contains('-')));
    }
}
