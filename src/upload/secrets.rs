//! The secrets of the profile, which no uploaded file may contain.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::{GeneralPurpose, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

/// Shorter values may occur in a file by chance.
const SHORTEST: usize = 16;

/// The start of a longer secret is sufficient.
const LONGEST: usize = 4096;

/// The secrets of a profile, with the names of their fields.
#[derive(Clone, Default)]
pub struct OwnSecrets(Arc<[OwnSecret]>);

#[derive(Clone)]
struct OwnSecret {
    field: &'static str,
    secret: SecretString,
    /// The bytes to search for: the secret itself, and how other programs write it.
    needles: Arc<[Zeroizing<Vec<u8>>]>,
}

impl std::fmt::Debug for OwnSecrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OwnSecrets({})", self.0.len())
    }
}

impl OwnSecrets {
    /// Collects secrets of at least 16 bytes, without duplicates.
    #[must_use]
    pub fn new(secrets: impl IntoIterator<Item = (&'static str, SecretString)>) -> Self {
        let mut own: Vec<OwnSecret> = Vec::new();
        for (field, secret) in secrets {
            #[expect(
                clippy::disallowed_methods,
                reason = "compares secrets, and computes what to search the upload for"
            )]
            let (text, known) = (
                secret.expose_secret(),
                own.iter().any(|known| known.secret.expose_secret() == secret.expose_secret()),
            );
            if text.len() >= SHORTEST && !known {
                let needles = needles(&text.as_bytes()[..text.len().min(LONGEST)]).into();
                own.push(OwnSecret { field, secret, needles });
            }
        }
        Self(own.into())
    }

    /// Adds a secret.
    pub(super) fn with(&self, field: &'static str, secret: &SecretString) -> Self {
        Self::new(self.0.iter().map(|own| (own.field, own.secret.clone())).chain([(field, secret.clone())]))
    }

    /// Returns the field of a secret that a text contains.
    pub(super) fn field_in(&self, text: &str) -> Option<&'static str> {
        let has = |needle: &[u8]| text.as_bytes().windows(needle.len()).any(|window| window == needle);
        let found = self.needles().find(|(_, needle)| has(needle));
        found.map(|(field, _)| field)
    }

    /// Returns the secrets.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &SecretString> {
        self.0.iter().map(|own| &own.secret)
    }

    /// Returns the bytes to search for, with the names of their fields.
    pub(super) fn needles(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        self.0.iter().flat_map(|own| own.needles.iter().map(|needle| (own.field, needle.as_slice())))
    }

    /// Returns `true` if a secret consists of lower-case letters, as a word does.
    pub(super) fn is_word(&self, field: &str) -> bool {
        let letters = |needle: &[u8]| needle.iter().all(|byte| byte.is_ascii_lowercase() || b"-_. ".contains(byte));
        self.0.iter().any(|own| own.field == field && own.needles.first().is_some_and(|needle| letters(needle)))
    }
}

/// Returns a secret as it is, and as other programs write it: in UTF-16 (a redirection of PowerShell), in base64 at any
/// offset (a Secret of Kubernetes, an `auth` of Docker), percent-encoded, and as a JSON string.
fn needles(secret: &[u8]) -> Vec<Zeroizing<Vec<u8>>> {
    let mut needles = vec![Zeroizing::new(secret.to_vec())];
    let mut add = |needle: Vec<u8>| {
        let needle = Zeroizing::new(needle);
        if !needles.contains(&needle) {
            needles.push(needle);
        }
    };
    // Both byte orders contain this, without the zero at either end.
    let wide = secret.iter().flat_map(|&byte| [byte, 0]).take(2 * secret.len() - 1);
    let mut utf16 = Vec::with_capacity(2 * secret.len());
    utf16.extend(wide);
    add(utf16);
    for alphabet in [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
        for encoded in aligned_base64(secret, alphabet) {
            add(encoded.as_bytes().to_vec());
        }
    }
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(byte);
    for digits in [b"0123456789ABCDEF", b"0123456789abcdef"] {
        let digit = |byte: u8| digits[usize::from(byte)];
        add(escaped(secret, |byte| (!plain(byte)).then(|| vec![b'%', digit(byte >> 4), digit(byte & 15)])));
    }
    add(escaped(secret, |byte| br#""\/"#.contains(byte).then(|| vec![b'\\', *byte])));
    add(escaped(secret, |byte| br#""\"#.contains(byte).then(|| vec![b'\\', *byte])));
    let html = |byte: &u8| b"&<>".contains(byte).then(|| format!("\\u{byte:04x}").into_bytes());
    add(escaped(secret, html));
    needles
}

/// Returns a text in base64 at each of the three alignments, without the characters that depend on its neighbours.
pub(super) fn aligned_base64(text: &[u8], alphabet: &GeneralPurpose) -> [Zeroizing<String>; 3] {
    [(0, 0), (1, 2), (2, 3)].map(|(shift, skip)| {
        let mut padded = Zeroizing::new(Vec::with_capacity(shift + text.len()));
        padded.resize(shift, 0);
        padded.extend_from_slice(text);
        let whole = padded.len() * 8 / 6;
        let encoded = Zeroizing::new(alphabet.encode(&*padded));
        Zeroizing::new(encoded.get(skip.min(whole)..whole).unwrap_or_default().to_owned())
    })
}

/// Escapes a secret without leaving a copy behind: no byte becomes more than six.
fn escaped(secret: &[u8], escape: impl Fn(&u8) -> Option<Vec<u8>>) -> Vec<u8> {
    let mut out = Vec::with_capacity(6 * secret.len());
    for byte in secret {
        match escape(byte) {
            Some(escaped) => out.extend_from_slice(&escaped),
            None => out.push(*byte),
        }
    }
    out
}
