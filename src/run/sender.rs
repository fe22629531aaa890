//! Checks a profile and turns it into a sender if it passes.

use crate::code::Code;
use crate::config::{ConfigError, Profile, Setting};
use crate::finding::{Finding, Severity};
use crate::lint::{self, CheckOptions, Loaded, Report};
use crate::profile::Messaging;
use crate::schema::Type;
use crate::schema::method::Method;
use crate::schema::value::{BaseUrl, BearerToken, CaFile};
use crate::source::Problem;
use crate::upload::{Client, OwnSecrets, Payload, Post, Receipt, Settings, UploadError, Watch};

/// A profile that passed its check and is ready to send files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sender {
    /// The address of the service.
    pub base_url: BaseUrl,
    /// The token.
    pub token: BearerToken,
    /// The upload method.
    pub method: Method,
    /// The channels and the comment. Callers may replace them.
    pub post: Post,
    /// A certificate authority to trust in addition to those of the system.
    pub ca_file: Option<CaFile>,
    /// Secrets that no file may contain.
    pub own_secrets: OwnSecrets,
}

/// A profile that was checked for sending.
pub(super) struct CheckedSender<'a> {
    pub(super) profile: &'a Profile,
    /// The report after levels and allows.
    pub(super) report: Report,
    /// All findings, before levels and allows.
    pub(super) raw: Vec<Finding>,
    /// `None` if there are errors.
    pub(super) sender: Option<Sender>,
}

impl Loaded {
    /// Checks a messaging profile and extracts what an upload needs. Levels and thresholds tune the report, but an
    /// error always refuses.
    ///
    /// The sender is `None` if the check found errors; the report has them.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile does not exist, its name is ambiguous, or it is of another kind.
    pub fn sender(&self, name: &str) -> Result<(Report, Option<Sender>), ConfigError> {
        let CheckedSender { mut report, raw, sender, .. } = self.check_sender(name)?;
        // Findings that refuse the upload are reported regardless of levels and allows.
        report.findings = raw;
        report.allowed.clear();
        Ok((report, sender))
    }

    pub(super) fn check_sender(&self, name: &str) -> Result<CheckedSender<'_>, ConfigError> {
        let profile = self.select(name)?;
        let Some(messaging) = Messaging::from_profile(profile).filter(|_| profile.kind().sender) else {
            let kind = profile.kind();
            let article = if kind.name.starts_with('a') { "an" } else { "a" };
            let message = format!("`{}` is {article} {kind} profile; uploads need a messaging profile", profile.id);
            let problem = Problem::new(Code::WrongKind, message).help("choose a profile under `messaging`");
            return Err(self.error(vec![problem]));
        };
        let options = CheckOptions { profiles: vec![profile.id.to_string()], ..CheckOptions::default() };
        let mut raw: Vec<Finding> = Vec::new();
        let report = lint::check_examined(self, &options, |_, found| raw.extend_from_slice(found))?;
        let refused = raw.iter().any(|finding| finding.severity == Severity::Error);
        let sender = if refused { None } else { self.sender_from(profile, messaging) };
        Ok(CheckedSender { profile, report, raw, sender })
    }

    /// Extracts the values. Rules have checked them already, but rules only report, so they are checked again.
    fn sender_from(&self, profile: &Profile, messaging: Messaging<'_>) -> Option<Sender> {
        let vault = &self.config.vault;
        let token = messaging.token().and_then(Setting::known)?;
        let token = BearerToken::new(vault.sealed(token.handle)).ok()?;
        let channels: Option<Vec<_>> =
            messaging.channels().iter().map(|channel| channel.channel()?.ok().cloned()).collect();
        let comment = messaging.comment().map(|handle| vault.sealed(handle));
        Some(Sender {
            base_url: messaging.address()?.ok()?.clone(),
            token,
            method: messaging.method()?,
            post: Post::new(channels?).with_comment(comment),
            ca_file: messaging.ca_file().cloned(),
            own_secrets: self.own_secrets(profile),
        })
    }

    /// Returns every secret of a profile, whatever it is used for.
    pub(super) fn own_secrets(&self, profile: &Profile) -> OwnSecrets {
        let secrets = profile.settings.iter().filter(|setting| matches!(setting.field.ty, Type::Secret(_)));
        let known = secrets.filter_map(|setting| Some((setting.field.name, setting.known()?.handle)));
        OwnSecrets::new(known.map(|(field, handle)| (field, self.config.vault.sealed(handle))))
    }
}

impl Sender {
    /// Creates a client for this profile. Uploads with the same client share connections.
    ///
    /// # Errors
    ///
    /// Returns an error if no client can be created for the address.
    pub fn client(&self, settings: Settings) -> Result<Client, UploadError> {
        Client::new(
            &self.base_url,
            &self.token,
            Settings {
                method: Some(self.method),
                ca_file: self.ca_file.clone(),
                own_secrets: self.own_secrets.clone(),
                ..settings
            },
        )
    }

    /// Sends one file.
    ///
    /// # Errors
    ///
    /// Returns an error if no client can be created for the address. The receipt has the result of the upload.
    pub async fn send(&self, payload: Payload, settings: Settings, watch: Watch) -> Result<Receipt, UploadError> {
        Ok(self.client(settings)?.upload(&self.post, payload, watch).await)
    }
}
