//! One request: sent, watched from its first byte to its last, and how it ended. What follows from that is not asked.

use std::collections::HashSet;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hyper_util::client::legacy::connect::HttpInfo;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use tokio::sync::watch;
use url::Url;

use super::answer::{Answer, Dialect, Reading};
use super::body::Body;
use super::ending::Ending;
use super::fault::{self, Host};
use super::http::{Clients, Connections};
use super::ledger::{Ledger, Phase};
use super::proxy::{Heard, Proxies};
use super::reply::BodyKind;
use super::turn::{Turn, read_turn};
use crate::code::Code;
use crate::schema::value::BaseUrl;
use crate::upload::error::UploadError;
use crate::upload::settings::Settings;

/// More is not read: an answer of the service has a few kilobytes.
const LIMIT: usize = 1024 * 1024;

/// Where a request goes.
#[derive(Clone, Copy)]
pub enum Target<'a> {
    /// The address of the operation, with the token.
    Operation,
    /// An address that the service gave, without it; and as it may be printed.
    Given(&'a Url, &'a str),
    /// The address at which the storage service tells of a pair, with the pair.
    Account,
}

impl<'a> Target<'a> {
    const fn host(self) -> Host<'a> {
        match self {
            Self::Operation | Self::Account => Host::Service,
            Self::Given(_, shown) => Host::Given(shown),
        }
    }
}

/// A request to make.
pub struct Request<'a> {
    pub target: Target<'a>,
    /// What the service calls it.
    pub operation: &'a str,
    pub content_type: &'a str,
    pub body: Body,
    pub ledger: &'a Ledger,
}

/// How a request ended, and why so.
pub struct Exchange {
    pub ending: Ending,
    pub cause: Cause,
    /// Nothing came of it because of the connection, which was used before: sent again over one of its own, it ends as it
    /// should.
    pub stale: bool,
}

/// Why a request ended as it did.
pub enum Cause {
    /// By an answer.
    Answered(Box<Answer>, Reading),
    /// The connection, the file or this machine; in words.
    Broken(UploadError),
    /// Nothing was answered in time.
    NoAnswer,
    /// Nothing moved for too long; `starved` if it was for want of bytes to send.
    Stalled { starved: bool, after: Duration },
    /// Whoever runs the program stopped it, before or after the last byte.
    Interrupted { complete: bool },
}

impl Exchange {
    const fn new(ending: Ending, cause: Cause) -> Self {
        Self { ending, cause, stale: false }
    }

    fn stale(error: UploadError) -> Self {
        Self { ending: Ending::Cut, cause: Cause::Broken(error), stale: true }
    }
}

/// What every request to one service has in common: the connections, the address and the credential.
pub struct Caller {
    clients: Clients,
    /// This end of every connection that an answer came over.
    used: Mutex<HashSet<SocketAddr>>,
    proxies: Proxies,
    pub base: BaseUrl,
    authorization: HeaderValue,
    dialect: Dialect,
    settings: Settings,
}

impl Caller {
    /// Gets ready to send; connects to nothing.
    pub fn new(
        base: &BaseUrl,
        dialect: Dialect,
        settings: &Settings,
        authorization: impl FnOnce() -> Result<HeaderValue, UploadError>,
    ) -> Result<Self, UploadError> {
        let clients = Clients::new(settings);
        clients.to(&base.join(""), Connections::Kept)?;
        Ok(Self {
            clients,
            used: Mutex::default(),
            proxies: Proxies::of_system(),
            base: base.clone(),
            authorization: authorization()?,
            dialect,
            settings: settings.clone(),
        })
    }

    /// Sends a request once. The credential goes along with every operation, and never to an address that was given.
    /// `posts`: whether something is posted when it ends well.
    pub async fn call(
        &self,
        request: Request<'_>,
        connections: Connections,
        posts: bool,
        cancel: Option<watch::Receiver<bool>>,
    ) -> Exchange {
        let Request { target, operation, content_type, body, ledger } = request;
        let url = match target {
            Target::Operation => self.base.join(&format!("api/{operation}")),
            Target::Given(url, _) => url.clone(),
            Target::Account => self.base.join(&format!("b2api/v4/{operation}")),
        };
        let http = match self.clients.to(&url, connections) {
            Ok(http) => http,
            Err(error) => return Exchange::new(Ending::Local, Cause::Broken(error)),
        };
        let message = match target {
            Target::Operation => {
                let message = http.post(url).header(AUTHORIZATION, self.authorization.clone());
                // Some servers refuse a POST that does not say how long it is.
                if http_body::Body::is_end_stream(&body) { message.header(CONTENT_LENGTH, 0) } else { message }
            }
            Target::Given(..) => http.post(url),
            Target::Account => http.get(url).header(AUTHORIZATION, self.authorization.clone()),
        };
        let turn = self.clients.keeps(connections).then(Turn::default);
        let body = match &turn {
            Some(_) if body.goes_at_once() => {
                read_turn().await;
                body
            }
            Some(turn) => body.with_turn(turn.clone()),
            None => body,
        };
        let message = message.header(CONTENT_TYPE, content_type).body(reqwest::Body::wrap(body)).build();
        let Ok(message) = message else {
            let error = UploadError::new(Code::ClientSetup, "the request could not be put together");
            return Exchange::new(Ending::Local, Cause::Broken(error));
        };
        let underway = Underway { host: target.host(), ledger, posts, turn: turn.as_ref() };
        let exchange = self.exchange(http.execute(message), underway, cancel).await;
        if turn.is_some() && (exchange.stale || matches!(exchange.ending, Ending::Cut | Ending::Lost)) {
            self.clients.keep_none();
        }
        // Whatever is left of the request ends here: its connection would wait for the rest of the body for ever.
        ledger.call_off(Phase::Aborted);
        exchange
    }
    async fn exchange(
        &self,
        head: impl Future<Output = reqwest::Result<reqwest::Response>>,
        underway: Underway<'_>,
        mut cancel: Option<watch::Receiver<bool>>,
    ) -> Exchange {
        let ledger = underway.ledger;
        let head = tokio::select! {
            // An answer that is there counts, however late somebody looks.
            biased;
            head = head => match head {
                Ok(head) => head,
                Err(error) => {
                    let heard = self.hear(&error, &mut cancel).await;
                    return self.broken(&error, underway, heard);
                }
            },
            () = cancelled(&mut cancel) => return interrupted(ledger),
            never = given(underway.turn) => match never {},
            exchange = self.expire(ledger) => return exchange,
        };
        // The answer is here: no further byte may turn an early answer into a timely one.
        let complete = !ledger.call_off(Phase::Halted);
        let used = head.extensions().get().is_some_and(|info| !self.used().insert(HttpInfo::local_addr(info)));
        if used && underway.turn.is_some() && !complete {
            // It may be a second answer to the request before.
            return Exchange::stale(fault::early());
        }
        let mut answer = Answer::new(&head, self.dialect);
        let finished = if complete { ledger.account().moved } else { None };
        let deadline = finished.unwrap_or_else(Instant::now) + self.settings.answer_timeout;
        tokio::select! {
            biased;
            () = read(head, &mut answer) => {}
            () = cancelled(&mut cancel) => return interrupted(ledger),
            () = until(deadline) => answer.kind = BodyKind::Late,
        }
        let (ending, reading) = answer.ending(complete);
        Exchange::new(ending, Cause::Answered(Box::new(answer), reading))
    }

    fn used(&self) -> MutexGuard<'_, HashSet<SocketAddr>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends when nothing has moved for too long.
    async fn expire(&self, ledger: &Ledger) -> Exchange {
        let Settings { connect_timeout, stall_timeout, answer_timeout, .. } = self.settings;
        let begun = Instant::now();
        let mut looked_again = false;
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
                    () = ledger.changed() => {}
                }
                looked_again = false;
                continue;
            }
            if !std::mem::replace(&mut looked_again, true) {
                tokio::time::sleep(MOMENT).await;
                continue;
            }
            if phase == Phase::Finished {
                return Exchange::new(Ending::Lost, Cause::NoAnswer);
            }
            if ledger.call_off(Phase::Aborted) {
                return Exchange::new(Ending::Cut, Cause::Stalled { starved, after: stall_timeout });
            }
        }
    }

    /// What the proxy says that did not connect on, if it is not known.
    async fn hear(&self, error: &reqwest::Error, cancel: &mut Option<watch::Receiver<bool>>) -> Heard {
        let proxy = error.url().filter(|_| fault::is_unexplained(error)).and_then(|url| self.proxies.to(url));
        let Some(proxy) = proxy else { return Heard::Nothing };
        tokio::select! {
            heard = proxy.hear() => heard,
            () = cancelled(cancel) => Heard::Nothing,
        }
    }

    fn broken(&self, error: &reqwest::Error, underway: Underway<'_>, heard: Heard) -> Exchange {
        let Underway { host, ledger, posts, turn } = underway;
        let complete = !ledger.call_off(Phase::Aborted);
        if let Some(failure) = ledger.account().failure.take() {
            return Exchange::new(Ending::Local, Cause::Broken(failure));
        }
        if turn.is_some()
            && !(complete && posts)
            && fault::this_end(error).is_some_and(|end| self.used().contains(&end))
        {
            return Exchange::stale(fault::lost(error, host, complete));
        }
        let (ending, error) = if fault::is_not_http(error) && !(complete && posts) {
            // What does not speak HTTP does not learn it.
            (Ending::Refused, fault::not_http(host))
        } else if complete && (posts || !error.is_connect()) {
            (Ending::Lost, fault::lost(error, host, complete))
        } else if error.is_connect() {
            // Also of a question without a body, which is complete before it is sent.
            let proxy = error.url().and_then(|url| self.proxies.to(url));
            let (trusted, error) = fault::connect(error, host, proxy.as_ref(), heard);
            (if trusted { Ending::Unconnected } else { Ending::Untrusted }, error)
        } else {
            (Ending::Cut, fault::lost(error, host, complete))
        };
        Exchange::new(ending, Cause::Broken(error))
    }
}

/// What there is to know of a request that is under way.
#[derive(Clone, Copy)]
struct Underway<'a> {
    host: Host<'a>,
    ledger: &'a Ledger,
    /// Something is posted when it ends well.
    posts: bool,
    /// The turn of a connection that may have been used before.
    turn: Option<&'a Turn>,
}

/// What came while this program was stopped, or could not go on because nobody read its output, is there a moment later.
const MOMENT: Duration = Duration::from_millis(200);

async fn given(turn: Option<&Turn>) -> Infallible {
    match turn {
        Some(turn) => turn.give().await,
        None => std::future::pending().await,
    }
}

async fn until(deadline: Instant) {
    tokio::time::sleep_until(deadline.into()).await;
    tokio::time::sleep(MOMENT).await;
}

/// Ends when it is cancelled.
pub async fn cancelled(cancel: &mut Option<watch::Receiver<bool>>) {
    if let Some(cancel) = cancel
        && cancel.wait_for(|&cancelled| cancelled).await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

fn interrupted(ledger: &Ledger) -> Exchange {
    let complete = !ledger.call_off(Phase::Aborted);
    let ending = if complete { Ending::StoppedLate } else { Ending::Stopped };
    Exchange::new(ending, Cause::Interrupted { complete })
}

/// Reads the answer as far as it goes; what is not read stays [`BodyKind::Truncated`].
async fn read(mut head: reqwest::Response, answer: &mut Answer) {
    if head.headers().get_all(CONTENT_ENCODING).iter().any(|encoding| encoding != "identity") {
        answer.kind = BodyKind::Encoded;
        return;
    }
    let content_type = head.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut body = Vec::new();
    while let Ok(chunk) = head.chunk().await {
        match chunk {
            Some(chunk) if body.len() + chunk.len() > LIMIT => {
                answer.kind = BodyKind::TooLarge;
                return;
            }
            Some(chunk) => body.extend_from_slice(&chunk),
            None => return answer.read(&body, content_type.as_deref()),
        }
    }
}
