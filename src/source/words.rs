//! Words of shells: quotes, escapes, and what a shell would replace, which stays as it stands.

use std::borrow::Cow;

use zeroize::Zeroize;

use super::dotenv::unescape;
use crate::text::Span;

/// Reads words of a text. A quote that is never closed is looked for once.
pub(super) struct Words<'a> {
    pub(super) text: &'a str,
    /// Up to where no single, and no double quote closes another.
    none: [usize; 2],
}

/// Where a quoted piece of a value may end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum QuoteScope {
    /// At the end of the line.
    Line,
    /// Anywhere.
    Text,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, none: [0; 2] }
    }

    pub(super) fn rest(&self, at: usize) -> &'a str {
        &self.text[at..]
    }

    pub(super) fn first(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    /// Where the text goes on after white space within a line.
    pub(super) fn blank(&self, at: usize) -> usize {
        let rest = self.rest(at);
        at + rest.find(|c: char| c == '\n' || !c.is_whitespace()).unwrap_or(rest.len())
    }

    /// Where the quote is closed that is opened at `at`.
    pub(super) fn close(&mut self, at: usize, reach: QuoteScope) -> Option<usize> {
        let quote = self.first(at).filter(|c| *c == '"' || *c == '\'')?;
        let none = usize::from(quote == '"');
        if at < self.none[none] {
            return None;
        }
        let mut escaped = false;
        for (offset, c) in self.rest(at + 1).char_indices() {
            if c == '\n' && reach == QuoteScope::Line {
                self.none[none] = at + 1 + offset;
                return None;
            }
            if c == quote && !escaped {
                return Some(at + 1 + offset);
            }
            escaped = c == '\\' && quote == '"' && !escaped;
        }
        self.none[none] = self.text.len();
        None
    }

    /// What stands between two quotes.
    pub(super) fn inner(&self, open: usize, close: usize) -> Cow<'a, str> {
        let raw = &self.text[open + 1..close];
        if self.rest(open).starts_with('"') { unescape(raw) } else { Cow::Borrowed(raw) }
    }

    /// The word that begins at `at`: its value without quotes, and where it stands.
    pub(super) fn word(&mut self, at: usize, reach: QuoteScope) -> (Cow<'a, str>, Span) {
        let (mut pieces, mut raw, mut end) = (Vec::new(), at, at);
        while let Some(c) = self.first(end) {
            let piece = match c {
                _ if c.is_whitespace() || self.separates(end) => break,
                '"' | '\'' => self.close(end, reach).map(|close| (self.inner(end, close), close + 1)),
                '\\' => match self.first(end + 1) {
                    None | Some('\n' | '\r') => break,
                    Some(next) => Some((Cow::Borrowed(""), end + 1)).filter(|_| "\"'\\ $`;&|#".contains(next)),
                },
                _ => None,
            };
            let Some((piece, next)) = piece else {
                end = self.replaced(end).unwrap_or(end + c.len_utf8());
                continue;
            };
            pieces.push(Cow::Borrowed(&self.text[raw..end]));
            pieces.push(piece);
            // What is escaped is taken as it is.
            end = if c == '\\' { next + self.first(next).map_or(0, char::len_utf8) } else { next };
            raw = next;
            // A mark of a list right behind a quote is none of the value.
            if c != '\\' && self.rest(end).starts_with([',', ')', ']', '}']) {
                break;
            }
        }
        pieces.push(Cow::Borrowed(&self.text[raw..end]));
        (joined(pieces), Span { start: at, end })
    }

    /// Whether a mark stands there that separates commands.
    fn separates(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let after = rest.strip_prefix(';');
        after.is_some_and(|after| after.is_empty() || after.starts_with(char::is_whitespace) || assigns(after))
    }

    /// Where `$(…)`, `${…}` or `` `…` `` ends, which a shell would replace: in the same line.
    fn replaced(&self, at: usize) -> Option<usize> {
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

/// How long the name is that a text begins with; 0 if it begins with none.
pub(super) fn name(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return 0;
    }
    text.find(|c: char| !(c.is_ascii_alphanumeric() || "_.-".contains(c))).unwrap_or(text.len())
}

/// Whether a text begins with the name of a variable and `=`.
pub(super) fn assigns(text: &str) -> bool {
    let length = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let name = &text[..length];
    let after = text[length..].strip_prefix('=');
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && after.is_some_and(|after| !after.starts_with('='))
}

/// The pieces of a value as one. Copies are zeroized.
fn joined(mut pieces: Vec<Cow<'_, str>>) -> Cow<'_, str> {
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
