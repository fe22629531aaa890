//! A profile of the storage service.

use super::assessment;
use super::pair::{PairByName, Swapped};
use crate::config::{Profile, Setting};
use crate::form::Form;
use crate::schema::STORAGE;
#[cfg(feature = "upload")]
use crate::schema::value::{BaseUrl, Parsed, UrlFlaw};
#[cfg(feature = "upload")]
use crate::secret::Handle;

/// Where the hosted service tells what a pair may do.
/// Source: <https://www.backblaze.com/apidocs/b2-authorize-account>.
#[cfg(feature = "upload")]
const API: &str = "https://api.backblazeb2.com";

/// What a client of the storage service needs: one pair of an id and a key.
#[derive(Clone, Copy, Debug)]
pub struct Storage<'a>(&'a Profile);

/// What the values of a pair say, if its names fit. One verdict for one pair, so that one mistake gives one finding.
/// Sources: those of the shapes, and where another is named.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// Nothing against it: the two fit, their shapes are not known, or they are swapped.
    Silent,
    /// The field of the id holds what is certainly none: a bucket ID or an e-mail address.
    NotAnId { id: &'a Setting, form: Form },
    /// An id and a key of different pairs, each in a field of its kind.
    Mixed { id: &'a Setting, key: &'a Setting },
    /// A master application key for the S3-compatible API, which takes none.
    /// Source: https://www.backblaze.com/docs/cloud-storage-s3-compatible-app-keys.
    MasterOnS3 { id: &'a Setting, key: &'a Setting, endpoint: &'a Setting },
    /// The master pair in the fields of an application key.
    /// Source: https://www.backblaze.com/docs/cloud-storage-create-and-manage-app-keys.
    MasterAsApplication { id: &'a Setting, key: &'a Setting },
    /// The pair of an application key in the fields of the master pair.
    ApplicationAsMaster { id: &'a Setting, key: &'a Setting },
    /// The id is of another cluster than the key or the address: what is known of those, and whether it agrees.
    Clusters { id: &'a Setting, key: Option<(&'a Setting, bool)>, endpoint: Option<(&'a Setting, bool)> },
}

impl<'a> Storage<'a> {
    /// A profile as one of the storage service. `None` if it is of another kind, or no table.
    #[must_use]
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        (*profile.kind() == STORAGE && !profile.broken).then_some(Self(profile))
    }

    /// The bucket.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn bucket(self) -> Option<&'a Setting> {
        self.0.present("bucket")
    }

    /// Where to ask for the pair: `api_url`, or else the hosted service. `None` if the profile is for another service
    /// and does not say: its pair must not go to the hosted one.
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

    /// The id and the key of the one pair in the vault, for the client.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn pair(self) -> Option<(Handle, Handle)> {
        let Some(PairByName::Fits { id, key }) = PairByName::from_profile(self.0) else { return None };
        Some((id.known()?.handle, key.known()?.handle))
    }

    /// Whether the account that is part of the id of the application key is not the one in `account_id`.
    #[must_use]
    pub fn accounts_differ(self) -> bool {
        let account = |field| self.0.setting(field).and_then(Setting::facts).and_then(|facts| facts.account);
        account("application_key_id").zip(account("account_id")).is_some_and(|(one, other)| one != other)
    }

    /// The address, if it is the S3-compatible API of the hosted service.
    #[must_use]
    pub fn s3(self) -> Option<&'a Setting> {
        let endpoint = self.0.setting("endpoint")?;
        endpoint.address()?.ok()?.s3_region().map(|_| endpoint)
    }

    /// What the values say of a pair whose names fit.
    #[must_use]
    pub fn values(self) -> Values<'a> {
        use Form::{AccountId, ApplicationKey, BucketId, Email, KeyId, MasterKey};
        let Some(PairByName::Fits { id, key }) = PairByName::from_profile(self.0) else { return Values::Silent };
        if Swapped::from_profile(self.0).is_some() {
            return Values::Silent;
        }
        let (s3, hosted) = (self.s3(), assessment::is_hosted(self.0));
        match (id.what(), key.what()) {
            (Some(form @ (BucketId | Email)), _) if hosted => Values::NotAnId { id, form },
            (Some(AccountId), Some(ApplicationKey)) | (Some(KeyId), Some(MasterKey)) => Values::Mixed { id, key },
            // Either half is enough to know a master pair by. The newer form of its id is not: nobody documents that.
            (Some(AccountId), _) | (_, Some(MasterKey)) if s3.is_some() => match s3 {
                Some(endpoint) => Values::MasterOnS3 { id, key, endpoint },
                None => Values::Silent,
            },
            (Some(AccountId), Some(MasterKey)) if hosted && id.field.name == "application_key_id" => {
                Values::MasterAsApplication { id, key }
            }
            (Some(KeyId), key_form) => match self.clusters(id, key) {
                Values::Silent if key_form == Some(ApplicationKey) && id.field.name == "account_id" => {
                    Values::ApplicationAsMaster { id, key }
                }
                clusters => clusters,
            },
            _ => Values::Silent,
        }
    }

    fn clusters(self, id: &'a Setting, key: &'a Setting) -> Values<'a> {
        let cluster = |setting: &Setting| setting.facts().and_then(|facts| facts.cluster);
        let Some(own) = cluster(id) else { return Values::Silent };
        let agrees = |setting| cluster(setting).map(|cluster| (setting, cluster == own));
        let (key, endpoint) = (agrees(key), self.s3().and_then(agrees));
        if [key, endpoint].into_iter().flatten().all(|(_, agrees)| agrees) {
            return Values::Silent;
        }
        Values::Clusters { id, key, endpoint }
    }
}

/// Whether something is said of the pair of a profile: by its names, or by its values.
#[must_use]
pub fn is_judged(profile: &Profile) -> bool {
    let fits = matches!(PairByName::from_profile(profile), None | Some(PairByName::Fits { .. }));
    let silent = Storage::from_profile(profile).is_none_or(|storage| matches!(storage.values(), Values::Silent));
    !fits || !silent || Swapped::from_profile(profile).is_some()
}
