//! Codes in documents: a stable word for each error.
//!
//! Decisions depend on these codes, never on messages. `docs/output.md`, `docs/uploading/codes.md` and
//! `docs/services/slack.md` explain each one; a test compares them.

use std::fmt;

// The type, written by `build.rs` from `codes.toml` and the service's refusals.
include!(concat!(env!("OUT_DIR"), "/codes.rs"));

impl Code {
    /// Returns the code for the messaging service's own error code. `None` if it is unknown.
    pub fn from_service(word: &str) -> Option<Self> {
        Self::SERVICE.iter().copied().find(|code| code.as_str() == word)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns the first column of every table whose first column is titled `code`.
    fn documented(page: &str) -> Vec<&str> {
        let (mut words, mut inside) = (Vec::new(), false);
        for line in page.lines() {
            inside = line.starts_with("| code |") || inside && line.starts_with('|');
            if inside {
                let first = line.trim_matches('|').split('|').next().unwrap();
                words.extend(first.split('`').skip(1).step_by(2));
            }
        }
        words
    }

    #[test]
    fn documents_exactly_the_codes_that_exist() {
        let words: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(words.len(), Code::ALL.len(), "a word stands for two codes");
        let pages = [
            include_str!("../docs/output.md"),
            include_str!("../docs/uploading/codes.md"),
            include_str!("../docs/services/slack.md"),
        ];
        let documented: BTreeSet<&str> = pages.into_iter().flat_map(documented).collect();
        assert_eq!(words.difference(&documented).collect::<Vec<_>>(), [&""; 0], "not documented");
        assert_eq!(documented.difference(&words).collect::<Vec<_>>(), [&""; 0], "no such code");
    }

    #[test]
    fn distinguishes_own_codes_from_the_services() {
        assert_eq!(Code::from_service("invalid_auth"), Some(Code::InvalidAuth));
        assert_eq!(Code::from_service("file-changed"), None);
        assert!(Code::SERVICE.iter().all(|code| !code.as_str().contains('-')));
    }
}
