//! From an error text in a log to the credentials here that it is about.
//!
//! A log is somebody else's text: it is searched for the words of rows, and nothing of it is repeated. What is said is in
//! the rows, and what is known of the credentials is what a search finds.

mod answer;
mod here;
mod log;
mod text;
mod words;

pub use answer::{Answer, AtHost, Decided, Why, explain};
pub use here::{Credential, Here, Part};
pub use log::{LONGEST, Log};
#[cfg(test)]
pub use text::{Row, name, rows};
