use crate::config::{ForeignProfile, Profile, Setting};
use crate::profile::{self, MatchingPair, PairByName, PairValue, Storage, complete_pair, joined};
use crate::rule::absence::{self, Absence};
use crate::rule::{Draft, Sink, rule};
use crate::schema::Role;

rule! {
    #[doc = include_str!("../../docs/rules/incomplete-key-pair.md")]
    IncompleteKeyPair: profile {
        id: "incomplete-key-pair",
        summary: "an incomplete key pair: an ID without its key, two IDs or two keys",
        severity: Error, impact: Unfit, scope: "storage", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(PairByName::Incomplete { present }) = PairByName::from_profile(profile) else { return };
    // An empty field is `empty-credential`, a misspelt one `unknown-field`.
    if profile::explains_absence(profile) {
        return;
    }
    if let Some(found) = &profile.found {
        return without_other(profile, found, &present, sink);
    }
    let halves: Vec<_> = present.iter().filter_map(|setting| PairValue::from_setting(profile, setting)).collect();
    let s3 = Storage::from_profile(profile).and_then(Storage::s3);
    let (message, help) = match halves[..] {
        [one] => alone(profile, one, s3.is_some()),
        [one, other] => two(profile, one, other, s3.is_some()),
        _ => return,
    };
    let text = |half: PairValue<'_>| {
        let partner = profile.kind().partner(half.field()).unwrap_or_default();
        let known = half.looks().filter(|_| !half.fits_name());
        known.map_or_else(|| format!("`{partner}` is missing"), |looks| format!("looks like {looks}"))
    };
    let mut draft = halves.iter().fold(Draft::new(message, help), |draft, half| draft.key(half.setting, text(*half)));
    if let Some(endpoint) = s3.filter(|_| halves.iter().all(|half| half.is_refused_by_s3())) {
        draft = draft.value(endpoint, "the S3-compatible API");
    }
    sink.push(draft);
}

/// Reports a half in another program's file that holds the whole pair.
fn without_other(profile: &Profile, found: &ForeignProfile, present: &[&Setting], sink: &mut Sink<'_>) {
    let ([half], Some(program)) = (present, found.program.filter(|_| found.whole)) else { return };
    let Some(severity) = absence::weight(Absence::Missing, profile) else { return };
    let missing = if half.field.role == Role::Secret { "the keyID" } else { "the applicationKey" };
    let message = format!("`{}` is set without {missing}, which {program} also needs", half.name());
    let help = format!("add {missing} to the same section");
    sink.push(Draft::new(message, help).severity(severity).key(half, format!("{missing} is missing")));
}

/// Describes a single field without its counterpart.
fn alone(profile: &Profile, half: PairValue<'_>, s3: bool) -> (String, String) {
    if let Some(found) = joined(profile, half) {
        return found;
    }
    let (kind, field) = (profile.kind(), half.field());
    let partner = kind.partner(field).unwrap_or_default();
    let noun = half.noun();
    let message = if half.fits_name() {
        format!("`{}` has `{field}` but no `{partner}`", profile.id)
    } else {
        format!("`{}` has an incomplete key pair: `{field}` holds {noun}", profile.id)
    };
    // The S3-compatible API rejects master application keys.
    if half.is_neither() || s3 && half.is_refused_by_s3() {
        return (message, complete_pair(profile, s3));
    }
    let [home, missing] = half.right_fields();
    let shown = |field: &str| kind.pair_field(field).map_or("", |(half, _)| half.shown_as);
    let mut help = if home == field { String::new() } else { format!("rename `{field}` to `{home}` and ") };
    help += &format!("add `{missing}`, {}", shown(missing));
    let lost = kind.field(missing).is_some_and(|field| field.role == Role::Secret);
    help += if lost { "; if it is lost, create a new key" } else { "" };
    (message, help)
}

/// Describes two IDs or two keys, judged by their names.
fn two(profile: &Profile, one: PairValue<'_>, other: PairValue<'_>, s3: bool) -> (String, String) {
    let kind = profile.kind();
    if let Some(found) = joined(profile, one).or_else(|| joined(profile, other)) {
        return found;
    }
    if let Some(matching) = MatchingPair::from_values(one, other) {
        let message = format!("`{}` has {} in fields that are not a pair", profile.id, matching.noun());
        let help = if s3 && matching.is_refused_by_s3() { complete_pair(profile, s3) } else { matching.instructions() };
        return (message, help);
    }
    let digest = |half: PairValue<'_>| half.setting.facts().map(|facts| facts.digest);
    if digest(one).is_some() && digest(one) == digest(other) {
        let message = format!("`{}` and `{}` of `{}` hold the same value", one.field(), other.field(), profile.id);
        let (kept, rest) = if one.fits_name() { (one, other) } else { (other, one) };
        if !kept.fits_name() || s3 && kept.is_refused_by_s3() {
            return (message, complete_pair(profile, s3));
        }
        let partner = kind.partner(kept.field()).unwrap_or_default();
        return (message, format!("remove `{}` and add `{partner}`", rest.field()));
    }
    let keys = one.setting.field.role == Role::Secret;
    let names = format!("`{}` and `{}`", one.field(), other.field());
    if one.is_misplaced() || other.is_misplaced() {
        let (holds, named) = if keys { ("an ID", "a key") } else { ("a key", "an ID") };
        let message = match (one.is_misplaced(), other.is_misplaced()) {
            (true, true) => format!("{names} of `{}` both hold {holds}", profile.id),
            (first, _) => {
                let field = if first { one.field() } else { other.field() };
                format!("`{field}` of `{}` holds {holds}, not {named}", profile.id)
            }
        };
        return (message, complete_pair(profile, s3));
    }
    let what = if keys { "keys but no ID" } else { "IDs but no key" };
    let message = format!("`{}` has two {what}", profile.id);
    if !one.fits_name() || !other.fits_name() {
        return (message, complete_pair(profile, s3));
    }
    let useful = [one, other].into_iter().filter(|half| !s3 || !half.is_refused_by_s3());
    let ways = useful.map(|half| {
        let rest = if half.field() == one.field() { other.field() } else { one.field() };
        format!("add `{}` and remove `{rest}`", kind.partner(half.field()).unwrap_or_default())
    });
    (message, ways.collect::<Vec<_>>().join(", or "))
}
