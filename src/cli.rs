//! The command line: arguments → settings → one file for each command, but for those that only print a page → an exit
//! code.

mod args;
mod check;
mod exec;
mod exit;
mod identify;
mod init;
mod output;
mod pages;
mod profiles;
#[cfg(feature = "upload")]
mod progress;
mod quiet;
#[cfg(feature = "upload")]
mod rest;
#[cfg(any(feature = "sandbox", feature = "upload"))]
mod runtime;
#[cfg(feature = "sandbox")]
mod sandbox;
mod search;
mod services;
mod settings;
mod terminal;
#[cfg(feature = "upload")]
mod upload;
#[cfg(feature = "upload")]
mod verify;
mod why;

use std::process::ExitCode;

use crate::config::Environment;
use args::{Command, read};
use exit::Exit;
use settings::Settings;
use terminal::Terminal;

/// Runs the program with the arguments, environment and working directory of this process.
#[must_use]
pub fn main() -> ExitCode {
    silence_panics();
    disable_core_dumps();
    let environment = Environment::process();
    let terminal = Terminal::new(&environment);
    run(std::env::args_os().collect(), environment, terminal).into()
}

fn run(words: Vec<std::ffi::OsString>, environment: Environment, mut terminal: Terminal) -> Exit {
    let executes = is_exec(&words);
    let args = match read::from_words(words) {
        Ok(args) => args,
        Err(error) => {
            let exit = terminal.usage(&error);
            return if executes && exit == Exit::Usage { exec::NOT_STARTED } else { exit };
        }
    };
    terminal.choose_color(args.color);
    command(args.command, environment, &terminal).unwrap_or_else(|stopped| stopped)
}

/// Runs a command, and returns the exit code; as an error where it was stopped by what was printed.
fn command(command: Command, environment: Environment, terminal: &Terminal) -> Result<Exit, Exit> {
    let settings = Settings::new(environment).map_err(|message| terminal.fail(Exit::NotDone, &message))?;
    match command {
        Command::Check(args) => check::run(*args, settings, terminal),
        Command::Exec(args) => exec::run(args, settings, terminal),
        #[cfg(feature = "upload")]
        Command::Upload(args) => upload::run(*args, settings, terminal),
        #[cfg(feature = "upload")]
        Command::Verify(args) => verify::run(args, settings, terminal),
        Command::Profiles(args) => profiles::run(args, settings, terminal),
        Command::Explain(args) => pages::explain(&args, &settings, terminal),
        Command::Identify(args) => identify::run(&args, &settings, terminal),
        Command::Why(args) => why::run(&args, &settings, terminal),
        Command::Services(args) => services::run(&args, &settings, terminal),
        Command::Init(args) => init::run(args, terminal),
        Command::Schema { of } => Ok(pages::schema(of, terminal)),
        Command::Completions { shell } => Ok(pages::completions(shell, terminal)),
        Command::Man { command } => Ok(pages::man(command.as_deref(), terminal)),
        #[cfg(feature = "sandbox")]
        Command::Sandbox(args) => sandbox::run(args, terminal),
    }
}

/// Returns `true` for the words of `exec`, also if they are wrong.
fn is_exec(words: &[std::ffi::OsString]) -> bool {
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        // The only option before a command with a separate value.
        if word == "--color" {
            words.next();
        } else if !word.to_string_lossy().starts_with('-') {
            return word == "exec";
        }
    }
    false
}

/// Prints only the location of a panic: its message may quote a value.
fn silence_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
        terminal::error(&format!("internal error{place}; this is a bug in credlint, please report it"));
    }));
}

/// Disables core dumps, and access by other processes of the same user. A system that pipes cores to a program may
/// still write one.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn disable_core_dumps() {
    // If this is not permitted, the program runs without it.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn disable_core_dumps() {}
