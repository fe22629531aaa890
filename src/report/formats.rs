//! The report formats as library methods. They return what the command writes.

#[cfg(feature = "cli")]
use super::human::{self, Style};
use super::place::Checkout;
use super::{concise, github, gitlab, json_v1, sarif};
use crate::config::ConfigError;
use crate::lint::Report;
use crate::text::{Markup, outgoing};

/// Writes methods that return a report in a format, also for a configuration that can't be read.
macro_rules! formats {
    ($($(#[$meta:meta])+ $name:ident($($with:ident: $type:ty)?) = $format:ident::$write:ident, $markup:expr;)+) => {
        impl Report {
            $($(#[$meta])+
            #[must_use]
            pub fn $name(&self $(, $with: $type)?) -> String {
                outgoing(&$format::$write(self $(, $with)?), $markup).into_owned()
            })+
        }

        impl ConfigError {
            $($(#[$meta])+
            ///
            /// The report says why the configuration can't be read.
            #[must_use]
            pub fn $name(&self $(, $with: $type)?) -> String {
                Report::from(self).$name($($with)?)
            })+
        }
    };
}

formats! {
    /// Returns the report as a JSON document, report/v1.
    to_json() = json_v1::report, Markup::Json;

    /// Returns the report as SARIF 2.1.0, for code scanning.
    to_sarif(checkout: &Checkout) = sarif::document, Markup::Json;

    /// Returns the report as a GitLab Code Quality report.
    to_gitlab(checkout: &Checkout) = gitlab::document, Markup::Json;

    /// Returns the report as GitHub workflow commands, which the runner turns into annotations.
    to_github(checkout: &Checkout) = github::document, Markup::Commands;

    /// Returns the report as a GitHub job summary, in Markdown.
    to_github_summary() = github::job_summary, Markup::Plain;

    /// Returns one line for each finding, `FILE:LINE:COLUMN: SEVERITY[RULE] MESSAGE`, and a summary line.
    to_concise() = concise::document, Markup::Plain;

    /// Returns the report as text with source excerpts.
    #[cfg(feature = "cli")]
    to_human(style: Style) = human::report, if style.color { Markup::Colored } else { Markup::Plain };
}
