//! Cloudflare.

use super::prelude::*;
use super::{aws, many};

pub static SERVICE: Service = Service {
    name: "Cloudflare",
    docs: "https://developers.cloudflare.com/fundamentals/api/get-started/token-formats/",
    read: "2026-11-23",
    forms: &[
        &API_TOKEN, &GLOBAL_KEY, &LOGIN_TOKEN, &ACCESS_ID, &ACCESS_SECRET, &TUNNEL_TOKEN, &ORIGIN_CA_KEY,
        &OLD_API_TOKEN, &OLD_GLOBAL_KEY, &LONG_GLOBAL_KEY, &CURSEFORGE_KEY,
    ],
    words: &["CLOUDFLARE", "CF"],
    fields: &[
        &API_TOKEN_FIELD, &TOKEN_FIELD, &API_KEY_FIELD, &EMAIL_FIELD, &ACCOUNT_ID_FIELD, &ZONE_ID_FIELD,
        &TUNNEL_TOKEN_FIELD, &ACCESS_ID_FIELD, &ACCESS_SECRET_FIELD, &ORIGIN_CA_KEY_FIELD,
    ],
    relations: &[
        Relation::Beside {
            forms: &[&API_TOKEN],
            field: &API_KEY_FIELD,
            beside: &EMAIL_FIELD,
            noun: "goes with a Global API Key",
            advice: "set it to the Global API Key; or keep the API token, under the name that the program has for a token, and remove the e-mail address",
            source: SDK,
        },
        Relation::Beside {
            forms: &[&OLD_API_TOKEN],
            field: &API_KEY_FIELD,
            beside: &EMAIL_FIELD,
            noun: "goes with a Global API Key",
            advice: "set it to the Global API Key; or keep the API token, under the name that the program has for a token, and remove the e-mail address",
            source: Example("https://github.com/acmesh-official/acme.sh/issues/6435"),
        },
        Relation::Needs {
            form: &GLOBAL_KEY,
            field: &EMAIL_FIELD,
            whole: false,
            advice: "a Global API Key is sent with the e-mail address of its user: set that, too, or use an API token",
            source: SDK,
        },
    ],
    errors: ERRORS,
    ..BLANK
};

const FORMATS: Source = Official("https://developers.cloudflare.com/fundamentals/api/get-started/token-formats/");
/// `CLOUDFLARE_API_TOKEN`, or `CLOUDFLARE_API_KEY` and `CLOUDFLARE_EMAIL`.
const SDK: Source = Official("https://github.com/cloudflare/cloudflare-typescript/blob/main/src/index.ts");
/// Includes the older names.
const WRANGLER: Source = Official("https://developers.cloudflare.com/workers/wrangler/system-environment-variables/");
const LEGO: Source = Example("https://go-acme.github.io/lego/dns/cloudflare/");
const ACME_SH: Source = Example("https://github.com/acmesh-official/acme.sh/wiki/dnsapi#dns_cf");
const PROVIDER: Source = Official(
    "https://github.com/cloudflare/terraform-provider-cloudflare/blob/v4.52.0/internal/framework/provider/provider.go",
);
const ACCESS: Source =
    Official("https://developers.cloudflare.com/cloudflare-one/access-controls/service-credentials/service-tokens/");
const IDS: Source = Official("https://developers.cloudflare.com/fundamentals/account/find-account-and-zone-ids/");
const TUNNELS: Source = Official("https://github.com/cloudflare/cloudflared/blob/master/connection/connection.go");
const ORIGIN_CA: Source = Official("https://developers.cloudflare.com/fundamentals/api/get-started/ca-keys/");

/// Of a user or an account. A checksum follows the forty characters.
pub static API_TOKEN: Form = Form {
    id: "cloudflare/api-token",
    noun: "a Cloudflare API token",
    patterns: &[Text("cfut_[0-9A-Za-z_-]{40,}"), Text("cfat_[0-9A-Za-z_-]{40,}")],
    purpose: Purpose::AccessToken,
    advice: "is sent alone, without an e-mail address",
    source: FORMATS,
    ..FORM
};

pub static GLOBAL_KEY: Form = Form {
    purpose: Purpose::Key,
    advice: "may do what its user may, and is sent with the user's e-mail address",
    ..Form::new("cloudflare/global-key", "a Cloudflare Global API Key", &[Text("cfk_[0-9A-Za-z_-]{40,}")], FORMATS)
};

/// What Wrangler gets when a user logs in. The length is not documented.
pub static LOGIN_TOKEN: Form = Form {
    purpose: Purpose::OtherToken,
    expires: true,
    ..Form::new("cloudflare/login-token", "a token of a Wrangler login", &[Text("cfoat_[0-9A-Za-z_.-]{20,}")], FORMATS)
};

pub static ACCESS_ID: Form = Form {
    id: "cloudflare/access-client-id",
    noun: "the Client ID of an Access service token",
    patterns: &[Text(r"[0-9a-f]{32}\.access")],
    public: true,
    purpose: Purpose::Id,
    advice: "goes with the Client Secret of the same service token",
    source: ACCESS,
    ..FORM
};

/// Older ones are 64 hex digits, as many other values.
pub static ACCESS_SECRET: Form = Form {
    id: "cloudflare/access-client-secret",
    noun: "the Client Secret of an Access service token",
    patterns: &[Text("cfast_[0-9A-Za-z_-]{40,}")],
    purpose: Purpose::Key,
    advice: "opens an application behind Cloudflare Access; it calls no API",
    source: ACCESS,
    ..FORM
};

/// JSON in base64: the account, the tunnel, and a secret.
pub static TUNNEL_TOKEN: Form = Form {
    id: "cloudflare/tunnel-token",
    noun: "the token of a Cloudflare Tunnel",
    patterns: &[Json {
        text: "(?<json>eyJ[0-9A-Za-z+/]+=*)",
        has: &[("a", "*"), ("t", "*"), ("s", "*")],
        parts: &[("a", "account")],
    }],
    purpose: Purpose::OtherToken,
    looks: "begins with `eyJ`",
    advice: "is for `cloudflared`, which runs one tunnel with it; it calls no API",
    source: TUNNELS,
    ..FORM
};

/// Its length may vary.
pub static ORIGIN_CA_KEY: Form = Form {
    id: "cloudflare/origin-ca-key",
    noun: "a Cloudflare Origin CA key",
    patterns: &[Text("v1.0-[0-9a-f]{24}-[0-9a-f]{100,}")],
    purpose: Purpose::OtherToken,
    advice: "is for certificates of the Origin CA only; since September 2026 API tokens replace it",
    source: ORIGIN_CA,
    ..FORM
};

/// A token from before prefixes were introduced. Words and hash sums may be as long, but have no capitals.
pub static OLD_API_TOKEN: Form = Form {
    id: "cloudflare/older-api-token",
    noun: "40 characters, as an older API token has",
    patterns: &[Text("[0-9A-Za-z_-]{40}")],
    with: &[Class::Upper, Class::Lower],
    issued_by: Issuer::Many,
    certain: false,
    purpose: Purpose::AccessToken,
    source: PROVIDER,
    ..FORM
};

pub static OLD_GLOBAL_KEY: Form = Form {
    id: "cloudflare/older-global-key",
    noun: "37 hex digits, as an older Global API Key has",
    patterns: &[Text("[0-9a-f]{37}")],
    issued_by: Issuer::Many,
    certain: false,
    purpose: Purpose::Key,
    source: PROVIDER,
    ..FORM
};

pub static LONG_GLOBAL_KEY: Form = Form {
    id: "cloudflare/long-global-key",
    noun: "a Global API Key with one character more",
    patterns: &[Text("[0-9a-f]{37}[g-zG-Z]")],
    issued_by: Issuer::Many,
    certain: false,
    purpose: Purpose::Key,
    source: Example("https://github.com/rmbolger/Posh-ACME/issues/126"),
    ..FORM
};

/// `CF_API_KEY` is also CurseForge's name. Its keys look like password hashes.
pub static CURSEFORGE_KEY: Form = Form {
    id: "cloudflare/key-of-curseforge",
    noun: "a key of CurseForge",
    patterns: &[Text(r"\$2a\$10\$[0-9A-Za-z./]{53}"), Text(r"\$\$2a\$\$10\$\$[0-9A-Za-z./]{53}")],
    issued_by: Issuer::Many,
    certain: false,
    source: Example(
        "https://docker-minecraft-server.readthedocs.io/en/latest/types-and-platforms/mod-platforms/auto-curseforge/",
    ),
    ..FORM
};

/// Values of other services under `CF_…`: keys of CloudFront and CurseForge.
const OTHERS: &[&Form] = &[&CURSEFORGE_KEY, &many::PRIVATE_KEY, &aws::ACCESS_KEY_ID];

pub static API_TOKEN_FIELD: Field = Field {
    place: ("cloudflare", "api_token"),
    noun: "an API token",
    about: "an API token, which begins with `cfut_` or `cfat_`, or has 40 characters if it is older",
    takes: &[&API_TOKEN, &LOGIN_TOKEN, &OLD_API_TOKEN],
    names: &[Names::apart(&["API_TOKEN"], SDK), Names::new(&["DNS_API_TOKEN", "ZONE_API_TOKEN"], LEGO)],
    mistakes: &[
        Mistake {
            forms: &[&GLOBAL_KEY],
            repair: "set it to an API token; the Global API Key goes with its user's e-mail address, under the name that the program has for a key",
            source: FORMATS,
        },
        Mistake {
            forms: &[&OLD_GLOBAL_KEY],
            repair: "set it to an API token; the Global API Key goes with its user's e-mail address, under the name that the program has for a key",
            source: Example("https://github.com/kissgyorgy/cloudflare-dyndns/issues/40"),
        },
        Mistake {
            forms: &[&TUNNEL_TOKEN],
            repair: "set it to an API token; the token of a tunnel is for `cloudflared` only",
            source: TUNNELS,
        },
        Mistake {
            forms: &[&ORIGIN_CA_KEY],
            repair: "set it to an API token; an Origin CA key is for certificates of the Origin CA only",
            source: ORIGIN_CA,
        },
    ],
    ..FIELD
};

/// Some programs take either kind under these names, the key with an e-mail address.
pub static TOKEN_FIELD: Field = Field {
    place: ("cloudflare", "token"),
    noun: "an API token or a Global API Key",
    about: "an API token, which begins with `cfut_` or `cfat_`, or has 40 characters if it is older",
    takes: &[&API_TOKEN, &LOGIN_TOKEN, &GLOBAL_KEY, &OLD_API_TOKEN, &OLD_GLOBAL_KEY, &TUNNEL_TOKEN],
    names: &[Names { unless: OTHERS, ..Names::new(&["TOKEN"], ACME_SH) }],
    ..FIELD
};

/// Some programs take a token under these names, if no e-mail address is set.
pub static API_KEY_FIELD: Field = Field {
    place: ("cloudflare", "api_key"),
    noun: "a Global API Key",
    about: "the Global API Key, which begins with `cfk_`, or has 37 hex digits if it is older",
    takes: &[&GLOBAL_KEY, &API_TOKEN, &LOGIN_TOKEN, &OLD_GLOBAL_KEY, &OLD_API_TOKEN],
    names: &[
        Names { unless: OTHERS, ..Names::new(&["API_KEY"], SDK) },
        Names { unless: OTHERS, ..Names::new(&["KEY"], ACME_SH) },
    ],
    mistakes: &[
        Mistake {
            forms: &[&LONG_GLOBAL_KEY],
            repair: "copy the Global API Key again: an older one has 37 hex digits, and this value has one character more",
            source: Example("https://github.com/rmbolger/Posh-ACME/issues/126"),
        },
        Mistake {
            forms: &[&ORIGIN_CA_KEY],
            repair: "set it to the Global API Key, or use an API token; an Origin CA key is for certificates of the Origin CA only",
            source: ORIGIN_CA,
        },
        Mistake {
            forms: &[&TUNNEL_TOKEN],
            repair: "set it to the Global API Key, or use an API token; the token of a tunnel is for `cloudflared` only",
            source: TUNNELS,
        },
    ],
    ..FIELD
};

/// Of the user whose Global API Key it goes with.
pub static EMAIL_FIELD: Field = Field {
    place: ("cloudflare", "email"),
    noun: "the e-mail address of a user",
    about: "the e-mail address of the user whose Global API Key it is",
    purpose: Purpose::Id,
    takes: &[&many::EMAIL],
    names: &[Names::new(&["EMAIL"], SDK), Names::new(&["API_EMAIL"], WRANGLER)],
    ..FIELD
};

/// The ID of a zone has the same form.
pub static ACCOUNT_ID_FIELD: Field = Field {
    place: ("cloudflare", "account_id"),
    noun: "an account ID",
    about: "the ID of the account: 32 hex digits, which the dashboard shows and has in its addresses",
    purpose: Purpose::Id,
    names: &[Names::apart(&["ACCOUNT_ID"], WRANGLER)],
    mistakes: &[Mistake {
        forms: &[&many::EMAIL],
        repair: "set it to the ID of the account: 32 hex digits, which the dashboard has in its addresses",
        source: IDS,
    }],
    ..FIELD
};

pub static ZONE_ID_FIELD: Field = Field {
    place: ("cloudflare", "zone_id"),
    noun: "a zone ID",
    about: "the ID of the zone: 32 hex digits, on the page of the domain",
    purpose: Purpose::Id,
    names: &[Names::apart(&["ZONE_ID"], ACME_SH)],
    ..FIELD
};

pub static TUNNEL_TOKEN_FIELD: Field = Field {
    place: ("cloudflare", "tunnel_token"),
    noun: "the token of a tunnel",
    about: "the token of the tunnel, which begins with `eyJ`; the dashboard shows it in the command that installs `cloudflared`",
    takes: &[&TUNNEL_TOKEN],
    names: &[Names::new(
        &["TUNNEL_TOKEN"],
        Example("https://github.com/zammad/zammad-docker-compose/blob/master/scenarios/add-cloudflare-tunnel.yml"),
    )],
    mistakes: &[
        Mistake {
            forms: &[&API_TOKEN],
            repair: "set it to the token of the tunnel, which begins with `eyJ`; an API token can't run a tunnel",
            source: TUNNELS,
        },
        Mistake {
            forms: &[&OLD_API_TOKEN],
            repair: "set it to the token of the tunnel, which begins with `eyJ`; an API token can't run a tunnel",
            source: Example("https://github.com/siderolabs/talos/issues/11609"),
        },
        Mistake {
            forms: &[&GLOBAL_KEY],
            repair: "set it to the token of the tunnel, which begins with `eyJ`",
            source: TUNNELS,
        },
    ],
    ..FIELD
};

pub static ACCESS_ID_FIELD: Field = Field {
    place: ("cloudflare", "access_client_id"),
    noun: "the Client ID of an Access service token",
    about: "the Client ID of the service token, which ends in `.access`",
    takes: &[&ACCESS_ID],
    names: &[Names::new(&["ACCESS_CLIENT_ID"], ACCESS)],
    mistakes: &[Mistake {
        forms: &[&ACCESS_SECRET],
        repair: "set it to the Client ID of the service token, which ends in `.access`",
        source: ACCESS,
    }],
    ..FIELD
};

/// Older ones are 64 hex digits.
pub static ACCESS_SECRET_FIELD: Field = Field {
    place: ("cloudflare", "access_client_secret"),
    noun: "the Client Secret of an Access service token",
    about: "the Client Secret of the service token, which is shown once, when the token is made",
    takes: &[&ACCESS_SECRET],
    names: &[Names::new(&["ACCESS_CLIENT_SECRET"], ACCESS)],
    mistakes: &[Mistake {
        forms: &[&ACCESS_ID],
        repair: "set it to the Client Secret of the service token; this is its Client ID",
        source: ACCESS,
    }],
    ..FIELD
};

pub static ORIGIN_CA_KEY_FIELD: Field = Field {
    place: ("cloudflare", "origin_ca_key"),
    noun: "an Origin CA key",
    about: "the Origin CA key, which begins with `v1.0-`",
    takes: &[&ORIGIN_CA_KEY],
    names: &[Names::new(&["API_USER_SERVICE_KEY"], SDK)],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["Invalid format for X-Auth-Key header"],
        about: &[&API_KEY_FIELD, &EMAIL_FIELD, &TOKEN_FIELD, &API_TOKEN_FIELD],
        says: "an API token was sent where the global API key belongs",
        open: "whether the program accepts tokens under another name",
        source: Example("https://github.com/cloudflare/cloudflare-typescript/issues/161"),
        ..ERROR
    },
    ErrorText {
        texts: &["Invalid format for Authorization header"],
        about: &[&API_TOKEN_FIELD, &TOKEN_FIELD],
        says: "the global API key, or something around the token, was sent where an API token belongs",
        open: "whether the program accepts the global key under another name",
        source: Example("https://github.com/jeessy2/ddns-go/issues/916"),
        ..ERROR
    },
    ErrorText {
        texts: &["Authentication error [code: 10000]", "Authentication failed * [code: 9106]"],
        about: &[&API_TOKEN_FIELD, &API_KEY_FIELD, &EMAIL_FIELD, &ACCOUNT_ID_FIELD],
        says: "Cloudflare refused the token, or it may not do this",
        open: "whether the token has expired, and what it may do",
        source: Official("https://github.com/cloudflare/workers-sdk/blob/main/packages/wrangler/src/user/user.ts"),
        ..ERROR
    },
];
