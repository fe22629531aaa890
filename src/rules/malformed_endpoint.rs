use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::Assessment;
use crate::rule::{Draft, Impact, ReadBy, Rule, RuleMeta, Sink, rule};
use crate::schema::value::{NonApiUrl, UrlFlaw};
use crate::schema::{Address, Type};
use crate::services::Form;

rule! {
    #[doc = include_str!("../../docs/rules/malformed-endpoint.md")]
    MalformedEndpoint {
        id: "malformed-endpoint",
        summary: "an endpoint that is not a host or address, or contains credentials",
        severity: Severity::Error,
        impact: Impact::None,
        scope: "any",
        readers: ReadBy::ALL,
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
            let website = matches!(address, Ok(address) if address.non_api_url() == Some(NonApiUrl::Website));
            let flaw = address.err();
            if flaw.is_none() && !website {
                continue;
            }
            // Other rules report a reference, a token or a webhook in this field.
            if Assessment::from_setting(profile, setting).is_wrong() || setting.what().is_some_and(Form::is_webhook) {
                continue;
            }
            let (field, what) = (setting.field.name, describe(flaw));
            let message = format!("the `{field}` of `{}` {what}", profile.id);
            let help = match flaw {
                None => format!("set `{field}` to the address of the API, which the console shows with the bucket"),
                Some(UrlFlaw::UserPart) => "remove everything between `://` and `@`; put credentials into their own fields, and rotate this one if others could read it".to_owned(),
                Some(UrlFlaw::Quotes) => format!("set `{field}` to the address alone, without quotes or brackets"),
                Some(UrlFlaw::TwoSchemes) => "keep one `https://`".to_owned(),
                Some(UrlFlaw::Query) => "remove the `?` and everything after it".to_owned(),
                Some(UrlFlaw::Fragment) => "remove the `#` and everything after it".to_owned(),
                Some(_) => format!("set it to a host or an address such as `{}`", setting.field.example),
            };
            sink.push(Draft::new(message, help).value(setting, what));
        }
    }
}

/// Describes the flaw. Other programs also accept a host without a scheme.
const fn describe(flaw: Option<UrlFlaw>) -> &'static str {
    match flaw {
        Some(UrlFlaw::NotHttp) => "is neither a host nor an HTTP or HTTPS address",
        Some(flaw) => flaw.describe(),
        None => "is a page of the website, not the API",
    }
}
