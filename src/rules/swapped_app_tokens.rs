use crate::config::{Profile, Setting};
use crate::profile::App;
use crate::rule::{Draft, Sink, rule};
use crate::services::{Form, many};

rule! {
    #[doc = include_str!("../../docs/rules/swapped-app-tokens.md")]
    SwappedAppTokens: profile {
        id: "swapped-app-tokens",
        summary: "app tokens or the signing secret in each other's field",
        severity: Error, impact: Unfit, scope: "app", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let declared = profile.found.is_none();
    let misplaced = App::from_profile(profile).map(App::misplaced).unwrap_or_default();
    // A program that expects a bot token may take a user token.
    let wrong: Vec<_> = misplaced.into_iter().filter(|(_, form)| declared || form.certain).collect();
    let takes = wrong.iter().map(|(setting, _)| format!("`{}` takes {}", setting.name(), wanted(setting.field.name)));
    let takes = takes.collect::<Vec<_>>().join(", ");
    let missing = |form| declared && profile.lacks(App::home(form));
    let (message, help) = match wrong[..] {
        [] => return,
        [(one, form)] => {
            let (name, home, wanted) = (one.name(), App::home(form), wanted(one.field.name));
            let help = if missing(form) {
                format!("move it to `{home}`; if you need `{name}`, set it to {wanted} of the app")
            } else {
                format!("set `{name}` to {wanted} of the app")
            };
            (format!("`{}` holds {}", profile.path(one), form.noun), help)
        }
        [(one, _), (other, _)] if is_exchange(&wrong) => (
            format!("`{}` and `{}` are swapped", profile.path(one), profile.path(other)),
            format!("swap the two: {takes}"),
        ),
        _ => {
            let paths: Vec<_> = wrong.iter().map(|(setting, _)| format!("`{}`", profile.path(setting))).collect();
            let moved = wrong.iter().filter(|(_, form)| missing(form) && !is_exchange(&wrong));
            let moved =
                moved.map(|(one, form)| format!("; the value of `{}` belongs in `{}`", one.name(), App::home(form)));
            let message = format!("{} hold credentials that belong in other places", paths.join(" and "));
            (message, takes + &moved.collect::<String>())
        }
    };
    sink.push(wrong.iter().fold(Draft::new(message, help), |draft, (setting, form)| {
        let text = if **form == many::HEX_32 { "32 hex digits, like a signing secret" } else { form.noun };
        draft.value(setting, text)
    }));
}

/// Returns what belongs in a field: the credential's name, and the page where the service shows it.
fn wanted(field: &str) -> &'static str {
    match field {
        "bot_token" => "the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions",
        "app_token" => "the App-Level Token (`xapp-…`) under Basic Information",
        _ => "the Signing Secret (32 hex digits) under Basic Information",
    }
}

/// Returns `true` if the misplaced credentials occupy each other's fields.
fn is_exchange(wrong: &[(&Setting, &'static Form)]) -> bool {
    wrong.iter().all(|(setting, _)| wrong.iter().any(|(_, form)| App::home(form) == setting.field.name))
}
