use std::collections::HashMap;

use crate::config::{Profile, Setting};
use crate::profile::{Assessment, PairByName, is_hosted, is_pair_reported};
use crate::rule::{Draft, Sink, rule};
use crate::secret::Digest;

rule! {
    #[doc = include_str!("../../docs/rules/one-id-two-keys.md")]
    OneIdTwoKeys: all_profiles {
        id: "one-id-two-keys",
        summary: "the same keyID with different keys in two profiles",
        severity: Warning, impact: Doubtful, scope: "storage", readers: NONE, since: "0.1.0",
    }
}

fn all_profiles(profiles: &[&Profile], sink: &mut Sink<'_>) {
    // The first profile with each ID.
    let mut first: HashMap<Digest, Pair<'_>> = HashMap::new();
    for pair in profiles.iter().copied().filter_map(Pair::from_profile) {
        let (Some(id), Some(key)) = (digest(pair.id), digest(pair.key)) else { continue };
        let one = *first.entry(id).or_insert(pair);
        if digest(one.key) == Some(key) {
            continue;
        }
        let message = format!("`{}` and `{}` have the same keyID but different keys", one.profile.id, pair.profile.id);
        let help = "a keyID has exactly one key: copy both again as they were shown together; if the key was regenerated, the old one no longer works";
        let draft = Draft::new(message, help).profile(pair.profile).value(pair.key, "one key").value(pair.id, "its ID");
        sink.push(draft.value(one.key, "another key").value(one.id, "the same ID"));
    }
}

/// A pair of the hosted service that other rules don't report.
#[derive(Clone, Copy)]
struct Pair<'a> {
    profile: &'a Profile,
    id: &'a Setting,
    key: &'a Setting,
}

impl<'a> Pair<'a> {
    fn from_profile(profile: &'a Profile) -> Option<Self> {
        let Some(PairByName::Fits { id, key }) = PairByName::from_profile(profile) else { return None };
        let recognised = [id, key]
            .into_iter()
            .all(|half| matches!(Assessment::from_setting(profile, half), Assessment::Recognised(_)));
        (recognised && is_hosted(profile) && !is_pair_reported(profile)).then_some(Self { profile, id, key })
    }
}

fn digest(setting: &Setting) -> Option<Digest> {
    setting.facts().map(|facts| facts.digest)
}
