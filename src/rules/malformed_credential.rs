use crate::config::{Oddity, Place, Profile, Setting};
use crate::finding::Severity;
use crate::form::{Pem, Wrapping};
use crate::profile::{Assessment, assessments};
use crate::rule::oddity;
use crate::rule::{ReadBy, Sink, rule};
use crate::schema::{Secret, Type};
use crate::secret::{Facts, Surroundings};
use crate::services::{Completeness, Form};

rule! {
    MalformedCredential("malformed-credential"): profile,
    "a value with something extra: quotes, whitespace, `Bearer `, `NAME=` or an encoding",
    severity: Error, impact: Unfit, scope: "any", readers: EVERY, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let reader = profile.reader();
    let kept = profile.found.as_ref().is_some_and(|found| found.kept);
    let not_base64 = profile.found.as_ref().map_or(&[][..], |found| &found.not_base64);
    for setting in profile.settings.iter().filter(|setting| not_base64.contains(&setting.field.name)) {
        let message = format!("`{}` is not base64, as every value below `data` must be", setting.name());
        let help = "encode it in base64, without a line break at its end, or move it below `stringData`, which takes plain text";
        sink.push(finding(message, help).key(setting, "the cluster refuses the Secret"));
    }
    for (credential, _, assessment) in assessments(profile) {
        let reported = |oddity: &Oddity| {
            // Another rule reports it by a row.
            let around = matches!(oddity, Oddity::LineBreak | Oddity::QuotedLine | Oddity::EncodedTwice);
            oddity.is_another_kind()
                || oddity.is_reference()
                || around && (is_certainly(credential) || reader != ReadBy::Unknown && has_form(credential))
                || matches!(assessment, Assessment::Misplaced(_))
        };
        if let Some(oddity) = credential.oddity.filter(|oddity| !reported(oddity)) {
            let found = oddity::finding(&MalformedCredential::META, credential, oddity);
            let certain = oddity == Oddity::QuotesForDocker && is_certainly(credential);
            sink.push(if certain { found.severity(Severity::Error) } else { found });
            continue;
        }
        let (Assessment::Malformed, Some(facts)) = (assessment, credential.facts()) else { continue };
        let (what, mut help) = describe(credential, facts);
        let draft = |name: &str, help: String| finding(format!("`{name}` {what}"), help);
        let pair = credential.credential_form().is_some_and(Form::is_complete_pair);
        let draft = match reader {
            ReadBy::Declared => draft(&credential.key, help),
            ReadBy::Unknown => {
                let severity = match facts.surroundings() {
                    Surroundings::Credential => Severity::Error,
                    Surroundings::Unknown => unknown_severity(facts),
                    Surroundings::Clean => continue,
                };
                draft(credential.name(), help).severity(severity)
            }
            _ if facts.url_inside || facts.not_utf8 || facts.pem.is_some() => draft(credential.name(), help),
            // A password may have quotes around it.
            _ if kept && facts.surroundings() == Surroundings::Unknown && !has_form(credential) => {
                draft(credential.name(), help).severity(unknown_severity(facts))
            }
            // Some programs take an ID and a key in one value.
            _ if pair && !has_partner(profile, credential) => draft(credential.name(), help).severity(Severity::Note),
            _ if is_text(profile, credential, facts) => {
                let help = "look at what sets it: this may be the message of a program in place of its result";
                draft(credential.name(), help.to_owned())
            }
            _ if !pair && may_be_meant(facts) => continue,
            _ => {
                if what == AT_END {
                    help += "; `echo` adds a line break, `printf %s` doesn't";
                }
                draft(credential.name(), help)
            }
        };
        sink.push(draft.value(credential, what));
    }
}

/// Returns `true` if what is inside has the form of a secret.
fn has_form(credential: &Setting) -> bool {
    credential.facts().is_some_and(|facts| facts.reading.form.is_some_and(Form::is_secret))
}

/// Returns `true` if what is inside certainly belongs in the field.
fn is_certainly(credential: &Setting) -> bool {
    let form = credential.facts().and_then(|facts| facts.reading.form);
    form.is_some_and(|form| {
        let own = || form.certain && credential.field.forms().contains(&form);
        form.identifies_issuer() && form.is_secret() || own()
    })
}

/// Returns the severity of something around a value of unknown form. In 775 right set-ups and 493 repositories, no value has quotes
/// around it, or a line break at its end, that its program gets and wants.
fn unknown_severity(facts: &Facts) -> Severity {
    let quoted = facts.reading.wrapping == Some(Wrapping::Quotes);
    if quoted || facts.line_end { Severity::Warning } else { Severity::Note }
}

/// Returns `true` if the other field of a pair is set.
fn has_partner(profile: &Profile, credential: &Setting) -> bool {
    profile.kind().partner(credential.field.name).is_some_and(|partner| profile.present(partner).is_some())
}

/// Returns `true` for a text with blanks or control characters in place of a token or key of a service, in a process: an
/// error message, or the colours of a terminal. A password or a value for a compatible server may be anything, and in a file
/// the text may be a label.
fn is_text(profile: &Profile, credential: &Setting, facts: &Facts) -> bool {
    let field = credential.field;
    let token = matches!(field.ty, Type::Secret(Secret::Token | Secret::Key)) && !field.forms().is_empty();
    let process = profile.found.as_ref().is_some_and(|found| found.place == Place::Environment);
    let other = !process || profile.kind().is_shared() || field.forms().iter().any(|form| form.spaced);
    let inside = !facts.blank && (facts.control || facts.whitespace && !facts.blank_end && !facts.line_end);
    token && !other && inside && facts.reading.form.is_none() && facts.pem.is_none() && !facts.folded && !facts.doubled
}

/// Returns `true` if another program may accept the value unchanged.
fn may_be_meant(facts: &Facts) -> bool {
    // Some programs take a webhook's path.
    let part =
        facts.reading.form.is_some_and(|form| form.is_complete_pair() || form.completeness == Completeness::Piece);
    // Odd characters in a value of unknown form may be what that program expects.
    part || facts.reading.form.is_none()
}

/// Returns the problem and the advice.
fn describe(credential: &Setting, facts: &Facts) -> (&'static str, String) {
    let field = credential.name();
    let alone = |more: &str| format!("set `{field}` to the value alone{more}");
    if facts.not_utf8 {
        let help = "copy the value again from a plain-text source; every credential is ASCII";
        return ("contains bytes that are not UTF-8", help.to_owned());
    }
    match facts.pem {
        Some(Pem::Cut) => {
            let help = "a line of `NAME=value` holds one line: put quotes around the whole key, write `\\n` for each line break if its program replaces that, or set the variable to the path of a file if it takes one";
            return ("holds only the beginning of a key", help.to_owned());
        }
        Some(Pem::Quoted) => return ("holds a key with quotes around it", alone(KEPT)),
        None => {}
    }
    // An unknown value may be anything without its end.
    let known = |form: &Form| form.certain || credential.field.forms().iter().any(|own| **own == *form);
    if facts.blank_end && facts.reading.wrapping.is_some() && !facts.reading.form.is_some_and(known) {
        return (AT_END, COPY_AGAIN.to_owned());
    }
    if let Some(wrapping) = facts.reading.wrapping
        && let Some(help) = without(wrapping, field)
    {
        return (wrapping.describe(), help);
    }
    match facts.form() {
        Some(form) if form.is_complete_pair() => {
            return (
                "holds a keyID and a key, joined by a colon",
                "put the part before the colon into the ID field, and the part after it into the key field".to_owned(),
            );
        }
        Some(form) if form.is_partial() => {
            let whole = credential.field.forms().first();
            let looks = whole.map(|own: &&Form| format!(", which {}", own.looks)).unwrap_or_default();
            return ("is only part of a webhook URL", format!("set `{field}` to the whole URL{looks}"));
        }
        _ => {}
    }
    match facts {
        facts if facts.bearer => {
            ("begins with `Bearer `", "remove `Bearer `; credlint adds it to the header itself".to_owned())
        }
        facts if facts.carriage_return => (
            "ends in a carriage return",
            "the value comes from a file with Windows line endings: save that file with Unix line endings, or run `tr -d '\\r' < OLD > NEW`".to_owned(),
        ),
        facts if facts.escape_end => (
            Wrapping::Escape.describe(),
            alone(", without it: only some programs replace `\\n` by a line break"),
        ),
        facts if facts.folded => (
            "has line breaks, as tools fold base64",
            "write it in one line: `base64 -w0` folds nothing".to_owned(),
        ),
        facts if facts.doubled => ("is repeated twice in a row", alone(", once")),
        facts if facts.blank_end => (AT_END, COPY_AGAIN.to_owned()),
        facts if facts.whitespace => {
            ("contains whitespace", "copy the value again, without spaces and line breaks".to_owned())
        }
        facts if facts.control => (
            "contains a control character",
            "copy the value again from a source that shows it as plain text".to_owned(),
        ),
        facts if facts.non_ascii => (
            "contains a non-ASCII character",
            "copy the value again from a plain-text source; documents and chats replace quotes and dashes".to_owned(),
        ),
        _ => ("is too short to be a token", "copy the whole value again; part of it is missing".to_owned()),
    }
}

/// Returns the advice about a wrapping. `None` if a finding about its characters describes the value better.
fn without(wrapping: Wrapping, field: &str) -> Option<String> {
    let again = |what| Some(format!("copy the {what}"));
    let more = match wrapping {
        Wrapping::Quotes => KEPT,
        Wrapping::Quote => ", without the quote; a quote that is not closed stays in the value",
        Wrapping::OddQuotes => ", without them",
        Wrapping::Brackets => ", without the brackets",
        Wrapping::Assignment | Wrapping::Label => ", without the name before it",
        Wrapping::Header => ", without the header",
        Wrapping::Json => " from that document",
        Wrapping::Punctuation => ", without the last character",
        Wrapping::Dollar => ", without the `$`; in a workflow write `${{ … }}`",
        Wrapping::Escape => ", without it",
        Wrapping::Comment => ", and put the comment on the line above",
        Wrapping::Scheme => ", with its scheme",
        Wrapping::Percent | Wrapping::Hex => ", decoded",
        Wrapping::Base64 => {
            ", decoded; in a Kubernetes Secret, base64 belongs in `data` and plain text in `stringData`"
        }
        Wrapping::Doubled => ", once",
        Wrapping::Several => return Some(format!("set `{field}` to one of them")),
        Wrapping::NonAscii | Wrapping::Space => return None,
        Wrapping::Invisible => {
            return again("value again from a plain-text source; web pages and chats add invisible characters");
        }
        Wrapping::Case => {
            return again("value again from where it was issued; spreadsheets and forms can change the case");
        }
        Wrapping::Length => return again("whole value again; part of it is missing, or something was pasted twice"),
        Wrapping::Short => return again("whole value again; part of it is missing"),
    };
    Some(format!("set `{field}` to the value alone{more}"))
}

const AT_END: &str = "begins or ends with a space or a line break";
const COPY_AGAIN: &str = "copy the value again, without it";
const KEPT: &str = ", without the quotes; `docker --env-file` and many CI variables keep quotes";
