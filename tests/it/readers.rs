//! What the readers of other programs' files read: as the programs do, whole, and within bounds.

use crate::harness::Project;

const TOKEN: &str = "xoxb-739184265017-7391842650173-QzWvXkPjHyBdRmTnLsGfCaEu";
const HOOK: &str = "https://hooks.slack.com/services/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";

/// The rules of the findings in a file.
fn rules(name: &str, text: impl AsRef<[u8]>) -> Vec<String> {
    Project::new().file(name, text).rules(&[name, "--no-allow"])
}

/// Beside a program that replaces the file all the time, the command gets what was judged.
#[cfg(unix)]
#[test]
fn exec_gives_what_it_judged_while_the_file_changes() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let project = Project::new().env("PATH", "/usr/bin:/bin").file("v.env", format!("SLACK_BOT_TOKEN={TOKEN}\n"));
    let (path, done) = (project.path(), AtomicBool::new(false));
    let started = std::thread::scope(|scope| {
        scope.spawn(|| {
            for value in [HOOK, TOKEN].iter().cycle().take_while(|_| !done.load(Ordering::Relaxed)) {
                std::fs::write(path.join("next"), format!("SLACK_BOT_TOKEN={value}\n")).unwrap();
                std::fs::rename(path.join("next"), path.join("v.env")).unwrap();
            }
        });
        let words = ["exec", "-q", "--env-file", "v.env", "--", "sh", "-c", "echo $SLACK_BOT_TOKEN"];
        let runs: Vec<_> = (0..60).map(|_| project.run(&words)).collect();
        done.store(true, Ordering::Relaxed);
        runs
    });
    for run in started {
        assert!(!run.stdout.contains("hooks.slack.com") && [0, 125].contains(&run.code), "{}", run.stdout);
    }
}

/// `exec --env-file` and `check` accept and refuse the same files.
#[cfg(unix)]
#[test]
fn exec_reads_a_dotenv_file_as_check_does() {
    for text in [
        "SLACK_BOT_TOKEN = §\n", "GREETING=\"hello\nSLACK_BOT_TOKEN=§\n", "/*\nSLACK_BOT_TOKEN=§\n",
        "A=[\nSLACK_BOT_TOKEN=§\n", "A=1; SLACK_BOT_TOKEN=§\n", "export A=1 SLACK_BOT_TOKEN=§ # c\n",
        "SLACK_BOT_TOKEN=§ \n",
    ] {
        for (value, code) in [(TOKEN, 0), (HOOK, 1)] {
            let project = Project::new().env("PATH", "/usr/bin:/bin").file("v.env", text.replace('§', value));
            assert_eq!(project.run(&["check", "v.env"]).code, code, "{text}");
            let words = ["exec", "-q", "--observe", "--env-file", "v.env", "--", "sh", "-c", "echo $SLACK_BOT_TOKEN"];
            assert_eq!(project.run(&words).stdout.trim(), value, "{text}");
            let run = project.run(&["exec", "-q", "--env-file", "v.env", "--", "true"]);
            assert_eq!(run.code, code * 125, "{text}: {}", run.stderr);
        }
    }
}

/// A shell and python-dotenv read the last line of each.
#[test]
fn no_line_hides_the_next_ones_of_a_dotenv_file() {
    for (before, after) in [
        (&b""[..], ""),
        (b"\xff\xfe\n", ""),
        (b"\xfe\xff\n", ""),
        (b"\xff\xfe# \0\0\0\0\0\0\0\0 \n", ""),
        (b"/*\n", "*/\n"),
        (b"A=[\n", "]\n"),
        (b"A=(\n", ")\n"),
        (b"A = {\n", "}\n"),
        (b"A=`\n", "`\n"),
        (b"A=<<EOF\n", "EOF\n"),
        (b"A: |\n", ""),
        (b"cat <<X > package-lock.json\n", "X\n"),
        (b"f() {\n", "}\n"),
    ] {
        let text = [before, format!("SLACK_BOT_TOKEN={HOOK}\n{after}").as_bytes()].concat();
        let shown = String::from_utf8_lossy(&text).into_owned();
        assert_eq!(rules(".env", &text), ["wrong-credential"], "{shown:?}");
    }
    // UTF-16 with a mark stays UTF-16, however short.
    for text in [format!("SLACK_BOT_TOKEN={HOOK}\n"), format!("# 这是一个说明文字\nSLACK_BOT_TOKEN={HOOK}\n")] {
        let wide: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(rules(".env", wide), ["wrong-credential"]);
    }
}

/// A value may be written in any way that the syntax has, and a name in any letters.
#[test]
fn no_spelling_hides_a_value() {
    let template = |text: &str| format!("{{{{- if .x }}}}\n{text}{{{{- end }}}}\n");
    let yaml = [
        "\"\\x53LACK_BOT_TOKEN\": §\n", "\"\\U00000053LACK_BOT_TOKEN\": §\n", "\"\\u0053LACK_BOT_TOKEN\": §\n",
        "a:\n- &k SLACK_BOT_TOKEN\nb:\n  *k : §\n", "? &k SLACK_BOT_TOKEN\n: x-y\nb: {*k : §}\n",
        "? \"SL\\\n  ACK_BOT_TOKEN\"\n: §\n", "? >-\n  SLACK_BOT_TOKEN\n: §\n",
    ];
    for text in yaml {
        assert_eq!(rules("a.yaml", text.replace('§', HOOK)), ["wrong-credential"], "{text}");
    }
    for text in [
        "env:\n- {name: SLACK_BOT_TOKEN, value: \"§\"}\n",
        "env: [{name: A, value: b}, {name: SLACK_BOT_TOKEN, value: '§'}]\n",
        "env: {SLACK_BOT_TOKEN: §}\n",
        "stringData: {a: \"b, c\", \"SLACK_BOT_TOKEN\": \"§\"}\n",
        "a: {slack: {bot_token: \"§\"}}\n",
        "SLACK_BOT_TOKEN: >-\n  §\n",
        "SLACK_BOT_TOKEN: |\n\n  §\nA: b\n",
        "SLACK_BOT_TOKEN:\n  §\n",
        "SLACK_BOT_TOKEN:\n  \"§\"\n",
        "env:\n- name: SLACK_BOT_TOKEN\n  value: >-\n    §\n- name: A\n  value: b\n",
        "- SLACK_BOT_TOKEN=§\n",
    ] {
        let found = |value: &str| rules("a.yaml", template(&text.replace('§', value)));
        assert_eq!(found(HOOK), ["wrong-credential"], "{text}");
        assert_eq!(found(TOKEN), [""; 0], "{text}");
    }
    let settings =
        |key: &str, value: &str| rules("Web.config", format!("<a><add key=\"{key}\" value=\"{value}\"/></a>"));
    assert_eq!(settings("&#83;LACK_BOT_TOKEN", HOOK), ["wrong-credential"]);
    for first in ["&#104;", "&#x68;"] {
        assert_eq!(settings("SLACK_BOT_TOKEN", &HOOK.replacen('h', first, 1)), ["wrong-credential"]);
    }
}

/// Most programs keep a NUL, or end the value there; a shell leaves it out.
#[test]
fn no_value_with_a_nul_is_right() {
    for value in [format!("{TOKEN}\0"), format!("\0{TOKEN}"), format!("\0{HOOK}"), format!("{HOOK}\0")] {
        assert_eq!(rules(".env", format!("SLACK_BOT_TOKEN={value}\n")).len(), 1, "{value:?}");
    }
    assert_eq!(rules(".env", format!("# \0\nSLACK_BOT_TOKEN={TOKEN}\n")), [""; 0]);
}

#[test]
fn binary_standard_input_was_not_read() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_credlint")).unwrap();
    for input in [&program[..65_536], b"\x7fELF\x02\x01\x01\0\0\0\0\0\x03\0\x3e\0A=1\0"] {
        for args in [&["check", "-"][..], &["check", "--as", "env0", "-"]] {
            let run = crate::paths::with_input(&Project::new(), args, input);
            assert!(run.code == 1 && run.stdout.contains("unread-file"), "{args:?}: {} {}", run.code, run.stdout);
        }
    }
    let run = crate::paths::with_input(&Project::new(), &["check", "-"], b"A=1\0B=x\ny\0");
    assert_eq!(run.code, 0, "{}", run.stderr);
}

/// Whoever writes a pull request may name a directory `examples`.
#[test]
fn no_directory_makes_an_example_with_a_policy_and_no_allow() {
    let bad = format!("SLACK_BOT_TOKEN={HOOK}\n");
    let project =
        Project::new().file("examples/.env", &bad).file("policy.toml", "[lint]\n").file("a/.env.example", &bad);
    let policy = ["--policy", "policy.toml", "--no-allow", "--fail-on", "error"];
    for (path, given, code) in
        [("examples", &policy[2..], 0), ("examples", &policy[..], 1), ("a/.env.example", &policy[..], 0)]
    {
        assert_eq!(project.run(&[&["check", path], given].concat()).code, code, "{path} {given:?}");
    }
}
