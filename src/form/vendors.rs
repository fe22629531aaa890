//! Credentials of other vendors, by their documented prefixes. Only certain forms are listed.

use super::digits::is_number;

/// A credential of another vendor.
#[derive(Debug)]
#[non_exhaustive]
pub struct Vendor {
    /// The noun with its article.
    pub noun: &'static str,
    /// The documentation.
    pub source: &'static str,
    /// True for a webhook.
    pub webhook: bool,
    /// True for a webhook that takes Slack's messages.
    pub slack_like: bool,
    /// True for part of a pair for an S3-compatible API, which belongs in the same fields as B2's.
    pub s3: bool,
    prefixes: &'static [&'static str],
    body: Body,
    /// The minimum and maximum length of the text after the prefix.
    length: (usize, usize),
}

// The noun identifies a vendor's row.
impl PartialEq for Vendor {
    fn eq(&self, other: &Self) -> bool {
        self.noun == other.noun
    }
}

impl Eq for Vendor {}

/// The characters after a prefix.
#[derive(Clone, Copy, Debug)]
enum Body {
    /// Letters and digits.
    Word,
    /// Capitals and digits.
    Capitals,
    /// Hex digits.
    Hex,
    /// Letters, digits, `-`, `_`, `.`, `=`, and what base64 uses.
    Token,
    /// Any: the prefix is sufficient.
    Any,
}

impl Body {
    fn takes(self, byte: u8) -> bool {
        match self {
            Self::Word => byte.is_ascii_alphanumeric() || byte == b'_',
            Self::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Token => byte.is_ascii_alphanumeric() || b"-_.=+/~".contains(&byte),
            Self::Any => true,
        }
    }
}

const fn row(
    noun: &'static str,
    prefixes: &'static [&'static str],
    body: Body,
    length: (usize, usize),
    source: &'static str,
) -> Vendor {
    Vendor { noun, source, webhook: false, slack_like: false, s3: false, prefixes, body, length }
}

const fn s3(
    noun: &'static str,
    prefixes: &'static [&'static str],
    body: Body,
    length: (usize, usize),
    source: &'static str,
) -> Vendor {
    Vendor { noun, source, webhook: false, slack_like: false, s3: true, prefixes, body, length }
}

const fn webhook(noun: &'static str, prefixes: &'static [&'static str], source: &'static str) -> Vendor {
    Vendor { noun, source, webhook: true, slack_like: false, s3: false, prefixes, body: Body::Any, length: (4, 1000) }
}

/// A secret scanner's list, for forms that the issuer doesn't document.
const GITLEAKS: &str = "https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml";
/// Two other lists, for forms missing from that one.
const TRUFFLEHOG: &str = "https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors";
const KINGFISHER: &str = "https://github.com/mongodb/kingfisher/tree/main/data/rules";
const GITHUB: &str = "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats";
const GITLAB: &str = "https://docs.gitlab.com/security/tokens/#token-prefixes";
const AWS: &str = "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids";
const STRIPE: &str = "https://docs.stripe.com/keys";
const TWILIO: &str = "https://www.twilio.com/docs/glossary/what-is-a-sid";
const DISCORD: &str = "a Discord webhook";
const ANY: usize = 4096;

static VENDORS: &[Vendor] = &[
    row("a GitHub token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], Body::Token, (16, ANY), GITHUB),
    row("a fine-grained GitHub token", &["github_pat_"], Body::Word, (20, ANY), GITHUB),
    row(
        "a GitLab token",
        &[
            "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-", "gloas-", "glimt-",
            "glffct-",
        ],
        Body::Token,
        (16, ANY),
        GITLAB,
    ),
    s3("an AWS access key ID", &["AKIA", "ASIA"], Body::Capitals, (16, 16), AWS),
    row("an npm token", &["npm_"], Body::Word, (36, 36), GITLEAKS),
    row("a PyPI token", &["pypi-"], Body::Token, (50, ANY), GITLEAKS),
    row("a RubyGems key", &["rubygems_"], Body::Hex, (48, 48), GITLEAKS),
    row("a crates.io token", &["cio"], Body::Word, (32, 32), KINGFISHER),
    row("a Docker Hub token", &["dckr_pat_", "dckr_oat_"], Body::Token, (20, ANY), TRUFFLEHOG),
    row("a secret Stripe key", &["sk_live_", "sk_test_", "rk_live_", "rk_test_"], Body::Word, (10, ANY), STRIPE),
    row("a publishable Stripe key", &["pk_live_", "pk_test_"], Body::Word, (10, ANY), STRIPE),
    row("a Twilio Account SID", &["AC"], Body::Hex, (32, 32), TWILIO),
    row("a Twilio API key SID", &["SK"], Body::Hex, (32, 32), TWILIO),
    row("a SendGrid key", &["SG."], Body::Token, (60, 80), GITLEAKS),
    row("a Mailgun key", &["key-"], Body::Hex, (32, 32), GITLEAKS),
    row("a Google API key", &["AIza"], Body::Token, (35, 35), GITLEAKS),
    row("a Google OAuth client secret", &["GOCSPX-"], Body::Token, (20, 40), KINGFISHER),
    row("a Google OAuth access token", &["ya29."], Body::Token, (20, ANY), TRUFFLEHOG),
    s3("a Google Cloud HMAC key", &["GOOG1E"], Body::Word, (20, 60), KINGFISHER),
    row("an OpenAI key", &["sk-proj-", "sk-svcacct-", "sk-admin-"], Body::Token, (20, ANY), TRUFFLEHOG),
    row("an Anthropic key", &["sk-ant-"], Body::Token, (20, ANY), TRUFFLEHOG),
    row("an OpenRouter key", &["sk-or-v1-"], Body::Hex, (64, 64), TRUFFLEHOG),
    row("a Hugging Face token", &["hf_"], Body::Word, (30, 45), GITLEAKS),
    row("a Groq key", &["gsk_"], Body::Word, (40, 60), TRUFFLEHOG),
    row("a Replicate token", &["r8_"], Body::Word, (37, 37), TRUFFLEHOG),
    row("a DigitalOcean token", &["dop_v1_", "doo_v1_", "dor_v1_"], Body::Hex, (64, 64), GITLEAKS),
    row("a Databricks token", &["dapi"], Body::Token, (32, 34), GITLEAKS),
    row("a Shopify token", &["shpat_", "shpca_", "shppa_", "shpss_"], Body::Hex, (32, 32), GITLEAKS),
    row("a Square token", &["sq0atp-", "sq0csp-", "EAAAE"], Body::Token, (22, 80), TRUFFLEHOG),
    row("a Linear key", &["lin_api_"], Body::Word, (32, 64), GITLEAKS),
    row("a Notion token", &["ntn_"], Body::Word, (40, 60), GITLEAKS),
    row("a Postman key", &["PMAK-"], Body::Token, (40, 80), GITLEAKS),
    row("a Grafana token", &["glsa_", "glc_"], Body::Token, (32, ANY), GITLEAKS),
    row("a Vault token", &["hvs.", "hvb."], Body::Token, (20, ANY), GITLEAKS),
    row(
        "a Doppler token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        Body::Token,
        (20, ANY),
        TRUFFLEHOG,
    ),
    row("a New Relic key", &["NRAK-", "NRJS-", "NRII-"], Body::Token, (16, 40), GITLEAKS),
    row("a PlanetScale token", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], Body::Token, (32, 64), GITLEAKS),
    row("a Sentry token", &["sntrys_", "sntryu_"], Body::Token, (40, ANY), TRUFFLEHOG),
    row("a Pulumi token", &["pul-"], Body::Hex, (40, 40), GITLEAKS),
    row("a Figma token", &["figd_"], Body::Token, (20, ANY), KINGFISHER),
    row("an Atlassian token", &["ATATT3", "ATCTT3", "ATBB"], Body::Token, (20, ANY), TRUFFLEHOG),
    row("a Heroku key", &["HRKU-"], Body::Token, (36, 80), GITLEAKS),
    row("a Fly.io token", &["fo1_", "fm1a_", "fm1r_", "fm2_"], Body::Token, (40, ANY), GITLEAKS),
    row("a Buildkite token", &["bkua_"], Body::Word, (30, 50), TRUFFLEHOG),
    row("a CircleCI token", &["CCIPAT_"], Body::Word, (30, 80), TRUFFLEHOG),
    row("a Dynatrace token", &["dt0c01."], Body::Token, (24, ANY), GITLEAKS),
    row("a Cloudflare token", &["cfut_"], Body::Word, (32, 64), TRUFFLEHOG),
    row("a Tailscale key", &["tskey-"], Body::Token, (16, 100), TRUFFLEHOG),
    row("a Supabase key", &["sbp_"], Body::Token, (20, 80), TRUFFLEHOG),
    row("a LangSmith key", &["lsv2_pt_", "lsv2_sk_"], Body::Token, (32, 80), TRUFFLEHOG),
    row("a 1Password service account token", &["ops_eyJ"], Body::Token, (100, ANY), GITLEAKS),
    row("an age key", &["AGE-SECRET-KEY-1"], Body::Capitals, (58, 58), GITLEAKS),
    row(
        "a private key",
        &[
            "-----BEGIN RSA PRIVATE KEY",
            "-----BEGIN PRIVATE KEY",
            "-----BEGIN EC PRIVATE KEY",
            "-----BEGIN OPENSSH PRIVATE KEY",
            "-----BEGIN ENCRYPTED PRIVATE KEY",
            "-----BEGIN DSA PRIVATE KEY",
            "PuTTY-User-Key-File-",
        ],
        Body::Any,
        (0, ANY),
        "https://www.rfc-editor.org/rfc/rfc7468",
    ),
    row("an Azure Storage connection string", &["DefaultEndpointsProtocol="], Body::Any, (20, ANY), TRUFFLEHOG),
    row("an AWS access key pair in a URL", &["https://AKIA"], Body::Any, (16, ANY), AWS),
    webhook(
        DISCORD,
        &[
            "https://discord.com/api/webhooks/",
            "https://discordapp.com/api/webhooks/",
            "https://ptb.discord.com/api/webhooks/",
            "https://canary.discord.com/api/webhooks/",
        ],
        "https://discord.com/developers/docs/resources/webhook",
    ),
    webhook(
        "a Teams webhook",
        &["https://outlook.office.com/webhook"],
        "https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook",
    ),
    webhook(
        "a Google Chat webhook",
        &["https://chat.googleapis.com/v1/spaces/"],
        "https://developers.google.com/workspace/chat/quickstart/webhooks",
    ),
];

/// A Telegram bot token: digits, a colon, and 35 characters that start with `AA`.
static TELEGRAM: Vendor =
    row("a Telegram bot token", &[], Body::Token, (0, 0), "https://core.telegram.org/bots/api#authorizing-your-bot");

/// Newer Teams addresses start with the tenant's name.
static TEAMS: Vendor = webhook(
    "a Teams workflow webhook",
    &[],
    "https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook",
);

/// Mattermost's webhooks and others. The host is arbitrary, because Mattermost is self-hosted.
static HOOK: Vendor = Vendor {
    slack_like: true,
    ..webhook("a Mattermost webhook", &[], "https://docs.mattermost.com/developers/integrate/webhooks/incoming")
};

/// A Discord webhook with `/slack` behind it.
static DISCORD_SLACK: Vendor = Vendor {
    slack_like: true,
    ..webhook(
        "a Slack-compatible Discord webhook",
        &[],
        "https://discord.com/developers/docs/resources/webhook#execute-slackcompatible-webhook",
    )
};

/// A Terraform Cloud API key.
static TERRAFORM: Vendor = row(
    "an HCP Terraform token",
    &[],
    Body::Token,
    (0, 0),
    "https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens",
);

/// Returns the vendor that issues a value.
pub(super) fn find(value: &str) -> Option<&'static Vendor> {
    let fits = |vendor: &&Vendor| {
        let body = vendor.prefixes.iter().find_map(|prefix| value.strip_prefix(prefix));
        body.is_some_and(|body| {
            (vendor.length.0..=vendor.length.1).contains(&body.len())
                && body.bytes().all(|byte| vendor.body.takes(byte))
        })
    };
    let found = VENDORS.iter().find(fits).or_else(|| shaped(value))?;
    let path = value.split(['?', '#']).next().unwrap_or_default();
    let slack = found.noun == DISCORD && path.ends_with("/slack");
    Some(if slack { &DISCORD_SLACK } else { found })
}

/// Returns the vendor of forms that a prefix can't describe.
fn shaped(value: &str) -> Option<&'static Vendor> {
    let word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if let Some((id, rest)) = value.split_once(':')
        && (8..=12).contains(&id.len())
        && is_number(id)
        && rest.len() == 35
        && rest.starts_with("AA")
        && word(rest)
    {
        return Some(&TELEGRAM);
    }
    if let Some((id, rest)) = value.split_once(".atlasv1.")
        && id.len() == 14
        && rest.len() >= 60
        && word(id)
        && word(rest)
    {
        return Some(&TERRAFORM);
    }
    let (host, path) = value.strip_prefix("https://")?.split_once('/')?;
    if host.ends_with(".webhook.office.com") && path.starts_with("webhookb2/") {
        return Some(&TEAMS);
    }
    let hook = path.strip_prefix("hooks/")?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (hook.len() == 26 && hook.bytes().all(plain)).then_some(&HOOK)
}
