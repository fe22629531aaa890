//! Corpora: working profiles, which must have no findings, and mistakes, which must have the right one.
//!
//! The files contain forms instead of values: `{x*24}` stands for 24 letters and digits that are made up anew for each
//! seed. The result must not depend on the bytes of a value.

use std::path::Path;

use credlint::examples::Maker;

use crate::harness::{Extent, Project, extents};

fn corpus(name: &str) -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let mut files: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    files.iter().map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), read(path))).collect()
}

extents! {
    working_configurations_have_no_findings => compare_right;
    broken_configurations_have_the_expected_finding => compare_wrong;
}

/// The result must not depend on the values, so all of it takes several.
fn seeds(extent: Extent) -> std::ops::RangeInclusive<u64> {
    if extent == Extent::All { 1..=3 } else { 1..=1 }
}

fn compare_right(extent: Extent) {
    let (mut profiles, mut wrong) = (0, Vec::new());
    for seed in seeds(extent) {
        for (name, text) in corpus("innocent") {
            let mut maker = Maker::new(seed);
            // One line at a time, so a profile keeps its values when another one is added.
            let lines: Vec<String> = text.lines().map(|line| maker.fill(line)).collect();
            let project = Project::new().file("credlint.toml", lines.join("\n"));
            // This corpus consists of plaintext values.
            let (_, document) = project.check(&["-A", "literal-secret"]);
            profiles += document["profiles"].as_array().unwrap().len();
            assert_eq!(document["problems"].as_array().map_or(0, Vec::len), 0, "{name}: {}", document["problems"]);
            for finding in document["findings"].as_array().unwrap() {
                let line = finding["labels"][0]["span"]["start"]["line"].as_u64().unwrap();
                let text = &lines[usize::try_from(line).unwrap() - 1];
                wrong.push(format!("{name}:{line}: {}: {}\n    {text}", finding["rule"], finding["message"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} findings on profiles that work:\n{}", wrong.len(), wrong.join("\n"));
    assert!(profiles >= 500, "{profiles}");
}

/// A mistake: the form of the value, and the rules of which one must report it.
type Mistake = (&'static str, &'static [&'static str]);

const BOT: &str = "xoxb-{9*12}-{9*13}-{x*24}";
const KEY_ID: &str = "005{9*1}{h*11}000000000{9*1}";
const KEY: &str = "K005{b*27}";
const MASTER: &str = "005{h*39}";
const ACCOUNT: &str = "{9*1}{h*11}";
const WEBHOOK: &str = "https://hooks.slack.com/services/T{X*8}/B{X*10}/{x*24}";

/// Values that are wrong in every credential field.
const ANYWHERE: &[Mistake] = &[
    // References that were not expanded.
    ("$SLACK_TOKEN", UNEXPANDED),
    ("${SLACK_TOKEN}", UNEXPANDED),
    ("$${SLACK_TOKEN}", UNEXPANDED),
    ("${SLACK_TOKEN:-none}", UNEXPANDED),
    ("%SLACK_TOKEN%", UNEXPANDED),
    ("$(cat /run/secrets/token)", UNEXPANDED),
    ("${{ secrets.SLACK_TOKEN }}", UNEXPANDED),
    ("{{ .Values.token }}", UNEXPANDED),
    ("{{ lookup('env', 'TOKEN') }}", UNEXPANDED),
    ("<%= ENV['TOKEN'] %>", UNEXPANDED),
    ("#{SlackToken}#", UNEXPANDED),
    ("__SLACK_TOKEN__", UNEXPANDED),
    ("@SLACK_TOKEN@", UNEXPANDED),
    ("op://vault/item/field", UNEXPANDED),
    ("vault:secret/data/slack#token", UNEXPANDED),
    ("ref+vault://secret/slack#/token", UNEXPANDED),
    ("ref+awsssm://path", UNEXPANDED),
    ("gcp-sm://project/slack", UNEXPANDED),
    ("sm://project/slack", UNEXPANDED),
    ("arn:aws:secretsmanager:eu-west-1:{9*12}:secret:slack-{x*6}", UNEXPANDED),
    ("arn:aws:ssm:eu-west-1:{9*12}:parameter/slack", UNEXPANDED),
    ("@Microsoft.KeyVault(SecretUri=https://x.vault.azure.net/secrets/y)", UNEXPANDED),
    ("ENC[AES256_GCM,data:{x*20},iv:{x*20},tag:{x*10},type:str]", UNEXPANDED),
    ("$ANSIBLE_VAULT;1.1;AES256", UNEXPANDED),
    ("-----BEGIN PGP MESSAGE-----", UNEXPANDED),
    ("/run/secrets/slack_token", UNEXPANDED),
    ("/var/run/secrets/token", UNEXPANDED),
    ("~/.slack-token", UNEXPANDED),
    ("file:///etc/secrets/token", UNEXPANDED),
    ("secrets.SLACK_TOKEN", UNEXPANDED),
    ("SLACK_BOT_TOKEN", UNEXPANDED),
    ("B2_APPLICATION_KEY", UNEXPANDED),
    ("env:SLACK_TOKEN", UNEXPANDED),
    ("process.env.SLACK_TOKEN", UNEXPANDED),
    // Placeholders.
    ("null", PLACEHOLDER),
    ("None", PLACEHOLDER),
    ("nil", PLACEHOLDER),
    ("undefined", PLACEHOLDER),
    ("changeme", PLACEHOLDER),
    ("CHANGE_ME", PLACEHOLDER),
    ("todo", PLACEHOLDER),
    ("your-token", PLACEHOLDER),
    ("YOUR_API_TOKEN_HERE", PLACEHOLDER),
    ("your-slack-bot-token", PLACEHOLDER),
    ("insert-key-here", PLACEHOLDER),
    ("replace_me", PLACEHOLDER),
    ("<token>", PLACEHOLDER),
    ("<your-application-key>", PLACEHOLDER),
    ("[REDACTED]", PLACEHOLDER),
    ("<redacted>", PLACEHOLDER),
    ("********", PLACEHOLDER),
    ("•••••••••••", PLACEHOLDER),
    ("***", PLACEHOLDER),
    ("xxxxxxxxxxxx", PLACEHOLDER),
    ("xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx", PLACEHOLDER),
    ("xoxb-your-token-here", PLACEHOLDER),
    ("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", PLACEHOLDER),
    // Other vendors' tokens.
    ("ghp_{x*36}", FOREIGN),
    ("gho_{x*36}", FOREIGN),
    ("github_pat_{x*22}_{x*59}", FOREIGN),
    ("glpat-{u*20}", FOREIGN),
    ("sk_live_{x*24}", FOREIGN),
    ("pk_test_{x*24}", FOREIGN),
    ("AIza{u*35}", FOREIGN),
    ("npm_{x*36}", FOREIGN),
    ("hf_{x*34}", FOREIGN),
    ("sk-ant-api03-{u*90}", FOREIGN),
    ("sk-proj-{u*60}", FOREIGN),
    ("SG.{u*22}.{u*43}", FOREIGN),
    ("AC{h*32}", FOREIGN),
    ("SK{h*32}", FOREIGN),
    ("dop_v1_{h*64}", FOREIGN),
    ("{9*10}:AA{u*33}", FOREIGN),
    ("dckr_pat_{u*27}", FOREIGN),
    ("hvs.{u*90}", FOREIGN),
    ("pypi-AgEIcHlwaS5vcmc{u*100}", FOREIGN),
    ("shpat_{h*32}", FOREIGN),
    ("lin_api_{x*40}", FOREIGN),
    ("AKIA{X*16}", FOREIGN),
    ("-----BEGIN PRIVATE KEY-----", FOREIGN_OR_SPACED),
];

/// Changes to a value: `§` is the value.
const WRAPPED: &[Mistake] = &[
    ("\"§\"", MALFORMED),
    ("'§'", MALFORMED),
    ("\"§", MALFORMED),
    ("§\"", MALFORMED),
    ("`§`", MALFORMED),
    ("“§”", MALFORMED),
    ("<§>", MALFORMED),
    ("[§]", MALFORMED),
    ("{§}", MALFORMED),
    ("(§)", MALFORMED),
    ("SLACK_TOKEN=§", MALFORMED),
    ("export SLACK_TOKEN=§", MALFORMED),
    ("export KEY=\"§\"", MALFORMED),
    ("token: §", MALFORMED),
    ("token=§", MALFORMED),
    ("Bearer §", MALFORMED),
    ("Token §", MALFORMED),
    ("Authorization: Bearer §", MALFORMED),
    ("[\"§\"]", MALFORMED),
    ("§,", MALFORMED),
    ("§;", MALFORMED),
    ("§.", MALFORMED),
    ("§\\n", MALFORMED),
    ("§ ", MALFORMED),
    (" §", MALFORMED),
    ("§\n", MALFORMED),
    ("§\r", MALFORMED),
    ("§\t", MALFORMED),
    ("\u{feff}§", MALFORMED),
    ("§\u{200b}", MALFORMED),
    ("§\u{a0}", MALFORMED),
    ("§§", MALFORMED),
    ("# §", MALFORMED),
];

const UNEXPANDED: &[&str] = &["unexpanded-reference"];
const PLACEHOLDER: &[&str] = &["placeholder-credential"];
const FOREIGN: &[&str] = &["foreign-credential"];
const FOREIGN_OR_SPACED: &[&str] = &["foreign-credential", "malformed-credential"];
const MALFORMED: &[&str] = &["malformed-credential"];
const CANNOT: &[&str] = &["wrong-credential"];
const URL: &[&str] = &["wrong-credential"];
const UNKNOWN: &[&str] = &["unrecognised-credential"];
const WRONG: &[&str] = &["wrong-credential"];
const SWAPPED: &[&str] = &["wrong-credential"];
const MIXED: &[&str] = &["mixed-credentials"];
const NO_ID: &[&str] = &["wrong-credential"];

const AS_TOKEN: &[Mistake] = &[
    ("xapp-1-A{X*10}-{9*13}-{h*64}", CANNOT),
    ("xoxe-1-{X*146}", CANNOT),
    ("xoxc-{9*12}-{9*12}-{9*12}-{h*64}", CANNOT),
    ("xoxd-{x*40}%2B{x*20}", CANNOT),
    ("xoxs-{9*12}-{9*12}-{h*20}", CANNOT),
    ("xoxa-2-{9*12}-{9*12}-{h*32}", CANNOT),
    ("xoxr-{9*12}-{9*12}-{h*32}", CANNOT),
    ("xwfp-{9*12}-{x*40}", CANNOT),
    (WEBHOOK, URL),
    ("https://slack.com/api/files.upload", URL),
    ("https://app.slack.com/client/T{X*8}/C{X*8}", URL),
    ("T{X*8}/B{X*10}/{x*24}", URL),
    ("/services/T{X*8}/B{X*10}/{x*24}", URL),
    ("https://discord.com/api/webhooks/{9*18}/{u*68}", URL),
    ("{h*32}", UNKNOWN),
    ("{9*12}.{9*13}", &["unrecognised-credential", "foreign-credential"]),
    ("C{X*10}", WRONG),
    ("T{X*10}", WRONG),
    ("U{X*10}", WRONG),
    ("ann@example.com", UNKNOWN),
    ("report-bot", UNKNOWN),
    ("hunter2", UNKNOWN),
    ("{l*26}", UNKNOWN),
    ("{h*8}-{h*4}-4{h*3}-a{h*3}-{h*12}", UNKNOWN),
    ("eyJ{x*20}.eyJ{x*40}.{u*43}", UNKNOWN),
    ("{x*24}", UNKNOWN),
    ("xoxb-{9*6}", MALFORMED),
    ("xoxb-", &["placeholder-credential"]),
    (KEY, FOREIGN),
    (KEY_ID, FOREIGN),
    (MASTER, UNKNOWN),
    (ACCOUNT, UNKNOWN),
];

const AS_KEY_ID: &[Mistake] = &[
    ("nightly-key", UNKNOWN),
    ("My Backup Key", MALFORMED),
    ("{h*24}", NO_ID),
    ("ann@example.com", NO_ID),
    (KEY, SWAPPED),
    (MASTER, SWAPPED),
    (ACCOUNT, MIXED),
    ("005{9*1}{h*11}00000000", &["malformed-credential", "unrecognised-credential"]),
    ("{x*20}", UNKNOWN),
    ("nightly", UNKNOWN),
    (BOT, FOREIGN),
    (WEBHOOK, FOREIGN),
    ("https://s3.eu-central-005.backblazeb2.com", UNKNOWN),
    ("005{9*1}{h*11}000000000{9*1}:K005{b*27}", &["malformed-credential", "foreign-credential"]),
];

const AS_KEY: &[Mistake] = &[
    ("nightly-key", UNKNOWN),
    (KEY_ID, SWAPPED),
    (MASTER, MIXED),
    ("K005{b*20}", &["malformed-credential", "unrecognised-credential"]),
    ("K005{b*28}", &["malformed-credential", "unrecognised-credential"]),
    ("K005{b*27}K005{b*5}", MALFORMED),
    ("{h*24}", UNKNOWN),
    ("ann@example.com", UNKNOWN),
    ("{x*40}", UNKNOWN),
    (BOT, FOREIGN),
    (WEBHOOK, FOREIGN),
    ("005{9*1}{h*11}000000000{9*1}:K005{b*27}", &["malformed-credential", "foreign-credential"]),
    ("4_005{9*1}{h*11}0000000001_0{h*7}_{h*6}_acct_{x*20}=", FOREIGN),
];

const AS_WEBHOOK: &[Mistake] = &[
    (BOT, FOREIGN),
    ("xapp-1-A{X*10}-{9*13}-{h*64}", FOREIGN),
    ("https://discord.com/api/webhooks/{9*18}/{u*68}", FOREIGN),
    ("https://slack.com/api/chat.postMessage", WRONG),
    ("https://hooks.slack.com/services/T{X*8}/B{X*10}", &["unrecognised-credential", "malformed-credential"]),
    ("https://hooks.slack.com", &["unrecognised-credential", "malformed-credential"]),
    ("T{X*8}/B{X*10}/{x*24}", &["unrecognised-credential", "malformed-credential", "foreign-credential"]),
    ("hooks.slack.com/services/T{X*8}/B{X*10}/{x*24}", &["unrecognised-credential", "malformed-credential"]),
    ("general", UNKNOWN),
];

const ADDRESS: &[&str] = &["malformed-address"];
const CHANNEL: &[&str] = &["malformed-channel"];
const NAME: &[&str] = &["malformed-channel"];

/// Values that are wrong in fields without a credential, at the hosted service.
const PUBLIC: &[(&str, &[Mistake])] = &[
    (
        "messaging.base_url",
        &[
            ("$SLACK_URL", UNEXPANDED),
            ("https://${SLACK_HOST}", UNEXPANDED),
            ("{{ slack_url }}", UNEXPANDED),
            (BOT, FOREIGN),
            (KEY, FOREIGN),
            ("ghp_{x*36}", FOREIGN),
            ("slack.com", ADDRESS),
            ("team.slack.com", ADDRESS),
            ("\"https://slack.com\"", ADDRESS),
            ("https://https://slack.com", ADDRESS),
            ("https//slack.com", ADDRESS),
            ("https://slack.com ", ADDRESS),
            ("ftp://slack.com", ADDRESS),
            ("https://user:{x*10}@slack.com", ADDRESS),
            ("https://slack.com?token=x", ADDRESS),
            ("https://slack.com/#general", ADDRESS),
            ("https://slack.com/api", &["malformed-address"]),
            ("https://slack.com/api/", &["malformed-address"]),
            ("https://slack.com/api/files.upload", &["malformed-address"]),
            ("https://slack.com/api/chat.postMessage", ADDRESS),
            ("https://team.slack.com/archives/C{X*10}", ADDRESS),
            ("https://team.slack.com/archives/C{X*10}/p{9*16}", ADDRESS),
            ("https://app.slack.com/client/T{X*10}/C{X*10}", ADDRESS),
            ("https://app.slack.com", ADDRESS),
            ("https://files.slack.com", ADDRESS),
            ("https://hooks.slack.com", ADDRESS),
            ("https://api.slack.com", ADDRESS),
            ("https://api.slack.com/apps/A{X*10}", ADDRESS),
            (WEBHOOK, ADDRESS),
            ("https://discord.com/api/webhooks/{9*18}/{u*68}", ADDRESS),
            ("https://chat.example.com/hooks/{l*26}", ADDRESS),
            ("http://slack.com", &["insecure-base-url"]),
        ],
    ),
    (
        "messaging.channels",
        &[
            ("$CHANNEL", UNEXPANDED),
            ("${{ vars.CHANNEL }}", UNEXPANDED),
            ("op://vault/slack/channel", UNEXPANDED),
            (BOT, FOREIGN),
            (WEBHOOK, FOREIGN),
            ("#general", NAME),
            ("@ann", NAME),
            ("general", NAME),
            ("team-reports", NAME),
            ("c{9*8}ab", CHANNEL),
            ("<#C{X*10}|general>", CHANNEL),
            ("<@U{X*10}>", CHANNEL),
            ("[\"C{X*10}\"]", CHANNEL),
            ("\"C{X*10}\"", CHANNEL),
            ("C{X*10} ", CHANNEL),
            ("C{X*10}:1{9*9}.{9*6}", CHANNEL),
            ("C{X*10}/p{9*16}", CHANNEL),
            ("https://team.slack.com/archives/C{X*10}", CHANNEL),
            ("ann@example.com", CHANNEL),
            ("T{X*10}", CHANNEL),
            ("A{X*10}", CHANNEL),
            ("B{X*10}", CHANNEL),
            ("F{X*10}", CHANNEL),
            ("1{9*9}.{9*6}", CHANNEL),
            ("C{X*4}", CHANNEL),
            ("C{X*10},C{X*10}", CHANNEL),
            ("", CHANNEL),
            ("null", CHANNEL_OR_NAME),
        ],
    ),
    (
        "messaging.workspace",
        &[
            ("$TEAM", UNEXPANDED),
            (BOT, FOREIGN),
            ("acme", ADDRESS),
            ("acme.slack.com", ADDRESS),
            ("https://acme.slack.com", ADDRESS),
            ("C{X*10}", ADDRESS),
            ("t{9*10}", ADDRESS),
            ("T{X*4}", ADDRESS),
        ],
    ),
    ("messaging.initial_comment", &[(BOT, FOREIGN), (KEY, FOREIGN), (WEBHOOK, FOREIGN), ("ghp_{x*36}", FOREIGN)]),
    (
        "storage.bucket",
        &[
            ("$ADDRESS", UNEXPANDED),
            ("{{ bucket }}", UNEXPANDED),
            (KEY, FOREIGN),
            (KEY_ID, FOREIGN),
            (BOT, FOREIGN),
            ("abc", ADDRESS),
            ("my.bucket", ADDRESS),
            ("my_bucket", ADDRESS),
            ("b2-backups", ADDRESS),
            ("s3://nightly", ADDRESS),
            ("b2://nightly/path", ADDRESS),
            ("nightly/path", ADDRESS),
            ("my bucket", ADDRESS),
            ("{l*64}", ADDRESS),
        ],
    ),
    (
        "storage.endpoint",
        &[
            ("$ADDRESS", UNEXPANDED),
            ("https://s3.${REGION}.backblazeb2.com", UNEXPANDED),
            (KEY, FOREIGN),
            ("https://id:{x*20}@s3.eu-central-005.backblazeb2.com", ADDRESS),
            ("https://secure.backblaze.com/b2_buckets.htm", ADDRESS),
            ("https://www.backblaze.com", ADDRESS),
            ("s3 endpoint", ADDRESS),
            ("ftp://s3.eu-central-005.backblazeb2.com", ADDRESS),
            ("https://s3.us-west-004.backblazeb2.com", &["mixed-credentials"]),
        ],
    ),
];

const CHANNEL_OR_NAME: &[&str] = &["malformed-channel", "malformed-channel"];

/// The credential fields, with the right form and the wrong ones.
const FIELDS: &[(&str, &str, &[Mistake])] = &[
    ("messaging.token", BOT, AS_TOKEN),
    ("messaging.webhook_url", WEBHOOK, AS_WEBHOOK),
    ("storage.application_key_id", KEY_ID, AS_KEY_ID),
    ("storage.application_key", KEY, AS_KEY),
    ("storage.account_id", ACCOUNT, &[]),
    ("storage.master_application_key", MASTER, &[]),
];

/// A profile for the hosted service with one value in its place.
fn profile(number: usize, field: &str, value: &str, maker: &mut Maker) -> String {
    let quoted: String = value
        .chars()
        .map(|c| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    let (kind, own) = field.split_once('.').unwrap();
    let beside: &[(&str, &str)] = match own {
        "token" => &[("base_url", "https://slack.com"), ("channels", "[\"C{X*10}\"]")],
        "webhook_url" => &[("base_url", "https://slack.com"), ("token", BOT), ("channels", "[\"C{X*10}\"]")],
        "application_key_id" => &[("application_key", KEY)],
        "application_key" => &[("application_key_id", KEY_ID)],
        "bucket" | "endpoint" => &[("application_key_id", KEY_ID), ("application_key", KEY)],
        "base_url" => &[("token", BOT), ("channels", "[\"C{X*10}\"]")],
        "channels" => &[("base_url", "https://slack.com"), ("token", BOT)],
        "workspace" | "initial_comment" => {
            &[("base_url", "https://slack.com"), ("token", BOT), ("channels", "[\"C{X*10}\"]")]
        }
        "account_id" => &[("master_application_key", MASTER)],
        _ => &[("account_id", ACCOUNT)],
    };
    let value = if own == "channels" { format!("[\"{quoted}\"]") } else { format!("\"{quoted}\"") };
    let mut text = format!("[{kind}.p{number}]\n{own} = {value}\n");
    for (field, value) in beside {
        let value = maker.fill(value);
        let value = if value.starts_with('[') { value } else { format!("\"{value}\"") };
        text += &format!("{field} = {value}\n");
    }
    text
}

/// A value as programs encode it.
fn encoded(value: &str) -> Vec<String> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let base64 = |bytes: &[u8]| {
        let mut out = String::new();
        for chunk in bytes.chunks(3) {
            let part = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
            let number = part(0) << 16 | part(1) << 8 | part(2);
            for digit in 0..4 {
                let at = usize::try_from(number >> (18 - 6 * digit) & 63).unwrap();
                out.push(if digit <= chunk.len() { char::from(DIGITS[at]) } else { '=' });
            }
        }
        out
    };
    let hex: String = value.bytes().map(|byte| format!("{byte:02x}")).collect();
    let percent: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let line = format!("{value}\n");
    vec![base64(value.as_bytes()), base64(line.as_bytes()), hex, percent]
}

fn compare_wrong(extent: Extent) {
    let (mut wrong, mut all) = (Vec::new(), 0);
    for seed in seeds(extent) {
        let mut maker = Maker::new(seed);
        let (mut text, mut expected) = (String::new(), Vec::new());
        for (field, right, own) in FIELDS {
            // Without a certain counterpart, an ID or a key is reported only if it is certainly wrong.
            let certain = !["storage.account_id", "storage.master_application_key"].contains(field);
            let wrapped = WRAPPED.iter().filter(|_| certain || *field == "storage.master_application_key");
            let wrapped =
                wrapped.map(|(form, rules)| (form.replace('§', &maker.fill(right)), *rules)).collect::<Vec<_>>();
            let others: Vec<_> = ANYWHERE.iter().chain(*own).map(|(form, rules)| (maker.fill(form), *rules)).collect();
            let encoded = encoded(&maker.fill(right)).into_iter().map(|value| (value, MALFORMED));
            let wrapped = wrapped.into_iter().chain(encoded.filter(|_| certain)).collect::<Vec<_>>();
            for (value, rules) in others.into_iter().chain(wrapped) {
                text += &profile(expected.len(), field, &value, &mut maker);
                expected.push((*field, value, rules));
            }
        }
        for (field, mistakes) in PUBLIC {
            for (form, rules) in *mistakes {
                let value = maker.fill(form);
                text += &profile(expected.len(), field, &value, &mut maker);
                expected.push((*field, value, rules));
            }
        }
        let project = Project::new().file("credlint.toml", text);
        let (_, document) = project.check(&["-A", "literal-secret"]);
        assert_eq!(document["problems"].as_array().map_or(0, Vec::len), 0, "{}", document["problems"]);
        let mut found = vec![Vec::new(); expected.len()];
        for finding in document["findings"].as_array().unwrap() {
            let name = finding["profile"]["name"].as_str().unwrap();
            found[name[1..].parse::<usize>().unwrap()].push(finding["rule"].as_str().unwrap().to_owned());
        }
        for ((field, value, rules), found) in expected.iter().zip(found) {
            all += 1;
            if found.len() != 1 || !rules.contains(&found[0].as_str()) {
                wrong.push(format!("{field} = {value:?}: {found:?}, and not {rules:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
}
