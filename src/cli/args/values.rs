//! Types of option values.

use std::path::PathBuf;

use clap::ValueEnum;

#[cfg(feature = "upload")]
use crate::upload::Shard;

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// Output formats of a report.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// Text for people
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
    /// JUnit XML
    Junit,
}

/// Output formats of upload results.
#[cfg(feature = "upload")]
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum UploadFormat {
    /// Text for people
    Human,
    /// One JSON document
    Json,
    /// One line of JSON per finished file, and a summary line
    Jsonl,
}

/// An option with a fixed set of values, which can also be set by a variable.
pub trait Choice: Sized {
    /// Returns the value with that name.
    fn named(name: &str) -> Option<Self>;
    /// Returns all names, in the form used by messages.
    fn names() -> Vec<String>;
}

impl<T: ValueEnum> Choice for T {
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

/// Output formats of lists.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListFormat {
    /// Text for people
    Human,
    /// One JSON document
    Json,
}

/// Formats of a starter configuration.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum StarterFormat {
    Toml,
    Yaml,
}

/// Severities that can make a command fail.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum FailOn {
    Error,
    Warning,
}

/// Parses an integer within a range. clap's own error would repeat the value, which may be a secret.
#[cfg(any(feature = "sandbox", feature = "upload"))]
pub fn whole<N>(from: N, to: N) -> impl Fn(&str) -> Result<N, String> + Clone
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
    let report = report_to(word)?;
    let json = report.format == ReportFormat::Json;
    if json { Ok(report.file) } else { Err("an upload's second report is JSON: json=FILE".to_owned()) }
}

/// Parses `FORMAT=FILE`. The error doesn't repeat the value, which may be a secret.
pub fn report_to(word: &str) -> Result<ReportTo, String> {
    let (format, file) = word.split_once('=').ok_or("expected FORMAT=FILE, such as sarif=credlint.sarif")?;
    let format = ReportFormat::named(format).ok_or_else(|| {
        let names = ReportFormat::names().join(", ").replace('`', "");
        let (others, last) = names.rsplit_once(", ").unwrap_or_default();
        format!("unknown format; expected one of {others} or {last}")
    })?;
    if file.is_empty() {
        return Err("the name of the file is missing".to_owned());
    }
    if file == "-" {
        return Err("standard output is for --format; name a file".to_owned());
    }
    Ok(ReportTo { format, file: file.into() })
}
