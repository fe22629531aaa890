//! A project in its own directory, and the program run in it with its own environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Every output format of a report; a test compares them with the program's.
pub const FORMATS: [&str; 6] = ["human", "concise", "json", "sarif", "github", "gitlab"];

/// How much a test tries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A representative part, in every run.
    Sample,
    /// Everything with everything: `.ci/run` does that.
    All,
}

impl Extent {
    /// Returns `true` for what is tried: everything, or one in `step` for a sample.
    pub const fn takes(self, number: usize, step: usize) -> bool {
        matches!(self, Self::All) || number.is_multiple_of(step)
    }
}

/// Defines each test twice: `sample::NAME`, and `all::NAME`, which only `.ci/run` runs.
macro_rules! extents {
    ($($(#[$attribute:meta])* $test:ident => $run:expr;)*) => {
        mod sample {
            use super::*;

            $($(#[$attribute])* #[test]
            fn $test() {
                $run(crate::harness::Extent::Sample);
            })*
        }

        mod all {
            use super::*;

            $($(#[$attribute])* #[test]
            #[ignore = "exhaustive: run by .ci/run"]
            fn $test() {
                $run(crate::harness::Extent::All);
            })*
        }
    };
}
pub(crate) use extents;

/// A project to run the program in, isolated from the real environment and home directory.
pub struct Project {
    pub dir: tempfile::TempDir,
    env: Vec<(OsString, OsString)>,
}

/// The result of a run.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Project {
    pub fn new() -> Self {
        Self::in_directory(directory(&std::env::temp_dir()))
    }

    /// Creates the project on a disk: temporary files may be in memory, where file modes have no effect.
    pub fn on_disk() -> Self {
        Self::in_directory(directory(Path::new(env!("CARGO_TARGET_TMPDIR"))))
    }

    fn in_directory(dir: tempfile::TempDir) -> Self {
        std::fs::create_dir_all(dir.path().join("project/.git")).unwrap();
        std::fs::create_dir_all(dir.path().join("home")).unwrap();
        Self { dir, env: Vec::new() }
    }

    /// Makes it a directory in no repository, where nothing would be committed.
    pub fn outside_repository(self) -> Self {
        std::fs::remove_dir(self.path().join(".git")).unwrap();
        self
    }

    /// The working directory.
    pub fn path(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    /// The home directory.
    pub fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// Writes a file of the project.
    pub fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        write(&self.path().join(name), text.as_ref());
        self
    }

    /// Writes a file of the project again.
    pub fn file_again(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        write(&self.path().join(name), text.as_ref());
        self
    }

    /// Writes the user configuration.
    pub fn user(self, text: &str) -> Self {
        write(&self.home().join(".config/credlint/config.toml"), text.as_bytes());
        self
    }

    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_credlint"));
        command.args(args).current_dir(self.path()).env_clear().env("HOME", self.home()).stdin(Stdio::null());
        command.envs(self.env.iter().cloned());
        command
    }

    pub fn run(&self, args: &[&str]) -> Run {
        Run::of(self.command(args))
    }

    /// Runs without the rights of root, who may read everything.
    #[cfg(target_os = "linux")]
    pub fn run_unprivileged(&self, args: &[&str]) -> Run {
        let command = self.command(args);
        if !rustix::process::geteuid().is_root() {
            return Run::of(command);
        }
        let mut dropped = Command::new("setpriv");
        dropped.args(["--inh-caps=-all", "--bounding-set=-all"]).arg(command.get_program()).args(command.get_args());
        dropped.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        dropped.current_dir(self.path()).env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        Run::of(dropped)
    }

    /// Runs `check --format json` and returns the exit code and the document.
    pub fn check(&self, args: &[&str]) -> (i32, serde_json::Value) {
        let run = self.run(&[&["check", "--format", "json"], args].concat());
        (run.code, run.document())
    }

    /// Returns the rules of the findings of a check, in order.
    pub fn rules(&self, args: &[&str]) -> Vec<String> {
        let document = self.check(args).1;
        let findings = document["findings"].as_array().unwrap();
        findings.iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
    }
}

impl Run {
    pub fn of(mut command: Command) -> Self {
        let output = command.output().unwrap();
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The one JSON document on standard output.
    pub fn document(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr))
    }
}

/// A directory with a plain name: a random one could look like a credential, and would be masked.
fn directory(parent: &Path) -> tempfile::TempDir {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("credlint-{}-{number}", std::process::id());
        match tempfile::Builder::new().prefix(&name).rand_bytes(0).tempdir_in(parent) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            made => return made.unwrap(),
        }
    }
}

fn write(path: &Path, text: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    // The usual mode of a file with secrets, even if temporary files are kept in memory.
    set_mode(path, 0o600);
}

/// Sets who may read a file.
pub fn set_mode(path: &Path, mode: u32) {
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
    #[cfg(not(unix))]
    let _ = (path, mode);
}

/// A terminal: the end of the person, and the end of the program.
#[cfg(target_os = "linux")]
pub fn terminal() -> (std::os::fd::OwnedFd, std::fs::File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
    (controller, std::fs::File::options().read(true).write(true).open(name).unwrap())
}
