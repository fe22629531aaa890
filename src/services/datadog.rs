//! Datadog. Older keys can be distinguished only by their length.

use super::many;
use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Datadog",
    docs: "https://docs.datadoghq.com/account_management/api-app-keys/",
    read: "2026-11-23",
    forms: &[&APPLICATION_KEY, &ACCESS_TOKEN, &CLIENT_TOKEN, &SITE_ADDRESS, &HEX_40],
    words: &["DATADOG", "DD"],
    fields: &[&API_KEY_FIELD, &APPLICATION_KEY_FIELD, &SITE_FIELD],
    ..BLANK
};

const CLIENT: Source = Official(
    "https://github.com/DataDog/datadog-api-client-python/blob/master/src/datadog_api_client/configuration.py",
);
const TOKENS: Source = Official("https://docs.datadoghq.com/account_management/personal-access-tokens/");
const SITES: Source = Official("https://docs.datadoghq.com/getting_started/site/");

pub static APPLICATION_KEY: Form = Form {
    purpose: Purpose::Key,
    ..Form::new("datadog/application-key", "a Datadog application key", &[Text("ddapp_[0-9A-Za-z]{20,}")], TOKENS)
};

pub static ACCESS_TOKEN: Form = Form {
    id: "datadog/access-token",
    noun: "a personal or service access token of Datadog",
    patterns: &[Text("ddpat_[0-9A-Za-z_]{20,}"), Text("ddsat_[0-9A-Za-z_]{20,}")],
    purpose: Purpose::AccessToken,
    advice: "needs no API key next to it",
    source: TOKENS,
    ..FORM
};

/// Its form is known from examples only.
pub static CLIENT_TOKEN: Form = Form {
    id: "datadog/client-token",
    noun: "a client token of Datadog",
    patterns: &[Text("pub[0-9a-f]{32}")],
    public: true,
    purpose: Purpose::OtherToken,
    advice: "is for browsers and apps; a server needs an API key",
    source: Example("https://github.com/jagreenwood/swift-log-datadog/issues/4"),
    ..FORM
};

pub static SITE_ADDRESS: Form = Form {
    id: "datadog/site-address",
    noun: "an address of Datadog",
    patterns: &[Address {
        hosts: &[
            "datadoghq.com", "*.datadoghq.com", "datadoghq.eu", "*.datadoghq.eu", "ddog-gov.com", "*.ddog-gov.com",
        ],
        path: ".*",
    }],
    public: true,
    source: SITES,
    ..FORM
};

/// Known from examples and scanners' lists.
pub static HEX_40: Form = Form {
    id: "datadog/hex-40",
    noun: "40 hex digits, such as an application key",
    patterns: &[Text("[0-9a-f]{40}")],
    issued_by: Issuer::Many,
    certain: false,
    purpose: Purpose::Key,
    source: Example("https://github.com/DataDog/hiring-engineers/issues/389"),
    ..FORM
};

pub static API_KEY_FIELD: Field = Field {
    place: ("datadog", "api_key"),
    noun: "an API key",
    about: "the API key of the organization, 32 hex digits",
    purpose: Purpose::Key,
    takes: &[&many::HEX_32],
    names: &[Names::new(&["API_KEY"], CLIENT)],
    mistakes: &[
        Mistake { forms: &[&APPLICATION_KEY], repair: API_KEY_REPAIR, source: TOKENS },
        Mistake {
            forms: &[&HEX_40],
            repair: API_KEY_REPAIR,
            source: Example("https://github.com/DataDog/hiring-engineers/issues/389"),
        },
        Mistake {
            forms: &[&CLIENT_TOKEN],
            repair: API_KEY_REPAIR,
            source: Example("https://github.com/jagreenwood/swift-log-datadog/issues/4"),
        },
    ],
};
const API_KEY_REPAIR: &str =
    "set it to an API key, 32 hex digits, from the page API Keys of the organization's settings";

pub static APPLICATION_KEY_FIELD: Field = Field {
    place: ("datadog", "application_key"),
    noun: "an application key",
    about: "an application key, 40 hex digits, or one that begins with `ddapp_`",
    takes: &[&APPLICATION_KEY, &ACCESS_TOKEN, &HEX_40],
    names: &[Names::new(&["APP_KEY", "APPLICATION_KEY"], CLIENT)],
    ..FIELD
};

pub static SITE_FIELD: Field = Field {
    place: ("datadog", "site"),
    noun: "the name of a site alone",
    about: "the name of the site, such as `datadoghq.eu`",
    purpose: Purpose::Endpoint,
    names: &[Names::new(&["SITE"], CLIENT)],
    mistakes: &[Mistake {
        forms: &[&SITE_ADDRESS],
        repair: "set it to the name of the site alone, such as `datadoghq.com` or `us5.datadoghq.com`, without `https://`, `app.` and a path",
        source: SITES,
    }],
    ..FIELD
};
