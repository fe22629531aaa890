use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::{Messaging, Profile, Storage};

rule! {
    #[doc = include_str!("../../docs/rules/malformed-base-url.md")]
    MalformedBaseUrl {
        id: "malformed-base-url",
        summary: "an address that is not a plain http or https URL",
        severity: Severity::Error,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for MalformedBaseUrl {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn messaging(&self, messaging: &Messaging, profile: &Profile, sink: &mut Sink<'_>) {
        let (Some(base_url), Some(Err(flaw))) = (&messaging.base_url, &messaging.address) else { return };
        let message = format!("the base URL of `{}` {}", profile.id, flaw.describe());
        let help = "write scheme, host and, if needed, port and path, such as `https://chat.example.com`; a credential never belongs in it";
        sink.push(Draft::new(message, help).value(base_url, flaw.describe()));
    }

    fn storage(&self, storage: &Storage, profile: &Profile, sink: &mut Sink<'_>) {
        let (Some(api_url), Some(Err(flaw))) = (&storage.api_url, &storage.api) else { return };
        let message = format!("the `api_url` of `{}` {}", profile.id, flaw.describe());
        let help = "write scheme and host, such as `https://api.backblazeb2.com`; a credential never belongs in it";
        sink.push(Draft::new(message, help).value(api_url, flaw.describe()));
    }
}
