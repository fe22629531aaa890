//! A profile of the messaging service.

use super::assessment::Assessment;
use crate::config::{Element, Profile, Setting, State};
use crate::schema::MESSAGING;
use crate::schema::method::Method;
use crate::schema::value::{BaseUrl, ChannelFlaw, Parsed, UrlFlaw};
#[cfg(feature = "upload")]
use crate::schema::value::{CaFile, WorkspaceId};
#[cfg(feature = "upload")]
use crate::secret::Handle;

/// What an upload needs: an address, an access token and channels.
#[derive(Clone, Copy, Debug)]
pub struct Messaging<'a>(&'a Profile);

impl<'a> Messaging<'a> {
    /// A profile as one of the messaging service. `None` if it is of another kind, or no table.
    #[must_use]
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        (*profile.kind() == MESSAGING && !profile.broken).then_some(Self(profile))
    }

    /// The address of the service.
    #[must_use]
    pub fn base_url(self) -> Option<&'a Setting> {
        self.0.setting("base_url")
    }

    /// The same, checked.
    #[must_use]
    pub fn address(self) -> Option<Result<&'a BaseUrl, UrlFlaw>> {
        self.base_url()?.address()
    }

    /// The access token.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn token(self) -> Option<&'a Setting> {
        self.0.setting("token")
    }

    /// An incoming webhook.
    #[must_use]
    pub fn webhook_url(self) -> Option<&'a Setting> {
        self.0.present("webhook_url")
    }

    /// The text to post with a file, in the vault.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn comment(self) -> Option<Handle> {
        Some(self.0.setting("initial_comment")?.known()?.handle)
    }

    /// The elements of the list of channels.
    #[must_use]
    pub fn channels(self) -> &'a [Element] {
        self.0.setting("channels").map_or(&[], |channels| &channels.elements)
    }

    /// What keeps an element of that list from being an id; a name is told apart from the rest by its flaw. `None` for
    /// what is not known, and for what is a mistake of another kind.
    #[must_use]
    pub fn flaw(self, channel: &Element) -> Option<ChannelFlaw> {
        if self.is_wrong(channel) {
            return None;
        }
        match channel.channel()? {
            Err(flaw) => Some(flaw),
            Ok(id) if self.is_hosted() => id.check_hosted().err(),
            Ok(id) => id.is_name().then_some(ChannelFlaw::Name),
        }
    }

    /// Whether it is the hosted service, whose ids have a known form.
    #[must_use]
    pub fn is_hosted(self) -> bool {
        matches!(self.address(), Some(Ok(address)) if address.is_hosted())
    }

    /// Whether an element of that list is a reference or a credential, which is a mistake of its own.
    fn is_wrong(self, channel: &Element) -> bool {
        let list = self.0.setting("channels");
        list.is_some_and(|list| Assessment::from_element(self.0, list, channel).is_wrong())
    }

    /// How to upload: what the configuration says, or else what follows from the host. `None` if what it says is not known.
    #[must_use]
    pub fn method(self) -> Option<Method> {
        match self.upload_method().map(|method| &method.state) {
            None => Some(match self.address() {
                Some(Ok(address)) => Method::for_service(address),
                _ => Method::FilesUpload,
            }),
            Some(State::Known(known)) => match known.parsed {
                Ok(Parsed::Word(word)) => Method::from_name(word),
                _ => None,
            },
            Some(_) => None,
        }
    }

    /// What the configuration says of the method. Left out or empty, it follows from the host.
    #[must_use]
    pub fn upload_method(self) -> Option<&'a Setting> {
        self.0.present("upload_method")
    }

    /// The certificates to trust beside those of the system.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn ca_file(self) -> Option<&'a CaFile> {
        match self.0.setting("ca_file")?.parsed()? {
            Ok(Parsed::Path(path)) => Some(path),
            _ => None,
        }
    }

    /// The workspace that the token should belong to.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn workspace(self) -> Option<&'a Setting> {
        self.0.present("workspace")
    }

    /// The id of it. `None` if it is none.
    #[cfg(feature = "upload")]
    #[must_use]
    pub fn workspace_id(self) -> Option<WorkspaceId> {
        match self.workspace()?.parsed()? {
            Ok(Parsed::Id(id)) => WorkspaceId::parse(id),
            _ => None,
        }
    }
}
