//! An additional kind for unit tests, made from the rows of a service. `lint` and `report` use it to test that a row is all
//! a kind needs.

use super::field::{Address, Field, Role, Secret, Type};
use super::kind::Kind;
use super::value::shown;
use crate::services::{self, twilio};

const fn id(row: &services::Field, example: &'static str) -> Field {
    Field {
        name: row.place.1,
        ty: Type::Id(shown::bucket),
        role: Role::Identifier,
        required: false,
        first: true,
        about: row.about,
        forms: row.takes,
        aliases: &[],
        example,
    }
}

const fn key(row: &services::Field) -> Field {
    Field { ty: Type::Secret(Secret::Key), role: Role::Secret, ..id(row, "") }
}

/// An account that sends text messages.
pub(crate) static THIRD: Kind = Kind {
    name: "twilio",
    first: "texts",
    credential: "key",
    fields: &[
        Field {
            name: "url",
            ty: Type::Url(Address::Api),
            role: Role::Destination,
            required: true,
            first: true,
            about: "address of the API",
            forms: &[],
            aliases: &[],
            example: "https://api.twilio.com",
        },
        id(&twilio::ACCOUNT_SID_FIELD, "mailer"),
        key(&twilio::AUTH_TOKEN_FIELD),
        id(&twilio::API_KEY_FIELD, "ann"),
        key(&twilio::API_SECRET_FIELD),
        Field {
            name: "gateway",
            ty: Type::Url(Address::Endpoint),
            role: Role::Destination,
            required: false,
            first: false,
            about: "host that other programs send to",
            forms: &[],
            aliases: &[],
            example: "https://sms.example.com",
        },
    ],
    pairs: twilio::SERVICE.pairs,
    probe: None,
    sender: false,
    service: Some(&twilio::SERVICE),
    hosted_by_default: false,
};
