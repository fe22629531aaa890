use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::storage::Pair;
use crate::profile::{Profile, Storage};

rule! {
    #[doc = include_str!("../../docs/rules/missing-key-pair.md")]
    MissingKeyPair {
        id: "missing-key-pair",
        summary: "no credentials at all",
        severity: Severity::Error,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for MissingKeyPair {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn storage(&self, storage: &Storage, profile: &Profile, sink: &mut Sink<'_>) {
        // Halves that are set empty are `empty-credential`, misspelt ones `unknown-field`.
        if matches!(storage.pair(), Pair::Missing) && !storage.explains_absence(profile) {
            let message = format!("`{}` has no credentials", profile.id);
            let help = "set `application_key_id` and `application_key`, or `account_id` and `master_application_key`";
            sink.push(Draft::new(message, help).at(&profile.id.to_string(), profile.at, "no key pair in this profile"));
        }
    }
}
