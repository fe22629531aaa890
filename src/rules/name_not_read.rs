use crate::config::{ForeignProfile, Profile};
use crate::finding::Severity;
use crate::rule::{Draft, Impact, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/name-not-read.md")]
    NameNotRead {
        id: "name-not-read",
        summary: "a variable that the program does not read under this name",
        severity: Severity::Warning,
        impact: Impact::Unfit,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for NameNotRead {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn foreign(&self, _: &Profile, found: &ForeignProfile, sink: &mut Sink<'_>) {
        for unread in &found.unread {
            let message = format!("restic does not read `{}`", unread.name);
            let help = format!("rename it to `{}`, which takes the same value", unread.instead);
            let draft = Draft::new(message, help);
            sink.push(draft.at(&unread.name, unread.at, format!("restic reads `{}`", unread.instead)));
        }
    }
}
