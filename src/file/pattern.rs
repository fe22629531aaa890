//! Patterns for paths, which mean the same in a configuration, as an option and in place of a file: `*` and `?` stay
//! within a name, `**` is any number of directories, `[ab]` and `{a,b}` are alternatives.

use std::path::{Component, Path, PathBuf};

use globset::{ErrorKind, GlobBuilder, GlobMatcher};

/// The maximum length of a pattern in bytes, and the maximum number of patterns in a list. Matching takes linear time, and
/// a compiled pattern some hundred bytes for each of its own.
const LONGEST: usize = 1024;
pub const MOST_PATTERNS: usize = 1000;

fn glob(text: &str) -> Result<GlobMatcher, &'static str> {
    let flaw = match text {
        _ if text.len() > LONGEST => Some("it is longer than 1,024 bytes"),
        _ if text.starts_with('!') => Some("a leading `!` is not supported"),
        _ if !cfg!(windows) && text.contains('\\') => {
            Some("a backslash is not supported; put a special character in brackets, as in `[*]`")
        }
        _ => text.split('/').find(|part| *part == "..").map(|_| "`..` is not supported"),
    };
    flaw.map_or(Ok(()), Err)?;
    let glob = GlobBuilder::new(text).literal_separator(true).empty_alternates(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| match error.kind() {
        ErrorKind::UnclosedClass => "`[` without `]`",
        ErrorKind::UnclosedAlternates => "`{` without `}`",
        ErrorKind::UnopenedAlternates => "`}` without `{`",
        ErrorKind::InvalidRange(..) => "a range in brackets is the wrong way round",
        _ => "it is too large",
    })
}

/// A pattern for files by their path from a directory, with `/`. One without `/` matches a name in any directory; one
/// that matches a directory, everything below it.
#[derive(Clone)]
pub struct PathPattern {
    glob: GlobMatcher,
    /// It has no `/`, except at its end.
    anywhere: bool,
    /// It begins with `/`.
    rooted: bool,
}

impl PathPattern {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let bare = text.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
        if bare.is_empty() || bare == "." {
            return Err("it names no file");
        }
        let anywhere = !text.trim_end_matches('/').contains('/');
        Ok(Self { glob: glob(bare)?, anywhere, rooted: text.starts_with('/') })
    }

    /// Returns `true` if it matches a path, or a directory above it.
    pub fn matches(&self, path: &str) -> bool {
        self.matches_below(path, 0)
    }

    /// Returns `true` if it matches a path, or a directory above it that has more than this number of names.
    fn matches_below(&self, path: &str, names: usize) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.skip(names).map(|end| &path[..end]).any(|path| {
            let name = path.rsplit('/').next().unwrap_or(path);
            self.glob.is_match(if self.anywhere { name } else { path })
        })
    }
}

impl std::fmt::Debug for PathPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A word of a configuration could be a secret.
        f.write_str("PathPattern(..)")
    }
}

/// The patterns of an option.
#[derive(Clone, Debug, Default)]
pub struct PathPatterns {
    directory: PathBuf,
    patterns: Vec<PathPattern>,
}

impl PathPatterns {
    /// Parses patterns for paths from the working directory; elsewhere, from the directory that is searched.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the first invalid one.
    pub fn parse(texts: &[String], directory: &Path) -> Result<Self, &'static str> {
        let patterns = texts.iter().map(|text| PathPattern::parse(text)).collect::<Result<_, _>>()?;
        Ok(Self { directory: normalize(directory), patterns })
    }

    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Returns the numbers of the patterns that match a path below a directory that is searched, or a directory between
    /// them. The directory itself was named, so it is never matched.
    pub fn matching(&self, path: &Path, searched: &Path) -> Vec<usize> {
        if self.is_empty() {
            return Vec::new();
        }
        let [path, searched] = [path, searched].map(|path| normalize(&self.directory.join(path)));
        let base = if searched.starts_with(&self.directory) { &self.directory } else { &searched };
        let names = |path: &Path| path.components().filter(|part| !part.as_os_str().is_empty()).count();
        let below = slashed(path.strip_prefix(base).unwrap_or(&path));
        let depth = searched.strip_prefix(base).map_or(0, names);
        let absolute = slashed(&path);
        // The root is not a name.
        let (absolute, root) = (absolute.trim_start_matches('/'), names(&searched).saturating_sub(1));
        let matches = |pattern: &PathPattern| {
            pattern.matches_below(&below, depth) || pattern.rooted && pattern.matches_below(absolute, root)
        };
        let matching = self.patterns.iter().enumerate().filter(|(_, pattern)| matches(pattern));
        matching.map(|(number, _)| number).collect()
    }

    /// Returns `true` if a pattern matches.
    pub fn has(&self, path: &Path, searched: &Path) -> bool {
        !self.matching(path, searched).is_empty()
    }
}

fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// A pattern instead of a file's path. The part before its first special character is named.
#[derive(Clone)]
pub struct FilePattern {
    /// The directory that is named; empty for the working directory.
    pub directory: PathBuf,
    whole: GlobMatcher,
    /// The parts between the slashes, if they can be separated.
    parts: Vec<GlobMatcher>,
    /// The number of the first part that stands for any number of directories.
    any_depth: Option<usize>,
}

impl FilePattern {
    /// Parses a path with `*`, `?`, `[` or alternatives in braces. `None` for any other path.
    pub fn parse(path: &Path) -> Option<Self> {
        let text = path.to_str()?;
        let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
        let special = text.find(['*', '?', '[']).into_iter().chain(alternatives(&text)).min()?;
        let (directory, rest) = text.split_at(text[..special].rfind('/').map_or(0, |slash| slash + 1));
        let rest = rest.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>();
        let whole = glob(&rest.join("/")).ok()?;
        let parts = rest.iter().map(|part| glob(part)).collect::<Result<_, _>>().unwrap_or_default();
        let any_depth = rest.iter().position(|part| *part == "**");
        Some(Self { directory: directory.into(), whole, parts, any_depth })
    }

    /// Returns the number of names that a matching path has at most. `None` if there is no limit.
    pub fn depth(&self) -> Option<usize> {
        Some(self.parts.len()).filter(|&parts| parts > 0 && self.any_depth.is_none())
    }

    /// Returns `true` if files below a directory may match, by its name and the number of names before it.
    pub fn leads_on(&self, name: &str, before: usize) -> bool {
        let part = self.parts.get(before).filter(|_| self.any_depth.is_none_or(|any| before < any));
        part.is_none_or(|part| part.is_match(name))
    }

    /// Returns `true` if a path from the directory matches.
    pub fn matches(&self, path: &Path) -> bool {
        self.whole.is_match(slashed(path))
    }

    /// Returns `true` if the pattern says that a name begins with a dot. `*` matches no hidden file.
    pub fn names_hidden(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.glob().glob().starts_with('.') && part.is_match(name))
    }
}

/// Returns the place of the first alternatives in braces. A brace alone is part of a name, as in `${VERSION}`.
fn alternatives(text: &str) -> Option<usize> {
    text.match_indices('{').map(|(open, _)| open).find(|&open| {
        let inside = text[open + 1..].split('}').next().filter(|inside| inside.len() + open + 1 < text.len());
        inside.is_some_and(|inside| inside.contains(','))
    })
}

/// Normalises `.` and `..` without accessing the file system: names stay as they were given.
pub fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some_and(|name| name != "..") => drop(out.pop()),
            Component::ParentDir if out.has_root() => {}
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_names_paths_and_their_descendants() {
        for (pattern, path, expected) in [
            (".env", ".env", true),
            (".env", "deploy/.env", true),
            ("/.env", "deploy/.env", false),
            ("*.env", "a/b.env", true),
            ("vendor/", "vendor/x/.env", true),
            ("vendor", "a/vendor/x/.env", true),
            ("a/vendor", "a/vendor/x/.env", true),
            ("a/vendor", "b/a/vendor/x/.env", false),
            ("a/*", "a/b/c", true),
            ("a/*.env", "a/b/c.env", false),
            ("a/**/*.env", "a/b/c.env", true),
            ("a/**/*.env", "a/c.env", true),
            ("a/**", "a", false),
            ("a/**", "a/b/c", true),
            ("./a", "a/x", true),
            ("vendor", "vendored/x", false),
            ("{a,b}.env", "x/b.env", true),
            ("a{,b}", "ab/x", true),
            ("[!a]", "b", true),
        ] {
            assert_eq!(PathPattern::parse(pattern).unwrap().matches(path), expected, "{pattern} {path}");
        }
        for wrong in ["a[", "{a", "a}", "!a", "../a", "a\\*b", "", "/", "./", "[b-a]"] {
            assert!(PathPattern::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(format!("{:?}", PathPattern::parse("a")), "Ok(PathPattern(..))");
        assert!(
            PathPattern::parse(&"a".repeat(LONGEST)).is_ok() && PathPattern::parse(&"a".repeat(LONGEST + 1)).is_err()
        );
    }

    #[test]
    fn anchors_patterns_where_the_search_begins() {
        let matches = |pattern: &str, path: &str, searched: &str| {
            let patterns = PathPatterns::parse(&[pattern.to_owned()], Path::new("/top/here")).unwrap();
            patterns.has(Path::new(path), Path::new(searched))
        };
        for (pattern, path, searched, expected) in [
            ("a*", "a-data/x", "a-data", false),
            ("a*", "a-data/ax", "a-data", true),
            ("a*", "a-data/x", ".", true),
            ("a*", "/top/here/a-data/x", "a-data", false),
            ("a-data/x", "./a-data/x", "a-data", true),
            ("x", "b/../x", ".", true),
            ("here", "x", ".", false),
            // Elsewhere.
            ("/x", "/other/x/y", "/other", true),
            ("/other/x", "/other/x/y", "/other", true),
            ("/other", "/other/x", "/other", false),
            ("other/x", "/other/x", "/other", false),
            ("x", "../x/y", "../x", false),
            ("y", "../x/y", "../x", true),
            ("/top/here/a", "a/b", "a", false),
            ("/top/here/a/b", "a/b", "a", true),
            ("/top/x", "x", ".", false),
        ] {
            assert_eq!(matches(pattern, path, searched), expected, "{pattern} {path} in {searched}");
        }
    }

    #[test]
    fn recognises_patterns_in_place_of_files() {
        let directory = |path: &str| FilePattern::parse(Path::new(path)).map(|pattern| pattern.directory);
        for (path, expected) in [
            ("a/b/*.csv", Some("a/b/")),
            ("a/b{x,y}/c", Some("a/")),
            ("?", Some("")),
            ("/a/[b]", Some("/a/")),
            ("a", None),
            ("build/${VERSION}.apk", None),
            ("{a", None),
            ("{a}.csv", None),
            ("{}x,{a}", None),
            ("a[", None),
        ] {
            assert_eq!(directory(path), expected.map(PathBuf::from), "{path}");
        }
        let pattern = |path: &str| FilePattern::parse(Path::new(path)).unwrap();
        let two = pattern("a*/./b*.csv");
        assert!(two.depth() == Some(2) && two.leads_on("ab", 0) && !two.leads_on("b", 0) && two.leads_on("b.csv", 1));
        assert!(two.matches(Path::new("a/b.csv")) && !two.matches(Path::new("a/x/b.csv")));
        let deep = pattern("a*/**/c");
        assert!(deep.depth().is_none() && !deep.leads_on("b", 0) && deep.leads_on("x", 1) && deep.leads_on("x", 2));
        assert!(deep.matches(Path::new("a/c")) && deep.matches(Path::new("a/x/y/c")) && !deep.names_hidden(".x"));
        assert!(pattern("*/.x*").names_hidden(".xy") && !pattern("*/.x*").names_hidden(".git"));
        // Alternatives with slashes have no parts.
        let apart = pattern("{a/b,c}/*");
        assert!(apart.depth().is_none() && apart.leads_on("x", 0) && apart.matches(Path::new("a/b/x")));
    }
}
