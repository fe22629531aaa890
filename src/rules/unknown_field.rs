use crate::config::{Mistyped, Profile, Unknown, UnknownKind};
use crate::rule::{Sink, rule};
use crate::schema::Kind;

rule! {
    UnknownField("unknown-field"): outside, profile, "an unknown setting, most often a misspelt one",
    severity: Error, impact: None, scope: "any", readers: DECLARED, since: "0.1.0",
}

fn outside(unknown: &[Unknown], _: &[Mistyped], sink: &mut Sink<'_>) {
    for unknown in unknown {
        push(unknown, sink);
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for unknown in &profile.unknown {
        let taken = unknown.meant.filter(|field| profile.setting(field).is_some());
        match (unknown.aliases.is_empty(), &unknown.suggestion, taken) {
            (false, Some(name), taken) => {
                let field = unknown.meant.and_then(|field| profile.kind().field(field));
                let list = unknown.kind == UnknownKind::Field && field.is_some_and(|field| field.ty.is_list());
                foreign(unknown, name, (taken, list), sink);
            }
            _ => push(unknown, sink),
        }
    }
}

/// Describes a field by another program's name. The right field may be set already, or may be a list.
fn foreign(unknown: &Unknown, name: &str, (taken, list): (Option<&str>, bool), sink: &mut Sink<'_>) {
    let what = kind_of_unknown(unknown);
    let message = format!("unknown {what} `{}`", unknown.key);
    let help = match taken {
        Some(field) => format!("remove it: `{field}` is already set, and that is the one credlint uses"),
        None if list => format!("rename it to `{name}` and make it a list"),
        None => format!("rename it to `{name}`"),
    };
    sink.push(finding(message, help).at(&unknown.key, unknown.at, "another program's name for this setting"));
}

fn push(unknown: &Unknown, sink: &mut Sink<'_>) {
    let what = kind_of_unknown(unknown);
    // A rule is shown without the table that contains it.
    let table =
        ["lint.levels.", "lint.allow: "].into_iter().find_map(|table| Some((table, unknown.key.strip_prefix(table)?)));
    let (message, text) = match (unknown.kind, table) {
        (UnknownKind::Rule, Some((table, rule))) => (
            format!("unknown rule `{rule}` in `{}`", table.trim_end_matches(['.', ':', ' '])),
            format!("no such {what}"),
        ),
        (UnknownKind::Profileless, _) => {
            (format!("`{}` is outside a profile", unknown.key), "no profile is named here".to_owned())
        }
        _ => (format!("unknown {what} `{}`", unknown.key), format!("no such {what}")),
    };
    let help = match (&unknown.suggestion, unknown.kind) {
        (Some(meant), UnknownKind::Profileless) => format!("put it under a named profile, as in `{meant}`"),
        (Some(suggestion), _) => format!("did you mean `{suggestion}`?"),
        (None, UnknownKind::Variable) => {
            "name it CREDLINT_KIND__PROFILE__FIELD in upper case, such as CREDLINT_MESSAGING__REPORTS__TOKEN".to_owned()
        }
        (None, UnknownKind::Rule) => "run `credlint explain` for a list of the rules".to_owned(),
        (None, UnknownKind::Table) if let Some(kinds) = of_service(&unknown.key) => {
            format!("its profiles are tables such as {kinds}")
        }
        (None, _) => {
            let known = unknown.expected.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            format!("valid {what}s: {known}")
        }
    };
    sink.push(finding(message, help).at(&unknown.key, unknown.at, text));
}

/// Returns the tables for the profiles of the service that a table is named after.
fn of_service(table: &str) -> Option<String> {
    let upper = table.to_uppercase();
    let own = |kind: &&&Kind| kind.service.is_some_and(|service| service.words.contains(&upper.as_str()));
    let kinds: Vec<String> =
        Kind::all().iter().filter(own).map(|kind| format!("`[{}.{}]`", kind.name, kind.first)).collect();
    (!kinds.is_empty()).then(|| kinds.join(" or "))
}

fn kind_of_unknown(unknown: &Unknown) -> &'static str {
    match unknown.kind {
        UnknownKind::Field | UnknownKind::Profileless => "field",
        UnknownKind::Table => "table",
        UnknownKind::Rule => "rule",
        UnknownKind::Variable => "variable",
    }
}
