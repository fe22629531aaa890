use crate::config::{Profile, Unread};
use crate::rule::{Draft, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/name-not-read.md")]
    NameNotRead: profile {
        id: "name-not-read",
        summary: "a variable that the program does not read under this name",
        severity: Warning, impact: Unfit, scope: "storage", readers: FOUND, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(found) = &profile.found else { return };
    for unread in &found.unread {
        let Unread { name, at, program, instead } = unread;
        let message = format!("{program} does not read `{name}`");
        let help = format!("rename it to `{instead}`, which takes the same value");
        sink.push(Draft::new(message, help).at(name, *at, format!("{program} reads `{instead}`")));
    }
}
