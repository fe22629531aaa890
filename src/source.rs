//! Sources: files and environment variables, read once into a tree in which every key and value knows its place.
//!
//! Values go into the vault the moment they are parsed. What stays of a text is its masked copy and its line index;
//! the text itself is zeroized. This is the only reader of configuration.

mod allowance;
mod assignments;
mod document;
mod dotenv;
mod fault;
mod ini;
mod json;
mod lines;
mod masking;
mod nul_separated;
mod parsed;
mod problem;
mod reader;
mod replaced;
#[cfg(test)]
mod sketch;
mod sources;
mod spot;
mod start;
mod syntax;
mod toml;
mod tree;
mod unparsed;
mod unveiled;
mod variables;
mod words;
mod yaml;

pub use allowance::Allowance;
pub(crate) use document::{Dialect, Document};
pub use problem::Problem;
pub use reader::{MAX_FILE, Reader};
pub use replaced::Replaced;
pub use sources::{Source, Sources};
pub use spot::{SourceId, SourceKind, Spot};
pub use syntax::Format;
pub(crate) use syntax::{ReadFile, Stamp};
pub use tree::{Entry, Node, Scalar, Value, shown_key, shown_path};
pub use variables::{Variable, Variables, is_setting};
