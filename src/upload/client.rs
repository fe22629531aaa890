//! The client: what every request has in common, and when to try one again.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use reqwest::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::watch;
use zeroize::Zeroizing;

use super::payload::{FileName, Payload};
use super::receipt::{Receipt, Status, UploadError};
use super::retry::{Gates, Next, Outcome, Patience, Step};
use super::wire::answer::{Answer, Dialect, again_in, show_id};
use super::wire::body::Body;
use super::wire::call::{Caller, Request, Setback, cancelled};
use super::wire::guard::{Guard, base64};
use super::wire::ledger::Ledger;
use super::wire::proxy::Proxies;
use super::wire::{certificates, fault};
use super::{Method, Post, Progress, Settings, Watch};
use crate::schema::value::{BaseUrl, BearerToken};
use crate::secret::MASK;
use crate::text;

/// Sends files to one service with one token.
pub struct Client {
    http: reqwest::Client,
    proxies: Proxies,
    pub(super) base: BaseUrl,
    pub(super) method: Method,
    authorization: HeaderValue,
    dialect: Dialect,
    pub(super) guard: Guard,
    pub(super) settings: Settings,
    gates: Gates,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("base", &self.base).field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// One way from a file, or a message, to its verdict, over as many tries as it takes.
pub(super) struct Trip {
    pub(super) patience: Patience,
    pub(super) cancel: Option<watch::Receiver<bool>>,
    pub(super) guard: Guard,
    pub(super) tries: u32,
    pub(super) progress: Option<watch::Sender<Progress>>,
}

impl Trip {
    /// Waits because of something, unless it is cancelled.
    pub(super) async fn pause(&mut self, pause: Duration, why: &'static str) -> Result<(), Setback> {
        if let Some(progress) = &self.progress {
            progress.send_modify(|progress| progress.waiting = Some(why));
        }
        tokio::select! {
            biased;
            () = cancelled(&mut self.cancel) => {
                let error = UploadError::new("interrupted", "interrupted while waiting to try it again");
                Err(Setback::new(Step::Query, Outcome::Stopped, error))
            }
            () = tokio::time::sleep(pause) => Ok(()),
        }
    }
}

impl Client {
    /// Gets ready to send; connects to nothing. For an https address this reads the system's CA certificates, and
    /// those of [`Settings::ca_file`].
    ///
    /// # Errors
    /// Code `insecure-base-url` for plain http to another machine, whatever the lint levels say; `ca-file` if that file
    /// is of no use; `no-ca-certificates` and `client-setup` if this machine is not set up for https.
    pub fn new(base: &BaseUrl, token: &BearerToken, settings: Settings) -> Result<Self, UploadError> {
        Self::of(base, Dialect::Messaging, token.secret(), settings, || authorization(token))
    }

    /// The same for a pair of the storage service, which it can only be asked for.
    pub(super) fn of_pair(
        base: &BaseUrl,
        id: &SecretString,
        key: &SecretString,
        settings: Settings,
    ) -> Result<Self, UploadError> {
        Self::of(base, Dialect::Storage, key, settings, || basic(id, key))
    }

    fn of(
        base: &BaseUrl,
        dialect: Dialect,
        secret: &SecretString,
        settings: Settings,
        authorization: impl FnOnce() -> Result<HeaderValue, UploadError>,
    ) -> Result<Self, UploadError> {
        if !base.is_https() && !base.is_loopback() {
            return Err(UploadError::new(
                "insecure-base-url",
                "the token is never sent over plain http to another machine",
            )
            .help("set `base_url` to the https address of the service"));
        }
        Ok(Self {
            http: http(base, &settings)?,
            proxies: Proxies::of(base.is_loopback()),
            base: base.clone(),
            method: settings.method.unwrap_or_else(|| Method::for_service(base)),
            authorization: authorization()?,
            dialect,
            guard: Guard::new(secret),
            settings,
            gates: Gates::default(),
        })
    }

    /// Sends one file, in a message of its own. Needs a tokio runtime with I/O and time; dropping the future breaks
    /// the request off.
    ///
    /// Waiting for a stream that gives nothing is not limited: cancel it through `watch`.
    pub async fn upload(&self, post: &Post, payload: Payload, watch: Watch) -> Receipt {
        match self.method {
            Method::FilesUpload => self.post(post, payload, watch).await,
            Method::External => {
                let mut receipts = self.place_and_complete(post, vec![(payload, watch)], 1).await;
                receipts.pop().unwrap_or_else(|| unreachable!("one file, one receipt"))
            }
        }
    }

    /// Sends several files in one message, so many at a time. One that fails is left out of the message.
    ///
    /// Only the method `external` has that; with another every receipt is `failed`.
    pub async fn upload_together(
        &self,
        post: &Post,
        payloads: Vec<(Payload, Watch)>,
        concurrency: usize,
    ) -> Vec<Receipt> {
        if self.method == Method::External {
            return self.place_and_complete(post, payloads, concurrency).await;
        }
        let error = UploadError::new("one-message", "`files.upload` posts every file in a message of its own");
        let refuse = |(payload, _): (Payload, Watch)| {
            let mut receipt = self.receipt(post, &payload.name);
            receipt.error = Some(error.clone());
            receipt
        };
        payloads.into_iter().map(refuse).collect()
    }

    /// Whether the id of a file may be printed.
    pub(super) fn may_show(&self, id: &str) -> bool {
        show_id(id, &self.guard).is_some()
    }

    /// A receipt to fill in.
    pub(super) fn receipt(&self, post: &Post, name: &FileName) -> Receipt {
        Receipt {
            file: self.guard.pass(name.as_str()).map_or_else(|| MASK.to_owned(), text::printable),
            status: Status::Failed,
            bytes: 0,
            channels: post.channels.iter().map(|channel| channel.shown()).collect(),
            sha256: None,
            file_id: None,
            permalink: None,
            attempts: 0,
            elapsed: Duration::ZERO,
            skip: None,
            error: None,
        }
    }

    /// The way of one file or message.
    pub(super) fn trip(&self, post: &Post, watch: Option<&Watch>) -> Trip {
        Trip {
            patience: Patience::new(&self.settings),
            cancel: watch.and_then(|watch| watch.cancel.clone()),
            guard: self.guard.and(post.comment.as_ref()),
            tries: 0,
            progress: watch.and_then(|watch| watch.progress.clone()),
        }
    }

    /// Sends a request once. Waits before, while the service has asked everybody to.
    ///
    /// The token goes along with every operation, and never with the bytes of [`Step::Bytes`].
    pub(super) async fn send(
        &self,
        trip: &mut Trip,
        (step, operation): (Step, &str),
        to: Target<'_>,
        content_type: &str,
        ledger: &Ledger,
        body: Body,
    ) -> Result<Answer, Setback> {
        while let Some(left) = self.gates.closed(step) {
            if !trip.patience.spend(left) {
                let error = UploadError::new("ratelimited", "the service asked every upload to wait");
                return Err(Setback {
                    next: Next::Fail,
                    ..Setback::new(step, Outcome::Throttled, error.help(again_in(left)))
                });
            }
            trip.pause(left, "ratelimited").await?;
        }
        trip.tries = trip.tries.max(1);
        let request = match to {
            Target::Operation => {
                let url = self.base.join(&format!("api/{operation}"));
                let request = self.http.post(url).header(AUTHORIZATION, self.authorization.clone());
                // Some servers refuse a POST that does not say how long it is.
                if http_body::Body::is_end_stream(&body) { request.header(CONTENT_LENGTH, 0) } else { request }
            }
            Target::Given(url) => self.http.post(url.clone()),
            Target::Account => {
                let url = self.base.join(&format!("b2api/v4/{operation}"));
                self.http.get(url).header(AUTHORIZATION, self.authorization.clone())
            }
        };
        let message =
            request.header(CONTENT_TYPE, content_type).body(reqwest::Body::wrap(body)).build().map_err(|_| {
                Setback::local(UploadError::new("client-setup", "the request could not be put together"))
            })?;
        let caller = Caller {
            http: &self.http,
            proxies: &self.proxies,
            guard: &trip.guard,
            settings: &self.settings,
            dialect: self.dialect,
            cancel: trip.cancel.clone(),
        };
        caller.call(Request { step, operation, ledger: ledger.clone() }, message).await
    }

    /// Waits for the time to try a step again, if the table says so and there is time left.
    pub(super) async fn recover(&self, trip: &mut Trip, step: Step, mut setback: Setback) -> Result<(), Setback> {
        if setback.next != Next::Retry {
            return Err(setback);
        }
        // Where many are sent at once, one 429 is one for all that are under way.
        let known = setback.outcome == Outcome::Throttled && self.gates.closed(step).is_some();
        let pause = if known { trip.patience.join(setback.asked) } else { trip.patience.pause(setback.asked) };
        if setback.outcome == Outcome::Throttled {
            // Also if this one gives up: whoever comes next need not ask.
            self.gates.close(step, setback.asked.or(pause).unwrap_or_default());
        }
        match pause {
            Some(pause) => {
                trip.pause(pause, setback.error.code).await?;
                trip.tries += 1;
                Ok(())
            }
            None => {
                setback.next = Next::Fail;
                if trip.tries > 1 {
                    setback.error.message += &format!("; tried {}", text::count(trip.tries as usize, "time"));
                }
                if let (Some(asked), None) = (setback.asked, &setback.error.help) {
                    setback.error = setback.error.help(again_in(asked));
                }
                Err(setback)
            }
        }
    }
}

/// Where a request goes.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    /// The address of the operation, with the token.
    Operation,
    /// An address that the service gave, without it.
    Given(&'a url::Url),
    /// The address at which the storage service tells of a pair, with the pair.
    Account,
}

impl Receipt {
    /// Takes in how the last step ended badly.
    pub(super) fn set_back(&mut self, setback: Setback) {
        self.status = match setback.next {
            Next::Doubt | Next::LookUp => Status::Uncertain,
            Next::Go | Next::Accept | Next::Retry | Next::Fail => Status::Failed,
        };
        self.error = Some(setback.error);
    }

    pub(super) fn ended(mut self, started: Instant) -> Self {
        self.elapsed = started.elapsed();
        self
    }
}

/// The HTTP client, with what must not happen switched off.
fn http(base: &BaseUrl, settings: &Settings) -> Result<reqwest::Client, UploadError> {
    let patience = settings.stall_timeout.max(settings.answer_timeout).saturating_add(Duration::from_secs(30));
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("credlint/", env!("CARGO_PKG_VERSION")))
        // A redirect would turn the upload into a GET whose success means nothing, or send the file elsewhere.
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .connect_timeout(settings.connect_timeout);
    builder = if settings.keep_connections {
        // A connection that is kept can be closed by the service in the moment it is used again, and then nobody
        // knows whether the file arrived. Right after an answer that is rare, and every second makes it likelier.
        builder.pool_idle_timeout(Duration::from_secs(1))
    } else {
        builder.pool_max_idle_per_host(0)
    };
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
    builder = match (&settings.ca_file, base.is_https()) {
        // Without this the client can't be built on a machine without CA certificates.
        (_, false) => builder.tls_certs_only([]),
        (Some(file), true) => builder.tls_certs_merge(certificates::read(file)?),
        (None, true) => builder,
    };
    builder.build().map_err(|error| fault::setup(&error))
}

/// Source: RFC 7617, 2: the id ends at the first colon.
fn basic(id: &SecretString, key: &SecretString) -> Result<HeaderValue, UploadError> {
    #[expect(clippy::disallowed_methods, reason = "builds the Authorization header")]
    let (id, key) = (id.expose_secret(), key.expose_secret());
    if id.contains(':') {
        return Err(UploadError::new("client-setup", "an id with a colon in it can't stand in a header"));
    }
    let mut pair = Zeroizing::new(String::with_capacity(id.len() + 1 + key.len()));
    pair.extend([id, ":", key]);
    let encoded = base64(pair.as_bytes());
    let mut value = Zeroizing::new(String::with_capacity("Basic ".len() + encoded.len() + 2));
    value.extend(["Basic ", &encoded, &"==="[..(4 - encoded.len() % 4) % 4]]);
    let mut value = HeaderValue::from_str(&value)
        .map_err(|_| UploadError::new("client-setup", "the pair can't stand in a header"))?;
    value.set_sensitive(true);
    Ok(value)
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
