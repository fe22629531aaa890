//! Explains references that can't be resolved, and what to do.

use std::io::ErrorKind;
use std::path::Path;

use super::environment::Environment;
use crate::file::{self, FileError};
use crate::form;
use crate::schema::value::shown;
use crate::text;

include!(concat!(env!("OUT_DIR"), "/words_missing.rs"));

/// Why a reference can't be resolved, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    pub why: String,
    pub help: String,
}

/// The maximum size of a dotenv file that is searched for a name.
const MAX_DOTENV: u64 = 256 * 1024;

const SET_IT: &str = "set it where the deploy runs; to check without the secrets, run `credlint check --no-resolve`";

/// Help texts without names, and the same texts for several findings.
const PLURALS: &[(&str, &str)] = &[
    (SET_IT, "set them where the deploy runs; to check without the secrets, run `credlint check --no-resolve`"),
    (CREATE, "create the files or correct the paths, which are relative to the configuration file"),
    (
        CREATE_ANYWHERE,
        "create the files or correct the paths; to check without the secrets, run `credlint check --no-resolve`",
    ),
    (READABLE, "give this user permission to read the files, or run the check as the user that runs the deploy"),
];

const CREATE: &str = "create the file or correct the path, which is relative to the configuration file";
const CREATE_ANYWHERE: &str =
    "create the file or correct the path; to check without the secrets, run `credlint check --no-resolve`";
const READABLE: &str = "give this user permission to read the file, or run the check as the user that runs the deploy";

/// Returns a help text in the form that follows a list of several findings.
pub fn in_plural(help: &str) -> String {
    let several = PLURALS.iter().find(|(one, _)| *one == help);
    several.map_or_else(|| help.replacen(" sets it: ", " sets them: ", 1), |(_, several)| (*several).to_owned())
}

/// Explains an unset variable. `shown` is its name for display, and `beside` is the directory of the file that refers
/// to it.
pub(super) fn explain_variable(name: &str, shown: &str, environment: &Environment, beside: Option<&Path>) -> Missing {
    let missing = |help: String| Missing { why: format!("environment variable `{shown}` is not set"), help };
    if name.is_empty() {
        return Missing {
            why: "the name of the environment variable is empty".to_owned(),
            help: "write the name of the variable: `{ env = \"NAME\" }`".to_owned(),
        };
    }
    let bare = name.trim_start_matches('$').trim_matches(['{', '}', '%']);
    if bare.len() < name.len() {
        return missing("write the name alone, without `$`, braces or `%`".to_owned());
    }
    if form::read(name).unwrapped_form().is_some_and(|form| form.certain && form.is_secret()) {
        return Missing {
            why: "`env` has a credential, where the name of a variable belongs".to_owned(),
            help: "put the value into a variable, and write its name here, as in `{ env = \"REPORTS_TOKEN\" }`; rotate the credential if others may have read this".to_owned(),
        };
    }
    if let Some(file) = beside.and_then(|directory| dotenv_file_with(name, directory)) {
        return missing(format!("`{file}` next to the configuration sets it: pass `--env-file {file}`"));
    }
    let set = environment.names().filter(|near| shown::env_name(near).is_some());
    // Only another spelling of the same words counts, not any similar name.
    let folded = |name: &str| name.to_ascii_uppercase().replace('-', "_");
    let near = set
        .filter(|near| {
            folded(near) == folded(name) || text::is_typo(&near.to_lowercase(), [name.to_lowercase().as_str()])
        })
        .min();
    match near {
        Some(near) => {
            missing(format!("did you mean `{near}`, which is set? Otherwise set the variable where the deploy runs"))
        }
        None => missing(SET_IT.to_owned()),
    }
}

/// Returns a dotenv file in a directory that sets a variable. Only names are compared.
fn dotenv_file_with(name: &str, directory: &Path) -> Option<&'static str> {
    let sets = |file: &&&str| {
        let text = file::read_text(&directory.join(file), MAX_DOTENV);
        text.is_ok_and(|(text, _)| {
            text.lines().any(|line| {
                let line = line.trim_start();
                let line = line.strip_prefix("export ").unwrap_or(line);
                line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('='))
            })
        })
    };
    DOTENV.iter().find(sets).copied()
}

/// Explains a file that can't be read.
pub(super) fn explain_file(written: &str, shown: &str, error: &FileError, relative: bool) -> Missing {
    if written.is_empty() {
        return Missing {
            why: "the path of the file is empty".to_owned(),
            help: "write the path of the file: `{ file = \"PATH\" }`".to_owned(),
        };
    }
    let help = match error {
        FileError::NotFound if written.starts_with('~') => "`~` is not expanded: write the full path".to_owned(),
        FileError::NotFound if written.contains('$') => {
            "variables are not expanded in paths: write the full path".to_owned()
        }
        FileError::NotFound if relative => CREATE.to_owned(),
        FileError::NotFound => CREATE_ANYWHERE.to_owned(),
        FileError::Io(ErrorKind::PermissionDenied) => READABLE.to_owned(),
        FileError::NotUtf8(_) => "a credential is plain text: check that this is the right file".to_owned(),
        FileError::TooLarge(_) => "a credential is short: check that this is the right file".to_owned(),
        FileError::NotRegular(_) => "use a regular file".to_owned(),
        FileError::Io(_) => "check that the file is readable".to_owned(),
    };
    Missing { why: format!("can't read `{shown}`: {error}"), help }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_credentials_used_as_variable_names() {
        for (name, is_credential) in [
            ("REPORTS_TOKEN", false),
            // The ID of a key, and a value that may be anything.
            ("0051a2b3c4d5e6f0000000001", false),
            ("0123456789abcdef0123456789abcdef", false),
            ("K005abcdefghijklmnopqrstuvwxyz1", true),
        ] {
            let missing = explain_variable(name, "NAME", &Environment::default(), None);
            assert_eq!(
                missing.why == "environment variable `NAME` is not set",
                !is_credential,
                "{name}: {}",
                missing.why
            );
        }
    }
}
