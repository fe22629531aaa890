use crate::config::Profile;
use crate::profile::{self, PairByName, Storage, complete_pair};
use crate::rule::{Draft, Sink, rule};
use crate::schema::Kind;
use crate::services::Pair;

rule! {
    #[doc = include_str!("../../docs/rules/missing-key-pair.md")]
    MissingKeyPair: profile {
        id: "missing-key-pair",
        summary: "no key pair",
        severity: Error, impact: Unfit, scope: "storage", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    // Empty fields are `empty-credential`, misspelt ones `unknown-field`.
    if matches!(PairByName::from_profile(profile), Some(PairByName::Missing)) && !profile::explains_absence(profile) {
        let message = format!("`{}` has no credentials", profile.id);
        let s3 = Storage::from_profile(profile).and_then(Storage::s3).is_some();
        let help = if s3 { complete_pair(profile, s3) } else { either(profile.kind()) };
        sink.push(Draft::new(message, help).at(&profile.id.to_string(), profile.at, "no key pair in this profile"));
    }
}

fn either(kind: &Kind) -> String {
    let ways = kind.pairs.iter().map(|Pair { id, key, .. }| format!("`{}` and `{}`", id.field, key.field));
    format!("set {}", ways.collect::<Vec<_>>().join(", or "))
}
