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
use super::payload::{FileName, Payload};
use super::post::Post;
use super::receipt::{Receipt, Status};
use super::session::{Attempts, Session, StepError, StepRequest};
use super::table::{Next, Step};
use super::watch::Watch;
use super::wire::body::Body;
use super::wire::call::{Target, cancelled};
use super::wire::guard::Guard;
use super::wire::ledger::Ledger;
use super::wire::show::{show_file, show_id};
use crate::code::Code;
use crate::schema::method::Method;
use completion_form::completion_form;
use look_up::look_up;
use ticket::ticket;

const COMPLETION: (Step, &str) = (Step::Completion, "files.completeUploadExternal");

/// A file whose bytes are there, and which nobody sees yet.
pub(super) struct Placed {
    id: String,
    sha256: Option<String>,
    title: String,
    watch: Watch,
}

/// Places so many files at a time, then posts those that are there in one message.
pub(super) async fn place_and_complete(
    session: &Session,
    post: &Post,
    payloads: Vec<(Payload, Watch)>,
    concurrency: usize,
) -> Vec<Receipt> {
    let places = payloads.into_iter().map(|(payload, watch)| place(session, post, payload, watch));
    let mut files: Vec<_> = stream::iter(places).buffered(concurrency.max(1)).collect().await;
    complete_all(session, post, &mut files).await;
    files.into_iter().map(|(receipt, _)| receipt).collect()
}

/// Posts the files that were placed in one message.
pub(super) async fn complete_all(session: &Session, post: &Post, files: &mut [(Receipt, Option<Placed>)]) {
    let started = Instant::now();
    let placed: Vec<&Placed> = files.iter().filter_map(|(_, placed)| placed.as_ref()).collect();
    let Some(first) = placed.first() else { return };
    let mut attempts = session.attempts(post, &first.watch);
    let ended = complete(session, post, &placed, &mut attempts).await;
    let mut records = match ended {
        Ok(found) => found.into_iter().map(Ok).collect::<Vec<_>>(),
        Err(failed) => placed.iter().map(|_| Err(failed.clone())).collect(),
    }
    .into_iter();
    for (receipt, placed) in files {
        // In this order: a file that was left out has no record.
        let Some(placed) = placed else { continue };
        let Some(record) = records.next() else { continue };
        receipt.attempts += attempts.tries.saturating_sub(1);
        receipt.elapsed += started.elapsed();
        match record {
            Ok(record) => {
                receipt.status = Status::Delivered;
                let shown = show_file(&record, &attempts.guard);
                receipt.file_id = shown.0.or_else(|| show_id(&placed.id, &attempts.guard));
                receipt.permalink = shown.1;
            }
            Err(failed) => {
                receipt.file_id = show_id(&placed.id, &attempts.guard);
                failed.end(receipt);
            }
        }
    }
}

/// Gets the bytes of a file to the service.
pub(super) async fn place(session: &Session, post: &Post, payload: Payload, watch: Watch) -> (Receipt, Option<Placed>) {
    let started = Instant::now();
    let mut receipt = session.receipt(post, &payload.name);
    let mut attempts = session.attempts(post, &watch);
    let placed = match ready(post, payload, &mut attempts).await {
        Ok(payload) => place_ready(session, post, payload, watch, &mut attempts, &mut receipt).await,
        Err(failed) => Err(failed),
    };
    let placed = placed.map_err(|failed| failed.end(&mut receipt)).ok();
    receipt.attempts = attempts.tries;
    (receipt.ended(started), placed)
}

/// A payload of known length that the service will take.
async fn ready(post: &Post, payload: Payload, attempts: &mut Attempts) -> Result<Payload, StepError> {
    post.check_channels(Method::External)?;
    let payload = spool(payload, attempts).await?;
    post.check(Method::External, payload.size())?;
    Ok(payload)
}

async fn place_ready(
    session: &Session,
    post: &Post,
    mut payload: Payload,
    watch: Watch,
    attempts: &mut Attempts,
    receipt: &mut Receipt,
) -> Result<Placed, StepError> {
    let title = post.title.clone().unwrap_or_else(|| payload.name.as_str().to_owned());
    loop {
        let ledger = Ledger::new(payload.size(), watch.progress.clone());
        let (step, ended) = place_once(session, &mut payload, &watch, attempts, &ledger).await;
        receipt.account(&ledger.account());
        match ended {
            Ok(id) => return Ok(Placed { id, sha256: receipt.sha256.clone(), title, watch }),
            // A ticket is for one try: what the service makes of bytes that come twice is not documented.
            Err(failed) => session.recover(attempts, step, failed).await?,
        }
    }
}

/// A ticket and the bytes: the id of the file. On the way, says which step it was.
async fn place_once(
    session: &Session,
    payload: &mut Payload,
    watch: &Watch,
    attempts: &mut Attempts,
    ledger: &Ledger,
) -> (Step, Result<String, StepError>) {
    let len = payload.size().unwrap_or_default();
    let ticket = async {
        watch.note(Stage::Begun).await?;
        ticket(session, attempts, &payload.name, len).await
    };
    let ticket = match ticket.await {
        Ok(ticket) => ticket,
        Err(failed) => return (Step::Ticket, Err(failed)),
    };
    let bytes = async {
        watch.note(Stage::Ticket(writable(&ticket.id, &attempts.guard))).await?;
        let feed = payload.start(ledger, session.settings.checksum)?;
        let request = StepRequest {
            step: Step::Bytes,
            operation: "upload",
            target: Target::Given(&ticket.url),
            content_type: "application/octet-stream",
            body: Body::raw(feed, Some(len), ledger.clone()),
        };
        session.send(attempts, ledger, request).await
    };
    let sent = bytes.await;
    (Step::Bytes, sent.map(|_| ticket.id))
}

/// Posts what was placed, once. What the service knows of each file.
async fn complete(
    session: &Session,
    post: &Post,
    placed: &[&Placed],
    attempts: &mut Attempts,
) -> Result<Vec<Value>, StepError> {
    let words = completion_form(post, placed.iter().map(|file| (file.id.as_str(), file.title.as_str())));
    loop {
        for file in placed {
            file.watch.note(Stage::Posting(writable(&file.id, &attempts.guard), file.sha256.as_deref())).await?;
        }
        let failed = match session.ask(attempts, COMPLETION, Target::Operation, words.clone()).await {
            Ok(answer) => return Ok(answer.records(placed.len())),
            Err(failed) => failed,
        };
        if failed.next == Next::LookUp {
            return look_up_all(session, post, placed, attempts, failed).await;
        }
        session.recover(attempts, Step::Completion, failed).await?;
    }
}

/// After a completion of which nobody knows whether it was done: only the service's word that the files are in the
/// channels counts.
async fn look_up_all(
    session: &Session,
    post: &Post,
    placed: &[&Placed],
    attempts: &mut Attempts,
    mut failed: StepError,
) -> Result<Vec<Value>, StepError> {
    let mut records = Vec::new();
    for file in placed {
        match look_up(session, post, &file.id, attempts).await {
            Ok(record) => records.push(record),
            Err(why) => {
                failed.error.message += &format!("; {why}");
                return Err(failed);
            }
        }
    }
    Ok(records)
}

/// The receipt of a file that an earlier run may have posted: delivered, if the service says that it is there.
pub(super) async fn looked_up(
    session: &Session,
    method: Method,
    post: &Post,
    name: &FileName,
    id: Option<String>,
    watch: &Watch,
) -> Receipt {
    let started = Instant::now();
    let mut receipt = session.receipt(post, name);
    let mut attempts = session.attempts(post, watch);
    let found = match (method, &id) {
        (Method::External, Some(id)) => look_up(session, post, id, &mut attempts).await,
        (Method::External, None) => Err("it has no id to look it up by"),
        (Method::FilesUpload, _) => Err("the method has no way to look that up"),
    };
    receipt.file_id = id.and_then(|id| show_id(&id, &attempts.guard));
    match found {
        Ok(record) => {
            receipt.status = Status::Delivered;
            receipt.permalink = show_file(&record, &attempts.guard).1;
        }
        Err(why) => {
            receipt.status = Status::Uncertain;
            let message = format!("an earlier run may have posted it; {why}");
            let help = "look in the channel; if it is not there, run it again with --retry-uncertain";
            receipt.error = Some(UploadError::new(Code::UncertainBefore, message).help(help));
        }
    }
    receipt.ended(started)
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
