//! ddns-go.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, cloudflare};

/// It sends the secret as an API token.
pub static PROGRAM: Program = Program {
    name: "ddns-go",
    files: &[".ddns_go_config.yaml"],
    groups: &[Group { mark: Mark::Holds("name", "cloudflare"), keys: &[("secret", &cloudflare::API_TOKEN_FIELD, "")] }],
    own_names: true,
    source: Source::Official("https://github.com/jeessy2/ddns-go/blob/master/dns/cloudflare.go"),
    ..BLANK
};
