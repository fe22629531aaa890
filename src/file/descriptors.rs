//! Limits on open files. Connections count as open files too.

/// Returns how many more files can be opened now, up to `most`. It tries, because the system may have a limit of its
/// own.
#[cfg(unix)]
pub fn available(most: usize) -> usize {
    use std::os::fd::AsFd;
    // Any descriptor will do; this one is never written to.
    let stdin = std::io::stdin();
    let opened: Vec<_> = (0..most).map_while(|_| stdin.as_fd().try_clone_to_owned().ok()).collect();
    opened.len()
}

#[cfg(not(unix))]
pub fn available(most: usize) -> usize {
    most
}

#[cfg(feature = "upload")]
/// Returns this process's limit on open files. `None` if there is none.
pub fn limit() -> Option<u64> {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    None
}
