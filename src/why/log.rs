//! Reads the end of a log.

use std::io::{self, Read};

use zeroize::Zeroizing;

use crate::file;

/// The number of bytes that are read from the end of a log.
pub const LONGEST: usize = 4 * 1024 * 1024;

/// The end of a log.
pub struct Log {
    /// Its text in lower case. It may hold secrets.
    pub(super) text: Zeroizing<String>,
    /// The number of bytes that were searched.
    pub searched: usize,
    /// True if there is more before it.
    pub cut: bool,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Log({} bytes, cut: {})", self.searched, self.cut)
    }
}

impl Log {
    /// Reads to the end, and keeps the last bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if reading fails.
    pub fn read(from: impl Read) -> io::Result<Self> {
        Self::read_marked(from, None, false)
    }

    fn read_marked(mut from: impl Read, mut mark: Option<[u8; 2]>, mut cut: bool) -> io::Result<Self> {
        // Most logs are short, and every byte of it is wiped.
        let mut bytes = Zeroizing::new(vec![0; 64 * 1024]);
        let mut end = 0;
        loop {
            // In the end twice as long, so that the end is moved once for each `LONGEST` bytes.
            if end == bytes.len() && end < 2 * LONGEST {
                let mut longer = Zeroizing::new(vec![0; (4 * end).min(2 * LONGEST)]);
                longer[..end].copy_from_slice(&bytes);
                bytes = longer;
            } else if end == bytes.len() {
                mark = mark.or_else(|| byte_order_mark(&bytes).filter(|_| !cut));
                bytes.copy_within(LONGEST.., 0);
                (end, cut) = (LONGEST, true);
            }
            match from.read(&mut bytes[end..]) {
                Ok(0) => break,
                Ok(read) => end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        mark = mark.or_else(|| byte_order_mark(&bytes[..end]).filter(|_| !cut));
        let start = end.saturating_sub(LONGEST);
        Ok(Self::from_end(&bytes[start..end], cut || start > 0, mark))
    }

    /// Reads the end of a file. `seek` goes there, and returns `true` if that leaves something out.
    ///
    /// # Errors
    ///
    /// Returns an error if seeking or reading fails.
    pub fn read_end<R: Read>(from: &mut R, seek: impl FnOnce(&mut R) -> io::Result<bool>) -> io::Result<Self> {
        let mut first = [0; 2];
        let read = from.read(&mut first)?;
        let cut = seek(from)?;
        Self::read_marked(from, byte_order_mark(&first[..read]).filter(|_| cut), cut)
    }

    /// Returns the log that ends in these bytes.
    fn from_end(bytes: &[u8], cut: bool, mark: Option<[u8; 2]>) -> Self {
        let mut kept = Zeroizing::new(Vec::with_capacity(bytes.len() + 2));
        // Of UTF-16, the beginning says so, and it is gone.
        kept.extend(mark.filter(|_| cut).into_iter().flatten());
        kept.extend_from_slice(bytes);
        let mut text = file::decoded(kept);
        text.make_ascii_lowercase();
        Self { text, searched: bytes.len(), cut }
    }
}

/// Returns the mark of UTF-16, as some shells write what is piped into a file.
fn byte_order_mark(bytes: &[u8]) -> Option<[u8; 2]> {
    match bytes {
        [0xff, 0xfe, ..] => Some([0xff, 0xfe]),
        [0xfe, 0xff, ..] => Some([0xfe, 0xff]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept_and_decoded() {
        let text = |bytes: &[u8]| Log::read(bytes).unwrap();
        assert_eq!(*text(b"A b\n").text, "a b\n");
        let long = [vec![b'x'; 3 * LONGEST], b"END".to_vec()].concat();
        let log = text(&long);
        assert!(log.cut && log.searched == LONGEST && log.text.ends_with("xend"));
        assert!(!text(&long[..LONGEST]).cut && text(&long[..=LONGEST]).cut);
        let wide: Vec<u8> = "\u{feff}"
            .chars()
            .chain(std::iter::repeat_n('é', LONGEST))
            .collect::<String>()
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert!(text(&wide).text.ends_with("éé"));
    }
}
