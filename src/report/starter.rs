//! Generates the starter configuration from the table of fields: required fields are set, the rest is commented out.

use super::config_schema;
use crate::schema::Kind;

/// A starter file.
#[derive(Clone, Debug)]
pub struct Starter {
    /// The text of the file.
    pub text: String,
    /// The variables that the file refers to.
    pub variables: Vec<String>,
}

/// The comments at the top, after the one that tells editors the schema.
const HEAD: &str = "\
# Configuration of credlint; check it with `credlint check`. Every field is listed; remove what you don't need.
# Keep secrets out of this file: { env = \"NAME\" } reads an environment variable (or one of an --env-file),
# { file = \"PATH\" } reads a file, whose path is relative to this one.
";

/// Writes a profile of each kind.
pub fn write(kinds: &[&Kind]) -> Starter {
    let mut starter = Starter { text: format!("#:schema {}\n{HEAD}", config_schema::URL), variables: Vec::new() };
    for &kind in kinds {
        starter.text += &format!("\n[{kind}.{}]\n", kind.first);
        let lines = kind.fields.iter().map(|field| {
            let value = if field.is_credential() {
                let variable = format!("{}_{}", kind.first, field.name).to_uppercase();
                let value = format!("{{ env = \"{variable}\" }}");
                starter.variables.extend(Some(variable).filter(|_| field.first));
                value
            } else if field.ty.is_list() {
                format!("[\"{}\"]", field.example)
            } else {
                format!("\"{}\"", field.example)
            };
            let mark = if field.first { "" } else { "# " };
            (format!("{mark}{} = {value}", field.name), field.about())
        });
        let lines: Vec<_> = lines.collect();
        let width = lines.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
        starter.text.extend(lines.iter().map(|(line, about)| format!("{line:width$}  # {about}\n")));
    }
    starter.text += "\n# [lint]\n# fail_on = \"error\"  # or \"warning\"\n";
    starter
}
