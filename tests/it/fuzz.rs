//! Fuzzes every reader of external input: configurations, variables, policies, baselines, journals and the answers of
//! services.
//!
//! `cargo test` tries some fixed inputs for each, `.ci/run` a thousand; `just fuzz` runs for minutes from a seed that it prints. A
//! failing input is reduced and kept below `target/`; as a file below `tests/corpus/fuzz/` it is tried first in every
//! later run.

#[cfg(all(feature = "upload", feature = "sandbox"))]
mod answers;
mod mutate;
mod program;
mod readers;
mod seeds;

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mutate::Random;

/// The secret in every seed. Each character differs from the one before, so no piece of it looks like a word or an ID.
pub const SECRET: &str = "xQ7zJ3wX9kV4qZ8jW2yK5vH6";

/// A case that takes longer has hung: each takes milliseconds.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The default number of cases for each reader.
const CASES: u64 = 30;

/// The test of one input, in its own directory. Fails with the reason.
pub type Check = Box<dyn Fn(&Path, &[u8]) -> Result<(), String> + Send>;

/// Settings from outside: the number of cases, and the seed.
#[expect(clippy::disallowed_methods, reason = "read by the tests, which have no environment of their own")]
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Prints the seed: without it, a failure that ends the process could not be reproduced.
#[expect(clippy::print_stdout, clippy::disallowed_macros, reason = "for who runs it by hand")]
fn announce(name: &str, number: u64, seed: u64) {
    println!("{name}: {number} cases; the same again with CREDLINT_FUZZ_SEED={seed}");
}

/// Tries past failures, then the seeds unchanged, then mutated ones. `weight` is the number of cheap cases that cost as
/// much as one of these.
pub fn fuzz(name: &'static str, weight: u64, seeds: Vec<Vec<u8>>, check: Check) {
    let cases = setting("CREDLINT_FUZZ_CASES");
    let fresh = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs());
    // A gate must not fail by chance, so it always tries the same inputs.
    let seed = setting("CREDLINT_FUZZ_SEED").unwrap_or_else(|| if cases.is_some() { fresh() } else { 1 });
    let number = cases.unwrap_or(CASES).div_ceil(weight);
    if cases.is_some() {
        announce(name, number, seed);
    }
    let failed = run(name, number, seed, seeds, check, TIMEOUT);
    if let Some((input, why)) = failed {
        let failure_path = failure_path(name);
        std::fs::write(&failure_path, input).unwrap();
        panic!(
            "{name}: {why}\nseed {seed}; the input is {}\nkeep it as a file below tests/corpus/fuzz/{}/, so that it is tried \
             first from now on",
            failure_path.display(),
            name.strip_prefix("program-").unwrap_or(name)
        );
    }
}

/// The file for a failing input.
fn failure_path(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    std::fs::create_dir_all(&directory).unwrap();
    directory.join(format!("{name}-{}", std::process::id()))
}

/// The past failures of a reader, tested directly or through the program.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/fuzz");
    let directory = directory.join(name.strip_prefix("program-").unwrap_or(name));
    let mut paths: Vec<_> =
        std::fs::read_dir(directory).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Returns the first input that fails, and the reason.
fn run(
    name: &'static str,
    number: u64,
    seed: u64,
    seeds: Vec<Vec<u8>>,
    check: Check,
    timeout: Duration,
) -> Option<(Vec<u8>, String)> {
    let (sender, receiver) = mpsc::channel();
    // If the process ends (stack overflow), its input is left here.
    let running = failure_path(name).with_extension("running");
    let left = running.clone();
    let worker = std::thread::spawn(move || {
        let directory = tempfile::Builder::new().prefix("fuzz-").tempdir().unwrap();
        let check = |input: &[u8]| {
            std::panic::catch_unwind(AssertUnwindSafe(|| check(directory.path(), input)))
                .unwrap_or_else(|_| Err("it panicked".to_owned()))
        };
        let mut random = Random::new(seed);
        let fixed = corpus(name).into_iter().chain(seeds.clone());
        let made =
            std::iter::repeat_with(|| mutate::mutated(&seeds, &mut random)).take(usize::try_from(number).unwrap());
        for input in fixed.chain(made) {
            std::fs::write(&left, &input).unwrap();
            if sender.send((input.clone(), None)).is_err() {
                return;
            }
            if let Err(why) = check(&input) {
                let (input, why) = smaller(input, why, &check);
                let _ = sender.send((input, Some(why)));
                return;
            }
        }
    });
    let mut last = Vec::new();
    let failed = loop {
        match receiver.recv_timeout(timeout) {
            Ok((input, None)) => last = input,
            Ok((input, Some(why))) => break Some((input, why)),
            Err(RecvTimeoutError::Timeout) => break Some((last, format!("it did not end within {timeout:?}"))),
            Err(RecvTimeoutError::Disconnected) => {
                worker.join().expect("the worker ends without a panic");
                break None;
            }
        }
    };
    let _ = std::fs::remove_file(running);
    failed
}

/// Reduces a failing input, as far as a few hundred attempts get.
fn smaller(mut input: Vec<u8>, mut why: String, check: &impl Fn(&[u8]) -> Result<(), String>) -> (Vec<u8>, String) {
    let mut tries = 300;
    let mut part = input.len() / 2;
    // Each attempt may panic with a message, and one that waits for a network may be slow.
    let begun = std::time::Instant::now();
    while part > 0 && tries > 0 {
        let mut at = 0;
        while at < input.len() && tries > 0 && begun.elapsed() < TIMEOUT / 4 {
            let less = [&input[..at], &input[(at + part).min(input.len())..]].concat();
            tries -= 1;
            match check(&less) {
                Err(still) => (input, why) = (less, still),
                Ok(()) => at += part,
            }
        }
        part /= 2;
    }
    (input, why)
}

/// Fails if the output contains eight characters of the secret.
pub fn no_secret(text: &str) -> Result<(), String> {
    let (text, secret) = (text.to_lowercase(), SECRET.to_lowercase());
    match (0..=secret.len() - 8).map(|start| &secret[start..start + 8]).find(|piece| text.contains(piece)) {
        Some(piece) => Err(format!("{piece} of a secret is in:\n{text}")),
        None => Ok(()),
    }
}

/// Fails if this is not a document of that schema.
pub fn document(text: &str, schema: &str) -> Result<(), String> {
    let document: serde_json::Value = serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))?;
    if document["schema"] == schema { Ok(()) } else { Err(format!("no {schema}: {text}")) }
}

#[test]
fn every_past_failure_is_tried() {
    let tests =
        [include_str!("fuzz/readers.rs"), include_str!("fuzz/program.rs"), include_str!("fuzz/answers.rs")].concat();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/fuzz")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let reader = tests.contains(&format!("\"{name}\""));
        assert!(reader || !entry.file_type().unwrap().is_dir(), "no reader is called {name}");
    }
}

/// Proves that it can fail: a reader that panics, one that hangs, one that repeats its input.
#[test]
fn a_faulty_reader_is_detected() {
    let seeds = || vec![b"an innocent text".to_vec(), format!("token = '{SECRET}'").into_bytes()];
    let failed = |check: Check| {
        let failed = run("caught", 3000, 1, seeds(), check, Duration::from_secs(3));
        failed.map(|(input, why)| (String::from_utf8_lossy(&input).into_owned(), why))
    };
    assert_eq!(failed(Box::new(|_, _| Ok(()))), None);
    let repeats: Check = Box::new(|_, input| no_secret(&String::from_utf8_lossy(input)));
    let (input, why) = failed(repeats).unwrap();
    assert!(input.len() == 8 && why.contains("of a secret"), "{input}: {why}");
    let panics: Check = Box::new(|_, input| {
        // A byte that no seed contains: only mutation finds it. Panics without a message.
        if input.contains(&0xff) { std::panic::resume_unwind(Box::new(())) } else { Ok(()) }
    });
    assert_eq!(failed(panics), Some(("\u{fffd}".to_owned(), "it panicked".to_owned())));
    let broken: Check = Box::new(|_, input| document(&String::from_utf8_lossy(input), "credlint/report/v1"));
    assert!(failed(broken).is_some());
    let hangs: Check = Box::new(|_, input| {
        loop {
            if !input.contains(&0xff) {
                return Ok(());
            }
            std::thread::park();
        }
    });
    let (input, why) = failed(hangs).unwrap();
    assert!(input.contains('\u{fffd}') && why.contains("did not end"), "{input}: {why}");
}
