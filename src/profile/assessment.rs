//! Assesses a value in its field. Each value has a single assessment, so that one mistake gives one finding.

use crate::config::{Element, HostBeside, Known, Profile, Setting, State};
use crate::form::{Placeholder, Unexpanded, Wrapping};
use crate::schema::{Field, Secret, Type, VARIABLE};
use crate::secret::Facts;
use crate::services::{Form, HostRule, Purpose};

/// The assessment of a value in its field. The first variant that applies wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assessment {
    /// Set to an empty string.
    Empty,
    /// No value is available: it was not looked up, not found, or has the wrong type.
    Unread,
    /// A reference that some tool should have expanded.
    Unexpanded(Unexpanded),
    /// A placeholder.
    Placeholder(Placeholder),
    /// An address in a token field.
    UrlAsToken,
    /// An address instead of a key, and not an address of the service.
    Address,
    /// Has a valid form but also something that breaks it, or contains characters that no credential has.
    Malformed,
    /// A credential that belongs elsewhere.
    Foreign(&'static Form),
    /// A token that can't upload.
    CannotUpload(&'static Form),
    /// A credential of another field of this kind.
    Misplaced(&'static Form),
    /// Not what the field accepts at the host next to it.
    Elsewhere(&'static HostRule, Option<&'static Form>),
    /// Has a form that fits the field.
    Recognised(&'static Form),
    /// Not issued by the hosted service; it may have another known form.
    Unrecognised(Option<&'static Form>),
    /// Unknown form, as self-hosted servers use.
    Unjudged,
    /// Not a credential, and none of the above.
    Plain,
}

impl Assessment {
    /// Returns `true` if the value is known to be wrong.
    pub const fn is_wrong(self) -> bool {
        !matches!(self, Self::Unread | Self::Recognised(_) | Self::Unrecognised(_) | Self::Unjudged | Self::Plain)
    }

    /// Returns the word used in every format. `None` for a field that does not hold a credential.
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

    /// Returns what a list says of a value: the word for it, its form, and how it looks without one.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "only the program lists values"))]
    pub fn standing(
        self,
        profile: &Profile,
        setting: &Setting,
    ) -> (&'static str, Option<&'static Form>, Option<String>) {
        let facts = setting.facts();
        let form = facts.and_then(|facts| facts.form_among(setting.field.forms()));
        let placeholder = facts.and_then(|facts| facts.reading.placeholder);
        let is_stand_in = placeholder.is_some_and(|found| found.is_never_valid() || found == Placeholder::Null);
        // The name of such a value does not say what it takes.
        let is_open = profile.kind().name == VARIABLE.name && !is_stand_in && setting.oddity.is_none();
        let state = match self.name() {
            Some("wrong") if is_open && form.is_some() => "set",
            Some("wrong") if is_open => "unjudged",
            Some("unjudged") if facts.is_some_and(|facts| facts.url) => "set",
            state => state.unwrap_or("set"),
        };
        let looks = facts.filter(|_| form.is_none() && state != "empty" && setting.field.is_credential());
        (state, form, looks.map(|facts| facts.looks(setting.name())))
    }

    /// Assesses the value of a setting.
    pub fn from_setting(profile: &Profile, setting: &Setting) -> Self {
        Self::from_state(profile, setting.field, &setting.state)
    }

    /// Assesses a value of a field: that of a setting, or an element of a list.
    pub fn from_state(profile: &Profile, field: &'static Field, state: &State) -> Self {
        match state {
            State::Known(known) => from_value(profile, field, known),
            State::Empty if field.is_credential() => Self::Empty,
            _ if field.is_credential() => Self::Unread,
            _ => Self::Plain,
        }
    }
}

/// Returns every value of a profile with its assessment: settings and list elements.
pub fn assessments(profile: &Profile) -> impl Iterator<Item = (&Setting, Option<&Element>, Assessment)> {
    let settings = profile.settings.iter().filter(|_| !profile.broken);
    settings.flat_map(move |setting| {
        let whole = (setting, None, Assessment::from_setting(profile, setting));
        let elements = setting.elements.iter();
        let elements =
            elements.map(move |one| (setting, Some(one), Assessment::from_state(profile, setting.field, &one.state)));
        std::iter::once(whole).chain(elements)
    })
}

/// Returns `true` if a profile uses the hosted service, whose credentials have known forms.
pub fn is_hosted(profile: &Profile) -> bool {
    let kind = profile.kind();
    if let Some(host) = host_beside(profile) {
        return host.own;
    }
    let mut stated = profile.destinations().filter(|setting| matches!(setting.field.ty, Type::Url(_))).peekable();
    if stated.peek().is_none() {
        return kind.hosted_by_default;
    }
    stated.any(|setting| matches!(setting.address(), Some(Ok(address)) if kind.is_hosted_at(address)))
}

/// Returns what is known about the host next to a credential of another program.
fn host_beside(profile: &Profile) -> Option<&HostBeside> {
    profile.found.as_ref()?.host.as_ref()
}

/// Returns `true` if a profile states another server than the hosted service's.
pub(super) fn names_other_server(profile: &Profile) -> bool {
    let beside = host_beside(profile).is_some();
    let stated = || profile.destinations().any(|setting| matches!(setting.field.ty, Type::Url(_)));
    !is_hosted(profile) && (beside || stated())
}

/// Returns `true` if a profile uses this machine or its network, where placeholders work.
pub fn is_local(profile: &Profile) -> bool {
    host_beside(profile).is_some_and(|host| host.local)
        || profile
            .addresses()
            .any(|(_, address)| address.is_ok_and(|address| address.is_loopback() || address.is_bare_name()))
}

fn from_value(profile: &Profile, field: &'static Field, known: &Known) -> Assessment {
    let facts = &known.facts;
    if let Some(unexpanded) = facts.reading.unexpanded.filter(|found| is_wrong_reference(field, *found)) {
        return Assessment::Unexpanded(unexpanded);
    }
    // No program accepts an address like this.
    if facts.url_inside && matches!(field.ty, Type::Path | Type::Text) && !profile.is_declared() {
        return Assessment::Malformed;
    }
    if !field.is_credential() {
        let mistake = |form: &&'static Form| field.mistake(form).is_some();
        let foreign = || facts.form().filter(|form| is_foreign(profile, field, form)).map(Assessment::Foreign);
        let misplaced = form_of(field, facts).filter(mistake).map(Assessment::Misplaced);
        return misplaced.or_else(foreign).unwrap_or(Assessment::Plain);
    }
    if matches!(field.ty, Type::Path) {
        return assess_path(profile, field, facts);
    }
    if facts.not_utf8 || facts.pem.is_some() {
        return Assessment::Malformed;
    }
    if let Some(placeholder) = facts.reading.placeholder {
        let issued = is_local(profile) || may_be_issued(profile, placeholder);
        return if issued { Assessment::Unjudged } else { Assessment::Placeholder(placeholder) };
    }
    let hook = facts.reading.form.is_some_and(|form| form.is_webhook() && profile.kind().issues(form))
        && matches!(facts.reading.wrapping, None | Some(Wrapping::Scheme));
    if is_token(field) && (facts.url || hook) {
        return Assessment::UrlAsToken;
    }
    if is_broken(profile, field, facts) {
        return Assessment::Malformed;
    }
    match (host_rule(profile, field), form_of(field, facts)) {
        (Some(at), _) => assess_at_host(profile, at, field, facts),
        (None, Some(form)) => assess_form(profile, field, facts, form),
        (None, None) if is_key_by_address(profile, field, facts) => Assessment::Address,
        // Many servers accept the messages of a Slack webhook.
        (None, None) if facts.url && matches!(field.ty, Type::Secret(Secret::Webhook)) => Assessment::Unjudged,
        (None, None) => assess_unknown(profile, field, None),
    }
}

const fn is_token(field: &Field) -> bool {
    matches!(field.ty, Type::Secret(Secret::Token))
}

/// Returns `true` if some server may have issued a placeholder: a self-hosted one `xoxb-test`, and many accept values that
/// look like placeholders. None issues words that ask for a value, or a value that a console masked.
fn may_be_issued(profile: &Profile, placeholder: Placeholder) -> bool {
    let stub = placeholder == Placeholder::Stub && names_other_server(profile);
    !placeholder.is_never_valid() && (stub || profile.kind().is_shared())
}

/// Returns `true` if something around or in a value breaks it.
fn is_broken(profile: &Profile, field: &Field, facts: &Facts) -> bool {
    let hosted = is_hosted(profile);
    // Keys have several lines, and a password for a self-hosted server may contain anything.
    let spaced = facts.reading.form.is_some_and(|form| form.spaced);
    let anything = spaced || profile.kind().is_shared() && !hosted;
    facts.blank_end && !spaced
        || facts.escape_end
        || facts.has_odd_characters() && !anything
        || is_wrapped(field, facts, hosted && !is_local(profile))
}

/// Assesses a value of a known form. The first line that applies wins.
fn assess_form(profile: &Profile, field: &'static Field, facts: &Facts, form: &'static Form) -> Assessment {
    use Assessment::{Address, CannotUpload, Foreign, Malformed, Misplaced, Recognised, Unjudged};
    let (kind, hosted, token) = (profile.kind(), is_hosted(profile), is_token(field));
    let said = field.mistake(form).is_some();
    let (shared, takes, issued) = (kind.is_shared(), field.forms().contains(&form), kind.issues(form));
    // The name tells whose value it is, unless another server is next to it.
    let theirs = hosted || !profile.is_declared() && !names_other_server(profile);
    let other_token = token && form.purpose == Purpose::OtherToken && issued;
    match form {
        _ if shared && said => Misplaced(form),
        _ if shared && is_key_by_address(profile, field, facts) => Address,
        _ if shared => Unjudged,
        _ if is_part(field, form) => Malformed,
        _ if is_foreign(profile, field, form) => Foreign(form),
        _ if theirs && !takes && said => Misplaced(form),
        // Tokens of the hosted service have a minimum length; other servers accept any length.
        _ if takes && token && facts.short => {
            if hosted {
                Malformed
            } else {
                Unjudged
            }
        }
        _ if takes && (hosted || form.certain) && !is_undocumented_pair(profile, field, form) => Recognised(form),
        _ if takes => Unjudged,
        _ if !said && is_key_by_address(profile, field, facts) => Address,
        // A value that the service issues for another job is wrong, unless its form is ambiguous.
        _ if !kind.judged_together && issued && (form.identifies_issuer() || said) => Misplaced(form),
        _ if !kind.judged_together && issued => Unjudged,
        _ if kind.accepts(form) && form.certain => Misplaced(form),
        _ if kind.accepts(form) => assess_unknown(profile, field, Some(form)),
        _ if is_never_valid(profile, field, form) => Foreign(form),
        _ if other_token && kind.sender => CannotUpload(form),
        _ if other_token => Foreign(form),
        // A value that the service may have issued for this or another job.
        _ if form.is_secret() && issued && kind.partner(field.name).is_some() => Unjudged,
        _ => assess_unknown(profile, field, Some(form)),
    }
}

/// Returns `true` for an address instead of an ID, a key or a token that no service issues in this form.
fn is_key_by_address(profile: &Profile, field: &Field, facts: &Facts) -> bool {
    let purpose = field.row.map(|row| row.purpose);
    let key = matches!(purpose, Some(Purpose::Key | Purpose::AccessToken | Purpose::OtherToken));
    let webhook = matches!(field.ty, Type::Secret(Secret::Webhook));
    if !profile.kind().judged_together {
        return facts.url && (key || !field.forms().is_empty()) && !webhook;
    }
    // For tokens, another rule reports it, and a webhook is reported as such.
    facts.url && matches!(field.ty, Type::Secret(Secret::Key)) && !facts.form().is_some_and(Form::is_webhook)
}

/// Assesses a value in a field that may contain a path, which may be anything.
fn assess_path(profile: &Profile, field: &Field, facts: &Facts) -> Assessment {
    match form_of(field, facts) {
        Some(form) if field.mistake(form).is_some() => Assessment::Misplaced(form),
        // A token of another service is not an address.
        Some(form)
            if profile.kind().is_shared() && form.identifies_issuer() && form.is_secret() && !form.is_address() =>
        {
            Assessment::Foreign(form)
        }
        _ if matches!(facts.reading.wrapping, Some(Wrapping::Quotes)) => Assessment::Malformed,
        _ => Assessment::Unjudged,
    }
}

/// Returns what a field accepts at the host next to it, if a row says so.
fn host_rule(profile: &Profile, field: &Field) -> Option<&'static HostRule> {
    // Two services share the rows of a protocol.
    host_beside(profile)?.at.iter().find(|at| at.field.place.1 == field.name).copied()
}

/// Assesses a value by what its field accepts at the host next to it.
fn assess_at_host(profile: &Profile, at: &'static HostRule, field: &Field, facts: &Facts) -> Assessment {
    if at.words.iter().any(|word| facts.equals(word)) {
        return Assessment::Unjudged;
    }
    // An example is meant to be filled in.
    let example = profile.found.as_ref().is_some_and(|found| found.place.is_example());
    let refused = facts.form_among(at.refuses).filter(|form| at.refuses.contains(form));
    match facts.form_among(at.takes) {
        Some(form) if at.takes.contains(&form) => Assessment::Recognised(form),
        _ if refused.is_some() => Assessment::Elsewhere(at, refused),
        form if at.only && !(example && form.is_none()) || form.is_some_and(Form::identifies_issuer) => {
            Assessment::Elsewhere(at, form)
        }
        None if is_key_by_address(profile, field, facts) => Assessment::Address,
        _ => Assessment::Unjudged,
    }
}

/// Returns `true` if a value with this reference can't be right in the field.
fn is_wrong_reference(field: &Field, unexpanded: Unexpanded) -> bool {
    use crate::form::Expander::{Path, Variable};
    match field.ty {
        // A path may look like a path, and a comment may say anything. A choice with a wrong word is a type error.
        Type::Path => !matches!(unexpanded.by, Path | Variable),
        Type::Text | Type::Choice(_) => false,
        // A bucket's name may be in capitals.
        Type::Id(_) if !field.is_credential() => unexpanded.by != Variable,
        _ => true,
    }
}

/// Returns `true` if a value of this form certainly belongs elsewhere.
fn is_foreign(profile: &Profile, field: &Field, form: &'static Form) -> bool {
    // A form that many services issue is accepted by many services, but not by a field that is not secret.
    let told = form.identifies_issuer() || form.certain && !field.is_credential();
    if field.forms().contains(&form) || !told || !(form.is_secret() || form.is_id()) {
        return false;
    }
    let own = profile.kind().issues(form);
    // Many services use the same protocol: key pairs of other S3 services, and webhooks of other servers.
    let shared = form.protocol.is_some() && field.forms().iter().any(|taken| taken.protocol == form.protocol);
    match field.ty {
        // Another rule reports a webhook as an address.
        Type::Url(_) if form.is_webhook() => false,
        Type::Secret(Secret::Webhook) if !own && form.is_webhook() => is_hosted(profile) && !shared,
        // Other rules report values of other fields and other kinds of tokens.
        _ if field.is_credential() && own => {
            let elsewhere = matches!(field.ty, Type::Secret(Secret::Token)) || profile.kind().accepts(form);
            matches!(field.ty, Type::Secret(Secret::Webhook))
                || !elsewhere && (form.purpose == Purpose::OtherToken || form.is_complete_pair())
        }
        _ if field.is_credential() && shared => is_hosted(profile),
        // With another server's address, names that are made for one service hold a pair of that server.
        _ if field.is_credential() && !profile.kind().judged_together && form.protocol.is_some() => {
            !names_other_server(profile)
        }
        _ => true,
    }
}

/// Returns `true` if a value is part of what belongs in the field, or contains it.
fn is_part(field: &Field, form: &'static Form) -> bool {
    match field.ty {
        Type::Secret(Secret::Webhook) => form.is_partial(),
        _ => form.is_complete_pair() && field.forms().iter().any(|own| own.is_id() || own.is_key()),
    }
}

/// Returns `true` if it is not documented whether a value and its partner belong together: the key that is issued with
/// the newer ID of a master key is not documented.
fn is_undocumented_pair(profile: &Profile, field: &Field, form: &'static Form) -> bool {
    let partner = profile.kind().partner(field.name).and_then(|partner| profile.setting(partner));
    let partner = partner.and_then(Setting::credential_form);
    partner.is_some_and(|partner| form.unsaid_with.contains(&partner) || partner.unsaid_with.contains(&form))
}

/// Returns the form of a value in a field. If it has several, a form that belongs there comes first, then one that a
/// row lists as a mistake.
fn form_of(field: &Field, facts: &Facts) -> Option<&'static Form> {
    let mistaken = || facts.other_forms.iter().copied().find(|form| field.mistake(form).is_some());
    let own = facts.form_among(field.forms());
    own.filter(|form| field.forms().contains(form)).or_else(mistaken).or(own)
}

/// Returns `true` if a field never takes this form, although its service issues it: a token or webhook as the signing
/// secret, or an access token as the app-level token.
fn is_never_valid(profile: &Profile, field: &Field, form: &'static Form) -> bool {
    let takes = |is: fn(&Form) -> bool| field.forms().iter().any(|own| is(own));
    let certain = form.certain && profile.kind().issues(form);
    certain && (field.forms().is_empty() || form.is_access_token() && !takes(Form::is_access_token))
}

/// Returns `true` if a wrapping breaks the value. A wrapping that could be part of a value counts only if the content
/// certainly fits the field.
fn is_wrapped(field: &Field, facts: &Facts, hosted: bool) -> bool {
    use Wrapping::{Assignment, Base64, Header, Json, OddQuotes, Quote, Quotes, Short};
    let Some(wrapping) = facts.reading.wrapping else { return false };
    let Some(form) = facts.reading.form else { return true };
    match wrapping {
        // The right form is not documented, but a random value does not decode to a secret.
        Base64 if field.forms().is_empty() && form.is_secret() => true,
        // Programs decode values with several lines. Other servers issue their own values, with other lengths.
        Short => hosted && field.forms().contains(&form),
        Base64 | Json if form.spaced && field.forms().contains(&form) => false,
        Quotes | Quote | OddQuotes | Assignment | Header | Json => true,
        _ => form.certain && (form.is_secret() || form.is_id()) || hosted && field.forms().contains(&form),
    }
}

/// Assesses a value of unknown form, or of one that fits no field of this kind.
fn assess_unknown(profile: &Profile, field: &Field, form: Option<&'static Form>) -> Assessment {
    if is_hosted(profile) && has_only_issued_forms(profile, field) {
        Assessment::Unrecognised(form)
    } else {
        Assessment::Unjudged
    }
}

/// Returns `true` if the hosted service issues only known forms for the field. For a pair, its other field must show that
/// the pair is from that service.
fn has_only_issued_forms(profile: &Profile, field: &Field) -> bool {
    // The form of a signing secret is shared by many other values.
    if field.forms().is_empty() || !profile.kind().judged_together {
        return false;
    }
    let Some(partner) = profile.kind().partner(field.name) else { return true };
    let others = profile.credentials().filter(|other| other.field.name != field.name);
    let known = |form: &'static Form| {
        profile.kind().issues(form) && (form.is_key() || form.certain && form.unsaid_with.is_empty())
    };
    let mut certain = others.filter(|other| other.credential_form().is_some_and(known));
    certain.any(|other| other.field.name == partner || profile.present(partner).is_none())
}
