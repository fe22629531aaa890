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

/// Returns its severity in a profile: of the configuration, in another program's file, or in the variables of a process.
/// `None` if it is not reported there.
pub fn severity_of(absence: Absence, profile: &Profile) -> Option<Severity> {
    let place = match profile.found.as_ref().map(|found| found.place) {
        None => 0,
        Some(Place::File | Place::Committed | Place::Example) => 1,
        Some(Place::Environment) => 2,
    };
    severities(absence)[place]
}

const fn severities(absence: Absence) -> [Option<Severity>; 3] {
    use Severity::{Error, Note};
    match absence {
        Absence::Missing => [Some(Error), Some(Error), Some(Note)],
        Absence::Empty => [Some(Error), None, None],
        Absence::Reference | Absence::Placeholder => [Some(Error), Some(Error), Some(Error)],
        Absence::MadeUp => [Some(Error), Some(Note), Some(Note)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_table_matches_code() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/searching.md")).unwrap();
        for (absence, name) in [
            (Absence::Missing, "another value that it needs"),
            (Absence::Empty, "an empty value under a known name"),
            (Absence::Reference, "a reference such as `${NAME}`"),
            (Absence::Placeholder, "a placeholder"),
            (Absence::MadeUp, "a made-up value such as `sk_test_dummy`"),
        ] {
            let row = page.lines().find_map(|line| line.strip_prefix(&format!("| {name} | "))).expect(name);
            let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
            assert_eq!(cells.len(), 3, "{row}");
            for (cell, severity) in cells.into_iter().zip(severities(absence)) {
                let first = cell.split([',', ';']).next().unwrap();
                match first {
                    "error" | "warning" | "note" => assert_eq!(severity.map(Severity::name), Some(first), "{row}"),
                    "as the rule says" => assert_eq!((absence, severity), (Absence::Missing, Some(Severity::Error))),
                    "nothing" => assert!(severity.is_none() || absence == Absence::Reference, "{row}"),
                    _ => assert_eq!(severity, None, "{row}"),
                }
            }
        }
    }
}
