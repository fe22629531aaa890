//! Check, then send: a profile that passed becomes a sender, one that did not is refused.

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

/// A profile that passed its check, ready to send files with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sender {
    /// Where to.
    pub base_url: BaseUrl,
    /// With which token.
    pub token: BearerToken,
    /// By which method.
    pub method: Method,
    /// To which channels, and with which comment. To replace either, change it.
    pub post: Post,
    /// Whose certificates to trust beside those of the system.
    pub ca_file: Option<CaFile>,
    /// What no file that is sent may contain.
    pub own_secrets: OwnSecrets,
}

/// A profile that was checked to send with it.
pub(super) struct CheckedSender<'a> {
    pub(super) profile: &'a Profile,
    /// As levels and allows tune it.
    pub(super) report: Report,
    /// What was found, whatever they say.
    pub(super) raw: Vec<Finding>,
    /// `None` if there are errors among it.
    pub(super) sender: Option<Sender>,
}

impl Loaded {
    /// Checks a profile of the messaging service and takes from it what an upload needs. Levels and thresholds tune the
    /// report; an error always refuses.
    ///
    /// `None` in place of the sender: the check found errors, and the report has them.
    ///
    /// # Errors
    /// If there is no such profile, the name is ambiguous, or the profile is of another kind.
    pub fn sender(&self, name: &str) -> Result<(Report, Option<Sender>), ConfigError> {
        let CheckedSender { mut report, raw, sender, .. } = self.check_sender(name)?;
        // What is refused here is told whatever levels and allows say.
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

    /// Everything here has passed a rule; it is asked again all the same, since rules only report.
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

    /// Every secret of a profile, whatever it is used for.
    pub(super) fn own_secrets(&self, profile: &Profile) -> OwnSecrets {
        let secrets = profile.settings.iter().filter(|setting| matches!(setting.field.ty, Type::Secret(_)));
        let known = secrets.filter_map(|setting| Some((setting.field.name, setting.known()?.handle)));
        OwnSecrets::new(known.map(|(field, handle)| (field, self.config.vault.sealed(handle))))
    }
}

impl Sender {
    /// The client for this profile; several uploads share its connections.
    ///
    /// # Errors
    /// If none can be made for the address.
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
    /// If no client can be made for the address. What becomes of the file is told by the receipt.
    pub async fn send(&self, payload: Payload, settings: Settings, watch: Watch) -> Result<Receipt, UploadError> {
        Ok(self.client(settings)?.upload(&self.post, payload, watch).await)
    }
}
