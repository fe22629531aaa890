//! `credlint sandbox`

use std::time::Duration;

use super::args::SandboxArgs;
use super::exit::Exit;
use super::runtime;
use super::signals::Signals;
use super::terminal::Terminal;
use crate::sandbox::{Options, Sandbox};

pub fn run(args: SandboxArgs, terminal: &Terminal) -> Exit {
    let given = |words: Vec<String>| words.into_iter().filter(|word| !word.is_empty()).collect();
    let options = Options::default()
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
    let signals = match Signals::watch() {
        Ok(signals) => signals,
        Err(message) => return terminal.fail(Exit::NotDone, &message),
    };
    let ended = runtime::block_on(async {
        let sandbox = match Sandbox::bind(args.listen, options) {
            Ok(sandbox) => sandbox,
            // The words are the service's own.
            Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => {
                return terminal.fail(Exit::Usage, &error.to_string());
            }
            // The same.
            Err(error) if error.get_ref().is_some() => return terminal.fail(Exit::NotDone, &error.to_string()),
            Err(error) => {
                let message = format!("the sandbox can't listen on {}: {}", args.listen, error.kind());
                return terminal.fail(Exit::NotDone, &format!("{message}; name another port with --listen"));
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
    ended.unwrap_or_else(|message| terminal.fail(Exit::NotDone, &message))
}
