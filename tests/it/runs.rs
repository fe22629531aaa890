//! Runs under adverse conditions: nobody reads the report, the disk is full, few files can be opened, the service is
//! down.

use std::collections::BTreeMap;

use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::harness::{Project, Run};
use crate::server::Service;
use crate::upload::{TOKEN, many, messages, project, upload};

/// Uploads all files, from a shell that runs `before` first.
fn upload_after(project: &Project, before: &str, args: &str) -> Command {
    let mut command = Command::new("sh");
    let line = format!("{before} exec {} upload --profile reports {args}", env!("CARGO_BIN_EXE_credlint"));
    command.args(["-c", &line]).current_dir(project.path()).env_clear().env("HOME", project.home()).env("T", TOKEN);
    command.stdin(Stdio::null());
    command
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cant_be_written_does_not_fail_the_run() {
    for format in ["human", "json", "jsonl"] {
        let (project, _service) = many(3, "external", &[]);
        let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = upload_after(&project, "", &format!("--format {format} many"));
        command.stdout(full());
        let run = Run::of(command);
        assert_eq!((run.code, messages(&project).len()), (0, 3), "{format}: {}", run.stderr);
        assert!(run.stderr.contains("could not be written: no storage space; 3 files"), "{format}: {}", run.stderr);
        assert!(run.stderr.contains("messaging.reports: 3 delivered"), "{format}: {}", run.stderr);
        // Files that were not delivered still determine the exit code.
        std::fs::write(project.path().join("many/001.csv"), TOKEN).unwrap();
        let mut command = upload_after(&project, "", &format!("--format {format} many/001.csv many/000.csv"));
        command.stdout(full());
        let run = Run::of(command);
        assert!(run.code == 5 && run.stderr.contains("1 delivered, 1 failed"), "{format}: {}", run.stderr);
        // If nothing is sent, the report is the only result.
        for mode in ["--dry-run", "--rehearse"] {
            let mut command = upload_after(&project, "", &format!("--format {format} {mode} many"));
            command.stdout(full());
            assert_eq!(Run::of(command).code, 3, "{format} {mode}");
        }
    }
}

#[test]
fn a_file_size_limit_does_not_kill_the_run() {
    for format in ["human", "json", "jsonl"] {
        let (project, _service) = many(60, "files.upload", &[]);
        // The unit of the shell is 512 or 1024 bytes; either is less than the report.
        let run = Run::of(upload_after(&project, "ulimit -f 1;", &format!("--format {format} many >report")));
        assert_eq!((run.code, messages(&project).len()), (0, 60), "{format}: {}", run.stderr);
        assert!(run.stderr.contains("could not be written: file too large; 60 files"), "{format}: {}", run.stderr);
    }
}

#[test]
fn a_journal_that_cant_be_written_does_not_undo_a_delivery() {
    let (project, _service) = many(1, "external", &[]);
    let mut only_the_last_line = 0;
    for limit in 1..6 {
        let before = format!("ulimit -f {limit};");
        let run = Run::of(upload_after(&project, &before, &format!("--format json --journal journal-{limit} many")));
        let document = run.document();
        let upload = &document["uploads"][0];
        let delivered = upload["status"] == "delivered";
        assert_eq!(run.code, if delivered { 0 } else { 3 }, "{document}");
        if delivered && upload["error"]["code"] == "journal-unwritable" {
            only_the_last_line += 1;
        }
    }
    assert!(only_the_last_line > 0, "no limit cuts the last line");
}

#[test]
fn a_closed_output_pipe_is_reported() {
    for format in ["human", "json", "jsonl"] {
        let (project, _service) = many(3, "external", &[]);
        let mut command = upload_after(&project, "", &format!("--format {format} many"));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        command.stdout(writer);
        let run = Run::of(command);
        assert_eq!((run.code, messages(&project).len()), (0, 3), "{format}: {}", run.stderr);
        assert!(run.stderr.contains("could not be written: broken pipe; 3 files"), "{format}: {}", run.stderr);
    }
}

/// Returns `true` if the condition becomes true soon.
fn eventually(mut so: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + Duration::from_secs(30);
    while !so() {
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// Sends a signal, and measures the time until the program has ended.
fn signalled(child: &mut Child, signal: &str) -> (Option<i32>, Duration) {
    let begun = Instant::now();
    let kill = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let code = child.wait().unwrap().code();
    (code, begun.elapsed())
}

#[test]
fn a_blocked_output_pipe_delays_neither_uploads_nor_signals() {
    // More than a pipe holds.
    let files = 400;
    for (format, signal, code) in [("jsonl", "INT", 130), ("jsonl", "TERM", 143), ("json", "TERM", 143)] {
        let (project, _service) = many(files, "files.upload", &[]);
        let mut command = upload_after(&project, "", &format!("--format {format} many"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let sent = eventually(|| messages(&project).len() == files);
        assert!(sent, "{format}: {} of {files}", messages(&project).len());
        // It is waiting for its reader by then.
        std::thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none());
        let (ended, took) = signalled(&mut child, signal);
        assert!(ended == Some(code) && took < Duration::from_secs(10), "{format}: {ended:?} after {took:?}");
    }
}

/// Uploads what a shell command writes to its standard output. Returns the exit code, and the code of the error.
fn piped(project: &Project, before: &str, args: &str) -> (i32, String) {
    let run =
        Run::of(upload_after(project, &format!("{before} |"), &format!("--filename x.csv --format json {args} -")));
    (run.code, run.document()["uploads"][0]["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn empty_standard_input_is_sent_only_on_request() {
    for (method, allowed) in [("files.upload", ""), ("external", "empty-file")] {
        let (project, _service) = many(0, method, &[]);
        for before in ["false", "true", "sleep 0.3; :"] {
            for args in ["", "--rehearse"] {
                assert_eq!(piped(&project, before, args), (3, "empty-input".to_owned()), "{method} {before} {args}");
            }
        }
        assert_eq!(messages(&project).len(), 0, "{method}");
        let code = if allowed.is_empty() { 0 } else { 3 };
        assert_eq!(piped(&project, "false", "--allow-empty"), (code, allowed.to_owned()), "{method}");
        let posted = messages(&project).len();
        assert_eq!(posted, usize::from(allowed.is_empty()), "{method}");
        // However late and however large the input is.
        for before in ["{ sleep 0.3; echo 1; }", "head -c 3000000 /dev/zero"] {
            assert_eq!(piped(&project, before, "").0, 0, "{method} {before}");
        }
        assert_eq!(messages(&project).len(), posted + 2, "{method}");
    }
}

/// Counts the files by status and reason.
fn counts(run: &Run) -> Vec<(String, usize)> {
    let mut counts = BTreeMap::new();
    for upload in run.document()["uploads"].as_array().unwrap() {
        let words = [&upload["status"], &upload["reason"], &upload["error"]["code"]];
        let words: Vec<&str> = words.iter().filter_map(|word| word.as_str()).collect();
        *counts.entry(words.join(" ")).or_default() += 1;
    }
    counts.into_iter().collect()
}

fn counted(expected: &[(&str, usize)]) -> Vec<(String, usize)> {
    expected.iter().map(|&(words, number)| (words.to_owned(), number)).collect()
}

#[test]
fn an_error_that_applies_to_every_file_stops_the_run() {
    for (method, fault, code, reason) in [
        ("files.upload", "files.upload=error:invalid_auth", "invalid_auth", "token"),
        ("external", "files.getUploadURLExternal=error:token_revoked", "token_revoked", "token"),
        ("external", "files.completeUploadExternal=error:not_in_channel", "not_in_channel", "channel"),
        ("external", "files.completeUploadExternal=error:is_archived", "is_archived", "channel"),
        ("files.upload", "files.upload=error:storage_limit_reached", "storage_limit_reached", "workspace"),
        ("files.upload", "files.upload=error:thread_not_found", "thread_not_found", "channel"),
        ("files.upload", "files.upload=error:file_uploads_disabled", "file_uploads_disabled", "workspace"),
    ] {
        let (project, _service) = many(20, method, &["--fail", fault]);
        let run = upload(&project, &["--concurrency", "1", "many"]);
        let failed = format!("failed {code}");
        let skipped = format!("skipped {reason}");
        assert_eq!((run.code, counts(&run)), (3, counted(&[(&failed, 1), (&skipped, 19)])), "{fault}");
        // Files that are being sent at that time are finished.
        let run = upload(&project, &["--concurrency", "4", "many"]);
        assert_eq!((run.code, counts(&run)), (3, counted(&[(&failed, 4), (&skipped, 16)])), "{fault}");
        let human = project.run(&["upload", "--profile", "reports", "--concurrency", "1", "many"]);
        assert!(human.stdout.contains("19 skipped"), "{}", human.stdout);
    }
}

#[test]
fn a_page_in_place_of_an_answer_stops_the_run() {
    // 401 is about the token, even without a code; the others may be about the content, unless there are several.
    let html = "text/html\r\nLocation: /login";
    for (status, kind, expected) in [
        ("401 Unauthorized", "text/plain", &[("failed http-status", 1), ("skipped token", 19)][..]),
        ("403 Forbidden", "text/plain", &[("failed http-status", 4), ("skipped unreachable", 16)]),
        ("404 Not Found", html, &[("failed http-status", 4), ("skipped unreachable", 16)]),
        ("302 Found", html, &[("failed redirected", 4), ("skipped unreachable", 16)]),
        ("200 OK", html, &[("skipped unreachable", 16), ("uncertain html-answer", 4)]),
        ("503 Service Unavailable", html, &[("skipped unreachable", 16), ("uncertain http-status", 4)]),
        // The file may be the cause.
        ("413 Content Too Large", html, &[("failed http-status", 20)]),
        ("500 Internal Server Error", html, &[("uncertain http-status", 20)]),
    ] {
        let service = Service::start(move |_, connection| {
            connection.read_all();
            let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: 6\r\n");
            connection.send(format!("{head}Connection: close\r\n\r\n<html>").as_bytes());
        });
        let mut files = project(&service.base());
        for number in 0..20 {
            files = files.file(&format!("many/{number}"), "x");
        }
        let run = upload(&files, &["--concurrency", "1", "many"]);
        let code = if expected.iter().any(|(word, _)| word.starts_with("uncertain")) { 4 } else { 3 };
        assert_eq!((run.code, counts(&run)), (code, counted(expected)), "{status}");
        service.finish();
    }
    // A failure that may be caused by the file says nothing about the next one.
    let (project, _service) = many(6, "files.upload", &["--fail", "files.upload=error:malware_detected,1"]);
    let run = upload(&project, &["--concurrency", "1", "many"]);
    assert_eq!((run.code, messages(&project).len()), (5, 5), "{:?}", counts(&run));
    // An uncertain file takes precedence.
    let faults = ["--fail", "files.upload=lost,1", "--fail", "files.upload=error:invalid_auth"];
    let (project, _service) = many(6, "files.upload", &faults);
    let run = upload(&project, &["--concurrency", "1", "many"]);
    let expected = [("failed invalid_auth", 1), ("skipped token", 4), ("uncertain connection-lost", 1)];
    assert_eq!((run.code, counts(&run)), (4, counted(&expected)));
}

#[test]
fn an_unreachable_service_stops_the_run() {
    let (project, service) = many(100, "external", &[]);
    drop(service);
    let run = upload(&project, &["--concurrency", "1", "--retries", "0", "many"]);
    let expected = [("failed connection-refused", 4), ("skipped unreachable", 96)];
    assert_eq!((run.code, counts(&run)), (3, counted(&expected)));
    // The files that were being sent, two that began when the first two had failed, and the one that was sent alone
    // after them.
    let run = upload(&project, &["--concurrency", "8", "--retries", "1", "many"]);
    let counts_then = counts(&run);
    assert!(run.code == 3 && counts_then[0].1 <= 11 && counts_then[1].0 == "skipped unreachable", "{counts_then:?}");
    // A service that only answers 503 counts as down.
    let (project, _service) = many(100, "external", &["--fail", "files.getUploadURLExternal=503"]);
    let run = upload(&project, &["--concurrency", "1", "--retries", "0", "many"]);
    let expected = [("failed http-status", 4), ("skipped unreachable", 96)];
    assert_eq!((run.code, counts(&run)), (3, counted(&expected)));
}

#[test]
fn shares_that_cannot_be_confirmed_are_refused_before_sending() {
    for method in ["external", "files.upload"] {
        for (fault, expected) in [
            ("files.info=error:missing_scope", &[("failed missing_scope", 3)][..]),
            ("files.info=error:unknown_method", &[("failed unknown_method", 3)]),
            ("files.info=html", &[("failed html-answer", 3)]),
            ("files.info=504", &[("failed http-status", 3)]),
            ("files.info=429:900", &[("failed ratelimited", 3)]),
            ("files.info=lost", &[("failed connection-lost", 3)]),
            // The service answers later.
            ("files.info=504,1", &[("delivered", 3)]),
            ("auth.test=500", &[("delivered", 3)]),
        ] {
            let (project, _service) = many(3, method, &["--fail", fault]);
            let run = upload(&project, &["--confirm", "--retries", "1", "--answer-timeout", "1", "many"]);
            let (code, posted) = if expected[0].0 == "delivered" { (0, 3) } else { (3, 0) };
            assert_eq!(
                (run.code, counts(&run), messages(&project).len()),
                (code, counted(expected), posted),
                "{fault}"
            );
            let first = &run.document()["uploads"][0];
            assert_eq!((first["ts"].is_string(), first["permalink"].is_string()), (code == 0, code == 0), "{first}");
            if code != 0 {
                assert!(first["error"]["message"].as_str().unwrap().starts_with("nothing was sent"), "{first}");
            }
        }
    }
}

#[test]
fn the_run_continues_when_the_service_recovers() {
    // Three give up at once; the fourth, which is sent alone, finds the service up.
    let faults = ["--fail", "files.getUploadURLExternal=503,3"];
    let (project, _service) = many(30, "external", &faults);
    let run = upload(&project, &["--concurrency", "1", "--retries", "0", "many"]);
    let expected = [("delivered", 27), ("failed http-status", 3)];
    assert_eq!((run.code, counts(&run)), (5, counted(&expected)));
    assert_eq!(messages(&project).len(), 27);
}

#[test]
fn concurrency_is_limited_by_file_descriptors() {
    for (method, limit) in [("files.upload", 64), ("external", 64), ("external", 24)] {
        let (project, _service) = many(300, method, &["--delay", "20"]);
        let args = "--format json --concurrency 128 many";
        let run = Run::of(upload_after(&project, &format!("ulimit -n {limit};"), args));
        assert_eq!((run.code, counts(&run)), (0, counted(&[("delivered", 300)])), "{method} {limit}: {}", run.stderr);
        let notice = format!("at a time, not 128: the limit of {limit} of open files (ulimit -n) allows no more");
        assert!(run.stderr.contains(&notice), "{}", run.stderr);
    }
    let (project, _service) = many(9, "external", &[]);
    let run = Run::of(upload_after(&project, "ulimit -n 64;", "--rehearse --concurrency 128 --format json many"));
    assert_eq!((run.code, counts(&run)), (0, counted(&[("rehearsed", 9)])), "{}", run.stderr);
    // If that is enough, there is no message.
    let run = Run::of(upload_after(&project, "ulimit -n 256;", "--concurrency 8 --format json many"));
    assert!(run.code == 0 && !run.stderr.contains("ulimit"), "{}", run.stderr);
}

#[test]
fn too_few_file_descriptors_are_reported() {
    let (project, _service) = many(2, "external", &[]);
    for limit in 5..24 {
        for format in ["json", "jsonl"] {
            let before = format!("ulimit -n {limit};");
            let run = Run::of(upload_after(&project, &before, &format!("--format {format} many")));
            assert!(!run.stderr.contains("internal error"), "{limit}: {}", run.stderr);
            if run.code != 0 {
                assert!(run.code == 3 && run.stdout.contains("no-resources"), "{limit}: {} {}", run.code, run.stdout);
            }
            if format == "json" {
                let document = run.document();
                assert_eq!(document["uploads"].as_array().unwrap().len(), 2, "{limit}");
            }
        }
        for command in ["verify", "sandbox --listen 192.0.2.1:1"] {
            let line = format!("ulimit -n {limit}; exec {} {command}", env!("CARGO_BIN_EXE_credlint"));
            let mut shell = Command::new("sh");
            shell
                .args(["-c", &line])
                .current_dir(project.path())
                .env_clear()
                .env("HOME", project.home())
                .env("T", TOKEN);
            let run = Run::of(shell);
            assert!([0, 2, 3].contains(&run.code) && !run.stderr.contains("internal error"), "{limit}: {}", run.stderr);
        }
    }
    let run = Run::of(upload_after(&project, "ulimit -n 6;", "many"));
    assert!(
        run.code == 3 && run.stdout.contains("the limit of open files is too low"),
        "{} {}",
        run.stdout,
        run.stderr
    );
}

#[test]
fn waiting_for_another_file_does_not_count_towards_max_wait() {
    let asked = Mutex::new(Vec::new());
    let service = Service::start(move |_, connection| {
        connection.read_all();
        let name = connection.parts().last().unwrap().1.clone().unwrap();
        let first = {
            let mut asked = asked.lock().unwrap();
            asked.push(name.clone());
            asked.iter().filter(|before| **before == name).count() == 1
        };
        let answer = match name.as_str() {
            "own.csv" if first => "429 Too Many Requests\r\nRetry-After: 1",
            "other.csv" if first => {
                std::thread::sleep(Duration::from_millis(500));
                "429 Too Many Requests\r\nRetry-After: 2"
            }
            _ => "200 OK",
        };
        let body = "{\"ok\":true}";
        let body = if answer.starts_with("200") { body } else { "" };
        let len = body.len();
        connection
            .send(format!("HTTP/1.1 {answer}\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n{body}").as_bytes());
    });
    let project = project(&service.base()).file("own.csv", "1").file("other.csv", "2");
    // One second for itself, and then one and a half for the other.
    let run = upload(&project, &["--max-wait", "2", "--concurrency", "2", "own.csv", "other.csv"]);
    assert_eq!((run.code, counts(&run)), (0, counted(&[("delivered", 2)])), "{}", run.stdout);
    service.finish();
}

/// Runs as another user, who may have this number of threads. `None` if this user can't do that.
#[cfg(target_os = "linux")]
fn with_threads(project: &Project, threads: usize, args: &str) -> Option<Run> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    // A user of its own for each number, so that no other test takes its threads.
    let user = (54_000 + threads).to_string();
    let chown = Command::new("chown").args(["-R", &user]).arg(project.dir.path()).status().unwrap();
    assert!(chown.success());
    let mut command = Command::new("setpriv");
    let program = env!("CARGO_BIN_EXE_credlint");
    let line = format!("ulimit -u {threads}; exec {program} {args}");
    command.args(["--reuid", &user, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "bash", "-c", &line]);
    command
        .current_dir(project.path())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", project.home())
        .env("T", TOKEN);
    command.stdin(Stdio::null());
    Some(Run::of(command))
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_without_threads_fails_and_does_not_abort() {
    let (project, _service) = many(1, "external", &[]);
    assert_eq!(upload(&project, &["--journal", "journal", "many"]).code, 0);
    for threads in 1..8 {
        // The journal compares the content of the file.
        let args = "upload --profile reports --format json --journal journal many";
        let Some(run) = with_threads(&project, threads, args) else { return };
        assert!([0, 3].contains(&run.code) && !run.stderr.contains("internal error"), "{threads}: {}", run.stderr);
        let said = run.document()["uploads"][0]["error"]["code"].clone();
        assert!(run.code == 0 || said == "no-resources", "{threads}: {said}");
        if threads == 7 {
            assert_eq!(run.code, 0, "{}", run.stdout);
        }
    }
    // A name is looked up in a thread.
    for args in ["upload --profile reports --retries 0 many", "verify --max-wait 0", "sandbox --listen 192.0.2.1:1"] {
        let config = std::fs::read_to_string(project.path().join("credlint.toml")).unwrap();
        let mut lines: Vec<&str> = config.lines().collect();
        let base = lines.iter().position(|line| line.starts_with("base_url")).unwrap();
        lines[base] = "base_url = \"https://chat.invalid\"";
        std::fs::write(project.path().join("credlint.toml"), lines.join("\n")).unwrap();
        for threads in 1..8 {
            let Some(run) = with_threads(&project, threads, args) else { return };
            assert!(
                [2, 3].contains(&run.code) && !run.stderr.contains("internal error"),
                "{args} {threads}: {}",
                run.stderr
            );
        }
    }
}

/// Someone stopped the output of the terminal, and the bar fills what it keeps.
#[cfg(target_os = "linux")]
#[test]
fn an_unread_terminal_does_not_stop_the_uploads() {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;

    let files = 300;
    let (project, _service) = many(files, "files.upload", &["--delay", "10"]);
    let (controller, terminal) = crate::harness::terminal();
    let path = std::fs::read_link(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&terminal))).unwrap();
    let mut fill = std::fs::File::options().write(true).custom_flags(libc_nonblock()).open(path).unwrap();
    let mut command = project.command(&["upload", "--profile", "reports", "--format", "json", "many"]);
    let mut child = command.stdout(Stdio::piped()).stderr(terminal).spawn().unwrap();
    assert!(eventually(|| messages(&project).len() > 3));
    while fill.write(&[b'x'; 1024]).is_ok() {}
    let mut out = child.stdout.take().unwrap();
    let read = std::thread::spawn(move || std::io::read_to_string(&mut out).unwrap());
    assert!(eventually(|| messages(&project).len() == files), "{} of {files}", messages(&project).len());
    // The document is written, too.
    let document = read.join().unwrap();
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["summary"]["delivered"], files);
    drop(controller);
    child.wait().unwrap();
}

/// O_NONBLOCK.
#[cfg(target_os = "linux")]
fn libc_nonblock() -> i32 {
    rustix::fs::OFlags::NONBLOCK.bits().cast_signed()
}

/// Starts an upload, sends a signal once `ready`, and returns the exit code and the document.
fn interrupted(project: &Project, before: &str, args: &str, signal: &str, ready: impl FnMut() -> bool) -> Run {
    let mut command = upload_after(project, before, &format!("--format json {args}"));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert!(eventually(ready));
    let kill = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn a_signal_at_any_time_ends_with_receipts() {
    let skipped = counted(&[("skipped interrupted", 2)]);
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        if signal == "HUP" && !cfg!(target_os = "linux") {
            continue;
        }
        // While the service is asked whether shares can be confirmed.
        let (project, service) = many(2, "external", &["--fail", "files.info=silence"]);
        let begun = Instant::now();
        let run = interrupted(&project, "", "--confirm many", signal, || begun.elapsed() > Duration::from_millis(700));
        assert_eq!((run.code, counts(&run)), (code, skipped.clone()), "{signal}: {}", run.stderr);
        drop(service);
        // While a file is read to compare it with the journal.
        let (project, _service) = many(1, "external", &[]);
        let large = std::fs::File::create(project.path().join("many/large.bin")).unwrap();
        large.set_len(1).unwrap();
        assert_eq!(upload(&project, &["--journal", "journal", "many/large.bin"]).code, 0);
        large.set_len(64 << 30).unwrap();
        let journal = project.path().join("journal");
        let text =
            std::fs::read_to_string(&journal).unwrap().replace("\"size\":1,", &format!("\"size\":{},", 64_u64 << 30));
        std::fs::write(&journal, text).unwrap();
        let args = "--concurrency 1 --journal journal many/000.csv many/large.bin";
        let run = interrupted(&project, "", args, signal, || messages(&project).len() == 2);
        let expected = counted(&[("delivered", 1), ("skipped interrupted", 1)]);
        assert_eq!((run.code, counts(&run)), (code, expected), "{signal}: {}", run.stderr);
    }
}

/// A program that ignores a signal, as under `nohup` or in the background of a shell, continues.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stays_ignored() {
    for signal in ["HUP", "INT", "TERM"] {
        let (project, _service) = many(20, "files.upload", &["--delay", "30"]);
        let before = format!("trap '' {signal};");
        let run = interrupted(&project, &before, "--concurrency 1 many", signal, || messages(&project).len() > 2);
        assert_eq!((run.code, messages(&project).len()), (0, 20), "{signal}: {}", run.stderr);
    }
}

#[test]
fn the_longest_durations_are_no_mistake() {
    use credlint::upload::{Method, Status, Watch};

    use crate::external::{client, file, post, settings};

    let directory = tempfile::tempdir().unwrap();
    for (method, faults) in [
        (
            Method::External,
            &["files.getUploadURLExternal=429:1,1", "upload=503,1", "files.completeUploadExternal=lost,1"][..],
        ),
        (Method::FilesUpload, &["files.upload=429:1,1"]),
    ] {
        let faults: Vec<&str> = faults.iter().flat_map(|fault| ["--fail", fault]).collect();
        let (_project, service) = many(0, "external", &faults);
        let mut settings = settings(method);
        let longest = Duration::MAX;
        (settings.connect_timeout, settings.stall_timeout, settings.answer_timeout) = (longest, longest, longest);
        settings.max_wait = longest;
        for confirm in [false, true] {
            settings.confirm_shares = confirm;
            let client = client(&service.1, settings.clone());
            let payload = file(directory.path(), "a.csv", b"x");
            let receipt = crate::server::runtime().block_on(client.upload(&post(), payload, Watch::default()));
            assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
        }
        // A first wait of any length is only too long.
        settings.backoff = longest;
        let (_project, service) = many(0, "external", &["--fail", "*=503"]);
        settings.max_wait = Duration::from_secs(1);
        let client = client(&service.1, settings);
        let payload = file(directory.path(), "a.csv", b"x");
        let receipt = crate::server::runtime().block_on(client.upload(&post(), payload, Watch::default()));
        assert_ne!(receipt.status, Status::Delivered, "{receipt:?}");
    }
}

/// Something between here and the service may answer the lookup: a page, a redirect, a 404.
#[test]
fn nothing_is_sent_if_something_else_answers_the_lookup() {
    for answer in [
        "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<h1>404</h1>\n",
        "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 14\r\n\r\n<h1>Hello</h1>",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        "SSH-2.0-OpenSSH_9.2\r\n",
    ] {
        for method in ["external", "files.upload"] {
            let service = crate::server::Service::start(move |_, connection| {
                connection.read_all();
                connection.send(answer.as_bytes());
            });
            let project = project(&service.base()).file("a.csv", "a").file("b.csv", "b");
            let text = std::fs::read_to_string(project.path().join("credlint.toml")).unwrap();
            let project = project.file("credlint.toml", format!("{text}upload_method = \"{method}\"\n"));
            let begun = Instant::now();
            let run = upload(&project, &["--confirm", "a.csv", "b.csv"]);
            let document = run.document();
            assert_eq!(run.code, 3, "{answer} {document}");
            for upload in document["uploads"].as_array().unwrap() {
                let message = upload["error"]["message"].as_str().unwrap();
                assert!(upload["status"] == "failed" && message.starts_with("nothing was sent"), "{answer} {upload}");
            }
            assert!(begun.elapsed() < Duration::from_secs(5), "{answer}: asked again and again");
            let seen = service.finish();
            assert!(seen.iter().all(|connection| connection.line().ends_with("files.info")), "{answer}");
        }
    }
}

/// A service that resolves the name of a channel answers with its ID.
#[test]
fn a_share_in_a_named_channel_is_confirmed() {
    let file = serde_json::json!({"id": "F0123456789", "channels": ["C0123456789"],
        "shares": {"public": {"C0123456789": [{"ts": "1700000000.000100"}]}}});
    for (channels, status) in [
        (r##"["#general"]"##, "delivered"),
        (r##"["#general", "C0123456789"]"##, "uncertain"),
        (r#"["general"]"#, "delivered"),
        (r#"["C0999999999"]"#, "uncertain"),
    ] {
        let answer = crate::external::json_response(&serde_json::json!({"ok": true, "file": file}));
        let service = crate::server::Service::start(move |_, connection| {
            connection.read_all();
            connection.send(&answer);
        });
        let text = format!(
            "[messaging.reports]\nbase_url = \"{}\"\ntoken = {{ env = \"T\" }}\nchannels = {channels}\nupload_method = \"files.upload\"\n",
            service.base()
        );
        let project = Project::new().file("credlint.toml", text).file("a.csv", "a").env("T", TOKEN);
        let run = upload(&project, &["--confirm", "a.csv"]);
        assert_eq!(run.document()["uploads"][0]["status"], status, "{channels} {}", run.stdout);
        drop(service.finish());
    }
}
