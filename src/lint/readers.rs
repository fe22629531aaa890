//! The table of readers: which rules apply, and the maximum severity of a finding, by who reads the value.
//! `docs/searching.md` has the same table.

use crate::config::ReadBy;
use crate::finding::Severity;

/// A row of the table.
struct ReaderRow {
    by: ReadBy,
    #[cfg_attr(not(test), expect(dead_code, reason = "documentation for people; a test compares it"))]
    about: [&'static str; 3],
    severity_cap: Severity,
}

const fn row(by: ReadBy, about: [&'static str; 3], heaviest: Severity) -> ReaderRow {
    ReaderRow { by, about, severity_cap: heaviest }
}

/// The reader, an example, and what is checked.
const READERS: [ReaderRow; 4] = [
    row(ReadBy::Declared, ["credlint", "a profile of the configuration", "everything"], Severity::Error),
    row(
        ReadBy::Program,
        [
            "a known program",
            "a section of `rclone.conf`, `slack_configs` of Alertmanager, `exec -- restic`",
            "what is wrong in itself, or with what belongs to it",
        ],
        Severity::Error,
    ),
    row(ReadBy::Named, ["whoever reads a name", "`STRIPE_SECRET_KEY`, `slack.token`", "the same"], Severity::Error),
    row(
        ReadBy::Unknown,
        [
            "nobody that is known",
            "another name of a secret, in a process, a dotenv file or a Secret",
            "what is around the value, and references",
        ],
        Severity::Error,
    ),
];

/// Returns the maximum severity of a finding.
pub(super) fn severity_cap(by: ReadBy) -> Severity {
    READERS.iter().find(|reader| reader.by == by).map_or(Severity::Warning, |reader| reader.severity_cap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_table_matches_code() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/searching.md")).unwrap();
        let row = |reader: &ReaderRow| format!("| {} | {} |\n", reader.about.join(" | "), reader.severity_cap.name());
        let table: String = READERS.iter().map(row).collect();
        assert!(page.contains(&table), "docs/searching.md has another table than:\n{table}");
        // Rules declare what they check by these readers.
        for by in ReadBy::EVERY {
            assert!(READERS.iter().filter(|reader| reader.by == *by).count() == 1, "{by:?}");
        }
    }
}
