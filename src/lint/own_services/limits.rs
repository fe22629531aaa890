//! What a file of a project may say, and how much of it.

use toml::de::{DeTable, DeValue};

use crate::form;
use crate::schema::value::shown;
use crate::services::file::ServiceFile as Rows;
use crate::services::resolve::File;
use crate::services::{Purpose, Service};
use crate::text;

include!(concat!(env!("OUT_DIR"), "/words_limits.rs"));

/// The greatest number of entries elsewhere.
const MOST_ENTRIES: usize = 64;

/// The greatest length of a pattern, and of another text.
const LONGEST: [usize; 2] = [256, 400];

/// The greatest length of a name.
const LONGEST_NAME: usize = 40;

/// What values of a project's field may be for. Others belong to addresses, files and profiles of built-in services.
const PURPOSES: &[Purpose] = &[
    Purpose::Id,
    Purpose::Key,
    Purpose::OtherToken,
    Purpose::AccessToken,
    Purpose::Webhook,
    Purpose::Name,
    Purpose::Other,
];

/// Refuses what a project can't say, and more than is read.
pub(super) fn check(file: &File<Rows>, text: &str) -> Result<(), String> {
    let table = DeTable::parse(text).map_err(|_| format!("{}: not TOML", file.path))?;
    check_table(file, &[], table.get_ref())
}

/// Refuses purposes that have a meaning only for built-in services.
pub(super) fn check_purposes(file: &File<Rows>, service: &Service) -> Result<(), String> {
    let forms = file.rows.form.0.iter().map(|(at, _)| at).zip(service.forms.iter().map(|form| form.purpose));
    let fields = file.rows.field.0.iter().map(|(at, _)| at).zip(service.fields.iter().map(|field| field.purpose));
    if let Some((at, _)) = forms.chain(fields).find(|(_, purpose)| !PURPOSES.contains(purpose)) {
        return file.fail(at, "this purpose is not for a service of a project");
    }
    for relation in &file.rows.relation {
        let row = relation.get_ref();
        let named = row.fields.iter().chain(&row.field).chain(&row.other).chain(&row.needs).chain(&row.beside);
        if named.into_iter().any(|name| name.get_ref().contains('/')) {
            return file.fail(relation, "a relation of a project is about fields of its own file");
        }
    }
    for error in &file.rows.error {
        let row = error.get_ref();
        if row.about.is_empty() || row.about.iter().any(|name| name.get_ref().contains('/')) {
            return file.fail(error, "a text of a project is `about` fields of its own file");
        }
        let is_word = |text: &String| !text.trim().contains([' ', '.', ':', '-']);
        if row.context_words.is_empty() && row.texts.get_ref().iter().any(is_word) {
            return file.fail(&row.texts, "others say a single word, too: add `context_words`");
        }
    }
    Ok(())
}

fn is_at(place: &[&str], pattern: &str) -> bool {
    let known: Vec<&str> = pattern.split_terminator('.').collect();
    place.len() == known.len() && place.iter().zip(known).all(|(own, known)| known == "*" || *own == known)
}

fn check_table(file: &File<Rows>, place: &[&str], table: &DeTable<'_>) -> Result<(), String> {
    let mut entries: Vec<_> = table.iter().map(|(key, value)| (key.span().start, key.get_ref(), value)).collect();
    entries.sort_by_key(|(at, ..)| *at);
    entries.into_iter().try_for_each(|(at, name, value)| check_entry(file, place, (at, name), value.get_ref()))
}

fn check_entry(
    file: &File<Rows>,
    above: &[&str],
    (at, name): (usize, &str),
    value: &DeValue<'_>,
) -> Result<(), String> {
    let of_form = matches!(above, ["form" | "base", _]).then_some(OF_FORM);
    let known = of_form.or_else(|| KEYS.iter().find(|(place, _)| is_at(above, place)).map(|(_, keys)| *keys));
    if known.is_some_and(|keys| !keys.contains(&name)) {
        return file.fail_at(at, &format!("`{name}` is not for a service of a project"));
    }
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    let is_row = matches!(above, ["form" | "base" | "field" | "sources" | "texts"] | ["form" | "base", _, "parts"]);
    if is_row && (name.len() > LONGEST_NAME || !name.bytes().all(plain) || !is_made_of_pieces(name)) {
        return file.fail_at(at, "the name of a row has short words of small letters, digits, `-` and `_`");
    }
    let place: Vec<&str> = above.iter().copied().chain([name]).collect();
    check_value(file, &place, at, value)
}

fn check_value(file: &File<Rows>, place: &[&str], at: usize, value: &DeValue<'_>) -> Result<(), String> {
    let most = MOST.iter().find(|(known, _)| is_at(place, known)).map_or(MOST_ENTRIES, |(_, most)| *most);
    let too_many = |length: usize| {
        if length <= most {
            return Ok(());
        }
        file.fail_at(at, &format!("`{}` has more than {most} entries", place[place.len() - 1]))
    };
    match value {
        // Never printed, and read only by `services check`.
        _ if place == ["examples"] => Ok(()),
        DeValue::Table(table) => too_many(table.len()).and_then(|()| check_table(file, place, table)),
        DeValue::Array(items) => {
            too_many(items.len())?;
            items.iter().try_for_each(|item| check_value(file, place, at, item.get_ref()))
        }
        DeValue::String(text) => flaw(place, text).map_or(Ok(()), |flaw| file.fail_at(at, flaw)),
        _ => Ok(()),
    }
}

/// Returns what is wrong with a text: it is long, could be more than text where it is printed, or holds a credential.
fn flaw(place: &[&str], text: &str) -> Option<&'static str> {
    let [longest_pattern, longest] = LONGEST;
    if !text.chars().all(|c| c == ' ' || !c.is_control() && !c.is_whitespace() && !is_invisible(c)) {
        return Some("a text has no line break, control character or invisible character");
    }
    match place {
        ["form" | "base", _, "patterns", ..] if text.len() > longest_pattern => Some("a pattern has at most 256 bytes"),
        ["form" | "base", _, "patterns", ..] => {
            let holds = text.contains(' ') || !is_made_of_pieces(text);
            holds.then_some("a pattern has no space (`[ ]` is one) and no longer piece of a value")
        }
        _ if text.len() > longest => Some("a text has at most 400 bytes"),
        ["form" | "base", _, "sample", ..] => {
            let parts = without_classes(text);
            let made_up = parts.iter().all(|part| text::is_word_of(part, "-_.:/@=+~") && is_made_of_pieces(part));
            (!made_up).then_some("a sample has classes such as `{w*32}` in place of its characters")
        }
        ["words" | "ignored_before"]
        | ["field", _, "names", "words" | "allowed_prefixes"]
        | ["relation", "agree" | "differ"]
        | ["form" | "base", _, "parts", ..] => {
            let plain = text.is_empty() || text::is_plain_name(text);
            (!plain).then_some("a name has words of letters, and is no credential")
        }
        // References to rows: there is no other row.
        ["field", _, "takes" | "purpose"] | ["field", _, "mistake", "forms"] | ["field", _, "names", "unless"] => None,
        ["form" | "base", _, "like" | "with" | "purpose"] | ["error", "about" | "rules"] => None,
        ["relation", "fields" | "field" | "other" | "needs" | "beside" | "form" | "forms"] => None,
        ["since" | "read"] => (text.len() > 10).then_some("a day or a version"),
        // Text that is compared and shown.
        ["error", "texts" | "context_words" | "hosts"] | ["texts", ..] => {
            text.split(' ').any(may_hold_credential).then_some(CREDENTIAL)
        }
        ["docs"] if !text.is_empty() && !text.starts_with("https://") => Some("an address that begins with `https://`"),
        _ => (!is_sentence(text)).then_some(CREDENTIAL),
    }
}

const CREDENTIAL: &str =
    "a text has words, as a sentence does, and nothing that may be a credential or a mark of a page";

/// Returns `true` for words: not what marks a page or a summary of a job, and not what could be a credential.
fn is_sentence(text: &str) -> bool {
    let marked = text.contains(['<', '>', '[', ']', '{', '}', '|', '*', '\\']);
    let word = |word: &str| {
        let bare = word.trim_matches(['`', '…', '(', ')', ',']);
        bare.strip_prefix("https://").unwrap_or(bare).to_owned()
    };
    let words: Vec<String> = text.split(' ').map(word).filter(|word| !word.is_empty()).collect();
    // One word alone could be a password.
    let is_name = words.len() < 2 && words.iter().all(|word| text::is_plain_name(word));
    let is_reason = || shown::reason(&words.join(" ")).is_some_and(|shown| shown != text::MASK);
    !marked && !words.iter().any(|word| is_known(word)) && (is_name || is_reason())
}

/// Characters that have no width, or turn the direction of a text.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns `true` for a credential of a known form.
fn is_known(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    form::read(word).form.is_some_and(|form| form.certain && form.is_secret())
}

fn may_hold_credential(word: &str) -> bool {
    is_known(word) || text::may_be_credential(word) || text::is_app_password(word)
}

/// The greatest length of a piece of a value that a pattern or a sample has as it is.
const LONGEST_PIECE: usize = 12;

/// Returns `true` if letters and digits stand in short pieces, so that no value is among them.
fn is_made_of_pieces(text: &str) -> bool {
    let pieces = || text.split(|c: char| !c.is_ascii_alphanumeric());
    pieces().all(|piece| piece.len() <= LONGEST_PIECE && !text::may_be_credential(piece))
        && !text::is_app_password(text)
        && !text.split(' ').any(is_known)
}

/// The parts of a sample that are not made up.
fn without_classes(sample: &str) -> Vec<&str> {
    let behind = |part: &'_ str| part.find('}').map_or(0, |end| end + 1);
    sample.split('{').enumerate().map(|(at, part)| if at == 0 { part } else { &part[behind(part)..] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_sentences_and_names_are_words() {
        for (place, text, fits) in [
            (&["form", "a", "noun"][..], "an API token", true),
            (&["form", "a", "advice"], "use the key of the console's page Keys (`acme_live_…`), not of test", true),
            (&["form", "a", "advice"], "see https://wiki.acme.example/keys, page 2", true),
            (&["form", "a", "noun"], "a token xoxb-1-2-abcdefghijkl", false),
            (&["form", "a", "noun"], "an ![x](https://evil.example) token", false),
            (&["form", "a", "noun"], "hunter2hunter2", false),
            (&["form", "a", "noun"], "a\u{202e}b c", false),
            (&["name"], "Acme", true),
            (&["name"], "Acme Pay", true),
            (&["name"], "qzwvxkpjhybdq", false),
            (&["words"], "ACME_PAY", true),
            (&["words"], "QZWVXKPJHYBDTMRF", false),
            (&["docs"], "https://docs.acme.example/tokens", true),
            (&["docs"], "http://docs.acme.example/tokens", false),
            (&["form", "a", "sample"], "acme_live_{w*32}", true),
            (&["form", "a", "sample"], "{h*8}-{h*4}.acme", true),
            (&["form", "a", "sample"], "acme_live_q7w2e9r4t6y1u8i3", false),
            (&["form", "a", "sample"], "{w*8", false),
            (&["form", "a", "sample", "x"], "qzwv-xkpj-hybd-tmrf", false),
            (&["form", "a", "patterns"], r"acme_(?<mode>live|test)_[0-9A-Za-z]{32}", true),
            (&["form", "a", "patterns"], "acme_q7w2e9r4t6y1u8i3", false),
            (&["form", "a", "patterns", "path"], "[a-z]+/[0-9]{8}", true),
            (&["error", "texts"], "acme: 401 (token rejected)", true),
            (&["error", "texts"], "acme: sk_live_51H8xTuKq2WmZpYvRb7NcJd4E", false),
        ] {
            assert_eq!(flaw(place, text).is_none(), fits, "{place:?} {text}: {:?}", flaw(place, text));
        }
    }
}
