//! This machine, which is reached without a proxy, and over plain http.

use url::Url;

use crate::schema::value::BaseUrl;

/// Whether an address leads to this machine, decided without asking DNS.
pub fn is_local(url: &Url) -> bool {
    BaseUrl::parse(&url.origin().ascii_serialization()).is_ok_and(|base| base.is_loopback())
}
