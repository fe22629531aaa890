//! Mistakes of the first minute, and whether the message says what to do.

use crate::harness::Project;

const TOML: &str = "[messaging.reports]\nbase_url = 'https://slack.com'\nchannels = ['C0123456789']\n";

fn project(more: &str) -> Project {
    Project::new().file("credlint.toml", format!("{TOML}{more}"))
}

/// Asserts that each command prints these words on one of its streams.
fn says(project: &Project, args: &[&str], words: &[&str]) {
    let run = project.run(args);
    let text = format!("{}{}", run.stdout, run.stderr).replace("\n        ", " ");
    for word in words {
        assert!(text.contains(word), "{args:?} does not say {word:?}: {text}");
    }
    assert_ne!(run.code, 0, "{args:?}");
}

#[test]
fn a_reference_that_leads_nowhere_says_what_to_do() {
    let token = |reference: &str| project(&format!("token = {reference}\n"));
    let env = token("{ env = 'REPORTS_TOKEN' }");
    says(&env, &["check"], &["set it where the deploy runs", "--no-resolve"]);
    let beside = token("{ env = 'REPORTS_TOKEN' }").file(".env", "A=1\nexport REPORTS_TOKEN=xoxb-1\n");
    says(&beside, &["check"], &["pass `--env-file .env`"]);
    let other = token("{ env = 'REPORTS_TOKEN' }").file(".env", "XREPORTS_TOKEN=1\n");
    says(&other, &["check"], &["set it where the deploy runs"]);
    for near in ["REPORT_TOKEN", "REPORTS_TOKN", "reports_token", "REPORTS-TOKEN"] {
        let near_project = token("{ env = 'REPORTS_TOKEN' }").env(near, "x");
        let shown = near.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let words: &[&str] = if shown { &["which is set? Otherwise"] } else { &["set it where the deploy runs"] };
        says(&near_project, &["check"], words);
    }
    for name in ["$REPORTS_TOKEN", "${REPORTS_TOKEN}", "%REPORTS_TOKEN%"] {
        says(
            &token(&format!("{{ env = '{name}' }}")),
            &["check"],
            &["write the name alone, without `$`, braces or `%`"],
        );
    }
    for (path, words) in [
        ("~/token", "`~` is not expanded"),
        ("$HOME/token", "variables are not expanded in paths"),
        ("secrets/token", "relative to the configuration file"),
        ("/run/secrets/none", "create the file or correct the path"),
        (".git", "use a regular file"),
    ] {
        says(&token(&format!("{{ file = '{path}' }}")), &["check"], &[words]);
    }
}

#[test]
fn many_references_that_lead_nowhere_are_a_line_each() {
    let text: String = (0..10)
        .map(|number| {
            format!("[messaging.team-{number}]\nbase_url = 'https://slack.com'\ntoken = {{ env = 'TOKEN_{number}' }}\nchannels = ['C0123456789']\n")
        })
        .collect();
    let run = Project::new().file("credlint.toml", text).run(&["check"]);
    assert!(run.stdout.lines().count() <= 15, "{}", run.stdout);
    assert!(run.stdout.contains("10 references to missing variables or files"), "{}", run.stdout);
    for number in 0..10 {
        assert!(run.stdout.contains(&format!("`TOKEN_{number}` is not set")), "{}", run.stdout);
    }
    assert_eq!(run.stdout.matches("help: ").count(), 1, "{}", run.stdout);
}

#[test]
fn a_terminal_without_unicode_gets_none() {
    let project = project("token = 'xoxb-your-token'\n");
    for (name, value, plain) in [
        ("LC_ALL", "C", true),
        ("LANG", "POSIX", true),
        ("LC_ALL", "en_US.ISO-8859-1", true),
        ("LANG", "de_DE.UTF-8", false),
        ("LC_ALL", "C.utf8", false),
        ("LC_ALL", "", false),
    ] {
        for columns in ["40", "100"] {
            let mut command = project.command(&["check"]);
            command.env(name, value).env("COLUMNS", columns);
            let run = crate::harness::Run::of(command);
            assert_eq!(run.stdout.is_ascii() && run.stderr.is_ascii(), plain, "{name}={value}: {}", run.stdout);
            assert!(run.stdout.contains("placeholder-credential") && run.code == 1);
        }
    }
}

#[test]
fn what_is_missing_is_named_with_the_variable_that_sets_it() {
    says(&project(""), &["check"], &["CREDLINT_MESSAGING__REPORTS__TOKEN"]);
    let dashed = Project::new().file("credlint.toml", "[messaging.night-reports]\ntoken = { env = 'T' }\n");
    says(&dashed, &["check"], &["CREDLINT_MESSAGING__NIGHT_REPORTS__BASE_URL"]);
}

#[test]
fn words_that_people_try_lead_somewhere() {
    let project = project("");
    for (word, tip) in [
        ("lint", "`credlint check` does that"),
        ("validate", "`credlint check` does that"),
        ("list", "`credlint profiles` does that"),
        ("send", "`credlint upload` does that"),
        ("version", "`credlint --version` does that"),
    ] {
        says(&project, &[word], &[tip]);
    }
    says(&project, &["explain", "mixed"], &["`mixed-key-pair`, `mixed-key-values`"]);
    says(&project, &["explain", "mixed-key-pai"], &["did you mean `mixed-key-pair`?"]);
    says(&project, &["check", "reports"], &["--profile reports"]);
    says(&project, &["check", "reports.toml"], &["reports.toml: no such file or directory"]);
    says(&project, &["check", "."], &["missing-token", "1 file read"]);
}

#[test]
fn a_project_file_by_another_name_is_seen() {
    for name in [".credlint.toml", ".credlint.yaml", "credlint.conf"] {
        let project = Project::new().file(name, TOML);
        says(&project, &["check"], &[&format!("{name} is not read"), "credlint init"]);
    }
    says(&Project::new(), &["check"], &["no configuration", "`credlint init` writes one"]);
}

#[test]
fn a_variable_or_a_table_that_is_nearly_right_is_one_finding() {
    let token = "xoxb-123456789012-1234567890123-abcdefghijklmnopqrst";
    for name in [
        "CREDLINT_MESSAGING_REPORTS_TOKEN",
        "credlint_messaging__reports__token",
        "CREDLINT_MESSAGING__REPORT__TOKEN",
        "CREDLINT_MESSAGING__REPROTS__TOKEN",
        "CREDLINT_MESSAGING__REPORTS__TOKN",
    ] {
        let project = project("").env(name, token);
        assert_eq!(project.rules(&[]), ["unknown-field"], "{name}");
        says(&project, &["check"], &["did you mean `CREDLINT_MESSAGING__REPORTS__TOKEN`?"]);
        let run = project.run(&["check"]);
        assert!(!run.stdout.contains("abcdefgh") && !run.stderr.contains("abcdefgh"), "{}", run.stdout);
    }
    // Complete fields are accepted even if similar names exist; and variables of other programs are ignored.
    let whole = project("token = { env = 'T' }\n")
        .env("T", token)
        .env("CREDLINT_MESSAGING__REPORT__TOKEN", token)
        .env("CREDLINT_MESSAGING__REPORT__BASE_URL", "https://slack.com")
        .env("CREDLINT_MESSAGING__REPORT__CHANNELS", "C0123456789")
        .env("CREDLINT_APP_ENV", "production")
        .env("CREDLINT_STORAGE_CLASS", "x");
    let (code, document) = whole.check(&[]);
    assert_eq!((code, document["profiles"].as_array().unwrap().len()), (0, 2), "{document}");
    let own = project("").env("CREDLINT_MESSAGING__REPORTZ__TOKEN", token);
    assert!(own.rules(&[]).contains(&"missing-base-url".to_owned()), "another letter is another name");
    let direct =
        Project::new().file("credlint.toml", "[messaging]\nbase_url = 'https://slack.com'\ntoken = { env = 'T' }\n");
    assert_eq!(direct.rules(&[]), ["unknown-field"]);
    says(&direct, &["check"], &["did you mean `messaging.reports.base_url`?"]);
    // A profile may have the name of a field.
    let called = Project::new().file("credlint.toml", TOML.replace("reports", "token"));
    assert_eq!(called.rules(&[]), ["missing-token"]);
    let other = project("token = { env = 'T' }\n").env("T", token).file("other.toml", TOML);
    says(&other, &["check", "--config", "other.toml"], &["credlint.toml is ignored because of --config"]);
}

#[test]
fn a_profile_in_another_place_is_one_finding() {
    for (text, meant) in [
        ("[prod.messaging.reports]\nbase_url = 'https://slack.com'\n", "messaging.reports"),
        ("[environments.storage.backups]\nbucket = 'nightly'\n", "storage.backups"),
        ("[messaging.reports.prod]\nbase_url = 'https://slack.com'\n", "messaging.reports-prod"),
    ] {
        let project = Project::new().file("credlint.toml", text);
        assert_eq!(project.rules(&[]), ["unknown-field"], "{text}");
        says(&project, &["check"], &[&format!("did you mean `{meant}`?")]);
    }
    // A profile with a setting of its own is judged by it.
    let both = Project::new()
        .file("credlint.toml", format!("{TOML}[messaging.reports.prod]\nbase_url = 'https://x.slack.com'\n"));
    assert_eq!(both.rules(&[]), ["missing-token", "unknown-field"]);
}
