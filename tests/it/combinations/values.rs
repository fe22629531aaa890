//! The values to try: every known form, by a pattern, and the changes that values undergo.

/// Makes up values. The result must not depend on the bytes of a form, so each value is new.
pub struct Maker(pub u64);

impl Maker {
    /// `{d10}` are ten digits; `h` hex digits, `l` lower-case letters, `x` letters and digits, `X` capitals and digits,
    /// `b` the characters of base64. Everything else is literal.
    pub fn make(&mut self, pattern: &str) -> String {
        let mut out = String::new();
        let mut rest = pattern;
        while let Some((before, group)) = rest.split_once('{') {
            out.push_str(before);
            let Some((count, alphabet, behind)) = group_of(group) else {
                out.push('{');
                rest = group;
                continue;
            };
            for _ in 0..count {
                self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                out.push(char::from(alphabet[usize::try_from(self.0 >> 33).unwrap() % alphabet.len()]));
            }
            rest = behind;
        }
        out + rest
    }
}

fn group_of(group: &str) -> Option<(usize, &'static [u8], &str)> {
    let (inner, behind) = group.split_once('}')?;
    let alphabet: &[u8] = match inner.get(..1)? {
        "d" => b"123456789",
        "h" => b"0123456789abcdef",
        "l" => b"abcdefghijklmnopqrstuvwxyz",
        "x" => b"abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789",
        "X" => b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789",
        "b" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        _ => return None,
    };
    Some((inner[1..].parse().ok()?, alphabet, behind))
}

/// The forms of the two services and the common ones, by the names of their rows in `src/services/`; a test compares the two.
/// All values of pairs are of one cluster.
pub const FORMS: &[(&str, &str)] = &[
    ("AccountId", "{h12}"),
    ("KeyId", "005{h12}000000000{d1}"),
    ("MasterKeyId", "005{h12}0000000000"),
    ("ApplicationKey", "K005{b27}"),
    ("OldApplicationKey", "aB7{x24}"),
    ("MasterKey", "005{h39}"),
    ("BucketId", "{h24}"),
    ("Authorization", "4_005{h12}000000000{d1}_{h8}_{h6}_acct_{x27}="),
    ("KeyPair", "005{h12}000000000{d1}:K005{b27}"),
    ("BotToken", "xoxb-{d12}-{d13}-{x24}"),
    ("BotToken", "xoxb-{d11}-{x24}"),
    ("UserToken", "xoxp-{d11}-{d11}-{d12}-{h32}"),
    ("RotatedBotToken", "xoxe.xoxb-1-{X163}"),
    ("RotatedUserToken", "xoxe.xoxp-1-{X163}"),
    ("AppToken", "xapp-1-A{X10}-{d13}-{h64}"),
    ("RefreshToken", "xoxe-1-{X146}"),
    ("SessionToken", "xoxc-{d12}-{d12}-{d13}-{h64}"),
    ("SessionToken", "xoxd-{x40}%2B{x40}%3D"),
    ("SessionToken", "xoxs-{d11}-{d11}-{d12}-{h10}"),
    ("SessionToken", "xoxo-{d12}-{h24}"),
    ("RetiredToken", "xoxa-2-{d12}-{d12}-{h32}"),
    ("RetiredToken", "xoxr-{d12}-{d12}-{h32}"),
    ("WorkflowToken", "xwfp-{d12}-{d12}-{x24}"),
    ("ClientId", "{d12}.{d13}"),
    ("Webhook", "https://hooks.slack.com/services/T{X10}/B{X10}/{x24}"),
    ("Webhook", "https://hooks.slack.com/workflows/T{X10}/A{X10}/{d18}/{x24}"),
    ("Webhook", "https://hooks.slack-gov.com/services/T{X10}/B{X10}/{x24}"),
    ("WebhookPath", "T0{X9}/B0{X9}/{x24}"),
    ("WebhookCut", "https://hooks.slack.com/services/T{X10}/B{X10}"),
    ("WebhookStart", "https://hooks.slack.com/services/"),
    ("ApiAddress", "https://slack.com/api/chat.postMessage"),
    ("Address", "https://acme.slack.com/help"),
    ("ChannelLink", "https://acme.slack.com/archives/C0{X9}"),
    ("ChannelName", "#nightly-reports"),
    ("ConversationId", "C0{X9}"),
    ("ConversationId", "G0{X9}"),
    ("ConversationId", "D0{X9}"),
    ("UserId", "U0{X9}"),
    ("WorkspaceId", "T0{X9}"),
    ("ObjectId", "F0{X9}"),
    ("MessageTime", "17{d8}.{d6}"),
    ("Jwt", "eyJ{x30}.eyJ{x60}.{x43}"),
    ("Hex32", "{h32}"),
    ("Guid", "{h8}-{h4}-{h4}-{h4}-{h12}"),
    ("Email", "{l7}@example.com"),
];

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
    ("reference", "arn:aws:secretsmanager:eu-west-1:{d12}:secret:slack"),
    ("reference", "ENC[AES256_GCM,data:{b24},type:str]"),
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
    ("opaque", "tok_{x24}"),
    ("opaque", "{x40}"),
    ("opaque", "{h40}"),
    ("name", "nightly-key"),
    ("name", "deploybot"),
    ("number", "{d9}"),
    ("url", "https://chat.example.com/hooks/{l13}{d13}"),
    ("accent", "xoxb-{d11}-{x12}é{x12}"),
];

/// Credentials of other vendors, by their nouns in `src/services/`; a test compares the two.
pub const VENDORS: &[(&str, &str)] = &[
    ("a GitHub token", "ghp_{x36}"),
    ("a fine-grained GitHub token", "github_pat_{x22}_{x59}"),
    ("several GitHub tokens", "ghp_{x36},ghp_{x36}"),
    ("a GitHub refresh token", "ghr_{x76}"),
    ("the client ID of a GitHub app", "Ov23li{x14}"),
    ("a GitLab access token", "glpat-{x20}"),
    ("a GitLab deploy token", "gldt-{x20}"),
    ("a runner authentication token", "glrt-{x20}"),
    ("a runner registration token", "GR1348941{x20}"),
    ("a GitLab token", "glcbt-64_{x20}"),
    ("an AWS access key ID", "AKIA{X16}"),
    ("an AWS access key ID of temporary credentials", "ASIA{X16}"),
    ("an SMTP password of Amazon SES", "BM{b42}"),
    ("a secret access key and a `%` that some shells print behind it", "{b40}%"),
    ("a Tigris access key ID", "tid_{x40}"),
    ("a Tigris secret access key", "tsec_{x60}"),
    ("a Scaleway access key", "SCW{X17}"),
    ("a DigitalOcean Spaces access key", "DO00{X16}"),
    ("an npm token", "npm_{x36}"),
    ("an API token of pypi.org", "pypi-AgEIcHlwaS5vcmc{x60}"),
    ("an API token of test.pypi.org", "pypi-AgENdGVzdC5weXBpLm9yZw{x60}"),
    ("a PyPI token", "pypi-{x60}"),
    ("a Datadog application key", "ddapp_{x34}"),
    ("a personal or service access token of Datadog", "ddpat_{x40}"),
    ("a client token of Datadog", "pub{h32}"),
    ("an address of sentry.io", "https://us.sentry.io/"),
    ("an address of Datadog", "https://app.datadoghq.eu/organization-settings"),
    ("a project API key of PostHog", "phc_{x43}"),
    ("a personal API key of PostHog", "phx_{x43}"),
    ("a secret key of a PostHog project", "phs_{x43}"),
    ("a public access token of Mapbox", "pk.eyJ1Ijoic2hvcCIsImEiOiJjbHgwIn0.{x22}"),
    ("a secret access token of Mapbox", "sk.eyJ1Ijoic2hvcCIsImEiOiJjbHgwIn0.{x22}"),
    ("a RubyGems key", "rubygems_{h48}"),
    ("a crates.io token", "cio{x32}"),
    ("a Docker Hub token", "dckr_pat_{x27}"),
    ("a secret API key", "sk_live_{x24}"),
    ("a publishable API key", "pk_live_{x24}"),
    ("the client secret of one Stripe payment", "pi_{x24}_secret_{x25}"),
    ("the signing secret of a webhook", "whsec_{x32}"),
    ("a Twilio Account SID", "AC{h32}"),
    ("a Twilio API key SID", "SK{h32}"),
    ("a SendGrid key", "SG.{x22}.{x43}"),
    ("22 letters and digits", "a1B{x19}"),
    ("a Mailgun key", "key-{h32}"),
    ("a Mailgun key or SMTP password", "{h32}-{h8}-{h8}"),
    ("a Mailgun key with `key-` before it", "key-{h32}-{h8}-{h8}"),
    ("a Brevo API key", "xkeysib-{h64}-{x16}"),
    ("a Brevo SMTP key", "xsmtpsib-{h64}-{x16}"),
    ("a Resend API key", "re_{x8}_{x24}"),
    ("the access key of a Postmark SMTP token", "PM-T-outbound-{x22}"),
    ("a Google API key", "AIza{x35}"),
    ("a Gemini authorization key", "AQ.{x40}"),
    ("a command that connects to a database", "psql postgres://a:{x12}@db.example.com/a"),
    ("a database URL without the `@` before its host", "mysql://app:{x12}:db.example.com:3306/app"),
    (
        "a MongoDB URL with a bare `@`, `:` or `/` in the user name or password",
        "mongodb://app:p@{x9}@db.example.com/app",
    ),
    (
        "a database URL for Prisma with a bare `/`, `?` or `#` in the password",
        "postgresql://app:p#{x9}@db.example.com:5432/app?schema=public",
    ),
    (
        "a database URL for SQLAlchemy with a bare `@` in the password",
        "postgresql+psycopg://app:p@{x9}@db.example.com:5432/app",
    ),
    ("a database URL with a bare `@`, `/`, `?` or `#` in the password", "mysql://app:p#{x9}@db.example.com:3306/app"),
    ("the DSN of a mailer with a bare `/`, `?` or `#` in the password", "smtp://app:p/{x9}@mail.example.com:587"),
    ("the address of an Auth0 tenant", "https://{l8}.eu.auth0.com"),
    ("128 hex digits, as a secret key base of Rails has", "{h64}{h64}"),
    ("an address of the Supabase dashboard", "https://supabase.com/dashboard/project/{l20}"),
    ("20 letters, as the reference of a Supabase project has", "{l20}"),
    ("a value that begins like the ID of an object at Stripe", "price_{x24}"),
    ("the SID of something else at Twilio", "MG{h32}"),
    ("the ID of an OpenAI organization", "org-{x24}"),
    ("the name of a user, role or group of AWS", "arn:aws:iam::{d12}:user/{l8}"),
    ("a Google OAuth client ID", "{d12}-{l32}.apps.googleusercontent.com"),
    ("the key of a Google service account", r#"{"type":"service_account","private_key_id":"{h40}"}"#),
    ("Google application default credentials", r#"{"type":"authorized_user","refresh_token":"1//{x40}"}"#),
    ("the file of a Google OAuth client", r#"{"installed":{"client_secret":"GOCSPX-{x28}"}}"#),
    ("the `google-services.json` of an Android app", r#"{"project_info":{},"client":[]}"#),
    ("the address of a file in Firebase's storage", "https://firebasestorage.googleapis.com/v0/b/{l12}/o/a"),
    ("an address of New Relic for US accounts", "https://collector.newrelic.com"),
    ("an address of New Relic for EU accounts", "https://collector.eu.newrelic.com"),
    ("the address of an account's R2 storage", "https://{h32}.r2.cloudflarestorage.com"),
    ("the public address of an R2 bucket", "https://pub-{h32}.r2.dev"),
    ("a Supabase `anon` key", "eyJ{x30}.eyJpc3MiOiJzdXBhYmFzZSIsInJlZiI6ImEiLCJyb2xlIjoiYW5vbiJ9.{x43}"),
    (
        "a Supabase `service_role` key",
        "eyJ{x30}.eyJpc3MiOiJzdXBhYmFzZSIsInJlZiI6ImEiLCJyb2xlIjoic2VydmljZV9yb2xlIn0.{x43}",
    ),
    ("a Supabase publishable key", "sb_publishable_{x22}_{x8}"),
    ("a Supabase secret key", "sb_secret_{x22}_{x8}"),
    ("a Supabase access token", "sbp_{h40}"),
    ("the URL of a Supabase project", "https://{l20}.supabase.co"),
    ("the URL of a Supabase project with a single slash", "https:/{l20}.supabase.co"),
    (
        "a URL of Supabase's shared pooler whose user names no project",
        "postgresql://postgres:{x16}@aws-0-eu-central-1.pooler.supabase.com:6543/postgres",
    ),
    ("the URL of a Supabase database", "postgresql://postgres:{x16}@db.{l20}.supabase.co:5432/postgres"),
    ("a Google OAuth client secret", "GOCSPX-{x28}"),
    ("a Google OAuth access token", "ya29.{x60}"),
    ("a Google Cloud HMAC key", "GOOG1E{X55}"),
    ("an OpenAI key", "sk-proj-{x48}"),
    ("an OpenAI admin key", "sk-admin-{x58}T3BlbkFJ{x58}"),
    ("an Anthropic key", "sk-ant-api03-{x40}"),
    ("an Anthropic OAuth token", "sk-ant-oat01-{x40}"),
    ("an Anthropic admin key", "sk-ant-admin01-{x40}"),
    ("an OpenRouter key", "sk-or-v1-{h64}"),
    ("a Hugging Face token", "hf_{x34}"),
    ("a Groq key", "gsk_{x52}"),
    ("a Replicate token", "r8_{x37}"),
    ("a DigitalOcean token", "dop_v1_{h64}"),
    ("a Databricks token", "dapi{h32}"),
    ("a Shopify token", "shpat_{h32}"),
    ("a Square token", "sq0atp-{x22}"),
    ("a Linear key", "lin_api_{x40}"),
    ("a Notion token", "ntn_{x46}"),
    ("a Postman key", "PMAK-{h24}-{h34}"),
    ("a Grafana token", "glsa_{x32}_{h8}"),
    ("a Vault token", "hvs.{x24}"),
    ("a Doppler token", "dp.pt.{x43}"),
    ("a New Relic user key", "NRAK-{X27}"),
    ("a New Relic license key", "{h32}FFFFNRAL"),
    ("a New Relic license key of an EU account", "eu01xx{h26}FFFFNRAL"),
    ("a New Relic browser key", "NRJS-{h19}"),
    ("a New Relic Insights insert key", "NRII-{x32}"),
    ("a New Relic Insights query key", "NRIQ-{x32}"),
    ("a PlanetScale token", "pscale_tkn_{x43}"),
    ("a Sentry token", "sntrys_{x64}"),
    ("a Sentry DSN", "https://{h32}@o{d6}.ingest.us.sentry.io/{d16}"),
    ("a Sentry DSN with a secret key", "https://{h32}:{h32}@sentry.example.com/{d1}"),
    (
        "the address of a security or minidump endpoint",
        "https://o{d6}.ingest.sentry.io/api/{d7}/security/?sentry_key={h32}",
    ),
    ("a DSN without `https://`", "{h32}@o{d6}.ingest.us.sentry.io/{d16}"),
    ("two keys of 32 hex digits, as a DSN has", "{h32}:{h32}"),
    ("a Pulumi token", "pul-{h40}"),
    ("a Figma token", "figd_{x40}"),
    ("an Atlassian token", "ATATT3{x60}"),
    ("a Heroku key", "HRKU-{h8}-{h4}-{h4}-{h4}-{h12}"),
    ("a Fly.io token", "fm2_{x60}"),
    ("a Buildkite token", "bkua_{h40}"),
    ("a CircleCI token", "CCIPAT_{x22}_{h40}"),
    ("a Dynatrace token", "dt0c01.{X24}.{X64}"),
    ("a Cloudflare API token", "cfut_{x40}{h8}"),
    ("a Cloudflare Global API Key", "cfk_{x40}{h8}"),
    ("a token of a Wrangler login", "cfoat_{x40}"),
    ("the Client ID of an Access service token", "{h32}.access"),
    ("the Client Secret of an Access service token", "cfast_{x40}{h8}"),
    ("the token of a Cloudflare Tunnel", "eyJhIjoiMSIsInQiOiIyIiwicyI6IjMifQ=="),
    ("a Cloudflare Origin CA key", "v1.0-{h24}-{h146}"),
    ("a Tailscale auth key", "tskey-auth-{x12}-{x32}"),
    ("an API access token of Tailscale", "tskey-api-{x12}-{x32}"),
    ("the secret of an OAuth client of Tailscale", "tskey-client-{x12}-{x32}"),
    ("a Tailscale key", "tskey-{x12}-{x32}"),
    ("a LangSmith key", "lsv2_pt_{h32}_{h10}"),
    ("a 1Password service account token", "ops_eyJ{x200}"),
    ("an age key", "AGE-SECRET-KEY-1{X58}"),
    ("a private key", "-----BEGIN RSA PRIVATE KEY-----{b64}"),
    ("an Azure Storage connection string", "DefaultEndpointsProtocol=https;AccountName={l8};AccountKey={b86}=="),
    ("the value of an Entra client secret", "{x3}8Q~{x34}"),
    ("the key of an Azure AI service", "{x52}JQQJ99{x26}"),
    ("the key of an Azure storage account", "{b76}+ASt{b5}Q=="),
    ("64 bytes in base64, as keys of Azure storage accounts are", "{b85}A=="),
    ("the key of an Azure storage account without the `==` at its end", "{b85}A"),
    ("the JSON of a service principal", r#"{"clientId":"{h8}","clientSecret":"{x40}","tenantId":"{h8}"}"#),
    (
        "the JSON of a service principal with a GUID as `clientSecret`",
        r#"{"clientId":"{h8}","clientSecret":"{h8}-{h4}-{h4}-{h4}-{h12}","tenantId":"{h8}"}"#,
    ),
    ("the output of `az ad sp create-for-rbac`", r#"{"appId":"{h8}","password":"{x40}","tenant":"{h8}"}"#),
    ("the REST address of an Upstash database", "https://{l8}.upstash.io"),
    ("an address for Redis's own protocol", "rediss://default:{x40}@{l8}.upstash.io:6379"),
    ("the host of an Upstash database without `https://`", "{l8}.upstash.io"),
    ("a session token of a user, a JWT", "eyJ{x30}.eyJzaWQiOiJhIiwic3ViIjoiYiIsImlzcyI6ImMifQ.{x43}"),
    ("an AWS access key pair in a URL", "https://AKIA{X16}:{b40}@example.com"),
    ("a Discord bot token", "MTE5{x23}.{x6}.{x38}"),
    ("32 letters and digits, as a client secret has", "a1B{x29}"),
    ("68 letters and digits, as the token of a webhook has", "a1B{x65}"),
    ("a Discord webhook", "https://discord.com/api/webhooks/{d18}/{x68}"),
    ("a Slack-compatible Discord webhook", "https://discord.com/api/webhooks/{d18}/{x68}/slack"),
    ("a Teams webhook", "https://outlook.office.com/webhook/{h8}/IncomingWebhook/{h32}"),
    ("a Google Chat webhook", "https://chat.googleapis.com/v1/spaces/{x11}/messages?key={x39}"),
    ("a bot token with `bot` before it", "bot{d10}:AA{x33}"),
    ("a link to a chat", "https://t.me/{l9}"),
    ("a Telegram bot token", "{d10}:AA{x33}"),
    ("a Teams workflow webhook", "https://acme.webhook.office.com/webhookb2/{h8}/IncomingWebhook/{h32}"),
    ("a Mattermost webhook", "https://chat.example.com/hooks/{l13}{d13}"),
    ("an HCP Terraform token", "{x14}.atlasv1.{x67}"),
];

/// Forms of other vendors that many other values also have.
const LOOSE: &[(&str, &str)] = &[
    ("40 characters, as an older API token has", "{x40}"),
    ("37 hex digits, as an older Global API Key has", "{h37}"),
    ("a Global API Key with one character more", "{h37}r"),
    ("a key of CurseForge", "$2a$10${x53}"),
    ("the fingerprint of a key", "SHA256:{x43}"),
    ("40 hex digits", "{h40}"),
    ("40 hex digits, such as an application key", "{h40}"),
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
fn every_form_has_a_test_value() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/services");
    let (mut forms, mut nouns) = (0, 0);
    for file in std::fs::read_dir(directory).unwrap() {
        let file = file.unwrap().path();
        // The template for `just new-service` is not a service.
        if file.file_stem().is_some_and(|name| name == "template") || file.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        let own = ["slack", "backblaze", "many"].contains(&file.file_stem().unwrap().to_str().unwrap());
        for row in std::fs::read_to_string(file).unwrap().split("\n[form.").skip(1) {
            let noun = row.split("\nnoun = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            let word = |word: &str| word[..1].to_uppercase() + &word[1..];
            let name: String = row.split(']').next().unwrap().split('-').map(word).collect();
            // Those of the deepest services by the names of their rows, others by their nouns.
            let named = own && FORMS.iter().any(|(form, _)| *form == name);
            assert!(
                named || VENDORS.iter().chain(LOOSE).any(|(known, _)| *known == noun),
                "no value has the form {name}, {noun}"
            );
            *if named { &mut forms } else { &mut nouns } += 1;
        }
    }
    assert!(forms > 25 && nouns > 50, "{forms} {nouns}");
}
