//! Programs that read the credentials of many services under their own names, as rows: one file for each program, with
//! data and no logic.

mod rows;

pub use rows::{Command, Group, Key, Mark, Program, Takes};

use crate::services::{ErrorText, Source};

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_a_source_and_content() {
        for program in PROGRAMS {
            assert!(program.source.place().starts_with("https://"), "{}", program.name);
            let said = program.groups.iter().all(|group| !group.keys.is_empty() || !group.inputs.is_empty());
            let named = !(program.files.is_empty() && program.instead.is_empty() && program.commands.is_empty());
            let explained = !program.groups.is_empty() || !program.errors.is_empty();
            assert!(said && (named || explained), "{}", program.name);
        }
    }

    #[test]
    fn page_lists_every_program() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/searching.md")).unwrap();
        // Of some, only texts in logs are known.
        let reads = |program: &&&Program| {
            !(program.groups.is_empty() && program.commands.is_empty() && program.files.is_empty())
        };
        let missing =
            PROGRAMS.iter().filter(reads).filter(|program| !page.to_lowercase().contains(&program.name.to_lowercase()));
        let missing: Vec<_> = missing.map(|program| program.name).collect();
        assert!(missing.is_empty(), "docs/searching.md does not name {missing:?}");
    }
}
