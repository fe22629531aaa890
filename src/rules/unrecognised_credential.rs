use crate::config::{ForeignProfile, Profile, Setting};
use crate::profile::{App, Assessment, assessments, is_pair_reported};
use crate::rule::{Draft, Sink, rule};
use crate::schema::{Field, Secret, Type};
use crate::services::{Form, many, slack};

rule! {
    #[doc = include_str!("../../docs/rules/unrecognised-credential.md")]
    UnrecognisedCredential: declared, found {
        id: "unrecognised-credential",
        summary: "a value that does not look like anything its service issues, such as the name of a key",
        severity: Warning, impact: Doubtful, scope: "any", readers: ALL, since: "0.1.0",
    }
}

fn declared(profile: &Profile, sink: &mut Sink<'_>) {
    // The findings about the pair cover its fields.
    if is_pair_reported(profile) {
        return;
    }
    let exchanged = App::from_profile(profile).map(App::misplaced).unwrap_or_default();
    for (setting, _, assessment) in assessments(profile) {
        let Assessment::Unrecognised(form) = assessment else { continue };
        // The other rule reports both fields as one mistake.
        if exchanged.iter().any(|(other, _)| other.field.name == setting.field.name) {
            continue;
        }
        let service = profile.kind().service_name();
        // A credential of this service, for another use.
        let own = form.filter(|form| form.is_access_token());
        let message = match own {
            Some(form) => format!("`{}` holds {}, not a bot token", setting.key, form.noun),
            None => {
                format!("`{}` does not look like any {} that {service} issues", setting.key, noun(setting.field.ty))
            }
        };
        let text = match form {
            Some(form) if own.is_some() => form.noun.to_owned(),
            Some(form) => format!("looks like {}", form.noun),
            None => format!("no {service} {} looks like this", noun(setting.field.ty)),
        };
        sink.push(Draft::new(message, help(profile, setting, form)).value(setting, text));
    }
}

fn found(profile: &Profile, _: &ForeignProfile, sink: &mut Sink<'_>) {
    if is_pair_reported(profile) {
        return;
    }
    for (setting, _, assessment) in assessments(profile) {
        // Only if the other field certainly holds a credential of that service.
        let (Assessment::Unrecognised(_), Some(_)) = (assessment, profile.kind().partner(setting.field.name)) else {
            continue;
        };
        let (service, noun) = (profile.kind().service_name(), noun(setting.field.ty));
        let message = format!("`{}` does not look like any {noun} that {service} issues", setting.name());
        let help =
            format!("set `{}` to {}, not to the name of the key", setting.name(), profile.kind().wanted(setting.field));
        sink.push(Draft::new(message, help).value(setting, format!("no {service} {noun} looks like this")));
    }
}

/// Returns the advice.
fn help(profile: &Profile, setting: &Setting, form: Option<&'static Form>) -> String {
    let (field, begins) = (setting.field.name, begins(setting.field));
    match (setting.field.ty, form) {
        (Type::Secret(Secret::Token), Some(form)) if *form == many::HEX_32 => {
            let token = if setting.field.forms.contains(&&slack::APP_TOKEN) { "an app-level" } else { "an access" };
            format!(
                "set `{field}` to {token} token, which begins with {begins}; 32 hex digits are a signing secret or a client secret"
            )
        }
        (Type::Secret(Secret::Token), Some(form)) if form.is_access_token() => format!(
            "set `{field}` to the Bot User OAuth Token, which begins with {begins}; with a user token, the app acts as that user"
        ),
        (Type::Secret(Secret::Token), _) => {
            format!("set `{field}` to the token, which begins with {begins}; run `credlint verify` to ask the service")
        }
        (Type::Secret(Secret::Webhook), _) => {
            "set it to the incoming webhook URL, which begins with `https://hooks.slack.com/services/`".to_owned()
        }
        _ => format!("set `{field}` to {}, not to the name of the key", profile.kind().wanted(setting.field)),
    }
}

/// Returns the prefixes of the tokens that a field takes.
fn begins(field: &Field) -> &'static str {
    match field.forms {
        forms if forms.contains(&&slack::APP_TOKEN) => "`xapp-`",
        forms if forms.contains(&&slack::USER_TOKEN) => "`xoxb-` or `xoxp-`",
        _ => "`xoxb-`",
    }
}

/// Returns the noun for the values of a type.
const fn noun(ty: Type) -> &'static str {
    match ty {
        Type::Secret(Secret::Token) => "token",
        Type::Secret(Secret::Webhook) => "webhook URL",
        Type::Secret(Secret::Key) => "key",
        _ => "ID",
    }
}
