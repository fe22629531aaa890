//! `credlint upload`

use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;
use tokio::sync::watch;

use super::args::{UploadArgs, UploadFormat as Format};
use super::exit::Exit;
use super::progress::Display;
use super::settings::Settings;
use super::terminal::Terminal;
use super::{check, signals};
use crate::code::Code;
use crate::config::{ConfigError, LoadOptions};
use crate::delivery::Sender;
use crate::finding::Severity;
use crate::lint::{self, Loaded, Report};
use crate::report::upload_v1::{self, Head, Mode};
use crate::report::{human, receipts};
use crate::schema::ProfileId;
use crate::schema::value::ChannelId;
use crate::source::Problem;
use crate::text::count;
use crate::upload::{
    self, Batch, FileName, Inputs, Journal, Method, Receipt, Skip, Status, Thread, UploadError, Watch, is_stdin,
};
use crate::verify::VerifyOptions;

pub fn run(args: UploadArgs, settings: Settings, terminal: &Terminal) -> Exit {
    let format = match settings.upload_format(args.format) {
        Ok(format) => format,
        Err(message) => return terminal.fail(Exit::Usage, &message),
    };
    let mut job = match Job::of(args, &settings, format) {
        Ok(job) => job,
        Err(message) => return terminal.fail(Exit::Usage, &message),
    };
    let mode = job.mode;
    let document = |id: Option<&ProfileId>, problems: &ConfigError| match format {
        Format::Human => {
            terminal.problems(problems);
            Exit::Usage
        }
        Format::Json | Format::Jsonl => terminal.document(&upload_v1::error(mode, id, problems), Exit::Usage),
    };
    let loaded = match lint::load(&job.load) {
        Ok(loaded) => loaded,
        Err(error) => return document(None, &error),
    };
    check::announce(&loaded, terminal);
    let (mut report, sender) = match loaded.sender(&job.profile) {
        Ok(found) => found,
        Err(error) => return document(None, &error),
    };
    if !job.channels.is_empty() {
        // That was answered on the command line.
        report.findings.retain(|finding| finding.rule != "no-channels");
    }
    let sender = match sender.map(|sender| job.address(sender)).transpose() {
        Ok(sender) => sender,
        Err(problem) => return document(Some(&report.profiles[0].0), &loaded.error(vec![problem])),
    };
    match job.list(&report, terminal) {
        Ok(()) => {}
        Err(Listing::Unreadable(error)) => {
            let error = loaded.error(vec![Problem::new(error.code.as_str(), error.message)]);
            let id = Some(&report.profiles[0].0);
            return match format {
                Format::Human => {
                    terminal.problems(&error);
                    Exit::NotDone
                }
                Format::Json | Format::Jsonl => terminal.document(&upload_v1::error(mode, id, &error), Exit::NotDone),
            };
        }
        Err(Listing::Usage(message)) => return terminal.fail(Exit::Usage, &message),
    }
    let ended = match sender {
        None => job.refuse(&report.profiles[0].0, terminal),
        Some(sender) => {
            let verified = if job.verify { job.ask(&loaded, &sender, &mut report, terminal) } else { Ok(None) };
            match verified {
                Ok(Some(ended)) => ended,
                Ok(None) => job.carry_out(sender, &report, terminal),
                Err(error) => return document(None, &error),
            }
        }
    };
    let Ended { receipts, destination, exit } = ended;
    let id = &report.profiles[0].0;
    let head = Head { mode: job.mode, profile: id, destination: destination.as_deref() };
    match format {
        Format::Json => terminal.document(&head.receipts(&receipts, &report.findings, &report.sources), exit),
        Format::Jsonl => terminal.document(&head.last_line(&receipts, &report.findings, &report.sources), exit),
        Format::Human => {
            let mut pictures = String::new();
            human::findings(&report.findings, &report.sources, terminal.error_style(), &mut pictures);
            terminal.picture(&pictures);
            terminal.document(&receipts::lines(&receipts, id, job.mode), exit)
        }
    }
}

/// What was asked for, checked as far as it can be without the configuration.
struct Job {
    load: LoadOptions,
    profile: String,
    named: Vec<PathBuf>,
    files_from: Option<PathBuf>,
    /// The files, once what was named is known to stand for them.
    files: Vec<PathBuf>,
    filename: Option<FileName>,
    channels: Vec<ChannelId>,
    comment: Option<SecretString>,
    thread: Option<Thread>,
    title: Option<String>,
    one_message: bool,
    mode: Mode,
    verify: bool,
    format: Format,
    journal: Option<PathBuf>,
    retry_uncertain: bool,
    fail_fast: bool,
    concurrency: Option<usize>,
    settings: upload::Settings,
}

/// Why there are no files to send.
enum Listing {
    Unreadable(UploadError),
    Usage(String),
}

/// How it ended.
struct Ended {
    receipts: Vec<Receipt>,
    destination: Option<String>,
    exit: Exit,
}

impl Job {
    fn of(args: UploadArgs, settings: &Settings, format: Format) -> Result<Self, String> {
        let mut profiles = settings.profiles(args.profile.into_iter().collect())?;
        let profile = match (profiles.pop(), profiles.is_empty()) {
            (Some(profile), true) => profile,
            (Some(_), false) => {
                return Err("CREDLINT_PROFILE names several profiles; an upload takes one, with --profile".to_owned());
            }
            (None, _) => {
                return Err(
                    "an upload needs a profile: name it with --profile; `credlint profiles` lists them".to_owned()
                );
            }
        };
        let filename = args.filename.map(FileName::new).transpose().map_err(|error| error.message)?;
        let inputs = args.files.iter().filter(|file| is_stdin(file)).count();
        if inputs > 0 && filename.is_none() {
            return Err("standard input has no name: give it one with --filename".to_owned());
        }
        if inputs > 0 && args.files_from.as_deref().is_some_and(is_stdin) {
            return Err("standard input is a list of files or a file, not both".to_owned());
        }
        if inputs > 0 && args.journal.is_some() {
            return Err("standard input can't be known again by a journal: write it to a file first".to_owned());
        }
        let channels = args.channel.iter().map(|channel| ChannelId::parse(channel));
        let channels =
            channels.collect::<Result<Vec<_>, _>>().map_err(|flaw| format!("a --channel {}", flaw.describe()))?;
        if channels.iter().enumerate().any(|(index, channel)| channels[..index].contains(channel)) {
            return Err("a --channel is given twice: the file is shared once in each channel".to_owned());
        }
        let thread = args.thread.as_deref().map(Thread::new).transpose().map_err(|error| error.message)?;
        #[cfg(feature = "sandbox")]
        let rehearse = args.rehearse;
        #[cfg(not(feature = "sandbox"))]
        let rehearse = false;
        let mode = match (args.dry_run, rehearse) {
            (true, true) => return Err("--rehearse and --dry-run exclude each other".to_owned()),
            (true, false) => Mode::DryRun,
            (false, true) => Mode::Rehearsal,
            (false, false) => Mode::Live,
        };
        if args.verify && mode != Mode::Live {
            return Err("--verify asks the service, which --rehearse and --dry-run never do".to_owned());
        }
        if args.journal.is_some() && mode != Mode::Live {
            return Err("--journal goes with a real upload only: nothing is delivered without one".to_owned());
        }
        let upload = upload::Settings {
            stall_timeout: Duration::from_secs(args.stall_timeout),
            answer_timeout: Duration::from_secs(args.answer_timeout),
            require_confirmation: args.require_confirmation,
            retries: args.retries,
            max_wait: Duration::from_secs(args.max_wait),
            checksum: args.checksum || args.journal.is_some(),
            ..upload::Settings::default()
        };
        Ok(Self {
            load: settings.load(args.config),
            profile,
            named: args.files,
            files_from: args.files_from,
            files: Vec::new(),
            filename,
            channels,
            comment: args.comment.map(SecretString::from),
            thread,
            title: args.title,
            one_message: args.one_message,
            mode,
            verify: args.verify,
            format,
            journal: args.journal,
            retry_uncertain: args.retry_uncertain,
            fail_fast: args.fail_fast,
            concurrency: args.concurrency,
            settings: upload,
        })
    }

    /// The sender with the channels and the words of the command line.
    fn address(&self, mut sender: Sender) -> Result<Sender, Problem> {
        if !self.channels.is_empty() {
            sender.post.channels.clone_from(&self.channels);
        }
        if self.comment.is_some() {
            sender.post.comment.clone_from(&self.comment);
        }
        sender.post.thread.clone_from(&self.thread);
        sender.post.title.clone_from(&self.title);
        sender.post.check_channels(sender.method).map_err(|error| {
            let problem = Problem::new(error.code.as_str(), error.message);
            error.help.into_iter().fold(problem, Problem::help)
        })?;
        if self.one_message && sender.method != Method::External {
            let problem = Problem::new("one-message", "`files.upload` posts every file in a message of its own");
            return Err(problem.help("leave out --one-message, or set `upload_method = \"external\"`"));
        }
        Ok(sender)
    }

    /// Finds out which files are meant.
    fn list(&mut self, report: &Report, terminal: &Terminal) -> Result<(), Listing> {
        let mut named = std::mem::take(&mut self.named);
        if let Some(list) = &self.files_from {
            named.extend(Inputs::read_list(list).map_err(Listing::Unreadable)?);
        }
        let own: Vec<PathBuf> = report.sources.paths().into_iter().chain(self.journal.clone()).collect();
        let inputs = Inputs::expand(named, &own);
        if inputs.own > 0 {
            let files = count(inputs.own, "file");
            terminal
                .note(&format!("{files} of this run left out: its configuration and journal are sent only if named"));
        }
        if inputs.repeated > 0 {
            terminal.note(&format!("{} named more than once, sent once", count(inputs.repeated, "file")));
        }
        self.files = inputs.files;
        let usage = |message: &str| Err(Listing::Usage(message.to_owned()));
        match self.files.len() {
            0 => usage("there is no file to send: the list is empty"),
            1 => Ok(()),
            _ if self.filename.is_some() => usage("--filename goes with exactly one file"),
            _ if self.title.is_some() => usage("--title goes with exactly one file"),
            _ => Ok(()),
        }
    }

    fn refuse(&self, id: &ProfileId, terminal: &Terminal) -> Ended {
        let receipts: Vec<Receipt> = self.files.iter().map(|file| Receipt::refused(file, Vec::new())).collect();
        for receipt in &receipts {
            self.tell(receipt, None, id, terminal);
        }
        Ended { receipts, destination: None, exit: Exit::Findings }
    }

    /// Asks the service before anything is sent. How it ended, if nothing is to be sent.
    fn ask(
        &self,
        loaded: &Loaded,
        sender: &Sender,
        report: &mut Report,
        terminal: &Terminal,
    ) -> Result<Option<Ended>, ConfigError> {
        let options = VerifyOptions {
            profiles: vec![report.profiles[0].0.to_string()],
            channels: self.channels.clone(),
            settings: self.settings.clone(),
            ..VerifyOptions::default()
        };
        let questions = loaded.questions(&options)?;
        for (id, origin) in questions.destinations() {
            terminal.note(&format!("asking {origin} for {id}"));
        }
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return Ok(Some(Ended::nothing(&format!("no runtime: {}", error.kind()), terminal))),
        };
        let asked = runtime.block_on(async {
            tokio::select! {
                asked = questions.ask() => Ok(asked),
                exit = signals::wait() => Err(exit),
            }
        });
        // A look-up of a name that hangs must not hold up the end.
        runtime.shutdown_background();
        let channels: Vec<String> = sender.post.channels.iter().map(ChannelId::shown).collect();
        let asked = match asked {
            Ok(asked) => asked,
            Err(exit) => {
                let skipped = |file: &PathBuf| Receipt::skipped(file, channels.clone(), Skip::Interrupted);
                let receipts: Vec<Receipt> = self.files.iter().map(skipped).collect();
                for receipt in &receipts {
                    self.tell(receipt, Some(sender), &report.profiles[0].0, terminal);
                }
                return Ok(Some(Ended::of(receipts, sender, exit)));
            }
        };
        let refused = asked.findings.iter().any(|finding| finding.severity == Severity::Error);
        let unanswered = asked.is_unanswered();
        report.findings = asked.findings;
        let receipt = |file: &PathBuf| {
            if refused {
                let error = UploadError {
                    code: Code::VerifyFailed,
                    message: "not sent: the service was asked first, and it would not take it".to_owned(),
                    help: Some("see what it says of the profile".to_owned()),
                };
                Receipt { error: Some(error), ..Receipt::refused(file, channels.clone()) }
            } else {
                let error = UploadError {
                    code: Code::Unverified,
                    message: "not sent: the service was asked first, and did not say".to_owned(),
                    help: Some("run it again later, or without --verify".to_owned()),
                };
                Receipt::failed(file, channels.clone(), error)
            }
        };
        let ended = || {
            let receipts: Vec<Receipt> = self.files.iter().map(receipt).collect();
            for receipt in &receipts {
                self.tell(receipt, Some(sender), &report.profiles[0].0, terminal);
            }
            Ended::of(receipts, sender, Exit::Done)
        };
        Ok((refused || unanswered).then(ended))
    }

    fn carry_out(&self, sender: Sender, report: &Report, terminal: &Terminal) -> Ended {
        let id = &report.profiles[0].0;
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return Ended::nothing(&format!("no runtime: {}", error.kind()), terminal),
        };
        let ended = runtime.block_on(async {
            match self.mode {
                Mode::Live => self.send_all(&sender, id, terminal).await,
                Mode::DryRun => self.open_all(&sender, id, terminal),
                #[cfg(feature = "sandbox")]
                Mode::Rehearsal => self.rehearse(sender, id, terminal).await,
                #[cfg(not(feature = "sandbox"))]
                Mode::Rehearsal => unreachable!("there is no such argument"),
            }
        });
        // A look-up of a name that hangs must not hold up the end.
        runtime.shutdown_background();
        ended
    }

    /// Opens every file and sends none.
    fn open_all(&self, sender: &Sender, id: &ProfileId, terminal: &Terminal) -> Ended {
        terminal.note(&format!(
            "would send {} to {} as {id}",
            count(self.files.len(), "file"),
            sender.base_url.origin()
        ));
        let channels: Vec<String> = sender.post.channels.iter().map(ChannelId::shown).collect();
        let batch = self.batch(sender, None);
        let receipts = self.files.iter().map(|file| match batch.open(file) {
            Ok(_) => Receipt::skipped(file, channels.clone(), Skip::DryRun),
            Err(error) => Receipt::failed(file, channels.clone(), error),
        });
        let receipts: Vec<Receipt> = receipts.collect();
        for receipt in &receipts {
            self.tell(receipt, Some(sender), id, terminal);
        }
        Ended::of(receipts, sender, Exit::Done)
    }

    /// Sends to the embedded service in this process, with a stand-in for the token.
    #[cfg(feature = "sandbox")]
    async fn rehearse(&self, mut sender: Sender, id: &ProfileId, terminal: &Terminal) -> Ended {
        use crate::sandbox::{Options, Sandbox};
        use crate::schema::value::{BaseUrl, BearerToken};

        let sandbox = Sandbox::bind(([127, 0, 0, 1], 0).into(), Options::default());
        let stand_in = BearerToken::new(SecretString::from("stand-in-for-a-rehearsal"));
        let (Ok(sandbox), Ok(token)) = (sandbox, stand_in) else {
            return Ended::nothing("the embedded service could not be started: no free port on 127.0.0.1", terminal);
        };
        let Ok(base_url) = BaseUrl::parse(&sandbox.base_url()) else {
            unreachable!("the address of a bound socket is one")
        };
        if sender.base_url.is_https() {
            terminal.note("rehearsal: TLS is not rehearsed");
        }
        (sender.base_url, sender.token) = (base_url, token);
        tokio::select! {
            ended = self.send_all(&sender, id, terminal) => ended,
            _ = sandbox.run() => Ended::nothing("the embedded service stopped", terminal),
        }
    }

    fn batch(&self, sender: &Sender, journal: Option<Journal>) -> Batch {
        Batch {
            concurrency: self.concurrency.unwrap_or_else(|| sender.method.concurrency()),
            fail_fast: self.fail_fast,
            together: self.one_message,
            journal,
            retry_uncertain: self.retry_uncertain,
            name: self.filename.clone(),
        }
    }

    /// Sends every file; a signal ends those under way and leaves out the rest.
    async fn send_all(&self, sender: &Sender, id: &ProfileId, terminal: &Terminal) -> Ended {
        let place = if self.mode == Mode::Rehearsal { "the embedded service at " } else { "" };
        terminal.note(&format!(
            "sending {} to {place}{} as {id}",
            count(self.files.len(), "file"),
            sender.base_url.origin()
        ));
        let settings = upload::Settings { keep_connections: self.files.len() > 1, ..self.settings.clone() };
        let journal = self.journal.as_deref().map(Journal::open).transpose();
        let ready = journal.and_then(|journal| Ok((sender.client(settings)?, journal)));
        let (client, journal) = match ready {
            Ok(ready) => ready,
            Err(error) => {
                let channels: Vec<String> = sender.post.channels.iter().map(ChannelId::shown).collect();
                let failed = |file: &PathBuf| Receipt::failed(file, channels.clone(), error.clone());
                let receipts: Vec<Receipt> = self.files.iter().map(failed).collect();
                for receipt in &receipts {
                    self.tell(receipt, Some(sender), id, terminal);
                }
                return Ended::of(receipts, sender, Exit::Done);
            }
        };
        let (cancel, cancelled) = watch::channel(false);
        let signal = tokio::spawn(async move {
            let exit = signals::wait().await;
            // Nobody listens any more once the last file is done.
            let _ = cancel.send(true);
            exit
        });
        let batch = self.batch(sender, journal);
        let display = Display::new(self.files.len(), terminal);
        let watch = |file: &Path| {
            let watch = Watch::default().with_cancel(cancelled.clone());
            match display.file(file) {
                Some(progress) => watch.with_progress(progress),
                None => watch,
            }
        };
        let done = |receipt: &Receipt| {
            display.done();
            self.tell(receipt, Some(sender), id, terminal);
        };
        let mut receipts = batch.send(&client, &sender.post, &self.files, watch, done).await;
        drop(display);
        if self.mode == Mode::Rehearsal {
            receipts = receipts.into_iter().map(Receipt::rehearsed).collect();
        }
        let stopped = if *cancelled.borrow() { signal.await.unwrap_or(Exit::Interrupted) } else { Exit::Done };
        Ended::of(receipts, sender, stopped)
    }

    /// Tells what became of a file as soon as it is known, where that was asked for.
    fn tell(&self, receipt: &Receipt, sender: Option<&Sender>, id: &ProfileId, terminal: &Terminal) {
        if self.format == Format::Jsonl {
            let destination = sender.map(|sender| sender.base_url.shown());
            let head = Head { mode: self.mode, profile: id, destination: destination.as_deref() };
            let receipt = receipt.clone();
            let receipt = if self.mode == Mode::Rehearsal { receipt.rehearsed() } else { receipt };
            // What could not be written is found out with the last line.
            terminal.document(&head.line(&receipt), Exit::Done);
        }
    }
}

impl Ended {
    fn of(receipts: Vec<Receipt>, sender: &Sender, exit: Exit) -> Self {
        let worst = receipts.iter().map(|receipt| match receipt.status {
            // Delivered, and the journal does not know it.
            Status::Delivered | Status::Accepted if receipt.error.is_some() => Exit::NotDone,
            Status::Delivered | Status::Accepted | Status::Rehearsed | Status::Skipped => Exit::Done,
            Status::Refused => Exit::Findings,
            Status::Failed => Exit::NotDone,
            Status::Uncertain => Exit::Uncertain,
        });
        let exit = worst.fold(exit, Exit::worst);
        Self { receipts, destination: Some(sender.base_url.shown()), exit }
    }

    fn nothing(why: &str, terminal: &Terminal) -> Self {
        terminal.note(why);
        Self { receipts: Vec::new(), destination: None, exit: Exit::NotDone }
    }
}
