use crate::config::{ForeignProfile, Profile};
use crate::finding::Severity;
use crate::profile::{Storage, Values};
use crate::rule::{Draft, Impact, Rule, RuleMeta, Sink, rule};
use crate::services::backblaze;

rule! {
    #[doc = include_str!("../../docs/rules/master-key-on-s3-endpoint.md")]
    MasterKeyOnS3Endpoint {
        id: "master-key-on-s3-endpoint",
        summary: "a master application key with the S3-compatible API, which does not accept it",
        severity: Severity::Error,
        impact: Impact::Unfit,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for MasterKeyOnS3Endpoint {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(storage) = Storage::from_profile(profile) else { return };
        let Values::MasterOnS3 { id, key, endpoint } = storage.values() else { return };
        let message = format!(
            "`{}` uses the master application key with the S3-compatible API, which does not accept it (403 `InvalidAccessKeyId`)",
            profile.id
        );
        let help = "create an application key under App Keys, and set `application_key_id` to its keyID and `application_key` to its applicationKey; or remove `endpoint` to use the native API, which accepts the master application key";
        let (id_text, key_text) = (
            if id.what() == Some(&backblaze::ACCOUNT_ID) {
                "looks like an account ID, the keyID of the master application key"
            } else {
                "its ID"
            },
            if key.what() == Some(&backblaze::MASTER_KEY) {
                "looks like the master application key"
            } else {
                "its key"
            },
        );
        let draft = Draft::new(message, help).value(id, id_text).value(key, key_text);
        sink.push(draft.value(endpoint, "the S3-compatible API"));
    }

    fn foreign(&self, profile: &Profile, _: &ForeignProfile, sink: &mut Sink<'_>) {
        let Some(storage) = Storage::from_profile(profile) else { return };
        let Values::MasterOnS3 { id, key, endpoint } = storage.values() else { return };
        let message = format!(
            "`{}` and `{}` are the master application key, which the S3-compatible API does not accept (403 `InvalidAccessKeyId`)",
            id.name(),
            key.name()
        );
        let help = format!(
            "create an application key under App Keys, and set `{}` to its keyID and `{}` to its applicationKey",
            id.name(),
            key.name()
        );
        let id_text = if id.what() == Some(&backblaze::ACCOUNT_ID) { "looks like an account ID" } else { "its ID" };
        let key_text = if key.what() == Some(&backblaze::MASTER_KEY) {
            "looks like the master application key"
        } else {
            "its key"
        };
        let draft = Draft::new(message, help).value(id, id_text).value(key, key_text);
        sink.push(draft.value(endpoint, "the S3-compatible API"));
    }
}
