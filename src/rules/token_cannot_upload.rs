use crate::config::Profile;
use crate::profile::{Assessment, assessments};
use crate::rule::{Draft, Sink, rule};
use crate::services::slack;

rule! {
    #[doc = include_str!("../../docs/rules/token-cannot-upload.md")]
    TokenCannotUpload: profile {
        id: "token-cannot-upload",
        summary: "a token that can't upload files",
        severity: Error, impact: Unfit, scope: "messaging", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for (token, _, assessment) in assessments(profile) {
        let Assessment::CannotUpload(form) = assessment else { continue };
        let (refresh, declared) = (*form == slack::REFRESH_TOKEN, profile.found.is_none());
        let can = match form {
            form if *form == slack::APP_TOKEN => "it is for Socket Mode and can't call API methods",
            _ if refresh => "it is exchanged for an access token and can't call API methods",
            _ if declared => "it can't upload files",
            // Some programs are made for session tokens or retired tokens.
            _ => continue,
        };
        let message = format!("{} is {}: {can}", profile.said(token), form.noun);
        let help = match (declared, refresh) {
            (true, true) => "set `token` to the access token that this refresh token is exchanged for (`xoxe.xoxb-…` or `xoxe.xoxp-…`, valid for 12 hours); for an app without token rotation, use the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions".to_owned(),
            (true, false) => "set `token` to the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions of the app, or to a User OAuth Token (`xoxp-…`); it needs the scope `files:write`".to_owned(),
            (false, _) => format!("set `{}` to {}", token.name(), profile.kind().wanted(token.field)),
        };
        sink.push(Draft::new(message, help).value(token, form.looks));
    }
}
