//! The view of a storage profile.

use super::assessment;
use super::pair::{PairByName, Swapped};
use crate::config::{Profile, Setting};
use crate::schema::STORAGE;
#[cfg(feature = "upload")]
use crate::schema::value::{BaseUrl, Parsed, UrlFlaw};
#[cfg(feature = "upload")]
use crate::secret::Handle;
use crate::services::{Form, backblaze, many};

/// The hosted service's API, which tells what a key may do. Source:
/// <https://www.backblaze.com/apidocs/b2-authorize-account>.
#[cfg(feature = "upload")]
const API: &str = "https://api.backblazeb2.com";

/// The settings of a storage client: a key pair and its addresses.
#[derive(Clone, Copy, Debug)]
pub struct Storage<'a>(&'a Profile);

/// What the values of a pair reveal, if its names fit. Each pair has a single verdict, so that one mistake gives one
/// finding. Sources: those of the forms, unless another one is given.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// No problem: the values fit, their forms are unknown, or they are swapped.
    Silent,
    /// The ID's field has a bucket ID or an e-mail address.
    NotAnId { id: &'a Setting, form: &'static Form },
    /// An ID and a key from different pairs, each in a field of the right type.
    Mixed { id: &'a Setting, key: &'a Setting },
    /// A master application key with the S3-compatible API, which rejects it. Source:
    /// <https://www.backblaze.com/docs/cloud-storage-s3-compatible-app-keys>.
    MasterOnS3 { id: &'a Setting, key: &'a Setting, endpoint: &'a Setting },
    /// The master pair in the fields of an application key. Source:
    /// <https://www.backblaze.com/docs/cloud-storage-create-and-manage-app-keys>.
    MasterAsApplication { id: &'a Setting, key: &'a Setting },
    /// An application key's pair in the fields of the master pair.
    ApplicationAsMaster { id: &'a Setting, key: &'a Setting },
    /// The ID is from another cluster than the key or the endpoint. Each has a flag that is true if it agrees with the
    /// ID.
    Clusters { id: &'a Setting, key: Option<(&'a Setting, bool)>, endpoint: Option<(&'a Setting, bool)> },
}

impl<'a> Storage<'a> {
    /// Creates the view. `None` if the profile is of another kind.
    #[must_use]
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        (*profile.kind() == STORAGE && !profile.broken).then_some(Self(profile))
    }

    /// Returns the bucket.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn bucket(self) -> Option<&'a Setting> {
        self.0.present("bucket")
    }

    /// Returns the API address: `api_url`, or else the hosted service. `None` if the profile uses another service and
    /// has no `api_url`: its key must not be sent to the hosted service.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn api(self) -> Option<Result<BaseUrl, UrlFlaw>> {
        if let Some(api_url) = self.0.present("api_url") {
            return api_url.address().map(|address| address.cloned());
        }
        let known = self.0.setting("endpoint").and_then(Setting::known);
        let hosted = |parsed: &Parsed| matches!(parsed, Parsed::Url(address) if address.is_hosted_storage());
        known.is_none_or(|known| known.parsed.as_ref().is_ok_and(hosted)).then(|| BaseUrl::parse(API))
    }

    /// Returns the ID and the key of the only pair.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn pair(self) -> Option<(Handle, Handle)> {
        let Some(PairByName::Fits { id, key }) = PairByName::from_profile(self.0) else { return None };
        Some((id.known()?.handle, key.known()?.handle))
    }

    /// Returns `true` if the account in the application key's ID differs from `account_id`.
    #[must_use]
    pub fn accounts_differ(self) -> bool {
        let account = |field| self.0.setting(field).and_then(Setting::facts).and_then(|facts| facts.part("account"));
        account("application_key_id").zip(account("account_id")).is_some_and(|(one, other)| one != other)
    }

    /// Returns the endpoint, if it is the hosted service's S3-compatible API.
    #[must_use]
    pub fn s3(self) -> Option<&'a Setting> {
        let endpoint = self.0.setting("endpoint")?;
        endpoint.address()?.ok()?.s3_region().map(|_| endpoint)
    }

    /// Compares the values of a pair whose names fit.
    #[must_use]
    pub fn values(self) -> Values<'a> {
        let Some(PairByName::Fits { id, key }) = PairByName::from_profile(self.0) else { return Values::Silent };
        if Swapped::from_profile(self.0).is_some() {
            return Values::Silent;
        }
        let (s3, hosted) = (self.s3(), assessment::is_hosted(self.0));
        let (id_form, key_form) = (id.what(), key.what());
        let pair = |setting: &Setting| setting.facts().and_then(|facts| facts.part("pair"));
        let account = id_form == Some(&backblaze::ACCOUNT_ID);
        let master = key_form == Some(&backblaze::MASTER_KEY);
        if let Some(form) = id_form.filter(|form| hosted && form.is_one_of(&[&backblaze::BUCKET_ID, &many::EMAIL])) {
            return Values::NotAnId { id, form };
        }
        match (
            pair(id).filter(|_| id_form.is_some_and(Form::is_id)),
            pair(key).filter(|_| key_form.is_some_and(Form::is_key)),
        ) {
            (Some(of_id), Some(of_key)) if of_id != of_key => return Values::Mixed { id, key },
            _ => {}
        }
        // Either value identifies a master pair. The newer form of its ID does not, because it is not documented.
        if let Some(endpoint) = s3.filter(|_| account || master) {
            return Values::MasterOnS3 { id, key, endpoint };
        }
        if account && master && hosted && id.field.name == "application_key_id" {
            return Values::MasterAsApplication { id, key };
        }
        if id_form != Some(&backblaze::KEY_ID) {
            return Values::Silent;
        }
        match self.clusters(id, key) {
            Values::Silent if key_form == Some(&backblaze::APPLICATION_KEY) && id.field.name == "account_id" => {
                Values::ApplicationAsMaster { id, key }
            }
            clusters => clusters,
        }
    }

    fn clusters(self, id: &'a Setting, key: &'a Setting) -> Values<'a> {
        let cluster = |setting: &Setting| setting.facts().and_then(|facts| facts.part("cluster"));
        let Some(own) = cluster(id) else { return Values::Silent };
        let agrees = |setting| cluster(setting).map(|cluster| (setting, cluster == own));
        let (key, endpoint) = (agrees(key), self.s3().and_then(agrees));
        if [key, endpoint].into_iter().flatten().all(|(_, agrees)| agrees) {
            return Values::Silent;
        }
        Values::Clusters { id, key, endpoint }
    }
}

/// Returns `true` if other rules report the profile's pair, by its names or its values.
#[must_use]
pub fn is_pair_reported(profile: &Profile) -> bool {
    let fits = matches!(PairByName::from_profile(profile), None | Some(PairByName::Fits { .. }));
    let silent = Storage::from_profile(profile).is_none_or(|storage| matches!(storage.values(), Values::Silent));
    !fits || !silent || Swapped::from_profile(profile).is_some()
}
