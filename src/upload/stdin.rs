//! Waits for standard input.

use std::io::{self, Cursor, ErrorKind, Read};

use tokio::sync::{oneshot, watch};

use super::error::UploadError;
use super::payload::{FileName, Payload};
use super::wire::call::cancelled;
use crate::code::Code;

/// The size of the first read: the capacity of a pipe.
const FIRST: usize = 64 * 1024;

/// Waits for the first bytes of standard input. If it ends before them, a program has probably failed, and nothing is
/// sent.
pub(super) async fn begun(name: FileName, mut cancel: Option<watch::Receiver<bool>>) -> Result<Payload, UploadError> {
    // Fail early if there is no standard input.
    Payload::stdin(name.clone())?;
    let (sender, receiver) = oneshot::channel();
    let unreadable =
        |kind: ErrorKind| UploadError::new(Code::FileUnreadable, format!("standard input can't be read: {kind}"));
    // Use a separate thread: a runtime waits for its own threads on exit, and this one may block forever.
    let read = move || {
        // The upload may have been abandoned.
        let _ = sender.send(first(&mut io::stdin()));
    };
    let thread = std::thread::Builder::new().name("input".to_owned()).spawn(read);
    thread.map_err(|error| unreadable(error.kind()))?;
    let first = tokio::select! {
        biased;
        () = cancelled(&mut cancel) => {
            return Err(UploadError::new(Code::Interrupted, "interrupted before standard input had any data"));
        }
        first = receiver => first.unwrap_or_else(|_| Err(ErrorKind::Other.into())),
    };
    let first = first.map_err(|error| unreadable(error.kind()))?;
    if first.is_empty() {
        return Err(UploadError::new(Code::EmptyInput, "standard input is empty, so nothing was sent")
            .help("check the program that writes to the pipe; to send an empty file, add --allow-empty"));
    }
    Ok(Payload::stream(name, Cursor::new(first).chain(io::stdin())))
}

fn first(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut buffer = vec![0; FIRST];
    loop {
        match reader.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            Ok(read) => {
                buffer.truncate(read);
                return Ok(buffer);
            }
        }
    }
}
