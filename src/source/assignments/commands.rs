//! Parses commands that set variables, and skips the others.

use std::borrow::Cow;

use zeroize::Zeroizing;

use super::{Assignments, Operator};
use crate::programs::{Command, PROGRAMS, Takes};
use crate::source::fault::MAX_VALUES;
use crate::source::parsed;
use crate::source::tree::{Entry, Spot};
use crate::source::words::{self, QuoteScope};
use crate::text::Span;

impl Assignments<'_> {
    /// Parses assignments, flags and names up to the first other word.
    pub(super) fn declared(&mut self, by: &str) {
        self.shell = self.line.end;
        while self.values < MAX_VALUES {
            self.at = self.words.blank(self.at);
            let (rest, at) = (self.rest(), self.at);
            let Some(first) = rest.chars().next() else { return self.end_line() };
            let length = words::name(rest);
            if rest.starts_with(['-', '+']) {
                self.short_flag();
            } else if first == '"' || first == '\'' {
                let close = self.words.close(at, QuoteScope::Text);
                if !close.is_some_and(|close| self.quoted_assignment(close)) {
                    return self.command(None);
                }
                if self.at >= self.next {
                    return self.tail();
                }
            } else if length == 0 {
                return self.tail_or_command();
            } else if rest[length..].starts_with('=') {
                let name = Span { start: at, end: at + length };
                let (value, span) = self.words.word(name.end + 1, QuoteScope::Text);
                self.entry(name, value, span);
                self.at = span.end;
                if self.at >= self.next {
                    return self.tail();
                }
            } else if by == "ENV" {
                let name = Span { start: at, end: at + length };
                return self.assign(name, Operator { end: name.end, colon: true, before: true, spaced: true });
            } else if let Some(operator) = self.operator(at + length).filter(|_| by == "export") {
                return self.assign(Span { start: at, end: at + length }, operator);
            } else if by == "export" {
                self.at += length;
            } else {
                return self.tail_or_command();
            }
        }
    }

    fn tail_or_command(&mut self) {
        if self.rest().starts_with(['#', ';', '\\']) { self.tail() } else { self.command(None) }
    }

    /// Parses `set` of Windows and csh (with `=`) and of fish (with a flag). In other shells it sets no variable.
    pub(super) fn set(&mut self, length: usize) {
        let at = self.words.blank(self.at + length);
        let rest = self.words.text.get(at..self.line.end).unwrap_or_default();
        let mut words = rest.split_whitespace();
        let fish = |flag: &str| {
            let short = flag.strip_prefix('-').filter(|letters| (1..5).contains(&letters.len()));
            short.is_some_and(|letters| letters.chars().all(|c| "xgUlu".contains(c)))
                || ["--export", "--global", "--universal", "--local"].contains(&flag)
        };
        if let Some(inner) = rest.strip_prefix('"').and_then(|rest| rest.rfind('"')) {
            self.mark(length);
            self.at = at;
            let close = at + 1 + inner;
            let equals = at + 1 + words::name(&rest[1..]);
            let value = Span { start: equals + 1, end: close };
            if equals > at + 1 && self.words.rest(equals).starts_with('=') {
                let raw = &self.words.text[value.start..value.end];
                self.entry(Span { start: at + 1, end: equals }, Cow::Borrowed(raw), value);
            }
            return self.end_line();
        }
        if words.next().is_some_and(fish) {
            self.mark(length);
            return self.name_and_value();
        }
        let name = Span { start: at, end: at + words::name(rest) };
        let operator = self.operator(name.end).filter(|operator| name.start < name.end && !operator.colon);
        let Some(operator) = operator else { return self.command(None) };
        self.mark(length);
        // Windows keeps quotes, and whatever else stands in the line.
        if self.batch && self.words.rest(name.end).starts_with('=') {
            let value = Span { start: name.end + 1, end: self.line.end };
            self.entry(name, Cow::Borrowed(&self.words.text[value.start..value.end]), value);
            return self.end_line();
        }
        self.assign(name, operator);
    }

    /// Parses `NAME value` after flags.
    pub(super) fn name_and_value(&mut self) {
        loop {
            self.at = self.words.blank(self.at);
            if !self.rest().starts_with(['-', '/']) {
                break;
            }
            self.short_flag();
        }
        let (at, length) = (self.at, words::name(self.rest()));
        let value = self.words.blank(at + length);
        if length == 0 || value == at + length || value >= self.line.end {
            return self.command(None);
        }
        self.shell = self.line.end;
        self.word(Span { start: at, end: at + length }, value);
    }

    /// Skips a flag. A short flag is public.
    fn short_flag(&mut self) {
        let length = self.rest().find(char::is_whitespace).unwrap_or(self.rest().len());
        let short = length <= 4 && self.rest()[1..length].bytes().all(|byte| byte.is_ascii_alphabetic());
        if short { self.mark(length) } else { self.at += length.max(1) }
    }

    /// Parses a container's `-e NAME=value` or `--env NAME=value`, or another command's flag.
    pub(super) fn flag(&mut self) {
        let rest = self.rest();
        match is_variable_flag(rest) {
            Some(flag) => {
                self.mark(flag.len());
                self.at += usize::from(self.rest().starts_with('='));
                self.declared("-e");
            }
            None => self.command(None),
        }
    }

    /// Parses what a program's command takes, as a table of its own.
    fn arguments(&mut self, command: &'static Command, length: usize) {
        let start = self.at;
        self.mark(length);
        let mut words = self.arguments_as_words();
        if let Takes::Words(names) = command.takes {
            words = without_values(words, names.len());
        }
        let (text, source, vault) = (self.words.text, self.source, &mut *self.vault);
        let mut entries = Vec::new();
        let mut take = |key: &str, at: Span, value: &str, span: Span| {
            let value = parsed::string(Cow::Borrowed(value), span, source, vault);
            entries.push(Entry { key: key.to_owned(), at: Spot { source, span: at }, value });
        };
        let (mut plain, mut words) = (0, words.iter());
        while let Some((word, span)) = words.next() {
            let bare = word.trim_start_matches('-');
            let dashes = word.len() - bare.len();
            let (name, value) = bare.split_once('=').map_or((bare, None), |(name, value)| (name, Some(value)));
            let (key, behind) = if text[span.start..].starts_with(&word[..dashes + name.len()]) {
                let (start, end) = (span.start + dashes, span.start + dashes + name.len());
                (Span { start, end }, Span { start: (end + 1).min(span.end), end: span.end })
            } else {
                (*span, *span)
            };
            match command.takes {
                Takes::Words(names) if dashes == 0 => {
                    if let Some(name) = names.get(plain) {
                        take(name, *span, word, *span);
                    }
                    plain += 1;
                }
                Takes::Assignments if dashes == 0 => {
                    if let Some(value) = value {
                        take(name, key, value, behind);
                    }
                }
                Takes::Address(beginning) if word.starts_with(beginning) => take("url", *span, word, *span),
                Takes::Flags(flags) | Takes::Settings(flags) if dashes > 0 && flags.contains(&name) => {
                    let (value, span) = match value {
                        Some(value) => (value, behind),
                        None => match words.next() {
                            Some((value, span)) => (value.as_str(), *span),
                            None => break,
                        },
                    };
                    if matches!(command.takes, Takes::Flags(_)) {
                        take(name, key, value, span);
                        continue;
                    }
                    // An escaped comma is part of a value, and braces hold a list.
                    for (name, value) in value.split(',').filter_map(|part| part.split_once('=')) {
                        if !value.contains(['\\', '{', '}']) {
                            take(name, span, value, span);
                        }
                    }
                }
                _ => {}
            }
        }
        self.values += entries.len();
        let value = parsed::table(entries, source, Span { start, end: self.at });
        let at = Spot { source, span: Span { start, end: start } };
        self.push(Entry { key: command.words.join("."), at, value });
    }

    /// Returns the words up to the end of the command, without quotes. None if it is not clear which they are.
    fn arguments_as_words(&mut self) -> Vec<(Zeroizing<String>, Span)> {
        let mut found = Vec::new();
        loop {
            self.at = self.words.blank(self.at);
            let rest = self.rest();
            if rest == "\\" {
                self.mark(1);
                (self.at, self.next) = (self.next, 0);
                self.begin_line();
                self.shell = self.line.end;
                continue;
            }
            if rest.is_empty() || rest.starts_with([';', '&', '|', '<', '>', '#', ')']) {
                return found;
            }
            let (word, span) = self.words.word(self.at, QuoteScope::Line);
            let word = Zeroizing::new(word.into_owned());
            if span.end == span.start || found.len() >= MAX_VALUES {
                return found;
            }
            self.at = span.end;
            // A template's expression may be several words.
            if word.contains("{{") && !word.contains("}}") {
                return Vec::new();
            }
            found.push((word, span));
        }
    }

    /// Skips a command up to the next one, or to the variables that it passes to a container.
    pub(super) fn command(&mut self, name: Option<Span>) {
        self.shell = self.line.end;
        // These only say what to type.
        let spoken = ["echo", "printf"].iter().any(|word| self.rest().starts_with(word));
        loop {
            self.at = self.words.blank(self.at);
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { return self.end_line() };
            let before = self.words.text[..self.at].chars().next_back();
            let begins = before.is_none_or(|c| c.is_whitespace() || ";&|(".contains(c));
            if let Some((command, length)) = Some(rest).filter(|_| begins && !spoken).and_then(known) {
                self.arguments(command, length);
                continue;
            }
            match first {
                '#' => return self.end_line(),
                ';' | '&' | '|' | '(' | ')' => {
                    self.at += 1;
                    return;
                }
                '{' if rest.len() == 1 || rest[1..].starts_with(char::is_whitespace) => {
                    self.open_block(name.filter(|_| rest.len() == 1));
                    self.at += 1;
                    return;
                }
                '-' if is_variable_flag(rest).is_some() => return,
                '"' | '\'' => match self.words.close(self.at, QuoteScope::Line) {
                    Some(close) => self.at = close + 1,
                    None => self.at += 1,
                },
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "\"';".contains(c)).unwrap_or(rest.len());
                    self.at += end.max(first.len_utf8());
                }
            }
        }
    }
}

/// Leaves out the values of flags, where the number of words tells which they are. Nothing is left where it does not: whether a
/// value follows a flag is not known.
fn without_values(mut words: Vec<(Zeroizing<String>, Span)>, names: usize) -> Vec<(Zeroizing<String>, Span)> {
    let is_flag = |(word, _): &(Zeroizing<String>, Span)| word.starts_with('-');
    let open = |pair: &[_]| is_flag(&pair[0]) && !pair[0].0.contains('=') && !is_flag(&pair[1]);
    let values: Vec<usize> = (1..words.len()).filter(|at| open(&words[at - 1..=*at])).collect();
    let plain = words.iter().filter(|word| !is_flag(word)).count();
    if !values.is_empty() && plain != names + values.len() {
        return Vec::new();
    }
    for at in values.into_iter().rev() {
        words.remove(at);
    }
    words
}

/// Returns the command of a program that a text begins with, and the length of its words. Folders may precede it, and an image has a tag.
fn known(text: &str) -> Option<(&'static Command, usize)> {
    let first = text.split(char::is_whitespace).next()?;
    let name = first.rsplit('/').next()?.split(':').next()?;
    let commands = PROGRAMS.iter().flat_map(|program| program.commands);
    let mut named = commands.filter(|command| command.words[0] == name);
    named.find_map(|command| {
        let mut end = first.len();
        for word in &command.words[1..] {
            let rest = &text[end..];
            end += rest.len() - rest.trim_start().strip_prefix(word)?.len();
        }
        let ends = text[end..].chars().next().is_none_or(char::is_whitespace);
        ends.then_some((command, end))
    })
}

/// Returns the flag at the start of a text, if it passes a variable to a container.
fn is_variable_flag(text: &str) -> Option<&'static str> {
    ["-e", "--env"].into_iter().find(|flag| {
        let after = text.strip_prefix(flag);
        after.is_some_and(|after| after.starts_with(|c: char| c.is_whitespace() || c == '='))
    })
}
