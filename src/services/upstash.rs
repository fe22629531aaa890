//! Upstash: Redis over HTTP.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Upstash",
    docs: "https://upstash.com/docs/redis/howto/connectwithupstashredis",
    read: "2026-11-23",
    forms: &[&REST_URL, &REDIS_URL, &HOST],
    words: &["UPSTASH", "KV"],
    fields: &[&REST_TOKEN_FIELD, &REST_URL_FIELD],
    errors: ERRORS,
    ..BLANK
};

/// It reads both sets of names, and rejects an address that does not start with `http`.
const NODE: Source = Official("https://github.com/upstash/redis-js/blob/main/platforms/nodejs.ts");
const CLIENT: Source = Official("https://github.com/upstash/redis-js/blob/main/pkg/http.ts");

pub static REST_URL: Form = Form {
    id: "upstash/rest-url",
    noun: "the REST address of an Upstash database",
    patterns: &[Address { hosts: &["*.upstash.io"], path: "" }],
    public: true,
    purpose: Purpose::Endpoint,
    advice: "goes with the REST token, for clients that speak HTTP; other clients of Redis take the address that begins with `rediss://`",
    source: NODE,
    ..FORM
};

/// For clients with Redis's own protocol. It contains the password, in which `/`, `?` and `#` are percent-encoded.
pub static REDIS_URL: Form = Form {
    id: "upstash/redis-url",
    noun: "an address for Redis's own protocol",
    patterns: &[Text(r#"rediss?://[!-"$-.0->@-~]+(?:[#/?][!-?A-~]*)?"#)],
    issued_by: Issuer::Many,
    source: Official("https://upstash.com/docs/redis/howto/connectclient"),
    ..FORM
};

pub static HOST: Form = Form {
    id: "upstash/host",
    noun: "the host of an Upstash database without `https://`",
    patterns: &[Text(r"[0-9a-z-]+\.upstash\.io(?::[0-9]+)?/?")],
    public: true,
    purpose: Purpose::Endpoint,
    source: NODE,
    ..FORM
};

/// The form of its values is not documented.
pub static REST_TOKEN_FIELD: Field = Field {
    place: ("upstash", "rest_token"),
    noun: "the REST token",
    about: "the REST token, which the console shows beside the REST address",
    purpose: Purpose::AccessToken,
    names: &[Names::apart(&["REDIS_REST_TOKEN"], NODE), Names::new(&["REST_API_TOKEN"], NODE)],
    mistakes: &[
        Mistake {
            forms: &[&REST_URL],
            repair: "set it to the REST token, which the console shows beside the address",
            source: NODE,
        },
        Mistake {
            forms: &[&REDIS_URL],
            repair: "set it to the REST token, which the console shows beside the REST address; this address is for other clients of Redis",
            source: Official("https://upstash.com/docs/redis/troubleshooting/http_unauthorized"),
        },
    ],
    ..FIELD
};

/// A self-hosted server with the same protocol has another address.
pub static REST_URL_FIELD: Field = Field {
    place: ("upstash", "rest_url"),
    noun: "the REST address",
    about: "the REST address of the database, which begins with `https://`",
    takes: &[&REST_URL],
    names: &[Names::apart(&["REDIS_REST_URL"], NODE), Names::new(&["REST_API_URL"], NODE)],
    mistakes: &[
        Mistake {
            forms: &[&REDIS_URL],
            repair: "set it to the REST address, which begins with `https://`; this one is for other clients of Redis",
            source: CLIENT,
        },
        Mistake { forms: &[&HOST], repair: "put `https://` before it: the client refuses a bare host", source: CLIENT },
    ],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["UpstashError: Unauthorized", "WRONGPASS invalid or missing auth token"],
        about: &[&REST_TOKEN_FIELD, &REST_URL_FIELD],
        says: "the REST API refused the token; the password of the database is another value",
        open: "whether the token is of this database",
        source: Official("https://upstash.com/docs/redis/troubleshooting/http_unauthorized"),
        ..ERROR
    },
    ErrorText {
        texts: &["Only HTTP(S) protocols are supported", "Upstash Redis client was passed an invalid URL"],
        near: &["upstash", "redis", "6379"],
        about: &[&REST_URL_FIELD],
        says: "the address is not that of the REST API, which begins with `https://`",
        open: "whether the program should use another client of Redis",
        source: Official("https://github.com/upstash/redis-js/blob/main/pkg/http.ts"),
        ..ERROR
    },
];
