//! An upload from beginning to end: check the profile, find the files, ask the service if that is wanted, send.

mod listing;
mod with;

use std::path::{Path, PathBuf};

use tokio::sync::watch;

use super::ask::Verification;
use super::observer::{Event, Observer};
use super::probe::asked;
use super::sender::{CheckedSender, Sender};
use crate::code::Code;
use crate::config::{ConfigError, Profile};
use crate::file;
use crate::finding::{Finding, Severity};
use crate::lint::{Loaded, Report};
use crate::schema::ProfileId;
use crate::schema::method::Method;
use crate::schema::value::ChannelId;
use crate::secret::MASK;
use crate::source::{Problem, Sources};
use crate::upload::{
    Batch, Exclude, FileLabels, Journal, Mode, Post, Receipt, Settings, Shard, Skip, UploadError, Watch, cancelled,
};

/// What to send, and how.
#[derive(Debug)]
#[non_exhaustive]
pub struct DeliveryOptions {
    /// The profile, `kind.name` or the name alone.
    pub profile: String,
    /// Files, directories and patterns; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// A list of more of them.
    pub files_from: Option<PathBuf>,
    /// What to leave out of directories and patterns.
    pub exclude: Vec<Exclude>,
    /// Send this share of the files; other runs send the others.
    pub shard: Option<Shard>,
    /// Send a file that is named although the configuration reads a value from it.
    pub allow_secret_files: bool,
    /// What goes along with every file. No channel or comment means those of the profile.
    pub post: Post,
    /// Whether files are really sent.
    pub mode: Mode,
    /// Ask the service first.
    pub verify: bool,
    /// Where to write down what was done.
    pub journal: Option<PathBuf>,
    /// How to send many files.
    pub batch: Batch,
    /// How to send each.
    pub settings: Settings,
}

impl DeliveryOptions {
    /// A real upload with a profile, of nothing yet.
    #[must_use]
    pub fn new(profile: impl Into<String>) -> Self {
        Self {
            profile: profile.into(),
            files: Vec::new(),
            files_from: None,
            exclude: Vec::new(),
            shard: None,
            allow_secret_files: false,
            post: Post::new(Vec::new()),
            mode: Mode::Live,
            verify: false,
            journal: None,
            batch: Batch::default(),
            settings: Settings::default(),
        }
    }
}

/// Why there is nothing to deliver.
#[derive(Debug)]
#[non_exhaustive]
pub enum DeliveryError {
    /// There is no such profile, or it can't be used like this. With the profile, once that is known.
    Profile(Option<ProfileId>, ConfigError),
    /// The list of files can't be read.
    List(ProfileId, ConfigError),
    /// What was asked for does not go together.
    Usage(String),
    /// It was asked whether so many files are meant, and they are not.
    Declined,
}

/// An upload that is ready to be run. Nothing was sent yet.
#[derive(Debug)]
pub struct Delivery<'a> {
    loaded: &'a Loaded,
    profile: &'a Profile,
    /// The report as levels and allows tune it, with which the service is asked.
    tuned: Report,
    findings: Vec<Finding>,
    /// `None` if the profile has errors.
    sender: Option<Sender>,
    files: Vec<PathBuf>,
    /// Bytes of all of them, as they were found.
    bytes: u64,
    labels: FileLabels,
    options: DeliveryOptions,
}

/// What came of an upload.
#[derive(Debug)]
#[non_exhaustive]
pub struct Delivered {
    /// The profile that it was sent with.
    pub profile: ProfileId,
    /// Where to. `None` if nothing could be sent.
    pub destination: Option<String>,
    /// One of each file, in their order; none if nothing could be sent for a reason that was told.
    pub receipts: Vec<Receipt>,
    /// There is nothing in this share of the files, so nothing was to be done.
    pub empty: bool,
    /// What was found in the profile.
    pub findings: Vec<Finding>,
    /// What the findings point into.
    pub sources: Sources,
}

impl Loaded {
    /// Checks a profile and finds the files to send with it.
    ///
    /// # Errors
    /// If there is nothing to deliver. A profile with errors is none of that: it is refused when the delivery is run.
    pub fn delivery(&self, options: DeliveryOptions, observer: &impl Observer) -> Result<Delivery<'_>, DeliveryError> {
        let checked = self.check_sender(&options.profile).map_err(|error| DeliveryError::Profile(None, error))?;
        let CheckedSender { profile, report: tuned, raw: mut findings, sender } = checked;
        if !options.post.channels.is_empty() {
            // That was answered.
            findings.retain(|finding| finding.rule != "no-channels");
        }
        let sender = sender
            .map(|sender| address(sender, &options))
            .transpose()
            .map_err(|problem| DeliveryError::Profile(Some(profile.id.clone()), self.error(vec![problem])))?;
        let labels = FileLabels::new(&self.own_secrets(profile));
        let (files, bytes) = (Vec::new(), 0);
        let mut delivery = Delivery { loaded: self, profile, tuned, findings, sender, files, bytes, labels, options };
        delivery.list(observer)?;
        Ok(delivery)
    }
}

/// The sender with what is posted in place of what the profile says.
fn address(mut sender: Sender, options: &DeliveryOptions) -> Result<Sender, Problem> {
    let Post { channels, comment, thread, title } = options.post.clone();
    if !channels.is_empty() {
        sender.post.channels = channels;
    }
    sender.post.comment = comment.or(sender.post.comment);
    (sender.post.thread, sender.post.title) = (thread, title);
    sender.post.check_channels(sender.method).map_err(|error| {
        let problem = Problem::new(error.code, error.message);
        error.help.into_iter().fold(problem, Problem::help)
    })?;
    // Slack would refuse what has no form of an id, too, but after the file was sent.
    let flaw = sender.post.channels.iter().find_map(|channel| channel.check_hosted().err());
    if let Some(flaw) = flaw.filter(|_| sender.base_url.is_hosted()) {
        let problem = Problem::new(Code::ChannelName, format!("a channel {}; Slack accepts IDs only", flaw.describe()));
        return Err(problem.help("use the channel ID, which Slack shows in the channel's details"));
    }
    if options.batch.together && sender.method != Method::External {
        let problem = Problem::new(Code::OneMessage, "`files.upload` posts every file in its own message");
        return Err(problem.help("remove --one-message, or set `upload_method = \"external\"`"));
    }
    Ok(sender)
}

impl Delivery<'_> {
    /// Asks, if that is wanted, and sends. Needs a tokio runtime with I/O and time. When `cancel` turns true, what is
    /// under way ends as its receipts say, and nothing else is begun.
    pub async fn run(mut self, observer: &impl Observer, cancel: watch::Receiver<bool>) -> Delivered {
        let Some(sender) = self.sender.take() else {
            return self.end_all(None, observer, |file| Receipt::refused(file, Vec::new()));
        };
        if self.files.is_empty() {
            return Delivered { empty: true, ..self.delivered(Some(sender.base_url.shown()), Vec::new()) };
        }
        if self.options.verify
            && let Some(delivered) = self.ask(&sender, observer, cancel.clone()).await
        {
            return delivered;
        }
        match self.options.mode {
            Mode::Live => self.send(&sender, observer, cancel).await,
            Mode::DryRun => self.open(&sender, observer),
            #[cfg(feature = "sandbox")]
            Mode::Rehearsal => self.rehearse(sender, observer, cancel).await,
            #[cfg(not(feature = "sandbox"))]
            Mode::Rehearsal => self.broken(observer, "this build has no embedded service"),
        }
    }

    /// What comes of it if this machine can't even begin.
    pub fn fail(self, error: &UploadError, observer: &impl Observer) -> Delivered {
        match &self.sender {
            None => self.end_all(None, observer, |file| Receipt::refused(file, Vec::new())),
            Some(sender) => {
                let failed = |file: &Path| Receipt::failed(file, shown(sender), error.clone());
                self.end_all(Some(sender), observer, failed)
            }
        }
    }

    /// Sends no more files at a time than can be open at once.
    fn fit(&mut self, sender: &Sender, observer: &impl Observer) -> Result<(), UploadError> {
        let wanted = self.options.batch.concurrency.unwrap_or_else(|| sender.method.concurrency());
        let wanted = wanted.min(self.files.len());
        let each = if self.options.mode == Mode::Rehearsal { 2 * OPEN_EACH } else { OPEN_EACH };
        let spare = file::available(wanted * each + OPEN_BESIDE);
        let possible = spare.saturating_sub(OPEN_BESIDE) / each;
        if possible == 0 {
            let message = format!("the limit of open files is too low: {spare} are left, and each upload needs {each}");
            return Err(UploadError::new(Code::NoResources, message).help("raise the limit: `ulimit -n`"));
        }
        if possible < wanted {
            self.options.batch.concurrency = Some(possible);
            observer.event(&self.profile.id, Event::Fewer(possible, wanted, file::limit()));
        }
        Ok(())
    }

    /// Asks the service. What came of it, if nothing is to be sent.
    async fn ask(
        &mut self,
        sender: &Sender,
        observer: &impl Observer,
        cancel: watch::Receiver<bool>,
    ) -> Option<Delivered> {
        let asked = asked(&self.loaded.config.vault, self.profile, &self.options.settings);
        let channels = self.options.post.channels.clone();
        let questions = Verification::new(self.tuned.clone(), vec![(self.profile, asked)], channels);
        for (id, origin) in questions.destinations() {
            observer.event(&id, Event::Asking(&id, &origin));
        }
        let mut cancel = Some(cancel);
        let report = tokio::select! {
            report = questions.ask() => Some(report),
            () = cancelled(&mut cancel) => None,
        };
        let channels = shown(sender);
        let Some(report) = report else {
            let skipped = |file: &Path| Receipt::skipped(file, channels.clone(), Skip::Interrupted);
            return Some(self.end_all(Some(sender), observer, skipped));
        };
        let refused = report.findings.iter().any(|finding| finding.severity == Severity::Error);
        let unanswered = report.is_unanswered();
        self.findings = report.findings;
        if refused {
            let message = "not sent: verification failed";
            let error = UploadError::new(Code::VerifyFailed, message).help("see the findings for the profile");
            let receipt =
                |file: &Path| Receipt { error: Some(error.clone()), ..Receipt::refused(file, channels.clone()) };
            return Some(self.end_all(Some(sender), observer, receipt));
        }
        if unanswered {
            let message = "not sent: the service did not confirm the credentials";
            let error = UploadError::new(Code::Unverified, message).help("try again later, or run without --verify");
            let receipt = |file: &Path| Receipt::failed(file, channels.clone(), error.clone());
            return Some(self.end_all(Some(sender), observer, receipt));
        }
        None
    }

    /// Opens every file and sends none.
    fn open(&self, sender: &Sender, observer: &impl Observer) -> Delivered {
        observer.event(&self.profile.id, Event::Sending(self.files.len(), self.bytes, &sender.base_url.origin()));
        self.end_all(Some(sender), observer, |file| match self.options.batch.open(file) {
            Ok(_) => Receipt::skipped(file, shown(sender), Skip::DryRun),
            Err(error) => Receipt::failed(file, shown(sender), error),
        })
    }

    /// Sends to the embedded service in this process, with a stand-in for the token. Where the hosted service would be
    /// asked, it is as strict as that one.
    #[cfg(feature = "sandbox")]
    async fn rehearse(
        &mut self,
        mut sender: Sender,
        observer: &impl Observer,
        cancel: watch::Receiver<bool>,
    ) -> Delivered {
        use crate::config::Setting;
        use crate::profile::Messaging;
        use crate::run::rehearsal_token::rehearsal_token;
        use crate::sandbox::{Options, Sandbox};
        use crate::schema::value::{BaseUrl, BearerToken, TokenFlaw};

        // Nothing is kept, so a file of any size can be rehearsed.
        let options = Options::default().with_max_file(u64::MAX).with_hosted(sender.base_url.is_hosted());
        let sandbox = Sandbox::bind(([127, 0, 0, 1], 0).into(), options);
        let facts = Messaging::from_profile(self.profile).and_then(Messaging::token).and_then(Setting::facts);
        let rehearsal_token =
            facts.map_or(Err(TokenFlaw::Empty), |token| BearerToken::new(rehearsal_token(token).into()));
        let (Ok(sandbox), Ok(token)) = (sandbox, rehearsal_token) else {
            return self.broken(observer, "the embedded service could not be started: no free port on 127.0.0.1");
        };
        let Ok(base_url) = BaseUrl::parse(&sandbox.base_url()) else {
            unreachable!("the address of a bound socket is one")
        };
        if sender.base_url.is_https() {
            observer.event(&self.profile.id, Event::NoTls);
        }
        (sender.base_url, sender.token) = (base_url, token);
        let sent = tokio::select! {
            delivered = self.send(&sender, observer, cancel) => Some(delivered),
            _ = sandbox.run() => None,
        };
        sent.unwrap_or_else(|| self.broken(observer, "the embedded service stopped"))
    }

    /// Sends every file.
    async fn send(&mut self, sender: &Sender, observer: &impl Observer, cancel: watch::Receiver<bool>) -> Delivered {
        let (id, destination) = (&self.profile.id, sender.base_url.shown());
        observer.event(id, Event::Sending(self.files.len(), self.bytes, &sender.base_url.origin()));
        let keep_connections = self.files.len() > 1;
        let settings = Settings { keep_connections, ..self.options.settings.clone() };
        let open = |path: &Path| Journal::open_shard(path, self.options.shard);
        let journal = self.options.journal.as_deref().map(open).transpose();
        let ready = journal.and_then(|journal| Ok((sender.client(settings)?, journal)));
        let client = match ready.and_then(|ready| self.fit(sender, observer).map(|()| ready)) {
            Ok((client, journal)) => {
                self.options.batch.journal = journal;
                client
            }
            Err(error) => {
                let failed = |file: &Path| Receipt::failed(file, shown(sender), error.clone());
                return self.end_all(Some(sender), observer, failed);
            }
        };
        let watch = |file: &Path| {
            let watch = Watch::default().with_cancel(cancel.clone());
            let shown = if self.labels.hide(file) { Path::new(MASK) } else { file };
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

    /// The one receipt of every file, told and collected.
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

    fn broken(&self, observer: &impl Observer, why: &'static str) -> Delivered {
        observer.event(&self.profile.id, Event::Broken(why));
        self.delivered(None, Vec::new())
    }

    fn delivered(&self, destination: Option<String>, receipts: Vec<Receipt>) -> Delivered {
        Delivered {
            profile: self.profile.id.clone(),
            destination,
            receipts,
            empty: false,
            findings: self.findings.clone(),
            sources: self.tuned.sources.clone(),
        }
    }
}

/// What is open while a file is sent: the file, a connection to the service, one to the address on its ticket, and one
/// more where a name is looked up or another address is tried. The embedded service has the other ends.
const OPEN_EACH: usize = 4;
/// What may be opened for all of them together.
const OPEN_BESIDE: usize = 2;

/// The channels as they may be shown.
fn shown(sender: &Sender) -> Vec<String> {
    sender.post.channels.iter().map(ChannelId::shown).collect()
}
