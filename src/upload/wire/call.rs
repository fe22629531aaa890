//! Sends one request, and watches it until it ends.

use std::time::{Duration, Instant};

use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use tokio::sync::watch;
use url::Url;

use super::answer::{Answer, BodyKind, Ending, ServiceApi, classify};
use super::body::Body;
use super::fault::{self, Proxies};
use super::http::{Clients, Credential};
use super::ledger::{Phase, SentBytes};
use crate::code::Code;
use crate::schema::value::BaseUrl;
use crate::source::Problem;
use crate::upload::settings::Settings;

/// The size limit of an answer. An answer of the service has a few kilobytes.
const LIMIT: usize = 1024 * 1024;

/// The address of a request, and whether it carries the credential.
#[derive(Clone, Copy)]
pub enum Target<'a> {
    /// The address of the operation. It gets the token.
    Operation,
    /// An address from the service, and its printable form. It does not get the token.
    Given(&'a Url, &'a str),
    /// The address that authorizes a key pair of the storage service. It gets the pair.
    Account,
}

impl<'a> Target<'a> {
    /// Returns an address from the service, in its printable form.
    const fn given(self) -> Option<&'a str> {
        if let Self::Given(_, shown) = self { Some(shown) } else { None }
    }
}

/// A request to send.
pub struct Request<'a> {
    pub target: Target<'a>,
    /// The service's name of the operation.
    pub operation: &'a str,
    pub content_type: &'a str,
    pub body: Body,
}

/// How a request ended, and why.
pub type Exchange = (Ending, Cause);

/// Why a request ended as it did.
pub enum Cause {
    /// An answer arrived.
    Answered(Box<Answer>),
    /// The connection, the file or this machine failed.
    Broken(Problem),
    /// No answer arrived in time.
    NoAnswer,
    /// No bytes were sent for too long; `starved` if the reason is that there were none to send.
    Stalled { starved: bool, after: Duration },
    /// The user stopped the program.
    Interrupted,
}

/// Sends the requests to one service: holds the connections, the address and the credential.
pub struct Caller {
    pub clients: Clients,
    proxies: Proxies,
    pub base: BaseUrl,
    authorization: HeaderValue,
    dialect: ServiceApi,
    settings: Settings,
}

impl Caller {
    /// Creates a caller. Does not connect.
    pub fn new(base: &BaseUrl, credential: Credential<'_>, settings: &Settings) -> Result<Self, Problem> {
        let clients = Clients::new(settings);
        clients.for_url(&base.join(""), true)?;
        Ok(Self {
            clients,
            proxies: Proxies::from_system(),
            base: base.clone(),
            authorization: credential.header()?,
            dialect: credential.dialect(),
            settings: settings.clone(),
        })
    }

    /// Sends a request once. The credential is sent with every operation, and never to an address from the service.
    /// `posts` is `true` if the request posts something when it succeeds, and `reuse` if it may use a connection that was
    /// used before.
    pub async fn call(
        &self,
        request: Request<'_>,
        reuse: bool,
        posts: bool,
        cancel: Option<watch::Receiver<bool>>,
    ) -> Exchange {
        let Request { target, operation, content_type, body } = request;
        let ledger = &body.ledger.clone();
        let url = match target {
            Target::Operation => self.base.join(&format!("api/{operation}")),
            Target::Given(url, _) => url.clone(),
            Target::Account => self.base.join(&format!("b2api/v4/{operation}")),
        };
        let http = match self.clients.for_url(&url, reuse) {
            Ok(http) => http,
            Err(error) => return (Ending::Local, Cause::Broken(error)),
        };
        let message = match target {
            Target::Operation => {
                let message = http.post(url).header(AUTHORIZATION, self.authorization.clone());
                // Some servers reject a POST without a Content-Length.
                if http_body::Body::is_end_stream(&body) { message.header(CONTENT_LENGTH, 0) } else { message }
            }
            Target::Given(..) => http.post(url),
            Target::Account => http.get(url).header(AUTHORIZATION, self.authorization.clone()),
        };
        let message = message.header(CONTENT_TYPE, content_type).body(reqwest::Body::wrap(body)).build();
        let Ok(message) = message else {
            let error = Problem::new(Code::ClientSetup, "the request could not be created");
            return (Ending::Local, Cause::Broken(error));
        };
        let in_flight = InFlight { given: target.given(), ledger, posts };
        let exchange = self.exchange(http.execute(message), in_flight, cancel).await;
        // Abort the rest of the request: otherwise its connection would wait for the rest of the body forever.
        ledger.stop(Phase::Aborted);
        exchange
    }

    async fn exchange(
        &self,
        head: impl Future<Output = reqwest::Result<reqwest::Response>>,
        in_flight: InFlight<'_>,
        mut cancel: Option<watch::Receiver<bool>>,
    ) -> Exchange {
        let ledger = in_flight.ledger;
        let head = tokio::select! {
            // An answer that has arrived counts, even if it is noticed late.
            biased;
            head = head => match head {
                Ok(head) => head,
                Err(error) => return self.broken(&error, in_flight),
            },
            () = cancelled(&mut cancel) => return interrupted(ledger),
            exchange = self.wait_for_timeout(ledger) => return exchange,
        };
        // No byte may be sent from here on: it could make an early answer look like a timely one.
        let complete = !ledger.stop(Phase::Halted);
        let mut answer = Answer::new(&head, self.dialect);
        let sent = ledger.account().sent().filter(|_| complete);
        let deadline = sent.unwrap_or_else(Instant::now) + self.settings.answer_timeout;
        tokio::select! {
            biased;
            () = read(head, &mut answer) => {}
            () = cancelled(&mut cancel) => return interrupted(ledger),
            () = deadline_passed(deadline) => answer.kind = BodyKind::Late,
        }
        (answer.ending(complete), Cause::Answered(Box::new(answer)))
    }

    /// Completes when there was no activity for too long.
    async fn wait_for_timeout(&self, ledger: &SentBytes) -> Exchange {
        let Settings { connect_timeout, stall_timeout, answer_timeout, .. } = self.settings;
        let begun = Instant::now();
        let mut looked_again = false;
        loop {
            let (phase, last_activity, sent, starved, streamed) = {
                let account = ledger.account();
                let streamed = account.progress.total.is_none();
                (account.phase, account.last_activity, account.sent(), account.is_starved(), streamed)
            };
            let deadline = match (phase, last_activity) {
                (Phase::Finished, _) => sent.unwrap_or(begun) + answer_timeout,
                (_, None) => begun + connect_timeout + stall_timeout,
                // A pipe may pause for any time, and that is not the service's fault.
                (_, Some(_)) if starved && streamed => Instant::now() + stall_timeout,
                (_, Some(last_activity)) => last_activity + stall_timeout,
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
                tokio::time::sleep(GRACE_PERIOD).await;
                continue;
            }
            if phase == Phase::Finished {
                return (Ending::Lost, Cause::NoAnswer);
            }
            if ledger.stop(Phase::Aborted) {
                return (Ending::Cut, Cause::Stalled { starved, after: stall_timeout });
            }
        }
    }

    fn broken(&self, error: &reqwest::Error, in_flight: InFlight<'_>) -> Exchange {
        let InFlight { given, ledger, posts } = in_flight;
        let complete = !ledger.stop(Phase::Aborted);
        if let Some(failure) = ledger.account().failure.take() {
            return (Ending::Local, Cause::Broken(failure));
        }
        let (ending, error) = if fault::is_not_http(error) && !(complete && posts) {
            // A retry does not help: whatever answered does not speak HTTP.
            (Ending::Refused, fault::not_http(given))
        } else if complete && (posts || !error.is_connect()) {
            (Ending::Lost, fault::lost_connection(error, given, complete))
        } else if error.is_connect() {
            // This includes a request without a body, which is complete before it is sent.
            let proxy = error.url().and_then(|url| self.proxies.for_url(url));
            let (trusted, error) = fault::connect(error, given, proxy.as_ref());
            (if trusted { Ending::Unconnected } else { Ending::Untrusted }, error)
        } else {
            (Ending::Cut, fault::lost_connection(error, given, complete))
        };
        (ending, Cause::Broken(error))
    }
}

/// A request in flight.
#[derive(Clone, Copy)]
struct InFlight<'a> {
    /// Its address, if that is from the service.
    given: Option<&'a str>,
    ledger: &'a SentBytes,
    /// The request posts something if it succeeds.
    posts: bool,
}

/// The time to notice what arrived while this program was suspended, or blocked because nobody read its output.
const GRACE_PERIOD: Duration = Duration::from_millis(200);

/// Whether an answer is whole is found out only up to this size.
const SHORT: usize = 64 * 1024;

/// The wait for the rest of an answer that is whole.
const REST: Duration = Duration::from_secs(1);

async fn deadline_passed(deadline: Instant) {
    tokio::time::sleep_until(deadline.into()).await;
    tokio::time::sleep(GRACE_PERIOD).await;
}

/// Completes when the upload is cancelled.
pub async fn cancelled(cancel: &mut Option<watch::Receiver<bool>>) {
    if let Some(cancel) = cancel
        && cancel.wait_for(|&cancelled| cancelled).await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

fn interrupted(ledger: &SentBytes) -> Exchange {
    let ending = if ledger.stop(Phase::Aborted) { Ending::Stopped } else { Ending::StoppedLate };
    (ending, Cause::Interrupted)
}

/// Reads the body of an answer. If it can't be read to its end, its kind stays [`BodyKind::Truncated`], unless what
/// arrived is a whole object with a verdict: the rest was nothing, whatever the length said. Nobody waits long for it.
async fn read(mut head: reqwest::Response, answer: &mut Answer) {
    let encodings = head.headers().get_all(CONTENT_ENCODING).iter();
    let is_plain = |encoding: &str| encoding.trim().is_empty() || encoding.trim().eq_ignore_ascii_case("identity");
    if !encodings.flat_map(|value| value.to_str().map_or("?", |list| list).split(',')).all(is_plain) {
        answer.kind = BodyKind::Encoded;
        return;
    }
    let content_type = head.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let content_type = content_type.as_deref();
    let is_whole = |body: &[u8]| matches!(classify(body, content_type).0, BodyKind::Confirmed | BodyKind::Denied);
    let (mut body, mut whole) = (Vec::new(), false);
    let ended = loop {
        let chunk = head.chunk();
        let chunk = if whole { tokio::time::timeout(REST, chunk).await.unwrap_or(Ok(None)) } else { chunk.await };
        match chunk {
            Ok(Some(chunk)) if body.len() + chunk.len() > LIMIT => {
                answer.kind = BodyKind::TooLarge;
                return;
            }
            Ok(Some(chunk)) => {
                body.extend_from_slice(&chunk);
                whole = body.len() <= SHORT && body.ends_with(b"}") && is_whole(&body);
            }
            Ok(None) => break true,
            Err(_) => break is_whole(&body),
        }
    };
    if ended {
        answer.read(&body, content_type);
    }
}
