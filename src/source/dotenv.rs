//! Parses dotenv files: `NAME=value` lines with spans. Nothing is expanded, and an unquoted value keeps its exact
//! bytes.
//!
//! The file often belongs to another program: only credlint's own lines must follow the format. From other lines, the
//! reader takes what it can.

use std::borrow::Cow;
use std::collections::HashMap;

use super::fault::{Fault, MAX_VALUES};
use super::parsed;
use super::tree::{SourceId, Spot, store};
use super::variables::{PREFIX, Variable};
use crate::secret::Vault;
use crate::text::Span;

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Result<Vec<Variable>, Fault> {
    let mut variables = Vec::new();
    let mut seen = HashMap::new();
    let mut at = 0;
    while at < text.len() {
        let line = line(text, at);
        let start = at + (line.len() - line.trim_start().len());
        let end = at + line.len();
        at = next_line(text, end);
        let body = &text[start..end];
        let rest = body.strip_prefix("export").filter(|rest| rest.starts_with([' ', '\t']));
        let start = start + rest.map_or(0, |rest| body.len() - rest.trim_start().len());
        let own = text[start..end].get(..PREFIX.len()).is_some_and(|name| name.eq_ignore_ascii_case(PREFIX));
        let Some(equals) = text[start..end].find('=').map(|offset| start + offset) else {
            if !own {
                continue;
            }
            return Err(Fault::syntax("expected NAME=value, found no `=`", Span { start, end }));
        };
        let name = text[start..equals].trim_end();
        let name_span = Span { start, end: start + name.len() };
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(letters) || name.starts_with(|c: char| c.is_ascii_digit()) {
            if !own {
                continue;
            }
            return Err(Fault::syntax("a name may contain only letters, digits and `_`", Span { start, end: equals }));
        }
        if let Some(first) = seen.insert(name.to_owned(), name_span).filter(|_| own) {
            return Err(Fault::duplicate(first, name_span));
        }
        if variables.len() >= MAX_VALUES {
            return Err(Fault::too_many(name_span));
        }
        let (value, span) = value(text, equals + 1, end, own)?;
        // A quoted value may end on another line.
        at = at.max(next_line(text, span.end));
        variables.push(Variable {
            name: name.to_owned(),
            at: Spot { source, span: name_span },
            value: store(value, vault),
            value_at: Spot { source, span },
        });
    }
    Ok(variables)
}

/// Returns the line that starts at `at`, without its line break.
fn line(text: &str, at: usize) -> &str {
    let line = text[at..].split('\n').next().unwrap_or_default();
    line.strip_suffix('\r').unwrap_or(line)
}

/// Returns the start of the line after the one that `at` is in.
fn next_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |newline| at + newline + 1)
}

/// Returns the value after the `=`, and its span.
fn value(text: &str, start: usize, end: usize, own: bool) -> Result<(Cow<'_, str>, Span), Fault> {
    let rest = &text[start..end];
    let indent = rest.len() - rest.trim_start().len();
    if let Some(quote) = rest.trim_start().chars().next().filter(|c| *c == '"' || *c == '\'') {
        return quoted(text, start + indent, quote, own);
    }
    let length = parsed::length_before_comment(rest, &['#']);
    // Whitespace at the end of a line is part of the value.
    let length = if length < rest.len() { rest[..length].trim_end().len() } else { length };
    let span = Span { start, end: start + length };
    Ok((Cow::Borrowed(&text[span.start..span.end]), span))
}

fn quoted(text: &str, start: usize, quote: char, own: bool) -> Result<(Cow<'_, str>, Span), Fault> {
    let unclosed = || Fault::syntax("a quoted value is not closed", Span { start, end: start + 1 });
    let close = start + 1 + parsed::closing_quote(&text[start + 1..], quote).ok_or_else(unclosed)?;
    let after = line(text, close + 1);
    if own && !(after.trim().is_empty() || after.trim_start().starts_with('#')) {
        // The position of the closing quote depends on what may be a secret, so it is not shown.
        return Err(Fault::syntax("unexpected text after the closing quote", Span { start, end: start + 1 }));
    }
    let raw = &text[start + 1..close];
    let value = if quote == '"' { unescape(raw) } else { Cow::Borrowed(raw) };
    Ok((value, Span { start, end: close + 1 }))
}

/// Resolves `\n`, `\r`, `\t`, `\"` and `\\`. Other backslashes are kept.
pub(super) fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut characters = raw.chars();
    while let Some(c) = characters.next() {
        match (c, characters.clone().next()) {
            ('\\', Some(next)) if "nrt\"\\".contains(next) => {
                out.push(match next {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    other => other,
                });
                characters.next();
            }
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> String {
        let mut vault = Vault::default();
        match parse(text, SourceId(0), &mut vault) {
            Ok(variables) => variables
                .iter()
                .map(|variable| {
                    let raw = &text[variable.value_at.span.start..variable.value_at.span.end];
                    #[expect(clippy::disallowed_methods, reason = "a test looks at made-up values")]
                    let value = vault.open(variable.value);
                    assert_eq!(&text[variable.at.span.start..variable.at.span.end], variable.name);
                    format!("{}={value:?} from {raw:?}", variable.name)
                })
                .collect::<Vec<_>>()
                .join("; "),
            Err(fault) => format!(
                "{} at {:?}: {}",
                fault.code,
                fault.labels.iter().map(|(span, _)| &text[span.start..span.end]).collect::<Vec<_>>(),
                fault.message
            ),
        }
    }

    #[test]
    fn keeps_bytes_of_values() {
        for (text, expected) in [
            ("A=0123\r\nexport B=x#y # c\n", "A=\"0123\" from \"0123\"; B=\"x#y\" from \"x#y\""),
            ("A= padded \n", "A=\" padded \" from \" padded \""),
            ("A=\nB= # c\n", "A=\"\" from \"\"; B=\"\" from \"\""),
            ("A=x \t # c\n#B=1\n # C=1\n", "A=\"x\" from \"x\""),
            ("A='x\ny' B=1\nC=z", "A=\"x\\ny\" from \"'x\\ny'\"; C=\"z\" from \"z\""),
            ("A=a=b${C}\n", "A=\"a=b${C}\" from \"a=b${C}\""),
            ("# c\n\n  A = 'x # \\n' # c\n", "A=\"x # \\\\n\" from \"'x # \\\\n'\""),
            ("A=\"a\\n\\\"b\\\" \\x\"\n", "A=\"a\\n\\\"b\\\" \\\\x\" from \"\\\"a\\\\n\\\\\\\"b\\\\\\\" \\\\x\\\"\""),
            ("A='x\ny' # c\nB=\"z\"", "A=\"x\\ny\" from \"'x\\ny'\"; B=\"z\" from \"\\\"z\\\"\""),
            ("A=\"a\nb\"\nB=c", "A=\"a\\nb\" from \"\\\"a\\nb\\\"\"; B=\"c\" from \"c\""),
            ("", ""),
        ] {
            assert_eq!(parsed(text), expected, "{text:?}");
        }
    }

    #[test]
    fn skips_other_programs_lines() {
        for (text, expected) in [
            ("A=1\nA=2\n", "A=\"1\" from \"1\"; A=\"2\" from \"2\""),
            ("set -a\nbare\n[section]\n; comment\na.b=1\n1A=x\n=x\nA=1\n", "A=\"1\" from \"1\""),
            ("A=\"x\" B=1\nC=2\n", "A=\"x\" from \"\\\"x\\\"\"; C=\"2\" from \"2\""),
        ] {
            assert_eq!(parsed(text), expected, "{text:?}");
        }
    }

    #[test]
    fn errors_have_a_location() {
        let own = "CREDLINT_MESSAGING__R__TOKEN";
        assert!(parsed(&format!("{own}=1\n{own}=2\n")).starts_with("duplicate-key at ["));
        // Only the quote, or only the name: the text after it may be a secret.
        for (text, at) in [
            ("CREDLINT_A=\"xoxb\n", "\""),
            ("A=1\nCREDLINT_A='xoxb' y\n", "'"),
            ("CREDLINT_A\n", "CREDLINT_A"),
            ("CREDLINT_A-B = x\n", "CREDLINT_A-B "),
        ] {
            let at = format!("syntax at {:?}: ", [at]);
            assert!(parsed(text).starts_with(&at), "{text:?}: {}", parsed(text));
        }
        for text in ["CREDLINT_xoxb-secret\n", "CREDLINT_xoxb-1=2\n", "A='xoxb\n", "CREDLINT_A=\"xoxb\" secret\n"] {
            let fault = parsed(text);
            let (_, message) = fault.split_once("]: ").unwrap_or_else(|| panic!("{text:?}: {fault}"));
            assert!(fault.starts_with("syntax at") && !message.contains("xoxb"), "{fault}");
        }
    }
}
