//! A profile of an app of the messaging service.

use super::assessment::Assessment;
use crate::config::{Profile, Setting};
use crate::form::Form;
use crate::schema::APP;
#[cfg(feature = "upload")]
use crate::schema::value::{BaseUrl, UrlFlaw};
#[cfg(feature = "upload")]
use crate::schema::{Secret, Type};

/// Where the hosted service tells whether a token is in force.
/// Source: <https://docs.slack.dev/reference/methods/auth.test>.
#[cfg(feature = "upload")]
const API: &str = "https://slack.com";

/// What an app signs in with: each of its credentials stands for itself.
#[derive(Clone, Copy, Debug)]
pub struct App<'a>(&'a Profile);

impl<'a> App<'a> {
    /// A profile as one of an app. `None` if it is of another kind, or no table.
    #[must_use]
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        (*profile.kind() == APP && !profile.broken).then_some(Self(profile))
    }

    /// What stands in the field of another credential of the app, in the order of the fields. 32 hex digits in the field of
    /// a token may be anything, unless the token stands in the field of the signing secret: then the two were exchanged.
    #[must_use]
    pub fn misplaced(self) -> Vec<(&'a Setting, Form)> {
        let assessment = |setting| Assessment::from_setting(self.0, setting);
        let secret = self.0.setting("signing_secret").map(assessment);
        let exchanged = matches!(secret, Some(Assessment::Misplaced(_)));
        let wrong = |setting: &'a Setting| match assessment(setting) {
            Assessment::Misplaced(form) => Some((setting, form)),
            _ if exchanged && setting.what() == Some(Form::Hex32) => Some((setting, Form::Hex32)),
            _ => None,
        };
        self.0.credentials().filter_map(wrong).collect()
    }

    /// The field where a credential of that form belongs.
    #[must_use]
    pub fn home(form: Form) -> &'static str {
        let home = APP.fields.iter().find(|field| field.forms.contains(&form));
        home.map_or("signing_secret", |field| field.name)
    }

    /// Where to ask: `api_url`, or else the hosted service.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn api(self) -> Option<Result<BaseUrl, UrlFlaw>> {
        match self.0.present("api_url") {
            Some(api_url) => api_url.address().map(|address| address.cloned()),
            None => Some(BaseUrl::parse(API)),
        }
    }

    /// The tokens that are set: those can be asked about.
    #[cfg(feature = "upload")]
    pub fn tokens(self) -> impl Iterator<Item = &'a Setting> {
        let token = |setting: &&Setting| matches!(setting.field.ty, Type::Secret(Secret::Token));
        self.0.credentials().filter(token).filter(|setting| setting.is_present())
    }

    /// The signing secret, which no service can be asked about.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn signing_secret(self) -> Option<&'a Setting> {
        self.0.present("signing_secret")
    }
}
