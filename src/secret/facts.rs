//! What may be known about a value without holding a byte of it.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

use super::shape::{KeyShape, TokenKind};

/// What may be known about a value without holding a byte of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// No characters at all.
    pub empty: bool,
    /// Begins with a scheme and `://`.
    pub url: bool,
    /// Begins with the word `Bearer` and a space, as copied from a header.
    pub bearer: bool,
    /// White space anywhere.
    pub whitespace: bool,
    /// A control character other than white space anywhere.
    pub control: bool,
    /// A character outside ASCII anywhere.
    pub non_ascii: bool,
    /// A stand-in that somebody forgot to replace.
    pub placeholder: Option<Placeholder>,
    /// A token that can't upload.
    pub token_kind: Option<TokenKind>,
    /// What it looks like to the storage service.
    pub shape: Option<KeyShape>,
    /// Equal for ids of one account.
    pub account: Option<Digest>,
    /// Equal for ids and keys of one cluster.
    pub cluster: Option<Digest>,
    /// Equal for equal values of one run.
    pub digest: Digest,
}

/// A keyed hash of a value; tells equal values apart from different ones within one run, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Digest(u64);

impl Digest {
    /// The same text means something else as a part of something else.
    pub(super) fn new(what: &str, part: &str, key: &RandomState) -> Self {
        Self(key.hash_one((what, part)))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digest(..)")
    }
}

/// The kinds of forgotten stand-ins that are recognised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placeholder {
    /// The whole value is `<…>`.
    Brackets,
    /// The whole value is an unexpanded `${…}` or `{{…}}`.
    Template,
    /// One of a fixed list of words such as `changeme`.
    Word,
    /// One character, not a digit, repeated.
    Repeated,
}

impl Facts {
    pub(super) fn from_value(value: &str, key: &RandomState) -> Self {
        let trimmed = value.trim();
        let mut facts = Self {
            empty: value.is_empty(),
            url: is_url(trimmed),
            bearer: trimmed.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("bearer ")),
            whitespace: value.chars().any(char::is_whitespace),
            control: value.chars().any(|c| c.is_control() && !c.is_whitespace()),
            non_ascii: !value.is_ascii(),
            placeholder: placeholder(trimmed),
            token_kind: None,
            shape: None,
            account: None,
            cluster: None,
            digest: Digest::new("whole", value, key),
        };
        // What is malformed or a stand-in has a mistake of its own, and no shape.
        if !facts.malformed() && facts.placeholder.is_none() {
            facts.token_kind = TokenKind::from_value(value);
            facts.shape = KeyShape::from_value(value);
            let part = |what, part: fn(KeyShape, &str) -> Option<&str>| {
                facts.shape.and_then(|shape| part(shape, value)).map(|part| Digest::new(what, part, key))
            };
            (facts.account, facts.cluster) = (part("account", KeyShape::account), part("cluster", KeyShape::cluster));
        }
        facts
    }

    /// Holds something that no credential holds: white space, control or non-ASCII characters, a pasted `Bearer `.
    #[must_use]
    pub const fn malformed(&self) -> bool {
        self.bearer || self.whitespace || self.control || self.non_ascii
    }
}

/// Whether a value begins with a scheme and `://`.
pub(crate) fn is_url(value: &str) -> bool {
    value.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// Words that people leave where a credential should go. Compared whole, without case, and with `_` and
/// spaces read as `-`; never as a part of a longer value, since real credentials contain words.
const PLACEHOLDERS: &[&str] = &[
    "api-key",
    "change-it",
    "change-me",
    "change-this",
    "changeit",
    "changeme",
    "dummy",
    "example",
    "fake",
    "fill-me-in",
    "fixme",
    "insert-token-here",
    "my-key",
    "my-secret",
    "my-token",
    "placeholder",
    "redacted",
    "replace-me",
    "replace-this",
    "replaceme",
    "secret",
    "tbd",
    "todo",
    "token",
    "token-here",
    "xoxb-your-token",
    "xoxp-your-token",
    "your-account-id",
    "your-api-key",
    "your-api-token",
    "your-application-key",
    "your-application-key-id",
    "your-bot-token",
    "your-key",
    "your-key-id",
    "your-master-application-key",
    "your-secret",
    "your-slack-token",
    "your-token",
    "your-token-here",
    "your-webhook-url",
];

fn placeholder(value: &str) -> Option<Placeholder> {
    let wrapped = |open: &str, close: &str| {
        value.len() > open.len() + close.len()
            && value
                .strip_prefix(open)
                .and_then(|rest| rest.strip_suffix(close))
                .is_some_and(|inner| !inner.contains(open) && !inner.contains(close))
    };
    let mut characters = value.chars();
    let first = characters.next()?;
    if wrapped("<", ">") {
        Some(Placeholder::Brackets)
    } else if wrapped("${", "}") || wrapped("{{", "}}") {
        Some(Placeholder::Template)
    } else if value.chars().count() >= 2 && !first.is_ascii_digit() && characters.all(|c| c == first) {
        Some(Placeholder::Repeated)
    } else {
        let folded = value.to_lowercase().replace(['_', ' '], "-");
        PLACEHOLDERS.binary_search(&folded.as_str()).is_ok().then_some(Placeholder::Word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "upload")]
    use secrecy::{ExposeSecret, SecretString};

    use crate::secret::Vault;

    fn facts(value: &str) -> Facts {
        let mut vault = Vault::default();
        let handle = vault.store(value);
        vault.facts(handle)
    }

    #[test]
    fn placeholders_are_whole_values_and_never_digits() {
        assert!(PLACEHOLDERS.is_sorted(), "the list is searched by halves");
        for (value, expected) in [
            ("<your token>", Some(Placeholder::Brackets)),
            ("${TOKEN}", Some(Placeholder::Template)),
            ("{{ .token }}", Some(Placeholder::Template)),
            ("CHANGE_ME", Some(Placeholder::Word)),
            ("xxxxxxxx", Some(Placeholder::Repeated)),
            ("........", Some(Placeholder::Repeated)),
            ("00000000", None),
            ("x", None),
            ("my-changeme-1", None),
            ("${A}${B}", None),
            ("prefix-${A}", None),
            ("<a><b>", None),
            ("<>", None),
            ("", None),
        ] {
            assert_eq!(facts(value).placeholder, expected, "{value:?}");
        }
    }

    #[test]
    fn shape_facts() {
        assert!(facts("https://hooks.example.com/x").url && facts("svn+ssh://host").url);
        assert!(!facts("C0123").url && !facts("://x").url && !facts("a b://c").url);
        assert!(facts("Bearer abc").bearer && facts("bearer abc").bearer && !facts("Bearerabc").bearer);
        assert!(facts("a b").malformed() && facts("a\u{7}").malformed() && facts("é").malformed());
        assert!(!facts("xoxb-0-abc").malformed());
    }

    #[test]
    fn parts_compare_and_a_flaw_has_no_shape() {
        let mut vault = Vault::default();
        let values = ["1a2b3c4d5e6f", "0051a2b3c4d5e6f0000000001", "K005abcdefghijklmnopqrstuvwxyz1"];
        let [account, id, key] = values.map(|value| vault.store(value));
        let [account, id, key] = [account, id, key].map(|handle| vault.facts(handle));
        assert!(account.account.is_some() && account.account == id.account && account.cluster.is_none());
        assert!(id.cluster.is_some() && id.cluster == key.cluster && id.cluster == Some(vault.cluster("005")));
        assert_ne!(id.cluster, Some(vault.cluster("004")));
        assert_eq!(facts("1a2b3c4d5e6f ").shape, None);
        assert_eq!(facts("aaaaaaaaaaaa").shape, None);
        assert_eq!(facts("xapp-1-A0\n").token_kind, None);
    }

    #[test]
    fn digests_compare_within_a_run_and_print_nothing() {
        let mut vault = Vault::default();
        let [a, b, c] = ["one", "one", "two"].map(|value| vault.store(value));
        assert_eq!(vault.facts(a).digest, vault.facts(b).digest);
        assert_ne!(vault.facts(a).digest, vault.facts(c).digest);
        assert_eq!(format!("{:?}", vault.facts(a).digest), "Digest(..)");
        assert_eq!(format!("{vault:?}"), "Vault(3 values)");
    }

    #[test]
    fn each_flaw_is_told_from_the_others() {
        for (value, empty, bearer, whitespace, control, non_ascii) in [
            ("", true, false, false, false, false),
            ("a", false, false, false, false, false),
            ("Bearer a", false, true, true, false, false),
            (" BEARER a", false, true, true, false, false),
            ("Bearer", false, false, false, false, false),
            ("Bearers a", false, false, true, false, false),
            ("a\t", false, false, true, false, false),
            ("a\u{a0}", false, false, true, false, true),
            ("a\u{7}", false, false, false, true, false),
            ("a\u{85}", false, false, true, false, true),
            ("é", false, false, false, false, true),
        ] {
            let facts = facts(value);
            let found = (facts.empty, facts.bearer, facts.whitespace, facts.control, facts.non_ascii);
            assert_eq!(found, (empty, bearer, whitespace, control, non_ascii), "{value:?}");
            assert_eq!(facts.malformed(), bearer || whitespace || control || non_ascii, "{value:?}");
        }
    }

    #[test]
    fn what_begins_like_a_url() {
        for (value, url) in [
            ("a://", true),
            ("a1+-.://x", true),
            (" https://h.example ", true),
            ("1a://x", false),
            ("a_b://x", false),
            ("://x", false),
            ("a:/x", false),
            ("a b://x", false),
            ("é://x", false),
        ] {
            assert_eq!(facts(value).url, url, "{value:?}");
        }
        assert!(is_url("a://") && !is_url(" a://"));
    }

    #[test]
    fn stand_ins_at_their_limits() {
        for (value, expected) in [
            ("<a>", Some(Placeholder::Brackets)),
            ("<a", None),
            ("a>", None),
            ("<<a>", None),
            ("<a>>", None),
            ("${a}", Some(Placeholder::Template)),
            ("${}", None),
            ("{{a}}", Some(Placeholder::Template)),
            ("{{}}", None),
            ("{a}", None),
            ("aa", Some(Placeholder::Repeated)),
            ("a", None),
            ("éé", Some(Placeholder::Repeated)),
            ("aab", None),
            ("11", None),
            ("  changeme\n", Some(Placeholder::Word)),
            ("My Token", Some(Placeholder::Word)),
            ("your_token_here", Some(Placeholder::Word)),
            ("changemenow", None),
        ] {
            assert_eq!(facts(value).placeholder, expected, "{value:?}");
        }
    }

    #[test]
    fn a_value_comes_out_of_the_vault_by_its_handle_only() {
        let mut vault = Vault::default();
        let handles = ["one", "two"].map(|value| vault.store(value));
        let whole = |value: &str| Some(value.to_owned());
        assert_eq!(handles.map(|handle| vault.shown(handle, whole).unwrap()), ["one", "two"]);
        assert_eq!(vault.shown(handles[1], |value| Some(value.to_uppercase())).as_deref(), Some("TWO"));
        assert_eq!(vault.shown(handles[0], |_| None), None);
        assert_ne!(vault.cluster("005"), vault.facts(handles[0]).digest);
    }

    #[cfg(feature = "upload")]
    #[test]
    fn a_sealed_value_is_the_value() {
        let mut vault = Vault::default();
        let handle = vault.store("one");
        let sealed = vault.sealed(handle);
        let again = vault.store(sealed_text(&sealed));
        assert_eq!(vault.facts(again).digest, vault.facts(handle).digest);
        assert!(!format!("{sealed:?}").contains("one"));
    }

    #[cfg(feature = "upload")]
    #[expect(clippy::disallowed_methods, reason = "compared with the value that went in")]
    fn sealed_text(sealed: &SecretString) -> &str {
        sealed.expose_secret()
    }
}
