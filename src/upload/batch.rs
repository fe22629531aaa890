//! Sends many files with one client: several at a time, each with a receipt, and each only once.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use futures_util::{FutureExt, StreamExt, stream};

use super::client::Client;
use super::external::{ONCE, Placed, UNTIL_SHARED};
use super::inputs::is_stdin;
use super::journal::{Entry, Journal, PriorState};
use super::payload::{self, Payload};
use super::post::{FileName, Post};
use super::receipt::{Receipt, Skip, Status};
use super::run_control::{RunControl, SoloGuard};
use super::session::Watch;
use super::wire::call::cancelled;
use crate::code::Code;
use crate::file::FileSet;
use crate::schema::Method;
use crate::source::Problem;
use crate::text;

/// Options for sending several files.
#[derive(Debug)]
#[non_exhaustive]
pub struct Batch {
    /// The number of files at a time. `None` uses the method's default.
    pub concurrency: Option<usize>,
    /// Don't start another file after a failure.
    pub fail_fast: bool,
    /// Post all files in a single message, if the method supports it.
    pub one_message: bool,
    /// A journal of this and earlier runs.
    pub journal: Option<Journal>,
    /// Send files again that an earlier run may have posted.
    pub retry_uncertain: bool,
    /// Send standard input even if it is empty.
    pub allow_empty: bool,
    /// The name of the only file.
    pub name: Option<FileName>,
    /// Files with secrets, which are not sent.
    pub(crate) secret: FileSet,
    /// The identities of files that were found in a directory or by a pattern.
    pub(crate) found: HashMap<PathBuf, (u64, u64)>,
    /// The patterns that no file matches.
    pub(crate) no_match: HashSet<PathBuf>,
}

impl Default for Batch {
    /// One file at a time, each in its own message, without a journal.
    fn default() -> Self {
        Self {
            concurrency: Some(1),
            fail_fast: false,
            one_message: false,
            journal: None,
            retry_uncertain: false,
            allow_empty: false,
            name: None,
            secret: FileSet::default(),
            found: HashMap::new(),
            no_match: HashSet::new(),
        }
    }
}

/// A file that is ready to be sent, or the result if it won't be.
enum Ready {
    Send(Payload, Option<Entry>),
    Ended(Receipt),
}

/// A file that was sent, or that waits for the other files of its message.
type StartedFile = (Receipt, Option<Placed>);

impl Batch {
    /// Sends the files and returns their receipts in order. `watch` is called for each file that is started, and `done`
    /// for each receipt as soon as it is known. If `watch` cancels, the file ends as its receipt says, and no other
    /// file is started.
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
        // New files first, so that a run that is killed early has made progress beyond the files that an earlier run
        // left open.
        let mut order: Vec<(usize, &PathBuf)> = files.iter().enumerate().collect();
        if self.journal.as_ref().is_some_and(Journal::has_open) {
            order.sort_by_cached_key(|(_, path)| self.is_open(client, post, path));
        }
        let each = order.into_iter().map(|(index, path)| async move {
            let alone = run_control.wait_for_turn().await;
            let watch = watch(path);
            if watch.is_cancelled() {
                run_control.stop(Skip::Interrupted);
            }
            if let Some(why) = run_control.stopped() {
                let receipt = client.labels.mask(path, Receipt::skipped(path, post.shown_channels(), why));
                return (index, (receipt, None));
            }
            let (receipt, placed) = self.start_file(client, post, path, watch).await;
            self.record_result(run_control, &receipt, placed.is_some(), &alone);
            (index, (receipt, placed))
        });
        let mut receipts: Vec<Option<Receipt>> = vec![None; files.len()];
        let mut message = Vec::new();
        let concurrency = self.concurrency.unwrap_or_else(|| client.method().concurrency());
        let mut begun = stream::iter(each).buffer_unordered(concurrency.max(1));
        while let Some((index, (receipt, placed))) = begun.next().await {
            if placed.is_some() {
                message.push((index, (receipt, placed)));
                continue;
            }
            done(&receipt);
            receipts[index] = Some(receipt);
        }
        message.sort_by_key(|(index, _)| *index);
        for (index, receipt) in self.post_staged(client, post, files, message, run_control).await {
            done(&receipt);
            receipts[index] = Some(receipt);
        }
        receipts.into_iter().flatten().collect()
    }

    /// Returns `true` if the service must be asked about an earlier upload of the file.
    fn is_open(&self, client: &Client, post: &Post, path: &Path) -> bool {
        let name = self.name.clone().map_or_else(|| FileName::from_path(path), Ok);
        match (&self.journal, name) {
            (Some(journal), Ok(name)) => journal.is_open(client.base_url(), post, path, &name),
            _ => false,
        }
    }

    /// Sends a file, or only its bytes if several files share a message.
    async fn start_file(&self, client: &Client, post: &Post, path: &Path, watch: Watch) -> StartedFile {
        let ready = self.open_and_look_up(client, post, path, &watch).await;
        let (payload, entry) =
            match ready.unwrap_or_else(|error| Ready::Ended(Receipt::failed(path, post.shown_channels(), error))) {
                Ready::Ended(receipt) => {
                    return (client.labels.mask(path, receipt), None);
                }
                Ready::Send(payload, entry) => (payload, entry),
            };
        let watch = watch.with_journal(entry.clone());
        let (receipt, placed) = if self.one_message {
            client.send_without_posting(post, payload, watch).await
        } else {
            (client.upload(post, payload, watch).await, None)
        };
        if placed.is_some() {
            return (receipt, placed);
        }
        (finish(client, receipt, path, entry.as_ref()).await, None)
    }

    /// Records the result of a file, which may end the run.
    fn record_result(&self, run_control: &RunControl, receipt: &Receipt, placed: bool, alone: &SoloGuard<'_>) {
        run_control.record_result(receipt, placed, alone);
        if self.fail_fast && matches!(receipt.status, Status::Failed | Status::Uncertain) && !placed {
            run_control.stop(Skip::FailFast);
        }
    }

    /// Posts the files that were sent together, as far as the run is not stopped.
    async fn post_staged(
        &self,
        client: &Client,
        post: &Post,
        files: &[PathBuf],
        message: Vec<(usize, StartedFile)>,
        run_control: &RunControl,
    ) -> Vec<(usize, Receipt)> {
        let (places, mut placed): (Vec<usize>, Vec<StartedFile>) = message.into_iter().unzip();
        let cancel = placed.first().and_then(|(_, placed)| placed.as_ref()).map(|placed| placed.watch.clone());
        let mut alone = None;
        let stops = |posted: &[StartedFile]| {
            for (receipt, _) in posted {
                self.record_result(run_control, receipt, false, &alone);
            }
            // Messages are posted one after the other, so the next one is alone whenever it has to be.
            drop(alone.take());
            alone = run_control.wait_for_turn().now_or_never().flatten();
            if cancel.as_ref().is_some_and(Watch::is_cancelled) {
                run_control.stop(Skip::Interrupted);
            }
            run_control.stopped()
        };
        client.post_sent(post, &mut placed, stops).await;
        let mut receipts = Vec::new();
        for (index, (receipt, placed)) in places.into_iter().zip(placed) {
            let entry = placed.and_then(|placed| placed.watch.journal);
            receipts.push((index, finish(client, receipt, &files[index], entry.as_ref()).await));
        }
        receipts
    }

    /// Opens a file and looks it up in the journal, and at the service if an earlier run may have posted it.
    async fn open_and_look_up(
        &self,
        client: &Client,
        post: &Post,
        path: &Path,
        watch: &Watch,
    ) -> Result<Ready, Problem> {
        let payload = match &self.name {
            Some(name) if is_stdin(path) && !self.allow_empty => {
                payload::await_stdin(name.clone(), watch.cancel.clone()).await?
            }
            _ => self.open(path)?,
        };
        let mut cancel = watch.cancel.clone();
        let payload = if is_stdin(path) { Some(payload) } else { payload::with_length(payload, &mut cancel).await? };
        let interrupted = || Ok(Ready::Ended(Receipt::skipped(path, post.shown_channels(), Skip::Interrupted)));
        let Some(payload) = payload else { return interrupted() };
        let Some(journal) = &self.journal else { return Ok(Ready::Send(payload, None)) };
        let entry = journal.entry(client.base_url(), post, path, &payload)?.named(client.labels.shown_path(path));
        let prior = tokio::select! {
            biased;
            prior = journal.prior_state(&entry, &payload) => prior?,
            // A large file takes its time.
            () = cancelled(&mut cancel) => return interrupted(),
        };
        // For a file that an earlier run may have posted: whether its content has changed, whether to send it if it is
        // not there, and whether to repeat the completion of the earlier run.
        let (file_id, changed, again, repeat) = match prior {
            PriorState::None => return Ok(Ready::Send(payload, Some(entry))),
            PriorState::Delivered { file_id } => {
                let mut receipt = Receipt::skipped(path, post.shown_channels(), Skip::Journal);
                receipt.file_id = file_id.filter(|id| client.may_show(id));
                return Ok(Ready::Ended(receipt));
            }
            PriorState::Posting { file_id, changed } => (Some(file_id), changed, true, false),
            PriorState::Uncertain { file_id, changed, differs } => {
                let again = self.retry_uncertain;
                // A message with several files is not split, and what was sent otherwise is not posted.
                (file_id, changed, again, !(again || self.one_message || changed || differs))
            }
        };
        let denials = if self.retry_uncertain { UNTIL_SHARED } else { ONCE };
        let mut receipt = client.look_up(post, &payload.name, file_id, (denials, repeat), watch).await;
        receipt.file = client.labels.shown_path(path);
        let delivered = receipt.status == Status::Delivered;
        if delivered {
            // The journal records the content that was delivered then.
            journal.earlier_entry(&entry)?.named(receipt.file.clone()).record_result(&receipt).await?;
        }
        let send = if delivered { changed } else { again };
        Ok(if send { Ready::Send(payload, Some(entry)) } else { Ready::Ended(receipt) })
    }

    /// Opens a file that was named, or a directory that can't be searched, and closes it: what fails then is found before
    /// anything is posted.
    pub(crate) fn try_named(&self, post: &Post, method: Method, path: &Path) -> Result<(), Problem> {
        if is_stdin(path) || self.found.contains_key(path) {
            return Ok(());
        }
        self.open(path).and_then(|payload| post.check(method, payload.size()))
    }

    /// Opens the file at a path.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Payload::open`] and [`Payload::stdin`]; code `secret-file`; code `file-changed` if it is
    /// not the file that was found.
    pub fn open(&self, path: &Path) -> Result<Payload, Problem> {
        match (&self.name, is_stdin(path)) {
            (Some(name), true) => Payload::stdin(name.clone()),
            (name, _) => {
                if self.no_match.contains(path) {
                    return Err(no_match_error(path));
                }
                let payload = Payload::open(path, name.clone())?;
                if payload.is_one_of(&self.secret) {
                    Err(secret_file_error(path))
                } else if self.found.get(path).is_some_and(|&found| payload.identity() != Some(found)) {
                    Err(replaced_error(path))
                } else {
                    payload.measured()
                }
            }
        }
    }
}

fn no_match_error(path: &Path) -> Problem {
    let message = format!("the pattern {} matches no file", text::file_to_send(path));
    Problem::new(Code::NoMatch, message)
        .help("check the pattern; hidden files and symbolic links must be named directly")
}

fn secret_file_error(path: &Path) -> Problem {
    let message = format!("{} is not sent: the configuration reads a value from it", text::file(path));
    Problem::new(Code::SecretFile, message).help("to send it anyway, add --allow-secret-file")
}

/// Returns the error for a file that was replaced. It was found in a directory or by a pattern, and the replacement may
/// be a link to anywhere.
fn replaced_error(path: &Path) -> Problem {
    let message = format!("{} is not sent: another file has replaced it since it was found", text::file(path));
    Problem::new(Code::FileChanged, message).help("run it again, or pass the file itself")
}

/// Completes a receipt, and records it in the journal.
async fn finish(client: &Client, mut receipt: Receipt, path: &Path, entry: Option<&Entry>) -> Receipt {
    if !is_stdin(path) || receipt.status == Status::Failed {
        // Use the path, so that files with the same name can be distinguished, and that what can't be read again is known.
        receipt.file = text::file(path);
        receipt = client.labels.mask(path, receipt);
    }
    if let Some(entry) = entry
        && let Err(error) = entry.record_result(&receipt).await
    {
        // The next run will use the last line, which never claims more than was done.
        let message = "the journal can't be written: the next run will not know whether the file was delivered";
        receipt.error.get_or_insert(Problem { message: message.to_owned(), ..error });
    }
    receipt
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::upload::inputs::{Exclusions, Inputs};

    #[test]
    fn rejects_found_file_that_was_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir(at("sub")).unwrap();
        for name in ["private", "sub/a.csv", "sub/b.csv", "c.csv"] {
            std::fs::write(at(name), name).unwrap();
        }
        let inputs = Inputs::expand([at("sub"), at("*.csv"), at("private")], [], &Exclusions::default());
        assert_eq!(inputs.files, ["sub/a.csv", "sub/b.csv", "c.csv", "private"].map(at));
        let batch = Batch { found: inputs.found, ..Batch::default() };
        let open =
            || inputs.files.iter().map(|file| batch.open(file).err().map(|error| error.code)).collect::<Vec<_>>();
        assert_eq!(open(), [None; 4]);
        // Keep the removed files open, so that no new file gets their inodes.
        let _removed = ["sub/a.csv", "c.csv"].map(|name| std::fs::File::open(at(name)).unwrap());
        for name in ["sub/a.csv", "c.csv"] {
            std::fs::remove_file(at(name)).unwrap();
            std::os::unix::fs::symlink(at("private"), at(name)).unwrap();
        }
        // A named file may be any file.
        std::fs::copy(at("private"), at("copy")).unwrap();
        std::fs::rename(at("copy"), at("private")).unwrap();
        assert_eq!(open(), [Some(Code::FileChanged), None, Some(Code::FileChanged), None]);
        // The same for a directory in the path.
        std::fs::rename(at("sub"), at("old")).unwrap();
        std::fs::create_dir(at("other")).unwrap();
        std::fs::write(at("other/b.csv"), "other").unwrap();
        std::os::unix::fs::symlink("other", at("sub")).unwrap();
        assert_eq!(open()[1], Some(Code::FileChanged));
    }
}
