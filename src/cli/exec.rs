//! `credlint exec`: checks the variables of this process, then replaces the process with the command. With `--stdin`, it
//! also checks a value on the way to a command that stores it.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::process::Stdio;

use zeroize::Zeroizing;

use super::args::ExecArgs;
use super::exit::Exit;
use super::output::Notes;
use super::search;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::config::{ConfigError, Environment};
use crate::file;
use crate::foreign;
use crate::lint::{self, CheckOptions};
use crate::report::{human, summary};
use crate::schema::value::{key_name, shown};
use crate::secret::MASK;
use crate::text;

/// The command was not started, for any reason; the code is that of `env` and `timeout`.
pub const NOT_STARTED: Exit = Exit::Other(125);

/// The variable that starts the command despite findings, and contains the reason.
const OVERRIDE: &str = "CREDLINT_OVERRIDE";

/// The command was not started because of findings.
const REFUSED: &str = "the command was not started";

/// The maximum size of a value on standard input: a pipe holds as much.
const MAX_VALUE: u64 = 64 * 1024;

/// Runs the command, or ends in 125.
pub fn run(mut args: ExecArgs, settings: Settings, terminal: &Terminal) -> Result<Exit, Exit> {
    let words = std::mem::take(&mut args.command);
    let piped = args.stdin.take().map(|name| read_value(name, terminal)).transpose()?;
    let added = settings.load_services(&args.config, !args.profile.is_empty());
    added.map_err(|error| unread(&error, terminal))?;
    let environment =
        settings.environment_with_dotenv(&args.config.env_file).map_err(|error| unread(&error, terminal))?;
    check_variables(args, (&words, &environment, piped.as_ref()), &settings, terminal)?;
    Ok(become_command(&words, &environment, piped, terminal))
}

/// A value on standard input, and the name under which the command stores it.
struct PipedValue {
    name: String,
    value: Zeroizing<Vec<u8>>,
}

/// Reads the value on standard input, without the line break that `echo` adds.
fn read_value(name: String, terminal: &Terminal) -> Result<PipedValue, Exit> {
    let refused = |message: &str| Err(terminal.fail(NOT_STARTED, message));
    let first = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if !first || !name.chars().all(|other| other.is_ascii_alphanumeric() || "_-.".contains(other)) {
        return refused("--stdin needs the name of a variable, such as API_TOKEN: the value comes through the pipe");
    }
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return refused(
            "--stdin reads the value from a pipe: printf %s \"$VALUE\" | credlint exec --stdin NAME -- COMMAND",
        );
    }
    let mut value = match file::read_wiped(stdin.lock(), 0, MAX_VALUE) {
        Ok(value) => value,
        Err(error) => return refused(&format!("standard input can't be read: {}", error.kind())),
    };
    if value.len() as u64 > MAX_VALUE {
        return refused("standard input is larger than 64 KiB, which is no credential");
    }
    let shorter = without_line_break(&value).len();
    value.truncate(shorter);
    Ok(PipedValue { name, value })
}

/// Returns a value without the line break at its end, unless it has others: those are part of it, as in a PEM key.
fn without_line_break(value: &[u8]) -> &[u8] {
    let Some(line) = value.strip_suffix(b"\r\n").or_else(|| value.strip_suffix(b"\n")) else { return value };
    if line.iter().any(|byte| matches!(byte, b'\r' | b'\n')) { value } else { line }
}

fn unread(error: &ConfigError, terminal: &Terminal) -> Exit {
    terminal.unread(error);
    NOT_STARTED
}

/// Checks the command's variables.
fn check_variables(
    args: ExecArgs,
    (words, environment, piped): (&[OsString], &Environment, Option<&PipedValue>),
    settings: &Settings,
    terminal: &Terminal,
) -> Result<(), Exit> {
    let refused = |message: &str| Err(terminal.fail(NOT_STARTED, message));
    let configured = !args.profile.is_empty();
    if !args.config.config.is_empty() && !configured {
        return refused("--config has no effect without a profile to check: add --profile");
    }
    // Not from a dotenv file, where it could be forgotten.
    let reason = settings.environment().get(OVERRIDE).map(|reason| reason.to_string_lossy().trim().to_owned());
    if reason.as_deref() == Some("") {
        return refused(&format!("{OVERRIDE} is empty: set it to the reason, or unset it"));
    }
    let notes = Notes::new(args.quiet, args.config.verbose);
    let options = CheckOptions {
        fail_on: args.fail_on,
        profiles: args.profile.clone(),
        now: settings.now(),
        list_values: notes == Notes::Full,
        ..CheckOptions::default()
    };
    let mut search = search::environment(settings, &args.config, configured, &args.require);
    if let Some(PipedValue { name, value }) = piped {
        let judged = settings.environment().clone().with_variable(name, &String::from_utf8_lossy(value));
        (search.environment, search.piped) = (Some(judged), Some(name.clone()));
    }
    search.command = words.to_vec();
    search.env_files.clone_from(&args.config.env_file);
    let policy = lint::load(&settings.load_policy(&args.config));
    let config = args.config;
    let loaded = configured.then(|| lint::load(&settings.load(config))).transpose();
    let checked = policy.and_then(|policy| {
        let loaded = loaded?;
        if let Some(loaded) = &loaded {
            notes.announce(loaded, terminal);
        }
        Ok((lint::search_with_profiles(loaded.as_ref(), &search, &options)?, policy.no_override))
    });
    let ((report, notices), forbidden) = checked.map_err(|error| unread(&error, terminal))?;
    notes.warn(&notices, terminal);
    Notes::list(&report, terminal);
    // Only findings are reported; any other output belongs to the command.
    if !report.findings.is_empty() || !report.problems.is_empty() {
        let draw = if args.quiet { human::without_summary } else { human::report };
        terminal.write_diagnostics(&draw(&report, terminal.stderr.style));
    } else if !args.quiet {
        terminal.note(&summary::line(&report));
    }
    if !args.quiet
        && let Some(empty) = empty_credentials(environment)
    {
        terminal.note(&empty);
    }
    if args.observe || !report.fails() && report.problems.is_empty() {
        return Ok(());
    }
    let refused =
        |message: &str| refused(&format!("{message}{}", if piped.is_some() { ", so nothing was stored" } else { "" }));
    match reason {
        Some(_) if forbidden => refused(&format!("{REFUSED}: the policy forbids {OVERRIDE}")),
        Some(reason) => {
            terminal.warn(&format!(
                "the command is started in spite of this: {}",
                shown::reason(&reason).unwrap_or_else(|| MASK.to_owned())
            ));
            Ok(())
        }
        None if args.quiet || piped.is_some() => refused(REFUSED),
        None => refused(&format!("{REFUSED}; if a run without this check failed: credlint why LOG")),
    }
}

/// Lists the empty variables for credentials: pipelines set them like this if a secret does not exist.
fn empty_credentials(environment: &Environment) -> Option<String> {
    let empty = environment.sorted().into_iter().filter(|(_, value)| value.is_empty());
    let names: Vec<String> = empty
        .filter(|(name, _)| foreign::is_credential_name(name))
        .map(|(name, _)| format!("`{}`", key_name(&name).as_deref().unwrap_or(MASK)))
        .collect();
    (!names.is_empty()).then(|| format!("empty: {}", names.join(", ")))
}

/// Replaces this process with the command, which keeps the streams, receives every signal and sets the exit code. Where
/// that is not possible, runs it as a child.
fn become_command(
    words: &[OsString],
    environment: &Environment,
    piped: Option<PipedValue>,
    terminal: &Terminal,
) -> Exit {
    let Some(program) = words.first() else { return Exit::Usage };
    let mut command = std::process::Command::new(program);
    if let Some(PipedValue { value, .. }) = piped {
        match stdin_with(value) {
            Ok(stdin) => command.stdin(stdin),
            Err(error) => {
                return terminal.fail(NOT_STARTED, &format!("the value can't be passed on: {}", error.kind()));
            }
        };
    }
    // The reason is not meant for the command.
    command.args(&words[1..]).envs(environment.iter()).env_remove(OVERRIDE);
    #[cfg(unix)]
    let error = std::os::unix::process::CommandExt::exec(&mut command);
    #[cfg(not(unix))]
    let error = match command.status() {
        Ok(status) => return Exit::Other(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => error,
    };
    failed(program, &error, terminal)
}

/// Returns a standard input that has these bytes, and then ends. It never is a file with a name.
#[cfg(target_os = "linux")]
fn stdin_with(value: Zeroizing<Vec<u8>>) -> std::io::Result<Stdio> {
    use std::io::{Seek as _, Write as _};
    let memory = rustix::fs::memfd_create("stdin", rustix::fs::MemfdFlags::CLOEXEC)?;
    let mut file = std::fs::File::from(memory);
    file.write_all(&value)?;
    file.rewind()?;
    Ok(file.into())
}

/// Returns a pipe that has these bytes, and then ends. This process writes them before it becomes the command, so they
/// must fit.
#[cfg(all(unix, not(target_os = "linux")))]
fn stdin_with(value: Zeroizing<Vec<u8>>) -> std::io::Result<Stdio> {
    use std::io::Write as _;
    let (reader, mut writer) = std::io::pipe()?;
    rustix::io::ioctl_fionbio(&writer, true)?;
    writer.write_all(&value)?;
    Ok(reader.into())
}

/// Returns a pipe that has these bytes, and then ends.
#[cfg(not(unix))]
fn stdin_with(value: Zeroizing<Vec<u8>>) -> std::io::Result<Stdio> {
    use std::io::Write as _;
    let (reader, mut writer) = std::io::pipe()?;
    std::thread::spawn(move || writer.write_all(&value));
    Ok(reader.into())
}

/// Returns the exit code that shells and `env` use: 127 if the command does not exist, 126 if it can't be started.
fn failed(program: &OsString, error: &std::io::Error, terminal: &Terminal) -> Exit {
    // Its value may be a secret.
    if program.as_encoded_bytes().contains(&b'=') && !program.as_encoded_bytes().contains(&b'/') {
        let message =
            "the command begins with an assignment: write it in front, as in NAME=value credlint exec -- COMMAND";
        return terminal.fail(Exit::Other(127), message);
    }
    let name = text::path(std::path::Path::new(program));
    if error.kind() == std::io::ErrorKind::NotFound {
        /// Words that only a shell knows.
        const BUILTIN: [&[u8]; 6] = [b".", b"cd", b"eval", b"export", b"set", b"source"];
        let bytes = program.as_encoded_bytes();
        let way = if bytes.contains(&b' ') {
            "; a command and its arguments are separate words"
        } else if BUILTIN.contains(&bytes) {
            "; only a shell knows it: sh -c '…'"
        } else {
            ""
        };
        return terminal.fail(Exit::Other(127), &format!("{name}: no such command{way}"));
    }
    terminal.fail(Exit::Other(126), &format!("{name} can't be started: {}", error.kind()))
}
