//! The sandbox: embedded services to which a rehearsal uploads over real HTTP, on loopback only.
//!
//! They answer like the hosted messaging service, with HTTP 200 and a JSON object with `ok`: `files.upload`, the three
//! calls that replaced it, `files.info`, `auth.test`, `conversations.info` and `conversations.list`. Of the hosted storage service, only
//! `b2_authorize_account` is implemented. There are no accounts: every credential and channel of a plausible form is
//! accepted, or with [`Options::with_hosted`] only the forms that the hosted service issues. The services print
//! nothing, report requests to [`Options::with_requests`], and keep no bytes unless they are given a directory for
//! files. They fail on request.
//!
//! The formats are those of <https://docs.slack.dev/reference/methods> and
//! <https://www.backblaze.com/apidocs/b2-authorize-account>; `docs/sandbox.md` lists them.

mod accounts;
mod body;
mod client;
mod faults;
mod files;
mod issued;
mod operation;
mod reply;
mod service;
mod store;
mod uploads;

use std::error::Error as _;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::task::JoinSet;

use client::Connection;
pub use faults::{Fault, FaultError};
pub use files::Options;
use files::Service;
pub use operation::Answered;
pub use store::{Ledger, Message, Posted};

/// The size limit of a request's head. Comments go in the body.
const MAX_HEAD: usize = 64 * 1024;

/// The service, bound to its address and ready to run.
#[derive(Debug)]
pub struct Sandbox {
    listener: TcpListener,
    host: Arc<Service>,
}

impl Sandbox {
    /// Binds the service to an address; port 0 takes a free port. Connections are queued from now on, so clients can
    /// connect before it runs.
    ///
    /// # Errors
    /// If the address is not on loopback (the service must not ask for real tokens) or is in use; if the directory of
    /// the store can't be created; if the file of the ledger is a link, belongs to another user or contains something
    /// else; if a scope is not valid in a header.
    pub fn bind(address: SocketAddr, options: Options) -> io::Result<Self> {
        let refused = |words| Err(io::Error::new(io::ErrorKind::InvalidInput, words));
        if !address.ip().is_loopback() {
            return refused("the sandbox listens on loopback only: 127.0.0.1 or [::1]");
        }
        let word =
            |scope: &String| !scope.is_empty() && scope.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',');
        if !options.scopes.iter().all(word) {
            return refused("a scope must be a word such as files:write");
        }
        if let Some(store) = &options.store {
            store::prepare(store)?;
        }
        let ledger = Ledger::open(options.ledger.as_deref())?;
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let base = format!("http://{}", listener.local_addr()?);
        let host = Service {
            base,
            scopes: options.scopes.join(","),
            faults: faults::Faults::new(options.faults.clone()),
            ledger,
            catalogue: Mutex::default(),
            options,
        };
        Ok(Self { listener, host: Arc::new(host) })
    }

    /// Returns the address to set as `base_url`, such as `http://127.0.0.1:8080`.
    #[must_use]
    pub fn base_url(&self) -> String {
        self.host.base.clone()
    }

    /// Returns a handle to what is posted, which stays valid while the service runs.
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        self.host.ledger.clone()
    }

    /// Serves until the future is dropped, which closes every connection. Needs a tokio runtime with I/O and time.
    ///
    /// # Errors
    /// If the listener can't be used. Errors of a single connection are ignored.
    pub async fn run(self) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        // Send each answer at once, even if several requests follow each other.
                        let _ = stream.set_nodelay(true);
                        drop(connections.spawn(serve(stream, Arc::clone(&self.host))));
                    }
                    // Most likely there are no file descriptors left: wait until some are closed.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                },
                Some(_) = connections.join_next() => {}
            }
        }
    }
}

async fn serve(stream: tokio::net::TcpStream, host: Arc<Service>) {
    let client = Arc::new(Connection::new(&stream, &host));
    let answer = service_fn(move |request| service::answer(Arc::clone(&host), Arc::clone(&client), request));
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).max_header_size(MAX_HEAD);
    let mut connection = server.serve_connection(TokioIo::new(stream), answer);
    // A client that disconnects is not an error.
    if let Err(error) = (&mut connection).await
        && error.source().is_some_and(|cause| cause.is::<reply::Reset>())
    {
        // A socket that is closed with a linger time of zero sends RST.
        let _ = connection.into_parts().io.into_inner().set_zero_linger();
    }
}
