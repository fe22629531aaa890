//! Fix for `swapped-key-pair`: swaps the values of an ID and its key.

use zeroize::Zeroizing;

use super::proof::Change;
use super::repair::{self, Edit, Repair, RepairFor};
use super::view::{Refusal, Shared, View};
use crate::config::{Profile, Setting};
use crate::finding::Finding;
use crate::lint::Loaded;
use crate::schema::Role;
use crate::services::Form;
use crate::text::Span;

/// The only fix that could be wrong, so its result is checked before it is accepted.
pub(super) const RULE: &str = "swapped-key-pair";

/// The locations of both keys.
struct Swap {
    key: Span,
    id: Span,
}

/// Returns the swap of the two fields that the labels name.
pub(super) fn repair_for(finding: &Finding, profile: &Profile, loaded: &Loaded) -> Option<RepairFor> {
    let named = |setting: &&Setting| finding.labels.iter().any(|label| label.key == setting.key);
    let key = profile.settings.iter().filter(named).find(|setting| setting.field.role == Role::Secret)?;
    let id = profile.setting(profile.kind().partner(key.field.name)?)?;
    // A value of unknown form could be an older application key, which must not become the ID.
    let one_sided = id.what().is_some_and(Form::is_key) != key.what().is_some_and(Form::is_id);
    Some(match (repair::home(key, loaded), repair::home(id, loaded)) {
        (Ok(_), Ok(_)) if one_sided => Err("only one of the two is certainly in the wrong field"),
        (Ok(one), Ok(other)) if one == other => Ok((one, Box::new(Swap { key: key.at.span, id: id.at.span }))),
        (Ok(_), Ok(_)) => Err("the ID and the key are in different files"),
        (Err(why), _) | (_, Err(why)) => Err(why),
    })
}

impl Repair for Swap {
    fn edit(&self, view: &View<'_>, _: &Shared, finding: &Finding) -> Result<Edit, Refusal> {
        let [key, id] = [view.leaf(self.key)?, view.leaf(self.id)?];
        let [one, other] = [key, id].map(|value| Zeroizing::new(view.raw(value.at.span).to_owned()));
        let [secret, public] = [key, id].map(|value| Zeroizing::new(view.decoded(value).to_owned()));
        let label = repair::key(finding);
        let half = finding.labels.iter().map(|label| label.key.as_str()).find(|key| *key != label);
        Ok(Edit {
            pieces: vec![(key.at.span, other), (id.at.span, one)],
            changes: vec![(key.at.span, Change::Value(public)), (id.at.span, Change::Value(secret))],
            text: format!("swapped the values of `{label}` and `{}`", half.unwrap_or("the other field")),
        })
    }
}
