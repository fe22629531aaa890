//! The examples of the services through every input that can hold variables: the same value gets the same rule, whoever
//! reads it.

use std::collections::BTreeMap;
use std::path::Path;

use credlint::examples::{self, Findings, INPUTS, Variables, difference, found_in_process, lines};

use crate::foreign::cases;
use crate::harness::{Extent, Project, Run, extents};

/// The findings of each file in a document, or of its one input.
fn by_file(document: &serde_json::Value) -> BTreeMap<String, Findings> {
    let mut all: BTreeMap<String, Vec<[String; 4]>> = BTreeMap::new();
    for (file, finding) in examples::in_document(document) {
        all.entry(file).or_default().push(finding);
    }
    all.into_iter().map(|(file, found)| (file, examples::without_lines(found))).collect()
}

fn findings(document: &serde_json::Value) -> Findings {
    examples::without_lines(examples::in_document(document).into_iter().map(|(_, finding)| finding))
}

/// An example as variables, and its findings.
struct Example {
    place: String,
    variables: Variables,
    expected: Findings,
}

fn examples() -> Vec<Example> {
    let all: Vec<Example> = cases("services", 7)
        .into_iter()
        .filter_map(|case| Some(Example { variables: case.variables()?, expected: case.findings(), place: case.place }))
        .collect();
    assert!(all.len() > 100, "{}", all.len());
    all
}

impl Example {
    /// Says how the findings of an input differ, if they do.
    fn difference(&self, input: &str, found: &Findings, expected: &Findings) -> Option<String> {
        difference(input, found, expected).map(|difference| format!("{}: {difference}", self.place))
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
            if extent.takes(number + index, 2 * INPUTS.len()) {
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

/// What `credlint services check` does with each of them, but for the files, which the tests below try.
#[test]
fn every_built_in_service_is_proved_by_its_file() {
    let (mut failures, mut examples) = (Vec::new(), 0);
    for path in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/services")).unwrap() {
        let path = path.unwrap().path();
        let id = path.file_stem().unwrap().to_str().unwrap();
        if path.extension().is_some_and(|end| end == "toml") && id != "template" {
            let text = std::fs::read_to_string(&path).unwrap();
            let proof = examples::prove_built_in(&format!("{id}.toml"), id, &text).unwrap();
            failures.extend(proof.failures);
            examples += proof.examples;
        }
    }
    assert_same(&failures);
    assert!(examples > 1500, "{examples}");
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
        of_services.entry(service).or_default().extend(case.variables());
    }
    assert!(of_services.len() >= 4, "{:?}", of_services.keys());
    let most = of_services.values().map(Vec::len).max().unwrap();
    for turn in 0..most {
        // Each service at another pace, so that they meet in other company each time.
        let chosen = of_services.values().enumerate().map(|(pace, all)| &all[turn * (pace + 1) % all.len()]);
        // Services that share names are not read from one place.
        let mut all = Variables::new();
        for set_up in chosen {
            // `CLOUDFLARE_R2_TOKEN` is `R2_TOKEN`.
            let word = |name: &str| {
                let name = name.strip_prefix("CLOUDFLARE_").filter(|rest| rest.starts_with("R2_")).unwrap_or(name);
                name.split('_').next().unwrap_or_default().to_owned()
            };
            if set_up.iter().all(|(name, _)| all.iter().all(|(known, _)| word(known) != word(name))) {
                all.extend(set_up.iter().cloned());
            }
        }
        for (input, found) in found_in_process(&all).unwrap() {
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

/// A company's service, as `credlint services check` takes it.
pub const ACME: &str = r#"
name = "Acme Pay"
words = ["ACME"]

[form.token]
noun = "an API token"
patterns = ['acme_(?<mode>live|test)_[0-9a-z]{32}']
sample = "acme_live_{w*32}"

[form.publishable]
noun = "a publishable key"
patterns = ['acmepub_(?<mode>live|test)_[0-9a-z]{24}']
sample = "acmepub_live_{w*24}"
public = true

[field.token]
takes = ["token"]
names = [{ words = ["TOKEN", "API_TOKEN"] }]
[[field.token.mistake]]
forms = ["publishable"]
repair = "set it to the API token of the console's page Keys"

[field.publishable]
takes = ["publishable"]
names = [{ words = ["PUBLISHABLE_KEY"] }]

[[relation]]
agree = "mode"
fields = ["token", "publishable"]
advice = "copy both from the same mode"

[examples]
files = '''
--- right
=== .env
ACME_TOKEN=acme_live_{w*32}
ACME_PUBLISHABLE_KEY=acmepub_live_{w*24}
--- wrong
=== mode.env
ACME_TOKEN=acme_live_{w*32}
ACME_PUBLISHABLE_KEY=acmepub_test_{w*24}
=> mixed-credentials error 1 ACME_TOKEN
=== other.env
ACME_API_TOKEN=acmepub_live_{w*24}
=> wrong-credential error 1 ACME_API_TOKEN
=== stripe.yaml
ACME_API_TOKEN: sk_live_{w*24}
=> foreign-credential error 1 ACME_API_TOKEN
'''
"#;

fn check_file(text: &str) -> Run {
    Project::new().file("acme.toml", text).run(&["services", "check", "acme.toml"])
}

#[test]
fn the_file_of_a_company_is_tried_in_every_input() {
    let run = check_file(ACME);
    let inputs = 4 + 3 * (2 + INPUTS.len());
    assert_eq!(
        (run.code, &*run.stdout),
        (0, &*format!("acme.toml: tried 2 samples and 4 examples in {inputs} inputs: no failure\n"))
    );
    for (from, to, expected) in [
        // What an example says is compared in every input that can hold it.
        (
            "=> mixed-credentials error 1 ACME_TOKEN\n",
            "",
            "acme.toml:39: found error mixed-credentials of ACME_TOKEN in line 1",
        ),
        (
            "ACME_API_TOKEN: sk_live_{w*24}", "ACME_API_TOKEN: acme_live_{w*32}",
            "acme.toml:46: found no finding, expected error",
        ),
        // Without its mistake a row has no words of its own, but the value is still wrong.
        (
            "sample = \"acme_live_{w*32}\"", "sample = \"acme_live_{w*31}\"",
            "acme.toml:5: its sample does not match its patterns",
        ),
        (
            "acmepub_(?<mode>live|test)_[0-9a-z]{24}", "sk_(?<mode>live|test)_[0-9A-Za-z]{24}",
            "acme.toml:10: its sample does not",
        ),
        // The form of another service, which does not say that this one issues it, too.
        (
            "'acmepub_(?<mode>live|test)_[0-9a-z]{24}'",
            "'acmepub_live_[0-9a-z]{24}', 'SG[.][0-9A-Za-z_-]{22}[.][0-9A-Za-z_-]{43}'",
            "acme.toml:10: a sample of it or of `sendgrid/",
        ),
    ] {
        let run = check_file(&ACME.replacen(from, to, 1));
        assert_eq!(run.code, 1, "{to}: {}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains(expected), "{to}: {}", run.stdout);
    }
}

/// A built-in service may be changed, and is tried in place of itself.
#[test]
fn a_file_replaces_the_built_in_service_of_its_name() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/services/resend.toml")).unwrap();
    let check = |text: &str| Project::new().file("resend.toml", text).run(&["services", "check", "resend.toml"]);
    let run = check(&text);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let run = check(&text.replace("re_", "rx_"));
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    // Built-in rows have a source.
    let run = check(&text.replacen("source = ", "# ", 1));
    assert!(run.code == 2 && run.stderr.contains("a `source` is missing"), "{}", run.stderr);
}

#[test]
fn mistakes_in_a_file_have_their_line_and_unreadable_files_a_reason() {
    for (text, message) in [
        (ACME.replacen("noun", "nown", 1), "error: acme.toml:6: unknown field `nown`, expected one of"),
        (ACME.replacen("'acme_(", "'acme_((", 1), "acme.toml:7: not a regular expression: unclosed group"),
        (ACME.replacen("[\"token\"]", "[\"tokens\"]", 1), "acme.toml:17: there is no form `tokens`"),
        (ACME.replace(" error 1 ACME_TOKEN", ""), "acme.toml:42: a finding is `=> RULE SEVERITY LINE NAME`"),
        (ACME.replace("=== mode.env", "=== ../mode.env"), "acme.toml:39: not the path of a file below"),
        (String::new(), "acme.toml:1: missing field `name`"),
        ("name".to_owned(), "acme.toml:1: "),
    ] {
        let run = check_file(&text);
        assert_eq!((run.code, &*run.stdout), (2, ""), "{message}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{message}: {}", run.stderr);
    }
    let project = || Project::new().file("Acme.toml", ACME).file("acme.toml", [0xff, 0xfe]).file("d/x", "");
    for (words, message) in [
        (&["check"][..], "name the file"),
        (&["check", "none.toml"], "no such file"),
        (&["check", "d"], "it is a directory"),
        (&["check", "acme.toml"], "it is not UTF-8"),
        (&["check", "Acme.toml"], "the name of the file is the name of the service"),
        (&["check", "acme.toml", "--format", "json"], "--format json has no effect here"),
        (&["stripe", "acme.toml"], "name one service, or a file for `credlint services check FILE`"),
        (&["strip"], "did you mean `stripe`?"),
    ] {
        let run = project().run(&[&["services"], words].concat());
        assert_eq!((run.code, &*run.stdout), (2, ""), "{words:?}");
        assert!(run.stderr.contains(message), "{words:?}: {}", run.stderr);
    }
}

/// Somebody may paste a real key into a sample, or check another file than they meant.
#[test]
fn no_value_in_a_file_of_facts_is_repeated() {
    let secret = "xoxb-7391842650-1739184265-QzWvXkPjHyBdNmRt";
    let places = [
        "\"an API token\"", "\"acme_live_{w*32}\"", "\"publishable\"", "\"TOKEN\"", "\"mode\"", "\"ACME\"",
        "\"Acme Pay\"", "error 1 ACME_TOKEN", "ACME_API_TOKEN:", ".env", "sk_live_{w*24}", "true",
    ];
    let pasted = places.map(|place| match place {
        "true" => ACME.replacen("true", &format!("'{secret}'"), 1),
        place if place.starts_with('"') => ACME.replacen(place, &format!("\"{secret}\""), 1),
        place => ACME.replacen(place, secret, 1),
    });
    let others =
        [format!("{secret} = 1\n"), format!("token = '{secret}'\n"), format!("[form.{secret}]\n"), secret.to_owned()];
    for text in pasted.into_iter().chain(others) {
        let run = check_file(&text);
        assert!(!(run.stdout + &run.stderr).contains("QzWvXkPjHyBd"), "{text}");
    }
}

#[test]
fn all_facts_are_a_document_with_its_schema() {
    let run = Project::new().run(&["services", "--format", "json"]);
    let document = run.document();
    assert_eq!(document["schema"], "credlint/services/v1");
    let all = document["services"].as_array().unwrap();
    let stripe = all.iter().find(|service| service["id"] == "stripe").unwrap();
    assert_eq!(stripe["fields"][0]["takes"], serde_json::json!(["stripe/secret-key"]));
    assert!(all.len() > 70 && stripe["read"].as_str().unwrap().len() == 10);
    let one = Project::new().run(&["services", "stripe", "--format", "json"]).document();
    assert_eq!(one["services"].as_array().unwrap(), std::slice::from_ref(stripe));
    let schema = Project::new().run(&["schema", "service"]).document();
    assert_eq!(schema["properties"]["words"]["type"], "array");
}
