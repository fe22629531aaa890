//! Finds the start of a value that can't be parsed. The position where the parser failed depends on what may be a
//! secret, so it is not shown.

/// Returns where to show an error at `offset`: at the start of the value that contains it, judged by the preceding key,
/// or else at the start of its line.
pub(super) fn start_of_value(format: &str, text: &str, offset: usize) -> usize {
    let offset = (0..=offset.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let line = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let mark = if matches!(format, "JSON" | "YAML") { ':' } else { '=' };
    let value = after_key(&text[line..], mark).map(|at| line + at).filter(|&at| (line..=offset).contains(&at));
    value.unwrap_or_else(|| line + leading_whitespace(&text[line..]))
}

/// Returns the length of a line's leading whitespace.
fn leading_whitespace(line: &str) -> usize {
    line.find(|c: char| c == '\n' || !c.is_whitespace()).unwrap_or(line.len())
}

/// Returns the start of the value on a line that starts with a key.
fn after_key(line: &str, mark: char) -> Option<usize> {
    let start = line.len() - line.trim_start_matches([' ', '\t', '-', '{']).len();
    let key = line[start..].find(|c: char| !(c.is_alphanumeric() || "_-. \t\"'".contains(c)))?;
    let at = start + key;
    let after = line[at..].strip_prefix(mark).filter(|_| !line[start..at].trim().is_empty())?;
    Some(at + 1 + leading_whitespace(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes a text with one mark at the error and another at the expected location.
    fn assert_shown(format: &str, marked: &str) {
        let text = marked.replace(['▲', '▼'], "");
        let fault = marked.replace('▲', "").find('▼').unwrap();
        let shown = marked.replace('▼', "").find('▲').unwrap();
        assert_eq!(start_of_value(format, &text, fault), shown, "{marked}");
    }

    #[test]
    fn shows_error_at_start_of_value() {
        for marked in [
            "a = 1\n\"b\".c = ▲123▼xoxb", "a = ▲\"ab\\▼qc\"", "a = ▲a=▼b", "a = ▲{ b = 12▼x }", "a = ▲é▼x",
            "a = [\n  ▲C1▼\n]", "▲xoxb▼", "  ▲xoxb b▼ = c", "▲x!=▼", "a = ▲▼",
        ] {
            assert_shown("TOML", marked);
        }
        for marked in ["a:\n  b: ▲x: ▼y", "- a: ▲\"b\"▼ c", "a:\n  ▲- b▼c", "{a: ▲{b▼: c}}"] {
            assert_shown("YAML", marked);
        }
        for marked in [
            "{\"a\": ▲12▼x}", "{\"a\": ▲{\"b\" : 1▼2x}}", "{\"a\": ▲\"b\", \"c\": \"d\"▼e\"}", "{\"a\": ▲\"b\":▼c\"}",
            "▲{\"a\\\"\": 1▼x}", "{\"a\": ▲12▼", "{\"a\": \"b\n▲c\", \"d\": 1▼x}", "{\n  \"a\": ▲[\"C1\", 1▼x]\n}",
            "{\"a\": 1\n  ▲\"b\"▼: 2}", "▲x▼", "▲▼",
        ] {
            assert_shown("JSON", marked);
        }
    }
}
