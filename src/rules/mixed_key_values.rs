use crate::config::Profile;
use crate::profile::{Storage, Values, complete_pair, described};
use crate::rule::{Draft, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/mixed-key-values.md")]
    MixedKeyValues: profile {
        id: "mixed-key-values",
        summary: "right field names, values from different pairs",
        severity: Error, impact: Unfit, scope: "storage", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(storage) = Storage::from_profile(profile) else { return };
    let Values::Mixed { id, key } = storage.values() else { return };
    let (Some((i, id_more)), Some((k, key_more))) = (described(profile, id), described(profile, key)) else {
        return;
    };
    let one_value = id.at == key.at;
    let (message, help) = if profile.found.is_none() {
        let s3 = storage.s3().is_some();
        // The S3-compatible API returns other errors.
        let code = if s3 { "" } else { " (401)" };
        let fails = format!("they belong to different key pairs, so authentication fails{code}");
        (format!("`{}` has {i} with {k}; {fails}", profile.id), complete_pair(profile, s3))
    } else if one_value {
        let message = format!("the ID and the key in `{}` belong to different key pairs", id.name());
        let help =
            "put the keyID and the applicationKey of one key there, as the console's page Application Keys shows them";
        (message, help.to_owned())
    } else {
        let (id_name, key_name) = (id.name(), key.name());
        // Only a key with an ID of its own is shown with it.
        let help = if profile.kind().pair_of(id.what()).is_some_and(|pair| pair.keeps_id) {
            format!(
                "set `{id_name}` to the keyID (25 hex digits) that the console's page Application Keys shows next to the key's name, not to the account ID"
            )
        } else {
            format!(
                "set `{key_name}` to the applicationKey that was shown with this keyID; if it is lost, create a new key"
            )
        };
        (format!("`{id_name}` is {i} and `{key_name}` is {k}; they belong to different key pairs"), help)
    };
    let draft = Draft::new(message, help);
    sink.push(if one_value {
        draft.value(id, format!("looks like {i}, then {k}"))
    } else {
        draft.value(id, format!("looks like {id_more}")).value(key, format!("looks like {key_more}"))
    });
}
