//! What must hold among the values of one set, by the rows of their service.

use crate::config::{Profile, Setting};
use crate::secret::{Digest, Facts};
use crate::services::{self, Form, Purpose, Relation, Source};

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
    /// True if the service itself says so.
    pub official: bool,
}

/// A value that another one already has as a part.
#[derive(Clone, Copy, Debug)]
pub struct Repetition<'a> {
    /// The value.
    pub setting: &'a Setting,
    /// The value that has it as a part.
    pub whole: &'a Setting,
    /// What it is, to precede "in `NAME`".
    pub noun: &'static str,
    /// What belongs there.
    pub wanted: &'static str,
    /// How to repair it.
    pub repair: &'static str,
    /// True if the service itself says so.
    pub official: bool,
}

/// A value without another one that it needs.
#[derive(Clone, Copy, Debug)]
pub struct Need<'a> {
    /// The value.
    pub setting: &'a Setting,
    /// Its form.
    pub form: &'static Form,
    /// What is set to nothing. `None` if nothing sets it.
    pub missing: Option<&'a Setting>,
    /// The field that is missing.
    pub field: &'static services::Field,
    /// The advice.
    pub advice: &'static str,
}

/// A value that is wrong because of another one that is set.
#[derive(Clone, Copy, Debug)]
pub struct Misfit<'a> {
    /// The value.
    pub setting: &'a Setting,
    /// Its form.
    pub form: &'static Form,
    /// The other value.
    pub beside: &'a Setting,
    /// What the other value shows, to follow its name.
    pub noun: &'static str,
    /// The advice.
    pub advice: &'static str,
    /// Where this was read.
    pub source: Source,
}

/// The relations of a profile's service.
fn relations(profile: &Profile) -> impl Iterator<Item = &'static Relation> {
    profile.kind().service.into_iter().flat_map(|service| service.relations)
}

fn setting<'a>(profile: &'a Profile, row: &services::Field) -> Option<&'a Setting> {
    Some(row).filter(|row| row.place.0 == profile.kind().name).and_then(|row| profile.setting(row.place.1))
}

/// Returns the values that disagree. An absent part agrees.
pub fn disagreements(profile: &Profile) -> Vec<Disagreement<'_>> {
    let mut found = Vec::new();
    for relation in relations(profile) {
        let Relation::Agree { part, noun, words, fields, advice, source } = relation else { continue };
        let has = |row: &&'static services::Field| {
            let setting = setting(profile, row)?;
            let facts = setting.facts()?;
            let known = facts.form_among(row.takes).filter(|form| row.takes.contains(form));
            // Nothing but the part stands there: the name of an organization, or the address of a server of one's own.
            let address = row.purpose() == Purpose::Endpoint && *part == "url";
            if row.takes.is_empty() || known.is_none() && address {
                return facts.is_real().then_some((setting, facts.itself));
            }
            // A value that does not belong there is another mistake.
            known?;
            Some((setting, facts.part(part)?))
        };
        let values: Vec<(&Setting, Digest)> = fields.iter().filter_map(has).collect();
        let other = values.iter().find(|(_, of)| values.first().is_some_and(|(_, own)| own != of));
        if let (Some((one, _)), Some((other, _))) = (values.first(), other) {
            let official = source.is_official();
            found.push(Disagreement { part, noun, words, settings: [one, other], advice, official });
        }
    }
    found
}

/// Returns the values that must not be a part of another one, and are.
pub fn repetitions(profile: &Profile) -> Vec<Repetition<'_>> {
    let found = relations(profile).filter_map(|relation| {
        let Relation::Differ { part, field, other, noun, repair, source } = relation else { return None };
        let (whole, setting) = (setting(profile, field)?, setting(profile, other)?);
        let same = whole.facts()?.part(part)? == setting.facts()?.itself;
        let (wanted, official) = (other.noun, source.is_official());
        same.then_some(Repetition { setting, whole, noun, wanted, repair, official })
    });
    found.collect()
}

/// Returns the values that need another one which is set to nothing, or not set if nothing works without it.
pub fn needs(profile: &Profile) -> Vec<Need<'_>> {
    // At another host nothing of the service is required.
    if profile.found.as_ref().and_then(|found| found.host.as_ref()).is_some_and(|host| !host.own) {
        return Vec::new();
    }
    let found = relations(profile).filter_map(|relation| {
        let Relation::Needs { form, field, whole, advice, .. } = relation else { return None };
        let has = |setting: &&Setting| {
            let takes = profile.kind().row(setting.field.name).is_some_and(|row| row.takes.contains(form));
            takes && setting.what() == Some(*form)
        };
        let (own, missing) = (profile.credentials().find(has)?, setting(profile, field));
        let lacks = missing.map_or(*whole, |missing| !missing.is_present());
        lacks.then_some(Need { setting: own, form, missing, field, advice })
    });
    found.collect()
}

/// Returns the values that are wrong because of another one that is set.
pub fn misfits(profile: &Profile) -> Vec<Misfit<'_>> {
    let found = relations(profile).filter_map(|relation| {
        let Relation::Beside { forms, field, beside: other, noun, advice, source } = relation else { return None };
        let (own, beside) = (setting(profile, field)?, setting(profile, other)?);
        let form = own.facts()?.form_among(forms).filter(|form| forms.contains(form))?;
        let takes = |facts: &Facts| facts.form_among(other.takes).is_some_and(|form| other.takes.contains(&form));
        let said = if other.takes.is_empty() { beside.is_present() } else { beside.facts().is_some_and(takes) };
        said.then_some(Misfit { setting: own, form, beside, noun, advice, source: *source })
    });
    found.collect()
}
