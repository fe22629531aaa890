//! Turns a service's answers about a profile into findings.

use crate::config::{Profile, Setting};
use crate::finding::{Finding, Severity};
use crate::lint::live::{Live, Validity};
use crate::rule::{Draft, RuleMeta, Sink};
use crate::schema::{Secret, Type};
use crate::upload::{DeadCredential, UploadError};

/// The service's answers about one profile.
pub struct ProfileAnswer {
    pub live: Live,
    pub findings: Vec<Finding>,
}

impl ProfileAnswer {
    /// Creates an answer without findings. `service` is the service that is asked.
    pub fn new(service: Option<String>) -> Self {
        Self { live: Live::new(Validity::Unknown, service), findings: Vec::new() }
    }

    /// Adds the names in another program's file.
    pub fn with_names(mut self, names: Vec<String>, not_asked: Vec<(String, String)>) -> Self {
        (self.live.names, self.live.not_asked) = (names, not_asked);
        self
    }

    pub fn add(&mut self, profile: &Profile, meta: &'static RuleMeta, draft: Draft) {
        Sink::new(meta, Some(&profile.id), &mut self.findings).push(draft);
    }
}

/// Advice if nothing more specific is known.
pub const AGAIN: &str = "try again later";

/// Why a profile could not be verified, and what to do about it.
#[derive(Clone, Debug)]
pub struct NotVerified {
    pub why: String,
    pub help: Option<String>,
}

impl NotVerified {
    /// Returns the advice.
    pub fn help(&self) -> &str {
        self.help.as_deref().unwrap_or(AGAIN)
    }
}

/// Creates the reason why no service is asked.
pub fn not_verified(why: &str, help: &str) -> NotVerified {
    NotVerified { why: why.to_owned(), help: Some(help.to_owned()) }
}

/// Advice if a rule should have reported the error already.
pub const CHECK: &str = "run `credlint check` and fix what it reports";

impl From<UploadError> for NotVerified {
    fn from(error: UploadError) -> Self {
        Self { why: error.message, help: error.help }
    }
}

/// Returns the settings of the credential that is verified.
pub fn credential_settings(profile: &Profile) -> Vec<&Setting> {
    let webhook = |setting: &&Setting| matches!(setting.field.ty, Type::Secret(Secret::Webhook));
    profile.credentials().filter(|setting| setting.is_present() && !webhook(setting)).collect()
}

/// Adds a label at the credential, or at the profile if there is none.
pub fn at_credential(draft: Draft, profile: &Profile, text: &str) -> Draft {
    match credential_settings(profile)[..] {
        [] => draft.at(&profile.id.to_string(), profile.at, text),
        ref credential_settings => credential_settings.iter().fold(draft, |draft, half| draft.value(half, text)),
    }
}

/// Returns the long and the short description of a rejection.
pub const fn rejection_words(dead: DeadCredential) -> (&'static str, &'static str) {
    match dead {
        DeadCredential::AccountInactive => ("its account or workspace is deleted or disabled", "account inactive"),
        DeadCredential::TokenRevoked => ("it was revoked", "revoked"),
        DeadCredential::TokenExpired => ("it has expired", "expired"),
        DeadCredential::InvalidAuth => ("token not recognised", "not recognised"),
        DeadCredential::Unauthorized | DeadCredential::BadAuthToken => {
            ("the keyID or the key is wrong, or the key was deleted", "rejected")
        }
    }
}

/// Marks a finding about something that this credential can't reveal.
pub fn unknowable(draft: Draft) -> Draft {
    draft.severity(Severity::Note)
}
