//! What the service's own error codes mean, and which setting to change.
//!
//! Source of the codes: <https://docs.slack.dev/reference/methods/files.upload>.

use super::error::UploadError;
use super::wire::show::Denial;
use crate::code::Code;

const TOKEN: &str =
    "set {credential} to one that is in force for this workspace; `credlint check` says whether its kind fits";
const CHANNELS: &str = "put the id of the conversation in `channels`: it stands at the end of a link to it";
const JOIN: &str = "invite the app to the conversation, or take that id out of `channels`";
const ASK: &str = "this is decided in the workspace: ask one of its administrators";
const AGAIN: &str = "run it again later";
const LOOK: &str = "part of it may have been done all the same: look in the channel before you run it again";
const METHOD: &str = "set `upload_method = \"external\"`: that is how the service takes files now";
const BASE: &str = "check {address}: the operation is {operations}{operation}";
const BUG: &str = "the service does not take the request as it is documented; check that {address} is that of a \
                   service with the operation {operation}";

/// Code, what it means, what to do. Sorted.
const KNOWN: &[(Code, &str, &str)] = &[
    (Code::AccessDenied, "the token may not do this", ASK),
    (Code::Accesslimited, "the service does not take requests from this network address", ASK),
    (Code::AccountInactive, "the token belongs to an account or workspace that was deleted or switched off", TOKEN),
    (Code::BlockedFileType, "files of this type are blocked in the workspace", ASK),
    (Code::ChannelIsArchived, "the conversation is archived", "take that id out of `channels`"),
    (Code::ChannelNotFound, "one of the channels does not exist, or the token can't see it", CHANNELS),
    (Code::ChannelsLimitExceeded, "there are too many channels", "put fewer ids in `channels`"),
    (Code::DeprecatedEndpoint, "the service has retired this operation", METHOD),
    (Code::EkmAccessDenied, "the administrators have suspended posting", ASK),
    (Code::EnterpriseIsRestricted, "the operation can't be used with an enterprise-wide token", TOKEN),
    (Code::FatalError, "the service failed", LOOK),
    (
        Code::FileNotFound,
        "the service does not have the bytes of the file, or it was posted before",
        "run it again: it takes a new ticket",
    ),
    (Code::FileTypeNotAllowed, "files of this type are not allowed in the workspace", ASK),
    (Code::FileUpdateFailed, "the service could not post the file at the moment", AGAIN),
    (Code::FileUploadsDisabled, "uploads are switched off in the workspace", ASK),
    (Code::FileUploadsExceptImagesDisabled, "uploads other than images are switched off in the workspace", ASK),
    (Code::FileUploadSizeRestricted, "the file is larger than the workspace allows", "send a smaller file"),
    (Code::InternalError, "the service failed", LOOK),
    (Code::InvalidArgName, "the service does not know one of the fields of the form", BUG),
    (Code::InvalidArguments, "the service does not take one of the values of the form", CHANNELS),
    (Code::InvalidArrayArg, "the service does not take one of the values of the form", CHANNELS),
    (Code::InvalidAuth, "the service does not take the token", TOKEN),
    (Code::InvalidChannel, "one of the channels is not a channel", CHANNELS),
    (Code::InvalidCharset, "the service does not take the form", BUG),
    (Code::InvalidFormData, "the service does not take the form", BUG),
    (Code::InvalidPostType, "the service does not take the form", BUG),
    (
        Code::InvalidThreadTs,
        "there is no message with that time stamp to answer",
        "give --thread the `ts` of the first message of the thread, as in `1700000000.000100`",
    ),
    (Code::IsArchived, "the conversation is archived", "take that id out of `channels`"),
    (Code::IsBot, "a bot may not do this", TOKEN),
    (Code::MalwareDetected, "the service takes the file for malware", ASK),
    (Code::MethodDeprecated, "the service has retired this operation", METHOD),
    (Code::MethodNotAllowed, "the service does not take this kind of request", BASE),
    (Code::MissingArgument, "the service misses a field of the form", BUG),
    (Code::MissingPostType, "the service does not take the form", BUG),
    (
        Code::MissingScope,
        "the token lacks a scope",
        "give the app the scope `files:write`, install it again, set {credential} to the new one",
    ),
    (Code::NoFile, "the service found no file in the form", "an empty file is refused by some services"),
    (Code::NoFileData, "the service found no file in the form", "an empty file is refused by some services"),
    (Code::NoPermission, "the token may not do this", ASK),
    (
        Code::NotAllowedTokenType,
        "a token of this kind can't upload files",
        "set {credential} to a bot or user token with the scope `files:write`",
    ),
    (
        Code::NotAuthed,
        "the service found no token in the request",
        "set {credential}; if it is set, a proxy on the way may remove it",
    ),
    (Code::NotInChannel, "the app is not a member of one of the channels", JOIN),
    (Code::OrgLoginRequired, "the workspace is being moved to an organisation", AGAIN),
    (Code::PostContentsTooLarge, "the file is too large", "send a smaller file"),
    (Code::PostingToChannelDenied, "the token may not post to one of the channels", JOIN),
    (Code::PostingToGeneralChannelDenied, "the token may not post to the general channel", JOIN),
    (Code::Ratelimited, "too many requests in a short time", AGAIN),
    (Code::RequestTimeout, "the service got the form too slowly or not to its end", AGAIN),
    (Code::RestrictedAction, "a rule of the workspace forbids this", ASK),
    (Code::ServiceUnavailable, "the service is not available at the moment", AGAIN),
    (Code::SlackConnectBlockedFileType, "files of this type are blocked in a shared channel", JOIN),
    (Code::SlackConnectClipSharingBlocked, "clips are blocked in a shared channel", JOIN),
    (Code::SlackConnectFileUploadSharingBlocked, "uploads are blocked in a shared channel", JOIN),
    (Code::StorageLimitReached, "the storage of the workspace is full", ASK),
    (Code::TeamAccessNotGranted, "the token does not reach this workspace", TOKEN),
    (Code::TeamAddedToOrg, "the workspace is being moved to an organisation", AGAIN),
    (Code::TokenExpired, "the token has expired", TOKEN),
    (Code::TokenRevoked, "the token was revoked", TOKEN),
    (Code::TwoFactorSetupRequired, "the account of the token has to set up two-factor authentication", ASK),
    (Code::UnknownMethod, "the service does not know this operation", BASE),
    (Code::UpgradeRequired, "the workspace needs another plan for this", ASK),
];

/// What the service said to a request for this operation.
pub(super) fn explain(denial: &Denial, operation: &str) -> UploadError {
    let code = denial.word.as_deref().and_then(Code::from_service);
    let known = KNOWN.iter().find(|&&(known, ..)| Some(known) == code).copied();
    let (code, mut message, mut help) = match known {
        Some((code, message, help)) => {
            (code, format!("the service refused it ({code}): {message}"), Some(help.replace("{operation}", operation)))
        }
        None => {
            let word = denial.word.as_deref().map(|word| format!(" ({word})")).unwrap_or_default();
            (Code::ServiceError, format!("the service refused it{word}"), None)
        }
    };
    if let Some(needed) = &denial.needed {
        message += &format!("; it needs {needed}");
        help = help.map(|help| help.replace("files:write", needed));
    }
    if let Some(provided) = &denial.provided {
        message += &format!("; the token has {provided}");
    }
    for said in &denial.messages {
        message += &format!("; it says: {said}");
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
