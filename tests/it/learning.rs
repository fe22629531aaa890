//! The commands that help to write a configuration and to understand a finding: `init`, `schema`, `explain`,
//! `profiles`, `completions`, `man`.

use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;

use serde_json::{Value, json};
use toml::de::{DeTable, DeValue};

use crate::formats;
use crate::harness::{Project, Run};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The variables that a starter file refers to: `{ env = "NAME" }`, also in comments if `comments` is set.
fn variables(text: &str, comments: bool) -> Vec<&str> {
    let lines = text.lines().filter(|line| comments || !line.starts_with('#'));
    lines.filter_map(|line| Some(line.split_once(" = { env = \"")?.1.split_once('"')?.0)).collect()
}

/// A unique value that is not a placeholder.
fn made_up(variable: &str) -> String {
    match variable {
        _ if variable.ends_with("_KEY_ID") => "0051a2b3c4d5e6f0000000001".to_owned(),
        _ if variable.ends_with("_KEY") => "K005abcdefghijklmnopqrstuvwxyz1".to_owned(),
        _ if variable.ends_with("_APP_TOKEN") => "xapp-1-A0000000000-0000000000-abcdefghijkl".to_owned(),
        _ => format!("xoxb-0000000000-{}", variable.to_lowercase().replace('_', "-")),
    }
}

#[test]
fn a_starter_file_passes_once_it_is_filled_in() {
    for (kinds, tables) in [
        (&[][..], &["[app.deploybot]", "[messaging.reports]", "[storage.backups]"][..]),
        (&["app"], &["[app.deploybot]"]),
        (&["messaging"], &["[messaging.reports]"]),
        (&["storage"], &["[storage.backups]"]),
        (&["storage", "messaging", "storage"], &["[messaging.reports]", "[storage.backups]"]),
    ] {
        let run = Project::new().run(&[&["init", "-o", "-"], kinds].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        let found: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with('[')).collect();
        assert_eq!(found, tables);
        let sample = Project::new().file("credlint.toml", &run.stdout);
        let rules = sample.rules(&["--no-resolve"]);
        let expected: &[&str] = if tables.contains(&"[messaging.reports]") { &["malformed-channel"] } else { &[] };
        assert_eq!(rules, expected, "the sample's channel is no channel");
        let text = run.stdout.replace("C0EXAMPLE00", "C0123456789");
        let without = Project::new().file("credlint.toml", &text);
        assert!(without.rules(&[]).iter().all(|rule| rule == "unresolved-reference"));
        assert_eq!(without.run(&["check", "--no-resolve", "--fail-on", "warning"]).code, 0);
        let mut project = Project::new().file("credlint.toml", &text);
        for variable in variables(&text, false) {
            project = project.env(variable, made_up(variable));
        }
        let check = project.run(&["check", "--fail-on", "warning"]);
        assert_eq!(check.code, 0, "{}{}", check.stdout, check.stderr);
        assert!(check.stdout.contains("every credential fits"), "{}", check.stdout);
    }
}

#[test]
fn a_starter_file_mentions_exactly_the_known_fields() {
    let text = Project::new().run(&["init", "-o", "-"]).stdout;
    let schema: Value = serde_json::from_str(&Project::new().run(&["schema"]).stdout).unwrap();
    for kind in ["app", "messaging", "storage"] {
        let fields = schema["properties"][kind]["additionalProperties"]["properties"].as_object().unwrap();
        for (name, field) in fields {
            let about = field["description"].as_str().unwrap();
            let mentioned = text.lines().any(|line| {
                line.trim_start_matches("# ").starts_with(&format!("{name} = "))
                    && line.ends_with(&format!("  # {about}"))
            });
            assert!(mentioned, "`{name}` is missing:\n{text}");
        }
    }
    // With every comment removed, each line is still a known setting.
    let open: String = text
        .lines()
        .map(|line| {
            line.strip_prefix("# ").filter(|line| line.contains(" = ") || line.starts_with('[')).unwrap_or(line)
        })
        .filter(|line| {
            !line.starts_with("fail_on")
                && !line.starts_with("The")
                && !line.starts_with('{')
                && !line.starts_with("Keep")
        })
        .map(|line| line.to_owned() + "\n")
        .collect();
    let mut project = Project::new().file("credlint.toml", &open);
    for variable in variables(&open, true) {
        project = project.env(variable, made_up(variable));
    }
    let rules = project.rules(&[]);
    assert!(!rules.iter().any(|rule| rule == "unknown-field" || rule == "wrong-type"), "{rules:?}\n{open}");
}

#[test]
fn a_starter_file_never_overwrites_an_existing_file() {
    let project = Project::new();
    let run = project.run(&["init", "storage"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert_eq!(
        run.stderr,
        "wrote credlint.toml; set BACKUPS_APPLICATION_KEY_ID, BACKUPS_APPLICATION_KEY, then run `credlint check`\n"
    );
    let read = |name: &str| std::fs::read_to_string(project.path().join(name)).unwrap();
    let written = read("credlint.toml");
    assert_eq!(written, project.run(&["init", "storage", "-o", "-"]).stdout);
    for words in [&["init"][..], &["init", "-o", "credlint.toml"]] {
        let again = project.run(words);
        assert_eq!((again.code, again.stdout.as_str()), (2, ""), "{words:?}");
        assert!(again.stderr.starts_with("error: credlint.toml already exists"), "{}", again.stderr);
        assert!(again.stderr.contains("-o FILE") && again.stderr.contains("-o -"), "{}", again.stderr);
    }
    assert_eq!(read("credlint.toml"), written);
    for (words, code) in [
        (&["init", "-o", "none/credlint.toml"][..], 3),
        (&["init", "-o", "other.json"], 2),
        (&["init", "-o", "other"], 2),
        (&["init", "-o", "other.yaml"], 2),
        (&["init", "mail"], 2),
    ] {
        assert_eq!(project.run(words).code, code, "{words:?}");
    }
    assert!(!project.path().join("other.yaml").exists());
    let yaml = Project::new().file("credlint.yaml", "");
    assert_eq!(yaml.run(&["init"]).code, 2, "two configurations in one directory are an error");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("elsewhere.toml", project.path().join("link.toml")).unwrap();
        assert_eq!(project.run(&["init", "-o", "link.toml"]).code, 2, "symlinks are not followed");
        assert!(!project.path().join("elsewhere.toml").exists());
    }
}

#[test]
fn a_starter_file_tells_editors_where_the_schema_is() {
    let text = Project::new().run(&["init", "-o", "-"]).stdout;
    assert_eq!(text.lines().next().unwrap(), format!("#:schema {}", schema()["$id"].as_str().unwrap()));
}

fn schema() -> Value {
    let run = Project::new().run(&["schema"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.document()
}

/// A TOML file as JSON.
fn as_json(text: &str) -> Value {
    fn table(table: &DeTable<'_>) -> Value {
        table.iter().map(|(key, value)| (key.get_ref().to_string(), plain(value.get_ref()))).collect()
    }
    fn plain(value: &DeValue<'_>) -> Value {
        match value {
            DeValue::Table(entries) => table(entries),
            DeValue::Array(items) => items.iter().map(|item| plain(item.get_ref())).collect(),
            DeValue::String(text) => json!(text),
            other => panic!("no example has {other:?}"),
        }
    }
    table(DeTable::parse(text).unwrap().get_ref())
}

#[test]
fn the_schema_is_valid_and_accepts_valid_configurations() {
    let schema = schema();
    assert!(jsonschema::meta::is_valid(&schema), "{:?}", jsonschema::meta::validate(&schema).err());
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let passes = as_json(&std::fs::read_to_string(root().join("examples/passes.toml")).unwrap());
    let valid = |value: &Value| validator.is_valid(value);
    assert!(valid(&passes), "{:?}", validator.validate(&passes).err());
    assert!(valid(&as_json(&Project::new().run(&["init", "-o", "-"]).stdout)));
    for right in [
        json!({}),
        json!({ "messaging": { "r": { "channels": { "env": "C" }, "token": null, "upload_method": "external" } } }),
        json!({ "messaging": { "r": { "channels": ["C1", { "file": "c" }] } }, "storage": null }),
        json!({ "storage": { "s": { "account_id": "1a2b3c4d5e6f", "application_key": null } } }),
        json!({ "storage": { "s": { "account_id": null, "application_key": { "env": "K" } }, "t": null } }),
        json!({ "storage": { "s": { "account_id": "1a2b3c4d5e6f", "application_key_id": { "env": "K" } } } }),
        json!({ "lint": { "fail_on": "warning", "levels": { "literal-secret": "off" } } }),
        json!({ "lint": { "allow": [{ "rule": "no-channels", "profile": "messaging.r", "reason": "given later" }] } }),
    ] {
        assert!(valid(&right), "{right}: {:?}", validator.validate(&right).err());
    }
    for wrong in [
        json!({ "messaging": { "r": { "tokn": "x" } } }),
        json!({ "mesaging": {} }),
        json!({ "messaging": { "A b": {} } }),
        json!({ "messaging": { "r": { "token": 1 } } }),
        json!({ "messaging": { "r": { "token": { "env": "A", "file": "b" } } } }),
        json!({ "messaging": { "r": { "token": {} } } }),
        json!({ "messaging": { "r": { "channels": "C1" } } }),
        json!({ "messaging": { "r": { "upload_method": "fax" } } }),
        json!({ "messaging": { "r": { "upload_method": { "env": "A", "file": "b" } } } }),
        json!({ "messaging": { "r": { "channels": [1] } } }),
        json!({ "storage": { "s": { "account_id": "1a2b3c4d5e6f", "application_key": { "env": "K" } } } }),
        json!({ "storage": { "s": { "application_key_id": { "env": "K" }, "master_application_key": { "env": "M" } } } }),
        json!({ "lint": { "fail_on": "note" } }),
        json!({ "lint": { "levels": { "no-such-rule": "off" } } }),
        json!({ "lint": { "levels": { "literal-secret": "loud" } } }),
        json!({ "lint": { "allow": [{ "rule": "no-channels" }] } }),
        json!({ "lint": { "allow": [{ "rule": "no-such-rule", "reason": "x" }] } }),
    ] {
        assert!(!valid(&wrong), "{wrong}");
    }
}

/// An editor shows the first text of the schema, which should be about the field.
#[test]
fn schema_errors_name_the_field() {
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    for (text, place, names) in [
        ("[storage.s]\naccount_id = '1'\napplication_key = 'x'\n", "/storage/s", "\"account_id\""),
        ("[storage.s]\nbuckets = 'x'\n", "/storage/s", "'buckets'"),
        ("[storage.s]\nbucket = { evn = 'x' }\n", "/storage/s/bucket", "'evn'"),
        ("[messaging.r]\nchannels = 'C1'\n", "/messaging/r/channels", "\"array\""),
        ("[messaging.r]\nupload_method = 'fax'\n", "/messaging/r/upload_method", "\"external\""),
    ] {
        let value = as_json(text);
        let errors: Vec<_> = validator.iter_errors(&value).collect();
        let [error] = &errors[..] else { panic!("{text}: {errors:?}") };
        assert_eq!(error.instance_path().to_string(), place, "{error}");
        assert!(error.to_string().contains(names), "{error}");
    }
}

/// The schema and the program agree on which keys there are.
#[test]
fn fields_rejected_by_the_schema_are_unknown_fields() {
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    for text in ["[messaging.r]\ntokn = 'x'\n", "[storage.r]\nbuckets = 'x'\n", "[mesaging]\n", "[lint]\nfail = 'x'\n"]
    {
        assert!(!validator.is_valid(&as_json(text)), "{text}");
        let rules = Project::new().file("credlint.toml", text).rules(&[]);
        assert!(rules.iter().any(|rule| rule == "unknown-field"), "{text}: {rules:?}");
    }
}

#[test]
fn completions_and_the_manual_list_the_commands() {
    let project = Project::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = project.run(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert!(run.stdout.contains("no-resolve") && run.stdout.contains("explain"), "{shell}");
    }
    // Ids of rules and services: a real shell completes them.
    for (words, wanted) in [
        ("credlint explain mixed-key-p", "mixed-key-pair"),
        ("credlint explain unreachable", "unreachable-channel"),
        ("credlint check -A mixed-key-p", "mixed-key-pair"),
        ("credlint services str", "stripe"),
    ] {
        let script = format!(
            "credlint() {{ \"$PROGRAM\" \"$@\"; }}; eval \"$(credlint completions bash)\"; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _credlint credlint \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[@]}}\""
        );
        let mut bash = std::process::Command::new("bash");
        bash.args(["-c", &script]).env("PROGRAM", env!("CARGO_BIN_EXE_credlint")).current_dir(project.path());
        let run = Run::of(bash);
        assert_eq!(run.stdout.trim(), wanted, "{words}: {}", run.stderr);
    }
    let man = project.run(&["man"]);
    assert_eq!((man.code, man.stderr.as_str()), (0, ""));
    assert!(man.stdout.contains(".TH credlint 1"), "{}", man.stdout);
    assert!(man.stdout.contains("credlint\\-check(1)"));
    let check = project.run(&["man", "check"]);
    assert!(check.stdout.contains(".TH credlint-check 1") && check.stdout.contains("no\\-resolve"), "{}", check.stdout);
    assert_eq!(project.run(&["man", "chek"]).code, 2);
}

/// A reader that closes after the first line changes nothing.
#[test]
#[cfg(unix)]
fn a_closed_pipe_is_not_an_error() {
    let project = Project::new();
    for words in
        [&["completions", "bash"][..], &["man"], &["schema"], &["init", "-o", "-"], &["explain", "--format", "json"]]
    {
        let mut command = project.command(words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{words:?}");
    }
}

/// Each service has a page, and each of its names is explained.
#[test]
fn services_and_their_names_are_explained() {
    let project = Project::new();
    let list = project.run(&["services"]);
    let ids: Vec<&str> = list.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(list.code == 0 && ids.len() > 30, "{}", list.stdout);
    for id in ids {
        let page = std::fs::read_to_string(root().join(format!("docs/services/{id}.md"))).unwrap();
        let run = project.run(&["services", &id.to_uppercase()]);
        assert_eq!((run.code, run.stdout.trim()), (0, page.trim()), "{id}");
        let variables = list.stdout.lines().find_map(|line| line.strip_prefix(id)?.strip_prefix(' ')).unwrap();
        for variable in variables.trim().split(", ") {
            let run = project.run(&["explain", &format!("{id}/{variable}")]);
            assert!(run.code == 0 && run.stdout.contains(&format!("`{variable}`")), "{id}/{variable}: {}", run.stderr);
        }
    }
    // An unknown word is not repeated: it may be a secret.
    for (words, help) in [
        (["services", "strpe"], "did you mean `stripe`?"),
        (["services", "qzwvxkpjhybd"], "run `credlint services` for a list"),
        (["explain", "stripe/qzwvxkpjhybd"], "`stripe/secret_key`"),
        (["explain", "qzwvxkpjhybd/x"], "run `credlint services` for a list"),
    ] {
        let run = project.run(&words);
        assert!(run.code == 2 && run.stderr.contains(help), "{words:?}: {}", run.stderr);
        assert!(!run.stderr.contains("qzwv"), "{}", run.stderr);
    }
}

#[test]
fn explain_prints_markdown_in_a_pipe_and_styled_text_on_a_terminal() {
    let page = std::fs::read_to_string(root().join("docs/rules/mixed-key-pair.md")).unwrap();
    let explain = |words: &[&str], columns: &str| -> Run {
        let project = Project::new().env("COLUMNS", columns);
        project.run(&[words, &["explain", "mixed-key-pair"]].concat())
    };
    assert_eq!(explain(&[], "60").stdout.trim(), page.trim());
    let drawn = explain(&["--color", "always"], "60");
    assert_eq!(drawn.code, 0);
    assert!(drawn.stdout.starts_with("\u{1b}[1mmixed-key-pair\u{1b}[0m\n"), "{}", drawn.stdout);
    assert!(!drawn.stdout.contains("```") && !drawn.stdout.contains("]("), "{}", drawn.stdout);
    assert!(drawn.stdout.contains("\n  the file secrets/backups_key:\n"), "{}", drawn.stdout);
    for line in drawn.stdout.lines().filter(|line| !line.contains("https://") && !line.contains("\u{1b}[2m")) {
        let plain: String = ["0", "1", "3", "36"]
            .iter()
            .fold(line.to_owned(), |line, code| line.replace(&format!("\u{1b}[{code}m"), ""));
        assert!(plain.chars().count() <= 60, "{plain}");
    }
}

#[test]
fn the_json_rule_list_has_every_rule_with_its_page() {
    let document = Project::new().run(&["explain", "--format", "json"]).document();
    let schema = formats::validator(&formats::strict(formats::schema("docs/schema/rules-v1.json")));
    formats::validate(&schema, &document, "rules");
    let rules = document["rules"].as_array().unwrap();
    assert_eq!(rules.len(), credlint::rules::ALL.len());
    for (found, rule) in rules.iter().zip(credlint::rules::ALL) {
        let meta = rule.meta();
        assert_eq!(
            *found,
            json!({ "id": meta.id, "severity": meta.severity.name(), "scope": meta.scope, "summary": meta.summary,
                "since": meta.since, "page": meta.page,
                "url": format!("https://github.com/credlint/credlint/blob/main/docs/rules/{}.md", meta.id) })
        );
    }
}

#[test]
fn profiles_are_printed_as_json() {
    let project = Project::new()
        .file("credlint.toml", "[messaging.r]\nbase_url = 'https://h.example'\ntoken = { env = 'T' }\nchannels = ['C0123456789']\nwebhook_url = ''\n[storage.s]\n")
        .env("T", "xoxb-7391842650-1739184265-planted")
        .env("CREDLINT_MESSAGING__R__BASE_URL", "https://other.example");
    let run = project.run(&["profiles", "r", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let schema = formats::validator(&formats::strict(formats::schema("docs/schema/profiles-v1.json")));
    let valid = |run: &Run| {
        let document = run.document();
        formats::validate(&schema, &document, "profiles");
        document
    };
    let document = valid(&run);
    assert_eq!(document["resolved"], json!(true));
    let [profile] = &document["profiles"].as_array().unwrap()[..] else { panic!("{document}") };
    assert_eq!((&profile["kind"], &profile["name"]), (&json!("messaging"), &json!("r")));
    let fields = profile["fields"].as_array().unwrap();
    let names: Vec<&str> = fields.iter().map(|field| field["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["base_url", "token", "channels", "webhook_url"]);
    assert_eq!(
        fields[0],
        json!({ "name": "base_url", "state": "known", "standing": null, "value": "https://other.example", "form": { "kind": "literal", "name": null },
            "set": { "source": { "kind": "environment", "name": "CREDLINT_MESSAGING__R__BASE_URL" }, "span": null },
            "shadows": [{ "source": { "kind": "file", "name": "credlint.toml" },
                "span": { "start": { "line": 2, "column": 1, "offset": 14 }, "end": { "line": 2, "column": 9, "offset": 22 } } }] })
    );
    assert_eq!((&fields[1]["value"], &fields[1]["form"]), (&json!("********"), &json!({ "kind": "env", "name": "T" })));
    assert_eq!((&fields[2]["value"], &fields[2]["state"]), (&json!("C0123456789"), &json!("known")));
    assert_eq!((&fields[3]["value"], &fields[3]["state"]), (&Value::Null, &json!("empty")));
    let assessments = |document: &Value| {
        let fields = document["profiles"][0]["fields"].as_array().unwrap();
        fields.iter().map(|field| field["standing"].as_str().unwrap_or("-").to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((assessments(&document).as_str(), &profile["verdict"]), ("- recognised - empty", &json!("warned")));
    let all = valid(&project.run(&["profiles", "--format", "json"]));
    assert_eq!(all["profiles"].as_array().unwrap().len(), 2);
    let unresolved = valid(&project.run(&["profiles", "r", "--no-resolve", "--format", "json"]));
    assert_eq!(
        (&unresolved["resolved"], &unresolved["profiles"][0]["fields"][1]["state"]),
        (&json!(false), &json!("opaque"))
    );
    assert_eq!(assessments(&unresolved), "- unread - empty");
    let own = Project::new().file(
        "credlint.toml",
        "[storage.s]\nendpoint = 'https://s3.example.com'\napplication_key_id = 'a'\napplication_key = '${K}'\n",
    );
    assert!(own.run(&["profiles", "s"]).stdout.ends_with("\nverdict: rejected\n"));
    assert_eq!(assessments(&valid(&own.run(&["profiles", "s", "--format", "json"]))), "unjudged wrong -");
    let unknown = project.run(&["profiles", "x", "--format", "json"]);
    assert_eq!((unknown.code, &valid(&unknown)["problems"][0]["code"]), (2, &json!("unknown-profile")));
    let nothing = Project::new().run(&["profiles", "--format", "json"]);
    assert_eq!((nothing.code, &valid(&nothing)["problems"][0]["code"]), (3, &json!("nothing-to-list")));
    let broken = Project::new().file("credlint.toml", "[x").run(&["profiles", "--format", "json"]);
    assert_eq!((broken.code, &valid(&broken)["problems"][0]["code"]), (2, &json!("syntax")));
}
