//! The report formats as library methods. They return what the command writes.

#[cfg(feature = "cli")]
use super::human::{self, Style};
use super::place::Checkout;
use super::{CheckOutcome, concise, github, gitlab, junit, sarif};
use crate::config::ConfigError;
use crate::lint::Report;
use crate::text::{Markup, outgoing};

impl Report {
    /// Returns the report as SARIF 2.1.0, for code scanning.
    #[must_use]
    pub fn to_sarif(&self, checkout: &Checkout) -> String {
        outgoing(&sarif::document(CheckOutcome::Checked(self), checkout), Markup::Json).into_owned()
    }

    /// Returns the report as a GitLab Code Quality report.
    #[must_use]
    pub fn to_gitlab(&self, checkout: &Checkout) -> String {
        outgoing(&gitlab::document(CheckOutcome::Checked(self), checkout), Markup::Json).into_owned()
    }

    /// Returns the report as `JUnit` XML, with the time and duration of the check if [`Report::with_timing`] set them.
    #[must_use]
    pub fn to_junit(&self, checkout: &Checkout) -> String {
        outgoing(&junit::document(CheckOutcome::Checked(self), checkout, self.timing), Markup::Xml).into_owned()
    }

    /// Returns the report as GitHub workflow commands, which the runner turns into annotations.
    #[must_use]
    pub fn to_github(&self, checkout: &Checkout) -> String {
        outgoing(&github::document(CheckOutcome::Checked(self), checkout), Markup::Commands).into_owned()
    }

    /// Returns the report as a GitHub job summary, in Markdown.
    #[must_use]
    pub fn to_github_summary(&self) -> String {
        outgoing(&github::job_summary(CheckOutcome::Checked(self)), Markup::Plain).into_owned()
    }

    /// Returns one line for each finding, `FILE:LINE:COLUMN: SEVERITY[RULE] MESSAGE`, and a summary line.
    #[must_use]
    pub fn to_concise(&self) -> String {
        outgoing(&concise::document(CheckOutcome::Checked(self)), Markup::Plain).into_owned()
    }

    /// Returns the report as text with source excerpts.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn to_human(&self, style: Style) -> String {
        outgoing(&human::report(self, style), markup(style)).into_owned()
    }
}

impl ConfigError {
    /// Returns the same document as [`Report::to_sarif`] for a configuration that can't be read.
    #[must_use]
    pub fn to_sarif(&self, checkout: &Checkout) -> String {
        outgoing(&sarif::document(CheckOutcome::Unread(self), checkout), Markup::Json).into_owned()
    }

    /// Returns the same document as [`Report::to_gitlab`] for a configuration that can't be read.
    #[must_use]
    pub fn to_gitlab(&self, checkout: &Checkout) -> String {
        outgoing(&gitlab::document(CheckOutcome::Unread(self), checkout), Markup::Json).into_owned()
    }

    /// Returns the same document as [`Report::to_junit`] for a configuration that can't be read. It has no time, because
    /// nothing was checked.
    #[must_use]
    pub fn to_junit(&self, checkout: &Checkout) -> String {
        outgoing(&junit::document(CheckOutcome::Unread(self), checkout, None), Markup::Xml).into_owned()
    }

    /// Returns the same text as [`Report::to_github`] for a configuration that can't be read.
    #[must_use]
    pub fn to_github(&self, checkout: &Checkout) -> String {
        outgoing(&github::document(CheckOutcome::Unread(self), checkout), Markup::Commands).into_owned()
    }

    /// Returns the same text as [`Report::to_github_summary`] for a configuration that can't be read.
    #[must_use]
    pub fn to_github_summary(&self) -> String {
        outgoing(&github::job_summary(CheckOutcome::Unread(self)), Markup::Plain).into_owned()
    }

    /// Returns the same text as [`Report::to_concise`] for a configuration that can't be read.
    #[must_use]
    pub fn to_concise(&self) -> String {
        outgoing(&concise::document(CheckOutcome::Unread(self)), Markup::Plain).into_owned()
    }

    /// Returns the same text as [`Report::to_human`] for a configuration that can't be read.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn to_human(&self, style: Style) -> String {
        outgoing(&human::problems(&self.problems, &self.sources, style), markup(style)).into_owned()
    }
}

#[cfg(feature = "cli")]
const fn markup(style: Style) -> Markup {
    if style.color { Markup::Colored } else { Markup::Plain }
}
