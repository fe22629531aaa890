//! The secrets of the profile, which no uploaded file may contain, and the search for them in what is sent.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::{GeneralPurpose, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use memchr::memmem;
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use crate::code::Code;
use crate::shorthand::debug;
use crate::source::Problem;

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

debug!(OwnSecrets, |own| "OwnSecrets({})", own.0.len());

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
        let found = self.needles().find(|(_, needle)| memmem::find(text.as_bytes(), needle).is_some());
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
    // Some programs encode more than they have to: all punctuation, or every byte.
    let kept: [fn(&u8) -> bool; 3] =
        [|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(byte), u8::is_ascii_alphanumeric, |_| false];
    for (digits, kept) in
        [b"0123456789ABCDEF", b"0123456789abcdef"].into_iter().flat_map(|digits| kept.map(|kept| (digits, kept)))
    {
        let digit = |byte: u8| digits[usize::from(byte)];
        add(escaped(secret, |byte| (!kept(byte)).then(|| vec![b'%', digit(byte >> 4), digit(byte & 15)])));
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

/// Escapes a secret without leaving a copy in memory: no byte becomes more than six.
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

/// The state of a search through a file.
pub struct Scan {
    secrets: OwnSecrets,
    /// The number of bytes at the end of a piece in which a secret may begin that ends in the next piece.
    overlap: usize,
    /// The last bytes that were searched, at most `overlap`.
    tail: Zeroizing<Vec<u8>>,
}

impl Scan {
    pub fn new(secrets: &OwnSecrets) -> Self {
        let overlap = secrets.needles().map(|(_, needle)| needle.len() - 1).max().unwrap_or(0);
        // Twice the overlap, so that the buffer never grows: growing would leave a copy in memory.
        Self { secrets: secrets.clone(), overlap, tail: Zeroizing::new(Vec::with_capacity(2 * overlap)) }
    }

    /// Returns the number of bytes after a piece that must be searched to know that no secret begins in it.
    pub const fn overlap(&self) -> usize {
        self.overlap
    }

    /// Searches the next piece.
    pub fn search(&mut self, piece: &[u8]) -> Result<(), Problem> {
        if self.overlap == 0 {
            return Ok(());
        }
        let seen = self.tail.len();
        self.tail.extend_from_slice(&piece[..piece.len().min(self.overlap)]);
        for (field, needle) in self.secrets.needles() {
            if memmem::find(&self.tail, needle).is_some() || memmem::find(piece, needle).is_some() {
                return Err(own_secret_error(field, self.secrets.is_word(field)));
            }
        }
        if piece.len() >= self.overlap {
            self.tail.clear();
            self.tail.extend_from_slice(&piece[piece.len() - self.overlap..]);
        } else {
            let rest = (seen + piece.len()).saturating_sub(self.overlap);
            self.tail.drain(..rest);
        }
        Ok(())
    }
}

fn own_secret_error(field: &str, word: bool) -> Problem {
    let error = Problem::new(
        Code::OwnSecret,
        format!("the file contains the `{field}` of the profile that it is sent with; it was not sent"),
    );
    error.help(if word {
        "take it out of the file; if it stands there as an ordinary word, replace the secret by a random one"
    } else {
        "take it out of the file; if others had the file before, replace the secret as well"
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};

    const SECRET: &str = "xoxb-4815162342-QwErTyUiOpAsDfGh";

    fn scan(secrets: &[&'static str]) -> Scan {
        Scan::new(&OwnSecrets::new(secrets.iter().map(|secret| ("token", (*secret).into()))))
    }

    fn found(pieces: &[&[u8]], secrets: &[&'static str]) -> bool {
        let mut scan = scan(secrets);
        pieces.iter().any(|piece| scan.search(piece).is_err())
    }

    #[test]
    fn finds_secret_across_chunks() {
        let text = format!("before {SECRET} after");
        for at in 0..=text.len() {
            let (one, two) = text.as_bytes().split_at(at);
            assert!(found(&[one, two], &["https://hooks.example.com/x", SECRET]), "{at}");
        }
        for size in 1..=text.len() {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            assert!(found(&pieces, &[SECRET]) && found(&pieces, &["short", SECRET, SECRET]), "{size}");
            assert!(!found(&pieces, &["another-secret-of-some-length"]) && !found(&pieces, &[]), "{size}");
        }
    }

    #[test]
    fn finds_encoded_secrets() {
        let hook = "https://hooks.example.com/services/T01/B01/a+b";
        for secret in [SECRET, hook] {
            let secret: &'static str = secret;
            let utf16 =
                |bytes: fn(u16) -> [u8; 2]| format!("é {secret} x").encode_utf16().flat_map(bytes).collect::<Vec<_>>();
            let mut forms = vec![utf16(u16::to_le_bytes), utf16(u16::to_be_bytes)];
            for before in ["", "u", "u:", "abc"] {
                let text = format!("{before}{secret}\n");
                forms.push(STANDARD.encode(&text).into_bytes());
                forms.push(URL_SAFE.encode(&text).into_bytes());
            }
            let percent: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
            forms.push(percent.replace("%3A", "%3a").replace("%2F", "%2f").replace("%2B", "%2b").into_bytes());
            forms.push(percent.into_bytes());
            for all in [true, false] {
                let kept = |byte: u8| !all && byte.is_ascii_alphanumeric();
                let upper = |byte| if kept(byte) { char::from(byte).into() } else { format!("%{byte:02X}") };
                let lower = |byte| if kept(byte) { char::from(byte).into() } else { format!("%{byte:02x}") };
                forms.push(secret.bytes().map(lower).collect::<String>().into_bytes());
                let percent: String = secret.bytes().map(upper).collect();
                forms.push(percent.into_bytes());
            }
            let json = serde_json::to_string(secret).unwrap();
            forms.push(json.replace('/', "\\/").into_bytes());
            forms.push(json.into_bytes());
            for form in forms {
                assert!(found(&[b"before ", &form, b" after"], &[secret]), "{}", form.escape_ascii());
            }
        }
        assert!(!found(&[STANDARD.encode("xoxb-4815162342-QxErTyUiOpAsDfGh").as_bytes()], &[SECRET]));
    }

    #[test]
    fn explains_secret_that_is_a_word() {
        let help = |secret: &'static str| scan(&[secret]).search(secret.as_bytes()).unwrap_err().help.unwrap();
        assert!(help("documentation-team").contains("ordinary word") && !help(SECRET).contains("ordinary word"));
    }

    #[test]
    fn matches_only_exact_consecutive_bytes() {
        let (one, two) = SECRET.as_bytes().split_at(12);
        assert!(!found(&[one, b"\n", two], &[SECRET]) && !found(&[two, one], &[SECRET]));
        assert!(!found(&[&one[1..], two], &[SECRET]) && !found(&[SECRET.to_lowercase().as_bytes()], &[SECRET]));
        assert!(found(&[b"", one, b"", two], &[SECRET]));
    }

    #[test]
    fn ignores_short_secrets_and_matches_start_of_long_ones() {
        assert!(
            !found(&[b"fifteen-bytes-x"], &["fifteen-bytes-x"]) && found(&[b"sixteen-bytes-xy"], &["sixteen-bytes-xy"])
        );
        assert_eq!((scan(&["fifteen-bytes-x"]).overlap(), scan(&["sixteen-bytes-xy"]).overlap()), (0, 47));
        let long: &'static str = "0123456789abcdefghi".repeat(500).leak();
        assert!(found(&[&long.as_bytes()[..4096]], &[long]) && !found(&[&long.as_bytes()[..4095]], &[long]));
    }

    #[test]
    fn search_buffer_never_grows() {
        let mut scan = scan(&[SECRET]);
        let room = scan.tail.capacity();
        for len in (0..200).chain([100_000]) {
            scan.search(&vec![b'x'; len]).unwrap();
            assert!(scan.tail.len() <= scan.overlap() && scan.tail.capacity() == room, "{len}");
        }
        assert!(!format!("{:?}", scan.secrets).contains("xox"));
    }
}
