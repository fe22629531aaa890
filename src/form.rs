//! What a value is, told by its bytes alone: the forms that services issue, wrappings around them, references that were
//! never expanded, and stand-ins. One table for each, every row with its source. What is ambiguous is its own result.
//!
//! A [`Reading`] holds no byte of the value, so whoever has one has nothing to print.

mod digits;
mod known;
mod stand_in;
mod unexpanded;
mod vendors;
mod wrapping;

pub use known::{Form, Service};
pub use stand_in::StandIn;
pub use unexpanded::{Expander, Unexpanded};
pub use wrapping::Wrapping;

pub(crate) use digits::is_lower_hex;

/// What the bytes of a value tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Reading {
    /// It is written to be replaced by something that never ran.
    pub unexpanded: Option<Unexpanded>,
    /// It is a stand-in that somebody forgot to replace.
    pub stand_in: Option<StandIn>,
    /// What stands around it, or was done to it, that keeps it from working.
    pub wrapping: Option<Wrapping>,
    /// What it is, within its wrapping. `None` if that is not known.
    pub form: Option<Form>,
}

impl Reading {
    /// What it is, if nothing stands around it.
    #[must_use]
    pub fn plain(&self) -> Option<Form> {
        self.form.filter(|_| self.wrapping.is_none())
    }
}

/// How deep wrappings are seen through: `export TOKEN="Bearer …"` has three.
const DEEPEST: usize = 4;

/// The longest value that is looked at closely, in bytes. No credential of any known form is longer.
const LONGEST: usize = 16 * 1024;

/// Reads a value. The first that holds: unexpanded, a stand-in, wrapped, of a known form.
#[must_use]
pub fn read(value: &str) -> Reading {
    if value.is_empty() || value.len() > LONGEST { Reading::default() } else { within(value, 0) }
}

fn within(value: &str, depth: usize) -> Reading {
    let trimmed = value.trim();
    if let Some(unexpanded) = unexpanded::find(trimmed) {
        return Reading { unexpanded: Some(unexpanded), ..Reading::default() };
    }
    if let Some(stand_in) = stand_in::find(trimmed) {
        return Reading { stand_in: Some(stand_in), ..Reading::default() };
    }
    if let Some(form) = Form::of_value(value) {
        return Reading { form: Some(form), ..Reading::default() };
    }
    if depth == DEEPEST {
        return Reading::default();
    }
    let mut wrapped = None;
    for (wrapping, inner) in wrapping::candidates(value) {
        let inside = within(&inner, depth + 1);
        // What is inside decides whether a wrapping that could be part of a value is one.
        let known = inside.form.is_some() || inside.unexpanded.is_some() || inside.stand_in.is_some();
        if known {
            return if inside.form.is_none() { inside } else { Reading { wrapping: Some(wrapping), ..inside } };
        }
        if wrapping.is_certain(value) {
            wrapped = wrapped.or(Some(wrapping));
        }
    }
    let cut = wrapping::cut(value);
    let form = cut.map(|(_, form)| form);
    Reading { wrapping: wrapped.or(cut.map(|(wrapping, _)| wrapping)), form, ..Reading::default() }
}

/// Whether a token of the hosted messaging service is shorter than any that it issues.
#[must_use]
pub fn is_short(value: &str) -> bool {
    wrapping::is_short(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_one_and_long_enough() {
        let token = "xoxb-7391842650-1739184265-QzWvXkPjHyBd";
        assert_eq!(read(token).plain(), Some(Form::BotToken));
        let doubled = read(&token.repeat(2));
        assert_eq!((doubled.wrapping, doubled.form), (Some(Wrapping::Doubled), Some(Form::BotToken)));
        assert_eq!(read(&format!("{token}xoxp-7391842650-1739184265-QzWvXkPjHyBd")), Reading::default());
        let id = read("AKIAQWERTYUIASDFGHJ7").plain().unwrap();
        assert_eq!((id.noun(), read("A0123456789").plain()), ("an AWS access key ID", Some(Form::ObjectId)));
        assert!(is_short(&token[..25]) && !is_short(&token[..26]));
    }
}
