//! `credlint identify` says what a value is, without printing a byte of it.

use std::io::Write;
use std::process::Stdio;

use credlint::examples::Maker;

use crate::formats;
use crate::harness::{Project, Run};

/// Runs `identify` with these lines.
fn identify(lines: &str, args: &[&str]) -> Run {
    run(lines, &[&["identify"], args].concat())
}

/// Runs a command with these lines on standard input.
fn run(lines: &str, args: &[&str]) -> Run {
    let project = Project::new();
    let mut command = project.command(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A form, its description, the field that it belongs in, and the exit code.
const VALUES: &[(&str, &str, &str, i32)] = &[
    ("xoxb-{9*12}-{9*13}-{x*24}", "a bot token", "messaging.token", 0),
    ("xoxp-{9*12}-{9*12}-{9*13}-{h*32}", "a user token", "messaging.token", 0),
    ("xapp-1-A{X*10}-{9*13}-{h*64}", "an app-level token", "", 0),
    ("xoxe-1-{X*146}", "a refresh token", "", 0),
    ("https://hooks.slack.com/services/T{X*8}/B{X*10}/{x*24}", "a webhook URL", "messaging.webhook_url", 0),
    ("005{9*1}{h*11}000000000{9*1}", "a keyID", "storage.application_key_id", 0),
    ("K005{b*27}", "an application key", "storage.application_key", 0),
    ("{9*1}{h*11}", "an account ID", "storage.account_id", 0),
    ("005{h*39}", "a master application key", "storage.master_application_key", 0),
    ("\"K005{b*27}\"", "an application key", "storage.application_key", 1),
    ("key=K005{b*27}", "an application key", "storage.application_key", 1),
    ("B2_KEY=K005{b*27}", "an application key", "storage.application_key", 0),
    ("SLACK_BOT_TOKEN=K005{b*27}", "an application key", "storage.application_key", 1),
    ("ghp_{x*36}", "a GitHub token", "", 0),
    ("{h*32}", "32 hex digits", "", 0),
    ("{l*26}", "of unknown form", "", 0),
    ("${SLACK_TOKEN}", "a reference that was not expanded", "", 1),
    ("your-token-here", "a placeholder such as `changeme` or `your-token`", "", 1),
    ("/run/secrets/token", "a file path", "", 1),
];

#[test]
fn one_value_is_identified_by_its_format() {
    let schema = formats::validator(&formats::strict(formats::schema("docs/schema/identify-v1.json")));
    for (form, what, field, code) in VALUES {
        let value = Maker::new(7).fill(form);
        let run = identify(&format!("{value}\n"), &["--format", "json"]);
        let document = run.document();
        assert!(schema.is_valid(&document), "{document}");
        let found = &document["values"][0];
        assert_eq!((run.code, found["what"].as_str()), (*code, Some(*what)), "{value}: {}", run.stdout);
        let fields: Vec<_> = found["fields"].as_array().unwrap().iter().filter_map(serde_json::Value::as_str).collect();
        assert_eq!(fields.contains(field), !field.is_empty(), "{value}: {fields:?}");
        let human = identify(&value, &[]);
        assert!(human.code == *code && human.stdout.contains(what), "{}", human.stdout);
    }
}

#[test]
fn describes_flaws_of_values() {
    for (form, said) in [
        ("\"§", "it begins or ends with a quote that is part of the value"),
        ("`§`", "it has backticks or typographic quotes around it"),
        ("<§>", "it has brackets around it"),
        ("{\"token\": \"§\"}", "it is a JSON document"),
        ("§,", "it ends with punctuation that is not part of it"),
        ("$§", "it begins with a `$` that is not part of it"),
        ("§\\n", "it ends with a literal escape sequence"),
        ("§§", "it is repeated twice in a row"),
        ("hooks.slack.com/services/T01234567/B0123456789/AbCdEfGhIjKlMnOpQrStUvWx", "it has no `https://` before it"),
        (
            "https%3A%2F%2Fhooks.slack.com%2Fservices%2FT01234567%2FB0123456789%2FAbCdEfGhIjKlMnOpQrStUvWx",
            "it is percent-encoded",
        ),
        ("eG94Yi0xMjM0NTY3ODkwMTItMTIzNDU2Nzg5MDEyMy1BYkNkRWZHaElqS2xNbk9wUXJTdFV2V3g=", "it is base64-encoded"),
        (
            "786f78622d3132333435363738393031322d313233343536373839303132332d4162436445664768496a4b6c4d6e4f705172537455765778",
            "it is hex-encoded",
        ),
        ("§,§x", "it holds several credentials"),
        ("xoxb-1234\u{200b}56789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx", "it contains an invisible character"),
        ("XOXB-123456789012-1234567890123-ABCDEFGHIJKLMNOPQRSTUVWX", "it has the wrong case"),
        ("xoxb-1234-abc", "it begins like one, but is shorter than any"),
        ("ghp_aB3dE5fG7hJ9kL", "it begins like a known credential, and is too short for one"),
        ("0051a2b3c4d5e6f00000000010", "it begins like a known credential but has the wrong length"),
        ("\"§\"", "it has quotes around it"),
        ("§ x", "it contains whitespace"),
        ("§é", "it contains a non-ASCII character"),
        ("null", "a word such as `null` or `undefined`, which stands for a missing value"),
        ("********", "a masked value, such as `***`"),
        ("xoxb-", "the beginning of a credential, without the rest"),
        ("op://vault/item/field", "a secret manager reference"),
        ("ENC[AES256_GCM,data:abc,iv:abc,tag:abc,type:str]", "an encrypted value"),
    ] {
        let run = identify(&form.replace('§', BOT_TOKEN), &[]);
        assert!(run.stdout.contains(said), "{form}: {}", run.stdout);
    }
}

/// A beginning with a few characters of chance is a key of which the rest is missing; with a word it may be anything.
#[test]
fn distinguishes_truncated_keys_from_words() {
    for (value, short) in [
        ("ghp_aB3dE5fG", true),
        ("ghp_aB3dE5f", false),
        ("ghp_abcdefgh1", false),
        ("ghp_ABCDEFGH1", false),
        ("ghp_aBcDeFgH", false),
        ("ghp_aB3dE5fG7h!", false),
        ("ghp_aB3dE5fG7h\u{e9}", false),
        ("rk_test_aB3", false),
    ] {
        let said = identify(value, &[]).stdout;
        assert_eq!(said.contains("a GitHub token") && said.contains("too short"), short, "{value}: {said}");
    }
    for (beginning, length) in [("ghp_", 40), ("ghp_", 36)] {
        let said = identify(&format!("{beginning}{}", "aB3dE5fG7hJ9kLmN".repeat(9).get(..length).unwrap()), &[]).stdout;
        assert!(said.contains("a GitHub token") && !said.contains("but"), "{said}");
    }
}

const BOT_TOKEN: &str = "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx";

/// The issuer, whether it is the only one, whether the value is secret, and the names that others use.
#[test]
fn json_has_the_facts_about_a_form() {
    let told = |value: &str| {
        let document = identify(value, &["--format", "json"]).document();
        let found = &document["values"][0];
        let list = |key: &str| found[key].as_array().unwrap().clone();
        let names: Vec<_> = list("names").iter().map(|name| name["name"].as_str().unwrap().to_owned()).collect();
        let variables: Vec<_> = list("variables").iter().map(|name| name.as_str().unwrap().to_owned()).collect();
        let known = ["service", "certain", "secret"].map(|key| found[key].to_string()).join(" ");
        format!("{known} {}; {}; {}", names.join(" "), variables.join(" "), found["advice"].as_str().unwrap_or("-"))
    };
    for (form, said) in [
        (BOT_TOKEN, "\"Slack\" true true SLACK_BOT_TOKEN token; SLACK_TOKEN; needs the scope files:write for uploads"),
        (
            "{9*1}{h*11}",
            "\"Backblaze B2\" false false B2_ACCOUNT_ID; B2_MASTER_KEY_ID; goes with the master application key",
        ),
        ("{h*32}", "null false true ; ; could be an app's signing secret or client secret, or many other things"),
        (
            "ghp_{x*36}",
            "\"GitHub\" true true ; GITHUB_TOKEN NPM_TOKEN REGISTRY_PASSWORD (GitHub Packages) REGISTRY_PASSWORD (GitHub); -",
        ),
        (
            "AC{h*32}",
            "\"Twilio\" true false ; TWILIO_ACCOUNT_SID TWILIO_SID; goes with its Auth Token, or beside an API key and its secret",
        ),
        ("{l*26}", "null false null ; ; -"),
    ] {
        assert_eq!(told(&Maker::new(5).fill(form)), said, "{form}");
    }
}

/// The mode, and the variables where a value belongs. The words of a part are those of a row; nothing else of it is said.
#[test]
fn names_mode_and_variables() {
    let all: &[(&str, &str, &str)] = &[
        ("sk_live_{x*24}", "live", "STRIPE_SECRET_KEY"),
        ("pk_test_{x*24}", "test", "STRIPE_PUBLISHABLE_KEY"),
        ("AC{h*32}", "", "TWILIO_ACCOUNT_SID"),
        ("SK{h*32}", "", "TWILIO_API_KEY"),
        ("SG.{u*22}.{u*43}", "", "SENDGRID_API_KEY"),
        ("xsmtpsib-{h*64}-{x*16}", "", "SMTP_PASSWORD (Brevo)"),
        ("{9*9}:AA{x*33}", "", "TELEGRAM_BOT_TOKEN"),
        ("gsk_{x*52}", "", "GROQ_API_KEY"),
        // Of many services, so nothing follows.
        ("{h*32}", "", ""),
    ];
    for (form, mode, variable) in all {
        let value = Maker::new(3).fill(form);
        let document = identify(&value, &["--format", "json"]).document();
        let found = &document["values"][0];
        let told = found["told"].as_array().unwrap().first().map(|told| &told["word"]);
        assert_eq!(told.and_then(serde_json::Value::as_str).unwrap_or_default(), *mode, "{form}: {document}");
        let variables = found["variables"].as_array().unwrap();
        assert_eq!(variables.iter().any(|name| name == variable), !variable.is_empty(), "{form}: {variables:?}");
        let human = identify(&value, &[]).stdout;
        assert!(human.contains(variable) && human.contains(mode), "{human}");
    }
    let both = identify(&format!("{}\n{}\n", sid("AC", '1'), sid("SK", '2')), &[]).stdout;
    assert!(both.contains("match by their form"), "an API key is used beside the account: {both}");
}

fn sid(start: &str, digit: char) -> String {
    format!("{start}{}", digit.to_string().repeat(32))
}

/// What people paste: lines of a dotenv file, a line of a table, an address, a name.
#[test]
fn splits_pasted_text_into_values() {
    let (id, key) = ("0051a2b3c4d5e6f0000000001", "K005abcdefghijklmnopqrstuvwxyz1");
    let what = |run: &Run| -> Vec<String> {
        let document = run.document();
        document["values"].as_array().unwrap().iter().map(|value| value["what"].as_str().unwrap().to_owned()).collect()
    };
    for (pasted, code, together) in [
        (format!("{id} {key}"), 0, Some("fit")),
        (format!("{id}\t{key}\n"), 0, Some("fit")),
        (format!("b2://{id}:{key}@bucket/path"), 0, Some("fit")),
        (format!("b2://1a2b3c4d5e6f:{key}@bucket"), 1, Some("different-pairs")),
        (format!("B2_APPLICATION_KEY_ID={id}\nexport B2_APPLICATION_KEY='{key}'\n"), 0, None),
        // The names decide, not the order: two pairs are two pairs.
        (format!("A_B2_APPLICATION_KEY_ID={id}\nB_B2_APPLICATION_KEY=K003{}\n", &key[4..]), 0, None),
    ] {
        let run = identify(&pasted, &["--format", "json"]);
        assert_eq!(
            what(&run),
            ["a keyID", "an application key"].map(|what| {
                if pasted.contains("1a2b3c4d5e6f:") && what == "a keyID" { "an account ID" } else { what }
            })
        );
        assert_eq!((run.code, run.document()["together"].as_str()), (code, together), "{pasted}");
    }
    // The same rules as in a file.
    let swapped = format!("B2_APPLICATION_KEY_ID={key}\nB2_APPLICATION_KEY={id}\nREGION_NAME=eu\n");
    let run = identify(&swapped, &["--format", "json"]);
    let findings = &run.document()["findings"];
    assert_eq!((run.code, findings[0]["rule"].as_str()), (1, Some("wrong-credential")), "{findings}");
    assert_eq!(run.document()["values"].as_array().unwrap().len(), 3);
    assert!(identify(&swapped, &[]).stdout.contains("error[wrong-credential]: "));
    let run = identify("SLACK_BOT_TOKEN", &[]);
    assert!(run.stdout.contains("a variable name\n  name takes  the Bot User OAuth Token"), "{}", run.stdout);
    // Under an unknown name, the flaw is described, because `check -` does not report it.
    let run = identify(&format!("OUR_OTHER=Bearer {key}\n"), &[]);
    assert!(run.code == 0 && run.stdout.contains("begins with part of a header"), "{}", run.stdout);
    // Two words that are not two credentials are one value.
    assert!(identify("two words", &[]).stdout.contains("whitespace"));
}

#[test]
fn lines_with_names_end_as_on_standard_input() {
    let live = "pk_live_QzWvXkPjHyBdRmTnLsGfCaEu";
    let pem = crate::search::base64(
        format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", "Qz7W".repeat(400)).as_bytes(),
    );
    for (lines, code) in [
        ("STRIPE_SECRET_KEY_FILE=/run/secrets/stripe".to_owned(), 0),
        ("RESTIC_PASSWORD=c8QzWvXkPjHyBdRmTnL".to_owned(), 0),
        ("NPM_TOKEN=".to_owned(), 0),
        ("STRIPE_SECRET_KEY=".to_owned(), 0),
        (format!("GITHUB_APP_PRIVATE_KEY_BASE64={pem}"), 0),
        ("DATABASE_DSN=host=db user=app password=x1".to_owned(), 0),
        ("FLY_API_TOKEN=FlyV1 fm2_lJPECAAAAAAAAQzWvXkPjHyBdRmTnLsGfCaEu".to_owned(), 0),
        ("AZURE_CLIENT_SECRET=0f8fad5b-d9cb-469f-a165-70867728950e".to_owned(), 0),
        ("ConnectionStrings__Default=Server=x;Password=y\nPGHOST=db\nKEY=x".to_owned(), 0),
        ("STRIPE_SECRET_KEY=op://vault/item/field".to_owned(), 0),
        ("OUR_NAME=${OTHER}".to_owned(), 0),
        (format!("DEBUG=True\nSECRET_KEY=x\n# a comment\nSTRIPE_SECRET_KEY={live}"), 1),
        (format!("DEBUG=True\nSTRIPE_SECRET_KEY={live} # a comment"), 1),
        (format!("SendGrid__ApiKey=x\nStripe__SecretKey={live}\nCIRCLECI=true"), 1),
        ("PATH=/usr/bin\nHOSTNAME=3f2a\nSTRIPE_SECRET_KEY=\"sk_live_QzWvXkPjHyBdRmTnLsGfCaEu\"".to_owned(), 1),
    ] {
        let run = identify(&lines, &["--format", "json"]);
        let stdin = self::run(&lines, &["check", "-"]);
        assert_eq!((run.code, stdin.code), (code, code), "{lines}: {}", run.stdout);
        assert!(run.document()["findings"].is_array(), "{lines}");
    }
    // In a file it may be expanded.
    let run = identify("STRIPE_SECRET_KEY=${STRIPE_SECRET_KEY}\n", &["--format", "json"]);
    assert_eq!((run.code, run.document()["findings"][0]["rule"].as_str()), (1, Some("unexpanded-reference")));
    // No names.
    for value in ["dGVzdA==", "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=abc=="] {
        assert!(identify(value, &["--format", "json"]).document()["findings"].is_null(), "{value}");
    }
}

#[test]
fn two_values_are_compared() {
    let (id, key, account, master) = (
        "0051a2b3c4d5e6f0000000001", "K005abcdefghijklmnopqrstuvwxyz1", "1a2b3c4d5e6f",
        "0050123456789abcdef0123456789abcdef0123456",
    );
    let token = "xoxb-123456789012-1234567890123-abcdefghijklmnopqrstuvwx";
    for (one, other, together, code) in [
        (id, key, "fit", 0),
        (key, id, "fit", 0),
        (account, master, "fit", 0),
        (account, key, "different-pairs", 1),
        (master, id, "different-pairs", 1),
        (id, "K003abcdefghijklmnopqrstuvwxyz1", "different-clusters", 1),
        (id, account, "same-half", 1),
        (key, master, "same-half", 1),
        (id, id, "equal", 1),
        (token, key, "apart", 0),
        (id, "hunter2", "unknown", 0),
        ("0051a2b3c4d5e6f0000000000", key, "unknown", 0),
        // Rows of other services.
        (&sid("AC", '1'), &sid("SK", '2'), "fit", 0),
        (&sid("SK", '2'), &sid("AC", '1'), "fit", 0),
        (&sid("AC", '1'), &sid("AC", '2'), "same-half", 1),
        ("sk_live_abcdefghijkl", "pk_live_mnopqrstuvwx", "fit", 0),
        ("sk_live_abcdefghijkl", "pk_test_mnopqrstuvwx", "different-parts", 1),
        ("sk_live_abcdefghijkl", "sk_test_mnopqrstuvwx", "apart", 0),
        ("sk_live_abcdefghijkl", "whsec_mnopqrstuvwxyz01", "apart", 0),
        // IDs of two services, and a key that goes with neither.
        (&sid("AC", '1'), id, "apart", 0),
        (&sid("AC", '1'), key, "apart", 0),
    ] {
        let run = identify(&format!("{one}\n{other}\n"), &["--format", "json"]);
        assert_eq!((run.code, run.document()["together"].as_str()), (code, Some(together)), "{one} {other}");
        assert!(identify(&format!("{one}\r\n\r\n{other}"), &[]).stdout.contains("together: "));
    }
}

#[test]
fn output_depends_only_on_facts_and_never_contains_the_value() {
    for (form, ..) in VALUES {
        let outputs = [3, 4].map(|seed| {
            let value = Maker::new(seed).fill(form);
            let run = identify(&value, &[]);
            let json = identify(&value, &["--format", "json"]);
            for text in [&run.stdout, &run.stderr, &json.stdout, &json.stderr] {
                // The common part of such values is not secret: only the made-up part is searched for.
                let (one, other) = (Maker::new(seed).fill(form), Maker::new(seed + 10).fill(form));
                let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
                let own: Vec<char> = one.chars().skip(same).collect();
                for piece in own.windows(6) {
                    let piece: String = piece.iter().collect();
                    assert!(!text.contains(&piece), "{form}: {text}");
                }
            }
            (run.code, run.stdout, run.stderr, json.stdout)
        });
        assert_eq!(outputs[0], outputs[1], "{form}");
    }
}

#[test]
fn empty_input_and_more_than_two_values_are_rejected() {
    for (lines, expected) in [
        ("A_B=1\nx\ny\n", "has 3 lines"),
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("a\nb\nc\n", "has 3 lines"),
        (&"x".repeat(70_000), "more than 64 KiB"),
    ] {
        let run = identify(lines, &[]);
        assert!(run.code == 2 && run.stdout.is_empty() && run.stderr.contains(expected), "{}", run.stderr);
    }
}

/// A terminal echoes input unless that is switched off.
#[cfg(unix)]
#[test]
fn typed_values_are_not_echoed() {
    use std::fs::{File, OpenOptions};
    use std::io::Read;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let token = "xoxb-123456789012-1234567890123-abcdefghijklmnopqrstuvwx";
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let slave = || OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let project = Project::new();
    let mut command = project.command(&["identify"]);
    let mut child = command.stdin(slave()).stdout(slave()).stderr(slave()).spawn().unwrap();
    drop(command);
    let mut terminal = File::from(master);
    let mut shown = String::new();
    let mut read_until = |terminal: &mut File, end: &str| {
        let mut buffer = [0; 256];
        while !shown.contains(end) {
            let count = terminal.read(&mut buffer).unwrap();
            shown.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
        shown.clone()
    };
    read_until(&mut terminal, "value (it is not shown): ");
    terminal.write_all(format!("{token}\n").as_bytes()).unwrap();
    read_until(&mut terminal, "second value, or Enter: ");
    terminal.write_all(b"\n").unwrap();
    let shown = read_until(&mut terminal, "messaging.token");
    assert!(!shown.contains("xoxb-") && !shown.contains("abcdefgh"), "{shown}");
    drop(terminal);
    child.wait().unwrap();
}
