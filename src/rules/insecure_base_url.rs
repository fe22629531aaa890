use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::{Messaging, Profile, Storage};

rule! {
    #[doc = include_str!("../../docs/rules/insecure-base-url.md")]
    InsecureBaseUrl {
        id: "insecure-base-url",
        summary: "plain http beyond this machine, which would show the credential to the network",
        severity: Severity::Error,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for InsecureBaseUrl {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn messaging(&self, messaging: &Messaging, profile: &Profile, sink: &mut Sink<'_>) {
        let (Some(base_url), Some(Ok(address))) = (&messaging.base_url, &messaging.address) else { return };
        if !address.is_https() && !address.is_loopback() {
            let message = format!("`{}` would send its token unencrypted to {}", profile.id, address.origin());
            let help = "use `https://`; plain http is for `localhost`, `127.0.0.0/8` and `::1` only";
            sink.push(Draft::new(message, help).value(base_url, "plain http"));
        }
    }

    fn storage(&self, storage: &Storage, profile: &Profile, sink: &mut Sink<'_>) {
        let (Some(api_url), Some(Ok(address))) = (&storage.api_url, &storage.api) else { return };
        if !address.is_https() && !address.is_loopback() {
            let message = format!("`{}` would send its key unencrypted to {}", profile.id, address.origin());
            let help = "use `https://`; plain http is for `localhost`, `127.0.0.0/8` and `::1` only";
            sink.push(Draft::new(message, help).value(api_url, "plain http"));
        }
    }
}
