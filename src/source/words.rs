//! Parses shell words: quotes and escapes are resolved, expansions stay as they are.

use std::borrow::Cow;

use zeroize::Zeroize;

use super::document::Dialect;
use crate::text::Span;

/// Parses words of a text. It searches for a missing closing quote only once.
pub(super) struct Words<'a> {
    pub(super) text: &'a str,
    dialect: Dialect,
    /// For each kind of quote, the offset up to which no closing quote exists; the last one is `$'`.
    unclosed: [usize; 3],
}

/// How far a quoted string may extend.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum QuoteScope {
    /// To the end of the line.
    Line,
    /// Over several lines.
    Text,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str, dialect: Dialect) -> Self {
        Self { text, dialect, unclosed: [0; 3] }
    }

    pub(super) fn rest(&self, at: usize) -> &'a str {
        &self.text[at..]
    }

    pub(super) fn first(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    /// Skips whitespace within a line.
    pub(super) fn skip_whitespace(&self, at: usize) -> usize {
        let rest = self.rest(at);
        at + rest.find(|c: char| c == '\n' || !c.is_whitespace()).unwrap_or(rest.len())
    }

    /// Returns the closing quote of the one at `at`.
    pub(super) fn closing_quote(&mut self, at: usize, reach: QuoteScope) -> Option<usize> {
        let quote = self.first(at)?;
        let escapes = self.is_dollar_quote(at);
        let none = if escapes { 2 } else { "\"'".find(quote)? };
        if at < self.unclosed[none] {
            return None;
        }
        let mut escaped = false;
        for (offset, c) in self.rest(at + 1).char_indices() {
            if c == '\n' && reach == QuoteScope::Line {
                self.unclosed[none] = at + offset;
                return None;
            }
            if c == quote && !escaped {
                return Some(at + 1 + offset);
            }
            escaped = c == '\\' && (quote == '"' || escapes) && !escaped;
        }
        self.unclosed[none] = self.text.len();
        None
    }

    /// Returns `true` for the quote of `$'…'`, in which a shell resolves escapes.
    fn is_dollar_quote(&self, at: usize) -> bool {
        self.dialect != Dialect::Dotenv && self.rest(at).starts_with('\'') && self.text[..at].ends_with('$')
    }

    /// Returns the text between two quotes.
    pub(super) fn inner(&self, open: usize, close: usize) -> Cow<'a, str> {
        let raw = &self.text[open + 1..close];
        let escapes = self.rest(open).starts_with('"') || self.is_dollar_quote(open);
        if escapes { unescape(raw) } else { Cow::Borrowed(raw) }
    }

    /// Returns the word at `at` without quotes, and its range.
    pub(super) fn word(&mut self, at: usize, reach: QuoteScope) -> (Cow<'a, str>, Span) {
        let (mut pieces, mut raw, mut end) = (Vec::new(), at, at);
        while let Some(c) = self.first(end) {
            let piece = match c {
                _ if c.is_ascii_whitespace() || self.is_separator(end) => break,
                '"' | '\'' => self.closing_quote(end, reach).map(|close| (self.inner(end, close), close + 1)),
                // A word continues on the next line, unless the backslash stands apart.
                '\\' if self.joins(end) && (end > at || self.text[..at].ends_with('=')) => {
                    let next = self.rest(end).find('\n').map_or(end + 1, |length| end + length + 1);
                    Some((Cow::Borrowed(""), next))
                }
                // A shell translates the text of `$"…"`.
                '$' if self.dialect != Dialect::Dotenv && self.rest(end + 1).starts_with(['"', '\'']) => {
                    let close = self.closing_quote(end + 1, reach);
                    close.map(|close| (self.inner(end + 1, close), close + 1))
                }
                '\\' => match self.first(end + 1) {
                    None | Some('\n' | '\r') => break,
                    Some(next) => Some((Cow::Borrowed(""), end + 1))
                        .filter(|_| self.dialect == Dialect::Shell || "\"'\\ $`;&|#".contains(next)),
                },
                _ => None,
            };
            let Some((piece, next)) = piece else {
                end = self.end_of_expansion(end).unwrap_or(end + c.len_utf8());
                continue;
            };
            pieces.push(Cow::Borrowed(&self.text[raw..end]));
            pieces.push(piece);
            // Take an escaped character literally.
            let joined = self.text[..next].ends_with('\n');
            end = if c == '\\' && !joined { next + self.first(next).map_or(0, char::len_utf8) } else { next };
            raw = next;
            // A list's punctuation directly after a quote is not part of the value.
            if c != '\\' && self.rest(end).starts_with([',', ')', ']', '}']) {
                break;
            }
        }
        pieces.push(Cow::Borrowed(&self.text[raw..end]));
        (join(pieces), Span { start: at, end })
    }

    /// Returns `true` at a backslash that joins two lines.
    fn joins(&self, at: usize) -> bool {
        let after = &self.rest(at)[1..];
        matches!(self.dialect, Dialect::Shell | Dialect::Dotenv)
            && (after.starts_with('\n') || after.starts_with("\r\n"))
    }

    /// Returns `true` at a character that separates commands.
    fn is_separator(&self, at: usize) -> bool {
        let rest = self.rest(at);
        if self.dialect == Dialect::Shell && [";;", ";&", "&&", "||"].iter().any(|mark| rest.starts_with(mark)) {
            return true;
        }
        let after = rest.strip_prefix(';');
        after.is_some_and(|after| {
            after.is_empty() || after.starts_with(char::is_whitespace) || starts_with_assignment(after)
        })
    }

    /// Returns the end of `$(…)`, `${…}` or `` `…` `` on the same line, which a shell would replace.
    fn end_of_expansion(&self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let line = rest.char_indices().take_while(|&(_, c)| c != '\n');
        if rest.starts_with('`') {
            return line.skip(1).find(|&(_, c)| c == '`').map(|(offset, _)| at + offset + 1);
        }
        let open = rest.strip_prefix('$')?.chars().next().filter(|c| "({".contains(*c))?;
        let close = if open == '(' { ')' } else { '}' };
        let (mut depth, mut end) = (0_usize, at);
        for (offset, c) in line {
            if !c.is_whitespace() {
                end = at + offset + c.len_utf8();
            }
            if c == open {
                depth += 1;
            } else if c == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
        }
        Some(end)
    }
}

/// Resolves `\n`, `\r`, `\t`, `\"` and `\\`. Other backslashes are kept.
pub(super) fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut characters = raw.chars();
    while let Some(c) = characters.next() {
        match (c, characters.clone().next()) {
            ('\\', Some(next)) if "nrt\"\\".contains(next) => {
                out.push(match next {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    other => other,
                });
                characters.next();
            }
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Returns the name of the file in a word, without folders and quotes; of a variable, its name.
pub(super) fn file_name(text: &str, word: Span) -> Span {
    let path = text[word.start..word.end].trim_end_matches(['"', '\'', '}']);
    let name = path.rsplit(['/', '"', '\'', '$', '{']).next().unwrap_or_default();
    Span { start: word.start + path.len() - name.len(), end: word.start + path.len() }
}

/// Returns the length of the name at the start of a text, or 0.
pub(super) fn name_length(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return 0;
    }
    text.find(|c: char| !(c.is_ascii_alphanumeric() || "_.-".contains(c))).unwrap_or(text.len())
}

/// Returns `true` if a text starts with a variable's name and `=`.
pub(super) fn starts_with_assignment(text: &str) -> bool {
    let length = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let name = &text[..length];
    let after = text[length..].strip_prefix('=');
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && after.is_some_and(|after| !after.starts_with('='))
}

/// Joins the pieces of a value. Copies are zeroized.
fn join(mut pieces: Vec<Cow<'_, str>>) -> Cow<'_, str> {
    pieces.retain(|piece| !piece.is_empty());
    if pieces.len() <= 1 {
        return pieces.pop().unwrap_or_default();
    }
    let mut out = String::with_capacity(pieces.iter().map(|piece| piece.len()).sum());
    for piece in pieces {
        out.push_str(&piece);
        if let Cow::Owned(mut copy) = piece {
            copy.zeroize();
        }
    }
    Cow::Owned(out)
}
