//! Parses assignments as in dotenv files, shell scripts, systemd units, Dockerfiles and `*.tfvars`. Nothing is
//! expanded; other text is skipped, and nothing is an error.

mod commands;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use zeroize::Zeroizing;

use super::document::Dialect;
use super::fault::{MAX_DEPTH, MAX_VALUES};
use super::parsed::{self, Parsed};
use super::tree::{Entry, Node, SourceId, Spot, Value};
use super::variables::PREFIX;
use super::words::{self, QuoteScope, Words, unescape};
use crate::secret::Vault;
use crate::text::Span;

/// Words before assignments, each of which is a separate word.
const DECLARE: [&str; 6] = ["export", "declare", "typeset", "local", "readonly", "arg"];
/// Words that precede another command.
const PREFIXES: [&str; 8] = ["then", "do", "else", "sudo", "exec", "time", "command", "run"];

/// Parses a text, except for the parts that were read as something else, whose entries are included. Each line of a
/// dotenv file stands for itself, unless a quoted value continues: nothing opens a comment, a list or a block.
pub(super) fn parse(
    text: &str,
    dialect: Dialect,
    source: SourceId,
    vault: &mut Vault,
    parts: Vec<(Span, Vec<Entry>)>,
) -> Parsed {
    let mut parts = parts.into_iter().peekable();
    let mut reader = Assignments {
        words: Words::new(text, dialect),
        source,
        vault,
        at: 0,
        line: Span { start: 0, end: 0 },
        next: 0,
        shell: 0,
        script: dialect == Dialect::Shell,
        dotenv: dialect == Dialect::Dotenv,
        root: Vec::new(),
        blocks: Vec::new(),
        open: Vec::new(),
        marks: Vec::new(),
        comments: Vec::new(),
        hidden: Vec::new(),
        values: 0,
        appended: 0,
        unclosed: false,
        unit: false,
        plain: is_dotenv_text(text),
        batch: is_batch(text),
    };
    while reader.at < text.len() && reader.values < MAX_VALUES {
        let before = reader.at;
        if let Some((part, entries)) = parts.next_if(|(part, _)| part.start <= before) {
            reader.root.extend(entries);
            (reader.at, reader.next) = (part.end.max(before), 0);
            continue;
        }
        reader.begin_line();
        reader.parse_statement();
        if reader.at <= before {
            reader.at = reader.next;
        }
    }
    let cut = !text[reader.at..].trim().is_empty();
    while let Some(block) = reader.blocks.pop() {
        reader.close_block(block);
    }
    let (marks, hidden) = (std::mem::take(&mut reader.marks), std::mem::take(&mut reader.hidden));
    let comments = std::mem::take(&mut reader.comments);
    Parsed { marks, comments, hidden, cut, ..Parsed::table(reader.root, source, text.len()) }
}

struct Assignments<'a> {
    words: Words<'a>,
    source: SourceId,
    vault: &'a mut Vault,
    at: usize,
    /// The current line, without its line break.
    line: Span,
    /// The start of the next line.
    next: usize,
    /// The end of the current command, whose words are separate.
    shell: usize,
    /// True if each line is a command.
    script: bool,
    /// True for a dotenv file.
    dotenv: bool,
    root: Vec<Entry>,
    /// Open blocks with a name.
    blocks: Vec<Block>,
    /// For each open brace, whether it opened a block with a name.
    open: Vec<bool>,
    marks: Vec<Span>,
    /// Comments that don't start with `#`.
    comments: Vec<(Span, bool)>,
    /// Where what looks like a name may be part of a value.
    hidden: Vec<Span>,
    values: usize,
    /// The number of `NAME+=value`.
    appended: usize,
    /// True if an unclosed bracket was found, so that the search is not repeated.
    unclosed: bool,
    /// True in a setting of systemd and the lines that continue it, where `%` begins a specifier. Source:
    /// <https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html#Specifiers>.
    unit: bool,
    /// True if the text has only `NAME=value` lines, so that a `;` at the end of a line is part of the value.
    plain: bool,
    /// True for a Windows batch file.
    batch: bool,
}

/// Returns `true` for a text with a command that only Windows has, or with only `set NAME=` lines and no quotes: a C
/// shell would remove quotes.
fn is_batch(text: &str) -> bool {
    const OWN: [&str; 5] = ["@echo ", "@setlocal", "setlocal", "rem ", "set /"];
    let begins = |line: &str, word: &str| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let sets = |line: &str| {
        let name = line.get(4..).filter(|_| begins(line, "set ")).map_or(0, words::name_length);
        name > 0 && line[4 + name..].starts_with('=') && !line[5 + name..].starts_with(['"', '\''])
    };
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    let only_sets = lines.peek().is_some() && lines.all(sets);
    only_sets || text.lines().any(|line| OWN.iter().any(|word| begins(line.trim_start(), word)))
}

/// Returns `true` for a text that has only lines of a dotenv file, and no shell command.
fn is_dotenv_text(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let assigns = |rest: &str| words::starts_with_assignment(rest) && !is_connection_string_part(rest);
    let several = |line: &str| line.split(';').skip(1).any(|rest| assigns(rest.trim_start()));
    !text.starts_with("#!") && lines.all(|line| words::starts_with_assignment(line) && !several(line))
}

/// Returns `true` for the part after a `;` in a connection string: its name is like `AccountKey`, and it is not a
/// variable.
fn is_connection_string_part(text: &str) -> bool {
    let (name, rest) = text.split_at(words::name_length(text));
    rest.starts_with('=') && name.contains(char::is_lowercase) && name.contains(char::is_uppercase)
}

/// Returns the length of the schedule at the start of a crontab line, or 0.
fn schedule_length(line: &str) -> usize {
    // Months and days have names.
    let is_time = |field: &str, named: bool| {
        let letter = |byte: &u8| b"*/,-".contains(byte) || named && byte.is_ascii_alphabetic();
        !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit() || letter(&byte))
    };
    if let Some(rest) = line.strip_prefix('@').filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())) {
        let word = rest.find([' ', '\t']).map_or("", |length| &rest[..length]);
        let known = ["reboot", "yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly"];
        return if known.contains(&word) { word.len() + 2 } else { 0 };
    }
    let mut rest = line;
    for index in 0..5 {
        let (field, after) = rest.split_once([' ', '\t']).unwrap_or_default();
        if !is_time(field, index > 2) {
            return 0;
        }
        rest = after.trim_start();
    }
    // The table of the system has a user before the command.
    let user = rest.find([' ', '\t']).unwrap_or(0);
    let named = rest[..user].bytes().all(|byte| byte.is_ascii_lowercase() || b"_-".contains(&byte));
    let command = rest[user..].trim_start();
    let before = if user > 0 && named && words::starts_with_assignment(command) { command } else { rest };
    line.len() - before.len()
}

/// `name = {` and its content.
struct Block {
    key: String,
    at: Spot,
    start: usize,
    /// The line of the opening brace.
    line: usize,
    entries: Vec<Entry>,
}

/// The operator between a name and its value.
#[derive(Clone, Copy)]
struct Operator {
    /// The earliest start of the value.
    end: usize,
    colon: bool,
    /// True if whitespace precedes it.
    before: bool,
    /// True if whitespace precedes or follows it.
    spaced: bool,
}

impl<'a> Assignments<'a> {
    fn begin_line(&mut self) {
        if self.at < self.next {
            return;
        }
        let before = &self.words.text[..self.at];
        let goes_on = |line: &str| line.strip_suffix('\\').is_some_and(|line| !line.ends_with(char::is_whitespace));
        let goes_on = before.strip_suffix('\n').is_some_and(|line| goes_on(line.trim_end_matches('\r')));
        self.unit = self.unit && before.strip_suffix('\n').is_some_and(|line| line.trim_end().ends_with('\\'));
        let rest = self.words.rest(self.at);
        let length = rest.find('\n').unwrap_or(rest.len());
        self.line = Span { start: self.at, end: self.at + rest[..length].trim_ascii_end().len() };
        self.next = (self.at + length + 1).min(self.words.text.len());
        if goes_on {
            self.hidden.push(self.line);
        }
        self.at += if self.dotenv { 0 } else { schedule_length(self.rest()) };
        if self.script || self.at > self.line.start {
            self.shell = self.line.end;
        }
    }

    fn rest(&self) -> &'a str {
        self.words.text.get(self.at..self.line.end).unwrap_or_default()
    }

    fn end_line(&mut self) {
        self.at = self.at.max(self.next);
    }

    /// Skips a comment that reaches to the end of the line.
    fn end_comment(&mut self) {
        let alone = self.words.text[self.line.start..self.at].trim().is_empty();
        if !self.dotenv && !self.script {
            self.comments.push((Span { start: self.at, end: self.line.end }, alone));
        }
        self.end_line();
    }

    /// Marks the next bytes as public, and skips them.
    fn skip_public(&mut self, length: usize) {
        self.marks.push(Span { start: self.at, end: self.at + length });
        self.at += length;
    }

    fn parse_statement(&mut self) {
        self.at = self.words.skip_whitespace(self.at).max(self.at);
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return self.end_line() };
        match first {
            '#' => self.end_line(),
            ';' if self.script && self.at > self.line.start => self.at += 1,
            ';' => self.end_comment(),
            '/' if rest.starts_with("//") => self.end_comment(),
            '/' if rest.starts_with("/*") && !self.dotenv => self.skip_to("*/"),
            ':' if rest.starts_with("::") => self.end_comment(),
            '[' if rest.ends_with(']') && !rest[1..].starts_with(char::is_whitespace) => self.end_line(),
            '}' => self.close_brace(),
            '{' if !self.dotenv => {
                self.open.push(false);
                self.at += 1;
            }
            ',' | ')' | ']' | '(' | '{' => self.at += 1,
            '-' if rest.starts_with("- ") => self.at += 2,
            '-' => self.parse_flag(),
            '@' => self.skip_public(1),
            '"' | '\'' => self.parse_quoted(),
            '$' if rest.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("$env:")) => {
                self.skip_public(5);
                self.parse_named();
            }
            _ => self.parse_named(),
        }
    }

    /// Skips a multi-line comment.
    fn skip_to(&mut self, mark: &str) {
        let found = if self.unclosed { None } else { self.words.rest(self.at).find(mark) };
        match found {
            Some(offset) => {
                self.at += offset + mark.len();
            }
            None => {
                self.unclosed = true;
                self.end_line();
            }
        }
    }

    /// Parses text that starts with a quote: a quoted name, or a quoted assignment.
    fn parse_quoted(&mut self) {
        let open = self.at;
        let Some(close) = self.words.closing_quote(open, QuoteScope::Line) else { return self.skip_command(None) };
        let inner = &self.words.text[open + 1..close];
        if let Some(operator) = self.operator_after(close + 1).filter(|_| !inner.is_empty()) {
            return self.parse_value(Span { start: open, end: close + 1 }, operator);
        }
        // In a script it is a command, or a word of the command above, which may do anything with it.
        if !self.script && self.parse_quoted_assignment(close) { self.parse_tail() } else { self.skip_command(None) }
    }

    /// Parses `"NAME=value"` up to the quote at `close`.
    fn parse_quoted_assignment(&mut self, close: usize) -> bool {
        let (text, open) = (self.words.text, self.at);
        let length = words::name_length(&text[open + 1..close]);
        let equals = open + 1 + length;
        if length == 0 || !text[equals..close].starts_with('=') {
            return false;
        }
        let raw = &text[equals + 1..close];
        let value = if text[open..].starts_with('"') { unescape(raw) } else { Cow::Borrowed(raw) };
        self.push_value(Span { start: open + 1, end: equals }, value, Span { start: equals + 1, end: close });
        self.at = close + 1;
        true
    }

    /// Parses text that starts with a name or another word.
    fn parse_named(&mut self) {
        let (rest, at) = (self.rest(), self.at);
        let length = words::name_length(rest);
        let name = Span { start: at, end: at + length };
        if self.script && length > 0 && rest[length..].starts_with("+=") {
            return self.parse_appended(name);
        }
        // The recipe of a rule of make begins with a tab.
        let is_rule =
            |operator: &Operator| operator.colon && !self.dotenv && self.words.rest(self.next).starts_with('\t');
        let operator = if length == 0 { None } else { self.operator_after(name.end) };
        let operator = operator.filter(|operator| !is_rule(operator));
        let word = rest[..length].to_ascii_lowercase();
        if let Some(operator) = operator {
            let value = self.words.skip_whitespace(operator.end);
            let first = self.words.rest(value).trim_start_matches(['"', '\'']);
            if &rest[..length] == "Environment" && !operator.colon && words::starts_with_assignment(first) {
                self.skip_public(length);
                self.at = operator.end;
                self.unit = true;
                return self.parse_declarations("Environment");
            }
            return self.parse_value(name, operator);
        }
        let alone = rest[length..].is_empty() || rest[length..].starts_with(char::is_whitespace);
        match word.as_str() {
            "rem" if alone => self.end_comment(),
            "set" if alone => self.parse_set(length),
            "setx" | "setenv" if alone => {
                self.skip_public(length);
                self.parse_name_and_value();
            }
            "env" if alone => {
                let docker = &rest[..length] == "ENV";
                self.skip_public(length);
                self.parse_declarations(if docker { "ENV" } else { "env" });
            }
            // `export A=two words` is one value to all programs but a shell.
            "export" if alone && self.dotenv && words::starts_with_assignment(rest[length..].trim_start()) => {
                self.skip_public(length);
            }
            _ if alone && DECLARE.contains(&word.as_str()) => {
                self.skip_public(length);
                self.parse_declarations("export");
            }
            _ if alone && PREFIXES.contains(&word.as_str()) => {
                self.at += length;
                self.shell = self.line.end;
            }
            _ => self.skip_command(Some(name).filter(|_| alone && length > 0)),
        }
    }

    /// Parses `NAME+=value` of a shell.
    fn parse_appended(&mut self, name: Span) {
        /// Each copies the value so far.
        const MOST: (usize, usize) = (1000, 16 * 1024);
        let (value, span) = self.words.word(name.end + 2, QuoteScope::Text);
        let key = &self.words.text[name.start..name.end];
        let entries = self.blocks.last_mut().map_or(&mut self.root, |block| &mut block.entries);
        let before = entries.iter_mut().rev().find(|entry| entry.key == key);
        self.appended += 1;
        match before.map(|entry| &mut entry.value) {
            Some(Value { node: Node::Scalar(_, handle), .. }) if self.appended <= MOST.0 => {
                #[expect(clippy::disallowed_methods, reason = "joins a value and what a script appends to it")]
                let joined = Zeroizing::new(self.vault.open(*handle).to_owned() + &value);
                if joined.len() <= MOST.1 {
                    *handle = self.vault.store(&joined);
                }
            }
            Some(_) => {}
            None => self.push_value(name, value, span),
        }
        self.at = span.end;
        self.parse_tail();
    }

    /// Returns the operator after a name that ends at `at`.
    fn operator_after(&self, at: usize) -> Option<Operator> {
        let start = self.words.skip_whitespace(at);
        let rest = self.words.text.get(start..self.line.end)?;
        let found = [":=", "::=", "?=", "=>"].iter().find(|mark| rest.starts_with(**mark));
        let length = match (found, rest.chars().next()?) {
            (Some(mark), _) => mark.len(),
            (None, '=' | ':') => 1,
            _ => return None,
        };
        let (colon, after) = (rest.starts_with(':') && length == 1, &rest[length..]);
        let (before, behind) = (start > at, after.starts_with(char::is_whitespace));
        let comparison = before && length == 1 && after.starts_with(['=', '~']);
        // The colon of an address.
        let other = colon && !behind && !after.is_empty();
        (!comparison && !other).then_some(Operator { end: start + length, colon, before, spaced: before || behind })
    }

    /// Parses the value after an operator.
    fn parse_value(&mut self, name: Span, operator: Operator) {
        let blank = self.words.skip_whitespace(operator.end).min(self.line.end.max(operator.end));
        // All programs treat a non-ASCII space as part of the value.
        let spaces = &self.words.text[operator.end..blank];
        let at = blank - spaces.trim_ascii_start().len();
        self.at = at;
        let rest = self.rest();
        let starts_block = |mark: &str| !self.dotenv && (rest == mark || (operator.spaced && rest.starts_with(mark)));
        let list = rest.starts_with('(') && (rest.len() == 1 || rest.ends_with(')')) && !self.dotenv;
        let opens = operator.colon && ["|", ">", "|-", ">-"].contains(&rest) || rest.starts_with("<<");
        // Right behind the sign, some readers of dotenv files keep it, and most take the value for empty.
        let comment = rest.starts_with('#') && at > operator.end || self.dotenv && rest.starts_with("# ");
        if rest.is_empty() || comment {
            if !operator.colon {
                self.push_value(name, Cow::Borrowed(""), Span { start: operator.end, end: operator.end });
            }
            return self.end_line();
        }
        if starts_block("{") && !rest.starts_with("{{") {
            self.open_block(Some(name));
            self.at += 1;
        } else if starts_block("[") || list {
            self.skip_brackets();
        } else if opens && !self.dotenv {
            self.end_line();
        } else if rest.starts_with(['"', '\'']) && self.words.closing_quote(at, QuoteScope::Text).is_some() {
            self.parse_quoted_value(name, operator);
        } else if at <= self.shell && !operator.colon {
            self.parse_word(name, if operator.before { at } else { operator.end });
        } else {
            self.parse_bare_value(name, operator);
        }
    }

    /// Parses a value that starts with a quote.
    fn parse_quoted_value(&mut self, name: Span, operator: Operator) {
        let at = self.at;
        let close = self.words.closing_quote(at, QuoteScope::Text).unwrap_or(at);
        let (value, span) = if operator.spaced || operator.colon {
            (self.words.inner(at, close), Span { start: at, end: close + 1 })
        } else {
            self.words.word(at, QuoteScope::Text)
        };
        self.push_value(name, value, span);
        self.at = span.end;
        self.parse_tail();
    }

    /// Parses a single word of a command.
    fn parse_word(&mut self, name: Span, at: usize) {
        let (value, span) = self.words.word(at, QuoteScope::Text);
        self.push_value(name, value, span);
        self.at = span.end;
        self.parse_tail();
    }

    /// Parses an unquoted value: one word if a command or another assignment follows, otherwise the rest of the line.
    fn parse_bare_value(&mut self, name: Span, operator: Operator) {
        let (text, at) = (self.words.text, self.at);
        let upper = |span: Span| !text[span.start..span.end].contains(|c: char| c.is_ascii_lowercase());
        let ahead = |at: usize| {
            let rest = &text[at..];
            let next = Span { start: at, end: at + words::name_length(rest) };
            words::starts_with_assignment(rest) && (!upper(name) || upper(next))
        };
        if self.dotenv && self.rest() == "\\" {
            return self.parse_word(name, at);
        }
        let inline = self.blocks.last().is_some_and(|block| block.line == self.line.start);
        if !operator.colon && !operator.before && !inline {
            if at > operator.end && ahead(at) {
                self.push_value(name, Cow::Borrowed(""), Span { start: operator.end, end: operator.end });
                self.shell = self.line.end;
                return;
            }
            let (value, word) = self.words.word(at, QuoteScope::Line);
            let after = self.words.skip_whitespace(word.end);
            let rest = text.get(after..self.line.end).unwrap_or_default();
            let ends = self.plain
                && rest.strip_prefix(';').is_some_and(|part| part.is_empty() || is_connection_string_part(part));
            let command = if self.dotenv {
                let next = rest.strip_prefix([';', '&']).map(|rest| rest.trim_start_matches(['&', ' ', '\t']));
                next.is_some_and(|next| next.starts_with("export ") || words::starts_with_assignment(next))
            } else {
                ["&&", "||", "| ", ">", "<", ";"].iter().any(|mark| rest.starts_with(mark))
            };
            let whole = self.dotenv && text[name.start..].starts_with(PREFIX);
            if at == operator.end && !whole && (command && !ends || ahead(after)) {
                self.shell = self.line.end;
                self.push_value(name, value, word);
                self.at = word.end;
                // To other programs than a shell it is all one value.
                if !self.script {
                    self.hidden.push(Span { start: word.end, end: self.line.end });
                }
                return self.parse_tail();
            }
        }
        let rest = self.rest();
        let cut = if inline { rest.find([',', '}']).unwrap_or(rest.len()) } else { rest.len() };
        let length = parsed::length_before_comment(&rest[..cut], &['#']);
        let raw = rest[..length].trim_ascii_end();
        let raw = raw.strip_suffix(" \\").filter(|_| !self.dotenv).unwrap_or(raw).trim_ascii_end();
        let raw = raw.strip_suffix(';').filter(|_| !self.plain).unwrap_or(raw).trim_ascii_end();
        let span = Span { start: at, end: at + raw.len() };
        // In Terraform, `null` sets nothing.
        if raw != "null" || !operator.spaced || self.script || self.dotenv {
            self.push_value(name, Cow::Borrowed(&text[span.start..span.end]), span);
        }
        self.at += cut;
    }

    /// Parses what may follow a value on its line.
    fn parse_tail(&mut self) {
        // A multi-line value ends on another line.
        if self.at >= self.next {
            self.next = 0;
            self.begin_line();
        }
        self.at = self.words.skip_whitespace(self.at);
        let rest = self.rest();
        match rest.chars().next() {
            None | Some('#') => self.end_line(),
            Some('\\') if rest == "\\" => {
                self.skip_public(1);
                self.end_line();
            }
            Some(';') => self.skip_public(1),
            Some(',' | '}' | ')' | ']') => {}
            Some('/') if rest.starts_with("//") => self.end_line(),
            Some(_) if words::starts_with_assignment(rest) => self.shell = self.line.end,
            Some(_) => self.skip_command(None),
        }
    }

    /// Skips a list.
    fn skip_brackets(&mut self) {
        let (mut depth, mut at) = (0_usize, self.at);
        while let Some(c) = self.words.first(at).filter(|_| !self.unclosed) {
            match c {
                '[' | '(' => depth += 1,
                ']' | ')' => depth = depth.saturating_sub(1),
                '"' | '\'' => at = self.words.closing_quote(at, QuoteScope::Line).unwrap_or(at),
                _ => {}
            }
            at += c.len_utf8();
            if depth == 0 {
                self.at = at;
                return self.parse_tail();
            }
        }
        self.unclosed = true;
        self.end_line();
    }

    pub(super) fn open_block(&mut self, name: Option<Span>) {
        let name = name.filter(|_| self.blocks.len() + 2 < MAX_DEPTH && !self.dotenv);
        self.open.push(name.is_some());
        if let Some(name) = name {
            let (key, at) = parsed::key(self.words.text, name, self.source);
            self.blocks.push(Block { key, at, start: self.at, line: self.line.start, entries: Vec::new() });
        }
    }

    fn close_brace(&mut self) {
        self.at += 1;
        if self.open.pop() == Some(true)
            && let Some(block) = self.blocks.pop()
        {
            self.close_block(block);
        }
    }

    fn close_block(&mut self, block: Block) {
        let Block { key, at, start, entries, .. } = block;
        let value = parsed::table(entries, self.source, Span { start, end: self.at.min(self.words.text.len()) });
        self.push_entry(Entry { key, at, value });
    }

    fn push_value(&mut self, name: Span, value: Cow<'_, str>, span: Span) {
        let (key, at) = parsed::key(self.words.text, name, self.source);
        let plain = Zeroizing::new(if self.unit { value.replace("%%", "%") } else { String::new() });
        let value = if self.unit && *plain != *value { Cow::Borrowed(plain.as_str()) } else { value };
        let value = parsed::string(value, span, self.source, self.vault);
        self.push_entry(Entry { key, at, value });
    }

    fn push_entry(&mut self, entry: Entry) {
        self.values += 1;
        match self.blocks.last_mut() {
            Some(block) => block.entries.push(entry),
            None => self.root.push(entry),
        }
    }
}
