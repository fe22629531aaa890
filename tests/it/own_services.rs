//! `services` in `[lint]`: a project's own services, what a hostile one can't do, and what a right one does in every input.

use std::fmt::Write as _;

use crate::harness::{FORMATS, Project, Run, set_mode};
use crate::paths::with_input;

/// The example of the documentation.
pub const ACME: &str = r#"name = "Acme Pay"
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

[[error]]
texts = ["acme: token rejected"]
about = ["token"]
meaning = "Acme Pay does not know the token"
next_step = "compare it with the console's page Keys"
"#;

/// What names the file.
pub const LINT: &str = "[lint]\nservices = [\"acme.toml\"]\n";

const LIVE: &str = "acme_live_q7w2e9r4t6y1u8i3o5p0a7s2d9f4g6h1";
const PUBLISHABLE: &str = "acmepub_live_q7w2e9r4t6y1u8i3o5p0a7s2";
const PUBLISHABLE_TEST: &str = "acmepub_test_q7w2e9r4t6y1u8i3o5p0a7s2";
const STRIPE: &str = "sk_live_51H8xTuKq2WmZpYvRb7NcJd4E";
const BOT: &str = "xoxb-739184265017-7391842650173-QzWvXkPjHyBdRmTnLsGfCaEu";

fn with_service(service: &str) -> Project {
    Project::new().file("credlint.toml", LINT).file("acme.toml", service)
}

fn findings(run: &Run) -> Vec<[String; 2]> {
    let document = run.document();
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let one = |finding: &serde_json::Value| [word(&finding["rule"]), word(&finding["severity"])];
    document["findings"].as_array().unwrap().iter().map(one).collect()
}

/// The rules of the findings in a dotenv file, beside this service.
fn rules(service: &str, env: &str) -> Vec<String> {
    let project = with_service(service).file(".env", env);
    let run = project.run(&["check", "--format", "json", ".env"]);
    assert!(run.code < 2, "{}{}", run.stdout, run.stderr);
    findings(&run).into_iter().filter(|[_, severity]| severity != "note").map(|[rule, _]| rule).collect()
}

/// Without a project's service, the same.
fn rules_without(env: &str) -> Vec<String> {
    let run = Project::new().file(".env", env).run(&["check", "--format", "json", ".env"]);
    findings(&run).into_iter().filter(|[_, severity]| severity != "note").map(|[rule, _]| rule).collect()
}

// ── A hostile service ───────────────────────────────────────────────────────────────────────────────────────────────

/// A service that claims every value.
const GREEDY: &str = r#"name = "Greedy"
words = ["GREEDY"]
[form.all]
noun = "a greedy value"
patterns = ['[!-~]+']
sample = "{w*9}"
public = true
[field.all]
takes = ["all"]
names = [{ words = ["TOKEN", "KEY", "SECRET", "PASSWORD"], words_between = true }]
"#;

/// Its forms are asked last, only in its own fields, never for wrappings and never by form alone.
#[test]
fn a_form_that_matches_everything_changes_nothing_outside_of_its_fields() {
    for env in [
        format!("STRIPE_SECRET_KEY={STRIPE}\n"),
        format!("STRIPE_SECRET_KEY={BOT}\n"),
        format!("SLACK_BOT_TOKEN=\"'{BOT}'\"\n"),
        format!("SLACK_BOT_TOKEN={BOT}{BOT}\n"),
        format!("SLACK_BOT_TOKEN=Bearer {BOT}\n"),
        format!("NEXT_PUBLIC_FOO={STRIPE}\n"),
        format!("FOO={BOT}\nAPI_TOKEN=hunter2hunter2\n"),
        "STRIPE_SECRET_KEY=changeme\nSENDGRID_API_KEY=${KEY}x\nOPENAI_API_KEY=https://example.com/x\n".to_owned(),
        format!("STRIPE_SECRET_KEY=\"{LIVE}\"\n"),
    ] {
        assert_eq!(rules(GREEDY, &env.replace("GREEDY", "x")), rules_without(&env), "{env}");
    }
    // In its own field, what is known of a value comes first.
    for (value, rule) in [
        (BOT.to_owned(), Some("foreign-credential")),
        (STRIPE.to_owned(), Some("foreign-credential")),
        (format!("'\"{BOT}\"'"), Some("malformed-credential")),
        ("changeme".to_owned(), None),
        ("q7w2e9r4t6y1".to_owned(), None),
    ] {
        let found = rules(GREEDY, &format!("GREEDY_TOKEN={value}\n"));
        assert_eq!(found, rule.into_iter().collect::<Vec<_>>(), "{value}");
    }
    // By the value alone nothing is known.
    let project = with_service(ACME);
    let run = with_input(&project, &["identify"], LIVE.as_bytes());
    assert!(
        run.code == 0 && run.stdout.contains("unknown form") && !run.stdout.contains("API token"),
        "{}",
        run.stdout
    );
    assert_eq!(rules(ACME, &format!("NEXT_PUBLIC_FOO={LIVE}\nFOO_TOKEN={PUBLISHABLE}\n")), [""; 0]);
}

#[test]
fn a_word_of_a_built_in_service_anywhere_in_a_name_wins() {
    for name in [
        "GREEDY_STRIPE_SECRET_KEY", "STRIPE_GREEDY_SECRET", "GREEDY_SLACK_TOKEN", "GREEDY_AWS_SECRET",
        "GREEDY_NEW_RELIC_TOKEN", "GREEDY_DATABASE_PASSWORD", "MY_GITHUB_GREEDY_TOKEN", "greedyStripeSecretKey",
    ] {
        for value in [BOT, STRIPE, LIVE, "changeme"] {
            let env = format!("{name}={value}\n");
            assert_eq!(rules(GREEDY, &env), rules_without(&env), "{env}");
        }
    }
}

/// Every value that is planted, in every format, also in what `identify`, `why`, `explain` and `services` print.
#[test]
fn nothing_of_a_value_becomes_printable() {
    let secret = "hunter2.q7w2e9r4/t6y1u8i3o5";
    let hostile = r#"name = "Hostile"
words = ["HOSTILE"]
[form.all]
noun = "a value"
patterns = ['(?<first>hunter[2])[.](?<second>[0-9a-z/]+)']
sample = "{w*9}"
public = true
[form.some]
noun = "a second value"
patterns = ['(?<first>hunter[3])[.](?<second>[0-9a-z/]+)']
sample = "{w*8}"
public = true
[field.one]
takes = ["some"]
names = [{ words = ["TOKEN"] }]
purpose = "id"
[[field.one.mistake]]
forms = ["all"]
repair = "set it"
[field.two]
takes = ["all"]
names = [{ words = ["NAME"] }]
purpose = "name"
[field.three]
takes = ["some"]
names = [{ words = ["KEY"] }]
[[relation]]
agree = "first"
fields = ["two", "three"]
advice = "copy both"
"#;
    let env = format!("HOSTILE_TOKEN={secret}\nHOSTILE_NAME={secret}\nHOSTILE_KEY=hunter3.q7w2e9r4/t6y1u8i3o5\n");
    let project = with_service(hostile).file(".env", &env);
    let project =
        project.env("HOSTILE_TOKEN", secret).env("HOSTILE_NAME", secret).file("log", "acme: token rejected\n");
    let mut printed = String::new();
    for format in FORMATS {
        let run = project.run(&["check", "--format", format, ".", "--environment", "-v"]);
        assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
        let _ = write!(printed, "{}{}", run.stdout, run.stderr);
    }
    let run = with_input(&project, &["identify", "--format", "json"], env.as_bytes());
    let _ = write!(printed, "{}{}", run.stdout, run.stderr);
    let run = with_input(&project, &["identify"], env.as_bytes());
    let _ = write!(printed, "{}{}", run.stdout, run.stderr);
    for words in [&["why", "log"][..], &["exec", "--", "true"]] {
        let run = project.run(words);
        let _ = write!(printed, "{}{}", run.stdout, run.stderr);
    }
    assert!(printed.contains("mixed-credentials") && printed.contains("wrong-credential"), "{printed}");
    for part in ["hunter2", "hunter3", "q7w2e9r4", "t6y1u8i3o5"] {
        assert!(!printed.contains(part), "{part}: {printed}");
    }
}

/// What a file can't say, with its line.
#[test]
fn what_a_file_of_a_project_cannot_say() {
    let after = |more: &str| format!("{ACME}{more}");
    let many = |count: usize, row: &dyn Fn(usize) -> String| (0..count).map(row).collect::<String>();
    let form = |number: usize| {
        format!("[form.f{number}]\nnoun = 'a key'\npatterns = ['k{number}_[a-z]+']\nsample = 'k{number}_{{w*9}}'\n")
    };
    let pattern = |pattern: &str| ACME.replace("acme_(?<mode>live|test)_[0-9a-z]{32}", pattern);
    for (service, message) in [
        // What is built in.
        (ACME.replace("[\"ACME\"]", "[\"STRIPE\"]"), "acme.toml:2: `STRIPE` is a word of Stripe"),
        (ACME.replace("\"TOKEN\", ", "\"SLACK_BOT_TOKEN\", "), "acme.toml:17: `ACME_SLACK_BOT_TOKEN`"),
        (ACME.replace("\"TOKEN\", ", "\"STRIPE_TOKEN\", "), "acme.toml:17: `ACME_STRIPE_TOKEN`"),
        (ACME.replace("[\"ACME\"]", "[\"MY_AWS\"]"), "acme.toml:2: `MY_AWS`"),
        (ACME.replace("\"TOKEN\", ", "\"ACCESS_KEY_ID\", "), "acme.toml:17: `ACME_ACCESS_KEY_ID`"),
        // Hosts, and what only built-in services have.
        (
            after("[[host]]\nhosts = ['evil.example']\nserves = 'api'\nhome = 'https://evil.example'\n"),
            "acme.toml:36: `host` is not for a service of a project",
        ),
        (
            after("[[at]]\nhosts = ['evil.example']\nwhose = 'x'\nfield = 'token'\n"),
            "acme.toml:36: `at` is not for a service of a project",
        ),
        (format!("at_as = 'aws'\n{ACME}"), "acme.toml:1: `at_as` is not for a service of a project"),
        (format!("shared = true\n{ACME}"), "acme.toml:1: `shared` is not for a service of a project"),
        (format!("kind = 'messaging'\n{ACME}"), "acme.toml:1: `kind` is not for a service of a project"),
        (format!("api = ['URL']\n{ACME}"), "acme.toml:1: `api` is not for a service of a project"),
        (
            after("[[refusal]]\nadvice = 'x'\ncodes = { invalid_auth = 'x' }\n"),
            "acme.toml:36: `refusal` is not for a service of a project",
        ),
        (
            after("[field.x]\nkind = 'storage'\ntakes = ['token']\nnames = [{ words = ['X'] }]\n"),
            "acme.toml:37: `kind` is not for a service of a project",
        ),
        (
            after("[field.x]\nhint = true\ntakes = ['token']\nnames = [{ words = ['X'] }]\n"),
            "acme.toml:37: `hint` is not for a service of a project",
        ),
        (
            ACME.replace("public = true", "protocol = 's3'"),
            "acme.toml:13: `protocol` is not for a service of a project",
        ),
        (ACME.replace("public = true", "purpose = 'path'"), "acme.toml:9: "),
        (ACME.replace("takes = [\"token\"]", "takes = [\"token\"]\npurpose = 'any'"), "acme.toml:15: "),
        (
            ACME.replace("agree = \"mode\"", "agree = \"mode\"\nwords = ['live']"),
            "acme.toml:28: `words` is not for a service of a project",
        ),
        (ACME.replace("fields = [\"token\", ", "fields = [\"token\", \"stripe/secret_key\", "), "acme.toml:26: "),
        (
            ACME.replace("agree = \"mode\"", "agree = \"mode\"\nsigned_by = 'token'"),
            "acme.toml:28: `signed_by` is not for",
        ),
        (ACME.replace("\"API_TOKEN\"] }", "\"API_TOKEN\"], tuple = 'x' }"), "acme.toml:17: `tuple` is not for"),
        (ACME.replace("about = [\"token\"]", "about = [\"stripe/secret_key\"]"), "acme.toml:31: "),
        (ACME.replace("about = [\"token\"]", "about = [\"token\"]\nothers = ['messaging/token']"), "acme.toml:34: "),
        (ACME.replace("about = [\"token\"]\n", ""), "acme.toml:31: "),
        (ACME.replace("acme: token rejected", "unauthorized"), "acme.toml:32: "),
        // Bounds.
        (after(&many(70, &form)), "acme.toml:"),
        (pattern(&"x".repeat(600)), "acme.toml:6: a pattern has at most"),
        (pattern("(?:(?:[a-z]{1,300}){1,300}){1,300}"), "acme.toml:6: the pattern is too large"),
        (pattern("(?:[a-z]?){60}[a-z]*"), "acme.toml:6: the patterns of the file take too long"),
        (pattern("(((((((((((((((((((((a{20}){20}){20}){20}){20}){20})))))))))))))))){20}"), "acme.toml:6: "),
        (ACME.replace("\"ACME\"", &many(30, &|number| format!("'ACME{number}', "))), "acme.toml:2: "),
        (ACME.replace("an API token", &"x".repeat(2000)), "acme.toml:5: "),
        (after(&format!("# {}\n", "x".repeat(100_000))), "acme.toml"),
        // What is printed can't control a terminal, a page or a job.
        (ACME.replace("an API token", "an \\u001b[2J token"), "acme.toml:5: "),
        (ACME.replace("an API token", "an [x](https://evil.example)"), "acme.toml:5: "),
        (ACME.replace("an API token", "an\\n::error::token"), "acme.toml:5: "),
        (ACME.replace("an API token", "an <img src=x>"), "acme.toml:5: "),
        // Mistakes of any file.
        (ACME.replacen("noun", "nown", 1), "acme.toml:5: unknown field `nown`"),
        (ACME.replace("'acme_(", "'acme_(("), "acme.toml:6: not a regular expression: unclosed group"),
        (ACME.replace("takes = [\"token\"]", "takes = [\"tokens\"]"), "acme.toml:16: there is no form `tokens`"),
        (ACME.replace("\"TOKEN\", ", "\"TOKEN\", \"PUBLISHABLE_KEY\", "), "acme.toml:"),
        ("name = ".to_owned(), "acme.toml:1: "),
        (String::new(), "acme.toml:1: "),
    ] {
        let project = with_service(&service).file(".env", "A=1\n");
        for words in [&["check", "."][..], &["check"], &["check", "--environment"], &["services"]] {
            let run = project.run(words);
            assert_eq!(run.code, 2, "{words:?} {message}: {}{}", run.stdout, run.stderr);
            assert!(run.stderr.contains(message), "{message}: {}", run.stderr);
        }
        // Nothing is started.
        assert_eq!(project.run(&["exec", "--", "true"]).code, 125, "{message}");
    }
}

/// Nor can a token in it be read in a message.
#[test]
fn a_credential_in_the_file_is_refused_and_not_repeated() {
    for (from, to) in [
        ("acme_live_{w*32}", BOT),
        ("acme_live_{w*32}", LIVE),
        ("an API token", BOT),
        ("\"ACME\"", "\"xoxb-1-2-abcdefghijkl\""),
        ("name = \"Acme Pay\"", "name = 1\nnoun = \"xoxb-1-2-abcdefghijkl\""),
        ("copy both from the same mode", STRIPE),
        ("[form.token]", "[form.sk_live_51H8xTuKq2WmZpYvRb7NcJd4E]"),
    ] {
        let project = with_service(&ACME.replacen(from, to, 1));
        for format in FORMATS {
            let run = project.run(&["check", "--format", format, "."]);
            let printed = run.stdout + &run.stderr;
            assert_eq!(run.code, 2, "{to}: {printed}");
            for part in [to, "xoxb-1-2", "51H8xTuKq2", "QzWvXkPjHyBd", "q7w2e9r4t6"] {
                assert!(!printed.contains(part), "{part}: {printed}");
            }
        }
    }
}

#[test]
fn a_file_is_of_the_project_and_has_a_name_of_its_own() {
    let write = |project: &Project, path: &str, text: &str| {
        std::fs::write(project.path().join(path), text).unwrap();
    };
    for (named, why) in [
        ("../acme.toml", "below the directory"),
        ("sub/../acme.toml", "below the directory"),
        ("/etc/hostname", "below the directory"),
        ("missing.toml", "no such file"),
        ("stripe.toml", "built in"),
        ("messaging.toml", "built in"),
        ("template.toml", "built in"),
        ("Acme.toml", "small letters"),
        ("sub", "directory"),
        ("link.toml", "below the directory"),
        ("", "below the directory"),
    ] {
        let project =
            Project::new().file("credlint.toml", format!("[lint]\nservices = ['{named}']\n")).file("sub/x", "");
        for file in ["stripe.toml", "messaging.toml", "template.toml", "Acme.toml", "../acme.toml"] {
            write(&project, file, ACME);
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("../acme.toml", project.path().join("link.toml")).unwrap();
        let run = project.run(&["check", "."]);
        assert_eq!(run.code, 2, "{named}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(why), "{named}: {}", run.stderr);
    }
    // Two files of one name, or one word.
    let twice = Project::new().file("credlint.toml", "[lint]\nservices = ['acme.toml', 'a/acme.toml']\n");
    let run = twice.file("acme.toml", ACME).file("a/acme.toml", ACME).run(&["check", "."]);
    assert!(run.code == 2 && run.stderr.contains("acme"), "{}", run.stderr);
    let words = Project::new().file("credlint.toml", "[lint]\nservices = ['acme.toml', 'acme2.toml']\n");
    let run = words.file("acme.toml", ACME).file("acme2.toml", ACME).run(&["check", "."]);
    assert!(run.code == 2 && run.stderr.contains("acme2.toml:2: `ACME` is a word of Acme Pay"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn a_pipe_and_a_file_of_another_user_are_not_read() {
    let project = Project::new().file("credlint.toml", LINT);
    let made = std::process::Command::new("mkfifo").arg(project.path().join("acme.toml")).status().unwrap();
    assert!(made.success());
    let run = project.run(&["check", "."]);
    assert!(run.code == 2 && run.stderr.contains("not a regular file"), "{}", run.stderr);
    if std::fs::metadata("/proc/self").is_ok_and(|meta| std::os::unix::fs::MetadataExt::uid(&meta) == 0) {
        let project = with_service(ACME).file(".env", format!("ACME_TOKEN={PUBLISHABLE}\n"));
        set_mode(&project.path().join("acme.toml"), 0o644);
        std::os::unix::fs::chown(project.path().join("acme.toml"), Some(12345), None).unwrap();
        let run = project.run_unprivileged(&["check", "."]);
        assert!(run.code == 2 && run.stderr.contains("another user"), "{}{}", run.stdout, run.stderr);
        // Of a configuration of another user nothing is added.
        let project = with_service(ACME).file(".env", format!("ACME_TOKEN={PUBLISHABLE}\n"));
        set_mode(&project.path().join("credlint.toml"), 0o644);
        std::os::unix::fs::chown(project.path().join("credlint.toml"), Some(12345), None).unwrap();
        let run = project.run_unprivileged(&["check", "."]);
        assert!(run.code == 0 && run.stderr.contains("`services` is not used"), "{}{}", run.stdout, run.stderr);
    }
}

/// A pull request can't make a check slow.
#[test]
fn hostile_patterns_stay_fast() {
    let patterns = ["(?:[a-z]?){60}[a-z]{60}", "(?:[a-z]*b){20}[a-z]*"];
    let mut service = "name = 'Slow'\nwords = ['SLOW']\n".to_owned();
    for number in 0..2 {
        let pattern = patterns[number % patterns.len()];
        let _ = write!(service, "[form.f{number}]\nnoun = 'a key'\npatterns = ['{pattern}']\nsample = '{{w*9}}'\n");
    }
    service += "[field.token]\ntakes = ['f0', 'f1']\nnames = [{ words = ['TOKEN'] }]\n";
    let long = "ab".repeat(1000);
    let env: String = (0..200).fold(String::new(), |mut env, number| {
        let _ = writeln!(env, "SLOW_TOKEN_{number}={long}");
        env
    });
    let project = with_service(&service).file(".env", env);
    let started = std::time::Instant::now();
    let run = project.run(&["check", ".env"]);
    assert!(run.code < 2, "{}", run.stderr);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

// ── A right service ─────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn values_are_judged_in_every_input() {
    let wrong = || {
        with_service(ACME)
            .file(".env", format!("ACME_TOKEN={PUBLISHABLE}\n"))
            .file("app.yaml", format!("acme:\n  token: {PUBLISHABLE}\n"))
            .file("run.sh", format!("export CI_ACME_API_TOKEN={PUBLISHABLE}\n"))
            .file("deep/values.json", format!("{{\"env\": {{\"acmeToken\": \"{PUBLISHABLE}\"}}}}\n"))
            .env("ACME_TOKEN_PROD", PUBLISHABLE)
    };
    for arguments in [
        &["check", "--format", "json", "."][..],
        &["check", "--format", "json", "app.yaml"],
        &["check", "--format", "json", "run.sh"],
        &["check", "--format", "json", "deep/values.json"],
        &["check", "--format", "json", "--environment"],
        &["check", "--format", "json", "--environment", "--env-file", ".env"],
    ] {
        let run = wrong().run(arguments);
        assert_eq!(run.code, 1, "{arguments:?}: {}{}", run.stdout, run.stderr);
        let found = findings(&run);
        assert!(found.iter().all(|[rule, severity]| rule == "wrong-credential" && severity == "error"), "{found:?}");
        assert!(run.stdout.contains("holds a publishable key, not an API token"), "{}", run.stdout);
        assert!(!(run.stdout + &run.stderr).contains("q7w2e9"), "{arguments:?}");
    }
    let text = format!("ACME_TOKEN={PUBLISHABLE}\n");
    let run = with_input(&wrong(), &["check", "--format", "json", "-"], text.as_bytes());
    assert_eq!(findings(&run), [["wrong-credential", "error"]]);
    let run = wrong().run(&["exec", "--", "true"]);
    assert!(run.code == 125 && run.stderr.contains("ACME_TOKEN_PROD"), "{}", run.stderr);
    let right = with_service(ACME).env("ACME_TOKEN", LIVE).env("ACME_PUBLISHABLE_KEY", PUBLISHABLE);
    let run = right.run(&["exec", "--", "true"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = right.run(&["check", "--environment", "-v"]);
    assert!(
        run.stderr.contains("ACME_TOKEN            recognised  an API token       ACME_PUBLISHABLE_KEY  environment"),
        "{}",
        run.stderr
    );
}

#[test]
fn rules_of_other_services_apply() {
    for (env, rule) in [
        (format!("ACME_TOKEN={LIVE}\nACME_PUBLISHABLE_KEY={PUBLISHABLE}\n"), None),
        (format!("ACME_TOKEN={LIVE}\nACME_PUBLISHABLE_KEY={PUBLISHABLE_TEST}\n"), Some("mixed-credentials")),
        (format!("ACME_TOKEN={BOT}\n"), Some("foreign-credential")),
        // What is wrapped is unknown, and a note.
        (format!("ACME_TOKEN='\"{LIVE}\"'\n"), None),
        // In a file that git would commit, a note.
        ("ACME_TOKEN=changeme\n".to_owned(), None),
        (format!("NEXT_PUBLIC_ACME_TOKEN={LIVE}\n"), Some("exposed-credential")),
        (format!("NEXT_PUBLIC_ACME_PUBLISHABLE_KEY={PUBLISHABLE}\n"), None),
        ("ACME_TOKEN=of-no-known-form\n".to_owned(), None),
        (format!("STRIPE_SECRET_KEY={STRIPE}\nACME_TOKEN={LIVE}\n"), None),
    ] {
        assert_eq!(rules(ACME, &env), rule.into_iter().collect::<Vec<_>>(), "{env}");
    }
}

#[test]
fn a_service_is_identified_listed_explained_and_looked_for_in_logs() {
    let project =
        with_service(ACME).file(".env", format!("ACME_TOKEN={PUBLISHABLE}\n")).file("log", "Acme: token rejected\n");
    let line = format!("ACME_TOKEN={PUBLISHABLE}\n");
    let run = with_input(&project, &["identify"], line.as_bytes());
    assert!(run.code == 1 && run.stdout.contains("ACME_TOKEN: a publishable key"), "{}", run.stdout);
    let run = with_input(&project, &["identify"], format!("ACME_TOKEN={LIVE}\n").as_bytes());
    assert!(run.code == 0 && run.stdout.contains("ACME_TOKEN: an API token"), "{}", run.stdout);
    assert!(project.run(&["services"]).stdout.contains("ACME_TOKEN, ACME_PUBLISHABLE_KEY"));
    let run = project.run(&["services", "acme"]);
    assert!(run.code == 0 && run.stdout.contains("# Acme Pay") && run.stdout.contains("page Keys"), "{}", run.stdout);
    let document = project.run(&["services", "--format", "json"]).document();
    assert!(document["services"].as_array().unwrap().iter().any(|service| service["id"] == "acme"));
    let run = project.run(&["explain", "ACME_TOKEN"]);
    assert!(run.code == 0 && run.stdout.contains("acme/token"), "{}", run.stdout);
    assert_eq!(project.run(&["explain", "acme/token"]).code, 0);
    let run = project.run(&["why", "log"]);
    assert!(run.code == 0 && run.stdout.contains("Acme Pay does not know the token"), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("ACME_TOKEN") && run.stdout.contains("wrong-credential"), "{}", run.stdout);
}

#[test]
fn a_name_of_the_project_may_mean_its_field() {
    let config = format!("{LINT}[names]\nPAY_KEY = 'acme/token'\n");
    let project = Project::new().file("credlint.toml", config).file("acme.toml", ACME);
    assert_eq!(project.file(".env", format!("PAY_KEY={PUBLISHABLE}\n")).rules(&[".env"]), ["wrong-credential"]);
}

#[test]
fn a_policy_names_services_and_the_user_does_not() {
    let env = format!("ACME_TOKEN={PUBLISHABLE}\n");
    let project = Project::new().file("ci/policy.toml", LINT).file("ci/acme.toml", ACME).file(".env", &env);
    assert_eq!(project.rules(&[".env", "--policy", "ci/policy.toml"]), ["wrong-credential"]);
    assert_eq!(project.rules(&[".env"]), [""; 0]);
    // The same file named twice is one.
    let project =
        Project::new().file("credlint.toml", LINT).file("acme.toml", ACME).file("policy.toml", LINT).file(".env", &env);
    assert_eq!(project.rules(&[".env", "--policy", "policy.toml"]), ["wrong-credential"]);
    // A laptop and the pipeline must agree.
    let project =
        Project::new().user(LINT).file("credlint.toml", "[storage.x]\n").file(".env", &env).file("acme.toml", ACME);
    std::fs::write(project.home().join(".config/credlint/acme.toml"), ACME).unwrap();
    assert_eq!(project.rules(&[".env"]), [""; 0]);
    assert!(project.rules(&[]).contains(&"unknown-field".to_owned()));
    // --isolated is without the project's configuration, and --config in its place.
    let project = Project::new().file("x/other.toml", LINT).file("x/acme.toml", ACME).env("ACME_TOKEN", PUBLISHABLE);
    let rules = |words: &[&str]| project.rules(words);
    assert_eq!(rules(&["--environment", "--config", "x/other.toml"]), ["wrong-credential"]);
    assert_eq!(rules(&["--environment"]), [""; 0]);
}

#[test]
fn what_does_not_act_is_said() {
    // A list that is none.
    for value in ["1", "'acme.toml'", "[1]"] {
        let project = Project::new().file("credlint.toml", format!("[lint]\nservices = {value}\n[storage.x]\n"));
        assert!(project.rules(&[]).contains(&"wrong-type".to_owned()), "{value}");
    }
    // A process has one catalogue: that of the configuration that applies to it.
    let project = Project::new().file("sub/credlint.toml", LINT).file("sub/acme.toml", ACME);
    let run = project.file("sub/.env", format!("ACME_TOKEN={PUBLISHABLE}\n")).run(&["check", "."]);
    assert!(run.code == 0 && run.stderr.contains("`services` of sub/credlint.toml"), "{}{}", run.stdout, run.stderr);
    // A report does not replace the file.
    let project = with_service(ACME).file(".env", "A=1\n");
    let run = project.run(&["check", ".", "--output", "acme.toml"]);
    assert!(run.code == 2, "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(project.path().join("acme.toml")).unwrap(), ACME);
}

/// The file itself is a file of the repository.
#[test]
fn the_file_itself_has_no_findings() {
    assert_eq!(with_service(ACME).rules(&["acme.toml"]), [""; 0]);
}
