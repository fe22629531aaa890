//! The formats for pipelines: valid by the schemas of their consumers, and by their requirements beyond these.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{FORMATS, Project, Run};

const TOKEN: &str = "xoxb-0000000000-0000000000-abcdefghijkl";

pub fn schema(path: &str) -> Value {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Fails with all errors of a document against a schema.
pub fn validate(validator: &jsonschema::Validator, document: &Value, what: &str) {
    let faults: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(faults.is_empty(), "{what}:\n{}\n{document:#}", faults.join("\n"));
}

pub fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::options().should_validate_formats(true).build(schema).unwrap()
}

/// The official schema of SARIF.
pub fn sarif() -> jsonschema::Validator {
    let mut schema = schema("tests/schemas/sarif-2.1.0.json");
    // This pattern has an extra bracket and is not a valid regular expression. credlint does not write this key.
    for definition in ["run", "toolComponent"] {
        let pointer = format!("/definitions/{definition}/properties/language");
        schema.pointer_mut(&pointer).unwrap().as_object_mut().unwrap().remove("pattern");
    }
    validator(&schema)
}

/// A finding about a value of any service is in every format, also of services without profiles of their own.
#[test]
fn every_format_has_the_findings_of_every_service() {
    let text = "SLACK_BOT_TOKEN=C0123456789\nSTRIPE_SECRET_KEY=pk_live_7Fh2KsQ9LmXw4BtRz1YcVdN8\nTELEGRAM_BOT_TOKEN=@nightly_bot\n\
                TWILIO_ACCOUNT_SID=SK0123456789abcdef0123456789abcdef\nB2_KEY_ID=ann@example.org\nB2_APPLICATION_KEY=K0057Fh2KsQ9LmXw4BtRz1YcVdN8qWe\n\
                API_TOKEN=null\n";
    let project = Project::new().file(".env", text);
    let project = text
        .lines()
        .filter_map(|line| line.split_once('='))
        .fold(project, |project, (name, value)| project.env(name, value));
    for arguments in [&["check", ".env"][..], &["check", "--environment"]] {
        let run = project.run(&[arguments, &["--format", "json"]].concat());
        let json: Value = serde_json::from_str(&run.stdout).unwrap();
        let names: BTreeSet<String> = json["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["message"].as_str().unwrap().split('`').nth(1).unwrap().to_owned())
            .collect();
        assert!(names.len() >= 4, "{names:?}");
        for format in FORMATS {
            let run = project.run(&[arguments, &["--format", format]].concat());
            for name in &names {
                assert!(run.stdout.contains(name.as_str()), "{format} does not report {name}:\n{}", run.stdout);
            }
        }
    }
}

fn reports(extra: &str) -> String {
    format!("[messaging.reports]\nbase_url = \"https://chat.example.com\"\nchannels = [\"C0123456789\"]\n{extra}\n")
}

/// The cases of a check: command line and project.
fn runs() -> Vec<(&'static [&'static str], Project)> {
    let toml = |text: &str| Project::new().file("credlint.toml", text);
    vec![
        (&[], toml(&reports("token = { env = \"T\" }")).env("T", TOKEN)),
        (&["--no-resolve"], toml(&reports("token = { env = \"T\" }"))),
        (&[], mistakes()),
        (&[], toml("[storage.x]\napplication_key = 'a'\n").env("CREDLINT_STORAGE__X__ACCOUNT_ID", "1a2b3c4d5e6f")),
        (&[], Project::new().env("CREDLINT_STORAGE__ONLY__ACCOUNT_ID", "1a2b3c4d5e6f")),
        (&[], Project::new().user("[messaging.reports]\ntoken = \"changeme\"\n")),
        (
            &[],
            Project::new().file("credlint.yaml", "messaging:\n  r:\n    \"colour\n\n      scheme\": \"x\n      y\"\n"),
        ),
        (&[], toml("messaging = 3\n[storage]\nx = 1\n[lint]\nfail_at = 1\n")),
        (&["--env-file", "x.env"], Project::new().file("x.env", "CREDLINT_MESSAGING__R__TOKEN=\nCREDLINT_M__R__X=1\n")),
        (&["dir with ä, 100%#/a:b [1](2).toml"], {
            Project::new().file("dir with ä, 100%#/a:b [1](2).toml", "[storage.x]\n[storage.y]\nbucket = 3\n")
        }),
        // Problems instead of findings.
        (&[], Project::new()),
        (&[], toml("# nothing\n")),
        (&[], toml("[messaging.r\ntoken = 1\n")),
        (&[], toml("a = 1\na = 2\n").file("credlint.json", "{}")),
        (&[], Project::new().file("credlint.yaml", "a: [\n").env("CREDLINT_X__Y__Z", "1")),
        (&["none.toml", "credlint.ini", "."], toml("")),
        (&["--profile", "nobody", "--profile", "reports"], toml("[messaging.reports]\n[storage.reports]\n")),
        (&[], toml("[lint]\nfail_on = 'never'\n[storage.x]\n")),
    ]
}

/// A project with findings of every severity and at every kind of place.
fn mistakes() -> Project {
    Project::new()
        .user("[messaging.mine]\nbase_url = 'http://chat.example.com'\ntoken = 'changeme'\n")
        .file(
            "credlint.toml",
            "[storage.backups]\naccount_id = '1a2b3c4d5e6f'\napplication_key = 'K005abcdefghijklmnopqrstuvwxyz1'\n\
             [messaging.team]\nbase_url = 'https://chat.example.com'\nchannels = ['#a', '#a', 'x y']\ntokn = 'x'\n",
        )
        .env("CREDLINT_MESSAGING__TEAM__WEBHOOK_URL", "")
        .env("CREDLINT_MESSAGING__ALONE__TOKEN", "changeme")
        .env("CREDLINT_MESAGING__TEAM__TOKEN", "x")
}

fn check(project: &Project, format: &str, args: &[&str]) -> Run {
    project.run(&[&["check", "--format", format], args].concat())
}

#[test]
fn every_report_matches_its_schema() {
    let sarif = sarif();
    let report = validator(&strict(schema("docs/schema/report-v1.json")));
    for (args, project) in runs() {
        validate(&sarif, &check(&project, "sarif", args).document(), "sarif");
        validate(&report, &check(&project, "json", args).document(), "json");
        gitlab(&check(&project, "gitlab", args).document());
        for line in check(&project, "github", args).stdout.lines() {
            assert!(!line.starts_with("::") || command(line).0.len() > 4, "{line}");
        }
    }
}

#[test]
fn the_schemas_reject_invalid_documents() {
    let report = validator(&schema("docs/schema/report-v1.json"));
    let document = check(&mistakes(), "json", &[]).document();
    for (at, wrong) in [
        ("/schema", json!("credlint/report/v2")),
        ("/summary/errors", json!(-1)),
        ("/findings/0/labels", json!([])),
        ("/findings/0/labels/0/primary", json!(false)),
        ("/findings/0/severity", json!("fatal")),
        ("/profiles/0/verdict", json!(null)),
    ] {
        let mut document = document.clone();
        *document.pointer_mut(at).unwrap() = wrong;
        assert!(!report.is_valid(&document), "{at}");
    }
    let mut log = check(&mistakes(), "sarif", &[]).document();
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = json!(0);
    assert!(!sarif().is_valid(&log));
}

/// The schema without additional keys: a key that it does not describe is missing there.
pub fn strict(mut schema: Value) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(object) => {
                if object.contains_key("required") {
                    object.insert("additionalProperties".to_owned(), json!(false));
                }
                object.values_mut().for_each(walk);
            }
            Value::Array(items) => items.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut schema);
    schema
}

/// What GitHub code scanning requires beyond the schema, according to its documentation.
#[test]
fn sarif_meets_the_code_scanning_requirements() {
    let text = |value: &Value, most: usize| {
        let text = value["text"].as_str().unwrap_or_default();
        assert!(!text.trim().is_empty() && text.chars().count() <= most, "{value}");
    };
    for (args, project) in runs() {
        let run = check(&project, "sarif", args);
        assert!(run.stdout.len() < 1024 * 1024);
        let log = run.document();
        assert_eq!((&log["version"], log["runs"].as_array().unwrap().len()), (&json!("2.1.0"), 1));
        assert!(log["$schema"].as_str().unwrap().starts_with("https://"));
        let run = &log["runs"][0];
        let driver = &run["tool"]["driver"];
        assert_eq!(driver["name"], "credlint");
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        let catalogue = driver["rules"].as_array().unwrap();
        let results = run["results"].as_array().unwrap();
        let ids = |all: &[Value], key: &str| all.iter().map(|one| one[key].to_string()).collect::<BTreeSet<_>>();
        assert_eq!(ids(catalogue, "id"), ids(results, "ruleId"));
        for rule in catalogue {
            assert!((1..=255).contains(&rule["name"].as_str().unwrap().len()), "{rule}");
            text(&rule["shortDescription"], 1024);
            text(&rule["fullDescription"], 1024);
            text(&rule["help"], usize::MAX);
            let url = rule["helpUri"].as_str().unwrap();
            assert!(url.starts_with("https://") && rule["help"]["text"].as_str().unwrap().ends_with(url), "{rule}");
            assert!(rule["help"]["markdown"].as_str().unwrap().ends_with(&format!("]({url})")), "{rule}");
            assert!(["error", "warning", "note"].contains(&rule["defaultConfiguration"]["level"].as_str().unwrap()));
            let properties = &rule["properties"];
            assert!(["very-high", "high", "medium", "low"].contains(&properties["precision"].as_str().unwrap()));
            let severity = properties["problem.severity"].as_str().unwrap();
            assert!(["error", "warning", "recommendation"].contains(&severity));
            let tags = properties["tags"].as_array().unwrap();
            assert!((1..=10).contains(&tags.len()));
            let score = properties["security-severity"].as_str();
            assert_eq!(score.is_some(), tags.contains(&json!("security")), "{rule}");
            if let Some(score) = score {
                assert!((0.1..=10.0).contains(&score.parse::<f64>().unwrap()), "{score}");
            }
        }
        let mut prints = Vec::new();
        for result in results {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(catalogue[index]["id"], result["ruleId"]);
            assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
            text(&result["message"], usize::MAX);
            let print = result["partialFingerprints"]["primaryLocationLineHash"].as_str().unwrap().to_owned();
            assert_eq!(result["partialFingerprints"]["credlint/v1"], *print);
            assert!(!print.is_empty() && !prints.contains(&print), "{result}");
            prints.push(print);
            let related = result["relatedLocations"].as_array().cloned().unwrap_or_default();
            for place in result["locations"].as_array().unwrap().iter().chain(&related) {
                located(place, run);
            }
            assert_eq!(result["locations"].as_array().unwrap().len(), 1);
            for place in related {
                // A related location is shown only if the message links to it.
                let link = format!("]({})", place["id"]);
                assert!(result["message"]["text"].as_str().unwrap().contains(&link), "{result}");
            }
        }
    }
}

/// A log is uploaded with every run, so it holds what was found and no documentation besides.
#[test]
fn sarif_of_one_finding_is_small() {
    let project = Project::new().file("a.env", "SLACK_BOT_TOKEN=https://hooks.slack.com/services/T0/B0/x\n");
    let log = project.run(&["check", "a.env", "--format", "sarif"]);
    assert_eq!(log.document()["runs"][0]["results"].as_array().unwrap().len(), 1);
    assert!(log.stdout.len() < 4096, "{}", log.stdout.len());
}

fn located(place: &Value, run: &Value) {
    let physical = &place["physicalLocation"];
    let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@%".contains(&byte);
    assert!(!uri.is_empty() && uri.bytes().all(plain), "{uri}");
    assert!(!uri.starts_with('/') && !uri.starts_with('.') && !uri.contains("/../"), "{uri}");
    let base = physical["artifactLocation"]["uriBaseId"].as_str().unwrap();
    assert!(run["originalUriBaseIds"].get(base).is_some());
    let region = |key: &str| physical["region"][key].as_u64().unwrap();
    let (start, end) = ((region("startLine"), region("startColumn")), (region("endLine"), region("endColumn")));
    assert!(start.0 >= 1 && start.1 >= 1 && start < end, "{place}");
}

#[test]
fn a_result_points_at_one_field_and_links_the_other() {
    let log = check(&mistakes(), "sarif", &[]).document();
    let result = result(&log, "mixed-key-pair");
    let region = json!({"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 16});
    assert_eq!(
        result["locations"][0]["physicalLocation"],
        json!({"artifactLocation": {"uri": "credlint.toml", "uriBaseId": "%SRCROOT%"}, "region": region})
    );
    assert_eq!(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 2);
    let text = result["message"]["text"].as_str().unwrap();
    assert!(text.ends_with("; see [goes with `master_application_key`](1)"), "{text}");
    assert_eq!(log["runs"][0]["invocations"], json!([{"executionSuccessful": true}]));
}

#[test]
fn results_are_new_or_unchanged_relative_to_a_baseline() {
    let states = |log: &Value| {
        validate(&sarif(), log, "sarif");
        let results = log["runs"][0]["results"].as_array().unwrap().clone();
        results.into_iter().map(|result| result["baselineState"].clone()).collect::<Vec<_>>()
    };
    let project = Project::new().file("credlint.toml", "[storage.x]\n");
    assert_eq!(states(&check(&project, "sarif", &["--write-baseline", "known.json"]).document()), [json!(null)]);
    let project = project.file("credlint.toml", "[storage.w]\n[storage.x]\n");
    let log = check(&project, "sarif", &["--baseline", "known.json"]).document();
    assert_eq!(states(&log), [json!("new"), json!("unchanged")]);
    // Annotations are for new findings.
    let project = project.env("GITHUB_STEP_SUMMARY", "summary.md");
    let annotations = check(&project, "github", &["--baseline", "known.json"]).stdout;
    assert!(annotations.contains("storage.w") && !annotations.contains("storage.x"), "{annotations}");
    let summary = std::fs::read_to_string(project.path().join("summary.md")).unwrap();
    assert!(summary.contains("2 errors (1 of them known)") && !summary.contains("storage.x"), "{summary}");
}

/// Code scanning ignores `suppressions`, so an allowed finding would be an open alert.
#[test]
fn allowed_findings_are_not_sarif_results() {
    let project = Project::new().file(
        "credlint.toml",
        "[storage.x] # credlint: allow(missing-key-pair) later\n[[lint.allow]]\nrule = 'malformed-address'\nreason = 'r'\n[messaging.y]\n",
    );
    assert_eq!(check(&project, "json", &[]).document()["allowed"].as_array().unwrap().len(), 2);
    let log = check(&project, "sarif", &["-W", "missing-key-pair"]).document();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let allowed =
        |result: &Value| ["missing-key-pair", "malformed-address"].contains(&result["ruleId"].as_str().unwrap());
    assert!(!results.is_empty() && !results.iter().any(allowed), "{log}");
}

fn result<'a>(log: &'a Value, rule: &str) -> &'a Value {
    log["runs"][0]["results"].as_array().unwrap().iter().find(|result| result["ruleId"] == rule).unwrap()
}

/// The place of the result, and its message.
fn location(log: &Value, rule: &str) -> (String, u64, String) {
    let result = result(log, rule);
    let physical = &result["locations"][0]["physicalLocation"];
    (
        physical["artifactLocation"]["uri"].as_str().unwrap().to_owned(),
        physical["region"]["startLine"].as_u64().unwrap(),
        result["message"]["text"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn findings_outside_of_files_are_located_at_the_next_best_place() {
    // At the definition of its profile.
    let text = "# a line\n[messaging.reports]\nbase_url = 'https://h.example'\nchannels = ['C0123456789']\n";
    let project = Project::new().file("credlint.toml", text).env("CREDLINT_MESSAGING__REPORTS__TOKEN", "changeme");
    let (file, line, message) = location(&check(&project, "sarif", &[]).document(), "placeholder-credential");
    assert_eq!((file.as_str(), line), ("credlint.toml", 2));
    let note =
        "(it is in the environment variable CREDLINT_MESSAGING__REPORTS__TOKEN; shown where the profile is defined)";
    assert!(message.ends_with(note), "{message}");
    let issue = check(&project, "gitlab", &[]).document()[0].clone();
    assert_eq!(
        (&issue["location"]["path"], &issue["location"]["positions"]["begin"]["line"]),
        (&json!(file), &json!(2))
    );
    assert!(check(&project, "github", &[]).stdout.starts_with("::error file=credlint.toml,line=2,"));
    // At the top of the first file, if none has the profile.
    let project =
        Project::new().file("credlint.toml", reports("")).env("CREDLINT_STORAGE__X__ACCOUNT_ID", "1a2b3c4d5e6f");
    let (file, line, message) = location(&check(&project, "sarif", &[]).document(), "incomplete-key-pair");
    assert_eq!((file.as_str(), line), ("credlint.toml", 1));
    assert!(message.contains("CREDLINT_STORAGE__X__ACCOUNT_ID; shown at the top of a file"), "{message}");
    // Where the file of the project would be, if there is none.
    let project = Project::new().env("CREDLINT_STORAGE__X__ACCOUNT_ID", "1a2b3c4d5e6f");
    let (file, line, _) = location(&check(&project, "sarif", &[]).document(), "incomplete-key-pair");
    assert_eq!((file.as_str(), line), ("credlint.toml", 1));
    // The user configuration is not in a repository.
    let project = Project::new().user("[storage.x]\n").file("credlint.toml", reports(""));
    let (file, _, message) = location(&check(&project, "sarif", &[]).document(), "missing-key-pair");
    assert_eq!(file, "credlint.toml");
    assert!(message.contains("config.toml:1:10, outside the repository"), "{message}");
}

#[test]
fn paths_are_relative_to_the_repository_root() {
    let project = Project::new().file("credlint.toml", "[storage.x]\n").file("deploy/given.toml", "[storage.y]\n");
    let paths = |variable: Option<(&str, &str)>, args: &[&str]| {
        let mut command = project.command(&[&["check", "--format", "gitlab"], args].concat());
        command.current_dir(project.path().join("deploy"));
        if let Some((name, value)) = variable {
            command.env(name, project.path().join(value));
        }
        let issues = Run::of(command).document();
        issues.as_array().unwrap().iter().map(|issue| issue["location"]["path"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(paths(None, &[]), ["credlint.toml"]);
    assert_eq!(
        paths(None, &["--config", "given.toml", "--config", "../credlint.toml"]),
        ["credlint.toml", "deploy/given.toml"]
    );
    // The variable of the CI service takes precedence, if it refers to this directory.
    assert_eq!(paths(Some(("CI_PROJECT_DIR", "deploy")), &["--config", "given.toml"]), ["given.toml"]);
    assert_eq!(paths(Some(("GITHUB_WORKSPACE", "..")), &["--config", "given.toml"]), ["project/deploy/given.toml"]);
    assert_eq!(paths(Some(("GITHUB_WORKSPACE", "../home")), &["--config", "given.toml"]), ["deploy/given.toml"]);
}

#[test]
fn the_tests_know_every_format() {
    let refused = Project::new().run(&["check", "--format", "nosuch"]).stderr;
    assert!(refused.contains(&format!("[possible values: {}]", FORMATS.join(", "))), "{refused}");
}

#[test]
fn an_unreadable_configuration_is_reported_in_every_format() {
    let project = Project::new().file("credlint.toml", "[messaging.r]\n\ntoken = \"x\n");
    for format in FORMATS {
        assert_eq!(check(&project, format, &[]).code, 2, "{format}");
    }
    let log = check(&project, "sarif", &[]).document();
    assert_eq!(log["runs"][0]["results"], json!([]));
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!((&notification["descriptor"]["id"], &notification["level"]), (&json!("syntax"), &json!("error")));
    assert_eq!(notification["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
    let issues = check(&project, "gitlab", &[]).document();
    assert_eq!((&issues[0]["check_name"], &issues[0]["severity"]), (&json!("syntax"), &json!("blocker")));
    let commands = check(&project, "github", &[]).stdout;
    assert!(commands.starts_with("::error file=credlint.toml,line=3,"), "{commands}");
}

/// The word of a command, its properties and its message, unescaped.
fn command(line: &str) -> (String, Vec<(String, String)>, String) {
    let (head, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let (word, properties) = head.split_once(' ').unwrap();
    let plain = |text: &str| {
        text.replace("%2C", ",").replace("%3A", ":").replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
    };
    let properties = properties.split(',').map(|property| {
        let (name, value) = property.split_once('=').unwrap();
        assert!(["file", "line", "endLine", "col", "endColumn", "title"].contains(&name), "{line}");
        (name.to_owned(), plain(value))
    });
    (word.to_owned(), properties.collect(), plain(message))
}

#[test]
fn annotations_are_limited_to_the_ten_most_severe_and_a_summary() {
    let mut text = String::new();
    for number in 0..14 {
        text += &format!("[messaging.w-{number}]\nbase_url = 'https://h.example'\ntoken = {{ env = 'T' }}\n");
    }
    text += "[storage.x]\n";
    let project = Project::new().file("credlint.toml", text).env("T", TOKEN);
    let summary = project.path().join("summary.md");
    std::fs::write(&summary, "before\n").unwrap();
    let project = project.env("GITHUB_STEP_SUMMARY", &summary);
    let run = check(&project, "github", &[]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let words: Vec<String> = lines.iter().filter(|line| line.starts_with("::")).map(|line| command(line).0).collect();
    assert_eq!((words[0].as_str(), words.len()), ("error", 11));
    assert!(words[1..10].iter().all(|word| word == "warning") && words[10] == "notice");
    let (_, properties, message) = command(lines[0]);
    assert_eq!(properties.last().unwrap().1, "missing-key-pair in storage.x");
    assert!(message.contains("Help: "), "{message}");
    assert!(command(lines[10]).2.starts_with("15 profiles checked: 1 error, 14 warnings; the worst 10"));
    assert_eq!(lines.len(), 11 + 5, "the rest is in the log");
    let written = std::fs::read_to_string(&summary).unwrap();
    assert!(written.starts_with("before\n## credlint\n\n15 profiles checked: 1 error, 14 warnings\n"), "{written}");
    assert_eq!(written.lines().filter(|line| line.starts_with("| warning |")).count(), 14);
    // Other formats write none, unless annotations are requested as well.
    check(&project, "json", &[]);
    assert_eq!(std::fs::read_to_string(&summary).unwrap(), written);
    check(&project, "json", &["--report", "github=commands.txt"]);
    assert_eq!(std::fs::read_to_string(&summary).unwrap().len(), 2 * written.len() - "before\n".len());
    let lost = check(&project.env("GITHUB_STEP_SUMMARY", "none/summary.md"), "github", &["--exit-zero"]);
    assert!(lost.code == 3 && lost.stderr.contains("no such directory"), "{}", lost.stderr);
}

#[test]
fn multi_line_annotations_have_no_columns() {
    let project = Project::new().file("credlint.yaml", "messaging:\n  r:\n    ? \"colour\n\n      scheme\"\n    : x\n");
    let run = check(&project, "github", &[]);
    let line = run.stdout.lines().find(|line| line.contains("unknown-field")).unwrap();
    let (_, properties, _) = command(line);
    let names: Vec<&str> = properties.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["file", "line", "endLine", "title"], "{line}");
}

/// What GitLab reads in a Code Quality report.
pub fn gitlab(issues: &Value) {
    let mut prints = Vec::new();
    for issue in issues.as_array().unwrap() {
        let name = issue["check_name"].as_str().unwrap();
        assert!(issue["description"].as_str().unwrap().starts_with(&format!("{name}: ")), "{issue}");
        assert!(["info", "minor", "major", "critical", "blocker"].contains(&issue["severity"].as_str().unwrap()));
        let path = issue["location"]["path"].as_str().unwrap();
        assert!(!path.is_empty() && !path.starts_with('/') && !path.starts_with('.'), "{issue}");
        assert!(issue["location"]["positions"]["begin"]["line"].as_u64().unwrap() >= 1);
        let print = issue["fingerprint"].as_str().unwrap().to_owned();
        assert!(print.len() == 32 && !prints.contains(&print), "{issue}");
        prints.push(print);
    }
}

/// The verdict on a profile is in every format that has a place for it.
#[test]
fn unjudged_profiles_are_reported_in_every_format() {
    let pair = |name: &str, id: &str| {
        format!(
            "[storage.{name}]\napplication_key_id = '{id}'\napplication_key = {{ env = 'K' }}\nendpoint = 'https://s3.example.com'\n"
        )
    };
    let text = pair("known", "0051a2b3c4d5e6f0000000001") + &pair("own", "mine");
    let project = Project::new().file("credlint.toml", text).env("K", "K005abcdefghijklmnopqrstuvwxyz1");
    let summary = project.path().join("summary.md");
    let project = project.env("GITHUB_STEP_SUMMARY", &summary);
    let log = check(&project, "sarif", &[]).document();
    let verdicts = json!({ "storage.known": "fits", "storage.own": "unjudged" });
    assert_eq!(log["runs"][0]["properties"]["verdicts"], verdicts);
    check(&project, "github", &[]);
    let text = std::fs::read_to_string(summary).unwrap();
    assert!(text.contains("1 fits, 1 of unknown form") && text.contains("Unknown form: `storage.own`\n"), "{text}");
    let human = project.run(&["check"]);
    assert!(
        human.stdout.contains("1 fits, 1 of unknown form") && !human.stderr.contains("tells more"),
        "{}",
        human.stderr
    );
}

/// A failed check comes with the reason and a link.
#[test]
fn a_failed_check_ends_with_the_reason_and_a_link() {
    let text = "[messaging.r]\nbase_url = 'https://h.example'\ntoken = { env = 'T' }\n[storage.s]\n";
    let project = Project::new().file("credlint.toml", text).env("T", TOKEN);
    let run = project.run(&["check", "--profile", "r", "--fail-on", "warning"]);
    assert_eq!((run.code, run.stdout.lines().last()), (1, Some("1 profile checked: 1 warning (--fail-on warning)")));
    assert_eq!(run.stderr.lines().last(), Some("for details, run `credlint explain no-channels`"));
    let passed = project.run(&["check", "--profile", "r"]);
    assert_eq!((passed.code, passed.stdout.lines().last()), (0, Some("1 profile checked: 1 warning")));
    // An error fails a check anyway, and is the worst severity.
    let run = project.run(&["check", "--fail-on", "warning"]);
    assert_eq!(run.stdout.lines().last(), Some("2 profiles checked: 1 error, 1 warning"));
    assert_eq!(run.stderr.lines().last(), Some("for details, run `credlint explain missing-key-pair`"));
    for format in FORMATS.iter().filter(|format| **format != "human") {
        assert!(!check(&project, format, &[]).stderr.contains("tells more"), "{format}");
    }
}

#[test]
fn the_exit_code_is_the_same_in_every_format() {
    for (args, project) in runs() {
        let codes = FORMATS.map(|format| check(&project, format, args).code);
        assert!(codes.iter().all(|code| *code == codes[0]), "{args:?}: {codes:?}");
        let by_variable = FORMATS.map(|format| {
            Run::of({
                let mut command = project.command(&[&["check"], args].concat());
                command.env("CREDLINT_FORMAT", format);
                command
            })
        });
        assert_eq!(by_variable.each_ref().map(|run| run.code), codes);
        assert_eq!(by_variable[2].stdout, check(&project, "json", args).stdout);
    }
}

#[test]
fn reports_are_written_to_files() {
    let project = mistakes();
    let read = |name: &str| std::fs::read_to_string(project.path().join(name)).unwrap();
    let plain = FORMATS.map(|format| check(&project, format, &[]).stdout);
    let more: Vec<String> = FORMATS.iter().map(|format| format!("--report={format}=all.{format}")).collect();
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let run = check(&project, "json", &[&["--output", "out.json"], &more[..]].concat());
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert_eq!(read("out.json"), plain[2]);
    for (format, text) in FORMATS.iter().zip(&plain) {
        assert_eq!(read(&format!("all.{format}")), *text, "{format}");
    }
    // A second run replaces the files; standard output stays the same.
    assert_eq!(check(&project, "sarif", &["--report", "json=out.json"]).stdout, plain[3]);
    // No colours in a file.
    let run = project.run(&["--color", "always", "check", "--report", "human=h.txt"]);
    assert!(run.stdout.contains('\u{1b}') && read("h.txt") == check(&project, "human", &[]).stdout);
    // A problem that prevented the check is in the file and on standard error.
    let broken = Project::new().file("credlint.toml", "[x\n");
    let run = broken.run(&["check", "--output", "out.txt", "--report", "json=out.json"]);
    assert!(run.code == 2 && run.stdout.is_empty() && run.stderr.contains("error[syntax]"), "{}", run.stderr);
    assert!(std::fs::read_to_string(broken.path().join("out.txt")).unwrap().contains("error[syntax]"));
    assert!(std::fs::read_to_string(broken.path().join("out.json")).unwrap().contains("\"syntax\""));
}

#[cfg(unix)]
#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let fits = reports("token = { env = \"T\" }");
    let project = Project::new().file("credlint.toml", &fits).env("T", TOKEN).file("keep", "kept");
    std::os::unix::fs::symlink("keep", project.path().join("link")).unwrap();
    std::os::unix::fs::symlink("nowhere", project.path().join("dangling")).unwrap();
    for (file, why) in [
        ("link", "it is a symbolic link"),
        ("dangling", "it is a symbolic link"),
        (".", "it is a directory"),
        ("none/out", "no such directory"),
        ("keep/out", "no such directory"),
    ] {
        for args in [
            vec!["check", "--output", file],
            vec!["check", "--report", &format!("sarif={file}")],
            vec!["check", "--write-baseline", file],
        ] {
            let run = project.run(&args);
            assert!(run.code == 3 && run.stderr.contains(why), "{args:?}: {} {}", run.code, run.stderr);
        }
    }
    assert_eq!(std::fs::read_to_string(project.path().join("keep")).unwrap(), "kept");
    assert!(!project.path().join("nowhere").exists());
    // A worse exit code is kept, and a broken file is not replaced by the report on it.
    assert_eq!(mistakes().run(&["check", "--output", "none/out"]).code, 1);
    let broken = Project::new().file("credlint.toml", "[x\n");
    assert_eq!(broken.run(&["check", "--output", "credlint.toml"]).code, 2);
    assert_eq!(std::fs::read_to_string(broken.path().join("credlint.toml")).unwrap(), "[x\n");
    for args in [
        &["check", "--output", "a", "--report", "json=a"][..],
        &["check", "--report", "json=a", "--report", "sarif=a"],
        &["check", "--report", "json=a", "--write-baseline", "a"],
        &["check", "--report", "json"],
        &["check", "--report", "json="],
        &["check", "--report", "xml=a"],
    ] {
        let run = project.run(args);
        assert!(run.code == 2 && run.stdout.is_empty() && !project.path().join("a").exists(), "{args:?}");
    }
}

#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn every_upload_report_matches_its_schema() {
    use crate::server::Server;

    let validator = validator(&strict(schema("docs/schema/upload-v1.json")));
    let fits = || Project::new().file("a.csv", "a\n").env("T", TOKEN);
    let seen = |project: Project, args: &[&str], status: &str| {
        let run = project.run(&[&["upload", "--format", "json", "--profile", "reports"], args].concat());
        let document = run.document();
        validate(&validator, &document, status);
        assert_eq!(document["uploads"][0]["status"], *status, "{document}");
    };
    let text = reports("token = { env = \"T\" }");
    seen(fits().file("credlint.toml", &text), &["--dry-run", "a.csv"], "skipped");
    seen(fits().file("credlint.toml", &text), &["--rehearse", "a.csv"], "rehearsed");
    seen(fits().file("credlint.toml", &text), &["--dry-run", "none", "a.csv"], "failed");
    seen(fits().file("credlint.toml", reports("")), &["a.csv"], "refused");
    let answer = |body: &str| format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    for (answer, status) in [
        (answer("{\"ok\":true,\"file\":{\"id\":\"F0123456789\"}}"), "delivered"),
        (answer("{\"ok\":false,\"error\":\"invalid_auth\"}"), "failed"),
        (answer(""), "accepted"),
        (String::new(), "uncertain"),
    ] {
        let server = Server::answering(answer);
        let text = text.replace("https://chat.example.com", &server.base());
        seen(fits().file("credlint.toml", text), &["a.csv"], status);
        server.finish();
    }
    // Problems.
    for (text, profile) in [("[x\n", "reports"), ("", "reports"), ("[storage.s]\n", "s"), (text.as_str(), "nobody")] {
        let run =
            fits().file("credlint.toml", text).run(&["upload", "--format", "json", "--profile", profile, "a.csv"]);
        assert_eq!(run.code, 2);
        validate(&validator, &run.document(), profile);
    }
    // The formats that an upload does not have.
    let project = fits().file("credlint.toml", &text);
    assert_eq!(project.run(&["upload", "--format", "sarif", "--profile", "reports", "a.csv"]).code, 2);
    let run = project.env("CREDLINT_FORMAT", "sarif").run(&["upload", "--profile", "reports", "--dry-run", "a.csv"]);
    assert!(run.code == 2 && run.stderr.contains("one of `human`, `json`"), "{}", run.stderr);
}
