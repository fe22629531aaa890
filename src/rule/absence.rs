//! The table of missing values and stand-ins, with their severity in each place. `docs/searching.md` has the same
//! table.

use crate::config::{Place, Profile};
use crate::finding::Severity;

/// What is found instead of a credential.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absence {
    /// The other field of a pair, or another required value, is missing.
    Missing,
    /// A known name with an empty value.
    Empty,
    /// A reference that somebody has to expand.
    Reference,
    /// A placeholder.
    Placeholder,
    /// A made-up test value: `sk_test_dummy`.
    MadeUp,
}

/// A row of the table: its name, and the text and severity for each place.
struct Row {
    absence: Absence,
    #[cfg_attr(not(test), expect(dead_code, reason = "documentation for people; a test compares it"))]
    about: [&'static str; 4],
    /// In a profile of the configuration, in another program's file, and in the variables of a process.
    severities: [Option<Severity>; 3],
}

const TABLE: [Row; 5] = [
    Row {
        absence: Absence::Missing,
        about: [
            "another value that it needs", "as the rule says", "error, only if the program needs both in one place",
            "note, only if the other variable is empty",
        ],
        severities: [Some(Severity::Error), Some(Severity::Error), Some(Severity::Note)],
    },
    Row {
        absence: Absence::Empty,
        about: ["an empty value under a known name", "error", "nothing", "the inventory; an error with `--require`"],
        severities: [Some(Severity::Error), None, None],
    },
    Row {
        absence: Absence::Reference,
        about: ["a reference such as `${NAME}`", "error", "nothing, unless its reader takes it as it is", "error"],
        severities: [Some(Severity::Error), Some(Severity::Error), Some(Severity::Error)],
    },
    Row {
        absence: Absence::Placeholder,
        about: [
            "a placeholder",
            "error",
            "error; a note in a file with nothing else; nothing in an example, or under a name that compatible servers share",
            "error; nothing beside a local host, or under such a name",
        ],
        severities: [Some(Severity::Error), Some(Severity::Error), Some(Severity::Error)],
    },
    Row {
        absence: Absence::MadeUp,
        about: ["a made-up value such as `sk_test_dummy`", "error; nothing at another server", "note", "note"],
        severities: [Some(Severity::Error), Some(Severity::Note), Some(Severity::Note)],
    },
];

/// Returns its severity in a profile. `None` if it is not reported there.
pub fn severity_of(absence: Absence, profile: &Profile) -> Option<Severity> {
    let place = match profile.found.as_ref().map(|found| found.place) {
        None => 0,
        Some(Place::File | Place::Example | Place::Blank) => 1,
        Some(Place::Environment) => 2,
    };
    TABLE.iter().find(|row| row.absence == absence).and_then(|row| row.severities[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_table_matches_code() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/searching.md")).unwrap();
        let table: String = TABLE.iter().map(|row| format!("| {} |\n", row.about.join(" | "))).collect();
        assert!(page.contains(&table), "docs/searching.md has another table than:\n{table}");
        for row in &TABLE {
            for (about, weight) in row.about[1..].iter().zip(row.severities) {
                let first = about.split([',', ';']).next().unwrap();
                let said = ["error", "warning", "note"].contains(&first).then_some(first);
                let weight = weight.map(Severity::name);
                assert!(said.is_none() || said == weight, "{:?}: {about} is {weight:?}", row.absence);
            }
        }
    }
}
