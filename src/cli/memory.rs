//! What the system may keep of the memory of this process.

/// No core is dumped of this process, and no other program of the same user may look into it. Whoever has the system pipe
/// cores to a program may still get one.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn keep_out() {
    // Where it is not allowed, everything goes on as it would elsewhere.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn keep_out() {}
