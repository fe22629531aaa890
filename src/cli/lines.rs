//! Writes lines to standard output on a separate thread, so that a slow reader doesn't delay uploads.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;

use super::terminal;
use crate::text::Markup;

/// The writer thread. It ends when the lines do, or at the first write error.
pub struct Lines {
    sender: Sender<String>,
    thread: JoinHandle<io::Result<()>>,
}

impl Lines {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// Returns the reason if no thread can be started.
    pub fn start() -> Result<Self, String> {
        let (sender, lines) = mpsc::channel::<String>();
        let write = move || lines.iter().try_for_each(|line| terminal::write(&line, Markup::Json));
        let thread = std::thread::Builder::new().name("writer".to_owned()).spawn(write);
        let thread = thread.map_err(|error| format!("no thread could be started: {}", error.kind()))?;
        Ok(Self { sender, thread })
    }

    /// Queues a line. `finish` reports whether it could be written.
    pub fn write(&self, line: String) {
        let _ = self.sender.send(line);
    }

    /// Waits until all lines are written.
    pub fn finish(self) -> io::Result<()> {
        drop(self.sender);
        self.thread.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
    }
}
