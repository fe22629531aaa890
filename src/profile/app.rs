//! The view of an app profile.

use super::assessment::Assessment;
use crate::config::{Profile, Setting};
use crate::schema::APP;
#[cfg(feature = "upload")]
use crate::schema::value::{BaseUrl, UrlFlaw};
#[cfg(feature = "upload")]
use crate::schema::{Secret, Type};
use crate::services::{Form, many};

/// An app's credentials. Each is used on its own.
#[derive(Clone, Copy, Debug)]
pub struct App<'a>(&'a Profile);

impl<'a> App<'a> {
    /// Creates the view. `None` if the profile is of another kind.
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        (*profile.kind() == APP && !profile.broken).then_some(Self(profile))
    }

    /// Returns credentials that are in the field of another one, in field order. 32 hex digits in a token field may be
    /// anything, unless the signing secret's field holds that token: then the two are swapped.
    pub fn misplaced(self) -> Vec<(&'a Setting, &'static Form)> {
        let assessment = |setting| Assessment::from_setting(self.0, setting);
        let secret = self.0.setting("signing_secret").map(assessment);
        let exchanged = matches!(secret, Some(Assessment::Misplaced(_)));
        let wrong = |setting: &'a Setting| match assessment(setting) {
            Assessment::Misplaced(form) => Some((setting, form)),
            _ if exchanged && setting.credential_form() == Some(&many::HEX_32) => Some((setting, &many::HEX_32)),
            _ => None,
        };
        self.0.credentials().filter_map(wrong).collect()
    }

    /// Returns the field for a credential of this form.
    pub fn field_for(form: &'static Form) -> &'static str {
        let home = APP.fields.iter().find(|field| field.forms.contains(&form));
        home.map_or("signing_secret", |field| field.name)
    }

    /// Returns the API address: `api_url`, or else the hosted service.
    #[cfg(feature = "upload")]
    pub fn api_address(self) -> Option<Result<BaseUrl, UrlFlaw>> {
        match self.0.present("api_url") {
            Some(api_url) => api_url.address().map(|address| address.cloned()),
            None => Some(BaseUrl::parse(APP.api_address())),
        }
    }

    /// Returns the tokens that are set. A service can verify these.
    #[cfg(feature = "upload")]
    pub fn tokens(self) -> impl Iterator<Item = &'a Setting> {
        let token = |setting: &&Setting| matches!(setting.field.ty, Type::Secret(Secret::Token));
        self.0.credentials().filter(token).filter(|setting| setting.is_present())
    }
}
