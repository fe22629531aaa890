mod config;
pub mod file;
pub mod schema;
pub mod secret;
mod source;
pub mod text;
