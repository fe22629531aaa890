//! Expands paths, directories, patterns and lists into a list of files: what directories and patterns leave out, and
//! shares of the files, for several machines.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::Metadata;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, Pattern};
use sha2::{Digest, Sha256};
use walkdir::{DirEntry, WalkDir};

use super::error::UploadError;
use crate::code::Code;
use crate::file::{self, FileError, FileSet};
use crate::text;

/// The maximum size of a list, enough for a few million files.
const LIST_LIMIT: u64 = 256 * 1024 * 1024;

/// The files to send, in the order given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    /// The files; `-` is standard input. A path without a file is kept as given, and fails when it is opened.
    pub files: Vec<PathBuf>,
    /// The total size when the files were found; files without a size count as 0.
    pub bytes: u64,
    /// The number of duplicates, which are listed once.
    pub repeated: usize,
    /// The number of files in other shares.
    pub other_shares: usize,
    /// The number of files left out because the run itself reads or writes them.
    pub own_files: usize,
    /// The number of files left out because they contain secrets.
    pub secret_files: usize,
    /// The number of dotenv files left out.
    pub dotenv_files: usize,
    /// The number of excluded files and directories.
    pub excluded: usize,
    /// The numbers of the exclude patterns that matched something, from 0.
    matched: HashSet<usize>,
    /// The numbers of those that matched nothing.
    pub unmatched: Vec<usize>,
    /// The identities of files found in a directory or by a pattern, so that a replacement is not sent.
    pub(crate) found: HashMap<PathBuf, (u64, u64)>,
}

impl Inputs {
    /// Expands the paths. A directory stands for all regular files below it, sorted by name, except hidden files,
    /// dotenv files (`*.env`) and links. A directory behind a link in the repository stands for no file. A path that
    /// doesn't exist and contains `*`, `?` or `[` is a pattern; it matches no hidden files or links. A file is listed
    /// once, even if several paths lead to it.
    ///
    /// Exclusions apply unless a file is named.
    #[must_use]
    pub fn expand(named: impl IntoIterator<Item = PathBuf>, exclusions: &Exclusions) -> Self {
        let mut inputs = Self::default();
        let mut seen = HashSet::new();
        for path in named {
            // No link is followed below a directory, so files there have a single path.
            let meta = if is_stdin(&path) { None } else { std::fs::metadata(&path).ok() };
            let root = meta.as_ref().filter(|meta| meta.is_dir()).and_then(|_| std::fs::canonicalize(&path).ok());
            for InputFile { path: file, identity, len } in inputs.expand_path(&path, meta.as_ref(), exclusions) {
                let same = match (&root, file.strip_prefix(&path)) {
                    (Some(root), Ok(rest)) => root.join(rest),
                    _ => std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone()),
                };
                if file != path && exclusions.secret.contains_known(&same, identity) {
                    inputs.secret_files += 1;
                } else if file != path && exclusions.own.contains_known(&same, identity) {
                    inputs.own_files += 1;
                } else if !seen.insert(same) {
                    inputs.repeated += 1;
                } else if exclusions.is_elsewhere(&file) {
                    inputs.other_shares += 1;
                } else {
                    inputs.found.extend(identity.map(|identity| (file.clone(), identity)));
                    inputs.files.push(file);
                    inputs.bytes += len;
                }
            }
        }
        inputs.unmatched = (0..exclusions.exclude.len()).filter(|number| !inputs.matched.contains(number)).collect();
        inputs
    }

    /// Returns the files that a path stands for, or the path itself if there are none.
    fn expand_path(&mut self, path: &Path, meta: Option<&Metadata>, exclusions: &Exclusions) -> Vec<InputFile> {
        let (variables, excluded) = (self.dotenv_files, self.excluded);
        let mut files = Vec::new();
        let mut wants_variables = false;
        if meta.is_some_and(Metadata::is_dir) && !file::is_linked(path) {
            files = files_below(path, |found| !self.exclude(found, path, exclusions));
        } else if path.symlink_metadata().is_err() && path.to_str().is_some_and(|path| path.contains(['*', '?', '['])) {
            // The pattern itself names such files.
            wants_variables = is_dotenv_name(path);
            files = files_matching(path);
            let root = fixed_prefix(path);
            // Parent directories count, as in a directory walk.
            files.retain(|file| {
                let below = file.path.ancestors().take_while(|path| path.as_os_str() != root.as_os_str());
                !below.filter(|path| !path.as_os_str().is_empty()).any(|path| self.exclude(path, &root, exclusions))
            });
        }
        if !wants_variables {
            let all = files.len();
            files.retain(|file| !is_dotenv_name(&file.path));
            self.dotenv_files += all - files.len();
        }
        let none_left_out = (variables, excluded) == (self.dotenv_files, self.excluded);
        if files.is_empty() && none_left_out {
            vec![InputFile::named(path, meta.filter(|meta| meta.is_file()).map_or(0, Metadata::len))]
        } else {
            files
        }
    }

    fn exclude(&mut self, path: &Path, root: &Path, exclusions: &Exclusions) -> bool {
        let matching = exclusions.matching_patterns(path, root);
        let excluded = !matching.is_empty();
        self.excluded += usize::from(excluded);
        self.matched.extend(matching);
        excluded
    }

    /// Reads a list of paths: one per line, or NUL-separated as by `find -print0` if it contains a NUL. Empty paths are
    /// skipped.
    ///
    /// # Errors
    ///
    /// Returns code `list-unreadable`.
    pub fn read_list(path: &Path) -> Result<Vec<PathBuf>, UploadError> {
        let failed = |why: String| {
            let shown = if is_stdin(path) { "standard input".to_owned() } else { text::file_or_path(path) };
            UploadError::new(Code::ListUnreadable, format!("the list of files {shown} {why}"))
                .help("pass a file with one path per line to --files-from, or `-` for standard input")
        };
        let mut list = Vec::new();
        let read = if is_stdin(path) {
            std::io::stdin().lock().take(LIST_LIMIT + 1).read_to_end(&mut list)
        } else {
            std::fs::File::open(path).and_then(|file| file.take(LIST_LIMIT + 1).read_to_end(&mut list))
        };
        read.map_err(|error| failed(format!("can't be read: {}", FileError::from(error))))?;
        if list.len() as u64 > LIST_LIMIT {
            return Err(failed("is larger than 256 MiB".to_owned()));
        }
        // Some editors add a byte order mark.
        let list = list.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&list);
        let (end, cut): (u8, &[u8]) = if list.contains(&0) { (0, b"") } else { (b'\n', b"\r") };
        let lines = list.split(|&byte| byte == end).map(|line| line.strip_suffix(cut).unwrap_or(line));
        lines
            .filter(|line| !line.is_empty())
            .enumerate()
            .map(|(index, line)| {
                // In a list, `-` is a file's name.
                let line = if line == b"-" { b"./-" } else { line };
                os_string(line)
                    .map(PathBuf::from)
                    .ok_or_else(|| failed(format!("has a name that is not UTF-8: the {}th", index + 1)))
            })
            .collect()
    }
}

/// Returns `true` if a path means standard input.
#[must_use]
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems accept only UTF-8 names")]
fn os_string(bytes: &[u8]) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec()))
}

#[cfg(not(unix))]
fn os_string(bytes: &[u8]) -> Option<OsString> {
    std::str::from_utf8(bytes).ok().map(OsString::from)
}

/// A file that was named or found. Found files have an identity.
#[derive(Debug)]
pub struct InputFile {
    pub path: PathBuf,
    pub identity: Option<(u64, u64)>,
    /// The size; 0 if it is unknown.
    pub len: u64,
}

impl InputFile {
    /// Creates an entry for a named file, whatever it links to.
    pub fn named(path: &Path, len: u64) -> Self {
        Self { path: path.to_owned(), identity: None, len }
    }

    /// Creates an entry for an unreadable directory. It fails with the reason when it is opened.
    fn unreadable(error: &walkdir::Error) -> Option<Self> {
        Some(Self::named(error.path()?, 0))
    }

    fn from_entry(entry: DirEntry) -> Self {
        let meta = entry.metadata().ok();
        let (identity, len) = (meta.as_ref().and_then(file::identity), meta.map_or(0, |meta| meta.len()));
        Self { path: entry.into_path(), identity, len }
    }
}

/// Returns all regular files below a directory, sorted by name. Unreadable directories are included, and fail when they
/// are opened.
pub fn files_below(directory: &Path, mut wanted: impl FnMut(&Path) -> bool) -> Vec<InputFile> {
    let wanted = |entry: &DirEntry| entry.depth() == 0 || !is_hidden(entry) && wanted(entry.path());
    let entries = WalkDir::new(directory).sort_by_file_name().into_iter().filter_entry(wanted);
    entries
        .filter_map(|entry| match entry {
            Ok(entry) => entry.file_type().is_file().then(|| InputFile::from_entry(entry)),
            Err(error) => InputFile::unreadable(&error),
        })
        .collect()
}

fn is_denied(error: &walkdir::Error) -> bool {
    error.io_error().is_some_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().first() == Some(&b'.')
}

fn is_pattern(component: &Component<'_>) -> bool {
    matches!(component, Component::Normal(part) if part.to_str().is_none_or(|part| part.contains(['*', '?', '['])))
}

/// Returns the path before the first wildcard.
pub fn fixed_prefix(pattern: &Path) -> PathBuf {
    pattern.components().take_while(|component| !is_pattern(component)).collect()
}

/// Returns the regular files that match a pattern, and unreadable directories on the way. The path before the first
/// `*`, `?` or `[` was named and may contain links outside of the repository; the rest may contain none.
pub fn files_matching(pattern: &Path) -> Vec<InputFile> {
    // A Windows path prefix may contain a question mark.
    let named = fixed_prefix(pattern);
    let rest: PathBuf = pattern.components().skip_while(|component| !is_pattern(component)).collect();
    let parts = rest.iter().map(|part| Pattern::new(part.to_str().unwrap_or_default())).collect::<Result<Vec<_>, _>>();
    // An invalid pattern is a file's name that doesn't exist. A pattern for directories matches no files.
    let (Ok(parts), Ok(whole)) = (parts, Pattern::new(rest.to_str().unwrap_or_default())) else { return Vec::new() };
    if rest.ends_with("**") || file::is_linked(&named) {
        return Vec::new();
    }
    let visible =
        MatchOptions { require_literal_separator: true, require_literal_leading_dot: true, ..MatchOptions::default() };
    let any_depth = parts.iter().position(|part| part.as_str() == "**");
    let root = if named.as_os_str().is_empty() { Path::new(".") } else { &named };
    // `*` also matches an empty string, so hidden files need a separate check.
    let shows = |part: &Pattern, entry: &DirEntry| !is_hidden(entry) || part.as_str().starts_with('.');
    // Skip directories in which nothing can match.
    let leads_on = |entry: &DirEntry| match entry.depth() {
        0 => true,
        depth if depth <= any_depth.unwrap_or(parts.len()) => {
            let part = &parts[depth - 1];
            shows(part, entry) && entry.file_name().to_str().is_some_and(|name| part.matches_with(name, visible))
        }
        _ => parts.iter().any(|part| shows(part, entry)),
    };
    let depth = if any_depth.is_some() { usize::MAX } else { parts.len() };
    let entries = WalkDir::new(root).min_depth(1).max_depth(depth).sort_by_file_name().into_iter();
    entries
        .filter_entry(leads_on)
        .filter_map(|entry| match entry {
            Ok(entry) => {
                let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
                let matches = entry.file_type().is_file()
                    && parts.last().is_some_and(|part| shows(part, &entry))
                    && whole.matches_path_with(path, visible);
                matches.then(|| InputFile::from_entry(entry))
            }
            Err(error) => InputFile::unreadable(&error).filter(|_| is_denied(&error)),
        })
        .map(|found| {
            let path = found.path.strip_prefix(root).map_or_else(|_| found.path.clone(), |path| named.join(path));
            InputFile { path, ..found }
        })
        .collect()
}

/// What to leave out of directories and patterns, besides dotenv files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusions {
    /// The run's own files: the configuration, which may contain a token, and the journal, which grows.
    pub(crate) own: FileSet,
    /// Files with secrets.
    pub(crate) secret: FileSet,
    /// The share of the files that is not left out, by their paths relative to a directory, which may have several
    /// names.
    pub(crate) shard: Option<(Shard, Vec<PathBuf>)>,
    /// The exclude patterns.
    pub(crate) exclude: Vec<Exclude>,
}

impl Exclusions {
    /// Returns `true` if a file is in another share.
    pub(super) fn is_elsewhere(&self, path: &Path) -> bool {
        self.shard.as_ref().is_some_and(|(shard, directory)| !shard.contains(path, directory))
    }

    /// Returns the numbers of the patterns that exclude a path, which was found below a directory.
    pub(super) fn matching_patterns(&self, path: &Path, root: &Path) -> Vec<usize> {
        let matching = self.exclude.iter().enumerate().filter(|(_, exclude)| exclude.matches(path, root));
        matching.map(|(number, _)| number).collect()
    }
}

/// An exclude pattern.
#[derive(Clone)]
pub struct Exclude(Vec<Alternative>);

/// One of the alternatives in braces.
#[derive(Clone)]
struct Alternative {
    pattern: Pattern,
    /// It begins with `/` or `./`: it does not match by name.
    anchored: bool,
}

impl std::fmt::Debug for Exclude {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A word of the command line could be a secret.
        f.write_str("Exclude(..)")
    }
}

impl Exclude {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub fn new(pattern: &str) -> Result<Self, &'static str> {
        alternatives(pattern)?.iter().map(|pattern| Alternative::new(pattern)).collect::<Result<_, _>>().map(Self)
    }

    fn matches(&self, path: &Path, root: &Path) -> bool {
        self.0.iter().any(|alternative| alternative.matches(path, root))
    }
}

impl Alternative {
    fn new(pattern: &str) -> Result<Self, &'static str> {
        if pattern.starts_with('!') {
            return Err("a leading `!` is not supported");
        }
        if !cfg!(windows) && pattern.contains('\\') {
            return Err("a backslash is not supported; put a special character in brackets, as in `[*]`");
        }
        if pattern.split('/').any(|part| part == "..") {
            return Err("`..` is not supported");
        }
        let anchored = pattern.starts_with(['/', '.']) && pattern.trim_start_matches('.').starts_with('/');
        // A trailing slash is optional for a directory.
        let path = pattern.strip_suffix('/').unwrap_or(pattern).trim_start_matches("./");
        if path.is_empty() || path == "." {
            return Err("it names no file");
        }
        Pattern::new(path).map(|pattern| Self { pattern, anchored }).map_err(|error| error.msg)
    }

    fn matches(&self, path: &Path, root: &Path) -> bool {
        let matches = |text: &OsStr| self.pattern.matches(&text.to_string_lossy());
        let below = path.strip_prefix(root).unwrap_or(path);
        let typed: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
        matches(below.as_os_str())
            || matches(typed.as_os_str())
            || self.anchored && matches(Path::new("/").join(below).as_os_str())
            || self.anchored && std::path::absolute(path).is_ok_and(|path| matches(path.as_os_str()))
            || !self.anchored && path.file_name().is_some_and(matches)
    }
}

/// Returns the patterns that a pattern with braces stands for: `{a,b}.csv` is `a.csv` and `b.csv`.
fn alternatives(pattern: &str) -> Result<Vec<String>, &'static str> {
    let (mut depth, mut brackets) = (0_usize, false);
    let (mut open, mut cuts) = (None, Vec::new());
    for (at, byte) in pattern.bytes().enumerate() {
        match byte {
            b'[' => brackets = true,
            b']' => brackets = false,
            _ if brackets => {}
            b'{' => {
                depth += 1;
                open = open.or(Some(at));
            }
            b',' if depth == 1 => cuts.push(at),
            b'}' if depth == 0 => return Err("`}` without `{`"),
            b'}' => depth -= 1,
            _ => {}
        }
        let Some(open) = open.filter(|_| depth == 0) else { continue };
        if cuts.is_empty() {
            return Err("braces need alternatives, as in `{a,b}`");
        }
        cuts.push(at);
        let (before, after) = (&pattern[..open], &pattern[at + 1..]);
        let starts = std::iter::once(open).chain(cuts.iter().copied());
        let each = starts.zip(&cuts).map(|(start, &end)| format!("{before}{}{after}", &pattern[start + 1..end]));
        return each.map(|pattern| alternatives(&pattern)).collect::<Result<Vec<_>, _>>().map(|all| all.concat());
    }
    if depth > 0 { Err("`{` without `}`") } else { Ok(vec![pattern.to_owned()]) }
}

/// Returns `true` for a dotenv file by its name: `.env`, `.env.local`, `prod.env`.
pub(super) fn is_dotenv_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.as_encoded_bytes();
        name.starts_with(b".env") || name.ends_with(b".env")
    })
}

/// One of several shares of the files. The share of a file depends only on its path, so machines agree without
/// communicating, and it doesn't change when other files are added or removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// Creates share `number` of `of`, from 1. `None` if the numbers are invalid.
    #[must_use]
    pub const fn new(number: u32, of: u32) -> Option<Self> {
        if 1 <= number && number <= of { Some(Self { number, of }) } else { None }
    }

    /// Parses `K/N`. `None` if it is invalid.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (number, of) = text.split_once('/')?;
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(number) || !digits(of) {
            return None;
        }
        Self::new(number.parse().ok()?, of.parse().ok()?)
    }

    /// Returns `true` if a file is in this share, by its path relative to a directory, which may have several names.
    pub(super) fn contains(self, path: &Path, directory: &[PathBuf]) -> bool {
        let digest = Sha256::digest(portable_name(path, directory).as_bytes());
        let number = digest[..8].iter().fold(0, |number: u64, &byte| number << 8 | u64::from(byte));
        number % u64::from(self.of) == u64::from(self.number - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Returns a path that is the same on every machine: relative to the directory if it is inside, and without `.` and
/// `..`. Links are not resolved, because the target of a mounted volume differs between machines.
fn portable_name(path: &Path, directory: &[PathBuf]) -> String {
    let within = |path: &Path| directory.iter().find_map(|name| path.strip_prefix(name).ok().map(Path::to_owned));
    let path = within(path).unwrap_or_else(|| path.to_owned());
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some_and(|name| name != "..") => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    let plain = within(&plain).unwrap_or(plain);
    // Use the same separator on every system.
    plain.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::FileSet;

    fn scratch(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file).unwrap();
        }
        dir
    }

    #[cfg(unix)]
    fn expand(dir: &tempfile::TempDir, named: &[&str]) -> (Vec<String>, usize) {
        let exclusions = Exclusions { own: FileSet::new([dir.path().join("own")]), ..Exclusions::default() };
        let inputs = Inputs::expand(named.iter().map(|name| dir.path().join(name)), &exclusions);
        let relative = |path: &PathBuf| path.strip_prefix(dir.path()).unwrap().to_str().unwrap().to_owned();
        (inputs.files.iter().map(relative).collect(), inputs.repeated)
    }

    #[cfg(unix)]
    #[test]
    fn expands_directories_and_patterns() {
        let dir = scratch(&[
            "b.csv", "a.csv", "c.txt", ".hidden.csv", "sub/d.csv", "sub/.git/x", "sub/deep/e.csv", "[x].csv",
        ]);
        std::os::unix::fs::symlink("../a.csv", dir.path().join("sub/link.csv")).unwrap();
        let of = |named: &[&str]| expand(&dir, named).0;
        assert_eq!(of(&["sub"]), ["sub/d.csv", "sub/deep/e.csv"]);
        assert_eq!(of(&["*.csv"]), ["[x].csv", "a.csv", "b.csv"]);
        assert_eq!(of(&["**/*.csv"]), ["[x].csv", "a.csv", "b.csv", "sub/d.csv", "sub/deep/e.csv"]);
        assert_eq!(of(&["[ab].csv", ".hidden.csv"]), ["a.csv", "b.csv", ".hidden.csv"]);
        assert_eq!(of(&["*/*.csv", "s*b/./deep/*", ".h*"]), ["sub/d.csv", "sub/deep/e.csv", ".hidden.csv"]);
        assert_eq!(of(&["sub/.g*/x", "sub/**/x", "sub/**", "**"]), ["sub/.git/x", "sub/**/x", "sub/**", "**"]);
        // An existing name is not a pattern.
        assert_eq!(of(&["[x].csv"]), ["[x].csv"]);
        std::fs::write(dir.path().join("own"), "").unwrap();
        assert_eq!(of(&["o*", "own"]), ["own"]);
        // A path without files stays in its place.
        assert_eq!(of(&["none*", "a.csv", "[", "none"]), ["none*", "a.csv", "[", "none"]);
        assert_eq!(
            expand(&dir, &["a.csv", "sub/../a.csv", "*.csv", "sub/link.csv"]),
            (vec!["a.csv".into(), "[x].csv".into(), "b.csv".into()], 3)
        );
    }

    #[test]
    fn counts_exclusions_and_keeps_named_files() {
        let dir = scratch(&[
            "a.csv", "prod.env", ".env", "build/x.o", "sub/build/y.o", "sub/c.log", "sub/token", "sub/dev.env",
            "env/only.env",
        ]);
        std::fs::hard_link(dir.path().join("sub/token"), dir.path().join("copy")).unwrap();
        let exclude = |globs: &[&str]| globs.iter().map(|glob| Exclude::new(glob).unwrap()).collect::<Vec<_>>();
        let of = |named: &[&str], globs: &[&str]| {
            let secret = FileSet::new([dir.path().join("sub/token")]);
            let exclusions = Exclusions { secret, exclude: exclude(globs), ..Exclusions::default() };
            let inputs = Inputs::expand(named.iter().map(|name| dir.path().join(name)), &exclusions);
            let relative = |path: &PathBuf| path.strip_prefix(dir.path()).unwrap().to_str().unwrap().to_owned();
            let files: Vec<_> = inputs.files.iter().map(relative).collect();
            (files.join(" "), inputs.secret_files, inputs.dotenv_files, inputs.excluded)
        };
        assert_eq!(of(&[""], &[]), ("a.csv build/x.o sub/build/y.o sub/c.log".to_owned(), 2, 3, 0));
        assert_eq!(of(&[""], &["build/", "*.log"]), ("a.csv".to_owned(), 2, 3, 3));
        assert_eq!(of(&[""], &["sub/build"]), ("a.csv build/x.o sub/c.log".to_owned(), 2, 3, 1));
        assert_eq!(of(&["*"], &["a.*"]), (String::new(), 1, 1, 1));
        // Files that are named, or matched by their extension, are sent.
        assert_eq!(of(&["prod.env", "sub/token", ".env", "a.csv"], &["a.csv"]).0, "prod.env sub/token .env a.csv");
        assert_eq!(of(&["*.env"], &[]).0, "prod.env");
        assert_eq!(of(&["env"], &[]), (String::new(), 0, 1, 0));
        // By the name, the path below the directory, the path as typed, or the absolute path.
        let here = dir.path().to_str().unwrap();
        for glob in ["/build", "./build", "/build/", &format!("{here}/build"), &format!("{here}/b*d")] {
            assert_eq!(of(&[""], &[glob]).0, "a.csv sub/build/y.o sub/c.log", "{glob}");
        }
        assert_eq!(of(&["sub"], &["/build"]).0, "sub/c.log");
        assert_eq!(of(&["**/*.o"], &["build"]), (String::new(), 0, 0, 2));
        assert_eq!(of(&["build/*.o"], &["build"]).0, "build/x.o", "the directory itself is named");
        assert_eq!(of(&[""], &["{build,sub/{c,d}.log,x[{,]y}"]).0, "a.csv");
        for wrong in ["a[", "{a", "a}", "{a}", "!a", "a\\*b", "../a", "", "/", "./"] {
            assert!(Exclude::new(wrong).is_err(), "{wrong}");
        }
        assert!(!format!("{:?}", Exclude::new("a").unwrap()).contains('a'));
    }

    #[test]
    fn reads_lists_of_files() {
        let dir = tempfile::tempdir().unwrap();
        let list = dir.path().join("list");
        let read = |text: &[u8]| {
            std::fs::write(&list, text).unwrap();
            Inputs::read_list(&list).unwrap().iter().map(|path| path.to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(read(b"a b\n\n c \r\n#d"), ["a b", " c ", "#d"]);
        assert_eq!(read(b"a\nb\0c\r\0\0"), ["a\nb", "c\r"]);
        assert_eq!(read(b"-\n"), ["./-"]);
        assert_eq!(read(b"\xef\xbb\xbfa\r\n"), ["a"]);
        assert!(read(b"").is_empty());
        assert_eq!(Inputs::read_list(&dir.path().join("none")).unwrap_err().code, Code::ListUnreadable);
    }

    #[test]
    fn parses_shares() {
        assert_eq!(Shard::parse("2/3").map(|shard| shard.to_string()).as_deref(), Some("2/3"));
        assert_eq!((Shard::parse("1/1"), Shard::parse("03/4")), (Shard::new(1, 1), Shard::new(3, 4)));
        for wrong in ["0/3", "4/3", "1", "1/", "/1", "1/0", "a/b", "1/2/3", "-1/2", "+1/2", "1/99999999999", " 1/2"] {
            assert_eq!(Shard::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn share_depends_on_relative_path() {
        let here = &[PathBuf::from("/srv/here"), PathBuf::from("/link/to")];
        for (path, same) in [
            ("a/b.csv", "a/b.csv"),
            ("./a/./b.csv", "a/b.csv"),
            ("x/../a/b.csv", "a/b.csv"),
            ("/srv/here/a/b.csv", "a/b.csv"),
            ("/link/to/a/b.csv", "a/b.csv"),
            ("/link/x/../to/a/b.csv", "a/b.csv"),
            ("/srv/here/x/../a//b.csv", "a/b.csv"),
            ("/srv/x/../here/a/b.csv", "a/b.csv"),
            ("../a/../b.csv", "../b.csv"),
            ("../../b.csv", "../../b.csv"),
        ] {
            assert_eq!(portable_name(Path::new(path), here), same, "{path}");
        }
        assert_ne!(portable_name(Path::new("/other/b.csv"), here), portable_name(Path::new("b.csv"), here));
    }

    /// Machines with different versions must agree, so these values never change.
    #[test]
    fn share_of_a_path_never_changes() {
        let share =
            |path: &str| (1..=5).find(|&k| Shard::new(k, 5).unwrap().contains(path.as_ref(), &["/".into()])).unwrap();
        assert_eq!(["a.csv", "b.csv", "many/000.csv", "2026/11/20.log"].map(share), [5, 1, 1, 4]);
    }

    #[test]
    fn divides_files_into_equal_shares() {
        let shares: Vec<Shard> = (1..=8).filter_map(|number| Shard::new(number, 8)).collect();
        let mut sizes = [0; 8];
        for number in 0..4000 {
            let path = PathBuf::from(format!("reports/{number}.csv"));
            let taken: Vec<usize> = (0..8).filter(|&index| shares[index].contains(&path, &["/work".into()])).collect();
            assert_eq!(taken.len(), 1, "{number}");
            sizes[taken[0]] += 1;
        }
        assert!(sizes.iter().all(|size| (400..600).contains(size)), "{sizes:?}");
    }
}
