//! `credlint services`

use super::exit::Exit;
use super::terminal::Terminal;
use crate::code::Code;
use crate::report::{page, service_page};
use crate::source::Problem;
use crate::text;

pub fn run(name: Option<&str>, terminal: &Terminal) -> Exit {
    let Some(name) = name else { return terminal.document(&service_page::list(), Exit::Done) };
    match service_page::named(name) {
        Some(service) => show(&service_page::page(service), terminal),
        None => unknown(name, terminal),
    }
}

/// Prints a page. A program gets its Markdown source.
pub fn show(page: &str, terminal: &Terminal) -> Exit {
    if terminal.draws() {
        return terminal.document(&page::render(page, terminal.style()), Exit::Done);
    }
    terminal.document(page, Exit::Done)
}

/// Says that there is no such service. An unknown word could be a secret, so it is not repeated.
pub fn unknown(name: &str, terminal: &Terminal) -> Exit {
    let ids: Vec<String> = service_page::judged().map(|service| service.id()).collect();
    let help = match text::nearest(&name.to_lowercase(), ids.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "run `credlint services` for a list".to_owned(),
    };
    terminal.problem(&Problem::new(Code::UnknownService, "unknown service").help(help));
    Exit::Usage
}
