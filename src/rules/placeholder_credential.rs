use crate::config::Profile;
use crate::finding::Severity;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::secret::Placeholder;

rule! {
    #[doc = include_str!("../../docs/rules/placeholder-credential.md")]
    PlaceholderCredential {
        id: "placeholder-credential",
        summary: "a stand-in that was never replaced",
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
        for credential in profile.credentials() {
            let Some(placeholder) = credential.facts().and_then(|facts| facts.placeholder) else { continue };
            let (text, help) = match placeholder {
                Placeholder::Brackets => ("a stand-in in `<…>`", "put the real value in its place"),
                Placeholder::Template => (
                    "a template that was not expanded",
                    "credlint expands nothing: use a reference such as `{ env = \"NAME\" }`, or render the template before the check",
                ),
                Placeholder::Word => ("a stand-in word", "put the real value in its place"),
                Placeholder::Repeated => ("one character, repeated", "put the real value in its place"),
            };
            let message = format!("the value of `{}` is a placeholder", credential.key);
            sink.push(Draft::new(message, help).value(credential, text));
        }
    }
}
