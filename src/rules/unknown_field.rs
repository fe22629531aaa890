use crate::config::{Mistyped, Profile, Unknown};
use crate::finding::Severity;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/unknown-field.md")]
    UnknownField {
        id: "unknown-field",
        summary: "a key that means nothing, most often misspelt",
        severity: Severity::Error,
        harm: Harm::None,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for UnknownField {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn outside(&self, unknown: &[Unknown], _: &[Mistyped], sink: &mut Sink<'_>) {
        for unknown in unknown {
            push(unknown, sink);
        }
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        for unknown in &profile.unknown {
            push(unknown, sink);
        }
    }
}

fn push(unknown: &Unknown, sink: &mut Sink<'_>) {
    let what = if unknown.variable { "variable" } else { "field" };
    let message = format!("unknown {what} `{}`", unknown.key);
    let (help, text) = match &unknown.suggestion {
        Some(suggestion) => (format!("did you mean `{suggestion}`?"), format!("no such {what}")),
        None if unknown.variable => (
            "a variable is named CREDLINT_KIND__PROFILE__FIELD in upper case, such as CREDLINT_MESSAGING__REPORTS__TOKEN".to_owned(),
            format!("no such {what}"),
        ),
        None if unknown.expected.is_empty() => {
            ("`credlint rules` lists the ids that there are".to_owned(), format!("no such {what}"))
        }
        None => {
            let known = unknown.expected.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            (format!("known here: {known}"), format!("no such {what}"))
        }
    };
    sink.push(Draft::new(message, help).at(&unknown.key, unknown.at, text));
}
