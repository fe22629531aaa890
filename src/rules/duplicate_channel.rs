use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::config::{Element, Profile};
use crate::profile::Messaging;
use crate::rule::{Draft, Sink, rule};
use crate::schema::value::ChannelId;

rule! {
    #[doc = include_str!("../../docs/rules/duplicate-channel.md")]
    DuplicateChannel: profile {
        id: "duplicate-channel",
        summary: "a channel listed twice",
        severity: Warning, impact: None, scope: "messaging", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(messaging) = Messaging::from_profile(profile) else { return };
    let mut first: HashMap<&ChannelId, &Element> = HashMap::new();
    for channel in messaging.channels() {
        let Some(Ok(id)) = channel.channel() else { continue };
        match first.entry(id) {
            Entry::Vacant(entry) => {
                entry.insert(channel);
            }
            Entry::Occupied(entry) => {
                let first = entry.get();
                let message = format!("`{}` lists the same channel twice", profile.id);
                let draft = Draft::new(message, "remove one of them; a file is shared once in each channel");
                let draft = draft.at(&channel.key, channel.value_at(), "listed again here");
                sink.push(draft.at(&first.key, first.value_at(), "first listed here"));
            }
        }
    }
}
