//! What changes, line by line: compared as it is, shown as masked.

/// Lines around a change that are shown with it.
const AROUND: usize = 2;
/// How far to look for where two texts meet again.
const WINDOW: usize = 64;

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
    let mut steps: Vec<(Sign, usize)> = Vec::new();
    let (mut at, mut to) = (0, 0);
    while at < old.len() || to < new.len() {
        let (gone, come) = gap(&old[at..], &new[to..]);
        steps.extend((at..at + gone).map(|line| (Sign::Old, line)));
        steps.extend((to..to + come).map(|line| (Sign::New, line)));
        (at, to) = (at + gone, to + come);
        if at < old.len() && to < new.len() {
            steps.push((Sign::Same, at));
            (at, to) = (at + 1, to + 1);
        }
    }
    let changed: Vec<bool> = steps.iter().map(|(sign, _)| *sign != Sign::Same).collect();
    let near = |step: usize| changed[step.saturating_sub(AROUND)..changed.len().min(step + AROUND + 1)].contains(&true);
    let mut out = Vec::new();
    let mut before = false;
    for (step, &(sign, line)) in steps.iter().enumerate() {
        let shown = near(step);
        if shown && !before {
            out.push(DiffLine { sign: Sign::At, text: (line + 1).to_string() });
        }
        before = shown;
        if shown {
            let source = if sign == Sign::New { &new_shown } else { &old_shown };
            out.push(DiffLine { sign, text: source.get(line).copied().unwrap_or_default().to_owned() });
        }
    }
    out
}

/// How many lines go and come before two texts agree again.
fn gap(old: &[&str], new: &[&str]) -> (usize, usize) {
    for both in 0..=2 * WINDOW {
        // As many of the one as of the other first: most fixes change a line in its place.
        let mut splits: Vec<usize> = (0..=both).collect();
        splits.sort_by_key(|&gone| gone.abs_diff(both - gone));
        for gone in splits {
            let come = both - gone;
            if old.get(gone).is_some_and(|line| new.get(come) == Some(line)) || (gone == old.len() && come == new.len())
            {
                return (gone, come);
            }
        }
    }
    (old.len(), new.len())
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
