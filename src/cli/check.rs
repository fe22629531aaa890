//! `credlint check`

use super::args::{CheckArgs, FailOn};
use super::exit::Exit;
use super::output::Outputs;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::finding::Severity;
use crate::lint::{self, CheckOptions, Loaded};
use crate::report::Outcome;

pub fn run(args: CheckArgs, settings: Settings, terminal: &Terminal) -> Exit {
    let outputs = match Outputs::of(&args, &settings) {
        Ok(outputs) => outputs,
        Err(message) => return terminal.fail(Exit::Usage, &message),
    };
    let mut config = args.config;
    config.config.extend(args.files);
    let mut load = settings.load(config);
    load.no_resolve = args.no_resolve;
    let fail_on = args.fail_on.map(|severity| match severity {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
    });
    let profiles = match settings.profiles(args.profile) {
        Ok(profiles) => profiles,
        Err(message) => return terminal.fail(Exit::Usage, &message),
    };
    let options = CheckOptions { profiles, fail_on, ..CheckOptions::default() };
    let loaded = lint::load(&load);
    if let Ok(loaded) = &loaded {
        announce(loaded, terminal);
    }
    let report = match loaded.and_then(|loaded| lint::check(&loaded, &options)) {
        Ok(report) => report,
        Err(error) => return outputs.write(Outcome::Unread(&error), Exit::Usage, terminal),
    };
    let exit = if !report.problems.is_empty() {
        Exit::NotDone
    } else if report.fails() && !args.exit_zero {
        Exit::Findings
    } else {
        Exit::Done
    };
    outputs.write(Outcome::Checked(&report), exit, terminal)
}

/// One line on what was read, and what was passed over.
pub fn announce(loaded: &Loaded, terminal: &Terminal) {
    for notice in loaded.notices() {
        terminal.note(notice);
    }
    let layers: Vec<&str> = loaded.layers().iter().map(|layer| layer.name.as_str()).collect();
    terminal.note(&format!("read: {}", if layers.is_empty() { "nothing".to_owned() } else { layers.join(", ") }));
}
