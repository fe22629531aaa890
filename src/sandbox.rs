//! The embedded messaging service: what a rehearsal uploads to, over real HTTP and on loopback only.
//!
//! It answers as the hosted service does, HTTP 200 and a JSON object with `ok`, and knows two operations:
//! `files.upload` and `auth.test`. It takes any token that could be one, and any channel that could be one. It prints
//! nothing and keeps nothing, unless it is given a directory to store files in.
//!
//! Source of the shapes: <https://docs.slack.dev/reference/methods/files.upload> and …/auth.test.

mod service;
mod store;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::task::JoinSet;

/// What the service does beyond answering.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Keep the files that arrive in this directory. Without it they are counted and thrown away.
    pub store: Option<PathBuf>,
}

impl Options {
    /// Keeps the files that arrive in this directory, which is created if it is missing.
    #[must_use]
    pub fn with_store(mut self, store: Option<PathBuf>) -> Self {
        self.store = store;
        self
    }
}

/// The service, bound to its address and ready to run.
#[derive(Debug)]
pub struct Sandbox {
    listener: TcpListener,
    address: SocketAddr,
    store: Option<PathBuf>,
}

impl Sandbox {
    /// Binds the service; port 0 takes a free one. Connections wait from now on, so it can be used before it runs.
    ///
    /// # Errors
    /// If the address is not on loopback (the service asks nobody for a real token), is taken, or the directory of
    /// the store can't be made.
    pub fn bind(address: SocketAddr, options: Options) -> io::Result<Self> {
        if !address.ip().is_loopback() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the sandbox listens on loopback only: 127.0.0.1 or [::1]",
            ));
        }
        if let Some(store) = &options.store {
            store::prepare(store)?;
        }
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, store: options.store })
    }

    /// The address to set as `base_url`, such as `http://127.0.0.1:8080`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Serves until the future is dropped, which closes every connection. Needs a tokio runtime with I/O and time.
    ///
    /// # Errors
    /// If the listener can't be used. A connection that breaks down is its own affair.
    pub async fn run(self) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let host = Arc::new(service::Host { base: format!("http://{}", self.address), store: self.store });
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        let host = Arc::clone(&host);
                        connections.spawn(async move {
                            let answer = service_fn(move |request| service::answer(Arc::clone(&host), request));
                            let connection = http1::Builder::new()
                                .timer(TokioTimer::new())
                                .serve_connection(TokioIo::new(stream), answer);
                            // A client that goes away is nothing to report.
                            let _ = connection.await;
                        });
                    }
                    // Out of descriptors, most likely: those in use will be given back.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                },
                Some(_) = connections.join_next() => {}
            }
        }
    }
}
