//! Placeholders that people leave instead of a credential. This is the only definition: a placeholder has no form, and
//! rules and looks ask for its kind.

use zeroize::Zeroizing;

use super::recognise::{self, is_number};
use crate::services;
use crate::shorthand::words;
use crate::text;

words! {
    /// The kind of a placeholder.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Placeholder {
        /// `<…>` around words for a credential.
        Brackets = "a placeholder in `<…>`",
        /// Other text in `<…>`: a special token of a language model, under its own name.
        Angle = "a placeholder in `<…>`",
        /// Words that ask for a value: `your-token`, `CHANGE_ME`, `put-your-key-here`.
        Request = "a placeholder such as `changeme` or `your-token`",
        /// A word such as `changeme`, which may be a password, or a phrase such as `dummy-key`.
        Word = "a placeholder such as `changeme` or `your-token`",
        /// A word for a missing value: `null`, `None`, `undefined`.
        Null = "a word such as `null` or `undefined`, which stands for a missing value",
        /// A redaction: `***`, `[REDACTED]`.
        Redacted = "a masked value, such as `***`",
        /// Three dots in place of the value, or behind a known prefix.
        Ellipsis = "`...` in place of a value",
        /// The prefix of a real credential, followed by words that ask for a value: `xoxb-your-token`.
        Body = "a known prefix followed by a placeholder",
        /// The same with characters that only fill it: `sk-xxxx`.
        Filler = "a known prefix followed by a placeholder",
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
        matches!(self, Self::Redacted | Self::Ellipsis | Self::Beginning)
    }

    /// Returns `true` for a word that names of any credentials have: `token`, `admin`.
    pub fn is_common_word(word: &str) -> bool {
        THINGS.contains(&word) || BESIDE.contains(&word)
    }

    /// Returns `true` if it is no value under any name: it tells somebody to act, or is the rest of a credential. Others
    /// work where a server accepts any value.
    pub const fn is_never_valid(self) -> bool {
        self.is_remnant() || matches!(self, Self::Brackets | Self::Request | Self::Body)
    }
}

/// Words of made-up values. The other words of such a value must be known.
const ASKS: &[&str] = &["dummy", "example", "fake", "fixme", "my", "placeholder", "sample", "some", "todo", "xxx"];

/// Words that say where it is wanted.
const PLACES: &[&str] = &["here", "aqui", "aquí", "ici", "hier"];

// The words of `src/words.toml`.
include!(concat!(env!("OUT_DIR"), "/words_placeholder.rs"));

/// Words in tokens that were made up for tests.
const MADE_UP: &[&str] = &["demo", "dummy", "example", "fake", "sample", "test"];

/// The maximum length of a value whose words are read, in bytes.
const LONGEST: usize = 128;

/// Returns the kind of placeholder in a value, ignoring surrounding whitespace.
pub(super) fn find(value: &str) -> Option<Placeholder> {
    let folded = Zeroizing::new(Zeroizing::new(value.to_lowercase()).replace(['_', ' '], "-"));
    let is_one_of = |words: &[&str]| words.contains(&folded.as_str());
    if is_one_of(NULLS) {
        Some(Placeholder::Null)
    } else if is_elided(value) {
        Some(Placeholder::Ellipsis)
    } else if is_redacted(value, &folded) {
        Some(Placeholder::Redacted)
    } else if let Some(found) = in_brackets(value) {
        Some(found)
    } else if is_repeated(value) {
        Some(Placeholder::Repeated)
    } else if recognise::is_bare_prefix(value) {
        Some(Placeholder::Beginning)
    } else if let Some(found) = behind_prefix(value) {
        Some(found)
    } else if is_filled(value) {
        Some(Placeholder::Filler)
    } else if is_one_of(WORDS) {
        Some(Placeholder::Word)
    } else if is_one_of(REQUESTS) {
        Some(Placeholder::Request)
    } else {
        phrase(value)
    }
}

/// Returns the kind of a value that consists of words.
fn phrase(value: &str) -> Option<Placeholder> {
    if !may_be_phrase(value) {
        return None;
    }
    let words = Words::of(value);
    if words.are_request() {
        // People keep `changeme123` and `changePassword` as passwords.
        let single =
            value.chars().filter(|c| !c.is_alphanumeric()).count() <= 1 && !value.contains(['-', '_', ' ', '.']);
        let kept = single && words.iter().next() == Some("change");
        return Some(if kept { Placeholder::Word } else { Placeholder::Request });
    }
    words.are_made_up().then_some(Placeholder::Word)
}

/// Returns `false` for a path, an assignment, and most values without words: a cheap test of what is asked of every value.
fn may_be_phrase(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    value.len() <= LONGEST
        && digits * 3 <= value.len()
        && !value.contains(['=', '@', '$', '#', '%', '/', '\\', '"', '{', '}', '<', '>', ';', '|'])
}

/// The words of a value in lower case.
struct Words(Vec<Zeroizing<String>>);

impl Words {
    fn of(text: &str) -> Self {
        let mut words = Vec::new();
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let word = Zeroizing::new(word.to_lowercase());
            match separate(&word) {
                Some(parts) => words.extend(parts.into_iter().map(|part| Zeroizing::new(part.to_owned()))),
                None => words.push(word),
            }
        }
        Self(words)
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.iter().map(|word| word.as_str())
    }

    fn any(&self, is: impl Fn(&str) -> bool) -> bool {
        self.iter().any(is)
    }

    /// Returns `true` if the words tell somebody to put a credential here.
    fn are_request(&self) -> bool {
        if self.any(|word| OTHER_LANGUAGES.iter().any(|part| word.contains(part))) {
            return true;
        }
        let is_thing = |word: &str| THINGS.contains(&word);
        let is_followed = |at: usize| self.iter().skip(at + 1).any(is_thing);
        let own = self.iter().position(|word| OWNERS.contains(&word)).is_some_and(is_followed);
        let here = self.0.len() >= 2 && self.iter().next_back().is_some_and(|word| PLACES.contains(&word));
        let task = self.iter().next().is_some_and(|word| TASKS.contains(&word)) && is_followed(0);
        let all: Vec<&str> = self.iter().collect();
        let phrase = PHRASES.iter().any(|phrase| {
            let mut parts = all.windows(phrase.split(' ').count());
            let is_it = |part: &[&str]| part.iter().copied().eq(phrase.split(' '));
            parts.next().is_some_and(is_it) || self.any(is_thing) && parts.any(is_it)
        });
        own || here && self.any(is_thing) || task || phrase
    }

    /// Returns `true` if all words are known, and one says that the value is made up.
    fn are_made_up(&self) -> bool {
        self.0.len() >= 2
            && self.any(|word| ASKS.contains(&word))
            && self
                .iter()
                .all(|word| ASKS.contains(&word) || is_known(word) || is_repeated(word) || names_service(word))
    }
}

fn is_known(word: &str) -> bool {
    THINGS.contains(&word) || BESIDE.contains(&word) || TASKS.contains(&word) || PLACES.contains(&word)
}

fn names_service(word: &str) -> bool {
    services::built_in().iter().any(|service| service.words.iter().any(|own| own.eq_ignore_ascii_case(word)))
}

/// Separates the words of `yourtokenhere`, if it begins like a request and consists of known words.
fn separate(word: &str) -> Option<Vec<&str>> {
    const FIRST: &[&str] = &["your", "put", "insert", "replace", "enter", "paste", "change"];
    let first = FIRST.iter().find(|first| word.len() > first.len() && word.starts_with(**first))?;
    let mut parts = vec![&word[..first.len()]];
    let mut rest = &word[first.len()..];
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let known = [THINGS, BESIDE, OWNERS, PLACES].into_iter().flatten();
        let longest = known.filter(|known| rest.starts_with(**known)).map(|known| known.len()).max();
        let length = longest.unwrap_or(digits.min(4));
        if length == 0 {
            return None;
        }
        parts.push(&rest[..length]);
        rest = &rest[length..];
    }
    Some(parts)
}

/// Returns the kind of a text in brackets: `<…>` around anything, other brackets around a request.
fn in_brackets(value: &str) -> Option<Placeholder> {
    let within = |open: char, close: char| value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if let Some(inner) = within('<', '>') {
        // Plugins of Argo CD and Flux replace `<path:…>` and `<secret:…>`.
        let is_reference = ["path:", "secret:"].iter().any(|begin| inner.starts_with(begin));
        let is_single = !inner.is_empty() && !inner.contains(['<', '>']) && !is_reference;
        // A value of known form in brackets is not a placeholder; the brackets were copied with it.
        return (is_single && recognise::find(inner).is_none()).then(|| in_angles(inner));
    }
    let inner = within('[', ']').or_else(|| within('{', '}')).or_else(|| within('(', ')'))?;
    if inner.contains(['"', '\'', '[', ']', '{', '}', '(', ')']) || inner.len() > LONGEST {
        return None;
    }
    let words = Words::of(inner);
    let all = words.iter().all(is_known) && words.any(|word| THINGS.contains(&word)) && words.0.len() >= 2;
    let is_word = |word: &str| word.len() >= 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let sentence = !inner.contains(',') && inner.split(' ').filter(|word| is_word(word)).count() >= 2;
    (words.are_request() || all || sentence || is_elided(inner)).then_some(Placeholder::Request)
}

/// Returns the kind of `<…>`.
fn in_angles(inner: &str) -> Placeholder {
    let words = Words::of(inner);
    let closes = inner.starts_with(['/', '|']);
    let asks = words.any(|word| {
        THINGS.contains(&word) && word != "id" || OWNERS.contains(&word) || TASKS.contains(&word) || word == "todo"
    });
    // Several words describe something.
    let several = inner.trim().contains([' ', '-']) && words.0.len() >= 2;
    if !closes && (asks || several) { Placeholder::Brackets } else { Placeholder::Angle }
}

/// Returns `true` for `xx` and `***`.
fn is_repeated(value: &str) -> bool {
    let mut characters = value.chars();
    let Some(first) = characters.next() else { return false };
    value.chars().count() >= 2 && !first.is_ascii_digit() && characters.all(|c| c == first)
}

/// Returns `true` for dots alone, and behind the prefix of a credential.
fn is_elided(value: &str) -> bool {
    let head = value.trim_end_matches(['.', '…']);
    let dots = &value[head.len()..];
    (dots.len() >= 3 && dots.bytes().all(|byte| byte == b'.') || dots == "…")
        && (head.is_empty() || recognise::is_bare_prefix(head))
}

/// Returns `true` if a value ends in characters that only fill it: `rzp_test_xxxx`, `ACxxxxxxxx`.
fn is_filled(value: &str) -> bool {
    let head = value.trim_end_matches(['x', 'X']);
    let filler = value.len() - head.len();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
    let separated = head.ends_with(['-', '_']) && head.bytes().filter(u8::is_ascii_digit).count() <= 1;
    head.len() <= 16 && !head.is_empty() && head.chars().all(plain) && (filler >= 5 || filler >= 3 && separated)
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
    let plain = |end: &str| (2..=16).contains(&end.len()) && text::is_word_of(end, "_-");
    ends.is_some_and(|(begin, end)| plain(begin) && plain(end) && value.len() <= 32)
}

/// Returns the kind of placeholder behind a prefix of a service's credentials: the prefixes are those of its rows.
fn behind_prefix(value: &str) -> Option<Placeholder> {
    if value.len() > LONGEST {
        return None;
    }
    if let Some(path) = recognise::path_of_secret(value) {
        return placeholder_path(&path);
    }
    if let Some((head, inner)) = value.split_once('<').and_then(|(head, rest)| Some((head, rest.strip_suffix('>')?))) {
        let begins = recognise::PREFIXES.iter().any(|prefix| prefix.starts_with(head) || head.starts_with(prefix));
        let is_head = head.len() >= 3 && head.ends_with(['-', '_', '.']) && begins;
        return (is_head && !inner.contains(['<', '>'])).then_some(Placeholder::Body);
    }
    // Sorted, so those of a value are around it.
    let begins =
        recognise::PREFIXES.range(..=value).rev().take_while(|prefix| prefix.as_bytes()[0] == value.as_bytes()[0]);
    let mut bodies: Vec<(&str, bool)> =
        begins.filter_map(|prefix| Some((value.strip_prefix(prefix)?, prefix.contains("_test_")))).collect();
    // The longest prefix says most: `sk_` is one, too.
    bodies.sort_by_key(|(body, _)| body.len());
    bodies.into_iter().find_map(|(body, is_test)| placeholder_body(body, is_test))
}

/// Returns the kind of placeholder in the path of an address that is a credential.
fn placeholder_path(path: &str) -> Option<Placeholder> {
    let segments = || path.split('/').filter(|segment| !segment.is_empty());
    if segments().any(|segment| in_brackets(segment).is_some() || is_elided(segment)) || Words::of(path).are_request() {
        return Some(Placeholder::Body);
    }
    let fills = |segment: &str| segment.len() >= 3 && is_placeholder_run(&segment.to_ascii_lowercase());
    segments()
        .next_back()
        .is_some_and(|last| fills(last) && !is_number(last) || is_filled(last))
        .then_some(Placeholder::Filler)
        .or_else(|| segments().any(|segment| segment.eq_ignore_ascii_case("xxx")).then_some(Placeholder::Filler))
}

/// Returns the kind of placeholder after a prefix: words or fillers that no service could issue. After a test prefix, a
/// filler is a stub.
fn placeholder_body(body: &str, is_test: bool) -> Option<Placeholder> {
    let lower = Zeroizing::new(body.to_lowercase());
    if Words::of(&lower).are_request() {
        return Some(Placeholder::Body);
    }
    let parts: Vec<&str> = lower.split(['-', '_', '/', '.', ' ']).filter(|part| !part.is_empty()).collect();
    let fills = |part: &&str| *part == "placeholder" || is_placeholder_run(part);
    let asks = |part: &&str| !MADE_UP.contains(part) && ASKS.contains(part) || OWNERS.contains(part);
    let made_up = |part: &&str| MADE_UP.contains(part) || WORDS.contains(part) || is_known(part);
    let known = parts.iter().all(|part| made_up(part) || asks(part) || fills(part));
    if parts.is_empty() || !known || is_number(&Zeroizing::new(lower.replace(['-', '_', '/', '.'], ""))) {
        return None;
    }
    let asked = parts.iter().any(|part| asks(part) && !fills(part));
    let filled = parts.iter().any(fills);
    Some(match (asked, filled) {
        (true, _) => Placeholder::Body,
        (false, true) if !is_test => Placeholder::Filler,
        _ => Placeholder::Stub,
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
            ("<a>", Some(Placeholder::Angle)),
            ("<pad>", Some(Placeholder::Angle)),
            ("</s>", Some(Placeholder::Angle)),
            ("<webhook-id>", Some(Placeholder::Brackets)),
            ("<CHANGE_ME>", Some(Placeholder::Brackets)),
            ("<a", None),
            ("<a><b>", None),
            ("<>", None),
            ("<xoxb-1234567890-abcdefghijkl>", None),
            ("CHANGE_ME", Some(Placeholder::Request)),
            ("changeme", Some(Placeholder::Word)),
            ("changeme123", Some(Placeholder::Word)),
            ("changePassword", Some(Placeholder::Word)),
            ("<secret:discord_token>", None),
            ("My Token", Some(Placeholder::Word)),
            ("your_token_here", Some(Placeholder::Request)),
            ("TOKEN_HERE", Some(Placeholder::Request)),
            ("PUT_TOKEN_HERE", Some(Placeholder::Request)),
            ("...", Some(Placeholder::Ellipsis)),
            ("sk-...", Some(Placeholder::Ellipsis)),
            ("dummy-key", Some(Placeholder::Word)),
            ("your-slack-bot-token", Some(Placeholder::Request)),
            ("YOUR_APPLICATION_KEY", Some(Placeholder::Request)),
            ("your_stripe_secret_key_here", Some(Placeholder::Request)),
            ("stripe-key-of-the-shop", None),
            ("your-token-zzzz", Some(Placeholder::Request)),
            ("insert your key here", Some(Placeholder::Request)),
            ("changemenow", None),
            ("my-changeme-1", None),
            ("nightly-key", None),
            ("slack-bot", None),
            ("xxxxxxxx", Some(Placeholder::Repeated)),
            ("........", Some(Placeholder::Ellipsis)),
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
            ("xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxx", Some(Placeholder::Filler)),
            ("xoxb-000000000000-000000000000", None),
            ("xoxb-1234", None),
            ("sk_test_dummy", Some(Placeholder::Stub)),
            ("sk_test_placeholder", Some(Placeholder::Stub)),
            ("sk_test_xxxxxxxx", Some(Placeholder::Stub)),
            ("sk_test_your_key", Some(Placeholder::Body)),
            ("sk_live_placeholder", Some(Placeholder::Filler)),
            ("sk_<CHANGE_ME>", Some(Placeholder::Body)),
            ("re_your_api_key_here", Some(Placeholder::Body)),
            ("whsec_your-webhook-secret", Some(Placeholder::Body)),
            ("https://hooks.slack.com/services/<webhook-id>", Some(Placeholder::Body)),
            ("AKIAXXXXXXXXXXXXXXXX", Some(Placeholder::Filler)),
            (
                "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
                Some(Placeholder::Filler),
            ),
            ("https://hooks.slack.com/services/T01234567/B01234567/abcdEFGH1234567890", None),
            ("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", Some(Placeholder::Filler)),
            ("K005xxxxxxxxxxxxxxxxxxxxxxxxxxx", Some(Placeholder::Filler)),
        ] {
            assert_eq!(find(value), expected, "{value:?}");
        }
    }

    /// The lines of a file of `NAME=value`.
    fn lines(file: &str) -> Vec<String> {
        let path = format!("{}/tests/corpus/placeholders/{file}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn detects_placeholders_of_public_examples() {
        let all = lines("placeholders.txt");
        assert_eq!(all.len(), 500);
        let kind = |line: &String| super::super::read(line.split_once('=').unwrap().1).placeholder;
        let missed: Vec<&str> = all.iter().filter(|line| kind(line).is_none()).map(String::as_str).collect();
        // Names of other things, words that may be passwords, and other languages.
        let expected = [
            "APP_PUBLIC_TOKEN_SECRET=dev-local-secret", "AUTH0_CLIENT_ID=auth0-client-id",
            "AUTH0_CLIENT_SECRET=auth0-client-secret", "AUTH0_CLIENT_SECRET=auth0-machine-client-secret",
            "AUTH0_CLIENT_SECRET=mock_client_secret", "INTERNAL_API_KEY=случайная-строка",
            "KEYCLOAK_ADMIN_PASSWORD=keycloak_password", "MP_TEST_ACCESS_TOKEN=APP_USR-replace-test-token",
            "OPENAI_API_KEY=[required]", "PAYPAL_CLIENT_SECRET=test-secret", "SENDGRID_API_KEY=sendgrid api key",
            "SMTP_PASSWORD=smtpPassword", "STRIPE_WEBHOOK_SECRET=whsec_DEL_DESTINO_DE_HOSTINGER",
            "SUPABASE_ANON_KEY=[set]", "SUPABASE_ANON_KEY=eyxxx", "TWILIO_ACCOUNT_SID=ACxxx",
        ];
        assert_eq!(missed, expected);
    }

    /// A special token of a language model is a placeholder only where a service's credential belongs.
    #[test]
    fn values_of_other_kinds_are_no_placeholders() {
        let all = lines("real.txt");
        assert_eq!(all.len(), 500);
        let kind = |line: &String| super::super::read(line.split_once('=').unwrap().1).placeholder;
        let never = |kind: Placeholder| kind.is_never_valid();
        let found = |is: &dyn Fn(Placeholder) -> bool| -> Vec<&str> {
            all.iter().filter(|line| kind(line).is_some_and(is)).map(String::as_str).collect()
        };
        assert_eq!(found(&never), Vec::<&str>::new());
        assert_eq!(found(&|kind| !never(kind) && kind != Placeholder::Angle), ["STOP_TOKEN=###"]);
    }
}
