//! Compares the linter with the embedded service: every form of a value in every field, wrapped in every way, at every
//! endpoint, with newly made-up values for each profile. The service was written from the documentation of the hosted
//! ones and shares no code with the rules, so they do not share mistakes where they agree.
//!
//! At the hosted services: the service accepts what fits, refuses what is an error, and what it accepts fits. At other
//! hosts the hosted service proves nothing, and what fits has a form that no other vendor issues. One profile with one
//! mistake has one finding. All exceptions are listed here with their reasons.

mod asked;
mod batch;
mod exceptions;
mod sets;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use asked::Query;
use batch::{Batch, Outcome};
use credlint::Verdict;
use credlint::examples::Maker;
use credlint::sandbox::Options;
use exceptions::{EXCEPTIONS, Exception};
use values::{OTHERS, WRAPPINGS, forms, vendors};

use crate::harness::{Extent, extents};
use crate::verify::Service;

/// The service that a profile points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// The hosted service, by its address or by default.
    Hosted,
    /// The S3-compatible API of the hosted service.
    S3,
    /// Somebody else's server.
    OtherHost,
    /// This machine.
    Here,
}

impl Place {
    const fn name(self) -> &'static str {
        match self {
            Self::Hosted => "hosted",
            Self::S3 => "s3",
            Self::OtherHost => "elsewhere",
            Self::Here => "here",
        }
    }

    const fn is_hosted(self) -> bool {
        matches!(self, Self::Hosted | Self::S3)
    }
}

/// A field, and the services that it is tried with.
const FIELDS: &[(&str, &[Place])] = {
    use Place::{Here, Hosted, OtherHost, S3};
    &[
        ("messaging.token", &[Hosted, OtherHost, Here]),
        ("messaging.channels", &[Hosted]),
        ("messaging.webhook_url", &[Hosted, OtherHost]),
        ("messaging.base_url", &[Hosted]),
        ("messaging.initial_comment", &[Hosted]),
        ("messaging.upload_method", &[Hosted]),
        ("messaging.ca_file", &[Hosted]),
        ("messaging.workspace", &[Hosted]),
        ("storage.application_key_id", &[Hosted, S3, OtherHost, Here]),
        ("storage.application_key", &[Hosted, S3, OtherHost, Here]),
        // A master pair with the S3-compatible API is a separate mistake.
        ("storage.account_id", &[Hosted, OtherHost, Here]),
        ("storage.master_application_key", &[Hosted, OtherHost, Here]),
        ("storage.bucket", &[Hosted]),
        ("storage.endpoint", &[Hosted]),
        ("storage.api_url", &[Hosted]),
    ]
};

/// A profile with one field under test; all others are correct.
struct Case {
    field: &'static str,
    form: &'static str,
    wrapping: &'static str,
    place: Place,
    value: String,
}

impl Case {
    fn describe(&self) -> String {
        format!("{} in {} with {} {}", self.form, self.field, self.wrapping, self.place.name())
    }

    fn put(&self, batch: &mut Batch, maker: &mut Maker) {
        let (kind, field) = self.field.split_once('.').unwrap();
        let mut fields =
            if kind == "messaging" { messaging(self.place, maker) } else { storage(self.place, field, maker) };
        fields.retain(|(name, _)| *name != field);
        // The other value of the pair comes first.
        let (value, other) = (self.value.clone(), fields[0].1.clone());
        let question = match field {
            "token" => Query::token(value),
            "channels" => Query::Channel(value),
            "application_key_id" | "account_id" => Query::Pair(value, other),
            "application_key" | "master_application_key" => Query::Pair(other, value),
            _ => Query::Nothing,
        };
        fields.push((field, self.value.clone()));
        batch.profile(kind, &fields, question);
    }
}

fn messaging(place: Place, maker: &mut Maker) -> Vec<(&'static str, String)> {
    let base = match place {
        Place::Hosted | Place::S3 => "https://acme.slack.com",
        Place::OtherHost => "https://chat.example.com",
        Place::Here => "http://127.0.0.1:8065",
    };
    let token = maker.fill("xoxb-{9*12}-{9*13}-{x*24}");
    vec![("base_url", base.to_owned()), ("token", token), ("channels", maker.fill("C0{X*9}"))]
}

/// The pair that a field belongs to, and its address.
fn storage(place: Place, field: &str, maker: &mut Maker) -> Vec<(&'static str, String)> {
    let endpoint = match place {
        Place::Hosted => None,
        Place::S3 => Some("https://s3.eu-central-005.backblazeb2.com"),
        Place::OtherHost => Some("https://s3.eu-central-005.example.com"),
        Place::Here => Some("http://127.0.0.1:9000"),
    };
    let pair = if ["account_id", "master_application_key"].contains(&field) {
        [("account_id", "{h*12}"), ("master_application_key", "005{h*39}")]
    } else {
        [("application_key_id", "005{h*12}000000000{9*1}"), ("application_key", "K005{b*27}")]
    };
    let endpoint = endpoint.map(|endpoint| ("endpoint", endpoint.to_owned()));
    pair.map(|(field, pattern)| (field, maker.fill(pattern))).into_iter().chain(endpoint).collect()
}

/// The values to try: the name of a form, a value, and how it is wrapped. Other vendors' forms are wrapped in a few
/// ways only.
fn values_to_try(maker: &mut Maker) -> Vec<(&'static str, &'static str, String)> {
    const FEW: [&str; 5] = ["plain", "double quotes", "Bearer", "NAME=", "half"];
    let mut values_to_try = Vec::new();
    let own = forms().iter().chain(OTHERS).map(|row| (row, false));
    for ((form, pattern), vendor) in own.chain(vendors().map(|row| (row, true))) {
        for (wrapping, wrap) in WRAPPINGS.iter().filter(|(name, _)| !vendor || FEW.contains(name)) {
            let value = maker.fill(pattern);
            let wrapped = wrap(&value);
            // Digits have no capitals.
            if *wrapping == "plain" || wrapped != value {
                values_to_try.push((*form, *wrapping, wrapped));
            }
        }
    }
    values_to_try
}

/// Returns contradictions in an outcome, in the words of the list of exceptions.
fn faults(case: &Case, outcome: &Outcome) -> Vec<String> {
    let mut faults = Vec::new();
    let asked = VERIFIED_FIELDS.contains(&case.field);
    let (fits, hosted) = (outcome.verdict == Verdict::Fits, case.place.is_hosted());
    let secret = SECRETS.contains(&case.form) || vendors().any(|(noun, _)| *noun == case.form);
    if asked && outcome.taken {
        faults.extend(outcome.errors().map(|rule| format!("taken, {rule}")));
        if hosted && matches!(outcome.verdict, Verdict::Unjudged | Verdict::Warned) {
            faults.push(format!("taken, {} {}", outcome.verdict.name(), outcome.rules()).trim_end().to_owned());
        }
    } else if asked && fits {
        faults.push("refused, fits".to_owned());
    } else if asked && hosted && outcome.verdict != Verdict::Rejected {
        // A known form is never ignored, and a correct value inside another is known to be wrong.
        let known = secret || forms().iter().any(|(form, _)| *form == case.form);
        let own = OWN.contains(&(case.field, case.form));
        if case.wrapping == "plain" && known && outcome.verdict == Verdict::Unjudged || own {
            faults.push(format!("refused, {} {}", outcome.verdict.name(), outcome.rules()).trim_end().to_owned());
        }
    } else if fits && secret && case.wrapping == "plain" {
        faults.push("a secret, fits".to_owned());
    }
    if asked && !hosted && fits && COMMON.contains(&case.form) {
        faults.push("elsewhere, fits".to_owned());
    }
    if outcome.findings.len() > 1 {
        faults.push(format!("twice, {}", outcome.rules()));
    }
    if secret && case.value.len() >= 16 && outcome.findings.iter().any(|found| found.text.contains(&case.value)) {
        faults.push("said".to_owned());
    }
    faults
}

/// The correct form for each field.
const OWN: &[(&str, &str)] = &[
    ("messaging.token", "BotToken"),
    ("messaging.token", "UserToken"),
    ("messaging.token", "RotatedBotToken"),
    ("messaging.token", "RotatedUserToken"),
    ("storage.application_key_id", "KeyId"),
    ("storage.application_key", "ApplicationKey"),
    ("storage.account_id", "AccountId"),
    ("storage.master_application_key", "MasterKey"),
];

/// The fields that a service is asked about.
const VERIFIED_FIELDS: &[&str] = &[
    "messaging.token", "messaging.channels", "storage.application_key_id", "storage.application_key",
    "storage.account_id", "storage.master_application_key",
];

/// Secret forms that only one vendor issues.
const SECRETS: &[&str] = &[
    "ApplicationKey", "Authorization", "KeyPair", "BotToken", "UserToken", "RotatedBotToken", "RotatedUserToken",
    "AppToken", "RefreshToken", "SessionToken", "RetiredToken", "WorkflowToken", "Webhook",
];

/// Forms that other vendors issue as well.
const COMMON: &[&str] = &["AccountId", "MasterKey"];

fn exception_for(case: &Case, fault: &str) -> Option<usize> {
    let means = |pattern: &str, word: &str| pattern.split('|').any(|one| one == "*" || one == word);
    EXCEPTIONS.iter().position(|Exception { field, form, wrapping, place, fault: kind, .. }| {
        means(field, case.field)
            && means(form, case.form)
            && means(wrapping, case.wrapping)
            && means(place, case.place.name())
            && means(kind, fault)
    })
}

/// Compares the verdicts on all values of a field; a sample has every form, and one in 32 of those that are wrapped.
fn compare(field: &str, extent: Extent) {
    let service = Service::start(Options::default().with_hosted(true));
    let index = FIELDS.iter().position(|(name, _)| *name == field).unwrap();
    let (field, places) = FIELDS[index];
    let mut maker = Maker::new(2);
    let (mut faulty, mut used) = (BTreeMap::<String, usize>::new(), BTreeSet::new());
    let mut seen: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let mut settle = |batch: &mut Batch, cases: &mut Vec<Case>| {
        for (case, outcome) in cases.drain(..).zip(std::mem::take(batch).run(&service.base)) {
            *seen.entry((outcome.verdict.name(), outcome.taken)).or_default() += 1;
            for fault in faults(&case, &outcome) {
                match exception_for(&case, &fault) {
                    Some(exception) => drop(used.insert(exception)),
                    None => *faulty.entry(format!("{fault}: {}", case.describe())).or_default() += 1,
                }
            }
        }
    };
    let (mut batch, mut cases) = (Batch::default(), Vec::new());
    for (turn, place) in places.iter().enumerate() {
        for (number, (form, wrapping, value)) in values_to_try(&mut maker).into_iter().enumerate() {
            if wrapping != "plain" && !extent.takes(number + index + turn, 64) {
                continue;
            }
            let case = Case { field, form, wrapping, place: *place, value };
            case.put(&mut batch, &mut maker);
            cases.push(case);
            if batch.is_full() {
                settle(&mut batch, &mut cases);
            }
        }
    }
    settle(&mut batch, &mut cases);
    let list: Vec<String> = faulty.into_iter().map(|(fault, times)| format!("{fault} ({times})")).collect();
    assert!(list.is_empty(), "{seen:?}\n{}", list.join("\n"));
    let (tried, asked) = (seen.values().sum::<usize>(), VERIFIED_FIELDS.contains(&field));
    assert!(tried > if extent == Extent::All { 2000 } else { 300 }, "{seen:?}");
    assert!(!asked || seen.contains_key(&("fits", true)), "{seen:?}");
    if extent == Extent::Sample {
        return;
    }
    let own = |exception: &Exception| exception.field.split('|').any(|name| name == field);
    for (number, exception) in EXCEPTIONS.iter().enumerate().filter(|(_, exception)| own(exception)) {
        let Exception { form, wrapping, fault, reason, .. } = exception;
        assert!(used.contains(&number), "unused exception: {field} {form} {wrapping} {fault}: {reason}");
    }
}

// Each field has tests of its own, so that they run side by side.
extents! {
    token => |extent| compare("messaging.token", extent);
    channels => |extent| compare("messaging.channels", extent);
    webhook_url => |extent| compare("messaging.webhook_url", extent);
    base_url => |extent| compare("messaging.base_url", extent);
    initial_comment => |extent| compare("messaging.initial_comment", extent);
    upload_method => |extent| compare("messaging.upload_method", extent);
    ca_file => |extent| compare("messaging.ca_file", extent);
    workspace => |extent| compare("messaging.workspace", extent);
    application_key_id => |extent| compare("storage.application_key_id", extent);
    application_key => |extent| compare("storage.application_key", extent);
    account_id => |extent| compare("storage.account_id", extent);
    master_application_key => |extent| compare("storage.master_application_key", extent);
    bucket => |extent| compare("storage.bucket", extent);
    endpoint => |extent| compare("storage.endpoint", extent);
    api_url => |extent| compare("storage.api_url", extent);
}
