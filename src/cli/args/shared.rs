//! Arguments and types of values that several commands share.

use std::path::PathBuf;

use clap::ValueEnum;
#[cfg(feature = "upload")]
use clap::builder::EnumValueParser;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::finding::Severity;
#[cfg(feature = "upload")]
use crate::upload::Shard;

/// The heading of the global options, which come last.
pub const GLOBAL: &str = "Global options";
/// The heading of the options that select what is read.
const CONFIGURATION: &str = "Configuration";

#[derive(clap::Args, Clone, Default, Debug)]
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
    /// Show what each layer is, and list the values that were looked at
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
    #[arg(long, value_name = "FORMAT=FILE", value_parser = report_to::<ReportFormat>)]
    pub report: Vec<ReportTo>,
    /// Fail on findings of this severity or higher [default: error]
    #[arg(long, value_name = "SEVERITY", value_parser = severity())]
    pub fail_on: Option<Severity>,
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

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// Output formats of a report.
#[derive(ValueEnum, Clone, Default, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// Text for people
    #[default]
    Human,
    /// One line per finding
    Concise,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations in a GitHub workflow, and a job summary
    Github,
    /// GitLab Code Quality report
    Gitlab,
}

/// Output formats of upload results.
#[cfg(feature = "upload")]
#[derive(ValueEnum, Clone, Default, Copy, PartialEq, Eq, Debug)]
pub enum UploadFormat {
    /// Text for people
    #[default]
    Human,
    /// One JSON document
    Json,
    /// One line of JSON per finished file, and a summary line
    Jsonl,
}

/// An option with a fixed set of values, which can also be set by a variable.
pub trait Choice: Default {
    /// Returns the value with that name.
    fn named(name: &str) -> Option<Self>;
    /// Returns all names, in the form used by messages.
    fn names() -> Vec<String>;
}

impl<T: ValueEnum + Default> Choice for T {
    fn named(name: &str) -> Option<Self> {
        Self::from_str(name, false).ok()
    }

    fn names() -> Vec<String> {
        let values = Self::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        values.map(|value| format!("`{}`", value.get_name())).collect()
    }
}

/// A report that is written to a file.
#[derive(Clone, Debug)]
pub struct ReportTo {
    pub format: ReportFormat,
    pub file: PathBuf,
}

/// Files with a schema.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Described {
    /// A configuration
    Configuration,
    /// Facts about a service
    Service,
}

/// Output formats of lists, and of what a service answered.
#[derive(ValueEnum, Clone, Default, Copy, PartialEq, Eq, Debug)]
pub enum ListFormat {
    /// Text for people
    #[default]
    Human,
    /// One JSON document
    Json,
}

#[cfg(feature = "upload")]
impl From<ListFormat> for ReportFormat {
    fn from(format: ListFormat) -> Self {
        match format {
            ListFormat::Human => Self::Human,
            ListFormat::Json => Self::Json,
        }
    }
}

/// Accepts the formats of `verify`.
#[cfg(feature = "upload")]
pub fn verify_format() -> impl TypedValueParser<Value = ReportFormat> {
    EnumValueParser::<ListFormat>::new().map(ReportFormat::from)
}

/// Accepts the severities that can make a command fail.
pub fn severity() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(["error", "warning"])
        .map(|name| if name == "error" { Severity::Error } else { Severity::Warning })
}

/// Parses an integer within a range. clap's own error would repeat the value, which may be a secret.
#[cfg(any(feature = "sandbox", feature = "upload"))]
pub fn integer_in<N>(from: N, to: N) -> impl Fn(&str) -> Result<N, String> + Clone
where
    N: std::str::FromStr + PartialOrd + std::fmt::Display + Copy,
{
    move |word| {
        let number = word.parse().ok().filter(|number| (from..=to).contains(number));
        number.ok_or_else(|| format!("expected a whole number from {from} to {to}"))
    }
}

/// Parses a share, such as `2/4`.
#[cfg(feature = "upload")]
pub fn shard(word: &str) -> Result<Shard, String> {
    Shard::parse(word).ok_or_else(|| "expected K/N with K from 1 to N, such as 2/4".to_owned())
}

/// Parses `json=FILE`, the only second report of an upload.
#[cfg(feature = "upload")]
pub fn upload_report(word: &str) -> Result<PathBuf, String> {
    if !word.starts_with("json=") {
        return Err("an upload's second report is JSON: json=FILE".to_owned());
    }
    report_to::<ReportFormat>(word).map(|report| report.file)
}

/// Parses `FORMAT=FILE`, with the formats of a command. The error doesn't repeat the value, which may be a secret.
pub fn report_to<F: Choice + Into<ReportFormat>>(word: &str) -> Result<ReportTo, String> {
    let (format, file) = word.split_once('=').ok_or("expected FORMAT=FILE, such as json=credlint.json")?;
    let format = F::named(format).ok_or_else(|| {
        let names = F::names().join(", ").replace('`', "");
        let (others, last) = names.rsplit_once(", ").unwrap_or_default();
        format!("unknown format; expected one of {others} or {last}")
    })?;
    match file {
        "" => Err("the name of the file is missing".to_owned()),
        "-" => Err("standard output is for --format; name a file".to_owned()),
        file => Ok(ReportTo { format: format.into(), file: file.into() }),
    }
}
