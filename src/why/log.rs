//! Reads the end of a log.

use std::io::{self, Read};

use zeroize::Zeroizing;

use crate::file;

/// The number of bytes that are read from the end of a log.
pub const LONGEST: usize = 4 * 1024 * 1024;

/// The end of a log.
pub struct Log {
    /// Its text in lower case. It may contain secrets.
    pub(super) text: Zeroizing<String>,
    /// The number of bytes that were searched.
    pub searched: usize,
    /// True if the log has more text before it.
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
        Self::read_rest(from, [0; 2], false)
    }

    /// Reads to the end. `first` has the first bytes of the log if they were skipped, because they may be a mark of
    /// UTF-16.
    fn read_rest(mut from: impl Read, mut first: [u8; 2], mut cut: bool) -> io::Result<Self> {
        // Start small: most logs are short, and every byte of the buffer is wiped.
        let mut bytes = Zeroizing::new(vec![0; 64 * 1024]);
        // The buffer grows to twice the length, so that its end is moved only once for each `LONGEST` bytes.
        let (mut end, most) = (0, 2 * LONGEST);
        loop {
            if end == bytes.len() && end < most {
                let mut longer = Zeroizing::new(vec![0; (4 * end).min(most)]);
                longer[..end].copy_from_slice(&bytes);
                bytes = longer;
            } else if end == bytes.len() {
                first = if cut { first } else { [bytes[0], bytes[1]] };
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
        let start = end.saturating_sub(LONGEST);
        first = if cut { first } else { [bytes[0], bytes[1]] };
        cut |= start > 0;
        // Some shells redirect output as UTF-16.
        let mark = if cut && matches!(first, [0xff, 0xfe] | [0xfe, 0xff]) { &first[..] } else { &[] };
        let mut text = file::decoded(Zeroizing::new([mark, &bytes[start..end]].concat()));
        text.make_ascii_lowercase();
        Ok(Self { text, searched: end - start, cut })
    }

    /// Reads the end of a file. `seek` moves there, and returns `true` if that skips a part.
    ///
    /// # Errors
    ///
    /// Returns an error if seeking or reading fails.
    pub fn read_end<R: Read>(from: &mut R, seek: impl FnOnce(&mut R) -> io::Result<bool>) -> io::Result<Self> {
        let mut first = [0; 2];
        let _begins = from.read(&mut first)?;
        let cut = seek(from)?;
        Self::read_rest(from, first, cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_and_decodes_only_the_end() {
        let text = |bytes: &[u8]| Log::read(bytes).unwrap();
        assert_eq!(*text(b"A b\n").text, "a b\n");
        let long = [vec![b'x'; 3 * LONGEST], b"END".to_vec()].concat();
        let log = text(&long);
        assert!(log.cut && log.searched == LONGEST && log.text.ends_with("xend"));
        assert_eq!(log.text.len(), LONGEST);
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

    #[test]
    fn retries_interrupted_reads_only() {
        /// Gives one error, and then a text.
        struct Broken(Option<io::ErrorKind>);
        impl Read for Broken {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0.take().map_or_else(|| b"".as_slice().read(buffer), |kind| Err(kind.into()))
            }
        }
        let read = |kind| Log::read(Broken(Some(kind)).chain(b"text".as_slice()));
        assert_eq!(*read(io::ErrorKind::Interrupted).unwrap().text, "text");
        assert_eq!(read(io::ErrorKind::BrokenPipe).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
