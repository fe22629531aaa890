use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::{Messaging, Profile};

rule! {
    #[doc = include_str!("../../docs/rules/missing-base-url.md")]
    MissingBaseUrl {
        id: "missing-base-url",
        summary: "no address of the service",
        severity: Severity::Error,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for MissingBaseUrl {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn messaging(&self, messaging: &Messaging, profile: &Profile, sink: &mut Sink<'_>) {
        let message = format!("`{}` does not say where the service is", profile.id);
        let draft =
            Draft::new(message, "set `base_url` to the address of the service, such as `https://chat.example.com`");
        match &messaging.base_url {
            None if !profile.lacks("base_url") => {}
            None => sink.push(draft.at(&profile.id.to_string(), profile.at, "no `base_url` in this profile")),
            Some(base_url) if !base_url.is_present() => sink.push(draft.value(base_url, "set, but empty")),
            Some(_) => {}
        }
    }
}
