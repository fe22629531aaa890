use crate::config::Profile;
use crate::rule::{Sink, rule};

rule! {
    TemplateRule("template-rule" in "template.md"): profile, "TODO: what is wrong, in one line",
    severity: Error, impact: None, scope: "any", readers: DECLARED, since: "0.0.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    // TODO: what is wrong, what to do about it, and where it stands. One mistake gives one finding.
    let draft = finding(format!("`{}` is wrong", profile.id), "do this");
    sink.push(draft.at(&profile.id.to_string(), profile.at, "this profile"));
}
