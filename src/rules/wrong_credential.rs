use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::{Assessment, Broken, assessments, broken, mistake};
use crate::rule::{Draft, Sink, rule};
use crate::schema::{APP, MESSAGING, STORAGE};
use crate::services::{Field, Purpose, Relation, Source};

rule! {
    #[doc = include_str!("../../docs/rules/wrong-credential.md")]
    WrongCredential: profile {
        id: "wrong-credential",
        summary: "a credential of the right service, but of another kind",
        severity: Error, impact: Unfit, scope: "any", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    // These have rules of their own, but for what a row says.
    let own_rules = [&APP, &MESSAGING, &STORAGE].contains(&profile.kind());
    let weight = |source: Source| if source.is_official() { Severity::Error } else { Severity::Warning };
    for Broken { relation, setting, holds, other } in broken(profile) {
        let (Relation::Differ { other: field, repair, source, .. }, Some(whole)) = (relation, other) else { continue };
        let message = format!("`{}` holds {holds} in `{}`, not {}", setting.name(), whole.name(), field.noun);
        sink.push(Draft::new(message, *repair).severity(weight(*source)).value(setting, holds));
    }
    for (setting, _, assessment) in assessments(profile) {
        if let Assessment::Elsewhere(at, form) = assessment {
            let noun = form.map_or("another value", |form| form.noun);
            let message = format!("`{}` holds {noun}, and {} takes {}", setting.name(), at.whose, at.noun);
            sink.push(Draft::new(message, at.repair).severity(weight(at.source)).value(setting, noun));
        }
        let Assessment::Misplaced(form) = assessment else { continue };
        let mistake = mistake(profile.kind(), setting.field, form);
        if own_rules && mistake.is_none() {
            continue;
        }
        let wanted = profile.kind().wanted(setting.field);
        let row = profile.kind().row(setting.field.name);
        let exposed = profile.found.as_ref().is_some_and(|found| found.public.contains(&setting.at));
        let help = match (exposed && row.is_some_and(Field::is_secret), mistake) {
            // Whoever set it to the secret would publish it.
            (true, _) => {
                "rename it to what it holds: browsers get the variables of this name, so no secret belongs there"
                    .to_owned()
            }
            (false, Some(mistake)) => mistake.repair.to_owned(),
            (false, None) => format!("set it to {wanted}"),
        };
        // What only reports say may be right for some program.
        let source = mistake.map_or(form.source, |mistake| mistake.source);
        let severity = match source {
            // Some programs take the content of the file, too.
            _ if row.is_some_and(|row| row.purpose() == Purpose::Path) => Severity::Note,
            Source::Official(_) => Severity::Error,
            Source::Example(_) | Source::Scanner(_) => Severity::Warning,
            Source::Unsure(_) => Severity::Note,
        };
        let noun = row.map_or("", |row| row.noun);
        let message = format!("`{}` holds {}, not {noun}", setting.name(), form.noun);
        sink.push(Draft::new(message, help).severity(severity).value(setting, form.noun));
    }
    for Broken { relation, setting, holds, other } in broken(profile) {
        let (Relation::Beside { noun, advice, source, .. }, Some(beside)) = (relation, other) else { continue };
        let message = format!("`{}` holds {holds}, and `{}` next to it {noun}", setting.name(), beside.name());
        sink.push(Draft::new(message, *advice).severity(weight(*source)).value(setting, holds));
    }
}
