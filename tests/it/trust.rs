//! What a project file may do that somebody else wrote: it is found by itself, and must not hand the environment, or a
//! file from elsewhere, to a service.

use crate::harness::Project;

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const HEAD: &str = "[messaging.r]\nbase_url = 'https://chat.example.com'\ntoken = { env = 'T' }\n";
const CHANNEL: &str = "channels = ['C0123456789']\n";

fn project(text: &str) -> Project {
    let project = Project::new().file("credlint.toml", format!("{HEAD}{text}")).file("notes/today.txt", "as ever\n");
    std::fs::write(project.home().join("private.txt"), SECRET).unwrap();
    project
        .env("T", "xoxb-0000000000-0000000000-abcdefghijkl")
        .env("AWS_SECRET_ACCESS_KEY", SECRET)
        .env("C", "C0123456789")
}

#[test]
fn text_comes_from_files_below_the_project_only() {
    for comment in [
        "{ file = '../home/private.txt' }",
        "{ file = 'notes/../../home/private.txt' }",
        "{ file = '/proc/self/environ' }",
    ] {
        let project = project(&format!("{CHANNEL}initial_comment = {comment}\n"));
        let run = project.run(&["check", "--format", "json"]);
        assert_eq!(run.document()["findings"][0]["rule"], "unresolved-reference", "{comment}");
        // Who names the file with --config has chosen it.
        assert_eq!(project.run(&["check", "--config", "credlint.toml", "-A", "literal-secret"]).code, 0, "{comment}");
    }
    let below = project(&format!("{CHANNEL}initial_comment = {{ file = 'notes/today.txt' }}\n"));
    assert_eq!(below.run(&["check"]).code, 0);
}

#[cfg(unix)]
#[test]
fn a_link_leads_no_further_than_the_project() {
    let project = project(&format!("{CHANNEL}initial_comment = {{ file = 'notes/link.txt' }}\n"));
    std::os::unix::fs::symlink(project.home().join("private.txt"), project.path().join("notes/link.txt")).unwrap();
    assert_eq!(project.rules(&[]), ["unresolved-reference"]);
}

#[test]
fn text_comes_from_no_variable() {
    let project = project(&format!("{CHANNEL}initial_comment = {{ env = 'AWS_SECRET_ACCESS_KEY' }}\n"));
    let run = project.run(&["check"]);
    assert!(
        run.code == 1 && run.stdout.contains("a project file may not post the value of a variable"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("--comment"), "{}", run.stdout);
}

#[test]
fn a_public_field_takes_a_value_of_its_form_only() {
    for (fields, fits) in [
        ("channels = { env = 'C' }", true),
        ("channels = { env = 'AWS_SECRET_ACCESS_KEY' }", false),
        ("channels = ['C0123456789', { env = 'AWS_SECRET_ACCESS_KEY' }]", false),
        ("channels = { file = '../home/private.txt' }", false),
    ] {
        let project = project(&format!("{fields}\n"));
        let expected: &[&str] = if fits { &[] } else { &["unresolved-reference"] };
        assert_eq!(project.rules(&[]), expected, "{fields}");
        assert_eq!(project.rules(&["--config", "credlint.toml"]), [""; 0], "{fields}");
    }
}

#[test]
fn an_address_that_is_emptied_is_a_choice() {
    let user = "[storage.b]\napplication_key_id = '0051a2b3c4d5e6f0000000001'\napplication_key = 'K005abcdefghijklmnopqrstuvwxyz1'\n";
    for (own, field) in
        [("api_url = 'https://api.example.com'\n", "api_url = ''\n"), ("endpoint = 'minio:9000'\n", "endpoint = ''\n")]
    {
        let project =
            Project::on_disk().user(&format!("{user}{own}")).file("credlint.toml", format!("[storage.b]\n{field}"));
        assert!(project.rules(&[]).contains(&"redirected-credential".to_owned()), "{field}");
    }
}

#[test]
fn a_token_in_place_of_a_kind_is_not_repeated() {
    let run = project(CHANNEL).run(&["check", "--profile", "xoxb-1234567890-abcdefghij.r"]);
    assert!(run.code == 2 && run.stderr.contains("did you mean `r`?"), "{}", run.stderr);
    assert!(!run.stderr.contains("1234567890"), "{}", run.stderr);
}

#[test]
fn what_a_baseline_calls_a_finding_is_not_believed() {
    let baseline = r#"{"schema": "credlint/baseline/v1", "findings": [
        {"fingerprint": "00000000000000000000000000000000", "rule": "::error::pwned", "profile": "\u001b]0;pwned\u0007"},
        {"fingerprint": "11111111111111111111111111111111", "rule": "missing-token", "profile": "messaging.gone"}]}"#;
    let project = project(CHANNEL).file("baseline.json", baseline);
    for format in ["human", "json", "github", "gitlab", "junit", "sarif"] {
        let run = project.run(&["check", "--baseline", "baseline.json", "--format", format]);
        let all = run.stdout + &run.stderr;
        assert!(!all.contains("pwned") && !all.contains('\u{1b}'), "{format}: {all}");
        assert!(format != "human" || all.contains("gone: missing-token in messaging.gone"), "{all}");
    }
}

#[test]
fn a_credential_goes_to_permitted_hosts_only() {
    let user = |hosts: &str| format!("[trust]\nhosts = [{hosts}]\n");
    for (variable, own, permitted) in [
        (None, None, true),
        (Some(""), None, true),
        (Some("chat.example.com"), None, true),
        (Some("a.example, CHAT.example.com"), None, true),
        (Some("*.example.com"), None, true),
        (Some("example.com"), None, false),
        (Some("*.chat.example.com"), None, false),
        (Some("evil.example"), None, false),
        (None, Some("'chat.example.com'"), true),
        (None, Some("'*.example.org'"), false),
        (None, Some(""), false),
        // Lists intersect.
        (Some("chat.example.com"), Some("'other.example.com'"), false),
        (Some("*.example.com"), Some("'chat.example.com'"), true),
    ] {
        let mut project = project(CHANNEL);
        if let Some(hosts) = own {
            project = project.user(&user(hosts));
        }
        if let Some(hosts) = variable {
            project = project.env("CREDLINT_HOSTS", hosts);
        }
        let expected: &[&str] = if permitted { &[] } else { &["redirected-credential"] };
        assert_eq!(project.rules(&[]), expected, "{variable:?} {own:?}");
    }
}

#[test]
fn a_policy_permits_hosts_and_a_project_file_does_not() {
    let project = project(CHANNEL).file("policy.toml", "[trust]\nhosts = ['chat.example.org']\n");
    assert_eq!(project.rules(&["--policy", "policy.toml"]), ["redirected-credential"]);
    let own = super::trust::project(&format!("{CHANNEL}[trust]\nhosts = ['chat.example.com']\n"));
    assert_eq!(own.rules(&[]), ["unknown-field"]);
    for hosts in ["hosts = 'chat.example.com'", "host = ['chat.example.com']"] {
        let wrong = super::trust::project(CHANNEL).user(&format!("[trust]\n{hosts}\n"));
        assert!(wrong.rules(&[]).contains(&"redirected-credential".to_owned()), "a mistake permits no host: {hosts}");
    }
    for hosts in ["'chat example'", "17", "'xoxb-1234567890-abcdefghij'"] {
        let wrong = super::trust::project(CHANNEL).user(&format!("[trust]\nhosts = [{hosts}]\n"));
        let rules = wrong.rules(&[]);
        assert!(
            rules.contains(&"wrong-type".to_owned()) && rules.contains(&"redirected-credential".to_owned()),
            "{hosts}: {rules:?}"
        );
    }
}

#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn levels_and_allows_open_no_host() {
    for command in [&["upload", "--profile", "r", "notes/today.txt"][..], &["verify"]] {
        let project = project(&format!("{CHANNEL}[lint]\nlevels = {{ redirected-credential = 'off' }}\n"));
        let run = project.env("CREDLINT_HOSTS", "evil.example").run(command);
        assert!(run.code == 1 && !run.stderr.contains("sending") && !run.stderr.contains("asking"), "{}", run.stderr);
    }
}
