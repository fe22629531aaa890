use crate::config::{Profile, Setting};
use crate::profile::{Assessment, assessments, exchanged_credentials, is_pair_reported};
use crate::rule::{Sink, rule};
use crate::schema::{Field, Secret, Type};
use crate::services::{Form, many, slack};

rule! {
    UnrecognisedCredential("unrecognised-credential"): profile,
    "a value that does not look like anything its service issues, such as the name of a key",
    severity: Warning, impact: Doubtful, scope: "any", readers: ALL, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    // The findings about the pair cover its fields.
    if is_pair_reported(profile) {
        return;
    }
    let (kind, service) = (profile.kind(), profile.kind().service_name());
    let exchanged = exchanged_credentials(profile);
    for (setting, _, assessment) in assessments(profile) {
        let Assessment::Unrecognised(form) = assessment else { continue };
        // The other rule reports both fields as one mistake.
        let reported = exchanged.iter().any(|(other, _)| other.field.name == setting.field.name);
        // Under another program's name, only if the other field certainly holds a credential of that service.
        let open = !profile.is_declared() && kind.partner(setting.field.name).is_none();
        if reported || open {
            continue;
        }
        let (path, noun) = (profile.display_path(setting), noun(setting.field.ty));
        let (message, text) = match form {
            // A credential of this service, for another use.
            Some(form) if form.is_access_token() => {
                (format!("`{path}` holds {}, not a bot token", form.noun), form.noun.to_owned())
            }
            form => {
                let looks = form.map(|form| format!("looks like {}", form.noun));
                let message = format!("`{path}` does not look like any {noun} that {service} issues");
                (message, looks.unwrap_or_else(|| format!("no {service} {noun} looks like this")))
            }
        };
        sink.push(finding(message, help(profile, setting, form)).value(setting, text));
    }
}

/// Returns the advice.
fn help(profile: &Profile, setting: &Setting, form: Option<&'static Form>) -> String {
    let (field, begins) = (setting.name(), token_prefixes(setting.field));
    match (setting.field.ty, form) {
        (Type::Secret(Secret::Token), Some(form)) if *form == many::HEX_32 => {
            let token = if setting.field.forms().contains(&&slack::APP_TOKEN) { "an app-level" } else { "an access" };
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
        _ => format!("set `{field}` to {}, not to the name of the key", profile.kind().describe_value(setting.field)),
    }
}

/// Returns the prefixes of the tokens that a field takes.
fn token_prefixes(field: &Field) -> &'static str {
    match field.forms() {
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
