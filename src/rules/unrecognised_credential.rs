use crate::config::{Found, Profile, Setting};
use crate::finding::Severity;
use crate::form::Form;
use crate::profile::{App, Standing, is_judged, standings};
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::{Field, Secret, Type};

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
        let exchanged = App::of_profile(profile).map(App::misplaced).unwrap_or_default();
        for (setting, _, standing) in standings(profile) {
            let Standing::Unrecognised(form) = standing else { continue };
            // The other half of an exchange, which is one mistake.
            if exchanged.iter().any(|(other, _)| other.field.name == setting.field.name) {
                continue;
            }
            let service = profile.kind().hosted.name;
            // What that service issues, for another use.
            let own = form.filter(|form| form.is_access_token());
            let message = match own {
                Some(form) => format!("`{}` holds {}, and a bot token belongs there", setting.key, form.noun()),
                None => {
                    format!("`{}` does not look like any {} that {service} issues", setting.key, noun(setting.field.ty))
                }
            };
            let text = match form {
                Some(form) if own.is_some() => format!("this is {}", form.noun()),
                Some(form) => format!("this looks like {}", form.noun()),
                None => format!("no {service} {} looks like this", noun(setting.field.ty)),
            };
            sink.push(Draft::new(message, help(profile, setting, form)).value(setting, text));
        }
    }

    fn found(&self, profile: &Profile, _: &Found, sink: &mut Sink<'_>) {
        if is_judged(profile) {
            return;
        }
        for (setting, _, standing) in standings(profile) {
            // Only beside a half that certainly is that service's.
            let (Standing::Unrecognised(_), Some(_)) = (standing, profile.kind().partner(setting.field.name)) else {
                continue;
            };
            let (service, noun) = (profile.kind().hosted.name, noun(setting.field.ty));
            let message = format!("`{}` does not look like any {noun} that {service} issues", setting.name());
            let help = format!(
                "set `{}` to {}; the name of a key is neither its ID nor the key",
                setting.name(),
                profile.kind().wanted(setting.field)
            );
            sink.push(Draft::new(message, help).value(setting, format!("no {service} {noun} looks like this")));
        }
    }
}

/// What to do about it.
fn help(profile: &Profile, setting: &Setting, form: Option<Form>) -> String {
    let (field, begins) = (setting.field.name, begins(setting.field));
    match (setting.field.ty, form) {
        (Type::Secret(Secret::Token), Some(Form::Hex32)) => {
            let token = if setting.field.forms.contains(&Form::AppToken) { "an app-level" } else { "an access" };
            format!("32 hex digits are an app's signing secret or client secret; {token} token begins with {begins}")
        }
        (Type::Secret(Secret::Token), Some(form)) if form.is_access_token() => format!(
            "set `{field}` to the Bot User OAuth Token, which begins with {begins}: what an app does with a user token is done in the name of that user"
        ),
        (Type::Secret(Secret::Token), _) => {
            format!("set `{field}` to the token itself, which begins with {begins}; `credlint verify` asks the service")
        }
        (Type::Secret(Secret::Webhook), _) => {
            "an incoming webhook begins with `https://hooks.slack.com/services/`".to_owned()
        }
        _ => format!(
            "set `{field}` to {}; the name of a key is neither its ID nor the key",
            profile.kind().wanted(setting.field)
        ),
    }
}

/// What the tokens of a field begin with.
fn begins(field: &Field) -> &'static str {
    match field.forms {
        forms if forms.contains(&Form::AppToken) => "`xapp-`",
        forms if forms.contains(&Form::UserToken) => "`xoxb-` or `xoxp-`",
        _ => "`xoxb-`",
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
