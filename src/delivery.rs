//! The check and the client put together: a profile that passed becomes a sender, one that did not is refused.

use crate::config::ConfigError;
use crate::finding::Severity;
use crate::lint::{self, CheckOptions, Loaded, Report};
use crate::profile::{Fields, messaging::Method};
use crate::schema::value::{BaseUrl, BearerToken};
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
    /// To which channels, and with which comment. To replace either, change it.
    pub post: Post,
}

/// Why a profile can't be sent with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The check found errors; the report has them.
    Errors,
    /// The profile asks for something that this version can't do.
    Unavailable(UploadError),
}

impl Loaded {
    /// Checks a profile of the messaging service and takes from it what an upload needs. Levels and thresholds tune the
    /// report; an error always refuses.
    ///
    /// # Errors
    /// If there is no such profile, the name is ambiguous, or the profile is of another kind.
    pub fn sender(&self, name: &str) -> Result<(Report, Result<Sender, Refusal>), ConfigError> {
        let profile = self.select(name)?;
        let Fields::Messaging(messaging) = &profile.fields else {
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
            return Ok((report, Err(Refusal::Errors)));
        }
        if messaging.method == Some(Method::External) {
            return Ok((report, Err(Refusal::Unavailable(method_unavailable()))));
        }
        // Everything below has passed a rule; it is asked again all the same, since rules only report.
        let token = messaging.token_handle.and_then(|handle| BearerToken::new(self.config.vault.sealed(handle)).ok());
        let channels: Option<Vec<_>> = messaging.channel_list.iter().map(|channel| channel.id.clone()?.ok()).collect();
        let (Some(Ok(base_url)), Some(token), Some(channels)) = (messaging.address.clone(), token, channels) else {
            return Ok((report, Err(Refusal::Errors)));
        };
        let comment = messaging.comment_handle.map(|handle| self.config.vault.sealed(handle));
        Ok((report, Ok(Sender { base_url, token, post: Post::new(channels).with_comment(comment) })))
    }
}

fn method_unavailable() -> UploadError {
    UploadError {
        code: "method-unavailable",
        message: "the method is `external`, which this version of credlint can't do".to_owned(),
        help: Some("a service that still has `files.upload` takes `upload_method = \"files.upload\"`; the hosted service does not".to_owned()),
    }
}

impl Sender {
    /// Sends one file.
    ///
    /// # Errors
    /// If no client can be made for the address. What becomes of the file is told by the receipt.
    pub async fn send(&self, payload: Payload, settings: Settings, watch: Watch) -> Result<Receipt, UploadError> {
        let client = Client::new(&self.base_url, &self.token, settings)?;
        Ok(client.upload(&self.post, payload, watch).await)
    }
}
