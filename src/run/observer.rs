//! Events of an upload, and the trait that receives them.

use std::path::Path;

use tokio::sync::watch;

use crate::schema::ProfileId;
use crate::upload::{Progress, Receipt, Shard};

/// An event of an upload.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// This many files were left out because the run itself reads or writes them.
    OwnLeftOut(usize),
    /// This many files were left out because the configuration reads a value from them.
    SecretLeftOut(usize),
    /// This many dotenv files were left out.
    VariablesLeftOut(usize),
    /// This many files and directories were excluded.
    Excluded(usize),
    /// This many files were named more than once.
    Repeated(usize),
    /// This many of so many files are in this share; other runs send the rest.
    Share(Shard, usize, usize),
    /// A service is about to receive the credential of a profile, to verify it.
    Asking(&'a ProfileId, &'a str),
    /// A rehearsal uses plain HTTP where the real upload uses TLS.
    NoTls,
    /// Files sent at a time, files requested at a time, and the limit on open files, if there is one.
    Fewer(usize, usize, Option<u64>),
    /// This many files with this many bytes are about to be sent to a service, or would be.
    Sending(usize, u64, &'a str),
    /// The result of a file, and its destination.
    Done(&'a Receipt, Option<&'a str>),
    /// Nothing could be sent, for this reason.
    Broken(&'static str),
}

/// Receives the events of an upload.
pub trait Observer {
    /// Called for each event as it happens.
    fn event(&self, profile: &ProfileId, event: Event<'_>);

    /// Asks whether to send this many files to a service. Called for more than 1,000 files.
    fn confirm(&self, profile: &ProfileId, files: usize, origin: &str) -> bool {
        let _ = (profile, files, origin);
        true
    }

    /// Returns the channel for a file's progress. Called for each file that is started.
    fn progress(&self, file: &Path) -> Option<watch::Sender<Progress>> {
        let _ = file;
        None
    }
}
