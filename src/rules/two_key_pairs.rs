use crate::config::Profile;
use crate::profile::{MatchingPair, PairByName, PairValue, Storage, complete_pair};
use crate::rule::{Draft, Sink, rule};
use crate::schema::Role;

rule! {
    #[doc = include_str!("../../docs/rules/two-key-pairs.md")]
    TwoKeyPairs: profile {
        id: "two-key-pairs",
        summary: "fields from both key pairs",
        severity: Error, impact: Unfit, scope: "storage", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(PairByName::Two { whole, spare }) = PairByName::from_profile(profile) else { return };
    let half = |setting| PairValue::from_setting(profile, setting);
    let ([Some(id), Some(key)], spare) = (whole.map(half), spare.into_iter().filter_map(half).collect::<Vec<_>>())
    else {
        return;
    };
    let storage = Storage::from_profile(profile);
    let s3 = storage.and_then(Storage::s3);
    // Where the ID is in the key's field, the key is in the ID's.
    let fits = MatchingPair::from_values(id, key).filter(|_| !id.is_misplaced());
    let (message, help) = match fits {
        Some(pair) => stray(profile, pair, &spare, s3.is_some()),
        None => mixed_values(profile, [id, key], &spare, s3.is_some()),
    };
    let accounts_differ = fits.is_some() && storage.is_some_and(Storage::accounts_differ);
    let (message, help) = if accounts_differ {
        (
            message + if spare.len() > 1 { ", from different accounts" } else { ", from a different account" },
            help + "; the keyID in `application_key_id` does not belong to the account in `account_id`, so find out first which account is intended",
        )
    } else {
        (message, help)
    };
    let text = |half: &PairValue<'_>, name: &'static str, of_other: bool| match (half.setting.field.role, half.looks())
    {
        (Role::Identifier, _) if of_other => format!("{name}, from a different account"),
        (_, Some(looks)) if fits.is_none() || half.is_misplaced() || half.belongs_to_other_pair() => {
            format!("looks like {looks}")
        }
        _ => name.to_owned(),
    };
    let stray = if spare.len() > 1 { "the other pair" } else { "not part of the pair" };
    let complete = if fits.is_some() { "complete pair" } else { "these two do not belong together" };
    let mut draft = Draft::new(message, help);
    for half in &spare {
        draft = draft.key(half.setting, text(half, stray, accounts_differ));
    }
    for half in [id, key] {
        draft = draft.key(half.setting, text(&half, complete, false));
    }
    if let Some(endpoint) = s3.filter(|_| fits.is_some_and(MatchingPair::is_refused_by_s3)) {
        draft = draft.value(endpoint, "the S3-compatible API");
    }
    sink.push(draft);
}

fn list(halves: &[PairValue<'_>]) -> String {
    halves.iter().map(|half| format!("`{}`", half.field())).collect::<Vec<_>>().join(" and ")
}

/// Describes a complete pair with a stray field.
fn stray(profile: &Profile, pair: MatchingPair<'_>, spare: &[PairValue<'_>], s3: bool) -> (String, String) {
    let (id, names, whole) = (&profile.id, list(spare), list(&[pair.id, pair.key]));
    if spare.len() > 1 {
        let message = format!("`{id}` has two key pairs: {whole}, and {names}");
        // The S3-compatible API rejects master application keys, so only the other pair is usable.
        let help = if s3 {
            format!("remove {names}: the S3-compatible API does not accept a master application key")
        } else {
            format!("remove {names}, or {whole}; to use both, make a profile for each pair")
        };
        return (message, help);
    }
    let message = format!("`{id}` has a complete key pair, {whole}, plus a stray {names}");
    if s3 && pair.is_refused_by_s3() {
        return (message, complete_pair(profile, s3));
    }
    let repeats = |half: &&PairValue<'_>| {
        [pair.id, pair.key]
            .into_iter()
            .find(|own| own.setting.facts().map(|facts| facts.digest) == half.setting.facts().map(|facts| facts.digest))
    };
    let account = |half: PairValue<'_>| half.setting.facts().and_then(|facts| facts.part("account"));
    let help = match spare.first().map(|half| (half, repeats(&half))) {
        Some((half, Some(own))) if half.setting.facts().is_some() => {
            format!("remove {names}: it repeats the value of `{}`", own.field())
        }
        Some((half, _))
            if profile.kind().pair_of(half.form).is_some_and(|pair| half.holds_id() && pair.keeps_id)
                && account(*half).is_some()
                && account(*half) == account(pair.id) =>
        {
            format!("remove {names}: the account ID is part of the keyID in `{}`", pair.id.field())
        }
        _ => format!("remove {names}"),
    };
    (message, help)
}

/// Describes two fields whose names form a pair but whose values don't, with a third field that may be the right one.
fn mixed_values(profile: &Profile, whole: [PairValue<'_>; 2], spare: &[PairValue<'_>], s3: bool) -> (String, String) {
    let message = format!(
        "`{}` has fields of both key pairs, and the values of {} do not belong together",
        profile.id,
        list(&whole)
    );
    let all: Vec<_> = whole.iter().chain(spare).copied().collect();
    let known = |half: &&PairValue<'_>| half.holds_id() || half.holds_key();
    let known: Vec<_> = all.iter().filter(known).copied().collect();
    let pairs = known.iter().enumerate().flat_map(|(at, one)| known[at + 1..].iter().map(move |other| (*one, *other)));
    let usable = |pair: &MatchingPair<'_>| !(s3 && pair.is_refused_by_s3());
    let matching: Vec<_> =
        pairs.filter_map(|(one, other)| MatchingPair::from_values(one, other)).filter(usable).collect();
    let help = match matching[..] {
        [pair] => {
            let right_fields = pair.right_fields();
            let rest: Vec<_> = all.into_iter().filter(|half| !right_fields.contains(&half.field())).collect();
            let sets = [pair.id, pair.key].into_iter().zip(right_fields).filter(|(half, home)| half.field() != *home);
            let sets: Vec<_> =
                sets.map(|(half, home)| format!("set `{home}` to the value of `{}`", half.field())).collect();
            let exchanged = [pair.key.field(), pair.id.field()] == right_fields;
            let sets = if exchanged {
                format!("swap the values of `{}` and `{}`", right_fields[0], right_fields[1])
            } else {
                sets.join(" and ")
            };
            format!("{sets}, then remove {}", list(&rest))
        }
        _ => complete_pair(profile, s3),
    };
    (message, help)
}
