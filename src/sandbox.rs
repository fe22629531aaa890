//! The embedded services, to which a rehearsal uploads over real HTTP, on loopback only.
//!
//! They answer like the hosted messaging service, with HTTP 200 and a JSON object with `ok`: `files.upload`, the three
//! calls that replaced it, `files.info`, `auth.test` and `conversations.info`. Of the hosted storage service, only
//! `b2_authorize_account` is implemented. There are no accounts: every credential and channel of a plausible form is
//! accepted, or with [`Options::with_hosted`] only the forms that the hosted service issues. The services print
//! nothing, report requests to [`Options::with_requests`], and keep no bytes unless they are given a directory for
//! files. They fail on request.
//!
//! The formats are those of <https://docs.slack.dev/reference/methods> and
//! <https://www.backblaze.com/apidocs/b2-authorize-account>; `docs/sandbox.md` lists them.

mod accounts;
mod arguments;
mod authority;
mod body;
mod external;
mod faults;
mod files;
mod files_upload;
mod host;
mod issued;
mod ledger;
mod operation;
mod reply;
mod requests;
mod service;
mod store;

use std::error::Error as _;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::task::JoinSet;

use crate::shorthand::setters;

pub use faults::{Fault, FaultError};
use host::Host;
pub use ledger::{Ledger, Message, Posted};
pub use requests::Answered;

/// The default limit of a file's size. A larger file is hardly meant for the disk of a developer.
const MAX_FILE: u64 = 16 * 1024 * 1024 * 1024;
/// The size limit of a request's head. Comments go in the body.
const MAX_HEAD: usize = 64 * 1024;

/// The options of the service.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The directory for received files. Without it they are counted and discarded.
    pub store: Option<PathBuf>,
    hosted: bool,
    max_file: u64,
    ledger: Option<PathBuf>,
    scopes: Vec<String>,
    team: String,
    channels: Vec<String>,
    bucket: Option<String>,
    faults: Vec<Fault>,
    delay: Duration,
    requests: Option<SyncSender<Answered>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            store: None,
            hosted: false,
            max_file: MAX_FILE,
            ledger: None,
            scopes: ["files:write", "files:read", "chat:write"].map(str::to_owned).to_vec(),
            team: "T00000000".to_owned(),
            channels: Vec::new(),
            bucket: None,
            faults: Vec::new(),
            delay: Duration::ZERO,
            requests: None,
        }
    }
}

impl Options {
    /// Stores received files in this directory, which is created if it is missing.
    #[must_use]
    pub fn with_store(mut self, store: Option<PathBuf>) -> Self {
        self.store = store;
        self
    }

    /// Makes the service as strict as the hosted one: it accepts only tokens and IDs of the forms that the hosted
    /// service issues, and `files.upload` is retired.
    #[must_use]
    pub const fn with_hosted(mut self, hosted: bool) -> Self {
        self.hosted = hosted;
        self
    }

    /// Sets the size limit of a file, in bytes. The default is 16 GiB.
    #[must_use]
    pub const fn with_max_file(mut self, max_file: u64) -> Self {
        self.max_file = max_file;
        self
    }

    setters! {
        /// Appends a line of JSON to this file for each message. The file is created if it is missing.
        with_ledger(ledger: Option<PathBuf>);

        /// Sets the scopes of every token. The default is `files:write`, `files:read` and `chat:write`.
        with_scopes(scopes: Vec<String>);

        /// Sets the workspace of every token. The default is `T00000000`.
        with_team(team: impl Into<String>) = team.into();

        /// Sets the channels that exist. If there are none, every channel exists.
        with_channels(channels: Vec<String>);

        /// Restricts application keys to one bucket. By default they are for all buckets.
        with_bucket(bucket: Option<String>);

        /// Sets the faults to inject. If several apply to a request, the first one that is not used up is injected.
        with_faults(faults: Vec<Fault>);
    }

    /// Waits this long before each answer.
    #[must_use]
    pub const fn with_delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Reports each request and its answer to this channel. If the channel is full, the report is dropped.
    #[must_use]
    pub fn with_requests(mut self, requests: Option<SyncSender<Answered>>) -> Self {
        self.requests = requests;
        self
    }
}

/// The service, bound to its address and ready to run.
#[derive(Debug)]
pub struct Sandbox {
    listener: TcpListener,
    host: Arc<Host>,
    ledger: Ledger,
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
        let host = Host {
            files: files::Files::new(base.clone(), options.store, ledger.clone()),
            base,
            hosted: options.hosted,
            scopes: options.scopes.join(","),
            team: options.team,
            channels: options.channels,
            bucket: options.bucket,
            faults: faults::Faults::new(options.faults),
            delay: options.delay,
            max_file: options.max_file,
            requests: options.requests,
        };
        Ok(Self { listener, host: Arc::new(host), ledger })
    }

    /// Returns the address to set as `base_url`, such as `http://127.0.0.1:8080`.
    #[must_use]
    pub fn base_url(&self) -> String {
        self.host.base.clone()
    }

    /// Returns a handle to what is posted, which stays valid while the service runs.
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        self.ledger.clone()
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

async fn serve(stream: tokio::net::TcpStream, host: Arc<Host>) {
    let answer = service_fn(move |request| service::answer(Arc::clone(&host), request));
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
