//! The table of readers: what is judged, and what a finding weighs at most, by who reads the value. `docs/searching.md` has
//! the same.

use crate::config::ReadBy;
use crate::finding::Severity;

/// A row of the table.
struct Reader {
    by: ReadBy,
    #[cfg_attr(not(test), expect(dead_code, reason = "documentation for people; a test compares it"))]
    about: [&'static str; 3],
    heaviest: Severity,
}

const fn reader(by: ReadBy, about: [&'static str; 3], heaviest: Severity) -> Reader {
    Reader { by, about, heaviest }
}

/// Who reads it, an example, and what is judged.
const READERS: [Reader; 4] = [
    reader(ReadBy::Declared, ["credlint", "a profile of the configuration", "everything"], Severity::Error),
    reader(
        ReadBy::Program,
        [
            "a known program",
            "a section of `rclone.conf`, `slack_configs` of Alertmanager, `exec -- restic`",
            "what is wrong in itself, or with what belongs to it",
        ],
        Severity::Error,
    ),
    reader(ReadBy::Named, ["whoever reads a name", "`STRIPE_SECRET_KEY`, `slack.token`", "the same"], Severity::Error),
    reader(
        ReadBy::Unknown,
        [
            "nobody that is known",
            "another name of a secret, in a process, a dotenv file or a Secret",
            "what is around the value, and references",
        ],
        Severity::Error,
    ),
];

/// Returns how much a finding may weigh at most.
pub(super) fn heaviest(by: ReadBy) -> Severity {
    READERS.iter().find(|reader| reader.by == by).map_or(Severity::Warning, |reader| reader.heaviest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_table_is_that_of_the_code() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/searching.md")).unwrap();
        let row = |reader: &Reader| format!("| {} | {} |\n", reader.about.join(" | "), reader.heaviest.name());
        let table: String = READERS.iter().map(row).collect();
        assert!(page.contains(&table), "docs/searching.md has another table than:\n{table}");
        // What a rule looks at, it says by these readers.
        for by in ReadBy::EVERY {
            assert!(READERS.iter().filter(|reader| reader.by == *by).count() == 1, "{by:?}");
        }
    }
}
