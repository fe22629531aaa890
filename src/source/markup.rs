//! Parses the settings of .NET's `*.config` files: `<add key="NAME" value="…"/>`, and `<setting name="NAME">` with a
//! `<value>`. Source: <https://learn.microsoft.com/dotnet/framework/configure-apps/file-schema/appsettings/>.

use std::borrow::Cow;

use zeroize::Zeroizing;

use super::fault::MAX_VALUES;
use super::parsed::{self, Parsed};
use super::tree::{Entry, SourceId};
use crate::secret::Vault;
use crate::text::Span;

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Parsed {
    let (mut entries, mut at, mut setting, mut cut) = (Vec::new(), 0, None, false);
    let mut comments = Vec::new();
    while let Some(found) = text[at..].find('<').filter(|_| !cut) {
        let start = at + found;
        // These parts contain no settings.
        let other = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        if let Some((_, close)) = other.into_iter().find(|(open, _)| text[start..].starts_with(open)) {
            at = text[start..].find(close).map_or(text.len(), |end| start + end);
            if close == "-->" {
                let before = text[..start].trim_end_matches([' ', '\t']);
                let alone = before.is_empty() || before.ends_with('\n');
                comments.push((Span { start, end: at }, alone));
            }
            continue;
        }
        let (name, end) = tag(text, start);
        at = end;
        let attribute = |wanted: &[&str]| {
            attributes(text, Span { start: start + 1 + name.len(), end }).find(|(name, _)| wanted.contains(name))
        };
        let key = attribute(&["key", "name"]).map(|(_, span)| span);
        let value = match (name, key) {
            ("add" | "setting", Some(_)) => attribute(&["value"]).map(|(_, span)| span),
            ("value", _) if setting.is_some() => content(text, end),
            _ => None,
        };
        if let (Some(key), Some(value)) = (key.or(setting), value) {
            let (name, spot) = parsed::key(text, key, source);
            let key = decoded(&name).to_string();
            let raw = &text[value.start..value.end];
            let literal = raw.strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>"));
            let raw = literal.map_or_else(|| decoded(raw), |literal| Zeroizing::new(literal.to_owned()));
            entries.push(Entry { key, at: spot, value: parsed::string(Cow::Borrowed(&raw), value, source, vault) });
        }
        setting = key.filter(|_| name == "setting");
        cut = entries.len() >= MAX_VALUES;
    }
    Parsed { comments, cut, ..Parsed::table(entries, source, text.len()) }
}

/// Returns the name of a tag, and where the tag ends. A `>` in a quoted value does not end it.
fn tag(text: &str, start: usize) -> (&str, usize) {
    let inner = &text[start + 1..];
    let length = inner.find(|c: char| !(c.is_ascii_alphanumeric() || "._:-".contains(c))).unwrap_or(inner.len());
    let mut quote = None;
    let end = inner.find(|c: char| {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            _ => return quote.is_none() && c == '>',
        }
        false
    });
    (&inner[..length], end.map_or(text.len(), |end| start + end + 2))
}

/// Returns the text of an element. Nested elements are not text.
fn content(text: &str, start: usize) -> Option<Span> {
    let inside = text[start..].trim_start();
    let start = text.len() - inside.len();
    let literal = inside.starts_with("<![CDATA[").then(|| inside.find("]]>")).flatten().map(|end| end + 3);
    let length = literal.or_else(|| inside.find('<').filter(|end| inside[*end..].starts_with("</")))?;
    Some(parsed::trimmed(text, Span { start, end: start + length }))
}

/// Returns the names of a tag's attributes, and where their values are, without the quotes.
fn attributes(text: &str, within: Span) -> impl Iterator<Item = (&str, Span)> {
    let mut at = within.start;
    std::iter::from_fn(move || {
        let equals = at + text[at..within.end].find('=')?;
        let name = text[at..equals].trim();
        let open = equals + 1 + text[equals + 1..within.end].find(['"', '\''])?;
        let close = open + 1 + text[open + 1..within.end].find(char::from(text.as_bytes()[open]))?;
        at = close + 1;
        Some((name, Span { start: open + 1, end: close }))
    })
}

/// Replaces the five predefined entities, and characters by their numbers.
fn decoded(raw: &str) -> Zeroizing<String> {
    let mut text = Zeroizing::new(String::with_capacity(raw.len()));
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        let entities = [("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&apos;", '\''), ("&amp;", '&')];
        let known = entities.into_iter().find(|(entity, _)| rest[at..].starts_with(entity));
        let known = known.map(|(entity, c)| (entity.len(), c)).or_else(|| numbered(&rest[at..]));
        let (length, c) = known.unwrap_or((1, '&'));
        text.push_str(&rest[..at]);
        text.push(c);
        rest = &rest[at + length..];
    }
    text.push_str(rest);
    text
}

/// Returns the character that a text starts with by its number, `&#83;` or `&#x53;`, and the length of that.
fn numbered(text: &str) -> Option<(usize, char)> {
    let digits = text.strip_prefix("&#")?;
    let digits = &digits[..digits.bytes().take(10).position(|byte| byte == b';')?];
    let number = digits.strip_prefix(['x', 'X']).map_or_else(|| digits.parse(), |hex| u32::from_str_radix(hex, 16));
    Some((digits.len() + 3, char::from_u32(number.ok()?)?))
}
