//! Guesses the kind of a value from the name of its variable or file. Unknown words give no hint.

use crate::schema::{self, Kind};
use crate::services::{self, Field, Names, Purpose, ReferenceScope, Service};
use crate::text::words;

include!(concat!(env!("OUT_DIR"), "/words_name_hint.rs"));

/// The kind of a value that its name suggests: a field of a service, by its noun.
#[derive(Clone, Copy, Debug)]
pub struct NameHint(&'static Field);

// Two fields with the same noun accept the same values.
impl PartialEq for NameHint {
    fn eq(&self, other: &Self) -> bool {
        self.0.noun == other.0.noun
    }
}

/// Words that may follow the words that identify the kind.
const SUFFIXES: &[&str] = &["file", "path", "txt", "value"];

impl NameHint {
    /// Returns the hint in the last component of a name.
    pub fn find(name: &str) -> Option<Self> {
        let mut words = words(last(name));
        while words.last().is_some_and(|word| is_neutral_word(word)) {
            words.pop();
        }
        let name = words.join("_").to_uppercase();
        let ends = |end: &str| name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'));
        // References belong to profiles.
        let of_profiles = |service: &&&Service| service.fields.iter().any(|field| Kind::find(field.place.0).is_some());
        let own = services::built_in().iter().filter(of_profiles);
        let found = own.flat_map(|service| service.fields.iter().map(move |field| (service, field)));
        let found = found.flat_map(|(service, field)| field.names.iter().map(move |names| (service, *field, names)));
        let means = |service: &Service, names: &Names| match names.in_references {
            ReferenceScope::Alone => names.words.iter().any(|end| ends(end)),
            ReferenceScope::Referred => {
                service.words.iter().any(|word| names.words.iter().any(|end| ends(&format!("{word}_{end}"))))
            }
            ReferenceScope::Nowhere => false,
        };
        let (_, field, _) = found.into_iter().find(|(service, _, names)| means(service, names))?;
        // The token of a webhook is part of its address, or something else.
        let part = field.purpose != Purpose::Webhook && words.iter().any(|word| word.contains("hook"));
        (!part).then_some(Self(field))
    }

    /// Returns `true` if no value belongs in both fields.
    pub fn excludes(self, other: Self) -> bool {
        let (own, others) = (self.0.takes, other.0.takes);
        let halves = self.is_pair_field() && other.is_pair_field() && self.0.purpose != other.0.purpose;
        halves || !own.is_empty() && !others.is_empty() && !own.iter().any(|form| others.contains(form))
    }

    /// The hint of a name that means this field.
    pub const fn of_field(field: &'static Field) -> Self {
        Self(field)
    }

    /// Returns what belongs in a field of a profile.
    pub fn for_field(field: &schema::Field) -> Option<Self> {
        field.row.map(Self).or_else(|| Self::find(field.name))
    }

    /// Returns the noun with its article.
    pub const fn noun(self) -> &'static str {
        self.0.noun
    }

    /// Returns `true` unless its values may be printed.
    pub fn is_secret(self) -> bool {
        self.0.is_secret()
    }

    /// Returns what it is for.
    pub const fn purpose(self) -> Purpose {
        self.0.purpose
    }

    /// Returns `true` for the ID or the key of a pair.
    const fn is_pair_field(self) -> bool {
        matches!(self.0.purpose, Purpose::Id | Purpose::Key)
    }

    /// Returns `true` if a value with hint `other` and full name `name` belongs elsewhere than one with hint `self`. A
    /// credential for another kind of service counts only if the name says which service.
    pub fn is_crossed_with(self, other: Self, name: &str) -> bool {
        if self.is_pair_field() == other.is_pair_field() {
            return self != other;
        }
        let service = services::built_in().iter().find(|service| service.fields.contains(&other.0));
        let named =
            |word: &String| service.is_some_and(|service| service.words.contains(&word.to_uppercase().as_str()));
        other.0.purpose == Purpose::Webhook || words(last(name)).iter().any(named)
    }
}

/// Returns `true` if a word says nothing about the kind of a value.
fn is_neutral_word(word: &str) -> bool {
    SUFFIXES.contains(&word) || ENVIRONMENTS.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the last component of a path.
fn last(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::{backblaze, slack};

    #[test]
    fn finds_hints_in_names() {
        for (name, named) in [
            ("SLACK_WEBHOOK_URL", Some(NameHint(&slack::WEBHOOK_URL_FIELD))),
            ("slackWebhookUrl", Some(NameHint(&slack::WEBHOOK_URL_FIELD))),
            ("/run/secrets/prod/slack-webhook.txt", Some(NameHint(&slack::WEBHOOK_URL_FIELD))),
            ("SLACK_WEBHOOK_TOKEN", None),
            ("SLACK_BOT_TOKEN", Some(NameHint(&slack::TOKEN_FIELD))),
            ("SLACK_BOT_TOKEN_PROD", Some(NameHint(&slack::TOKEN_FIELD))),
            ("SLACK_BOT_TOKEN_FILE", Some(NameHint(&slack::TOKEN_FIELD))),
            ("REPORTS_TOKEN", None),
            ("REPORTS_APP_TOKEN", None),
            ("SLACK_APP_TOKEN", Some(NameHint(&slack::APP_TOKEN_FIELD))),
            ("SLACK_SIGNING_SECRET", Some(NameHint(&slack::SIGNING_SECRET_FIELD))),
            ("B2_APPLICATION_KEY_ID", Some(NameHint(&backblaze::APPLICATION_KEY_ID_FIELD))),
            ("B2_KEY_ID", Some(NameHint(&backblaze::APPLICATION_KEY_ID_FIELD))),
            ("B2_ACCOUNT_ID", Some(NameHint(&backblaze::APPLICATION_KEY_ID_FIELD))),
            ("b2KeyId", Some(NameHint(&backblaze::APPLICATION_KEY_ID_FIELD))),
            ("AWS_ACCESS_KEY_ID", Some(NameHint(&backblaze::APPLICATION_KEY_ID_FIELD))),
            ("AWS_SECRET_ACCESS_KEY", Some(NameHint(&backblaze::APPLICATION_KEY_FIELD))),
            ("B2_APPLICATION_KEY", Some(NameHint(&backblaze::APPLICATION_KEY_FIELD))),
            ("B2_APP_KEY", Some(NameHint(&backblaze::APPLICATION_KEY_FIELD))),
            ("B2_ACCOUNT_KEY", Some(NameHint(&backblaze::APPLICATION_KEY_FIELD))),
            ("B2_MASTER_KEY", Some(NameHint(&backblaze::APPLICATION_KEY_FIELD))),
            ("B2_MASTER_KEY_ID", Some(NameHint(&backblaze::APPLICATION_KEY_ID_FIELD))),
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
    fn hints_exclude_each_other_without_common_value() {
        let (id, key, token) =
            (&backblaze::APPLICATION_KEY_ID_FIELD, &backblaze::APPLICATION_KEY_FIELD, &slack::TOKEN_FIELD);
        for (one, other, excludes) in [
            (id, key, true),
            (token, &slack::WEBHOOK_URL_FIELD, true),
            (token, &slack::BOT_TOKEN_FIELD, false),
            // No form is known.
            (id, &slack::SIGNING_SECRET_FIELD, false),
            (&slack::SIGNING_SECRET_FIELD, token, false),
        ] {
            assert_eq!(NameHint(one).excludes(NameHint(other)), excludes, "{} {}", one.noun, other.noun);
        }
        assert!(NameHint(key).is_secret() && !NameHint(id).is_secret());
    }

    #[test]
    fn every_credential_field_has_a_name_hint() {
        for kind in Kind::all().iter().filter(|kind| kind.name != "twilio") {
            for field in kind.fields.iter().filter(|field| field.is_credential()) {
                assert!(NameHint::for_field(field).is_some(), "{}", field.name);
            }
        }
    }

    #[test]
    fn foreign_names_count_only_with_service_word() {
        let crossed =
            |wanted: NameHint, name: &str| NameHint::find(name).is_some_and(|hint| wanted.is_crossed_with(hint, name));
        assert!(
            crossed(NameHint(&slack::TOKEN_FIELD), "SLACK_WEBHOOK_URL")
                && crossed(NameHint(&backblaze::APPLICATION_KEY_FIELD), "SLACK_WEBHOOK_URL")
        );
        assert!(
            crossed(NameHint(&slack::TOKEN_FIELD), "B2_APPLICATION_KEY")
                && crossed(NameHint(&backblaze::APPLICATION_KEY_FIELD), "SLACK_BOT_TOKEN")
        );
        assert!(
            !crossed(NameHint(&slack::TOKEN_FIELD), "CHAT_SECRET_KEY")
                && !crossed(NameHint(&backblaze::APPLICATION_KEY_FIELD), "STORE_ACCESS_TOKEN")
        );
        assert!(
            crossed(NameHint(&backblaze::APPLICATION_KEY_FIELD), "B2_KEY_ID")
                && crossed(NameHint(&backblaze::APPLICATION_KEY_ID_FIELD), "B2_APPLICATION_KEY")
        );
        assert!(
            !crossed(NameHint(&backblaze::APPLICATION_KEY_ID_FIELD), "B2_ACCOUNT_ID")
                && !crossed(NameHint(&backblaze::APPLICATION_KEY_FIELD), "B2_ACCOUNT_KEY")
        );
    }
}
