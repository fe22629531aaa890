//! Addresses of the hosted services that are certainly not an API: web pages, and hosts with another purpose.

use super::address::BaseUrl;

/// The purpose of a hosted service's address that is not its API.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NonApiUrl {
    /// A link to a channel or a message of the messaging service.
    Link,
    /// The web client.
    Client,
    /// File downloads of the messaging service.
    Files,
    /// Incoming webhooks.
    Webhooks,
    /// The documentation, or the management of apps.
    Documentation,
    /// A method of the API, not its base address.
    Method,
    /// Another web page of the messaging service.
    Page,
    /// The S3-compatible API of the storage service, not its native API.
    S3,
    /// File downloads of the storage service.
    Download,
    /// The website and the console of the storage service. Its other domain is for programs only. Source:
    /// <https://www.backblaze.com/docs/cloud-storage-create-and-manage-app-keys>, which signs in at `secure.`.
    Website,
}

/// Subdomains of the hosted messaging service.
const HOSTS: &[(&str, NonApiUrl)] = &[
    ("app", NonApiUrl::Client),
    ("files", NonApiUrl::Files),
    ("hooks", NonApiUrl::Webhooks),
    ("api", NonApiUrl::Documentation),
    ("docs", NonApiUrl::Documentation),
    ("status", NonApiUrl::Page),
    ("my", NonApiUrl::Page),
    ("join", NonApiUrl::Page),
];

/// The messaging service's domains, including the one for governments: <https://docs.slack.dev/govslack>
const MESSAGING: &str = "slack.com";
const GOVERNMENT: &str = "slack-gov.com";

const STORAGE: &str = "backblazeb2.com";

/// Hosts that serve web pages only.
const WEBSITE: &[&str] = &["backblaze.com", "www.backblaze.com", "secure.backblaze.com", "help.backblaze.com"];

impl NonApiUrl {
    /// Returns the noun with its article.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Link => "a link to a channel or a message",
            Self::Client => "the Slack web client",
            Self::Files => "Slack's file host",
            Self::Webhooks => "Slack's webhook host",
            Self::Documentation => "Slack's developer site",
            Self::Method => "the address of one API method",
            Self::Page => "a page of Slack's website",
            Self::S3 => "an endpoint of the S3-compatible API",
            Self::Download => "Backblaze B2's download host",
            Self::Website => "a page of Backblaze's website",
        }
    }
}

impl BaseUrl {
    /// Returns the purpose of the address. `None` unless it is certainly not an API.
    pub(crate) fn non_api_url(&self) -> Option<NonApiUrl> {
        let host = self.host();
        if WEBSITE.contains(&host) {
            return Some(NonApiUrl::Website);
        }
        if let Some(name) = below(host, STORAGE) {
            let number = name.strip_prefix('f').is_some_and(|rest| rest.len() == 3 && rest.parse::<u16>().is_ok());
            let s3 = name == "s3" || name.starts_with("s3.");
            return s3.then_some(NonApiUrl::S3).or_else(|| number.then_some(NonApiUrl::Download));
        }
        if host == "docs.slack.dev" {
            return Some(NonApiUrl::Documentation);
        }
        let government = host == GOVERNMENT || below(host, GOVERNMENT).is_some();
        if !government && host != MESSAGING && below(host, MESSAGING).is_none() {
            return None;
        }
        let path = self.path().trim_matches('/');
        if ["archives", "client", "messages"].iter().any(|word| path.split('/').next() == Some(word)) {
            return Some(NonApiUrl::Link);
        }
        let known = |domain| HOSTS.iter().find(|(name, _)| below(host, domain) == Some(name)).map(|(_, what)| *what);
        // For the government domain, the purpose of `api.` and the location of web pages are not documented.
        let sure = |what: &NonApiUrl| matches!(what, NonApiUrl::Client | NonApiUrl::Files | NonApiUrl::Webhooks);
        let at_host = if government { known(GOVERNMENT).filter(sure) } else { known(MESSAGING) };
        at_host.or_else(|| match path {
            "" | "api" => None,
            _ if self.repeats_api() => None,
            _ if path.starts_with("api/") => Some(NonApiUrl::Method),
            _ => Some(NonApiUrl::Page),
        })
    }

    /// Returns the correct address of the API.
    pub(crate) fn home(&self) -> &'static str {
        let host = self.host();
        match host {
            _ if host == GOVERNMENT || below(host, GOVERNMENT).is_some() => "https://slack-gov.com",
            _ if self.is_hosted_storage() || WEBSITE.contains(&host) => "https://api.backblazeb2.com",
            _ => "https://slack.com",
        }
    }
}

/// Returns the subdomain of a host.
fn below<'a>(host: &'a str, domain: &str) -> Option<&'a str> {
    host.strip_suffix(domain)?.strip_suffix('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_api() {
        use NonApiUrl::{Client, Documentation, Download, Files, Link, Method, Page, S3, Webhooks, Website};
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
            ("https://app.slack.com", Some(Client)),
            ("https://app.slack-gov.com", Some(Client)),
            ("https://files.slack.com/files-pri/T0-F0/a.csv", Some(Files)),
            ("https://hooks.slack-gov.com", Some(Webhooks)),
            ("https://api.slack.com/apps", Some(Documentation)),
            ("https://api.slack.com/api", Some(Documentation)),
            ("https://docs.slack.dev/reference", Some(Documentation)),
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
            ("https://f001.backblazeb2.com/file/nightly", Some(Download)),
            ("https://secure.backblaze.com/b2_buckets.htm", Some(Website)),
            ("https://f001.example.com", None),
        ] {
            assert_eq!(BaseUrl::parse(address).unwrap().non_api_url(), what, "{address}");
        }
        let home = |address| BaseUrl::parse(address).unwrap().home();
        assert_eq!(home("https://app.slack.com"), "https://slack.com");
        assert_eq!(home("https://docs.slack.dev"), "https://slack.com");
        assert_eq!(home("https://app.slack-gov.com"), "https://slack-gov.com");
        assert_eq!(home("https://f001.backblazeb2.com"), "https://api.backblazeb2.com");
        assert_eq!(home("https://www.backblaze.com"), "https://api.backblazeb2.com");
    }
}
