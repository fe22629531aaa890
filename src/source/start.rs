//! Where a value begins that can't be read. How far a parser came in it depends on what may be a secret.

use crate::text::Span;

/// The place to show for a fault at `offset`: where the value begins that it is in, as far as that can be told by the key
/// before it; or else the beginning of its line.
pub(super) fn start_of_value(format: &str, text: &str, offset: usize) -> Span {
    let offset = (0..=offset.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let line = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let value = match format {
        "JSON" => after_json_key(text, offset),
        "YAML" => after_key(&text[line..], ':').map(|at| line + at),
        _ => after_key(&text[line..], '=').map(|at| line + at),
    };
    let value = value.filter(|&at| (line..=offset).contains(&at));
    let start = value.unwrap_or_else(|| line + blank(&text[line..]));
    let width = text[start..].chars().next().filter(|c| !c.is_whitespace()).map_or(0, char::len_utf8);
    Span { start, end: start + width }
}

/// How much white space a line begins with.
fn blank(line: &str) -> usize {
    line.find(|c: char| c == '\n' || !c.is_whitespace()).unwrap_or(line.len())
}

/// Where the value begins in a line that begins with a key.
fn after_key(line: &str, mark: char) -> Option<usize> {
    let start = line.len() - line.trim_start_matches([' ', '\t', '-']).len();
    let key = line[start..].find(|c: char| !(c.is_alphanumeric() || "_-. \t\"'".contains(c)))?;
    let at = start + key;
    let after = line[at..].strip_prefix(mark).filter(|_| !line[start..at].trim().is_empty())?;
    Some(at + 1 + blank(after))
}

/// Where the value of the last key before `offset` begins.
fn after_json_key(text: &str, offset: usize) -> Option<usize> {
    let (mut value, mut before, mut at) = (None, '{', 0);
    while at < offset {
        let c = text[at..].chars().next()?;
        let end = if c == '"' { end_of_string(text, at) } else { at + c.len_utf8() };
        let rest = text.get(end..).unwrap_or_default();
        let colon = end + rest.len() - rest.trim_start().len();
        if c == '"' && matches!(before, '{' | ',') && text[colon..].starts_with(':') && colon < offset {
            at = colon + 1;
            let start = at + text[at..].len() - text[at..].trim_start().len();
            (value, before) = (Some(start), ':');
            continue;
        }
        if !c.is_whitespace() {
            before = c;
        }
        at = end;
    }
    value
}

/// Where a string ends that begins at `at`; at the end of the line, if it isn't closed.
fn end_of_string(text: &str, at: usize) -> usize {
    let mut escaped = false;
    for (offset, c) in text[at + 1..].char_indices() {
        match c {
            '\n' => return at + 1 + offset,
            '"' if !escaped => return at + 2 + offset,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a text with a mark at the fault and another one where it is to be shown.
    fn assert_shown(format: &str, marked: &str) {
        let text = marked.replace(['▲', '▼'], "");
        let fault = marked.replace('▲', "").find('▼').unwrap();
        let shown = marked.replace('▼', "").find('▲').unwrap();
        assert_eq!(start_of_value(format, &text, fault).start, shown, "{marked}");
    }

    #[test]
    fn a_fault_in_a_value_is_shown_at_its_beginning() {
        for marked in [
            "a = 1\n\"b\".c = ▲123▼xoxb",
            "a = ▲\"ab\\▼qc\"",
            "a = ▲a=▼b",
            "a = ▲{ b = 12▼x }",
            "a = ▲é▼x",
            "a = [\n  ▲C1▼\n]",
            "▲xoxb▼",
            "  ▲xoxb b▼ = c",
            "▲x!=▼",
            "a = ▲▼",
        ] {
            assert_shown("TOML", marked);
        }
        for marked in ["a:\n  b: ▲x: ▼y", "- a: ▲\"b\"▼ c", "a:\n  ▲- b▼c", "▲{a: {b▼: c}}"] {
            assert_shown("YAML", marked);
        }
        for marked in [
            "{\"a\": ▲12▼x}",
            "{\"a\": {\"b\" : ▲1▼2x}}",
            "{\"a\": \"b\", \"c\": ▲\"d\"▼e\"}",
            "{\"a\": ▲\"b\":▼c\"}",
            "{\"a\": ▲1,▼x}",
            "{\"a\": ▲[\"C1\", 1▼x]}",
            "{\"a\\\"\": ▲1▼x}",
            "{\"a\": 1\n  ▲\"b\"▼: 2}",
            "▲x▼",
            "▲▼",
        ] {
            assert_shown("JSON", marked);
        }
    }
}
