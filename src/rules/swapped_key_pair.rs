use crate::config::{ForeignProfile, Profile, Setting};
use crate::profile::{Assessment, MatchingPair, PairValue, Storage, Swapped, assessments, complete_pair};
use crate::rule::{Draft, Sink, rule};
use crate::services::Pair;

rule! {
    #[doc = include_str!("../../docs/rules/swapped-key-pair.md")]
    SwappedKeyPair: declared, found {
        id: "swapped-key-pair",
        summary: "an ID in the key field, or a key in the ID field",
        severity: Error, impact: Unfit, scope: "storage", readers: ALL, since: "0.1.0",
    }
}

fn declared(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(Swapped { id, id_is_key, key, key_is_id }) = Swapped::from_profile(profile) else { return };
    let (kind, i, k) = (profile.kind(), id.field.name, key.field.name);
    let words =
        |setting: &Setting| kind.pair_field(setting.field.name).map_or(setting.field.name, |(own, _)| own.shown_as);
    // Swapped, they would be `mixed-key-values`.
    let pairs = [id, key].map(|setting| kind.pair_of(setting.what()));
    let strangers = matches!(pairs, [Some(one), Some(other)] if one.part != other.part);
    let refused = pairs.into_iter().flatten().any(Pair::is_refused_by_s3);
    let half = |setting| PairValue::from_setting(profile, setting);
    let matching = half(id).zip(half(key)).and_then(|(id, key)| MatchingPair::from_values(id, key));
    // Swapped, their field names would still be wrong.
    let at_home = matching.is_none_or(|matching| matching.right_fields() == [i, k]);
    // Swapped, they would be `master-key-on-s3-endpoint`.
    let s3 = Storage::from_profile(profile).and_then(Storage::s3).is_some() && (refused || i == "account_id");
    let (message, mut help) = match (id_is_key, key_is_id) {
        (true, true) if strangers => (
            format!("the ID and the key of `{}` are swapped and belong to different key pairs", profile.id),
            format!("set `{i}` to {}, and `{k}` to {}", words(id), words(key)),
        ),
        (true, true) if !at_home => (
            format!("the ID and the key of `{}` are swapped and in the fields of another pair", profile.id),
            matching.map(|matching| matching.instructions()).unwrap_or_default(),
        ),
        (true, true) => (
            format!("the ID and the key of `{}` are swapped", profile.id),
            format!("swap the two: `{i}` takes {}, and `{k}` takes {}", words(id), words(key)),
        ),
        (true, false) => (
            format!("`{i}` of `{}` holds a key, not an ID", profile.id),
            format!("set `{i}` to {}; if this key is the one you want to use, move it to `{k}`", words(id)),
        ),
        (false, _) => (
            format!("`{k}` of `{}` holds an ID, not a key", profile.id),
            format!("set `{k}` to {}; a lost key can't be shown again, so create a new one", words(key)),
        ),
    };
    if s3 {
        help = complete_pair(profile, s3);
    }
    let text = |wrong: bool, what: &'static str| if wrong { what } else { "the other field of the pair" };
    let (id_text, key_text) = (text(id_is_key, "a key"), text(key_is_id, "an ID"));
    let draft = Draft::new(message, help);
    sink.push(if id_is_key {
        draft.value(id, id_text).value(key, key_text)
    } else {
        draft.value(key, key_text).value(id, id_text)
    });
}

fn found(profile: &Profile, _: &ForeignProfile, sink: &mut Sink<'_>) {
    let Some(Swapped { id, id_is_key, key, key_is_id }) = Swapped::from_profile(profile) else {
        return single_field(profile, sink);
    };
    let (i, k) = (id.name(), key.name());
    let (message, help) = match (id_is_key, key_is_id) {
        (true, true) => (
            format!("`{i}` and `{k}` are swapped"),
            format!("swap the two: `{i}` takes the keyID, and `{k}` takes the applicationKey"),
        ),
        (true, false) => (
            format!("`{i}` holds a key, not an ID"),
            format!("set `{i}` to the keyID, which the console's page Application Keys shows next to the key's name"),
        ),
        (false, _) => (
            format!("`{k}` holds an ID, not a key"),
            format!("set `{k}` to the applicationKey; a lost one can't be shown again, so create a new key"),
        ),
    };
    let text = |wrong: bool, what: &'static str| if wrong { what } else { "the other field of the pair" };
    let (id_text, key_text) = (text(id_is_key, "a key"), text(key_is_id, "an ID"));
    let draft = Draft::new(message, help);
    // A single value may contain both.
    sink.push(match (id_is_key, id.at == key.at) {
        (true, true) => draft.value(id, id_text),
        (true, false) => draft.value(id, id_text).value(key, key_text),
        (false, true) => draft.value(key, key_text),
        (false, false) => draft.value(key, key_text).value(id, id_text),
    });
}

/// Reports a single field that certainly holds the other part of the pair.
fn single_field(profile: &Profile, sink: &mut Sink<'_>) {
    if Storage::from_profile(profile).is_none() || profile.credentials().count() != 1 {
        return;
    }
    for (setting, _, assessment) in assessments(profile) {
        let Assessment::Misplaced(form) = assessment else { continue };
        let (what, wanted) =
            if form.is_key() { ("a key, not an ID", "the keyID") } else { ("an ID, not a key", "the applicationKey") };
        let message = format!("`{}` holds {what}", setting.name());
        let help = format!("set `{}` to {wanted}", setting.name());
        sink.push(Draft::new(message, help).value(setting, form.noun));
    }
}
