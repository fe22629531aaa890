//! Extracts the lines of a source that a diagnostic shows. Long lines are cut around their labels, so that the cost is
//! independent of the file's size and a file of one line stays readable.

use std::collections::BTreeSet;

use crate::text::{Masked, Span};

/// The maximum line length shown whole on a wide terminal, in bytes. Such a line wraps at most once.
const LONG: usize = 240;
/// The number of columns that makes a terminal wide.
const WIDE: usize = 100;
/// The minimum number of columns for a drawing.
pub(super) const NARROW: usize = 40;
/// The columns before a line: its number and a frame.
const GUTTER: usize = 6;
/// The context kept around a label in a long line, in bytes.
const AROUND: usize = 48;
/// The maximum number of lines shown for one label.
const LINES: usize = 8;

/// Lines of a masked copy.
pub(super) struct Excerpt {
    text: String,
    /// The offset of each line, with its zero-based line number in the source.
    lines: Vec<(usize, usize)>,
    /// The parts that were copied: their range in the source, and their offset here.
    parts: Vec<(Span, usize)>,
    /// The maximum line length shown whole, in bytes.
    long: usize,
    /// The mark that replaces cut text.
    cut: &'static str,
}

/// Returns the columns available for a source line.
pub(super) fn columns_for_source(width: usize) -> usize {
    width.max(NARROW) - GUTTER
}

impl Excerpt {
    /// Extracts the lines around these ranges.
    pub(super) fn new(masked: &Masked, spans: &[Span], width: usize, unicode: bool) -> Self {
        let long = if width < WIDE { columns_for_source(width) } else { LONG };
        let cut = if unicode { "…" } else { "..." };
        let mut excerpt = Self { text: String::new(), lines: Vec::new(), parts: Vec::new(), long, cut };
        let mut wanted: BTreeSet<usize> = BTreeSet::new();
        for &span in spans {
            let window = masked.window(span, 1, 1);
            wanted.extend(window.line..window.line + window.count.min(LINES));
        }
        for line in wanted {
            if !excerpt.lines.is_empty() {
                excerpt.text.push('\n');
            }
            excerpt.lines.push((excerpt.text.len(), line));
            excerpt.line(masked, masked.line(line), spans);
        }
        excerpt
    }

    fn line(&mut self, masked: &Masked, line: Span, spans: &[Span]) {
        if line.end - line.start <= self.long {
            return self.add_part(masked, line);
        }
        let text = masked.as_str();
        let mut at = line.start;
        let mut kept: Vec<Span> = Vec::new();
        let mut here: Vec<Span> =
            spans.iter().copied().filter(|span| (line.start..=line.end).contains(&span.start)).collect();
        here.sort_unstable();
        // The share of each label, including the marks before and after it.
        let share = (self.long / here.len().max(1)).saturating_sub(2 * self.cut.chars().count()).max(1);
        for span in here {
            let width = (span.end - span.start).min(share);
            let start = span.start.saturating_sub(AROUND.min((share - width) / 2)).max(line.start);
            let end = (span.start + width + AROUND).min(start + share).min(line.end);
            let (start, end) = (boundary(text, start), boundary(text, end));
            match kept.last_mut() {
                Some(last) if last.end >= start => last.end = last.end.max(end),
                _ => kept.push(Span { start, end }),
            }
        }
        if kept.is_empty() {
            let end = line.start + self.long.saturating_sub(self.cut.chars().count());
            kept.push(Span { start: line.start, end: boundary(text, end) });
        }
        for span in kept {
            if span.start > at {
                self.text.push_str(self.cut);
            }
            self.add_part(masked, span);
            at = span.end;
        }
        if at < line.end {
            self.text.push_str(self.cut);
        }
    }

    fn add_part(&mut self, masked: &Masked, span: Span) {
        self.parts.push((span, self.text.len()));
        self.text.push_str(&masked.as_str()[span.start..span.end]);
    }

    /// Returns the extracted text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Maps a range of the copy to this text. A range that was cut ends with its part.
    pub(super) fn map(&self, span: Span) -> Span {
        let number = self.parts.partition_point(|(part, _)| part.start <= span.start).saturating_sub(1);
        let Some(&(part, at)) = self.parts.get(number) else { return Span::default() };
        let start = at + span.start.min(part.end).saturating_sub(part.start);
        let end = self.parts.iter().rev().find(|(part, _)| part.start < span.end);
        let end = end.map_or(start, |&(part, at)| at + span.end.min(part.end) - part.start);
        Span { start, end: end.max(start) }
    }

    /// Returns the lines around a range, as far as they are adjacent in the source: their bytes, the first line's
    /// number, and the line count.
    pub(super) fn window(&self, span: Span, before: usize, after: usize) -> (Span, usize, usize) {
        let index = |offset| self.lines.partition_point(|&(start, _)| start <= offset).saturating_sub(1);
        let (mut first, mut last) = (index(span.start), index(span.end.max(span.start + 1) - 1));
        let follows = |line: usize| self.lines[line].1 == self.lines[line - 1].1 + 1;
        for _ in 0..before {
            if first > 0 && follows(first) {
                first -= 1;
            }
        }
        for _ in 0..after {
            if last + 1 < self.lines.len() && follows(last + 1) {
                last += 1;
            }
        }
        let end = self.lines.get(last + 1).map_or(self.text.len(), |&(start, _)| start);
        let (start, line) = self.lines.get(first).copied().unwrap_or_default();
        (Span { start, end }, line, last + 1 - first)
    }
}

/// Returns the nearest character boundary at or before this byte.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn masked(text: &str) -> Masked {
        Masked::new(text, &[Span { start: 0, end: text.len() }], &[], &HashSet::new())
    }

    #[test]
    fn cuts_long_lines_around_labels() {
        let text =
            format!("{{{}\"key\": 1, {}\"other\": 2}}", "\"ä\": 0, ".repeat(20_000), "\"b\": 0, ".repeat(20_000));
        let masked = masked(&text);
        let at = |word: &str| {
            let start = text.find(word).unwrap();
            Span { start, end: start + word.len() }
        };
        let (key, other) = (at("\"key\""), at("\"other\""));
        let excerpt = Excerpt::new(&masked, &[key, other], 100, true);
        assert!(excerpt.text().len() < 500, "{}", excerpt.text().len());
        assert!(excerpt.text().starts_with('…') && excerpt.text().matches('…').count() == 2, "{}", excerpt.text());
        for (span, word) in [(key, "\"key\""), (other, "\"other\"")] {
            let here = excerpt.map(span);
            assert_eq!(&excerpt.text()[here.start..here.end], word);
        }
    }

    #[test]
    fn line_fits_narrow_terminal() {
        let text = "before = \"a line that is longer than the terminal is wide\"\nchannels = [\"C0123456789\", \"C9876543210\", \"C0123456789\"]";
        let masked = masked(text);
        let whole = |word: &str| Span { start: text.find(word).unwrap(), end: text.find(word).unwrap() + word.len() };
        let (first, last) = (whole("\"C0123456789\""), Span { start: 102, end: 115 });
        for (spans, unicode, shown) in [
            (
                vec![whole("channels")],
                true,
                "before = \"a line that is longer t…\nchannels = [\"C0123456789\", \"C987…",
            ),
            (vec![whole("channels")], false, "before = \"a line that is longer...\nchannels = [\"C0123456789\", \"..."),
            (vec![first, last], true, "before = \"a line that is longer t…\n…[\"C0123456789\",…\"C0123456789\"]"),
            (
                vec![whole(text.lines().next().unwrap())],
                true,
                "before = \"a line that is longer …\nchannels = [\"C0123456789\", \"C9876…",
            ),
        ] {
            let excerpt = Excerpt::new(&masked, &spans, 40, unicode);
            assert_eq!(excerpt.text(), shown);
            assert!(excerpt.text().lines().all(|line| line.chars().count() <= 34), "{shown}");
            for span in spans {
                let here = excerpt.map(span);
                let shown = &excerpt.text()[here.start..here.end];
                assert!(text[span.start..span.end].starts_with(shown), "{shown}");
            }
        }
    }

    #[test]
    fn keeps_line_numbers_and_gaps() {
        let text = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let masked = masked(text);
        let (b, g) = (Span { start: 2, end: 3 }, Span { start: 12, end: 13 });
        let excerpt = Excerpt::new(&masked, &[b, g], 100, true);
        assert_eq!(excerpt.text(), "a\nb\nc\nf\ng\nh");
        let (lines, first, count) = excerpt.window(excerpt.map(g), 1, 1);
        assert_eq!((&excerpt.text()[lines.start..lines.end], first, count), ("f\ng\nh", 5, 3));
        let (lines, first, count) = excerpt.window(excerpt.map(b), 2, 5);
        assert_eq!((&excerpt.text()[lines.start..lines.end], first, count), ("a\nb\nc\n", 0, 3));
    }
}
