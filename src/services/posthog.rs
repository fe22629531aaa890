//! PostHog.

use super::{BLANK, FIELD, FORM, Field, Form, Mistake, NAMES, Names, Pattern, Purpose, Service, Source};

pub static SERVICE: Service = Service {
    name: "PostHog",
    docs: "https://posthog.com/docs/api",
    read: "2026-11-23",
    forms: &[&PROJECT_KEY, &PERSONAL_KEY, &SECRET_KEY],
    words: &["POST_HOG", "POSTHOG"],
    fields: &[&PERSONAL_KEY_FIELD, &PROJECT_KEY_FIELD, &KEY_FIELD],
    ..BLANK
};

const NODE: Source = Source::Official("https://github.com/PostHog/posthog-js/blob/main/packages/node/src/client.ts");

pub static PROJECT_KEY: Form = Form {
    id: "posthog/project-key",
    noun: "a project API key of PostHog",
    patterns: &[Pattern::Text("phc_[0-9A-Za-z_]{20,}")],
    public: true,
    purpose: Purpose::Id,
    advice: "sends events, also from browsers; it reads nothing",
    source: NODE,
    ..FORM
};

pub static PERSONAL_KEY: Form = Form {
    id: "posthog/personal-key",
    noun: "a personal API key of PostHog",
    patterns: &[Pattern::Text("phx_[0-9A-Za-z_]{20,}")],
    purpose: Purpose::Key,
    advice: "reads and changes the project; events need the project's key",
    source: NODE,
    ..FORM
};

pub static SECRET_KEY: Form = Form {
    id: "posthog/secret-key",
    noun: "a secret key of a PostHog project",
    patterns: &[Pattern::Text("phs_[0-9A-Za-z_]{20,}")],
    purpose: Purpose::Key,
    source: Source::Official("https://github.com/PostHog/posthog-js/blob/main/packages/node/src/types.ts"),
    ..FORM
};

pub static PERSONAL_KEY_FIELD: Field = Field {
    place: ("posthog", "personal_api_key"),
    noun: "a personal API key",
    about: "a personal API key, which begins with `phx_`",
    purpose: Purpose::Key,
    takes: &[&PERSONAL_KEY, &SECRET_KEY],
    names: &[Names { words: &["PERSONAL_API_KEY"], source: NODE, ..NAMES }],
    mistakes: &[Mistake {
        form: &PROJECT_KEY,
        repair: "set it to a personal API key, which begins with `phx_`, from the settings of your account",
        source: NODE,
    }],
};

pub static PROJECT_KEY_FIELD: Field = Field {
    place: ("posthog", "project_api_key"),
    noun: "a project API key",
    about: "the API key of the project, which begins with `phc_`",
    purpose: Purpose::Id,
    takes: &[&PROJECT_KEY],
    names: &[Names { words: &["PROJECT_API_KEY"], source: NODE, ..NAMES }],
    mistakes: &[Mistake {
        form: &PERSONAL_KEY,
        repair: "set it to the API key of the project, which begins with `phc_`, from the project's settings",
        source: NODE,
    }],
};

/// What sends events, and what reads, has it under these names.
pub static KEY_FIELD: Field = Field {
    place: ("posthog", "api_key"),
    noun: "an API key",
    about: "an API key of PostHog: for events, that of the project",
    purpose: Purpose::Key,
    takes: &[&PROJECT_KEY, &PERSONAL_KEY, &SECRET_KEY],
    names: &[
        Names { words: &["API_KEY"], source: NODE, ..NAMES },
        Names { words: &["KEY"], source: Source::Official("https://posthog.com/docs/libraries/next-js"), ..NAMES },
    ],
    ..FIELD
};
