//! Text: spans, lines and columns, the masked copy of a source, near misses, and what may be printed.

use std::collections::HashSet;

use crate::secret::MASK;

/// A range of bytes in a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

/// A place in a source, as people count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// From 0, in bytes.
    pub offset: usize,
}

/// Finds lines and columns by byte offset after the text itself is gone.
#[derive(Clone, Debug, Default)]
pub struct LineIndex {
    /// Where each line starts.
    starts: Vec<usize>,
    /// For each character of more than one byte: where it ends, and how many bytes too many there are up to there.
    wide: Vec<(usize, usize)>,
}

impl LineIndex {
    /// Reads a text once.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut index = Self { starts: vec![0], wide: Vec::new() };
        let mut extra = 0;
        for (offset, c) in text.char_indices() {
            if c == '\n' {
                index.starts.push(offset + 1);
            } else if !c.is_ascii() {
                // A byte order mark has no width: no editor counts it.
                extra += if offset == 0 && c == '\u{feff}' { c.len_utf8() } else { c.len_utf8() - 1 };
                index.wide.push((offset + c.len_utf8(), extra));
            }
        }
        index
    }

    /// The place of a byte.
    #[must_use]
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

/// The copy of a source that may be printed. Everything that is not known to be public is replaced by a mask of
/// one width; line breaks stay, so line numbers are those of the original.
#[derive(Clone, Debug, Default)]
pub struct Masked {
    text: String,
    /// Each replaced range of the original, and the range that stands for it.
    moves: Vec<(Span, Span)>,
    /// Where each line of the copy starts.
    lines: Vec<usize>,
    /// The comments of the original, and whether nothing else stands on their line.
    comments: Vec<(Span, bool)>,
}

/// Some whole lines of a masked copy.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Which bytes.
    pub span: Span,
    /// The number of the first line, from 0.
    pub line: usize,
    /// How many lines.
    pub count: usize,
}

impl Masked {
    /// Copies `text`. `shown` are the ranges to copy as they are, `values` those that hold a value to hide; both
    /// sorted, none overlapping. Of the rest, white space, structural punctuation and the given `words` stay (the name
    /// of a table may stand in many headers), and the first other character hides the rest of its line up to the next
    /// range: so do comments.
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
            masked.gap(text, Span { start: at, end: span.start }, words);
            if open {
                masked.text.push_str(&text[span.start..span.end]);
            } else {
                masked.value(text, span);
            }
            at = span.end;
        }
        masked.gap(text, Span { start: at, end: text.len() }, words);
        masked.finish()
    }

    /// A copy in which everything is hidden: for a text that could not be parsed.
    #[must_use]
    pub fn all(text: &str) -> Self {
        let mut masked = Self::default();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let end = at + line.trim_end_matches(['\n', '\r']).len();
            masked.replace(Span { start: at, end }, if end > at { MASK } else { "" });
            masked.replace(Span { start: end, end: at + line.len() }, if line.ends_with('\n') { "\n" } else { "" });
            at += line.len();
        }
        masked.finish()
    }

    /// The text to print.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn finish(mut self) -> Self {
        self.lines = std::iter::once(0).chain(self.text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        self
    }

    /// The lines around a range of the copy, without a look at the rest of it.
    #[must_use]
    pub fn window(&self, span: Span, before: usize, after: usize) -> Window {
        let line_of = |offset| self.lines.partition_point(|&start| start <= offset).saturating_sub(1);
        let first = line_of(span.start).saturating_sub(before);
        let last = line_of(span.end.max(span.start + 1) - 1).max(line_of(span.start)) + after;
        let start = self.lines.get(first).copied().unwrap_or(0);
        let end = self.lines.get(last + 1).map_or(self.text.len(), |&next| next);
        let count = (last + 1).min(self.lines.len()) - first;
        Window { span: Span { start, end }, line: first, count }
    }

    /// The comments of the original, and whether nothing else stands on their line.
    #[must_use]
    pub fn comments(&self) -> &[(Span, bool)] {
        &self.comments
    }

    /// Where a range of the original stands in the copy.
    #[must_use]
    pub fn map(&self, span: Span) -> Span {
        let start = self.offset(span.start, false);
        Span { start, end: self.offset(span.end, true).max(start) }
    }

    fn offset(&self, offset: usize, end: bool) -> usize {
        // The last replaced range that starts before the offset (or at it, for the start of a span).
        let before =
            self.moves.partition_point(|(from, _)| if end { from.start < offset } else { from.start <= offset });
        let Some(&(from, to)) = before.checked_sub(1).and_then(|last| self.moves.get(last)) else { return offset };
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
        self.moves.push((from, Span { start, end: self.text.len() }));
    }

    fn value(&mut self, text: &str, span: Span) {
        let raw = &text[span.start..span.end];
        let quote = raw.chars().next().filter(|c| raw.len() > 1 && (*c == '"' || *c == '\'') && raw.ends_with(*c));
        let mut with = String::with_capacity(MASK.len() + 2);
        with.extend(quote);
        with.push_str(MASK);
        with.extend(quote);
        with.extend(raw.chars().filter(|&c| c == '\n'));
        self.replace(span, &with);
    }

    fn gap(&mut self, text: &str, span: Span, words: &HashSet<&str>) {
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

/// How much of a line outside every range is white space, punctuation or one of the `words`.
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

/// The nearest of `known` to a mistyped `word`, if one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase().replace('-', "_");
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&word, &name.replace('-', "_")), name))
        .filter(|&(distance, name)| distance <= (name.len() / 4).max(1))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// Whether a word is one of `known`, or so little beside one that it can only be a slip: nothing but letters, digits, `-`
/// and `_`, and at most two of them wrong. What is nearly a name may be printed, so this is stricter than [`nearest`].
pub fn is_slip<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> bool {
    // Nearly every key is one of them, and to measure distances is slow.
    if known.clone().into_iter().any(|name| name == word) {
        return true;
    }
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let folded = word.to_lowercase().replace('-', "_");
    plain
        && known.into_iter().any(|name| {
            let name = name.replace('-', "_");
            strsim::damerau_levenshtein(&folded, &name) <= (name.len() / 4).clamp(1, 2)
        })
}

/// Whether a word begins like a token, wherever it stands.
#[must_use]
pub fn token_like(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    ["xox", "xapp-", "xwfp-"].iter().any(|prefix| lower.contains(prefix))
}

/// Whether a word could be a credential rather than a name: the prefix of a token, or a run of letters and digits that
/// mixes them as no word of a language, date or number of a version does. Names that look so are masked.
#[must_use]
pub fn opaque(word: &str) -> bool {
    token_like(word)
        || word.split(|c: char| !c.is_alphanumeric()).any(|run| {
            let digits = run.chars().any(|c| c.is_ascii_digit());
            let letters = run.chars().any(|c| !c.is_ascii_digit());
            let changes = changes(run);
            match (digits, letters) {
                (true, false) => run.len() >= 16,
                (true, true) => {
                    run.len() >= 24 || (run.len() >= 12 && changes >= 2) || (run.len() >= 8 && changes >= 6)
                }
                (false, _) => run.len() > 40 || (run.len() >= 12 && changes >= 5),
            }
        })
}

/// How often a word changes between small letters, capitals and digits.
fn changes(word: &str) -> usize {
    let class = |c: char| if c.is_ascii_digit() { 0 } else { 1 + u8::from(c.is_uppercase()) };
    word.chars().zip(word.chars().skip(1)).filter(|&(a, b)| class(a) != class(b)).count()
}

/// A name as it may be printed: control characters escaped, and a mask in place of what could be a credential.
#[must_use]
pub fn name(word: &str) -> String {
    if opaque(word) { MASK.to_owned() } else { printable(word) }
}

/// Whether a path could be a credential: some hold slashes.
#[must_use]
pub fn opaque_path(path: &str) -> bool {
    let joined: String = path.chars().filter(|c| c.is_alphanumeric()).collect();
    // A URL within a path is one that was pasted behind the name of a directory.
    crate::secret::is_url(path)
        || path.contains("://")
        || (path.len() < 64 && !path.starts_with('/') && changes(&joined) >= 10)
}

/// The path of a file that is there, as it may be printed: whatever somebody called it, except a token or a URL.
#[must_use]
pub fn file(path: &std::path::Path) -> String {
    let text = path.to_string_lossy();
    if token_like(&text) || crate::secret::is_url(&text) { MASK.to_owned() } else { printable(&text) }
}

/// The path of what may be no file, as it may be printed: each of its parts is judged as a [`name`]. What stands beside a part that could be a
/// credential could be a piece of it, since some hold slashes.
#[must_use]
pub fn path(path: &std::path::Path) -> String {
    let text = path.to_string_lossy();
    if opaque_path(&text) {
        return MASK.to_owned();
    }
    let parts: Vec<&str> = text.split('/').collect();
    // Passwords have marks that names of files hardly ever have.
    let odd = |part: &str| part.contains(['!', ';', '$', '\'', '"', '\\', '|', '<', '>', '*', '?', '{', '}', '^', '`']);
    let hidden = |index: usize| parts.get(index).is_some_and(|part| opaque(part) || odd(part));
    let shown = parts.iter().enumerate().map(|(index, part)| {
        let beside = hidden(index) || hidden(index + 1) || index.checked_sub(1).is_some_and(hidden);
        if beside && !part.is_empty() { MASK.to_owned() } else { printable(part) }
    });
    shown.collect::<Vec<_>>().join("/")
}

/// The path of what may be a file or not, as it may be printed.
#[cfg(feature = "upload")]
#[must_use]
pub fn file_or_path(path: &std::path::Path) -> String {
    if path.exists() { file(path) } else { self::path(path) }
}

/// Escapes what could steer a terminal: control characters and those that turn the direction of writing.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let steers = c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        if steers { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

/// `12 bytes`, `12.30 KiB`.
#[cfg(all(feature = "cli", feature = "upload"))]
#[must_use]
pub fn size(bytes: u64) -> String {
    if bytes < 1024 {
        count(usize::try_from(bytes).unwrap_or(usize::MAX), "byte")
    } else {
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let power = bytes.ilog2() / 10;
        let hundredths = (u128::from(bytes) * 100) >> (10 * power);
        format!("{}.{:02} {}", hundredths / 100, hundredths % 100, units[power as usize - 1])
    }
}

/// Bytes as hexadecimal digits, in lower case.
#[cfg(feature = "upload")]
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `90 seconds`, `5 minutes`, `3 hours`, `2 days`: never less than it is, and no finer than anybody would wait.
#[cfg(feature = "upload")]
#[must_use]
pub fn duration(duration: std::time::Duration) -> String {
    let seconds = duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
    let (unit, noun) = match seconds {
        0..=120 => (1, "second"),
        121..=7200 => (60, "minute"),
        7201..=172_800 => (3600, "hour"),
        _ => (86_400, "day"),
    };
    count(usize::try_from(seconds.div_ceil(unit)).unwrap_or(usize::MAX), noun)
}

/// A text in which each byte but letters, digits and the `plain` ones is spelt `%XX`.
#[cfg(any(feature = "cli", feature = "sandbox"))]
#[must_use]
pub fn percent_encoded(text: &str, plain: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// `1 error`, `2 errors`.
#[cfg(any(feature = "cli", feature = "upload"))]
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(feature = "cli", feature = "upload"))]
    #[test]
    fn sizes_and_durations() {
        for (bytes, shown) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1023, "1023 bytes"),
            (1024, "1.00 KiB"),
            (1536, "1.50 KiB"),
            (1024 * 1024 - 1, "1023.99 KiB"),
            (1024 * 1024, "1.00 MiB"),
            (u64::MAX, "15.99 EiB"),
        ] {
            assert_eq!(size(bytes), shown);
        }
        for (ms, shown) in [
            (0, "0 seconds"),
            (1, "1 second"),
            (120_000, "120 seconds"),
            (120_001, "3 minutes"),
            (7_200_000, "120 minutes"),
            (7_201_000, "3 hours"),
            (172_801_000, "3 days"),
        ] {
            assert_eq!(duration(std::time::Duration::from_millis(ms)), shown);
        }
    }

    #[test]
    fn columns_count_characters_and_offsets_bytes() {
        let index = LineIndex::new("\u{feff}é = x\nab日本c\n");
        assert_eq!(index.position(3), Position { line: 1, column: 1, offset: 3 });
        assert_eq!(index.position(5), Position { line: 1, column: 2, offset: 5 });
        let second = "\u{feff}é = x\n".len();
        assert_eq!(index.position(second + 8), Position { line: 2, column: 5, offset: second + 8 });
        assert_eq!(LineIndex::new("").position(0).line, 1);
    }

    #[test]
    fn a_masked_copy_keeps_lines_keys_and_structure_only() {
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
    fn a_text_that_was_not_parsed_is_hidden_whole() {
        let masked = Masked::all("tok\r\n\nsecret");
        assert_eq!(masked.as_str(), "********\n\n********");
        assert_eq!(masked.map(Span { start: 6, end: 12 }), Span { start: 10, end: 18 });
    }

    #[test]
    fn names_that_could_be_credentials_are_masked() {
        for word in [
            "xoxb-1",
            "K0014pbwo1zxcIVMnqSNTfWHReU",
            "QzWvXkPjHyBd",
            "a1b2c3d4e5f6",
            "001aabbccddeeff123",
            "918273645546372819",
        ] {
            assert!(opaque(word), "{word}");
        }
        for word in [
            "REPORTS_TOKEN",
            "nightly-2026-11-20.csv",
            "reports",
            "CREDLINT_MESSAGING__REPORTS__TOKEN",
            "s3.eu-central-005",
            "REPORTSTOKEN2026",
            "teamreports2026",
            "internationalcustomersupport",
            "report20261120.csv",
        ] {
            assert!(!opaque(word), "{word}");
        }
        assert_eq!(path(std::path::Path::new("/run/secrets/app/xoxb-1-a")), "/run/secrets/********/********");
        assert_eq!(path(std::path::Path::new("K005Qz/7WvX/kPj/HyBd39")), "********");
        assert_eq!(path(std::path::Path::new("out/https://h.example/services/a")), "********");
        assert_eq!(
            path(std::path::Path::new("reports/2026/November/Summary.csv")),
            "reports/2026/November/Summary.csv"
        );
        assert_eq!(printable("a\u{1b}[31m\u{202e}"), "a\\u{1b}[31m\\u{202e}");
    }

    #[test]
    fn near_misses() {
        let known = ["token", "base_url", "channels"];
        assert_eq!(nearest("tokn", known), Some("token"));
        assert_eq!(nearest("base-url", known), Some("base_url"));
        assert_eq!(nearest("Chanels", known), Some("channels"));
        assert_eq!(nearest("colour", known), None);
    }
}
