use crate::config::{Origin, Profile, Setting};
use crate::finding::Severity;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::{Address, Secret, Type};

rule! {
    #[doc = include_str!("../../docs/rules/redirected-credential.md")]
    RedirectedCredential {
        id: "redirected-credential",
        summary: "a secret of the user's own file, sent where a project file says",
        severity: Severity::Error,
        harm: Harm::SentElsewhere,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for RedirectedCredential {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        if forbidden(profile, sink) {
            return;
        }
        // A webhook is its own destination.
        let sent = |setting: &&Setting| matches!(setting.field.ty, Type::Secret(secret) if secret != Secret::Webhook);
        let Some(secret) = profile.credentials().filter(sent).find(|setting| setting.origin == Origin::User) else {
            return;
        };
        let chosen = profile
            .destinations()
            .filter(|setting| setting.origin == Origin::Project && chooses(setting))
            .collect::<Vec<_>>();
        // One mistake, whatever it is made of. Whoever may pass for an address is as good as the address.
        let says = match chosen.iter().any(|setting| !matches!(setting.field.ty, Type::Path)) {
            true => "sends a secret of your own file to an address of its choice",
            false if chosen.is_empty() => return,
            false => "lets an authority of its choice vouch for the place that a secret of your own file is sent to",
        };
        let message = format!("the project file {says} in `{}`", profile.id);
        let help = "keep a secret and its address in one file; to trust this project, name its file with `--config`";
        let label = |setting: &Setting| match setting.field.ty {
            Type::Path => "the project says whom to trust",
            _ => "the project says where to",
        };
        let draft = chosen.iter().fold(Draft::new(message, help), |draft, setting| draft.key(setting, label(setting)));
        sink.push(draft.key(secret, "your own file says what"));
    }
}

/// An address that is set empty falls back to a default, which is a choice, too. One that has none is missing.
fn chooses(setting: &Setting) -> bool {
    setting.is_present() || matches!(setting.field.ty, Type::Url(_)) && !setting.field.required
}

/// Hosts that are not on the user's list get nothing, whoever names them.
fn forbidden(profile: &Profile, sink: &mut Sink<'_>) -> bool {
    let sent = profile.addresses().filter(|(setting, _)| matches!(setting.field.ty, Type::Url(Address::Api)));
    let mut sent = sent.filter_map(|(setting, address)| Some((setting, address.ok()?)));
    let Some((setting, address)) = sent.find(|(_, address)| !profile.permitted.permit(address)) else { return false };
    let (id, what) = (&profile.id, profile.kind().credential);
    let message = format!("`{id}` would send its {what} to {}, which is not a permitted host", address.origin());
    let help = "if the host is right, add it to `hosts` under `[trust]` in your own configuration or the policy, and to CREDLINT_HOSTS if that is set";
    sink.push(Draft::new(message, help).value(setting, "not a permitted host"));
    true
}
