//! What may stand behind an option.

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

/// The formats of a report.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// For people.
    Human,
    /// One line per finding.
    Concise,
    /// One JSON document.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// GitHub workflow annotations and a job summary.
    Github,
    /// A GitLab Code Quality report.
    Gitlab,
    /// JUnit XML.
    Junit,
}

/// The formats of what became of an upload.
#[cfg(feature = "upload")]
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum UploadFormat {
    /// For people.
    Human,
    /// One JSON document.
    Json,
    /// One line of JSON per file, and one at the end.
    Jsonl,
}

/// A choice of words, which a variable may hold as well.
pub trait Choice: Sized {
    /// The one of that name.
    fn named(name: &str) -> Option<Self>;
    /// The names of all, as a message says them.
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

/// A report that goes to a file.
#[derive(Clone, Debug)]
pub struct ReportTo {
    pub format: ReportFormat,
    pub file: PathBuf,
}

/// The formats of lists.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListFormat {
    /// For people.
    Human,
    /// One JSON document.
    Json,
}

/// The severities to fail on.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum FailOn {
    Error,
    Warning,
}

/// Whole numbers of a range. The words of the error are ours, since clap's repeat the value.
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

/// A share of the files.
#[cfg(feature = "upload")]
pub fn shard(word: &str) -> Result<Shard, String> {
    Shard::parse(word).ok_or_else(|| "K/N is needed with K from 1 to N, such as 2/4".to_owned())
}

/// A format and a file. What is not one is not repeated, as above.
pub fn report_to(word: &str) -> Result<ReportTo, String> {
    let (format, file) = word.split_once('=').ok_or("expected a format and a file, such as sarif=credlint.sarif")?;
    let format = ReportFormat::named(format).ok_or_else(|| {
        let names = ReportFormat::names().join(", ").replace('`', "");
        let (others, last) = names.rsplit_once(", ").unwrap_or_default();
        format!("unknown format; expected one of {others} or {last}")
    })?;
    if file.is_empty() {
        return Err("the name of the file is missing".to_owned());
    }
    Ok(ReportTo { format, file: file.into() })
}
