//! The same through the program: its exit code, its documents, and the formats that only it has.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::harness::FORMATS;

use super::{Check, fuzz, no_secret, seeds};

/// A reader, its made-up file, and the command that reads it. None of them reaches a network: there is no service at
/// the address of the upload.
const READERS: &[(&str, &str, &[&str])] = &[
    ("program-toml", "credlint.toml", &["check"]),
    ("program-yaml", "credlint.yaml", &["check"]),
    ("program-json", "credlint.json", &["check"]),
    ("program-dotenv", "x.env", &["check", "--isolated", "--env-file", "x.env"]),
    ("program-policy", "policy.toml", &["check", "--config", "base.toml", "--policy", "policy.toml"]),
    ("program-baseline", "baseline.json", &["check", "--config", "base.toml", "--baseline", "baseline.json"]),
    #[cfg(feature = "upload")]
    (
        "program-journal",
        "journal",
        &["upload", "--profile", "r", "--config", "base.toml", "--retries", "0", "--journal", "journal", "report.csv"],
    ),
    #[cfg(feature = "upload")]
    (
        "program-list",
        "list",
        &["upload", "--profile", "r", "--config", "base.toml", "--dry-run", "--files-from", "list"],
    ),
];

const BASE: &str =
    "[messaging.r]\nbase_url = 'http://127.0.0.1:1'\ntoken = { env = 'T' }\nchannels = ['C0123456789']\n";

/// Options with a file that is not part of the configuration.
const NAMED_FILES: &[&str] = &["--baseline", "--files-from"];

/// Runs the program with one file, in every format in turn.
fn program(file: &'static str, words: &'static [&'static str]) -> Check {
    let turn = AtomicUsize::new(0);
    Box::new(move |directory, input| {
        let formats: &[&str] = if words[0] == "check" { &FORMATS } else { &["json", "human", "jsonl"] };
        let turn = turn.fetch_add(1, Ordering::Relaxed);
        let mut words = words.to_vec();
        words.extend(["--format", formats[turn % formats.len()]]);
        std::fs::write(directory.join("base.toml"), BASE).unwrap();
        std::fs::write(directory.join("report.csv"), "a,b\n").unwrap();
        std::fs::write(directory.join(file), input).unwrap();
        std::fs::create_dir_all(directory.join(".git")).unwrap();
        exits_cleanly(directory, &words)?;
        if words[0] == "check" && turn.is_multiple_of(2) {
            let list = ["profiles", "--config", file, "--format", "json"];
            let variables = ["profiles", "--isolated", "--env-file", file];
            exits_cleanly(directory, if file == "x.env" { &variables } else { &list })?;
        }
        Ok(())
    })
}

fn exits_cleanly(directory: &Path, words: &[&str]) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_credlint"));
    command.args(words).current_dir(directory).env_clear().env("HOME", directory).env("T", super::SECRET);
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).map_err(|_| format!("{words:?}: its output is no UTF-8"));
    let (stdout, stderr) = (text(output.stdout)?, text(output.stderr)?);
    let outcome = format!("{words:?} {:?}\n{stdout}\n{stderr}", output.status);
    if !matches!(output.status.code(), Some(0..=4)) || stderr.contains("internal error") {
        return Err(outcome);
    }
    no_secret(&stdout)?;
    no_secret(&stderr)?;
    let format = words.iter().skip_while(|&&word| word != "--format").nth(1);
    let whole = match format {
        // A file named on the command line that is not valid is a usage error, and there is no output.
        _ if stdout.is_empty()
            && output.status.code() == Some(2)
            && NAMED_FILES.iter().any(|word| words.contains(word)) =>
        {
            true
        }
        Some(&"json" | &"sarif" | &"gitlab") => serde_json::from_str::<serde_json::Value>(&stdout).is_ok(),
        Some(&"jsonl") => stdout.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()),
        _ => true,
    };
    if whole { Ok(()) } else { Err(outcome) }
}

fn seeds(reader: &str) -> Vec<Vec<u8>> {
    match reader {
        "program-toml" => seeds::toml(),
        "program-yaml" => seeds::yaml(),
        "program-json" => seeds::json(),
        "program-dotenv" => seeds::dotenv(),
        "program-policy" => seeds::policy(),
        "program-baseline" => seeds::baseline(),
        #[cfg(feature = "upload")]
        "program-journal" => seeds::journal(),
        _ => vec![b"report.csv\nnone\n".to_vec(), format!("./report.csv\r\n{0}\n{0}*\n", super::SECRET).into_bytes()],
    }
}

#[test]
fn fuzz_program() {
    for (reader, file, words) in READERS {
        // Starting a process costs as much as reading forty files.
        fuzz(reader, 40, seeds(reader), program(file, words));
    }
}
