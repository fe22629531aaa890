//! Tailscale. Other control servers may issue keys of other forms.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Tailscale",
    docs: "https://tailscale.com/docs/reference/key-prefixes",
    read: "2026-11-23",
    forms: &[&AUTH_KEY, &API_TOKEN, &CLIENT_SECRET, &KEY],
    words: &["TAILSCALE", "TS"],
    fields: &[&AUTH_KEY_FIELD, &API_TOKEN_FIELD, &CLIENT_SECRET_FIELD],
    ..BLANK
};

const PREFIXES: Source = Official("https://tailscale.com/docs/reference/key-prefixes");
const CONTAINER: Source = Official("https://github.com/tailscale/tailscale/blob/main/cmd/containerboot/settings.go");

/// A key of a locked network has a suffix.
pub static AUTH_KEY: Form = Form {
    purpose: Purpose::OtherToken,
    advice: "adds a machine to the network; it calls no API",
    ..Form::new("tailscale/auth-key", "a Tailscale auth key", &[Text("tskey-auth-[0-9A-Za-z_.=+/~?&-]{8,}")], PREFIXES)
};

pub static API_TOKEN: Form = Form {
    id: "tailscale/api-token",
    noun: "an API access token of Tailscale",
    patterns: &[Text("tskey-api-[0-9A-Za-z_-]{8,}")],
    purpose: Purpose::AccessToken,
    advice: "calls the API; it adds no machine",
    source: PREFIXES,
    ..FORM
};

pub static CLIENT_SECRET: Form = Form {
    id: "tailscale/client-secret",
    noun: "the secret of an OAuth client of Tailscale",
    patterns: &[Text("tskey-client-[0-9A-Za-z_.=:/%?&-]{8,}")],
    purpose: Purpose::Key,
    advice: "as an auth key it needs tags (`--advertise-tags`)",
    source: PREFIXES,
    ..FORM
};

pub static KEY: Form =
    Form::new("tailscale/key", "a Tailscale key", &[Text("tskey-[0-9A-Za-z_.=+/~-]{16,100}")], TRUFFLEHOG);

pub static AUTH_KEY_FIELD: Field = Field {
    place: ("tailscale", "auth_key"),
    noun: "an auth key",
    about: "an auth key, which begins with `tskey-auth-`, or the secret of an OAuth client with tags",
    // `file:PATH` is also accepted.
    purpose: Purpose::Any,
    takes: &[&AUTH_KEY, &CLIENT_SECRET, &KEY],
    names: &[Names::new(&["AUTHKEY", "AUTH_KEY"], CONTAINER)],
    mistakes: &[Mistake {
        forms: &[&API_TOKEN],
        repair: "set it to an auth key, which begins with `tskey-auth-`; an API access token adds no machine",
        source: PREFIXES,
    }],
};

pub static API_TOKEN_FIELD: Field = Field {
    place: ("tailscale", "api_key"),
    noun: "an API access token",
    about: "an API access token, which begins with `tskey-api-`",
    takes: &[&API_TOKEN, &KEY],
    names: &[Names::new(
        &["API_KEY", "API_TOKEN", "API_ACCESS_TOKEN"],
        Official("https://registry.terraform.io/providers/tailscale/tailscale/latest/docs"),
    )],
    mistakes: &[Mistake { forms: &[&AUTH_KEY, &CLIENT_SECRET], repair: API_TOKEN_REPAIR, source: PREFIXES }],
    ..FIELD
};
const API_TOKEN_REPAIR: &str =
    "set it to an API access token, which begins with `tskey-api-`, from the page Keys of the admin console";

pub static CLIENT_SECRET_FIELD: Field = Field {
    place: ("tailscale", "client_secret"),
    noun: "the secret of an OAuth client",
    about: "the secret of an OAuth client, which begins with `tskey-client-`",
    takes: &[&CLIENT_SECRET, &KEY],
    names: &[Names::new(&["CLIENT_SECRET", "API_CLIENT_SECRET", "OAUTH_CLIENT_SECRET", "OAUTH_SECRET"], CONTAINER)],
    ..FIELD
};
