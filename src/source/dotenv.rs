//! Reads dotenv files of a configuration and of `exec`, as any other dotenv file. Nothing is expanded.
//!
//! The file often belongs to another program: only credlint's own lines must follow the format. From other lines, the
//! reader takes what it can.

use std::collections::HashMap;

use super::assignments;
use super::document::Dialect;
use super::fault::Fault;
use super::parsed::{self, Parsed};
use super::tree::{Entry, Node, SourceId};
use super::variables::{PREFIX, Variable};
use crate::secret::Vault;
use crate::text::{self, Span};

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Result<Vec<Variable>, Fault> {
    let Parsed { roots, cut, .. } = assignments::parse(text, Dialect::Dotenv, source, vault, Vec::new());
    let entries: Vec<Entry> = roots.into_iter().flat_map(entries).collect();
    // A value may go on over lines that look like others.
    let mut values = entries.iter().map(|entry| entry.value.at.span).peekable();
    let mut end = 0;
    for line in parsed::lines(text) {
        while let Some(value) = values.next_if(|value| value.start < line.start) {
            end = end.max(value.end);
        }
        if line.start >= end {
            check_own_line(text, parsed::trimmed(text, line))?;
        }
    }
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for entry in entries.iter().filter(|entry| is_own(&entry.key)) {
        if let Some(first) = seen.insert(&entry.key, entry.at.span) {
            return Err(Fault::duplicate(first, entry.at.span));
        }
    }
    if let Some(last) = entries.last().filter(|_| cut) {
        return Err(Fault::too_many(last.at.span));
    }
    let variable = |Entry { key: name, at, value }: Entry| match value.node {
        Node::Scalar(_, handle) if is_name(&name) => Some(Variable { name, at, value: handle, value_at: value.at }),
        _ => None,
    };
    Ok(entries.into_iter().filter_map(variable).collect())
}

/// Returns the entries of a table.
fn entries(table: super::tree::Value) -> Vec<Entry> {
    if let Node::Table(entries) = table.node { entries } else { Vec::new() }
}

fn is_own(line: &str) -> bool {
    line.get(..PREFIX.len()).is_some_and(|name| name.eq_ignore_ascii_case(PREFIX))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && text::is_word_of(name, "_") && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// Checks the format of a line that sets one of credlint's own variables.
fn check_own_line(text: &str, line: Span) -> Result<(), Fault> {
    let body = &text[line.start..line.end];
    let body = body.strip_prefix("export").filter(|rest| rest.starts_with([' ', '\t'])).unwrap_or(body).trim_start();
    if !is_own(body) {
        return Ok(());
    }
    let start = line.end - body.len();
    let Some(equals) = body.find('=') else {
        return Err(Fault::syntax("expected NAME=value, found no `=`", Span { start, end: line.end }));
    };
    if !is_name(body[..equals].trim_end()) {
        let name = Span { start, end: start + equals };
        return Err(Fault::syntax("a name may contain only letters, digits and `_`", name));
    }
    let value = body[equals + 1..].trim_start();
    let Some(quote) = value.chars().next().filter(|c| "\"'".contains(*c)) else { return Ok(()) };
    let open = line.end - value.len();
    // The position of the closing quote depends on what may be a secret, so it is not shown.
    let fault = |message| Fault::syntax(message, Span { start: open, end: open + 1 });
    let close = parsed::closing_quote(&text[open + 1..], quote).ok_or_else(|| fault("a quoted value is not closed"))?;
    let after = text[open + close + 2..].lines().next().unwrap_or_default().trim();
    if after.is_empty() || after.starts_with('#') {
        return Ok(());
    }
    Err(fault("unexpected text after the closing quote"))
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
            ("A= padded \n", "A=\"padded\" from \"padded\""),
            ("A=\nB= # c\n", "A=\"\" from \"\"; B=\"\" from \"\""),
            ("A=x \t # c\n#B=1\n # C=1\n", "A=\"x\" from \"x\""),
            ("A='x\ny' B=1\nC=z", "A=\"x\\ny\" from \"'x\\ny'\"; B=\"1\" from \"1\"; C=\"z\" from \"z\""),
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
            ("A=\"x\" B=1\n", "A=\"x\" from \"\\\"x\\\"\"; B=\"1\" from \"1\""),
            ("A='unclosed\nB=1\n", "A=\"'unclosed\" from \"'unclosed\"; B=\"1\" from \"1\""),
            (
                "/*\nA=[\nB=(\nC={\nD=<<X\nE=`\nF=1\n",
                "A=\"[\" from \"[\"; B=\"(\" from \"(\"; C=\"{\" from \"{\"; D=\"<<X\" from \"<<X\"; E=\"`\" from \"`\"; F=\"1\" from \"1\"",
            ),
            (
                "export A=two words\nexport B=1 C=2; D=3\nE=a > b; c\n",
                "A=\"two words\" from \"two words\"; B=\"1\" from \"1\"; C=\"2\" from \"2\"; D=\"3\" from \"3\"; E=\"a > b; c\" from \"a > b; c\"",
            ),
            ("CREDLINT_X=a B=1\n", "CREDLINT_X=\"a B=1\" from \"a B=1\""),
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
        for text in
            ["CREDLINT_xoxb-secret\n", "CREDLINT_xoxb-1=2\n", "CREDLINT_B='xoxb\n", "CREDLINT_A=\"xoxb\" secret\n"]
        {
            let fault = parsed(text);
            let (_, message) = fault.split_once("]: ").unwrap_or_else(|| panic!("{text:?}: {fault}"));
            assert!(fault.starts_with("syntax at") && !message.contains("xoxb"), "{fault}");
        }
    }
}
