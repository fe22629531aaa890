//! A pair whose ID and key come from different layers.

use super::pair::PairByName;
use super::storage::is_pair_reported;
use crate::config::{Profile, Setting, Shadow, State};
use crate::services::{Form, Pair};

/// A pair whose ID and key come from different layers, although the lower layer has both.
#[derive(Clone, Copy, Debug)]
pub struct Split<'a> {
    /// The field that the upper layer sets.
    pub upper: &'a Setting,
    /// The same field in the lower layer.
    pub hidden: Shadow,
    /// The other field, in the lower layer.
    pub lower: &'a Setting,
}

impl<'a> Split<'a> {
    /// Detects a split pair. `None` unless the lower layer certainly has a complete pair: a reference there may lead
    /// anywhere, and a pair that is set partly in each layer may be intended.
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        let Some(PairByName::Fits { id, key }) = PairByName::from_profile(profile) else { return None };
        // Some IDs stay when their key is renewed. Any other is created together with its key.
        let of = |pair: &&Pair| id.what().and_then(Form::pair) == Some(pair.part);
        let renewed = profile.kind().pairs.iter().find(of).is_some_and(|pair| pair.keeps_id);
        let key_above = Some((key, id)).filter(|_| !renewed);
        [Some((id, key)), key_above].into_iter().flatten().find_map(|(upper, lower)| {
            let source = lower.found.unwrap_or(lower.at).source;
            let hidden = upper.shadows.iter().find(|shadow| shadow.differs && shadow.at.source == source)?;
            let belongs = |setting: &Setting, form: Option<&'static Form>| {
                form.is_some_and(|form| setting.field.forms.contains(&form))
            };
            let both = belongs(upper, hidden.what) && belongs(lower, lower.what());
            let usable = matches!(upper.state, State::Opaque) || belongs(upper, upper.what());
            (both && usable && !is_pair_reported(profile)).then_some(Self { upper, hidden: *hidden, lower })
        })
    }
}
