//! The check and the client put together: a profile that passed becomes a sender, one that did not is refused.

use crate::config::{ConfigError, Setting};
use crate::finding::Severity;
use crate::lint::{self, CheckOptions, Loaded, Report};
use crate::profile::Messaging;
use crate::schema::method::Method;
use crate::schema::value::{BaseUrl, BearerToken, CaFile};
use crate::source::Problem;
use crate::upload::{Client, Payload, Post, Receipt, Settings, UploadError, Watch};

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
}

impl Loaded {
    /// Checks a profile of the messaging service and takes from it what an upload needs. Levels and thresholds tune the
    /// report; an error always refuses.
    ///
    /// Nothing in place of the sender: the check found errors, and the report has them.
    ///
    /// # Errors
    /// If there is no such profile, the name is ambiguous, or the profile is of another kind.
    pub fn sender(&self, name: &str) -> Result<(Report, Option<Sender>), ConfigError> {
        let profile = self.select(name)?;
        let Some(messaging) = Messaging::of_profile(profile).filter(|_| profile.kind().sender) else {
            let message = format!(
                "`{}` is a {} profile; files are sent with one of the messaging service",
                profile.id, profile.id.kind
            );
            let problem = Problem::new("wrong-kind", message).help("choose a profile under `messaging`");
            return Err(self.error(vec![problem]));
        };
        let options = CheckOptions { profiles: vec![profile.id.to_string()], ..CheckOptions::default() };
        let mut report = lint::check(self, &options)?;
        // Levels and allows tune the report of a check; what is refused here is told whatever they say.
        report.findings = lint::examine(profile);
        report.allowed.clear();
        if report.findings.iter().any(|finding| finding.severity == Severity::Error) {
            return Ok((report, None));
        }
        // Everything below has passed a rule; it is asked again all the same, since rules only report.
        let token = messaging.token().and_then(Setting::known);
        let token = token.and_then(|token| BearerToken::new(self.config.vault.sealed(token.handle)).ok());
        let channels: Option<Vec<_>> =
            messaging.channels().iter().map(|channel| channel.channel()?.ok().cloned()).collect();
        let (Some(Ok(base_url)), Some(token), Some(channels), Some(method)) =
            (messaging.address(), token, channels, messaging.method())
        else {
            return Ok((report, None));
        };
        let comment = messaging.comment().map(|handle| self.config.vault.sealed(handle));
        let (post, ca_file) = (Post::new(channels).with_comment(comment), messaging.ca_file().cloned());
        let base_url = base_url.clone();
        Ok((report, Some(Sender { base_url, token, method, post, ca_file })))
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
            Settings { method: Some(self.method), ca_file: self.ca_file.clone(), ..settings },
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
