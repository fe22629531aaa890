//! The output of `why`: the why/v1 document, and text for people. Both hold words of rows and of findings, and nothing of
//! the log.

use std::fmt::Write;

use super::json_v1::{self, Object, to_string, unplaced};
use super::place;
use super::summary::state;
use crate::services::Source;
use crate::text::count;
use crate::why::{
    AtHost, Conclusion, Diagnosis, Explanation, KnownText, LocalCredential, LocalCredentials, Log, ReadTogether,
};

/// Returns the kind of a source.
const fn source_kind(source: Source) -> &'static str {
    match source {
        Source::Official(_) => "official",
        Source::Example(_) | Source::Unsure(_) => "observed",
        Source::Scanner(_) => "scanner",
    }
}

/// Returns the JSON document.
pub fn write((name, log): (&str, &Log), here: &LocalCredentials, why: &Explanation<'_>) -> String {
    let answers = why.answers.iter().map(|answer| {
        let KnownText { whose, docs, error, .. } = answer.row;
        let source = Object::new("kind", source_kind(error.source)).with("url", error.source.place());
        Object::new("whose", Some(whose).filter(|whose| !whose.is_empty()))
            .with("text", answer.text)
            .with("line", answer.line)
            .with("times", answer.times)
            .with("says", error.meaning)
            .with("decided", answer.conclusion.name())
            .with_list("credentials", answer.credentials.iter().map(credential))
            .with("more", answer.more)
            .with_list("findings", answer.findings.iter().map(|(_, finding)| unplaced(finding)))
            .with("open", error.next_step)
            .with("names", &answer.names)
            .with("next", &answer.next)
            .with("page", Some(docs).filter(|page| !page.is_empty() && !whose.is_empty()))
            .with("source", source)
    });
    let hosts = why.hosts.iter().map(|AtHost { host, whose, credentials }| {
        let found = Object::new("host", host).with("whose", whose);
        found.with_list("credentials", credentials.iter().map(credential))
    });
    let searched = Object::new("name", name).with("bytes", log.searched).with("cut", log.cut);
    let read = Object::new("files", here.files).with("variables", here.variables);
    let document = Object::document("credlint/why/v1")
        .with("log", searched)
        .with("read", read.with("credentials", credentials(here)))
        .with_list("answers", answers)
        .with("more", why.more)
        .with_list("hosts", hosts);
    to_string(&document)
}

fn credentials(here: &LocalCredentials) -> usize {
    here.parts.iter().map(|part| part.credentials.len()).sum()
}

fn credential((part, one): &(&ReadTogether, &LocalCredential)) -> Object {
    Object::new("name", &one.name)
        .with("field", format!("{}.{}", one.place.0, one.place.1))
        .with("state", one.state)
        .with("what", one.what)
        .with_list("rules", one.findings.iter().map(|&at| part.findings[at].rule))
        .with_all(json_v1::place(one.at, &part.sources))
}

/// Returns the text for people.
pub fn human(log: &Log, here: &LocalCredentials, why: &Explanation<'_>) -> String {
    let mut out = String::new();
    for answer in &why.answers {
        write_answer(&mut out, answer);
    }
    // Writing to a string can't fail.
    if why.more > 0 {
        let _ = writeln!(out, "and {} more; --format json has the places of those above", count(why.more, "text"));
    }
    if why.answers.is_empty() {
        let empty = "the log is empty: capture stderr, too, as in `./deploy.sh 2>&1 | tee deploy.log`";
        let _ = writeln!(out, "{}", if log.searched == 0 { empty } else { "no known error text in the log" });
        for AtHost { host, whose, credentials } in &why.hosts {
            let _ = writeln!(out, "it names a host of {whose} ({host})");
            list(&mut out, credentials, "  here       ");
        }
        let here = why.hosts.iter().any(|host| !host.credentials.is_empty());
        out += if here {
            "these credentials may be meant; the log does not say so\n"
        } else {
            "next: credlint check . --environment\n"
        };
    }
    let searched = if log.cut { "the last 4 MiB of the log".to_owned() } else { "the log".to_owned() };
    let (files, variables) = (count(here.files, "file"), count(here.variables, "variable"));
    let _ =
        writeln!(out, "searched {searched}, {files} and {variables} with {}", count(credentials(here), "credential"));
    out
}

fn write_answer(out: &mut String, answer: &Diagnosis<'_>) {
    let error = answer.row.error;
    let whose = if answer.row.whose.is_empty() { "any service" } else { answer.row.whose };
    let line = answer.line.map(|line| format!(", line {line}")).unwrap_or_default();
    // Writing to a string can't fail.
    let _ = writeln!(out, "{whose}: \"{}\"{line}", answer.text);
    let mut say = |name: &str, text: &str| {
        if !text.is_empty() {
            let _ = writeln!(out, "  {name:10} {text}");
        }
    };
    say("it says", error.meaning);
    match answer.conclusion {
        Conclusion::Elsewhere => {
            say("so", "no credential is in the wrong place");
            say("do", error.next_step);
        }
        Conclusion::Absent if error.about.is_empty() && error.others.is_empty() => {
            say("here", "no credential has such a flaw");
            say("not known", error.next_step);
        }
        Conclusion::Absent => {
            let names = answer.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let names =
                if names.is_empty() { "no such credential is set".to_owned() } else { format!("not set: {names}") };
            say("here", &names);
            say("not known", error.next_step);
            say("next", "run it where the deploy runs, or name its files with --in and --env-file");
        }
        Conclusion::Cause | Conclusion::Likely | Conclusion::Open => {
            list(out, &answer.credentials, "  about      ");
            if answer.more > 0 {
                let _ = writeln!(out, "  {:10} and {} more", "", answer.more);
            }
            for (number, (_, finding)) in answer.findings.iter().take(3).enumerate() {
                let word = match (answer.conclusion, number) {
                    (Conclusion::Cause, 0) => "the cause is: ",
                    (Conclusion::Likely, 0) => "a likely cause, if this is what failed: ",
                    _ => "also: ",
                };
                let _ =
                    writeln!(out, "  {word}{} [{}]\n  {:10} {}", finding.message, finding.rule, "help", finding.help);
            }
            if answer.conclusion == Conclusion::Open {
                let any = |states: &[&str]| answer.credentials.iter().any(|(_, one)| states.contains(&one.state));
                let so = match () {
                    () if any(&["empty"]) => {
                        "an empty variable is the same as a missing one: set it where the deploy runs"
                    }
                    () if any(&["wrong"]) => "a value here does not fit its name, though its program may take it",
                    () if any(&["unjudged", "unrecognised", "unread"]) => {
                        "credlint does not judge all of these values, so one of them may be the cause"
                    }
                    () => "nothing is wrong with the form of these values",
                };
                let _ = writeln!(out, "  {:10} {so}", "so");
            }
            // A project's text need not say it.
            if answer.conclusion != Conclusion::Cause && !error.next_step.is_empty() {
                let _ = writeln!(out, "  {:10} {}", "not known", error.next_step);
            }
        }
    }
    for command in &answer.next {
        let _ = writeln!(out, "  {:10} {command}", "next");
    }
    if !answer.row.whose.is_empty() && !answer.row.docs.is_empty() && answer.conclusion != Conclusion::Cause {
        let _ = writeln!(out, "  {:10} {}", "page", answer.row.docs);
    }
    out.push('\n');
}

fn list(out: &mut String, credentials: &[(&ReadTogether, &LocalCredential)], first: &str) {
    for (number, (part, one)) in credentials.iter().enumerate() {
        let what = one.what.map(|what| format!(", {what}")).unwrap_or_default();
        let at = place::name(one.at, &part.sources);
        let at = if one.variable { "environment".to_owned() } else { at };
        let begin = if number == 0 { first.to_owned() } else { " ".repeat(first.len()) };
        // Writing to a string can't fail.
        let _ = writeln!(out, "{begin}{} ({at}): {}{what}", one.name, state(one.state));
    }
}
