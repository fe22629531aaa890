use crate::config::Profile;
use crate::profile::expires;
use crate::rule::{Draft, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/expiring-token.md")]
    ExpiringToken: profile {
        id: "expiring-token",
        summary: "a rotating token in a configuration file: it expires within 12 hours",
        severity: Warning, impact: Exposed, scope: "any", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for token in profile.credentials().filter(|setting| expires(profile, setting)) {
        let message =
            format!("`{}` is a rotating token in a configuration file; it expires within 12 hours", token.key);
        let help = format!(
            "write `{} = {{ env = \"NAME\" }}`, and set that variable to a fresh token in each run; or use an app without token rotation",
            token.field.name
        );
        sink.push(Draft::new(message, help).key(token, "begins with `xoxe.`, so it rotates"));
    }
}
