//! The documents: every command in them is run, and the output that they show is its output.
//!
//! A block ```` ```toml file=NAME ```` of a page writes that file into the page's own directory. In a block
//! ```` ```console ```` each line that begins with `$` is run there by a shell, in ```` ```sh ```` each line that begins
//! with `credlint`. If the block shows output, it is what both streams printed; `UPDATE_DOCS=1 cargo test` writes it.
//! `exit=N` says how the last command ends, if not with 0.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Pages that show every file that their commands need. For the others, `FILES` are written first.
const COMPLETE: &[&str] = &["docs/getting-started.md", "docs/identify.md", "docs/troubleshooting.md", "docs/verify.md"];

/// A profile that passes, files to send, and a deploy.
const FILES: &[(&str, &str)] = &[
    (
        "credlint.toml",
        "[messaging.reports]\nbase_url = \"https://chat.example.com\"\ntoken = { env = \"REPORTS_TOKEN\" }\nchannels = [\"C0123456789\"]\n",
    ),
    ("report.csv", "a,b\n"),
    ("reports/daily.csv", "c,d\n"),
    ("deploy.sh", "#!/bin/sh\nexit 0\n"),
    ("deploy.log", "done\n"),
];

/// Where shells and `man` look for scripts and pages.
const PLACES: &[&str] = &[
    ".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions", ".config/elvish",
    ".local/share/man/man1",
];

/// Commands that this test does not run, by their first words, and why.
const SKIPPED: &[(&str, &str)] = &[
    ("cargo run", "`readme.rs` runs it"),
    ("cargo test", "this is it"),
    ("docker run", "needs a container engine and a published image"),
    ("gh attestation", "needs the network and a release"),
    ("./kubernetes-check.sh", "`recipes/jobs.rs` runs it, with a stand-in for `kubectl`"),
];

/// Placeholders in commands, and a valid value for each.
const PLACEHOLDERS: &[(&str, &str)] =
    &[("SHELL", "bash"), ("K/N", "1/2"), ("--thread ", "--thread=1700000000.000100 "), ("…", "")];

/// Standard input of every command: what a person would type into `credlint identify`.
const PAIR: &str = "0051a2b3c4d5e6f0000000001\nK005QzWvXkPjHyBdRmTnLsGfCaEu739\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every page, by its path from the root.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    for directory in ["docs", "docs/recipes", "docs/rules", "docs/uploading", "docs/verify"] {
        let paths = std::fs::read_dir(root().join(directory)).unwrap().map(|entry| entry.unwrap().path());
        let paths = paths.filter(|path| path.extension().is_some_and(|found| found == "md"));
        pages.extend(paths.map(|path| format!("{directory}/{}", path.file_name().unwrap().to_str().unwrap())));
    }
    pages.sort();
    pages
}

/// `PATH`, with the program in it.
fn path() -> String {
    format!("{}:/usr/bin:/bin", Path::new(env!("CARGO_BIN_EXE_credlint")).parent().unwrap().display())
}

/// `credlint sandbox`, which runs until it is stopped, and the first line that it prints.
struct Service(Child, String);

impl Service {
    fn new(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        std::io::BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        Self(child, line.trim_end().to_owned())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs the commands of a page in a directory of its own, and writes the page with their output.
struct Reader<'a> {
    page: &'a str,
    dir: tempfile::TempDir,
    /// The embedded service in place of `https://chat.example.com`, if the page sends something.
    service: Option<Service>,
    skipped: BTreeSet<&'static str>,
    out: String,
}

impl<'a> Reader<'a> {
    fn new(page: &'a str, text: &str) -> Self {
        let place = env!("CARGO_TARGET_TMPDIR");
        let dir = tempfile::Builder::new().prefix("credlint-docs").rand_bytes(0).tempdir_in(place).unwrap();
        std::fs::create_dir_all(dir.path().join("project/.git")).unwrap();
        // Other users may enter it, as they may enter most homes.
        crate::harness::set_mode(dir.path(), 0o755);
        for place in PLACES {
            std::fs::create_dir_all(dir.path().join(place)).unwrap();
        }
        let sends =
            text.lines().any(|line| ["$ credlint upload", "$ credlint verify"].iter().any(|c| line.starts_with(c)));
        let service = sends.then(|| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_credlint"));
            command.args(["sandbox", "--quiet", "--team", "T0123456789", "--scopes", "files:write"]);
            command.current_dir(dir.path());
            Service::new(command)
        });
        let reader = Self { page, dir, service, skipped: BTreeSet::new(), out: String::new() };
        if page == "README.md" {
            reader.write("examples/deploy.env", include_str!("../../examples/deploy.env"));
        }
        if !COMPLETE.contains(&page) {
            for (name, text) in FILES {
                reader.write(name, text);
            }
        } else if reader.service.is_some() {
            reader.write("report.csv", "a,b\n");
        }
        reader
    }

    fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.project().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let address = self.service.as_ref().map_or("https://chat.example.com", |service| &service.1);
        std::fs::write(&path, text.replace("https://chat.example.com", address)).unwrap();
        // As an editor leaves it under the usual umask, 022.
        crate::harness::set_mode(&path, if text.starts_with("#!") { 0o755 } else { 0o644 });
    }

    fn block(&mut self, info: &str, body: &str) {
        let words: Vec<&str> = info.split_whitespace().collect();
        let option = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        self.out += &format!("```{info}\n");
        if let Some(name) = option("file").filter(|_| !self.page.starts_with("docs/rules/")) {
            self.write(name, body);
        }
        let command: fn(&str) -> Option<&str> = match words.first() {
            Some(&"console") => |line| line.strip_prefix("$ ").or_else(|| line.starts_with("cargo ").then_some(line)),
            Some(&("sh" | "bash")) => |line| line.starts_with("credlint ").then_some(line),
            _ => |_| None,
        };
        let commands: Vec<&str> = body.lines().filter_map(command).collect();
        let shows = words.first() == Some(&"console") && body.lines().count() > commands.len();
        let expected = option("exit").map_or(0, |code| code.parse().unwrap());
        let (mut transcript, mut whole) = (String::new(), true);
        for (index, command) in commands.iter().enumerate() {
            let wanted = if index + 1 == commands.len() { expected } else { 0 };
            match self.run(command, wanted) {
                Some(output) => transcript += &format!("$ {command}\n{output}"),
                None => whole = false,
            }
        }
        self.out += if shows && whole { &transcript } else { body };
        self.out += "```\n";
    }

    /// Runs a command and returns its output; `None` if it is in `SKIPPED`.
    fn run(&mut self, line: &str, wanted: i32) -> Option<String> {
        if let Some((begin, _)) = SKIPPED.iter().find(|(begin, _)| line.starts_with(begin)) {
            self.skipped.insert(begin);
            return None;
        }
        let mut command = Command::new("sh");
        command.current_dir(self.project()).env_clear().env("PATH", path());
        command.env("HOME", self.dir.path()).env("COLUMNS", "100").env("PROFILE", self.dir.path().join("profile.ps1"));
        if self.service.is_some() || !COMPLETE.contains(&self.page) {
            command.env("REPORTS_TOKEN", "xoxb-739184265017-7391842650173-QzWvXkPjHyBdRmTnLsGfCaEu");
        }
        if line.starts_with("credlint sandbox") {
            // It runs until it is stopped, and the port may be in use.
            command.arg("-c").arg(format!("exec {}", line.replace(":8080", ":0")));
            let service = Service::new(command);
            assert!(service.1.starts_with("http://127.0.0.1:"), "{}: `{line}`: {}", self.page, service.1);
            return Some("http://127.0.0.1:8080\n".to_owned());
        }
        std::fs::write(self.dir.path().join("typed"), PAIR).unwrap();
        command.stdin(std::fs::File::open(self.dir.path().join("typed")).unwrap());
        let output = command.arg("-c").arg(format!("exec 2>&1; {line}")).output().unwrap();
        let mut transcript = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(wanted), "{}: `{line}`: {transcript}", self.page);
        if let Some(service) = &self.service {
            transcript = transcript.replace(&service.1, "https://chat.example.com");
        }
        // The number of variables that a shell sets differs between systems.
        let counted = |line: &str| match line.split_once(" variables read") {
            Some((_, rest)) => format!("5 variables read{rest}\n"),
            None => format!("{line}\n"),
        };
        Some(transcript.lines().map(counted).collect())
    }
}

/// The fenced blocks of a page; each line between them is a block without a fence.
fn blocks(text: &str) -> Vec<(Option<&str>, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        match line.strip_prefix("```") {
            Some(info) => {
                let body = lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n"));
                found.push((Some(info), body.collect()));
            }
            None => found.push((None, format!("{line}\n"))),
        }
    }
    found
}

#[test]
fn documented_commands_print_the_documented_output() {
    let mut skipped = BTreeSet::new();
    for page in pages() {
        let text = std::fs::read_to_string(root().join(&page)).unwrap();
        let mut reader = Reader::new(&page, &text);
        for (info, body) in blocks(&text) {
            match info {
                Some(info) => reader.block(info, &body),
                None => reader.out += &body,
            }
        }
        skipped.append(&mut reader.skipped);
        #[expect(clippy::disallowed_methods, reason = "a switch of this test, not of the program")]
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(root().join(&page), &reader.out).unwrap();
        } else {
            assert_eq!(text, reader.out, "{page} is out of date: run `UPDATE_DOCS=1 cargo test`");
        }
    }
    let excepted: BTreeSet<&str> = SKIPPED.iter().map(|(begin, _)| *begin).collect();
    assert_eq!(skipped, excepted, "an unused exception");
}

/// The subcommands.
const COMMANDS: &[&str] = &[
    "check", "completions", "exec", "explain", "identify", "init", "man", "profiles", "services", "sandbox", "schema",
    "upload", "verify", "why",
];

/// The commands in a text, in prose or in a block: from `credlint` to the end of the command.
fn mentioned(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("credlint ") {
        let before = text[..at].chars().next_back();
        let line = text[at..].lines().next().unwrap();
        let first = line["credlint ".len()..].split([' ', '`', ',', '.', ':', ')', '"']).next().unwrap();
        let is_one = COMMANDS.contains(&first) || first.starts_with('-');
        let other = text[..at].ends_with("install ");
        if other || !is_one || before.is_some_and(|c| !c.is_whitespace() && !"`|(\"".contains(c)) {
            // Inline code that begins with `credlint ` must be a command.
            assert!(before != Some('`') || first.is_empty(), "`{line}` is not a command");
            continue;
        }
        let end = ["`", " # ", " | ", " && ", "; ", " > ", " >> ", " < ", "<br>"]
            .iter()
            .filter_map(|end| line.find(end))
            .min();
        found.push(line[..end.unwrap_or(line.len())].trim_end());
    }
    found
}

/// Unknown options and invalid values would be usage errors.
#[test]
fn documented_commands_parse() {
    let (mut seen, mut faults) = (BTreeSet::new(), Vec::new());
    for page in pages().iter().map(String::as_str).chain(["CHANGELOG.md"]) {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        for line in mentioned(&text) {
            let mut line = format!("{line} ");
            for (placeholder, value) in PLACEHOLDERS {
                line = line.replace(placeholder, value);
            }
            if !seen.insert(line.clone()) {
                continue;
            }
            let (ours, theirs) = line.split_once(" -- ").unwrap_or((&line, ""));
            let mut command = Command::new("sh");
            command.arg("-c").arg(format!("set -f; {ours} --help -- {theirs}")).env_clear().env("PATH", path());
            command.env("SHARD", "1/4").env("CI_NODE_INDEX", "1").env("CI_NODE_TOTAL", "4");
            let output = command.env("JOB_COMPLETION_INDEX", "0").output().unwrap();
            if !output.status.success() {
                faults.push(format!("{page}: `{line}`: {}", String::from_utf8_lossy(&output.stderr)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(seen.len() > 40, "{seen:#?}");
}

#[test]
fn commands_are_extracted_from_prose() {
    let text =
        "run `credlint check --list`, or\n  credlint upload -p x out/ && true\nthe credlint team; a credlint check";
    assert_eq!(mentioned(text), ["credlint check --list", "credlint upload -p x out/", "credlint check"]);
}
