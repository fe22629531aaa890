//! `credlint explain`

use super::exit::Exit;
use super::terminal::Terminal;
use crate::code::Code;
use crate::report::page;
use crate::rules;
use crate::source::Problem;
use crate::text;

pub fn run(id: &str, terminal: &Terminal) -> Exit {
    let Some(meta) = rules::meta(id) else {
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
    let page = meta.page;
    // A program gets the page's Markdown source.
    if terminal.draws() {
        return terminal.document(&page::render(page, terminal.style()), Exit::Done);
    }
    terminal.document(page, Exit::Done)
}

/// Returns the rules whose ids contain a word, or begin with several.
fn with_word(word: &str) -> String {
    let begins = |id: &str| id.strip_prefix(word).is_some_and(|rest| rest.starts_with('-'));
    let has = |id: &&str| begins(id) || id.split('-').any(|own| own == word);
    let ids = rules::ALL.iter().map(|rule| rule.meta().id).filter(has);
    ids.map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
}
