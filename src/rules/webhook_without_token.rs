use crate::config::Profile;
use crate::profile::Messaging;
use crate::rule::{Sink, rule};

rule! {
    WebhookWithoutToken("webhook-without-token"): profile, "a webhook URL without the access token that uploads need",
    severity: Error, impact: Unfit, scope: "messaging", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let webhook = Messaging::from_profile(profile).and_then(|_| profile.present("webhook_url"));
    let Some(webhook) = webhook else { return };
    // An empty token is `empty-credential`.
    if profile.lacks("token") {
        let message = format!("`{}` has a webhook URL but no access token for uploads", profile.id);
        let help = "set `token` to an access token that may post files to these channels; you can keep the webhook";
        sink.push(finding(message, help).key(webhook, "a webhook takes messages, never files"));
    }
}
