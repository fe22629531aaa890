//! New Relic.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "New Relic",
    docs: "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
    read: "2026-11-23",
    forms: &[&USER_KEY, &LICENSE_KEY, &EU_LICENSE_KEY, &BROWSER_KEY, &INSERT_KEY, &QUERY_KEY, &US_HOST, &EU_HOST],
    words: &["NEW_RELIC", "NEWRELIC", "NRIA"],
    fields: &[&LICENSE_KEY_FIELD, &API_KEY_FIELD, &INSERT_KEY_FIELD, &QUERY_KEY_FIELD, &BROWSER_KEY_FIELD, &HOST_FIELD],
    relations: &[Relation::Agree {
        part: "region",
        noun: "region",
        words: &["us", "eu"],
        fields: &[&LICENSE_KEY_FIELD, &HOST_FIELD],
        advice: "a key of an account in the EU begins with `eu01xx`, and data goes to the address of its region, which has `eu` in its name",
        source: PARSER,
    }],
    at: HOSTS,
    hosts: &[Host {
        hosts: &["*.newrelic.com", "*.nr-data.net"],
        serves: Serves::Api,
        home: "https://api.newrelic.com",
        source: REGIONS,
        ..HOST
    }],
    errors: ERRORS,
    ..BLANK
};

const KEYS: Source = Official("https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/");
/// The agent reads the region from the part before the `x`.
const PARSER: Source = Official("https://github.com/newrelic/node-newrelic/blob/main/lib/collector/key-parser.js");
const AGENT: Source = Official("https://github.com/newrelic/node-newrelic/blob/main/lib/config/default.js");
const PROVIDER: Source = Official(
    "https://github.com/newrelic/terraform-provider-newrelic/blob/main/website/docs/guides/provider_configuration.html.markdown",
);
const INFRA: Source = Official(
    "https://docs.newrelic.com/docs/infrastructure/infrastructure-agent/configuration/infrastructure-agent-configuration-settings/",
);
const REGIONS: Source =
    Official("https://docs.newrelic.com/docs/accounts/accounts-billing/account-setup/choose-your-data-center/");
const TELEMETRY: Source = Official("https://github.com/newrelic/newrelic-telemetry-sdk-go/issues/75");

pub static USER_KEY: Form = Form {
    purpose: Purpose::AccessToken,
    advice: "is for NerdGraph, the command line and Terraform; agents need the license key",
    ..Form::new("new-relic/user-key", "a New Relic user key", &[Text("NRAK-[0-9A-Za-z_.=+/~-]{16,40}")], GITLEAKS)
};

/// 40 characters are documented; older keys are 40 hex digits, which is not specific.
pub static LICENSE_KEY: Form = Form {
    purpose: Purpose::Key,
    parts: &[("region", "us")],
    advice: "is for agents and for sending data; queries and settings need a user key",
    ..Form::new("new-relic/license-key", "a New Relic license key", &[Text("[0-9a-f]{32}FFFFNRAL")], TRUFFLEHOG)
};

pub static EU_LICENSE_KEY: Form = Form {
    id: "new-relic/eu-license-key",
    noun: "a New Relic license key of an EU account",
    patterns: &[Text("(?<region>eu)01xx[0-9A-Za-z]{26,30}NRAL")],
    purpose: Purpose::Key,
    advice: "is for agents and for sending data; queries and settings need a user key",
    source: TRUFFLEHOG,
    ..FORM
};

/// It is part of the pages that browsers load.
pub static BROWSER_KEY: Form = Form {
    id: "new-relic/browser-key",
    noun: "a New Relic browser key",
    patterns: &[Text("NRJS-[0-9A-Za-z_.=+/~-]{16,40}"), Text("NRBR-[0-9A-Za-z_.=+/~-]{16,40}")],
    public: true,
    purpose: Purpose::Other,
    advice: "is for the agent in browsers",
    source: GITLEAKS,
    ..FORM
};

pub static INSERT_KEY: Form = Form {
    id: "new-relic/insert-key",
    noun: "a New Relic Insights insert key",
    patterns: &[Text("NRII-[0-9A-Za-z_.=+/~-]{16,40}")],
    purpose: Purpose::Key,
    advice: "is for sending data; a license key does the same",
    source: GITLEAKS,
    ..FORM
};

pub static QUERY_KEY: Form = Form {
    id: "new-relic/query-key",
    noun: "a New Relic Insights query key",
    patterns: &[Text("NRIQ-[0-9A-Za-z_.=+/~-]{16,40}")],
    purpose: Purpose::Key,
    source: TRUFFLEHOG,
    ..FORM
};

pub static US_HOST: Form = Form {
    id: "new-relic/us-host",
    noun: "an address of New Relic for US accounts",
    patterns: &[
        Address {
            hosts: &[
                "collector.newrelic.com", "metric-api.newrelic.com", "trace-api.newrelic.com", "log-api.newrelic.com",
                "insights-collector.newrelic.com", "otlp.nr-data.net",
            ],
            path: "[!-~]*",
        },
        Text("collector[.]newrelic[.]com"),
    ],
    public: true,
    parts: &[("region", "us")],
    source: REGIONS,
    ..FORM
};

pub static EU_HOST: Form = Form {
    id: "new-relic/eu-host",
    noun: "an address of New Relic for EU accounts",
    patterns: &[
        Address {
            hosts: &[
                "collector.eu.newrelic.com", "collector.eu01.nr-data.net", "metric-api.eu.newrelic.com",
                "trace-api.eu.newrelic.com", "log-api.eu.newrelic.com", "insights-collector.eu01.nr-data.net",
                "otlp.eu01.nr-data.net",
            ],
            path: "[!-~]*",
        },
        Text("collector[.]eu[.]newrelic[.]com"),
        Text("collector[.]eu01[.]nr-data[.]net"),
    ],
    public: true,
    parts: &[("region", "eu")],
    source: REGIONS,
    ..FORM
};

/// Insert keys also send data.
pub static LICENSE_KEY_FIELD: Field = Field {
    place: ("new-relic", "license_key"),
    noun: "a license key",
    about: "the license key, 40 characters, which the API keys page lists as `INGEST - LICENSE`",
    takes: &[&LICENSE_KEY, &EU_LICENSE_KEY, &INSERT_KEY],
    names: &[
        Names::new(&["LICENSE_KEY"], AGENT),
        Names::new(&["LICENSE"], Example("https://github.com/newrelic/newrelic-lambda-cli")),
    ],
    mistakes: &[
        Mistake {
            forms: &[&USER_KEY],
            repair: "set it to the license key, which the API keys page lists as `INGEST - LICENSE`; a user key can't send data",
            source: KEYS,
        },
        Mistake {
            forms: &[&BROWSER_KEY],
            repair: "set it to the license key, which the API keys page lists as `INGEST - LICENSE`; a browser key is for the agent in browsers",
            source: KEYS,
        },
    ],
    ..FIELD
};

/// Terraform and the command line take a user key here; programs that send data take a license or an insert key.
pub static API_KEY_FIELD: Field = Field {
    place: ("new-relic", "api_key"),
    noun: "a user key",
    about: "the user key, which begins with `NRAK-`",
    takes: &[&USER_KEY, &LICENSE_KEY, &EU_LICENSE_KEY, &INSERT_KEY],
    names: &[Names::new(&["API_KEY"], PROVIDER)],
    ..FIELD
};

pub static INSERT_KEY_FIELD: Field = Field {
    place: ("new-relic", "insert_key"),
    noun: "an insert key",
    about: "the insert key, which begins with `NRII-`, or the license key",
    takes: &[&INSERT_KEY, &LICENSE_KEY, &EU_LICENSE_KEY],
    names: &[Names::new(&["INSIGHTS_INSERT_KEY", "INSERT_KEY"], PROVIDER)],
    mistakes: &[Mistake {
        forms: &[&USER_KEY],
        repair: "set it to the license key, which the API keys page lists as `INGEST - LICENSE`, or to an insert key",
        source: KEYS,
    }],
    ..FIELD
};

pub static QUERY_KEY_FIELD: Field = Field {
    place: ("new-relic", "query_key"),
    noun: "a query key",
    about: "the Insights query key, which begins with `NRIQ-`",
    takes: &[&QUERY_KEY],
    names: &[Names::new(&["INSIGHTS_QUERY_KEY"], KEYS)],
    ..FIELD
};

pub static BROWSER_KEY_FIELD: Field = Field {
    place: ("new-relic", "browser_key"),
    noun: "a browser key",
    about: "the browser key, which the API keys page lists as `INGEST - BROWSER`",
    purpose: Purpose::Other,
    takes: &[&BROWSER_KEY],
    names: &[Names::new(&["BROWSER_LICENSE_KEY", "BROWSER_KEY"], KEYS)],
    mistakes: &[Mistake {
        forms: &[&USER_KEY],
        repair: "set it to the browser key, which the API keys page lists as `INGEST - BROWSER`; pages show it to everybody, so rotate the user key if it got there",
        source: KEYS,
    }],
};

/// The address that data goes to. A region alone shows that the program needs a user key.
pub static HOST_FIELD: Field = Field {
    place: ("new-relic", "host"),
    noun: "the address that data goes to",
    about: "the address of the region of the account",
    purpose: Purpose::Endpoint,
    takes: &[&US_HOST, &EU_HOST],
    names: &[
        Names::new(&["HOST"], AGENT),
        Names::new(&["METRICS_URL", "METRIC_URL"], TELEMETRY),
        Names::new(&["COLLECTOR_URL"], INFRA),
        Names::new(&["REGION"], PROVIDER),
    ],
    ..FIELD
};

const HOSTS: &[HostRule] = &[HostRule {
    hosts: &["us", "eu"],
    whose: "New Relic",
    field: &API_KEY_FIELD,
    takes: &[&USER_KEY],
    refuses: &[&LICENSE_KEY, &EU_LICENSE_KEY],
    noun: "a user key where a region is set, too",
    repair: "set it to a user key, which begins with `NRAK-`; a license key is for agents and for sending data",
    source: PROVIDER,
    ..AT
}];

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &[
            "Invalid license key, please contact support@newrelic.com",
            "ERROR : Invalid license key",
            "Data collector is indicating that an incorrect license key has been supplied by the agent",
        ],
        near: &["newrelic", "New Relic", "Data collector"],
        about: &[&LICENSE_KEY_FIELD, &HOST_FIELD],
        says: "New Relic does not recognise the license key",
        open: "whether it is of the region of the address, or the agent is too old for it",
        source: Example("https://github.com/sul-dlss/argo/issues/149"),
        ..ERROR
    },
    ErrorText {
        texts: &["A valid account license key cannot be found"],
        about: &[&LICENSE_KEY_FIELD],
        says: "no license key arrived",
        open: "whether the variable reaches the program",
        source: Example("https://github.com/fecgov/openFEC-web-app/issues/1701"),
        ..ERROR
    },
    ErrorText {
        texts: &["Unable to connect to the New Relic service at collector.newrelic.com"],
        near: &["Unauthorized"],
        about: &[&LICENSE_KEY_FIELD, &HOST_FIELD],
        says: "New Relic refused the license key",
        open: "whether the key is of the region of the address",
        source: Example("https://github.com/newrelic/newrelic-dotnet-agent/issues/2969"),
        ..ERROR
    },
];
