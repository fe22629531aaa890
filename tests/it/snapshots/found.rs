//! The findings in files of other programs and in variables, in the terms of the file instead of credlint's fields.

use std::collections::BTreeSet;

use super::{Transcript, snapshot_names};
use crate::harness::Project;

const ACCOUNT: &str = "1a2b3c4d5e6f";
const ID: &str = "0051a2b3c4d5e6f0000000001";
const KEY: &str = "K005abcdefghijklmnopqrstuvwxyz1";
const MASTER: &str = "0050123456789abcdef0123456789abcdef0123456";
const BOT: &str = "xoxb-0000000000-0000000000-abcdefghijkl";
const APP: &str = "xapp-1-A0123456789-0000000000-0123456789abcdef";
const SECRET_KEY: &str = "sk_live_abcdefghijklmnopqrstuvwx";
const PUBLIC_KEY: &str = "pk_test_abcdefghijklmnopqrstuvwx";
const HOOK: &str = "https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx";

/// A case: its description, the name of a file (or the environment of a process, or where nothing expands), and its
/// text.
type Case = (&'static str, &'static str, &'static str);

fn cases() -> Vec<(&'static str, Vec<Case>)> {
    vec![
        (
            "crossed-reference",
            vec![
                (
                    "a workflow",
                    ".github/workflows/a.yml",
                    "jobs:\n  a:\n    env:\n      SLACK_WEBHOOK: ${{ secrets.SLACK_BOT_TOKEN }}\n",
                ),
                ("a shell", "a.sh", "export B2_ACCOUNT_ID=$B2_ACCOUNT_KEY\nexport B2_ACCOUNT_KEY=$B2_KEY\n"),
                (
                    "another service's secret",
                    "compose.yaml",
                    "services:\n  a:\n    environment:\n      STRIPE_SECRET_KEY: ${SENDGRID_API_KEY}\n",
                ),
            ],
        ),
        ("empty-credential", vec![("the last of two lines", ".env", "SLACK_BOT_TOKEN=BOT\nSLACK_BOT_TOKEN=\n")]),
        (
            "foreign-credential",
            vec![
                ("of the other service", "a.env", "SLACK_BOT_TOKEN=KEY\n"),
                (
                    "of another kind",
                    "compose.yaml",
                    "services:\n  a:\n    environment:\n      - SLACK_WEBHOOK_URL=BOT\n",
                ),
            ],
        ),
        (
            "exposed-credential",
            vec![
                ("of a known name", ".env", "VITE_SLACK_BOT_TOKEN=BOT\n"),
                ("of any name", ".env", "NEXT_PUBLIC_KEY=SECRETKEY\n"),
            ],
        ),
        (
            "incomplete-credentials",
            vec![(
                "an API key without its account",
                "",
                "TWILIO_ACCOUNT_SID=;TWILIO_API_KEY=SK0123456789abcdef0123456789abcdef",
            )],
        ),
        (
            "incomplete-key-pair",
            vec![
                ("a remote", "rclone.conf", "[b2]\ntype = b2\naccount = ID\n"),
                ("a remote without an ID", "rclone.conf", "[b2]\ntype = b2\nkey = KEY\n"),
            ],
        ),
        (
            "malformed-credential",
            vec![
                (
                    "quotes of a list",
                    "compose.yaml",
                    "services:\n  a:\n    environment:\n      - SLACK_TOKEN=\"BOT\"\n",
                ),
                ("a quote that is not closed", "a.env", "SLACK_TOKEN=\"BOT\nB=1\n"),
                (
                    "a line break of `echo`",
                    "a.json",
                    "{\"SLACK_TOKEN\": \"xoxb-0000000000-0000000000-abcdefghijkl\\n\"}\n",
                ),
                ("quotes in the environment", "", "SLACK_TOKEN=\"BOT\""),
                ("a space in the environment", "", "SLACK_TOKEN=xoxb-0000000000-0000000000-abcdefghijkl "),
                ("quotes in anybody's variable", "", "DB_PASSWORD=\"hunter2\""),
                (
                    "quotes and a space around another service's token",
                    ".env",
                    "SLACK_TOKEN=' \"ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789\"'\n",
                ),
                (
                    "quotes and a space around hex digits, which only the first takes",
                    ".env",
                    "DATADOG_API_KEY=' \"0123456789abcdef0123456789abcdef\"'\nDATADOG_APP_KEY=' \"0123456789abcdef0123456789abcdef\"'\n",
                ),
                (
                    "an escape sequence, and base64 in lines",
                    "secret.yaml",
                    concat!(
                        "kind: Secret\nstringData:\n  SLACK_SIGNING_SECRET: 'hunter2hunter2\\n'\n  JWT_SECRET: |\n",
                        "    QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2\n    d3h5ejAxMjM0NTY3ODkrLw==\n",
                    ),
                ),
            ],
        ),
        (
            "malformed-address",
            vec![(
                "the website",
                ".env",
                "B2_KEY_ID=ID\nB2_APPLICATION_KEY=KEY\nB2_ENDPOINT=https://secure.backblaze.com/b2_buckets.htm\n",
            )],
        ),
        (
            "master-key-on-s3-endpoint",
            vec![(
                "beside the repository",
                "restic.env",
                "RESTIC_REPOSITORY=s3:https://s3.us-east-005.backblazeb2.com/a\nAWS_ACCESS_KEY_ID=ACCOUNT\nAWS_SECRET_ACCESS_KEY=MASTER\n",
            )],
        ),
        (
            "mixed-credentials",
            vec![
                ("of two modes", ".env", "STRIPE_SECRET_KEY=SECRETKEY\nNEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY=PUBLICKEY\n"),
                ("a key of another cluster", "b2.env", "B2_KEY_ID=004ID\nB2_KEY=KEY\n"),
                (
                    "a key and an endpoint of another cluster",
                    "b2.env",
                    "B2_KEY_ID=004ID\nB2_KEY=KEY\nB2_ENDPOINT=https://s3.us-east-005.backblazeb2.com\n",
                ),
                ("an account ID", "a.env", "B2_APPLICATION_KEY_ID=ACCOUNT\nB2_APPLICATION_KEY=KEY\n"),
                ("the master key", "rclone.conf", "[b2]\ntype = b2\naccount = ID\nkey = MASTER\n"),
                ("in one address", "a.env", "TARGET=b2://ACCOUNT:KEY@nightly/a\n"),
            ],
        ),
        (
            "name-not-read",
            vec![(
                "the names of other tools",
                "restic.env",
                "RESTIC_REPOSITORY=b2:nightly:host\nB2_APPLICATION_KEY_ID=ID\nB2_APPLICATION_KEY=KEY\n",
            )],
        ),
        (
            "placeholder-credential",
            vec![
                ("in a file", ".env", "SLACK_BOT_TOKEN=changeme\n"),
                ("in the environment", "", "SLACK_BOT_TOKEN=changeme"),
                ("no value", "", "STRIPE_SECRET_KEY=undefined"),
                ("in the last of two lines", ".env", "SLACK_BOT_TOKEN=BOT\nSLACK_BOT_TOKEN=changeme\n"),
            ],
        ),
        (
            "unexpanded-reference",
            vec![
                ("a shell's", "", "SLACK_BOT_TOKEN=$TOKEN"),
                ("a workflow's", "", "B2_KEY=${{ secrets.B2_KEY }}"),
                ("inside an address", "", "SLACK_WEBHOOK_URL=https://hooks.slack.com/services/${HOOK_PATH}"),
                ("inside a password", "", "SMTP_HOST=smtp.example.com;SMTP_USERNAME=ann;SMTP_PASSWORD=shop-${SUFFIX}"),
                ("itself", "", "DB_PASSWORD=${DB_PASSWORD}"),
                ("of a vault", "", "SLACK_BOT_TOKEN=@Microsoft.KeyVault(SecretUri=https://x)"),
            ],
        ),
        (
            "unread-file",
            vec![
                ("broken", "a.json", "{\"SLACK_BOT_TOKEN\": \"BOT\"\n"),
                ("a name for credentials", "terraform.tfvars.json", "{\"slack_bot_token\": \"BOT\"\n"),
                ("set twice", "a.toml", "slack_bot_token = \"BOT\"\nslack_bot_token = \"BOT\"\n"),
            ],
        ),
        ("unrecognised-credential", vec![("the name of a key", "a.env", "B2_KEY_ID=nightly-key\nB2_KEY=KEY\n")]),
        (
            "wrong-credential",
            vec![
                ("a key for browsers", ".env", "STRIPE_SECRET_KEY=PUBLICKEY\n"),
                ("a secret of webhooks", ".env", "STRIPE_SECRET_KEY=whsec_0123456789abcdefghijklmnopqrstuv\n"),
                ("the SID of an API key", ".env", "TWILIO_ACCOUNT_SID=SK0123456789abcdef0123456789abcdef\n"),
                (
                    "a token as chat",
                    "values.yaml",
                    "telegram:\n  chat_id: \"1234567890:AAabcdefghijklmnopqrstuvwxyz0123456\"\n",
                ),
                ("a bucket", "a.env", "B2_KEY_ID=0123456789abcdef01234567\nB2_KEY=KEY\n"),
                ("an address", "a.env", "B2_KEY_ID=ann@example.com\nB2_KEY=KEY\n"),
                ("both", "a.env", "SLACK_BOT_TOKEN=APP\nSLACK_APP_TOKEN=BOT\n"),
                ("one", "values.yaml", "slack:\n  appToken: BOT\n"),
                ("the same one twice", "a.env", "SLACK_BOT_TOKEN=APP\nSLACK_SIGNING_SECRET=APP\n"),
                ("both", "rclone.conf", "[b2]\ntype = b2\naccount = KEY\nkey = ID\n"),
                (
                    "both of a service that does not tell its pairs apart",
                    ".env",
                    "GOOGLE_CLIENT_ID=GOCSPX-AbCdEfGhIjKlMnOpQrStUvWxYz01\nGOOGLE_CLIENT_SECRET=123456789012-abcdefghijklmnopqrstuvwxyz012345.apps.googleusercontent.com\n",
                ),
                (
                    "an ID of such a service in the key's field",
                    ".env",
                    "AWS_ACCESS_KEY_ID=Tr0ub4dor3xQz9LmP2sVw7Yk\nAWS_SECRET_ACCESS_KEY=AKIAQYLPMN5HHHFPZAM2\n",
                ),
                ("both in one address", "a.env", "TARGET=b2://KEY:ID@nightly/a\n"),
                ("a key twice in one address", "a.env", "TARGET=b2://KEY:KEY@nightly/a\n"),
                ("an ID twice in one address", "a.env", "TARGET=b2://ID:ID@nightly/a\n"),
                ("a key twice", "a.env", "B2_KEY_ID=KEY\nB2_KEY=KEY\n"),
                ("an ID twice", "a.env", "B2_KEY_ID=ID\nB2_KEY=ID\n"),
                ("half a pair", "a.env", "B2_KEY=ID\n"),
                ("an app-level token", "a.env", "SLACK_TOKEN=APP\n"),
                ("a refresh token", "a.env", "SLACK_TOKEN=xoxe-1-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\n"),
                ("a webhook", "a.env", "SLACK_TOKEN=HOOK\n"),
                ("the beginning of a webhook", "a.env", "SLACK_TOKEN=https://hooks.slack.com/services/T0/B0/abc\n"),
                (
                    "an address of another service",
                    "a.env",
                    "SLACK_TOKEN=https://firebasestorage.googleapis.com/v0/b/abcdefghijkl/o/a\n",
                ),
                (
                    "a webhook and a token, each in the other's place", "a.env",
                    "SLACK_TOKEN=HOOK\nSLACK_WEBHOOK_URL=BOT\n",
                ),
                (
                    "both, for an API that does not take them",
                    "a.env",
                    "B2_ACCOUNT_ID=MASTER\nB2_ACCOUNT_KEY=ACCOUNT\nB2_ENDPOINT=https://s3.us-east-005.backblazeb2.com\n",
                ),
                (
                    "under names that browsers get",
                    ".env",
                    "VITE_STRIPE_SECRET_KEY=PUBLICKEY\nNEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY=whsec_0123456789abcdefghijklmnopqrstuv\n",
                ),
            ],
        ),
    ]
}

fn filled(text: &str) -> String {
    let values = [("ACCOUNT", ACCOUNT), ("004ID", "0041a2b3c4d5e6f0000000001"), ("ID", ID), ("MASTER", MASTER)];
    let values = values.into_iter().chain([
        ("SECRETKEY", SECRET_KEY),
        ("PUBLICKEY", PUBLIC_KEY),
        ("KEY", KEY),
        ("BOT", BOT),
        ("APP", APP),
        ("HOOK", HOOK),
    ]);
    // Only if the word is a whole value, or a part of one.
    let starts = ["=", "= ", "=\"", ": ", "//", ":"];
    values.fold(text.to_owned(), |text, (name, value)| {
        starts.iter().fold(text, |text, start| {
            let ends = ["\n", "\"", "@", ":"];
            let text = ends
                .iter()
                .fold(text, |text, end| text.replace(&format!("{start}{name}{end}"), &format!("{start}{value}{end}")));
            text.strip_suffix(&format!("{start}{name}")).map_or(text.clone(), |rest| format!("{rest}{start}{value}"))
        })
    })
}

#[test]
fn rules_for_files_of_other_programs() {
    let mut rules = BTreeSet::new();
    for (rule, cases) in cases() {
        // A rule without other findings is kept with the others.
        let mut transcript = Transcript { folder: "found", ..Transcript::for_rule(rule) };
        for (what, path, text) in cases {
            let text = filled(text);
            transcript = if path.is_empty() {
                let variables = text.split(';').map(|one| one.split_once('=').unwrap());
                let project = variables.fold(Project::new(), |project, (name, value)| project.env(name, value));
                transcript.check(what, &project, &["--environment"])
            } else {
                transcript.check(what, &Project::new().file(path, text), &[path])
            };
        }
        transcript.keep();
        rules.insert(rule.to_owned());
    }
    let found: BTreeSet<String> = snapshot_names("found");
    assert_eq!(found, rules);
    // The source of a rule shows whether it reports anything in other programs' files.
    let judge = |rule: &str| {
        let file = format!("{}/src/rules/{}.rs", env!("CARGO_MANIFEST_DIR"), rule.replace('-', "_"));
        let text = std::fs::read_to_string(file).unwrap();
        text.contains("fn files(")
            || ["ALL", "FOUND", "EVERY"].iter().any(|readers| text.contains(&format!("readers: {readers},")))
    };
    let judging = credlint::rules::ALL.iter().map(|rule| rule.meta().id).filter(|rule| judge(rule));
    assert_eq!(judging.map(str::to_owned).collect::<BTreeSet<_>>(), rules);
}
