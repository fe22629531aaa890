//! The documents: every command in them is run, and what it prints stands below it.
//!
//! A block ```` ```toml file=NAME ```` of a page writes that file into the page's own directory. In a block
//! ```` ```console ```` each line that begins with `$` is run there by a shell, and what follows is what it printed, both
//! streams; `UPDATE_DOCS=1 cargo test` writes it. `exit=N` says how the last command ends, if not with 0.

use std::path::Path;
use std::process::{Command, Stdio};

/// The pages whose commands are run.
const PAGES: &[&str] = &["docs/getting-started.md", "docs/troubleshooting.md", "docs/searching.md"];

/// A page's own directory, and the page as it comes out of it.
struct Reader {
    dir: tempfile::TempDir,
    out: String,
}

impl Reader {
    fn block(&mut self, info: &str, body: &str) {
        let words: Vec<&str> = info.split_whitespace().collect();
        let option = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        self.out += &format!("```{info}\n");
        if let Some(name) = option("file") {
            let path = self.dir.path().join("project").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, body).unwrap();
            crate::harness::set_mode(&path, 0o600);
        }
        if words.first() == Some(&"console") {
            let expected = option("exit").map_or(0, |code| code.parse().unwrap());
            let commands: Vec<&str> = body.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
            for (index, command) in commands.iter().enumerate() {
                let (code, said) = self.run(command);
                let wanted = if index + 1 == commands.len() { expected } else { 0 };
                assert_eq!(code, wanted, "`{command}` ends so: {said}");
                self.out += &format!("$ {command}\n{said}");
            }
        } else {
            self.out += body;
        }
        self.out += "```\n";
    }

    fn run(&self, line: &str) -> (i32, String) {
        let bin = Path::new(env!("CARGO_BIN_EXE_credlint")).parent().unwrap();
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("exec 2>&1; {line}")).current_dir(self.dir.path().join("project")).env_clear();
        command.env("HOME", self.dir.path()).env("COLUMNS", "100").stdin(Stdio::null());
        command.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
        let output = command.output().unwrap();
        // How many variables a shell sets by itself differs.
        let said = String::from_utf8(output.stdout).unwrap();
        let counted = |line: &str| match line.split_once(" variables read") {
            Some((_, rest)) => format!("5 variables read{rest}\n"),
            None => format!("{line}\n"),
        };
        (output.status.code().unwrap_or(-1), said.lines().map(counted).collect())
    }
}

fn rewritten(page: &str) -> String {
    let dir = tempfile::Builder::new().prefix("credlint-docs").rand_bytes(0).tempdir_in(env!("CARGO_TARGET_TMPDIR"));
    let mut reader = Reader { dir: dir.unwrap(), out: String::new() };
    std::fs::create_dir_all(reader.dir.path().join("project/.git")).unwrap();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        match line.strip_prefix("```") {
            Some(info) => {
                let body: String =
                    lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
                reader.block(info, &body);
            }
            None => reader.out += &format!("{line}\n"),
        }
    }
    reader.out
}

#[cfg(unix)]
#[test]
fn every_command_of_the_documents_does_what_stands_there() {
    for page in PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = rewritten(&text);
        #[expect(clippy::disallowed_methods, reason = "a switch of this test, not of the program")]
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, expected).unwrap();
        } else {
            assert_eq!(text, expected, "{page} is out of date: run `UPDATE_DOCS=1 cargo test`");
        }
    }
}
