//! Scaleway.

use super::many;
use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Scaleway",
    docs: "https://www.scaleway.com/en/developers/api/iam/api-keys",
    read: "2026-11-23",
    forms: &[&ACCESS_KEY],
    words: &["SCW"],
    fields: &[&ACCESS_KEY_FIELD, &SECRET_KEY_FIELD, &PROJECT_FIELD, &ORGANIZATION_FIELD],
    ..BLANK
};

const CHECK: Source = Official("https://github.com/scaleway/scaleway-sdk-go/blob/master/validation/is.go");
const NAMED: Source = Official("https://github.com/scaleway/scaleway-sdk-go/blob/master/scw/env.go");
const CLI: Source = Official("https://github.com/scaleway/scaleway-cli/issues/1914");

/// The documentation says that it is not sensitive. For object storage, a project may follow.
pub static ACCESS_KEY: Form = Form {
    id: "scaleway/access-key",
    noun: "a Scaleway access key",
    patterns: &[
        Text("SCW[0-9A-Z]{17}"),
        Text("SCW[0-9A-Z]{17}@[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"),
    ],
    public: true,
    purpose: Purpose::Id,
    protocol: Some(Protocol::S3),
    advice: "goes with its secret key, a UUID",
    source: CHECK,
    ..FORM
};

pub static ACCESS_KEY_FIELD: Field = Field {
    place: ("scaleway", "access_key"),
    noun: "an access key",
    about: "the access key, which begins with `SCW`",
    takes: &[&ACCESS_KEY],
    names: &[Names::new(&["ACCESS_KEY"], NAMED)],
    mistakes: &[Mistake {
        forms: &[&many::GUID],
        repair: "set it to the access key, which begins with `SCW`; the UUID is the secret key or the ID of a project",
        source: CLI,
    }],
    ..FIELD
};

pub static SECRET_KEY_FIELD: Field = Field {
    place: ("scaleway", "secret_key"),
    noun: "a secret key",
    about: "the secret key, a UUID, which is shown once, when the API key is made",
    purpose: Purpose::Key,
    takes: &[&many::GUID],
    names: &[Names::new(&["SECRET_KEY"], NAMED)],
    mistakes: &[Mistake {
        forms: &[&ACCESS_KEY],
        repair: "set it to the secret key that was shown with this access key, a UUID",
        source: CHECK,
    }],
};

pub static PROJECT_FIELD: Field = Field {
    place: ("scaleway", "project_id"),
    noun: "the ID of a project",
    about: "the ID of the project, a UUID",
    purpose: Purpose::Id,
    takes: &[&many::GUID],
    names: &[Names::new(&["DEFAULT_PROJECT_ID", "PROJECT_ID"], NAMED)],
    mistakes: &[Mistake { forms: &[&ACCESS_KEY], repair: "set it to the ID of the project, a UUID", source: CHECK }],
};

pub static ORGANIZATION_FIELD: Field = Field {
    place: ("scaleway", "organization_id"),
    noun: "the ID of an organization",
    about: "the ID of the organization, a UUID",
    purpose: Purpose::Id,
    takes: &[&many::GUID],
    names: &[Names::new(&["DEFAULT_ORGANIZATION_ID", "ORGANIZATION_ID"], NAMED)],
    ..FIELD
};
