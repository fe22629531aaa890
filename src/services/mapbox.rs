//! Mapbox.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Mapbox",
    docs: "https://docs.mapbox.com/help/dive-deeper/access-tokens/",
    read: "2026-11-23",
    forms: &[&PUBLIC_TOKEN, &SECRET_TOKEN],
    words: &["MAPBOX"],
    fields: &[&TOKEN_FIELD, &MAP_TOKEN_FIELD, &DOWNLOADS_FIELD],
    ..BLANK
};

const TOKENS: Source = Official("https://docs.mapbox.com/help/dive-deeper/access-tokens/");

pub static PUBLIC_TOKEN: Form = Form {
    id: "mapbox/public-token",
    noun: "a public access token of Mapbox",
    patterns: &[Json { text: r"pk\.(?<json>eyJ[0-9A-Za-z_-]+)\.[0-9A-Za-z_-]{20,}", has: &[("u", "*")], parts: &[] }],
    public: true,
    purpose: Purpose::Id,
    advice: "is for maps in browsers and apps",
    source: TOKENS,
    ..FORM
};

pub static SECRET_TOKEN: Form = Form {
    id: "mapbox/secret-token",
    noun: "a secret access token of Mapbox",
    patterns: &[Json { text: r"sk\.(?<json>eyJ[0-9A-Za-z_-]+)\.[0-9A-Za-z_-]{20,}", has: &[("u", "*")], parts: &[] }],
    purpose: Purpose::AccessToken,
    advice: "is for servers and builds; maps in browsers take a public one",
    source: TOKENS,
    ..FORM
};

/// A server may have either.
pub static TOKEN_FIELD: Field = Field {
    place: ("mapbox", "access_token"),
    noun: "an access token",
    about: "an access token of Mapbox",
    purpose: Purpose::AccessToken,
    takes: &[&PUBLIC_TOKEN, &SECRET_TOKEN],
    names: &[Names::new(&["ACCESS_TOKEN"], TOKENS)],
    ..FIELD
};

/// These names are not documented, but programs use them, most of which pass the value on to a map.
pub static MAP_TOKEN_FIELD: Field = Field {
    place: ("mapbox", "token"),
    noun: "a public access token",
    about: "a public access token, which begins with `pk.`",
    purpose: Purpose::AccessToken,
    takes: &[&PUBLIC_TOKEN],
    names: &[
        Names::new(&["API_KEY"], Example("https://github.com/apache/superset/blob/master/superset/config.py")),
        Names::new(&["TOKEN", "PUBLIC_TOKEN"], Example("https://github.com/photoview/photoview/pull/541")),
    ],
    mistakes: &[Mistake {
        forms: &[&SECRET_TOKEN],
        repair: "if a map in a browser gets it, set it to a public access token, which begins with `pk.`; Mapbox GL refuses secret ones",
        source: Unsure("https://github.com/apache/superset/issues/20035"),
    }],
};

pub static DOWNLOADS_FIELD: Field = Field {
    place: ("mapbox", "downloads_token"),
    noun: "a secret access token",
    about: "a secret access token with the scope `DOWNLOADS:READ`, which begins with `sk.`",
    takes: &[&SECRET_TOKEN],
    names: &[Names::new(
        &["DOWNLOADS_TOKEN", "DOWNLOAD_TOKEN"],
        Official("https://docs.mapbox.com/android/maps/guides/install/"),
    )],
    mistakes: &[Mistake {
        forms: &[&PUBLIC_TOKEN],
        repair: "set it to a secret access token with the scope `DOWNLOADS:READ`, which begins with `sk.`",
        source: Example("https://github.com/flutter-mapbox-gl/maps/issues/1102"),
    }],
    ..FIELD
};
