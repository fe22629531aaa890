//! Renders a rule's page for a terminal: headings and code are highlighted, lines are wrapped to the width.

use super::human::{Style, wrapping};

/// The indentation of text.
const INDENT: &str = "  ";
/// The indentation of code.
const CODE: &str = "      ";

/// Renders the Markdown used by the pages: headings, paragraphs, lists, quotes, tables and fenced code.
pub fn render(page: &str, style: Style) -> String {
    let mut out = String::new();
    let mut lines = page.trim().lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            if let Some(place) = place(info) {
                out += &format!("{INDENT}{place}:\n");
            }
            // Code is never wrapped, so that it can be copied.
            for code in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                out.extend([format!("{CODE}{}", style.paint(code, "2")).trim_end(), "\n"]);
            }
        } else if let Some(title) = line.strip_prefix('#') {
            out.extend([&style.paint(title.trim_start_matches('#').trim(), "1"), "\n"]);
        } else if line.is_empty() {
            out.push('\n');
        } else {
            let is_row = |line: &str| line.starts_with('|');
            let is_item = |line: &str| item(line).is_some() || line.starts_with("```");
            let ends = |line: &str| line.is_empty() || line.starts_with(['#', '|']) || is_item(line);
            let mut block = vec![line];
            while let Some(next) = lines.next_if(|next| if is_row(line) { is_row(next) } else { !ends(next) }) {
                block.push(next);
            }
            if is_row(line) { table(&block, style, &mut out) } else { text(&block, style, &mut out) }
        }
    }
    out
}

/// Returns the caption of an example that is not simply a configuration file.
fn place(info: &str) -> Option<String> {
    let words: Vec<&str> = info.split(' ').collect();
    let file = words.iter().find_map(|word| word.strip_prefix("file="));
    match words.first() {
        _ if file.is_some() => file.map(|path| format!("the file {path}")),
        _ if words.contains(&"user") => Some("your user configuration".to_owned()),
        _ if words.contains(&"project") => Some("the project's file".to_owned()),
        Some(&"env") => Some("the environment".to_owned()),
        Some(&"dotenv") => Some("a dotenv file".to_owned()),
        _ => None,
    }
}

/// Splits a list item into its marker and text.
fn item(line: &str) -> Option<(&str, &str)> {
    let (mark, rest) = line.trim_start().split_once(' ')?;
    let number = mark.strip_suffix('.').is_some_and(|number| number.parse::<u8>().is_ok());
    (number || ["-", "*", ">"].contains(&mark)).then_some((mark, rest))
}

/// Renders a table. The last column wraps; the others are as wide as their content.
fn table(rows: &[&str], style: Style, out: &mut String) {
    let rule = |row: &&&str| !row.bytes().all(|byte| b"|-: ".contains(&byte));
    let cells = |row: &&str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    let rows: Vec<Vec<String>> = rows.iter().filter(rule).map(cells).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    // The width includes markup that colours remove, so columns may be too wide but never collide.
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    for row in &rows {
        let mut begin = INDENT.to_owned();
        for (column, cell) in row.iter().enumerate().take(columns - 1) {
            let room = " ".repeat(width(column).unwrap_or_default() - cell.chars().count() + 2);
            begin.extend([inline(cell, style), room]);
        }
        let indent =
            " ".repeat((0..columns - 1).filter_map(width).map(|width| width + 2).sum::<usize>() + INDENT.len());
        let last = row.get(columns - 1).map(|cell| inline(cell, style)).unwrap_or_default();
        let options = wrapping(style.width.max(indent.len() + 30)).initial_indent(&indent).subsequent_indent(&indent);
        let wrapped = textwrap::fill(&last, options);
        out.extend([format!("{begin}{}", wrapped.trim_start()).trim_end(), "\n"]);
    }
}

/// Renders a paragraph or list item.
fn text(block: &[&str], style: Style, out: &mut String) {
    let Some((&first, rest)) = block.split_first() else { return };
    let (mark, begin) = item(first).map_or((String::new(), first.trim()), |(mark, begin)| (format!("{mark} "), begin));
    let words = std::iter::once(begin).chain(rest.iter().map(|line| line.trim())).collect::<Vec<_>>().join(" ");
    let (initial, subsequent) = (format!("{INDENT}{mark}"), format!("{INDENT}{}", " ".repeat(mark.len())));
    let options = wrapping(style.width.max(40)).initial_indent(&initial).subsequent_indent(&subsequent);
    for line in textwrap::wrap(&inline(&words, style), options) {
        out.extend([line.trim_end(), "\n"]);
    }
}

/// Wraps long lines below the column where the text behind their first words begins.
pub fn wrapped(text: &str, width: usize) -> String {
    let column = |line: &str| {
        let bare = line.trim_start();
        let gap = bare.find("  ").map(|gap| line.len() - bare[gap..].trim_start().len());
        gap.unwrap_or(line.len() - bare.len() + INDENT.len())
    };
    let wrap = |line: &str| {
        let indent = " ".repeat(column(line).min(width / 2));
        textwrap::fill(line, wrapping(width.max(40)).subsequent_indent(&indent)) + "\n"
    };
    text.lines().map(wrap).collect()
}

/// Renders emphasis, code and links.
fn inline(words: &str, style: Style) -> String {
    let mut out = String::new();
    let mut rest = words;
    while let Some(at) = rest.find(['`', '*', '[']) {
        out += &rest[..at];
        rest = &rest[at..];
        let taken = match rest.as_bytes()[0] {
            b'`' => delimited(rest, "`", "`").map(|(code, end)| {
                // Without colours, the backticks stay to show where the code ends.
                (if style.color { each_word(code, "36", style) } else { format!("`{code}`") }, end)
            }),
            b'*' if rest.starts_with("**") => delimited(rest, "**", "**")
                .map(|(strong, end)| (each_word(&inline(strong, Style { color: false, ..style }), "1", style), end)),
            b'*' => delimited(rest, "*", "*").map(|(soft, end)| (each_word(soft, "3", style), end)),
            _ => link(rest, style),
        };
        let (shown, end) = taken.unwrap_or_else(|| (rest[..1].to_owned(), 1));
        out += &shown;
        rest = &rest[end..];
    }
    out + rest
}

/// Returns the text between two markers at the start, and the end of the second marker.
fn delimited<'a>(text: &'a str, open: &str, close: &str) -> Option<(&'a str, usize)> {
    let inner = text.strip_prefix(open)?;
    let end = inner.find(close).filter(|&end| end > 0)?;
    (!inner.starts_with(' ')).then_some((&inner[..end], open.len() + end + close.len()))
}

/// Renders `[words](address)`: the words, and the address if it is outside the project.
fn link(text: &str, style: Style) -> Option<(String, usize)> {
    let (words, middle) = delimited(text, "[", "]")?;
    let (target, end) = delimited(&text[middle..], "(", ")")?;
    let words = inline(words, style);
    let shown = if target.contains("://") { format!("{words} <{target}>") } else { words };
    Some((shown, middle + end))
}

/// Colours each word separately, so that a line can break between words.
fn each_word(words: &str, code: &str, style: Style) -> String {
    words.split(' ').map(|word| style.paint(word, code)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# an-id\n\nA *soft* and a **strong word** with `code`, [a page](https://h.example/x) and\n[another](other.md) of\nmany words.\n\n## Fails\n\n```toml fails\na = 1\n\nb = 2\n```\n\n- **One** thing\n  goes on\n- 2 * 3 [x]\n";

    #[test]
    fn renders_page_without_colours() {
        assert_eq!(
            render(PAGE, Style { color: false, width: 40, unicode: true }),
            "an-id\n\n  A soft and a strong word with `code`,\n  a page <https://h.example/x> and\n  another of many words.\n\n\
             Fails\n\n      a = 1\n\n      b = 2\n\n  - One thing goes on\n  - 2 * 3 [x]\n"
        );
    }

    #[test]
    fn wraps_lines_below_their_text() {
        let text = "a: short\n  help        many words that do not fit into one line of forty\nx y z and more words that do not fit into one line\n";
        assert_eq!(
            wrapped(text, 40),
            "a: short\n  help        many words that do not fit\n              into one line of forty\n\
             x y z and more words that do not fit\n  into one line\n"
        );
    }

    #[test]
    fn renders_tables_in_columns() {
        let page = "| a | what it is |\n|---|---|\n| `one` | many words that do not fit into one line |\n| b | |\n";
        assert_eq!(
            render(page, Style { color: false, width: 40, unicode: true }),
            "  a      what it is\n  `one`  many words that do not fit into\n         one line\n  b\n"
        );
    }

    #[test]
    fn colours_do_not_change_the_text() {
        let plain = render(PAGE, Style { color: false, width: 60, unicode: true });
        let color = render(PAGE, Style { color: true, width: 60, unicode: true });
        assert!(color.starts_with("\u{1b}[1man-id\u{1b}[0m\n") && color.contains("      \u{1b}[2ma = 1\u{1b}[0m\n"));
        let words = |text: &str| text.replace('`', "").split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let bare =
            ["0", "1", "2", "3", "36"].iter().fold(color, |text, code| text.replace(&format!("\u{1b}[{code}m"), ""));
        assert_eq!(words(&bare), words(&plain));
    }
}
