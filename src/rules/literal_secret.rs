use crate::config::{Form, Origin, Profile, Setting};
use crate::profile::{expires, is_local};
use crate::rule::{Draft, Sink, rule};
use crate::schema::Role;
use crate::secret::Facts;

rule! {
    #[doc = include_str!("../../docs/rules/literal-secret.md")]
    LiteralSecret: profile {
        id: "literal-secret",
        summary: "a plaintext secret in a project or `--config` file",
        severity: Warning, impact: Exposed, scope: "any", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    // An emulator on this machine has well-known credentials.
    let local = is_local(profile);
    let written = |setting: &&Setting| {
        setting.field.role == Role::Secret
            && setting.form == Form::Literal
            && matches!(setting.origin, Origin::Project | Origin::Given)
            && setting.facts().is_some_and(Facts::is_real)
            && !(local && setting.what().is_none())
            // `expiring-token` reports this value, and says more.
            && !expires(profile, setting)
    };
    for secret in profile.credentials().filter(written) {
        let message = format!("`{}` is a plaintext secret in a file that is likely to be shared", secret.key);
        let help = "replace it with `{ env = \"NAME\" }` or `{ file = \"PATH\" }`, and set the value where the deploy runs; if it was ever committed, rotate it";
        sink.push(Draft::new(message, help).key(secret, "plaintext secret"));
    }
}
