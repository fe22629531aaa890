//! The ways to upload a file, as a profile names them.

use super::value::BaseUrl;

/// The ways to upload a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Method {
    /// One request with the whole form.
    FilesUpload,
    /// Three requests: a ticket, the bytes, the completion.
    External,
}

impl Method {
    /// The method of a service that nobody said anything about: the hosted one has retired `files.upload`.
    #[must_use]
    pub fn for_service(service: &BaseUrl) -> Self {
        if service.is_hosted() { Self::External } else { Self::FilesUpload }
    }

    /// How many files to send at a time, so that a run of some length stays below what the hosted service allows: 20
    /// requests a minute and more for the one, 100 and more for each request of the other.
    ///
    /// Source of the tiers: <https://docs.slack.dev/apis/web-api/rate-limits>.
    #[cfg(feature = "upload")]
    #[must_use]
    pub const fn concurrency(self) -> usize {
        match self {
            Self::FilesUpload => 4,
            Self::External => 8,
        }
    }

    /// The word used in a configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FilesUpload => "files.upload",
            Self::External => "external",
        }
    }

    /// The method of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::FilesUpload, Self::External].into_iter().find(|method| method.name() == name)
    }
}
