use crate::config::{NoValue, Profile, Required, WrittenAs};
use crate::finding::Severity;
use crate::rule::absence::{self, Absence};
use crate::rule::{Sink, rule};

rule! {
    EmptyCredential("empty-credential"): profile, required, "a credential that is empty",
    severity: Error, impact: Unfit, scope: "any", readers: EVERY, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let declared = absence::severity_of(Absence::Empty, profile);
    for credential in profile.credentials().filter(|credential| !credential.is_present()) {
        let replaced = credential.shadows.first().filter(|_| profile.found.is_some());
        if let Some(shadow) = replaced {
            let help = "remove it, or set it: this one counts, and the other place has a value";
            let draft = finding(format!("`{}` is empty, and replaces a value", credential.name()), help);
            sink.push(
                draft.severity(Severity::Note).value(credential, "empty").at(&credential.key, shadow.at, "overridden"),
            );
            continue;
        }
        let Some(severity) = declared else { continue };
        let message = format!("`{}` is empty", credential.key);
        let help = match credential.form {
            WrittenAs::Env(_) => {
                "set the variable where the deploy runs; if it comes from a CI secret, check that this job may read that secret"
            }
            WrittenAs::File(_) => "write the value into the file",
            WrittenAs::Literal => "set the value or remove the key; an empty value still overrides the layers below",
        };
        sink.push(finding(message, help).severity(severity).value(credential, "empty"));
    }
}

fn required(required: &[Required], sink: &mut Sink<'_>) {
    for Required { name, at, piped, .. } in required.iter().filter(|required| required.absence == NoValue::Empty) {
        let (help, label) = if *piped {
            ("look at what writes to the pipe, such as the variable after `echo`", "standard input has no value")
        } else {
            let help = "set the variable; if it comes from a CI secret, check that this job may read that secret";
            (help, "--require asks for a value")
        };
        sink.push(finding(format!("`{name}` is empty"), help).at(name, *at, label));
    }
}
