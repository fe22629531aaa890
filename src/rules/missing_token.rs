use crate::config::Profile;
use crate::finding::Severity;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::{Field, Secret, Type};

rule! {
    #[doc = include_str!("../../docs/rules/missing-token.md")]
    MissingToken {
        id: "missing-token",
        summary: "neither an access token nor a webhook URL",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "messaging",
        since: "0.1.0",
    }
}

impl Rule for MissingToken {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let fields = profile.kind().fields;
        let is = |field: &&Field, secret| matches!(field.ty, Type::Secret(found) if found == secret);
        // Set empty is `empty-credential`; beside a webhook it is `webhook-without-token`.
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
    }
}
