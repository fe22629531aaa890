//! The JSON Schema (2020-12) of the configuration, for editors. A test writes it from the table of fields and the list of
//! rules.

/// The address where editors find the schema.
pub const URL: &str = "https://raw.githubusercontent.com/credlint/credlint/main/docs/schema/config-v1.json";

/// The schema, as published.
pub const DOCUMENT: &str = include_str!("../../docs/schema/config-v1.json");

#[cfg(test)]
pub mod tests;
