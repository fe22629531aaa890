//! GitHub.

use super::{
    BLANK, ERROR, ErrorText, FIELD, FORM, Field, Form, Issuer, Mistake, NAMES, Names, Pair, PairField, Pattern,
    Purpose, Service, Source, UNAUTHORIZED, many,
};

pub static SERVICE: Service = Service {
    name: "GitHub",
    docs: "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats",
    read: "2026-11-23",
    forms: &[&TOKENS, &TOKEN, &FINE_GRAINED_TOKEN, &REFRESH_TOKEN, &CLIENT_ID, &FINGERPRINT, &HEX_40],
    words: &["GITHUB", "GH"],
    fields: &[
        &TOKEN_FIELD, &CLIENT_ID_FIELD, &CLIENT_SECRET_FIELD, &APP_ID_FIELD, &INSTALLATION_ID_FIELD, &PRIVATE_KEY_FIELD,
    ],
    pairs: PAIRS,
    errors: ERRORS,
    ..BLANK
};

const FORMATS: Source = Source::Official(SERVICE.docs);
const GH: Source = Source::Official("https://cli.github.com/manual/gh_help_environment");
const MCP: Source = Source::Official("https://github.com/github/github-mcp-server");
const KEYS: Source = Source::Official(
    "https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/managing-private-keys-for-github-apps",
);
const OCTOKIT: Source = Source::Official("https://github.com/octokit/auth-app.js");
const OAUTH: Source =
    Source::Official("https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps");
/// Nobody documents these names; programs have them.
const PROVIDER: Source = Source::Official("https://registry.terraform.io/providers/integrations/github/latest/docs");
const GRAFANA: Source = Source::Example(
    "https://grafana.com/docs/grafana/latest/setup-grafana/configure-security/configure-authentication/github/",
);
const AUTH_JS: Source = Source::Example("https://authjs.dev/getting-started/providers/github");
const R_LIB: Source = Source::Example("https://gh.r-lib.org/articles/managing-personal-access-tokens.html");
const RENOVATE: Source =
    Source::Example("https://docs.renovatebot.com/getting-started/running/#githubcom-token-for-changelogs");

/// Some programs take turns, to ask more often than one token may.
pub static TOKENS: Form = Form {
    id: "github/tokens",
    noun: "several GitHub tokens",
    patterns: &[Pattern::Text(
        "(?:ghp|gho|ghu|ghs|github_pat)_[0-9A-Za-z_.=+/~-]{16,}(?:,(?:ghp|gho|ghu|ghs|github_pat)_[0-9A-Za-z_.=+/~-]{16,})+",
    )],
    source: Source::Example("https://github.com/ossf/scorecard#authentication"),
    ..FORM
};

/// Of a user, an app or a job. Those of jobs and of installations are long, with a JSON Web Token inside, since 2026.
pub static TOKEN: Form = Form {
    id: "github/token",
    noun: "a GitHub token",
    patterns: &[
        Pattern::Text("ghp_[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("gho_[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("ghu_[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("ghs_[0-9A-Za-z_.=+/~-]{16,}"),
    ],
    purpose: Purpose::AccessToken,
    source: FORMATS,
    ..FORM
};

pub static FINE_GRAINED_TOKEN: Form = Form {
    id: "github/fine-grained-token",
    noun: "a fine-grained GitHub token",
    patterns: &[Pattern::Text("github_pat_[0-9A-Za-z_]{20,}")],
    purpose: Purpose::AccessToken,
    advice: "is for the API and for git; GitHub Packages and `ghcr.io` take a classic one only",
    source: FORMATS,
    ..FORM
};

pub static REFRESH_TOKEN: Form = Form {
    id: "github/refresh-token",
    noun: "a GitHub refresh token",
    patterns: &[Pattern::Text("ghr_[0-9A-Za-z_.=+/~-]{16,}")],
    advice: "only gets new tokens for the users of a GitHub App",
    source: FORMATS,
    ..FORM
};

/// Those of older OAuth apps are 20 hex digits, as other values.
pub static CLIENT_ID: Form = Form {
    id: "github/client-id",
    noun: "the client ID of a GitHub app",
    patterns: &[
        Pattern::Text(r"Iv1\.[0-9a-f]{16}"),
        Pattern::Text("Iv23li[0-9A-Za-z]{14}"),
        Pattern::Text("Ov23li[0-9A-Za-z]{14}"),
    ],
    public: true,
    purpose: Purpose::Id,
    advice: "goes with a client secret where users log in, or with the app's private key",
    source: Source::Example("https://github.com/actions/create-github-app-token"),
    ..FORM
};

/// GitHub shows it beside each private key of an app; SSH keys have one, too.
pub static FINGERPRINT: Form = Form {
    id: "github/fingerprint",
    noun: "the fingerprint of a key",
    patterns: &[Pattern::Text("SHA256:[0-9A-Za-z+/]{43}=?")],
    issued_by: Issuer::Many,
    public: true,
    source: KEYS,
    ..FORM
};

/// A client secret, a token from before 2021, a commit, and many other values.
pub static HEX_40: Form = Form {
    id: "github/hex-40",
    noun: "40 hex digits",
    patterns: &[Pattern::Text("[0-9a-f]{40}")],
    issued_by: Issuer::Many,
    certain: false,
    source: Source::Scanner("https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors/github"),
    ..FORM
};

/// Tokens from before 2021 are 40 hex digits; those of other servers that speak the same API may have any form.
pub static TOKEN_FIELD: Field = Field {
    place: ("github", "token"),
    noun: "a token",
    about: "a GitHub token, which begins with `ghp_`, `github_pat_`, `gho_`, `ghu_` or `ghs_`",
    purpose: Purpose::AccessToken,
    takes: &[&TOKEN, &FINE_GRAINED_TOKEN, &TOKENS, &HEX_40],
    names: &[
        Names { words: &["TOKEN", "ENTERPRISE_TOKEN"], source: GH, ..NAMES },
        Names { words: &["PERSONAL_ACCESS_TOKEN"], source: MCP, ..NAMES },
        Names { words: &["PAT"], source: R_LIB, ..NAMES },
        Names { words: &["COM_TOKEN"], source: RENOVATE, ..NAMES },
        Names { words: &["API_TOKEN"], source: Source::Example("https://docs.brew.sh/Manpage#environment"), ..NAMES },
        Names {
            words: &["ACCESS_TOKEN"],
            source: Source::Example("https://github.com/jhipster/jhipster-online"),
            ..NAMES
        },
    ],
    mistakes: &[
        Mistake {
            form: &REFRESH_TOKEN,
            repair: "set it to the token itself; a refresh token only gets a new one",
            source: Source::Official(
                "https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens",
            ),
        },
        Mistake {
            form: &CLIENT_ID,
            repair: "set it to a token, which begins with `ghp_` or `github_pat_`; a client ID is no credential",
            source: FORMATS,
        },
        Mistake {
            form: &FINGERPRINT,
            repair: "set it to a token, which begins with `ghp_` or `github_pat_`",
            source: KEYS,
        },
    ],
};

/// Those of older OAuth apps are 20 hex digits.
pub static CLIENT_ID_FIELD: Field = Field {
    place: ("github", "client_id"),
    noun: "a client ID",
    about: "the client ID of the app, which begins with `Iv` or `Ov`, or has 20 hex digits if it is older",
    purpose: Purpose::Id,
    takes: &[&CLIENT_ID],
    names: &[
        Names { words: &["CLIENT_ID"], source: GRAFANA, ..NAMES },
        Names { words: &["APP_CLIENT_ID", "OAUTH_CLIENT_ID"], source: OAUTH, ..NAMES },
        Names { words: &["ID"], source: AUTH_JS, ..NAMES },
    ],
    mistakes: &[Mistake {
        form: &FINGERPRINT,
        repair: "set it to the client ID of the app, which begins with `Iv` or `Ov`",
        source: KEYS,
    }],
};

pub static CLIENT_SECRET_FIELD: Field = Field {
    place: ("github", "client_secret"),
    noun: "a client secret",
    about: "the client secret, 40 hex digits that are shown once",
    purpose: Purpose::Key,
    takes: &[&HEX_40],
    names: &[
        Names { words: &["CLIENT_SECRET"], source: GRAFANA, ..NAMES },
        Names { words: &["APP_CLIENT_SECRET", "OAUTH_CLIENT_SECRET"], source: OAUTH, ..NAMES },
    ],
    mistakes: &[
        Mistake {
            form: &CLIENT_ID,
            repair: "set it to the client secret, which is shown once, when it is made; this is the client ID",
            source: OAUTH,
        },
        Mistake {
            form: &FINGERPRINT,
            repair: "set it to the client secret, which is shown once, when it is made",
            source: KEYS,
        },
    ],
};

/// A number. Libraries take the client ID in its place.
pub static APP_ID_FIELD: Field = Field {
    place: ("github", "app_id"),
    noun: "the ID of an app",
    about: "the App ID, a number, or the client ID of the app",
    purpose: Purpose::Id,
    takes: &[&CLIENT_ID],
    names: &[Names { words: &["APP_ID"], source: PROVIDER, ..NAMES }],
    mistakes: &[Mistake {
        form: &FINGERPRINT,
        repair: "set it to the App ID, a number, or to the client ID of the app",
        source: KEYS,
    }],
};

/// A number.
pub static INSTALLATION_ID_FIELD: Field = Field {
    place: ("github", "installation_id"),
    noun: "the ID of an installation",
    about: "the ID of the app's installation: the number at the end of the address of its settings",
    purpose: Purpose::Id,
    names: &[Names { words: &["APP_INSTALLATION_ID", "INSTALLATION_ID"], source: PROVIDER, ..NAMES }],
    mistakes: &[Mistake {
        form: &CLIENT_ID,
        repair: "set it to the ID of the installation: the number at the end of the address of its settings",
        source: OCTOKIT,
    }],
    ..FIELD
};

/// The content of the file; some programs take it in base64, or its path.
pub static PRIVATE_KEY_FIELD: Field = Field {
    place: ("github", "private_key"),
    noun: "the private key of a GitHub App",
    about: "the content of the `.pem` file that GitHub makes under \"Generate a private key\"",
    purpose: Purpose::Key,
    takes: &[&many::PRIVATE_KEY],
    names: &[Names { words: &["PRIVATE_KEY", "APP_PRIVATE_KEY"], source: OCTOKIT, ..NAMES }],
    mistakes: &[
        Mistake {
            form: &FINGERPRINT,
            repair: "set it to the content of the `.pem` file that GitHub makes under \"Generate a private key\"; the fingerprint only tells the keys apart",
            source: KEYS,
        },
        Mistake {
            form: &HEX_40,
            repair: "set it to the content of the `.pem` file that GitHub makes under \"Generate a private key\"; a client secret is not a key",
            source: Source::Example("https://github.com/actions/create-github-app-token/issues/113"),
        },
    ],
};

/// A login has the first pair, a GitHub App the second, too.
const PAIRS: &[Pair] = &[
    Pair {
        id: PairField { field: "client_id", noun: "a client ID", shown_as: "Client ID" },
        key: PairField { field: "client_secret", noun: "a client secret", shown_as: "Client secret" },
        part: "",
        beside: &["app_id", "private_key"],
        not_for: None,
        keeps_id: true,
    },
    Pair {
        id: PairField { field: "app_id", noun: "the App ID or the client ID", shown_as: "App ID" },
        key: PairField {
            field: "private_key",
            noun: "the private key of the same GitHub App",
            shown_as: "Private key",
        },
        part: "",
        beside: &["client_id", "client_secret"],
        not_for: None,
        keeps_id: true,
    },
];

/// What stands in a log.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["Bad credentials"],
        near: &["api.github.com", "docs.github.com", "octokit", "HttpError", "github"],
        about: &[&TOKEN_FIELD],
        says: "GitHub does not recognise the token",
        open: "whether it has expired or was revoked",
        source: Source::Example("https://github.com/octokit/request-action/issues/252"),
        ..ERROR
    },
    ErrorText {
        texts: &["A JSON web token could not be decoded"],
        about: &[&PRIVATE_KEY_FIELD, &APP_ID_FIELD, &CLIENT_ID_FIELD],
        says: "the App's ID and its private key do not belong together, or the key is incomplete",
        open: "whether the key is of this App",
        source: Source::Example("https://github.com/actions/create-github-app-token/issues/153"),
        ..ERROR
    },
    ErrorText {
        texts: UNAUTHORIZED,
        hosts: &["api.github.com"],
        about: &[&TOKEN_FIELD],
        says: "GitHub refused the token",
        open: "whether it has expired or was revoked",
        source: Source::Official("https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api"),
        ..ERROR
    },
];
