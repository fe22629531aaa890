//! Relations that must hold between the values of a set, by the rows of their service.

use super::assessment::names_other_server;
use crate::config::{Profile, Setting};
use crate::secret::{Digest, Facts};
use crate::services::{self, Purpose, Relation};

/// A relation of a profile's service that does not hold.
#[derive(Clone, Copy, Debug)]
pub struct BrokenRelation<'a> {
    /// The row.
    pub relation: &'static Relation,
    /// The value.
    pub setting: &'a Setting,
    /// What the value contains, with its article. Empty if the values only disagree.
    pub holds: &'static str,
    /// The other value. `None` if it is not set.
    pub other: Option<&'a Setting>,
}

/// Returns the relations that do not hold in a profile.
pub fn broken_relations(profile: &Profile) -> impl Iterator<Item = BrokenRelation<'_>> {
    let relations = profile.kind().service.into_iter().flat_map(|service| service.relations);
    relations.filter_map(|relation| {
        let (setting, holds, other) = match relation {
            Relation::Agree { part, fields, .. } => first_disagreement(profile, part, fields)?,
            Relation::Differ { part, field, other, noun, .. } => {
                let (whole, own) = (setting(profile, field)?, setting(profile, other)?);
                let same = whole.facts()?.part(part)? == own.facts()?.whole;
                Some((own, *noun, Some(whole))).filter(|_| same)?
            }
            Relation::Needs { form, field, whole, .. } => {
                let has = |setting: &&Setting| {
                    let takes = setting.field.row.is_some_and(|row| row.takes.contains(form));
                    takes && setting.credential_form() == Some(*form)
                };
                let (own, missing) = (profile.credentials().find(has)?, setting(profile, field));
                // With another host, the service's requirements don't apply.
                let lacks = missing.map_or(*whole, |missing| !missing.is_present()) && !names_other_server(profile);
                Some((own, form.noun, missing)).filter(|_| lacks)?
            }
            Relation::Made { fields, with, .. } => {
                let found = profile.found.as_ref()?;
                let differs = |field: &&&services::Field| found.not_made_with.contains(&(field.place.1, with.place.1));
                let own = setting(profile, fields.iter().find(differs)?)?;
                Some((own, "", setting(profile, with)))?
            }
            Relation::Beside { forms, field, beside, words, holding, .. } => {
                let (own, other) = (setting(profile, field)?, setting(profile, beside)?);
                let form = own.facts()?.form_among(forms).filter(|form| forms.contains(form))?;
                let holds = holding.is_none_or(|(part, word)| own.facts().is_some_and(|facts| facts.has(part, word)));
                let takes = |facts: &Facts| {
                    let form = || facts.form_among(beside.takes).is_some_and(|form| beside.takes.contains(&form));
                    if words.is_empty() { form() } else { words.iter().any(|word| facts.equals(word)) }
                };
                let any = beside.takes.is_empty() && words.is_empty();
                let said = if any { other.is_present() } else { other.facts().is_some_and(takes) };
                Some((own, form.noun, Some(other))).filter(|_| said && holds)?
            }
        };
        Some(BrokenRelation { relation, setting, holds, other })
    })
}

fn setting<'a>(profile: &'a Profile, row: &services::Field) -> Option<&'a Setting> {
    Some(row).filter(|row| row.place.0 == profile.kind().name).and_then(|row| profile.setting(row.place.1))
}

/// Returns the first two values that disagree. An absent part agrees.
fn first_disagreement<'a>(
    profile: &'a Profile,
    part: &str,
    fields: &'static [&'static services::Field],
) -> Option<(&'a Setting, &'static str, Option<&'a Setting>)> {
    let has = |row: &&'static services::Field| {
        let setting = setting(profile, row)?;
        let facts = setting.facts()?;
        let known = facts.form_among(row.takes).filter(|form| row.takes.contains(form));
        // The whole value is the part: the name of an organization, or the address of a self-hosted server.
        let address = row.purpose == Purpose::Endpoint && part == "url";
        if row.takes.is_empty() || known.is_none() && address {
            return facts.is_real().then_some((setting, facts.whole));
        }
        // A value that does not belong there is another mistake.
        known?;
        Some((setting, facts.part(part)?))
    };
    let mut values = fields.iter().filter_map(has);
    let (one, own): (&Setting, Digest) = values.next()?;
    let (other, _) = values.find(|(_, of)| own != *of)?;
    Some((one, "", Some(other)))
}
