//! How many files can be open at once: connections count as well.

/// How many more can be opened now, as far as `most`. Tried out, since the limit may also be that of the whole system.
#[cfg(unix)]
pub fn available(most: usize) -> usize {
    use std::os::fd::AsFd;
    // Which one is doubled makes no difference; this one is never written to.
    let stdin = std::io::stdin();
    let opened: Vec<_> = (0..most).map_while(|_| stdin.as_fd().try_clone_to_owned().ok()).collect();
    opened.len()
}

#[cfg(not(unix))]
pub fn available(most: usize) -> usize {
    most
}

#[cfg(feature = "upload")]
/// How many this program may have open, if there is a limit.
pub fn limit() -> Option<u64> {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    None
}
