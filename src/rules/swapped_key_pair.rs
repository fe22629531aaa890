use crate::config::Profile;
use crate::profile::{Assessment, MatchingPair, PairValue, Storage, Swapped, assessments, complete_pair};
use crate::rule::{Draft, Sink, rule};
use crate::services::Pair;

rule! {
    #[doc = include_str!("../../docs/rules/swapped-key-pair.md")]
    SwappedKeyPair: profile {
        id: "swapped-key-pair",
        summary: "an ID in the key field, or a key in the ID field",
        severity: Error, impact: Unfit, scope: "storage", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(Swapped { id, id_is_key, key, key_is_id }) = Swapped::from_profile(profile) else {
        return single_field(profile, sink);
    };
    let (kind, i, k, both) = (profile.kind(), id.name(), key.name(), profile.both(id, key));
    // Swapped, they would be `mixed-key-values`.
    let pairs = [id, key].map(|setting| kind.pair_of(setting.what()));
    let strangers = matches!(pairs, [Some(one), Some(other)] if one.part != other.part);
    // Swapped, their field names would still be wrong, or it would be `master-key-on-s3-endpoint`.
    let half = |setting| PairValue::from_setting(profile, setting);
    let elsewhere = half(id)
        .zip(half(key))
        .and_then(|(id, key)| MatchingPair::from_values(id, key))
        .filter(|matching| profile.found.is_none() && matching.right_fields() != [i, k]);
    let refused = pairs.into_iter().flatten().any(Pair::is_refused_by_s3) || i == "account_id";
    let s3 = profile.found.is_none() && refused && Storage::from_profile(profile).and_then(Storage::s3).is_some();
    let (message, help) = match (id_is_key, key_is_id, elsewhere) {
        (true, true, _) if strangers => (
            format!("{both} are swapped and belong to different key pairs"),
            format!("set `{i}` to {}, and `{k}` to {}", kind.wanted(id.field), kind.wanted(key.field)),
        ),
        (true, true, Some(matching)) => {
            (format!("{both} are swapped and in the fields of another pair"), matching.instructions())
        }
        (true, true, None) => (
            format!("{both} are swapped"),
            format!("swap the two: `{i}` takes {}, and `{k}` takes {}", kind.wanted(id.field), kind.wanted(key.field)),
        ),
        (true, false, _) => (
            format!("{} holds a key, not an ID", profile.said(id)),
            format!("set `{i}` to {}; if this key is the one you want to use, move it to `{k}`", kind.wanted(id.field)),
        ),
        (false, ..) => (
            format!("{} holds an ID, not a key", profile.said(key)),
            format!("set `{k}` to {}; a lost key can't be shown again, so create a new one", kind.wanted(key.field)),
        ),
    };
    let help = if s3 { complete_pair(profile, s3) } else { help };
    let text = |wrong: bool, what: &'static str| if wrong { what } else { "the other field of the pair" };
    let (id, key) = ((id, text(id_is_key, "a key")), (key, text(key_is_id, "an ID")));
    let (wrong, other) = if id_is_key { (id, key) } else { (key, id) };
    let draft = Draft::new(message, help).value(wrong.0, wrong.1);
    // A single value may contain both.
    sink.push(if wrong.0.at == other.0.at { draft } else { draft.value(other.0, other.1) });
}

/// Reports a single field that certainly holds the other part of the pair.
fn single_field(profile: &Profile, sink: &mut Sink<'_>) {
    // Among those of a profile, it is `incomplete-key-pair`.
    if profile.found.is_none() || Storage::from_profile(profile).is_none() || profile.credentials().count() != 1 {
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
