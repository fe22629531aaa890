//! What a service said of a token, and of the channels that it is for.

use super::answer::{ProfileAnswer, Unanswered, unknowable};
use crate::config::Profile;
use crate::lint::live::{Life, Reach};
use crate::profile::Messaging;
use crate::rule::Draft;
use crate::rules::live;
use crate::schema::value::ChannelId;
use crate::source::Spot;
use crate::text::{count, duration};
use crate::upload::{Asker, Doubt, Identity};

pub fn alive_token(answer: &mut ProfileAnswer, profile: &Profile, identity: &Identity) {
    let Some(messaging) = Messaging::of_profile(profile) else { return };
    let (Some(token), id) = (messaging.token(), &profile.id) else { return };
    answer.live.state = Life::Alive;
    answer.live.token_kind = Some(if identity.bot { "bot" } else { "user" });
    answer.live.expires_in = identity.expires_in;
    answer.live.workspace.clone_from(&identity.workspace);
    answer.live.scopes = identity.scopes.as_ref().map(|scopes| scopes.shown.clone());
    match &identity.scopes {
        None => {
            let message = format!("the service does not say which scopes the token of `{id}` has");
            let help = "nothing needs to be done: whether it may upload is seen when it does";
            let draft = Draft::new(message, help).key(token, "its scopes are not known");
            answer.add(profile, &live::UNVERIFIED, unknowable(draft));
        }
        Some(scopes) if !scopes.may_upload => {
            let message = format!("the token of `{id}` can't upload: the app was not given the scope files:write");
            let help = "give the app the scope `files:write`, install it again, and set `token` to the new one";
            let text = match scopes.shown.join(",") {
                none if none.is_empty() => "without files:write".to_owned(),
                shown => format!("has {shown}"),
            };
            answer.add(profile, &live::SCOPE, Draft::new(message, help).value(token, text));
        }
        Some(_) => {}
    }
    if let Some(seconds) = identity.expires_in {
        let left = duration(std::time::Duration::from_secs(seconds.min(u64::from(u32::MAX))));
        let message = format!("the token of `{id}` expires by itself, in {left}");
        let help = "see that every deploy gets a fresh one, or use an app without token rotation";
        answer.add(profile, &live::EXPIRING, Draft::new(message, help).value(token, "expires"));
    }
    let Some(workspace) = messaging.workspace() else { return };
    let named = identity.workspace.as_deref().unwrap_or("another one");
    let (meta, message, help) = match (messaging.workspace_id(), identity.agrees) {
        (Some(_), Some(true)) => return,
        (Some(expected), Some(false)) => (
            &live::WORKSPACE,
            format!(
                "the token of `{id}` belongs to the workspace {named}, and the profile is for {}",
                expected.as_str()
            ),
            "set `token` to one of that workspace, or mend `workspace`",
        ),
        (Some(_), None) => (
            &live::UNVERIFIED,
            format!("the service does not say which workspace the token of `{id}` belongs to"),
            "nothing needs to be done; without `workspace` it is not asked",
        ),
        (None, _) => (
            &live::WORKSPACE,
            format!("`workspace` of `{id}` holds what can't be the id of a workspace"),
            "put the id in its place, `T` or `E` with capitals and digits: it stands in the address of the workspace",
        ),
    };
    let draft = Draft::new(message, help).value(workspace, "compared with the token's");
    let draft = draft.key(token, format!("belongs to {named}"));
    let draft = if meta.id == live::UNVERIFIED.id { unknowable(draft) } else { draft };
    answer.add(profile, meta, draft);
}

/// A channel, and where it is said.
struct ChannelPlace<'a> {
    id: &'a ChannelId,
    key: String,
    at: Spot,
}

fn channel_places<'a>(profile: &'a Profile, channels: &'a [ChannelId]) -> Vec<ChannelPlace<'a>> {
    if !channels.is_empty() {
        return channels.iter().map(|id| ChannelPlace { id, key: profile.id.to_string(), at: profile.at }).collect();
    }
    let elements = profile.settings.iter().flat_map(|setting| &setting.elements);
    let own = elements.filter_map(|channel| {
        let id = channel.channel()?.ok()?;
        Some(ChannelPlace { id, key: channel.key.clone(), at: channel.value_at() })
    });
    own.collect()
}

/// Asks for each channel. After one that was not answered the others are not asked for.
pub async fn reach(
    answer: &mut ProfileAnswer,
    profile: &Profile,
    asker: &Asker,
    identity: &Identity,
    channels: &[ChannelId],
) {
    let (mut unknown, mut open) = (Vec::new(), Vec::new());
    let (mut why_unknown, mut why_open) = ("", None);
    for ChannelPlace { id, key, at } in channel_places(profile, channels) {
        let asked = match &why_open {
            None => Some(asker.channel(id, identity.scopes.as_ref()).await),
            Some(_) => None,
        };
        let reach = match asked {
            Some(Ok(())) => Reach::Yes,
            Some(Err(Doubt::No(why))) => {
                let message = format!("a file can't be shared in a channel of `{}`: {why}", profile.id);
                let help = "invite the app to the conversation, or put the id of another one in `channels`";
                answer.add(profile, &live::CHANNEL, Draft::new(message, help).at(&key, at, why));
                Reach::No
            }
            Some(Err(Doubt::Unknowable(why))) => {
                why_unknown = why;
                unknown.push((key, at));
                Reach::Unknown
            }
            Some(Err(Doubt::Unanswered(error))) => {
                why_open = Some(Unanswered::from(error));
                open.push((key, at));
                Reach::Unknown
            }
            Some(Err(Doubt::Dead(dead))) => {
                let why = format!("the service took the token before, and now says {dead}");
                why_open = Some(Unanswered { why, help: None });
                open.push((key, at));
                Reach::Unknown
            }
            None => {
                open.push((key, at));
                Reach::Unknown
            }
        };
        answer.live.channels.push((id.shown(), reach));
    }
    let draft = |places: &[(String, Spot)], why: &str, help: &str| {
        let number = count(places.len(), "channel");
        let draft = Draft::new(format!("{number} of `{}` could not be looked up: {why}", profile.id), help);
        places.iter().fold(draft, |draft, (key, at)| draft.at(key, *at, "not looked up"))
    };
    if !unknown.is_empty() {
        let help =
            "nothing needs to be done; with the scope `channels:read` or `groups:read` the app could look them up";
        answer.add(profile, &live::UNVERIFIED, unknowable(draft(&unknown, why_unknown, help)));
    }
    if let Some(error) = why_open {
        answer.add(profile, &live::UNVERIFIED, draft(&open, &error.why, error.help()));
    }
}
