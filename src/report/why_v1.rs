//! The output of `why`: the why/v1 document, and text for people. Both hold words of rows and of findings, and nothing of
//! the log.

use std::fmt::Write;

use super::json_v1::{self, Object, to_string, unplaced};
use super::place;
use super::summary::state;
use crate::finding::Finding;
use crate::schema::VARIABLE;
use crate::secret::Piece;
use crate::services::Source;
use crate::text::count;
use crate::why::{
    Cause, Conclusion, Diagnosis, Explanation, LocalCredential, LocalCredentials, Log, ReadTogether, Sign,
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
        let (whose, docs) = (answer.cause.whose(), answer.cause.docs());
        let (source, sign) = match &answer.cause {
            Cause::Text(row, _) => {
                let source = row.error.source;
                (Some(Object::new("kind", source_kind(source)).with("url", source.place())), None)
            }
            Cause::Refused(_, sign) => (None, Some(sign_object(sign))),
        };
        Object::new("whose", Some(whose).filter(|whose| !whose.is_empty()))
            .with("text", answer.cause.text())
            .with("line", answer.line)
            .with("times", answer.times)
            .with("sign", sign)
            .with("says", answer.cause.meaning())
            .with("decided", answer.conclusion.name())
            .with("piece", answer.piece.map(piece_word))
            .with_list("credentials", answer.credentials.iter().map(credential))
            .with("more", answer.more)
            .with_list("findings", answer.findings.iter().map(|(_, finding)| unplaced(finding)))
            .with("open", answer.cause.next_step())
            .with("names", &answer.names)
            .with("next", &answer.next)
            .with("page", Some(docs).filter(|page| !page.is_empty() && !whose.is_empty()))
            .with("source", source)
    });
    let signs = why.signs.iter().map(|sign| {
        let whose = sign.service.map(|service| service.name);
        sign_object(sign).with("whose", whose).with_list("credentials", sign.credentials.iter().map(credential))
    });
    let refused = why.refused.map(|(refusal, line)| Object::new("text", refusal.shown()).with("line", line));
    let searched = Object::new("name", name).with("bytes", log.searched).with("cut", log.cut);
    let read = Object::new("files", here.files).with("variables", here.variables);
    let document = Object::document("credlint/why/v1")
        .with("log", searched)
        .with("read", read.with("credentials", credentials(here)))
        .with_list("answers", answers)
        .with("more", why.more)
        .with("refused", refused)
        .with_list("signs", signs)
        .with_list("doubtful", why.doubtful.iter().map(credential));
    to_string(&document)
}

fn sign_object(sign: &Sign<'_>) -> Object {
    Object::new("kind", sign.kind).with("text", &sign.text).with("line", sign.line)
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

fn credential((part, one): &(&ReadTogether, &LocalCredential)) -> Object {
    Object::new("name", &one.name)
        .with("field", format!("{}.{}", one.place.0, one.place.1))
        .with("state", one.state)
        .with("what", one.what())
        .with_list("rules", one.findings.iter().map(|&at| part.findings[at].rule))
        .with_all(json_v1::place(one.at, &part.sources))
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
    let searched = if log.cut { "the last 4 MiB of the log".to_owned() } else { "the log".to_owned() };
    let (files, variables) = (count(here.files, "file"), count(here.variables, "variable"));
    let _ =
        writeln!(out, "searched {searched}, {files} and {variables} with {}", count(credentials(here), "credential"));
    out
}

/// Writes what is known without an answer.
fn write_rest(out: &mut String, log: &Log, why: &Explanation<'_>) {
    // Writing to a string can't fail.
    match why.refused {
        _ if log.searched == 0 => {
            *out += "the log is empty: capture stderr, too, as in `./deploy.sh 2>&1 | tee deploy.log`\n";
        }
        None => *out += "no sign in the log that a credential was refused\n",
        Some((refusal, line)) => {
            let text = refusal.shown();
            let _ = writeln!(out, "\"{text}\"{}: if that is a refusal, no line near it names whose", at_line(line));
        }
    }
    for sign in &why.signs {
        let whose = sign.service.map_or("an address here", |service| service.name);
        let _ = writeln!(out, "the log names {whose} ({} {}{})", sign.kind, sign.text, at_line(sign.line));
        list(out, &sign.credentials, "  here       ");
    }
    if !why.doubtful.is_empty() {
        *out += "empty or wrong here, which may be another matter:\n";
        list(out, &why.doubtful, "  here       ");
    }
    *out += "next: credlint check . --environment\n";
}

fn at_line(line: Option<usize>) -> String {
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}

fn write_answer(out: &mut String, answer: &Diagnosis<'_>, before: Option<&Diagnosis<'_>>) {
    let cause = &answer.cause;
    let whose = if cause.whose().is_empty() { "any service" } else { cause.whose() };
    // Writing to a string can't fail.
    let _ = writeln!(out, "{whose}: \"{}\"{}", cause.text(), at_line(answer.line));
    let mut say = |name: &str, text: &str| {
        if !text.is_empty() {
            let _ = writeln!(out, "  {name:10} {text}");
        }
    };
    if let Cause::Refused(_, sign) = cause {
        say("sign", &format!("{} {}{}", sign.kind, sign.text, at_line(sign.line)));
    }
    say("it says", cause.meaning());
    let not_known = match cause {
        Cause::Text(row, _) if row.error.is_code => "do",
        _ => "not known",
    };
    match answer.conclusion {
        Conclusion::Elsewhere => {
            say("so", "this text is about no credential");
            say("do", cause.next_step());
        }
        Conclusion::Absent if answer.names.is_empty() && matches!(cause, Cause::Text(..)) => {
            say("here", "no credential has such a flaw");
            say(not_known, cause.next_step());
        }
        Conclusion::Absent => {
            let names = answer.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let missing = if names.is_empty() { "no credential of it".to_owned() } else { format!("not set: {names}") };
            say("here", &missing);
            say(not_known, cause.next_step());
            say("next", "run it where the deploy runs, or name its files with --in and --env-file");
        }
        Conclusion::Cause | Conclusion::Likely | Conclusion::Open => write_credentials(out, answer, before, not_known),
    }
    for command in &answer.next {
        let _ = writeln!(out, "  {:10} {command}", "next");
    }
    if !cause.whose().is_empty() && !cause.docs().is_empty() && answer.conclusion != Conclusion::Cause {
        let _ = writeln!(out, "  {:10} {}", "page", cause.docs());
    }
    out.push('\n');
}

/// Writes the credentials that an error is about, and what they tell.
fn write_credentials(out: &mut String, answer: &Diagnosis<'_>, before: Option<&Diagnosis<'_>>, not_known: &str) {
    let places =
        |answer: &Diagnosis<'_>| answer.credentials.iter().map(|(_, one)| (one.group, one.at)).collect::<Vec<_>>();
    // Writing to a string can't fail.
    if before.is_some_and(|before| places(before) == places(answer)) {
        let _ = writeln!(out, "  {:10} the same values", "about");
    } else {
        list(out, &answer.credentials, "  about      ");
        if answer.more > 0 {
            let _ = writeln!(out, "  {:10} and {} more", "", answer.more);
        }
    }
    let said = |finding: &Finding| before.is_some_and(|before| before.findings.iter().any(|(_, one)| *one == finding));
    for (number, (_, finding)) in answer.findings.iter().filter(|(_, finding)| !said(finding)).take(3).enumerate() {
        let word = match (answer.conclusion, number) {
            (Conclusion::Cause, 0) => "the cause is: ",
            (Conclusion::Likely, 0) => "a likely cause, if this is what failed: ",
            _ => "also: ",
        };
        let _ = writeln!(out, "  {word}{} [{}]\n  {:10} {}", finding.message, finding.rule, "help", finding.help);
    }
    let any = |states: &[&str]| answer.credentials.iter().any(|(_, one)| states.contains(&one.state));
    let so = match answer.piece {
        Some(Piece::Part) => {
            "what the log repeats is a part of a user name or a password: percent-encode `@ : / ? # [ ]` in the address"
        }
        Some(Piece::Host) => "what the log repeats is the host of this address",
        Some(Piece::Whole) => "what the log repeats is this value",
        None if answer.conclusion != Conclusion::Open => "",
        None if any(&["empty"]) => "an empty variable is the same as a missing one: set it where the deploy runs",
        None if any(&["wrong"]) && answer.credentials.iter().any(|(_, one)| one.place.0 == VARIABLE.name) => {
            "a value here is no credential"
        }
        None if any(&["wrong"]) => "a value here does not fit its name, though its program may take it",
        None if any(&["unjudged", "unrecognised", "unread"]) => {
            "credlint does not judge all of these values, so one of them may be the cause"
        }
        None => "nothing is wrong with the form of these values",
    };
    match (answer.piece, answer.conclusion) {
        (Some(Piece::Part), Conclusion::Cause) => {
            let _ = writeln!(out, "  the cause is: {so}");
        }
        _ if so.is_empty() => {}
        _ => {
            let _ = writeln!(out, "  {:10} {so}", "so");
        }
    }
    // A project's text need not say it.
    if answer.conclusion != Conclusion::Cause && !answer.cause.next_step().is_empty() {
        let _ = writeln!(out, "  {not_known:10} {}", answer.cause.next_step());
    }
}

fn list(out: &mut String, credentials: &[(&ReadTogether, &LocalCredential)], first: &str) {
    for (number, (part, one)) in credentials.iter().enumerate() {
        let what = one.what().map(|what| format!(", {what}")).unwrap_or_default();
        let at = place::name(one.at, &part.sources);
        let at = if one.variable { "environment".to_owned() } else { at };
        let begin = if number == 0 { first.to_owned() } else { " ".repeat(first.len()) };
        // Writing to a string can't fail.
        let _ = writeln!(out, "{begin}{} ({at}): {}{what}", one.name, state(one.state, one.form));
    }
}
