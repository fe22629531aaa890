//! Mistakes of the first minute, and whether the message says what to do.

use crate::harness::Project;

const TOML: &str = "[messaging.reports]\nbase_url = 'https://slack.com'\nchannels = ['C0123456789']\n";

fn project(more: &str) -> Project {
    Project::new().file("credlint.toml", format!("{TOML}{more}"))
}

/// Asserts that each command prints these words on one of its streams.
fn assert_prints(project: &Project, args: &[&str], words: &[&str]) {
    let run = project.run(args);
    let text = format!("{}{}", run.stdout, run.stderr).replace("\n        ", " ");
    for word in words {
        assert!(text.contains(word), "{args:?} does not print {word:?}: {text}");
    }
    assert_ne!(run.code, 0, "{args:?}");
}

#[test]
fn an_unresolved_reference_comes_with_instructions() {
    let token = |reference: &str| project(&format!("token = {reference}\n"));
    let env = token("{ env = 'REPORTS_TOKEN' }");
    assert_prints(&env, &["check"], &["set it where the deploy runs", "--no-resolve"]);
    let beside = token("{ env = 'REPORTS_TOKEN' }").file(".env", "A=1\nexport REPORTS_TOKEN=xoxb-1\n");
    assert_prints(&beside, &["check"], &["pass `--env-file .env`"]);
    let other = token("{ env = 'REPORTS_TOKEN' }").file(".env", "XREPORTS_TOKEN=1\n");
    assert_prints(&other, &["check"], &["set it where the deploy runs"]);
    for near in ["REPORT_TOKEN", "REPORTS_TOKN", "reports_token", "REPORTS-TOKEN"] {
        let near_project = token("{ env = 'REPORTS_TOKEN' }").env(near, "x");
        let shown = near.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let words: &[&str] = if shown { &["which is set? Otherwise"] } else { &["set it where the deploy runs"] };
        assert_prints(&near_project, &["check"], words);
    }
    for name in ["$REPORTS_TOKEN", "${REPORTS_TOKEN}", "%REPORTS_TOKEN%"] {
        assert_prints(
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
        assert_prints(&token(&format!("{{ file = '{path}' }}")), &["check"], &[words]);
    }
}

#[test]
fn many_unresolved_references_take_one_line_each() {
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
fn a_terminal_without_unicode_gets_ascii() {
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
fn missing_fields_are_named_with_their_variable() {
    assert_prints(&project(""), &["check"], &["CREDLINT_MESSAGING__REPORTS__TOKEN"]);
    let dashed = Project::new().file("credlint.toml", "[messaging.night-reports]\ntoken = { env = 'T' }\n");
    assert_prints(&dashed, &["check"], &["CREDLINT_MESSAGING__NIGHT_REPORTS__BASE_URL"]);
}

#[test]
fn common_guesses_at_commands_get_a_suggestion() {
    let project = project("");
    for (word, tip) in [
        ("lint", "`credlint check` does that"),
        ("validate", "`credlint check` does that"),
        ("list", "`credlint profiles` does that"),
        ("send", "`credlint upload` does that"),
        ("version", "`credlint --version` does that"),
        ("rules", "`credlint explain` does that"),
    ] {
        assert_prints(&project, &[word], &[tip]);
    }
    assert_prints(&project, &["explain", "mixed-key-pai"], &["did you mean `mixed-key-pair`?"]);
    assert_prints(&project, &["check", "reports"], &["--profile reports"]);
    assert_prints(&project, &["check", "reports.toml"], &["reports.toml: no such file or directory"]);
    assert_prints(&project, &["check", "."], &["missing-token", "1 file read"]);
}

#[test]
fn a_project_file_under_another_name_is_pointed_out() {
    for name in [".credlint.toml", ".credlint.yaml", "credlint.conf"] {
        let project = Project::new().file(name, TOML);
        assert_prints(&project, &["check"], &[&format!("{name} is not read"), "credlint init"]);
    }
    assert_prints(&Project::new(), &["check"], &["no configuration", "`credlint init` writes one"]);
}

#[test]
fn a_misspelt_variable_or_table_is_one_finding() {
    let token = "xoxb-123456789012-1234567890123-abcdefghijklmnopqrst";
    for name in [
        "CREDLINT_MESSAGING_REPORTS_TOKEN", "credlint_messaging__reports__token", "CREDLINT_MESSAGING__REPORT__TOKEN",
        "CREDLINT_MESSAGING__REPROTS__TOKEN", "CREDLINT_MESSAGING__REPORTS__TOKN",
    ] {
        let project = project("").env(name, token);
        assert_eq!(project.rules(&[]), ["unknown-field"], "{name}");
        assert_prints(&project, &["check"], &["did you mean `CREDLINT_MESSAGING__REPORTS__TOKEN`?"]);
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
    assert!(own.rules(&[]).contains(&"malformed-address".to_owned()), "a different name is not a misspelling");
    let direct =
        Project::new().file("credlint.toml", "[messaging]\nbase_url = 'https://slack.com'\ntoken = { env = 'T' }\n");
    assert_eq!(direct.rules(&[]), ["unknown-field"]);
    assert_prints(
        &direct,
        &["check"],
        &["`messaging.base_url` is outside a profile", "as in `messaging.reports.base_url`"],
    );
    // In every format and kind, also by a mistyped name, by another program's and without a table; once for all fields.
    for (file, text, meant) in [
        ("credlint.yaml", "storage:\n  account_id: 1a2b3c4d5e6f\n  bucket: x\n", "storage.backups.account_id"),
        ("credlint.json", "{\"app\": {\"bot_token\": {\"env\": \"T\"}}}", "app.deploybot.bot_token"),
        ("credlint.toml", "[messaging]\ntokn = 'x'\nchannels = ['C0123456789']\n", "messaging.reports.token"),
        ("credlint.toml", "[storage]\naccountId = 'x'\n", "storage.backups.account_id"),
        ("credlint.toml", "base_url = 'https://slack.com'\ntoken = 'x'\n", "messaging.reports.base_url"),
    ] {
        let project = Project::new().file(file, text);
        assert_eq!(project.rules(&[]), ["unknown-field"], "{text}");
        assert_prints(&project, &["check"], &["is outside a profile", &format!("as in `{meant}`")]);
    }
    // A profile may have the name of a field.
    let called = Project::new().file("credlint.toml", TOML.replace("reports", "token"));
    assert_eq!(called.rules(&[]), ["missing-token"]);
    let other = project("token = { env = 'T' }\n").env("T", token).file("other.toml", TOML);
    assert_prints(&other, &["check", "--config", "other.toml"], &["credlint.toml is ignored because of --config"]);
}

#[test]
fn a_misplaced_profile_is_one_finding() {
    for (text, meant) in [
        ("[prod.messaging.reports]\nbase_url = 'https://slack.com'\n", "messaging.reports"),
        ("[environments.storage.backups]\nbucket = 'nightly'\n", "storage.backups"),
        ("[messaging.reports.prod]\nbase_url = 'https://slack.com'\n", "messaging.reports-prod"),
    ] {
        let project = Project::new().file("credlint.toml", text);
        assert_eq!(project.rules(&[]), ["unknown-field"], "{text}");
        assert_prints(&project, &["check"], &["unknown table `", &format!("did you mean `{meant}`?")]);
    }
    // A profile with a setting of its own is judged by it.
    let both = Project::new()
        .file("credlint.toml", format!("{TOML}[messaging.reports.prod]\nbase_url = 'https://x.slack.com'\n"));
    assert_eq!(both.rules(&[]), ["missing-token", "unknown-field"]);
}

#[test]
fn reports_credential_used_as_variable_name() {
    let token = "xoxb-739184265017-7391842650173-QzWvXkPjHyBdRmTnLsGfCaEu";
    assert_prints(&project(&format!("token = {{ env = '{token}' }}\n")), &["check"], &["`env` has a credential"]);
    let windows = project("token = { env = 'T' }\n").env("T", format!("{token}\r"));
    assert_prints(&windows, &["check"], &["ends in a carriage return"]);
}

#[test]
fn variables_that_stand_for_options_are_named() {
    let chosen = project("token = { env = 'T' }\n");
    assert_prints(&chosen.env("CREDLINT_PROFILE", "nope"), &["check"], &["`CREDLINT_PROFILE` names it"]);
    let other = project("").env("CREDLINT_CONFIG", "none.toml");
    assert_prints(&other, &["check"], &["`CREDLINT_CONFIG` names it"]);
    assert_prints(&other, &["profiles"], &["`CREDLINT_CONFIG` names it"]);
}

#[test]
fn what_people_try_leads_to_the_right_words() {
    let tables = Project::new().file("credlint.toml", "[slack.x]\ntoken = 'x'\n[b2.x]\nkey = 'x'\n");
    assert_prints(&tables, &["check"], &["`[app.deploybot]` or `[messaging.reports]`", "such as `[storage.backups]`"]);
    assert_prints(&tables, &["run", "--", "true"], &["`credlint exec -- COMMAND`"]);
    assert_prints(&tables, &["exec", "./x", "--flag"], &["put `--` before the command"]);
    // No service can verify a signing secret.
    let secret = "[app.x]\nsigning_secret = { env = 'S' }\n";
    let app = Project::new().file("credlint.toml", secret).env("S", "8f742231b10e8888abcdefabcdefabcd");
    let run = app.run(&["check"]);
    assert!(run.code == 0 && !run.stdout.contains("verify"), "{}", run.stdout);
}

#[test]
fn words_that_can_not_be_secrets_are_quoted() {
    let project = Project::new();
    for (args, words) in [
        (&["check", "-A", "foo"][..], "unknown rule `foo`; run `credlint explain`"),
        (&["check", "-W", "missing-keypair"], "unknown rule `missing-keypair`; did you mean `missing-key-pair`?"),
        (&["explain", "stripe"], "for the service: `credlint services stripe`"),
        (&["services", "strpe"], "unknown service `strpe`"),
        (&["man", "chek"], "unknown command `chek`"),
        (&["upload", "--shard", "5/4", "x"], "'5/4'"),
        (&["upload", "--report", "xml=f", "x"], "an upload's second report is JSON: json=FILE"),
        (&["sandbox", "--listen", "127.0.0.1:99999"], "with a port from 0 to 65535"),
        (&["check", "--policy", "nope"], "nope: no such file or directory"),
        (&["profiles"], "`credlint init` writes one to start from"),
        (&["check", "-p", "reports"], "there is no configuration here: `credlint init` writes one"),
    ] {
        assert_prints(&project, args, &[words]);
    }
    // A possible password is not repeated.
    for args in
        [["check", "-A", "qzwvxkpjhybd"], ["upload", "--shard", "918273"], ["upload", "--fail", "a=qzwvxkpjh4bd"]]
    {
        let run = project.run(&args);
        assert!(run.code == 2 && !run.stderr.contains("qzwv") && !run.stderr.contains("9182"), "{}", run.stderr);
    }
}

#[test]
fn empty_pipe_and_written_baseline_are_reported() {
    for (input, words) in [("", "standard input is empty"), ("hello\n", "standard input has no names with values")] {
        let run = crate::paths::with_input(&Project::new(), &["check", "-"], input.as_bytes());
        assert!(run.code == 3 && run.stdout.contains(words), "{}", run.stdout);
    }
    let project = Project::new().file(".env", "STRIPE_SECRET_KEY=pk_live_abcdefghijklmnopqrstuvwx\n");
    let run = project.run(&["check", ".", "--write-baseline", "known.json"]);
    let said = "wrote 1 finding to known.json: check with --baseline known.json from now on";
    assert!(run.code == 1 && run.stderr.contains(said), "{}", run.stderr);
    let quiet = project.run(&["check", ".", "-q", "--write-baseline", "known.json"]);
    assert!(!quiet.stderr.contains("wrote"), "{}", quiet.stderr);
}
