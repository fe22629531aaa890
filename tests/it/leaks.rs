//! The two proofs. A secret planted anywhere is found in nothing that credlint writes; and two runs whose secrets
//! differ in bytes but agree in facts write the same.
//!
//! Every command, format and error path goes through `COMMANDS`; every place to plant a secret is a line of `PLACES`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use credlint::sandbox::Options;
use credlint::{CheckOptions, Environment, LoadOptions, VerifyOptions, rules};

use crate::harness::{self, Project, Run};
use crate::journal;
use crate::server::Server;
use crate::verify::Service;

/// Pairs of secrets that agree in every fact: length, character classes, shape, and whether they are a placeholder.
const SECRETS: &[[&str; 2]] = &[
    ["xoxb-7391842650-QzWvXkPjHyBd", "xoxb-1864209375-TmRfLcNgSaGu"],
    // Of two clusters, and neither is that of a key ID they are planted beside.
    ["K005Qz7Wv/Xk+PjHyBd39Tm18Rf64Lc", "K003Tm1Rf/Lc+NgSaGu86Qz73Wv42Xk"],
    ["0057391842650abcdef91827364554637281ffeedd", "0031864209375fedcba19283746554738291aabbcc"],
    ["xapp-1-A7QZWVB9XKP-7391842650-qzwvxkpjhybd", "xapp-1-A1TMRFB8LCN-1864209375-tmrflcngsagu"],
    [
        "https://hooks.example.com/services/T7QZWV/B9XKPJ/qzwvxkpjhybd7391",
        "https://hooks.example.com/services/T1TMRF/B8LCNG/tmrflcngsagu1864",
    ],
    ["qzwvxkpjhybdq", "tmrflcngsagut"],
    ["qz7!vX k)Pj;Hy", "tm1!rF l)Cn;Gs"],
    ["918273645546372819", "192837465564738291"],
];

/// Where a secret may stand: the name of a file, its text with `§` for the secret, and whether it is the environment.
const PLACES: &[(&str, &str)] = &[
    // Where it belongs.
    (
        "credlint.toml",
        "[messaging.r]\nbase_url = 'https://h.example'\ntoken = '§'\nwebhook_url = '§'\nchannels = ['C1']\n",
    ),
    ("credlint.toml", "[messaging.r]\nwebhook_url = '§'\n"),
    ("credlint.toml", "[trust]\nhosts = ['§', '§']\n[messaging.r]\ntoken = '§'\n"),
    (
        "credlint.toml",
        "[storage.r]\napplication_key = '§'\nmaster_application_key = '§'\naccount_id = '1a2b3c4d5e6f'\n",
    ),
    ("credlint.yaml", "messaging:\n  r:\n    token: \"§\"\n    webhook_url: '§'\n"),
    (
        "credlint.yaml",
        "messaging:\n  r: &r\n    token: >-\n      §\n  s:\n    <<: *r\n    initial_comment: |\n      a\n      §\n",
    ),
    ("credlint.json", "{\"messaging\": {\"r\": {\"token\": \"§\", \"channels\": [\"§\"]}}}"),
    ("env", "CREDLINT_MESSAGING__R__TOKEN=§"),
    ("env", "CREDLINT_MESSAGING__R__CHANNELS=C1,§"),
    (".env", "CREDLINT_MESSAGING__R__TOKEN=§\nCREDLINT_STORAGE__S__APPLICATION_KEY='§'\n"),
    (".env", "OTHER=§\n# §\nCREDLINT_STORAGE__S__ACCOUNT_ID=§ # §\n"),
    // Under the names that other programs give it, and beside another half.
    ("credlint.toml", "[storage.r]\naccessKeyId = '§'\nsecret_access_key = '§'\n[messaging.r]\nbot_token = '§'\n"),
    (".env", "CREDLINT_STORAGE__S__KEY_ID=§\nCREDLINT_STORAGE__S__ACCOUNT_ID=1a2b3c4d5e6f\n"),
    // Where its form is looked at, alone and beside others.
    (
        "credlint.toml",
        "[storage.r]\napplication_key_id = '0071a2b3c4d5e6f0000000001'\napplication_key = '§'\nendpoint = 's3.x-007.backblazeb2.com'\n",
    ),
    (
        "credlint.toml",
        "[storage.r]\naccount_id = '1a2b3c4d5e6f'\nmaster_application_key = '§'\nendpoint = 'https://s3.x-007.backblazeb2.com'\n",
    ),
    ("credlint.toml", "[storage.r]\napplication_key_id = '1a2b3c4d5e6f'\napplication_key = '§'\n"),
    ("credlint.toml", "[storage.r]\napplication_key_id = '§'\napplication_key = '0071a2b3c4d5e6f0000000001'\n"),
    ("credlint.toml", "[storage.r]\napplication_key_id = '§'\napplication_key = '§'\n"),
    ("credlint.toml", "[storage.r]\naccount_id = '§@example.com'\nmaster_application_key = '§'\n"),
    ("credlint.toml", "[storage.r]\naccount_id = '1a2b3c4d5e6f'\napplication_key_id = '§'\napplication_key = '§'\n"),
    ("credlint.toml", "[messaging.r]\nbase_url = 'https://x.slack.com'\ntoken = '§'\nupload_method = 'files.upload'\n"),
    // In two layers that differ, and in a file that others can read.
    ("shadow", "[messaging.r]\ntoken = '§'\nwebhook_url = { env = '§' }\n"),
    ("shadow", "[messaging.r]\ntoken = { file = '§' }\nwebhook_url = '§'\n"),
    ("readable", "§"),
    // In the wrong field.
    (
        "credlint.toml",
        "[messaging.r]\nbase_url = '§'\nupload_method = '§'\ninitial_comment = '§'\nchannels = ['C1', '§', '§']\n",
    ),
    ("credlint.toml", "[messaging.r]\nbase_url = 'https://user:§@h.example'\n"),
    ("credlint.toml", "[messaging.r]\nbase_url = 'https://h.example/?token=§'\n"),
    ("credlint.toml", "[messaging.r]\nbase_url = 'https://h.example/#§'\n"),
    ("credlint.toml", "[messaging.r]\nbase_url = 'http://h.example/A§/api'\ntoken = 'x'\n"),
    ("credlint.toml", "[storage.r]\napplication_key_id = '§'\naccount_id = '§'\nendpoint = '§'\n"),
    ("credlint.toml", "[messaging.r]\nchannels = ['§,§', '§']\n"),
    ("env", "CREDLINT_MESSAGING__R__BASE_URL=https://§@h.example"),
    // Where a name belongs.
    ("credlint.toml", "[messaging.r]\ntoken = { env = '§' }\nwebhook_url = { file = '§' }\n"),
    ("credlint.toml", "[messaging.r]\ntoken = { file = '§' }\nchannels = { env = '§' }\n"),
    ("env", "CREDLINT_MESSAGING__R__TOKEN_FILE=§"),
    ("env", "CREDLINT_FORMAT=§"),
    ("env", "CREDLINT_PROFILE=§"),
    // As a key.
    ("credlint.toml", "'§' = 1\n[messaging.r]\n'§' = 'x'\ntoken = { '§' = 1 }\n[lint]\n'§' = 1\n"),
    ("credlint.toml", "[messaging.r.'§']\nx = 1\n['§'.'§']\ny = 1\n"),
    ("credlint.toml", "[messaging.'A §']\ntoken = 'x'\n"),
    ("credlint.yaml", "messaging:\n  r:\n    \"§\": x\n\"§\":\n  a: b\n"),
    ("credlint.json", "{\"§\": {\"§\": 1}, \"messaging\": {\"r\": {\"§\": [\"§\"]}}}"),
    ("env", "CREDLINT_MESSAGING__R__§=x"),
    ("env", "CREDLINT_§__R__TOKEN=x"),
    // In comments and neighbouring lines.
    ("credlint.toml", "# §\n[messaging.r] # §\n# §\ntokn = 'x' # §\n# §\n\n[storage.s]\naccount_id = ''#§\n"),
    ("credlint.yaml", "# §\nmessaging: # §\n  r:\n    # §\n    tokn: x # §\n    # §\n"),
    ("credlint.yaml", "messaging:\n  r: {initial_comment: \"§\", tokn: x, webhook_url: '§'}\n"),
    // Of the wrong type.
    ("credlint.toml", "messaging = '§'\nstorage = ['§']\nlint = '§'\n"),
    ("credlint.toml", "[messaging]\nr = '§'\n"),
    (
        "credlint.toml",
        "[messaging.r]\ntoken = ['§']\nchannels = '§'\nwebhook_url = { env = ['§'] }\nbase_url = { x = '§' }\n",
    ),
    ("credlint.toml", "[messaging.r]\ntoken = 918273645546372819\nchannels = [1.5e3, true, 1979-05-27]\n# §\n"),
    ("credlint.toml", "[lint]\nfail_on = '§'\n"),
    ("credlint.toml", "[storage.r] # credlint: allow(missing-key-pair) §\n# credlint: allow(§) §\nbucket = 'x'\n"),
    (
        "credlint.toml",
        "[storage.r]\n[[lint.allow]]\nrule = 'missing-key-pair'\nprofile = '§'\nreason = '§'\n'§' = '§'\n",
    ),
    ("credlint.toml", "[lint]\nlevels = { '§' = '§' }\nallow = [{ rule = '§', reason = '§' }]\n"),
    // In files that are broken.
    ("credlint.toml", "[messaging.r]\ntoken = \"§\n"),
    ("credlint.toml", "[messaging.r]\ntoken = §\n"),
    ("credlint.toml", "§\n"),
    ("credlint.toml", "[messaging.r\n# §\n"),
    ("credlint.toml", "'§' = 1\n'§' = 2\n"),
    ("credlint.toml", "a = '§'\na.b = 1\n"),
    ("credlint.yaml", "a: *§\n"),
    ("credlint.yaml", "a: !§ x\n"),
    ("credlint.yaml", "a: &§ x\nb: [\"§\"\n"),
    ("credlint.yaml", "\"§\": 1\n\"§\": 2\n"),
    ("credlint.yaml", "- \"§\"\n"),
    ("credlint.yaml", "a: \"§\n"),
    ("credlint.yaml", "a: b\n--- §\nc: d\n"),
    ("credlint.yaml", "%§ x\n---\na: b\n"),
    ("credlint.json", "{\"a\": \"§"),
    ("credlint.json", "{\"a\": §}"),
    ("credlint.json", "{\"§\": 1, \"§\": 2}"),
    ("credlint.json", "{\"a\": \"§\"} // §"),
    (".env", "§\n"),
    (".env", "A='§\n"),
    (".env", "A=\"x\" §\n"),
    (".env", "§=1\n"),
    (".env", "A=§\nA=§\n"),
];

/// What is run in each of those places.
const COMMANDS: &[&[&str]] = &[
    &["check"],
    &["check", "--format", "json"],
    &["check", "--format", "sarif"],
    &["check", "--format", "github"],
    &["check", "--format", "gitlab"],
    &["check", "--format", "junit"],
    &["check", "--diff"],
    &["check", "--diff", "--format", "json"],
    &["--color", "always", "check", "--no-resolve", "--fail-on", "warning"],
    &["check", "--no-allow", "-D", "warnings", "-A", "missing-token"],
    &["check", "--policy", "credlint.toml"],
    &["check", "--baseline", "credlint.toml"],
    &["profiles"],
    &["profiles", "r"],
    &["profiles", "r", "--no-resolve"],
    &["profiles", "--format", "json"],
    &["profiles", "r", "--format", "json"],
    &["upload", "--profile", "r", "--retries", "0", "report.csv"],
    &["upload", "--profile", "r", "--retries", "0", "--format", "json", "--channel", "C9", "report.csv"],
    &[
        "upload",
        "--profile",
        "r",
        "--retries",
        "0",
        "--format",
        "jsonl",
        "--concurrency",
        "1",
        "--channel",
        "C9",
        ".",
        "none*",
    ],
    &["upload", "--profile", "r", "--dry-run", "--channel", "C9", "report.csv", "none"],
    &["upload", "--profile", "r", "--allow-empty", "--filename", "x.csv", "-"],
    &["upload", "--profile", "r", "--rehearse", "--channel", "C9", "report.csv"],
    &[
        "upload",
        "--profile",
        "r",
        "--retries",
        "0",
        "--concurrency",
        "1",
        "--channel",
        "C9",
        "--exclude",
        "*.y*ml",
        ".",
        "credlint.toml",
        "x.env",
        "key",
    ],
    &["verify", "--max-wait", "0"],
    &["verify", "--max-wait", "0", "--format", "json"],
    &["verify", "--max-wait", "0", "--format", "sarif", "--profile", "r"],
];

/// What reads no configuration, whatever stands in those places.
const BLIND: &[&[&str]] = &[
    &["init"],
    &["init", "--output", "new.toml"],
    &["schema"],
    &["completions", "bash"],
    &["man"],
    &["rules", "--format", "json"],
    &["--color", "always", "explain", "literal-secret"],
];

/// Words of the command line with the secret among them.
const WORDS: &[&[&str]] = &[
    &["check", "--profile", "§"],
    &["check", "--profile", "messaging.§", "--format", "json"],
    &["check", "§"],
    &["check", "--config", "§.toml", "--format", "json"],
    &["check", "--env-file", "§"],
    &["check", "--format", "§"],
    &["check", "--report", "§"],
    &["check", "--report", "§=x"],
    &["check", "--report", "json=§/x"],
    &["check", "--output", "none/§"],
    &["check", "--§"],
    &["check", "-D", "§"],
    &["check", "--policy", "§.toml"],
    &["check", "--baseline", "§"],
    &["§"],
    &["explain", "§"],
    &["init", "§"],
    &["init", "--output", "§"],
    &["completions", "§"],
    &["man", "§"],
    &["rules", "--format", "§"],
    &["profiles", "--format", "json", "§"],
    &["profiles", "§"],
    &["upload", "--profile", "§", "report.csv"],
    &["upload", "--profile", "r", "--channel", "§", "--dry-run", "report.csv"],
    &["upload", "--profile", "r", "--channel", "§,", "report.csv"],
    &["upload", "--profile", "r", "--comment", "§", "--rehearse", "report.csv"],
    &["upload", "--profile", "r", "--stall-timeout", "§", "report.csv"],
    &["upload", "--profile", "r", "--concurrency", "§", "report.csv"],
    &["upload", "--profile", "r", "--thread", "§", "report.csv"],
    &["upload", "--profile", "r", "--title", "§", "--rehearse", "report.csv"],
    &["upload", "--profile", "r", "--files-from", "§"],
    &["upload", "--profile", "r", "--dry-run", "--format", "jsonl", "§", "§*"],
    &["upload", "--profile", "r", "--retries", "0", "--journal", "none/§", "report.csv"],
    &["upload", "--profile", "r", "--dry-run", "--exclude", "§", "."],
    &["upload", "--profile", "r", "--dry-run", "--exclude", "§[", "."],
    &["verify", "--profile", "§"],
    &["verify", "--max-wait", "§"],
    &["verify", "--config", "§.toml", "--format", "json"],
    &["sandbox", "--listen", "§"],
    &["sandbox", "--fail", "§"],
    &["sandbox", "--ledger", "none/§"],
];

/// A project with a secret planted in one place, and the words that make that place a part of the run.
fn plant(place: &(&str, &str), secret: &str) -> Option<(Project, Vec<String>)> {
    let (name, text) = place;
    // What can't be written there as it is would be another text.
    let quotes = name.ends_with("json") || text.contains('"');
    if (quotes && secret.contains(['"', '\\']))
        || (*name == "env" && text.contains("__§")) && secret.contains(['/', '='])
    {
        return None;
    }
    let text = text.replace('§', secret);
    // Nothing of this may reach a real service.
    let project = Project::new().file("report.csv", "a,b\n").env("HTTPS_PROXY", "http://127.0.0.1:9");
    Some(match *name {
        "env" => {
            let (variable, value) = text.split_once('=').unwrap();
            let base = "[messaging.r]\ninitial_comment = 'x'\n";
            (project.file("credlint.toml", base).env(variable, value), vec![])
        }
        ".env" => (project.file("x.env", text), vec!["--env-file".to_owned(), "x.env".to_owned()]),
        // The upper layer says it with another end.
        "shadow" => {
            let variables =
                format!("CREDLINT_MESSAGING__R__TOKEN='{secret}x'\nCREDLINT_MESSAGING__R__WEBHOOK_URL='{secret}x'\n");
            let project = project.file("credlint.toml", text).file("x.env", variables);
            harness::set_mode(&project.path().join("x.env"), 0o644);
            (project, vec!["--env-file".to_owned(), "x.env".to_owned()])
        }
        "readable" => {
            let base = "[messaging.r]\ntoken = { file = 'key' }\n[storage.r]\napplication_key = { file = 'key' }\n";
            let project = project.file("credlint.toml", base).file("key", text);
            harness::set_mode(&project.path().join("key"), 0o644);
            (project, vec![])
        }
        name => (project.file(name, text), vec![]),
    })
}

/// The pages of all rules, in small letters.
static PAGES: LazyLock<String> = LazyLock::new(|| {
    let live = rules::live::ALL.iter().map(|meta| meta.page);
    rules::ALL.iter().map(|rule| rule.meta().page).chain(live).map(str::to_lowercase).collect()
});

/// Fails if any eight characters of the secret stand in the text, in any case.
fn assert_absent(secret: &str, text: &str, what: &str) {
    let text = text.to_lowercase();
    let secret: Vec<char> = secret.to_lowercase().chars().collect();
    for window in secret.windows(8) {
        let part: String = window.iter().collect();
        // The beginning of an address is no secret, and other addresses begin so, too.
        if "https://hooks.example.com/services/".contains(&part) {
            continue;
        }
        // What stands in the page of a rule is no secret: a report may hold the page.
        assert!(!text.contains(&part) || PAGES.contains(&part), "{part:?} of a secret in {what}:\n{text}");
    }
}

fn run(project: &Project, words: &[&str], extra: &[String]) -> Run {
    let mut words: Vec<&str> = words.to_vec();
    let takes_files = words.iter().any(|word| ["check", "profiles", "upload", "verify"].contains(word));
    if takes_files {
        words.extend(extra.iter().map(String::as_str));
    }
    project.run(&words)
}

/// Every pair of secrets in every place: what is run there shares nothing, so all processors work.
fn everywhere(places: &[(&str, &str)], check: impl Fn(&[&str; 2], &(&str, &str)) + Sync) {
    let all: Vec<_> = SECRETS.iter().flat_map(|pair| places.iter().map(move |place| (pair, place))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((pair, place)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            check(pair, place);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
}

/// Both proofs in one pass: the runs that the second one compares are those that the first one searches.
#[test]
fn planted_secrets_are_in_nothing_that_is_written_and_tell_no_two_runs_apart() {
    everywhere(PLACES, |pair, place| {
        let (one, two) = match pair.map(|secret| plant(place, secret)) {
            [Some(one), Some(two)] => (one, two),
            [None, None] => return,
            _ => panic!("{pair:?} can't both be planted in {place:?}"),
        };
        let planted = [(pair[0], &one.0, files(&one.0.path())), (pair[1], &two.0, files(&two.0.path()))];
        for words in COMMANDS {
            let what = format!("{words:?} of {place:?}");
            let [first, second] = [0, 1].map(|index| {
                let (secret, project, _) = &planted[index];
                let run = run(project, words, &one.1);
                assert!([0, 1, 2, 3].contains(&run.code), "{what}: {} {}", run.code, run.stderr);
                assert_absent(secret, &run.stdout, &what);
                assert_absent(secret, &run.stderr, &what);
                let (code, stdout, stderr) = written(&run);
                let dir = project.dir.path().to_str().unwrap();
                (code, stdout.replace(dir, ""), stderr.replace(dir, ""))
            });
            assert_eq!(first, second, "{what} tell {pair:?} apart");
        }
        for (_, project, before) in planted {
            assert_eq!(files(&project.path()), before, "a run left something behind: {place:?}");
        }
    });
}

/// Fixes change files, so each has a project of its own, and what is changed is the one file that was named.
#[test]
fn a_fix_writes_no_secret_but_to_the_file_it_came_from() {
    const MISTAKES: &[(&str, &str)] = &[
        (
            "credlint.toml",
            "# §\n[messaging.r]\nbase_url = 'https://h.example/A§/api' # §\ntokn = 'Bearer §'\nchannels = ['§', '§']\n",
        ),
        (
            "credlint.yaml",
            "# §\nmessaging:\n  r:\n    base_url: https://h.example/api\n    token: 'Bearer §' # §\n    channels: ['§', C1, '§']\n",
        ),
        (".env", "# §\nOTHER=§\nCREDLINT_MESSAGING__R__TOKN=Bearer §\nCREDLINT_MESSAGING__R__CHANNELS=C1,C1,§\n"),
    ];
    everywhere(&[PLACES, MISTAKES].concat(), |[secret, _], place| {
        for format in ["human", "json"] {
            let Some((project, extra)) = plant(place, secret) else { continue };
            let before = files(&project.path());
            let run = run(&project, &["check", "--fix", "--format", format], &extra);
            let what = format!("--fix of {place:?}");
            assert_absent(secret, &run.stdout, &what);
            assert_absent(secret, &run.stderr, &what);
            let after = files(&project.path());
            assert!(before.keys().eq(after.keys()), "{what} left something behind");
            let changed = before.iter().filter(|(name, text)| after.get(*name) != Some(text)).count();
            assert_eq!(changed > 0, run.stderr.contains("fixed ") && run.stderr.contains(" of "), "{what}");
        }
    });
}

#[test]
fn reports_in_files_and_the_summary_of_a_job_hold_no_secret() {
    let formats = ["human", "json", "sarif", "github", "gitlab", "junit"];
    // Writing to a disk takes its time, so each place takes its turn with the secrets.
    for (place, [secret, _]) in PLACES.iter().zip(SECRETS.iter().cycle()) {
        let Some((project, extra)) = plant(place, secret) else { continue };
        let out = project.dir.path().join("out");
        std::fs::create_dir(&out).unwrap();
        let reports = formats.map(|format| format!("--report={format}={}", out.join(format).display()));
        let words: Vec<&str> = ["check"].into_iter().chain(reports.iter().map(String::as_str)).collect();
        let project = project.env("GITHUB_STEP_SUMMARY", out.join("summary"));
        run(&project, &words, &extra);
        let written = files(&out);
        for (name, bytes) in &written {
            assert_absent(secret, &String::from_utf8_lossy(bytes), &format!("{name} of {place:?}"));
        }
        // All, or nothing where the value of an option was none.
        assert!([0, 7].contains(&written.len()), "{place:?}: {:?}", written.keys());
    }
}

#[test]
fn what_reads_no_configuration_writes_the_same_everywhere() {
    for words in BLIND {
        let plain = Project::new().run(words);
        assert_eq!(plain.code, 0, "{words:?}: {}", plain.stderr);
        for place in PLACES {
            let Some((project, _)) = plant(place, SECRETS[0][0]) else { continue };
            let run = project.run(words);
            assert_eq!(
                (run.code, run.stdout, run.stderr),
                (0, plain.stdout.clone(), plain.stderr.clone()),
                "{words:?}"
            );
        }
    }
}

#[test]
fn a_secret_on_the_command_line_is_not_repeated() {
    let text = "[messaging.r]\nbase_url = 'https://h.example'\ntoken = { env = 'T' }\nchannels = ['C1']\n";
    let project = Project::new().file("credlint.toml", text).file("report.csv", "a,b\n").env("T", "xoxb-1");
    for [secret, _] in SECRETS {
        for words in WORDS {
            // A word of lower case letters is a name that somebody mistyped, and repeated as such.
            if !secret.contains(|c: char| !c.is_ascii_lowercase()) {
                continue;
            }
            let words: Vec<String> = words.iter().map(|word| word.replace('§', secret)).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let run = project.run(&words);
            assert_absent(secret, &run.stdout, &format!("{words:?}"));
            assert_absent(secret, &run.stderr, &format!("{words:?}"));
        }
    }
}

#[test]
fn debug_of_what_the_library_gives_holds_no_secret() {
    for [secret, _] in SECRETS {
        for place in PLACES {
            let Some((project, extra)) = plant(place, secret) else { continue };
            let (variables, file) = match place.0 {
                "env" => {
                    let text = place.1.replace('§', secret);
                    let (name, value) = text.split_once('=').unwrap();
                    (vec![(name.to_owned(), value.to_owned())], None)
                }
                _ => (vec![], extra.get(1)),
            };
            let mut options = LoadOptions::new(project.path(), variables.into_iter().collect::<Environment>());
            options.env_files.extend(file.map(Into::into));
            let mut text = format!("{options:?}");
            match credlint::load(&options) {
                Ok(loaded) => {
                    text += &format!("{loaded:?} {loaded:#?}");
                    if let Ok((_, sender)) = loaded.sender("r") {
                        text += &format!("{sender:?}");
                    }
                    if let Ok(questions) = loaded.questions(&VerifyOptions::default()) {
                        text += &format!("{questions:?}");
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

#[test]
fn a_server_that_repeats_the_token_is_not_quoted() {
    let token = SECRETS[0][0];
    let upper = token.to_uppercase();
    let json =
        |body: &str| format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    for answer in [
        json(&format!("{{\"ok\":false,\"error\":\"{token}\"}}")),
        json(&format!("{{\"ok\":false,\"error\":\"missing_scope\",\"needed\":\"{token}\",\"provided\":\"{upper}\"}}")),
        json(&format!(
            "{{\"ok\":false,\"error\":\"invalid_arguments\",\"response_metadata\":{{\"messages\":[\"{token}\"]}}}}"
        )),
        json(&format!("{{\"ok\":true,\"file\":{{\"id\":\"{upper}\",\"permalink\":\"https://h.example/{token}\"}}}}")),
        json(&format!("{{\"ok\":true,\"file\":{{\"id\":\"{token}\",\"permalink\":\"{token}\"}}}}")),
        json(
            "{\"ok\":false,\"error\":\"invalid_auth\",\"response_metadata\":{\"messages\":[\"key 73918426***jHyBd is not valid\"]}}",
        ),
        json(
            "{\"ok\":false,\"error\":\"invalid_auth\",\"response_metadata\":{\"messages\":[\"739184\",\"2650QzW\",\"vXkPjH\"]}}",
        ),
        json(&format!("<html>{token}</html>")),
        json(token),
        json(&format!("{{\"{token}")),
        format!(
            "HTTP/1.1 302 Found\r\nLocation: https://{}.example/{token}\r\nContent-Length: 0\r\n\r\n",
            token.to_lowercase()
        ),
        format!("HTTP/1.1 403 {token}\r\nRetry-After: {token}\r\nContent-Length: 0\r\n\r\n"),
        format!("HTTP/1.1 200 OK\r\nContent-Encoding: {token}\r\nContent-Length: 1\r\n\r\n{{"),
        format!("{token}\r\n\r\n"),
        format!("HTTP/1.1 200 OK\r\n{token}: {token}\r\nContent-Length: 500\r\n\r\n{token}"),
    ] {
        for format in ["human", "json"] {
            let server = Server::answering(answer.clone());
            let text =
                format!("[messaging.r]\nbase_url = '{}'\ntoken = {{ env = 'T' }}\nchannels = ['C1']\n", server.base());
            let project = Project::new()
                .file("credlint.toml", text)
                .file("report.csv", "a\n")
                .env("T", token)
                .env("RUST_LOG", "trace")
                .env("RUST_BACKTRACE", "full");
            let run =
                project.run(&["upload", "--profile", "r", "--format", format, "--answer-timeout", "5", "report.csv"]);
            assert_absent(token, &run.stdout, &answer);
            assert_absent(token, &run.stderr, &answer);
            for piece in ["73918426", "jHyBd", "QzWvX", "PjHy"] {
                assert!(!run.stdout.contains(piece), "{piece} of {answer}: {}", run.stdout);
            }
            server.finish();
        }
    }
}

/// The same for what `verify` asks: of a token and of a pair, in headers and in every part of an answer that it reads.
#[test]
fn a_service_that_repeats_a_credential_is_not_quoted() {
    let (token, key) = (SECRETS[0][0], SECRETS[1][0]);
    let pieces = |secret: &str| {
        let letters: String = secret.chars().filter(char::is_ascii_alphabetic).collect();
        let plain: String = secret.chars().filter(char::is_ascii_alphanumeric).collect();
        [secret.to_owned(), letters, plain.to_lowercase(), plain.to_uppercase()]
    };
    for secret in [token, key] {
        for piece in pieces(secret) {
            for (header, body) in [
                (
                    format!("x-oauth-scopes: files:write,{piece}\r\n"),
                    format!(
                        "{{\"ok\":true,\"team_id\":\"{piece}\",\"enterprise_id\":\"{piece}\",\"bot_id\":\"{piece}\"}}"
                    ),
                ),
                (
                    format!(
                        "x-oauth-scopes: {}\r\n",
                        piece.to_lowercase().chars().map(|c| format!("{c},")).collect::<String>()
                    ),
                    format!("{{\"ok\":true,\"team_id\":\"T{piece}\"}}"),
                ),
                (format!("Retry-After: {piece}\r\n"), format!("{{\"ok\":false,\"error\":\"{piece}\"}}")),
                (String::new(), format!("{{\"code\":\"{piece}\",\"message\":\"{piece}\",\"status\":401}}")),
                (
                    String::new(),
                    format!(
                        "{{\"apiInfo\":{{\"storageApi\":{{\"allowed\":{{\"capabilities\":[\"{piece}\"],\"buckets\":[{{\"name\":\"{piece}\"}}]}}}}}}}}"
                    ),
                ),
            ] {
                for format in ["human", "json"] {
                    let text = format!(
                        "HTTP/1.1 200 OK\r\n{header}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
                        body.len()
                    );
                    let server = Server::start(move |connection| {
                        connection.read_head();
                        connection.send(text.as_bytes());
                    });
                    let (profile, base) = (if secret == token { "r" } else { "s" }, server.base());
                    let project = Project::new().env("T", token).env("K", key).file(
                        "credlint.toml",
                        format!(
                            "[messaging.r]\nbase_url = '{base}'\ntoken = {{ env = 'T' }}\nworkspace = 'T0123456789'\n\
                             [storage.s]\napi_url = '{base}'\napplication_key_id = '0051a2b3c4d5e6f0000000001'\n\
                             application_key = {{ env = 'K' }}\nbucket = 'nightly'\n"
                        ),
                    );
                    let run = project.run(&["verify", "--max-wait", "0", "--format", format, "--profile", profile]);
                    assert_absent(secret, &run.stdout, &body);
                    assert_absent(secret, &run.stderr, &body);
                    server.finish();
                }
            }
        }
    }
}

/// Credentials that agree in facts are told apart by no answer of the embedded service, and by no report on it.
#[test]
fn what_is_asked_for_two_secrets_that_agree_in_facts_is_written_the_same() {
    let service = Service::start(Options::default());
    let base = &service.base;
    for (text, secrets) in [
        (
            format!("[messaging.r]\nbase_url = '{base}'\ntoken = {{ env = 'S' }}\nchannels = ['C0123456789']\n"),
            SECRETS[0],
        ),
        (
            format!(
                "[storage.r]\napi_url = '{base}'\napplication_key_id = '0071a2b3c4d5e6f0000000001'\napplication_key = {{ env = 'S' }}\n"
            ),
            SECRETS[1],
        ),
        (
            format!(
                "[storage.r]\napi_url = '{base}'\naccount_id = '1a2b3c4d5e6f'\nmaster_application_key = {{ env = 'S' }}\n"
            ),
            SECRETS[2],
        ),
    ] {
        for format in ["human", "json", "sarif", "github", "gitlab", "junit"] {
            let [one, two] = secrets.map(|secret| {
                let project = Project::new().file("credlint.toml", &text).env("S", secret);
                let run = project.run(&["verify", "--format", format]);
                assert_absent(secret, &run.stdout, format);
                assert_absent(secret, &run.stderr, format);
                (run.code, run.stdout, run.stderr)
            });
            assert_eq!(one, two, "{format} of {text}");
            assert!([0, 1].contains(&one.0), "{}", one.2);
        }
    }
}

/// Over every step of both methods and every fault that the embedded service knows, what is written (the journal
/// included) holds nothing of the token or the comment, and does not depend on them.
#[test]
fn an_upload_that_fails_at_any_step_tells_no_secret() {
    const FAULTS: &[&str] =
        &["429:soon", "503", "html", "truncated", "reset:10", "lost", "error:invalid_auth", "error:internal_error"];
    let runs: Vec<(&str, &str, &str)> = [
        ("files.upload", "files.upload"),
        ("external", "files.getUploadURLExternal"),
        ("external", "upload"),
        ("external", "files.completeUploadExternal"),
    ]
    .into_iter()
    .flat_map(|(method, operation)| FAULTS.iter().map(move |fault| (method, operation, *fault)))
    .collect();
    for (index, (method, operation, fault)) in runs.into_iter().enumerate() {
        let format = ["human", "json", "jsonl"][index % 3];
        let what = format!("{operation}={fault} {format}");
        let tokens = [SECRETS[0], ["7391842650QzWvXkPjHyBd", "1864209375TmRfLcNgSaGu"]];
        let outcomes = tokens[index % 2].map(|secret| {
            let project = Project::new().file("report.csv", "a,b\n1,2\n").env("T", secret).env("RUST_LOG", "trace");
            let service = journal::Service::start(&project, &["--fail", &format!("{operation}={fault}")]);
            let project = project.file(
                "credlint.toml",
                format!("[messaging.r]\nbase_url = '{}'\ntoken = {{ env = 'T' }}\nchannels = ['C0123456789']\nupload_method = '{method}'\ninitial_comment = 'of {secret}'\n", service.base),
            );
            let run = project.run(&[
                "upload", "--profile", "r", "--format", format, "--retries", "1", "--max-wait", "1", "--journal", "journal", "report.csv",
            ]);
            let journal = std::fs::read_to_string(project.path().join("journal")).unwrap();
            for text in [&run.stdout, &run.stderr, &journal] {
                assert_absent(secret, text, &what);
            }
            let states: Vec<serde_json::Value> = journal
                .lines()
                .map(|line| {
                    let line: serde_json::Value = serde_json::from_str(line).unwrap();
                    serde_json::json!([line["state"], line["error"], line["file"], line["size"], line["file_id"].is_string()])
                })
                .collect();
            (written(&run), states)
        });
        // When the reset comes is a matter of time: before or after the last byte of so short a form.
        assert!(outcomes[0] == outcomes[1] || fault.starts_with("reset"), "{what}: {outcomes:?}");
        assert!(outcomes[0].0.0 >= 3 || fault == "lost", "{what}: {outcomes:?}");
    }
}

/// What a run wrote, without what differs from run to run in any case.
fn written(run: &Run) -> (i32, String, String) {
    let ports =
        |text: &str| {
            // The embedded service listens where it may, and names its files as it likes.
            text.split_inclusive([' ', '"', ','])
                .map(|word| {
                    if word.contains("127.0.0.1:") || (word.starts_with('F') && word.len() > 10) { "…" } else { word }
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
    let elapsed = |text: String| {
        let mut parts = text.split("\"elapsed_ms\":");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once(',').map_or("", |(_, rest)| rest))
    };
    (run.code, elapsed(timeless(ports(&run.stdout))), ports(&run.stderr))
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
