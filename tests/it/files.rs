//! Where files are written: never over an input, and never through a link.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::harness::{Project, Run, set_mode};

const TOKEN: &str = "xoxb-made-up-token";

/// A profile that needs every kind of file.
const CONFIG: &str = r#"
[messaging.reports]
base_url = "http://127.0.0.1:9"
token = { file = "secrets/token" }
channels = ["C0123456789"]
ca_file = "ca.pem"
"#;

fn project() -> Project {
    let project = Project::new()
        .file("credlint.toml", CONFIG)
        .file("secrets/token", TOKEN)
        .file("ca.pem", "certificates")
        .file("more.env", "")
        .file("policy.toml", "[lint]\nbaseline = 'known.json'\n")
        .file("list", "report.csv\n")
        .file("report.csv", "a,b\n")
        .file("kept", "kept\n")
        .file("sub/keep", "");
    fs::hard_link(project.path().join("secrets/token"), project.path().join("twin")).unwrap();
    symlink("secrets", project.path().join("through")).unwrap();
    project
}

/// All metadata of a file, except when it was last read.
fn state_of(path: &Path) -> (Vec<u8>, u32, SystemTime, u64) {
    let meta = path.metadata().unwrap();
    (fs::read(path).unwrap(), meta.mode(), meta.modified().unwrap(), meta.ino())
}

/// Runs a command that must end without help.
fn run_to_end(mut command: Command) -> Run {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("the command hangs: {command:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Everything at a path that is not a regular file, with its description.
fn irregular(directory: &Path) -> Vec<(PathBuf, &'static str)> {
    let at = |name: &str| directory.join(name);
    symlink("kept", at("link")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    assert!(Command::new("mkfifo").arg(at("fifo")).status().unwrap().success());
    vec![
        (at("link"), "a symbolic link"),
        (at("dangling"), "a symbolic link"),
        (at("fifo"), "a named pipe"),
        (at("sub"), "a directory"),
        ("/dev/null".into(), "a device"),
    ]
}

const UPLOAD: [&str; 5] = ["upload", "--profile", "reports", "--retries", "0"];

#[test]
fn a_rejected_journal_file_is_left_unchanged() {
    let project = project();
    let path = project.path().join("run.sh");
    let upload = |journal: &Path| {
        run_to_end(project.command(&[&UPLOAD[..], &["--journal", journal.to_str().unwrap(), "report.csv"]].concat()))
    };
    for text in ["#!/bin/sh\necho\n", "#!/bin/sh", "{\"schema\":\"other\"}\n", "\n"] {
        fs::write(&path, text).unwrap();
        set_mode(&path, 0o755);
        let before = state_of(&path);
        let run = upload(&path);
        assert!(run.code == 3 && state_of(&path) == before, "{text:?}: {} {}", run.code, run.stderr);
        assert!(run.stdout.contains("run.sh") && run.stdout.contains("--journal"), "{}", run.stdout);
    }
    let kept = state_of(&project.path().join("kept"));
    for (path, what) in irregular(&project.path()) {
        let run = upload(&path);
        assert!(run.code == 3 && run.stdout.contains(what) && run.stdout.contains("--journal"), "{}", run.stdout);
    }
    assert!(state_of(&project.path().join("kept")) == kept && !project.path().join("nowhere").exists());
    for list in ["sub", "dangling", "none/list"] {
        let run = run_to_end(project.command(&[&UPLOAD[..], &["--files-from", list]].concat()));
        assert!(run.code == 3 && run.stderr.contains(list) && run.stderr.contains("--files-from"), "{}", run.stderr);
    }
    let run = upload(&project.path().join("none/journal"));
    assert!(run.code == 3 && run.stdout.contains("its directory does not exist"), "{}", run.stdout);
    // An empty file or a journal is accepted, and made private.
    fs::write(&path, "").unwrap();
    for _ in 0..2 {
        set_mode(&path, 0o755);
        assert_eq!(upload(&path).code, 3);
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600);
        assert!(fs::read_to_string(&path).unwrap().starts_with("{\"schema\":\"credlint/journal/"));
    }
}

#[test]
fn a_journal_path_that_is_an_input_is_rejected_before_sending() {
    let project = project();
    for name in ["report.csv", "more.env", "list", "secrets/token", "ca.pem"] {
        fs::write(project.path().join(name), "").unwrap();
    }
    fs::write(project.path().join("list"), "report.csv").unwrap();
    fs::write(project.path().join("secrets/token"), TOKEN).unwrap();
    fs::hard_link(project.path().join("report.csv"), project.path().join("copy")).unwrap();
    for journal in [
        "credlint.toml", "more.env", "secrets/token", "through/token", "twin", "./sub/../ca.pem", "list", "report.csv",
        "copy",
    ] {
        let before = state_of(&project.path().join(journal));
        let args = ["--journal", journal, "--env-file", "more.env", "--files-from", "list"];
        let run = project.run(&[&UPLOAD[..], &args].concat());
        assert!(run.code == 2 && run.stdout.is_empty(), "{journal}: {} {}", run.code, run.stdout);
        assert!(run.stderr.contains(&format!("the journal {journal} is ")), "{}", run.stderr);
        assert!(run.stderr.contains("choose another file with --journal"), "{}", run.stderr);
        assert!(state_of(&project.path().join(journal)) == before && !run.stderr.contains("sending"), "{journal}");
    }
}

#[test]
fn a_report_path_that_is_an_input_is_rejected_before_checking() {
    let project = project();
    assert_eq!(project.run(&["check", "--write-baseline", "known.json"]).code, 0);
    let reads = ["--env-file", "more.env", "--policy", "policy.toml"];
    let before = |file: &str| state_of(&project.path().join(file));
    let inputs =
        ["credlint.toml", "secrets/token", "through/token", "twin", "sub/../ca.pem", "more.env", "policy.toml"];
    for file in inputs.into_iter().chain(["known.json"]) {
        let was = before(file);
        for output in [["--output", file], ["--report", &format!("sarif={file}")], ["--write-baseline", file]] {
            let run = project.run(&[&["check"][..], &reads, &output].concat());
            if output == ["--write-baseline", "known.json"] {
                assert_eq!(run.code, 0, "a baseline can be updated: {}", run.stderr);
                continue;
            }
            assert!(run.code == 2 && run.stdout.is_empty() && before(file) == was, "{output:?}: {}", run.stderr);
            assert!(run.stderr.contains(file) && run.stderr.contains("choose another file"), "{}", run.stderr);
        }
    }
    // There is no prompt.
    for file in inputs.into_iter().filter(|file| *file != "policy.toml") {
        let was = before(file);
        let run = project.run(&["verify", "--max-wait", "0", "--env-file", "more.env", "--output", file]);
        assert!(run.code == 2 && before(file) == was && !run.stderr.contains("asking"), "{file}: {}", run.stderr);
    }
    // A reference to a file is recognised even if the rest can't be read.
    fs::write(project.path().join("credlint.toml"), format!("{CONFIG}\n[messaging.\"No name\"]\n")).unwrap();
    assert_eq!(project.run(&["check"]).code, 2);
    let was = before("secrets/token");
    let run = project.run(&["check", "--output", "secrets/token"]);
    assert!(run.code == 2 && before("secrets/token") == was, "{}", run.stderr);
    // The variable names the configuration as well.
    let project = project.env("CREDLINT_CONFIG", "policy.toml");
    let run = project.run(&["check", "--output", "./policy.toml"]);
    assert!(run.code == 2 && run.stderr.contains("choose another file"), "{}", run.stderr);
}

#[test]
fn two_reports_cannot_share_a_file_under_different_names() {
    let project = project().file("a", "kept");
    fs::hard_link(project.path().join("a"), project.path().join("b")).unwrap();
    let project = project.env("GITHUB_STEP_SUMMARY", "summary");
    for args in [
        ["--output", "a", "--report", "sarif=./a"],
        ["--output", "a", "--report", "sarif=b"],
        ["--output", "new", "--write-baseline", "sub/../new"],
        ["--output", "summary", "--format", "github"],
    ] {
        let run = project.run(&[&["check"][..], &args].concat());
        assert!(run.code == 2 && run.stdout.is_empty(), "{args:?}: {} {}", run.code, run.stderr);
        assert!(run.stderr.contains("another report already goes to this file"), "{}", run.stderr);
    }
    assert_eq!(fs::read_to_string(project.path().join("a")).unwrap(), "kept");
    assert!(!project.path().join("new").exists() && !project.path().join("summary").exists());
}

#[test]
fn reports_to_irregular_files_are_rejected_without_blocking() {
    let project = project();
    for (path, what) in irregular(&project.path()) {
        let path = path.to_str().unwrap();
        for args in [["--output", path], ["--report", &format!("json={path}")], ["--write-baseline", path]] {
            let run = run_to_end(project.command(&[&["check"][..], &args].concat()));
            assert!(
                run.code == 3
                    && run.stderr.contains(what)
                    && (run.stderr.contains("another file") || run.stderr.contains("another one")),
                "{}",
                run.stderr
            );
        }
        let mut command = project.command(&["check", "--format", "github"]);
        command.env("GITHUB_STEP_SUMMARY", path);
        let run = run_to_end(command);
        assert!(run.code == 3 && run.stderr.contains(what), "{}", run.stderr);
        let run = run_to_end(project.command(&["init", "--output", path]));
        assert!(run.code != 0 && !project.path().join("nowhere").exists(), "{}", run.stderr);
    }
    assert_eq!(fs::read_to_string(project.path().join("kept")).unwrap(), "kept\n");
}

#[test]
fn a_ledger_must_be_a_new_file_or_an_existing_ledger() {
    let project = project().file("run.sh", "#!/bin/sh\n").file("almost", "{\"t");
    let sandbox = |ledger: &str| project.command(&["sandbox", "--ledger", ledger]);
    let refused = |ledger: &str, what: &str| {
        let run = run_to_end(sandbox(ledger));
        assert!(run.code == 3 && run.stdout.is_empty(), "{ledger}: {} {}", run.code, run.stderr);
        assert!(run.stderr.contains(what) && run.stderr.contains("--ledger"), "{}", run.stderr);
    };
    for name in ["run.sh", "almost"] {
        let path = project.path().join(name);
        set_mode(&path, 0o755);
        let before = state_of(&path);
        refused(name, &format!("the ledger {name} holds something else"));
        assert!(state_of(&path) == before);
    }
    for (path, what) in irregular(&project.path()) {
        refused(path.to_str().unwrap(), what);
    }
    assert!(!project.path().join("nowhere").exists());
    refused("none/ledger", "its directory does not exist");
    let run = run_to_end(project.command(&["sandbox", "--store", "run.sh"]));
    assert!(run.code == 3 && run.stderr.contains("the store run.sh is not a directory"), "{}", run.stderr);
    // An existing ledger is continued, and made private.
    let old = "{\"ts\":\"1700000000.000100\",\"channels\":[]}\n";
    fs::write(project.path().join("old"), old).unwrap();
    for name in ["old", "new"] {
        let path = project.path().join(name);
        let _ = path.exists().then(|| set_mode(&path, 0o644));
        let mut child = sandbox(name).stdout(Stdio::piped()).spawn().unwrap();
        let mut base = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut base).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(base.starts_with("http://") && path.metadata().unwrap().mode() & 0o777 == 0o600, "{name}: {base}");
    }
    assert_eq!(fs::read_to_string(project.path().join("old")).unwrap(), old);
}

/// Whoever can change the repository chooses where its links lead.
#[test]
fn nothing_is_written_behind_a_link_of_the_repository() {
    let project = project().file("a.csv", "a");
    symlink(project.home(), project.path().join("out")).unwrap();
    let upload = [&UPLOAD[..], &["--journal", "out/journal", "a.csv"]].concat();
    for args in [&["sandbox", "--ledger", "out/ledger"][..], &["sandbox", "--store", "out/store"], &upload] {
        let run = run_to_end(project.command(args));
        assert_eq!(run.code, 3, "{args:?}: {}", run.stderr);
        assert!((run.stdout + &run.stderr).contains("is behind a symbolic link in the repository"), "{args:?}");
    }
    for name in ["ledger", "store", "journal"] {
        assert!(!project.home().join(name).exists(), "{name}");
    }
}

#[test]
fn directories_and_patterns_do_not_follow_symlinks_but_named_files_do() {
    let project = project().file("in/a.csv", "a").file("in/deep/b.csv", "b").file("in/deep/now.csv", "c");
    let outside = project.home();
    fs::write(outside.join("private.csv"), "private").unwrap();
    let at = |name: &str| project.path().join(name);
    symlink(&outside, at("in/out")).unwrap();
    symlink(outside.join("private.csv"), at("in/linked.csv")).unwrap();
    symlink("..", at("in/deep/loop")).unwrap();
    symlink("../..", at("in/deep/other")).unwrap();
    symlink("in", at("alias")).unwrap();
    symlink(&outside, at("../latest")).unwrap();
    let files = |named: &[&str]| {
        let run = run_to_end(project.command(&[&UPLOAD[..], &["--dry-run", "--format", "json"], named].concat()));
        let document = run.document();
        let uploads = document["uploads"].as_array().unwrap().clone();
        let sent = uploads.iter().filter(|upload| upload["status"] == "skipped");
        let files: Vec<&str> = sent.map(|upload| upload["file"].as_str().unwrap()).collect();
        files.join(" ")
    };
    for (pattern, expected) in [
        ("in/*.csv", "in/a.csv"),
        ("in/*/*.csv", "in/deep/b.csv in/deep/now.csv"),
        ("in/**/*.csv", "in/a.csv in/deep/b.csv in/deep/now.csv"),
        ("i[n]/out/private.csv", ""),
        ("in/o*/private.csv", ""),
        ("in/link*", ""),
        ("in", "in/a.csv in/deep/b.csv in/deep/now.csv"),
        // Files that are named directly are sent, through links as well.
        ("in/linked.csv", "in/linked.csv"),
        ("in/out/private.csv", "in/out/private.csv"),
        ("alias/a.csv", "alias/a.csv"),
        // Other links of the repository are not followed.
        ("in/out/*.csv", ""),
        ("alias/?.csv", ""),
        ("in/out", ""),
        ("in/out/", ""),
        ("in/out/.", ""),
        ("alias", ""),
        ("alias/deep", ""),
        ("./in/../alias/", ""),
        (project.path().join("alias").to_str().unwrap(), ""),
        // Those outside of it are.
        ("../latest", "../latest/private.csv"),
        ("../latest/*.csv", "../latest/private.csv"),
    ] {
        assert_eq!(files(&[pattern]), expected, "{pattern}");
    }
    for (name, shown, help) in [
        ("in/link*", "matches no file", "symbolic links"),
        ("alias/", "the directory alias/ is behind a symbolic link", "name the directory that it leads to"),
    ] {
        let run = project.run(&[&UPLOAD[..], &["--dry-run", name]].concat());
        assert!(run.code == 3 && run.stdout.contains(shown) && run.stdout.contains(help), "{}", run.stdout);
    }
}
