//! `credlint services`: what is known of services, and trying a file with facts.

use std::path::Path;

use super::args::{ListFormat, ServicesArgs, no_effect};
use super::exit::Exit;
use super::pages::{show, unknown_service};
use super::settings::Settings;
use super::terminal::Terminal;
use crate::examples::{self, Proof, ProofError};
use crate::file::{self, FileError};
use crate::lint::own_services::{NAME, is_id, masked};
use crate::report::{json_v1, service_page};
use crate::services;
use crate::text::{self, Markup};

/// The greatest length of a file with facts, in bytes. The longest built-in one has 60 KB.
const LONGEST: u64 = 1024 * 1024;

/// `credlint services`
pub fn run(args: &ServicesArgs, settings: &Settings, terminal: &Terminal) -> Result<Exit, Exit> {
    if args.name.as_deref() != Some("check") && args.file.is_none() {
        settings.load_services_here().map_err(|error| terminal.unread(&error))?;
    }
    Ok(match (args.name.as_deref(), args.file.as_deref(), args.format) {
        (Some("check"), Some(file), ListFormat::Human) => check(file, terminal),
        (Some("check"), Some(_), ListFormat::Json) => {
            terminal.fail(Exit::Usage, &no_effect("--format json", "what is known of services"))
        }
        (Some("check"), None, _) => terminal.fail(Exit::Usage, "name the file: credlint services check acme.toml"),
        (_, Some(_), _) => terminal.fail(Exit::Usage, "name one service, or a file for `credlint services check FILE`"),
        (None, None, ListFormat::Human) => terminal.lines(&service_page::list(), Exit::Done),
        (None, None, ListFormat::Json) => terminal.data(&json_v1::services(services::all()), Markup::Json, Exit::Done),
        (Some(name), None, format) => match (service_page::named(name), format) {
            (Some(service), ListFormat::Human) => show(&service_page::page(service), terminal),
            (Some(service), ListFormat::Json) => {
                terminal.data(&json_v1::services(&[service]), Markup::Json, Exit::Done)
            }
            (None, _) => unknown_service(name, terminal),
        },
    })
}

/// `credlint services check FILE`
fn check(path: &Path, terminal: &Terminal) -> Exit {
    let shown = text::file_or_path(path);
    let read = match file::read_text(path, LONGEST) {
        Ok((read, _)) => read,
        Err(error) => {
            let exit = if matches!(error, FileError::Io(_)) { Exit::NotDone } else { Exit::Usage };
            return terminal.fail(exit, &format!("{shown} can't be read: {error}"));
        }
    };
    let id = path.file_stem().unwrap_or_default().to_string_lossy();
    if !is_id(&id) {
        return terminal.fail(Exit::Usage, &format!("{shown}: {NAME}"));
    }
    // What `just new-service` writes becomes a part of this program.
    let is_new = path.parent().is_some_and(|directory| directory.ends_with("src/services"));
    match examples::try_file(&shown, &id, &read, is_new) {
        Err(ProofError::File(message)) => terminal.fail(Exit::Usage, &masked(&message)),
        Err(ProofError::System(message)) => terminal.fail(Exit::NotDone, &message),
        Ok(proof) => {
            let exit = if proof.failures.is_empty() { Exit::Done } else { Exit::Findings };
            terminal.lines(&told(&shown, &proof), exit)
        }
    }
}

/// What was found out, a line each.
fn told(path: &str, Proof { failures, samples, examples, inputs }: &Proof) -> String {
    let mut out: String = failures.iter().map(|failure| masked(failure) + "\n").collect();
    let tried = match examples {
        0 => "no examples".to_owned(),
        _ => format!("{} in {}", text::count(*examples, "example"), text::count(*inputs, "input")),
    };
    let failures = if failures.is_empty() { "no failure".to_owned() } else { text::count(failures.len(), "failure") };
    out += &format!("{path}: tried {} and {tried}: {failures}\n", text::count(*samples, "sample"));
    out
}
