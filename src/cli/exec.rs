//! `credlint exec`: checks the variables of this process, then replaces the process with the command.

use std::ffi::OsString;

use super::args::ExecArgs;
use super::exit::Exit;
use super::output::Notes;
use super::search;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::config::{ConfigError, Environment};
use crate::foreign;
use crate::lint::{self, CheckOptions};
use crate::report::{human, summary};
use crate::schema::value::{key_name, shown};
use crate::secret::MASK;
use crate::text;

/// The command was not started, for any reason; the code is that of `env` and `timeout`.
pub const NOT_STARTED: Exit = Exit::Other(125);

/// The variable that starts the command despite findings, and contains the reason.
const OVERRIDE: &str = "CREDLINT_OVERRIDE";

/// The command was not started because of findings.
const REFUSED: &str = "the command was not started";

/// Runs the command, or ends in 125.
pub fn run(mut args: ExecArgs, settings: Settings, terminal: &Terminal) -> Result<Exit, Exit> {
    let words = std::mem::take(&mut args.command);
    let added = settings.load_services(&args.config, !args.profile.is_empty());
    added.map_err(|error| unread(&error, terminal))?;
    let environment =
        settings.environment_with_dotenv(&args.config.env_file).map_err(|error| unread(&error, terminal))?;
    check_variables(args, (&words, &environment), &settings, terminal)?;
    Ok(become_command(&words, &environment, terminal))
}

fn unread(error: &ConfigError, terminal: &Terminal) -> Exit {
    terminal.unread(error);
    NOT_STARTED
}

/// Checks the command's variables.
fn check_variables(
    args: ExecArgs,
    (words, environment): (&[OsString], &Environment),
    settings: &Settings,
    terminal: &Terminal,
) -> Result<(), Exit> {
    let refused = |message: &str| Err(terminal.fail(NOT_STARTED, message));
    let configured = !args.profile.is_empty();
    if !args.config.config.is_empty() && !configured {
        return refused("--config has no effect without a profile to check: add --profile");
    }
    // Not from a dotenv file, where it could be forgotten.
    let reason = settings.environment().get(OVERRIDE).map(|reason| reason.to_string_lossy().trim().to_owned());
    if reason.as_deref() == Some("") {
        return refused(&format!("{OVERRIDE} is empty: set it to the reason, or unset it"));
    }
    let options = CheckOptions {
        fail_on: args.fail_on,
        profiles: args.profile.clone(),
        now: settings.now(),
        ..CheckOptions::default()
    };
    let notes = Notes::new(args.quiet, args.config.verbose);
    let mut search = search::environment(settings, &args.config, configured, &args.require);
    search.command = words.to_vec();
    search.env_files.clone_from(&args.config.env_file);
    let policy = lint::load(&settings.load_policy(&args.config));
    let config = args.config;
    let loaded = configured.then(|| lint::load(&settings.load(config))).transpose();
    let checked = policy.and_then(|policy| {
        let loaded = loaded?;
        if let Some(loaded) = &loaded {
            notes.announce(loaded, terminal);
        }
        Ok((lint::search_with_profiles(loaded.as_ref(), &search, &options)?, policy.config.no_override))
    });
    let ((report, notices), forbidden) = checked.map_err(|error| unread(&error, terminal))?;
    notes.warn(&notices, terminal);
    notes.found(&report, terminal);
    // Only findings are reported; any other output belongs to the command.
    if !report.findings.is_empty() || !report.problems.is_empty() {
        let draw = if args.quiet { human::without_summary } else { human::report };
        terminal.write_diagnostics(&draw(&report, terminal.stderr.style));
    } else if !args.quiet {
        terminal.note(&summary::line(&report));
    }
    if !args.quiet
        && let Some(empty) = empty_credentials(environment)
    {
        terminal.note(&empty);
    }
    if args.observe || !report.fails() && report.problems.is_empty() {
        return Ok(());
    }
    match reason {
        Some(_) if forbidden => refused(&format!("{REFUSED}: the policy forbids {OVERRIDE}")),
        Some(reason) => {
            terminal.warn(&format!(
                "the command is started in spite of this: {}",
                shown::reason(&reason).unwrap_or_else(|| MASK.to_owned())
            ));
            Ok(())
        }
        None if args.quiet => refused(REFUSED),
        None => refused(&format!("{REFUSED}; if a run without this check failed: credlint why LOG")),
    }
}

/// Lists the empty variables for credentials: pipelines set them like this if a secret does not exist.
fn empty_credentials(environment: &Environment) -> Option<String> {
    let empty = environment.sorted().into_iter().filter(|(_, value)| value.is_empty());
    let names: Vec<String> = empty
        .filter(|(name, _)| foreign::is_credential_name(name))
        .map(|(name, _)| format!("`{}`", key_name(&name).as_deref().unwrap_or(MASK)))
        .collect();
    (!names.is_empty()).then(|| format!("empty: {}", names.join(", ")))
}

/// Replaces this process with the command, which keeps the streams, receives every signal and sets the exit code. Where
/// that is not possible, runs it as a child.
fn become_command(words: &[OsString], environment: &Environment, terminal: &Terminal) -> Exit {
    let Some(program) = words.first() else { return Exit::Usage };
    let mut command = std::process::Command::new(program);
    // The reason is not meant for the command.
    command.args(&words[1..]).envs(environment.iter()).env_remove(OVERRIDE);
    #[cfg(unix)]
    let error = std::os::unix::process::CommandExt::exec(&mut command);
    #[cfg(not(unix))]
    let error = match command.status() {
        Ok(status) => return Exit::Other(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => error,
    };
    failed(program, &error, terminal)
}

/// Returns the exit code that shells and `env` use: 127 if the command does not exist, 126 if it can't be started.
fn failed(program: &OsString, error: &std::io::Error, terminal: &Terminal) -> Exit {
    let name = text::path(std::path::Path::new(program));
    if error.kind() == std::io::ErrorKind::NotFound {
        return terminal.fail(Exit::Other(127), &format!("{name}: no such command"));
    }
    terminal.fail(Exit::Other(126), &format!("{name} can't be started: {}", error.kind()))
}
