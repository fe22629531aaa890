//! Finds the error texts of rows in a log: words in a given order, with other words between them. Case, punctuation,
//! quotes, line breaks and colours are ignored.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::signals;
use crate::programs::PROGRAMS;
use crate::secret::Digest;
use crate::services::{self, ErrorText, Service, Source};

/// The number of words around a text that are searched for other words: about twenty lines.
pub(super) const NEAR_TEXT: usize = 250;
/// The maximum number of matches of a row, from the end: a log can repeat a text any number of times.
const MAX_PLACES: usize = 512;

/// A row, and whose it is.
#[derive(Clone, Copy, Debug)]
pub struct KnownText {
    /// The service or program. Empty for rows that are common to all.
    pub whose: &'static str,
    /// The documentation of the service.
    pub docs: &'static str,
    /// The row.
    pub error: &'static ErrorText,
    /// True for a service of the project.
    pub is_own: bool,
}

/// Returns all rows, those of services first.
fn rows() -> impl Iterator<Item = KnownText> {
    let page = |error: &ErrorText| match error.source {
        Source::Official(page) if !page.starts_with("https://github.com") => Some(page),
        _ => None,
    };
    let row =
        move |(whose, docs), is_own| move |error| KnownText { whose, docs: page(error).unwrap_or(docs), error, is_own };
    let of = move |services: &'static [&'static Service], is_own| {
        services.iter().flat_map(move |service| service.errors.iter().map(row((service.name, service.docs), is_own)))
    };
    let programs = PROGRAMS.iter().flat_map(move |program| program.errors.iter().map(row((program.name, ""), false)));
    of(services::built_in(), false).chain(programs).chain(of(services::own(), true))
}

/// A row whose text is in a log.
#[derive(Debug)]
pub struct Match {
    /// The row.
    pub row: KnownText,
    /// The text of the row that was found.
    pub text: &'static str,
    /// The word at the start of the last match.
    pub at: usize,
    /// What it repeats there, as a whole and without a port.
    pub repeats: Vec<Digest>,
    /// The number of fixed words.
    pub words: usize,
    /// The number of matches, up to a limit.
    pub times: usize,
}

struct IndexedText {
    row: KnownText,
    text: &'static str,
    pattern: TextPattern,
}

/// The patterns by their first word.
static KNOWN: LazyLock<HashMap<String, Vec<IndexedText>>> = LazyLock::new(|| {
    let mut known: HashMap<String, Vec<IndexedText>> = HashMap::new();
    for row in rows() {
        for text in row.error.texts {
            let pattern = TextPattern::new(text);
            if let Some(first) = pattern.first().map(str::to_owned) {
                known.entry(first).or_default().push(IndexedText { row, text, pattern });
            }
        }
    }
    known
});

/// Returns the rows whose texts are in a log, each once. `alone` is true if rows need no other word near them.
pub fn matches(words: &LogWords<'_>, around: &NearbyWords, alone: bool) -> Vec<Match> {
    let mut found = Vec::<Match>::new();
    // From the end, where a program says why it stopped.
    for at in (0..words.len()).rev() {
        let Some(known) = words.get(at).and_then(|word| KNOWN.get(word)) else { continue };
        for IndexedText { row, text, pattern } in known {
            let before = found.iter_mut().find(|other| std::ptr::eq(other.row.error, row.error));
            let full = before.as_ref().is_some_and(|before| before.times >= MAX_PLACES);
            let is_near = || alone || around.any_near(row.error.context_words, at, NEAR_TEXT);
            if full || !pattern.matches_at(words, at) || !is_near() {
                continue;
            }
            if let Some(known) = before {
                known.times += 1;
                known.words = known.words.max(pattern.0.len());
                // The best known text of a row comes first.
                let place = |one: &str| row.error.texts.iter().position(|text| *text == one);
                if place(text) < place(known.text) {
                    (known.text, known.at) = (text, at);
                }
            } else {
                let repeats = if row.error.repeats { pattern.repeated(words, at) } else { Vec::new() };
                found.push(Match { row: *row, text, at, repeats, words: pattern.0.len(), times: 1 });
            }
        }
    }
    // Where a word near it names the service, the same text of a row for any of them says less.
    let named: BTreeSet<(usize, &str)> =
        found.iter().filter(|one| !one.row.error.context_words.is_empty()).map(|one| (one.at, one.text)).collect();
    found.retain(|one| !one.row.error.context_words.is_empty() || !named.contains(&(one.at, one.text)));
    found
}

/// The positions of the words that must be near a text, and of those that name a service.
pub struct NearbyWords(HashMap<&'static str, Vec<usize>>);

impl NearbyWords {
    /// Finds them.
    pub fn new(words: &LogWords<'_>) -> Self {
        let wanted = rows().flat_map(|row| row.error.context_words).copied();
        let wanted: BTreeSet<&str> =
            wanted.chain(services::all().iter().flat_map(|service| service.in_logs).copied()).collect();
        let mut first: HashMap<String, Vec<(&str, Vec<String>)>> = HashMap::new();
        for text in wanted {
            let pieces = pattern_words(text);
            if let Some(word) = pieces.first().cloned() {
                first.entry(word).or_default().push((text, pieces));
            }
        }
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for at in 0..words.len() {
            // `STRIPE_KEY` contains `stripe`.
            let word = words.get(at).unwrap_or_default();
            let parts = word.split('_').filter(|part| *part != word).chain([word]);
            for (text, pieces) in parts.filter_map(|part| first.get(part)).flatten() {
                let rest = &pieces[1..];
                if rest.iter().zip(at + 1..).all(|(piece, at)| words.get(at) == Some(piece)) {
                    places.entry(text).or_default().push(at);
                }
            }
        }
        Self(places)
    }

    /// Returns the positions of a text, in order.
    pub fn of(&self, text: &str) -> &[usize] {
        self.0.get(text).map_or(&[], Vec::as_slice)
    }

    /// Returns `true` if one of these words is near a position, or if no word is required.
    fn any_near(&self, wanted: &[&str], at: usize, room: usize) -> bool {
        let is = |places: &Vec<usize>| {
            let next = places.partition_point(|&place| place < at.saturating_sub(room));
            places.get(next).is_some_and(|&place| place <= at + room)
        };
        wanted.is_empty() || wanted.iter().filter_map(|text| self.0.get(text)).any(is)
    }
}

/// Returns the first name that is read for a field, and has one of these words if there are any.
pub fn first_name(place: (&str, &str), words: &[&str]) -> Option<String> {
    let field = |service: &'static Service| service.fields.iter().find(|field| field.place == place);
    let (service, field) = services::all().iter().find_map(|service| Some((service, field(service)?)))?;
    if let Some(word) = words.first().filter(|word| service.words.contains(word)) {
        return Some(format!("{word}_{}", field.names.first()?.words.first()?));
    }
    let is_meant = |name: &str| words.iter().any(|word| signals::has_word(&crate::text::joined_words(name), word));
    let mut names = field.names.iter().flat_map(|names| service.variable_names(names));
    names.find(|name| words.is_empty() || is_meant(name))
}

/// The maximum number of words that `*` stands for.
const MAX_GAP: usize = 12;

/// The words of a text, as ranges of its bytes.
pub struct LogWords<'t> {
    text: &'t str,
    at: Vec<(u32, u32)>,
    /// The positions of line breaks.
    breaks: Vec<u32>,
}

impl<'t> LogWords<'t> {
    /// Finds the words of a text in lower case.
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let (mut at, mut next) = (Vec::new(), 0);
        while next < bytes.len() {
            let start = next;
            match bytes[next] {
                0x1b => next = after_escape(bytes, next),
                b'\\' => next += escape_length(&bytes[next..]),
                byte if is_in_word(byte) => {
                    while next < bytes.len() && is_in_word(bytes[next]) {
                        next += 1;
                    }
                    if let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(next)) {
                        at.push((start, end));
                    }
                }
                _ => next += 1,
            }
        }
        let breaks = text.match_indices('\n').filter_map(|(at, _)| u32::try_from(at).ok()).collect();
        Self { text, at, breaks }
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// Returns a word.
    pub fn get(&self, number: usize) -> Option<&'t str> {
        let &(start, end) = self.at.get(number)?;
        self.text.get(start as usize..end as usize)
    }

    /// Returns the number of line breaks before a word.
    pub fn line(&self, number: usize) -> usize {
        let start = self.at.get(number).map_or(0, |&(start, _)| start);
        self.breaks.partition_point(|at| *at < start)
    }

    /// Returns what is written before a word, from the word before it or the beginning of its line.
    pub fn before(&self, number: usize) -> &'t str {
        let start = self.at.get(number).map_or(0, |&(start, _)| start as usize);
        let end = number.checked_sub(1).and_then(|last| self.at.get(last)).map_or(0, |&(_, end)| end as usize);
        let between = self.text.get(end..start).unwrap_or_default();
        between.rsplit('\n').next().unwrap_or_default()
    }

    /// Returns the host of the address that begins with a word.
    pub fn host(&self, number: usize) -> &'t str {
        let start = self.at.get(number).map_or(0, |&(start, _)| start as usize);
        let ends = |c: char| !(c.is_ascii_alphanumeric() || "-._~%!$&()*+:@[]".contains(c));
        let authority = self.text.get(start..).unwrap_or_default().split(ends).next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        host.split([':', ')', ']']).next().unwrap_or_default()
    }

    /// Returns what is written behind a word in its line, without quotes and other signs around it.
    pub fn next_written(&self, number: usize) -> &'t str {
        const AROUND: &[char] = &['"', '\'', '`', '(', ')', '[', ']', '<', '>', '=', ':', ',', ';', '\\'];
        let end = self.at.get(number).map_or(0, |&(_, end)| end as usize);
        let line = self.text.get(end..).unwrap_or_default().lines().next().unwrap_or_default();
        let mut written =
            line.split(|c: char| c.is_whitespace() || "\"'`".contains(c)).map(|word| word.trim_matches(AROUND));
        written.find(|word| !word.is_empty()).unwrap_or_default().trim_end_matches('.')
    }
}

/// A pattern: words in lower case, and whether other words may precede each.
pub struct TextPattern(Vec<(bool, String)>);

impl TextPattern {
    /// Parses a row's text. `*` stands for other words.
    pub fn new(text: &str) -> Self {
        let (mut words, mut gap) = (Vec::new(), false);
        for piece in text.split_ascii_whitespace() {
            gap |= piece.contains('*');
            for word in pattern_words(piece) {
                words.push((gap, word));
                gap = false;
            }
        }
        Self(words)
    }

    /// Returns the first word.
    pub fn first(&self) -> Option<&str> {
        self.0.first().map(|(_, word)| word.as_str())
    }

    /// Returns digests of what a log has for the first `*`, or else behind the text.
    fn repeated(&self, words: &LogWords<'_>, start: usize) -> Vec<Digest> {
        let gap = self.0.iter().position(|(gap, _)| *gap).unwrap_or(self.0.len());
        let written = words.next_written(start + gap.saturating_sub(1));
        let bare = written.split_once("://").map_or(written, |(_, rest)| rest);
        let host = bare.split(['/', ':', '?', '@', '#']).next().unwrap_or_default();
        [written, host].into_iter().filter(|piece| piece.len() > 2).map(Digest::from_piece).collect()
    }

    /// Returns `true` if it matches at a word of a text. `*` matches as few words as possible.
    pub fn matches_at(&self, words: &LogWords<'_>, start: usize) -> bool {
        let mut next = start;
        self.0.iter().all(|(gap, word)| {
            let room = if *gap { MAX_GAP } else { 0 };
            let found = (next..=next + room).find(|&at| words.get(at) == Some(word));
            next = found.map_or(next, |at| at + 1);
            found.is_some()
        })
    }
}

/// Returns the words of a row's text in lower case.
pub fn pattern_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii() || !is_in_word(c as u8)).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect()
}

const fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the end of a terminal's escape sequence.
fn after_escape(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start + 1..];
    let find = |ends: fn(&u8) -> bool| rest.iter().skip(1).take(256).position(ends).map(|at| start + 3 + at);
    let end = match rest.first() {
        Some(b'[') => find(|byte| (0x40..=0x7e).contains(byte)),
        // A title or a link, which ends with a bell or another escape.
        Some(b']') => find(|byte| matches!(byte, 0x07 | 0x1b)),
        _ => None,
    };
    end.unwrap_or(start + 1)
}

/// Returns the length of an escape in JSON or quoted output.
fn escape_length(bytes: &[u8]) -> usize {
    match bytes {
        // A colour.
        [_, b'u', b'0', b'0', b'1', b'b', b'[', rest @ ..] => {
            7 + rest.iter().take(16).position(u8::is_ascii_alphabetic).map_or(0, |at| at + 1)
        }
        [_, b'u', digits @ ..] if digits.len() >= 4 && digits[..4].iter().all(u8::is_ascii_hexdigit) => 6,
        [_, b'n' | b'r' | b't', ..] => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERRORS: &str = include_str!("../../tests/corpus/why/errors.txt");
    const NOTHING: &str = include_str!("../../tests/corpus/why/nothing.txt");

    /// Returns the logs of a corpus file, without the lines with the expected results.
    fn logs(text: &str) -> Vec<String> {
        let mut logs: Vec<String> = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with("=> ")) {
            match logs.last_mut().filter(|_| !line.starts_with("--- ")) {
                Some(log) => log.extend([line, "\n"]),
                None => logs.push(String::new()),
            }
        }
        logs
    }

    fn found(log: &str) -> Vec<&'static ErrorText> {
        let log = log.to_ascii_lowercase();
        let words = LogWords::new(&log);
        matches(&words, &NearbyWords::new(&words), false).into_iter().map(|found| found.row.error).collect()
    }

    #[test]
    fn rows_are_complete() {
        for KnownText { whose, error, .. } in rows() {
            assert!(
                !error.texts.is_empty() && !error.meaning.is_empty() && !error.next_step.is_empty(),
                "{whose}: {error:?}"
            );
            assert!(error.source.place().starts_with("https://"), "{whose}: {error:?}");
            assert!(error.texts.iter().all(|text| !text.starts_with('*') && !text.contains('|')), "{whose}: {error:?}");
            assert!(error.rules.iter().all(|rule| crate::rules::find(rule).is_some()), "{whose}: {error:?}");
            let short = |text: &&str| {
                TextPattern::new(text).0.len() == 1 && !text.contains(char::is_numeric) && text.len() < 14
            };
            let alone = error.context_words.is_empty();
            assert!(!alone || !error.texts.iter().any(short), "{whose}: others say that, too: {error:?}");
        }
        assert!(rows().count() >= 60, "{}", rows().count());
    }

    /// A report quotes only the important lines; a real log has more before and after them.
    #[test]
    fn finds_every_row_in_public_logs() {
        let others: Vec<String> = logs(NOTHING).into_iter().filter(|log| log.lines().count() >= 10).collect();
        let mut open: Vec<KnownText> = rows().filter(|row| !row.error.is_code).collect();
        for (number, log) in logs(ERRORS).iter().enumerate() {
            let alone = found(log);
            open.retain(|row| !alone.iter().any(|error| std::ptr::eq(*error, row.error)));
            let at = |number: usize| &others[number % others.len()];
            let (before, behind) = (at(number), at(number + 1));
            let between = found(&format!("{before}{log}{behind}"));
            let same = alone.iter().all(|one| between.iter().any(|other| std::ptr::eq(*one, *other)));
            assert!(!alone.is_empty() && same, "{log}");
        }
        let open: Vec<_> = open.iter().map(|row| (row.whose, row.error.texts)).collect();
        assert!(open.is_empty(), "no log has them: {open:#?}");
    }

    #[test]
    fn limits_matches_in_repetitive_log() {
        let log = "invalid_auth ".repeat(300_000);
        let words = LogWords::new(&log);
        assert!(matches(&words, &NearbyWords::new(&words), false).is_empty());
        let log = format!("{}slack", "invalid_auth ".repeat(2_000));
        let words = LogWords::new(&log);
        assert!(matches(&words, &NearbyWords::new(&words), false)[0].times <= MAX_PLACES);
    }

    /// Other services have the same text, so a word near it identifies the service. It may be part of a name.
    #[test]
    fn shared_text_needs_service_word_nearby() {
        let text = "Invalid API Key provided";
        assert!(found(text).is_empty());
        for (word, distance, near) in [("STRIPE_KEY", 1, true), ("stripe", 200, true), ("stripe", 300, false)] {
            let between = " x ".repeat(distance);
            assert_eq!(!found(&format!("{word}{between}{text}")).is_empty(), near, "{word} {distance} words before");
            assert_eq!(!found(&format!("{text}{between}{word}")).is_empty(), near, "{word} {distance} words behind");
        }
    }

    fn has(pattern: &str, text: &str) -> bool {
        let text = text.to_ascii_lowercase();
        let words = LogWords::new(&text);
        (0..words.len()).any(|at| TextPattern::new(pattern).matches_at(&words, at))
    }

    #[test]
    fn matches_fixed_words_around_variable_ones() {
        for text in [
            "Credential access key has length 40, should be 32",
            "credential access key has\n│ length 7, should be 32",
            "\u{1b}[31mCredential\u{1b}[0m access key has length \u{1b}]0;title\u{7}12 should be 32",
            r#"{"m":"\nCredential \u0027access\u0027 key\thas \"length\" 20, should be 32"}"#,
        ] {
            assert!(has("credential access key has length * should be 32", text), "{text}");
        }
        assert!(!has("access key has length * should be 32", "access key has length 40, should be 33"));
        assert!(!has("invalid_auth", "invalid_authorization invalid auth"));
        // An escape sequence is not a word, and a backslash may be part of a path.
        assert!(has("a b", "a \u{1b}]0;title\u{7}b") && has("a b", "a \u{1b} b"));
        assert!(has("users", r"c:\users\a") && has("u12", r"\u12"));
        assert!(has("a * * b", "a 1 b"));
        assert!(!has("a * b", "a 1 2 3 4 5 6 7 8 9 10 11 12 13 b") && has("a * b", "a b"));
        assert!(!has("a", "") && TextPattern::new("* .").first().is_none());
        // Of two matches at the same place, the one with more words is more specific.
        assert_eq!(TextPattern::new("has length * should be").0.len(), 4);
    }
}
