//! Profiles of an app: general rules about kinds apply to them, and `verify` asks about each token separately.

use serde_json::{Value, json};

use credlint::Environment;
use credlint::sandbox::Options;

use crate::formats;
#[cfg(unix)]
use crate::harness;
use crate::harness::{Project, Run};
use crate::verify::{Service, all_scopes, answering, listen};

const BOT: &str = "xoxb-7391842650-QzWvXkPjHyBd";
const APP: &str = "xapp-1-A7QZWVB9XKP-7391842650-tmrflcngsagu";
const ROTATED: &str = "xoxe.xoxb-1-QzWvXkPjHyBdTmRfLcNgSaGu";
const SECRET: &str = "c5b1e7d09f3a4826b7d41e0c93fa5d68";

const FIELDS: &str = "bot_token = { env = 'BOT' }\napp_token = { env = 'APP' }\nsigning_secret = { env = 'SECRET' }\n";

fn project(fields: &str) -> Project {
    let text = format!("[app.d]\n{fields}");
    Project::new().file("credlint.toml", text).env("BOT", BOT).env("APP", APP).env("SECRET", SECRET)
}

fn project_at(base: &str, fields: &str) -> Project {
    project(&format!("{fields}api_url = '{base}'\n"))
}

fn verify(project: &Project) -> (Run, Value) {
    let run = project.run(&["verify", "--format", "json", "--max-wait", "0", "--answer-timeout", "1"]);
    let document = run.document();
    (run, document)
}

/// Severity, rule and key of each finding.
fn found(document: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let line =
        |one: &Value| format!("{} {} {}", text(&one["severity"]), text(&one["rule"]), text(&one["labels"][0]["key"]));
    document["findings"].as_array().unwrap().iter().map(line).collect()
}

/// The state of each credential.
fn states(document: &Value) -> Vec<(&str, &str)> {
    let credentials = document["profiles"][0]["live"]["credentials"].as_array().unwrap().iter();
    credentials.map(|one| (one["field"].as_str().unwrap(), one["state"].as_str().unwrap())).collect()
}

const NOT_VERIFIED: &str = "note unverified app.d.signing_secret";

#[test]
fn each_token_is_verified_but_not_the_signing_secret() {
    let service = Service::start(all_scopes().with_team("T0123456789"));
    let project = project_at(&service.base, FIELDS);
    let (run, document) = verify(&project);
    assert_eq!((run.code, found(&document)), (0, vec![NOT_VERIFIED.to_owned()]), "{}", run.stderr);
    assert_eq!(
        document["profiles"],
        json!([{"kind": "app", "name": "d", "verdict": "unjudged", "live": {
            "state": "alive", "service": service.base, "names": [], "not_asked": [],
            "credentials": [
                {"field": "bot_token", "state": "alive"},
                {"field": "app_token", "state": "alive"},
                {"field": "signing_secret", "state": "unknown"},
            ],
            "token_kind": "bot", "expires_in": null, "workspace": "T0123456789",
            "scopes": ["files:write", "channels:read"], "channels": [], "capabilities": null, "buckets": null,
        }}])
    );
    let report = formats::validator(&formats::strict(formats::schema("docs/schema/report-v1.json")));
    formats::validate(&report, &document, "json");
    let run = project.run(&["verify"]);
    let line = format!(
        "app.d: alive at {}, bot_token alive, app_token alive, signing_secret unknown, bot token of T0123456789, scopes files:write channels:read\n1 profile checked, 1 verified online: 1 note; 1 of unknown form\n",
        service.base
    );
    assert!(run.code == 0 && run.stdout.ends_with(&line), "{}", run.stdout);
    // Both tokens were checked.
    let (run, document) =
        verify(&project_at(&service.base, "bot_token = { env = 'BOT' }\napp_token = { env = 'APP' }\n"));
    assert_eq!((run.code, found(&document)), (0, vec![]));
    assert_eq!(document["profiles"][0]["verdict"], "fits");
}

/// The requests, their recipients and their order.
#[test]
fn each_token_is_sent_in_its_own_request_and_the_signing_secret_never() {
    let ok = (String::new(), r#"{"ok":true}"#.to_owned());
    let (address, heads) = listen(vec![ok.clone(), ok]);
    let (run, document) = verify(&project_at(&format!("http://{address}/team"), FIELDS));
    assert_eq!((run.code, states(&document)[0]), (0, ("bot_token", "alive")), "{}", run.stdout);
    let heads = heads.lock().unwrap();
    for (head, token) in heads.iter().zip([BOT, APP]) {
        assert!(head.starts_with("POST /team/api/auth.test HTTP/1.1\r\n"), "{head}");
        let headers = head.to_lowercase();
        assert_eq!(headers.matches("authorization").count(), 1);
        assert!(head.contains(&format!("Bearer {token}\r\n")), "{head}");
        assert!(!head.contains(SECRET));
    }
    assert_eq!(heads.len(), 2);
    assert!(run.stderr.contains(&format!("asking http://{address} for app.d\n")), "{}", run.stderr);
}

/// The state of the profile is that of the worst token, and the finding points at it.
#[test]
fn a_profile_has_the_state_of_its_worst_token() {
    let answers = |bot: &str, app: &str| {
        let answer = |error: &str| match error {
            "" => r#"{"ok":true}"#.to_owned(),
            error => format!(r#"{{"ok":false,"error":"{error}"}}"#),
        };
        let (address, _) = listen(vec![(String::new(), answer(bot)), (String::new(), answer(app))]);
        verify(&project_at(&format!("http://{address}"), "bot_token = { env = 'BOT' }\napp_token = { env = 'APP' }\n"))
    };
    let dead = |field: &str| format!("error dead-credential app.d.{field}");
    let open = |field: &str| format!("warning unverified app.d.{field}");
    for (bot, app, code, state, findings) in [
        ("", "invalid_auth", 1, "dead", vec![dead("app_token")]),
        ("token_revoked", "", 1, "dead", vec![dead("bot_token")]),
        ("token_expired", "account_inactive", 1, "dead", vec![dead("bot_token"), dead("app_token")]),
        ("internal_error", "", 3, "unknown", vec![open("bot_token")]),
        ("", "not_allowed_token_type", 3, "unknown", vec![open("app_token")]),
        ("internal_error", "invalid_auth", 1, "dead", vec![open("bot_token"), dead("app_token")]),
    ] {
        let (run, document) = answers(bot, app);
        assert_eq!((run.code, found(&document)), (code, findings), "{bot} {app}");
        assert_eq!(document["profiles"][0]["live"]["state"], state, "{bot} {app}");
    }
    let (_, document) = answers("", "invalid_auth");
    assert_eq!(states(&document), [("bot_token", "alive"), ("app_token", "dead")]);
    let finding = &document["findings"][0];
    assert_eq!(finding["message"], "the service rejects `app_token` of `app.d` (invalid_auth): token not recognised");
    assert_eq!(finding["help"], "set `app_token` to a token that is valid at this address");
}

#[test]
fn the_expiry_of_a_rotated_bot_token_is_reported() {
    let service = Service::start(Options::default());
    let (run, document) = verify(&project_at(&service.base, "bot_token = { env = 'BOT' }\n").env("BOT", ROTATED));
    assert_eq!((run.code, found(&document)), (0, vec!["note expiring-credential app.d.bot_token".to_owned()]));
    assert_eq!(document["profiles"][0]["live"]["expires_in"], 43_200);
}

/// There is no service to ask, now or later: neither a failure nor a reason to try again.
#[test]
fn a_signing_secret_alone_is_not_verified() {
    let project = project("signing_secret = { env = 'SECRET' }\n");
    let (run, document) = verify(&project);
    assert_eq!((run.code, found(&document)), (0, vec![NOT_VERIFIED.to_owned()]));
    assert_eq!(states(&document), [("signing_secret", "unknown")]);
    let profile = &document["profiles"][0];
    assert_eq!((&profile["live"]["state"], &profile["live"]["service"]), (&json!("unknown"), &Value::Null));
    assert_eq!(profile["verdict"], "unjudged");
    assert!(!run.stderr.contains("asking"), "{}", run.stderr);
}

/// One service gets both tokens, so its answer about one must not contain the other.
#[test]
fn responses_that_echo_an_app_secret_are_not_quoted() {
    for secret in [BOT, APP, SECRET] {
        let plain: String = secret.chars().filter(char::is_ascii_alphanumeric).collect();
        for piece in [secret.to_owned(), plain.to_uppercase(), plain.to_lowercase()] {
            for body in [
                format!(r#"{{"ok":true,"team_id":"{piece}"}}"#),
                format!(r#"{{"ok":true,"team_id":"T{}"}}"#, &piece[piece.len() - 10..]),
                format!(r#"{{"ok":false,"error":"{piece}"}}"#),
                format!(r#"{{"ok":false,"error":"made_up","response_metadata":{{"messages":["it is {piece}"]}}}}"#),
            ] {
                for format in ["human", "json"] {
                    let text = format!(
                        "HTTP/1.1 200 OK\r\nx-oauth-scopes: files:write,{piece}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                        body.len()
                    );
                    // The first question is about the bot token.
                    let server = answering(text);
                    let words = ["verify", "--max-wait", "0", "--format", format];
                    let run = project_at(&server.base(), FIELDS).run(&words);
                    server.finish();
                    for text in [&run.stdout, &run.stderr].map(|text| text.to_lowercase()) {
                        let held = secret.to_lowercase();
                        let shared =
                            held.as_bytes().windows(8).find(|part| text.contains(std::str::from_utf8(part).unwrap()));
                        assert_eq!(shared, None, "{body}: {text}");
                    }
                }
            }
        }
    }
}

/// No token is sent if the check holds it back, or if its host is not permitted. This includes the default host.
#[test]
fn tokens_of_refused_profiles_are_not_sent() {
    let both = "bot_token = { env = 'BOT' }\napp_token = { env = 'APP' }\n";
    let swapped = "bot_token = { env = 'APP' }\napp_token = { env = 'BOT' }\n";
    let levels =
        "[lint]\nlevels = { wrong-credential = 'off', insecure-base-url = 'off', redirected-credential = 'off' }\n";
    for (fields, hosts, rule, state) in [
        (swapped.to_owned(), None, "wrong-credential", Value::Null),
        (format!("{both}api_url = 'http://chat.example.com'\n"), None, "insecure-base-url", Value::Null),
        (format!("{both}api_url = 'https://slack.com/api'\n"), None, "malformed-address", Value::Null),
        (format!("{both}api_url = 'https://h.example'\n"), Some("slack.com"), "redirected-credential", Value::Null),
        // There is no line to point at for a default address.
        (both.to_owned(), Some("chat.example.com"), "unverified", json!("unknown")),
    ] {
        for tuning in ["", levels] {
            let mut project = project(&format!("{fields}{tuning}")).env("HTTPS_PROXY", "http://127.0.0.1:9");
            if let Some(hosts) = hosts {
                project = project.env("CREDLINT_HOSTS", hosts);
            }
            let (run, document) = verify(&project);
            assert!(found(&document).iter().any(|one| one.contains(rule)), "{fields}: {}", run.stdout);
            assert_eq!(document["profiles"][0]["live"]["state"], state, "{fields}");
            assert!(run.code != 0 && !run.stderr.contains("asking"), "{fields}: {}", run.stderr);
        }
    }
    let user = format!("[app.d]\nbot_token = '{BOT}'\n");
    let redirected = Project::new().user(&user).file("credlint.toml", "[app.d]\napi_url = 'http://127.0.0.1:9'\n");
    let (run, document) = verify(&redirected);
    assert_eq!((run.code, found(&document)), (1, vec!["error redirected-credential app.d.api_url".to_owned()]));
}

#[test]
fn app_profiles_cannot_upload() {
    let run = project(FIELDS)
        .file("report.csv", "a")
        .run(&["upload", "--profile", "app.d", "--channel", "C0123456789", "report.csv"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`app.d` is an app profile; uploads need a messaging profile"), "{}", run.stderr);
    assert!(run.stderr.contains("choose a profile under `messaging`"), "{}", run.stderr);
}

/// What depends on the kind: names of variables, similar names, masks, and where each value comes from.
#[test]
fn app_profiles_are_read_and_listed_like_other_kinds() {
    let variables = [
        ("CREDLINT_APP__D__BOT_TOKEN", BOT),
        ("CREDLINT_APP__D__APP_TOKEN_FILE", "token"),
        ("CREDLINT_APP__D__API_URL", "https://slack.com"),
    ];
    let project =
        variables.iter().fold(Project::new().file("token", APP), |project, (name, value)| project.env(name, *value));
    assert_eq!(project.rules(&[]), Vec::<String>::new());
    let table = project.run(&["profiles", "app.d"]).stdout;
    for field in ["bot_token", "app_token", "api_url", "https://slack.com", "CREDLINT_APP__D__BOT_TOKEN"] {
        assert!(table.contains(field), "{table}");
    }
    assert!(!table.contains(BOT) && !table.contains(APP));
    let misspelt = Project::new().env("CREDLINT_APP__D__BOT_TOKN", BOT).run(&["check"]);
    assert!(misspelt.stdout.contains("CREDLINT_APP__D__BOT_TOKEN"), "{}", misspelt.stdout);
    let loaded =
        credlint::load(&credlint::LoadOptions::new(project.path(), variables.into_iter().collect::<Environment>()));
    assert_eq!(loaded.unwrap().profile_ids()[0].to_string(), "app.d");
    let schema: Value = serde_json::from_str(&Project::new().run(&["schema"]).stdout).unwrap();
    let fields = schema["properties"]["app"]["additionalProperties"]["properties"].as_object().unwrap();
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["api_url", "app_token", "bot_token", "signing_secret"]);
}

#[cfg(unix)]
#[test]
fn an_app_token_file_readable_by_others_is_reported() {
    let project = project("app_token = { file = 'token' }\n").file("token", APP);
    harness::set_mode(&project.path().join("token"), 0o644);
    assert_eq!(project.rules(&[]), ["readable-secret-file"]);
    harness::set_mode(&project.path().join("token"), 0o600);
    assert_eq!(project.rules(&[]), Vec::<String>::new());
}

/// Rules that apply to any secret, or to any address.
#[test]
fn rules_for_all_kinds_apply_to_app_profiles() {
    let shared = Project::new().user(&format!("[app.d]\nsigning_secret = '{SECRET}'\n"));
    let shadowed = shared.env("CREDLINT_APP__D__SIGNING_SECRET", SECRET.replace('c', "d"));
    assert_eq!(shadowed.rules(&[]), ["shadowed-credential"]);
    for (fields, rule) in [
        (format!("signing_secret = '{SECRET}'\n"), "literal-secret"),
        ("signing_secret = 'changeme'\n".to_owned(), "placeholder-credential"),
        ("signing_secret = '${SLACK_SIGNING_SECRET}'\n".to_owned(), "unexpanded-reference"),
        ("signing_secret = { env = 'QUOTED' }\n".to_owned(), "malformed-credential"),
        (format!("{FIELDS}api_url = 'slack.com'\n"), "malformed-address"),
        (format!("{FIELDS}api_url = {{ env = 'BOT' }}\n"), "foreign-credential"),
        ("app_token = { env = 'GITHUB' }\n".to_owned(), "foreign-credential"),
    ] {
        let project = project(&fields)
            .env("QUOTED", format!("\"{SECRET}\""))
            .env("GITHUB", "ghp_abcdefghijklmnopqrstuvwxyz0123456789");
        assert_eq!(project.rules(&[]), [rule], "{fields}");
    }
}
