//! Checks profiles, then asks the services whether the credentials of those that passed are valid and sufficient.
//! Nothing is posted or changed.

use futures_util::{StreamExt, stream};

use super::answer::ProfileAnswer;
use super::probe::{ProbeTarget, answer, asked};
use crate::config::{ConfigError, Profile};
use crate::finding::{Finding, Severity};
use crate::lint::live::{Live, Validity};
use crate::lint::{self, CheckOptions, Loaded, Report};
use crate::schema::ProfileId;
use crate::schema::value::ChannelId;
use crate::shorthand::setters;
use crate::upload::Settings;

/// The maximum number of profiles verified at a time.
const AT_A_TIME: usize = 8;

/// The options of a verification.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// The profiles, as `kind.name` or name. Empty means all.
    pub profiles: Vec<String>,
    /// The severity at which verification fails. `None` uses the configuration, or else errors.
    pub fail_on: Option<Severity>,
    /// The channels to look up instead of those in the profiles.
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
    report: Report,
    /// The last ones of the report: those before them can't be asked about.
    profiles: Vec<(&'a Profile, ProbeTarget)>,
    channels: Vec<ChannelId>,
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
                profiles.push((profile, asked(&self.config.vault, profile, &options.settings)));
            }
        }
        findings.extend(rest);
        report.findings = findings;
        Ok(Verification { report, profiles, channels: options.channels.clone() })
    }
}

impl<'a> Verification<'a> {
    pub(super) const fn new(
        report: Report,
        profiles: Vec<(&'a Profile, ProbeTarget)>,
        channels: Vec<ChannelId>,
    ) -> Self {
        Self { report, profiles, channels }
    }

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
        let answers = profiles.into_iter().map(|(profile, asked)| answer(profile, asked, &channels));
        let answers: Vec<Option<ProfileAnswer>> = stream::iter(answers).buffered(AT_A_TIME).collect().await;
        let (mut findings, mut verified) = (Vec::new(), Vec::new());
        let before = report.profiles.len() - answers.len();
        for (id, _) in &report.profiles[..before] {
            let name = id.file.as_deref().unwrap_or_default();
            let reason = format!("verify this configuration with `--config {name}`");
            verified.push((
                id.clone(),
                Live { not_asked: vec![(String::new(), reason)], ..Live::new(Validity::Unknown, None) },
            ));
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
            *verdict = verdict.with(&own, state);
            findings.extend(own);
        }
        findings.append(&mut report.findings);
        report.findings = findings;
        report.live = Some(verified);
        report
    }
}
