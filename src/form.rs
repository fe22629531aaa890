//! Recognises values by their bytes alone: forms that services issue, wrappings, unexpanded references and
//! placeholders. Each has a table with a source for every row. Ambiguous forms are a result of their own.
//!
//! A [`Reading`] contains no byte of the value, so it can't leak one.

mod embedded;
mod looks;
mod pem;
mod placeholder;
mod recognise;
mod unexpanded;
mod wrapping;

pub use looks::{Looks, kind_of_server};
pub use pem::Pem;
pub(crate) use pem::flaw as pem_flaw;
pub use placeholder::Placeholder;
pub use unexpanded::{Expander, Unexpanded};
pub use wrapping::Wrapping;
pub(crate) use wrapping::{DecodeError, awaits_substitution, decode_base64, decode_percent};

pub(crate) use embedded::is_token_payload;
pub(crate) use recognise::{LONGEST_FOR_OWN, has_form, is_small};
pub(crate) use recognise::{find_all, find_own, for_each_part, is_lower_hex};

use zeroize::Zeroizing;

use crate::services::{Form, Issuer};

/// What the bytes of a value reveal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// A reference that some tool should have expanded.
    pub unexpanded: Option<Unexpanded>,
    /// A placeholder that was not replaced.
    pub placeholder: Option<Placeholder>,
    /// A wrapping or encoding that breaks the value.
    pub wrapping: Option<Wrapping>,
    /// The form inside the wrapping. `None` if it is unknown.
    pub form: Option<&'static Form>,
}

impl Reading {
    /// Returns the form if nothing wraps the value.
    pub fn unwrapped_form(&self) -> Option<&'static Form> {
        self.form.filter(|_| self.wrapping.is_none())
    }
}

/// The maximum number of nested wrappings: `export TOKEN="Bearer …"` has three.
const MAX_DEPTH: usize = 4;

/// The maximum number of attempts for a value: each wrapping could hide another, and a value may consist of nothing
/// else.
const MAX_ATTEMPTS: usize = 48;

/// The maximum length of a value whose wrappings are examined, in bytes, without surrounding whitespace. Every known
/// credential is shorter.
const MAX_LENGTH: usize = 4096;

/// Reads a value. The first match wins: unexpanded, placeholder, known form, wrapped.
pub fn read(value: &str) -> Reading {
    if value.is_empty() {
        return Reading::default();
    }
    let mut whole = read_unwrapped(value);
    // An ambiguous form gives way to a credential's prefix with the wrong length.
    if whole.form.is_some_and(|form| !form.certain)
        && let Some((wrapping, form)) = wrapping::wrong_length(value)
    {
        whole = Reading { wrapping: Some(wrapping), form: Some(form), ..Reading::default() };
    }
    let rest = |reading: &Reading| reading.form.is_some_and(|form| form.rest);
    // A mere host, as in most profiles, contains no other value.
    let address = rest(&whole) && value.split('/').nth(3).is_some();
    // A value with an ambiguous form may be another one in a wrapping.
    let loose = whole.form.is_some_and(is_ambiguous);
    if whole != Reading::default() && !address && !loose || value.trim().len() > MAX_LENGTH {
        return whole;
    }
    // A wrapped webhook also looks like an address of the service.
    let inside = read_wrapped(value, &mut 0);
    if loose {
        // Random bytes don't decode to a text with a form, whatever else has that form.
        let is_told = |form| !is_ambiguous(form) || inside.wrapping == Some(Wrapping::Base64);
        return if inside.form.is_some_and(is_told) { inside } else { whole };
    }
    if address && (inside.form.is_none() || rest(&inside)) { whole } else { inside }
}

/// Returns `true` for a form that many other values have.
fn is_ambiguous(form: &Form) -> bool {
    !form.certain && form.issued_by == Issuer::Many
}

/// Reads a value and the content of its wrappings. `tried` counts the attempts.
fn read_wrapped(value: &str, tried: &mut usize) -> Reading {
    // Breadth first: the explanation with the fewest wrappings is the most likely.
    let mut layer = vec![(None, Zeroizing::new(value.to_owned()))];
    let mut loose = None;
    for _ in 0..MAX_DEPTH {
        let mut deeper = Vec::new();
        for (outermost, text) in &layer {
            for (wrapping, inner) in wrapping::candidates(text) {
                *tried += 1;
                // Encoded JSON is a separate format, not a credential that was encoded by mistake.
                if wrapping == Wrapping::Json && outermost.is_some() {
                    continue;
                }
                let inside = read_unwrapped(&inner);
                if let Some(form) = inside.form {
                    let found = Reading { wrapping: outermost.or(Some(wrapping)), ..inside };
                    if !is_ambiguous(form) {
                        return found;
                    }
                    loose = loose.or(Some(found));
                    continue;
                }
                // A decoded password may look like a word or a name, so these count only if the value itself is intact.
                if inside != Reading::default() && wrapping.leaves_value_intact() {
                    return inside;
                }
                if *tried < MAX_ATTEMPTS {
                    deeper.push((outermost.or(Some(wrapping)), inner));
                }
            }
        }
        layer = deeper;
    }
    // The content is unknown, but some wrappings are always mistakes.
    let mut wrappings = wrapping::candidates(value).into_iter().map(|(wrapping, _)| wrapping);
    let certain = wrappings.find(|wrapping| wrapping.is_certain(value));
    let short = || recognise::find_truncated(value).map(|form| (Wrapping::Short, form));
    let cut = wrapping::wrong_length(value).or_else(short);
    let form = cut.map(|(_, form)| form);
    if let Some(loose) = loose.filter(|_| cut.is_none()) {
        return loose;
    }
    Reading { wrapping: certain.or(cut.map(|(wrapping, _)| wrapping)), form, ..Reading::default() }
}

/// Reads a value without its wrappings.
fn read_unwrapped(value: &str) -> Reading {
    let trimmed = value.trim();
    if let Some(unexpanded) = unexpanded::find(trimmed) {
        return Reading { unexpanded: Some(unexpanded), ..Reading::default() };
    }
    if let Some(placeholder) = placeholder::find(trimmed) {
        return Reading { placeholder: Some(placeholder), ..Reading::default() };
    }
    Reading { form: recognise::find(value), ..Reading::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::slack;

    #[test]
    fn resolves_wrappings_within_limits() {
        let token = "xoxb-123456789012-1234567890123-abcdefghijklmnopqrstuvwx";
        for (value, wrapping) in [
            (token.to_owned(), None),
            (format!("export TOKEN=\"Bearer {token}\""), Some(Wrapping::Assignment)),
            (format!("'\"{token}\"'"), Some(Wrapping::Quotes)),
            (format!("\"{token}"), Some(Wrapping::Quote)),
            (format!("{token}'"), Some(Wrapping::Quote)),
            (format!("${token}"), Some(Wrapping::Dollar)),
            (format!("{token}{token}"), Some(Wrapping::Doubled)),
            (format!("{token} {token}"), Some(Wrapping::Several)),
            (format!("{token} abc"), Some(Wrapping::Space)),
            (format!(r#"{{"name": "deploys", "token": "{token}"}}"#), Some(Wrapping::Json)),
            (format!(r#"[["{token}"]]"#), Some(Wrapping::Json)),
            (token.replacen("xoxb-1", "xoxb-\u{200b}1", 1), Some(Wrapping::Invisible)),
            (token.replacen("xoxb-", "xoxb\u{2013}", 1), Some(Wrapping::NonAscii)),
            (format!("x={token}"), Some(Wrapping::Label)),
            (format!("_x={token}"), Some(Wrapping::Label)),
            (format!("abcdefghabcdefghabcdef12={token}"), Some(Wrapping::Label)),
            (format!("12345678-abcdefgh-abcdefgh={token}").replacen('1', "a", 1), Some(Wrapping::Label)),
            (format!("a12345678abcdefghabcdef={token}"), Some(Wrapping::Label)),
            // As long as the longest value that is examined.
            (format!("{0}{token}{0}", "\"".repeat((MAX_LENGTH - token.len()) / 2)), Some(Wrapping::Quotes)),
        ] {
            let reading = read(&value);
            assert_eq!((reading.form, reading.wrapping), (Some(&slack::BOT_TOKEN), wrapping), "{value}");
        }
        for value in [
            format!("1x={token}"),
            format!("a/b={token}"),
            format!("x=={token}"),
            format!("x=/{token}"),
            // A list of public keys may be intended.
            format!("{0},{0}", "pk_live_abcdefghijklmnopqrstuvwxyz12"),
            // It may be a pair.
            format!("a12345678abcdefghabcdefg={token}"),
            format!("{0}{token}{0}", "\"".repeat((MAX_LENGTH - token.len()) / 2 + 1)),
        ] {
            assert_eq!(read(&value), Reading::default(), "{value}");
        }
        for value in ["\"[<({".repeat(500), "a=".repeat(2000), "%41".repeat(1000), "aa".repeat(2000)] {
            let mut tried = 0;
            assert_eq!(read_wrapped(&value, &mut tried).form, None);
            assert!((1..25 * MAX_ATTEMPTS).contains(&tried), "{tried}: {}", &value[..8]);
        }
    }

    #[test]
    fn reports_wrapping_of_unknown_content() {
        for (value, wrapping) in [
            ("\"abcdefgh\"", Some(Wrapping::Quotes)),
            ("'abcdefgh'", Some(Wrapping::Quotes)),
            ("\"abcdefgh'", None),
            ("\"abcdefgh", None),
            ("“abcdefgh”", Some(Wrapping::OddQuotes)),
            ("`abcdefgh`", Some(Wrapping::OddQuotes)),
            ("“abcdefgh", None),
            ("abcdefgh”", None),
            ("“”", None),
            ("MY_TOKEN=abcdefgh", Some(Wrapping::Assignment)),
            ("export x=abcdefgh", Some(Wrapping::Assignment)),
            ("MY_TOKEN=", None),
            ("MY_COLOR=abcdefgh", None),
            ("KEY=abcdefgh", None),
            ("my_KEY=abcdefgh", None),
            ("bearer abcdefgh", Some(Wrapping::Header)),
            ("Authorization: abcdefgh", Some(Wrapping::Header)),
            ("token abcdefgh", None),
            (r#"{"a": "abcdefgh"}"#, Some(Wrapping::Json)),
            (r#"["abcdefgh"]"#, Some(Wrapping::Json)),
            ("[1]", None),
        ] {
            assert_eq!(read(value), Reading { wrapping, ..Reading::default() }, "{value}");
        }
        // A quoted placeholder is a placeholder, but not a value that decodes to one.
        assert_eq!(read("\"changeme\"").placeholder, Some(Placeholder::Word));
        assert_eq!(read("Y2hhbmdlbWU="), Reading::default());
    }

    /// The most specific form, and its wrapping.
    #[test]
    fn prefers_certain_form_to_ambiguous_one() {
        let read = |value: &str| {
            let found = read(value);
            (found.wrapping, found.form.map(|form| form.id))
        };
        // As long as a secret access key.
        let long = "K005abcdefghijklmnopqrstuvwxyzABCDEFGHIJ";
        assert_eq!(read(long), (Some(Wrapping::Length), Some("backblaze/application-key")));
        // As long as an application key of the old kind.
        assert_eq!(read("K005aBcDeFgHiJkLmNoPqRsTuVw"), (Some(Wrapping::Length), Some("backblaze/application-key")));
        // In lower case it would be 40 hex digits.
        let hex = "414B494151574552545955494F50415344464748";
        assert_eq!(read(hex), (Some(Wrapping::Hex), Some("aws/access-key-id")));
        assert_eq!(read("https://acme.slack.com/a/b/c"), (None, Some("slack/address")));
        let webhook = "https://hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/abcdefghijklmnopqrstuvwx,";
        assert_eq!(read(webhook), (Some(Wrapping::Punctuation), Some("slack/webhook")));
        // The form of one service explains it better than a placeholder in brackets.
        assert_eq!(read("<<C0QYLPVLJ35>>"), (Some(Wrapping::Brackets), Some("slack/conversation-id")));
        // In upper case it would be the ID of a channel.
        assert_eq!(read("c123456789ab"), (None, Some("backblaze/account-id")));
        for (value, form) in [("akiaqwertyuiasdfghj7", "aws/access-key-id"), ("c0123456789", "slack/conversation-id")] {
            assert_eq!(read(value), (Some(Wrapping::Case), Some(form)));
        }
        assert_eq!(read("c0123456"), (None, None));
    }

    #[test]
    fn token_has_minimum_length() {
        let token = "xoxb-7391842650-1739184265-QzWvXkPjHyBd";
        assert_eq!(read(token).unwrapped_form(), Some(&slack::BOT_TOKEN));
        let doubled = read(&token.repeat(2));
        assert_eq!((doubled.wrapping, doubled.form), (Some(Wrapping::Doubled), Some(&slack::BOT_TOKEN)));
        assert_eq!(read(&format!("{token}xoxp-7391842650-1739184265-QzWvXkPjHyBd")), Reading::default());
        let id = read("AKIAQWERTYUIASDFGHJ7").unwrapped_form().unwrap();
        assert_eq!((id.noun, read("A0123456789").unwrapped_form()), ("an AWS access key ID", Some(&slack::OBJECT_ID)));
    }
}
