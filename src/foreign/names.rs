//! The meaning of names in other programs' variables and keys, by the rows of the services. `B2_APPLICATION_KEY_ID`,
//! `b2-application-key-id` and `b2ApplicationKeyId` are the same name. A name may be misleading: restic's
//! `B2_ACCOUNT_ID` is often an application key's ID, so values are checked too.

use std::collections::HashMap;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};

use crate::services::{self, Field, Form, Names, Purpose, Service, s3};
use crate::text;

// The words of `src/words.toml`.
include!(concat!(env!("OUT_DIR"), "/words_names.rs"));

/// Prefixes with which frameworks mark variables that reach browsers.
pub(super) const BROWSER: &[&str] = &["NEXT_PUBLIC", "VITE", "REACT_APP", "EXPO_PUBLIC", "NUXT_PUBLIC", "GATSBY"];

/// The prefix of SvelteKit and Astro. Other programs use it without this meaning.
const OWN_WORD: &str = "PUBLIC_";

/// The meaning of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    pub(super) field: &'static Field,
    /// The tuple that it belongs to.
    pub(super) tuple: &'static str,
    /// Values of these forms mean something else under the name.
    pub(super) unless: &'static [&'static Form],
    /// True if the name of a table may stand for the service's word.
    within: bool,
    /// The rest of the name. Names with the same stem belong together.
    pub(super) stem: String,
}

impl Meaning {
    fn new(field: &'static Field, names: &'static Names, stem: String) -> Self {
        Self { field, tuple: names.tuple, unless: names.unless, within: names.in_tables, stem }
    }

    /// The meaning of a name that is told elsewhere: by a program, or by the project.
    pub(super) fn of_field(field: &'static Field, tuple: &'static str) -> Self {
        Self { field, tuple, unless: field.unless(), within: false, stem: String::new() }
    }
}

/// Services by the first part of the words that name them, in order of precedence.
type ByWord = HashMap<&'static str, Vec<(&'static Service, &'static str)>>;

/// The built-in services.
static BY_WORD: LazyLock<ByWord> = LazyLock::new(|| by_word(services::built_in()));

/// The services of the project.
static OWN_BY_WORD: LazyLock<ByWord> = LazyLock::new(|| by_word(services::own()));

fn by_word(services: &[&'static Service]) -> ByWord {
    let mut all = ByWord::new();
    for (service, word) in services.iter().flat_map(|service| service.words.iter().map(move |word| (*service, *word))) {
        all.entry(word.split('_').next().unwrap_or_default()).or_default().push((service, word));
    }
    all
}

/// Returns `true` if a text contains the first part of a word that names a service. Most names don't, so they need not
/// be split.
pub(super) fn may_name_service(text: &str) -> bool {
    static BEGINNINGS: LazyLock<Option<AhoCorasick>> =
        LazyLock::new(|| beginnings(BY_WORD.keys().chain(OWN_BY_WORD.keys())));
    BEGINNINGS.as_ref().is_none_or(|beginnings| beginnings.is_match(text))
}

/// Returns what finds one of these words in a name, in any case.
fn beginnings<W: AsRef<[u8]>>(words: impl IntoIterator<Item = W>) -> Option<AhoCorasick> {
    AhoCorasickBuilder::new().ascii_case_insensitive(true).build(words).ok()
}

/// Returns the meaning of a name. `None` if it has none, or is ambiguous.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    if name.len() > LONGEST || !may_name_service(name) {
        return None;
    }
    let bare = without_browser_prefix(name).or_else(|| name.strip_prefix(OWN_WORD)).unwrap_or(name);
    let (words, suffix) = split_words(bare);
    // `SQUARE_SANDBOX` is a name of its own.
    let whole = || -> Option<Meaning> {
        let whole = [words.first()?.clone(), suffix.clone()];
        if words.len() == 1 && !suffix.is_empty() { meaning_by(&BY_WORD, &whole, "") } else { None }
    };
    meaning_by(&BY_WORD, &words, &suffix).or_else(whole).or_else(|| {
        let is_own = !OWN_BY_WORD.is_empty() && built_in_word(&words).is_none();
        is_own.then(|| meaning_by(&OWN_BY_WORD, &words, &suffix))?
    })
}

/// Returns the first built-in service that these words name.
fn built_in_word(words: &[String]) -> Option<&'static str> {
    let is_there = |rest: &str, word: &str| {
        rest.strip_prefix(word).is_some_and(|behind| behind.is_empty() || behind.starts_with('_'))
    };
    (0..words.len()).find_map(|at| {
        let named = BY_WORD.get(words[at].as_str())?;
        let rest = words[at..].join("_");
        named.iter().find(|(_, word)| is_there(&rest, word)).map(|(_, word)| *word)
    })
}

/// Returns the word of a built-in service in a name, which then means nothing else.
pub fn word_of_built_in(name: &str) -> Option<&'static str> {
    built_in_word(&split_words(name).0)
}

/// Returns the meaning of a name by its words, for some services.
fn meaning_by(by_word: &ByWord, words: &[String], suffix: &str) -> Option<Meaning> {
    let at = |at: usize| meaning_at(by_word, words, at, suffix);
    // The first service's word counts, because later words distinguish the ID from the key. But a name that is listed
    // completely wins: `TWILIO_SENDGRID_API_KEY`.
    let mut found = (0..words.len()).filter_map(at);
    let (service, is_whole, meaning) = found.next()?;
    let later = found.find(|(other, is_whole, _)| *is_whole && !std::ptr::eq(*other, service));
    match later.filter(|_| !is_whole) {
        // Values under a protocol's names belong to many services.
        Some((other, ..)) if other.shared => None,
        Some((.., meaning)) => Some(meaning),
        None => Some(meaning),
    }
}

/// Returns the meaning of a name with a service's word at a given position, the service, and whether the complete
/// listed name is there.
fn meaning_at(
    by_word: &ByWord,
    words: &[String],
    at: usize,
    suffix: &str,
) -> Option<(&'static Service, bool, Meaning)> {
    let named = by_word.get(words[at].as_str())?;
    let rest = words[at..].join("_");
    let behind = |word: &str| Some(rest.strip_prefix(word)?.strip_prefix('_')?.len());
    let (service, length) = named.iter().find_map(|(service, word)| Some((*service, behind(word)?)))?;
    let before: Vec<&str> = words[..at].iter().map(String::as_str).collect();
    let (field, names, between) = longest_listed_name(service, &rest[rest.len() - length..])?;
    if field.place.0.is_empty() && field.purpose != Purpose::Half || !between.is_empty() && !names.words_between {
        return None;
    }
    let between: Vec<&str> = between.split('_').filter(|word| !word.is_empty()).collect();
    let outside = || before.iter().chain(&between);
    // The name contains an rclone remote, which has its own type.
    if outside().any(|word| OTHER_KINDS.contains(word)) || before.starts_with(&["RCLONE", "CONFIG"]) {
        return None;
    }
    if !names.allowed_prefixes.is_empty() && before.first().is_some_and(|first| !names.allowed_prefixes.contains(first))
    {
        return None;
    }
    let own = |word: &&&str| !(service.ignored_before.contains(word) && before.last() == Some(word));
    // A protocol has several words, each for its own set of names: `SMTP_HOST` and `MAIL_USERNAME`.
    let word = Some(&rest[..rest.len() - length - 1]).filter(|_| service.shared && service.words.len() > 1);
    let stem = word.into_iter().chain(outside().filter(own).copied()).collect::<Vec<_>>().join("_");
    Some((service, between.is_empty(), Meaning::new(field, names, self::stem(&stem, suffix))))
}

/// Returns `true` for the name of a variable that a framework passes on to browsers.
pub(super) fn reaches_browsers(name: &str) -> bool {
    without_browser_prefix(name).is_some()
}

/// The maximum length of a name.
pub(super) const LONGEST: usize = 1024;

/// Removes a framework's prefix from a name. Frameworks compare it case-sensitively.
fn without_browser_prefix(name: &str) -> Option<&str> {
    BROWSER.iter().find_map(|start| name.strip_prefix(start)?.strip_prefix('_'))
}

/// Returns `true` for the name of a variable that holds a credential of a known service.
pub fn is_credential_name(name: &str) -> bool {
    meaning(name)
        .is_some_and(|meaning| !matches!(meaning.field.purpose, Purpose::Other | Purpose::Endpoint | Purpose::Name))
}

/// Returns the field that a variable's name means, also with the name of an environment or a program around it.
pub fn field_under(name: &str) -> Option<&'static Field> {
    meaning(name).map(|meaning| meaning.field)
}

/// Describes the expected value of such a variable, to follow "set it to".
pub fn expected_value(name: &str) -> Option<String> {
    let about = field_under(name)?.about;
    (!about.is_empty()).then(|| crate::schema::with_article(about))
}

/// Returns the longest listed name at the end of a text, and the text before it.
fn longest_listed_name<'a>(service: &Service, text: &'a str) -> Option<(&'static Field, &'static Names, &'a str)> {
    let rows = service.fields.iter().flat_map(|field| field.names.iter().map(move |names| (*field, names)));
    let found = rows.filter_map(|(field, names)| {
        let rest = names.words.iter().filter_map(|word| prefix_before(text, word)).min_by_key(|rest| rest.len())?;
        Some((field, names, rest))
    });
    found.min_by_key(|(.., rest)| rest.len())
}

/// Returns the meaning of a name in a table that is named after a service: `slack.token` means the same as
/// `SLACK_TOKEN`.
pub(super) fn meaning_in_table(table: &str, name: &str) -> Option<Meaning> {
    if !may_name_service(table) {
        return None;
    }
    let (mut words, own) = (text::words(table), text::words(name));
    let last = words.last()?.to_uppercase();
    // In a protocol's table, the host tells whose values these are.
    let names_table = |service: &&&Service| !service.shared || !service.at.is_empty();
    if !services::all().iter().filter(names_table).any(|service| service.words.contains(&last.as_str())) {
        return None;
    }
    let short = own.len() < 2;
    // Argo CD's `service.slack` is a table for Slack; the words before it don't matter.
    words.retain(|word| !OTHER_KINDS.contains(&word.to_uppercase().as_str()));
    words.extend(own);
    // Short names are ambiguous if the service has pairs: `b2.key`.
    meaning(&words.join("_")).filter(|found| found.within && (!short || found.tuple.is_empty()))
}

/// Returns the stem of a name under which programs take the address of a service's API.
pub(super) fn api_stem(service: &Service, name: &str) -> Option<String> {
    let (words, suffix) = split_words(name);
    let whole = words.join("_");
    let names = service.api.iter().flat_map(|api| service.words.iter().map(move |word| format!("{word}_{api}")));
    names.filter_map(|name| prefix_before(&whole, &name)).map(|prefix| stem(prefix, &suffix)).next()
}

/// Returns `true` for a name of the address of Slack's API or of its replacement. `SLACK_REDIRECT_URL` is none.
pub(super) fn is_slack_api(name: &str) -> bool {
    const OWN: &[&str] = &["api", "base", "server", "host", "endpoint", "url", "mock", "fake", "emulator"];
    if !may_name_service(name) {
        return false;
    }
    let words = text::words(name);
    let after = words.iter().position(|word| word == "slack").map_or(&[][..], |at| &words[at + 1..]);
    after.last().is_some_and(|last| last == "url") && after.iter().all(|word| OWN.contains(&word.as_str()))
}

/// Returns the meaning of a name in an S3-style pair, for any service.
pub(super) fn s3_meaning(name: &str) -> Option<Meaning> {
    static BEGINNINGS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let words = s3::SERVICE.fields.iter().flat_map(|field| field.names).flat_map(|names| names.words);
        beginnings(words.filter_map(|word| word.split('_').next()))
    });
    if BEGINNINGS.as_ref().is_some_and(|beginnings| !beginnings.is_match(name)) {
        return None;
    }
    let (words, suffix) = split_words(name);
    let whole = words.join("_");
    // `SECRET_ACCESS_KEY` also ends in `ACCESS_KEY`.
    let (field, names, prefix) = longest_listed_name(&s3::SERVICE, &whole)?;
    Some(Meaning::new(field, names, stem(prefix, &suffix)))
}

/// Returns `true` for a name in an S3-style pair, which any service may have.
pub fn is_in_any_pair(name: &str) -> bool {
    s3_meaning(name).is_some()
}

/// Returns the stem of the name of an S3 endpoint.
pub(super) fn endpoint_stem(name: &str) -> String {
    let (mut words, suffix) = split_words(name);
    words.retain(|word| !ADDRESSES.contains(&word.as_str()) && !word.ends_with("ENDPOINT"));
    without_protocol(&stem(&words.join("_"), &suffix))
}

/// Removes the protocol's word from a stem that has others: `BACKUP_S3_ENDPOINT` goes with `BACKUP_ACCESS_KEY_ID`.
pub(super) fn without_protocol(stem: &str) -> String {
    let words: Vec<&str> = stem.split('_').filter(|word| *word != "s3").collect();
    if words.is_empty() { stem.to_owned() } else { words.join("_") }
}

/// Returns `true` for the stem of an endpoint that goes with the only pair, whatever its name.
pub(super) fn is_for_any_pair(stem: &str, more: &[&str]) -> bool {
    stem.split('_').all(|word| {
        word.is_empty() || FOR_ANY_PAIR.contains(&word) || more.iter().any(|more| more.eq_ignore_ascii_case(word))
    })
}

/// Returns the text before a name at the end of another name.
fn prefix_before<'a>(whole: &'a str, name: &str) -> Option<&'a str> {
    let rest = whole.strip_suffix(name)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_suffix('_') }
}

fn stem(prefix: &str, suffix: &str) -> String {
    [prefix, suffix].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_").to_lowercase()
}

/// Splits a name into upper-case words, and the suffix that distinguishes several credentials.
fn split_words(name: &str) -> (Vec<String>, String) {
    let mut words = text::words(name);
    for word in &mut words {
        word.make_ascii_uppercase();
    }
    let tells = |word: &String| SUFFIXES.contains(&word.as_str()) || word.bytes().all(|byte| byte.is_ascii_digit());
    let end = words.iter().rposition(|word| !tells(word)).map_or(0, |last| last + 1);
    let suffix = words.split_off(end);
    (words, suffix.join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::services::{aws, backblaze as b2, r2, sendgrid, slack, smtp, telegram};

    fn means(name: &str) -> Option<(&'static Field, &'static str, String)> {
        meaning(name).map(|found| (found.field, found.tuple, found.stem))
    }

    #[test]
    fn recognises_names_in_every_spelling() {
        for (name, field, tuple, stem) in [
            ("B2_APPLICATION_KEY_ID", &b2::APPLICATION_KEY_ID_FIELD, "application", ""),
            ("b2-application-key", &b2::APPLICATION_KEY_FIELD, "application", ""),
            ("b2ApplicationKeyId", &b2::APPLICATION_KEY_ID_FIELD, "application", ""),
            ("PROD_B2_ACCOUNT_ID", &b2::APPLICATION_KEY_ID_FIELD, "account", "prod"),
            ("B2_ACCOUNT_KEY_STAGING", &b2::APPLICATION_KEY_FIELD, "account", "staging"),
            ("MY_BACKBLAZE_B2_KEY", &b2::APPLICATION_KEY_FIELD, "plain", "my"),
            ("BACKBLAZE_SECRET_ACCESS_KEY", &b2::APPLICATION_KEY_FIELD, "access", ""),
            ("RCLONE_B2_ACCOUNT", &b2::APPLICATION_KEY_ID_FIELD, "account", "rclone"),
            ("DUPLICACY_B2_ID", &b2::APPLICATION_KEY_ID_FIELD, "plain", "duplicacy"),
            ("b2_id", &b2::APPLICATION_KEY_ID_FIELD, "plain", ""),
            ("B2_MASTER_KEY_ID", &b2::ACCOUNT_ID_FIELD, "master", ""),
            ("SLACK_BOT_TOKEN", &slack::BOT_TOKEN_FIELD, "", ""),
            ("slackBotToken", &slack::BOT_TOKEN_FIELD, "", ""),
            ("ALERTS_SLACK_WEBHOOK_URL_PROD", &slack::WEBHOOK_URL_FIELD, "", "alerts_prod"),
            ("SLACK_TOKEN_2", &slack::TOKEN_FIELD, "", "2"),
            // A name that is listed whole wins over the first word.
            ("TWILIO_SENDGRID_API_KEY", &sendgrid::API_KEY_FIELD, "", "twilio"),
            ("SLACK_TELEGRAM_BOT_TOKEN", &telegram::BOT_TOKEN_FIELD, "", "slack"),
            ("SLACK_TELEGRAM_MY_BOT_TOKEN", &slack::BOT_TOKEN_FIELD, "", "telegram_my"),
            // The company's name adds nothing.
            ("CLOUDFLARE_R2_ACCESS_KEY_ID", &r2::ACCESS_KEY_ID_FIELD, "", ""),
            // The protocol's word determines what belongs together.
            ("MAIL_PASSWORD", &smtp::PASSWORD_FIELD, "", "mail"),
            ("AWS_ACCESS_KEY_ID", &aws::ACCESS_KEY_ID_FIELD, "", ""),
            (&format!("{}_SLACK_TOKEN", "a".repeat(LONGEST - 12)), &slack::TOKEN_FIELD, "", &"a".repeat(LONGEST - 12)),
        ] {
            assert_eq!(means(name), Some((field, tuple, stem.to_owned())), "{name}");
        }
        for name in [
            "SLACK_BOT_TOKEN_FILE",
            "SLACK_WEBHOOK_ENABLED",
            "SLACKBOT_NAME",
            "B2_BUCKET",
            "B2B_KEY",
            "RCLONE_CONFIG_B2_KEY",
            "SLACK_TOKEN_NAME",
            "SLACK_CHANNELS",
            "KEY",
            "",
            "B2_S3_ACCESS_KEY_ID",
            &format!("{}_SLACK_TOKEN", "a".repeat(LONGEST - 11)),
        ] {
            assert_eq!(means(name), None, "{name}");
        }
    }

    #[test]
    fn table_name_identifies_service() {
        for (table, name, field, tuple) in [
            ("slack", "token", &slack::TOKEN_FIELD, ""),
            ("socketSlack", "appToken", &slack::APP_TOKEN_FIELD, ""),
            ("slack", "webhook-url", &slack::WEBHOOK_URL_FIELD, ""),
            ("b2", "accountID", &b2::APPLICATION_KEY_ID_FIELD, "account"),
            ("backblaze", "application_key", &b2::APPLICATION_KEY_FIELD, "application"),
        ] {
            assert_eq!(
                meaning_in_table(table, name).map(|found| (found.field, found.tuple)),
                Some((field, tuple)),
                "{table}.{name}"
            );
        }
        for (table, name) in [
            ("slack", "api_url"),
            ("slack", "url"),
            ("slackbot", "token"),
            ("b2", "key"),
            ("b2", "account"),
            ("b2", "s3_endpoint"),
            ("app", "token"),
            ("", "token"),
        ] {
            assert_eq!(meaning_in_table(table, name), None, "{table}.{name}");
        }
    }

    #[test]
    fn protocol_names_have_a_stem() {
        for (name, field) in [
            ("AWS_ACCESS_KEY_ID", &s3::ID_FIELD),
            ("aws_access_key", &s3::ID_FIELD),
            ("AWS_SECRET_ACCESS_KEY", &s3::KEY_FIELD),
            ("awsSecretKey", &s3::KEY_FIELD),
        ] {
            let found = s3_meaning(name).map(|found| (found.field, found.stem));
            assert_eq!(found, Some((field, "aws".to_owned())), "{name}");
        }
    }
}
