//! Answers requests: finds the operation, checks the token, and injects faults.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderName, HeaderValue};
use hyper::{Method, Request, StatusCode};

use super::accounts::{self, TokenHolder};
use super::arguments::Arguments;
use super::authority;
use super::body::Body;
use super::external;
use super::faults::Effect;
use super::files_upload::{self, FilePart};
use super::host::Host;
use super::operation::{Operation, Target};
use super::reply::{self, Code, HttpReply, MethodError, MethodResult, Reset};
use super::requests::Answered;

/// The scopes of the token, and those that the method accepts, as in a log of the hosted service:
/// <https://docs.slack.dev/tools/python-slack-sdk/tutorial/uploading-files>.
const GRANTED: HeaderName = HeaderName::from_static("x-oauth-scopes");
const ACCEPTED: HeaderName = HeaderName::from_static("x-accepted-oauth-scopes");

pub(super) async fn answer(host: Arc<Host>, request: Request<Incoming>) -> Result<HttpReply, Reset> {
    let mut request = request.map(|incoming| Body::new(incoming, host.max_file));
    let report = host.requests.as_ref().map(|_| Answered::unanswered(request.method(), request.uri().path()));
    let outcome = handle(&host, &mut request).await;
    if let (Some(requests), Some(report)) = (&host.requests, report) {
        let answer = match &outcome {
            Outcome::Reply(reply) => {
                let code = reply.extensions().get::<Code>().map(|Code(code)| code.as_ref());
                Some((reply.status(), code))
            }
            Outcome::Reset | Outcome::Silence => None,
        };
        // If the channel is full, the report is dropped: no request waits for it.
        let _ = requests.try_send(report.with_answer(answer, request.body().read()));
    }
    match outcome {
        Outcome::Reply(reply) => Ok(reply),
        Outcome::Reset => Err(Reset),
        Outcome::Silence => std::future::pending().await,
    }
}

/// The end of a request.
enum Outcome {
    Reply(HttpReply),
    Reset,
    Silence,
}

async fn handle(host: &Host, request: &mut Request<Body>) -> Outcome {
    if let Some((status, why)) = authority::refuse(request) {
        request.body_mut().drain().await;
        return Outcome::Reply(closing(reply::text(status, format!("{why}\n"))));
    }
    if request.body().is_too_large() {
        return Outcome::Reply(too_large(host));
    }
    let target = Target::at(request.uri().path());
    let effect = target.operation().and_then(|operation| host.faults.trigger(operation));
    let mut reply = match effect.clone() {
        None | Some(Effect::Silence | Effect::Lost) => dispatch(host, target, request).await,
        Some(Effect::Stall) => return Outcome::Silence,
        Some(effect) => match effect.answer(target.operation(), request.body_mut()).await {
            Ok(reply) => reply,
            Err(Reset) => return Outcome::Reset,
        },
    };
    request.body_mut().drain().await;
    if request.body().is_too_large() {
        reply = too_large(host);
    }
    match effect {
        Some(Effect::Lost) => return Outcome::Reset,
        Some(Effect::Silence) => return Outcome::Silence,
        _ => {}
    }
    if !host.delay.is_zero() {
        tokio::time::sleep(host.delay).await;
    }
    Outcome::Reply(reply)
}

fn too_large(host: &Host) -> HttpReply {
    let limit = host.max_file;
    let why = format!("too large: a file has at most {limit} bytes here (--max-file), and the other fields 2 MiB\n");
    closing(reply::text(StatusCode::PAYLOAD_TOO_LARGE, why))
}

/// Closes the connection after this answer.
fn closing(mut reply: HttpReply) -> HttpReply {
    reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    reply
}

async fn dispatch(host: &Host, target: Target, request: &mut Request<Body>) -> HttpReply {
    match target {
        Target::OtherMethod => reply::messaging(Err("unknown_method".into())),
        Target::OtherStorage => reply::no_storage_operation(),
        Target::Nowhere => reply::text(StatusCode::NOT_FOUND, "not found: the methods are below /api/\n"),
        Target::Operation(Operation::Upload) if request.method() == Method::POST => {
            external::receive(host, request).await
        }
        Target::Operation(Operation::Upload) => reply::text(StatusCode::METHOD_NOT_ALLOWED, "use POST"),
        Target::Operation(Operation::AuthorizeAccount) => {
            accounts::authorize_account(host, request.uri().path(), request.headers())
        }
        Target::Operation(operation) => method(host, operation, request).await,
    }
}

async fn method(host: &Host, operation: Operation, request: &mut Request<Body>) -> HttpReply {
    let (caller, sent) = match admit(host, request, operation).await {
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

/// The content of a request: its arguments, and for `files.upload` a file.
type Sent = (Arguments, Option<FilePart>);

async fn read(host: &Host, operation: Operation, request: &mut Request<Body>) -> Result<Sent, MethodError> {
    let arguments = Arguments::from_query(request, host.hosted);
    if operation == Operation::FilesUpload {
        return files_upload::read(host, request, arguments).await;
    }
    Ok((arguments.with_body(request).await?, None))
}

/// Authenticates the caller by the token in the header, or by the one in the arguments, which are read for that. The
/// code `method_not_allowed` is our own.
async fn admit(
    host: &Host,
    request: &mut Request<Body>,
    operation: Operation,
) -> Result<(TokenHolder, Option<Sent>), MethodError> {
    if request.method() != Method::POST && !(request.method() == Method::GET && operation.takes_get()) {
        return Err("method_not_allowed".into());
    }
    if let Some(token) = accounts::bearer(request.headers()) {
        return Ok((accounts::authenticate(token?, operation, host.hosted)?, None));
    }
    let in_query = Arguments::from_query(request, host.hosted).token().is_some();
    let sent = match read(host, operation, request).await {
        Ok(sent) => sent,
        // A request that can't be read has shown no token.
        Err(_) if !in_query => return Err("not_authed".into()),
        Err(broken) => return Err(broken),
    };
    let token = sent.0.token().ok_or("not_authed")?;
    Ok((accounts::authenticate(token, operation, host.hosted)?, Some(sent)))
}

async fn call(
    host: &Host,
    operation: Operation,
    caller: TokenHolder,
    sent: Option<Sent>,
    request: &mut Request<Body>,
) -> MethodResult {
    let (needed, provided) = (operation.scopes(), caller.scopes(host));
    if let Some(first) = needed.first()
        && !provided.split(',').any(|scope| needed.contains(&scope))
    {
        return Err(MethodError::scope(first, provided));
    }
    // https://docs.slack.dev/changelog/2024-04-a-better-way-to-upload-files-is-here-to-stay
    if operation == Operation::FilesUpload && host.hosted {
        return Err("method_deprecated".into());
    }
    if operation == Operation::AuthTest {
        return Ok(accounts::test(host, caller));
    }
    let (arguments, file) = match sent {
        Some(sent) => sent,
        None => read(host, operation, request).await?,
    };
    match operation {
        Operation::FilesUpload => files_upload::upload(host, &arguments, file),
        Operation::UploadUrl => external::upload_url(host, &arguments),
        Operation::Complete => external::complete(host, &arguments),
        Operation::FilesInfo => host.files.info(&arguments),
        Operation::ConversationsInfo => accounts::conversation(host, &arguments),
        // The first two are not methods of the messaging API; the last one was answered above.
        Operation::Upload | Operation::AuthorizeAccount | Operation::AuthTest => Err("unknown_method".into()),
    }
}
