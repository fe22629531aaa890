use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::Messaging;
use crate::rule::{Draft, Sink, rule};
use crate::schema::Method;
use crate::schema::value::ChannelFlaw;

rule! {
    #[doc = include_str!("../../docs/rules/channel-name.md")]
    ChannelName: profile {
        id: "channel-name",
        summary: "a channel name instead of a channel ID",
        severity: Warning, impact: None, scope: "messaging", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(messaging) = Messaging::from_profile(profile) else { return };
    let severity = match messaging.method() {
        // This method accepts IDs only: https://docs.slack.dev/reference/methods/files.completeUploadExternal.
        Some(Method::External) => Severity::Error,
        _ if messaging.is_hosted() => Severity::Error,
        _ => Severity::Warning,
    };
    for channel in messaging.channels() {
        if messaging.flaw(channel) == Some(ChannelFlaw::Name) {
            let message = format!("`{}` lists a channel by name, not by ID", profile.id);
            let help = "use the channel ID, which the service shows in the channel's details; it stays the same when the channel is renamed";
            let draft = Draft::new(message, help).severity(severity);
            sink.push(draft.at(&channel.key, channel.value_at(), "a name, not an ID"));
        }
    }
}
