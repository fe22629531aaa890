//! Locations: a source and a byte range.

use crate::text::Span;

/// Identifies a source in [`Sources`](super::Sources).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(pub(super) usize);

/// The kind of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SourceKind {
    /// A file, named by its path.
    File,
    /// An environment variable, by its real name.
    Environment,
}

/// A location in a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// The source.
    pub source: SourceId,
    /// The range of bytes.
    pub span: Span,
}
