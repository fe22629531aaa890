use crate::config::Profile;
use crate::profile::{Storage, Values};
use crate::rule::{Draft, Sink, rule};
use crate::services::backblaze;

rule! {
    #[doc = include_str!("../../docs/rules/not-a-key-id.md")]
    NotAKeyId: profile {
        id: "not-a-key-id",
        summary: "a bucket ID or an e-mail address instead of a keyID",
        severity: Error, impact: Unfit, scope: "storage", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(storage) = Storage::from_profile(profile) else { return };
    let Values::NotAnId { id, form } = storage.values() else { return };
    let bucket = *form == backblaze::BUCKET_ID;
    let what = form.noun;
    let text = if bucket { "looks like a bucket ID (24 hex digits); a keyID has 25" } else { what };
    let name = id.name();
    let help = if name == "account_id" {
        "set `account_id` to the account ID of 12 hex digits, which the console's page Application Keys shows as the keyID of the Master Application Key".to_owned()
    } else {
        let more = if bucket && name == id.field.name { "; the bucket goes into `bucket`" } else { "" };
        format!(
            "set `{name}` to the keyID of 25 hex digits that the console's page Application Keys shows next to the key's name{more}"
        )
    };
    sink.push(Draft::new(format!("{} holds {what}, not a keyID", profile.said(id)), help).value(id, text));
}
