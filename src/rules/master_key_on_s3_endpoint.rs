use crate::config::{Profile, Setting};
use crate::profile::{Storage, Values, described};
use crate::rule::{Draft, ReadBy, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/master-key-on-s3-endpoint.md")]
    MasterKeyOnS3Endpoint: profile {
        id: "master-key-on-s3-endpoint",
        summary: "a master application key with the S3-compatible API, which does not accept it",
        severity: Error, impact: Unfit, scope: "storage", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(storage) = Storage::from_profile(profile) else { return };
    let Values::RefusedByS3 { id, key, endpoint } = storage.values() else { return };
    let refused = "which does not accept it (403 `InvalidAccessKeyId`)";
    let declared = profile.reader() == ReadBy::Declared;
    let (message, help) = if declared {
        (
            format!("`{}` uses the master application key with the S3-compatible API, {refused}", profile.id),
            "create an application key under Application Keys, and set `application_key_id` to its keyID and `application_key` to its applicationKey; or remove `endpoint` to use the native API, which accepts the master application key".to_owned(),
        )
    } else {
        let (id, key) = (id.name(), key.name());
        (
            format!(
                "`{id}` and `{key}` are the master application key, which the S3-compatible API does not accept (403 `InvalidAccessKeyId`)"
            ),
            format!(
                "create an application key under Application Keys, and set `{id}` to its keyID and `{key}` to its applicationKey"
            ),
        )
    };
    let text = |setting: &Setting, unknown: &str| {
        let told = profile.kind().pair_of(setting.what()).and_then(|_| described(profile, setting));
        told.map_or(unknown.to_owned(), |(noun, more)| {
            format!("looks like {}", if declared { more } else { noun.to_owned() })
        })
    };
    let (id_text, key_text) = (text(id, "its ID"), text(key, "its key"));
    let draft = Draft::new(message, help).value(id, id_text).value(key, key_text);
    sink.push(draft.value(endpoint, "the S3-compatible API"));
}
