//! What others can read in the memory of the program.

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::harness::{Project, set_mode};

/// Any user but root, who can read everything.
const NOBODY: u32 = 65_534;

/// Copies the program to where anyone can run it, and creates a command that runs as a user who is not root.
fn as_nobody(project: &Project, program: &Path) -> Command {
    let mut command = Command::new(program);
    let directory = project.dir.path();
    if directory.metadata().unwrap().uid() == 0 {
        set_mode(directory, 0o755);
        command.uid(NOBODY).gid(NOBODY);
    }
    command.env_clear().current_dir(project.path()).stdin(Stdio::null());
    command
}

fn program(project: &Project) -> PathBuf {
    let program = project.dir.path().join("credlint");
    std::fs::copy(env!("CARGO_BIN_EXE_credlint"), &program).unwrap();
    set_mode(&program, 0o755);
    program
}

#[cfg(feature = "sandbox")]
#[test]
fn core_dumps_are_disabled() {
    use std::io::{BufRead, BufReader};

    // The owner of the files about a process: root, if it can't be dumped.
    let owner = |pid: u32| std::fs::metadata(format!("/proc/{pid}/environ")).unwrap().uid();
    let project = Project::new();
    let mut any = as_nobody(&project, Path::new("/bin/sh"))
        .args(["-c", "echo ready; read line"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut own = as_nobody(&project, &program(&project)).arg("sandbox").stdout(Stdio::piped()).spawn().unwrap();
    let mut owners = Vec::new();
    for child in [&mut any, &mut own] {
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
        owners.push(owner(child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_ne!(owners[0], 0, "the memory of an ordinary program is readable");
    assert_eq!(owners[1], 0);
}

/// A process that can't be dumped can still open its own descriptors.
#[test]
fn values_can_be_read_from_file_descriptors() {
    let text = "[messaging.r]\nbase_url = 'https://chat.example.com'\ntoken = { file = '/dev/fd/3' }\nchannels = ['C0123456789']\n";
    let project = Project::new().file("credlint.toml", text).file("token", "xoxb-0000000000-0000000000-abcdefghijkl\n");
    for name in ["credlint.toml", "token"] {
        set_mode(&project.path().join(name), 0o644);
    }
    let program = program(&project);
    let script = "exec \"$0\" check --config credlint.toml -A readable-secret-file 3<token";
    let output = as_nobody(&project, Path::new("/bin/sh")).args(["-c", script]).arg(&program).output().unwrap();
    let streams = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(0), "{streams:?}");
}

/// Counts how often each text is in the memory of a process, in any case of letters. `None` if that can't be read, which takes root.
#[cfg(all(feature = "upload", feature = "sandbox"))]
fn occurrences_in_memory(pid: u32, wanted: [&str; 4]) -> Option<[usize; 4]> {
    use std::os::unix::fs::FileExt;

    let memory = std::fs::File::open(format!("/proc/{pid}/mem")).ok()?;
    let mut found = [0; 4];
    for line in std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap().lines() {
        let mut words = line.split(' ');
        let (start, end) = words.next().unwrap().split_once('-').unwrap();
        let [start, end] = [start, end].map(|number| u64::from_str_radix(number, 16).unwrap());
        // Only writable memory: the heap and the stacks.
        if words.next().unwrap().starts_with("rw") {
            let mut bytes = vec![0; usize::try_from(end - start).unwrap()];
            let read = memory.read_at(&mut bytes, start).unwrap_or(0);
            bytes.make_ascii_lowercase();
            for (found, wanted) in found.iter_mut().zip(wanted) {
                *found += memchr::memmem::find_iter(&bytes[..read], &wanted.to_ascii_lowercase()).count();
            }
        }
    }
    Some(found)
}

/// Searches the memory of the program while it waits for a service.
#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn unused_secrets_are_erased_before_the_first_request() {
    use std::time::Duration;

    use crate::server::Service;

    let [kept, other, file, hidden] = ["KeptQzWvXkPj", "OtherQzWvXkPj", "FileQzWvXkPj", "HiddenQzWvXkPj"];
    let token = |word: &str| format!("xoxb-7391842650-{word}");
    let (sender, asked) = std::sync::mpsc::channel();
    let (looked, release) = std::sync::mpsc::channel::<()>();
    let ends = std::sync::Mutex::new((sender, release));
    let service = Service::start(move |_, connection| {
        connection.read_all();
        // The port may have been another test's, whose program still asks there.
        if !connection.head.contains(kept) {
            return;
        }
        let ends = ends.lock().unwrap();
        ends.0.send(()).unwrap();
        // It waits for an answer while its memory is read.
        let _ = ends.1.recv();
    });
    let base = format!("base_url = 'http://{}'\nchannels = ['C0123456789']\n", service.address);
    let text = format!(
        "[messaging.r]\n{base}token = '{}'\n[messaging.other]\n{base}token = '{}'\nwebhook_url = {{ file = 'hook' }}\n",
        token(kept),
        token(other)
    );
    let low = format!("[messaging.r]\ntoken = '{}'\n", token(hidden));
    let project = Project::new().file("low.toml", low).file("credlint.toml", text).file("report.csv", "1,2\n");
    let project = project.file("hook", format!("https://hooks.example.com/services/{file}"));
    let config = ["--config", "low.toml", "--config", "credlint.toml", "--profile", "r", "--answer-timeout", "20"];
    for words in [&["verify"][..], &["upload", "report.csv"]] {
        let mut child =
            project.command(&[words, &config].concat()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        asked.recv_timeout(Duration::from_secs(20)).unwrap();
        let found = occurrences_in_memory(child.id(), [kept, other, file, hidden]);
        child.kill().unwrap();
        child.wait().unwrap();
        looked.send(()).unwrap();
        if let Some([kept, rest @ ..]) = found {
            assert!(kept > 0, "the token in use is in memory");
            assert_eq!(rest, [0, 0, 0], "{words:?}");
        }
    }
}

/// Only the decisive facts of a journal are kept: the lines of a hundred thousand files would take 200 MiB.
#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn a_long_journal_uses_little_memory() {
    use std::fmt::Write;
    use std::time::Duration;

    use crate::server::Service;

    let (sender, asked) = std::sync::mpsc::channel();
    let (looked, release) = std::sync::mpsc::channel::<()>();
    let ends = std::sync::Mutex::new((sender, release));
    let service = Service::start(move |_, connection| {
        connection.read_head();
        connection.read_body();
        let ends = ends.lock().unwrap();
        ends.0.send(()).unwrap();
        // It waits for an answer while its memory is read.
        let _ = ends.1.recv();
    });
    let mut journal = String::new();
    for number in 0..100_000 {
        let (key, sha256) = (format!("{number:064x}"), format!("{number:064X}"));
        writeln!(
            journal,
            r#"{{"schema":"credlint/journal/v1","time":1763800000,"key":"{key}","file":"reports/{number}.csv","state":"delivered","size":1,"modified":1,"sha256":"{sha256}","file_id":"F0123456789","error":null}}"#
        )
        .unwrap();
    }
    let text = format!(
        "[messaging.r]\nbase_url = 'http://{}'\ntoken = 'xoxb-0000000000-0000000000-abcdefghijkl'\nchannels = ['C0123456789']\n",
        service.address
    );
    let project = Project::new().file("credlint.toml", text).file("report.csv", "1,2\n").file("journal", journal);
    let args = ["upload", "--profile", "r", "--journal", "journal", "report.csv"];
    let mut child = project.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    asked.recv_timeout(Duration::from_secs(60)).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    drop(looked);
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    let peak = peak.unwrap() / 1024;
    assert!(peak < 80, "{peak} MiB");
}
