//! Turns a service's answers about a profile into findings. The tokens of an app are each verified on their own, as
//! secret scanners do. No service can verify a signing secret.

use std::sync::Arc;

use crate::code::Code;
use crate::config::{Profile, Setting};
use crate::finding::{Finding, Severity};
use crate::lint::live::{ChannelAccess, Live, Validity};
use crate::profile::Messaging;
use crate::rule::Sink;
use crate::rules::{WORKSPACE_LOOK, live};
use crate::schema::value::ChannelId;
use crate::schema::{Field, Probe, Secret, Type};
use crate::source::{Problem, Spot};
use crate::text::{count, duration};
use crate::upload::{AskError, Asker, DeadCredential, KeyPermissions, NOT_LISTED, TokenIdentity};

/// The channels to look up instead of those of the profiles.
#[derive(Clone, Default, Debug)]
pub struct GivenChannels {
    pub ids: Vec<ChannelId>,
    /// True if a name with `#` is looked up in the lists of the service.
    pub lists: bool,
}

/// The service's answers about one profile. The default is that no service was asked.
#[derive(Default)]
pub struct ProfileAnswer {
    pub live: Live,
    pub findings: Vec<Finding>,
}

impl ProfileAnswer {
    pub fn add_finding(&mut self, profile: &Profile, finding: Finding) {
        Sink::new(Some(&profile.id), &mut self.findings).push(finding);
    }
}

/// Advice if nothing more specific is known.
const TRY_LATER: &str = "try again later";

/// Advice if a rule should have reported the error already.
pub const RUN_CHECK: &str = "run `credlint check` and fix what it reports";

/// Creates the reason why a profile could not be verified.
pub fn not_verified(why: &str, help: &str) -> Problem {
    Problem::new(Code::Unverified, why).help(help)
}

/// Returns the advice of a reason.
fn advice(error: &Problem) -> &str {
    error.help.as_deref().unwrap_or(TRY_LATER)
}

/// Returns the settings of the credential that is verified.
fn credential_settings(profile: &Profile) -> Vec<&Setting> {
    let webhook = |setting: &&Setting| matches!(setting.field.ty, Type::Secret(Secret::Webhook));
    profile.credentials().filter(|setting| setting.is_present() && !webhook(setting)).collect()
}

/// Adds a label at the credential, or at the profile if there is none.
pub fn label_credential(draft: Finding, profile: &Profile, text: &str) -> Finding {
    match credential_settings(profile)[..] {
        [] => draft.at(&profile.id.to_string(), profile.at, text),
        ref credential_settings => credential_settings.iter().fold(draft, |draft, half| draft.value(half, text)),
    }
}

/// Reports that a credential is not valid, or that the service did not say so. `what` names it, and `label` shows where it is.
pub fn report_doubt(
    answer: &mut ProfileAnswer,
    profile: &Profile,
    what: &str,
    doubt: AskError,
    help: &str,
    label: impl Fn(Finding, &str) -> Finding,
) -> Validity {
    let error = match doubt {
        AskError::Dead(dead) => {
            let (why, text) = rejection_words(dead);
            let message = format!("the service rejects {what} ({}): {why}", dead.as_str());
            answer.add_finding(profile, label(Finding::new(&live::DEAD, message, help), text));
            return Validity::Invalid;
        }
        AskError::Unanswered(error) => error,
        // These errors occur only for channels.
        AskError::Unknowable(_) | AskError::Scope(_) | AskError::No(_) => {
            not_verified("the service did not say", TRY_LATER)
        }
    };
    let message = format!("could not verify {what}: {}", error.message);
    answer.add_finding(profile, label(Finding::new(&live::UNVERIFIED, message, advice(&error)), "not verified"));
    Validity::Unknown
}

/// Returns the long and the short description of a rejection.
const fn rejection_words(dead: DeadCredential) -> (&'static str, &'static str) {
    match dead {
        DeadCredential::AccountInactive => ("its account or workspace is deleted or disabled", "account inactive"),
        DeadCredential::TokenRevoked => ("it was revoked", "revoked"),
        DeadCredential::TokenExpired => ("it has expired", "expired"),
        DeadCredential::InvalidAuth => ("token not recognised", "not recognised"),
        DeadCredential::Unauthorized | DeadCredential::BadAuthToken => {
            ("the keyID or the key is wrong, or the key was deleted", "rejected")
        }
    }
}

pub fn check_pair(answer: &mut ProfileAnswer, profile: &Profile, allowed: KeyPermissions) {
    answer.live.state = Validity::Valid;
    let credential_settings = credential_settings(profile);
    if let (true, Some(&id)) = (allowed.deleted, credential_settings.first()) {
        let message = format!("the key of `{}` is restricted to a bucket that was deleted", profile.id);
        let help = "create a key for the bucket you use now, and set both the keyID and the key";
        let draft = Finding::new(&live::BUCKET, message, help).value(id, "its bucket was deleted");
        answer.add_finding(profile, draft);
    } else if let (Some(bucket), Some(&id)) = (profile.present("bucket"), credential_settings.first()) {
        let names = allowed.buckets.as_deref().unwrap_or_default().join(", ");
        let is_for = if names.is_empty() {
            "is restricted to other buckets".to_owned()
        } else {
            format!("is restricted to {names}")
        };
        if allowed.agrees == Some(false) {
            let message = format!("the key of `{}` {is_for} and can't access the bucket of this profile", profile.id);
            let help = "create a key for this bucket and set both the keyID and the key, or correct `bucket`";
            let draft = Finding::new(&live::BUCKET, message, help)
                .value(bucket, "not accessible with this key")
                .key(id, is_for);
            answer.add_finding(profile, draft);
        } else if allowed.agrees.is_none() {
            let message = format!("the service did not say which buckets the key of `{}` is restricted to", profile.id);
            let help = "no action needed; the first use of the bucket shows whether the key can access it";
            let draft = Finding::new(&live::UNVERIFIED, message, help).key(bucket, "not verified");
            answer.add_finding(profile, draft.severity(Severity::Note));
        }
    }
    answer.live.capabilities = Some(allowed.capabilities);
    answer.live.buckets = allowed.buckets;
}

pub fn check_token(answer: &mut ProfileAnswer, profile: &Profile, identity: &TokenIdentity) {
    let Some(messaging) = Messaging::from_profile(profile) else { return };
    let (Some(token), id) = (profile.setting("token"), &profile.id) else { return };
    answer.live.state = Validity::Valid;
    record_identity(&mut answer.live, identity);
    match &identity.scopes {
        None => {
            let message = format!("the service did not say which scopes the token of `{id}` has");
            let help = "no action needed; the first upload shows whether the token may upload";
            let draft = Finding::new(&live::UNVERIFIED, message, help).key(token, "scopes not verified");
            answer.add_finding(profile, draft.severity(Severity::Note));
        }
        Some(scopes) if !scopes.may_upload => {
            let message = format!("the token of `{id}` can't upload: it lacks the scope `files:write`");
            let help = "add the scope `files:write` to the app, reinstall it, and set `token` to the new token";
            let text = match scopes.shown.join(",") {
                none if none.is_empty() => "lacks `files:write`".to_owned(),
                shown => format!("has only {shown}"),
            };
            answer.add_finding(profile, Finding::new(&live::SCOPE, message, help).value(token, text));
        }
        Some(_) => {}
    }
    if let Some(seconds) = identity.expires_in {
        let draft = expiring_token(&format!("the token of `{id}`"), seconds);
        answer.add_finding(profile, draft.value(token, "expires"));
    }
    let Some(workspace) = profile.present("workspace") else { return };
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
    let draft = Finding::new(meta, message, help).value(workspace, "expected workspace");
    let draft = draft.key(token, format!("belongs to {named}"));
    let draft = if meta.id == live::UNVERIFIED.id { draft.severity(Severity::Note) } else { draft };
    answer.add_finding(profile, draft);
}

fn record_identity(live: &mut Live, identity: &TokenIdentity) {
    live.token_kind = Some(if identity.bot { "bot" } else { "user" });
    live.expires_in = identity.expires_in;
    live.workspace.clone_from(&identity.workspace);
    live.scopes = identity.scopes.as_ref().map(|scopes| scopes.shown.clone());
    live.channel_ids.clone_from(&identity.channels);
}

/// Creates a finding about a token that expires.
pub fn expiring_token(credential: &str, seconds: u64) -> Finding {
    let left = duration(std::time::Duration::from_secs(seconds.min(u64::from(u32::MAX))));
    let help = "make sure that every deploy gets a fresh token, or use an app without token rotation";
    Finding::new(&live::EXPIRING, format!("{credential} expires in {left}"), help)
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
    identity: &mut TokenIdentity,
    channels: &'a GivenChannels,
) -> Vec<LookedUp<'a>> {
    let (mut looked_up, mut open) = (Vec::new(), false);
    for place in channel_places(profile, &channels.ids) {
        let (scopes, mut id) = (identity.scopes.as_ref(), None);
        let result = match place.id.as_str().strip_prefix('#').filter(|_| channels.lists) {
            _ if open => None,
            None => Some(asker.channel(place.id, scopes).await),
            Some(name) => match asker.find_channel(name, scopes).await.map(|found| id.insert(found).parse()) {
                Ok(Ok(id)) => Some(asker.channel(&id, scopes).await),
                Ok(Err(_)) => None,
                Err(failed) => Some(Err(failed)),
            },
        };
        identity.channels.push(id);
        if let Some(Err(AskError::Scope(Some(scopes)))) = &result {
            identity.scopes.get_or_insert_with(|| scopes.clone());
        }
        open |= matches!(result, Some(Err(AskError::Unanswered(_) | AskError::Dead(_))));
        looked_up.push(LookedUp { place, result });
    }
    looked_up
}

const NO_ACTION: &str = "no action needed; the first upload shows whether files can be shared there";
const SCOPES: &str = "no action needed; to look them up, add the scope `channels:read` or `groups:read` to the app";

/// Channels that could not be verified for the same reason.
struct UnverifiedChannels {
    why: String,
    help: String,
    /// This token can't reveal it, so asking again does not help.
    unknowable: bool,
    places: Vec<(String, Spot)>,
}

impl UnverifiedChannels {
    fn draft(&self, profile: &Profile) -> Finding {
        let number = count(self.places.len(), "channel");
        let message = format!("{number} of `{}` could not be looked up: {}", profile.id, self.why);
        let draft = Finding::new(&live::UNVERIFIED, message, &self.help);
        let draft = self.places.iter().fold(draft, |draft, (key, at)| draft.at(key, *at, "not looked up"));
        if self.unknowable { draft.severity(Severity::Note) } else { draft }
    }
}

/// Records the answer for each channel.
pub fn record_channels(answer: &mut ProfileAnswer, profile: &Profile, looked_up: Vec<LookedUp<'_>>) {
    let mut unverified: Vec<UnverifiedChannels> = Vec::new();
    for LookedUp { place: ChannelPlace { id, key, at }, result } in looked_up {
        let reach = match result {
            Some(Ok(())) => ChannelAccess::Yes,
            Some(Err(AskError::No(_))) => ChannelAccess::No,
            Some(Err(_)) | None => ChannelAccess::Unknown,
        };
        answer.live.channels.push((id.shown(), reach));
        let (why, help, unknowable) = match result {
            Some(Ok(())) => continue,
            Some(Err(AskError::No(why))) => {
                let message = format!("files can't be shared in a channel of `{}`: {why}", profile.id);
                let help = match why {
                    "it is archived" => "unarchive the channel, or put another channel ID into `channels`",
                    NOT_LISTED => {
                        "check the spelling; a private channel is listed if the app is a member and has the scope `groups:read`"
                    }
                    _ => "invite the app to the channel, or put another channel ID into `channels`",
                };
                answer.add_finding(profile, Finding::new(&live::CHANNEL, message, help).at(&key, at, why));
                continue;
            }
            Some(Err(AskError::Unknowable(why))) => (why.into_owned(), NO_ACTION.to_owned(), true),
            Some(Err(AskError::Scope(_))) => ("the token lacks the scope for it".to_owned(), SCOPES.to_owned(), true),
            Some(Err(AskError::Unanswered(error))) => (error.message.clone(), advice(&error).to_owned(), false),
            Some(Err(AskError::Dead(dead))) => {
                let why = format!("the service accepted the token before and now says {}", dead.as_str());
                (why, TRY_LATER.to_owned(), false)
            }
            None => {
                // The channel before it went unanswered, or was not asked about either.
                if let Some(last) = unverified.last_mut() {
                    last.places.push((key, at));
                }
                continue;
            }
        };
        match unverified.iter_mut().find(|known| known.why == why && known.unknowable == unknowable) {
            Some(known) => known.places.push((key, at)),
            None => unverified.push(UnverifiedChannels { why, help, unknowable, places: vec![(key, at)] }),
        }
    }
    for channels in unverified {
        answer.add_finding(profile, channels.draft(profile));
    }
}

/// The field that holds a token, and the client that verifies it.
pub type TokenAsker = (&'static Field, Arc<Asker>);

/// Verifies each token. The state of the profile is the worst of them.
pub async fn verify_tokens(answer: &mut ProfileAnswer, profile: &Profile, tokens: Vec<TokenAsker>) {
    answer.live.state = Validity::Valid;
    let alone = !profile.is_declared() && tokens.len() == 1;
    for (field, asker) in tokens {
        let name = field_name(profile, field);
        let life = match asker.identity(None).await {
            Ok(identity) => record_valid(answer, profile, field, identity),
            Err(doubt) => {
                let at = answer.live.service.clone().filter(|_| !profile.is_declared());
                let at = at.unwrap_or_else(|| "this address".to_owned());
                let help = format!("set `{name}` to a token that is valid at {at}");
                let label = |draft, text: &str| label_token(draft, profile, field, text);
                report_doubt(answer, profile, &describe_credential(profile, field), doubt, &help, label)
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
    report_not_asked(answer, profile);
}

/// Returns the name of a field: another program's, or credlint's own.
fn field_name<'a>(profile: &'a Profile, field: &'static Field) -> &'a str {
    profile.setting(field.name).map_or(field.name, Setting::name)
}

/// Names a credential, and the profile if it is one of the configuration.
fn describe_credential(profile: &Profile, field: &'static Field) -> String {
    let of = if profile.is_declared() { format!(" of `{}`", profile.id) } else { String::new() };
    format!("`{}`{of}", field_name(profile, field))
}

/// Reports credentials that no service can verify.
pub fn report_not_asked(answer: &mut ProfileAnswer, profile: &Profile) {
    let declared = profile.is_declared() && profile.kind().probe == Some(Probe::App);
    let Some(secret) = profile.present("signing_secret").filter(|_| declared) else { return };
    let field = secret.field.name;
    let message = format!("could not verify `{field}` of `{}`: no service can check a signing secret", profile.id);
    let help = "no action needed; the first request from the service to the app shows whether it is right";
    let draft = Finding::new(&live::UNVERIFIED, message, help).severity(Severity::Note);
    answer.add_finding(profile, draft.value(secret, "not verified"));
    answer.live.credentials.push((field.to_owned(), Validity::Unknown));
}

/// Records a valid token. Further details are those of the bot token.
fn record_valid(
    answer: &mut ProfileAnswer,
    profile: &Profile,
    field: &'static Field,
    identity: TokenIdentity,
) -> Validity {
    if !field.forms().iter().any(|form| form.is_access_token()) {
        return Validity::Valid;
    }
    if let (Some(setting), Some(seconds)) = (profile.setting(field.name), identity.expires_in) {
        let credential = describe_credential(profile, field);
        answer.add_finding(profile, expiring_token(&credential, seconds).value(setting, "expires"));
    }
    record_identity(&mut answer.live, &identity);
    Validity::Valid
}

fn label_token(draft: Finding, profile: &Profile, field: &Field, text: &str) -> Finding {
    match profile.setting(field.name) {
        Some(setting) => draft.value(setting, text),
        None => draft.at(&profile.id.to_string(), profile.at, text),
    }
}
