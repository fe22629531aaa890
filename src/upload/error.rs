//! Advice of an upload, in the names of its profile.

use crate::source::Problem;

/// The names of a service's settings, for help texts.
#[derive(Debug)]
pub(crate) struct SettingNames {
    /// Replaces `{address}`.
    pub(super) address: &'static str,
    /// Replaces `{credential}`.
    pub(super) credential: &'static str,
    /// Replaces `{operations}`.
    pub(super) operations: &'static str,
}

impl SettingNames {
    /// The names for the messaging service.
    pub(crate) const MESSAGING: Self =
        Self { address: "`base_url`", credential: "`token`", operations: "{base_url}/api/" };
    /// The names for the storage service.
    pub(crate) const STORAGE: Self =
        Self { address: "`api_url`", credential: "the key pair", operations: "{api_url}/b2api/v4/" };
    /// The names for an app, which has several tokens.
    pub(crate) const APP: Self = Self { address: "`api_url`", credential: "it", operations: "{api_url}/api/" };
    /// The names for a token that was found, possibly without an address.
    #[cfg(feature = "cli")]
    pub(crate) const FOUND_TOKEN: Self = Self { address: "the address", credential: "it", operations: "/api/" };
    /// The names for a key pair that was found.
    #[cfg(feature = "cli")]
    pub(crate) const FOUND_PAIR: Self = Self { address: "the address", credential: "it", operations: "/b2api/v4/" };
}

impl Problem {
    /// Adds the advice for an upload that may have been done.
    pub(crate) fn advise_look(self) -> Self {
        self.help("look in the channel before you run it again")
    }

    /// Replaces the names of settings in the help.
    pub(super) fn with_names(mut self, names: &SettingNames) -> Self {
        self.help = self.help.map(|help| {
            let help = help.replace("{address}", names.address).replace("{credential}", names.credential);
            help.replace("{operations}", names.operations)
        });
        self
    }
}
