//! The shapes of credentials, each with its public source. A shape is certain or it is not here; a value of any other
//! is of no known shape, and nothing is said of it.

/// What a value of the storage service looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum KeyShape {
    /// 12 hex digits; the keyID of the master application key, too.
    /// Source: `doc/source/glossary.rst` of the service's own SDK, b2-sdk-python.
    AccountId,
    /// Cluster (3 digits), account ID (12 hex digits) and serial (10 hex digits, not all 0).
    /// Source: `is_master_key` in `b2sdk/_internal/account_info/abstract.py` of that SDK, which spells it out.
    KeyId,
    /// The same with a serial of zeros: the newer keyID of a master application key.
    /// Source: the same function. What key goes with it is not documented.
    MasterKeyId,
    /// `K`, cluster (3 digits) and 27 letters, digits, `+` or `/`.
    /// Source: the glossary of that SDK, second form. The first, older one is not recognised: one sample is no shape.
    ApplicationKey,
    /// 42 hex digits. Source: `doc/source/quick_start.rst` of the service's own B2_Command_Line_Tool, and its issue 351.
    MasterKey,
    /// 24 hex digits: no credential, but pasted as one.
    /// Source: `doc/source/replication.rst` of that tool.
    BucketId,
    /// An e-mail address: what the console is signed in to with, and no id of a key.
    Email,
}

impl KeyShape {
    /// The shape of a value, if it has one of these.
    pub(super) fn from_value(value: &str) -> Option<Self> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        match value.len() {
            12 if is_lower_hex(value) => Some(Self::AccountId),
            24 if is_lower_hex(value) => Some(Self::BucketId),
            25 if is_lower_hex(value) && digits(&value[..3]) => {
                Some(if value.ends_with("0000000000") { Self::MasterKeyId } else { Self::KeyId })
            }
            31 if value.starts_with('K')
                && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(&byte))
                && digits(&value[1..4]) =>
            {
                Some(Self::ApplicationKey)
            }
            42 if is_lower_hex(value) => Some(Self::MasterKey),
            _ => is_email(value).then_some(Self::Email),
        }
    }

    /// Whether it is the secret half of a pair.
    #[must_use]
    pub const fn is_key(self) -> bool {
        matches!(self, Self::ApplicationKey | Self::MasterKey)
    }

    /// Whether it is the public half of a pair.
    #[must_use]
    pub const fn is_id(self) -> bool {
        matches!(self, Self::AccountId | Self::KeyId | Self::MasterKeyId)
    }

    /// The account that is part of an id.
    pub(super) fn account(self, value: &str) -> Option<&str> {
        match self {
            Self::AccountId => Some(value),
            Self::KeyId | Self::MasterKeyId => value.get(3..15),
            _ => None,
        }
    }

    /// The cluster that is part of an id or a key.
    /// Source for the key: every public sample, and https://backblaze.com/apidocs/introduction-to-the-b2-native-api,
    /// which numbers clusters so; documents show a placeholder that mismatches, so this is never more than a warning.
    pub(super) fn cluster(self, value: &str) -> Option<&str> {
        match self {
            Self::KeyId | Self::MasterKeyId => value.get(..3),
            Self::ApplicationKey => value.get(1..4),
            _ => None,
        }
    }
}

/// Digits and small letters up to `f`.
pub(crate) fn is_lower_hex(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// `local@host.domain`, and nothing of a URL.
fn is_email(value: &str) -> bool {
    let plain = |part: &str, marks: &[u8]| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || marks.contains(&byte))
    };
    value.split_once('@').is_some_and(|(local, host)| {
        plain(local, b"._%+-")
            && host.split('.').all(|label| plain(label, b"-"))
            && host
                .rsplit_once('.')
                .is_some_and(|(_, top)| top.len() >= 2 && top.bytes().all(|b| b.is_ascii_alphabetic()))
    })
}

/// The tokens of the messaging service that can't upload, by their prefix: lengths vary.
/// Source, where no other is named: https://docs.slack.dev/authentication/tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TokenKind {
    /// `xapp-`: for the API of sockets and events only.
    AppLevel,
    /// `xoxe-1-`: gets new access tokens, and is none. Those that it gets begin with `xoxe.xoxb-` or `xoxe.xoxp-`.
    Refresh,
    /// `xoxc-`, `xoxd-`, `xoxs-`: taken from a browser; of use there only, with a cookie.
    /// Source: https://github.com/emtunc/SlackPirate/issues/61.
    Session,
    /// `xoxa-`, `xoxr-`: of workspace apps, which ended in August 2021.
    /// Source: https://docs.slack.dev/changelog/2021-03-workspace-apps-to-retire-in-august-2021.
    Retired,
    /// `xwfp-`: given to one step of a workflow, for minutes.
    Workflow,
}

impl TokenKind {
    /// The kind of a token, if it is one of these.
    pub(super) fn from_value(value: &str) -> Option<Self> {
        let (prefix, rest) = value.split_once('-')?;
        match prefix {
            "xapp" => Some(Self::AppLevel),
            "xoxe" => rest
                .split_once('-')
                .is_some_and(|(version, _)| !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit()))
                .then_some(Self::Refresh),
            "xoxc" | "xoxd" | "xoxs" => Some(Self::Session),
            "xoxa" | "xoxr" => Some(Self::Retired),
            "xwfp" => Some(Self::Workflow),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_exact() {
        for (value, shape) in [
            ("1a2b3c4d5e6f", Some(KeyShape::AccountId)),
            ("1A2B3C4D5E6F", None),
            ("1a2b3c4d5e6", None),
            ("0051a2b3c4d5e6f0000000001", Some(KeyShape::KeyId)),
            ("0051a2b3c4d5e6f00000000b0", Some(KeyShape::KeyId)),
            ("0051a2b3c4d5e6f0000000000", Some(KeyShape::MasterKeyId)),
            ("a051a2b3c4d5e6f0000000001", None),
            ("K005abcdefghijklmnopqrstuvwxyz1", Some(KeyShape::ApplicationKey)),
            ("K005abcdefghijkl+nopqrstuvwxy/1", Some(KeyShape::ApplicationKey)),
            ("K00xabcdefghijklmnopqrstuvwxyz1", None),
            ("K005abcdefghijklmnopqrstuvwxyz", None),
            ("K005abcdefghijklmnopqrstuvwxyé", None),
            ("0050123456789abcdef0123456789abcdef0123456", Some(KeyShape::MasterKey)),
            ("0050123456789abcdef0123456789abcdef01234", None),
            ("85644d98debc657d880b0e1e", Some(KeyShape::BucketId)),
            ("ann@example.com", Some(KeyShape::Email)),
            ("ann@localhost", None),
            ("ann@example.com/x", None),
            ("a@b@example.com", None),
            ("nightly-key", None),
            ("N2Zug0evLcHDlh_L0Z0AJhiGGdY", None),
            ("", None),
        ] {
            assert_eq!(KeyShape::from_value(value), shape, "{value}");
        }
        let id = "0051a2b3c4d5e6f0000000001";
        assert_eq!((KeyShape::KeyId.cluster(id), KeyShape::KeyId.account(id)), (Some("005"), Some("1a2b3c4d5e6f")));
    }

    #[test]
    fn tokens_go_by_their_prefix() {
        for (value, kind) in [
            ("xapp-1-A0-0-0", Some(TokenKind::AppLevel)),
            ("xoxe-1-abc", Some(TokenKind::Refresh)),
            ("xoxe-abc", None),
            ("xoxe.xoxb-1-abc", None),
            ("xoxe.xoxp-1-abc", None),
            ("xoxc-0", Some(TokenKind::Session)),
            ("xoxd-0", Some(TokenKind::Session)),
            ("xoxs-0", Some(TokenKind::Session)),
            ("xoxa-2-0", Some(TokenKind::Retired)),
            ("xoxr-0", Some(TokenKind::Retired)),
            ("xwfp-0", Some(TokenKind::Workflow)),
            ("xoxb-0", None),
            ("xoxp-0", None),
            ("my-xapp-0", None),
            ("0123", None),
        ] {
            assert_eq!(TokenKind::from_value(value), kind, "{value}");
        }
    }

    #[test]
    fn what_a_shape_is_half_of() {
        use KeyShape::{AccountId, ApplicationKey, BucketId, Email, KeyId, MasterKey, MasterKeyId};
        let (id, key) = ("0051a2b3c4d5e6f0000000001", "K004abcdefghijklmnopqrstuvwxyz1");
        for (shape, is_id, is_key, value, account, cluster) in [
            (AccountId, true, false, "1a2b3c4d5e6f", Some("1a2b3c4d5e6f"), None),
            (KeyId, true, false, id, Some("1a2b3c4d5e6f"), Some("005")),
            (MasterKeyId, true, false, id, Some("1a2b3c4d5e6f"), Some("005")),
            (ApplicationKey, false, true, key, None, Some("004")),
            (MasterKey, false, true, key, None, None),
            (BucketId, false, false, id, None, None),
            (Email, false, false, id, None, None),
        ] {
            assert_eq!((shape.is_id(), shape.is_key()), (is_id, is_key), "{shape:?}");
            assert_eq!((shape.account(value), shape.cluster(value)), (account, cluster), "{shape:?}");
        }
    }

    #[test]
    fn shapes_are_exact_in_every_digit() {
        for (value, shape) in [
            ("0123456789ab", Some(KeyShape::AccountId)),
            ("0123456789ag", None),
            ("0123456789a`", None),
            ("0123456789a:", None),
            ("0051a2b3c4d5e6f0000000010", Some(KeyShape::KeyId)),
            ("00a1a2b3c4d5e6f0000000010", None),
            ("0051a2b3c4d5e6g0000000010", None),
            ("85644d98debc657d880b0e1g", None),
            ("K05aabcdefghijklmnopqrstuvwxyz1", None),
            ("k005abcdefghijklmnopqrstuvwxyz1", None),
            ("K005ABCDEFGHIJKLMNOPQRSTUVWXYZ9", Some(KeyShape::ApplicationKey)),
            ("K005abcdefghijklmnopqrstuvwxyz-", None),
            ("0050123456789abcdef0123456789abcdef012345g", None),
            ("a.b_c%d+e-f@h-1.example.org", Some(KeyShape::Email)),
            ("@example.com", None),
            ("ann@", None),
            ("ann@.com", None),
            ("ann@example.", None),
            ("ann@example.c", None),
            ("ann@example.c1", None),
            ("ann@example.co", Some(KeyShape::Email)),
            ("ann@exa_mple.com", None),
            ("a/b@example.com", None),
            ("ann.example.com", None),
        ] {
            assert_eq!(KeyShape::from_value(value), shape, "{value}");
        }
        assert!(is_lower_hex("0123456789abcdef") && is_lower_hex(""));
        for other in ["A", "g", "/", ":", "`", "é"] {
            assert!(!is_lower_hex(other), "{other}");
        }
        for (value, kind) in [
            ("xoxe-12-a", Some(TokenKind::Refresh)),
            ("xoxe--a", None),
            ("xoxe-1a-b", None),
            ("xoxe-1", None),
            ("xapp-", Some(TokenKind::AppLevel)),
            ("xapp", None),
            ("", None),
        ] {
            assert_eq!(TokenKind::from_value(value), kind, "{value}");
        }
    }
}
