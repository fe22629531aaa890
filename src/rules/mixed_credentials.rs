use crate::config::{Profile, Setting};
use crate::finding::Severity;
use crate::profile::{Disagreement, disagreements};
use crate::rule::{Draft, Sink, rule};
use crate::secret::Digest;

rule! {
    #[doc = include_str!("../../docs/rules/mixed-credentials.md")]
    MixedCredentials: profile {
        id: "mixed-credentials",
        summary: "credentials that do not belong together: of two modes, accounts or projects",
        severity: Error, impact: Unfit, scope: "other services", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for Disagreement { part, noun, words, settings: [one, other], advice, official } in disagreements(profile) {
        let word = |setting: &Setting| {
            let own = setting.facts().and_then(|facts| facts.part(part));
            words.iter().find(|word| own == Some(Digest::of_part(word)))
        };
        let text = |setting: &Setting| {
            word(setting).map_or_else(|| format!("for another {noun}"), |word| format!("for the {noun} `{word}`"))
        };
        let message = format!("`{}` and `{}` are for different {noun}s", one.name(), other.name());
        let severity = if official { Severity::Error } else { Severity::Warning };
        sink.push(Draft::new(message, advice).severity(severity).value(one, text(one)).value(other, text(other)));
    }
}
