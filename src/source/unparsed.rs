//! Builds the masked copy of a file that can't be parsed. Of each line it shows the key at the start if credlint knows that
//! name, whatever the line may be part of; all else is masked.

use std::collections::HashSet;

use super::syntax::Syntax;
use super::variables::{PREFIX, shown_name};
use crate::schema::{self, Kind};
use crate::text::{Masked, Span};

pub(super) fn mask(text: &str, syntax: Syntax) -> Masked {
    let (mut shown, mut values, mut at) = (Vec::new(), Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let end = at + line.trim_end().len();
        let mut value = at + (line.len() - line.trim_start_matches(BLANKS).len()).min(end - at);
        if let Some((key, rest)) = known_key(text, Span { start: at, end }, syntax) {
            shown.push(key);
            value = rest;
        }
        // Brackets alone are not a value.
        if text[value..end].chars().any(|c| !"{}[],".contains(c)) {
            values.push(Span { start: value, end });
        }
        at += line.len();
    }
    Masked::new(text, &shown, &values, &HashSet::new())
}

const BLANKS: [char; 2] = [' ', '\t'];

/// Returns the known key at the start of a line, and where its value starts.
fn known_key(text: &str, line: Span, syntax: Syntax) -> Option<(Span, usize)> {
    let before: &[char] = if syntax == Syntax::Dotenv { &BLANKS } else { &[' ', '\t', '[', '{', '-', '"', '\''] };
    let trimmed = text[line.start..line.end].trim_start_matches(before);
    let start = line.end - trimmed.len();
    if text[..start].ends_with('[')
        && let Some((name, after)) = trimmed.split_once(']')
    {
        let path: Vec<&str> = name.split('.').collect();
        let public = (2..=path.len()).all(|length| schema::is_public_key(&path[..length]));
        let after = after.trim_start_matches([']', ' ', '\t']);
        return (public && schema::is_known_key(&path[..1]))
            .then_some((Span { start, end: start + name.len() }, line.end - after.len()));
    }
    let length = trimmed.find(|c: char| !(c.is_ascii_alphanumeric() || "_-".contains(c)))?;
    let (word, rest) = trimmed.split_at(length);
    let after = rest.trim_start_matches(['"', '\'']).trim_start_matches(BLANKS);
    let after = after.strip_prefix(['=', ':', '.'])?.trim_start_matches(BLANKS);
    let known = match syntax {
        Syntax::Dotenv => word.starts_with(PREFIX) && shown_name(word) == word,
        Syntax::Tree(_) => {
            schema::is_known_key(&[word]) || Kind::names().any(|kind| schema::is_known_key(&[kind, "", word]))
        }
    };
    known.then_some((Span { start, end: start + length }, line.end - after.len()))
}

#[cfg(test)]
mod tests {
    use super::super::syntax::Format;
    use super::*;
    use crate::text::MASK;

    #[test]
    fn only_known_keys_are_shown() {
        let (toml, yaml, json) = (Syntax::Tree(Format::Toml), Syntax::Tree(Format::Yaml), Syntax::Tree(Format::Json));
        for (syntax, text, shown) in [
            (toml, "[messaging.r2]\ntoken = xoxb-1-a # why\ntokn=\"a\"\n", "[messaging.r2]\ntoken = *\ntokn=\"*\"\n"),
            (toml, "[storage\n[[lint.allow]] # c\n[hunter]\ntoken =\r\n\n", "*\n[[lint.allow]] *\n*\ntoken =\n\n"),
            (toml, "a = QzWv\n  qzw==\n$qzw\n# c\n\"\"\n", "*\n  *\n*\n*\n\"\"\n"),
            (toml, "token = '''\nhunter2 = 1\n'''\n", "token = '*'\n*\n'*'\n"),
            (yaml, "messaging:\n  reports:\n\ttoken: xoxb-1: a\n", "messaging:\n  *\n\ttoken: *\n"),
            (yaml, "- bucket: |\n  QzWv=\ntoken:a\n\u{feff}a: b\n", "- bucket: *\n  *\ntoken:*\n*\n"),
            (
                json, "{\n  \"messaging\": {\n    \"token\": xoxb-1,\n  },\n}",
                "{\n  \"messaging\": {\n    \"token\": *\n  },\n}",
            ),
            (json, "{\"storage\": {\"x\": \"token\"", "{\"storage\": *"),
            (
                Syntax::Dotenv,
                "export CREDLINT_MESSAGING__R__TOKEN=a\nCREDLINT_MESSAGING__R__TOKEN = 'b\ntoken=c\nQZW=d\n",
                "*\nCREDLINT_MESSAGING__R__TOKEN = *\n*\n*\n",
            ),
        ] {
            // Shorten the mask to keep the table readable.
            assert_eq!(mask(text, syntax).as_str().replace(MASK, "*"), shown, "{text:?}");
        }
    }

    #[test]
    fn lines_and_offsets_stay() {
        let text = "[a]\r\ntoken = xoxb-1\r\n\r\nxoxb-2\n";
        let masked = mask(text, Syntax::Tree(Format::Toml));
        assert_eq!(masked.as_str().lines().count(), text.lines().count());
        let at = text.find("xoxb-1").unwrap();
        let there = masked.map(Span { start: at, end: at + 1 });
        assert_eq!(&masked.as_str()[there.start..there.end], MASK);
        assert_eq!(mask("", Syntax::Dotenv).as_str(), "");
    }
}
