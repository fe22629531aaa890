use crate::config::Profile;
use crate::profile::{Assessment, assessments};
use crate::rule::{Draft, Sink, rule};
use crate::services::Form;

rule! {
    #[doc = include_str!("../../docs/rules/webhook-as-token.md")]
    WebhookAsToken: profile {
        id: "webhook-as-token",
        summary: "a URL instead of an access token",
        severity: Error, impact: Unfit, scope: "any", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for (token, _, assessment) in assessments(profile) {
        if assessment != Assessment::UrlAsToken {
            continue;
        }
        let (name, declared, Some(facts)) = (token.name(), profile.found.is_none(), token.facts()) else { continue };
        let what = match facts.reading.form.filter(|form| form.is_webhook()) {
            Some(form) if !facts.url && form.is_cut() => "part of a webhook URL",
            Some(_) => "a webhook URL",
            None => "a URL",
        };
        let message = format!("{} is {what}, not a token", profile.said(token));
        // If the two are swapped, that is one mistake.
        let other = profile.setting("webhook_url").filter(|other| other.what().is_some_and(Form::is_access_token));
        let help = match (declared, other, profile.kind().field("webhook_url")) {
            (true, Some(_), _) => {
                "swap the two: `token` takes the access token, and `webhook_url` takes the URL".to_owned()
            }
            (true, None, Some(_)) => {
                "set `token` to an access token, and move the URL to `webhook_url` if you need it".to_owned()
            }
            (true, None, None) => format!("set `{name}` to the token itself"),
            (false, ..) => {
                let wanted = profile.kind().wanted(token.field);
                format!("set `{name}` to {wanted}, and put the URL under a name of its own")
            }
        };
        let draft = Draft::new(message, help).value(token, what);
        sink.push(match other.filter(|_| declared) {
            Some(other) => draft.value(other, "the access token"),
            None => draft,
        });
    }
}
