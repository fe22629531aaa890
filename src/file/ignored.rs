//! The ignore rules of repositories.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::repository::{MAX_IGNORE, is_own, is_own_repository, tracked_files};

/// The ignore rules of the directories that were asked for.
#[derive(Debug, Default)]
pub struct Repositories {
    known: Mutex<HashMap<PathBuf, Option<Arc<Rules>>>>,
}

/// The ignore rules of a directory in a repository.
#[derive(Debug)]
struct Rules {
    root: PathBuf,
    /// True if the directory itself is ignored.
    ignored: bool,
    /// From the file of this directory to those of the whole repository and the user.
    files: Vec<Arc<Gitignore>>,
    /// The files that git tracks. The directories of a repository share them, so that its index is read once.
    tracked: Arc<OnceLock<HashSet<String>>>,
}

impl Rules {
    fn ignore(&self, path: &Path, is_directory: bool) -> bool {
        let matched = self.files.iter().map(|file| file.matched(path, is_directory)).find(|matched| !matched.is_none());
        self.ignored || matched.is_some_and(|matched| matched.is_ignore())
    }
}

impl Repositories {
    /// Returns `true` if git would commit a file, which is tracked then or not ignored. `None` outside of repositories of
    /// this user.
    pub fn would_commit(&self, path: &Path) -> Option<bool> {
        let directory = path.parent()?.canonicalize().ok()?;
        let rules = self.rules(&directory)?;
        let path = directory.join(path.file_name()?);
        let is_tracked = || {
            let below = path.strip_prefix(&rules.root).ok().and_then(Path::to_str);
            below.is_some_and(|below| rules.tracked.get_or_init(|| tracked_files(&rules.root)).contains(below))
        };
        Some(!rules.ignore(&path, false) || is_tracked())
    }

    /// Returns the rules of a directory. `None` if it is in no repository.
    fn rules(&self, directory: &Path) -> Option<Arc<Rules>> {
        let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut todo: Vec<&Path> = directory.ancestors().take_while(|above| !known.contains_key(*above)).collect();
        while let Some(directory) = todo.pop() {
            let above = directory.parent().and_then(|above| known.get(above).cloned().flatten());
            let rules = match (is_own_repository(directory), above) {
                (Some(false), _) | (None, None) => None,
                (Some(true), _) => Some(Rules::of_root(directory)),
                (None, Some(above)) => Some(above.below(directory)),
            };
            known.insert(directory.to_owned(), rules.map(Arc::new));
        }
        known.get(directory).cloned().flatten()
    }
}

impl Rules {
    fn of_root(root: &Path) -> Self {
        let all = [ignore_file(root, ".gitignore"), ignore_file(root, ".git/info/exclude")];
        let (user, _) = GitignoreBuilder::new(root).build_global();
        let files = all.into_iter().flatten().chain([Arc::new(user)]).collect();
        Self { root: root.to_owned(), ignored: false, files, tracked: Arc::default() }
    }

    fn below(&self, directory: &Path) -> Self {
        let own = ignore_file(directory, ".gitignore");
        let files = own.into_iter().chain(self.files.iter().cloned()).collect();
        let (root, tracked) = (self.root.clone(), Arc::clone(&self.tracked));
        Self { root, ignored: self.ignore(directory, true), files, tracked }
    }
}

/// Returns the patterns of an ignore file, if it may be used.
fn ignore_file(directory: &Path, name: &str) -> Option<Arc<Gitignore>> {
    let path = directory.join(name);
    path.metadata().ok().filter(|meta| meta.is_file() && is_own(meta) && meta.len() <= MAX_IGNORE)?;
    let mut builder = GitignoreBuilder::new(directory);
    // A wrong line does not spoil the others, as in git.
    let _ = builder.add(path);
    builder.build().ok().map(Arc::new)
}
