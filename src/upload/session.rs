//! A session with one service: sends the requests of each step, waits when the service throttles, and asks the table
//! what to do next.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::error::SettingNames;
use super::explain::{RequestContext, retry_after_text};
use super::journal::{Entry, LineState};
use super::post::{FileName, Post};
use super::receipt::{Receipt, Status};
use super::retry::{Blocked, Gates, RetryBudget, halved, longest, spread};
use super::run_control::run_effect;
use super::settings::Settings;
use super::table::{Next, Step, next};
use super::wire::answer::{Answer, DeadCredential, Ending};
use super::wire::body::{Body, CommitGate};
use super::wire::call::{Caller, Cause, Request, Target, cancelled};
use super::wire::guard::Guard;
use super::wire::http::Credential;
use super::wire::ledger::{Progress, SentBytes, Waiting};
use crate::code::Code;
use crate::schema::value::BaseUrl;
use crate::secret::MASK;
use crate::shorthand::{lock, setters};
use crate::source::Problem;
use crate::text;

const FORM: &str = "application/x-www-form-urlencoded";

/// A step that did not succeed.
#[derive(Clone, Debug)]
pub(super) struct StepError {
    step: Step,
    pub(super) ending: Ending,
    /// What the table says to do next.
    pub(super) next: Next,
    /// How long the service asks to wait.
    pub(super) retry_after: Option<Duration>,
    /// The request failed because of a reused connection; it is repeated at once on a new one.
    stale: bool,
    /// The request was lost on a reused connection, and may have been run.
    pub(super) lost_on_kept: bool,
    /// The status of the answer, if there is one.
    pub(super) status: Option<u16>,
    /// The code with which the service says that the credential is not valid.
    pub(super) dead: Option<DeadCredential>,
    /// The scopes of the token, according to the answer. They must be checked before they are printed.
    pub(super) scopes: Option<String>,
    pub(super) error: Problem,
}

impl StepError {
    pub(super) fn new(step: Step, ending: Ending, error: Problem) -> Self {
        let next = next(step, ending);
        Self {
            step,
            ending,
            next,
            retry_after: None,
            stale: false,
            lost_on_kept: false,
            status: None,
            dead: None,
            scopes: None,
            error,
        }
    }

    /// Creates the error for an answer about another file: it was meant for another request on the same connection, and the
    /// request is sent again on a new one.
    pub(super) fn misplaced(step: Step) -> Self {
        let error = Problem::new(Code::Unconfirmed, "the service answered for another file");
        Self { stale: true, ..Self::new(step, Ending::Lost, error) }
    }

    /// Creates the error for a file of which the service says that it has another number of bytes.
    pub(super) fn size_differs(step: Step, stored: u64, len: u64) -> Self {
        let message = format!("the service says that it has {}, and the file has {}", bytes(stored), bytes(len));
        let error = Problem::new(Code::SizeDiffers, message);
        Self::new(step, Ending::Lost, if step.posts() { error.advise_look() } else { error })
    }

    /// Creates the error for a file that was posted, but not seen in its channels.
    pub(super) fn not_confirmed(why: &str) -> Self {
        let error = Problem::new(Code::ShareNotSeen, format!("the service confirmed the upload, but {why}"));
        Self::new(Step::Completion, Ending::Silent, error.advise_look())
    }

    /// Creates the error of an upload that was stopped before its last byte.
    pub(super) fn stopped(message: &str) -> Self {
        Self::new(Step::Query, Ending::Stopped, Problem::new(Code::Interrupted, message))
    }

    /// Sets the result of the file.
    pub(super) fn apply_to(self, receipt: &mut Receipt) {
        receipt.status = match self.next {
            Next::Doubt | Next::LookUp => Status::Uncertain,
            Next::Go | Next::Accept | Next::Retry | Next::Fail => Status::Failed,
        };
        receipt.run_effect = run_effect(self.step, self.ending, self.status, self.error.code);
        receipt.error = Some(self.error);
    }
}

impl From<Problem> for StepError {
    /// Creates a local error, which no action of the service resolves.
    fn from(error: Problem) -> Self {
        Self::new(Step::Query, Ending::Local, error)
    }
}

/// The attempts for a file or a message, until its result is known.
pub(super) struct Attempts<'a> {
    pub(super) session: &'a Session,
    pub(super) budget: RetryBudget,
    pub(super) watch: Watch,
    pub(super) guard: Guard,
    pub(super) tries: u32,
    /// Its requests may use connections that were used before.
    pub(super) reuse: bool,
    /// Its place in line where the service throttles.
    place: u64,
    /// How often the gate of the last request had been closed.
    closings: u64,
    /// The number of its requests that the service took, and of those of others when it was last throttled.
    taken: u64,
    others: u64,
}

impl Attempts<'_> {
    /// Waits before the next attempt, which has the number `attempt`, unless the upload is cancelled. `why` is shown as
    /// the reason.
    pub(super) async fn pause(&mut self, pause: Duration, why: Code, attempt: u32) -> Result<(), StepError> {
        if let Some(progress) = &self.watch.progress {
            let attempts = attempt + self.budget.tries;
            let waiting = Waiting { why, until: Instant::now() + pause, attempt, attempts };
            progress.send_modify(|progress| progress.waiting = Some(waiting));
        }
        self.wait(tokio::time::sleep(pause)).await
    }

    async fn wait(&mut self, end: impl Future<Output = ()>) -> Result<(), StepError> {
        tokio::select! {
            biased;
            () = cancelled(&mut self.watch.cancel) => Err(StepError::stopped("interrupted while waiting to retry")),
            () = end => Ok(()),
        }
    }

    /// Makes an upload use new connections, because one that was used before has failed it. Returns `false` if it does so
    /// already.
    pub(super) fn leave_connection(&mut self) -> bool {
        self.session.caller.clients.stop_reusing();
        std::mem::replace(&mut self.reuse, false)
    }

    /// Sends a request with a small form, again if its connection turns out to be closed.
    pub(super) async fn ask(
        &mut self,
        (step, operation): (Step, &str),
        target: Target<'_>,
        words: bytes::Bytes,
    ) -> Result<Answer, StepError> {
        loop {
            let body = Body::from_bytes(words.clone(), SentBytes::new(Some(0), None));
            let request = Request { operation, target, content_type: FORM, body };
            match self.send(step, request).await {
                Err(failed) if failed.stale => {}
                ended => return ended,
            }
        }
    }

    /// Sends a request once. First waits as long as the service has asked all uploads to wait.
    pub(super) async fn send(&mut self, step: Step, request: Request<'_>) -> Result<Answer, StepError> {
        let operation = request.operation;
        let line = self.session.gates.line_up(step, self.place);
        let pass = loop {
            let mut changed = std::pin::pin!(line.changed());
            changed.as_mut().enable();
            match line.pass() {
                Ok(pass) => break pass,
                Err(Blocked::Turn) => self.wait(changed).await?,
                Err(Blocked::Until(until)) => {
                    let left = until.saturating_duration_since(Instant::now());
                    // This wait does not use the retry budget. But it never exceeds `max_wait`.
                    if left > longest(self.session.settings.max_wait) {
                        let error = Problem::new(Code::Ratelimited, "the service asked all uploads to wait");
                        let error = error.help(retry_after_text(left, &self.guard));
                        return Err(StepError { next: Next::Fail, ..StepError::new(step, Ending::Throttled, error) });
                    }
                    self.pause(left, Code::Ratelimited, self.tries.max(1)).await?;
                }
            }
        };
        self.closings = pass.closings;
        self.tries = self.tries.max(1);
        let (reuse, posts) = (self.reuse && self.session.may_reuse(step), step.posts());
        let (ending, cause) = self.session.caller.call(request, reuse, posts, self.watch.cancel.clone()).await;
        let next = next(step, ending);
        // The answer to a question may well be no.
        let is_answer = step == Step::Query && ending == Ending::Denied;
        // The service may have closed the connection before, or have answered another request.
        let unsound = match cause {
            Cause::Broken(_) => ending != Ending::Local,
            Cause::Answered(_) => {
                !posts && matches!(ending, Ending::Silent | Ending::Denied | Ending::Refused | Ending::Page)
            }
            _ => false,
        };
        let left = reuse && next != Next::Go && !is_answer && unsound && self.leave_connection();
        let stale = left && (!posts || ending == Ending::Cut);
        if matches!(ending, Ending::Done | Ending::Silent | Ending::Denied) {
            pass.was_taken();
            self.taken += 1;
        }
        let next = match next {
            Next::Accept if self.session.settings.require_confirmation || self.session.settings.confirm_shares => {
                Next::Doubt
            }
            next => next,
        };
        let doubt = matches!(next, Next::Doubt | Next::LookUp);
        let about = RequestContext { step, ending, operation, may_have_run: doubt, names: self.session.names };
        let (status, retry_after, dead, scopes) = match cause {
            Cause::Answered(answer) if matches!(next, Next::Go | Next::Accept) => return Ok(*answer),
            Cause::Answered(ref answer) => {
                (Some(answer.status), answer.retry_after, answer.dead_credential(), answer.scopes().map(str::to_owned))
            }
            _ => (None, None, None, None),
        };
        let failed = StepError::new(step, ending, about.explain(cause, &self.guard));
        let lost_on_kept = left && !stale;
        Err(StepError { next, retry_after, stale, lost_on_kept, status, dead, scopes, ..failed })
    }

    /// Waits until a step can be tried again, if the table and the retry budget allow that.
    pub(super) async fn recover(&mut self, failed: StepError) -> Result<(), StepError> {
        if failed.stale {
            // The service did not fail, and a new connection can't be stale.
            return Ok(());
        }
        if failed.next != Next::Retry {
            return Err(failed);
        }
        if failed.ending == Ending::Throttled {
            if !self.close_gate(&failed) {
                return Err(self.give_up(failed));
            }
        } else {
            let Some(pause) = self.budget.pause(failed.retry_after) else {
                return Err(self.give_up(failed));
            };
            self.pause(pause, failed.error.code, self.tries + 1).await?;
        }
        self.tries += 1;
        Ok(())
    }

    /// Makes all uploads wait that need a throttled operation, this one included. Returns `false` if this one has waited
    /// or tried enough.
    ///
    /// A 429 counts as an attempt only if the service took no request of the others in the meantime: with several files
    /// at a time, each of them makes the others wait.
    fn close_gate(&mut self, failed: &StepError) -> bool {
        let (step, asked) = (failed.step, failed.retry_after);
        let others = self.session.gates.taken() - self.taken;
        let moving = std::mem::replace(&mut self.others, others) != others;
        let free = self.budget.is_retried() && (moving || self.session.gates.was_closed(step, self.closings));
        let pause = match asked {
            Some(asked) if free => Some(spread(asked)).filter(|_| asked <= self.session.settings.max_wait),
            None if free => {
                Some(halved(self.session.settings.backoff / 2)).filter(|pause| *pause <= self.session.settings.max_wait)
            }
            asked => self.budget.pause(asked),
        };
        // Closed even if this upload gives up, so that the next one does not have to ask.
        self.session.gates.close(step, self.closings, pause.or(asked).unwrap_or_default(), asked.is_some());
        pause.is_some()
    }

    /// Returns the error of an upload that is not tried again.
    fn give_up(&self, mut failed: StepError) -> StepError {
        failed.next = Next::Fail;
        if self.tries > 1 {
            failed.error.message += &format!("; tried {}", text::count(self.tries as usize, "time"));
        }
        if let (Some(retry_after), None) = (failed.retry_after, &failed.error.help) {
            failed.error = failed.error.help(retry_after_text(retry_after, &self.guard));
        }
        failed
    }
}

/// A post, and the attempts to send it, for the steps of a method.
pub(super) struct Upload<'a> {
    pub(super) attempts: Attempts<'a>,
    pub(super) post: &'a Post,
}

/// A session with one service and one credential.
pub(super) struct Session {
    caller: Caller,
    pub(super) guard: Guard,
    pub(super) settings: Settings,
    gates: Gates,
    names: &'static SettingNames,
    /// The IDs of files that answers have named. A second answer with the same ID was meant for another request.
    ids: Mutex<HashSet<String>>,
    /// The service was asked about a file, and has answered.
    asked: AtomicBool,
    answers: AtomicBool,
}

impl Session {
    /// Creates a session with the service of a credential.
    pub(super) fn new(
        base: &BaseUrl,
        credential: Credential<'_>,
        settings: Settings,
        names: &'static SettingNames,
    ) -> Result<Self, Problem> {
        require_https(base, names)?;
        let settings = settings.limited();
        let caller = Caller::new(base, credential, &settings)?;
        let guard = Guard::new(credential.secret());
        Ok(Self {
            caller,
            guard,
            settings,
            gates: Gates::default(),
            names,
            ids: Mutex::default(),
            asked: AtomicBool::new(false),
            answers: AtomicBool::new(false),
        })
    }

    /// Returns the address of the service.
    pub(super) const fn base(&self) -> &BaseUrl {
        &self.caller.base
    }

    /// Creates the receipt of a file, which says `failed` until it is filled in.
    pub(super) fn receipt(&self, post: &Post, name: &FileName) -> Receipt {
        let file = self.guard.unless_echoed(name.as_str()).map_or_else(|| MASK.to_owned(), text::printable);
        Receipt::blank(file, post.shown_channels(), Status::Failed)
    }

    /// Checks that the texts that are posted with a file contain no secret of the profile.
    pub(super) fn check_texts(&self, post: &Post, name: &FileName) -> Result<(), Problem> {
        let own = &self.settings.own_secrets;
        post.check_texts(own)?;
        let texts = [
            ("name of the file", "choose another name with --filename", Some(name.as_str())),
            ("title", "choose another title", post.title.as_deref()),
        ];
        for (text, help, words) in texts {
            if let Some(field) = words.and_then(|words| own.field_in(words)) {
                let message = format!("not sent: the {text} contains the `{field}` of the profile");
                let help = format!("{help}; if others saw it, rotate the secret as well");
                return Err(Problem::new(Code::OwnSecret, message).help(help));
            }
        }
        Ok(())
    }

    /// Creates the attempts for one file or message.
    pub(super) fn attempts(&self, post: &Post, watch: Watch) -> Attempts<'_> {
        let guard = post.texts().fold(self.guard.clone(), |guard, text| guard.with_comment(text));
        Attempts { watch, guard, ..self.query_attempts() }
    }

    /// Creates the attempts for a query.
    pub(super) fn query_attempts(&self) -> Attempts<'_> {
        let (budget, watch, guard) = (RetryBudget::new(&self.settings), Watch::default(), self.guard.clone());
        let reuse = self.caller.clients.reuses();
        let (place, others) = (self.gates.place(), self.gates.taken());
        Attempts { session: self, budget, watch, guard, tries: 0, reuse, place, closings: 0, taken: 0, others }
    }

    /// Returns `true` unless an earlier answer has named this file.
    pub(super) fn is_new(&self, id: &str) -> bool {
        lock(&self.ids).insert(id.to_owned())
    }

    /// Returns `true` once, if an answer to a question about a file would let completions reuse connections.
    pub(super) fn is_worth_asking(&self) -> bool {
        self.caller.clients.reuses() && !self.asked.swap(true, Ordering::Relaxed)
    }

    /// Records that the service answers questions about files.
    pub(super) fn can_be_asked(&self) {
        self.answers.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if the request of a step may use a connection that was used before: doubt about it can be resolved, by
    /// repeating it or by asking the service.
    fn may_reuse(&self, step: Step) -> bool {
        match step {
            Step::Post => false,
            Step::Completion => self.answers.load(Ordering::Relaxed),
            Step::Ticket | Step::Bytes | Step::Query => true,
        }
    }
}

fn bytes(number: u64) -> String {
    format!("{number} byte{}", if number == 1 { "" } else { "s" })
}

/// Refuses to send a credential to another machine in plaintext, whatever the lint levels are.
fn require_https(base: &BaseUrl, names: &SettingNames) -> Result<(), Problem> {
    if base.is_https() || base.is_loopback() {
        return Ok(());
    }
    let message = "credlint never sends a credential over plain HTTP to another machine";
    let error = Problem::new(Code::InsecureBaseUrl, message).help("set {address} to the HTTPS address of the service");
    Err(error.with_names(names))
}

/// The channels of a running upload: progress, cancellation and the journal. By default there are none.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub(super) progress: Option<watch::Sender<Progress>>,
    pub(super) cancel: Option<watch::Receiver<bool>>,
    pub(super) journal: Option<Entry>,
}

impl Watch {
    setters! {
        /// Reports progress to this channel. Only the latest value is kept, so a slow reader doesn't delay the upload.
        with_progress(progress: watch::Sender<Progress>) = Some(progress);

        /// Cancels the upload when this becomes `true`. Dropping the sender does not cancel it.
        with_cancel(cancel: watch::Receiver<bool>) = Some(cancel);

        /// Records every step in this entry before it is taken.
        with_journal(journal: Option<Entry>);
    }

    /// Returns `true` if the upload was cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| *cancel.borrow())
    }

    /// Records a step, if there is a journal.
    pub(super) async fn record_step(
        &self,
        state: LineState,
        file_id: Option<&str>,
        sha256: Option<&str>,
    ) -> Result<(), Problem> {
        match &self.journal {
            Some(entry) => entry.record(state, file_id, sha256).await,
            None => Ok(()),
        }
    }

    /// Returns what must be recorded before the last bytes of a posting request are sent.
    pub(super) fn commit_gate(&self, ledger: &SentBytes) -> Option<CommitGate> {
        let (entry, ledger) = (self.journal.clone()?, ledger.clone());
        Some(Box::pin(async move {
            let sha256 = ledger.account().sha256.clone();
            entry.record(LineState::Posting, None, sha256.as_deref()).await
        }))
    }
}
