//! The masked copy of another program's file: every value is hidden, and a name that could be one.

use std::collections::HashSet;

use super::parsed::Parsed;
use super::tree::{Entry, Node, Value};
use crate::text::{self, Masked, Span};

/// Whether the name of a key may be printed: it is made of words, and could be no credential.
fn shown_name(name: &str) -> bool {
    let humped = |part: &str| {
        let one_case =
            !part.contains(|c: char| c.is_ascii_lowercase()) || !part.contains(|c: char| c.is_ascii_uppercase());
        // `secretKeyRef`: no hump is a single letter, as they are in what is random.
        one_case || part.split(|c: char| c.is_ascii_uppercase()).skip(1).all(|hump| hump.len() >= 2)
    };
    let word = |part: &str| {
        let letters = part.bytes().all(|byte| byte.is_ascii_alphabetic());
        // `b2`, `s3`, `oauth2`
        let stem = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let numbered = stem.len() + 2 >= part.len() && stem.bytes().all(|byte| byte.is_ascii_alphabetic());
        (letters || numbered) && humped(stem) && part.len() <= 24
    };
    !name.is_empty()
        && name.len() <= 96
        && name.split(|c| "_-./$ ".contains(c)).all(word)
        && !text::opaque(name)
        && !text::opaque_path(name)
}

/// The copy that may be printed. `words`: the names of tables of TOML stand in several headers, and in the tree once.
pub(super) fn mask(text: &str, parsed: &Parsed, words: bool) -> Masked {
    let mut spans = Spans { text, shown: parsed.marks.clone(), values: Vec::new(), words: HashSet::new() };
    parsed.roots.iter().for_each(|root| spans.value(root));
    let Spans { mut shown, mut values, words: names, .. } = spans;
    shown.sort_unstable();
    values.sort_unstable();
    Masked::new(text, &shown, &values, &if words { names } else { HashSet::new() })
}

struct Spans<'a> {
    text: &'a str,
    shown: Vec<Span>,
    values: Vec<Span>,
    words: HashSet<&'a str>,
}

impl<'a> Spans<'a> {
    fn value(&mut self, value: &'a Value) {
        match &value.node {
            Node::Null | Node::Scalar(..) if value.at.span.start < value.at.span.end => self.values.push(value.at.span),
            Node::Null | Node::Scalar(..) => {}
            Node::List(items) | Node::Conflict(items) => items.iter().for_each(|item| self.value(item)),
            Node::Table(entries) => entries.iter().for_each(|entry| self.entry(entry)),
        }
    }

    fn entry(&mut self, entry: &'a Entry) {
        let Span { start, end } = entry.at.span;
        if start < end {
            let raw = self.text.get(start..end).unwrap_or_default();
            // An escape could spell anything.
            if super::parsed::unquoted(raw) == entry.key && shown_name(&entry.key) {
                self.shown.push(entry.at.span);
                self.words.insert(&entry.key);
            } else {
                self.values.push(entry.at.span);
            }
        }
        self.value(&entry.value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_people_are_shown_and_what_could_be_a_credential_is_not() {
        for name in [
            "SLACK_BOT_TOKEN",
            "token",
            "application_key",
            "secretKeyRef",
            "apiVersion",
            "app.kubernetes.io/name",
            "b2_account_id",
            "B2_APPLICATION_KEY",
            "spring.slack.oauth2-token",
            "$schema",
            "my remote",
        ] {
            assert!(shown_name(name), "{name}");
        }
        for name in [
            "",
            "xoxb-1-2-a",
            "K0014pbwo1zxcIVMnqS",
            "0051a2b3c4d5e6f0000000001",
            "1a2b3c4d5e6f",
            "hunter2x",
            "QzWvXkPj",
            "xQ7zJ3wX9kV4qZ8jW2yK5vH6",
            "K005/Qz/WvX/kPj/HyBd",
            "a=b",
            "näme",
        ] {
            assert!(!shown_name(name), "{name}");
        }
    }
}
