use crate::config::{Profile, State};
use crate::rule::{Sink, rule};

rule! {
    ConflictingReference("conflicting-reference"): profile, "a field set twice in one layer",
    severity: Error, impact: Unfit, scope: "any", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for (key, _, state) in profile.places() {
        let State::Conflict(spots) = state else { continue };
        let message = format!("`{key}` is set twice in one layer");
        let help = "keep one: a value, `{ env = … }` or `{ file = … }`; for variables, either the one with `_FILE` or the one without";
        let draft = spots.iter().zip(["set here", "and here"].into_iter().cycle());
        sink.push(draft.fold(finding(message, help), |draft, (&at, text)| draft.at(key, at, text)));
    }
}
