use crate::config::Profile;
use crate::profile::{self, MatchingPair, PairByName, PairValue, Storage, complete_pair, joined};
use crate::rule::{Draft, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/mixed-key-pair.md")]
    MixedKeyPair: profile {
        id: "mixed-key-pair",
        summary: "an ID and a key from different pairs",
        severity: Error, impact: Unfit, scope: "storage", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(PairByName::Mixed { id, key }) = PairByName::from_profile(profile) else { return };
    // An empty field is `empty-credential`, a misspelt one `unknown-field`.
    if profile::explains_absence(profile) {
        return;
    }
    let (Some(id), Some(key)) = (PairValue::from_setting(profile, id), PairValue::from_setting(profile, key)) else {
        return;
    };
    let s3 = Storage::from_profile(profile).and_then(Storage::s3);
    let draft = match MatchingPair::from_values(id, key) {
        Some(matching) => one_pair(profile, matching, s3.is_some()),
        None => two_pairs(profile, id, key, s3.is_some()),
    };
    let one = MatchingPair::from_values(id, key).is_some();
    let text = |half: PairValue<'_>| {
        let partner = profile.kind().partner(half.field()).unwrap_or_default();
        let looks = half.looks().filter(|_| one || !half.fits_name());
        looks.map_or_else(|| format!("goes with `{partner}`"), |looks| format!("looks like {looks}"))
    };
    let mut draft = draft.key(key.setting, text(key)).key(id.setting, text(id));
    if let Some(endpoint) = s3.filter(|_| id.is_refused_by_s3() && key.is_refused_by_s3()) {
        draft = draft.value(endpoint, "the S3-compatible API");
    }
    sink.push(draft);
}

/// The values form a pair, but the names don't.
fn one_pair(profile: &Profile, matching: MatchingPair<'_>, s3: bool) -> Draft {
    let pair = matching.noun();
    // Where the ID is in a key's field, the key is in an ID's.
    let how = if matching.id.is_misplaced() {
        "swapped, and in fields of different pairs"
    } else {
        "in fields of different pairs"
    };
    let help = if s3 && matching.is_refused_by_s3() { complete_pair(profile, s3) } else { matching.instructions() };
    Draft::new(format!("`{}` has {pair} {how}", profile.id), help)
}

/// The ID and the key belong to different pairs, or are not an ID and a key.
fn two_pairs(profile: &Profile, id: PairValue<'_>, key: PairValue<'_>, s3: bool) -> Draft {
    let kind = profile.kind();
    let (i, k) = (id.field(), key.field());
    if let Some((message, help)) = joined(profile, key).or_else(|| joined(profile, id)) {
        return Draft::new(message, help);
    }
    if id.is_neither() {
        let message = format!("`{i}` of `{}` holds {}, not a keyID", profile.id, id.noun());
        return Draft::new(message, complete_pair(profile, s3));
    }
    let message = match (id.is_misplaced(), key.is_misplaced()) {
        (true, true) => {
            format!("`{}` has the ID and the key swapped, and they belong to different key pairs", profile.id)
        }
        (true, false) if key.holds_key() => format!("`{i}` and `{k}` of `{}` both hold a key", profile.id),
        (true, false) => format!("`{i}` of `{}` holds a key, not an ID", profile.id),
        (false, true) if id.holds_id() => format!("`{i}` and `{k}` of `{}` both hold an ID", profile.id),
        (false, true) => format!("`{k}` of `{}` holds an ID, not a key", profile.id),
        (false, false) => {
            let help = match (kind.pair_field(i), kind.pair_field(k)) {
                // If only one of them belonged elsewhere, they would be a pair.
                (Some((_, missing_key)), Some((_, missing_id))) if !id.belongs_to_other_pair() => {
                    let ways = [
                        format!("set `{}` to {}, and remove `{i}`", missing_id.field, missing_id.shown_as),
                        format!("set `{}` to {}, and remove `{k}`", missing_key.field, missing_key.shown_as),
                    ];
                    // The S3-compatible API rejects master application keys.
                    match (s3, id.is_refused_by_s3()) {
                        (true, true) => ways[0].clone(),
                        (true, false) => ways[1].clone(),
                        _ => ways.join("; or "),
                    }
                }
                _ => complete_pair(profile, s3),
            };
            let message = format!(
                "`{}` combines {} with {}; they belong to different key pairs, so authentication fails",
                profile.id,
                key.noun(),
                id.noun()
            );
            return Draft::new(message, help);
        }
    };
    Draft::new(message, complete_pair(profile, s3))
}
