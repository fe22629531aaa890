use crate::config::Profile;
use crate::profile::{PairByName, PairValues, explains_absence};
use crate::rule::{Sink, rule};

rule! {
    MissingKeyPair("missing-key-pair"): profile, "no key pair",
    severity: Error, impact: Unfit, scope: "storage", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    // Empty fields are `empty-credential`, misspelt ones `unknown-field`.
    if matches!(PairByName::from_profile(profile), Some(PairByName::Missing)) && !explains_absence(profile) {
        let draft = finding(format!("`{}` has no credentials", profile.id), PairValues::from_profile(profile).advice());
        sink.push(draft.at(&profile.id.to_string(), profile.at, "no key pair in this profile"));
    }
}
