//! The commands that print what the program knows: `explain`, `schema`, `completions` and `man`.

use std::fmt::Write;

use super::args::{Described, ExplainArgs, ListFormat, Shell, documents, no_effect};
use super::exit::Exit;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::code::Code;
use crate::foreign;
use crate::report::{config_schema, json_v1, page, service_page, service_schema};
use crate::rules::{self, RuleMeta};
use crate::source::Problem;
use crate::text::{self, Markup};

/// `credlint explain`
pub fn explain(args: &ExplainArgs, settings: &Settings, terminal: &Terminal) -> Result<Exit, Exit> {
    let Some(word) = args.rule.as_deref() else {
        return Ok(list(rules::ALL.iter().map(|rule| rule.meta()).collect(), args.format, terminal));
    };
    if let Some(meta) = rules::meta(word) {
        return Ok(list(vec![meta], args.format, terminal));
    }
    settings.load_services_here().map_err(|error| terminal.unread(&error))?;
    let page = match word.split_once('/') {
        Some((name, field)) => explain_field(name, field, terminal)?,
        None => describe_variable(word),
    };
    if !page.is_empty() {
        return Ok(match args.format {
            ListFormat::Human => show(&page, terminal),
            ListFormat::Json => terminal.fail(Exit::Usage, &no_effect("--format json", "rules: name one")),
        });
    }
    let found = if service_page::named(word).is_none() { rules::with_words(word) } else { Vec::new() };
    if !found.is_empty() {
        return Ok(list(found.into_iter().map(|(_, meta)| meta).collect(), args.format, terminal));
    }
    let help = match (service_page::named(word), text::nearest(word, rules::metas().map(|meta| meta.id))) {
        (Some(service), _) => format!("for the service: `credlint services {}`", service.id),
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) => "run `credlint explain` for a list".to_owned(),
    };
    terminal.problem(&Problem::new(Code::UnknownRule, format!("unknown rule{}", text::quoted(word))).help(help));
    Err(Exit::Usage)
}

/// Prints rules: the page of one, a line for each of several.
fn list(metas: Vec<&RuleMeta>, format: ListFormat, terminal: &Terminal) -> Exit {
    if format == ListFormat::Json {
        return terminal.data(&json_v1::rules(&metas), Markup::Json, Exit::Done);
    }
    if let [meta] = metas[..] {
        return show(meta.page, terminal);
    }
    let width = metas.iter().map(|meta| meta.id.len()).max().unwrap_or(0);
    let mut out = String::new();
    for meta in metas {
        // Writing to a string can't fail.
        let _ = writeln!(out, "{:width$}  {:7}  {:9}  {}", meta.id, meta.severity.name(), meta.scope, meta.summary);
    }
    terminal.lines(&out, Exit::Done)
}

/// Describes the value of a variable, for any service. Empty if no reader is known.
fn describe_variable(variable: &str) -> String {
    if !variable.contains('_') {
        return String::new();
    }
    let named = |service| Some(service_page::field(service, service_page::field_named(service, variable)?));
    let mut fields: Vec<String> = service_page::services_with_fields().filter_map(named).collect();
    if let Some(field) = foreign::field_under(variable).filter(|_| fields.is_empty()) {
        let its = service_page::services_with_fields().filter(|service| service.fields.contains(&field));
        fields.extend(its.map(|service| service_page::field(service, field)));
    }
    fields.join("\n")
}

/// Describes the value of a service's variable.
fn explain_field(name: &str, field: &str, terminal: &Terminal) -> Result<String, Exit> {
    let Some(service) = service_page::named(name) else { return Err(unknown_service(name, terminal)) };
    if let Some(found) = service_page::field_named(service, field) {
        return Ok(service_page::field(service, found));
    }
    let help = format!("its names: {}", service_page::keys(service).join(", "));
    terminal.problem(&Problem::new(Code::UnknownName, format!("{} has no such name", service.name)).help(help));
    Err(Exit::Usage)
}

/// Prints a page. A program gets its Markdown source.
pub fn show(page: &str, terminal: &Terminal) -> Exit {
    if terminal.draws() {
        return terminal.document(&page::render(page, terminal.stdout.style), Exit::Done);
    }
    terminal.document(page, Exit::Done)
}

/// Reports an unknown service.
pub fn unknown_service(name: &str, terminal: &Terminal) -> Exit {
    let ids = service_page::services_with_fields().map(|service| service.id);
    let help = match text::nearest(&name.to_lowercase(), ids) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "run `credlint services` for a list".to_owned(),
    };
    terminal.problem(&Problem::new(Code::UnknownService, format!("unknown service{}", text::quoted(name))).help(help));
    Exit::Usage
}

/// `credlint schema`
pub fn schema(of: Described, terminal: &Terminal) -> Exit {
    let document = match of {
        Described::Configuration => config_schema::DOCUMENT,
        Described::Service => service_schema::DOCUMENT,
    };
    terminal.data(document, Markup::Json, Exit::Done)
}

/// `credlint completions`
pub fn completions(shell: Shell, terminal: &Terminal) -> Exit {
    terminal.document(&documents::completions(shell), Exit::Done)
}

/// `credlint man`
pub fn man(command: Option<&str>, terminal: &Terminal) -> Exit {
    match documents::manual(command) {
        Some(page) => terminal.document(&page, Exit::Done),
        None => {
            let word = text::quoted(command.unwrap_or_default());
            terminal.fail(Exit::Usage, &format!("unknown command{word}; run `credlint --help` for a list"))
        }
    }
}
