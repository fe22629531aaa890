//! Patterns for paths in a configuration.

use glob::{MatchOptions, Pattern};

/// A pattern for files by their path from the root of the repository, with `/`. One without `/` matches a name in any
/// directory; one that matches a directory, everything below it.
#[derive(Clone)]
pub struct PathPattern {
    pattern: Pattern,
    anywhere: bool,
}

impl PathPattern {
    /// Parses a pattern. `None` if it is invalid.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bare = text.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
        let pattern = Pattern::new(bare).ok().filter(|_| !bare.is_empty())?;
        Some(Self { pattern, anywhere: !text.trim_end_matches('/').contains('/') })
    }

    /// Returns `true` if it matches a path, or a directory above it.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        const OPTIONS: MatchOptions =
            MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.map(|end| &path[..end]).any(|path| {
            let name = path.rsplit('/').next().unwrap_or(path);
            self.pattern.matches_with(if self.anywhere { name } else { path }, OPTIONS)
        })
    }
}

impl std::fmt::Debug for PathPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A word of a configuration could be a secret.
        f.write_str("PathPattern(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_names_paths_and_directories() {
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
            ("./a", "a/x", true),
            ("vendor", "vendored/x", false),
        ] {
            assert_eq!(PathPattern::parse(pattern).unwrap().matches(path), expected, "{pattern} {path}");
        }
        assert!(PathPattern::parse("a[").is_none() && PathPattern::parse("/").is_none());
        assert_eq!(format!("{:?}", PathPattern::parse("a")), "Some(PathPattern(..))");
    }
}
