//! The method `files.upload`: one request with the whole form.

use std::time::Instant;

use super::client::{Client, Target, Trip};
use super::journal::Stage;
use super::payload::Payload;
use super::receipt::{Receipt, Status};
use super::retry::Step;
use super::wire::answer::Answer;
use super::wire::body::Body;
use super::wire::call::Setback;
use super::wire::ledger::Ledger;
use super::{Post, Watch, form};

const OPERATION: &str = "files.upload";

impl Client {
    pub(super) async fn post(&self, post: &Post, mut payload: Payload, watch: Watch) -> Receipt {
        let started = Instant::now();
        let mut receipt = self.receipt(post, &payload.name);
        if let Err(error) = post.check(self.method, &payload) {
            receipt.error = Some(error);
            return receipt.ended(started);
        }
        let mut trip = self.trip(post, Some(&watch));
        loop {
            let ledger = Ledger::new(payload.size(), watch.progress.clone());
            let sent = self.post_once(post, &mut payload, &watch, &mut trip, &ledger).await;
            {
                let account = ledger.account();
                receipt.bytes = account.progress.taken;
                receipt.sha256.clone_from(&account.sha256);
            }
            match sent {
                Ok(answer) => {
                    receipt.status = if answer.is_confirmed() { Status::Delivered } else { Status::Accepted };
                    (receipt.file_id, receipt.permalink) = answer.file(&trip.guard);
                    break;
                }
                Err(setback) => {
                    if !payload.is_replayable() {
                        trip.patience.end();
                    }
                    if let Err(setback) = self.recover(&mut trip, Step::Post, setback).await {
                        receipt.set_back(setback);
                        break;
                    }
                }
            }
        }
        receipt.attempts = trip.tries;
        receipt.ended(started)
    }

    async fn post_once(
        &self,
        post: &Post,
        payload: &mut Payload,
        watch: &Watch,
        trip: &mut Trip,
        ledger: &Ledger,
    ) -> Result<Answer, Setback> {
        watch.note(Stage::Begun).await?;
        let (boundary, len) = (form::boundary(), payload.size());
        let (head, tail) = form::frame(&boundary, post, &payload.name);
        let feed = payload.start(ledger, self.settings.checksum).map_err(Setback::local)?;
        let body = Body::form(head, feed, tail, len, ledger.clone()).with_leave(watch.leave(ledger));
        let content_type = format!("multipart/form-data; boundary={boundary}");
        self.send(trip, (Step::Post, OPERATION), Target::Operation, &content_type, ledger, body).await
    }
}
