use crate::config::{Mistyped, Profile, Unknown};
use crate::finding::Severity;
use crate::rule::{Draft, Impact, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/unknown-field.md")]
    UnknownField {
        id: "unknown-field",
        summary: "an unknown setting, most often a misspelt one",
        severity: Severity::Error,
        impact: Impact::None,
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
            let taken = unknown.meant.filter(|field| profile.setting(field).is_some());
            match (unknown.called.is_empty(), &unknown.suggestion, taken) {
                (false, Some(name), taken) => {
                    let field = unknown.meant.and_then(|field| profile.kind().field(field));
                    let list = !unknown.variable && field.is_some_and(|field| field.ty.is_list());
                    foreign(unknown, name, (taken, list), sink);
                }
                _ => push(unknown, sink),
            }
        }
    }
}

/// Describes a field by another program's name. The right field may be set already, or may be a list.
fn foreign(unknown: &Unknown, name: &str, (taken, list): (Option<&str>, bool), sink: &mut Sink<'_>) {
    let what = if unknown.variable { "variable" } else { "field" };
    let message = format!("unknown {what} `{}`", unknown.key);
    let help = match taken {
        Some(field) => format!("remove it: `{field}` is already set, and that is the one credlint uses"),
        None if list => format!("rename it to `{name}` and make it a list"),
        None => format!("rename it to `{name}`"),
    };
    sink.push(Draft::new(message, help).at(&unknown.key, unknown.at, "another program's name for this setting"));
}

fn push(unknown: &Unknown, sink: &mut Sink<'_>) {
    let what = match unknown.expected.is_empty() {
        _ if unknown.variable => "variable",
        true => "rule",
        false => "field",
    };
    // A rule is named apart from the table that names it.
    let table =
        ["lint.levels.", "lint.allow: "].into_iter().find_map(|table| Some((table, unknown.key.strip_prefix(table)?)));
    let message = match table {
        Some((table, rule)) if what == "rule" => {
            format!("unknown rule `{rule}` in `{}`", table.trim_end_matches(['.', ':', ' ']))
        }
        _ => format!("unknown {what} `{}`", unknown.key),
    };
    let (help, text) = match &unknown.suggestion {
        Some(suggestion) => (format!("did you mean `{suggestion}`?"), format!("no such {what}")),
        None if unknown.variable => (
            "name it CREDLINT_KIND__PROFILE__FIELD in upper case, such as CREDLINT_MESSAGING__REPORTS__TOKEN"
                .to_owned(),
            format!("no such {what}"),
        ),
        None if unknown.expected.is_empty() => {
            ("run `credlint rules` for a list of the rules".to_owned(), format!("no such {what}"))
        }
        None => {
            let known = unknown.expected.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            (format!("valid {what}s: {known}"), format!("no such {what}"))
        }
    };
    sink.push(Draft::new(message, help).at(&unknown.key, unknown.at, text));
}
