//! The output of `why`: the why/v1 document, and text for people. Both hold words of rows and of findings, and nothing of
//! the log.

use std::fmt::Write;

use super::json_v1::{self, Object, to_string, unplaced};
use super::summary::state;
use super::values;
use crate::finding::Finding;
use crate::lint::inventory::Inventoried;
use crate::schema::VARIABLE;
use crate::secret::Piece;
use crate::services::{self, Form, Source};
use crate::text::count;
use crate::why::{Conclusion, Diagnosis, Explanation, KnownText, LocalCredentials, Log, ReadTogether, Sign, SignKind};

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
            .with("text", &answer.text)
            .with("line", answer.line)
            .with("times", answer.times)
            .with("sign", answer.sign.as_ref().map(sign_object))
            .with("says", error.meaning)
            .with("decided", answer.conclusion.name())
            .with("piece", answer.piece.map(piece_word))
            .with_list("credentials", answer.credentials.iter().map(credential))
            .with("more", answer.more)
            .with_list("findings", answer.findings.iter().map(|(_, finding)| unplaced(finding)))
            .with("open", error.next_step)
            .with("names", &answer.names)
            .with("next", &answer.next)
            .with("page", Some(docs).filter(|page| !page.is_empty() && !whose.is_empty()))
            .with("source", Some(source).filter(|_| answer.sign.is_none()))
    });
    let signs = why.signs.iter().map(|sign| {
        let whose = sign.service.map(|service| service.name);
        sign_object(sign).with("whose", whose).with_list("credentials", sign.credentials.iter().map(credential))
    });
    let refused = why.refused.as_ref().map(|(text, line)| Object::new("text", text).with("line", *line));
    let searched = Object::new("name", name).with("bytes", log.searched).with("cut", log.cut);
    let read = Object::new("files", here.files).with("variables", here.variables);
    let document = Object::document("credlint/why/v1")
        .with("log", searched)
        .with("read", read.with("credentials", credentials(here)).with("directory", here.searched))
        .with_list("answers", answers)
        .with("more", why.more)
        .with("refused", refused)
        .with_list("signs", signs)
        .with_list("doubtful", why.doubtful.iter().map(credential));
    to_string(&document)
}

fn sign_object(sign: &Sign<'_>) -> Object {
    Object::new("kind", sign.kind.name()).with("text", &sign.text).with("line", sign.line)
}

/// Returns the word for what the log repeats.
const fn piece_word(piece: Piece) -> &'static str {
    match piece {
        Piece::Whole => "value",
        Piece::Host => "host",
        Piece::Part => "part",
    }
}

fn credentials(here: &LocalCredentials) -> usize {
    here.parts.iter().map(|part| part.credentials.len()).sum()
}

fn credential((part, one): &(&ReadTogether, &Inventoried)) -> Object {
    Object::new("name", &one.name)
        .with("field", format!("{}.{}", one.place.0, one.place.1))
        .with("state", one.standing)
        .with("what", one.what())
        .with_list("rules", one.findings.iter().map(|&at| part.findings[at].rule))
        .with_all(json_v1::place(one.at, &part.sources))
}

/// Writes a line of an answer, with its name.
fn say(out: &mut String, name: &str, text: &str) {
    if !text.is_empty() {
        // Writing to a string can't fail.
        let _ = writeln!(out, "  {name:10} {text}");
    }
}

/// Returns the text for people.
pub fn human(log: &Log, here: &LocalCredentials, why: &Explanation<'_>) -> String {
    let mut out = String::new();
    let mut before: Option<&Diagnosis<'_>> = None;
    for answer in &why.answers {
        write_answer(&mut out, answer, before);
        before = Some(answer);
    }
    // Writing to a string can't fail.
    if why.more > 0 {
        let _ = writeln!(out, "and {} more; --format json has the places of those above", count(why.more, "text"));
    }
    if why.answers.is_empty() {
        write_rest(&mut out, log, why);
    }
    let searched = if log.cut { "the last 4 MiB of the log" } else { "the log" };
    let (files, variables) = (count(here.files, "file"), count(here.variables, "variable"));
    let rest = if here.searched { "" } else { "; not this directory: name it with --in" };
    let all = count(credentials(here), "credential");
    let _ = writeln!(out, "searched {searched}, {files} and {variables} with {all}{rest}");
    out
}

/// Writes what is known without an answer.
fn write_rest(out: &mut String, log: &Log, why: &Explanation<'_>) {
    *out += &match &why.refused {
        _ if log.searched == 0 => {
            "the log is empty: capture stderr, too, as in `./deploy.sh 2>&1 | tee deploy.log`\n".to_owned()
        }
        None => "credlint finds no sign in the log that a credential was refused\n".to_owned(),
        Some((text, line)) => {
            format!(
                "\"{text}\"{}: if that is a refusal, no line near it has a name that credlint knows\n",
                at_line(*line)
            )
        }
    };
    for sign in &why.signs {
        let is_address = sign.kind == SignKind::Address;
        let other = if is_address { "an address here" } else { "the beginning of a name here" };
        let whose = sign.service.map_or(other, |service| service.name);
        *out += &format!("the log names {whose} ({})\n", sign_text(sign));
        list(out, &sign.credentials, "here");
    }
    if !why.doubtful.is_empty() {
        *out += "empty or wrong here, which may be another matter:\n";
        list(out, &why.doubtful, "here");
    }
    *out += "next: credlint check . --environment\n";
}

fn sign_text(sign: &Sign<'_>) -> String {
    format!("{} {}{}", sign.kind.name(), sign.text, at_line(sign.line))
}

fn at_line(line: Option<usize>) -> String {
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}

fn write_answer(out: &mut String, answer: &Diagnosis<'_>, before: Option<&Diagnosis<'_>>) {
    let KnownText { whose, docs, error, .. } = answer.row;
    let shown = if whose.is_empty() { "any service" } else { whose };
    *out += &format!("{shown}: \"{}\"{}\n", answer.text, at_line(answer.line));
    say(out, "sign", &answer.sign.as_ref().map(sign_text).unwrap_or_default());
    say(out, "it says", error.meaning);
    let names = answer.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match answer.conclusion {
        Conclusion::Elsewhere if whose.is_empty() => say(out, "so", "this text is about no credential"),
        Conclusion::Elsewhere => say(out, "so", "this text is about no value here"),
        Conclusion::Absent if !names.is_empty() => say(out, "here", &format!("no credential under {names}")),
        Conclusion::Absent if answer.sign.is_some() => say(out, "here", "no credential whose name or form is its own"),
        Conclusion::Absent => say(out, "here", "no credential has such a flaw"),
        Conclusion::Cause | Conclusion::Likely | Conclusion::Open => write_credentials(out, answer, before),
    }
    let not_known = if error.is_code || answer.conclusion == Conclusion::Elsewhere { "do" } else { "not known" };
    // Of an empty variable, more is known.
    let is_empty = !answer.credentials.is_empty() && answer.credentials.iter().all(|(_, one)| one.standing == "empty");
    if answer.conclusion != Conclusion::Cause && !is_empty {
        say(out, not_known, error.next_step);
    }
    if answer.conclusion == Conclusion::Absent && (!names.is_empty() || answer.sign.is_some()) {
        say(out, "next", "run it where the deploy runs, or name its files with --in and --env-file");
    }
    for command in &answer.next {
        say(out, "next", command);
    }
    if !whose.is_empty() && answer.conclusion != Conclusion::Cause {
        say(out, "page", docs);
    }
    out.push('\n');
}

/// Writes the credentials that an error is about, and what they tell.
fn write_credentials(out: &mut String, answer: &Diagnosis<'_>, before: Option<&Diagnosis<'_>>) {
    let places =
        |answer: &Diagnosis<'_>| answer.credentials.iter().map(|(_, one)| (one.group, one.at)).collect::<Vec<_>>();
    if before.is_some_and(|before| places(before) == places(answer)) {
        say(out, "about", "the same values");
    } else {
        list(out, &answer.credentials, "about");
        say(out, "", &if answer.more > 0 { format!("and {} more", answer.more) } else { String::new() });
    }
    let said = |finding: &Finding| before.is_some_and(|before| before.findings.iter().any(|(_, one)| *one == finding));
    for (number, (_, finding)) in answer.findings.iter().filter(|(_, finding)| !said(finding)).take(3).enumerate() {
        let word = match (answer.conclusion, number) {
            (Conclusion::Cause, 0) => "the cause is: ",
            (Conclusion::Likely, 0) => "a likely cause, if this is what failed: ",
            (Conclusion::Open, 0) => "some programs do not accept it: ",
            _ => "also: ",
        };
        *out += &format!("  {word}{} [{}]\n", finding.message, finding.rule);
        say(out, "help", &finding.help);
    }
    let any = |states: &[&str]| answer.credentials.iter().any(|(_, one)| states.contains(&one.standing));
    // The most likely field decides: an empty user name says little beside a password.
    let first = answer.credentials.first().map(|(_, one)| one.place);
    let is_empty = answer.credentials.iter().any(|(_, one)| one.standing == "empty" && Some(one.place) == first);
    let is_own = |one: &Inventoried| one.form.is_some_and(|form| form.service().name == answer.row.whose);
    let is_known = |one: &Inventoried| one.standing == "recognised" || one.standing == "set" && is_own(one);
    let so = match answer.piece {
        Some(Piece::Part) => {
            "what the log repeats is a part of a user name or a password: percent-encode `@ : / ? # [ ]` in the address"
        }
        Some(Piece::Host) => "what the log repeats is the host of this address",
        Some(Piece::Whole) => "what the log repeats is this value",
        None if answer.conclusion != Conclusion::Open => "",
        None if is_empty => "an empty variable is the same as a missing one: set it where the deploy runs",
        None if any(&["wrong"]) && answer.credentials.iter().any(|(_, one)| one.place.0 == VARIABLE.name) => {
            "a value here is no credential"
        }
        None if any(&["wrong"]) => "a value here does not fit its name, though its program may take it",
        None if answer.credentials.iter().any(|(_, one)| is_foreign(answer, one)) => {
            "a value here is of another service than this text"
        }
        None if answer.credentials.iter().any(|(_, one)| !is_known(one)) => {
            "credlint does not judge all of these values, so one of them may be the cause"
        }
        None => "nothing is wrong with the form of these values",
    };
    match (answer.piece, answer.conclusion) {
        (Some(Piece::Part), Conclusion::Cause) => *out += &format!("  the cause is: {so}\n"),
        _ => say(out, "so", so),
    }
}

/// Returns `true` for a value that another service issues than the one with this text.
fn is_foreign(answer: &Diagnosis<'_>, one: &Inventoried) -> bool {
    let own = services::all().iter().find(|service| service.name == answer.row.whose && !service.shared);
    let form = one.form.filter(|form| Form::identifies_issuer(form) && answer.sign.is_none());
    own.is_some_and(|own| form.is_some_and(|form| !std::ptr::eq(form.service(), *own)))
}

fn list(out: &mut String, credentials: &[(&ReadTogether, &Inventoried)], first: &str) {
    for (number, (part, one)) in credentials.iter().enumerate() {
        let what = one.what().map(|what| format!(", {what}")).unwrap_or_default();
        let at = values::place_of(one, &part.sources);
        let name = if number == 0 { first } else { "" };
        say(out, name, &format!("{} ({at}): {}{what}", one.name, state(one.standing, one.form)));
    }
}
