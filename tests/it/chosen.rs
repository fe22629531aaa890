//! Which files an upload sends, and what it says about those that it leaves out.

use std::process::Stdio;

use serde_json::Value;

use crate::harness::{Project, Run};
use crate::upload::{TOKEN, many, messages};

const CONFIG: &str = "[messaging.reports]\nbase_url = 'http://127.0.0.1:9'\ntoken = { env = 'T' }\nchannels = ['C0123456789']\nupload_method = 'external'\n";

fn project(files: &[&str]) -> Project {
    let project = Project::new().file("credlint.toml", CONFIG).env("T", TOKEN);
    files.iter().fold(project, |project, file| project.file(file, "x"))
}

/// The files that a dry run would send, and what it says.
fn chosen(project: &Project, args: &[&str]) -> (String, String) {
    let run = project.run(&[&["upload", "--profile", "reports", "--dry-run", "--format", "json"], args].concat());
    (files(&run), run.stderr)
}

fn files(run: &Run) -> String {
    let document: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
    let uploads = document["uploads"].as_array().cloned().unwrap_or_default();
    let sent = uploads.iter().filter(|upload| upload["status"] == "skipped");
    sent.map(|upload| upload["file"].as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

const TREE: &[&str] = &["a-data/ax.csv", "a-data/x.csv", "b-data/y.csv", "reports/a.csv", "reports/archive/b.csv"];

/// The patterns of a command line mean the same everywhere: `*` stays within a name, one without `/` is a name anywhere,
/// and one with `/` begins at the working directory.
#[test]
fn patterns_mean_the_same_in_every_command() {
    let project = project(TREE);
    let here = project.path();
    let below = |name: &str| here.join(name).to_str().unwrap().to_owned();
    for (pattern, named, expected) in [
        // A named directory is searched, whatever its name.
        ("r*", "reports/", "reports/a.csv reports/archive/b.csv"),
        ("a*", "a-data", "a-data/x.csv"),
        ("ax*", "a-data", "a-data/x.csv"),
        ("rep*csv", "reports", "reports/a.csv reports/archive/b.csv"),
        ("a*v", "reports", "reports/archive/b.csv"),
        ("reports/*.csv", "reports", "reports/archive/b.csv"),
        ("/reports/archive", "reports", "reports/a.csv"),
        ("./reports/archive/", "reports", "reports/a.csv"),
        ("archive/b.csv", "reports", "reports/a.csv reports/archive/b.csv"),
        ("**/archive/b.csv", "reports", "reports/a.csv"),
        ("reports/**/b.csv", "reports", "reports/a.csv"),
        ("{archive,x}", "reports", "reports/a.csv"),
        ("{reports/{archive,old},x}", "reports", "reports/a.csv"),
        ("[!a]*", "a-data", "a-data/ax.csv"),
        // Where the checkout is does not matter, unless the pattern says so.
        (&format!("*{}*", here.parent().unwrap().file_name().unwrap().to_str().unwrap()), "b-data", "b-data/y.csv"),
        (&below("reports/archive"), "reports", "reports/a.csv"),
        (&below("reports/arch*"), &below("reports"), &below("reports/a.csv")),
    ] {
        let (sent, said) = chosen(&project, &["--exclude", pattern, named]);
        assert_eq!(sent, expected, "{pattern} {named}: {said}");
        // `check` excludes the same.
        let variables = self::project(&[]);
        for file in TREE {
            let file = file.replace(".csv", ".env");
            let path = variables.path().join(&file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "STRIPE_SECRET_KEY=sk_test_51HxQvAB2eZvKYlo2C0aBcDeF\n").unwrap();
        }
        let moved =
            |text: &str| text.replace(here.to_str().unwrap(), variables.path().to_str().unwrap()).replace("csv", "env");
        let run = variables.run(&["check", "--list", "--exclude", &moved(pattern), &moved(named)]);
        let listed: Vec<_> = run.stdout.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
        let listed: Vec<_> = listed.into_iter().filter(|file| *file != "credlint.toml").collect();
        let strip = |text: &str| moved(text).replace(&format!("{}/", variables.path().display()), "");
        assert_eq!(listed.join(" "), strip(expected), "check {pattern}: {}{}", run.stdout, run.stderr);
    }
    // As FILE, a pattern is a path; the alternatives are those of `--exclude`.
    for (pattern, expected) in [
        ("*-data/*.csv", "a-data/ax.csv a-data/x.csv b-data/y.csv"),
        ("{a,b}-data/[xy].csv", "a-data/x.csv b-data/y.csv"),
        ("reports/{a,archive/b}.csv", "reports/a.csv reports/archive/b.csv"),
        ("**/b.csv", "reports/archive/b.csv"),
        ("reports/**/*.csv", "reports/a.csv reports/archive/b.csv"),
    ] {
        let (sent, said) = chosen(&project, &[pattern]);
        assert_eq!(sent, expected, "{pattern}: {said}");
    }
    for wrong in ["a[", "{a", "a}", "!a", "../a", "", "/", "./"] {
        for args in [
            &["upload", "--profile", "reports", "--dry-run", "--exclude", wrong, "reports"][..],
            &["check", "--exclude", wrong, "."],
        ] {
            assert_eq!(project.run(args).code, 2, "{args:?}");
        }
    }
}

#[test]
fn a_list_names_files_not_patterns() {
    let project = project(&["report1.csv", "secret-plan.csv", "dir/x.csv", "[x].csv"]);
    for list in ["report[1].csv\n", "*plan*\n", "report[1].csv\0", "{report1,x}.csv\n", "dir\n"] {
        std::fs::write(project.path().join("list"), list).unwrap();
        let run = project.run(&["upload", "--profile", "reports", "--dry-run", "--files-from", "list"]);
        assert!(run.code == 3 && run.stdout.contains("failed"), "{list:?}: {}", run.stdout);
        assert!(!run.stdout.contains("pattern"), "{list:?}: {}", run.stdout);
        assert!(
            !run.stdout.contains("secret-plan.csv  skipped") && !run.stdout.contains("x.csv  skipped"),
            "{}",
            run.stdout
        );
    }
    std::fs::write(project.path().join("list"), "[x].csv\nreport1.csv\n").unwrap();
    assert_eq!(chosen(&project, &["--files-from", "list"]).0, "[x].csv report1.csv");
}

#[test]
fn what_a_run_writes_is_not_posted() {
    let (project, _service) = many(1, "external", &[]);
    for _ in 0..2 {
        let run = project.run(&["upload", "--profile", "reports", "--report", "json=many/result.json", "many"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    assert_eq!(messages(&project).concat(), ["000.csv"; 2]);
    std::fs::remove_file(project.path().join("many/result.json")).unwrap();
    let stream = |name: &str| {
        let path = project.path().join(name);
        std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap()
    };
    for _ in 0..2 {
        let mut command = project.command(&["upload", "--profile", "reports", "--format", "json", "many"]);
        let status = command.stdout(stream("many/out.json")).stderr(stream("many/log")).status().unwrap();
        assert_eq!(status.code(), Some(0));
    }
    let log = std::fs::read_to_string(project.path().join("many/log")).unwrap();
    assert!(log.contains("2 files of this run left out"), "{log}");
    assert_eq!(messages(&project).concat(), ["000.csv"; 4]);
    // Where it is named, it is a mistake, before anything is written.
    for name in ["many/000.csv", "many/out.json"] {
        let before = std::fs::read(project.path().join(name)).unwrap();
        let mut command = project.command(&["upload", "--profile", "reports", "--format", "json", name]);
        let output = command.stdout(stream(name)).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains("standard output"), "{name}: {said}");
        assert_eq!(std::fs::read(project.path().join(name)).unwrap(), before);
    }
    assert_eq!(messages(&project).len(), 4);
}

#[test]
fn everything_that_is_left_out_is_said() {
    let project = project(&["out/a.csv", "out/.hidden.csv", "out/.git/config", "out/x.env", "b.csv", "out/log.txt"]);
    std::os::unix::fs::symlink("../b.csv", project.path().join("out/link.csv")).unwrap();
    std::os::unix::fs::symlink("..", project.path().join("out/up")).unwrap();
    for pipe in ["out/pipe.csv", "out/other"] {
        assert!(std::process::Command::new("mkfifo").arg(project.path().join(pipe)).status().unwrap().success());
    }
    // A pattern for files matches no directory.
    for (named, hidden) in
        [("out", "2 hidden files or directories left out"), ("out/*", "1 hidden file or directory left out")]
    {
        let (sent, said) = chosen(&project, &["--exclude", "*.txt", named]);
        assert_eq!(sent, "out/a.csv", "{said}");
        for words in [
            hidden, "2 symbolic links left out", "2 pipes, sockets or devices left out", "1 file left out: `*.env`",
            "1 left out by --exclude",
        ] {
            assert!(said.contains(words), "{named}: {words}: {said}");
        }
    }
    // Nothing remains, and it says why.
    for file in ["out/a.csv", "out/x.env", "out/log.txt"] {
        std::fs::remove_file(project.path().join(file)).unwrap();
    }
    for named in ["out", "out/*"] {
        let run = project.run(&["upload", "--profile", "reports", "--dry-run", named]);
        assert!(run.code != 0 && run.stderr.contains("2 symbolic links left out"), "{}{}", run.stdout, run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_claims_to_be_empty_is_read() {
    for (method, journal) in [("external", false), ("files.upload", false), ("external", true), ("files.upload", true)]
    {
        let (project, _service) = many(0, method, &["--store", "store"]);
        let journal: &[&str] = if journal { &["--journal", "journal"] } else { &[] };
        let run =
            project.run(&[&["upload", "--profile", "reports", "--format", "json", "/proc/version"], journal].concat());
        assert_eq!(run.code, 0, "{method}: {}", run.stdout);
        let mut stored = std::fs::read_dir(project.path().join("store")).unwrap();
        let stored = std::fs::read(stored.next().unwrap().unwrap().path()).unwrap();
        assert_eq!(stored, std::fs::read("/proc/version").unwrap());
        let size = run.document()["uploads"][0]["bytes"].clone();
        assert_eq!(size, stored.len());
    }
    // It is still recognised as a file that the configuration reads from, and its content is still searched.
    let text = CONFIG.replace("{ env = 'T' }", "{ file = '/proc/sys/kernel/hostname' }");
    let project = Project::new().file("credlint.toml", text);
    let run = project.run(&["upload", "--profile", "reports", "--dry-run", "/proc/sys/kernel/hostname"]);
    assert!(run.stdout.contains("secret-file") || run.code == 1, "{}", run.stdout);
}
