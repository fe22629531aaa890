//! Google, with Firebase and Gemini.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Google",
    docs: "https://cloud.google.com/docs/authentication/application-default-credentials",
    read: "2026-11-23",
    forms: &[
        &API_KEY, &AUTH_KEY, &CLIENT_ID, &CLIENT_SECRET, &ACCESS_TOKEN, &HMAC_KEY, &CHAT_WEBHOOK, &SERVICE_ACCOUNT,
        &OTHER_CREDENTIALS, &OAUTH_CLIENT, &ANDROID_APP, &STORED_FILE,
    ],
    words: &["FIREBASE", "GOOGLE", "GEMINI"],
    fields: &[
        &PATH_FIELD, &SERVICE_ACCOUNT_FIELD, &FIREBASE_FIELD, &CLIENT_ID_FIELD, &CLIENT_SECRET_FIELD, &API_KEY_FIELD,
        &EMULATOR_FIELD,
    ],
    errors: ERRORS,
    ..BLANK
};

/// The names and the types of files. Another type ends in `does not have a valid type. Type is …, expected one of …`.
const AUTH: Source =
    Official("https://github.com/googleapis/google-auth-library-python/blob/main/google/auth/_default.py");
const ADC: Source = Official("https://cloud.google.com/docs/authentication/application-default-credentials");
const OAUTH: Source = Official("https://developers.google.com/identity/protocols/oauth2");
const GEMINI: Source = Official("https://ai.google.dev/gemini-api/docs/api-key");
/// These names are not documented, but programs use them.
const AUTH_JS: Source = Example("https://authjs.dev/getting-started/providers/google");

/// Firebase's keys, and those of maps, are public by design; those of Gemini are not. Nothing in a key distinguishes
/// them: <https://firebase.google.com/docs/projects/api-keys>.
pub static API_KEY: Form = Form {
    in_browsers: true,
    advice: "names a project; what it may call is set in the console",
    ..Form::new("google/api-key", "a Google API key", &[Text("AIza[0-9A-Za-z_.=+/~-]{35}")], GITLEAKS)
};

/// It is bound to a service account. The length is not documented.
pub static AUTH_KEY: Form = Form {
    advice: "is for servers only",
    ..Form::new("google/auth-key", "a Gemini authorization key", &[Text(r"AQ\.[0-9A-Za-z_.=+/~-]{30,}")], GEMINI)
};

pub static CLIENT_ID: Form = Form {
    id: "google/client-id",
    noun: "a Google OAuth client ID",
    patterns: &[Text(r"[0-9]{6,}-[0-9a-z]{20,40}\.apps\.googleusercontent\.com")],
    public: true,
    purpose: Purpose::Id,
    advice: "goes with the client secret of the same client",
    source: OAUTH,
    ..FORM
};

/// The secret of an installed app is in the app. Older ones have 24 characters and no prefix.
pub static CLIENT_SECRET: Form = Form {
    id: "google/client-secret",
    noun: "a Google OAuth client secret",
    patterns: &[Text("GOCSPX-[0-9A-Za-z_.=+/~-]{20,40}")],
    in_browsers: true,
    source: KINGFISHER,
    ..FORM
};

pub static ACCESS_TOKEN: Form = Form::new(
    "google/access-token",
    "a Google OAuth access token",
    &[Text(r"ya29\.[0-9A-Za-z_.=+/~-]{20,}")],
    TRUFFLEHOG,
);

pub static HMAC_KEY: Form = Form {
    purpose: Purpose::Id,
    protocol: Some(Protocol::S3),
    ..Form::new("google/hmac-key", "a Google Cloud HMAC key", &[Text("GOOG1E[0-9A-Za-z_]{20,60}")], KINGFISHER)
};

pub static CHAT_WEBHOOK: Form = Form {
    id: "google/chat-webhook",
    noun: "a Google Chat webhook",
    patterns: &[Address { hosts: &["chat.googleapis.com"], path: "v1/spaces/[!-~]{4,}" }],
    purpose: Purpose::Webhook,
    source: Official("https://developers.google.com/workspace/chat/quickstart/webhooks"),
    ..FORM
};

/// A JSON document, and the same in base64.
const JSON: &str = r"(?<json>\{[\t\n\r -~]+)";
const BASE64: &str = r"(?<json>e[yw][\t\n\r 0-9A-Za-z+/=_-]+)";

pub static SERVICE_ACCOUNT: Form = Form {
    id: "google/service-account",
    noun: "the key of a Google service account",
    patterns: &[
        Json { text: JSON, has: &[("type", "service_account")], parts: &[] },
        Json { text: BASE64, has: &[("type", "service_account")], parts: &[] },
        Json { text: JSON, has: &[("client_email", "*"), ("private_key", "*")], parts: &[] },
        Json { text: BASE64, has: &[("client_email", "*"), ("private_key", "*")], parts: &[] },
    ],
    advice: "is the content of the file that `GOOGLE_APPLICATION_CREDENTIALS` names",
    spaced: true,
    source: AUTH,
    ..FORM
};

pub static OTHER_CREDENTIALS: Form = Form {
    id: "google/application-default-credentials",
    noun: "Google application default credentials",
    patterns: &[
        Json { text: JSON, has: &[("type", "authorized_user")], parts: &[] },
        Json { text: JSON, has: &[("type", "external_account")], parts: &[] },
        Json { text: JSON, has: &[("type", "external_account_authorized_user")], parts: &[] },
        Json { text: JSON, has: &[("type", "impersonated_service_account")], parts: &[] },
        Json { text: JSON, has: &[("type", "gdch_service_account")], parts: &[] },
        Json { text: BASE64, has: &[("type", "authorized_user")], parts: &[] },
        Json { text: BASE64, has: &[("type", "external_account")], parts: &[] },
        Json { text: BASE64, has: &[("type", "impersonated_service_account")], parts: &[] },
    ],
    spaced: true,
    source: AUTH,
    ..FORM
};

pub static OAUTH_CLIENT: Form = Form {
    id: "google/oauth-client",
    noun: "the file of a Google OAuth client",
    patterns: &[
        Json { text: JSON, has: &[("installed", "{}")], parts: &[] },
        Json { text: JSON, has: &[("web", "{}")], parts: &[] },
        Json { text: BASE64, has: &[("installed", "{}")], parts: &[] },
        Json { text: BASE64, has: &[("web", "{}")], parts: &[] },
    ],
    advice: "logs people in; a server's own access needs the key of a service account",
    spaced: true,
    source: AUTH,
    ..FORM
};

pub static ANDROID_APP: Form = Form {
    id: "google/google-services",
    noun: "the `google-services.json` of an Android app",
    patterns: &[
        Json { text: JSON, has: &[("project_info", "{}"), ("client", "*")], parts: &[] },
        Json { text: BASE64, has: &[("project_info", "{}"), ("client", "*")], parts: &[] },
    ],
    spaced: true,
    source: Official("https://firebase.google.com/docs/android/setup"),
    ..FORM
};

pub static STORED_FILE: Form = Form {
    id: "google/stored-file",
    noun: "the address of a file in Firebase's storage",
    patterns: &[Address { hosts: &["firebasestorage.googleapis.com"], path: "v0/b/[!-~]+" }],
    public: true,
    certain: false,
    source: Official("https://firebase.google.com/docs/storage"),
    ..FORM
};

pub static PATH_FIELD: Field = Field {
    place: ("google", "credentials_path"),
    noun: "a path",
    about: "the path of the file with the credentials",
    purpose: Purpose::Path,
    takes: &[],
    names: &[Names::new(&["APPLICATION_CREDENTIALS"], ADC)],
    mistakes: &[
        Mistake { forms: &[&SERVICE_ACCOUNT, &OTHER_CREDENTIALS], repair: PATH, source: ADC },
        Mistake {
            forms: &[&OAUTH_CLIENT],
            repair: "write the key of a service account to a file and set it to the file's path; Google's libraries refuse the file of an OAuth client",
            source: AUTH,
        },
    ],
};

const PATH: &str = "write the content to a file and set it to the file's path: Google's libraries open the value as a file, and few programs take the content";

pub static SERVICE_ACCOUNT_FIELD: Field = Field {
    place: ("google", "service_account"),
    noun: "the key of a service account",
    about: "the JSON key of a service account, with `\"type\": \"service_account\"` in it",
    purpose: Purpose::Any,
    takes: &[&SERVICE_ACCOUNT, &OTHER_CREDENTIALS],
    names: &[Names::new(
        &["SERVICE_ACCOUNT_JSON", "SERVICE_ACCOUNT_BASE64"],
        Example("https://github.com/googleapis/google-api-php-client/issues/1200"),
    )],
    mistakes: &[
        Mistake {
            forms: &[&OAUTH_CLIENT],
            repair: "set it to the JSON key of a service account: in the console, IAM, Service accounts, Keys; this file is of an OAuth client, for logins of people",
            source: AUTH,
        },
        Mistake {
            forms: &[&ANDROID_APP],
            repair: "set it to the JSON key of a service account: in Firebase, Project settings, Service accounts",
            source: Example("https://github.com/beste/firebase-php/issues/374"),
        },
    ],
};

/// A path or the content. Some programs mean an OAuth client.
pub static FIREBASE_FIELD: Field = Field {
    place: ("google", "firebase_credentials"),
    noun: "the key of a service account",
    about: "the path of a service account's key, or the key itself",
    purpose: Purpose::Any,
    takes: &[],
    names: &[Names::new(
        &["CREDENTIALS"],
        Example("https://github.com/beste/laravel-firebase/blob/main/config/firebase.php"),
    )],
    mistakes: &[
        Mistake {
            forms: &[&ANDROID_APP],
            repair: "set it to the key of a service account: in Firebase, Project settings, Service accounts",
            source: Example("https://github.com/beste/firebase-php/issues/374"),
        },
        Mistake {
            forms: &[&STORED_FILE],
            repair: "download the file, set it to the file's path, and make a new key if the address is public",
            source: Example("https://github.com/beste/laravel-firebase/issues/122"),
        },
    ],
};

pub static CLIENT_ID_FIELD: Field = Field {
    place: ("google", "client_id"),
    noun: "an OAuth client ID",
    about: "the client ID, which ends in `.apps.googleusercontent.com`",
    takes: &[&CLIENT_ID, &OAUTH_CLIENT],
    names: &[
        Names::new(&["CLIENT_ID", "OAUTH_CLIENT_ID"], AUTH_JS),
        Names { behind: &["AUTH"], within: false, ..Names::new(&["ID"], AUTH_JS) },
    ],
    mistakes: &[
        Mistake {
            forms: &[&CLIENT_SECRET],
            repair: "set it to the client ID, which ends in `.apps.googleusercontent.com`; it is printed and sent to browsers, so reset the secret if it got there",
            source: OAUTH,
        },
        Mistake {
            forms: &[&API_KEY],
            repair: "set it to the client ID, which ends in `.apps.googleusercontent.com`",
            source: OAUTH,
        },
    ],
    ..FIELD
};

/// Some programs accept the whole file. The older secrets have no specific form.
pub static CLIENT_SECRET_FIELD: Field = Field {
    place: ("google", "client_secret"),
    noun: "an OAuth client secret",
    about: "the client secret, which begins with `GOCSPX-` if it is not older than 2021",
    purpose: Purpose::Key,
    takes: &[&CLIENT_SECRET, &OAUTH_CLIENT],
    names: &[
        Names::new(&["CLIENT_SECRET", "OAUTH_CLIENT_SECRET"], AUTH_JS),
        Names { behind: &["AUTH"], within: false, ..Names::new(&["SECRET"], AUTH_JS) },
    ],
    mistakes: &[
        Mistake {
            forms: &[&API_KEY],
            repair: "set it to the client secret of the OAuth client, which begins with `GOCSPX-`; an API key logs nobody in",
            source: Example("https://github.com/OAuthSwift/OAuthSwift/issues/275"),
        },
        Mistake {
            forms: &[&CLIENT_ID],
            repair: "set it to the client secret, which the console shows beside the client ID; it begins with `GOCSPX-`",
            source: OAUTH,
        },
    ],
};

pub static API_KEY_FIELD: Field = Field {
    place: ("google", "api_key"),
    noun: "an API key",
    about: "the API key, which begins with `AIza` or `AQ.`",
    purpose: Purpose::Key,
    takes: &[&API_KEY, &AUTH_KEY],
    names: &[
        Names::new(&["API_KEY"], GEMINI),
        Names::new(&["MAPS_API_KEY"], Official("https://developers.google.com/maps/api-security-best-practices")),
        Names::new(
            &["GENERATIVE_AI_API_KEY"],
            Example("https://ai-sdk.dev/providers/ai-sdk-providers/google-generative-ai"),
        ),
    ],
    mistakes: &[
        Mistake { forms: &[&CLIENT_ID, &CLIENT_SECRET], repair: KEY, source: OAUTH },
        Mistake { forms: &[&SERVICE_ACCOUNT], repair: KEY, source: ADC },
        Mistake { forms: &[&OAUTH_CLIENT], repair: KEY, source: OAUTH },
    ],
};

const KEY: &str = "set it to an API key, which begins with `AIza` or `AQ.`";

/// An emulator accepts any key.
pub static EMULATOR_FIELD: Field = Field {
    place: ("google", "emulator"),
    noun: "the host of an emulator",
    about: "the host of an emulator",
    purpose: Purpose::Endpoint,
    names: &[Names::new(
        &["AUTH_EMULATOR_HOST", "AUTH_EMULATOR_URL", "EMULATOR_HOST", "STORAGE_EMULATOR_HOST"],
        Official("https://firebase.google.com/docs/emulator-suite/connect_auth"),
    )],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["Service account info was not in the expected format, missing fields"],
        about: &[&PATH_FIELD, &SERVICE_ACCOUNT_FIELD, &FIREBASE_FIELD],
        says: "the file is not the key of a service account",
        open: "nothing: download the key of a service account; the file of an OAuth client has other fields",
        source: Official(
            "https://github.com/googleapis/google-auth-library-python/blob/main/google/auth/_service_account_info.py",
        ),
        ..ERROR
    },
    ErrorText {
        texts: &[
            "failed to parse service account key JSON credentials",
            "the GitHub Action workflow must specify exactly one of workload_identity_provider or credentials_json",
        ],
        about: &[&SERVICE_ACCOUNT_FIELD, &PATH_FIELD],
        says: "google-github-actions/auth got nothing, no JSON, or a part of it",
        open: "whether the secret holds the whole file, and reaches this run: pull requests from forks get none",
        source: Example("https://github.com/google-github-actions/auth/issues/103"),
        ..ERROR
    },
    ErrorText {
        texts: &["invalid_grant: Invalid JWT Signature"],
        about: &[&SERVICE_ACCOUNT_FIELD, &PATH_FIELD, &FIREBASE_FIELD],
        says: "the key of the service account was deleted, or its private key is of another one",
        open: "whether the key still exists",
        source: Example("https://github.com/google-github-actions/setup-gcloud/issues/76"),
        ..ERROR
    },
    ErrorText {
        texts: &["Authorized user info was not in the expected format, missing fields"],
        about: &[&PATH_FIELD],
        says: "the file of a login has no refresh token",
        open: "nothing: log in again, or use the key of a service account",
        source: Example("https://github.com/jamesread/prometheus-gmail-exporter/issues/24"),
        ..ERROR
    },
];
