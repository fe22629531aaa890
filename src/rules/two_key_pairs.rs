use super::{Draft, Rule, RuleMeta, Sink};
use crate::finding::Severity;
use crate::profile::storage::Pair;
use crate::profile::{Profile, Setting, Storage};

rule! {
    #[doc = include_str!("../../docs/rules/two-key-pairs.md")]
    TwoKeyPairs {
        id: "two-key-pairs",
        summary: "a whole pair, and a half or more of the other",
        severity: Severity::Error,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for TwoKeyPairs {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn storage(&self, storage: &Storage, profile: &Profile, sink: &mut Sink<'_>) {
        let Pair::Two { whole, spare } = storage.pair() else { return };
        let spare: Vec<_> = spare.into_iter().flatten().collect();
        let names = spare.iter().map(|setting| format!("`{}`", setting.field.name)).collect::<Vec<_>>().join(" and ");
        let mut message = format!("`{}` has a whole key pair and {names} of the other pair", profile.id);
        let mut help = format!("remove {names}");
        if spare.len() == 2 {
            let pair = whole.map(|setting| format!("`{}`", setting.field.name)).join(" and ");
            help =
                format!("a profile is one pair: remove {names}, or {pair}, or put each pair into a profile of its own");
        }
        let accounts_differ = storage.accounts_differ();
        if accounts_differ {
            message += ", which is of another account";
            help += "; the keyID in `application_key_id` does not belong to the account in `account_id`, so look which account is meant before you choose";
        }
        let mut draft = Draft::new(message, help);
        let label = |setting: &Setting, text: &str| match setting.field.name {
            "application_key_id" | "account_id" if accounts_differ => {
                format!("{text}, and of another account")
            }
            _ => text.to_owned(),
        };
        for setting in spare {
            draft = draft.key(setting, label(setting, "of the other pair"));
        }
        for setting in whole {
            draft = draft.key(setting, label(setting, "one half of the whole pair"));
        }
        sink.push(draft);
    }
}
