//! `credlint sandbox`

use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use super::args::SandboxArgs;
use super::exit::Exit;
use super::runtime;
use super::runtime::Signals;
use super::terminal::{self, Terminal};
use crate::sandbox::{Answered, Options, Sandbox};

/// The maximum number of queued lines.
const WAITING: usize = 4096;
/// The maximum time to write queued lines on exit.
const LAST_LINES: Duration = Duration::from_secs(1);

pub fn run(args: SandboxArgs, terminal: &Terminal) -> Result<Exit, Exit> {
    let given = |words: Vec<String>| words.into_iter().filter(|word| !word.is_empty()).collect();
    let (requests, written) = if args.quiet { (None, None) } else { write_requests().unzip() };
    let options = Options::default()
        .with_requests(requests)
        .with_store(args.store)
        .with_hosted(args.hosted)
        .with_max_file(args.max_file * 1024 * 1024)
        .with_ledger(args.ledger)
        .with_scopes(given(args.scopes))
        .with_team(args.team)
        .with_channels(given(args.channels))
        .with_bucket(args.bucket)
        .with_faults(args.fail)
        .with_delay(Duration::from_millis(args.delay));
    let signals = Signals::watch().map_err(|message| terminal.fail(Exit::NotDone, &message))?;
    let ended = runtime::block_on(async {
        let sandbox = match Sandbox::bind(args.listen, options) {
            Ok(sandbox) => sandbox,
            // The sandbox's own message.
            Err(error) if error.get_ref().is_some() => {
                let usage = error.kind() == std::io::ErrorKind::InvalidInput;
                return terminal.fail(if usage { Exit::Usage } else { Exit::NotDone }, &error.to_string());
            }
            Err(error) => {
                let message = format!("the sandbox can't listen on {}: {}", args.listen, error.kind());
                return terminal.fail(Exit::NotDone, &format!("{message}; choose another port with --listen"));
            }
        };
        let exit = terminal.document(&format!("{}\n", sandbox.base_url()), Exit::Done);
        if exit != Exit::Done {
            return exit;
        }
        tokio::select! {
            served = sandbox.run() => match served {
                Ok(()) => Exit::Done,
                Err(error) => terminal.fail(Exit::NotDone, &format!("the sandbox stopped: {}", error.kind())),
            },
            exit = signals.stopped() => exit,
        }
    });
    let exit = ended.unwrap_or_else(|message| terminal.fail(Exit::NotDone, &message));
    // Exit even if nobody reads the output.
    if let Some(written) = written {
        let _ = written.recv_timeout(LAST_LINES);
    }
    Ok(exit)
}

/// Writes a line for each request on a separate thread, so that the service doesn't wait for a reader. The receiver is
/// signalled after the last line. `None` if no thread can be started.
fn write_requests() -> Option<(SyncSender<Answered>, Receiver<()>)> {
    let (sender, requests) = sync_channel::<Answered>(WAITING);
    let (done, written) = channel();
    let write = move || {
        for request in requests {
            terminal::note(&request.to_string());
        }
        let _ = done.send(());
    };
    thread::Builder::new().spawn(write).ok().map(|_| (sender, written))
}
