//! Keeps secrets in this process's memory from other programs.

/// Disables core dumps, and access by other processes of the same user. A system that pipes cores to a program may
/// still write one.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn keep_out() {
    // If this is not permitted, the program runs without it.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn keep_out() {}
