//! What is ready to drop in: the files are read, and the commands in them are run as they stand there.

use std::path::Path;
use std::process::Command;

use granit_parser::{Event, Parser};
use serde_json::{Value, json};

use crate::harness::{Project, Run};

const FILES: [&str; 6] = [
    ".pre-commit-hooks.yaml",
    "action.yml",
    "docs/recipes/argocd-presync.yaml",
    "docs/recipes/gitlab-ci.yml",
    "docs/recipes/kubernetes-job.yaml",
    "docs/recipes/kubernetes-upload.yaml",
];

const CONFIGURATION: &str = "[storage.s]\naccount_id = 'a1'\napplication_key = { env = 'KEY' }\n";

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
                        assert!(before.is_none(), "`{key}` stands twice");
                    }
                    other => panic!("{other:?} is no key"),
                }
            }
        }
        other => panic!("{other:?} is no value"),
    }
}

#[test]
fn every_file_is_valid_yaml() {
    for name in FILES {
        assert!(documents(name).iter().all(|document| document.is_object() || document.is_array()), "{name}");
    }
    // Nothing stands in the directory that is not looked at here.
    let recipes = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/recipes")).unwrap();
    for entry in recipes {
        let name = format!("docs/recipes/{}", entry.unwrap().file_name().to_str().unwrap());
        assert!(name.ends_with("README.md") || FILES.contains(&name.as_str()), "{name}");
    }
}

#[test]
fn the_hooks_run() {
    let hooks = documents(".pre-commit-hooks.yaml").remove(0);
    let hooks = hooks.as_array().unwrap();
    let ids: Vec<&str> = hooks.iter().map(|hook| hook["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["credlint", "credlint-system"]);
    for hook in hooks {
        assert_eq!(hook["pass_filenames"], "false");
        let words: Vec<&str> = hook["entry"].as_str().unwrap().split(' ').collect();
        assert_eq!(words[0], "credlint");
        let run = Project::new().file("credlint.toml", CONFIGURATION).run(&words[1..]);
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stdout.contains("error[mixed-key-pair]"), "{}", run.stdout);
    }
}

/// The second step of the action, with bash, as the runner starts it.
fn step(project: &Project, inputs: &[(&str, &str)]) -> Run {
    let action = documents("action.yml").remove(0);
    let step = &action["runs"]["steps"][1];
    let path = project.dir.path().join("step.sh");
    std::fs::write(&path, step["run"].as_str().unwrap()).unwrap();
    let mut command = Command::new("bash");
    command.args(["--noprofile", "--norc", "-e", "-o", "pipefail"]).arg(&path).current_dir(project.path());
    command.env("PROGRAM", env!("CARGO_BIN_EXE_credlint")).env("HOME", project.home());
    for (variable, expression) in step["env"].as_object().unwrap() {
        let expression = expression.as_str().unwrap();
        let Some(input) = expression.strip_prefix("${{ inputs.").and_then(|rest| rest.strip_suffix(" }}")) else {
            continue;
        };
        let default = action["inputs"][input]["default"].as_str().unwrap();
        let value = inputs.iter().find(|(name, _)| *name == input).map_or(default, |(_, value)| value);
        command.env(variable, value);
    }
    Run::of(command)
}

#[test]
#[cfg(unix)]
fn the_action_runs_and_its_inputs_are_no_commands() {
    let project = Project::new().file("credlint.toml", CONFIGURATION).file("other.toml", "[storage.s]\n");
    let run = step(&project, &[]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.contains("mixed-key-pair") && run.stdout.contains("not looked up"), "{}", run.stdout);
    let run = step(&project, &[("format", "json"), ("files", "credlint.toml\nother.toml\n"), ("fail-on", "warning")]);
    assert_eq!(run.document()["layers"].as_array().unwrap().len(), 2, "{}", run.stderr);
    let run = step(&project, &[("format", "json"), ("output", "report.json")]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(project.path().join("report.json").exists());
    let run = step(&project, &[("resolve", "true"), ("format", "json")]);
    assert_eq!(run.document()["resolved"], true);
    for input in ["files", "format", "fail-on", "output", "resolve"] {
        for attack in [
            "$(touch pwned)",
            "`touch pwned`",
            "x; touch pwned",
            "\"; touch pwned; \"",
            "--exit-zero",
            "a b\n--config=/dev/null",
        ] {
            step(&project, &[(input, attack)]);
            assert!(!project.path().join("pwned").exists(), "{input}: {attack}");
        }
    }
    // Where a shell reads it, nothing is put in by the runner.
    let action = documents("action.yml").remove(0);
    for step in action["runs"]["steps"].as_array().unwrap() {
        assert!(!step["run"].as_str().unwrap().contains("${{"), "{step}");
    }
}

/// The configuration in the cluster's file passes with the arguments of the job, once both secrets are there.
#[test]
fn the_jobs_check_what_they_are_given() {
    let [map, job] = &documents("docs/recipes/kubernetes-job.yaml")[..] else { panic!("two documents") };
    let [hook] = &documents("docs/recipes/argocd-presync.yaml")[..] else { panic!("one document") };
    assert_eq!(hook["spec"], job["spec"], "the two jobs are one");
    assert_eq!(hook["metadata"]["annotations"]["argocd.argoproj.io/hook"], "PreSync");
    let container = &job["spec"]["template"]["spec"]["containers"][0];
    let project = Project::new();
    let etc = project.path();
    let key = etc.join("application_key");
    std::fs::write(&key, "K005abcdefghijklmnopqrstuvwxyz1\n").unwrap();
    // In the cluster it lies in memory, where the mode does not count.
    let own = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&key, own).unwrap();
    let configuration = map["data"]["credlint.toml"].as_str().unwrap();
    let project = project
        .file("credlint.toml", configuration.replace("/run/secrets/backups/application_key", key.to_str().unwrap()));
    let args: Vec<String> = container["args"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap().replace("/etc/credlint", etc.to_str().unwrap()))
        .collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    assert_eq!(project.run(&args).code, 1, "a secret is missing");
    let mut project = project;
    for variable in container["env"].as_array().unwrap() {
        let value = variable["value"].as_str().unwrap_or("xoxb-0000000000-0000000000-abcdefghijkl");
        project = project.env(variable["name"].as_str().unwrap(), value);
    }
    let run = project.run(&args);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    // Whoever may change the configuration still can't say where the token goes.
    let moved =
        std::fs::read_to_string(etc.join("credlint.toml")).unwrap().replace("chat.example.com", "evil.example.com");
    let run = project.file("credlint.toml", moved).run(&args);
    assert!(run.code == 1 && run.stdout.contains("not a permitted host"), "{}", run.stdout);
}

/// Every step, job and container of a document: a table that runs something.
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
    let page = text("docs/recipes/README.md");
    let blocks = page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks.flat_map(|block| parse("docs/recipes/README.md", &block)).collect()
}

/// Who holds a secret, or sends one, says where it may go to.
#[test]
fn where_a_credential_is_at_hand_the_hosts_are_limited() {
    let all: Vec<Value> = FILES.iter().flat_map(|name| documents(name)).chain(blocks()).collect();
    let mut found = Vec::new();
    for document in &all {
        runs(document, &mut found);
    }
    let mut limited = 0;
    for step in found {
        let whole = step.to_string();
        let sends =
            ["credlint upload", "credlint verify", "\"upload\"", "\"verify\""].iter().any(|word| whole.contains(word));
        let resolves = whole.contains(" check ") && !whole.contains("--no-resolve") && !whole.contains("inputs.");
        if sends || resolves && step.get("script").is_some() || whole.contains("secretKeyRef") {
            assert!(whole.contains("CREDLINT_HOSTS"), "{whole}");
            limited += 1;
        }
    }
    assert_eq!(limited, 7, "three jobs of Kubernetes, one of GitLab, three steps of GitHub");
}

#[cfg(feature = "upload")]
#[test]
fn the_steps_send_to_the_permitted_host_only() {
    let all = blocks();
    let mut steps = Vec::new();
    for document in &all {
        runs(document, &mut steps);
    }
    assert_eq!(steps.len(), 3);
    for (host, refused) in [("chat.example.com", false), ("evil.example.com", true)] {
        for step in &steps {
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
            let words = step["run"].as_str().unwrap().replace("$SHARD", "2/4");
            let words: Vec<&str> = words.split(' ').skip(1).collect();
            // What would reach for the network is run only where it is refused.
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

/// The command of every pod, as its shell runs it.
#[cfg(all(unix, feature = "upload", feature = "sandbox"))]
#[test]
fn the_pods_of_the_indexed_job_send_every_file_once() {
    let mut job = documents("docs/recipes/kubernetes-upload.yaml");
    assert_eq!(job.len(), 1);
    let spec = job.remove(0)["spec"].take();
    assert_eq!((&spec["completionMode"], &spec["completions"]), (&json!("Indexed"), &spec["parallelism"]));
    let container = &spec["template"]["spec"]["containers"][0];
    assert_eq!(container["command"], json!(["/bin/sh", "-c"]));
    let script = container["args"][0].as_str().unwrap();
    let pods: usize = spec["completions"].as_str().unwrap().parse().unwrap();
    assert!(script.contains(&format!("+ 1))/{pods}\"")), "{script}");
    let (project, _service) = crate::upload::many(20, "files.upload", &[]);
    let root = project.path();
    let script = script
        .replace("/etc/credlint/", &format!("{}/", root.display()))
        .replace("/state/", &format!("{}/", root.display()));
    let program = Path::new(env!("CARGO_BIN_EXE_credlint")).parent().unwrap();
    for round in 0..2 {
        for index in 0..pods {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", &script]).current_dir(root.join("many")).env_clear().env("T", crate::upload::TOKEN);
            command.env("PATH", program).env("HOME", project.home()).env("JOB_COMPLETION_INDEX", index.to_string());
            let run = Run::of(command);
            assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        }
        let mut sent = crate::upload::messages(&project).concat();
        sent.sort();
        assert_eq!(sent, (0..20).map(|number| format!("{number:03}.csv")).collect::<Vec<_>>(), "{round}");
    }
}

#[test]
fn the_image_copies_what_the_build_needs() {
    let (docker, ignore) = (text("Dockerfile"), text(".dockerignore"));
    assert!(docker.contains("\nFROM scratch\n") && docker.contains("\nUSER 65532:65532\n"));
    for copied in docker.lines().filter_map(|line| line.strip_prefix("COPY ")).filter(|line| !line.starts_with("--")) {
        let words: Vec<&str> = copied.split(' ').collect();
        for name in &words[..words.len() - 1] {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(name).exists(), "{name}");
            assert!(ignore.contains(&format!("\n!{name}\n")), "{name} is not let in");
        }
    }
}
