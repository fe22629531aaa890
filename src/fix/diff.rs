//! What changes, line by line: compared as it is, shown as masked.

use similar::{Algorithm, DiffTag};

/// Lines around a change that are shown with it.
const AROUND: usize = 2;

/// One line of a change.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DiffLine {
    /// What becomes of it.
    pub sign: Sign,
    /// The masked line, or for [`Sign::At`] its number.
    pub text: String,
}

/// What becomes of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Sign {
    /// Here begins another part of the file.
    At,
    /// It stays.
    Same,
    /// It was there.
    Old,
    /// It will be there.
    New,
}

/// Each text comes with its masked copy, which has as many lines.
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
    fn lines_are_compared_as_they_are_and_shown_as_masked() {
        let diff = lines(["1\n2\n3\na\nb\n4\n", "1\n2\n3\n*\n*\n4\n"], ["1\n2\n3\nc\n4\n", "1\n2\n3\n*\n4\n"]);
        let text: Vec<String> = diff.iter().map(|line| format!("{:?} {}", line.sign, line.text)).collect();
        assert_eq!(text, ["At 2", "Same 2", "Same 3", "Old *", "Old *", "New *", "Same 4"]);
        assert_eq!(lines(["a\n", "a\n"], ["a\n", "a\n"]), []);
        assert_eq!(lines(["a\n", "a\n"], ["", ""]).len(), 2);
    }
}
