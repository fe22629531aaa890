//! Whether a value was made with another one.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::services::Derivation;
use crate::text::hex;

/// Returns whether a value was made with a secret. `None` if it was made in another way, which tells nothing.
pub fn is_made_with(value: &str, secret: &str, how: Derivation) -> Option<bool> {
    match how {
        Derivation::Signed => is_signed_with(value, secret),
        // The secret itself instead of its hash is certainly wrong.
        Derivation::Sha256 if value == secret => Some(false),
        Derivation::Sha256 => {
            let is_hash = value.len() == 64 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_hash.then(|| hex(&Sha256::digest(secret)).eq_ignore_ascii_case(value))
        }
    }
}

/// Checks the signature of a JWT. Other algorithms than HS256 don't sign with a shared secret.
fn is_signed_with(token: &str, secret: &str) -> Option<bool> {
    let (signed, signature) = token.rsplit_once('.')?;
    let (header, _) = signed.split_once('.')?;
    let header = BASE64_URL_SAFE_NO_PAD.decode(header).ok()?;
    let header: serde_json::Value = serde_json::from_slice(&header).ok()?;
    if header.get("alg")?.as_str()? != "HS256" || secret.is_empty() {
        return None;
    }
    let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).ok()?;
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
    Some(mac.chain_update(signed).verify_slice(&signature).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_signature_of_jwt() {
        // The example of RFC 7515, appendix A.1, has a key with other bytes than text; this is one of jwt.io's, made again.
        let token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c";
        let made = |token: &str, secret: &str| is_made_with(token, secret, Derivation::Signed);
        assert_eq!(made(token, "your-256-bit-secret"), Some(true));
        assert_eq!(made(token, "another-secret"), Some(false));
        assert_eq!(made(token, ""), None);
        // RS256.
        assert_eq!(made("eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "secret"), None);
        for other in ["", "a.b", "a.b.c", "eyJhbGciOiJIUzI1NiJ9.e30.?", "e30.e30.c2ln"] {
            assert_eq!(made(other, "secret"), None, "{other}");
        }
    }

    #[test]
    fn recognises_hash() {
        let made = |value: &str| is_made_with(value, "abc", Derivation::Sha256);
        // FIPS 180-4, "abc".
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((made(hash), made(&hash.to_uppercase())), (Some(true), Some(true)));
        assert_eq!((made(&"0".repeat(64)), made("abc")), (Some(false), Some(false)));
        assert_eq!((made(&"z".repeat(64)), made("0")), (None, None));
    }
}
