//! The hosts that may get a credential.

use std::sync::Arc;

use super::environment::Environment;
use crate::schema::value::BaseUrl;

/// The variable that names them, separated by commas.
const VARIABLE: &str = "CREDLINT_HOSTS";

/// Lists of hosts. A host has to be on each; where there is no list, any will do.
#[derive(Clone, Default)]
pub struct PermittedHosts(Arc<Vec<Vec<String>>>);

impl std::fmt::Debug for PermittedHosts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Anything could have been pasted there.
        write!(f, "PermittedHosts({} lists)", self.0.len())
    }
}

impl PermittedHosts {
    pub(super) fn new(mut lists: Vec<Vec<String>>, environment: &Environment) -> Self {
        let said = environment.get(VARIABLE).map(|value| value.to_string_lossy().to_lowercase());
        let hosts = |value: String| value.split(',').map(|host| host.trim().to_owned()).collect::<Vec<_>>();
        // An empty variable is as good as none. What is no host matches none.
        lists.extend(said.filter(|value| !value.trim().is_empty()).map(hosts));
        Self(Arc::new(lists))
    }

    /// Whether a credential may go to this address.
    #[must_use]
    pub fn permit(&self, address: &BaseUrl) -> bool {
        let host = address.host();
        let is = |pattern: &String| match pattern.strip_prefix("*.") {
            Some(domain) => host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')),
            None => host == pattern,
        };
        self.0.iter().all(|list| list.iter().any(is))
    }
}
