//! The method `files.upload`: one request with the whole form.

use std::time::Instant;

use super::external::{check_size, confirm};
use super::journal::LineState;
use super::payload::Payload;
use super::post::{self, Post};
use super::receipt::{Receipt, Status};
use super::session::{Attempts, Session, StepError, Watch};
use super::table::Step;
use super::wire::answer::Answer;
use super::wire::body::Body;
use super::wire::call::{Request, Target};
use super::wire::ledger::SentBytes;
use crate::schema::Method;

/// Posts a file.
pub(super) async fn post(session: &Session, post: &Post, mut payload: Payload, watch: Watch) -> Receipt {
    let started = Instant::now();
    let mut receipt = session.receipt(post, &payload.name);
    let mut attempts = session.attempts(post, &watch);
    match post_ready(session, post, &mut payload, &watch, &mut attempts, &mut receipt).await {
        Ok(answer) => {
            receipt.status = if answer.is_confirmed() { Status::Delivered } else { Status::Accepted };
            let record = answer.get("file").clone();
            receipt.record(&record, post, &attempts.guard);
            let id = record["id"].as_str().map(str::to_owned);
            match confirm(session, post, id.as_deref(), record, &mut attempts).await {
                Ok(record) => {
                    receipt.record(&record, post, &attempts.guard);
                    if let Err(failed) = check_size(Step::Post, &record, receipt.bytes) {
                        failed.apply_to(&mut receipt);
                    }
                }
                Err(failed) => failed.apply_to(&mut receipt),
            }
        }
        Err(failed) => failed.apply_to(&mut receipt),
    }
    receipt.attempts = attempts.tries;
    receipt.with_elapsed(started)
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
        // A stream can't be sent again.
        attempts.budget.end();
    }
    loop {
        let ledger = SentBytes::new(payload.size(), watch.progress.clone());
        let sent = post_once(session, post, payload, watch, attempts, &ledger).await;
        receipt.record_sent(&ledger.account());
        match sent {
            Ok(answer) => return Ok(answer),
            Err(failed) => session.recover(attempts, failed).await?,
        }
    }
}

async fn post_once(
    session: &Session,
    post: &Post,
    payload: &mut Payload,
    watch: &Watch,
    attempts: &mut Attempts,
    ledger: &SentBytes,
) -> Result<Answer, StepError> {
    watch.record_step(LineState::Begun, None, None).await?;
    let (boundary, len) = (post::boundary(), payload.size());
    let (head, tail) = post::form_parts(&boundary, post, &payload.name);
    let feed = payload.start(ledger, &session.settings)?;
    let body = Body::form(head, feed, tail, len, ledger.clone()).with_gate(watch.commit_gate(ledger));
    let request = Request {
        operation: "files.upload",
        target: Target::Operation,
        content_type: &format!("multipart/form-data; boundary={boundary}"),
        body,
    };
    session.send(attempts, Step::Post, request).await
}
