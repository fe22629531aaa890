//! Debug builds only: a program that is linked to run at one place needs no relocation at every start. That was a third of
//! a start, and the tests start it some 100,000 times. A release stays relocatable.

#![expect(clippy::disallowed_macros, clippy::disallowed_methods, reason = "how cargo and a build script talk")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "debug") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
