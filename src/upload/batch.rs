//! Many files with one client: so many at a time, each with its receipt, and none twice.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use futures_util::{StreamExt, stream};

use super::client::Client;
use super::inputs::is_stdin;
use super::journal::{Entry, Journal, Past};
use super::payload::{FileName, Payload};
use super::receipt::{Receipt, Skip, Status, UploadError};
use super::{Post, Watch};
use crate::schema::value::ChannelId;
use crate::text;

/// How to send many files.
#[derive(Debug)]
#[non_exhaustive]
pub struct Batch {
    /// How many at a time.
    pub concurrency: usize,
    /// Begin no other file after one that failed.
    pub fail_fast: bool,
    /// Post all of them in one message, where the method has that.
    pub together: bool,
    /// Where to write down what was done, and to look up what an earlier run has done.
    pub journal: Option<Journal>,
    /// Send again what an earlier run may have posted.
    pub retry_uncertain: bool,
    /// The name to send the one file under.
    pub name: Option<FileName>,
}

impl Default for Batch {
    /// One after the other, each in a message of its own, without a journal.
    fn default() -> Self {
        Self { concurrency: 1, fail_fast: false, together: false, journal: None, retry_uncertain: false, name: None }
    }
}

/// A file that is ready to be sent, or what became of it without that.
enum Ready {
    Send(Payload, Option<Entry>),
    Ended(Receipt),
}

impl Batch {
    /// Sends the files; the receipts are in their order. `watch` is asked for each file that is begun, `done` is told
    /// of each receipt as soon as there is one. What `watch` cancels ends as its receipt says, and no other is begun.
    pub async fn send(
        &self,
        client: &Client,
        post: &Post,
        files: &[PathBuf],
        watch: impl Fn(&Path) -> Watch,
        mut done: impl FnMut(&Receipt),
    ) -> Vec<Receipt> {
        if self.together {
            return self.send_together(client, post, files, watch, done).await;
        }
        let stop = Cell::new(None);
        let stop = &stop;
        let watch = &watch;
        let each = files.iter().enumerate().map(|(index, path)| async move {
            let channels = || post.channels.iter().map(ChannelId::shown).collect();
            let watch = watch(path);
            let cancel = watch.cancel.clone();
            if cancel.as_ref().is_some_and(|cancel| *cancel.borrow()) {
                stop.set(Some(Skip::Interrupted));
            }
            if let Some(why) = stop.get() {
                return (index, Receipt::skipped(path, channels(), why));
            }
            let receipt = match self.prepare(client, post, path).await {
                Ready::Ended(receipt) => receipt,
                Ready::Send(payload, entry) => {
                    let receipt = client.upload(post, payload, watch.with_journal(entry.clone())).await;
                    finish(receipt, path, entry.as_ref()).await
                }
            };
            if self.fail_fast && matches!(receipt.status, Status::Failed | Status::Uncertain) {
                stop.set(Some(Skip::FailFast));
            }
            (index, receipt)
        });
        let mut receipts: Vec<Option<Receipt>> = vec![None; files.len()];
        let mut ended = stream::iter(each).buffer_unordered(self.concurrency.max(1));
        while let Some((index, receipt)) = ended.next().await {
            done(&receipt);
            receipts[index] = Some(receipt);
        }
        receipts.into_iter().flatten().collect()
    }

    /// One message: what can't be sent is left out of it, or, with `fail_fast`, keeps it from being posted.
    async fn send_together(
        &self,
        client: &Client,
        post: &Post,
        files: &[PathBuf],
        watch: impl Fn(&Path) -> Watch,
        mut done: impl FnMut(&Receipt),
    ) -> Vec<Receipt> {
        let mut receipts: Vec<Option<Receipt>> = Vec::new();
        let mut payloads = Vec::new();
        for (index, path) in files.iter().enumerate() {
            receipts.push(match self.prepare(client, post, path).await {
                Ready::Ended(receipt) => Some(receipt),
                Ready::Send(payload, entry) => {
                    payloads.push((index, payload, entry));
                    None
                }
            });
        }
        let bad = |receipt: &Receipt| matches!(receipt.status, Status::Failed | Status::Uncertain);
        if self.fail_fast && receipts.iter().flatten().any(bad) {
            let channels: Vec<String> = post.channels.iter().map(ChannelId::shown).collect();
            for (index, ..) in payloads {
                receipts[index] = Some(Receipt::skipped(&files[index], channels.clone(), Skip::FailFast));
            }
        } else {
            let (places, message): (Vec<_>, Vec<_>) = payloads
                .into_iter()
                .map(|(index, payload, entry)| {
                    let watch = watch(&files[index]).with_journal(entry.clone());
                    ((index, entry), (payload, watch))
                })
                .unzip();
            let sent = client.upload_together(post, message, self.concurrency, self.fail_fast).await;
            for ((index, entry), receipt) in places.into_iter().zip(sent) {
                receipts[index] = Some(finish(receipt, &files[index], entry.as_ref()).await);
            }
        }
        let receipts: Vec<Receipt> = receipts.into_iter().flatten().collect();
        receipts.iter().for_each(&mut done);
        receipts
    }

    /// Opens a file and looks at what an earlier run has done with it.
    async fn prepare(&self, client: &Client, post: &Post, path: &Path) -> Ready {
        let channels = || post.channels.iter().map(ChannelId::shown).collect();
        match self.look(client, post, path).await {
            Ok(ready) => ready,
            Err(error) => Ready::Ended(Receipt::failed(path, channels(), error)),
        }
    }

    async fn look(&self, client: &Client, post: &Post, path: &Path) -> Result<Ready, UploadError> {
        let payload = self.open(path)?;
        let Some(journal) = &self.journal else { return Ok(Ready::Send(payload, None)) };
        let entry = journal.entry(client, post, path, &payload)?;
        let channels = post.channels.iter().map(ChannelId::shown).collect();
        let past = journal.past(&entry, &payload)?;
        Ok(match past {
            Past::Nothing => Ready::Send(payload, Some(entry)),
            Past::Delivered { file_id } => {
                let mut receipt = Receipt::skipped(path, channels, Skip::Journal);
                receipt.file_id = file_id;
                Ready::Ended(receipt)
            }
            Past::Uncertain { .. } if self.retry_uncertain => Ready::Send(payload, Some(entry)),
            Past::Uncertain { file_id } => {
                let mut receipt = client.looked_up(post, &payload.name, file_id).await;
                receipt.file = text::file(path);
                if receipt.status == Status::Delivered {
                    entry.end(&receipt).await?;
                }
                Ready::Ended(receipt)
            }
        })
    }

    /// Opens what a path stands for.
    ///
    /// # Errors
    /// As [`Payload::open`] and [`Payload::stdin`].
    pub fn open(&self, path: &Path) -> Result<Payload, UploadError> {
        match (&self.name, is_stdin(path)) {
            (Some(name), true) => Payload::stdin(name.clone()),
            (name, _) => Payload::open(path, name.clone()),
        }
    }
}

/// The receipt as it is told, and written down.
async fn finish(mut receipt: Receipt, path: &Path, entry: Option<&Entry>) -> Receipt {
    if !is_stdin(path) {
        // As it was said, so that two files of one name can be told apart.
        receipt.file = text::file(path);
    }
    if let Some(entry) = entry
        && let Err(error) = entry.end(&receipt).await
    {
        // The next run will take it for what the last line says, which is never too little.
        receipt.error.get_or_insert(error);
    }
    receipt
}
