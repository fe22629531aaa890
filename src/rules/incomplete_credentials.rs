use crate::config::{ForeignProfile, Place, Profile};
use crate::finding::Severity;
use crate::profile::{Need, needs};
use crate::rule::absence::{self, Absence};
use crate::rule::{Draft, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/incomplete-credentials.md")]
    IncompleteCredentials: found {
        id: "incomplete-credentials",
        summary: "a credential that needs another one, which is empty",
        severity: Note, impact: Unfit, scope: "other services", readers: FOUND, since: "0.1.0",
    }
}

fn found(profile: &Profile, found: &ForeignProfile, sink: &mut Sink<'_>) {
    // A file may be completed by another one; a name that is set to nothing in a process is not.
    if found.place != Place::Environment {
        return;
    }
    for Need { setting, form, missing, field, advice } in needs(profile) {
        let Some(severity) = absence::weight(Absence::Missing, profile) else { continue };
        let Some(missing) = missing else {
            let message = format!("`{}` holds {}, and {} is not set", setting.name(), form.noun, field.noun);
            sink.push(Draft::new(message, advice).severity(Severity::Warning).value(setting, form.noun));
            continue;
        };
        let name = missing.name();
        let message = format!("`{}` holds {}, and `{name}` is empty", setting.name(), form.noun);
        sink.push(Draft::new(message, advice).severity(severity).key(missing, "empty").value(setting, form.noun));
    }
}
