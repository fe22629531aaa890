//! Reads input that may block for any time: the first bytes of standard input, or a whole stream.

use std::io::{self, Cursor, ErrorKind, Read};

use tokio::sync::{oneshot, watch};

use super::error::UploadError;
use super::payload::{FileName, Payload, fill};
use super::wire::call::cancelled;
use crate::code::Code;

/// The size of the first read: the capacity of a pipe.
const FIRST: usize = 64 * 1024;

/// Waits for the first bytes of standard input. If it ends before them, a program has probably failed, and nothing is
/// sent.
pub(super) async fn begun(name: FileName, mut cancel: Option<watch::Receiver<bool>>) -> Result<Payload, UploadError> {
    // Fail early if there is no standard input.
    Payload::stdin(name.clone())?;
    let first = in_thread("input", &mut cancel, || first(&mut io::stdin())).await;
    let first = first
        .map_err(|kind| UploadError::new(Code::FileUnreadable, format!("standard input can't be read: {kind}")))?
        .ok_or_else(|| UploadError::new(Code::Interrupted, "interrupted before standard input had any data"))?;
    if first.is_empty() {
        return Err(UploadError::new(Code::EmptyInput, "standard input is empty, so nothing was sent")
            .help("check the program that writes to the pipe; to send an empty file, add --allow-empty"));
    }
    Ok(Payload::stream(name, Cursor::new(first).chain(io::stdin())))
}

fn first(reader: &mut impl Read) -> Result<Vec<u8>, ErrorKind> {
    let mut buffer = vec![0; FIRST];
    let read = fill(reader, &mut buffer).map_err(|error| error.kind())?;
    buffer.truncate(read);
    Ok(buffer)
}

/// Gives a stream a length, by copying it to a temporary file. `None` if the upload was cancelled.
pub(super) async fn spooled(
    payload: Payload,
    cancel: &mut Option<watch::Receiver<bool>>,
) -> Result<Option<Payload>, UploadError> {
    if payload.size().is_some() {
        return Ok(Some(payload));
    }
    let spooled = in_thread("spool", cancel, move || Ok(payload.spooled())).await;
    let failed = |_| UploadError::new(Code::SpoolFailed, "the input could not be kept for sending");
    spooled.map_err(failed)?.transpose()
}

/// Runs what may block forever in a thread of its own: a runtime waits for its own threads on exit. `None` if the upload
/// was cancelled.
async fn in_thread<T: Send + 'static>(
    name: &str,
    cancel: &mut Option<watch::Receiver<bool>>,
    work: impl FnOnce() -> Result<T, ErrorKind> + Send + 'static,
) -> Result<Option<T>, ErrorKind> {
    let (sender, receiver) = oneshot::channel();
    let work = move || {
        // The upload may have been abandoned.
        let _ = sender.send(work());
    };
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map_err(|error| error.kind())?;
    tokio::select! {
        biased;
        () = cancelled(cancel) => Ok(None),
        done = receiver => done.unwrap_or(Err(ErrorKind::Other)).map(Some),
    }
}
