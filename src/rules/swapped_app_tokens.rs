use crate::config::{Profile, Setting};
use crate::finding::Severity;
use crate::form::Form;
use crate::profile::App;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/swapped-app-tokens.md")]
    SwappedAppTokens {
        id: "swapped-app-tokens",
        summary: "the tokens or the signing secret of an app in each other's field",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "app",
        since: "0.1.0",
    }
}

impl Rule for SwappedAppTokens {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let wrong = App::of_profile(profile).map(App::misplaced).unwrap_or_default();
        let [(first, form), rest @ ..] = &wrong[..] else { return };
        let draft = if rest.is_empty() {
            let message = format!("`{}` holds {}", first.key, form.noun());
            Draft::new(message, alone(profile, first, *form))
        } else {
            let message = format!("`{}` has credentials of the app in each other's field", profile.id);
            Draft::new(message, together(&wrong))
        };
        sink.push(wrong.iter().fold(draft, |draft, (setting, form)| {
            let text = match form {
                Form::Hex32 => "32 hex digits, as a signing secret has".to_owned(),
                form => format!("this is {}", form.noun()),
            };
            draft.value(setting, text)
        }));
    }
}

/// What belongs in a field, by the name and the page where the service shows it.
fn wanted(field: &str) -> &'static str {
    match field {
        "bot_token" => "the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions",
        "app_token" => "the App-Level Token (`xapp-…`) under Basic Information",
        _ => "the Signing Secret (32 hex digits) under Basic Information",
    }
}

/// What to do with one that is in the wrong field.
fn alone(profile: &Profile, setting: &Setting, form: Form) -> String {
    let (field, home) = (setting.field.name, App::home(form));
    let wanted = wanted(field);
    // Where another already stands, or is misspelt, it has no place.
    if profile.lacks(home) {
        format!("move it to `{home}`; if `{field}` is needed as well, it takes {wanted} of the app")
    } else {
        format!("set `{field}` to {wanted} of the app")
    }
}

/// What to do with several.
fn together(wrong: &[(&Setting, Form)]) -> String {
    let fields = || wrong.iter().map(|(setting, _)| setting.field.name);
    let closed = fields().all(|field| wrong.iter().any(|(_, form)| App::home(*form) == field));
    let takes: Vec<String> = fields().map(|field| format!("`{field}` {}", wanted(field))).collect();
    let takes = takes.join(", ");
    match (closed, wrong.len()) {
        (true, 2) => format!("exchange the two: {}", takes.replacen("` ", "` takes ", 1)),
        (true, _) => format!("move each to its own field: {}", takes.replacen("` ", "` takes ", 1)),
        _ => format!("set each to what belongs there: {}", takes.replacen("` ", "` takes ", 1)),
    }
}
