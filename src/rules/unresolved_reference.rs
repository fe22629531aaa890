use crate::config::{Profile, State};
use crate::finding::Severity;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/unresolved-reference.md")]
    UnresolvedReference {
        id: "unresolved-reference",
        summary: "a reference that leads nowhere",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for UnresolvedReference {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        for (key, at, state) in profile.places() {
            let (why, help) = match state {
                State::Missing(missing) => (missing.why.as_str(), missing.help.as_str()),
                State::Refused(refusal) => (refusal.why, refusal.help),
                _ => continue,
            };
            sink.push(Draft::new(format!("`{key}` can't be resolved: {why}"), help).at(key, at, why));
        }
    }
}
