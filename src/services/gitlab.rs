//! GitLab. Self-hosted servers may add their own prefix to the forms.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "GitLab",
    docs: "https://docs.gitlab.com/security/tokens/#token-prefixes",
    read: "2026-11-23",
    forms: &[&ACCESS_TOKEN, &DEPLOY_TOKEN, &RUNNER_TOKEN, &REGISTRATION_TOKEN, &TOKEN],
    words: &["GITLAB", "GL"],
    fields: &[&TOKEN_FIELD, &API_TOKEN_FIELD, &RUNNER_TOKEN_FIELD, &REGISTRATION_TOKEN_FIELD, &URL_FIELD],
    relations: &[Relation::Beside {
        forms: &[&DEPLOY_TOKEN],
        field: &TOKEN_FIELD,
        beside: &URL_FIELD,
        noun: "is the address of the API, which does not accept deploy tokens",
        advice: "set it to a personal, project or group access token, which begins with `glpat-`; a deploy token is for git, packages and the registry",
        source: Example("https://github.com/semantic-release/gitlab/issues/163"),
    }],
    errors: ERRORS,
    ..BLANK
};

const PREFIXES: Source = Official(SERVICE.docs);
/// What each kind may do: a deploy token and the tokens of runners don't authenticate at the API.
const ACCESS: Source = Official("https://docs.gitlab.com/security/tokens/#available-scopes");
const RUNNERS: Source = Official("https://docs.gitlab.com/runner/configuration/advanced-configuration/");
const REGISTER: Source = Official("https://docs.gitlab.com/runner/register/");
const SEMANTIC_RELEASE: Source = Example("https://github.com/semantic-release/gitlab");
const PROVIDER: Source = Official("https://registry.terraform.io/providers/gitlabhq/gitlab/latest/docs");
const CONFIG: Source = Official("https://python-gitlab.readthedocs.io/en/stable/cli-usage.html");

pub static ACCESS_TOKEN: Form = Form {
    purpose: Purpose::AccessToken,
    ..Form::new("gitlab/access-token", "a GitLab access token", &[Text("glpat-[0-9A-Za-z_.=+/~-]{16,}")], PREFIXES)
};

pub static DEPLOY_TOKEN: Form = Form {
    purpose: Purpose::OtherToken,
    advice: "is for git, packages and the registry, with its own user name; the API does not take it",
    ..Form::new("gitlab/deploy-token", "a GitLab deploy token", &[Text("gldt-[0-9A-Za-z_.=+/~-]{16,}")], PREFIXES)
};

pub static RUNNER_TOKEN: Form = Form {
    id: "gitlab/runner-token",
    noun: "a runner authentication token",
    patterns: &[Text("glrtr?-[0-9A-Za-z_.=+/~-]{16,}")],
    purpose: Purpose::OtherToken,
    advice: "is of one runner, and stands in its `config.toml`",
    source: PREFIXES,
    ..FORM
};

pub static REGISTRATION_TOKEN: Form = Form {
    id: "gitlab/registration-token",
    noun: "a runner registration token",
    patterns: &[Text("GR1348941[0-9A-Za-z_-]{16,}")],
    purpose: Purpose::OtherToken,
    advice: "registers runners, each of which gets an authentication token of its own",
    source: PREFIXES,
    ..FORM
};

/// Of jobs, triggers, feeds, agents, and the secrets of applications.
pub static TOKEN: Form = Form::new(
    "gitlab/token",
    "a GitLab token",
    &[
        Text("glcbt-[0-9A-Za-z_.=+/~-]{16,}"),
        Text("glptt-[0-9A-Za-z_.=+/~-]{16,}"),
        Text("glft-[0-9A-Za-z_.=+/~-]{16,}"),
        Text("glsoat-[0-9A-Za-z_.=+/~-]{16,}"),
        Text("glagent-[0-9A-Za-z_.=+/~-]{16,}"),
        Text("gloas-[0-9A-Za-z_.=+/~-]{16,}"),
        Text("glimt-[0-9A-Za-z_.=+/~-]{16,}"),
        Text("glffct-[0-9A-Za-z_.=+/~-]{16,}"),
    ],
    PREFIXES,
);

/// Programs read any kind under these names: for the API, for packages, for runners.
pub static TOKEN_FIELD: Field = Field {
    place: ("gitlab", "token"),
    noun: "a token",
    about: "a GitLab token of the kind that the program needs, for the API one that begins with `glpat-`",
    takes: &[&ACCESS_TOKEN, &DEPLOY_TOKEN, &RUNNER_TOKEN, &REGISTRATION_TOKEN, &TOKEN],
    names: &[Names::new(&["TOKEN"], SEMANTIC_RELEASE), Names::new(&["ACCESS_TOKEN"], PROVIDER)],
    ..FIELD
};

/// Job tokens reach a part of the API.
pub static API_TOKEN_FIELD: Field = Field {
    place: ("gitlab", "api_token"),
    noun: "an access token",
    about: "a personal, project or group access token, which begins with `glpat-`",
    takes: &[&ACCESS_TOKEN, &TOKEN],
    names: &[
        Names::new(&["PRIVATE_TOKEN"], Example("https://python-gitlab.readthedocs.io/en/stable/cli-usage.html")),
        Names::new(
            &["PERSONAL_ACCESS_TOKEN"],
            Example("https://github.com/modelcontextprotocol/servers-archived/tree/main/src/gitlab"),
        ),
    ],
    mistakes: &[
        Mistake {
            forms: &[&DEPLOY_TOKEN],
            repair: "set it to an access token, which begins with `glpat-`; a deploy token is for git, packages and the registry",
            source: ACCESS,
        },
        Mistake {
            forms: &[&RUNNER_TOKEN],
            repair: "set it to an access token, which begins with `glpat-`; this token is of a runner",
            source: ACCESS,
        },
        Mistake {
            forms: &[&REGISTRATION_TOKEN],
            repair: "set it to an access token, which begins with `glpat-`; this token registers runners",
            source: ACCESS,
        },
    ],
    ..FIELD
};

/// What `token` is in a runner's `config.toml`.
pub static RUNNER_TOKEN_FIELD: Field = Field {
    place: ("gitlab", "runner_token"),
    noun: "a runner authentication token",
    about: "the runner authentication token, which begins with `glrt-`",
    takes: &[&RUNNER_TOKEN],
    names: &[Names::new(&["RUNNER_AUTHENTICATION_TOKEN"], REGISTER)],
    mistakes: &[
        Mistake {
            forms: &[&REGISTRATION_TOKEN],
            repair: "set it to the runner authentication token, which begins with `glrt-`; `gitlab-runner register` gets one for a registration token and writes it there",
            source: RUNNERS,
        },
        Mistake {
            forms: &[&ACCESS_TOKEN, &DEPLOY_TOKEN],
            repair: "set it to the runner authentication token, which begins with `glrt-`",
            source: RUNNERS,
        },
    ],
    ..FIELD
};

/// It may also hold an authentication token.
pub static REGISTRATION_TOKEN_FIELD: Field = Field {
    place: ("gitlab", "registration_token"),
    noun: "a runner registration token",
    about: "the registration token, which begins with `GR1348941`, or a runner authentication token, which begins with `glrt-`",
    takes: &[&REGISTRATION_TOKEN, &RUNNER_TOKEN],
    names: &[Names::new(&["RUNNER_REGISTRATION_TOKEN", "RUNNER_TOKEN"], REGISTER)],
    mistakes: &[
        Mistake {
            forms: &[&ACCESS_TOKEN],
            repair: "set it to the token of the runner, which begins with `glrt-`; an access token registers none",
            source: REGISTER,
        },
        Mistake {
            forms: &[&DEPLOY_TOKEN],
            repair: "set it to the token of the runner, which begins with `glrt-`; a deploy token registers none",
            source: REGISTER,
        },
    ],
    ..FIELD
};

/// Programs that have one call the API.
pub static URL_FIELD: Field = Field {
    place: ("gitlab", "url"),
    noun: "the address of a server",
    about: "the address of the server",
    purpose: Purpose::Id,
    names: &[Names::new(&["API_URL", "API_V4_URL"], SEMANTIC_RELEASE), Names::new(&["URL"], CONFIG)],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &[
        "Verifying runner... * is removed", "Registering runner... forbidden", "Registering runner... * forbidden",
    ],
    about: &[&RUNNER_TOKEN_FIELD, &REGISTRATION_TOKEN_FIELD, &URL_FIELD],
    says: "GitLab does not know the token of the runner, or does not accept new runners there",
    open: "whether it is a registration token in place of an authentication token, or of another instance",
    source: Example("https://github.com/sameersbn/docker-gitlab/issues/2720"),
    ..ERROR
}];
