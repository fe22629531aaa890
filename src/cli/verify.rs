//! `credlint verify`

use std::time::Duration;

use super::args::VerifyArgs;
use super::exit::Exit;
use super::notes::Notes;
use super::output::{OF_CONFIGURATION, Outputs};
use super::runtime;
use super::settings::Settings;
use super::signals::Signals;
use super::terminal::Terminal;
use crate::lint;
use crate::report::CheckOutcome;
use crate::run::VerifyOptions;

pub fn run(args: VerifyArgs, settings: Settings, terminal: &Terminal) -> Exit {
    let outputs = match Outputs::from_args(&args.report, None, &settings) {
        Ok(outputs) => outputs,
        Err(message) => return terminal.fail(Exit::Usage, &message),
    };
    let mut options = VerifyOptions { fail_on: args.report.fail_on(), ..VerifyOptions::default() };
    options.settings.max_wait = Duration::from_secs(args.max_wait);
    options.settings.answer_timeout = Duration::from_secs(args.answer_timeout);
    let chosen = !args.profile.is_empty();
    options.profiles = match settings.profiles(args.profile) {
        Ok(profiles) => profiles,
        Err(message) => return terminal.fail(Exit::Usage, &message),
    };
    let notes = Notes::new(args.report.quiet, args.config.verbose);
    let load = settings.load(args.config);
    if let Err(message) = outputs.keep_apart(load.named(), None, OF_CONFIGURATION) {
        return terminal.fail(Exit::Usage, &message);
    }
    let loaded = lint::load(&load);
    if let Err(message) = outputs.keep_apart_from_loaded(loaded.as_ref()) {
        return terminal.fail(Exit::Usage, &message);
    }
    // Drop the copies of the environment before anything is sent.
    drop((settings, load));
    if let Ok(loaded) = &loaded {
        notes.announce(loaded, terminal);
    }
    let unread = |error| {
        let error = Settings::with_origin(error, chosen);
        outputs.write(CheckOutcome::Unread(&error), Exit::Usage, terminal)
    };
    let loaded = loaded.and_then(|mut loaded| loaded.forget_unused(&options.profiles).map(|()| loaded));
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return unread(error),
    };
    let verification = match loaded.verification(&options) {
        Ok(verification) => verification,
        Err(error) => return unread(error),
    };
    for (id, origin) in verification.destinations() {
        if notes != Notes::None {
            terminal.note(&format!("asking {origin} for {id}"));
        }
    }
    let signals = match Signals::watch() {
        Ok(signals) => signals,
        Err(message) => return terminal.fail(Exit::NotDone, &message),
    };
    let asked = runtime::block_on(async {
        tokio::select! {
            report = verification.ask() => Ok(report),
            exit = signals.stopped() => Err(exit),
        }
    });
    let report = match asked {
        Ok(Ok(report)) => report,
        Err(message) => return terminal.fail(Exit::NotDone, &message),
        Ok(Err(exit)) => return terminal.fail(exit, "stopped before every service had answered"),
    };
    let mut exit = Exit::Done;
    if !report.problems.is_empty() || report.is_unanswered() {
        exit = Exit::NotDone;
    }
    if report.fails() && !args.report.exit_zero && report.problems.is_empty() {
        exit = exit.worst(Exit::Findings);
    }
    outputs.write(CheckOutcome::Checked(&report), exit, terminal)
}
