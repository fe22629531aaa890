use crate::config::{ForeignProfile, Profile, Setting};
use crate::profile::{App, Assessment, assessments};
use crate::rule::{Draft, Sink, rule};
use crate::services::{Form, many};

rule! {
    #[doc = include_str!("../../docs/rules/swapped-app-tokens.md")]
    SwappedAppTokens: declared, found {
        id: "swapped-app-tokens",
        summary: "app tokens or the signing secret in each other's field",
        severity: Error, impact: Unfit, scope: "app", readers: ALL, since: "0.1.0",
    }
}

fn declared(profile: &Profile, sink: &mut Sink<'_>) {
    let wrong = App::from_profile(profile).map(App::misplaced).unwrap_or_default();
    let [(first, form), rest @ ..] = &wrong[..] else { return };
    let draft = if rest.is_empty() {
        let message = format!("`{}` holds {}", first.key, form.noun);
        Draft::new(message, alone(profile, first, form))
    } else {
        let places = if is_exchange(&wrong) { "each other's field" } else { "the wrong fields" };
        let message = format!("`{}` has app credentials in {places}", profile.id);
        Draft::new(message, together(profile, &wrong))
    };
    sink.push(wrong.iter().fold(draft, |draft, (setting, form)| {
        let text = if **form == many::HEX_32 { "32 hex digits, like a signing secret" } else { form.noun };
        draft.value(setting, text)
    }));
}

fn found(profile: &Profile, _: &ForeignProfile, sink: &mut Sink<'_>) {
    if App::from_profile(profile).is_none() {
        return;
    }
    let wrong = assessments(profile).filter_map(|(setting, _, assessment)| match assessment {
        Assessment::Misplaced(form) if form.certain => Some((setting, form)),
        // A user token works where a bot token is expected.
        _ => None,
    });
    let wrong: Vec<_> = wrong.collect();
    let names: Vec<String> = wrong.iter().map(|(setting, _)| format!("`{}`", setting.name())).collect();
    let takes = wrong.iter().map(|(setting, _)| (setting, wanted(setting.field.name)));
    let takes = takes.map(|(setting, wanted)| format!("`{}` takes {wanted}", setting.name()));
    let takes = takes.collect::<Vec<_>>().join(", ");
    let (message, help) = match wrong[..] {
        [] => return,
        [(one, form)] => {
            let help = format!("set {} to {}", names[0], wanted(one.field.name));
            (format!("{} holds {}", names[0], form.noun), help)
        }
        [_, _] if is_exchange(&wrong) => {
            (format!("{} are swapped", names.join(" and ")), format!("swap the two: {takes}"))
        }
        _ => (format!("{} hold credentials that belong in other places", names.join(" and ")), takes),
    };
    let draft = Draft::new(message, help);
    sink.push(wrong.iter().fold(draft, |draft, (setting, form)| draft.value(setting, form.noun)));
}

/// Returns what belongs in a field: the credential's name, and the page where the service shows it.
fn wanted(field: &str) -> &'static str {
    match field {
        "bot_token" => "the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions",
        "app_token" => "the App-Level Token (`xapp-…`) under Basic Information",
        _ => "the Signing Secret (32 hex digits) under Basic Information",
    }
}

/// Returns the advice for one misplaced credential.
fn alone(profile: &Profile, setting: &Setting, form: &'static Form) -> String {
    let (field, home) = (setting.field.name, App::home(form));
    let wanted = wanted(field);
    // There is no room if the right field is already set, or misspelt.
    if profile.lacks(home) {
        format!("move it to `{home}`; if you need `{field}`, set it to {wanted} of the app")
    } else {
        format!("set `{field}` to {wanted} of the app")
    }
}

/// Returns the advice for several misplaced credentials.
fn together(profile: &Profile, wrong: &[(&Setting, &'static Form)]) -> String {
    let takes = wrong.iter().map(|(setting, _)| format!("`{0}` {1}", setting.field.name, wanted(setting.field.name)));
    let takes = takes.collect::<Vec<_>>().join(", ").replacen("` ", "` takes ", 1);
    match (is_exchange(wrong), wrong.len()) {
        (true, 2) => format!("swap the two: {takes}"),
        (true, _) => format!("move each to its own field: {takes}"),
        (false, _) => {
            let moved = wrong.iter().filter(|(_, form)| profile.lacks(App::home(form)));
            let moved = moved.map(|(setting, form)| {
                format!("; the value of `{}` belongs in `{}`", setting.field.name, App::home(form))
            });
            format!("{takes}{}", moved.collect::<String>())
        }
    }
}

/// Returns `true` if the misplaced credentials occupy each other's fields.
fn is_exchange(wrong: &[(&Setting, &'static Form)]) -> bool {
    wrong.iter().all(|(setting, _)| wrong.iter().any(|(_, form)| App::home(form) == setting.field.name))
}
