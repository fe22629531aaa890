//! Programs that read the credentials of many services under their own names, as rows: one file for each program, with
//! data and no logic.

use crate::services::{ErrorText, Field, Source};

/// A program with its own names for credentials, which have no meaning elsewhere.
#[derive(Debug)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Its own files, which are read even if git ignores them.
    pub files: &'static [&'static str],
    /// How its groups are recognised. Empty for a program that reads the names of services.
    pub groups: &'static [Group],
    /// Names that other programs use for the same values, with the name that this one reads.
    pub instead: &'static [(&'static str, &'static str)],
    /// Its commands that take credentials.
    pub commands: &'static [Command],
    /// True if a group must have a complete pair, because the program reads it nowhere else.
    pub whole: bool,
    /// True if the names of services mean nothing in its groups.
    pub own_names: bool,
    /// The texts in its logs when credentials don't work.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only the command explains logs"))]
    pub errors: &'static [ErrorText],
    /// Where this was read.
    #[cfg_attr(not(test), expect(dead_code, reason = "documentation for people; a test requires it"))]
    pub source: Source,
}

/// A group of a program's file: how it is recognised, and the names in it.
#[derive(Debug)]
pub struct Group {
    /// How it is recognised.
    pub mark: Mark,
    /// The names in it.
    pub keys: &'static [Key],
}

/// A name, the field that it means, and the tuple that it belongs to.
pub type Key = (&'static str, &'static Field, &'static str);

/// A command in a script that takes credentials.
#[derive(Debug)]
pub struct Command {
    /// The program and its subcommands.
    pub words: &'static [&'static str],
    /// What follows them.
    pub takes: Takes,
}

/// How a command takes credentials.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// As words without flags, with these names in this order.
    Words(&'static [&'static str]),
    /// As the values of these flags.
    Flags(&'static [&'static str]),
    /// As `NAME=value`.
    Assignments,
    /// As `a.b=value,c=value`, the values of these flags.
    Settings(&'static [&'static str]),
    /// In an address with this prefix.
    Address(&'static str),
}

/// How a group of a program is recognised.
#[derive(Clone, Copy, Debug)]
pub enum Mark {
    /// A section of a file with this program's name that has this key and value.
    Section(&'static str, &'static str),
    /// A group that has this key and value.
    Holds(&'static str, &'static str),
    /// A group next to this key and value.
    Beside(&'static str, &'static str),
    /// A group next to a value that starts like this.
    Begins(&'static str, &'static str),
    /// A file of this name.
    File(&'static str),
    /// An element of a list with this name, or a table.
    In(&'static str),
    /// The arguments of one of its commands.
    Command,
}

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_a_source_and_content() {
        for program in PROGRAMS {
            assert!(program.source.place().starts_with("https://"), "{}", program.name);
            let said = program.groups.iter().all(|group| !group.keys.is_empty());
            let named = !(program.files.is_empty() && program.instead.is_empty() && program.commands.is_empty());
            assert!(said && (named || !program.groups.is_empty()), "{}", program.name);
        }
    }

    #[test]
    fn page_lists_every_program() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/searching.md")).unwrap();
        let missing = PROGRAMS.iter().filter(|program| !page.to_lowercase().contains(&program.name.to_lowercase()));
        let missing: Vec<_> = missing.map(|program| program.name).collect();
        assert!(missing.is_empty(), "docs/searching.md does not name {missing:?}");
    }
}
