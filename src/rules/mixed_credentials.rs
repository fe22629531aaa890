use crate::config::{Profile, Setting};
use crate::finding::{Finding, Severity};
use crate::profile::{PairByValue, PairValues, broken_relations, describe, s3_endpoint};
use crate::rule::{Sink, rule, weight};
use crate::services::{Derivation, Relation};

rule! {
    MixedCredentials("mixed-credentials"): profile,
    "credentials that do not belong together: of two key pairs, modes, accounts, projects or clusters",
    severity: Error, impact: Unfit, scope: "any", readers: ALL, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    match PairByValue::from_profile(profile) {
        PairByValue::Mixed { id, key } => sink.push(pair(profile, id, key)),
        PairByValue::Clusters { id, key, endpoint } => sink.push(clusters(profile, id, [key, endpoint])),
        _ => {}
    }
    for broken in broken_relations(profile) {
        let (one, Some(other)) = (broken.setting, broken.other) else { continue };
        if let Relation::Made { how, with, advice, source, .. } = broken.relation {
            let made = match how {
                Derivation::Signed => "signed with",
                Derivation::Sha256 => "the SHA-256 of",
            };
            let message = format!("`{}` is not {made} `{}`", one.name(), other.name());
            let draft = finding(message, *advice).severity(weight(*source));
            sink.push(draft.value(one, "made with another value").value(other, with.noun));
            continue;
        }
        let Relation::Agree { part, noun, words, advice, source, .. } = broken.relation else { continue };
        let word = |setting: &Setting| words.iter().find(|word| setting.facts().is_some_and(|own| own.has(part, word)));
        let text = |setting: &Setting| {
            word(setting).map_or_else(|| format!("for another {noun}"), |word| format!("for the {noun} `{word}`"))
        };
        let message = format!("`{}` and `{}` are for different {noun}s", one.name(), other.name());
        let draft = finding(message, *advice).severity(weight(*source));
        sink.push(draft.value(one, text(one)).value(other, text(other)));
    }
}

/// Reports an ID and a key under the right names, whose values belong to different pairs.
fn pair(profile: &Profile, id: &Setting, key: &Setting) -> Finding {
    let told = |setting| describe(profile, setting).unwrap_or_default();
    let ((id_noun, id_told), (key_noun, key_told)) = (told(id), told(key));
    let (id_name, key_name) = (id.name(), key.name());
    let one_value = id.shares_value_with(key);
    let (message, help) = if profile.is_declared() {
        // The S3-compatible API returns other errors.
        let code = if s3_endpoint(profile).is_some() { "" } else { " (401)" };
        let fails = format!("they belong to different key pairs, so authentication fails{code}");
        (format!("`{}` has {id_noun} with {key_noun}; {fails}", profile.id), PairValues::from_profile(profile).advice())
    } else if one_value {
        let message = format!("the ID and the key in `{id_name}` belong to different key pairs");
        let help =
            "put the keyID and the applicationKey of one key there, as the console's page Application Keys shows them";
        (message, help.to_owned())
    } else {
        // A key is shown with its ID only if each key has its own.
        let help = if profile.kind().pair_of(id.credential_form()).is_some_and(|pair| pair.keeps_id) {
            format!(
                "set `{id_name}` to the keyID (25 hex digits) that the console's page Application Keys shows next to the key's name, not to the account ID"
            )
        } else {
            format!(
                "set `{key_name}` to the applicationKey that was shown with this keyID; if it is lost, create a new key"
            )
        };
        (format!("`{id_name}` is {id_noun} and `{key_name}` is {key_noun}; they belong to different key pairs"), help)
    };
    let draft = finding(message, help);
    if one_value {
        return draft.value(id, format!("looks like {id_noun}, then {key_noun}"));
    }
    draft.value(id, format!("looks like {id_told}")).value(key, format!("looks like {key_told}"))
}

/// Reports an ID whose key or endpoint is from another cluster.
fn clusters(profile: &Profile, id: &Setting, parts: [Option<(&Setting, bool)>; 2]) -> Finding {
    let (what, help) = match parts.map(|part| part.is_some_and(|(_, agrees)| !agrees)) {
        [true, true] => (
            "a keyID, an application key and an endpoint",
            "copy the keyID and applicationKey of one key from the console's page Application Keys again, and the endpoint from the details of the bucket",
        ),
        [true, false] => (
            "a keyID and an application key",
            "copy both again, as the console's page Application Keys showed them together; one of the two is probably from another account or an older key",
        ),
        _ => (
            "a keyID and an endpoint",
            "use the endpoint that is shown with the bucket; if the bucket is right, use an application key of its account",
        ),
    };
    let parts = parts.into_iter().flatten();
    let message = if profile.is_declared() {
        format!("`{}` has {what} from different clusters", profile.id)
    } else {
        let odd = parts.clone().filter(|(_, agrees)| !agrees).map(|(setting, _)| format!("`{}`", setting.name()));
        let names: Vec<String> = odd.collect();
        let verb = if names.len() == 1 { "is" } else { "are" };
        format!("{} {verb} from a different cluster than `{}`", names.join(" and "), id.name())
    };
    let text = |agrees| if agrees { "from the same cluster as the keyID" } else { "from a different cluster" };
    let draft = finding(message, help).severity(Severity::Warning);
    let draft = draft.value(id, "the first three digits name the cluster");
    parts.fold(draft, |draft, (setting, agrees)| draft.value(setting, text(agrees)))
}
