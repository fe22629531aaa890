//! `credlint check PATH…` and `--environment`: checks files and variables independently.

use std::path::{Path, PathBuf};

#[cfg(feature = "upload")]
use super::args::VerifyArgs;
use super::args::{CheckArgs, ConfigArgs, FilesArgs, no_effect};
use super::exit::Exit;
use super::output::{Notes, Outputs};
use super::settings::Settings;
use crate::code::Code;
use crate::config::ConfigError;
use crate::file;
use crate::finding::Severity;
use crate::foreign::{FileType, Files, Paths};
use crate::lint::{self, CheckOptions, Search, SearchStats, Text};
use crate::report::{service_page, summary};
use crate::source::{MAX_FILE, Problem};
use crate::text;

pub fn run(
    args: &CheckArgs,
    settings: &Settings,
    outputs: &Outputs<'_>,
    options: CheckOptions,
    implied: bool,
) -> Result<Exit, Exit> {
    let (mut search, &Outputs { terminal, notes, .. }) = (settings.search(&args.config), outputs);
    let (paths, mut files) = find(&search, &args.paths, &args.files, outputs)?;
    // A pull request may name a directory `examples`.
    if args.config.policy.is_some() && args.no_allow {
        for candidate in &mut files.candidates {
            candidate.file_type = candidate.file_type.in_any_directory(&candidate.path);
        }
    }
    // Otherwise found while they are read.
    if args.list || notes == Notes::Full {
        files.recognise_configurations(&search.directory);
    }
    notes.warn(&describe_skipped(&files, &search.directory), terminal);
    if args.list {
        let lines: String =
            list_files(&files, &search.directory).iter().map(|(word, name)| format!("{word}\t{name}\n")).collect();
        if lines.is_empty() {
            return Err(terminal.fail(Exit::NotDone, "there are no files to read; check the paths and patterns"));
        }
        return Ok(terminal.document(&lines, Exit::Done));
    }
    if notes == Notes::Full {
        for (word, name) in list_files(&files, &search.directory) {
            terminal.note(&format!("read: {name} as {word}"));
        }
    }
    if args.environment {
        search.environment = Some(settings.environment().clone());
        search.required.clone_from(&args.require);
        let below = |path: &PathBuf| outputs.checkout.root.starts_with(search.directory.join(path));
        let all = args.files.include.is_empty() && args.files.exclude.is_empty();
        search.everything = all && paths.named.iter().any(below);
    }
    let skipped = add_inputs(&mut search, &args.paths, &paths, files).map_err(|message| outputs.usage(&message))?;
    if implied && let Ok(loaded) = lint::load(&settings.load(args.config.clone())) {
        // The notices say why there is no configuration.
        notes.warn(loaded.notices(), terminal);
    }
    let found = lint::search(&search, &options);
    let (mut report, notices) = found.map_err(|error| outputs.unread(&error, Exit::Usage))?;
    if let Some(tally) = &mut report.search_stats {
        skipped.count(tally);
        tally.implied = implied;
        if notes == Notes::None && tally.refused > 0 {
            terminal.warn(&format!("{} could not be read", text::count(tally.refused, "path")));
        }
    }
    notes.warn(&notices, terminal);
    let unchecked = |problem: &Problem| problem.code == Code::NothingToCheck;
    if args.paths == [Path::new("-")] {
        for problem in report.problems.iter_mut().filter(|problem| unchecked(problem)) {
            let (message, help) = match search.text {
                None => ("standard input is empty", "check the command before the pipe"),
                Some(_) => ("standard input has no names with values", "set its type with --as, such as --as env"),
            };
            (problem.message, problem.help) = (message.to_owned(), Some(help.to_owned()));
        }
    }
    // A file that was read line by line without result does not count as checked.
    let mut findings = report.findings.iter();
    let empty = findings.all(|finding| finding.rule == "unread-file" && finding.severity == Severity::Note);
    let nothing = report.search_stats.is_some_and(|tally| tally.recognised == 0) && empty;
    if implied && nothing && report.problems.iter().all(unchecked) {
        let message = "no configuration: found no credlint.toml, .yaml or .json in this directory or above it, and no credential in its files";
        let help = "`credlint init` writes one to start from; --config FILE names another; `credlint check PATH` searches elsewhere";
        let error = ConfigError::from_problems(vec![Problem::new(Code::NoConfiguration, message).help(help)]);
        return Err(outputs.unread(&error, Exit::NotDone));
    }
    Notes::list(&report, terminal);
    let exit = outputs.write(&report, Exit::from_report(&report, args.report.exit_zero));
    if outputs.hints() {
        let nothing = report.search_stats.is_some_and(|tally| tally.recognised == 0) && report.findings.is_empty();
        let nothing = nothing && report.problems.is_empty();
        let services = service_page::services_with_fields().count();
        let looked = || format!("looked for credentials of {services} services, which `credlint services` lists");
        if let Some(more) = summary::more(&report).or_else(|| nothing.then(looked)) {
            terminal.note(&more);
        }
    }
    Ok(exit)
}

/// Returns what to search next to the configuration of a project. `None` if there is nothing else.
pub fn beside(
    (configuration, directory): &(PathBuf, PathBuf),
    args: &CheckArgs,
    settings: &Settings,
    outputs: &Outputs<'_>,
) -> Result<Option<Search>, Exit> {
    let mut search = settings.search(&args.config);
    let (paths, mut files) = find(&search, std::slice::from_ref(directory), &args.files, outputs)?;
    // It is checked with its layers.
    files.configurations.retain(|path| path != configuration);
    files.candidates.retain(|candidate| candidate.path != *configuration);
    outputs.notes.warn(&describe_skipped(&files, &search.directory), outputs.terminal);
    add_inputs(&mut search, &[], &paths, files).map_err(|message| outputs.usage(&message))?;
    Ok(Some(search).filter(|search| !search.files.is_empty() || !search.configurations.is_empty()))
}

/// Finds the files to read. The exit code is that of a usage error.
fn find(search: &Search, given: &[PathBuf], args: &FilesArgs, outputs: &Outputs<'_>) -> Result<(Paths, Files), Exit> {
    let paths = Paths {
        named: given.iter().filter(|path| *path != Path::new("-")).cloned().collect(),
        directory: search.directory.clone(),
        file_type: args.file_type.as_deref().and_then(FileType::named),
        include: args.include.clone(),
        exclude: args.exclude.clone(),
        no_ignore: args.no_ignore,
        left_out: (outputs.checkout.root.clone(), lint::excluded_patterns(search)),
    };
    let mut files = paths.find().map_err(|message| outputs.usage(&message))?;
    outputs.pass_over_own(&mut files);
    if !files.missing.is_empty() {
        let error = ConfigError::from_problems(files.missing.iter().map(|path| missing(path)).collect());
        return Err(outputs.unread(&error, Exit::Usage));
    }
    let of_directories = [("--include", !args.include.is_empty()), ("--no-ignore", args.no_ignore)];
    if let Some((option, _)) = of_directories.into_iter().find(|(_, given)| *given)
        && !paths.named.iter().any(|path| search.directory.join(path).is_dir())
    {
        return Err(outputs.usage(&no_effect(option, "directories: name one")));
    }
    let inputs = files.candidates.iter().map(|candidate| candidate.path.clone()).chain(files.configurations.clone());
    let inputs = inputs.chain(search.policy.clone()).chain(search.env_files.clone());
    outputs.refuse_overwriting(inputs, outputs.known.as_ref(), "an input of this check")?;
    Ok((paths, files))
}

/// Adds the files and standard input to a search. Returns what is not searched.
fn add_inputs(search: &mut Search, given: &[PathBuf], paths: &Paths, files: Files) -> Result<Skipped, String> {
    if given.iter().any(|path| path == Path::new("-")) {
        // Empty input often means that the program before failed.
        search.text = Some(standard_input(paths.file_type)?).filter(|found| !found.text.trim().is_empty());
    }
    search.left_out = files.left_out;
    search.files = files.candidates;
    search.configurations = files.configurations;
    // A named file that can't be read was not checked.
    let is_named = |path: &Path| paths.named.iter().any(|named| search.directory.join(named) == path);
    let named = files.unreadable.iter().filter(|(path, _)| is_named(path)).count();
    Ok(Skipped { named, found: files.unreadable.len() - named, ignored: files.ignored })
}

/// The numbers of directories that are not searched.
pub struct Skipped {
    /// Named ones that can't be read.
    named: usize,
    /// Others that can't be read.
    found: usize,
    /// Those that git ignores.
    ignored: usize,
}

impl Skipped {
    /// Adds them to those of a search.
    pub fn count(self, tally: &mut SearchStats) {
        tally.refused += self.named;
        tally.unsearched = self.found;
        tally.ignored = self.ignored;
    }
}

/// Returns what `verify` searches, and what it does not.
#[cfg(feature = "upload")]
pub fn search_to_verify(
    args: &VerifyArgs,
    settings: &Settings,
    outputs: &Outputs<'_>,
) -> Result<(Search, Skipped), Exit> {
    let mut search = settings.search(&args.config);
    search.env_files.clone_from(&args.config.env_file);
    search.environment = args.environment.then(|| settings.environment().clone());
    let (paths, files) = find(&search, &args.paths, &args.files, outputs)?;
    outputs.notes.warn(&describe_skipped(&files, &search.directory), outputs.terminal);
    let left = add_inputs(&mut search, &args.paths, &paths, files);
    Ok((search, left.map_err(|message| outputs.usage(&message))?))
}

/// Describes what is not searched.
fn describe_skipped(files: &Files, directory: &Path) -> Vec<String> {
    let name = |path: &Path| match path.strip_prefix(directory).unwrap_or(path) {
        here if here.as_os_str().is_empty() => ".".to_owned(),
        path => text::file(path),
    };
    let unreadable =
        files.unreadable.iter().map(|(path, why)| format!("the directory {} is not searched: {why}", name(path)));
    let unfiltered = files.unfiltered.iter().map(|path| {
        format!(
            "ignored files below {} are searched: its ignore files are larger than 256 KiB, not regular, or another user's",
            name(path)
        )
    });
    unreadable.chain(unfiltered).collect()
}

fn missing(path: &Path) -> Problem {
    let problem = Problem::new(Code::NotFound, format!("{}: no such file or directory", text::file_or_path(path)));
    let name = path.to_string_lossy();
    let bare = !name.contains(['/', '\\']) && path.extension().is_none();
    problem.help(match &*name {
        name if name.contains(['*', '?', '[']) => {
            "a pattern is expanded by the shell; to search only some files of a directory, use --include".to_owned()
        }
        name if bare && crate::schema::is_profile_name(name) => {
            format!("check the path; a profile is chosen with --profile {name}")
        }
        name if name.starts_with('-') => {
            "options stand before `--`; in a hook of pre-commit, they belong into its `entry`".to_owned()
        }
        _ => "check the path; it is relative to the working directory".to_owned(),
    })
}

/// Returns the files to read, sorted by name, with their types.
fn list_files(files: &Files, directory: &Path) -> Vec<(&'static str, String)> {
    let own = files.configurations.iter().map(|path| (path, "credlint"));
    let other = files.candidates.iter().map(|candidate| {
        let word = if candidate.by_content { "by content" } else { candidate.file_type.name() };
        (&candidate.path, word)
    });
    let named = own.chain(other).map(|(path, word)| (word, text::file(path.strip_prefix(directory).unwrap_or(path))));
    let mut listed: Vec<(&'static str, String)> = named.collect();
    listed.sort_by(|(_, one), (_, other)| one.cmp(other));
    listed
}

/// Reads standard input. Its type is the given one, or is detected from its first bytes.
fn standard_input(file_type: Option<FileType>) -> Result<Text, String> {
    let bytes = file::read_wiped(std::io::stdin().lock(), 0, MAX_FILE)
        .map_err(|error| format!("standard input can't be read: {}", error.kind()))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(format!("standard input is larger than {} MiB", MAX_FILE / (1024 * 1024)));
    }
    let text = file::decoded(bytes);
    let file_type = file_type.unwrap_or_else(|| FileType::from_text(&text));
    Ok(Text { text, file_type })
}

/// Returns the options to check the variables of this process, alone or together with the configuration.
pub fn environment(settings: &Settings, args: &ConfigArgs, configured: bool, required: &[String]) -> Search {
    let mut search = settings.search(args);
    search.environment = Some(settings.environment().clone());
    search.required = required.to_vec();
    search.lint_files = if configured { settings.files(args) } else { Vec::new() };
    search
}
