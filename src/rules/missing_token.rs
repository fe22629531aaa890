use crate::config::Profile;
use crate::rule::{Sink, rule};
use crate::schema::Type;

rule! {
    MissingToken("missing-token"): profile, "no token: neither an access token nor a webhook URL, or no app credential",
    severity: Error, impact: Unfit, scope: "any", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let kind = profile.kind();
    let secrets = || kind.fields.iter().filter(|field| matches!(field.ty, Type::Secret(_)));
    // An empty token is `empty-credential`; a missing token next to a webhook is `webhook-without-token`.
    if profile.broken || secrets().any(|field| !profile.lacks(field.name)) {
        return;
    }
    let (message, help, text) = if let Some(field) = secrets().find(|field| field.required) {
        let (name, variable) = (field.name, profile.id.variable(field.name));
        (
            format!("`{}` has no access token", profile.id),
            format!("set `{name} = {{ env = \"NAME\" }}`, or the variable `{variable}`"),
            format!("no `{name}` in this profile"),
        )
    } else if kind.pairs.is_empty() {
        let names = secrets().map(|field| format!("`{}`", field.name)).collect::<Vec<_>>().join(", ");
        (
            format!("`{}` has no credential", profile.id),
            format!("set at least one of {names}, preferably as a reference such as `{{ env = \"NAME\" }}`"),
            "no credential in this profile".to_owned(),
        )
    } else {
        return;
    };
    sink.push(finding(message, help).at(&profile.id.to_string(), profile.at, text));
}
