//! What is kept of the memory of the program.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::harness::{Project, set_mode};

/// Any user but root: nothing is kept from that one.
const NOBODY: u32 = 65_534;

/// The program where anybody can run it, and a command as a user who is not root.
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

/// The owner of what the system shows of a process: root, of one that can't be dumped.
fn owner(pid: u32) -> u32 {
    std::fs::metadata(format!("/proc/{pid}/environ")).unwrap().uid()
}

#[cfg(feature = "sandbox")]
#[test]
fn no_core_is_dumped() {
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
    assert_ne!(owners[0], 0, "any other program can be looked into");
    assert_eq!(owners[1], 0);
}

/// The system lets a process that can't be dumped open its own descriptors all the same.
#[test]
fn a_descriptor_is_a_file_like_any_other() {
    let text = "[messaging.r]\nbase_url = 'https://chat.example.com'\ntoken = { file = '/dev/fd/3' }\nchannels = ['C0123456789']\n";
    let project = Project::new().file("credlint.toml", text).file("token", "xoxb-0000000000-0000000000-abcdefghijkl\n");
    for name in ["credlint.toml", "token"] {
        set_mode(&project.path().join(name), 0o644);
    }
    let program = program(&project);
    let script = "exec \"$0\" check --config credlint.toml -A readable-secret-file 3<token";
    let output = as_nobody(&project, Path::new("/bin/sh")).args(["-c", script]).arg(&program).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(0), "{said:?}");
}
