//! The values to try: every known form, by the samples of its row, and the changes that values undergo.

use std::path::Path;
use std::sync::LazyLock;

use toml::de::{DeTable, DeValue};

/// The forms of the two services and the common ones by their names, and those of others by their nouns, each with the
/// samples of its row. All values of pairs are of one cluster.
static SAMPLES: LazyLock<(Vec<Sample>, Vec<Sample>)> = LazyLock::new(|| {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/services");
    let (mut own, mut vendors) = (Vec::new(), Vec::new());
    let mut files: Vec<_> = std::fs::read_dir(directory).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "toml") && !file.ends_with("template.toml"));
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let rows = DeTable::parse(&text).unwrap().into_inner();
        let is_of_two = ["slack", "backblaze", "many"].contains(&file.file_stem().unwrap().to_str().unwrap());
        let Some(forms) = rows.get("form").and_then(|forms| forms.get_ref().as_table()) else { continue };
        for (name, form) in forms {
            // A private key is a secret of any service.
            let is_own = is_of_two && name.get_ref() != "private-key";
            let of = |key| form.get_ref().get(key).map(|value| value.get_ref());
            let samples: Vec<&str> = match of("sample") {
                Some(DeValue::Array(samples)) => samples.iter().filter_map(|one| one.get_ref().as_str()).collect(),
                Some(sample) => sample.as_str().into_iter().collect(),
                None => Vec::new(),
            };
            assert!(!samples.is_empty(), "{}: the form {name:?} has no sample", file.display());
            let word = |word: &str| word[..1].to_uppercase() + &word[1..];
            let noun = || of("noun").unwrap().as_str().unwrap().to_owned();
            let name = if is_own { name.get_ref().split('-').map(word).collect() } else { noun() };
            let name: &'static str = name.leak();
            let rows = samples.into_iter().map(|sample| (name, &*sample.to_owned().leak()));
            if is_own { own.extend(rows) } else { vendors.extend(rows) }
        }
    }
    (own, vendors)
});

/// A form, and how its values look.
pub type Sample = (&'static str, &'static str);

/// The forms of the two services and the common ones, by their names.
pub fn forms() -> &'static [Sample] {
    &SAMPLES.0
}

/// Credentials of other vendors, by their nouns.
pub fn vendors() -> impl Iterator<Item = &'static Sample> {
    // Many other values have these forms, too.
    const LOOSE: &[&str] = &[
        "40 characters, as an older API token has",
        "37 hex digits, as an older Global API Key has",
        "a Global API Key with one character more",
        "a key of CurseForge",
        "the fingerprint of a key",
        "40 hex digits",
        "40 hex digits, such as an application key",
        "40 hex digits, as the ID of a service account's key has",
        "64 hex digits, as the public key of an application has",
        "a number, as the ID of a chat is",
        "a number of 17 to 20 digits, as the ID of an application is",
        "35 characters, as follow the colon in a bot token",
        "43 characters, as the last part of a SendGrid key has",
        "a part of a Discord bot token",
        "a part of a JSON Web Token",
        "a bot token with another character instead of the colon",
        "a Slack token with another character instead of a `-`",
        "a GitHub token with a `-` where a `_` belongs",
        "a GitLab token with a `_` where a `-` belongs",
        "a secret API key with a `-` where a `_` belongs",
        "a publishable API key with a `-` where a `_` belongs",
        "the signing secret of a webhook with a `-` where a `_` belongs",
        "a SendGrid key without the `SG.` at its beginning",
        "a SendGrid key with another character instead of a point",
    ];
    SAMPLES.1.iter().filter(|(noun, _)| !LOOSE.contains(noun))
}

/// Values without a form: unexpanded references, placeholders, words for a missing value, and ambiguous values.
pub const OTHERS: &[(&str, &str)] = &[
    ("reference", "${SLACK_TOKEN}"),
    ("reference", "$SLACK_TOKEN"),
    ("reference", "%SLACK_TOKEN%"),
    ("reference", "$(cat token)"),
    ("reference", "${{ secrets.SLACK_TOKEN }}"),
    ("reference", "{{ .Values.token }}"),
    ("reference", "op://deploy/slack/token"),
    ("reference", "vault:secret/data/slack#token"),
    ("reference", "ref+vault://secret/slack#/token"),
    ("reference", "arn:aws:secretsmanager:eu-west-1:{9*12}:secret:slack"),
    ("reference", "ENC[AES256_GCM,data:{b*24},type:str]"),
    ("reference", "/run/secrets/slack_token"),
    ("reference", "SLACK_BOT_TOKEN"),
    ("stand-in", "changeme"),
    ("stand-in", "<your-token>"),
    ("stand-in", "xoxb-your-token"),
    ("stand-in", "xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxxxxxxxxxxxxxxxxxx"),
    ("stand-in", "K005xxxxxxxxxxxxxxxxxxxxxxxxxxx"),
    ("stand-in", "aaaaaaaaaaaa"),
    ("stand-in", "YOUR_APPLICATION_KEY"),
    ("stand-in", "[REDACTED]"),
    ("stand-in", "********"),
    ("null", "null"),
    ("null", "None"),
    ("null", "undefined"),
    ("empty", ""),
    ("opaque", "tok_{x*24}"),
    ("opaque", "{x*40}"),
    ("opaque", "{h*40}"),
    ("name", "nightly-key"),
    ("name", "deploybot"),
    ("number", "{9*9}"),
    ("url", "https://chat.example.com/hooks/{l*13}{9*13}"),
    ("accent", "xoxb-{9*11}-{x*12}é{x*12}"),
];

pub type Wrap = fn(&str) -> String;

/// The changes that a value may undergo.
pub const WRAPPINGS: &[(&str, Wrap)] = &[
    ("plain", |value| value.to_owned()),
    ("double quotes", |value| format!("\"{value}\"")),
    ("single quotes", |value| format!("'{value}'")),
    ("a quote before", |value| format!("\"{value}")),
    ("a quote behind", |value| format!("{value}'")),
    ("Bearer", |value| format!("Bearer {value}")),
    ("NAME=", |value| format!("DEPLOY_TOKEN={value}")),
    ("export NAME=", |value| format!("export TOKEN={value}")),
    ("a comma", |value| format!("{value},")),
    ("a line break", |value| format!("{value}\n")),
    ("a space behind", |value| format!("{value} ")),
    ("brackets", |value| format!("<{value}>")),
    ("JSON", |value| format!("{{\"token\":{}}}", serde_json::Value::from(value))),
    ("percent", |value| {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric();
        // A value that needs no encoding is partly encoded anyway.
        let all = value.bytes().all(|byte| plain(&byte));
        value
            .bytes()
            .map(|byte| if plain(&byte) && !all { char::from(byte).to_string() } else { format!("%{byte:02X}") })
            .collect()
    }),
    ("base64", |value| base64(value)),
    ("hex", |value| value.bytes().map(|byte| format!("{byte:02x}")).collect()),
    ("doubled", |value| value.repeat(2)),
    ("capitals", |value| value.to_uppercase()),
    ("small letters", |value| value.to_lowercase()),
    ("half", |value| value.chars().take(value.chars().count() / 2).collect()),
    ("one less", |value| value.chars().take(value.chars().count().saturating_sub(1)).collect()),
    ("one more", |value| format!("{value}7")),
];

pub fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in text.as_bytes().chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = char::from(ALPHABET[(bits >> (18 - 6 * place)) as usize & 63]);
            out.push(if place <= group.len() { letter } else { '=' });
        }
    }
    out
}

#[test]
fn every_form_has_a_sample() {
    assert!(forms().len() > 40 && vendors().count() > 130, "{} {}", forms().len(), vendors().count());
}
