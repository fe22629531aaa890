//! Facts about a value, without a byte of it.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use crate::form::{self, Looks, Pem, Placeholder, Reading, Wrapping};
use crate::services::{self, Form};
use crate::shorthand::debug;
use crate::text::{self, is_url};

/// Facts about a value, without a byte of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// It is empty.
    pub empty: bool,
    /// It starts with a scheme and `://`.
    pub url: bool,
    /// What it begins with, for the address of a database.
    pub scheme: Option<&'static str>,
    /// It is an address in quotes, or after `NAME=`.
    pub url_inside: bool,
    /// It starts with `Bearer` and a space, as copied from a header.
    pub bearer: bool,
    /// It contains whitespace.
    pub whitespace: bool,
    /// It is not empty, but has only whitespace.
    pub blank: bool,
    /// It is a single line with leading or trailing whitespace.
    pub blank_end: bool,
    /// It is a single line that ends in a line break.
    pub line_end: bool,
    /// It is base64 in lines of one length, as tools fold it.
    pub folded: bool,
    /// It is a longer text repeated twice.
    pub doubled: bool,
    /// It is a PEM key with this flaw.
    pub pem: Option<Pem>,
    /// It is a single line that ends in a literal `\n`, `\r` or `\t`.
    pub escape_end: bool,
    /// It contains a control character other than whitespace.
    pub control: bool,
    /// It contains a character outside ASCII.
    pub non_ascii: bool,
    /// It contains U+FFFD, which replaces bytes that are not UTF-8.
    pub not_utf8: bool,
    /// It ends in a carriage return, as Windows lines do.
    pub carriage_return: bool,
    /// It is shorter than any token of the hosted messaging service.
    pub short: bool,
    /// It contains ten consecutive letters or digits, such as `abcdefghij`: made up for an example.
    pub sample: bool,
    /// It is longer than words and mixes letters with digits, as made by a machine.
    pub random: bool,
    /// How it looks.
    pub looks: Looks,
    /// Its form.
    pub reading: Reading,
    /// The other forms that it also has: many kinds of values are 32 hex digits.
    pub other_forms: Vec<&'static Form>,
    /// Digests of the value's parts, by name. Each equals the digest of an equal part of another value, and of a value
    /// that consists of this part.
    pub parts: Vec<(&'static str, Digest)>,
    /// The digest of the whole value as such a part, without a trailing slash.
    pub whole: Digest,
    /// A digest that is equal for equal values in one run.
    pub digest: Digest,
}

/// What surrounds a value whose reader is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surroundings {
    /// Nothing, or something that may be intended.
    Clean,
    /// Something that is hardly ever intended, around an unknown value.
    Unknown,
    /// Something around a credential of a known form, or a truncated PEM key.
    Credential,
}

/// A keyed hash of a value. It only tells whether values of one run are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(u64);

impl Digest {
    /// Hashes a text. `what` keeps equal texts with different meanings apart.
    fn new(what: &str, text: &str) -> Self {
        /// Random in every run, so that a digest has no meaning outside its run.
        static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        Self(KEY.hash_one((what, text)))
    }

    /// Hashes a part of a value, or a value that consists of one part.
    pub(crate) fn from_part(part: &str) -> Self {
        Self::new("part", part.trim_end_matches('/'))
    }
}

/// What a text that a log repeats is in a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Piece {
    /// The whole value.
    Whole,
    /// The host of an address.
    Host,
    /// A part of a user name or password that has delimiters of an address in it, so that an address is read differently.
    Part,
}

impl Digest {
    /// Hashes a piece of a value. Case is ignored, because hosts are repeated in lower case.
    pub(crate) fn from_piece(piece: &str) -> Self {
        Self::new("piece", &zeroize::Zeroizing::new(piece.to_ascii_lowercase()))
    }
}

/// Returns which of these pieces a value has. A password may be put into an address.
pub(super) fn pieces(value: &str, wanted: &[Digest], is_password: bool) -> Vec<(usize, Piece)> {
    if wanted.is_empty() {
        return Vec::new();
    }
    #[cfg(test)]
    crate::text::work::add(1 + value.len());
    let value = value.trim();
    let (is_address, rest) = value.split_once("://").map_or((false, value), |(_, rest)| (true, rest));
    let (login, behind) = if is_address { rest.rsplit_once('@').unwrap_or(("", rest)) } else { (value, "") };
    // A query may have an e-mail address.
    let is_query = is_address && login.split_once('?').is_some_and(|(_, query)| query.contains('='));
    let first = login.split(['/', '?', '#']).next().unwrap_or_default();
    let named = !is_address || first.contains('@') || first.split_once(':').is_some_and(|(_, port)| !is_port(port));
    let is_torn =
        login.contains(['@', '/', '#', '?', '[', ']']) || login.matches(':').count() > usize::from(is_address);
    let is_torn = is_torn && named && !is_query && (is_address || is_password);
    let authority = if is_torn && is_address { behind } else { rest };
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    let hosts = authority.rsplit('@').next().filter(|_| is_address || !is_password).unwrap_or_default().split(',');
    let hosts = hosts.filter_map(|host| Some((host.split(':').next()?, Piece::Host)));
    let parts = login.split(['@', '/', '#', '?', '[', ']', ':']).filter(|_| is_torn).map(|part| (part, Piece::Part));
    let own = std::iter::once((value, Piece::Whole)).chain(hosts);
    let mut found: Vec<(usize, Piece)> = Vec::new();
    for (text, piece) in own.chain(parts).filter(|(text, _)| text.len() > 2) {
        let digest = Digest::from_piece(text);
        let number = wanted.iter().position(|wanted| *wanted == digest);
        found.extend(
            number.filter(|number| found.iter().all(|(known, _)| known != number)).map(|number| (number, piece)),
        );
    }
    found
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

debug!(Digest, |_| "Digest(..)");

impl Facts {
    pub(super) fn from_value(value: &str) -> Self {
        #[cfg(test)]
        crate::text::work::add(1 + value.len());
        let reading = form::read(value);
        let mut parts = Vec::new();
        let mut also = Vec::new();
        if let Some(form) = reading.unwrapped_form() {
            if !form.certain {
                also = form::find_all(value);
            }
            form::for_each_part(form, value, |name, part| parts.push((name, Digest::from_part(part))));
        }
        Self {
            empty: value.is_empty(),
            url: is_url(value.trim()),
            scheme: value.split_once("://").and_then(|(scheme, _)| form::kind_of_server(scheme)),
            url_inside: is_url_inside(value.trim()),
            bearer: value.trim().get(..7).is_some_and(|word| word.eq_ignore_ascii_case("bearer ")),
            whitespace: value.chars().any(char::is_whitespace),
            blank: !value.is_empty() && value.trim().is_empty(),
            blank_end: value.trim() != value && !value.trim().contains('\n') && !value.trim().is_empty(),
            line_end: value.ends_with(['\n', '\r']) && !value.trim().contains('\n') && !value.trim().is_empty(),
            folded: is_folded(value),
            doubled: is_doubled(value),
            pem: form::pem_flaw(value),
            escape_end: ["\\n", "\\r", "\\t"].iter().any(|end| value.ends_with(end)) && !value.contains("-----"),
            carriage_return: value.trim_end_matches(['\r', '\n']).len() < value.trim_end_matches('\n').len(),
            control: value.chars().any(|c| c.is_control() && !c.is_whitespace()),
            non_ascii: !value.is_ascii(),
            not_utf8: value.contains(char::REPLACEMENT_CHARACTER),
            short: reading.form.is_some_and(|form| value.len() < form.shortest),
            sample: is_sample(value),
            random: is_random(value),
            looks: Looks::from_value(value),
            reading,
            other_forms: also,
            parts,
            whole: Digest::from_part(value),
            digest: Digest::new("whole", value),
        }
    }

    /// Describes how the value under this name looks, in words that don't tell such values apart.
    pub fn looks(&self, name: &str) -> String {
        let Reading { unexpanded, placeholder, .. } = self.reading;
        let named = |word: &String| matches!(word.as_str(), "password" | "pass" | "passwd" | "passphrase" | "pin");
        // A word such as `changeme` may be a password.
        let stands_in = |found: &Placeholder| found.is_never_valid() || *found == Placeholder::Null;
        match placeholder.filter(stands_in) {
            _ if self.empty => "empty".to_owned(),
            _ if unexpanded.is_some() => "a reference that was not expanded".to_owned(),
            Some(placeholder) => placeholder.describe().to_owned(),
            None => self.looks.describe(crate::text::words(name).iter().any(named)),
        }
    }

    /// Returns the facts in a field of a project's service: its forms are asked after all others. `None` if nothing changes.
    pub(super) fn with_own_forms(&self, value: &str, forms: &[&'static Form]) -> Option<Self> {
        let Reading { unexpanded, placeholder, wrapping, form } = self.reading;
        let is_known = form.is_some_and(Form::identifies_issuer);
        if unexpanded.is_some() || placeholder.is_some() || wrapping.is_some() || is_known {
            return None;
        }
        let mut found = form::find_own(value, forms);
        let form = *found.first()?;
        let mut parts = Vec::new();
        form::for_each_part(form, value, |name, part| parts.push((name, Digest::from_part(part))));
        found.extend(&self.other_forms);
        found.extend(self.reading.form.filter(|form| !self.other_forms.contains(form)));
        let reading = Reading { form: Some(form), ..self.reading };
        Some(Self { reading, other_forms: found, parts, short: value.len() < form.shortest, ..self.clone() })
    }

    /// Returns the form, if nothing wraps the value.
    pub fn form(&self) -> Option<&'static Form> {
        self.reading.unwrapped_form()
    }

    /// Returns `true` if the value is this word.
    pub fn equals(&self, word: &str) -> bool {
        self.digest == Digest::new("whole", word)
    }

    /// Returns the form that is one of `wanted`, or else the one that explains the value best, if nothing wraps it.
    pub fn form_among(&self, wanted: &[&'static Form]) -> Option<&'static Form> {
        let own = self.other_forms.iter().find(|form| wanted.contains(form)).copied();
        own.or_else(|| self.form())
    }

    /// Returns `true` if two values have the same part. `None` if one of them has none.
    pub fn agrees_with(&self, other: &Self, part: &str) -> Option<bool> {
        Some(self.part(part)? == other.part(part)?)
    }

    /// Returns a part of the value.
    pub fn part(&self, name: &str) -> Option<Digest> {
        self.parts.iter().find(|(own, _)| *own == name).map(|(_, digest)| *digest)
    }

    /// Returns `true` if a part of the value is this word.
    pub fn has(&self, part: &str, word: &str) -> bool {
        self.part(part) == Some(Digest::from_part(word))
    }

    /// Returns the parts that are documented words, each with its noun: the mode `live`.
    pub fn documented_parts(&self) -> Vec<(&'static str, &'static str)> {
        let Some(form) = self.reading.form else { return Vec::new() };
        let told = form.service().relations.iter().filter_map(|relation| match relation {
            services::Relation::Agree { part, noun, words, .. } => {
                let word = words.iter().find(|word| self.has(part, word))?;
                Some((*noun, *word))
            }
            _ => None,
        });
        let mut told: Vec<_> = told.collect();
        told.dedup();
        told
    }

    /// Returns `true` if the value may be a credential: it is not empty, a placeholder or a reference.
    pub const fn is_real(&self) -> bool {
        !self.empty && self.reading.placeholder.is_none() && self.reading.unexpanded.is_none()
    }

    /// Returns what surrounds the value. The reader may decode base64, and a password may contain anything.
    pub fn surroundings(&self) -> Surroundings {
        let Reading { form, wrapping, .. } = self.reading;
        let certain = form.is_some_and(|form| form.identifies_issuer() && form.is_secret());
        let quoted = matches!(
            wrapping,
            Some(Wrapping::Quotes | Wrapping::OddQuotes | Wrapping::Header | Wrapping::Assignment | Wrapping::Quote)
        );
        let more = self.blank_end
            || matches!(
                wrapping,
                Some(
                    Wrapping::Invisible | Wrapping::Doubled | Wrapping::Dollar | Wrapping::NonAscii | Wrapping::Comment
                )
            );
        if self.pem.is_some() || certain && (quoted || more) {
            Surroundings::Credential
        } else if quoted && form.is_none_or(|form| form.is_secret() || !form.certain)
            || self.blank_end
            || self.doubled
            || self.escape_end
            || self.folded
        {
            Surroundings::Unknown
        } else {
            Surroundings::Clean
        }
    }

    /// Returns `true` if it contains whitespace, a control character or a character outside ASCII. No credential does.
    pub const fn has_odd_characters(&self) -> bool {
        self.whitespace || self.control || self.non_ascii
    }
}

/// Returns `true` for an address in quotes, or after `NAME=`.
fn is_url_inside(value: &str) -> bool {
    let bare = value.trim_matches(['"', '\'', '`']);
    let behind = value.split_once('=').filter(|(name, _)| name.contains('_') && text::is_upper_word(name));
    is_url(bare) && bare.len() + 2 <= value.len() || behind.is_some_and(|(_, rest)| is_url(rest))
}

/// Returns `true` for base64 in lines of 64 or 76 characters.
fn is_folded(value: &str) -> bool {
    let base64 = |line: &str| text::is_word_of(line, "+/=");
    let mut lines = value.trim_end().lines();
    let first = lines.next().is_some_and(|first| matches!(first.len(), 64 | 76) && base64(first));
    first && lines.clone().count() > 0 && lines.all(|line| line.len() <= 76 && base64(line))
}

/// Returns `true` for a repeated text. Random text does not repeat eight characters.
fn is_doubled(value: &str) -> bool {
    let (one, other) = value.as_bytes().split_at(value.len() / 2);
    let varied = one.iter().collect::<std::collections::BTreeSet<_>>().len();
    one.len() >= 8 && one == other && varied > 4
}

/// Returns `true` for a text as machines make them: no spaces, and letters among digits more than once.
fn is_random(value: &str) -> bool {
    let of_digits = value.as_bytes().chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit());
    value.len() >= 16 && value.bytes().all(|byte| byte.is_ascii_graphic()) && of_digits.count() > 3
}

/// Returns `true` for a made-up sequence. Random keys don't count upwards.
fn is_sample(value: &str) -> bool {
    let counts = |run: &[u8]| run.windows(2).all(|pair| pair[0].is_ascii_alphanumeric() && pair[1] == pair[0] + 1);
    zeroize::Zeroizing::new(value.to_ascii_lowercase()).as_bytes().windows(10).any(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "upload")]
    use secrecy::{ExposeSecret, SecretString};

    use crate::secret::Vault;

    fn facts(value: &str) -> std::sync::Arc<Facts> {
        let mut vault = Vault::default();
        let handle = vault.store(value);
        vault.facts(handle)
    }

    #[test]
    fn detects_shape_of_values() {
        assert!(facts("https://hooks.example.com/x").url && facts("svn+ssh://host").url);
        assert!(!facts("C0123").url && !facts("://x").url && !facts("a b://c").url);
        assert!(
            facts("a b").has_odd_characters()
                && facts("a\u{7}").has_odd_characters()
                && facts("é").has_odd_characters()
        );
        assert!(!facts("xoxb-0-abc").has_odd_characters());
    }

    #[test]
    fn compares_parts_of_values() {
        let mut vault = Vault::default();
        let values = ["1a2b3c4d5e6f", "0051a2b3c4d5e6f0000000001", "K005abcdefghijklmnopqrstuvwxyz1"];
        let [account, id, key] = values.map(|value| vault.store(value));
        let [account, id, key] = [account, id, key].map(|handle| vault.facts(handle));
        let [of_account, of_id, of_key] = [&account, &id, &key].map(|facts| facts.part("cluster"));
        assert!(account.part("account").is_some() && account.part("account") == id.part("account"));
        assert!(of_account.is_none() && of_id.is_some() && of_id == of_key);
        assert_eq!(of_id, Some(Digest::from_part("005")));
        assert_ne!(of_id, Some(Digest::from_part("004")));
        assert_eq!(facts("1a2b3c4d5e6f ").form(), None);
        assert_eq!(facts("aaaaaaaaaaaa").form(), None);
        assert_eq!(facts("xapp-1-A0\n").form(), None);
    }

    #[test]
    fn finds_pieces_of_values() {
        use Piece::{Host, Part, Whole};
        for (value, is_password, piece, what) in [
            ("postgres://u:Harbor@tide#1@db/app", false, "tide", Some(Part)),
            ("postgres://u:Harbor@tide#1@db/app", false, "Harbor", Some(Part)),
            ("postgres://u:Har/bor@db.internal:5432/app", false, "DB.internal", Some(Host)),
            ("postgres://u:Harbor@db.internal/app", false, "harbor", None),
            ("postgres://u:Harbor@db.internal/app", false, "app", None),
            ("mongodb://u:p@one:27017,two:27017/app", false, "two", Some(Host)),
            ("https://h.example/?email=a@b.example", false, "h.example", Some(Host)),
            ("https://h.example/?email=a@b.example", false, "email=a", None),
            ("https://u:p@h.example/a?email=a@b.example", false, "h.example", Some(Host)),
            ("smtp.example.com:587", false, "smtp.example.com", Some(Host)),
            ("smtp.example.com", false, "smtp.example.com", Some(Whole)),
            ("Harbor@tide", true, "tide", Some(Part)),
            ("Harbor@tide", false, "Harbor", None),
            ("/srv/app/key.json", false, "app", None),
        ] {
            let found = pieces(value, &[Digest::from_piece("other"), Digest::from_piece(piece)], is_password);
            assert_eq!(found.first().map(|(_, what)| *what), what, "{piece} of {value}");
            assert!(found.iter().all(|(number, _)| *number == 1), "{value}");
        }
    }

    #[test]
    fn digests_differ_between_runs() {
        let mut vault = Vault::default();
        let [a, b, c] = ["one", "one", "two"].map(|value| vault.store(value));
        assert_eq!(vault.facts(a).digest, vault.facts(b).digest);
        assert_ne!(vault.facts(a).digest, vault.facts(c).digest);
        assert_eq!(format!("{:?}", vault.facts(a).digest), "Digest(..)");
        assert_eq!(format!("{vault:?}"), "Vault(3 values)");
    }

    #[test]
    fn distinguishes_flaws() {
        for (value, empty, whitespace, control, non_ascii) in [
            ("", true, false, false, false),
            ("a", false, false, false, false),
            ("a\t", false, true, false, false),
            ("a\u{a0}", false, true, false, true),
            ("a\u{7}", false, false, true, false),
            ("a\u{85}", false, true, false, true),
            ("é", false, false, false, true),
        ] {
            let facts = facts(value);
            let found = (facts.empty, facts.whitespace, facts.control, facts.non_ascii);
            assert_eq!(found, (empty, whitespace, control, non_ascii), "{value:?}");
            assert_eq!(facts.has_odd_characters(), whitespace || control || non_ascii, "{value:?}");
        }
    }

    #[test]
    fn detects_addresses_in_quotes_or_assignments() {
        for (value, inside) in [
            ("\"https://h.example\"", true),
            ("'https://h.example'", true),
            ("`https://h.example`", true),
            ("\"https://h.example", false),
            ("https://h.example", false),
            ("\"abcdefgh\"", false),
            ("API_URL=https://h.example", true),
            ("API_2=https://h.example", true),
            ("API_URL=abcdefgh", false),
            // A name of a variable has capitals and a `_`.
            ("URL=https://h.example", false),
            ("api_url=https://h.example", false),
            ("API_\u{d6}=https://h.example", false),
        ] {
            assert_eq!(facts(value).url_inside, inside, "{value}");
        }
    }

    #[test]
    fn detects_doubled_values() {
        for (value, doubled) in [
            ("aB3dE5gHaB3dE5gH", true),
            ("aB3dE5gaB3dE5g", false),
            ("aB3dE5gHaB3dE5gI", false),
            // Repetitions of four, five and six characters.
            ("abcdabcdabcdabcd", false),
            ("abcdeabcabcdeabc", true),
            ("abcdefababcdefab", true),
        ] {
            assert_eq!(facts(value).doubled, doubled, "{value}");
        }
    }

    #[test]
    fn detects_made_up_values() {
        for (value, sample) in [
            ("x-0123456789", true),
            ("ABCDEFGHIJ", true),
            ("abcdefghi", false),
            ("aaaaaaaaaa", false),
            ("acegikmoqs", false),
            // Consecutive punctuation does not count as a sequence.
            ("!\"#$%&'()*+,-./", false),
        ] {
            assert_eq!(facts(value).sample, sample, "{value}");
        }
    }

    #[test]
    fn detects_trailing_carriage_return() {
        for (value, expected) in
            [("a", false), ("a\n", false), ("a\r\n", true), ("a\r", true), ("a\r\nb", false), ("", false)]
        {
            assert_eq!(facts(value).carriage_return, expected, "{value:?}");
        }
    }

    #[test]
    fn detects_short_tokens() {
        let token = |len: usize| format!("xoxb-{}", "aB3".repeat(len)).split_at(len).0.to_owned();
        let shortest = facts(&token(40)).form().unwrap().shortest;
        assert!(shortest > 10 && facts(&token(shortest - 1)).short);
        assert!(!facts(&token(shortest)).short && !facts("of-no-known-form").short);
    }

    #[test]
    fn ambiguous_value_has_all_forms() {
        let also = |value: &str| facts(value).other_forms.iter().map(|form| form.id).collect::<Vec<_>>();
        assert!(also("3f9c0a7be15d2846c0917fd3ab52e864").contains(&"many/hex-32"));
        assert!(also("AKIAQWERTYUIASDFGHJ7").is_empty() && also("of-no-known-form").is_empty());
    }

    #[test]
    fn detects_surroundings_of_values() {
        for (value, around) in [
            ("\"ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1f2hXlQ\"", Surroundings::Credential),
            ("\"pk_live_abcdefghijklmnopqrstuvwxyz12\"", Surroundings::Clean),
            // It may be anything.
            ("\"3f9c0a7be15d2846c0917fd3ab52e864\"", Surroundings::Unknown),
            ("\"abcdefgh\"", Surroundings::Unknown),
            ("abcdefgh ", Surroundings::Unknown),
            ("abcdefgh", Surroundings::Clean),
        ] {
            assert_eq!(facts(value).surroundings(), around, "{value}");
        }
    }

    #[test]
    fn detects_urls() {
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
    fn vault_opens_values_by_handle() {
        let mut vault = Vault::default();
        let handles = ["one", "two"].map(|value| vault.store(value));
        let whole = |value: &str| Some(value.to_owned());
        assert_eq!(handles.map(|handle| vault.shown(handle, whole).unwrap()), ["one", "two"]);
        assert_eq!(vault.shown(handles[1], |value| Some(value.to_uppercase())).as_deref(), Some("TWO"));
        assert_eq!(vault.shown(handles[0], |_| None::<String>), None);
    }

    #[cfg(feature = "upload")]
    #[test]
    fn sealed_value_equals_original() {
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
