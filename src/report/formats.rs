//! The report formats as library methods. They return what the command writes.

#[cfg(feature = "cli")]
use super::human::{self, Style};
use super::place::Checkout;
use super::{CheckOutcome, concise, github, gitlab, junit, sarif};
use crate::config::ConfigError;
use crate::lint::Report;
use crate::text::{Markup, outgoing};

/// Writes methods that return an outcome in a format.
macro_rules! formats {
    ($outcome:ident: $($(#[$doc:meta])+ $name:ident($($checkout:ident)?) = $format:ident::$write:ident, $markup:ident;)+) => {
        $($(#[$doc])+
        #[must_use]
        pub fn $name(&self $(, $checkout: &Checkout)?) -> String {
            outgoing(&$format::$write(CheckOutcome::$outcome(self) $(, $checkout)?), Markup::$markup).into_owned()
        })+
    };
}

impl Report {
    formats! {
        Checked:
        /// Returns the report as SARIF 2.1.0, for code scanning.
        to_sarif(checkout) = sarif::document, Json;

        /// Returns the report as a GitLab Code Quality report.
        to_gitlab(checkout) = gitlab::document, Json;

        /// Returns the report as GitHub workflow commands, which the runner turns into annotations.
        to_github(checkout) = github::document, Commands;

        /// Returns the report as a GitHub job summary, in Markdown.
        to_github_summary() = github::job_summary, Plain;

        /// Returns one line for each finding, `FILE:LINE:COLUMN: SEVERITY[RULE] MESSAGE`, and a summary line.
        to_concise() = concise::document, Plain;
    }

    /// Returns the report as `JUnit` XML, with the time and duration of the check if [`Report::with_timing`] set them.
    #[must_use]
    pub fn to_junit(&self, checkout: &Checkout) -> String {
        outgoing(&junit::document(CheckOutcome::Checked(self), checkout, self.timing), Markup::Xml).into_owned()
    }

    /// Returns the report as text with source excerpts.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn to_human(&self, style: Style) -> String {
        outgoing(&human::report(self, style), markup(style)).into_owned()
    }
}

impl ConfigError {
    formats! {
        Unread:
        /// Returns the same document as [`Report::to_sarif`] for a configuration that can't be read.
        to_sarif(checkout) = sarif::document, Json;

        /// Returns the same document as [`Report::to_gitlab`] for a configuration that can't be read.
        to_gitlab(checkout) = gitlab::document, Json;

        /// Returns the same text as [`Report::to_github`] for a configuration that can't be read.
        to_github(checkout) = github::document, Commands;

        /// Returns the same text as [`Report::to_github_summary`] for a configuration that can't be read.
        to_github_summary() = github::job_summary, Plain;

        /// Returns the same text as [`Report::to_concise`] for a configuration that can't be read.
        to_concise() = concise::document, Plain;
    }

    /// Returns the same document as [`Report::to_junit`] for a configuration that can't be read. It has no time, because
    /// nothing was checked.
    #[must_use]
    pub fn to_junit(&self, checkout: &Checkout) -> String {
        outgoing(&junit::document(CheckOutcome::Unread(self), checkout, None), Markup::Xml).into_owned()
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
