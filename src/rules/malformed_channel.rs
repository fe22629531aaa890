use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::Messaging;
use crate::rule::{Draft, Impact, ReadBy, Rule, RuleMeta, Sink, rule};
use crate::schema::value::ChannelFlaw;

rule! {
    #[doc = include_str!("../../docs/rules/malformed-channel.md")]
    MalformedChannel {
        id: "malformed-channel",
        summary: "a channel that can't be a channel ID",
        severity: Severity::Error,
        impact: Impact::None,
        scope: "messaging",
        readers: ReadBy::DECLARED,
        since: "0.1.0",
    }
}

impl Rule for MalformedChannel {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(messaging) = Messaging::from_profile(profile) else { return };
        for channel in messaging.channels() {
            let Some(flaw) = messaging.flaw(channel).filter(|flaw| *flaw != ChannelFlaw::Name) else { continue };
            let message = format!("a channel of `{}` {}", profile.id, flaw.describe());
            let draft = Draft::new(message, help(flaw, messaging.is_hosted()));
            sink.push(draft.at(&channel.key, channel.value_at(), flaw.describe()));
        }
    }
}

const fn help(flaw: ChannelFlaw, hosted: bool) -> &'static str {
    match flaw {
        ChannelFlaw::Url | ChannelFlaw::Link if hosted => {
            "use the ID alone: in a link to a channel it is the part after `/archives/`"
        }
        ChannelFlaw::Case => "write the ID in upper case, as Slack shows it",
        ChannelFlaw::Mark => "use the ID alone, without the `#` or `@`",
        ChannelFlaw::Mention => {
            "use the ID alone: in `<#C…|name>` or `<@U…>` it is the part after `#` or `@`, up to the `|` or `>`"
        }
        ChannelFlaw::List => {
            "in a variable, write the IDs separated by commas, without brackets or quotes; in a file, write a list with one ID in each element"
        }
        ChannelFlaw::Quotes => "use the ID alone, without the quotes",
        ChannelFlaw::Thread => {
            "use the ID alone; to reply in a thread, pass the time of its first message to `credlint upload --thread`"
        }
        ChannelFlaw::Path => "use the ID alone: it begins with `C`, `G` or `D` and ends at the next `/`",
        ChannelFlaw::Email => "use the ID of the conversation: Slack does not accept an e-mail address here",
        ChannelFlaw::Workspace => {
            "use the channel ID, which begins with `C`, `G` or `D`; a workspace ID belongs in `workspace`"
        }
        ChannelFlaw::Object | ChannelFlaw::Time | ChannelFlaw::Other => {
            "use the channel ID, which begins with `C`, `G` or `D`; Slack shows it in the channel's details"
        }
        ChannelFlaw::Short => "copy the whole ID again: Slack IDs have at least 9 characters, usually 11",
        _ => "write each channel as a separate ID, such as `C0123456789`",
    }
}
