use crate::config::{ForeignProfile, Profile};
use crate::finding::Severity;
use crate::profile::{Assessment, assessments};
use crate::rule::{Draft, Impact, Rule, RuleMeta, Sink, rule};
use crate::schema::{Kind, STORAGE, Type};
use crate::services::{Form, Service, backblaze, slack};

rule! {
    #[doc = include_str!("../../docs/rules/foreign-credential.md")]
    ForeignCredential {
        id: "foreign-credential",
        summary: "a credential for a different field or service",
        severity: Severity::Error,
        impact: Impact::Unfit,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for ForeignCredential {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        for (setting, element, assessment) in assessments(profile) {
            let Assessment::Foreign(form) = assessment else { continue };
            // If the two are swapped, `webhook-as-token` reports it as one mistake.
            let swapped = form.is_access_token()
                && setting.field.name == "webhook_url"
                && profile
                    .setting("token")
                    .is_some_and(|token| Assessment::from_setting(profile, token) == Assessment::UrlAsToken);
            if swapped {
                continue;
            }
            let field = setting.field.name;
            let key = element.map_or(setting.key.as_str(), |element| element.key.as_str());
            let message = format!("`{key}` holds {}", form.noun);
            let mut help = match home(profile.kind(), form) {
                Some(home) if home != field => {
                    format!("it belongs in `{home}`; set `{field}` to {}", profile.kind().wanted(setting.field))
                }
                _ => format!("set `{field}` to {}", profile.kind().wanted(setting.field)),
            };
            if !setting.field.is_credential() {
                help += "; this field is printed, so rotate the credential if others may have seen it";
            }
            let text = format!("{}{}", form.noun, issuer(profile.kind(), form));
            let draft = Draft::new(message, help);
            sink.push(match element {
                Some(element) => draft.at(&element.key, element.value_at(), text),
                None => draft.value(setting, text),
            });
        }
    }

    fn foreign(&self, profile: &Profile, _: &ForeignProfile, sink: &mut Sink<'_>) {
        for (setting, _, assessment) in assessments(profile) {
            let Assessment::Foreign(form) = assessment else { continue };
            if !setting.field.is_credential() {
                continue;
            }
            let message = format!("`{}` holds {}", setting.name(), form.noun);
            let help = format!("set `{}` to {}", setting.name(), profile.kind().wanted(setting.field));
            let text = format!("{}{}", form.noun, issuer(profile.kind(), form));
            sink.push(Draft::new(message, help).value(setting, text));
        }
    }
}

/// Returns the field of this kind that takes such a credential.
fn home(kind: &Kind, form: &'static Form) -> Option<&'static str> {
    let credentials = kind.fields.iter().filter(|field| matches!(field.ty, Type::Secret(_)) || field.is_credential());
    let mut right_fields = credentials.filter(|field| field.forms.contains(&form)).map(|field| field.name);
    right_fields.next()
}

/// Returns the issuer, unless the noun names it already.
fn issuer(kind: &Kind, form: &'static Form) -> &'static str {
    let own = |service: &'static Service| std::ptr::eq(form.service(), service);
    match kind.name == STORAGE.name {
        false if own(&backblaze::SERVICE) => " (Backblaze B2)",
        true if own(&slack::SERVICE) => " (Slack)",
        _ => "",
    }
}
