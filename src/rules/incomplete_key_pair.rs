use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::storage::{Pair, partner};
use crate::profile::{Profile, Setting, Storage};
use crate::schema::Role;

rule! {
    #[doc = include_str!("../../docs/rules/incomplete-key-pair.md")]
    IncompleteKeyPair {
        id: "incomplete-key-pair",
        summary: "half a key pair, or two halves that make none",
        severity: Severity::Error,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for IncompleteKeyPair {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn storage(&self, storage: &Storage, profile: &Profile, sink: &mut Sink<'_>) {
        let Pair::Incomplete { present } = storage.pair() else { return };
        // A half that is set empty is `empty-credential`, one that is misspelt `unknown-field`.
        if storage.explains_absence(profile) {
            return;
        }
        let present: Vec<_> = present.into_iter().flatten().collect();
        let (message, help) = match present[..] {
            [one] => (
                format!("`{}` has `{}`, but no `{}`", profile.id, one.field.name, partner(one.field.name)),
                format!("set `{}` beside it", partner(one.field.name)),
            ),
            _ => {
                let what =
                    if present[0].field.role == Role::Secret { "two keys and no id" } else { "two ids and no key" };
                let ways =
                    |setting: &Setting| format!("`{}` beside `{}`", partner(setting.field.name), setting.field.name);
                (
                    format!("`{}` has {what}", profile.id),
                    format!(
                        "keep one of the two and set its other half: {}, or {}",
                        ways(present[0]),
                        ways(present[1])
                    ),
                )
            }
        };
        let draft = present.iter().fold(Draft::new(message, help), |draft, setting| {
            draft.key(setting, format!("`{}` is missing", partner(setting.field.name)))
        });
        sink.push(draft);
    }
}
