//! Files that were written for other programs: what is in them, whoever reads it later.

#[cfg(test)]
mod tests;

#[cfg(test)]
use std::path::Path;
use std::path::PathBuf;

use zeroize::{Zeroize, Zeroizing};

use super::allowance;
use super::fault::{self, Fault};
use super::parsed::Parsed;
use super::problem::Problem;
use super::reader::Reader;
use super::sources::{InputPath, Source};
use super::spot::{SourceId, SourceKind};
use super::syntax::{Format, blank_mark};
use super::tree::Value;
use super::{assignments, ini, json, lines, nul_separated, unveiled, yaml};
use crate::code::Code;
use crate::secret::Vault;
use crate::text::{LineIndex, Masked};

/// How a file of another program is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// `NAME=value` and its kin: dotenv, shells, units of systemd, Dockerfiles, `*.tfvars`.
    Assignments,
    /// Sections of `key = value` or `key: value`.
    Ini,
    Toml,
    /// With comments and all that people put into it.
    Json,
    /// Several documents, and any tags. A template that is no YAML is read as [`Dialect::Lines`].
    Yaml,
    /// `key: value` or `key = value`, a line each, and what is indented alike belongs together.
    Lines,
    /// What `env -0` prints.
    Nul,
}

/// A file of another program: a tree for each document in it.
///
/// Nothing is decoded and nothing is expanded. A name that is set twice is there twice, in the order of the text. The span of a
/// value has its quotes, the value has not.
pub(crate) struct Document {
    pub(crate) id: SourceId,
    /// Each usually a table.
    pub(crate) roots: Vec<Value>,
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Keys may be secrets that were pasted in the wrong place.
        write!(f, "Document({:?}, {} roots)", self.id, self.roots.len())
    }
}

impl Reader<'_> {
    /// Reads a file of another program; what it can't make sense of it passes over. An error only if the file can't be
    /// read, or can't be parsed at all.
    #[cfg(test)]
    pub(crate) fn document(&mut self, path: &Path, dialect: Dialect) -> Result<Document, Problem> {
        let (mut text, _) = self.load(path)?;
        self.take_in(self.name(path), Some(path.to_owned()), &mut text, dialect)
    }

    /// The same of a text that is no file, such as standard input, called `name` in reports. The text is zeroized.
    pub(crate) fn document_text(
        &mut self,
        name: &str,
        text: &mut String,
        dialect: Dialect,
    ) -> Result<Document, Problem> {
        let read = self.take_in(name.to_owned(), None, text, dialect);
        text.zeroize();
        read
    }

    fn take_in(
        &mut self,
        name: String,
        path: Option<PathBuf>,
        text: &mut String,
        dialect: Dialect,
    ) -> Result<Document, Problem> {
        let index = LineIndex::new(text);
        // In YAML spaces would be indentation, and its parser takes the mark.
        if dialect != Dialect::Yaml {
            blank_mark(text);
        }
        let id = self.sources.next();
        let parsed = parse(text, dialect, id, self.vault);
        let on_lines = (dialect == Dialect::Nul).then(|| Zeroizing::new(text.replace('\0', "\n")));
        // Variables that NUL bytes end are shown on a line each; the places stay.
        let (text, index) = match &on_lines {
            Some(text) => (text.as_str(), LineIndex::new(text)),
            None => (text.as_str(), index),
        };
        let masked = match &parsed {
            Ok(parsed) => unveiled::mask(text, parsed, dialect == Dialect::Toml),
            Err(_) => Masked::all(text),
        };
        let comments = parsed.as_ref().map_or(&[][..], |parsed| &parsed.comments);
        let comments = [masked.comments(), comments].concat();
        let allowances = allowance::of_comments(text, &comments, &index);
        let path = path.map(InputPath);
        let kind = SourceKind::File;
        let source = Source { kind, name: name.clone(), lines: index, masked, allowances, read: None, path };
        let id = self.sources.add(source);
        match parsed {
            Ok(parsed) => Ok(Document { id, roots: parsed.roots }),
            Err(fault) => Err(fault::problem(fault, format(dialect), &name, id, text)),
        }
    }
}

/// The name of a format that can't be parsed.
fn format(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Toml => "TOML",
        Dialect::Json => "JSON",
        _ => "YAML",
    }
}

fn parse(text: &str, dialect: Dialect, source: SourceId, vault: &mut Vault) -> Result<Parsed, Fault> {
    match dialect {
        Dialect::Assignments => Ok(assignments::parse(text, source, vault)),
        Dialect::Ini => Ok(ini::parse(text, source, vault)),
        Dialect::Lines => Ok(lines::parse(text, source, vault)),
        Dialect::Nul => Ok(nul_separated::parse(text, source, vault)),
        Dialect::Toml => {
            Format::Toml.parse(text, source, vault).map(|root| Parsed { roots: vec![root], ..Parsed::default() })
        }
        Dialect::Json => json::parse_loosely(text, source, vault),
        Dialect::Yaml => match yaml::parse_documents(text, source, vault) {
            Ok(roots) => Ok(Parsed { roots, ..Parsed::default() }),
            Err(fault) if fault.code == Code::Syntax => Ok(lines::parse(text, source, vault)),
            Err(fault) => Err(fault),
        },
    }
}
