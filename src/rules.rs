//! The rules, one file each. A rule reads a profile's facts and writes findings. Its page is its documentation, the
//! text of `credlint explain`, and a test.

pub use crate::rule::{Impact, ReadBy, Rule, RuleMeta};
use crate::text;

/// Returns the rule with an id.
pub fn find(id: &str) -> Option<&'static dyn Rule> {
    ALL.iter().copied().find(|rule| rule.meta().id == id)
}

/// Returns the metadata of all rules, then of the findings of `verify`.
pub fn metas() -> impl Iterator<Item = &'static RuleMeta> {
    ALL.iter().map(|rule| rule.meta()).chain(live::ALL.iter().copied())
}

/// Returns the metadata of a rule or a `verify` finding.
pub fn meta(id: &str) -> Option<&'static RuleMeta> {
    metas().find(|meta| meta.id == id)
}

/// The parts of a page that may contain all words of a text, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum MatchedPart {
    Id,
    Summary,
    Heading,
    Page,
}

/// Returns the rules and findings of `verify` whose pages, but for the examples, have all words of a text, the best places
/// first.
pub(crate) fn with_words(text: &str) -> Vec<(MatchedPart, &'static RuleMeta)> {
    let split = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let asked = split(text);
    let has_all = |text: &str| {
        let words = split(text);
        // The beginning of a word is enough, unless it is so short that many words begin with it.
        let has = |asked: &String| words.iter().any(|word| word == asked || asked.len() > 3 && word.starts_with(asked));
        !asked.is_empty() && asked.iter().all(has)
    };
    let place = |meta: &RuleMeta| {
        let prose: String = meta.page.split("```").step_by(2).collect();
        Some(if has_all(meta.id) {
            MatchedPart::Id
        } else if has_all(meta.summary) {
            MatchedPart::Summary
        } else if prose.lines().any(|line| line.starts_with('#') && has_all(line)) {
            MatchedPart::Heading
        } else if has_all(&prose) {
            MatchedPart::Page
        } else {
            return None;
        })
    };
    let mut found: Vec<_> = metas().filter_map(|meta| Some((place(meta)?, meta))).collect();
    found.sort_by_key(|(place, _)| *place);
    found
}

/// Returns the id that an unknown one was probably meant to be: that of the only rule with its words, or else the
/// nearest.
pub fn nearest(id: &str) -> Option<&'static str> {
    let named =
        with_words(id).into_iter().filter(|(place, meta)| *place < MatchedPart::Page && find(meta.id).is_some());
    match named.collect::<Vec<_>>()[..] {
        [(_, meta)] => Some(meta.id),
        [(best, meta), (next, _), ..] if best < next => Some(meta.id),
        _ => text::nearest(id, ALL.iter().map(|rule| rule.meta().id)),
    }
}

macro_rules! rules {
    ($($module:ident::$name:ident,)+) => {
        $(pub use $module::$name;)+

        /// All rules, in the order of the README's table.
        pub static ALL: &[&dyn Rule] = &[$(&$name),+];
    };
}

// Declared outside the macro: rustfmt and cargo-mutants don't find modules that only a macro declares.
mod allow_without_reason;
mod conflicting_reference;
mod crossed_reference;
mod empty_credential;
mod exposed_credential;
mod foreign_credential;
mod incomplete_credentials;
mod incomplete_key_pair;
mod insecure_base_url;
mod literal_secret;
mod malformed_address;
mod malformed_channel;
mod malformed_credential;
mod master_key_on_s3_endpoint;
mod missing_key_pair;
mod missing_token;
mod mixed_credentials;
mod mixed_key_pair;
mod name_not_read;
mod no_channels;
mod placeholder_credential;
mod readable_secret_file;
mod redirected_credential;
mod retired_upload_method;
mod shadowed_credential;
mod two_key_pairs;
mod unexpanded_reference;
mod unknown_field;
mod unread_file;
mod unrecognised_credential;
mod unresolved_reference;
mod unused_allow;
mod webhook_without_token;
mod wrong_credential;
mod wrong_type;

pub(crate) use malformed_address::LOOK as WORKSPACE_LOOK;

rules! {
    webhook_without_token::WebhookWithoutToken,
    missing_token::MissingToken,
    malformed_address::MalformedAddress,
    insecure_base_url::InsecureBaseUrl,
    retired_upload_method::RetiredUploadMethod,
    no_channels::NoChannels,
    malformed_channel::MalformedChannel,
    mixed_key_pair::MixedKeyPair,
    two_key_pairs::TwoKeyPairs,
    incomplete_key_pair::IncompleteKeyPair,
    missing_key_pair::MissingKeyPair,
    master_key_on_s3_endpoint::MasterKeyOnS3Endpoint,
    name_not_read::NameNotRead,
    unknown_field::UnknownField,
    wrong_type::WrongType,
    empty_credential::EmptyCredential,
    malformed_credential::MalformedCredential,
    placeholder_credential::PlaceholderCredential,
    unexpanded_reference::UnexpandedReference,
    foreign_credential::ForeignCredential,
    wrong_credential::WrongCredential,
    mixed_credentials::MixedCredentials,
    incomplete_credentials::IncompleteCredentials,
    exposed_credential::ExposedCredential,
    unrecognised_credential::UnrecognisedCredential,
    unresolved_reference::UnresolvedReference,
    conflicting_reference::ConflictingReference,
    crossed_reference::CrossedReference,
    redirected_credential::RedirectedCredential,
    literal_secret::LiteralSecret,
    readable_secret_file::ReadableSecretFile,
    shadowed_credential::ShadowedCredential,
    unread_file::UnreadFile,
    unused_allow::UnusedAllow,
    allow_without_reason::AllowWithoutReason,
}

/// Findings that `verify` adds by asking a service. They are not lint rules: levels and allows don't apply, and `check`
/// never reports them.
pub mod live {
    use super::RuleMeta;
    use crate::finding::Severity;
    use crate::rule::Impact;

    macro_rules! live {
        ($name:ident, $id:literal, $severity:ident, $impact:ident, $scope:literal, $summary:literal) => {
            #[doc = $summary]
            pub const $name: RuleMeta = RuleMeta {
                id: $id,
                summary: $summary,
                severity: Severity::$severity,
                impact: Impact::$impact,
                scope: $scope,
                readers: &[],
                since: "0.1.0",
                page: include_str!(concat!("../docs/verify/", $id, ".md")),
            };
        };
    }

    live!(DEAD, "dead-credential", Error, Unfit, "any", "a credential that the service rejects");
    live!(UNVERIFIED, "unverified", Warning, None, "any", "a credential that could not be verified");
    live!(SCOPE, "missing-scope", Error, Unfit, "messaging", "a token without the scope `files:write`");
    live!(WORKSPACE, "wrong-workspace", Error, Unfit, "messaging", "a token that belongs to another workspace");
    live!(CHANNEL, "unreachable-channel", Error, None, "messaging", "a channel that the token can't share files in");
    live!(EXPIRING, "expiring-credential", Note, None, "any", "a token that expires");
    live!(
        BUCKET,
        "wrong-bucket",
        Error,
        Unfit,
        "storage",
        "a key that can't access the bucket of its profile, or whose bucket was deleted"
    );

    /// All of them.
    pub static ALL: &[&RuleMeta] = &[&DEAD, &UNVERIFIED, &SCOPE, &WORKSPACE, &CHANNEL, &EXPIRING, &BUCKET];
}
