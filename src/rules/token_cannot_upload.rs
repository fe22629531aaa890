use crate::config::{ForeignProfile, Profile};
use crate::finding::Severity;
use crate::form::Form;
use crate::profile::{Assessment, assessments};
use crate::rule::{Draft, Impact, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/token-cannot-upload.md")]
    TokenCannotUpload {
        id: "token-cannot-upload",
        summary: "a token that can't upload files",
        severity: Severity::Error,
        impact: Impact::Unfit,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for TokenCannotUpload {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        for (token, _, assessment) in assessments(profile) {
            let Assessment::CannotUpload(form) = assessment else { continue };
            let text = match form {
                Form::AppToken => "begins with `xapp-`",
                Form::RefreshToken => "begins with `xoxe-` and a number",
                Form::SessionToken => "begins with `xoxc-`, `xoxd-`, `xoxs-` or `xoxo-`",
                Form::RetiredToken => "begins with `xoxa-` or `xoxr-`",
                _ => "begins with `xwfp-`",
            };
            let message = format!("the token of `{}` is {}, which can't upload files", profile.id, form.noun());
            let help = match form {
                Form::RefreshToken => {
                    "set `token` to the access token that this refresh token is exchanged for (`xoxe.xoxb-…` or `xoxe.xoxp-…`, valid for 12 hours); for an app without token rotation, use the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions"
                }
                _ => {
                    "set `token` to the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions of the app, or to a User OAuth Token (`xoxp-…`); it needs the scope `files:write`"
                }
            };
            sink.push(Draft::new(message, help).value(token, text));
        }
    }

    fn foreign(&self, profile: &Profile, _: &ForeignProfile, sink: &mut Sink<'_>) {
        for (token, _, assessment) in assessments(profile) {
            // Some programs are made for session tokens or retired tokens.
            let Assessment::CannotUpload(form @ (Form::AppToken | Form::RefreshToken)) = assessment else { continue };
            let (what, can) = match form {
                Form::AppToken => ("an app-level token", "it is for Socket Mode and can't call API methods"),
                _ => ("a refresh token", "it is exchanged for an access token and can't call API methods"),
            };
            let message = format!("`{}` is {what}: {can}", token.name());
            let help = format!("set `{}` to {}", token.name(), profile.kind().wanted(token.field));
            sink.push(Draft::new(message, help).value(token, what));
        }
    }
}
