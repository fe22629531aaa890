//! Describes how a request ended, and what to do; explains the service's own error codes.

use std::time::Duration;

use super::error::{Names, UploadError};
use super::table::Step;
use super::wire::answer::{Answer, Reading};
use super::wire::call::Cause;
use super::wire::guard::{Denial, Guard};
use crate::code::Code;
use crate::schema::MESSAGING;
use crate::services::Refusal;
use crate::text;

/// The context of a request: its step, and the decision of the table.
#[derive(Clone, Copy)]
pub(super) struct RequestContext<'a> {
    pub(super) step: Step,
    /// The service's name for it.
    pub(super) operation: &'a str,
    /// True if it may have been executed nevertheless.
    pub(super) doubt: bool,
    /// The names of the service's settings.
    pub(super) names: &'a Names,
}

impl RequestContext<'_> {
    /// Explains why a request failed.
    pub(super) fn explain(self, cause: Cause, guard: &Guard) -> UploadError {
        self.ended(cause, guard).named(self.names)
    }

    fn ended(self, cause: Cause, guard: &Guard) -> UploadError {
        let interrupted = |message: &str| UploadError::new(Code::Interrupted, message);
        let error = match cause {
            Cause::Answered(answer, reading) => return self.answered(&answer, reading, guard),
            Cause::Broken(error) => error,
            Cause::NoAnswer => UploadError::new(Code::NoAnswer, format!("{}the answer timed out", self.sent())),
            Cause::Stalled { starved: true, after } => UploadError::new(
                Code::Stalled,
                format!("no more of the file could be read for {}", text::duration(after)),
            ),
            Cause::Stalled { starved: false, after } => {
                let message = format!("the service accepted no more data for {}", text::duration(after));
                UploadError::new(Code::Stalled, message)
            }
            Cause::Interrupted { complete } => interrupted(match (self.step, complete) {
                (Step::Ticket, _) => "interrupted before the file was sent",
                (_, false) => "interrupted before the whole file was sent",
                (Step::Bytes, true) => "interrupted before the file was posted",
                (_, true) => "interrupted after the request was sent, before the answer",
            }),
        };
        self.looked(error)
    }

    /// Returns the start of a sentence about the last step of a file.
    const fn sent(self) -> &'static str {
        match self.step {
            Step::Post => "the file was sent, and ",
            _ => "",
        }
    }

    fn looked(self, error: UploadError) -> UploadError {
        if self.doubt { error.look() } else { error }
    }

    fn answered(self, answer: &Answer, reading: Reading, guard: &Guard) -> UploadError {
        let status = answer.status;
        let error = match reading {
            Reading::Denied => return self.denied(answer, guard),
            Reading::Redirected => {
                let to = answer.target(guard).map(|to| format!(" to {to}")).unwrap_or_default();
                let message = format!("the service redirects (HTTP {status}){to}; credlint does not follow redirects");
                let error = UploadError::new(Code::Redirected, message);
                match self.step {
                    // The service provided that address, so there is nothing to configure.
                    Step::Bytes => error,
                    _ => error.help("if you trust the new address, set {address} to it"),
                }
            }
            Reading::Html => {
                let message = format!("the answer is a web page (HTTP {status}), not an API response");
                UploadError::new(Code::HtmlAnswer, message).help(match self.step {
                    Step::Bytes => "a proxy or something else between here and the service answered",
                    _ => "check {address}: it seems to be a web site, a login page or a proxy",
                })
            }
            Reading::Early => UploadError::new(
                Code::AnsweredEarly,
                format!(
                    "the service answered HTTP {status} before it received the whole file, so the file was not uploaded"
                ),
            ),
            Reading::Status if self.doubt => UploadError::new(
                Code::HttpStatus,
                format!("the service answered HTTP {status} but may have the file anyway"),
            ),
            Reading::Status | Reading::Clear => self.refused(answer, guard),
            Reading::Unconfirmed => UploadError::new(
                Code::Unconfirmed,
                format!("the service answered HTTP {status} but did not confirm the upload"),
            ),
            Reading::Truncated => {
                UploadError::new(Code::AnswerTruncated, "the answer is incomplete or can't be parsed")
            }
            Reading::Late => UploadError::new(Code::NoAnswer, format!("{}the answer timed out", self.sent())),
            Reading::TooLarge => {
                UploadError::new(Code::AnswerTooLarge, "the answer is larger than 1 MiB and was not read")
            }
            Reading::Encoded => UploadError::new(
                Code::AnswerEncoded,
                "the answer is compressed, which was not requested, and was not read",
            ),
        };
        self.looked(error)
    }

    /// Explains the service's own error. If it names something to check, its help does too.
    fn denied(self, answer: &Answer, guard: &Guard) -> UploadError {
        let denial = answer.denial(guard);
        let error = explain_denial(&denial, self.operation);
        match (error.code, denial.pause) {
            (Code::Ratelimited, Some(pause)) => error.help(retry_after_text(pause, guard)),
            // Each service has its own code for this; the status is the same.
            (Code::ServiceError, pause) if answer.status == 429 && !self.doubt => {
                error.help(too_many_requests(pause, guard))
            }
            // That help applies to files that may have been posted; this one wasn't.
            (Code::InternalError | Code::FatalError, _) if !self.doubt => error.help("try again later"),
            (Code::ServiceError, _) => self.looked(error),
            _ => error,
        }
    }

    fn refused(self, answer: &Answer, guard: &Guard) -> UploadError {
        let error = UploadError::new(Code::HttpStatus, format!("the service answered HTTP {}", answer.status));
        match (answer.status, answer.retry_after()) {
            (401 | 403 | 404 | 405 | 410, _) if self.step == Step::Bytes => {
                error.help("run it again; the service rejected its own upload address")
            }
            (401 | 403, _) => error.help("check {credential}; if it is right, a proxy may be rejecting the request"),
            (404 | 405 | 410, _) => {
                error.help(format!("check {{address}}: credlint calls {{operations}}{}", self.operation))
            }
            (407, _) => error.help("the proxy requires a username and a password"),
            (413, _) => error.help("send a smaller file; this one is too large for the service or a proxy"),
            (429, pause) => error.help(too_many_requests(pause, guard)),
            _ => error,
        }
    }
}

/// Explains a status that says no more than that there were too many requests.
fn too_many_requests(pause: Option<Duration>, guard: &Guard) -> String {
    let again = pause.map_or_else(|| AGAIN.to_owned(), |pause| retry_after_text(pause, guard));
    format!("too many requests: {again}")
}

const AGAIN: &str = "try again later";

/// Formats when to try again. Even a number may be part of a secret, so it is checked.
pub(super) fn retry_after_text(pause: Duration, guard: &Guard) -> String {
    let shown = text::duration(pause);
    if pause.is_zero() || guard.echo_together(&[&pause.as_secs().to_string(), &shown]) {
        return AGAIN.to_owned();
    }
    format!("try again in {shown}")
}

/// Explains the service's error for an operation.
fn explain_denial(denial: &Denial, operation: &str) -> UploadError {
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
        explain_denial(&Denial { word: Some(code.to_owned()), ..Denial::default() }, "files.upload")
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
        let error = explain_denial(&denial, "files.upload");
        assert!(error.message.contains("it needs files:write:user; the token has chat:write"), "{error}");
        assert!(error.help.unwrap().contains("`files:write:user`"));
    }
}
