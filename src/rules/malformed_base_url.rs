use crate::config::Profile;
use crate::profile::Assessment;
use crate::rule::{Draft, Sink, rule};
use crate::schema::value::UrlFlaw;
use crate::services::Form;

rule! {
    #[doc = include_str!("../../docs/rules/malformed-base-url.md")]
    MalformedBaseUrl: profile {
        id: "malformed-base-url",
        summary: "an address that is not a plain HTTP or HTTPS URL",
        severity: Error, impact: None, scope: "any", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for (setting, address) in profile.api_addresses() {
        let Err(flaw) = address else { continue };
        // Other rules report a reference, a token or a webhook in this field.
        if Assessment::from_setting(profile, setting).is_wrong() || setting.what().is_some_and(Form::is_webhook) {
            continue;
        }
        let message = format!("the `{}` of `{}` {}", setting.field.name, profile.id, flaw.describe());
        let example = || format!("set it to an address such as `{}`", setting.field.example);
        let help = repair(setting.field.name, flaw).unwrap_or_else(example);
        sink.push(Draft::new(message, help).value(setting, flaw.describe()));
    }
}

/// Returns the advice, if one part of the address is wrong.
pub(super) fn repair(field: &str, flaw: UrlFlaw) -> Option<String> {
    Some(match flaw {
        UrlFlaw::Quotes => format!("set `{field}` to the address alone, without quotes or brackets"),
        UrlFlaw::NoScheme => "add `https://` in front".to_owned(),
        UrlFlaw::TwoSchemes => "keep one `https://`".to_owned(),
        UrlFlaw::UserPart => "remove everything between `://` and `@`; put credentials into their own fields, and rotate this one if others could read it".to_owned(),
        UrlFlaw::Query => "remove the `?` and everything after it".to_owned(),
        UrlFlaw::Fragment => "remove the `#` and everything after it".to_owned(),
        _ => return None,
    })
}
