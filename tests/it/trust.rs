//! What a project file by somebody else may do: it is found automatically, and must not pass the environment, or a file
//! from elsewhere, to a service.

use crate::harness::{FORMATS, Project};

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
fn text_is_read_only_from_files_inside_the_project() {
    for comment in [
        "{ file = '../home/private.txt' }", "{ file = 'notes/../../home/private.txt' }",
        "{ file = '/proc/self/environ' }",
    ] {
        let project = project(&format!("{CHANNEL}initial_comment = {comment}\n"));
        let run = project.run(&["check", "--format", "json"]);
        assert_eq!(run.document()["findings"][0]["rule"], "unresolved-reference", "{comment}");
        // The user who names the file with --config has chosen it.
        assert_eq!(project.run(&["check", "--config", "credlint.toml", "-A", "literal-secret"]).code, 0, "{comment}");
    }
    let below = project(&format!("{CHANNEL}initial_comment = {{ file = 'notes/today.txt' }}\n"));
    assert_eq!(below.run(&["check"]).code, 0);
}

#[cfg(unix)]
#[test]
fn symlinks_out_of_the_project_are_not_followed() {
    let project = project(&format!("{CHANNEL}initial_comment = {{ file = 'notes/link.txt' }}\n"));
    std::os::unix::fs::symlink(project.home().join("private.txt"), project.path().join("notes/link.txt")).unwrap();
    assert_eq!(project.rules(&[]), ["unresolved-reference"]);
}

#[test]
fn text_is_not_read_from_variables() {
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
fn public_fields_accept_only_values_in_their_format() {
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
fn an_emptied_address_is_reported_as_a_redirection() {
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
fn a_token_in_place_of_a_kind_is_not_printed() {
    let run = project(CHANNEL).run(&["check", "--profile", "xoxb-1234567890-abcdefghij.r"]);
    assert!(run.code == 2 && run.stderr.contains("did you mean `r`?"), "{}", run.stderr);
    assert!(!run.stderr.contains("1234567890"), "{}", run.stderr);
}

#[test]
fn names_in_a_baseline_are_not_trusted() {
    let baseline = r#"{"schema": "credlint/baseline/v1", "findings": [
        {"fingerprint": "00000000000000000000000000000000", "rule": "::error::pwned", "profile": "\u001b]0;pwned\u0007"},
        {"fingerprint": "11111111111111111111111111111111", "rule": "missing-token", "profile": "messaging.gone"}]}"#;
    let project = project(CHANNEL).file("baseline.json", baseline);
    for format in FORMATS {
        let run = project.run(&["check", "--baseline", "baseline.json", "--format", format]);
        let all = run.stdout + &run.stderr;
        assert!(!all.contains("pwned") && !all.contains('\u{1b}'), "{format}: {all}");
        assert!(format != "human" || all.contains("not found now: missing-token in messaging.gone"), "{all}");
    }
}

#[test]
fn credentials_are_sent_only_to_permitted_hosts() {
    let user = |hosts: &str| format!("[trust]\nhosts = [{hosts}]\n");
    for (variable, own, permitted) in [
        (None, None, true),
        (Some("chat.example.com"), None, true),
        (Some("a.example, CHAT.example.com"), None, true),
        (Some("*.example.com"), None, true),
        (Some("example.com"), None, false),
        (Some("*.chat.example.com"), None, false),
        (Some("evil.example"), None, false),
        (None, Some("'chat.example.com'"), true),
        (None, Some("'*.example.org'"), false),
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

/// An unset variable of a pipeline must not permit every host.
#[test]
fn a_list_without_hosts_is_an_error() {
    let refused = |project: &Project, words: &[&str], name: &str| {
        let (code, document) = project.check(words);
        let problem = &document["problems"][0];
        assert_eq!((code, &problem["code"]), (2, &serde_json::json!("no-hosts")), "{words:?} {document}");
        assert!(problem["message"].as_str().unwrap().contains(name), "{problem}");
        assert_eq!(problem["labels"].as_array().unwrap().len(), usize::from(name == "trust.hosts"), "{problem}");
    };
    for hosts in ["", " ", "\t\n", ",", " , "] {
        let project = project(CHANNEL).env("CREDLINT_HOSTS", hosts).user("[trust]\nhosts = ['chat.example.com']\n");
        refused(&project, &[], "CREDLINT_HOSTS");
        refused(&project, &["--isolated", "-c", "credlint.toml"], "CREDLINT_HOSTS");
        #[cfg(feature = "upload")]
        for words in [&["upload", "-p", "r", "notes/today.txt"][..], &["verify"], &["exec", "-p", "r", "--", "true"]] {
            let run = project.run(words);
            assert_eq!(run.code, if words[0] == "exec" { 125 } else { 2 }, "{words:?} {}", run.stderr);
            assert!(run.stderr.contains("`CREDLINT_HOSTS` lists no hosts"), "{}", run.stderr);
        }
    }
    for hosts in ["[]", "['']", "[' ', '']", "''"] {
        let list = format!("[trust]\nhosts = {hosts}\n");
        refused(&project(CHANNEL).user(&list), &[], "trust.hosts");
        refused(&project(CHANNEL).file("policy.toml", list), &["--policy", "policy.toml"], "trust.hosts");
    }
    let null = project(CHANNEL).file("policy.yaml", "trust:\n  hosts:\n");
    refused(&null, &["--policy", "policy.yaml"], "trust.hosts");
}

#[test]
fn a_policy_can_permit_hosts_but_a_project_file_cannot() {
    let project = project(CHANNEL).file("policy.toml", "[trust]\nhosts = ['chat.example.org']\n");
    assert_eq!(project.rules(&["--policy", "policy.toml"]), ["redirected-credential"]);
    let own = super::trust::project(&format!("{CHANNEL}[trust]\nhosts = ['chat.example.com']\n"));
    assert_eq!(own.rules(&[]), ["unknown-field"]);
    for hosts in ["hosts = 'chat.example.com'", "host = ['chat.example.com']"] {
        let wrong = super::trust::project(CHANNEL).user(&format!("[trust]\n{hosts}\n"));
        assert!(
            wrong.rules(&[]).contains(&"redirected-credential".to_owned()),
            "an invalid list permits no host: {hosts}"
        );
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
fn levels_and_allows_permit_no_host() {
    for command in [&["upload", "--profile", "r", "notes/today.txt"][..], &["verify"]] {
        let project = project(&format!("{CHANNEL}[lint]\nlevels = {{ redirected-credential = 'off' }}\n"));
        let run = project.env("CREDLINT_HOSTS", "evil.example").run(command);
        assert!(run.code == 1 && !run.stderr.contains("sending") && !run.stderr.contains("asking"), "{}", run.stderr);
        // The same with a policy, which commands that send accept as well.
        let words = [command, &["--policy", "policy.toml"]].concat();
        let run = super::trust::project(CHANNEL).file("policy.toml", "[trust]\nhosts = ['evil.example']\n").run(&words);
        assert!(run.code == 1 && !run.stderr.contains("sending") && !run.stderr.contains("asking"), "{}", run.stderr);
    }
}

#[test]
fn a_policy_or_the_user_limits_references() {
    let text = format!(
        "{CHANNEL}[storage.s]\napplication_key_id = '0051a2b3c4d5e6f0000000001'\napplication_key = {{ file = 'secrets/key' }}\n"
    );
    let own = || project(&text).file("secrets/key", "K005abcdefghijklmnopqrstuvwxyz1\n");
    let refused = |list: &str| {
        let policy = own().file("policy.toml", format!("[trust]\nreferences = {list}\n"));
        let user = own().user(&format!("[trust]\nreferences = {list}\n"));
        let found = [&["--policy", "policy.toml"][..], &["--policy", "policy.toml", "--no-resolve"]].map(|words| {
            let (code, document) = policy.check(words);
            let mut keys: Vec<String> = Vec::new();
            for found in document["findings"].as_array().unwrap() {
                if found["rule"] == "unresolved-reference" {
                    assert_eq!((code, &found["severity"]), (1, &serde_json::json!("error")));
                    assert!(
                        found["labels"][0]["span"].is_object()
                            && found["message"].as_str().unwrap().contains("not permitted")
                    );
                    keys.push(found["labels"][0]["key"].as_str().unwrap().to_owned());
                }
            }
            keys
        });
        assert_eq!(found[0], found[1], "the same with `--no-resolve`: {list}");
        let (_, document) = user.check(&[]);
        let users =
            document["findings"].as_array().unwrap().iter().filter(|found| found["rule"] == "unresolved-reference");
        assert_eq!(users.count(), found[0].len(), "{list}");
        found[0].clone()
    };
    let (env, file) = ("messaging.r.token", "storage.s.application_key");
    for (list, expected) in [
        ("['env:T', 'file:secrets/key']", &[][..]),
        ("['env:*', 'file:secrets/*']", &[]),
        ("['env:T']", &[file]),
        ("['file:./secrets/key']", &[env]),
        ("['env:TT', 'file:other/*']", &[env, file]),
        ("[]", &[env, file]),
        // A mistake permits less, never more.
        ("'env:*'", &[env, file]),
        ("['env:T', 'T', 'file:secrets/../secrets/key']", &[file]),
    ] {
        assert_eq!(refused(list), expected, "{list}");
    }
    // Nothing can loosen the policy.
    let loose = own().file("policy.toml", "[trust]\nreferences = ['env:T']\n");
    let run = loose.run(&["check", "--policy", "policy.toml", "-A", "unresolved-reference"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    // Lists intersect.
    let both = own()
        .file("policy.toml", "[trust]\nreferences = ['env:T', 'file:secrets/*']\n")
        .user("[trust]\nreferences = ['env:T']\n");
    assert!(both.rules(&["--policy", "policy.toml"]).contains(&"unresolved-reference".to_owned()));
    // A project file can't extend it.
    assert_eq!(project(&format!("{CHANNEL}[trust]\nreferences = ['env:*']\n")).rules(&[]), ["unknown-field"]);
}

/// A change to the repository can replace a directory by a link, but not what the user or a policy permits.
#[cfg(unix)]
#[test]
fn links_of_the_repository_do_not_extend_the_permitted_references() {
    let own = || project(&format!("{CHANNEL}[app.a]\nbot_token = {{ file = 'secrets/key' }}\n"));
    let policy =
        |project: Project, list: &str| project.file("policy.toml", format!("[trust]\nreferences = [{list}]\n"));
    let refused = |project: &Project, words: &[&str]| {
        let words = [&["--policy", "policy.toml"], words].concat();
        project.rules(&words).iter().filter(|rule| *rule == "unresolved-reference").count()
    };
    let link = |project: &Project, to: &str, name: &str| {
        std::os::unix::fs::symlink(project.dir.path().join(to), project.path().join(name)).unwrap();
    };
    for (to, name) in [("home/.ssh", "secrets"), ("project/elsewhere", "secrets")] {
        let absolute = |project: &Project| format!("'env:T', 'file:{}/secrets/*'", project.path().display());
        let own = own().file("elsewhere/key", "xoxb-0000000000-0000000000-abcdefghijkl");
        std::fs::create_dir_all(own.home().join(".ssh")).unwrap();
        std::fs::write(own.home().join(".ssh/key"), "xoxb-0000000000-0000000000-abcdefghijkl").unwrap();
        link(&own, to, name);
        let own = policy(own, "'env:T', 'file:secrets/*'");
        assert_eq!((refused(&own, &[]), refused(&own, &["--no-resolve"])), (1, 1), "{to}");
        let list = absolute(&own);
        let text = format!("{HEAD}{CHANNEL}[app.a]\nbot_token = {{ file = '{}/secrets/key' }}\n", own.path().display());
        let own = policy(own.file("credlint.toml", text), &list);
        assert_eq!(refused(&own, &[]), 1, "{to}");
        // By a variable, it is relative to the working directory.
        let text = format!("{HEAD}{CHANNEL}");
        let own = policy(own.file("credlint.toml", text), "'env:T', 'file:secrets/*'");
        assert_eq!(refused(&own.env("CREDLINT_APP__A__BOT_TOKEN_FILE", "secrets/key"), &[]), 1, "{to}");
    }
    // A link outside of the repository belongs to the system or the user.
    let own = own();
    std::fs::create_dir(own.home().join("real")).unwrap();
    std::fs::write(own.home().join("real/key"), "xoxb-0000000000-0000000000-abcdefghijkl").unwrap();
    std::os::unix::fs::symlink("real", own.home().join("run")).unwrap();
    let text = format!("{HEAD}{CHANNEL}[app.a]\nbot_token = {{ file = '{}/run/key' }}\n", own.home().display());
    let list = format!("'env:T', 'file:{}/run/*'", own.home().display());
    assert_eq!(refused(&policy(own.file("credlint.toml", text), &list), &[]), 0);
}

/// The system follows links to a file whose real path is too long to be known.
#[cfg(unix)]
#[test]
fn link_without_real_path_is_refused() {
    let list = "[trust]\nreferences = ['env:T', 'file:secrets/*']\n";
    let project = project(&format!("{CHANNEL}[app.a]\nbot_token = {{ file = 'secrets/key' }}\n")).user(list);
    let deep = vec!["x".repeat(200); 15].join("/");
    let at = |name: &str| project.home().join(name);
    std::fs::create_dir_all(at(&deep)).unwrap();
    std::os::unix::fs::symlink(&deep, at("half")).unwrap();
    std::fs::create_dir_all(at("half").join(&deep)).unwrap();
    let key = at("half").join(&deep).join("key");
    std::fs::write(&key, "xoxb-0000000000-0000000000-abcdefghijkl").unwrap();
    std::fs::create_dir(project.path().join("secrets")).unwrap();
    std::os::unix::fs::symlink(&key, project.path().join("secrets/key")).unwrap();
    assert!(project.path().join("secrets/key").is_file());
    assert_eq!(project.rules(&[]), ["unresolved-reference"]);
}

#[cfg(unix)]
#[test]
fn a_dotenv_file_behind_a_link_of_the_repository_is_refused_with_a_list() {
    let list = "[trust]\nreferences = ['env:T']\n";
    let own = || project(CHANNEL).file("real.env", "A=1\n");
    for (name, to, refused) in
        [(".env", "home/other.env", true), (".env", "project/real.env", true), ("a", "home", true), ("b", "", false)]
    {
        let own = own();
        std::fs::write(own.home().join("other.env"), "A=1\n").unwrap();
        if refused {
            std::os::unix::fs::symlink(own.dir.path().join(to), own.path().join(name)).unwrap();
        }
        let file = match name {
            ".env" => ".env",
            "a" => "a/other.env",
            _ => "../home/other.env",
        };
        assert_eq!(own.run(&["check", "--env-file", file]).code, 0, "{name}: without a list");
        let (code, document) = own.user(list).check(&["--env-file", file]);
        assert_eq!(code, if refused { 2 } else { 0 }, "{name} {to}: {document}");
        assert!(!refused || document["problems"][0]["code"] == "not-a-regular-file", "{document}");
    }
}

#[test]
fn content_of_files_outside_the_project_is_not_printed() {
    let storage = |bucket: &str| {
        let text = format!(
            "[storage.s]\napplication_key_id = {{ file = '../home/id.txt' }}\napplication_key = {{ env = 'K' }}\nbucket = {bucket}\nendpoint = {{ file = '../home/host.txt' }}\n"
        );
        let project = Project::new().file("credlint.toml", text).file("beside.txt", "elsewhere-of-ann\n");
        for (name, text) in [
            ("name.txt", "elsewhere-of-ann\n"),
            ("id.txt", "0051a2b3c4d5e6f0000000001\n"),
            ("host.txt", "https://intern.example.com\n"),
        ] {
            std::fs::write(project.home().join(name), text).unwrap();
        }
        project.env("K", "K005abcdefghijklmnopqrstuvwxyz1").env("B", "elsewhere-of-ann")
    };
    for (bucket, shown) in
        [("{ file = '../home/name.txt' }", false), ("{ file = 'beside.txt' }", true), ("{ env = 'B' }", true)]
    {
        let project = storage(bucket);
        for words in
            [&["profiles", "s"][..], &["profiles", "--format", "json"], &["check"], &["check", "--format", "json"]]
        {
            let run = project.run(words);
            let all = run.stdout + &run.stderr;
            assert_eq!(all.contains("elsewhere-of-ann"), shown && words[0] == "profiles", "{words:?}: {all}");
            assert!(!all.contains("intern") && !all.contains("0051a2b3"), "{words:?}: {all}");
        }
        // The user who names the file with --config has chosen it.
        let run = project.run(&["profiles", "s", "--config", "credlint.toml"]);
        assert!(run.stdout.contains("elsewhere-of-ann") && run.stdout.contains("intern"), "{}", run.stdout);
    }
}

/// Every field of a project file that is sent or sets a destination: it can't send what another program keeps in a
/// variable or a file, and no host is even contacted.
#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn values_in_the_wrong_format_for_their_field_are_not_sent() {
    use crate::server::Service;

    let service = Service::start(|_, connection| connection.read_all());
    let base = format!("http://{}", service.address);
    let messaging = |field: &str, value: &str| {
        let own = [("base_url", format!("'{base}'")), ("channels", "['C0123456789']".to_owned())];
        let own = own.iter().filter(|(name, _)| *name != field).map(|(name, value)| format!("{name} = {value}\n"));
        format!("[messaging.r]\ntoken = {{ env = 'T' }}\n{field} = {value}\n{}", own.collect::<String>())
    };
    let storage = |field: &str, value: &str| {
        let own = [("application_key_id", "0051a2b3c4d5e6f0000000001"), ("api_url", &base)];
        let own = own.iter().filter(|(name, _)| *name != field).map(|(name, value)| format!("{name} = '{value}'\n"));
        format!("[storage.s]\napplication_key = {{ env = 'K' }}\n{field} = {value}\n{}", own.collect::<String>())
    };
    let with_user = base.replace("http://", "http://ann:wJalrXUtnFEMI@");
    let mut run = 0;
    for (field, secret) in [
        ("channels", SECRET),
        ("workspace", SECRET),
        ("base_url", SECRET),
        ("base_url", &with_user),
        ("upload_method", SECRET),
        ("bucket", SECRET),
        ("endpoint", &with_user),
        ("api_url", SECRET),
        ("api_url", &with_user),
        ("application_key_id", SECRET),
    ] {
        for value in ["{ env = 'OTHER' }", "{ file = '../home/other.txt' }"] {
            let kind = ["bucket", "endpoint", "api_url", "application_key_id"].contains(&field);
            let text = if kind { storage(field, value) } else { messaging(field, value) };
            let text = format!(
                "{text}[lint]\nlevels = {{ unresolved-reference = 'off', wrong-type = 'off', malformed-address = 'off' }}\n"
            );
            let project = Project::new().file("credlint.toml", text).file("report.csv", "1,2\n");
            std::fs::write(project.home().join("other.txt"), secret).unwrap();
            let project = project.env("T", "xoxb-0000000000-0000000000-abcdefghijkl").env("OTHER", secret);
            let project = project.env("K", "K005abcdefghijklmnopqrstuvwxyz1");
            let commands: &[&[&str]] = &[&["verify", "--max-wait", "0"], &["upload", "--profile", "r", "report.csv"]];
            for words in &commands[..if kind { 1 } else { 2 }] {
                let ended = project.run(words);
                assert!([1, 3].contains(&ended.code), "{field} = {value} {words:?}: {}{}", ended.stdout, ended.stderr);
                assert!(!ended.stderr.contains("asking") && !ended.stderr.contains("sending"), "{}", ended.stderr);
                run += 1;
            }
        }
    }
    assert_eq!((run, service.finish().len()), (30, 0), "no request was sent");
}

/// A file that others can change is read, because containers check out files like that; there is a warning.
#[cfg(unix)]
#[test]
fn files_writable_by_others_are_read_with_a_warning() {
    use crate::harness::set_mode;

    for (file, directory, above, warning) in [
        (0o600, 0o755, 0o755, None),
        (0o644, 0o755, 0o755, None),
        (0o666, 0o755, 0o755, Some("credlint.toml can be written by other users: credlint never sends a secret")),
        (0o664, 0o755, 0o755, Some("credlint.toml can be written")),
        (0o644, 0o777, 0o755, Some("credlint.toml is in ")),
        (0o644, 0o755, 0o777, Some("credlint.toml is in ")),
        // Like /tmp: users who may write there can't replace other users' files.
        (0o644, 0o1777, 0o755, None),
        (0o644, 0o755, 0o1777, None),
    ] {
        let project = project(CHANNEL);
        set_mode(&project.path().join("credlint.toml"), file);
        set_mode(&project.path(), directory);
        set_mode(project.dir.path(), above);
        let run = project.run(&["check"]);
        assert_eq!(run.code, 0, "{}", run.stdout);
        // The user's private group has no other members.
        let own_group = file == 0o664 && owner(&project.path()) != 0;
        let lines = run.stderr.lines().filter(|line| line.contains("other users")).collect::<Vec<_>>();
        assert_eq!(lines.len(), usize::from(warning.is_some() && !own_group), "{file:o} {directory:o}: {}", run.stderr);
        assert!(own_group || lines.iter().all(|line| line.contains(warning.unwrap())), "{}", run.stderr);
        // A named file is the user's own choice.
        assert!(!project.run(&["check", "--config", "credlint.toml"]).stderr.contains("other users"));
        set_mode(&project.path(), 0o755);
    }
}

/// Most systems give a user a private group, which has the user's number.
#[cfg(unix)]
#[test]
fn warns_only_about_groups_of_several_users() {
    for (group, warned) in [(12345, false), (54321, true)] {
        let project = project(CHANNEL);
        if std::os::unix::fs::chown(project.dir.path(), Some(12345), Some(group)).is_err() {
            // Only root can change the owner of a directory.
            return;
        }
        crate::harness::set_mode(project.dir.path(), 0o775);
        let run = project.run(&["check"]);
        assert_eq!((run.code, run.stderr.contains("other users")), (0, warned), "{}", run.stderr);
    }
}

#[cfg(unix)]
fn owner(path: &std::path::Path) -> u32 {
    std::os::unix::fs::MetadataExt::uid(&path.metadata().unwrap())
}

/// A secret of the user configuration and an address of a project file: levels and allows change reports, and permit no
/// sending.
#[cfg(all(feature = "upload", feature = "sandbox", unix))]
#[test]
fn no_setting_permits_sending_to_an_address_of_the_project() {
    use crate::harness::set_mode;
    use crate::server::Service;

    let service = Service::start(|_, connection| connection.read_all());
    let base = format!("http://{}", service.address);
    let own = "[messaging.r]\ntoken = 'xoxb-0000000000-0000000000-abcdefghijkl'\nchannels = ['C0123456789']\n\
               [storage.s]\napplication_key_id = '0051a2b3c4d5e6f0000000001'\napplication_key = 'K005abcdefghijklmnopqrstuvwxyz1'\n";
    let text = format!(
        "[messaging.r]\n# credlint: allow(redirected-credential) as agreed by all\nbase_url = '{base}'\n\
         [storage.s]\napi_url = '{base}' # credlint: allow(redirected-credential) as agreed by all\n\
         [lint]\nlevels = {{ redirected-credential = 'off', literal-secret = 'off' }}\n\
         [[lint.allow]]\nrule = 'redirected-credential'\nreason = 'as agreed by all'\n"
    );
    for mode in [0o600, 0o666] {
        let project = Project::new().user(own).file("credlint.toml", &text).file("report.csv", "1,2\n");
        set_mode(&project.path().join("credlint.toml"), mode);
        assert_eq!(project.run(&["check", "-A", "redirected-credential"]).code, 0, "the level applies to the report");
        for words in [
            &["verify"][..],
            &["upload", "--profile", "r", "report.csv"],
            &["upload", "--verify", "--profile", "r", "report.csv"],
        ] {
            let run = project.run(words);
            assert_eq!(run.code, 1, "{words:?}: {}{}", run.stdout, run.stderr);
            assert!((run.stdout + &run.stderr).contains("redirected-credential"), "{words:?}");
            assert_eq!(project.run(&["check"]).stderr.contains("other users"), mode == 0o666);
        }
    }
    assert_eq!(service.finish().len(), 0, "no request was sent");
}
