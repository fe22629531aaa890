//! The linter and the embedded service, side by side: every combination of field, shape of value and endpoint, with
//! values that are made up anew for each. The service was written from what the hosted ones document, and shares no code
//! with the rules, so where the two agree neither is wrong by itself.
//!
//! Required: what the linter calls an error, the service refuses. So what the service takes is no error, and where the
//! service refuses the linter says error, warning or nothing. Where the linter is stricter on purpose, and where it is
//! silent though the service refuses, is listed here with the reason, and nowhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use credlint::sandbox::Options;
use credlint::{CheckOptions, Environment, LoadOptions, Report, Severity};

use crate::harness::Project;
use crate::verify::Service;

/// Made-up values. What is asked of a shape must not depend on the bytes, so each seed gives others.
struct Maker(u64);

impl Maker {
    /// A letter for each: `9` a digit, `h` a hex digit, `x` a letter or digit, `X` a capital or digit, anything after a
    /// `\` itself, like all else.
    fn make(&mut self, pattern: &str) -> String {
        let mut letters = pattern.chars();
        let mut out = String::new();
        while let Some(letter) = letters.next() {
            let alphabet: &[u8] = match letter {
                '9' => b"123456789",
                'h' => b"0123456789abcdef",
                'x' => b"abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789",
                'X' => b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789",
                '\\' => {
                    out.extend(letters.next());
                    continue;
                }
                other => {
                    out.push(other);
                    continue;
                }
            };
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            out.push(char::from(alphabet[usize::try_from(self.0 >> 33).unwrap() % alphabet.len()]));
        }
        out
    }
}

fn repeated(letter: &str, times: usize) -> String {
    letter.repeat(times)
}

/// The shapes that may stand in a field of the storage service, by name. Of one account and one cluster, so that the
/// halves of a pair fit each other.
fn storage_values(seed: u64) -> Vec<(&'static str, String)> {
    let mut maker = Maker(seed);
    let account = maker.make(&format!("9{}", repeated("h", 11)));
    let key = maker.make(&format!("K005{}", repeated("x", 27)));
    vec![
        ("key-id", format!("005{account}{}", maker.make("000000000\\1"))),
        ("key-id-of-another-cluster", format!("004{account}{}", maker.make("000000000\\2"))),
        ("master-id", format!("005{account}0000000000")),
        ("key", key.clone()),
        ("master-key", maker.make(&format!("005{}", repeated("h", 39)))),
        ("legacy-key", maker.make(&repeated("x", 27))),
        ("bucket-id", maker.make(&repeated("h", 24))),
        ("e-mail", maker.make("xxxx@example.com")),
        ("key-name", "nightly-key".to_owned()),
        ("spaced", format!("{key} ")),
        ("stand-in", repeated("a", 12)),
        ("empty", String::new()),
        ("account-id", account),
    ]
}

const STORAGE: [&str; 4] = ["application_key_id", "application_key", "account_id", "master_application_key"];

/// The service is asked for the pair alone: what an endpoint changes is known to the linter only.
const ENDPOINTS: [Option<&str>; 4] = [
    None,
    Some("https://s3.eu-central-005.backblazeb2.com"),
    Some("s3.us-west-004.backblazeb2.com"),
    Some("https://s3.eu-central-005.example.com"),
];

/// One profile: a value, or none, for each field by its shape.
struct Case {
    name: String,
    shapes: Vec<Option<&'static str>>,
    asked: (String, String),
}

/// Every set of fields; two fields with every shape, three and four with those of the four genuine halves.
fn storage_cases(values: &[(&'static str, String)], seed: u64) -> (String, Vec<Case>) {
    let genuine: Vec<_> = ["key-id", "key", "account-id", "master-key"]
        .map(|name| values.iter().find(|(shape, _)| *shape == name).unwrap().clone())
        .to_vec();
    let (mut text, mut cases) = (String::new(), Vec::new());
    for mask in 0..16_u32 {
        let fields: Vec<usize> = (0..4).filter(|field| mask & (1 << field) != 0).collect();
        let choice = if fields.len() <= 2 { values } else { &genuine[..] };
        for number in 0..choice.len().pow(u32::try_from(fields.len()).unwrap()) {
            let mut picked: Vec<Option<&(&'static str, String)>> = vec![None; 4];
            let mut rest = number;
            for &field in &fields {
                picked[field] = Some(&choice[rest % choice.len()]);
                rest /= choice.len();
            }
            for endpoint in ENDPOINTS {
                let name = format!("s{seed}-{}", cases.len());
                let _ = writeln!(text, "[storage.{name}]");
                for (field, value) in STORAGE.iter().zip(&picked) {
                    if let Some((_, value)) = value {
                        let _ = writeln!(text, "{field} = '{value}'");
                    }
                }
                let _ = endpoint.map(|endpoint| writeln!(text, "endpoint = '{endpoint}'"));
                // What a program would send that takes the first id and the first key that it finds.
                let first = |fields: [usize; 2]| {
                    let set = fields.into_iter().filter_map(|field| picked[field]).map(|(_, value)| value.clone());
                    set.filter(|value| !value.is_empty()).chain([String::new()]).next().unwrap()
                };
                let shapes = picked.iter().map(|value| value.map(|(shape, _)| *shape)).collect();
                cases.push(Case { name, shapes, asked: (first([0, 2]), first([1, 3])) });
            }
        }
    }
    (text, cases)
}

/// Rules whose errors a service that is asked for the pair alone does not share.
const STRICTER: &[(&str, &str)] = &[
    ("two-key-pairs", "a profile is one pair: a spare half has no use, and the next edit takes it for the other"),
    (
        "mixed-key-pair",
        "by the names of the fields alone: values that fit under names that do not are one edit from failing",
    ),
    ("master-key-on-s3-endpoint", "only the S3-compatible API refuses it, and that is not asked here"),
    ("placeholder-credential", "the service knows nobody, and takes whatever has the form"),
];

/// Pairs of shapes that the service refuses and that the linter does not speak of as errors, with names that fit.
const SILENT: &[(&str, &str, &str)] = &[
    ("key-id-of-another-cluster", "key", "a warning: documents show such a pair as an example"),
    ("*", "legacy-key", "one sample is no shape"),
    ("legacy-key", "*", "one sample is no shape"),
    ("*", "key-name", "a name could be anything"),
    ("key-name", "*", "a name could be anything"),
    ("*", "bucket-id", "24 digits are no shape of a key that is ruled out"),
    ("*", "e-mail", "no shape of a key is ruled out by being an address"),
    ("*", "account-id", "12 digits are no shape of a key that is ruled out"),
];

/// The entries that speak of two shapes.
fn silent(id: &str, key: &str) -> Vec<usize> {
    let means = |pattern: &str, shape: &str| pattern == "*" || pattern == shape;
    let entries = SILENT.iter().enumerate();
    entries.filter(|(_, (one, other, _))| means(one, id) && means(other, key)).map(|(index, _)| index).collect()
}

fn check(text: &str) -> Report {
    let project = Project::new().file("credlint.toml", text);
    let loaded = credlint::load(&LoadOptions::new(project.path(), Environment::from_iter::<[(&str, &str); 0]>([])));
    credlint::check(&loaded.unwrap(), &CheckOptions::default()).unwrap()
}

/// The rules by which each profile has errors.
fn errors(report: &Report) -> BTreeMap<String, BTreeSet<&'static str>> {
    let mut errors: BTreeMap<String, BTreeSet<&'static str>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.severity == Severity::Error) {
        errors.entry(finding.profile.as_ref().unwrap().name.clone()).or_default().insert(finding.rule);
    }
    errors
}

/// A client that is none of ours.
fn send(base: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in text.as_bytes().chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = char::from(ALPHABET[(bits >> (18 - 6 * place)) as usize & 63]);
            out.push(if place <= group.len() { letter } else { '=' });
        }
    }
    out
}

fn takes_pair(service: &Service, id: &str, key: &str) -> bool {
    let answer = send(
        &service.base,
        &format!(
            "GET /b2api/v4/b2_authorize_account HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Basic {}\r\n\r\n",
            base64(&format!("{id}:{key}"))
        ),
    );
    let taken = answer.starts_with("HTTP/1.1 200 ");
    assert!(taken || answer.starts_with("HTTP/1.1 401 "), "{answer}");
    taken
}

#[test]
fn what_is_an_error_for_a_pair_is_refused_by_the_service() {
    let service = Service::start(Options::default());
    let (mut used, mut needed) = (BTreeSet::new(), BTreeSet::new());
    for seed in [1, 20, 300] {
        let values = storage_values(seed);
        let (text, cases) = storage_cases(&values, seed);
        let report = check(&text);
        assert_eq!(report.profiles.len(), cases.len());
        let errors = errors(&report);
        let mut answers: BTreeMap<(String, String), bool> = BTreeMap::new();
        let (mut taken_cases, mut refused_errors) = (0, 0);
        for case in &cases {
            let (id, key) = &case.asked;
            let taken = *answers.entry(case.asked.clone()).or_insert_with(|| takes_pair(&service, id, key));
            let found = errors.get(&case.name).cloned().unwrap_or_default();
            let stricter = |rule: &&'static str| STRICTER.iter().any(|(name, _)| name == rule);
            let what = format!("seed {seed}: {:?} with {found:?}", case.shapes);
            if taken {
                let excess: Vec<_> = found.iter().filter(|rule| !stricter(rule)).collect();
                assert!(excess.is_empty(), "taken by the service, and an error: {what}");
                used.extend(found);
                taken_cases += 1;
            } else if found.is_empty() {
                // The names fit, or there would be an error.
                let shapes: Vec<&str> = case.shapes.iter().flatten().copied().collect();
                let [id, key] = shapes[..] else { panic!("refused, and neither half is missed: {what}") };
                let entries = silent(id, key);
                assert!(!entries.is_empty(), "refused by the service, and nothing is said: {what}");
                if let [only] = entries[..] {
                    needed.insert(only);
                }
            } else {
                refused_errors += 1;
            }
        }
        assert!(taken_cases > 20 && refused_errors > 1000, "{taken_cases} {refused_errors}");
    }
    let listed: BTreeSet<_> = STRICTER.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(used, listed, "an exception that is none any more");
    assert_eq!(needed, (0..SILENT.len()).collect(), "a silence that is none any more");
}

/// Every kind of token, and what may be pasted in its place.
fn tokens(seed: u64) -> Vec<(&'static str, String)> {
    let mut maker = Maker(seed);
    let mut token = |prefix: &str| format!("{prefix}{}", maker.make("9999999999-9999999999-xxxxxxxxxxxxxxxxxxxxxxxx"));
    vec![
        ("bot", token("xoxb-")),
        ("user", token("xoxp-")),
        ("rotating-bot", token("xoxe.xoxb-1-")),
        ("rotating-user", token("xoxe.xoxp-1-")),
        ("refresh", token("xoxe-1-")),
        ("app-level", token("xapp-1-")),
        ("workflow", token("xwfp-")),
        ("browser", token("xoxc-")),
        ("cookie", token("xoxd-")),
        ("session", token("xoxs-")),
        ("workspace", token("xoxa-")),
        ("workspace-refresh", token("xoxr-")),
        ("old", token("xoxo-")),
        ("opaque", token("tok_")),
        ("bearer", token("Bearer xoxb-")),
        ("space-inside", token("xoxb-1 ")),
        ("space-behind", token("xoxb-") + " "),
        ("accent", token("xoxb-é")),
        (
            "webhook",
            format!("https://hooks.slack.com/services/{}", maker.make("TXXXXXXXX/BXXXXXXXX/xxxxxxxxxxxxxxxxxxxxxxxx")),
        ),
        ("other-url", maker.make("https://chat.example.com/hooks/xxxxxxxxxxxxxxxxxxxxxxxxxx")),
        ("stand-in", "changeme".to_owned()),
        ("template", "${TOKEN}".to_owned()),
        ("empty", String::new()),
    ]
}

/// The same for a token: what the linter calls an error and the service takes.
const STRICTER_TOKENS: &[(&str, &str, &str)] = &[
    ("stand-in", "placeholder-credential", "the service knows nobody, and takes whatever has the form"),
    ("template", "placeholder-credential", "the same"),
    (
        "space-behind",
        "malformed-credential",
        "servers drop white space at the end of a header; the client does not send it",
    ),
];

/// What the service refuses, and the linter does not know.
const SILENT_TOKENS: &[(&str, &str)] =
    &[("old", "that prefix appears in scanners only, and no document says what it was")];

fn takes_token(base: &str, token: Option<&str>) -> bool {
    let (host, path) = base.strip_prefix("http://").unwrap().split_once('/').unwrap_or((&base[7..], ""));
    let path = format!("/{path}").trim_end_matches('/').to_owned();
    let header = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let form = "filename=a.csv&length=1";
    let answer = send(
        &format!("http://{host}"),
        &format!(
            "POST {path}/api/files.getUploadURLExternal HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{header}\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        ),
    );
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let taken = answer.contains("\"ok\":true");
    assert!(taken || answer.contains("\"ok\":false"), "{answer}");
    taken
}

#[test]
fn what_is_an_error_for_a_token_is_refused_by_the_service() {
    let service = Service::start(Options::default());
    let mut used = BTreeSet::new();
    let mut silent = BTreeSet::new();
    for seed in [1, 20, 300] {
        let tokens = tokens(seed);
        let (mut text, mut cases) = (String::new(), Vec::new());
        for base in ["", "/", "/api", "/api/"].map(|path| format!("{}{path}", service.base)) {
            for token in tokens.iter().map(Some).chain([None]) {
                for webhook in [false, true] {
                    for method in [None, Some("files.upload"), Some("external")] {
                        let name = format!("m{}", cases.len());
                        let _ = writeln!(text, "[messaging.{name}]\nbase_url = '{base}'\nchannels = ['C0123456789']");
                        let _ = token.map(|(_, token)| writeln!(text, "token = '{token}'"));
                        if webhook {
                            text.push_str("webhook_url = 'https://hooks.example.com/x'\n");
                        }
                        let _ = method.map(|method| writeln!(text, "upload_method = '{method}'"));
                        cases.push((name, base.clone(), token));
                    }
                }
            }
        }
        let report = check(&text);
        assert_eq!(report.profiles.len(), cases.len());
        let errors = errors(&report);
        let mut answers = BTreeMap::new();
        for (name, base, token) in &cases {
            let sent = token.map(|(_, token)| token.as_str());
            let taken = *answers.entry((base, sent)).or_insert_with(|| takes_token(base, sent));
            let shape = token.map_or("none", |(shape, _)| *shape);
            let found = errors.get(name).cloned().unwrap_or_default();
            if taken {
                for rule in found {
                    let listed = STRICTER_TOKENS.iter().find(|(one, id, _)| *one == shape && *id == rule);
                    assert!(listed.is_some(), "taken by the service, and an error: {shape} at {base}: {rule}");
                    used.insert((shape, rule));
                }
            } else if found.is_empty() {
                silent.insert(shape);
            }
        }
    }
    assert_eq!(used, STRICTER_TOKENS.iter().map(|(shape, rule, _)| (*shape, *rule)).collect());
    assert_eq!(silent, SILENT_TOKENS.iter().map(|(shape, _)| *shape).collect());
}
