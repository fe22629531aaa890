//! `credlint why`: from an error text in a log to the credentials here.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::formats;
use crate::harness::{Extent, Project, Run, extents};

const ERRORS: &str = include_str!("../corpus/why/errors.txt");
const REFUSALS: &str = include_str!("../corpus/why/refusals.txt");
const NOTHING: &str = include_str!("../corpus/why/nothing.txt");

/// Runs `why` in a project, with a log on standard input.
fn why(project: &Project, log: &[u8], args: &[&str]) -> Run {
    let mut command = project.command(&[&["why"], args].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let log = log.to_vec();
    // It need not read its input.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&log)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn json(project: &Project, log: &[u8], args: &[&str]) -> Value {
    let run = why(project, log, &[args, &["--format", "json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// The logs of a file, each with its link and the lines that start with `=> `.
fn logs(text: &str) -> Vec<(&str, Vec<&str>, String)> {
    let mut logs: Vec<(&str, Vec<&str>, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("--- "), line.strip_prefix("=> "), logs.last_mut()) {
            (Some(link), ..) => logs.push((link, Vec::new(), String::new())),
            (_, Some(row), Some((_, wanted, _))) => wanted.push(row),
            (.., Some((.., log))) => log.extend([line, "\n"]),
            (.., None) => panic!("{line} is before the first link"),
        }
    }
    logs
}

/// The answers of a document, as the corpus names them.
fn answers(document: &Value) -> Vec<String> {
    let one =
        |answer: &Value| format!("{}: {}", answer["whose"].as_str().unwrap_or("any"), answer["text"].as_str().unwrap());
    document["answers"].as_array().unwrap().iter().map(one).collect()
}

#[test]
fn explains_public_logs() {
    let empty = Project::new();
    for (link, wanted, log) in logs(ERRORS).into_iter().chain(logs(REFUSALS)) {
        assert!(link.starts_with("https://") && !wanted.is_empty(), "{link}");
        let found = answers(&json(&empty, log.as_bytes(), &[]));
        // No other service is named.
        assert_eq!(found, wanted, "{link}");
    }
}

extents! {
    other_logs_name_no_credentials => prove_silence;
}

fn prove_silence(extent: Extent) {
    // A credential of each service whose texts other services also have.
    let names = [
        "SLACK_BOT_TOKEN", "UPSTASH_REDIS_REST_URL", "TWILIO_AUTH_TOKEN", "BREVO_API_KEY", "OPENROUTER_API_KEY",
        "AWS_SESSION_TOKEN", "GROQ_API_KEY", "DISCORD_BOT_TOKEN", "GITHUB_TOKEN", "NEW_RELIC_LICENSE_KEY",
        "SENTRY_AUTH_TOKEN", "OPENAI_API_KEY", "RESEND_API_KEY",
    ];
    let project = Project::new().env("STRIPE_SECRET_KEY", "pk_live_abcdefghijklmnopqrstuvwx");
    let project = names.iter().fold(project, |project, name| project.env(name, "made-up"));
    let all = logs(NOTHING);
    assert!(all.len() >= 200, "{}", all.len());
    let logs: BTreeSet<&str> = all.iter().map(|(.., log)| log.as_str()).collect();
    assert_eq!(logs.len(), all.len(), "a log is there twice");
    for (_, (link, _, log)) in all.into_iter().enumerate().filter(|(number, _)| extent.takes(*number, 4)) {
        let document = json(&project, log.as_bytes(), &[]);
        let about = document["answers"].as_array().unwrap().iter().filter(|answer| {
            !(link.starts_with("network ") && answer["whose"].is_null() && answer["decided"] == "not-a-credential")
        });
        let about: Vec<_> = about.map(|answer| &answer["text"]).collect();
        assert!(about.is_empty(), "{link}: {about:?}");
    }
}

#[test]
fn a_text_in_place_of_a_log_gets_the_way_to_give_one() {
    for (word, is_text) in [("invalid token", true), ("deploy.log", false)] {
        let run = Project::new().run(&["why", word]);
        let told = run.stderr.contains("`echo TEXT | credlint why`");
        assert_eq!((run.code, told), (2, is_text), "{}", run.stderr);
    }
}

const WRONG_KEY: &str = "pk_live_abcdefghijklmnopqrstuvwx";
const WRONG: &str = "Error: This API call cannot be made with a publishable API key.";

#[test]
fn the_document_follows_its_schema() {
    let schema = formats::validator(&formats::strict(formats::schema("docs/schema/why-v1.json")));
    let project = Project::new()
        .file(
            ".env",
            "SLACK_BOT_TOKEN=xapp-1-A01ABCDEF-7391842650-abcdefghijklmnopqrstuvwx\nDATABASE_URL=postgres://a:b@db/x\n",
        )
        .file(
            "credlint.toml",
            "[messaging.r]\nbase_url = 'https://x.slack.com'\ntoken = { env = 'NONE' }\nchannels = ['#a']\n",
        )
        .env("STRIPE_SECRET_KEY", WRONG_KEY);
    for log in [
        WRONG, "slack invalid_auth", "slack missing_scope", "api.stripe.com", "AADSTS7000215",
        "password authentication failed for user", "slack: channel_not_found", "401 Unauthorized",
        "https://api.stripe.com 401", "getaddrinfo ENOTFOUND x",
    ] {
        let document = json(&project, log.as_bytes(), &[]);
        assert!(schema.is_valid(&document), "{document:#}");
    }
}

/// A single line of a log has only the text. It is explained only for services with credentials here.
#[test]
fn shared_text_alone_is_about_local_credentials() {
    let slack =
        || Project::new().env("SLACK_BOT_TOKEN", "https://hooks.slack.com/services/T0AB/B0CD/QzWvXkPjHyBdRmTnLsGfCaEu");
    for log in ["invalid_auth", r#"{"ok":false,"error":"invalid_auth"}"#] {
        let document = json(&slack(), log.as_bytes(), &[]);
        assert_eq!(
            (answers(&document), decided(&slack(), log, &[]).as_str()),
            (vec!["Slack: invalid_auth".to_owned()], "likely")
        );
        assert_eq!(decided(&Project::new(), log, &[]), "nothing");
    }
    let both = slack().env("STRIPE_SECRET_KEY", WRONG_KEY).env("GITHUB_TOKEN", "ghp_x");
    assert_eq!(answers(&json(&both, b"Invalid API Key provided", &[])), ["Stripe: Invalid API Key provided"]);
    assert_eq!(answers(&json(&both, b"HTTP 401: Bad credentials", &[])), ["GitHub: Bad credentials"]);
    // A longer log would identify the service.
    assert_eq!(decided(&slack(), &format!("invalid_auth {}", "other words ".repeat(20)), &[]), "nothing");
    let empty = why(&Project::new(), b"", &[]);
    assert!(empty.stdout.starts_with("the log is empty: capture stderr"), "{}", empty.stdout);
}

/// The verdict of the first answer.
fn decided(project: &Project, log: &str, args: &[&str]) -> String {
    let document = json(project, log.as_bytes(), args);
    document["answers"][0]["decided"].as_str().unwrap_or("nothing").to_owned()
}

#[test]
fn names_cause_only_if_values_decide() {
    let right = "sk_live_abcdefghijklmnopqrstuvwx";
    let set = |value: &str| Project::new().env("STRIPE_SECRET_KEY", value);
    assert_eq!(decided(&set(WRONG_KEY), WRONG, &[]), "cause");
    assert_eq!(decided(&set(right), WRONG, &[]), "open");
    assert_eq!(decided(&Project::new(), WRONG, &[]), "not-here");
    // Another key may have been meant.
    let both = set(WRONG_KEY).file("deploy/.env", format!("STRIPE_SECRET_KEY={right}\n"));
    assert_eq!(decided(&both, WRONG, &[]), "likely");
    let human = why(&both, WRONG.as_bytes(), &[]).stdout;
    assert!(human.contains("a likely cause, if this is what failed: ") && !human.contains("the cause is"), "{human}");
    // Unused credentials are not meant.
    let example = set(WRONG_KEY).file(".env.example", format!("STRIPE_SECRET_KEY={right}\n"));
    assert_eq!(decided(&example, WRONG, &[]), "cause");
    // A text that is about any credential does not say which one.
    let header = "net/http: invalid header field value for \"Authorization\"";
    let broken = Project::new().file(".env", format!("STRIPE_SECRET_KEY=\"{right} \"\n"));
    assert_eq!(decided(&broken, header, &[]), "likely");
    // A GUID is a note elsewhere; this text is about it.
    let guid = "0a1b2c3d-0000-4000-8000-00000000000c";
    let azure =
        Project::new().env("AZURE_CLIENT_SECRET", guid).env("AZURE_TENANT_ID", guid).env("AZURE_CLIENT_ID", guid);
    let invalid = "AADSTS7000215: Invalid client secret provided.";
    assert_eq!(decided(&azure, invalid, &[]), "cause");
    assert_eq!(decided(&azure, "AADSTS7000222", &[]), "open");
    let hook = "https://hooks.slack.com/services/T0AB/B0CD/QzWvXkPjHyBdRmTnLsGfCaEu";
    assert_eq!(decided(&Project::new().env("SLACK_BOT_TOKEN", hook), "slack: invalid_auth", &[]), "cause");
    // Where a credential could leak does not affect whether it works.
    let literal = "[messaging.r]\ntoken = 'xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx'\n";
    assert_eq!(decided(&Project::new().file("credlint.toml", literal), "slack: invalid_auth", &[]), "open");
}

/// Next to another service's address, a variable belongs to that service, but is still set.
#[test]
fn set_variables_are_not_reported_as_missing() {
    let pair =
        "AWS_ACCESS_KEY_ID=AKIAQWERTYUIOPASDFGH\nAWS_SECRET_ACCESS_KEY=abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123\n";
    for address in ["https://s3.us-west-005.backblazeb2.com", "https://fra1.digitaloceanspaces.com"] {
        let project = Project::new().file(".env", format!("{pair}AWS_ENDPOINT_URL_S3={address}\n"));
        let run = why(&project, b"An error occurred (InvalidAccessKeyId) when calling the PutObject operation", &[]);
        assert!(
            run.stdout.contains("AWS_ACCESS_KEY_ID") && !run.stdout.contains("no credential under `AWS"),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn options_select_what_is_searched() {
    let project = Project::new()
        .file("deploy/.env", format!("STRIPE_SECRET_KEY={WRONG_KEY}\n"))
        .file("other/.env", "A=b\n")
        .file("credlint.toml", "[messaging.r]\ntoken = 'x'\n")
        .env("STRIPE_SECRET_KEY", "sk_live_abcdefghijklmnopqrstuvwx");
    for (args, wanted) in [
        (&[][..], "likely"),
        // The variables of the process stay.
        (&["--in", "deploy"], "likely"),
        (&["--in", "other"], "open"),
        (&["--env-file", "deploy/.env"], "cause"),
        (&["--in", "other", "--env-file", "deploy/.env"], "cause"),
    ] {
        assert_eq!(decided(&project, WRONG, args), wanted, "{args:?}");
    }
    // The configuration is looked at once, and another one by its path.
    let slack = "slack: invalid_auth";
    let found = json(&project, slack.as_bytes(), &[]);
    assert_eq!(found["answers"][0]["credentials"].as_array().unwrap().len(), 1, "{found:#}");
    assert_eq!(json(&project, slack.as_bytes(), &["--in", "credlint.toml"])["read"]["credentials"], 2);
}

#[test]
fn unreadable_input_is_a_failure() {
    let project = Project::new().file("a.log", WRONG).file("broken/credlint.toml", "[x\n");
    for (args, code) in [
        (&["none.log"][..], 2),
        (&["broken"], 2),
        (&["a.log", "--in", "none"], 2),
        (&["a.log", "--env-file", "none"], 2),
        (&["a.log", "--in", "broken/credlint.toml"], 2),
        (&["a.log", "--format", "sarif"], 2),
        (&["a.log"], 0),
    ] {
        let run = why(&project, b"", args);
        assert_eq!(run.code, code, "{args:?}: {}", run.stderr);
        assert_eq!(run.stdout.is_empty(), code != 0, "{args:?}: {}", run.stdout);
    }
    let run = why(&project.file("broken.env", "CREDLINT_A='x\n"), b"", &["a.log", "--env-file", "broken.env"]);
    assert!(run.code == 2 && run.stderr.contains("[broken.env:1:"), "{}", run.stderr);
}

#[test]
fn hostile_log_is_limited_and_not_repeated() {
    let project = Project::new().env("STRIPE_SECRET_KEY", WRONG_KEY);
    let planted = "xoxb-7391842650-QzWvXkPjHyBd";
    let noise = format!(
        "\u{1b}]0;{planted}\u{7}\u{1b}[2J\u{1b}[31m{planted}\u{1b}[0m `rm -rf /` $(reboot) https://{planted}.slack.com/ ::error::x\r\n\u{202e}"
    );
    let log = format!("{noise}{WRONG}{noise}AADSTS7000215 {noise} slack invalid_auth {noise}");
    for format in ["human", "json"] {
        let run = why(&project, log.as_bytes(), &["--format", format]);
        let text = run.stdout + &run.stderr;
        for piece in [planted, "reboot", "rm -rf", "\u{1b}", "\u{202e}", "::error"] {
            assert!(!text.contains(piece), "{piece:?}: {text}");
        }
        // Errors that the credentials here explain come first.
        assert!(text.find("publishable").unwrap() < text.find("AADSTS").unwrap(), "{text}");
    }
    // Planted text can't push the rest out: the last match of each row is kept, as one answer.
    let flood = format!("{WRONG}\n{}", "AADSTS7000215 slack invalid_auth\n".repeat(20_000));
    assert_eq!(answers(&json(&project, flood.as_bytes(), &[])).len(), 3);
    // Only the end of a long log is searched, from a file and from a pipe alike.
    let long = format!("{WRONG}\n{}AADSTS7000215\n", "x y\n".repeat(1_200_000));
    let project = project.file("long.log", &long);
    for document in [json(&project, long.as_bytes(), &[]), json(&project, b"", &["long.log"])] {
        assert_eq!(answers(&document), ["Azure: AADSTS7000215"]);
        assert_eq!((&document["log"]["cut"], &document["answers"][0]["line"]), (&Value::Bool(true), &Value::Null));
    }
    // As PowerShell redirects output into a file.
    let wide: Vec<u8> = format!("\u{feff}{WRONG}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(json(&project, &wide, &[])["answers"][0]["line"], 1);
    assert_eq!(answers(&json(&project, b"\xff\xfe\x00", &[])), Vec::<String>::new());
}

/// The first answer in short: whose it is, what points to it, the verdict, and the names of the credentials.
fn short(project: &Project, log: &str) -> String {
    let document = json(project, log.as_bytes(), &[]);
    let answer = &document["answers"][0];
    let names = answer["credentials"].as_array().into_iter().flatten().map(|one| one["name"].as_str().unwrap());
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let parts = [text(&answer["whose"]), text(&answer["sign"]["kind"]), text(&answer["decided"])];
    format!("{} {}", parts.join(" "), names.collect::<Vec<_>>().join(","))
}

/// A refusal without a known text leads to the service that is named next to it, and to its values here.
#[test]
fn a_refusal_leads_to_what_is_named_near_it() {
    let right = "sk_live_abcdefghijklmnopqrstuvwx";
    let project = Project::new()
        .file(
            ".env",
            format!(
                "STRIPE_SECRET_KEY={right}\nOPENAI_BASE_URL=https://llm.corp.example/v1\nOPENAI_API_KEY=sk-abc\nMY_APP_SECRET=QzWvXkPj\n\
                 TWINE_PASSWORD=QzWvXkPj\nDB_HOST=db.corp.example\nDB_PASSWORD=QzWvXkPj\n"
            ),
        )
        .env("hftoken", "None");
    for (log, wanted) in [
        ("POST https://api.stripe.com/v1/charges 401\n", "Stripe host open STRIPE_SECRET_KEY"),
        (
            "Error: 401 Unauthorized\n    at https://llm.corp.example/v1/chat\n",
            "OpenAI address open OPENAI_API_KEY,OPENAI_BASE_URL",
        ),
        ("Error: MY_APP_SECRET is invalid\n", "- name open MY_APP_SECRET"),
        ("Missing required environment variable GITHUB_TOKEN\n", "GitHub name not-here "),
        ("401 Client Error for url: https://huggingface.co/api/whoami-v2\n", "Hugging Face host open hftoken"),
        ("HTTPError: 403 Forbidden from https://upload.pypi.org/legacy/\n", "PyPI host open TWINE_PASSWORD"),
        ("unexpected status from GET request to https://ghcr.io/token: 403 Forbidden\n", "GitHub host not-here "),
        ("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string\n", "Databases - open DB_PASSWORD"),
        // Nothing near it names a service, or nothing is refused.
        ("401 Unauthorized\n", "- - - "),
        (&format!("https://api.stripe.com/v1\n{}401 Unauthorized\n", "line\n".repeat(20)), "- - - "),
        ("POST https://api.stripe.com/v1/charges 200\n", "- - - "),
        ("stripe: all 401 tests passed, 403 more\n", "- - - "),
        ("stripe: SyntaxError: Invalid or unexpected token\n", "- - - "),
    ] {
        assert_eq!(short(&project, log), wanted, "{log}");
    }
    let wrong = Project::new().env("STRIPE_SECRET_KEY", WRONG_KEY);
    assert_eq!(short(&wrong, "POST https://api.stripe.com/v1/charges 401\n"), "Stripe host cause STRIPE_SECRET_KEY");
    // Two services are as near: none is called the cause.
    let both = "POST https://api.stripe.com/v1/charges failed\n401 Unauthorized\nhttps://api.github.com/user\n";
    let document = json(&wrong, both.as_bytes(), &[]);
    assert_eq!((answers(&document).len(), document["answers"][0]["decided"].as_str()), (2, Some("likely")));
}

/// A word of a service in a path, a header, the name of a package or a region does not name it, and a stronger sign counts
/// more than a word.
#[test]
fn a_word_in_another_name_is_no_sign() {
    let names = [
        "SLACK_BOT_TOKEN", "GRAFANA_API_KEY", "SMTP_PASSWORD", "GCP_SA_KEY", "AWS_ACCESS_KEY_ID",
        "CARGO_REGISTRY_TOKEN", "NEW_RELIC_LICENSE_KEY", "QUAY_PASSWORD", "GH_PAT",
    ];
    let project = names.iter().fold(Project::new(), |project, name| project.env(name, "made-up"));
    for (log, wanted) in [
        ("< x-slack-shared-secret-outcome: no-match\n< HTTP/2 403\n", "- - - "),
        ("\"GET /api/v1/labels HTTP/1.1\" 401 10 \"-\" \"Grafana/7.3.5\"\n", "- - - "),
        ("GET https://npm.corp.example/nodemailer failed: 401 Unauthorized\n", "- - - "),
        ("https://us-west1-gcp.corp.example answered: 401 Unauthorized\n", "- - - "),
        ("cargo publish --index sparse+https://crates.corp.example/\nerror: got 401\n", "- - - "),
        ("    at /app/node_modules/@slack/web-api/x.js\nError: 401 Unauthorized\n", "Slack word open SLACK_BOT_TOKEN"),
        (
            "There is an AWS secret\nNew Relic payload: [403 Forbidden] {}\n",
            "New Relic client open NEW_RELIC_LICENSE_KEY",
        ),
        ("401 Client Error: UNAUTHORIZED for url: https://quay.io/cnr/api\n", "Registries host open QUAY_PASSWORD"),
        ("GET request to https://ghcr.io/token: 403 Forbidden\n", "GitHub host open GH_PAT"),
    ] {
        assert_eq!(short(&project, log), wanted, "{log}");
    }
    let two = "There is an AWS secret\nNew Relic payload: [403 Forbidden] {}\n";
    assert_eq!(answers(&json(&project, two.as_bytes(), &[])), ["New Relic: forbidden"]);
}

/// A text of one kind of database or one program is about the variables that are named for it.
#[test]
fn a_text_is_about_the_variables_of_its_own_kind() {
    let project = Project::new().file(
        ".env",
        "DATABASE_URL=postgres://a:b@db/x\nMYSQL_PASSWORD=QzWvXkPj\nREDIS_BROKER_PASSWORD=QzWvXkPj\n\
         RESTIC_PASSWORD=QzWvXkPj\nDOCKER_PASS=QzWvXkPj\n",
    );
    for (log, wanted) in [
        ("ReplyError: WRONGPASS invalid username-password pair or user is disabled.\n", "REDIS_BROKER_PASSWORD"),
        (
            "redis: AUTH <password> called without any password configured for the default user.",
            "REDIS_BROKER_PASSWORD",
        ),
        ("Fatal: wrong password or no key found\n", "RESTIC_PASSWORD"),
        ("docker.io: unauthorized: incorrect username or password\n", "DOCKER_PASS"),
        ("https://docker.corp.example/v2/x: no basic auth credentials\n", ""),
    ] {
        let found = short(&project, log);
        assert_eq!(found.rsplit(' ').next(), Some(wanted), "{log}: {found}");
    }
    let absent = |log: &str| json(&Project::new(), log.as_bytes(), &[])["answers"][0]["names"].to_string();
    assert_eq!(absent("(error) NOAUTH Authentication required. redis://x"), r#"["REDIS_URL"]"#);
    assert_eq!(absent("Fatal: wrong password or no key found at /backup ://"), r#"["RESTIC_PASSWORD"]"#);
}

/// What can't be known is not said of an empty variable, and a note does not make a value wrong.
#[test]
fn says_no_more_than_is_known() {
    let empty = Project::new().env("DISCORD_BOT_TOKEN", "");
    let run = why(&empty, b"discord.js: Error [TOKEN_INVALID]: An invalid token was provided.\n", &[]);
    assert!(run.stdout.contains("an empty variable") && !run.stdout.contains("not known"), "{}", run.stdout);
    let token = r#"{"access_token":"QzWvXkPjHyBdRmTnLsGf","token_type":"bearer"}"#;
    let rclone = Project::new().file(".env", format!("RCLONE_CONFIG_ACD_TOKEN={token}\n"));
    let document = json(&rclone, b"HTTP code 401: \"401 Unauthorized\": {\"message\":\"Token has expired\"}\n", &[]);
    assert_eq!(document["doubtful"], Value::Array(Vec::new()), "{document:#}");
    // A word alone is a refusal, too.
    let run = why(&Project::new(), b"HTTP Basic: Access denied\n", &[]);
    assert!(!run.stdout.contains("no sign in the log"), "{}", run.stdout);
}

/// A word with which names here begin leads to them where no row says how logs name the service. An ID or an address leads
/// to the secret that goes with it.
#[test]
fn a_word_of_a_name_here_leads_to_its_values() {
    let names =
        ["NETLIFY_AUTH_TOKEN", "EXPO_TOKEN", "KAFKA_PASSWORD", "SYSTEM_ACCESSTOKEN", "ACME_APP_TOKEN", "INFLUX_TOKEN"];
    let project = names.iter().fold(Project::new(), |project, name| project.env(name, "QzWvXkPjHyBdRmTn"));
    let project = project
        .env("NETLIFY_SITE_ID", "0a1b2c3d-0000-4000-8000-00000000000a")
        .env("ACME_INDEX_URL", "https://index.acme.example/a")
        .env("DOCKER_ACMEDB_HOST", "acmedb.corp.example")
        .env("DOCKER_ACMEDB_TOKEN", "QzWvXkPjHyBdRmTn");
    for (log, wanted) in [
        ("$ netlify deploy\n › Error: Unauthorized\n", "Netlify word open NETLIFY_AUTH_TOKEN,NETLIFY_SITE_ID"),
        ("  NETLIFY_SITE_ID: ***\nError: Unauthorized\n", "Netlify name open NETLIFY_AUTH_TOKEN,NETLIFY_SITE_ID"),
        ("  /x64/node_modules/.bin/expo whoami\n  Request failed with status code 401\n", "- word open EXPO_TOKEN"),
        ("kafka.errors: SaslAuthenticationException: x\n", "- word open KAFKA_PASSWORD"),
        ("E! [outputs.influxdb_v2] failed to write metric: unauthorized\n", "- word open INFLUX_TOKEN"),
        ("https://index.acme.example/a: 403 Forbidden\n", "- address open ACME_APP_TOKEN,ACME_INDEX_URL"),
        (
            "http://acmedb.corp.example:8086/write: 401 Unauthorized\n",
            "- address open DOCKER_ACMEDB_TOKEN,DOCKER_ACMEDB_HOST",
        ),
        // The word is a part of another name, a test has it in its title, or many names begin with it.
        ("GET https://git.corp.example/expo/app: 401 Unauthorized\n", "- - - "),
        ("Unauthorized at /home/netlify/app\n", "- - - "),
        ("  ● netlify › refuses an invalid token\n", "- - - "),
        ("System: 401 Unauthorized\n", "- - - "),
    ] {
        assert_eq!(short(&project, log), wanted, "{log}");
    }
    // Far from the refusal it is listed only.
    let far = json(&project, b"expo build\na\nb\nc\nd\ne\n401 Unauthorized\n", &[]);
    assert_eq!(far["signs"][0]["credentials"][0]["name"], "EXPO_TOKEN", "{far:#}");
    // The colours of a text in JSON are no part of its words.
    let firebase = r#"{"error": "Failed to authenticate, have you run \u001b[1mfirebase login\u001b[22m?"}"#;
    assert_eq!(short(&project, firebase), "Google - not-here ");
}

/// A text is about what its program reads here: the token in an `.npmrc`, or PostgreSQL's own password. One refusal has one
/// answer.
#[test]
fn a_text_is_about_what_its_program_reads() {
    let npm = Project::new().file(".npmrc", format!("//registry.npmjs.org/:_authToken=npm_{}\n", "a1B2c3".repeat(6)));
    for log in [
        "npm error code E401\nnpm error Unable to authenticate, your authentication token seems to be invalid.\n",
        "npm error code ENEEDAUTH\nnpm error need auth You need to authorize this machine using `npm adduser`\n",
        "npm error code E401\nnpm error 401 Unauthorized - PUT https://registry.npmjs.org/@acme%2fapp - You must be logged in\n",
    ] {
        let document = json(&npm, log.as_bytes(), &[]);
        let whose: Vec<_> = document["answers"].as_array().unwrap().iter().map(|one| one["whose"].as_str()).collect();
        let name = &document["answers"][0]["credentials"][0]["name"];
        assert_eq!((whose, name.as_str()), (vec![Some("npm")], Some("_authToken")), "{log}: {document:#}");
    }
    let psql =
        Project::new().file(".env", "MONGO_URL=mongodb://a:b@db/x\nREDIS_URL=redis://a:b@db\nPGPASSWORD=changeme\n");
    let log = "psql: error: FATAL:  password authentication failed for user \"app\"\n";
    assert_eq!(short(&psql, log), "Databases - open PGPASSWORD");
    // Such a word may be the password.
    assert_eq!(json(&psql, log.as_bytes(), &[])["answers"][0]["credentials"][0]["what"], "text");
    // One server stores files under many names.
    let r2 = Project::new().env("R2_SECRET_ACCESS_KEY", "made-up").env("R2_ACCESS_KEY_ID", "made-up");
    let found = short(&r2, "api error SignatureDoesNotMatch: The request signature we calculated does not match");
    assert_eq!(found, "AWS - open R2_SECRET_ACCESS_KEY,R2_ACCESS_KEY_ID");
}

/// The value that the text is about decides, and a note about it is explained.
#[test]
fn the_most_likely_value_decides() {
    let pulumi = Project::new().env("PULUMI_CONFIG_PASSPHRASE", "");
    let log = "error: PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions\n";
    assert_eq!(short(&pulumi, log), "Pulumi - not-here ");
    let smtp = Project::new().env("SMTP_USER", "").env("SMTP_PASSWORD", "QzWvXkPj");
    let run = why(&smtp, b"Error: Invalid login: 535 5.7.3 Authentication unsuccessful\n", &[]);
    assert!(run.stdout.contains("SMTP_PASSWORD (") && !run.stdout.contains("an empty variable is"), "{}", run.stdout);
    let url = Project::new().file(".env", "DATABASE_URL=postgres://u:hun#ter2@db.example.com/app\n");
    let run = why(&url, b"FATAL: password authentication failed for user \"u\"\n", &[]);
    let wanted =
        ["some programs do not accept it: `DATABASE_URL` holds", "percent-encode", "credlint explain wrong-credential"];
    assert!(wanted.iter().all(|text| run.stdout.contains(text)), "{}", run.stdout);
}

/// What is not set was not refused, if another value was.
#[test]
fn a_missing_value_is_no_certain_cause_beside_one_that_is_set() {
    let configuration = "[messaging.reports]\nbase_url = \"https://slack.com\"\ntoken = { env = \"REPORTS_TOKEN\" }\nchannels = [\"C0123456789\"]\n";
    let project = Project::new().file("credlint.toml", configuration);
    let token = "xoxb-739184265017-7391842650173-QzWvXkPjHyBdRmTnLsGfCaEu";
    let log = "Error: invalid_auth from slack.com\n";
    let decided = |project: &Project| json(project, log.as_bytes(), &[])["answers"][0]["decided"].clone();
    assert_eq!(decided(&project), "cause");
    assert_eq!(decided(&project.env("SLACK_BOT_TOKEN", token)), "likely");
}

/// Databases and S3 have many kinds of servers with one text or one row: a credential of another kind is not meant.
#[test]
fn a_credential_of_another_kind_of_server_is_not_meant() {
    let project = Project::new().file(
        ".env",
        "DATABASE_URL=postgres://a:b@db/x\nMONGODB_URI=mongodb://a:b@db/x\nREDIS_URL=redis://a:b@db\n\
         MINIO_ROOT_PASSWORD=QzWvXkPj\nAWS_ACCESS_KEY_ID=AKIAQWERTYUIOPASDFGH\nAWS_SECRET_ACCESS_KEY=QzWvXkPj\n",
    );
    let signature = "SignatureDoesNotMatch: The request signature we calculated does not match";
    for (log, wanted) in [
        ("MongoServerError: bad auth : Authentication failed.", "Databases - open MONGODB_URI"),
        ("FATAL: password authentication failed for user \"a\"", "Databases - open DATABASE_URL"),
        ("failed to connect to postgres: invalid auth", "Databases word open DATABASE_URL"),
        (&format!("http://minio:9000 {signature}"), "MinIO - open MINIO_ROOT_PASSWORD"),
        (signature, "AWS - open AWS_SECRET_ACCESS_KEY,AWS_ACCESS_KEY_ID"),
        // What an address begins with is no sign for another line.
        ("Error status 401: no API key found\nUsing pooler: postgresql://a:b@pooler/x\n", "- - - "),
    ] {
        assert_eq!(short(&project, log), wanted, "{log}");
    }
    // If no other is here, it may be meant.
    let aws = Project::new().env("AWS_SECRET_ACCESS_KEY", "QzWvXkPj");
    assert_eq!(short(&aws, &format!("http://minio:9000 {signature}")), "MinIO - open AWS_SECRET_ACCESS_KEY");
}

/// What the log names comes first, a name that equals a word of the row counts, and so does whose a value is.
#[test]
fn a_log_says_which_variable_is_read() {
    let npm = format!("npm_{}", "a1B2c3".repeat(6));
    let both = Project::new().file(".env", format!("GH_TOKEN=made-up\nNPM_TOKEN={npm}\nNODE_AUTH_TOKEN={npm}\n"));
    let log = "npm error code E401\nunauthenticated: User cannot be authenticated with the token provided.\n\
               //npm.pkg.github.com/:_authToken=${NODE_AUTH_TOKEN}\n";
    assert_eq!(short(&both, log), "GitHub - open NODE_AUTH_TOKEN,GH_TOKEN,NPM_TOKEN");
    let run = why(&both, log.as_bytes(), &[]);
    assert!(run.stdout.contains("a value here is of another service than this text"), "{}", run.stdout);
    let bots = Project::new().file(".env", "BOT_TOKEN=QzWvXkPj\nSLACK_BOT_TOKEN=QzWvXkPj\n");
    assert_eq!(short(&bots, "TelegramError: 404: Not Found\n"), "Telegram - open BOT_TOKEN");
    // An agent that is called alike.
    let telegram = Project::new().env("TELEGRAM_BOT_TOKEN", "QzWvXkPj");
    assert_eq!(short(&telegram, "telegraf: failed to write: 401 Unauthorized\n"), "- - - ");
    // A part of an address that is not judged may be what is wrong.
    let url = Project::new().file(".env", "DATABASE_URL=mysql://a:pa$$#x1@db/x\n");
    let run = why(&url, b"Error: P1000: Authentication failed\n", &[]);
    assert!(run.stdout.contains("does not judge all of these values"), "{}", run.stdout);
}

/// The home directory is not searched, and the answer says so.
#[test]
fn says_that_the_home_directory_was_not_searched() {
    let project = Project::new().file(".env", format!("STRIPE_SECRET_KEY={WRONG_KEY}\n"));
    let home = project.path().to_str().unwrap().to_owned();
    let project = project.env("HOME", &home);
    let run = why(&project, WRONG.as_bytes(), &[]);
    assert!(run.stdout.ends_with("; not this directory: name it with --in\n"), "{}", run.stdout);
    assert_eq!(json(&project, WRONG.as_bytes(), &[])["read"]["directory"], false);
    assert_eq!(json(&project, WRONG.as_bytes(), &["--in", "."])["read"]["directory"], true);
}

/// Without an answer, what the log names is listed; a log without a refusal names nothing.
#[test]
fn a_refusal_of_nobody_lists_what_the_log_names() {
    let project = Project::new().env("STRIPE_SECRET_KEY", WRONG_KEY);
    let far = format!("https://api.stripe.com/v1\n{}401 Unauthorized\n", "line\n".repeat(20));
    let document = json(&project, far.as_bytes(), &[]);
    assert_eq!(
        (&document["refused"]["line"], &document["signs"][0]["whose"]),
        (&Value::from(22), &Value::from("Stripe"))
    );
    assert_eq!(document["signs"][0]["credentials"][0]["name"], "STRIPE_SECRET_KEY");
    let alone = json(&project, b"401 Unauthorized\n", &[]);
    assert_eq!(alone["doubtful"][0]["name"], "STRIPE_SECRET_KEY");
    let run = why(&project, b"401 Unauthorized\n", &[]);
    assert!(
        run.stdout.contains("if that is a refusal, no line near it has a name that credlint knows"),
        "{}",
        run.stdout
    );
    let run = why(&project, b"nothing is known of this\n", &[]);
    assert!(
        run.stdout.starts_with("credlint finds no sign in the log that a credential was refused\n"),
        "{}",
        run.stdout
    );
}

/// A name that can't be resolved, or a port that is no number, may be a piece of a value.
#[test]
fn a_piece_of_a_value_is_no_other_matter() {
    let key = format!("SG.{}.{}", "QzWvXkPjHyBdRmTnLsGfCa", "QzWvXkPjHyBdRmTnLsGfCaQzWvXkPjHyBdRmTnLsGfC");
    let url = "postgres://u:Harbor@tide#1@db/app";
    let env = |text: String| Project::new().file(".env", text);
    for (text, log, decided, piece) in [
        (format!("SMTP_HOST={key}"), format!("Error: getaddrinfo ENOTFOUND {key}\n"), "cause", "value"),
        (format!("DATABASE_URL={url}"), "Error: getaddrinfo ENOTFOUND tide\n".to_owned(), "cause", "part"),
        (
            format!("DATABASE_URL={url}"),
            "could not translate host name \"tide#1@db\" to address: x\n".to_owned(),
            "cause",
            "part",
        ),
        (
            format!("DATABASE_URL={url}"),
            "parse \"postgres://u:Harbor\": invalid port \":Harbor\" after host\n".to_owned(),
            "cause",
            "part",
        ),
        (
            "DB_PASSWORD=Harbor@tide".to_owned(),
            "could not translate host name \"tide@db\" to address\n".to_owned(),
            "cause",
            "part",
        ),
        (
            "DATABASE_URL=postgres://u:p@db.corp/app".to_owned(),
            "dial tcp: lookup db.corp on 127.0.0.11:53: no such host\n".to_owned(),
            "open",
            "host",
        ),
        (
            "SMTP_HOST=mail.corp".to_owned(),
            "getaddrinfo ENOTFOUND mail.corp mail.corp:25\n".to_owned(),
            "open",
            "value",
        ),
        (
            "DATABASE_URL=postgres://u:p@db.corp/app".to_owned(),
            "getaddrinfo ENOTFOUND app\n".to_owned(),
            "not-a-credential",
            "-",
        ),
    ] {
        let document = json(&env(format!("{text}\n")), log.as_bytes(), &[]);
        let answer = &document["answers"][0];
        assert_eq!(
            (answer["decided"].as_str(), answer["piece"].as_str().unwrap_or("-")),
            (Some(decided), piece),
            "{text}: {log}"
        );
    }
    // Another value here is wrong: that is said, too.
    let wrong = Project::new().env("STRIPE_SECRET_KEY", WRONG_KEY);
    let answer = &json(&wrong, b"getaddrinfo ENOTFOUND db.corp\n", &[])["answers"][0];
    assert_eq!(answer["next"][0], "credlint check . --environment", "{answer:#}");
    let run = why(&wrong, b"getaddrinfo ENOTFOUND db.corp\n", &[]);
    assert!(!run.stdout.contains("no credential is in the wrong place"), "{}", run.stdout);
}

#[test]
fn values_without_findings_have_their_lines_and_looks() {
    let hex = "0123456789abcdef0123456789abcdef0123456";
    let key = format!(
        "sk-ant-api03-{}AA",
        "QzWvXkPjHyBdRmTnLsGfCaQzWvXkPjHyBdRmTnLsGfCaQzWvXkPjHyBdRmTnLsGfCaQzWvXkPjHyBdRmTnLsGfCaAbc12"
    );
    let project = Project::new().file(
        ".env",
        format!("A=b\n\n\nOPENAI_BASE_URL=https://llm.corp.example\nOPENAI_API_KEY={key}\nMY_TOKEN={hex}\nMY_PASSWORD={hex}\nCLOUDFLARE_ZONE_ID={hex}\n"),
    );
    let found = |log: &str| {
        let document = json(&project, log.as_bytes(), &[]);
        let first = document["answers"][0]["credentials"][0].clone();
        (first["span"]["start"]["line"].clone(), first["what"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(found("openai: Incorrect API key provided"), (Value::from(5), "an Anthropic key".to_owned()));
    assert_eq!(found("MY_TOKEN is invalid"), (Value::from(6), "39 hex digits".to_owned()));
    assert_eq!(found("MY_PASSWORD is invalid"), (Value::from(7), "text".to_owned()));
    assert_eq!(found("CLOUDFLARE_ZONE_ID is an invalid api_key"), (Value::from(8), "39 hex digits".to_owned()));
    let run = why(&project, b"openai: Incorrect API key provided", &[]);
    assert!(!run.stdout.contains("unknown form, an Anthropic key"), "{}", run.stdout);
    // Two texts about the same values list them once.
    let stripe = Project::new().env("STRIPE_SECRET_KEY", "sk_live_abcdefghijklmnopqrstuvwx");
    let run = why(
        &stripe,
        b"stripe: Invalid API Key provided\nThis API call cannot be made with a publishable API key\n",
        &[],
    );
    assert_eq!(run.stdout.matches("STRIPE_SECRET_KEY (").count(), 1, "{}", run.stdout);
}

/// Further commands, names that programs read, and what was read are printed only where they help.
#[test]
fn an_answer_says_what_to_do_next() {
    let answer = |project: &Project, log: &str| json(project, log.as_bytes(), &[])["answers"][0].clone();
    let list = |answer: &Value, key: &str| {
        let all = answer[key].as_array().unwrap().iter();
        all.map(|one| one.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" | ")
    };
    let right = "sk_live_abcdefghijklmnopqrstuvwx";
    let wrong = answer(&Project::new().env("STRIPE_SECRET_KEY", WRONG_KEY), WRONG);
    assert_eq!(
        (list(&wrong, "next").as_str(), list(&wrong, "names").as_str()),
        ("credlint explain wrong-credential", "")
    );
    let absent = answer(&Project::new(), WRONG);
    assert_eq!(list(&absent, "next"), "");
    assert!(list(&absent, "names").starts_with("STRIPE_SECRET_KEY"), "{absent:#}");
    // If nothing here explains it, the service may be asked about the credential.
    let token = "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx";
    let profile = "[messaging.r]\ntoken = { env = \"T\" }\n";
    for (project, log, next) in [
        (Project::new().env("STRIPE_SECRET_KEY", right), WRONG, ""),
        (Project::new().env("SLACK_BOT_TOKEN", token), "slack: invalid_auth", "credlint verify --environment"),
        (Project::new().file(".env", format!("SLACK_BOT_TOKEN={token}\n")), "slack: invalid_auth", "credlint verify ."),
        (Project::new().file("credlint.toml", profile).env("T", token), "slack: invalid_auth", "credlint verify"),
    ] {
        let answer = answer(&project, log);
        assert_eq!((list(&answer, "next").as_str(), list(&answer, "names").as_str()), (next, ""), "{answer:#}");
    }
    let file = Project::new().file(".env", format!("STRIPE_SECRET_KEY={right}\n"));
    // One rule is explained once, whatever it found.
    let twice = file.file("b/.env", format!("STRIPE_SECRET_KEY={WRONG_KEY}\n"));
    let twice = twice.file("c/.env", format!("STRIPE_SECRET_KEY={WRONG_KEY}x\n"));
    let twice = answer(&twice, WRONG);
    assert_eq!(list(&twice, "next"), "credlint explain wrong-credential");
    let rules: Vec<_> = twice["findings"].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["wrong-credential"; 2]);
    // Credentials with explaining findings come first, then in the order of the row.
    let states: Vec<_> =
        twice["credentials"].as_array().unwrap().iter().map(|one| one["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["wrong", "wrong", "recognised"]);
    let names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];
    let session = names.iter().fold(Project::new(), |project, name| project.env(name, "made-up"));
    let session = answer(&session, "ExpiredToken: The provided token has expired");
    let order: Vec<_> = session["credentials"].as_array().unwrap().iter().map(|one| one["name"].as_str()).collect();
    assert_eq!(order, ["AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].map(Some));
}

/// A credential that is not recognised is not called right.
#[test]
fn only_recognised_values_are_called_right() {
    for (value, so) in [
        ("xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx", "nothing is wrong with the form of these values"),
        ("\u{20}", "does not fit its name"),
        ("QzWvXkPj", "does not judge all of these values"),
        ("", "an empty variable is the same as a missing one"),
    ] {
        let run = why(&Project::new().env("SLACK_BOT_TOKEN", value), b"slack: invalid_auth\n", &[]);
        assert!(run.stdout.contains(so), "{value:?}: {}", run.stdout);
    }
}

#[test]
fn counts_what_was_read() {
    let project = Project::new()
        .file("credlint.toml", "[messaging.r]\ntoken = { env = \"T\" }\n")
        .file(".env", "STRIPE_SECRET_KEY=sk_live_abcdefghijklmnopqrstuvwx\n")
        .file("b/.env", "STRIPE_SECRET_KEY=sk_live_abcdefghijklmnopqrstuvwx\n")
        .env("T", "x")
        .env("STRIPE_SECRET_KEY", "sk_live_abcdefghijklmnopqrstuvwx");
    let read = &json(&project, WRONG.as_bytes(), &[])["read"];
    assert_eq!((&read["files"], &read["credentials"]), (&Value::from(3), &Value::from(4)), "{read}");
    // The home directory's, too.
    assert_eq!(read["variables"], 3, "{read}");
    // A text in several places is one answer.
    let log = format!("first\n{WRONG}\nmore\n{WRONG}\nlast\n");
    let document = json(&project, log.as_bytes(), &[]);
    assert_eq!((answers(&document).len(), &document["answers"][0]["times"]), (1, &Value::from(2)), "{document:#}");
    assert_eq!(document["answers"][0]["line"], 4);
}
