use crate::config::{Origin, Profile, Setting, WrittenAs};
use crate::profile::{Assessment, is_local};
use crate::rule::{Sink, rule};
use crate::schema::Role;
use crate::secret::Facts;

rule! {
    LiteralSecret("literal-secret"): profile,
    "a plaintext secret in a project or `--config` file, or a rotating token in any",
    severity: Warning, impact: Exposed, scope: "any", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    // An emulator on this machine has well-known credentials.
    let local = is_local(profile);
    for secret in profile.credentials().filter(|setting| setting.form == WrittenAs::Literal) {
        let shared = matches!(secret.origin, Origin::Project | Origin::Given);
        if (shared || secret.origin == Origin::User) && rotates(profile, secret) {
            let message =
                format!("`{}` is a rotating token in a configuration file; it expires within 12 hours", secret.key);
            let help = format!(
                "write `{} = {{ env = \"NAME\" }}`, and set that variable to a fresh token in each run; or use an app without token rotation",
                secret.field.name
            );
            sink.push(finding(message, help).key(secret, "begins with `xoxe.`, so it rotates"));
        } else if shared
            && secret.field.role == Role::Secret
            && secret.facts().is_some_and(Facts::is_real)
            && !(local && secret.credential_form().is_none())
        {
            let message = format!("`{}` is a plaintext secret in a file that is likely to be shared", secret.key);
            let help = "replace it with `{ env = \"NAME\" }` or `{ file = \"PATH\" }`, and set the value where the deploy runs; if it was ever committed, rotate it";
            sink.push(finding(message, help).key(secret, "plaintext secret"));
        }
    }
}

/// Returns `true` for a rotating token in its field, which can't be updated in a file in time. Pipelines often write a
/// fresh one into a dotenv file or the environment.
fn rotates(profile: &Profile, setting: &Setting) -> bool {
    matches!(Assessment::from_setting(profile, setting), Assessment::Recognised(form) if form.expires)
}
