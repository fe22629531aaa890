use crate::config::{Profile, Setting};
use crate::finding::Severity;
use crate::form::Form;
use crate::profile::Standing;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::value::UrlFlaw;
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
            // A reference or a token in its place is a mistake of its own, and so is a webhook.
            if Standing::of_setting(profile, setting).is_wrong() || setting.what().is_some_and(Form::is_webhook) {
                continue;
            }
            let message = format!("the `{}` of `{}` {}", setting.field.name, profile.id, flaw.describe());
            let help = help(setting, flaw);
            sink.push(Draft::new(message, help).value(setting, flaw.describe()));
        }
    }
}

fn help(setting: &Setting, flaw: UrlFlaw) -> String {
    let (field, example) = (setting.field.name, setting.field.example);
    match flaw {
        UrlFlaw::Quotes => format!("set `{field}` to the address alone, without them"),
        UrlFlaw::NoScheme => "write `https://` before it".to_owned(),
        UrlFlaw::TwoSchemes => "write `https://` once".to_owned(),
        UrlFlaw::UserPart => format!(
            "remove everything between `://` and `@`; a credential goes into a field of its own, and this one should be replaced if others could read it; `{field}` is an address such as `{example}`"
        ),
        UrlFlaw::Query => "remove the `?` and everything after it".to_owned(),
        UrlFlaw::Fragment => "remove the `#` and everything after it".to_owned(),
        _ => format!("write scheme, host and, if needed, port and path, such as `{example}`"),
    }
}
