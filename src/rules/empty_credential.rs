use crate::config::{NoValue, Profile, Required, WrittenAs};
use crate::rule::absence::{self, Absence};
use crate::rule::{Draft, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/empty-credential.md")]
    EmptyCredential: profile, required {
        id: "empty-credential",
        summary: "a credential that is empty",
        severity: Error, impact: Unfit, scope: "any", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(severity) = absence::severity_of(Absence::Empty, profile) else { return };
    for credential in profile.credentials().filter(|credential| !credential.is_present()) {
        let message = format!("`{}` is empty", credential.key);
        let help = match credential.form {
            WrittenAs::Env(_) => {
                "set the variable where the deploy runs; if it comes from a CI secret, check that this job may read that secret"
            }
            WrittenAs::File(_) => "write the value into the file",
            WrittenAs::Literal => "set the value or remove the key; an empty value still overrides the layers below",
        };
        sink.push(Draft::new(message, help).severity(severity).value(credential, "empty"));
    }
}

fn required(required: &[Required], sink: &mut Sink<'_>) {
    for Required { name, at, piped, .. } in required.iter().filter(|required| required.absence == NoValue::Empty) {
        let (help, label) = if *piped {
            ("look at what writes to the pipe: it wrote nothing", "standard input is empty")
        } else {
            let help = "set the variable; if it comes from a CI secret, check that this job may read that secret";
            (help, "--require asks for a value")
        };
        sink.push(Draft::new(format!("`{name}` is empty"), help).at(name, *at, label));
    }
}
