//! `credlint verify`

use std::time::Duration;

use super::args::{ListFormat, VerifyArgs, no_effect};
use super::exit::Exit;
use super::output::{Notes, Outputs};
use super::runtime::Signals;
use super::settings::Settings;
use super::terminal::Terminal;
use super::{runtime, search, upload};
use crate::lint::{self, CheckOptions, Report};
use crate::run::{FoundCredentials, Verification, VerifyOptions};

/// Returns the exit code; as an error where the command stops before it asks.
pub fn run(mut args: VerifyArgs, settings: Settings, terminal: &Terminal) -> Result<Exit, Exit> {
    let usage = |message: String| terminal.fail(Exit::Usage, &message);
    if args.report.format.is_none() {
        args.report.format = Some(settings.format::<ListFormat>(None).map_err(usage)?.into());
    }
    let outputs =
        Outputs::from_args((&args.report, args.config.verbose), [&None, &None], &settings, terminal).map_err(usage)?;
    let found = args.environment || !args.paths.is_empty();
    outputs.load_services(&settings, &args.config, !found)?;
    let mut options = VerifyOptions { fail_on: args.report.fail_on, ..VerifyOptions::default() };
    options.settings.max_wait = Duration::from_secs(args.max_wait);
    options.settings.answer_timeout = Duration::from_secs(args.answer_timeout);
    if found {
        return verify_found(&args, settings, &outputs, &options);
    }
    if let Some((option, purpose)) = args.files.without_effect(&[]) {
        return Err(usage(no_effect(option, purpose)));
    }
    options.channels = upload::channels(&args.channel).map_err(usage)?;
    let chosen = !args.profile.is_empty();
    options.profiles = settings.profiles(args.profile).map_err(usage)?;
    let load = settings.load(args.config);
    let loaded = outputs.load(&load)?;
    // Drop the copies of the environment before anything is sent.
    drop((settings, load));
    if let Ok(loaded) = &loaded {
        outputs.notes.announce(loaded, terminal);
    }
    let unread = |error| {
        let error = Settings::with_origin(error, chosen);
        outputs.unread(&error, Exit::Usage)
    };
    let mut loaded = loaded.map_err(unread)?;
    loaded.forget_unused(&options.profiles).map_err(unread)?;
    if !options.channels.is_empty() && !loaded.profile_ids().iter().any(|id| id.kind.sender) {
        return Err(usage(no_effect("--channel", "a messaging profile")));
    }
    let report = announce_and_ask(loaded.verification(&options).map_err(unread)?, &outputs)?;
    let mut exit = Exit::Done;
    if !report.problems.is_empty() || report.is_unanswered() {
        exit = Exit::NotDone;
    }
    if report.fails() && !args.report.exit_zero && report.problems.is_empty() {
        exit = exit.max(Exit::Findings);
    }
    Ok(outputs.write(&report, exit))
}

/// Verifies the credentials that a search finds.
fn verify_found(
    args: &VerifyArgs,
    settings: Settings,
    outputs: &Outputs<'_>,
    options: &VerifyOptions,
) -> Result<Exit, Exit> {
    if !args.config.env_file.is_empty() && !args.environment {
        let purpose = "the configuration or the variables of this process: add --environment";
        return Err(outputs.usage(&no_effect("--env-file", purpose)));
    }
    if let Some((option, purpose)) = args.files.without_effect(&args.paths) {
        return Err(outputs.usage(&no_effect(option, purpose)));
    }
    let (mut search, skipped) = search::search_to_verify(args, &settings, outputs)?;
    let (fail_on, now, list_values) = (options.fail_on, settings.now(), outputs.notes == Notes::Full);
    let check = CheckOptions { fail_on, list_values, now, ..CheckOptions::default() };
    let found = lint::load(&settings.load_trust(&args.config)).and_then(|trust| {
        search.permitted = trust.permitted;
        FoundCredentials::search(&search, &check)
    });
    // Drop the copies of the environment and of standard input before anything is sent.
    drop((settings, search));
    let (mut found, notices) = found.map_err(|error| outputs.unread(&error, Exit::Usage))?;
    outputs.notes.warn(&notices, outputs.terminal);
    if let Some(tally) = &mut found.report.search_stats {
        skipped.count(tally);
    }
    Notes::list(&found.report, outputs.terminal);
    let report = announce_and_ask(found.verification(&options.settings), outputs)?;
    Ok(outputs.write(&report, Exit::from_report(&report, args.report.exit_zero)))
}

/// Announces the destinations, and asks.
fn announce_and_ask(verification: Verification<'_>, outputs: &Outputs<'_>) -> Result<Report, Exit> {
    let terminal = outputs.terminal;
    for (id, origin) in verification.destinations() {
        if outputs.notes != Notes::None {
            let file = id.file.as_ref().map(|file| format!(" in {file}")).unwrap_or_default();
            terminal.note(&format!("asking {origin} for {id}{file}"));
        }
    }
    let signals = Signals::watch().map_err(|message| terminal.fail(Exit::NotDone, &message))?;
    let asked = runtime::block_on(async {
        tokio::select! {
            report = verification.ask() => Ok(report),
            exit = signals.stopped() => Err(exit),
        }
    });
    match asked {
        Ok(Ok(report)) => Ok(report),
        Err(message) => Err(terminal.fail(Exit::NotDone, &message)),
        Ok(Err(exit)) => Err(terminal.fail(exit, "stopped before every service had answered")),
    }
}
