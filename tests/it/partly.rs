//! Runs that deliver some files and not others: what they say, and the command that sends the rest.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Project, Run};
use crate::upload::{TOKEN, many, messages};

fn upload(project: &Project, args: &[&str]) -> Run {
    project.run(&[&["upload", "--profile", "reports", "--concurrency", "1"], args].concat())
}

/// The status, the reason and the code of each file.
fn results(document: &Value) -> Vec<String> {
    let words = |upload: &Value| {
        let words = [&upload["status"], &upload["reason"], &upload["error"]["code"]];
        words.iter().filter_map(|word| word.as_str()).collect::<Vec<_>>().join(" ")
    };
    document["uploads"].as_array().unwrap().iter().map(words).collect()
}

/// Gives files a content that the client refuses to send: the token.
fn spoil(project: &Project, numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    let names = numbers.into_iter().map(|number| format!("many/{number:03}.csv"));
    names.inspect(|name| std::fs::write(project.path().join(name), TOKEN).unwrap()).collect()
}

/// Gives files a content that is sent.
fn restore(project: &Project, names: &[String]) {
    for name in names {
        std::fs::write(project.path().join(name), "restored\n").unwrap();
    }
}

/// Runs the last line of standard error, as it is pasted into a shell.
fn paste(project: &Project, stderr: &str, variables: &[(&str, &str)]) -> Run {
    let line = stderr.lines().last().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(project.path()).env_clear().env("HOME", project.home()).env("T", TOKEN);
    command.envs(variables.iter().copied()).stdin(Stdio::null());
    Run::of(command)
}

/// The names of all posted files, in order.
fn posted(project: &Project) -> Vec<String> {
    let mut names = messages(project).concat();
    names.sort();
    names
}

#[test]
fn nothing_is_posted_unless_every_named_file_can_be_opened() {
    for (method, bad, code) in [
        ("external", "gone.csv", "file-not-found"),
        ("external", "none*.csv", "no-match"),
        ("external", "directory", "not-a-regular-file"),
        ("external", "empty.csv", "empty-file"),
        ("files.upload", "gone.csv", "file-not-found"),
    ] {
        let (project, _service) = many(3, method, &[]);
        let project =
            project.file("empty.csv", "").file("directory/.hidden", "").file("list", "many/002.csv\ngone.csv\n");
        for _ in 0..2 {
            let run = upload(&project, &["--format", "json", "many/000.csv", bad, "many"]);
            let failed = format!("failed {code}");
            let expected = ["skipped input", &failed, "skipped input", "skipped input"];
            assert_eq!((run.code, results(&run.document())), (3, expected.map(str::to_owned).to_vec()), "{bad}");
            assert_eq!(run.stdout.contains("--skip-empty"), bad == "empty.csv", "{}", run.stdout);
        }
        // The entries of a list are named, too; and a journal makes no difference.
        let run =
            upload(&project, &["--format", "json", "--journal", "journal", "--files-from", "list", "many/000.csv"]);
        assert_eq!((run.code, results(&run.document())[2].as_str()), (3, "failed file-not-found"), "{}", run.stdout);
        assert_eq!(messages(&project).len(), 0, "{method} {bad}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_posted_if_part_of_a_directory_cannot_be_read() {
    let (project, _service) = many(1, "external", &[]);
    std::fs::create_dir(project.path().join("many/closed")).unwrap();
    crate::harness::set_mode(&project.path().join("many/closed"), 0);
    crate::harness::set_mode(&project.path().join("many/000.csv"), 0o644);
    let run = project.run_unprivileged(&["upload", "--profile", "reports", "--format", "json", "many"]);
    crate::harness::set_mode(&project.path().join("many/closed"), 0o700);
    assert_eq!(
        (run.code, results(&run.document())),
        (3, vec!["skipped input".into(), "failed file-unreadable".into()])
    );
    assert_eq!(messages(&project).len(), 0);
}

#[test]
fn empty_files_are_skipped_in_directories_and_on_request() {
    let (project, _service) = many(2, "external", &[]);
    let project = project.file("many/empty.csv", "").file("other.csv", "");
    let run = upload(&project, &["many"]);
    assert!(run.code == 0 && run.stderr.contains("1 empty file skipped"), "{}", run.stderr);
    let run = upload(&project, &["--skip-empty", "many/*.csv", "other.csv"]);
    assert!(run.code == 0 && run.stderr.contains("2 empty files skipped"), "{}", run.stderr);
    assert_eq!(posted(&project), ["000.csv", "000.csv", "001.csv", "001.csv"]);
    // The only file is empty, so nothing is left to send, as requested.
    let run = upload(&project, &["--skip-empty", "other.csv"]);
    assert_eq!((run.code, messages(&project).len()), (0, 4), "{}", run.stderr);
    // The other method takes them.
    let (project, _service) = many(1, "files.upload", &[]);
    let project = project.file("many/empty.csv", "");
    assert_eq!((upload(&project, &["many"]).code, posted(&project).len()), (0, 2));
    assert_eq!((upload(&project, &["--skip-empty", "many"]).code, posted(&project).len()), (0, 3));
}

#[test]
fn a_partly_delivered_run_ends_with_the_command_that_sends_the_rest() {
    for method in ["external", "files.upload"] {
        for format in ["human", "json", "jsonl"] {
            let (project, _service) = many(6, method, &[]);
            let project = project.file("many/it's $HOME.csv", TOKEN);
            let mut bad = spoil(&project, [1, 4]);
            bad.push("many/it's $HOME.csv".to_owned());
            let run =
                upload(&project, &["--format", format, "--retries=1", "--channel", "C9999999999", "--quiet", "many"]);
            assert_eq!((run.code, messages(&project).len()), (5, 4), "{format}: {}", run.stderr);
            let last = run.stderr.lines().last().unwrap();
            assert!(last.contains("--channel C9999999999") && !last.contains("many/000.csv"), "{last}");
            // Once more, and once they can be sent.
            let again = paste(&project, &run.stderr, &[]);
            assert_eq!((again.code, messages(&project).len()), (3, 4), "{}", again.stderr);
            restore(&project, &bad);
            let rest = paste(&project, &run.stderr, &[]);
            assert_eq!((rest.code, messages(&project).len()), (0, 7), "{last}: {}", rest.stderr);
            let mut names = posted(&project);
            names.dedup();
            assert_eq!(names.len(), 7, "each once");
        }
    }
}

#[test]
fn the_rest_of_many_files_is_named_by_a_report() {
    for (args, report) in [(&[][..], None), (&["--report", "json=out.json"], Some("out.json"))] {
        let (project, _service) = many(30, "external", &[]);
        let bad = spoil(&project, 3..25);
        let run = upload(&project, &[args, &["--shard", "1/1", "--exclude", "x", "many"]].concat());
        assert_eq!((run.code, messages(&project).len()), (5, 8), "{}", run.stderr);
        let last = run.stderr.lines().last().unwrap().to_owned();
        let file = last.split("--files-from ").nth(1).unwrap_or_else(|| panic!("{last}"));
        let file = file.split(' ').next().unwrap().to_owned();
        assert!(report.is_none_or(|report| file == report) && !last.contains("many/"), "{last}");
        restore(&project, &bad);
        let rest = paste(&project, &run.stderr, &[]);
        assert_eq!((rest.code, messages(&project).len()), (0, 30), "{last}: {}", rest.stderr);
        if report.is_none() {
            std::fs::remove_file(file).unwrap();
        }
    }
}

#[test]
fn a_report_as_a_list_names_what_was_not_posted() {
    let faults = ["--fail", "files.upload=lost,1", "--fail", "files.upload=error:malware_detected,1"];
    let faults = [&faults[..], &["--fail", "files.upload=error:invalid_auth,1"]].concat();
    for format in ["json", "jsonl"] {
        let (project, _service) = many(6, "files.upload", &faults);
        let run = upload(&project, &["--format", format, "many/000.csv", "many"]);
        // What is uncertain outweighs the rest, and is not sent by the command.
        assert_eq!((run.code, messages(&project).len()), (4, 1), "{}", run.stderr);
        assert!(!run.stderr.lines().last().unwrap().contains("many/000.csv"), "{}", run.stderr);
        std::fs::write(project.path().join("result"), &run.stdout).unwrap();
        let rest = upload(&project, &["--format", "json", "--files-from", "result"]);
        assert!(rest.stderr.contains("1 uncertain file"), "{}", rest.stderr);
        assert_eq!((rest.code, rest.document()["summary"]["delivered"].clone()), (0, json!(5)), "{}", rest.stdout);
        let mut names = posted(&project);
        names.dedup();
        assert_eq!(names.len(), 6, "each once");
        // Files that the journal lists as delivered are not sent again, and neither are those of the last run.
        std::fs::write(
            project.path().join("result"),
            rest.stdout.replace("\"delivered\"", "\"skipped\"").replace("\"reason\":null", "\"reason\":\"journal\""),
        )
        .unwrap();
        let rest = upload(&project, &["--files-from", "result"]);
        assert!(rest.code == 2 && messages(&project).len() == 6, "{}", rest.stderr);
        // Reports of other runs say nothing about the service.
        let dry = upload(&project, &["--dry-run", "--format", format, "many"]);
        std::fs::write(project.path().join("result"), &dry.stdout).unwrap();
        let rest = upload(&project, &["--files-from", "result"]);
        assert!(rest.code == 3 && rest.stderr.contains("dry run") && messages(&project).len() == 6, "{}", rest.stderr);
    }
}

#[test]
fn a_journal_makes_a_partly_delivered_run_safe_to_repeat() {
    let (project, _service) = many(4, "external", &[]);
    let bad = spoil(&project, [1]);
    let args = ["--journal", "journal", "many"];
    let run = upload(&project, &args);
    assert!(run.code == 3 && !run.stderr.contains("credlint upload"), "{}", run.stderr);
    restore(&project, &bad);
    assert_eq!((upload(&project, &args).code, messages(&project).len()), (0, 4));
    // Where nothing was posted, the same command is right.
    let (project, _service) = many(4, "external", &["--fail", "files.getUploadURLExternal=error:invalid_auth"]);
    let run = upload(&project, &["many"]);
    assert!(run.code == 3 && !run.stderr.contains("credlint upload"), "{}", run.stderr);
    let (project, _service) = many(4, "external", &[]);
    spoil(&project, [1]);
    let run = upload(&project, &["--rehearse", "many"]);
    assert!(run.code == 3 && !run.stderr.contains("credlint upload"), "{}", run.stderr);
}

#[test]
fn an_interrupted_run_also_prints_the_command() {
    let (project, _service) = many(40, "files.upload", &["--delay", "100"]);
    let mut command = project.command(&["upload", "--profile", "reports", "--concurrency", "1", "many"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while messages(&project).len() < 3 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(143));
    let last = stderr.lines().last().unwrap();
    let file = last.split("--files-from ").nth(1).unwrap_or_else(|| panic!("{stderr}")).to_owned();
    let before = messages(&project).len();
    // The file that was being sent may be uncertain.
    assert_eq!(paste(&project, &stderr, &[]).code, 0, "{last}");
    assert!(before < 40 && (39..=40).contains(&messages(&project).len()), "{before}");
    let mut names = posted(&project);
    names.dedup();
    assert_eq!(names.len(), messages(&project).len(), "none twice");
    std::fs::remove_file(file.split(' ').next().unwrap()).unwrap();
}

/// A text that is typed for a message could be anything, so the command does not repeat it.
#[test]
fn the_command_asks_for_what_it_does_not_show() {
    let (project, _service) = many(3, "external", &[]);
    let bad = spoil(&project, [1]);
    let comment = "Nightly \"report\" qzwvxkpjhybd7391";
    let run = upload(&project, &["--comment", comment, "many"]);
    assert!(run.code == 5 && !run.stderr.contains("qzwv") && run.stderr.contains("COMMENT"), "{}", run.stderr);
    restore(&project, &bad);
    let rest = paste(&project, &run.stderr, &[]);
    assert!(rest.code != 0 && messages(&project).len() == 2, "it is not sent without it: {}", rest.stderr);
    let rest = paste(&project, &run.stderr, &[("COMMENT", comment)]);
    assert_eq!((rest.code, messages(&project).len()), (0, 3), "{}", rest.stderr);
    let ledger = std::fs::read_to_string(project.path().join("ledger")).unwrap();
    let lengths = ledger.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["comment_length"].clone());
    assert_eq!(lengths.collect::<Vec<_>>(), vec![json!(comment.len()); 3]);
}

#[test]
fn a_report_on_standard_input_says_that_it_cannot_be_sent_again() {
    let (project, _service) = many(1, "files.upload", &["--fail", "files.upload=error:file_type_not_allowed"]);
    let args = ["upload", "--profile", "reports", "--filename", "out.csv", "--report", "json=report.json", "-"];
    let mut command = project.command(&args);
    command.stdin(std::fs::File::open(project.path().join("many/000.csv")).unwrap());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    assert_eq!(command.output().unwrap().status.code(), Some(3));
    let run = upload(&project, &["--files-from", "report.json"]);
    assert!(run.code == 3 && run.stderr.contains("a report on standard input"), "{}", run.stderr);
}
