//! The forms of what the hosted messaging service issues: its tokens, and the IDs of its conversations and users.
//!
//! Written from its documentation, independently of the linter's forms, so that each can reveal mistakes in the other.

/// The length of the shortest token. The pattern of scanners consists of the prefix and two numbers of at least ten
/// digits; the rest is optional: <https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors/slack>.
const SHORTEST: usize = "xoxb-0123456789-0123456789".len();

/// The prefixes of access tokens: <https://docs.slack.dev/authentication/tokens>. In a token that rotates, a version
/// follows.
const ACCESS: [(&str, bool); 4] = [("xoxb-", false), ("xoxp-", false), ("xoxe.xoxb-", true), ("xoxe.xoxp-", true)];

/// Returns `true` if a token has the form of an access token. Lengths vary, so only the minimum is checked; the
/// characters are those of <https://github.com/caronc/apprise/blob/master/apprise/plugins/slack.py>.
pub(super) fn is_access_token(token: &str) -> bool {
    let found = ACCESS.iter().find_map(|(prefix, versioned)| Some((token.strip_prefix(prefix)?, *versioned)));
    let Some((body, versioned)) = found else { return false };
    let version = || {
        body.split_once('-').is_some_and(|(one, _)| !one.is_empty() && one.bytes().all(|byte| byte.is_ascii_digit()))
    };
    token.len() >= SHORTEST
        && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        // Two tokens pasted together are not a token.
        && !body.contains("xoxb-")
        && !body.contains("xoxp-")
        && (!versioned || version())
}

/// Returns `true` for the ID of a conversation: `^[CGDZ][A-Z0-9]{8,}$`, as messages of the hosted service say:
/// <https://github.com/slackapi/bolt-js/issues/2115>.
pub(super) fn is_conversation(id: &str) -> bool {
    is_id(id, &['C', 'G', 'D', 'Z'])
}

/// Returns `true` for the ID of a conversation or of a user, to whom a file can be sent as well:
/// <https://docs.slack.dev/reference/methods/files.completeUploadExternal>.
pub(super) fn is_recipient(id: &str) -> bool {
    is_conversation(id) || is_id(id, &['U', 'W'])
}

fn is_id(id: &str, first: &[char]) -> bool {
    id.len() >= 9 && id.starts_with(first) && id.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_access_tokens() {
        for (token, issued) in [
            ("xoxb-7391842650-QzWvXkPjHyBd", true),
            ("xoxp-7391842650-1739184265-QzWvXkPjHyBdQzWvXkPjHyBd", true),
            ("xoxe.xoxb-1-QzWvXkPjHyBdQzWvXkPjHyBd", true),
            ("xoxe.xoxp-1-QzWvXkPjHyBdQzWvXkPjHyBd", true),
            ("xoxe.xoxp-QzWvXkPjHyBdQzWvXkPjHyBdQzWv", false),
            ("xoxb-7391842650-173918426", false),
            ("xoxb-7391842650-1739184265", true),
            ("\"xoxb-7391842650-QzWvXkPjHyBd\"", false),
            ("xoxb-7391842650-QzWvXkPjHyBd,", false),
            ("XOXB-7391842650-QZWVXKPJHYBD", false),
            ("xoxb-7391842650-QzWvXkPjHyBdxoxb-7391842650-QzWvXkPjHyBd", false),
            ("xoxc-7391842650-QzWvXkPjHyBd", false),
            ("stand-in-for-a-rehearsal-of-more", false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(is_access_token(token), issued, "{token}");
        }
    }

    #[test]
    fn recognises_ids() {
        for (id, conversation, recipient) in [
            ("C01234567", true, true),
            ("Z0123456789", true, true),
            ("C0123456", false, false),
            ("U01234567", false, true),
            ("W01234567", false, true),
            ("T01234567", false, false),
            ("c01234567", false, false),
            ("#general", false, false),
            ("", false, false),
        ] {
            assert_eq!((is_conversation(id), is_recipient(id)), (conversation, recipient), "{id}");
        }
    }
}
