use crate::config::{NoValue, Profile, Required, State};
use crate::rule::{Sink, rule};

rule! {
    UnresolvedReference("unresolved-reference"): profile, required, "a reference to a missing variable or file",
    severity: Error, impact: Unfit, scope: "any", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for (key, at, state) in profile.places() {
        let field = key.rsplit('.').next().unwrap_or(key);
        let (message, help, text) = match state {
            State::Missing(missing) => (missing.why.clone(), missing.help.as_str(), format!("`{field}` reads it")),
            State::Refused(refusal) => (format!("`{key}`: {}", refusal.why), refusal.help, "not read".to_owned()),
            _ => continue,
        };
        sink.push(finding(message, help).at(key, at, text));
    }
}

fn required(required: &[Required], sink: &mut Sink<'_>) {
    for Required { name, at, .. } in required.iter().filter(|required| required.absence == NoValue::Unset) {
        let draft = finding(format!("`{name}` is not set"), "set the variable, or correct the name after --require");
        sink.push(draft.at(name, *at, "--require asks for it"));
    }
}
