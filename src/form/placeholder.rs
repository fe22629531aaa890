//! Placeholders that people leave instead of a credential.

use zeroize::Zeroizing;

use super::recognise::{self, is_number};
use crate::services;
use crate::shorthand::words;

words! {
    /// The kind of a placeholder.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Placeholder {
        /// The whole value is `<…>`.
        Brackets = "a placeholder in `<…>`",
        /// A word such as `changeme`, or a phrase such as `your-token-here`.
        Word = "a placeholder such as `changeme` or `your-token`",
        /// A word for a missing value: `null`, `None`, `undefined`.
        Null = "a word such as `null` or `undefined`, which stands for a missing value",
        /// A redaction: `***`, `[REDACTED]`.
        Redacted = "a masked value, such as `***`",
        /// The prefix of a real credential, followed by a placeholder: `xoxb-your-token`.
        Body = "a known prefix followed by a placeholder",
        /// The same with a word that a self-hosted server may issue: `xoxb-test`.
        Stub = "a known prefix followed by a placeholder",
        /// A single character, not a digit, repeated.
        Repeated = "a single repeated character",
        /// Only the prefix of a credential: the variable with the rest was empty.
        Beginning = "the beginning of a credential, without the rest",
    }

    /// Describes it, with its article.
    pub fn describe;
}

impl Placeholder {
    /// Returns `true` for the rest of a credential, which no server accepts.
    pub const fn is_remnant(self) -> bool {
        matches!(self, Self::Redacted | Self::Beginning)
    }
}

/// Complete values. They are compared without case, with `_` and spaces as `-`, and never as part of a longer value,
/// because real credentials contain words.
const WORDS: &[&str] = &[
    "api-key", "apikey", "change-it", "change-me", "change-this", "changeit", "changeme", "dummy", "example", "fake",
    "fill-me-in", "fillmein", "fixme", "foo", "foobar", "insert-token-here", "my-key", "my-secret", "my-token",
    "mysecret", "mytoken", "password", "placeholder", "replace-me", "replace-this", "replaceme", "sample", "secret",
    "secret-key", "some-secret", "some-token", "tbd", "todo", "token", "token-here", "unset", "your-token",
    "yourtoken",
];

/// Words for a missing value in languages and templates.
const NULLS: &[&str] =
    &["n/a", "na", "nan", "nil", "none", "null", "undefined", "<nil>", "<no-value>", "(null)", "[object-object]"];

/// Redactions.
const REDACTIONS: &[&str] =
    &["censored", "hidden", "masked", "redacted", "removed", "secret-removed", "filtered", "scrubbed", "private"];

/// Words of phrases such as "put yours here". At least one word must be from the first list.
const ASKS: &[&str] = &[
    "your", "my", "here", "insert", "replace", "change", "changeme", "enter", "paste", "put", "add", "fill", "example",
    "placeholder", "dummy", "fake", "sample", "todo", "fixme", "xxx", "some",
];
const THINGS: &[&str] = &[
    "a", "access", "account", "api", "app", "application", "auth", "aws", "b2", "backblaze", "bot", "bucket", "client",
    "credential", "credentials", "from", "goes", "hook", "hooks", "id", "in", "incoming", "it", "its", "key", "keyid",
    "legacy", "level", "master", "me", "new", "no", "not", "oauth", "of", "own", "password", "real", "refresh", "s3",
    "secret", "secrets", "server", "service", "signing", "slack", "storage", "team", "the", "this", "to", "token",
    "tokens", "url", "user", "value", "webhook", "webhooks", "with", "workspace", "xoxb", "xoxp",
];

/// Words in tokens that were made up for tests.
const MADE_UP: &[&str] = &["demo", "dummy", "example", "fake", "sample", "test"];

/// Prefixes of credentials that may precede a placeholder.
const PREFIXES: &[&str] = &[
    "xoxe.xoxb-1-", "xoxe.xoxp-1-", "xoxe.xoxb-", "xoxe.xoxp-", "xoxe-1-", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-",
    "xoxc-", "xoxd-", "xapp-1-", "xapp-", "ghp_", "github_pat_", "glpat-", "sk_live_", "sk_test_", "sk-", "AKIA",
    "K000", "K001", "K002", "K003", "K004", "K005", "https://hooks.slack.com/services/",
];

/// Returns the kind of placeholder in a value, ignoring surrounding whitespace.
pub(super) fn find(value: &str) -> Option<Placeholder> {
    let folded = Zeroizing::new(Zeroizing::new(value.to_lowercase()).replace(['_', ' '], "-"));
    if NULLS.contains(&folded.as_str()) {
        return Some(Placeholder::Null);
    }
    if is_redacted(value, &folded) {
        return Some(Placeholder::Redacted);
    }
    if in_brackets(value) {
        return Some(Placeholder::Brackets);
    }
    if is_repeated(value) {
        return Some(Placeholder::Repeated);
    }
    if recognise::is_bare_prefix(value) {
        return Some(Placeholder::Beginning);
    }
    let body = PREFIXES.iter().find_map(|prefix| Some((value.strip_prefix(prefix)?, prefix.contains("_test_"))));
    if let Some(found) = body.and_then(|(body, is_test)| placeholder_body(body, is_test)) {
        return Some(found);
    }
    (WORDS.contains(&folded.as_str()) || asks_for_credential(&folded)).then_some(Placeholder::Word)
}

fn in_brackets(value: &str) -> bool {
    let inner = value.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    // A value of known form in brackets is not a placeholder; the brackets were copied with it.
    inner.is_some_and(|inner| !inner.is_empty() && !inner.contains(['<', '>']) && recognise::find(inner).is_none())
}

/// Returns `true` for `xx` and `***`.
fn is_repeated(value: &str) -> bool {
    let mut characters = value.chars();
    let Some(first) = characters.next() else { return false };
    value.chars().count() >= 2 && !first.is_ascii_digit() && characters.all(|c| c == first)
}

/// Returns `true` if the words of a value ask for a credential.
fn asks_for_credential(folded: &str) -> bool {
    let words: Vec<&str> = folded.split(['-', '.', '/', ':']).filter(|word| !word.is_empty()).collect();
    let named = |word: &&str| {
        services::built_in().iter().any(|service| service.words.iter().any(|own| own.eq_ignore_ascii_case(word)))
    };
    words.len() >= 2
        && words.iter().any(|word| ASKS.contains(word))
        && words.iter().all(|word| ASKS.contains(word) || THINGS.contains(word) || is_repeated(word) || named(word))
}

fn is_redacted(value: &str, folded: &str) -> bool {
    let bare = folded.trim_matches(|c: char| "[]<>(){}*-".contains(c));
    let marks = |c: char| "*•·●…█▪".contains(c);
    REDACTIONS.contains(&bare)
        || has_run(value, marks, 3) && !value.contains("://")
        || value.contains("[REDACTED]")
        || value.ends_with('…')
        || value.ends_with("...") && value.len() <= 32
        || is_abbreviated(value)
}

/// Returns `true` if at least `least` such characters follow each other: a random value may have some of them anywhere.
fn has_run(value: &str, is: impl Fn(char) -> bool, least: usize) -> bool {
    value.split(|c| !is(c)).any(|run| run.chars().count() >= least)
}

/// Returns `true` for `sk-...wxyz`, as consoles abbreviate keys.
fn is_abbreviated(value: &str) -> bool {
    let ends = value.split_once("...").or_else(|| value.split_once('…'));
    let plain = |end: &str| {
        (2..=16).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    ends.is_some_and(|(begin, end)| plain(begin) && plain(end) && value.len() <= 32)
}

/// Returns the kind of placeholder after a prefix: words or fillers that no service could issue. After a test prefix, a
/// filler is a stub.
fn placeholder_body(body: &str, is_test: bool) -> Option<Placeholder> {
    let lower = Zeroizing::new(body.to_lowercase());
    let parts: Vec<&str> = lower.split(['-', '_', '/', '.']).filter(|part| !part.is_empty()).collect();
    let made_up = |part: &&str| MADE_UP.contains(part) || WORDS.contains(part) || THINGS.contains(part);
    let asks = |part: &&str| !MADE_UP.contains(part) && ASKS.contains(part) || is_placeholder_run(part);
    let fills = |part: &&str| *part == "placeholder" || is_placeholder_run(part);
    let known = parts.iter().all(|part| made_up(part) || asks(part));
    if parts.is_empty() || !known || is_number(&Zeroizing::new(lower.replace(['-', '_', '/', '.'], ""))) {
        return None;
    }
    Some(if parts.iter().any(|part| asks(part) && !(is_test && fills(part))) {
        Placeholder::Body
    } else {
        Placeholder::Stub
    })
}

/// Returns `true` for `xxxx`, `00000`, `t00000000` and `b00000000`.
fn is_placeholder_run(part: &str) -> bool {
    let rest =
        part.strip_prefix(['t', 'b', 'a']).filter(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte == b'0'));
    rest.is_some() || (part.len() >= 2 && part.bytes().all(|byte| byte == part.as_bytes()[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_complete_values_without_digits() {
        for (value, expected) in [
            ("<your token>", Some(Placeholder::Brackets)),
            ("<a>", Some(Placeholder::Brackets)),
            ("<a", None),
            ("<a><b>", None),
            ("<>", None),
            ("<xoxb-1234567890-abcdefghijkl>", None),
            ("CHANGE_ME", Some(Placeholder::Word)),
            ("My Token", Some(Placeholder::Word)),
            ("your_token_here", Some(Placeholder::Word)),
            ("your-slack-bot-token", Some(Placeholder::Word)),
            ("YOUR_APPLICATION_KEY", Some(Placeholder::Word)),
            ("your_stripe_secret_key_here", Some(Placeholder::Word)),
            ("stripe-key-of-the-shop", None),
            ("your-token-zzzz", Some(Placeholder::Word)),
            ("insert your key here", Some(Placeholder::Word)),
            ("changemenow", None),
            ("my-changeme-1", None),
            ("nightly-key", None),
            ("slack-bot", None),
            ("xxxxxxxx", Some(Placeholder::Repeated)),
            ("........", Some(Placeholder::Redacted)),
            ("00000000", None),
            ("x", None),
            ("", None),
            ("null", Some(Placeholder::Null)),
            ("None", Some(Placeholder::Null)),
            ("undefined", Some(Placeholder::Null)),
            ("[REDACTED]", Some(Placeholder::Redacted)),
            ("xoxb-***", Some(Placeholder::Redacted)),
            ("••••••••", Some(Placeholder::Redacted)),
            ("a***b", Some(Placeholder::Redacted)),
            (".K*8x?[a**B]d*G7", None),
            ("K005…", Some(Placeholder::Redacted)),
            ("sk-...wxyz", Some(Placeholder::Redacted)),
            ("sk-proj-…wxyz", Some(Placeholder::Redacted)),
            ("sk-...z", None),
            ("sk-...w?yz", None),
            ("https://a.example/x...y", None),
            ("xoxb-", Some(Placeholder::Beginning)),
            ("ghp_", Some(Placeholder::Beginning)),
            ("sk_live_", Some(Placeholder::Beginning)),
            ("SG.", Some(Placeholder::Beginning)),
            ("my-", None),
            ("ghx_", None),
            ("xoxb-your-token", Some(Placeholder::Body)),
            ("xoxb-your-test-token", Some(Placeholder::Body)),
            ("xoxb-test", Some(Placeholder::Stub)),
            ("xoxb-fake-bot-token", Some(Placeholder::Stub)),
            ("xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxx", Some(Placeholder::Body)),
            ("xoxb-000000000000-000000000000", None),
            ("xoxb-1234", None),
            ("sk_test_dummy", Some(Placeholder::Stub)),
            ("sk_test_placeholder", Some(Placeholder::Stub)),
            ("sk_test_xxxxxxxx", Some(Placeholder::Stub)),
            ("sk_test_your_key", Some(Placeholder::Body)),
            ("sk_live_placeholder", Some(Placeholder::Body)),
            ("https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", Some(Placeholder::Body)),
            ("https://hooks.slack.com/services/T01234567/B01234567/abcdEFGH1234567890", None),
            ("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", Some(Placeholder::Body)),
            ("K005xxxxxxxxxxxxxxxxxxxxxxxxxxx", Some(Placeholder::Body)),
        ] {
            assert_eq!(find(value), expected, "{value:?}");
        }
    }
}
