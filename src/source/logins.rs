//! Parses the files of logins for hosts: `.netrc`, `.npmrc` and `.pgpass`. Each login is a table with a `host`.

use std::borrow::Cow;

use super::fault::MAX_VALUES;
use super::parsed::{self, Parsed};
use super::tree::{Entry, SourceId};
use crate::secret::Vault;
use crate::text::Span;

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Parsed {
    let mut logins = Logins { text, source, vault, root: Vec::new(), values: 0, cut: false, comments: Vec::new() };
    let begins = |words: [&str; 2]| {
        text.lines().any(|line| line.split_whitespace().next().is_some_and(|word| words.contains(&word)))
    };
    if begins(["machine", "default"]) {
        logins.parse_netrc();
    } else {
        for line in parsed::lines(text) {
            logins.parse_line(parsed::trimmed(text, line));
        }
    }
    let cut = logins.cut || logins.values >= MAX_VALUES;
    Parsed { cut, comments: logins.comments, ..Parsed::table(logins.root, source, text.len()) }
}

/// The maximum number of values of one login.
const MOST: usize = 1000;

/// A value's name, its location, and the location of the value.
type Named<'a> = (&'a str, Span, Span);

struct Logins<'a> {
    text: &'a str,
    source: SourceId,
    vault: &'a mut Vault,
    root: Vec<Entry>,
    values: usize,
    /// True if a login has too many values.
    cut: bool,
    /// Comments that begin with `;`.
    comments: Vec<(Span, bool)>,
}

impl Logins<'_> {
    /// Adds a login for a host.
    fn push_login(&mut self, host: Span, values: &[Named<'_>]) {
        if self.values >= MAX_VALUES {
            return;
        }
        self.values += values.len();
        let (key, at) = parsed::key(self.text, host, self.source);
        let mut entries = Vec::new();
        for &(name, place, value) in values.iter().chain(&[("host", host, host)]) {
            let at = super::tree::Spot { source: self.source, span: place };
            let text = Cow::Borrowed(parsed::unquoted(&self.text[value.start..value.end]));
            entries.push(Entry {
                key: name.to_owned(),
                at,
                value: parsed::string(text, value, self.source, self.vault),
            });
        }
        let end = values.last().map_or(host.end, |(.., value)| value.end);
        let value = parsed::table(entries, self.source, Span { start: host.start, end });
        self.root.push(Entry { key, at, value });
    }

    /// Parses pairs of words, regardless of lines. Source:
    /// <https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html>.
    fn parse_netrc(&mut self) {
        let text = self.text;
        let comment = |line: &Span| !text[line.start..line.end].trim_start().starts_with('#');
        let words = parsed::lines(text).filter(comment).flat_map(|line| {
            let mut at = line.start;
            text[line.start..line.end].split([' ', '\t', '\r']).map(move |word| {
                let start = at;
                at += word.len() + 1;
                Span { start, end: start + word.len() }
            })
        });
        let mut words = words.filter(|word| word.start < word.end);
        let mut login: Option<(Span, Vec<Named<'_>>)> = None;
        while let Some(word) = words.next() {
            let begins = match &text[word.start..word.end] {
                "machine" => words.next(),
                "default" | "macdef" => Some(word),
                name => {
                    if let Some((_, values)) = &mut login
                        && let Some(value) = words.next()
                        && ["login", "password", "account"].contains(&name)
                    {
                        self.cut |= values.len() >= MOST;
                        values.extend(Some((name, word, value)).filter(|_| values.len() < MOST));
                    }
                    None
                }
            };
            if let Some(host) = begins {
                self.end_login(login.replace((host, Vec::new())));
            }
        }
        self.end_login(login);
    }

    fn end_login(&mut self, login: Option<(Span, Vec<Named<'_>>)>) {
        if let Some((host, values)) = login {
            self.push_login(host, &values);
        }
    }

    /// Parses Parses `//HOST/:NAME=value` of npm, or the five fields of PostgreSQL. Sources:
    /// <https://docs.npmjs.com/cli/configuring-npm/npmrc>, <https://www.postgresql.org/docs/current/libpq-pgpass.html>.
    fn parse_line(&mut self, line: Span) {
        let body = &self.text[line.start..line.end];
        let part = |from: usize, to: usize| {
            parsed::trimmed(self.text, Span { start: line.start + from, end: line.start + to })
        };
        if body.is_empty() || body.starts_with(['#', ';']) {
            self.comments.extend(Some((line, true)).filter(|_| body.starts_with(';')));
            return;
        }
        if body.starts_with("//") {
            let found =
                body.split_once(":_").and_then(|(host, rest)| Some((host.len(), rest.find('=')? + host.len() + 2)));
            let Some((mark, equals)) = found else { return };
            let name = part(mark + 1, equals);
            let value = part(equals + 1, body.len());
            let raw = &self.text[value.start..value.end];
            // npm ends a value at a comment, unless it is quoted. Source: <https://github.com/npm/ini/blob/main/lib/ini.js>.
            let quoted = parsed::unquoted(raw).len() < raw.len();
            let length = if quoted { raw.len() } else { raw.find(['#', ';']).unwrap_or(raw.len()) };
            let value = parsed::trimmed(self.text, Span { start: value.start, end: value.start + length });
            let value = (&self.text[name.start..name.end], name, value);
            return self.push_login(part(2, mark), &[value]);
        }
        // A colon inside a value is escaped with a backslash.
        let colon = |&at: &usize| body.as_bytes()[at] == b':' && !body[..at].ends_with('\\');
        let colons: Vec<usize> = (0..body.len()).filter(colon).collect();
        if let [host, _, _, user] = colons[..] {
            let password = part(user + 1, body.len());
            self.push_login(part(0, host), &[("password", password, password)]);
        }
    }
}
