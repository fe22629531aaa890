//! Cloudflare Tunnel: the variables that `cloudflared` reads. Other tunnels have a `TUNNEL_TOKEN`, too, so only what no
//! tunnel takes is wrong there.

use super::{BLANK, FIELD, Field, Mistake, NAMES, Names, Purpose, Relation, Service, Source, cloudflare};

pub static SERVICE: Service = Service {
    name: "Cloudflare Tunnel",
    docs: "https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/configure-tunnels/cloudflared-parameters/run-parameters/",
    read: "2026-11-23",
    words: &["TUNNEL"],
    fields: &[&TOKEN_FIELD, &SETTING_FIELD],
    relations: &[Relation::Beside {
        forms: &[&cloudflare::OLD_API_TOKEN],
        field: &TOKEN_FIELD,
        beside: &SETTING_FIELD,
        noun: "is a setting of `cloudflared`, which takes the token of a tunnel",
        advice: "set it to the token of the tunnel, which begins with `eyJ`; an API token runs no tunnel",
        source: Source::Example("https://github.com/siderolabs/talos/issues/11609"),
    }],
    shared: true,
    ..BLANK
};

const PARAMETERS: Source = Source::Official(
    "https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/configure-tunnels/cloudflared-parameters/run-parameters/",
);
/// It says `Provided Tunnel token is not valid.`
const RUN: Source =
    Source::Official("https://github.com/cloudflare/cloudflared/blob/master/cmd/cloudflared/tunnel/subcommands.go");

pub static TOKEN_FIELD: Field = Field {
    place: ("cloudflared", "token"),
    noun: "the token of a tunnel",
    about: "the token of the tunnel, which begins with `eyJ`; the dashboard shows it in the command that installs `cloudflared`",
    purpose: Purpose::OtherToken,
    takes: &[&cloudflare::TUNNEL_TOKEN],
    names: &[Names { words: &["TOKEN"], behind: &["CLOUDFLARED"], within: false, source: PARAMETERS, ..NAMES }],
    mistakes: &[
        Mistake {
            form: &cloudflare::API_TOKEN,
            repair: "set it to the token of the tunnel, which begins with `eyJ`; an API token runs no tunnel",
            source: RUN,
        },
        Mistake {
            form: &cloudflare::GLOBAL_KEY,
            repair: "set it to the token of the tunnel, which begins with `eyJ`; an API key runs no tunnel",
            source: RUN,
        },
        Mistake {
            form: &cloudflare::ORIGIN_CA_KEY,
            repair: "set it to the token of the tunnel, which begins with `eyJ`",
            source: RUN,
        },
    ],
};

/// Variables that only `cloudflared` reads.
pub static SETTING_FIELD: Field = Field {
    place: ("cloudflared", "setting"),
    noun: "a setting of `cloudflared`",
    about: "as `cloudflared` documents it",
    purpose: Purpose::Endpoint,
    names: &[Names {
        words: &["METRICS", "EDGE_IP_VERSION", "TRANSPORT_PROTOCOL", "ORIGIN_CERT", "CRED_FILE"],
        behind: &["CLOUDFLARED"],
        within: false,
        source: PARAMETERS,
        ..NAMES
    }],
    ..FIELD
};
