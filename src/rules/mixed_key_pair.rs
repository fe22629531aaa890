use crate::config::Profile;
use crate::profile::{PairByName, PairValue, PairValues, explains_absence};
use crate::rule::{Sink, rule};

rule! {
    MixedKeyPair("mixed-key-pair"): profile, "an ID and a key from different pairs",
    severity: Error, impact: Unfit, scope: "storage", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(PairByName::Mixed { id, key }) = PairByName::from_profile(profile) else { return };
    let halves = PairValues::from_profile(profile);
    // An empty field is `empty-credential`, a misspelt one `unknown-field`.
    let (Some(id), Some(key), false) = (halves.value_of(id), halves.value_of(key), explains_absence(profile)) else {
        return;
    };
    let pair = id.pair_with(key);
    let message = match pair {
        // Where the ID is in a key's field, the key is in an ID's.
        Some(pair) if id.is_misplaced() => {
            format!("`{}` has {} and its ID swapped, and in fields of different pairs", profile.id, pair.key.noun)
        }
        Some(pair) => format!("`{}` has {} and its ID in fields of different pairs", profile.id, pair.key.noun),
        None => describe(profile, id, key),
    };
    let text = |half: PairValue<'_>| match half.looks_like() {
        Some(looks) if pair.is_some() || !half.fits_name() => format!("looks like {looks}"),
        _ => format!("goes with `{}`", profile.kind().partner(half.field()).unwrap_or_default()),
    };
    let draft = finding(message, halves.advice()).key(key.setting, text(key)).key(id.setting, text(id));
    sink.push(draft.values(halves.refused_at(), "the S3-compatible API"));
}

/// Describes an ID and a key that belong to different pairs, or are not an ID and a key.
fn describe(profile: &Profile, id: PairValue<'_>, key: PairValue<'_>) -> String {
    let (name, id_field, key_field) = (&profile.id, id.field(), key.field());
    match (id.is_misplaced(), key.is_misplaced()) {
        _ if id.is_neither() => format!("`{id_field}` of `{name}` holds {}, not a keyID", id.noun()),
        (true, true) => format!("`{name}` has the ID and the key swapped, and they belong to different key pairs"),
        (true, false) => format!("`{id_field}` of `{name}` holds a key, not an ID"),
        (false, true) => format!("`{key_field}` of `{name}` holds an ID, not a key"),
        (false, false) => format!(
            "`{name}` combines {} with {}; they belong to different key pairs, so authentication fails",
            key.noun(),
            id.noun()
        ),
    }
}
