//! An upload from start to end: check the profile, find the files, optionally verify the credential, send.

mod listing;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tokio::sync::watch;

use super::answer::GivenChannels;
use super::ask::{Verification, prepare_target};
use super::sender::Sender;
use crate::code::Code;
use crate::config::{ConfigError, Profile};
use crate::file;
use crate::finding::{Finding, Severity};
use crate::lint::{self, CheckOptions, Loaded, Report};
use crate::schema::value::{ChannelFlaw, IN_PLACE_OF_NAME};
use crate::schema::{MESSAGING, Method, ProfileId};
use crate::secret::MASK;
use crate::shorthand::setters;
use crate::source::{Problem, Sources};
use crate::upload::{
    Batch, Blocks, FileLabels, Journal, LeftOut, Mode, Post, Progress, Receipt, Settings, Shard, Skip, Status, Watch,
    cancelled,
};

/// The options of a delivery. By default it is live, and has no files.
#[derive(Default, Debug)]
#[non_exhaustive]
pub struct DeliveryOptions {
    /// The profile, as `kind.name` or name.
    pub profile: String,
    /// Files, directories and patterns; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// A file that lists further files, or the report of an upload, which stands for those that were not posted.
    pub files_from: Option<PathBuf>,
    /// Patterns to exclude from directories and patterns.
    pub exclude: Vec<String>,
    /// Leave out empty files even if they are named. Those in directories and patterns are left out where the service
    /// rejects them.
    pub skip_empty: bool,
    /// Files that the caller writes, which are not sent from directories and patterns.
    pub written: Vec<PathBuf>,
    /// The share of the files to send; other runs send the rest.
    pub shard: Option<Shard>,
    /// Send a named file even if the configuration reads a value from it.
    pub allow_secret_files: bool,
    /// The settings of each message. Without channels, a comment or a type of snippet, those of the profile are used.
    pub post: Post,
    /// The file with the blocks of the message, in place of its comment.
    pub blocks: Option<PathBuf>,
    /// Whether files are really sent.
    pub mode: Mode,
    /// Verify the credential first.
    pub verify: bool,
    /// The journal file.
    pub journal: Option<PathBuf>,
    /// Options for sending several files.
    pub batch: Batch,
    /// Network settings for each file.
    pub settings: Settings,
}

impl DeliveryOptions {
    /// Creates options for a live upload without files.
    #[must_use]
    pub fn new(profile: impl Into<String>) -> Self {
        Self { profile: profile.into(), ..Self::default() }
    }

    setters! {
        /// Adds files, directories and patterns; `-` is standard input.
        with_files(files: impl IntoIterator<Item = impl Into<PathBuf>>) = files.into_iter().map(Into::into).collect();

        /// Sends only this share of the files; other runs send the rest.
        with_shard(shard: Shard) = Some(shard);

        /// Keeps a journal in this file, so that an interrupted run can be resumed.
        with_journal(journal: impl Into<PathBuf>) = Some(journal.into());
    }
}

/// Why a delivery could not be prepared.
#[derive(Debug)]
#[non_exhaustive]
pub enum DeliveryError {
    /// The profile does not exist or can't be used. The id is present once it is known.
    Profile(Option<ProfileId>, ConfigError),
    /// The list of files can't be read.
    List(ProfileId, ConfigError),
    /// The options contradict each other.
    Usage(String),
    /// The user declined to send so many files.
    Declined,
}

impl std::fmt::Display for DeliveryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Profile(_, error) | Self::List(_, error) => error.fmt(f),
            Self::Usage(message) => f.write_str(message),
            Self::Declined => f.write_str("nothing was sent: the number of files was not confirmed"),
        }
    }
}

impl std::error::Error for DeliveryError {}

/// A delivery that is ready to run. Nothing was sent yet.
#[derive(Debug)]
pub struct Delivery<'a> {
    loaded: &'a Loaded,
    profile: &'a Profile,
    /// The report after levels and allows, for the verification.
    tuned: Report,
    findings: Vec<Finding>,
    /// `None` if the profile has errors.
    sender: Option<Sender>,
    files: Vec<PathBuf>,
    /// The total size of the files when they were found.
    bytes: u64,
    labels: FileLabels,
    options: DeliveryOptions,
}

/// The results of a delivery.
#[derive(Debug)]
#[non_exhaustive]
pub struct Delivered {
    /// The profile that was used.
    pub profile: ProfileId,
    /// The destination. `None` if nothing could be sent.
    pub destination: Option<String>,
    /// One receipt for each file, in order; empty if nothing could be sent for a reason that was reported.
    pub receipts: Vec<Receipt>,
    /// What was achieved, over all files.
    pub outcome: Outcome,
    /// The files that were not posted, if others were or may have been, and no journal knows which.
    pub rest: Vec<PathBuf>,
    /// The findings in the profile.
    pub findings: Vec<Finding>,
    /// The sources that the findings refer to.
    pub sources: Sources,
}

/// What a delivery has achieved, over all files. The worst counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// Every file was delivered, accepted or rehearsed, or needed not be sent.
    Done,
    /// Nothing was posted, or the journal knows what was: the same delivery can be run again.
    NotDone,
    /// Nothing was sent, because the profile has errors.
    Refused,
    /// Some files were posted and others not, and no journal knows which: run again with [`Delivered::rest`] only.
    Partly,
    /// A file may have been posted: look before anything is run again.
    Uncertain,
}

impl From<&Receipt> for Outcome {
    fn from(receipt: &Receipt) -> Self {
        match (receipt.status, receipt.skip) {
            (Status::Skipped, Some(Skip::Journal | Skip::DryRun))
            | (Status::Delivered | Status::Accepted | Status::Rehearsed, _) => Self::Done,
            (Status::Failed | Status::Skipped, _) => Self::NotDone,
            (Status::Refused, _) => Self::Refused,
            (Status::Uncertain, _) => Self::Uncertain,
        }
    }
}

impl Loaded {
    /// Checks a profile and finds the files to send.
    ///
    /// # Errors
    ///
    /// Returns an error if there is nothing to deliver. A profile with errors is not one of these cases: the delivery
    /// refuses to run.
    pub fn delivery(&self, options: DeliveryOptions, observer: &impl Observer) -> Result<Delivery<'_>, DeliveryError> {
        let unusable = |error| DeliveryError::Profile(None, error);
        let (profile, messaging) = self.select_sender(&options.profile).map_err(unusable)?;
        let check = CheckOptions { profiles: vec![profile.id.to_string()], ..CheckOptions::default() };
        let mut findings = Vec::new();
        let tuned = lint::check_examined(self, &check, |_, found| findings.extend_from_slice(found));
        let tuned = tuned.map_err(unusable)?;
        // Levels and allows tune the report, but an error always refuses.
        let refused = findings.iter().any(|finding: &Finding| finding.severity == Severity::Error);
        let sender = if refused { None } else { self.sender(profile, messaging) };
        if !options.post.channels.is_empty() {
            // The options name the channels.
            findings.retain(|finding| finding.rule != "no-channels");
        }
        let sender = sender
            .map(|sender| apply_options(sender, &options))
            .transpose()
            .map_err(|problem| DeliveryError::Profile(Some(profile.id.clone()), self.error(vec![problem])))?;
        let labels = FileLabels::new(&self.own_secrets(profile));
        let (files, bytes) = (Vec::new(), 0);
        let mut delivery = Delivery { loaded: self, profile, tuned, findings, sender, files, bytes, labels, options };
        delivery.list_files(observer)?;
        Ok(delivery)
    }
}

/// Applies the options that replace settings of the profile.
fn apply_options(mut sender: Sender, options: &DeliveryOptions) -> Result<Sender, Problem> {
    let profile = std::mem::replace(&mut sender.post, options.post.clone());
    let post = &mut sender.post;
    if post.channels.is_empty() {
        post.channels = profile.channels;
    }
    post.blocks = options.blocks.as_deref().map(Blocks::read).transpose()?.or(post.blocks.take());
    if post.blocks.is_none() {
        post.comment = post.comment.take().or(profile.comment);
    }
    post.snippet_type = post.snippet_type.take().or(profile.snippet_type);
    post.check_message(sender.method)?;
    post.check_texts(&sender.own_secrets)?;
    // Slack rejects malformed channel IDs too, but only after the file was sent.
    let flaw = sender.post.channels.iter().find_map(|channel| channel.check_hosted().err());
    if let Some(flaw) = flaw.filter(|_| MESSAGING.is_hosted_at(&sender.base_url)) {
        let problem =
            Problem::new(Code::ChannelName, format!("a channel {}; the service accepts IDs only", flaw.describe()));
        return Err(problem.help(if flaw == ChannelFlaw::Name { IN_PLACE_OF_NAME } else { flaw.advice(true) }));
    }
    if options.batch.one_message && sender.method != Method::External {
        let problem = Problem::new(Code::OneMessage, "`files.upload` posts every file in its own message");
        return Err(problem.help("remove --one-message, or set `upload_method = \"external\"`"));
    }
    Ok(sender)
}

impl Delivery<'_> {
    /// Verifies the credential if requested, and sends the files. This needs a tokio runtime with I/O and time. When
    /// `cancel` becomes true, files in progress end as their receipts say, and no others are started.
    pub async fn run(mut self, observer: &impl Observer, cancel: watch::Receiver<bool>) -> Delivered {
        let Some(sender) = self.sender.take() else {
            return self.end_all(None, observer, |file| Receipt::refused(file, Vec::new()));
        };
        if self.files.is_empty() {
            return Delivered { outcome: Outcome::Done, ..self.delivered(Some(sender.base_url.shown()), Vec::new()) };
        }
        if let Some(delivered) = self.try_named(&sender, observer) {
            return delivered;
        }
        if self.options.verify
            && let Some(delivered) = self.verify_first(&sender, observer, cancel.clone()).await
        {
            return delivered;
        }
        match self.options.mode {
            Mode::Live => self.send(&sender, observer, cancel).await,
            Mode::DryRun => self.dry_run(&sender, observer),
            #[cfg(feature = "sandbox")]
            Mode::Rehearsal => self.rehearse(sender, observer, cancel).await,
            #[cfg(not(feature = "sandbox"))]
            Mode::Rehearsal => self.not_sent(observer, "this build has no sandbox"),
        }
    }

    /// Returns the results if this machine can't start the upload.
    pub fn fail(self, error: &Problem, observer: &impl Observer) -> Delivered {
        match &self.sender {
            None => self.end_all(None, observer, |file| Receipt::refused(file, Vec::new())),
            Some(sender) => self.fail_all(sender, error, observer),
        }
    }

    /// Limits the number of concurrent files to the available file descriptors.
    fn limit_concurrency(&mut self, sender: &Sender, observer: &impl Observer) -> Result<(), Problem> {
        let wanted = self.options.batch.concurrency.unwrap_or_else(|| sender.method.concurrency());
        let wanted = wanted.min(self.files.len());
        let each = if self.options.mode == Mode::Rehearsal { 2 * FILES_EACH } else { FILES_EACH };
        let spare = file::available(wanted * each + FILES_SHARED);
        let possible = spare.saturating_sub(FILES_SHARED) / each;
        if possible == 0 {
            let message = format!("the limit of open files is too low: {spare} are left, and each upload needs {each}");
            return Err(Problem::new(Code::NoResources, message).help("raise the limit: `ulimit -n`"));
        }
        if possible < wanted {
            self.options.batch.concurrency = Some(possible);
            observer.event(&self.profile.id, Event::Fewer(possible, wanted, file::open_file_limit()));
        }
        Ok(())
    }

    /// Verifies the credential. Returns results if nothing should be sent.
    async fn verify_first(
        &mut self,
        sender: &Sender,
        observer: &impl Observer,
        cancel: watch::Receiver<bool>,
    ) -> Option<Delivered> {
        let asked = prepare_target(&self.loaded.vault, self.profile, &self.options.settings);
        let channels = GivenChannels { ids: self.options.post.channels.clone(), lists: false };
        let profiles = vec![(self.profile, asked)];
        let questions = Verification { report: self.tuned.clone(), profiles, channels };
        for (id, origin) in questions.destinations() {
            observer.event(&id, Event::Asking(&id, &origin));
        }
        let mut cancel = Some(cancel);
        let report = tokio::select! {
            report = questions.ask() => Some(report),
            () = cancelled(&mut cancel) => None,
        };
        let Some(report) = report else { return Some(self.skip_all(sender, observer)) };
        let channels = sender.post.shown_channels();
        let refused = report.findings.iter().any(|finding| finding.severity == Severity::Error);
        let unanswered = report.is_unanswered();
        self.findings = report.findings;
        if refused {
            let message = "not sent: verification failed";
            let error = Problem::new(Code::VerifyFailed, message).help("see the findings for the profile");
            let receipt =
                |file: &Path| Receipt { error: Some(error.clone()), ..Receipt::refused(file, channels.clone()) };
            return Some(self.end_all(Some(sender), observer, receipt));
        }
        if unanswered {
            let message = "not sent: the service did not confirm the credentials";
            let error = Problem::new(Code::Unverified, message).help("try again later, or run without --verify");
            return Some(self.fail_all(sender, &error, observer));
        }
        None
    }

    /// Opens every file that was named, before anything is posted. Returns results if one of them can't be sent.
    fn try_named(&self, sender: &Sender, observer: &impl Observer) -> Option<Delivered> {
        let batch = &self.options.batch;
        let failed = |file: &PathBuf| Some((file.clone(), batch.try_named(&sender.post, sender.method, file).err()?));
        let failed: HashMap<PathBuf, Problem> = self.files.iter().filter_map(failed).collect();
        if failed.is_empty() || self.options.mode == Mode::DryRun {
            return None;
        }
        let channels = || sender.post.shown_channels();
        Some(self.end_all(Some(sender), observer, |file| match failed.get(file) {
            Some(error) => Receipt::failed(file, channels(), error.clone()),
            None => Receipt::skipped(file, channels(), Skip::Input),
        }))
    }

    /// Opens every file without sending it.
    fn dry_run(&self, sender: &Sender, observer: &impl Observer) -> Delivered {
        observer.event(&self.profile.id, Event::Sending(self.files.len(), self.bytes, &sender.base_url.origin()));
        self.end_all(Some(sender), observer, |file| match self.options.batch.open(file) {
            Ok(_) => Receipt::skipped(file, sender.post.shown_channels(), Skip::DryRun),
            Err(error) => Receipt::failed(file, sender.post.shown_channels(), error),
        })
    }

    /// Sends to a sandbox with a made-up token. It is as strict as Slack if that is the destination.
    #[cfg(feature = "sandbox")]
    async fn rehearse(
        &mut self,
        mut sender: Sender,
        observer: &impl Observer,
        cancel: watch::Receiver<bool>,
    ) -> Delivered {
        use super::sender::rehearsal_token;
        use crate::config::Setting;
        use crate::sandbox::{Options, Sandbox};
        use crate::schema::value::{BaseUrl, BearerToken, TokenFlaw};

        if MESSAGING.is_hosted_at(&sender.base_url) {
            self.options.settings.files_per_message.get_or_insert(crate::upload::FILES_PER_MESSAGE);
        }
        // Nothing is stored, so files of any size can be rehearsed.
        let options = Options::default().with_max_file(u64::MAX).with_hosted(MESSAGING.is_hosted_at(&sender.base_url));
        let sandbox = Sandbox::bind(([127, 0, 0, 1], 0).into(), options);
        let facts = self.profile.setting("token").and_then(Setting::facts);
        let rehearsal_token =
            facts.map_or(Err(TokenFlaw::Empty), |token| BearerToken::new(rehearsal_token(token).into()));
        let (Ok(sandbox), Ok(token)) = (sandbox, rehearsal_token) else {
            return self.not_sent(observer, "the sandbox could not be started: no free port on 127.0.0.1");
        };
        let Ok(base_url) = BaseUrl::parse(&sandbox.base_url()) else {
            unreachable!("the address of a bound socket is valid")
        };
        if sender.base_url.is_https() {
            observer.event(&self.profile.id, Event::NoTls);
        }
        (sender.base_url, sender.token) = (base_url, token);
        let sent = tokio::select! {
            delivered = self.send(&sender, observer, cancel) => Some(delivered),
            _ = sandbox.run() => None,
        };
        sent.unwrap_or_else(|| self.not_sent(observer, "the sandbox stopped"))
    }

    /// Sends all files.
    async fn send(&mut self, sender: &Sender, observer: &impl Observer, cancel: watch::Receiver<bool>) -> Delivered {
        let (id, destination) = (&self.profile.id, sender.base_url.shown());
        observer.event(id, Event::Sending(self.files.len(), self.bytes, &sender.base_url.origin()));
        let keep_connections = self.files.len() > 1;
        let settings = Settings { keep_connections, ..self.options.settings.clone() };
        let open = |path: &Path| Journal::open_shard(path, self.options.shard);
        let journal = self.options.journal.as_deref().map(open).transpose();
        let ready = journal.and_then(|journal| Ok((sender.client(settings)?, journal)));
        let client = match ready.and_then(|ready| self.limit_concurrency(sender, observer).map(|()| ready)) {
            Ok((client, journal)) => {
                self.options.batch.journal = journal;
                client
            }
            Err(error) => return self.fail_all(sender, &error, observer),
        };
        let mut stop = Some(cancel.clone());
        let checked = tokio::select! {
            biased;
            checked = client.check_lookups() => Some(checked),
            () = cancelled(&mut stop) => None,
        };
        match checked {
            Some(Ok(())) => {}
            Some(Err(error)) => return self.fail_all(sender, &error, observer),
            None => return self.skip_all(sender, observer),
        }
        let watch = |file: &Path| {
            let watch = Watch::default().with_cancel(cancel.clone());
            let shown = if self.labels.must_hide(file) { Path::new(MASK) } else { file };
            match observer.progress(shown) {
                Some(progress) => watch.with_progress(progress),
                None => watch,
            }
        };
        let done = |receipt: &Receipt| {
            let rehearsed = (self.options.mode == Mode::Rehearsal).then(|| receipt.clone().rehearsed());
            observer.event(id, Event::Done(rehearsed.as_ref().unwrap_or(receipt), Some(&destination)));
        };
        let mut receipts = self.options.batch.send(&client, &sender.post, &self.files, watch, done).await;
        if self.options.mode == Mode::Rehearsal {
            receipts = receipts.into_iter().map(Receipt::rehearsed).collect();
        }
        self.delivered(Some(destination), receipts)
    }

    /// Ends every file with this error.
    fn fail_all(&self, sender: &Sender, error: &Problem, observer: &impl Observer) -> Delivered {
        self.end_all(Some(sender), observer, |file| Receipt::failed(file, sender.post.shown_channels(), error.clone()))
    }

    /// Ends every file because of a signal.
    fn skip_all(&self, sender: &Sender, observer: &impl Observer) -> Delivered {
        let channels = || sender.post.shown_channels();
        self.end_all(Some(sender), observer, |file| Receipt::skipped(file, channels(), Skip::Interrupted))
    }

    /// Gives every file the same receipt.
    fn end_all(
        &self,
        sender: Option<&Sender>,
        observer: &impl Observer,
        receipt: impl Fn(&Path) -> Receipt,
    ) -> Delivered {
        let destination = sender.map(|sender| sender.base_url.shown());
        let receipts: Vec<Receipt> = self.files.iter().map(|file| self.labels.mask(file, receipt(file))).collect();
        for receipt in &receipts {
            observer.event(&self.profile.id, Event::Done(receipt, destination.as_deref()));
        }
        self.delivered(destination, receipts)
    }

    fn not_sent(&self, observer: &impl Observer, why: &'static str) -> Delivered {
        observer.event(&self.profile.id, Event::Broken(why));
        self.delivered(None, Vec::new())
    }

    fn delivered(&self, destination: Option<String>, receipts: Vec<Receipt>) -> Delivered {
        let refused = self.findings.iter().any(|finding| finding.severity == Severity::Error);
        let none = if refused { Outcome::Refused } else { Outcome::NotDone };
        let mut outcome = receipts.iter().map(Outcome::from).max().unwrap_or(none);
        let posted =
            |receipt: &Receipt| matches!(receipt.status, Status::Delivered | Status::Accepted | Status::Uncertain);
        let mut rest = Vec::new();
        if self.options.journal.is_none() && self.options.mode == Mode::Live && receipts.iter().any(posted) {
            let open =
                self.files.iter().zip(&receipts).filter(|(_, receipt)| Outcome::from(*receipt) == Outcome::NotDone);
            rest.extend(open.map(|(file, _)| file.clone()));
        }
        if !rest.is_empty() {
            outcome = outcome.max(Outcome::Partly);
        }
        Delivered {
            profile: self.profile.id.clone(),
            destination,
            receipts,
            outcome,
            rest,
            findings: self.findings.clone(),
            sources: self.tuned.sources.clone(),
        }
    }
}

/// The file descriptors used for each file: the file, a connection to the service, one to the upload URL, and one for a
/// name lookup or a second address. The sandbox needs one for the other end of each connection.
const FILES_EACH: usize = 4;
/// The file descriptors shared by all files.
const FILES_SHARED: usize = 2;

/// An event of an upload.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The number of files, and with some reasons directories, that are left out.
    LeftOut(LeftOut, usize),
    /// The number of files in the report that is the list which may have been posted, and are not sent again.
    Uncertain(usize),
    /// The number of an exclude pattern that leaves nothing out, from 1, if there are several.
    ExcludesNothing(Option<usize>),
    /// The number of files that were named more than once.
    Repeated(usize),
    /// The share, the number of files in it, and the number of all files. Other runs send the rest.
    Share(Shard, usize, usize),
    /// A service is about to receive the credential of a profile, to verify it.
    Asking(&'a ProfileId, &'a str),
    /// A rehearsal uses plain HTTP where the real upload uses TLS.
    NoTls,
    /// Files sent at a time, files requested at a time, and the limit on open files, if there is one.
    Fewer(usize, usize, Option<u64>),
    /// The number of files and bytes that are about to be sent, or would be, and the service.
    Sending(usize, u64, &'a str),
    /// The result of a file, and its destination.
    Done(&'a Receipt, Option<&'a str>),
    /// Nothing could be sent, for this reason.
    Broken(&'static str),
}

/// Receives the events of an upload. `()` ignores them.
pub trait Observer {
    /// Called for each event as it happens.
    fn event(&self, profile: &ProfileId, event: Event<'_>);

    /// Asks whether to send this many files to a service. Called for more than 1,000 files.
    fn confirm(&self, profile: &ProfileId, files: usize, origin: &str) -> bool {
        let _ = (profile, files, origin);
        true
    }

    /// Returns the channel for a file's progress. Called for each file that is started.
    fn progress(&self, file: &Path) -> Option<watch::Sender<Progress>> {
        let _ = file;
        None
    }
}

impl Observer for () {
    fn event(&self, _: &ProfileId, _: Event<'_>) {}
}
