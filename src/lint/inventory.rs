//! Lists the credentials of files, variables and profiles, judged or not, with everything about them that may be told: for
//! `check -v`, `values` in its JSON document, and `why`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::report::is_about_fit;
use crate::config::{Loaded, Place, Profile, Setting, WrittenAs};
use crate::finding::{Finding, Severity};
use crate::profile::{Assessment, assessments};
use crate::schema::{ProfileId, VARIABLE};
use crate::secret::{Facts, Piece};
use crate::services::Form;
use crate::shorthand::words;
use crate::source::{SourceKind, Spot};
use crate::text;

/// The maximum number of names that a value is listed with.
const MOST_WITH: usize = 20;

words! {
    /// What a list says of a value in one word.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum ValueState {
        /// Its form is known, and nothing says that it does not fit.
        Recognised = "recognised",
        /// Its form is unknown, and nothing says that it does not fit.
        Unknown = "unknown",
        /// An error or a warning says that it does not fit.
        Wrong = "wrong",
        /// It is empty.
        Empty = "empty",
        /// It is a placeholder.
        Placeholder = "placeholder",
        /// It is a reference, or its value was not looked up.
        Reference = "reference",
    }

    /// Returns the word used in every format.
    pub fn name;
}

/// A value of a list. It has no byte of the value.
#[derive(Clone, Debug)]
pub(crate) struct Inventoried {
    /// The profile, if somebody declared one.
    pub(crate) profile: Option<ProfileId>,
    /// The name under which it was set, for display.
    pub(crate) name: String,
    /// The service whose name it has.
    pub(crate) named_for: Option<&'static str>,
    /// Its kind and field.
    pub(crate) place: (&'static str, &'static str),
    /// The words of its name, for comparing.
    pub(crate) words: String,
    /// Values with the same number are set together.
    pub(crate) group: usize,
    /// The names of the other credentials that are set together with it, up to a limit.
    pub(crate) with: Vec<String>,
    /// Where it was set.
    pub(crate) at: Spot,
    /// Where the values are that it replaces.
    pub(crate) shadows: Vec<Spot>,
    /// The word for it, which reports of other commands have, too: `set` if it is not a credential.
    pub(crate) standing: &'static str,
    /// The word for it in a list. `None` for what is no credential.
    pub(crate) state: Option<ValueState>,
    /// True for a secret or an ID, and false for what goes with them.
    pub(crate) secret: bool,
    /// Its form, if it is known.
    pub(crate) form: Option<&'static Form>,
    /// What the address of a database begins with.
    pub(crate) scheme: Option<&'static str>,
    /// The parts that are documented words, each with its noun: the mode `live`.
    pub(crate) parts: Vec<(&'static str, &'static str)>,
    /// How it looks, if its form is unknown.
    pub(crate) looks: Option<String>,
    /// The pieces of a log that it has, by their numbers.
    pub(crate) pieces: Vec<(usize, Piece)>,
    /// The indexes of the findings about it, and their rules.
    pub(crate) findings: Vec<usize>,
    pub(crate) rules: Vec<&'static str>,
    /// True if the service can be asked about it.
    pub(crate) can_ask: bool,
    /// True if it is a variable of the process.
    pub(crate) variable: bool,
}

impl Inventoried {
    /// Returns what it is, or how it looks.
    pub(crate) fn what(&self) -> Option<&str> {
        self.form.map(|form| form.noun).or(self.looks.as_deref())
    }

    /// Returns the service that issues it, or the one whose name it has.
    pub(crate) fn service(&self) -> Option<String> {
        self.form.and_then(Form::issuers).or_else(|| self.named_for.map(str::to_owned))
    }
}

/// Lists the values of a configuration, or of files and variables, with the numbered findings about them. `with_examples` includes
/// the values of examples, which nothing uses.
pub(crate) fn list<'f>(
    config: &'f Loaded,
    findings: impl Iterator<Item = (usize, &'f Finding)>,
    with_examples: bool,
) -> Vec<Inventoried> {
    let lookup = Lookup::new(config, findings);
    let in_use =
        |profile: &&Profile| with_examples || profile.found.as_ref().is_none_or(|found| found.place != Place::Example);
    let all = config.profiles.iter().chain(&config.secrets).chain(&config.listed.profiles).filter(in_use);
    let (mut values, mut seen) = (Vec::new(), HashSet::new());
    for (group, profile) in all.enumerate() {
        // A value with an oddity may be a profile of its own, too.
        if is_open(profile) && !seen.insert(profile.at) {
            continue;
        }
        let names: Vec<&str> = profile.credentials().map(Setting::name).take(MOST_WITH + 1).collect();
        for (setting, _, assessment) in assessments(profile).filter(|(_, element, _)| element.is_none()) {
            seen.insert(setting.at);
            let with = names.iter().filter(|name| **name != setting.name()).take(MOST_WITH);
            let with = with.map(|name| (*name).to_owned()).collect();
            values.push(Inventoried { group, with, ..lookup.value(profile, setting, assessment) });
        }
    }
    values
}

/// Returns `true` for a variable whose name does not say what it takes.
fn is_open(profile: &Profile) -> bool {
    profile.kind().name == VARIABLE.name
}

/// What is known about values by their locations.
struct Lookup<'f> {
    config: &'f Loaded,
    findings: HashMap<Spot, Vec<(usize, &'f Finding)>>,
    pieces: HashMap<Spot, Vec<(usize, Piece)>>,
}

impl<'f> Lookup<'f> {
    fn new(config: &'f Loaded, all: impl Iterator<Item = (usize, &'f Finding)>) -> Self {
        let (mut findings, mut pieces) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        for (index, finding) in all {
            for label in &finding.labels {
                findings.entry(label.at).or_default().push((index, finding));
            }
        }
        for &(at, number, piece) in &config.listed.pieces {
            pieces.entry(at).or_default().push((number, piece));
        }
        Self { config, findings, pieces }
    }

    /// Returns the findings about a value or its elements.
    fn about(&self, setting: &Setting) -> BTreeMap<usize, &'f Finding> {
        let own = setting.elements.iter().flat_map(|element| [Some(element.at), element.found]);
        let own = own.chain([Some(setting.at), setting.found]).flatten();
        own.filter_map(|at| self.findings.get(&at)).flatten().copied().collect()
    }

    fn value(&self, profile: &Profile, setting: &Setting, assessment: Assessment) -> Inventoried {
        let (standing, form, looks) = assessment.standing(profile, setting);
        let found = self.about(setting);
        let unfit = found.values().any(|finding| is_about_fit(finding));
        let wrong = found.values().any(|finding| finding.severity > Severity::Note);
        // A note, as about a JSON document in a variable that may take one, does not make it wrong.
        let standing = match standing {
            _ if is_open(profile) && wrong => "wrong",
            "wrong" if is_open(profile) => "unjudged",
            standing => standing,
        };
        let source = self.config.sources.get(setting.at.source);
        // The names in npm's file don't say whose they are.
        let of_npm = source.name.rsplit('/').next() == Some(".npmrc");
        Inventoried {
            profile: profile.is_declared().then(|| profile.id.clone()),
            name: setting.name().to_owned(),
            named_for: (!is_open(profile)).then(|| profile.kind().service_name()),
            place: (profile.kind().name, setting.field.name),
            words: text::joined_words(&format!("{}{}", if of_npm { "npmrc " } else { "" }, setting.name())),
            group: 0,
            with: Vec::new(),
            at: setting.at,
            shadows: setting.shadows.iter().map(|shadow| shadow.at).collect(),
            standing,
            state: assessment.name().map(|_| state(standing, unfit, (setting, assessment), form)),
            secret: setting.field.is_credential() && !setting.facts().is_some_and(|facts| facts.url),
            form,
            scheme: setting.facts().and_then(|facts| facts.scheme),
            parts: setting.facts().map(Facts::documented_parts).unwrap_or_default(),
            looks,
            pieces: self.pieces.get(&setting.at).cloned().unwrap_or_default(),
            findings: found.keys().copied().collect(),
            rules: found.values().map(|finding| finding.rule).collect::<BTreeSet<_>>().into_iter().collect(),
            can_ask: profile.kind().probe.is_some(),
            variable: source.kind == SourceKind::Environment,
        }
    }
}

fn state(
    standing: &str,
    unfit: bool,
    (setting, assessment): (&Setting, Assessment),
    form: Option<&Form>,
) -> ValueState {
    match (assessment, standing) {
        (_, "recognised") if !unfit => ValueState::Recognised,
        (_, "empty") => ValueState::Empty,
        (Assessment::Placeholder(_), _) => ValueState::Placeholder,
        (Assessment::Unexpanded(_), _) => ValueState::Reference,
        (Assessment::Unread, _) if setting.form != WrittenAs::Literal => ValueState::Reference,
        _ if unfit => ValueState::Wrong,
        // Other values may have a form that many have.
        _ if form.is_some_and(Form::identifies_issuer) => ValueState::Recognised,
        _ => ValueState::Unknown,
    }
}
