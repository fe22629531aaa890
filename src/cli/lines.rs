//! Lines on their way to standard output, written by a thread of its own: nothing that is sent waits for who reads them.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;

use super::terminal;
use crate::text::Markup;

/// The thread. It ends with the lines, or at the first one that can't be written.
pub struct Lines {
    sender: Sender<String>,
    thread: JoinHandle<io::Result<()>>,
}

impl Lines {
    /// Begins to write.
    ///
    /// # Errors
    /// Why no thread can be started.
    pub fn start() -> Result<Self, String> {
        let (sender, lines) = mpsc::channel::<String>();
        let write = move || lines.iter().try_for_each(|line| terminal::write(&line, Markup::Json));
        let thread = std::thread::Builder::new().name("writer".to_owned()).spawn(write);
        let thread = thread.map_err(|error| format!("no thread could be started: {}", error.kind()))?;
        Ok(Self { sender, thread })
    }

    /// Hands in a line. Whether it could be written is told at the end.
    pub fn write(&self, line: String) {
        let _ = self.sender.send(line);
    }

    /// Waits until all is written.
    pub fn finish(self) -> io::Result<()> {
        drop(self.sender);
        self.thread.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
    }
}
