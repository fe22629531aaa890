//! The examples of the services through every input that can hold variables: the same value gets the same rule, whoever
//! reads it.

use std::collections::BTreeMap;
use std::path::Path;

use credlint::{CheckOptions, Environment, FileType, Search};

use crate::foreign::{Case, cases};
use crate::harness::{Extent, Project, Run, extents};
use crate::search::base64;

/// Rule, severity and name of each finding, sorted.
type Findings = Vec<[String; 3]>;

/// Names and values.
type Variables = Vec<(String, String)>;

/// An input: how it is called, the name of the file, and its text.
type Input = (&'static str, &'static str, fn(&[(String, String)]) -> String);

fn lines(variables: &[(String, String)], line: impl Fn(&str, &str) -> String) -> String {
    variables.iter().map(|(name, value)| line(name, value) + "\n").collect()
}

const INPUTS: &[Input] = &[
    ("dotenv", "a.env", |all| lines(all, |name, value| format!("{name}={value}"))),
    ("dotenv with quotes", "a.env", |all| lines(all, |name, value| format!("{name}=\"{value}\""))),
    ("shell", "a.sh", |all| lines(all, |name, value| format!("export {name}='{value}'"))),
    ("Windows", "a.bat", |all| lines(all, |name, value| format!("set {name}={value}"))),
    ("systemd", "a.service", |all| {
        format!("[Service]\n{}", lines(all, |name, value| format!("Environment=\"{name}={value}\"")))
    }),
    ("TOML", "a.toml", |all| format!("[env]\n{}", lines(all, |name, value| format!("{name} = \"{value}\"")))),
    ("INI", "a.ini", |all| format!("[env]\n{}", lines(all, |name, value| format!("{name} = {value}")))),
    ("JSON", "a.json", |all| {
        let all: serde_json::Map<_, _> = all.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        serde_json::Value::Object(all).to_string()
    }),
    ("compose, a map", "a.yaml", |all| {
        format!("services:\n  a:\n    environment:\n{}", lines(all, |name, value| format!("      {name}: \"{value}\"")))
    }),
    ("compose, a list", "a.yaml", |all| {
        format!("services:\n  a:\n    environment:\n{}", lines(all, |name, value| format!("      - {name}={value}")))
    }),
    ("a container", "a.yaml", |all| {
        let one = |name: &str, value: &str| format!("        - name: {name}\n          value: \"{value}\"");
        format!("kind: Pod\nspec:\n  containers:\n    - name: a\n      env:\n{}", lines(all, one))
    }),
    ("a ConfigMap", "a.yaml", |all| {
        format!("kind: ConfigMap\ndata:\n{}", lines(all, |name, value| format!("  {name}: \"{value}\"")))
    }),
    ("a Secret in plain text", "a.yaml", |all| {
        format!("kind: Secret\nstringData:\n{}", lines(all, |name, value| format!("  {name}: \"{value}\"")))
    }),
    ("a Secret in base64", "a.yaml", |all| {
        let encoded = |value: &str| base64(value.as_bytes());
        format!("kind: Secret\ndata:\n{}", lines(all, |name, value| format!("  {name}: {}", encoded(value))))
    }),
    ("a workflow", "a.yml", |all| {
        format!("jobs:\n  a:\n    env:\n{}", lines(all, |name, value| format!("      {name}: \"{value}\"")))
    }),
];

/// The variables of a dotenv file without syntax of its own.
fn variables(case: &Case) -> Option<Variables> {
    let is_plain = Path::new(&case.path).extension().is_some_and(|extension| extension == "env") || case.path == ".env";
    let all = case.text.lines().filter(|line| !line.is_empty()).map(|line| line.split_once('='));
    let all: Option<Variables> = all.map(|one| one.map(|(name, value)| (name.to_owned(), value.to_owned()))).collect();
    // A reference counts as present in a file, and is wrong in a process.
    all.filter(|_| is_plain && !case.text.contains("${"))
}

/// The findings of each file in a document, or of its one input.
fn by_file(document: &serde_json::Value) -> BTreeMap<String, Findings> {
    let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let mut all: BTreeMap<String, Findings> = BTreeMap::new();
    for finding in document["findings"].as_array().unwrap() {
        let name = word(&finding["message"]).split('`').nth(1).unwrap_or_default().to_owned();
        let file = finding["labels"][0]["source"]["name"].as_str().unwrap_or_default();
        let found = all.entry(file.to_owned()).or_default();
        found.push([word(&finding["rule"]), word(&finding["severity"]), name]);
    }
    for found in all.values_mut() {
        found.sort();
    }
    all
}

fn findings(document: &serde_json::Value) -> Findings {
    let mut all: Findings = by_file(document).into_values().flatten().collect();
    all.sort();
    all
}

/// An example as variables, and its findings.
struct Example {
    place: String,
    variables: Variables,
    expected: Findings,
}

fn examples() -> Vec<Example> {
    let example = |case: Case| {
        let mut expected: Findings = case
            .expected
            .iter()
            .map(|[rule, severity, _, name]| [rule.clone(), severity.clone(), name.clone()])
            .collect();
        expected.sort();
        Some(Example { variables: variables(&case)?, place: case.place, expected })
    };
    let all: Vec<Example> = cases("services", 7).into_iter().filter_map(example).collect();
    assert!(all.len() > 100, "{}", all.len());
    all
}

impl Example {
    /// Says how the findings of an input differ, if they do.
    fn difference(&self, input: &str, found: &Findings, expected: &Findings) -> Option<String> {
        // Notes do not reject a correct setup.
        let notes = expected.is_empty() && found.iter().all(|[_, severity, _]| severity == "note");
        let differs = found != expected && !notes;
        differs.then(|| format!("{}, {input}:\n  found    {found:?}\n  expected {expected:?}", self.place))
    }

    /// What a file has. A placeholder is a note in one that git would commit.
    fn expected_in_repository(&self) -> Findings {
        let mut expected = self.expected.clone();
        for [rule, severity, _] in &mut expected {
            if rule == "placeholder-credential" {
                "note".clone_into(severity);
            }
        }
        expected
    }
}

fn assert_same(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every example in every syntax, in files that one run of the program reads.
fn compare_files(arguments: &[&str], extent: Extent) {
    let all = examples();
    let mut project = Project::new();
    let mut paths = Vec::new();
    for (number, example) in all.iter().enumerate() {
        for (index, (input, path, text)) in INPUTS.iter().enumerate() {
            if extent.takes(number + index, INPUTS.len()) {
                paths.push((example, *input, format!("{number}/{index}/{path}")));
                project = project.file(&paths[paths.len() - 1].2, text(&example.variables));
            }
        }
    }
    let named: Vec<&str> = paths.iter().map(|(.., path)| path.as_str()).collect();
    let document = project.check(if arguments.is_empty() { &named } else { arguments }).1;
    let mut found = by_file(&document);
    let wrong: Vec<String> = paths
        .iter()
        .filter_map(|(example, input, path)| {
            example.difference(input, &found.remove(path).unwrap_or_default(), &example.expected_in_repository())
        })
        .collect();
    assert_same(&wrong);
    assert!(paths.len() > 300, "{}", paths.len());
}

/// The findings in a dotenv text and in an environment, by the library.
fn found_in_process(variables: &Variables) -> [(&'static str, Findings); 2] {
    let directory = tempfile::tempdir().unwrap();
    let text = lines(variables, |name, value| format!("{name}={value}"));
    let search = || Search::new(directory.path()).with_isolated(true);
    let env = FileType::named("env").unwrap();
    [
        ("a text", search().with_text(text, env)),
        ("an environment", search().with_environment(variables.iter().cloned().collect::<Environment>())),
    ]
    .map(|(input, search)| {
        let (report, _) = credlint::search(&search, &CheckOptions::default()).unwrap();
        (input, findings(&serde_json::from_str(&report.to_json()).unwrap()))
    })
}

#[test]
fn every_text_and_environment_has_the_same_findings() {
    let mut wrong = Vec::new();
    for example in examples() {
        for (input, found) in found_in_process(&example.variables) {
            wrong.extend(example.difference(input, &found, &example.expected));
        }
    }
    assert_same(&wrong);
}

/// The same through the program, which then starts a command or does not.
fn compare_processes(extent: Extent) {
    let mut wrong = Vec::new();
    for (_, example) in examples().into_iter().enumerate().filter(|(number, _)| extent.takes(*number, 24)) {
        let text = lines(&example.variables, |name, value| format!("{name}={value}"));
        let project = Project::new().file("input", text);
        let mut command = project.command(&["check", "--format", "json", "-"]);
        command.stdin(std::fs::File::open(project.path().join("input")).unwrap());
        let found = findings(&Run::of(command).document());
        wrong.extend(example.difference("standard input", &found, &example.expected));

        let project = example.variables.iter().fold(Project::new(), |project, (name, value)| project.env(name, value));
        let found = findings(&project.check(&["--environment"]).1);
        wrong.extend(example.difference("variables of a process", &found, &example.expected));
        let run: Run = project.run(&["exec", "--", "/bin/true"]);
        let refused = example.expected.iter().any(|[_, severity, _]| severity == "error");
        assert_eq!(run.code != 0, refused, "{}: exec\n{}", example.place, run.stderr);
    }
    assert_same(&wrong);
}

extents! {
    every_file_in_a_directory_has_the_same_findings => |extent| compare_files(&["."], extent);
    every_file_by_name_has_the_same_findings => |extent| compare_files(&[], extent);
    every_process_has_the_same_findings => compare_processes;
}

/// A correct setup is also correct together with the setups of other services.
#[test]
fn correct_setups_of_all_services_have_no_findings_together() {
    let mut of_services: BTreeMap<String, Vec<Variables>> = BTreeMap::new();
    for case in cases("services", 7).iter().filter(|case| case.expected.is_empty()) {
        let service = case.place.split(':').next().unwrap().to_owned();
        of_services.entry(service).or_default().extend(variables(case));
    }
    assert!(of_services.len() >= 4, "{:?}", of_services.keys());
    let most = of_services.values().map(Vec::len).max().unwrap();
    for turn in 0..most {
        // Each service at another pace, so that they meet in other company each time.
        let chosen = of_services.values().enumerate().map(|(pace, all)| &all[turn * (pace + 1) % all.len()]);
        // Services that share names are not read from one place.
        let mut all = Variables::new();
        for set_up in chosen {
            let word = |name: &str| name.split('_').next().unwrap_or_default().to_owned();
            if set_up.iter().all(|(name, _)| all.iter().all(|(known, _)| word(known) != word(name))) {
                all.extend(set_up.iter().cloned());
            }
        }
        for (input, found) in found_in_process(&all) {
            let wrong = found.into_iter().filter(|[_, severity, _]| severity != "note");
            assert_eq!(wrong.collect::<Findings>(), Findings::new(), "{input}: {all:?}");
        }
    }
}

/// The template is built with the unit tests, so what the command writes builds if it differs only by its names.
#[test]
#[cfg(unix)]
fn the_command_for_new_services_writes_the_compiled_template() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let recipes = read(&root.join("justfile"));
    let recipe = recipes.split_once("\nnew-service name:\n").unwrap().1;
    let lines = recipe.lines().map_while(|line| if line.is_empty() { Some(line) } else { line.strip_prefix("    ") });
    let script = lines.fold(String::new(), |script, line| script + line + "\n");
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("src/services")).unwrap();
    let template = "src/services/template.toml";
    std::fs::copy(root.join(template), dir.path().join(template)).unwrap();
    let run = |name: &str| {
        let script = script.replace("{{name}}", name);
        std::process::Command::new("bash").args(["-c", &script]).current_dir(dir.path()).output().unwrap()
    };
    assert_eq!(run("not a name").status.code(), Some(2));
    let output = run("Acme Mail");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("src/services/acme-mail.toml"), "{said}");
    let rows = read(&dir.path().join("src/services/acme-mail.toml"));
    for expected in ["# Acme Mail.", "words = [\"ACME_MAIL\"]", "noun = \"an Acme Mail key\"", "read = \"20"] {
        assert!(rows.contains(expected), "{expected}:\n{rows}");
    }
    assert!(!rows.to_lowercase().contains("template"), "{rows}");
    assert!(rows.contains("\n=== .env\nACME_MAIL_API_KEY=acme-mail_{x*40}\n"), "{rows}");
    assert!(!run("Acme Mail").status.success(), "an existing service is not overwritten");
}

/// Every service states since which version its rows apply, and `just stale` lists rows not reviewed for a year.
#[test]
#[cfg(target_os = "linux")]
fn stale_lists_rows_not_reviewed_for_a_year() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recipes = std::fs::read_to_string(root.join("justfile")).unwrap();
    let recipe = recipes.split_once("\nstale:\n    @").unwrap().1.lines().next().unwrap().to_owned();
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("src/services")).unwrap();
    let run = || std::process::Command::new("bash").args(["-c", &recipe]).current_dir(dir.path()).output().unwrap();
    let write = |name: &str, read: &str| {
        std::fs::write(dir.path().join(format!("src/services/{name}.toml")), format!("read = \"{read}\"\n")).unwrap();
    };
    write("new", "2999-01-01");
    let output = run();
    assert!(output.status.success() && output.stdout.is_empty());
    write("old", "2001-02-03");
    let output = run();
    assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b"2001-02-03 old\n"[..]));
}
