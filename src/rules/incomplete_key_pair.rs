use crate::config::{ForeignProfile, Profile, Setting};
use crate::profile::{PairByName, PairValue, PairValues, explains_absence};
use crate::rule::absence::{self, Absence};
use crate::rule::{Sink, rule};
use crate::schema::Role;

rule! {
    IncompleteKeyPair("incomplete-key-pair"): profile,
    "an incomplete key pair: an ID without its key, two IDs or two keys",
    severity: Error, impact: Unfit, scope: "storage", readers: ALL, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(PairByName::Incomplete { present }) = PairByName::from_profile(profile) else { return };
    // An empty field is `empty-credential`, a misspelt one `unknown-field`.
    if explains_absence(profile) {
        return;
    }
    if let Some(found) = &profile.found {
        return report_pair_in_one_value(profile, found, &present, sink);
    }
    let (name, halves) = (&profile.id, PairValues::from_profile(profile));
    let partner = |half: PairValue<'_>| profile.kind().partner(half.field()).unwrap_or_default();
    let message = match halves.all[..] {
        [half] if half.fits_name() => format!("`{name}` has `{}` but no `{}`", half.field(), partner(half)),
        [half] => format!("`{name}` has an incomplete key pair: `{}` holds {}", half.field(), half.noun()),
        [one, other] => match one.pair_with(other) {
            Some(pair) => format!("`{name}` has {} and its ID in fields that are not a pair", pair.key.noun),
            None if !one.fits_name() || !other.fits_name() => {
                format!("`{}` and `{}` of `{name}` are not a key pair", one.field(), other.field())
            }
            None if one.is_key_by_name() => format!("`{name}` has two keys but no ID"),
            None => format!("`{name}` has two IDs but no key"),
        },
        _ => return,
    };
    let text = |half: PairValue<'_>| match half.looks_like() {
        Some(looks) if !half.fits_name() => format!("looks like {looks}"),
        _ => format!("`{}` is missing", partner(half)),
    };
    let draft = finding(message, halves.advice());
    let draft = halves.all.iter().fold(draft, |draft, &half| draft.key(half.setting, text(half)));
    sink.push(draft.values(halves.refused_at(), "the S3-compatible API"));
}

/// Reports a single value in another program's file that contains the complete pair.
fn report_pair_in_one_value(profile: &Profile, found: &ForeignProfile, present: &[&Setting], sink: &mut Sink<'_>) {
    let ([half], Some(program)) = (present, found.program.filter(|_| found.needs_pair)) else { return };
    let Some(severity) = absence::severity_of(Absence::Missing, profile) else { return };
    let missing = if half.field.role == Role::Secret { "the keyID" } else { "the applicationKey" };
    let message = format!("`{}` is set without {missing}, which {program} also needs", half.name());
    let help = format!("add {missing} to the same section");
    sink.push(finding(message, help).severity(severity).key(half, format!("{missing} is missing")));
}
