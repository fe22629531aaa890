use crate::config::{Form, Origin, Profile, Setting};
use crate::finding::Severity;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::Role;
use crate::secret::Facts;

rule! {
    #[doc = include_str!("../../docs/rules/readable-secret-file.md")]
    ReadableSecretFile {
        id: "readable-secret-file",
        summary: "a file that holds a secret, and that other users can read",
        severity: Severity::Warning,
        harm: Harm::Readable,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for ReadableSecretFile {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let exposed: Vec<&Setting> = profile.credentials().filter(|setting| is_exposed(setting)).collect();
        for (index, secret) in exposed.iter().enumerate() {
            // A file that says several of them is one file, and one finding.
            let same = |other: &&&Setting| {
                secret.form == Form::Literal && other.form == Form::Literal && other.layer == secret.layer
            };
            if exposed[..index].iter().any(|other| same(&other)) {
                continue;
            }
            let (what, text) = match secret.form {
                Form::Literal => ("is written in", "written in a file that other users can read"),
                _ => ("is kept in", "other users can read the file that is named here"),
            };
            let message = format!("`{}` {what} a file that other users of this machine can read", secret.key);
            let help = "take the others' permission to read it (`chmod 600 FILE`), and replace the secret if somebody may have read it; or hand it over in the environment";
            let draft = Draft::new(message, help).key(secret, text);
            let more = exposed[index + 1..].iter().filter(same);
            sink.push(more.fold(draft, |draft, other| draft.key(other, "and this one")));
        }
    }
}

/// What is written out in a file that travels is `literal-secret`: it has to leave that file, whatever its mode.
fn is_exposed(setting: &Setting) -> bool {
    let travels = setting.form == Form::Literal && matches!(setting.origin, Origin::Project | Origin::Given);
    setting.exposed && !travels && setting.field.role == Role::Secret && setting.facts().is_some_and(Facts::is_real)
}
