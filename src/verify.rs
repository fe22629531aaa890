//! The check and the questions put together: for each profile that passed, its service is asked whether the credential
//! is in force and may do what the profile is for. Nothing is posted, and nothing is changed.

use futures_util::{StreamExt, stream};

use crate::config::{ConfigError, Profile, Setting};
use crate::finding::{Finding, Severity};
use crate::lint::live::{Life, Live, Reach};
use crate::lint::{self, CheckOptions, Loaded, Report};
use crate::profile::{Messaging, Storage};
use crate::rule::{Draft, RuleMeta, Sink};
use crate::rules::live;
use crate::schema::ProfileId;
use crate::schema::value::{BearerToken, ChannelId};
use crate::schema::{Probe, Secret, Type};
use crate::text::{count, duration};
use crate::upload::{Allowed, Asker, DeadCredential, Doubt, Identity, Settings, UploadError};

/// So many profiles are asked for at a time.
const AT_A_TIME: usize = 8;

/// What to ask.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// The profiles, `kind.name` or the name alone. None means all.
    pub profiles: Vec<String>,
    /// The severity from which it fails; if not given, what the configuration says, or else an error.
    pub fail_on: Option<Severity>,
    /// The channels to ask for in place of those of the profiles.
    pub channels: Vec<ChannelId>,
    /// How long to wait for the services.
    pub settings: Settings,
}

/// Questions that are ready to be asked. Nothing was sent yet.
#[derive(Debug)]
pub struct Questions<'a> {
    report: Report,
    profiles: Vec<(&'a Profile, Asked)>,
    channels: Vec<ChannelId>,
}

/// Who is asked for a profile.
#[derive(Debug)]
enum Asked {
    /// Nobody: the check found errors.
    Refused,
    /// Nobody, for another reason.
    Nobody(Unanswered),
    Service {
        asker: Box<Asker>,
        origin: String,
        /// The bucket that the profile is for.
        bucket: Option<String>,
    },
}

/// Why a question has no answer, and what to do about it.
#[derive(Clone, Debug)]
struct Unanswered {
    why: String,
    help: Option<String>,
}

impl From<UploadError> for Unanswered {
    fn from(error: UploadError) -> Self {
        Self { why: error.message, help: error.help }
    }
}

impl Loaded {
    /// Checks profiles and asks the services for those without errors, over the network.
    ///
    /// # Errors
    /// If there is no such profile, or the name is ambiguous. What the services say, also if they say nothing, is told
    /// by the report.
    pub async fn verify(&self, options: &VerifyOptions) -> Result<Report, ConfigError> {
        Ok(self.questions(options)?.ask().await)
    }

    /// The same up to the point where something is sent, so that it can be told who is going to get a credential.
    ///
    /// # Errors
    /// As for [`Loaded::verify`].
    pub fn questions(&self, options: &VerifyOptions) -> Result<Questions<'_>, ConfigError> {
        let check =
            CheckOptions { profiles: options.profiles.clone(), fail_on: options.fail_on, ..CheckOptions::default() };
        let mut report = lint::check(self, &check)?;
        let mut profiles = Vec::new();
        let (mut findings, mut rest) = (Vec::new(), std::mem::take(&mut report.findings));
        for (id, _) in &report.profiles {
            let Some(profile) = self.config.profile(id) else { continue };
            let own: Vec<Finding> = rest.extract_if(.., |finding| finding.profile.as_ref() == Some(id)).collect();
            let raw = lint::examine(profile);
            // Levels and allows tune the report of a check; they never send a credential.
            if raw.iter().any(|finding| finding.severity == Severity::Error) {
                report.allowed.retain(|allowed| allowed.finding.profile.as_ref() != Some(id));
                findings.extend(raw);
                profiles.push((profile, Asked::Refused));
            } else {
                findings.extend(own);
                profiles.push((profile, self.asked(profile, &options.settings)));
            }
        }
        findings.extend(rest);
        report.findings = findings;
        Ok(Questions { report, profiles, channels: options.channels.clone() })
    }

    /// Everything here has passed a rule; it is asked again all the same, since rules only report.
    fn asked(&self, profile: &Profile, settings: &Settings) -> Asked {
        let vault = &self.config.vault;
        let nobody = |message: &str, help: &str| {
            Asked::Nobody(Unanswered { why: message.to_owned(), help: Some(help.to_owned()) })
        };
        let check = "run `credlint check` and look at what it reports";
        let (asker, origin) = match profile.kind().probe {
            Some(Probe::Token) => {
                let messaging = Messaging::of_profile(profile);
                let token = messaging.and_then(Messaging::token).and_then(Setting::known);
                let token = token.and_then(|token| BearerToken::new(vault.sealed(token.handle)).ok());
                let (Some(Ok(base)), Some(token)) = (messaging.and_then(Messaging::address), token) else {
                    return nobody("there is no address or no token to ask with", check);
                };
                let ca_file = messaging.and_then(Messaging::ca_file).cloned();
                (Asker::with_token(base, &token, Settings { ca_file, ..settings.clone() }), base.origin())
            }
            Some(Probe::Pair) => {
                let storage = Storage::of_profile(profile);
                let Some((id, key)) = storage.and_then(Storage::pair) else {
                    return nobody("there is no pair to ask with", check);
                };
                let Some(Ok(base)) = storage.and_then(Storage::api) else {
                    return nobody(
                        "`endpoint` is that of another service than the hosted one, and nothing says where to ask",
                        "set `api_url` to the address of its `b2_authorize_account`, if it has one",
                    );
                };
                (Asker::with_pair(&base, &vault.sealed(id), &vault.sealed(key), settings.clone()), base.origin())
            }
            None => return nobody("credlint knows no way to ask its service", "look at the service itself"),
        };
        match asker {
            Ok(asker) => {
                let bucket = Storage::of_profile(profile).and_then(Storage::bucket).and_then(Setting::known);
                #[expect(
                    clippy::disallowed_methods,
                    reason = "the name of a bucket, to compare it with those of the key"
                )]
                let bucket = bucket.map(|bucket| vault.open(bucket.handle).to_owned());
                Asked::Service { asker: Box::new(asker), origin, bucket }
            }
            Err(error) => Asked::Nobody(error.into()),
        }
    }
}

impl Questions<'_> {
    /// The profiles that will be asked for, and the services that get their credentials: scheme, host and port.
    #[must_use]
    pub fn destinations(&self) -> Vec<(ProfileId, String)> {
        let asked = self.profiles.iter().filter_map(|(profile, asked)| match asked {
            Asked::Service { origin, .. } => Some((profile.id.clone(), origin.clone())),
            Asked::Refused | Asked::Nobody(_) => None,
        });
        asked.collect()
    }

    /// Asks. Needs a tokio runtime with I/O and time; dropping the future breaks the requests off.
    pub async fn ask(self) -> Report {
        let Self { mut report, profiles, channels } = self;
        let answers = profiles.into_iter().map(|(profile, asked)| answer(profile, asked, &channels));
        let answers: Vec<Option<Answer>> = stream::iter(answers).buffered(AT_A_TIME).collect().await;
        let (mut findings, mut said) = (Vec::new(), Vec::new());
        for ((id, verdict), answer) in report.profiles.iter_mut().zip(answers) {
            let mut own: Vec<Finding> =
                report.findings.extract_if(.., |finding| finding.profile.as_ref() == Some(id)).collect();
            if let Some(Answer { live, findings }) = answer {
                own.extend(findings);
                said.push((id.clone(), live));
            }
            *verdict = lint::verdict(&own);
            findings.extend(own);
        }
        findings.append(&mut report.findings);
        report.findings = findings;
        report.live = Some(said);
        report
    }
}

/// What was said of one profile.
struct Answer {
    live: Live,
    findings: Vec<Finding>,
}

impl Answer {
    fn add(&mut self, profile: &Profile, meta: &'static RuleMeta, draft: Draft) {
        Sink::new(meta, Some(&profile.id), &mut self.findings).push(draft);
    }
}

async fn answer(profile: &Profile, asked: Asked, channels: &[ChannelId]) -> Option<Answer> {
    let (asker, origin, bucket) = match asked {
        Asked::Refused => return None,
        Asked::Nobody(error) => {
            let mut answer = Answer { live: Live::new(Life::Unknown, None), findings: Vec::new() };
            unanswered(&mut answer, profile, &error);
            return Some(answer);
        }
        Asked::Service { asker, origin, bucket } => (asker, origin, bucket),
    };
    let mut answer = Answer { live: Live::new(Life::Unknown, Some(origin)), findings: Vec::new() };
    if let Some(messaging) = Messaging::of_profile(profile) {
        match asker.identity(messaging.workspace_id().as_ref()).await {
            Ok(identity) => {
                alive_token(&mut answer, profile, messaging, &identity);
                reach(&mut answer, profile, &asker, &identity, channels).await;
            }
            Err(doubt) => not_alive(&mut answer, profile, doubt),
        }
    }
    if let Some(storage) = Storage::of_profile(profile) {
        match asker.account(bucket.as_deref()).await {
            Ok(allowed) => alive_pair(&mut answer, profile, storage, allowed),
            Err(doubt) => not_alive(&mut answer, profile, doubt),
        }
    }
    Some(answer)
}

/// The halves of the credential that is asked for.
fn halves(profile: &Profile) -> Vec<&Setting> {
    let webhook = |setting: &&Setting| matches!(setting.field.ty, Type::Secret(Secret::Webhook));
    profile.credentials().filter(|setting| setting.is_present() && !webhook(setting)).collect()
}

/// Points at the credential, or if there is none at the profile.
fn at_credential(draft: Draft, profile: &Profile, text: &str) -> Draft {
    match halves(profile)[..] {
        [] => draft.at(&profile.id.to_string(), profile.at, text),
        ref halves => halves.iter().fold(draft, |draft, half| draft.value(half, text)),
    }
}

/// What the credential of a profile is called.
fn what(profile: &Profile) -> &'static str {
    match profile.kind().probe {
        Some(Probe::Pair) => "pair",
        _ => profile.kind().credential,
    }
}

fn not_alive(answer: &mut Answer, profile: &Profile, doubt: Doubt) {
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
fn unanswered(answer: &mut Answer, profile: &Profile, error: &Unanswered) {
    let what = what(profile);
    let message = format!("whether the {what} of `{}` is in force is not known: {}", profile.id, error.why);
    let draft = Draft::new(message, help(profile, error));
    answer.add(profile, &live::UNVERIFIED, at_credential(draft, profile, "not verified"));
}

/// The client speaks of the fields of an upload; here they may be others.
fn help(profile: &Profile, error: &Unanswered) -> String {
    let help = error.help.as_deref().unwrap_or("run it again later");
    match profile.kind().probe {
        Some(Probe::Token) | None => help.to_owned(),
        Some(Probe::Pair) => help
            .replace("{base_url}/api/", "{api_url}/b2api/v4/")
            .replace("`base_url`", "`api_url`")
            .replace("`token`", "the pair"),
    }
}

/// Something that can't be known with this credential.
fn unknowable(draft: Draft) -> Draft {
    draft.severity(Severity::Note)
}

fn alive_token(answer: &mut Answer, profile: &Profile, messaging: Messaging<'_>, identity: &Identity) {
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
    at: crate::source::Spot,
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
async fn reach(answer: &mut Answer, profile: &Profile, asker: &Asker, identity: &Identity, channels: &[ChannelId]) {
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
    let point = |draft: Draft, places: &[(String, crate::source::Spot)]| {
        places.iter().fold(draft, |draft, (key, at)| draft.at(key, *at, "not looked up"))
    };
    let said = |number: usize, why: &str| {
        format!("{} of `{}` could not be looked up: {why}", count(number, "channel"), profile.id)
    };
    if !unknown.is_empty() {
        let help =
            "nothing needs to be done; with the scope `channels:read` or `groups:read` the app could look them up";
        let draft = point(Draft::new(said(unknown.len(), why_unknown), help), &unknown);
        answer.add(profile, &live::UNVERIFIED, unknowable(draft));
    }
    if let Some(error) = why_open {
        let draft = point(Draft::new(said(open.len(), &error.why), help(profile, &error)), &open);
        answer.add(profile, &live::UNVERIFIED, draft);
    }
}

fn alive_pair(answer: &mut Answer, profile: &Profile, storage: Storage<'_>, allowed: Allowed) {
    answer.live.state = Life::Alive;
    let halves = halves(profile);
    if let (Some(bucket), Some(&id)) = (storage.bucket(), halves.first()) {
        let names = allowed.buckets.as_deref().unwrap_or_default().join(", ");
        let is_for = if names.is_empty() { "is for other buckets".to_owned() } else { format!("is for {names}") };
        if allowed.agrees == Some(false) {
            let message = format!("the key of `{}` {is_for}, and not for the bucket of the profile", profile.id);
            let help = "make a key for this bucket and set both halves of the pair, or mend `bucket`";
            let draft = Draft::new(message, help).value(bucket, "not a bucket of the key").key(id, is_for);
            answer.add(profile, &live::BUCKET, draft);
        } else if allowed.agrees.is_none() {
            let message = format!("the service does not say which buckets the key of `{}` is for", profile.id);
            let help = "nothing needs to be done: whether it reaches the bucket is seen when it is used";
            let draft = Draft::new(message, help).key(bucket, "not known");
            answer.add(profile, &live::UNVERIFIED, unknowable(draft));
        }
    }
    answer.live.capabilities = Some(allowed.capabilities);
    answer.live.buckets = allowed.buckets;
}
