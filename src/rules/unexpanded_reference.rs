use crate::config::{Profile, Setting};
use crate::finding::Severity;
use crate::form::{Expander, Unexpanded};
use crate::profile::{Assessment, assessments};
use crate::rule::absence::{self, Absence};
use crate::rule::oddity;
use crate::rule::{ReadBy, Sink, rule};

rule! {
    UnexpandedReference("unexpanded-reference"): profile,
    "a reference such as `${NAME}` or `op://…` that was not expanded",
    severity: Error, impact: Unfit, scope: "any", readers: EVERY, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for (setting, element, assessment) in assessments(profile) {
        // Of a known name, the value tells more than its file.
        let unknown = profile.reader() == ReadBy::Unknown;
        if let Some(oddity) = setting.oddity.filter(|oddity| unknown && oddity.is_reference()) {
            sink.push(oddity::finding(&UnexpandedReference::META, setting, oddity));
            continue;
        }
        let Assessment::Unexpanded(unexpanded) = assessment else { continue };
        let (severity, remedy) = match &profile.found {
            None => (Some(Severity::Error), advice_for_field(unexpanded, setting.field.name)),
            Some(found) => {
                (severity_for(profile, setting, unexpanded), remedy(unexpanded, setting.name(), found.literal))
            }
        };
        let Some(severity) = severity else { continue };
        let path = element.map_or(profile.display_path(setting), |element| &element.key);
        let what = describe(unexpanded);
        let draft = finding(format!("`{path}` holds {what}"), remedy).severity(severity);
        sink.push(draft.part(setting, element, what));
    }
}

/// Returns the severity for a value that another program reads. `None` if its reader may expand it; references that a
/// tool may expand in a file were not read as values.
fn severity_for(profile: &Profile, setting: &Setting, unexpanded: Unexpanded) -> Option<Severity> {
    let Unexpanded { by, whole } = unexpanded;
    // The reader may expand it, as Spring does, but not to itself.
    let (unknown, name) = (profile.reader() == ReadBy::Unknown, setting.name());
    let own = [name.to_owned(), format!("${name}"), format!("${{{name}}}")];
    let is_own = setting.facts().is_some_and(|facts| own.iter().any(|own| facts.equals(own)));
    if unknown && !is_own {
        return None;
    }
    // Spring expands references inside an address.
    let inside = profile.kind().is_shared() && !whole && setting.facts().is_some_and(|facts| facts.url);
    // Some programs take the path of a file under the same name.
    let path = by == Expander::Path && profile.reader() == ReadBy::Named;
    let severity = absence::severity_of(Absence::Reference, profile)?;
    Some(if unknown || inside || path { severity.min(Severity::Note) } else { severity })
}

/// Returns the advice for a field of a profile.
fn advice_for_field(unexpanded: Unexpanded, field: &str) -> String {
    let set = format!("set `{field} = {{ env = \"NAME\" }}`");
    let reference = format!("credlint does not expand variables: {set}");
    match unexpanded.by {
        Expander::Shell => format!("{reference}, or let a shell expand it before the value gets here"),
        Expander::Command => format!("{reference}, and set that variable to the output of the command"),
        Expander::Windows => reference,
        Expander::Workflow => format!("{reference}, and set that variable in the workflow's `env:`"),
        Expander::Template => format!("render the template before the check, or {set}"),
        Expander::Manager(program) => format!(
            "have {program} write the value into a variable or a file, then set `{field}` to `{{ env = \"NAME\" }}` or `{{ file = \"PATH\" }}`"
        ),
        Expander::Encrypted(program) => {
            format!("decrypt it with {program} before the check, into a variable or a file that `{field}` refers to")
        }
        Expander::Path => format!("to read the value from that file, set `{field} = {{ file = \"PATH\" }}`"),
        Expander::Variable => format!("to read the value from that variable, {set}"),
    }
}

/// Describes the reference.
fn describe(unexpanded: Unexpanded) -> String {
    match unexpanded.by {
        Expander::Shell => "an unexpanded shell variable".to_owned(),
        Expander::Command => "an unexpanded shell command".to_owned(),
        Expander::Windows => "an unexpanded Windows variable".to_owned(),
        Expander::Workflow => "an unexpanded workflow expression".to_owned(),
        Expander::Template => "a template that was not rendered".to_owned(),
        Expander::Manager(program) => {
            let article = if program.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" };
            format!("{article} {program} reference, not the value itself")
        }
        Expander::Encrypted(program) => format!("a value that is still encrypted with {program}"),
        Expander::Path => "a file path, not the content of the file".to_owned(),
        Expander::Variable => "a variable name, not its value".to_owned(),
    }
}

/// Returns the advice for a value that another program reads.
fn remedy(unexpanded: Unexpanded, name: &str, in_workflow: bool) -> String {
    match unexpanded.by {
        // Everybody could read the value itself there.
        _ if in_workflow => format!("set `{name}` to `${{{{ secrets.NAME }}}}`: a workflow expands nothing else"),
        Expander::Manager(program) => {
            format!("let {program} resolve it before the command starts, so that `{name}` holds the value")
        }
        Expander::Encrypted(program) => format!("decrypt it with {program} before `{name}` is set"),
        Expander::Path => format!("set `{name}` to the content of that file, or use the variable that takes a path"),
        Expander::Template => format!("render the template that sets `{name}`"),
        _ => format!("nothing expands it here: set `{name}` to the value itself, not to a reference"),
    }
}
