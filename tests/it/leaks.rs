//! Two proofs. A secret planted anywhere is in no output of credlint; and two runs whose secrets differ in bytes but
//! agree in facts have the same output.
//!
//! `COMMANDS` lists every command, format and error path; `PLACES` lists every place to plant a secret. `search.rs`
//! does the search, and `stand_ins.rs` proves that it would notice.

mod answers;
mod found;
mod places;
mod stand_ins;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use credlint::{CheckOptions, DeliveryOptions, Environment, LoadOptions, VerifyOptions, rules};

use crate::harness::{Extent, FORMATS, Project, Run, extents};
use crate::search::{SPELLINGS, Search, Spelling, reduced};
use places::{COMMANDS, ONE_CASE, PLACES, Place, SECRETS, WITHOUT_CONFIGURATION, WORDS, plant};

/// Text that may be written whatever is secret, normalised like the searched text: the pages of all rules, since a
/// report may contain them, and the beginning of a URL, which many share.
static KNOWN: LazyLock<String> = LazyLock::new(|| {
    let live = rules::live::ALL.iter().map(|meta| meta.page);
    let pages: String = rules::ALL.iter().map(|rule| rule.meta().page).chain(live).collect();
    reduced(&pages) + "|" + &reduced("https://hooks.example.com/services/")
});

/// Fails with the place where the text contains a piece of the secret, in any spelling.
fn absent(secret: &str, text: &str, what: &str) -> Result<(), String> {
    /// The automatons are built once for each secret.
    static SEARCHES: Mutex<BTreeMap<String, Arc<Search>>> = Mutex::new(BTreeMap::new());
    if text.is_empty() {
        return Ok(());
    }
    let mut searches = SEARCHES.lock().unwrap();
    let search = searches.entry(secret.to_owned()).or_insert_with(|| Arc::new(Search::new(secret))).clone();
    drop(searches);
    match search.find(text, &KNOWN) {
        Some(piece) => Err(format!("{piece:?} of a secret in {what}:\n{text}")),
        None => Ok(()),
    }
}

fn assert_absent(secret: &str, text: &str, what: &str) {
    absent(secret, text, what).unwrap_or_else(|leak| panic!("{leak}"));
}

/// The program under test: credlint, or a stand-in that tests the proofs.
type Program<'a> = &'a (dyn Fn(&Project, &[&str]) -> Run + Sync);

/// The output includes the reports in files, which are removed.
fn credlint(project: &Project, words: &[&str]) -> Run {
    if !words.iter().any(|word| word.starts_with("--report=")) {
        return project.run(words);
    }
    let out = project.dir.path().join("out");
    std::fs::create_dir_all(&out).unwrap();
    let mut run = project.run(words);
    for (name, text) in files(&out) {
        run.stdout += &format!("\n{name}:\n{}", String::from_utf8(text).unwrap());
        std::fs::remove_file(name).unwrap();
    }
    run
}

/// A command with the arguments that use a place.
fn words<'a>(command: &[&'a str], extra: &'a [String]) -> Vec<&'a str> {
    let mut words = command.to_vec();
    if words.iter().any(|word| ["check", "profiles", "upload", "verify"].contains(word)) {
        // Commands without these options are run without a baseline or journal.
        let takes = |option: &str| match option {
            "--baseline" | "--policy" => words.contains(&"check"),
            "--blocks" => words.contains(&"upload"),
            "--journal" => words.contains(&"upload") && !words.contains(&"--dry-run") && !words.contains(&"--rehearse"),
            _ => true,
        };
        let taken = extra.chunks(2).filter(|option| takes(&option[0]) && !words.contains(&option[0].as_str()));
        let more: Vec<&str> = taken.flatten().map(String::as_str).collect();
        words.extend(more);
    }
    if let Some(end) = words.iter().position(|word| *word == "--") {
        let files = extra.chunks(2).filter(|option| option[0] == "--env-file");
        words.splice(end..end, files.flatten().map(String::as_str));
    }
    words
}

/// Both proofs for one place in one pass: the second compares the runs that the first searches. `spell` is how the
/// secrets are planted. `alike` is `true` if they also agree in facts in that spelling.
fn proof(
    program: Program<'_>,
    (pair, spell, alike): (&[&str; 2], fn(&str) -> String, bool),
    place: Place,
    commands: &[&[&str]],
) -> Result<(), String> {
    let (one, two) = match pair.map(|secret| plant(place, &spell(secret))) {
        [Some(one), Some(two)] => (one, two),
        [None, None] => return Ok(()),
        _ => return Err(format!("{pair:?} can't both be planted in {place:?}")),
    };
    let planted = [(pair[0], &one.0, files(&one.0.path())), (pair[1], &two.0, files(&two.0.path()))];
    for command in commands {
        let what = format!("{command:?} of {place:?}");
        let mut runs = Vec::new();
        for (secret, project, _) in &planted {
            let run = program(project, &words(command, &one.1));
            // 125: the command of `exec` was not started.
            if !(0..=4).contains(&run.code) && run.code != 125 {
                return Err(format!("{what}: {} {}", run.code, run.stderr));
            }
            runs.push((secret, project, run));
        }
        // Stream by stream, since the same text is prepared for the search once.
        for stream in [|run: &Run| run.stdout.clone(), |run: &Run| run.stderr.clone()] {
            for (secret, _, run) in &runs {
                absent(secret, &stream(run), &what)?;
            }
        }
        let runs: Vec<_> = runs
            .iter()
            .map(|(_, project, run)| {
                let (code, stdout, stderr) = written(run);
                let dir = project.dir.path().to_str().unwrap();
                (code, stdout.replace(dir, ""), stderr.replace(dir, ""))
            })
            .collect();
        if alike && runs[0] != runs[1] {
            return Err(format!("{what} tell {pair:?} apart: {runs:#?}"));
        }
    }
    for (secret, project, before) in planted {
        let after = files(&project.path());
        let kept: Vec<&String> = before.keys().collect();
        // A journal is expected to change.
        let changed = after.iter().filter(|(name, text)| before.get(*name) != Some(text));
        let changed: Vec<&String> = changed.map(|(name, _)| name).filter(|name| !name.ends_with("/journal")).collect();
        if kept != after.keys().collect::<Vec<_>>() || !changed.is_empty() {
            return Err(format!("a run left files behind: {place:?} {secret}: {changed:?}"));
        }
    }
    Ok(())
}

/// Checks all items on all processors: they share nothing.
fn in_parallel<T: Sync>(all: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            check(one).unwrap_or_else(|why| panic!("{why}"));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
}

/// Every pair of secrets in every place.
fn pairs(places: &[Place]) -> Vec<(&'static [&'static str; 2], Place)> {
    SECRETS.iter().flat_map(|pair| places.iter().map(move |place| (pair, *place))).collect()
}

fn plain(secret: &str) -> String {
    secret.to_owned()
}

/// The number of pairs of secrets, which take turns in a sample.
const TURNS: usize = SECRETS.len();

/// Each place with each group of commands: a sample has every place and every command, with one pair of secrets; the whole
/// takes all of them, which are some 40,000 starts of the program.
fn prove(group: &str, extent: Extent) {
    let own = |words: &&&[&str]| words.iter().find(|word| GROUPS.contains(word)) == Some(&group);
    let group = GROUPS.iter().position(|word| *word == group).unwrap();
    let commands: Vec<_> = COMMANDS.iter().filter(own).copied().collect();
    let all: Vec<_> = pairs(PLACES).into_iter().enumerate().collect();
    in_parallel(&all, |(number, (pair, place))| {
        let (turn, index) = (number / PLACES.len(), number % PLACES.len());
        if !extent.takes(turn + index, TURNS) || !extent.takes(index / 2 + group, 4) {
            return Ok(());
        }
        let one = (index / TURNS + index) % commands.len();
        let chosen = if extent == Extent::All { &commands[..] } else { &commands[one..=one] };
        proof(&credlint, (pair, plain, true), *place, chosen)
    });
}

/// The commands that are run with the places, by their first words.
const GROUPS: &[&str] = &["check", "exec", "explain", "profiles", "services", "upload", "verify", "why"];

#[test]
fn every_command_is_in_a_group() {
    let all = COMMANDS.iter().map(|words| words.iter().find(|word| GROUPS.contains(word)));
    let found: BTreeSet<&str> = all.map(|group| *group.unwrap()).collect();
    assert!(found.iter().eq(GROUPS), "{found:?}");
}

/// The most verbose commands.
const VERBOSE: &[&[&str]] = &[
    &["check"],
    &["check", "--format", "json", "--fail-on", "warning"],
    &["profiles", "r"],
    &["upload", "--profile", "r", "--retries", "0", "--format", "json", "--channel", "C9", "report.csv", "none"],
];

/// Checks all items, and reports all leaks at once.
fn assert_no_leaks<T: Sync>(all: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) {
    let failed = Mutex::new(Vec::new());
    in_parallel(all, |one| {
        failed.lock().unwrap().extend(check(one).err());
        Ok(())
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{} leaks:\n{}", failed.len(), failed.join("\n"));
}

/// The same for secrets that look like names.
fn prove_one_case(extent: Extent) {
    let mut all = Vec::new();
    for (number, pair) in ONE_CASE.iter().enumerate() {
        for (index, place) in PLACES.iter().enumerate().filter(|(index, _)| extent.takes(index + number, 4)) {
            let one = index / 4 % VERBOSE.len();
            all.push((pair, *place, if extent == Extent::All { VERBOSE } else { &VERBOSE[one..=one] }));
        }
    }
    assert_no_leaks(&all, |(pair, place, commands)| proof(&credlint, (pair, plain, true), *place, commands));
}

/// The pairs of secrets that can't be names, which consist of letters of one case.
fn recognisable() -> Vec<&'static [&'static str; 2]> {
    SECRETS.iter().filter(|pair| pair[0].contains(|c: char| !c.is_ascii_alphabetic())).collect()
}

/// The same in every spelling; the places take turns with the secrets.
fn prove_encoded(extent: Extent) {
    let secrets = recognisable();
    let mut all = Vec::new();
    for (index, place) in PLACES.iter().enumerate() {
        for (number, spelling) in SPELLINGS.iter().skip(1).enumerate() {
            if extent.takes(index + number, SPELLINGS.len() - 1) {
                let one = index / (SPELLINGS.len() - 1) % VERBOSE.len();
                let commands = if extent == Extent::All { VERBOSE } else { &VERBOSE[one..=one] };
                all.push((secrets[(index + number) % secrets.len()], *spelling, *place, commands));
            }
        }
    }
    assert_no_leaks(&all, |(pair, (name, spell), place, commands)| {
        // In these spellings the bytes determine the form, which is a fact.
        let alike = !["base64", "hex", "percent-encoded"].contains(name);
        proof(&credlint, (pair, *spell, alike), *place, commands).map_err(|why| format!("{name}: {why}"))
    });
}

/// Arguments in every spelling; two that agree in facts get the same answer.
fn prove_arguments(extent: Extent) {
    let profile = "base_url = 'https://h.example'\ntoken = { env = 'T' }\nchannels = ['C1']\n";
    let text = format!("[messaging.r]\n{profile}[messaging.e]\nupload_method = 'external'\n{profile}");
    let project = Project::new().file("credlint.toml", text).file("report.csv", "a,b\n").env("T", "xoxb-1");
    let project = project.env("HTTPS_PROXY", "http://127.0.0.1:9");
    // A word of letters of one case is a mistyped name, and repeated as such.
    let secrets = recognisable();
    let mut all: Vec<(_, _, &[&str])> = Vec::new();
    for (index, words) in WORDS.iter().enumerate() {
        let turns = secrets.iter().enumerate().filter(|(number, _)| extent.takes(index + number, secrets.len()));
        all.extend(turns.map(|(_, pair)| (*pair, SPELLINGS[0], *words)));
        for (number, spelling) in SPELLINGS.iter().skip(1).enumerate() {
            if extent.takes(index + number, SPELLINGS.len() - 1) {
                all.push((secrets[(index + number) % secrets.len()], *spelling, *words));
            }
        }
    }
    assert_no_leaks(&all, |(pair, spelling, words)| prove_command(&credlint, &project, (pair, *spelling), words));
}

fn prove_constant_output(extent: Extent) {
    for (number, words) in WITHOUT_CONFIGURATION.iter().enumerate() {
        let plain = Project::new().run(words);
        assert_eq!(plain.code, 0, "{words:?}: {}", plain.stderr);
        for (index, place) in PLACES.iter().enumerate() {
            if !extent.takes(index + number, 2 * WITHOUT_CONFIGURATION.len()) {
                continue;
            }
            let Some((project, _)) = plant(*place, SECRETS[0][0]) else { continue };
            let run = project.run(words);
            assert_eq!(
                (run.code, run.stdout, run.stderr),
                (0, plain.stdout.clone(), plain.stderr.clone()),
                "{words:?}"
            );
        }
    }
}

extents! {
    check_prints_no_planted_secret => |extent| prove("check", extent);
    exec_prints_no_planted_secret => |extent| prove("exec", extent);
    explain_prints_no_planted_secret => |extent| prove("explain", extent);
    services_prints_no_planted_secret => |extent| prove("services", extent);
    profiles_prints_no_planted_secret => |extent| prove("profiles", extent);
    upload_prints_no_planted_secret => |extent| prove("upload", extent);
    verify_prints_no_planted_secret => |extent| prove("verify", extent);
    why_prints_no_planted_secret => |extent| prove("why", extent);
    a_single_case_secret_is_hidden_where_names_are_shown => prove_one_case;
    an_encoded_secret_is_hidden => prove_encoded;
    a_secret_on_the_command_line_is_not_printed => prove_arguments;
    commands_without_configuration_have_constant_output => prove_constant_output;
    secrets_are_not_in_report_files_or_the_job_summary => prove_report_files;
    debug_output_of_library_types_contains_no_secret => prove_debug;
}

fn prove_report_files(extent: Extent) {
    // The places take turns with the secrets and spellings.
    let turns = PLACES.iter().zip(recognisable().into_iter().cycle()).zip(SPELLINGS.iter().cycle());
    for (_, ((place, [secret, _]), (_, spell))) in turns.enumerate().filter(|(number, _)| extent.takes(*number, 4)) {
        let Some((project, extra)) = plant(*place, &spell(secret)) else { continue };
        let out = project.dir.path().join("out");
        std::fs::create_dir(&out).unwrap();
        let reports = FORMATS.map(|format| format!("--report={format}={}", out.join(format).display()));
        let command: Vec<&str> = ["check"].into_iter().chain(reports.iter().map(String::as_str)).collect();
        let project = project.env("GITHUB_STEP_SUMMARY", out.join("summary"));
        project.run(&words(&command, &extra));
        let written = files(&out);
        for (name, bytes) in &written {
            assert_absent(secret, &String::from_utf8_lossy(bytes), &format!("{name} of {place:?}"));
        }
        // All files, or none if the value of an option was not valid.
        assert!([0, FORMATS.len() + 1].contains(&written.len()), "{place:?}: {:?}", written.keys());
    }
}

/// Both proofs for one command line.
fn prove_command(
    program: Program<'_>,
    project: &Project,
    (pair, (name, spell)): (&[&str; 2], Spelling),
    words: &[&str],
) -> Result<(), String> {
    let mut runs = Vec::new();
    for secret in pair {
        let words: Vec<String> = words.iter().map(|word| word.replace('§', &spell(secret))).collect();
        let run = program(project, &words.iter().map(String::as_str).collect::<Vec<_>>());
        let what = format!("{words:?}, {name}: {}", run.code);
        absent(secret, &run.stdout, &what)?;
        absent(secret, &run.stderr, &what)?;
        runs.push(written(&run));
    }
    if name == "plain" && runs[0] != runs[1] {
        Err(format!("{words:?} tell {pair:?} apart: {runs:#?}"))
    } else {
        Ok(())
    }
}

fn prove_debug(extent: Extent) {
    for (number, [secret, _]) in SECRETS.iter().enumerate() {
        for (_, place) in PLACES.iter().enumerate().filter(|(index, _)| extent.takes(index + number, TURNS)) {
            let Some((project, extra)) = plant(*place, secret) else { continue };
            let (variables, file) = match place.0 {
                "env" => {
                    let text = place.1.replace('§', secret);
                    let (name, value) = text.split_once('=').unwrap();
                    (vec![(name.to_owned(), value.to_owned())], None)
                }
                ".env" | "shadow" => (vec![], extra.get(1)),
                _ => (vec![], None),
            };
            let mut options = LoadOptions::new(project.path(), variables.into_iter().collect::<Environment>());
            options.env_files.extend(file.map(Into::into));
            let mut text = format!("{options:?}");
            match credlint::load(&options) {
                Ok(loaded) => {
                    text += &format!("{loaded:?} {loaded:#?}");
                    if let Ok(delivery) = loaded.delivery(DeliveryOptions::new("r").with_files(["f"]), &()) {
                        text += &format!("{delivery:?}");
                    }
                    if let Ok(verification) = loaded.verification(&VerifyOptions::default()) {
                        text += &format!("{verification:?}");
                    }
                    match credlint::check(&loaded, &CheckOptions::default()) {
                        Ok(report) => text += &format!("{report:?} {}", report.to_json()),
                        Err(error) => text += &format!("{error:?} {error}"),
                    }
                }
                Err(error) => text += &format!("{error:?} {error} {}", error.to_json()),
            }
            assert_absent(secret, &text, &format!("Debug of {place:?}"));
        }
    }
}

/// The output of a run, without what differs between runs anyway.
fn written(run: &Run) -> (i32, String, String) {
    let ports = |text: &str| {
        // The embedded service chooses its port (at 127.0.0.1) and the names of its files (`F…`).
        if memchr::memchr2(b'F', b'7', text.as_bytes()).is_none() {
            return text.to_owned();
        }
        text.split_inclusive([' ', '"', ','])
            .map(|word| {
                // … and the timestamps of its messages.
                let stamp = word.len() >= 17 && word.as_bytes()[10] == b'.' && word.is_char_boundary(10);
                let id = word.starts_with('F') && word.len() > 10;
                if word.contains("127.0.0.1:") || id || stamp { "…" } else { word }
            })
            .collect::<String>()
    };
    let timeless = |text: String| match text.find(" ms") {
        Some(at) => {
            let start = text[..at].rfind(' ').unwrap_or(0);
            format!("{}{}", &text[..start], &text[at..])
        }
        None => text,
    };
    let without = |key: &str, text: String| {
        let mut parts = text.split(key);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once(',').map_or("", |(_, rest)| rest))
    };
    let stdout = without("\"elapsed_ms\":", without("\"ts\":", timeless(ports(&run.stdout))));
    (run.code, stdout, ports(&run.stderr))
}

/// The names and contents of the files in a directory.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            found.insert(path.display().to_string(), std::fs::read(&path).unwrap());
        }
    }
    found
}
