//! `credlint exec`: checks the variables of this process, then replaces the process with the command.

use std::ffi::OsString;

use super::args::{ExecArgs, FailOn};
use super::exit::Exit;
use super::notes::Notes;
use super::search;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::finding::Severity;
use crate::lint::{self, CheckOptions};
use crate::report::human;
use crate::text;

pub fn run(args: ExecArgs, settings: Settings, ignores_pipe: bool, terminal: &Terminal) -> Exit {
    let fail_on = args.fail_on.map(|severity| match severity {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
    });
    let configured = !args.profile.is_empty();
    let named = !args.config.config.is_empty() || !args.config.env_file.is_empty();
    if named && !configured {
        let message = "--config and --env-file have no effect without a profile to check: add --profile";
        return terminal.fail(Exit::Usage, message);
    }
    let options = CheckOptions { fail_on, profiles: args.profile, ..CheckOptions::default() };
    let notes = Notes::new(args.quiet, args.config.verbose);
    let search = search::environment(&settings, &args.config, configured);
    let loaded = configured.then(|| lint::load(&settings.load(args.config))).transpose();
    let checked = loaded.and_then(|loaded| {
        if let Some(loaded) = &loaded {
            notes.announce(loaded, terminal);
        }
        lint::search_beside(loaded.as_ref(), &search, &options)
    });
    let (report, notices) = match checked {
        Ok(checked) => checked,
        Err(error) => {
            terminal.problems(&error);
            return Exit::Usage;
        }
    };
    notes.warn(&notices, terminal);
    notes.found(&report, terminal);
    // Only findings are reported; any other output belongs to the command.
    if !report.findings.is_empty() {
        let draw = if args.quiet { human::wrong } else { human::report };
        terminal.picture(&draw(&report, terminal.error_style()));
    }
    if report.fails() {
        return terminal.fail(Exit::Findings, "the command was not started");
    }
    become_command(args.command, ignores_pipe, terminal)
}

/// Replaces this process with the command, which keeps the streams, receives every signal and sets the exit code.
#[cfg(unix)]
fn become_command(words: Vec<OsString>, ignores_pipe: bool, terminal: &Terminal) -> Exit {
    use std::os::unix::process::CommandExt;
    let Some((program, arguments)) = words.split_first() else { return Exit::Usage };
    // Both return only if they fail.
    let error = if ignores_pipe {
        exec_ignoring_pipe(&words)
    } else {
        std::process::Command::new(program).args(arguments).exec()
    };
    failed(program, &error, terminal)
}

/// Replaces this process without resetting SIGPIPE, which Rust's runtime ignores, as the caller did.
#[cfg(unix)]
fn exec_ignoring_pipe(words: &[OsString]) -> std::io::Error {
    use std::os::unix::ffi::OsStrExt;
    let words: Result<Vec<_>, _> = words.iter().map(|word| std::ffi::CString::new(word.as_bytes())).collect();
    match words.map(|words| nix::unistd::execvp(&words[0], &words)) {
        Ok(Err(error)) => error.into(),
        Ok(Ok(never)) => match never {},
        Err(nul) => nul.into(),
    }
}

/// Returns `true` if SIGPIPE is ignored.
#[cfg(target_os = "linux")]
#[must_use]
pub fn ignores_pipe() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|signals| u64::from_str_radix(signals.trim(), 16).ok());
    // SIGPIPE is 13.
    ignored.is_some_and(|signals| signals & (1 << 12) != 0)
}

/// Runs the command as a child where a process can't be replaced, and returns its exit code.
#[cfg(not(unix))]
fn become_command(words: Vec<OsString>, _: bool, terminal: &Terminal) -> Exit {
    let Some((program, arguments)) = words.split_first() else { return Exit::Usage };
    match std::process::Command::new(program).args(arguments).status() {
        Ok(status) => Exit::Other(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => failed(program, &error, terminal),
    }
}

/// Returns the exit code that shells and `env` use: 127 if the command does not exist, 126 if it can't be started.
fn failed(program: &OsString, error: &std::io::Error, terminal: &Terminal) -> Exit {
    let name = text::path(std::path::Path::new(program));
    if error.kind() == std::io::ErrorKind::NotFound {
        return terminal.fail(Exit::Other(127), &format!("{name}: no such command"));
    }
    terminal.fail(Exit::Other(126), &format!("{name} can't be started: {}", error.kind()))
}
