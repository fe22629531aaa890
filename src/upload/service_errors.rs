//! Explains the service's own error codes, and which setting to change.

use super::error::UploadError;
use super::wire::show::Denial;
use crate::code::Code;
use crate::schema::MESSAGING;
use crate::services::Refusal;

/// Explains the service's error for an operation.
pub(super) fn explain(denial: &Denial, operation: &str) -> UploadError {
    let known = denial.word.as_deref().and_then(|word| Some((Code::from_service(word)?, refusal(word)?)));
    let (code, mut message, mut help) = match known {
        Some((code, Refusal(_, means, help))) => {
            (code, format!("the service rejected it ({code}): {means}"), Some(help.replace("{operation}", operation)))
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

/// Returns what is known of a code.
fn refusal(code: &str) -> Option<&'static Refusal> {
    MESSAGING.service?.refusals.iter().find(|Refusal(known, ..)| *known == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denied(code: &str) -> UploadError {
        explain(&Denial { word: Some(code.to_owned()), ..Denial::default() }, "files.upload")
    }

    #[test]
    fn the_table_holds_every_code_of_the_service_once() {
        let rows = MESSAGING.service.unwrap().refusals;
        for &code in Code::ALL {
            let entries = rows.iter().filter(|Refusal(known, ..)| *known == code.as_str()).count();
            assert_eq!(entries, usize::from(Code::from_service(code.as_str()).is_some()), "{code}");
        }
        assert!(rows.iter().all(|Refusal(known, ..)| Code::from_service(known).is_some()));
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
