use crate::config::Profile;
use crate::profile::{Assessment, assessments};
use crate::rule::{ReadBy, Sink, rule};
use crate::schema::Kind;
use crate::services::Form;

rule! {
    ForeignCredential("foreign-credential"): profile, "a credential for a different field or service",
    severity: Error, impact: Unfit, scope: "any", readers: ALL, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let kind = profile.kind();
    let declared = profile.reader() == ReadBy::Declared;
    for (setting, element, assessment) in assessments(profile) {
        let (noun, form) = match assessment {
            Assessment::Foreign(form) => (form.noun, Some(form)),
            Assessment::Address => ("an address", None),
            _ => continue,
        };
        // If the two are swapped, `wrong-credential` reports it as one mistake.
        let swapped = form.is_some_and(Form::is_access_token)
            && setting.field.name == "webhook_url"
            && profile
                .setting("token")
                .is_some_and(|token| Assessment::from_setting(profile, token) == Assessment::UrlAsToken);
        // Other programs may keep anything in a field that is not secret, except their service's secrets.
        let secret = form.is_some_and(|form| kind.issues(form) && form.is_secret());
        let own = setting.field.is_credential() || declared || secret;
        if !own || swapped && declared {
            continue;
        }
        let name = setting.name();
        let documented = form.and_then(|form| setting.field.mistake(form));
        let mut help = match documented {
            Some(mistake) => mistake.repair.to_owned(),
            None => format!("set `{name}` to {}", kind.describe_value(setting.field)),
        };
        if let Some(home) = form.and_then(|form| field_for(kind, form)).filter(|_| declared) {
            help = format!("it belongs in `{home}`; {help}");
        }
        if !setting.field.is_credential() {
            help += "; this field is printed, so rotate the credential if others may have seen it";
        }
        let text = format!("{noun}{}", form.map(|form| issuer(kind, form)).unwrap_or_default());
        let key = element.map_or(profile.display_path(setting), |element| &element.key);
        let draft = finding(format!("`{key}` holds {noun}"), help);
        sink.push(draft.part(setting, element, text));
    }
}

/// Returns the field of this kind for such a credential.
fn field_for(kind: &Kind, form: &'static Form) -> Option<&'static str> {
    kind.fields.iter().find(|field| field.forms().contains(&form)).map(|field| field.name)
}

/// Returns the issuer, unless it is the service of the profile or the noun names it already.
fn issuer(kind: &Kind, form: &'static Form) -> String {
    let named = kind.issues(form) || form.noun.contains(form.service().name);
    form.issuers().filter(|_| !named).map(|issuers| format!(" ({issuers})")).unwrap_or_default()
}
