//! Byte ranges, lines and columns.

/// A range of bytes in a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

/// A position as editors show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The offset in bytes, from 0.
    pub offset: usize,
}

/// Converts byte offsets to lines and columns without the text.
#[derive(Clone, Debug, Default)]
pub struct LineIndex {
    /// The start of each line.
    starts: Vec<usize>,
    /// For each multi-byte character: its end, and the number of surplus bytes up to there.
    wide: Vec<(usize, usize)>,
}

impl LineIndex {
    /// Builds the index of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut index = Self { starts: vec![0], wide: Vec::new() };
        let mut extra = 0;
        for (offset, c) in text.char_indices() {
            if c == '\n' {
                index.starts.push(offset + 1);
            } else if !c.is_ascii() {
                // Editors don't count a byte order mark as a column.
                extra += if offset == 0 && c == '\u{feff}' { c.len_utf8() } else { c.len_utf8() - 1 };
                index.wide.push((offset + c.len_utf8(), extra));
            }
        }
        index
    }

    /// Returns the position of a byte.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let column = (offset - start) - (self.extra(offset) - self.extra(start)) + 1;
        Position { line, column, offset }
    }

    fn extra(&self, offset: usize) -> usize {
        let before = self.wide.partition_point(|&(end, _)| end <= offset);
        before.checked_sub(1).map_or(0, |last| self.wide[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let index = LineIndex::new("\u{feff}é = x\nab日本c\n");
        assert_eq!(index.position(3), Position { line: 1, column: 1, offset: 3 });
        assert_eq!(index.position(5), Position { line: 1, column: 2, offset: 5 });
        let second = "\u{feff}é = x\n".len();
        assert_eq!(index.position(second + 8), Position { line: 2, column: 5, offset: second + 8 });
        assert_eq!(LineIndex::new("").position(0).line, 1);
    }

    #[test]
    fn every_byte_has_a_position() {
        let text = "aé\n\nb\u{feff}c\n";
        let index = LineIndex::new(text);
        let places =
            [(0, 1, 1), (1, 1, 2), (3, 1, 3), (4, 2, 1), (5, 3, 1), (6, 3, 2), (9, 3, 3), (10, 3, 4), (11, 4, 1)];
        for (offset, line, column) in places {
            assert_eq!(index.position(offset), Position { line, column, offset }, "{offset}");
        }
        // The mark has no width at the start of a text, but is a character elsewhere.
        assert_eq!(LineIndex::new("\u{feff}a").position(3).column, 1);
        assert_eq!(LineIndex::new("é").position(2).column, 2);
        assert_eq!(LineIndex::default().position(0), Position { line: 1, column: 1, offset: 0 });
        assert_eq!(Span::from(3..7), Span { start: 3, end: 7 });
    }
}
