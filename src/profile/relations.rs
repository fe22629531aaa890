//! What must hold among the values of one set, by the rows of their service.

use crate::config::{Profile, Setting};
use crate::secret::Digest;
use crate::services::{self, Form, Relation};

/// Two values of one set with different parts.
#[derive(Clone, Copy, Debug)]
pub struct Disagreement<'a> {
    /// The part.
    pub part: &'static str,
    /// Its noun.
    pub noun: &'static str,
    /// The words that may be printed of it.
    pub words: &'static [&'static str],
    /// The values.
    pub settings: [&'a Setting; 2],
    /// The advice.
    pub advice: &'static str,
}

/// A value without another one that it needs.
#[derive(Clone, Copy, Debug)]
pub struct Need<'a> {
    /// The value.
    pub setting: &'a Setting,
    /// Its form.
    pub form: &'static Form,
    /// What is set to nothing.
    pub missing: &'a Setting,
    /// The advice.
    pub advice: &'static str,
}

/// The relations of a profile's service.
fn relations(profile: &Profile) -> impl Iterator<Item = &'static Relation> {
    profile.kind().service.into_iter().flat_map(|service| service.relations)
}

fn setting<'a>(profile: &'a Profile, row: &services::Field) -> Option<&'a Setting> {
    Some(row).filter(|row| row.place.0 == profile.kind().name).and_then(|row| profile.setting(row.place.1))
}

/// Returns the values that disagree. An absent part agrees.
#[must_use]
pub fn disagreements(profile: &Profile) -> Vec<Disagreement<'_>> {
    let mut found = Vec::new();
    for relation in relations(profile) {
        let Relation::Agree { part, noun, words, fields, advice, .. } = relation else { continue };
        let has = |row: &&'static services::Field| {
            let setting = setting(profile, row)?;
            // A value that does not belong there is another mistake.
            setting.what().filter(|form| row.takes.contains(form))?;
            Some((setting, setting.facts()?.part(part)?))
        };
        let values: Vec<(&Setting, Digest)> = fields.iter().filter_map(has).collect();
        let other = values.iter().find(|(_, of)| values.first().is_some_and(|(_, own)| own != of));
        if let (Some((one, _)), Some((other, _))) = (values.first(), other) {
            found.push(Disagreement { part, noun, words, settings: [one, other], advice });
        }
    }
    found
}

/// Returns the values that need another one which is set to nothing.
#[must_use]
pub fn needs(profile: &Profile) -> Vec<Need<'_>> {
    let found = relations(profile).filter_map(|relation| {
        let Relation::Needs { form, field, advice, .. } = relation else { return None };
        let has = |setting: &&Setting| {
            let takes = profile.kind().row(setting.field.name).is_some_and(|row| row.takes.contains(form));
            takes && setting.what() == Some(*form)
        };
        let (own, missing) = (profile.credentials().find(has)?, setting(profile, field)?);
        (!missing.is_present()).then_some(Need { setting: own, form, missing, advice })
    });
    found.collect()
}
