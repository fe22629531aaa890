//! What the readers of other programs' files read: as the programs do, whole, and within bounds.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::harness::Project;

const TOKEN: &str = "xoxb-739184265017-7391842650173-QzWvXkPjHyBdRmTnLsGfCaEu";
const HOOK: &str = "https://hooks.slack.com/services/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";

const NPM: &str = "npm_qZ7mKp2RtVx9Lw4Ns6Yb8Dh3aB5cE7fG9hJ1";
const GITHUB: &str = "ghp_qZ7mKp2RtVx9Lw4Ns6Yb8Dh3aB5cE7fG9hJ1";
const PYPI: &str = concat!(
    "pypi-AgEIcHlwaS5vcmcCJDg0ZjQxYzI3LTk1YjMtNDE2Zi1hZjM1LTRmNWE4MmM3ZDFlMAACKlszLCJhNzFjM2Y0Mi0xY",
    "TJjLTQyYjMtOTg3Ni1kNGU1ZjZhN2I4YzkiXQAABiBqVxQ9mWzR4tYk7LpN2sDf6GhJ8xZcVbM3aXeCrTyUiOwErTyQpA"
);

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
        (b"\xff\xfe# \0\0 \n", ""),
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
        // What is known of lists in YAML holds in templates.
        "envVars:\n- key: SLACK_BOT_TOKEN\n  value: §\n",
        "envVars: [{key: A, value: b}, {key: SLACK_BOT_TOKEN, value: §}]\n",
        "env:\n- name: SLACK_BOT_TOKEN\n  value: §\n  description: what it is\n",
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

/// A file that a dialect is for: its name, the name for `k`, a right value and a wrong one.
fn example(dialect: &str) -> (&'static str, &'static str, &'static str, &'static str) {
    match dialect {
        "dotenv" => (".env", "SLACK_BOT_TOKEN", TOKEN, HOOK),
        "shell" => ("a.sh", "SLACK_BOT_TOKEN", TOKEN, HOOK),
        "aws" => (".aws/credentials", "aws_access_key_id", "AKIA5QZX7KMPRTVWLNSY", HOOK),
        "ini" => (".pypirc", "password", PYPI, NPM),
        "rclone" => ("rclone.conf", "key", "K005qZ7mKp2RtVx9Lw4Ns6Yb8Dh3aBc", "0051a2b3c4d5e6f0000000002"),
        "properties" => ("app.properties", "slack.bot.token", TOKEN, HOOK),
        "npmrc" => (".npmrc", "//registry.npmjs.org/:_authToken", NPM, GITHUB),
        "netrc" => (".netrc", "", GITHUB, NPM),
        other => panic!("{other}"),
    }
}

/// What is taken as the value of `k`: nothing of the credential, the credential, it with quotes, blanks or a comment, or
/// it with something else, which makes it a value of unknown form.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Taken {
    Nothing,
    Exactly,
    Changed,
    Unknown,
}

fn taken_by_credlint(dialect: &str, line: &str) -> Taken {
    let (file, name, right, wrong) = example(dialect);
    let more = "repository = https://upload.pypi.org/legacy/\nusername = __token__\n";
    let mut line = if line.starts_with("[s]") {
        line.to_owned() + more
    } else {
        line.replace("K =", &format!("{} =", name.to_uppercase()))
    };
    for mark in ["=", " =", ":", "+=", " §"] {
        line = line.replace(&format!("k{mark}"), &format!("{name}{mark}"));
    }
    let line = line.replace("\\u006b", "\\u0073lack.bot.token").replace("machine h", "machine api.github.com");
    let found = |value: &str| {
        let found = rules(file, line.replace('§', value));
        found.into_iter().any(|rule| rule != "incomplete-credentials" && rule != "incomplete-key-pair")
    };
    match (found(wrong), found(right)) {
        (false, _) => Taken::Nothing,
        (true, false) => Taken::Exactly,
        (true, true) => Taken::Changed,
    }
}

/// Lines that credlint takes as no program does, or as only some do, with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    ("k=§\nk=x\n", "a value that a later line replaces is judged, too"),
    ("A='x\nk=§\n'\n", "docker knows no quotes; to all others this is text in a value"),
];

#[test]
fn readers_take_what_the_programs_take() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/readers");
    let read = |name: &str| -> Vec<serde_json::Value> {
        serde_json::from_str(&std::fs::read_to_string(corpus.join(name)).unwrap()).unwrap()
    };
    let mut answers: std::collections::BTreeMap<(String, String), Vec<(String, Taken)>> =
        std::collections::BTreeMap::default();
    for program in [read("recorded.json"), read("read.json")].concat() {
        for answer in program["answers"].as_array().unwrap() {
            let taken = match answer[1].as_str() {
                Some("§") => Taken::Exactly,
                Some(value) if value.contains('§') => {
                    let around: String = value.split('§').collect();
                    let known = around.trim_matches([' ', '"', '\'']).is_empty() || around.starts_with([' ', '\t']);
                    if known && !value.contains("\" #") { Taken::Changed } else { Taken::Unknown }
                }
                _ => Taken::Nothing,
            };
            let key = [&program["dialect"], &answer[0]].map(|part| part.as_str().unwrap().to_owned());
            answers.entry(key.into()).or_default().push((program["program"].as_str().unwrap().to_owned(), taken));
        }
    }
    let mut differences = Vec::new();
    for ((dialect, line), programs) in &answers {
        let taken = taken_by_credlint(dialect, line);
        let excused = DIFFERENT.iter().any(|(known, _)| known == line);
        let hidden =
            taken == Taken::Nothing && programs.iter().any(|(_, by)| ![Taken::Nothing, Taken::Unknown].contains(by));
        if !excused && (hidden || programs.iter().all(|(_, by)| ![taken, Taken::Unknown].contains(by))) {
            differences.push(format!("{dialect} {line:?}: {taken:?}, but {programs:?}"));
        }
    }
    assert!(answers.len() > 100 && differences.is_empty(), "{}", differences.join("\n"));
}

/// A file in a script or a Secret is read as the one that it becomes, and any file as what `--as` says.
#[test]
fn files_are_judged_by_what_they_become() {
    const PYPIRC: &str = "[pypi]\nrepository = https://upload.pypi.org/legacy/\nusername = __token__\npassword = §\n";
    for (name, content, right, wrong) in [
        (".npmrc", "//registry.npmjs.org/:_authToken=§\n", NPM, GITHUB),
        (".netrc", "machine api.github.com\n  login x\n  password §\n", GITHUB, NPM),
        (".pypirc", PYPIRC, PYPI, NPM),
    ] {
        for (value, wanted) in [(right, &[][..]), (wrong, &["wrong-credential"])] {
            let content = content.replace('§', value);
            let inner: String = content.lines().map(|line| format!("    {line}\n")).collect();
            for (file, text) in [
                (name, content.clone()),
                ("a.sh", format!("set -e\ncat > ~/{name} <<EOF\n{content}EOF\n")),
                ("a.yaml", format!("kind: Secret\nstringData:\n  {name}: |\n{inner}")),
                ("a.yaml", format!("kind: ConfigMap\ndata:\n  {name}: |\n{inner}")),
                ("a.yaml", format!("kind: Secret\ndata:\n  {name}: {}\n", STANDARD.encode(&content))),
            ] {
                assert_eq!(rules(file, &text), wanted, "{text}");
            }
            if name != ".pypirc" {
                let project = Project::new().file("ci-secret", &content);
                assert_eq!(project.rules(&["ci-secret", "--as", "logins"]), wanted, "{content}");
            }
        }
    }
    // A login for each host, also from standard input.
    let logins =
        format!("machine api.github.com login x password {GITHUB}\nmachine api.github.com login x password {NPM}\n");
    let run = crate::paths::with_input(&Project::new(), &["check", "--as", "logins", "-"], logins.as_bytes());
    assert!(run.code == 1 && run.stdout.contains(":2:") && !run.stdout.contains(":1:"), "{}", run.stdout);
}

#[test]
fn allow_on_the_line_above_counts_in_every_syntax() {
    const ALLOW: &str = "credlint: allow(wrong-credential) a test server";
    for (file, comment, end, line) in [
        (".env", "#", "", "SLACK_BOT_TOKEN=§"),
        ("a.sh", "#", "", "SLACK_BOT_TOKEN=§"),
        ("a.bat", "REM", "", "set SLACK_BOT_TOKEN=§"),
        ("a.bat", "::", "", "set SLACK_BOT_TOKEN=§"),
        ("a.tfvars", "//", "", "slack_bot_token = \"§\""),
        ("a.ini", ";", "", "slack_bot_token = §"),
        (".aws/credentials", ";", "", "slack_bot_token = §"),
        ("a.properties", "!", "", "slack.bot.token=§"),
        ("a.properties", "#", "", "slack.bot.token=§"),
        ("a.toml", "#", "", "slack_bot_token = \"§\""),
        ("a.yaml", "#", "", "SLACK_BOT_TOKEN: §"),
        ("a.json", "//", "", "{\"SLACK_BOT_TOKEN\": \"§\"}"),
        ("Web.config", "<!--", " -->", "<add key=\"SLACK_BOT_TOKEN\" value=\"§\"/>"),
    ] {
        let text = format!("{comment} {ALLOW}{end}\n{}\n", line.replace('§', HOOK));
        let text = if file == "Web.config" { format!("<a>\n{text}</a>\n") } else { text };
        let project = Project::new().file(file, &text);
        assert_eq!(project.rules(&[file]), [""; 0], "{text}");
        assert_eq!(project.rules(&[file, "--no-allow"]), ["wrong-credential"], "{text}");
    }
    let behind = format!("[default]\naws_access_key_id = AKIA5QZX7KMPRTVWLNSY # {ALLOW}\n");
    let run = Project::new().file(".aws/credentials", &behind).run(&["check", ".aws/credentials"]);
    assert!(run.stdout.contains("and put the comment on the line above"), "{}", run.stdout);
}

/// A word below `A=one\\` or in a block may be part of a password.
#[test]
fn what_may_be_part_of_a_value_is_not_shown() {
    for (file, text) in [
        (".env", "SLACK_BOT_TOKEN=§ \nX_TOKEN=one; hunterword=two\n"),
        ("a.tfvars", "slack_bot_token=§\nx_token=one\\\nhunterword=two\n"),
        ("a.sh", "SLACK_BOT_TOKEN=§\nX_TOKEN=one\\\nhunterword=two\n"),
        ("a.yaml", "{{ x }}\nx_token: |\n  hunterword: two\nslack_bot_token: §\n"),
        ("a.yaml", "{{ x }}\nx_token: \"one\n  hunterword: two\"\nslack_bot_token: §\n"),
        ("a.json", "{\"slack_bot_token\": \"§\",\n \"x_token\": \"one\n\"hunterword\": \"two\"\n"),
    ] {
        let text = text.replace('§', HOOK);
        let run = Project::new().file(file, &text).run(&["check", file]);
        assert!(run.stdout.contains("wrong-credential"), "{text}: {}", run.stdout);
        assert!(!run.stdout.contains("hunterword"), "{text}: {}", run.stdout);
    }
}
