//! Builds the `Authorization` header, one of the places where a secret is read from the vault.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use crate::code::Code;
use crate::schema::value::BearerToken;
use crate::upload::error::UploadError;

/// Builds the header of HTTP basic authentication. The ID must not contain a colon, because it ends at the first one.
///
/// Source: RFC 7617, section 2.
pub fn basic(id: &SecretString, key: &SecretString) -> Result<HeaderValue, UploadError> {
    #[expect(clippy::disallowed_methods, reason = "builds the Authorization header")]
    let (id, key) = (id.expose_secret(), key.expose_secret());
    if id.contains(':') {
        return Err(UploadError::new(
            Code::ClientSetup,
            "the ID contains a colon, so it can't be sent in an Authorization header",
        ));
    }
    let mut pair = Zeroizing::new(String::with_capacity(id.len() + 1 + key.len()));
    pair.extend([id, ":", key]);
    let encoded = Zeroizing::new(STANDARD.encode(&*pair));
    let mut value = Zeroizing::new(String::with_capacity("Basic ".len() + encoded.len()));
    value.extend(["Basic ", &encoded]);
    let mut value = HeaderValue::from_str(&value)
        .map_err(|_| UploadError::new(Code::ClientSetup, "the key pair can't be sent in an Authorization header"))?;
    value.set_sensitive(true);
    Ok(value)
}

pub fn bearer(token: &BearerToken) -> Result<HeaderValue, UploadError> {
    #[expect(clippy::disallowed_methods, reason = "builds the Authorization header")]
    let token = token.secret().expose_secret();
    let mut value = Zeroizing::new(String::with_capacity("Bearer ".len() + token.len()));
    value.push_str("Bearer ");
    value.push_str(token);
    let mut value = HeaderValue::from_str(&value)
        .map_err(|_| UploadError::new(Code::ClientSetup, "the token can't be sent in an Authorization header"))?;
    value.set_sensitive(true);
    Ok(value)
}
