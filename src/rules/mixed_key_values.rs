use crate::config::Profile;
use crate::finding::Severity;
use crate::form::Form;
use crate::profile::{Storage, Values};
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/mixed-key-values.md")]
    MixedKeyValues {
        id: "mixed-key-values",
        summary: "right field names, values from different pairs",
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
        let fails = "they belong to different key pairs, so authentication fails (401)";
        // The S3-compatible API takes no master application key.
        let master = storage.s3().is_none();
        let application = "set `application_key_id` to the keyID and `application_key` to the applicationKey that App Keys showed together";
        let (message, id_text, key_text, other) = if id.what() == Some(Form::AccountId) {
            (
                format!("`{}` has an account ID beside an application key; {fails}", profile.id),
                "looks like an account ID, which is the keyID of the Master Application Key",
                "looks like an application key",
                "for access to the whole account, set `account_id` and `master_application_key`, the Master Application Key",
            )
        } else {
            (
                format!(
                    "`{}` has the keyID of an application key beside a master application key; {fails}",
                    profile.id
                ),
                "looks like the keyID of an application key",
                "looks like a Master Application Key",
                "set `account_id` to the account ID, which App Keys shows as the keyID of the Master Application Key, and `master_application_key` to that key",
            )
        };
        let mut help = if master { format!("{application}; or {other}") } else { application.to_owned() };
        let left =
            if id.field.name == "account_id" { "; remove `account_id` and `master_application_key`" } else { "" };
        if !master {
            help += left;
        }
        sink.push(Draft::new(message, help).value(id, id_text).value(key, key_text));
    }
}
