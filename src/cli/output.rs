//! The reports of a check: one on standard output or in a file, and as many more in files as are asked for.

use std::path::{Path, PathBuf};

use super::args::{ConfigArgs, ReportArgs, ReportFormat, ReportTo};
use super::exit::Exit;
use super::settings::Settings;
use super::terminal::{Terminal, warn};
use crate::file::{self, FileError};
use crate::report::human::{self, Style};
use crate::report::place::Checkout;
use crate::report::{CheckOutcome, github, gitlab, junit, sarif};
use crate::text::{self, Markup, outgoing};

/// How pictures are drawn in a file.
const PLAIN: Style = Style { color: false, width: 100 };

/// What to write, and where.
pub struct Outputs {
    format: ReportFormat,
    /// In place of standard output.
    output: Option<PathBuf>,
    more: Vec<ReportTo>,
    /// Where the findings go as a baseline.
    baseline: Option<PathBuf>,
    checkout: Checkout,
    /// Where the summary of a job goes.
    summary: Option<PathBuf>,
    /// The files that were named as configuration.
    inputs: Vec<PathBuf>,
}

impl Outputs {
    /// `named` are the files that are named as configuration, beside those of `config`.
    pub fn from_args(
        args: &ReportArgs,
        config: &ConfigArgs,
        named: &[PathBuf],
        baseline: Option<&PathBuf>,
        settings: &Settings,
    ) -> Result<Self, String> {
        let format = settings.format(args.format)?;
        let reports = args.output.iter().chain(args.report.iter().map(|report| &report.file));
        let files = reports.chain(baseline).collect::<Vec<_>>();
        if files.iter().enumerate().any(|(index, file)| files[..index].contains(file)) {
            return Err("two reports can't go to one file".to_owned());
        }
        let inputs = [named, &config.config, &config.env_file].concat();
        let github =
            format == ReportFormat::Github || args.report.iter().any(|report| report.format == ReportFormat::Github);
        Ok(Self {
            format,
            output: args.output.clone(),
            more: args.report.clone(),
            baseline: baseline.cloned(),
            checkout: settings.checkout(),
            summary: settings.step_summary().filter(|_| github),
            inputs,
        })
    }

    /// Whether what goes to standard output is for people.
    pub fn is_for_people(&self) -> bool {
        self.format == ReportFormat::Human && self.output.is_none()
    }

    /// Writes everything that goes to files. One that can't be written makes a run that went well one that did not.
    pub fn files(&self, outcome: CheckOutcome<'_>, exit: Exit) -> Exit {
        let primary = self.output.iter().map(|file| (self.format, file.as_path()));
        let more = self.more.iter().map(|report| (report.format, report.file.as_path()));
        let reports = primary.chain(more).map(|(format, file)| {
            let text = self.document(format, outcome, PLAIN);
            ("the report", file, outgoing(&text, markup(format, PLAIN)).into_owned())
        });
        let baseline = self.baseline.iter().filter_map(|file| match outcome {
            // Where nothing was checked, what is known stays so.
            CheckOutcome::Checked(report) if report.problems.is_empty() => {
                Some(("the baseline", file.as_path(), report.to_baseline().to_json()))
            }
            _ => None,
        });
        let mut exit = exit;
        for (what, file, text) in reports.chain(baseline) {
            if self.is_input(file, outcome) {
                warn(&format!("{what} could not be written to {}: it is a file of the configuration", shown(file)));
                exit = exit.worst(Exit::NotDone);
            } else if let Err(error) = file::write_atomically(file, &text) {
                exit = failed(what, file, &error, exit);
            }
        }
        if let Some(file) = &self.summary
            && let Err(error) = file::append(file, &outgoing(&github::summary(outcome), Markup::Plain))
        {
            exit = failed("the summary of the job", file, &error, exit);
        }
        exit
    }

    /// Writes everything.
    pub fn write(&self, outcome: CheckOutcome<'_>, exit: Exit, terminal: &Terminal) -> Exit {
        let exit = self.files(outcome, exit);
        let unchecked = !outcome.problems().is_empty();
        // People look at the terminal, whichever way the documents go.
        if self.format == ReportFormat::Human && unchecked {
            terminal.unchecked(outcome);
            return exit;
        }
        if self.output.is_some() {
            return exit;
        }
        let style = terminal.style();
        terminal.data(&self.document(self.format, outcome, style), markup(self.format, style), exit)
    }

    fn document(&self, format: ReportFormat, outcome: CheckOutcome<'_>, style: Style) -> String {
        match (format, outcome) {
            (ReportFormat::Human, CheckOutcome::Checked(report)) if report.problems.is_empty() => {
                human::report(report, style)
            }
            (ReportFormat::Human, _) => human::problems(outcome.problems(), outcome.sources(), style),
            (ReportFormat::Json, CheckOutcome::Checked(report)) => report.to_json(),
            (ReportFormat::Json, CheckOutcome::Unread(error)) => error.to_json(),
            (ReportFormat::Sarif, _) => sarif::document(outcome, &self.checkout),
            (ReportFormat::Github, _) => github::document(outcome, &self.checkout),
            (ReportFormat::Gitlab, _) => gitlab::document(outcome, &self.checkout),
            (ReportFormat::Junit, _) => junit::document(outcome),
        }
    }

    /// Whether a file is one of the configuration: a slip of the hand must not replace it by a report.
    fn is_input(&self, file: &Path, outcome: CheckOutcome<'_>) -> bool {
        let Ok(file) = std::fs::canonicalize(file) else { return false };
        let inputs = self.inputs.iter().cloned().chain(outcome.sources().files().map(PathBuf::from));
        inputs.map(|input| self.checkout.directory.join(input)).any(|input| {
            // A name that is masked leads nowhere, and so does not stop the report.
            std::fs::canonicalize(input).is_ok_and(|input| input == file)
        })
    }
}

/// What a document in a format is.
const fn markup(format: ReportFormat, style: Style) -> Markup {
    match format {
        ReportFormat::Human if style.color => Markup::Colored,
        ReportFormat::Human => Markup::Plain,
        ReportFormat::Json | ReportFormat::Sarif | ReportFormat::Gitlab => Markup::Json,
        ReportFormat::Github => Markup::Commands,
        ReportFormat::Junit => Markup::Xml,
    }
}

fn failed(what: &str, file: &Path, error: &FileError, exit: Exit) -> Exit {
    let why = match error {
        FileError::NotFound => "there is no such directory".to_owned(),
        error => error.to_string(),
    };
    warn(&format!("{what} could not be written to {}: {why}", shown(file)));
    exit.worst(Exit::NotDone)
}

/// A path that need not be one.
fn shown(file: &Path) -> String {
    text::path(file)
}
