//! The method `external`: a ticket, the bytes to the address on it, and the completion, which posts.
//!
//! Source: <https://docs.slack.dev/messaging/working-with-files>, and the pages of the two operations.

mod completion_form;
mod look_up;
mod ticket;

use std::time::Instant;

use futures_util::{StreamExt, stream};
use serde_json::Value;

use super::error::UploadError;
use super::journal::Stage;
use super::payload::Payload;
use super::post::Post;
use super::receipt::{Receipt, Status};
use super::session::{Attempts, Session, StepError};
use super::table::{Next, Step};
use super::watch::Watch;
use super::wire::body::Body;
use super::wire::call::{Request, Target, cancelled};
use super::wire::guard::Guard;
use super::wire::ledger::Ledger;
use super::wire::show::{show_file, show_id, show_together};
use crate::code::Code;
use crate::schema::method::Method;
use completion_form::completion_form;
pub(super) use look_up::Patience;
use look_up::look_up;
use ticket::{Ticket, ticket};

const COMPLETION: (Step, &str) = (Step::Completion, "files.completeUploadExternal");

/// A file whose bytes are there, and which nobody sees yet.
pub(super) struct Placed {
    id: String,
    sha256: Option<String>,
    title: String,
    watch: Watch,
}

/// The method, for one post.
#[derive(Clone, Copy)]
pub(super) struct External<'a> {
    pub(super) session: &'a Session,
    pub(super) post: &'a Post,
}

impl External<'_> {
    /// Places so many files at a time, then posts those that are there in one message.
    pub(super) async fn place_and_complete(self, payloads: Vec<(Payload, Watch)>, concurrency: usize) -> Vec<Receipt> {
        let places = payloads.into_iter().map(|(payload, watch)| self.place(payload, watch));
        let mut files: Vec<_> = stream::iter(places).buffered(concurrency.max(1)).collect().await;
        self.complete_all(&mut files).await;
        files.into_iter().map(|(receipt, _)| receipt).collect()
    }

    /// Gets the bytes of a file to the service.
    pub(super) async fn place(self, payload: Payload, watch: Watch) -> (Receipt, Option<Placed>) {
        let started = Instant::now();
        let mut receipt = self.session.receipt(self.post, &payload.name);
        let mut attempts = self.session.attempts(self.post, &watch);
        let placed = match self.ready(payload, &mut attempts).await {
            Ok(payload) => self.place_ready(payload, watch, &mut attempts, &mut receipt).await,
            Err(failed) => Err(failed),
        };
        let placed = placed.map_err(|failed| failed.end(&mut receipt)).ok();
        receipt.attempts = attempts.tries;
        (receipt.ended(started), placed)
    }

    /// A payload of known length that the service will take.
    async fn ready(self, payload: Payload, attempts: &mut Attempts) -> Result<Payload, StepError> {
        self.post.check_channels(Method::External)?;
        self.session.check_words(self.post, &payload.name)?;
        let payload = spool(payload, attempts).await?;
        self.post.check(Method::External, payload.size())?;
        Ok(payload)
    }

    async fn place_ready(
        self,
        mut payload: Payload,
        watch: Watch,
        attempts: &mut Attempts,
        receipt: &mut Receipt,
    ) -> Result<Placed, StepError> {
        let title = self.post.title.clone().unwrap_or_else(|| payload.name.as_str().to_owned());
        loop {
            let ledger = Ledger::new(payload.size(), watch.progress.clone());
            let ended = self.place_once(&mut payload, &watch, attempts, &ledger).await;
            receipt.account(&ledger.account());
            match ended {
                Ok(id) => return Ok(Placed { id, sha256: receipt.sha256.clone(), title, watch }),
                // A ticket is for one try: what the service makes of bytes that come twice is not documented.
                Err(failed) => self.session.recover(attempts, failed).await?,
            }
        }
    }

    /// A ticket and the bytes: the id of the file.
    async fn place_once(
        self,
        payload: &mut Payload,
        watch: &Watch,
        attempts: &mut Attempts,
        ledger: &Ledger,
    ) -> Result<String, StepError> {
        let len = payload.size().unwrap_or_default();
        watch.note(Stage::Begun).await?;
        let Ticket { id, url, shown } = ticket(self.session, attempts, &payload.name, len).await?;
        watch.note(Stage::Ticket(writable(&id, &attempts.guard))).await?;
        let feed = payload.start(ledger, &self.session.settings, url.scheme() == "https")?;
        let request = Request {
            operation: "upload",
            target: Target::Given(&url, &shown),
            content_type: "application/octet-stream",
            body: Body::raw(feed, Some(len), ledger.clone()),
            ledger,
        };
        self.session.send(attempts, Step::Bytes, request).await?;
        Ok(id)
    }

    /// Posts the files that were placed in one message.
    pub(super) async fn complete_all(self, files: &mut [(Receipt, Option<Placed>)]) {
        let started = Instant::now();
        let placed: Vec<&Placed> = files.iter().filter_map(|(_, placed)| placed.as_ref()).collect();
        let Some(first) = placed.first() else { return };
        let mut attempts = self.session.attempts(self.post, &first.watch);
        let mut records = match self.complete(&placed, &mut attempts).await {
            Ok(found) => found.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(failed) => vec![Err(failed); placed.len()],
        }
        .into_iter();
        for (receipt, placed) in &mut *files {
            // In this order: a file that was left out has no record.
            let Some(placed) = placed else { continue };
            let Some(record) = records.next() else { continue };
            receipt.attempts += attempts.tries.saturating_sub(1);
            receipt.elapsed += started.elapsed();
            receipt.file_id = show_id(&placed.id, &attempts.guard);
            match record {
                Ok(record) => {
                    receipt.status = Status::Delivered;
                    let (id, permalink) = show_file(&record, &attempts.guard);
                    let id = id.or(receipt.file_id.take());
                    (receipt.file_id, receipt.permalink) = show_together(id, permalink, &attempts.guard);
                }
                Err(failed) => failed.end(receipt),
            }
        }
        // One answer speaks of all of them.
        let said = |(receipt, _): &(Receipt, _)| [receipt.file_id.clone(), receipt.permalink.clone()];
        let parts: Vec<String> = files.iter().flat_map(said).flatten().collect();
        if attempts.guard.echo_together(&parts.iter().map(String::as_str).collect::<Vec<_>>()) {
            for (receipt, _) in files {
                (receipt.file_id, receipt.permalink) = (None, None);
            }
        }
    }

    /// Posts what was placed, once. What the service knows of each file.
    async fn complete(self, placed: &[&Placed], attempts: &mut Attempts) -> Result<Vec<Value>, StepError> {
        let words = completion_form(self.post, placed.iter().map(|file| (file.id.as_str(), file.title.as_str())));
        let mut repeated = false;
        loop {
            for file in placed {
                file.watch.note(Stage::Posting(writable(&file.id, &attempts.guard), file.sha256.as_deref())).await?;
            }
            let mut failed = match self.session.ask(attempts, COMPLETION, Target::Operation, words.clone()).await {
                Ok(answer) => return Ok(answer.records(placed.len())),
                Err(failed) => failed,
            };
            if repeated && failed.error.code == Code::FileNotFound {
                // That is also what a file is called that was posted the first time, whatever was answered then.
                (failed.next, failed.error) = (Next::LookUp, failed.error.look());
            }
            if failed.next == Next::LookUp {
                return self.look_up_all(placed, attempts, failed).await;
            }
            self.session.recover(attempts, failed).await?;
            repeated = true;
        }
    }

    /// After a completion of which nobody knows whether it was done: only the service's word that the files are in the
    /// channels counts.
    async fn look_up_all(
        self,
        placed: &[&Placed],
        attempts: &mut Attempts,
        mut failed: StepError,
    ) -> Result<Vec<Value>, StepError> {
        let mut records = Vec::new();
        for file in placed {
            match look_up(self.session, self.post, &file.id, Patience::UntilShared, attempts).await {
                Ok(record) => records.push(record),
                Err(why) => {
                    failed.error.message += &format!("; {why}");
                    return Err(failed);
                }
            }
        }
        Ok(records)
    }

    /// The record of a file that an earlier run may have posted, if the service says that it is there; or else in words
    /// why that is not certain.
    pub(super) async fn look_up(
        self,
        id: Option<&str>,
        patience: Patience,
        attempts: &mut Attempts,
    ) -> Result<Value, &'static str> {
        match id {
            Some(id) => look_up(self.session, self.post, id, patience, attempts).await,
            None => Err("it has no id to look it up by"),
        }
    }
}

/// The id of a file, unless it looks like a piece of what was sent: a journal holds none of that.
fn writable<'a>(id: &'a str, guard: &Guard) -> Option<&'a str> {
    guard.pass(id)
}

/// Gives a stream a length.
async fn spool(payload: Payload, attempts: &mut Attempts) -> Result<Payload, StepError> {
    if payload.size().is_some() {
        return Ok(payload);
    }
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let thread = std::thread::Builder::new().name("spool".to_owned()).spawn(move || {
        // Nobody listens any more once the upload was given up.
        let _ = sender.send(payload.spooled());
    });
    let failed = || UploadError::new(Code::SpoolFailed, "the input could not be kept for sending");
    thread.map_err(|_| failed())?;
    tokio::select! {
        biased;
        () = cancelled(&mut attempts.cancel) => {
            Err(StepError::stopped("interrupted before the whole input was read"))
        }
        spooled = receiver => Ok(spooled.map_err(|_| failed())??),
    }
}
