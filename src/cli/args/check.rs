//! The arguments of `check` and `exec`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;

use super::shared::{ConfigArgs, ReportArgs, severity};
use crate::finding::Severity;
use crate::foreign::FileType;

pub const SEARCHING: &str = "Files and variables";
const LEVELS: &str = "Levels and allows";

/// What has no effect on a list of files.
const CHECKING: [&str; 15] = [
    "allow", "baseline", "deny", "environment", "exit_zero", "fail_on", "format", "isolated", "no_allow", "output",
    "policy", "report", "verbose", "warn", "write_baseline",
];

/// Which files a search reads, and as what.
#[derive(clap::Args, Debug)]
pub struct FilesArgs {
    /// Read every PATH as this type of file, whatever its name is
    #[arg(long = "as", value_name = "TYPE", value_parser = PossibleValuesParser::new(FileType::names()), help_heading = SEARCHING)]
    pub file_type: Option<String>,
    /// In directories, read only files that match this pattern; repeatable
    #[arg(long, value_name = "GLOB", help_heading = SEARCHING)]
    pub include: Vec<String>,
    /// Skip what matches this pattern, such as vendor/ or *.json; repeatable
    #[arg(long, value_name = "GLOB", help_heading = SEARCHING)]
    pub exclude: Vec<String>,
    /// Also read what git ignores, but for directories such as .git and node_modules
    #[arg(long, help_heading = SEARCHING)]
    pub no_ignore: bool,
}

impl FilesArgs {
    /// Returns the first option that does not act on these paths, and what it is for.
    pub fn without_effect(&self, paths: &[PathBuf]) -> Option<(&'static str, &'static str)> {
        let (path, file) = (!paths.is_empty(), paths.iter().any(|path| path != Path::new("-")));
        let options = [
            ("--as", self.file_type.is_some(), path),
            ("--include", !self.include.is_empty(), file),
            ("--exclude", !self.exclude.is_empty(), file),
            ("--no-ignore", self.no_ignore, file),
        ];
        let (option, ..) = options.into_iter().find(|&(_, given, acts)| given && !acts)?;
        Some((option, NAMED))
    }
}

/// Says that an option does not act on what is checked, and what it is for.
pub fn no_effect(option: &str, purpose: &str) -> String {
    format!("{option} has no effect here; it is for {purpose}, or leave {option} out")
}

/// What an option for paths needs.
const NAMED: &str = "files and directories: name one";

#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// Files and directories to search instead of the configuration; `-` is standard input
    #[arg(value_name = "PATH", conflicts_with_all = ["config", "env_file", "profile", "no_resolve"])]
    pub paths: Vec<PathBuf>,
    /// Check only this profile, such as messaging.reports or reports; repeatable [env: CREDLINT_PROFILE]
    #[arg(short, long, value_name = "NAME")]
    pub profile: Vec<String>,
    /// Don't look up references; assume that each one resolves
    ///
    /// Use it where the secrets are absent, such as in a pull request's pipeline.
    #[arg(long)]
    pub no_resolve: bool,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Check this process's variables, by the names that other programs read
    ///
    /// Together with PATHs, or with the configuration if --config, --profile or --env-file asks for it.
    #[arg(long, help_heading = SEARCHING)]
    pub environment: bool,
    /// With --environment, fail if this variable is not set or is empty; repeatable
    #[arg(long, value_name = "VARIABLE", help_heading = SEARCHING)]
    pub require: Vec<String>,
    #[command(flatten)]
    pub files: FilesArgs,
    /// List the files that would be read, and as what; check nothing
    #[arg(long, conflicts_with_all = CHECKING, help_heading = SEARCHING)]
    pub list: bool,
    /// Report a rule's findings (or all `warnings`) as errors; repeatable
    ///
    /// If several of -D, -W and -A name the same rule, the last one wins.
    #[arg(short = 'D', long, value_name = "RULE", help_heading = LEVELS)]
    pub deny: Vec<String>,
    /// Report a rule's findings as warnings; repeatable
    #[arg(short = 'W', long, value_name = "RULE", help_heading = LEVELS)]
    pub warn: Vec<String>,
    /// Drop a rule's findings (or all `warnings`); repeatable
    #[arg(short = 'A', long, value_name = "RULE", help_heading = LEVELS)]
    pub allow: Vec<String>,
    /// Report findings of this rule only; repeatable
    #[arg(long, value_name = "RULE", conflicts_with = "policy", help_heading = LEVELS)]
    pub only: Vec<String>,
    /// Ignore every allow, in tables and in comments
    #[arg(long, help_heading = LEVELS)]
    pub no_allow: bool,
    /// Don't fail on findings that this baseline lists
    #[arg(long, value_name = "FILE", help_heading = LEVELS)]
    pub baseline: Option<PathBuf>,
    /// Write the findings to this file, as a baseline for later checks
    #[arg(long, value_name = "FILE", help_heading = LEVELS)]
    pub write_baseline: Option<PathBuf>,
    /// -D, -W and -A in the order in which they were given.
    #[arg(skip)]
    pub levels: Vec<(String, &'static str)>,
    #[command(flatten)]
    pub config: ConfigArgs,
}

#[derive(clap::Args, Debug)]
pub struct ExecArgs {
    /// The command to run, with its arguments
    #[arg(value_name = "COMMAND", required = true, last = true)]
    pub command: Vec<OsString>,
    /// Check this profile of the configuration as well, such as messaging.reports or reports; repeatable
    #[arg(short, long, value_name = "NAME")]
    pub profile: Vec<String>,
    /// Don't run the command on findings of this severity or higher [default: error]
    #[arg(long, value_name = "SEVERITY", value_parser = severity())]
    pub fail_on: Option<Severity>,
    /// Fail if this variable is not set or is empty; repeatable
    #[arg(long, value_name = "VARIABLE")]
    pub require: Vec<String>,
    /// Check the value on standard input under this name, and pass it on to the command
    ///
    /// One line break at the end is removed, unless the value has others. The command gets the value on its standard input
    /// only. An empty value or a placeholder is an error under any name.
    #[arg(long, value_name = "VARIABLE")]
    pub stdin: Option<String>,
    /// Report the findings and run the command in any case
    #[arg(long, conflicts_with = "fail_on")]
    pub observe: bool,
    /// Print findings and errors only
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    #[command(flatten)]
    pub config: ConfigArgs,
}
