//! The command line, parsed by clap. No other folder uses clap's types.

#[cfg(feature = "upload")]
pub mod again;
mod check;
pub mod documents;
pub mod read;
#[cfg(feature = "sandbox")]
mod sandbox;
mod shared;
mod texts;
#[cfg(feature = "upload")]
mod upload;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Parser, Subcommand};

use crate::schema::Kind;

pub use check::{CheckArgs, ExecArgs, FilesArgs, no_effect};
pub use clap_complete::Shell;
#[cfg(feature = "sandbox")]
pub use sandbox::SandboxArgs;
use shared::GLOBAL;
#[cfg(feature = "upload")]
pub use shared::UploadFormat;
pub use shared::{Choice, Color, ConfigArgs, Described, ListFormat, ReportArgs, ReportFormat, ReportTo};
#[cfg(feature = "upload")]
pub use upload::{UploadArgs, VerifyArgs};

/// Find the credential that is in the wrong place
///
/// A bot token in the field of a webhook, an account ID beside an application key, an address that ends in /api, so that requests go
/// to /api/api: each value is well-formed, and the deploy fails with an error that doesn't say which one is wrong. credlint names the value, the place
/// where it was set and what belongs there, before the deploy runs. `check` makes no network connection, and no command prints
/// a secret.
#[derive(Parser, Debug)]
#[command(
    name = "credlint",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    disable_help_flag = true,
    disable_version_flag = true,
    subcommand_value_name = "COMMAND"
)]
pub struct Args {
    /// Use colours; `auto` also follows NO_COLOR, FORCE_COLOR and CLICOLOR
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = GLOBAL)]
    pub color: Color,
    /// Print help (more with --help)
    #[arg(short, long, global = true, action = ArgAction::Help, help_heading = GLOBAL, long_help = "Print help (a summary with -h)")]
    help: Option<bool>,
    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = GLOBAL)]
    version: Option<bool>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Find misplaced credentials in the configuration or in files
    ///
    /// Without a PATH, checks the layered configuration of this directory: your own file, credlint.toml, dotenv files and the
    /// environment. References are looked up, so run it where the deploy runs, or add --no-resolve. A directory without a
    /// configuration is searched.
    ///
    /// With PATHs, searches those files and directories, each file by itself: .env files, rclone.conf, Kubernetes Secrets,
    /// workflows and more, by the names that other programs give to credentials.
    ///
    /// Nothing is sent anywhere.
    Check(Box<CheckArgs>),
    /// Check this process's variables, then run a command if they pass
    ///
    /// Checks the environment as `credlint check --environment` does. If there are no errors, the command takes the place of
    /// this process: it gets every signal, and its exit code is what the caller sees. Otherwise the findings go to standard
    /// error, and the command is not started. It also gets the variables of each --env-file that the process does not have.
    Exec(ExecArgs),
    /// Say what a value is and where it belongs, without showing it
    ///
    /// Prompts for one or two values without echo, or reads them from standard input, one per line. For two values, it
    /// also says whether they belong together. Needs no configuration, sends nothing, and never repeats a value.
    Identify(ListArgs),
    /// Say which credential an error text in a log is about
    ///
    /// Looks for known error texts in the last 4 MiB of a log, and for the credentials that they are about: in the variables of
    /// this process, the configuration and this directory. --in replaces the last two, --env-file all three. Says what the text
    /// means, where each credential was set, and whether its value explains the error. Sends nothing, and repeats nothing of the
    /// log.
    Why(WhyArgs),
    /// List profiles, or show where each value comes from
    ///
    /// Without PROFILE, lists the names. With one, shows each field: its value (secrets are masked), what is known of it
    /// (STANDING), the file or variable that sets it, and what that hides in lower layers (SHADOWS).
    Profiles(ProfilesArgs),
    /// Explain a rule, or what belongs under a name
    ///
    /// For a rule, shows its page: what it finds, why that fails, and examples that fail and pass. Without RULE, lists all rules: id, default
    /// severity, scope and summary. For any other word, lists the rules whose pages have it. For a variable's name,
    /// such as STRIPE_SECRET_KEY or stripe/STRIPE_SECRET_KEY, shows what belongs there, what people put there by mistake, and what goes with it.
    Explain(ExplainArgs),
    /// List the services, or show what goes where in one
    ///
    /// Without NAME, one line a service: the name to ask for, and its variables. With one, its page: which value belongs under
    /// which name, what people put there by mistake, what goes together, and the sources.
    ///
    /// `services check FILE` tries a file of facts about a service, in place of the built-in one of the same name: its rows, the
    /// samples of its forms in each field, and its examples in every input that can hold them.
    #[command(override_usage = "credlint services [OPTIONS] [NAME]\n       credlint services check <FILE>")]
    Services(ServicesArgs),
    /// Check a profile, then send files with it
    ///
    /// Sends nothing if the profile has errors. The destination is printed to standard error first. Temporary failures are
    /// retried; a delivery that may have arrived is reported as uncertain and never sent again automatically.
    #[cfg(feature = "upload")]
    Upload(Box<UploadArgs>),
    /// Check credentials with the services (posts nothing)
    ///
    /// Checks the profiles offline first; those without errors are then verified with Slack (auth.test) or Backblaze B2
    /// (b2_authorize_account): whether the credential is valid, what it may do, and which channels it reaches.
    ///
    /// With PATHs or --environment, verifies the Slack tokens and Backblaze B2 key pairs that a search finds there, and lists
    /// the credentials that were not verified. A credential goes to its service, or to the address of an API
    /// that is set with it in the same place.
    #[cfg(feature = "upload")]
    Verify(VerifyArgs),
    /// Write a commented configuration to start from
    ///
    /// Writes credlint.toml in this directory, with a profile of each kind and every field explained. Secrets are references to
    /// environment variables; the variables to set are printed. An existing file is never overwritten.
    Init(InitArgs),
    /// Print the configuration's JSON Schema, for editors
    ///
    /// `credlint init` writes a line that points editors to the published schema; use this one offline.
    Schema {
        /// What the file holds
        #[arg(value_name = "OF", default_value = "configuration")]
        of: Described,
    },
    /// Print a completion script for a shell
    ///
    /// Save the script where your shell looks for completions, as in the examples; then start a new shell. The directory must
    /// exist.
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print a man page
    ///
    /// Prints the page of the program, or of one command, in roff format. The directory of the examples must exist.
    Man {
        /// The command, such as check; without it, the program's page
        command: Option<String>,
    },
    /// Run Slack and Backblaze B2 on this machine, to try uploads
    ///
    /// Answers Slack's upload methods and Backblaze B2's b2_authorize_account, on this machine only, until it is interrupted.
    /// Prints its address on standard output, and a line for each request on standard error.
    #[cfg(feature = "sandbox")]
    Sandbox(SandboxArgs),
}

#[derive(clap::Args, Debug)]
pub struct ProfilesArgs {
    /// The profile to show, such as messaging.reports or reports
    #[arg(value_name = "PROFILE")]
    pub profile: Option<String>,
    /// Don't look up references; assume that each one resolves
    #[arg(long)]
    pub no_resolve: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
    #[command(flatten)]
    pub config: ConfigArgs,
}

#[derive(clap::Args, Debug)]
pub struct ListArgs {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
}

#[derive(clap::Args, Debug)]
pub struct WhyArgs {
    /// The log [default: standard input, also `-`]
    #[arg(value_name = "LOG")]
    pub log: Option<PathBuf>,
    /// Look only in this file or directory, and the variables; repeatable
    #[arg(long = "in", value_name = "PATH")]
    pub within: Vec<PathBuf>,
    /// Look only in this dotenv file (and in --in); repeatable, last wins
    #[arg(long, value_name = "FILE")]
    pub env_file: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
}

#[derive(clap::Args, Debug)]
pub struct ExplainArgs {
    /// A rule's id, such as mixed-key-pair, a word, or a variable's name, such as STRIPE_SECRET_KEY
    #[arg(value_name = "RULE")]
    pub rule: Option<String>,
    /// Output format; json is for rules
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
}

#[derive(clap::Args, Debug)]
pub struct ServicesArgs {
    /// The service, such as stripe; or the word check
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// The file to check: ID.toml
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
}

#[derive(clap::Args, Debug)]
pub struct InitArgs {
    /// Kinds of profiles to include [default: all]
    #[arg(value_name = "KIND", value_parser = PossibleValuesParser::new(Kind::names()))]
    pub kinds: Vec<String>,
    /// Write to this file, or `-` for standard output [default: credlint.toml]
    ///
    /// The file must not exist yet, and its name must end in .toml.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
