//! What a service said of a token, and of the channels that it is for.

use super::answer::{AGAIN, ProfileAnswer, Unanswered, unknowable};
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
        let draft = expires_by_itself(&format!("the token of `{id}`"), seconds);
        answer.add(profile, &live::EXPIRING, draft.value(token, "expires"));
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

/// A token that expires.
pub fn expires_by_itself(whose: &str, seconds: u64) -> Draft {
    let left = duration(std::time::Duration::from_secs(seconds.min(u64::from(u32::MAX))));
    let help = "see that every deploy gets a fresh one, or use an app without token rotation";
    Draft::new(format!("{whose} expires by itself, in {left}"), help)
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

/// A channel that was asked for, and what was said of it. `None` if it was not asked for, because one before it was not
/// answered for.
pub struct LookedUp<'a> {
    place: ChannelPlace<'a>,
    said: Option<Result<(), Doubt>>,
}

/// Asks for each channel. After one that was not answered for the others are not asked for. An answer that names the
/// scopes of the token is as good as one to the first question.
pub async fn look_up<'a>(
    profile: &'a Profile,
    asker: &Asker,
    identity: &mut Identity,
    channels: &'a [ChannelId],
) -> Vec<LookedUp<'a>> {
    let (mut looked_up, mut open) = (Vec::new(), false);
    for place in channel_places(profile, channels) {
        let said = if open { None } else { Some(asker.channel(place.id, identity.scopes.as_ref()).await) };
        if let Some(Err(Doubt::Scope(Some(scopes)))) = &said {
            identity.scopes.get_or_insert_with(|| scopes.clone());
        }
        open |= matches!(said, Some(Err(Doubt::Unanswered(_) | Doubt::Dead(_))));
        looked_up.push(LookedUp { place, said });
    }
    looked_up
}

const SEEN: &str = "nothing needs to be done: whether a file can be shared there is seen when it is sent";
const SCOPES: &str =
    "nothing needs to be done; with the scope `channels:read` or `groups:read` the app could look them up";

/// Channels of which the same is not known.
struct Unclear {
    why: String,
    help: String,
    places: Vec<(String, Spot)>,
}

impl Unclear {
    fn new(why: impl Into<String>, help: &str) -> Self {
        Self { why: why.into(), help: help.to_owned(), places: Vec::new() }
    }

    fn draft(&self, profile: &Profile) -> Draft {
        let number = count(self.places.len(), "channel");
        let message = format!("{number} of `{}` could not be looked up: {}", profile.id, self.why);
        let draft = Draft::new(message, &self.help);
        self.places.iter().fold(draft, |draft, (key, at)| draft.at(key, *at, "not looked up"))
    }
}

/// What was said of each channel.
pub fn reach(answer: &mut ProfileAnswer, profile: &Profile, looked_up: Vec<LookedUp<'_>>) {
    let (mut unknown, mut open): (Vec<Unclear>, Option<Unclear>) = (Vec::new(), None);
    for LookedUp { place: ChannelPlace { id, key, at }, said } in looked_up {
        let reach = match said {
            Some(Ok(())) => Reach::Yes,
            Some(Err(Doubt::No(_))) => Reach::No,
            Some(Err(_)) | None => Reach::Unknown,
        };
        answer.live.channels.push((id.shown(), reach));
        let unclear = match said {
            Some(Ok(())) => continue,
            Some(Err(Doubt::No(why))) => {
                let message = format!("a file can't be shared in a channel of `{}`: {why}", profile.id);
                let help = "invite the app to the conversation, or put the id of another one in `channels`";
                answer.add(profile, &live::CHANNEL, Draft::new(message, help).at(&key, at, why));
                continue;
            }
            Some(Err(Doubt::Unknowable(why))) => Unclear::new(why, SEEN),
            Some(Err(Doubt::Scope(_))) => Unclear::new("the token lacks a scope for it", SCOPES),
            Some(Err(Doubt::Unanswered(error))) => {
                let error = Unanswered::from(error);
                open.insert(Unclear::new(&error.why, error.help())).places.push((key, at));
                continue;
            }
            Some(Err(Doubt::Dead(dead))) => {
                let why = format!("the service took the token before, and now says {dead}");
                open.insert(Unclear::new(why, AGAIN)).places.push((key, at));
                continue;
            }
            None => {
                // One before it was not answered for, so there is one.
                if let Some(open) = &mut open {
                    open.places.push((key, at));
                }
                continue;
            }
        };
        let known = unknown.iter().position(|known| known.why == unclear.why).unwrap_or(unknown.len());
        if known == unknown.len() {
            unknown.push(unclear);
        }
        unknown[known].places.push((key, at));
    }
    for unclear in unknown {
        answer.add(profile, &live::UNVERIFIED, unknowable(unclear.draft(profile)));
    }
    if let Some(unclear) = open {
        answer.add(profile, &live::UNVERIFIED, unclear.draft(profile));
    }
}
