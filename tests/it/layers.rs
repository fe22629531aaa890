//! The layers of a configuration, their order, and errors in their files.

use serde_json::json;

use crate::harness::Project;

const NONE: [&str; 0] = [];
const BASE: &str = "[messaging.r]\nbase_url = \"https://h.example\"\nchannels = [\"C1\"]\n";

fn sets(host: &str) -> String {
    format!("[messaging.r]\nbase_url = \"https://{host}.example\"\n")
}

/// The merged base URL.
fn base_url(project: &Project, args: &[&str]) -> String {
    let run = project.run(&[&["profiles", "r"], args].concat());
    let row = run.stdout.lines().find(|line| line.starts_with("base_url"));
    let row = row.unwrap_or_else(|| panic!("{}{}", run.stdout, run.stderr));
    row.split_whitespace().nth(1).unwrap().to_owned()
}

#[test]
fn later_layers_win() {
    let project = Project::new()
        .user(&sets("user"))
        .file("credlint.toml", sets("project"))
        .file("one.yaml", "messaging: {r: {base_url: \"https://one.example\"}}\n")
        .file("two.json", r#"{"messaging": {"r": {"base_url": "https://two.example"}}}"#)
        .file("a.env", "CREDLINT_MESSAGING__R__BASE_URL=https://dotenv-a.example\n")
        .file("b.env", "CREDLINT_MESSAGING__R__BASE_URL=https://dotenv-b.example\n");
    assert_eq!(base_url(&project, &[]), "https://project.example");
    assert_eq!(base_url(&project, &["--config", "one.yaml", "--config", "two.json"]), "https://two.example");
    assert_eq!(base_url(&project, &["--config", "two.json", "--config", "one.yaml"]), "https://one.example");
    assert_eq!(base_url(&project, &["--env-file", "b.env", "--env-file", "a.env"]), "https://dotenv-a.example");
    let project = project.env("CREDLINT_MESSAGING__R__BASE_URL", "https://env.example");
    assert_eq!(base_url(&project, &["--env-file", "a.env"]), "https://env.example");
    let isolated = ["--isolated", "--config", "one.yaml", "--env-file", "a.env"];
    assert_eq!(base_url(&project, &isolated), "https://dotenv-a.example");
    let run = project.run(&["profiles", "r", "--env-file", "a.env"]);
    let user = project.home().join(".config/credlint/config.toml");
    assert_eq!(run.stderr, format!("read: {}, credlint.toml, a.env, environment\n", user.display()));
    assert_eq!(project.run(&["check", "--isolated"]).code, 3);
    let named = Project::new().file("one.toml", sets("one")).env("CREDLINT_CONFIG", "one.toml");
    assert_eq!(base_url(&named, &[]), "https://one.example");
}

#[test]
fn layers_are_merged_by_field_and_arrays_are_replaced() {
    let project = Project::new()
        .file("one.toml", "[messaging.my-r]\nbase_url = \"https://one.example\"\nchannels = [\"C111\", \"C222\"]\n")
        .file("two.toml", "[messaging.my_r]\nchannels = [\"C333\"]\n");
    let out = project.run(&["profiles", "my-r", "--config", "one.toml", "--config", "two.toml"]).stdout;
    assert!(out.starts_with("messaging.my_r\n"), "the highest file spells the name: {out}");
    assert!(out.contains("https://one.example") && out.contains(" C333 ") && !out.contains("C111"), "{out}");
}

#[test]
fn the_project_file_is_searched_up_to_the_repository_root_or_home() {
    let nested = |project: &Project, home: &std::path::Path| {
        let dir = project.path().join("a/b");
        std::fs::create_dir_all(&dir).unwrap();
        project.command(&["profiles"]).env("HOME", home).current_dir(dir).output().unwrap().status.code()
    };
    let above = |project: &Project| std::fs::write(project.dir.path().join("credlint.toml"), sets("x")).unwrap();
    let project = Project::new().file("credlint.toml", sets("x"));
    assert_eq!(nested(&project, &project.home()), Some(0));
    let project = Project::new();
    above(&project);
    assert_eq!(nested(&project, &project.home()), Some(3), "beyond the first directory with .git");
    std::fs::remove_dir(project.path().join(".git")).unwrap();
    assert_eq!(nested(&project, &project.home()), Some(0));
    assert_eq!(nested(&project, &project.path()), Some(3), "beyond the home directory");
}

#[cfg(unix)]
#[test]
fn a_file_of_another_user_is_not_read() {
    let project = Project::new().file("credlint.toml", sets("x"));
    if std::os::unix::fs::chown(project.path().join("credlint.toml"), Some(12345), None).is_err() {
        // Only root can change the owner of a file.
        return;
    }
    let run = project.run(&["profiles"]);
    assert!(run.code == 3 && run.stderr.contains("it belongs to another user"), "{}", run.stderr);
    assert_eq!(project.run(&["profiles", "--config", "credlint.toml"]).code, 0);
}

#[test]
fn two_project_files_in_one_directory_are_an_error() {
    let (code, document) = Project::new().file("credlint.toml", "").file("credlint.yml", "").check(&[]);
    assert_eq!((code, &document["problems"][0]["code"]), (2, &json!("two-configurations")));
    let message = document["problems"][0]["message"].as_str().unwrap();
    assert!(message.contains("credlint.toml") && message.contains("credlint.yml"), "{message}");
}

#[test]
fn values_of_variables_and_referenced_files_are_verbatim() {
    let text = "[messaging.r]\nbase_url = \"https://h.example\"\ntoken = { env = \"T\" }\n";
    // Spaces around an element of a list are trimmed and everything else is kept, so these are two equal ones and seven
    // others.
    let project = Project::new()
        .file("credlint.toml", text)
        .env("T", "xoxb-1")
        .env("CREDLINT_MESSAGING__R__CHANNELS", "C0123, C0123,C456 ,0123,123,true,1.10,1.1,004532e1,[x]");
    assert_eq!(project.rules(&[]), ["malformed-channel"]);
    let malformed = ["malformed-credential"];
    for (value, rules) in [
        (" padded ", &malformed[..]),
        ("0123", &NONE),
        ("true", &NONE),
        ("1.10", &NONE),
        ("004532e1", &NONE),
        ("[x]", &NONE),
        ("", &["empty-credential"]),
    ] {
        let project = Project::new().file("credlint.toml", BASE).env("CREDLINT_MESSAGING__R__TOKEN", value);
        assert_eq!(project.rules(&[]), rules, "{value:?}");
    }
    for (content, rules) in [
        ("xoxb-1\n", &NONE[..]),
        ("xoxb-1\r\n", &NONE),
        ("xoxb-1\n\n", &malformed),
        ("xoxb-1\r", &malformed),
        ("\n", &["empty-credential"]),
    ] {
        let project = Project::new()
            .file("sub/credlint.toml", format!("{BASE}token = {{ file = \"t\" }}\n"))
            .file("sub/t", content);
        assert_eq!(project.rules(&["--config", "sub/credlint.toml"]), rules, "{content:?}");
        let by_variable = project.env("CREDLINT_MESSAGING__R__TOKEN_FILE", "sub/t");
        assert_eq!(by_variable.rules(&["--config", "sub/credlint.toml"]), rules, "{content:?}");
    }
}

#[test]
fn references_use_the_environment_before_dotenv_files() {
    let project = Project::new()
        .file("credlint.toml", format!("{BASE}token = {{ env = \"T\" }}\n"))
        .file("a.env", "T=\n")
        .file("b.env", "X=1\n\n# c\nT='a b'\n");
    assert_eq!(project.rules(&[]), ["unresolved-reference"]);
    assert_eq!(project.rules(&["--env-file", "a.env"]), ["empty-credential"]);
    let (_, document) = project.check(&["--env-file", "a.env", "--env-file", "b.env"]);
    let labels = &document["findings"][0]["labels"];
    assert_eq!(document["findings"][0]["rule"], "malformed-credential");
    assert_eq!((&labels[0]["source"]["name"], &labels[0]["span"]["start"]["line"]), (&json!("b.env"), &json!(4)));
    assert_eq!(labels[1]["source"]["name"], "credlint.toml");
    let project = project.env("T", "xoxb-1");
    assert_eq!(project.rules(&["--env-file", "a.env"]), NONE, "a variable that is set in the environment wins");
    // The environment takes precedence, and a stale export is reported.
    let (_, document) = project.check(&["--env-file", "b.env"]);
    let finding = &document["findings"][0];
    assert_eq!((&finding["rule"], document["findings"].as_array().unwrap().len()), (&json!("shadowed-credential"), 1));
    let hidden = finding["labels"].as_array().unwrap().last().unwrap();
    assert_eq!((&hidden["source"]["name"], &hidden["span"]["start"]["line"]), (&json!("b.env"), &json!(4)));
    assert!(project.run(&["profiles", "r", "--env-file", "b.env"]).stdout.contains("b.env:4"));
}

#[test]
fn lists_can_be_references() {
    let text = |channels: &str| {
        format!("[messaging.r]\nbase_url = \"https://h.example\"\ntoken = {{ env = \"T\" }}\nchannels = {channels}\n")
    };
    for (channels, rules) in [
        ("{ env = \"LIST\" }", &["malformed-channel"][..]),
        ("{ env = \"EMPTY\" }", &["no-channels"]),
        ("{ env = \"NOT_SET\" }", &["unresolved-reference"]),
        ("[{ env = \"ONE\" }, \"C01\"]", &["malformed-channel"]),
        ("[{ env = \"LIST\" }]", &["malformed-channel"]),
        ("[{ env = \"NOT_SET\" }]", &["unresolved-reference"]),
        ("[3, \"C1\"]", &["wrong-type"]),
        ("\"C1\"", &["wrong-type"]),
        ("[]", &["no-channels"]),
        ("[\"\"]", &["malformed-channel"]),
    ] {
        let project = Project::new()
            .file("credlint.toml", text(channels))
            .env("T", "xoxb-1")
            .env("LIST", "C01,C01")
            .env("ONE", "C01")
            .env("EMPTY", "");
        assert_eq!(project.rules(&[]), rules, "{channels}");
    }
}

#[test]
fn a_value_and_a_file_variable_in_one_layer_conflict() {
    let project = Project::new()
        .file("credlint.toml", BASE)
        .env("CREDLINT_MESSAGING__R__TOKEN", "xoxb-1")
        .env("CREDLINT_MESSAGING__R__TOKEN_FILE", "t");
    let (_, document) = project.check(&[]);
    assert_eq!(document["findings"][0]["rule"], "conflicting-reference");
    let labels = document["findings"][0]["labels"].as_array().unwrap();
    let names: Vec<_> = labels.iter().map(|label| label["source"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["CREDLINT_MESSAGING__R__TOKEN", "CREDLINT_MESSAGING__R__TOKEN_FILE"]);
    // Of two layers, the higher one takes precedence.
    let project = Project::new()
        .file("credlint.toml", BASE)
        .file("a.env", "CREDLINT_MESSAGING__R__TOKEN_FILE=none\n")
        .env("CREDLINT_MESSAGING__R__TOKEN", "xoxb-1");
    assert_eq!(project.rules(&["--env-file", "a.env"]), ["shadowed-credential"]);
}

#[test]
fn the_environment_has_no_lint_table_and_misspelt_variables_are_findings() {
    let project = Project::new()
        .file("credlint.toml", format!("{BASE}token = {{ env = \"T\" }}\n"))
        .env("T", "xoxb-1")
        .env("CREDLINT_LINT__FAIL_ON", "warning")
        .env("CREDLINT_MESSAGING__R__CHANELS", "C2")
        .env("CREDLINT_SOMETHING", "x");
    let (code, document) = project.check(&[]);
    assert_eq!((code, project.rules(&[])), (1, vec!["unknown-field".to_owned(); 2]));
    assert_eq!(document["findings"][0]["help"], "did you mean `CREDLINT_MESSAGING__R__CHANNELS`?");
    assert_eq!(document["findings"][0]["profile"], json!({"kind": "messaging", "name": "r"}));
    assert_eq!(document["findings"][1]["profile"], json!(null));
}

#[test]
fn a_project_cannot_redirect_a_secret_of_the_user() {
    let user = "[messaging.r]\ntoken = { env = \"T\" }\nchannels = [\"C1\"]\n[storage.s]\naccount_id = \"1a2b3c4d5e6f\"\nmaster_application_key = { env = \"M\" }\n";
    let evil = "[messaging.r]\nbase_url = \"https://evil.example\"\n[storage.s]\nendpoint = \"https://evil.example\"\n";
    let project = Project::new().user(user).file("credlint.toml", evil).env("T", "xoxb-1").env("M", "0050123456789");
    assert_eq!(project.rules(&[]), ["redirected-credential", "redirected-credential"]);
    let own = project.user(&format!("{BASE}token = {{ env = \"T\" }}\n")).file("credlint.toml", "");
    assert_eq!(own.rules(&[]), NONE);
}

#[test]
fn null_does_not_override_but_an_empty_value_does() {
    let base = "messaging:\n  r:\n    base_url: https://h.example\n    channels: [C1]\n";
    // A null does not override, an empty value does.
    for (field, rules) in [
        ("", &NONE[..]),
        ("    token:\n", &NONE),
        ("    token: ~\n", &NONE),
        ("    token: ''\n", &["empty-credential"]),
    ] {
        let project = Project::new()
            .file("low.toml", "[messaging.r]\ntoken = { env = \"T\" }\n")
            .file("high.yaml", format!("{base}{field}"))
            .env("T", "xoxb-1");
        assert_eq!(project.rules(&["--config", "low.toml", "--config", "high.yaml"]), rules, "{field:?}");
    }
    assert_eq!(Project::new().file("credlint.yaml", "storage:\n  x:\n").rules(&[]), ["missing-key-pair"]);
    // Nor does an empty file set anything.
    for name in ["credlint.toml", "credlint.yaml"] {
        let run = Project::new().file(name, "# nothing yet\n").run(&["check"]);
        assert!(run.code == 3 && run.stderr.contains("nothing-to-check"), "{name}: {}", run.stderr);
    }
}

#[test]
fn every_unreadable_file_is_reported_with_its_cause() {
    let project = Project::new()
        .file("a.toml", "[messaging.r]\ntoken = \"planted\n")
        .file("b.yaml", "a: 1\na: planted\n")
        .file("c.json", b"{\"planted\": \xff}")
        .file("d.txt", "x = 1")
        .file("e.toml", "[messaging.PLanted]\n")
        .file("f.yaml", "- planted\n")
        .file("big.toml", vec![b'#'; 8 * 1024 * 1024 + 1]);
    std::fs::create_dir(project.path().join("dir.toml")).unwrap();
    let files = ["a.toml", "b.yaml", "c.json", "d.txt", "e.toml", "f.yaml", "big.toml", "dir.toml", "none.toml"];
    let files: Vec<&str> = files.iter().flat_map(|file| ["--config", file]).collect();
    let (code, document) = project.check(&files);
    assert_eq!(code, 2);
    let problems = document["problems"].as_array().unwrap();
    let codes: Vec<_> = problems.iter().map(|problem| problem["code"].as_str().unwrap()).collect();
    assert_eq!(
        codes,
        [
            "syntax", "duplicate-key", "not-utf8", "unknown-format", "not-a-table", "too-large", "not-a-regular-file",
            "not-found", "bad-name"
        ]
    );
    assert!(!document.to_string().to_lowercase().contains("planted"), "{document}");
    assert!(problems[2]["message"].as_str().unwrap().contains("at byte 12"), "{document}");
    let run = project.run(&[&["check"][..], &files].concat());
    assert!(run.code == 2 && run.stdout.is_empty() && !run.stderr.to_lowercase().contains("planted"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn values_that_are_not_utf8_exit_2() {
    use std::os::unix::ffi::OsStringExt;
    let bytes = || std::ffi::OsString::from_vec(b"planted\xff".to_vec());
    let by_name = Project::new().file("credlint.toml", BASE).env("CREDLINT_MESSAGING__R__TOKEN", bytes());
    let by_reference =
        Project::new().file("credlint.toml", "[messaging.r]\ntoken = { env = \"T\" }\n").env("T", bytes());
    for project in [by_name, by_reference] {
        let (code, document) = project.check(&[]);
        assert_eq!((code, &document["problems"][0]["code"]), (2, &json!("not-utf8")));
        assert!(!document.to_string().contains("planted"));
    }
}

#[test]
fn a_pipe_in_place_of_a_file_does_not_hang() {
    let project = Project::new();
    let fifo = project.path().join("credlint.toml");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let (code, document) = project.check(&[]);
    assert_eq!((code, &document["problems"][0]["code"]), (2, &json!("not-a-regular-file")));
}

#[test]
fn list_elements_are_checked_and_named_by_index() {
    let text = |channels: &str| {
        format!("[messaging.r]\nbase_url = \"https://h.example\"\ntoken = {{ env = \"T\" }}\nchannels = {channels}\n")
    };
    for (channels, rule, key) in [
        ("[\"C1\", { env = \"A\", file = \"b\" }]", "conflicting-reference", "messaging.r.channels[1]"),
        ("[\"C1\", { enx = \"A\" }]", "unknown-field", "messaging.r.channels[1].********"),
        ("[\"C1\", { evn = \"A\" }]", "unknown-field", "messaging.r.channels[1].********"),
        ("[\"C1\", {}]", "wrong-type", "messaging.r.channels[1]"),
        ("[\"C1\", { env = 3 }]", "wrong-type", "messaging.r.channels[1].env"),
        ("[\"C1\", 3]", "wrong-type", "messaging.r.channels[1]"),
    ] {
        let project = Project::new().file("credlint.toml", text(channels)).env("T", "xoxb-1").file("f", "x");
        let (code, document) = project.check(&[]);
        let finding = &document["findings"][0];
        assert_eq!((code, &finding["rule"], project.rules(&[]).len()), (1, &json!(rule), 1), "{channels}");
        let shown = finding["labels"][0]["key"].as_str().unwrap();
        assert!(
            shown == key || shown == key.replace("********", "enx") || shown == key.replace("********", "evn"),
            "{shown}"
        );
        // An upload does not silently ignore the channel.
        #[cfg(feature = "upload")]
        assert_eq!(project.run(&["upload", "--profile", "r", "f"]).code, 1, "{channels}");
    }
}

#[test]
fn enumerated_values_are_checked_in_every_layer() {
    let text = |method: &str| format!("{BASE}token = {{ env = \"T\" }}\nupload_method = {method}\n");
    let project = Project::new()
        .file("low.toml", text("\"files_upload\""))
        .file("high.toml", text("\"files.upload\""))
        .file("by-reference.toml", text("{ env = \"METHOD\" }"))
        .env("T", "xoxb-1")
        .env("METHOD", "ftp");
    assert_eq!(project.rules(&["--config", "low.toml", "--config", "high.toml"]), ["wrong-type"]);
    let (_, document) = project.check(&["--config", "by-reference.toml"]);
    assert_eq!(document["findings"][0]["labels"][0]["source"]["name"], "METHOD");
}

#[test]
fn a_misspelt_variable_is_one_finding_in_any_layer() {
    let project = Project::new()
        .file("a.env", "export\tCREDLINT_MESSAGING__R__TOKN=x\n")
        .env("CREDLINT_MESSAGING__R__BASE_URL", "https://h.example")
        .env("CREDLINT_MESSAGING__R__CHANNELS", "C1");
    assert_eq!(project.rules(&["--env-file", "a.env"]), ["unknown-field"]);
    assert_eq!(project.rules(&["--env-file", "a.env", "--profile", "r"]), ["unknown-field"]);
}

#[test]
fn a_yaml_alias_is_labelled_where_it_is_used() {
    let yaml = "storage:\n  a: &a\n    application_key: {env: K}\n  b: *a\n  c:\n    <<: *a\n";
    let (_, document) = Project::new().file("credlint.yaml", yaml).env("K", "x").check(&[]);
    let lines: Vec<Vec<u64>> = document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let labels = finding["labels"].as_array().unwrap();
            labels.iter().map(|label| label["span"]["start"]["line"].as_u64().unwrap()).collect()
        })
        .collect();
    assert_eq!(lines, [vec![3], vec![3, 4], vec![3, 6]]);
    // Tags change nothing silently.
    let tagged = Project::new()
        .file("credlint.yaml", "storage:\n  a:\n    account_id: !!str nullify\n    master_application_key: {env: K}\n");
    assert_eq!(tagged.env("K", "x").rules(&[]), NONE);
    let (code, _) = Project::new().file("credlint.yaml", "storage: !foo\n  a: {}\n").check(&[]);
    assert_eq!(code, 2);
}

#[cfg(unix)]
#[test]
fn option_variables_that_are_not_utf8_are_errors() {
    use std::os::unix::ffi::OsStringExt;
    let bytes = |bytes: &[u8]| std::ffi::OsString::from_vec(bytes.to_vec());
    for name in ["CREDLINT_PROFILE", "CREDLINT_FORMAT", "CREDLINT_CONFIG"] {
        let run = Project::new().file("credlint.toml", sets("x")).env(name, bytes(b"\xff.toml")).run(&["check"]);
        assert!(run.code == 2 && !run.stderr.is_empty(), "{name}: {}", run.code);
    }
}

#[cfg(unix)]
#[test]
fn a_symlinked_home_directory_is_recognised() {
    let project = Project::new();
    std::fs::remove_dir(project.path().join(".git")).unwrap();
    std::fs::write(project.dir.path().join("credlint.toml"), sets("x")).unwrap();
    let link = project.home().join("link");
    std::os::unix::fs::symlink(project.path(), &link).unwrap();
    assert_eq!(project.command(&["profiles"]).env("HOME", link).output().unwrap().status.code(), Some(3));
}
