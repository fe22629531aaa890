use crate::config::Profile;
use crate::rule::{Draft, Sink, rule};
use crate::schema::{APP, MESSAGING};

rule! {
    #[doc = include_str!("../../docs/rules/doubled-api-path.md")]
    DoubledApiPath: profile {
        id: "doubled-api-path",
        summary: "an address that ends in `/api`, which credlint adds itself",
        severity: Error, impact: None, scope: "any", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    // The storage service has different paths.
    let operation = if *profile.kind() == MESSAGING {
        "files.upload"
    } else if *profile.kind() == APP {
        "auth.test"
    } else {
        return;
    };
    for (setting, address) in profile.api_addresses() {
        let Ok(address) = address else { continue };
        if address.repeats_api() {
            let field = setting.field.name;
            let message = format!("the `{field}` of `{}` ends in `/api`, which credlint adds itself", profile.id);
            let help = match address.non_api_url() {
                // There is no API on this host, with or without `/api`.
                Some(what) => format!("set `{field}` to `{}`", what.home(address)),
                None => {
                    format!("remove `/api` and everything after it: credlint calls `{{{field}}}/api/{operation}`")
                }
            };
            sink.push(Draft::new(message, help).value(setting, "`/api` would be added twice"));
        }
    }
}
