//! Answers requests: rejects requests from foreign web pages, finds the operation, checks the token, and injects
//! faults.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{CONNECTION, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use hyper::{Method, Request, StatusCode, Version};

use super::accounts::{self, TokenHolder};
use super::body::{Arguments, ReceivedBody};
use super::client::Connection;
use super::faults::Effect;
use super::files::Service;
use super::operation::{Answered, Operation, RequestTarget};
use super::reply::{self, AnswerCode, HttpReply, MethodError, MethodResult, Reset};
use super::uploads::{self, Sent};

/// The scopes of the token, and those that the method accepts, as in a log of the hosted service:
/// <https://docs.slack.dev/tools/python-slack-sdk/tutorial/uploading-files>.
const GRANTED: HeaderName = HeaderName::from_static("x-oauth-scopes");
const ACCEPTED: HeaderName = HeaderName::from_static("x-accepted-oauth-scopes");

pub(super) async fn answer(
    host: Arc<Service>,
    client: Arc<Connection>,
    request: Request<Incoming>,
) -> Result<HttpReply, Reset> {
    let mut request = request.map(|incoming| ReceivedBody::new(incoming, host.options.max_file));
    let outcome = handle(&host, &mut request).await;
    if let Some(requests) = &host.options.requests {
        let answer = outcome.as_ref().ok().and_then(Option::as_ref).map(|reply| {
            let code = reply.extensions().get::<AnswerCode>().map(|AnswerCode(code)| code.as_ref());
            (reply.status(), code)
        });
        // If the channel is full, the report is dropped: no request waits for it.
        let _ = requests.try_send(Answered::new(request.method(), request.uri().path(), answer, request.body().read));
    }
    match outcome? {
        Some(reply) => Ok(reply),
        None => {
            client.closed().await;
            Err(Reset)
        }
    }
}

/// Returns the answer; `None` if there is none, and the connection stays open.
async fn handle(host: &Service, request: &mut Request<ReceivedBody>) -> Result<Option<HttpReply>, Reset> {
    if let Some((status, why)) = refuse_foreign(request) {
        request.body_mut().drain().await;
        return Ok(Some(with_connection_close(reply::text(status, format!("{why}\n")))));
    }
    if request.body().is_too_large() {
        return Ok(Some(too_large(host)));
    }
    let target = RequestTarget::from_path(request.uri().path());
    let effect = target.operation().and_then(|operation| host.faults.take_effect(operation));
    let mut reply = match effect.clone() {
        None | Some(Effect::Silence | Effect::Lost) => dispatch(host, target, request).await,
        Some(Effect::Stall) => return Ok(None),
        Some(effect) => effect.answer(target.operation(), request.body_mut()).await?,
    };
    request.body_mut().drain().await;
    if request.body().is_too_large() {
        reply = too_large(host);
    }
    match effect {
        Some(Effect::Lost) => return Err(Reset),
        Some(Effect::Silence) => return Ok(None),
        _ => {}
    }
    if !host.options.delay.is_zero() {
        tokio::time::sleep(host.options.delay).await;
    }
    Ok(Some(reply))
}

fn too_large(host: &Service) -> HttpReply {
    let limit = host.options.max_file;
    let why = format!("too large: a file has at most {limit} bytes here (--max-file), and the other fields 2 MiB\n");
    with_connection_close(reply::text(StatusCode::PAYLOAD_TOO_LARGE, why))
}

/// Closes the connection after this answer.
fn with_connection_close(mut reply: HttpReply) -> HttpReply {
    reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    reply
}

async fn dispatch(host: &Service, target: RequestTarget, request: &mut Request<ReceivedBody>) -> HttpReply {
    match target {
        RequestTarget::OtherMethod => reply::messaging(Err("unknown_method".into())),
        // It is a 400, because clients interpret a 404 as a missing file.
        RequestTarget::OtherStorage => {
            let message = format!("the sandbox has no such operation, only {}", Operation::AuthorizeAccount.name());
            reply::storage_error(StatusCode::BAD_REQUEST, "bad_request", &message)
        }
        RequestTarget::Nowhere => reply::text(StatusCode::NOT_FOUND, "not found: the methods are below /api/\n"),
        RequestTarget::Operation(Operation::Upload) if request.method() == Method::POST => {
            uploads::receive(host, request).await
        }
        RequestTarget::Operation(Operation::Upload) => reply::text(StatusCode::METHOD_NOT_ALLOWED, "use POST"),
        RequestTarget::Operation(Operation::AuthorizeAccount) => {
            accounts::authorize_account(host, request.uri().path(), request.headers())
        }
        RequestTarget::Operation(operation) => method(host, operation, request).await,
    }
}

async fn method(host: &Service, operation: Operation, request: &mut Request<ReceivedBody>) -> HttpReply {
    let (caller, sent) = match authenticate(host, request, operation).await {
        Ok(admitted) => admitted,
        Err(refused) => return reply::messaging(Err(refused)),
    };
    let mut reply = reply::messaging(call(host, operation, caller, sent, request).await);
    let accepted = operation.scopes().join(",");
    for (name, scopes) in [(GRANTED, caller.scopes(host)), (ACCEPTED, accepted.as_str())] {
        reply.headers_mut().extend(HeaderValue::from_str(scopes).map(|scopes| (name, scopes)));
    }
    reply
}

/// Authenticates the caller by the token in the header, or by the one in the arguments, which are read for that. The
/// code `method_not_allowed` is our own.
async fn authenticate(
    host: &Service,
    request: &mut Request<ReceivedBody>,
    operation: Operation,
) -> Result<(TokenHolder, Option<Sent>), MethodError> {
    if request.method() != Method::POST && !(request.method() == Method::GET && operation.accepts_get()) {
        return Err("method_not_allowed".into());
    }
    if let Some(token) = accounts::bearer(request.headers()) {
        return Ok((accounts::authenticate(token?, operation, host.options.hosted)?, None));
    }
    let in_query = Arguments::from_query(request, host.options.hosted).token().is_some();
    let sent = match uploads::read(host, operation, request).await {
        Ok(sent) => sent,
        // A request that can't be read has no token.
        Err(_) if !in_query => return Err("not_authed".into()),
        Err(broken) => return Err(broken),
    };
    let token = sent.0.token().ok_or("not_authed")?;
    Ok((accounts::authenticate(token, operation, host.options.hosted)?, Some(sent)))
}

async fn call(
    host: &Service,
    operation: Operation,
    caller: TokenHolder,
    sent: Option<Sent>,
    request: &mut Request<ReceivedBody>,
) -> MethodResult {
    let (needed, provided) = (operation.scopes(), caller.scopes(host));
    if let Some(first) = needed.first()
        && !provided.split(',').any(|scope| needed.contains(&scope))
    {
        return Err(MethodError::scope(first, provided));
    }
    // https://docs.slack.dev/changelog/2024-04-a-better-way-to-upload-files-is-here-to-stay
    if operation == Operation::FilesUpload && host.options.hosted {
        return Err("method_deprecated".into());
    }
    if operation == Operation::AuthTest {
        return Ok(accounts::auth_test(host, caller));
    }
    let (arguments, file) = match sent {
        Some(sent) => sent,
        None => uploads::read(host, operation, request).await?,
    };
    match operation {
        Operation::FilesUpload => uploads::upload(host, &arguments, file),
        Operation::UploadUrl => uploads::upload_url(host, &arguments),
        Operation::Complete => uploads::complete(host, &arguments),
        Operation::FilesInfo => host.info(&arguments),
        Operation::ConversationsInfo => accounts::conversations_info(host, &arguments),
        Operation::ConversationsList => accounts::conversations_list(host, &arguments),
        // The first two are not methods of the messaging API; the last one was answered above.
        Operation::Upload | Operation::AuthorizeAccount | Operation::AuthTest => Err("unknown_method".into()),
    }
}

/// Returns the status and the reason with which a request is refused; `None` if it is accepted.
pub(super) fn refuse_foreign<B>(request: &Request<B>) -> Option<(StatusCode, &'static str)> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => Some(host),
        (None, _) if request.version() < Version::HTTP_11 => None,
        _ => return Some((StatusCode::BAD_REQUEST, "the request needs exactly one Host header")),
    };
    let host = host.is_none_or(|host| host.to_str().is_ok_and(is_local));
    if !host || !request.uri().authority().is_none_or(|authority| is_local(authority.as_str())) {
        let why = "the request is for another host: the sandbox answers only to localhost, 127.0.0.1 or [::1]";
        return Some((StatusCode::MISDIRECTED_REQUEST, why));
    }
    let why = "the request is from a web page of another host: the sandbox answers only to pages of this machine";
    is_from_other_site(request.headers()).then_some((StatusCode::FORBIDDEN, why))
}

/// Returns `true` if a browser says that a page of another host sends the request. Any page can submit a form to any
/// address, and a token can be a field of a form. <https://fetch.spec.whatwg.org/#origin-header>,
/// <https://www.w3.org/TR/fetch-metadata/>
fn is_from_other_site(headers: &HeaderMap) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter().peekable();
    if origins.peek().is_none() {
        return headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    }
    let local = |origin: &str| {
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        host.is_some_and(is_local)
    };
    !origins.all(|origin| origin.to_str().is_ok_and(local))
}

/// Returns `true` if a host, with or without a port, is this machine, judged by its name alone.
fn is_local(host: &str) -> bool {
    if !crate::text::is_word_of(host, ".-_:[]") {
        return false;
    }
    let Ok(address) = url::Url::parse(&format!("http://{host}/")) else { return false };
    match address.host() {
        Some(url::Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|address| address.is_loopback())
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_requests_from_other_sites() {
        for (headers, elsewhere) in [
            (&[][..], false),
            (&[("sec-fetch-mode", "cors")], false),
            (&[("sec-fetch-site", "none")], false),
            (&[("sec-fetch-site", "same-origin")], false),
            (&[("sec-fetch-site", "cross-site")], true),
            (&[("origin", "http://localhost:3000"), ("sec-fetch-site", "cross-site")], false),
            (&[("origin", "https://[::1]")], false),
            (&[("origin", "https://evil.example")], true),
            (&[("origin", "http://localhost.evil.example"), ("sec-fetch-site", "same-origin")], true),
            (&[("origin", "http://localhost"), ("origin", "http://evil.example")], true),
            (&[("origin", "null")], true),
            (&[("origin", "")], true),
        ] {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.append(*name, value.parse().unwrap());
            }
            assert_eq!(is_from_other_site(&map), elsewhere, "{headers:?}");
        }
    }

    #[test]
    fn accepts_only_local_host_names() {
        for host in [
            "localhost", "LOCALHOST:8080", "localhost.", "api.localhost:1", "api.localhost.", "127.0.0.1",
            "127.0.0.1:8080", "127.1.2.3:8080", "127.1", "[::1]", "[::1]:8080", "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]:80",
        ] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "", ":8080", "h", "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example",
            "notlocalhost", "localhost..", "localhost@evil.example", "evil.example@localhost",
            "evil.example/localhost", "localhost/", "localhost:x", "localhost:99999", "0.0.0.0:8080", "128.0.0.1",
            "192.168.0.1", "[::]", "[::2]", "[::ffff:10.0.0.1]", "::1", "localhost, evil.example", "local host",
            "%6cocalhost",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }
}
