//! The masked copy of a source.

use std::collections::HashSet;

use super::mask::MASK;
use super::span::Span;

/// The masked copy of a source. Everything that is not known to be public is replaced by a mask of fixed width. Line
/// breaks stay, so line numbers don't change.
#[derive(Clone, Debug, Default)]
pub struct Masked {
    text: String,
    /// Replaced ranges of the original, with their ranges in the copy.
    replacements: Vec<(Span, Span)>,
    /// The start of each line in the copy.
    lines: Vec<usize>,
    /// The comments of the original, and whether each stands alone on its line.
    comments: Vec<(Span, bool)>,
}

/// Complete lines of a masked copy.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The range of bytes.
    pub span: Span,
    /// The zero-based number of the first line.
    pub line: usize,
    /// The number of lines.
    pub count: usize,
}

impl Masked {
    /// Copies `text`. Ranges in `shown` are copied, and ranges in `values` are masked; both are sorted and don't
    /// overlap. Elsewhere, whitespace, structural punctuation and the given `words` are copied (a table's name may
    /// occur in many headers). Any other character masks the rest of its line up to the next range; so does a comment.
    #[must_use]
    pub fn new(text: &str, shown: &[Span], values: &[Span], words: &HashSet<&str>) -> Self {
        let mut masked = Self::default();
        let (mut shown, mut values) = (shown.iter().peekable(), values.iter().peekable());
        let mut at = 0;
        loop {
            let next = match (shown.peek(), values.peek()) {
                (Some(&&show), Some(&&hide)) => Some((show.min(hide), show < hide)),
                (Some(&&show), None) => Some((show, true)),
                (None, Some(&&hide)) => Some((hide, false)),
                (None, None) => None,
            };
            let Some((span, open)) = next else { break };
            if open {
                shown.next()
            } else {
                values.next()
            };
            if span.start < at {
                continue;
            }
            masked.copy_gap(text, Span { start: at, end: span.start }, words);
            if open {
                masked.text.push_str(&text[span.start..span.end]);
            } else {
                masked.mask_value(text, span);
            }
            at = span.end;
        }
        masked.copy_gap(text, Span { start: at, end: text.len() }, words);
        masked.finish()
    }

    /// Masks the whole text.
    #[must_use]
    pub fn all(text: &str) -> Self {
        let (mut masked, mut at) = (Self::default(), 0);
        for line in text.split_inclusive('\n') {
            let end = at + line.trim_end_matches(['\n', '\r']).len();
            masked.replace(Span { start: at, end }, MASK);
            masked.replace(Span { start: end, end: at + line.len() }, if line.ends_with('\n') { "\n" } else { "" });
            at += line.len();
        }
        masked.finish()
    }

    /// Returns the printable text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn finish(mut self) -> Self {
        // Reports keep it until the program ends.
        self.text.shrink_to_fit();
        self.replacements.shrink_to_fit();
        self.lines = std::iter::once(0).chain(self.text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        self
    }

    /// Returns a zero-based line of the copy, without its line break.
    pub fn line(&self, number: usize) -> Span {
        let start = self.lines.get(number).copied().unwrap_or(self.text.len());
        let end = self.lines.get(number + 1).map_or(self.text.len(), |next| next - 1);
        Span { start, end }
    }

    /// Returns the lines around a range of the copy, without scanning the rest.
    pub fn window(&self, span: Span, before: usize, after: usize) -> Window {
        let line_of = |offset| self.lines.partition_point(|&start| start <= offset).saturating_sub(1);
        let first = line_of(span.start).saturating_sub(before);
        let last = line_of(span.end.max(span.start + 1) - 1).max(line_of(span.start)) + after;
        let start = self.lines.get(first).copied().unwrap_or(0);
        let end = self.lines.get(last + 1).map_or(self.text.len(), |&next| next);
        let count = (last + 1).min(self.lines.len()) - first;
        Window { span: Span { start, end }, line: first, count }
    }

    /// Returns the comments of the original, and whether each stands alone on its line.
    pub fn comments(&self) -> &[(Span, bool)] {
        &self.comments
    }

    /// Maps a range of the original to the copy.
    pub fn map(&self, span: Span) -> Span {
        let start = self.offset(span.start, false);
        Span { start, end: self.offset(span.end, true).max(start) }
    }

    fn offset(&self, offset: usize, end: bool) -> usize {
        // The last replaced range that starts before the offset, or at it for the start of a span.
        let before =
            self.replacements.partition_point(|(from, _)| if end { from.start < offset } else { from.start <= offset });
        let Some(&(from, to)) = before.checked_sub(1).and_then(|last| self.replacements.get(last)) else {
            return offset;
        };
        if offset >= from.end {
            to.end + (offset - from.end)
        } else if end {
            to.end
        } else {
            to.start
        }
    }

    fn replace(&mut self, from: Span, with: &str) {
        if from.start == from.end {
            return;
        }
        let start = self.text.len();
        self.text.push_str(with);
        self.replacements.push((from, Span { start, end: self.text.len() }));
    }

    fn mask_value(&mut self, text: &str, span: Span) {
        let raw = &text[span.start..span.end];
        let quote = raw.chars().next().filter(|c| raw.len() > 1 && (*c == '"' || *c == '\'') && raw.ends_with(*c));
        if raw.len() == 2 && quote.is_some() {
            // Reports say that the value is empty, so there is nothing to hide.
            return self.replace(span, raw);
        }
        let mut with = String::with_capacity(MASK.len() + 2);
        with.extend(quote);
        with.push_str(MASK);
        with.extend(quote);
        with.extend(raw.chars().filter(|&c| c == '\n'));
        self.replace(span, &with);
    }

    fn copy_gap(&mut self, text: &str, span: Span, words: &HashSet<&str>) {
        let mut at = span.start;
        for line in text[span.start..span.end].split_inclusive('\n') {
            let body = line.trim_end_matches(['\n', '\r']);
            let plain = plain_prefix(body, words);
            self.text.push_str(&body[..plain]);
            if let Some(comment) = body[plain..].strip_prefix('#') {
                self.text.push('#');
                let alone = body[..plain].trim().is_empty() && text[..at].chars().next_back().is_none_or(|c| c == '\n');
                self.comments.push((Span { start: at + plain, end: at + body.len() }, alone));
                let start = at + plain + 1;
                let with = if comment.is_empty() { "" } else { " ********" };
                self.replace(Span { start, end: at + body.len() }, with);
            } else {
                self.replace(Span { start: at + plain, end: at + body.len() }, MASK);
            }
            let break_at = at + body.len();
            if line.ends_with("\r\n") || line.ends_with('\r') {
                self.replace(
                    Span { start: break_at, end: at + line.len() },
                    if line.ends_with('\n') { "\n" } else { "" },
                );
            } else {
                self.text.push_str(&line[body.len()..]);
            }
            at += line.len();
        }
    }
}

/// Returns the length of the line's prefix that has only whitespace, punctuation and `words`.
fn plain_prefix(line: &str, words: &HashSet<&str>) -> usize {
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        if " \t[]{}=:,.\"'-<>|*&!".contains(c) {
            at += 1;
            continue;
        }
        let word = line[at..].find(|c: char| !(c.is_alphanumeric() || "_-".contains(c))).unwrap_or(line.len() - at);
        if word == 0 || !words.contains(&line[at..at + word]) {
            break;
        }
        at += word;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_lines_keys_and_structure() {
        let text = "# old: xoxb-1\r\ntoken = \"s3\\ncret\" # why\nlong = '''a\nb\n'''\nodd text\n";
        let key = text.find("token").unwrap();
        let value = text.find("\"s3").unwrap();
        let long = text.find("long").unwrap();
        let block = text.find("'''a").unwrap();
        let shown = [Span { start: key, end: key + 5 }, Span { start: long, end: long + 4 }];
        let values = [Span { start: value, end: value + 10 }, Span { start: block, end: block + 10 }];
        let masked = Masked::new(text, &shown, &values, &HashSet::new());
        assert_eq!(masked.as_str(), "# ********\ntoken = \"********\" # ********\nlong = '********'\n\n\n********\n");
        assert_eq!(masked.as_str().lines().count(), text.lines().count());
        for span in shown {
            let there = masked.map(span);
            assert_eq!(&masked.as_str()[there.start..there.end], &text[span.start..span.end]);
        }
        let window = masked.window(masked.map(shown[0]), 1, 0);
        assert_eq!((window.line, window.count), (0, 2));
        assert_eq!(
            &masked.as_str()[window.span.start..window.span.end],
            "# ********\ntoken = \"********\" # ********\n"
        );
        let there = masked.map(values[0]);
        assert_eq!(&masked.as_str()[there.start..there.end], "\"********\"");
    }

    #[test]
    fn masks_unparsed_text_completely() {
        let masked = Masked::all("tok\r\n\nsecret");
        assert_eq!(masked.as_str(), "********\n\n********");
        assert_eq!(masked.map(Span { start: 6, end: 12 }), Span { start: 10, end: 18 });
    }

    fn span(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// Masks a text in which only some words are public.
    fn copy(text: &str, words: &[&'static str]) -> String {
        Masked::new(text, &[], &[], &words.iter().copied().collect()).as_str().to_owned()
    }

    #[test]
    fn masks_unknown_text() {
        for (text, shown) in [
            ("", ""),
            ("\n", "\n"),
            ("[{}]=:,.\"'-<>|*&!\t \n", "[{}]=:,.\"'-<>|*&!\t \n"),
            ("abc\n", "********\n"),
            ("[abc]\n", "[********\n"),
            ("[a-b.c_d]", "[a-b.c_d]"),
            ("[a-b.c_d1]", "[a-b.********"),
            ("[a-bc]", "[********"),
            ("a-b é", "a-b ********"),
            ("a-b#x", "a-b#********"),
            ("#", "#"),
            ("#\nx", "#\n********"),
            ("# x\r\ny\r\n", "# ********\n********\n"),
            ("\r\n", "\n"),
            ("x\r", "********"),
            (" \r\n[ ]\r", " \n[ ]"),
            ("a\u{1b}b", "********"),
        ] {
            // The copy adds a space between a comment's mark and the mask.
            let shown = shown.replace("#********", "# ********");
            assert_eq!(copy(text, &["a-b", "c_d"]), shown, "{text:?}");
        }
    }

    #[test]
    fn masks_values_with_fixed_width() {
        for (text, from, to, shown) in [
            ("a = x", 4, 5, "= ********"),
            ("a = 'x'", 4, 7, "= '********'"),
            ("a = \"x\"", 4, 7, "= \"********\""),
            ("a = \"x'", 4, 7, "= ********"),
            ("a = '", 4, 5, "= ********"),
            ("a = ''", 4, 6, "= ''"),
            ("a = |x\ny\n", 4, 9, "= ********\n\n"),
            ("a = `x`", 4, 7, "= ********"),
        ] {
            let masked = Masked::new(text, &[span(0, 1)], &[span(from, to)], &HashSet::new());
            assert_eq!(masked.as_str(), format!("a {shown}"), "{text:?}");
            let there = masked.map(span(from, to));
            assert_eq!(&masked.as_str()[there.start..there.end], &shown[2..], "{text:?}");
            assert_eq!(masked.map(span(0, 1)), span(0, 1));
        }
    }

    #[test]
    fn overlapping_ranges_never_unmask() {
        let text = "abcdef";
        let masked =
            |shown: &[Span], values: &[Span]| Masked::new(text, shown, values, &HashSet::new()).as_str().to_owned();
        assert_eq!(masked(&[span(0, 3)], &[span(3, 6)]), "abc********");
        assert_eq!(masked(&[span(3, 6)], &[span(0, 3)]), "********def");
        assert_eq!(masked(&[span(2, 4)], &[span(0, 3)]), "****************");
        assert_eq!(masked(&[span(0, 2), span(4, 6)], &[span(2, 4)]), "ab********ef");
        assert_eq!(masked(&[span(0, 6)], &[span(0, 6)]), "********", "of two at one place the value wins");
        assert_eq!(masked(&[], &[span(0, 2), span(1, 3)]), "****************");
    }

    #[test]
    fn finds_comments_and_whether_they_are_alone() {
        let text = "# a\n  # b\nk # c\n- # d\n\"#\" # e\n";
        let key = text.find('k').unwrap();
        let value = text.find("\"#").unwrap();
        let masked = Masked::new(text, &[span(key, key + 1)], &[span(value, value + 3)], &HashSet::new());
        let found: Vec<_> = masked.comments().iter().map(|(at, alone)| (&text[at.start..at.end], *alone)).collect();
        assert_eq!(found, [("# a", true), ("# b", true), ("# c", false), ("# d", false), ("# e", false)]);
    }

    #[test]
    fn maps_ranges_to_copy() {
        // The key, the operator and the value: `a = ******** #…`.
        let masked = Masked::new("a = xyz # q\nb", &[span(0, 1), span(12, 13)], &[span(4, 7)], &HashSet::new());
        assert_eq!(masked.as_str(), "a = ******** # ********\nb");
        for (from, to) in [
            ((0, 1), (0, 1)),
            ((4, 7), (4, 12)),
            ((4, 5), (4, 12)),
            ((5, 6), (4, 12)),
            ((6, 7), (4, 12)),
            ((3, 4), (3, 4)),
            ((3, 5), (3, 12)),
            ((7, 8), (12, 13)),
            ((6, 8), (4, 13)),
            ((8, 9), (13, 14)),
            ((8, 11), (13, 23)),
            ((9, 10), (14, 23)),
            ((12, 13), (24, 25)),
            ((4, 4), (4, 4)),
            ((7, 7), (12, 12)),
        ] {
            assert_eq!(masked.map(span(from.0, from.1)), span(to.0, to.1), "{from:?}");
        }
    }

    #[test]
    fn window_has_complete_lines() {
        let masked = Masked::all("aaaa\nbbbb\n\ncccc");
        assert_eq!(masked.as_str(), "********\n********\n\n********");
        for (place, before, after, shown, line, count) in [
            ((0, 8), 0, 0, (0, 9), 0, 1),
            ((0, 8), 9, 0, (0, 9), 0, 1),
            ((0, 8), 0, 1, (0, 18), 0, 2),
            ((9, 17), 0, 0, (9, 18), 1, 1),
            ((9, 17), 1, 1, (0, 19), 0, 3),
            ((9, 18), 0, 0, (9, 18), 1, 1),
            ((9, 19), 0, 0, (9, 19), 1, 2),
            ((9, 9), 0, 0, (9, 18), 1, 1),
            ((18, 18), 0, 0, (18, 19), 2, 1),
            ((19, 27), 0, 0, (19, 27), 3, 1),
            ((19, 27), 1, 9, (18, 27), 2, 2),
            ((0, 27), 0, 0, (0, 27), 0, 4),
            ((27, 27), 0, 0, (19, 27), 3, 1),
        ] {
            let window = masked.window(span(place.0, place.1), before, after);
            let expected = (span(shown.0, shown.1), line, count);
            assert_eq!((window.span, window.line, window.count), expected, "{place:?} {before} {after}");
        }
        let empty = Masked::all("").window(span(0, 0), 1, 1);
        assert_eq!((empty.span, empty.line, empty.count), (span(0, 0), 0, 1));
    }

    #[test]
    fn fully_masked_text_keeps_lines() {
        for (text, shown) in [
            ("", ""),
            ("a", "********"),
            ("a\n", "********\n"),
            ("\n\n", "\n\n"),
            ("a\r\n\r\nb\r", "********\n\n********"),
            ("\r", ""),
        ] {
            assert_eq!(Masked::all(text).as_str(), shown, "{text:?}");
        }
        let masked = Masked::all("ab\r\nc\n");
        assert_eq!(masked.map(span(0, 1)), span(0, 8));
        assert_eq!(masked.map(span(1, 2)), span(0, 8));
        assert_eq!(masked.map(span(4, 5)), span(9, 17));
        assert_eq!(masked.map(span(0, 5)), span(0, 17));
        assert!(masked.comments().is_empty());
    }

    #[test]
    fn maps_positions_with_crlf() {
        let lines = ["one: a", "two: b # c", "# d", "three: e", "four: f"];
        let text = lines.map(|line| format!("{line}\r\n")).concat();
        let keys =
            ["one", "two", "three", "four"].map(|key| text.find(key).map(|at| span(at, at + key.len())).unwrap());
        let values = [": a", ": b", ": e", ": f"].map(|value| text.find(value).map(|at| span(at + 2, at + 3)).unwrap());
        let masked = Masked::new(&text, &keys, &values, &HashSet::new());
        let copy = "one: ********\ntwo: ******** # ********\n# ********\nthree: ********\nfour: ********\n";
        assert_eq!(masked.as_str(), copy);
        for key in keys {
            let there = masked.map(key);
            assert_eq!(&copy[there.start..there.end], &text[key.start..key.end]);
        }
        for (value, key) in values.iter().zip(keys) {
            let (there, key) = (masked.map(*value), masked.map(key));
            assert_eq!((&copy[there.start..there.end], there.start), ("********", key.end + 2));
        }
        // The line break itself maps to its replacement.
        for (at, _) in text.match_indices("\r\n") {
            let there = masked.map(span(at, at + 2));
            assert_eq!(&copy[there.start..there.end], "\n");
        }
    }

    #[test]
    fn line_excludes_line_break() {
        let masked = Masked::all("a\n\nb\nc");
        assert_eq!(masked.as_str(), "********\n\n********\n********");
        let lines = [(0, 8), (9, 9), (10, 18), (19, 27), (27, 27)].map(|(start, end)| span(start, end));
        assert_eq!([0, 1, 2, 3, 4].map(|number| masked.line(number)), lines);
    }
}
