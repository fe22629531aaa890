use crate::config::{Element, Profile};
use crate::finding::Severity;
use crate::profile::Messaging;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/duplicate-channel.md")]
    DuplicateChannel {
        id: "duplicate-channel",
        summary: "a channel listed twice",
        severity: Severity::Warning,
        harm: Harm::None,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for DuplicateChannel {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(messaging) = Messaging::of_profile(profile) else { return };
        let channels = messaging.channels();
        for (index, channel) in channels.iter().enumerate() {
            let Some(Ok(id)) = channel.channel() else { continue };
            let same = |other: &&Element| matches!(other.channel(), Some(Ok(other)) if other == id);
            if let Some(first) = channels[..index].iter().find(same) {
                let message = format!("`{}` lists a channel twice", profile.id);
                let draft = Draft::new(message, "remove one of the two: the file is shared once in each channel");
                let draft = draft.at(&channel.key, channel.value_at(), "again here");
                sink.push(draft.at(&first.key, first.value_at(), "first here"));
            }
        }
    }
}
