use crate::config::{Place, Profile};
use crate::finding::Severity;
use crate::form::Placeholder;
use crate::profile::{Assessment, assessments};
use crate::rule::absence::{self, Absence};
use crate::rule::{Draft, ReadBy, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/placeholder-credential.md")]
    PlaceholderCredential: profile {
        id: "placeholder-credential",
        summary: "a placeholder, a word such as `null` or a masked value instead of a credential",
        severity: Error, impact: Unfit, scope: "any", readers: EVERY, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let (reader, place) = (profile.reader(), profile.found.as_ref().map(|found| found.place));
    // An example is meant to be filled in.
    if place == Some(Place::Example) {
        return;
    }
    for (credential, _, assessment) in assessments(profile) {
        let Assessment::Placeholder(placeholder) = assessment else { continue };
        let absence = if placeholder == Placeholder::Stub { Absence::MadeUp } else { Absence::Placeholder };
        let Some(severity) = absence::severity_of(absence, profile) else { continue };
        // It is unknown what a program expects: Laravel reads `null` as no password. No program expects a value that a
        // console masked.
        let unknown = reader == ReadBy::Unknown;
        if unknown && !placeholder.is_remnant() {
            continue;
        }
        let severity = if unknown || profile.kind().is_shared() { severity.min(Severity::Note) } else { severity };
        let name = if reader == ReadBy::Declared { credential.key.as_str() } else { credential.name() };
        let what = match placeholder {
            Placeholder::Beginning => "holds the beginning of a credential alone",
            Placeholder::Redacted => "holds a masked value, not the credential itself",
            _ => "is a placeholder, not a credential",
        };
        let message = format!("`{name}` {what}");
        let draft = Draft::new(message, remedy(placeholder)).severity(severity);
        sink.push(draft.value(credential, placeholder.describe()));
    }
}

/// Returns the advice.
const fn remedy(placeholder: Placeholder) -> &'static str {
    match placeholder {
        Placeholder::Null => {
            "the program that wrote this had no value: set the variable or key it reads, then run it again"
        }
        Placeholder::Redacted => "copy the value from where it was issued, not from a log or list that masks it",
        Placeholder::Beginning => "set it to the whole value; what fills in the rest had none",
        _ => "replace it with the real value",
    }
}
