use crate::config::{Form, Profile};
use crate::finding::Severity;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/empty-credential.md")]
    EmptyCredential {
        id: "empty-credential",
        summary: "a credential that is set, but empty",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for EmptyCredential {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        for credential in profile.credentials().filter(|credential| !credential.is_present()) {
            let message = format!("`{}` is set, but empty", credential.key);
            let help = match credential.form {
                Form::Env(_) => {
                    "give the variable its value where the deploy runs: an empty one is often a secret that this job may not read"
                }
                Form::File(_) => "write the value into the file that is named here",
                Form::Literal => "set the value, or remove the key: an empty one still hides what a lower layer says",
            };
            sink.push(Draft::new(message, help).value(credential, "empty"));
        }
    }
}
