//! The file that somebody begins with, from the table of fields: what a profile needs is set, the rest is a comment.

use crate::schema::{Field, Kind};

/// A starter file.
#[derive(Clone, Debug)]
pub struct Starter {
    /// The file, as TOML.
    pub text: String,
    /// The variables that it refers to.
    pub variables: Vec<String>,
}

const HEAD: &str = "\
# credlint configuration. `credlint check` checks it, `credlint schema` lists every setting.
# Keep secrets out of this file: `{ env = \"NAME\" }` reads a value from the environment or an --env-file,
# `{ file = \"PATH\" }` reads it from a file, relative to this one.
";

const TAIL: &str = "
# [lint]
# fail_on = \"error\"  # or \"warning\"
";

/// Writes a profile of each kind.
#[must_use]
pub fn write(kinds: &[&Kind]) -> Starter {
    let mut starter = Starter { text: HEAD.to_owned(), variables: Vec::new() };
    for &kind in kinds {
        let profile = kind.first;
        starter.text += &format!("\n[{kind}.{profile}]\n");
        let lines = kind.fields.iter().map(|field| {
            let (value, variable) = value(field, profile);
            starter.variables.extend(variable.filter(|_| field.first));
            (format!("{}{} = {value}", if field.first { "" } else { "# " }, field.name), field.about)
        });
        let lines: Vec<_> = lines.collect();
        let width = lines.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
        starter.text.extend(lines.iter().map(|(line, about)| format!("{line:width$}  # {about}\n")));
    }
    starter.text += TAIL;
    starter
}

/// The example, or for a half of a credential the variable that holds it.
fn value(field: &Field, profile: &str) -> (String, Option<String>) {
    if field.is_credential() {
        let variable = format!("{profile}_{}", field.name).to_uppercase();
        return (format!("{{ env = \"{variable}\" }}"), Some(variable));
    }
    let value = format!("\"{}\"", field.example);
    (if field.ty.is_list() { format!("[{value}]") } else { value }, None)
}
