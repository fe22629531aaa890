//! Parses commands that set variables, and skips the others.

use std::borrow::Cow;

use zeroize::Zeroizing;

use super::{Assignments, Operator};
use crate::programs::{Command, PROGRAMS, Takes};
use crate::source::fault::MAX_VALUES;
use crate::source::parsed;
use crate::source::tree::{Entry, Node, Spot, Value};
use crate::source::words::{self, QuoteScope};
use crate::text::Span;

impl Assignments<'_> {
    /// Parses assignments, flags and names up to the first other word.
    pub(super) fn parse_declarations(&mut self, by: &str) {
        self.shell = self.line.end;
        while self.values < MAX_VALUES {
            self.at = self.words.skip_whitespace(self.at);
            let (rest, at) = (self.rest(), self.at);
            let Some(first) = rest.chars().next() else { return self.end_line() };
            let length = words::name_length(rest);
            if let Some(flag) = variable_flag(rest) {
                self.skip_variable_flag(flag);
            } else if rest.starts_with(['-', '+']) {
                self.skip_short_flag();
            } else if first == '"' || first == '\'' {
                let close = self.words.closing_quote(at, QuoteScope::Text);
                if !close.is_some_and(|close| self.parse_quoted_assignment(close)) {
                    return self.skip_command(None);
                }
                if self.at >= self.next {
                    return self.parse_tail();
                }
            } else if length == 0 {
                return self.tail_or_command();
            } else if rest[length..].starts_with('=') {
                let name = Span { start: at, end: at + length };
                let (value, span) = self.words.word(name.end + 1, QuoteScope::Text);
                self.at = span.end;
                self.push_declared(name, value, span);
                if self.at >= self.next {
                    return self.parse_tail();
                }
            } else if by == "ENV" {
                let name = Span { start: at, end: at + length };
                return self.parse_value(name, Operator { end: name.end, colon: true, before: true, spaced: true });
            } else if let Some(operator) = self.operator_after(at + length).filter(|_| by == "export") {
                return self.parse_value(Span { start: at, end: at + length }, operator);
            } else if by == "export" {
                self.at += length;
            } else {
                return self.tail_or_command();
            }
        }
    }

    /// Adds a value that a command declares. The words `Bearer TOKEN` without quotes were meant as one.
    fn push_declared(&mut self, name: Span, value: Cow<'_, str>, span: Span) {
        let next = self.words.skip_whitespace(span.end);
        let after = self.words.text.get(next..self.line.end).unwrap_or_default();
        let follows = after.starts_with(|c: char| c.is_ascii_alphanumeric()) && !words::starts_with_assignment(after);
        if !value.eq_ignore_ascii_case("bearer") || next == span.end || !follows {
            return self.push_value(name, value, span);
        }
        let (_, word) = self.words.word(next, QuoteScope::Line);
        let whole = Span { start: span.start, end: word.end };
        self.push_value(name, Cow::Borrowed(&self.words.text[whole.start..whole.end]), whole);
        self.at = whole.end;
    }

    fn tail_or_command(&mut self) {
        if self.rest().starts_with(['#', ';', '\\']) { self.parse_tail() } else { self.skip_command(None) }
    }

    /// Parses `set` of Windows and csh (with `=`) and of fish (with a flag). In other shells it sets no variable.
    pub(super) fn parse_set(&mut self, length: usize) {
        let at = self.words.skip_whitespace(self.at + length);
        let rest = self.words.text.get(at..self.line.end).unwrap_or_default();
        let mut words = rest.split_whitespace();
        let fish = |flag: &str| {
            let short = flag.strip_prefix('-').filter(|letters| (1..5).contains(&letters.len()));
            short.is_some_and(|letters| letters.chars().all(|c| "xgUlu".contains(c)))
                || ["--export", "--global", "--universal", "--local"].contains(&flag)
        };
        if let Some(inner) = rest.strip_prefix('"').and_then(|rest| rest.rfind('"')) {
            self.skip_public(length);
            self.at = at;
            let close = at + 1 + inner;
            let equals = at + 1 + words::name_length(&rest[1..]);
            let value = Span { start: equals + 1, end: close };
            if equals > at + 1 && self.words.rest(equals).starts_with('=') {
                let raw = &self.words.text[value.start..value.end];
                self.push_value(Span { start: at + 1, end: equals }, Cow::Borrowed(raw), value);
            }
            return self.end_line();
        }
        if words.next().is_some_and(fish) {
            self.skip_public(length);
            return self.parse_name_and_value();
        }
        let name = Span { start: at, end: at + words::name_length(rest) };
        let operator = self.operator_after(name.end).filter(|operator| name.start < name.end && !operator.colon);
        let Some(operator) = operator else { return self.skip_command(None) };
        self.skip_public(length);
        // Windows keeps quotes and the rest of the line.
        if self.batch && self.words.rest(name.end).starts_with('=') {
            // So are blanks at its end.
            let line = self.words.text[..self.next].trim_end_matches(['\n', '\r']);
            let value = Span { start: name.end + 1, end: line.len() };
            self.push_value(name, Cow::Borrowed(&self.words.text[value.start..value.end]), value);
            return self.end_line();
        }
        self.parse_value(name, operator);
    }

    /// Parses `NAME value` after flags.
    pub(super) fn parse_name_and_value(&mut self) {
        loop {
            self.at = self.words.skip_whitespace(self.at);
            if !self.rest().starts_with(['-', '/']) {
                break;
            }
            self.skip_short_flag();
        }
        let (at, length) = (self.at, words::name_length(self.rest()));
        let value = self.words.skip_whitespace(at + length);
        if length == 0 || value == at + length || value >= self.line.end {
            return self.skip_command(None);
        }
        self.shell = self.line.end;
        self.parse_word(Span { start: at, end: at + length }, value);
    }

    /// Skips a flag. A short flag is public.
    fn skip_short_flag(&mut self) {
        let length = self.rest().find(char::is_whitespace).unwrap_or(self.rest().len());
        let short = length <= 4 && self.rest()[1..length].bytes().all(|byte| byte.is_ascii_alphabetic());
        if short { self.skip_public(length) } else { self.at += length.max(1) }
    }

    /// Parses a container's `-e NAME=value` or `--env NAME=value`, or another command's flag.
    pub(super) fn parse_flag(&mut self) {
        match variable_flag(self.rest()) {
            Some(flag) => {
                self.skip_variable_flag(flag);
                self.parse_declarations("-e");
            }
            None => self.skip_command(None),
        }
    }

    fn skip_variable_flag(&mut self, flag: &str) {
        self.skip_public(flag.len());
        self.at += usize::from(self.rest().starts_with('='));
    }

    /// Parses a line that `echo` or `printf` writes to a file of variables, or that `sed` puts there.
    fn parse_written(&mut self, command: &str) {
        self.at += command.len();
        let words = self.arguments_as_words();
        if command == "sed" {
            let in_place = words.iter().any(|(word, _)| word.starts_with("-i") || **word == "--in-place");
            let file = words.last().filter(|_| in_place).and_then(|(_, word)| self.variables_file(*word));
            for (word, span) in file.iter().flat_map(|_| &words) {
                if let Some((name, value)) = substituted(word) {
                    self.push_written(file.unwrap_or_default(), (&name, *span), value);
                }
            }
            return;
        }
        let Some(file) = self.output_file().and_then(|word| self.variables_file(word)) else { return };
        let mut words = words.into_iter().skip_while(|(word, _)| matches!(&***word, "-e" | "-n" | "-ne" | "-en"));
        let Some((first, span)) = words.next() else { return };
        let Some((name, value)) = first.strip_prefix("export ").unwrap_or(&first).split_once('=') else { return };
        let mut rest = words.map(|(word, _)| word);
        let value = match (command, value.starts_with("%s")) {
            ("printf", true) => rest.next().unwrap_or_default(),
            ("printf", false) if value.contains('%') => return,
            ("printf", false) => Zeroizing::new(value.trim_end_matches("\\n").trim_end().to_owned()),
            _ => Zeroizing::new(rest.fold(value.to_owned(), |line, word| line + " " + &word)),
        };
        let is_line = words::name_length(name) == name.len() && !value.contains('\n');
        if is_line && !name.is_empty() {
            // The runner of a workflow keeps quotes.
            let kept = self.words.rest(file.start).starts_with("GITHUB_ENV");
            let plain = if kept { &value } else { parsed::unquoted(&value) };
            self.push_written(file, (name, span), Zeroizing::new(plain.to_owned()));
        }
    }

    /// Returns the word with the file that a command writes to: behind `>`, or behind `| tee`.
    fn output_file(&mut self) -> Option<Span> {
        let rest = self.rest();
        let piped = rest.strip_prefix('|').map(str::trim_start);
        let tee = piped.is_some_and(|command| command.starts_with("tee ") || command.starts_with("sudo tee "));
        let mut at = self.at + rest.find(|c| !['>', '|'].contains(&c)).filter(|length| *length > 0)?;
        if piped.is_some() && !tee {
            return None;
        }
        loop {
            let (word, span) = self.words.word(self.words.skip_whitespace(at), QuoteScope::Line);
            if !["tee", "sudo", "-a"].contains(&&*word) {
                return Some(span);
            }
            at = span.end;
        }
    }

    /// Returns the name of a file, if that has variables: `.env`, `"$GITHUB_ENV"`, `~/.bashrc`.
    fn variables_file(&self, word: Span) -> Option<Span> {
        const NAMES: [&str; 6] = ["github_env", "bash_env", "environment", ".bashrc", ".zshrc", ".profile"];
        let span = words::file_name(self.words.text, word);
        let name = self.words.text[span.start..span.end].to_ascii_lowercase();
        (name.contains(".env") || NAMES.contains(&&*name)).then_some(span)
    }

    /// Adds a line that is written to a file, whose lines are one table.
    fn push_written(&mut self, file: Span, (name, word): (&str, Span), value: Zeroizing<String>) {
        let text = self.words.text;
        let start = word.start + text[word.start..word.end].find(name).unwrap_or(0);
        let at = Span { start, end: (start + name.len()).min(word.end) };
        let span = Span { start: (at.end + 1).min(word.end), end: word.end };
        let value = parsed::string(Cow::Borrowed(&value), span, self.source, self.vault);
        let entry = Entry { key: name.to_owned(), at: Spot { source: self.source, span: at }, value };
        let (key, at) = parsed::key(text, file, self.source);
        let entries = self.blocks.last_mut().map_or(&mut self.root, |block| &mut block.entries);
        self.values += 1;
        match entries.last_mut() {
            Some(Entry { key: last, value: Value { node: Node::Table(lines), .. }, .. }) if *last == key => {
                lines.push(entry);
            }
            _ => entries.push(Entry { key, at, value: parsed::table(vec![entry], self.source, file) }),
        }
    }

    /// Parses the arguments of a program's command as a separate table.
    fn parse_arguments(&mut self, command: &'static Command, length: usize) {
        let start = self.at;
        self.skip_public(length);
        let mut words = self.arguments_as_words();
        if let Takes::Words(names) = command.takes {
            words = without_flag_values(words, names.len());
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
        self.push_entry(Entry { key: command.words.join("."), at, value });
    }

    /// Returns the words up to the end of the command, without quotes. Empty if they can't be determined.
    fn arguments_as_words(&mut self) -> Vec<(Zeroizing<String>, Span)> {
        let mut found = Vec::new();
        loop {
            self.at = self.words.skip_whitespace(self.at);
            let rest = self.rest();
            if rest == "\\" {
                self.skip_public(1);
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
    pub(super) fn skip_command(&mut self, name: Option<Span>) {
        self.shell = self.line.end;
        // These commands only print text.
        let (start, mut within) = (self.at, false);
        let spoken = ["echo", "printf"].iter().any(|word| self.rest().starts_with(word));
        let first = self.rest().split(char::is_whitespace).next();
        if let Some(command) = ["echo", "printf", "sed"].into_iter().find(|command| first == Some(*command)) {
            self.parse_written(command);
        }
        loop {
            self.at = self.words.skip_whitespace(self.at);
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { return self.end_line() };
            let before = self.words.text[..self.at].chars().next_back();
            let begins = before.is_none_or(|c| c.is_whitespace() || ";&|(".contains(c));
            if let Some((command, length)) = Some(rest).filter(|_| begins && !spoken).and_then(known_command) {
                self.parse_arguments(command, length);
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
                '-' if variable_flag(rest).is_some() => return,
                '"' | '\'' => match self.words.closing_quote(self.at, QuoteScope::Line) {
                    Some(close) => self.at = close + 1,
                    None => self.at += 1,
                },
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "\"';".contains(c)).unwrap_or(rest.len());
                    let (word, first_word) = (&rest[..end], self.at == start);
                    self.at += end.max(first.len_utf8());
                    // The pattern of an arm of `case`.
                    if (first_word || within) && word.ends_with(')') && !word.contains('(') {
                        return;
                    }
                    within = word == "in";
                }
            }
        }
    }
}

/// Removes the values of flags, if the number of words shows which they are. Otherwise returns nothing, because it is
/// unknown whether a value follows a flag.
fn without_flag_values(mut words: Vec<(Zeroizing<String>, Span)>, names: usize) -> Vec<(Zeroizing<String>, Span)> {
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

/// Returns the known command at the start of a text, and the length of its words. A path may precede the program, and a
/// tag may follow an image.
fn known_command(text: &str) -> Option<(&'static Command, usize)> {
    let first = text.split(|c: char| c.is_whitespace() || ";&|()<>".contains(c)).next()?;
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

/// Returns the name and the value that `s|OLD|NAME=value|` of sed writes.
fn substituted(word: &str) -> Option<(String, Zeroizing<String>)> {
    let delimiter = word.strip_prefix('s')?.chars().next().filter(char::is_ascii_punctuation)?;
    let body = Zeroizing::new(word[2..].replace(&format!("\\{delimiter}"), "\0"));
    let mut parts = body.split(delimiter).skip(1);
    let (new, _) = (parts.next()?, parts.next()?);
    let (name, value) = new.split_once('=')?;
    let plain = !name.is_empty() && words::name_length(name) == name.len() && !value.contains(['\\', '&']);
    plain.then(|| (name.to_owned(), Zeroizing::new(value.replace('\0', delimiter.encode_utf8(&mut [0; 4])))))
}

/// Returns the flag at the start of a text, if it passes a variable to a container or an image, or a value to a Secret.
fn variable_flag(text: &str) -> Option<&'static str> {
    ["-e", "--env", "--build-arg", "--from-literal"].into_iter().find(|flag| {
        let after = text.strip_prefix(flag);
        after.is_some_and(|after| after.starts_with(|c: char| c.is_whitespace() || c == '='))
    })
}
