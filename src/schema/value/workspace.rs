//! Workspace IDs.

use super::shown;

/// The ID of a workspace or organisation of the messaging service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkspaceId(String);

impl WorkspaceId {
    /// Parses an ID: `T` or `E`, then capitals and digits. The form of conversation IDs is `^[CGDZ][A-Z0-9]{8,}$`
    /// (<https://github.com/slackapi/bolt-js/issues/2115>); those of workspaces (`T`) and organisations (`E`) differ in
    /// the first letter.
    pub fn parse(value: &str) -> Option<Self> {
        shown::workspace(value).map(Self)
    }

    /// Returns the ID, which may be printed.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspaces() {
        for (value, valid) in [
            ("T0123456789", true),
            ("E01234567", true),
            ("T0123456", false),
            ("t0123456789", false),
            ("C0123456789", false),
            ("T0123456789-x", false),
            ("TABCDEFGHIJKLMNOPQRSTUVWXYZ", false),
            ("", false),
        ] {
            assert_eq!(WorkspaceId::parse(value).is_some(), valid, "{value:?}");
        }
        assert_eq!(WorkspaceId::parse("T0123456789").unwrap().as_str(), "T0123456789");
    }
}
