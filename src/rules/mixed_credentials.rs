use crate::config::{Profile, Setting};
use crate::finding::Severity;
use crate::profile::broken;
use crate::rule::{Draft, Sink, rule};
use crate::secret::Digest;
use crate::services::Relation;

rule! {
    #[doc = include_str!("../../docs/rules/mixed-credentials.md")]
    MixedCredentials: profile {
        id: "mixed-credentials",
        summary: "credentials that do not belong together: of two modes, accounts or projects",
        severity: Error, impact: Unfit, scope: "other services", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for broken in broken(profile) {
        let Relation::Agree { part, noun, words, advice, source, .. } = broken.relation else { continue };
        let (one, Some(other)) = (broken.setting, broken.other) else { continue };
        let word = |setting: &Setting| {
            let own = setting.facts().and_then(|facts| facts.part(part));
            words.iter().find(|word| own == Some(Digest::of_part(word)))
        };
        let text = |setting: &Setting| {
            word(setting).map_or_else(|| format!("for another {noun}"), |word| format!("for the {noun} `{word}`"))
        };
        let message = format!("`{}` and `{}` are for different {noun}s", one.name(), other.name());
        let severity = if source.is_official() { Severity::Error } else { Severity::Warning };
        sink.push(Draft::new(message, *advice).severity(severity).value(one, text(one)).value(other, text(other)));
    }
}
