use crate::config::{Found, Profile};
use crate::finding::Severity;
use crate::form::Form;
use crate::profile::{Standing, standings};
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/webhook-as-token.md")]
    WebhookAsToken {
        id: "webhook-as-token",
        summary: "a URL where the access token should be",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for WebhookAsToken {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        for (token, _, standing) in standings(profile) {
            if standing != Standing::UrlAsToken {
                continue;
            }
            let field = token.field.name;
            // The two in each other's place are one mistake.
            let other = profile.setting("webhook_url").filter(|other| other.what().is_some_and(Form::is_access_token));
            let part = matches!(token.what(), Some(Form::WebhookPath));
            let what = if part { "part of a webhook URL" } else { "a URL" };
            let access = token.field.forms.iter().copied().any(Form::is_access_token);
            let wanted = if access { "an access token" } else { "an app-level token" };
            let message = format!("the {field} of `{}` is {what}, not {wanted}", profile.id);
            if let Some(other) = other {
                let help = "exchange the two: `token` takes the access token, `webhook_url` the URL";
                let draft = Draft::new(message, help).value(token, format!("this is {what}"));
                sink.push(draft.value(other, "this is the access token"));
                continue;
            }
            let help = match profile.kind().field("webhook_url") {
                Some(_) => {
                    "a webhook URL can't be used in place of a token: set `token` to an access token, and keep the URL, if it is needed, in `webhook_url`".to_owned()
                }
                None => format!("a webhook URL can't be used in place of a token: set `{field}` to the token itself"),
            };
            sink.push(Draft::new(message, help).value(token, format!("this is {what}")));
        }
    }

    fn found(&self, profile: &Profile, _: &Found, sink: &mut Sink<'_>) {
        for (token, _, standing) in standings(profile) {
            // Another address may be what that program takes under the name.
            if standing != Standing::UrlAsToken || !token.what().is_some_and(Form::is_webhook) {
                continue;
            }
            let wanted = profile.kind().wanted(token.field);
            let message = format!("`{}` is a webhook URL, not a token", token.name());
            let help = format!("set `{}` to {wanted}; a webhook URL goes under a name of its own", token.name());
            sink.push(Draft::new(message, help).value(token, "this is a webhook URL"));
        }
    }
}
