//! `credlint upload`: reads the arguments, runs the delivery and shows the results.

use crate::source::Problem;
use std::cell::RefCell;
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::Duration;

use secrecy::SecretString;
use tokio::sync::watch;

use super::args::{UploadArgs, UploadFormat as Format};
use super::exit::Exit;
use super::output::Notes;
use super::progress::{Display, LOG_INTERVAL};
use super::rest::{self, Rest};
use super::runtime::{self, Signals};
use super::settings::Settings;
use super::terminal::{self, Terminal};
use crate::code::Code;
use crate::config::{ConfigError, LoadOptions};
use crate::file::{self, FileSet};
use crate::lint;
use crate::report::receipts::{Head, Length};
use crate::report::{human, receipts};
use crate::run::{Delivered, Delivery, DeliveryError, DeliveryOptions, Event, Observer};
use crate::schema::ProfileId;
use crate::schema::value::ChannelId;
use crate::text::{self, Markup, count};
use crate::upload::{self, Batch, FileName, LeftOut, Mode, Post, Progress, Receipt, Thread, is_stdin};

pub fn run(args: UploadArgs, settings: Settings, terminal: &Terminal) -> Result<Exit, Exit> {
    let usage = |message: String| terminal.fail(Exit::Usage, &message);
    let format = settings.format(args.format).map_err(usage)?;
    let (quiet, notes) = (args.quiet, Notes::new(args.quiet, args.config.verbose));
    let report = args.report.clone();
    let (load, options) = options(args, &settings).map_err(usage)?;
    let (display, lines) = (RefCell::default(), RefCell::default());
    let given = options.files.iter().chain(&options.files_from).chain(&options.blocks).chain(&options.journal);
    let inputs = FileSet::new(given.cloned());
    let output = Path::new(terminal::STREAMS[0]);
    let written = report.as_deref().map(|report| ("--report", report)).into_iter();
    let written = written.chain(output.is_file().then_some(("standard output", output)));
    if let Some((what, _)) = written.into_iter().find(|(_, path)| inputs.contains(path)) {
        return Err(usage(format!(
            "{what} is also a file to send, their list, the blocks or the journal: choose another file"
        )));
    }
    let show = Show { mode: options.mode, format, report, quiet, terminal, display, lines };
    let unread = |error: ConfigError| show.problems(None, &error, Exit::Usage);
    let mut loaded = lint::load_services(&load).and_then(|()| lint::load(&load)).map_err(unread)?;
    if show.report.as_ref().is_some_and(|report| FileSet::new(loaded.inputs()).contains(report)) {
        return Err(usage("--report is a file of the configuration: choose another file".to_owned()));
    }
    // Drop the copies of the environment before anything is sent.
    drop((load, settings));
    notes.announce(&loaded, terminal);
    loaded.forget_unused(std::slice::from_ref(&options.profile)).map_err(unread)?;
    let delivery = loaded.delivery(options, &show).map_err(|error| match error {
        DeliveryError::Declined => terminal.fail(Exit::NotDone, "nothing was sent"),
        DeliveryError::Usage(message) => usage(message),
        DeliveryError::Profile(id, error) => show.problems(id.as_ref(), &error, Exit::Usage),
        DeliveryError::List(id, error) => show.problems(Some(&id), &error, Exit::NotDone),
    });
    Ok(deliver(delivery?, &show))
}

/// Runs a delivery until it ends or a signal stops it, and shows the results.
fn deliver(delivery: Delivery<'_>, show: &Show<'_>) -> Exit {
    let lines = || (show.format == Format::Jsonl).then(ReceiptWriter::start).transpose();
    let ready = runtime::new().and_then(|runtime| Ok((runtime, Signals::watch()?, lines()?)));
    match ready {
        Ok((runtime, signals, lines)) => {
            show.lines.replace(lines);
            let delivered = runtime::block_on_runtime(runtime, delivery.run(show, signals.cancelled()));
            let exit = show.delivered(&delivered);
            exit.max(signals.exit().unwrap_or(Exit::Done))
        }
        Err(message) => show.delivered(&delivery.fail(&Problem::new(Code::NoResources, message), show)),
    }
}

/// Returns what to load and what to send, validated as far as possible without the configuration.
fn options(args: UploadArgs, settings: &Settings) -> Result<(LoadOptions, DeliveryOptions), String> {
    let mode = mode(&args)?;
    let filename = args.filename.map(FileName::new).transpose().map_err(|error| error.message)?;
    let stdin = args.files.iter().any(|file| is_stdin(file));
    let wrong = match &filename {
        _ if !stdin => args.allow_empty.then_some("--allow-empty needs standard input (`-`) as FILE"),
        None => Some("standard input needs a name: pass --filename"),
        _ if args.files_from.as_deref().is_some_and(is_stdin) => {
            Some("standard input can't be both the list of files and a file to send")
        }
        _ if args.shard.is_some() => Some("standard input is a single file, which --shard can't divide"),
        _ => args.journal.as_ref().map(|_| "a journal can't recognise standard input again: write it to a file first"),
    };
    if let Some(wrong) = wrong {
        return Err(wrong.to_owned());
    }
    let thread = args.thread.as_deref().map(Thread::new).transpose().map_err(|error| error.message)?;
    let confirm = args.confirm || args.alt_text.as_ref().is_some_and(|text| !text.is_empty());
    let mut options = DeliveryOptions::new(profile(args.profile, settings)?);
    options.post = Post::new(channels(&args.channel)?)
        .with_comment(args.comment.map(SecretString::from))
        .with_thread(thread)
        .with_title(args.title)
        .with_snippet_type(args.snippet_type.map(SecretString::from))
        .with_alt_text(args.alt_text.map(SecretString::from));
    options.blocks = args.blocks;
    options.batch = Batch {
        concurrency: args.concurrency,
        fail_fast: args.fail_fast,
        one_message: args.one_message,
        retry_uncertain: args.retry_uncertain,
        allow_empty: args.allow_empty,
        name: filename,
        ..Batch::default()
    };
    options.settings = upload::Settings {
        stall_timeout: Duration::from_secs(args.stall_timeout),
        answer_timeout: Duration::from_secs(args.answer_timeout),
        require_confirmation: args.require_confirmation,
        confirm_shares: confirm,
        retries: args.retries,
        max_wait: Duration::from_secs(args.max_wait),
        checksum: args.checksum || args.journal.is_some(),
        ..upload::Settings::default()
    };
    options.exclude = args.exclude;
    options.skip_empty = args.skip_empty;
    options.written = args.report.into_iter().chain(terminal::STREAMS.map(PathBuf::from)).collect();
    options.shard = args.shard;
    options.allow_secret_files = args.allow_secret_file;
    (options.files, options.files_from, options.journal) = (args.files, args.files_from, args.journal);
    (options.mode, options.verify) = (mode, args.verify);
    Ok((settings.load(args.config), options))
}

/// Returns the profile: the argument, or the variable.
fn profile(given: Option<String>, settings: &Settings) -> Result<String, String> {
    let mut profiles = settings.profiles(given.into_iter().collect())?;
    match (profiles.pop(), profiles.is_empty()) {
        (Some(profile), true) => Ok(profile),
        (Some(_), false) => {
            Err("CREDLINT_PROFILE names several profiles; an upload takes one, with --profile".to_owned())
        }
        (None, _) => Err("an upload needs a profile: pass --profile; run `credlint profiles` for a list".to_owned()),
    }
}

/// Returns the channels of `--channel`.
pub fn channels(given: &[String]) -> Result<Vec<ChannelId>, String> {
    let channels: Result<Vec<_>, _> = given.iter().map(|channel| ChannelId::parse(channel)).collect();
    let channels = channels.map_err(|flaw| format!("a --channel {}; {}", flaw.describe(), flaw.advice(false)))?;
    if channels.iter().enumerate().any(|(index, channel)| channels[..index].contains(channel)) {
        return Err("a --channel is given twice; a file is shared once in each channel".to_owned());
    }
    Ok(channels)
}

fn mode(args: &UploadArgs) -> Result<Mode, String> {
    #[cfg(feature = "sandbox")]
    let rehearse = args.rehearse;
    #[cfg(not(feature = "sandbox"))]
    let rehearse = false;
    match (args.dry_run, rehearse) {
        (true, true) => Err("--rehearse and --dry-run exclude each other".to_owned()),
        (false, false) => Ok(Mode::Live),
        _ if args.verify => Err("--verify asks the service, which --rehearse and --dry-run never do".to_owned()),
        _ if args.journal.is_some() => {
            Err("--journal goes with a real upload only: nothing is delivered without one".to_owned())
        }
        (dry_run, _) => Ok(if dry_run { Mode::DryRun } else { Mode::Rehearsal }),
    }
}

/// Shows events and results.
struct Show<'a> {
    mode: Mode,
    format: Format,
    /// Where the document goes as well.
    report: Option<PathBuf>,
    /// True if only errors are shown.
    quiet: bool,
    terminal: &'a Terminal,
    /// Present while files are sent.
    display: RefCell<Option<Display>>,
    /// Present while lines are written.
    lines: RefCell<Option<ReceiptWriter>>,
}

impl Observer for Show<'_> {
    fn event(&self, id: &ProfileId, event: Event<'_>) {
        let terminal = self.terminal;
        let note = match event {
            Event::LeftOut(why, number) => left_out(why, number),
            Event::Uncertain(files) => {
                format!("{} of the report not sent again: look in the channel", count(files, "uncertain file"))
            }
            Event::ExcludesNothing(None) => "--exclude leaves nothing out".to_owned(),
            Event::ExcludesNothing(Some(number)) => format!("pattern {number} of --exclude leaves nothing out"),
            Event::Repeated(files) => format!("{} named more than once, sent once", count(files, "file")),
            Event::Share(shard, files, all) => {
                format!("shard {shard}: {} of {}", count(files, "file"), all)
            }
            Event::Asking(id, origin) => format!("asking {origin} for {id}"),
            Event::NoTls => "rehearsal: it uses plain HTTP, so TLS is not tested".to_owned(),
            Event::Broken(why) => why.to_owned(),
            Event::Fewer(now, wanted, limit) => {
                let limit = limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
                let files = count(now, "file");
                format!(
                    "sending {files} at a time, not {wanted}: the limit{limit} of open files (ulimit -n) allows no more"
                )
            }
            Event::Sending(files, bytes, origin) => {
                if self.mode != Mode::DryRun && !self.quiet {
                    self.display.replace(Some(display(files, bytes, terminal)));
                }
                let files = count(files, "file");
                match self.mode {
                    Mode::Live => format!("sending {files} to {origin} as {id}"),
                    Mode::Rehearsal => format!("sending {files} to the sandbox at {origin} as {id}"),
                    Mode::DryRun => format!("would send {files} to {origin} as {id}"),
                }
            }
            Event::Done(receipt, destination) => return self.done(id, receipt, destination),
        };
        if !self.quiet || matches!(event, Event::Broken(_)) {
            terminal.note(&note);
        }
    }

    fn confirm(&self, id: &ProfileId, files: usize, origin: &str) -> bool {
        self.terminal.confirm(&format!("send {} to {origin} as {id}?", count(files, "file")))
    }

    fn progress(&self, file: &Path) -> Option<watch::Sender<Progress>> {
        Some(self.display.borrow().as_ref()?.file(file))
    }
}

/// Says how many files are left out, and why.
fn left_out(why: LeftOut, number: usize) -> String {
    let files = count(number, "file");
    match why {
        LeftOut::Own => format!("{files} of this run left out: its configuration, journal and output"),
        LeftOut::Secret => format!("left out {files} that the configuration reads values from"),
        LeftOut::Variables => format!("{files} left out: `*.env` is sent only if named"),
        LeftOut::Excluded => format!("{number} left out by --exclude"),
        LeftOut::Hidden if number == 1 => "1 hidden file or directory left out".to_owned(),
        LeftOut::Hidden => format!("{number} hidden files or directories left out"),
        LeftOut::Link => format!("{} left out", count(number, "symbolic link")),
        LeftOut::Special if number == 1 => "1 pipe, socket or device left out".to_owned(),
        LeftOut::Special => format!("{number} pipes, sockets or devices left out"),
        LeftOut::Empty => format!("{} skipped", count(number, "empty file")),
    }
}

/// The maximum number of successful files listed individually on a terminal.
const LISTED: usize = 10;

/// Creates the progress display, for a terminal or a log.
fn display(files: usize, bytes: u64, terminal: &Terminal) -> Display {
    if terminal.stderr.person {
        Display::drawn(files, bytes)
    } else {
        Display::logged(files, bytes, LOG_INTERVAL, Box::new(terminal::note))
    }
}

impl Show<'_> {
    /// Reports a file as soon as it is done, if the format asks for it.
    fn done(&self, profile: &ProfileId, receipt: &Receipt, destination: Option<&str>) {
        if let Some(display) = self.display.borrow().as_ref() {
            display.done();
        }
        if self.format != Format::Jsonl {
            return;
        }
        let line = Head { mode: self.mode, profile: Some(profile), destination }.line(receipt);
        match self.lines.borrow().as_ref() {
            Some(lines) => lines.write(line),
            // Nothing was sent, so a write error can wait for the last line.
            None => drop(terminal::write(&line, Markup::Json)),
        }
    }

    /// Reports why there is nothing to deliver.
    fn problems(&self, id: Option<&ProfileId>, error: &ConfigError, exit: Exit) -> Exit {
        let head = Head { mode: self.mode, profile: id, destination: None };
        self.write_report(exit, || head.error(error));
        match self.format {
            Format::Human => {
                self.terminal.unread(error);
                exit
            }
            Format::Json | Format::Jsonl => self.terminal.data(&head.error(error), Markup::Json, exit),
        }
    }

    /// Writes the second report, and returns its path. If that fails, it is an error message only: the exit code
    /// describes the deliveries.
    fn write_report(&self, exit: Exit, document: impl FnOnce() -> String) -> Option<PathBuf> {
        let file = self.report.as_ref()?;
        let written = file::write_atomically(file, &text::outgoing(&document(), Markup::Json));
        let failed = |error| format!("the report {} could not be written: {error}", text::file_or_path(file));
        written.map_err(|error| self.terminal.fail(exit, &failed(error))).ok().map(|()| file.clone())
    }

    /// Shows the results. The exit code describes the deliveries: a report that can't be written is an error message
    /// only, so that nobody is led to send the files again.
    fn delivered(&self, delivered: &Delivered) -> Exit {
        // Clear the bar before writing the receipts.
        if let Some(display) = self.display.take() {
            display.end(self.terminal.stderr.person);
        }
        let Delivered { profile, destination, receipts, findings, sources, .. } = delivered;
        let exit = Exit::from_outcome(delivered.outcome);
        let head = Head { mode: self.mode, profile: Some(profile), destination: destination.as_deref() };
        let document = || head.receipts(receipts, findings, sources);
        let report = self.write_report(exit, document);
        let written = match (self.format, self.lines.take()) {
            (Format::Jsonl, Some(lines)) => {
                lines.write(head.last_line(receipts, findings, sources));
                lines.finish()
            }
            (Format::Jsonl, None) => terminal::write(&head.last_line(receipts, findings, sources), Markup::Json),
            (Format::Json, _) => terminal::write(&head.receipts(receipts, findings, sources), Markup::Json),
            (Format::Human, _) => {
                // Receipts can't be recreated, so they are written before any diagnostics.
                let length = match receipts.len() {
                    _ if self.quiet => Length::Errors,
                    files if self.terminal.stdout.person && files > LISTED => Length::Short,
                    _ => Length::Full,
                };
                let written = self
                    .terminal
                    .write(&receipts::lines(receipts, profile, self.mode, length, self.terminal.stdout.style));
                let mut pictures = String::new();
                human::findings(findings, sources, self.terminal.stderr.style, &mut pictures);
                self.terminal.write_diagnostics(&pictures);
                written
            }
        };
        let exit = match written {
            Ok(()) => exit,
            Err(error) if self.mode == Mode::Live => {
                let sum = receipts::totals(receipts, profile);
                self.terminal.fail(exit, &format!("the report could not be written: {}; {sum}", error.kind()))
            }
            Err(error) => self.terminal.write_error(&error, exit),
        };
        if !delivered.rest.is_empty() {
            self.rest(&delivered.rest, report, document);
        }
        exit
    }

    /// Prints the command that sends the rest. It is the last line.
    fn rest(&self, files: &[PathBuf], report: Option<PathBuf>, document: impl FnOnce() -> String) {
        let (named, hidden) = rest::nameable(files);
        let report = (named.len() > rest::NAMED && hidden == 0).then(|| report.or_else(|| keep(&document()))).flatten();
        let rest = report.as_deref().map_or(Rest::Files(named), Rest::Report);
        let command = rest::command(std::env::args_os().collect(), &rest);
        let files = count(files.len(), "file");
        self.terminal.note(&format!("{files} not posted, but others were: this command sends only the rest"));
        if hidden > 0 {
            self.terminal.note(&format!("{} with a name that is not shown: add it", count(hidden, "file")));
        }
        for (variable, option) in &command.hidden {
            self.terminal.note(&format!("set {variable} to the value of --{option}, which is not shown"));
        }
        self.terminal.note(&command.line);
    }
}

/// Keeps a report in the directory for temporary files.
fn keep(document: &str) -> Option<PathBuf> {
    let mut file = tempfile::Builder::new().prefix("credlint-").suffix(".json").tempfile().ok()?;
    file.write_all(text::outgoing(document, Markup::Json).as_bytes()).ok()?;
    file.keep().ok().map(|(_, path)| path)
}

/// The writer thread. It ends when the lines do, or at the first write error.
pub struct ReceiptWriter {
    sender: Sender<String>,
    thread: JoinHandle<io::Result<()>>,
}

impl ReceiptWriter {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// Returns the reason if no thread can be started.
    pub fn start() -> Result<Self, String> {
        let (sender, lines) = mpsc::channel::<String>();
        let write = move || lines.iter().try_for_each(|line| terminal::write(&line, Markup::Json));
        let thread = std::thread::Builder::new().name("writer".to_owned()).spawn(write);
        let thread = thread.map_err(|error| format!("no thread could be started: {}", error.kind()))?;
        Ok(Self { sender, thread })
    }

    /// Queues a line. `finish` reports whether it could be written.
    pub fn write(&self, line: String) {
        let _ = self.sender.send(line);
    }

    /// Waits until all lines are written.
    pub fn finish(self) -> io::Result<()> {
        drop(self.sender);
        self.thread.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
    }
}
