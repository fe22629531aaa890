use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::Messaging;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/doubled-api-path.md")]
    DoubledApiPath {
        id: "doubled-api-path",
        summary: "an address that already ends in the `/api` that is added to it",
        severity: Severity::Error,
        harm: Harm::None,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for DoubledApiPath {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(messaging) = Messaging::of_profile(profile) else { return };
        let (Some(base_url), Some(Ok(address))) = (messaging.base_url(), messaging.address()) else { return };
        if address.repeats_api() {
            let message = format!("the base URL of `{}` already ends in what is added to it", profile.id);
            let help = "end `base_url` before `/api`: the operation is `{base_url}/api/files.upload`";
            sink.push(Draft::new(message, help).value(base_url, "`/api` would stand here twice"));
        }
    }
}
