//! The rules, one file each. A rule reads a profile's facts and writes findings; its page is its documentation, the
//! text of `credlint explain`, and a test.

use crate::config::{Allow, Mistyped, Profile, Setting, Unknown};
use crate::finding::{Finding, Label, Severity};
use crate::schema::ProfileId;
use crate::source::Spot;
use crate::text;

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
    /// Which profiles it looks at.
    pub scope: &'static str,
    /// The version that brought it.
    pub since: &'static str,
    /// Its page, in Markdown.
    pub page: &'static str,
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

    /// Looks at a profile.
    #[doc(hidden)]
    fn profile(&self, _profile: &Profile, _sink: &mut Sink<'_>) {}
}

/// An allow of the configuration, and whether there was such a finding.
#[derive(Clone, Debug)]
pub struct Use<'a> {
    /// What is allowed.
    pub allow: &'a Allow,
    /// Whether there was such a finding.
    pub used: bool,
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
        let Draft { message, help, severity, labels } = draft;
        debug_assert!(!labels.is_empty(), "{}: a finding has a place", self.meta.id);
        self.findings.push(Finding {
            rule: self.meta.id,
            severity: severity.unwrap_or(self.meta.severity),
            profile: self.profile.cloned(),
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
    labels: Vec<Label>,
}

impl Draft {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), severity: None, labels: Vec::new() }
    }

    pub(crate) const fn severity(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
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
            Some(via) => draft.at(&setting.key, via, "brought in here"),
            None => draft,
        }
    }

    /// Points at where the value of a setting was found, and at the key that took it from there.
    pub(crate) fn value(self, setting: &Setting, text: impl Into<String>) -> Self {
        match setting.found {
            Some(found) => self.at(&setting.key, found, text).key(setting, "taken from there"),
            None => self.key(setting, text),
        }
    }
}

/// The rule of that id.
#[must_use]
pub fn find(id: &str) -> Option<&'static dyn Rule> {
    ALL.iter().copied().find(|rule| rule.meta().id == id)
}

/// What is known of a rule, or of a finding of `verify`, by its id.
#[must_use]
pub fn meta(id: &str) -> Option<&'static RuleMeta> {
    find(id).map(Rule::meta).or_else(|| live::ALL.iter().copied().find(|meta| meta.id == id))
}

/// The id nearest to one that does not exist.
#[must_use]
pub fn nearest(id: &str) -> Option<&'static str> {
    text::nearest(id, ALL.iter().map(|rule| rule.meta().id))
}

macro_rules! rule {
    ($(#[doc = $doc:expr])+ $name:ident { $($key:ident: $value:expr),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $name {
            /// What is known of the rule.
            pub const META: crate::rules::RuleMeta =
                crate::rules::RuleMeta { $($key: $value,)+ page: concat!($($doc, "\n"),+) };
        }
    };
}

macro_rules! rules {
    ($($module:ident::$name:ident,)+) => {
        $(mod $module;)+
        $(pub use $module::$name;)+

        /// Every rule, in the order of the table in the README.
        pub static ALL: &[&dyn Rule] = &[$(&$name),+];
    };
}

rules! {
    webhook_without_token::WebhookWithoutToken,
    missing_token::MissingToken,
    webhook_as_token::WebhookAsToken,
    token_cannot_upload::TokenCannotUpload,
    missing_base_url::MissingBaseUrl,
    malformed_base_url::MalformedBaseUrl,
    insecure_base_url::InsecureBaseUrl,
    doubled_api_path::DoubledApiPath,
    retired_upload_method::RetiredUploadMethod,
    no_channels::NoChannels,
    malformed_channel::MalformedChannel,
    channel_name::ChannelName,
    duplicate_channel::DuplicateChannel,
    mixed_key_pair::MixedKeyPair,
    two_key_pairs::TwoKeyPairs,
    incomplete_key_pair::IncompleteKeyPair,
    missing_key_pair::MissingKeyPair,
    mixed_key_values::MixedKeyValues,
    swapped_key_pair::SwappedKeyPair,
    master_key_on_s3_endpoint::MasterKeyOnS3Endpoint,
    master_key_as_application_key::MasterKeyAsApplicationKey,
    cluster_mismatch::ClusterMismatch,
    not_a_key_id::NotAKeyId,
    malformed_endpoint::MalformedEndpoint,
    unknown_field::UnknownField,
    wrong_type::WrongType,
    empty_credential::EmptyCredential,
    malformed_credential::MalformedCredential,
    placeholder_credential::PlaceholderCredential,
    unresolved_reference::UnresolvedReference,
    conflicting_reference::ConflictingReference,
    redirected_credential::RedirectedCredential,
    literal_secret::LiteralSecret,
    readable_secret_file::ReadableSecretFile,
    shadowed_credential::ShadowedCredential,
    unused_allow::UnusedAllow,
    allow_without_reason::AllowWithoutReason,
}

/// What `verify` finds by asking a service. These are no rules: no level or allow tunes them, and `check` knows none.
pub mod live {
    use super::RuleMeta;
    use crate::finding::Severity;

    macro_rules! live {
        ($name:ident, $id:literal, $severity:ident, $scope:literal, $summary:literal) => {
            #[doc = $summary]
            pub const $name: RuleMeta = RuleMeta {
                id: $id,
                summary: $summary,
                severity: Severity::$severity,
                scope: $scope,
                since: "0.1.0",
                page: include_str!(concat!("../docs/verify/", $id, ".md")),
            };
        };
    }

    live!(DEAD, "dead-credential", Error, "any", "a credential that the service does not take");
    live!(UNVERIFIED, "unverified", Warning, "any", "a question that the service did not answer");
    live!(SCOPE, "missing-scope", Error, "messaging", "a token without the scope `files:write`");
    live!(WORKSPACE, "wrong-workspace", Error, "messaging", "a token of another workspace");
    live!(CHANNEL, "unreachable-channel", Error, "messaging", "a channel that the token can't post in");
    live!(EXPIRING, "expiring-credential", Note, "messaging", "a token that expires by itself");
    live!(BUCKET, "wrong-bucket", Error, "storage", "a key that is not for the bucket of its profile");

    /// All of them.
    pub static ALL: &[&RuleMeta] = &[&DEAD, &UNVERIFIED, &SCOPE, &WORKSPACE, &CHANNEL, &EXPIRING, &BUCKET];
}
