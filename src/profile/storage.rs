//! The view of a storage profile.

use crate::config::{Profile, Setting};
use crate::schema::STORAGE;
#[cfg(feature = "upload")]
use crate::schema::value::{BaseUrl, Parsed, UrlFlaw};

/// The settings of a storage client: a key pair and its addresses.
#[derive(Clone, Copy, Debug)]
pub struct Storage<'a>(&'a Profile);

impl<'a> Storage<'a> {
    /// Creates the view. `None` if the profile is of another kind.
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        (*profile.kind() == STORAGE && !profile.broken).then_some(Self(profile))
    }

    /// Returns the API address: `api_url`, or else the hosted service. `None` if the profile uses another service and
    /// has no `api_url`: its key must not be sent to the hosted service.
    #[cfg(feature = "upload")]
    pub fn api_address(self) -> Option<Result<BaseUrl, UrlFlaw>> {
        if let Some(api_url) = self.0.present("api_url") {
            return api_url.address().map(|address| address.cloned());
        }
        let known = self.0.setting("endpoint").and_then(Setting::known);
        let hosted = |parsed: &Parsed| matches!(parsed, Parsed::Url(address) if STORAGE.is_hosted_at(address));
        known.is_none_or(|known| known.parsed.as_ref().is_ok_and(hosted)).then(|| BaseUrl::parse(STORAGE.api_address()))
    }

    /// Returns `true` if the account in the application key's ID differs from `account_id`.
    pub fn accounts_differ(self) -> bool {
        let account = |field| self.0.setting(field).and_then(Setting::facts).and_then(|facts| facts.part("account"));
        account("application_key_id").zip(account("account_id")).is_some_and(|(one, other)| one != other)
    }

    /// Returns the endpoint, if it is the hosted service's S3-compatible API.
    pub fn s3(self) -> Option<&'a Setting> {
        let endpoint = self.0.setting("endpoint")?;
        endpoint.address()?.ok()?.s3_region().map(|_| endpoint)
    }
}
