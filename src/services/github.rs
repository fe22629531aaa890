//! GitHub.

use super::many;
use super::prelude::*;

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

const FORMATS: Source = Official(SERVICE.docs);
const GH: Source = Official("https://cli.github.com/manual/gh_help_environment");
const MCP: Source = Official("https://github.com/github/github-mcp-server");
const KEYS: Source = Official(
    "https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/managing-private-keys-for-github-apps",
);
const OCTOKIT: Source = Official("https://github.com/octokit/auth-app.js");
const OAUTH: Source = Official("https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps");
/// These names are not documented, but programs use them.
const PROVIDER: Source = Official("https://registry.terraform.io/providers/integrations/github/latest/docs");
const GRAFANA: Source = Example(
    "https://grafana.com/docs/grafana/latest/setup-grafana/configure-security/configure-authentication/github/",
);
const AUTH_JS: Source = Example("https://authjs.dev/getting-started/providers/github");
const R_LIB: Source = Example("https://gh.r-lib.org/articles/managing-personal-access-tokens.html");
const RENOVATE: Source =
    Example("https://docs.renovatebot.com/getting-started/running/#githubcom-token-for-changelogs");

/// Some programs rotate several tokens to raise the rate limit.
pub static TOKENS: Form = Form::new(
    "github/tokens",
    "several GitHub tokens",
    &[Text(
        "(?:ghp|gho|ghu|ghs|github_pat)_[0-9A-Za-z_.=+/~-]{16,}(?:,(?:ghp|gho|ghu|ghs|github_pat)_[0-9A-Za-z_.=+/~-]{16,})+",
    )],
    Example("https://github.com/ossf/scorecard#authentication"),
);

/// Of a user, an app or a job. Those of jobs and of installations are long, with a JSON Web Token inside, since 2026.
pub static TOKEN: Form = Form {
    id: "github/token",
    noun: "a GitHub token",
    patterns: &[
        Text("ghp_[0-9A-Za-z_.=+/~-]{16,}"),
        Text("gho_[0-9A-Za-z_.=+/~-]{16,}"),
        Text("ghu_[0-9A-Za-z_.=+/~-]{16,}"),
        Text("ghs_[0-9A-Za-z_.=+/~-]{16,}"),
    ],
    purpose: Purpose::AccessToken,
    source: FORMATS,
    ..FORM
};

pub static FINE_GRAINED_TOKEN: Form = Form {
    id: "github/fine-grained-token",
    noun: "a fine-grained GitHub token",
    patterns: &[Text("github_pat_[0-9A-Za-z_]{20,}")],
    purpose: Purpose::AccessToken,
    advice: "is for the API and for git; GitHub Packages and `ghcr.io` take a classic one only",
    source: FORMATS,
    ..FORM
};

pub static REFRESH_TOKEN: Form = Form {
    advice: "only gets new tokens for the users of a GitHub App",
    ..Form::new("github/refresh-token", "a GitHub refresh token", &[Text("ghr_[0-9A-Za-z_.=+/~-]{16,}")], FORMATS)
};

/// Those of older OAuth apps are 20 hex digits, like other values.
pub static CLIENT_ID: Form = Form {
    id: "github/client-id",
    noun: "the client ID of a GitHub app",
    patterns: &[Text(r"Iv1\.[0-9a-f]{16}"), Text("Iv23li[0-9A-Za-z]{14}"), Text("Ov23li[0-9A-Za-z]{14}")],
    public: true,
    purpose: Purpose::Id,
    advice: "goes with a client secret where users log in, or with the app's private key",
    source: Example("https://github.com/actions/create-github-app-token"),
    ..FORM
};

/// GitHub shows it next to each private key of an app; SSH keys also have one.
pub static FINGERPRINT: Form = Form {
    issued_by: Issuer::Many,
    public: true,
    ..Form::new("github/fingerprint", "the fingerprint of a key", &[Text("SHA256:[0-9A-Za-z+/]{43}=?")], KEYS)
};

/// A client secret, a token from before 2021, a commit, and many other values.
pub static HEX_40: Form = Form {
    id: "github/hex-40",
    noun: "40 hex digits",
    patterns: &[Text("[0-9a-f]{40}")],
    issued_by: Issuer::Many,
    certain: false,
    source: Scanner("https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors/github"),
    ..FORM
};

/// Tokens from before 2021 are 40 hex digits; tokens of other servers with the same API may have any form.
pub static TOKEN_FIELD: Field = Field {
    place: ("github", "token"),
    noun: "a token",
    about: "a GitHub token, which begins with `ghp_`, `github_pat_`, `gho_`, `ghu_` or `ghs_`",
    takes: &[&TOKEN, &FINE_GRAINED_TOKEN, &TOKENS, &HEX_40],
    names: &[
        Names::new(&["TOKEN", "ENTERPRISE_TOKEN"], GH),
        Names::new(&["PERSONAL_ACCESS_TOKEN"], MCP),
        Names::new(&["PAT"], R_LIB),
        Names::new(&["COM_TOKEN"], RENOVATE),
        Names::new(&["API_TOKEN"], Example("https://docs.brew.sh/Manpage#environment")),
        Names::new(&["ACCESS_TOKEN"], Example("https://github.com/jhipster/jhipster-online")),
    ],
    mistakes: &[
        Mistake {
            forms: &[&REFRESH_TOKEN],
            repair: "set it to the token itself; a refresh token only gets a new one",
            source: Official(
                "https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens",
            ),
        },
        Mistake {
            forms: &[&CLIENT_ID],
            repair: "set it to a token, which begins with `ghp_` or `github_pat_`; a client ID is no credential",
            source: FORMATS,
        },
        Mistake {
            forms: &[&FINGERPRINT],
            repair: "set it to a token, which begins with `ghp_` or `github_pat_`",
            source: KEYS,
        },
    ],
    ..FIELD
};

/// Those of older OAuth apps are 20 hex digits.
pub static CLIENT_ID_FIELD: Field = Field {
    place: ("github", "client_id"),
    noun: "a client ID",
    about: "the client ID of the app, which begins with `Iv` or `Ov`, or has 20 hex digits if it is older",
    takes: &[&CLIENT_ID],
    names: &[
        Names::new(&["CLIENT_ID"], GRAFANA),
        Names::new(&["APP_CLIENT_ID", "OAUTH_CLIENT_ID"], OAUTH),
        Names::new(&["ID"], AUTH_JS),
    ],
    mistakes: &[Mistake {
        forms: &[&FINGERPRINT],
        repair: "set it to the client ID of the app, which begins with `Iv` or `Ov`",
        source: KEYS,
    }],
    ..FIELD
};

pub static CLIENT_SECRET_FIELD: Field = Field {
    place: ("github", "client_secret"),
    noun: "a client secret",
    about: "the client secret, 40 hex digits that are shown once",
    purpose: Purpose::Key,
    takes: &[&HEX_40],
    names: &[Names::new(&["CLIENT_SECRET"], GRAFANA), Names::new(&["APP_CLIENT_SECRET", "OAUTH_CLIENT_SECRET"], OAUTH)],
    mistakes: &[
        Mistake {
            forms: &[&CLIENT_ID],
            repair: "set it to the client secret, which is shown once, when it is made; this is the client ID",
            source: OAUTH,
        },
        Mistake {
            forms: &[&FINGERPRINT],
            repair: "set it to the client secret, which is shown once, when it is made",
            source: KEYS,
        },
    ],
};

/// A number. Libraries also accept the client ID.
pub static APP_ID_FIELD: Field = Field {
    place: ("github", "app_id"),
    noun: "the ID of an app",
    about: "the App ID, a number, or the client ID of the app",
    takes: &[&CLIENT_ID],
    names: &[Names::new(&["APP_ID"], PROVIDER)],
    mistakes: &[Mistake {
        forms: &[&FINGERPRINT],
        repair: "set it to the App ID, a number, or to the client ID of the app",
        source: KEYS,
    }],
    ..FIELD
};

/// A number.
pub static INSTALLATION_ID_FIELD: Field = Field {
    place: ("github", "installation_id"),
    noun: "the ID of an installation",
    about: "the ID of the app's installation: the number at the end of the address of its settings",
    purpose: Purpose::Id,
    names: &[Names::new(&["APP_INSTALLATION_ID", "INSTALLATION_ID"], PROVIDER)],
    mistakes: &[Mistake {
        forms: &[&CLIENT_ID],
        repair: "set it to the ID of the installation: the number at the end of the address of its settings",
        source: OCTOKIT,
    }],
    ..FIELD
};

/// The content of the file; some programs accept it in base64, or its path.
pub static PRIVATE_KEY_FIELD: Field = Field {
    place: ("github", "private_key"),
    noun: "the private key of a GitHub App",
    about: "the content of the `.pem` file that GitHub makes under \"Generate a private key\"",
    purpose: Purpose::Key,
    takes: &[&many::PRIVATE_KEY],
    names: &[Names::new(&["PRIVATE_KEY", "APP_PRIVATE_KEY"], OCTOKIT)],
    mistakes: &[
        Mistake {
            forms: &[&FINGERPRINT],
            repair: "set it to the content of the `.pem` file that GitHub makes under \"Generate a private key\"; the fingerprint only tells the keys apart",
            source: KEYS,
        },
        Mistake {
            forms: &[&HEX_40],
            repair: "set it to the content of the `.pem` file that GitHub makes under \"Generate a private key\"; a client secret is not a key",
            source: Example("https://github.com/actions/create-github-app-token/issues/113"),
        },
    ],
};

/// A login has the first pair; a GitHub App also has the second.
const PAIRS: &[Pair] = &[
    Pair {
        beside: &["app_id", "private_key"],
        keeps_id: true,
        ..Pair::new(
            PairField::new("client_id", "a client ID", "Client ID"),
            PairField::new("client_secret", "a client secret", "Client secret"),
        )
    },
    Pair {
        beside: &["client_id", "client_secret"],
        keeps_id: true,
        ..Pair::new(
            PairField::new("app_id", "the App ID or the client ID", "App ID"),
            PairField::new("private_key", "the private key of the same GitHub App", "Private key"),
        )
    },
];

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["Bad credentials"],
        near: &["api.github.com", "docs.github.com", "octokit", "HttpError", "github"],
        about: &[&TOKEN_FIELD],
        says: "GitHub does not recognise the token",
        open: "whether it has expired or was revoked",
        source: Example("https://github.com/octokit/request-action/issues/252"),
        ..ERROR
    },
    ErrorText {
        texts: &["A JSON web token could not be decoded"],
        about: &[&PRIVATE_KEY_FIELD, &APP_ID_FIELD, &CLIENT_ID_FIELD],
        says: "the App's ID and its private key do not belong together, or the key is incomplete",
        open: "whether the key is of this App",
        source: Example("https://github.com/actions/create-github-app-token/issues/153"),
        ..ERROR
    },
    ErrorText {
        texts: UNAUTHORIZED,
        hosts: &["api.github.com"],
        about: &[&TOKEN_FIELD],
        says: "GitHub refused the token",
        open: "whether it has expired or was revoked",
        source: Official("https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api"),
        ..ERROR
    },
];
