//! Interrupted runs that are resumed by their journal: nothing is lost and nothing is sent twice.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Project, Run};

const TOKEN: &str = "xoxb-0000000000-0000000000-abcdefghijkl";

/// The embedded service as a separate process, which records what it posts.
pub struct Service {
    child: Child,
    pub base: String,
    ledger: PathBuf,
}

impl Service {
    pub fn start(project: &Project, args: &[&str]) -> Self {
        let ledger = project.path().join("ledger");
        let mut command = project.command(&["sandbox", "--quiet", "--ledger", ledger.to_str().unwrap()]);
        let mut child = command.args(args).stdout(Stdio::piped()).spawn().unwrap();
        let mut base = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut base).unwrap();
        Self { child, base: base.trim().to_owned(), ledger }
    }

    /// The names of the files of every message so far.
    fn posted(&self) -> Vec<String> {
        let text = std::fs::read_to_string(&self.ledger).unwrap_or_default();
        let messages = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let files = messages.flat_map(|message| message["files"].as_array().unwrap().clone());
        files.map(|file| file["name"].as_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn project() -> Project {
    Project::new().file("report.csv", "day,errors\n1,2\n").env("T", TOKEN)
}

fn configure(project: Project, base: &str, method: &str) -> Project {
    let text = format!(
        "[messaging.reports]\nbase_url = \"{base}\"\ntoken = {{ env = \"T\" }}\nchannels = [\"C0123456789\"]\nupload_method = \"{method}\"\n"
    );
    project.file("credlint.toml", text)
}

fn command(project: &Project, args: &[&str]) -> Command {
    project.command(&[&["upload", "--profile", "reports", "--format", "json", "--journal", "journal"], args].concat())
}

fn upload(project: &Project, args: &[&str]) -> (i32, Value, String) {
    let run = Run::of(command(project, args));
    let document = run.document();
    (run.code, document["uploads"][0].clone(), run.stderr)
}

fn states(project: &Project) -> Vec<String> {
    let text = std::fs::read_to_string(project.path().join("journal")).unwrap_or_default();
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["state"].as_str().unwrap().to_owned())
        .collect()
}

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts an upload and kills it when the journal ends with `state` and `posted` files have been posted.
fn kill_at(project: &Project, service: &Service, state: &str, posted: usize) {
    let mut child = command(project, &["report.csv"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until(state, || states(project).last().is_some_and(|last| last == state) && service.posted().len() == posted);
    // Long enough to expose a step that does not wait for its line.
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(child.try_wait().unwrap(), None, "{state}");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(service.posted().len(), posted);
}

#[test]
fn a_run_killed_at_any_step_resumes_and_posts_once() {
    // The method, the fault at which the first run hangs, the last state of its journal, and what it posted; then the
    // status and the exit code of the second run, and what has been posted after it.
    for (method, fault, state, before, status, code, after) in [
        ("external", "files.getUploadURLExternal=silence,1", "begun", 0, "delivered", 0, 1),
        ("external", "upload=stall,1", "ticket", 0, "delivered", 0, 1),
        ("external", "upload=silence,1", "ticket", 0, "delivered", 0, 1),
        ("external", "files.completeUploadExternal=silence,1", "posting", 1, "delivered", 0, 1),
        ("external", "files.completeUploadExternal=stall,1", "posting", 0, "delivered", 0, 1),
        ("files.upload", "files.upload=silence,1", "posting", 1, "uncertain", 4, 1),
    ] {
        let project = project();
        let service = Service::start(&project, &["--fail", fault]);
        let project = configure(project, &service.base, method);
        kill_at(&project, &service, state, before);
        let (exit, receipt, stderr) = upload(&project, &["report.csv"]);
        assert_eq!((exit, &receipt["status"]), (code, &json!(status)), "{fault}: {receipt} {stderr}");
        assert_eq!(service.posted().len(), after, "{fault}");
        if status == "delivered" {
            assert_eq!(states(&project).last().unwrap(), "delivered");
        } else {
            assert_eq!(receipt["error"]["code"], "uncertain-before");
            assert!(receipt["error"]["help"].as_str().unwrap().contains("--retry-uncertain"));
            // The user has to decide, and a third run changes nothing.
            assert_eq!(upload(&project, &["report.csv"]).0, 4, "{fault}");
            let (exit, receipt, _) = upload(&project, &["--retry-uncertain", "report.csv"]);
            assert_eq!((exit, &receipt["status"]), (0, &json!("delivered")), "{fault}: {receipt}");
            assert_eq!(service.posted().len(), after + 1, "{fault}");
        }
        let posted = service.posted().len();
        let (exit, receipt, _) = upload(&project, &["report.csv"]);
        assert_eq!(
            (exit, &receipt["status"], &receipt["reason"]),
            (0, &json!("skipped"), &json!("journal")),
            "{fault}"
        );
        assert_eq!(service.posted().len(), posted, "{fault}");
    }
}

#[test]
fn a_run_killed_during_the_request_body_posted_nothing() {
    let project = project();
    let service = Service::start(&project, &["--fail", "files.upload=stall,1"]);
    let project = configure(project, &service.base, "files.upload");
    let file = std::fs::File::create(project.path().join("report.csv")).unwrap();
    file.set_len(48 * 1024 * 1024).unwrap();
    kill_at(&project, &service, "begun", 0);
    let (exit, receipt, _) = upload(&project, &["report.csv"]);
    assert_eq!((exit, &receipt["status"]), (0, &json!("delivered")), "{receipt}");
    assert_eq!(service.posted().len(), 1);
}

#[test]
fn a_run_killed_at_any_time_posts_every_file_exactly_once() {
    const FILES: usize = 24;
    for (method, moments) in [("external", [30, 60, 90, 120]), ("files.upload", [15, 30, 45, 60])] {
        let project = project();
        for number in 0..FILES {
            let path = project.path().join("many").join(format!("{number:02}.csv"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("{number}\n")).unwrap();
        }
        let service = Service::start(&project, &["--delay", "5"]);
        let project = configure(project, &service.base, method);
        for moment in moments {
            let mut child = command(&project, &["many"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(moment));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let run = Run::of(command(&project, &["many"]));
        let document = run.document();
        let mut posted = service.posted();
        posted.sort();
        let twice: Vec<_> = posted.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{method}: {twice:?}");
        for upload in document["uploads"].as_array().unwrap() {
            let name = upload["file"].as_str().unwrap().strip_prefix("many/").unwrap();
            let there = posted.iter().any(|posted| posted == name);
            match upload["status"].as_str().unwrap() {
                "delivered" | "skipped" => assert!(there, "{method}: {upload}"),
                // The file that was being sent when the run was killed.
                "uncertain" => assert_eq!(run.code, 4),
                _ => panic!("{method}: {upload}"),
            }
        }
        assert_eq!(document["uploads"].as_array().unwrap().len(), FILES);
    }
}

#[test]
fn an_abandoned_request_ends_the_run() {
    // Larger than the socket buffers: the request still has unsent bytes when it is given up.
    let project = project();
    let service = Service::start(&project, &["--fail", "files.upload=stall"]);
    let project = configure(project, &service.base, "files.upload");
    std::fs::File::create(project.path().join("report.csv")).unwrap().set_len(48 * 1024 * 1024).unwrap();
    let (exit, receipt, _) = upload(&project, &["--stall-timeout", "1", "--retries", "0", "report.csv"]);
    assert_eq!((exit, &receipt["error"]["code"]), (3, &json!("stalled")), "{receipt}");
    let mut child = command(&project, &["report.csv"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("begun", || states(&project).iter().filter(|state| *state == "begun").count() == 2);
    std::thread::sleep(Duration::from_millis(200));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    wait_until("an end", || child.try_wait().unwrap().is_some());
    assert_eq!((child.wait().unwrap().code(), states(&project).last().unwrap().as_str()), (Some(130), "failed"));
}

#[test]
fn a_changed_file_is_not_confused_with_its_posted_version() {
    let project = project();
    let service = Service::start(&project, &["--fail", "files.completeUploadExternal=silence,1"]);
    let project = configure(project, &service.base, "external");
    kill_at(&project, &service, "posting", 1);
    std::fs::write(project.path().join("report.csv"), "day,errors\n1,9\n").unwrap();
    let (exit, receipt, _) = upload(&project, &["report.csv"]);
    assert_eq!((exit, &receipt["status"], service.posted().len()), (0, &json!("delivered"), 2), "{receipt}");
    // Rewritten with the content that was being sent, it counts as posted.
    let project = self::project();
    let service = Service::start(&project, &["--fail", "files.completeUploadExternal=silence,1"]);
    let project = configure(project, &service.base, "external");
    kill_at(&project, &service, "posting", 1);
    std::fs::write(project.path().join("report.csv"), "day,errors\n1,2\n").unwrap();
    let (exit, receipt, _) = upload(&project, &["report.csv"]);
    assert_eq!((exit, &receipt["status"], service.posted().len()), (0, &json!("delivered"), 1), "{receipt}");
}

#[test]
fn a_delivered_file_stays_delivered_after_later_failures() {
    let project = project();
    let service = Service::start(&project, &["--fail", "upload=error:x,2"]);
    let project = configure(project, &service.base, "external");
    let send = |text: &str| {
        std::fs::write(project.path().join("report.csv"), text).unwrap();
        upload(&project, &["--retries", "0", "report.csv"]).1["status"].as_str().unwrap().to_owned()
    };
    assert_eq!([send("1\n"), send("1\n"), send("1\n")], ["failed", "failed", "delivered"]);
    drop(service);
    assert_eq!([send("2\n"), send("1\n")], ["failed", "skipped"]);
    // Another path on the same host is another service.
    let base = std::fs::read_to_string(project.path().join("credlint.toml")).unwrap();
    let other = base.replacen("\"\ntoken", "/team\"\ntoken", 1);
    assert_ne!(base, other);
    std::fs::write(project.path().join("credlint.toml"), other).unwrap();
    assert_eq!(send("1\n"), "failed");
}

#[test]
fn an_uncertain_file_is_looked_up_before_it_is_resent() {
    let project = project();
    let service = Service::start(&project, &["--fail", "files.completeUploadExternal=silence,1"]);
    let project = configure(project, &service.base, "external");
    kill_at(&project, &service, "posting", 1);
    assert_eq!(upload(&project, &["--retry-uncertain", "report.csv"]).1["status"], "delivered");
    assert_eq!(service.posted().len(), 1);
}

/// The journal of a version that took a gateway's page for a verdict, or whose next run was killed early.
#[test]
fn a_file_that_failed_while_posting_is_looked_up_before_it_is_resent() {
    for more in ["", "begun", "ticket"] {
        let project = project();
        let service = Service::start(&project, &[]);
        let project = configure(project, &service.base, "external");
        assert_eq!(upload(&project, &["report.csv"]).0, 0);
        let path = project.path().join("journal");
        let mut text = std::fs::read_to_string(&path).unwrap().replace("delivered", "failed");
        if !more.is_empty() {
            let last = text.lines().last().unwrap();
            let id = serde_json::from_str::<Value>(last).unwrap()["file_id"].to_string();
            text += &format!("{}\n", last.replace("failed", more).replace(&id, "null"));
        }
        std::fs::write(&path, &text).unwrap();
        let (exit, receipt, _) = upload(&project, &["report.csv"]);
        assert_eq!((exit, &receipt["status"], service.posted().len()), (0, &json!("delivered"), 1), "{more} {receipt}");
        assert_eq!(upload(&project, &["report.csv"]).1["status"], "skipped", "{more}");
        // Another service says explicitly that the file is not there, and the first run was told that it failed.
        std::fs::write(&path, &text).unwrap();
        drop(service);
        let address = std::fs::read_to_string(project.path().join("credlint.toml")).unwrap();
        let address = address.split('"').nth(1).unwrap().strip_prefix("http://").unwrap().to_owned();
        let service = Service::start(&project, &["--listen", &address]);
        let (exit, receipt, _) = upload(&project, &["report.csv"]);
        assert_eq!((exit, &receipt["status"], service.posted().len()), (0, &json!("delivered"), 2), "{more} {receipt}");
    }
}

/// The service gets the snippet type and the alternative text before the bytes, so a completion would post them.
#[test]
fn a_file_that_was_sent_as_another_snippet_is_not_posted() {
    for (first, second, status) in [
        (&["--snippet-type", "python"][..], &["--snippet-type", "python"][..], "delivered"),
        (&["--snippet-type", "python"], &["--snippet-type", "ruby"], "uncertain"),
        (&["--snippet-type", "python"], &[], "uncertain"),
        (&[], &["--snippet-type", "python"], "uncertain"),
        (&["--alt-text", "a"], &["--alt-text", "b"], "uncertain"),
        (&[], &["--comment", "other"], "delivered"),
    ] {
        let project = project();
        let service = Service::start(&project, &["--fail", "files.completeUploadExternal=stall,1"]);
        let project = configure(project, &service.base, "external");
        let mut child = command(&project, &[first, &["report.csv"]].concat());
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_until("posting", || states(&project).last().is_some_and(|last| last == "posting"));
        std::thread::sleep(Duration::from_millis(100));
        child.kill().unwrap();
        child.wait().unwrap();
        let again = |more: &[&str]| upload(&project, &[second, more, &["report.csv"]].concat()).1["status"].clone();
        assert_eq!(again(&[]), status, "{first:?} {second:?}");
        assert_eq!(service.posted().len(), usize::from(status == "delivered"));
        let journal = std::fs::read_to_string(project.path().join("journal")).unwrap();
        assert!(!journal.contains("python"), "{journal}");
        let retried = if status == "delivered" { "skipped" } else { "delivered" };
        assert_eq!((again(&["--retry-uncertain"]), service.posted().len()), (json!(retried), 1));
    }
}

/// Leaves files in the journal as sent, without a record whether they were posted.
fn leave_pending(project: &Project, names: &[&str]) {
    for name in names {
        std::fs::write(project.path().join(name), name).unwrap();
    }
    assert_eq!(Run::of(command(project, names)).code, 0);
    let path = project.path().join("journal");
    let text = std::fs::read_to_string(&path).unwrap().replace("\"delivered\"", "\"uncertain\"");
    std::fs::write(&path, text).unwrap();
}

#[test]
fn new_files_do_not_wait_for_pending_lookups() {
    let project = project();
    let service = Service::start(&project, &["--fail", "files.info=stall"]);
    let project = configure(project, &service.base, "external");
    leave_pending(&project, &["a1", "a2", "a3", "a4"]);
    for name in ["b1", "b2", "b3", "b4"] {
        std::fs::write(project.path().join(name), name).unwrap();
    }
    let all = ["--concurrency", "2", "a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"];
    let mut child = command(&project, &all).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("the new files", || service.posted().len() == 8);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn files_of_an_earlier_run_are_looked_up_once_per_run() {
    let project = project();
    let service = Service::start(&project, &[]);
    let project = configure(project, &service.base, "external");
    leave_pending(&project, &["a1", "a2", "a3", "a4"]);
    // Another service at the same address, which has none of the files.
    let listen = service.base.strip_prefix("http://").unwrap().to_owned();
    drop(service);
    let _service = Service::start(&project, &["--listen", &listen]);
    let begun = Instant::now();
    let run = Run::of(command(&project, &["--concurrency", "1", "a1", "a2", "a3", "a4"]));
    let document = run.document();
    let uploads = document["uploads"].as_array().unwrap();
    assert!(uploads.iter().all(|upload| upload["status"] == "uncertain"), "{}", run.stdout);
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
}

#[test]
fn a_hanging_lookup_can_be_interrupted() {
    let project = project();
    let service =
        Service::start(&project, &["--fail", "files.completeUploadExternal=stall,1", "--fail", "files.info=stall"]);
    let project = configure(project, &service.base, "external");
    kill_at(&project, &service, "posting", 0);
    let mut child = command(&project, &["report.csv"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let begun = Instant::now();
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    wait_until("an end", || child.try_wait().unwrap().is_some());
    assert!(child.wait().unwrap().code() == Some(143) && begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_directory_upload_skips_the_files_of_the_run_itself() {
    let project = project();
    let service = Service::start(&project, &[]);
    let project = configure(project, &service.base, "external");
    for (args, expected) in
        [(&["report.csv", "*.toml"][..], "delivered"), (&["report.csv", "*.toml", "jour*"], "skipped")]
    {
        let run = Run::of(command(&project, args));
        let document = run.document();
        assert_eq!(document["uploads"][0]["status"], expected, "{}", run.stdout);
    }
    let run = Run::of(command(&project, &["."]));
    assert!(run.stderr.contains("left out"), "{}", run.stderr);
    assert!(
        !service.posted().iter().any(|name| name == "credlint.toml" || name == "journal"),
        "{:?}",
        service.posted()
    );
}

#[test]
fn a_response_that_arrived_while_suspended_counts() {
    let project = project();
    let service = Service::start(&project, &["--delay", "700"]);
    let project = configure(project, &service.base, "files.upload");
    let mut command = command(&project, &["--answer-timeout", "1", "report.csv"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("posting", || states(&project).last().is_some_and(|last| last == "posting"));
    let signal = |signal: &str| {
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    };
    signal("-STOP");
    std::thread::sleep(Duration::from_millis(2500));
    signal("-CONT");
    let output = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &document["uploads"][0]["status"]), (Some(0), &json!("delivered")), "{document}");
}

#[test]
fn a_run_ended_by_a_signal_can_be_resumed() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let project = project();
        let service = Service::start(&project, &["--fail", "upload=stall,1"]);
        let project = configure(project, &service.base, "external");
        let child = command(&project, &["report.csv"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        wait_until("ticket", || states(&project).last().is_some_and(|last| last == "ticket"));
        std::thread::sleep(Duration::from_millis(100));
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{signal}"), &pid]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &document["uploads"][0]["status"]), (Some(code), &json!("failed")));
        assert_eq!(states(&project), ["begun", "ticket", "failed"]);
        assert_eq!(upload(&project, &["report.csv"]).0, 0);
        assert_eq!(service.posted(), ["report.csv"]);
    }
}

#[test]
fn changed_content_or_destination_is_a_new_delivery() {
    let project = project();
    let service = Service::start(&project, &[]);
    let project = configure(project, &service.base, "external");
    let status = |args: &[&str]| upload(&project, args).1["status"].as_str().unwrap().to_owned();
    assert_eq!(status(&["report.csv"]), "delivered");
    assert_eq!(status(&["./report.csv"]), "skipped");
    // Rewritten with the same content.
    std::fs::write(project.path().join("report.csv"), "day,errors\n1,2\n").unwrap();
    assert_eq!(status(&["report.csv"]), "skipped");
    // The same length, other content.
    std::fs::write(project.path().join("report.csv"), "day,errors\n1,3\n").unwrap();
    assert_eq!(status(&["report.csv"]), "delivered");
    assert_eq!(status(&["--channel", "C9999999999", "report.csv"]), "delivered");
    assert_eq!(status(&["--thread", "1700000000.000100", "report.csv"]), "delivered");
    assert_eq!(status(&["--filename", "other.csv", "report.csv"]), "delivered");
    assert_eq!(status(&["report.csv"]), "skipped");
    let first = upload(&project, &["report.csv"]).1;
    assert!(first["file_id"].is_string() && first["sha256"].is_null(), "{first}");
    assert_eq!(service.posted().len(), 5);
    // It contains the name of the file and the states, and nothing of the configuration.
    let text = std::fs::read_to_string(project.path().join("journal")).unwrap();
    assert!(text.contains("report.csv") && !text.contains(TOKEN) && !text.contains("127.0.0.1"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(project.path().join("journal").metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn one_message_is_resumed_as_a_whole() {
    let project = project().file("other.csv", "1\n").file("secret.csv", TOKEN);
    let service = Service::start(&project, &["--fail", "files.completeUploadExternal=lost,1"]);
    let project = configure(project, &service.base, "external");
    let run = Run::of(command(&project, &["--one-message", "report.csv", "other.csv", "secret.csv"]));
    let statuses = |run: &Run| {
        let document = run.document();
        let uploads = document["uploads"].as_array().unwrap().clone();
        uploads.iter().map(|upload| upload["status"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // The answer was lost, and the file was looked up.
    assert_eq!(statuses(&run), ["delivered", "delivered", "failed"], "{}", run.stdout);
    assert_eq!(run.code, 3);
    let run = Run::of(command(&project, &["--one-message", "report.csv", "other.csv"]));
    assert_eq!((statuses(&run), run.code), (vec!["skipped".to_owned(), "skipped".to_owned()], 0));
    assert_eq!(service.posted(), ["report.csv", "other.csv"]);
}

#[test]
fn an_incomplete_last_line_is_ignored() {
    let project = project();
    let service = Service::start(&project, &[]);
    let project = configure(project, &service.base, "external");
    assert_eq!(upload(&project, &["report.csv"]).0, 0);
    let path = project.path().join("journal");
    let text = std::fs::read_to_string(&path).unwrap();
    let last = text.lines().last().unwrap();
    // As after a power failure while the delivery was recorded.
    std::fs::write(&path, &text[..text.len() - last.len() / 2]).unwrap();
    let (exit, receipt, _) = upload(&project, &["report.csv"]);
    assert_eq!((exit, &receipt["status"], service.posted().len()), (0, &json!("delivered"), 1), "{receipt}");
    assert_eq!(states(&project), ["begun", "ticket", "posting", "delivered"]);
}

#[test]
fn a_file_that_is_not_a_journal_is_left_unchanged() {
    let project = configure(project(), "http://127.0.0.1:9", "external");
    let path = project.path().join("journal");
    for text in ["notes\n", "{}\n", "notes", "{\"schema\":\"other\"}\n"] {
        std::fs::write(&path, text).unwrap();
        let (exit, receipt, _) = upload(&project, &["report.csv"]);
        assert_eq!((exit, &receipt["error"]["code"]), (3, &json!("journal-unreadable")), "{text}: {receipt}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert_eq!(upload(&project, &["report.csv"]).1["error"]["code"], "journal-unreadable");
    std::fs::remove_dir(&path).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("other.csv", &path).unwrap();
        assert_eq!(upload(&project, &["report.csv"]).1["error"]["code"], "journal-unreadable");
    }
}

/// A line that this version can't read may record a posted file.
#[test]
fn an_unknown_journal_line_is_rejected_with_its_number() {
    let project = project();
    let service = Service::start(&project, &[]);
    let project = configure(project, &service.base, "external");
    assert_eq!(upload(&project, &["report.csv"]).0, 0);
    let path = project.path().join("journal");
    let written = std::fs::read_to_string(&path).unwrap();
    let last = written.lines().last().unwrap();
    for (line, why) in [
        (last.replace("delivered", "archived"), "line 4 has an unknown field or word"),
        (last.replace("delivered", "Delivered"), "line 4 has an unknown field or word"),
        (last.replacen('{', "{\"withdrawn\":true,", 1), "line 4 has an unknown field or word"),
        (last.replace("journal/v1", "journal/v2"), "line 4 was written by another version"),
        (last.replace("credlint/journal/v1", "notes"), "line 4 is invalid"),
        (last.replacen('"', "", 1), "line 4 is invalid"),
    ] {
        assert_ne!(line, last);
        let text = written.replace(last, &line);
        std::fs::write(&path, &text).unwrap();
        let (exit, receipt, _) = upload(&project, &["report.csv"]);
        assert_eq!((exit, &receipt["error"]["code"]), (3, &json!("journal-unreadable")), "{line}: {receipt}");
        assert!(receipt["error"]["message"].as_str().unwrap().contains(why), "{line}: {receipt}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert_eq!(service.posted().len(), 1, "{line}");
    }
}

#[test]
fn two_runs_cannot_use_one_journal_at_a_time() {
    let project = project();
    let service = Service::start(&project, &["--fail", "upload=stall,1"]);
    let project = configure(project, &service.base, "external");
    let mut first = command(&project, &["report.csv"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("ticket", || states(&project).last().is_some_and(|last| last == "ticket"));
    let (exit, receipt, _) = upload(&project, &["report.csv"]);
    assert_eq!((exit, &receipt["error"]["code"]), (3, &json!("journal-locked")), "{receipt}");
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(upload(&project, &["report.csv"]).0, 0);
    assert_eq!(service.posted().len(), 1);
}

#[test]
fn standard_input_is_spooled_only_until_it_is_sent() {
    let project = project();
    let service = Service::start(&project, &[]);
    let project = configure(project, &service.base, "external");
    let spool = project.path().join("spool");
    std::fs::create_dir(&spool).unwrap();
    let mut command = project.command(&["upload", "--profile", "reports", "--filename", "pipe.csv", "-"]);
    command.env("TMPDIR", &spool).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(&vec![b'x'; 100_000]).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    // The file has no name, so nobody else can open it, and it disappears if the program is killed.
    assert_eq!(std::fs::read_dir(&spool).unwrap().count(), 0);
    pipe.write_all(b"end").unwrap();
    drop(pipe);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(service.posted(), ["pipe.csv"]);
    let ledger = std::fs::read_to_string(&service.ledger).unwrap();
    assert!(ledger.contains("\"size\":100003"), "{ledger}");
    // There is no space for it.
    let mut command =
        project.command(&["upload", "--profile", "reports", "--filename", "pipe.csv", "--format", "json", "-"]);
    command.env("TMPDIR", spool.join("none")).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(b"x");
    let output = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &document["uploads"][0]["error"]["code"]), (Some(3), &json!("spool-failed")));
    assert_eq!(service.posted().len(), 1);
}

/// A directory with the same files, as another runner checks them out.
fn checkout(parent: &std::path::Path, base: &str, repository: bool) -> PathBuf {
    let directory = parent.join("work/repo");
    std::fs::create_dir_all(directory.join("out")).unwrap();
    if repository {
        std::fs::create_dir_all(directory.join(".git")).unwrap();
    }
    std::fs::write(directory.join("out/a.csv"), "1\n").unwrap();
    std::fs::write(directory.join("b.csv"), "2\n").unwrap();
    let text = format!(
        "[messaging.reports]\nbase_url = \"{base}\"\ntoken = {{ env = \"T\" }}\nchannels = [\"C0123456789\"]\nupload_method = \"external\"\n"
    );
    std::fs::write(directory.join("credlint.toml"), text).unwrap();
    directory
}

#[test]
fn a_journal_belongs_to_the_files_wherever_they_are_checked_out() {
    for repository in [false, true] {
        let project = project();
        let service = Service::start(&project, &[]);
        let [first, second] = ["runner-1", "runner-2"]
            .map(|runner| checkout(&project.dir.path().join(runner), &service.base, repository));
        let journal = project.dir.path().join("journal");
        let upload = |directory: &std::path::Path, args: &[&str]| {
            let mut command = command(&project, args);
            command.current_dir(directory);
            let journal = ["--journal", journal.to_str().unwrap()];
            let mut words: Vec<_> = command.get_args().map(std::ffi::OsStr::to_owned).collect();
            let at = words.iter().position(|word| word == "--journal").unwrap();
            words.splice(at..at + 2, journal.map(Into::into));
            let mut command = project.command(&[]);
            command.args(words).current_dir(directory);
            Run::of(command)
        };
        let skipped = |run: &Run| run.document()["summary"]["skipped"].as_u64().unwrap();
        let run = upload(&first, &["out", "b.csv"]);
        assert_eq!((run.code, service.posted().len()), (0, 2), "{}", run.stderr);
        // Named in other ways, through a link, and in another runner's directory.
        let link = project.dir.path().join("link");
        std::os::unix::fs::symlink(&second, &link).unwrap();
        for directory in [&first, &second, &link] {
            let absolute = directory.join("out/a.csv");
            for args in
                [&["out", "b.csv"][..], &["./out/../out/a.csv", "./b.csv"], &[absolute.to_str().unwrap(), "b.*"]]
            {
                let run = upload(directory, args);
                assert_eq!((run.code, skipped(&run), service.posted().len()), (0, 2, 2), "{args:?}: {}", run.stdout);
            }
        }
        // In a repository, the directory that it is started in makes no difference either.
        if repository {
            let run = upload(&second.join("out"), &["a.csv", "../b.csv"]);
            assert_eq!((run.code, skipped(&run), service.posted().len()), (0, 2, 2), "{}", run.stdout);
        }
        // Another file of the same content is another one.
        std::fs::write(second.join("c.csv"), "2\n").unwrap();
        std::fs::write(second.join("out/b.csv"), "2\n").unwrap();
        assert_eq!((upload(&second, &["c.csv", "out/b.csv"]).code, service.posted().len()), (0, 4));
        // So is one elsewhere.
        let elsewhere = project.dir.path().join("b.csv");
        std::fs::write(&elsewhere, "2\n").unwrap();
        for posted in [5, 5] {
            assert_eq!((upload(&second, &[elsewhere.to_str().unwrap()]).code, service.posted().len()), (0, posted));
        }
    }
}

/// Journals had the absolute path before. They are still understood, in the same place.
#[test]
fn a_journal_with_absolute_paths_is_resumed() {
    use sha2::{Digest, Sha256};

    let project = project();
    let service = Service::start(&project, &[]);
    let project = configure(project, &service.base, "external");
    let path = project.path().join("report.csv").canonicalize().unwrap();
    let mut key = Sha256::new();
    for part in [path.to_str().unwrap(), "report.csv", &format!("{}/", service.base), "", "C0123456789"] {
        key.update((part.len() as u64).to_be_bytes());
        key.update(part);
    }
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (key, sha256) = (hex(&key.finalize()), hex(&Sha256::digest(std::fs::read(&path).unwrap())));
    let line = |state: &str| json!({"schema": "credlint/journal/v1", "time": 1, "key": key, "file": "report.csv", "state": state, "size": 15, "modified": 1, "sha256": sha256, "file_id": null, "error": null});
    let journal = project.path().join("journal");
    std::fs::write(&journal, format!("{}\n", line("delivered"))).unwrap();
    let (code, receipt, stderr) = upload(&project, &["report.csv"]);
    assert_eq!((code, &receipt["reason"], service.posted().len()), (0, &json!("journal"), 0), "{receipt} {stderr}");
    // An open file stays open until its result is known.
    std::fs::write(&journal, format!("{}\n", line("uncertain"))).unwrap();
    let (code, receipt, _) = upload(&project, &["report.csv"]);
    assert_eq!((code, &receipt["error"]["code"]), (4, &json!("uncertain-before")), "{receipt}");
    assert_eq!((upload(&project, &["--retry-uncertain", "report.csv"]).0, service.posted().len()), (0, 1));
    assert_eq!((upload(&project, &["report.csv"]).1["reason"].clone(), service.posted().len()), (json!("journal"), 1));
}

/// Some file systems can't flush a directory, and some directories can't be read. The journal itself is still flushed.
#[cfg(target_os = "linux")]
#[test]
fn a_journal_in_a_directory_that_cannot_be_read_is_usable() {
    let project = project();
    let service = Service::start(&project, &[]);
    let project = configure(project, &service.base, "external");
    let directory = project.path().join("state");
    std::fs::create_dir(&directory).unwrap();
    crate::harness::set_mode(&directory, 0o300);
    crate::harness::set_mode(&project.path().join("report.csv"), 0o644);
    for posted in [1, 1] {
        let run =
            project.run_unprivileged(&["upload", "--profile", "reports", "--journal", "state/journal", "report.csv"]);
        assert_eq!((run.code, service.posted().len()), (0, posted), "{}{}", run.stdout, run.stderr);
    }
    crate::harness::set_mode(&directory, 0o700);
}
