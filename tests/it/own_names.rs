//! `[names]`: names that only a project knows, in every input.

use crate::harness::{Project, Run};
use crate::paths::with_input;

const SECRET: &str = "sk_live_51H8xTuKq2WmZpYvRb7NcJd4E";
const PUBLISHABLE: &str = "pk_live_51H8xTuKq2WmZpYvRb7NcJd4E";
const NAMES: &str = "[names]\nPAY_KEY = 'stripe/secret_key'\nPAY_PUBLIC = \"stripe/publishable_key\"\n";

fn rules(run: &Run) -> Vec<String> {
    let document = run.document();
    let findings = document["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_name_of_the_project_has_its_meaning_in_every_input() {
    let project = |names: &str| {
        Project::new()
            .file("credlint.toml", names)
            .file(".env", format!("PAY_KEY={PUBLISHABLE}\n"))
            .file("app.yaml", format!("env:\n  payKey: {PUBLISHABLE}\n"))
            .file("run.sh", format!("export PAY_KEY={PUBLISHABLE}\n"))
            .env("PAY_KEY", PUBLISHABLE)
    };
    for arguments in [
        &["check", "--format", "json", "."][..],
        &["check", "--format", "json", "app.yaml"],
        &["check", "--format", "json", "run.sh"],
        &["check", "--format", "json", "--environment"],
        &["check", "--format", "json", "--environment", "--env-file", ".env"],
    ] {
        let (with, without) = (project(NAMES).run(arguments), project("").run(arguments));
        assert!(rules(&with).iter().all(|rule| rule == "wrong-credential"), "{arguments:?}: {}", with.stdout);
        assert!(with.code == 1 && !rules(&with).is_empty(), "{arguments:?}: {}", with.stdout);
        assert!(without.code != 1, "{arguments:?}: {}", without.stdout);
        assert!(!with.stdout.contains(PUBLISHABLE) && !with.stderr.contains(PUBLISHABLE));
    }
    let text = format!("PAY_KEY={PUBLISHABLE}\n");
    let run = with_input(&project(NAMES), &["check", "--format", "json", "-"], text.as_bytes());
    assert_eq!(rules(&run), ["wrong-credential"]);
    let stopped = project(NAMES).run(&["exec", "--", "true"]);
    assert!(stopped.code == 125 && stopped.stderr.contains("PAY_KEY"), "{}", stopped.stderr);
    assert_eq!(project("").run(&["exec", "--", "true"]).code, 0);
}

#[test]
fn names_of_one_service_agree() {
    let text = format!("PAY_KEY={SECRET}\nPAY_PUBLIC={}\n", PUBLISHABLE.replace("live", "test"));
    let project = Project::new().file("credlint.toml", NAMES).file(".env", text);
    assert_eq!(project.rules(&[".env"]), ["mixed-credentials"]);
    let text = format!("PAY_KEY={SECRET}\nPAY_PUBLIC={PUBLISHABLE}\n");
    assert_eq!(Project::new().file("credlint.toml", NAMES).file(".env", text).rules(&[".env"]), [""; 0]);
}

#[test]
fn a_known_name_keeps_its_meaning() {
    let names = "[names]\nSTRIPE_SECRET_KEY = 'stripe/publishable_key'\n";
    let project =
        Project::new().file("credlint.toml", names).file(".env", format!("STRIPE_SECRET_KEY={PUBLISHABLE}\n"));
    assert_eq!(project.rules(&[".env"]), ["wrong-credential"]);
    let project = Project::new().file("credlint.toml", names).file(".env", format!("STRIPE_SECRET_KEY={SECRET}\n"));
    assert_eq!(project.rules(&[".env"]), [""; 0]);
    // That is said.
    let said = project.run(&["check", ".env"]).stderr;
    assert!(said.contains("`names.STRIPE_SECRET_KEY` is not used: credlint knows that name"), "{said}");
}

#[test]
fn a_field_that_does_not_exist_is_a_finding() {
    let planted = "hunter2hunter2";
    for (names, rule) in [
        (format!("[names]\nPAY_KEY = 'stripe/{planted}'\n"), "wrong-type"),
        ("[names]\nPAY_KEY = 1\n".to_owned(), "wrong-type"),
        ("names = 1\n".to_owned(), "wrong-type"),
    ] {
        let text = format!("{names}[storage.x]\n");
        let run = Project::new().file("credlint.toml", text).run(&["check", "--format", "json"]);
        assert!(run.code == 1 && rules(&run).contains(&rule.to_owned()), "{names}: {}", run.stdout);
        assert!(!run.stdout.contains(planted));
    }
}

#[test]
fn a_policy_gives_names_and_the_user_does_not() {
    let text = format!("PAY_KEY={PUBLISHABLE}\n");
    let project = Project::new().file("policy.toml", NAMES).file(".env", &text);
    assert_eq!(project.rules(&[".env", "--policy", "policy.toml"]), ["wrong-credential"]);
    // The policy's meaning wins.
    let other = NAMES.replace("PAY_KEY = 'stripe/secret_key'", "PAY_KEY = 'stripe/publishable_key'");
    let project = Project::new().file("policy.toml", NAMES).file("credlint.toml", other).file(".env", &text);
    assert_eq!(project.rules(&[".env", "--policy", "policy.toml"]), ["wrong-credential"]);
    let project = Project::new().user(NAMES).file("credlint.toml", "[storage.x]\n").file(".env", &text);
    assert_eq!(project.rules(&[".env"]), [""; 0]);
    assert!(project.rules(&[]).contains(&"unknown-field".to_owned()));
}
