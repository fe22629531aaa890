//! Sources: files and environment variables, parsed once into a tree whose keys and values have locations.
//!
//! Values go into the vault as soon as they are parsed. Of the text, only the masked copy and the line index remain;
//! the text itself is zeroized. Configuration is read nowhere else.

mod allowance;
mod assignments;
mod document;
mod dotenv;
mod fault;
mod heredocs;
mod json;
mod keyed;
mod lines;
mod logins;
mod markup;
mod masking;
mod nul_separated;
mod parsed;
mod pipes;
mod reader;
mod sources;
mod start;
mod syntax;
mod toml;
mod tree;
#[cfg(test)]
mod tree_text;
mod unparsed;
mod variables;
mod words;
mod yaml;

pub use allowance::{Allowance, Inert};
#[cfg(test)]
pub(crate) use document::ParsedText;
pub(crate) use document::{Dialect, Document, read_embedded};
pub use fault::Problem;
pub(crate) use heredocs::heredoc_bodies;
pub use pipes::PipeTexts;
pub use reader::{MAX_FILE, Reader};
pub use sources::{Source, Sources};
pub use syntax::Format;
pub use tree::{Entry, Node, Scalar, SourceId, SourceKind, Spot, Value, shown_key, shown_path};
pub use variables::{Variable, Variables, is_setting};
