//! A line of the journal.

use serde::{Deserialize, Serialize};

use crate::upload::receipt::Status;

/// The name of the format.
pub const SCHEMA: &str = "credlint/journal/v1";

/// What the names of all its versions begin with.
pub const FAMILY: &str = "credlint/journal/";

/// A line. One with a field or a word that this version does not know can't be read: it may say that the file was posted.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub schema: String,
    /// Seconds since 1970.
    pub time: u64,
    /// Which file to which place: a digest of both.
    pub key: String,
    /// The name of the file, for people.
    pub file: String,
    pub state: LineState,
    pub size: Option<u64>,
    /// When it was last written to, in nanoseconds since 1970.
    pub modified: Option<u64>,
    pub sha256: Option<String>,
    pub file_id: Option<String>,
    /// Why it was not (certainly) delivered.
    pub error: Option<String>,
    /// Which share of the files the run sends, if it is one of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// How far a file was when its line was written.
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
    /// What a receipt is written down as. `None` if nothing was tried.
    pub const fn from_status(status: Status) -> Option<Self> {
        match status {
            Status::Delivered => Some(Self::Delivered),
            Status::Accepted => Some(Self::Accepted),
            Status::Failed => Some(Self::Failed),
            Status::Uncertain => Some(Self::Uncertain),
            Status::Skipped | Status::Refused | Status::Rehearsed => None,
        }
    }

    /// Whether it was delivered, for all that is known.
    pub const fn is_delivered(self) -> bool {
        matches!(self, Self::Delivered | Self::Accepted)
    }

    /// Whether it may have been posted.
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
    fn a_status_is_written_down_under_its_own_word() {
        for status in [Status::Delivered, Status::Accepted, Status::Failed, Status::Uncertain] {
            let state = LineState::from_status(status).unwrap();
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("{:?}", status.as_str()));
        }
    }
}
