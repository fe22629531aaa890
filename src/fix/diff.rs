//! Compares the raw texts line by line, and shows the masked ones.

use similar::{Algorithm, DiffTag};

/// The number of context lines.
const AROUND: usize = 2;

/// One line of a change.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DiffLine {
    /// What happens to the line.
    pub sign: Sign,
    /// The masked line, or the line number for [`Sign::At`].
    pub text: String,
}

/// What happens to a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Sign {
    /// The start of another part of the file.
    At,
    /// The line is kept.
    Same,
    /// The line is removed.
    Old,
    /// The line is added.
    New,
}

/// Returns the diff. Each text comes with its masked copy, which has the same number of lines.
pub(super) fn lines([old, old_shown]: [&str; 2], [new, new_shown]: [&str; 2]) -> Vec<DiffLine> {
    let split = |text| str::split_inclusive(text, '\n').collect::<Vec<&str>>();
    let [old, new] = [old, new].map(split);
    let [old_shown, new_shown] = [old_shown, new_shown].map(|text| text.lines().collect::<Vec<&str>>());
    let changes = similar::capture_diff_slices(Algorithm::Myers, &old, &new);
    let mut out = Vec::new();
    for part in similar::group_diff_ops(changes, AROUND) {
        let first = part.first().map_or(0, |change| change.old_range().start);
        out.push(DiffLine { sign: Sign::At, text: (first + 1).to_string() });
        for change in part {
            let mut add = |sign, shown: &[&str], lines: std::ops::Range<usize>| {
                let text = |line: usize| shown.get(line).copied().unwrap_or_default().to_owned();
                out.extend(lines.map(|line| DiffLine { sign, text: text(line) }));
            };
            if change.tag() == DiffTag::Equal {
                add(Sign::Same, &old_shown, change.old_range());
            } else {
                add(Sign::Old, &old_shown, change.old_range());
                add(Sign::New, &new_shown, change.new_range());
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_compared_raw_and_shown_masked() {
        let diff = lines(["1\n2\n3\na\nb\n4\n", "1\n2\n3\n*\n*\n4\n"], ["1\n2\n3\nc\n4\n", "1\n2\n3\n*\n4\n"]);
        let text: Vec<String> = diff.iter().map(|line| format!("{:?} {}", line.sign, line.text)).collect();
        assert_eq!(text, ["At 2", "Same 2", "Same 3", "Old *", "Old *", "New *", "Same 4"]);
        assert_eq!(lines(["a\n", "a\n"], ["a\n", "a\n"]), []);
        assert_eq!(lines(["a\n", "a\n"], ["", ""]).len(), 2);
    }
}
