//! `check PATH…`, `check --environment` and `exec`: what is read, what is skipped, and the exit codes.

use std::io::Write;
use std::process::Stdio;

use crate::formats;
use crate::harness::{Project, Run};

const TOKEN: &str = "xoxb-739184265017-7391842650173-QzWvXkPjHyBdRmTnLsGfCaEu";
const HOOK: &str = "https://hooks.slack.com/services/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";
const MISTAKE: &str = "SLACK_BOT_TOKEN=https://hooks.slack.com/services/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\n";

/// The places of the findings: `file:line rule`.
fn places(project: &Project, args: &[&str]) -> Vec<String> {
    let (_, document) = project.check(args);
    let place = |finding: &serde_json::Value| {
        let label = &finding["labels"][0];
        let name = label["source"]["name"].as_str().unwrap().to_owned();
        let line = label["span"]["start"]["line"].as_u64().map(|line| format!(":{line}")).unwrap_or_default();
        format!("{name}{line} {}", finding["rule"].as_str().unwrap())
    };
    document["findings"].as_array().unwrap().iter().map(place).collect()
}

pub fn with_input(project: &Project, args: &[&str], input: &[u8]) -> Run {
    let mut command = project.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It need not read its input.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn each_file_is_checked_separately() {
    let good = "[storage.b]\napplication_key_id = '0051a2b3c4d5e6f0000000001'\napplication_key = { env = 'KEY' }\n";
    let project = Project::new().file("a.toml", "[storage.b]\naccount_id = '1a2b3c4d5e6f'\n").file("b.toml", good);
    // Merged, the second would complete the first.
    assert_eq!(places(&project, &["a.toml", "b.toml"]), ["a.toml:2 incomplete-key-pair"]);
    // A file that can't be read does not hide the findings in the others, and does not let them pass as correct.
    let broken =
        Project::new().file("a.toml", "[storage.b]\naccount_id = 1a2b\n").file("b.toml", good).file(".env", MISTAKE);
    let (code, document) = broken.check(&["a.toml", "b.toml", ".env"]);
    assert_eq!((code, document["problems"][0]["code"].as_str()), (2, Some("syntax")));
    assert_eq!(document["findings"][0]["rule"], "wrong-credential");
    assert_eq!(document["findings"][0]["profile"]["file"], ".env");
    let run = broken.run(&["check", "a.toml", "b.toml", ".env"]);
    assert!(run.stdout.contains("error[syntax]") && run.stdout.contains("error[wrong-credential]"), "{}", run.stdout);
    // References are not resolved, and neither the environment nor the user configuration is used.
    let alone = Project::new().user("[messaging.x]\n").file("b.toml", good).env("CREDLINT_STORAGE__C__ACCOUNT_ID", "x");
    let (code, document) = alone.check(&["b.toml"]);
    assert_eq!((code, document["profiles"].as_array().unwrap().len()), (0, 1));
    assert_eq!(document["profiles"][0]["verdict"], "unjudged");
}

/// A file for credentials that is not text was not checked.
#[test]
fn binary_files_are_not_reported_as_clean() {
    for (content, code, why) in [
        (&b"\0GITCRYPT\0\x01\x02\xff\xfe"[..], 0, "git-crypt has encrypted it"),
        (&b"age-encryption.org/v1\n-> X25519 a\n\0\x01\xff"[..], 0, "age has encrypted it"),
        (&b"Salted__\0\x01\xff\xfe"[..], 0, "OpenSSL has encrypted it"),
        (&b"S\0T\0=\0s\0k\0_\0"[..], 1, "it is not a text"),
    ] {
        let project = Project::new().file(".env", content).file("other.env", "A=1\n");
        let run = project.run(&["check", "."]);
        let said = run.stdout.contains("unread-file") && run.stdout.contains(why);
        assert!(run.code == code && said, "{why}: {} {}", run.stdout, run.stderr);
        // That is said once.
        assert!(!run.stdout.contains("nothing-to-check"), "{}", run.stdout);
    }
    let run = with_input(&Project::new(), &["check", "-"], b"\0GITCRYPT\0\x01\x02\xff\xfe");
    assert!(run.code != 0 && run.stdout.contains("is not a text"), "{} {}", run.stdout, run.stderr);
    let run = with_input(&Project::new(), &["check", "-"], b"A=1\0B=\xff\0");
    assert_eq!(run.code, 0, "the variables of a process: {} {}", run.stdout, run.stderr);
    // A program that found nothing to describe prints an empty list.
    for text in ["[]", "{}", "null"] {
        let run = with_input(&Project::new(), &["check", "-"], text.as_bytes());
        let said = run.stdout + &run.stderr;
        assert!(run.code == 3 && said.contains("nothing-to-check"), "{text}: {said}");
    }
}

#[test]
fn gitignored_files_are_skipped_except_well_known_names() {
    let project = Project::new()
        .file(".gitignore", ".env\nbuild/\n*.yaml\n")
        .file(".env", MISTAKE)
        .file("deploy/.env.production", MISTAKE)
        .file("build/.env", MISTAKE)
        .file("ignored.yaml", "SLACK_BOT_TOKEN: https://hooks.slack.com/services/T07391842/B07391842/Qz\n")
        .file("node_modules/x/.env", MISTAKE)
        .file("main.rs", MISTAKE)
        .file(".hidden/app.toml", format!("slack_webhook_url = '{TOKEN}'\n"))
        .file("nul.env", [b"SLACK_TOKEN=\0\xff\n# ".as_slice(), &[b'a'; 80]].concat())
        .file("big.env", format!("{MISTAKE}#{}", "x".repeat(8 * 1024 * 1024)));
    let found = [
        ".env:1 wrong-credential", ".hidden/app.toml:1 foreign-credential", "big.env:1 wrong-credential",
        "big.env:1 unread-file", "build/.env:1 wrong-credential", "deploy/.env.production:1 wrong-credential",
        "nul.env:1 malformed-credential",
    ];
    assert_eq!(places(&project, &["."]), found);
    let without: Vec<&str> = found.into_iter().filter(|place| !place.starts_with("deploy/")).collect();
    assert_eq!(places(&project, &[".", "--exclude", "deploy/"]), without);
    assert!(
        project.run(&["check", "."]).stdout.ends_with("; in 1 ignored directory only names such as .env were read\n")
    );
    let all = places(&project, &[".", "--no-ignore"]);
    assert!(all.len() == found.len() + 1 && all.contains(&"ignored.yaml:1 wrong-credential".to_owned()), "{all:?}");
    assert!(!project.run(&["check", ".", "--no-ignore"]).stdout.contains("ignored directory"));
    assert_eq!(places(&project, &[".", "--include", "*.toml"]), found[1..2]);
    // A file that is named twice is read once, and a named file is read even if it is ignored.
    assert_eq!(places(&project, &[".env", ".", ".env"]), found);
    assert_eq!(places(&project, &["build/.env"]), ["build/.env:1 wrong-credential"]);
    let list = project.run(&["check", ".", "--list"]).stdout;
    assert!(list.contains("env\t.env\n") && list.contains("toml\t.hidden/app.toml\n"), "{list}");
    assert!(!list.contains("main.rs") && !list.contains("node_modules"), "{list}");
    assert!(list.contains("env\tbuild/.env\n"), "{list}");
}

/// A link may lead to the file that a deploy reads.
#[cfg(unix)]
#[test]
fn a_link_is_followed_in_the_repository_and_reported_if_it_leads_out() {
    use std::os::unix::fs::symlink;
    let project = Project::new()
        .file("repository/.git/HEAD", "")
        .file("repository/shared/settings", MISTAKE)
        .file("repository/app/x.env", "A=1\n")
        .file("outside/settings", MISTAKE)
        .file("outside/.env", MISTAKE);
    let at = |name: &str| project.path().join("repository/app").join(name);
    symlink("../shared/settings", at(".env")).unwrap();
    symlink("none", at(".env.dangling")).unwrap();
    let inside = ["repository/app/.env:1 wrong-credential", "repository/app/.env.dangling:1 unread-file"];
    for named in ["repository", "repository/app"] {
        assert_eq!(places(&project, &[named]), inside, "{named}");
    }
    symlink("../../outside/settings", at(".env.out")).unwrap();
    symlink("../../outside/.env", at("out.yaml")).unwrap();
    let out = ["repository/app/.env.out:1 unread-file", "repository/app/out.yaml:1 unread-file"];
    let expected = [inside, out].concat();
    for named in ["repository", "repository/app"] {
        assert_eq!(places(&project, &[named]), expected, "{named}");
    }
    let (code, document) = project.check(&["repository/app", "-A", "wrong-credential"]);
    let severities: Vec<_> =
        document["findings"].as_array().unwrap().iter().map(|found| found["severity"].clone()).collect();
    assert_eq!((code, severities), (1, vec!["error".into(), "error".into(), "note".into()]), "{document}");
    // Also where everything is ignored, and a file that is named is read.
    std::fs::write(project.path().join("repository/.gitignore"), "app/\n").unwrap();
    assert_eq!(places(&project, &["repository"]), [&inside[..], &out[..1]].concat());
    assert_eq!(places(&project, &["repository/app/.env.out"]), ["repository/app/.env.out:1 wrong-credential"]);
}

/// A file is credlint's by its name or by its profiles, whether it is named or found. Other programs' tables with the
/// same names are not.
#[test]
fn only_profiles_with_credentials_make_a_file_a_configuration() {
    let others = [
        ("ruff.toml", "[lint]\nselect = ['E']\n"),
        ("velero.yaml", "kind: BackupStorageLocation\nstorage:\n  b:\n    application_key: x\n    token: y\n"),
        ("values.yaml", "storage:\n  size: 1Gi\nmessaging:\n  kafka:\n    port: 1\n"),
        ("nested.yaml", "spec:\n  storage:\n    b:\n      account_id: x\n"),
        ("flat.yaml", "messaging:\n  token: x\n  webhook_url: y\n"),
        ("loki.json", "{\"storage\": {\"b\": {\"account_id\": \"x\"}}, \"auth\": {}}"),
        ("titled.toml", "title = 'x'\n[storage.b]\naccount_id = '1a2b3c4d5e6f'\n"),
        ("broken.toml", "[storage.b]\naccount_id = 1a2b\n[tool.x]\n"),
        ("commented.toml", "[storage.b]\nsize = 1 # no account_id\n"),
        ("commented-and-broken.toml", "[storage.b]\nsize = 1a # no account_id\n"),
    ];
    let own = [
        ("mine.yaml", "x-defaults: {}\nstorage:\n  b:\n    account_id: 1a2b3c4d5e6f\nsops:\n  version: 3\n"),
        ("mine.toml", "[storage.b]\naccount_id = '1a2b3c4d5e6f'\n[lint]\nfail_on = 'warning'\n"),
        ("mine.json", "{\"$schema\": \"x\", \"storage\": {\"b\": {\"account_id\": \"1a2b3c4d5e6f\"}}}"),
    ];
    let all = others.iter().chain(&own);
    let project = all.fold(Project::new(), |project, (name, text)| project.file(name, text));
    let names: Vec<&str> = others.iter().chain(&own).map(|(name, _)| *name).collect();
    let expected = ["mine.json:1", "mine.toml:2", "mine.yaml:4"].map(|place| format!("{place} incomplete-key-pair"));
    assert_eq!(places(&project, &names), expected);
    assert_eq!(places(&project, &["."]), expected);
    for name in names {
        let is_own = own.iter().any(|(own, _)| *own == name);
        let (code, document) = project.check(&[name]);
        assert_eq!(
            (code, document["problems"].as_array().unwrap().len()),
            (i32::from(is_own), 0),
            "{name}: {document}"
        );
    }
    let list = project.run(&["check", ".", "--list"]).stdout;
    let listed = |name: &str| list.lines().find(|line| line.ends_with(name)).unwrap().starts_with("credlint\t");
    assert!(own.iter().all(|(name, _)| listed(name)) && !others.iter().any(|(name, _)| listed(name)), "{list}");
    // Read as what the user says.
    assert_eq!(places(&project, &["mine.toml", "--as", "toml"]), Vec::<String>::new());
    let both = format!("[messaging.a]\ntoken = 'x'\nslack_bot_token = '{HOOK}'\n");
    let project = Project::new().file("both.toml", both);
    assert_eq!(places(&project, &["both.toml", "--as", "toml"]), ["both.toml:3 wrong-credential"]);
}

/// A checkout may be below a directory named `tests`, and a file is judged alike whether it is named or found.
#[test]
fn examples_are_recognised_by_path_in_repository() {
    let severities = |project: &Project, args: &[&str]| {
        let (_, document) = project.check(args);
        let findings = document["findings"].as_array().unwrap().iter();
        findings.map(|finding| finding["severity"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let repository = Project::new().file("spec/a/.git/HEAD", "").file("spec/a/.env", MISTAKE);
    let repository = repository.file("spec/a/examples/.env", MISTAKE).file("spec/b/.env", MISTAKE);
    let inside = |name: &str| repository.path().join(name).display().to_string();
    for (args, expected) in [
        (&["spec/a"][..], &["error", "note"][..]),
        (&["spec/a/.env", "spec/a/examples/.env"], &["error", "note"]),
        (&[&inside("spec/a/.env"), &inside("spec/a/examples")], &["error", "note"]),
        // No repository: by the path from here.
        (&["spec/b"], &["note"]),
        (&["spec/b/.env"], &["note"]),
        (&["."], &["error", "note", "note"]),
    ] {
        assert_eq!(severities(&repository, args), expected, "{args:?}");
    }
    // A directory of templates may be what is deployed.
    let charts = Project::new().file(".git/HEAD", "").file("a/Chart.yaml", "").file("examples/a/Chart.yaml", "");
    let secret = format!("kind: Secret\nstringData:\n  {}", MISTAKE.replacen('=', ": ", 1));
    let charts = charts.file("a/templates/secret.yaml", &secret).file("roles/web/templates/.env", MISTAKE);
    let charts = charts.file("examples/a/templates/secret.yaml", &secret).file("web/templates/.env", MISTAKE);
    assert_eq!(severities(&charts, &["."]), ["error", "note", "error", "error"]);
    let mut below = repository.command(&["check", "--format", "json", "."]);
    below.current_dir(repository.path().join("spec/a/examples"));
    assert_eq!(Run::of(below).document()["findings"][0]["severity"], "note");
}

/// Patterns are compiled, and take much more memory than their text.
#[test]
fn large_ignore_files_are_skipped_with_a_notice() {
    let patterns = |bytes: usize| format!("*.yaml\n{}", "/some/where/else/a\n".repeat(bytes / 19));
    let run = |files: &[(&str, usize)], words: &[&str]| {
        let mut project = Project::new();
        for name in ["a.yaml", "sub/a.yaml", "sub/deep/a.yaml", "sub/node_modules/a.yaml"] {
            project = project.file(name, "SLACK_BOT_TOKEN: x\n");
        }
        for (name, bytes) in files {
            project = project.file(name, patterns(*bytes));
        }
        let run = project.run(&[&["check"], words].concat());
        let listed: Vec<String> = project
            .run(&[&["check", "--list", "--quiet"], words].concat())
            .stdout
            .lines()
            .map(|line| line.replace("yaml\t", ""))
            .collect();
        (listed.join(" "), run.stderr)
    };
    let (few, many) = (3_000, 270_000);
    for (files, words, listed, named) in [
        (&[(".gitignore", few)][..], &["."][..], "", ""),
        (&[(".gitignore", many)], &["."], "a.yaml sub/a.yaml sub/deep/a.yaml", "below . are"),
        (&[("sub/.gitignore", many)], &["."], "a.yaml sub/a.yaml sub/deep/a.yaml", "below sub are"),
        (&[("sub/deep/.gitignore", many), (".gitignore", few)], &["."], "sub/deep/a.yaml", "below sub/deep are"),
        // Other programs' ignore files are not git's.
        (&[("sub/deep/.ignore", few)], &["."], "a.yaml sub/a.yaml sub/deep/a.yaml", ""),
        (&[(".gitignore", many)], &["sub"], "sub/a.yaml sub/deep/a.yaml", "below sub are"),
        // Those above a directory apply to it, too.
        (
            &[("sub/.gitignore", many / 2), ("sub/deep/.gitignore", many / 2)],
            &["."],
            "a.yaml sub/deep/a.yaml",
            "below sub/deep are",
        ),
        (&[("sub/node_modules/.gitignore", many)], &["."], "a.yaml sub/a.yaml sub/deep/a.yaml", ""),
    ] {
        let (found, stderr) = run(files, words);
        assert_eq!(found, listed, "{files:?} {words:?} {stderr}");
        let said = stderr.matches("ignore files are larger than 256 KiB").count();
        assert_eq!((said, stderr.contains(named)), (usize::from(!named.is_empty()), true), "{files:?} {stderr}");
    }
}

/// Links are followed to read an ignore file, and a device has no end.
#[cfg(unix)]
#[test]
fn endless_ignore_file_is_not_read() {
    let project = Project::new().file("sub/.env", MISTAKE);
    std::os::unix::fs::symlink("/dev/zero", project.path().join("sub/.gitignore")).unwrap();
    assert_eq!(places(&project, &["."]), ["sub/.env:1 wrong-credential"]);
    assert!(project.run(&["check", "."]).stderr.contains("ignored files below sub are searched"));
}

#[cfg(unix)]
#[test]
fn linked_directories_are_skipped_and_outside_links_reported() {
    let project = Project::new().file("real/.env", MISTAKE);
    let outside = project.dir.path().join("outside.env");
    std::fs::write(&outside, MISTAKE).unwrap();
    std::os::unix::fs::symlink(&outside, project.path().join("out.env")).unwrap();
    std::os::unix::fs::symlink("real", project.path().join("linked")).unwrap();
    assert_eq!(places(&project, &["."]), ["out.env:1 unread-file", "real/.env:1 wrong-credential"]);
    // A named link stands for its target.
    assert_eq!(places(&project, &["out.env"]), ["out.env:1 wrong-credential"]);
}

/// Encodings, links, odd names and escapes hide no credential.
#[cfg(unix)]
#[test]
fn reads_credentials_in_any_encoding_and_layout() {
    use std::os::unix::ffi::OsStrExt;
    let wide: Vec<u8> = format!("\u{feff}{MISTAKE}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = format!("\u{feff}{MISTAKE}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    let escaped = format!("{{\"\\u0053LACK_BOT_TOKEN\": \"{HOOK}\"}}\n");
    let lines = format!("{{\"a\": 1}}\n{{\"SLACK_BOT_TOKEN\": \"{HOOK}\"}}\n");
    let project = Project::new()
        .file("wide/.env", wide)
        .file("wide/big.env", big)
        .file("latin/.env", [b"# caf\xe9\n", MISTAKE.as_bytes()].concat())
        .file("escaped.json", escaped)
        .file("lines.json", lines)
        .file("linked/real", MISTAKE);
    let path = project.path();
    std::os::unix::fs::symlink("real", path.join("linked/.env")).unwrap();
    // Found by itself.
    std::os::unix::fs::symlink("../latin/.env", path.join("linked/twice.env")).unwrap();
    std::fs::create_dir(path.join("odd")).unwrap();
    std::fs::write(path.join("odd").join(std::ffi::OsStr::from_bytes(b"x\xff.env")), MISTAKE).unwrap();
    let found = places(&project, &["wide", "latin", "escaped.json", "linked", "odd"]);
    let rules: Vec<&str> = found.iter().map(|place| place.split(' ').next_back().unwrap()).collect();
    assert_eq!(rules, ["wrong-credential"; 6], "{found:?}");
    assert!(found.iter().any(|place| place.starts_with("linked/.env:1")), "{found:?}");
    assert_eq!(places(&project, &["lines.json"]), ["lines.json:2 unread-file", "lines.json:2 wrong-credential"]);
}

/// A name that says credentials is not counted.
#[test]
fn three_unread_files_are_one_note() {
    let said = |names: &[&str]| -> Vec<String> {
        let broken = |project: Project, name: &&str| project.file(name, "{\"SLACK_BOT_TOKEN\": \"BOT\"\n");
        let (_, document) = names.iter().fold(Project::new(), broken).check(&["."]);
        let unread = document["findings"].as_array().unwrap().iter().filter(|one| one["rule"] == "unread-file");
        let text = |one: &serde_json::Value, key: &str| one[key].as_str().unwrap().to_owned();
        unread.map(|one| text(one, "severity") + " " + text(one, "message").split(": not").next().unwrap()).collect()
    };
    let alone =
        ["note `a.json`", "note `b.json`", "error `x.tfvars.json`"].map(|one| format!("{one} was read line by line"));
    assert_eq!(said(&["a.json", "b.json", "x.tfvars.json"]), alone);
    let three = "files were not read, or only line by line: `a.json`, `b.json`, `c.json`";
    assert_eq!(said(&["a.json", "b.json", "c.json", "x.tfvars.json"]), [format!("note 3 {three}"), alone[2].clone()]);
    assert_eq!(said(&["a.json", "b.json", "c.json", "d.json"]), [format!("note 4 {three} and 1 more")]);
}

/// A search that could not read something does not just print "nothing found".
#[cfg(target_os = "linux")]
#[test]
fn unreadable_files_in_a_search_are_named() {
    let line = format!("SLACK_BOT_TOKEN={HOOK}\n");
    let project = Project::new().file("open/.env", "A=1\n").file("open/closed/.env", &line).file("open/own.env", &line);
    let project = project.file("shut/.env", &line).file("open/binary.env", b"\xff\xfe");
    let closed = ["open/closed", "open/own.env", "shut"].map(|name| project.path().join(name));
    let set_all = |mode| {
        for path in &closed {
            crate::harness::set_mode(path, mode);
        }
    };
    set_all(0o000);
    let run = project.run_unprivileged(&["check", "open", "shut"]);
    let warned: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert_eq!(
        warned,
        [
            "warning: the directory open/closed is not searched: permission denied",
            "warning: the directory shut is not searched: permission denied",
            "warning: open/own.env was not read: permission denied",
        ]
    );
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (
            3,
            "2 files read, no credential recognised, nothing found; 2 paths could not be read; 1 directory could not be \
             searched\n"
        )
    );
    let quiet = project.run_unprivileged(&["check", "-q", "open", "shut"]);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (3, "warning: 2 paths could not be read\n"));
    let json = project.run_unprivileged(&["check", "--format", "json", "open", "shut"]).document();
    assert_eq!(json["read"]["unread"], 3);
    let named = project.run_unprivileged(&["check", "open/own.env"]);
    assert!(named.code == 3 && named.stdout.contains("let this user read"), "{}", named.stdout);
    let sarif = project.run_unprivileged(&["check", "open", "shut", "--format", "sarif"]).document();
    assert_eq!(sarif["runs"][0]["invocations"][0]["executionSuccessful"], false);
    // A name for credentials counts wherever it was found; a directory is only named.
    assert_eq!(project.run_unprivileged(&["check", "open"]).code, 3);
    assert_eq!(project.run_unprivileged(&["check", "open", "--exclude", "own.env"]).code, 0);
    assert_eq!(project.run_unprivileged(&["check", "open", "./shut/"]).code, 3);
    // An excluded directory or file that can't be read is not reported.
    let run = project.run_unprivileged(&["check", "--exclude", "closed", "--exclude", "own.env", "open"]);
    assert!(run.code == 0 && run.stderr.starts_with("looked for credentials of "), "{}", run.stderr);
    set_all(0o700);
    assert_eq!(project.run(&["check", "open", "shut"]).code, 1);
}

#[test]
fn a_missing_path_is_an_error_and_a_file_without_credentials_is_not() {
    let project = Project::new().file("README.txt", "SLACK_BOT_TOKEN is set.\n").file("empty.env", "A=1\n");
    let run = project.run(&["check", "none.env"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("none.env: no such file or directory"), "{}", run.stderr);
    // A pattern is shown as given, unless it could contain a credential.
    let run = project.run(&["check", "deploy/*.env"]);
    assert!(run.code == 2 && run.stderr.contains("deploy/*.env: no such file or directory"), "{}", run.stderr);
    assert!(run.stderr.contains("a pattern is expanded by the shell"), "{}", run.stderr);
    let run = project.run(&["check", "K0014pbwo1zx*IVMnqSNTfWHReU"]);
    assert!(run.code == 2 && !run.stderr.contains("K0014"), "{}", run.stderr);
    let run = project.run(&["check", "empty.env"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "1 file read, no credential recognised, nothing found\n"));
    let run = project.run(&["check", "README.txt"]);
    assert_eq!(run.code, 3);
    assert!(run.stdout.contains("such as --as env"), "{}", run.stdout);
    let ok = Project::new().file(".env", format!("SLACK_BOT_TOKEN={TOKEN}\n")).env("SLACK_WEBHOOK_URL", HOOK);
    let run = ok.run(&["check", ".env", "--environment"]);
    let line = "1 file and 2 variables read, 2 credentials recognised, none wrong\n";
    assert_eq!((run.code, run.stdout.as_str()), (0, line), "{}", run.stderr);
    for args in [&["check", ".env", "--config", "x.toml"][..], &["check", "--as", "env"], &["check", "--list"]] {
        assert_eq!(ok.run(args).code, 2, "{args:?}");
    }
}

#[test]
fn detects_type_of_named_file_from_content() {
    let shell = format!("#!/bin/sh\nset -e\nexport SLACK_WEBHOOK_URL={TOKEN}\n");
    let own = format!("[messaging.a]\nbase_url = \"https://chat.example.com\"\nwebhook_url = \"{TOKEN}\"\n");
    for (text, rule) in [
        (format!("# A comment.\nexport SLACK_WEBHOOK_URL={TOKEN}\n"), "foreign-credential"),
        (format!("A=1\0SLACK_WEBHOOK_URL={TOKEN}\0"), "foreign-credential"),
        (format!("{{\"SLACK_WEBHOOK_URL\": \"{TOKEN}\"}}"), "foreign-credential"),
        (format!("slack:\n  webhook_url: {TOKEN}\n"), "foreign-credential"),
        (format!("[slack]\nwebhook_url = \"{TOKEN}\"\n"), "foreign-credential"),
        (shell, "foreign-credential"),
    ] {
        let project = Project::new().file("ok.env", "A=1\n").file("values.data", &text);
        let (code, document) = project.check(&["ok.env", "values.data"]);
        let rules: Vec<_> = document["findings"].as_array().unwrap().iter().map(|finding| &finding["rule"]).collect();
        assert!(code == 1 && rules.contains(&&serde_json::json!(rule)), "{text}: {rules:?}");
        assert_eq!(project.run(&["check", "values.data", "--list"]).stdout, "by content\tvalues.data\n");
        // A directory has many files without settings.
        assert_eq!(project.check(&["."]).0, 0);
    }
    // A configuration has a known name.
    let own = Project::new().file("ok.env", "A=1\n").file("own.data", &own);
    assert!(own.run(&["check", "own.data"]).stdout.contains("own.data is not a configuration file"));
    // A program, a letter and a binary file could be anything.
    for text in [
        format!("import os\nSLACK_WEBHOOK_URL = os.environ['A']\nSLACK_TOKEN='{TOKEN}'\n"),
        format!("#!/usr/bin/env python3\nSLACK_WEBHOOK_URL='{TOKEN}'\n"),
        format!("Dear Ann,\nSLACK_WEBHOOK_URL={TOKEN}\n"),
        format!("{{ SLACK_WEBHOOK_URL: {TOKEN}\n"),
        format!("SLACK_WEBHOOK_URL={TOKEN}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ] {
        let project = Project::new().file("ok.env", "A=1\n").file("file.txt", &text);
        let (code, document) = project.check(&["ok.env", "file.txt"]);
        let finding = &document["findings"][0];
        assert_eq!(
            (code, &finding["rule"], &finding["severity"]),
            (0, &"unread-file".into(), &"note".into()),
            "{text}"
        );
        assert_eq!(document["findings"].as_array().unwrap().len(), 1);
        assert_eq!(project.run(&["check", "file.txt"]).code, 3);
        assert_eq!(
            project.run(&["check", "file.txt", "--as", "template"]).stdout.contains("unread-file"),
            text.contains('\0')
        );
    }
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_once_if_it_is_named() {
    let project = Project::new().file("ok.env", "A=1\n");
    let pipe = project.path().join(".env");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // There is no writer, and the check does not wait for one.
    assert_eq!(project.run(&["check", "."]).code, 0);
    let text = format!("SLACK_WEBHOOK_URL={TOKEN}\n");
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, text)
    });
    let run = project.run(&["check", ".env"]);
    writer.join().unwrap().unwrap();
    assert!(run.code == 1 && run.stdout.contains("foreign-credential"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn the_format_of_standard_input_is_detected() {
    let project = Project::new();
    let json = format!("{{\"SLACK_WEBHOOK_URL\": \"{TOKEN}\"}}");
    let nul = format!("A=1\0SLACK_WEBHOOK_URL={TOKEN}\0");
    let yaml = format!("env:\n  SLACK_WEBHOOK_URL: {TOKEN}\n");
    for (input, args) in [
        (format!("A=1\nSLACK_WEBHOOK_URL={TOKEN}\n"), &["check", "-"][..]),
        (json, &["check", "-"]),
        (nul, &["check", "-"]),
        (yaml.clone(), &["check", "-", "--as", "yaml"]),
        (yaml, &["check", "-"]),
        (format!("[slack]\nwebhook_url = {TOKEN}\n"), &["check", "-"]),
        (format!("[slack]\nwebhook_url = \"{TOKEN}\"\n"), &["check", "-"]),
        (format!("slack_webhook_url = \"{TOKEN}\"\n"), &["check", "-"]),
    ] {
        let run = with_input(&project, args, input.as_bytes());
        assert_eq!(run.code, 1, "{input}: {}", run.stderr);
        assert!(run.stdout.contains("error[foreign-credential]") && run.stdout.contains("<stdin>"), "{}", run.stdout);
        assert!(!run.stdout.contains(&TOKEN[5..]), "{}", run.stdout);
    }
    // A byte that is not UTF-8 spoils only the value in which it stands.
    let odd = with_input(&project, &["check", "-"], b"A=\xff\nSLACK_WEBHOOK_URL=xoxb-1\xff\n");
    assert!(odd.code == 1 && odd.stdout.contains("not UTF-8"), "{}", odd.stdout);
    // `env -0` prints the environment of a process, which nothing expands any more.
    for (input, read) in [
        (&b"SLACK_BOT_TOKEN=${X}\0DB_PASSWORD=\"x\"\0"[..], "2 variables read"),
        (b"PATH=/bin\nHOME=/\nSLACK_BOT_TOKEN=${X}\nDB_PASSWORD=\"x\"\n", "4 variables read"),
    ] {
        let run = with_input(&project, &["check", "-"], input);
        assert_eq!(run.code, 1, "{}", run.stdout);
        let expected = ["error[unexpanded-reference]", "warning[malformed-credential]", read];
        assert!(expected.iter().all(|word| run.stdout.contains(word)), "{}", run.stdout);
    }
}

#[test]
fn levels_allows_and_baselines_apply_to_every_file() {
    let allowed = Project::new().file(".env", format!("# credlint: allow(wrong-credential) on purpose\n{MISTAKE}"));
    assert_eq!(places(&allowed, &["."]), Vec::<String>::new());
    assert_eq!(places(&allowed, &[".", "--no-allow"]), [".env:2 wrong-credential"]);
    let unused = Project::new().file(".env", "# credlint: allow(wrong-credential) on purpose\nSLACK_BOT_TOKEN=$X\n");
    assert_eq!(places(&unused, &["."]), [".env:1 unused-allow"]);
    // The project sets the levels; a policy takes precedence.
    let lint = "[lint]\nlevels = { wrong-credential = 'off' }\n";
    let project = Project::new().file(".env", MISTAKE).file("credlint.toml", lint).file("policy.toml", "[lint]\n");
    assert_eq!(places(&project, &[".env"]), Vec::<String>::new());
    assert_eq!(places(&project, &[".env", "--policy", "policy.toml"]), [".env:1 wrong-credential"]);
    assert_eq!(places(&project, &[".env", "--isolated"]), [".env:1 wrong-credential"]);
    let named = "[[lint.allow]]\nrule = 'wrong-credential'\nprofile = 'app.slack'\nreason = 'known'\n";
    assert_eq!(
        places(&Project::new().file(".env", MISTAKE).file("credlint.toml", named), &[".env"]),
        Vec::<String>::new()
    );
}

#[test]
fn fingerprints_do_not_depend_on_the_working_directory() {
    let project = Project::new().file("a/.env", MISTAKE).file("b/.env", MISTAKE);
    let prints = |directory: &str, args: &[&str]| {
        let mut command = project.command(&[&["check", "--format", "json"], args].concat());
        command.current_dir(project.path().join(directory));
        let document = Run::of(command).document();
        let findings = document["findings"].as_array().unwrap();
        findings.iter().map(|finding| finding["fingerprint"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let root = prints("", &["."]);
    assert_eq!(root.len(), 2);
    assert_ne!(root[0], root[1]);
    assert_eq!(prints("a", &["."]), root[..1]);
    assert_eq!(prints("b", &[".env"]), root[1..]);
    assert_eq!(prints("b", &["../a/.env"]), root[..1]);
    assert_eq!(prints("a", &[project.path().join("a").to_str().unwrap()]), root[..1]);
    // So a baseline works for one directory and for all.
    let mut write = project.command(&["check", ".", "--write-baseline", "base.json", "--exit-zero"]);
    write.current_dir(project.path().join("a"));
    assert_eq!(Run::of(write).code, 0);
    let (code, document) = project.check(&[".", "--baseline", "a/base.json"]);
    assert_eq!(
        (code, document["baseline"]["known"].as_u64(), document["baseline"]["new"].as_u64()),
        (1, Some(1), Some(1))
    );
}

#[test]
fn the_order_of_findings_is_deterministic() {
    let mut project = Project::new();
    for index in 0..60 {
        project = project.file(&format!("d{}/{index}.env", index % 7), MISTAKE);
    }
    let first = project.run(&["check", ".", "--format", "json"]).stdout;
    for _ in 0..3 {
        assert_eq!(project.run(&["check", ".", "--format", "json"]).stdout, first);
    }
}

#[test]
fn every_format_reports_files_of_other_programs() {
    let project = Project::new().file("deploy/.env", MISTAKE);
    for (format, words) in [
        ("sarif", &["deploy/.env", "wrong-credential"][..]),
        ("github", &["file=deploy/.env,line=1"]),
        ("gitlab", &["deploy/.env"]),
        ("concise", &["deploy/.env:1:1: error[wrong-credential]"]),
        ("human", &["deploy/.env:1:1", "1 file read: 1 error"]),
    ] {
        let run = project.run(&["check", ".", "--format", format]);
        assert_eq!(run.code, 1, "{format}");
        for word in words {
            assert!(run.stdout.contains(word), "{format}: {word}: {}", run.stdout);
        }
    }
    for output in [&["--output", "deploy/.env"][..], &["--write-baseline", "deploy/.env"]] {
        let run = project.run(&[&["check", "."], output].concat());
        assert_eq!(run.code, 2, "{}", run.stderr);
    }
    assert_eq!(std::fs::read_to_string(project.path().join("deploy/.env")).unwrap(), MISTAKE);
}

#[test]
fn environment_values_are_checked_literally() {
    let project = |name: &str, value: &str| Project::new().env(name, value);
    for (name, value, rule) in [
        ("SLACK_BOT_TOKEN", HOOK, "wrong-credential"),
        ("SLACK_BOT_TOKEN", "${SLACK_TOKEN}", "unexpanded-reference"),
        ("DB_PASSWORD", "${DB_PASSWORD}", "unexpanded-reference"),
        ("STRIPE_SECRET_KEY", "\"abc\"", "malformed-credential"),
        ("STRIPE_SECRET_KEY", "undefined", "placeholder-credential"),
    ] {
        assert_eq!(places(&project(name, value), &["--environment"]), [format!("{name} {rule}")], "{name}={value}");
    }
    // Spring expands what stands inside an address; nothing does so inside a key.
    for (name, value, severity) in [
        ("DATABASE_URL", "postgres://app:${DB_PASSWORD}@db.example.com/app", "note"),
        ("DATABASE_URL", "${POSTGRES_URL}", "error"),
        ("OPENAI_API_KEY", "sk-proj-${OPENAI_KEY}", "error"),
    ] {
        let found = project(name, value).check(&["--environment"]).1["findings"][0].clone();
        assert_eq!((&found["rule"], &found["severity"]), (&"unexpanded-reference".into(), &severity.into()), "{value}");
    }
    // Names that only look similar, paths where a program expects one, and unknown forms.
    for (name, value) in [
        ("PASSWORD_STORE", "null"),
        ("TLS_KEY", "/run/secrets/tls.key"),
        ("API_KEY", "abc"),
        ("B2_APPLICATION_KEY", "K0057391842650abcdefghijklmnop/"),
        ("SSH_ASKPASS_TOKEN", ""),
    ] {
        assert_eq!(places(&project(name, value), &["--environment"]), Vec::<String>::new(), "{name}={value}");
    }
}

#[cfg(unix)]
#[test]
fn exec_replaces_itself_with_the_command_or_does_not_start_it() {
    let good = Project::new().env("SLACK_BOT_TOKEN", TOKEN).env("PATH", "/usr/bin:/bin");
    let run = with_input(&good, &["exec", "--", "sh", "-c", "cat; echo err >&2; exit 7"], b"in");
    let line = "3 variables read, 1 credential recognised, none wrong\n";
    assert_eq!((run.code, run.stdout.as_str(), run.stderr), (7, "in", format!("{line}err\n")));
    let run = good.run(&["exec", "-q", "--", "sh", "-c", "exit 7"]);
    assert_eq!((run.code, run.stderr.as_str()), (7, ""));
    // The process is replaced: signals reach the command, and no parent remains.
    let run = good.run(&["exec", "--", "sh", "-c", "kill -TERM $$"]);
    assert_eq!(run.code, -1);
    let bad = Project::new().env("SLACK_BOT_TOKEN", HOOK).env("PATH", "/usr/bin:/bin");
    let run = bad.run(&["exec", "--", "touch", "started"]);
    assert_eq!((run.code, run.stdout.as_str()), (125, ""));
    assert!(run.stderr.contains("error[wrong-credential]") && run.stderr.contains("was not started"), "{}", run.stderr);
    assert!(!bad.path().join("started").exists());
    assert!(!run.stderr.contains("QzWvXk"), "{}", run.stderr);
    // A warning is reported, and stops nothing unless that is requested.
    let key = format!("xkeysib-{}-{}", "0a1b".repeat(16), "aB3d".repeat(4));
    let doubtful = Project::new().env("SMTP_HOST", "smtp-relay.brevo.com").env("SMTP_PASSWORD", &key);
    let doubtful = doubtful.env("PATH", "/usr/bin:/bin");
    let run = doubtful.run(&["exec", "--", "true"]);
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("warning[wrong-credential]"), "{}", run.stderr);
    assert_eq!(doubtful.run(&["exec", "--fail-on", "warning", "--", "true"]).code, 125);
    assert_eq!(good.run(&["exec", "--", "no-such-command"]).code, 127);
    assert_eq!(good.run(&["exec", "--", "/etc/passwd"]).code, 126);
    assert_eq!(good.run(&["exec"]).code, 125);
    assert_eq!(good.run(&["exec", "--nonsense", "--", "true"]).code, 125);
    // Profiles of the configuration, with what they refer to.
    let text = "[messaging.r]\nbase_url = 'https://slack.com'\nchannels = ['C0123456789']\ntoken = { env = 'T' }\n";
    let project = Project::new().file("credlint.toml", text).env("T", HOOK).env("PATH", "/usr/bin:/bin");
    assert_eq!(project.run(&["exec", "--", "true"]).code, 0);
    assert_eq!(project.run(&["exec", "--profile", "r", "--", "true"]).code, 125);
    assert_eq!(project.run(&["exec", "--profile", "none", "--", "true"]).code, 125);
}

#[cfg(unix)]
#[test]
fn exec_checks_requirements_and_can_be_overridden() {
    let bad = || Project::new().env("SLACK_BOT_TOKEN", HOOK).env("PATH", "/usr/bin:/bin");
    let run = bad().run(&["exec", "--observe", "--", "sh", "-c", "exit 7"]);
    assert!(run.code == 7 && run.stderr.contains("error[wrong-credential]"), "{}", run.stderr);
    // The reason is printed, unless it could be a credential, and the command does not get it.
    let secret = bad().env("CREDLINT_OVERRIDE", TOKEN).run(&["exec", "--", "env"]);
    assert!(secret.code == 0 && !secret.stderr.contains(&TOKEN[5..]), "{}", secret.stderr);
    let run = bad().env("CREDLINT_OVERRIDE", "the vault is down").run(&["exec", "--", "env"]);
    assert!(run.code == 0 && !run.stdout.contains("CREDLINT_OVERRIDE"), "{}{}", run.stdout, run.stderr);
    assert!(
        run.stderr.contains("error[wrong-credential]") && run.stderr.contains("the vault is down"),
        "{}",
        run.stderr
    );
    for reason in ["", " "] {
        let run = bad().env("CREDLINT_OVERRIDE", reason).run(&["exec", "--", "true"]);
        assert!(run.code == 125 && run.stderr.contains("CREDLINT_OVERRIDE is empty"), "{}", run.stderr);
    }
    for trust in ["override = false", "colour = 1", "colour = 1\noverride = false"] {
        let policy = bad().file("policy.toml", format!("[trust]\n{trust}\n")).env("CREDLINT_OVERRIDE", "now");
        let run = policy.run(&["exec", "--policy", "policy.toml", "--", "true"]);
        assert!(run.code == 125 && run.stderr.contains("the policy forbids CREDLINT_OVERRIDE"), "{}", run.stderr);
    }
    // A required variable, and one that a pipeline left empty.
    let project = Project::new().env("SLACK_BOT_TOKEN", "").env("STAGE", "x").env("PATH", "/usr/bin:/bin");
    let run = project.run(&["exec", "--", "true"]);
    assert!(run.code == 0 && run.stderr.ends_with("\nempty: `SLACK_BOT_TOKEN`\n"), "{}", run.stderr);
    let warned = Project::new().env("SLACK_BOT_TOKEN", "").env("DB_PASSWORD", "null").env("PATH", "/usr/bin:/bin");
    let run = warned.run(&["exec", "--", "true"]);
    assert!(run.code == 0 && run.stderr.contains("empty: `SLACK_BOT_TOKEN`"), "{}", run.stderr);
    assert_eq!(project.run(&["exec", "--require", "STAGE", "--", "true"]).code, 0);
    for (name, rule, why) in
        [("SLACK_BOT_TOKEN", "empty-credential", "is empty"), ("NONE", "unresolved-reference", "is not set")]
    {
        let run = project.run(&["exec", "--require", name, "--", "true"]);
        let said = |text: &str| {
            let one = text.matches("error[").count() == 1;
            one && text.contains(&format!("error[{rule}]")) && text.contains(&format!("`{name}` {why}"))
        };
        assert!(run.code == 125 && said(&run.stderr), "{}", run.stderr);
        let run = project.run(&["exec", "--observe", "--require", name, "--", "true"]);
        assert!(run.code == 0 && said(&run.stderr), "{}", run.stderr);
        let run = project.run(&["check", "--environment", "--require", name]);
        assert!(run.code == 1 && said(&run.stdout), "{}", run.stdout);
    }
    assert_eq!(project.run(&["check", "--environment", "--require", "STAGE"]).code, 0);
    // A policy that can't be read forbids everything.
    let run = bad().env("CREDLINT_OVERRIDE", "now").run(&["exec", "--policy", "none.toml", "--", "true"]);
    assert_eq!(run.code, 125, "{}", run.stderr);
    // Whatever was wrong with the words.
    for words in [&["exec", "--nonsense"][..], &["--color", "always", "exec", "x"], &["--color=never", "exec"]] {
        assert_eq!(bad().run(words).code, 125, "{words:?}");
    }
    assert_eq!(bad().run(&["profiles", "exec"]).code, 2);
}

/// The command and the check get the same variables, and findings are shown in the file.
#[cfg(unix)]
#[test]
fn exec_passes_on_the_variables_of_a_dotenv_file() {
    let text = format!("B2_APPLICATION_KEY_ID=0057391842650ab0000000001\nA='x # y'\nB=file\nSLACK_BOT_TOKEN={HOOK}\n");
    let project = || Project::new().file("deploy.env", &text).env("PATH", "/usr/bin:/bin").env("B", "process");
    let show = ["--", "sh", "-c", "echo $A; echo $B; echo $CREDLINT_OVERRIDE"];
    let run = project().run(&[&["exec", "--env-file", "deploy.env"][..], &show].concat());
    assert!(run.code == 125 && run.stderr.contains("[deploy.env:4:1]"), "{}", run.stderr);
    assert!(!run.stderr.contains("QzWvXk"), "{}", run.stderr);
    let run = project().run(&[&["exec", "-q", "--observe", "--env-file", "deploy.env"][..], &show].concat());
    assert_eq!((run.code, run.stdout.as_str()), (0, "x # y\nprocess\n\n"), "{}", run.stderr);
    // The ID of a pair in a file and its key in the process, and a reason only in the process.
    let half = project().env("B2_APPLICATION_KEY", TOKEN).env("SLACK_BOT_TOKEN", TOKEN);
    let run = half.run(&["exec", "--env-file", "deploy.env", "--", "true"]);
    assert!(run.code == 125 && !run.stderr.contains("wrong-credential"), "{}", run.stderr);
    let excused = project().file("more.env", "CREDLINT_OVERRIDE=always\n");
    let files = ["--env-file", "deploy.env", "--env-file", "more.env"];
    assert_eq!(excused.run(&[&["exec"], &files[..], &["--", "true"]].concat()).code, 125);
    // The last file wins, and the last line of a name.
    let two = Project::new().file("one.env", "B=1\n").file("two.env", "B=0\nB=2\n").env("PATH", "/usr/bin:/bin");
    let words = ["exec", "-q", "--env-file", "one.env", "--env-file", "two.env", "--", "sh", "-c", "echo $B"];
    assert_eq!(two.run(&words).stdout, "2\n");
    for (name, text) in [("none.env", None), ("bad.env", Some("CREDLINT_A='x\n"))] {
        let project = Project::new().env("PATH", "/usr/bin:/bin");
        let project = if let Some(text) = text { project.file(name, text) } else { project };
        let run = project.run(&["exec", "--env-file", name, "--", "true"]);
        assert!(run.code == 125 && run.stderr.contains(name), "{}", run.stderr);
    }
}

/// A pipe gives its content once: to the check of the configuration, to that of the variables and to the command.
#[cfg(unix)]
#[test]
fn a_pipe_is_an_env_file() {
    const PROFILE: &[u8] = b"CREDLINT_MESSAGING__A__TOKEN=xoxb-1\nA=1\n";
    let run = |before: &[&str], text: &'static [u8], after: &[&str]| {
        let project = Project::new().env("PATH", "/usr/bin:/bin");
        let pipe = project.path().join("secrets");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let writer = std::thread::spawn(move || std::fs::write(pipe, text));
        let run = project.run(&[before, &["--env-file", "secrets"], after].concat());
        writer.join().unwrap().unwrap();
        run
    };
    let shown = run(&["exec", "-q", "--observe"], b"A=1\n", &["--", "sh", "-c", "echo $A"]);
    assert_eq!((shown.code, shown.stdout.as_str()), (0, "1\n"), "{}", shown.stderr);
    let both = run(&["exec", "-p", "a"], PROFILE, &["--", "true"]);
    assert!(both.code == 125 && both.stderr.contains("malformed-address"), "{}", both.stderr);
    let check = run(&["check"], PROFILE, &["--environment"]);
    assert!(check.stdout.contains("[secrets:1:1]"), "{}", check.stdout);
    assert!(!check.stdout.contains("readable-secret-file"), "{}", check.stdout);
    // Variables of other programs are not a profile.
    let none = run(&["check"], b"SLACK_BOT_TOKEN=xoxb-1\n", &[]);
    assert!(none.code == 3 && none.stderr.contains("CREDLINT_MESSAGING__REPORTS__TOKEN"), "{}", none.stderr);
    let broken = run(&["exec"], b"A=\xff\n", &["--", "true"]);
    assert!(broken.code == 125 && broken.stderr.contains("not UTF-8 at byte 2"), "{}", broken.stderr);
    // A log may come through one, too.
    let project = Project::new();
    let pipe = project.path().join("log");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn(move || std::fs::write(pipe, "slack: invalid_auth"));
    let why = project.run(&["why", "log"]);
    writer.join().unwrap().unwrap();
    assert!(why.stdout.contains("the token is not valid"), "{}", why.stdout);
}

/// A copy of a process's variables is judged as they are, whoever is known to read them.
#[test]
fn environ_file_is_read_as_process_variables() {
    let project = Project::new().file("environ", "PATH=/bin\0OTHER_API_KEY= abc \0");
    let run = project.run(&["check", "--as", "env0", "environ"]);
    assert!(run.stdout.contains("malformed-credential") && run.stdout.contains("[environ:2:1]"), "{}", run.stdout);
}

/// The inventory: each credential, what it is, what goes with it and whether it fits.
#[test]
fn the_variables_of_a_process_are_listed() {
    let project = Project::new()
        .env("SLACK_BOT_TOKEN", TOKEN)
        .env("SLACK_APP_TOKEN", "")
        .env("SLACK_WEBHOOK_URL", TOKEN)
        .env("HFTOKEN", "q7Zp2mKx9RtV4wLs8NbY3cDf6GhJ1aEe")
        .env("OTHER", "x");
    let run = project.run(&["check", "--environment", "-v"]);
    let cells =
        |line: &str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join("|");
    let rows: Vec<String> = run.stderr.lines().take(5).map(cells).collect();
    let expected = [
        "NAME|STATE|WHAT|TOGETHER WITH|SET IN",
        "SLACK_BOT_TOKEN|recognised|a bot token|SLACK_APP_TOKEN|environment",
        "SLACK_APP_TOKEN|empty|SLACK_BOT_TOKEN|environment",
        "SLACK_WEBHOOK_URL|wrong|a bot token|environment",
        "HFTOKEN|unknown|32 letters and digits, as a client secret has|environment",
    ];
    assert_eq!(rows, expected, "{}", run.stderr);
    assert!(!project.run(&["check", "--environment"]).stderr.contains("STATE"));
    // A run that recognised nothing says what it looked for.
    let nothing = Project::new().env("OTHER", "x").run(&["check", "--environment"]);
    assert!(nothing.stderr.contains("services, which `credlint services` lists"), "{}", nothing.stderr);
}

/// The inventory in JSON. It lists more than is judged, and changes no finding.
#[test]
fn values_are_listed_for_programs() {
    let validator = formats::validator(&formats::strict(formats::schema("docs/schema/report-v1.json")));
    let text = format!(
        "STRIPE_SECRET_KEY=sk_live_q7w2e9r4t6y8u1i3o5p0\nSTRIPE_PUBLISHABLE_KEY=pk_test_q7w2e9r4t6y8u1i3o5p0\n\
         HFTOKEN=None\nLEDGER_KEY=0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d\nSLACK_BOT_TOKEN=\nDB_PASSWORD=${{PASSWORD}}\n\
         SLACK_WEBHOOK_URL={TOKEN}\nOTHER=x\n"
    );
    let project = Project::new().file(".env", text).file("a.yaml", "a: 1\n");
    let [short, long] = [&["check", ".", "--format", "json"][..], &["check", ".", "-v", "--format", "json"]];
    let (short, long) = (project.run(short).document(), project.run(long).document());
    formats::validate(&validator, &long, "values");
    assert!(short["values"].is_null() && short["findings"] == long["findings"], "{short} {long}");
    let values = long["values"].as_array().unwrap().iter();
    let row = |one: &serde_json::Value| {
        let words = ["name", "state", "service", "what", "looks"].map(|key| one[key].as_str().unwrap_or("-"));
        format!("{} {} {}", words.join(" "), one["parts"], one["rules"])
    };
    let rows: Vec<String> = values.clone().map(row).collect();
    assert_eq!(
        rows,
        [
            r#"STRIPE_SECRET_KEY wrong Stripe or Clerk a secret API key - [{"noun":"mode","word":"live"}] ["mixed-credentials"]"#,
            r#"STRIPE_PUBLISHABLE_KEY wrong Stripe or Clerk a publishable API key - [{"noun":"mode","word":"test"}] ["mixed-credentials"]"#,
            "HFTOKEN placeholder - - a word such as `null` or `undefined`, which stands for a missing value [] []",
            "LEDGER_KEY unknown - 40 hex digits, such as an application key - [] []",
            "SLACK_BOT_TOKEN empty Slack - - [] []",
            "DB_PASSWORD reference - - - [] []",
            r#"SLACK_WEBHOOK_URL wrong Slack a bot token - [] ["foreign-credential"]"#,
        ]
    );
    let lines: Vec<u64> = values.map(|one| one["span"]["start"]["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5, 6, 7]);
    // Through standard input, the same.
    let text = std::fs::read(project.path().join(".env")).unwrap();
    let piped = with_input(&project, &["check", "-", "-v", "--format", "json"], &text).document();
    let names = |document: &serde_json::Value| -> Vec<(String, String)> {
        let values = document["values"].as_array().unwrap().iter();
        values.map(|one| (one["name"].to_string(), one["state"].to_string())).collect()
    };
    assert_eq!(names(&piped), names(&long));
    // Of a configuration, with what it shadows.
    let project = Project::new()
        .user("[messaging.reports]\ntoken = { env = 'OLD' }\n")
        .file("credlint.toml", "[messaging.reports]\ntoken = { env = 'T' }\nchannels = ['C0123456789']\n")
        .env("T", TOKEN);
    let document = project.run(&["check", "-v", "--profile", "reports", "--format", "json"]).document();
    formats::validate(&validator, &document, "values of a profile");
    let [one] = &document["values"].as_array().unwrap()[..] else { panic!("{document}") };
    assert_eq!((&one["name"], &one["profile"]["name"]), (&"token".into(), &"reports".into()));
    assert!(one["shadows"][0]["source"]["name"].as_str().unwrap().ends_with("config.toml"), "{one}");
}

/// If the command is a known program, its variables are known.
#[cfg(unix)]
#[test]
fn exec_knows_the_variables_of_its_command() {
    let pair = [
        ("B2_APPLICATION_KEY_ID", "0057391842650ab0000000001"),
        ("B2_APPLICATION_KEY", "K0057391842650abcdefghijklmnop/"),
    ];
    let project = pair.into_iter().fold(Project::new(), |project, (name, value)| project.env(name, value));
    let restic = |arguments: &[&str]| project.run(&[&["exec", "--", "/no/such/restic"], arguments].concat());
    for repository in [&["-r", "b2:bucket:x"][..], &["--repo=b2:bucket", "backup"], &["-rb2:bucket"]] {
        let run = restic(repository);
        assert!(run.code == 127 && run.stderr.matches("warning[name-not-read]").count() == 2, "{}", run.stderr);
    }
    for other in [&["-r", "/mnt/backup"][..], &["-r", "b2://x"], &[]] {
        assert!(!restic(other).stderr.contains("name-not-read"), "{other:?}");
    }
    let other = project.run(&["exec", "--", "/no/such/other", "-r", "b2:bucket"]);
    assert!(!other.stderr.contains("name-not-read"), "{}", other.stderr);
    // In npm's own file, names of services mean nothing, but a script that it runs reads them.
    let npm = Project::new().env("SLACK_BOT_TOKEN", HOOK).run(&["exec", "--", "/no/such/npm", "start"]);
    assert!(npm.code == 125 && npm.stderr.contains("wrong-credential"), "{}", npm.stderr);
}

/// Patterns of a shell, and programs such as pre-commit, pass on whatever name somebody gave to a file.
#[test]
fn an_option_that_is_also_a_file_is_refused() {
    let files =
        ["output", "write-baseline", "baseline", "profile", "config", "env-file", "policy", "journal", "exclude"];
    let words = files.map(|option| format!("--{option}=sub/x.env"));
    let others = ["--report=json=sub/x.env", "-osub/x.env", "-csub/x.env", "-q", "--exit-zero", "--color", "-"];
    for word in words.iter().map(String::as_str).chain(others) {
        let project = Project::new().file(word, "A=1\n").file("x.env", format!("SLACK_BOT_TOKEN={HOOK}\n"));
        for before in [&["check"][..], &["upload", "-p", "r"], &["verify"], &["profiles"], &["exec"], &[]] {
            let run = project.run(&[before, &[word, "x.env"]].concat());
            let code = if before == ["exec"] { 125 } else { 2 };
            assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{before:?} {word}");
            assert!(run.stderr.contains(&format!("write ./{word}")), "{before:?} {word}: {}", run.stderr);
        }
        let names = std::fs::read_dir(project.path()).unwrap().count();
        assert_eq!(names, 3, "{word} wrote a file");
        let file = ["check", "--as", "env", &format!("./{word}")];
        assert_eq!(project.run(&file).stdout, "1 file read, no credential recognised, nothing found\n", "{word}");
        let run = project.run(&["check", "--as", "env", "--", word]);
        assert_eq!(run.code, if word == "-" { 2 } else { 0 }, "{word}: {}", run.stderr);
        // Behind `--`, the words of `exec` belong to the command.
        let run = project.run(&["exec", "--", "no-such-command", word]);
        assert_eq!(run.code, 127, "{word}: {}", run.stderr);
    }
    // A name that could be a secret is not repeated.
    let run =
        Project::new().file("-oxoxb-918273645546-QzWvXkPjHy", "").run(&["check", "-oxoxb-918273645546-QzWvXkPjHy"]);
    assert!(run.code == 2 && !run.stderr.contains("QzWv"), "{}", run.stderr);
}

/// A program gets the bytes as they are, so no variable may be passed over.
#[cfg(unix)]
#[test]
fn odd_names_and_values_do_not_start_the_command() {
    use std::os::unix::ffi::OsStrExt;
    let bytes = |start: &[u8], value: &str, end: &[u8]| [start, value.as_bytes(), end].concat();
    for (name, value, rule) in [
        (&b"SLACK_BOT_TOKEN"[..], bytes(b"", HOOK, b"\xff"), "malformed-credential"),
        (b"SLACK_BOT_TOKEN", bytes(b"", TOKEN, b"\xff"), "malformed-credential"),
        (b"SLACK_BOT_TOKEN", bytes(b"\xff", "", b"\xfe"), "malformed-credential"),
        (b"SLACK_WEBHOOK_URL", bytes(b"\xe2\x80", HOOK, b""), "malformed-credential"),
        (b"B2_APPLICATION_KEY", bytes(b"", "K0057391842650abcdefghijklmnop/", b"\xa0"), "malformed-credential"),
        (b"\xff_SLACK_BOT_TOKEN", bytes(b"", HOOK, b""), "wrong-credential"),
        (b"SLACK_BOT_TOKEN", bytes(b"", HOOK, b"\n"), "wrong-credential"),
        (b"SLACK_BOT_TOKEN", bytes(&[b' '; 5000], HOOK, b""), "wrong-credential"),
        (b"SLACK_WEBHOOK_URL", bytes(b"", TOKEN, &[b'\n'; 5000]), "malformed-credential"),
    ] {
        let project = Project::new().env("PATH", "/usr/bin:/bin");
        let mut command = project.command(&["exec", "--", "echo", "ran"]);
        let run = Run::of({
            command.env(std::ffi::OsStr::from_bytes(name), std::ffi::OsStr::from_bytes(&value));
            command
        });
        assert_eq!((run.code, run.stdout.as_str()), (125, ""), "{rule}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("error[{rule}]")), "{rule}: {}", run.stderr);
    }
    // Other bytes may be a password.
    let latin = std::ffi::OsStr::from_bytes(b"gr\xfcn").to_owned();
    assert_eq!(Project::new().env("DB_PASSWORD", latin).run(&["check", "--environment"]).code, 0);
}

#[test]
fn the_account_id_contained_in_the_key_id_is_not_a_key() {
    let pair = |key: &str| {
        Project::new()
            .file("x.env", format!("B2_APPLICATION_KEY_ID=0051a2b3c4d5e6f0000000001\nB2_APPLICATION_KEY={key}\n"))
    };
    assert_eq!(places(&pair("1a2b3c4d5e6f"), &["x.env"]), ["x.env:2 wrong-credential"]);
    // With another account it could be anything.
    assert_eq!(places(&pair("1a2b3c4d5e60"), &["x.env"]), ["x.env:2 unrecognised-credential"]);
}

#[cfg(unix)]
#[test]
fn a_command_that_is_not_there_gets_the_way_to_write_it() {
    for (word, way) in [
        ("make deploy", "make deploy: no such command; a command and its arguments are separate words"),
        ("source", "source: no such command; only a shell knows it: sh -c"),
        ("no-such-program", "no-such-program: no such command\n"),
    ] {
        let run = Project::new().env("PATH", "/usr/bin:/bin").run(&["exec", "--", word]);
        assert!(run.code == 127 && run.stderr.contains(way), "{} {}", run.code, run.stderr);
    }
}
