//! Clerk. Its keys have the same prefixes as Stripe's.

use super::prelude::*;
use super::stripe;

pub static SERVICE: Service = Service {
    name: "Clerk",
    docs: "https://clerk.com/docs/deployments/clerk-environment-variables",
    read: "2026-11-23",
    forms: &[&SESSION_TOKEN],
    words: &["PUBLIC_CLERK", "CLERK"],
    fields: &[&SECRET_KEY_FIELD, &PUBLISHABLE_KEY_FIELD],
    relations: &[Relation::Agree {
        part: "mode",
        noun: "mode",
        words: &["live", "test"],
        fields: &[&SECRET_KEY_FIELD, &PUBLISHABLE_KEY_FIELD],
        advice: "copy both keys from the same instance of the application",
        source: VARIABLES,
    }],
    errors: ERRORS,
    ..BLANK
};

const VARIABLES: Source = Official("https://clerk.com/docs/deployments/clerk-environment-variables");

/// Of one user, for a minute.
pub static SESSION_TOKEN: Form = Form {
    id: "clerk/session-token",
    noun: "a session token of a user, a JWT",
    patterns: &[Json {
        text: r"eyJ[0-9A-Za-z_-]+\.(?<json>eyJ[0-9A-Za-z_-]+)\.[0-9A-Za-z_-]+",
        has: &[("sid", "*"), ("sub", "*"), ("iss", "*")],
        parts: &[],
    }],
    certain: false,
    purpose: Purpose::OtherToken,
    expires: true,
    advice: "is of one user's session and ends within a minute",
    source: Official("https://clerk.com/docs/guides/sessions/session-tokens"),
    ..FORM
};

pub static SECRET_KEY_FIELD: Field = Field {
    place: ("clerk", "secret_key"),
    noun: "a secret key",
    about: "the secret key of the instance, which begins with `sk_`",
    takes: &[&stripe::SECRET_KEY],
    names: &[Names::apart(&["SECRET_KEY"], VARIABLES)],
    mistakes: &[Mistake {
        forms: &[&SESSION_TOKEN],
        repair: "set it to the secret key of the instance, which begins with `sk_`",
        source: Example("https://github.com/clerk/clerk-sdk-python/issues/26"),
    }],
    ..FIELD
};

pub static PUBLISHABLE_KEY_FIELD: Field = Field {
    place: ("clerk", "publishable_key"),
    noun: "a publishable key",
    about: "the publishable key of the instance, which begins with `pk_`",
    takes: &[&stripe::PUBLISHABLE_KEY],
    names: &[Names::apart(&["PUBLISHABLE_KEY"], VARIABLES)],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &[
        "Publishable key not valid", "The publishableKey passed to Clerk is invalid", "Missing publishableKey",
        "Publishable key is missing",
    ],
    about: &[&PUBLISHABLE_KEY_FIELD],
    says: "Clerk got no publishable key, or something else",
    open: "whether the variable reaches the build",
    source: Official("https://github.com/clerk/javascript/blob/main/packages/shared/src/keys.ts"),
    ..ERROR
}];
