//! Determines which key pair a profile's fields form, for any kind with pairs.

use super::assessment;
use crate::config::{Profile, Setting};
use crate::services::{Form, Pair};

/// The key pairs that the names of the fields form, whatever their values. Empty fields count as absent.
#[derive(Clone, Debug)]
pub enum PairByName<'a> {
    /// One complete pair and nothing else.
    Fits { id: &'a Setting, key: &'a Setting },
    /// An ID and a key from different pairs.
    Mixed { id: &'a Setting, key: &'a Setting },
    /// A complete pair and fields of others.
    Two { whole: [&'a Setting; 2], spare: Vec<&'a Setting> },
    /// Fields that don't form a pair, such as a single field or two IDs.
    Incomplete { present: Vec<&'a Setting> },
    /// No field is set.
    Missing,
}

impl<'a> PairByName<'a> {
    /// Groups the fields of a profile. `None` if its kind has no pairs.
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        let pairs = profile.kind().pairs;
        if pairs.is_empty() || profile.broken {
            return None;
        }
        let half = |Pair { id, key, .. }: &Pair| (profile.present(id.field), profile.present(key.field));
        let halves: Vec<_> = pairs.iter().map(half).collect();
        let whole = halves.iter().position(|(id, key)| id.is_some() && key.is_some());
        let ids = || halves.iter().filter_map(|(id, _)| *id);
        let keys = || halves.iter().filter_map(|(_, key)| *key);
        if let Some(number) = whole
            && let (Some(id), Some(key)) = halves[number]
        {
            let others = halves.iter().enumerate().filter(|(other, _)| *other != number);
            let beside = |setting: &&Setting| pairs[number].beside.contains(&setting.field.name);
            let spare = others.flat_map(|(_, (id, key))| [*id, *key]).flatten();
            let spare: Vec<_> = spare.filter(|setting| !beside(setting)).collect();
            return Some(if spare.is_empty() { Self::Fits { id, key } } else { Self::Two { whole: [id, key], spare } });
        }
        Some(match (&ids().collect::<Vec<_>>()[..], &keys().collect::<Vec<_>>()[..]) {
            ([], []) => Self::Missing,
            ([id], [key]) => Self::Mixed { id, key },
            _ => Self::Incomplete { present: halves.iter().flat_map(|(id, key)| [*id, *key]).flatten().collect() },
        })
    }
}

/// An ID and a key, at least one of which is in the other's field.
#[derive(Clone, Copy, Debug)]
pub struct Swapped<'a> {
    /// The value in the ID's field.
    pub id: &'a Setting,
    /// True if that is certainly a key.
    pub id_is_key: bool,
    /// The value in the key's field.
    pub key: &'a Setting,
    /// True if that is certainly an ID.
    pub key_is_id: bool,
}

impl<'a> Swapped<'a> {
    /// Compares the values of a pair with its fields. `None` if nothing is certainly misplaced: 12 hex digits as a key
    /// could be anything, and an ID field with neither an ID nor a key is another mistake.
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        let Some(PairByName::Fits { id, key }) = PairByName::from_profile(profile) else { return None };
        let belongs = |form: &'static Form, field: &Setting| field.field.forms.contains(&form);
        let id_is_key = id.what().is_some_and(|form| form.is_key() && belongs(form, key));
        let key_is_id = key.what().is_some_and(|form| form.is_id() && belongs(form, id));
        // A key never equals its ID.
        let twice = id.facts().map(|facts| facts.digest) == key.facts().map(|facts| facts.digest);
        // 12 hex digits could be anything, unless they are part of the ID beside them.
        let account = |setting: &Setting| setting.facts().and_then(|facts| facts.part("account"));
        let own = account(id).is_some() && account(id) == account(key);
        let certain = key_is_id && (twice || own || key.what().is_some_and(|form| form.certain));
        let neither = id.what().is_some_and(|form| !form.is_key() && !form.is_id()) && assessment::is_hosted(profile);
        (id_is_key || certain && !neither).then_some(Self { id, id_is_key, key, key_is_id })
    }
}

/// Returns `true` if a field of the pair is empty or misspelt, which other rules report.
pub fn explains_absence(profile: &Profile) -> bool {
    let is_pair_field = |field: &str| profile.kind().pair_field(field).is_some();
    let empty = profile.settings.iter().any(|setting| is_pair_field(setting.field.name) && !setting.is_present());
    empty || profile.unknown.iter().any(|unknown| unknown.meant.is_some_and(is_pair_field))
}
