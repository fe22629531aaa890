//! The help, the man pages, and the options that every program has: -q, -v, -o -.

use crate::harness::Project;

/// The commands of this build, and the program itself as "".
fn commands() -> Vec<&'static str> {
    let mut commands = vec!["", "check", "exec", "identify", "why", "profiles", "explain", "services"];
    if cfg!(feature = "upload") {
        commands.extend(["upload", "verify"]);
    }
    commands.extend(["init", "schema", "completions", "man"]);
    if cfg!(feature = "sandbox") {
        commands.push("sandbox");
    }
    commands
}

fn help(command: &str, option: &str) -> String {
    let run = Project::new().run(&[command, option].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{command} {option}");
    run.stdout
}

/// The page of the exit codes has those of every command, and no other.
#[test]
fn the_page_of_exit_codes_has_those_of_the_help() {
    let codes = |text: &str| -> Vec<u8> { text.split(", ").filter_map(|code| code.trim().parse().ok()).collect() };
    let mut known: Vec<u8> = Vec::new();
    for command in commands() {
        let help = help(command, "--help");
        let lines = help.lines().skip_while(|line| *line != "Exit codes:").skip(1);
        let lines = lines.map_while(|line| line.strip_prefix("  ")).map(|line| line.split("  ").next().unwrap());
        known.extend(lines.flat_map(codes));
    }
    known.sort_unstable();
    known.dedup();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/exit-codes.md");
    let page = std::fs::read_to_string(path).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    assert_eq!(rows.flat_map(|(cell, _)| codes(cell)).collect::<Vec<u8>>(), known);
}

/// The command lines below "Examples:", without their descriptions.
fn examples(command: &str) -> Vec<String> {
    let help = help(command, "-h");
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1).map_while(|line| line.strip_prefix("  "));
    lines.map(|line| line.split("  # ").next().unwrap().trim_end().to_owned()).collect()
}

const TOKEN: &str = "xoxb-7391842650-1739184265-abcdefghijklmnopqrstuvwx";

/// The examples, as a shell runs them.
#[cfg(all(unix, feature = "sandbox"))]
mod running {
    use std::io::BufRead;
    use std::process::{Command, Stdio};

    use super::{TOKEN, commands, examples};
    use crate::harness::{Project, Run};

    /// A project with everything that the examples use.
    fn project(base_url: &str) -> Project {
        let project = Project::new()
            .file(
                "credlint.toml",
                format!("[messaging.reports]\nbase_url = '{base_url}'\ntoken = {{ env = 'REPORTS_TOKEN' }}\nchannels = ['C0123456789']\n"),
            )
            .file("report.csv", "a,b\n")
            .file("out/one.csv", "a,b\n")
            .file("out/two.csv", "c,d\n")
            .file(".env", "LEVEL=debug\n")
            .file("deploy/values.yaml", "level: debug\n")
            .file("deploy.sh", "#!/bin/sh\nexit 0\n")
            .file("deploy.log", "Authentication error [code: 10000]\n")
            .file("acme.toml", crate::services::ACME)
            .file("secrets/token", format!("{TOKEN}\n"))
            .file("secrets/pair", "0051a2b3c4d5e6f0000000001\nK005abcdefghijklmnopqrstuvwxyz1\n")
            .env("REPORTS_TOKEN", TOKEN)
            .env("SLACK_BOT_TOKEN", TOKEN)
            .env("SLACK_API_URL", base_url);
        crate::harness::set_mode(&project.path().join("deploy.sh"), 0o755);
        place_for_scripts(project)
    }

    /// Creates the directories for the scripts and pages of the examples.
    fn place_for_scripts(project: Project) -> Project {
        for directory in [
            ".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions", ".config/elvish",
            ".local/share/man/man1",
        ] {
            std::fs::create_dir_all(project.home().join(directory)).unwrap();
        }
        let profile = project.home().join("profile.ps1");
        project.env("PROFILE", profile)
    }

    /// Runs the command line in a shell.
    fn shell(project: &Project, line: &str) -> Command {
        let mut command = project.command(&[]);
        let environment: Vec<_> =
            command.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))).collect();
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_credlint"));
        command = Command::new("/bin/sh");
        command.args(["-c", line]).current_dir(project.path()).env_clear().envs(environment).stdin(Stdio::null());
        command.env("PATH", format!("{}:/usr/bin:/bin", program.parent().unwrap().display()));
        command
    }

    /// A stand-in for the service that the examples send to.
    fn service() -> (std::process::Child, String) {
        let mut command = Project::new().command(&["sandbox", "--quiet"]);
        command.current_dir(std::env::temp_dir()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        std::io::BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        (child, line.trim_end().to_owned())
    }

    /// The examples in a help text work unchanged.
    #[test]
    fn every_example_in_the_help_runs() {
        let (mut service, base_url) = service();
        for command in commands() {
            let examples = examples(command);
            assert!(!examples.is_empty(), "`{command}` has no examples");
            for line in examples {
                assert!(line.contains(&format!("credlint {command}").trim_end().to_owned()), "{line}");
                if command == "sandbox" {
                    // It runs until it is stopped.
                    let project = Project::new();
                    let mut child = shell(&project, &format!("exec {line}"))
                        .stdout(Stdio::piped())
                        .stderr(Stdio::null())
                        .spawn()
                        .unwrap();
                    let mut printed = String::new();
                    std::io::BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut printed).unwrap();
                    child.kill().unwrap();
                    child.wait().unwrap();
                    assert!(printed.starts_with("http://127.0.0.1:"), "{line}: {printed}");
                    continue;
                }
                let project = if line.starts_with("credlint init") { Project::new() } else { project(&base_url) };
                let run = Run::of(shell(&project, &line));
                assert_eq!(run.code, 0, "{line}\n{}{}", run.stdout, run.stderr);
            }
        }
        service.kill().unwrap();
        service.wait().unwrap();
    }
}

/// -h is a quick reference, --help is the full text.
#[test]
fn long_help_is_longer_and_lists_global_options_last() {
    for command in commands() {
        let (short, long) = (help(command, "-h"), help(command, "--help"));
        assert!(long.len() > short.len() && long.contains("Exit codes:"), "`{command}`");
        let (first, usage) = (long.lines().next().unwrap(), long.find("\nUsage: ").unwrap());
        assert_eq!(first, short.lines().next().unwrap());
        assert!(usage > first.len() + 2, "`{command} --help` describes no more than -h");
        let headings = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| line.ends_with(':') && !line.starts_with(' '));
            lines.map(str::to_owned).collect()
        };
        let headings = headings(&short);
        assert_eq!(headings[headings.len() - 2..], ["Global options:", "Examples:"], "`{command}`");
        for line in short.lines() {
            assert!(line.chars().count() <= 100, "{line}");
            for word in ["so long", "so many", "in all", "broken off", "nobody"] {
                assert!(!line.contains(word), "{line}");
            }
        }
    }
    // One line for each command, because a list is skimmed.
    let list = help("", "-h");
    for command in &commands()[1..] {
        let line = list.lines().find(|line| line.split_whitespace().next() == Some(command)).unwrap();
        assert!(line.len() <= 80, "{line}");
    }
}

#[test]
fn every_man_page_has_the_sections_and_the_examples() {
    for command in commands() {
        let words: Vec<&str> = ["man", command].into_iter().filter(|word| !word.is_empty()).collect();
        let run = Project::new().run(&words);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{command}");
        for name in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXTRA"] {
            assert!(run.stdout.lines().any(|line| line == format!(".SH {name}")), "`{command}`: {name}");
        }
        for example in examples(command) {
            let example = example.replace('-', "\\-").replace('\'', "\\*(Aq");
            assert!(run.stdout.contains(&example), "`{command}` lacks {example}");
        }
    }
}

/// Errors have one prefix, whichever code reports them.
#[test]
fn errors_have_one_prefix() {
    let project = Project::new().file("credlint.toml", "[messaging.r]\ntoken = { env = 'T' }\n").file("x", "");
    for words in [
        &["chek"][..],
        &["check", "--nope"],
        &["check", "--baseline", "none"],
        &["check", "-A", "no-such"],
        &["check", "-o", "none/x", "--no-resolve"],
        &["explain", "missing-keypair"],
        &["man", "chek"],
        &["init", "-o", "x.txt"],
        &["profiles", "none"],
        &["check", "none"],
        &["exec", "-q", "--", "no-such-command"],
    ] {
        let run = project.run(words);
        let first = run.stderr.lines().find(|line| !line.starts_with("read: ")).unwrap_or_default();
        assert!(run.code != 0, "{words:?}");
        assert!(first.starts_with("error: ") || first.starts_with("error["), "{words:?}: {}", run.stderr);
        assert!(!run.stderr.contains("credlint: "), "{words:?}: {}", run.stderr);
        // clap refuses these before --color is read.
        if ["chek", "--nope"].iter().any(|word| words.contains(word)) {
            continue;
        }
        let colored = project.run(&[&["--color", "always"], words].concat());
        assert!(colored.stderr.contains("\u{1b}["), "{words:?} has no colours: {}", colored.stderr);
    }
    let notice = Project::new().file("credlint.toml", "").file("other.toml", "").run(&["profiles", "-c", "other.toml"]);
    assert!(notice.stderr.starts_with("warning: credlint.toml is ignored"), "{}", notice.stderr);
}

const GOOD: &str =
    "[messaging.reports]\nbase_url = 'https://slack.com'\ntoken = { env = 'T' }\nchannels = ['C0123456789']\n";

#[test]
fn quiet_prints_only_errors() {
    let good = Project::new().file("credlint.toml", GOOD).file("other.toml", "").env("T", TOKEN);
    let printed = |project: &Project, words: &[&str]| {
        let run = project.run(words);
        (run.code, run.stdout, run.stderr)
    };
    for words in [
        &["check", "-q"][..],
        &["check", "--quiet", "--format", "concise"],
        &["check", "-q", "-p", "reports"],
        &["check", "-q", "credlint.toml"],
        &["check", "-q", "-c", "credlint.toml"],
        &["exec", "-q", "-p", "reports", "--", "true"],
    ] {
        assert_eq!(printed(&good, words), (0, String::new(), String::new()), "{words:?}");
    }
    let bad = Project::new().file("credlint.toml", GOOD.replace("{ env = 'T' }", "''"));
    for words in [&["check"][..], &["check", "--format", "concise"]] {
        let (full, quiet) = (bad.run(words), bad.run(&[words, &["-q"]].concat()));
        assert_eq!((full.code, quiet.code), (1, 1));
        assert!(full.stdout.starts_with(&quiet.stdout) && full.stdout.len() > quiet.stdout.len(), "{}", quiet.stdout);
        assert!(quiet.stdout.contains("empty-credential") && quiet.stderr.is_empty(), "{}", quiet.stderr);
    }
    // Machine-readable output is complete, and errors are reported.
    assert_eq!(bad.run(&["check", "-q", "--format", "json"]).stdout, bad.run(&["check", "--format", "json"]).stdout);
    let none = Project::new().run(&["check", "-q"]);
    assert!(none.code == 3 && none.stderr.starts_with("error[no-configuration]"), "{}", none.stderr);
    assert_eq!(good.run(&["check", "-q", "-v"]).code, 2);
}

#[test]
fn verbose_lists_the_layers_that_were_read() {
    let project = Project::new()
        .user("[messaging.reports]\nworkspace = 'T0123456789'\n")
        .file("credlint.toml", GOOD)
        .file(".env", "A=1\n")
        .env("T", TOKEN);
    let run = project.run(&["check", "-v", "--env-file", ".env"]);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(lines[0].starts_with("read: ") && lines[1].starts_with("layer 1 (lowest): "), "{}", run.stderr);
    assert!(lines[1].ends_with(", your own file"), "{}", run.stderr);
    assert_eq!(
        lines[2..],
        [
            "layer 2: credlint.toml, the project's file",
            "layer 3 (highest): .env, named with --env-file",
            "profiles: messaging.reports",
            "NAME                     STATE       WHAT         SET IN",
            "messaging.reports.token  recognised  a bot token  credlint.toml:3:1"
        ]
    );
    // None of them contains the token, or a name that could be one.
    let planted =
        Project::new().file("credlint.toml", format!("{GOOD}{TOKEN} = 1\n[messaging.{TOKEN}]\n")).env("T", TOKEN);
    for words in [
        &["check", "-v"][..],
        &["check", "-v", "."],
        &["profiles", "-v"],
        &["exec", "-v", "-p", "reports", "--", "true"],
    ] {
        let run = planted.run(words);
        assert!(
            !format!("{}{}", run.stdout, run.stderr).contains("abcdefghij"),
            "{words:?}: {}{}",
            run.stdout,
            run.stderr
        );
    }
    let searched = project.run(&["check", "--verbose", "."]);
    let (said, looked) = searched.stderr.split_once("looked for credentials of ").unwrap();
    assert_eq!(
        said,
        "read: .env as env\nread: credlint.toml as credlint\nNAME                     STATE      SET IN\nmessaging.reports.token  reference  credlint.toml:3:1\n"
    );
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let [readme, list] =
        ["README.md", "docs/services/README.md"].map(|page| std::fs::read_to_string(root.join(page)).unwrap());
    // The list is too long for the first lines, which lead to it.
    assert!(readme.lines().take(10).any(|line| line.contains("(docs/services/README.md)")));
    let number: usize = looked.split(' ').next().unwrap().parse().unwrap();
    let listed = project.run(&["services"]).stdout;
    assert!(number > 30 && listed.lines().count() >= number, "{number}: {listed}");
    for service in listed.lines().filter_map(|line| line.split("  ").next()) {
        assert!(list.contains(&format!("({service}.md)")), "docs/services/README.md does not name {service}");
    }
}

#[test]
fn a_dash_means_standard_output() {
    let project = Project::new().file("credlint.toml", GOOD).env("T", TOKEN);
    for format in ["human", "json", "sarif"] {
        let words = ["check", "--format", format];
        let dash = project.run(&[&words[..], &["-o", "-"]].concat());
        assert_eq!((dash.code, dash.stdout), (0, project.run(&words).stdout), "{format}");
    }
    assert_eq!(project.run(&["check", "--report", "json=-"]).code, 2);
    assert!(!project.path().join("-").exists());
    assert_eq!(project.run(&["check", "-o", "report.txt"]).stdout, "");
    assert!(project.path().join("report.txt").exists());
}
