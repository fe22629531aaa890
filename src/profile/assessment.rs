//! What a value is in its field: one verdict for one value, so that one mistake gives one finding.

use crate::config::{Element, Form as Said, Known, Origin, Profile, Setting, State};
use crate::form::{Form, Placeholder, Service, Unexpanded, Wrapping};
use crate::schema::{Field, Secret, Type};
use crate::secret::Facts;

/// What a value is in its field. The first that holds, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Assessment {
    /// Set, but empty.
    Empty,
    /// There is no value to look at: not looked up, not found, or of the wrong type.
    Unread,
    /// A reference that something should have expanded.
    Unexpanded(Unexpanded),
    /// A stand-in.
    Placeholder(Placeholder),
    /// An address where a token belongs.
    UrlAsToken,
    /// It has the right form within something that keeps it from working, or holds what no credential holds.
    Malformed,
    /// A credential that belongs elsewhere.
    Foreign(Form),
    /// A token that can't upload.
    CannotUpload(Form),
    /// A credential of another field of this kind.
    Misplaced(Form),
    /// It has a form that belongs there.
    Recognised(Form),
    /// The hosted service issues nothing of its form, which may be that of something else.
    Unrecognised(Option<Form>),
    /// Its form is not known, as on a server that somebody runs for themselves.
    Unjudged,
    /// No credential, and none of the above.
    Plain,
}

impl Assessment {
    /// Whether it is known to be wrong.
    #[must_use]
    pub const fn is_wrong(self) -> bool {
        !matches!(self, Self::Unread | Self::Recognised(_) | Self::Unrecognised(_) | Self::Unjudged | Self::Plain)
    }

    /// The word for it in every format. `None` of a field that holds no credential.
    #[cfg(feature = "cli")]
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Empty => Some("empty"),
            Self::Unread => Some("unread"),
            Self::Recognised(_) => Some("recognised"),
            Self::Unrecognised(_) => Some("unrecognised"),
            Self::Unjudged => Some("unjudged"),
            _ => Some("wrong"),
        }
    }

    /// What the value of a setting is.
    #[must_use]
    pub fn from_setting(profile: &Profile, setting: &Setting) -> Self {
        from_state(profile, setting.field, &setting.state)
    }

    /// What an element of a list is.
    #[must_use]
    pub fn from_element(profile: &Profile, list: &Setting, element: &Element) -> Self {
        from_state(profile, list.field, &element.state)
    }
}

/// Every value of a profile and what it is: the settings, and the elements of lists.
pub fn assessments(profile: &Profile) -> impl Iterator<Item = (&Setting, Option<&Element>, Assessment)> {
    let settings = profile.settings.iter().filter(|_| !profile.broken);
    settings.flat_map(move |setting| {
        let whole = (setting, None, Assessment::from_setting(profile, setting));
        let elements = setting.elements.iter();
        let elements = elements.map(move |one| (setting, Some(one), Assessment::from_element(profile, setting, one)));
        std::iter::once(whole).chain(elements)
    })
}

/// Whether a setting is a token that rotates, in its place, and written out in a file: nobody puts a new one there in time.
/// A dotenv file is often written by a pipeline that has just got it, and so is the environment.
#[must_use]
pub fn expires(profile: &Profile, setting: &Setting) -> bool {
    setting.form == Said::Literal
        && matches!(setting.origin, Origin::User | Origin::Project | Origin::Given)
        && matches!(
            Assessment::from_setting(profile, setting),
            Assessment::Recognised(Form::RotatedBotToken | Form::RotatedUserToken)
        )
}

/// Whether a profile is for the service whose forms are known.
#[must_use]
pub fn is_hosted(profile: &Profile) -> bool {
    let hosted = &profile.kind().hosted;
    let mut stated = profile.destinations().filter(|setting| matches!(setting.field.ty, Type::Url(_))).peekable();
    if stated.peek().is_none() {
        return hosted.by_default;
    }
    stated.any(|setting| matches!(setting.address(), Some(Ok(address)) if (hosted.is)(address)))
}

/// Whether a profile is for this machine or one beside it, where stand-ins are what works.
#[must_use]
pub fn is_local(profile: &Profile) -> bool {
    profile.addresses().any(|(_, address)| address.is_ok_and(|address| address.is_loopback() || address.is_bare_name()))
}

fn from_state(profile: &Profile, field: &'static Field, state: &State) -> Assessment {
    match state {
        State::Known(known) => from_value(profile, field, known),
        State::Empty if field.is_credential() => Assessment::Empty,
        _ if field.is_credential() => Assessment::Unread,
        _ => Assessment::Plain,
    }
}

fn from_value(profile: &Profile, field: &'static Field, known: &Known) -> Assessment {
    let facts = &known.facts;
    let credential = field.is_credential();
    if facts.empty {
        return if credential { Assessment::Empty } else { Assessment::Plain };
    }
    if let Some(unexpanded) = facts.reading.unexpanded
        && expands(field, unexpanded)
    {
        return Assessment::Unexpanded(unexpanded);
    }
    if !credential {
        return match facts.form().filter(|form| is_foreign(profile, field, *form)) {
            Some(form) => Assessment::Foreign(form),
            None => Assessment::Plain,
        };
    }
    if let Some(placeholder) = facts.reading.placeholder {
        return if is_local(profile) { Assessment::Unjudged } else { Assessment::Placeholder(placeholder) };
    }
    let token = matches!(field.ty, Type::Secret(Secret::Token));
    let hook = facts.reading.form.is_some_and(is_own_webhook)
        && matches!(facts.reading.wrapping, None | Some(Wrapping::Scheme));
    if token && (facts.url || hook) {
        return Assessment::UrlAsToken;
    }
    let hosted = is_hosted(profile);
    if facts.has_odd_characters() || is_wrapped(field, facts, hosted) {
        return Assessment::Malformed;
    }
    let Some(form) = facts.form() else { return unknown(profile, field, hosted) };
    if is_part(field, form) {
        return Assessment::Malformed;
    }
    if is_foreign(profile, field, form) {
        return Assessment::Foreign(form);
    }
    if field.forms.contains(&form) {
        // Tokens of the hosted service have a least length; on other servers any will do, and is not known.
        if token && facts.short {
            return if hosted { Assessment::Malformed } else { Assessment::Unjudged };
        }
        return if hosted || form.is_certain() { Assessment::Recognised(form) } else { Assessment::Unjudged };
    }
    let elsewhere = |other: &Field| other.is_credential() && other.name != field.name && other.forms.contains(&form);
    if profile.kind().fields.iter().any(elsewhere) {
        return match form.is_certain() {
            true => Assessment::Misplaced(form),
            false if hosted => unknown_form(profile, field, form),
            false => Assessment::Unjudged,
        };
    }
    match form {
        _ if is_certainly_none(profile, field, form) => Assessment::Foreign(form),
        _ if token && cannot_upload(form) && profile.kind().sender => Assessment::CannotUpload(form),
        _ if token && cannot_upload(form) => Assessment::Foreign(form),
        Form::OldApplicationKey if profile.kind().partner(field.name).is_some() => Assessment::Unjudged,
        _ if hosted => unknown_form(profile, field, form),
        _ => Assessment::Unjudged,
    }
}

/// Whether what would have expanded a value has no business in that field.
fn expands(field: &Field, unexpanded: Unexpanded) -> bool {
    use crate::form::Expander::{Path, Variable};
    match field.ty {
        // A path is one, a comment may say anything, and a word that is none of the field's is of the wrong type.
        Type::Path => !matches!(unexpanded.by, Path | Variable),
        Type::Text | Type::Choice(_) => false,
        // A name in capitals could be that of a bucket.
        Type::Id(_) if !field.is_credential() => unexpanded.by != Variable,
        _ => true,
    }
}

/// Whether a value of that form certainly belongs elsewhere.
fn is_foreign(profile: &Profile, field: &Field, form: Form) -> bool {
    if field.forms.contains(&form) || !form.is_certain() || !(form.is_secret() || form.is_id()) {
        return false;
    }
    match form {
        // Halves of pairs for other services of the same kind, and webhooks of other servers.
        Form::Other(vendor) if vendor.s3 && field.is_credential() => is_hosted(profile),
        Form::Other(vendor) if vendor.webhook && matches!(field.ty, Type::Url(_)) => false,
        Form::Other(vendor) if vendor.webhook && matches!(field.ty, Type::Secret(Secret::Webhook)) => {
            is_hosted(profile)
        }
        // A webhook as an address has a rule of its own.
        _ if matches!(field.ty, Type::Url(_)) && is_own_webhook(form) => false,
        // Another field of this kind, or another kind of token, has rules of its own.
        _ if field.is_credential() && own_service(profile, form) => {
            let nobodys = matches!(form, Form::StorageToken | Form::StoragePair | Form::ClientId);
            matches!(field.ty, Type::Secret(Secret::Webhook)) || nobodys
        }
        _ => true,
    }
}

/// Whether a value is a part of what belongs in the field, or more than that.
fn is_part(field: &Field, form: Form) -> bool {
    match field.ty {
        Type::Secret(Secret::Webhook) => matches!(form, Form::WebhookPath | Form::WebhookStart),
        _ => form == Form::StoragePair && field.forms.iter().any(|own| own.is_id() || own.is_key()),
    }
}

/// Whether a form is one of the service that the profile's kind is for.
fn own_service(profile: &Profile, form: Form) -> bool {
    let kind = profile.kind();
    kind.fields.iter().flat_map(|field| field.forms).any(|own| own.service() == form.service())
        && form.service() != Service::Many
}

/// Whether a field takes nothing of the kind, though its service issues it: a token or a webhook where a signing secret
/// belongs, an access token where an app-level token does.
fn is_certainly_none(profile: &Profile, field: &Field, form: Form) -> bool {
    let takes = |is: fn(Form) -> bool| field.forms.iter().any(|own| is(*own));
    let secret = form.is_secret() && form.is_certain() && own_service(profile, form);
    secret && (field.forms.is_empty() || form.is_access_token() && !takes(Form::is_access_token))
}

fn is_own_webhook(form: Form) -> bool {
    matches!(form, Form::Webhook | Form::WebhookPath | Form::WebhookStart)
}

/// Tokens of the hosted messaging service that upload nothing.
fn cannot_upload(form: Form) -> bool {
    matches!(form, Form::AppToken | Form::RefreshToken | Form::SessionToken | Form::RetiredToken | Form::WorkflowToken)
}

/// Whether what stands around a value keeps it from working. What could be a part of a value counts only if what is
/// inside certainly has a form that belongs there.
fn is_wrapped(field: &Field, facts: &Facts, hosted: bool) -> bool {
    use Wrapping::{
        Base64, Brackets, Case, Doubled, Escape, Hex, Invisible, Length, Percent, Punctuation, Scheme, Space,
    };
    let Some(wrapping) = facts.reading.wrapping else { return false };
    let Some(form) = facts.reading.form else { return true };
    match wrapping {
        Punctuation | Percent | Base64 | Hex | Doubled | Case | Length | Space | Brackets | Escape | Invisible
        | Scheme => form.is_certain() && (form.is_secret() || form.is_id()) || hosted && field.forms.contains(&form),
        _ => true,
    }
}

/// A value of no known form.
fn unknown(profile: &Profile, field: &Field, hosted: bool) -> Assessment {
    if hosted && issued_there(profile, field) { Assessment::Unrecognised(None) } else { Assessment::Unjudged }
}

/// A value of a form that belongs in no field of the profile's kind, on the hosted service.
fn unknown_form(profile: &Profile, field: &Field, form: Form) -> Assessment {
    if issued_there(profile, field) { Assessment::Unrecognised(Some(form)) } else { Assessment::Unjudged }
}

/// Whether the hosted service issues what belongs in the field in known forms only: of a pair, as far as its other half
/// shows that it is that service's.
fn issued_there(profile: &Profile, field: &Field) -> bool {
    // A signing secret looks like much else.
    if field.forms.is_empty() {
        return false;
    }
    let Some(partner) = profile.kind().partner(field.name) else { return true };
    let others = profile.credentials().filter(|other| other.field.name != field.name);
    // What key goes with the newer ID of a master key is documented nowhere.
    let known = |form: Form| {
        let certain = form.is_certain() && form.service() == Service::Storage && form != Form::MasterKeyId;
        certain || form == Form::MasterKey
    };
    let mut certain = others.filter(|other| other.what().is_some_and(known));
    certain.any(|other| other.field.name == partner || profile.present(partner).is_none())
}
