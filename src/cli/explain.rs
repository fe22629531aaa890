//! `credlint explain`

use super::exit::Exit;
use super::services::{self, show};
use super::terminal::Terminal;
use crate::code::Code;
use crate::report::service_page;
use crate::rules;
use crate::source::Problem;
use crate::text;

pub fn run(id: &str, terminal: &Terminal) -> Exit {
    if let Some((name, field)) = id.split_once('/') {
        return explain_field(name, field, terminal);
    }
    let Some(meta) = rules::meta(id) else {
        // A variable, without its service.
        let named = |service| Some(service_page::field(service, service_page::field_named(service, id)?));
        let fields: Vec<String> = service_page::judged().filter_map(named).collect();
        if id.contains('_') && !fields.is_empty() {
            return show(&fields.join("\n"), terminal);
        }
        let ids = rules::ALL.iter().map(|rule| rule.meta().id);
        let near = text::nearest(id, ids.chain(rules::live::ALL.iter().map(|meta| meta.id)));
        let help = match (near, with_word(id)) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, some) if !some.is_empty() => format!("rules with that word: {some}"),
            _ => "run `credlint rules` for a list".to_owned(),
        };
        // An unknown word could be a secret, so it is not repeated.
        terminal.problem(&Problem::new(Code::UnknownRule, "unknown rule").help(help));
        return Exit::Usage;
    };
    show(meta.page, terminal)
}

/// Shows what belongs under a name of a service.
fn explain_field(name: &str, field: &str, terminal: &Terminal) -> Exit {
    let Some(service) = service_page::named(name) else { return services::unknown(name, terminal) };
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
