use crate::config::{Profile, Setting};
use crate::finding::Severity;
use crate::profile::{Halves, Storage};
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::Role;

rule! {
    #[doc = include_str!("../../docs/rules/two-key-pairs.md")]
    TwoKeyPairs {
        id: "two-key-pairs",
        summary: "a whole pair, and a half or more of the other",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for TwoKeyPairs {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(Halves::Two { whole, spare }) = Halves::of_profile(profile) else { return };
        let names = spare.iter().map(|setting| format!("`{}`", setting.field.name)).collect::<Vec<_>>().join(" and ");
        let mut message = format!("`{}` has a whole key pair and {names} of the other pair", profile.id);
        let mut help = format!("remove {names}");
        if spare
            .iter()
            .any(|one| spare.iter().any(|other| profile.kind().partner(one.field.name) == Some(other.field.name)))
        {
            let pair = whole.map(|setting| format!("`{}`", setting.field.name)).join(" and ");
            help =
                format!("a profile is one pair: remove {names}, or {pair}, or put each pair into a profile of its own");
        }
        let accounts_differ = Storage::of_profile(profile).is_some_and(Storage::accounts_differ);
        if accounts_differ {
            message += ", which is of another account";
            help += "; the keyID in `application_key_id` does not belong to the account in `account_id`, so look which account is meant before you choose";
        }
        let mut draft = Draft::new(message, help);
        let label = |setting: &Setting, text: &str| match setting.field.role {
            Role::Identifier if accounts_differ => format!("{text}, and of another account"),
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
