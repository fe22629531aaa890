//! Expands paths, directories, patterns and lists into a list of files: what directories and patterns leave out, and
//! shares of the files, for several machines.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::fmt;
use std::fs::Metadata;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde::de::IgnoredAny;
use sha2::{Digest, Sha256};

use super::receipt::Skip;
use crate::code::Code;
use crate::file::{self, DirEntry, FileError, FilePattern, FileSet, PathPatterns};
use crate::secret::MASK;
use crate::shorthand::lock;
use crate::source::Problem;
use crate::text;

/// The maximum size of a list, enough for a few million files.
const LIST_LIMIT: u64 = 256 * 1024 * 1024;

/// Why a file is not sent that is in a directory, or matches a pattern.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum LeftOut {
    /// The run itself reads or writes it.
    Own,
    /// The configuration reads a value from it.
    Secret,
    /// It is a dotenv file.
    Variables,
    /// An exclude pattern matches it, or its directory.
    Excluded,
    /// It is hidden, or a hidden directory.
    Hidden,
    /// It is a symbolic link.
    Link,
    /// It is a pipe, a socket or a device.
    Special,
    /// It is empty.
    Empty,
}

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
    /// The numbers of files and directories that are left out.
    pub left_out: BTreeMap<LeftOut, usize>,
    /// The numbers of the exclude patterns that matched nothing, from 0.
    pub unmatched: Vec<usize>,
    /// The identities of files found in a directory or by a pattern, so that a replacement is not sent.
    pub(crate) found: HashMap<PathBuf, (u64, u64)>,
    /// The patterns that no file matches.
    pub(crate) no_match: HashSet<PathBuf>,
}

impl Inputs {
    /// Expands the paths. A directory stands for all regular files below it, sorted by name, except hidden files,
    /// dotenv files (`*.env`) and links. A directory behind a link in the repository stands for no file. A path that doesn't
    /// exist and is a pattern stands for the files that match it, hidden files and links excepted. A path of a list is
    /// always that of a file. A file is listed once, even if several paths lead to it.
    ///
    /// Exclusions apply unless a file is named.
    #[must_use]
    pub fn expand(
        named: impl IntoIterator<Item = PathBuf>,
        listed: impl IntoIterator<Item = PathBuf>,
        exclusions: &Exclusions,
    ) -> Self {
        let mut inputs = Self::default();
        let tally = Arc::<Mutex<LeftOutTally>>::default();
        let mut seen = HashSet::new();
        let named = named.into_iter().map(|path| (path, false));
        for (path, is_listed) in named.chain(listed.into_iter().map(|path| (path, true))) {
            // No link is followed below a directory, so files there have a single path.
            let meta = if is_stdin(&path) { None } else { std::fs::metadata(&path).ok() };
            let root = meta.as_ref().filter(|meta| meta.is_dir()).and_then(|_| std::fs::canonicalize(&path).ok());
            let files = if is_listed {
                vec![InputFile::named(&path, meta.as_ref())]
            } else {
                expand_path(&path, meta.as_ref(), exclusions, &tally)
            };
            for InputFile { path: file, identity, len } in files {
                let same = match (&root, file.strip_prefix(&path)) {
                    (Some(root), Ok(rest)) => root.join(rest),
                    _ => std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone()),
                };
                let found = file != path;
                if found && exclusions.secret.contains_known(&same, identity) {
                    lock(&tally).leave_out(LeftOut::Secret);
                } else if found && exclusions.own.contains_known(&same, identity) {
                    lock(&tally).leave_out(LeftOut::Own);
                } else if !seen.insert(same) {
                    inputs.repeated += 1;
                } else if (exclusions.named_empty || found && exclusions.found_empty) && len == 0 && is_empty(&file) {
                    lock(&tally).leave_out(LeftOut::Empty);
                } else if exclusions.is_elsewhere(&file) {
                    inputs.other_shares += 1;
                } else {
                    inputs.found.extend(identity.map(|identity| (file.clone(), identity)));
                    inputs.files.push(file);
                    inputs.bytes += len;
                }
            }
        }
        let LeftOutTally { left_out, matched, no_match } = std::mem::take(&mut *lock(&tally));
        inputs.no_match = no_match;
        inputs.unmatched = (0..exclusions.exclude.len()).filter(|number| !matched.contains(number)).collect();
        inputs.left_out = left_out;
        inputs
    }
}

/// What a list of files says.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileList {
    pub files: Vec<PathBuf>,
    /// The number of files in a report that may have been posted.
    pub uncertain: usize,
}

impl FileList {
    /// Reads a list of paths: one per line, or NUL-separated as by `find -print0` if it contains a NUL. Empty paths are
    /// skipped. A report of an upload stands for the files that were not posted.
    ///
    /// # Errors
    ///
    /// Returns code `list-unreadable`.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let failed = |why: String| {
            let shown = if is_stdin(path) { "standard input".to_owned() } else { text::file_or_path(path) };
            Problem::new(Code::ListUnreadable, format!("the list of files {shown} {why}")).help(
                "pass a file with one path per line to --files-from, the report of an upload, or `-` for standard input",
            )
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
        if let Some(read) = Self::from_report(list) {
            return read.map_err(|why| failed(why.to_owned()));
        }
        let (end, cut): (u8, &[u8]) = if list.contains(&0) { (0, b"") } else { (b'\n', b"\r") };
        let lines = list.split(|&byte| byte == end).map(|line| line.strip_suffix(cut).unwrap_or(line));
        let files = lines
            .filter(|line| !line.is_empty())
            .enumerate()
            .map(|(index, line)| {
                // In a list, `-` is a file's name.
                let line = if line == b"-" { b"./-" } else { line };
                os_string(line)
                    .map(PathBuf::from)
                    .ok_or_else(|| failed(format!("has a name that is not UTF-8: the {}th", index + 1)))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { files, uncertain: 0 })
    }

    /// Reads a report, or the lines of one. `None` for any other text.
    fn from_report(text: &[u8]) -> Option<Result<Self, &'static str>> {
        let mut documents = serde_json::Deserializer::from_slice(text).into_iter::<UploadReport>().peekable();
        let is_report = |report: &UploadReport| report.schema == "credlint/upload/v1";
        if !matches!(documents.peek(), Some(Ok(report)) if is_report(report)) {
            return None;
        }
        Some(Self::from_documents(documents.map(|report| report.ok().filter(is_report))))
    }

    fn from_documents(documents: impl Iterator<Item = Option<UploadReport>>) -> Result<Self, &'static str> {
        let (mut list, mut complete) = (Self::default(), false);
        for report in documents {
            let report = report.ok_or("is a report that is cut off")?;
            if report.mode != "live" {
                return Err("is the report of a dry run or a rehearsal, which posted nothing");
            }
            complete |= report.summary.is_some();
            for upload in report.uploads {
                let skipped = upload.reason.is_some_and(|reason| reason != Skip::Journal.as_str());
                match upload.status.as_str() {
                    "uncertain" => list.uncertain += 1,
                    "skipped" if !skipped => {}
                    "failed" | "refused" | "skipped" if upload.file.contains(MASK) => {
                        return Err("is a report that hides the name of a file: name the files themselves");
                    }
                    "failed" | "refused" | "skipped" if upload.file == "-" => {
                        return Err("is a report on standard input, which can't be read again");
                    }
                    "failed" | "refused" | "skipped" => list.files.push(upload.file.into()),
                    _ => {}
                }
            }
        }
        if complete { Ok(list) } else { Err("is a report that is cut off") }
    }
}

/// What is read of a report.
#[derive(Deserialize)]
struct UploadReport {
    schema: String,
    mode: String,
    uploads: Vec<ReportedFile>,
    summary: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct ReportedFile {
    file: String,
    status: String,
    reason: Option<String>,
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
struct InputFile {
    path: PathBuf,
    identity: Option<(u64, u64)>,
    /// The size; 0 if it is unknown.
    len: u64,
}

impl InputFile {
    /// Creates an entry for a named file, wherever it leads, or for a directory that can't be read, which fails with the
    /// reason when it is opened.
    fn named(path: &Path, meta: Option<&Metadata>) -> Self {
        let len = meta.filter(|meta| meta.is_file()).map_or(0, Metadata::len);
        Self { path: path.to_owned(), identity: None, len }
    }

    fn from_entry(entry: DirEntry) -> Self {
        let meta = entry.metadata().ok();
        let (identity, len) = (meta.as_ref().and_then(file::identity), meta.map_or(0, |meta| meta.len()));
        Self { path: entry.into_path(), identity, len }
    }
}

/// Returns `true` for a file without a byte. Some file systems, such as `/proc`, give files with content the size 0.
pub(super) fn is_empty(path: &Path) -> bool {
    let first = file::open_regular(path).ok().map(|(mut file, _)| file.read(&mut [0]));
    matches!(first, Some(Ok(0)))
}

/// What a search has left out.
#[derive(Debug, Default)]
struct LeftOutTally {
    left_out: BTreeMap<LeftOut, usize>,
    /// The numbers of the exclude patterns that matched something.
    matched: HashSet<usize>,
    /// The patterns that no file matches.
    no_match: HashSet<PathBuf>,
}

impl LeftOutTally {
    fn leave_out(&mut self, why: LeftOut) {
        *self.left_out.entry(why).or_default() += 1;
    }

    /// The number of files that were left out for what they are called.
    fn by_name(&self) -> usize {
        [LeftOut::Variables, LeftOut::Excluded].iter().filter_map(|why| self.left_out.get(why)).sum()
    }
}

/// Returns the files that a path stands for, or the path itself if there are none.
fn expand_path(
    path: &Path,
    meta: Option<&Metadata>,
    exclusions: &Exclusions,
    tally: &Arc<Mutex<LeftOutTally>>,
) -> Vec<InputFile> {
    let pattern = if path.symlink_metadata().is_err() { FilePattern::parse(path) } else { None };
    let directory = match &pattern {
        Some(pattern) => &pattern.directory,
        None if meta.is_some_and(Metadata::is_dir) => path,
        None => return vec![InputFile::named(path, meta)],
    };
    let before = lock(tally).by_name();
    let files = if file::is_linked(directory) {
        Vec::new()
    } else {
        // The pattern itself may name dotenv files.
        let wants_variables = pattern.is_some() && is_dotenv_name(path);
        let search = DirectorySearch {
            directory: directory.to_owned(),
            exclude: exclusions.exclude.clone(),
            pattern: pattern.clone(),
            wants_variables,
            tally: Arc::clone(tally),
        };
        search.run()
    };
    if !files.is_empty() || lock(tally).by_name() > before {
        return files;
    }
    if pattern.is_some() {
        lock(tally).no_match.insert(path.to_owned());
    }
    vec![InputFile::named(path, meta)]
}

/// A search for files below a directory.
struct DirectorySearch {
    directory: PathBuf,
    exclude: PathPatterns,
    /// Only files that match are found.
    pattern: Option<FilePattern>,
    wants_variables: bool,
    tally: Arc<Mutex<LeftOutTally>>,
}

impl DirectorySearch {
    /// Returns all regular files, sorted by name. Directories that can't be read are included, and fail when they are
    /// opened.
    fn run(self) -> Vec<InputFile> {
        let here = self.directory.as_os_str().is_empty();
        let root = if here { PathBuf::from(".") } else { self.directory.clone() };
        let is_pattern = self.pattern.is_some();
        let mut walk = file::walk(&root);
        walk.sort_by_file_name(std::ffi::OsStr::cmp).filter_entry(move |entry| self.wants(entry));
        let files = walk.build().filter_map(|entry| match entry {
            Ok(entry) => entry.file_type().is_some_and(|kind| kind.is_file()).then(|| InputFile::from_entry(entry)),
            Err(error) => {
                let (path, kind) = file::unread(&error)?;
                // A directory that is gone matches no pattern.
                (!is_pattern || kind == Some(ErrorKind::PermissionDenied)).then(|| InputFile::named(path, None))
            }
        });
        let plain =
            |path: PathBuf| if here { path.strip_prefix(".").map_or(path.clone(), Path::to_owned) } else { path };
        files.map(|file| InputFile { path: plain(file.path), ..file }).collect()
    }

    /// Returns `true` for a file that is sent, and for a directory that is searched. Counts what is left out.
    fn wants(&self, entry: &DirEntry) -> bool {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy());
        let kind = entry.file_type();
        let is = |what: fn(&std::fs::FileType) -> bool| kind.as_ref().is_some_and(what);
        let is_directory = is(std::fs::FileType::is_dir);
        if entry.depth() == 0 {
            return true;
        }
        if let Some(pattern) = &self.pattern {
            let before = entry.depth() - 1;
            let below: PathBuf = path.components().skip(path.components().count() - entry.depth()).collect();
            let leads_on = || pattern.leads_on(&name, before) && pattern.depth().is_none_or(|depth| before + 1 < depth);
            if !(if is_directory { leads_on() } else { pattern.matches(&below) }) {
                return false;
            }
        }
        let names_hidden = self.pattern.as_ref().is_some_and(|pattern| pattern.names_hidden(&name));
        let excluding = self.exclude.matching(path, &self.directory);
        let why = if name.starts_with('.') && !names_hidden {
            LeftOut::Hidden
        } else if !excluding.is_empty() {
            LeftOut::Excluded
        } else if is_directory {
            return true;
        } else if is(std::fs::FileType::is_symlink) {
            LeftOut::Link
        } else if !is(std::fs::FileType::is_file) {
            LeftOut::Special
        } else if is_dotenv_name(path) && !self.wants_variables {
            LeftOut::Variables
        } else {
            return true;
        };
        let mut tally = lock(&self.tally);
        tally.leave_out(why);
        tally.matched.extend(excluding);
        false
    }
}

/// What to leave out of directories and patterns, besides hidden files, dotenv files and links.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusions {
    /// Files of the run itself: the configuration, which may have a token, and what it writes.
    pub(crate) own: FileSet,
    /// Files with secrets.
    pub(crate) secret: FileSet,
    /// The share of the files that is not left out, by their paths relative to a directory, which may have several
    /// names.
    pub(crate) shard: Option<(Shard, Vec<PathBuf>)>,
    /// What these patterns match.
    pub(crate) exclude: PathPatterns,
    /// Leave out empty files that are found.
    pub(crate) found_empty: bool,
    /// Leave out empty files that are named, too.
    pub(crate) named_empty: bool,
}

impl Exclusions {
    /// Returns `true` if a file is in another share.
    pub(super) fn is_elsewhere(&self, path: &Path) -> bool {
        self.shard.as_ref().is_some_and(|(shard, directory)| !shard.contains(path, directory))
    }
}

/// Returns `true` for a dotenv file by its name: `.env`, `.env.local`, `prod.env`.
pub(super) fn is_dotenv_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.as_encoded_bytes();
        name.starts_with(b".env") || name.ends_with(b".env")
    })
}

/// Returns the names of the current directory: the system's, and the shell's, which may lead through a link. Empty if
/// it can't be determined.
pub(crate) fn names_of_current_directory() -> Vec<PathBuf> {
    let Ok(directory) = std::env::current_dir() else { return Vec::new() };
    let real = |path: &Path| path.canonicalize().ok();
    #[expect(clippy::disallowed_methods, reason = "it is the shell's name of this directory, and no setting")]
    let shell = std::env::var_os("PWD").map(PathBuf::from);
    let shell = shell.filter(|shell| shell.is_absolute() && real(shell) == real(&directory));
    std::iter::once(directory).chain(shell).collect()
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
    let plain = file::normalize(&path);
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
        let inputs = Inputs::expand(named.iter().map(|name| dir.path().join(name)), [], &exclusions);
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
        assert_eq!(of(&["sub/.g*/x", "sub/**/x", "sub/**"]), ["sub/.git/x", "sub/**/x", "sub/d.csv", "sub/deep/e.csv"]);
        assert_eq!(of(&["{a,c}.{csv,txt}", "sub/{d,deep/e}.csv"]), ["a.csv", "c.txt", "sub/d.csv", "sub/deep/e.csv"]);
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
        let exclude = |globs: &[&str]| {
            PathPatterns::parse(&globs.iter().map(|&glob| glob.to_owned()).collect::<Vec<_>>(), dir.path()).unwrap()
        };
        let of = |named: &[&str], globs: &[&str]| {
            let secret = FileSet::new([dir.path().join("sub/token")]);
            let exclusions = Exclusions { secret, exclude: exclude(globs), ..Exclusions::default() };
            let inputs = Inputs::expand(named.iter().map(|name| dir.path().join(name)), [], &exclusions);
            let relative = |path: &PathBuf| path.strip_prefix(dir.path()).unwrap().to_str().unwrap().to_owned();
            let files: Vec<_> = inputs.files.iter().map(relative).collect();
            let left_out = [LeftOut::Secret, LeftOut::Variables, LeftOut::Excluded];
            let [secret, variables, excluded] = left_out.map(|why| inputs.left_out.get(&why).copied().unwrap_or(0));
            (files.join(" "), secret, variables, excluded)
        };
        assert_eq!(of(&[""], &[]), ("a.csv build/x.o sub/build/y.o sub/c.log".to_owned(), 2, 3, 0));
        assert_eq!(of(&[""], &["build/", "*.log"]), ("a.csv".to_owned(), 2, 3, 3));
        assert_eq!(of(&[""], &["sub/build"]), ("a.csv build/x.o sub/c.log".to_owned(), 2, 3, 1));
        assert_eq!(of(&["*"], &["a.*"]), (String::new(), 1, 1, 1));
        // Files that are named, or matched by their extension, are sent.
        assert_eq!(of(&["prod.env", "sub/token", ".env", "a.csv"], &["a.csv"]).0, "prod.env sub/token .env a.csv");
        assert_eq!(of(&["*.env"], &[]).0, "prod.env");
        assert_eq!(of(&["env"], &[]), (String::new(), 0, 1, 0));
        for glob in ["/build", "./build", "/build/", &format!("{}/build", dir.path().display())] {
            assert_eq!(of(&[""], &[glob]).0, "a.csv sub/build/y.o sub/c.log", "{glob}");
        }
        assert_eq!(of(&["sub"], &["/sub/build"]).0, "sub/c.log");
        assert_eq!(of(&["**/*.o"], &["build"]), (String::new(), 0, 0, 2));
        assert_eq!(of(&["build/*.o"], &["build"]).0, "build/x.o", "the directory itself is named");
        assert_eq!(of(&[""], &["{build,c.log,x[{,]y}"]).0, "a.csv");
    }

    #[test]
    fn reads_lists_of_files() {
        let dir = tempfile::tempdir().unwrap();
        let list = dir.path().join("list");
        let read = |text: &[u8]| {
            std::fs::write(&list, text).unwrap();
            FileList::read(&list)
                .unwrap()
                .files
                .iter()
                .map(|path| path.to_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(read(b"a b\n\n c \r\n#d"), ["a b", " c ", "#d"]);
        assert_eq!(read(b"a\nb\0c\r\0\0"), ["a\nb", "c\r"]);
        assert_eq!(read(b"-\n"), ["./-"]);
        assert_eq!(read(b"\xef\xbb\xbfa\r\n"), ["a"]);
        assert!(read(b"").is_empty());
        assert_eq!(FileList::read(&dir.path().join("none")).unwrap_err().code, Code::ListUnreadable);
    }

    #[test]
    fn reads_reports_as_lists() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("list");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let list = FileList::read(&path).map_err(|error| error.message)?;
            let names: Vec<_> = list.files.iter().map(|file| file.to_str().unwrap().to_owned()).collect();
            Ok::<_, String>((names.join(" "), list.uncertain))
        };
        let report = |mode: &str, uploads: &str, end: &str| {
            format!("{{\"schema\":\"credlint/upload/v1\",\"mode\":\"{mode}\",\"uploads\":[{uploads}]{end}}}\n")
        };
        let upload = |file: &str, status: &str, reason: &str| {
            format!("{{\"file\":\"{file}\",\"status\":\"{status}\",\"reason\":{reason}}}")
        };
        let all = [
            upload("a", "delivered", "null"),
            upload("b", "failed", "null"),
            upload("c", "uncertain", "null"),
            upload("d", "skipped", "\"fail-fast\""),
            upload("e", "skipped", "\"journal\""),
            upload("f", "refused", "null"),
            upload("g", "accepted", "null"),
            upload("h", "skipped", "\"input\""),
        ];
        let (end, expected) = (",\"summary\":{}", Ok(("b d f h".to_owned(), 1)));
        assert_eq!(read(&report("live", &all.join(","), end)), expected);
        let lines: String = all.iter().map(|one| report("live", one, "")).collect();
        assert_eq!(read(&(lines.clone() + &report("live", "", end))), expected);
        for (text, why) in [
            (lines.clone(), "cut off"),
            (lines[..lines.len() - 10].to_owned(), "cut off"),
            (lines + "x", "cut off"),
            (report("dry-run", &all[1], end), "dry run"),
            (report("rehearsal", "", end), "rehearsal"),
            (report("live", &upload("x/********", "failed", "null"), end), "hides the name"),
            (report("live", &upload("-", "failed", "null"), end), "standard input"),
        ] {
            assert!(read(&text).unwrap_err().contains(why), "{text}");
        }
        assert_eq!(read(&report("live", &upload("********", "delivered", "null"), end)), Ok((String::new(), 0)));
        // Names that look like one.
        assert_eq!(read("{\"schema\":\"x\"}\n{}").unwrap().0, "{\"schema\":\"x\"} {}");
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
