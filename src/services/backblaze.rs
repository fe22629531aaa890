//! Backblaze B2.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Backblaze B2",
    docs: "https://www.backblaze.com/docs/cloud-storage-application-keys",
    read: "2026-11-21",
    forms: &[
        &MASTER_KEY_ID, &KEY_ID, &APPLICATION_KEY, &OLD_APPLICATION_KEY, &MASTER_KEY, &ACCOUNT_ID, &BUCKET_ID,
        &AUTHORIZATION, &KEY_PAIR,
    ],
    words: &["BACKBLAZE_B2", "B2_BACKBLAZE", "BACKBLAZEB2", "BACKBLAZE", "B2"],
    ignored_before: &["MASTER"],
    // A realm, or its address. Source: B2_Command_Line_Tool, b2/_internal/_cli/const.py.
    api: &["ENVIRONMENT"],
    fields: &[&ID_FIELD, &KEY_FIELD, &MASTER_ID_FIELD, &MASTER_KEY_FIELD, &HALF_FIELD, &ENDPOINT_FIELD],
    pairs: PAIRS,
    hosts: HOSTS,
    errors: ERRORS,
    ..BLANK
};

const GLOSSARY: Source = Official("b2-sdk-python, doc/source/glossary.rst");
const SDK: Source = Official("b2-sdk-python, b2sdk/_internal/account_info/abstract.py, is_master_key");

/// Cluster, account and a serial of zeros: the newer keyID of a master application key. Which key is issued with it is
/// not documented.
pub static MASTER_KEY_ID: Form = Form {
    id: "backblaze/master-key-id",
    noun: "the keyID of a master application key",
    patterns: &[Text("(?<cluster>[0-9]{3})(?<account>[0-9a-f]{12})0{10}")],
    public: true,
    purpose: Purpose::Id,
    protocol: Some(Protocol::S3),
    advice: "goes with the master application key",
    in_pair: "the keyID of the master application key",
    unsaid_with: &[&APPLICATION_KEY],
    called: ACCOUNT_ID.called,
    source: SDK,
    ..FORM
};

/// Cluster, account and serial.
pub static KEY_ID: Form = Form {
    public: true,
    purpose: Purpose::Id,
    protocol: Some(Protocol::S3),
    parts: &[("pair", "application")],
    advice: "goes with the application key that was shown with it",
    in_pair: "the keyID of an application key",
    called: &[
        ("B2_APPLICATION_KEY_ID", "b2, terraform"),
        ("B2_ACCOUNT_ID", "restic"),
        ("account", "rclone"),
        ("AWS_ACCESS_KEY_ID", "S3 programs, with the S3 endpoint"),
    ],
    ..Form::new("backblaze/key-id", "a keyID", &[Text("(?<cluster>[0-9]{3})(?<account>[0-9a-f]{12})[0-9a-f]{10}")], SDK)
};

/// `K` and the cluster. The cluster follows from every public sample and
/// <https://www.backblaze.com/apidocs/introduction-to-the-b2-native-api>, which numbers them this way. The documentation has
/// a placeholder that does not match, so a mismatch is only a warning.
pub static APPLICATION_KEY: Form = Form {
    id: "backblaze/application-key",
    noun: "an application key",
    patterns: &[Text("K(?<cluster>[0-9]{3})[0-9A-Za-z+/]{27}")],
    purpose: Purpose::Key,
    protocol: Some(Protocol::S3),
    parts: &[("pair", "application")],
    advice: "goes with its keyID (25 hex digits)",
    called: &[
        ("B2_APPLICATION_KEY", "b2, terraform"),
        ("B2_ACCOUNT_KEY", "restic"),
        ("key", "rclone"),
        ("AWS_SECRET_ACCESS_KEY", "S3 programs, with the S3 endpoint"),
    ],
    source: GLOSSARY,
    ..FORM
};

/// The old form. It is known from a single sample, so nothing depends on it.
pub static OLD_APPLICATION_KEY: Form = Form {
    with: &[Class::Digit, Class::Upper, Class::Lower],
    certain: false,
    advice: "may be an older application key; credlint does not judge it",
    ..Form::new("backblaze/old-application-key", "an old application key", &[Text("[0-9A-Za-z_-]{27}")], GLOSSARY)
};

pub static MASTER_KEY: Form = Form {
    id: "backblaze/master-key",
    noun: "a master application key",
    patterns: &[Text("[0-9a-f]{42}")],
    certain: false,
    purpose: Purpose::Key,
    parts: &[("pair", "master")],
    advice: "goes with the account ID (12 hex digits); the S3-compatible API does not accept it",
    in_pair: "the master application key",
    called: &[("B2_ACCOUNT_KEY", "restic, with the account ID")],
    source: Official("B2_Command_Line_Tool, doc/source/quick_start.rst, and its issue 351"),
    ..FORM
};

/// Also the keyID of the master application key.
pub static ACCOUNT_ID: Form = Form {
    certain: false,
    public: true,
    purpose: Purpose::Id,
    parts: &[("pair", "master")],
    advice: "goes with the master application key",
    called: &[("B2_ACCOUNT_ID", "restic, with the master key")],
    ..Form::new("backblaze/account-id", "an account ID", &[Text("(?<account>[0-9a-f]{12})")], GLOSSARY)
};

/// Not a credential, but often pasted as one.
pub static BUCKET_ID: Form = Form {
    id: "backblaze/bucket-id",
    noun: "a bucket ID",
    patterns: &[Text("[0-9a-f]{24}")],
    certain: false,
    public: true,
    advice: "is the ID of a bucket, not a credential",
    source: Official("B2_Command_Line_Tool, doc/source/replication.rst"),
    ..FORM
};

/// What the authorization of a key returns: `N_`, the keyID, three parts and `acct_…`. It is valid for a day.
pub static AUTHORIZATION: Form = Form {
    id: "backblaze/authorization",
    noun: "an authorization token",
    patterns: &[Text("[0-9]+_[0-9a-f]{25}_[^_]*_[^_]*_acct_[!-~]*")],
    purpose: Purpose::OtherToken,
    advice: "is the result of a login and expires within a day",
    source: Official("https://www.backblaze.com/apidocs/b2-authorize-account"),
    ..FORM
};

pub static KEY_PAIR: Form = Form {
    id: "backblaze/key-pair",
    noun: "a keyID and a key in one value",
    patterns: &[Text("(?:[0-9]{3}[0-9a-f]{22}|[0-9a-f]{12}):(?:K[0-9]{3}[0-9A-Za-z+/]{27}|[0-9a-f]{42})")],
    purpose: Purpose::Pair,
    advice: "is two values: the keyID before the colon, the key after it",
    in_pair: "an ID and a key in one value",
    source: GLOSSARY,
    ..FORM
};

const CLI: Source = Official("https://github.com/Backblaze/B2_Command_Line_Tool");
const RESTIC: Source = Official("https://restic.readthedocs.io/en/stable/030_preparing_a_new_repo.html#backblaze-b2");
const DUPLICATI: Source = Official("https://github.com/duplicati/duplicati/pull/3348");
const B2_ACTION: Source = Official("https://github.com/jakejarvis/backblaze-b2-action");
const S3_KEYS: Source = Official("https://www.backblaze.com/docs/cloud-storage-s3-compatible-app-keys");
const MCP: Source = Official("https://github.com/backblaze-labs/b2-mcp");

/// The tuple of names to which restic gave another meaning: the account ID may be a keyID, or only tell whose pair it
/// is.
pub const ACCOUNT: &str = "account";
/// The tuple of the S3-compatible API's names.
pub const ACCESS: &str = "access";
/// The tuple of names without another meaning.
pub const PLAIN: &str = "plain";

pub static ID_FIELD: Field = Field {
    place: ("storage", "application_key_id"),
    noun: "a keyID",
    about: "ID of an application key",
    takes: &[&KEY_ID, &MASTER_KEY_ID, &ACCOUNT_ID],
    names: &[
        // restic and compatible tools keep the keyID in B2_ACCOUNT_ID.
        Names {
            tuple: ACCOUNT,
            also: AliasUse::Alone,
            ..Names::apart(&["ACCOUNT_ID", "ACCOUNTID", "ACCT_ID"], RESTIC)
        },
        Names { tuple: ACCOUNT, ..Names::new(&["ACCOUNT"], RESTIC) },
        Names { tuple: "application", also: AliasUse::Alone, ..Names::apart(&["APPLICATION_KEYID"], CLI) },
        Names {
            tuple: "application",
            also: AliasUse::Alone,
            ..Names::apart(&["APPLICATION_KEY_ID", "APPLICATION_ID"], CLI)
        },
        Names {
            tuple: "app",
            also: AliasUse::Alone,
            ..Names::apart(&["APP_KEY_ID", "APPKEY_ID", "APPLICATION_API_KEY_ID"], B2_ACTION)
        },
        Names { tuple: "app", ..Names::new(&["APP_ID"], B2_ACTION) },
        Names { tuple: PLAIN, also: AliasUse::Alone, ..Names::apart(&["KEY_ID", "KEYID", "API_KEY_ID"], CLI) },
        // The S3-compatible API's names, as litestream and others use them.
        Names { tuple: ACCESS, also: AliasUse::Alone, ..Names::apart(&["ACCESS_KEY_ID"], S3_KEYS) },
        Names { tuple: ACCESS, ..Names::new(&["ACCESS_ID"], S3_KEYS) },
        // duplicacy's `DUPLICACY_B2_ID`, or `b2_id` in its preferences.
        Names {
            tuple: PLAIN,
            behind: &["DUPLICACY"],
            ..Names::new(
                &["ID"],
                Official("https://forum.duplicacy.com/t/passwords-credentials-and-environment-variables/1094"),
            )
        },
    ],
    ..FIELD
};

pub static KEY_FIELD: Field = Field {
    place: ("storage", "application_key"),
    noun: "a key",
    about: "an application key",
    takes: &[&APPLICATION_KEY, &MASTER_KEY],
    names: &[
        Names { tuple: ACCOUNT, also: AliasUse::Alone, ..Names::apart(&["ACCOUNT_KEY"], RESTIC) },
        Names { tuple: ACCOUNT, ..Names::new(&["ACCOUNTKEY"], RESTIC) },
        Names {
            tuple: "application",
            also: AliasUse::Alone,
            ..Names::apart(&["APPLICATION_KEY", "APPLICATION_KEY_SECRET"], CLI)
        },
        // duplicati's `--b2-accountid` and `--b2-applicationkey`.
        Names { tuple: ACCOUNT, ..Names::new(&["APPLICATIONKEY"], DUPLICATI) },
        Names { tuple: "app", also: AliasUse::Alone, ..Names::apart(&["APP_KEY", "APPKEY"], B2_ACTION) },
        Names { tuple: "app", ..Names::new(&["APP_SECRET", "APP_KEY_SECRET"], B2_ACTION) },
        Names { tuple: PLAIN, ..Names::new(&["KEY", "API_KEY", "KEY_SECRET"], CLI) },
        Names { tuple: ACCESS, also: AliasUse::Alone, ..Names::apart(&["SECRET_ACCESS_KEY", "SECRET_KEY"], S3_KEYS) },
        Names { tuple: ACCESS, ..Names::new(&["ACCESS_KEY_SECRET"], S3_KEYS) },
    ],
    ..FIELD
};

pub static MASTER_ID_FIELD: Field = Field {
    place: ("storage", "account_id"),
    noun: "a keyID",
    about: "ID of the account; goes with master_application_key",
    takes: &[&ACCOUNT_ID, &KEY_ID, &MASTER_KEY_ID],
    names: &[Names {
        tuple: "master",
        also: AliasUse::Alone,
        ..Names::apart(&["MASTER_KEY_ID", "MASTER_APPLICATION_KEY_ID"], MCP)
    }],
    ..FIELD
};

pub static MASTER_KEY_FIELD: Field = Field {
    place: ("storage", "master_application_key"),
    noun: "a key",
    about: "the master application key; goes with account_id",
    takes: &[&MASTER_KEY, &APPLICATION_KEY],
    names: &[Names {
        tuple: "master",
        also: AliasUse::Alone,
        ..Names::apart(&["MASTER_KEY", "MASTER_APPLICATION_KEY"], MCP)
    }],
    ..FIELD
};

/// An ID next to a secret key, and a key next to an ID.
pub static HALF_FIELD: Field = Field {
    noun: "a keyID or a key",
    purpose: Purpose::Half,
    names: &[Names { tuple: ACCESS, ..Names::new(&["ACCESS_KEY", "ACCESSKEY"], S3_KEYS) }],
    ..FIELD
};

pub static ENDPOINT_FIELD: Field = Field {
    place: ("storage", "endpoint"),
    noun: "an endpoint",
    about: "address of the S3-compatible API",
    purpose: Purpose::Endpoint,
    names: &[Names {
        // There it is the address for any pair next to it.
        within: false,
        ..Names::new(
            &["ENDPOINT", "S3_ENDPOINT", "ENDPOINT_URL"],
            Official("https://www.backblaze.com/docs/cloud-storage-s3-compatible-api"),
        )
    }],
    ..FIELD
};

/// The pairs of a profile, the more usual first.
const PAIRS: &[Pair] = &[
    Pair {
        part: "application",
        ..Pair::new(
            PairField::new(
                "application_key_id", "the ID of an application key",
                "the keyID shown on the console's page Application Keys",
            ),
            PairField::new(
                "application_key", "an application key", "the applicationKey shown when the key was created",
            ),
        )
    },
    Pair {
        part: "master",
        // Source: <https://www.backblaze.com/docs/cloud-storage-s3-compatible-app-keys>.
        not_for: Some(Protocol::S3),
        keeps_id: true,
        ..Pair::new(
            PairField::new(
                "account_id",
                "an account ID",
                "the account ID, shown on the console's page Application Keys as the keyID of the Master Application Key",
            ),
            PairField::new("master_application_key", "the master application key", "the master application key"),
        )
    },
];

const NATIVE: Source = Official("https://www.backblaze.com/apidocs/introduction-to-the-b2-native-api");

const HOSTS: &[Host] = &[
    Host {
        hosts: &["backblaze.com", "www.backblaze.com", "secure.backblaze.com", "help.backblaze.com"],
        noun: "a page of Backblaze's website",
        source: Official("https://www.backblaze.com/docs/cloud-storage-create-and-manage-app-keys"),
        ..HOST
    },
    Host {
        hosts: &["s3.backblazeb2.com", "s3.*.backblazeb2.com"],
        serves: Serves::S3,
        noun: "an endpoint of the S3-compatible API",
        source: S3_KEYS,
        ..HOST
    },
    Host {
        hosts: &["f???.backblazeb2.com"],
        serves: Serves::Other,
        noun: "Backblaze B2's download host",
        source: NATIVE,
        ..HOST
    },
    Host {
        hosts: &["backblazeb2.com", "*.backblazeb2.com"],
        serves: Serves::Api,
        home: "https://api.backblazeb2.com",
        source: NATIVE,
        ..HOST
    },
];

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["bad_auth_token", "The applicationKeyId and/or the applicationKey are wrong"],
        about: &[&ID_FIELD, &KEY_FIELD, &MASTER_ID_FIELD, &MASTER_KEY_FIELD],
        says: "Backblaze B2 does not recognise the pair of keyID and key, and does not say which of them is wrong",
        open: "whether the key was deleted",
        source: Official("https://www.backblaze.com/apidocs/b2-authorize-account"),
        ..ERROR
    },
    ErrorText {
        texts: &["b2_authorize_account: 401", "b2_authorize_account returned status code 401"],
        about: &[&ID_FIELD, &KEY_FIELD, &MASTER_ID_FIELD, &MASTER_KEY_FIELD],
        says: "Backblaze B2 refused the keyID and the key",
        open: "whether the key was deleted",
        source: Example("https://github.com/restic/restic/issues/1425"),
        ..ERROR
    },
    ErrorText {
        texts: &["Malformed Access Key Id"],
        about: &[&ID_FIELD, &KEY_FIELD, &MASTER_ID_FIELD, &MASTER_KEY_FIELD],
        others: &[("aws", "access_key_id"), ("s3", "access_key_id")],
        says: "the S3-compatible API does not know this form of an ID: it takes application keys, not the master key",
        open: "whether the key was deleted",
        source: Official("https://www.backblaze.com/docs/cloud-storage-s3-compatible-app-keys"),
        ..ERROR
    },
    ErrorText {
        texts: &[
            "Cannot upload files, storage cap exceeded",
            "cap exceeded. See the Caps & Alerts page to increase your cap",
        ],
        says: "the key is right, and a cap of the account is reached",
        open: "raise the cap, on the page Caps & Alerts",
        source: Example("https://github.com/restic/restic/issues/3582"),
        ..ERROR
    },
];
