//! Twilio.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Twilio",
    docs: "https://www.twilio.com/docs/glossary/what-is-a-sid",
    read: "2026-11-23",
    forms: &[&ACCOUNT_SID, &API_KEY_SID, &OTHER_SID],
    words: &["TWILIO"],
    fields: &[&ACCOUNT_SID_FIELD, &SID_FIELD, &AUTH_TOKEN_FIELD, &API_KEY_FIELD, &API_SECRET_FIELD],
    relations: &[Relation::Needs {
        form: &API_KEY_SID,
        field: &ACCOUNT_SID_FIELD,
        whole: false,
        advice: "an API key is used for an account: set its Account SID, which begins with `AC`, too",
        source: NODE,
    }],
    pairs: PAIRS,
    errors: ERRORS,
    ..BLANK
};

/// It throws `accountSid must start with AC`, and says what the SID of an API key requires.
const NODE: Source = Official("https://github.com/twilio/twilio-node/blob/main/src/base/BaseTwilio.ts");
const CLI: Source = Official("https://github.com/twilio/twilio-cli/blob/main/docs/general_usage.md");

pub static ACCOUNT_SID: Form = Form {
    public: true,
    purpose: Purpose::Id,
    advice: "goes with its Auth Token, or beside an API key and its secret",
    ..Form::new("twilio/account-sid", "a Twilio Account SID", &[Text("AC[0-9A-Fa-f]{32}")], NODE)
};

pub static API_KEY_SID: Form = Form {
    public: true,
    purpose: Purpose::Id,
    advice: "goes with its secret, and beside the Account SID",
    ..Form::new("twilio/api-key-sid", "a Twilio API key SID", &[Text("SK[0-9A-Fa-f]{32}")], NODE)
};

/// Of a messaging service, a Verify service, a number, an application or a message.
pub static OTHER_SID: Form = Form {
    id: "twilio/other-sid",
    noun: "the SID of something else at Twilio",
    patterns: &[Text("(?:AP|IS|MG|PN|SM|VA)[0-9A-Fa-f]{32}")],
    public: true,
    purpose: Purpose::Name,
    source: Official("https://www.twilio.com/docs/glossary/what-is-a-sid"),
    ..FORM
};

pub static ACCOUNT_SID_FIELD: Field = Field {
    place: ("twilio", "account_sid"),
    noun: "an Account SID",
    about: "the Account SID, which begins with `AC`; the console shows it on its first page",
    takes: &[&ACCOUNT_SID],
    names: &[Names::apart(&["ACCOUNT_SID"], NODE)],
    mistakes: &[
        Mistake {
            forms: &[&API_KEY_SID],
            repair: "set it to the Account SID, which begins with `AC`; an API key's SID goes where the program takes a user name or `TWILIO_API_KEY`",
            source: NODE,
        },
        Mistake { forms: &[&OTHER_SID], repair: "set it to the Account SID, which begins with `AC`", source: NODE },
    ],
    ..FIELD
};

/// Usually the account's; some programs use this name for an API key, with the account under another name or in their
/// code.
pub static SID_FIELD: Field = Field {
    place: ("twilio", "sid"),
    noun: "an Account SID",
    about: "the Account SID, which begins with `AC`; the console shows it on its first page",
    takes: &[&ACCOUNT_SID],
    names: &[Names::new(
        &["SID"],
        Example("https://github.com/aloha/laravel-twilio/blob/master/src/config/config.php"),
    )],
    mistakes: &[Mistake {
        forms: &[&API_KEY_SID],
        repair: "set it to the Account SID, which begins with `AC`, unless the program has the account from somewhere else: an API key belongs to one",
        source: Unsure("https://github.com/twilio/twilio-php/issues/850"),
    }],
    ..FIELD
};

/// The form of its values is not documented: 32 hex digits may be many other things.
pub static AUTH_TOKEN_FIELD: Field = Field {
    place: ("twilio", "auth_token"),
    noun: "an Auth Token",
    about: "the Auth Token, which the console shows beside the Account SID",
    purpose: Purpose::Key,
    names: &[Names::apart(&["AUTH_TOKEN"], NODE)],
    ..FIELD
};

/// Some programs use this name for the API key's secret, so a value of unknown form is not reported.
pub static API_KEY_FIELD: Field = Field {
    place: ("twilio", "api_key"),
    noun: "an API key's SID",
    about: "the SID of an API key, which begins with `SK`",
    takes: &[&API_KEY_SID],
    names: &[Names::apart(&["API_KEY", "API_KEY_SID"], CLI)],
    ..FIELD
};

/// The form of its values is not documented.
pub static API_SECRET_FIELD: Field = Field {
    place: ("twilio", "api_secret"),
    noun: "an API key's secret",
    about: "the secret of the API key, which is shown once, when the key is made",
    purpose: Purpose::Key,
    names: &[Names::apart(&["API_SECRET", "API_KEY_SECRET"], CLI)],
    ..FIELD
};

/// An API key is used with the SID of its account; the account's Auth Token may still check webhooks.
const PAIRS: &[Pair] = &[
    Pair::new(
        PairField::new("account_sid", "an Account SID", "the Account SID, which begins with `AC`"),
        PairField::new("auth_token", "an Auth Token", "the Auth Token of the account"),
    ),
    Pair {
        beside: &["account_sid", "auth_token"],
        ..Pair::new(
            PairField::new("api_key", "an API key's SID", "the SID of the API key, which begins with `SK`"),
            PairField::new("api_secret", "an API key's secret", "the secret that was shown with the API key"),
        )
    },
];

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["code: 20003", "Error code 20003", "errors/20003"],
        near: &["twilio"],
        about: &[&ACCOUNT_SID_FIELD, &AUTH_TOKEN_FIELD, &SID_FIELD, &API_KEY_FIELD, &API_SECRET_FIELD],
        says: "Twilio does not recognise the pair of SID and token",
        open: "whether they belong to one account and one region: test credentials and those of a subaccount look the same",
        source: Official("https://www.twilio.com/docs/errors/20003"),
        ..ERROR
    },
    ErrorText {
        texts: &["accountSid must start with AC"],
        about: &[&ACCOUNT_SID_FIELD, &SID_FIELD],
        says: "what was given as the Account SID does not begin with `AC`",
        open: "whether the program reads the SID under another name",
        source: Official("https://github.com/twilio/twilio-node/blob/main/src/base/BaseTwilio.ts"),
        ..ERROR
    },
];
