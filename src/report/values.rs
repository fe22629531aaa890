//! Lists values for people: `check -v`, `exec -v` and `profiles NAME`.

use super::place;
use crate::lint::inventory::{Inventoried, ValueState};
use crate::source::{SourceKind, Sources, Spot};
use crate::text::printable;

/// Returns rows in columns of the widths that they need.
pub fn columns<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let columns: Vec<(usize, usize)> = (0..COLUMNS).map(|column| (column, width(column))).collect();
    let columns = || columns.iter().filter(|(_, width)| *width > 0);
    let line = |row: &[String; COLUMNS]| {
        let cells = columns().map(|&(column, width)| format!("{:width$}", row[column]));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// Returns the name of a location: a place in a file, or a variable.
pub fn set_in(spot: Spot, sources: &Sources) -> String {
    let source = sources.get(spot.source);
    if source.kind == SourceKind::File { place::name(spot, sources) } else { source.name.clone() }
}

/// Returns where a value of a list was set.
pub fn place_of(one: &Inventoried, sources: &Sources) -> String {
    if one.variable { "environment".to_owned() } else { place::name(one.at, sources) }
}

/// The titles of a table of values.
const TITLES: [&str; 6] = ["NAME", "STATE", "WHAT", "TOGETHER WITH", "SET IN", "SHADOWS"];

/// Returns a table of values, empty for none.
pub fn table(values: &[Inventoried], sources: &Sources) -> String {
    let row = |one: &Inventoried| {
        let profile = one.profile.as_ref().map(|id| format!("{id}.")).unwrap_or_default();
        let parts: String = one.parts.iter().map(|(noun, word)| format!(", {noun} {word}")).collect();
        let shadows: Vec<String> = one.shadows.iter().map(|shadow| set_in(*shadow, sources)).collect();
        let what = one.what().map(|what| what.to_owned() + &parts).unwrap_or_default();
        let cells = [
            profile + &one.name,
            one.state.map(ValueState::name).unwrap_or_default().to_owned(),
            what,
            one.with.join(", "),
            place_of(one, sources),
            shadows.join(", "),
        ];
        cells.map(|cell| printable(&cell))
    };
    let mut rows: Vec<[String; TITLES.len()]> = values.iter().map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    // A column without cells goes with its title.
    let used = |column: usize| rows.iter().any(|row| !row[column].is_empty());
    let title = |column: usize| if used(column) { TITLES[column].to_owned() } else { String::new() };
    let titles = std::array::from_fn(title);
    rows.insert(0, titles);
    columns(&rows)
}
