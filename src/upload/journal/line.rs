//! A line of the journal.

use serde::{Deserialize, Serialize};

use crate::upload::receipt::Status;

/// The schema name.
pub const SCHEMA: &str = "credlint/journal/v1";

/// The common prefix of all versions' schema names.
pub const FAMILY: &str = "credlint/journal/";

/// A line of the journal. A line with an unknown field or word is an error, because it may say that the file was
/// posted.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub schema: String,
    /// The time, in seconds since 1970.
    pub time: u64,
    /// A digest of the file and its destination.
    pub key: String,
    /// The file's name, for people.
    pub file: String,
    pub state: LineState,
    pub size: Option<u64>,
    /// The modification time, in nanoseconds since 1970.
    pub modified: Option<u64>,
    pub sha256: Option<String>,
    pub file_id: Option<String>,
    /// The error code, unless it was delivered.
    pub error: Option<String>,
    /// The share of the files that the run sends, if it is one of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// The progress of a file when the line was written.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum LineState {
    Begun,
    Ticket,
    Posting,
    Delivered,
    Accepted,
    Failed,
    Uncertain,
}

impl LineState {
    /// Returns the state for a receipt's status. `None` if nothing was sent.
    pub const fn from_status(status: Status) -> Option<Self> {
        match status {
            Status::Delivered => Some(Self::Delivered),
            Status::Accepted => Some(Self::Accepted),
            Status::Failed => Some(Self::Failed),
            Status::Uncertain => Some(Self::Uncertain),
            Status::Skipped | Status::Refused | Status::Rehearsed => None,
        }
    }

    /// Returns `true` if the file was delivered.
    pub const fn is_delivered(self) -> bool {
        matches!(self, Self::Delivered | Self::Accepted)
    }

    /// Returns `true` if the file may have been posted.
    pub const fn is_uncertain(self) -> bool {
        matches!(self, Self::Posting | Self::Uncertain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_words() {
        for (state, word) in
            [(LineState::Begun, "begun"), (LineState::Posting, "posting"), (LineState::Failed, "failed")]
        {
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("{word:?}"));
            assert_eq!(serde_json::from_str::<LineState>(&format!("{word:?}")).unwrap(), state);
        }
        assert!(serde_json::from_str::<LineState>("\"invented\"").is_err());
    }

    #[test]
    fn each_status_has_its_own_journal_state() {
        for status in [Status::Delivered, Status::Accepted, Status::Failed, Status::Uncertain] {
            let state = LineState::from_status(status).unwrap();
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("{:?}", status.as_str()));
        }
    }
}
