use crate::config::Profile;
use crate::finding::Severity;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::{Secret, Type};

rule! {
    #[doc = include_str!("../../docs/rules/webhook-as-token.md")]
    WebhookAsToken {
        id: "webhook-as-token",
        summary: "a URL where the access token should be",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for WebhookAsToken {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        for token in profile.settings.iter().filter(|setting| matches!(setting.field.ty, Type::Secret(Secret::Token))) {
            if token.facts().is_some_and(|facts| facts.url) {
                let message = format!("the {} of `{}` is a URL, not an access token", token.field.name, profile.id);
                let help = "a webhook URL can't be used in place of a token: set `token` to an access token, and keep the URL, if it is needed, in `webhook_url`";
                sink.push(Draft::new(message, help).value(token, "this value is a URL"));
            }
        }
    }
}
