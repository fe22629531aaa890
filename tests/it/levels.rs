//! Levels, allows, policy and baseline: how they affect a finding, and who may set them.

use serde_json::json;

use crate::harness::Project;

const HOOK: &str = "https://hooks.slack.com/services/T01ABCDEF/B01ABCDEF/abcdefghijklmnopqrstuvwx";

const NONE: [&str; 0] = [];
/// Two warnings and an error.
const MISTAKES: &str = "[messaging.r]\nbase_url = \"https://h.example\"\ntoken = { env = \"T\" }\nchannels = [\"#general\"]\n[messaging.s]\nbase_url = \"https://h.example\"\ntoken = { env = \"T\" }\n[storage.x]\n";

fn project(more: &str) -> Project {
    Project::new().file("credlint.toml", format!("{MISTAKES}{more}")).env("T", "xoxb-1")
}

fn severities(project: &Project, args: &[&str]) -> Vec<String> {
    let document = project.check(args).1;
    let findings = document["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|found| format!("{} {}", found["severity"].as_str().unwrap(), found["rule"].as_str().unwrap()))
        .collect()
}

#[test]
fn levels_come_from_the_configuration_and_the_command_line() {
    let plain = ["warning malformed-channel", "warning no-channels", "error missing-key-pair"];
    assert_eq!(severities(&project(""), &[]), plain);
    let levels =
        "[lint]\nlevels = { malformed-channel = \"off\", no-channels = \"error\", missing-key-pair = \"note\" }\n";
    assert_eq!(severities(&project(levels), &[]), ["error no-channels", "note missing-key-pair"]);
    assert_eq!(severities(&project(""), &["-A", "warnings", "-W", "missing-key-pair"]), ["warning missing-key-pair"]);
    // The last option takes precedence, whichever it is.
    assert_eq!(severities(&project(""), &["-D", "warnings", "-A", "no-channels"])[0], "error malformed-channel");
    assert_eq!(severities(&project(""), &["-A", "no-channels", "-D", "no-channels"])[1], "error no-channels");
    assert_eq!(severities(&project(levels), &["-W", "malformed-channel"])[0], "warning malformed-channel");
    assert_eq!(project("").check(&["-D", "warnings"]).0, 1);
    assert_eq!(project("").check(&["-A", "missing-key-pair"]).0, 0);
    assert_eq!(project("").check(&["-A", "missing-key-pair", "-D", "no-channels"]).0, 1);
    let run = project("").run(&["check", "-A", "missing-keypair"]);
    assert!(run.code == 2 && run.stderr.contains("did you mean `missing-key-pair`?"), "{}", run.stderr);
    // A rule that does not exist, and a level that does not.
    assert_eq!(project("[lint]\nlevels = { missing-keypair = \"off\" }\n").rules(&[])[3], "unknown-field");
    assert_eq!(project("[lint]\nlevels = { missing-key-pair = \"fatal\" }\n").rules(&[])[3], "wrong-type");
    assert_eq!(project("[lint]\nfail_on = \"note\"\n").rules(&[])[3], "wrong-type");
}

#[test]
fn allows_need_a_reason_and_are_listed() {
    let allow = |rest: &str| project(&format!("[[lint.allow]]\nrule = \"missing-key-pair\"\n{rest}"));
    let (code, document) = allow("profile = \"storage.x\"\nreason = \"filled in by the deploy\"\n").check(&[]);
    assert_eq!(code, 0);
    assert_eq!(document["allowed"][0]["rule"], "missing-key-pair");
    assert_eq!(document["allowed"][0]["reason"], "filled in by the deploy");
    assert_eq!(document["allowed"][0]["span"]["start"]["line"], 10);
    assert_eq!(document["profiles"][2], json!({"kind": "storage", "name": "x", "verdict": "unjudged", "live": null}));
    let human = allow("reason = \"filled in by xoxb-1-planted\"\n").run(&["check"]).stdout;
    assert!(human.contains("allowed: missing-key-pair in storage.x: ******** (credlint.toml:10)"), "{human}");
    assert_eq!(allow("profile = \"x\"\nreason = \"r\"\n").check(&[]).0, 0);
    // An allow without a reason has no effect.
    assert_eq!(allow("").rules(&[])[2..], ["missing-key-pair", "allow-without-reason"]);
    let of_r = project("[[lint.allow]]\nrule = \"missing-key-pair\"\nprofile = \"r\"\nreason = \"r\"\n");
    assert_eq!(of_r.rules(&[])[2..], ["missing-key-pair", "unused-allow"]);
    // An allow is not unused if what it may be meant for was not checked.
    assert_eq!(of_r.rules(&["--profile", "x"]), ["missing-key-pair"]);
    assert_eq!(allow("profile = \"storage.y\"\nreason = \"r\"\n").rules(&[])[2..], ["missing-key-pair"]);
    assert_eq!(allow("reason = \"r\"\n").rules(&["--no-allow"])[2], "missing-key-pair");
    // An allow with an unknown key allows nothing: it would apply where its author did not want it.
    assert_eq!(allow("reason = \"r\"\nwhy = \"r\"\n").rules(&[])[2..], ["missing-key-pair", "unknown-field"]);
    // A mistake in an allow is one finding, and the allow has no effect, neither for this profile nor for all.
    assert_eq!(allow("reason = 3\n").rules(&[])[2..], ["missing-key-pair", "wrong-type"]);
    assert_eq!(allow("reason = \"r\"\nprofile = 3\n").rules(&[])[2..], ["missing-key-pair", "wrong-type"]);
    for (text, rule) in [
        ("rule = \"missing-keypair\"\nreason = \"r\"\n", "unknown-field"),
        ("rule = \"missing-keypair\"\n", "unknown-field"),
        ("rule = \"No such\"\nreason = \"r\"\n", "unknown-field"),
        ("rule = 3\nreason = \"r\"\n", "wrong-type"),
        ("reason = \"r\"\n", "wrong-type"),
    ] {
        let project = project(&format!("[[lint.allow]]\n{text}"));
        assert_eq!(project.rules(&[])[2..], ["missing-key-pair", rule], "{text}");
    }
    // Allows of all layers are combined.
    let two = allow("reason = \"r\"\n").file("more.toml", "[[lint.allow]]\nrule = \"no-channels\"\nreason = \"r\"\n");
    assert_eq!(two.rules(&["--config", "credlint.toml", "--config", "more.toml"]), ["malformed-channel"]);
}

/// The allows of the project's configuration apply to other files, too. They are unused only if nothing that was looked
/// at needs them, and everything was looked at that they could be meant for.
#[test]
fn allow_is_unused_only_if_its_whole_scope_was_checked() {
    let allow = |rest: &str| format!("[[lint.allow]]\nrule = 'wrong-credential'\nreason = 'r'\n{rest}");
    let mistake = "SLACK_BOT_TOKEN=https://hooks.slack.com/services/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\n";
    let used = Project::new().file("credlint.toml", allow("")).file("a/.env", mistake).file("b/.env", "A=1\n");
    let unused = Project::new().file("credlint.toml", allow("")).file("b/.env", "A=1\n");
    let of_app = Project::new().file("credlint.toml", allow("profile = 'app.slack'\n")).file("a/.env", mistake);
    for (project, args, expected) in [
        (&used, &["."][..], &[][..]),
        (&used, &[".", "--environment"], &[]),
        (&used, &["credlint.toml", "a/.env"], &[]),
        // A hook's list, and a part of the project.
        (&used, &["credlint.toml", "b/.env"], &[]),
        (&used, &["b"], &[]),
        (&unused, &["."], &[]),
        (&unused, &[".", "--environment"], &["unused-allow"]),
        (&unused, &[".", "--environment", "--exclude", "a/"], &[]),
        (&of_app, &[".", "--environment"], &[]),
        (&of_app, &["--config", "credlint.toml"], &[]),
    ] {
        assert_eq!(project.rules(args), expected, "{args:?}");
    }
    // A comment of the project is about its own line, which the check of its configuration looks at.
    let comment = "[storage.x] # credlint: allow(missing-key-pair) later\n";
    let comment = Project::new().file("credlint.toml", comment).file("b/.env", "A=1\n");
    for args in [&["."][..], &["b"], &["credlint.toml", "b"], &["b", "--environment"]] {
        assert_eq!(comment.rules(args), [""; 0], "{args:?}");
    }
    let unknown = Project::new().file("credlint.toml", allow("file = 'a/**'\n")).file("a/.env", mistake);
    assert_eq!(unknown.rules(&["."]), ["unknown-field", "wrong-credential"]);
    let run = unknown.run(&["check", "a/.env"]);
    assert!(run.code == 1 && run.stderr.contains("[lint] or [names] are invalid and not used"), "{}", run.stderr);
    // Where the configuration is checked, too, a finding says it.
    for args in [&["check", "."][..], &["check", "--config", "credlint.toml", "--environment"]] {
        let run = unknown.run(args);
        assert!(run.stdout.contains("unknown-field") && !run.stderr.contains("not used"), "{args:?}: {}", run.stderr);
    }
    // The allows of another configuration may be meant for what is elsewhere.
    let other = Project::new().file("credlint.toml", "[lint]\n").file("b/credlint.toml", allow(""));
    assert_eq!(other.rules(&[".", "--environment"]), NONE);
}

/// A key that is not a rule's name is printed as the excerpt shows it.
#[test]
fn an_unknown_level_is_named() {
    let run = Project::new().file("credlint.toml", "[lint.levels]\nwebhook = 'off'\n").run(&["check"]);
    assert!(run.stdout.contains("unknown rule `webhook` in `lint.levels`"), "{}", run.stdout);
}

/// The levels of a configuration that can't be read are unknown.
#[test]
fn unreadable_configuration_fails_search() {
    let broken = Project::new().file("credlint.toml", "[lint\n").file(".env", "A=1\n");
    for args in [&["check", ".env"][..], &["check", "."], &["check", "--environment"], &["check", ".env", "--isolated"]]
    {
        let run = broken.run(args);
        assert_eq!(run.code, if args.contains(&"--isolated") { 0 } else { 2 }, "{args:?}: {}", run.stdout);
        assert_eq!(run.stdout.matches("error[syntax]").count(), usize::from(run.code == 2), "{args:?}: {}", run.stdout);
    }
    let run = broken.run(&["exec", "--", "true"]);
    assert!(run.code == 125 && run.stderr.contains("unclosed table"), "{}", run.stderr);
    // What the line that can't be read holds is not printed.
    let planted = "QzWvXkPjHyBdRmTnLsGfCaEu";
    let text = format!("[messaging.r]\ntoken = \"xoxb-{planted}\nx = {planted}\n");
    let secret = Project::new().file("credlint.toml", text);
    for args in [&["exec", "--", "true"][..], &["exec", "-q", "--", "true"], &["check", "--environment"]] {
        let run = secret.run(args);
        let all = run.stdout + &run.stderr;
        assert!(all.contains("error[syntax]") && !all.contains(planted), "{args:?}: {all}");
    }
    let unknown =
        Project::new().file("credlint.toml", "[lint]\nlevels = { wrong-credental = 'error' }\n").file(".env", "A=1\n");
    for args in [&["check", ".env"][..], &["check", "--environment"], &["exec", "--", "true"]] {
        let run = unknown.run(args);
        assert!(run.code == 0 && run.stderr.contains("[lint] or [names] are invalid"), "{args:?}: {}", run.stderr);
    }
    // An allow without a reason that a file needs, too, is one finding.
    let allow = Project::new().file("credlint.toml", "[lint]\nallow = [{ rule = 'wrong-credential' }]\n");
    let hook = "SLACK_BOT_TOKEN=https://hooks.slack.com/services/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\n";
    assert_eq!(allow.file(".env", hook).rules(&["."]), ["allow-without-reason", "wrong-credential"]);
    // The check of one profile does not say it, so the search does.
    let text = "[lint]\nallow = [{ rule = 'wrong-credential' }, { rule = 'malformed-channel' }]\n[storage.x]\n";
    let (name, value) = hook.trim_end().split_once('=').unwrap();
    let chosen = Project::new().file("credlint.toml", text).env(name, value);
    for (args, expected) in [
        (&["--environment"][..], &["wrong-credential", "allow-without-reason"][..]),
        (&["--environment", "--profile", "x"], &["missing-key-pair", "wrong-credential", "allow-without-reason"]),
        (
            &["--config", "credlint.toml", "--environment"],
            &["missing-key-pair", "allow-without-reason", "allow-without-reason", "wrong-credential"],
        ),
    ] {
        assert_eq!(chosen.rules(args), expected, "{args:?}");
    }
    // The same text in another file is another finding.
    let text = "[lint]\nallow = [{ rule = 'wrong-credential' }]\n";
    let two = Project::new().file("a/credlint.toml", text).file("b/credlint.toml", text);
    assert_eq!(two.rules(&["."]), ["allow-without-reason"; 2]);
    let comment = "# credlint: allow(wrong-credential)\n";
    let two = Project::new().file("credlint.toml", comment).file(".env", format!("{comment}{hook}"));
    assert_eq!(two.rules(&["."]), ["allow-without-reason", "allow-without-reason", "wrong-credential"]);
    // A valid one, and one in another file, don't make the project's table invalid.
    let right = Project::new().file("credlint.toml", "[lint]\nallow = [{ rule = 'wrong-credential', reason = 'r' }]\n");
    let right = right.file(".env", format!("# credlint: allow(no-such-rule) r\n{hook}"));
    let run = right.run(&["check", ".env"]);
    assert!(run.stdout.contains("no-such-rule") && !run.stderr.contains("[lint]"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn profile_with_disabled_finding_is_not_known_to_fit() {
    let pair = "B2_ACCOUNT_ID=1a2b3c4d5e6f\nB2_APPLICATION_KEY=K005abcdefghijklmnopqrstuvwxyz1\n";
    let pairs = Project::new().file(".env", pair).file(".env.example", pair);
    for (args, verdict) in [
        (&[".env"][..], "rejected"),
        (&[".env", "-A", "mixed-credentials"], "unjudged"),
        // The values of an example are not used.
        (&[".env.example"], "fits"),
        (&[".env.example", "-A", "mixed-credentials"], "fits"),
    ] {
        assert_eq!(pairs.check(args).1["profiles"][0]["verdict"], verdict, "{args:?}");
    }
}

#[test]
fn allow_comments_apply_to_their_line_or_the_next() {
    let toml = |text: &str| Project::new().file("credlint.toml", text).env("T", "xoxb-1");
    assert_eq!(toml("[storage.x] # credlint: allow(missing-key-pair) later\n").rules(&[]), NONE);
    assert_eq!(toml("# credlint: allow(missing-key-pair) later\n[storage.x]\n").rules(&[]), NONE);
    assert_eq!(
        toml("# credlint: allow(no-channels, missing-key-pair) later\n[storage.x]\n").rules(&[]),
        ["unused-allow"]
    );
    assert_eq!(
        toml("# credlint: allow(missing-key-pair) later\n\n[storage.x]\n").rules(&[]),
        ["missing-key-pair", "unused-allow"]
    );
    assert_eq!(
        toml("# credlint: allow(missing-key-pair)\n[storage.x]\n").rules(&[]),
        ["missing-key-pair", "allow-without-reason"]
    );
    assert_eq!(toml("x = '# credlint: allow(unknown-field) no comment'\n").rules(&[]), ["unknown-field"]);
    let run = toml("# credlint: allow(missing-keypair) later\n[storage.x]\n").run(&["check"]);
    assert!(run.stdout.contains("did you mean `missing-key-pair`?"), "{}", run.stdout);
    let yaml =
        "storage:\n  x: # credlint: allow(missing-key-pair) later\n  # credlint: allow(missing-key-pair) later\n  y:\n";
    assert_eq!(Project::new().file("credlint.yaml", yaml).rules(&[]), NONE);
    let dotenv = "# credlint: allow(malformed-credential) it is one, really\nT='a b'\n";
    let text = "[messaging.r]\nbase_url = \"https://h.example\"\nchannels = [\"C1\"]\ntoken = { env = \"T\" }\n";
    assert_eq!(Project::new().file("credlint.toml", text).file("x.env", dotenv).rules(&["--env-file", "x.env"]), NONE);
    // A comment in one layer does not silence a finding in another.
    let two = Project::new()
        .file("low.toml", "[storage.x]\n# credlint: allow(unknown-field) here\ncolour = 1\n")
        .file("high.toml", "[storage.x]\n\ncolour = 1\n");
    assert_eq!(
        two.rules(&["--config", "low.toml", "--config", "high.toml", "-A", "missing-key-pair"]),
        ["unknown-field"]
    );
}

#[test]
fn a_policy_cannot_be_weakened() {
    let disarmed = "[lint]\nlevels = { missing-key-pair = \"off\", malformed-channel = \"off\" }\n[[lint.allow]]\nrule = \"no-channels\"\nreason = \"r\"\n";
    let project = project(disarmed)
        .file("policy.toml", "[lint]\nfail_on = \"warning\"\nlevels = { malformed-channel = \"note\" }\n")
        .file("permits.toml", "[[lint.allow]]\nrule = \"missing-key-pair\"\nreason = \"by the policy\"\n")
        .file("no-policy.toml", "[storage.y]\n");
    assert_eq!(project.check(&[]).0, 0);
    let strict = ["note malformed-channel", "warning no-channels", "error missing-key-pair"];
    assert_eq!(severities(&project, &["--policy", "policy.toml"]), strict);
    assert_eq!(severities(&project, &["--policy", "policy.toml", "-A", "warnings", "-A", "missing-key-pair"]), strict);
    // The command line may be stricter than the policy.
    assert_eq!(severities(&project, &["--policy", "policy.toml", "-D", "no-channels"])[1], "error no-channels");
    assert_eq!(project.check(&["--policy", "policy.toml", "--fail-on", "error"]).0, 1);
    assert_eq!(project.check(&["--policy", "permits.toml"]).1["allowed"][0]["reason"], "by the policy");
    let (code, document) = project.check(&["--policy", "no-policy.toml"]);
    assert_eq!((code, &document["problems"][0]["code"]), (2, &json!("policy")));
    assert_eq!(project.check(&["--policy", "none.toml"]).0, 2);
}

#[test]
fn a_baseline_marks_known_findings_and_lists_resolved_ones() {
    let project = project("");
    assert_eq!(project.check(&["--write-baseline", "known.json"]).0, 1);
    let text = std::fs::read_to_string(project.path().join("known.json")).unwrap();
    assert!(!text.contains("xoxb") && text.contains("missing-key-pair"), "{text}");
    let (code, document) = project.check(&["--baseline", "known.json", "--fail-on", "warning"]);
    assert_eq!((code, &document["baseline"]["known"], &document["findings"][0]["known"]), (0, &json!(3), &json!(true)));
    let human = project.run(&["check", "--baseline", "known.json"]).stdout;
    assert_eq!(human, "3 profiles checked, 2 files read, 2 of unknown form: 1 error, 2 warnings (3 of them known)\n");
    // Lines move, one mistake is added, one is removed.
    let changed = project.file("credlint.toml", "\n\n[storage.x]\n[storage.y]\n");
    let (code, document) = changed.check(&["--baseline", "known.json"]);
    assert_eq!((code, &document["baseline"]["new"]), (1, &json!(1)));
    assert_eq!(document["baseline"]["gone"].as_array().unwrap().len(), 2);
    let broken = changed.file("broken.json", "{}").file("other.json", "xoxb-planted");
    for name in ["broken.json", "other.json", "none.json"] {
        let run = broken.run(&["check", "--baseline", name]);
        assert!(run.code == 2 && run.stdout.is_empty() && !run.stderr.contains("planted"), "{}", run.stderr);
    }
    // If nothing is checked, the baseline is not changed.
    let run = broken.run(&["check", "--isolated", "--write-baseline", "known.json"]);
    assert_eq!((run.code, std::fs::read_to_string(broken.path().join("known.json")).unwrap()), (3, text));
    // Findings take precedence over a failure to write the baseline.
    assert_eq!(broken.run(&["check", "--write-baseline", "no/such/dir.json"]).code, 1);
    let run = broken.run(&["check", "-A", "missing-key-pair", "--write-baseline", "no/such/dir.json"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
}

#[cfg(feature = "upload")]
#[test]
fn levels_and_allows_never_permit_an_upload() {
    let text = "[messaging.r]\nbase_url = \"http://127.0.0.1:9/api\" # credlint: allow(malformed-address) really\ntoken = { env = \"T\" }\nchannels = [\"C1\"]\n[lint]\nlevels = { malformed-address = \"off\" }\n";
    let project = Project::new().file("credlint.toml", text).file("f", "x").env("T", "xoxb-1");
    assert_eq!(project.check(&["-A", "unused-allow"]).0, 0);
    let run = project.run(&["upload", "--profile", "r", "f"]);
    assert!(run.code == 1 && run.stderr.contains("malformed-address"), "{}", run.stderr);
}

/// A baseline is part of the change that is checked, a policy is not.
#[test]
fn under_a_policy_only_the_baseline_it_names_counts() {
    let project = project("")
        .file("rules/bare.toml", "[lint]\nfail_on = \"warning\"\n")
        .file("rules/names.toml", "[lint]\nfail_on = \"warning\"\nbaseline = \"known.json\"\n")
        .file("rules/other.toml", "[lint]\nbaseline = \"../none.json\"\n");
    assert_eq!(project.check(&["--write-baseline", "known.json"]).0, 1);
    std::fs::copy(project.path().join("known.json"), project.path().join("rules/known.json")).unwrap();
    let run = project.run(&["check", "--policy", "rules/bare.toml", "--baseline", "known.json"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("only the baseline of the policy is used: add `baseline"), "{}", run.stderr);
    // The same name in another directory.
    assert_eq!(project.run(&["check", "--policy", "rules/names.toml", "--baseline", "known.json"]).code, 2);
    for words in
        [&["--policy", "rules/names.toml"][..], &["--policy", "rules/names.toml", "--baseline", "rules/known.json"]]
    {
        let (code, document) = project.check(words);
        assert_eq!((code, &document["baseline"]["new"]), (0, &json!(0)), "{words:?}");
    }
    assert_eq!(project.check(&["--policy", "rules/bare.toml"]).0, 1);
    let run = project.run(&["check", "--policy", "rules/other.toml"]);
    assert!(run.code == 2 && run.stderr.contains("the baseline"), "{}", run.stderr);
    // No other file refers to one.
    let own = super::levels::project("[lint]\nbaseline = \"known.json\"\n");
    let (code, document) = own.check(&[]);
    let findings = document["findings"].as_array().unwrap();
    let unknown = findings.iter().any(|found| found["message"].as_str().unwrap().contains("`lint.baseline`"));
    assert!(code == 1 && unknown, "{document}");
}

#[test]
fn mistakes_in_a_policy_exit_2() {
    for lint in [
        "baseline = 17",
        "baseline = \"\"",
        "basline = \"known.json\"",
        "fail_onn = \"warning\"",
        "xoxb-7391842650-QzWvXkPjHyBd = 1",
        "allow = [{ rule = \"no-channels\", pofile = \"messaging.reports\" }]",
    ] {
        let project = project("").file("policy.toml", format!("[lint]\n{lint}\n"));
        let (code, document) = project.check(&["--policy", "policy.toml", "--profile", "storage.x"]);
        assert_eq!((code, &document["problems"][0]["code"]), (2, &json!("policy")), "{lint}");
        assert!(!document.to_string().contains("QzWv"), "{document}");
    }
    // Null is as if the key were missing.
    let project = project("").file("policy.yaml", "lint:\n  baseline: ~\n");
    assert_ne!(project.check(&["--policy", "policy.yaml", "--profile", "storage.x"]).0, 2);
}

/// A threshold that is silently changed would weaken the policy.
#[test]
fn a_policy_with_an_invalid_value_fails_every_check() {
    for policy in [
        "[lint]\nfail_on = \"note\"\n", "[lint]\nlevels = { no-such-rule = \"error\" }\n",
        "[lint]\nlevels = { malformed-channel = \"loud\" }\n", "[trust]\nhost = [\"slack.com\"]\n",
    ] {
        let project = Project::new()
            .file("policy.toml", policy)
            .file("x.env", "A=1\n")
            .file("one.toml", "[storage.x]\n")
            .file("two.toml", "[storage.y]\n");
        for (args, expected) in [
            (&["check", "x.env"][..], 1),
            (&["check", "--environment"], 1),
            (&["check", "one.toml", "two.toml"], 1),
            (&["exec"], 125),
        ] {
            let after: &[&str] = if args[0] == "exec" { &["--", "true"] } else { &[] };
            let run = project.run(&[args, &["--policy", "policy.toml"], after].concat());
            let text = format!("{}{}", run.stdout, run.stderr);
            let told = text.matches("[policy.toml:2:").count();
            assert_eq!((run.code, told), (expected, 1), "{policy} {args:?}: {text}");
        }
    }
    // The project's own table is checked with the project; `exec` says that it is not used as written.
    let project = Project::new().file("credlint.toml", "[lint]\nfail_on = \"note\"\n");
    let run = project.run(&["exec", "--", "true"]);
    assert!(run.code == 0 && run.stderr.contains("[lint] or [names] are invalid"), "{}", run.stderr);
    // A search says nothing of its other tables.
    let project = Project::new().file("credlint.toml", "messaging = 3\n").file("x.env", "A=1\n");
    let run = project.run(&["check", "x.env"]);
    assert!(run.code == 0 && !run.stderr.contains("[lint]"), "{}", run.stderr);
}

/// What a run did not read, the files under check can't excuse.
#[test]
fn only_a_policy_or_the_command_line_lowers_unread_file() {
    let lint = "[lint]\nlevels = { unread-file = 'off' }\n[[lint.allow]]\nrule = 'unread-file'\nreason = 'known'\n";
    let project = Project::new()
        .file("x.tfvars.json", "{\"slack_token\": \"x\"")
        .file("credlint.toml", lint)
        .file("policy.toml", "[lint]\n[[lint.allow]]\nrule = 'unread-file'\nreason = 'known'\n");
    assert_eq!(project.rules(&["x.tfvars.json"]), ["unread-file"]);
    assert_eq!(project.run(&["check", "x.tfvars.json"]).code, 1);
    assert_eq!(project.run(&["check", "x.tfvars.json", "-A", "unread-file"]).code, 0);
    assert_eq!(project.run(&["check", "x.tfvars.json", "--policy", "policy.toml"]).code, 0);
}

/// An allow is for what it names, and until the day that it names.
#[test]
fn allows_can_be_limited_by_path_variable_and_time() {
    let allow = |more: &str| format!("[[lint.allow]]\nrule = 'wrong-credential'\nreason = 'known for now'\n{more}\n");
    let project = |more: &str| {
        Project::new()
            .file("a/x.env", format!("SLACK_BOT_TOKEN={HOOK}\n"))
            .file("b/x.env", format!("SLACK_BOT_TOKEN={HOOK}\nSLACK_TOKEN={HOOK}\n"))
            .file("credlint.toml", allow(more))
            // 2026-12-01, noon.
            .env("SOURCE_DATE_EPOCH", "1796126400")
    };
    for (more, expected) in [
        ("", &[][..]),
        ("path = 'a/'", &["b/x.env:1", "b/x.env:2"]),
        ("path = 'x.env'", &[]),
        ("path = '/x.env'", &["a/x.env:1", "b/x.env:1", "b/x.env:2"]),
        ("variable = 'SLACK_TOKEN'", &["a/x.env:1", "b/x.env:1"]),
        ("variable = 'SLACK_TOKEN'\npath = 'a/'", &["a/x.env:1", "b/x.env:1", "b/x.env:2"]),
        ("until = '2026-12-01'", &[]),
        ("until = 2026-12-01", &[]),
        ("until = 2026-11-30", &["a/x.env:1", "b/x.env:1", "b/x.env:2"]),
        ("until = 2026-12-01T10:00:00Z", &["a/x.env:1", "b/x.env:1", "b/x.env:2"]),
        ("until = '2026-11-30'", &["a/x.env:1", "b/x.env:1", "b/x.env:2"]),
        // What can't be read narrows nothing, so it allows nothing.
        ("until = 'soon'", &["a/x.env:1", "b/x.env:1", "b/x.env:2"]),
        ("path = 'a['", &["a/x.env:1", "b/x.env:1", "b/x.env:2"]),
        ("variable = 'x y'", &["a/x.env:1", "b/x.env:1", "b/x.env:2"]),
        ("file = 'a/x.env'", &["a/x.env:1", "b/x.env:1", "b/x.env:2"]),
    ] {
        let (_, document) = project(more).check(&["."]);
        let findings = document["findings"].as_array().unwrap().iter();
        let wrong = findings.filter(|found| found["rule"] == "wrong-credential");
        let at = |found: &serde_json::Value| {
            let label = &found["labels"][0];
            format!("{}:{}", label["source"]["name"].as_str().unwrap(), label["span"]["start"]["line"])
        };
        assert_eq!(wrong.map(at).collect::<Vec<_>>(), expected, "{more}: {document}");
    }
    for (until, expected) in
        [("2026-12-14", "ends on 2026-12-14"), ("2026-11-30", "ended on 2026-11-30"), ("2026-12-15", "")]
    {
        let run = project(&format!("until = '{until}'")).run(&["check", ".", "--environment"]);
        assert_eq!(run.stdout.contains("note[unused-allow]"), !expected.is_empty(), "{until}: {}", run.stdout);
        assert!(run.stdout.contains(expected), "{until}: {}", run.stdout);
        assert_eq!(run.code, i32::from(until == "2026-11-30"), "{until}: {}", run.stdout);
    }
}

/// A hook names every file; the list is cut in one place.
#[test]
fn excluded_files_are_left_out_and_counted() {
    let line = format!("SLACK_BOT_TOKEN={HOOK}\n");
    let project = || {
        Project::new()
            .file(".git/HEAD", "")
            .file("vendor/a/.env", &line)
            .file("vendor/credlint.toml", format!("[messaging.r]\ntoken = '{HOOK}'\n"))
            .file("app/x.env", "A=1\n")
            .file("credlint.toml", "[lint]\nexclude = ['vendor/']\n")
    };
    for (words, left_out) in [
        (&["."][..], 2),
        (&["vendor"], 2),
        (&["vendor/a/.env"], 1),
        (&["app/../vendor/a/.env", "app/x.env"], 1),
        (&["vendor/a/.env", "vendor/credlint.toml"], 2),
    ] {
        let run = project().run(&[&["check"], words].concat());
        let end = if left_out == 1 { "1 file\n".to_owned() } else { format!("{left_out} files\n") };
        assert!(run.code == 0 && run.stdout.ends_with(&format!("; [lint] exclude leaves out {end}")), "{}", run.stdout);
    }
    // With a policy, only the policy's counts: a pull request could exclude what it breaks.
    let policy = project().file("policy.toml", "[lint]\nexclude = ['app/']\n");
    let run = policy.run(&["check", "--policy", "policy.toml", "vendor/a/.env", "app/x.env"]);
    assert!(run.code == 1 && run.stdout.contains("leaves out 1 file"), "{}", run.stdout);
    assert_eq!(project().run(&["check", "--isolated", "vendor/a/.env"]).code, 1);
    let wrong = project().file("credlint.toml", "[lint]\nexclude = ['a[', 1]\n");
    let run = wrong.run(&["check", "credlint.toml"]);
    assert!(run.code == 1 && run.stdout.matches("error[wrong-type]").count() == 2, "{}", run.stdout);
}

/// A null is as if the key were missing.
#[test]
fn keys_of_lint_table_are_type_checked() {
    for (lint, said) in [
        ("~", ""),
        ("{levels: ~, exclude: ~, allow: ~, fail_on: ~}", ""),
        ("{levels: 1}", "`lint.levels`: expected a table of rules and levels, found a string"),
        (
            "{levels: {missing-token: x}}",
            "`lint.levels.missing-token`: expected `off`, `note`, `warning` or `error`, found a different string",
        ),
        ("{fail_on: x}", "`lint.fail_on`: expected `error` or `warning`, found a different string"),
        ("{exclude: 1}", "`lint.exclude`: expected a list of patterns, found a string"),
        ("{allow: 1}", "`lint.allow`: expected a list of tables, found a string"),
        (
            "{allow: [{rule: missing-token, reason: x, variable: 1}]}",
            "`lint.allow[0].variable`: expected the name of a variable or a key, found a different string",
        ),
        (
            "{allow: [{rule: missing-token, reason: x, until: soon}]}",
            "`lint.allow[0].until`: expected a day such as 2026-12-31, found a different string",
        ),
    ] {
        let text = format!("lint: {lint}\nmessaging: ~\nstorage:\n  b: {{account_id: 1a2b3c4d5e6f}}\n");
        let (_, document) = Project::new().file("credlint.yaml", text).check(&["-A", "incomplete-key-pair"]);
        let found = document["findings"].as_array().unwrap().iter().filter(|found| found["rule"] == "wrong-type");
        let found: Vec<&str> = found.map(|found| found["message"].as_str().unwrap()).collect();
        assert_eq!(found.join("\n"), said, "{lint}");
    }
}

#[test]
fn error_about_missing_profile_lists_existing_ones() {
    for (count, help) in [
        (0, "the configuration has no profiles"),
        (2, "available profiles: `storage.p0`, `storage.p1`"),
        (10, "available profiles: `storage.p0`"),
        (11, "run `credlint profiles` for a list"),
    ] {
        let profiles = (0..count).map(|number| format!("[storage.p{number}]\naccount_id = \"1a2b3c4d5e6f\"\n"));
        let project = Project::new().file("credlint.toml", profiles.collect::<String>());
        let run = project.run(&["check", "--profile", "messages"]);
        assert!(run.code == 2 && run.stderr.contains(help), "{count}: {} {}", run.code, run.stderr);
    }
}

#[test]
fn only_reports_the_named_rules() {
    let project = Project::new().file(".env", format!("SLACK_BOT_TOKEN={HOOK}\nB2_APPLICATION_KEY_ID=changeme\n"));
    assert_eq!(project.rules(&[".env"]), ["wrong-credential", "placeholder-credential"]);
    assert_eq!(project.rules(&[".env", "--only", "placeholder-credential"]), ["placeholder-credential"]);
    let both = ["--only", "placeholder-credential", "--only", "wrong-credential"];
    assert_eq!(project.rules(&[&[".env"][..], &both].concat()).len(), 2);
    assert_eq!(project.run(&["check", ".env", "--only", "no-channels"]).code, 0);
    // What is not reported was found anyway.
    for off in [&["--only", "no-channels"][..], &["-A", "wrong-credential", "-A", "placeholder-credential"]] {
        let run = project.run(&[&["check", ".env"], off].concat());
        assert!(run.code == 0 && run.stdout.ends_with("; 2 findings are turned off\n"), "{}", run.stdout);
        assert!(!run.stdout.contains("nothing found"), "{}", run.stdout);
    }
    assert_eq!(project.check(&[".env", "--only", "placeholder-credential"]).1["summary"]["off"], 1);
    assert_eq!(project.run(&["check", ".env", "--only", "no-channels", "--policy", "none.toml"]).code, 2);
    let run = project.run(&["check", ".env", "--only", "placeholder"]);
    assert!(run.code == 2 && run.stderr.contains("did you mean `placeholder-credential`"), "{}", run.stderr);
}

/// As other linters call it.
#[test]
fn comments_that_ignore_are_no_allows() {
    for word in ["ignore", "disable wrong-credential", "allow wrong-credential by hand"] {
        let text = format!("# credlint: {word}\nSLACK_BOT_TOKEN={HOOK}\n");
        let run = Project::new().file(".env", text).run(&["check", ".env"]);
        assert!(run.code == 1 && run.stdout.contains("error[wrong-credential]"), "{}", run.stdout);
        assert!(run.stdout.contains("this comment allows nothing"), "{word}: {}", run.stdout);
    }
}
