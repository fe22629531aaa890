//! What stays of a source when its text is gone: its name, its lines, and the copy that may be printed.

use std::path::{Path, PathBuf};
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
    /// Where it was read from, if it is a file that was written for another program.
    #[cfg_attr(
        not(any(feature = "upload", feature = "cli")),
        allow(dead_code, reason = "only who writes asks what was read")
    )]
    pub(super) path: Option<InputPath>,
}

/// The path of a file that is read and never changed.
#[derive(Clone)]
#[cfg_attr(
    not(any(feature = "upload", feature = "cli")),
    allow(dead_code, reason = "only who writes asks what was read")
)]
pub(super) struct InputPath(pub(super) PathBuf);

impl std::fmt::Debug for InputPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The name of a file may be a token that was pasted there; the source has it as it may be printed.
        f.write_str("InputPath(..)")
    }
}

/// Every source that was read, in order. A copy is cheap: reports take one along.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    all: Arc<All>,
    /// The number of the first: files that are read side by side are numbered beforehand.
    first: usize,
}

/// What a copy shares.
#[derive(Clone, Debug, Default)]
struct All {
    list: Vec<Source>,
    /// Where the working directory is in its repository, with a `/` behind each directory.
    below: String,
}

impl Sources {
    /// Those of a command that was started so far below the root of a repository.
    pub(crate) fn below(path: &Path) -> Self {
        let below = path.iter().map(|part| part.to_string_lossy() + "/").collect();
        Self { all: Arc::new(All { list: Vec::new(), below }), first: 0 }
    }

    /// What a source is called wherever a command is started: the path of a file from the root of its repository, with `/`.
    pub(crate) fn identity(&self, id: SourceId) -> String {
        let Source { kind, name, .. } = self.get(id);
        let name = name.replace('\\', "/");
        if *kind == SourceKind::Environment || name.starts_with('/') || self.all.below.is_empty() {
            return name;
        }
        let mut parts: Vec<&str> = self.all.below.split('/').filter(|part| !part.is_empty()).collect();
        for part in name.split('/') {
            match part {
                "" | "." => {}
                // Out of the repository there is no root to speak of.
                ".." if parts.pop().is_none() => return name.clone(),
                ".." => {}
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// A part of others, whose first source has that number.
    pub(crate) fn part(first: usize) -> Self {
        Self { all: Arc::default(), first }
    }

    /// How many there are; the number of the next one.
    pub(crate) fn count(&self) -> usize {
        self.first + self.all.list.len()
    }

    /// Takes in a part at its number. Between them stand sources that hold nothing.
    pub(crate) fn put(&mut self, at: usize, part: Self) {
        let all = &mut Arc::make_mut(&mut self.all).list;
        let part = Arc::unwrap_or_clone(part.all).list;
        let nothing = || Source {
            kind: SourceKind::File,
            name: String::new(),
            lines: LineIndex::default(),
            masked: Masked::default(),
            allowances: Vec::new(),
            path: None,
            read: None,
        };
        all.resize_with((at - self.first).max(all.len()), nothing);
        all.extend(part);
    }

    /// The name of the source that is added next.
    pub(super) fn next(&self) -> SourceId {
        SourceId(self.count())
    }

    pub(super) fn add(&mut self, source: Source) -> SourceId {
        Arc::make_mut(&mut self.all).list.push(source);
        SourceId(self.count() - 1)
    }

    /// The files among them: where each is, and whether it holds variables.
    #[cfg(any(feature = "upload", feature = "cli"))]
    pub(crate) fn paths(&self) -> impl Iterator<Item = (PathBuf, bool)> {
        let path = |source: &Source| match (&source.read, &source.path) {
            (Some(read), _) => Some((read.path.clone(), read.is_dotenv())),
            (None, Some(path)) => Some((path.0.clone(), false)),
            (None, None) => None,
        };
        self.all.list.iter().filter_map(path)
    }

    /// The source of that number.
    #[must_use]
    pub fn get(&self, id: SourceId) -> &Source {
        &self.all.list[id.0 - self.first]
    }
}
