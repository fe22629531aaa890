use crate::config::{Profile, Setting};
use crate::finding::Severity;
use crate::profile::{Storage, Values, complete_pair};
use crate::rule::{Draft, Impact, ReadBy, Rule, RuleMeta, Sink, rule};
use crate::services::backblaze;

rule! {
    #[doc = include_str!("../../docs/rules/mixed-key-values.md")]
    MixedKeyValues {
        id: "mixed-key-values",
        summary: "right field names, values from different pairs",
        severity: Severity::Error,
        impact: Impact::Unfit,
        scope: "storage",
        readers: ReadBy::ALL,
        since: "0.1.0",
    }
}

impl Rule for MixedKeyValues {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        match &profile.found {
            None => Self::declared(profile, sink),
            Some(_) => Self::found(profile, sink),
        }
    }
}

impl MixedKeyValues {
    fn declared(profile: &Profile, sink: &mut Sink<'_>) {
        let Some(storage) = Storage::from_profile(profile) else { return };
        let Values::Mixed { id, key } = storage.values() else { return };
        let s3 = storage.s3().is_some();
        // The S3-compatible API returns other errors.
        let code = if s3 { "" } else { " (401)" };
        let (what, id_text, key_text) = if id.what() == Some(&backblaze::ACCOUNT_ID) {
            (
                "an account ID with an application key",
                "looks like an account ID, the keyID of the master application key",
                "looks like an application key",
            )
        } else {
            (
                "the keyID of an application key with the master application key",
                "looks like the keyID of an application key",
                "looks like the master application key",
            )
        };
        let message =
            format!("`{}` has {what}; they belong to different key pairs, so authentication fails{code}", profile.id);
        sink.push(Draft::new(message, complete_pair(profile, s3)).value(id, id_text).value(key, key_text));
    }

    fn found(profile: &Profile, sink: &mut Sink<'_>) {
        let Some(storage) = Storage::from_profile(profile) else { return };
        let Values::Mixed { id, key } = storage.values() else { return };
        let (i, k) = (id.name(), key.name());
        let (message, help, id_text, key_text) = if id.what() == Some(&backblaze::ACCOUNT_ID) {
            (
                format!("`{i}` is an account ID and `{k}` is an application key; they belong to different key pairs"),
                format!(
                    "set `{i}` to the keyID (25 digits) that App Keys shows next to the key's name, not to the account ID"
                ),
                "looks like an account ID",
                "looks like an application key",
            )
        } else {
            (
                format!(
                    "`{i}` is the keyID of an application key and `{k}` is the master application key; they belong to different key pairs"
                ),
                format!(
                    "set `{k}` to the applicationKey that was shown with this keyID; if it is lost, create a new key"
                ),
                "looks like the keyID of an application key",
                "looks like the master application key",
            )
        };
        // An address contains both.
        let (message, help) = if id.at == key.at {
            let message = format!("the ID and the key in `{i}` belong to different key pairs");
            (message, "put the keyID and the applicationKey of one key there, as App Keys shows them".to_owned())
        } else {
            (message, help)
        };
        sink.push(both(Draft::new(message, help), (id, id_text), (key, key_text)));
    }
}

/// Labels both settings, or one if a single value contains both.
fn both(draft: Draft, (id, id_text): (&Setting, &str), (key, key_text): (&Setting, &str)) -> Draft {
    if id.at == key.at {
        draft.value(id, format!("{id_text}, then {}", key_text.trim_start_matches("looks like ")))
    } else {
        draft.value(id, id_text).value(key, key_text)
    }
}
