//! The method `external`: a ticket, the bytes to the address on it, and the completion, which posts.
//!
//! Source: <https://docs.slack.dev/messaging/working-with-files>, and the pages of the two operations.

use std::time::Instant;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use url::{Url, form_urlencoded};
use zeroize::Zeroizing;

use super::client::{Client, Target, Trip};
use super::journal::Stage;
use super::payload::{FileName, Payload};
use super::receipt::{Receipt, Status, UploadError};
use super::retry::{Next, Outcome, Step};
use super::wire::answer;
use super::wire::body::Body;
use super::wire::call::{Setback, cancelled};
use super::wire::guard::Guard;
use super::wire::ledger::Ledger;
use super::{Method, Post, Thread, Watch};
use crate::schema::value::BaseUrl;

const TICKET: (Step, &str) = (Step::Ticket, "files.getUploadURLExternal");
const BYTES: (Step, &str) = (Step::Bytes, "upload");
const COMPLETION: (Step, &str) = (Step::Completion, "files.completeUploadExternal");
const INFO: (Step, &str) = (Step::Query, "files.info");

const FORM: &str = "application/x-www-form-urlencoded";

/// How often the service is asked for a file that may have been posted: sharing takes it a moment.
const LOOKS: u32 = 4;

/// A file whose bytes are there, and which nobody sees yet.
pub(super) struct Placed {
    id: String,
    sha256: Option<String>,
    title: String,
    watch: Watch,
}

impl Client {
    /// Places so many files at a time, then posts those that are there in one message.
    pub(super) async fn place_and_complete(
        &self,
        post: &Post,
        payloads: Vec<(Payload, Watch)>,
        concurrency: usize,
    ) -> Vec<Receipt> {
        let places = payloads.into_iter().map(|(payload, watch)| self.place(post, payload, watch));
        let mut files: Vec<(Receipt, Option<Placed>)> =
            stream::iter(places).buffered(concurrency.max(1)).collect().await;
        self.complete_all(post, &mut files).await;
        files.into_iter().map(|(receipt, _)| receipt).collect()
    }

    /// Posts the files that were placed in one message.
    pub(super) async fn complete_all(&self, post: &Post, files: &mut [(Receipt, Option<Placed>)]) {
        let started = Instant::now();
        let placed: Vec<&Placed> = files.iter().filter_map(|(_, placed)| placed.as_ref()).collect();
        let Some(first) = placed.first() else { return };
        let mut trip = self.trip(post, Some(&first.watch));
        let ended = self.complete(post, &placed, &mut trip).await;
        let tries = trip.tries;
        let mut records = match ended {
            Ok(found) => found.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(setback) => placed.iter().map(|_| Err(setback.clone())).collect(),
        }
        .into_iter();
        for (receipt, placed) in files {
            // In this order: a file that was left out has no record.
            let Some(placed) = placed else { continue };
            let Some(record) = records.next() else { continue };
            receipt.attempts += tries.saturating_sub(1);
            receipt.elapsed += started.elapsed();
            match record {
                Ok(record) => {
                    receipt.status = Status::Delivered;
                    let shown = answer::file(&record, &trip.guard);
                    receipt.file_id = shown.0.or_else(|| answer::show_id(&placed.id, &trip.guard));
                    receipt.permalink = shown.1;
                }
                Err(setback) => {
                    receipt.file_id = answer::show_id(&placed.id, &trip.guard);
                    receipt.set_back(setback);
                }
            }
        }
    }

    /// Gets the bytes of a file to the service.
    pub(super) async fn place(&self, post: &Post, payload: Payload, watch: Watch) -> (Receipt, Option<Placed>) {
        let started = Instant::now();
        let (receipt, placed) = self.place_untimed(post, payload, watch).await;
        (receipt.ended(started), placed)
    }

    async fn place_untimed(&self, post: &Post, payload: Payload, watch: Watch) -> (Receipt, Option<Placed>) {
        let mut receipt = self.receipt(post, &payload.name);
        let mut trip = self.trip(post, Some(&watch));
        if let Err(error) = post.check_channels(self.method) {
            receipt.error = Some(error);
            return (receipt, None);
        }
        let mut payload = match spool(payload, &mut trip).await {
            Ok(payload) => payload,
            Err(setback) => {
                receipt.set_back(setback);
                return (receipt, None);
            }
        };
        if let Err(error) = post.check(self.method, &payload) {
            receipt.error = Some(error);
            return (receipt, None);
        }
        let title = post.title.clone().unwrap_or_else(|| payload.name.as_str().to_owned());
        let placed = loop {
            let ledger = Ledger::new(payload.size(), watch.progress.clone());
            let (step, ended) = self.place_once(&mut payload, &watch, &mut trip, &ledger).await;
            {
                let account = ledger.account();
                receipt.bytes = account.progress.taken;
                receipt.sha256.clone_from(&account.sha256);
            }
            match ended {
                Ok(id) => break Some(Placed { id, sha256: receipt.sha256.clone(), title, watch }),
                // A ticket is for one try: what the service makes of bytes that come twice is not documented.
                Err(setback) => {
                    if let Err(setback) = self.recover(&mut trip, step, setback).await {
                        receipt.set_back(setback);
                        break None;
                    }
                }
            }
        };
        receipt.attempts = trip.tries;
        (receipt, placed)
    }

    /// A ticket and the bytes. On the way, says which step it was.
    async fn place_once(
        &self,
        payload: &mut Payload,
        watch: &Watch,
        trip: &mut Trip,
        ledger: &Ledger,
    ) -> (Step, Result<String, Setback>) {
        let len = payload.size().unwrap_or_default();
        let (id, url) = match self.ticket(payload.name.clone(), len, watch, trip).await {
            Ok(ticket) => ticket,
            Err(setback) => return (Step::Ticket, Err(setback)),
        };
        let bytes = async {
            watch.note(Stage::Ticket(writable(&id, &trip.guard))).await?;
            let feed = payload.start(ledger, self.settings.checksum).map_err(Setback::local)?;
            let body = Body::raw(feed, len, ledger.clone());
            self.send(trip, BYTES, Target::Given(&url), "application/octet-stream", ledger, body).await
        };
        (Step::Bytes, bytes.await.map(|_| id))
    }

    async fn ticket(&self, name: FileName, len: u64, watch: &Watch, trip: &mut Trip) -> Result<(String, Url), Setback> {
        watch.note(Stage::Begun).await?;
        let words = form_urlencoded::Serializer::new(String::new())
            .append_pair("filename", name.as_str())
            .append_pair("length", &len.to_string())
            .finish();
        let answer = self.ask(trip, TICKET, words.into()).await?;
        let (url, id) = answer.ticket().ok_or_else(|| bad_ticket("the service gave no address for the bytes"))?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if !(1..=64).contains(&id.len()) || !id.bytes().all(plain) {
            return Err(bad_ticket("the service gave no id for the file"));
        }
        Ok((id.to_owned(), address(url, &self.base)?))
    }

    /// Posts what was placed, once. What the service knows of each file.
    async fn complete(&self, post: &Post, placed: &[&Placed], trip: &mut Trip) -> Result<Vec<Value>, Setback> {
        let words = completion(post, placed);
        loop {
            for file in placed {
                file.watch.note(Stage::Posting(writable(&file.id, &trip.guard), file.sha256.as_deref())).await?;
            }
            let setback = match self.ask(trip, COMPLETION, words.clone()).await {
                Ok(answer) => return Ok(answer.records(placed.len())),
                Err(setback) => setback,
            };
            if setback.next == Next::LookUp {
                return self.look_up_all(post, placed, trip, setback).await;
            }
            self.recover(trip, Step::Completion, setback).await?;
        }
    }

    /// After a completion of which nobody knows whether it was done: only the service's word that the files are in
    /// the channels counts.
    async fn look_up_all(
        &self,
        post: &Post,
        placed: &[&Placed],
        trip: &mut Trip,
        mut setback: Setback,
    ) -> Result<Vec<Value>, Setback> {
        let mut records = Vec::new();
        for file in placed {
            match self.look_up(post, &file.id, trip).await {
                Ok(record) => records.push(record),
                Err(why) => {
                    setback.error.message += &format!("; {why}");
                    return Err(setback);
                }
            }
        }
        Ok(records)
    }

    /// What the service knows of a file, if it has been shared in every channel of the post; or else in words why that
    /// is not certain.
    pub(super) async fn look_up(&self, post: &Post, id: &str, trip: &mut Trip) -> Result<Value, &'static str> {
        let words: Bytes = form_urlencoded::Serializer::new(String::new()).append_pair("file", id).finish().into();
        let mut pause = self.settings.backoff;
        let mut why = "the service does not say that the file is in the channels";
        for look in 0..LOOKS {
            if look > 0 {
                if !trip.patience.spend(pause) {
                    return Err(why);
                }
                trip.pause(pause, "no-answer").await.map_err(|_| "whether it was posted was not looked up")?;
                pause *= 2;
            }
            match self.ask(trip, INFO, words.clone()).await {
                Ok(answer) => {
                    if let Some(record) = answer.record().filter(|record| is_shared(record, post)) {
                        return Ok(record.clone());
                    }
                }
                Err(setback) if setback.error.code == "missing_scope" => {
                    return Err("whether it was posted can't be looked up: the token lacks the scope files:read");
                }
                // The service may know it a moment later.
                Err(setback) if setback.error.code == "file_not_found" => {}
                Err(setback) if setback.next == Next::Retry => {
                    why = "whether it was posted could not be looked up";
                    match setback.asked {
                        Some(asked) if !trip.patience.spend(asked) => return Err(why),
                        Some(asked) => pause = pause.max(asked),
                        None => {}
                    }
                }
                Err(_) => return Err("whether it was posted could not be looked up"),
            }
        }
        Err(why)
    }

    /// The receipt of a file that an earlier run may have posted: delivered, if the service says that it is there.
    pub(super) async fn looked_up(&self, post: &Post, name: &FileName, id: Option<String>, watch: &Watch) -> Receipt {
        let started = Instant::now();
        let mut receipt = self.receipt(post, name);
        let mut trip = self.trip(post, Some(watch));
        let looked_up = match &id {
            Some(id) if self.method == Method::External => self.look_up(post, id, &mut trip).await,
            None if self.method == Method::External => Err("it has no id to look it up by"),
            _ => Err("the method has no way to look that up"),
        };
        receipt.file_id = id.and_then(|id| answer::show_id(&id, &trip.guard));
        match looked_up {
            Ok(record) => {
                receipt.status = Status::Delivered;
                receipt.permalink = answer::file(&record, &trip.guard).1;
            }
            Err(why) => {
                receipt.status = Status::Uncertain;
                let message = format!("an earlier run may have posted it; {why}");
                let help = "look in the channel; if it is not there, run it again with --retry-uncertain";
                receipt.error = Some(UploadError::new("uncertain-before", message).help(help));
            }
        }
        receipt.ended(started)
    }

    /// One of the operations that take a few words.
    async fn ask(&self, trip: &mut Trip, operation: (Step, &str), words: Bytes) -> Result<answer::Answer, Setback> {
        let ledger = Ledger::new(Some(0), None);
        let body = Body::words(words, ledger.clone());
        self.send(trip, operation, Target::Operation, FORM, &ledger, body).await
    }
}

/// The id of a file, unless it looks like a piece of what was sent: a journal holds none of that.
fn writable<'a>(id: &'a str, guard: &Guard) -> Option<&'a str> {
    guard.pass(id)
}

/// The form of the completion. It may hold the comment, and is wiped after it was sent.
fn completion(post: &Post, placed: &[&Placed]) -> Bytes {
    let files: Vec<Value> = placed.iter().map(|file| json!({"id": file.id, "title": file.title})).collect();
    let files = Value::from(files).to_string();
    let channels = post.channels.iter().map(|channel| channel.as_str()).collect::<Vec<_>>().join(",");
    #[expect(
        clippy::disallowed_methods,
        reason = "the comment goes into the form, which is zeroized after it was sent"
    )]
    let comment = post.comment.as_ref().map(|comment| comment.expose_secret()).filter(|comment| !comment.is_empty());
    let pairs = [
        ("files", Some(files.as_str())),
        ("channels", Some(channels.as_str())),
        ("initial_comment", comment),
        ("thread_ts", post.thread.as_ref().map(Thread::as_str)),
    ];
    // Sized first, since no byte takes more than three: a buffer that grows leaves copies of the comment behind.
    let len: usize = pairs.iter().map(|(key, value)| key.len() + 2 + 3 * value.map_or(0, str::len)).sum();
    let mut words = Zeroizing::new(String::with_capacity(len));
    let mut form = form_urlencoded::Serializer::new(&mut *words);
    for (key, value) in pairs {
        if let Some(value) = value {
            form.append_pair(key, value);
        }
    }
    Bytes::from_owner(Wiped(words))
}

struct Wiped(Zeroizing<String>);

impl AsRef<[u8]> for Wiped {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// The address on a ticket: it gets the file, so it must be as safe as the service itself.
fn address(url: &str, base: &BaseUrl) -> Result<Url, Setback> {
    let url = Url::parse(url).map_err(|_| bad_ticket("the address that the service gave for the bytes is none"))?;
    let local =
        || base.is_loopback() && BaseUrl::parse(&url.origin().ascii_serialization()).is_ok_and(|url| url.is_loopback());
    let flaw = match url.scheme() {
        _ if !url.username().is_empty() || url.password().is_some() => "has a user part",
        "https" => return Ok(url),
        "http" if local() => return Ok(url),
        _ => "is not https",
    };
    Err(bad_ticket(&format!("the address that the service gave for the bytes {flaw}; nothing was sent to it")))
}

fn bad_ticket(message: &str) -> Setback {
    let error = UploadError::new("bad-ticket", message);
    Setback::new(Step::Ticket, Outcome::Refused, error.help("check `base_url`: is that the service?"))
}

/// Whether a record of `files.info` shows the file in every channel. A conversation with a user has an id of its own,
/// so of those only the number counts.
fn is_shared(record: &Value, post: &Post) -> bool {
    let mut shared: Vec<&str> = Vec::new();
    for list in ["channels", "groups", "ims"] {
        shared.extend(record[list].as_array().into_iter().flatten().filter_map(Value::as_str));
    }
    for kind in ["public", "private"] {
        shared.extend(record["shares"][kind].as_object().into_iter().flatten().map(|(id, _)| id.as_str()));
    }
    shared.sort_unstable();
    shared.dedup();
    let (users, channels): (Vec<&str>, Vec<&str>) =
        post.channels.iter().map(|channel| channel.as_str()).partition(|id| id.starts_with(['U', 'W']));
    channels.iter().all(|id| shared.contains(id)) && shared.len() >= channels.len() + users.len()
}

/// Gives a stream a length.
async fn spool(payload: Payload, trip: &mut Trip) -> Result<Payload, Setback> {
    if payload.size().is_some() {
        return Ok(payload);
    }
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let thread = std::thread::Builder::new().name("spool".to_owned()).spawn(move || {
        // Nobody listens any more once the upload was given up.
        let _ = sender.send(payload.spooled());
    });
    let failed = || Setback::local(UploadError::new("spool-failed", "the input could not be kept for sending"));
    thread.map_err(|_| failed())?;
    tokio::select! {
        biased;
        () = cancelled(&mut trip.cancel) => {
            let error = UploadError::new("interrupted", "interrupted before the whole input was read");
            Err(Setback::new(Step::Query, Outcome::Stopped, error))
        }
        spooled = receiver => spooled.map_err(|_| failed())?.map_err(Setback::local),
    }
}
