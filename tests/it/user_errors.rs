//! Messages about mistakes of the user: they must be true, and say what to do.

use crate::harness::Project;
#[cfg(all(feature = "upload", feature = "sandbox"))]
use crate::server::Server;

/// A named file that was not read was not checked, so the check is not done.
#[cfg(target_os = "linux")]
#[test]
fn a_named_file_that_cant_be_read_fails_the_check() {
    // It is a regular file, and its first byte can't be read, not even by root.
    const UNREADABLE: &str = "/proc/self/mem";
    let project =
        Project::new().file("good.env", "A=1\n").file("bad.env", "SLACK_BOT_TOKEN=https://hooks.slack.com/\n");
    for (args, code, summary) in [
        (&[UNREADABLE][..], 3, "0 files read: 1 problem; 1 path could not be read\n"),
        (
            &[UNREADABLE, "good.env"],
            3,
            "1 file read, no credential recognised, nothing found; 1 path could not be read\n",
        ),
        (&["good.env"], 0, "1 file read, no credential recognised, nothing found\n"),
    ] {
        let run = project.run(&[&["check", "--as", "env"], args].concat());
        assert!(run.code == code && run.stdout.ends_with(summary), "{}{}", run.stdout, run.stderr);
        assert_eq!(run.stderr.contains("was not read"), code == 3, "{}", run.stderr);
    }
    let run = project.run(&["check", "--as", "env", "--exit-zero", UNREADABLE]);
    assert_eq!(run.code, 3, "{}", run.stdout);
}

#[test]
fn check_without_input_fails() {
    let project = Project::new().file("notes.txt", "x").file("broken.json", "{\"slack\": ").file("good.env", "A=1\n");
    std::fs::create_dir(project.path().join("empty")).unwrap();
    for (args, code) in [
        (&["empty"][..], 3),
        (&["notes.txt"], 3),
        // It was read line by line, and says so.
        (&["broken.json"], 0),
        (&[".", "--include", "nosuch/"], 3),
        (&["good.env", "--exclude", "*.env"], 3),
        (&[".", "--exclude", "*.env", "--exclude", "*.json"], 3),
        (&["-"], 3),
        (&["good.env", "notes.txt"], 0),
        (&["good.env", "--exclude", "*.json"], 0),
        (&["--environment"], 0),
    ] {
        let (ended, document) = project.check(args);
        assert_eq!(ended, code, "{args:?}");
        let problems = if code == 3 { serde_json::json!("nothing-to-check") } else { serde_json::Value::Null };
        assert_eq!(document["problems"][0]["code"], problems, "{args:?}");
    }
    // Where the list of files is empty, so is the check.
    let run = project.run(&["check", ".", "--include", "nosuch/", "--list"]);
    assert_eq!((run.code, run.stdout.as_str()), (3, ""), "{}", run.stderr);
    let sarif = project.run(&["check", "notes.txt", "--format", "sarif"]).document();
    assert_eq!(sarif["runs"][0]["invocations"][0]["executionSuccessful"], false);
    // It has its own, more severe finding.
    let policy = Project::new().file("policy.toml", "[lint]\nfail_on = 1\n").file("x.txt", "");
    assert_eq!(policy.run(&["check", "x.txt", "--policy", "policy.toml"]).code, 1);
}

/// The patterns used to need a path below the working directory.
#[test]
fn files_elsewhere_can_be_excluded() {
    let elsewhere =
        Project::new().file("vendor/x.env", "SLACK_BOT_TOKEN=https://hooks.slack.com/\n").file("y.env", "A=1\n");
    let project = Project::new();
    let path = |name: &str| elsewhere.path().join(name).to_str().unwrap().to_owned();
    let run = project.run(&["check", &path(""), "--exclude", "vendor/"]);
    assert_eq!(run.stdout, "1 file read, no credential recognised, nothing found\n", "{}", run.stderr);
    assert_eq!(project.run(&["check", &path("vendor/x.env"), "--exclude", "*.env"]).code, 3);
}

#[test]
fn a_file_that_cant_be_parsed_is_named_with_line_and_column() {
    let project =
        Project::new().file("a.json", "{\n  \"slack_token\": \"x\",\n  \"b\":\n").file("b.toml", "slack = 1\n[x");
    let run = project.run(&["check", "."]);
    for said in [
        "`a.json` was read line by line: not valid JSON", "[a.json:3:6]",
        "`b.toml` was read line by line: not valid TOML", "[b.toml:2:",
    ] {
        assert!(run.stdout.contains(said), "{said}: {}", run.stdout);
    }
}

#[test]
fn help_for_several_missing_variables_is_plural() {
    let token = |name: &str, variable: &str| format!("[messaging.{name}]\ntoken = {{ env = \"{variable}\" }}\n");
    let all = |names: &[&str]| names.iter().map(|name| token(&name.to_lowercase(), name)).collect::<String>();
    let project = |names: &[&str]| Project::new().file("credlint.toml", all(names));
    let run = project(&["AAAA", "BBBB", "CCCC", "DDDD"]).run(&["check"]);
    assert!(run.stdout.contains("  help: set them where the deploy runs"), "{}", run.stdout);
    let run = project(&["AAAA"]).run(&["check"]);
    assert!(run.stdout.contains("  help: set it where the deploy runs"), "{}", run.stdout);
    // Details about one of them are below it.
    let run = project(&["AAAA", "BBBB", "CCCC", "DDDD"]).env("DDDDX", "x").run(&["check"]);
    let below = "variable `DDDD` is not set\n    help: did you mean `DDDDX`, which is set?";
    assert!(run.stdout.contains(below) && run.stdout.contains("  help: set them"), "{}", run.stdout);
    let run =
        project(&["AAAA", "BBBB", "CCCC", "DDDD"]).file(".env", "AAAA=1\nBBBB=2\nCCCC=3\nDDDD=4\n").run(&["check"]);
    assert!(run.stdout.contains("`.env` next to the configuration sets them: pass"), "{}", run.stdout);
}

#[test]
fn an_empty_variable_name_or_path_is_reported_as_empty() {
    for (reference, expected) in [
        ("{ env = \"\" }", "the name of the environment variable is empty"),
        ("{ file = \"\" }", "the path of the file is empty"),
    ] {
        let project =
            Project::new().file("credlint.toml", format!("[messaging.r]\ntoken = {reference}\n")).env("_", "x");
        let run = project.run(&["check"]);
        assert!(run.stdout.contains(expected) && !run.stdout.contains("did you mean"), "{}", run.stdout);
    }
}

#[test]
fn an_unbalanced_quote_is_not_reported_as_quotes_around_the_value() {
    const TOKEN: &str = "xoxb-739184265017-7391842650173-QzWvXkPjHyBdRmTnLsGfCaEu";
    for (value, around) in
        [(format!("\"{TOKEN}"), false), (format!("{TOKEN}'"), false), (format!("'\"{TOKEN}\"'"), true)]
    {
        let run = Project::new().env("SLACK_BOT_TOKEN", &value).run(&["check", "--environment"]);
        assert_eq!(run.stdout.contains("has quotes around it"), around, "{}", run.stdout);
        assert_eq!(run.stdout.contains("begins or ends with a quote"), !around, "{}", run.stdout);
    }
}

#[test]
fn an_unexpected_argument_gets_a_suggestion() {
    for (args, tip) in
        [(&["identify", "K005QzWvXkPjHyBdRmTnLsGfCaEu739"][..], "type the value"), (&["init", "mine.toml"], "-o FILE")]
    {
        let run = Project::new().run(args);
        assert!(run.code == 2 && run.stderr.contains(tip), "{}", run.stderr);
        assert!(!run.stderr.contains("QzWv"), "{}", run.stderr);
    }
    let run = Project::new().run(&["verify", "reports"]);
    assert!(run.code == 2 && run.stderr.contains("--profile reports"), "{}{}", run.stdout, run.stderr);
    for args in [&["identify", "--formt", "json"][..], &["init", "--format", "xml"]] {
        let run = Project::new().run(args);
        assert!(!run.stderr.contains("type the value") && !run.stderr.contains("-o FILE"), "{}", run.stderr);
    }
    let run = Project::new().run(&["explain", "mixed-key"]);
    assert!(run.code == 0 && run.stdout.starts_with("mixed-key-pair"), "{}{}", run.stdout, run.stderr);
    let run = Project::new().file("x.env", "A=1\n").run(&["check", "x.env", "-o", "x.env"]);
    assert!(run.code == 2 && run.stderr.contains("is an input of this check"), "{}", run.stderr);
}

#[test]
fn init_with_a_dash_is_told_how_to_print() {
    let project = Project::new();
    for words in [&["init", "-"][..], &["init", "storage", "-"]] {
        let run = project.run(words);
        assert!(run.code == 2 && run.stderr.contains("-o - prints it"), "{}", run.stderr);
    }
    assert!(!project.path().join("credlint.toml").exists());
}

/// Two credentials that are joined are not an assignment.
#[test]
fn a_key_before_a_colon_is_not_an_assignment() {
    let identified = credlint::identify(&["K005QzWvXkPjHyBdRmTnLsGfCaEu739:0051a2b3c4d5e6f0000000001"]);
    assert_eq!(identified.values[0].flaw(), None);
    let identified = credlint::identify(&["B2_KEY: 0051a2b3c4d5e6f0000000001"]);
    assert_eq!(identified.values[0].flaw(), Some("is a whole assignment (`NAME=value`)"));
}

/// Each service has its own code for too many requests; the time to retry is printed for any code.
#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn throttling_is_reported_with_the_time_to_retry() {
    for (retry, expected) in [("Retry-After: 600\r\n", "in 10 minutes"), ("", "later")] {
        for code in ["too_many_requests", "slow_down_please"] {
            let body = format!("{{\"status\":429,\"code\":\"{code}\",\"message\":\"m\"}}");
            let head = format!("Content-Type: application/json\r\n{retry}Content-Length: {}\r\n", body.len());
            let answer = format!("HTTP/1.1 429 Too Many Requests\r\n{head}\r\n{body}");
            let service = Server::start(move |connection| {
                connection.read_head();
                connection.send(answer.as_bytes());
            });
            let profile = format!(
                "[storage.s]\napi_url = \"{}\"\napplication_key_id = \"0051a2b3c4d5e6f0000000001\"\n\
                 application_key = {{ env = \"K\" }}\n",
                service.base()
            );
            let project = Project::new().file("credlint.toml", profile).env("K", "K005QzWvXkPjHyBdRmTnLsGfCaEu739");
            let run = project.run(&["verify", "--max-wait", "0"]);
            assert_eq!(run.code, 3, "{}", run.stderr);
            assert!(run.stdout.contains(&format!("help: too many requests: try again {expected}\n")), "{}", run.stdout);
            assert!(run.stdout.contains("storage.s: not verified at ") && run.stdout.contains(", 0 verified online"));
        }
    }
}
