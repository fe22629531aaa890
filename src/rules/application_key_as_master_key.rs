use crate::config::Profile;
use crate::profile::in_fields_of_other_pair;
use crate::rule::{Draft, Sink, rule};
use crate::services::Pair;

rule! {
    #[doc = include_str!("../../docs/rules/application-key-as-master-key.md")]
    ApplicationKeyAsMasterKey: profile {
        id: "application-key-as-master-key",
        summary: "an application key and its keyID in the fields of the master application key",
        severity: Warning, impact: Doubtful, scope: "storage", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some([(id, id_text), (key, key_text)]) = in_fields_of_other_pair(profile, Pair::is_taken_by_s3) else {
        return;
    };
    let message = format!(
        "`{}` has an application key in the fields of the master application key; it works, but the names are wrong",
        profile.id
    );
    let help = "rename `account_id` to `application_key_id`, and `master_application_key` to `application_key`";
    let draft = Draft::new(message, help).value(id, id_text);
    sink.push(draft.value(key, key_text));
}
