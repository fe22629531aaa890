use crate::config::{Profile, Setting};
use crate::form::Wrapping;
use crate::profile::{Assessment, is_hosted};
use crate::rule::{Draft, Sink, rule};
use crate::schema::MESSAGING;
use crate::schema::value::{Flaw, NameFlaw};
use crate::services::{Form, slack};

rule! {
    #[doc = include_str!("../../docs/rules/malformed-workspace.md")]
    MalformedWorkspace: profile {
        id: "malformed-workspace",
        summary: "a name or a domain instead of a Slack workspace ID",
        severity: Error, impact: None, scope: "messaging", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    if *profile.kind() != MESSAGING || !is_hosted(profile) {
        return;
    }
    let Some(workspace) = profile.present("workspace") else { return };
    // Other rules report a reference or a token in this field.
    if Assessment::from_setting(profile, workspace).is_wrong() {
        return;
    }
    let Some(Err(Flaw::Id { flaw, lower })) = workspace.parsed() else { return };
    let (what, help) = describe(workspace, flaw, lower);
    let (message, text) = match what {
        Some(what) => (format!("is {what}, not a workspace ID"), what.to_owned()),
        None => ("is not a workspace ID".to_owned(), "workspace IDs look like `T0123456789`".to_owned()),
    };
    let message = format!("the `workspace` of `{}` {message}", profile.id);
    sink.push(Draft::new(message, help).value(workspace, text));
}

/// Where people find the ID of a workspace.
pub(crate) const LOOK: &str = "set `workspace` to the ID that begins with `T` or `E`; open Slack in a browser and copy it from the address, after `/client/`";

fn describe(workspace: &Setting, flaw: Option<NameFlaw>, lower: bool) -> (Option<&'static str>, String) {
    let reading = workspace.facts().map(|facts| facts.reading).unwrap_or_default();
    let plain = LOOK.to_owned();
    let is = |form: &Form| reading.form == Some(form);
    let (what, help) = match reading.wrapping {
        Some(Wrapping::Case) if is(&slack::WORKSPACE_ID) => {
            return (None, "write the ID in upper case, as Slack shows it".to_owned());
        }
        _ if is(&slack::WORKSPACE_ID) => return (None, "set `workspace` to the ID alone".to_owned()),
        None if is(&slack::CONVERSATION_ID) => ("a channel ID", format!("{LOOK}; a channel ID belongs in `channels`")),
        None if is(&slack::USER_ID) => ("a user ID", plain),
        None if is(&slack::OBJECT_ID) => ("the ID of an app, a bot, a file or a user group", plain),
        _ if matches!(flaw, Some(NameFlaw::Url | NameFlaw::Dot | NameFlaw::Slash)) => ("an address", plain),
        _ if lower => ("a name", plain),
        _ => return (None, plain),
    };
    (Some(what), help)
}
