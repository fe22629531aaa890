//! Searches what is sent for the secrets of the sending profile.

use memchr::memmem;
use zeroize::Zeroizing;

use crate::code::Code;
use crate::upload::error::UploadError;
use crate::upload::secrets::OwnSecrets;

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
        // Twice the overlap, so that the buffer never grows: growing would leave a copy behind.
        Self { secrets: secrets.clone(), overlap, tail: Zeroizing::new(Vec::with_capacity(2 * overlap)) }
    }

    /// Returns the number of bytes after a piece that must be searched to know that no secret begins in it.
    pub const fn overlap(&self) -> usize {
        self.overlap
    }

    /// Searches the next piece.
    pub fn search(&mut self, piece: &[u8]) -> Result<(), UploadError> {
        if self.overlap == 0 {
            return Ok(());
        }
        let seen = self.tail.len();
        self.tail.extend_from_slice(&piece[..piece.len().min(self.overlap)]);
        for (field, needle) in self.secrets.needles() {
            if memmem::find(&self.tail, needle).is_some() || memmem::find(piece, needle).is_some() {
                return Err(own_secret(field, self.secrets.is_word(field)));
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

fn own_secret(field: &str, word: bool) -> UploadError {
    let error = UploadError::new(
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
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};

    use super::*;

    const SECRET: &str = "xoxb-4815162342-QwErTyUiOpAsDfGh";

    fn scan(secrets: &[&'static str]) -> Scan {
        Scan::new(&OwnSecrets::new(secrets.iter().map(|secret| ("token", (*secret).into()))))
    }

    fn found(pieces: &[&[u8]], secrets: &[&'static str]) -> bool {
        let mut scan = scan(secrets);
        pieces.iter().any(|piece| scan.search(piece).is_err())
    }

    #[test]
    fn a_secret_is_found_wherever_it_is_cut() {
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
    fn a_secret_is_found_as_other_programs_write_it() {
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
    fn a_secret_that_is_a_word_is_named_as_one() {
        let help = |secret: &'static str| scan(&[secret]).search(secret.as_bytes()).unwrap_err().help.unwrap();
        assert!(help("documentation-team").contains("ordinary word") && !help(SECRET).contains("ordinary word"));
    }

    #[test]
    fn only_the_exact_bytes_in_a_row_are_the_secret() {
        let (one, two) = SECRET.as_bytes().split_at(12);
        assert!(!found(&[one, b"\n", two], &[SECRET]) && !found(&[two, one], &[SECRET]));
        assert!(!found(&[&one[1..], two], &[SECRET]) && !found(&[SECRET.to_lowercase().as_bytes()], &[SECRET]));
        assert!(found(&[b"", one, b"", two], &[SECRET]));
    }

    #[test]
    fn a_short_one_is_none_and_of_a_long_one_the_beginning_is_enough() {
        assert!(
            !found(&[b"fifteen-bytes-x"], &["fifteen-bytes-x"]) && found(&[b"sixteen-bytes-xy"], &["sixteen-bytes-xy"])
        );
        assert_eq!((scan(&["fifteen-bytes-x"]).overlap(), scan(&["sixteen-bytes-xy"]).overlap()), (0, 30));
        let long: &'static str = "0123456789abcdefghi".repeat(500).leak();
        assert!(found(&[&long.as_bytes()[..4096]], &[long]) && !found(&[&long.as_bytes()[..4095]], &[long]));
    }

    #[test]
    fn what_is_kept_never_grows() {
        let mut scan = scan(&[SECRET]);
        let room = scan.tail.capacity();
        for len in (0..200).chain([100_000]) {
            scan.search(&vec![b'x'; len]).unwrap();
            assert!(scan.tail.len() <= scan.overlap() && scan.tail.capacity() == room, "{len}");
        }
        assert!(!format!("{:?}", scan.secrets).contains("xox"));
    }
}
