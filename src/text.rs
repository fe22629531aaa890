//! Text: locations, masked copies, suggestions, and what may be printed.

mod mask;
mod masked;
mod near;
mod outgoing;
mod shown;
mod span;
mod spelled;
mod words;
#[cfg(test)]
pub(crate) mod work;

pub use mask::MASK;
pub(crate) use mask::is_url;
pub use masked::Masked;
pub use near::{is_typo, nearest};
pub use outgoing::{Markup, outgoing};
pub use shown::file_or_path;
pub use shown::file_to_send;
pub use shown::quoted;
pub use shown::{
    file, is_app_password, is_plain_name, may_be_credential, name, path, path_may_be_credential, printable,
    profile_may_be_credential,
};
pub use span::{LineIndex, Position, Span};
pub use spelled::duration;
pub use spelled::hex;
pub use spelled::size;
pub use spelled::{count, end_of_day};
pub use words::{ends_in, is_upper_word, is_variable_name, is_word_of, joined_words, words};
