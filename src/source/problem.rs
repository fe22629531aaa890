//! Why a source can't be used.

use super::spot::Spot;

/// Why a source can't be used: exit code 2.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// A stable name.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where, the first place first.
    pub labels: Vec<(Spot, String)>,
}

impl Problem {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, labels: Vec::new() }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn at(mut self, spot: Spot, text: impl Into<String>) -> Self {
        self.labels.push((spot, text.into()));
        self
    }
}
