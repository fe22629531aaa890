//! A profile of the messaging service.

use super::{Draft, Setting, State};
use crate::config::{Content, Form, Mistyped, Shape, Text, choice};
use crate::schema::UPLOAD_METHODS;
use crate::schema::method::Method;
use crate::schema::value::{BaseUrl, CaFile, ChannelFlaw, ChannelId, UrlFlaw, WorkspaceId};
use crate::secret::{Handle, MASK};
use crate::source::Spot;

/// What an upload needs: an address, an access token and channels.
#[derive(Clone, Debug)]
pub struct Messaging {
    /// The address of the service.
    pub base_url: Option<Setting>,
    /// The address, checked.
    pub address: Option<Result<BaseUrl, UrlFlaw>>,
    /// The access token.
    pub token: Option<Setting>,
    /// The token in the vault, for the client.
    pub token_handle: Option<Handle>,
    /// The list of channels.
    pub channels: Option<Setting>,
    /// Its elements.
    pub channel_list: Vec<Channel>,
    /// The text to post with a file.
    pub initial_comment: Option<Setting>,
    /// The text in the vault, for the client.
    pub comment_handle: Option<Handle>,
    /// How to upload.
    pub upload_method: Option<Setting>,
    /// How to upload, checked.
    pub method: Option<Method>,
    /// An incoming webhook.
    pub webhook_url: Option<Setting>,
    /// The certificates to trust beside those of the system.
    pub ca_file: Option<Setting>,
    /// Where they are.
    pub ca_path: Option<CaFile>,
    /// The workspace that the token should belong to.
    pub workspace: Option<Setting>,
    /// The id of it; nothing, if it is none.
    pub workspace_id: Option<WorkspaceId>,
}

/// An element of the list of channels.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its path: `messaging.reports.channels[0]`.
    pub key: String,
    /// Where it stands.
    pub at: Spot,
    /// Where its value was found, if that is another place.
    pub found: Option<Spot>,
    /// What is there.
    pub state: State,
    /// The id, checked; nothing if there is no value to check.
    pub id: Option<Result<ChannelId, ChannelFlaw>>,
}

impl Messaging {
    pub(super) fn of(draft: &mut Draft<'_>) -> Self {
        let (base_url, text) = draft.text("base_url");
        let address = draft.open(text).map(BaseUrl::parse);
        let (upload_method, method) = method(draft, address.as_ref().and_then(|address| address.as_ref().ok()));
        let (token, token_text) = draft.text("token");
        let (initial_comment, comment) = draft.text("initial_comment");
        let (channels, channel_list) = channels(draft);
        let (ca_file, ca_text) = draft.text("ca_file");
        let (workspace, workspace_text) = draft.text("workspace");
        Self {
            base_url,
            address,
            token,
            token_handle: draft.handle(token_text),
            channels,
            channel_list,
            initial_comment,
            comment_handle: draft.handle(comment),
            upload_method,
            method,
            webhook_url: draft.text("webhook_url").0,
            ca_file,
            // An empty one counts as absent.
            ca_path: draft.handle(ca_text).and(ca_text).and_then(|text| text.names.clone()),
            workspace,
            workspace_id: draft.open(workspace_text).and_then(WorkspaceId::parse),
        }
    }

    pub(super) fn settings(&self) -> Vec<&Setting> {
        let Self { base_url, token, channels, initial_comment, upload_method, webhook_url, ca_file, workspace, .. } =
            self;
        let all = [base_url, token, channels, initial_comment, upload_method, webhook_url, ca_file, workspace];
        all.into_iter().flatten().collect()
    }
}

/// What the configuration says, or else what follows from the host.
fn method(draft: &mut Draft<'_>, address: Option<&BaseUrl>) -> (Option<Setting>, Option<Method>) {
    let (mut setting, text) = draft.text("upload_method");
    let method = match draft.open(text).map(Method::from_name) {
        Some(Some(method)) => Some(method),
        None if setting.as_ref().is_some_and(Setting::is_present) => None,
        None => Some(address.map_or(Method::FilesUpload, Method::for_service)),
        Some(None) => {
            if let Some(setting) = &mut setting {
                setting.state = State::Mistyped;
                // What a layer writes out was judged with that layer; here is what a reference led to.
                if setting.form != Form::Literal {
                    let (key, at) = (setting.key.clone(), setting.found.unwrap_or(setting.at));
                    let (expected, profile) = (choice(UPLOAD_METHODS), Some(draft.merged.id.clone()));
                    draft.mistyped.push(Mistyped { key, at, found: "another string", expected, profile });
                }
            }
            None
        }
    };
    (setting, method)
}

fn channels(draft: &Draft<'_>) -> (Option<Setting>, Vec<Channel>) {
    let Some(found) = draft.merged.settings.iter().find(|setting| setting.field.name == "channels") else {
        return (None, Vec::new());
    };
    let (state, texts, whole) = match &found.shape {
        Shape::List(texts) => (State::Opaque, texts.as_slice(), None),
        Shape::Split(texts, whole) => (State::of(&whole.content, draft.config), texts.as_slice(), Some(whole)),
        Shape::Text(text) => (State::of(&text.content, draft.config), &[][..], Some(text)),
    };
    // An empty list is as good as an empty string; a list with elements is judged by them.
    let looked_up = whole.is_none_or(|whole| matches!(whole.content, Content::Known(_)));
    let state = match (looked_up, texts) {
        (true, []) if !matches!(found.shape, Shape::Text(_)) => State::Empty,
        _ => state,
    };
    let setting = draft.setting(found, state, whole);
    let channel = |(index, text): (usize, &Text)| Channel {
        key: format!("{}[{index}]", setting.key),
        at: text.at,
        found: text.found,
        state: State::of(&text.content, draft.config),
        id: match text.content {
            Content::Known(_) => Some(ChannelId::parse(draft.open(Some(text)).unwrap_or_default())),
            _ => None,
        },
    };
    let channels: Vec<Channel> = texts.iter().enumerate().map(channel).collect();
    let shown = channels.iter().map(|channel| match &channel.id {
        Some(Ok(id)) => id.shown(),
        _ => MASK.to_owned(),
    });
    let shown = Some(shown.collect::<Vec<_>>().join(", ")).filter(|shown| !shown.is_empty());
    (Some(Setting { shown, ..setting }), channels)
}
