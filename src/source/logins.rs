//! Parses the files of logins for hosts: `.netrc`, `.npmrc` and `.pgpass`. Each login is a table with a `host`. A line of
//! s3fs is a pair for any host.

use std::borrow::Cow;

use super::fault::MAX_VALUES;
use super::keyed;
use super::parsed::{self, Parsed};
use super::tree::{Entry, Node, SourceId, Spot, Value};
use crate::secret::Vault;
use crate::text::Span;

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Parsed {
    let mut logins = Logins { text, source, vault, root: Vec::new(), values: 0, cut: false };
    let words = || text.lines().filter_map(|line| line.split_whitespace().next());
    let mut comments = Vec::new();
    if words().any(|word| ["machine", "default"].contains(&word)) {
        logins.parse_netrc();
    } else if words().any(|word| word.starts_with("//")) {
        comments = logins.parse_npmrc();
    } else {
        for line in parsed::lines(text) {
            logins.parse_line(parsed::trimmed(text, line));
        }
    }
    let cut = logins.cut || logins.values >= MAX_VALUES;
    Parsed { comments, cut, ..Parsed::table(logins.root, source, text.len()) }
}

/// The maximum number of values of one login.
const MOST: usize = 1000;

struct Logins<'a> {
    text: &'a str,
    source: SourceId,
    vault: &'a mut Vault,
    root: Vec<Entry>,
    values: usize,
    /// True if a login has too many values.
    cut: bool,
}

impl Logins<'_> {
    fn entry(&mut self, key: &str, at: Span, value: Span) -> Entry {
        let text = Cow::Borrowed(parsed::unquoted(&self.text[value.start..value.end]));
        let at = Spot { source: self.source, span: at };
        Entry { key: key.to_owned(), at, value: parsed::string(text, value, self.source, self.vault) }
    }

    /// Adds a login for a host.
    fn push_login(&mut self, host: Span, mut entries: Vec<Entry>) {
        if self.values >= MAX_VALUES {
            return;
        }
        self.values += entries.len();
        let (key, at) = parsed::key(self.text, host, self.source);
        let end = entries.last().map_or(host.end, |last| last.value.at.span.end);
        entries.push(self.entry("host", host, host));
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
        let mut login: Option<(Span, Vec<Entry>)> = None;
        while let Some(word) = words.next() {
            let begins = match &text[word.start..word.end] {
                "machine" => words.next(),
                "default" | "macdef" => Some(word),
                name => {
                    if let Some((_, entries)) = &mut login
                        && let Some(value) = words.next()
                        && ["login", "password", "account"].contains(&name)
                    {
                        self.cut |= entries.len() >= MOST;
                        if entries.len() < MOST {
                            entries.push(self.entry(name, word, value));
                        }
                    }
                    None
                }
            };
            if let Some(host) = begins
                && let Some((host, entries)) = login.replace((host, Vec::new()))
            {
                self.push_login(host, entries);
            }
        }
        if let Some((host, entries)) = login {
            self.push_login(host, entries);
        }
    }

    /// Parses `//HOST/:NAME=value` of npm, and returns the comments. Source:
    /// <https://docs.npmjs.com/cli/configuring-npm/npmrc>.
    fn parse_npmrc(&mut self) -> Vec<(Span, bool)> {
        let Parsed { roots, comments, cut, .. } = keyed::parse(self.text, &keyed::NPM, self.source, self.vault);
        self.cut = cut;
        for Value { node, .. } in roots {
            let Node::Table(entries) = node else { continue };
            for mut entry in entries {
                let Span { start, end } = entry.at.span;
                let Some((host, _)) = self.text[start..end].strip_prefix("//").and_then(|key| key.split_once(":_"))
                else {
                    continue;
                };
                let host = Span { start: start + 2, end: start + 2 + host.len() };
                entry.at.span.start = host.end + 1;
                self.text[host.end + 1..end].clone_into(&mut entry.key);
                self.push_login(host, vec![entry]);
            }
        }
        comments
    }

    /// Parses the five fields of PostgreSQL, or the pair of s3fs, which may have the name of a bucket before it. Sources:
    /// <https://www.postgresql.org/docs/current/libpq-pgpass.html>, <https://github.com/s3fs-fuse/s3fs-fuse#examples>.
    fn parse_line(&mut self, line: Span) {
        let body = &self.text[line.start..line.end];
        // A colon inside a value is escaped with a backslash.
        let colon = |&at: &usize| body.as_bytes()[at] == b':' && !body[..at].ends_with('\\');
        let colons: Vec<usize> = (0..body.len()).filter(colon).collect();
        let part = |start, end| parsed::trimmed(self.text, Span { start: line.start + start, end: line.start + end });
        match colons[..] {
            _ if body.starts_with('#') => {}
            [host, _, _, user] => {
                let (host, password) = (part(0, host), part(user + 1, body.len()));
                let entry = self.entry("password", password, password);
                self.push_login(host, vec![entry]);
            }
            [colon] | [_, colon] if self.values < MAX_VALUES => {
                let before = if colons.len() > 1 { colons[0] + 1 } else { 0 };
                let (id, key) = (part(before, colon), part(colon + 1, body.len()));
                let pair = vec![self.entry("access_key_id", id, id), self.entry("secret_access_key", key, key)];
                self.values += pair.len();
                let value = parsed::table(pair, self.source, line);
                self.root.push(Entry { key: "pair".to_owned(), at: Spot { source: self.source, span: id }, value });
            }
            _ => {}
        }
    }
}
