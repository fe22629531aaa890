use crate::config::Profile;
use crate::rule::{Sink, rule};

rule! {
    ExposedCredential("exposed-credential"): profile, "a secret under a name that a framework passes on to browsers",
    severity: Error, impact: Exposed, scope: "any", readers: EVERY, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(found) = &profile.found else { return };
    for setting in profile.credentials().filter(|setting| found.public.contains(&setting.field.name)) {
        let Some(form) = setting.credential_form().filter(|form| form.must_not_reach_browsers()) else { continue };
        let name = setting.name();
        let message = format!("`{name}` holds {}, and browsers get the variables of this name", form.noun);
        let help = "give it a name without that prefix and read it on the server only; if it was built or published, rotate it";
        sink.push(finding(message, help).value(setting, form.noun));
    }
}
