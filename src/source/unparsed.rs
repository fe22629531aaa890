//! Builds the masked copy of a file that can't be parsed: it shows the structure, and nothing of a value.
//!
//! Lines are examined one by one, which works only if none is part of a multi-line value. Where that is uncertain, the
//! rest of the file is hidden.

use std::collections::HashSet;

use super::syntax::{Format, Syntax};
use super::variables;
use crate::schema;
use crate::text::{self, Masked, Span};

const TOML: Syntax = Syntax::Tree(Format::Toml);
const YAML: Syntax = Syntax::Tree(Format::Yaml);
const JSON: Syntax = Syntax::Tree(Format::Json);

pub(super) fn mask(text: &str, syntax: Syntax) -> Masked {
    let mut tree_text = LineScan { text, syntax, shown: Vec::new(), values: Vec::new(), table: Vec::new() };
    let mut at = 0;
    // The byte order mark was replaced by spaces, except in YAML.
    if let Some(rest) = text.strip_prefix('\u{feff}') {
        at = text.len() - rest.len();
        tree_text.values.push(Span { start: 0, end: at });
    }
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |offset| at + offset + 1);
        let body = at + text[at..end].trim_end().len();
        let (shown, values) = (tree_text.shown.len(), tree_text.values.len());
        match tree_text.scan_line(at, body) {
            Next::Known => at = end,
            Next::Last => {
                at = end;
                break;
            }
            Next::Unknown => {
                tree_text.shown.truncate(shown);
                tree_text.values.truncate(values);
                break;
            }
        }
    }
    let words = if syntax == Syntax::Dotenv { HashSet::from(["export"]) } else { HashSet::new() };
    Masked::until(text, at, &tree_text.shown, &tree_text.values, &words)
}

/// What is known after a line.
enum Next {
    /// The line is known, and the next one can be examined.
    Known,
    /// The line is known; the next one may be part of a value.
    Last,
    /// The line may be part of a value.
    Unknown,
}

/// Collects the ranges of keys and values. The rest of a known line is whitespace, punctuation and comments.
struct LineScan<'a> {
    text: &'a str,
    syntax: Syntax,
    shown: Vec<Span>,
    values: Vec<Span>,
    /// The current TOML table.
    table: Vec<&'a str>,
}

impl<'a> LineScan<'a> {
    fn scan_line(&mut self, start: usize, end: usize) -> Next {
        let mut at = self.skip_whitespace(start, end);
        match self.syntax {
            TOML if self.text[at..end].starts_with('[') && self.is_header(at, end) => {
                return self.scan_header(at, end);
            }
            YAML => {
                while self.text[at..end].starts_with("- ") {
                    at = self.skip_whitespace(at + 1, end);
                }
                if matches!(&self.text[at..end], "---" | "-") {
                    return Next::Known;
                }
            }
            Syntax::Dotenv => {
                let rest = self.text[at..end].strip_prefix("export");
                if rest.is_some_and(|rest| rest.starts_with([' ', '\t'])) {
                    at = self.skip_whitespace(at + "export".len(), end);
                }
            }
            Syntax::Tree(_) => {}
        }
        let begins = at;
        // The brackets opened on this line, and whether a key may follow.
        let (mut open, mut key) = (Vec::new(), true);
        loop {
            at = self.skip_whitespace(at, end);
            let rest = &self.text[at..end];
            let Some(c) = rest.chars().next() else { return Next::Known };
            let alone = at == begins || self.text[..at].ends_with([' ', '\t']);
            match c {
                '#' if self.syntax != JSON && alone => return Next::Known,
                '[' | '{' | ']' | '}' | ',' if self.syntax != Syntax::Dotenv => {
                    match c {
                        '[' | '{' => open.push(c),
                        ']' | '}' => drop(open.pop()),
                        _ => {}
                    }
                    key = c == '{' || (c == ',' && open.last() == Some(&'{'));
                    at += 1;
                    continue;
                }
                _ => {}
            }
            let Some(word) = self.find_word(at, end).filter(|_| at != begins || !self.cannot_start_line(c)) else {
                // A lone word at the start of a line could be the second line of a value.
                return if at == begins { Next::Unknown } else { self.hide_rest(at, end) };
            };
            let mark = self.skip_whitespace(word.end, end);
            if key && let Some(value) = self.after_mark(word, mark, end) {
                self.add_key(word);
                (at, key) = (value, false);
            } else if c == '"' || c == '\'' {
                self.values.push(word);
                (at, key) = (word.end, false);
            } else {
                return if at == begins { Next::Unknown } else { self.hide_rest(at, end) };
            }
        }
    }

    /// Returns `true` if no line starts with this character: names in dotenv files are not quoted.
    fn cannot_start_line(&self, c: char) -> bool {
        self.syntax == Syntax::Dotenv && matches!(c, '"' | '\'')
    }

    /// Returns the end of the whitespace.
    fn skip_whitespace(&self, start: usize, end: usize) -> usize {
        end - self.text[start..end].trim_start_matches([' ', '\t']).len()
    }

    /// Returns a closed string without escapes, or what could be a bare key.
    fn find_word(&self, start: usize, end: usize) -> Option<Span> {
        let rest = &self.text[start..end];
        let length = match rest.chars().next()? {
            quote @ ('"' | '\'') => {
                let inner = &rest[1..][..rest[1..].find(quote)?];
                // Three quotes start a multi-line string, and two in a row may be part of one.
                let doubled = rest[inner.len() + 2..].starts_with(['"', '\'']);
                (!inner.contains('\\') && !doubled).then_some(inner.len() + 2)?
            }
            _ => rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c))).unwrap_or(rest.len()),
        };
        (length > 0).then_some(Span { start, end: start + length })
    }

    /// Returns the start of the value, if the word is followed by a key's mark. The end of a wrapped value may look the
    /// same.
    fn after_mark(&self, word: Span, mark: usize, end: usize) -> Option<usize> {
        let quoted = self.text[word.start..].starts_with(['"', '\'']);
        let after = self.text[mark..end].strip_prefix(if self.is_equals() { '=' } else { ':' })?;
        let sure = match self.syntax {
            TOML | Syntax::Dotenv => !after.starts_with('=') && (!after.trim().is_empty() || mark > word.end),
            YAML => after.is_empty() || after.starts_with([' ', '\t']),
            JSON => quoted,
        };
        sure.then_some(mark + 1)
    }

    const fn is_equals(&self) -> bool {
        matches!(self.syntax, TOML | Syntax::Dotenv)
    }

    /// Parses the keys of a table header, with or without the closing bracket.
    fn is_header(&self, start: usize, end: usize) -> bool {
        let name = self.text[start..end].trim_start_matches('[');
        let length = name.find(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c))).unwrap_or(name.len());
        let after = name[length..].trim_start_matches(']').trim_start();
        length > 0 && (after.is_empty() || after.starts_with('#')) && !name[length..].starts_with('#')
    }

    fn scan_header(&mut self, start: usize, end: usize) -> Next {
        let name = start + self.text[start..end].len() - self.text[start..end].trim_start_matches('[').len();
        let length = self.text[name..end].find([']', ' ', '\t', '#']).unwrap_or(end - name);
        self.table.clear();
        self.add_keys(Span { start: name, end: name + length }, true);
        Next::Known
    }

    /// Records a key. In TOML it may have several segments.
    fn add_key(&mut self, word: Span) {
        let raw = &self.text[word.start..word.end];
        let bare = raw.trim_matches(['"', '\'']);
        let public = match self.syntax {
            TOML if raw == bare => return self.add_keys(word, false),
            // A lone lower-case word could be the end of a multi-line value.
            Syntax::Dotenv => variables::shown_name(raw) == raw && (raw.contains('_') || !is_lone_word(raw)),
            Syntax::Tree(_) => text::is_plain_name(bare),
        };
        if public { self.shown.push(word) } else { self.values.push(word) }
    }

    fn add_keys(&mut self, word: Span, header: bool) {
        let (mut path, mut start): (Vec<&'a str>, _) = (self.table.clone(), word.start);
        for key in self.text[word.start..word.end].split('.') {
            path.push(key);
            let span = Span { start, end: start + key.len() };
            if schema::is_public_key(&path) {
                self.shown.push(span);
            } else {
                self.values.push(span);
            }
            start = span.end + 1;
        }
        if header {
            self.table = path;
        }
    }

    /// Hides the rest of a line. After a quote or a YAML block mark, the value may continue on the next line.
    fn hide_rest(&mut self, start: usize, end: usize) -> Next {
        let rest = &self.text[start..end];
        self.values.push(Span { start, end });
        let goes_on =
            rest.contains(['"', '\'', '\\']) || (self.syntax == YAML && rest.starts_with(['|', '>', '&', '!']));
        if goes_on { Next::Last } else { Next::Known }
    }
}

fn is_lone_word(raw: &str) -> bool {
    raw.contains(|c: char| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what is shown of texts in one format.
    fn shows(syntax: Syntax, all: &[(&str, &str)]) {
        for (text, shown) in all {
            // Shorten the mask to keep the table readable.
            assert_eq!(mask(text, syntax).as_str().replace(text::MASK, "*"), *shown, "{text:?}");
        }
    }

    #[test]
    fn shows_structure_of_invalid_toml() {
        shows(
            TOML,
            &[
                (
                    "[messaging.r2]\ntoken = xoxb-1-a # why\nchannels = [\"C1\", 'C2']\n",
                    "[messaging.r2]\ntoken = *\nchannels = [\"*\", '*']\n",
                ),
                ("[messaging.r\nx = {env = \"T\", file = T }\n", "[messaging.r\nx = {env = \"*\", file = *\n"),
                ("[[lint.allow]] # c\na.b = ''\n# c\n\n", "[[lint.allow]] # *\na.b = ''\n# *\n\n"),
                ("[production]\n\"my-key\" = \"a\" # c\n", "[production]\n\"my-key\" = \"*\" # *\n"),
                ("a = [\n  \"b\",\n  'c'\n]\nd = 1\n", "a = [\n  \"*\",\n  '*'\n]\nd = *\n"),
                ("token =\nb = 1\n", "token =\nb = *\n"),
                ("[storage]\na = [\n[]\n]\nr2024.bucket = b\n", "[storage]\na = [\n[]\n]\nr2024.bucket = *\n"),
                // Names that could be secrets.
                ("[hunter2]\nxoxb-1 = 1\n'xoxb 1' = 2\ntoken2.a = 3\n", "[*]\n* = *\n'*' = *\n*.a = *\n"),
                ("[messaging.'hunter2']\na = 1\n", "[*\n*\n"),
                // Values that may continue on the next line, or text that may be the second line of one.
                ("a = '''\nb = 1\n", "a = '*'\n*\n"),
                ("a = \"\"\"b\"\"\"\nc = 1\n", "a = \"*\"\n*\n"),
                ("a = \"b\nc = \"d\"\n", "a = *\n*\n"),
                ("a = \"b\\\"\nc = 1\n", "a = \"*\"\n*\n"),
                ("a = b'c\nd = 1\n", "a = *\n*\n"),
                ("a = QzWv\nqzw=\n", "a = *\n*\n"),
                ("a = QzWv\nqzw==\nb = 1\n", "a = *\n*\n*\n"),
                ("a = QzWv\nqzw\nb = 1\n", "a = *\n*\n*\n"),
                ("a = QzWv\n$qzw\nb = 1\n", "a = *\n*\n*\n"),
                // Text that only looks like a key.
                ("a = qzw=b\n", "a = *\n"),
                ("a = [qzw=b, c=d]\n", "a = [*\n"),
                ("a = [\"b\", token = c]\n", "a = [\"*\", *\n"),
                ("a = \"b\" qzw = c\n", "a = \"*\" *\n"),
                ("token \"abc\"\n", "*\n"),
                ("  qz7!vX k)Pj;Hy\n", "*\n"),
            ],
        );
    }

    #[test]
    fn shows_structure_of_invalid_yaml() {
        shows(
            YAML,
            &[
                ("messaging:\n  reports:\n\ttoken: xoxb-1: a\n", "messaging:\n  reports:\n\ttoken: *\n"),
                ("---\na:\n- b: \"c\" # d\n-\n  e: [f, g: h]\n", "---\na:\n- b: \"*\" # *\n-\n  e: [*\n"),
                ("\"a\": {b: 'c', \"d\": e}\n", "\"a\": {b: '*', \"d\": *\n"),
                ("hunter2:\n  xoxb-1: a\n", "*:\n  *: *\n"),
                ("a: |\n  qzw: b\nc: d\n", "a: *\n*\n*\n"),
                ("a: >-\n  qzw: b\n", "a: *\n*\n"),
                ("a: &b |\n  qzw: c\n", "a: *\n*\n"),
                ("- |\n  qzw: c\n", "*\n*\n"),
                ("a: 'b\n  qzw: c'\n", "a: *\n*\n"),
                ("a: it's\n  qzw: c\n", "a: *\n*\n"),
                ("a: b\n  c\nd: e\n", "a: *\n*\n*\n"),
                ("a:b\n", "*\n"),
                ("\u{feff}a: b\n", "*a: *\n"),
            ],
        );
    }

    #[test]
    fn shows_structure_of_invalid_json() {
        shows(
            JSON,
            &[
                (
                    "{\n  \"messaging\": {\n    \"token\": xoxb-1,\n    \"a\": [\"C1\", 2]\n  },\n}\n",
                    "{\n  \"messaging\": {\n    \"token\": *\n    \"a\": [\"*\", *\n  },\n}\n",
                ),
                ("{\"a\": {\"b\": \"c\", \"hunter2\": \"d\",}}", "{\"a\": {\"b\": \"*\", \"*\": \"*\",}}"),
                ("{\"a\": [\"b\"], \"c\": \"d\",}", "{\"a\": [\"*\"], \"c\": \"*\",}"),
                ("{\"a\": \"b\": \"c\"}", "{\"a\": \"*\"*"),
                ("{\"a\": \"b\\\"c\", \"d\": 1}\n{}", "{\"a\": *\n*"),
                ("{\"a\": \"b\n\"c\": 1}", "{\"a\": *\n*"),
                ("{a: \"b\"}\n// c\n", "{*\n*\n"),
                ("[\"a\"]", "[\"*\"]"),
                ("a", "*"),
            ],
        );
    }

    #[test]
    fn shows_structure_of_invalid_dotenv() {
        shows(
            Syntax::Dotenv,
            &[
                (
                    "# c\nexport CREDLINT_MESSAGING__R2__TOKEN=xoxb-1 # c\nOTHER = 'b'\nB=\"c\" d\n",
                    "# *\nexport CREDLINT_MESSAGING__R2__TOKEN=*\nOTHER = '*'\nB=\"*\" *\n",
                ),
                ("CREDLINT_MESSAGING__R__MY_SETTING=[a\nA=#b\n", "CREDLINT_MESSAGING__R__MY_SETTING=*\nA=*\n"),
                ("token=a\nxoxb-1=b\nA B=c\nC=d\n", "*=*\n*=*\n*\n*\n"),
                ("A='b\nC=d\n", "A=*\n*\n"),
                ("A=QZW\nQZW=\nB=c\n", "A=*\n*\n*\n"),
                ("\"A\"=b\nB=c\n", "*\n*\n"),
                ("=x\nA=b\n", "*\n*\n"),
            ],
        );
    }

    #[test]
    fn keeps_lines_and_offsets() {
        let text = "[a]\r\nb = xoxb-1\r\n\r\nxoxb-2\n";
        let masked = mask(text, TOML);
        assert_eq!(masked.as_str().lines().count(), text.lines().count());
        let at = text.find("xoxb-1").unwrap();
        let there = masked.map(Span { start: at, end: at + 1 });
        assert_eq!(&masked.as_str()[there.start..there.end], text::MASK);
        assert_eq!(mask("", TOML).as_str(), "");
    }
}
