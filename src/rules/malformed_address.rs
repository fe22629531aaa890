use crate::config::{Profile, Setting};
use crate::form::Wrapping;
use crate::profile::{Assessment, is_hosted};
use crate::rule::{Sink, rule};
use crate::schema::value::{BaseUrl, Flaw, NameFlaw, NonApiUrl, Parsed, UrlFlaw};
use crate::schema::{Address, Field, Probe, Type};
use crate::services::{Form, Serves, slack};

rule! {
    MalformedAddress("malformed-address"): profile,
    "an address, a bucket or a workspace that is missing, malformed, or not that of the API",
    severity: Error, impact: None, scope: "any", readers: ALL, since: "0.1.0",
}

/// What is wrong with an address, the label at its value, and the advice.
type Wrong = (String, String, String);

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    missing(profile, sink);
    let addresses =
        profile.addresses().filter_map(|(setting, found)| Some((setting, address(profile, setting, found)?)));
    // Only the hosted services say what their names look like.
    let hosted = |name| profile.present(name).filter(|_| is_hosted(profile));
    let bucket = hosted("bucket").and_then(|setting| Some((setting, bucket(setting)?)));
    let workspace = hosted("workspace").and_then(|setting| Some((setting, workspace(setting)?)));
    for (setting, (what, text, help)) in addresses.chain(bucket).chain(workspace) {
        // Other rules report a reference or a token in this field.
        if Assessment::from_setting(profile, setting).is_wrong() {
            continue;
        }
        let name = setting.name();
        let message = if profile.is_declared() {
            format!("the `{name}` of `{}` {what}", profile.id)
        } else {
            format!("`{name}` {what}")
        };
        sink.push(finding(message, help).value(setting, text));
    }
}

fn missing(profile: &Profile, sink: &mut Sink<'_>) {
    let needed = |field: &&Field| field.required && matches!(field.ty, Type::Url(_));
    let declared = profile.is_declared() && !profile.broken;
    for field in profile.kind().fields.iter().filter(needed).filter(|_| declared) {
        let message = format!("`{}` has no address for the service", profile.id);
        let help = format!(
            "set `{}`, or the variable `{}`, to the address of the service, such as `{}`",
            field.name,
            profile.id.variable(field.name),
            field.example
        );
        let draft = finding(message, help);
        match profile.setting(field.name) {
            None if profile.lacks(field.name) => {
                let text = format!("no `{}` in this profile", field.name);
                sink.push(draft.at(&profile.id.to_string(), profile.at, text));
            }
            Some(setting) if !setting.is_present() => sink.push(draft.value(setting, "empty")),
            _ => {}
        }
    }
}

fn address(profile: &Profile, setting: &Setting, address: Result<&BaseUrl, UrlFlaw>) -> Option<Wrong> {
    let (field, example) = (setting.name(), setting.field.example);
    let api = matches!(setting.field.ty, Type::Url(Address::Api));
    // Other programs use endpoints, and also have their own addresses.
    if !profile.is_declared() && api {
        return None;
    }
    if let Some(form) = setting.credential_form().filter(|form| form.is_webhook()) {
        let help = without_webhook(profile, setting, address.ok(), form);
        return Some(("is a webhook URL".to_owned(), form.noun.to_owned(), help));
    }
    let address = match address {
        Ok(address) => address,
        Err(flaw) => {
            // Other programs also accept a host without a scheme.
            let (what, such) = match flaw {
                UrlFlaw::NotHttp if !api => ("is neither a host nor an HTTP or HTTPS address", "a host or an address"),
                _ => (flaw.describe(), if api { "an address" } else { "a host or an address" }),
            };
            let help = repair(field, flaw).unwrap_or_else(|| format!("set it to {such} such as `{example}`"));
            return Some((what.to_owned(), what.to_owned(), help));
        }
    };
    // The storage service has different paths.
    let operation = match profile.kind().probe {
        Some(Probe::Token) => Some("files.upload"),
        Some(Probe::App) => Some("auth.test"),
        _ => None,
    };
    let other = address.non_api_url();
    let (what, text, help) = match (operation, other) {
        (Some(operation), _) if address.repeats_api() => {
            let help = match other {
                // There is no API on this host, with or without `/api`.
                Some(other) => format!("set `{field}` to `{}`", other.api_address(address)),
                None => {
                    format!("remove `/api` and everything after it: credlint calls `{{{field}}}/api/{operation}`")
                }
            };
            ("ends in `/api`, which credlint adds itself".to_owned(), "`/api` would be added twice", help)
        }
        (_, Some(other)) if api => {
            let help = at_api(profile, field, address, other);
            (format!("is {}, not the address of the API", other.noun), other.noun, help)
        }
        _ => {
            // No bucket is called `api`: their names have at least six characters.
            let what = match other {
                Some(other) if other.serves == Serves::Page => "is a page of the website, not the API",
                _ if address.s3_region().is_some() && address.path().trim_matches('/') == "api" => {
                    "ends in `/api`, which the S3-compatible API does not have"
                }
                _ => return None,
            };
            let help = format!("set `{field}` to the address of the API, which the console shows with the bucket");
            (what.to_owned(), what, help)
        }
    };
    Some((what, text.to_owned(), help))
}

/// Returns the advice, if one part of the address is wrong.
fn repair(field: &str, flaw: UrlFlaw) -> Option<String> {
    Some(match flaw {
        UrlFlaw::Quotes => format!("set `{field}` to the address alone, without quotes or brackets"),
        UrlFlaw::NoScheme => "add `https://` in front".to_owned(),
        UrlFlaw::TwoSchemes => "keep one `https://`".to_owned(),
        UrlFlaw::UserPart => "remove everything between `://` and `@`; put credentials into their own fields, and rotate this one if others could read it".to_owned(),
        UrlFlaw::Query => "remove the `?` and everything after it".to_owned(),
        UrlFlaw::Fragment => "remove the `#` and everything after it".to_owned(),
        _ => return None,
    })
}

fn without_webhook(profile: &Profile, setting: &Setting, address: Option<&BaseUrl>, form: &'static Form) -> String {
    let field = setting.field.name;
    if profile.kind().field("webhook_url").is_none() {
        return format!("set `{field}` to the address of the API, such as `{}`", setting.field.example);
    }
    let server = if let Some(service) = profile.kind().service.filter(|service| service.forms.contains(&form)) {
        format!("`{}`", service.api_address(address.map_or("", BaseUrl::host)))
    } else {
        format!("the address of the server that accepts the token, such as `{}`", setting.field.example)
    };
    format!("set `{field}` to {server}; a webhook URL is a secret and belongs in `webhook_url`")
}

fn at_api(profile: &Profile, field: &str, address: &BaseUrl, what: NonApiUrl) -> String {
    let home = what.api_address(address);
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

/// The rules for names are those of <https://www.backblaze.com/docs/cloud-storage-create-and-manage-buckets>.
fn bucket(bucket: &Setting) -> Option<Wrong> {
    let flaw = match bucket.parsed()? {
        Ok(Parsed::Id(name)) => NameFlaw::find(name),
        Err(Flaw::Id { flaw, .. }) => flaw,
        _ => None,
    };
    let copy = |more| format!("copy the name from the bucket list: {more}");
    let (text, help) = match flaw? {
        NameFlaw::Url => (
            "this is a URL",
            "set `bucket` to the name alone: the part between `s3://` or `b2://` and the next `/`".to_owned(),
        ),
        NameFlaw::Slash => {
            ("this is a path", "set `bucket` to the name alone, without the path inside the bucket".to_owned())
        }
        NameFlaw::Dot => ("contains a `.`", copy("it has only letters, digits and `-`; a host belongs in `endpoint`")),
        NameFlaw::Underscore => ("contains an `_`", copy("it may contain `-`, but no `_`")),
        NameFlaw::Character => {
            ("contains a character that is not a letter, a digit or `-`", copy("it has only letters, digits and `-`"))
        }
        NameFlaw::Short => (
            "shorter than 6 characters",
            "copy the whole name from the bucket list: it has 6 to 63 characters".to_owned(),
        ),
        NameFlaw::Long => ("longer than 63 characters", copy("it has 6 to 63 characters")),
        NameFlaw::Reserved => ("begins with `b2-`", copy("Backblaze reserves names that begin with `b2-`")),
    };
    Some(("is not a valid Backblaze B2 bucket name".to_owned(), text.to_owned(), help))
}

/// Where people find the ID of a workspace.
pub(crate) const LOOK: &str = "set `workspace` to the ID that begins with `T` or `E`; open Slack in a browser and copy it from the address, after `/client/`";

fn workspace(workspace: &Setting) -> Option<Wrong> {
    let Some(Err(Flaw::Id { flaw, lower })) = workspace.parsed() else { return None };
    let reading = workspace.facts().map(|facts| facts.reading).unwrap_or_default();
    let is = |form: &Form| reading.form == Some(form);
    let mut help = LOOK.to_owned();
    let what = match reading.wrapping {
        wrapping if is(&slack::WORKSPACE_ID) => {
            help = match wrapping {
                Some(Wrapping::Case) => "write the ID in upper case, as Slack shows it".to_owned(),
                _ => "set `workspace` to the ID alone".to_owned(),
            };
            None
        }
        None if is(&slack::CONVERSATION_ID) => {
            help += "; a channel ID belongs in `channels`";
            Some("a channel ID")
        }
        None if is(&slack::USER_ID) => Some("a user ID"),
        None if is(&slack::OBJECT_ID) => Some("the ID of an app, a bot, a file or a user group"),
        _ if matches!(flaw, Some(NameFlaw::Url | NameFlaw::Dot | NameFlaw::Slash)) => Some("an address"),
        _ if lower => Some("a name"),
        _ => None,
    };
    Some(match what {
        Some(what) => (format!("is {what}, not a workspace ID"), what.to_owned(), help),
        None => ("is not a workspace ID".to_owned(), "workspace IDs look like `T0123456789`".to_owned(), help),
    })
}
