use crate::config::{Form, Profile};
use crate::profile::Split;
use crate::rule::{Draft, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/split-pair.md")]
    SplitPair: profile {
        id: "split-pair",
        summary: "one field of a pair overridden without the other",
        severity: Warning, impact: Doubtful, scope: "storage", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(Split { upper, hidden, lower }) = Split::from_profile(profile) else { return };
    let (over, under) = (upper.field.name, lower.field.name);
    let message = format!("`{}` is overridden but `{under}` is not, so the two come from different pairs", upper.key);
    let help = match (&upper.form, &lower.form) {
        (Form::Env(above), Form::Env(below)) => {
            format!(
                "set `{below}` where `{above}` is set; or unset `{above}` there to use the complete pair of the lower layer"
            )
        }
        _ => format!(
            "set `{under}` where `{over}` is set; or remove `{over}` there to use the complete pair of the lower layer"
        ),
    };
    let draft = Draft::new(message, help).value(upper, "overridden here");
    let draft = draft.at(&upper.key, hidden.at, format!("overridden; goes with `{under}`"));
    sink.push(draft.value(lower, "still used"));
}
