use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::messaging::Channel;
use crate::profile::{Messaging, Profile};

rule! {
    #[doc = include_str!("../../docs/rules/duplicate-channel.md")]
    DuplicateChannel {
        id: "duplicate-channel",
        summary: "a channel listed twice",
        severity: Severity::Warning,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for DuplicateChannel {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn messaging(&self, messaging: &Messaging, profile: &Profile, sink: &mut Sink<'_>) {
        let channels = &messaging.channel_list;
        for (index, channel) in channels.iter().enumerate() {
            let Some(Ok(id)) = &channel.id else { continue };
            let same = |other: &&Channel| matches!(&other.id, Some(Ok(other)) if other == id);
            if let Some(first) = channels[..index].iter().find(same) {
                let message = format!("`{}` lists a channel twice", profile.id);
                let draft = Draft::new(message, "remove one of the two: the file is shared once in each channel");
                let draft = draft.at(&channel.key, channel.found.unwrap_or(channel.at), "again here");
                sink.push(draft.at(&first.key, first.found.unwrap_or(first.at), "first here"));
            }
        }
    }
}
