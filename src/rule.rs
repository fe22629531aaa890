//! The interface of a rule, which reads a profile's facts and writes findings.

use std::time::Duration;

use crate::config::{Allow, Element, Mistyped, Profile, Required, Setting, Unknown, UnreadFile, WrittenAs};
use crate::finding::{Finding, Label, Severity};
use crate::schema::ProfileId;
use crate::services::Source;
use crate::source::Spot;

/// The metadata of a rule.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RuleMeta {
    /// The name, worded so that it reads after "allow": *allow webhook-without-token*.
    pub id: &'static str,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// The default severity of its findings.
    pub severity: Severity,
    /// How its findings affect the security of a credential.
    pub impact: Impact,
    /// The profiles that it applies to.
    pub scope: &'static str,
    /// The readers whose values it judges.
    pub readers: &'static [ReadBy],
    /// The version that added it.
    pub since: &'static str,
    /// The page, in Markdown.
    pub page: &'static str,
}

pub mod absence;
pub mod oddity;

pub use crate::config::ReadBy;

/// Returns the severity of what a source says: what rests on reports alone is a warning, and a note if it may be right for
/// some program.
pub const fn weight(source: Source) -> Severity {
    match source {
        Source::Official(_) => Severity::Error,
        Source::Example(_) | Source::Scanner(_) => Severity::Warning,
        Source::Unsure(_) => Severity::Note,
    }
}

/// How a finding affects the security of a credential.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Impact {
    /// It doesn't affect one: it is a mistake, not a vulnerability.
    None,
    /// A credential may not be the intended one.
    Doubtful,
    /// A credential doesn't work, or is the wrong one.
    Unfit,
    /// Other users of this machine can read a credential.
    Readable,
    /// A credential is where others may find it.
    Exposed,
    /// A credential is sent unencrypted.
    SentInTheClear,
    /// A credential is sent to a destination that its owner did not choose.
    SentElsewhere,
}

/// A rule. Every method does nothing by default, so a rule implements only those that it needs.
pub trait Rule: Sync {
    /// Returns the metadata.
    fn meta(&self) -> &'static RuleMeta;

    /// Checks keys outside profiles.
    #[doc(hidden)]
    fn outside(&self, _unknown: &[Unknown], _mistyped: &[Mistyped], _sink: &mut Sink<'_>) {}

    /// Checks files that were not read.
    #[doc(hidden)]
    fn files(&self, _unread: &[UnreadFile], _sink: &mut Sink<'_>) {}

    /// Checks required variables that are not set.
    #[doc(hidden)]
    fn required(&self, _required: &[Required], _sink: &mut Sink<'_>) {}

    /// Checks allows, after all findings are known.
    #[doc(hidden)]
    fn allows(&self, _uses: &[Use<'_>], _sink: &mut Sink<'_>) {}

    /// Compares all checked profiles.
    #[doc(hidden)]
    fn all_profiles(&self, _profiles: &[&Profile], _sink: &mut Sink<'_>) {}

    /// Checks a profile, of one of its [readers](RuleMeta::readers).
    #[doc(hidden)]
    fn profile(&self, _profile: &Profile, _sink: &mut Sink<'_>) {}
}

/// An allow, and whether it matched a finding.
#[derive(Clone, Debug)]
pub struct Use<'a> {
    /// The allow.
    pub allow: &'a Allow,
    /// True if it matched a finding.
    pub used: bool,
    /// True if the rule exists.
    pub known: bool,
    /// The nearest rule id, if the rule doesn't exist.
    pub near: Option<&'static str>,
    /// The time until it expires, zero if it has expired. `None` if it never does.
    pub time_left: Option<Duration>,
}

/// Collects the findings of a rule.
#[derive(Debug)]
pub struct Sink<'a> {
    profile: Option<&'a ProfileId>,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(profile: Option<&'a ProfileId>, findings: &'a mut Vec<Finding>) -> Self {
        Self { profile, findings }
    }

    pub(crate) fn push(&mut self, finding: Finding) {
        debug_assert!(!finding.labels.is_empty(), "{}: a finding needs a location", finding.rule);
        let profile = finding.profile.or_else(|| self.profile.cloned());
        self.findings.push(Finding { profile, ..finding });
    }
}

/// Builders. The first label is the primary one.
impl Finding {
    pub(crate) fn new(meta: &RuleMeta, message: impl Into<String>, help: impl Into<String>) -> Self {
        let (rule, severity, message, help) = (meta.id, meta.severity, message.into(), help.into());
        Self { rule, severity, profile: None, message, help, labels: Vec::new() }
    }

    pub(crate) const fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the profile, for rules that compare several.
    pub(crate) fn profile(mut self, profile: &Profile) -> Self {
        self.profile = Some(profile.id.clone());
        self
    }

    /// Adds a label at a location.
    pub(crate) fn at(mut self, key: &str, at: Spot, text: impl Into<String>) -> Self {
        let primary = self.labels.is_empty();
        self.labels.push(Label { primary, key: key.to_owned(), text: text.into(), at });
        self
    }

    /// Adds a label at the key of a setting.
    pub(crate) fn key(self, setting: &Setting, text: impl Into<String>) -> Self {
        let draft = self.at(&setting.key, setting.at, text);
        match setting.via {
            Some(via) => draft.at(&setting.key, via, "merged in here"),
            None => draft,
        }
    }

    /// Adds a label where the value of a setting, or of an element of its list, was found.
    pub(crate) fn part(self, setting: &Setting, element: Option<&Element>, text: impl Into<String>) -> Self {
        match element {
            Some(element) => self.at(&element.key, element.value_at(), text),
            None => self.value(setting, text),
        }
    }

    /// Adds a label for each of these settings.
    pub(crate) fn values<'s>(self, settings: impl IntoIterator<Item = &'s Setting>, text: &str) -> Self {
        settings.into_iter().fold(self, |draft, setting| draft.value(setting, text))
    }

    /// Adds a label where the value of a setting was found, and one at the key that refers to it.
    pub(crate) fn value(self, setting: &Setting, text: impl Into<String>) -> Self {
        match setting.found {
            Some(found) => {
                let from = match &setting.form {
                    WrittenAs::Env(name) | WrittenAs::File(name) => format!("value comes from `{name}`"),
                    WrittenAs::Literal => "value comes from there".to_owned(),
                };
                self.at(&setting.key, found, text).key(setting, from)
            }
            None => self.key(setting, text),
        }
    }
}

// The template that `just new-rule` copies, compiled here.
#[cfg(test)]
mod template;

/// Writes a rule: its type, its metadata, and the methods of [`Rule`] that its file has a function for. Its page is that of
/// its ID.
macro_rules! rule {
    ($name:ident($id:literal): $($method:ident),+, $summary:literal, $($meta:tt)+) => {
        crate::rule::rule!(
            $name($id in concat!("../../docs/rules/", $id, ".md")): $($method),+, $summary, $($meta)+
        );
    };
    (
        $name:ident($id:literal in $page:expr): $($method:ident),+, $summary:literal,
        severity: $severity:ident, impact: $impact:ident, scope: $scope:literal, readers: $readers:ident, since: $since:literal,
    ) => {
        #[doc = include_str!($page)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        /// Creates a finding of the rule.
        fn finding(message: impl Into<String>, help: impl Into<String>) -> crate::finding::Finding {
            crate::finding::Finding::new(&$name::META, message, help)
        }

        impl $name {
            /// The metadata of the rule.
            pub const META: crate::rule::RuleMeta = crate::rule::RuleMeta {
                id: $id,
                summary: $summary,
                severity: crate::finding::Severity::$severity,
                impact: crate::rule::Impact::$impact,
                scope: $scope,
                readers: crate::rule::ReadBy::$readers,
                since: $since,
                page: concat!(include_str!($page), "\n"),
            };
        }

        impl crate::rule::Rule for $name {
            fn meta(&self) -> &'static crate::rule::RuleMeta {
                &Self::META
            }

            $(crate::rule::method!($method);)+
        }
    };
}

/// Writes a method that calls the function of the same name.
macro_rules! method {
    (outside) => { crate::rule::method!(outside: unknown: &[crate::config::Unknown], wrong: &[crate::config::Mistyped]); };
    (files) => { crate::rule::method!(files: unread: &[crate::config::UnreadFile]); };
    (required) => { crate::rule::method!(required: names: &[crate::config::Required]); };
    (allows) => { crate::rule::method!(allows: uses: &[crate::rule::Use<'_>]); };
    (all_profiles) => { crate::rule::method!(all_profiles: all: &[&crate::config::Profile]); };
    (profile) => { crate::rule::method!(profile: one: &crate::config::Profile); };
    ($method:ident: $($argument:ident: $type:ty),+) => {
        fn $method(&self, $($argument: $type,)+ sink: &mut crate::rule::Sink<'_>) {
            $method($($argument,)+ sink);
        }
    };
}
pub(crate) use method;
pub(crate) use rule;

#[cfg(test)]
mod tests {
    use super::Rule;
    use super::template::TemplateRule;

    #[test]
    fn template_for_new_rules_is_a_rule() {
        assert_eq!(
            (TemplateRule.meta().id, TemplateRule::META.page.lines().next()),
            ("template-rule", Some("# template-rule"))
        );
    }
}
