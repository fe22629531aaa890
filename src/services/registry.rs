//! Registries of containers and packages, and hosts of repositories. Only the address next to a password tells whose it
//! is.

use super::prelude::*;
use super::{github, gitlab, npm, pypi};

pub static SERVICE: Service = Service {
    name: "Registries",
    docs: "https://distribution.github.io/distribution/spec/auth/token/",
    read: "2026-11-23",
    words: &["CONTAINER_REGISTRY", "REGISTRY", "INPUT", "TWINE"],
    fields: &[&PASSWORD_FIELD, &USER_FIELD, &HOST_FIELD],
    at: HOSTS,
    shared: true,
    errors: ERRORS,
    ..BLANK
};

const INDEX: Source = Official("https://pypi.org/help/#apitoken");

const HOSTS: &[HostRule] = &[
    HostRule {
        hosts: &["ghcr.io", "*.pkg.github.com"],
        whose: "GitHub Packages",
        field: &PASSWORD_FIELD,
        takes: &[&github::TOKEN, &github::HEX_40],
        noun: "a classic personal access token, or the token of a job",
        repair: "set it to a personal access token (classic) with the scope `read:packages` or `write:packages`, or in a workflow to `${{ secrets.GITHUB_TOKEN }}`",
        source: PACKAGES,
        ..AT
    },
    HostRule {
        hosts: &["github.com", "api.github.com"],
        whose: "GitHub",
        field: &PASSWORD_FIELD,
        takes: &[&github::TOKEN, &github::FINE_GRAINED_TOKEN, &github::HEX_40],
        noun: "a token of its own as the password",
        repair: "set it to a personal access token of GitHub",
        source: GIT,
        ..AT
    },
    HostRule {
        hosts: &["gitlab.com"],
        whose: "GitLab",
        field: &PASSWORD_FIELD,
        takes: &[&gitlab::ACCESS_TOKEN, &gitlab::DEPLOY_TOKEN, &gitlab::TOKEN],
        noun: "a token of its own as the password",
        repair: "set it to a personal, project, group or deploy token of GitLab",
        source: Official("https://docs.gitlab.com/security/tokens/"),
        ..AT
    },
    HostRule {
        hosts: &["registry.npmjs.org"],
        whose: "npm",
        field: &PASSWORD_FIELD,
        takes: &[&npm::TOKEN],
        noun: "an access token of its own",
        repair: "set it to an access token of npm, which begins with `npm_`",
        source: Official("https://docs.npmjs.com/about-access-tokens"),
        ..AT
    },
    HostRule {
        hosts: &["upload.pypi.org"],
        whose: "PyPI",
        field: &PASSWORD_FIELD,
        takes: &[&pypi::TOKEN, &pypi::OTHER_TOKEN],
        beside: &[&pypi::TOKEN],
        noun: "an API token of its own as the password",
        repair: "set it to an API token of pypi.org, and the user name to `__token__`",
        source: INDEX,
        ..AT
    },
    HostRule {
        hosts: &["test.pypi.org"],
        whose: "TestPyPI",
        field: &PASSWORD_FIELD,
        takes: &[&pypi::TEST_TOKEN, &pypi::OTHER_TOKEN],
        beside: &[&pypi::TEST_TOKEN],
        noun: "an API token of its own as the password",
        repair: "make an API token at test.pypi.org, which is another index with accounts of its own",
        source: INDEX,
        ..AT
    },
    HostRule {
        hosts: &["upload.pypi.org", "test.pypi.org"],
        whose: "PyPI",
        field: &USER_FIELD,
        beside: &[&pypi::TOKEN, &pypi::TEST_TOKEN],
        words: &["__token__"],
        only: true,
        noun: "the word `__token__` as the user name",
        repair: "set it to the word `__token__`; the API token is the password",
        source: INDEX,
        ..AT
    },
];

/// "GitHub Packages only supports authentication using a personal access token (classic)."
const PACKAGES: Source = Official(
    "https://docs.github.com/en/packages/working-with-a-github-packages-registry/working-with-the-container-registry#authenticating-to-the-container-registry",
);
const GIT: Source = Official(
    "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/managing-your-personal-access-tokens",
);
/// The inputs of an action are variables of its process: `INPUT_REGISTRY`, `INPUT_PASSWORD`.
const LOGIN: Source = Official("https://github.com/docker/login-action");
const TWINE: Source = Official("https://twine.readthedocs.io/en/stable/#environment-variables");
/// These names are not documented, but programs use them.
const APPS: Source = Example("https://kamal-deploy.org/docs/configuration/docker-registry/");

pub static PASSWORD_FIELD: Field = Field {
    place: ("registry", "password"),
    noun: "the password for a registry",
    about: "the password or token that the registry takes",
    purpose: Purpose::Key,
    names: &[Names { within: false, ..Names::new(&["PASSWORD"], LOGIN) }],
    ..FIELD
};

pub static USER_FIELD: Field = Field {
    place: ("registry", "user"),
    noun: "the user name for a registry",
    about: "the user name that the registry takes",
    purpose: Purpose::Id,
    names: &[Names { within: false, ..Names::new(&["USERNAME", "USER"], LOGIN) }],
    ..FIELD
};

pub static HOST_FIELD: Field = Field {
    place: ("registry", "host"),
    noun: "the address of a registry",
    about: "the address of the registry",
    purpose: Purpose::Endpoint,
    names: &[
        Names { within: false, ..Names::new(&["REGISTRY"], LOGIN) },
        Names { within: false, ..Names::new(&["SERVER", "HOST", "URL"], APPS) },
        Names { within: false, ..Names::new(&["REPOSITORY_URL"], TWINE) },
    ],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &["unauthorized: incorrect username or password"],
    about: &[&PASSWORD_FIELD],
    says: "the registry refused the user name and the password",
    open: "whether the token may do this, and is one of this registry",
    source: Example("https://github.com/docker/login-action/issues/95"),
    ..ERROR
}];
