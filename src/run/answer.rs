//! What a service said of one profile, as findings.

use crate::config::{Profile, Setting};
use crate::finding::{Finding, Severity};
use crate::lint::live::{Live, Validity};
use crate::rule::{Draft, RuleMeta, Sink};
use crate::schema::{Secret, Type};
use crate::upload::{DeadCredential, UploadError};

/// What was said of one profile.
pub struct ProfileAnswer {
    pub live: Live,
    pub findings: Vec<Finding>,
}

impl ProfileAnswer {
    /// Nothing yet; `service` is who was asked.
    pub fn new(service: Option<String>) -> Self {
        Self { live: Live::new(Validity::Unknown, service), findings: Vec::new() }
    }

    pub fn add(&mut self, profile: &Profile, meta: &'static RuleMeta, draft: Draft) {
        Sink::new(meta, Some(&profile.id), &mut self.findings).push(draft);
    }
}

/// What to do where nothing else is known to help.
pub const AGAIN: &str = "try again later";

/// Why a question has no answer, and what to do about it.
#[derive(Clone, Debug)]
pub struct NotVerified {
    pub why: String,
    pub help: Option<String>,
}

impl NotVerified {
    /// What to do about it.
    pub fn help(&self) -> &str {
        self.help.as_deref().unwrap_or(AGAIN)
    }
}

/// Why nobody is asked.
pub fn not_verified(why: &str, help: &str) -> NotVerified {
    NotVerified { why: why.to_owned(), help: Some(help.to_owned()) }
}

/// What to do where a rule should have said something.
pub const CHECK: &str = "run `credlint check` and fix what it reports";

impl From<UploadError> for NotVerified {
    fn from(error: UploadError) -> Self {
        Self { why: error.message, help: error.help }
    }
}

/// The halves of the credential that is asked for.
pub fn halves(profile: &Profile) -> Vec<&Setting> {
    let webhook = |setting: &&Setting| matches!(setting.field.ty, Type::Secret(Secret::Webhook));
    profile.credentials().filter(|setting| setting.is_present() && !webhook(setting)).collect()
}

/// Points at the credential, or if there is none at the profile.
pub fn at_credential(draft: Draft, profile: &Profile, text: &str) -> Draft {
    match halves(profile)[..] {
        [] => draft.at(&profile.id.to_string(), profile.at, text),
        ref halves => halves.iter().fold(draft, |draft, half| draft.value(half, text)),
    }
}

/// What a definite no means, and how it is said in short.
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

/// Something that can't be known with this credential.
pub fn unknowable(draft: Draft) -> Draft {
    draft.severity(Severity::Note)
}
