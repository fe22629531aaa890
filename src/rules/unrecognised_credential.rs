use crate::config::Profile;
use crate::finding::Severity;
use crate::form::Form;
use crate::profile::{Standing, is_judged, standings};
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::{Secret, Type};

rule! {
    #[doc = include_str!("../../docs/rules/unrecognised-credential.md")]
    UnrecognisedCredential {
        id: "unrecognised-credential",
        summary: "a value of no form that the hosted service issues, such as the name of a key",
        severity: Severity::Warning,
        harm: Harm::Doubtful,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for UnrecognisedCredential {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        // What is said of the pair says it all.
        if is_judged(profile) {
            return;
        }
        for (setting, _, standing) in standings(profile) {
            let Standing::Unrecognised(form) = standing else { continue };
            let service = profile.kind().hosted.name;
            let message =
                format!("`{}` does not look like any {} that {service} issues", setting.key, noun(setting.field.ty));
            let text = match form {
                Some(form) => format!("this looks like {}", form.noun()),
                None => format!("no {service} {} looks like this", noun(setting.field.ty)),
            };
            let help = match (setting.field.ty, form) {
                (Type::Secret(Secret::Token), Some(Form::Hex32)) => {
                    "32 hex digits are an app's signing secret or client secret; an access token begins with `xoxb-` or `xoxp-`".to_owned()
                }
                (Type::Secret(Secret::Token), _) => {
                    format!("set `{}` to the token itself, which begins with `xox`; `credlint verify` asks the service", setting.field.name)
                }
                (Type::Secret(Secret::Webhook), _) => {
                    "an incoming webhook begins with `https://hooks.slack.com/services/`".to_owned()
                }
                _ => format!(
                    "set `{}` to {}; the name of a key is neither its ID nor the key",
                    setting.field.name,
                    profile.kind().wanted(setting.field)
                ),
            };
            sink.push(Draft::new(message, help).value(setting, text));
        }
    }
}

/// What belongs in a field of that type.
const fn noun(ty: Type) -> &'static str {
    match ty {
        Type::Secret(Secret::Token) => "token",
        Type::Secret(Secret::Webhook) => "webhook URL",
        Type::Secret(Secret::Key) => "key",
        _ => "ID",
    }
}
