mod config;
pub mod file;
mod finding;
mod profile;
pub mod rules;
pub mod schema;
pub mod secret;
mod source;
pub mod text;
