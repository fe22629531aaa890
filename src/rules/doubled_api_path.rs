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
            let message = format!("the `base_url` of `{}` ends in `/api`, which credlint adds itself", profile.id);
            let help = match address.elsewhere() {
                // At that host there is no API, with or without it.
                Some(_) => format!("set `base_url` to `{}`", address.home()),
                None => "remove `/api` and what follows: the operation is `{base_url}/api/files.upload`".to_owned(),
            };
            sink.push(Draft::new(message, help).value(base_url, "`/api` would stand here twice"));
        }
    }
}
