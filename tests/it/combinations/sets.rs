//! Combinations of fields and their values: every set of pair fields, and of the fields of an upload.

use std::collections::BTreeSet;

use credlint::Verdict;
use credlint::examples::Maker;
use credlint::sandbox::Options;

use super::asked::{Query, TICKET};
use super::batch::{Batch, Outcome};
use crate::harness::{Extent, extents};
use crate::verify::Service;

/// Errors of rules that are stricter than a service, which only sees the values.
struct Stricter {
    listed: &'static [(&'static str, &'static str)],
    used: BTreeSet<&'static str>,
    fits: usize,
    refused: usize,
}

impl Stricter {
    const fn new(listed: &'static [(&'static str, &'static str)]) -> Self {
        Self { listed, used: BTreeSet::new(), fits: 0, refused: 0 }
    }

    fn judge_all(&mut self, cases: &mut Vec<String>, batch: &mut Batch, service: &Service) {
        for (what, outcome) in cases.drain(..).zip(std::mem::take(batch).run(&service.base)) {
            self.judge(&format!("{what} with {}", outcome.rules()), &outcome);
        }
    }

    fn judge(&mut self, what: &str, outcome: &Outcome) {
        let errors: BTreeSet<&str> = outcome.errors().collect();
        if outcome.taken {
            let unlisted = errors.iter().find(|rule| !self.listed.iter().any(|(listed, _)| listed == *rule));
            assert_eq!(unlisted, None, "accepted by the service, but an error: {what}");
            self.used.extend(outcome.errors());
            self.fits += usize::from(outcome.verdict == Verdict::Fits);
        } else {
            assert_ne!(outcome.verdict, Verdict::Fits, "rejected by the service, but without an error: {what}");
            self.refused += usize::from(outcome.verdict == Verdict::Rejected);
        }
    }

    fn end(self, fits: usize, refused: usize) {
        assert!(self.fits >= fits && self.refused >= refused, "{} {}", self.fits, self.refused);
        let listed: BTreeSet<_> = self.listed.iter().map(|(rule, _)| *rule).collect();
        assert_eq!(self.used, listed, "an unused exception");
    }
}

const PAIR_FIELDS: [&str; 4] = ["application_key_id", "application_key", "account_id", "master_application_key"];

/// The possible values of a pair field, the four genuine ones first.
const PATTERNS: &[(&str, &str)] = &[
    ("key-id", "005{h*12}000000000{9*1}"),
    ("key", "K005{b*27}"),
    ("account-id", "{h*12}"),
    ("master-key", "005{h*39}"),
    ("key-id-of-another-cluster", "004{h*12}000000000{9*1}"),
    ("master-id", "005{h*12}0000000000"),
    ("legacy-key", "aB7{x*24}"),
    ("bucket-id", "{h*24}"),
    ("e-mail", "{l*7}@example.com"),
    ("key-name", "nightly-key"),
    ("spaced", "K005{b*27} "),
    ("stand-in", "aaaaaaaaaaaa"),
    ("empty", ""),
];

const ENDPOINTS: [Option<&str>; 4] = [
    None,
    Some("https://s3.eu-central-005.backblazeb2.com"),
    Some("s3.us-west-004.backblazeb2.com"),
    Some("https://s3.eu-central-005.example.com"),
];

extents! {
    key_pairs_with_errors_are_rejected_by_the_sandbox => compare_pairs;
}

fn compare_pairs(extent: Extent) {
    let service = Service::start(Options::default().with_hosted(true));
    let mut stricter = Stricter::new(&[
        ("two-key-pairs", "a profile is one pair: a spare half has no use, and the next edit takes it for the other"),
        ("mixed-key-pair", "by the names alone: values that fit under names that do not are one edit from failing"),
        ("master-key-on-s3-endpoint", "only the S3-compatible API refuses it, and that is not asked here"),
        ("placeholder-credential", "the service knows nobody, and takes whatever has the form"),
    ]);
    let mut maker = Maker::new(20);
    let (mut batch, mut cases) = (Batch::default(), Vec::new());
    for mask in 1..16_usize {
        let halves: Vec<usize> = (0..4).filter(|half| mask & (1 << half) != 0).collect();
        // Sets of two of all values, sets of three and four of the genuine ones.
        let choice = if halves.len() <= 2 { PATTERNS } else { &PATTERNS[..4] };
        for number in 0..choice.len().pow(u32::try_from(halves.len()).unwrap()) {
            for (_, endpoint) in ENDPOINTS.iter().enumerate().filter(|(turn, _)| extent.takes(number + turn, 4)) {
                let (mut fields, mut shapes, mut rest) = (Vec::new(), Vec::new(), number);
                for &half in &halves {
                    let (shape, pattern) = choice[rest % choice.len()];
                    rest /= choice.len();
                    fields.push((PAIR_FIELDS[half], maker.fill(pattern)));
                    shapes.push(format!("{} = {shape}", PAIR_FIELDS[half]));
                }
                // What a program would send that takes the first ID and the first key.
                let first = |names: [&str; 2]| {
                    let set = names.iter().filter_map(|name| fields.iter().find(|(field, _)| field == name));
                    set.map(|(_, value)| value.clone()).find(|value| !value.is_empty()).unwrap_or_default()
                };
                let question =
                    Query::Pair(first([PAIR_FIELDS[0], PAIR_FIELDS[2]]), first([PAIR_FIELDS[1], PAIR_FIELDS[3]]));
                fields.extend(endpoint.map(|endpoint| ("endpoint", endpoint.to_owned())));
                batch.profile("storage", &fields, question);
                cases.push(format!("{shapes:?} at {endpoint:?}"));
                if batch.is_full() {
                    stricter.judge_all(&mut cases, &mut batch, &service);
                }
            }
        }
    }
    stricter.judge_all(&mut cases, &mut batch, &service);
    // The newer ID of a master key fits no key that is known of.
    let (fits, refused) = if extent == Extent::All { (6, 3000) } else { (2, 750) };
    stricter.end(fits, refused);
}

/// The possible values of the token.
const TOKENS: &[(&str, Option<&str>)] = &[
    ("none", None),
    ("bot", Some("xoxb-{9*12}-{9*13}-{x*24}")),
    ("user", Some("xoxp-{9*11}-{9*11}-{9*12}-{h*32}")),
    ("rotating", Some("xoxe.xoxb-1-{X*163}")),
    ("app-level", Some("xapp-1-A{X*10}-{9*13}-{h*64}")),
    ("refresh", Some("xoxe-1-{X*146}")),
    ("opaque", Some("tok_{x*24}")),
    ("webhook", Some("https://hooks.slack.com/services/T{X*10}/B{X*10}/{x*24}")),
    ("empty", Some("")),
];

#[test]
fn uploads_with_errors_are_rejected_by_the_sandbox() {
    let service = Service::start(Options::default().with_hosted(true));
    let mut stricter = Stricter::new(&[]);
    let mut maker = Maker::new(300);
    let (mut batch, mut cases) = (Batch::default(), Vec::new());
    for path in ["", "/", "/api", "/api/"] {
        for (shape, pattern) in TOKENS {
            for webhook in [false, true] {
                for method in [None, Some("files.upload"), Some("external")] {
                    let token = pattern.map(|pattern| maker.fill(pattern));
                    let mut fields = vec![
                        ("base_url", format!("https://acme.slack.com{path}")),
                        ("channels", maker.fill("C0{X*9}")),
                    ];
                    fields.extend(token.clone().map(|token| ("token", token)));
                    let hook = "https://hooks.slack.com/services/T{X*10}/B{X*10}/{x*24}";
                    fields.extend(webhook.then(|| ("webhook_url", maker.fill(hook))));
                    fields.extend(method.map(|method| ("upload_method", method.to_owned())));
                    let operation = if method == Some("files.upload") { "files.upload" } else { TICKET };
                    batch.profile("messaging", &fields, Query::Token { path, operation, token });
                    cases.push(format!("{shape} at {path:?}, webhook {webhook}, {method:?}"));
                }
            }
        }
        stricter.judge_all(&mut cases, &mut batch, &service);
    }
    stricter.end(20, 100);
}
