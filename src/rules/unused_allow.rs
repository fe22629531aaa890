use crate::config;
use crate::finding::Severity;
use crate::rule::{Draft, Impact, ReadBy, Rule, RuleMeta, Sink, Use, rule};

rule! {
    #[doc = include_str!("../../docs/rules/unused-allow.md")]
    UnusedAllow {
        id: "unused-allow",
        summary: "an allow that matches no finding",
        severity: Severity::Warning,
        impact: Impact::None,
        scope: "any",
        readers: ReadBy::NONE,
        since: "0.1.0",
    }
}

impl Rule for UnusedAllow {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn allows(&self, uses: &[Use<'_>], sink: &mut Sink<'_>) {
        for one in uses.iter().filter(|one| !one.used && !one.allow.reason.is_empty()) {
            let message = format!("this allow for `{}` matches no finding", config::shown_rule(&one.allow.rule));
            let help = match (&one.allow.comment, one.near) {
                // In a table, an unknown rule is an unknown field.
                (None, _) if !one.known => continue,
                (Some(_), Some(near)) if !one.known => format!("unknown rule; did you mean `{near}`?"),
                (Some(_), _) => {
                    "remove the comment; it applies to its own line, or to the next line if it is on a line of its own, and only to findings in this file".to_owned()
                }
                (None, _) => "remove it, or correct its `rule` or `profile`".to_owned(),
            };
            sink.push(Draft::new(message, help).at("lint.allow", one.allow.at, "matches no finding"));
        }
    }
}
