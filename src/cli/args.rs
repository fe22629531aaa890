//! The arguments, by clap; nothing below this file knows it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

use crate::text;

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
    Check(CheckArgs),
    /// Lint a profile, then send files with it.
    #[cfg(feature = "upload")]
    Upload(UploadArgs),
    /// List the profiles; of one, its fields, where each was set and what it shadows.
    Profiles(ProfilesArgs),
    /// Show the page of a rule.
    Explain {
        /// The id of the rule, such as mixed-key-pair.
        rule: String,
    },
    /// List the rules.
    Rules,
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

/// The formats of documents on standard output.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
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
    /// How to report [default: human] [env: CREDLINT_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// The severity from which the check fails [default: error]
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    /// Exit 0 even if there are findings; other failures keep their code.
    #[arg(long)]
    pub exit_zero: bool,
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
    /// The files to send; `-` is standard input and needs --filename.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The profile to send with, `messaging.reports` or `reports`. [env: CREDLINT_PROFILE]
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Share in this channel instead of the profile's; repeatable.
    #[arg(long, value_name = "ID")]
    pub channel: Vec<String>,
    /// Post this text with the file, instead of the profile's.
    #[arg(long, value_name = "TEXT")]
    pub comment: Option<String>,
    /// Send the one file under this name.
    #[arg(long, value_name = "NAME")]
    pub filename: Option<String>,
    /// Send to the embedded service in this process, with a stand-in for the token.
    #[cfg(feature = "sandbox")]
    #[arg(long)]
    pub rehearse: bool,
    /// Lint and open the files, but send nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Call an answer without a verdict uncertain, not accepted.
    #[arg(long)]
    pub require_confirmation: bool,
    /// How to report [default: human] [env: CREDLINT_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Give up when nothing could be sent for so long.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = seconds)]
    pub stall_timeout: u64,
    /// Give up when there is no answer so long after the last byte; the delivery is then uncertain.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = seconds)]
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
    #[command(flatten)]
    pub config: ConfigArgs,
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
}

/// A time in seconds. The words of the error are ours, since clap's repeat the value.
#[cfg(feature = "upload")]
fn seconds(word: &str) -> Result<u64, &'static str> {
    word.parse().ok().filter(|seconds| (1..=86_400).contains(seconds)).ok_or("a whole number from 1 to 86400 is needed")
}

/// Help, the version, or a usage error: what to print, and where.
#[derive(Debug)]
pub struct Stop {
    /// The text, with the escapes of colours if it may have them.
    pub text: clap::builder::StyledStr,
    /// Whether it is an answer and no error.
    pub answer: bool,
}

impl Args {
    /// Reads the words of the command line.
    pub fn read(words: Vec<OsString>) -> Result<Self, Stop> {
        Self::try_parse_from(words).map_err(|mut error| {
            let answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            mask(&mut error);
            Stop { text: error.with_cmd(&Self::command()).render(), answer }
        })
    }
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
    if plain && !text::opaque(word) { word.to_owned() } else { crate::secret::MASK.to_owned() }
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
            &["credlint", "check", "--xoxb-1-planted"],
            &["credlint", "check", "--format", "xoxb-1-planted"],
            &["credlint", "check", "--format=xoxb-1-planted"],
            &["credlint", "--color", "Xoxb1planted", "rules"],
            &["credlint", "rules", "xoxb-1-planted"],
            &["credlint", "upload", "f", "--stall-timeout", "xoxb-1-planted"],
            &["credlint", "sandbox", "--listen", "xoxb-1-planted"],
            &["credlint", "explain", "a", "xoxb-1-planted"],
        ] {
            let stop = Args::read(words.iter().map(OsString::from).collect()).unwrap_err();
            let text = stop.text.to_string();
            assert!(!text.contains("planted") && !stop.answer, "{text}");
        }
        let stop = Args::read(["credlint", "chek"].map(OsString::from).to_vec()).unwrap_err();
        assert!(stop.text.to_string().contains("chek"), "{}", stop.text);
    }
}
