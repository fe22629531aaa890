//! `exec --stdin NAME`: a value on its way to a command that stores it.

use crate::harness::{Project, Run};
use crate::paths::with_input;

const TOKEN: &str = "xoxb-739184265017-7391842650173-QzWvXkPjHyBdRmTnLsGfCaEu";
const HOOK: &str = "https://hooks.slack.com/services/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";
const PEM: &str = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0w\n-----END PRIVATE KEY-----\n";

fn project() -> Project {
    Project::new().env("PATH", "/usr/bin:/bin")
}

/// Pipes a value to a command that copies it to standard output.
fn pipe(project: &Project, name: &str, value: &[u8]) -> Run {
    with_input(project, &["exec", "--stdin", name, "--", "cat"], value)
}

#[test]
fn command_gets_the_value_without_the_line_break_of_echo() {
    for (piped, stored) in [
        (format!("{TOKEN}\n"), TOKEN),
        (format!("{TOKEN}\r\n"), TOKEN),
        (TOKEN.to_owned(), TOKEN),
        // What has line breaks inside keeps the one at its end.
        (PEM.to_owned(), PEM),
        (PEM.replace('\n', "\r\n"), &PEM.replace('\n', "\r\n")),
        ("{\n  \"type\": \"service_account\"\n}\n".to_owned(), "{\n  \"type\": \"service_account\"\n}\n"),
        ("correct horse ".to_owned(), "correct horse "),
    ] {
        let run = pipe(&project(), "DEPLOY_SECRET", piped.as_bytes());
        assert_eq!((run.code, run.stdout.as_str()), (0, stored), "{piped:?}: {}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn value_is_on_standard_input_only_and_ends_there() {
    let project = project().env("DEPLOY_TOKEN", "from the environment");
    let script = "cat; printf '|'; cat; printf '%s' \"$DEPLOY_TOKEN\"";
    let run = with_input(&project, &["exec", "--stdin", "DEPLOY_TOKEN", "--", "sh", "-c", script], b"piped-0123\n");
    assert_eq!((run.code, run.stdout.as_str()), (0, "piped-0123|from the environment"), "{}", run.stderr);
    let script = "env; tr '\\0' '\\n' < /proc/self/environ 2>/dev/null; exit 7";
    let run = with_input(&project, &["exec", "-q", "--stdin", "NEW_TOKEN", "--", "sh", "-c", script], b"piped-0123\n");
    assert!(run.code == 7 && !run.stdout.contains("piped-0123"), "{}", run.stdout);
    // As much as is allowed arrives, whatever a pipe holds.
    let long = "k1".repeat(32 * 1024);
    let run = pipe(&project, "BUNDLE", long.as_bytes());
    assert!(run.code == 0 && run.stdout == long, "{}", run.stderr);
}

#[test]
fn nothing_is_stored_of_a_value_that_is_none() {
    for (value, rule) in [
        ("", "empty-credential"),
        ("\n", "empty-credential"),
        (" \r\n", "empty-credential"),
        ("-\n", "placeholder-credential"),
        ("undefined\n", "placeholder-credential"),
        ("null", "placeholder-credential"),
        ("<your-token>\n", "placeholder-credential"),
        ("changeme\n", "placeholder-credential"),
        ("xoxb-your-token\n", "placeholder-credential"),
        ("***", "placeholder-credential"),
    ] {
        for name in ["SLACK_BOT_TOKEN", "DEPLOY_TOKEN", "WHATEVER", "my-setting"] {
            // What the environment has under this name is not what is stored.
            let project = project().env(name, TOKEN);
            let run = with_input(&project, &["exec", "--stdin", name, "--", "touch", "started"], value.as_bytes());
            assert_eq!(run.code, 125, "{name}={value:?}: {}", run.stderr);
            assert_eq!(run.stderr.matches(&format!("error[{rule}]")).count(), 1, "{name}={value:?}: {}", run.stderr);
            assert!(run.stderr.contains(" 1 error\n") && run.stderr.contains("nothing was stored"), "{}", run.stderr);
            assert!(!project.path().join("started").exists());
        }
    }
    // The message of a program, and its colours. A password may have blanks.
    for value in ["Error: secret not found\n", "\u{1b}[32msk_live_QzWvXkPjHyBdRmTnLsGfCaEu\u{1b}[0m\n"] {
        let run = pipe(&project(), "STRIPE_SECRET_KEY", value.as_bytes());
        assert!(run.code == 125 && run.stderr.contains("error[malformed-credential]"), "{}", run.stderr);
        assert_eq!(pipe(&project(), "SMTP_PASSWORD", value.as_bytes()).code, 0, "{value}");
    }
    // A server of your own may issue this.
    assert_eq!(pipe(&project(), "SLACK_BOT_TOKEN", b"xoxb-test\n").code, 0);
    let observed = with_input(&project(), &["exec", "--observe", "--stdin", "A_TOKEN", "--", "cat"], b"null\n");
    assert_eq!((observed.code, observed.stdout.as_str()), (0, "null"));
    let reason = project().env("CREDLINT_OVERRIDE", "the old value has to go");
    let overridden = pipe(&reason, "A_TOKEN", b"-\n");
    assert_eq!((overridden.code, overridden.stdout.as_str()), (0, "-"));
}

#[test]
fn value_is_judged_together_with_other_variables() {
    let run = pipe(&project(), "SLACK_BOT_TOKEN", format!("{HOOK}\n").as_bytes());
    assert!(run.code == 125 && run.stderr.contains("error[wrong-credential]"), "{}", run.stderr);
    let live = b"sk_live_4eC39HqLyjWDarjtT1zdp7dcQzWv\n";
    let test = project().env("STRIPE_PUBLISHABLE_KEY", "pk_test_4eC39HqLyjWDarjtT1zdp7dcQzWv");
    let run = pipe(&test, "STRIPE_SECRET_KEY", live);
    assert!(run.code == 125 && run.stderr.contains("error[mixed-credentials]"), "{}", run.stderr);
    let right = project().env("STRIPE_PUBLISHABLE_KEY", "pk_live_4eC39HqLyjWDarjtT1zdp7dcQzWv");
    // The environment's own value of this name is not the one that is stored.
    let right = right.env("STRIPE_SECRET_KEY", "sk_test_4eC39HqLyjWDarjtT1zdp7dcQzWv");
    let run = pipe(&right, "STRIPE_SECRET_KEY", live);
    assert!(run.code == 0 && run.stdout.starts_with("sk_live_"), "{}", run.stderr);
    // What is around a value is found under any name, and stops nothing unless that is asked for.
    for value in ["\"8f14e45fceea167a5a36dedd4bea2543\"\n", "'8f14e45fceea167a5a36dedd4bea2543'"] {
        let words = ["exec", "--fail-on", "warning", "--stdin", "SETTING", "--", "cat"];
        let run = with_input(&project(), &words, value.as_bytes());
        assert!(run.code == 125 && run.stderr.contains("warning[malformed-credential]"), "{}", run.stderr);
        assert_eq!(pipe(&project(), "SETTING", value.as_bytes()).code, 0);
    }
}

#[test]
fn unusable_input_ends_in_125() {
    let large = "k".repeat(64 * 1024 + 1);
    for (name, value, said) in [
        ("A_TOKEN", large.as_str(), "larger than 64 KiB"),
        ("T 0", "x", "needs the name of a variable"),
        ("", "x", "needs the name of a variable"),
        ("A=B", "x", "needs the name of a variable"),
        ("1A", "x", "needs the name of a variable"),
    ] {
        let run = pipe(&project(), name, value.as_bytes());
        assert!(run.code == 125 && run.stdout.is_empty() && run.stderr.contains(said), "{name}: {}", run.stderr);
    }
    assert_eq!(with_input(&project(), &["exec", "--stdin", "A_TOKEN"], b"x").code, 125);
    let run = project().run(&["exec", "--", "A_TOKEN=correct-horse", "true"]);
    assert!(run.code == 127 && run.stderr.contains("in front") && !run.stderr.contains("horse"), "{}", run.stderr);
    assert_eq!(with_input(&project(), &["exec", "--stdin", "A_TOKEN", "--", "no-such-command"], b"x").code, 127);
    // A value that is not UTF-8 passes as it is, where nothing is known of it.
    let command = ["exec", "--stdin", "KEY_FILE", "--", "od", "-An", "-tx1"];
    let run = with_input(&project(), &command, b"\x00\xff\n\n");
    assert_eq!((run.code, run.stdout.trim()), (0, "00 ff 0a 0a"), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_not_read() {
    let (_controller, program) = crate::harness::terminal();
    let project = project();
    let mut command = project.command(&["exec", "--stdin", "A_TOKEN", "--", "cat"]);
    command.stdin(program);
    let run = Run::of(command);
    assert!(run.code == 125 && run.stderr.contains("from a pipe"), "{}", run.stderr);
}
