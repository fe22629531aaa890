//! The view of a storage profile.

use super::assessment;
use super::pair::{PairByName, Swapped};
use super::pair_values::{described, is_no_half};
use crate::config::{Profile, Setting};
use crate::schema::STORAGE;
#[cfg(feature = "upload")]
use crate::schema::value::{BaseUrl, Parsed, UrlFlaw};
#[cfg(feature = "upload")]
use crate::secret::Handle;
use crate::services::{Form, Pair};

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
    /// A pair that the S3-compatible API does not take.
    RefusedByS3 { id: &'a Setting, key: &'a Setting, endpoint: &'a Setting },
    /// A pair in the fields of another one.
    OtherPair { id: &'a Setting, key: &'a Setting, pair: &'static Pair },
    /// The ID is from another cluster than the key or the endpoint. Each has a flag that is true if it agrees with the
    /// ID.
    Clusters { id: &'a Setting, key: Option<(&'a Setting, bool)>, endpoint: Option<(&'a Setting, bool)> },
}

impl<'a> Storage<'a> {
    /// Creates the view. `None` if the profile is of another kind.
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        (*profile.kind() == STORAGE && !profile.broken).then_some(Self(profile))
    }

    /// Returns the API address: `api_url`, or else the hosted service. `None` if the profile uses another service and
    /// has no `api_url`: its key must not be sent to the hosted service.
    #[cfg(feature = "upload")]
    pub fn api(self) -> Option<Result<BaseUrl, UrlFlaw>> {
        if let Some(api_url) = self.0.present("api_url") {
            return api_url.address().map(|address| address.cloned());
        }
        let known = self.0.setting("endpoint").and_then(Setting::known);
        let hosted = |parsed: &Parsed| matches!(parsed, Parsed::Url(address) if STORAGE.is_hosted_at(address));
        known.is_none_or(|known| known.parsed.as_ref().is_ok_and(hosted)).then(|| BaseUrl::parse(STORAGE.home()))
    }

    /// Returns the ID and the key of the only pair.
    #[cfg(feature = "upload")]
    pub fn pair(self) -> Option<(Handle, Handle)> {
        let Some(PairByName::Fits { id, key }) = PairByName::from_profile(self.0) else { return None };
        Some((id.known()?.handle, key.known()?.handle))
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

    /// Compares the values of a pair whose names fit.
    pub fn values(self) -> Values<'a> {
        let Some(PairByName::Fits { id, key }) = PairByName::from_profile(self.0) else { return Values::Silent };
        if Swapped::from_profile(self.0).is_some() {
            return Values::Silent;
        }
        let (s3, hosted) = (self.s3(), assessment::is_hosted(self.0));
        let (id_form, key_form) = (id.what(), key.what());
        if let Some(form) = id_form.filter(|form| hosted && is_no_half(form)) {
            return Values::NotAnId { id, form };
        }
        let kind = self.0.kind();
        let of_id = kind.pair_of(id_form.filter(|form| form.is_id()));
        let of_key = kind.pair_of(key_form.filter(|form| form.is_key()));
        let of_both = match (of_id, of_key) {
            (Some(one), Some(other)) if one.part != other.part => return Values::Mixed { id, key },
            (Some(pair), Some(_)) => Some(pair),
            _ => None,
        };
        // Either value tells the pair, unless nobody says which keys are issued with that ID.
        if let Some(endpoint) = s3.filter(|_| of_id.or(of_key).is_some_and(Pair::is_refused_by_s3)) {
            return Values::RefusedByS3 { id, key, endpoint };
        }
        if of_id.is_none() {
            return Values::Silent;
        }
        match self.clusters(id, key) {
            Values::Silent => match of_both.filter(|pair| pair.id.field != id.field.name) {
                Some(pair) if hosted || !pair.is_refused_by_s3() => Values::OtherPair { id, key, pair },
                _ => Values::Silent,
            },
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

/// Returns the ID and the key of a pair that stands in the fields of another one, each with what it looks like.
pub fn in_fields_of_other_pair(profile: &Profile, is: fn(&Pair) -> bool) -> Option<[(&Setting, String); 2]> {
    let Values::OtherPair { id, key, pair } = Storage::from_profile(profile)?.values() else { return None };
    let told = |setting| described(profile, setting).map(|(_, told)| (setting, format!("looks like {told}")));
    is(pair).then_some([told(id)?, told(key)?])
}

/// Returns `true` if other rules report the profile's pair, by its names or its values.
pub fn is_pair_reported(profile: &Profile) -> bool {
    let fits = matches!(PairByName::from_profile(profile), None | Some(PairByName::Fits { .. }));
    let silent = Storage::from_profile(profile).is_none_or(|storage| matches!(storage.values(), Values::Silent));
    !fits || !silent || Swapped::from_profile(profile).is_some()
}
