//! The channels of a running upload: progress, cancellation and the journal.

use tokio::sync::watch;

use super::error::UploadError;
use super::journal::{Entry, Stage};
use super::wire::body::CommitGate;
use super::wire::ledger::{Ledger, Progress};
use crate::shorthand::setters;

/// The channels of a running upload: progress, cancellation and the journal. The default has none of them.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub(super) progress: Option<watch::Sender<Progress>>,
    pub(super) cancel: Option<watch::Receiver<bool>>,
    journal: Option<Entry>,
}

impl Watch {
    setters! {
        /// Reports progress to this channel. Only the latest value is kept, so a slow reader doesn't delay the upload.
        with_progress(progress: watch::Sender<Progress>) = Some(progress);

        /// Cancels the upload when this becomes `true`. Dropping the sender does not cancel it.
        with_cancel(cancel: watch::Receiver<bool>) = Some(cancel);

        /// Records every step in this entry before it is taken.
        with_journal(journal: Option<Entry>);
    }

    /// Records a step, if there is a journal.
    pub(super) async fn note(&self, stage: Stage<'_>) -> Result<(), UploadError> {
        match &self.journal {
            Some(entry) => entry.note(stage).await,
            None => Ok(()),
        }
    }

    /// Returns what must be recorded before the last bytes of a posting request are sent.
    pub(super) fn commit_gate(&self, ledger: &Ledger) -> Option<CommitGate> {
        let (entry, ledger) = (self.journal.clone()?, ledger.clone());
        Some(Box::pin(async move {
            let sha256 = ledger.account().sha256.clone();
            entry.note(Stage::Posting(None, sha256.as_deref())).await
        }))
    }
}
