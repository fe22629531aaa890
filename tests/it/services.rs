//! The examples of the services through every input that can hold variables: the same value gets the same rule, whoever
//! reads it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::foreign::{Case, cases};
use crate::harness::{Project, Run};
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

/// Why an example need not have the same findings everywhere.
const TEMPLATE: &str = "a file of nothing but placeholders is a template";

/// The variables of a dotenv file without syntax of its own.
fn variables(case: &Case) -> Option<Variables> {
    let is_plain = Path::new(&case.path).extension().is_some_and(|extension| extension == "env") || case.path == ".env";
    let all = case.text.lines().filter(|line| !line.is_empty()).map(|line| line.split_once('='));
    let all: Option<Variables> = all.map(|one| one.map(|(name, value)| (name.to_owned(), value.to_owned()))).collect();
    // A reference counts as present in a file, and is wrong in a process.
    all.filter(|_| is_plain && !case.text.contains("${"))
}

/// The findings of a document, or of one of its files.
fn findings(document: &serde_json::Value, file: Option<&str>) -> Findings {
    let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let of_file = |finding: &&serde_json::Value| file.is_none_or(|file| finding["labels"][0]["source"]["name"] == file);
    let all = document["findings"].as_array().unwrap().iter().filter(of_file).map(|finding| {
        let name = word(&finding["message"]).split('`').nth(1).unwrap_or_default().to_owned();
        [word(&finding["rule"]), word(&finding["severity"]), name]
    });
    let mut all: Findings = all.collect();
    all.sort();
    all
}

#[test]
fn every_input_gives_the_same_findings() {
    let mut wrong = Vec::new();
    let mut excused: BTreeMap<&str, usize> = BTreeMap::new();
    let mut count = 0;
    for case in cases("services", 7) {
        let Some(variables) = variables(&case) else { continue };
        let mut expected: Findings = case
            .expected
            .iter()
            .map(|[rule, severity, _, name]| [rule.clone(), severity.clone(), name.clone()])
            .collect();
        expected.sort();
        let mut compare = |input: &str, found: Findings, expected: &Findings| {
            count += 1;
            // Notes are no verdict on a right set-up.
            let notes = expected.is_empty() && found.iter().all(|[_, severity, _]| severity == "note");
            if found != *expected && !notes {
                wrong.push(format!("{}, {input}:\n  found    {found:?}\n  expected {expected:?}", case.place));
            }
        };
        // Each file is checked by itself, so one run looks at the example in every syntax.
        let mut project = Project::new();
        let placeholders =
            expected.len() == variables.len() && expected.iter().all(|[rule, ..]| rule == "placeholder-credential");
        let mut paths = Vec::new();
        // It may be one that nobody filled in.
        let noted: Findings =
            expected.iter().map(|[rule, _, name]| [rule.clone(), "note".to_owned(), name.clone()]).collect();
        for (index, (_, path, text)) in INPUTS.iter().enumerate() {
            paths.push((index, format!("{index}/{path}")));
            project = project.file(&format!("{index}/{path}"), text(&variables));
        }
        let named: Vec<&str> = paths.iter().map(|(_, path)| path.as_str()).collect();
        for (how, arguments) in [("by name", &named[..]), ("in a directory", &["."])] {
            let document = project.check(arguments).1;
            for (index, path) in &paths {
                let template = placeholders && INPUTS[*index].1 != "a.env";
                if template {
                    *excused.entry(TEMPLATE).or_default() += 1;
                }
                let expected = if template { &noted } else { &expected };
                compare(&format!("{}, {how}", INPUTS[*index].0), findings(&document, Some(path)), expected);
            }
        }
        let text = lines(&variables, |name, value| format!("{name}={value}"));
        let project = Project::new();
        let mut command = project.command(&["check", "--format", "json", "-"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        compare("standard input", findings(&serde_json::from_slice(&output.stdout).unwrap(), None), &expected);

        let project = variables.iter().fold(Project::new(), |project, (name, value)| project.env(name, value));
        compare("variables of a process", findings(&project.check(&["--environment"]).1, None), &expected);
        let run: Run = project.run(&["exec", "--", "/bin/true"]);
        let refused = expected.iter().any(|[_, severity, _]| severity == "error");
        assert_eq!(run.code != 0, refused, "{}: exec\n{}", case.place, run.stderr);
    }
    assert!(wrong.is_empty(), "{} of {count}, excused {excused:?}:\n{}", wrong.len(), wrong.join("\n"));
    // The only excuse of the table. An example has it in all of these files, or is wrong somewhere.
    let files = INPUTS.len() - 2;
    let known = excused.iter().all(|(why, count)| *why == TEMPLATE && count % files == 0);
    assert!(known, "excused {excused:?}, which is not {files} for each example of placeholders alone");
    assert!(count > 1000, "{count}");
}

/// What is right alone is right beside the right set-ups of other services.
#[test]
fn right_set_ups_of_all_services_stand_side_by_side() {
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
        let text = lines(&all, |name, value| format!("{name}={value}"));
        let document = Project::new().file(".env", &text).check(&["."]).1;
        let wrong = findings(&document, None).into_iter().filter(|[_, severity, _]| severity != "note");
        assert_eq!(wrong.collect::<Findings>(), Findings::new(), "{text}");
        let project = all.iter().fold(Project::new(), |project, (name, value)| project.env(name, value));
        let document = project.check(&["--environment"]).1;
        let wrong = findings(&document, None).into_iter().filter(|[_, severity, _]| severity != "note");
        assert_eq!(wrong.collect::<Findings>(), Findings::new(), "{text}");
    }
}

/// The template is compiled with the unit tests, so what the command writes compiles if it differs only by its names.
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
    for directory in ["src/services", "tests/corpus/services"] {
        std::fs::create_dir_all(dir.path().join(directory)).unwrap();
    }
    for file in ["src/services/template.rs", "src/services/template.txt"] {
        std::fs::copy(root.join(file), dir.path().join(file)).unwrap();
    }
    let run = |name: &str| {
        let script = script.replace("{{name}}", name);
        std::process::Command::new("bash").args(["-c", &script]).current_dir(dir.path()).output().unwrap()
    };
    assert_eq!(run("not a name").status.code(), Some(2));
    let output = run("Acme Mail");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("pub mod acme_mail;\n    acme_mail,\n"), "{said}");
    let rows = read(&dir.path().join("src/services/acme_mail.rs"));
    for expected in
        ["//! Acme Mail.", "words: &[\"ACME_MAIL\"]", "Form::new(\"acme_mail/key\", \"an Acme Mail key\"", "read: \"20"]
    {
        assert!(rows.contains(expected), "{expected}:\n{rows}");
    }
    assert!(!rows.to_lowercase().contains("template"), "{rows}");
    // Only words of texts differ.
    let code = |text: &str| text.split('"').step_by(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(code(&rows)[1..], code(&read(&root.join("src/services/template.rs")))[1..]);
    let examples = read(&dir.path().join("tests/corpus/services/acme_mail.txt"));
    assert!(examples.contains("=== .env\nACME_MAIL_API_KEY=acme_mail_{x*40}\n"), "{examples}");
    assert!(!run("Acme Mail").status.success(), "an existing service is not overwritten");
}

/// Every service says since when its rows weigh what they do, and a release knows rows that nobody has read for a year.
#[test]
#[cfg(target_os = "linux")]
fn rows_that_nobody_has_read_for_a_year_are_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recipes = std::fs::read_to_string(root.join("justfile")).unwrap();
    let recipe = recipes.split_once("\nstale:\n    @").unwrap().1.lines().next().unwrap().to_owned();
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("src/services")).unwrap();
    let run = || std::process::Command::new("bash").args(["-c", &recipe]).current_dir(dir.path()).output().unwrap();
    let write = |name: &str, read: &str| {
        std::fs::write(dir.path().join(format!("src/services/{name}.rs")), format!("    read: \"{read}\",\n")).unwrap();
    };
    write("new", "2999-01-01");
    let output = run();
    assert!(output.status.success() && output.stdout.is_empty());
    write("old", "2001-02-03");
    let output = run();
    assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b"2001-02-03 old\n"[..]));
}
