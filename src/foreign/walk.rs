//! Finds the files to read. Directories are searched like git does, with its ignore files; a file whose name shows that
//! it has variables or credentials is read even if ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::configuration;
use super::file_type::{FileType, LastRoot, names_shell};
use super::read::{self, Candidate, ReadOptions, RefusedLink};
use crate::config::OwnNames;
use crate::file::{self, MAX_IGNORE, PathPattern, PathPatterns, Repositories, ignore_size, is_directory};
use crate::shorthand::lock;
use crate::source::{Dialect, Sources};

/// Directories of other programs that never have settings.
const SKIPPED: &[&str] =
    &[".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".terraform", ".venv", "target"];

/// What to search.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// The paths, as the user gave them.
    pub named: Vec<PathBuf>,
    /// The directory for relative paths.
    pub directory: PathBuf,
    /// The type of every file, regardless of its name.
    pub file_type: Option<FileType>,
    /// In directories, only files that match one of these patterns.
    pub include: Vec<String>,
    /// Patterns to exclude.
    pub exclude: Vec<String>,
    /// Also read what git ignores.
    pub no_ignore: bool,
    /// The patterns that the configuration excludes, relative to a directory.
    pub left_out: (PathBuf, Vec<PathPattern>),
}

/// The files to read.
#[derive(Debug, Default)]
pub struct Files {
    /// Files of other programs, sorted by path.
    pub candidates: Vec<Candidate>,
    /// credlint configurations.
    pub configurations: Vec<PathBuf>,
    /// Paths that don't exist.
    pub missing: Vec<PathBuf>,
    /// Directories that can't be read, with the reason.
    pub unreadable: BTreeSet<(PathBuf, io::ErrorKind)>,
    /// The number of ignored directories, in which only files with names for credentials are read.
    pub ignored: usize,
    /// Directories whose ignore files are too large to be used.
    pub unfiltered: BTreeSet<PathBuf>,
    /// The number of files that the configuration excludes.
    pub left_out: usize,
    /// Links that lead to no file, or to one outside the searched directories.
    refused: BTreeMap<PathBuf, RefusedLink>,
}

impl Files {
    /// Moves files whose content is a credlint configuration to the configurations.
    pub fn recognise_configurations(&mut self, directory: &Path) {
        // A pipe gives its text only once.
        let unnamed = |candidate: &Candidate| Candidate { named: false, ..candidate.clone() };
        let candidates: Vec<Candidate> = self.candidates.iter().map(unnamed).collect();
        let reading = ReadOptions {
            directory,
            repositories: &Repositories::default(),
            names: &OwnNames::default(),
            kept: None,
            list: None,
            may_report: &|_| false,
        };
        let own = read::read(&candidates, reading, &mut Sources::default()).configurations;
        self.candidates.retain(|candidate| !own.contains(&candidate.path));
        self.configurations.extend(own);
        self.configurations.sort();
    }
}

impl Paths {
    /// Finds the files.
    ///
    /// # Errors
    ///
    /// Returns a message if a pattern is invalid.
    pub fn find(&self) -> Result<Files, String> {
        let parse = |option, texts| {
            PathPatterns::parse(texts, &self.directory).map_err(|flaw| format!("invalid {option} pattern: {flaw}"))
        };
        let (include, exclude) = (&parse("--include", &self.include)?, &parse("--exclude", &self.exclude)?);
        let mut files = Files::default();
        let mut found: BTreeSet<PathBuf> = BTreeSet::new();
        let all = self.named.iter().filter_map(|named| self.directory.join(named).canonicalize().ok());
        let all: Vec<PathBuf> = all.filter(|path| path.is_dir()).collect();
        for named in &self.named {
            let path = self.directory.join(named);
            let is_dir = path.is_dir();
            // A file that is named is excluded as if its directory were searched.
            let outside = path.parent().filter(|_| !path.starts_with(&self.directory));
            match path.metadata() {
                Err(_) => files.missing.push(named.clone()),
                Ok(_) if is_dir => {
                    let patterns = (include, exclude);
                    let tree = Tree { root: &path, all: &all, repository: &repository(&path), patterns };
                    found.extend(walk(&tree, self.no_ignore, &mut files));
                }
                Ok(_) if exclude.has(&path, outside.unwrap_or(&self.directory)) => {}
                Ok(_) => self.add_named(path, &mut files),
            }
        }
        let mut last = None;
        let named: BTreeSet<PathBuf> = files.candidates.iter().map(|candidate| candidate.path.clone()).collect();
        for path in found {
            if configuration::has_configuration_name(&path) {
                files.configurations.push(path);
            } else if !named.contains(&path) {
                // Without a name of a type, it was found as a script.
                let script = || FileType { dialect: Dialect::Shell, ..FileType::without_name(&path, &self.directory) };
                let file_type = self.file_type(&path, &mut last).unwrap_or_else(script);
                let refused = files.refused.get(&path).copied();
                files.candidates.push(Candidate { named: false, refused, ..Candidate::new(path, file_type) });
            }
        }
        let count = |files: &Files| files.candidates.len() + files.configurations.len();
        let before = count(&files);
        files.candidates.retain(|candidate| !self.is_left_out(&candidate.path));
        files.configurations.retain(|path| !self.is_left_out(path));
        files.left_out = before - count(&files);
        files.candidates.sort_by(|one, other| one.path.cmp(&other.path));
        files.configurations.sort();
        files.configurations.dedup();
        Ok(files)
    }

    /// Returns `true` for a file that the configuration excludes.
    fn is_left_out(&self, path: &Path) -> bool {
        let (root, patterns) = &self.left_out;
        if patterns.is_empty() {
            return false;
        }
        let plain = file::normalize(path);
        let below = plain.strip_prefix(root).unwrap_or(&plain).to_string_lossy().replace('\\', "/");
        patterns.iter().any(|pattern| pattern.matches(&below))
    }

    /// Adds a file that the user named. Ignore files don't apply.
    fn add_named(&self, path: PathBuf, files: &mut Files) {
        if files.candidates.iter().any(|known| known.path == path) {
            return;
        }
        if self.file_type.is_none() && configuration::has_configuration_name(&path) {
            files.configurations.push(path);
            return;
        }
        let by_name = self.file_type(&path, &mut None);
        let file_type = by_name.unwrap_or_else(|| FileType::without_name(&path, &self.directory));
        files.candidates.push(Candidate { by_content: by_name.is_none(), ..Candidate::new(path, file_type) });
    }

    /// Returns the type of a file, as stated or by its path.
    fn file_type(&self, path: &Path, last: &mut LastRoot) -> Option<FileType> {
        self.file_type.or_else(|| FileType::on_disk(path, &self.directory, last))
    }
}

/// A directory that is searched.
struct Tree<'a> {
    root: &'a Path,
    /// All searched directories, with links resolved.
    all: &'a [PathBuf],
    /// The repository that it is in, with links resolved, or else the directory itself.
    repository: &'a Path,
    /// The included and the excluded patterns.
    patterns: (&'a PathPatterns, &'a PathPatterns),
}

/// Returns the root of the repository, with links resolved.
fn repository(path: &Path) -> PathBuf {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    file::repository_root(&path).unwrap_or(&path).to_owned()
}

/// Searches a directory. Below one with ignore files that are too large, nothing is ignored.
fn walk(tree: &Tree<'_>, no_ignore: bool, files: &mut Files) -> Vec<PathBuf> {
    let (root, (_, exclude)) = (tree.root, tree.patterns);
    if no_ignore {
        return visit(tree, &file::walk(root), files).0;
    }
    let (mut found, large) = (Vec::new(), Arc::<Mutex<Vec<PathBuf>>>::default());
    let mut builder = WalkBuilder::new(root);
    // Only git's ignore files apply.
    builder.hidden(false).follow_links(false).ignore(false);
    if ignore_size(root) > MAX_IGNORE {
        lock(&large).push(root.to_owned());
    } else {
        // A directory's ignore files are read before it is visited.
        let (skipped, searched, large_ones) = (exclude.clone(), root.to_owned(), Arc::clone(&large));
        builder.filter_entry(move |entry| {
            let skip = is_directory(entry) && is_skipped(entry.path(), &skipped, &searched);
            let is_large = is_directory(entry) && !skip && exceeds(entry.path());
            if is_large {
                lock(&large_ones).push(entry.path().to_owned());
            }
            !skip && !is_large
        });
        let mut ignored;
        (found, ignored) = visit(tree, &builder, files);
        ignored.retain(|path| !lock(&large).contains(path));
        // Deploys read `.env` even if everything is ignored.
        for directory in &ignored {
            let mut files_below = Files::default();
            let (below, _) = visit(tree, &file::walk(directory), &mut files_below);
            files.refused.append(&mut files_below.refused);
            found.extend(below.into_iter().filter(|path| is_known(path)));
        }
        files.ignored += ignored.len();
    }
    found.extend(tracked(tree, files));
    for directory in std::mem::take(&mut *lock(&large)) {
        found.extend(visit(tree, &file::walk(&directory), files).0);
        files.unfiltered.insert(directory);
    }
    found
}

/// Returns the files that git tracks. They are committed even if a pattern ignores them.
fn tracked(tree: &Tree<'_>, files: &mut Files) -> Vec<PathBuf> {
    let Tree { root, repository, patterns: (include, exclude), .. } = *tree;
    let Some(prefix) = root.canonicalize().ok().and_then(|root| root.strip_prefix(repository).map(Path::to_owned).ok())
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for tracked in file::tracked_files(repository) {
        let Ok(below) = Path::new(&tracked).strip_prefix(&prefix) else { continue };
        let skipped = || {
            below.parent().into_iter().flatten().any(|part| part.to_str().is_some_and(|part| SKIPPED.contains(&part)))
        };
        let has_type = FileType::from_path(below).is_some() || configuration::has_configuration_name(below);
        let path = root.join(below);
        if !has_type || skipped() || !(include.is_empty() || include.has(&path, root)) || exclude.has(&path, root) {
            continue;
        }
        let kind = path.symlink_metadata().map(|meta| meta.file_type()).ok();
        match examine(&path, kind, tree) {
            Entry::File => found.push(path),
            Entry::Refused(refused) => {
                files.refused.insert(path.clone(), refused);
                found.push(path);
            }
            Entry::Other => {}
        }
    }
    found
}

/// Returns the files, and the directories that were not visited because they are ignored.
fn visit(tree: &Tree<'_>, builder: &WalkBuilder, files: &mut Files) -> (Vec<PathBuf>, BTreeSet<PathBuf>) {
    let Tree { root, patterns: (include, exclude), .. } = *tree;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let walker = builder.clone().threads(threads).build_parallel();
    // A directory is visited before those in it.
    let (listed, files) = (Mutex::<BTreeSet<PathBuf>>::default(), Mutex::new(files));
    let found: Mutex<Vec<PathBuf>> = Mutex::default();
    let is_file = |path: &Path, kind: Option<std::fs::FileType>| {
        match examine(path, kind, tree) {
            Entry::File => true,
            Entry::Other => false,
            // It is found, and not read.
            Entry::Refused(refused) => {
                lock(&files).refused.insert(path.to_owned(), refused);
                true
            }
        }
    };
    let wanted = |path: &Path| (include.is_empty() || include.has(path, root)) && !exclude.has(path, root);
    walker.run(|| {
        Box::new(|entry| {
            let Ok(entry) = entry else { return WalkState::Continue };
            let kind = entry.file_type();
            if is_directory(&entry) {
                if entry.depth() > 0 && is_skipped(entry.path(), exclude, root) {
                    return WalkState::Skip;
                }
                lock(&listed).remove(entry.path());
                match list_directory(entry.path(), exclude, root) {
                    Ok((directories, known)) => {
                        // Deploys often read files that git ignores.
                        let known = known.into_iter().filter(|(path, kind)| wanted(path) && is_file(path, *kind));
                        let known: Vec<PathBuf> = known.map(|(path, _)| path).collect();
                        lock(&found).extend(known);
                        lock(&listed).extend(directories);
                    }
                    // It was removed in the meantime.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => {
                        lock(&files).unreadable.insert((entry.into_path(), error.kind()));
                    }
                }
                return WalkState::Continue;
            }
            let path = entry.path();
            let is_named = FileType::from_path(path).is_some() || configuration::has_configuration_name(path);
            if wanted(path) && (is_named || is_shell_script(&entry)) && is_file(path, kind) {
                let mut path = entry.into_path();
                path.shrink_to_fit();
                lock(&found).push(path);
            }
            WalkState::Continue
        })
    });
    (found.into_inner().unwrap_or_default(), listed.into_inner().unwrap_or_default())
}

/// Paths with the types of the files there.
type Kinds = Vec<(PathBuf, Option<std::fs::FileType>)>;

/// Returns the directories in a directory that could have settings, and the entries that are read even if git ignores
/// them.
fn list_directory(directory: &Path, exclude: &PathPatterns, root: &Path) -> io::Result<(Vec<PathBuf>, Kinds)> {
    let (mut directories, mut known) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(directory)?.flatten() {
        let (name, kind) = (entry.file_name(), entry.file_type().ok());
        let name = Path::new(&name);
        if kind.is_some_and(|kind| kind.is_dir()) {
            directories.extend(Some(entry.path()).filter(|path| !is_skipped(path, exclude, root)));
        } else if is_known(&entry.path()) || configuration::has_configuration_name(name) {
            known.push((entry.path(), kind));
        }
    }
    Ok((directories, known))
}

/// Returns `true` if the ignore files of a directory, with those above it, are too large.
fn exceeds(directory: &Path) -> bool {
    file::own_ignore_size(directory) > 0 && ignore_size(directory) > MAX_IGNORE
}

/// Returns `true` if a file is read even if git ignores it.
fn is_known(path: &Path) -> bool {
    FileType::from_path(path).is_some_and(|file_type| file_type.known)
}

#[cfg(unix)]
fn is_executable(entry: &DirEntry) -> bool {
    use std::os::unix::fs::PermissionsExt;
    entry.metadata().is_ok_and(|meta| meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &DirEntry) -> bool {
    true
}

/// Returns `true` for a program without an extension whose first line names a shell.
fn is_shell_script(entry: &DirEntry) -> bool {
    let mut start = [0; 64];
    let named = entry.file_name().as_encoded_bytes().contains(&b'.');
    if named || !entry.file_type().is_some_and(|kind| kind.is_file()) || !is_executable(entry) {
        return false;
    }
    let length = File::open(entry.path()).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    String::from_utf8_lossy(&start[..length]).lines().next().is_some_and(names_shell)
}

fn is_skipped(directory: &Path, exclude: &PathPatterns, root: &Path) -> bool {
    let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    SKIPPED.contains(&name) || exclude.has(directory, root)
}

/// What a path of a tree is.
enum Entry {
    /// A file to read, or a link to one.
    File,
    /// A link that is not followed.
    Refused(RefusedLink),
    /// No file, or a link to one that is found under its own name.
    Other,
}

fn examine(path: &Path, kind: Option<std::fs::FileType>, tree: &Tree<'_>) -> Entry {
    if !kind.is_some_and(|kind| kind.is_symlink()) {
        return if kind.is_some_and(|kind| kind.is_file()) { Entry::File } else { Entry::Other };
    }
    let Ok(target) = path.canonicalize() else {
        // What reads the credentials there finds nothing.
        return if is_known(path) { Entry::Refused(RefusedLink::Dangling) } else { Entry::Other };
    };
    if !target.is_file() {
        return Entry::Other;
    }
    let root = tree.all.iter().find(|root| target.starts_with(root));
    let skipped = |below: &Path| below.iter().any(|part| part.to_str().is_some_and(|part| SKIPPED.contains(&part)));
    match root {
        Some(root) if is_known(&target) && !target.strip_prefix(root).is_ok_and(skipped) => Entry::Other,
        Some(_) => Entry::File,
        None if target.starts_with(tree.repository) => Entry::File,
        None => Entry::Refused(RefusedLink::Outside),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_like_git_but_reads_known_names() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for (name, text) in [
            (".git/HEAD", ""),
            (".gitignore", "build/\n/target/*\n.env\n*.yaml\ncredlint.toml\n"),
            (".env", ""),
            ("a.yaml", ""),
            ("b.toml", ""),
            ("credlint.toml", ""),
            ("build/.env", ""),
            ("build/c.toml", ""),
            ("target/.env", ""),
            ("target/.git/d.toml", ""),
            // A directory, not an ignore file.
            ("deploy/.gitignore/e.toml", ""),
        ] {
            write(name, text);
        }
        let find = |named: &str| {
            let root = directory.path().to_owned();
            let paths = Paths { named: vec![named.into()], directory: root.clone(), ..Paths::default() };
            let files = paths.find().unwrap();
            assert!(files.candidates.iter().all(|candidate| !candidate.named) && files.unfiltered.is_empty());
            let found = files.candidates.iter().map(|candidate| &candidate.path).chain(&files.configurations);
            let names = found.map(|path| file::normalize(path).strip_prefix(&root).unwrap().display().to_string());
            (names.collect::<Vec<_>>().join(" "), files.ignored)
        };
        assert_eq!(find("."), (".env b.toml build/.env deploy/.gitignore/e.toml credlint.toml".to_owned(), 1));
        // A directory that is normally skipped is searched if it is named.
        assert_eq!(find("target"), ("target/.env".to_owned(), 0));
    }

    #[cfg(unix)]
    #[test]
    fn finds_shell_scripts_without_extension() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        for (name, text, mode) in [
            ("deploy", "#!/usr/bin/env -S bash -e\nA=1\n", 0o755),
            ("plain", "#!/bin/sh\n", 0o644),
            ("tool", "#!/usr/bin/env python3\n", 0o755),
            ("binary", "\u{7f}ELF", 0o755),
            ("deploy.rb", "#!/bin/sh\n", 0o755),
        ] {
            let path = directory.path().join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        let paths = Paths { named: vec![".".into()], directory: directory.path().to_owned(), ..Paths::default() };
        let found = paths.find().unwrap().candidates;
        let names =
            found.iter().map(|found| (found.path.file_name().unwrap().to_str().unwrap(), found.file_type.name()));
        assert_eq!(names.collect::<Vec<_>>(), [("deploy", "sh")]);
    }
}
