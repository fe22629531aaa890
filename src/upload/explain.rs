//! Describes how a request ended, and what to do; explains the service's own error codes.

use std::time::Duration;

use super::error::SettingNames;
use super::table::Step;
use super::wire::answer::{Answer, BodyKind, Ending};
use super::wire::call::Cause;
use super::wire::guard::{Denial, Guard};
use crate::code::Code;
use crate::schema::MESSAGING;
use crate::services::Refusal;
use crate::source::Problem;
use crate::text;

/// The context of a request: its step, and the decision of the table.
#[derive(Clone, Copy)]
pub(super) struct RequestContext<'a> {
    pub(super) step: Step,
    /// How it ended.
    pub(super) ending: Ending,
    /// The service's name for it.
    pub(super) operation: &'a str,
    /// True if it may have been executed nevertheless.
    pub(super) may_have_run: bool,
    /// The names of the service's settings.
    pub(super) names: &'a SettingNames,
}

impl RequestContext<'_> {
    /// Explains why a request failed.
    pub(super) fn explain(self, cause: Cause, guard: &Guard) -> Problem {
        self.explain_cause(cause, guard).with_names(self.names)
    }

    fn explain_cause(self, cause: Cause, guard: &Guard) -> Problem {
        let (code, message) = match cause {
            Cause::Answered(answer) => return self.explain_answer(&answer, guard),
            Cause::Broken(error) => return self.advise_look(error),
            Cause::NoAnswer => (Code::NoAnswer, format!("{}the answer timed out", self.sentence_start())),
            Cause::Stalled { starved, after } => {
                let what =
                    if starved { "no more of the file could be read" } else { "the service accepted no more data" };
                (Code::Stalled, format!("{what} for {}", text::duration(after)))
            }
            Cause::Interrupted => {
                let message = match (self.step, self.ending) {
                    (Step::Ticket, _) => "interrupted before the file was sent",
                    (_, Ending::Stopped) => "interrupted before the whole file was sent",
                    (Step::Bytes, _) => "interrupted before the file was posted",
                    _ => "interrupted after the request was sent, before the answer",
                };
                (Code::Interrupted, message.to_owned())
            }
        };
        self.advise_look(Problem::new(code, message))
    }

    /// Returns the start of a sentence about the last step of a file.
    const fn sentence_start(self) -> &'static str {
        match self.step {
            Step::Post => "the file was sent, and ",
            _ => "",
        }
    }

    fn advise_look(self, error: Problem) -> Problem {
        if self.may_have_run { error.advise_look() } else { error }
    }

    fn explain_answer(self, answer: &Answer, guard: &Guard) -> Problem {
        let status = answer.status;
        let (code, message) = match (self.ending, status, answer.kind) {
            (Ending::Early, ..) => {
                let message = "before it received the whole file, so the file was not uploaded";
                (Code::AnsweredEarly, format!("the service answered HTTP {status} {message}"))
            }
            (Ending::Silent, ..) => {
                (Code::Unconfirmed, format!("the service answered HTTP {status} but did not confirm the upload"))
            }
            (Ending::Lost, 200..=299, BodyKind::Late) => {
                (Code::NoAnswer, format!("{}the answer timed out", self.sentence_start()))
            }
            (Ending::Lost, 200..=299, BodyKind::TooLarge) => {
                (Code::AnswerTooLarge, "the answer is larger than 1 MiB and was not read".to_owned())
            }
            (Ending::Lost, 200..=299, BodyKind::Encoded) => {
                let message = "the answer is compressed, which was not requested, and was not read";
                (Code::AnswerEncoded, message.to_owned())
            }
            (Ending::Lost, 200..=299, _) => {
                (Code::AnswerTruncated, "the answer is incomplete or can't be parsed".to_owned())
            }
            (ending, _, BodyKind::Denied) if ending != Ending::Lost => return self.explain_error(answer, guard),
            (_, 200..=399, _) => return self.advise_look(self.explain_redirect(answer, guard)),
            _ if self.may_have_run => {
                (Code::HttpStatus, format!("the service answered HTTP {status} but may have the file anyway"))
            }
            _ => return self.explain_refusal(answer, guard),
        };
        self.advise_look(Problem::new(code, message))
    }

    /// Explains a redirect, or a web page.
    fn explain_redirect(self, answer: &Answer, guard: &Guard) -> Problem {
        let status = answer.status;
        if status < 300 {
            let message = format!("the answer is a web page (HTTP {status}), not an API response");
            return Problem::new(Code::HtmlAnswer, message).help(match self.step {
                Step::Bytes => "a proxy or something else between here and the service answered",
                _ => "check {address}: it seems to be a web site, a login page or a proxy",
            });
        }
        let to = answer.redirect_target(guard).map(|to| format!(" to {to}")).unwrap_or_default();
        let message = format!("the service redirects (HTTP {status}){to}; credlint does not follow redirects");
        let error = Problem::new(Code::Redirected, message);
        match self.step {
            // The service provided that address, so there is nothing to configure.
            Step::Bytes => error,
            _ => error.help("if you trust the new address, set {address} to it"),
        }
    }

    /// Explains the service's own error. If it names something to check, its help does too.
    fn explain_error(self, answer: &Answer, guard: &Guard) -> Problem {
        let denial = answer.denial(guard);
        let error = explain_denial(&denial, self.step, self.operation);
        match (error.code, denial.pause) {
            (Code::Ratelimited, Some(pause)) => error.help(retry_after_text(pause, guard)),
            // Each service has its own code for this; the status is the same.
            (Code::ServiceError, pause) if answer.status == 429 && !self.may_have_run => {
                error.help(too_many_requests(pause, guard))
            }
            // That help applies to files that may have been posted; this one wasn't.
            (Code::InternalError | Code::FatalError, _) if !self.may_have_run => error.help("try again later"),
            (Code::ServiceError, _) => self.advise_look(error),
            _ => error,
        }
    }

    fn explain_refusal(self, answer: &Answer, guard: &Guard) -> Problem {
        let error = Problem::new(Code::HttpStatus, format!("the service answered HTTP {}", answer.status));
        match (answer.status, answer.retry_after) {
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

/// Explains a status that only says that there were too many requests.
fn too_many_requests(pause: Option<Duration>, guard: &Guard) -> String {
    let again = pause.map_or_else(|| TRY_LATER.to_owned(), |pause| retry_after_text(pause, guard));
    format!("too many requests: {again}")
}

const TRY_LATER: &str = "try again later";

/// Formats when to try again. Even a number may be part of a secret, so it is checked.
pub(super) fn retry_after_text(pause: Duration, guard: &Guard) -> String {
    let shown = text::duration(pause);
    if pause.is_zero() || guard.echoes_together(&[&pause.as_secs().to_string(), &shown]) {
        return TRY_LATER.to_owned();
    }
    format!("try again in {shown}")
}

/// Returns the advice for a value that the service rejects: about the argument that it names, or about those that the step
/// has.
fn arguments(step: Step, pointer: Option<&str>) -> &'static str {
    let named = pointer.and_then(|pointer| pointer.split('/').nth(1));
    match (named, step) {
        (Some("channel" | "channels" | "channel_id"), _) => {
            "set `channels` to the channel ID: the last part of a link to the channel"
        }
        (Some("thread_ts"), _) => "pass --thread the `ts` of the first message of the thread",
        (Some("initial_comment"), _) => "change the comment: --comment, or `initial_comment` in the profile",
        (Some("title"), _) => "choose another title with --title",
        (Some("filename"), _) => "choose another name with --filename",
        (Some("length"), _) => "send a file of another size",
        (Some("snippet_type" | "filetype"), _) => {
            "change the snippet type: --snippet-type, or `snippet_type` in the profile"
        }
        (Some("alt_txt"), _) => "change --alt-text",
        (Some("blocks"), _) => "try the file of --blocks in Block Kit Builder",
        (_, Step::Ticket | Step::Bytes) => {
            "it got the name and the size of the file, and --snippet-type and --alt-text: choose another name with --filename"
        }
        (_, Step::Post | Step::Completion) => {
            "it got the channels, the comment or blocks, the thread and the title: check `channels` first, which takes channel IDs"
        }
        (_, Step::Query) => {
            "check that {address} is a service that supports {operation}; it rejects the documented request"
        }
    }
}

/// Explains the service's error for an operation.
fn explain_denial(denial: &Denial, step: Step, operation: &str) -> Problem {
    let known = denial.word.as_deref().and_then(|word| Some((Code::from_service(word)?, known_refusal(word)?)));
    let (code, mut message, help) = match known {
        Some((code, Refusal { meaning: means, advice: help, .. })) => {
            let scope = denial.needed.as_deref().unwrap_or(if operation == "files.info" {
                "files:read"
            } else {
                "files:write"
            });
            let help =
                help.replace("{arguments}", arguments(step, denial.pointer.as_deref())).replace("{scope}", scope);
            (code, format!("the service rejected it ({code}): {means}"), Some(help.replace("{operation}", operation)))
        }
        None => {
            let word = denial.word.as_deref().map(|word| format!(" ({word})")).unwrap_or_default();
            (Code::ServiceError, format!("the service rejected it{word}"), None)
        }
    };
    if let Some(needed) = &denial.needed {
        message += &format!("; it needs {needed}");
    }
    if let Some(provided) = &denial.provided {
        message += &format!("; the token has {provided}");
    }
    if let Some(pointer) = &denial.pointer {
        message += &format!("; it names `{pointer}`");
    }
    let error = Problem::new(code, message);
    match help {
        Some(help) => error.help(help),
        None => error,
    }
}

/// Returns what is known about a code.
fn known_refusal(code: &str) -> Option<&'static Refusal> {
    MESSAGING.service?.refusals.iter().find(|refusal| refusal.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denied(code: &str) -> Problem {
        explain_denial(&Denial { word: Some(code.to_owned()), ..Denial::default() }, Step::Post, "files.upload")
    }

    #[test]
    fn explains_each_service_code_once() {
        let rows = MESSAGING.service.unwrap().refusals;
        for &code in Code::ALL {
            let entries = rows.iter().filter(|refusal| refusal.code == code.as_str()).count();
            assert_eq!(entries, usize::from(Code::from_service(code.as_str()).is_some()), "{code}");
        }
        assert!(rows.iter().all(|refusal| Code::from_service(refusal.code).is_some()));
    }

    #[test]
    fn explains_known_codes_with_the_setting() {
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
    fn a_rejected_value_is_that_of_the_step_or_of_the_pointer() {
        let help = |step, pointer: Option<&str>| {
            let word = Some("invalid_arguments".to_owned());
            let denial = Denial { word, pointer: pointer.map(str::to_owned), ..Denial::default() };
            let error = explain_denial(&denial, step, "files.info");
            assert_eq!(pointer.is_some_and(|pointer| error.message.contains(pointer)), pointer.is_some());
            error.help.unwrap()
        };
        for (step, pointer, word) in [
            (Step::Ticket, None, "--filename"),
            (Step::Ticket, Some("/length"), "size"),
            (Step::Post, None, "`channels`"),
            (Step::Completion, None, "`channels`"),
            (Step::Completion, Some("/channel_id"), "`channels`"),
            (Step::Completion, Some("/thread_ts"), "--thread"),
            (Step::Completion, Some("/files/0/title"), "`channels`"),
            (Step::Query, None, "files.info"),
        ] {
            let help = help(step, pointer);
            assert!(help.contains(word) && (word.contains("channels") || !help.contains("channels")), "{help}");
        }
    }

    #[test]
    fn a_channel_with_the_right_id_is_one_of_another_workspace() {
        let help = denied("channel_not_found").help.unwrap();
        assert!(help.contains("invite the app") && help.contains("workspace"), "{help}");
    }

    #[test]
    fn a_missing_scope_is_named() {
        let scope = |name| {
            explain_denial(&Denial { word: Some("missing_scope".into()), ..Denial::default() }, Step::Query, name)
        };
        assert!(scope("files.info").help.unwrap().contains("`files:read`"));
        assert!(scope("auth.test").help.unwrap().contains("`files:write`"));
        let denial = Denial {
            word: Some("missing_scope".to_owned()),
            needed: Some("files:write:user".to_owned()),
            provided: Some("chat:write".to_owned()),
            ..Denial::default()
        };
        let error = explain_denial(&denial, Step::Post, "files.upload");
        assert!(error.message.contains("it needs files:write:user; the token has chat:write"), "{error}");
        assert!(error.help.unwrap().contains("`files:write:user`"));
    }
}
