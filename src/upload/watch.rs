//! The channels of a running upload: progress out, cancellation in, and the journal.

use tokio::sync::watch;

use super::error::UploadError;
use super::journal::{Entry, Stage};
use super::progress::Progress;
use super::wire::body::CommitGate;
use super::wire::ledger::Ledger;

/// The channels of a running upload: progress out, cancellation in, and the journal. The default does none of it.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub(super) progress: Option<watch::Sender<Progress>>,
    pub(super) cancel: Option<watch::Receiver<bool>>,
    journal: Option<Entry>,
}

impl Watch {
    /// Reports progress here. Only the latest value is kept, so a slow reader slows nothing down.
    #[must_use]
    pub fn with_progress(mut self, progress: watch::Sender<Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Gives up as soon as this turns `true`. A sender that is dropped cancels nothing.
    #[must_use]
    pub fn with_cancel(mut self, cancel: watch::Receiver<bool>) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Writes every step down here before it is taken.
    #[must_use]
    pub fn with_journal(mut self, entry: Option<Entry>) -> Self {
        self.journal = entry;
        self
    }

    /// Writes down a step, where there is a journal.
    pub(super) async fn note(&self, stage: Stage<'_>) -> Result<(), UploadError> {
        match &self.journal {
            Some(entry) => entry.note(stage).await,
            None => Ok(()),
        }
    }

    /// What has to be written down before the last bytes of a request that posts may go.
    pub(super) fn commit_gate(&self, ledger: &Ledger) -> Option<CommitGate> {
        let (entry, ledger) = (self.journal.clone()?, ledger.clone());
        Some(Box::pin(async move {
            let sha256 = ledger.account().sha256.clone();
            entry.note(Stage::Posting(None, sha256.as_deref())).await
        }))
    }
}
