use crate::config::{Profile, Unread};
use crate::finding::Severity;
use crate::rule::{Sink, rule};

rule! {
    NameNotRead("name-not-read"): profile, "a variable that the program does not read under this name",
    severity: Warning, impact: Unfit, scope: "any", readers: EVERY, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(found) = &profile.found else { return };
    for unread in &found.unread {
        let Unread { name, at, program, instead, partner } = unread;
        let help = format!("rename it to `{instead}`, which takes the same value");
        let draft = match (program, partner) {
            (Some(program), _) => finding(format!("{program} does not read `{name}`"), help).at(
                name,
                *at,
                format!("{program} reads `{instead}`"),
            ),
            (None, Some(partner)) => {
                finding(format!("`{name}` is one letter off `{instead}`, which goes with `{partner}`"), help)
                    .at(name, *at, "no program is known to read this name")
            }
            (None, None) => finding(format!("`{name}` is one letter off the names around it"), help)
                .severity(Severity::Note)
                .at(name, *at, format!("the others begin as `{instead}` does")),
        };
        sink.push(draft);
    }
}
