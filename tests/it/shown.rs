//! The output of an upload of many files: failures on a terminal, every file elsewhere, and only errors with --quiet.

use std::process::{Command, Stdio};

#[cfg(target_os = "linux")]
use crate::harness::set_mode;
use crate::harness::{Project, Run};
use crate::upload::{TOKEN, many, messages};

/// Returns what the program writes to a terminal, with standard error on it if `errors` is set, and its exit code.
fn on_a_terminal(mut command: Command, errors: bool) -> (String, Option<i32>) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let name = ptsname(&screen, Vec::new()).unwrap().into_string().unwrap();
    let terminal = || std::fs::OpenOptions::new().read(true).write(true).open(&name).unwrap();
    let stderr = if errors { terminal().into() } else { Stdio::null() };
    let mut child = command.stdout(terminal()).stderr(stderr).spawn().unwrap();
    // Drops our last handle on it, so that reading ends; on some systems it ends in an error.
    drop(command);
    let (mut screen, mut shown) = (std::fs::File::from(screen), Vec::new());
    let _ = std::io::Read::read_to_end(&mut screen, &mut shown);
    (String::from_utf8(shown).unwrap().replace("\r\n", "\n"), child.wait().unwrap().code())
}

fn upload(project: &Project, args: &[&str]) -> Command {
    let mut command = project.command(&[&["upload", "--profile", "reports"], args].concat());
    command.env("TERM", "xterm").env("COLUMNS", "100");
    command
}

/// A hundred files, three of which can't be sent.
fn some_fail() -> (Project, impl Sized) {
    let (project, service) = many(100, "files.upload", &[]);
    for number in ["013", "050", "099"] {
        std::fs::write(project.path().join(format!("many/{number}.csv")), TOKEN).unwrap();
    }
    (project, service)
}

#[test]
fn a_terminal_shows_only_failed_files_and_the_summary() {
    let (project, _service) = some_fail();
    let (shown, code) = on_a_terminal(upload(&project, &["many"]), false);
    assert_eq!((code, messages(&project).len()), (Some(5), 97), "{shown}");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 6, "{shown}");
    for (line, number) in lines.iter().zip(["013", "050", "099"]) {
        assert_eq!(*line, format!("\u{1b}[31;1m×\u{1b}[0m many/{number}.csv  \u{1b}[31;1mfailed\u{1b}[0m"), "{shown}");
    }
    assert!(lines[3].starts_with("  the file contains") && lines[3].ends_with("[own-secret]"), "{shown}");
    assert!(lines[4].starts_with("  help: ") && lines[5].ends_with("97 delivered, 3 failed"), "{shown}");
    // With several kinds of failures, advice says which one it is for.
    let (project, _service) = many(11, "files.upload", &[]);
    let project = project.file("many/a\u{7}.csv", "x").file("many/b.csv", TOKEN);
    let (shown, _) = on_a_terminal(upload(&project, &["many"]), false);
    for help in ["\n  help [own-secret]: ", "\n  help [file-name]: "] {
        assert!(shown.contains(help), "{shown}");
    }
    // A second run has nothing to do, and says so in one line.
    let (project, _service) = many(40, "files.upload", &[]);
    let shown = [0, 1].map(|_| on_a_terminal(upload(&project, &["--journal", "journal", "many"]), false).0);
    assert!(shown[0].lines().count() == 1 && shown[0].contains(": 40 delivered"), "{}", shown[0]);
    assert!(shown[1].contains("40 files") && shown[1].contains("by an earlier run") && shown[1].lines().count() == 2);
    // A few are listed.
    let (project, _service) = many(4, "files.upload", &[]);
    let (shown, _) = on_a_terminal(upload(&project, &["many"]), false);
    assert_eq!(shown.matches("delivered").count(), 5, "{shown}");
}

#[test]
fn a_pipe_gets_every_file_and_failed_files_last() {
    let (project, _service) = some_fail();
    let run = Run::of(upload(&project, &["many"]));
    let lines: Vec<&str> = run.stdout.lines().filter(|line| !line.starts_with("  ")).collect();
    assert_eq!(lines.len(), 101, "{}", run.stdout);
    let (failed, sum) = lines[97..].split_at(3);
    assert!(lines[..97].iter().all(|line| line.starts_with("✓ ")), "{}", run.stdout);
    assert!(failed.iter().all(|line| line.starts_with("× ")) && sum[0].starts_with("100 files"), "{}", run.stdout);
    assert!(!run.stdout.contains('\u{1b}'));
}

#[test]
fn quiet_prints_only_errors() {
    let (project, _service) = many(30, "files.upload", &[]);
    let run = Run::of(upload(&project, &["--quiet", "many"]));
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    let run = Run::of(upload(&project, &["-q", "many/000.csv", "none.csv"]));
    assert_eq!(run.code, 3);
    assert!(
        run.stdout.starts_with("× none.csv  failed\n  none.csv: no such file or directory [file-not-found]\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.ends_with("1 failed, 1 skipped\n") && !run.stdout.contains("000.csv") && run.stderr.is_empty(),
        "{}",
        run.stderr
    );
    // A document is always written.
    let run = Run::of(upload(&project, &["-q", "--format", "json", "many"]));
    assert_eq!(run.document()["uploads"].as_array().unwrap().len(), 30);
    // Errors of the run itself are reported.
    let run = Run::of(upload(&project, &["-q", "--profile", "nobody", "many"]));
    assert!(run.code == 2 && !run.stderr.is_empty());
}

#[test]
fn a_terminal_shows_the_wait_and_the_next_attempt() {
    let (project, _service) = many(3, "files.upload", &["--fail", "files.upload=429:1,1"]);
    let (shown, code) = on_a_terminal(upload(&project, &["--concurrency", "1", "many"]), true);
    assert_eq!((code, messages(&project).len()), (Some(0), 3), "{shown}");
    assert!(shown.contains("waiting 1 s (ratelimited), then attempt 2 of 5"), "{shown}");
    assert!(shown.contains("0 of 3 files") && shown.contains(" left"), "{shown}");
    assert!(shown.contains("0 B of 6 B"), "the bytes of all files: {shown}");
}

#[test]
fn missing_files_are_named() {
    let (project, _service) = many(1, "files.upload", &[]);
    let run = Run::of(upload(&project, &["build/**/*.csv", "out/report-[0-9].csv", "reports/none.csv"]));
    for name in [
        "pattern build/**/*.csv matches", "pattern out/report-[0-9].csv matches",
        "reports/none.csv: no such file or directory",
    ] {
        assert!(run.stdout.contains(name), "{name}: {}", run.stdout);
    }
    // Before the service says anything about the others.
    let (project, _service) = many(3, "files.upload", &["--fail", "files.upload=error:channel_not_found"]);
    let words = ["--concurrency", "1", "many", "none.csv", "build/*.csv", "many/001.csv"];
    let run = Run::of(upload(&project, &words));
    assert!(run.stdout.contains("none.csv: no such file or directory"), "{}", run.stdout);
    assert!(run.stdout.contains("pattern build/*.csv matches no file"), "{}", run.stdout);
    assert!(run.stdout.ends_with("2 failed, 3 skipped\n"), "{}", run.stdout);
    let run = Run::of(upload(&project, &["K0014pbwo1zx*IVMnqSNTfWHReU", "none/QzWvXkPjHyBd", "none/xoxb-1.csv"]));
    for part in ["K0014", "QzWv", "xoxb"] {
        assert!(!run.stdout.contains(part), "{}", run.stdout);
    }
}

/// Names with digits, variables and punctuation are not credentials.
#[test]
fn a_missing_file_is_named_as_it_was_typed() {
    let (project, _service) = many(1, "files.upload", &[]);
    for (name, help) in [
        ("app-3f9c2d1e8b7a6f5d4c3b2a1908f7e6d5c4b3a291.apk", ""),
        ("build/${VERSION}.apk", "`${VERSION}` was not replaced"),
        ("C:\\out\\x.xlsx", ""),
        ("'report.csv'", "the quotes are part of the name"),
        ("logs/2026-11-20T03_00_00Z.log", ""),
    ] {
        let run = Run::of(upload(&project, &[name]));
        assert!(run.stdout.starts_with(&format!("× {name}  failed\n  {name}: no such file")), "{}", run.stdout);
        assert!(run.stdout.contains(help), "{}", run.stdout);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_unreadable_directory_is_reported() {
    let (project, _service) = many(2, "files.upload", &[]);
    let project = project.file("many/closed/a.csv", "a").file("many/open/b.csv", "b");
    let closed = project.path().join("many/closed");
    set_mode(&closed, 0o000);
    for (argument, sent) in [("many", 3), ("many/*/*.csv", 1), ("many/closed", 0), ("many/closed/", 0)] {
        let words = ["upload", "--profile", "reports", "--dry-run", argument];
        let run = project.run_unprivileged(&words);
        assert_eq!(run.code, 3, "{argument}: {}", run.stderr);
        let expected = "closed can't be read: permission denied [file-unreadable]";
        assert!(run.stdout.replace("/ can't", " can't").contains(expected), "{argument}: {}", run.stdout);
        assert_eq!(run.stdout.matches("dry run").count(), sent, "{argument}: {}", run.stdout);
    }
    set_mode(&closed, 0o700);
}
