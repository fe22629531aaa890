use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::{Profile, State};
use crate::source::Spot;

rule! {
    #[doc = include_str!("../../docs/rules/unresolved-reference.md")]
    UnresolvedReference {
        id: "unresolved-reference",
        summary: "a reference that leads nowhere",
        severity: Severity::Error,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for UnresolvedReference {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        for setting in profile.settings() {
            check(&setting.key, setting.at, &setting.state, sink);
        }
        for channel in profile.channels() {
            check(&channel.key, channel.at, &channel.state, sink);
        }
    }
}

fn check(key: &str, at: Spot, state: &State, sink: &mut Sink<'_>) {
    if let State::Missing(why) = state {
        let help = "set it where the deploy runs; to check where secrets are absent, use `credlint check --no-resolve`";
        sink.push(Draft::new(format!("`{key}` can't be resolved: {why}"), help).at(key, at, why.as_str()));
    }
}
