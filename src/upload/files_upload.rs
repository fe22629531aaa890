//! The method `files.upload`: one request with the whole form.

use std::time::Instant;

use super::external::check_size;
use super::journal::LineState;
use super::payload::Payload;
use super::post::{boundary, form_parts};
use super::receipt::{Receipt, Status};
use super::session::{Attempts, StepError, Upload, Watch};
use super::table::Step;
use super::wire::answer::Answer;
use super::wire::body::Body;
use super::wire::call::{Request, Target};
use super::wire::ledger::SentBytes;
use crate::schema::Method;

impl Upload<'_> {
    /// Posts a file with `files.upload`.
    pub(super) async fn post_form(self, mut payload: Payload, watch: Watch) -> Receipt {
        let Self { session, post } = self;
        let started = Instant::now();
        let mut receipt = session.receipt(post, &payload.name);
        let mut attempts = session.attempts(post, watch);
        match self.post_ready(&mut payload, &mut attempts, &mut receipt).await {
            Ok(answer) => {
                receipt.status = if answer.is_confirmed() { Status::Delivered } else { Status::Accepted };
                let record = answer.get("file").clone();
                receipt.record(&record, post, &attempts.guard);
                let id = record["id"].as_str().map(str::to_owned);
                match self.confirm(id.as_deref(), record, &mut attempts).await {
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
        self,
        payload: &mut Payload,
        attempts: &mut Attempts,
        receipt: &mut Receipt,
    ) -> Result<Answer, StepError> {
        self.post.check(Method::FilesUpload, payload.size())?;
        self.session.check_texts(self.post, &payload.name)?;
        if !payload.is_replayable() {
            // A stream can't be sent again.
            attempts.budget.end();
        }
        loop {
            let ledger = SentBytes::new(payload.size(), attempts.watch.progress.clone());
            let sent = self.post_once(payload, attempts, &ledger).await;
            receipt.record_sent(&ledger.account());
            match sent {
                Ok(answer) => return Ok(answer),
                Err(failed) => self.session.recover(attempts, failed).await?,
            }
        }
    }

    async fn post_once(
        self,
        payload: &mut Payload,
        attempts: &mut Attempts,
        ledger: &SentBytes,
    ) -> Result<Answer, StepError> {
        attempts.watch.record_step(LineState::Begun, None, None).await?;
        let (boundary, len) = (boundary(), payload.size());
        let (head, tail) = form_parts(&boundary, self.post, &payload.name);
        let feed = payload.start(ledger, &self.session.settings)?;
        let gate = attempts.watch.commit_gate(ledger);
        let request = Request {
            operation: "files.upload",
            target: Target::Operation,
            content_type: &format!("multipart/form-data; boundary={boundary}"),
            body: Body::form(head, feed, tail, len, ledger.clone()).with_gate(gate),
        };
        self.session.send(attempts, Step::Post, request).await
    }
}
