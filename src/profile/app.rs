//! Profiles of several credentials, each of which is used on its own: those of an app.

use super::assessment::Assessment;
use crate::config::{Profile, Setting};
use crate::schema::{Kind, Probe};
use crate::schema::{Secret, Type};
use crate::services::{Form, many};

/// Returns credentials that are in the field of another one, in field order. 32 hex digits in a token field may be
/// anything, unless the field for a value of unknown form holds that token: then the two are swapped.
pub fn exchanged_credentials(profile: &Profile) -> Vec<(&Setting, &'static Form)> {
    if profile.broken || profile.kind().probe != Some(Probe::App) {
        return Vec::new();
    }
    let misplaced = |setting: &Setting| match Assessment::from_setting(profile, setting) {
        Assessment::Misplaced(form) => Some(form),
        _ => None,
    };
    let mut open = profile.credentials().filter(|setting| setting.field.forms().is_empty());
    let exchanged = open.find_map(misplaced).is_some();
    let wrong = |setting: &Setting| {
        let hex = setting.credential_form().filter(|form| exchanged && **form == many::HEX_32);
        misplaced(setting).or(hex)
    };
    profile.credentials().filter_map(|setting| Some((setting, wrong(setting)?))).collect()
}

/// Returns the field for a credential of this form, or else the one for a value of unknown form.
pub fn field_for(kind: &Kind, form: &'static Form) -> &'static str {
    let home = kind.fields.iter().find(|field| field.forms().contains(&form));
    let open = || kind.fields.iter().find(|field| field.is_credential() && field.forms().is_empty());
    home.or_else(open).map_or("", |field| field.name)
}

/// Returns the tokens that are set. A service can verify these.
pub fn tokens(profile: &Profile) -> impl Iterator<Item = &Setting> {
    let token = |setting: &&Setting| matches!(setting.field.ty, Type::Secret(Secret::Token));
    profile.credentials().filter(token).filter(|setting| setting.is_present())
}
