//! The servers of a profile: where its credentials are sent, and whose they are.

use crate::config::{Profile, Setting};
use crate::schema::value::{BaseUrl, Parsed, UrlFlaw};
use crate::schema::{Address, Type};

/// Returns the settings with an address of this use.
fn addresses(profile: &Profile, of: Address) -> impl Iterator<Item = &Setting> {
    profile.settings.iter().filter(move |setting| matches!(setting.field.ty, Type::Url(own) if own == of))
}

/// Returns the endpoint, if it is the hosted service's S3-compatible API.
pub fn s3_endpoint(profile: &Profile) -> Option<&Setting> {
    addresses(profile, Address::Endpoint).find(|endpoint| {
        endpoint.address().is_some_and(|address| address.is_ok_and(|address| address.s3_region().is_some()))
    })
}

/// Returns the API address: the stated one, or else the hosted service's. `None` if the profile must state one.
pub fn api_address(profile: &Profile) -> Option<Result<BaseUrl, UrlFlaw>> {
    match addresses(profile, Address::Api).find(|setting| setting.is_present()) {
        Some(stated) => stated.address().map(|address| address.cloned()),
        None => hosted_api(profile).filter(|_| profile.kind().hosted_by_default),
    }
}

/// Returns the API address of the hosted service. `None` if the endpoint is another service's: the key must not be sent to
/// the hosted service.
pub fn hosted_api(profile: &Profile) -> Option<Result<BaseUrl, UrlFlaw>> {
    let kind = profile.kind();
    let hosted = |parsed: &Parsed| matches!(parsed, Parsed::Url(address) if kind.is_hosted_at(address));
    let mut known = addresses(profile, Address::Endpoint).filter_map(Setting::known);
    let own = known.all(|known| known.parsed.as_ref().is_ok_and(hosted));
    own.then(|| BaseUrl::parse(kind.api_address()))
}
