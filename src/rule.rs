//! What a rule is: it reads a profile's facts and writes findings.

use crate::config::{Allow, ForeignProfile, Form, Mistyped, NamedSecret, Profile, Setting, Unknown};
use crate::finding::{Finding, Label, Severity};
use crate::schema::ProfileId;
use crate::secret::MASK;
use crate::source::Spot;

/// What is known of a rule without running it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RuleMeta {
    /// Its name, which reads after "allow": *allow webhook-without-token*.
    pub id: &'static str,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// How bad its findings are, unless one says otherwise.
    pub severity: Severity,
    /// What its findings mean for the safety of a credential.
    pub impact: Impact,
    /// Which profiles it looks at.
    pub scope: &'static str,
    /// The version that brought it.
    pub since: &'static str,
    /// Its page, in Markdown.
    pub page: &'static str,
}

/// What a finding means for the safety of a credential.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Impact {
    /// It does not touch one: it is a mistake, and no vulnerability.
    None,
    /// One may not be the one that was meant.
    Doubtful,
    /// One does not work, or is the wrong one.
    Unfit,
    /// Whoever is on this machine can read one.
    Readable,
    /// One is where others may find it.
    Exposed,
    /// One goes over the network in the clear.
    SentInTheClear,
    /// One goes to a place that its owner did not choose.
    SentElsewhere,
}

/// A rule. Each method has a default that does nothing, so a rule says only what it looks at.
pub trait Rule: Sync {
    /// What is known of it.
    fn meta(&self) -> &'static RuleMeta;

    /// Looks at what stands outside any profile.
    #[doc(hidden)]
    fn outside(&self, _unknown: &[Unknown], _mistyped: &[Mistyped], _sink: &mut Sink<'_>) {}

    /// Looks at what is allowed, once it is known whether it was found.
    #[doc(hidden)]
    fn allows(&self, _uses: &[Use<'_>], _sink: &mut Sink<'_>) {}

    /// Looks at all profiles that are checked, for what only several of them tell.
    #[doc(hidden)]
    fn all_profiles(&self, _profiles: &[&Profile], _sink: &mut Sink<'_>) {}

    /// Looks at a profile.
    #[doc(hidden)]
    fn profile(&self, _profile: &Profile, _sink: &mut Sink<'_>) {}

    /// Looks at what was found in a file of another program. It is a fragment of somebody's setup: what counts is what
    /// certainly can't work there.
    #[doc(hidden)]
    fn foreign(&self, _profile: &Profile, _found: &ForeignProfile, _sink: &mut Sink<'_>) {}

    /// Looks at a variable of the process that is named like a secret, whoever's it is.
    #[doc(hidden)]
    fn variable(&self, _variable: &NamedSecret, _sink: &mut Sink<'_>) {}
}

/// An allow of the configuration, and whether there was such a finding.
#[derive(Clone, Debug)]
pub struct Use<'a> {
    /// What is allowed.
    pub allow: &'a Allow,
    /// Whether there was such a finding.
    pub used: bool,
    /// There is a rule of that id.
    pub known: bool,
    /// The id that was probably meant, if there is none.
    pub near: Option<&'static str>,
}

/// Where a rule puts its findings.
#[derive(Debug)]
pub struct Sink<'a> {
    meta: &'static RuleMeta,
    profile: Option<&'a ProfileId>,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(meta: &'static RuleMeta, profile: Option<&'a ProfileId>, findings: &'a mut Vec<Finding>) -> Self {
        Self { meta, profile, findings }
    }

    pub(crate) fn push(&mut self, draft: Draft) {
        let Draft { message, help, severity, profile, labels } = draft;
        debug_assert!(!labels.is_empty(), "{}: a finding has a place", self.meta.id);
        self.findings.push(Finding {
            rule: self.meta.id,
            severity: severity.unwrap_or(self.meta.severity),
            profile: profile.or_else(|| self.profile.cloned()),
            message,
            help,
            labels,
        });
    }
}

/// A finding in the making. Its first label is the primary one.
#[derive(Debug)]
pub(crate) struct Draft {
    message: String,
    help: String,
    severity: Option<Severity>,
    profile: Option<ProfileId>,
    labels: Vec<Label>,
}

impl Draft {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), severity: None, profile: None, labels: Vec::new() }
    }

    pub(crate) const fn severity(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }

    /// Says whose it is, where several profiles are looked at.
    pub(crate) fn profile(mut self, profile: &Profile) -> Self {
        self.profile = Some(profile.id.clone());
        self
    }

    /// Points at a place.
    pub(crate) fn at(mut self, key: &str, at: Spot, text: impl Into<String>) -> Self {
        let primary = self.labels.is_empty();
        self.labels.push(Label { primary, key: key.to_owned(), text: text.into(), at });
        self
    }

    /// Points at the key of a setting.
    pub(crate) fn key(self, setting: &Setting, text: impl Into<String>) -> Self {
        let draft = self.at(&setting.key, setting.at, text);
        match setting.via {
            Some(via) => draft.at(&setting.key, via, "merged in here"),
            None => draft,
        }
    }

    /// Points at where the value of a setting was found, and at the key that took it from there.
    pub(crate) fn value(self, setting: &Setting, text: impl Into<String>) -> Self {
        match setting.found {
            Some(found) => {
                let from = match &setting.form {
                    Form::Env(name) | Form::File(name) if !name.contains(MASK) => format!("value comes from `{name}`"),
                    _ => "value comes from there".to_owned(),
                };
                self.at(&setting.key, found, text).key(setting, from)
            }
            None => self.key(setting, text),
        }
    }
}

macro_rules! rule {
    ($(#[doc = $doc:expr])+ $name:ident { $($key:ident: $value:expr),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $name {
            /// What is known of the rule.
            pub const META: crate::rule::RuleMeta =
                crate::rule::RuleMeta { $($key: $value,)+ page: concat!($($doc, "\n"),+) };
        }
    };
}
pub(crate) use rule;
