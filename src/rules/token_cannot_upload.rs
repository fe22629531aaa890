use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::Messaging;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::secret::TokenKind;

rule! {
    #[doc = include_str!("../../docs/rules/token-cannot-upload.md")]
    TokenCannotUpload {
        id: "token-cannot-upload",
        summary: "a token of a kind that can't upload",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for TokenCannotUpload {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(messaging) = Messaging::of_profile(profile) else { return };
        let Some(token) = messaging.token() else { return };
        let Some(kind) = token.facts().and_then(|facts| facts.token_kind) else { return };
        let (what, text) = match kind {
            TokenKind::AppLevel => ("an app-level token", "begins with `xapp-`"),
            TokenKind::Refresh => ("a refresh token", "begins with `xoxe-` and a number"),
            TokenKind::Session => ("the token of a browser's session", "begins with `xoxc-`, `xoxd-` or `xoxs-`"),
            TokenKind::Retired => {
                ("a token of a workspace app, a kind that ended in 2021", "begins with `xoxa-` or `xoxr-`")
            }
            TokenKind::Workflow => {
                ("the token of one step of a workflow, which lives for minutes", "begins with `xwfp-`")
            }
        };
        let message = format!("the token of `{}` is {what}; it can't upload files", profile.id);
        let help = match kind {
            TokenKind::Refresh => {
                "set `token` to an access token: the one that this token gets (`xoxe.xoxb-…` or `xoxe.xoxp-…`, for 12 hours), or the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions of the app, if its tokens are not rotated"
            }
            _ => {
                "set `token` to the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions of the app, or to a User OAuth Token (`xoxp-…`); it needs the scope files:write"
            }
        };
        sink.push(Draft::new(message, help).value(token, text));
    }
}
