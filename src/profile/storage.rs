//! A profile of the storage service.

use super::{Draft, Profile, Setting, present};
use crate::schema::value::{BaseUrl, UrlFlaw};
use crate::schema::{Field, Kind};
use crate::secret::{Digest, Handle, KeyShape};

/// Where the hosted service tells what a pair may do.
/// Source: <https://www.backblaze.com/apidocs/b2-authorize-account>.
const API: &str = "https://api.backblazeb2.com";

/// What a client of the storage service needs: one pair of an id and a key.
#[derive(Clone, Debug)]
pub struct Storage {
    /// The id of an application key.
    pub application_key_id: Option<Setting>,
    /// The application key.
    pub application_key: Option<Setting>,
    /// The id of the account.
    pub account_id: Option<Setting>,
    /// The master application key.
    pub master_application_key: Option<Setting>,
    /// The bucket.
    pub bucket: Option<Setting>,
    /// The address of the service.
    pub endpoint: Option<Setting>,
    /// The address, if it is the S3-compatible API of the hosted service.
    pub s3: Option<S3>,
    /// Where to ask for the pair.
    pub api_url: Option<Setting>,
    /// The same, checked. Nothing, if the profile is for another service than the hosted one and does not say.
    pub api: Option<Result<BaseUrl, UrlFlaw>>,
    /// The id and the key of the one pair in the vault, for the client.
    pub pair_handles: Option<(Handle, Handle)>,
    /// The bucket by its name, for the client.
    pub bucket_name: Option<String>,
}

/// The S3-compatible API of the hosted service.
#[derive(Clone, Copy, Debug)]
pub struct S3 {
    /// The cluster that the region ends in, `-NNN`. Source: every public sample, so it is never more than a warning.
    pub cluster: Option<Digest>,
}

/// What the names of the fields say of the pair, whatever their values.
/// Source: the service description, section 5, 5: an application key goes with its id, the account id with the master
/// application key, and mixing the two fails.
#[derive(Clone, Copy, Debug)]
pub enum Pair<'a> {
    /// One whole pair and nothing else.
    Fits { id: &'a Setting, key: &'a Setting },
    /// One half of each pair: an id and a key that don't belong together.
    Mixed { id: &'a Setting, key: &'a Setting },
    /// A whole pair, and halves of the other.
    Two { whole: [&'a Setting; 2], spare: [Option<&'a Setting>; 2] },
    /// Half a pair, or two ids, or two keys.
    Incomplete { present: [Option<&'a Setting>; 2] },
    /// Nothing.
    Missing,
}

/// What the values of a pair say, if its names fit. One verdict for one pair, so that one mistake gives one finding.
/// Sources: those of the shapes, and where another is named.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// Nothing against it: the two fit, or their shapes are not known.
    Silent,
    /// The field of the id holds what is certainly none: a bucket ID or an e-mail address.
    NotAnId { id: &'a Setting, shape: KeyShape },
    /// The field of the id holds a key, or the field of the key an id.
    Swapped { id: &'a Setting, key: &'a Setting },
    /// An id and a key of different pairs, each in a field of its kind.
    Mixed { id: &'a Setting, key: &'a Setting },
    /// A master application key for the S3-compatible API, which takes none.
    /// Source: https://www.backblaze.com/docs/cloud-storage-s3-compatible-app-keys.
    MasterOnS3 { id: &'a Setting, key: &'a Setting, endpoint: &'a Setting },
    /// The master pair in the fields of an application key.
    /// Source: https://www.backblaze.com/docs/cloud-storage-create-and-manage-app-keys.
    MasterAsApplication { id: &'a Setting, key: &'a Setting },
    /// The id is of another cluster than the key or the address: what is known of those, and whether it agrees.
    Clusters { id: &'a Setting, key: Option<(&'a Setting, bool)>, endpoint: Option<(&'a Setting, bool)> },
}

/// The field that a half of a pair goes with.
#[must_use]
pub fn partner(field: &str) -> &'static str {
    match field {
        "application_key_id" => "application_key",
        "application_key" => "application_key_id",
        "account_id" => "master_application_key",
        _ => "account_id",
    }
}

impl Storage {
    pub(super) fn of(draft: &Draft<'_>) -> Self {
        let field = |name| draft.text(name).0;
        let (api_url, api_text) = draft.text("api_url");
        let endpoint = draft.open(draft.text("endpoint").1);
        let api = match draft.open(api_text) {
            Some(address) => Some(BaseUrl::parse(address)),
            None if present(api_url.as_ref()).is_some() => None,
            // A pair of another service must not go to the hosted one.
            None => endpoint
                .is_none_or(|endpoint| address(endpoint).is_some_and(|address| address.is_hosted_storage()))
                .then(|| BaseUrl::parse(API)),
        };
        let handle = |name| draft.handle(draft.text(name).1);
        let mut storage = Self {
            application_key_id: field("application_key_id"),
            application_key: field("application_key"),
            account_id: field("account_id"),
            master_application_key: field("master_application_key"),
            bucket: field("bucket"),
            s3: endpoint.and_then(|endpoint| S3::of(endpoint, draft)),
            endpoint: field("endpoint"),
            api_url,
            api,
            pair_handles: None,
            bucket_name: draft.open(draft.text("bucket").1).map(str::to_owned),
        };
        if let Pair::Fits { id, key } = storage.pair() {
            storage.pair_handles = handle(id.field.name).zip(handle(key.field.name));
        }
        storage
    }

    pub(super) fn settings(&self) -> Vec<&Setting> {
        let Self { application_key_id, application_key, account_id, master_application_key, .. } = self;
        let Self { bucket, endpoint, api_url, .. } = self;
        let all = [application_key_id, application_key, account_id, master_application_key, bucket, endpoint, api_url];
        all.into_iter().flatten().collect()
    }

    /// Which pair the fields that are set make. Empty ones count as absent.
    #[must_use]
    pub fn pair(&self) -> Pair<'_> {
        let [i, k, a, m] =
            [&self.application_key_id, &self.application_key, &self.account_id, &self.master_application_key]
                .map(|field| present(field.as_ref()));
        match (i, k, a, m) {
            (Some(id), Some(key), None, None) | (None, None, Some(id), Some(key)) => Pair::Fits { id, key },
            (None, Some(key), Some(id), None) | (Some(id), None, None, Some(key)) => Pair::Mixed { id, key },
            (Some(i), Some(k), a, m) => Pair::Two { whole: [i, k], spare: [a, m] },
            (i, k, Some(a), Some(m)) => Pair::Two { whole: [a, m], spare: [i, k] },
            (None, None, None, None) => Pair::Missing,
            (i, k, a, m) => Pair::Incomplete { present: [i.or(k), a.or(m)] },
        }
    }

    /// Whether the account that is part of the id of the application key is not the one in `account_id`.
    #[must_use]
    pub fn accounts_differ(&self) -> bool {
        let account = |field: &Option<Setting>| field.as_ref().and_then(Setting::facts).and_then(|facts| facts.account);
        account(&self.application_key_id).zip(account(&self.account_id)).is_some_and(|(one, other)| one != other)
    }

    /// What the values say of a pair whose names fit.
    #[must_use]
    pub fn values(&self) -> Values<'_> {
        use KeyShape::{AccountId, ApplicationKey, BucketId, Email, KeyId, MasterKey, MasterKeyId};
        let Pair::Fits { id, key } = self.pair() else { return Values::Silent };
        let s3 = self.endpoint.as_ref().zip(self.s3);
        match (id.shape(), key.shape()) {
            (Some(shape @ (BucketId | Email)), _) => Values::NotAnId { id, shape },
            (Some(ApplicationKey | MasterKey), _) | (_, Some(KeyId | MasterKeyId)) => Values::Swapped { id, key },
            (Some(AccountId), Some(ApplicationKey)) | (Some(KeyId), Some(MasterKey)) => Values::Mixed { id, key },
            // Either half is enough to know a master pair by. The newer form of its id is not: nobody documents that.
            (Some(AccountId), _) | (_, Some(MasterKey)) if s3.is_some() => match s3 {
                Some((endpoint, _)) => Values::MasterOnS3 { id, key, endpoint },
                None => Values::Silent,
            },
            (Some(AccountId), Some(MasterKey)) if id.field.name == "application_key_id" => {
                Values::MasterAsApplication { id, key }
            }
            (Some(KeyId), _) => Self::clusters(id, key, s3),
            _ => Values::Silent,
        }
    }

    fn clusters<'a>(id: &'a Setting, key: &'a Setting, s3: Option<(&'a Setting, S3)>) -> Values<'a> {
        let cluster = |setting: &Setting| setting.facts().and_then(|facts| facts.cluster);
        let Some(own) = cluster(id) else { return Values::Silent };
        let key = cluster(key).map(|cluster| (key, cluster == own));
        let endpoint = s3.and_then(|(endpoint, s3)| s3.cluster.map(|cluster| (endpoint, cluster == own)));
        if [key, endpoint].into_iter().flatten().all(|(_, agrees)| agrees) {
            return Values::Silent;
        }
        Values::Clusters { id, key, endpoint }
    }

    /// Whether a half is missing because it is set empty or misspelt, which are mistakes of their own.
    #[must_use]
    pub fn explains_absence(&self, profile: &Profile) -> bool {
        let halves = [&self.application_key_id, &self.application_key, &self.account_id, &self.master_application_key];
        let is_half = |name: &str| Kind::Storage.field(name).is_some_and(Field::is_credential);
        halves.into_iter().flatten().any(|half| !half.is_present())
            || profile.unknown.iter().any(|unknown| unknown.meant.is_some_and(is_half))
    }
}

impl S3 {
    fn of(endpoint: &str, draft: &Draft<'_>) -> Option<Self> {
        let address = address(endpoint)?;
        let number = address.s3_region()?.rsplit_once('-').map(|(_, number)| number);
        let number = number.filter(|number| number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit()));
        Some(Self { cluster: number.map(|number| draft.config.vault.cluster(number)) })
    }
}

/// Programs that speak S3 take a host alone, too.
fn address(endpoint: &str) -> Option<BaseUrl> {
    BaseUrl::parse(endpoint).or_else(|_| BaseUrl::parse(&format!("https://{endpoint}"))).ok()
}
