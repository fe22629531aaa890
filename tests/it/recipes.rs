//! The ready-made files: they are parsed, and the commands in them are run unchanged.

mod actions;
mod install;
mod jobs;
mod runner;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod uploads;

use std::path::Path;

use granit_parser::{Event, Parser};
use serde_json::{Value, json};

use crate::harness::Project;

/// Every YAML file that others copy, and the workflows of this repository.
const FILES: [&str; 20] = [
    ".github/ISSUE_TEMPLATE/bug.yml", ".github/ISSUE_TEMPLATE/config.yml", ".github/ISSUE_TEMPLATE/false-alarm.yml",
    ".github/ISSUE_TEMPLATE/missed-mistake.yml", ".github/dependabot.yml", ".github/workflows/ci.yml",
    ".github/workflows/release.yml", ".pre-commit-hooks.yaml", "CITATION.cff", "action.yml",
    "docs/recipes/argocd-presync.yaml", "docs/recipes/gitlab-ci.yml", "docs/recipes/kubernetes-configmap.yaml",
    "docs/recipes/kubernetes-configured.yaml", "docs/recipes/kubernetes-init.yaml", "docs/recipes/kubernetes-job.yaml",
    "docs/recipes/kubernetes-upload.yaml", "templates/check.yml", "templates/upload.yml", "upload/action.yml",
];

/// A webhook where a token belongs.
const MISTAKE: &str = "SLACK_BOT_TOKEN=https://hooks.slack.com/services/T01234567/B01234567/AbCdEfGhIjKlMnOpQrStUvWx\n";

fn text(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The documents of a YAML file, with every scalar as a string.
fn documents(name: &str) -> Vec<Value> {
    parse(name, &text(name))
}

fn parse(name: &str, text: &str) -> Vec<Value> {
    let events = Parser::new_from_str(text).map(|event| event.unwrap_or_else(|error| panic!("{name}: {error}")).0);
    let mut events = events.filter(|event| !matches!(event, Event::Comment(..)));
    let mut documents = Vec::new();
    while let Some(event) = events.next() {
        if let Event::DocumentStart(..) = event {
            let first = events.next().unwrap();
            documents.push(node(first, &mut events));
        }
    }
    documents
}

fn node<'a>(first: Event<'a>, rest: &mut impl Iterator<Item = Event<'a>>) -> Value {
    match first {
        Event::Scalar(text, ..) => json!(text),
        Event::SequenceStart(..) => {
            let mut items = Vec::new();
            loop {
                match rest.next().unwrap() {
                    Event::SequenceEnd => return json!(items),
                    event => items.push(node(event, rest)),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut entries = serde_json::Map::new();
            loop {
                match rest.next().unwrap() {
                    Event::MappingEnd => return Value::Object(entries),
                    Event::Scalar(key, ..) => {
                        let value = rest.next().unwrap();
                        let before = entries.insert(key.to_string(), node(value, rest));
                        assert!(before.is_none(), "duplicate key `{key}`");
                    }
                    other => panic!("{other:?} is not a key"),
                }
            }
        }
        other => panic!("{other:?} is not a value"),
    }
}

#[test]
fn every_file_is_valid_yaml() {
    for name in FILES {
        assert!(documents(name).iter().all(|document| document.is_object() || document.is_array()), "{name}");
    }
    // These directories contain no other files.
    for directory in ["docs/recipes", "templates", ".github/ISSUE_TEMPLATE", ".github/workflows"] {
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(directory)).unwrap() {
            let name = format!("{directory}/{}", entry.unwrap().file_name().to_str().unwrap());
            let other = [".md", ".sh"].iter().any(|ending| name.ends_with(ending));
            assert!(other || FILES.contains(&name.as_str()), "{name}");
        }
    }
}

/// A report is public: every form says so, and its writer confirms it.
#[test]
fn issue_forms_ask_for_no_value() {
    for name in FILES.iter().filter(|name| name.starts_with(".github/ISSUE_TEMPLATE/") && !name.ends_with("config.yml"))
    {
        let form = documents(name).remove(0);
        assert!(form["name"].is_string() && form["description"].is_string(), "{name}");
        let body = form["body"].as_array().unwrap();
        assert!(body[0]["attributes"]["value"].as_str().unwrap().starts_with("Never paste "), "{name}");
        let last = &body.last().unwrap()["attributes"]["options"][0];
        assert_eq!(
            (&last["label"], &last["required"]),
            (&json!("This report contains no real value."), &json!("true"))
        );
        let mut ids: Vec<&str> = body.iter().filter_map(|part| part["id"].as_str()).collect();
        assert_eq!(ids.len(), body.len() - 1, "{name}");
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), body.len() - 1, "{name}");
    }
}

#[test]
fn the_hooks_check_committed_files() {
    let hooks = documents(".pre-commit-hooks.yaml").remove(0);
    let hooks = hooks.as_array().unwrap();
    let ids: Vec<&str> = hooks.iter().map(|hook| hook["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["credlint", "credlint-system"]);
    assert_eq!((&hooks[0]["files"], &hooks[0]["exclude"]), (&hooks[1]["files"], &hooks[1]["exclude"]));
    for hook in hooks {
        assert!(hook["pass_filenames"].is_null());
        let words: Vec<&str> = hook["entry"].as_str().unwrap().split(' ').collect();
        assert_eq!(words[0], "credlint");
        let project =
            Project::new().file("deploy/.env", MISTAKE).file("fine.yaml", "a: b\n").file("other/.env", MISTAKE);
        let run = project.run(&[&words[1..], &["deploy/.env", "fine.yaml"]].concat());
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stdout.contains("error[wrong-credential]") && !run.stdout.contains("other/"), "{}", run.stdout);
        assert_eq!(project.run(&[&words[1..], &["fine.yaml"]].concat()).code, 0);
        // The name of a file is never an option.
        let name = "--output=deploy/x.env";
        let hostile = Project::new().file(name, MISTAKE).file("deploy/.env", "A=1\n");
        let run = hostile.run(&[&words[1..], &[name]].concat());
        assert!(run.code == 1 && run.stdout.contains("error[wrong-credential]"), "{}{}", run.stdout, run.stderr);
        assert!(!hostile.path().join("deploy/x.env").exists());
        // `args` would stand after `--`.
        let run = project.run(&[&words[1..], &["--fail-on", "fine.yaml"]].concat());
        assert!(run.code == 2 && run.stderr.contains("they belong into its `entry`"), "{}", run.stderr);
    }
}

/// Local actions aside, every action is pinned to a commit, which can't be moved.
#[test]
fn actions_are_pinned_to_a_commit() {
    let mut used = Vec::new();
    for document in FILES.iter().flat_map(|name| documents(name)).chain(blocks()).chain(blocks_of("README.md")) {
        uses(&document, &mut used);
    }
    assert!(used.len() > 20, "{used:?}");
    for action in used {
        let own = action.starts_with("./") || action.starts_with("credlint/credlint");
        let hash = action.rsplit_once('@').map_or("", |(_, hash)| hash);
        let pinned = hash.len() == 40 && hash.chars().all(|c| c.is_ascii_hexdigit());
        assert!(own || pinned, "{action}");
    }
}

fn uses(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(entries) => {
            found.extend(entries.get("uses").and_then(Value::as_str).map(str::to_owned));
            entries.values().for_each(|value| uses(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| uses(value, found)),
        _ => {}
    }
}

/// The texts that precede a version of this program, in files and pages.
const BEFORE_VERSION: [&str; 10] = [
    "credlint:", "credlint@v", "upload@v", "check@", "upload@", "rev: v", "credlint==", "credlint = { version = \"",
    "\"name\": \"credlint\", \"version\": \"", "\"name\":\"credlint\",\"version\":\"",
];

/// The version is defined in Cargo.toml; whoever raises it there is told about the other places.
#[test]
fn documented_versions_are_the_current_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let pages = pages.map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
    let others = ["README.md", "docs/recipes/README.md", "install.sh", "Dockerfile", "justfile", "pyproject.toml"];
    let others = others.iter().chain(&FILES).map(|&name| name.to_owned());
    let (mut count, version) = (0, env!("CARGO_PKG_VERSION"));
    for name in pages.chain(others) {
        let text = text(&name);
        for before in BEFORE_VERSION {
            for (at, _) in text.match_indices(before) {
                let rest = &text[at + before.len()..];
                let named: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
                if named.starts_with(|c: char| c.is_ascii_digit()) {
                    assert_eq!(named.trim_end_matches('.'), version, "{name}: {before}{named}");
                    count += 1;
                }
            }
        }
        // No other text precedes the version, or the list above would miss it. After "such as" it is an example, which
        // may become outdated.
        for (at, _) in text.match_indices(version) {
            let before = &text[..at];
            let found = BEFORE_VERSION.iter().chain(&["such as "]).any(|known| before.ends_with(known));
            assert!(found, "{name}: {}", before.lines().last().unwrap_or_default());
        }
    }
    assert!(count > 22, "{count}");
    // The wheel takes its version from there.
    let project = text("pyproject.toml");
    assert!(project.contains("dynamic = [\"version\"") && !project.contains("\nversion"), "{project}");
}

/// Finds every step, job and container of a document: a table that runs something.
fn runs<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(entries) => {
            if ["run", "script", "args"].iter().any(|key| entries.get(*key).is_some_and(|run| !run.is_object())) {
                found.push(value);
            }
            entries.values().for_each(|value| runs(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| runs(value, found)),
        _ => {}
    }
}

/// The blocks of YAML in the page on recipes.
fn blocks() -> Vec<Value> {
    blocks_of("docs/recipes/README.md")
}

fn blocks_of(name: &str) -> Vec<Value> {
    let page = text(name);
    let blocks = page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks.flat_map(|block| parse(name, &block)).collect()
}

/// Anyone who has a secret of a profile, or sends one, states where it may go.
#[test]
fn steps_with_credentials_limit_the_hosts() {
    let all: Vec<Value> = FILES.iter().flat_map(|name| documents(name)).chain(blocks()).collect();
    let mut found = Vec::new();
    for document in &all {
        runs(document, &mut found);
    }
    let mut limited = 0;
    for step in found {
        let whole = step.to_string();
        let sends = ["credlint upload", "credlint verify"].iter().any(|word| whole.contains(word));
        let rehearsed = whole.contains("upload --rehearse");
        if sends && !rehearsed || whole.contains("secretKeyRef") {
            assert!(whole.contains("CREDLINT_HOSTS"), "{whole}");
            limited += 1;
        }
    }
    assert_eq!(limited, 7, "three jobs of Kubernetes, two of GitLab, two steps of GitHub");
    // The action requires it.
    assert_eq!(documents("upload/action.yml")[0]["inputs"]["hosts"]["required"], "true");
}

#[cfg(feature = "upload")]
#[test]
fn steps_send_only_to_the_permitted_host() {
    let all = blocks();
    let mut steps = Vec::new();
    for document in &all {
        runs(document, &mut steps);
    }
    let steps: Vec<&Value> =
        steps.into_iter().filter(|step| step["run"].as_str().is_some_and(|run| run.starts_with("credlint "))).collect();
    assert_eq!(steps.len(), 2);
    for (host, refused) in [("chat.example.com", false), ("evil.example.com", true)] {
        for &step in &steps {
            let profile = format!(
                "[messaging.reports]\nbase_url = \"https://{host}\"\ntoken = {{ env = \"REPORTS_TOKEN\" }}\nchannels = [\"C0123456789\"]\n"
            );
            let project = Project::new().file("credlint.toml", profile).file("report.csv", "1,2\n");
            let mut project = project.file("reports/a.csv", "1,2\n");
            for (name, value) in step["env"].as_object().unwrap() {
                let value = value.as_str().unwrap();
                project = project.env(
                    name,
                    if value.contains("secrets.") { "xoxb-0000000000-0000000000-abcdefghijkl" } else { value },
                );
            }
            let words = step["run"].as_str().unwrap();
            let words: Vec<&str> = words.split(' ').skip(1).collect();
            // Commands that need the network run only where it is refused.
            let upload = words[0] == "upload";
            let words = if upload { [&words[..], &["--dry-run"]].concat() } else { words };
            if upload || refused {
                let run = project.run(&words);
                assert_eq!(run.code, i32::from(refused), "{words:?}: {}{}", run.stdout, run.stderr);
                assert_eq!((run.stdout + &run.stderr).contains("not a permitted host"), refused);
            }
        }
    }
}

#[test]
fn the_image_copies_every_file_the_build_needs() {
    let (docker, ignore) = (text("Dockerfile"), text(".dockerignore"));
    assert!(docker.contains("\nFROM scratch\n") && docker.matches("\nUSER 65532:65532\n").count() == 2);
    // The full program, and the certificates that it needs to send anything.
    assert!(
        docker.contains("cargo build --release --locked\n") && docker.contains("etc/ssl/certs/ca-certificates.crt")
    );
    let copied = docker.lines().filter_map(|line| line.strip_prefix("COPY "));
    let copied: Vec<&str> = copied.flat_map(|line| line.split(' ')).collect();
    for needed in ["Cargo.toml", "Cargo.lock", "build.rs", "README.md", "build", "src", "docs"] {
        assert!(copied.contains(&needed), "{needed} is not copied");
    }
    for copied in docker.lines().filter_map(|line| line.strip_prefix("COPY ")).filter(|line| !line.starts_with("--")) {
        let words: Vec<&str> = copied.split(' ').collect();
        for name in &words[..words.len() - 1] {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(name).exists(), "{name}");
            assert!(ignore.contains(&format!("\n!{name}\n")), "{name} is excluded by .dockerignore");
        }
    }
}
