use crate::config::Profile;
use crate::profile::{PairByName, PairValue, PairValues};
use crate::rule::{Sink, rule};

rule! {
    TwoKeyPairs("two-key-pairs"): profile, "fields from both key pairs",
    severity: Error, impact: Unfit, scope: "storage", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(PairByName::Two { whole: [id, key], spare }) = PairByName::from_profile(profile) else { return };
    let halves = PairValues::from_profile(profile);
    let (Some(id), Some(key)) = (halves.value_of(id), halves.value_of(key)) else { return };
    let spare: Vec<PairValue<'_>> = spare.into_iter().filter_map(|setting| halves.value_of(setting)).collect();
    // Where the ID is in the key's field, the key is in the ID's.
    let fits = id.pair_with(key).is_some() && !id.is_misplaced();
    let accounts_differ = fits && spare.iter().any(|half| !half.is_key_by_name() && half.is_of_other_account(id));
    let (name, whole, names) = (&profile.id, list(&[id, key]), list(&spare));
    let mut help = halves.advice();
    let mut message = match spare[..] {
        _ if !fits => {
            format!("`{name}` has fields of both key pairs, and the values of {whole} do not belong together")
        }
        [one] => {
            if one.is_account_in(id) {
                help += &format!(": the account ID is part of the keyID in `{}`", id.field());
            }
            format!("`{name}` has a complete key pair, {whole}, plus a stray {names}")
        }
        _ => {
            help += "; to use both, make a profile for each pair";
            format!("`{name}` has two key pairs: {whole}, and {names}")
        }
    };
    if accounts_differ {
        message += if spare.len() > 1 { ", from different accounts" } else { ", from a different account" };
        help += "; the keyID in `application_key_id` does not belong to the account in `account_id`, so find out first which account is intended";
    }
    let text = |half: PairValue<'_>, name: &str, other_account: bool| match half.looks_like() {
        _ if other_account && !half.is_key_by_name() => format!("{name}, from a different account"),
        Some(looks) if !fits || !half.fits_name() => format!("looks like {looks}"),
        _ => name.to_owned(),
    };
    let stray = if spare.len() > 1 { "the other pair" } else { "not part of the pair" };
    let complete = if fits { "complete pair" } else { "these two do not belong together" };
    let draft = spare
        .into_iter()
        .fold(finding(message, help), |draft, half| draft.key(half.setting, text(half, stray, accounts_differ)));
    let draft = draft.key(id.setting, text(id, complete, false)).key(key.setting, text(key, complete, false));
    sink.push(draft.values(halves.refused_at(), "the S3-compatible API"));
}

fn list(halves: &[PairValue<'_>]) -> String {
    halves.iter().map(|half| format!("`{}`", half.field())).collect::<Vec<_>>().join(" and ")
}
