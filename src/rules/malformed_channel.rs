use std::collections::HashMap;

use crate::config::{Element, Profile};
use crate::finding::{Finding, Severity};
use crate::profile::Messaging;
use crate::rule::{Sink, rule};
use crate::schema::Method;
use crate::schema::value::{ChannelFlaw, ChannelId};

rule! {
    MalformedChannel("malformed-channel"): profile, "a channel that is malformed, given by name, or listed twice",
    severity: Error, impact: None, scope: "messaging", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(messaging) = Messaging::from_profile(profile) else { return };
    let (id, hosted) = (&profile.id, messaging.is_hosted());
    let sample = profile.kind().field("channels").map(|field| field.example);
    let mut listed: HashMap<&ChannelId, &Element> = HashMap::new();
    for channel in messaging.channels() {
        let at = |draft: Finding, text| draft.at(&channel.key, channel.value_at(), text);
        match messaging.flaw(channel) {
            Some(ChannelFlaw::Name) => {
                // This method accepts IDs only: https://docs.slack.dev/reference/methods/files.completeUploadExternal.
                let refused = hosted || messaging.method() == Some(Method::External);
                let message = format!("`{id}` lists a channel by name, not by ID");
                let help = "use the channel ID, which the service shows in the channel's details; it stays the same when the channel is renamed";
                let severity = if refused { Severity::Error } else { Severity::Warning };
                sink.push(at(finding(message, help).severity(severity), "a name, not an ID"));
            }
            Some(flaw) => {
                let message = format!("a channel of `{id}` {}", flaw.describe());
                sink.push(at(finding(message, flaw.advice(hosted)), flaw.describe()));
            }
            None => {}
        }
        let Some(Ok(channel_id)) = channel.channel() else { continue };
        if Some(channel_id.as_str()) == sample {
            let message = format!("`{id}` lists the channel of the sample that `credlint init` writes");
            let help = "use the channel ID, which the service shows in the channel's details";
            sink.push(at(finding(message, help).severity(Severity::Warning), "the sample"));
        }
        let first = *listed.entry(channel_id).or_insert(channel);
        if first.key != channel.key {
            let message = format!("`{id}` lists the same channel twice");
            let help = "remove one of them; a file is shared once in each channel";
            let draft = at(finding(message, help).severity(Severity::Warning), "listed again here");
            sink.push(draft.at(&first.key, first.value_at(), "first listed here"));
        }
    }
}
