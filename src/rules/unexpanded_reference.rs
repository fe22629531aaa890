use crate::config::{ForeignProfile, Place, Profile};
use crate::finding::Severity;
use crate::form::{Expander, Unexpanded};
use crate::profile::{Assessment, assessments};
use crate::rule::absence::{self, Absence};
use crate::rule::{Draft, ReadBy, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/unexpanded-reference.md")]
    UnexpandedReference: declared, found {
        id: "unexpanded-reference",
        summary: "a reference such as `${NAME}` or `op://…` that was not expanded",
        severity: Error, impact: Unfit, scope: "any", readers: EVERY, since: "0.1.0",
    }
}

fn found(profile: &Profile, found: &ForeignProfile, sink: &mut Sink<'_>) {
    if found.place == Place::Environment {
        in_use(profile, sink, |_| true);
    } else if found.literal {
        // Another program may still expand a reference in a file, but a known one takes a bare name as it is.
        in_use(profile, sink, |by| matches!(by, Expander::Shell | Expander::Workflow | Expander::Path));
    } else if found.program.is_some() {
        in_use(profile, sink, |by| matches!(by, Expander::Variable | Expander::Path));
    } else {
        in_use(profile, sink, |by| by == Expander::Path);
    }
}

fn declared(profile: &Profile, sink: &mut Sink<'_>) {
    for (setting, element, assessment) in assessments(profile) {
        let Assessment::Unexpanded(unexpanded) = assessment else { continue };
        let field = setting.field.name;
        let reference = format!("credlint does not expand variables: set `{field} = {{ env = \"NAME\" }}`");
        let (what, help) = match unexpanded.by {
            Expander::Shell => (
                "an unexpanded shell variable".to_owned(),
                format!("{reference}, or let a shell expand it before the value gets here"),
            ),
            Expander::Command => (
                "an unexpanded shell command".to_owned(),
                format!("{reference}, and set that variable to the output of the command"),
            ),
            Expander::Windows => ("an unexpanded Windows variable".to_owned(), reference),
            Expander::Workflow => (
                "an unexpanded workflow expression".to_owned(),
                format!("{reference}, and set that variable in the workflow's `env:`"),
            ),
            Expander::Template => (
                "a template that was not rendered".to_owned(),
                format!("render the template before the check, or {}", lower(&reference)),
            ),
            Expander::Manager(program) => (
                managed(program),
                format!(
                    "have {program} write the value into a variable or a file, then set `{field}` to `{{ env = \"NAME\" }}` or `{{ file = \"PATH\" }}`"
                ),
            ),
            Expander::Encrypted(program) => (
                format!("a value that is still encrypted with {program}"),
                format!(
                    "decrypt it with {program} before the check, into a variable or a file that `{field}` refers to"
                ),
            ),
            Expander::Path => (
                "a file path, not the content of the file".to_owned(),
                format!("to read the value from that file, set `{field} = {{ file = \"PATH\" }}`"),
            ),
            Expander::Variable => (
                "a variable name, not its value".to_owned(),
                format!("to read the value from that variable, set `{field} = {{ env = \"NAME\" }}`"),
            ),
        };
        let key = element.map_or(setting.key.as_str(), |element| element.key.as_str());
        let message = format!("`{key}` holds {what}");
        let draft = Draft::new(message, help);
        let text = what;
        sink.push(match element {
            Some(element) => draft.at(&element.key, element.value_at(), text),
            None => draft.value(setting, text),
        });
    }
}

/// Checks the variables of a process, where nothing expands a reference any more.
fn in_use(profile: &Profile, sink: &mut Sink<'_>, wanted: impl Fn(Expander) -> bool) {
    // A program may expect a path, or the name of another variable.
    let expected = |by: Expander| matches!(by, Expander::Path | Expander::Variable | Expander::Encrypted(_));
    for (setting, _, assessment) in assessments(profile) {
        let Assessment::Unexpanded(unexpanded) = assessment else { continue };
        let Some(severity) = absence::weight(Absence::Reference, profile) else { continue };
        // Whoever reads it may expand it, as Spring does, but not to itself.
        let unknown = profile.reader() == ReadBy::Unknown;
        let name = setting.name();
        let own = [name.to_owned(), format!("${name}"), format!("${{{name}}}")];
        let is_own = setting.facts().is_some_and(|facts| own.iter().any(|own| facts.is(own)));
        if !wanted(unexpanded.by) || unknown && !is_own && (unexpanded.whole || expected(unexpanded.by)) {
            continue;
        }
        // Spring expands what stands inside an address.
        let address = setting.facts().is_some_and(|facts| facts.url);
        let inside = profile.kind().is_shared() && address && !unexpanded.whole;
        // Some programs take the path of a file under the same name.
        let path = unexpanded.by == Expander::Path && profile.reader() == ReadBy::Named;
        let severity = if unknown || inside || path { severity.min(Severity::Note) } else { severity };
        let what = describe(unexpanded);
        let draft = Draft::new(format!("`{}` holds {what}", setting.name()), remedy(unexpanded, setting.name()));
        sink.push(draft.severity(severity).value(setting, what));
    }
}

/// Returns a manager's reference, with its article.
fn managed(program: &str) -> String {
    let article = if program.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" };
    format!("{article} {program} reference, not the value itself")
}

/// Lower-cases a sentence's first letter, for use as a clause.
fn lower(sentence: &str) -> String {
    sentence.replacen("credlint does not expand variables: ", "", 1)
}

/// Describes the reference.
fn describe(unexpanded: Unexpanded) -> String {
    match unexpanded.by {
        Expander::Shell => "an unexpanded shell variable".to_owned(),
        Expander::Command => "an unexpanded shell command".to_owned(),
        Expander::Windows => "an unexpanded Windows variable".to_owned(),
        Expander::Workflow => "an unexpanded workflow expression".to_owned(),
        Expander::Template => "a template that was not rendered".to_owned(),
        Expander::Manager(program) => managed(program),
        Expander::Encrypted(program) => format!("a value that is still encrypted with {program}"),
        Expander::Path => "a file path, not the content of the file".to_owned(),
        Expander::Variable => "a variable name, not its value".to_owned(),
    }
}

/// Returns the advice for a variable of a process.
fn remedy(unexpanded: Unexpanded, name: &str) -> String {
    match unexpanded.by {
        Expander::Manager(program) => {
            format!("let {program} resolve it before the command starts, so that `{name}` holds the value")
        }
        Expander::Encrypted(program) => format!("decrypt it with {program} before `{name}` is set"),
        Expander::Path => format!("set `{name}` to the content of that file, or use the variable that takes a path"),
        Expander::Template => format!("render the template that sets `{name}`"),
        _ => format!("nothing expands it here: set `{name}` to the value itself, not to a reference"),
    }
}
