use super::{Draft, Rule, RuleMeta, Sink};
use crate::config::Origin;
use crate::finding::Severity;
use crate::profile::{Profile, Setting};
use crate::schema::Role;

rule! {
    #[doc = include_str!("../../docs/rules/redirected-credential.md")]
    RedirectedCredential {
        id: "redirected-credential",
        summary: "a secret of the user's own file, sent where a project file says",
        severity: Severity::Error,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for RedirectedCredential {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        // A webhook is its own destination.
        let sent = |setting: &&Setting| setting.field.role == Role::Secret && setting.field.name != "webhook_url";
        let Some(secret) = profile.credentials().filter(sent).find(|setting| setting.origin == Origin::User) else {
            return;
        };
        for destination in
            profile.destinations().filter(|setting| setting.origin == Origin::Project && setting.is_present())
        {
            let message = format!(
                "the project file sends a secret of your own file to an address of its choice in `{}`",
                profile.id
            );
            let help =
                "keep a secret and its address in one file; to trust this project, name its file with `--config`";
            let draft = Draft::new(message, help).key(destination, "the project says where to");
            sink.push(draft.key(secret, "your own file says what"));
        }
    }
}
