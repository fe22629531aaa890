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
    /// Find the credentials that can't work, offline: in this directory's configuration, or in the files that are named.
    Check(Box<CheckArgs>),
    /// Check the variables of this process, then become COMMAND; with errors it is not started.
    Exec(ExecArgs),
    /// Lint a profile, then send files with it.
    #[cfg(feature = "upload")]
    Upload(Box<UploadArgs>),
    /// Lint, then ask the services whether the credentials are in force; posts nothing.
    #[cfg(feature = "upload")]
    Verify(VerifyArgs),
    /// List the profiles; of one, its fields, where each was set and what it shadows.
    Profiles(ProfilesArgs),
    /// Say what one or two values are, and whether they fit; asks for them without showing them.
    Identify(IdentifyArgs),
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
    /// A file with tables [lint] and [trust] that nothing else can weaken.
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub policy: Option<PathBuf>,
}

/// What is done with what was found.
#[derive(clap::Args, Debug)]
pub struct ReportArgs {
    /// How to report [default: human] [env: CREDLINT_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// Write the report to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write one more report, such as sarif=credlint.sarif; repeatable.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = values::report_to)]
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
    /// Files and directories to search instead, each file for itself: credlint's own, and those of other programs; `-` is
    /// standard input.
    #[arg(value_name = "PATH", conflicts_with_all = ["config", "env_file"])]
    pub paths: Vec<PathBuf>,
    /// Look through the variables of this process, by the names that other programs read.
    #[arg(long, help_heading = "Searching")]
    pub environment: bool,
    /// Read every PATH as this, whatever its name says.
    #[arg(long = "as", value_name = "KIND", requires = "paths", value_parser = PossibleValuesParser::new(Sort::words()), help_heading = "Searching")]
    pub sort: Option<String>,
    /// Of directories, read only files that match this pattern; repeatable.
    #[arg(long, value_name = "GLOB", requires = "paths", help_heading = "Searching")]
    pub include: Vec<String>,
    /// Read nothing that matches this pattern, such as vendor/ or *.json; repeatable.
    #[arg(long, value_name = "GLOB", requires = "paths", help_heading = "Searching")]
    pub exclude: Vec<String>,
    /// List the files that would be read, and as what; check nothing.
    #[arg(long, requires = "paths", help_heading = "Searching")]
    pub list: bool,
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

#[derive(clap::Args, Debug)]
pub struct ExecArgs {
    /// Check this profile of the configuration, too, `messaging.reports` or `reports`; repeatable.
    #[arg(long, value_name = "NAME")]
    pub profile: Vec<String>,
    /// Don't start the command if there are findings of this severity or a higher one [default: error]
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    #[command(flatten)]
    pub config: ConfigArgs,
    /// The command with its arguments.
    #[arg(value_name = "COMMAND", required = true, last = true)]
    pub command: Vec<OsString>,
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
    /// Leave out of directories and patterns what this pattern matches, such as *.log or build; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Send only share K of N, such as 2/4; N runs with one value each send every file once.
    #[arg(long, value_name = "K/N", value_parser = values::shard)]
    pub shard: Option<Shard>,
    /// Send a file that is named although the configuration reads a value from it.
    #[arg(long)]
    pub allow_secret_file: bool,
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
    /// Send standard input even if it is empty.
    #[arg(long, help_heading = "What is posted")]
    pub allow_empty: bool,
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
    #[arg(long, value_name = "NUMBER", value_parser = values::whole::<usize>(1, 256), help_heading = "Sending")]
    pub concurrency: Option<usize>,
    /// Begin no other file after one that failed.
    #[arg(long, help_heading = "Sending")]
    pub fail_fast: bool,
    /// How often to try again after a failure that may pass, for each file.
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = values::whole::<u32>(0, 100), help_heading = "Sending")]
    pub retries: u32,
    /// How long to wait for that in all, for each file; if the service asks for more, stop at once.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = values::whole::<u64>(0, 86_400), help_heading = "Sending")]
    pub max_wait: u64,
    /// Give up a try when nothing could be sent for this long.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = values::whole::<u64>(1, 86_400), help_heading = "Sending")]
    pub stall_timeout: u64,
    /// Give up a try when there is no answer this long after the last byte.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = values::whole::<u64>(1, 86_400), help_heading = "Sending")]
    pub answer_timeout: u64,
    /// Call an answer without a verdict uncertain, not accepted.
    #[arg(long, help_heading = "Sending")]
    pub require_confirmation: bool,

    /// How to report [default: human] [env: CREDLINT_FORMAT]
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
    /// Ask for this profile only, `messaging.reports` or `reports`; repeatable. [env: CREDLINT_PROFILE]
    #[arg(long, value_name = "NAME")]
    pub profile: Vec<String>,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Wait so long in all for what passes, also if a service asks for more; 0 asks once.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = values::whole::<u64>(0, 86_400))]
    pub max_wait: u64,
    /// Give up when there is no answer so long after a question.
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
pub struct IdentifyArgs {
    /// How to answer
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
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
    #[arg(value_name = "KIND", value_parser = PossibleValuesParser::new(Kind::names()))]
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
    /// Be as strict as Slack: take only tokens and channels of forms that it issues, and no files.upload.
    #[arg(long)]
    pub hosted: bool,
    /// Keep the files in this directory; without it they are thrown away.
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Take no larger file than this.
    #[arg(long, value_name = "MIB", value_parser = values::whole::<u64>(1, 1_048_576), default_value = "16384")]
    pub max_file: u64,
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
    /// Don't write a line on standard error for each request.
    #[arg(long)]
    pub quiet: bool,
    /// Wait so many milliseconds before each answer.
    #[arg(long, value_name = "MS", value_parser = values::whole::<u64>(0, 86_400_000), default_value = "0")]
    pub delay: u64,
}
