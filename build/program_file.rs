//! A file of facts about a program: `src/programs/NAME.toml`. Only `build.rs` reads these types.

use serde::Deserialize;

use crate::services::Source;
use crate::services::file::{ErrorRow, Name, Spanned};

/// The facts about a program that reads the credentials of many services.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramFile {
    /// Its name.
    pub name: String,
    /// Where it is among all programs: those of the lowest number are tried first.
    #[serde(default)]
    pub order: i8,
    /// Its own files, which are read even if git ignores them, each with its syntax.
    #[serde(default)]
    pub files: Vec<(String, String)>,
    /// Names that other programs use for the same values, with the name that this one reads.
    #[serde(default)]
    pub instead: Vec<(String, String)>,
    /// True if a group must have a complete pair, because the program reads it nowhere else.
    #[serde(default)]
    pub whole: bool,
    /// True if the names of services mean nothing in its groups.
    #[serde(default)]
    pub own_names: bool,
    /// Where this was read.
    pub source: Source,
    /// How its groups are recognised. Empty for a program that reads the names of services.
    #[serde(default)]
    pub group: Vec<Spanned<GroupRow>>,
    /// Its commands that take credentials.
    #[serde(default)]
    pub command: Vec<Spanned<CommandRow>>,
    /// The texts in its logs when credentials don't work.
    #[serde(default)]
    pub error: Vec<Spanned<ErrorRow>>,
}

/// A group of a program's file: how it is recognised, and the names in it. One of the keys before `names` says how.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct GroupRow {
    /// A section of a file with this program's name that has this key and value.
    pub section: Option<(String, String)>,
    /// A group that has this key and value.
    pub holds: Option<(String, String)>,
    /// A group next to this key and value.
    pub beside: Option<(String, String)>,
    /// A group next to a value that starts like this.
    pub begins: Option<(String, String)>,
    /// A file of this name.
    pub file: Option<String>,
    /// A group that sets all of these names.
    pub sets: Option<Vec<String>>,
    /// An element of a list with this name, or a table.
    #[serde(rename = "in")]
    pub within: Option<String>,
    /// The arguments of one of its commands.
    pub command: bool,
    /// The names in it.
    pub names: Vec<KeyRow>,
    /// For an action: all its inputs, of any version, whose names have a word for a credential or a user. It does not read
    /// others.
    pub inputs: Vec<String>,
}

/// A name in a program's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRow {
    /// The name.
    pub name: String,
    /// The field that it means.
    pub field: Name,
    /// The tuple that it belongs to.
    #[serde(default)]
    pub tuple: String,
}

/// A command in a script that takes credentials. One of the keys behind `words` says how.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct CommandRow {
    /// The program and its subcommands.
    pub words: Vec<String>,
    /// As words without flags, with these names in this order.
    pub arguments: Option<Vec<String>>,
    /// As the values of these flags.
    pub flags: Option<Vec<String>>,
    /// As `NAME=value`.
    pub assignments: bool,
    /// As `a.b=value,c=value`, the values of these flags.
    pub settings: Option<Vec<String>>,
    /// In an address with this prefix.
    pub address: Option<String>,
}
