use crate::config::Profile;
use crate::finding::Severity;
use crate::form::Form;
use crate::profile::{Storage, Values};
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/mixed-key-values.md")]
    MixedKeyValues {
        id: "mixed-key-values",
        summary: "values of different pairs under names that fit",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for MixedKeyValues {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(storage) = Storage::of_profile(profile) else { return };
        let Values::Mixed { id, key } = storage.values() else { return };
        let (message, id_text, key_text, help) = if id.what() == Some(Form::AccountId) {
            (
                format!(
                    "`{}` holds an account ID beside an application key; the service answers that with a bare 401",
                    profile.id
                ),
                "the form of an account ID, which is the keyID of the Master Application Key",
                "the form of an application key",
                "set `application_key_id` to the keyID and `application_key` to the applicationKey that App Keys showed together; or set `account_id` and `master_application_key`, the Master Application Key, to work with full power",
            )
        } else {
            (
                format!(
                    "`{}` holds the keyID of an application key beside a master application key; the service answers that with a bare 401",
                    profile.id
                ),
                "the form of the keyID of an application key",
                "the form of a Master Application Key",
                "set `application_key_id` and `application_key` to the keyID and the applicationKey that App Keys showed together; or set `account_id` to the account ID, which App Keys shows as the keyID of the Master Application Key, beside `master_application_key`",
            )
        };
        sink.push(Draft::new(message, help).value(id, id_text).value(key, key_text));
    }
}
