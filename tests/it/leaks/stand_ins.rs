//! Tests that the proofs would notice: programs that do what credlint must not, in every place and spelling.

use super::places::{COMMANDS, PLACES, SECRETS, WORDS};
use super::{Program, files, in_parallel, plain, proof, prove_command};
use crate::harness::{Project, Run};
use crate::search::SPELLINGS;

/// Everything that a run with these arguments reads: the arguments, the variables and the files.
fn read(project: &Project, words: &[&str]) -> String {
    let command = project.command(words);
    let mut read: String = command.get_args().map(|word| format!("{}\n", word.to_string_lossy())).collect();
    for (name, value) in command.get_envs() {
        read += &format!("{}={}\n", name.to_string_lossy(), value.unwrap_or_default().to_string_lossy());
    }
    // The names differ between projects, the contents only by the secret.
    read + &files(&project.path())
        .into_values()
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .collect::<String>()
}

fn output(stdout: String, stderr: String) -> Run {
    Run { code: 0, stdout, stderr }
}

/// Runs the proofs on a program, in one place.
fn run_proofs(program: Program<'_>, pair: &[&str; 2], place: (&'static str, &'static str)) -> Result<(), String> {
    proof(program, (pair, plain, true), place, &COMMANDS[..1])
}

#[test]
fn a_program_that_echoes_its_input_is_detected() {
    // The places take turns with the spellings.
    let all: Vec<_> = PLACES.iter().copied().zip(SPELLINGS.iter().copied().cycle()).collect();
    in_parallel(&all, |(place, (name, spell))| {
        let stdout = |project: &Project, words: &[&str]| output(spell(&read(project, words)), String::new());
        let stderr = |project: &Project, words: &[&str]| {
            output(String::new(), format!("credlint: {}", spell(&read(project, words))))
        };
        let programs: [Program<'_>; 2] = [&stdout, &stderr];
        for program in programs {
            let why = run_proofs(program, &SECRETS[0], *place).err();
            if !why.as_ref().is_some_and(|why| why.contains("of a secret in")) {
                return Err(format!("{name} of {place:?} is not caught: {why:?}"));
            }
        }
        Ok(())
    });
    let project = Project::new();
    for words in WORDS {
        for (name, spell) in SPELLINGS {
            let echo = |project: &Project, words: &[&str]| output(String::new(), spell(&read(project, words)));
            let why = prove_command(&echo, &project, (&SECRETS[0], SPELLINGS[0]), words).err();
            assert!(why.is_some_and(|why| why.contains("of a secret in")), "{name} of {words:?} is not caught");
        }
    }
}

#[test]
fn a_program_whose_output_depends_on_the_secret_is_detected() {
    let silent = |_: &Project, _: &[&str]| output("nothing found\n".to_owned(), String::new());
    // The name of the project is in the home directory, so only the bytes of its files count.
    let sum = |project: &Project, words: &[&str]| {
        let _ = words;
        let sum: u64 = files(&project.path()).into_values().flatten().map(u64::from).sum();
        let environment: u64 = project
            .command(&[])
            .get_envs()
            .filter(|(name, _)| *name != "HOME")
            .flat_map(|(name, value)| [name, value.unwrap_or_default()].map(|text| text.as_encoded_bytes().to_vec()))
            .flatten()
            .map(u64::from)
            .sum();
        output(String::new(), format!("checked {}", sum + environment))
    };
    let litters = |project: &Project, _: &[&str]| {
        std::fs::write(project.path().join("left"), "").unwrap();
        output(String::new(), String::new())
    };
    let scribbles = |project: &Project, _: &[&str]| {
        std::fs::write(project.path().join("report.csv"), "b,a\n").unwrap();
        output(String::new(), String::new())
    };
    let dies = |_: &Project, _: &[&str]| Run { code: 101, stdout: String::new(), stderr: String::new() };
    for place in PLACES {
        assert_eq!(run_proofs(&silent, &SECRETS[0], *place), Ok(()));
        for (program, why) in [
            (&sum as Program<'_>, "apart"),
            (&litters, "left files behind"),
            (&scribbles, "left files behind"),
            (&dies, "101"),
        ] {
            let failure = run_proofs(program, &SECRETS[0], *place).err();
            assert!(failure.as_ref().is_some_and(|failure| failure.contains(why)), "{place:?}: {failure:?}");
        }
    }
}
