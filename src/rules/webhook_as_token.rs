use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::{Messaging, Profile};

rule! {
    #[doc = include_str!("../../docs/rules/webhook-as-token.md")]
    WebhookAsToken {
        id: "webhook-as-token",
        summary: "a URL where the access token should be",
        severity: Severity::Error,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for WebhookAsToken {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn messaging(&self, messaging: &Messaging, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(token) = messaging.token.as_ref().filter(|token| token.facts().is_some_and(|facts| facts.url)) else {
            return;
        };
        let message = format!("the token of `{}` is a URL, not an access token", profile.id);
        let help = "a webhook URL can't be used in place of a token: set `token` to an access token, and keep the URL, if it is needed, in `webhook_url`";
        sink.push(Draft::new(message, help).value(token, "this value is a URL"));
    }
}
