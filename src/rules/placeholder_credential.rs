use crate::config::Profile;
use crate::finding::Severity;
use crate::form::StandIn;
use crate::profile::{Standing, standings};
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/placeholder-credential.md")]
    PlaceholderCredential {
        id: "placeholder-credential",
        summary: "a placeholder, a null word or a redaction where a value belongs",
        severity: Severity::Error,
        harm: Harm::Unfit,
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
            let text = match stand_in {
                StandIn::Brackets => "text in `<…>`, to be replaced",
                StandIn::Word => "a placeholder such as `changeme` or `your-token`",
                StandIn::Null => "a word for no value, such as `null` or `undefined`",
                StandIn::Redacted => "what is left where a value was hidden, such as `***`",
                StandIn::Body => "a known prefix with a placeholder behind it",
                StandIn::Repeated => "one character, repeated",
            };
            let help = match stand_in {
                StandIn::Null => {
                    "the program that wrote this had no value; set the variable or key that it reads, then write the value again"
                }
                StandIn::Redacted => "copy the value from where it was issued, not from a log or a list that hides it",
                _ => "replace it with the real value",
            };
            let message = format!("the value of `{}` is a placeholder", credential.key);
            sink.push(Draft::new(message, help).value(credential, text));
        }
    }
}
