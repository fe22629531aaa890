use crate::config::{Profile, Setting};
use crate::rule::{Draft, Sink, rule};
use crate::schema::value::{BaseUrl, NonApiUrl};
use crate::schema::{Address, Type};
use crate::services::{Form, Serves};

rule! {
    #[doc = include_str!("../../docs/rules/not-the-api-address.md")]
    NotTheApiAddress: profile {
        id: "not-the-api-address",
        summary: "an address that is not the API: a link to a channel, the web client, one API method or a webhook",
        severity: Error, impact: None, scope: "any", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    for (setting, address) in profile.addresses() {
        let field = setting.field.name;
        if let Some(form) = setting.what().filter(|form| form.is_webhook()) {
            let message = format!("the `{field}` of `{}` is a webhook URL", profile.id);
            let draft = Draft::new(message, without_webhook(profile, setting, address.ok(), form));
            sink.push(draft.value(setting, form.noun));
            continue;
        }
        // Other programs use endpoints, which `malformed-endpoint` checks.
        if !matches!(setting.field.ty, Type::Url(Address::Api)) {
            continue;
        }
        let Ok(address) = address else { continue };
        // `doubled-api-path` reports this address, and what remains once `/api` is removed.
        if profile.kind().field("token").is_some() && address.repeats_api() {
            continue;
        }
        if let Some(what) = address.non_api_url() {
            let message = format!("the `{field}` of `{}` is {}, not the address of the API", profile.id, what.noun);
            let text = what.noun;
            sink.push(Draft::new(message, help(profile, field, address, what)).value(setting, text));
        }
    }
}

fn without_webhook(profile: &Profile, setting: &Setting, address: Option<&BaseUrl>, form: &'static Form) -> String {
    let field = setting.field.name;
    if profile.kind().field("webhook_url").is_none() {
        return format!("set `{field}` to the address of the API, such as `{}`", setting.field.example);
    }
    let server = if let Some(service) = profile.kind().service.filter(|service| service.forms.contains(&form)) {
        format!("`{}`", service.home(address.map_or("", BaseUrl::host)))
    } else {
        format!("the address of the server that accepts the token, such as `{}`", setting.field.example)
    };
    format!("set `{field}` to {server}; a webhook URL is a secret and belongs in `webhook_url`")
}

fn help(profile: &Profile, field: &str, address: &BaseUrl, what: NonApiUrl) -> String {
    let home = what.home(address);
    match what.serves {
        Serves::S3 if profile.lacks("endpoint") => {
            format!("move it to `endpoint`; `{field}` defaults to `{home}`")
        }
        Serves::S3 => format!("set `{field}` to `{home}`, or remove it; `endpoint` is for the S3-compatible API"),
        Serves::Link => format!("set `{field}` to `{home}`; the ID in the link (`C…`) belongs in `channels`"),
        Serves::Method => format!("set `{field}` to `{home}`; credlint adds `/api` and the method itself"),
        _ => format!("set `{field}` to `{home}`"),
    }
}
