//! From a request to an answer: which operation it asks for, whether it may, and whether it is to fail on purpose.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderName, HeaderValue};
use hyper::{Method, Request, StatusCode};

use super::accounts::{self, TokenHolder};
use super::arguments::Arguments;
use super::authority;
use super::body::Body;
use super::faults::Effect;
use super::host::Host;
use super::operation::Operation;
use super::reply::{self, HttpReply, MethodError, MethodResult, Reset};
use super::{external, files_upload};

/// The scopes of the token, and those that the method accepts, as in a log of the hosted service:
/// <https://docs.slack.dev/tools/python-slack-sdk/tutorial/uploading-files>.
const GRANTED: HeaderName = HeaderName::from_static("x-oauth-scopes");
const ACCEPTED: HeaderName = HeaderName::from_static("x-accepted-oauth-scopes");

pub(super) async fn answer(host: Arc<Host>, request: Request<Incoming>) -> Result<HttpReply, Reset> {
    let mut request = request.map(|incoming| Body::new(incoming, host.max_file));
    if let Some((status, why)) = authority::refuse(&request) {
        request.body_mut().drain().await;
        return Ok(last(reply::text(status, format!("{why}\n"))));
    }
    if request.body().is_over() {
        return Ok(too_large(&host));
    }
    let operation = Operation::at(request.uri().path());
    let effect = operation.and_then(|operation| host.faults.strike(operation));
    let mut reply = match effect.clone() {
        None | Some(Effect::Silence | Effect::Lost) => operate(&host, operation, &mut request).await,
        Some(effect) => effect.instead(operation, request.body_mut()).await?,
    };
    request.body_mut().drain().await;
    if request.body().is_over() {
        reply = too_large(&host);
    }
    match effect {
        Some(Effect::Lost) => return Err(Reset),
        Some(Effect::Silence) => std::future::pending().await,
        _ => {}
    }
    if !host.delay.is_zero() {
        tokio::time::sleep(host.delay).await;
    }
    Ok(reply)
}

fn too_large(host: &Host) -> HttpReply {
    let limit = host.max_file;
    let why =
        format!("too large: a file has at most {limit} bytes here (--max-file), and what stands beside it 2 MiB\n");
    last(reply::text(StatusCode::PAYLOAD_TOO_LARGE, why))
}

/// The last answer on its connection.
fn last(mut reply: HttpReply) -> HttpReply {
    reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    reply
}

async fn operate(host: &Host, operation: Option<Operation>, request: &mut Request<Body>) -> HttpReply {
    match operation {
        None => reply::messaging(Err("unknown_method".into())),
        Some(Operation::Upload) if request.method() == Method::POST => external::receive(host, request).await,
        Some(Operation::Upload) => reply::text(StatusCode::METHOD_NOT_ALLOWED, "POST it"),
        Some(Operation::AuthorizeAccount) => accounts::authorize_account(host, request.uri().path(), request.headers()),
        Some(operation) => {
            let caller = match admit(host, request, operation) {
                Ok(caller) => caller,
                Err(refused) => return reply::messaging(Err(refused)),
            };
            let mut reply = reply::messaging(call(host, operation, caller, request).await);
            let accepted = operation.scopes().join(",");
            for (name, scopes) in [(GRANTED, caller.scopes(host)), (ACCEPTED, accepted.as_str())] {
                reply.headers_mut().extend(HeaderValue::from_str(scopes).map(|scopes| (name, scopes)));
            }
            reply
        }
    }
}

/// `method_not_allowed` is our own code; the hosted service takes some of its methods by GET as well.
fn admit(host: &Host, request: &Request<Body>, operation: Operation) -> Result<TokenHolder, MethodError> {
    if request.method() != Method::POST {
        return Err("method_not_allowed".into());
    }
    accounts::authenticate(request.headers(), operation, host.hosted)
}

async fn call(host: &Host, operation: Operation, caller: TokenHolder, request: &mut Request<Body>) -> MethodResult {
    let (needed, provided) = (operation.scopes(), caller.scopes(host));
    if let Some(first) = needed.first()
        && !provided.split(',').any(|scope| needed.contains(&scope))
    {
        return Err(MethodError::scope(first, provided));
    }
    match operation {
        // https://docs.slack.dev/changelog/2024-04-a-better-way-to-upload-files-is-here-to-stay
        Operation::FilesUpload if host.hosted => Err("method_deprecated".into()),
        Operation::FilesUpload => files_upload::upload(host, request).await,
        Operation::UploadUrl => external::upload_url(host, &Arguments::read(request).await?),
        Operation::Complete => external::complete(host, &Arguments::read(request).await?),
        Operation::FilesInfo => host.files.info(&Arguments::read(request).await?),
        Operation::AuthTest => Ok(accounts::test(host, caller)),
        Operation::ConversationsInfo => accounts::conversation(host, &Arguments::read(request).await?),
        // No methods of the messaging API.
        Operation::Upload | Operation::AuthorizeAccount => Err("unknown_method".into()),
    }
}
