//! A profile of the storage service.

use super::{Draft, Profile, Setting, present};
use crate::schema::{Field, Kind};

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
}

/// What the names of the fields say of the pair, whatever their values.
/// Source: the service description, section 5, 5: an application key goes with its id, the account id with the master
/// application key, and mixing the two fails.
#[derive(Clone, Copy, Debug)]
pub enum Pair<'a> {
    /// One whole pair and nothing else.
    Fits,
    /// One half of each pair: an id and a key that don't belong together.
    Mixed { id: &'a Setting, key: &'a Setting },
    /// A whole pair, and halves of the other.
    Two { whole: [&'a Setting; 2], spare: [Option<&'a Setting>; 2] },
    /// Half a pair, or two ids, or two keys.
    Incomplete { present: [Option<&'a Setting>; 2] },
    /// Nothing.
    Missing,
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
        Self {
            application_key_id: field("application_key_id"),
            application_key: field("application_key"),
            account_id: field("account_id"),
            master_application_key: field("master_application_key"),
            bucket: field("bucket"),
            endpoint: field("endpoint"),
        }
    }

    pub(super) fn settings(&self) -> Vec<&Setting> {
        let Self { application_key_id, application_key, account_id, master_application_key, bucket, endpoint } = self;
        let all = [application_key_id, application_key, account_id, master_application_key, bucket, endpoint];
        all.into_iter().flatten().collect()
    }

    /// Which pair the fields that are set make. Empty ones count as absent.
    #[must_use]
    pub fn pair(&self) -> Pair<'_> {
        let [i, k, a, m] =
            [&self.application_key_id, &self.application_key, &self.account_id, &self.master_application_key]
                .map(|field| present(field.as_ref()));
        match (i, k, a, m) {
            (Some(_), Some(_), None, None) | (None, None, Some(_), Some(_)) => Pair::Fits,
            (None, Some(key), Some(id), None) | (Some(id), None, None, Some(key)) => Pair::Mixed { id, key },
            (Some(i), Some(k), a, m) => Pair::Two { whole: [i, k], spare: [a, m] },
            (i, k, Some(a), Some(m)) => Pair::Two { whole: [a, m], spare: [i, k] },
            (None, None, None, None) => Pair::Missing,
            (i, k, a, m) => Pair::Incomplete { present: [i.or(k), a.or(m)] },
        }
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
