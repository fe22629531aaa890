//! The rules, one file each. A rule reads a profile's facts and writes findings; its page is its documentation, the
//! text of `credlint explain`, and a test.

use crate::config::{Allow, Mistyped, Unknown};
use crate::finding::{Finding, Label, Severity};
use crate::profile::{Fields, Messaging, Profile, Setting, Storage};
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

/// A rule. Each method has a default that does nothing or goes one level down, so a rule says only what it looks at.
pub trait Rule: Sync {
    /// What is known of it.
    fn meta(&self) -> &'static RuleMeta;

    /// Looks at what stands outside any profile.
    #[doc(hidden)]
    fn outside(&self, _unknown: &[Unknown], _mistyped: &[Mistyped], _sink: &mut Sink<'_>) {}

    /// Looks at what is allowed, once it is known whether it was found.
    #[doc(hidden)]
    fn allows(&self, _uses: &[Use<'_>], _sink: &mut Sink<'_>) {}

    /// Looks at a profile of any kind.
    #[doc(hidden)]
    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        match &profile.fields {
            // A profile that is not a table is a mistake of its own, and everything else would follow from it.
            _ if profile.broken => {}
            Fields::Messaging(messaging) => self.messaging(messaging, profile, sink),
            Fields::Storage(storage) => self.storage(storage, profile, sink),
        }
    }

    /// Looks at a profile of the messaging service.
    #[doc(hidden)]
    fn messaging(&self, _messaging: &Messaging, _profile: &Profile, _sink: &mut Sink<'_>) {}

    /// Looks at a profile of the storage service.
    #[doc(hidden)]
    fn storage(&self, _storage: &Storage, _profile: &Profile, _sink: &mut Sink<'_>) {}
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
mod allow_without_reason;
mod channel_name;
mod cluster_mismatch;
mod conflicting_reference;
mod doubled_api_path;
mod duplicate_channel;
mod empty_credential;
mod incomplete_key_pair;
mod insecure_base_url;
mod literal_secret;
mod malformed_base_url;
mod malformed_channel;
mod malformed_credential;
mod master_key_as_application_key;
mod master_key_on_s3_endpoint;
mod missing_base_url;
mod missing_key_pair;
mod missing_token;
mod mixed_key_pair;
mod mixed_key_values;
mod no_channels;
mod not_a_key_id;
mod placeholder_credential;
mod readable_secret_file;
mod redirected_credential;
mod retired_upload_method;
mod shadowed_credential;
mod swapped_key_pair;
mod token_cannot_upload;
mod two_key_pairs;
mod unknown_field;
mod unresolved_reference;
mod unused_allow;
mod webhook_as_token;
mod webhook_without_token;
mod wrong_type;

pub use allow_without_reason::AllowWithoutReason;
pub use channel_name::ChannelName;
pub use cluster_mismatch::ClusterMismatch;
pub use conflicting_reference::ConflictingReference;
pub use doubled_api_path::DoubledApiPath;
pub use duplicate_channel::DuplicateChannel;
pub use empty_credential::EmptyCredential;
pub use incomplete_key_pair::IncompleteKeyPair;
pub use insecure_base_url::InsecureBaseUrl;
pub use literal_secret::LiteralSecret;
pub use malformed_base_url::MalformedBaseUrl;
pub use malformed_channel::MalformedChannel;
pub use malformed_credential::MalformedCredential;
pub use master_key_as_application_key::MasterKeyAsApplicationKey;
pub use master_key_on_s3_endpoint::MasterKeyOnS3Endpoint;
pub use missing_base_url::MissingBaseUrl;
pub use missing_key_pair::MissingKeyPair;
pub use missing_token::MissingToken;
pub use mixed_key_pair::MixedKeyPair;
pub use mixed_key_values::MixedKeyValues;
pub use no_channels::NoChannels;
pub use not_a_key_id::NotAKeyId;
pub use placeholder_credential::PlaceholderCredential;
pub use readable_secret_file::ReadableSecretFile;
pub use redirected_credential::RedirectedCredential;
pub use retired_upload_method::RetiredUploadMethod;
pub use shadowed_credential::ShadowedCredential;
pub use swapped_key_pair::SwappedKeyPair;
pub use token_cannot_upload::TokenCannotUpload;
pub use two_key_pairs::TwoKeyPairs;
pub use unknown_field::UnknownField;
pub use unresolved_reference::UnresolvedReference;
pub use unused_allow::UnusedAllow;
pub use webhook_as_token::WebhookAsToken;
pub use webhook_without_token::WebhookWithoutToken;
pub use wrong_type::WrongType;

/// Every rule, in the order of the table in the README.
pub static ALL: &[&dyn Rule] = &[
    &WebhookWithoutToken,
    &MissingToken,
    &WebhookAsToken,
    &TokenCannotUpload,
    &MissingBaseUrl,
    &MalformedBaseUrl,
    &InsecureBaseUrl,
    &DoubledApiPath,
    &RetiredUploadMethod,
    &NoChannels,
    &MalformedChannel,
    &ChannelName,
    &DuplicateChannel,
    &MixedKeyPair,
    &TwoKeyPairs,
    &IncompleteKeyPair,
    &MissingKeyPair,
    &MixedKeyValues,
    &SwappedKeyPair,
    &MasterKeyOnS3Endpoint,
    &MasterKeyAsApplicationKey,
    &ClusterMismatch,
    &NotAKeyId,
    &UnknownField,
    &WrongType,
    &EmptyCredential,
    &MalformedCredential,
    &PlaceholderCredential,
    &UnresolvedReference,
    &ConflictingReference,
    &RedirectedCredential,
    &LiteralSecret,
    &ReadableSecretFile,
    &ShadowedCredential,
    &UnusedAllow,
    &AllowWithoutReason,
];

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
