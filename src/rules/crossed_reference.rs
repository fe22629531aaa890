use crate::config::{ForeignProfile, Form, Profile, Setting, State};
use crate::finding::Severity;
use crate::profile::{Assessment, NameHint, PairByName, environments, is_pair_reported, one_is_master};
use crate::rule::{Draft, Sink, rule};
use crate::schema::Type;
use crate::secret::MASK;
use crate::services::Purpose;

rule! {
    #[doc = include_str!("../../docs/rules/crossed-reference.md")]
    CrossedReference: declared, found {
        id: "crossed-reference",
        summary: "a reference to a variable or file that is named like another credential",
        severity: Warning, impact: Doubtful, scope: "any", readers: ALL, since: "0.1.0",
    }
}

fn declared(profile: &Profile, sink: &mut Sink<'_>) {
    if profile.broken {
        return;
    }
    let halves = match PairByName::from_profile(profile) {
        Some(PairByName::Fits { id, key }) if !is_pair_reported(profile) => Some([id, key]),
        _ => None,
    };
    if let Some([id, key]) = halves
        && let Some(draft) = pair(profile, id, key)
    {
        return sink.push(draft);
    }
    for setting in &profile.settings {
        // The finding about the pair covers its fields.
        let half = profile.kind().pair_field(setting.field.name).is_some();
        if half && halves.is_none() {
            continue;
        }
        let (Some(name), Some(named)) = (name(profile, setting), crossed(profile, setting)) else { continue };
        let field = setting.field.name;
        let message = format!("`{}` reads `{name}`, which is named like {}", setting.key, named.noun());
        let help = format!(
            "point `{field}` at {}; if `{name}` holds the right value, rename it",
            profile.kind().wanted(setting.field),
        );
        sink.push(Draft::new(message, help).key(setting, format!("named like {}", named.noun())));
    }
}

fn found(profile: &Profile, _: &ForeignProfile, sink: &mut Sink<'_>) {
    for setting in profile.credentials() {
        let Some(name) = name(profile, setting) else { continue };
        let draft = |named: NameHint| {
            let message = format!("`{}` reads `{name}`, which is named like {}", setting.name(), named.noun());
            let help = format!(
                "point `{}` at {}; if `{name}` holds the right value, rename it",
                setting.name(),
                profile.kind().wanted(setting.field),
            );
            // A workflow that runs may have a token in a secret of any name.
            Draft::new(message, help).severity(Severity::Note).key(setting, format!("named like {}", named.noun()))
        };
        if !profile.kind().is_declared() {
            let wanted = NameHint::wanted_in(profile.kind(), setting.field.name);
            let named = profile.kind().service.and_then(|service| NameHint::of_service(service, name));
            if let Some(named) = named.filter(|named| wanted.is_some_and(|wanted| wanted.excludes(*named))) {
                sink.push(draft(named));
            }
            continue;
        }
        let Some(named) = crossed(profile, setting) else { continue };
        // "App token" may mean the token of the app's bot, so only an exact match counts.
        let Some(wanted) = NameHint::wanted_in(profile.kind(), setting.field.name) else { continue };
        let certain = match (wanted.purpose(), named.purpose()) {
            (Purpose::Id, Purpose::Key) | (Purpose::Key, Purpose::Id) => true,
            (Purpose::Id | Purpose::Key, _) => false,
            (Purpose::Webhook, Purpose::AccessToken) => {
                let lower = name.to_lowercase();
                ["bot_token", "bot-token", "oauth_token", "oauth-token"].iter().any(|end| lower.contains(end))
            }
            // Every service calls its address so.
            (Purpose::Webhook, Purpose::Webhook) => false,
            (_, Purpose::Webhook) => true,
            _ => false,
        };
        if !certain {
            continue;
        }
        sink.push(draft(named));
    }
}

/// Compares the names of both fields of a pair.
fn pair(profile: &Profile, id: &Setting, key: &Setting) -> Option<Draft> {
    let (id_name, key_name) = (name(profile, id)?, name(profile, key)?);
    if id.form == key.form {
        let what = if matches!(id.form, Form::Env(_)) { "variable" } else { "file" };
        let (id_field, key_field) = (id.field.name, key.field.name);
        let message = format!("`{}` reads `{id_field}` and `{key_field}` from the same {what}", profile.id);
        let kind = profile.kind();
        let help = format!(
            "an ID and its key are two values: point `{id_field}` at {}, and `{key_field}` at {}",
            kind.wanted(id.field),
            kind.wanted(key.field),
        );
        return Some(Draft::new(message, help).key(key, format!("reads `{key_name}`")).key(id, "also reads it"));
    }
    let message = format!("`{}` reads its ID from `{id_name}` and its key from `{key_name}`", profile.id);
    let draft = |help: &str, key_text: String, id_text: String| {
        Some(Draft::new(message.clone(), help).key(key, key_text).key(id, id_text))
    };
    if let (Some(id_named), Some(key_named)) = (crossed(profile, id), crossed(profile, key)) {
        return draft(
            "swap the two references; if each one holds the right value, rename them",
            format!("named like {}", key_named.noun()),
            format!("named like {}", id_named.noun()),
        );
    }
    // A single crossed field has its own, more specific finding.
    if crossed(profile, id).or_else(|| crossed(profile, key)).is_some() || !is_same_kind(id, key) {
        return None;
    }
    if let Some([of_id, of_key]) = environments(id_name, key_name) {
        return draft(
            "point both at the pair of one environment",
            format!("named for {of_key}"),
            format!("named for {of_id}"),
        );
    }
    let master =
        |name: &str| if name.to_lowercase().contains("master") { "the master key" } else { "an application key" };
    one_is_master(id_name, key_name).then(|| {
        draft(
            "point both at the same pair: an application key has its own ID",
            format!("named for {}", master(key_name)),
            format!("named for {}", master(id_name)),
        )
    })?
}

/// Returns `true` if both references are variables, or both are files.
fn is_same_kind(one: &Setting, other: &Setting) -> bool {
    std::mem::discriminant(&one.form) == std::mem::discriminant(&other.form)
}

/// Returns what the name of a reference says, if that belongs elsewhere.
fn crossed(profile: &Profile, setting: &Setting) -> Option<NameHint> {
    let name = name(profile, setting)?;
    let named = NameHint::find(name)?;
    let crossed = match NameHint::wanted_in(profile.kind(), setting.field.name) {
        Some(wanted) if setting.field.is_credential() => wanted.is_crossed_by(named, name),
        // No secret belongs in an address, a list of channels or the name of a bucket.
        _ => is_public(setting) && named.is_secret(),
    };
    crossed.then_some(named)
}

/// Returns `true` if a field does not hold a secret.
const fn is_public(setting: &Setting) -> bool {
    !setting.field.is_credential() && matches!(setting.field.ty, Type::Url(_) | Type::Channels | Type::Id(_))
}

/// Returns the name of a reference whose value is unknown. A known form tells more than the name.
fn name<'a>(profile: &Profile, setting: &'a Setting) -> Option<&'a str> {
    let (Form::Env(name) | Form::File(name)) = &setting.form else { return None };
    let unknown =
        matches!(setting.state, State::Opaque) || Assessment::from_setting(profile, setting) == Assessment::Unjudged;
    (unknown && !name.contains(MASK)).then_some(name.as_str())
}
