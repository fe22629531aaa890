use crate::config::{ForeignProfile, NamedSecret, Place, Profile};
use crate::finding::Severity;
use crate::form::Placeholder;
use crate::profile::{Assessment, assessments};
use crate::rule::{Draft, Impact, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/placeholder-credential.md")]
    PlaceholderCredential {
        id: "placeholder-credential",
        summary: "a placeholder, a word such as `null` or a redacted value instead of a credential",
        severity: Severity::Error,
        impact: Impact::Unfit,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for PlaceholderCredential {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        for (credential, _, assessment) in assessments(profile) {
            let Assessment::Placeholder(placeholder) = assessment else { continue };
            let message = format!("`{}` is a placeholder, not a credential", credential.key);
            sink.push(Draft::new(message, remedy(placeholder)).value(credential, describe(placeholder)));
        }
    }

    fn foreign(&self, profile: &Profile, found: &ForeignProfile, sink: &mut Sink<'_>) {
        // An example is meant to be filled in, and an empty variable is unset for most programs: neither placeholder is
        // used as it is.
        if found.place == Place::Example {
            return;
        }
        for (credential, _, assessment) in assessments(profile) {
            let Assessment::Placeholder(placeholder) = assessment else { continue };
            let message = format!("`{}` is a placeholder, not a credential", credential.name());
            let draft = Draft::new(message, remedy(placeholder)).value(credential, describe(placeholder));
            // A file may still be filled in before use; the variables of a process are in use.
            let severity = if found.place == Place::File { Severity::Warning } else { Severity::Error };
            sink.push(draft.severity(severity));
        }
    }

    fn variable(&self, variable: &NamedSecret, sink: &mut Sink<'_>) {
        if variable.facts.reading.placeholder == Some(Placeholder::Null) {
            let message = format!("`{}` is set to `null` or a similar word", variable.name);
            let draft = Draft::new(message, remedy(Placeholder::Null));
            sink.push(draft.severity(Severity::Warning).at(&variable.name, variable.at, describe(Placeholder::Null)));
        }
    }
}

/// Describes the placeholder.
const fn describe(placeholder: Placeholder) -> &'static str {
    match placeholder {
        Placeholder::Brackets => "a placeholder in `<…>`",
        Placeholder::Word => "a placeholder such as `changeme` or `your-token`",
        Placeholder::Null => "a word such as `null` or `undefined`, which stands for a missing value",
        Placeholder::Redacted => "a redacted value, such as `***`",
        Placeholder::Body | Placeholder::Stub => "a known prefix followed by a placeholder",
        Placeholder::Repeated => "a single repeated character",
    }
}

/// Returns the advice.
const fn remedy(placeholder: Placeholder) -> &'static str {
    match placeholder {
        Placeholder::Null => {
            "the program that wrote this had no value: set the variable or key it reads, then run it again"
        }
        Placeholder::Redacted => "copy the value from where it was issued, not from a log or list that masks it",
        _ => "replace it with the real value",
    }
}
