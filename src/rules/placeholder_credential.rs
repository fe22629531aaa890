use crate::config::{Found, NamedSecret, Place, Profile};
use crate::finding::Severity;
use crate::form::StandIn;
use crate::profile::{Standing, standings};
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
        for (credential, _, standing) in standings(profile) {
            let Standing::StandIn(stand_in) = standing else { continue };
            let message = format!("`{}` is a placeholder, not a credential", credential.key);
            sink.push(Draft::new(message, remedy(stand_in)).value(credential, describe(stand_in)));
        }
    }

    fn found(&self, profile: &Profile, found: &Found, sink: &mut Sink<'_>) {
        // A file that is made to be filled in, and a variable that is set but to nothing: neither is used as it stands.
        if found.place == Place::Example {
            return;
        }
        for (credential, _, standing) in standings(profile) {
            let Standing::StandIn(stand_in) = standing else { continue };
            let message = format!("`{}` is a placeholder, not a credential", credential.name());
            let draft = Draft::new(message, remedy(stand_in)).value(credential, describe(stand_in));
            // A file may be filled in before it is used; a process has what it has.
            let severity = if found.place == Place::File { Severity::Warning } else { Severity::Error };
            sink.push(draft.severity(severity));
        }
    }

    fn variable(&self, variable: &NamedSecret, sink: &mut Sink<'_>) {
        if variable.facts.reading.stand_in == Some(StandIn::Null) {
            let message = format!("`{}` is set to `null` or a similar word", variable.name);
            let draft = Draft::new(message, remedy(StandIn::Null));
            sink.push(draft.severity(Severity::Warning).at(&variable.name, variable.at, describe(StandIn::Null)));
        }
    }
}

/// What it is.
const fn describe(stand_in: StandIn) -> &'static str {
    match stand_in {
        StandIn::Brackets => "a placeholder in `<…>`",
        StandIn::Word => "a placeholder such as `changeme` or `your-token`",
        StandIn::Null => "a word such as `null` or `undefined`, which stands for a missing value",
        StandIn::Redacted => "a redacted value, such as `***`",
        StandIn::Body => "a known prefix followed by a placeholder",
        StandIn::Repeated => "a single repeated character",
    }
}

/// What to do about it.
const fn remedy(stand_in: StandIn) -> &'static str {
    match stand_in {
        StandIn::Null => {
            "the program that wrote this had no value: set the variable or key it reads, then run it again"
        }
        StandIn::Redacted => "copy the value from where it was issued, not from a log or list that masks it",
        _ => "replace it with the real value",
    }
}
