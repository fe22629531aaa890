//! The view of a messaging profile.

use super::assessment::Assessment;
use crate::config::{Element, Profile, State};
use crate::schema::value::{BaseUrl, ChannelFlaw, Parsed, UrlFlaw};
use crate::schema::value::{CaFile, WorkspaceId};
use crate::schema::{MESSAGING, Method};

/// The settings of an upload: an address, an access token and channels.
#[derive(Clone, Copy, Debug)]
pub struct Messaging<'a>(&'a Profile);

impl<'a> Messaging<'a> {
    /// Creates the view. `None` if the profile is of another kind.
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        (profile.kind().sender && !profile.broken).then_some(Self(profile))
    }

    /// Returns the parsed address.
    pub fn address(self) -> Option<Result<&'a BaseUrl, UrlFlaw>> {
        self.0.setting("base_url")?.address()
    }

    /// Returns the elements of the channel list.
    pub fn channels(self) -> &'a [Element] {
        self.0.setting("channels").map_or(&[], |channels| &channels.elements)
    }

    /// Returns why an element of the channel list is not an ID. Names have a separate flaw. `None` if the value is
    /// unknown, or another rule reports it.
    pub fn flaw(self, channel: &Element) -> Option<ChannelFlaw> {
        let list = self.0.setting("channels")?;
        // A reference or a credential is reported by another rule.
        if Assessment::from_state(self.0, list.field, &channel.state).is_wrong() {
            return None;
        }
        match channel.channel()? {
            Err(flaw) => Some(flaw),
            Ok(id) if self.is_hosted() => id.check_hosted().err(),
            Ok(id) => id.is_name().then_some(ChannelFlaw::Name),
        }
    }

    /// Returns `true` for the hosted service, whose IDs have a known form.
    pub fn is_hosted(self) -> bool {
        matches!(self.address(), Some(Ok(address)) if MESSAGING.is_hosted_at(address))
    }

    /// Returns the upload method: the configured one, or the default for the host. `None` if the configured method is
    /// unknown.
    pub fn method(self) -> Option<Method> {
        match self.0.present("upload_method").map(|method| &method.state) {
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

    /// Returns the certificate authority to trust in addition to those of the system.
    pub fn ca_file(self) -> Option<&'a CaFile> {
        match self.0.setting("ca_file")?.parsed()? {
            Ok(Parsed::Path(path)) => Some(path),
            _ => None,
        }
    }

    /// Returns the workspace ID. `None` if it is malformed.
    pub fn workspace_id(self) -> Option<WorkspaceId> {
        match self.0.present("workspace")?.parsed()? {
            Ok(Parsed::Id(id)) => WorkspaceId::parse(id),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, LoadOptions, Loaded};

    /// The hosted service has retired `files.upload`, and other servers have no other method.
    #[test]
    fn upload_method_follows_from_host_unless_set() {
        for (host, field, method) in [
            ("slack.com", "", Some(Method::External)),
            ("chat.example.com", "", Some(Method::FilesUpload)),
            ("chat.example.com", "upload_method = 'external'", Some(Method::External)),
            ("slack.com", "upload_method = 'files.upload'", Some(Method::FilesUpload)),
            ("slack.com", "upload_method = 'ftp'", None),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let text = format!("[messaging.r]\nbase_url = 'https://{host}'\n{field}\n");
            std::fs::write(directory.path().join("credlint.toml"), text).unwrap();
            let config = Loaded::load(&LoadOptions::new(directory.path(), Environment::default())).unwrap();
            let messaging = Messaging::from_profile(&config.profiles[0]).unwrap();
            assert_eq!(messaging.method(), method, "{host} {field}");
        }
    }
}
