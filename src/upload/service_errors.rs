//! Explains the service's own error codes, and which setting to change.
//!
//! Source of the codes: <https://docs.slack.dev/reference/methods/files.upload>.

use super::error::UploadError;
use super::wire::show::Denial;
use crate::code::Code;

const TOKEN: &str =
    "set {credential} to a token that is valid for this workspace; run `credlint check` to see whether its type fits";
const CHANNELS: &str = "set `channels` to the channel ID: the last part of a link to the channel";
const JOIN: &str = "invite the app to the channel, or remove the channel from `channels`";
const ASK: &str = "ask an administrator of the workspace to allow it";
const AGAIN: &str = "try again later";
const LOOK: &str = "the file may have been posted anyway: look in the channel before you run it again";
const METHOD: &str = "set `upload_method = \"external\"`, the method that the service supports now";
const BASE: &str = "check {address}: credlint calls {operations}{operation}";
const BUG: &str = "check that {address} is a service that supports {operation}; it rejects the documented request";

/// Code, meaning, advice. Sorted by code.
const KNOWN: &[(Code, &str, &str)] = &[
    (Code::AccessDenied, "the token has no permission to do this", ASK),
    (Code::Accesslimited, "the service does not accept requests from this network address", ASK),
    (Code::AccountInactive, "the account or workspace of the token is deleted or disabled", TOKEN),
    (Code::BlockedFileType, "files of this type are blocked in the workspace", ASK),
    (Code::ChannelIsArchived, "the channel is archived", "remove that channel from `channels`"),
    (Code::ChannelNotFound, "one of the channels does not exist, or the token can't see it", CHANNELS),
    (Code::ChannelsLimitExceeded, "there are too many channels", "list fewer IDs in `channels`"),
    (Code::DeprecatedEndpoint, "the service has retired this operation", METHOD),
    (Code::EkmAccessDenied, "the administrators have suspended posting", ASK),
    (Code::EnterpriseIsRestricted, "the operation can't be used with an enterprise-wide token", TOKEN),
    (Code::FatalError, "the service failed", LOOK),
    (
        Code::FileNotFound,
        "the service does not have the content of the file, or it was already posted",
        "run it again; each run requests a new upload",
    ),
    (Code::FileTypeNotAllowed, "files of this type are not allowed in the workspace", ASK),
    (Code::FileUpdateFailed, "the service could not post the file", AGAIN),
    (Code::FileUploadsDisabled, "uploads are disabled in the workspace", ASK),
    (Code::FileUploadsExceptImagesDisabled, "uploads other than images are disabled in the workspace", ASK),
    (Code::FileUploadSizeRestricted, "the file is larger than the workspace allows", "send a smaller file"),
    (Code::InternalError, "the service failed", LOOK),
    (Code::InvalidArgName, "the service does not know a field of the request", BUG),
    (Code::InvalidArguments, "the service rejects a value of the request", CHANNELS),
    (Code::InvalidArrayArg, "the service rejects a value of the request", CHANNELS),
    (Code::InvalidAuth, "the token is not valid", TOKEN),
    (Code::InvalidChannel, "a channel ID is not valid", CHANNELS),
    (Code::InvalidCharset, "the service rejects the format of the request", BUG),
    (Code::InvalidFormData, "the service rejects the format of the request", BUG),
    (Code::InvalidPostType, "the service rejects the format of the request", BUG),
    (
        Code::InvalidThreadTs,
        "no message has this timestamp",
        "pass --thread the `ts` of the first message of the thread, such as `1700000000.000100`",
    ),
    (Code::IsArchived, "the channel is archived", "remove that channel from `channels`"),
    (Code::IsBot, "bots are not allowed to do this", TOKEN),
    (Code::MalwareDetected, "the service classified the file as malware", ASK),
    (Code::MethodDeprecated, "the service has retired this operation", METHOD),
    (Code::MethodNotAllowed, "the service does not support this kind of request", BASE),
    (Code::MissingArgument, "a field is missing from the request", BUG),
    (Code::MissingPostType, "the service rejects the format of the request", BUG),
    (
        Code::MissingScope,
        "the token lacks a scope",
        "add the scope `files:write` to the app, reinstall it, and set {credential} to the new token",
    ),
    (Code::NoFile, "the service found no file in the request", "some services reject empty files"),
    (Code::NoFileData, "the service found no file in the request", "some services reject empty files"),
    (Code::NoPermission, "the token has no permission to do this", ASK),
    (
        Code::NotAllowedTokenType,
        "a token of this kind can't upload files",
        "set {credential} to a bot or user token with the scope `files:write`",
    ),
    (
        Code::NotAuthed,
        "the service found no token in the request",
        "set {credential}; if it is set, a proxy may have removed it",
    ),
    (Code::NotInChannel, "the app is not a member of one of the channels", JOIN),
    (Code::OrgLoginRequired, "the workspace is being moved to an organisation", AGAIN),
    (Code::PostContentsTooLarge, "the file is too large", "send a smaller file"),
    (Code::PostingToChannelDenied, "the token may not post to one of the channels", JOIN),
    (Code::PostingToGeneralChannelDenied, "the token may not post to the general channel", JOIN),
    (Code::Ratelimited, "too many requests", AGAIN),
    (Code::RequestTimeout, "the upload was too slow or incomplete", AGAIN),
    (Code::RestrictedAction, "a workspace policy forbids this", ASK),
    (Code::ServiceUnavailable, "the service is unavailable", AGAIN),
    (Code::SlackConnectBlockedFileType, "files of this type are blocked in a shared channel", JOIN),
    (Code::SlackConnectClipSharingBlocked, "clips are blocked in a shared channel", JOIN),
    (Code::SlackConnectFileUploadSharingBlocked, "uploads are blocked in a shared channel", JOIN),
    (Code::StorageLimitReached, "the storage of the workspace is full", ASK),
    (Code::TeamAccessNotGranted, "the token has no access to this workspace", TOKEN),
    (Code::TeamAddedToOrg, "the workspace is being moved to an organisation", AGAIN),
    (Code::TokenExpired, "the token has expired", TOKEN),
    (Code::TokenRevoked, "the token was revoked", TOKEN),
    (Code::TwoFactorSetupRequired, "the account of the token must set up two-factor authentication", ASK),
    (Code::UnknownMethod, "the service does not know this operation", BASE),
    (Code::UpgradeRequired, "the plan of the workspace does not include this", ASK),
];

/// Explains the service's error for an operation.
pub(super) fn explain(denial: &Denial, operation: &str) -> UploadError {
    let code = denial.word.as_deref().and_then(Code::from_service);
    let known = KNOWN.iter().find(|&&(known, ..)| Some(known) == code).copied();
    let (code, mut message, mut help) = match known {
        Some((code, message, help)) => {
            (code, format!("the service rejected it ({code}): {message}"), Some(help.replace("{operation}", operation)))
        }
        None => {
            let word = denial.word.as_deref().map(|word| format!(" ({word})")).unwrap_or_default();
            (Code::ServiceError, format!("the service rejected it{word}"), None)
        }
    };
    if let Some(needed) = &denial.needed {
        message += &format!("; it needs {needed}");
        help = help.map(|help| help.replace("files:write", needed));
    }
    if let Some(provided) = &denial.provided {
        message += &format!("; the token has {provided}");
    }
    for text in &denial.messages {
        message += &format!("; the service says: {text}");
    }
    let error = UploadError::new(code, message);
    match help {
        Some(help) => error.help(help),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denied(code: &str) -> UploadError {
        explain(&Denial { word: Some(code.to_owned()), ..Denial::default() }, "files.upload")
    }

    #[test]
    fn the_table_holds_every_code_of_the_service_once() {
        for &code in Code::ALL {
            let entries = KNOWN.iter().filter(|&&(known, ..)| known == code).count();
            assert_eq!(entries, usize::from(Code::from_service(code.as_str()).is_some()), "{code}");
        }
    }

    #[test]
    fn a_known_code_names_the_setting() {
        for (code, setting) in [
            ("invalid_auth", "{credential}"),
            ("channel_not_found", "`channels`"),
            ("method_deprecated", "`upload_method"),
            ("unknown_method", "{address}"),
        ] {
            let error = denied(code);
            assert!(error.code.as_str() == code && error.help.unwrap().contains(setting), "{code}");
        }
        let error = denied("new_error");
        assert!(error.code == Code::ServiceError && error.message.contains("(new_error)"));
    }

    #[test]
    fn a_missing_scope_is_named() {
        let denial = Denial {
            word: Some("missing_scope".to_owned()),
            needed: Some("files:write:user".to_owned()),
            provided: Some("chat:write".to_owned()),
            ..Denial::default()
        };
        let error = explain(&denial, "files.upload");
        assert!(error.message.contains("it needs files:write:user; the token has chat:write"), "{error}");
        assert!(error.help.unwrap().contains("`files:write:user`"));
    }
}
