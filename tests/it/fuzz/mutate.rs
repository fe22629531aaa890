//! Mutated inputs: bytes flipped, cut, doubled and spliced, and now and then far too many of something.

/// xorshift64*: sufficient, and the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds must differ at once, and zero would stay zero.
        Self(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number less than `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 16).unwrap_or(usize::MAX >> 16) % end
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Words that one of the readers understands.
const WORDS: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\t",
    b" ",
    b"'",
    b"\"",
    b"'''",
    b"\"\"\"",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"\\U0010FFFF",
    b"\\x00",
    b"#",
    b"=",
    b":",
    b": ",
    b",",
    b"-",
    b"- ",
    b"?",
    b"? ",
    b"[",
    b"]",
    b"[[",
    b"]]",
    b"{",
    b"}",
    b"&a ",
    b"*a",
    b"<<: ",
    b"!!binary ",
    b"!x ",
    b"|\n",
    b">-\n",
    b"---\n",
    b"...\n",
    b"%YAML 1.1\n",
    b"~",
    b"null",
    b"true",
    b"NaN",
    b"-inf",
    b"1e999",
    b"0x",
    b"1979-05-27",
    b"99999999999999999999",
    b"-0",
    b"export ",
    b"$(",
    b"${",
    b"`",
    b"/*",
    b"//",
    b"token",
    b"channels",
    b"lint",
    b"allow",
    b"reason",
    b"rule",
    b"messaging",
    b"storage",
    b"trust",
    b"env",
    b"file",
    b"$schema",
    b"x-",
    b"sops",
    b"messaging.r",
    b"# credlint: allow(",
    b"CREDLINT_MESSAGING__R__",
    b"__",
    b"_FILE",
    b"/",
    b"..",
    b"/proc/self/environ",
    b"/dev/zero",
    b"credlint.toml",
    b"https://",
    b"http://127.0.0.1:1/",
    b"@",
    b"%",
    b"%00",
    b"::",
    b"[::1]",
    b"xn--",
    b"ok",
    b"error",
    b"\"ok\":true",
    b"\"ok\":false",
    b"<html>",
    b"Content-Length: ",
    b"Transfer-Encoding: chunked\r\n",
    b"\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n",
    b"Retry-After: ",
    b"{}",
    b"[]",
    b"{\"",
    b"\":",
    b"\"}",
    b"schema",
    b"credlint/journal/v1",
    b"posting",
    b"delivered",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    "\u{feff}".as_bytes(),
    "\u{200b}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{85}".as_bytes(),
    "é".as_bytes(),
    "日本".as_bytes(),
    "🔑".as_bytes(),
    b"\x1b[31m",
    b"********",
    super::SECRET.as_bytes(),
];

/// Opening brackets and the like, to be nested deeply.
const DEEP: &[&[u8]] = &[
    b"[", b"{", b"(", b"[[", b"{\"a\":", b"[{\"a\":", b"a: {", b"- ", b"? ", b"a.", b"'", b"\"", b"{a=", b"[a.",
    b"!x ", b"&a ", b"\\", b"#", b"<<: *a\n", b"a:\n ", b"%2", b" ", b"\n", b"x", b"0", b",", b"$(", b"\xef\xbb\xbf",
];

/// One of the seeds with a few changes.
pub fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.pick(seeds).clone();
    for _ in 0..=random.below(5) {
        change(&mut bytes, seeds, random);
    }
    // Many inputs are better than large ones.
    bytes.truncate(256 * 1024);
    bytes
}

fn change(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let len = random.below(bytes.len() - at + 1).min([4, 16, 64, usize::MAX][random.below(4)]);
    let byte = u8::try_from(random.below(256)).unwrap_or_default();
    let insert = |bytes: &mut Vec<u8>, piece: &[u8]| drop(bytes.splice(at..at, piece.iter().copied()));
    match random.below(13) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = byte,
        2 => insert(bytes, &[byte]),
        3..=4 => insert(bytes, random.pick::<&[u8]>(WORDS)),
        5 => drop(bytes.splice(at..at + len, random.pick(WORDS).iter().copied())),
        6 => drop(bytes.drain(at..at + len)),
        7 => bytes.truncate(at),
        8 => {
            let twice = bytes[at..at + len].to_vec();
            insert(bytes, &twice);
        }
        9 => {
            // A piece of another seed.
            let other = random.pick(seeds);
            let from = random.below(other.len() + 1);
            let to = from + random.below(other.len() - from + 1);
            insert(bytes, &other[from..to]);
        }
        10 => {
            // The lines in another order.
            let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
            if lines.len() > 1 {
                let (one, two) = (random.below(lines.len()), random.below(lines.len()));
                lines.swap(one, two);
                *bytes = lines.concat();
            }
        }
        11 => insert(bytes, &random.pick(DEEP).repeat([3, 40, 130, 3000][random.below(4)])),
        _ => {
            let word = random.pick(WORDS).repeat([2, 20, 300][random.below(3)]);
            insert(bytes, &word);
        }
    }
}
