//! One request: sent, watched from its first byte to its verdict.

use std::time::{Duration, Instant};

use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE};
use tokio::sync::watch;

use super::answer::{Answer, Dialect, Kind, LIMIT};
use super::fault;
use super::guard::Guard;
use super::ledger::{Ledger, Phase};
use super::proxy::Proxies;
use crate::text;
use crate::upload::Settings;
use crate::upload::receipt::UploadError;
use crate::upload::retry::{Next, Outcome, Step, next};

/// What a request is for.
pub struct Request<'a> {
    pub step: Step,
    /// What the service calls it.
    pub operation: &'a str,
    pub ledger: Ledger,
}

/// A request that did not do what it should.
#[derive(Clone, Debug)]
pub struct Setback {
    pub outcome: Outcome,
    /// What the table says to it.
    pub next: Next,
    /// How long the service asks to wait.
    pub asked: Option<std::time::Duration>,
    /// The code by which the service said that the credential is not in force.
    pub dead: Option<&'static str>,
    pub error: UploadError,
}

impl Setback {
    pub fn new(step: Step, outcome: Outcome, error: UploadError) -> Self {
        Self { outcome, next: next(step, outcome), asked: None, dead: None, error }
    }

    /// Nothing that the service could help.
    pub fn local(error: UploadError) -> Self {
        Self::new(Step::Query, Outcome::Local, error)
    }
}

/// How a request ended, before it is put in words.
enum Ending {
    Answered(Box<Answer>, bool),
    Broken(Outcome, UploadError),
}

/// What a request is sent with.
pub struct Caller<'a> {
    pub http: &'a reqwest::Client,
    pub proxies: &'a Proxies,
    pub guard: &'a Guard,
    pub settings: &'a Settings,
    pub dialect: Dialect,
    pub cancel: Option<watch::Receiver<bool>>,
}

impl Caller<'_> {
    /// Sends a request. An answer that is none, or says nothing where that is not enough, is a setback.
    pub async fn call(self, request: Request<'_>, message: reqwest::Request) -> Result<Answer, Setback> {
        let step = request.step;
        let ending = self.exchange(&request, message).await;
        // Whatever is left of the request ends here: its connection would wait for the rest of the body for ever.
        request.ledger.call_off(Phase::Aborted);
        let (answer, complete) = match ending {
            Ending::Answered(answer, complete) => (*answer, complete),
            Ending::Broken(outcome, error) => return Err(Setback::new(step, outcome, error)),
        };
        let (outcome, code) = answer.outcome(complete);
        let next = match next(step, outcome) {
            Next::Accept if self.settings.require_confirmation => Next::Doubt,
            next => next,
        };
        if matches!(next, Next::Go | Next::Accept) {
            return Ok(answer);
        }
        let doubt = matches!(next, Next::Doubt | Next::LookUp);
        let error = answer.explain(&request, code, doubt, self.guard);
        Err(Setback { outcome, next, asked: answer.retry_after(), dead: answer.dead(), error })
    }

    async fn exchange(&self, request: &Request<'_>, message: reqwest::Request) -> Ending {
        let ledger = &request.ledger;
        let mut cancel = self.cancel.clone();
        let head = tokio::select! {
            // An answer that is there counts, however late somebody looks.
            biased;
            head = self.http.execute(message) => match head {
                Ok(head) => head,
                Err(error) => return broken(&error, request, self.proxies),
            },
            () = cancelled(&mut cancel) => return interrupted(request),
            ending = self.expire(request) => return ending,
        };
        // The answer is here: no further byte may turn an early answer into a timely one.
        let complete = !ledger.call_off(Phase::Halted);
        let mut answer = Answer::new(&head, self.dialect);
        let finished = if complete { ledger.account().moved } else { None };
        let deadline = finished.unwrap_or_else(Instant::now) + self.settings.answer_timeout;
        tokio::select! {
            biased;
            () = read(head, &mut answer) => {}
            () = cancelled(&mut cancel) => return interrupted(request),
            () = until(deadline) => answer.kind = Kind::Late,
        }
        Ending::Answered(Box::new(answer), complete)
    }

    /// Ends when nothing has moved for too long.
    async fn expire(&self, request: &Request<'_>) -> Ending {
        let &Settings { connect_timeout, stall_timeout, answer_timeout, .. } = self.settings;
        let ledger = &request.ledger;
        let begun = Instant::now();
        let mut looked_again = false;
        loop {
            let (phase, moved, starved, streamed) = {
                let account = ledger.account();
                (account.phase, account.moved, account.starved, account.progress.total.is_none())
            };
            let deadline = match (phase, moved) {
                (Phase::Finished, moved) => moved.unwrap_or(begun) + answer_timeout,
                (_, None) => begun + connect_timeout + stall_timeout,
                // Nobody knows when the other end of a pipe will write again, and it is not the service's fault.
                (_, Some(_)) if starved && streamed => Instant::now() + stall_timeout,
                (_, Some(moved)) => moved + stall_timeout,
            };
            if deadline > Instant::now() {
                tokio::select! {
                    () = tokio::time::sleep_until(deadline.into()) => {}
                    () = ledger.rung() => {}
                }
                looked_again = false;
                continue;
            }
            if !std::mem::replace(&mut looked_again, true) {
                tokio::time::sleep(MOMENT).await;
                continue;
            }
            if phase == Phase::Finished {
                let error = UploadError::new("no-answer", format!("{}no answer came in time", sent(request.step)));
                return Ending::Broken(Outcome::Lost, posting(request.step, error));
            }
            if ledger.call_off(Phase::Aborted) {
                let seconds = text::duration(stall_timeout);
                let message = if starved {
                    format!("the file could not be read on for {seconds}")
                } else {
                    format!("the service took no further byte for {seconds}")
                };
                return Ending::Broken(Outcome::Cut, UploadError::new("stalled", message));
            }
        }
    }
}

/// What came while this program was stopped, or could not go on because nobody read its output, is there a moment later.
const MOMENT: Duration = Duration::from_millis(200);

async fn until(deadline: Instant) {
    tokio::time::sleep_until(deadline.into()).await;
    tokio::time::sleep(MOMENT).await;
}

/// The beginning of a sentence about what came of the last step of a file.
const fn sent(step: Step) -> &'static str {
    match step {
        Step::Post => "the file was sent, and ",
        _ => "",
    }
}

/// An error after which a step that posts may have posted.
fn posting(step: Step, error: UploadError) -> UploadError {
    if matches!(step, Step::Post | Step::Completion) { error.look() } else { error }
}

pub async fn cancelled(cancel: &mut Option<watch::Receiver<bool>>) {
    if let Some(cancel) = cancel
        && cancel.wait_for(|&cancelled| cancelled).await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

fn interrupted(request: &Request<'_>) -> Ending {
    let error = |message: &'static str| UploadError::new("interrupted", message);
    if request.ledger.call_off(Phase::Aborted) {
        Ending::Broken(Outcome::Stopped, error("interrupted before the whole file was sent"))
    } else {
        let error = error("interrupted after the request was sent and before an answer came");
        Ending::Broken(Outcome::StoppedLate, posting(request.step, error))
    }
}

fn broken(error: &reqwest::Error, request: &Request<'_>, proxies: &Proxies) -> Ending {
    let complete = !request.ledger.call_off(Phase::Aborted);
    if let Some(failure) = request.ledger.account().failure.take() {
        return Ending::Broken(Outcome::Local, failure);
    }
    let lost = fault::lost(error, complete);
    let posted = complete && matches!(request.step, Step::Post | Step::Completion);
    match complete {
        // What does not speak HTTP does not learn it.
        _ if lost.code == "not-http" && !posted => Ending::Broken(Outcome::Refused, lost),
        // A question has no body, so it is complete before it is sent.
        true if request.step != Step::Query || !error.is_connect() => {
            Ending::Broken(Outcome::Lost, posting(request.step, lost))
        }
        _ if error.is_connect() => {
            let (trusted, error) = fault::connect(error, error.url().and_then(|url| proxies.to(url)).as_ref());
            Ending::Broken(if trusted { Outcome::Unconnected } else { Outcome::Untrusted }, error)
        }
        _ => Ending::Broken(Outcome::Cut, lost),
    }
}

/// Reads the answer as far as it goes; what is not read stays [`Kind::Truncated`].
async fn read(mut head: reqwest::Response, answer: &mut Answer) {
    if head.headers().get_all(CONTENT_ENCODING).iter().any(|encoding| encoding != "identity") {
        answer.kind = Kind::Encoded;
        return;
    }
    let content_type = head.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut body = Vec::new();
    while let Ok(chunk) = head.chunk().await {
        match chunk {
            Some(chunk) if body.len() + chunk.len() > LIMIT => {
                answer.kind = Kind::TooLarge;
                return;
            }
            Some(chunk) => body.extend_from_slice(&chunk),
            None => return answer.read(&body, content_type.as_deref()),
        }
    }
}
