use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::storage::{Pair, partner};
use crate::profile::{Profile, Setting, Storage};

rule! {
    #[doc = include_str!("../../docs/rules/mixed-key-pair.md")]
    MixedKeyPair {
        id: "mixed-key-pair",
        summary: "an id and a key that belong to different pairs",
        severity: Severity::Error,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for MixedKeyPair {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn storage(&self, storage: &Storage, profile: &Profile, sink: &mut Sink<'_>) {
        let Pair::Mixed { id, key } = storage.pair() else { return };
        // A half that is set empty is `empty-credential`, one that is misspelt `unknown-field`.
        if storage.explains_absence(profile) {
            return;
        }
        let (message, help) = if key.field.name == "application_key" {
            (
                format!(
                    "`{}` puts an application key beside an account ID; the service answers that with a bare 401",
                    profile.id
                ),
                "set `application_key_id`, the keyID shown with this application key, and remove `account_id`; or keep `account_id` and set `master_application_key` in place of `application_key`",
            )
        } else {
            (
                format!(
                    "`{}` puts the master application key beside the ID of an application key; the service answers that with a bare 401",
                    profile.id
                ),
                "set `account_id` and remove `application_key_id`; or keep `application_key_id` and set the `application_key` that was shown with it",
            )
        };
        let goes_with = |setting: &Setting| format!("goes with `{}`", partner(setting.field.name));
        let draft = Draft::new(message, help).key(key, goes_with(key));
        sink.push(draft.key(id, goes_with(id)));
    }
}
