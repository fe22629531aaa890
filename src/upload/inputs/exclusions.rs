//! Files that directories and patterns don't include.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use glob::Pattern;

use crate::file::FileSet;
use crate::shorthand::setters;
use crate::upload::shard::Shard;

/// What to leave out of directories and patterns.
#[derive(Clone, Debug, Default)]
pub struct Exclusions {
    pub(super) own: FileSet,
    pub(super) secret: FileSet,
    shard: Option<(Shard, Vec<PathBuf>)>,
    exclude: Vec<Exclude>,
}

impl Exclusions {
    /// Excludes only dotenv files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        /// Also excludes files of the run itself: the configuration, which may have a token, and the journal, which
        /// grows.
        with_own(own: impl IntoIterator<Item = PathBuf>) = FileSet::new(own);

        /// Also excludes files with secrets.
        with_secret(secret: FileSet);

        /// Also excludes what these patterns match.
        with_excluded(exclude: Vec<Exclude>);
    }

    /// Also excludes files in other shares, by their paths relative to a directory, which may have several names.
    #[must_use]
    pub fn with_shard(mut self, shard: Option<Shard>, directory: Vec<PathBuf>) -> Self {
        self.shard = shard.map(|shard| (shard, directory));
        self
    }

    /// Returns `true` if a file is in another share.
    pub(super) fn is_elsewhere(&self, path: &Path) -> bool {
        self.shard.as_ref().is_some_and(|(shard, directory)| !shard.takes(path, directory))
    }

    /// Returns the numbers of the patterns that exclude a path, which was found below a directory.
    pub(super) fn excluding(&self, path: &Path, root: &Path) -> Vec<usize> {
        let matching = self.exclude.iter().enumerate().filter(|(_, exclude)| exclude.matches(path, root));
        matching.map(|(number, _)| number).collect()
    }

    /// Returns the number of patterns.
    pub(super) const fn patterns(&self) -> usize {
        self.exclude.len()
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
pub(super) fn holds_variables(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.as_encoded_bytes();
        name.starts_with(b".env") || name.ends_with(b".env")
    })
}
