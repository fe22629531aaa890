//! Verifies the credentials that a search found: each recognised one once, at its service or at the API address next to
//! it, never at an address from elsewhere.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, PoisonError};

use secrecy::SecretString;

use super::answer::GivenChannels;
use super::ask::{ProbeTarget, Question, Verification};
use crate::code::Code;
use crate::config::{ApiBeside, ConfigError, Profile, Setting, State, WrittenAs};
use crate::finding::Severity;
use crate::foreign::KeptValues;
use crate::lint::{self, CheckOptions, Loaded, Report, Search, SearchOutcome};
use crate::profile::{Assessment, PairByName, hosted_api};
use crate::schema::value::{BaseUrl, BearerToken};
use crate::schema::{Kind, Probe, Role, Secret, Type};
use crate::secret::{Digest, MASK, Vault};
use crate::source::{Problem, SourceKind, Sources, Spot};
use crate::upload::{Asker, Credential, SettingNames, Settings};

/// The maximum number of credentials to ask about, so that a large tree does not cause a flood of requests.
const MAX_CREDENTIALS: usize = 256;

/// The checked results of a search, with the values that a service may be asked about.
#[derive(Debug)]
pub struct FoundCredentials {
    /// The report of the check.
    pub report: Report,
    loaded: Loaded,
    /// Whether the check found errors, for each profile.
    refused: Vec<bool>,
}

impl FoundCredentials {
    /// Searches and checks. Also returns notices about what was not read.
    ///
    /// # Errors
    ///
    /// Returns the same errors as a search.
    pub fn search(search: &Search, options: &CheckOptions) -> Result<(Self, Vec<String>), ConfigError> {
        let (kept, mut refused) = (KeptValues::default(), Vec::new());
        let found = lint::search_examined(None, search, options, Some(&kept), |_, raw| {
            refused.push(raw.iter().any(|finding| finding.severity == Severity::Error));
        });
        let SearchOutcome { report, notices, mut loaded, .. } = found?;
        loaded.vault = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let asked = loaded.profiles.iter().zip(&refused).filter(|(_, refused)| !**refused);
        let asked = asked.flat_map(|(profile, _)| split_askable(profile).0);
        let used: HashSet<_> = asked.filter_map(|setting| Some(setting.known()?.handle)).collect();
        loaded.vault.retain(&used);
        Ok((Self { report, loaded, refused }, notices))
    }

    /// Prepares the questions. If no credential can be asked about, the report says so.
    pub fn verification(&self, settings: &Settings) -> Verification<'_> {
        let Loaded { vault, profiles, sources, .. } = &self.loaded;
        let open: Vec<(&Profile, bool)> = profiles.iter().zip(self.refused.iter().copied()).collect();
        let asked = open.iter().filter(|(_, refused)| !refused).flat_map(|(profile, _)| split_askable(profile).0);
        let secrets: Vec<SecretString> =
            asked.filter(|one| one.field.role == Role::Secret).filter_map(|one| sealed_value(vault, one)).collect();
        let mut askers = Askers { vault, sources, settings, secrets, known: HashMap::new() };
        let targets = open.into_iter().map(|(profile, refused)| (profile, askers.target(profile, refused))).collect();
        let mut report = self.report.clone();
        if askers.known.is_empty() && report.problems.is_empty() {
            let able = Kind::all().iter().filter(|kind| kind.probe.is_some()).map(|kind| kind.service_name());
            let able: BTreeSet<&str> = able.collect();
            let able = able.into_iter().collect::<Vec<_>>().join(" and ");
            let problem = Problem::new(Code::NothingToCheck, "no service was asked, so nothing was verified");
            report
                .problems
                .push(problem.help(format!("credlint can ask {able}, about a token or a key pair that it recognises")));
        }
        Verification { report, profiles: targets, channels: GivenChannels::default() }
    }
}

/// The client for each credential that is asked about.
struct Askers<'a> {
    vault: &'a Vault,
    sources: &'a Sources,
    settings: &'a Settings,
    /// All values that are sent, so that none is printed from an answer.
    secrets: Vec<SecretString>,
    /// The clients by address and values.
    known: HashMap<(String, Vec<Digest>), Arc<Asker>>,
}

impl Askers<'_> {
    fn target(&mut self, profile: &Profile, refused: bool) -> ProbeTarget {
        let (asked, mut not_asked) = split_askable(profile);
        if asked.is_empty() && not_asked.is_empty() {
            return ProbeTarget::Refused;
        }
        let mut names: Vec<String> = asked.iter().map(|setting| setting.name().to_owned()).collect();
        // The ID and the key of a pair may be in one address.
        names.dedup();
        let question = match asked.is_empty() {
            true => Ok(None),
            false if refused => Err(WRONG.to_owned()),
            false => self.question(profile, &asked).map(Some),
        };
        let service = question.unwrap_or_else(|why| {
            not_asked.extend(names.drain(..).map(|name| (name, why.clone())));
            None
        });
        not_asked.dedup();
        ProbeTarget::Asked { service, names, not_asked }
    }

    /// Returns the service to ask, and the question. The error says why no service is asked.
    fn question(&mut self, profile: &Profile, asked: &[&Setting]) -> Result<(String, Question), String> {
        let base = self.address(profile, asked)?;
        if !profile.permitted.permits(&base) {
            return Err(format!("{} is not a permitted host", base.origin()));
        }
        let question = match asked {
            [id, key] if profile.kind().probe == Some(Probe::Pair) => {
                Question::Pair(self.asker(&base, &[id, key])?, None)
            }
            tokens => {
                let asker = |token: &&Setting| Ok((token.field, self.asker(&base, &[token])?));
                Question::App(tokens.iter().map(asker).collect::<Result<_, String>>()?)
            }
        };
        Ok((base.origin(), question))
    }

    /// Returns the address to ask: the one next to the credential in the same file or process, or else the service's
    /// own. A file must not decide where a variable is sent.
    fn address(&self, profile: &Profile, asked: &[&Setting]) -> Result<BaseUrl, String> {
        let elsewhere = |name: &str| format!("`{name}` sets another address, which credlint does not ask");
        if let Some(ApiBeside { name, at, address }) = profile.found.as_ref().and_then(|found| found.api.as_ref()) {
            let variable = |at: Spot| self.sources.get(at.source).kind == SourceKind::Environment;
            let together = |setting: &&Setting| setting.at.source == at.source || variable(setting.at) && variable(*at);
            return match address {
                _ if !asked.iter().all(together) => {
                    Err(format!("`{name}` is from another file, which must not decide where it goes"))
                }
                Some(address) => Ok(address.clone()),
                None => Err(elsewhere(name)),
            };
        }
        let endpoint = profile.setting("endpoint").map_or("endpoint", Setting::name);
        hosted_api(profile).and_then(Result::ok).ok_or_else(|| elsewhere(endpoint))
    }

    /// Returns the client for a token, or for the ID and the key of a pair.
    fn asker(&mut self, base: &BaseUrl, values: &[&&Setting]) -> Result<Arc<Asker>, String> {
        let digests = values.iter().filter_map(|setting| Some(setting.facts()?.digest)).collect();
        let key = (base.join("").to_string(), digests);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        if self.known.len() == MAX_CREDENTIALS {
            return Err(format!("{MAX_CREDENTIALS} others are asked about already: name fewer paths"));
        }
        let values: Option<Vec<SecretString>> =
            values.iter().map(|setting| sealed_value(self.vault, setting)).collect();
        let asker = match values.as_deref() {
            Some([id, key]) => {
                Asker::new(base, Credential::Pair(id, key), self.settings.clone(), &SettingNames::FOUND_PAIR)
            }
            Some([token]) => {
                let token = BearerToken::new(token.clone()).map_err(|_| UNKNOWN)?;
                Asker::new(base, Credential::Token(&token), self.settings.clone(), &SettingNames::FOUND_TOKEN)
            }
            _ => return Err(UNKNOWN.to_owned()),
        };
        let asker = Arc::new(asker.map_err(|error: Problem| error.message)?.with_secrets(&self.secrets));
        Ok(self.known.entry(key).or_insert(asker).clone())
    }
}

fn sealed_value(vault: &Vault, setting: &Setting) -> Option<SecretString> {
    Some(vault.sealed(setting.known()?.handle))
}

const UNKNOWN: &str = "its form is unknown";
const WRONG: &str = "the check found an error; fix it first";

/// Returns the credentials of a profile that can be asked about, and the others with the reasons.
fn split_askable(profile: &Profile) -> (Vec<&Setting>, Vec<(String, String)>) {
    let beside = profile.found.as_ref().and_then(|found| found.api.as_ref()).map(|api| api.at);
    // The address of an API is not a webhook.
    let credentials = profile.credentials().filter(|setting| Some(setting.at) != beside);
    let (mut asked, mut not_asked) = (Vec::new(), Vec::new());
    for setting in credentials {
        match reason_not_to_ask(profile, setting) {
            None => asked.push(setting),
            Some(why) => not_asked.push((setting.name().to_owned(), why)),
        }
    }
    let whole = matches!(PairByName::from_profile(profile), None | Some(PairByName::Fits { .. }));
    if !profile.kind().pairs.is_empty() && (!whole || asked.len() != 2) {
        let why =
            if whole { "the other half of the pair can't be asked about" } else { "only half of the pair is here" };
        not_asked.extend(asked.drain(..).map(|setting| (setting.name().to_owned(), why.to_owned())));
    }
    (asked, not_asked)
}

/// Returns why no service can be asked about a credential. `None` if one can.
fn reason_not_to_ask(profile: &Profile, setting: &Setting) -> Option<String> {
    let kind = profile.kind();
    let example = profile.found.as_ref().is_some_and(|found| found.place.is_example());
    let reason = match &setting.state {
        _ if kind.probe.is_none() => {
            return Some(format!("credlint can't ask {}", kind.service.map_or("its service", |service| service.name)));
        }
        _ if matches!(setting.field.ty, Type::Secret(Secret::Webhook)) => "asking a webhook would post a message",
        _ if kind.pairs.is_empty() && !matches!(setting.field.ty, Type::Secret(Secret::Token)) => {
            "no service can check a signing secret"
        }
        State::Empty => "it is empty",
        State::Known(_) if example => "it is in an example, a test or documentation",
        State::Known(known) => {
            let form = known.facts.form().filter(|form| setting.field.forms().contains(form));
            match Assessment::from_setting(profile, setting) {
                Assessment::Placeholder(_) => "it is a placeholder",
                Assessment::Unexpanded(_) => "it is a reference that nothing has expanded",
                assessment if assessment.is_wrong() => WRONG,
                _ if form.is_none() => UNKNOWN,
                _ => return None,
            }
        }
        _ => match &setting.form {
            WrittenAs::Env(name) if name != MASK => return Some(format!("its value is in `{name}`")),
            _ => "its value is not here",
        },
    };
    Some(reason.to_owned())
}
