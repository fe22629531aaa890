//! The arguments, by clap; no other folder knows it.

pub mod documents;
pub mod read;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};

use crate::finding::Severity;
use crate::foreign::Sort;
use crate::schema::Kind;
#[cfg(feature = "upload")]
use crate::upload::Shard;

pub use clap_complete::Shell;
#[cfg(feature = "upload")]
pub use values::UploadFormat;
pub use values::{Choice, Color, FailOn, ListFormat, ReportFormat, ReportTo};

/// Check that the credentials of a deploy fit their job, and upload files with profiles that pass.
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
  0  no findings at or above --fail-on; or every file delivered, accepted or rehearsed
  1  findings; an upload refused because its profile has errors
  2  usage error; a configuration that can't be read; an unknown profile; no channel
  3  not done, safe to run again
  4  a delivery is uncertain: check the channel before you run it again
  130, 143  interrupted, terminated";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Find credentials that can't work, offline: in the configuration of this directory or in the given files.
    Check(Box<CheckArgs>),
    /// Check the environment variables, then run COMMAND if there are no errors.
    Exec(ExecArgs),
    /// Check a profile, then upload files with it.
    #[cfg(feature = "upload")]
    Upload(Box<UploadArgs>),
    /// Check credentials with the services (posts nothing).
    #[cfg(feature = "upload")]
    Verify(VerifyArgs),
    /// List profiles, or show where each value comes from.
    Profiles(ProfilesArgs),
    /// Identify one or two values and whether they match; prompts without showing them.
    Identify(IdentifyArgs),
    /// Show the page of a rule.
    Explain {
        /// The ID of the rule, such as mixed-key-pair.
        rule: String,
    },
    /// List the rules.
    Rules(RulesArgs),
    /// Write a commented starter configuration.
    Init(InitArgs),
    /// Print the JSON Schema of the configuration, for editors.
    Schema,
    /// Print shell completions.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the man page, in roff.
    Man {
        /// The command, such as check; default: the main page.
        command: Option<String>,
    },
    /// Run a local messaging service to try uploads.
    #[cfg(feature = "sandbox")]
    Sandbox(SandboxArgs),
}

#[derive(clap::Args, Debug)]
pub struct ConfigArgs {
    /// Use this configuration file instead of the user's and the project's; repeatable, later files take precedence. [env:
    /// CREDLINT_CONFIG]
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub config: Vec<PathBuf>,
    /// Read this dotenv file; the environment takes precedence; repeatable.
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub env_file: Vec<PathBuf>,
    /// Ignore the user and project files and CREDLINT_X__Y variables.
    #[arg(long, help_heading = "Configuration")]
    pub isolated: bool,
    /// A file with [lint] and [trust] settings that nothing can override.
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub policy: Option<PathBuf>,
}

/// What is done with what was found.
#[derive(clap::Args, Debug)]
pub struct ReportArgs {
    /// Output format [default: human] [env: CREDLINT_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// Write the report to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write another report, such as sarif=credlint.sarif; repeatable.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = values::report_to)]
    pub report: Vec<ReportTo>,
    /// Fail on findings of this severity or higher [default: error]
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    /// Exit 0 even if there are findings; other failures keep their exit code.
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
    /// Files and directories to search instead of the configuration, including files of other programs; `-` is standard
    /// input.
    #[arg(value_name = "PATH", conflicts_with_all = ["config", "env_file"])]
    pub paths: Vec<PathBuf>,
    /// Check the environment variables by the names that other programs use.
    #[arg(long, help_heading = "Searching")]
    pub environment: bool,
    /// Read every PATH as this kind of file, whatever its name.
    #[arg(long = "as", value_name = "KIND", requires = "paths", value_parser = PossibleValuesParser::new(Sort::words()), help_heading = "Searching")]
    pub sort: Option<String>,
    /// In directories, read only files that match this pattern; repeatable.
    #[arg(long, value_name = "GLOB", requires = "paths", help_heading = "Searching")]
    pub include: Vec<String>,
    /// Skip files and directories that match this pattern, such as vendor/ or *.json; repeatable.
    #[arg(long, value_name = "GLOB", requires = "paths", help_heading = "Searching")]
    pub exclude: Vec<String>,
    /// List the files that would be read and their kinds, without checking them.
    #[arg(long, requires = "paths", help_heading = "Searching")]
    pub list: bool,
    /// Check this profile only, `messaging.reports` or `reports`; repeatable. [env: CREDLINT_PROFILE]
    #[arg(long, value_name = "NAME")]
    pub profile: Vec<String>,
    /// Do not look up references, for checks without access to the secrets.
    #[arg(long)]
    pub no_resolve: bool,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Report the findings of a rule, or all `warnings`, as errors; the last of -D, -W and -A wins.
    #[arg(short = 'D', long, value_name = "RULE", help_heading = "Levels and allows")]
    pub deny: Vec<String>,
    /// Report the findings of a rule as warnings.
    #[arg(short = 'W', long, value_name = "RULE", help_heading = "Levels and allows")]
    pub warn: Vec<String>,
    /// Ignore the findings of a rule, or all `warnings`.
    #[arg(short = 'A', long, value_name = "RULE", help_heading = "Levels and allows")]
    pub allow: Vec<String>,
    /// Ignore all allows, in tables and in comments.
    #[arg(long, help_heading = "Levels and allows")]
    pub no_allow: bool,
    /// Do not fail on findings listed in this file.
    #[arg(long, value_name = "FILE", help_heading = "Levels and allows")]
    pub baseline: Option<PathBuf>,
    /// Write the findings to this file as a baseline for later checks.
    #[arg(long, value_name = "FILE", help_heading = "Levels and allows")]
    pub write_baseline: Option<PathBuf>,
    /// -D, -W and -A in the order in which they were given.
    #[arg(skip)]
    pub levels: Vec<(String, &'static str)>,
    /// Apply fixes that have only one correct result, then check again.
    #[arg(long, conflicts_with = "diff")]
    pub fix: bool,
    /// Show what --fix would change, masked, and change nothing.
    #[arg(long)]
    pub diff: bool,
    #[command(flatten)]
    pub config: ConfigArgs,
}

#[derive(clap::Args, Debug)]
pub struct ExecArgs {
    /// Also check this profile of the configuration, `messaging.reports` or `reports`; repeatable.
    #[arg(long, value_name = "NAME")]
    pub profile: Vec<String>,
    /// Do not run the command if there are findings of this severity or higher [default: error]
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    #[command(flatten)]
    pub config: ConfigArgs,
    /// The command and its arguments.
    #[arg(value_name = "COMMAND", required = true, last = true)]
    pub command: Vec<OsString>,
}

#[cfg(feature = "upload")]
#[derive(clap::Args, Debug)]
pub struct UploadArgs {
    /// Files, directories and patterns to upload; `-` is standard input and needs --filename.
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    pub files: Vec<PathBuf>,
    /// Also upload the files listed in this file, one per line; `-` reads the list from standard input.
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// Skip files in directories and patterns that match this pattern, such as *.log or build; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Send only share K of N, such as 2/4; N runs with one value each send every file once.
    #[arg(long, value_name = "K/N", value_parser = values::shard)]
    pub shard: Option<Shard>,
    /// Upload a file even if the configuration reads a value from it.
    #[arg(long)]
    pub allow_secret_file: bool,
    /// The profile to use, `messaging.reports` or `reports`. [env: CREDLINT_PROFILE]
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,

    /// Share in this channel instead of those in the profile; repeatable.
    #[arg(long, value_name = "ID", help_heading = "What is posted")]
    pub channel: Vec<String>,
    /// Post this text with the file instead of the one in the profile.
    #[arg(long, value_name = "TEXT", help_heading = "What is posted")]
    pub comment: Option<String>,
    /// Reply to the message with this timestamp, such as 1700000000.000100.
    #[arg(long, value_name = "TS", help_heading = "What is posted")]
    pub thread: Option<String>,
    /// The title of the file (with exactly one file).
    #[arg(long, value_name = "TEXT", help_heading = "What is posted")]
    pub title: Option<String>,
    /// The name of the file (with exactly one file).
    #[arg(long, value_name = "NAME", help_heading = "What is posted")]
    pub filename: Option<String>,
    /// Upload standard input even if it is empty.
    #[arg(long, help_heading = "What is posted")]
    pub allow_empty: bool,
    /// Post all files in one message (only with the method external).
    #[arg(long, help_heading = "What is posted")]
    pub one_message: bool,

    /// Upload to an embedded service in this process, with a made-up token.
    #[cfg(feature = "sandbox")]
    #[arg(long, help_heading = "Without sending")]
    pub rehearse: bool,
    /// Check the profile and open the files, but send nothing.
    #[arg(long, help_heading = "Without sending")]
    pub dry_run: bool,

    /// Verify the credentials first; if the service rejects them or does not answer, send nothing.
    #[arg(long, help_heading = "Sending")]
    pub verify: bool,

    /// Resume an interrupted run: keep a journal in this file, and send nothing twice.
    #[arg(long, value_name = "FILE", help_heading = "Sending")]
    pub journal: Option<PathBuf>,
    /// Upload uncertain files of the journal again, after you have checked the channel.
    #[arg(long, requires = "journal", help_heading = "Sending")]
    pub retry_uncertain: bool,
    /// Compute the SHA-256 of each file; implied by --journal.
    #[arg(long, help_heading = "Sending")]
    pub checksum: bool,
    /// How many files to upload at a time [default: 4 for files.upload, 8 for external]
    #[arg(long, value_name = "NUMBER", value_parser = values::whole::<usize>(1, 256), help_heading = "Sending")]
    pub concurrency: Option<usize>,
    /// Stop after the first file that fails.
    #[arg(long, help_heading = "Sending")]
    pub fail_fast: bool,
    /// How often to retry after a temporary failure, for each file.
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = values::whole::<u32>(0, 100), help_heading = "Sending")]
    pub retries: u32,
    /// Total time to wait for retries, for each file; if the service asks for more, stop.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = values::whole::<u64>(0, 86_400), help_heading = "Sending")]
    pub max_wait: u64,
    /// Give up an attempt if no data could be sent for this long.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = values::whole::<u64>(1, 86_400), help_heading = "Sending")]
    pub stall_timeout: u64,
    /// Give up an attempt if there is no answer this long after the last byte.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = values::whole::<u64>(1, 86_400), help_heading = "Sending")]
    pub answer_timeout: u64,
    /// Treat a success without confirmation as uncertain instead of accepted.
    #[arg(long, help_heading = "Sending")]
    pub require_confirmation: bool,

    /// Output format [default: human] [env: CREDLINT_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<UploadFormat>,
    /// Print errors only: no progress, and nothing at all if every file was delivered; JSON stays whole.
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    pub config: ConfigArgs,
}

#[cfg(feature = "upload")]
#[derive(clap::Args, Debug)]
pub struct VerifyArgs {
    /// Verify this profile only, `messaging.reports` or `reports`; repeatable. [env: CREDLINT_PROFILE]
    #[arg(long, value_name = "NAME")]
    pub profile: Vec<String>,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Total time to wait for temporary failures, even if a service asks for more; 0 asks once.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = values::whole::<u64>(0, 86_400))]
    pub max_wait: u64,
    /// Give up if there is no answer this long after a request.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = values::whole::<u64>(1, 86_400))]
    pub answer_timeout: u64,
    #[command(flatten)]
    pub config: ConfigArgs,
}

#[derive(clap::Args, Debug)]
pub struct ProfilesArgs {
    /// The profile to show, `messaging.reports` or `reports`.
    #[arg(value_name = "PROFILE")]
    pub profile: Option<String>,
    /// Do not look up references.
    #[arg(long)]
    pub no_resolve: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
    #[command(flatten)]
    pub config: ConfigArgs,
}

#[derive(clap::Args, Debug)]
pub struct IdentifyArgs {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
}

#[derive(clap::Args, Debug)]
pub struct RulesArgs {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
}

#[derive(clap::Args, Debug)]
pub struct InitArgs {
    /// The kinds of profiles to include; default: all.
    #[arg(value_name = "KIND", value_parser = PossibleValuesParser::new(Kind::names()))]
    pub kinds: Vec<String>,
    /// Write to this new file instead of standard output; an existing file is not overwritten.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[cfg(feature = "sandbox")]
#[derive(clap::Args, Debug)]
pub struct SandboxArgs {
    /// Address to listen on; only this machine can connect.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub listen: std::net::SocketAddr,
    /// Be as strict as Slack: accept only its forms of tokens and channels, and reject files.upload.
    #[arg(long)]
    pub hosted: bool,
    /// Keep the files in this directory; by default they are discarded.
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Reject files larger than this.
    #[arg(long, value_name = "MIB", value_parser = values::whole::<u64>(1, 1_048_576), default_value = "16384")]
    pub max_file: u64,
    /// Add a line of JSON to this file for each message.
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// The scopes that every token has.
    #[arg(long, value_name = "SCOPE", value_delimiter = ',', default_value = "files:write,files:read,chat:write")]
    pub scopes: Vec<String>,
    /// The workspace ID of every token.
    #[arg(long, value_name = "ID", default_value = "T00000000")]
    pub team: String,
    /// Accept only these channels; default: any.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub channels: Vec<String>,
    /// Restrict application keys to this bucket; default: all buckets.
    #[arg(long, value_name = "NAME")]
    pub bucket: Option<String>,
    /// Make an operation fail: METHOD=FAULT or METHOD=FAULT,TIMES, such as upload=lost,1. Repeatable; an invalid
    /// value lists the valid ones.
    #[arg(long, value_name = "SWITCH")]
    pub fail: Vec<crate::sandbox::Fault>,
    /// Do not log requests to standard error.
    #[arg(long)]
    pub quiet: bool,
    /// Wait this many milliseconds before each answer.
    #[arg(long, value_name = "MS", value_parser = values::whole::<u64>(0, 86_400_000), default_value = "0")]
    pub delay: u64,
}
