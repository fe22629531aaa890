//! Events of an upload, and the trait that receives them.

use std::path::Path;

use tokio::sync::watch;

use crate::schema::ProfileId;
use crate::upload::{Progress, Receipt, Shard};

/// An event of an upload.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The number of files left out because the run itself reads or writes them.
    OwnLeftOut(usize),
    /// The number of files left out because the configuration reads a value from them.
    SecretLeftOut(usize),
    /// The number of dotenv files left out.
    VariablesLeftOut(usize),
    /// The number of excluded files and directories.
    Excluded(usize),
    /// The number of an exclude pattern that leaves nothing out, from 1, if there are several.
    ExcludesNothing(Option<usize>),
    /// The number of files that were named more than once.
    Repeated(usize),
    /// The share, the number of files in it, and the number of all files. Other runs send the rest.
    Share(Shard, usize, usize),
    /// A service is about to receive the credential of a profile, to verify it.
    Asking(&'a ProfileId, &'a str),
    /// A rehearsal uses plain HTTP where the real upload uses TLS.
    NoTls,
    /// Files sent at a time, files requested at a time, and the limit on open files, if there is one.
    Fewer(usize, usize, Option<u64>),
    /// The number of files and bytes that are about to be sent, or would be, and the service.
    Sending(usize, u64, &'a str),
    /// The result of a file, and its destination.
    Done(&'a Receipt, Option<&'a str>),
    /// Nothing could be sent, for this reason.
    Broken(&'static str),
}

/// Receives the events of an upload. `()` ignores them.
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

impl Observer for () {
    fn event(&self, _: &ProfileId, _: Event<'_>) {}
}
