//! The other end of a connection.

use std::io;

use tokio::io::Interest;
use tokio::net::TcpStream;

use super::files::Service;

/// The client of a connection. A request that gets no answer ends with it: the server does not read on, so it would not
/// notice, and would keep the connection for ever.
pub(super) struct Connection(Option<TcpStream>);

impl Connection {
    /// Watches the connection, if a fault can leave a request without an answer.
    #[cfg(unix)]
    pub(super) fn new(stream: &TcpStream, host: &Service) -> Self {
        use std::os::fd::AsFd;
        let twin = || TcpStream::from_std(stream.as_fd().try_clone_to_owned()?.into());
        Self((!host.options.faults.is_empty()).then(twin).and_then(Result::ok))
    }

    #[cfg(not(unix))]
    pub(super) fn new(_: &TcpStream, _: &Service) -> Self {
        Self(None)
    }

    /// Waits until the client has closed the connection.
    pub(super) async fn closed(&self) {
        let Some(stream) = &self.0 else { return std::future::pending().await };
        while let Ok(ready) = stream.ready(Interest::READABLE).await {
            if ready.is_read_closed() {
                return;
            }
            // Wait for the next event: the bytes that have arrived are not read.
            let _ = stream.try_io::<()>(Interest::READABLE, || Err(io::ErrorKind::WouldBlock.into()));
        }
    }
}
