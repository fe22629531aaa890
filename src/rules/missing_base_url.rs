use crate::config::Profile;
use crate::rule::{Draft, Sink, rule};
use crate::schema::{Field, Type};

rule! {
    #[doc = include_str!("../../docs/rules/missing-base-url.md")]
    MissingBaseUrl: profile {
        id: "missing-base-url",
        summary: "no address for the service",
        severity: Error, impact: None, scope: "messaging", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let needed = |field: &&Field| field.required && matches!(field.ty, Type::Url(_));
    for field in profile.kind().fields.iter().filter(needed).filter(|_| !profile.broken) {
        let message = format!("`{}` has no address for the service", profile.id);
        let help = format!(
            "set `{}`, or the variable `{}`, to the address of the service, such as `{}`",
            field.name,
            profile.id.variable(field.name),
            field.example
        );
        let draft = Draft::new(message, help);
        match profile.setting(field.name) {
            None if !profile.lacks(field.name) => {}
            None => {
                let text = format!("no `{}` in this profile", field.name);
                sink.push(draft.at(&profile.id.to_string(), profile.at, text));
            }
            Some(setting) if !setting.is_present() => sink.push(draft.value(setting, "empty")),
            Some(_) => {}
        }
    }
}
