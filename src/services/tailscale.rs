//! Tailscale. Other control servers may issue keys of other forms.

use super::{BLANK, FIELD, FORM, Field, Form, Mistake, NAMES, Names, Pattern, Purpose, Service, Source, TRUFFLEHOG};

pub static SERVICE: Service = Service {
    name: "Tailscale",
    docs: "https://tailscale.com/docs/reference/key-prefixes",
    read: "2026-11-23",
    forms: &[&AUTH_KEY, &API_TOKEN, &CLIENT_SECRET, &KEY],
    words: &["TAILSCALE", "TS"],
    fields: &[&AUTH_KEY_FIELD, &API_TOKEN_FIELD, &CLIENT_SECRET_FIELD],
    ..BLANK
};

const PREFIXES: Source = Source::Official("https://tailscale.com/docs/reference/key-prefixes");
const CONTAINER: Source =
    Source::Official("https://github.com/tailscale/tailscale/blob/main/cmd/containerboot/settings.go");

/// A key of a locked network has more behind it.
pub static AUTH_KEY: Form = Form {
    id: "tailscale/auth-key",
    noun: "a Tailscale auth key",
    patterns: &[Pattern::Text("tskey-auth-[0-9A-Za-z_.=+/~?&-]{8,}")],
    purpose: Purpose::OtherToken,
    advice: "adds a machine to the network; it calls no API",
    source: PREFIXES,
    ..FORM
};

pub static API_TOKEN: Form = Form {
    id: "tailscale/api-token",
    noun: "an API access token of Tailscale",
    patterns: &[Pattern::Text("tskey-api-[0-9A-Za-z_-]{8,}")],
    purpose: Purpose::AccessToken,
    advice: "calls the API; it adds no machine",
    source: PREFIXES,
    ..FORM
};

pub static CLIENT_SECRET: Form = Form {
    id: "tailscale/client-secret",
    noun: "the secret of an OAuth client of Tailscale",
    patterns: &[Pattern::Text("tskey-client-[0-9A-Za-z_.=:/%?&-]{8,}")],
    purpose: Purpose::Key,
    advice: "as an auth key it needs tags (`--advertise-tags`)",
    source: PREFIXES,
    ..FORM
};

pub static KEY: Form = Form {
    id: "tailscale/key",
    noun: "a Tailscale key",
    patterns: &[Pattern::Text("tskey-[0-9A-Za-z_.=+/~-]{16,100}")],
    source: TRUFFLEHOG,
    ..FORM
};

pub static AUTH_KEY_FIELD: Field = Field {
    place: ("tailscale", "auth_key"),
    noun: "an auth key",
    about: "an auth key, which begins with `tskey-auth-`, or the secret of an OAuth client with tags",
    // `file:PATH`, too.
    purpose: Purpose::Any,
    takes: &[&AUTH_KEY, &CLIENT_SECRET, &KEY],
    names: &[Names { words: &["AUTHKEY", "AUTH_KEY"], source: CONTAINER, ..NAMES }],
    mistakes: &[Mistake {
        form: &API_TOKEN,
        repair: "set it to an auth key, which begins with `tskey-auth-`; an API access token adds no machine",
        source: PREFIXES,
    }],
};

pub static API_TOKEN_FIELD: Field = Field {
    place: ("tailscale", "api_key"),
    noun: "an API access token",
    about: "an API access token, which begins with `tskey-api-`",
    purpose: Purpose::AccessToken,
    takes: &[&API_TOKEN, &KEY],
    names: &[Names {
        words: &["API_KEY", "API_TOKEN", "API_ACCESS_TOKEN"],
        source: Source::Official("https://registry.terraform.io/providers/tailscale/tailscale/latest/docs"),
        ..NAMES
    }],
    mistakes: &[
        Mistake { form: &AUTH_KEY, repair: API_TOKEN_REPAIR, source: PREFIXES },
        Mistake { form: &CLIENT_SECRET, repair: API_TOKEN_REPAIR, source: PREFIXES },
    ],
};
const API_TOKEN_REPAIR: &str =
    "set it to an API access token, which begins with `tskey-api-`, from the page Keys of the admin console";

pub static CLIENT_SECRET_FIELD: Field = Field {
    place: ("tailscale", "client_secret"),
    noun: "the secret of an OAuth client",
    about: "the secret of an OAuth client, which begins with `tskey-client-`",
    purpose: Purpose::Key,
    takes: &[&CLIENT_SECRET, &KEY],
    names: &[Names {
        words: &["CLIENT_SECRET", "API_CLIENT_SECRET", "OAUTH_CLIENT_SECRET", "OAUTH_SECRET"],
        source: CONTAINER,
        ..NAMES
    }],
    ..FIELD
};
