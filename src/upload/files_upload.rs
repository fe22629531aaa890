//! The method `files.upload`: one request with the whole form.

use std::time::Instant;

use super::external::size_error;
use super::journal::LineState;
use super::payload::Payload;
use super::post::{boundary, form_parts};
use super::receipt::{Receipt, Status};
use super::session::{StepError, Upload};
use super::table::Step;
use super::wire::answer::Answer;
use super::wire::body::Body;
use super::wire::call::{Request, Target};
use super::wire::ledger::SentBytes;
use crate::schema::Method;

impl Upload<'_> {
    /// Posts a file with `files.upload`.
    pub(super) async fn post_form(mut self, mut payload: Payload) -> Receipt {
        let (started, post) = (Instant::now(), self.post);
        let mut receipt = self.attempts.session.receipt(post, &payload.name);
        match self.post_ready(&mut payload, &mut receipt).await {
            Ok(answer) => {
                receipt.status = if answer.is_confirmed() { Status::Delivered } else { Status::Accepted };
                let record = answer.get("file").clone();
                receipt.record(&record, post, &self.attempts.guard);
                let id = record["id"].as_str().map(str::to_owned);
                match self.confirm(id.as_deref(), record).await {
                    Ok(record) => {
                        receipt.record(&record, post, &self.attempts.guard);
                        if let Some(failed) = size_error(Step::Post, &record, receipt.bytes) {
                            failed.apply_to(&mut receipt);
                        }
                    }
                    Err(failed) => failed.apply_to(&mut receipt),
                }
            }
            Err(failed) => failed.apply_to(&mut receipt),
        }
        receipt.attempts = self.attempts.tries;
        receipt.with_elapsed(started)
    }

    async fn post_ready(&mut self, payload: &mut Payload, receipt: &mut Receipt) -> Result<Answer, StepError> {
        self.post.check(Method::FilesUpload, payload.size())?;
        self.attempts.session.check_texts(self.post, &payload.name)?;
        if !payload.is_replayable() {
            // A stream can't be sent again.
            self.attempts.budget.end();
        }
        loop {
            let ledger = SentBytes::new(payload.size(), self.attempts.watch.progress.clone());
            let sent = self.post_once(payload, &ledger).await;
            receipt.record_sent(&ledger.account());
            match sent {
                Ok(answer) => return Ok(answer),
                Err(failed) => self.attempts.recover(failed).await?,
            }
        }
    }

    async fn post_once(&mut self, payload: &mut Payload, ledger: &SentBytes) -> Result<Answer, StepError> {
        self.attempts.watch.record_step(LineState::Begun, None, None).await?;
        let (boundary, len) = (boundary(), payload.size());
        let (head, tail) = form_parts(&boundary, self.post, &payload.name);
        let feed = payload.start(ledger, &self.attempts.session.settings)?;
        let gate = self.attempts.watch.commit_gate(ledger);
        let request = Request {
            operation: "files.upload",
            target: Target::Operation,
            content_type: &format!("multipart/form-data; boundary={boundary}"),
            body: Body::form(head, feed, tail, len, ledger.clone()).with_gate(gate),
        };
        self.attempts.send(Step::Post, request).await
    }
}
