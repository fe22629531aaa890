use crate::config::Profile;
use crate::rule::{Sink, rule};

rule! {
    InsecureBaseUrl("insecure-base-url"): profile,
    "plain HTTP to another machine, which would send the credential unencrypted",
    severity: Error, impact: SentInTheClear, scope: "any", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    // Other programs often use plain HTTP in a closed network, so their files are not checked.
    for (setting, address) in profile.api_addresses() {
        let Ok(address) = address else { continue };
        if !address.is_https() && !address.is_loopback() {
            let (id, what) = (&profile.id, profile.kind().credential);
            let message = format!("`{id}` would send its {what} unencrypted to {}", address.origin());
            let help = "use `https://`; plain HTTP is allowed for `localhost`, `127.0.0.0/8` and `::1` only";
            sink.push(finding(message, help).value(setting, "plain HTTP"));
        }
    }
}
