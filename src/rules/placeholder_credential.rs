use crate::config::{NoValue, Place, Profile, Required};
use crate::finding::Severity;
use crate::form::Placeholder;
use crate::profile::{Assessment, assessments};
use crate::rule::absence::{self, Absence};
use crate::rule::{ReadBy, Sink, rule};

rule! {
    PlaceholderCredential("placeholder-credential"): profile, required,
    "a placeholder, a word such as `null` or a masked value instead of a credential",
    severity: Error, impact: Unfit, scope: "any", readers: EVERY, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let (reader, place) = (profile.reader(), profile.found.as_ref().map(|found| found.place));
    // An example is meant to be filled in.
    if place == Some(Place::Example) {
        return;
    }
    for (credential, _, assessment) in assessments(profile) {
        // Where an earlier line of the file has a value, even a word that may be a password is not meant.
        let replaces = credential.shadows.first().filter(|_| reader != ReadBy::Declared);
        let placeholder = match assessment {
            Assessment::Placeholder(placeholder) => placeholder,
            _ if replaces.is_some() => match credential.facts().and_then(|facts| facts.reading.placeholder) {
                Some(placeholder) => placeholder,
                None => continue,
            },
            _ => continue,
        };
        let absence = if placeholder == Placeholder::Stub { Absence::MadeUp } else { Absence::Placeholder };
        let Some(severity) = absence::severity_of(absence, profile) else { continue };
        // It is unknown what a program expects: Laravel reads `null` as no password. No program expects words that ask for
        // a value, or a value that a console masked.
        let unknown = reader == ReadBy::Unknown;
        if unknown && replaces.is_none() && !placeholder.is_never_valid() {
            continue;
        }
        let judged = !unknown && !profile.kind().is_shared() && matches!(assessment, Assessment::Placeholder(_));
        let severity = if judged { severity } else { severity.min(Severity::Note) };
        let name = if reader == ReadBy::Declared { credential.key.as_str() } else { credential.name() };
        let what = match placeholder {
            Placeholder::Beginning => "holds the beginning of a credential alone",
            Placeholder::Redacted => "holds a masked value, not the credential itself",
            _ => "is a placeholder, not a credential",
        };
        let message = format!("`{name}` {what}");
        let help = if replaces.is_some() { REPLACES } else { remedy(placeholder) };
        let draft = finding(message, help).severity(severity).value(credential, placeholder.describe());
        sink.push(replaces.into_iter().fold(draft, |draft, shadow| draft.at(&credential.key, shadow.at, "overridden")));
    }
}

fn required(required: &[Required], sink: &mut Sink<'_>) {
    for Required { name, at, absence, .. } in required {
        let NoValue::StandIn(what) = absence else { continue };
        let message = format!("the value for `{name}` is a placeholder, not a credential");
        let help = "look at what writes to the pipe: it had no value, or the wrong one";
        sink.push(finding(message, help).at(name, *at, format!("standard input is {what}")));
    }
}

/// The advice for a line that replaces another one of its file.
const REPLACES: &str = "remove it: the last line with this name counts, and an earlier one has a value";

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
