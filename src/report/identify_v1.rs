//! The output of `identify`: the identify/v1 document, and text for people.

use std::fmt::Write;

use super::json_v1::{Object, to_string, unplaced};
use crate::finding::Finding;
use crate::identify::{Identified, Identity, Relation, State};

/// The name that was given with a value.
#[derive(Debug)]
pub struct NamedValue {
    /// The name. `None` if it may not be printed, or was given without a value.
    pub name: Option<String>,
    /// The expected value, if it is known.
    pub wanted: Option<String>,
}

/// Returns the JSON document.
pub fn write(identified: &Identified, named: &[NamedValue], findings: Option<&[Finding]>) -> String {
    let value = |(number, value): (usize, &Identity)| {
        let named = named.get(number);
        let told =
            value.documented_parts().into_iter().map(|(noun, word)| Object::new("noun", noun).with("word", word));
        let names = value.names().iter().map(|&(name, program)| Object::new("name", name).with("program", program));
        Object::new("name", named.and_then(|named| named.name.as_deref()))
            .with("wanted", named.and_then(|named| named.wanted.as_deref()))
            .with("state", value.state().name())
            .with("what", value.noun())
            .with("service", value.service())
            .with("certain", value.is_certain())
            .with("secret", value.is_secret())
            .with("flaw", value.flaw())
            .with("looks", value.looks())
            .with_list("told", told)
            .with("fields", value.fields())
            .with("variables", value.variables())
            .with_list("names", names)
            .with("advice", value.advice())
    };
    let document = Object::document("credlint/identify/v1")
        .with_list("values", identified.values.iter().enumerate().map(value))
        // Null unless there are two values.
        .with("together", identified.relation.map(Relation::name))
        // Null unless the values have names.
        .with("findings", findings.map(|findings| findings.iter().map(unplaced).collect::<Vec<_>>()));
    to_string(&document)
}

/// Returns the text for people.
pub fn human(identified: &Identified, named: &[NamedValue], findings: Option<&[Finding]>) -> String {
    let mut out = String::new();
    for (number, value) in identified.values.iter().enumerate() {
        let named = named.get(number);
        let which = match (identified.values.len(), number) {
            _ if let Some(name) = named.and_then(|named| named.name.as_deref()) => name,
            (1, _) => "value",
            (_, 0) => "first value",
            (_, 1) => "second value",
            _ => "next value",
        };
        // Writing to a string can't fail.
        let _ = writeln!(out, "{which}: {}{}", describe_with_certainty(value), issuer(value));
        let mut line = |name: &str, text: &str| {
            let _ = writeln!(out, "  {name:11} {text}");
        };
        if let Some(looks) = value.looks() {
            line("looks like", &looks);
        }
        if let Some(flaw) = value.flaw() {
            line("but", &format!("it {flaw}"));
        }
        for (noun, word) in value.documented_parts() {
            line(noun, word);
        }
        if let Some(advice) = value.advice() {
            line("note", advice);
        }
        if !value.fields().is_empty() {
            line("belongs in", &value.fields().join(", "));
        }
        if !value.variables().is_empty() {
            line("variable", &value.variables().join(", "));
        }
        if let Some(wanted) = named.and_then(|named| named.wanted.as_deref()) {
            line("name takes", wanted);
        }
        for (number, (name, program)) in value.names().iter().enumerate() {
            line(if number == 0 { "also called" } else { "" }, &format!("{name} ({program})"));
        }
    }
    for Finding { rule, severity, message, help, .. } in findings.into_iter().flatten() {
        let _ = writeln!(out, "{severity}[{rule}]: {message}\n  {:11} {help}", "help");
    }
    if let Some(together) = identified.relation {
        let _ = writeln!(out, "together: {}", describe_relation(together));
    }
    out
}

/// Describes a value, and hedges unless the form is certain.
fn describe_with_certainty(value: &Identity) -> String {
    match value.state() {
        // A form that many services share is identified by its digits alone.
        State::Known | State::Wrapped if value.service().is_some() && !value.is_certain() => {
            format!("looks like {}", value.noun())
        }
        _ => value.noun().to_owned(),
    }
}

fn issuer(value: &Identity) -> String {
    let named = |service: &String| value.noun().contains(service.as_str());
    value.service().filter(|service| !named(service)).map(|service| format!(" ({service})")).unwrap_or_default()
}

fn describe_relation(together: Relation) -> String {
    let words = match together {
        Relation::Fit => "the two match by their form; only the service knows whether they were issued together",
        Relation::Made => "the two go together: one was made with the other",
        Relation::Parts(noun) => return format!("the two don't match: they are of different {noun}s"),
        Relation::Clusters => "the two don't match: they are from different clusters, so they were not issued together",
        Relation::Mixed => "the two don't match: they belong to different key pairs, so authentication fails (401)",
        Relation::SameRole => "the two don't match: two IDs or two keys; one of each is needed",
        Relation::Equal => "the two are the same value",
        Relation::Apart => "the two are used separately",
        Relation::Unknown => "their form does not show whether the two match",
    };
    words.to_owned()
}
