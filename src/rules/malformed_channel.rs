use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::Messaging;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::value::ChannelFlaw;

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
            let Some(flaw) = messaging.flaw(channel).filter(|flaw| *flaw != ChannelFlaw::Name) else { continue };
            let message = format!("a channel of `{}` {}", profile.id, flaw.describe());
            let draft = Draft::new(message, help(flaw, messaging.is_hosted()));
            sink.push(draft.at(&channel.key, channel.value_at(), format!("this {}", flaw.describe())));
        }
    }
}

const fn help(flaw: ChannelFlaw, hosted: bool) -> &'static str {
    match flaw {
        ChannelFlaw::Url | ChannelFlaw::Link if hosted => {
            "give the ID alone: in a link to a channel it is the part after `/archives/`"
        }
        ChannelFlaw::Case => "write the ID in capitals, as Slack shows it",
        ChannelFlaw::Mark => "give the ID alone, without the `#` or `@`",
        ChannelFlaw::Mention => {
            "give the ID alone: in `<#C…|name>` and `<@U…>` it stands between the mark and the `|` or `>`"
        }
        ChannelFlaw::List => {
            "in a variable, write the IDs without brackets and quotes, joined by commas; in a file, one ID for each element"
        }
        ChannelFlaw::Quotes => "give the ID alone, without the quotes",
        ChannelFlaw::Thread => "give the ID alone; to answer a message, use `credlint upload --thread` with its time",
        ChannelFlaw::Path => "give the ID alone: it begins with `C`, `G` or `D` and ends at the next `/`",
        ChannelFlaw::Email => "give the ID of the conversation: Slack takes no e-mail address here",
        ChannelFlaw::Workspace => {
            "give the ID of the channel, which begins with `C`, `G` or `D`; the ID of the workspace belongs in `workspace`"
        }
        ChannelFlaw::Object | ChannelFlaw::Time | ChannelFlaw::Other => {
            "give the ID of the channel, which begins with `C`, `G` or `D`; Slack shows it in the details of the channel"
        }
        ChannelFlaw::Short => "copy the whole ID again: those of Slack have at least 9 characters, mostly 11",
        _ => "give each channel as one ID of its own, such as `C0123456789`",
    }
}
