use crate::config::{Origin, Profile, Setting};
use crate::rule::{Sink, rule};
use crate::schema::{Secret, Type};

rule! {
    RedirectedCredential("redirected-credential"): profile,
    "a secret from the user configuration that would go to an address set by the project",
    severity: Error, impact: SentElsewhere, scope: "any", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    if report_forbidden_hosts(profile, sink) {
        return;
    }
    // A webhook is its own destination.
    let sent = |setting: &&Setting| matches!(setting.field.ty, Type::Secret(secret) if secret != Secret::Webhook);
    let Some(secret) = profile.credentials().filter(sent).find(|setting| setting.origin == Origin::User) else {
        return;
    };
    let chosen = profile
        .destinations()
        .filter(|setting| setting.origin == Origin::Project && sets_destination(setting))
        .collect::<Vec<_>>();
    // One finding, whatever combination of settings causes it. A certificate authority can impersonate any address,
    // so choosing one is like choosing the address.
    let says = match chosen.iter().any(|setting| !matches!(setting.field.ty, Type::Path)) {
        true => "a secret from your user configuration to an address set by this project",
        false if chosen.is_empty() => return,
        false => "a secret from your user configuration to a server that this project's `ca_file` vouches for",
    };
    let message = format!("`{}` would send {says}", profile.id);
    let help =
        "keep the secret and its address in the same file; if you trust this project, pass its file with `--config`";
    let label = |setting: &Setting| match setting.field.ty {
        Type::Path => "trusted authority set here",
        _ => "destination set here",
    };
    let draft = chosen.iter().fold(finding(message, help), |draft, setting| draft.key(setting, label(setting)));
    sink.push(draft.key(secret, "secret set here"));
}

/// Returns `true` if a setting chooses a destination. An empty address selects the default, which is a choice too; an
/// empty address without a default counts as missing.
fn sets_destination(setting: &Setting) -> bool {
    setting.is_present() || matches!(setting.field.ty, Type::Url(_)) && !setting.field.required
}

/// Reports addresses whose hosts are not on the user's list. They receive no credential, whichever layer sets them.
fn report_forbidden_hosts(profile: &Profile, sink: &mut Sink<'_>) -> bool {
    let mut sent = profile.api_addresses().filter_map(|(setting, address)| Some((setting, address.ok()?)));
    let Some((setting, address)) = sent.find(|(_, address)| !profile.permitted.permits(address)) else { return false };
    let (id, what) = (&profile.id, profile.kind().credential);
    let message = format!("`{id}` would send its {what} to {}, which is not in the permitted hosts", address.origin());
    let help = "if you trust this host, add it to `hosts` under `[trust]` in your user configuration or the policy, and to CREDLINT_HOSTS if that is set";
    sink.push(finding(message, help).value(setting, "not a permitted host"));
    true
}
