//! An additional kind for unit tests. `lint` and `report` use it to test that a row is all a kind needs.

use super::field::{Address, Field, Role, Secret, Type};
use super::kind::{Hosted, Kind, Pair, PairField};
use super::value::shown;
use crate::services::backblaze;

/// An account of a mail relay.
pub(crate) static THIRD: Kind = Kind {
    name: "relay",
    first: "mail",
    credential: "key",
    fields: &[
        Field {
            name: "url",
            ty: Type::Url(Address::Api),
            role: Role::Destination,
            required: true,
            first: true,
            about: "address of the relay",
            forms: &[],
            aliases: &[],
            example: "https://relay.example.com",
        },
        Field {
            name: "client_id",
            ty: Type::Id(shown::bucket),
            role: Role::Identifier,
            required: false,
            first: true,
            about: "ID of the client; goes with client_secret",
            forms: &[&backblaze::KEY_ID],
            aliases: &[],
            example: "mailer",
        },
        Field {
            name: "client_secret",
            ty: Type::Secret(Secret::Key),
            role: Role::Secret,
            required: false,
            first: true,
            about: "secret of the client; goes with client_id",
            forms: &[&backblaze::APPLICATION_KEY],
            aliases: &[],
            example: "",
        },
        Field {
            name: "user_id",
            ty: Type::Id(shown::bucket),
            role: Role::Identifier,
            required: false,
            first: false,
            about: "ID of a user; goes with password",
            forms: &[],
            aliases: &[],
            example: "ann",
        },
        Field {
            name: "password",
            ty: Type::Secret(Secret::Key),
            role: Role::Secret,
            required: false,
            first: false,
            about: "password of the user; goes with user_id",
            forms: &[],
            aliases: &[],
            example: "",
        },
        Field {
            name: "gateway",
            ty: Type::Url(Address::Endpoint),
            role: Role::Destination,
            required: false,
            first: false,
            about: "host that other programs send to",
            forms: &[],
            aliases: &[],
            example: "https://smtp.example.com",
        },
    ],
    pairs: &[
        Pair {
            id: PairField { field: "client_id", noun: "a client ID", shown_as: "the client ID" },
            key: PairField { field: "client_secret", noun: "a client secret", shown_as: "the client secret" },
        },
        Pair {
            id: PairField { field: "user_id", noun: "a user ID", shown_as: "the user ID" },
            key: PairField { field: "password", noun: "a password", shown_as: "the password" },
        },
    ],
    probe: None,
    sender: false,
    hosted: Hosted { name: "relay.example.com", is: |_| false, by_default: false },
};
