//! Uploads files to channels of the messaging service.
//!
//! [`Client::upload`] never fails: every outcome is a [`Receipt`], because the question that matters after a failed
//! deploy is *may I run it again?* With [`Status::Failed`] it is safe; with [`Status::Uncertain`], check first.
//!
//! ```no_run
//! use credlint::{BaseUrl, BearerToken, SecretString};
//! use credlint::upload::{Client, Payload, Post, Settings, Watch};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let base: BaseUrl = "https://chat.example.com".parse()?;
//! let token = BearerToken::new(SecretString::from("…")).map_err(|_| "not a token")?;
//! let client = Client::new(&base, &token, Settings::default())?;
//! let post = Post::new(vec!["C0123456789".parse()?]);
//! let payload = Payload::open("report.csv".as_ref(), None)?;
//! let receipt = client.upload(&post, payload, Watch::default()).await;
//! println!("{}: {}", receipt.file, receipt.status.as_str());
//! # Ok(()) }
//! ```

mod ask;
mod batch;
mod client;
mod error;
mod explain;
mod external;
mod files_upload;
mod inputs;
mod journal;
mod payload;
mod post;
mod receipt;
mod retry;
mod run_control;
mod secrets;
mod session;
mod settings;
mod table;
mod wire;

pub(crate) use ask::{AskError, Asker, KeyPermissions, NOT_LISTED, TokenIdentity};
pub use batch::Batch;
pub use client::Client;
pub(crate) use error::SettingNames;
pub(crate) use inputs::{Exclusions, FileList, Inputs, names_of_current_directory};
pub use inputs::{LeftOut, Shard, is_stdin};
pub use journal::{Entry, Journal, PriorState};
pub use payload::Payload;
pub use post::{Blocks, FileName, Post, Thread};
pub(crate) use receipt::FileLabels;
pub use receipt::{Mode, Receipt, Skip, Status};
pub use secrets::OwnSecrets;
pub use session::Watch;
#[cfg(feature = "sandbox")]
pub(crate) use settings::FILES_PER_MESSAGE;
pub use settings::Settings;
pub(crate) use wire::answer::DeadCredential;
pub(crate) use wire::call::cancelled;
pub(crate) use wire::http::Credential;
pub use wire::ledger::{Progress, Waiting};

pub use crate::schema::Method;
/// The channel type of [`Watch`] and [`Delivery`](crate::Delivery), which is tokio's.
#[doc(no_inline)]
pub use tokio::sync::watch as channel;
