pub mod file;
pub mod schema;
pub mod secret;
pub mod text;
