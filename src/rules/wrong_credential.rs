use crate::config::{Profile, Setting};
use crate::finding::{Finding, Severity};
use crate::profile::{
    Assessment, BrokenRelation, PairByValue, PairValues, assessments, broken_relations, describe,
    exchanged_credentials, field_for,
};
use crate::rule::oddity;
use crate::rule::{Sink, rule, weight};
use crate::services::{Form, Pair, Purpose, Relation, backblaze, many, slack};

rule! {
    WrongCredential("wrong-credential"): profile,
    "a credential of the right service, but of another kind than its name says",
    severity: Error, impact: Unfit, scope: "any", readers: EVERY, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let of_pair = pair(profile);
    // The finding about a pair covers its fields.
    let covered = |setting: &Setting| of_pair.is_some() && profile.kind().partner(setting.field.name).is_some();
    let covered: Vec<&Setting> = profile.settings.iter().filter(|setting| covered(setting)).collect();
    for draft in of_pair.into_iter().chain(app(profile)) {
        sink.push(draft);
    }
    for BrokenRelation { relation, setting, holds, other } in broken_relations(profile) {
        let (Relation::Differ { other: field, advice: repair, source, .. }, Some(whole)) = (relation, other) else {
            continue;
        };
        let message = format!("`{}` holds {holds} in `{}`, not {}", setting.name(), whole.name(), field.noun);
        sink.push(finding(message, *repair).severity(weight(*source)).value(setting, holds));
    }
    for (setting, _, assessment) in assessments(profile) {
        if let Some(oddity) = setting.oddity.filter(|oddity| oddity.is_another_kind()) {
            sink.push(oddity::finding(&WrongCredential::META, setting, oddity));
            continue;
        }
        let draft = match assessment {
            _ if covered.iter().any(|own| std::ptr::eq(*own, setting)) => None,
            Assessment::UrlAsToken => url_as_token(profile, setting),
            Assessment::CannotUpload(form) => cannot_upload(profile, setting, form),
            Assessment::Elsewhere(at, form) => {
                let noun = form.map_or("another value", |form| form.noun);
                let message = format!("`{}` holds {noun}, and {} takes {}", setting.name(), at.whose, at.noun);
                Some(finding(message, at.repair).severity(weight(at.source)).value(setting, noun))
            }
            Assessment::Misplaced(form) => misplaced_value(profile, setting, form),
            _ => None,
        };
        if let Some(draft) = draft {
            sink.push(draft);
        }
    }
    for BrokenRelation { relation, setting, holds, other } in broken_relations(profile) {
        let (Relation::Beside { noun, holding, advice, source, .. }, Some(beside)) = (relation, other) else {
            continue;
        };
        let part = holding.map_or_else(String::new, |(part, word)| format!(" of the {part} `{word}`"));
        let message = format!("`{}` holds {holds}{part}, and `{}` next to it {noun}", setting.name(), beside.name());
        sink.push(finding(message, *advice).severity(weight(*source)).value(setting, holds));
    }
}

/// Reports a value of another field of its service.
fn misplaced_value(profile: &Profile, setting: &Setting, form: &'static Form) -> Option<Finding> {
    let (kind, mistake) = (profile.kind(), setting.field.mistake(form));
    // What is in the configuration is judged as a whole, by rules of its own.
    let as_a_whole = kind.judged_together && (kind.pairs.is_empty() || profile.is_declared());
    if as_a_whole && mistake.is_none() {
        return None;
    }
    let row = setting.field.row;
    let exposed = profile.found.as_ref().is_some_and(|found| found.public.contains(&setting.field.name));
    let secret = row.is_some_and(|row| row.takes.iter().any(|form| form.is_secret()));
    let help = match (exposed && secret, mistake) {
        // Setting it to the secret would publish the secret.
        (true, _) => {
            "rename it to what it holds: browsers get the variables of this name, so no secret belongs there".to_owned()
        }
        (false, Some(mistake)) => mistake.repair.to_owned(),
        (false, None) => format!("set it to {}", kind.describe_value(setting.field)),
    };
    // Some programs also accept the content of the file.
    let content = row.is_some_and(|row| row.purpose == Purpose::Path);
    let severity = if content { Severity::Note } else { weight(mistake.map_or(form.source, |mistake| mistake.source)) };
    let noun = row.map_or("", |row| row.noun);
    let message = format!("`{}` holds {}, not {noun}", setting.name(), form.noun);
    Some(finding(message, help).severity(severity).value(setting, form.noun))
}

fn url_as_token(profile: &Profile, token: &Setting) -> Option<Finding> {
    let (name, declared, facts) = (token.name(), profile.is_declared(), token.facts()?);
    let what = match facts.reading.form.filter(|form| form.is_webhook()) {
        Some(form) if !facts.url && form.is_partial() => "part of a webhook URL",
        Some(_) => "a webhook URL",
        None => "a URL",
    };
    // If the two are swapped, that is one mistake.
    let holds_token = |other: &&Setting| declared && other.credential_form().is_some_and(Form::is_access_token);
    let other = profile.setting("webhook_url").filter(holds_token);
    let help = match (declared, other, profile.kind().field("webhook_url")) {
        (true, Some(_), _) => {
            "swap the two: `token` takes the access token, and `webhook_url` takes the URL".to_owned()
        }
        (true, None, Some(_)) => {
            "set `token` to an access token, and move the URL to `webhook_url` if you need it".to_owned()
        }
        (true, None, None) => format!("set `{name}` to the token itself"),
        (false, ..) => {
            let wanted = profile.kind().describe_value(token.field);
            format!("set `{name}` to {wanted}, and put the URL under a name of its own")
        }
    };
    let draft = finding(format!("{} is {what}, not a token", profile.describe_setting(token)), help);
    Some(draft.value(token, what).values(other, "the access token"))
}

fn cannot_upload(profile: &Profile, token: &Setting, form: &'static Form) -> Option<Finding> {
    let (refresh, declared) = (*form == slack::REFRESH_TOKEN, profile.is_declared());
    let can = match form {
        form if *form == slack::APP_TOKEN => "it is for Socket Mode and can't call API methods",
        _ if refresh => "it is exchanged for an access token and can't call API methods",
        _ if declared => "it can't upload files",
        // Some programs are made for session tokens or retired tokens.
        _ => return None,
    };
    let help = match (declared, refresh) {
        (true, true) => "set `token` to the access token that this refresh token is exchanged for (`xoxe.xoxb-…` or `xoxe.xoxp-…`, valid for 12 hours); for an app without token rotation, use the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions".to_owned(),
        (true, false) => "set `token` to the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions of the app, or to a User OAuth Token (`xoxp-…`); it needs the scope `files:write`".to_owned(),
        (false, _) => format!("set `{}` to {}", token.name(), profile.kind().describe_value(token.field)),
    };
    let message = format!("{} is {}: {can}", profile.describe_setting(token), form.noun);
    Some(finding(message, help).value(token, form.looks))
}

/// Reports credentials of an app that are in each other's fields, as one mistake.
fn app(profile: &Profile) -> Option<Finding> {
    let declared = profile.is_declared();
    let field_for = |form| field_for(profile.kind(), form);
    // A program that expects a bot token may accept a user token.
    let wrong = exchanged_credentials(profile).into_iter().filter(|(_, form)| declared || form.certain);
    let wrong: Vec<_> = wrong.collect();
    // The misplaced credentials occupy each other's fields.
    let exchange = wrong.iter().all(|(one, _)| wrong.iter().any(|(_, form)| field_for(form) == one.field.name));
    let takes: Vec<String> =
        wrong.iter().map(|(one, _)| format!("`{}` takes {}", one.name(), shown_at(one.field.name))).collect();
    let missing = |form| declared && profile.lacks(field_for(form));
    let (message, help) = match wrong[..] {
        [] => return None,
        [(one, form)] => {
            let (name, home, wanted) = (one.name(), field_for(form), shown_at(one.field.name));
            let help = if missing(form) {
                format!("move it to `{home}`; if you need `{name}`, set it to {wanted} of the app")
            } else {
                format!("set `{name}` to {wanted} of the app")
            };
            (format!("`{}` holds {}", profile.display_path(one), form.noun), help)
        }
        [(one, _), (other, _)] if exchange => (
            format!("`{}` and `{}` are swapped", profile.display_path(one), profile.display_path(other)),
            format!("swap the two: {}", takes.join(", ")),
        ),
        _ => {
            let paths: Vec<_> =
                wrong.iter().map(|(setting, _)| format!("`{}`", profile.display_path(setting))).collect();
            let moved = wrong.iter().filter(|(_, form)| missing(form));
            let moved =
                moved.map(|(one, form)| format!("; the value of `{}` belongs in `{}`", one.name(), field_for(form)));
            let message = format!("{} hold credentials that belong in other places", paths.join(" and "));
            (message, takes.join(", ") + &moved.collect::<String>())
        }
    };
    Some(wrong.iter().fold(finding(message, help), |draft, (setting, form)| {
        let text = if **form == many::HEX_32 { "32 hex digits, like a signing secret" } else { form.noun };
        draft.value(setting, text)
    }))
}

/// Returns what belongs in the field of an app: the credential's name, and the page where the service shows it.
fn shown_at(field: &str) -> &'static str {
    match field {
        "bot_token" => "the Bot User OAuth Token (`xoxb-…`) under OAuth & Permissions",
        "app_token" => "the App-Level Token (`xapp-…`) under Basic Information",
        _ => "the Signing Secret (32 hex digits) under Basic Information",
    }
}

/// Reports a pair whose values don't match the names of its fields.
fn pair(profile: &Profile) -> Option<Finding> {
    match PairByValue::from_profile(profile) {
        PairByValue::Equal { id, key } => Some(equal(profile, id, key)),
        PairByValue::Swapped { id, key } => Some(swapped(profile, id, key)),
        PairByValue::NotAnId { id, form } => Some(not_an_id(profile, id, form)),
        PairByValue::OtherPair { id, key, pair } if profile.is_declared() => other_pair(profile, id, key, pair),
        _ => None,
    }
}

/// Reports one value in both fields. No service issues such a pair, but a server that anybody runs may have one.
fn equal(profile: &Profile, id: &Setting, key: &Setting) -> Finding {
    let (kind, i, k) = (profile.kind(), id.name(), key.name());
    let (wanted_id, wanted_key) = (kind.describe_value(id.field), kind.describe_value(key.field));
    let severity = if kind.is_shared() { Severity::Warning } else { Severity::Error };
    finding(
        format!("`{i}` and `{k}` have the same value"),
        format!("set `{i}` to {wanted_id}, and `{k}` to {wanted_key}"),
    )
    .severity(severity)
    .value(id, "")
    .value(key, "the same value")
}

fn swapped(profile: &Profile, (id, id_is_key): (&Setting, bool), (key, key_is_id): (&Setting, bool)) -> Finding {
    if id.shares_value_with(key) {
        return swapped_in_one_value(profile, (id, id_is_key), (key, key_is_id));
    }
    let (kind, i, k, both) = (profile.kind(), id.name(), key.name(), profile.describe_pair(id, key));
    let (wanted_id, wanted_key) = (kind.describe_value(id.field), kind.describe_value(key.field));
    let (declared, halves) = (profile.is_declared(), PairValues::from_profile(profile));
    let pair = halves.value_of(id).zip(halves.value_of(key)).and_then(|(id, key)| id.pair_with(key));
    let (told, noun) =
        (kind.tells_pairs_apart(), |setting: &Setting| setting.credential_form().map_or("", |form| form.noun));
    let (message, mut help) = match (id_is_key, key_is_id) {
        // Swapped, the values would not belong together.
        (true, true) if told && pair.is_none() => (
            format!("{both} are swapped and belong to different key pairs"),
            format!("set `{i}` to {wanted_id}, and `{k}` to {wanted_key}"),
        ),
        // Swapped, their field names would still be wrong.
        (true, true) if declared && pair.is_some_and(|pair| pair.id.field != i) => {
            (format!("{both} are swapped and in the fields of another pair"), halves.advice())
        }
        (true, true) => (
            format!("{both} are swapped"),
            format!("swap the two: `{i}` takes {wanted_id}, and `{k}` takes {wanted_key}"),
        ),
        (true, false) => (
            format!("{} holds a key, not an ID", profile.describe_setting(id)),
            format!("set `{i}` to {wanted_id}; if this key is the one you want to use, move it to `{k}`"),
        ),
        (false, _) if !told => (
            format!("`{k}` holds {}, which belongs in `{i}`", noun(key)),
            format!("swap the two, if they are of one pair: `{i}` takes {wanted_id}, and `{k}` takes {wanted_key}"),
        ),
        (false, _) => (
            format!("{} holds an ID, not a key", profile.describe_setting(key)),
            format!("set `{k}` to {wanted_key}; a lost key can't be shown again, so create a new one"),
        ),
    };
    if declared && halves.has_refused() {
        help = halves.advice();
    }
    let text = |setting, wrong, what: &str| match (told, wrong) {
        (true, true) => what.to_owned(),
        (true, false) => "the other field of the pair".to_owned(),
        (false, true) => noun(setting).to_owned(),
        (false, false) => format!("not {}", noun(key)),
    };
    let mut labels = [(id, text(id, id_is_key, "a key")), (key, text(key, key_is_id, "an ID"))];
    if !id_is_key {
        labels.reverse();
    }
    let mistake = key.credential_form().and_then(|form| key.field.mistake(form));
    let severity = mistake.map_or(Severity::Error, |mistake| weight(mistake.source));
    let draft = finding(message, help).severity(severity);
    labels.into_iter().fold(draft, |draft, (setting, text)| draft.value(setting, text))
}

/// Reports a single value, such as an address, whose ID is a key, or whose key is an ID.
fn swapped_in_one_value(
    profile: &Profile,
    (id, id_is_key): (&Setting, bool),
    (key, key_is_id): (&Setting, bool),
) -> Finding {
    let (kind, name) = (profile.kind(), id.name());
    let (what, text) = match (id_is_key, key_is_id) {
        (true, true) => (format!("the ID and the key in `{name}` are swapped"), "a key, then an ID"),
        (true, false) => (format!("the ID in `{name}` is a key"), "a key as the ID"),
        (false, _) => (format!("the key in `{name}` is an ID"), "an ID as the key"),
    };
    let (wanted_id, wanted_key) = (kind.describe_value(id.field), kind.describe_value(key.field));
    finding(what, format!("there, use {wanted_id} as the ID, and {wanted_key} as the key")).value(id, text)
}

fn not_an_id(profile: &Profile, id: &Setting, form: &'static Form) -> Finding {
    let (what, name, bucket) = (form.noun, id.name(), *form == backblaze::BUCKET_ID);
    let text = if bucket { "looks like a bucket ID (24 hex digits); a keyID has 25" } else { what };
    let help = if name == "account_id" {
        "set `account_id` to the account ID of 12 hex digits, which the console's page Application Keys shows as the keyID of the Master Application Key".to_owned()
    } else {
        let more = if bucket && name == id.field.name { "; the bucket goes into `bucket`" } else { "" };
        format!(
            "set `{name}` to the keyID of 25 hex digits that the console's page Application Keys shows next to the key's name{more}"
        )
    };
    finding(format!("{} holds {what}, not a keyID", profile.describe_setting(id)), help).value(id, text)
}

/// Reports a pair in the fields of another one. It works.
fn other_pair(profile: &Profile, id: &Setting, key: &Setting, pair: &Pair) -> Option<Finding> {
    let name = &profile.id;
    let looks = |setting| describe(profile, setting).map(|(_, told)| format!("looks like {told}"));
    let (id, key) = ((id, looks(id)?), (key, looks(key)?));
    let (message, help, [one, other]) = if pair.is_rejected_by_s3() {
        (
            format!(
                "`{name}` has the master application key in the fields of an application key; it works, with access to the whole account"
            ),
            "create an application key on the console's page Application Keys, with only the access that the job needs, and set both fields to it; if the master application key is intended, use `account_id` and `master_application_key`",
            [key, id],
        )
    } else {
        (
            format!(
                "`{name}` has an application key in the fields of the master application key; it works, but the names are wrong"
            ),
            "rename `account_id` to `application_key_id`, and `master_application_key` to `application_key`",
            [id, key],
        )
    };
    Some(finding(message, help).severity(Severity::Warning).value(one.0, one.1).value(other.0, other.1))
}
