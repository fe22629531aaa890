//! Files that several machines send in shares: every file is delivered once, whatever is run again.

use std::collections::BTreeSet;
use std::path::Path;

use crate::harness::{Project, Run};
use crate::upload::{many, messages};

fn upload(project: &Project, args: &[&str]) -> Run {
    project.run(&[&["upload", "--profile", "reports", "--format", "json"], args].concat())
}

/// The names of everything that was posted, in order.
fn posted(project: &Project) -> Vec<String> {
    let mut names: Vec<String> = messages(project).concat();
    names.sort();
    names
}

fn count(run: &Run, what: &str) -> u64 {
    run.document()["summary"][what].as_u64().unwrap()
}

#[test]
fn shards_deliver_every_file_once_even_if_they_are_repeated() {
    for (method, shares) in [("files.upload", 4), ("external", 3), ("files.upload", 1)] {
        let (project, _service) = many(60, method, &[]);
        let all: Vec<String> = (0..60).map(|number| format!("{number:03}.csv")).collect();
        let here = project.path().join("many");
        // Machines refer to the same files in different ways.
        let named = ["many", "./many/", here.to_str().unwrap(), "many/../many/*.csv"];
        let run = |share: usize| {
            let (shard, journal) = (format!("{share}/{shares}"), format!("journal-{share}"));
            upload(&project, &["--shard", &shard, "--journal", &journal, named[share - 1]])
        };
        let runs: Vec<Run> = std::thread::scope(|scope| {
            let threads: Vec<_> = (1..=shares).map(|share| scope.spawn(move || run(share))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(
            runs.iter().all(|run| run.code == 0),
            "{}",
            runs.iter().map(|run| run.stderr.as_str()).collect::<String>()
        );
        assert_eq!(posted(&project), all, "{method}: every file once");
        assert!(runs.iter().all(|run| count(run, "delivered") >= 5), "shares are even");
        assert_eq!(runs.iter().map(|run| count(run, "files")).sum::<u64>(), 60);
        let first = count(&runs[0], "files");
        assert!(runs[0].stderr.contains(&format!("shard 1/{shares}: {first} files of 60")), "{}", runs[0].stderr);
        // A shell in a directory behind a link gives it another name.
        let link = project.dir.path().join("link");
        if std::os::unix::fs::symlink(project.path(), &link).is_ok() {
            let behind = link.join("many");
            let args = [
                "upload",
                "--profile",
                "reports",
                "--format",
                "json",
                "--dry-run",
                "--shard",
                &format!("1/{shares}"),
                behind.to_str().unwrap(),
            ];
            let mut command = project.command(&args);
            command.env("PWD", &link);
            let run = Run::of(command);
            assert_eq!(count(&run, "files"), count(&runs[0], "files"), "{}", run.stderr);
        }
        // A second run sends nothing.
        for share in 1..=shares {
            let again = run(share);
            assert_eq!((again.code, count(&again, "skipped")), (0, count(&runs[share - 1], "files")));
        }
        assert_eq!(posted(&project), all);
        // A journal belongs to one share.
        let other = format!("{shares}/{}", shares + 1);
        let before = std::fs::read(project.path().join("journal-1")).unwrap();
        for args in [&["--shard", &other][..], &[]] {
            let run = upload(&project, &[args, &["--journal", "journal-1", "many"]].concat());
            let error = run.document()["uploads"][0]["error"].clone();
            assert_eq!((run.code, error["code"].as_str()), (3, Some("journal-shard")), "{error}");
            assert!(
                error["message"]
                    .as_str()
                    .unwrap()
                    .contains(&format!("belongs to a run with --shard 1/{shares}, but this run has "))
            );
        }
        assert_eq!(std::fs::read(project.path().join("journal-1")).unwrap(), before);
        assert_eq!(posted(&project), all);
    }
}

#[test]
fn an_interrupted_run_resumes_with_the_same_shard() {
    // Shares of two machines with separate directories, one of which is stopped by the first failure.
    let (project, service) = many(40, "files.upload", &["--fail", "files.upload=error:invalid_auth,1"]);
    let config = std::fs::read_to_string(project.path().join("credlint.toml")).unwrap();
    let mut other = Project::new().file("credlint.toml", config).env("T", crate::upload::TOKEN);
    for number in 0..40 {
        other = other.file(&format!("many/{number:03}.csv"), format!("{number}\n"));
    }
    let args = |share: &'static str| ["--shard", share, "--journal", "journal", "--concurrency", "1", "many"];
    let stopped = upload(&project, &args("1/2"));
    assert!(stopped.code == 3 && count(&stopped, "delivered") == 0, "{}", stopped.stdout);
    assert_eq!(upload(&other, &args("2/2")).code, 0);
    assert_eq!(upload(&project, &args("1/2")).code, 0);
    let unique: BTreeSet<String> = posted(&project).into_iter().collect();
    assert_eq!((posted(&project).len(), unique.len()), (40, 40));
    drop(service);
}

#[test]
fn an_empty_shard_succeeds() {
    let (project, _service) = many(1, "files.upload", &[]);
    let runs: Vec<Run> = (1..=3).map(|share| upload(&project, &["--shard", &format!("{share}/3"), "many"])).collect();
    assert!(runs.iter().all(|run| run.code == 0) && messages(&project).len() == 1);
    let empty = runs.iter().find(|run| count(run, "files") == 0).unwrap();
    assert!(empty.stderr.contains("0 files of 1") && empty.document()["uploads"].as_array().unwrap().is_empty());
    // An empty share is still an error, and so is a profile with errors.
    let empty = empty.stderr.split("shard ").nth(1).unwrap().split(':').next().unwrap();
    std::fs::write(project.path().join("none"), "").unwrap();
    assert_eq!(upload(&project, &["--shard", empty, "--files-from", "none"]).code, 2);
    let broken = Project::new().file("credlint.toml", "[messaging.reports]\n").file("many/000.csv", "0");
    assert!((1..=3).all(|share| upload(&broken, &["--shard", &format!("{share}/3"), "many"]).code == 1));
    for wrong in ["0/3", "4/3", "x"] {
        let run = upload(&project, &["--shard", wrong, "many"]);
        assert!(run.code == 2 && run.stderr.contains("expected K/N"), "{}", run.stderr);
    }
    let run = upload(&project, &["--shard", "1/2", "--filename", "x", "-"]);
    assert!(run.code == 2 && run.stderr.contains("--shard can't divide"), "{}", run.stderr);
    assert!(!Path::new("journal").exists());
}

/// With one processor, a file over plain http is read by the sender.
#[cfg(target_os = "linux")]
#[test]
fn a_large_file_arrives_intact_with_one_processor() {
    use std::process::Command;

    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
    let first = allowed.split([',', '-']).next().unwrap();
    let bytes: Vec<u8> = (0..3_000_001_u32).map(|number| (number % 251) as u8).collect();
    for method in ["files.upload", "external"] {
        let (project, _service) = many(0, method, &["--store", "store"]);
        let project = project.file("large.bin", &bytes);
        let mut late = bytes.clone();
        late.splice(2_000_000..2_000_000, *b"xoxb-0000000000-0000000000-abcdefghijkl");
        let project = project.file("late.bin", late);
        let upload = |file: &str| {
            let mut command = Command::new("taskset");
            command.args([
                "-c",
                first,
                env!("CARGO_BIN_EXE_credlint"),
                "upload",
                "--profile",
                "reports",
                "--format",
                "json",
            ]);
            command.arg(file).current_dir(project.path()).env("HOME", project.home()).env("T", crate::upload::TOKEN);
            Run::of(command)
        };
        let run = upload("large.bin");
        assert_eq!((run.code, count(&run, "bytes")), (0, 3_000_001), "{}", run.stderr);
        let stored = || std::fs::read_dir(project.path().join("store")).unwrap().map(|entry| entry.unwrap().path());
        assert!(stored().count() == 1 && stored().all(|path| std::fs::read(path).unwrap() == bytes), "{method}");
        let run = upload("late.bin");
        assert_eq!((run.code, &run.document()["uploads"][0]["error"]["code"]), (3, &"own-secret".into()), "{method}");
        assert_eq!(messages(&project).len(), 1);
    }
}
