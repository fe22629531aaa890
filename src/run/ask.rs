//! Check, then ask: for each profile that passed, its service is asked whether the credential is in force and may do
//! what the profile is for. Nothing is posted, and nothing is changed.

use futures_util::{StreamExt, stream};

use super::answer::ProfileAnswer;
use super::probe::{ProbeTarget, answer, asked};
use crate::config::{ConfigError, Profile};
use crate::finding::{Finding, Severity};
use crate::lint::live::Validity;
use crate::lint::{self, CheckOptions, Loaded, Report};
use crate::schema::ProfileId;
use crate::schema::value::ChannelId;
use crate::upload::Settings;

/// So many profiles are asked for at a time.
const AT_A_TIME: usize = 8;

/// What to ask.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// The profiles, `kind.name` or the name alone. None means all.
    pub profiles: Vec<String>,
    /// The severity from which it fails; if not given, what the configuration says, or else an error.
    pub fail_on: Option<Severity>,
    /// The channels to ask for in place of those of the profiles.
    pub channels: Vec<ChannelId>,
    /// How long to wait for the services.
    pub settings: Settings,
}

impl VerifyOptions {
    /// Asks for these profiles only, `kind.name` or the name alone.
    #[must_use]
    pub fn with_profiles(mut self, profiles: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.profiles = profiles.into_iter().map(Into::into).collect();
        self
    }

    /// Fails from this severity up.
    #[must_use]
    pub fn with_fail_on(mut self, severity: Severity) -> Self {
        self.fail_on = Some(severity);
        self
    }

    /// Asks for these channels in place of those of the profiles.
    #[must_use]
    pub fn with_channels(mut self, channels: impl IntoIterator<Item = ChannelId>) -> Self {
        self.channels = channels.into_iter().collect();
        self
    }

    /// Waits for the services as these say.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }
}

/// Questions that are ready to be asked. Nothing was sent yet.
#[derive(Debug)]
pub struct Verification<'a> {
    report: Report,
    profiles: Vec<(&'a Profile, ProbeTarget)>,
    channels: Vec<ChannelId>,
}

impl Loaded {
    /// Checks profiles and asks the services for those without errors, over the network.
    ///
    /// # Errors
    /// If there is no such profile, or the name is ambiguous. What the services say, also if they say nothing, is told
    /// by the report.
    pub async fn verify(&self, options: &VerifyOptions) -> Result<Report, ConfigError> {
        Ok(self.questions(options)?.ask().await)
    }

    /// The same up to the point where something is sent, so that it can be told who is going to get a credential.
    ///
    /// # Errors
    /// As for [`Loaded::verify`].
    pub fn questions(&self, options: &VerifyOptions) -> Result<Verification<'_>, ConfigError> {
        let check =
            CheckOptions { profiles: options.profiles.clone(), fail_on: options.fail_on, ..CheckOptions::default() };
        let mut examined = Vec::new();
        let mut report = lint::check_examined(self, &check, |profile, found| examined.push((profile, found.to_vec())))?;
        let mut profiles = Vec::new();
        let (mut findings, mut rest) = (Vec::new(), std::mem::take(&mut report.findings));
        for (profile, raw) in examined {
            let own = rest.extract_if(.., |finding| finding.profile.as_ref() == Some(&profile.id));
            // Levels and allows tune the report of a check; they never send a credential.
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

    /// The profiles that will be asked for, and the services that get their credentials: scheme, host and port.
    #[must_use]
    pub fn destinations(&self) -> Vec<(ProfileId, String)> {
        let asked = self.profiles.iter().filter_map(|(profile, asked)| match asked {
            ProbeTarget::Service { origin, .. } => Some((profile.id.clone(), origin.clone())),
            ProbeTarget::Refused | ProbeTarget::Unavailable(_) | ProbeTarget::Unknowable => None,
        });
        asked.collect()
    }

    /// Asks. Needs a tokio runtime with I/O and time; dropping the future breaks the requests off.
    pub async fn ask(self) -> Report {
        let Self { mut report, profiles, channels } = self;
        let answers = profiles.into_iter().map(|(profile, asked)| answer(profile, asked, &channels));
        let answers: Vec<Option<ProfileAnswer>> = stream::iter(answers).buffered(AT_A_TIME).collect().await;
        let (mut findings, mut said) = (Vec::new(), Vec::new());
        for ((id, verdict), answer) in report.profiles.iter_mut().zip(answers) {
            let mut own: Vec<Finding> =
                report.findings.extract_if(.., |finding| finding.profile.as_ref() == Some(id)).collect();
            let mut state = Validity::Unknown;
            if let Some(ProfileAnswer { live, findings }) = answer {
                own.extend(findings);
                // What no service can be asked about is as well known as before.
                let open = live.credentials.iter().any(|(_, life)| *life == Validity::Unknown);
                state = if open { Validity::Unknown } else { live.state };
                said.push((id.clone(), live));
            }
            *verdict = verdict.with(&own, state);
            findings.extend(own);
        }
        findings.append(&mut report.findings);
        report.findings = findings;
        report.live = Some(said);
        report
    }
}
