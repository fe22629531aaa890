//! The method `external`: requests a ticket, sends the bytes to its address, and posts the file with the completion.
//!
//! Source: <https://docs.slack.dev/messaging/working-with-files>, and the pages of the two operations.

mod look_up;

use std::time::Instant;

use bytes::Bytes;
use serde_json::Value;
use url::Url;

use super::journal::LineState;
use super::payload::{self, Payload};
use super::post::{completion_form, ticket_form};
use super::receipt::{Receipt, Status};
use super::retry::RetryBudget;
use super::session::{Attempts, StepError, Upload, Watch};
use super::table::{Next, Step};
use super::wire::answer::Ending;
use super::wire::body::Body;
use super::wire::call::{Request, Target};
use super::wire::guard::{show_id, show_target};
use super::wire::ledger::SentBytes;
use crate::code::Code;
use crate::schema::Method;
use crate::schema::value::{BaseUrl, is_loopback};
use crate::secret::MASK;
use crate::source::Problem;
use crate::text;
use look_up::{MissingShare, TWICE};
pub(super) use look_up::{ONCE, UNTIL_SHARED, check_lookups, size_error};

const COMPLETION: (Step, &str) = (Step::Completion, "files.completeUploadExternal");

/// A file that was sent, but not posted yet.
pub(super) struct Placed {
    id: String,
    sha256: Option<String>,
    title: String,
    pub(super) watch: Watch,
    /// What the file has left for its message.
    budget: RetryBudget,
}

impl Upload<'_> {
    /// Sends the bytes of a file without posting it.
    pub(super) async fn place(mut self, payload: Payload) -> (Receipt, Option<Placed>) {
        let started = Instant::now();
        let mut receipt = self.attempts.session.receipt(self.post, &payload.name);
        let placed = match self.prepare(payload).await {
            Ok(payload) => self.place_ready(payload, &mut receipt).await,
            Err(failed) => Err(failed),
        };
        let placed = placed.map_err(|failed| failed.apply_to(&mut receipt)).ok();
        receipt.attempts = self.attempts.tries;
        (receipt.with_elapsed(started), placed)
    }

    /// Checks a payload, and gives it a length.
    async fn prepare(&mut self, payload: Payload) -> Result<Payload, StepError> {
        self.post.check_message(Method::External)?;
        self.attempts.session.check_texts(self.post, &payload.name)?;
        let spooled = payload::with_length(payload, &mut self.attempts.watch.cancel).await?;
        let payload = spooled.ok_or_else(|| StepError::stopped("interrupted before the whole input was read"))?;
        self.post.check(Method::External, payload.size())?;
        Ok(payload)
    }

    async fn place_ready(&mut self, mut payload: Payload, receipt: &mut Receipt) -> Result<Placed, StepError> {
        let title = self.post.title_of(&payload.name);
        let mut ticket = None;
        loop {
            let ledger = SentBytes::new(payload.size(), self.attempts.watch.progress.clone());
            let ended = self.place_once(&mut payload, &ledger, &mut ticket).await;
            receipt.record_sent(&ledger.account());
            match ended {
                Ok(id) => {
                    let (sha256, budget) = (receipt.sha256.clone(), self.attempts.budget.clone());
                    return Ok(Placed { id, sha256, title, watch: self.attempts.watch.clone(), budget });
                }
                Err(failed) => {
                    // The service does not document what happens if bytes arrive twice. A throttled request was not run.
                    ticket = ticket.filter(|_| failed.ending == Ending::Throttled);
                    self.attempts.recover(failed).await?;
                }
            }
        }
    }

    /// Requests a ticket, unless there is one, and sends the bytes. Returns the ID of the file.
    async fn place_once(
        &mut self,
        payload: &mut Payload,
        ledger: &SentBytes,
        ticket: &mut Option<Ticket>,
    ) -> Result<String, StepError> {
        let len = payload.size().unwrap_or_default();
        let Ticket { id, url, origin } = match ticket {
            Some(ticket) => ticket,
            None => {
                self.attempts.watch.record_step(LineState::Begun, None, None).await?;
                let requested = request_ticket(&mut self.attempts, ticket_form(self.post, &payload.name, len)).await?;
                // A journal must not contain an ID that echoes what was sent.
                let id = self.attempts.guard.unless_echoed(&requested.id);
                self.attempts.watch.record_step(LineState::Ticket, id, None).await?;
                ticket.insert(requested)
            }
        };
        let feed = payload.start(ledger, &self.attempts.session.settings)?;
        let request = Request {
            operation: "upload",
            target: Target::Given(url, origin),
            content_type: "application/octet-stream",
            body: Body::raw(feed, Some(len), ledger.clone()),
        };
        let answer = self.attempts.send(Step::Bytes, request).await?;
        match answer.stored {
            None if !answer.is_of_method() => Ok(id.clone()),
            Some(stored) if stored == len => Ok(id.clone()),
            _ if self.attempts.reuse && self.attempts.leave_connection() => Err(StepError::misplaced(Step::Bytes)),
            Some(stored) => Err(StepError::size_differs(Step::Bytes, stored, len)),
            None => Ok(id.clone()),
        }
    }

    /// Posts the files that were sent, in one message. `budget` is what a message before has left, if it was not posted:
    /// further ones don't wait for the service all over again.
    pub(super) async fn complete_one(
        mut self,
        files: &mut [(Receipt, Option<Placed>)],
        budget: &mut Option<RetryBudget>,
    ) {
        let started = Instant::now();
        let placed: Vec<&Placed> = files.iter().filter_map(|(_, placed)| placed.as_ref()).collect();
        let Some(first) = placed.first() else { return };
        let own = if placed.len() == 1 { Some(first.budget.clone()) } else { None };
        if let Some(left) = budget.take().or(own) {
            self.attempts.budget = left;
        }
        let mut records = match self.complete(&placed, false).await {
            Ok(found) => {
                let mut confirmed = Vec::new();
                for (file, record) in placed.iter().zip(found) {
                    confirmed.push(self.confirm(Some(&file.id), record).await);
                }
                confirmed
            }
            Err(failed) => vec![Err(failed); placed.len()],
        }
        .into_iter();
        for (receipt, placed) in &mut *files {
            // The order matters: a file that was left out has no record.
            let Some(placed) = placed else { continue };
            let Some(record) = records.next() else { continue };
            receipt.attempts += self.attempts.tries.saturating_sub(1);
            receipt.elapsed += started.elapsed();
            receipt.file_id = show_id(&placed.id, &self.attempts.guard);
            match record {
                Ok(record) => {
                    receipt.status = Status::Delivered;
                    receipt.record(&record, self.post, &self.attempts.guard);
                    if let Some(failed) = size_error(Step::Completion, &record, receipt.bytes) {
                        failed.apply_to(receipt);
                    }
                }
                Err(failed) => failed.apply_to(receipt),
            }
        }
        if files.iter().all(|(receipt, _)| receipt.status != Status::Delivered) {
            *budget = Some(self.attempts.budget);
        }
        // One answer contains all of them, so they are checked together.
        let shown = |(receipt, _): &(Receipt, _)| [&receipt.file_id, &receipt.permalink, &receipt.ts].map(Clone::clone);
        let parts: Vec<String> = files.iter().flat_map(shown).flatten().collect();
        if self.attempts.guard.echoes_together(&parts.iter().map(String::as_str).collect::<Vec<_>>()) {
            for (receipt, _) in files {
                (receipt.file_id, receipt.permalink, receipt.ts) = (None, None, None);
            }
        }
    }

    /// Posts the files that were sent, once. Returns the service's record of each file. `earlier` is `true` if an earlier
    /// run may have done so.
    ///
    /// A completion works once for each file, so after doubt it may be repeated for the *same* file: if the first one
    /// has run, the second one is an error. Source: <https://docs.slack.dev/reference/methods/files.completeUploadExternal>.
    async fn complete(&mut self, placed: &[&Placed], earlier: bool) -> Result<Vec<Value>, StepError> {
        let words = completion_form(self.post, placed.iter().map(|file| (file.id.as_str(), file.title.as_str())));
        let (mut doubt, mut repeated) = (earlier, earlier);
        if let Some(first) = placed.first().filter(|_| !earlier) {
            self.attempts.find_out(&first.id).await;
        }
        // Once: a repeat says nothing new, and a journal that can't be written must not hide what was posted.
        for file in placed {
            let id = self.attempts.guard.unless_echoed(&file.id);
            file.watch.record_step(LineState::Posting, id, file.sha256.as_deref()).await?;
        }
        loop {
            let mut failed = match self.attempts.ask(COMPLETION, Target::Operation, words.clone()).await {
                Ok(answer) => match answer.records(placed.iter().map(|file| file.id.as_str())) {
                    Some(records) => return Ok(records),
                    None => not_named(answer.status),
                },
                Err(failed) => failed,
            };
            // The service may also answer this if an earlier request has posted the file.
            let gone = repeated && failed.error.code == Code::FileNotFound;
            doubt |= gone || failed.next == Next::LookUp;
            if !doubt || failed.next == Next::Retry {
                match self.attempts.recover(failed).await {
                    Ok(()) => {
                        repeated = true;
                        continue;
                    }
                    Err(last) if !doubt => return Err(last),
                    Err(last) => failed = last,
                }
            }
            // A new connection can't be lost in this way, and costs no attempt.
            let again = failed.next == Next::LookUp && (failed.lost_on_kept || self.attempts.budget.tries > 0);
            let denials = match (again, gone && earlier) {
                (true, _) => TWICE,
                // If the earlier run has posted it, that was long ago.
                (false, true) => ONCE,
                (false, false) => UNTIL_SHARED,
            };
            match self.look_up_all(placed, denials).await {
                Ok(records) => return Ok(records),
                Err(MissingShare::Shown) if again => {
                    if !failed.lost_on_kept {
                        self.attempts.budget.tries -= 1;
                        self.attempts.tries += 1;
                    }
                    repeated = true;
                }
                Err(absence) => {
                    failed.error.message += &format!("; {}", absence.as_str());
                    (failed.next, failed.error) = (Next::LookUp, failed.error.advise_look());
                    return Err(failed);
                }
            }
        }
    }

    /// Looks up the files after a completion whose result is unknown: only the service's record that they are in the
    /// channels counts.
    async fn look_up_all(&mut self, placed: &[&Placed], denials: u32) -> Result<Vec<Value>, MissingShare> {
        let (mut records, mut absent) = (Vec::new(), false);
        for file in placed {
            match self.find_shared(&file.id, denials).await {
                Ok(record) => records.push(record),
                Err(MissingShare::Shown) => absent = true,
                Err(absence) => return Err(absence),
            }
            if absent && !records.is_empty() {
                return Err(MissingShare::Unknown(
                    "the service did not confirm that all of the files are in the channels",
                ));
            }
        }
        if absent { Err(MissingShare::Shown) } else { Ok(records) }
    }

    /// Returns the record of a file that an earlier run may have posted, if it is in its channels; otherwise, the
    /// reason why that is not certain. With a title, the completion of that run is repeated if the file is in none.
    pub(super) async fn look_up(
        &mut self,
        id: Option<&str>,
        denials: u32,
        repeat: Option<String>,
    ) -> Result<Value, String> {
        let Some(id) = id else { return Err("it has no id to look it up by".to_owned()) };
        let absence = match self.find_shared(id, denials).await {
            Ok(record) => return Ok(record),
            Err(absence) => absence,
        };
        let Some(title) = repeat.filter(|_| absence == MissingShare::Shown) else {
            return Err(absence.as_str().to_owned());
        };
        let (sha256, watch, budget) = (None, Watch::default(), self.attempts.budget.clone());
        let placed = Placed { id: id.to_owned(), sha256, title, watch, budget };
        let mut records = self.complete(&[&placed], true).await.map_err(|failed| failed.error.message)?;
        Ok(records.pop().unwrap_or_default())
    }
}

/// Returns the error for a completion whose answer does not name the files.
fn not_named(status: u16) -> StepError {
    let message = format!("the service answered HTTP {status} but did not name the file");
    StepError::new(Step::Completion, Ending::Silent, Problem::new(Code::Unconfirmed, message))
}

const TICKET: (Step, &str) = (Step::Ticket, "files.getUploadURLExternal");

/// A ticket, which is used for one attempt.
pub struct Ticket {
    pub id: String,
    pub url: Url,
    /// Scheme, host and port of the address, in printable form.
    pub origin: String,
}

/// Requests a ticket.
pub async fn request_ticket(attempts: &mut Attempts<'_>, words: Bytes) -> Result<Ticket, StepError> {
    let answer = attempts.ask(TICKET, Target::Operation, words).await?;
    // On a connection that was used before, it may be the answer to an earlier request.
    let is_own = answer.ticket().is_some_and(|(_, id)| attempts.session.is_new(id));
    if !is_own && attempts.reuse && attempts.leave_connection() {
        return Err(StepError::misplaced(Step::Ticket));
    }
    let (url, id) = answer.ticket().ok_or_else(|| bad_ticket("the service gave no upload address"))?;
    if !(1..=64).contains(&id.len()) || !text::is_word_of(id, "-_.") {
        return Err(bad_ticket("the service gave no ID for the file"));
    }
    let url = upload_url(url, attempts.session.base())
        .map_err(|flaw| bad_ticket(&format!("the upload address that the service gave {flaw}")))?;
    let shown = show_target(&url, &attempts.guard).unwrap_or_else(|| MASK.to_owned());
    Ok(Ticket { id: id.to_owned(), url, origin: shown })
}

/// Parses the address of a ticket. The file is sent there, so it must be as safe as the service itself.
fn upload_url(url: &str, base: &BaseUrl) -> Result<Url, &'static str> {
    let url = Url::parse(url).map_err(|_| "is not valid")?;
    match url.scheme() {
        _ if !url.username().is_empty() || url.password().is_some() => {
            Err("contains a username or password; nothing was sent to it")
        }
        "https" => Ok(url),
        "http" if base.is_loopback() && is_loopback(&url) => Ok(url),
        _ => Err("is not https; nothing was sent to it"),
    }
}

fn bad_ticket(message: &str) -> StepError {
    let error = Problem::new(Code::BadTicket, message);
    StepError::new(Step::Ticket, Ending::Refused, error.help("check that `base_url` is the service"))
}
