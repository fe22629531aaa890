//! A pair whose halves come from two layers.

use super::pair::PairByName;
use super::storage::is_judged;
use crate::config::{Profile, Setting, Shadow, State};
use crate::form::Form;

/// A pair whose halves come from two layers, while the lower one holds both.
#[derive(Clone, Copy, Debug)]
pub struct Split<'a> {
    /// The half that an upper layer sets.
    pub upper: &'a Setting,
    /// The same half in the lower layer.
    pub hidden: Shadow,
    /// The other half, in the lower layer.
    pub lower: &'a Setting,
}

impl<'a> Split<'a> {
    /// What became of a pair whose names and values fit. `None` unless the lower layer certainly holds a pair: what a
    /// reference there leads to is not known, and a pair that is set half here and half there may be meant so.
    #[must_use]
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        let Some(PairByName::Fits { id, key }) = PairByName::from_profile(profile) else { return None };
        // A master key that is made anew keeps its id, and every other id is made with its key.
        let renewed = id.what() == Some(Form::AccountId);
        let key_above = Some((key, id)).filter(|_| !renewed);
        [Some((id, key)), key_above].into_iter().flatten().find_map(|(upper, lower)| {
            let source = lower.found.unwrap_or(lower.at).source;
            let hidden = upper.shadows.iter().find(|shadow| shadow.differs && shadow.at.source == source)?;
            let belongs =
                |setting: &Setting, form: Option<Form>| form.is_some_and(|form| setting.field.forms.contains(&form));
            let both = belongs(upper, hidden.what) && belongs(lower, lower.what());
            let usable = matches!(upper.state, State::Opaque) || belongs(upper, upper.what());
            (both && usable && !is_judged(profile)).then_some(Self { upper, hidden: *hidden, lower })
        })
    }
}
