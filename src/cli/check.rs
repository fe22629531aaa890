//! `credlint check`

use super::args::{CheckArgs, FailOn, Format};
use super::exit::Exit;
use super::fix;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::finding::Severity;
use crate::lint::{self, CheckOptions, Loaded};
use crate::report::human;

pub fn run(args: CheckArgs, settings: Settings, terminal: &Terminal) -> Exit {
    let format = match settings.format(args.format) {
        Ok(format) => format,
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
    let fixed = !args.fix || fix::apply(&load, &options, terminal);
    let preview = args.diff.then(|| fix::preview(&load, &options, terminal)).flatten();
    let loaded = lint::load(&load);
    if let Ok(loaded) = &loaded {
        announce(loaded, terminal);
    }
    let report = match loaded.and_then(|loaded| lint::check(&loaded, &options)) {
        Ok(report) => report,
        Err(error) => {
            return match format {
                Format::Human => {
                    terminal.problems(&error);
                    Exit::Usage
                }
                Format::Json => terminal.document(&error.to_json(), Exit::Usage),
            };
        }
    };
    // Files that were to be changed and could not be are more than findings that are left.
    let exit = if !report.problems.is_empty() || !fixed {
        Exit::NotDone
    } else if report.fails() && !args.exit_zero {
        Exit::Findings
    } else {
        Exit::Done
    };
    // Whoever asked to look first reads that; other formats are read by programs, as ever.
    if let Some(preview) = preview {
        if format == Format::Human && report.problems.is_empty() {
            return terminal.document(&preview, exit);
        }
        terminal.picture(&preview);
    }
    match format {
        Format::Json => terminal.document(&report.to_json(), exit),
        Format::Human if !report.problems.is_empty() => {
            report.problems.iter().for_each(|problem| terminal.problem(problem));
            exit
        }
        Format::Human => terminal.document(&human::report(&report, terminal.style()), exit),
    }
}

/// One line on what was read, and what was passed over.
pub fn announce(loaded: &Loaded, terminal: &Terminal) {
    for notice in loaded.notices() {
        terminal.note(notice);
    }
    let layers: Vec<&str> = loaded.layers().iter().map(|layer| layer.name.as_str()).collect();
    terminal.note(&format!("read: {}", if layers.is_empty() { "nothing".to_owned() } else { layers.join(", ") }));
}
