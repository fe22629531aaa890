//! Generates the starter configuration from the table of fields: required fields are set, the rest is commented out.

use super::config_schema;
use crate::schema::{Field, Kind};

/// A starter file.
#[derive(Clone, Debug)]
pub struct Starter {
    /// The text of the file.
    pub text: String,
    /// The variables that the file refers to.
    pub variables: Vec<String>,
}

/// The syntax of a starter file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

impl Syntax {
    /// Returns the comment that tells editors the schema.
    fn schema_line(self) -> String {
        let url = config_schema::URL;
        match self {
            Self::Toml => format!("#:schema {url}\n"),
            Self::Yaml => format!("# yaml-language-server: $schema={url}\n"),
        }
    }

    /// Returns the introductory comment.
    fn head(self) -> String {
        let reference = |key: &str, value: &str| self.reference(key, value);
        format!(
            "\
# Configuration of credlint; check it with `credlint check`. Every field is listed; remove what you don't need.
# Keep secrets out of this file: {} reads an environment variable (or one of an --env-file),
# {} reads a file, whose path is relative to this one.
",
            reference("env", "NAME"),
            reference("file", "PATH")
        )
    }

    fn reference(self, key: &str, value: &str) -> String {
        match self {
            Self::Toml => format!("{{ {key} = \"{value}\" }}"),
            Self::Yaml => format!("{{ {key}: \"{value}\" }}"),
        }
    }

    const fn tail(self) -> &'static str {
        match self {
            Self::Toml => "\n# [lint]\n# fail_on = \"error\"  # or \"warning\"\n",
            Self::Yaml => "\n# lint:\n#   fail_on: \"error\"  # or \"warning\"\n",
        }
    }

    /// Returns the header of a profile, and the prefix of each field.
    fn profile(self, kind: &Kind) -> (String, &'static str) {
        match self {
            Self::Toml => (format!("\n[{kind}.{}]\n", kind.first), ""),
            Self::Yaml => (format!("\n{kind}:\n  {}:\n", kind.first), "    "),
        }
    }

    const fn sets(self) -> &'static str {
        match self {
            Self::Toml => " = ",
            Self::Yaml => ": ",
        }
    }

    /// Returns the example value, or for part of a credential a reference and the variable's name.
    fn value(self, field: &Field, profile: &str) -> (String, Option<String>) {
        if field.is_credential() {
            let variable = format!("{profile}_{}", field.name).to_uppercase();
            return (self.reference("env", &variable), Some(variable));
        }
        let value = format!("\"{}\"", field.example);
        (if field.ty.is_list() { format!("[{value}]") } else { value }, None)
    }
}

/// Writes a profile of each kind.
pub fn write(kinds: &[&Kind], syntax: Syntax) -> Starter {
    let mut starter = Starter { text: syntax.schema_line() + &syntax.head(), variables: Vec::new() };
    for &kind in kinds {
        let (begin, indent) = syntax.profile(kind);
        starter.text += &begin;
        let lines = kind.fields.iter().map(|field| {
            let (value, variable) = syntax.value(field, kind.first);
            starter.variables.extend(variable.filter(|_| field.first));
            let mark = if field.first { "" } else { "# " };
            (format!("{indent}{mark}{}{}{value}", field.name, syntax.sets()), field.about)
        });
        let lines: Vec<_> = lines.collect();
        let width = lines.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
        starter.text.extend(lines.iter().map(|(line, about)| format!("{line:width$}  # {about}\n")));
    }
    starter.text += syntax.tail();
    starter
}
