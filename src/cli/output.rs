//! Writes the reports of a check, one to standard output or a file and any number of further files, and notes on standard
//! error about what was read, controlled by -q and -v.

use std::path::{Path, PathBuf};

use super::args::{ConfigArgs, ReportArgs, ReportFormat, ReportTo};
use super::exit::Exit;
use super::init::NAMES;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::config::{ConfigError, LoadOptions, Origin};
use crate::file::{self, FileError, FileSet};
use crate::foreign::Files;
use crate::lint::{self, Loaded, Report};
use crate::report::human::Style;
use crate::report::place::Checkout;
use crate::report::{concise, github, gitlab, human, json_v1, own, sarif, values};
use crate::services;
use crate::text::{self, Markup, count, outgoing};

/// The maximum size of an earlier document that is recognised.
const MAX_DOCUMENT: u64 = 64 * 1024 * 1024;

/// The style of text that is written to a file.
const PLAIN: Style = Style { color: false, width: 100, unicode: true };

/// The reports to write, and the terminal for what they don't say.
pub struct Outputs<'t> {
    pub terminal: &'t Terminal,
    pub notes: Notes,
    format: ReportFormat,
    /// The file to write instead of standard output.
    output: Option<PathBuf>,
    more: Vec<ReportTo>,
    /// The file to write as a baseline.
    baseline: Option<PathBuf>,
    /// The baseline in use.
    pub known: Option<PathBuf>,
    pub checkout: Checkout,
    /// The job summary of a GitHub workflow.
    summary: Option<PathBuf>,
}

impl<'t> Outputs<'t> {
    /// Resolves the options that name outputs. Each report needs its own file.
    pub fn from_args(
        (args, verbose): (&ReportArgs, bool),
        [known, baseline]: [&Option<PathBuf>; 2],
        settings: &Settings,
        terminal: &'t Terminal,
    ) -> Result<Self, String> {
        let format = settings.format(args.format)?;
        let mut formats = args.report.iter().map(|report| report.format).chain([format]);
        let github = formats.any(|format| format == ReportFormat::Github);
        let outputs = Self {
            terminal,
            notes: Notes::new(args.quiet, verbose),
            format,
            // `-` is the conventional name for standard output.
            output: args.output.clone().filter(|file| file != Path::new("-")),
            more: args.report.clone(),
            baseline: baseline.clone(),
            known: known.clone(),
            checkout: settings.checkout(),
            summary: settings.step_summary().filter(|_| github),
        };
        let mut before: Vec<PathBuf> = Vec::new();
        for (option, file) in outputs.named() {
            if let Some(why) = why_not_written(file, settings.directory()).filter(|_| option != "GITHUB_STEP_SUMMARY") {
                return Err(format!("{option} {} {why}: choose another file", text::path(file)));
            }
            if FileSet::new(before.iter().cloned()).contains(file) {
                let file = text::path(file);
                return Err(format!("{option} {file}: another report already goes to this file"));
            }
            before.push(file.clone());
        }
        Ok(outputs)
    }

    /// Removes earlier documents of the program that this run replaces from its inputs.
    pub fn pass_over_own(&self, files: &mut Files) {
        let is_own =
            |path: &Path| file::read_text(path, MAX_DOCUMENT).is_ok_and(|(text, _)| own::is_own_document(&text));
        let own = self.named().map(|(_, file)| self.checkout.directory.join(file)).filter(|path| is_own(path));
        let own = FileSet::new(own);
        if own.len() > 0 {
            files.candidates.retain(|candidate| !own.contains(&candidate.path));
        }
    }

    /// Returns the files to write, with the options that name them.
    fn named(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let reports = self.more.iter().map(|report| ("--report", &report.file));
        let output = self.output.iter().map(|file| ("--output", file));
        let baseline = self.baseline.iter().map(|file| ("--write-baseline", file));
        self.summary.iter().map(|file| ("GITHUB_STEP_SUMMARY", file)).chain(output).chain(reports).chain(baseline)
    }

    /// Refuses to overwrite inputs: files that were named to be read, and the baseline in use, which only
    /// `--write-baseline` may replace.
    pub fn refuse_overwriting(
        &self,
        inputs: impl IntoIterator<Item = PathBuf>,
        baseline: Option<&PathBuf>,
        role: &str,
    ) -> Result<(), Exit> {
        if self.named().next().is_none() {
            return Ok(());
        }
        let inputs = FileSet::new(inputs.into_iter().map(|input| self.checkout.directory.join(input)));
        let known = FileSet::new(baseline.cloned());
        for (option, file) in self.named() {
            let what = if inputs.contains(file) {
                role
            } else if option != "--write-baseline" && known.contains(file) {
                "the baseline of this check"
            } else {
                continue;
            };
            return Err(self.usage(&format!("{option} {} is {what}: choose another file", text::path(file))));
        }
        Ok(())
    }

    /// Prints a usage error.
    pub fn usage(&self, message: &str) -> Exit {
        self.terminal.fail(Exit::Usage, message)
    }

    /// Adds the project's services. Refuses to overwrite their files.
    pub fn load_services(&self, settings: &Settings, args: &ConfigArgs, configured: bool) -> Result<(), Exit> {
        let role = "a file of a service";
        let Err(error) = settings.load_services(args, configured) else {
            return self.refuse_overwriting(services::own_files().iter().cloned(), None, role);
        };
        self.refuse_overwriting(error.inputs(), None, role)?;
        Err(self.unread(&error, Exit::Usage))
    }

    /// Loads the configuration. Refuses to overwrite a file of it, whether it was named or turned out to be read.
    pub fn load(&self, load: &LoadOptions) -> Result<Result<Loaded, ConfigError>, Exit> {
        let role = "a file of the configuration";
        self.refuse_overwriting(load.named_files(), self.known.as_ref(), role)?;
        let loaded = lint::load(load);
        match &loaded {
            Ok(loaded) => {
                let known = loaded.policy.as_ref().and_then(|policy| policy.baseline.as_ref());
                self.refuse_overwriting(loaded.inputs(), known, role)?;
            }
            Err(error) => self.refuse_overwriting(error.inputs(), None, role)?,
        }
        Ok(loaded)
    }

    /// Returns `true` if people should get hints.
    pub fn hints(&self) -> bool {
        self.format == ReportFormat::Human && self.output.is_none() && self.notes != Notes::None
    }

    /// Writes all files. A file that can't be written turns success into failure.
    fn files(&self, report: &Report, exit: Exit) -> Exit {
        let primary = self.output.iter().map(|file| (self.format, file.as_path()));
        let more = self.more.iter().map(|report| (report.format, report.file.as_path()));
        let reports = primary.chain(more).map(|(format, file)| {
            let (text, markup) = self.document(format, report, PLAIN);
            ("the report", file, outgoing(&text, markup).into_owned())
        });
        // If nothing was checked, the old baseline stays.
        let baseline = self.baseline.iter().filter(|_| report.problems.is_empty());
        let baseline = baseline.map(|file| ("the baseline", file.as_path(), report.to_baseline().to_json()));
        let mut exit = exit;
        for (what, file, text) in reports.chain(baseline) {
            if let Err(error) = file::write_atomically(file, &text) {
                exit = failed(what, file, &error, exit, self.terminal);
            } else if self.baseline.as_ref().is_some_and(|baseline| baseline == file) && self.notes != Notes::None {
                let (findings, file) = (count(report.findings.len(), "finding"), text::path(file));
                self.terminal.note(&format!("wrote {findings} to {file}: check with --baseline {file} from now on"));
            }
        }
        if let Some(file) = &self.summary
            && let Err(error) = file::append(file, &outgoing(&github::job_summary(report), Markup::Plain))
        {
            exit = failed("the summary of the job", file, &error, exit, self.terminal);
        }
        exit
    }

    /// Writes all reports of a configuration that can't be read.
    pub fn unread(&self, error: &ConfigError, exit: Exit) -> Exit {
        self.write(&error.into(), exit)
    }

    /// Writes all reports.
    pub fn write(&self, report: &Report, exit: Exit) -> Exit {
        let (exit, terminal) = (self.files(report, exit), self.terminal);
        // People look at the terminal, wherever the documents are written.
        if self.format == ReportFormat::Human && report.is_unchecked() {
            terminal.problems(&report.problems, &report.sources);
            return exit;
        }
        if self.output.is_some() {
            return exit;
        }
        let (document, markup) = self.document(self.format, report, terminal.stdout.style);
        match self.format {
            ReportFormat::Human | ReportFormat::Concise => terminal.document(&document, exit),
            _ => terminal.data(&document, markup, exit),
        }
    }

    fn document(&self, format: ReportFormat, report: &Report, style: Style) -> (String, Markup) {
        let quiet = self.notes == Notes::None;
        let words = if style.color { Markup::Colored } else { Markup::Plain };
        match format {
            ReportFormat::Human if quiet => (human::without_summary(report, style), words),
            ReportFormat::Human => (human::report(report, style), words),
            ReportFormat::Concise if quiet => (concise::without_summary(report), Markup::Plain),
            ReportFormat::Concise => (concise::document(report), Markup::Plain),
            ReportFormat::Json => (json_v1::report(report), Markup::Json),
            ReportFormat::Sarif => (sarif::document(report, &self.checkout), Markup::Json),
            ReportFormat::Github => (github::document(report, &self.checkout), Markup::Commands),
            ReportFormat::Gitlab => (gitlab::document(report, &self.checkout), Markup::Json),
        }
    }
}

/// Returns why a file must not be written, whatever is there.
pub fn why_not_written(path: &Path, directory: &Path) -> Option<&'static str> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if NAMES.contains(&name) {
        return Some("is the name of a configuration");
    }
    if name == ".gitignore" || path.iter().any(|part| part == ".git") {
        return Some("belongs to git");
    }
    // Whoever can change the repository chooses where such a link leads.
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty())?;
    file::is_behind_link(parent, directory).then_some("is behind a symbolic link in the repository")
}

fn failed(what: &str, file: &Path, error: &FileError, exit: Exit, terminal: &Terminal) -> Exit {
    let (why, remedy) = match error {
        FileError::NotFound => ("no such directory".to_owned(), "create it, or choose another file"),
        FileError::NotRegular("a symbolic link") => {
            ("it is a symbolic link".to_owned(), "use the file that it points to, or another one")
        }
        error => (error.to_string(), "choose another file"),
    };
    terminal
        .fail(exit.max(Exit::NotDone), &format!("{what} could not be written to {}: {why}; {remedy}", text::path(file)))
}

/// How much to say about what was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Notes {
    /// -q
    None,
    /// One line.
    Short,
    /// -v
    Full,
}

impl Notes {
    pub const fn new(quiet: bool, verbose: bool) -> Self {
        match (quiet, verbose) {
            (true, _) => Self::None,
            (false, true) => Self::Full,
            (false, false) => Self::Short,
        }
    }

    /// Prints what was read and what was ignored.
    pub fn announce(self, loaded: &Loaded, terminal: &Terminal) {
        if self == Self::None {
            return;
        }
        self.warn(loaded.notices(), terminal);
        let layers = loaded.layers();
        let names: Vec<&str> = layers.iter().map(|layer| layer.name.as_str()).collect();
        terminal.note(&format!("read: {}", if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }));
        if self != Self::Full {
            return;
        }
        for (number, layer) in layers.iter().enumerate() {
            let place = match (number, layers.len()) {
                (_, 1) => "",
                (0, _) => " (lowest)",
                (number, all) if number + 1 == all => " (highest)",
                _ => "",
            };
            terminal.note(&format!("layer {}{place}: {}, {}", number + 1, layer.name, describe_origin(layer.origin)));
        }
        let profiles: Vec<String> = loaded.profile_ids().iter().map(ToString::to_string).collect();
        terminal
            .note(&format!("profiles: {}", if profiles.is_empty() { "none".to_owned() } else { profiles.join(", ") }));
    }

    /// Lists the values that were looked at.
    pub fn list(report: &Report, terminal: &Terminal) {
        for line in values::table(report.values.as_deref().unwrap_or_default(), &report.sources).lines() {
            terminal.note(line);
        }
    }

    /// Prints only what was ignored.
    pub fn warn(self, notices: &[String], terminal: &Terminal) {
        for notice in notices.iter().filter(|_| self != Self::None) {
            terminal.warn(notice);
        }
    }
}

/// Describes a layer.
const fn describe_origin(origin: Origin) -> &'static str {
    match origin {
        Origin::User => "your own file",
        Origin::Project => "the project's file",
        Origin::Given => "named with --config",
        Origin::Dotenv => "named with --env-file",
        Origin::Environment => "variables of this process",
    }
}
