//! Rows: what is known of programs, as the program uses it. `build.rs` writes them as constants.

use serde::Serialize;

use crate::services::{ErrorText, Field, Source, reference};

/// A program with its own names for credentials, which have no meaning elsewhere.
#[derive(Serialize, Debug)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Its own files, which are read even if git ignores them, each with its syntax.
    pub files: &'static [(&'static str, &'static str)],
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
    pub errors: &'static [ErrorText],
    /// Where this was read.
    pub source: Source,
}

/// A group of a program's file: how it is recognised, and the names in it.
#[derive(Serialize, Debug)]
pub struct Group {
    /// How it is recognised.
    pub mark: Mark,
    /// The names in it.
    pub keys: &'static [Key],
    /// For an action: all its inputs whose names have a word for a credential or a user.
    pub inputs: &'static [&'static str],
}

/// A name in a program's file.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct Key {
    /// The name.
    pub name: &'static str,
    /// The field that it means.
    #[serde(serialize_with = "reference")]
    pub field: &'static Field,
    /// The tuple that it belongs to.
    pub tuple: &'static str,
}

/// A command in a script that takes credentials.
#[derive(Serialize, Debug)]
pub struct Command {
    /// The program and its subcommands.
    pub words: &'static [&'static str],
    /// What follows them.
    pub takes: Takes,
}

/// How a command takes credentials.
#[derive(Serialize, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
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
#[derive(Serialize, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
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
    /// A group that sets all of these names.
    Sets(&'static [&'static str]),
    /// An element of a list with this name, or a table.
    In(&'static str),
    /// The arguments of one of its commands.
    Command,
}
