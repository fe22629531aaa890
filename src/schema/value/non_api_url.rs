//! Addresses of the hosted services that are certainly not an API: web pages, and hosts with another purpose.

use super::address::BaseUrl;
use crate::services::{SERVICES, Serves, Service};

/// What a hosted service's address is, if it is not its API.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NonApiUrl {
    /// What is there.
    pub serves: Serves,
    /// The noun with its article.
    pub noun: &'static str,
    service: &'static Service,
}

impl BaseUrl {
    /// Returns what the address is. `None` unless it is certainly not an API.
    pub(crate) fn non_api_url(&self) -> Option<NonApiUrl> {
        let path = self.path().trim_matches('/');
        let mut rows = SERVICES.iter().filter_map(|service| Some((*service, service.host(self.host(), path)?)));
        let (service, row) = rows.next()?;
        let (serves, noun) = match (row.serves, path) {
            (Serves::Api, "" | "api") => return None,
            (Serves::Api, _) if row.noun.is_empty() || self.repeats_api() => return None,
            (Serves::Api, _) if path.starts_with("api/") => (Serves::Method, "the address of one API method"),
            (Serves::Api, _) => (Serves::Page, row.noun),
            (serves, _) => (serves, row.noun),
        };
        Some(NonApiUrl { serves, noun, service })
    }
}

impl NonApiUrl {
    /// Returns the address of the API in its place.
    pub(crate) fn home(self, address: &BaseUrl) -> &'static str {
        self.service.home(address.host())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_api() {
        use Serves::{Link, Method, Other, Page, S3};
        for (address, what) in [
            ("https://slack.com", None),
            ("https://slack.com/", None),
            ("https://www.slack.com", None),
            ("https://myteam.slack.com", None),
            ("https://myteam.enterprise.slack.com", None),
            ("https://app.enterprise.slack.com", None),
            ("https://slack-gov.com", None),
            ("https://agency.slack-gov.com", None),
            ("https://api.slack-gov.com", None),
            ("https://status.slack-gov.com", None),
            ("https://chat.example.com/archives/C0123456789", None),
            ("https://app.slack.com.example.com", None),
            ("https://notslack.com/messages", None),
            ("https://slack.com/api", None),
            ("https://slack.com/api/files.upload", None),
            ("https://myteam.slack.com/archives/C0123456789/p1700000000000000", Some(Link)),
            ("https://app.slack.com/client/T0123456789/C0123456789", Some(Link)),
            ("https://app.slack-gov.com/client/E0123456789", Some(Link)),
            ("https://app.slack.com", Some(Page)),
            ("https://app.slack-gov.com", Some(Page)),
            ("https://files.slack.com/files-pri/T0-F0/a.csv", Some(Other)),
            ("https://hooks.slack-gov.com", Some(Other)),
            ("https://api.slack.com/apps", Some(Page)),
            ("https://api.slack.com/api", Some(Page)),
            ("https://docs.slack.dev/reference", Some(Page)),
            ("https://status.slack.com", Some(Page)),
            ("https://my.slack.com", Some(Page)),
            ("https://slack.com/signin", Some(Page)),
            ("https://slack.com/api/chat.postMessage", Some(Method)),
            ("https://slack-gov.com/api/chat.postMessage/", Some(Method)),
            ("https://api.backblazeb2.com", None),
            ("https://api005.backblazeb2.com", None),
            ("https://files.backblazeb2.com", None),
            ("https://f05.backblazeb2.com", None),
            ("https://s3.eu-central-005.backblazeb2.com", Some(S3)),
            ("https://s3.backblazeb2.com", Some(S3)),
            ("https://f001.backblazeb2.com/file/nightly", Some(Other)),
            ("https://secure.backblaze.com/b2_buckets.htm", Some(Page)),
            ("https://f001.example.com", None),
        ] {
            assert_eq!(BaseUrl::parse(address).unwrap().non_api_url().map(|found| found.serves), what, "{address}");
        }
        let home = |address| {
            let address = BaseUrl::parse(address).unwrap();
            address.non_api_url().unwrap().home(&address)
        };
        assert_eq!(home("https://app.slack.com"), "https://slack.com");
        assert_eq!(home("https://docs.slack.dev"), "https://slack.com");
        assert_eq!(home("https://app.slack-gov.com"), "https://slack-gov.com");
        assert_eq!(home("https://f001.backblazeb2.com"), "https://api.backblazeb2.com");
        assert_eq!(home("https://www.backblaze.com"), "https://api.backblazeb2.com");
    }
}
