use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::Standing;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::{Address, Type};

rule! {
    #[doc = include_str!("../../docs/rules/malformed-base-url.md")]
    MalformedBaseUrl {
        id: "malformed-base-url",
        summary: "an address that is not a plain http or https URL",
        severity: Severity::Error,
        harm: Harm::None,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for MalformedBaseUrl {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let sent = profile.addresses().filter(|(setting, _)| matches!(setting.field.ty, Type::Url(Address::Api)));
        for (setting, address) in sent {
            let Err(flaw) = address else { continue };
            // A reference or a token in its place is a mistake of its own.
            if Standing::of_setting(profile, setting).is_wrong() {
                continue;
            }
            let message = format!("the `{}` of `{}` {}", setting.field.name, profile.id, flaw.describe());
            let help = format!(
                "write scheme, host and, if needed, port and path, such as `{}`; a credential never belongs in it",
                setting.field.example
            );
            sink.push(Draft::new(message, help).value(setting, flaw.describe()));
        }
    }
}
