use crate::config::{ForeignProfile, Profile};
use crate::profile::{Assessment, assessments};
use crate::rule::{Draft, Sink, rule};
use crate::services::slack;

rule! {
    #[doc = include_str!("../../docs/rules/token-cannot-upload.md")]
    TokenCannotUpload: declared, found {
        id: "token-cannot-upload",
        summary: "a token that can't upload files",
        severity: Error, impact: Unfit, scope: "messaging", readers: ALL, since: "0.1.0",
    }
}

fn declared(profile: &Profile, sink: &mut Sink<'_>) {
    for (token, _, assessment) in assessments(profile) {
        let Assessment::CannotUpload(form) = assessment else { continue };
        let message = format!("the token of `{}` is {}, which can't upload files", profile.id, form.noun);
        let help = if *form == slack::REFRESH_TOKEN {
            "set `token` to the access token that this refresh token is exchanged for (`xoxe.xoxb-…` or `xoxe.xoxp-…`, valid for 12 hours); for an app without token rotation, use the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions"
        } else {
            "set `token` to the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions of the app, or to a User OAuth Token (`xoxp-…`); it needs the scope `files:write`"
        };
        sink.push(Draft::new(message, help).value(token, form.looks));
    }
}

fn found(profile: &Profile, _: &ForeignProfile, sink: &mut Sink<'_>) {
    for (token, _, assessment) in assessments(profile) {
        // Some programs are made for session tokens or retired tokens.
        let Assessment::CannotUpload(form) = assessment else { continue };
        let can = match form {
            form if *form == slack::APP_TOKEN => "it is for Socket Mode and can't call API methods",
            form if *form == slack::REFRESH_TOKEN => "it is exchanged for an access token and can't call API methods",
            _ => continue,
        };
        let what = form.noun;
        let message = format!("`{}` is {what}: {can}", token.name());
        let help = format!("set `{}` to {}", token.name(), profile.kind().wanted(token.field));
        sink.push(Draft::new(message, help).value(token, what));
    }
}
