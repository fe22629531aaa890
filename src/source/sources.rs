//! What remains of a source without its text: its name, its lines and the masked copy.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use super::allowance::Allowance;
use super::tree::{SourceId, SourceKind};
use crate::shorthand::debug;
use crate::text::{LineIndex, Masked};

/// A source without its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The kind of source.
    pub kind: SourceKind,
    /// The name for display.
    pub name: String,
    /// The line index.
    pub lines: LineIndex,
    /// The masked copy.
    pub masked: Masked,
    /// The allows in its comments.
    pub allowances: Vec<Allowance>,
    /// The path of the file.
    pub(super) path: Option<InputPath>,
}

impl Source {
    pub(super) fn new(kind: SourceKind, name: String, lines: LineIndex, masked: Masked) -> Self {
        Self { kind, name, lines, masked, allowances: Vec::new(), path: None }
    }
}

/// The path of a file, and whether it is a dotenv file of a configuration.
#[derive(Clone)]
pub(super) struct InputPath {
    pub(super) path: PathBuf,
    pub(super) is_dotenv: bool,
}

// A file's name may be a token that was pasted there. The source has the name for display.
debug!(InputPath, |_| "InputPath(..)");

/// All sources, in reading order. Clones share the list, so reports can keep one.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    all: Arc<SharedSources>,
    /// The number of the first source: files that are read in parallel are numbered beforehand.
    first: usize,
}

/// The data that clones share.
#[derive(Clone, Debug, Default)]
struct SharedSources {
    /// `None` for files without findings, of which there may be a hundred thousand.
    list: Vec<Option<Box<Source>>>,
    /// The working directory.
    directory: PathBuf,
    /// Its path in its repository, with a `/` after each component.
    below: String,
}

impl Sources {
    /// Creates the sources of a command that runs in a directory, which has this path in its repository.
    pub(crate) fn in_directory(directory: &Path, path: &Path) -> Self {
        let below = path.iter().map(|part| part.to_string_lossy() + "/").collect();
        let directory = directory.to_path_buf();
        Self { all: Arc::new(SharedSources { directory, below, ..SharedSources::default() }), first: 0 }
    }

    /// Returns a name of a source that does not depend on the working directory: the path from the root of the
    /// repository, with `/`.
    pub(crate) fn identity(&self, id: SourceId) -> String {
        let Source { kind, name, .. } = self.get(id);
        if *kind == SourceKind::Environment { name.replace('\\', "/") } else { self.identity_of(name) }
    }

    /// Returns the same for a file. `None` for a variable.
    pub(crate) fn file_identity(&self, id: SourceId) -> Option<String> {
        (self.get(id).kind == SourceKind::File).then(|| self.identity(id))
    }

    /// Returns the identity that a file with this name has.
    pub(crate) fn identity_of(&self, name: &str) -> String {
        let name = name.replace('\\', "/");
        if name.starts_with('/') || self.all.below.is_empty() {
            return name;
        }
        let mut parts: Vec<&str> = self.all.below.split('/').filter(|part| !part.is_empty()).collect();
        for part in name.split('/') {
            match part {
                "" | "." => {}
                // Files outside the repository keep their names.
                ".." if parts.pop().is_none() => return name.clone(),
                ".." => {}
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// Returns the identities of all files.
    pub(crate) fn file_identities(&self) -> HashSet<String> {
        let all = (self.first..self.count()).map(SourceId);
        all.filter_map(|id| self.file_identity(id)).collect()
    }

    /// Returns `true` if a file with this identity is there.
    pub(crate) fn is_in_repository(&self, identity: &str) -> bool {
        let up = "../".repeat(self.all.below.matches('/').count());
        self.all.directory.join(up + identity).exists()
    }

    /// Creates a partial list whose first source has this number.
    pub(crate) fn starting_at(first: usize) -> Self {
        Self { all: Arc::default(), first }
    }

    /// Returns the number of sources, which is the number of the next one.
    pub(crate) fn count(&self) -> usize {
        self.first + self.all.list.len()
    }

    /// Inserts a partial list at its number. The gap before it stays empty.
    pub(crate) fn insert_part(&mut self, at: usize, part: Self) {
        let all = &mut Arc::make_mut(&mut self.all).list;
        let part = Arc::unwrap_or_clone(part.all).list;
        all.resize_with((at - self.first).max(all.len()), || None);
        all.extend(part);
    }

    /// Returns the id of the next source.
    pub(crate) fn next(&self) -> SourceId {
        SourceId(self.count())
    }

    pub(super) fn add(&mut self, source: Source) -> SourceId {
        Arc::make_mut(&mut self.all).list.push(Some(Box::new(source)));
        SourceId(self.count() - 1)
    }

    /// Returns the paths of files, and whether each has variables.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (PathBuf, bool)> {
        let input = |source: &Source| source.path.as_ref().map(|input| (input.path.clone(), input.is_dotenv));
        self.all.list.iter().filter_map(move |source| input(source.as_deref()?))
    }

    /// Returns the source with an id; an empty one in a gap.
    #[must_use]
    pub fn get(&self, id: SourceId) -> &Source {
        static NOTHING: LazyLock<Source> =
            LazyLock::new(|| Source::new(SourceKind::File, String::new(), LineIndex::default(), Masked::default()));
        self.all.list[id.0 - self.first].as_deref().unwrap_or(&NOTHING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(kind: SourceKind, name: &str) -> Source {
        Source::new(kind, name.to_owned(), LineIndex::default(), Masked::default())
    }

    #[test]
    fn identifies_file_by_path_in_repository() {
        let mut sources = Sources::in_directory(Path::new(""), Path::new("a/b"));
        for (kind, name, identity) in [
            (SourceKind::File, "c.env", "a/b/c.env"),
            (SourceKind::File, "../c.env", "a/c.env"),
            (SourceKind::File, "../../../c.env", "../../../c.env"),
            (SourceKind::File, "/etc/c.env", "/etc/c.env"),
            (SourceKind::Environment, "TOKEN", "TOKEN"),
        ] {
            let id = sources.add(source(kind, name));
            assert_eq!(sources.identity(id), identity);
        }
    }

    #[test]
    fn numbers_sources_of_a_part() {
        let mut part = Sources::starting_at(3);
        let first = part.add(source(SourceKind::File, "a"));
        let mut later = Sources::starting_at(6);
        let last = later.add(source(SourceKind::File, "b"));
        part.insert_part(last.0, later);
        assert_eq!([3, 5, 6].map(|id| part.get(SourceId(id)).name.as_str()), ["a", "", "b"]);
        assert_eq!((first, part.count()), (SourceId(3), 7));
    }
}
