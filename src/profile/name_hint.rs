//! Guesses the kind of a value from the name of its variable or file. Unknown words give no hint.

use crate::text::words;

/// The kind of a value that its name suggests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NameHint {
    /// An incoming webhook.
    Webhook,
    /// A token for API calls.
    AccessToken,
    /// A token for Socket Mode.
    AppToken,
    /// A token that is exchanged for an access token.
    RefreshToken,
    /// The secret that an app verifies requests with.
    SigningSecret,
    /// The secret of an app's OAuth client.
    ClientSecret,
    /// The ID of an app's OAuth client.
    ClientId,
    /// The ID of a storage key pair.
    KeyId,
    /// The key of a storage key pair.
    Key,
}

/// Name endings that identify the kind of a value.
struct Row {
    ends: &'static [&'static str],
    named: NameHint,
    #[cfg_attr(not(test), expect(dead_code, reason = "documentation for people; a test requires it"))]
    source: &'static str,
}

/// The source for the names of the hosted messaging service's credentials.
const TOKENS: &str = "https://docs.slack.dev/authentication/tokens";
const BOLT: &str = "https://docs.slack.dev/tools/bolt-js/getting-started";

/// `…_KEY` alone is not listed: beside `…_SECRET` it is the ID of a pair. The same holds for `…_ACCESS_KEY`.
const ROWS: &[Row] = &[
    Row {
        ends: &["webhook", "webhook_url", "webhook_uri", "webhookurl", "hook_url"],
        named: NameHint::Webhook,
        source: "https://github.com/rtCamp/action-slack-notify",
    },
    Row {
        ends: &[
            "bot_token",
            "slack_token",
            "oauth_token",
            "user_token",
            "access_token",
            "api_token",
            "auth_token",
            "bot_access_token",
        ],
        named: NameHint::AccessToken,
        source: TOKENS,
    },
    Row { ends: &["slack_app_token", "app_level_token", "slack_xapp_token"], named: NameHint::AppToken, source: BOLT },
    Row {
        ends: &["refresh_token"],
        named: NameHint::RefreshToken,
        source: "https://docs.slack.dev/authentication/using-token-rotation",
    },
    Row { ends: &["signing_secret"], named: NameHint::SigningSecret, source: BOLT },
    Row {
        ends: &["client_secret"],
        named: NameHint::ClientSecret,
        source: "https://docs.slack.dev/authentication/installing-with-oauth",
    },
    Row {
        ends: &["client_id"],
        named: NameHint::ClientId,
        source: "https://docs.slack.dev/authentication/installing-with-oauth",
    },
    // restic and compatible tools keep the keyID in B2_ACCOUNT_ID.
    Row {
        ends: &["key_id", "keyid", "appkey_id", "application_id", "account_id", "acct_id", "accountid"],
        named: NameHint::KeyId,
        source: "https://restic.readthedocs.io/en/stable/030_preparing_a_new_repo.html#backblaze-b2",
    },
    Row {
        ends: &["application_key", "app_key", "appkey", "account_key", "application_key_secret"],
        named: NameHint::Key,
        source: "https://github.com/Backblaze/B2_Command_Line_Tool",
    },
    Row {
        ends: &["secret_access_key", "secret_key"],
        named: NameHint::Key,
        source: "https://www.backblaze.com/docs/cloud-storage-s3-compatible-app-keys",
    },
    Row { ends: &["master_key"], named: NameHint::Key, source: "https://github.com/backblaze-labs/b2-mcp" },
];

/// Words that may follow the words that identify the kind.
const SUFFIXES: &[&str] = &["file", "path", "txt", "value"];

/// Names of environments, with their spellings.
const ENVIRONMENTS: &[(&str, &[&str])] = &[
    ("production", &["prod", "production", "prd", "live"]),
    ("staging", &["staging", "stage", "stg"]),
    ("development", &["dev", "development"]),
    ("test", &["test", "testing"]),
    ("qa", &["qa"]),
    ("a sandbox", &["sandbox"]),
];

/// Words that distinguish the ID from the key. Without them, both names of a pair are the same.
const HALVES: &[&str] =
    &["application", "app", "appkey", "account", "acct", "access", "master", "secret", "key", "keyid", "id"];

impl NameHint {
    /// Returns the hint in the last component of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let mut words = words(last(name));
        while words.len() > 1 && words.last().is_some_and(|word| is_beside(word)) {
            words.pop();
        }
        let name = words.join("_");
        let ends = |end: &str| name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'));
        let row = ROWS.iter().find(|row| row.ends.iter().any(|end| ends(end)))?;
        // The token of a webhook is part of its address, or something else.
        let part = row.named != Self::Webhook && words.iter().any(|word| word.contains("hook"));
        (!part).then_some(row.named)
    }

    /// Returns what belongs in a field, by the field's own name.
    #[must_use]
    pub fn wanted_in(field: &str) -> Option<Self> {
        match field {
            "token" => Some(Self::AccessToken),
            "app_token" => Some(Self::AppToken),
            name => Self::find(name),
        }
    }

    /// Returns the noun with its article.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Webhook => "a webhook URL",
            Self::AccessToken => "an access token",
            Self::AppToken => "an app-level token",
            Self::RefreshToken => "a refresh token",
            Self::SigningSecret => "a signing secret",
            Self::ClientSecret => "a client secret",
            Self::ClientId => "a client ID",
            Self::KeyId => "a keyID",
            Self::Key => "a key",
        }
    }

    /// Returns `true` for the ID or the key of a pair.
    const fn is_pair_field(self) -> bool {
        matches!(self, Self::KeyId | Self::Key)
    }

    /// Returns `true` if a value with hint `other` and full name `name` belongs elsewhere than one with hint `self`. A
    /// credential for another kind of service counts only if the name says which service.
    #[must_use]
    pub fn is_crossed_by(self, other: Self, name: &str) -> bool {
        if self.is_pair_field() == other.is_pair_field() {
            return self != other;
        }
        let services: &[&str] = if other.is_pair_field() { &["b2", "backblaze"] } else { &["slack"] };
        other == Self::Webhook || words(last(name)).iter().any(|word| services.contains(&word.as_str()))
    }
}

/// Returns the environments in two names, if the names differ only in the environment and in the words for ID and key.
#[must_use]
pub fn environments(one: &str, other: &str) -> Option<[&'static str; 2]> {
    let [one, other] = [one, other].map(|name| {
        let words = words(name);
        let mut found = words.iter().filter_map(|word| environment(word));
        let environment = found.next().filter(|_| found.next().is_none());
        let is_own = |word: &String| environment_word(word) || HALVES.contains(&word.as_str()) || is_beside(word);
        (environment, words.into_iter().filter(|word| !is_own(word)).collect::<Vec<_>>())
    });
    let (from, to) = (one.0?, other.0?);
    (from != to && one.1 == other.1).then_some([from, to])
}

/// Returns `true` if one of two names is for the master key and the other for an application key.
#[must_use]
pub fn one_is_master(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|name| words(last(name)));
    let has = |words: &[String], known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let master = |words: &[String]| has(words, &["master"]);
    let application = |words: &[String]| !master(words) && has(words, &["application", "app", "appkey"]);
    master(&one) && application(&other) || application(&one) && master(&other)
}

fn environment(word: &str) -> Option<&'static str> {
    ENVIRONMENTS.iter().find(|(_, words)| words.contains(&word)).map(|(name, _)| *name)
}

fn environment_word(word: &str) -> bool {
    environment(word).is_some()
}

/// Returns `true` if a word says nothing about the kind of a value.
fn is_beside(word: &str) -> bool {
    SUFFIXES.contains(&word) || environment_word(word) || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the last component of a path.
fn last(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Kind;

    #[test]
    fn names_give_a_hint_or_none() {
        for (name, named) in [
            ("SLACK_WEBHOOK_URL", Some(NameHint::Webhook)),
            ("slackWebhookUrl", Some(NameHint::Webhook)),
            ("/run/secrets/prod/slack-webhook.txt", Some(NameHint::Webhook)),
            ("SLACK_WEBHOOK_TOKEN", None),
            ("SLACK_BOT_TOKEN", Some(NameHint::AccessToken)),
            ("SLACK_BOT_TOKEN_PROD", Some(NameHint::AccessToken)),
            ("SLACK_BOT_TOKEN_FILE", Some(NameHint::AccessToken)),
            ("REPORTS_TOKEN", None),
            ("REPORTS_APP_TOKEN", None),
            ("SLACK_APP_TOKEN", Some(NameHint::AppToken)),
            ("SLACK_SIGNING_SECRET", Some(NameHint::SigningSecret)),
            ("B2_APPLICATION_KEY_ID", Some(NameHint::KeyId)),
            ("B2_KEY_ID", Some(NameHint::KeyId)),
            ("B2_ACCOUNT_ID", Some(NameHint::KeyId)),
            ("b2KeyId", Some(NameHint::KeyId)),
            ("AWS_ACCESS_KEY_ID", Some(NameHint::KeyId)),
            ("AWS_SECRET_ACCESS_KEY", Some(NameHint::Key)),
            ("B2_APPLICATION_KEY", Some(NameHint::Key)),
            ("B2_APP_KEY", Some(NameHint::Key)),
            ("B2_ACCOUNT_KEY", Some(NameHint::Key)),
            ("B2_MASTER_KEY", Some(NameHint::Key)),
            ("B2_MASTER_KEY_ID", Some(NameHint::KeyId)),
            ("B2_KEY", None),
            ("AWS_ACCESS_KEY", None),
            ("RCLONE_CONFIG_B2_ACCOUNT", None),
            ("MONKEY_ID", None),
            ("SNAPP_KEY", None),
            ("FILE", None),
            ("", None),
            ("********", None),
        ] {
            assert_eq!(NameHint::find(name), named, "{name}");
        }
    }

    #[test]
    fn every_credential_field_has_a_name_hint() {
        for field in Kind::all().iter().filter(|kind| kind.name != "relay").flat_map(|kind| kind.fields) {
            if field.is_credential() {
                assert!(NameHint::wanted_in(field.name).is_some(), "{}", field.name);
            }
        }
        assert!(ROWS.iter().all(|row| row.source.starts_with("https://")));
    }

    #[test]
    fn other_services_names_count_only_with_the_services_name() {
        let crossed =
            |wanted: NameHint, name: &str| NameHint::find(name).is_some_and(|hint| wanted.is_crossed_by(hint, name));
        assert!(crossed(NameHint::AccessToken, "SLACK_WEBHOOK_URL") && crossed(NameHint::Key, "SLACK_WEBHOOK_URL"));
        assert!(crossed(NameHint::AccessToken, "B2_APPLICATION_KEY") && crossed(NameHint::Key, "SLACK_BOT_TOKEN"));
        assert!(!crossed(NameHint::AccessToken, "CHAT_SECRET_KEY") && !crossed(NameHint::Key, "STORE_ACCESS_TOKEN"));
        assert!(crossed(NameHint::Key, "B2_KEY_ID") && crossed(NameHint::KeyId, "B2_APPLICATION_KEY"));
        assert!(!crossed(NameHint::KeyId, "B2_ACCOUNT_ID") && !crossed(NameHint::Key, "B2_ACCOUNT_KEY"));
    }

    #[test]
    fn environments_are_compared_if_nothing_else_differs() {
        for (one, other, told) in [
            ("PROD_B2_KEY_ID", "STAGING_B2_APPLICATION_KEY", Some(["production", "staging"])),
            ("B2_KEY_ID_LIVE", "B2_KEY_TEST", Some(["production", "test"])),
            ("/secrets/dev/b2-key-id", "/secrets/qa/b2-app-key", Some(["development", "qa"])),
            ("PROD_B2_KEY_ID", "LIVE_B2_KEY", None),
            ("PROD_B2_KEY_ID", "B2_KEY", None),
            ("PROD_B2_KEY_ID", "STAGING_AWS_SECRET_KEY", None),
            ("TEST_PROD_B2_KEY_ID", "PROD_B2_KEY", None),
            ("PRODUCT_KEY_ID", "STAGING_KEY", None),
        ] {
            assert_eq!(environments(one, other), told, "{one} {other}");
        }
        assert!(one_is_master("B2_MASTER_KEY_ID", "B2_APPLICATION_KEY"));
        assert!(!one_is_master("B2_MASTER_KEY_ID", "B2_MASTER_APPLICATION_KEY"));
        assert!(!one_is_master("B2_MASTER_KEY_ID", "B2_ACCOUNT_KEY"));
    }
}
