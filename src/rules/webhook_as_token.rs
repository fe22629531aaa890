use crate::config::{ForeignProfile, Profile};
use crate::profile::{Assessment, assessments};
use crate::rule::{Draft, Sink, rule};
use crate::services::Form;

rule! {
    #[doc = include_str!("../../docs/rules/webhook-as-token.md")]
    WebhookAsToken: declared, found {
        id: "webhook-as-token",
        summary: "a URL instead of an access token",
        severity: Error, impact: Unfit, scope: "any", readers: ALL, since: "0.1.0",
    }
}

fn declared(profile: &Profile, sink: &mut Sink<'_>) {
    for (token, _, assessment) in assessments(profile) {
        if assessment != Assessment::UrlAsToken {
            continue;
        }
        let field = token.field.name;
        // If the two are swapped, that is one mistake.
        let other = profile.setting("webhook_url").filter(|other| other.what().is_some_and(Form::is_access_token));
        let path = token.facts().is_some_and(|facts| !facts.url);
        let part = path && token.what().is_some_and(|form| form.is_webhook() && form.is_cut());
        let what = if part { "part of a webhook URL" } else { "a URL" };
        let access = token.field.forms.iter().copied().any(Form::is_access_token);
        let wanted = if access { "an access token" } else { "an app-level token" };
        let message = format!("the `{field}` of `{}` is {what}, not {wanted}", profile.id);
        if let Some(other) = other {
            let help = "swap the two: `token` takes the access token, and `webhook_url` takes the URL";
            let draft = Draft::new(message, help).value(token, what);
            sink.push(draft.value(other, "the access token"));
            continue;
        }
        let help = match profile.kind().field("webhook_url") {
            Some(_) => "set `token` to an access token, and move the URL to `webhook_url` if you need it".to_owned(),
            None => format!("set `{field}` to the token itself"),
        };
        sink.push(Draft::new(message, help).value(token, what));
    }
}

fn found(profile: &Profile, _: &ForeignProfile, sink: &mut Sink<'_>) {
    for (token, _, assessment) in assessments(profile) {
        // The program may use this name for another address. White space around a webhook does not make it one.
        let form = token.facts().and_then(|facts| facts.reading.form);
        if assessment != Assessment::UrlAsToken || !form.is_some_and(Form::is_webhook) {
            continue;
        }
        let wanted = profile.kind().wanted(token.field);
        let message = format!("`{}` is a webhook URL, not a token", token.name());
        let help = format!("set `{}` to {wanted}, and put the webhook URL under a name of its own", token.name());
        sink.push(Draft::new(message, help).value(token, "a webhook URL"));
    }
}
