use crate::config::Profile;
use crate::profile::in_fields_of_other_pair;
use crate::rule::{Draft, Sink, rule};
use crate::services::Pair;

rule! {
    #[doc = include_str!("../../docs/rules/master-key-as-application-key.md")]
    MasterKeyAsApplicationKey: profile {
        id: "master-key-as-application-key",
        summary: "the master application key in the fields of an application key: it works, with access to the whole account",
        severity: Warning, impact: Unfit, scope: "storage", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some([(id, id_text), (key, key_text)]) = in_fields_of_other_pair(profile, Pair::is_refused_by_s3) else {
        return;
    };
    let message = format!(
        "`{}` has the master application key in the fields of an application key; it works, with access to the whole account",
        profile.id
    );
    let help = "create an application key on the console's page Application Keys, with only the access that the job needs, and set both fields to it; if the master application key is intended, use `account_id` and `master_application_key`";
    let draft = Draft::new(message, help).value(key, key_text);
    sink.push(draft.value(id, id_text));
}
