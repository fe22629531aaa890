//! Cloudflare Tunnel: the variables that `cloudflared` reads. Other tunnels also have a `TUNNEL_TOKEN`, so only values
//! that no tunnel accepts are wrong there.

use super::cloudflare;
use super::prelude::*;

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
        advice: "set it to the token of the tunnel, which begins with `eyJ`; an API token can't run a tunnel",
        source: Example("https://github.com/siderolabs/talos/issues/11609"),
    }],
    shared: true,
    errors: ERRORS,
    ..BLANK
};

const PARAMETERS: Source = Official(
    "https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/configure-tunnels/cloudflared-parameters/run-parameters/",
);
/// It says `Provided Tunnel token is not valid.`
const RUN: Source =
    Official("https://github.com/cloudflare/cloudflared/blob/master/cmd/cloudflared/tunnel/subcommands.go");

pub static TOKEN_FIELD: Field = Field {
    place: ("cloudflared", "token"),
    noun: "the token of a tunnel",
    about: "the token of the tunnel, which begins with `eyJ`; the dashboard shows it in the command that installs `cloudflared`",
    takes: &[&cloudflare::TUNNEL_TOKEN],
    names: &[Names { behind: &["CLOUDFLARED"], within: false, ..Names::new(&["TOKEN"], PARAMETERS) }],
    mistakes: &[
        Mistake {
            forms: &[&cloudflare::API_TOKEN],
            repair: "set it to the token of the tunnel, which begins with `eyJ`; an API token can't run a tunnel",
            source: RUN,
        },
        Mistake {
            forms: &[&cloudflare::GLOBAL_KEY],
            repair: "set it to the token of the tunnel, which begins with `eyJ`; an API key can't run a tunnel",
            source: RUN,
        },
        Mistake {
            forms: &[&cloudflare::ORIGIN_CA_KEY],
            repair: "set it to the token of the tunnel, which begins with `eyJ`",
            source: RUN,
        },
    ],
    ..FIELD
};

/// Variables that only `cloudflared` reads.
pub static SETTING_FIELD: Field = Field {
    place: ("cloudflared", "setting"),
    noun: "a setting of `cloudflared`",
    about: "as `cloudflared` documents it",
    purpose: Purpose::Endpoint,
    names: &[Names {
        behind: &["CLOUDFLARED"],
        within: false,
        ..Names::new(&["METRICS", "EDGE_IP_VERSION", "TRANSPORT_PROTOCOL", "ORIGIN_CERT", "CRED_FILE"], PARAMETERS)
    }],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["Unauthorized: Invalid tunnel secret"],
        about: &[&TOKEN_FIELD, &SETTING_FIELD],
        says: "the token is of a tunnel that was deleted and made again, or whose secret was changed",
        open: "whether the tunnel still has this secret",
        source: Example("https://github.com/cloudflare/cloudflared/issues/426"),
        ..ERROR
    },
    ErrorText {
        texts: &["Provided Tunnel token is not valid"],
        about: &[&TOKEN_FIELD, &SETTING_FIELD],
        says: "what was given as the token is none",
        open: "nothing: copy the token alone, without the command around it",
        source: Example("https://github.com/ChrispyBacon-dev/DockFlare/issues/101"),
        ..ERROR
    },
    ErrorText {
        texts: &["Unauthorized: Failed to get tunnel"],
        about: &[&TOKEN_FIELD, &SETTING_FIELD],
        says: "there is no such tunnel in the account of the token",
        open: "whether the tunnel was deleted; now and then it passes by itself",
        source: Example("https://github.com/STRRL/cloudflare-tunnel-ingress-controller/issues/119"),
        ..ERROR
    },
];
