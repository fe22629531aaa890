use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::{Messaging, Profile};

rule! {
    #[doc = include_str!("../../docs/rules/malformed-channel.md")]
    MalformedChannel {
        id: "malformed-channel",
        summary: "a channel that can't be an id",
        severity: Severity::Error,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for MalformedChannel {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn messaging(&self, messaging: &Messaging, profile: &Profile, sink: &mut Sink<'_>) {
        for channel in &messaging.channel_list {
            if let Some(Err(flaw)) = &channel.id {
                let message = format!("a channel of `{}` {}", profile.id, flaw.describe());
                let help = "give each channel as one id of its own, such as `C0123456789`";
                sink.push(Draft::new(message, help).at(
                    &channel.key,
                    channel.found.unwrap_or(channel.at),
                    flaw.describe(),
                ));
            }
        }
    }
}
