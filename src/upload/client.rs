//! The client: one request per file, watched from its first byte to its verdict.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};
use secrecy::ExposeSecret;
use tokio::sync::watch;
use zeroize::Zeroizing;

use super::answer::{Answer, Kind, LIMIT, verdict};
use super::form::{self, Form};
use super::guard::Guard;
use super::ledger::{Ledger, Phase};
use super::payload::{FileName, Payload};
use super::receipt::{Receipt, Status, UploadError};
use super::{Post, Settings, Watch, fault};
use crate::schema::value::{BaseUrl, BearerToken};
use crate::secret::MASK;
use crate::text;

/// Sends files to one service with one token.
pub struct Client {
    http: reqwest::Client,
    base: BaseUrl,
    authorization: HeaderValue,
    guard: Guard,
    settings: Settings,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("base", &self.base).field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// How a request ended, before it is put in words.
enum Ending {
    Answered(Answer, bool),
    Broken(Status, UploadError),
}

impl Client {
    /// Gets ready to send; connects to nothing. For an https address this reads the system's CA certificates.
    ///
    /// # Errors
    /// Code `insecure-base-url` for plain http to another machine, whatever the lint levels say; `no-ca-certificates`
    /// and `client-setup` if this machine is not set up for https.
    pub fn new(base: &BaseUrl, token: &BearerToken, settings: Settings) -> Result<Self, UploadError> {
        if !base.is_https() && !base.is_loopback() {
            return Err(UploadError::new(
                "insecure-base-url",
                "the token is never sent over plain http to another machine",
            )
            .help("set `base_url` to the https address of the service"));
        }
        let patience = settings.stall_timeout.max(settings.answer_timeout).saturating_add(Duration::from_secs(30));
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("credlint/", env!("CARGO_PKG_VERSION")))
            // A redirect would turn the upload into a GET whose success means nothing, or send the file elsewhere.
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .connect_timeout(settings.connect_timeout)
            // A connection that is kept can be closed by the service in the moment it is used again, and then
            // nobody knows whether the file arrived.
            .pool_max_idle_per_host(0);
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            // The system's own limit must not strike before ours, which knows what was sent.
            builder = builder.tcp_user_timeout(patience);
        }
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let _ = patience;
        if base.is_loopback() {
            // Port 0 stands for the port of the address.
            let here = [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
            builder = builder.no_proxy().resolve_to_addrs("localhost", &here);
        }
        if !base.is_https() {
            // Without this the client can't be built on a machine without CA certificates.
            builder = builder.tls_certs_only([]);
        }
        Ok(Self {
            http: builder.build().map_err(|error| fault::setup(&error))?,
            base: base.clone(),
            authorization: authorization(token)?,
            guard: Guard::new(token.secret()),
            settings,
        })
    }

    /// Sends one file. Needs a tokio runtime with I/O and time; dropping the future breaks the request off.
    ///
    /// Waiting for a stream that gives nothing is not limited: cancel it through `watch`.
    pub async fn upload(&self, post: &Post, payload: Payload, watch: Watch) -> Receipt {
        let started = Instant::now();
        let Payload { ref name, .. } = payload;
        let (name, total) = (name.clone(), payload.size());
        let ledger = Ledger::new(total, watch.progress);
        let mut receipt = Receipt {
            file: self.guard.pass(name.as_str()).map_or_else(|| MASK.to_owned(), text::printable),
            status: Status::Failed,
            bytes: 0,
            channels: post.channels.iter().map(|channel| channel.shown()).collect(),
            file_id: None,
            permalink: None,
            attempts: 0,
            elapsed: Duration::ZERO,
            error: None,
        };
        let ending = if post.channels.is_empty() {
            let error = UploadError::new("no-channels", "there is no channel to send the file to");
            Ending::Broken(Status::Failed, error.help("set `channels` in the profile, or give --channel"))
        } else {
            match self.request(post, &name, payload, &ledger) {
                Ok(request) => {
                    receipt.attempts = 1;
                    self.exchange(request, &ledger, watch.cancel).await
                }
                Err(error) => Ending::Broken(Status::Failed, error),
            }
        };
        // Whatever is left of the request ends here: its connection would wait for the rest of the body for ever.
        ledger.call_off(Phase::Aborted);
        match ending {
            Ending::Answered(answer, complete) => {
                let (status, code) = verdict(answer.status, complete, answer.kind, self.settings.require_confirmation);
                let guard = self.guard.and(post.comment.as_ref());
                receipt.status = status;
                (receipt.file_id, receipt.permalink) = answer.file(&guard);
                receipt.error = (!code.is_empty()).then(|| answer.explain(status, code, &self.base, &guard));
            }
            Ending::Broken(status, error) => {
                receipt.status = status;
                receipt.error = Some(error);
            }
        }
        receipt.bytes = ledger.account().progress.taken;
        receipt.elapsed = started.elapsed();
        receipt
    }

    fn request(
        &self,
        post: &Post,
        name: &FileName,
        payload: Payload,
        ledger: &Ledger,
    ) -> Result<reqwest::Request, UploadError> {
        let len = payload.size();
        let boundary = form::boundary();
        let form = Form::new(&boundary, post, name, payload.start()?, len, ledger.clone());
        self.http
            .post(self.base.join("api/files.upload"))
            .header(AUTHORIZATION, self.authorization.clone())
            .header(CONTENT_TYPE, format!("multipart/form-data; boundary={boundary}"))
            .body(reqwest::Body::wrap(form))
            .build()
            .map_err(|_| UploadError::new("client-setup", "the request could not be put together"))
    }

    async fn exchange(
        &self,
        request: reqwest::Request,
        ledger: &Ledger,
        mut cancel: Option<watch::Receiver<bool>>,
    ) -> Ending {
        let head = tokio::select! {
            biased;
            () = cancelled(&mut cancel) => return interrupted(ledger),
            ending = self.expire(ledger) => return ending,
            head = self.http.execute(request) => match head {
                Ok(head) => head,
                Err(error) => return broken(&error, ledger),
            },
        };
        // The answer is here: no further byte may turn an early answer into a timely one.
        let complete = !ledger.call_off(Phase::Halted);
        let mut answer = Answer::new(&head);
        let finished = if complete { ledger.account().moved } else { None };
        let deadline = finished.unwrap_or_else(Instant::now) + self.settings.answer_timeout;
        tokio::select! {
            biased;
            () = cancelled(&mut cancel) => return interrupted(ledger),
            () = tokio::time::sleep_until(deadline.into()) => answer.kind = Kind::Late,
            () = read(head, &mut answer) => {}
        }
        Ending::Answered(answer, complete)
    }

    /// Ends when nothing has moved for too long.
    async fn expire(&self, ledger: &Ledger) -> Ending {
        let Settings { connect_timeout, stall_timeout, answer_timeout, .. } = self.settings;
        let begun = Instant::now();
        loop {
            let (phase, moved, starved, streamed) = {
                let account = ledger.account();
                (account.phase, account.moved, account.starved, account.progress.total.is_none())
            };
            let deadline = match (phase, moved) {
                (Phase::Finished, moved) => moved.unwrap_or(begun) + answer_timeout,
                (_, None) => begun + connect_timeout + stall_timeout,
                // Nobody knows when the other end of a pipe will write again, and it is not the service's fault.
                (_, Some(_)) if starved && streamed => Instant::now() + stall_timeout,
                (_, Some(moved)) => moved + stall_timeout,
            };
            if deadline > Instant::now() {
                tokio::select! {
                    () = tokio::time::sleep_until(deadline.into()) => {}
                    () = ledger.rung() => {}
                }
                continue;
            }
            if phase == Phase::Finished {
                let look = "look in the channel before you run it again";
                let error = UploadError::new("no-answer", "the file was sent, and no answer came in time").help(look);
                return Ending::Broken(Status::Uncertain, error);
            }
            if ledger.call_off(Phase::Aborted) {
                let seconds = text::count(usize::try_from(stall_timeout.as_secs()).unwrap_or(usize::MAX), "second");
                let message = if starved {
                    format!("the file could not be read on for {seconds}")
                } else {
                    format!("the service took no further byte of the file for {seconds}")
                };
                return Ending::Broken(Status::Failed, UploadError::new("stalled", message));
            }
        }
    }
}

fn authorization(token: &BearerToken) -> Result<HeaderValue, UploadError> {
    #[expect(clippy::disallowed_methods, reason = "builds the Authorization header")]
    let token = token.secret().expose_secret();
    let mut value = Zeroizing::new(String::with_capacity("Bearer ".len() + token.len()));
    value.push_str("Bearer ");
    value.push_str(token);
    let mut value = HeaderValue::from_str(&value)
        .map_err(|_| UploadError::new("client-setup", "the token can't stand in a header"))?;
    value.set_sensitive(true);
    Ok(value)
}

async fn cancelled(cancel: &mut Option<watch::Receiver<bool>>) {
    if let Some(cancel) = cancel
        && cancel.wait_for(|&cancelled| cancelled).await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

fn interrupted(ledger: &Ledger) -> Ending {
    let error = |message: &'static str| UploadError::new("interrupted", message);
    if ledger.call_off(Phase::Aborted) {
        Ending::Broken(Status::Failed, error("interrupted before the whole file was sent"))
    } else {
        let error = error("interrupted after the file was sent and before an answer came");
        Ending::Broken(Status::Uncertain, error.help("look in the channel before you run it again"))
    }
}

fn broken(error: &reqwest::Error, ledger: &Ledger) -> Ending {
    let complete = !ledger.call_off(Phase::Aborted);
    if let Some(failure) = ledger.account().failure.take() {
        return Ending::Broken(Status::Failed, failure);
    }
    match complete {
        true => Ending::Broken(Status::Uncertain, fault::lost(error, true)),
        false if error.is_connect() => Ending::Broken(Status::Failed, fault::connect(error)),
        false => Ending::Broken(Status::Failed, fault::lost(error, false)),
    }
}

/// Reads the answer as far as it goes; what is not read stays [`Kind::Truncated`].
async fn read(mut head: reqwest::Response, answer: &mut Answer) {
    if head.headers().get_all(CONTENT_ENCODING).iter().any(|encoding| encoding != "identity") {
        answer.kind = Kind::Encoded;
        return;
    }
    let content_type = head.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut body = Vec::new();
    while let Ok(chunk) = head.chunk().await {
        match chunk {
            Some(chunk) if body.len() + chunk.len() > LIMIT => {
                answer.kind = Kind::TooLarge;
                return;
            }
            Some(chunk) => body.extend_from_slice(&chunk),
            None => return answer.read(&body, content_type.as_deref()),
        }
    }
}
