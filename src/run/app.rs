//! Verifies an app: each token is verified on its own, as secret scanners do. No service can verify a signing secret.

use std::sync::Arc;

use super::answer::{CHECK, NotVerified, ProfileAnswer, expires_by_itself, not_verified, rejection_words, unknowable};
use crate::config::{Profile, Setting};
use crate::lint::live::Validity;
use crate::profile::App;
use crate::rule::Draft;
use crate::rules::live;
use crate::schema::Field;
use crate::schema::value::{BaseUrl, BearerToken};
use crate::secret::Vault;
use crate::upload::{AskError, Asker, Credential, Identity, Names, Settings};

/// The field that holds a token, and the client that verifies it.
pub type TokenAsker = (&'static Field, Arc<Asker>);

/// Prepares the questions. Rules have checked these values already, but rules only report, so they are checked again.
pub fn app_questions(
    vault: &Vault,
    profile: &Profile,
    settings: &Settings,
) -> Result<(BaseUrl, Vec<TokenAsker>), NotVerified> {
    let app = App::from_profile(profile);
    let set = app.into_iter().flat_map(App::tokens);
    let tokens: Option<Vec<(&'static Field, BearerToken)>> = set
        .map(|setting| Some((setting.field, BearerToken::new(vault.sealed(setting.known()?.handle)).ok()?)))
        .collect();
    let (Some(Ok(base)), Some(tokens)) = (app.and_then(App::api), tokens) else {
        return Err(not_verified("the address or the token is missing", CHECK));
    };
    let secrets: Vec<_> = profile.credentials().filter_map(|one| Some(vault.sealed(one.known()?.handle))).collect();
    let mut askers = Vec::new();
    for (field, token) in tokens {
        // All tokens go to the same service, one after the other.
        askers.push((
            field,
            Arc::new(Asker::new(&base, Credential::Token(&token), settings.clone(), &Names::APP)?.beside(&secrets)),
        ));
    }
    Ok((base, askers))
}

/// Verifies each token. The state of the profile is the worst of them.
pub async fn verify_tokens(answer: &mut ProfileAnswer, profile: &Profile, tokens: Vec<TokenAsker>) {
    answer.live.state = Validity::Valid;
    let alone = profile.found.is_some() && tokens.len() == 1;
    for (field, asker) in tokens {
        let name = name_in(profile, field);
        let life = match asker.identity(None).await {
            Ok(identity) => record_valid(answer, profile, field, identity),
            Err(AskError::Dead(dead)) => {
                let (why, text) = rejection_words(dead);
                let message =
                    format!("the service rejects {} ({}): {why}", credential_in(profile, field), dead.as_str());
                let at = answer.live.service.clone().filter(|_| profile.found.is_some());
                let at = at.unwrap_or_else(|| "this address".to_owned());
                let help = format!("set `{name}` to a token that is valid at {at}");
                add(answer, profile, field, &live::DEAD, Draft::new(message, help), text);
                Validity::Invalid
            }
            Err(doubt) => {
                let error = match doubt {
                    AskError::Unanswered(error) => error.into(),
                    _ => NotVerified { why: "the service did not say".to_owned(), help: None },
                };
                let message = format!("could not verify {}: {}", credential_in(profile, field), error.why);
                add(answer, profile, field, &live::UNVERIFIED, Draft::new(message, error.help()), "not verified");
                Validity::Unknown
            }
        };
        if !alone {
            answer.live.credentials.push((name.to_owned(), life));
        }
        answer.live.state = match (answer.live.state, life) {
            (Validity::Invalid, _) | (_, Validity::Invalid) => Validity::Invalid,
            (Validity::Unknown, _) | (_, Validity::Unknown) => Validity::Unknown,
            (Validity::Valid, Validity::Valid) => Validity::Valid,
        };
    }
    not_asked(answer, profile);
}

/// Returns the name of a field: another program's, or credlint's own.
fn name_in<'a>(profile: &'a Profile, field: &'static Field) -> &'a str {
    profile.setting(field.name).map_or(field.name, Setting::name)
}

/// Names a credential, and the profile if it is one of the configuration.
fn credential_in(profile: &Profile, field: &'static Field) -> String {
    let of = if profile.found.is_some() { String::new() } else { format!(" of `{}`", profile.id) };
    format!("`{}`{of}", name_in(profile, field))
}

/// Reports credentials that no service can verify.
pub fn not_asked(answer: &mut ProfileAnswer, profile: &Profile) {
    let declared = App::from_profile(profile).filter(|_| profile.found.is_none());
    let Some(secret) = declared.and_then(App::signing_secret) else { return };
    let field = secret.field.name;
    let message = format!("could not verify `{field}` of `{}`: no service can check a signing secret", profile.id);
    let help = "no action needed; the first request from the service to the app shows whether it is right";
    add(answer, profile, secret.field, &live::UNVERIFIED, unknowable(Draft::new(message, help)), "not verified");
    answer.live.credentials.push((field.to_owned(), Validity::Unknown));
}

/// Records a valid token. Further details are those of the bot token.
fn record_valid(answer: &mut ProfileAnswer, profile: &Profile, field: &'static Field, identity: Identity) -> Validity {
    if !field.forms.iter().any(|form| form.is_access_token()) {
        return Validity::Valid;
    }
    if let (Some(setting), Some(seconds)) = (profile.setting(field.name), identity.expires_in) {
        let credential = credential_in(profile, field);
        answer.add(profile, &live::EXPIRING, expires_by_itself(&credential, seconds).value(setting, "expires"));
    }
    answer.live.token_kind = Some(if identity.bot { "bot" } else { "user" });
    answer.live.expires_in = identity.expires_in;
    answer.live.workspace = identity.workspace;
    answer.live.scopes = identity.scopes.map(|scopes| scopes.shown);
    Validity::Valid
}

fn add(
    answer: &mut ProfileAnswer,
    profile: &Profile,
    field: &Field,
    meta: &'static crate::rule::RuleMeta,
    draft: Draft,
    text: &str,
) {
    let draft = match profile.setting(field.name) {
        Some(setting) => draft.value(setting, text),
        None => draft.at(&profile.id.to_string(), profile.at, text),
    };
    answer.add(profile, meta, draft);
}
