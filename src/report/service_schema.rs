//! The JSON Schema (2020-12) of a file with facts about a service, for editors. A test writes it from the types that read
//! such a file, and that of `services --format json` from the rows.

/// The schema, as published.
pub const DOCUMENT: &str = include_str!("../../docs/schema/service-v1.json");

#[cfg(test)]
mod tests;
