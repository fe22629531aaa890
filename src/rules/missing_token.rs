use crate::config::Profile;
use crate::rule::{Draft, Sink, rule};
use crate::schema::{Field, Secret, Type};

rule! {
    #[doc = include_str!("../../docs/rules/missing-token.md")]
    MissingToken: profile {
        id: "missing-token",
        summary: "no token: neither an access token nor a webhook URL, or no app credential",
        severity: Error, impact: Unfit, scope: "any", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let fields = profile.kind().fields;
    let is = |field: &&Field, secret| matches!(field.ty, Type::Secret(found) if found == secret);
    // An empty token is `empty-credential`; a missing token next to a webhook is `webhook-without-token`.
    let webhook = fields.iter().filter(|field| is(field, Secret::Webhook)).any(|field| !profile.lacks(field.name));
    let needed = fields.iter().filter(|field| field.required && is(field, Secret::Token));
    for field in needed.filter(|field| !profile.broken && !webhook && profile.lacks(field.name)) {
        let message = format!("`{}` has no access token", profile.id);
        let help = format!(
            "set `{} = {{ env = \"NAME\" }}`, or the variable `{}`",
            field.name,
            profile.id.variable(field.name)
        );
        let text = format!("no `{}` in this profile", field.name);
        sink.push(Draft::new(message, help).at(&profile.id.to_string(), profile.at, text));
    }
    report_no_credentials(profile, sink);
}

/// Reports a profile without credentials, for a kind that requires at least one of several.
fn report_no_credentials(profile: &Profile, sink: &mut Sink<'_>) {
    let kind = profile.kind();
    let credentials = || kind.fields.iter().filter(|field| field.is_credential());
    let each_by_itself = kind.pairs.is_empty() && credentials().all(|field| !field.required);
    if profile.broken || !each_by_itself || !credentials().all(|field| profile.lacks(field.name)) {
        return;
    }
    let names: Vec<String> = credentials().map(|field| format!("`{}`", field.name)).collect();
    let message = format!("`{}` has no credential", profile.id);
    let help =
        format!("set at least one of {}, preferably as a reference such as `{{ env = \"NAME\" }}`", names.join(", "));
    let text = "no credential in this profile";
    sink.push(Draft::new(message, help).at(&profile.id.to_string(), profile.at, text));
}
