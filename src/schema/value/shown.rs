//! Validators for public values and names. `None` is printed as a mask.

use std::ops::RangeBounds;

use super::address::BaseUrl;
use crate::form;
use crate::secret::MASK;
use crate::text;

/// The maximum length of a word.
const LONGEST_WORD: usize = 20;

/// The first letters of IDs of channels, direct conversations and users.
pub(super) const CHANNEL: &[char] = &['C', 'D', 'G', 'U', 'W', 'Z'];

/// Returns `true` for one of these letters, then capitals and digits, as the messaging service writes IDs.
pub(super) fn is_id(value: &str, first: &[char], lengths: impl RangeBounds<usize>) -> bool {
    lengths.contains(&value.len())
        && value.starts_with(first)
        && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

pub(crate) fn workspace(value: &str) -> Option<String> {
    is_id(value, &['T', 'E'], 9..=21).then(|| value.to_owned())
}

pub(crate) fn url(value: &str) -> Option<String> {
    BaseUrl::parse(value).ok().map(|url| url.shown())
}

/// Returns IDs in the hosted service's form (`C`, `G`, `D` conversations, `U`, `W` users, `Z`), and plain `#names`. The
/// forms are those of the hosted service's own check, as quoted in <https://github.com/slackapi/bolt-js/issues/2115>.
/// Other IDs are accepted and sent, but not printed.
pub(crate) fn channel(value: &str) -> Option<String> {
    let name = value.strip_prefix(['#', '@']).is_some_and(|name| {
        (1..=21).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            && !text::may_be_credential(name)
    });
    (name || is_id(value, CHANNEL, 3..=21)).then(|| value.to_owned())
}

/// Returns a host with a domain. A single word could be a password.
pub(crate) fn host(value: &str) -> Option<String> {
    host_pattern(value).filter(|host| host.contains(['.', ':']) || host == "localhost")
}

/// Returns a host, or `*.` and a domain, in lower case. This is not for display.
pub(crate) fn host_pattern(value: &str) -> Option<String> {
    let host = value.to_ascii_lowercase();
    let label = |label: &str| {
        (1..=63).contains(&label.len()) && text::is_word_of(label, "-_") && !text::may_be_credential(label)
    };
    let bare = host.strip_prefix("*.").unwrap_or(&host);
    let address = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let address = address.is_some_and(|address| address.parse::<std::net::Ipv6Addr>().is_ok());
    (address || bare.split('.').all(label)).then_some(host)
}

/// Returns `env:NAME` or `file:PATH`, with `*` for parts of names.
pub(crate) fn reference_pattern(value: &str) -> Option<String> {
    let (kind, name) = value.split_once(':')?;
    let name = name.replace('*', "_");
    let known = match kind {
        "env" => is_env_name(&name),
        "file" => path(&name).is_some() && !name.split('/').any(|part| part == ".."),
        _ => false,
    };
    known.then(|| value.to_owned())
}

pub(crate) fn severity(value: &str) -> Option<String> {
    ["error", "warning"].contains(&value).then(|| value.to_owned())
}

pub(crate) fn level(value: &str) -> Option<String> {
    ["off", "note", "warning", "error"].contains(&value).then(|| value.to_owned())
}

/// Returns a day, as `2026-12-31`.
pub(crate) fn date(value: &str) -> Option<String> {
    text::end_of_day(value).map(|_| value.to_owned())
}

/// Returns an id that is spelled like a rule's: lower-case words joined by dashes. A single word could be a password.
pub(crate) fn rule(value: &str) -> Option<String> {
    let letters = value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    (letters && value.contains('-') && text::is_plain_name(value)).then(|| value.to_owned())
}

/// Returns a reason, which should be a sentence. If one word could be part of a credential, all of it is masked,
/// because another word may be the rest.
pub(crate) fn reason(value: &str) -> Option<String> {
    let words: Vec<&str> = value.split_whitespace().collect();
    match words.len() {
        0 => None,
        // A single word could be a password.
        1 => Some(MASK.to_owned()),
        _ if words.iter().all(|word| is_word(word)) => Some(words[..words.len().min(64)].join(" ")),
        _ => Some(MASK.to_owned()),
    }
}

/// Returns `true` for a natural-language word, a name made of such words, or a number such as a date.
fn is_word(word: &str) -> bool {
    let inner = word.trim_matches(|c: char| ".,;:!?()\"'%–—".contains(c));
    let part = |part: &str| {
        let rest = part.strip_prefix(char::is_uppercase).unwrap_or(part);
        let letters = part.chars().all(char::is_alphabetic);
        let one_case = !rest.contains(char::is_uppercase) || !part.contains(char::is_lowercase);
        part.chars().all(|c| c.is_ascii_digit()) || (letters && one_case && part.chars().count() <= LONGEST_WORD)
    };
    let digits = inner.bytes().filter(u8::is_ascii_digit).count();
    let plain = digits <= 8
        && inner.split(|c| "-_/#.'&+".contains(c)).all(part)
        && !text::may_be_credential(inner)
        && !text::is_app_password(inner);
    // `B2`, `3rd`
    plain || (inner.len() <= 3 && inner.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Returns a value with the form of [`form::Form::KeyId`], with any serial.
pub(crate) fn key_id(value: &str) -> Option<String> {
    let shape =
        value.len() == 25 && value.bytes().take(3).all(|byte| byte.is_ascii_digit()) && form::is_lower_hex(value);
    shape.then(|| value.to_owned())
}

/// Returns a value with the form of [`form::Form::AccountId`].
pub(crate) fn account_id(value: &str) -> Option<String> {
    (value.len() == 12 && form::is_lower_hex(value)).then(|| value.to_owned())
}

pub(crate) fn bucket(value: &str) -> Option<String> {
    let shape = (1..=63).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    (shape && !text::may_be_credential(value)).then(|| value.to_owned())
}

/// Returns a variable's name in common spelling. A token that was pasted there is not one.
pub(crate) fn env_name(value: &str) -> Option<String> {
    // Words in names are shorter; a token in capitals may be this long.
    let words = value.split('_').all(|word| word.len() <= LONGEST_WORD || word.contains(|c: char| c.is_ascii_digit()));
    (words && is_env_name(value)).then(|| value.to_owned())
}

fn is_env_name(value: &str) -> bool {
    // A single lower-case word could be a password.
    let upper = !value.bytes().any(|byte| byte.is_ascii_lowercase());
    let shape = text::is_variable_name(value) && value.len() <= 128 && (upper || value.contains('_'));
    shape && !text::may_be_credential(value)
}

pub(crate) fn path(value: &str) -> Option<String> {
    let part = |part: &str| {
        part.len() <= 64
            && !text::may_be_credential(part)
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_. ".contains(c))
    };
    // A path has a separator or an extension; a single word could be a password.
    (value.contains(['/', '.']) && value.split('/').all(part) && !text::path_may_be_credential(value))
        .then(|| value.to_owned())
}

/// The maximum length of a word in a key, and known words that are longer.
const LONGEST_KEY: usize = 12;
const LONG: [&str; 5] = ["notifications", "configuration", "authentication", "authorization", "infrastructure"];

/// Returns the key of another program's file, or the name of a process variable, unless it could be a credential.
pub(crate) fn key_name(value: &str) -> Option<String> {
    // They have the form of an app password, and of a word.
    if [".dockerconfigjson", "Authorization"].contains(&value) {
        return Some(value.to_owned());
    }
    // `$schema`, and sections named by people: `my remote`.
    let bare = value.strip_prefix('$').unwrap_or(value).replace(' ', "-");
    let joined = value.replace(['-', '.'], "_");
    // Four words of four letters have the form of an app password.
    let words: Vec<&str> = joined.split('_').collect();
    let password = words.windows(4).any(|four| text::is_app_password(&four.join("-")));
    if password
        || text::may_be_credential(value)
        || text::may_be_credential(&joined.replace('_', "-"))
        || text::path_may_be_credential(value)
    {
        return None;
    }
    // Variables may have numbers and more words in their names.
    let known = |word: &&str| word.len() <= LONGEST_KEY || LONG.contains(&&*word.to_lowercase());
    let variable = words.iter().all(known) && env_name(&joined).is_some();
    (variable || text::is_plain_name(&bare)).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_addresses_without_possible_credentials() {
        assert_eq!(
            url("https://chat.example.com:8443/team-a/").as_deref(),
            Some("https://chat.example.com:8443/team-a")
        );
        assert_eq!(
            url("https://hooks.example.com/services/T0AB/B0CD/xYz9").as_deref(),
            Some("https://hooks.example.com/********")
        );
        assert_eq!(url("https://xoxb-1-2/x").as_deref(), Some("https://********/x"));
        assert_eq!(url("https://user:pass@chat.example.com"), None);
        assert_eq!(
            format!("{:?}", BaseUrl::parse("https://h.example/A1").unwrap()),
            "BaseUrl(https://h.example/********)"
        );
    }

    #[test]
    fn shows_plain_names_and_paths() {
        assert!(
            env_name("REPORTS_TOKEN").is_some()
                && env_name("xoxb-1").is_none()
                && env_name("K0014PBWO1ZXCIVMNQ").is_none()
        );
        assert!(path("/run/secrets/reports").is_some() && path("./key.txt").is_some());
        assert!(
            path("hunter2").is_none()
                && path("https://hooks.example.com/x").is_none()
                && path("K0014pbwo1zx/O3s").is_none()
        );
    }

    /// Checks which values a validator returns.
    fn shows(show: fn(&str) -> Option<String>, shown: &[&str], hidden: &[&str]) {
        for value in shown {
            assert_eq!(show(value).as_deref(), Some(*value));
        }
        for value in hidden {
            assert_eq!(show(value), None, "{value}");
        }
    }

    #[test]
    fn shows_ids_of_known_form() {
        let of = |first: &str, len: usize| format!("{first}{}", "0".repeat(len - first.len()));
        let [workspace, organisation, short, long] = [of("T", 9), of("E", 21), of("T", 8), of("T", 22)];
        shows(
            super::workspace,
            &[&workspace, &organisation],
            &[&short, &long, "C01234567", "T0123456x", "T0123456-", "T"],
        );
        let (channel, short, long) = (of("C", 21), of("C", 2), of("C", 22));
        let (name, long_name) = (format!("#{}", "a".repeat(21)), format!("#{}", "a".repeat(22)));
        shows(
            super::channel,
            &[&channel, "C01", "D01", "G01", "U01", "W01", "Z01", "#a", "@a", "#a-b", &name],
            &[
                &short, &long, "A0123456789", "C01234567x9", "C0123-56789", "c0123456789", "", "#", "@", "#A", "#a1",
                "#a_b", &long_name, "general", "#xoxb-a",
            ],
        );
        shows(
            key_id,
            &["0051a2b3c4d5e6f0000000001", "0051a2b3c4d5e6f0000000000"],
            &[
                "0051a2b3c4d5e6f000000000", "0051a2b3c4d5e6f00000000011", "a051a2b3c4d5e6f0000000001",
                "00a1a2b3c4d5e6f0000000001", "0051A2b3c4d5e6f0000000001", "0051a2b3c4d5e6g0000000001",
            ],
        );
        shows(account_id, &["1a2b3c4d5e6f"], &["1a2b3c4d5e6", "1a2b3c4d5e6f1", "1A2b3c4d5e6f", "1a2b3c4d5e6g"]);
    }

    #[test]
    fn shows_names_unless_suspicious() {
        let (bucket, long_bucket) = ("abc-".repeat(15) + "abc", "abc-".repeat(16));
        shows(
            super::bucket,
            &["a", "nightly", "nightly-2", &bucket],
            &["", &long_bucket, "Nightly", "a.b", "a_b", "xoxb-1", "k0051a2b3c4d5e6f"],
        );
        let long_word = "A".repeat(20);
        let (variable, long_variable) = ("A_".repeat(64), "A_".repeat(64) + "A");
        shows(
            env_name,
            &["T", "_", "_A", "REPORTS_TOKEN", "reports_token", "Reports_Token", "T2", &variable, &long_word],
            &[
                "",
                "2T",
                "token",
                "Token",
                "REPORTS-TOKEN",
                "REPORTS TOKEN",
                &long_variable,
                &format!("{long_word}A"),
                "xoxb_1",
                "K0014PBWO1ZXCIVMNQ",
                "É",
            ],
        );
        let (part, long_part) = (format!("a/{}", "a b-".repeat(16)), format!("a/{}a", "a b-".repeat(16)));
        shows(
            path,
            &["a/b", "a.b", "/", ".", "../a b/c_d-e.txt", "/run/secrets/reports", &part],
            &[
                "", "a", "hunter2", "a/é", "a/b:c", &long_part, "a/xoxb-1", "a/b?c", "https://h.example",
                "K0014pbwo1zx/O3s",
            ],
        );
        let (word, long_word) = (format!("a-{}", "b".repeat(12)), format!("a-{}", "b".repeat(13)));
        shows(
            rule,
            &["a-b", "no-channels", "a-b-c-d-e-f", &word],
            &["", "a", "a-", "-a", "a--b", "a-b-c-d-e-f-g", "A-b", "a-b1", "a_b", &long_word],
        );
        shows(severity, &["error", "warning"], &["", "note", "off", "Error"]);
        shows(level, &["error", "warning", "note", "off"], &["", "fatal", "Error"]);
    }

    #[test]
    fn masks_reasons_with_possible_credentials() {
        for shown in [
            "by hand", "see #12, a/b_c-d (it's 100% done).", "R&D 1+1 o'clock Größe",
            "agreed with Ann on 2026-11-20, ABC-123", "the S3 API of B2 – not ours; 3rd party",
            "until the CREDLINT_HOSTS of production.example is set!", "internationalization is off",
        ] {
            assert_eq!(reason(shown).as_deref(), Some(shown));
        }
        assert_eq!(reason("  by \t hand\n").as_deref(), Some("by hand"));
        for hidden in [
            "hunter2", "password", "by hunter2", "by xoxb-1", "by (xoxb-1)", "by a=b", "was Tr0ub4dor before",
            "was wJalrXUtn before", "rotate aBcd", "was internationalizations before", "call 123456789 then",
            "card 1234-5678-9 is", "by pass:word", "by ab1c", "rotate qzwv-xkpj-hybd-tmrf.",
        ] {
            assert_eq!(reason(hidden).as_deref(), Some(MASK), "{hidden}");
        }
        assert!(reason("").is_none() && reason("  ").is_none());
        assert_eq!(reason(&"a ".repeat(70)).unwrap().split(' ').count(), 64);
    }

    #[test]
    fn shows_other_programs_keys_unless_suspicious() {
        for shown in [
            "SLACK_BOT_TOKEN", "token", "application_key", "secretKeyRef", "apiVersion", "app.kubernetes.io/name",
            "b2_account_id", "B2_APPLICATION_KEY", "RCLONE_CONFIG_MY_OWN_NIGHTLY_SECRET_ACCESS_KEY", "SLACK_TOKEN_2",
            "slack-token-2", "SLACK_NOTIFICATIONS_TOKEN", "spring.slack.oauth2-token", "$schema", "my remote",
        ] {
            assert_eq!(key_name(shown).as_deref(), Some(shown));
        }
        for hidden in [
            "", "$", "xoxb-1-2-a", "K0014pbwo1zxcIVMnqS", "0051a2b3c4d5e6f0000000001", "1a2b3c4d5e6f", "hunter2",
            "hunter2x", "QzWvXkPj", "xQ7zJ3wX9kV4qZ8jW2yK5vH6", "K005/Qz/WvX/kPj/HyBd", "xoxb_SLACK_TOKEN",
            "xapp-1-A7QZWVB9XKP_SLACK_TOKEN", "xapp_1_A7QZWVB9XKP_SLACK_TOKEN", "qzwv-xkpj-hybd-tmrf_SLACK_TOKEN",
            "SLACK_TOKEN_QZWV_XKPJ_HYBD_TMRF", "qzwvxkpjhybdq_SLACK_TOKEN", "a=b", "näme", "[0]",
        ] {
            assert_eq!(key_name(hidden), None, "{hidden}");
        }
    }
}
