//! Places: a source, and a range of its bytes.

use crate::text::Span;

/// Names one source among [`Sources`](super::Sources).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(pub(super) usize);

/// What a source is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SourceKind {
    /// A file, named by its path.
    File,
    /// One environment variable, by its real name.
    Environment,
}

/// A place in a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    /// Where.
    pub source: SourceId,
    /// Which bytes of it.
    pub span: Span,
}
