//! The upload methods.

use super::kinds::MESSAGING;
use super::value::BaseUrl;
use crate::shorthand::words;

words! {
    /// An upload method.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum Method {
        /// A single request with the whole form.
        FilesUpload = "files.upload",
        /// Three requests: get an upload URL, send the bytes, complete the upload.
        External = "external",
    }

    /// Returns the word used in a configuration.
    pub fn name;
}

impl Method {
    /// Returns the default method of a service. The hosted service has retired `files.upload`.
    #[must_use]
    pub fn for_service(service: &BaseUrl) -> Self {
        if MESSAGING.is_hosted_at(service) { Self::External } else { Self::FilesUpload }
    }

    /// Returns the number of files to send at a time, so that longer runs stay below the hosted service's rate limits:
    /// at least 20 requests a minute for `files.upload`, and at least 100 for each request of `external`.
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

    /// Returns the method with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::FilesUpload, Self::External].into_iter().find(|method| method.name() == name)
    }
}
