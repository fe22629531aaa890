use crate::config::Profile;
use crate::profile::Messaging;
use crate::rule::{Draft, Sink, rule};
use crate::schema::value::ChannelFlaw;

rule! {
    #[doc = include_str!("../../docs/rules/malformed-channel.md")]
    MalformedChannel: profile {
        id: "malformed-channel",
        summary: "a channel that can't be a channel ID",
        severity: Error, impact: None, scope: "messaging", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(messaging) = Messaging::from_profile(profile) else { return };
    for channel in messaging.channels() {
        let Some(flaw) = messaging.flaw(channel).filter(|flaw| *flaw != ChannelFlaw::Name) else { continue };
        let message = format!("a channel of `{}` {}", profile.id, flaw.describe());
        let draft = Draft::new(message, flaw.advice(messaging.is_hosted()));
        sink.push(draft.at(&channel.key, channel.value_at(), flaw.describe()));
    }
}
