use crate::config::{Place, Profile};
use crate::finding::Severity;
use crate::profile::{BrokenRelation, broken_relations};
use crate::rule::absence::{self, Absence};
use crate::rule::{Sink, rule};
use crate::services::Relation;

rule! {
    IncompleteCredentials("incomplete-credentials"): profile, "a credential that needs another one, which is empty",
    severity: Note, impact: Unfit, scope: "other services", readers: FOUND, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(found) = &profile.found else { return };
    // Another file may complete a file; an empty variable of a process stays empty.
    if found.place != Place::Environment {
        return;
    }
    for BrokenRelation { relation, setting, holds, other } in broken_relations(profile) {
        let Relation::Needs { field, advice, .. } = relation else { continue };
        let Some(severity) = absence::severity_of(Absence::Missing, profile) else { continue };
        let name = setting.name();
        let draft = match other {
            None => {
                let message = format!("`{name}` holds {holds}, and {} is not set", field.noun);
                finding(message, *advice).severity(Severity::Warning)
            }
            Some(missing) => {
                let message = format!("`{name}` holds {holds}, and `{}` is empty", missing.name());
                finding(message, *advice).severity(severity).key(missing, "empty")
            }
        };
        sink.push(draft.value(setting, holds));
    }
}
