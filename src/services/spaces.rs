//! DigitalOcean Spaces.

use super::digitalocean;
use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "DigitalOcean Spaces",
    docs: "https://docs.digitalocean.com/products/spaces/how-to/manage-access/",
    read: "2026-11-23",
    forms: &[&ACCESS_KEY_ID],
    words: &["SPACES"],
    ignored_before: &["DO", "DIGITALOCEAN"],
    fields: &[&ID_FIELD, &KEY_FIELD, &ENDPOINT_FIELD],
    hosts: &[Host {
        hosts: &["*.digitaloceanspaces.com"],
        serves: Serves::Api,
        home: "https://nyc3.digitaloceanspaces.com",
        source: SDKS,
        ..HOST
    }],
    ..BLANK
};

const PROVIDER: Source =
    Official("https://registry.terraform.io/providers/digitalocean/digitalocean/latest/docs#spaces_access_id");
const SDKS: Source = Official("https://docs.digitalocean.com/products/spaces/how-to/use-aws-sdks/");
const ANALOGSEA: Source = Example("https://search.r-project.org/CRAN/refmans/analogsea/html/spaces_info.html");
const MANAGE: Source = Official("https://docs.digitalocean.com/products/spaces/how-to/manage-access/");

/// Not documented: in all public examples it has 20 characters and this prefix.
pub static ACCESS_KEY_ID: Form = Form {
    id: "spaces/access-key-id",
    noun: "a DigitalOcean Spaces access key",
    patterns: &[Text("DO00[0-9A-Z]{16}"), Text("DO801[0-9A-Z]{15}")],
    purpose: Purpose::Id,
    protocol: Some(Protocol::S3),
    source: Example("https://github.com/kestra-io/plugin-digitalocean"),
    ..FORM
};

pub static ID_FIELD: Field = Field {
    place: ("spaces", "access_key_id"),
    noun: "an access key of Spaces",
    about: "the access key of Spaces, 20 characters that begin with `DO`",
    takes: &[&ACCESS_KEY_ID],
    names: &[
        Names::new(&["ACCESS_KEY_ID"], PROVIDER),
        Names::new(&["ACCESS_KEY"], ANALOGSEA),
        Names::new(&["KEY"], SDKS),
    ],
    mistakes: &[API_TOKEN],
    ..FIELD
};

pub static KEY_FIELD: Field = Field {
    place: ("spaces", "secret_access_key"),
    noun: "the secret of an access key of Spaces",
    about: "the secret that was shown with the access key of Spaces",
    purpose: Purpose::Key,
    names: &[
        Names::new(&["SECRET_ACCESS_KEY"], PROVIDER),
        Names::new(&["SECRET_KEY"], ANALOGSEA),
        Names::new(&["SECRET"], SDKS),
    ],
    mistakes: &[
        Mistake {
            forms: &[&ACCESS_KEY_ID],
            repair: "set it to the secret that was shown with this access key",
            source: Example("https://github.com/kestra-io/plugin-digitalocean"),
        },
        API_TOKEN,
    ],
    ..FIELD
};

pub static ENDPOINT_FIELD: Field = Field {
    place: ("spaces", "endpoint"),
    noun: "the address of Spaces",
    about: "the address of the region, such as `https://nyc3.digitaloceanspaces.com`",
    purpose: Purpose::Endpoint,
    names: &[Names::new(&["ENDPOINT_URL", "ENDPOINT"], PROVIDER)],
    ..FIELD
};

const API_TOKEN: Mistake = Mistake {
    forms: &[&digitalocean::TOKEN],
    repair: "make an access key of Spaces in DigitalOcean's control panel; a token of its API does not work for Spaces",
    source: MANAGE,
};
