//! Services of a project: reads the files that `lint.services` names, and adds their rows to those of this process.
//!
//! Anybody who may change the project may have written them, so they only add, and are bounded (`limits`).

mod limits;

use crate::code::Code;
use crate::config::{ConfigError, LoadOptions, ReferencedFiles, ServiceFile, ServiceFiles};
use crate::file::{self, FileError};
use crate::foreign;
use crate::form;
use crate::schema::Kind;
use crate::services::file::ServiceFile as Rows;
use crate::services::resolve::{self, File};
use crate::services::{self, Expression, SERVICES, SHARED, Service};
use crate::source::Problem;
use crate::text;

/// The greatest length of a file, in bytes.
const LONGEST: usize = 64 * 1024;

/// The greatest number of steps that the patterns of a file take for one value. That of a token of 32 characters takes some
/// 3,000, and one without a greatest length some 50,000.
const MOST_STEPS: u64 = 256 * 1024;

/// The greatest number of files.
const MOST_FILES: usize = 16;

/// Adds the services that the project's configuration or the policy names in `lint.services`, for the rest of the process.
/// Call it before anything else: what is known of services does not change once a value was examined. Without a call,
/// [`load`](super::load) and [`search`](super::search) say that the project's services are not used.
///
/// # Errors
///
/// Returns an error if a file can't be read or has a mistake, with its line, or if it is too late. Nothing is added then.
pub fn load_services(options: &LoadOptions) -> Result<(), ConfigError> {
    let ServiceFiles { files, mut problems, sources } = ServiceFiles::find(options);
    let mut own: Vec<Service> = Vec::new();
    if let Some(file) = files.get(MOST_FILES) {
        problems.push(problem(format!("more than {MOST_FILES} files with services"), file));
    }
    for file in files.iter().take(MOST_FILES) {
        match read(file, &own) {
            Ok(service) => own.push(service),
            Err(message) => problems.push(problem(message, file)),
        }
    }
    if problems.is_empty() && !own.is_empty() {
        let paths = files.iter().map(|file| file.path.clone()).collect();
        if !services::add_own(own, paths) {
            let message = "the project's services can't be added: a value was already examined".to_owned();
            problems.extend(files.first().map(|file| problem(message, file)));
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    let referenced = ReferencedFiles::from_paths(files.into_iter().map(|file| file.path).collect());
    Err(ConfigError { sources, referenced, ..ConfigError::from_problems(problems) })
}

fn problem(message: String, file: &ServiceFile) -> Problem {
    Problem::new(Code::ServiceFile, message).at(file.at, "named here")
}

/// Reads a file. What is wrong is told with its line.
fn read(file: &ServiceFile, before: &[Service]) -> Result<Service, String> {
    let name = &file.name;
    let (text, opened) = file::read_text(&file.path, LONGEST as u64).map_err(|error| match error {
        FileError::TooLarge(_) => format!("{name} is larger than 64 KiB"),
        error => format!("{name} can't be read: {error}"),
    })?;
    let id = file.path.file_stem().unwrap_or_default().to_string_lossy();
    if !file::is_own(&opened.meta) {
        Err(format!("{name} belongs to another user"))
    } else if !is_id(&id) {
        Err(format!("{name}: {NAME}"))
    } else if is_built_in(&id) {
        Err(format!("{name}: a service of this name is built in: give the file another name"))
    } else if before.iter().any(|other| other.id == id) {
        Err(format!("{name}: another file has the same name, and the name is that of the service"))
    } else {
        rows(name, &id, &text, before)
    }
}

/// What the name of a file must be.
pub(crate) const NAME: &str = "the name of the file is the name of the service: small letters, digits and `-`";

/// Returns `true` for the name of a service.
pub(crate) fn is_id(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !id.is_empty() && id.len() <= 40 && id.bytes().all(plain) && !text::may_be_credential(id)
}

/// Returns `true` for the name of a built-in service, and for a kind of profile.
fn is_built_in(id: &str) -> bool {
    let kinds = SERVICES.iter().flat_map(|service| service.fields).map(|field| field.place.0);
    SERVICES.iter().any(|service| service.id == id)
        || kinds.chain(["variable", "template"]).any(|kind| kind == id)
        || Kind::find(id).is_some()
}

/// Makes the rows of a text.
pub(crate) fn rows(name: &str, id: &str, text: &str, before: &[Service]) -> Result<Service, String> {
    let file: Result<File<Rows>, String> = File::parse(name.to_owned(), id.to_owned(), text, true);
    let file = file.map_err(|error| of_rows(&error))?;
    limits::check(&file, text)?;
    for word in &file.rows.words {
        let word_of = |other: &&Service| other.words.contains(&word.get_ref().as_str());
        if let Some(other) = before.iter().find(word_of) {
            return file.fail(word, &format!("`{}` is a word of {}", word.get_ref(), other.name));
        }
        let known = foreign::word_of_built_in(word.get_ref());
        // If it is the whole word, `resolve` says so.
        if let Some(known) = known.filter(|known| known != word.get_ref()) {
            let other = SERVICES.iter().find(|service| service.words.contains(&known)).map_or("", |other| other.name);
            return file.fail(word, &format!("`{}` has a word of {other}, `{known}`", word.get_ref()));
        }
    }
    let service = resolve::resolve(&file, SERVICES, SHARED).map_err(|error| of_rows(&error))?;
    check_names(&file, &service)?;
    check_patterns(&file, &service)?;
    limits::check_purposes(&file, &service)?;
    Ok(service)
}

/// Refuses patterns that are large, or take long together.
fn check_patterns(file: &File<Rows>, service: &Service) -> Result<(), String> {
    let mut steps = 0;
    for (form, (name, row)) in service.forms.iter().zip(&file.rows.form.0) {
        let said = row.patterns.as_deref().unwrap_or_default();
        for (index, pattern) in form.patterns.iter().enumerate() {
            let (Expression::Text(text) | Expression::Json { text, .. } | Expression::Address { path: text, .. }) =
                pattern.expression;
            steps += services::steps(text, form::LONGEST_FOR_OWN).min(MOST_STEPS + 1);
            let message = if !form::is_small(pattern) {
                "the pattern is too large"
            } else if steps > MOST_STEPS {
                "the patterns of the file take too long: bound or shorten a repetition"
            } else {
                continue;
            };
            // Those of a base have their form's line.
            return said.get(index).map_or_else(|| file.fail(name, message), |at| file.fail(at, message));
        }
    }
    Ok(())
}

/// Refuses names that have a meaning already. Without a built-in service's word a name has none, so the project's services
/// are not asked, which are not known yet.
fn check_names(file: &File<Rows>, service: &Service) -> Result<(), String> {
    let mut known: Vec<String> = Vec::new();
    for (_, field) in &file.rows.field.0 {
        for row in &field.names {
            let names = row.get_ref().words.iter();
            let names = names.flat_map(|name| service.words.iter().map(move |word| format!("{word}_{name}")));
            for name in names {
                if let Some(word) = foreign::word_of_built_in(&name) {
                    let message = format!("`{name}` has the word `{word}` of a built-in service, which wins");
                    return file.fail(row, &message);
                }
                if foreign::is_in_any_pair(&name) {
                    return file.fail(row, &format!("`{name}` has a meaning already: it is a half of a key pair"));
                }
                if known.contains(&name) {
                    return file.fail(row, &format!("`{name}` is named twice"));
                }
                known.push(name);
            }
        }
    }
    Ok(())
}

/// Masks what a message about the rows quotes, but for names that can't be a credential.
fn of_rows(message: &str) -> String {
    let name = |(at, part): (usize, &str)| match at % 2 {
        0 => masked(part),
        _ if part.len() < 3 || text::is_plain_name(part) => format!("`{part}`"),
        _ => format!("`{}`", text::MASK),
    };
    message.split('`').enumerate().map(name).collect()
}

/// Masks what a message quotes of a file that may be another than it should be: values, and names that may be credentials.
pub(crate) fn masked(message: &str) -> String {
    let names = message.split('`').enumerate().map(|(index, part)| match index % 2 {
        0 => part.split('"').enumerate().map(|(index, part)| if index % 2 == 0 { part } else { "…" }).collect(),
        _ => format!("`{}`", text::name(part)),
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_quote_names_only() {
        for (message, shown) in [
            (
                "a.toml:1: unknown field `nown`, expected one of `noun`",
                "a.toml:1: unknown field `nown`, expected one of `noun`",
            ),
            ("invalid type: string \"hunter2\", expected a list", "invalid type: string …, expected a list"),
            ("there is no form `xoxb-1-2-3`", "there is no form `********`"),
        ] {
            assert_eq!(masked(message), shown);
        }
    }

    #[test]
    fn names_of_services_and_kinds_are_taken() {
        for id in ["stripe", "s3", "messaging", "storage", "app", "variable", "many", "template"] {
            assert!(is_built_in(id), "{id}");
        }
        assert!(!is_built_in("acme") && is_id("acme-2"));
        for id in ["", "Acme", "a_b", "a/b", "a.b", "sk-live-51h8xtukq2wmzpyvrb7ncjd4e", &"a".repeat(41)] {
            assert!(!is_id(id), "{id}");
        }
    }
}
