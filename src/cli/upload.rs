//! `credlint upload`

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;
use tokio::sync::watch;

use super::args::{UploadArgs, UploadFormat as Format};
use super::exit::Exit;
use super::settings::Settings;
use super::terminal::Terminal;
use super::{check, progress, signals};
use crate::config::{ConfigError, LoadOptions};
use crate::delivery::Sender;
use crate::lint::{self, Report};
use crate::report::human;
use crate::report::upload_v1::{self, Mode};
use crate::schema::ProfileId;
use crate::schema::value::ChannelId;
use crate::source::Problem;
use crate::text::{self, count};
use crate::upload::{self, FileName, Payload, Receipt, Status, UploadError, Watch};

pub fn run(args: UploadArgs, settings: Settings, terminal: &Terminal) -> Exit {
    let format = match settings.upload_format(args.format) {
        Ok(format) => format,
        Err(message) => return terminal.fail(Exit::Usage, &message),
    };
    let job = match Job::of(args, &settings) {
        Ok(job) => job,
        Err(message) => return terminal.fail(Exit::Usage, &message),
    };
    let document = |id: Option<&ProfileId>, problems: &ConfigError| match format {
        Format::Human => {
            terminal.problems(problems);
            Exit::Usage
        }
        Format::Json => terminal.document(&upload_v1::error(job.mode, id, problems), Exit::Usage),
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
    let ended = match sender {
        Some(sender) => match job.address(sender) {
            Ok(sender) => job.carry_out(sender, &report, terminal),
            Err(problem) => return document(Some(&report.profiles[0].0), &loaded.error(vec![problem])),
        },
        None => job.refuse(),
    };
    let Ended { receipts, destination, exit } = ended;
    let id = &report.profiles[0].0;
    match format {
        Format::Json => {
            let text =
                upload_v1::receipts(job.mode, id, destination.as_deref(), &receipts, &report.findings, &report.sources);
            terminal.document(&text, exit)
        }
        Format::Human => {
            let mut pictures = String::new();
            human::findings(&report.findings, &report.sources, terminal.error_style(), &mut pictures);
            terminal.picture(&pictures);
            terminal.document(&lines(&receipts, id, job.mode), exit)
        }
    }
}

/// What was asked for, checked as far as it can be without the configuration.
struct Job {
    load: LoadOptions,
    profile: String,
    files: Vec<PathBuf>,
    filename: Option<FileName>,
    channels: Vec<ChannelId>,
    comment: Option<SecretString>,
    mode: Mode,
    settings: upload::Settings,
}

/// How it ended.
struct Ended {
    receipts: Vec<Receipt>,
    destination: Option<String>,
    exit: Exit,
}

impl Job {
    fn of(args: UploadArgs, settings: &Settings) -> Result<Self, String> {
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
        if filename.is_some() && args.files.len() != 1 {
            return Err("--filename goes with exactly one file".to_owned());
        }
        let inputs = args.files.iter().filter(|file| is_stdin(file)).count();
        if inputs > 0 && filename.is_none() {
            return Err("standard input has no name: give it one with --filename".to_owned());
        }
        let channels = args.channel.iter().map(|channel| ChannelId::parse(channel));
        let channels =
            channels.collect::<Result<Vec<_>, _>>().map_err(|flaw| format!("a --channel {}", flaw.describe()))?;
        if channels.iter().enumerate().any(|(index, channel)| channels[..index].contains(channel)) {
            return Err("a --channel is given twice: the file is shared once in each channel".to_owned());
        }
        #[cfg(feature = "sandbox")]
        let rehearse = args.rehearse;
        #[cfg(not(feature = "sandbox"))]
        let rehearse = false;
        if rehearse && args.dry_run {
            return Err("--rehearse and --dry-run exclude each other".to_owned());
        }
        let mode = match (args.dry_run, rehearse) {
            (true, _) => Mode::DryRun,
            (false, true) => Mode::Rehearsal,
            (false, false) => Mode::Live,
        };
        let upload = upload::Settings {
            stall_timeout: Duration::from_secs(args.stall_timeout),
            answer_timeout: Duration::from_secs(args.answer_timeout),
            require_confirmation: args.require_confirmation,
            ..upload::Settings::default()
        };
        Ok(Self {
            load: settings.load(args.config),
            profile,
            files: args.files,
            filename,
            channels,
            comment: args.comment.map(SecretString::from),
            mode,
            settings: upload,
        })
    }

    /// The sender with the channels and the comment of the command line.
    fn address(&self, mut sender: Sender) -> Result<Sender, Problem> {
        if !self.channels.is_empty() {
            sender.post.channels.clone_from(&self.channels);
        }
        if self.comment.is_some() {
            sender.post.comment.clone_from(&self.comment);
        }
        sender.post.check_channels(sender.method).map_err(|error| {
            let problem = Problem::new(error.code, error.message);
            error.help.into_iter().fold(problem, Problem::help)
        })?;
        Ok(sender)
    }

    fn refuse(&self) -> Ended {
        let receipts = self.files.iter().map(|file| Receipt::refused(file, Vec::new()));
        Ended { receipts: receipts.collect(), destination: None, exit: Exit::Findings }
    }

    fn carry_out(&self, sender: Sender, report: &Report, terminal: &Terminal) -> Ended {
        let id = &report.profiles[0].0;
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                terminal.note(&format!("no runtime: {}", error.kind()));
                return Ended { receipts: Vec::new(), destination: None, exit: Exit::NotDone };
            }
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
        let receipts = self.files.iter().map(|file| match self.payload(file) {
            Ok(_) => Receipt::skipped(file, channels.clone()),
            Err(error) => Receipt::failed(file, channels.clone(), error),
        });
        Ended::of(receipts.collect(), sender, Exit::Done)
    }

    /// Sends to the embedded service in this process, with a stand-in for the token.
    #[cfg(feature = "sandbox")]
    async fn rehearse(&self, mut sender: Sender, id: &ProfileId, terminal: &Terminal) -> Ended {
        use crate::sandbox::{Options, Sandbox};
        use crate::schema::value::{BaseUrl, BearerToken};

        let sandbox = Sandbox::bind(([127, 0, 0, 1], 0).into(), Options::default());
        let stand_in = BearerToken::new(SecretString::from("stand-in-for-a-rehearsal"));
        let (Ok(sandbox), Ok(token)) = (sandbox, stand_in) else {
            terminal.note("the embedded service could not be started: no free port on 127.0.0.1");
            return Ended { receipts: Vec::new(), destination: None, exit: Exit::NotDone };
        };
        let Ok(base_url) = BaseUrl::parse(&sandbox.base_url()) else {
            unreachable!("the address of a bound socket is one")
        };
        if sender.base_url.is_https() {
            terminal.note("rehearsal: TLS is not rehearsed");
        }
        (sender.base_url, sender.token) = (base_url, token);
        tokio::select! {
            mut ended = self.send_all(&sender, id, terminal) => {
                ended.receipts = ended.receipts.into_iter().map(Receipt::rehearsed).collect();
                ended
            }
            _ = sandbox.run() => {
                terminal.note("the embedded service stopped");
                Ended { receipts: Vec::new(), destination: None, exit: Exit::NotDone }
            }
        }
    }

    /// Sends every file, one after the other; a signal ends the one under way and leaves out the rest.
    async fn send_all(&self, sender: &Sender, id: &ProfileId, terminal: &Terminal) -> Ended {
        let place = if self.mode == Mode::Rehearsal { "the embedded service at " } else { "" };
        terminal.note(&format!(
            "sending {} to {place}{} as {id}",
            count(self.files.len(), "file"),
            sender.base_url.origin()
        ));
        let channels: Vec<String> = sender.post.channels.iter().map(ChannelId::shown).collect();
        let client = sender.client(self.settings.clone());
        let client = match client {
            Ok(client) => client,
            Err(error) => {
                let failed = |file: &PathBuf| Receipt::failed(file, channels.clone(), error.clone());
                return Ended::of(self.files.iter().map(failed).collect(), sender, Exit::Done);
            }
        };
        let (cancel, cancelled) = watch::channel(false);
        let signal = tokio::spawn(async move {
            let exit = signals::wait().await;
            // Nobody listens any more once the last file is done.
            let _ = cancel.send(true);
            exit
        });
        let mut receipts = Vec::new();
        for file in &self.files {
            if *cancelled.borrow() {
                receipts.push(Receipt::skipped(file, channels.clone()));
                continue;
            }
            receipts.push(match self.payload(file) {
                Ok(payload) => {
                    let watch = Watch::default()
                        .with_progress(progress::show(text::file(file), terminal))
                        .with_cancel(cancelled.clone());
                    let mut receipt = client.upload(&sender.post, payload, watch).await;
                    if !is_stdin(file) {
                        // As it was said, so that two files of one name can be told apart.
                        receipt.file = text::file(file);
                    }
                    receipt
                }
                Err(error) => Receipt::failed(file, channels.clone(), error),
            });
        }
        let stopped = if *cancelled.borrow() { signal.await.unwrap_or(Exit::Interrupted) } else { Exit::Done };
        Ended::of(receipts, sender, stopped)
    }

    fn payload(&self, file: &Path) -> Result<Payload, UploadError> {
        match (&self.filename, is_stdin(file)) {
            (Some(name), true) => Payload::stdin(name.clone()),
            (name, _) => Payload::open(file, name.clone()),
        }
    }
}

impl Ended {
    fn of(receipts: Vec<Receipt>, sender: &Sender, exit: Exit) -> Self {
        let worst = receipts.iter().map(|receipt| match receipt.status {
            Status::Delivered | Status::Accepted | Status::Rehearsed | Status::Skipped => Exit::Done,
            Status::Refused => Exit::Findings,
            Status::Failed => Exit::NotDone,
            Status::Uncertain => Exit::Uncertain,
        });
        let exit = worst.fold(exit, Exit::worst);
        Self { receipts, destination: Some(sender.base_url.shown()), exit }
    }
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// A line a file: what became of it, and what to do.
fn lines(receipts: &[Receipt], id: &ProfileId, mode: Mode) -> String {
    let mut out = String::new();
    for receipt in receipts {
        let mark = match receipt.status {
            Status::Delivered | Status::Accepted | Status::Rehearsed => "✓",
            Status::Skipped => "·",
            Status::Uncertain => "?",
            Status::Failed | Status::Refused => "×",
        };
        // Writing to a string can't fail.
        let _ = write!(out, "{mark} {}  {}", receipt.file, receipt.status.as_str());
        if matches!(receipt.status, Status::Delivered | Status::Accepted | Status::Rehearsed) {
            let _ = write!(
                out,
                "  {} to {} in {} ms",
                progress::size(receipt.bytes),
                receipt.channels.join(", "),
                receipt.elapsed.as_millis()
            );
            if let Some(file_id) = &receipt.file_id {
                let _ = write!(out, ", file {file_id}");
            }
        } else if receipt.status == Status::Skipped && mode == Mode::DryRun {
            let _ = write!(out, "  dry run, would go to {}", receipt.channels.join(", "));
        }
        out.push('\n');
        if let Some(permalink) = &receipt.permalink {
            let _ = writeln!(out, "  {permalink}");
        }
        if let Some(error) = &receipt.error {
            let _ = writeln!(out, "  {} [{}]", error.message, error.code);
            if let Some(help) = &error.help {
                let _ = writeln!(out, "  help: {help}");
            }
        }
    }
    if receipts.len() > 1 {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for receipt in receipts {
            match counts.iter_mut().find(|(word, _)| *word == receipt.status.as_str()) {
                Some((_, number)) => *number += 1,
                None => counts.push((receipt.status.as_str(), 1)),
            }
        }
        let counts: Vec<String> = counts.into_iter().map(|(word, number)| format!("{number} {word}")).collect();
        let _ = writeln!(out, "{} with {id}: {}", count(receipts.len(), "file"), counts.join(", "));
    }
    out
}
