//! Arguments shared by several commands.

use std::path::PathBuf;

use super::values::{self, FailOn, ReportFormat, ReportTo};
use crate::finding::Severity;

/// The heading of the global options, which come last.
pub const GLOBAL: &str = "Global options";
/// The heading of the options that select what is read.
const CONFIGURATION: &str = "Configuration";

#[derive(clap::Args, Clone, Debug)]
pub struct ConfigArgs {
    /// Read this configuration instead of the user's and the project's; repeat to layer, last wins [env: CREDLINT_CONFIG]
    #[arg(short, long, value_name = "FILE", help_heading = CONFIGURATION)]
    pub config: Vec<PathBuf>,
    /// Read this dotenv file, below the environment; repeat to layer, last wins
    #[arg(long, value_name = "FILE", help_heading = CONFIGURATION)]
    pub env_file: Vec<PathBuf>,
    /// Read only the files named here: no user or project file, no CREDLINT_X__Y variables
    #[arg(long, help_heading = CONFIGURATION)]
    pub isolated: bool,
    /// Apply the [lint] and [trust] tables of this file; nothing else can weaken them
    #[arg(long, value_name = "FILE", help_heading = CONFIGURATION)]
    pub policy: Option<PathBuf>,
    /// Show what each layer is and which profiles were found
    #[arg(short, long, help_heading = CONFIGURATION)]
    pub verbose: bool,
}

/// What to report, where, and when to fail.
#[derive(clap::Args, Debug)]
pub struct ReportArgs {
    /// Output format [default: human] [env: CREDLINT_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// Write the report to this file instead of standard output (`-`)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write a second report, such as sarif=credlint.sarif; repeatable
    #[arg(long, value_name = "FORMAT=FILE", value_parser = values::report_to)]
    pub report: Vec<ReportTo>,
    /// Fail on findings of this severity or higher [default: error]
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    /// Exit 0 even if there are findings
    ///
    /// Other failures keep their exit code: a usage error is still 2, a check that could not be done 3.
    #[arg(long)]
    pub exit_zero: bool,
    /// Print findings and errors only: no summary, no notes
    ///
    /// Prints nothing if there are no findings. Formats other than human and concise are always written in full.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
}

impl ReportArgs {
    /// Returns the severity at which the command fails. `None` if it was not given.
    pub fn fail_on(&self) -> Option<Severity> {
        self.fail_on.map(|severity| match severity {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
        })
    }
}
