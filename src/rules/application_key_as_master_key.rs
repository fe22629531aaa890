use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::{Storage, Values};
use crate::rule::{Draft, Impact, ReadBy, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/application-key-as-master-key.md")]
    ApplicationKeyAsMasterKey {
        id: "application-key-as-master-key",
        summary: "an application key and its keyID in the fields of the master application key",
        severity: Severity::Warning,
        impact: Impact::Doubtful,
        scope: "storage",
        readers: ReadBy::DECLARED,
        since: "0.1.0",
    }
}

impl Rule for ApplicationKeyAsMasterKey {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(storage) = Storage::from_profile(profile) else { return };
        let Values::ApplicationAsMaster { id, key } = storage.values() else { return };
        let message = format!(
            "`{}` has an application key in the fields of the master application key; it works, but the names are wrong",
            profile.id
        );
        let help = "rename `account_id` to `application_key_id`, and `master_application_key` to `application_key`";
        let draft = Draft::new(message, help).value(id, "looks like the keyID of an application key");
        sink.push(draft.value(key, "looks like an application key"));
    }
}
