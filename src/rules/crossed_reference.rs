use crate::config::{Profile, Setting, State, WrittenAs};
use crate::finding::{Finding, Severity};
use crate::foreign;
use crate::profile::{Assessment, NameHint, PairByName, is_pair_reported};
use crate::rule::{Sink, rule};
use crate::schema::Type;
use crate::secret::MASK;
use crate::services::{self, Purpose};

rule! {
    CrossedReference("crossed-reference"): profile,
    "a reference to a variable or file that is named like another credential",
    severity: Warning, impact: Doubtful, scope: "any", readers: ALL, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let (kind, declared) = (profile.kind(), profile.is_declared());
    let halves = match PairByName::from_profile(profile) {
        Some(PairByName::Fits { id, key }) if declared && !is_pair_reported(profile) => Some([id, key]),
        _ => None,
    };
    if let Some(draft) = halves.and_then(|[id, key]| compare_names(profile, id, key)) {
        return sink.push(draft);
    }
    for setting in &profile.settings {
        // The finding about the pair covers its fields.
        if declared && halves.is_none() && kind.pair_field(setting.field.name).is_some() {
            continue;
        }
        let Some(name) = name(profile, setting) else { continue };
        let hint = if declared { crossed_hint(profile, setting) } else { certain_hint(profile, setting, name) };
        let other = || of_other_service(setting, name).filter(|_| !declared);
        let Some(named) = hint.map(|named| named.noun().to_owned()).or_else(other) else { continue };
        let message = format!("`{}` reads `{name}`, which is named like {named}", profile.display_path(setting));
        let help = format!(
            "point `{}` at {}; if `{name}` holds the right value, rename it",
            setting.name(),
            kind.describe_value(setting.field),
        );
        // A workflow that runs may have a token in a secret of any name.
        let severity = if declared { Severity::Warning } else { Severity::Note };
        sink.push(finding(message, help).severity(severity).key(setting, format!("named like {named}")));
    }
}

/// Returns the hint in the name of a reference, if no program uses such a name for the right value.
fn certain_hint(profile: &Profile, setting: &Setting, name: &str) -> Option<NameHint> {
    let kind = profile.kind();
    let wanted = NameHint::for_field(setting.field)?;
    if !kind.judged_together {
        let named =
            foreign::field_under(name).filter(|field| kind.service.is_some_and(|own| own.fields.contains(field)));
        return named.map(NameHint::of_field).filter(|named| wanted.excludes(*named));
    }
    let named = crossed_hint(profile, setting)?;
    // "App token" may mean the token of the app's bot, so only an exact match counts.
    let certain = match (wanted.purpose(), named.purpose()) {
        (Purpose::Id, Purpose::Key) | (Purpose::Key, Purpose::Id) => true,
        (Purpose::Webhook, Purpose::AccessToken) => {
            let lower = name.to_lowercase();
            ["bot_token", "bot-token", "oauth_token", "oauth-token"].iter().any(|end| lower.contains(end))
        }
        // Every service uses such a name for its address.
        (Purpose::Id | Purpose::Key | Purpose::Webhook, _) => false,
        (_, named) => named == Purpose::Webhook,
    };
    certain.then_some(named)
}

/// Describes the secret of another service that a name says, if no value belongs in both places. Under a protocol's names,
/// in a pair and as a webhook are values of many services.
fn of_other_service(setting: &Setting, name: &str) -> Option<String> {
    let wanted = setting.field.row.filter(|field| field.is_secret())?;
    let named = foreign::field_under(name).filter(|field| field.is_secret())?;
    let service_of = |field| services::all().iter().find(|service| service.fields.contains(&field));
    let (own, other) = (service_of(wanted)?, service_of(named)?);
    let apart = own.name != other.name && NameHint::of_field(wanted).excludes(NameHint::of_field(named));
    let compatible = own.shared
        || other.shared
        || !own.pairs.is_empty() && !other.pairs.is_empty()
        || wanted.purpose == Purpose::Webhook && named.purpose == Purpose::Webhook;
    (apart && !compatible).then(|| format!("{} of {}", named.noun, other.name))
}

/// Compares the names of both fields of a pair.
fn compare_names(profile: &Profile, id: &Setting, key: &Setting) -> Option<Finding> {
    let (id_name, key_name) = (name(profile, id)?, name(profile, key)?);
    if id.form == key.form {
        let what = if matches!(id.form, WrittenAs::Env(_)) { "variable" } else { "file" };
        let (id_field, key_field) = (id.field.name, key.field.name);
        let message = format!("`{}` reads `{id_field}` and `{key_field}` from the same {what}", profile.id);
        let kind = profile.kind();
        let help = format!(
            "an ID and its key are two values: point `{id_field}` at {}, and `{key_field}` at {}",
            kind.describe_value(id.field),
            kind.describe_value(key.field),
        );
        return Some(finding(message, help).key(key, format!("reads `{key_name}`")).key(id, "also reads it"));
    }
    // A single crossed field has its own, more specific finding.
    let [of_id, of_key] =
        [crossed_hint(profile, id)?, crossed_hint(profile, key)?].map(|named| format!("named like {}", named.noun()));
    let message = format!("`{}` reads its ID from `{id_name}` and its key from `{key_name}`", profile.id);
    let help = "swap the two references; if each one holds the right value, rename them";
    Some(finding(message, help).key(key, of_key).key(id, of_id))
}

/// Returns the hint in the name of a reference, if it belongs elsewhere.
fn crossed_hint(profile: &Profile, setting: &Setting) -> Option<NameHint> {
    let name = name(profile, setting)?;
    let named = NameHint::find(name)?;
    let crossed = match NameHint::for_field(setting.field) {
        Some(wanted) if setting.field.is_credential() => wanted.is_crossed_with(named, name),
        // No secret belongs in an address, a list of channels or the name of a bucket.
        _ => matches!(setting.field.ty, Type::Url(_) | Type::Channels | Type::Id(_)) && named.is_secret(),
    };
    crossed.then_some(named)
}

/// Returns the name of a reference whose value is unknown. A known form tells more than the name.
fn name<'a>(profile: &Profile, setting: &'a Setting) -> Option<&'a str> {
    let (WrittenAs::Env(name) | WrittenAs::File(name)) = &setting.form else { return None };
    let unknown =
        matches!(setting.state, State::Opaque) || Assessment::from_setting(profile, setting) == Assessment::Unjudged;
    (unknown && !name.contains(MASK)).then_some(name.as_str())
}
