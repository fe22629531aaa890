use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::Messaging;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/malformed-channel.md")]
    MalformedChannel {
        id: "malformed-channel",
        summary: "a channel that can't be an id",
        severity: Severity::Error,
        harm: Harm::None,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for MalformedChannel {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(messaging) = Messaging::of_profile(profile) else { return };
        for channel in messaging.channels() {
            if let Some(Err(flaw)) = channel.channel()
                && !messaging.is_wrong(channel)
            {
                let message = format!("a channel of `{}` {}", profile.id, flaw.describe());
                let help = "give each channel as one id of its own, such as `C0123456789`";
                sink.push(Draft::new(message, help).at(&channel.key, channel.value_at(), flaw.describe()));
            }
        }
    }
}
