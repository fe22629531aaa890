//! How each kind of profile is asked for, and what its credential is called. Whatever depends on the kind is here.

use super::answer::{ProfileAnswer, Unanswered, at_credential};
use super::pair::alive_pair;
use super::token::{alive_token, reach};
use crate::lint::live::Life;
use crate::profile::{Fields, Profile};
use crate::rules::{Draft, live};
use crate::schema::value::{BearerToken, ChannelId};
use crate::secret::Vault;
use crate::upload::{Asker, DeadCredential, Doubt, Settings};

/// Who is asked for a profile.
#[derive(Debug)]
pub enum Asked {
    /// Nobody: the check found errors.
    Refused,
    /// Nobody, for another reason.
    Nobody(Unanswered),
    Service {
        asker: Box<Asker>,
        origin: String,
    },
}

/// Everything here has passed a rule; it is asked again all the same, since rules only report.
pub fn asked(vault: &Vault, profile: &Profile, settings: &Settings) -> Asked {
    let nobody =
        |message: &str, help: &str| Asked::Nobody(Unanswered { why: message.to_owned(), help: Some(help.to_owned()) });
    let check = "run `credlint check` and look at what it reports";
    let (asker, base) = match &profile.fields {
        Fields::Messaging(messaging) => {
            let token = messaging.token_handle.and_then(|handle| BearerToken::new(vault.sealed(handle)).ok());
            let (Some(Ok(base)), Some(token)) = (&messaging.address, token) else {
                return nobody("there is no address or no token to ask with", check);
            };
            (Asker::with_token(base, &token, Settings { ca_file: messaging.ca_path.clone(), ..settings.clone() }), base)
        }
        Fields::Storage(storage) => {
            let Some((id, key)) = storage.pair_handles else {
                return nobody("there is no pair to ask with", check);
            };
            let Some(Ok(base)) = &storage.api else {
                return nobody(
                    "`endpoint` is that of another service than the hosted one, and nothing says where to ask",
                    "set `api_url` to the address of its `b2_authorize_account`, if it has one",
                );
            };
            (Asker::with_pair(base, &vault.sealed(id), &vault.sealed(key), settings.clone()), base)
        }
    };
    match asker {
        Ok(asker) => Asked::Service { asker: Box::new(asker), origin: base.origin() },
        Err(error) => Asked::Nobody(error.into()),
    }
}

/// Asks for a profile. `None` if it was refused.
pub async fn answer(profile: &Profile, asked: Asked, channels: &[ChannelId]) -> Option<ProfileAnswer> {
    let (asker, origin) = match asked {
        Asked::Refused => return None,
        Asked::Nobody(error) => {
            let mut answer = ProfileAnswer::new(None);
            unanswered(&mut answer, profile, &error);
            return Some(answer);
        }
        Asked::Service { asker, origin } => (asker, origin),
    };
    let mut answer = ProfileAnswer::new(Some(origin));
    match &profile.fields {
        Fields::Messaging(messaging) => match asker.identity(messaging.workspace_id.as_ref()).await {
            Ok(identity) => {
                alive_token(&mut answer, profile, messaging, &identity);
                reach(&mut answer, profile, &asker, &identity, channels).await;
            }
            Err(doubt) => not_alive(&mut answer, profile, doubt),
        },
        Fields::Storage(storage) => match asker.account(storage.bucket_name.as_deref()).await {
            Ok(allowed) => alive_pair(&mut answer, profile, storage, allowed),
            Err(doubt) => not_alive(&mut answer, profile, doubt),
        },
    }
    Some(answer)
}

/// What the credential of a profile is called.
fn what(profile: &Profile) -> &'static str {
    match profile.fields {
        Fields::Messaging(_) => "token",
        Fields::Storage(_) => "pair",
    }
}

fn not_alive(answer: &mut ProfileAnswer, profile: &Profile, doubt: Doubt) {
    let dead = match doubt {
        Doubt::Dead(dead) => dead,
        Doubt::Unanswered(error) => return unanswered(answer, profile, &error.into()),
        Doubt::Unknowable(why) | Doubt::No(why) => {
            return unanswered(answer, profile, &Unanswered { why: why.to_owned(), help: None });
        }
    };
    answer.live.state = Life::Dead;
    let (why, help, text) = match dead {
        DeadCredential::AccountInactive => {
            ("its account or workspace was deleted or switched off", TOKEN, "not in force")
        }
        DeadCredential::TokenRevoked => ("it was revoked", TOKEN, "revoked"),
        DeadCredential::TokenExpired => ("its time is over", TOKEN, "expired"),
        DeadCredential::InvalidAuth => ("it does not know it", TOKEN, "not in force"),
        DeadCredential::Unauthorized | DeadCredential::BadAuthToken => {
            ("it does not say which half is wrong", PAIR, "one of the two is wrong, or the key was deleted")
        }
    };
    let message = format!("the service does not take the {} of `{}` ({dead}): {why}", what(profile), profile.id);
    answer.add(profile, &live::DEAD, at_credential(Draft::new(message, help), profile, text));
}

const TOKEN: &str = "set `token` to one that is in force at this address";
const PAIR: &str = "set both halves anew: the keyID and the key that were shown together";

/// A question about the credential itself that was not answered.
fn unanswered(answer: &mut ProfileAnswer, profile: &Profile, error: &Unanswered) {
    let what = what(profile);
    let message = format!("whether the {what} of `{}` is in force is not known: {}", profile.id, error.why);
    let draft = Draft::new(message, help(profile, error));
    answer.add(profile, &live::UNVERIFIED, at_credential(draft, profile, "not verified"));
}

/// The client speaks of the fields of an upload; here they may be others.
fn help(profile: &Profile, error: &Unanswered) -> String {
    let help = error.help();
    match profile.fields {
        Fields::Messaging(_) => help.to_owned(),
        Fields::Storage(_) => help
            .replace("{base_url}/api/", "{api_url}/b2api/v4/")
            .replace("`base_url`", "`api_url`")
            .replace("`token`", "the pair"),
    }
}
