//! Decides how external words and paths may be printed.

use std::path::Path;

use percent_encoding::percent_decode_str;

use super::mask::MASK;

/// Returns `true` if a word starts like a token.
fn starts_like_token(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    SLACK_PREFIXES.iter().any(|prefix| lower.contains(prefix))
}

/// Returns `true` if a word could be a credential: it has a token's prefix, or mixes letters and digits as no natural
/// word, date or version does. Names like this are masked.
pub fn may_be_credential(word: &str) -> bool {
    is_mixed(word) || decoded_name(word).is_some_and(|bare| is_mixed(&bare))
}

fn is_mixed(word: &str) -> bool {
    starts_like_token(word)
        || word.split(|c: char| !c.is_alphanumeric()).any(|run| {
            let digits = run.chars().any(|c| c.is_ascii_digit());
            let letters = run.chars().any(|c| !c.is_ascii_digit());
            let changes = changes(run);
            match (digits, letters) {
                (true, false) => run.len() >= 16,
                (true, true) => {
                    run.len() >= 24 || (run.len() >= 12 && changes >= 2) || (run.len() >= 8 && changes >= 6)
                }
                (false, _) => run.len() > 40 || (run.len() >= 12 && changes >= 5 && !is_camel_case(run)),
            }
        })
}

/// Returns `true` if a profile's name could be a credential. Profile names are lower case, and people build them from
/// words, versions and short ids: `ubuntu2204lts`, `app-9f8e7d6c`. Every known form of credential is longer.
pub fn profile_may_be_credential(name: &str) -> bool {
    let joined: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    starts_like_token(name)
        || (joined.len() >= 24 && changes(&joined) >= 8)
        || name.split(|c: char| !c.is_alphanumeric()).any(|run| {
            let mixed = changes(run) > 0;
            (run.len() >= 16 && (changes(run) >= 2 || !run.contains(|c: char| !c.is_ascii_digit())))
                || (mixed && run.len() >= 24)
                || run.len() > 40
        })
}

/// The maximum number of letters in a word of a [plain name](is_plain_name), and the maximum number of words.
const WORD: usize = 12;
const WORDS: usize = 6;

/// Returns `true` if a name can't be a credential of any known form: words of letters in one case or in camel case, and
/// short names such as `b2` and `s3`, joined by `-`, `_`, `.` or `/`. The shortest credential with letters of one case
/// has 16; the only one made of words, Apple's app password, has four words of four letters. Keys with such names are
/// shown, even if a password is a word as well.
pub fn is_plain_name(name: &str) -> bool {
    let words: Vec<&str> = name.split(|c| "-_./".contains(c)).collect();
    let (mut lower, mut upper, mut letters) = (false, false, false);
    let word = |word: &&str| {
        let small = word.contains(|c: char| c.is_ascii_lowercase());
        let one_case = small != word.contains(|c: char| c.is_ascii_uppercase());
        if one_case {
            (lower, upper) = (lower || small, upper || !small);
        }
        letters |= word.len() > 2;
        let plain = (1..=WORD).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_alphabetic()) && one_case;
        plain || (one_case && is_short_numbered(word)) || is_camel_case(word)
    };
    let known = words.len() <= WORDS && words.iter().all(word);
    // A single `b2` is plausible, several are not.
    let numbered = words.iter().filter(|word| is_short_numbered(word)).count();
    let password = name.split(['.', '/']).any(is_app_password);
    known && !(lower && upper) && (letters || numbered < 2) && !password && !starts_like_token(name)
}

/// Returns a word from the command line for a message, or an empty string: a longer word could be a password.
pub fn quoted(word: &str) -> String {
    if is_plain_name(word) && (word.len() <= 8 || word.contains('-')) { format!(" `{word}`") } else { String::new() }
}

/// Returns `true` for one or two letters and a digit: `b2`, `s3`, `ec2`.
fn is_short_numbered(word: &str) -> bool {
    let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
    (1..=2).contains(&stem.len()) && stem.len() + 1 == word.len() && stem.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Returns `true` for camel case: `secretKeyRef`, `accountID`. Random text has shorter words, and unpronounceable ones.
fn is_camel_case(word: &str) -> bool {
    const SHORT: &[&str] = &["IDs", "ID", "Id", "URL", "URI", "API", "AWS", "CA"];
    let first = word.len() - word.trim_start_matches(|c: char| c.is_ascii_lowercase()).len();
    let (mut rest, mut humps) = (&word[first..], 0);
    while !rest.is_empty() {
        let ends = |rest: &str| rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_uppercase());
        if let Some(behind) = SHORT.iter().find_map(|short| rest.strip_prefix(short).filter(|behind| ends(behind))) {
            rest = behind;
        } else {
            let Some(behind) = rest.strip_prefix(|c: char| c.is_ascii_uppercase()) else { return false };
            let behind = behind.trim_start_matches(|c: char| c.is_ascii_lowercase());
            let hump = &rest[..rest.len() - behind.len()];
            let mut between = hump.split(|c: char| "aeiouyAEIOUY".contains(c));
            let vowel = hump.len() > between.clone().map(str::len).sum() && between.all(|run| run.len() <= 3);
            if !ends(behind) || !(3..=WORD).contains(&hump.len()) || !vowel {
                return false;
            }
            rest = behind;
        }
        humps += 1;
    }
    first <= WORD && (1..=5).contains(&humps)
}

/// Returns `true` for the form of Apple's app passwords: four groups of four letters
/// (<https://support.apple.com/en-us/102654>).
pub fn is_app_password(text: &str) -> bool {
    let word = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    text.split('-').count() == 4 && text.split('-').all(word)
}

/// Returns a name with percent-encoding decoded and invisible characters removed, because other programs would decode
/// or ignore them. `None` if it has neither.
fn decoded_name(name: &str) -> Option<String> {
    let seen = |c: &char| !is_hidden(*c);
    if !name.contains('%') && name.chars().all(|c| seen(&c)) {
        return None;
    }
    let bare: String = percent_decode_str(name).decode_utf8_lossy().chars().filter(seen).collect();
    (bare != name).then_some(bare)
}

/// Counts the changes between lower case, capitals and digits in a word.
fn changes(word: &str) -> usize {
    let class = |c: char| if c.is_ascii_digit() { 0 } else { 1 + u8::from(c.is_uppercase()) };
    word.chars().zip(word.chars().skip(1)).filter(|&(a, b)| class(a) != class(b)).count()
}

/// Returns a name for display: control characters are escaped, and a possible credential is masked.
pub fn name(word: &str) -> String {
    if may_be_credential(word) { MASK.to_owned() } else { printable(word) }
}

/// Returns `true` if a path could be a credential: some contain slashes.
pub fn path_may_be_credential(path: &str) -> bool {
    let joined: String = path.chars().filter(|c| c.is_alphanumeric()).collect();
    // A URL after a directory was pasted there.
    super::mask::is_url(path)
        || path.contains("://")
        || (path.len() < 64 && !path.starts_with('/') && changes(&joined) >= 10)
}

// `PREFIXES` of secrets, and `SLACK_PREFIXES`, from the rows of services.
include!(concat!(env!("OUT_DIR"), "/prefixes.rs"));

/// Beginnings that the expressions of rows spell in another way.
const OTHER_PREFIXES: &[&str] = &["sk_", "rk_", "K00", "eyJ", "AIza"];

/// Returns `true` if part of a file's name starts like a secret and continues like random text.
fn begins_like_secret(path: &str) -> bool {
    // Words have separators between them, and digits at their ends.
    let chance =
        |rest: &str| rest.split(|c: char| !c.is_ascii_alphanumeric()).any(|run| run.len() >= 8 && changes(run) >= 3);
    let begins =
        |part: &str| PREFIXES.iter().chain(OTHER_PREFIXES).any(|begin| part.strip_prefix(begin).is_some_and(chance));
    path.split(['/', '\\']).any(|part| begins(part.trim_start_matches('.')))
}

/// Returns the path of an existing file for display: any name except a token or a URL.
pub fn file(path: &Path) -> String {
    let text = path.to_string_lossy();
    let pasted = |text: &str| starts_like_token(text) || super::mask::is_url(text) || begins_like_secret(text);
    if pasted(&text) || decoded_name(&text).is_some_and(|bare| pasted(&bare)) {
        MASK.to_owned()
    } else {
        printable(&text)
    }
}

/// Returns the path of a possibly missing file for display. Each component is checked as a [`name`]. Components next to
/// a possible credential could be part of it, because some contain slashes.
pub fn path(path: &Path) -> String {
    let text = path.to_string_lossy();
    // The decoded path may have other components, so a single suspicious one hides all.
    if decoded_name(&text).is_some_and(|bare| bare != text && plain_path(&bare) != bare) {
        return MASK.to_owned();
    }
    plain_path(&text)
}

fn plain_path(text: &str) -> String {
    if path_may_be_credential(text) {
        return MASK.to_owned();
    }
    let parts: Vec<&str> = text.split('/').collect();
    // Passwords contain punctuation that file names rarely have.
    let odd = |part: &str| part.contains(['!', ';', '$', '\'', '"', '\\', '|', '<', '>', '*', '?', '{', '}', '^', '`']);
    let hidden = |index: usize| parts.get(index).is_some_and(|part| may_be_credential(part) || odd(part));
    let shown = parts.iter().enumerate().map(|(index, part)| {
        let beside = hidden(index) || hidden(index + 1) || index.checked_sub(1).is_some_and(hidden);
        if beside && !part.is_empty() { MASK.to_owned() } else { printable(part) }
    });
    shown.collect::<Vec<_>>().join("/")
}

/// Returns a path for display, whether or not the file exists.
pub fn file_or_path(path: &Path) -> String {
    if path.exists() { file(path) } else { pattern(path).unwrap_or_else(|| self::path(path)) }
}

/// Returns the path of a file to send for display, whether or not it exists. With an extension it was typed as a file,
/// whatever digits and punctuation are in it.
pub fn file_to_send(path: &Path) -> String {
    let text = path.to_string_lossy();
    if has_extension(&text) && !text.contains(['*', '?', '[']) && !text.contains("://") {
        return file(path);
    }
    file_or_path(path)
}

/// Returns `true` if the last part of a path ends like the name of a file: `.csv`, `.7z`.
fn has_extension(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default().trim_end_matches(['\'', '"']);
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        let plain = extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let number = extension.bytes().all(|byte| byte.is_ascii_digit());
        !stem.is_empty() && (1..=5).contains(&extension.len()) && plain && !number
    })
}

/// Returns a path pattern for display, if the text around its wildcards can't be a credential.
fn pattern(path: &Path) -> Option<String> {
    let text = path.to_str().filter(|text| text.contains(['*', '?', '[']))?;
    let plain: String = text.chars().filter(|c| !"*?[]!".contains(*c)).collect();
    (self::path(Path::new(&plain)) == plain).then(|| printable(text))
}

/// Returns `true` for characters that are invisible, or control a terminal or the writing direction: Unicode's control
/// characters, line separators, and default-ignorable code points
/// (<https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point>).
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Escapes control characters and invisible characters.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those that a person listed once, and what begins names of files as well.
    #[test]
    fn prefixes_of_rows_are_known_and_are_no_words() {
        for begin in [
            "sk_", "sk-", "whsec_", "ghp_", "github_pat_", "glpat-", "SG.", "AKIA", "ASIA", "K00", "npm_", "pypi-",
            "dop_v1_", "hf_", "gsk_", "shpat_", "sbp_", "sb_secret_", "AIza", "GOCSPX-", "eyJ", "tskey-", "xkeysib-",
            "phx_", "sntrys_", "hvs.", "figd_", "pul-", "r8_", "dckr_pat_",
        ] {
            assert!(begins_like_secret(&format!("secrets/{begin}aB3dE5fG7h")), "{begin}");
        }
        for name in ["key-Rotation2024A.md", "re_Invent2024Slides.pdf", "bot2024Report1A.csv", "redis2024Dump1A.rdb"] {
            assert!(!begins_like_secret(name), "{name}");
        }
        assert!(["xoxb-1", "xapp-1", "xwfp-1"].into_iter().all(starts_like_token));
    }

    #[test]
    fn masks_names_that_could_be_credentials() {
        for word in [
            "xoxb-1", "K0014pbwo1zxcIVMnqSNTfWHReU", "QzWvXkPjHyBd", "a1b2c3d4e5f6", "001aabbccddeeff123",
            "918273645546372819",
        ] {
            assert!(may_be_credential(word), "{word}");
        }
        for word in [
            "REPORTS_TOKEN", "nightly-2026-11-20.csv", "reports", "CREDLINT_MESSAGING__REPORTS__TOKEN",
            "s3.eu-central-005", "REPORTSTOKEN2026", "teamreports2026", "internationalcustomersupport",
            "report20261120.csv",
        ] {
            assert!(!may_be_credential(word), "{word}");
        }
        assert_eq!(path(Path::new("/run/secrets/app/xoxb-1-a")), "/run/secrets/********/********");
        assert_eq!(path(Path::new("K005Qz/7WvX/kPj/HyBd39")), "********");
        assert_eq!(path(Path::new("out/https://h.example/services/a")), "********");
        assert_eq!(path(Path::new("reports/2026/November/Summary.csv")), "reports/2026/November/Summary.csv");
        assert_eq!(printable("a\u{1b}[31m\u{202e}"), "a\\u{1b}[31m\\u{202e}");
    }

    #[test]
    fn masks_profile_names_that_could_be_credentials() {
        let letters = |len: usize| "a".repeat(len);
        for (name, hidden) in [
            ("ubuntu2204lts".to_owned(), false),
            ("app-9f8e7d6c".to_owned(), false),
            ("a-xoxb".to_owned(), true),
            // One change, two changes, and digits alone.
            (format!("{}1", letters(22)), false),
            (format!("{}1", letters(23)), true),
            (format!("{}1aa", letters(12)), false),
            (format!("{}1aa", letters(13)), true),
            ("1".repeat(15), false),
            ("1".repeat(16), true),
            // Letters alone.
            (letters(40), false),
            (letters(41), true),
            (letters(42), true),
            // Parts that would be one value without the separators.
            ("a1b2c3d-abcdefgh-ijklmnopq".to_owned(), false),
            ("a1b2c3d-a1bcdefg-ijklmnopq".to_owned(), true),
        ] {
            assert_eq!(profile_may_be_credential(&name), hidden, "{name}");
        }
    }

    #[cfg(feature = "upload")]
    #[test]
    fn a_file_to_send_is_named_if_it_was_typed_as_one() {
        for (typed, hidden) in [
            ("app-3f9c2d1e8b7a6f5d4c3b2a1908f7e6d5c4b3a291.apk", false),
            ("build/${VERSION}.apk", false),
            ("C:\\out\\x1.xlsx", false),
            ("'a1b2c3d4e5f6.7z'", false),
            // Without an extension, or with more than one is.
            ("3f9c2d1e8b7a6f5d4c3b2a1908f7e6d5c4b3a291", true),
            ("a1b2c3d4e5f6.123456", true),
            ("a1b2c3d4e5f6.12345", true),
            ("out/xoxb-1-a.csv", true),
            ("https://h.example/a1b2c3.csv", true),
            ("./https://hooks.example.com/services/a/b/c.yaml", true),
        ] {
            assert_eq!(file_to_send(Path::new(typed)).contains(MASK), hidden, "{typed}");
        }
    }

    #[test]
    fn masks_file_names_that_start_like_secrets() {
        for (name, hidden) in [
            ("keys/sk_a1b2c3d4", true),
            ("keys/.sk_a1b2c3d4", true),
            // Short, or words.
            ("keys/sk_a1b2c3d", false),
            ("keys/sk_abcdefgh", false),
            ("keys/sk_report_2026", false),
            ("a1b2c3d4", false),
        ] {
            assert_eq!(file(Path::new(name)) == MASK, hidden, "{name}");
        }
    }

    #[test]
    fn plain_name_has_no_known_form() {
        assert!(is_plain_name("b2-s3-key") && is_plain_name("key-b2-s3") && !is_plain_name("b2-s3"));
        let (word, long) = ("a".repeat(12), "a".repeat(13));
        for name in [
            "tokn",
            "production",
            "PRODUCTION",
            "slack_bot_token",
            "my-setting",
            "application.key/id",
            "MASTER_APPLICATION_KEY",
            "team_mail_team_mail",
            "team-mail-team",
            "team-mail-team-mail-team",
            "a_b_c_d_e_f",
            &word,
            // Camel case, and names such as `b2`.
            "Token",
            "slackToken",
            "secretKeyRef",
            "accountIDSecretRef",
            "accountKeySecretRef",
            "slack.webhookURL",
            "X-Amz-Key-Id",
            "B2_APPLICATION_KEY",
            "b2",
            "s3.secretKey",
            "app.kubernetes.io/name",
            &format!("{word}-{word}"),
        ] {
            assert!(is_plain_name(name), "{name}");
            assert!(!may_be_credential(name), "{name}");
        }
        for name in [
            // Not names.
            "",
            "-",
            "a-",
            "_a",
            "a__b",
            "a b",
            "a:b",
            "a=",
            "a\u{7}",
            "caf\u{e9}",
            "n\u{e4}me",
            "aN\u{e4}me",
            "\u{c4}name",
            "q\u{200b}z",
            "%71z",
            // Mixed case, or digits.
            "REPORTS_token",
            "QzWvXkPj",
            "Qzwv",
            "slackTOken",
            "aBc",
            "tokeN",
            "a1-b2",
            "a12",
            "abc1",
            "1a",
            "hunter2",
            "correcthorsebatteryStaple",
            "slackOneTwoThreeFourFiveSix",
            "token2",
            "token-2",
            // Long words, and many words.
            &long,
            &long.to_uppercase(),
            &format!("a-{long}"),
            "a_b_c_d_e_f_g",
            // App passwords of Google, Microsoft, Yahoo and Apple.
            "qzwvxkpjhybdtmrf",
            "qzwv-xkpj-hybd-tmrf",
            "QZWV-XKPJ-HYBD-TMRF",
            "a/qzwv-xkpj-hybd-tmrf.toml",
            // Tokens in one case, and text with a token's prefix.
            "qzwvxkpjhybdtmrflcngsaguq",
            "QZWVXKPJHYBDTMRFLCNGSAGUQ",
            "xoxb-abc",
            "XAPP-A",
            "correcthorsebatterystaple",
        ] {
            assert!(!is_plain_name(name), "{name}");
        }
    }

    /// Random text is rarely accepted as a name.
    #[test]
    fn random_text_is_rarely_a_plain_name() {
        let mut state = 1_u64;
        let mut made = |alphabet: &[u8], len: usize| -> String {
            let letter = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                char::from(alphabet[usize::try_from(state >> 33).unwrap() % alphabet.len()])
            };
            std::iter::repeat_with(letter).take(len).collect()
        };
        let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/-_";
        // No known form of credential has only letters of both cases.
        let letters_alone = (0..20_000).filter(|_| is_plain_name(&made(&letters[..52], 20))).count();
        assert!(letters_alone <= 2, "{letters_alone}");
        for _ in 0..20_000 {
            for (alphabet, len) in [(64, 20), (66, 27), (62, 24), (26, 16), (66, 40)] {
                let secret = made(&letters[..alphabet], len);
                assert!(!is_plain_name(&secret), "{secret}");
            }
        }
    }

    #[test]
    fn decodes_names_before_checking() {
        for (text, spelled) in [
            ("%78%6f%78b", Some("xoxb")),
            ("x\u{200b}o\u{feff}x", Some("xox")),
            ("%ff%", Some("\u{fffd}%")),
            ("50%+1%é%4", None),
            ("reports", None),
        ] {
            assert_eq!(decoded_name(text).as_deref(), spelled, "{text}");
        }
        for hidden in ["%78%6F%78%62%2D1", "x\u{200b}o\u{200b}x\u{200b}b", "%4B%30%30%35Qz7WvXkPjH"] {
            assert!(may_be_credential(hidden), "{hidden}");
            assert_eq!(name(hidden), MASK);
            assert_eq!(path(hidden.as_ref()), MASK);
            assert_eq!(path(format!("out/{hidden}.toml").as_ref()), MASK);
        }
        for shown in ["b%C3%BCro.csv", "100%", "reports/a%20b.csv"] {
            assert_eq!(path(shown.as_ref()), shown);
        }
        assert_eq!(path("a\u{200b}b.csv".as_ref()), "a\\u{200b}b.csv");
    }

    #[test]
    fn detects_words_that_mix_letters_and_digits() {
        let digits = |len: usize| "1".repeat(len);
        let letters = |len: usize| "a".repeat(len);
        for (word, hidden) in [
            // Only digits.
            (digits(15), false),
            (digits(16), true),
            // Only letters: of one case, and of both.
            (letters(40), false),
            (letters(41), true),
            ("aBcDefghijk".to_owned(), false),
            ("aBcDeghijkl".to_owned(), false),
            ("aBcDeFghijk".to_owned(), false),
            ("aBcDefghijkl".to_owned(), false),
            ("aBcDeFghijkl".to_owned(), true),
            // Mixed: by length, and by the number of changes.
            (format!("{}1", letters(22)), false),
            (format!("{}1", letters(23)), true),
            ("abcde12abcd".to_owned(), false),
            ("abcde12abcde".to_owned(), true),
            ("abcdef123456".to_owned(), false),
            ("a1b2c3d".to_owned(), false),
            ("a1b2c3dd".to_owned(), true),
            ("a1b2c333".to_owned(), false),
            // Each run is judged separately.
            (format!("{0}-{0}", digits(15)), false),
            (format!("{}-{}", letters(5), digits(16)), true),
            // Token prefixes in any position.
            ("a-xoxb".to_owned(), true),
            ("aXOXb".to_owned(), true),
            ("xapp-".to_owned(), true),
            ("xapp".to_owned(), false),
            ("XWFP-1".to_owned(), true),
            ("xwfp".to_owned(), false),
            (String::new(), false),
        ] {
            assert_eq!(may_be_credential(&word), hidden, "{word}");
            assert_eq!(name(&word) == MASK, hidden, "{word}");
        }
        assert_eq!(name("a\u{7}"), "a\\u{7}");
    }

    #[test]
    fn masks_paths_with_suspicious_components() {
        let mixed = "a1b2c3/d4e5f";
        for (text, hidden) in [
            (mixed, true),
            ("a1b2c3/d4e5", false),
            ("/a1b2c3/d4e5f", false),
            ("https://h.example", true),
            ("a/https://h.example", true),
            ("a b://c", true),
            ("a/b", false),
            ("", false),
        ] {
            assert_eq!(path_may_be_credential(text), hidden, "{text}");
        }
        // A long path is not a credential.
        let long = |len: usize| format!("{mixed}/{}", "a".repeat(len - mixed.len() - 1));
        assert!(path_may_be_credential(&long(63)) && !path_may_be_credential(&long(64)));
        for (text, shown) in [
            ("a/b/c", "a/b/c"),
            ("a/xoxb-1/c/d", "********/********/********/d"),
            ("xoxb-1/b/c", "********/********/c"),
            ("a/b/xoxb-1", "a/********/********"),
            ("/xoxb-1/", "/********/"),
            ("a/b!/c/d", "********/********/********/d"),
            ("a/\u{7}", "a/\\u{7}"),
            ("a b/c.d", "a b/c.d"),
        ] {
            assert_eq!(path(Path::new(text)), shown, "{text}");
        }
        for mark in ['!', ';', '$', '\'', '"', '\\', '|', '<', '>', '*', '?', '{', '}', '^', '`'] {
            assert_eq!(path(Path::new(&format!("a{mark}"))), MASK, "{mark}");
        }
        // An existing file has a name that somebody chose.
        for (text, shown) in [
            ("a1b2c3/d4e5f6g7", "a1b2c3/d4e5f6g7"),
            ("a!/b", "a!/b"),
            ("a/xoxb-1", MASK),
            ("a/sk_live_51AbCdEfGhIjKl.env", MASK),
            (".ghp_1AbCdEfGhIjKlMn", MASK),
            ("sk-learn-notes-of-2024", "sk-learn-notes-of-2024"),
            ("https://h.example", MASK),
            ("a\u{7}", "a\\u{7}"),
        ] {
            assert_eq!(file(Path::new(text)), shown, "{text}");
        }
    }

    #[test]
    fn escapes_control_characters() {
        for c in [
            '\u{1b}', '\u{7f}', '\n', '\u{85}', '\u{200b}', '\u{200f}', '\u{2028}', '\u{202e}', '\u{2066}', '\u{2069}',
            '\u{feff}', '\u{ad}', '\u{61c}', '\u{180e}', '\u{2060}', '\u{2064}', '\u{fff9}', '\u{e0041}', '\u{e0100}',
            '\u{fe0f}', '\u{3164}', '\u{206a}',
        ] {
            assert_eq!(printable(&c.to_string()), format!("\\u{{{:x}}}", u32::from(c)));
        }
        for c in ["a", "é", "\u{200a}", "\u{2010}", "\u{2027}", "\u{202f}", "\u{2070}", "\u{fffd}", "日"] {
            assert_eq!(printable(c), c);
        }
    }

    #[cfg(any(feature = "cli", feature = "upload"))]
    #[test]
    fn shows_existing_files_and_checks_other_paths() {
        let name = format!("shown-{}", std::process::id());
        let directory = tempfile::Builder::new().prefix(&name).rand_bytes(0).tempdir().unwrap();
        let there = directory.path().join("a!");
        std::fs::write(&there, "").unwrap();
        assert!(file_or_path(&there).ends_with("/a!"));
        assert_eq!(file_or_path(Path::new("b!")), MASK);
        assert_eq!(file_or_path(Path::new("reports/b")), "reports/b");
        for shown in ["reports/**/*.csv", "[ab]?.csv", "*", "[!a]*.log"] {
            assert_eq!(file_or_path(Path::new(shown)), shown);
        }
        // Removing wildcards from a credential leaves a credential.
        for hidden in ["xo*xb-1", "K0014pbwo1zx*cIVMnqSNTfWHReU", "a/*/b$", "b!", "out/*/QzWvXk*PjHyBd"] {
            assert!(file_or_path(Path::new(hidden)).contains(MASK), "{hidden}");
        }
    }
}
