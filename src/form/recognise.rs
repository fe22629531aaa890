//! Recognises values by the rows of all services. The pattern of a row is compiled when a value first starts like it.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use regex::bytes::{Regex, RegexBuilder};
use url::Url;

use super::embedded;
use crate::services::{self, Class, Expression, Form, Pattern, Service, wildcard_part};

/// A pattern of a form.
struct Candidate {
    form: &'static Form,
    pattern: &'static Pattern,
    regex: OnceLock<Option<Regex>>,
}

/// The patterns of built-in services in the order they are tried.
static CANDIDATES: LazyLock<Vec<Candidate>> = LazyLock::new(|| candidates(services::built_in()));

/// Those of the project's services, which are asked only about values in their fields.
static OWN: LazyLock<Vec<Candidate>> = LazyLock::new(|| candidates(services::own()));

/// Those of built-in services, by the first byte of the values that can have them. Few bytes occur in a run.
static BY_FIRST_BYTE: [OnceLock<Vec<&'static Candidate>>; 128] = [const { OnceLock::new() }; 128];

/// Returns the built-in patterns that begin like a value, in the order they are tried.
fn candidates_for(value: &str) -> impl Iterator<Item = &'static Candidate> + use<> {
    let first = value.bytes().next().unwrap_or_default();
    let begins =
        move |candidate: &&Candidate| candidate.pattern.shape.prefix.bytes().next().is_none_or(|byte| byte == first);
    let all = move || CANDIDATES.iter().filter(begins).collect();
    BY_FIRST_BYTE.get(usize::from(first)).into_iter().flat_map(move |found| found.get_or_init(all)).copied()
}

fn candidates(services: &[&'static Service]) -> Vec<Candidate> {
    let forms = services.iter().flat_map(|service| service.forms);
    let mut forms: Vec<&'static Form> = forms.copied().collect();
    // A form that only one service issues explains a value better than an ambiguous one.
    forms.sort_by_key(|form| !form.certain);
    let candidate = |form: &'static Form, pattern| Candidate { form, pattern, regex: OnceLock::new() };
    forms.into_iter().flat_map(|form| form.patterns.iter().map(move |pattern| candidate(form, pattern))).collect()
}

/// The maximum size of a built-in pattern, in bytes once compiled.
const MAX_PATTERN: usize = 10 * 1024 * 1024;

/// The maximum size of a pattern of a project, in bytes once compiled.
const LARGEST_OWN: usize = 32 * 1024;

/// The maximum length of a value that is compared with patterns of a project, in bytes.
pub(crate) const LONGEST_FOR_OWN: usize = 2048;

/// Returns `true` if a pattern of a project can be compiled, and is small enough.
pub(crate) fn is_small(pattern: &Pattern) -> bool {
    let (Expression::Text(text) | Expression::Json { text, .. } | Expression::Address { path: text, .. }) =
        pattern.expression;
    compile(text, LARGEST_OWN).is_some()
}

fn compile(pattern: &str, size: usize) -> Option<Regex> {
    RegexBuilder::new(&format!("^(?:{pattern})$")).unicode(false).size_limit(size).build().ok()
}

/// Returns which of a project's forms an unwrapped value has, the best explanation first.
pub(crate) fn find_own(value: &str, forms: &[&'static Form]) -> Vec<&'static Form> {
    let mut found: Vec<&'static Form> = Vec::new();
    if forms.is_empty() || value.len() > LONGEST_FOR_OWN {
        return found;
    }
    for candidate in OWN.iter().filter(|candidate| forms.contains(&candidate.form)) {
        if !found.contains(&candidate.form) && candidate.captures(value, |_, _| {}) {
            found.push(candidate.form);
        }
    }
    found
}

/// Returns `true` for a value that was pasted twice. Forms without a maximum length would take it for one.
fn is_pasted_twice(value: &str) -> bool {
    let half = value.len() / 2;
    let (one, other) = value.as_bytes().split_at(half);
    half >= 16 && one == other && value.is_char_boundary(half) && find(&value[..half]).is_some_and(|form| form.certain)
}

/// Returns the form of an unwrapped value.
pub(super) fn find(value: &str) -> Option<&'static Form> {
    if is_pasted_twice(value) {
        return None;
    }
    candidates_for(value).find(|candidate| candidate.captures(value, |_, _| {})).map(|candidate| candidate.form)
}

/// Returns all forms of an unwrapped value, the best explanation first. If a form is certain, it is the only one.
pub(crate) fn find_all(value: &str) -> Vec<&'static Form> {
    let mut found: Vec<&'static Form> = Vec::new();
    if is_pasted_twice(value) {
        return found;
    }
    for candidate in candidates_for(value) {
        if !found.contains(&candidate.form) && candidate.captures(value, |_, _| {}) {
            found.push(candidate.form);
            if candidate.form.certain {
                break;
            }
        }
    }
    found
}

/// Returns `true` if an unwrapped value has a form, whatever others it has.
pub(crate) fn has_form(value: &str, form: &'static Form) -> bool {
    candidates_for(value).chain(&*OWN).any(|candidate| candidate.form == form && candidate.captures(value, |_, _| {}))
}

/// Calls a function with the name and text of each part of a value.
pub(crate) fn for_each_part(form: &'static Form, value: &str, mut part: impl FnMut(&'static str, &str)) {
    form.parts.iter().for_each(|(name, word)| part(name, word));
    let mut of_form = candidates_for(value).chain(&*OWN).filter(|candidate| candidate.form == form);
    of_form.any(|candidate| candidate.captures(value, &mut part));
}

/// The prefixes that tell a service's credentials: those that end in a separator, or are capitals.
pub(super) static PREFIXES: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let tells = |prefix: &&str| {
        prefix.len() >= 3 && prefix.ends_with(['-', '_', '.'])
            || prefix.len() >= 4 && prefix.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    CANDIDATES.iter().map(|candidate| candidate.pattern.shape.prefix).filter(tells).collect()
});

/// Returns the path of an address at a host whose addresses are credentials.
pub(super) fn path_of_secret(value: &str) -> Option<zeroize::Zeroizing<String>> {
    // What is at anybody's host may be anything.
    let is_own = |form: &Form| form.is_webhook() && form.identifies_issuer();
    let path = |candidate: &Candidate| match candidate.pattern.expression {
        Expression::Address { hosts, .. } if is_own(candidate.form) && hosts != ["*"] => {
            path_at_host(value, hosts, |_, _| {})
        }
        _ => None,
    };
    value.contains("://").then(|| CANDIDATES.iter().find_map(path)).flatten().map(zeroize::Zeroizing::new)
}

/// Returns `true` if a value is only the common prefix of a form.
pub(super) fn is_bare_prefix(value: &str) -> bool {
    value.ends_with(['-', '_', '.']) && candidates_for(value).any(|candidate| candidate.pattern.shape.prefix == value)
}

/// Returns the form of which a value is a truncated example: it has the form's documented prefix, is shorter than every
/// such value, and looks random. Test servers accept words and short keys of the test mode.
pub(super) fn find_truncated(value: &str) -> Option<&'static Form> {
    let of = |candidate: &&Candidate| {
        let (form, shape) = (candidate.form, &candidate.pattern.shape);
        form.identifies_issuer()
            && form.source.is_official()
            && form.is_secret()
            && shape.prefix.ends_with(['-', '_', '.'])
            && !shape.prefix.contains("test")
            && value.strip_prefix(shape.prefix).is_some_and(looks_random)
            && value.len() < shape.shortest as usize
            && value.bytes().all(|byte| shape.has(byte))
    };
    candidates_for(value).find(of).map(|candidate| candidate.form)
}

/// Returns `true` for a mixture of characters that words don't have.
fn looks_random(text: &str) -> bool {
    let has = |class: Class| text.bytes().any(|byte| class.contains(byte));
    text.len() >= 8 && has(Class::Digit) && has(Class::Lower) && has(Class::Upper)
}

/// Returns `true` for hex digits without capitals.
pub(crate) fn is_lower_hex(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Returns `true` for decimal digits.
pub(super) fn is_number(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
}

impl Candidate {
    /// Returns `true` if a value has this pattern, and calls a function with each of its named parts.
    fn captures(&'static self, value: &str, mut part: impl FnMut(&'static str, &str)) -> bool {
        let shape = &self.pattern.shape;
        if !shape.allows(value) {
            return false;
        }
        let behind = &value[shape.prefix.len()..];
        let has = |class: &Class| value.bytes().any(|byte| class.contains(byte));
        if !self.form.with.iter().all(has) || self.form.without.iter().any(|text| behind.contains(text)) {
            return false;
        }
        let (text, regex) = match self.pattern.expression {
            Expression::Text(regex) | Expression::Json { text: regex, .. } => (value.to_owned(), regex),
            Expression::Address { hosts, path } => match path_at_host(value, hosts, &mut part) {
                Some(text) => (text, path),
                None => return false,
            },
        };
        let text = zeroize::Zeroizing::new(text);
        let regex = self.regex.get_or_init(|| compile(regex, MAX_PATTERN));
        let Some(found) = regex.as_ref().and_then(|regex| Some((regex, regex.captures(text.as_bytes())?))) else {
            return false;
        };
        let (regex, captures) = found;
        if let Expression::Json { has, parts, .. } = self.pattern.expression {
            let json = captures.name("json").and_then(|found| std::str::from_utf8(found.as_bytes()).ok());
            return json.is_some_and(|json| embedded::match_json(json, has, parts, part));
        }
        for name in regex.capture_names().flatten() {
            if let Some(found) = captures.name(name).and_then(|found| std::str::from_utf8(found.as_bytes()).ok()) {
                part(name, found);
            }
        }
        true
    }
}

impl Class {
    const fn contains(self, byte: u8) -> bool {
        match self {
            Self::Digit => byte.is_ascii_digit(),
            Self::Lower => byte.is_ascii_lowercase(),
            Self::Upper => byte.is_ascii_uppercase(),
        }
    }
}

/// The maximum length of the part before the path of an address, in bytes: a host has at most 253.
const LONGEST_AUTHORITY: usize = 1024;

/// Returns the path of an address, without empty segments, if its host is one of these.
fn path_at_host(value: &str, hosts: &[&'static str], mut part: impl FnMut(&'static str, &str)) -> Option<String> {
    // Only the host is parsed: the rest may be long, and every address is compared with many services.
    let (scheme, rest) = value.split_once("://")?;
    let rest = rest.trim_start_matches(['/', '\\']);
    let end = rest.bytes().take(LONGEST_AUTHORITY).position(|byte| b"/?#\\".contains(&byte));
    let authority = rest.get(..end.unwrap_or(rest.len())).filter(|authority| authority.len() <= LONGEST_AUTHORITY)?;
    let address = Url::parse(&format!("{scheme}://{authority}")).ok();
    let address = address.filter(|address| matches!(address.scheme(), "http" | "https"))?;
    let host = address.host_str()?;
    hosts.iter().find_map(|known| match_host(known, host, &mut part))?;
    if !value.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    let path = rest.find(['/', '?', '#']).map_or("", |at| &rest[at..]);
    Some(path.split('/').filter(|segment| !segment.is_empty()).collect::<Vec<_>>().join("/"))
}

/// Matches a host with the host of a row. One label may be a part of the value: `<project>.example.com`.
fn match_host(known: &'static str, host: &str, part: &mut impl FnMut(&'static str, &str)) -> Option<()> {
    let Some((before, (name, behind))) =
        known.split_once('<').and_then(|(before, rest)| Some((before, rest.split_once('>')?)))
    else {
        return wildcard_part(known, host).map(|_| ());
    };
    let label =
        host.strip_prefix(before)?.strip_suffix(behind).filter(|label| !label.is_empty() && !label.contains('.'))?;
    part(name, label);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::Issuer;

    #[test]
    fn detects_truncated_keys() {
        for (value, is_cut) in [
            ("ghp_aB3dE5fG", true),
            ("ghp_aB3dE5f", false),
            ("ghp_abcdefgh1", false),
            ("ghp_ABCDEFGH1", false),
            ("ghp_aBcDeFgH", false),
            ("ghp_aB3dE5fG7h!", false),
            ("ghp_aB3dE5fG7h\u{e9}", false),
            ("ghp_aB3dE5fG7hJ9kL1m", false),
            ("SG.aB3dE5fG7h", true),
            ("SG.aB3dE5fG7h!", false),
            // Without a separator, of the test mode, of many services, public, and with a length that its service does not state.
            ("AIzaaB3dE5fG7h", false),
            ("sk_test_aB3dE5fG", false),
            ("whsec_aB3dE5fG7h", false),
            ("org-aB3dE5fG7h", false),
            ("dckr_pat_aB3dE5fG7h", false),
        ] {
            assert_eq!(find_truncated(value).is_some(), is_cut, "{value}");
        }
        for (value, is_it) in
            [("ghp_", true), ("xoxb-", true), ("SG.", true), ("AIza", false), ("ghp_a", false), ("-", false)]
        {
            assert_eq!(is_bare_prefix(value), is_it, "{value}");
        }
    }

    /// Generates samples of each form. Only forms that many services issue may match another service's samples.
    #[test]
    fn forms_overlap_only_if_rows_say_so() {
        use proptest::strategy::{Strategy, ValueTree};
        use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let mut overlaps = std::collections::BTreeSet::new();
        for candidate in &*CANDIDATES {
            let Expression::Text(pattern) = candidate.pattern.expression else { continue };
            let samples = proptest::string::string_regex(pattern).expect("a regular expression");
            for _ in 0..10 {
                let sample = samples.new_tree(&mut runner).expect("a sample").current();
                // A certain form takes precedence over others.
                let says = |form: &Form| form.issued_by == Issuer::This && form.certain;
                let others = CANDIDATES.iter().filter(|other| says(other.form) && says(candidate.form));
                let takes = others.filter(|other| other.captures(&sample, |_, _| {}));
                let foreign = takes.filter(|other| !std::ptr::eq(other.form.service(), candidate.form.service()));
                overlaps.extend(foreign.map(|other| (candidate.form.id, other.form.id)));
            }
        }
        assert_eq!(overlaps, std::collections::BTreeSet::new());
    }

    /// Random words, hex digits, base64 and IDs of every length.
    #[test]
    fn random_values_have_no_certain_form() {
        let alphabets = ["0123456789abcdef", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
        let base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut state = 1_u64;
        for alphabet in alphabets.into_iter().chain([base64]) {
            for length in 1..=70 {
                for _ in 0..40 {
                    let mut one = || {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        let number = usize::try_from(state >> 33).unwrap() % alphabet.len();
                        char::from(alphabet.as_bytes()[number])
                    };
                    let value: String = (0..length).map(|_| one()).collect();
                    let found = find(&value).filter(|form| form.certain);
                    // A keyID is recognised only by three digits and its length.
                    let id = found.is_some_and(|form| form.id == "backblaze/key-id") && length == 25;
                    assert!(found.is_none() || id, "{value}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn recognises_addresses_by_host() {
        let of = |value: &str, hosts: &[&'static str]| path_at_host(value, hosts, |_, _| {});
        assert_eq!(
            of("https://Hooks.Slack.com//services/T1//x/", &["hooks.slack.com"]).as_deref(),
            Some("services/T1/x")
        );
        assert_eq!(of("http://a.example.com:8080/x?y=1", &["*.example.com"]).as_deref(), Some("x?y=1"));
        for value in
            ["https://example.com/x", "https://badexample.com", "ftp://a.example.com", "https://a.example.com/ x"]
        {
            assert_eq!(of(value, &["*.example.com"]), None, "{value}");
        }
        // Only the host is parsed, and no host is that long.
        let long = format!("https://a.example.com/{}", "x".repeat(100_000));
        assert_eq!(of(&long, &["*.example.com"]).map(|path| path.len()), Some(100_000));
        assert_eq!(of(&long.replacen("a.", &"x".repeat(2000), 1), &["*.example.com"]), None);
        assert_eq!(of("https://u:p@a.example.com:99999/x", &["*.example.com"]), None);
        assert_eq!(of("https:///u:p@a.example.com?x", &["*.example.com"]).as_deref(), Some("?x"));
        // A label of the host may be part of the value.
        let project = |value: &str| {
            let mut found = Vec::new();
            path_at_host(value, &["<project>.example.com"], |name, label| found.push(format!("{name} {label}")));
            found
        };
        assert_eq!(project("https://abc.example.com/x"), ["project abc"]);
        assert_eq!(project("https://a.b.example.com/x"), [""; 0]);
    }
}
