use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::{Messaging, Profile};

rule! {
    #[doc = include_str!("../../docs/rules/missing-token.md")]
    MissingToken {
        id: "missing-token",
        summary: "neither an access token nor a webhook URL",
        severity: Severity::Error,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for MissingToken {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn messaging(&self, _: &Messaging, profile: &Profile, sink: &mut Sink<'_>) {
        // Set empty is `empty-credential`; beside a webhook it is `webhook-without-token`.
        if profile.lacks("token") && profile.lacks("webhook_url") {
            let message = format!("`{}` has no access token", profile.id);
            let help = "set `token`, best as a reference such as `{ env = \"NAME\" }`";
            sink.push(Draft::new(message, help).at(&profile.id.to_string(), profile.at, "no `token` in this profile"));
        }
    }
}
