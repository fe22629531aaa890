use super::malformed_base_url::repair;
use crate::config::Profile;
use crate::profile::Assessment;
use crate::rule::{Draft, ReadBy, Sink, rule};
use crate::schema::value::UrlFlaw;
use crate::schema::{Address, Type};
use crate::services::{Form, Serves};

rule! {
    #[doc = include_str!("../../docs/rules/malformed-endpoint.md")]
    MalformedEndpoint: profile {
        id: "malformed-endpoint",
        summary: "an endpoint that is not a host or address, or contains credentials",
        severity: Error, impact: None, scope: "any", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let used = profile.addresses().filter(|(setting, _)| matches!(setting.field.ty, Type::Url(Address::Endpoint)));
    for (setting, address) in used {
        let what = match address {
            Ok(address) if address.non_api_url().is_some_and(|found| found.serves == Serves::Page) => {
                "is a page of the website, not the API"
            }
            // No bucket is called so: their names have at least six characters.
            Ok(address) if address.s3_region().is_some() && address.path().trim_matches('/') == "api" => {
                "ends in `/api`, which the S3-compatible API does not have"
            }
            Ok(_) => continue,
            Err(flaw) => describe(flaw),
        };
        // Other rules report a reference, a token or a webhook in this field.
        if Assessment::from_setting(profile, setting).is_wrong() || setting.what().is_some_and(Form::is_webhook) {
            continue;
        }
        let field = setting.name();
        let message = match profile.reader() {
            ReadBy::Declared => format!("the `{field}` of `{}` {what}", profile.id),
            _ => format!("`{field}` {what}"),
        };
        let example = || format!("set it to a host or an address such as `{}`", setting.field.example);
        let help = match address {
            Ok(_) => format!("set `{field}` to the address of the API, which the console shows with the bucket"),
            Err(flaw) => repair(field, flaw).unwrap_or_else(example),
        };
        sink.push(Draft::new(message, help).value(setting, what));
    }
}

/// Describes the flaw. Other programs also accept a host without a scheme.
const fn describe(flaw: UrlFlaw) -> &'static str {
    match flaw {
        UrlFlaw::NotHttp => "is neither a host nor an HTTP or HTTPS address",
        flaw => flaw.describe(),
    }
}
