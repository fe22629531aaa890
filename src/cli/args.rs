//! The arguments, by clap; nothing below this file knows it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::finding::Severity;
use crate::schema::Kind;
use crate::text;

pub use clap_complete::Shell;

/// Checks that the credentials of a deploy fit their job, and uploads files with the profiles that pass.
#[derive(Parser, Debug)]
#[command(name = "credlint", version, max_term_width = 100, arg_required_else_help = true, after_help = EXIT_CODES)]
pub struct Args {
    /// When to use colours; NO_COLOR is respected.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes:
  0  checked, nothing at or above --fail-on; or every file delivered, accepted or rehearsed
  1  findings; an upload refused because its profile has errors
  2  usage; a configuration that can't be read; an unknown profile; no channel at all
  3  not done, safe to run again
  4  a delivery is uncertain: do not run again blindly
  130, 143  interrupted, terminated";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Lint the layered configuration, offline.
    Check(Box<CheckArgs>),
    /// Lint a profile, then send files with it.
    #[cfg(feature = "upload")]
    Upload(Box<UploadArgs>),
    /// Lint, then ask the services whether the credentials are in force; posts nothing.
    #[cfg(feature = "upload")]
    Verify(VerifyArgs),
    /// List the profiles; of one, its fields, where each was set and what it shadows.
    Profiles(ProfilesArgs),
    /// Show the page of a rule.
    Explain {
        /// The id of the rule, such as mixed-key-pair.
        rule: String,
    },
    /// List the rules.
    Rules(RulesArgs),
    /// Write a commented configuration to begin with.
    Init(InitArgs),
    /// Print the JSON Schema of the configuration, for editors.
    Schema,
    /// Print the completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the man page, in roff.
    Man {
        /// The command whose page to print, such as check; left out, the page of the program.
        command: Option<String>,
    },
    /// Run the embedded messaging service on this machine, to try uploads.
    #[cfg(feature = "sandbox")]
    Sandbox(SandboxArgs),
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// The formats of a report.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people.
    Human,
    /// One JSON document.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of a GitHub workflow, and a summary of the job.
    Github,
    /// A GitLab Code Quality report.
    Gitlab,
    /// JUnit XML.
    Junit,
}

/// The formats of what became of an upload.
#[cfg(feature = "upload")]
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum UploadFormat {
    /// For people.
    Human,
    /// One JSON document.
    Json,
    /// A line of JSON as each file is done, and one at the end.
    Jsonl,
}

/// A choice of words, which a variable may hold as well.
pub trait Choice: Sized {
    /// The one of that name.
    fn named(name: &str) -> Option<Self>;
    /// The names of all, as a message says them.
    fn names() -> Vec<String>;
}

impl<T: ValueEnum> Choice for T {
    fn named(name: &str) -> Option<Self> {
        Self::from_str(name, false).ok()
    }

    fn names() -> Vec<String> {
        let values = Self::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        values.map(|value| format!("`{}`", value.get_name())).collect()
    }
}

/// A report that goes to a file.
#[derive(Clone, Debug)]
pub struct ReportTo {
    pub format: Format,
    pub file: PathBuf,
}

/// The formats of lists.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListFormat {
    /// For people.
    Human,
    /// One JSON document.
    Json,
}

/// The severities to fail on.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum FailOn {
    Error,
    Warning,
}

#[derive(clap::Args, Debug)]
pub struct ConfigArgs {
    /// A configuration file, in place of the user's and the project's; several are layered, the last one highest.
    /// [env: CREDLINT_CONFIG]
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub config: Vec<PathBuf>,
    /// A dotenv file, below the environment; several are layered.
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub env_file: Vec<PathBuf>,
    /// Read only what is named: no user or project file, no CREDLINT_X__Y variables.
    #[arg(long, help_heading = "Configuration")]
    pub isolated: bool,
}

/// What is done with what was found.
#[derive(clap::Args, Debug)]
pub struct ReportArgs {
    /// How to report [default: human] [env: CREDLINT_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Write the report to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write one more report, such as sarif=credlint.sarif; repeatable.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = report_to)]
    pub report: Vec<ReportTo>,
    /// The severity from which it fails [default: error]
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    /// Exit 0 even if there are findings; other failures keep their code.
    #[arg(long)]
    pub exit_zero: bool,
}

impl ReportArgs {
    /// The severity from which it fails, if one is given.
    pub fn fail_on(&self) -> Option<Severity> {
        self.fail_on.map(|severity| match severity {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
        })
    }
}

#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// Configuration files; the same as --config.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Check this profile only, `messaging.reports` or `reports`; repeatable. [env: CREDLINT_PROFILE]
    #[arg(long, value_name = "NAME")]
    pub profile: Vec<String>,
    /// Take every reference as present without looking it up: for places where secrets are absent.
    #[arg(long)]
    pub no_resolve: bool,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Count the findings of a rule, or all `warnings`, as errors; of -D, -W and -A the last one wins.
    #[arg(short = 'D', long, value_name = "RULE", help_heading = "Levels and allows")]
    pub deny: Vec<String>,
    /// Count the findings of a rule as warnings.
    #[arg(short = 'W', long, value_name = "RULE", help_heading = "Levels and allows")]
    pub warn: Vec<String>,
    /// Drop the findings of a rule, or all `warnings`.
    #[arg(short = 'A', long, value_name = "RULE", help_heading = "Levels and allows")]
    pub allow: Vec<String>,
    /// A file with a table [lint] that nothing else can weaken.
    #[arg(long, value_name = "FILE", help_heading = "Levels and allows")]
    pub policy: Option<PathBuf>,
    /// Ignore every allow, in tables and in comments.
    #[arg(long, help_heading = "Levels and allows")]
    pub no_allow: bool,
    /// Don't fail on the findings that this file knows.
    #[arg(long, value_name = "FILE", help_heading = "Levels and allows")]
    pub baseline: Option<PathBuf>,
    /// Write the findings to this file, as a baseline for later checks.
    #[arg(long, value_name = "FILE", help_heading = "Levels and allows")]
    pub write_baseline: Option<PathBuf>,
    /// -D, -W and -A in the order in which they were given.
    #[arg(skip)]
    pub levels: Vec<(String, &'static str)>,
    /// Fix what has one right answer in the files that were given or found for the project, then check again.
    #[arg(long, conflicts_with = "diff")]
    pub fix: bool,
    /// Show what --fix would change, masked, and change nothing.
    #[arg(long)]
    pub diff: bool,
    #[command(flatten)]
    pub config: ConfigArgs,
}

#[cfg(feature = "upload")]
#[derive(clap::Args, Debug)]
pub struct UploadArgs {
    /// Files, directories and patterns to send; `-` is standard input and needs --filename.
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    pub files: Vec<PathBuf>,
    /// Also send the files that this list names, one a line; `-` reads the list from standard input.
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// The profile to send with, `messaging.reports` or `reports`. [env: CREDLINT_PROFILE]
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,

    /// Share in this channel instead of the profile's; repeatable.
    #[arg(long, value_name = "ID", help_heading = "What is posted")]
    pub channel: Vec<String>,
    /// Post this text with the file, instead of the profile's.
    #[arg(long, value_name = "TEXT", help_heading = "What is posted")]
    pub comment: Option<String>,
    /// Post it as an answer to the message with this time stamp, such as 1700000000.000100.
    #[arg(long, value_name = "TS", help_heading = "What is posted")]
    pub thread: Option<String>,
    /// The title of the one file, instead of its name.
    #[arg(long, value_name = "TEXT", help_heading = "What is posted")]
    pub title: Option<String>,
    /// Send the one file under this name.
    #[arg(long, value_name = "NAME", help_heading = "What is posted")]
    pub filename: Option<String>,
    /// Post all files in one message; only the method external can.
    #[arg(long, help_heading = "What is posted")]
    pub one_message: bool,

    /// Send to the embedded service in this process, with a stand-in for the token.
    #[cfg(feature = "sandbox")]
    #[arg(long, help_heading = "Without sending")]
    pub rehearse: bool,
    /// Lint and open the files, but send nothing.
    #[arg(long, help_heading = "Without sending")]
    pub dry_run: bool,

    /// Ask the service first, as `verify` does; if it says no or does not answer, send nothing.
    #[arg(long, help_heading = "Sending")]
    pub verify: bool,

    /// Keep a journal in this file: a run that was broken off goes on with it, and sends nothing twice.
    #[arg(long, value_name = "FILE", help_heading = "Sending")]
    pub journal: Option<PathBuf>,
    /// Send again what the journal calls uncertain, once you have looked in the channel.
    #[arg(long, requires = "journal", help_heading = "Sending")]
    pub retry_uncertain: bool,
    /// Compute the SHA-256 of each file while it is sent; --journal does so, too.
    #[arg(long, help_heading = "Sending")]
    pub checksum: bool,
    /// How many files to send at a time [default: 4 by files.upload, 8 by external]
    #[arg(long, value_name = "NUMBER", value_parser = concurrency, help_heading = "Sending")]
    pub concurrency: Option<usize>,
    /// Begin no other file after one that failed.
    #[arg(long, help_heading = "Sending")]
    pub fail_fast: bool,
    /// How often to try again after a failure that may pass, for each file.
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = retries, help_heading = "Sending")]
    pub retries: u32,
    /// How long to wait for that in all, for each file; if the service asks for more, stop at once.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = wait, help_heading = "Sending")]
    pub max_wait: u64,
    /// Give up a try when nothing could be sent for this long.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = seconds, help_heading = "Sending")]
    pub stall_timeout: u64,
    /// Give up a try when there is no answer this long after the last byte.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = seconds, help_heading = "Sending")]
    pub answer_timeout: u64,
    /// Call an answer without a verdict uncertain, not accepted.
    #[arg(long, help_heading = "Sending")]
    pub require_confirmation: bool,

    /// How to report [default: human] [env: CREDLINT_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<UploadFormat>,
    #[command(flatten)]
    pub config: ConfigArgs,
}

#[cfg(feature = "upload")]
#[derive(clap::Args, Debug)]
pub struct VerifyArgs {
    /// Ask for this profile only, `messaging.reports` or `reports`; repeatable. [env: CREDLINT_PROFILE]
    #[arg(long, value_name = "NAME")]
    pub profile: Vec<String>,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Wait so long in all for what passes, also if a service asks for more; 0 asks once.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = wait)]
    pub max_wait: u64,
    /// Give up when there is no answer so long after a question.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = seconds)]
    pub answer_timeout: u64,
    #[command(flatten)]
    pub config: ConfigArgs,
}

#[derive(clap::Args, Debug)]
pub struct ProfilesArgs {
    /// The profile to show, `messaging.reports` or `reports`.
    #[arg(value_name = "PROFILE")]
    pub profile: Option<String>,
    /// Take every reference as present without looking it up.
    #[arg(long)]
    pub no_resolve: bool,
    /// How to list
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
    #[command(flatten)]
    pub config: ConfigArgs,
}

#[derive(clap::Args, Debug)]
pub struct RulesArgs {
    /// How to list
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
}

#[derive(clap::Args, Debug)]
pub struct InitArgs {
    /// The kinds of profiles to begin with; all, if none is named.
    #[arg(value_name = "KIND", value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::name)))]
    pub kinds: Vec<String>,
    /// Create this file instead of writing to standard output; one that is there is left alone.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[cfg(feature = "sandbox")]
#[derive(clap::Args, Debug)]
pub struct SandboxArgs {
    /// Where to listen; only this machine can connect.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub listen: std::net::SocketAddr,
    /// Keep the files in this directory; without it they are thrown away.
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Add a line of JSON to this file for each message.
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// The scopes that every token has.
    #[arg(long, value_name = "SCOPE", value_delimiter = ',', default_value = "files:write,files:read,chat:write")]
    pub scopes: Vec<String>,
    /// The id of the workspace that every token belongs to.
    #[arg(long, value_name = "ID", default_value = "T00000000")]
    pub team: String,
    /// The only channels that there are; without it, any.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub channels: Vec<String>,
    /// The one bucket that application keys are for; without it, all.
    #[arg(long, value_name = "NAME")]
    pub bucket: Option<String>,
    /// Make an operation fail: METHOD=FAULT or METHOD=FAULT,TIMES, such as upload=lost,1. Repeatable; a wrong one is
    /// told what there is.
    #[arg(long, value_name = "SWITCH")]
    pub fail: Vec<crate::sandbox::Fault>,
    /// Wait so many milliseconds before each answer.
    #[arg(long, value_name = "MS", value_parser = milliseconds, default_value = "0")]
    pub delay: u64,
}

/// A time in milliseconds, in words of our own.
#[cfg(feature = "sandbox")]
fn milliseconds(word: &str) -> Result<u64, &'static str> {
    word.parse().ok().filter(|delay| *delay <= 86_400_000).ok_or("a whole number from 0 to 86400000 is needed")
}

/// A time in seconds. The words of the error are ours, since clap's repeat the value.
#[cfg(feature = "upload")]
fn seconds(word: &str) -> Result<u64, &'static str> {
    word.parse().ok().filter(|seconds| (1..=86_400).contains(seconds)).ok_or("a whole number from 1 to 86400 is needed")
}

/// The same, or nothing.
#[cfg(feature = "upload")]
fn wait(word: &str) -> Result<u64, &'static str> {
    word.parse().ok().filter(|&seconds| seconds <= 86_400).ok_or("a whole number from 0 to 86400 is needed")
}

#[cfg(feature = "upload")]
fn retries(word: &str) -> Result<u32, &'static str> {
    word.parse().ok().filter(|&number| number <= 100).ok_or("a whole number from 0 to 100 is needed")
}

#[cfg(feature = "upload")]
fn concurrency(word: &str) -> Result<usize, &'static str> {
    word.parse().ok().filter(|number| (1..=256).contains(number)).ok_or("a whole number from 1 to 256 is needed")
}

/// A format and a file. Of what is not one nothing is repeated, as above.
fn report_to(word: &str) -> Result<ReportTo, &'static str> {
    let (format, file) = word.split_once('=').ok_or("a format and a file are needed, such as sarif=credlint.sarif")?;
    let format = Format::named(format).ok_or("the format is none of human, json, sarif, github, gitlab and junit")?;
    if file.is_empty() {
        return Err("the name of the file is missing");
    }
    Ok(ReportTo { format, file: file.into() })
}

/// Help, the version, or a usage error: what to print, and where.
#[derive(Debug)]
pub struct UsageError {
    /// The text, with the escapes of colours if it may have them.
    pub text: clap::builder::StyledStr,
    /// Whether it is an answer and no error.
    pub answer: bool,
}

impl Args {
    /// Reads the words of the command line.
    pub fn read(words: Vec<OsString>) -> Result<Self, UsageError> {
        let read = || {
            let matches = Self::command().try_get_matches_from(words)?;
            let mut args = Self::from_arg_matches(&matches)?;
            if let (Command::Check(check), Some(matches)) = (&mut args.command, matches.subcommand_matches("check")) {
                check.levels = levels(matches);
            }
            Ok(args)
        };
        read().map_err(|mut error: clap::Error| {
            let answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            mask(&mut error);
            UsageError { text: error.with_cmd(&Self::command()).render(), answer }
        })
    }
}

/// The words of -D, -W and -A in the order of the command line.
fn levels(matches: &clap::ArgMatches) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for (name, level) in [("deny", "error"), ("warn", "warning"), ("allow", "off")] {
        let words = matches.get_many::<String>(name).into_iter().flatten();
        let places = matches.indices_of(name).into_iter().flatten();
        found.extend(places.zip(words).map(|(place, word)| (place, word.clone(), level)));
    }
    found.sort_by_key(|&(place, ..)| place);
    found.into_iter().map(|(_, word, level)| (word, level)).collect()
}

/// The script that completes commands and options in a shell.
pub fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "credlint", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The man page of the program, or of one of its commands; nothing, if there is no such command.
pub fn manual(command: Option<&str>) -> Option<String> {
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    let page = match command {
        None => program,
        Some(name) => program.find_subcommand(name)?.clone(),
    };
    let title = page.get_display_name().unwrap_or("credlint").to_uppercase();
    let mut roff = Vec::new();
    // Writing to a vector can't fail.
    let _ = clap_mangen::Man::new(page)
        .title(title)
        .source(concat!("credlint ", env!("CARGO_PKG_VERSION")))
        .render(&mut roff);
    // The text after the options is that on exit codes.
    Some(String::from_utf8_lossy(&roff).replace(".SH EXTRA\nExit codes:\n", ".SH \"EXIT STATUS\"\n.nf\n"))
}

/// clap repeats the words it can't place. One that could be a credential is not repeated.
fn mask(error: &mut clap::Error) {
    for kind in [ContextKind::InvalidArg, ContextKind::InvalidValue, ContextKind::InvalidSubcommand] {
        let masked = match error.get(kind) {
            Some(ContextValue::String(word)) => ContextValue::String(shown(word)),
            Some(ContextValue::Strings(words)) => ContextValue::Strings(words.iter().map(|word| shown(word)).collect()),
            _ => continue,
        };
        error.insert(kind, masked);
    }
    // What clap suggests to write in its place repeats it, too.
    for kind in [ContextKind::Suggested, ContextKind::TrailingArg] {
        if error.get(kind).is_some() {
            error.insert(kind, ContextValue::None);
        }
    }
}

/// A word that people may have mistyped, or an argument of ours as clap writes it: `--format <FORMAT>`.
fn shown(word: &str) -> String {
    let marks = "-<>[]. ";
    let plain = word.len() <= 40 && word.chars().all(|c| c.is_ascii_alphabetic() || marks.contains(c));
    let own = |command: &clap::Command| command.get_arguments().any(|argument| argument.to_string() == word);
    // Only a program that was built can spell its arguments.
    let mut program = Args::command();
    program.build();
    if (plain && !text::opaque(word)) || program.get_subcommands().any(own) {
        word.to_owned()
    } else {
        crate::secret::MASK.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn usage_errors_repeat_no_credential() {
        for words in [
            &["credlint", "xoxb-1-planted"][..],
            &["credlint", "init", "xoxb-1-planted"],
            &["credlint", "completions", "xoxb-1-planted"],
            &["credlint", "check", "--xoxb-1-planted"],
            &["credlint", "check", "--format", "xoxb-1-planted"],
            &["credlint", "check", "--format=xoxb-1-planted"],
            &["credlint", "check", "--report", "xoxb-1-planted"],
            &["credlint", "check", "--report", "xoxb-1-planted=x"],
            &["credlint", "--color", "Xoxb1planted", "rules"],
            &["credlint", "rules", "xoxb-1-planted"],
            &["credlint", "upload", "f", "--stall-timeout", "xoxb-1-planted"],
            &["credlint", "verify", "--max-wait", "xoxb-1-planted"],
            &["credlint", "sandbox", "--listen", "xoxb-1-planted"],
            &["credlint", "explain", "a", "xoxb-1-planted"],
        ] {
            let error = Args::read(words.iter().map(OsString::from).collect()).unwrap_err();
            let text = error.text.to_string();
            assert!(!text.contains("planted") && !error.answer, "{text}");
        }
        let error = Args::read(["credlint", "chek"].map(OsString::from).to_vec()).unwrap_err();
        assert!(error.text.to_string().contains("chek"), "{}", error.text);
        let error = Args::read(["credlint", "check", "--report", "sarif"].map(OsString::from).to_vec()).unwrap_err();
        assert!(error.text.to_string().contains("'--report <FORMAT=FILE>'"), "{}", error.text);
    }
}
