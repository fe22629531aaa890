//! An additional kind for unit tests, made from the rows of a service. `lint` and `report` use it to test that a row is all
//! a kind needs.

use super::kind::{Address, Field, Kind, Role, Secret, Type};
use super::value::shown;
use crate::services::{self, twilio};

const fn id(row: &services::Field, example: &'static str) -> Field {
    Field::new(row.place.1, Type::Id(shown::bucket), Role::Identifier, example).with_row(row).first()
}

const fn key(row: &services::Field) -> Field {
    Field::secret(row.place.1, Secret::Key, row).first()
}

/// An account that sends text messages.
pub(crate) static THIRD: Kind = Kind {
    name: "twilio",
    first: "texts",
    credential: "key",
    fields: &[
        Field::url("url", Address::Api, "https://api.twilio.com").about("address of the API").required().first(),
        id(&twilio::ACCOUNT_SID_FIELD, "mailer"),
        key(&twilio::AUTH_TOKEN_FIELD),
        id(&twilio::API_KEY_FIELD, "ann"),
        key(&twilio::API_SECRET_FIELD),
        Field::url("gateway", Address::Endpoint, "https://sms.example.com").about("host that other programs send to"),
    ],
    pairs: twilio::SERVICE.pairs,
    probe: None,
    sender: false,
    service: Some(&twilio::SERVICE),
    hosted_by_default: false,
};
