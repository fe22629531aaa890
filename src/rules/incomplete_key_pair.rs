use crate::config::{Profile, Setting};
use crate::finding::Severity;
use crate::profile::{self, Halves};
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::Role;

rule! {
    #[doc = include_str!("../../docs/rules/incomplete-key-pair.md")]
    IncompleteKeyPair {
        id: "incomplete-key-pair",
        summary: "half a key pair, or two halves that make none",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for IncompleteKeyPair {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(Halves::Incomplete { present }) = Halves::of_profile(profile) else { return };
        // A half that is set empty is `empty-credential`, one that is misspelt `unknown-field`.
        if profile::explains_absence(profile) {
            return;
        }
        let partner = |setting: &Setting| profile.kind().partner(setting.field.name).unwrap_or_default();
        let (message, help) = match present[..] {
            [one] => (
                format!("`{}` has `{}`, but no `{}`", profile.id, one.field.name, partner(one)),
                format!("set `{}` beside it", partner(one)),
            ),
            _ => {
                let ways = present.iter().map(|half| format!("`{}` beside `{}`", partner(half), half.field.name));
                let ways = ways.collect::<Vec<_>>().join(", or ");
                (
                    format!("`{}` has {}", profile.id, what(&present)),
                    format!("keep one of them and set its other half: {ways}"),
                )
            }
        };
        let draft = present.iter().fold(Draft::new(message, help), |draft, setting| {
            draft.key(setting, format!("`{}` is missing", partner(setting)))
        });
        sink.push(draft);
    }
}

/// Halves that make no pair.
fn what(present: &[&Setting]) -> String {
    let number = match present.len() {
        2 => "two".to_owned(),
        more => more.to_string(),
    };
    let secrets = present.iter().filter(|setting| setting.field.role == Role::Secret).count();
    match secrets {
        0 => format!("{number} ids and no key"),
        all if all == present.len() => format!("{number} keys and no id"),
        _ => format!("{number} halves that make no pair"),
    }
}
