pub mod file;
#[cfg(feature = "sandbox")]
pub mod sandbox;
pub mod schema;
pub mod secret;
pub mod text;
#[cfg(feature = "upload")]
pub mod upload;
