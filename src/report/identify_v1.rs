//! The output of `identify`: the identify/v1 document, and text for people.

use std::fmt::Write;

use serde::Serialize;

use super::json_v1::{TOOL, ToolV1, to_string};
use crate::identify::{Identified, Identity, Relation, State};

/// The schema name.
pub const SCHEMA: &str = "credlint/identify/v1";

#[derive(Serialize)]
struct IdentifyV1<'a> {
    schema: &'static str,
    tool: ToolV1,
    values: Vec<ValueV1<'a>>,
    /// Present for two values only.
    together: Option<&'static str>,
}

#[derive(Serialize)]
struct ValueV1<'a> {
    state: &'static str,
    what: &'static str,
    service: Option<&'static str>,
    certain: bool,
    secret: Option<bool>,
    flaw: Option<&'static str>,
    fields: Vec<String>,
    names: Vec<NameV1<'a>>,
    advice: Option<&'static str>,
}

#[derive(Serialize)]
struct NameV1<'a> {
    name: &'a str,
    program: &'a str,
}

/// Returns the JSON document.
#[must_use]
pub fn write(identified: &Identified) -> String {
    let value = |value: &Identity| ValueV1 {
        state: value.state().name(),
        what: value.noun(),
        service: value.service(),
        certain: value.is_certain(),
        secret: value.is_secret(),
        flaw: value.flaw(),
        fields: value.fields(),
        names: value.names().iter().map(|&(name, program)| NameV1 { name, program }).collect(),
        advice: value.advice(),
    };
    to_string(&IdentifyV1 {
        schema: SCHEMA,
        tool: TOOL,
        values: identified.values.iter().map(value).collect(),
        together: identified.relation.map(Relation::name),
    })
}

/// Returns the text for people.
#[must_use]
pub fn human(identified: &Identified) -> String {
    let mut out = String::new();
    for (number, value) in identified.values.iter().enumerate() {
        let which = match (identified.values.len(), number) {
            (1, _) => "value",
            (_, 0) => "first value",
            _ => "second value",
        };
        // Writing to a string can't fail.
        let _ = writeln!(out, "{which}: {}{}", caveat(value), issuer(value));
        let mut line = |name: &str, text: &str| {
            let _ = writeln!(out, "  {name:11} {text}");
        };
        if let Some(flaw) = value.flaw() {
            line("but", flaw);
        }
        if let Some(advice) = value.advice() {
            line("note", advice);
        }
        if !value.fields().is_empty() {
            line("belongs in", &value.fields().join(", "));
        }
        for (number, (name, program)) in value.names().iter().enumerate() {
            line(if number == 0 { "also called" } else { "" }, &format!("{name} ({program})"));
        }
    }
    if let Some(together) = identified.relation {
        let _ = writeln!(out, "together: {}", words(together));
    }
    out
}

/// Describes a value, and hedges unless the form is certain.
fn caveat(value: &Identity) -> String {
    match value.state() {
        // A form that many services share is identified by its digits alone.
        State::Known | State::Wrapped if value.service().is_some() && !value.is_certain() => {
            format!("looks like {}", value.noun())
        }
        _ => value.noun().to_owned(),
    }
}

fn issuer(value: &Identity) -> String {
    value.service().map(|service| format!(" ({service})")).unwrap_or_default()
}

const fn words(together: Relation) -> &'static str {
    match together {
        Relation::Fit => {
            "the two match: an ID and the kind of key that goes with it; only the service knows whether they are the same pair"
        }
        Relation::Clusters => "the two don't match: they are from different clusters, so they were not issued together",
        Relation::Mixed => "the two don't match: they belong to different key pairs, so authentication fails (401)",
        Relation::SameHalf => "the two don't match: two IDs or two keys; one of each is needed",
        Relation::Equal => "the two are the same value",
        Relation::Apart => "the two are used separately",
        Relation::Unknown => "their form does not show whether the two match",
    }
}
