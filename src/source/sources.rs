//! What stays of a source when its text is gone: its name, its lines, and the copy that may be printed.

#[cfg(any(feature = "upload", feature = "cli"))]
use std::path::PathBuf;
use std::sync::Arc;

use super::allowance::Allowance;
use super::spot::{SourceId, SourceKind};
use super::syntax::ReadFile;
use crate::text::{LineIndex, Masked};

/// What may be known of a source after its text is gone.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it is.
    pub kind: SourceKind,
    /// Its name as it is printed.
    pub name: String,
    /// Its lines.
    pub lines: LineIndex,
    /// What may be printed of it.
    pub masked: Masked,
    /// What its comments allow.
    pub allowances: Vec<Allowance>,
    /// The file it was read from.
    pub(crate) read: Option<ReadFile>,
}

/// Every source that was read, in order. A copy is cheap: reports take one along.
#[derive(Clone, Debug, Default)]
pub struct Sources(Arc<Vec<Source>>);

impl Sources {
    /// The name of the source that is added next.
    pub(super) fn next(&self) -> SourceId {
        SourceId(self.0.len())
    }

    pub(super) fn add(&mut self, source: Source) -> SourceId {
        Arc::make_mut(&mut self.0).push(source);
        SourceId(self.0.len() - 1)
    }

    /// The files among them: where each is, and whether it holds variables.
    #[cfg(any(feature = "upload", feature = "cli"))]
    pub(crate) fn paths(&self) -> impl Iterator<Item = (PathBuf, bool)> {
        self.0.iter().filter_map(|source| source.read.as_ref()).map(|read| (read.path.clone(), read.is_dotenv()))
    }

    /// The source of that number.
    #[must_use]
    pub fn get(&self, id: SourceId) -> &Source {
        &self.0[id.0]
    }
}
