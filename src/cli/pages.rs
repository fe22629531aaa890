//! The commands that print what the program knows: `explain`, `rules`, `services`, `schema`, `completions` and `man`.

use std::fmt::Write;

use super::args::{ListArgs, ListFormat, Shell, documents};
use super::exit::Exit;
use super::terminal::Terminal;
use crate::code::Code;
use crate::foreign;
use crate::report::{config_schema, json_v1, page, service_page};
use crate::rules;
use crate::source::Problem;
use crate::text::{self, Markup};

/// `credlint explain`
pub fn explain(id: &str, terminal: &Terminal) -> Exit {
    if let Some((name, field)) = id.split_once('/') {
        return explain_field(name, field, terminal);
    }
    let Some(meta) = rules::meta(id) else {
        // A variable, without its service.
        let named = |service| Some(service_page::field(service, service_page::field_named(service, id)?));
        let mut fields: Vec<String> = service_page::judged().filter_map(named).collect();
        if let Some(field) = foreign::field_under(id).filter(|_| fields.is_empty()) {
            let its = service_page::judged().filter(|service| service.fields.contains(&field));
            fields.extend(its.map(|service| service_page::field(service, field)));
        }
        if id.contains('_') && !fields.is_empty() {
            return show(&fields.join("\n"), terminal);
        }
        let ids = rules::ALL.iter().map(|rule| rule.meta().id);
        let near = text::nearest(id, ids.chain(rules::live::ALL.iter().map(|meta| meta.id)));
        let help = match (near, with_word(id)) {
            _ if let Some(service) = service_page::named(id) => {
                format!("for the service: `credlint services {}`", service.id())
            }
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, some) if !some.is_empty() => format!("rules with that word: {some}"),
            _ => "run `credlint rules` for a list".to_owned(),
        };
        terminal.problem(&Problem::new(Code::UnknownRule, format!("unknown rule{}", text::quoted(id))).help(help));
        return Exit::Usage;
    };
    show(meta.page, terminal)
}

/// Shows what belongs under a name of a service.
fn explain_field(name: &str, field: &str, terminal: &Terminal) -> Exit {
    let Some(service) = service_page::named(name) else { return unknown_service(name, terminal) };
    if let Some(found) = service_page::field_named(service, field) {
        return show(&service_page::field(service, found), terminal);
    }
    let help = format!("its names: {}", service_page::keys(service).join(", "));
    terminal.problem(&Problem::new(Code::UnknownName, format!("{} has no such name", service.name)).help(help));
    Exit::Usage
}

/// Returns the rules whose ids contain a word, or begin with several.
fn with_word(word: &str) -> String {
    let begins = |id: &str| id.strip_prefix(word).is_some_and(|rest| rest.starts_with('-'));
    let has = |id: &&str| begins(id) || id.split('-').any(|own| own == word);
    let ids = rules::ALL.iter().map(|rule| rule.meta().id).filter(has);
    ids.map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
}

/// `credlint rules`
pub fn rules(args: &ListArgs, terminal: &Terminal) -> Exit {
    if args.format == ListFormat::Json {
        return terminal.data(&json_v1::rules(), Markup::Json, Exit::Done);
    }
    let width = rules::ALL.iter().map(|rule| rule.meta().id.len()).max().unwrap_or(0);
    let mut out = String::new();
    for rule in rules::ALL {
        let meta = rule.meta();
        // Writing to a string can't fail.
        let _ = writeln!(out, "{:width$}  {:7}  {:9}  {}", meta.id, meta.severity.name(), meta.scope, meta.summary);
    }
    terminal.document(&out, Exit::Done)
}

/// `credlint services`
pub fn services(name: Option<&str>, terminal: &Terminal) -> Exit {
    let Some(name) = name else { return terminal.document(&service_page::list(), Exit::Done) };
    match service_page::named(name) {
        Some(service) => show(&service_page::page(service), terminal),
        None => unknown_service(name, terminal),
    }
}

/// Prints a page. A program gets its Markdown source.
fn show(page: &str, terminal: &Terminal) -> Exit {
    if terminal.draws() {
        return terminal.document(&page::render(page, terminal.style()), Exit::Done);
    }
    terminal.document(page, Exit::Done)
}

/// Says that there is no such service.
fn unknown_service(name: &str, terminal: &Terminal) -> Exit {
    let ids: Vec<String> = service_page::judged().map(|service| service.id()).collect();
    let help = match text::nearest(&name.to_lowercase(), ids.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "run `credlint services` for a list".to_owned(),
    };
    terminal.problem(&Problem::new(Code::UnknownService, format!("unknown service{}", text::quoted(name))).help(help));
    Exit::Usage
}

/// `credlint schema`
pub fn schema(terminal: &Terminal) -> Exit {
    terminal.data(&config_schema::write(), Markup::Json, Exit::Done)
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
