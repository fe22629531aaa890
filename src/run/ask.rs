//! Checks profiles, then asks the services whether the credentials of those that passed are valid and sufficient.
//! Nothing is posted or changed. Everything that depends on the kind of a profile is here.

use crate::source::Problem;
use std::sync::Arc;

use futures_util::{StreamExt, stream};
use secrecy::{ExposeSecret, SecretString};

use super::answer::{
    GivenChannels, ProfileAnswer, RUN_CHECK, TokenAsker, check_pair, check_token, label_credential, look_up,
    not_verified, record_channels, report_doubt, report_not_asked, verify_tokens,
};
use crate::config::{ConfigError, Profile, Setting};
use crate::finding::{Finding, Severity};
use crate::lint::live::{Live, Validity};
use crate::lint::{self, CheckOptions, Loaded, Report};
use crate::profile::{Messaging, PairByName, api_address, tokens};
use crate::schema::value::{BaseUrl, BearerToken, ChannelId, WorkspaceId};
use crate::schema::{Probe, ProfileId};
use crate::secret::Vault;
use crate::shorthand::setters;
use crate::upload::{AskError, Asker, Credential, SettingNames, Settings};

/// The maximum number of profiles verified at a time.
const CONCURRENT: usize = 8;

/// The options of a verification.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// The profiles, as `kind.name` or name. Empty means all.
    pub profiles: Vec<String>,
    /// The severity at which verification fails. `None` uses the configuration, or else errors.
    pub fail_on: Option<Severity>,
    /// The channels to look up instead of those in the profiles. Of a name with `#`, the ID is found.
    pub channels: Vec<ChannelId>,
    /// The network settings.
    pub settings: Settings,
}

impl VerifyOptions {
    setters! {
        /// Verifies only these profiles, given as `kind.name` or name.
        with_profiles(profiles: impl IntoIterator<Item = impl Into<String>>) =
            profiles.into_iter().map(Into::into).collect();

        /// Fails at this severity or higher.
        with_fail_on(fail_on: Severity) = Some(fail_on);

        /// Looks up these channels instead of those in the profiles.
        with_channels(channels: impl IntoIterator<Item = ChannelId>) = channels.into_iter().collect();
    }
}

/// A verification that is ready to run. Nothing was sent yet.
#[derive(Debug)]
pub struct Verification<'a> {
    pub(super) report: Report,
    /// The last ones of the report: those before them can't be asked about.
    pub(super) profiles: Vec<(&'a Profile, ProbeTarget)>,
    pub(super) channels: GivenChannels,
}

impl Loaded {
    /// Checks profiles, and verifies those without errors over the network.
    ///
    /// # Errors
    ///
    /// Returns an error if a profile does not exist or its name is ambiguous. The report has the services' answers, and
    /// says which service did not answer.
    pub async fn verify(&self, options: &VerifyOptions) -> Result<Report, ConfigError> {
        Ok(self.verification(options)?.ask().await)
    }

    /// Prepares a verification without sending anything, so that the caller can first show who will receive a
    /// credential.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Loaded::verify`].
    pub fn verification(&self, options: &VerifyOptions) -> Result<Verification<'_>, ConfigError> {
        let check =
            CheckOptions { profiles: options.profiles.clone(), fail_on: options.fail_on, ..CheckOptions::default() };
        let mut examined = Vec::new();
        let mut report = lint::check_examined(self, &check, |profile, found| examined.push((profile, found.to_vec())))?;
        let mut profiles = Vec::new();
        let (mut findings, mut rest) = (Vec::new(), std::mem::take(&mut report.findings));
        for (profile, raw) in examined {
            let own = rest.extract_if(.., |finding| finding.profile.as_ref() == Some(&profile.id));
            // Levels and allows tune the report; they never cause a credential to be sent.
            if raw.iter().any(|finding| finding.severity == Severity::Error) {
                own.for_each(drop);
                report.allowed.retain(|allowed| allowed.finding.profile.as_ref() != Some(&profile.id));
                findings.extend(raw);
                profiles.push((profile, ProbeTarget::Refused));
            } else {
                findings.extend(own);
                profiles.push((profile, prepare_target(&self.vault, profile, &options.settings)));
            }
        }
        findings.extend(rest);
        report.findings = findings;
        let channels = GivenChannels { ids: options.channels.clone(), lists: !options.channels.is_empty() };
        Ok(Verification { report, profiles, channels })
    }
}

impl Verification<'_> {
    /// Returns the profiles to verify, with the services that will receive their credentials: scheme, host and port.
    #[must_use]
    pub fn destinations(&self) -> Vec<(ProfileId, String)> {
        let asked = self.profiles.iter().filter_map(|(profile, asked)| match asked {
            ProbeTarget::Asked { service: Some((origin, _)), .. } => Some((profile.id.clone(), origin.clone())),
            _ => None,
        });
        asked.collect()
    }

    /// Sends the requests. This needs a tokio runtime with I/O and time. Dropping the future aborts the requests.
    pub async fn ask(self) -> Report {
        let Self { mut report, profiles, channels } = self;
        let answers = profiles.into_iter().map(|(profile, asked)| verify_profile(profile, asked, &channels));
        let answers: Vec<Option<ProfileAnswer>> = stream::iter(answers).buffered(CONCURRENT).collect().await;
        let (mut findings, mut verified) = (Vec::new(), Vec::new());
        let before = report.profiles.len() - answers.len();
        for (id, _) in &report.profiles[..before] {
            let name = id.file.as_deref().unwrap_or_default();
            let reason = format!("verify this configuration with `--config {name}`");
            verified.push((id.clone(), Live { not_asked: vec![(String::new(), reason)], ..Live::default() }));
        }
        for ((id, verdict), answer) in report.profiles[before..].iter_mut().zip(answers) {
            let mut own: Vec<Finding> =
                report.findings.extract_if(.., |finding| finding.profile.as_ref() == Some(id)).collect();
            let mut state = Validity::Unknown;
            if let Some(ProfileAnswer { live, findings }) = answer {
                own.extend(findings);
                // A credential that no service can verify keeps the verdict of the check.
                let open = live.credentials.iter().any(|(_, validity)| *validity == Validity::Unknown);
                let open = open || !live.not_asked.is_empty();
                state = if open { Validity::Unknown } else { live.state };
                verified.push((id.clone(), live));
            }
            *verdict = verdict.after_verification(&own, state);
            findings.extend(own);
        }
        findings.append(&mut report.findings);
        report.findings = findings;
        report.live = Some(verified);
        report
    }
}

/// What to ask about a profile, and which service.
#[derive(Debug)]
pub enum ProbeTarget {
    /// No request: the check found errors.
    Refused,
    /// No request, for another reason.
    Unavailable(Problem),
    /// No request: no service can verify this credential.
    Unknowable,
    /// The service to ask, and the question. For search results, also the names of the credentials that are asked
    /// about, and of the others, with reasons.
    Asked { service: Option<(String, Question)>, names: Vec<String>, not_asked: Vec<(String, String)> },
}

/// What to ask besides whether the credential is valid.
#[derive(Debug)]
pub enum Question {
    /// A token: whether it belongs to this workspace and reaches the channels.
    Token(Box<Asker>, Option<WorkspaceId>),
    /// A key pair: whether it may use this bucket. Its name could be a key that was pasted into the wrong field.
    Pair(Arc<Asker>, Option<SecretString>),
    /// The tokens of an app, each on its own.
    App(Vec<TokenAsker>),
}

/// Prepares the questions. Rules have checked these values already, but rules only report, so they are checked again.
pub fn prepare_target(vault: &Vault, profile: &Profile, settings: &Settings) -> ProbeTarget {
    let asked = match profile.kind().probe {
        Some(Probe::Token) => token_question(vault, profile, settings),
        Some(Probe::Pair) => pair_question(vault, profile, settings),
        Some(Probe::App) if tokens(profile).next().is_none() => return ProbeTarget::Unknowable,
        Some(Probe::App) => app_question(vault, profile, settings),
        None => Err(not_verified("credlint can't ask this service", "no action needed")),
    };
    match asked {
        // The check reports an explicit address that is not permitted. This may be the default address.
        Ok((base, _)) if !profile.permitted.permits(&base) => ProbeTarget::Unavailable(not_verified(
            "its service is not a permitted host",
            "add the host to `hosts` under `[trust]` in your user configuration or the policy, or to CREDLINT_HOSTS",
        )),
        Ok((base, question)) => {
            ProbeTarget::Asked { service: Some((base.origin(), question)), names: Vec::new(), not_asked: Vec::new() }
        }
        Err(error) => ProbeTarget::Unavailable(error),
    }
}

type PreparedQuestion = Result<(BaseUrl, Question), Problem>;

fn token_question(vault: &Vault, profile: &Profile, settings: &Settings) -> PreparedQuestion {
    let messaging = Messaging::from_profile(profile);
    let token = profile.setting("token").and_then(Setting::known);
    let token = token.and_then(|token| BearerToken::new(vault.sealed(token.handle)).ok());
    let (Some(Ok(base)), Some(token)) = (messaging.and_then(Messaging::address), token) else {
        return Err(not_verified("the address or the token is missing", RUN_CHECK));
    };
    let ca_file = messaging.and_then(Messaging::ca_file).cloned();
    let asker = Asker::new(
        base,
        Credential::Token(&token),
        Settings { ca_file, ..settings.clone() },
        &SettingNames::MESSAGING,
    )?;
    Ok((base.clone(), Question::Token(Box::new(asker), messaging.and_then(Messaging::workspace_id))))
}

fn app_question(vault: &Vault, profile: &Profile, settings: &Settings) -> PreparedQuestion {
    let token =
        |setting: &Setting| Some((setting.field, BearerToken::new(vault.sealed(setting.known()?.handle)).ok()?));
    let tokens: Option<Vec<_>> = tokens(profile).map(token).collect();
    let (Some(Ok(base)), Some(tokens)) = (api_address(profile), tokens) else {
        return Err(not_verified("the address or the token is missing", RUN_CHECK));
    };
    let secrets: Vec<_> = profile.credentials().filter_map(|one| Some(vault.sealed(one.known()?.handle))).collect();
    // All tokens go to the same service, one after the other.
    let asker = |(field, token)| {
        let asker = Asker::new(&base, Credential::Token(&token), settings.clone(), &SettingNames::APP)?;
        Ok((field, Arc::new(asker.with_secrets(&secrets))))
    };
    let askers: Result<Vec<TokenAsker>, Problem> = tokens.into_iter().map(asker).collect();
    Ok((base, Question::App(askers?)))
}

fn pair_question(vault: &Vault, profile: &Profile, settings: &Settings) -> PreparedQuestion {
    let pair = match PairByName::from_profile(profile) {
        Some(PairByName::Fits { id, key }) => id.known().zip(key.known()),
        _ => None,
    };
    let Some((id, key)) = pair else {
        return Err(not_verified("the key pair is missing", RUN_CHECK));
    };
    if profile.credentials().any(Setting::is_unverified_id) {
        return Err(not_verified(
            "the project file refers to an ID, and the value does not look like one",
            "write the ID into the file, or, if you trust this project, pass its file with `--config`",
        ));
    }
    let Some(Ok(base)) = api_address(profile) else {
        return Err(not_verified(
            "`endpoint` is another service's, and `api_url` is not set",
            "set `api_url` to the address of its native API, if it has one",
        ));
    };
    let bucket = profile.present("bucket").and_then(Setting::known);
    let bucket = bucket.map(|bucket| vault.sealed(bucket.handle));
    let (id, key) = (vault.sealed(id.handle), vault.sealed(key.handle));
    let asker = Asker::new(&base, Credential::Pair(&id, &key), settings.clone(), &SettingNames::STORAGE)?;
    Ok((base, Question::Pair(Arc::new(asker), bucket)))
}

/// Verifies a profile. `None` if the check found errors.
pub async fn verify_profile(profile: &Profile, asked: ProbeTarget, channels: &GivenChannels) -> Option<ProfileAnswer> {
    let mut answer = ProfileAnswer::default();
    let question = match asked {
        ProbeTarget::Refused => return None,
        ProbeTarget::Unknowable => {
            report_not_asked(&mut answer, profile);
            None
        }
        ProbeTarget::Unavailable(error) => {
            report(&mut answer, profile, AskError::Unanswered(error));
            None
        }
        ProbeTarget::Asked { service, names, not_asked } => {
            (answer.live.names, answer.live.not_asked) = (names, not_asked);
            let question;
            (answer.live.service, question) = service.unzip();
            question
        }
    };
    match question {
        None => {}
        Some(Question::Token(asker, workspace)) => match asker.identity(workspace.as_ref()).await {
            Ok(mut identity) => {
                let looked_up = look_up(profile, &asker, &mut identity, channels).await;
                check_token(&mut answer, profile, &asker.mask_echoes(identity));
                record_channels(&mut answer, profile, looked_up);
            }
            Err(doubt) => report(&mut answer, profile, doubt),
        },
        Some(Question::App(tokens)) => verify_tokens(&mut answer, profile, tokens).await,
        Some(Question::Pair(asker, bucket)) => {
            #[expect(clippy::disallowed_methods, reason = "the name of a bucket, to compare it with those of the key")]
            let bucket = bucket.as_ref().map(|bucket| bucket.expose_secret());
            match asker.account(bucket).await {
                Ok(allowed) => check_pair(&mut answer, profile, allowed),
                Err(doubt) => report(&mut answer, profile, doubt),
            }
        }
    }
    Some(answer)
}

/// Returns the noun for the profile's credential, and its owner: the profile, or the names in a file.
fn describe_owner(profile: &Profile) -> String {
    let noun = if profile.kind().pairs.is_empty() { profile.kind().credential } else { "key pair" };
    let mut names: Vec<_> = profile.credentials().map(|setting| format!("`{}`", setting.name())).collect();
    names.dedup();
    match &profile.found {
        Some(_) => format!("{noun} in {}", names.join(" and ")),
        None => format!("{noun} of `{}`", profile.id),
    }
}

/// Reports that the credential is not valid, or that the service did not say so.
fn report(answer: &mut ProfileAnswer, profile: &Profile, doubt: AskError) {
    let help = if profile.kind().pairs.is_empty() { TOKEN } else { PAIR };
    let what = format!("the {}", describe_owner(profile));
    let label = |draft, text: &str| label_credential(draft, profile, text);
    answer.live.state = report_doubt(answer, profile, &what, doubt, help, label);
}

const TOKEN: &str = "set `token` to a token that is valid at this address";
const PAIR: &str = "set both the keyID and the key again, as they were shown together";
