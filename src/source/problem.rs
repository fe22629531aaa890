//! Reasons why a source can't be used.

use super::spot::Spot;
use crate::code::Code;

/// Why a source can't be used: exit code 2.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// The code.
    pub code: Code,
    /// The problem.
    pub message: String,
    /// The advice.
    pub help: Option<String>,
    /// The locations; the first one is primary.
    pub labels: Vec<(Spot, String)>,
}

impl Problem {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
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
