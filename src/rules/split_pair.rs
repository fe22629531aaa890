use crate::config::{Form, Profile};
use crate::finding::Severity;
use crate::profile::Split;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/split-pair.md")]
    SplitPair {
        id: "split-pair",
        summary: "one half of a pair overridden by a layer above the one that holds both",
        severity: Severity::Warning,
        harm: Harm::Doubtful,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for SplitPair {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(Split { upper, hidden, lower }) = Split::of_profile(profile) else { return };
        let (over, under) = (upper.field.name, lower.field.name);
        let message = format!("`{}` is overridden, and `{under}` is not; the two no longer belong together", upper.key);
        let help = match (&upper.form, &lower.form) {
            (Form::Env(above), Form::Env(below)) if upper.found.is_some() => {
                format!("set `{below}` where `{above}` is set, too; or unset `{above}` there to use the pair below")
            }
            _ => format!("set `{under}` where `{over}` is set, too; or remove `{over}` there to use the pair below"),
        };
        let draft = Draft::new(message, help).value(upper, "overridden here");
        let draft = draft.at(&upper.key, hidden.at, format!("hidden: goes with `{under}`"));
        sink.push(draft.value(lower, "still used"));
    }
}
