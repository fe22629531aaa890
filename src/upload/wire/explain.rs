//! What the service's own error codes mean, and which setting to change.
//!
//! Source of the codes: <https://docs.slack.dev/reference/methods/files.upload>.

use crate::upload::receipt::UploadError;

const TOKEN: &str =
    "set `token` to one that is in force for this workspace; `credlint check` says whether its kind fits";
const CHANNELS: &str = "put the id of the conversation in `channels`: it stands at the end of a link to it";
const JOIN: &str = "invite the app to the conversation, or take that id out of `channels`";
const ASK: &str = "this is decided in the workspace: ask one of its administrators";
const AGAIN: &str = "run it again later";
const LOOK: &str = "part of it may have been done all the same: look in the channel before you run it again";
const METHOD: &str = "set `upload_method = \"external\"`: that is how the service takes files now";
const BASE: &str = "check `base_url`: the operation is {base_url}/api/{operation}";
const BUG: &str = "the service does not take the request as it is documented; check that `base_url` is that of a \
                   service with the operation {operation}";

/// Code, what it means, what to do. Sorted.
const KNOWN: &[(&str, &str, &str)] = &[
    ("access_denied", "the token may not do this", ASK),
    ("accesslimited", "the service does not take requests from this network address", ASK),
    ("account_inactive", "the token belongs to an account or workspace that was deleted or switched off", TOKEN),
    ("blocked_file_type", "files of this type are blocked in the workspace", ASK),
    ("channel_is_archived", "the conversation is archived", "take that id out of `channels`"),
    ("channel_not_found", "one of the channels does not exist, or the token can't see it", CHANNELS),
    ("channels_limit_exceeded", "there are too many channels", "put fewer ids in `channels`"),
    ("deprecated_endpoint", "the service has retired this operation", METHOD),
    ("ekm_access_denied", "the administrators have suspended posting", ASK),
    ("enterprise_is_restricted", "the operation can't be used with an enterprise-wide token", TOKEN),
    ("fatal_error", "the service failed", LOOK),
    (
        "file_not_found",
        "the service does not have the bytes of the file, or it was posted before",
        "run it again: it takes a new ticket",
    ),
    ("file_type_not_allowed", "files of this type are not allowed in the workspace", ASK),
    ("file_update_failed", "the service could not post the file at the moment", AGAIN),
    ("file_uploads_disabled", "uploads are switched off in the workspace", ASK),
    ("file_uploads_except_images_disabled", "uploads other than images are switched off in the workspace", ASK),
    ("file_upload_size_restricted", "the file is larger than the workspace allows", "send a smaller file"),
    ("internal_error", "the service failed", LOOK),
    ("invalid_arg_name", "the service does not know one of the fields of the form", BUG),
    ("invalid_arguments", "the service does not take one of the values of the form", CHANNELS),
    ("invalid_array_arg", "the service does not take one of the values of the form", CHANNELS),
    ("invalid_auth", "the service does not take the token", TOKEN),
    ("invalid_channel", "one of the channels is not a channel", CHANNELS),
    ("invalid_charset", "the service does not take the form", BUG),
    ("invalid_form_data", "the service does not take the form", BUG),
    ("invalid_post_type", "the service does not take the form", BUG),
    (
        "invalid_thread_ts",
        "there is no message with that time stamp to answer",
        "give --thread the `ts` of the first message of the thread, as in `1700000000.000100`",
    ),
    ("is_bot", "a bot may not do this", TOKEN),
    ("malware_detected", "the service takes the file for malware", ASK),
    ("method_deprecated", "the service has retired this operation", METHOD),
    ("method_not_allowed", "the service does not take this kind of request", BASE),
    ("missing_argument", "the service misses a field of the form", BUG),
    ("missing_post_type", "the service does not take the form", BUG),
    (
        "missing_scope",
        "the token lacks a scope",
        "give the app the scope `files:write`, install it again, set `token` to the new one",
    ),
    ("no_file", "the service found no file in the form", "an empty file is refused by some services"),
    ("no_file_data", "the service found no file in the form", "an empty file is refused by some services"),
    ("no_permission", "the token may not do this", ASK),
    (
        "not_allowed_token_type",
        "a token of this kind can't upload files",
        "set `token` to a bot or user token with the scope `files:write`",
    ),
    (
        "not_authed",
        "the service found no token in the request",
        "set `token`; if it is set, a proxy on the way may remove it",
    ),
    ("not_in_channel", "the app is not a member of one of the channels", JOIN),
    ("org_login_required", "the workspace is being moved to an organisation", AGAIN),
    ("post_contents_too_large", "the file is too large", "send a smaller file"),
    ("posting_to_channel_denied", "the token may not post to one of the channels", JOIN),
    ("posting_to_general_channel_denied", "the token may not post to the general channel", JOIN),
    ("ratelimited", "too many requests in a short time", AGAIN),
    ("request_timeout", "the service got the form too slowly or not to its end", AGAIN),
    ("restricted_action", "a rule of the workspace forbids this", ASK),
    ("service_unavailable", "the service is not available at the moment", AGAIN),
    ("slack_connect_blocked_file_type", "files of this type are blocked in a shared channel", JOIN),
    ("slack_connect_clip_sharing_blocked", "clips are blocked in a shared channel", JOIN),
    ("slack_connect_file_upload_sharing_blocked", "uploads are blocked in a shared channel", JOIN),
    ("storage_limit_reached", "the storage of the workspace is full", ASK),
    ("team_access_not_granted", "the token does not reach this workspace", TOKEN),
    ("team_added_to_org", "the workspace is being moved to an organisation", AGAIN),
    ("token_expired", "the token has expired", TOKEN),
    ("token_revoked", "the token was revoked", TOKEN),
    ("two_factor_setup_required", "the account of the token has to set up two-factor authentication", ASK),
    ("unknown_method", "the service does not know this operation", BASE),
    ("upgrade_required", "the workspace needs another plan for this", ASK),
];

/// Whether a code is one of the service's own.
pub fn is_known(code: &str) -> bool {
    KNOWN.iter().any(|&(known, ..)| known == code)
}

/// What a service that answers `ok: false` said of it. All of it has passed its validator.
#[derive(Default, Debug)]
pub struct Denial {
    pub code: Option<String>,
    pub needed: Option<String>,
    pub provided: Option<String>,
    pub messages: Vec<String>,
}

/// What the service said to a request for this operation.
pub fn explain(denial: &Denial, operation: &str) -> UploadError {
    let known = denial.code.as_deref().and_then(|code| {
        let at = KNOWN.iter().position(|&(known, ..)| known == code)?;
        Some(KNOWN[at])
    });
    let (code, mut message, mut help) = match known {
        Some((code, message, help)) => {
            (code, format!("the service refused it ({code}): {message}"), Some(help.replace("{operation}", operation)))
        }
        None => {
            let word = denial.code.as_deref().map(|code| format!(" ({code})")).unwrap_or_default();
            ("service-error", format!("the service refused it{word}"), None)
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
        explain(&Denial { code: Some(code.to_owned()), ..Denial::default() }, "files.upload")
    }

    #[test]
    fn the_table_holds_every_code_once() {
        let codes: Vec<_> = KNOWN.iter().map(|&(code, ..)| code).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(codes.len(), sorted.len());
    }

    #[test]
    fn a_known_code_names_the_setting() {
        for (code, setting) in [
            ("invalid_auth", "`token`"),
            ("channel_not_found", "`channels`"),
            ("method_deprecated", "`upload_method"),
            ("unknown_method", "`base_url`"),
        ] {
            let error = denied(code);
            assert!(error.code == code && error.help.unwrap().contains(setting), "{code}");
        }
        let error = denied("new_error");
        assert!(error.code == "service-error" && error.message.contains("(new_error)"));
    }

    #[test]
    fn a_missing_scope_is_named() {
        let denial = Denial {
            code: Some("missing_scope".to_owned()),
            needed: Some("files:write:user".to_owned()),
            provided: Some("chat:write".to_owned()),
            messages: vec![],
        };
        let error = explain(&denial, "files.upload");
        assert!(error.message.contains("it needs files:write:user; the token has chat:write"), "{error}");
        assert!(error.help.unwrap().contains("`files:write:user`"));
    }
}
