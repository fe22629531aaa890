//! Container registries. Only the address beside a password tells whose it is.

use super::{AT, At, BLANK, ERROR, ErrorText, FIELD, Field, NAMES, Names, Purpose, Service, Source, github};

pub static SERVICE: Service = Service {
    name: "Container registry",
    docs: "https://distribution.github.io/distribution/spec/auth/token/",
    read: "2026-11-23",
    words: &["CONTAINER_REGISTRY", "REGISTRY", "INPUT"],
    fields: &[&PASSWORD_FIELD, &HOST_FIELD],
    at: &[At {
        hosts: &["ghcr.io", "*.pkg.github.com"],
        whose: "GitHub Packages",
        field: &PASSWORD_FIELD,
        takes: &[&github::TOKEN, &github::HEX_40],
        noun: "a classic personal access token, or the token of a job",
        repair: "set it to a personal access token (classic) with the scope `read:packages` or `write:packages`, or in a workflow to `${{ secrets.GITHUB_TOKEN }}`",
        source: PACKAGES,
        ..AT
    }],
    shared: true,
    errors: ERRORS,
    ..BLANK
};

/// "GitHub Packages only supports authentication using a personal access token (classic)."
const PACKAGES: Source = Source::Official(
    "https://docs.github.com/en/packages/working-with-a-github-packages-registry/working-with-the-container-registry#authenticating-to-the-container-registry",
);
/// The inputs of an action are variables of its process: `INPUT_REGISTRY`, `INPUT_PASSWORD`.
const LOGIN: Source = Source::Official("https://github.com/docker/login-action");
/// Nobody documents these names; programs have them.
const APPS: Source = Source::Example("https://kamal-deploy.org/docs/configuration/docker-registry/");

pub static PASSWORD_FIELD: Field = Field {
    place: ("registry", "password"),
    noun: "the password for a registry",
    about: "the password or token that the registry takes",
    purpose: Purpose::Key,
    names: &[Names { words: &["PASSWORD"], source: LOGIN, within: false, ..NAMES }],
    ..FIELD
};

pub static HOST_FIELD: Field = Field {
    place: ("registry", "host"),
    noun: "the address of a registry",
    about: "the address of the registry",
    purpose: Purpose::Endpoint,
    names: &[
        Names { words: &["REGISTRY"], source: LOGIN, within: false, ..NAMES },
        Names { words: &["SERVER", "HOST", "URL"], source: APPS, within: false, ..NAMES },
    ],
    ..FIELD
};

/// What stands in a log.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &["unauthorized: incorrect username or password"],
    about: &[&PASSWORD_FIELD],
    says: "the registry refused the user name and the password",
    open: "whether the token may do this, and is one of this registry",
    source: Source::Example("https://github.com/docker/login-action/issues/95"),
    ..ERROR
}];
