//! Arguments of the commands that connect to a service.

use std::path::PathBuf;

use super::check::{FilesArgs, SEARCHING};
use super::shared::{self, ConfigArgs, ListFormat, ReportArgs, UploadFormat};
use crate::upload::Shard;

const FILES: &str = "Choosing files";
const MESSAGE: &str = "Message";
const RESUMING: &str = "Resuming";
const SENDING: &str = "Sending";

#[derive(clap::Args, Debug)]
pub struct UploadArgs {
    /// Files, directories and patterns to send; `-` is standard input and needs --filename
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    pub files: Vec<PathBuf>,
    /// The profile to send with, such as messaging.reports or reports [env: CREDLINT_PROFILE]
    #[arg(short, long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Share in this channel instead of the profile's; repeatable
    #[arg(long, value_name = "ID")]
    pub channel: Vec<String>,
    /// Post this text with the file, instead of the profile's
    #[arg(long, value_name = "TEXT")]
    pub comment: Option<String>,
    /// Send to the sandbox on this machine instead of the service; the real token is not used
    ///
    /// Runs the whole upload over plain HTTP on this machine: TLS is not tested.
    #[cfg(feature = "sandbox")]
    #[arg(long)]
    pub rehearse: bool,
    /// Check the profile and open the files, but send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Verify the credential with the service first; send nothing if that fails
    #[arg(long)]
    pub verify: bool,
    /// Output format [default: human] [env: CREDLINT_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<UploadFormat>,
    /// Write the results to this file as well, as JSON
    #[arg(long, value_name = "json=FILE", value_parser = shared::upload_report)]
    pub report: Option<PathBuf>,
    /// Print errors only; JSON is always written in full
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Also send the files that this list names, one per line; `-` reads the list from standard input
    ///
    /// The JSON report of an upload stands for the files that it did not post. An uncertain file is not sent again.
    #[arg(long, value_name = "LIST", help_heading = FILES)]
    pub files_from: Option<PathBuf>,
    /// In directories and patterns, skip what matches this pattern, such as *.log or build; repeatable
    ///
    /// A pattern without `/` matches a name anywhere, another one a path from the working directory. `*` stays within a
    /// name, `**` is any number of directories.
    #[arg(long, value_name = "GLOB", help_heading = FILES)]
    pub exclude: Vec<String>,
    /// Send only share K of N, such as 2/4
    ///
    /// N runs, one for each K, send every file exactly once. A file's share follows from its path, so machines need not
    /// coordinate.
    #[arg(long, value_name = "K/N", value_parser = shared::shard, help_heading = FILES)]
    pub shard: Option<Shard>,
    /// Send the file under this name; for one file only
    #[arg(long, value_name = "NAME", help_heading = FILES)]
    pub filename: Option<String>,
    /// Skip empty files, also those that are named
    #[arg(long, help_heading = FILES)]
    pub skip_empty: bool,
    /// Send standard input even if it is empty
    #[arg(long, help_heading = FILES)]
    pub allow_empty: bool,
    /// Send a named file even though the configuration reads a value from it
    #[arg(long, help_heading = FILES)]
    pub allow_secret_file: bool,

    /// Reply in the thread of the message with this timestamp, such as 1700000000.000100
    #[arg(long, value_name = "TS", help_heading = MESSAGE)]
    pub thread: Option<String>,
    /// Use this title instead of the file's name; for one file only
    #[arg(long, value_name = "TEXT", help_heading = MESSAGE)]
    pub title: Option<String>,
    /// Post these blocks instead of a comment: a file of JSON, as Block Kit Builder copies it (only with "external")
    #[arg(long, value_name = "FILE", help_heading = MESSAGE)]
    pub blocks: Option<PathBuf>,
    /// Post the file as a snippet of this type, such as python, instead of the profile's
    #[arg(long, value_name = "TYPE", help_heading = MESSAGE)]
    pub snippet_type: Option<String>,
    /// Describe an image for screen readers (only with "external"); for one file only; implies --confirm
    ///
    /// Slack has confirmed files with such a text and not shared them, so the share is looked up.
    #[arg(long, value_name = "TEXT", help_heading = MESSAGE)]
    pub alt_text: Option<String>,
    /// Post all files in one message (only with upload_method = "external"); Slack gets at most 14 files in each
    #[arg(long, help_heading = MESSAGE)]
    pub one_message: bool,

    /// Keep a journal in this file, to resume an interrupted run
    ///
    /// Run the same command again to resume: files that were delivered are not sent twice.
    #[arg(long, value_name = "FILE", help_heading = RESUMING)]
    pub journal: Option<PathBuf>,
    /// Send files again that the journal lists as uncertain
    ///
    /// Look in the channel first: they may have arrived.
    #[arg(long, requires = "journal", help_heading = RESUMING)]
    pub retry_uncertain: bool,

    /// Number of files to send at a time [default: 4 with files.upload, 8 with external]
    #[arg(long, value_name = "NUMBER", value_parser = shared::integer_in::<usize>(1, 256), help_heading = SENDING)]
    pub concurrency: Option<usize>,
    /// After a failure, start no other file
    #[arg(long, help_heading = SENDING)]
    pub fail_fast: bool,
    /// Number of retries after a temporary failure, per file
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = shared::integer_in::<u32>(0, 100), help_heading = SENDING)]
    pub retries: u32,
    /// Total time to wait for temporary failures, per file
    ///
    /// If the service asks for a longer wait, the file fails at once.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = shared::integer_in::<u64>(0, 86_400), help_heading = SENDING)]
    pub max_wait: u64,
    /// Abort an attempt when no byte could be sent for this long
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = shared::integer_in::<u64>(1, 86_400), help_heading = SENDING)]
    pub stall_timeout: u64,
    /// Abort an attempt when no answer comes this long after the last byte
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = shared::integer_in::<u64>(1, 86_400), help_heading = SENDING)]
    pub answer_timeout: u64,
    /// Report an answer without a verdict as uncertain instead of accepted
    #[arg(long, help_heading = SENDING)]
    pub require_confirmation: bool,
    /// Look up each file after the upload until it is in every channel
    ///
    /// The service may answer before it has shared the file. If it is not seen within some seconds, it is uncertain.
    #[arg(long, conflicts_with = "dry_run", help_heading = SENDING)]
    pub confirm: bool,
    /// Compute each file's SHA-256 while sending; --journal implies it
    #[arg(long, help_heading = SENDING)]
    pub checksum: bool,
    #[command(flatten)]
    pub config: ConfigArgs,
}

#[derive(clap::Args, Debug)]
#[command(
    mut_arg("format", |format| format.value_parser(shared::verify_format())),
    mut_arg("report", |report| report.value_parser(shared::report_to::<ListFormat>).help("Write a second report, such as json=verify.json; repeatable"))
)]
pub struct VerifyArgs {
    /// Files and directories to search for credentials, instead of the configuration; `-` is standard input
    #[arg(value_name = "PATH", conflicts_with_all = ["config", "profile"])]
    pub paths: Vec<PathBuf>,
    /// Verify only this profile, such as messaging.reports or reports; repeatable [env: CREDLINT_PROFILE]
    #[arg(short, long, value_name = "NAME")]
    pub profile: Vec<String>,
    /// Look up this channel instead of the profile's, and the ID of a channel with this name, such as '#reports'; repeatable
    #[arg(long, value_name = "ID|#NAME", conflicts_with_all = ["paths", "environment"])]
    pub channel: Vec<String>,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Verify the credentials among this process's variables, and those of each --env-file
    #[arg(long, conflicts_with_all = ["config", "profile"], help_heading = SEARCHING)]
    pub environment: bool,
    #[command(flatten)]
    pub files: FilesArgs,
    /// Total time to wait for temporary failures; 0 doesn't retry
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = shared::integer_in::<u64>(0, 86_400))]
    pub max_wait: u64,
    /// Abort a request when no answer comes for this long
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = shared::integer_in::<u64>(1, 86_400))]
    pub answer_timeout: u64,
    #[command(flatten)]
    pub config: ConfigArgs,
}
