//! Which files, and which of their tables, may concern a service. Most files have no word of one, and reading them as what
//! they are takes far longer than looking for words.

use std::collections::HashSet;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};

use super::file_type::FileType;
use super::names;
use crate::programs::{Group, Mark, PROGRAMS};
use crate::services::{SERVICES, Service};
use crate::source::{Dialect, Node, Spot, Value};

/// Where a text may concern a service.
pub(super) enum Concern {
    /// Anywhere.
    Everywhere,
    /// At these offsets, sorted. Nowhere if there are none.
    At(Vec<usize>),
}

/// A value that more of these characters surround is a hash or a key, whatever two of them are.
const LONGEST_WORD: usize = 40;

impl Concern {
    pub(super) const ALL: Self = Self::Everywhere;

    /// Finds where a file may concern a service. One with a name for credentials is read as a whole: what is around a value is
    /// wrong whoever reads it, and sections are of a service without naming it.
    pub(super) fn of_file(text: &[u8], file_type: FileType) -> Self {
        let whole = matches!(file_type.dialect, Dialect::Assignments | Dialect::Logins | Dialect::Ini);
        if file_type.known && whole { Self::ALL } else { Self::of(text, file_type.dialect) }
    }

    /// Finds where a text has a word of a service, or a name that reaches browsers. What [`crate::text::words`] takes for
    /// a word of a name is one.
    pub(super) fn of(text: &[u8], dialect: Dialect) -> Self {
        /// A letter of a name may be written so in JSON and YAML.
        const ESCAPES: [&str; 4] = ["\\u004", "\\u005", "\\u006", "\\u007"];
        /// Files in base64.
        const SECRETS: [&str; 3] = ["kind: secret", "\"kind\": \"secret\"", "\"kind\":\"secret\""];
        static WORDS: LazyLock<Option<(AhoCorasick, usize, usize, usize)>> = LazyLock::new(|| {
            let of = |shared: bool| {
                let own = move |service: &&&Service| !service.fields.is_empty() && service.shared == shared;
                SERVICES.iter().filter(own).flat_map(|service| service.words.iter().map(|word| first(service, word)))
            };
            let joined = of(true).count();
            let words: Vec<&str> = of(true).chain(of(false)).chain(own_words()).chain(["XOX"]).collect();
            let begun: Vec<&str> = names::browser_words().chain(ESCAPES).collect();
            let (bounded, followed) = (words.len(), words.len() + begun.len());
            let all = words.into_iter().chain(begun).chain(SECRETS);
            let found = AhoCorasickBuilder::new().ascii_case_insensitive(true).build(all).ok()?;
            Some((found, joined, bounded, followed))
        });
        let Some((words, joined, bounded, followed)) = &*WORDS else { return Self::Everywhere };
        let mut at = Vec::new();
        for found in words.find_overlapping_iter(text) {
            let (start, end) = (found.start(), found.end());
            let number = found.pattern().as_usize();
            let is_name = if number >= *followed {
                return Self::Everywhere;
            } else if number >= *bounded {
                // A name for browsers, or a letter, goes on.
                if text.get(end).is_some_and(|byte| *byte == b'_' || byte.is_ascii_hexdigit()) {
                    return Self::Everywhere;
                }
                false
            } else {
                // The word of a protocol is a word of any language: it counts in a name, and as that of a table.
                (number >= *joined || goes_on(text, end) || is_table(text, end)) && is_word(text, start, end)
            };
            // Other syntaxes are read as a whole.
            if is_name && !matches!(dialect, Dialect::Json | Dialect::Yaml) {
                return Self::Everywhere;
            }
            at.extend(is_name.then_some(start));
        }
        // Overlapping finds are ordered by where they end.
        at.sort_unstable();
        Self::At(at)
    }

    /// Returns `true` if the text may concern a service.
    pub(super) fn is_any(&self) -> bool {
        !matches!(self, Self::At(at) if at.is_empty())
    }

    /// Returns `true` if a place in the text does.
    pub(super) fn is_in(&self, place: Spot) -> bool {
        match self {
            Self::Everywhere => true,
            Self::At(at) => {
                let first = at.partition_point(|at| *at < place.span.start);
                at.get(first).is_some_and(|at| *at < place.span.end)
            }
        }
    }

    /// Returns the tables and lists of a document that may concern a service, by their addresses: those that have a word
    /// of one, and those below. `None` for all.
    pub(super) fn within(&self, root: &Value) -> Option<HashSet<*const Value>> {
        if matches!(self, Self::Everywhere) {
            return None;
        }
        let mut concerned = HashSet::new();
        self.mark(root, false, &mut concerned);
        Some(concerned)
    }

    /// Marks what may concern a service in a value. `below` is true if something above does. Returns `true` if something
    /// in it does.
    fn mark(&self, value: &Value, below: bool, concerned: &mut HashSet<*const Value>) -> bool {
        let has = |value: &Value| matches!(value.node, Node::Null | Node::Scalar(..)) && self.is_in(value.at);
        let inside = match &value.node {
            Node::Null | Node::Scalar(..) => return self.is_in(value.at),
            Node::List(values) | Node::Conflict(values) => {
                let below = below || values.iter().any(has);
                values.iter().fold(below, |any, value| self.mark(value, below, concerned) || any)
            }
            Node::Table(entries) => {
                // A value says what the tables beside it are: `type: b2`.
                let below = below || entries.iter().any(|entry| has(&entry.value));
                entries.iter().fold(below, |any, entry| {
                    let named = self.is_in(entry.at);
                    self.mark(&entry.value, below || named, concerned) || named || any
                })
            }
        };
        if inside || below {
            concerned.insert(std::ptr::from_ref(value));
        }
        inside
    }
}

/// Returns the word that a name has however it is spelled: what joins the words of `AZURE_AD` is any of several.
fn first(service: &'static Service, word: &'static str) -> &'static str {
    let mut parts = word.split('_');
    let known = parts.clone().find(|part| service.words.contains(part));
    known.or(parts.next()).unwrap_or(word)
}

/// Returns `true` if a name goes on behind a word: `smtp_host`, `smtp-host`, `smtp.host`, `smtpHost`.
fn goes_on(text: &[u8], end: usize) -> bool {
    let next = text.get(end);
    let camel = next.is_some_and(u8::is_ascii_uppercase) && !text[..end].last().is_some_and(u8::is_ascii_uppercase);
    camel || next.is_some_and(|byte| b"_-.".contains(byte)) && text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns `true` if a word is the name of a table: `smtp:` at the end of a line, `"smtp": {`, `[smtp]`.
fn is_table(text: &[u8], end: usize) -> bool {
    let rest = text[end..].trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").unwrap_or(rest);
    let inside = |rest: &[u8]| {
        let behind = rest.trim_ascii_start();
        behind.starts_with(b"{") || rest[..rest.len() - behind.len()].contains(&b'\n')
    };
    rest.starts_with(b"]") || rest.strip_prefix(b":").is_some_and(inside)
}

/// Returns what stands in programs' files without any word of a service: the `runners` of GitLab Runner, and the keys of a
/// section that only its type names.
fn own_words() -> impl Iterator<Item = &'static str> {
    let named = |name: &str| {
        let upper = name.to_uppercase();
        SERVICES.iter().any(|service| service.words.iter().any(|word| upper.contains(word)))
    };
    let list = move |group: &'static Group| match group.mark {
        Mark::In(list) if !named(list) && !group.keys.iter().all(|(key, ..)| named(key)) => Some(list),
        _ => None,
    };
    let keys = |group: &'static Group| if matches!(group.mark, Mark::Section(..)) { group.keys } else { &[] };
    let groups = || PROGRAMS.iter().flat_map(|program| program.groups);
    groups().filter_map(list).chain(groups().flat_map(keys).map(|(key, ..)| *key).filter(|key| key.contains('_')))
}

/// Returns `true` if a word of a service stands where a word of a name begins and ends.
fn is_word(text: &[u8], start: usize, end: usize) -> bool {
    let begins = |at: usize| {
        let (before, here) = (text.get(at.wrapping_sub(1)), text.get(at));
        let inside = before.is_some_and(u8::is_ascii_alphanumeric) && here.is_some_and(u8::is_ascii_alphanumeric);
        let camel = here.is_some_and(u8::is_ascii_uppercase) && !before.is_some_and(u8::is_ascii_uppercase);
        !inside || camel
    };
    // The beginning of a token may be followed by anything.
    if !begins(start) || !begins(end) && !text[start..end].eq_ignore_ascii_case(b"XOX") {
        return false;
    }
    // Two or three characters stand in every hash and in every key.
    let encoded = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let around = || {
        let before = text[..start].iter().rev().take(LONGEST_WORD).take_while(encoded).count();
        before + text[end..].iter().take(LONGEST_WORD).take_while(encoded).count()
    };
    end - start > 3 || around() < LONGEST_WORD
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::file_type::inside;
    use super::super::read::profiles;
    use super::*;
    use crate::config::Profile;
    use crate::secret::Vault;
    use crate::source::{Reader, Replaced, Sources};

    fn may(text: &str) -> bool {
        Concern::of(text.as_bytes(), Dialect::Json).is_any()
    }

    /// Every file in which something is found without the filter passes it.
    #[test]
    fn the_filter_loses_nothing() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
        let (mut found, mut skipped) = (0, 0);
        for folder in ["foreign", "services"] {
            for file in std::fs::read_dir(root.join(folder)).unwrap() {
                let corpus = std::fs::read_to_string(file.unwrap().path()).unwrap();
                for case in corpus.split("\n=== ").skip(1) {
                    let (path, text) = case.split_once('\n').unwrap();
                    let text = text.split("\n=> ").next().unwrap().split("\n--- ").next().unwrap();
                    let Some(file_type) = FileType::from_path(Path::new(path)) else { continue };
                    let (mut vault, mut sources) = (Vault::default(), Sources::default());
                    let (directory, replaced) = (Path::new(""), Replaced::default());
                    let mut reader =
                        Reader { vault: &mut vault, sources: &mut sources, directory, replaced: &replaced };
                    let read = reader.read(&mut text.to_owned(), file_type.dialect, inside);
                    let mut found_by = |concern: &Concern| {
                        let (found, _) = profiles(read.roots(), concern, &mut vault, file_type, Some(path));
                        let settings =
                            |profile: &Profile| profile.settings.iter().map(|one| one.at).collect::<Vec<_>>();
                        found.iter().map(|profile| (profile.at, settings(profile))).collect::<Vec<_>>()
                    };
                    let concern = Concern::of_file(text.as_bytes(), file_type);
                    let (all, concerned) = (found_by(&Concern::ALL), found_by(&concern));
                    let (any, passes) = (!all.is_empty(), concern.is_any());
                    assert!(passes || !any, "{path}: {text}");
                    assert!(!passes || all == concerned, "{path}: {all:?} {concerned:?}\n{text}");
                    found += usize::from(any);
                    skipped += usize::from(!passes);
                }
            }
        }
        assert!(found > 150 && skipped > 0, "{found} {skipped}");
        // Every name, however it is spelled.
        for service in SERVICES.iter().filter(|service| !service.fields.is_empty()) {
            let words = service.fields.iter().flat_map(|field| field.names).flat_map(|names| names.words);
            for (word, name) in words.flat_map(|name| service.words.iter().map(move |word| (word, name))) {
                let parts: Vec<String> = format!("{word}_{name}").split('_').map(str::to_lowercase).collect();
                let capital = |part: &String| part[..1].to_uppercase() + &part[1..];
                let camel: String = parts.iter().map(capital).collect();
                let spelled = [parts.join("_"), parts.join("-"), parts.join("."), camel.clone(), format!("my{camel}")];
                for name in spelled.iter().chain([&parts.join("_").to_uppercase(), &format!("VITE_{camel}")]) {
                    let text = format!("a: 1\n{name}: x\n");
                    // The words of a protocol only count in names of variables.
                    let joined = name.to_uppercase().contains(&format!("{word}_"));
                    let counts = names::meaning(name).is_some() && (joined || !service.shared);
                    assert!(!counts || may(&text), "{name}");
                }
            }
        }
    }

    #[test]
    fn unrelated_files_are_skipped() {
        let names = ["SLACK_TOKEN=", "a: Slack", "x B2_", "backblaze", "xoxb-", "twilio:", "VITE_X="];
        let spelled =
            ["b2KeyId", "myB2Key", "slackBotToken", "prod.slack.token", "my-b2", "\\u0053LACK", "\u{e9}slack"];
        for text in names.into_iter().chain(spelled) {
            assert!(may(text), "{text}");
        }
        for text in ["", "b", "sla ck", "xo", "password=1", "a=2", "a1b2c3", "invite", "slackline", "x\\u003c"] {
            assert!(!may(text), "{text}");
        }
    }
}
