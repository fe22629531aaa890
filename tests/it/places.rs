//! Where a file is: in a repository or not, committed or ignored, an example or deployed, this user's or another's.

use serde_json::Value;

use crate::harness::Project;

const PLACEHOLDER: &str = "SLACK_BOT_TOKEN=xoxb-your-token\n";
const HOOK: &str = "SLACK_BOT_TOKEN=https://hooks.slack.com/services/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\n";

/// Returns the severities of all findings.
fn severities(document: &Value) -> Vec<&str> {
    document["findings"].as_array().unwrap().iter().map(|found| found["severity"].as_str().unwrap()).collect()
}

#[test]
fn a_wrong_kind_is_an_error_but_in_what_everybody_means_as_an_example() {
    for (name, severity) in [
        ("config/default.env", "error"),
        ("environments/test/.env", "error"),
        ("dist/.env", "error"),
        ("docs/a.env", "error"),
        ("clusters/prod/default/a.env", "error"),
        ("examples/a.env", "note"),
        ("a/fixtures/.env", "note"),
        ("testdata/.env", "note"),
        ("tests/.env", "note"),
        (".env.example", "note"),
        (".env.sample", "note"),
        ("a.env.template", "note"),
    ] {
        let (_, document) = Project::new().file(name, HOOK).check(&["."]);
        assert_eq!(severities(&document), [severity], "{name}");
        assert_eq!(document["read"]["weakened"], usize::from(severity == "note"), "{name}");
    }
}

#[test]
fn a_placeholder_is_a_note_where_git_would_commit_it() {
    let project = Project::new().file(".gitignore", "*.local\n").file("a.env", PLACEHOLDER);
    let project = project.file("b/.env.local", PLACEHOLDER).file("c.yaml", PLACEHOLDER.replace('=', ": "));
    for (path, severity) in [("a.env", "note"), ("b/.env.local", "error"), ("c.yaml", "note")] {
        for args in [&[path][..], &["."]] {
            let (_, document) = project.check(args);
            let findings = document["findings"].as_array().unwrap().iter();
            let own = findings.filter(|found| found["labels"][0]["source"]["name"] == path);
            assert_eq!(
                own.map(|found| found["severity"].as_str().unwrap()).collect::<Vec<_>>(),
                [severity],
                "{args:?}"
            );
        }
    }
    let run = project.run(&["check", "."]);
    assert!(run.stdout.contains("; 2 findings are only notes: in an example, or a placeholder"), "{}", run.stdout);
    // Outside of a repository, in a process and on standard input.
    let project = project.outside_repository();
    assert_eq!(severities(&project.check(&["a.env"]).1), ["error"]);
    let project = Project::new().env("SLACK_BOT_TOKEN", "xoxb-your-token");
    assert_eq!(severities(&project.check(&["--environment"]).1), ["error"]);
}

#[cfg(unix)]
#[test]
fn links_to_nothing_and_into_skipped_directories_are_not_passed_over() {
    let project = Project::new().file("l/target/.env", HOOK).file("l/b.env", "A=1\n").file("m/b.env", "A=1\n");
    std::os::unix::fs::symlink("target/.env", project.path().join("l/.env")).unwrap();
    assert_eq!(project.rules(&["l"]), ["wrong-credential"]);
    std::os::unix::fs::symlink("none", project.path().join("m/.env")).unwrap();
    let (code, document) = project.check(&["m"]);
    let message = document["findings"][0]["message"].as_str().unwrap();
    assert!(code == 1 && message.contains("a link to a file that does not exist"), "{message}");
    // Nobody expects credentials under another name.
    std::os::unix::fs::symlink("none", project.path().join("m/a.yaml")).unwrap();
    assert_eq!(project.rules(&["m"]).len(), 1);
}

/// Each checkout of a monorepo makes its own `.env`, to which links in it are committed.
#[test]
fn a_committed_link_to_an_ignored_file_is_a_note() {
    let project = Project::new().file(".gitignore", "/.env\n").file("a/b.env", "A=1\n");
    for (target, severity) in [("../.env", "note"), ("../none.env", "error")] {
        let link = project.path().join("a/.env");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(target, &link).unwrap();
        for arguments in [&["init", "-q"][..], &["add", "-f", "a/.env"]] {
            let run = std::process::Command::new("git").args(arguments).current_dir(project.path()).output().unwrap();
            assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        }
        let (_, document) = project.check(&["."]);
        let found = document["findings"].as_array().unwrap();
        assert!(found.len() == 1 && found[0]["severity"] == severity, "{target}: {found:?}");
    }
}

#[test]
fn a_tracked_file_is_read_though_a_pattern_ignores_it() {
    let project = Project::new().file(".gitignore", "*.yaml\nbuild/\n").file("a.yaml", HOOK.replace('=', ": "));
    let project = project
        .file("build/b.json", format!("{{{}}}", HOOK.trim().replacen('=', "\": \"", 1).replacen('S', "\"S", 1) + "\""));
    assert_eq!(project.rules(&["."]), [""; 0]);
    for arguments in [&["init", "-q"][..], &["add", "-f", "a.yaml", "build/b.json"]] {
        let run = std::process::Command::new("git").args(arguments).current_dir(project.path()).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    }
    assert_eq!(project.rules(&["."]), ["wrong-credential"; 2]);
    assert_eq!(project.rules(&["build"]), ["wrong-credential"]);
    assert_eq!(project.rules(&[".", "--exclude", "build/"]), ["wrong-credential"]);
}

/// Only root can give files away.
#[cfg(target_os = "linux")]
#[test]
fn of_a_file_of_another_user_only_what_is_stricter_acts() {
    use std::os::unix::fs::chown;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let lint = "[lint]\nfail_on = \"warning\"\nexclude = [\"*.env\"]\n[lint.levels]\nwrong-credential = \"error\"\nno-channels = \"off\"\n[[lint.allow]]\nrule = \"wrong-credential\"\nreason = \"a test server\"\n";
    let project = Project::new().file("credlint.toml", lint).file("tests/.env", HOOK);
    let says = "belongs to another user: only what makes this check stricter is used, `fail_on` and raised levels; `allow` and `exclude` are not used";
    for (owner, code) in [(0, 0), (12345, 1)] {
        chown(project.path().join("credlint.toml"), Some(owner), None).unwrap();
        for args in [&["check", "tests/.env"][..], &["check", "."], &["check"]] {
            let run = project.run(args);
            // Without [messaging] or [storage], `check` alone has nothing to check.
            let code = if owner == 0 && args == ["check"] { 3 } else { code };
            assert_eq!(
                (run.code, run.stderr.contains(says)),
                (code, owner != 0),
                "{owner} {args:?}: {}{}",
                run.stdout,
                run.stderr
            );
        }
        let run = project.run(&["exec", "-q", "--", "true"]);
        assert_eq!((run.code, run.stderr.contains(says)), (0, false), "{}", run.stderr);
        let run = project.run(&["check", "--environment"]);
        assert_eq!((run.code, run.stderr.contains(says)), (0, owner != 0), "{}", run.stderr);
    }
    // Another user's file can't stop a check either.
    let project = project.file("credlint.toml", "[lint");
    chown(project.path().join("credlint.toml"), Some(12345), None).unwrap();
    let run = project.run(&["check", "--environment"]);
    assert!(
        run.code == 0 && run.stderr.contains("can't be read: nothing of it is used"),
        "{} {}",
        run.code,
        run.stderr
    );
}

#[cfg(target_os = "linux")]
#[test]
fn ignore_files_and_repositories_of_another_user_hide_nothing() {
    use std::os::unix::fs::chown;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let project = Project::new().file(".gitignore", "*.yaml\n").file("a/values.yaml", HOOK.replace('=', ": "));
    assert_eq!(project.rules(&["a"]), [""; 0]);
    for name in [".gitignore", ".git"] {
        chown(project.path().join(name), Some(12345), None).unwrap();
        for path in ["a", "."] {
            assert_eq!(project.rules(&[path]), ["wrong-credential"], "{name}");
        }
        chown(project.path().join(name), Some(0), None).unwrap();
    }
    chown(project.path().join(".gitignore"), Some(12345), None).unwrap();
    let run = project.run(&["check", "."]);
    assert!(run.stderr.contains("or another user's"), "{}", run.stderr);
}

#[test]
fn an_allow_may_name_a_key_with_dots() {
    let project = Project::new().file("a.properties", HOOK.replacen("SLACK_BOT_TOKEN", "slack.bot.token", 1));
    for (name, code) in [("slack.bot.token", 0), ("bot.token", 0), ("token", 0), ("slack.token", 1), ("ot.token", 1)] {
        let allow =
            format!("[[lint.allow]]\nrule = \"wrong-credential\"\nvariable = \"{name}\"\nreason = \"a test\"\n");
        assert_eq!(project.file_again("credlint.toml", &allow).run(&["check", "a.properties"]).code, code, "{name}");
    }
}

#[test]
fn a_comment_that_can_not_allow_says_so() {
    let hook = HOOK.trim_end();
    for (name, text) in [
        ("a.env", format!("// credlint: allow(wrong-credential) a test server\n{hook}\n")),
        ("a.env", format!("! credlint: allow(wrong-credential) a test server\n{hook}\n")),
        (
            "a.yaml",
            format!("a: |\n  # credlint: allow(wrong-credential) a test server\n{}\n", hook.replacen('=', ": ", 1)),
        ),
    ] {
        let (code, document) = Project::new().file(name, &text).check(&[name]);
        let helps: Vec<&str> =
            document["findings"].as_array().unwrap().iter().map(|found| found["help"].as_str().unwrap()).collect();
        assert!(code == 1 && helps.iter().any(|help| help.contains("no comment in this file")), "{text}: {helps:?}");
    }
    // It is only told of a comment.
    let quoted = format!("A=\"credlint: allow(wrong-credential) b\"\nB=x# credlint: allow(c) d\n{hook}\n");
    assert_eq!(Project::new().file("a.env", &quoted).rules(&["a.env"]), ["wrong-credential"]);
}

#[test]
fn what_may_be_a_value_is_no_placeholder_where_anybody_reads_it() {
    for (name, text) in [
        (".env", "OPENAI_API_KEY=sk-xxx\nSMTP_PASSWORD=changeme\nDB_PASSWORD=changePassword\nJWT_SECRET=dummy\n"),
        (".env", "PAD_TOKEN=<pad>\nEOS_TOKEN=</s>\nSTOP_TOKEN=<|im_end|>\n"),
        (".env", "OPENAI_API_KEY=sk-your-key\nOPENAI_BASE_URL=http://localhost:11434/v1\n"),
        (".env", "JWT_SECRET=your-jwt-secret\nJWT_SECRET=k3J9xQ2mLp7Rt5Yb\n"),
        ("values.yaml", "env:\n  SLACK_CHANNEL: deploys\n  DB_PASSWORD: <database-password>\n"),
        ("labels.json", "{\"slack\": {\"ENTER_PASSWORD\": \"Enter your password\"}}\n"),
        (".env.example", "STRIPE_SECRET_KEY=sk_test_your_key\nJWT_SECRET=your-jwt-secret\n"),
    ] {
        let (_, document) = Project::new().outside_repository().file(name, text).check(&["."]);
        assert_eq!(document["findings"], serde_json::json!([]), "{text}");
    }
    let run = |name: &str, value: &str| Project::new().env(name, value).check(&["--environment"]).1;
    for (name, value, severity) in [
        ("JWT_SECRET", "your-jwt-secret", &["note"][..]),
        ("OPENAI_API_KEY", "sk-your-key", &["note"]),
        ("STRIPE_SECRET_KEY", "sk_<CHANGE_ME>", &["error"]),
        ("JWT_SECRET", "changeme", &[]),
        ("OPENAI_API_KEY", "sk-xxx", &[]),
    ] {
        assert_eq!(severities(&run(name, value)), severity, "{name}={value}");
    }
}
