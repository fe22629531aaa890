use crate::config::Profile;
use crate::finding::Severity;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::{Secret, Type};

rule! {
    #[doc = include_str!("../../docs/rules/malformed-credential.md")]
    MalformedCredential {
        id: "malformed-credential",
        summary: "white space, control or non-ASCII characters, or a pasted `Bearer `",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for MalformedCredential {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        for credential in profile.credentials() {
            let Some(facts) = credential.facts().filter(|facts| facts.malformed()) else { continue };
            // Those are mistakes of their own.
            let webhook_as_token = matches!(credential.field.ty, Type::Secret(Secret::Token)) && facts.url;
            if facts.placeholder.is_some() || webhook_as_token {
                continue;
            }
            let (what, help) = match facts {
                facts if facts.bearer => {
                    ("begins with `Bearer `", "remove the word: credlint adds it to the header itself")
                }
                facts if facts.whitespace => (
                    "holds white space",
                    "copy the value again, without spaces and line breaks; a line break at its end is the most common",
                ),
                facts if facts.control => {
                    ("holds a control character", "copy the value again, from a place that shows it as plain text")
                }
                _ => (
                    "holds a character outside ASCII",
                    "copy the value again: typographic quotes and dashes come from documents and chats",
                ),
            };
            let message = format!("the value of `{}` {what}", credential.key);
            sink.push(Draft::new(message, help).value(credential, what));
        }
    }
}
