use crate::config::{Mistyped, Profile, Unknown};
use crate::rule::{Sink, rule};

rule! {
    WrongType("wrong-type"): outside, profile, "a value of the wrong type",
    severity: Error, impact: None, scope: "any", readers: DECLARED, since: "0.1.0",
}

fn outside(_: &[Unknown], mistyped: &[Mistyped], sink: &mut Sink<'_>) {
    for mistyped in mistyped {
        push(mistyped, sink);
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for mistyped in &profile.mistyped {
        push(mistyped, sink);
    }
}

fn push(mistyped: &Mistyped, sink: &mut Sink<'_>) {
    let Mistyped { key, found, expected, at, .. } = mistyped;
    let message = format!("`{key}`: expected {expected}, found {found}");
    let help = match *found {
        "a number" | "a boolean" | "a date or time" if expected.starts_with("a string") => {
            format!("set it to {expected}; if {found} is meant as text, put it in quotes")
        }
        "a string" if *expected == "a list of strings" => {
            format!("set it to {expected}: put the value in brackets, `[\"…\"]`")
        }
        _ => format!("set it to {expected}"),
    };
    sink.push(finding(message, help).at(key, *at, *found));
}
