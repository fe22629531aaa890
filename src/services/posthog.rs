//! PostHog.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "PostHog",
    docs: "https://posthog.com/docs/api",
    read: "2026-11-23",
    forms: &[&PROJECT_KEY, &PERSONAL_KEY, &SECRET_KEY],
    words: &["POST_HOG", "POSTHOG"],
    fields: &[&PERSONAL_KEY_FIELD, &PROJECT_KEY_FIELD, &KEY_FIELD],
    ..BLANK
};

const NODE: Source = Official("https://github.com/PostHog/posthog-js/blob/main/packages/node/src/client.ts");

pub static PROJECT_KEY: Form = Form {
    public: true,
    purpose: Purpose::Id,
    advice: "sends events, also from browsers; it reads nothing",
    ..Form::new("posthog/project-key", "a project API key of PostHog", &[Text("phc_[0-9A-Za-z_]{20,}")], NODE)
};

pub static PERSONAL_KEY: Form = Form {
    purpose: Purpose::Key,
    advice: "reads and changes the project; events need the project's key",
    ..Form::new("posthog/personal-key", "a personal API key of PostHog", &[Text("phx_[0-9A-Za-z_]{20,}")], NODE)
};

pub static SECRET_KEY: Form = Form {
    id: "posthog/secret-key",
    noun: "a secret key of a PostHog project",
    patterns: &[Text("phs_[0-9A-Za-z_]{20,}")],
    purpose: Purpose::Key,
    source: Official("https://github.com/PostHog/posthog-js/blob/main/packages/node/src/types.ts"),
    ..FORM
};

pub static PERSONAL_KEY_FIELD: Field = Field {
    place: ("posthog", "personal_api_key"),
    noun: "a personal API key",
    about: "a personal API key, which begins with `phx_`",
    takes: &[&PERSONAL_KEY, &SECRET_KEY],
    names: &[Names::new(&["PERSONAL_API_KEY"], NODE)],
    mistakes: &[Mistake {
        forms: &[&PROJECT_KEY],
        repair: "set it to a personal API key, which begins with `phx_`, from the settings of your account",
        source: NODE,
    }],
    ..FIELD
};

pub static PROJECT_KEY_FIELD: Field = Field {
    place: ("posthog", "project_api_key"),
    noun: "a project API key",
    about: "the API key of the project, which begins with `phc_`",
    takes: &[&PROJECT_KEY],
    names: &[Names::new(&["PROJECT_API_KEY"], NODE)],
    mistakes: &[Mistake {
        forms: &[&PERSONAL_KEY],
        repair: "set it to the API key of the project, which begins with `phc_`, from the project's settings",
        source: NODE,
    }],
    ..FIELD
};

/// Programs that send events and programs that read them use these names.
pub static KEY_FIELD: Field = Field {
    place: ("posthog", "api_key"),
    noun: "an API key",
    about: "an API key of PostHog: for events, that of the project",
    purpose: Purpose::Key,
    takes: &[&PROJECT_KEY, &PERSONAL_KEY, &SECRET_KEY],
    names: &[
        Names::new(&["API_KEY"], NODE),
        Names::new(&["KEY"], Official("https://posthog.com/docs/libraries/next-js")),
    ],
    ..FIELD
};
