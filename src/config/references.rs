//! Finds the files that references name, `{ file = "PATH" }` and `…_FILE`, in every layer, including hidden settings.

use std::path::PathBuf;

use super::layers::Tree;
use crate::shorthand::debug;
use crate::source::{Entry, Node, Reader, Scalar, Value};

/// The paths of those files.
#[derive(Clone, Default)]
pub struct ReferencedFiles(Vec<PathBuf>);

// A path may be a secret that was pasted there.
debug!(ReferencedFiles, |own| "ReferencedFiles({} files)", own.0.len());

impl ReferencedFiles {
    /// Collects the paths without opening a file.
    pub(super) fn find(trees: &[Tree], reader: &Reader<'_>) -> Self {
        let mut found = Self::default();
        for tree in trees {
            found.add_table(&tree.entries, tree, reader);
        }
        found
    }

    fn add_table(&mut self, entries: &[Entry], tree: &Tree, reader: &Reader<'_>) {
        for entry in entries {
            match &entry.value.node {
                Node::Scalar(Scalar::Text, handle) if entry.key == "file" => {
                    #[expect(
                        clippy::disallowed_methods,
                        reason = "the path of a file, so that an upload leaves it out"
                    )]
                    self.0.push(reader.resolve(tree.base.as_deref(), reader.vault.open(*handle)));
                }
                _ => self.add_value(&entry.value, tree, reader),
            }
        }
    }

    fn add_value(&mut self, value: &Value, tree: &Tree, reader: &Reader<'_>) {
        match &value.node {
            Node::Table(entries) => self.add_table(entries, tree, reader),
            Node::List(values) | Node::Conflict(values) => {
                for value in values {
                    self.add_value(value, tree, reader);
                }
            }
            Node::Null | Node::Scalar(..) => {}
        }
    }

    /// Returns these paths: those of a project's services.
    pub(crate) const fn from_paths(paths: Vec<PathBuf>) -> Self {
        Self(paths)
    }

    /// Returns the paths.
    pub(crate) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.0.iter().cloned()
    }
}
