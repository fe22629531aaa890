use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::{Assessment, assessments, mistake};
use crate::rule::{Draft, Impact, ReadBy, Rule, RuleMeta, Sink, rule};
use crate::schema::{APP, MESSAGING, STORAGE};

rule! {
    #[doc = include_str!("../../docs/rules/wrong-credential.md")]
    WrongCredential {
        id: "wrong-credential",
        summary: "a credential of the right service, but of another kind",
        severity: Severity::Error,
        impact: Impact::Unfit,
        scope: "any",
        readers: ReadBy::ALL,
        since: "0.1.0",
    }
}

impl Rule for WrongCredential {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        // These have rules of their own, but for what a row says.
        let own_rules = [&APP, &MESSAGING, &STORAGE].contains(&profile.kind());
        for (setting, _, assessment) in assessments(profile) {
            let Assessment::Misplaced(form) = assessment else { continue };
            let mistake = mistake(profile.kind(), setting.field, form);
            if own_rules && mistake.is_none() {
                continue;
            }
            let wanted = profile.kind().wanted(setting.field);
            let help = mistake.map_or_else(|| format!("set it to {wanted}"), |mistake| mistake.repair.to_owned());
            // What only reports say may be right for some program.
            let source = mistake.map_or(form.source, |mistake| mistake.source);
            let severity = if source.is_official() { Severity::Error } else { Severity::Warning };
            let noun = profile.kind().row(setting.field.name).map_or("", |row| row.noun);
            let message = format!("`{}` holds {}, not {noun}", setting.name(), form.noun);
            sink.push(Draft::new(message, help).severity(severity).value(setting, form.noun));
        }
    }
}
