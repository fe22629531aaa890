//! What a service said of a pair.

use super::answer::{ProfileAnswer, halves, unknowable};
use crate::config::Profile;
use crate::lint::live::Life;
use crate::profile::Storage;
use crate::rule::Draft;
use crate::rules::live;
use crate::upload::Allowed;

pub fn alive_pair(answer: &mut ProfileAnswer, profile: &Profile, allowed: Allowed) {
    answer.live.state = Life::Alive;
    let halves = halves(profile);
    if let (true, Some(&id)) = (allowed.deleted, halves.first()) {
        let message = format!("the key of `{}` is for a bucket that was deleted: it reaches none", profile.id);
        let help = "make a key for the bucket that is used now, and set both halves of the pair";
        let draft = Draft::new(message, help).value(id, "its bucket was deleted");
        answer.add(profile, &live::BUCKET, draft);
    } else if let (Some(bucket), Some(&id)) = (Storage::of_profile(profile).and_then(Storage::bucket), halves.first()) {
        let names = allowed.buckets.as_deref().unwrap_or_default().join(", ");
        let is_for = if names.is_empty() { "is for other buckets".to_owned() } else { format!("is for {names}") };
        if allowed.agrees == Some(false) {
            let message = format!("the key of `{}` {is_for}, and not for the bucket of the profile", profile.id);
            let help = "make a key for this bucket and set both halves of the pair, or mend `bucket`";
            let draft = Draft::new(message, help).value(bucket, "not a bucket of the key").key(id, is_for);
            answer.add(profile, &live::BUCKET, draft);
        } else if allowed.agrees.is_none() {
            let message = format!("the service does not say which buckets the key of `{}` is for", profile.id);
            let help = "nothing needs to be done: whether it reaches the bucket is seen when it is used";
            let draft = Draft::new(message, help).key(bucket, "not known");
            answer.add(profile, &live::UNVERIFIED, unknowable(draft));
        }
    }
    answer.live.capabilities = Some(allowed.capabilities);
    answer.live.buckets = allowed.buckets;
}
