//! What happens on the way of an upload, and who is told.

use std::path::Path;

use tokio::sync::watch;

use crate::schema::ProfileId;
use crate::upload::{Progress, Receipt, Shard};

/// What happens on the way.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// So many files of the run itself were left out.
    OwnLeftOut(usize),
    /// So many files that the configuration reads a value from were left out.
    SecretLeftOut(usize),
    /// So many files with variables were left out.
    VariablesLeftOut(usize),
    /// So many files and directories were excluded.
    Excluded(usize),
    /// So many files were named more than once.
    Repeated(usize),
    /// So many of so many files are in this share, and the others are sent by other runs.
    Share(Shard, usize, usize),
    /// A service gets the credential of a profile, to be asked about it.
    Asking(&'a ProfileId, &'a str),
    /// A rehearsal of what would go over TLS goes without.
    NoTls,
    /// So many files go at a time and not so many more: no more than that may be open, if there is such a limit.
    Fewer(usize, usize, Option<u64>),
    /// So many files with so many bytes are about to go to a service, or would.
    Sending(usize, u64, &'a str),
    /// What became of a file, and where it went.
    Done(&'a Receipt, Option<&'a str>),
    /// Nothing could be sent, for this reason.
    Broken(&'static str),
}

/// Who looks on.
pub trait Observer {
    /// Is told what happens, when it happens.
    fn event(&self, profile: &ProfileId, event: Event<'_>);

    /// Whether so many files are meant to go to this service; asked if there are more than 1,000.
    fn confirm(&self, profile: &ProfileId, files: usize, origin: &str) -> bool {
        let _ = (profile, files, origin);
        true
    }

    /// Where the progress of a file is to go; asked for each that is begun.
    fn progress(&self, file: &Path) -> Option<watch::Sender<Progress>> {
        let _ = file;
        None
    }
}
