//! `credlint why`: from an error text to the credentials here.

use std::io::{IsTerminal, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::args::{ConfigArgs, ListFormat, WhyArgs};
use super::exit::Exit;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::config::{ConfigError, Environment};
use crate::file::{self, FileError};
use crate::foreign::{Files, Paths};
use crate::lint;
use crate::report::why_v1;
use crate::secret::Digest;
use crate::text::{self, Markup};
use crate::why::{LONGEST, LocalCredentials, Log, LogFindings};

pub fn run(args: &WhyArgs, settings: &Settings, terminal: &Terminal) -> Result<Exit, Exit> {
    settings.load_services_here().map_err(|error| terminal.unread(&error))?;
    let (name, log) = read(args.log.as_deref()).map_err(|(exit, message)| terminal.fail(exit, &message))?;
    let read = LogFindings::new(&log);
    let here = find_credentials(args, settings, read.pieces(), terminal)?;
    for notice in &here.notices {
        terminal.warn(notice);
    }
    let why = read.explain(&here);
    Ok(match args.format {
        ListFormat::Json => terminal.data(&why_v1::write((&name, &log), &here, &why), Markup::Json, Exit::Done),
        ListFormat::Human => terminal.document(&why_v1::human(&log, &here, &why), Exit::Done),
    })
}

/// Reads the end of the log: of a file, or of standard input.
fn read(path: Option<&Path>) -> Result<(String, Log), (Exit, String)> {
    let Some(path) = path.filter(|path| *path != Path::new("-")) else {
        let stdin = std::io::stdin();
        if path.is_none() && stdin.is_terminal() {
            return Err((Exit::Usage, "no log: name a file, or pipe one to standard input".to_owned()));
        }
        let log = Log::read(stdin.lock());
        let log = log.map_err(|error| (Exit::NotDone, format!("standard input can't be read: {}", error.kind())))?;
        return Ok(("<stdin>".to_owned(), log));
    };
    let refuse = |error: FileError| {
        let exit = if matches!(error, FileError::Io(_)) { Exit::NotDone } else { Exit::Usage };
        let text = path.to_string_lossy().contains(' ');
        let way = if text { "; a text is piped: `echo TEXT | credlint why`" } else { "" };
        (exit, format!("the log {} can't be read: {error}{way}", text::path(path)))
    };
    let (mut file, meta) = file::open_stream(path).map_err(refuse)?;
    let log = if meta.is_file() {
        let begin = meta.len().saturating_sub(LONGEST as u64 + 2);
        Log::read_end(&mut file, |file| file.seek(SeekFrom::Start(begin)).map(|_| begin > 0))
    } else {
        Log::read(file)
    };
    Ok((text::file(path), log.map_err(|error| refuse(error.into()))?))
}

/// Finds the credentials: in this process, the configuration and this directory, or in the files that were named. Pieces of
/// the log are looked for in all values.
fn find_credentials(
    args: &WhyArgs,
    settings: &Settings,
    pieces: &[Digest],
    terminal: &Terminal,
) -> Result<LocalCredentials, Exit> {
    let unread = |error: ConfigError| terminal.unread(&error);
    let named = !args.within.is_empty() || !args.env_file.is_empty();
    let config = ConfigArgs { env_file: args.env_file.clone(), isolated: named, ..ConfigArgs::default() };
    let mut here = LocalCredentials { searched: named, ..LocalCredentials::default() };
    let mut search = settings.search(&config);
    search.env_files.clone_from(&args.env_file);
    // Such files stand for the variables of the process that failed.
    let process = args.env_file.is_empty();
    search.environment = Some(if process { settings.environment().clone() } else { Environment::default() });
    search.list = Some(pieces.to_vec());
    let mut paths = args.within.clone();
    let configured = settings.is_configured(&config);
    if !named {
        if configured {
            let loaded = lint::load(&settings.load(config)).map_err(unread)?;
            here.add_configuration(loaded, pieces).map_err(unread)?;
        }
        here.searched = settings.may_be_searched();
        paths.extend(here.searched.then(|| ".".into()));
    }
    let files = find(paths, &search, args).map_err(|message| terminal.fail(Exit::Usage, &message))?;
    for path in files.configurations.iter().filter(|_| !configured || named) {
        match lint::load(&settings.load_alone(path)) {
            Ok(loaded) => here.add_configuration(loaded, pieces).map_err(unread)?,
            Err(error) if args.within.iter().any(|within| search.directory.join(within) == *path) => {
                return Err(unread(error));
            }
            Err(_) => here.notices.push(format!("{} can't be read: run `credlint check` on it", text::file(path))),
        }
    }
    search.files = files.candidates;
    if search.environment.is_some() || !search.files.is_empty() {
        here.add_search(&search).map_err(unread)?;
    }
    Ok(here)
}

fn find(named: Vec<PathBuf>, search: &lint::Search, args: &WhyArgs) -> Result<Files, String> {
    let paths = Paths {
        named,
        directory: search.directory.clone(),
        left_out: (search.root.clone().unwrap_or_default(), lint::excluded_patterns(search)),
        ..Paths::default()
    };
    let mut files = paths.find()?;
    if let Some(missing) = files.missing.first() {
        return Err(format!("{}: no such file or directory", text::file_or_path(missing)));
    }
    files.recognise_configurations(&search.directory);
    // The log itself does not set credentials.
    if let Some(log) = args.log.as_deref().map(|log| search.directory.join(log)) {
        files.candidates.retain(|candidate| candidate.path != log);
    }
    Ok(files)
}
