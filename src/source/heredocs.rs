//! Finds heredocs in scripts: texts that are written to a file, or passed to a command.

use std::collections::HashMap;

use zeroize::Zeroizing;

use super::parsed;
use super::words::file_name;
use crate::text::Span;

/// A heredoc with its end.
pub(super) struct Heredoc {
    /// The name of the file that it is written to, without folders. Empty if there is none.
    pub(super) name: Span,
    pub(super) body: Span,
    /// True if the shell removes tabs at the beginning of its lines.
    tabs: bool,
}

/// Returns where the heredocs of a script are.
pub(crate) fn heredoc_bodies(script: &str) -> Vec<Span> {
    find(script).into_iter().map(|heredoc| heredoc.body).collect()
}

/// Returns the heredocs of a text.
pub(super) fn find(text: &str) -> Vec<Heredoc> {
    let mut found = Vec::new();
    if !text.contains("<<") {
        return found;
    }
    let lines: Vec<Span> = parsed::lines(text).collect();
    let bare = |at: usize| text[lines[at].start..lines[at].end].trim_start_matches('\t');
    // The last line of each possible delimiter: a search for a missing one would read the rest of the text each time.
    let last: HashMap<&str, usize> = (0..lines.len()).map(|at| (bare(at), at)).collect();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        let opened = find_opener(&text[line.start..line.end]);
        let Some((delimiter, tabs)) = opened.filter(|(delimiter, _)| last.get(delimiter) >= Some(&at)) else {
            continue;
        };
        if let Some(end) = (at..lines.len()).find(|end| bare(*end) == delimiter) {
            let body = Span { start: lines[at].start, end: lines[end].start };
            found.push(Heredoc { name: target_file(text, line), body, tabs });
            at = end;
        }
    }
    found
}

/// Returns the delimiter of the heredoc that a line opens, and whether tabs are removed.
fn find_opener(line: &str) -> Option<(&str, bool)> {
    let (before, after) = line.split_once("<<")?;
    if before.trim_start().starts_with('#') {
        return None;
    }
    let (after, tabs) = after.strip_prefix('-').map_or((after, false), |after| (after, true));
    let after = after.trim_start().trim_start_matches(['"', '\'', '\\']);
    let length = after.find(|c: char| !(c.is_ascii_alphanumeric() || "_.-".contains(c))).unwrap_or(after.len());
    // `<<<` does not open a heredoc, and `<<` before a number is a shift.
    (length > 0 && !after.starts_with(|c: char| c.is_ascii_digit())).then(|| (&after[..length], tabs))
}

/// Returns the name of the file that a line writes to: after `>`, or as an argument of `tee` or a Dockerfile's `COPY`.
fn target_file(text: &str, line: Span) -> Span {
    let body = &text[line.start..line.end];
    let mut at = line.start;
    let mut words = Vec::new();
    for piece in body.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        if !word.is_empty() {
            words.push((at, word));
        }
        at += piece.len();
    }
    let redirected = words.iter().enumerate().find_map(|(index, (at, word))| {
        let mark =
            word.find('>').filter(|mark| ["", "1", "cat"].contains(&&word[..*mark]) || word.starts_with("<<"))?;
        let name = word[mark..].trim_start_matches(['>', '|']);
        let name = if name.is_empty() { *words.get(index + 1)? } else { (at + word.len() - name.len(), name) };
        (!name.1.starts_with('&') && name.1 != "/dev/null").then_some(name)
    });
    let tee = || {
        let mut behind = words.iter().skip_while(|(_, word)| *word != "tee").skip(1);
        behind.find(|(_, word)| !word.starts_with(['-', '<'])).copied()
    };
    let copied = || words.last().copied().filter(|_| ["COPY", "ADD"].contains(&words[0].1));
    let Some((at, word)) = redirected.or_else(tee).or_else(copied) else {
        return Span { start: line.start, end: line.start };
    };
    file_name(text, Span { start: at, end: at + word.find('<').unwrap_or(word.len()) })
}

impl Heredoc {
    /// Returns the text as the command gets it, and the offset of each line in that text and in the script.
    pub(super) fn content(&self, all: &str) -> (Zeroizing<String>, Vec<(usize, usize)>) {
        let text = &all[self.body.start..self.body.end];
        let mut plain = Zeroizing::new(String::with_capacity(text.len()));
        let (mut starts, mut end) = (Vec::new(), self.body.start);
        for line in text.split_inclusive('\n') {
            end += line.len();
            let line = if self.tabs { line.trim_start_matches('\t') } else { line };
            starts.push((plain.len(), end - line.len()));
            plain.push_str(line);
        }
        (plain, starts)
    }
}
