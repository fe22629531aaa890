//! The same proofs for foreign input: files of other programs in every dialect, standard input and the variables of a
//! process.

use std::process::Stdio;

use super::places::{ONE_CASE, SECRETS};
use super::{absent, assert_no_leaks, written};
use crate::harness::{Extent, Project, Run, extents};

/// Files of other programs, with a secret in every possible place: as values, names, sections, comments and parts of
/// names.
const FILES: &[(&str, &str)] = &[
    (
        "a.env",
        "# §\nSLACK_TOKEN=§ # §\nexport B2_KEY_ID=§ B2_KEY='§'\n§=1\n§\nSLACK_BOT_TOKEN=\"Bearer §\"\nA=§\nSLACK_WEBHOOK_URL=$§\n\
         SLACK_APP_TOKEN=${§}\nB2_ACCOUNT_KEY=${{ secrets.§ }}\n",
    ),
    ("names.env", "§_SLACK_TOKEN=null\nSLACK_TOKEN_§=null\n§_B2_KEY_ID=K005\nB2_KEY_§=abc\nx§=<a>\n"),
    (
        "references.env",
        "§_SLACK_TOKEN=$SLACK_WEBHOOK_URL\nSLACK_BOT_TOKEN=$§_WEBHOOK_URL\nB2_ACCOUNT_ID=$§_B2_ACCOUNT_KEY\n",
    ),
    (
        "a.sh",
        "#!/bin/sh\nif true; then\n  export SLACK_TOKEN=§\nfi\ncurl -H 'Authorization: §' https://§@h.example\nB2_KEY=$(echo §)\n",
    ),
    ("a.bat", "set SLACK_TOKEN=§\nset \"B2_KEY=§\"\nrem §\nset §=§\n"),
    ("a.ps1", "$env:SLACK_TOKEN = '§'\n# §\n$§ = '§'\n"),
    ("a.service", "[§]\nEnvironment=\"SLACK_TOKEN=§\" B2_KEY=§\n"),
    ("Dockerfile", "FROM §\nENV SLACK_TOKEN=§ §=x\nRUN echo § \\\n  SLACK_TOKEN=§\n"),
    ("rclone.conf", "[§]\ntype = b2\naccount = §\nkey = §\n; §\n§ = §\n[b2]\ntype = b2\naccount = §\n"),
    (
        "s3.conf",
        "[§]\ntype = s3\nendpoint = §.s3.us-east-005.backblazeb2.com\naccess_key_id = §\nsecret_access_key = §\n",
    ),
    (
        "a.toml",
        "['§']\nSLACK_TOKEN = '§'\n'§' = '§'\n[slack.'§']\ntoken = '§' # §\n[slack]\ntoken = 'Bearer §'\n['§'.slack]\nbot_token = 'xapp-1-§'\n",
    ),
    (
        "a.json",
        "{\"§\": {\"SLACK_TOKEN\": \"§\"}, \"slack\": {\"token\": \"§\", \"§\": \"§\"},\n \"b2\": {\"account_id\": \"§\", \"application_key\": \"§\"},\n \
         \"env\": [{\"Name\": \"§_SLACK_TOKEN\", \"Value\": \"xapp-1-§\"}], \"u\": \"b2://§:§@§\"}\n",
    ),
    (
        "a.yaml",
        "# §\nservices:\n  '§':\n    environment:\n      - 'SLACK_TOKEN=\"§\"'\n      - '§_SLACK_TOKEN=\"abc\"'\n      - '§'\n      - 'A_TOKEN:§'\n      - '§_TOKEN:a'\n      - '§:§'\n\
         env:\n  - name: '§_SLACK_TOKEN'\n    value: null\n  - name: SLACK_TOKEN\n    valueFrom: {secretKeyRef: {name: '§', key: '§-webhook-url'}}\n\
         b2:\n  accountIDSecretRef: {name: '§', key: '§'}\n  accountKeySecretRef: {name: '§', key: '§-b2-account-id'}\n",
    ),
    (
        "secret.yaml",
        "kind: Secret\ndata:\n  SLACK_TOKEN: '§'\n  '§': '§'\n---\nkind: Secret\nstringData:\n  slack-token: |\n    §\n  B2_KEY_ID: '§'\n  B2_KEY: '§'\n",
    ),
    (
        "alertmanager.yml",
        "global:\n  slack_api_url: '§'\nreceivers:\n- slack_configs:\n  - api_url: 'https://§.example/§'\n    app_token: '§'\n",
    ),
    (
        "configmap.yaml",
        "kind: ConfigMap\ndata:\n  rclone.conf: |\n    [b2]\n    type = b2\n    account = §\n    key = §\n    § = 1\n  service.slack: |\n    token: '§'\n    '§': x\n  '§.env': |\n    SLACK_TOKEN=§\n    §_SLACK_TOKEN=x\n",
    ),
    (
        "Web.config",
        "<a><add key='SlackBotToken' value='§'/><add key='§' value='§'/><setting name='Slack§'><value>§</value></setting></a>\n",
    ),
    ("app.properties", "slack.token=§\n§.slack.token=x\nslack.§=§\nslack.bot.token = \"§\" \n§ x\n"),
    ("deploy.sh", "SLACK_TOKEN=§ ./x §\nB2_KEY=§ y\n§=x z\n1 2 3 4 5 SLACK_APP_TOKEN=§ /x §\n"),
    ("template.yaml", "stringData:\n  {{ if § }}\n  SLACK_TOKEN: §\n  {{ .§ }}: §\n  B2_KEY_ID: '§'\n"),
    ("broken.yaml", "slack: [§\n  §: }\n"),
    ("broken.toml", "slack = '§\n[§\n"),
    ("broken.json", "{\"slack\": \"§\", §\n"),
    ("b2.tfvars", "b2_key_id = \"§\"\n# §\nb2_key = <<EOF\n§\nEOF\n"),
    (
        "run.sh",
        "b2 account authorize '§' \"§\" §\nkopia repository create b2 --key-id='§' \\\n --key '§' --§=x\nduplicity 'b2://§:§@§'\n\
         helm x --set 'slack.botToken=§,slack.§=x' --set '§.slack.token=§'\nheroku config:set SLACK_TOKEN='§' '§=x'\n",
    ),
    (
        "compose.yaml",
        "services:\n  a:\n    image: '§/b2:§'\n    command: [account, authorize, '§', '§']\n  b:\n    command: |\n      duplicity 'b2://§:§@§'\n\
         script:\n- SLACK_TOKEN='§' x\n- helm --set 'slack.token=§'\n- '§'\n",
    ),
    (
        "cluster.yaml",
        "kind: Secret\nmetadata: {name: '§'}\nstringData: {ACCESS_KEY_ID: '§', ACCESS_SECRET_KEY: '§'}\n---\nendpointURL: s3.us-west-004.backblazeb2.com\n\
         s3Credentials:\n  accessKeyId: {name: '§', key: '§'}\n  secretAccessKey: {name: '§', key: '§'}\n",
    ),
    ("app.json", "{\"env\": {\"SLACK_TOKEN\": {\"value\": \"§\", \"§\": \"§\"}, \"§\": {\"value\": \"§\"}}}\n"),
    (
        "b2.sh",
        "cat > rclone.conf <<EOF\n[§]\ntype = b2\naccount = §\nkey = §\n§ = 1\nEOF\ncat <<-'EOF' > '§.yml'\n\tslack:\n\t  token: §\n\t  '§': x\n\tEOF\n\
         kubectl apply -f - <<§\nenv:\n- name: SLACK_TOKEN\n  value: '§'\n§\n",
    ),
    (
        "write.sh",
        "echo 'SLACK_TOKEN=§' >> .env\necho '§=§' > '§.env'\nprintf 'B2_KEY=%s§' '§' | tee -a a.env\nsed -i 's|SLACK_TOKEN=§|SLACK_TOKEN=§|' '§/.env'\n\
         kubectl x --from-literal=SLACK_TOKEN='§' --from-literal='§=x'\ndocker build --build-arg 'SLACK_TOKEN=§' '§'\n\
         aws configure set aws_secret_access_key '§' --profile '§'\nexport SLACK_TOKEN=Bearer §\ncat > '§.env' <<EOF\nSLACK_TOKEN=§\nEOF\n",
    ),
    ("Makefile", "SLACK_TOKEN := §\n§: §\n\t@docker run -e SLACK_TOKEN=§ §\n"),
    ("Caddyfile", "§ {\n\ttls {\n\t\tdns cloudflare §\n\t}\n}\n"),
    (".passwd-s3fs", "§:§\n# §\na:§:§\n"),
    (
        "mcp.jsonc",
        "{\"a\": {\"url\": \"https://api.githubcopilot.com/§\", \"headers\": {\"Authorization\": \"Bearer §\", \"§\": \"§\"}}} // §\n",
    ),
    (
        ".github/workflows/a.yml",
        "jobs:\n  a:\n    steps:\n    - with:\n        build-args: |\n          SLACK_TOKEN=§\n          §=x\n    - run: |\n        echo 'SLACK_TOKEN=§' >> $GITHUB_ENV\n",
    ),
];

/// A log full of texts about the credentials of those files, with the secret around, in and between them.
const LOG: &str = "\u{1b}]0;§\u{7}\u{1b}[31m§ slack invalid_auth § missing_scope §\u{1b}[0m\n§ bad_auth_token §: b2_authorize_account: 401: §\n\
     https://§.slack.com/§ hooks.slack.com/§ no_service §\nCredential access key has length §, should be 32\n§: invalid header field value §\n\
     AADSTS7000215§ AADSTS7000215 '§'\nFATAL: password authentication failed for user \"§\"\nopen §: file name too long private_key §\n\
     getaddrinfo ENOTFOUND §\ncould not translate host name \"§@db\" to address\nPOST https://§.api.stripe.com/§ 401\n§_TOKEN is invalid §\n\
     401 Unauthorized https://§@§.example/ huggingface.co\n";

/// The commands for those files.
const COMMANDS: &[&[&str]] = &[
    &["check", "."],
    &["check", ".", "--format", "json", "--fail-on", "warning"],
    &["check", ".", "--format", "concise", "-W", "warnings"],
    &["check", ".", "--format", "sarif"],
    &["check", ".", "--format", "github"],
    &["check", ".", "--format", "gitlab"],
    &["check", ".", "-v", "--format", "json"],
    &["check", ".", "-v", "--format", "concise"],
    &["check", ".", "--list"],
    &["check", "a.env", "broken.yaml", "broken.toml", "broken.json", "--as", "template"],
    &["check", "rclone.conf", "--as", "env"],
    &["check", "a.yaml", "--as", "json"],
    &["check", ".", "--exclude", "*.env", "--profile", "slack"],
    &["check", ".", "--baseline", "../known"],
    &["why", "a.env"],
    &["why", "run.sh", "--in", ".", "--format", "json"],
    &["why", "texts.log", "--env-file", "a.env", "--in", "a.yaml"],
    &["why", "texts.log", "--format", "json"],
    &["verify", ".", "--max-wait", "0"],
    &["verify", ".", "-v", "--max-wait", "0"],
    &["verify", ".", "--max-wait", "0", "--format", "json"],
];

fn project(secret: &str) -> Project {
    // Punctuation ends a name, and the rest is a word.
    let files = FILES.iter().filter(|(_, text)| !(secret.contains(' ') && text.contains("§_")));
    // No run may reach a real service.
    let project = Project::new().env("HTTPS_PROXY", "http://127.0.0.1:9");
    let project = project.file("texts.log", LOG.replace('§', secret));
    files.fold(project, |project, (name, text)| project.file(name, text.replace('§', secret)))
}

/// Runs a command with both secrets, and compares the output.
fn compare_runs(pair: &[&str; 2], what: &str, run: impl Fn(&str) -> (Run, String)) -> Result<(), String> {
    let mut runs = Vec::new();
    for secret in pair {
        let (run, directory) = run(secret);
        // `exec` that did not start its command ends in 125.
        if !(0..=4).contains(&run.code) && run.code != 125 {
            return Err(format!("{what}: {} {}", run.code, run.stderr));
        }
        absent(secret, &run.stdout, what)?;
        absent(secret, &run.stderr, what)?;
        let (code, stdout, stderr) = written(&run);
        runs.push((code, stdout.replace(&directory, ""), stderr.replace(&directory, "")));
    }
    // Fingerprints depend on places and names, and must not differ between the runs either.
    if runs[0] == runs[1] {
        Ok(())
    } else {
        Err(format!(
            "{what} tells {pair:?} apart:\n{}\n{}",
            difference(&runs[0].1, &runs[1].1),
            difference(&runs[0].2, &runs[1].2)
        ))
    }
}

fn difference(one: &str, other: &str) -> String {
    let lines = one.lines().zip(other.lines()).filter(|(one, other)| one != other);
    lines.map(|(one, other)| format!("- {one}\n+ {other}\n")).take(8).collect()
}

fn all_secrets() -> Vec<&'static [&'static str; 2]> {
    SECRETS.iter().chain(ONE_CASE).collect()
}

fn prove_files(extent: Extent) {
    let all: Vec<_> = all_secrets().into_iter().enumerate().collect();
    assert_no_leaks(&all, |(number, pair)| {
        let projects = pair.map(project);
        for project in &projects {
            // A baseline is meant to be committed.
            let wrote = project.run(&["check", ".", "--write-baseline", "../known"]);
            let known = project.dir.path().join("known");
            let text = std::fs::read_to_string(known).map_err(|error| format!("{error}: {}", wrote.stderr))?;
            pair.iter()
                .try_for_each(|secret| absent(secret, &(text.clone() + &wrote.stdout + &wrote.stderr), "a baseline"))?;
        }
        for (_, command) in COMMANDS.iter().enumerate().filter(|(index, _)| extent.takes(index + number, all.len())) {
            compare_runs(pair, &format!("{command:?}"), |secret| {
                let project = &projects[usize::from(secret == pair[1])];
                (project.run(command), project.dir.path().to_str().unwrap().to_owned())
            })?;
        }
        Ok(())
    });
}

extents! {
    no_secret_from_files_of_other_programs_is_printed => prove_files;
    no_secret_from_standard_input_or_variables_is_printed => prove_inputs;
}

fn prove_inputs(extent: Extent) {
    const INPUTS: &[(&str, &[&str], &str)] = &[
        ("env", &["check", "-"], FILES[0].1),
        ("log", &["why", "-"], LOG),
        ("log", &["why", "--format", "json"], LOG),
        ("json", &["check", "-", "--format", "json"], FILES[11].1),
        ("json", &["check", "-", "-v", "--format", "json"], FILES[11].1),
        ("env0", &["check", "-"], "SLACK_TOKEN=§\0B2_KEY_ID=§\0§=x\0DB_PASSWORD=\"§\"\0§_SLACK_TOKEN=null\0"),
        ("yaml", &["check", "-", "--as", "yaml", "--format", "sarif"], FILES[12].1),
        ("broken", &["check", "-", "--as", "toml"], FILES[17].1),
        ("value", &["exec", "-v", "--stdin", "SLACK_BOT_TOKEN", "--", "true"], "§\n"),
        ("value", &["exec", "--observe", "--stdin", "A_SETTING", "--", "true"], "\"§\"\n"),
        ("value", &["exec", "--stdin", "A_TOKEN", "--", "true"], "your-§\r\n"),
    ];
    const VARIABLES: &[(&str, &str)] = &[
        ("SLACK_TOKEN", "§"),
        ("B2_KEY_ID", "§"),
        ("B2_KEY", "\"§\""),
        ("SLACK_BOT_TOKEN", "Bearer §"),
        ("SLACK_WEBHOOK_URL", "${§}"),
        ("DB_PASSWORD", "'§'"),
        ("§_TOKEN", "null"),
        ("§_SLACK_TOKEN", "undefined"),
        ("SLACK_APP_TOKEN_§", "null"),
        ("RCLONE_CONFIG_§_TYPE", "b2"),
        ("RCLONE_CONFIG_§_ACCOUNT", "K005§"),
        ("TARGET", "b2://§:§@nightly"),
    ];
    let all: Vec<_> = all_secrets().into_iter().enumerate().collect();
    assert_no_leaks(&all, |(number, pair)| {
        let chosen = |index: usize| extent.takes(index + number, all.len() / 2);
        for (_, (name, words, text)) in INPUTS.iter().enumerate().filter(|(index, _)| chosen(*index)) {
            compare_runs(pair, &format!("{name} by standard input"), |secret| {
                let project = Project::new().file("input", text.replace('§', secret));
                let mut command = project.command(words);
                command.stdin(Stdio::from(std::fs::File::open(project.path().join("input")).unwrap()));
                (Run::of(command), project.dir.path().to_str().unwrap().to_owned())
            })?;
        }
        let commands = [
            &["check", "--environment"][..],
            &["check", "--environment", "--format", "json"],
            &["check", "--environment", "--format", "gitlab", "--fail-on", "warning"],
            &["check", "--environment", "--env-file", "/dev/null", "-v"],
            &["check", "--environment", "-v", "--format", "json"],
            &["verify", "--environment", "--max-wait", "0"],
            &["verify", "--environment", "--max-wait", "0", "--format", "json"],
            &["exec", "-v", "--", "true"],
        ];
        for (_, words) in commands.into_iter().enumerate().filter(|(index, _)| chosen(*index)) {
            compare_runs(pair, &format!("{words:?}"), |secret| {
                // Variables are sorted by name.
                let named = |name: &str| name.replace('§', secret);
                let variables = VARIABLES.iter().filter(|(name, _)| !named(name).contains('='));
                let project = variables.fold(Project::new(), |project, (name, value)| {
                    project.env(&named(name), value.replace('§', secret))
                });
                let project = project.env("HTTPS_PROXY", "http://127.0.0.1:9");
                (project.run(words), project.dir.path().to_str().unwrap().to_owned())
            })?;
        }
        Ok(())
    });
}

/// A file with a token as its name is not named.
#[test]
fn a_file_name_that_contains_a_token_is_not_printed() {
    for pair in SECRETS.iter().filter(|pair| pair[0].starts_with("xox") || pair[0].starts_with("xapp")) {
        for words in [&["check", "."][..], &["check", ".", "--format", "json"], &["check", ".", "--list"]] {
            let checked = compare_runs(pair, &format!("{words:?}"), |secret| {
                let text = format!("SLACK_TOKEN=\"\\\"{secret}\\\"\"\n");
                let project =
                    Project::new().file(&format!("{secret}.env"), &text).file(&format!("{secret}/a.env"), text);
                (project.run(words), project.dir.path().to_str().unwrap().to_owned())
            });
            checked.unwrap();
        }
    }
}
