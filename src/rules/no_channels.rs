use crate::config::Profile;
use crate::profile::Messaging;
use crate::rule::{Sink, rule};

rule! {
    NoChannels("no-channels"): profile, "no channels to share files in",
    severity: Warning, impact: None, scope: "messaging", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    if Messaging::from_profile(profile).is_none() {
        return;
    }
    let message = format!("`{}` has no channels to share files in", profile.id);
    let draft = finding(message, "set `channels` to a list of channel IDs, or pass `--channel` with every upload");
    match profile.setting("channels") {
        None if !profile.lacks("channels") => {}
        None => sink.push(draft.at(&profile.id.to_string(), profile.at, "no `channels` in this profile")),
        Some(channels) if !channels.is_present() => sink.push(draft.value(channels, "an empty list")),
        Some(_) => {}
    }
}
