//! The method `files.upload`: one request with the whole form.

use std::time::Instant;

use super::form;
use super::journal::Stage;
use super::payload::Payload;
use super::post::Post;
use super::receipt::{Receipt, Status};
use super::session::{Attempts, Session, StepError};
use super::table::Step;
use super::watch::Watch;
use super::wire::answer::Answer;
use super::wire::body::Body;
use super::wire::call::{Request, Target};
use super::wire::http::Connections;
use super::wire::ledger::Ledger;
use crate::schema::method::Method;

/// Posts a file.
pub(super) async fn post(session: &Session, post: &Post, mut payload: Payload, watch: Watch) -> Receipt {
    let started = Instant::now();
    let mut receipt = session.receipt(post, &payload.name);
    let mut attempts = session.attempts(post, &watch);
    match post_ready(session, post, &mut payload, &watch, &mut attempts, &mut receipt).await {
        Ok(answer) => {
            receipt.status = if answer.is_confirmed() { Status::Delivered } else { Status::Accepted };
            (receipt.file_id, receipt.permalink) = answer.file(&attempts.guard);
        }
        Err(failed) => failed.apply_to(&mut receipt),
    }
    receipt.attempts = attempts.tries;
    receipt.ended(started)
}

async fn post_ready(
    session: &Session,
    post: &Post,
    payload: &mut Payload,
    watch: &Watch,
    attempts: &mut Attempts,
    receipt: &mut Receipt,
) -> Result<Answer, StepError> {
    post.check(Method::FilesUpload, payload.size())?;
    session.check_texts(post, &payload.name)?;
    if !payload.is_replayable() {
        // A stream can't be sent again if a reused connection fails.
        attempts.connections = Connections::Fresh;
    }
    loop {
        let ledger = Ledger::new(payload.size(), watch.progress.clone());
        let sent = post_once(session, post, payload, watch, attempts, &ledger).await;
        receipt.account(&ledger.account());
        let failed = match sent {
            Ok(answer) => return Ok(answer),
            Err(failed) => failed,
        };
        if !payload.is_replayable() {
            attempts.budget.end();
        }
        session.recover(attempts, failed).await?;
    }
}

async fn post_once(
    session: &Session,
    post: &Post,
    payload: &mut Payload,
    watch: &Watch,
    attempts: &mut Attempts,
    ledger: &Ledger,
) -> Result<Answer, StepError> {
    watch.note(Stage::Begun).await?;
    let (boundary, len) = (form::boundary(), payload.size());
    let (head, tail) = form::frame(&boundary, post, &payload.name);
    let feed = payload.start(ledger, &session.settings, session.base().is_https())?;
    let request = Request {
        operation: "files.upload",
        target: Target::Operation,
        content_type: &format!("multipart/form-data; boundary={boundary}"),
        body: Body::form(head, feed, tail, len, ledger.clone()).with_gate(watch.commit_gate(ledger)),
        ledger,
    };
    session.send(attempts, Step::Post, request).await
}
