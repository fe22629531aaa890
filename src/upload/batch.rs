//! Many files with one client: so many at a time, each with its receipt, and none twice.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use futures_util::{StreamExt, stream};

use super::client::Client;
use super::error::UploadError;
use super::external::{Patience, Placed};
use super::inputs::is_stdin;
use super::journal::{Entry, Journal, PriorState};
use super::payload::{FileName, Payload};
use super::post::Post;
use super::receipt::{Receipt, Skip, Status};
use super::run_control::RunControl;
use super::stdin;
use super::watch::Watch;
use crate::code::Code;
use crate::file::FileSet;
use crate::schema::value::ChannelId;
use crate::text;

/// How to send many files.
#[derive(Debug)]
#[non_exhaustive]
pub struct Batch {
    /// How many at a time. `None` is what suits the method.
    pub concurrency: Option<usize>,
    /// Begin no other file after one that failed.
    pub fail_fast: bool,
    /// Post all of them in one message, where the method has that.
    pub together: bool,
    /// Where to write down what was done, and to look up what an earlier run has done.
    pub journal: Option<Journal>,
    /// Send again what an earlier run may have posted.
    pub retry_uncertain: bool,
    /// Send standard input also if there is nothing on it.
    pub allow_empty: bool,
    /// The name to send the one file under.
    pub name: Option<FileName>,
    /// Files that hold a secret, and are not sent.
    pub(crate) secret: FileSet,
    /// Which files those are that were found and not named.
    pub(crate) found: HashMap<PathBuf, (u64, u64)>,
}

impl Default for Batch {
    /// One after the other, each in a message of its own, without a journal.
    fn default() -> Self {
        Self {
            concurrency: Some(1),
            fail_fast: false,
            together: false,
            journal: None,
            retry_uncertain: false,
            allow_empty: false,
            name: None,
            secret: FileSet::default(),
            found: HashMap::new(),
        }
    }
}

/// A file that is ready to be sent, or what became of it without that.
enum Ready {
    Send(Payload, Option<Entry>),
    Ended(Receipt),
}

/// A file that was sent, or that waits for the others of its message.
struct StartedFile {
    receipt: Receipt,
    placed: Option<Placed>,
    entry: Option<Entry>,
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
        let run_control = RunControl::default();
        let (run_control, watch) = (&run_control, &watch);
        let channels = || post.channels.iter().map(ChannelId::shown).collect();
        // New ones first: a run that is killed early has not spent its time on what an earlier one left open.
        let mut order: Vec<(usize, &PathBuf)> = files.iter().enumerate().collect();
        if self.journal.as_ref().is_some_and(Journal::has_open) {
            order.sort_by_cached_key(|(_, path)| self.is_open(client, post, path));
        }
        let each = order.into_iter().map(|(index, path)| async move {
            let alone = run_control.turn().await;
            let watch = watch(path);
            if watch.cancel.as_ref().is_some_and(|cancel| *cancel.borrow()) {
                run_control.stop(Skip::Interrupted);
            }
            if let Some(why) = run_control.stopped() {
                let receipt = client.labels().mask(path, Receipt::skipped(path, channels(), why));
                return (index, StartedFile { receipt, placed: None, entry: None });
            }
            let begun = self.begin(client, post, path, watch).await;
            run_control.ended(&begun.receipt, begun.placed.is_some(), &alone);
            if self.fail_fast
                && matches!(begun.receipt.status, Status::Failed | Status::Uncertain)
                && begun.placed.is_none()
            {
                run_control.stop(Skip::FailFast);
            }
            (index, begun)
        });
        let mut receipts: Vec<Option<Receipt>> = vec![None; files.len()];
        let mut message = Vec::new();
        let concurrency = self.concurrency.unwrap_or_else(|| client.method().concurrency());
        let mut begun = stream::iter(each).buffer_unordered(concurrency.max(1));
        while let Some((index, begun)) = begun.next().await {
            if begun.placed.is_some() {
                message.push((index, begun));
                continue;
            }
            done(&begun.receipt);
            receipts[index] = Some(begun.receipt);
        }
        message.sort_by_key(|(index, _)| *index);
        for (index, receipt) in self.post(client, post, files, message, run_control.stopped()).await {
            done(&receipt);
            receipts[index] = Some(receipt);
        }
        receipts.into_iter().flatten().collect()
    }

    /// Whether the service has to be asked what became of a file in an earlier run.
    fn is_open(&self, client: &Client, post: &Post, path: &Path) -> bool {
        let name = self.name.clone().map_or_else(|| FileName::from_path(path), Ok);
        match (&self.journal, name) {
            (Some(journal), Ok(name)) => journal.is_open(client.base_url(), post, path, &name),
            _ => false,
        }
    }

    /// Sends a file, or only its bytes if it is to be in a message with others.
    async fn begin(&self, client: &Client, post: &Post, path: &Path, watch: Watch) -> StartedFile {
        let ready = self.look(client, post, path, &watch).await;
        let channels = || post.channels.iter().map(ChannelId::shown).collect();
        let (payload, entry) =
            match ready.unwrap_or_else(|error| Ready::Ended(Receipt::failed(path, channels(), error))) {
                Ready::Ended(receipt) => {
                    return StartedFile { receipt: client.labels().mask(path, receipt), placed: None, entry: None };
                }
                Ready::Send(payload, entry) => (payload, entry),
            };
        let watch = watch.with_journal(entry.clone());
        let (receipt, placed) = if self.together {
            client.begin(post, payload, watch).await
        } else {
            (client.upload(post, payload, watch).await, None)
        };
        if placed.is_some() {
            return StartedFile { receipt, placed, entry };
        }
        StartedFile { receipt: finish(client, receipt, path, entry.as_ref()).await, placed, entry }
    }

    /// Posts what was placed in one message, unless something is to keep it from being posted.
    async fn post(
        &self,
        client: &Client,
        post: &Post,
        files: &[PathBuf],
        message: Vec<(usize, StartedFile)>,
        stopped: Option<Skip>,
    ) -> Vec<(usize, Receipt)> {
        let (places, mut placed): (Vec<_>, Vec<_>) =
            message.into_iter().map(|(index, begun)| ((index, begun.entry), (begun.receipt, begun.placed))).unzip();
        if let Some(why) = stopped {
            for (receipt, _) in &mut placed {
                (receipt.status, receipt.skip) = (Status::Skipped, Some(why));
            }
        } else {
            client.complete(post, &mut placed).await;
        }
        let mut receipts = Vec::new();
        for ((index, entry), (receipt, _)) in places.into_iter().zip(placed) {
            receipts.push((index, finish(client, receipt, &files[index], entry.as_ref()).await));
        }
        receipts
    }

    /// Opens a file and looks at what an earlier run has done with it.
    async fn look(&self, client: &Client, post: &Post, path: &Path, watch: &Watch) -> Result<Ready, UploadError> {
        let payload = match &self.name {
            Some(name) if is_stdin(path) && !self.allow_empty => {
                stdin::begun(name.clone(), watch.cancel.clone()).await?
            }
            _ => self.open(path)?,
        };
        let Some(journal) = &self.journal else { return Ok(Ready::Send(payload, None)) };
        let entry = journal.entry(client.base_url(), post, path, &payload)?.named(client.labels().file(path));
        let channels = post.channels.iter().map(ChannelId::shown).collect();
        Ok(match journal.past(&entry, &payload).await? {
            PriorState::None => Ready::Send(payload, Some(entry)),
            PriorState::Delivered { file_id } => {
                let mut receipt = Receipt::skipped(path, channels, Skip::Journal);
                receipt.file_id = file_id.filter(|id| client.may_show(id));
                Ready::Ended(receipt)
            }
            PriorState::Posting { file_id, changed } => {
                self.look_up(client, post, (path, payload, entry), (Some(file_id), changed, true), watch).await?
            }
            PriorState::Uncertain { file_id, changed } => {
                let again = self.retry_uncertain;
                self.look_up(client, post, (path, payload, entry), (file_id, changed, again), watch).await?
            }
        })
    }

    /// Asks the service for a file that an earlier run may have posted. `again`: whether it is sent if it is not there.
    async fn look_up(
        &self,
        client: &Client,
        post: &Post,
        (path, payload, entry): (&Path, Payload, Entry),
        (file_id, changed, again): (Option<String>, bool, bool),
        watch: &Watch,
    ) -> Result<Ready, UploadError> {
        let patience = if self.retry_uncertain { Patience::UntilShared } else { Patience::Once };
        let mut receipt = client.look_up(post, &payload.name, file_id, patience, watch).await;
        receipt.file = client.labels().file(path);
        let delivered = receipt.status == Status::Delivered;
        if delivered && let Some(journal) = &self.journal {
            // What was delivered is what there was then.
            journal.before(&entry)?.named(receipt.file.clone()).end(&receipt).await?;
        }
        let send = if delivered { changed } else { again };
        Ok(if send { Ready::Send(payload, Some(entry)) } else { Ready::Ended(receipt) })
    }

    /// Opens what a path stands for.
    ///
    /// # Errors
    /// As [`Payload::open`] and [`Payload::stdin`]; code `secret-file`; code `file-changed`, if it is another file than
    /// was found.
    pub fn open(&self, path: &Path) -> Result<Payload, UploadError> {
        match (&self.name, is_stdin(path)) {
            (Some(name), true) => Payload::stdin(name.clone()),
            (name, _) => {
                let payload = Payload::open(path, name.clone())?;
                if payload.is_one_of(&self.secret) {
                    Err(secret_file(path))
                } else if self.found.get(path).is_some_and(|&found| payload.identity() != Some(found)) {
                    Err(replaced(path))
                } else {
                    Ok(payload)
                }
            }
        }
    }
}

fn secret_file(path: &Path) -> UploadError {
    let message = format!("{} is not sent: the configuration reads a value from it", text::file(path));
    UploadError::new(Code::SecretFile, message).help("to send it anyway, add --allow-secret-file")
}

/// It was asked for by the directory or the pattern that it lay in; what lies there now may be a link to anywhere.
fn replaced(path: &Path) -> UploadError {
    let message = format!("{} is not sent: another file has replaced it since it was found", text::file(path));
    UploadError::new(Code::FileChanged, message).help("run it again, or pass the file itself")
}

/// The receipt as it is told, and written down.
async fn finish(client: &Client, mut receipt: Receipt, path: &Path, entry: Option<&Entry>) -> Receipt {
    if !is_stdin(path) {
        // As it was said, so that two files of one name can be told apart.
        receipt.file = text::file(path);
        receipt = client.labels().mask(path, receipt);
    }
    if let Some(entry) = entry
        && let Err(error) = entry.end(&receipt).await
    {
        // The next run will take it for what the last line says, which is never too little.
        let message = "the journal can't be written: the next run will not know whether the file was delivered";
        receipt.error.get_or_insert(UploadError { message: message.to_owned(), ..error });
    }
    receipt
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::upload::inputs::{Exclusions, Inputs};

    #[test]
    fn what_was_found_is_what_is_sent() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir(at("sub")).unwrap();
        for name in ["private", "sub/a.csv", "sub/b.csv", "c.csv"] {
            std::fs::write(at(name), name).unwrap();
        }
        let inputs = Inputs::expand([at("sub"), at("*.csv"), at("private")], &Exclusions::new());
        assert_eq!(inputs.files, ["sub/a.csv", "sub/b.csv", "c.csv", "private"].map(at));
        let batch = Batch { found: inputs.found, ..Batch::default() };
        let open =
            || inputs.files.iter().map(|file| batch.open(file).err().map(|error| error.code)).collect::<Vec<_>>();
        assert_eq!(open(), [None; 4]);
        for name in ["sub/a.csv", "c.csv"] {
            std::fs::remove_file(at(name)).unwrap();
            std::os::unix::fs::symlink(at("private"), at(name)).unwrap();
        }
        // What was named is whatever is there.
        std::fs::copy(at("private"), at("copy")).unwrap();
        std::fs::rename(at("copy"), at("private")).unwrap();
        assert_eq!(open(), [Some(Code::FileChanged), None, Some(Code::FileChanged), None]);
        // The same by a directory on the way.
        std::fs::rename(at("sub"), at("old")).unwrap();
        std::fs::create_dir(at("other")).unwrap();
        std::fs::write(at("other/b.csv"), "other").unwrap();
        std::os::unix::fs::symlink("other", at("sub")).unwrap();
        assert_eq!(open()[1], Some(Code::FileChanged));
    }
}
