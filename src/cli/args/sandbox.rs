//! The arguments of `sandbox`.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::shared;
use crate::sandbox::Fault;

const SERVICE: &str = "Service";

#[derive(clap::Args, Debug)]
pub struct SandboxArgs {
    /// Address to listen on, on this machine only; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS", value_parser = address, default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
    /// Keep received files in this directory instead of discarding them
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Append a line of JSON to this file for each message
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Make an operation fail, such as upload=lost or upload=lost,1; repeatable
    ///
    /// METHOD=FAULT fails every request, METHOD=FAULT,TIMES that many. An invalid value lists the valid ones.
    #[arg(long, value_name = "METHOD=FAULT[,TIMES]")]
    pub fail: Vec<Fault>,
    /// Delay each answer
    #[arg(long, value_name = "MS", value_parser = shared::integer_in::<u64>(0, 86_400_000), default_value = "0")]
    pub delay: u64,
    /// Don't print a line for each request
    #[arg(short, long)]
    pub quiet: bool,
    /// Be as strict as Slack: accept only well-formed tokens and channel IDs, and refuse files.upload
    #[arg(long, help_heading = SERVICE)]
    pub hosted: bool,
    /// Accept only these channels; conversations.list shows them with these names
    #[arg(long, value_name = "ID[=NAME]", value_delimiter = ',', help_heading = SERVICE)]
    pub channels: Vec<String>,
    /// Scopes that every token has
    #[arg(long, value_name = "SCOPE", value_delimiter = ',', default_value = "files:write,files:read,chat:write", help_heading = SERVICE)]
    pub scopes: Vec<String>,
    /// ID of the workspace that every token belongs to
    #[arg(long, value_name = "ID", default_value = "T00000000", help_heading = SERVICE)]
    pub team: String,
    /// Restrict application keys to this bucket
    #[arg(long, value_name = "NAME", help_heading = SERVICE)]
    pub bucket: Option<String>,
    /// Refuse files larger than this
    #[arg(long, value_name = "MIB", value_parser = shared::integer_in::<u64>(1, 1_048_576), default_value = "16384", help_heading = SERVICE)]
    pub max_file: u64,
}

/// Parses an address with its port.
fn address(word: &str) -> Result<SocketAddr, &'static str> {
    word.parse().map_err(|_| "expected an address with a port from 0 to 65535, such as 127.0.0.1:8080")
}
