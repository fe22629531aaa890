//! What several files, or a process, tell of a value whose name only says that it is a credential. What one file tells is in
//! `tests/corpus/foreign/anyname.txt`.

use crate::harness::Project;

/// The findings of a search or a process, as `severity rule name`.
fn found(project: &Project, args: &[&str]) -> Vec<String> {
    let document = project.check(args).1;
    let findings = document["findings"].as_array().unwrap();
    let word = |finding: &serde_json::Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let name = |finding: &serde_json::Value| finding["message"].as_str().unwrap().split('`').nth(1).unwrap().to_owned();
    findings.iter().map(|one| format!("{} {} {}", word(one, "severity"), word(one, "rule"), name(one))).collect()
}

const KEY: &str = "Zx9Lm4Rt7Yb1Nc5Vd3Hk8Qw2Pf6Js0Ga";

#[test]
fn quotes_count_in_a_file_that_a_script_gives_to_docker() {
    let text = format!("PROXY_COOKIE_SECRET=\"{KEY}\"\nPLAIN_TOKEN={KEY}\n");
    let run = "#!/bin/sh\ndocker run --rm \\\n  --env-file proxy.env example/proxy:7\n";
    let wrong = ["warning malformed-credential PROXY_COOKIE_SECRET"];
    let project = || Project::new().file("proxy.env", &text);
    assert_eq!(found(&project().file("run.sh", run), &["."]), wrong);
    // In another order, from a directory for scripts, and by name.
    assert_eq!(found(&project().file("bin/a.sh", run.replace("proxy.env", "../proxy.env")), &["."]), wrong);
    assert_eq!(found(&project().file("run.sh", run), &["run.sh", "proxy.env"]), wrong);
    // Nobody knows who reads the file, or who does removes quotes, or it is another file.
    assert!(found(&project(), &["."]).is_empty());
    for other in ["docker compose --env-file proxy.env up\n", "node --env-file=proxy.env a.js\n", "docker run x\n"] {
        assert!(found(&project().file("run.sh", other), &["."]).is_empty(), "{other}");
    }
    assert!(found(&project().file("run.sh", run.replace("proxy", "other")), &["."]).is_empty());
    // Of a known form, it certainly can't work.
    let known = Project::new().file("proxy.env", "STRIPE_SECRET_KEY=\"sk_live_abcdefghijklmnopqrstuvwx\"\n");
    assert_eq!(found(&known.file("run.sh", run), &["."]), ["error malformed-credential STRIPE_SECRET_KEY"]);
}

#[test]
fn compose_takes_what_it_expands_from_the_file_next_to_it() {
    let compose = |line: &str| format!("services:\n  api:\n    image: example/api:2\n    environment:\n      {line}\n");
    let url = compose("DB_URI: postgres://app:${DB_PASSWORD}@db:5432/app");
    let project = |text: &str, env: &str| Project::new().file("docker-compose.yml", text).file(".env", env);
    for (password, wrong) in [("ab@cd9", true), ("ab/cd9", true), ("abcd9", false), ("ab%40cd9", false)] {
        let found = found(&project(&url, &format!("DB_PASSWORD={password}\n")), &["."]);
        let expected: &[&str] = if wrong { &["note malformed-credential DB_URI"] } else { &[] };
        assert_eq!(found, expected, "{password}");
    }
    // The variable is set there.
    let dollar = compose("MAIL_PASSWORD: Lm$kd9x7Qw");
    assert_eq!(found(&project(&dollar, "OTHER=1\n"), &["."]), ["warning malformed-credential MAIL_PASSWORD"]);
    assert!(found(&project(&dollar, "kd9x7Qw=abc\n"), &["."]).is_empty());
    // Compose expands its `.env`, too, but not in single quotes.
    let (plain, quoted) = ("MAIL_PASSWORD=Lm$kd9x7Qw\n", "MAIL_PASSWORD='Lm$kd9x7Qw'\n");
    let other = compose("PORT: 80");
    assert_eq!(found(&project(&other, plain), &["."]), ["note malformed-credential MAIL_PASSWORD"]);
    assert!(found(&project(&other, quoted), &["."]).is_empty());
    assert!(found(&Project::new().file(".env", plain), &["."]).is_empty());
}

/// What runs the program of a file does not get the variable that the file takes, though it gets others.
#[test]
fn a_variable_that_a_file_takes_is_passed_on() {
    let workflow = |lines: &str| format!("on: push\njobs:\n  p:\n    runs-on: ubuntu-latest\n    steps:\n{lines}");
    let npmrc = "//npm.example.com/:_authToken=${PUBLISH_TOKEN}\n";
    let step = |name: &str| {
        workflow(&format!("      - run: npm publish\n        env:\n          {name}: ${{{{ secrets.NPM }}}}\n"))
    };
    let found_in =
        |workflow: &str| found(&Project::new().file(".npmrc", npmrc).file(".github/workflows/p.yml", workflow), &["."]);
    assert_eq!(found_in(&step("NODE_AUTH_TOKEN")), ["note unexpanded-reference _authToken"]);
    // The step gets it, the action of Node.js writes a file of its own, no package manager runs, or no token is given.
    let setup = "      - uses: actions/setup-node@v4\n        with:\n          registry-url: https://npm.example.com\n";
    for right in [
        step("PUBLISH_TOKEN"),
        step("NODE_AUTH_TOKEN").replace("    steps:\n", &format!("    steps:\n{setup}")),
        step("NODE_AUTH_TOKEN").replace("npm publish", "make"),
        step("GITHUB_TOKEN"),
        step("NODE_AUTH_TOKEN") + "      - run: echo $PUBLISH_TOKEN\n",
    ] {
        assert!(found_in(&right).is_empty(), "{right}");
    }
    let compose = |more: &str| {
        format!(
            "services:\n  proxy:\n    image: example/proxy:1\n    volumes: ['./config.yaml:/app/config.yaml:ro']\n{more}"
        )
    };
    let config = "model_list:\n  - litellm_params:\n      api_key: os.environ/CHAT_API_KEY\n";
    let with = |more: &str| {
        found(&Project::new().file("config.yaml", config).file("docker-compose.yml", compose(more)), &["."])
    };
    let other = "    environment:\n      OPENAI_API_KEY: ${OPENAI_API_KEY}\n";
    assert_eq!(with(other), ["note unexpanded-reference api_key"]);
    for right in [
        "    environment:\n      CHAT_API_KEY: ${OPENAI_API_KEY}\n",
        "    environment: ['CHAT_API_KEY', 'OPENAI_API_KEY=${OPENAI_API_KEY}']\n",
        "    environment:\n      OPENAI_API_KEY: ${OPENAI_API_KEY}\n    env_file: .env\n",
        "    environment:\n      PORT: 80\n",
    ] {
        assert!(with(right).is_empty(), "{right}");
    }
}

/// A service's own variables replace those of its files.
#[test]
fn an_empty_variable_replaces_that_of_a_file() {
    let check = |value: &str, file: &str| {
        let text = format!(
            "services:\n  a:\n    image: example/a:1\n    env_file: [{file}]\n    environment:\n      STRIPE_SECRET_KEY: {value}\n      LEDGER_TOKEN: {value}\n"
        );
        let env = format!("STRIPE_SECRET_KEY=sk_live_{KEY}\nLEDGER_TOKEN={KEY}\n");
        found(&Project::new().file("docker-compose.yml", text).file("app.env", env), &["."])
    };
    let both = |rule: &str, name: &str| format!("note {rule} {name}");
    let empty = ["STRIPE_SECRET_KEY", "LEDGER_TOKEN"].map(|name| both("empty-credential", name));
    assert_eq!(check("''", "app.env"), empty);
    let placeholder = check("changeme", "app.env");
    assert!(placeholder.contains(&both("placeholder-credential", "LEDGER_TOKEN")), "{placeholder:?}");
    // Passed on from the shell, a value, and no such file.
    for (value, file) in [("", "app.env"), ("${LEDGER_TOKEN}", "app.env"), ("''", "other.env")] {
        assert!(check(value, file).is_empty(), "{value} {file}");
    }
}

#[test]
fn a_chart_puts_a_password_into_an_address() {
    let template = |value: &str| {
        format!(
            "apiVersion: v1\nkind: Secret\nstringData:\n  DATABASE_URL: postgres://app:{{{{ .Values.{value} }}}}@db:5432/app\n"
        )
    };
    let check = |value: &str, password: &str| {
        let values = format!("db:\n  password: {password}\n");
        let project = Project::new().file("chart/templates/a/secret.yaml", template(value));
        let project = project.file("chart/values.yaml", values);
        assert!(!project.run(&["check", "-v", "."]).stdout.contains(password), "{password}");
        found(&project, &["."])
    };
    assert_eq!(check("db.password", "ab@cd9xw2"), ["note malformed-credential DATABASE_URL"]);
    for (value, password) in [("db.password", "abcd9xw2"), ("db.password | urlquery", "ab@cd9xw2"), ("db.pass", "ab@c")]
    {
        assert!(check(value, password).is_empty(), "{value} {password}");
    }
}

#[test]
fn an_id_is_not_its_secret_in_a_process() {
    let project = Project::new().env("FEED_APP_ID", "4738752506951743").env("FEED_APP_SECRET", "4738752506951743");
    assert_eq!(found(&project, &["--environment"]), ["warning wrong-credential FEED_APP_SECRET"]);
    let run = project.run(&["exec", "--fail-on", "warning", "--", "true"]);
    assert!(run.code == 125 && run.stderr.contains("the ID of its pair"), "{}", run.stderr);
}

#[test]
fn a_process_keeps_what_is_around_a_value() {
    let hex = "3f9c0a7be15d2846c0917fd3ab52e864";
    for (value, severity) in [
        (format!("\"{hex}\""), "warning"),
        (format!("'{}'", &hex[..24]), "warning"),
        (format!("{KEY}\n"), "warning"),
        (format!("{KEY}\r"), "warning"),
        (format!("{KEY} "), "note"),
        (format!("{KEY}\\n"), "note"),
        (format!("Bearer {KEY}"), "note"),
    ] {
        let project = Project::new().env("LEDGER_TOKEN", &value);
        let expected = format!("{severity} malformed-credential LEDGER_TOKEN");
        assert_eq!(found(&project, &["--environment"]), [expected], "{value:?}");
    }
    for (name, value) in [
        ("LEDGER_TOKEN", hex.to_owned()),
        ("LEDGER_SORT_KEY", format!("\"{hex}\"")),
        ("CARGO_REGISTRIES_ACME_TOKEN", format!("Bearer {KEY}")),
        ("VNC_NO_PASSWORD", "'1'".to_owned()),
    ] {
        assert!(found(&Project::new().env(name, &value), &["--environment"]).is_empty(), "{name}");
    }
    let claims = "eyJpc3MiOiJhYmMiLCJpYXQiOjE3OTAwMDAwMDAsImV4cCI6MjEwMDAwMDAwMH0";
    let part = found(&Project::new().env("HASS_TOKEN", claims), &["--environment"]);
    assert!(part.len() == 1 && part[0].contains("wrong-credential HASS_TOKEN"), "{part:?}");
}

#[test]
fn a_file_that_a_variable_names_is_looked_at() {
    let client = r#"{"installed": {"client_id": "1.apps.googleusercontent.com", "client_secret": "x"}}"#;
    let project = || Project::new().file("keys/client.json", client).file("keys/empty", "").file("keys/right", KEY);
    for (name, path, expected) in [
        ("GOOGLE_APPLICATION_CREDENTIALS", "keys/client.json", &["warning wrong-credential"][..]),
        ("GOOGLE_APPLICATION_CREDENTIALS", "keys/gone.json", &["note unexpanded-reference"]),
        ("APP_PASSWORD_FILE", "./keys", &["warning unexpanded-reference"]),
        ("APP_PASSWORD_FILE", "keys/empty", &["warning unexpanded-reference"]),
        ("APP_PASSWORD_FILE", "keys/right", &[]),
        ("KUBECONFIG", "./gone", &["note unexpanded-reference"]),
        ("KUBECONFIG", "./gone:./other", &["note unexpanded-reference"]),
        // kubectl leaves out a file that is missing.
        ("KUBECONFIG", "./gone:./keys/right", &[]),
        ("KUBECONFIG", "/nowhere/config:/nowhere/other", &[]),
        // Of another machine, a name, and no file of a credential.
        ("APP_PASSWORD_FILE", "/run/nowhere/secret", &[]),
        ("APP_PASSWORD_FILE", "secret", &[]),
        ("APP_LOG_FILE", "keys/gone.log", &[]),
    ] {
        let found = found(&project().env(name, path), &["--environment"]);
        let expected: Vec<String> = expected.iter().map(|start| format!("{start} {name}")).collect();
        assert_eq!(found, expected, "{name}={path}");
    }
}

#[test]
fn the_key_of_a_service_account_is_one_line_of_json() {
    let key = "{\"type\": \"service_account\", \"project_id\": \"p\", \"private_key\": \"-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n\", \"client_email\": \"a@p.iam.gserviceaccount.com\"}";
    let check = |value: String| found(&Project::new().env("GOOGLE_SERVICE_ACCOUNT_JSON", value), &["--environment"]);
    assert!(check(key.to_owned()).is_empty());
    let broken = key.replace("\\n", "\n");
    assert_eq!(check(broken), ["warning malformed-credential GOOGLE_SERVICE_ACCOUNT_JSON"]);
}

/// The configuration is right, and a file next to it is not.
#[test]
fn plain_check_searches_next_to_the_configuration() {
    let right = "[messaging.reports]\nbase_url = \"https://chat.example.com\"\ntoken = { env = \"TOKEN\" }\nchannels = [\"C0123456789\"]\n";
    let project = || {
        let token = "xoxb-232712427262-7449994745947-tEVNiB4kYy3cCFtAsMkBBVmq";
        Project::new().file("credlint.toml", right).env("TOKEN", token)
    };
    let alone = project().run(&["check"]);
    assert_eq!((alone.code, alone.stdout.as_str()), (0, "1 profile checked: every credential fits\n"));
    let wrong = project().file("deploy/.env", "STRIPE_SECRET_KEY=pk_live_abcdefghijklmnopqrstuvwx\n");
    let run = wrong.run(&["check"]);
    assert!(run.code == 1 && run.stdout.contains("error[wrong-credential]"), "{}", run.stdout);
    assert!(run.stdout.contains("1 profile checked, 2 files read"), "{}", run.stdout);
    // A configuration of the linter alone.
    let lint = Project::new().file("credlint.toml", "[lint]\nfail_on = \"warning\"\n").file(".env", "PORT=80\n");
    let run = lint.run(&["check"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "2 files read, no credential recognised, nothing found\n"));
    // Whoever names an input gets that, and nothing else.
    for args in
        [&["check", "--profile", "reports"][..], &["check", "--config", "credlint.toml"], &["check", "--isolated"]]
    {
        let run = wrong.run(args);
        assert!(!run.stdout.contains("wrong-credential"), "{args:?}: {}", run.stdout);
    }
}
