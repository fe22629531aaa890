use crate::config::{Profile, Setting};
use crate::profile::{PairByValue, describe};
use crate::rule::{Sink, rule};

rule! {
    MasterKeyOnS3Endpoint("master-key-on-s3-endpoint"): profile,
    "a master application key with the S3-compatible API, which does not accept it",
    severity: Error, impact: Unfit, scope: "storage", readers: ALL, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let PairByValue::RefusedByS3 { id, key, endpoint } = PairByValue::from_profile(profile) else { return };
    let (declared, id_name, key_name) = (profile.is_declared(), id.name(), key.name());
    let uses = if declared { format!("`{}` uses", profile.id) } else { format!("`{id_name}` and `{key_name}` are") };
    let message = format!(
        "{uses} the master application key, which the S3-compatible API does not accept (403 `InvalidAccessKeyId`)"
    );
    let native = if declared {
        "; or remove `endpoint` to use the native API, which accepts the master application key"
    } else {
        ""
    };
    let set = if declared { ["application_key_id", "application_key"] } else { [id_name, key_name] };
    let help = format!(
        "create an application key under Application Keys, and set `{}` to its keyID and `{}` to its applicationKey{native}",
        set[0], set[1]
    );
    let text = |setting: &Setting, unknown: &str| {
        let told = profile.kind().pair_of(setting.credential_form()).and_then(|_| describe(profile, setting));
        told.map_or(unknown.to_owned(), |(_, told)| format!("looks like {told}"))
    };
    let draft = finding(message, help).value(id, text(id, "its ID")).value(key, text(key, "its key"));
    sink.push(draft.value(endpoint, "the S3-compatible API"));
}
