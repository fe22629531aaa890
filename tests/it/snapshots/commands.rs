//! The arguments, the lists, and one project in every format.

use std::fmt::Write as _;

use super::{Transcript, run, snapshot_names};
use crate::harness::{FORMATS, Project};

/// Formats JSON with one line for each value, in its own order, and without what changes between versions.
fn lines(json: &str) -> String {
    let (mut out, mut depth, mut rest) = (String::new(), 0_usize, json.trim_end());
    while let Some(c) = rest.chars().next() {
        let mut width = c.len_utf8();
        match c {
            '"' => {
                let mut escaped = false;
                let end = rest[1..].find(|c| {
                    let closes = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    closes
                });
                width = end.unwrap() + 2;
                out += &page(&rest[..width]);
            }
            '{' | '[' if rest[1..].starts_with(['}', ']']) => {
                width = 2;
                out += &rest[..2];
            }
            '{' | '[' => {
                depth += 1;
                let _ = write!(out, "{c}\n{}", "  ".repeat(depth));
            }
            '}' | ']' => {
                depth -= 1;
                let _ = write!(out, "\n{}{c}", "  ".repeat(depth));
            }
            ',' => {
                let _ = write!(out, ",\n{}", "  ".repeat(depth));
            }
            ':' => out += ": ",
            c => out.push(c),
        }
        rest = &rest[width..];
    }
    for key in ["version", "semanticVersion"] {
        out =
            out.replace(&format!("\"{key}\": \"{}\"", env!("CARGO_PKG_VERSION")), &format!("\"{key}\": \"<version>\""));
    }
    out
}

/// The page of a rule is a separate file.
fn page(text: &str) -> String {
    match text.split_once("\\n") {
        Some((title, _)) if title.starts_with("\"# ") => format!("{title} …\""),
        _ => text.to_owned(),
    }
}

impl Transcript {
    /// A run of any command.
    fn run(self, what: &str, project: &Project, args: &[&str]) -> Self {
        let mut run = run(project, args);
        if run.stdout.starts_with(['{', '[']) && !run.stdout.starts_with("[m") {
            run.stdout = lines(&run.stdout);
        }
        self.add(what, &super::shown(&run))
    }
}

/// The commands that the help of the program lists, in its groups.
fn commands() -> Vec<String> {
    let help = run(&Project::new(), &["-h"]).stdout;
    let list = help.lines().skip_while(|line| !line.starts_with("Usage: ")).skip(1);
    let list = list.take_while(|line| *line != "Global options:");
    let names = list.filter_map(|line| line.strip_prefix("  "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn help_texts() {
    let project = Project::new();
    let mut names = commands();
    assert!(names.len() > 10, "{names:?}");
    for name in &names {
        let transcript = Transcript::new("help", name);
        transcript.run("-h", &project, &[name, "-h"]).run("--help", &project, &[name, "--help"]).keep();
    }
    let transcript =
        Transcript::new("help", "credlint").run("-h", &project, &["-h"]).run("--help", &project, &["--help"]);
    transcript.run("no words", &project, &[]).keep();
    names.push("credlint".to_owned());
    assert_eq!(snapshot_names("help"), names.into_iter().collect());
}

#[test]
fn usage_errors() {
    let project = Project::new().file("credlint.toml", "[storage.x]\n[messaging.x]\n").file("f", "x");
    let mut transcript = Transcript::new("commands", "usage");
    for args in [
        &["chek"][..],
        &["check", "--nope"],
        &["check", "--formt", "json"],
        &["check", "--format", "xml"],
        &["check", "--format"],
        &["check", "--fail-on", "note"],
        &["check", "--report", "sarif"],
        &["check", "--report", "xml=a"],
        &["check", "--report", "sarif="],
        &["check", "-A", "missing-keypair"],
        &["check", "-D", "no-colours-here"],
        &["check", "-W", "hunter2"],
        &["check", "--baseline", "none.json"],
        &["check", "--baseline", "f"],
        &["check", "--color", "sometimes"],
        &["explain", "missing-keypair"],
        &["explain", "no-colours-here"],
        &["explain", "hunter2"],
        &["init", "cloud"],
        &["completions", "cmd"],
        &["man", "chek"],
        &["profiles", "y"],
        &["profiles", "x", "y"],
        &["explain", "--format", "sarif"],
        &["upload"],
        &["upload", "--profile", "x", "f"],
        &["upload", "--profile", "storage.x", "f"],
        &["upload", "f", "--retries", "101"],
        &["upload", "f", "--concurrency", "0"],
        &["upload", "f", "--max-wait", "-1"],
        &["upload", "f", "--stall-timeout", "0"],
        &["upload", "f", "--retry-uncertain"],
        &["verify", "--answer-timeout", "soon"],
        &["sandbox", "--fail", "upload"],
        &["sandbox", "--fail", "uplod=lost"],
        &["sandbox", "--fail", "upload=gone"],
        &["sandbox", "--fail", "upload=lost,0"],
        &["sandbox", "--delay", "-1"],
        &["sandbox", "--listen", "here"],
    ] {
        transcript = transcript.run(&args.join(" "), &project, args);
    }
    for (name, value) in [("CREDLINT_FORMAT", "xml"), ("CREDLINT_PROFILE", "y"), ("CREDLINT_CONFIG", "none.toml")] {
        let project = Project::new().file("credlint.toml", "[storage.x]\n").env(name, value);
        transcript = transcript.run(&format!("{name}={value}"), &project, &["check"]);
    }
    transcript.keep();
}

const USER: &str =
    "[messaging.team]\ntoken = \"xoxb-1111111111-abcdefghijkl\"\n[storage.archive]\nbucket = \"weekly\"\n";

/// Findings of every severity, in files and in the environment, some of them allowed or in the baseline. None is in the
/// user configuration, because its place differs in each run.
fn rich() -> Project {
    let text = "# Who sends what.\n\
        [messaging.team]\n\
        base_url = \"https://chat.example.com\"\n\
        channels = [\"#general\", \"C0123456789\", \"C0123456789\"]\n\
        \n\
        [messaging.reports]\n\
        base_url = \"https://slack.com/api\"\n\
        upload_method = \"files.upload\"\n\
        token = { env = \"REPORTS_TOKEN\" }\n\
        channels = [\"D0123456789\"]\n\
        initial_comment = \"Nightly report, 100%\"\n\
        webhok_url = { env = \"HOOK\" } # credlint: allow(unknown-field) it goes with the next release\n\
        \n\
        [storage.backups]\n\
        account_id = \"1a2b3c4d5e6f\"\n\
        bucket = \"nightly\"\n\
        \n\
        [storage.archive]\n\
        application_key_id = \"0051a2b3c4d5e6f0000000001\"\n\
        application_key = { file = \"secrets/archive\" }\n\
        \n\
        [lint]\n\
        levels = { malformed-channel = \"error\" }\n\
        \n\
        [[lint.allow]]\n\
        rule = \"retired-upload-method\"\n\
        profile = \"messaging.reports\"\n\
        reason = \"until the proxy is gone\"\n\
        \n\
        [[lint.allow]]\n\
        rule = \"wrong-credential\"\n\
        profile = \"storage.archive\"\n\
        reason = \"nobody remembers\"\n";
    let before = "[messaging.team]\nbase_url = \"https://chat.example.com/\"\nchannels = [\"#general\"]\n[storage.archive]\n[storage.old]\n";
    let project = Project::new()
        .user(USER)
        .file("credlint.toml", before)
        .file("secrets/archive", "K003abcdefghijklmnopqrstuvwxyz1\n")
        .file(
            "deploy.env",
            "REPORTS_TOKEN=xoxb-2222222222-abcdefghijkl\nCREDLINT_STORAGE__ARCHIVE__ENDPOINT=s3.example.com\n",
        )
        .env("CREDLINT_STORAGE__BACKUPS__APPLICATION_KEY", "K005abcdefghijklmnopqrstuvwxyz1")
        .env("CREDLINT_MESSAGING__TEAM__TOKEN", "xoxb-3333333333-abcdefghijkl")
        .env("CREDLINT_MESSAGING__NIGHT__TOKEN", "changeme")
        .env("CREDLINT_MESSAGING__REPORTS__CHANELS", "C0123456789");
    let known = run(&project, &["check", "--write-baseline", "known.json"]);
    assert_eq!(known.code, 1, "{}", known.stderr);
    project.file("credlint.toml", text)
}

#[test]
fn report_formats() {
    let project = rich().env("GITHUB_STEP_SUMMARY", "summary.md");
    let env_file = ["--env-file", "deploy.env"];
    for format in FORMATS {
        let words = [&["check", "--format", format][..], &env_file].concat();
        let mut transcript = Transcript::new("formats", format).run("a check", &project, &words).run(
            "with what is known",
            &project,
            &[&words[..], &["--baseline", "known.json", "--fail-on", "warning"]].concat(),
        );
        transcript = transcript.run(
            "of one profile",
            &project,
            &[&words[..], &["--profile", "storage.archive", "-A", "warnings"]].concat(),
        );
        if format == "github" {
            let summary = std::fs::read_to_string(project.path().join("summary.md")).unwrap();
            transcript = transcript.add("the summary of the job", &summary);
        }
        // Nothing to check.
        let empty = Project::new();
        transcript = transcript.run("no configuration", &empty, &["check", "--format", format]);
        let broken = Project::new().file("credlint.toml", "[messaging.r\n");
        transcript = transcript.run("a configuration that can't be read", &broken, &["check", "--format", format]);
        transcript.keep();
    }
    assert_eq!(snapshot_names("formats"), FORMATS.map(str::to_owned).into());
}

#[test]
fn baseline_file() {
    let text = std::fs::read_to_string(rich().path().join("known.json")).unwrap();
    Transcript::new("commands", "baseline").add("written by a check", &text).keep();
}

#[test]
fn profile_listings() {
    // If the user configuration is below the project, the columns have the same width in every run.
    let project = rich().file("home/.config/credlint/config.toml", USER);
    let home = project.path().join("home");
    let project = project.env("HOME", home);
    let words = |more: &[&'static str]| [&["profiles"][..], more, &["--env-file", "deploy.env"]].concat();
    let mut transcript = Transcript::new("commands", "profiles").run("all", &project, &words(&[]));
    for profile in ["messaging.team", "reports", "backups", "archive", "night"] {
        transcript = transcript.run(profile, &project, &words(&[profile])).run(
            &format!("{profile}, and nothing is looked up"),
            &project,
            &words(&[profile, "--no-resolve"]),
        );
    }
    let odd = Project::new()
        .file(
            "credlint.toml",
            "[messaging.x]\nbase_url = 3\ntoken = { env = \"A\", file = \"b\" }\nchannels = { env = \"NOT_SET\" }\n\
             webhook_url = \"\"\nca_file = \"ca.pem\"\ninitial_comment = { file = \"hunter2\" }\nworkspace = \"T0123456789\"\n\
             upload_method = \"files\"\n",
        )
        .env("CREDLINT_MESSAGING__X__BASE_URL", "https://ann:abc@chat.example.com");
    transcript
        .run("all, as JSON", &project, &words(&["--format", "json"]))
        .run("of every state", &odd, &["profiles", "x"])
        .run("of every state, as JSON", &odd, &["profiles", "--format", "json"])
        .run("none", &Project::new(), &["profiles"])
        .run("none in it", &Project::new().file("credlint.toml", "# nothing\n"), &["profiles"])
        .keep();
}

#[test]
fn commands_without_configuration() {
    let project = Project::new();
    Transcript::new("commands", "rules")
        .run("for people", &project, &["explain"])
        .run("as JSON", &project, &["explain", "--format", "json"])
        .keep();
    Transcript::new("commands", "explain")
        .run("a word", &project, &["explain", "bucket"])
        .run("a rule", &project, &["explain", "mixed-key-pair"])
        .run("what verify finds", &project, &["explain", "dead-credential"])
        .keep();
    Transcript::new("commands", "schema").run("of the configuration", &project, &["schema"]).keep();
    let init = Transcript::new("commands", "init").run("of every kind", &project, &["init", "-o", "-"]);
    init.run("of one kind", &project, &["init", "storage", "-o", "-"])
        .run("into a file", &project, &["init", "messaging"])
        .run("into a file that is there", &project, &["init"])
        .run("in a format that is not written", &project, &["init", "-o", "other.json"])
        .run("in a directory that is not there", &project, &["init", "-o", "none/credlint.toml"])
        .keep();
}
