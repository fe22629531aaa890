//! Asks a service whether a credential is valid and what it may do. The requests change nothing.

use std::borrow::Cow;

use bytes::Bytes;
use secrecy::SecretString;
use serde_json::Value;
use tokio::sync::OnceCell;
use url::form_urlencoded;

use super::error::SettingNames;
use super::session::{Session, StepError};
use super::settings::Settings;
use super::table::Step;
use super::wire::answer::{Answer, DeadCredential, Ending};
use super::wire::call::Target;
use super::wire::guard::{Guard, show_id, show_scopes};
use super::wire::http::Credential;
use crate::code::Code;
use crate::schema::value::{BaseUrl, ChannelId, WorkspaceId, shown};
use crate::shorthand::debug;
use crate::source::Problem;

/// Scopes that let a token look up a conversation of the right type; any one is sufficient. Source:
/// <https://docs.slack.dev/reference/methods/conversations.info>.
const LOOK_UP: [&str; 4] = ["channels:read", "groups:read", "im:read", "mpim:read"];

const TEST: (Step, &str) = (Step::Query, "auth.test");
const INFO: (Step, &str) = (Step::Query, "conversations.info");
const LIST: (Step, &str) = (Step::Query, "conversations.list");

/// The kinds of conversations that have a name, with the scope that lets a token list them. Source:
/// <https://docs.slack.dev/reference/methods/conversations.list>.
const NAMED: [(&str, &str); 2] = [("public_channel", "channels:read"), ("private_channel", "groups:read")];

/// The number of conversations on a page, which the service recommends:
/// <https://docs.slack.dev/apis/web-api/pagination>.
const PAGE: &str = "200";

/// The maximum number of pages that are read.
const PAGES: u32 = 1000;
const ACCOUNT: (Step, &str) = (Step::Query, "b2_authorize_account");

/// The scope that an upload requires. Source: <https://docs.slack.dev/reference/methods/files.getUploadURLExternal>.
const WRITE: &str = "files:write";

/// Why a name has no ID.
pub(crate) const NOT_LISTED: &str = "no channel that the token can see has this name";

/// Why a question was not answered positively.
#[derive(Clone, Debug)]
pub(crate) enum AskError {
    /// The service says that the credential is not valid.
    Dead(DeadCredential),
    /// The service did not answer; asking again may help.
    Unanswered(Problem),
    /// The service can't answer this question.
    Unknowable(Cow<'static, str>),
    /// The token lacks a scope for the question. Its scopes are included if the service lists them.
    Scope(Option<Scopes>),
    /// The answer is no, for this reason.
    No(&'static str),
}

/// The owner and the permissions of a token, all of which may be printed.
#[derive(Clone, Debug)]
pub(crate) struct TokenIdentity {
    pub(crate) bot: bool,
    pub(crate) expires_in: Option<u64>,
    /// The workspace.
    pub(crate) workspace: Option<String>,
    /// Whether it is the expected one.
    pub(crate) agrees: Option<bool>,
    /// `None` if the answer doesn't list them.
    pub(crate) scopes: Option<Scopes>,
    /// The ID of each channel that was looked up, if it was found by its name.
    pub(crate) channels: Vec<Option<String>>,
}

/// The scopes of a token.
#[derive(Clone, Debug)]
pub(crate) struct Scopes {
    pub(crate) shown: Vec<String>,
    pub(crate) may_upload: bool,
    pub(crate) may_look_up: bool,
    /// The kinds of conversations that it may list.
    lists: Vec<&'static str>,
}

impl Scopes {
    /// Parses the service's comma-separated list.
    fn from_list(granted: &str, guard: &Guard) -> Self {
        let granted: Vec<&str> = granted.split(',').map(str::trim).filter(|scope| !scope.is_empty()).collect();
        let shown: Vec<String> = granted.iter().filter_map(|scope| show_scopes(scope, guard)).collect();
        Self {
            shown: if guard.echoes_together(&as_strs(&shown)) { Vec::new() } else { shown },
            may_upload: granted.contains(&WRITE),
            may_look_up: LOOK_UP.iter().any(|scope| granted.contains(scope)),
            lists: NAMED.iter().filter(|(_, scope)| granted.contains(scope)).map(|(kind, _)| *kind).collect(),
        }
    }
}

fn as_strs(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}

impl TokenIdentity {
    /// Removes all words of the service if they contain the token when concatenated, in the order of the document or of
    /// the text output.
    fn mask_echoes(self, guard: &Guard) -> Self {
        let seconds = self.expires_in.map(|seconds| seconds.to_string());
        let [seconds, workspace] =
            [&seconds, &self.workspace].map(|part| part.as_deref().into_iter().collect::<Vec<_>>());
        let scopes = self.scopes.as_ref().map(|scopes| as_strs(&scopes.shown)).unwrap_or_default();
        let channels: Vec<&str> = self.channels.iter().flatten().map(String::as_str).collect();
        let orders = [[&seconds[..], &workspace, &scopes, &channels], [&workspace[..], &scopes, &channels, &seconds]];
        if orders.iter().any(|order| guard.echoes_together(&order.concat())) {
            let scopes = self.scopes.map(|scopes| Scopes { shown: Vec::new(), ..scopes });
            let channels = vec![None; self.channels.len()];
            return Self { expires_in: None, workspace: None, scopes, channels, ..self };
        }
        self
    }
}

impl AskError {
    /// Interprets a failure of a request about the credential itself.
    fn from_credential(failed: StepError) -> Self {
        failed.dead.map_or(Self::Unanswered(failed.error), Self::Dead)
    }

    /// Interprets a failure of a request about a channel. Every answer applies to that channel; a temporary failure is
    /// not an answer.
    fn from_channel(failed: StepError, guard: &Guard) -> Self {
        let StepError { ending, dead, scopes, error, .. } = failed;
        if let Some(dead) = dead {
            return Self::Dead(dead);
        }
        match (ending, error.code) {
            (Ending::Denied, Code::ChannelNotFound) => {
                Self::No("it does not exist, or it is private and the app is not a member")
            }
            (Ending::Denied, Code::NotInChannel) => Self::No("the app is not a member"),
            (Ending::Denied, Code::IsArchived | Code::ChannelIsArchived) => Self::No("it is archived"),
            (Ending::Denied, Code::InvalidChannel) => Self::No("it is not a channel ID"),
            (Ending::Denied, Code::MissingScope) => {
                Self::Scope(scopes.map(|granted| Scopes::from_list(&granted, guard)))
            }
            (Ending::Denied, Code::NotAuthed | Code::OrgLoginRequired | Code::TeamAddedToOrg) => {
                Self::Unanswered(error)
            }
            (Ending::Denied, _) => Self::Unknowable(error.message.into()),
            _ => Self::Unanswered(error),
        }
    }
}

/// The permissions of a storage key.
#[derive(Clone, Debug)]
pub(crate) struct KeyPermissions {
    pub(crate) capabilities: Vec<String>,
    /// The names of the permitted buckets, if they may be printed. `None` if all buckets are permitted.
    pub(crate) buckets: Option<Vec<String>>,
    /// True if all of them were deleted.
    pub(crate) deleted: bool,
    /// Whether the expected bucket is permitted. `None` if the answer doesn't say.
    pub(crate) agrees: Option<bool>,
}

/// Asks a service about one credential.
pub(crate) struct Asker {
    session: Session,
    /// True if the prefix of the token is that of a bot.
    bot: bool,
    /// The answer: a credential that occurs in several places is asked about once.
    identity: OnceCell<Result<TokenIdentity, AskError>>,
    account: OnceCell<Result<KeyPermissions, AskError>>,
}

debug!(Asker, |own| "Asker({:?})", own.session.base());

impl Asker {
    /// Creates an asker about a credential.
    pub(crate) fn new(
        base: &BaseUrl,
        credential: Credential<'_>,
        settings: Settings,
        names: &'static SettingNames,
    ) -> Result<Self, Problem> {
        let bot = matches!(credential, Credential::Token(token) if token.is_bot());
        let session = Session::new(base, credential, settings, names)?;
        Ok(Self { session, bot, identity: OnceCell::new(), account: OnceCell::new() })
    }

    /// Adds other secrets that the service receives or knows, so that no answer makes them appear in output.
    pub(crate) fn with_secrets(mut self, secrets: &[SecretString]) -> Self {
        self.session.guard = Guard::from_secrets(secrets);
        self
    }

    async fn send_query(&self, operation: (Step, &str), target: Target<'_>, words: Bytes) -> Result<Answer, StepError> {
        let session = &self.session;
        let mut attempts = session.query_attempts();
        loop {
            match attempts.ask(operation, target, words.clone()).await {
                // Whatever answers instead of the service will do so again.
                Err(failed) if failed.dead.is_none() && !matches!(failed.ending, Ending::Refused | Ending::Page) => {
                    attempts.recover(failed).await?;
                }
                ended => return ended,
            }
        }
    }

    /// Asks once whether the token is valid, and what it may do. Source:
    /// <https://docs.slack.dev/reference/methods/auth.test>.
    pub(crate) async fn identity(&self, workspace: Option<&WorkspaceId>) -> Result<TokenIdentity, AskError> {
        self.identity.get_or_init(|| self.ask_identity(workspace)).await.clone()
    }

    async fn ask_identity(&self, workspace: Option<&WorkspaceId>) -> Result<TokenIdentity, AskError> {
        let answer = self.send_query(TEST, Target::Operation, Bytes::new()).await.map_err(AskError::from_credential)?;
        let guard = &self.session.guard;
        let workspaces = answer.workspaces();
        let agrees = workspace.map(|id| workspaces.contains(&Some(id.as_str())));
        let identity = TokenIdentity {
            // A compatible service may omit the bot's ID.
            bot: self.bot || answer.is_bot(),
            expires_in: answer.get("expires_in").as_u64(),
            workspace: workspaces[0].and_then(|id| show_id(id, guard)),
            // An answer without a workspace neither confirms nor contradicts.
            agrees: agrees.filter(|_| workspaces.iter().any(Option::is_some)),
            scopes: answer.scopes().map(|granted| Scopes::from_list(granted, guard)),
            channels: Vec::new(),
        };
        Ok(identity.mask_echoes(guard))
    }

    /// Masks an identity, extended by later answers, if its parts together contain the token.
    pub(crate) fn mask_echoes(&self, identity: TokenIdentity) -> TokenIdentity {
        identity.mask_echoes(&self.session.guard)
    }

    /// Asks whether a file can be shared in a channel. Source:
    /// <https://docs.slack.dev/reference/methods/conversations.info>.
    pub(crate) async fn channel(&self, channel: &ChannelId, scopes: Option<&Scopes>) -> Result<(), AskError> {
        if scopes.is_some_and(|scopes| !scopes.may_look_up) {
            return Err(AskError::Scope(None));
        }
        if channel.as_str().starts_with(['U', 'W', '#', '@']) {
            return Err(AskError::Unknowable("only channel IDs can be looked up".into()));
        }
        let mut form = form_urlencoded::Serializer::new(String::new());
        let words = form.append_pair("channel", channel.as_str()).finish();
        let asked = self.send_query(INFO, Target::Operation, words.into()).await;
        let answer = asked.map_err(|failed| AskError::from_channel(failed, &self.session.guard))?;
        let record = answer.get("channel");
        let is = |flag: &str| record[flag].as_bool();
        if record.get("id").is_some_and(|id| id != channel.as_str()) {
            return Err(AskError::Unknowable("the service answered for another channel".into()));
        }
        // Source: https://docs.slack.dev/reference/objects/conversation-object
        for (flag, why) in [("is_archived", "it is archived"), ("is_read_only", "it is read-only")] {
            if is(flag) == Some(true) {
                return Err(AskError::No(why));
            }
        }
        if is("is_frozen") == Some(true) {
            return Err(AskError::Unknowable("it is frozen".into()));
        }
        match is("is_member") {
            Some(true) => Ok(()),
            // A direct conversation that is visible includes the user, and has no membership flag.
            _ if is("is_im") == Some(true) || is("is_mpim") == Some(true) => Ok(()),
            Some(false) => Err(AskError::No("the app is not a member")),
            None => Err(AskError::Unknowable("the service did not say whether the app is a member".into())),
        }
    }

    /// Finds the ID of a channel by its name, without the `#`, among those that the token may list. Source:
    /// <https://docs.slack.dev/reference/methods/conversations.list>.
    pub(crate) async fn find_channel(&self, name: &str, scopes: Option<&Scopes>) -> Result<String, AskError> {
        let kinds = scopes.map_or_else(|| NAMED.map(|(kind, _)| kind).to_vec(), |scopes| scopes.lists.clone());
        if kinds.is_empty() {
            return Err(AskError::Scope(None));
        }
        let types = kinds.join(",");
        let guard = &self.session.guard;
        let mut cursor = String::new();
        for _ in 0..PAGES {
            let mut form = form_urlencoded::Serializer::new(String::new());
            form.append_pair("types", &types).append_pair("exclude_archived", "true").append_pair("limit", PAGE);
            if !cursor.is_empty() {
                form.append_pair("cursor", &cursor);
            }
            let asked = self.send_query(LIST, Target::Operation, form.finish().into()).await;
            let answer = asked.map_err(|failed| AskError::from_channel(failed, guard))?;
            let is_it = |channel: &&Value| ["name", "name_normalized"].iter().any(|key| channel[*key] == name);
            if let Some(channel) = answer.get("channels").as_array().into_iter().flatten().find(is_it) {
                let id = channel["id"].as_str().and_then(|id| show_id(id, guard));
                return id.ok_or_else(|| AskError::Unknowable("the service gave no ID that can be printed".into()));
            }
            match answer.get("response_metadata")["next_cursor"].as_str() {
                Some(next) if !next.is_empty() && next != cursor => next.clone_into(&mut cursor),
                _ if kinds.len() == NAMED.len() => return Err(AskError::No(NOT_LISTED)),
                // It may be one of the others.
                _ => return Err(AskError::Scope(None)),
            }
        }
        Err(AskError::Unknowable("the service lists too many channels".into()))
    }

    /// Asks once whether the key pair is valid, and what it may do. Source:
    /// <https://www.backblaze.com/apidocs/b2-authorize-account>, version 4.
    pub(crate) async fn account(&self, bucket: Option<&str>) -> Result<KeyPermissions, AskError> {
        self.account.get_or_init(|| self.ask_account(bucket)).await.clone()
    }

    async fn ask_account(&self, bucket: Option<&str>) -> Result<KeyPermissions, AskError> {
        let answer =
            self.send_query(ACCOUNT, Target::Account, Bytes::new()).await.map_err(AskError::from_credential)?;
        let guard = &self.session.guard;
        let allowed = &answer.get("apiInfo")["storageApi"]["allowed"];
        let list = |key: &str| allowed[key].as_array();
        let names = list("capabilities").into_iter().flatten().filter_map(Value::as_str);
        let is_word =
            |word: &&str| (1..=40).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let mut deleted = false;
        let buckets: Option<Vec<&str>> = list("buckets").map(|buckets| {
            // A deleted bucket has no name.
            deleted =
                !buckets.is_empty() && buckets.iter().all(|bucket| bucket.get("name").is_some_and(Value::is_null));
            buckets.iter().filter_map(|bucket| bucket.get("name").and_then(Value::as_str)).collect()
        });
        // Null means all buckets; a missing key means another version of the answer.
        let all = allowed.get("buckets").is_some_and(Value::is_null);
        let agrees = bucket.and_then(|name| match &buckets {
            Some(buckets) => Some(buckets.contains(&name)),
            None => all.then_some(true),
        });
        let shown = |names: Vec<&str>| {
            names.into_iter().filter_map(shown::bucket).filter(|name| !guard.echoes(name)).collect::<Vec<_>>()
        };
        let capabilities: Vec<String> =
            names.filter(is_word).filter_map(|word| guard.unless_echoed(word).map(str::to_owned)).collect();
        let buckets = buckets.map(shown);
        let together = [as_strs(&capabilities), as_strs(buckets.as_deref().unwrap_or_default())].concat();
        let echo = guard.echoes_together(&together);
        Ok(KeyPermissions {
            capabilities: if echo { Vec::new() } else { capabilities },
            buckets: if echo { buckets.map(|_| Vec::new()) } else { buckets },
            deleted,
            agrees,
        })
    }
}
