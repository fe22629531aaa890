//! Every option acts on every input, or is refused: none is accepted and ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::harness::{Extent, Project, Run, extents};

const HOOK: &str = "https://hooks.slack.com/services/T01ABCDEF/B01ABCDEF/abcdefghijklmnopqrstuvwx";

/// Has something to find, to fix and to allow, for a configuration and for a search.
fn configuration(profiles: &[&str]) -> String {
    let profile = |name: &&str| {
        format!(
            "[messaging.{name}]\nbase_url = 'http://a.example'\ntoken = {{ env = 'NOT_SET' }}\nchannels = ['C1', 'C1']\n"
        )
    };
    let allow = |rule| format!("[[lint.allow]]\nrule = '{rule}'\nreason = 'for now'\n");
    profiles.iter().map(profile).collect::<String>() + &allow("insecure-base-url") + &allow("placeholder-credential")
}

fn variables() -> String {
    format!("SLACK_BOT_TOKEN={HOOK}\nCI_SLACK_BOT_TOKEN=changeme\n")
}

fn project() -> Project {
    Project::new()
        .file("credlint.toml", configuration(&["a", "b"]))
        .file("other.toml", configuration(&["c"]))
        .file("sub/credlint.toml", configuration(&["d"]))
        .file("sub/x.env", variables())
        .file("sub/.git/HEAD", "")
        .file("sub/.gitignore", "*.yaml\n")
        .file("sub/hidden.yaml", format!("SLACK_BOT_TOKEN: {HOOK}\n"))
        .file("more.env", "NOT_SET=changeme\n")
        .file("policy.toml", "[lint]\nfail_on = 'warning'\n")
        .env("SLACK_BOT_TOKEN", HOOK)
        .env("CI_SLACK_BOT_TOKEN", "changeme")
        .env("CREDLINT_MESSAGING__E__BASE_URL", "http://e.example")
}

/// What `check` can be told to check.
const CHECKED: &[&[&str]] = &[
    &[],
    &["--config", "other.toml"],
    &["--profile", "b"],
    &["--env-file", "more.env"],
    &["sub"],
    &["sub/x.env"],
    &["-"],
    &["--environment"],
    &["--environment", "sub"],
    &["--environment", "--config", "other.toml"],
    &["--environment", "--profile", "b"],
];

/// Rules with findings in every input.
const WARN: &[&str] = &["-W", "wrong-credential", "-W", "unresolved-reference", "-W", "missing-token"];
const DENY: &[&str] = &["-D", "wrong-credential", "-D", "unresolved-reference", "-D", "missing-token"];
const ALLOW: &[&str] = &["-A", "wrong-credential", "-A", "unresolved-reference", "-A", "missing-token"];

/// Each option of `check`, the words before it, and words with which it makes a difference.
const OPTIONS: &[(&str, &[&str], &[&str])] = &[
    ("allow", &[], ALLOW),
    ("as", &[], &["--as", "json"]),
    ("baseline", &[], &["--baseline", "known"]),
    ("color", &[], &["--color", "always"]),
    ("config", &[], &["--config", "sub/credlint.toml"]),
    ("deny", WARN, DENY),
    ("env-file", &[], &["--env-file", "policy.toml"]),
    ("environment", &[], &["--environment"]),
    ("exclude", &[], &["--exclude", "*.env"]),
    ("exit-zero", &[], &["--exit-zero"]),
    ("fail-on", WARN, &["--fail-on", "warning"]),
    ("format", &[], &["--format", "json"]),
    ("include", &[], &["--include", "*.toml"]),
    ("isolated", &[], &["--isolated"]),
    ("list", &[], &["--list"]),
    ("no-allow", &[], &["--no-allow"]),
    ("no-ignore", &[], &["--no-ignore"]),
    ("no-resolve", &[], &["--no-resolve"]),
    ("only", &[], &["--only", "unknown-field"]),
    ("output", &[], &["--output", "out.txt"]),
    ("policy", &[], &["--policy", "policy.toml"]),
    ("profile", &[], &["--profile", "a"]),
    ("quiet", &[], &["--quiet"]),
    ("report", &[], &["--report", "json=out.json"]),
    ("require", &[], &["--require", "NONE"]),
    ("verbose", &[], &["--verbose"]),
    ("warn", &[], WARN),
    ("write-baseline", &[], &["--write-baseline", "written"]),
];

/// Returns `true` if an option could not act on an input.
fn is_refused(option: &str, input: &[&str]) -> bool {
    let has = |word| input.contains(&word);
    let file = has("sub") || has("sub/x.env");
    let path = file || has("-");
    let configured = !path && input != ["--environment"];
    match option {
        "config" | "env-file" | "profile" => path,
        "no-resolve" => !configured,
        "fix" | "diff" => !configured && !file,
        "as" => !path,
        "require" => !has("--environment"),
        "include" | "no-ignore" => !has("sub"),
        "exclude" => !file,
        "list" => !file || has("--environment"),
        _ => false,
    }
}

/// Everything that a run leaves behind.
#[derive(PartialEq)]
struct Outcome {
    code: i32,
    stdout: String,
    stderr: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl Outcome {
    /// A usage error, without a document.
    fn is_refusal(&self) -> bool {
        [2, 125].contains(&self.code) && self.stdout.is_empty() && self.stderr.starts_with("error: ")
    }
}

/// Runs in a project, where `before` was run before.
fn outcome(project: Project, before: Option<&[&str]>, words: &[&str]) -> Outcome {
    if let Some(before) = before {
        run(&project, before);
    }
    let Run { code, stdout, stderr } = run(&project, words);
    let mut files = BTreeMap::new();
    for directory in ["", "sub"] {
        for entry in std::fs::read_dir(project.path().join(directory)).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                let name = Path::new(directory).join(entry.file_name()).to_str().unwrap().to_owned();
                files.insert(name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    Outcome { code, stdout, stderr, files }
}

fn run(project: &Project, words: &[&str]) -> Run {
    let mut command = project.command(words);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It need not read its input.
    let _ = child.stdin.take().unwrap().write_all(variables().as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The long options in a help text.
fn options(command: &str) -> BTreeSet<String> {
    let help = Project::new().run(&[command, "--help"]).stdout;
    let lines = help.lines().filter_map(|line| line.trim_start().split_once("--"));
    let lines = lines.filter(|(short, _)| short.is_empty() || (short.starts_with('-') && short.ends_with(", ")));
    let names = lines.map(|(_, rest)| rest.split([' ', ',', '.']).next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

extents! {
    every_option_of_check_acts_on_every_input_or_is_refused => compare_options_of_check;
}

/// A sample has every option and every input, and one in three of both together.
fn compare_options_of_check(extent: Extent) {
    assert_eq!(options("check"), OPTIONS.iter().map(|(option, ..)| (*option).to_owned()).collect());
    std::thread::scope(|scope| {
        for (turn, input) in CHECKED.iter().enumerate() {
            scope.spawn(move || {
                let mut known: BTreeMap<(&[&str], bool), Outcome> = BTreeMap::new();
                for (number, (option, before, with)) in OPTIONS.iter().enumerate() {
                    if !extent.takes(number + turn, 6) {
                        continue;
                    }
                    // Some options can't be repeated.
                    if *option == "environment" && input.contains(&"--environment") {
                        continue;
                    }
                    let base = [&["check"], *before, *input].concat();
                    let prepare = [&["check", "--write-baseline", "known"], *input].concat();
                    let prepare = (*option == "baseline").then_some(&prepare[..]);
                    let without = known.entry((*before, prepare.is_some()));
                    let without = without.or_insert_with(|| outcome(project(), prepare, &base));
                    assert!(!without.is_refusal(), "{base:?}: {}", without.stderr);
                    let words = [&base[..], *with].concat();
                    let outcome = outcome(project(), prepare, &words);
                    assert_eq!(outcome.is_refusal(), is_refused(option, input), "{words:?}: {}", outcome.stderr);
                    assert!(outcome != *without, "{words:?} makes no difference: {}", outcome.stdout);
                }
            });
        }
    });
}

#[test]
fn every_option_of_exec_acts_or_is_refused() {
    let all: &[(&str, &[&str])] = &[
        ("color", &["--color", "always"]),
        ("config", &["--config", "other.toml"]),
        ("env-file", &["--env-file", "more.env"]),
        ("fail-on", &["--fail-on", "warning"]),
        ("isolated", &["--isolated"]),
        ("observe", &["--observe"]),
        ("policy", &["--policy", "policy.toml"]),
        ("profile", &["--profile", "a"]),
        ("quiet", &["--quiet"]),
        ("require", &["--require", "NONE"]),
        ("stdin", &["--stdin", "A_TOKEN"]),
        ("verbose", &["--verbose"]),
    ];
    assert_eq!(options("exec"), all.iter().map(|(option, _)| (*option).to_owned()).collect());
    // So that the command is started without the option.
    let levels = "[lint.levels]\nwrong-credential = 'warning'\nunresolved-reference = 'warning'\n";
    let quiet =
        || project().file("credlint.toml", configuration(&["a", "b"]) + levels).file("more.env", "A_TOKEN=null\n");
    for input in [&[][..], &["--profile", "b"]] {
        for (option, with) in all {
            // It is for what would not be started.
            let observed = *option == "observe";
            let project = || if observed { project() } else { quiet() };
            let outcome_of =
                |more| outcome(project(), None, &[&["exec"], input, more, &["--", "echo", "ran"]].concat());
            let (without, outcome) = (outcome_of(&[]), outcome_of(with));
            let expected = if observed { (125, "") } else { (0, "ran\n") };
            assert_eq!((without.code, without.stdout.as_str()), expected, "{}", without.stderr);
            let refused = *option == "config" && input.is_empty();
            assert_eq!(outcome.is_refusal(), refused, "{input:?} {with:?}: {}", outcome.stderr);
            assert!(outcome != without, "{input:?} {with:?} makes no difference: {}", outcome.stderr);
        }
    }
}

/// A pipeline sets it for all of its commands.
#[test]
fn default_profile_does_not_affect_search() {
    for input in [&["check", "sub"][..], &["check", "--environment"], &["check", "-"], &["exec", "--", "true"]] {
        let (without, with) = (run(&project(), input), run(&project().env("CREDLINT_PROFILE", "none"), input));
        let code = if input[0] == "exec" { 125 } else { 1 };
        assert!(without.code == code && with.code == code, "{input:?}: {}", with.stderr);
        let later = |text: &str| text.split_once(" read: ").map(|(_, later)| later.to_owned());
        assert_eq!(later(&with.stdout), later(&without.stdout), "{input:?}");
    }
    for input in [&["check"][..], &["check", "--environment", "--config", "other.toml"]] {
        let run = run(&project().env("CREDLINT_PROFILE", "none"), input);
        assert!(run.code == 2 && run.stderr.contains("there is no profile"), "{input:?}: {}", run.stderr);
    }
}

#[test]
fn variables_and_configuration_are_checked_in_one_run() {
    let found = |project: &Project, words: &[&str]| {
        let (code, document) = project.check(words);
        let rules = document["findings"].as_array().unwrap().iter().map(|finding| {
            let profile = finding["profile"]["name"].as_str().unwrap_or_default();
            format!("{} {profile}", finding["rule"].as_str().unwrap())
        });
        (code, rules.collect::<Vec<_>>(), document["resolved"] == true)
    };
    let both = ["unresolved-reference b", "malformed-channel b", "wrong-credential slack"].map(str::to_owned);
    assert_eq!(found(&project(), &["--environment", "-p", "b"]), (1, both.to_vec(), true));
    // The levels of the named file are those of the run.
    let levels = "[messaging.c]\nbase_url = 'https://c.example'\ntoken = { env = 'T' }\nchannels = ['C1']\n\
                  [lint.levels]\nwrong-credential = 'note'\nplaceholder-credential = 'off'\n";
    let project = Project::new()
        .file("other.toml", levels)
        .env("T", "xoxb-918273645546-QzWvXkPjHyBd")
        .env("SLACK_BOT_TOKEN", HOOK)
        .env("CI_SLACK_BOT_TOKEN", "changeme");
    let words = ["--environment", "--config", "other.toml"];
    assert_eq!(found(&project, &words), (0, vec!["wrong-credential slack".to_owned()], true));
    let read = &project.check(&words).1["read"];
    assert_eq!((&read["files"], &read["variables"], &read["recognised"]), (&1.into(), &4.into(), &1.into()));
    assert_eq!(project.run(&["exec", "-p", "c", "--config", "other.toml", "--", "true"]).code, 0);
    assert_eq!(project.run(&["exec", "--", "true"]).code, 125);
    // A configuration that there is not, was not checked.
    let (code, document) = Project::new().file("x.env", "").check(&["--environment", "--env-file", "x.env"]);
    assert_eq!((code, document["problems"][0]["code"].as_str()), (3, Some("nothing-to-check")));
    assert_eq!(project.run(&["check", "--environment", "--config", "none.toml"]).code, 2);
}

/// Any other could be part of the change under review.
#[test]
fn with_a_policy_a_search_uses_only_its_baseline() {
    let project = project().file("named.toml", "[lint]\nbaseline = 'known'\n").file("other", "");
    assert_eq!(project.run(&["check", "sub/x.env", "--write-baseline", "known", "--no-allow"]).code, 1);
    std::fs::copy(project.path().join("known"), project.path().join("other")).unwrap();
    for (words, code) in [
        (&["--baseline", "known"][..], 0),
        (&["--policy", "named.toml"], 0),
        (&["--policy", "named.toml", "--baseline", "known"], 0),
        (&["--policy", "named.toml", "--baseline", "other"], 2),
        (&["--policy", "policy.toml", "--baseline", "known"], 2),
        (&["--policy", "policy.toml"], 1),
    ] {
        let run = project.run(&[&["check", "sub/x.env"], words].concat());
        assert_eq!(run.code, code, "{words:?}: {}{}", run.stdout, run.stderr);
    }
}

/// What `verify` can be told to verify.
const VERIFIED: &[&[&str]] = &[&[], &["sub"], &["sub/x.env"], &["-"], &["--environment"], &["--environment", "sub"]];

#[test]
fn every_option_of_verify_acts_on_every_input_or_is_refused() {
    // No request is sent: it is wrong, or its address is not permitted.
    let project = || {
        let levels = "[lint.levels]\nwrong-credential = 'warning'\n";
        let clean = "[messaging.c]\nbase_url = 'https://c.example'\ntoken = 'xoxb-1-abc'\nchannels = ['C1']\n";
        let policy = format!("[lint]\nfail_on = 'warning'\n{levels}[trust]\nhosts = ['none.example']\n");
        let mistake = format!("SLACK_TOKEN={HOOK}\nCI_SLACK_BOT_TOKEN=changeme\n");
        project()
            .file("clean.toml", clean)
            .file("policy.toml", policy)
            .file("sub/x.env", mistake)
            .env("CREDLINT_HOSTS", "none.example")
    };
    let all: &[(&str, &[&str])] = &[
        ("answer-timeout", &[]),
        ("as", &["--as", "json"]),
        ("channel", &["--channel", "C9"]),
        ("color", &["--color", "always"]),
        ("config", &["--config", "clean.toml"]),
        ("env-file", &["--env-file", "more.env"]),
        ("environment", &["--environment"]),
        ("exclude", &["--exclude", "*.env"]),
        ("exit-zero", &["--exit-zero"]),
        ("fail-on", &["--fail-on", "warning"]),
        ("format", &["--format", "json"]),
        ("include", &["--include", "*.toml"]),
        ("isolated", &["--isolated"]),
        ("max-wait", &[]),
        ("no-ignore", &["--no-ignore"]),
        ("output", &["--output", "out.txt"]),
        ("policy", &["--policy", "policy.toml"]),
        ("profile", &["--profile", "a"]),
        ("quiet", &["--quiet"]),
        ("report", &["--report", "json=out.json"]),
        ("verbose", &["--verbose"]),
    ];
    assert_eq!(options("verify"), all.iter().map(|(option, _)| (*option).to_owned()).collect());
    for input in VERIFIED {
        let has = |word| input.contains(&word);
        let (file, environment) = (has("sub") || has("sub/x.env"), has("--environment"));
        let without = outcome(project(), None, &[&["verify"], *input].concat());
        assert!(without.code == 1 && !without.stderr.contains("asking"), "{input:?}: {}", without.stderr);
        // The waits have no effect if no service is asked; the level needs a finding below it, as does the policy's.
        let acts = |(option, with): &&(&str, &[&str])| {
            !(with.is_empty() || *option == "fail-on" || ["channel", "policy"].contains(option) && input.is_empty())
        };
        for (option, with) in all.iter().filter(acts).filter(|(option, _)| *option != "environment" || !environment) {
            let refused = match *option {
                "channel" | "config" | "profile" => file || has("-") || environment,
                "env-file" => (file || has("-")) && !environment,
                "as" => !(file || has("-")),
                "include" | "no-ignore" => !has("sub"),
                "exclude" => !file,
                _ => false,
            };
            let words = [&["verify"], *input, *with].concat();
            let outcome = outcome(project(), None, &words);
            assert_eq!(outcome.is_refusal(), refused, "{words:?}: {}", outcome.stderr);
            assert!(outcome != without, "{words:?} makes no difference: {}", outcome.stdout);
        }
    }
}
