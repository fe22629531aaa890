//! Why an upload was not (certainly) done.

use crate::code::Code;

/// Why an upload was not (certainly) done. Holds nothing but our own words and what passed a validator.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UploadError {
    /// What to test for in a script: one of ours (`file-changed`) or a known one of the service (`invalid_auth`).
    pub code: Code,
    /// What happened, for people.
    pub message: String,
    /// What to do about it, where that is known.
    pub help: Option<String>,
}

/// What the settings of a service are called, where a help names them.
#[derive(Debug)]
pub(super) struct Names {
    /// Stands for `{address}`.
    pub(super) address: &'static str,
    /// Stands for `{credential}`.
    pub(super) credential: &'static str,
    /// Stands for `{operations}`.
    pub(super) operations: &'static str,
}

impl Names {
    /// Those of the messaging service.
    pub(super) const MESSAGING: Self =
        Self { address: "`base_url`", credential: "`token`", operations: "{base_url}/api/" };
    /// Those of the storage service.
    pub(super) const STORAGE: Self =
        Self { address: "`api_url`", credential: "the key pair", operations: "{api_url}/b2api/v4/" };
}

impl UploadError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None }
    }

    /// For what may have been done all the same.
    pub(crate) fn look(self) -> Self {
        self.help("look in the channel before you run it again")
    }

    /// The same with the names of the settings in its help.
    pub(super) fn named(mut self, names: &Names) -> Self {
        self.help = self.help.map(|help| {
            let help = help.replace("{address}", names.address).replace("{credential}", names.credential);
            help.replace("{operations}", names.operations)
        });
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl std::fmt::Display for UploadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UploadError {}
