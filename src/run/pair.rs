//! Findings from a service's answer about a key pair.

use super::answer::{ProfileAnswer, credential_settings, unknowable};
use crate::config::Profile;
use crate::lint::live::Validity;
use crate::profile::Storage;
use crate::rule::Draft;
use crate::rules::live;
use crate::upload::KeyPermissions;

pub fn check_pair(answer: &mut ProfileAnswer, profile: &Profile, allowed: KeyPermissions) {
    answer.live.state = Validity::Valid;
    let credential_settings = credential_settings(profile);
    if let (true, Some(&id)) = (allowed.deleted, credential_settings.first()) {
        let message = format!("the key of `{}` is restricted to a bucket that was deleted", profile.id);
        let help = "create a key for the bucket you use now, and set both the keyID and the key";
        let draft = Draft::new(message, help).value(id, "its bucket was deleted");
        answer.add(profile, &live::BUCKET, draft);
    } else if let (Some(bucket), Some(&id)) =
        (Storage::from_profile(profile).and_then(Storage::bucket), credential_settings.first())
    {
        let names = allowed.buckets.as_deref().unwrap_or_default().join(", ");
        let is_for = if names.is_empty() {
            "is restricted to other buckets".to_owned()
        } else {
            format!("is restricted to {names}")
        };
        if allowed.agrees == Some(false) {
            let message = format!("the key of `{}` {is_for} and can't access the bucket of this profile", profile.id);
            let help = "create a key for this bucket and set both the keyID and the key, or correct `bucket`";
            let draft = Draft::new(message, help).value(bucket, "not accessible with this key").key(id, is_for);
            answer.add(profile, &live::BUCKET, draft);
        } else if allowed.agrees.is_none() {
            let message = format!("the service did not say which buckets the key of `{}` is restricted to", profile.id);
            let help = "no action needed; the first use of the bucket shows whether the key can access it";
            let draft = Draft::new(message, help).key(bucket, "not verified");
            answer.add(profile, &live::UNVERIFIED, unknowable(draft));
        }
    }
    answer.live.capabilities = Some(allowed.capabilities);
    answer.live.buckets = allowed.buckets;
}
