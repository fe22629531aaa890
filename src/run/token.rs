//! Findings from a service's answers about a token and its channels.

use super::answer::{AGAIN, NotVerified, ProfileAnswer, unknowable};
use crate::config::Profile;
use crate::lint::live::{ChannelAccess, Validity};
use crate::profile::Messaging;
use crate::rule::Draft;
use crate::rules::{WORKSPACE_LOOK, live};
use crate::schema::value::ChannelId;
use crate::source::Spot;
use crate::text::{count, duration};
use crate::upload::{AskError, Asker, Identity};

pub fn check_token(answer: &mut ProfileAnswer, profile: &Profile, identity: &Identity) {
    let Some(messaging) = Messaging::from_profile(profile) else { return };
    let (Some(token), id) = (messaging.token(), &profile.id) else { return };
    answer.live.state = Validity::Valid;
    answer.live.token_kind = Some(if identity.bot { "bot" } else { "user" });
    answer.live.expires_in = identity.expires_in;
    answer.live.workspace.clone_from(&identity.workspace);
    answer.live.scopes = identity.scopes.as_ref().map(|scopes| scopes.shown.clone());
    match &identity.scopes {
        None => {
            let message = format!("the service did not say which scopes the token of `{id}` has");
            let help = "no action needed; the first upload shows whether the token may upload";
            let draft = Draft::new(message, help).key(token, "scopes not verified");
            answer.add(profile, &live::UNVERIFIED, unknowable(draft));
        }
        Some(scopes) if !scopes.may_upload => {
            let message = format!("the token of `{id}` can't upload: it lacks the scope `files:write`");
            let help = "add the scope `files:write` to the app, reinstall it, and set `token` to the new token";
            let text = match scopes.shown.join(",") {
                none if none.is_empty() => "lacks `files:write`".to_owned(),
                shown => format!("has only {shown}"),
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
    let named = identity.workspace.as_deref().unwrap_or("another workspace");
    let (meta, message, help) = match (messaging.workspace_id(), identity.agrees) {
        (Some(_), Some(true)) => return,
        (Some(expected), Some(false)) => (
            &live::WORKSPACE,
            format!("the token of `{id}` belongs to {named}, but the profile is for {}", expected.as_str()),
            "set `token` to a token of that workspace, or correct `workspace`",
        ),
        (Some(_), None) => (
            &live::UNVERIFIED,
            format!("the service did not say which workspace the token of `{id}` belongs to"),
            "no action needed; remove `workspace` to skip this check",
        ),
        (None, _) => (&live::WORKSPACE, format!("`workspace` of `{id}` is not a workspace ID"), WORKSPACE_LOOK),
    };
    let draft = Draft::new(message, help).value(workspace, "expected workspace");
    let draft = draft.key(token, format!("belongs to {named}"));
    let draft = if meta.id == live::UNVERIFIED.id { unknowable(draft) } else { draft };
    answer.add(profile, meta, draft);
}

/// Creates a finding about a token that expires.
pub fn expires_by_itself(credential: &str, seconds: u64) -> Draft {
    let left = duration(std::time::Duration::from_secs(seconds.min(u64::from(u32::MAX))));
    let help = "make sure that every deploy gets a fresh token, or use an app without token rotation";
    Draft::new(format!("{credential} expires in {left}"), help)
}

/// A channel and its location.
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

/// A channel and the service's answer. `None` if it was not asked because an earlier request went unanswered.
pub struct LookedUp<'a> {
    place: ChannelPlace<'a>,
    result: Option<Result<(), AskError>>,
}

/// Looks up each channel, and stops after one that gets no answer. If a refusal names the token's scopes, they count as
/// if the first answer had.
pub async fn look_up<'a>(
    profile: &'a Profile,
    asker: &Asker,
    identity: &mut Identity,
    channels: &'a [ChannelId],
) -> Vec<LookedUp<'a>> {
    let (mut looked_up, mut open) = (Vec::new(), false);
    for place in channel_places(profile, channels) {
        let result = if open { None } else { Some(asker.channel(place.id, identity.scopes.as_ref()).await) };
        if let Some(Err(AskError::Scope(Some(scopes)))) = &result {
            identity.scopes.get_or_insert_with(|| scopes.clone());
        }
        open |= matches!(result, Some(Err(AskError::Unanswered(_) | AskError::Dead(_))));
        looked_up.push(LookedUp { place, result });
    }
    looked_up
}

const SEEN: &str = "no action needed; the first upload shows whether files can be shared there";
const SCOPES: &str = "no action needed; to look them up, add the scope `channels:read` or `groups:read` to the app";

/// Channels that could not be verified for the same reason.
struct UnverifiedChannels {
    why: String,
    help: String,
    places: Vec<(String, Spot)>,
}

impl UnverifiedChannels {
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

/// Records the answer for each channel.
pub fn record_channels(answer: &mut ProfileAnswer, profile: &Profile, looked_up: Vec<LookedUp<'_>>) {
    let (mut unknown, mut open): (Vec<UnverifiedChannels>, Option<UnverifiedChannels>) = (Vec::new(), None);
    for LookedUp { place: ChannelPlace { id, key, at }, result } in looked_up {
        let reach = match result {
            Some(Ok(())) => ChannelAccess::Yes,
            Some(Err(AskError::No(_))) => ChannelAccess::No,
            Some(Err(_)) | None => ChannelAccess::Unknown,
        };
        answer.live.channels.push((id.shown(), reach));
        let unclear = match result {
            Some(Ok(())) => continue,
            Some(Err(AskError::No(why))) => {
                let message = format!("files can't be shared in a channel of `{}`: {why}", profile.id);
                let help = match why {
                    "it is archived" => "unarchive the channel, or put another channel ID into `channels`",
                    _ => "invite the app to the channel, or put another channel ID into `channels`",
                };
                answer.add(profile, &live::CHANNEL, Draft::new(message, help).at(&key, at, why));
                continue;
            }
            Some(Err(AskError::Unknowable(why))) => UnverifiedChannels::new(why, SEEN),
            Some(Err(AskError::Scope(_))) => UnverifiedChannels::new("the token lacks the scope for it", SCOPES),
            Some(Err(AskError::Unanswered(error))) => {
                let error = NotVerified::from(error);
                open.insert(UnverifiedChannels::new(&error.why, error.help())).places.push((key, at));
                continue;
            }
            Some(Err(AskError::Dead(dead))) => {
                let why = format!("the service accepted the token before and now says {dead}");
                open.insert(UnverifiedChannels::new(why, AGAIN)).places.push((key, at));
                continue;
            }
            None => {
                // An earlier channel went unanswered, so the group exists.
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
