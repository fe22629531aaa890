use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::Standing;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::value::UrlFlaw;
use crate::schema::{Address, Type};

rule! {
    #[doc = include_str!("../../docs/rules/malformed-endpoint.md")]
    MalformedEndpoint {
        id: "malformed-endpoint",
        summary: "an endpoint that is no host or address, or carries credentials",
        severity: Severity::Error,
        harm: Harm::None,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for MalformedEndpoint {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let used = profile.addresses().filter(|(setting, _)| matches!(setting.field.ty, Type::Url(Address::Endpoint)));
        for (setting, address) in used {
            let Err(flaw) = address else { continue };
            // A reference or a token in its place is a mistake of its own.
            if Standing::of_setting(profile, setting).is_wrong() {
                continue;
            }
            let (field, what) = (setting.field.name, describe(flaw));
            let message = format!("the `{field}` of `{}` {what}", profile.id);
            let help = match flaw {
                UrlFlaw::UserPart => "remove everything up to the `@`; credentials go into fields of their own, and this one should be replaced if others could read it".to_owned(),
                UrlFlaw::Website => {
                    format!("set `{field}` to the address of the API; the console shows it with the bucket")
                }
                _ => format!("write a host, or an address such as `{}`", setting.field.example),
            };
            sink.push(Draft::new(message, help).value(setting, what));
        }
    }
}

/// Other programs take a host without a scheme, too.
fn describe(flaw: UrlFlaw) -> &'static str {
    match flaw {
        UrlFlaw::NotHttp => "is not a host, or an http or https address",
        flaw => flaw.describe(),
    }
}
